/* SPDX-License-Identifier: Apache-2.0
 * image.h - pictures: PNG and JPEG files, and what their pixels are as a tensor. */
#ifndef TOOLS_FILES_IMAGE_H
#define TOOLS_FILES_IMAGE_H

#include "files/io.h"

enum { IMAGE_CHANNELS = 4 };

/* Rows from the top, pixels from the left, channels of a pixel side by side: gray, gray and alpha,
 * red green blue, or these and alpha. */
typedef struct image {
    int width, height, channels;
    int white; /* 255 or 65535 */
    uint16_t *sample;
} image;

/* Reads a PNG or JPEG; its first bytes decide. cap: the most bytes of samples. */
void image_read(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                oc_error *e);
void image_write_png(const image *m, io_file *out, oc_error *e);
/* 8 bits, gray or colour, quality 1 to 100. */
void image_write_jpeg(const image *m, int quality, io_file *out, oc_error *e);
void image_free(image *m);

/* The parts of image_read and the writers; m's size is set before its samples are. */
void image_alloc(image *m, size_t cap, const char *where, oc_error *e);
void image_read_png(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
void image_read_jpeg(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e);

/* ---- pixels as a tensor ---- */

typedef enum image_layout { IMAGE_AUTO, IMAGE_NCHW, IMAGE_NHWC } image_layout;
typedef enum image_order { IMAGE_ANY, IMAGE_GRAY, IMAGE_RGB, IMAGE_BGR, IMAGE_RGBA } image_order;

extern const char *const image_layout_names[]; /* "auto", "nchw", "nhwc" */
extern const char *const image_order_names[];  /* "auto", "gray", "rgb", "bgr", "rgba" */

/* element = (sample * scale - mean[c]) / std[c], and back; c is the channel of the tensor. Zero is
 * every default: samples are divided by white for floats, by 257 from 16 to 8 bits, else by 1;
 * std is 1. */
typedef struct image_options {
    int layout, order;
    double scale;
    double mean[IMAGE_CHANNELS], std[IMAGE_CHANNELS];
} image_options;

enum { IMAGE_TEXT = 320 };

/* A tensor that fits the port as far as a picture can: its type (float when it has none), its rank
 * (4 when it has none), the channels it declares. text receives the exact conversion. */
oc_value *image_to_tensor(const image *m, const oc_port *port, const image_options *options,
                          const char *where, char text[IMAGE_TEXT], oc_error *e);

/* Can the tensor be one picture: 1xCxHxW, 1xHxWxC, CxHxW, HxWxC or HxW with 1, 3 or 4 channels? */
bool image_is_like(const oc_value *v, const image_options *options);
/* Samples are rounded to nearest even and clamped to 0..255; NaN is 0. */
void image_from_tensor(image *m, const oc_value *v, const image_options *options, const char *where,
                       char text[IMAGE_TEXT], oc_error *e);

#endif
