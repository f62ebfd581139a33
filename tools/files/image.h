/* SPDX-License-Identifier: Apache-2.0
 * image.h - reads and writes pictures, and converts them to tensors and back. */
#ifndef TOOLS_FILES_IMAGE_H
#define TOOLS_FILES_IMAGE_H

#include "files/io.h"

enum { IMAGE_CHANNELS = 4, IMAGE_NOTE = 160 };

/* A picture in memory. Rows go from the top, pixels from the left, and the channels of a pixel are
 * adjacent: gray; gray, alpha; red, green, blue; or red, green, blue, alpha. */
typedef struct image {
    int width, height, channels;
    int white; /* the greatest sample: 255 or 65535 */
    int turn;  /* Exif's number, 1 to 8, of how to turn it so that its top is up; 0: not told */
    char note[IMAGE_NOTE]; /* the size in the file and what was done since; "": nothing */
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

/* Turns or mirrors the picture as m->turn says. */
void image_turn(image *m, size_t cap, const char *where, oc_error *e);

/* Ways to bring a picture to a width and height: changing its proportions; as a whole, with its
 * middle in the middle of a plain area; covering all, and what is beyond left and right, or above
 * and below, is cut off. */
typedef enum image_resize_kind {
    IMAGE_AS_IT_IS,
    IMAGE_STRETCH,
    IMAGE_FIT,
    IMAGE_CROP
} image_resize_kind;
extern const char *const image_resize_names[]; /* "no", "stretch", "fit", "crop" */

/* By Resize-18, linear in half-pixel coordinates, antialiased where it shrinks; samples are
 * rounded, ties to even. fill, 0 to 255, is the sample of the area around a picture that fits, with
 * opaque alpha. Sizes past the bounds of limits.h are OC_LIMIT. */
void image_resize(image *m, image_resize_kind kind, int width, int height, int fill, size_t cap,
                  const char *where, oc_error *e);

/* Parts of image_read, image_turn and image_resize. image_find_turn searches a PNG, JPEG or WebP
 * file for m->turn. image_note writes into to->note that of from, which is its size at first, and
 * the text. */
int image_find_turn(const void *bytes, size_t size);
void image_note(image *to, const image *from, const char *format, ...) TOOL_PRINTF(3, 4);
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

/* element = (sample * scale - mean[c]) / std[c]; c is the channel of the tensor. A field that is 0
 * has its default. The default of scale divides samples by white for floats, by 257 for 16-bit
 * samples in uint8, else by 1; the default of std is 1. */
typedef struct image_options {
    int layout, order;
    double scale;
    double mean[IMAGE_CHANNELS], std[IMAGE_CHANNELS];
    int n_mean, n_std; /* how many are given; 0 or 1: the same for all channels */
    bool only_floats;  /* scale, mean and std do not suit integers */
    int resize;        /* an image_resize_kind */
    int width, height; /* of resize; 0: what the port declares */
    int fill;          /* of IMAGE_FIT */
} image_options;

enum { IMAGE_TEXT = 560 };

/* Finds the height and width that resizing has to give: those of the options, else those that the
 * port declares. A port that declares none is OC_ARGUMENT. */
void image_wanted_size(const image_options *o, const oc_port *port, const char *where, int *width,
                       int *height, oc_error *e);

/* Returns a new tensor of the port's type (float when it has none), rank (4 when it has none) and
 * declared number of channels; height and width are the picture's. text receives a description of
 * the conversion. A port that takes no picture is OC_ARGUMENT, and so are means or deviations of
 * another number than its channels. Free with oc_value_free. */
oc_value *image_to_tensor(const image *m, const oc_port *port, const image_options *options,
                          const char *where, char text[IMAGE_TEXT], oc_error *e);

/* Does the value look like one picture: numbers or bools of shape 1xCxHxW, 1xHxWxC, CxHxW, HxWxC or
 * HxW with 1, 3 or 4 channels and more than one row and column? */
bool image_is_like(const oc_value *v, const image_options *options);
/* Makes an 8-bit picture of the tensor, of the layout and the order of channels that options have.
 * scaled, which may be NULL, has the scale, mean and std of a picture of which these elements would
 * be made. Without it uint8 is taken as it is, of bool false is 0 and true 255, floats between 0
 * and 1 are multiplied by 255, and of all others the least is 0 and the greatest 255. Samples are
 * rounded, ties to even, and clamped to 0..255; NaN becomes 0. text says what was done. A value
 * that cannot be a picture is OC_SHAPE; means or deviations of another number than its channels are
 * OC_ARGUMENT. Free with image_free. */
void image_from_tensor(image *m, const oc_value *v, const image_options *options,
                       const image_options *scaled, const char *where, char text[IMAGE_TEXT],
                       oc_error *e);

#endif
