/* SPDX-License-Identifier: Apache-2.0
 * metadata_paddle.c - what PaddleDetection's infer_cfg.yml tells: the kind of network, the names of
 * classes, and the steps by which a photograph becomes the network's input. */
#include "metadata/metadata.h"

#include <math.h>

enum { MOST = 1 << 20 }; /* greatest number that is taken for a size */

/* ---- steps ---- */

/* Takes two numbers: height and width, or with turned width and height. */
static bool take_size(const json_value *v, bool turned, metadata *m)
{
    const int first = json_int_of(json_item(v, 0), 1, MOST, 0);
    const int second = json_int_of(json_item(v, 1), 1, MOST, 0);
    m->height = turned ? second : first;
    m->width = turned ? first : second;
    return first && second;
}

/* Numbers of OpenCV's filters. */
static void take_filter(metadata *m, const json_value *step, const char *where)
{
    static const char *const filters[] = {"cv2:nearest", "cv2:linear", "cv2:cubic", "cv2:area",
                                          "cv2:lanczos"};
    if (metadata_note(m, METADATA_FILTER, where, "interp"))
        m->filter = filters[json_int_of(json_get(step, "interp"), 0, 4, 1)];
}

static void take_resize(metadata *m, const json_value *step, const char *where)
{
    const bool keep = json_bool_of(json_get(step, "keep_ratio"), true);
    metadata size = {0};
    if (!take_size(json_get(step, "target_size"), false, &size) ||
        !metadata_note(m, METADATA_RESIZE, where, "Resize"))
        return;
    m->resize = keep ? METADATA_SIDES : METADATA_STRETCH;
    m->height = keep ? 0 : size.height;
    m->width = keep ? 0 : size.width;
    m->short_side = !keep ? 0 : size.height < size.width ? size.height : size.width;
    m->long_side = !keep ? 0 : size.height < size.width ? size.width : size.height;
    take_filter(m, step, where);
}

/* Steps that bring all of the photograph into the middle of a plain area. */
static void take_inside(metadata *m, const json_value *step, const char *where)
{
    const json_value *letter = json_get(step, "target_size");
    metadata size = {0};
    if (!take_size(letter ? letter : json_get(step, "trainsize"), !letter, &size) ||
        !metadata_note(m, METADATA_RESIZE, where, json_text_of(json_get(step, "type"))))
        return;
    m->resize = METADATA_INSIDE;
    m->height = size.height;
    m->width = size.width;
    take_filter(m, step, where);
    if (metadata_note(m, METADATA_PAD, where, "type")) {
        m->pad_centred = true;
        m->fill = letter ? 127.5 : 0;
    }
}

static void take_normalize(metadata *m, const json_value *step, const char *where)
{
    const char *norm = json_text_of(json_get(step, "norm_type"));
    const bool plain = norm && strcmp(norm, "none") == 0;
    double mean[3], std[3];
    for (int c = 0; c < 3; c++) {
        mean[c] = plain ? 0 : json_number_of(json_item(json_get(step, "mean"), c), NAN);
        std[c] = plain ? 1 : json_number_of(json_item(json_get(step, "std"), c), NAN);
        if (!isfinite(mean[c]) || !isfinite(std[c]) || std[c] == 0)
            return;
    }
    if (metadata_note(m, METADATA_SCALE, where, "is_scale"))
        m->scale = json_bool_of(json_get(step, "is_scale"), true) ? 1.0 / 255 : 1;
    if (metadata_note(m, METADATA_NORMALIZE, where, "NormalizeImage")) {
        memcpy(m->mean, mean, sizeof mean);
        memcpy(m->std, std, sizeof std);
    }
}

static void take_stride(metadata *m, const json_value *step, const char *where)
{
    const int stride = json_int_of(json_get(step, "stride"), 1, MOST, 1);
    if (stride > 1 && metadata_note(m, METADATA_PAD, where, "PadStride")) {
        m->pad_multiple = stride;
        m->fill_zero = true;
    }
}

static void take_nothing(OC_UNUSED metadata *m, OC_UNUSED const json_value *step,
                         OC_UNUSED const char *where)
{
}

static void take_step(metadata *m, const json_value *step, const char *where)
{
    static const struct {
        const char *type;
        void (*take)(metadata *m, const json_value *step, const char *where);
    } known[] = {{"Resize", take_resize},      {"LetterBoxResize", take_inside},
                 {"Permute", take_nothing},    {"NormalizeImage", take_normalize},
                 {"PadStride", take_stride},   {"TopDownEvalAffine", take_inside},
                 {"DecodeImage", take_nothing}};
    const char *type = json_text_of(json_get(step, "type"));
    for (size_t i = 0; type && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].type, type) == 0) {
            known[i].take(m, step, where);
            return;
        }
    if (type)
        metadata_remark(m, "%s: step '%.60s' is left out", where, type);
}

/* ---- all ---- */

void metadata_take_paddle(metadata *m, const json_value *root, const char *where, oc_error *e)
{
    const json_value *steps = json_get(root, "Preprocess");
    const json_value *names = json_get(root, "label_list");
    const char *arch = json_text_of(json_get(root, "arch"));
    if (metadata_note(m, METADATA_MAKER, where, "Preprocess"))
        m->maker = METADATA_PADDLE;
    if (arch && metadata_note(m, METADATA_TASK, where, "arch"))
        m->task = tool_format("%s", arch);
    for (const json_value *s = steps ? steps->first : NULL; s; s = s->next)
        take_step(m, s, where);
    if (!m->from[METADATA_NAMES] && metadata_take_names(&m->names, names, where, e))
        metadata_note(m, METADATA_NAMES, where, "label_list");
}
