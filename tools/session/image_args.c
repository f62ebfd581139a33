/* SPDX-License-Identifier: Apache-2.0
 * image_args.c - reads the options that tell how a picture becomes a tensor. */
#include "session/image_args.h"

#include "base/int.h"
#include "common/limits.h"

#include <errno.h>
#include <math.h>

/* clang-format off */
/* How networks were given pictures. X(name, order, scale, n, mean, std, ...): the order of the
 * channels (ANY: as the input declares); the factor of samples, 0: that of the input's type; n means
 * and deviations (3 are those of red, green and blue); then fields of the sizing, for inputs
 * that declare a height and a width. With n 0 integers are taken too. */
#define PRESETS(X)                                                                                 \
    X("none", ANY, 0, 0, (0), (0), .how = IMAGE_AS_IT_IS)                                            \
    X("imagenet", ANY, 0, 3, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225),                         \
      .how = IMAGE_SHORT, .filter = IMAGE_FILTER_PIL_BILINEAR, .kept = 0.875)                      \
    X("clip", ANY, 0, 3, (0.48145466, 0.4578275, 0.40821073),                                      \
      (0.26862954, 0.26130258, 0.27577711),                                                        \
      .how = IMAGE_SHORT, .filter = IMAGE_FILTER_PIL_BICUBIC, .kept = 1)                           \
    X("[0,1]", ANY, 0, 1, (0), (1), .how = IMAGE_AS_IT_IS)                                         \
    X("[-1,1]", ANY, 0, 1, (0.5), (0.5), .how = IMAGE_AS_IT_IS)                                    \
    X("stretch", ANY, 0, 0, (0), (0), .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_PIL_BILINEAR)     \
    X("bytes", ANY, 1, 0, (0), (0), .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_CV2_LINEAR)         \
    X("imagenet-stretch", ANY, 0, 3, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225),                 \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_PIL_BILINEAR)                                   \
    X("detr", ANY, 0, 3, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225),                             \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_PIL_BILINEAR)                                   \
    X("mmdet", ANY, 1, 3, (123.675, 116.28, 103.53), (58.395, 57.12, 57.375),                      \
      .how = IMAGE_CORNER, .filter = IMAGE_FILTER_CV2_LINEAR, .fill = 114)                         \
    X("yolo", ANY, 0, 0, (0), (0),                                                                   \
      .how = IMAGE_FIT, .filter = IMAGE_FILTER_CV2_LINEAR, .fill = 114)                            \
    X("yolox", BGR, 1, 0, (0), (0),                                                                  \
      .how = IMAGE_CORNER, .filter = IMAGE_FILTER_CV2_LINEAR, .fill = 114)                         \
    X("nanodet", BGR, 1, 3, (123.675, 116.28, 103.53), (58.395, 57.12, 57.375),                    \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_CV2_LINEAR)                                     \
    X("nanodet-fit", BGR, 1, 3, (123.675, 116.28, 103.53), (58.395, 57.12, 57.375),                \
      .how = IMAGE_FIT, .filter = IMAGE_FILTER_CV2_LINEAR)                                         \
    X("ultraface", RGB, 1, 1, (127), (128),                                                        \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_CV2_LINEAR)                                     \
    X("retinaface", BGR, 1, 3, (123, 117, 104), (1, 1, 1),                                         \
      .how = IMAGE_CORNER, .filter = IMAGE_FILTER_CV2_LINEAR)                                      \
    X("scrfd", RGB, 1, 1, (127.5), (128),                                                          \
      .how = IMAGE_CORNER, .filter = IMAGE_FILTER_CV2_LINEAR)                                      \
    X("yunet", BGR, 1, 0, (0), (0), .how = IMAGE_CORNER, .filter = IMAGE_FILTER_CV2_LINEAR)          \
    X("mediapipe", RGB, 0, 0, (0), (0), .how = IMAGE_FIT, .filter = IMAGE_FILTER_CV2_LINEAR)         \
    X("blazeface", RGB, 0, 1, (0.5), (0.5),                                                        \
      .how = IMAGE_FIT, .filter = IMAGE_FILTER_CV2_LINEAR)                                         \
    X("movenet", RGB, 1, 0, (0), (0), .how = IMAGE_FIT, .filter = IMAGE_FILTER_CV2_LINEAR)           \
    X("ocr", BGR, 0, 3, (0.406, 0.456, 0.485), (0.225, 0.224, 0.229),                              \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_CV2_LINEAR)                                     \
    X("ocr-line", BGR, 0, 1, (0.5), (0.5),                                                         \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_CV2_LINEAR)                                     \
    X("lprnet", BGR, 1, 1, (127.5), (128),                                                         \
      .how = IMAGE_STRETCH, .filter = IMAGE_FILTER_CV2_LINEAR)

#define NUMBERS(...) __VA_ARGS__
#define X(name, order, scale, n, mean, std, ...) name,
const char *const image_preset_names[] = {PRESETS(X) NULL};
#undef X

static const struct {
    int order, n;
    double scale, mean[3], std[3];
    image_sizing sizing;
} presets[] = {
#define X(name, order, scale, n, mean, std, ...)                                                   \
    {IMAGE_##order, n, scale, {NUMBERS mean}, {NUMBERS std}, {__VA_ARGS__}},
    PRESETS(X)
#undef X
};
/* clang-format on */

static void set_channels(double out[IMAGE_CHANNELS], const double *given, int n)
{
    for (int c = 0; c < IMAGE_CHANNELS; c++)
        out[c] = n == 1 ? given[0] : c < n ? given[c] : 0;
}

/* Means and deviations are in the order of the channels, which may be blue, green, red. */
static void set_preset(image_options *o, int preset)
{
    const int n = presets[preset].n;
    double mean[3] = {0}, std[3] = {0};
    o->order = presets[preset].order;
    o->scale = presets[preset].scale;
    for (int c = 0; c < n; c++) {
        const int from = n == 3 && o->order == IMAGE_BGR ? 2 - c : c;
        mean[c] = presets[preset].mean[from];
        std[c] = presets[preset].std[from];
    }
    set_channels(o->mean, mean, n);
    set_channels(o->std, std, n);
    o->n_mean = o->n_std = n;
    o->only_floats = n > 0;
    o->bytes = presets[preset].sizing.how != IMAGE_AS_IT_IS;
    o->sizing = presets[preset].sizing;
    o->sizing.if_declared = true;
}

static void swap(double *a, double *b)
{
    const double was = *a;
    *a = *b;
    *b = was;
}

/* Each channel keeps its mean and its deviation. */
static void set_order(image_options *o, int order)
{
    if ((o->order == IMAGE_BGR) != (order == IMAGE_BGR) && o->n_mean == 3)
        swap(&o->mean[0], &o->mean[2]);
    if ((o->order == IMAGE_BGR) != (order == IMAGE_BGR) && o->n_std == 3)
        swap(&o->std[0], &o->std[2]);
    o->order = order;
}

/* Reads the numbers in "0.485,0.456,0.406". Returns how many there are, 0 if they are malformed. */
static int read_numbers(const char *text, double out[IMAGE_CHANNELS])
{
    int n = 0;
    for (const char *at = text; n < IMAGE_CHANNELS; at++) {
        char *end;
        out[n++] = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(out[n - 1]))
            return 0;
        if (!*end)
            return n;
        at = end;
    }
    return 0;
}

/* Sets out and *n unless text is NULL. No picture has two channels. */
static void read_channels(const char *text, const char *option, double out[IMAGE_CHANNELS], int *n,
                          oc_error *e)
{
    double given[IMAGE_CHANNELS];
    const int count = text ? read_numbers(text, given) : 0;
    if (text && (count == 0 || count == 2))
        tool_fail(e, OC_ARGUMENT, "%s is '%s', expected 1, 3 or 4 numbers with commas", option,
                  text);
    if (count == 0 || e->code != OC_OK)
        return;
    *n = count;
    set_channels(out, given, count);
}

static void refuse_zero(const image_options *o, const char *text, const char *option, oc_error *e)
{
    for (int c = 0; text && c < oc_max(o->n_std, 1); c++)
        if (o->std[c] == 0)
            tool_fail(e, OC_ARGUMENT, "%s is '%s', expected no 0, which divides", option, text);
}

static void read_scale(const char *text, const char *option, double *scale, oc_error *e)
{
    double given[IMAGE_CHANNELS];
    if (!text)
        return;
    if (read_numbers(text, given) != 1 || given[0] == 0)
        tool_fail(e, OC_ARGUMENT, "%s is '%s', expected one number that is not 0", option, text);
    else
        *scale = given[0];
}

/* Returns a whole number from 1 to LIMIT_SIDE, and what is after it; 0 when there is none. */
static int read_side(const char *text, const char **after)
{
    char *end;
    const long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    if (n < 1 || n > LIMIT_SIDE)
        return 0;
    *after = end;
    return (int)n;
}

/* Reads "640x480" into width and height. Returns whether that is all of the text. */
static bool read_size(const char *text, image_sizing *s)
{
    const char *at = text;
    s->width = read_side(at, &at);
    return s->width && *at++ == 'x' && (s->height = read_side(at, &at)) != 0 && !*at;
}

/* Reads "fit", "fit:640x480", "short:256" or "short:256:224x224". The filter and what is around the
 * picture stay as they are. */
static void read_resize(const char *text, image_sizing *s, oc_error *e)
{
    if (!text)
        return;
    const size_t size = strcspn(text, ":");
    const char *at = text + size;
    int how = -1;
    for (int k = 0; image_resize_names[k]; k++)
        if (strlen(image_resize_names[k]) == size && memcmp(image_resize_names[k], text, size) == 0)
            how = k;
    *s = (image_sizing){.filter = s->filter, .fill = s->fill, .kept = s->kept};
    bool good = how >= 0 && (*at == 0 || how != IMAGE_AS_IT_IS);
    if (how == IMAGE_SHORT)
        good = *at == ':' && (s->shorter = read_side(at + 1, &at)) != 0;
    if (good && *at)
        good = *at == ':' && read_size(at + 1, s);
    s->how = how;
    s->if_declared = false;
    if (!good)
        tool_fail(e, OC_ARGUMENT,
                  "--image-resize is '%s', expected stretch, fit, corner or crop, or with a size, "
                  "as in fit:640x480; short:N or short:N:WxH; or no",
                  text);
}

static void read_fill(const char *text, image_sizing *s, oc_error *e)
{
    if (!text)
        return;
    char *end;
    const long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    if (n < 0 || n > 255 || *end)
        tool_fail(e, OC_ARGUMENT, "--image-fill is '%s', expected a whole number, 0 to 255", text);
    else
        s->fill = (int)n;
}

/* Reads all options of resizing. Each goes before what is told already. */
static void read_sizing(const image_args *a, image_sizing *s, oc_error *e)
{
    read_resize(a->resize, s, e);
    read_fill(a->fill, s, e);
    const bool fits = s->how == IMAGE_FIT || s->how == IMAGE_CORNER,
               is_short = s->how == IMAGE_SHORT;
    s->no_enlarge = s->no_enlarge || a->no_enlarge;
    if (a->multiple)
        s->multiple = (int)oc_min(a->multiple, (int64_t)LIMIT_SIDE);
    s->filter = a->filter ? a->filter : s->filter;
    if (a->fill && !fits && !is_short)
        tool_fail(e, OC_ARGUMENT, "--image-fill goes with --image-resize fit, corner or short");
    if (a->no_enlarge && !fits)
        tool_fail(e, OC_ARGUMENT, "--image-no-enlarge goes with --image-resize fit or corner");
    if (a->multiple && !fits && !(is_short && !s->width))
        tool_fail(e, OC_ARGUMENT,
                  "--image-multiple goes with --image-resize fit, corner, or short:N without WxH");
    if (a->filter && s->how == IMAGE_AS_IT_IS)
        tool_fail(e, OC_ARGUMENT,
                  "--resize %s goes with --image-resize, as in --image-resize fit, or with a "
                  "--preset that resizes",
                  image_filter_names[a->filter]);
}

/* Returns where ":scale=", ":mean=" or ":std=" first begins; NULL when there is none. *size is
 * its length. */
static const char *find_part(const char *text, int *part, size_t *size)
{
    static const char *const parts[] = {":scale=", ":mean=", ":std="};
    const char *first = NULL;
    for (int i = 0; i < 3; i++) {
        const char *at = strstr(text, parts[i]);
        if (at && (!first || at < first)) {
            first = at;
            *part = i;
            *size = strlen(parts[i]);
        }
    }
    return first;
}

image_target image_target_of(const char *text, oc_error *e)
{
    int part = 0, next_part = 0;
    size_t size = 0, next_size = 0;
    const char *at = find_part(text, &part, &size);
    const size_t n = at ? (size_t)(at - text) : strlen(text);
    image_target t = {tool_format("%.*s", (int)n, text), text + n, .given = at != NULL};
    while (at) {
        const char *value = at + size, *next = find_part(value, &next_part, &next_size);
        char *own =
            tool_format("%.*s", (int)(next ? (size_t)(next - value) : strlen(value)), value);
        if (part == 0)
            read_scale(own, ":scale=", &t.scaled.scale, e);
        else if (part == 1)
            read_channels(own, ":mean=", t.scaled.mean, &t.scaled.n_mean, e);
        else
            read_channels(own, ":std=", t.scaled.std, &t.scaled.n_std, e);
        if (part == 2)
            refuse_zero(&t.scaled, own, ":std=", e);
        free(own);
        at = next;
        part = next_part;
        size = next_size;
    }
    return t;
}

bool image_args_given(const image_args *a)
{
    return a->layout || a->order || a->preset || a->mean || a->std || a->scale || a->resize ||
           a->fill || a->filter || a->multiple || a->no_enlarge;
}

image_options image_args_preset(int preset)
{
    image_options o = {0};
    set_preset(&o, preset);
    return o;
}

void image_args_override(const image_args *a, image_options *o, oc_error *e)
{
    if (a->layout)
        o->layout = a->layout;
    if (a->order)
        set_order(o, a->order);
    read_scale(a->scale, "--image-scale", &o->scale, e);
    read_channels(a->mean, "--image-mean", o->mean, &o->n_mean, e);
    read_channels(a->std, "--image-std", o->std, &o->n_std, e);
    refuse_zero(o, a->std, "--image-std", e);
    read_sizing(a, &o->sizing, e);
    /* a library's filter, and a factor that a preset tells, are for samples of 8 bits */
    if (a->filter)
        o->bytes = image_filters[a->filter].run || (o->bytes && o->scale != 0);
}

image_options image_args_options(const image_args *a, oc_error *e)
{
    image_options o = image_args_preset(a->preset);
    image_args_override(a, &o, e);
    return o;
}
