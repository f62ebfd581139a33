/* SPDX-License-Identifier: Apache-2.0
 * recipe.c - finds out how a network is given photographs. */
#include "predict/recipe.h"

#include "common/number.h"
#include "files/image_filter.h"

/* The height and the width that inputs are given which leave both open, if nobody tells them. */
enum { OPEN_SIDE = 640, OPEN_MULTIPLE = 32 };

/* Both of a classifier's input. */
enum { CLASSES_SIDE = 224 };

/* How families of networks size a photograph for an input that leaves both sides open: the most
 * that its shorter and its longer side have (0: any number), and what both are filled up to be
 * multiples of. */
static const struct open_size {
    const char *preset;
    int shorter, longer, multiple;
    bool no_enlarge;
} open_sizes[] = {
    {"detr", 800, 1333, 1, false},
    {"ocr", 0, 960, 32, true},
};

/* ---- what the exporter tells ---- */

static int find_filter(const metadata *m)
{
    const int found = m->from[METADATA_FILTER] ? args_choice(image_filter_names, m->filter) : -1;
    return found < 0 ? IMAGE_FILTER_AUTO : found;
}

static void take_sizing(const metadata *m, image_sizing *s)
{
    *s = (image_sizing){.filter = find_filter(m), .width = m->width, .height = m->height};
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
        if (s->how == IMAGE_CORNER)
            s->multiple = m->from[METADATA_PAD] && m->pad_multiple > 1 ? m->pad_multiple : 1;
        break;
    case METADATA_NEARER:
        s->how = IMAGE_FIT;
        s->multiple = m->multiple;
        break;
    }
    const double plain = m->fill_zero && m->scale > 0 ? m->mean[1] / m->scale : m->fill;
    s->fill = plain > 0 && plain < 255.5 ? (int)(plain + 0.5) : 0; /* elements of 0, or nearly so */
    s->no_enlarge = m->no_enlarging && (s->how == IMAGE_FIT || s->how == IMAGE_CORNER);
}

/* Whole numbers scale samples by their type: the scale is for floats. */
static void take_numbers(const metadata *m, oc_type type, image_options *o)
{
    const bool floats = type == OC_UNDEFINED || number_is_float(type);
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

/* Bounds of both sides do not count for an input that declares its size. */
static void take_declared(image_sizing *s)
{
    if (s->how == IMAGE_CORNER && s->shorter)
        s->width = s->height = s->shorter = s->multiple = 0;
}

/* Returns NULL for the other presets. */
static const struct open_size *open_size_of(int preset)
{
    for (size_t i = 0; i < sizeof open_sizes / sizeof *open_sizes; i++)
        if (strcmp(image_preset_names[preset], open_sizes[i].preset) == 0)
            return &open_sizes[i];
    return NULL;
}

/* An input that leaves both sides open gets the exporter's size, or the usual one. */
static void close_sizing(const metadata *m, int preset, image_sizing *s)
{
    const struct open_size *of_family = s->how == IMAGE_STRETCH ? open_size_of(preset) : NULL;
    if (s->how == IMAGE_AS_IT_IS || s->shorter || s->width)
        return;
    if (s->how == IMAGE_SHORT) {
        s->width = m->from[METADATA_SIZE] ? m->input_width : CLASSES_SIDE;
        s->height = m->from[METADATA_SIZE] ? m->input_height : CLASSES_SIDE;
        s->if_declared = false;
        return;
    }
    if (of_family && !m->from[METADATA_SIZE]) {
        s->how = IMAGE_CORNER;
        s->width = s->height = of_family->longer;
        s->shorter = of_family->shorter;
        s->multiple = of_family->multiple;
        s->no_enlarge = of_family->no_enlarge;
        s->if_declared = false;
        return;
    }
    s->width = m->from[METADATA_SIZE] ? m->input_width : OPEN_SIDE;
    s->height = m->from[METADATA_SIZE] ? m->input_height : OPEN_SIDE;
    s->multiple = m->from[METADATA_STRIDE] ? m->stride : OPEN_MULTIPLE;
    s->if_declared = false;
}

/* Means and deviations that nobody asked for go with no other numbers, and go with floats, and with
 * as many channels as they are for. Returns whether they stay. */
static bool keep_numbers(const image_args *given, const outline *o, oc_type type,
                         image_options *suggested)
{
    const bool fits = !suggested->only_floats || type == OC_UNDEFINED || number_is_float(type);
    const bool keeps = !given->scale && !given->mean && !given->std && fits &&
                       (suggested->n_mean < 2 || o->channels < 0 || o->channels == 3);
    if (!keeps) {
        for (int c = 0; c < IMAGE_CHANNELS; c++)
            suggested->mean[c] = suggested->std[c] = 0;
        suggested->n_mean = suggested->n_std = 0;
        suggested->only_floats = false;
    }
    return keeps;
}

/* What is prepared where no option but --preset is given. */
static image_options recipe_before_options(int preset, const metadata *m,
                                           const image_options *suggested, oc_type type)
{
    const bool told = m->from[METADATA_RESIZE];
    image_options picture = preset ? image_args_preset(preset) : *suggested;
    const bool numbers_alone = picture.sizing.how == IMAGE_AS_IT_IS;
    if (numbers_alone)
        picture.sizing = suggested->sizing;
    if (told && (numbers_alone || !preset))
        take_sizing(m, &picture.sizing);
    if (told && !preset)
        take_numbers(m, type, &picture);
    return picture;
}

image_options recipe_of(const image_args *given, const metadata *m, const decoder *d,
                        const outline *o, oc_type type, char why[RECIPE_WHY], oc_error *e)
{
    const int preset = given->preset ? given->preset : recipe_preset(d);
    const bool is_saved = m->from[METADATA_PICTURE] && !given->preset;
    image_options suggested = image_args_preset(recipe_preset(d));
    const bool with_numbers = keep_numbers(given, o, type, &suggested);
    image_options picture =
        is_saved ? m->picture : recipe_before_options(given->preset, m, &suggested, type);
    if (o->height < 0 && o->width < 0 && !given->resize)
        close_sizing(m, preset, &picture.sizing);
    if (o->height > 0 && o->width > 0)
        take_declared(&picture.sizing);
    const metadata_fact by = is_saved ? METADATA_PICTURE : METADATA_RESIZE;
    if (given->preset)
        snprintf(why, RECIPE_WHY, "are prepared as --preset %s does", image_preset_names[preset]);
    else if (m->from[by])
        snprintf(why, RECIPE_WHY, "are prepared as %s tells", m->from[by]);
    else
        snprintf(
            why, RECIPE_WHY,
            "are %s as --preset %s does, which the decoder suggests and the model does not tell",
            with_numbers ? "prepared" : "resized", d->preset);
    image_args_override(given, &picture, e);
    picture.bytes = true; /* networks that see photographs were trained on bytes */
    return picture;
}

int recipe_preset(const decoder *d)
{
    return args_choice(image_preset_names, d->preset);
}
