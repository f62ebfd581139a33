/* SPDX-License-Identifier: Apache-2.0
 * metadata_config.c - what Hugging Face's config.json and preprocessor_config.json tell, and the
 * config.json of timm. */
#include "metadata/metadata.h"

#include <math.h>

enum { MOST = 1 << 20 }; /* greatest number that is taken for a size */

static bool contains(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static const char *text_at(const json_value *root, const char *key)
{
    return json_text_of(json_get(root, key));
}

static int size_at(const json_value *root, const char *key)
{
    return json_int_of(json_get(root, key), 1, MOST, 0);
}

/* ---- config.json ---- */

/* Are all names those that stand for none, LABEL_0, LABEL_1 ...? */
static bool are_placeholders(const json_value *names)
{
    char text[32];
    for (const json_value *i = names->first; i; i = i->next) {
        snprintf(text, sizeof text, "LABEL_%.20s", i->key ? i->key : "");
        if (!json_text_of(i) || strcmp(json_text_of(i), text) != 0)
            return false;
    }
    return true;
}

static void take_names(metadata *m, const json_value *names, const char *where, const char *key,
                       oc_error *e)
{
    if (names && !m->from[METADATA_NAMES] && !are_placeholders(names) &&
        metadata_take_names(&m->names, names, where, e))
        metadata_note(m, METADATA_NAMES, where, key);
}

/* Takes numbers of three channels, or one number for all. Returns false when there is none. */
static bool take_three(const json_value *v, double three[3])
{
    for (int c = 0; c < 3; c++)
        three[c] =
            json_number_of(v && v->kind == JSON_ARRAY ? json_item(v, v->n == 1 ? 0 : c) : v, NAN);
    return isfinite(three[0]) && isfinite(three[1]) && isfinite(three[2]);
}

static void note_normalize(metadata *m, const double mean[3], const double std[3],
                           const char *where, const char *key)
{
    if (std[0] == 0 || std[1] == 0 || std[2] == 0 ||
        !metadata_note(m, METADATA_NORMALIZE, where, key))
        return;
    memcpy(m->mean, mean, sizeof m->mean);
    memcpy(m->std, std, sizeof m->std);
}

/* timm: the short side becomes size / crop_pct, and the middle is cut out; crop_mode "squash"
 * stretches instead. */
static void take_timm_size(metadata *m, const json_value *c, const char *where)
{
    const int height = json_int_of(json_item(json_get(c, "input_size"), 1), 1, MOST, 0);
    const int width = json_int_of(json_item(json_get(c, "input_size"), 2), 1, MOST, 0);
    const double part = json_number_of(json_get(c, "crop_pct"), 1);
    const char *mode = text_at(c, "crop_mode");
    const bool squash = mode && strcmp(mode, "squash") == 0;
    if (!height || !width || !(part > 0.01 && part <= 1))
        return;
    if (metadata_note(m, METADATA_RESIZE, where, "pretrained_cfg.input_size")) {
        m->resize = squash || height != width ? METADATA_STRETCH : METADATA_SIDES;
        m->height = (int)floor(height / part);
        m->width = (int)floor(width / part);
        m->short_side = m->resize == METADATA_SIDES ? m->height : 0;
    }
    if (metadata_note(m, METADATA_CROP, where, "pretrained_cfg.crop_pct")) {
        m->crop_height = height;
        m->crop_width = width;
    }
}

static void take_timm(metadata *m, const json_value *c, const char *where, oc_error *e)
{
    const char *filter = text_at(c, "interpolation");
    double mean[3], std[3];
    const bool has_mean = take_three(json_get(c, "mean"), mean);
    const bool has_std = take_three(json_get(c, "std"), std);
    if (metadata_note(m, METADATA_MAKER, where, "pretrained_cfg"))
        m->maker = METADATA_TIMM;
    take_names(m, json_get(c, "label_names"), where, "pretrained_cfg.label_names", e);
    take_timm_size(m, c, where);
    if (filter && (strcmp(filter, "bicubic") == 0 || strcmp(filter, "bilinear") == 0) &&
        metadata_note(m, METADATA_FILTER, where, "pretrained_cfg.interpolation"))
        m->filter = strcmp(filter, "bicubic") == 0 ? "pil:bicubic" : "pil:bilinear";
    if (has_mean && has_std) {
        note_normalize(m, mean, std, where, "pretrained_cfg.mean");
        if (metadata_note(m, METADATA_SCALE, where, "pretrained_cfg"))
            m->scale = 1.0 / 255;
        if (metadata_note(m, METADATA_ORDER, where, "pretrained_cfg"))
            m->bgr = false;
    }
}

void metadata_take_config(metadata *m, const json_value *root, const char *where, oc_error *e)
{
    const json_value *timm = json_get(root, "pretrained_cfg");
    const char *task = json_text_of(json_item(json_get(root, "architectures"), 0));
    const char *family_key = text_at(root, "model_type") ? "model_type" : "architecture";
    const char *family = text_at(root, family_key);
    if (timm)
        take_timm(m, timm, where, e);
    if (metadata_note(m, METADATA_MAKER, where, "architectures"))
        m->maker = METADATA_HUGGING_FACE;
    if (task && metadata_note(m, METADATA_TASK, where, "architectures"))
        m->task = tool_format("%s", task);
    if (family && metadata_note(m, METADATA_FAMILY, where, family_key))
        m->family = tool_format("%s", family);
    take_names(m, json_get(root, "id2label"), where, "id2label", e);
}

/* ---- preprocessor_config.json: size ---- */

/* What a picture is brought to, before it is noted. */
typedef struct sizes {
    metadata_resize resize;
    int height, width, short_side, long_side; /* all 0: not told */
    int crop_height, crop_width;              /* 0: none */
} sizes;

/* Takes {"height": 224, "width": 224}, or one number for both. Returns false for anything else. */
static bool take_square(const json_value *v, int *height, int *width)
{
    *height = v && v->kind == JSON_NUMBER ? json_int_of(v, 1, MOST, 0) : size_at(v, "height");
    *width = v && v->kind == JSON_NUMBER ? *height : size_at(v, "width");
    return *height && *width;
}

/* Takes `size`, which is one number in old files: the short side where the picture is cut
 * afterwards or has a greatest size, else both sides. */
static sizes take_size(const json_value *root)
{
    const json_value *size = json_get(root, "size");
    const int one = json_int_of(size, 1, MOST, 0), most = size_at(root, "max_size");
    const bool cut = json_bool_of(json_get(root, "do_center_crop"), false);
    sizes s = {.resize = METADATA_STRETCH,
               .short_side = size_at(size, "shortest_edge"),
               .long_side = size_at(size, "longest_edge")};
    if (one && (cut || most)) {
        s.short_side = one;
        s.long_side = most;
    }
    if (s.short_side) {
        s.resize = METADATA_SIDES;
    } else if (s.long_side) {
        s.resize = METADATA_INSIDE;
        s.height = s.width = s.long_side;
        s.long_side = 0;
    } else if (size_at(size, "max_height") && size_at(size, "max_width")) {
        s.resize = METADATA_INSIDE;
        s.height = size_at(size, "max_height");
        s.width = size_at(size, "max_width");
    } else if (take_square(size, &s.height, &s.width) &&
               json_bool_of(json_get(root, "keep_aspect_ratio"), false)) {
        s.resize = METADATA_NEARER;
    }
    if (cut && !take_square(json_get(root, "crop_size"), &s.crop_height, &s.crop_width))
        s.crop_height = s.crop_width = 0;
    return s;
}

/* ConvNext cuts 224 / 256 out of pictures below 384 pixels, unless crop_pct says another part, and
 * stretches those of 384 and more; LeViT enlarges the short side by 256 / 224 before it cuts. */
static void apply_type(sizes *s, const json_value *root, const char *type)
{
    const double part = json_number_of(json_get(root, "crop_pct"), 224.0 / 256);
    const int side = s->short_side ? s->short_side : s->height;
    if (contains(type, "ConvNext") && side && part > 0.01 && part <= 1) {
        s->resize = side < 384 ? METADATA_SIDES : METADATA_STRETCH;
        s->short_side = side < 384 ? (int)(side / part) : 0;
        s->height = s->width = side < 384 ? 0 : side;
        s->crop_height = s->crop_width = side < 384 ? side : 0;
    } else if (contains(type, "Levit") && s->short_side) {
        s->short_side = (int)(256.0 / 224 * s->short_side);
    }
}

static void note_sizes(metadata *m, const json_value *root, const char *where, const char *type)
{
    sizes s = take_size(root);
    apply_type(&s, root, type);
    if (json_bool_of(json_get(root, "do_resize"), true) && (s.height || s.short_side) &&
        metadata_note(m, METADATA_RESIZE, where, "size")) {
        m->resize = s.resize;
        m->height = s.height;
        m->width = s.width;
        m->short_side = s.short_side;
        m->long_side = s.long_side;
        m->multiple = json_int_of(json_get(root, "ensure_multiple_of"), 1, MOST, 1);
    }
    if (s.crop_height && metadata_note(m, METADATA_CROP, where, "crop_size")) {
        m->crop_height = s.crop_height;
        m->crop_width = s.crop_width;
    }
}

/* ---- preprocessor_config.json: the rest ---- */

static void note_filter(metadata *m, const json_value *root, const char *where)
{
    /* by Pillow's numbers */
    static const char *const filters[] = {"pil:nearest", "pil:lanczos", "pil:bilinear",
                                          "pil:bicubic", "pil:box",     "pil:hamming"};
    const int filter = json_int_of(json_get(root, "resample"), 0, 5, -1);
    if (filter >= 0 && metadata_note(m, METADATA_FILTER, where, "resample"))
        m->filter = filters[filter];
}

/* Padding to pad_size, or to a multiple; it comes after normalisation, and its elements are 0. */
static void note_pad(metadata *m, const json_value *root, const char *where)
{
    static const char *const divisors[] = {"size_divisor", "pad_size_divisor"};
    const json_value *size = json_get(root, "pad_size");
    const bool wanted = json_bool_of(json_get(root, "do_pad"), false);
    int height, width, multiple = 0;
    for (int i = 0; i < 2; i++)
        multiple = multiple ? multiple : size_at(root, divisors[i]);
    const bool sized = size && size->kind == JSON_OBJECT && take_square(size, &height, &width);
    if (!wanted || (!sized && multiple < 2) ||
        !metadata_note(m, METADATA_PAD, where, sized ? "pad_size" : "size_divisor"))
        return;
    m->pad_height = sized ? height : 0;
    m->pad_width = sized ? width : 0;
    m->pad_multiple = sized ? 1 : multiple;
    m->fill_zero = true;
}

/* Factor of samples, and mean and std. Files without do_rescale are of processors that rescale
 * whenever they normalise. rescale_offset takes 1 off after the factor. */
static void note_scale(metadata *m, const json_value *root, const char *where)
{
    const bool rescale = json_bool_of(json_get(root, "do_rescale"), true);
    const bool normalize = json_bool_of(json_get(root, "do_normalize"), false);
    const double factor = json_number_of(json_get(root, "rescale_factor"), 1.0 / 255);
    const double offset = json_bool_of(json_get(root, "rescale_offset"), false) && rescale;
    double mean[3], std[3];
    const bool has_mean = take_three(json_get(root, "image_mean"), mean);
    const bool has_std = take_three(json_get(root, "image_std"), std);
    if ((json_get(root, "do_rescale") || normalize) && isfinite(factor) && factor > 0 &&
        metadata_note(m, METADATA_SCALE, where, "rescale_factor"))
        m->scale = rescale ? factor : 1;
    if (!json_get(root, "do_normalize") || (normalize && !(has_mean && has_std)))
        return;
    for (int c = 0; c < 3; c++) {
        mean[c] = (normalize ? mean[c] : 0) + offset;
        std[c] = normalize ? std[c] : 1;
    }
    note_normalize(m, mean, std, where, normalize ? "image_mean" : "do_normalize");
}

void metadata_take_preprocessor(metadata *m, const json_value *root, const char *where)
{
    const char *type = text_at(root, "image_processor_type");
    const json_value *flip = json_get(root, "do_flip_channel_order");
    type = type ? type : text_at(root, "feature_extractor_type");
    if (metadata_note(m, METADATA_MAKER, where, "image_processor_type"))
        m->maker = METADATA_HUGGING_FACE;
    note_sizes(m, root, where, type);
    note_filter(m, root, where);
    note_pad(m, root, where);
    note_scale(m, root, where);
    if (metadata_note(m, METADATA_ORDER, where, flip ? "do_flip_channel_order" : "image_mean"))
        m->bgr = json_bool_of(flip, false);
}
