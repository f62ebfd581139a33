/* SPDX-License-Identifier: Apache-2.0
 * image.h - reads and writes pictures, and converts them to tensors and back. */
#ifndef TOOLS_FILES_IMAGE_H
#define TOOLS_FILES_IMAGE_H

#include "files/io.h"

enum { IMAGE_CHANNELS = 4 };

/* A picture in memory. Rows go from the top, pixels from the left, and the channels of a pixel are
 * adjacent: gray; gray, alpha; red, green, blue; or red, green, blue, alpha. */
typedef struct image {
    int width, height, channels;
    int white; /* the greatest sample: 255 or 65535 */
    uint16_t *sample;
} image;

/* Reads a PNG, JPEG, WebP, BMP or PNM picture; its first bytes tell which. Samples of more than cap
 * bytes and pixels past the bounds of limits.h are OC_LIMIT, a damaged file is OC_FORMAT, and after
 * SIGINT it is OC_CANCELLED; where begins the error's text. Free with image_free. */
void image_read(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                oc_error *e);
void image_write_png(const image *m, io_file *out, oc_error *e);
/* Writes 8-bit samples, gray or colour, without alpha; quality is 1 to 100. */
void image_write_jpeg(const image *m, int quality, io_file *out, oc_error *e);
void image_free(image *m);

/* Parts of image_read and image_from_tensor. The caller of image_alloc sets m's width, height and
 * channels first. */
void image_alloc(image *m, size_t cap, const char *where, oc_error *e);
/* A picture that a library decodes to bytes needs no memory besides its samples: image_bytes is the
 * place for them, and image_widen then makes samples of them, each of one byte, or with wide of
 * two, the greater first. */
unsigned char *image_bytes(const image *m, bool wide);
void image_widen(image *m, bool wide);
void image_read_png(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
void image_read_jpeg(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e);
void image_read_webp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e);
void image_read_bmp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
void image_read_pnm(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);

/* ---- pixels as a tensor ---- */

typedef enum image_layout { IMAGE_AUTO, IMAGE_NCHW, IMAGE_NHWC } image_layout;
typedef enum image_order { IMAGE_ANY, IMAGE_GRAY, IMAGE_RGB, IMAGE_BGR, IMAGE_RGBA } image_order;

extern const char *const image_layout_names[]; /* "auto", "nchw", "nhwc" */
extern const char *const image_order_names[];  /* "auto", "gray", "rgb", "bgr", "rgba" */

/* element = (sample * scale - mean[c]) / std[c], and the inverse for the way back; c is the channel
 * of the tensor. A field that is 0 has its default. The default of scale divides samples by white
 * for floats, by 257 for 16-bit samples in uint8, else by 1; the default of std is 1. */
typedef struct image_options {
    int layout, order;
    double scale;
    double mean[IMAGE_CHANNELS], std[IMAGE_CHANNELS];
} image_options;

enum { IMAGE_TEXT = 320 };

/* Returns a new tensor of the port's type (float when it has none), rank (4 when it has none) and
 * declared number of channels; height and width are the picture's. text receives a description of
 * the conversion. A port that takes no picture is OC_ARGUMENT. Free with oc_value_free. */
oc_value *image_to_tensor(const image *m, const oc_port *port, const image_options *options,
                          const char *where, char text[IMAGE_TEXT], oc_error *e);

/* Does the value look like one picture: numbers of shape 1xCxHxW, 1xHxWxC, CxHxW, HxWxC or HxW with
 * 1, 3 or 4 channels and more than one row and column? */
bool image_is_like(const oc_value *v, const image_options *options);
/* Makes an 8-bit picture of the tensor: samples are rounded, ties to even, and clamped to 0..255;
 * NaN becomes 0. A value that cannot be a picture is OC_SHAPE. Free with image_free. */
void image_from_tensor(image *m, const oc_value *v, const image_options *options, const char *where,
                       char text[IMAGE_TEXT], oc_error *e);

#endif
