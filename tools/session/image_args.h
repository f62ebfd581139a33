/* SPDX-License-Identifier: Apache-2.0
 * image_args.h - the options of the command line about pictures. */
#pragma once

#include "common/args.h"
#include "files/image.h"
#include "files/image_filter.h"

/* As given. */
typedef struct image_args {
    int layout, order, preset, filter;
    const char *mean, *std, *scale, *resize, *fill;
    int64_t multiple;
    bool no_enlarge;
} image_args;

extern const char *const image_preset_names[]; /* "none", "imagenet", "clip", "[0,1]" ... */

/* clang-format off */
#define IMAGE_ARGS(a)                                                                              \
    {.name = "--image-layout", .kind = ARGS_CHOICE, .value = "nchw|nhwc", .out = &(a)->layout,     \
     .choices = image_layout_names, .help = "of pictures; by default as the model declares"},      \
    {.name = "--image-channels", .kind = ARGS_CHOICE, .value = "ORDER", .out = &(a)->order,        \
     .choices = image_order_names, .help = "gray, rgb, bgr or rgba"},                              \
    ARGS_VALUE("--image-resize", ARGS_TEXT, "HOW[:WxH]", &(a)->resize,                             \
               "stretch, fit, corner or crop pictures to the size the model declares,\n"           \
               "or WxH; short:N makes the short side N and then cuts out the middle;\n"            \
               "no leaves them as they are"),                                                      \
    {.name = "--resize", .kind = ARGS_CHOICE, .value = "FILTER", .out = &(a)->filter,              \
     .choices = image_filter_names,                                                                \
     .help = "as a library resizes: pil:bilinear, cv2:linear, torchvision:...,\n"                  \
             "or onnx:linear, which is taken otherwise:"},                                          \
    ARGS_VALUE("--image-fill", ARGS_TEXT, "N", &(a)->fill,                                         \
               "sample, 0 to 255, around a picture that fits; 0"),                                 \
    ARGS_SWITCH("--image-no-enlarge", &(a)->no_enlarge,                                            \
                "with fit or corner: a small picture keeps its size"),                             \
    ARGS_VALUE("--image-multiple", ARGS_INT, "N", &(a)->multiple,                                  \
               "where the model leaves the size open: sides are multiples of N"),                  \
    {.name = "--preset", .kind = ARGS_CHOICE, .value = "NAME", .out = &(a)->preset,                \
     .choices = image_preset_names,                                                                \
     .help = "mean and std: imagenet, clip, [0,1] or [-1,1], which the next three\n"               \
             "options replace. imagenet, clip and the others (yolo, detr ...) also\n"              \
             "tell the resizing, unless --image-resize does:"},                                     \
    ARGS_VALUE("--image-scale", ARGS_TEXT, "X", &(a)->scale,                                       \
               "factor of samples; 1/255 for floats, 1 for integers"),                             \
    ARGS_VALUE("--image-mean", ARGS_TEXT, "R,G,B", &(a)->mean,                                     \
               "taken off after scaling; one number, or one for each channel"),                    \
    ARGS_VALUE("--image-std", ARGS_TEXT, "R,G,B", &(a)->std, "divided by after that")
/* clang-format on */

/* How an output that becomes a picture is scaled. The end of its path says so:
 * "y.png:scale=1:mean=0,0,0". */
typedef struct image_target {
    char *path; /* without that end */
    const char *end;
    image_options scaled;
    bool given; /* true: the path has such an end */
} image_target;

/* Splits the text after "-o". OC_ARGUMENT when it is malformed. Free the path with free. */
image_target image_target_of(const char *text, oc_error *e);

/* Is any of these options given? */
bool image_args_given(const image_args *a);
/* What a preset tells: an index of image_preset_names. */
image_options image_args_preset(int preset);
/* Each option that is given goes before what *o tells; --preset is none of them. OC_ARGUMENT when
 * one is malformed, or does not go with the resizing that is then in force. */
void image_args_override(const image_args *a, image_options *o, oc_error *e);
/* Both: those of --preset, which the others override. */
image_options image_args_options(const image_args *a, oc_error *e);
