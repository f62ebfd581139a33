/* SPDX-License-Identifier: Apache-2.0
 * metadata_pipeline.c - what MMDeploy's deploy.json, detail.json and pipeline.json tell: the task,
 * and the steps by which a photograph becomes the network's input. */
#include "metadata/metadata.h"

#include <math.h>

enum { MOST = 1 << 20 }; /* greatest number that is taken for a size */

static const char *text_at(const json_value *root, const char *key)
{
    return json_text_of(json_get(root, key));
}

static void take_maker(metadata *m, const char *where, const char *key)
{
    if (metadata_note(m, METADATA_MAKER, where, key))
        m->maker = METADATA_MMDEPLOY;
}

void metadata_take_deploy(metadata *m, const json_value *root, const char *where)
{
    const json_value *models = json_get(root, "models");
    const char *family = text_at(json_item(models, 0), "name");
    take_maker(m, where, "models");
    if (family && metadata_note(m, METADATA_FAMILY, where, "models"))
        m->family = tool_format("%s", family);
}

void metadata_take_detail(metadata *m, const json_value *root, const char *where)
{
    const char *task = text_at(json_get(root, "codebase"), "task");
    take_maker(m, where, "codebase");
    if (task && metadata_note(m, METADATA_TASK, where, "codebase"))
        m->task = tool_format("%s", task);
}

/* ---- steps ---- */

/* The steps of one pipeline, which is noted as a whole. */
typedef struct steps {
    metadata *m;
    const char *where;
    bool normalized; /* true: what is filled from now on is 0 in the network's input */
} steps;

/* Takes one number, or two: width and height, as OpenMMLab's files have them. -1 as the
 * second one stands for no bound, and becomes 0. */
static bool take_size(const json_value *v, int *width, int *height)
{
    const bool is_list = v && v->kind == JSON_ARRAY;
    *width = json_int_of(is_list ? json_item(v, 0) : v, 1, MOST, 0);
    *height = is_list && v->n > 1 ? json_int_of(json_item(v, 1), -1, MOST, 0) : *width;
    *height = *height < 0 ? 0 : *height;
    return *width > 0;
}

static void take_filter(steps *s, const json_value *step)
{
    static const char *const names[] = {"nearest", "bilinear", "bicubic", "area", "lanczos"};
    static const char *const filters[] = {"cv2:nearest", "cv2:linear", "cv2:cubic", "cv2:area",
                                          "cv2:lanczos"};
    const char *name = text_at(step, "interpolation");
    for (int i = 0; i < 5; i++)
        if (strcmp(name ? name : "bilinear", names[i]) == 0 &&
            metadata_note(s->m, METADATA_FILTER, s->where, "Resize"))
            s->m->filter = filters[i];
}

/* "keep_ratio": the greater number bounds the long side and the other one the short side,
 * whichever way the photograph lies. */
static void take_resize(steps *s, const json_value *step)
{
    int width, height;
    metadata *m = s->m;
    const bool keep = json_bool_of(json_get(step, "keep_ratio"), false);
    if (!take_size(json_get(step, "size"), &width, &height) ||
        !metadata_note(m, METADATA_RESIZE, s->where, "Resize"))
        return;
    m->resize = keep || !height ? METADATA_SIDES : METADATA_STRETCH;
    if (m->resize == METADATA_STRETCH) {
        m->height = height;
        m->width = width;
    } else {
        m->short_side = height && height < width ? height : width;
        m->long_side = !height ? 0 : height > width ? height : width;
    }
    take_filter(s, step);
}

static double fill_of(const json_value *step)
{
    const json_value *fill = json_get(step, "pad_val");
    fill = fill && fill->kind == JSON_OBJECT ? json_get(fill, "img") : fill;
    const double x =
        json_number_of(fill && fill->kind == JSON_ARRAY ? json_item(fill, 0) : fill, 0);
    return x >= 0 && x <= 255 ? x : 0;
}

/* A photograph within a square that is padded to that square is one INSIDE it. */
static void join_resize(metadata *m)
{
    if (m->resize == METADATA_SIDES && m->short_side == m->long_side &&
        m->pad_height == m->long_side && m->pad_width == m->long_side) {
        m->resize = METADATA_INSIDE;
        m->height = m->width = m->long_side;
        m->short_side = m->long_side = 0;
    }
}

static void take_pad(steps *s, const json_value *step)
{
    int width = 0, height = 0;
    metadata *m = s->m;
    const int multiple = json_int_of(json_get(step, "size_divisor"), 1, MOST, 1);
    const bool sized = take_size(json_get(step, "size"), &width, &height) && height;
    if (json_bool_of(json_get(step, "pad_to_square"), false))
        metadata_remark(m, "%s: pad_to_square is left out", s->where);
    if (!sized && multiple == 1)
        return;
    if (!metadata_note(m, METADATA_PAD, s->where, "Pad")) {
        /* a second padding, behind one to a size */
        m->pad_multiple = m->pad_multiple < 2 ? multiple : m->pad_multiple;
        return;
    }
    m->pad_height = sized ? height : 0;
    m->pad_width = sized ? width : 0;
    m->pad_multiple = multiple;
    m->fill = s->normalized ? 0 : fill_of(step);
    m->fill_zero = s->normalized;
    join_resize(m);
}

/* LetterResize: as large as it can be, in the middle of the rest. */
static void take_letter(steps *s, const json_value *step)
{
    int width, height;
    metadata *m = s->m;
    const bool stretch = json_bool_of(json_get(step, "stretch_only"), false);
    const bool least = json_bool_of(json_get(step, "use_mini_pad"), false);
    if (!take_size(json_get(step, "scale"), &width, &height) || !height ||
        !metadata_note(m, METADATA_RESIZE, s->where, "LetterResize"))
        return;
    m->resize = stretch ? METADATA_STRETCH : METADATA_INSIDE;
    m->height = height;
    m->width = width;
    m->no_enlarging = !json_bool_of(json_get(step, "allow_scale_up"), true);
    take_filter(s, step);
    if (!stretch && metadata_note(m, METADATA_PAD, s->where, "LetterResize")) {
        m->pad_height = least ? 0 : height;
        m->pad_width = least ? 0 : width;
        m->pad_multiple = least ? 32 : 1;
        m->pad_centred = true;
        m->fill = fill_of(step);
    }
}

static void take_crop(steps *s, const json_value *step)
{
    int width, height;
    if (!take_size(json_get(step, "crop_size"), &width, &height) || !height ||
        !metadata_note(s->m, METADATA_CROP, s->where, "CenterCrop"))
        return;
    s->m->crop_width = width;
    s->m->crop_height = height;
}

static void take_normalize(steps *s, const json_value *step)
{
    metadata *m = s->m;
    double mean[3], std[3];
    for (int c = 0; c < 3; c++) {
        const json_value *means = json_get(step, "mean"), *stds = json_get(step, "std");
        mean[c] = json_number_of(json_item(means, means && means->n == 1 ? 0 : c), NAN);
        std[c] = json_number_of(json_item(stds, stds && stds->n == 1 ? 0 : c), NAN);
        if (!isfinite(mean[c]) || !isfinite(std[c]) || std[c] == 0)
            return;
    }
    s->normalized = true;
    if (metadata_note(m, METADATA_SCALE, s->where, "Normalize"))
        m->scale = 1;
    if (metadata_note(m, METADATA_NORMALIZE, s->where, "Normalize")) {
        memcpy(m->mean, mean, sizeof mean);
        memcpy(m->std, std, sizeof std);
    }
    if (metadata_note(m, METADATA_ORDER, s->where, "Normalize"))
        m->bgr = !json_bool_of(json_get(step, "to_rgb"), true);
}

/* Steps that change no pixel. */
static bool is_plain(const char *type)
{
    static const char *const plain[] = {
        "LoadImageFromFile", "DefaultFormatBundle", "ImageToTensor", "Collect", "Lift", NULL};
    for (int i = 0; plain[i]; i++)
        if (strcmp(type, plain[i]) == 0)
            return true;
    return strncmp(type, "Pack", 4) == 0;
}

static void take_step(steps *s, const json_value *step)
{
    static const struct {
        const char *type;
        void (*take)(steps *s, const json_value *step);
    } known[] = {
        {"Resize", take_resize},       {"Pad", take_pad},
        {"LetterResize", take_letter}, {"CenterCrop", take_crop},
        {"Normalize", take_normalize},
    };
    const char *type = text_at(step, "type");
    for (size_t i = 0; type && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].type, type) == 0) {
            known[i].take(s, step);
            return;
        }
    if (type && !is_plain(type))
        metadata_remark(s->m, "%s: step '%.60s' is left out", s->where, type);
}

void metadata_take_pipeline(metadata *m, const json_value *root, const char *where)
{
    const json_value *tasks = json_get(json_get(root, "pipeline"), "tasks");
    take_maker(m, where, "pipeline");
    for (const json_value *t = tasks ? tasks->first : NULL; t; t = t->next) {
        const json_value *transforms = json_get(t, "transforms");
        const char *component = text_at(t, "component");
        steps s = {m, where, false};
        for (const json_value *i = transforms ? transforms->first : NULL; i; i = i->next)
            take_step(&s, i);
        if (component && metadata_note(m, METADATA_COMPONENT, where, "component"))
            m->component = tool_format("%s", component);
    }
}
