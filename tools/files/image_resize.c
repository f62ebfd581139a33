/* SPDX-License-Identifier: Apache-2.0
 * image_resize.c - resizes pictures: by the operator Resize, or by the filter of another library.
 */
#include "base/int.h"
#include "files/image.h"
#include "files/image_filter.h"

#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

#include <math.h>

const char *const image_resize_names[] = {"no", "stretch", "fit", "crop", "corner", "short", NULL};

static const char model_text[] =
    "<ir_version: 8, opset_import: [\"\": 18]>\n"
    "resize (float[H,W] x, int64[2] sizes) => (float[h,w] y)\n"
    "{ y = Resize <mode = \"linear\", antialias = 1, exclude_outside = 1> (x, , , sizes) }";

static bool in_bounds(int64_t width, int64_t height)
{
    return width >= 1 && height >= 1 && width <= LIMIT_SIDE && height <= LIMIT_SIDE &&
           width * height <= LIMIT_PIXELS;
}

/* ---- by the operator, one channel after the other ---- */

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
static void scale_by_operator(const image *m, image *to, const char *where, oc_error *e)
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

/* ---- by a filter for bytes ---- */

/* Makes bytes of the samples of m, in their place, and returns them: m's samples are lost. */
static unsigned char *squeeze(image *m)
{
    enum { PART = 4096 };
    const size_t n = (size_t)m->width * (size_t)m->height * (size_t)m->channels;
    unsigned char *bytes = (unsigned char *)m->sample, part[PART];
    for (size_t at = 0; at < n; at += PART) {
        const size_t size = oc_min(n - at, (size_t)PART);
        for (size_t i = 0; i < size; i++)
            part[i] = (unsigned char)m->sample[at + i];
        memcpy(bytes + at, part, size);
    }
    return bytes;
}

static void scale_bytes(image *m, image *to, int filter, const char *where, oc_error *e)
{
    const image_scaling s = {squeeze(m), m->width,   m->height,   image_bytes(to, false),
                             to->width,  to->height, m->channels, where};
    image_filters[filter].run(&s, image_filters[filter].variant, e);
    if (e->code == OC_OK)
        image_widen(to, false);
}

/* ---- onto the wanted size ---- */

/* Makes m the picture `from`, which becomes empty. */
static void take(image *m, image *from)
{
    data_free(m->sample);
    *m = *from;
    from->sample = NULL;
}

/* Brings all of m to the size of `to`, which replaces it. */
static void scale(image *m, image *to, int filter, size_t cap, const char *where, oc_error *e)
{
    const double x = (double)to->width / m->width, y = (double)to->height / m->height;
    image_fit f = image_fit_of(m);
    f.scale_x *= x;
    f.scale_y *= y;
    f.left *= x;
    f.top *= y;
    to->fit = f;
    to->sample = NULL;
    image_alloc(to, cap, where, e);
    if (e->code == OC_OK && image_filters[filter].run)
        scale_bytes(m, to, filter, where, e);
    else if (e->code == OC_OK)
        scale_by_operator(m, to, where, e);
    if (e->code == OC_OK)
        take(m, to);
    data_free(to->sample);
}

/* Sets all samples to the value, and alpha to opaque: the first row sample by sample, the others as
 * copies of it. */
static void fill_with(image *m, int value)
{
    const size_t n = (size_t)m->width * (size_t)m->channels;
    for (size_t i = 0; i < n; i++)
        m->sample[i] = (uint16_t)value;
    for (size_t i = (size_t)m->channels; i <= n && m->channels % 2 == 0; i += (size_t)m->channels)
        m->sample[i - 1] = (uint16_t)m->white;
    for (size_t y = 1; y < (size_t)m->height; y++)
        memcpy(m->sample + y * n, m->sample, n * sizeof *m->sample);
}

/* Copies what of m lies in `to` when m begins at left and top, which may be below 0, and puts `to`
 * in the place of m. */
static void place(image *m, image *to, int left, int top, int value)
{
    const size_t channels = (size_t)to->channels;
    const int x = oc_max(left, 0), y = oc_max(top, 0), u = oc_max(-left, 0), v = oc_max(-top, 0);
    const int width = oc_min(to->width - x, m->width - u);
    const int height = oc_min(to->height - y, m->height - v);
    if (width < to->width || height < to->height)
        fill_with(to, value);
    for (int i = 0; i < height; i++) {
        const size_t out = (size_t)(y + i) * (size_t)to->width + (size_t)x;
        const size_t in = (size_t)(v + i) * (size_t)m->width + (size_t)u;
        memcpy(to->sample + out * channels, m->sample + in * channels,
               (size_t)width * channels * sizeof *to->sample);
    }
    to->fit.left += left;
    to->fit.top += top;
    take(m, to);
}

/* Refuses a size beyond the bounds. */
static bool check_bounds(int64_t width, int64_t height, const char *where, oc_error *e)
{
    if (!in_bounds(width, height))
        tool_fail(e, OC_LIMIT, "%s: resizing to %lld x %lld pixels, expected at most %d", where,
                  (long long)width, (long long)height, LIMIT_PIXELS);
    return e->code == OC_OK;
}

static void scale_to(image *m, const image_sizing *s, const image_placing *p, size_t cap,
                     const char *where, oc_error *e)
{
    static const char *const verbs[] = {"", "stretched", "fitted", "resized", "fitted", "resized"};
    image to = *m;
    to.width = (int)p->width;
    to.height = (int)p->height;
    image_note(&to, m, ", %s to %d x %d (%s)", verbs[s->how], to.width, to.height,
               image_filter_told(s->filter));
    scale(m, &to, s->filter, cap, where, e);
}

static void place_at(image *m, const image_sizing *s, const image_placing *p, size_t cap,
                     const char *where, oc_error *e)
{
    const int value = m->white == 255 ? s->fill : 257 * s->fill;
    const bool is_cut = p->total_width <= m->width && p->total_height <= m->height;
    image to = *m;
    to.width = (int)p->total_width;
    to.height = (int)p->total_height;
    to.fit = image_fit_of(m);
    to.sample = NULL;
    if (is_cut)
        image_note(&to, m, ", of which the middle %d x %d", to.width, to.height);
    else
        image_note(&to, m, ", %s of %d x %d of %d",
                   s->how == IMAGE_CORNER ? "at the top left" : "in the middle", to.width,
                   to.height, value);
    image_alloc(&to, cap, where, e);
    if (e->code == OC_OK)
        place(m, &to, (int)p->left, (int)p->top, value);
    data_free(to.sample);
}

void image_resize(image *m, const image_sizing *s, size_t cap, const char *where, oc_error *e)
{
    if (e->code != OC_OK || s->how == IMAGE_AS_IT_IS)
        return;
    if (s->width && !check_bounds(s->width, s->height, where, e))
        return;
    const image_placing p = image_place(s, m->width, m->height);
    if (!check_bounds(p.width, p.height, where, e) ||
        !check_bounds(p.total_width, p.total_height, where, e))
        return;
    if (p.width != m->width || p.height != m->height)
        scale_to(m, s, &p, cap, where, e);
    if (e->code == OC_OK && (p.total_width != m->width || p.total_height != m->height))
        place_at(m, s, &p, cap, where, e);
}
