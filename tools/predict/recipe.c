/* SPDX-License-Identifier: Apache-2.0
 * recipe.c - finds out how a network is given photographs. */
#include "predict/recipe.h"

#include "base/int.h"
#include "files/image_filter.h"

/* The height and the width that inputs are given which leave both open, if nobody tells them. */
enum { OPEN_SIDE = 640, OPEN_MULTIPLE = 32 };

static int find_filter(const char *name)
{
    for (int i = 0; image_filter_names[i]; i++)
        if (strcmp(image_filter_names[i], name) == 0)
            return i;
    return IMAGE_FILTER_AUTO;
}

static bool is_open(const oc_port *port, const image_options *o)
{
    const bool last = o->layout == IMAGE_NHWC || (port->rank > 2 && port->dim[port->rank - 1] == 3);
    return port->rank >= 3 &&
           (port->dim[port->rank - 1 - last] < 0 && port->dim[port->rank - 2 - last] < 0);
}

/* ---- what the exporter tells ---- */

static void take_sizing(const metadata *m, image_sizing *s)
{
    *s = (image_sizing){.filter = m->from[METADATA_FILTER] ? find_filter(m->filter) : 0,
                        .width = m->width,
                        .height = m->height};
    switch (m->resize) {
    case METADATA_STRETCH:
        s->how = IMAGE_STRETCH;
        break;
    case METADATA_INSIDE:
        s->how = m->pad_centred ? IMAGE_FIT : IMAGE_CORNER;
        break;
    case METADATA_SIDES:
        s->how = m->from[METADATA_CROP] || !m->long_side ? IMAGE_SHORT : IMAGE_CORNER;
        s->shorter = m->short_side;
        s->width = s->how == IMAGE_SHORT ? m->crop_width : m->long_side;
        s->height = s->how == IMAGE_SHORT ? m->crop_height : m->long_side;
        break;
    case METADATA_NEARER:
        s->how = IMAGE_FIT;
        s->multiple = m->multiple;
        break;
    }
    s->fill = m->fill > 0 && m->fill < 256 ? (int)m->fill : 0;
    s->no_enlarge = m->no_enlarging && (s->how == IMAGE_FIT || s->how == IMAGE_CORNER);
}

/* Whole numbers scale samples by their type: the scale is for floats. */
static void take_numbers(const metadata *m, const oc_port *port, image_options *o)
{
    const bool floats = port->type == OC_F32 || port->type == OC_F16 || port->type == OC_BF16 ||
                        port->type == OC_F64 || port->type == OC_UNDEFINED;
    if (m->from[METADATA_ORDER] && m->bgr)
        o->order = IMAGE_BGR;
    if (m->from[METADATA_SCALE] && floats)
        o->scale = m->scale;
    for (int c = 0; c < 3 && m->from[METADATA_NORMALIZE] && floats; c++) {
        o->mean[c] = m->mean[c];
        o->std[c] = m->std[c];
        o->n_mean = o->n_std = 3;
    }
}

/* ---- both ---- */

/* How a photograph is brought to size if the command line does not tell. */
static image_sizing sizing_of(const metadata *m, const decoder *d, oc_error *e)
{
    const image_args suggested = {.preset = image_preset_find(d->preset)};
    image_options o = image_args_options(&suggested, e);
    if (m->from[METADATA_RESIZE])
        take_sizing(m, &o.sizing);
    return o.sizing;
}

image_options recipe_of(const image_args *given, const metadata *m, const decoder *d,
                        const oc_port *port, char why[RECIPE_WHY], oc_error *e)
{
    image_args a = *given;
    const bool told = m->from[METADATA_RESIZE] && !image_args_given(given);
    if (!given->preset)
        a.preset = image_preset_find(d->preset);
    image_options o = image_args_options(&a, e);
    snprintf(
        why, RECIPE_WHY,
        "are prepared as --preset %s does, which the decoder suggests and the model does not tell",
        d->preset);
    if (given->preset && o.sizing.how == IMAGE_AS_IT_IS && !given->resize)
        o.sizing = sizing_of(m, d, e); /* the preset tells numbers alone */
    if (told) {
        take_sizing(m, &o.sizing);
        take_numbers(m, port, &o);
        snprintf(why, RECIPE_WHY, "are prepared as %s tells", m->from[METADATA_RESIZE]);
    }
    if (is_open(port, &o) && o.sizing.how != IMAGE_AS_IT_IS && o.sizing.how != IMAGE_SHORT &&
        !o.sizing.width && !given->resize) {
        o.sizing.width = m->from[METADATA_SIZE] ? m->input_width : OPEN_SIDE;
        o.sizing.height = m->from[METADATA_SIZE] ? m->input_height : OPEN_SIDE;
        o.sizing.multiple = m->from[METADATA_STRIDE] ? m->stride : OPEN_MULTIPLE;
        o.sizing.if_declared = false;
    }
    return o;
}
