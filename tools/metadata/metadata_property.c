/* SPDX-License-Identifier: Apache-2.0
 * metadata_property.c - what metadata properties of a model tell: those of Ultralytics and YOLOv5,
 * of RapidOCR, and those that ONNX itself has for pictures. */
#include "metadata/metadata.h"

#include "common/limits.h"

enum { MOST = 1 << 20 }; /* greatest number that is taken for a size */

/* A property whose text is a literal of Python or JSON. */
typedef struct property {
    metadata *m;
    const char *key;
    const json_value *value;
    oc_error *e;
} property;

/* ---- Ultralytics ---- */

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static void take_names(property *p)
{
    static const char where[] = "metadata property 'names'";
    if (p->m->from[METADATA_NAMES])
        return;
    if (metadata_take_names(&p->m->names, p->value, where, p->e))
        metadata_note(p->m, METADATA_NAMES, NULL, p->key);
    else
        tool_fail(p->e, OC_FORMAT, "%s: expected a list, or a name for each number", where);
}

/* Takes "[640, 480]", which is height and width, or "640". */
static void take_size(property *p)
{
    const json_value *v = p->value;
    const int height = json_int_of(v->kind == JSON_ARRAY ? json_item(v, 0) : v, 1, MOST, 0);
    const int width =
        v->kind == JSON_ARRAY ? json_int_of(json_item(v, v->n - 1), 1, MOST, 0) : height;
    if (height && width && metadata_note(p->m, METADATA_SIZE, NULL, p->key)) {
        p->m->input_height = height;
        p->m->input_width = width;
    }
}

static void take_points(property *p)
{
    const int n = json_int_of(json_item(p->value, 0), 1, MOST, 0);
    const int size = json_int_of(json_item(p->value, 1), 2, 3, 3);
    if (n && metadata_note(p->m, METADATA_POINTS, NULL, p->key)) {
        p->m->n_points = n;
        p->m->point_size = size;
    }
}

/* Takes {0: ['nose', 'left eye']}: the names for the first class. */
static void take_point_names(property *p)
{
    const json_value *v = p->value->kind == JSON_OBJECT ? p->value->first : NULL;
    if (!p->m->from[METADATA_POINT_NAMES] &&
        metadata_take_names(&p->m->point_names, v, "metadata property 'kpt_names'", p->e))
        metadata_note(p->m, METADATA_POINT_NAMES, NULL, p->key);
}

static void take_count(property *p, metadata_fact fact, int *field)
{
    const int n = json_int_of(p->value, 1, MOST, 0);
    if (n && metadata_note(p->m, fact, NULL, p->key))
        *field = n;
}

static void take_stride(property *p)
{
    take_count(p, METADATA_STRIDE, &p->m->stride);
}

static void take_batch(property *p)
{
    take_count(p, METADATA_BATCH, &p->m->batch);
}

static void take_channels(property *p)
{
    take_count(p, METADATA_CHANNELS, &p->m->channels);
}

static void take_args(property *p)
{
    const json_value *nms = json_get(p->value, "nms");
    if (nms && metadata_note(p->m, METADATA_NMS, NULL, p->key))
        p->m->nms = json_bool_of(nms, false);
}

static void take_end2end(property *p)
{
    if (p->value->kind == JSON_BOOL && metadata_note(p->m, METADATA_END2END, NULL, p->key))
        p->m->end2end = json_bool_of(p->value, false);
}

/* Properties that are literals. required: one that is no literal is worth a remark. */
static const struct {
    const char *key;
    void (*take)(property *p);
    bool required;
} literals[] = {
    {"names", take_names, true},
    {"classes", take_names, false},
    {"class_names", take_names, false},
    {"labels", take_names, false},
    {"imgsz", take_size, true},
    {"kpt_shape", take_points, true},
    {"kpt_names", take_point_names, true},
    {"stride", take_stride, true},
    {"batch", take_batch, false},
    {"channels", take_channels, false},
    {"args", take_args, false},
    {"end2end", take_end2end, false},
};

static void take_literal(metadata *m, const char *key, const char *text, oc_error *e)
{
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
        json_tree t;
        oc_error wrong = {0};
        char where[64];
        if (!is(literals[i].key, key))
            continue;
        snprintf(where, sizeof where, "metadata property '%s'", key);
        json_read(&t, text, strlen(text), JSON_PYTHON, where, &wrong);
        property p = {m, key, t.root, &wrong};
        if (t.root)
            literals[i].take(&p);
        if (literals[i].required || wrong.code != OC_FORMAT)
            metadata_pass(m, &wrong, e);
        json_tree_free(&t);
    }
}

/* "Ultralytics YOLOv8n model trained on coco.yaml" tells the family. */
static void take_description(metadata *m, const char *text)
{
    static const char beginning[] = "Ultralytics ";
    if (!begins_with(text, beginning))
        return;
    const char *word = text + sizeof beginning - 1;
    const int size = (int)strcspn(word, " ");
    if (size && metadata_note(m, METADATA_FAMILY, NULL, "description"))
        m->family = tool_format("%.*s", size, word);
}

/* How Ultralytics prepares pictures: letterboxed in the middle; for RT-DETR stretched; for
 * classification by the short side, and cut, where the input is a square. */
static void add_ultralytics_picture(metadata *m)
{
    const int height = m->input_height, width = m->input_width;
    const bool classify = is(m->task, "classify"), by_side = classify && height == width;
    const bool stretch = m->family && begins_with(m->family, "rtdetr");
    if (metadata_note(m, METADATA_RESIZE, NULL, "task")) {
        m->resize = by_side               ? METADATA_SIDES
                    : stretch || classify ? METADATA_STRETCH
                                          : METADATA_INSIDE;
        m->height = height;
        m->width = width;
        m->short_side = by_side ? height : 0;
    }
    if (metadata_note(m, METADATA_FILTER, NULL, "task"))
        m->filter = classify ? "pil:bilinear" : "cv2:linear";
    if (by_side && metadata_note(m, METADATA_CROP, NULL, "task")) {
        m->crop_height = height;
        m->crop_width = width;
    }
    if (!classify && !stretch && metadata_note(m, METADATA_PAD, NULL, "task")) {
        m->pad_height = height;
        m->pad_width = width;
        m->pad_centred = true;
        m->fill = 114;
    }
    if (metadata_note(m, METADATA_SCALE, NULL, "task"))
        m->scale = 1.0 / 255;
    if (metadata_note(m, METADATA_NORMALIZE, NULL, "task"))
        m->std[0] = m->std[1] = m->std[2] = 1;
    if (metadata_note(m, METADATA_ORDER, NULL, "task"))
        m->bgr = false;
}

/* ---- others ---- */

/* RapidOCR's list of characters, one on each line. */
static void take_characters(metadata *m, const char *text)
{
    if (!metadata_note(m, METADATA_CHARACTERS, NULL, "character"))
        return;
    for (const char *end; *text; text = *end ? end + 1 : end) {
        metadata_names *to = &m->characters;
        end = text + strcspn(text, "\n");
        int size = (int)(end - text);
        size -= size && text[size - 1] == '\r';
        if (to->n == LIMIT_NAMES) {
            metadata_remark(m, "metadata property 'character': only %d lines are read", to->n);
            break;
        }
        metadata_add_name(to, text, (size_t)size);
    }
    if (metadata_note(m, METADATA_MAKER, NULL, "character"))
        m->maker = METADATA_PADDLE;
}

/* ONNX's own properties of pictures. */
static void take_image(metadata *m, const char *key, const char *value)
{
    const bool is_signed = is(value, "Normalized_1_1");
    if (is(key, "Image.BitmapPixelFormat")) {
        const bool is_bgr = begins_with(value, "Bgr"), is_rgb = begins_with(value, "Rgb");
        if ((is_bgr || is_rgb) && metadata_note(m, METADATA_ORDER, NULL, key))
            m->bgr = is_bgr;
        if (is(value, "Gray8") && metadata_note(m, METADATA_CHANNELS, NULL, key))
            m->channels = 1;
    } else if (is(value, "NominalRange_0_255") || is(value, "Normalized_0_1") || is_signed) {
        if (metadata_note(m, METADATA_SCALE, NULL, key))
            m->scale = is_signed ? 2.0 / 255 : is(value, "Normalized_0_1") ? 1.0 / 255 : 1;
        if (metadata_note(m, METADATA_NORMALIZE, NULL, key))
            for (int c = 0; c < 3; c++) {
                m->mean[c] = is_signed;
                m->std[c] = 1;
            }
    }
}

/* ---- all ---- */

void metadata_take_property(metadata *m, const char *key, const char *value, oc_error *e)
{
    if (is(key, "author") && is(value, "Ultralytics")) {
        if (metadata_note(m, METADATA_MAKER, NULL, key))
            m->maker = METADATA_ULTRALYTICS;
    } else if (is(key, "description")) {
        take_description(m, value);
    } else if (is(key, "task")) {
        if (metadata_note(m, METADATA_TASK, NULL, key))
            m->task = tool_format("%s", value);
    } else if (is(key, "character")) {
        take_characters(m, value);
    } else if (is(key, "Image.BitmapPixelFormat") || is(key, "Image.NominalPixelRange")) {
        take_image(m, key, value);
    } else {
        take_literal(m, key, value, e);
    }
}

void metadata_end_properties(metadata *m)
{
    const char *const from = m->from[METADATA_TASK];
    const bool by_property = from && is(from, "its property 'task'");
    if (m->stride && m->names.n && !m->task && metadata_note(m, METADATA_MAKER, NULL, "stride")) {
        m->maker = METADATA_ULTRALYTICS;
        if (metadata_note(m, METADATA_FAMILY, NULL, "stride"))
            m->family = tool_format("YOLOv5");
    }
    if (m->maker == METADATA_ULTRALYTICS && by_property)
        add_ultralytics_picture(m);
}
