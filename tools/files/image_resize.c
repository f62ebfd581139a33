/* SPDX-License-Identifier: Apache-2.0
 * image_resize.c - resizes pictures by the operator Resize, so that the bits are equal on every
 * machine. */
#include "base/int.h"
#include "files/image.h"

#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

#include <math.h>

const char *const image_resize_names[] = {"no", "stretch", "fit", "crop", NULL};

static const char model_text[] =
    "<ir_version: 8, opset_import: [\"\": 18]>\n"
    "resize (float[H,W] x, int64[2] sizes) => (float[h,w] y)\n"
    "{ y = Resize <mode = \"linear\", antialias = 1, exclude_outside = 1> (x, , , sizes) }";

/* ---- which size ---- */

/* Returns side * to / from, rounded half up, at least 1. All are at most LIMIT_SIDE. */
static int64_t scaled(int64_t side, int64_t to, int64_t from)
{
    const int64_t n = (2 * side * to + from) / (2 * from);
    return n ? n : 1;
}

/* Finds the size of the whole picture after resizing: it covers (crop) or fits into (fit) the
 * wanted width and height, and touches two edges. */
static void choose_size(const image *m, image_resize_kind kind, int64_t *width, int64_t *height)
{
    const int64_t w = m->width, h = m->height;
    const bool flat = *width * h <= *height * w; /* the whole width fits */
    if (kind == IMAGE_STRETCH)
        return;
    if (flat == (kind == IMAGE_FIT))
        *height = scaled(h, *width, w);
    else
        *width = scaled(w, *height, h);
}

static bool in_bounds(int64_t width, int64_t height)
{
    return width >= 1 && height >= 1 && width <= LIMIT_SIDE && height <= LIMIT_SIDE &&
           width * height <= LIMIT_PIXELS;
}

/* ---- one channel after the other through the operator ---- */

typedef struct scaler {
    oc_session *session;
    oc_value *plane, *sizes;
} scaler;

static void give_plane(const image *m, int channel, float *plane)
{
    const int64_t n = (int64_t)m->width * m->height;
    for (int64_t i = 0; i < n; i++)
        plane[i] = m->sample[i * m->channels + channel];
}

static void take_plane(const float *plane, image *to, int channel)
{
    const int64_t n = (int64_t)to->width * to->height;
    for (int64_t i = 0; i < n; i++) {
        /* a weighted mean of samples, perhaps slightly more than the greatest */
        const int sample = (int)nearbyintf(plane[i]);
        to->sample[i * to->channels + channel] = (uint16_t)oc_min(sample, to->white);
    }
}

static void resize_channels(const image *m, image *to, const scaler *s, oc_error *e)
{
    for (int c = 0; c < m->channels && e->code == OC_OK; c++) {
        give_plane(m, c, oc_value_mutable_data(s->plane));
        oc_bind_value_at(s->session, 0, s->plane, e);
        oc_bind_value_at(s->session, 1, s->sizes, e);
        oc_run(s->session, e);
        const float *out = oc_fetch(s->session, "y", NULL, e);
        if (out)
            take_plane(out, to, c);
    }
}

/* Fills `to`, whose width and height are set, with the resized samples of m. */
static void scale(const image *m, image *to, const char *where, oc_error *e)
{
    const oc_model_options loading = {.alloc = *data_allocator(),
                                      .limits.cancel = signals_cancelled};
    const oc_session_options running = {.threads = 1, .limits.cancel = signals_cancelled};
    const int64_t dims[2] = {m->height, m->width}, sizes[2] = {to->height, to->width}, two = 2;
    scaler s = {.plane = data_tensor(OC_F32, 2, dims, where, e)};
    s.sizes = data_tensor(OC_I64, 1, &two, where, e);
    if (s.sizes)
        memcpy(oc_value_mutable_data(s.sizes), sizes, sizeof sizes);
    oc_error inner = {.code = e->code};
    oc_model *model = oc_model_load_memory(model_text, sizeof model_text - 1, &loading, &inner);
    s.session = oc_session_new(model, &running, &inner);
    resize_channels(m, to, &s, &inner);
    if (e->code == OC_OK && inner.code != OC_OK)
        tool_fail(e, inner.code == OC_NOMEM ? OC_LIMIT : inner.code, "%s: resizing: %s", where,
                  inner.text);
    oc_session_free(s.session);
    oc_model_free(model);
    oc_value_free(s.plane);
    oc_value_free(s.sizes);
}

/* ---- onto the wanted size ---- */

/* Copies `from` into the middle of `to`, or the middle of `from` into `to`, on each axis by
 * itself. */
static void place_in_middle(const image *from, image *to, int fill)
{
    const size_t channels = (size_t)to->channels, n = (size_t)to->width * (size_t)to->height;
    const int value = to->white == 255 ? fill : 257 * fill;
    const int dx = (to->width - from->width) / 2, dy = (to->height - from->height) / 2;
    const int width = oc_min(to->width, from->width);
    const int height = oc_min(to->height, from->height);
    for (size_t i = 0; i < n * channels; i++) {
        const bool alpha = channels % 2 == 0 && i % channels == channels - 1;
        to->sample[i] = (uint16_t)(alpha ? to->white : value);
    }
    to->fit.left += dx;
    to->fit.top += dy;
    for (int y = 0; y < height; y++) {
        const size_t out = (size_t)(y + oc_max(dy, 0)) * (size_t)to->width;
        const size_t in = (size_t)(y - oc_min(dy, 0)) * (size_t)from->width;
        memcpy(to->sample + (out + (size_t)oc_max(dx, 0)) * channels,
               from->sample + (in + (size_t)(dx < 0 ? -dx : 0)) * channels,
               (size_t)width * channels * sizeof *to->sample);
    }
}

image_fit image_fit_of(const image *m)
{
    const image_fit whole = {m->width, m->height, .scale_x = 1, .scale_y = 1};
    return m->fit.width ? m->fit : whole;
}

/* Sets to->fit: the whole picture m was scaled to the size of `to`. */
static void scale_fit(const image *m, image *to)
{
    const double x = (double)to->width / m->width, y = (double)to->height / m->height;
    image_fit f = image_fit_of(m);
    f.scale_x *= x;
    f.scale_y *= y;
    f.left *= x;
    f.top *= y;
    to->fit = f;
}

static void take(image *m, image *from)
{
    data_free(m->sample);
    *m = *from;
    from->sample = NULL;
}

void image_resize(image *m, image_resize_kind kind, int width, int height, int fill, size_t cap,
                  const char *where, oc_error *e)
{
    static const char *const verbs[] = {"", "stretched", "fitted", "resized"};
    int64_t w = width, h = height;
    if (e->code != OC_OK || kind == IMAGE_AS_IT_IS || (m->width == width && m->height == height))
        return;
    if (in_bounds(w, h))
        choose_size(m, kind, &w, &h);
    if (!in_bounds(w, h)) {
        tool_fail(e, OC_LIMIT, "%s: resizing to %lld x %lld pixels, expected at most %d", where,
                  (long long)w, (long long)h, LIMIT_PIXELS);
        return;
    }
    image to = *m;
    to.width = (int)w;
    to.height = (int)h;
    image_note(&to, m, ", %s to %d x %d (linear, antialiased)", verbs[kind], to.width, to.height);
    image_alloc(&to, cap, where, e);
    if (e->code == OC_OK)
        scale(m, &to, where, e);
    scale_fit(m, &to);
    if (e->code != OC_OK) {
        data_free(to.sample);
        return;
    }
    take(m, &to);
    if (to.width == width && to.height == height)
        return;
    to.width = width;
    to.height = height;
    if (kind == IMAGE_FIT)
        image_note(&to, m, ", in the middle of %d x %d of %d", width, height,
                   to.white == 255 ? fill : 257 * fill);
    else
        image_note(&to, m, ", of which the middle %d x %d", width, height);
    image_alloc(&to, cap, where, e);
    if (e->code != OC_OK)
        return;
    place_in_middle(m, &to, fill);
    take(m, &to);
}
