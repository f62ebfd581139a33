/* SPDX-License-Identifier: Apache-2.0
 * metadata_kept.c - metadata properties of a network that was saved with its decoder: which one it
 * is, the names of labels and points, and how photographs become tensors. */
#include "metadata/metadata.h"

#include "common/args.h"
#include "common/limits.h"
#include "files/image_filter.h"

#include <math.h>

static const char key_decoder[] = "ocellus.decoder", key_names[] = "ocellus.names",
                  key_points[] = "ocellus.points", key_picture[] = "ocellus.picture";

/* ---- written ---- */

/* Appends a property whose value is any text, as a text of ONNX's. */
static void put_property(text_build *to, const char *key, const char *value)
{
    text_put(to, ", \"%s\": \"", key);
    for (; *value; value++)
        text_put(to, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    text_put(to, "\"");
}

/* Names by number, as JSON; those that nobody tells are left out. */
static void put_names(text_build *to, const char *key, const metadata_names *names)
{
    text_build list = {0};
    int n = 0;
    for (int i = 0; i < names->n; i++) {
        if (!names->name[i])
            continue;
        text_put(&list, "%s\"%d\": ", n++ ? ", " : "{", i);
        text_json(&list, names->name[i]);
    }
    text_put(&list, "}");
    if (n)
        put_property(to, key, text_string(&list));
    text_free(&list);
}

enum { REAL, WHOLE, SWITCH }; /* double, int, bool */
/* The numbers of a picture's options. Behind the names of the layout, the
 * channels, the resizing and the filter they are told in this order. */
#define AT(field) offsetof(image_options, field)
static const struct {
    unsigned short at : 14, type : 2;
} numbers[] = {
    {AT(scale), REAL},
    {AT(n_mean), WHOLE},
    {AT(mean[0]), REAL},
    {AT(mean[1]), REAL},
    {AT(mean[2]), REAL},
    {AT(mean[3]), REAL},
    {AT(n_std), WHOLE},
    {AT(std[0]), REAL},
    {AT(std[1]), REAL},
    {AT(std[2]), REAL},
    {AT(std[3]), REAL},
    {AT(only_floats), SWITCH},
    {AT(sizing.width), WHOLE},
    {AT(sizing.height), WHOLE},
    {AT(sizing.if_declared), SWITCH},
    {AT(sizing.shorter), WHOLE},
    {AT(sizing.kept), REAL},
    {AT(sizing.multiple), WHOLE},
    {AT(sizing.no_enlarge), SWITCH},
    {AT(sizing.fill), WHOLE},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers, WORDS = 4, WORD = 32 };

static void put_picture(text_build *to, const image_options *o)
{
    text_put(to, ", \"%s\": \"%s %s %s %s", key_picture, image_layout_names[o->layout],
             image_order_names[o->order], image_resize_names[o->sizing.how],
             image_filter_names[o->sizing.filter]);
    for (int i = 0; i < NUMBERS; i++) {
        const char *at = (const char *)o + numbers[i].at;
        const double x = numbers[i].type == REAL    ? *(const double *)(const void *)at
                         : numbers[i].type == WHOLE ? *(const int *)(const void *)at
                                                    : *(const bool *)at;
        text_put(to, " %.17g", x);
    }
    text_put(to, "\"");
}

void metadata_put_saved(const metadata *m, const char *decoder, const image_options *picture,
                        text_build *to)
{
    const bool has_names = m->from[METADATA_NAMES];
    text_put(to, "metadata_props: [\"%s\": \"%s\"", key_decoder, decoder);
    put_names(to, key_names, has_names ? &m->names : &m->characters);
    put_names(to, key_points, &m->point_names);
    put_picture(to, picture);
    text_put(to, "]");
}

/* ---- read ---- */

/* Takes the numbers behind the words; false: one is missing, or beyond its bounds. */
static bool take_numbers(const char *text, image_options *o)
{
    for (int i = 0; i < NUMBERS; i++) {
        char *at = (char *)o + numbers[i].at, *end;
        const double x = strtod(text, &end);
        const bool is_whole = x >= 0 && x <= LIMIT_SIDE;
        if (end == text || !isfinite(x) || (numbers[i].type != REAL && !is_whole))
            return false;
        if (numbers[i].type == REAL)
            *(double *)(void *)at = x;
        else if (numbers[i].type == WHOLE)
            *(int *)(void *)at = (int)x;
        else
            *(bool *)at = x != 0;
        text = end;
    }
    return true;
}

/* Do the numbers have a meaning together, as those of options have? */
static bool is_sound(const image_options *o)
{
    const image_sizing *s = &o->sizing;
    for (int c = 0; c < o->n_std && c < IMAGE_CHANNELS; c++)
        if (o->std[c] == 0)
            return false;
    const bool has_length = s->how != IMAGE_SHORT || s->shorter || s->kept > 0.01;
    return o->n_mean <= IMAGE_CHANNELS && o->n_std <= IMAGE_CHANNELS && s->fill < 256 &&
           s->kept >= 0 && s->kept <= 1 && !s->width == !s->height && has_length;
}

static bool take_picture(const char *text, image_options *o)
{
    image_sizing *s = &o->sizing;
    char word[WORDS][WORD];
    int end = 0;
    sscanf(text, "%31s %31s %31s %31s%n", word[0], word[1], word[2], word[3], &end);
    if (!end || !take_numbers(text + end, o))
        return false;
    o->layout = args_choice(image_layout_names, word[0]);
    o->order = args_choice(image_order_names, word[1]);
    s->how = args_choice(image_resize_names, word[2]);
    s->filter = args_choice(image_filter_names, word[3]);
    return (o->layout | o->order | s->how | s->filter) >= 0 && is_sound(o);
}

static void take_names(metadata *m, metadata_fact fact, metadata_names *names, const char *key,
                       const char *value, oc_error *e)
{
    json_tree t;
    json_read(&t, value, strlen(value), JSON_STRICT, key, e);
    if (!m->from[fact] && metadata_take_names(names, t.root, key, e))
        metadata_note(m, fact, NULL, key);
    json_tree_free(&t);
}

void metadata_take_saved(metadata *m, const char *key, const char *value, oc_error *e)
{
    oc_error wrong = {0};
    image_options picture = {0};
    if (strcmp(key, key_decoder) == 0 && metadata_note(m, METADATA_DECODER, NULL, key))
        m->decoder = tool_format("%s", value);
    else if (strcmp(key, key_names) == 0)
        take_names(m, METADATA_NAMES, &m->names, key, value, &wrong);
    else if (strcmp(key, key_points) == 0)
        take_names(m, METADATA_POINT_NAMES, &m->point_names, key, value, &wrong);
    else if (strcmp(key, key_picture) == 0 && !take_picture(value, &picture))
        metadata_remark(m, "'%s': expected what --save writes", key);
    else if (strcmp(key, key_picture) == 0 && metadata_note(m, METADATA_PICTURE, NULL, key))
        m->picture = picture;
    metadata_pass(m, &wrong, e);
}
