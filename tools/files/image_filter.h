/* SPDX-License-Identifier: Apache-2.0
 * image_filter.h - the filters with which pictures are resized: the operator Resize's, and those of
 * other libraries for 8-bit samples, to the bit. */
#pragma once

#include "common/tool.h"

/* A picture that is resized: rows from the top, the channels of a pixel are adjacent. Both sizes
 * are within the bounds of limits.h, and the memory of `to` is there. */
typedef struct image_scaling {
    const uint8_t *from;
    int from_width, from_height;
    uint8_t *to;
    int to_width, to_height;
    int channels; /* 1 to 4 */
    const char *where;
} image_scaling;

/* The number of channels, which the compiler knows to be small: no vectors for loops over them. */
static inline int image_few_channels(const image_scaling *s)
{
    return s->channels < 4 ? s->channels : 4;
}

static inline const uint8_t *image_row_from(const image_scaling *s, int y)
{
    return s->from + (size_t)y * (size_t)s->from_width * (size_t)s->channels;
}

static inline uint8_t *image_row_to(const image_scaling *s, int y)
{
    return s->to + (size_t)y * (size_t)s->to_width * (size_t)s->channels;
}

/* Returns x, |x| < 2^22, rounded to the nearest byte, ties to even. */
static inline uint8_t image_byte_of(float x)
{
    static const float whole = 12582912; /* 1.5 * 2^23: a sum with it has no bits after the point */
    const float rounded = (x + whole) - whole;
    return (uint8_t)(rounded < 0 ? 0 : rounded > 255 ? 255 : rounded);
}

/* Has the filter to end, because *e holds an error, or SIGINT came, which becomes one? To be asked
 * at each row. */
bool image_scaling_ends(const image_scaling *s, oc_error *e);

/* Fills s->to. OC_LIMIT without memory for tables and the rows between two passes; OC_CANCELLED
 * after SIGINT. */
typedef void image_filter_run(const image_scaling *s, int variant, oc_error *e);

/* Pillow's: a filter is as wide as the picture shrinks; first across, then down, in 22 bits after
 * the point; the bytes between the passes are rounded. */
typedef enum pil_filter {
    PIL_NEAREST,
    PIL_BOX,
    PIL_BILINEAR,
    PIL_HAMMING,
    PIL_BICUBIC,
    PIL_LANCZOS
} pil_filter;
image_filter_run image_scale_pil;

/* OpenCV's: always two or four taps, in 11 bits after the point, but for area. */
typedef enum cv2_filter { CV2_NEAREST, CV2_LINEAR, CV2_AREA, CV2_CUBIC } cv2_filter;
image_filter_run image_scale_cv2;

/* torchvision's for tensors of bytes: PyTorch's interpolation of floats, then rounded to even. */
typedef enum torch_filter {
    TORCH_NEAREST,
    TORCH_BILINEAR,
    TORCH_BICUBIC,
    TORCH_BILINEAR_ANTIALIAS,
    TORCH_BICUBIC_ANTIALIAS
} torch_filter;
image_filter_run image_scale_torch;

/* X(kind, name, function, variant): the function is NULL for the operator Resize, which takes
 * samples of any depth. AUTO is what a preset or the command chooses. */
#define IMAGE_FILTERS(X)                                                                           \
    X(AUTO, "auto", NULL, 0)                                                                       \
    X(ONNX_LINEAR, "onnx:linear", NULL, 0)                                                         \
    X(PIL_NEAREST, "pil:nearest", image_scale_pil, PIL_NEAREST)                                    \
    X(PIL_BOX, "pil:box", image_scale_pil, PIL_BOX)                                                \
    X(PIL_BILINEAR, "pil:bilinear", image_scale_pil, PIL_BILINEAR)                                 \
    X(PIL_HAMMING, "pil:hamming", image_scale_pil, PIL_HAMMING)                                    \
    X(PIL_BICUBIC, "pil:bicubic", image_scale_pil, PIL_BICUBIC)                                    \
    X(PIL_LANCZOS, "pil:lanczos", image_scale_pil, PIL_LANCZOS)                                    \
    X(CV2_NEAREST, "cv2:nearest", image_scale_cv2, CV2_NEAREST)                                    \
    X(CV2_LINEAR, "cv2:linear", image_scale_cv2, CV2_LINEAR)                                       \
    X(CV2_AREA, "cv2:area", image_scale_cv2, CV2_AREA)                                             \
    X(CV2_CUBIC, "cv2:cubic", image_scale_cv2, CV2_CUBIC)                                          \
    X(TORCH_NEAREST, "torchvision:nearest", image_scale_torch, TORCH_NEAREST)                      \
    X(TORCH_BILINEAR, "torchvision:bilinear", image_scale_torch, TORCH_BILINEAR)                   \
    X(TORCH_BICUBIC, "torchvision:bicubic", image_scale_torch, TORCH_BICUBIC)                      \
    X(TORCH_BILINEAR_ANTIALIAS, "torchvision:bilinear:antialias", image_scale_torch,               \
      TORCH_BILINEAR_ANTIALIAS)                                                                    \
    X(TORCH_BICUBIC_ANTIALIAS, "torchvision:bicubic:antialias", image_scale_torch,                 \
      TORCH_BICUBIC_ANTIALIAS)

typedef enum image_filter_kind {
#define X(kind, name, function, variant) IMAGE_FILTER_##kind,
    IMAGE_FILTERS(X)
#undef X
        IMAGE_FILTER_KINDS
} image_filter_kind;

typedef struct image_filter {
    image_filter_run *run;
    int variant;
} image_filter;

/* Both are indexed by an image_filter_kind; NULL ends the names. */
extern const image_filter image_filters[];
extern const char *const image_filter_names[];

/* Returns the name of a filter, of AUTO that of the operator. */
const char *image_filter_told(int filter);
/* Is it one of OpenCV's filters? */
bool image_filter_is_cv2(int filter);
