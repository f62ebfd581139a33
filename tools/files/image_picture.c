/* SPDX-License-Identifier: Apache-2.0
 * image_picture.c - turns the elements of a tensor into the samples of a picture. */
#include "files/image.h"
#include "files/image_view.h"

#include "common/number.h"
#include "common/signals.h"

#include <math.h>

static bool view_of(const oc_value *t, const image_options *o, image_view *v)
{
    const int rank = oc_value_kind(t) == OC_TENSOR ? oc_value_rank(t) : 0;
    const int64_t *dim = oc_value_dims(t);
    const oc_type type = oc_value_type(t);
    if (rank < 2 || rank > 4 || (rank == 4 && dim[0] != 1) || !number_is_real(type))
        return false;
    const bool last =
        rank > 2 && (o->layout == IMAGE_NHWC ||
                     (o->layout == IMAGE_AUTO && image_looks_channels_last(rank, dim)));
    const int64_t *first = dim + (rank == 4 ? 1 : 0);
    const int64_t c = rank == 2 ? 1 : first[last ? 2 : 0];
    const int64_t h = rank == 2 ? first[0] : first[last ? 0 : 1];
    const int64_t w = rank == 2 ? first[1] : first[last ? 1 : 2];
    if (!image_is_channel_count(c) || h < 1 || w < 1 || h > 65500 || w > 65500)
        return false;
    *v = image_view_of((int)c, (int)h, (int)w, last);
    return true;
}

bool image_is_like(const oc_value *t, const image_options *o)
{
    image_view v;
    return view_of(t, o, &v) && v.height > 1 && v.width > 1;
}

/* sample = element * factor[c] + offset[c], for channel c of the tensor. */
typedef struct scaling {
    double factor[IMAGE_CHANNELS], offset[IMAGE_CHANNELS];
} scaling;

static void set_all(scaling *s, double factor, double offset)
{
    for (int c = 0; c < IMAGE_CHANNELS; c++) {
        s->factor[c] = factor;
        s->offset[c] = offset;
    }
}

/* Finds the least and the greatest finite element; both are 0 when there is none. */
static void find_range(const oc_value *t, double *least, double *greatest)
{
    const int64_t n = oc_value_count(t);
    bool found = false;
    *least = *greatest = 0;
    for (int64_t i = 0; i < n && !signals_end_at(i); i++) {
        const double x = number_get(oc_value_type(t), oc_value_data(t), i);
        if (!isfinite(x))
            continue;
        *least = !found || x < *least ? x : *least;
        *greatest = !found || x > *greatest ? x : *greatest;
        found = true;
    }
}

/* Chooses the scaling by the values alone. text receives what is done. */
static scaling scaling_of(const oc_value *t, char *text, size_t size)
{
    const oc_type type = oc_value_type(t);
    double least, greatest;
    scaling s;
    set_all(&s, 1, 0);
    if (type == OC_U8) {
        snprintf(text, size, "as they are");
        return s;
    }
    if (type == OC_BOOL) {
        set_all(&s, 255, 0);
        snprintf(text, size, "false 0, true 255");
        return s;
    }
    find_range(t, &least, &greatest);
    if (number_is_float(type) && least >= 0 && greatest <= 1) {
        set_all(&s, 255, 0);
        snprintf(text, size, "times 255");
        return s;
    }
    const double factor = greatest > least ? 255 / (greatest - least) : 0;
    set_all(&s, factor, -least * factor);
    snprintf(text, size, "least %.6g is 0, greatest %.6g is 255", least, greatest);
    return s;
}

/* Returns the inverse of how a picture becomes a tensor. */
static scaling scaling_asked(const image_options *o, oc_type type, char *text, size_t size)
{
    const double scale = o->scale != 0 ? o->scale : number_is_float(type) ? 1.0 / 255 : 1;
    scaling s;
    for (int c = 0; c < IMAGE_CHANNELS; c++) {
        s.factor[c] = (o->std[c] != 0 ? o->std[c] : 1) / scale;
        s.offset[c] = o->mean[c] / scale;
    }
    snprintf(text, size, "as asked, times %.6g plus %.6g%s", s.factor[0], s.offset[0],
             o->n_mean > 1 || o->n_std > 1 ? " in the first channel" : "");
    return s;
}

static uint16_t to_sample(double x)
{
    return !(x > 0) ? 0 : x >= 255 ? 255 : (uint16_t)nearbyint(x);
}

static void fill_samples(image *m, const oc_value *t, const image_view *v, const scaling *s,
                         bool backward)
{
    const oc_type type = oc_value_type(t);
    uint16_t *out = m->sample;
    for (int y = 0; y < v->height && !signals_cancelled(NULL); y++)
        for (int x = 0; x < v->width; x++)
            for (int c = 0; c < v->channels; c++) {
                const int k = backward ? 2 - c : c;
                const int64_t at = k * v->channel_step + y * v->row_step + x * v->pixel_step;
                const double element = number_get(type, oc_value_data(t), at);
                *out++ = to_sample(element * s->factor[k] + s->offset[k]);
            }
}

/* Refuses more or fewer means or deviations than there are channels. */
static void check_asked(const image_options *o, int channels, const char *where, oc_error *e)
{
    const bool mean = o->n_mean > 1 && o->n_mean != channels;
    if (mean || (o->n_std > 1 && o->n_std != channels))
        tool_fail(e, OC_ARGUMENT, "%s: %s has %d numbers, expected 1 or one for each of %d %s",
                  where, mean ? ":mean=" : ":std=", mean ? o->n_mean : o->n_std, channels,
                  channels == 1 ? "channel" : "channels");
}

void image_from_tensor(image *m, const oc_value *t, const image_options *o,
                       const image_options *scaled, const char *where, char text[IMAGE_TEXT],
                       oc_error *e)
{
    image_view v;
    char how[120];
    *m = (image){0};
    if (e->code != OC_OK)
        return;
    if (!view_of(t, o, &v)) {
        tool_fail(e, OC_SHAPE,
                  "%s: the value is not a picture, expected numbers or bools of shape 1xCxHxW, "
                  "1xHxWxC, CxHxW, HxWxC or HxW with 1, 3 or 4 channels",
                  where);
        return;
    }
    if (scaled)
        check_asked(scaled, v.channels, where, e);
    *m = (image){.width = v.width, .height = v.height, .channels = v.channels, .white = 255};
    if (e->code == OC_OK)
        image_alloc(m, SIZE_MAX, where, e);
    if (e->code != OC_OK)
        return;
    const oc_type type = oc_value_type(t);
    const scaling s =
        scaled ? scaling_asked(scaled, type, how, sizeof how) : scaling_of(t, how, sizeof how);
    const bool backward = o->order == IMAGE_BGR && v.channels == 3;
    const int order = backward          ? IMAGE_BGR
                      : v.channels == 1 ? IMAGE_GRAY
                      : v.channels == 3 ? IMAGE_RGB
                                        : IMAGE_RGBA;
    fill_samples(m, t, &v, &s, backward);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
    snprintf(text, IMAGE_TEXT, "%s: %d x %d, 8-bit <- %s, %s, %s %s", where, v.width, v.height,
             oc_type_name(type), how, v.channels_last ? "NHWC" : "NCHW", image_order_names[order]);
}
