/* SPDX-License-Identifier: Apache-2.0
 * image_tensor.c - turns the pixels of a picture into a tensor. */
#include "files/image_fill.h"

#include "base/int.h"
#include "common/data.h"
#include "common/limits.h"
#include "common/number.h"
#include "common/signals.h"

#include <limits.h>
#include <math.h>

const char *const image_layout_names[] = {"auto", "nchw", "nhwc", NULL};
const char *const image_order_names[] = {"auto", "gray", "rgb", "bgr", "rgba", NULL};

/* ---- sampling with another number of channels ---- */

typedef struct mapping {
    int order; /* never IMAGE_ANY */
    const char *note;
} mapping;

static int order_channels(int order)
{
    return order == IMAGE_GRAY ? 1 : order == IMAGE_RGBA ? 4 : 3;
}

/* Chooses the channels of the tensor; declared is their number in the port, -1 if unknown. The
 * note, perhaps "", says how they are made from a picture with other channels. */
static mapping choose_order(const image *m, int64_t declared, const image_options *o)
{
    mapping p = {o->order, ""};
    if (p.order == IMAGE_ANY)
        p.order = declared == 1     ? IMAGE_GRAY
                  : declared == 3   ? IMAGE_RGB
                  : declared == 4   ? IMAGE_RGBA
                  : m->channels < 3 ? IMAGE_GRAY
                                    : IMAGE_RGB;
    if (p.order == IMAGE_GRAY && m->channels >= 3)
        p.note = ", gray = 0.299 R + 0.587 G + 0.114 B";
    else if (p.order != IMAGE_GRAY && m->channels < 3)
        p.note = ", gray repeated";
    else if (p.order != IMAGE_RGBA && m->channels % 2 == 0)
        p.note = ", alpha dropped";
    return p;
}

/* ---- to a tensor ---- */

/* Writes ", minus mean 0.5, by std 0.25", with as many numbers as there are channels that
 * differ. */
static void describe_normal(const image_options *o, int channels, char *text, size_t size)
{
    size_t at = 0;
    for (int part = 0; part < 2; part++) {
        bool equal = true;
        for (int c = 1; c < channels; c++)
            equal = equal && (part ? image_std(o, c) == image_std(o, 0) : o->mean[c] == o->mean[0]);
        for (int c = 0; c < (equal ? 1 : channels) && at < size; c++)
            at += (size_t)snprintf(text + at, size - at, "%s%.9g",
                                   c      ? ","
                                   : part ? ", by std "
                                          : ", minus mean ",
                                   part ? image_std(o, c) : o->mean[c]);
    }
}

/* Refuses options that do not suit the tensor of a picture. */
static bool check_suits(const image_options *o, oc_type type, int channels, const char *where,
                        oc_error *e)
{
    const bool mean = o->n_mean > 1 && o->n_mean != channels;
    const bool std = o->n_std > 1 && o->n_std != channels;
    if (o->only_floats && !number_is_float(type))
        tool_fail(e, OC_ARGUMENT, "%s: --preset is for inputs of floats, this one is %s", where,
                  oc_type_name(type));
    else if (mean || std)
        tool_fail(e, OC_ARGUMENT,
                  "%s: --image-%s has %d numbers, expected 1 or one for each of %d %s", where,
                  mean ? "mean" : "std", mean ? o->n_mean : o->n_std, channels,
                  channels == 1 ? "channel" : "channels");
    return e->code == OC_OK;
}

/* Describes how samples became elements. */
static void describe(const char *where, const image *m, oc_type type, const image_view *v,
                     const image_options *o, const mapping *p, char *text)
{
    char normal[180] = "", scale[48] = "sample", size[IMAGE_NOTE];
    const int divisor = image_divisor(type, m->white);
    bool plain = true;
    for (int c = 0; c < v->channels; c++)
        plain = plain && o->mean[c] == 0 && image_std(o, c) == 1;
    if (o->scale != 0)
        snprintf(scale, sizeof scale, "sample * %.6g", o->scale);
    else if (divisor != 1)
        snprintf(scale, sizeof scale, "sample / %d", divisor);
    if (!plain)
        describe_normal(o, v->channels, normal, sizeof normal);
    if (m->note[0])
        snprintf(size, sizeof size, "%s", m->note);
    else
        snprintf(size, sizeof size, "%d x %d", m->width, m->height);
    snprintf(text, IMAGE_TEXT, "%s: %s, %d-bit -> %s, element = %s%s%s", where, size,
             m->white == 255 ? 8 : 16, oc_type_name(type), scale, normal, p->note);
    const size_t n = strlen(text);
    snprintf(text + n, IMAGE_TEXT - n, ", %s %s", v->channels_last ? "NHWC" : "NCHW",
             image_order_names[p->order]);
}

static bool is_last(const oc_port *port, const image_options *o)
{
    return o->layout == IMAGE_NHWC ||
           (o->layout == IMAGE_AUTO && image_looks_channels_last(port->rank, port->dim));
}

/* Finds the width and height that an input declares; -1: any. */
static void declared_size(const oc_port *port, bool last, int64_t *width, int64_t *height)
{
    const int end = port->rank - (port->rank > 2 && last);
    *width = port->rank < 2 ? -1 : port->dim[end - 1];
    *height = port->rank < 2 ? -1 : port->dim[end - 2];
}

/* Refuses a picture whose size is not the one that the input declares. */
static bool check_size(const image *m, const oc_port *port, bool last, const image_options *o,
                       const char *where, oc_error *e)
{
    int64_t w, h;
    char width[24] = "any", height[24] = "any";
    declared_size(port, last, &w, &h);
    if (o->sizing.how != IMAGE_AS_IT_IS || ((w < 0 || w == m->width) && (h < 0 || h == m->height)))
        return true;
    if (w >= 0)
        snprintf(width, sizeof width, "%" PRId64, w);
    if (h >= 0)
        snprintf(height, sizeof height, "%" PRId64, h);
    const char *size = w < 0 || h < 0 ? ", with :WxH," : "";
    tool_fail(e, OC_SHAPE,
              "%s: %d x %d, and input '%s' takes %s x %s; --image-resize stretch, fit or crop%s "
              "makes it fit",
              where, m->width, m->height, port->name, width, height, size);
    return false;
}

/* An input that declares its height alone takes a picture of that height and of its own
 * proportions, as one that reads lines of text does; or one that declares its width alone. */
static image_sizing size_by_side(image_sizing s, const image *m, int64_t width, int64_t height)
{
    const double by_height = (double)height * m->width / m->height;
    const double by_width = (double)width * m->height / m->width;
    const double exact = floor((height >= 1 ? by_height : by_width) + 0.5);
    const int side = exact < 1 ? 1 : exact > LIMIT_SIDE ? LIMIT_SIDE : (int)exact;
    s.how = IMAGE_STRETCH;
    s.multiple = 0;
    s.height = height >= 1 ? (int)oc_min(height, (int64_t)LIMIT_SIDE) : side;
    s.width = height >= 1 ? side : (int)oc_min(width, (int64_t)LIMIT_SIDE);
    return s;
}

image_sizing image_sizing_of(const image_options *o, const oc_port *port, const image *m,
                             const char *where, oc_error *e)
{
    int64_t w, h;
    image_sizing s = o->sizing;
    declared_size(port, is_last(port, o), &w, &h);
    if (e->code == OC_OK && s.how != IMAGE_AS_IT_IS && s.how != IMAGE_SHORT && !s.width &&
        (w >= 1) != (h >= 1))
        return size_by_side(s, m, w, h);
    const bool declared = w >= 1 && h >= 1, needs_size = s.how != IMAGE_SHORT || !s.shorter;
    if (s.how == IMAGE_AS_IT_IS || (s.if_declared && !declared)) {
        s.how = IMAGE_AS_IT_IS;
        return s;
    }
    if (!s.width && declared) {
        s.width = w > INT_MAX ? INT_MAX : (int)w;
        s.height = h > INT_MAX ? INT_MAX : (int)h;
    } else if (!s.width && needs_size) {
        tool_fail(e, OC_ARGUMENT,
                  "%s: input '%s' declares no height and width, expected a size, as in "
                  "--image-resize %s:640x480",
                  where, port->name, image_resize_names[s.how]);
    }
    if (w >= 1 || h >= 1)
        s.multiple = 0;
    if (s.how == IMAGE_SHORT && !s.shorter)
        s.shorter = (int)floor(oc_max(s.width, s.height) / s.kept + 0.5);
    return s;
}

oc_value *image_to_tensor(const image *m, const oc_port *port, const image_options *o,
                          const char *where, char text[IMAGE_TEXT], oc_error *e)
{
    const oc_type type = port->type == OC_UNDEFINED ? OC_F32 : port->type;
    const int rank = port->rank < 0 ? 4 : port->rank;
    if (e->code != OC_OK)
        return NULL;
    if (rank < 2 || rank > 4 || !number_is_float_or_integer(type)) {
        tool_fail(e, OC_ARGUMENT,
                  "%s: input '%s' is %s of rank %d, expected numbers of rank 2 to 4 for a picture",
                  where, port->name, oc_type_name(type), rank);
        return NULL;
    }
    const bool last = is_last(port, o);
    const int64_t declared = rank == 2        ? 1
                             : port->rank < 0 ? -1
                                              : port->dim[last ? rank - 1 : rank - 3];
    const mapping p = choose_order(m, declared, o);
    const image_view v = image_view_of(order_channels(p.order), m->height, m->width, last);
    if (rank == 2 && v.channels != 1) {
        tool_fail(e, OC_ARGUMENT, "%s: input '%s' has no axis for %d channels", where, port->name,
                  v.channels);
        return NULL;
    }
    if (!check_size(m, port, last, o, where, e) || !check_suits(o, type, v.channels, where, e))
        return NULL;
    int64_t dim[4] = {1, v.channels, v.height, v.width};
    if (last) {
        const int64_t nhwc[4] = {1, v.height, v.width, v.channels};
        memcpy(dim, nhwc, sizeof dim);
    }
    oc_value *t = data_tensor(type, rank, rank == 2 && last ? dim + 1 : dim + 4 - rank, where, e);
    if (!t)
        return NULL;
    image_fill(t, m, &v, p.order, o);
    if (signals_cancelled(NULL)) {
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
        oc_value_free(t);
        return NULL;
    }
    describe(where, m, type, &v, o, &p, text);
    return t;
}
