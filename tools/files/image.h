/* SPDX-License-Identifier: Apache-2.0
 * image.h - reads and writes pictures, and converts them to tensors and back. */
#pragma once

#include "files/io.h"

enum { IMAGE_CHANNELS = 4, IMAGE_NOTE = 200 };

/* How the photograph, a picture as it is seen after turning, lies in the picture that it became:
 * x in the picture = x in the photograph * scale_x + left, and y alike with scale_y and top. Both
 * are counted from the outer edges, so that pixel i covers i to i + 1. left and top are above 0
 * where a plain area surrounds the photograph, and below 0 where some of it is cut off. */
typedef struct image_fit {
    int width, height; /* of the photograph, in pixels; 0: there is none */
    double scale_x, scale_y, left, top;
    int to_width, to_height; /* of the picture that it became */
} image_fit;

/* A picture in memory. Rows go from the top, pixels from the left, and the channels of a pixel are
 * adjacent: gray; gray, alpha; red, green, blue; or red, green, blue, alpha. */
typedef struct image {
    int width, height, channels;
    int white; /* the greatest sample: 255 or 65535 */
    /* Exif's number, 1 to 8, of how to turn the picture so that its top is up; 0: not told */
    int turn;
    image_fit fit;         /* without a photograph until the picture is resized: see image_fit_of */
    char note[IMAGE_NOTE]; /* the size in the file and what was done to it; "": nothing */
    uint16_t *sample;
} image;

/* Reads a PNG, JPEG, WebP, BMP or PNM picture, or the first frame of a GIF; the first bytes tell
 * which. OC_LIMIT for samples
 * of more than cap bytes and for pixels beyond the bounds of limits.h, OC_FORMAT for a damaged
 * file, OC_CANCELLED after SIGINT. The error's text begins with where. Free with image_free. */
void image_read(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                oc_error *e);
void image_write_png(const image *m, io_file *out, oc_error *e);
enum { IMAGE_QUALITY = 90 }; /* of the JPEG files that the command writes */
/* Does the path end with .png, .jpg or .jpeg, the endings of pictures that are written? */
bool image_can_write(const char *path);
/* Writes PNG if the file's name ends with .png, else JPEG. */
void image_write(const image *m, io_file *out, oc_error *e);
void image_write_file(const image *m, const char *path, oc_error *e);
/* Writes 8-bit samples, gray or colour, without alpha; quality is 1 to 100. */
void image_write_jpeg(const image *m, int quality, io_file *out, oc_error *e);
/* Writes a PGM or PPM: 8-bit samples, gray or colour, without alpha. */
void image_write_pnm(const image *m, io_file *out, oc_error *e);
void image_free(image *m);
/* Makes samples of 8 bits of those of 16: their more significant bytes, as cv2.imread and Pillow
 * take them. */
void image_make_bytes(image *m);
/* Makes a copy of a picture, to be freed as every picture. */
void image_copy(const image *from, image *to, size_t cap, const char *where, oc_error *e);

/* Turns or mirrors the picture as m->turn says. */
void image_turn(image *m, size_t cap, const char *where, oc_error *e);

/* Ways to bring a picture to a width and height. Stretch changes its proportions. Fit shows all
 * of it in the middle of a plain area, corner at the top left. Crop covers the whole area, and what
 * is beyond it at the left and right, or above and below, is cut off. Short brings the short side
 * to a length of its own first; then the middle is cut out. */
typedef enum image_resize_kind {
    IMAGE_AS_IT_IS,
    IMAGE_STRETCH,
    IMAGE_FIT,
    IMAGE_CROP,
    IMAGE_CORNER,
    IMAGE_SHORT
} image_resize_kind;
extern const char *const image_resize_names[]; /* "no", "stretch", "fit", "crop" ... */

typedef struct image_sizing {
    int how;    /* an image_resize_kind */
    int filter; /* an image_filter_kind of image_filter.h */
    /* of the picture when all is done; 0: what the port declares. Short may leave the picture as
     * large as it then is: both are 0 */
    int width, height;
    bool if_declared; /* true: a port without a height and a width takes pictures as they are */
    /* for short, the length of the short side; 0: width or height / kept. For corner the most that
     * the short side may have, and the long one has at most width or height; 0: no matter */
    int shorter;
    double kept;     /* for short without a length: the part of it that the cut leaves */
    int multiple;    /* width and height become multiples of it: see image_place. 0: no matter */
    bool no_enlarge; /* for fit and corner: true: a small picture keeps its size */
    int fill;        /* 0 to 255: the sample around the picture, with opaque alpha */
} image_sizing;

/* Resizes; width and height are set, but for short. OC_LIMIT for sizes beyond the bounds of
 * limits.h. A filter of a library takes samples of 8 bits alone. After another error the samples
 * are lost. */
void image_resize(image *m, const image_sizing *s, size_t cap, const char *where, oc_error *e);

/* A part of image_resize: the size that a picture is scaled to, and where it then lies in a picture
 * of the other size; left and top are below 0 where some of it is cut off. */
typedef struct image_placing {
    int64_t width, height, total_width, total_height, left, top;
} image_placing;
/* Finds the placing of a picture of that size.
 *
 * Sizes are rounded half up. With a filter of OpenCV they are rounded as those do who train with
 * it: fit as ultralytics' LetterBox (a factor in double, ties to even), corner as YOLOX (the factor
 * in double, rounded down). The place in the middle is rounded towards the left and the top.
 *
 * Corner with a short side scales as detectors are trained with both sides bounded: rounded half up
 * with a filter of OpenCV, as MMDetection does, else as DETR, where the long side is rounded down.
 *
 * Short rounds the long side down, and the place in the middle to the nearest even number, as
 * torchvision's Resize and CenterCrop do.
 *
 * With a multiple, the plain area of fit and corner is only as large as to make width and height
 * multiples, as ultralytics' rectangular pictures are; short brings each side to the nearest
 * multiple that is not less than the length, as Depth-Anything does. */
image_placing image_place(const image_sizing *s, int width, int height);

/* Returns how the photograph lies in m, which has been turned. */
image_fit image_fit_of(const image *m);

/* Parts of image_read, image_turn and image_resize. image_find_turn searches a PNG, JPEG or WebP
 * file for m->turn. image_note sets to->note to the note of from, which is its size at first,
 * followed by the text. */
int image_find_turn(const void *bytes, size_t size);
void image_note(image *to, const image *from, const char *format, ...) TOOL_PRINTF(3, 4);
/* Parts of image_read and image_from_tensor. The caller of image_alloc sets m's width, height and
 * channels first. */
void image_alloc(image *m, size_t cap, const char *where, oc_error *e);
/* For pictures that a library decodes to bytes, without memory besides the samples. image_bytes
 * returns the place for the bytes, and image_widen then makes each sample from one byte, or with
 * wide from two, the more significant first. */
unsigned char *image_bytes(const image *m, bool wide);
void image_widen(image *m, bool wide);
/* Makes n samples of n bytes that lie elsewhere. */
void image_widen_row(uint16_t *sample, const unsigned char *bytes, size_t n);
void image_read_png(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
void image_read_jpeg(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e);
void image_read_webp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e);
void image_read_bmp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
/* As Pillow shows it: what the first frame leaves of the picture is transparent if the frame has a
 * transparent colour, else of colour 0, and a colour that the palette lacks is a gray. */
void image_read_gif(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);
/* Returns how many bytes a picture in a PNM of bits and bytes (P4, P5, P6) takes, as its header
 * tells; 0: the header is cut off. OC_FORMAT for a damaged header. */
uint64_t image_pnm_size(const void *bytes, size_t size, const char *where, oc_error *e);
void image_read_pnm(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e);

/* ---- pixels as a tensor ---- */

typedef enum image_layout { IMAGE_AUTO, IMAGE_NCHW, IMAGE_NHWC } image_layout;
typedef enum image_order { IMAGE_ANY, IMAGE_GRAY, IMAGE_RGB, IMAGE_BGR, IMAGE_RGBA } image_order;

extern const char *const image_layout_names[]; /* "auto", "nchw", "nhwc" */
extern const char *const image_order_names[];  /* "auto", "gray", "rgb", "bgr", "rgba" */

/* element = (sample * scale - mean[c]) / std[c]; c is the channel of the tensor. A field that is
 * 0 has its default. The default of scale divides samples by white for floats, by 257 for 16-bit
 * samples in uint8, else by 1; the default of std is 1. */
typedef struct image_options {
    int layout, order;
    double scale;
    double mean[IMAGE_CHANNELS], std[IMAGE_CHANNELS];
    int n_mean, n_std; /* how many are given; 0 or 1: all channels have the same */
    bool bytes;        /* true: samples of 16 bits become those of 8 first: image_make_bytes */
    bool only_floats;  /* true: scale, mean and std do not suit integers */
    image_sizing sizing;
} image_options;

enum { IMAGE_TEXT = 600 };

/* Returns the sizing for a port: with the height and width of the options, else those that the
 * port declares, and with a multiple only where the port declares neither. If it declares one of
 * them, the other keeps the proportions of the picture. OC_ARGUMENT when a size
 * is needed that the port does not declare. */
image_sizing image_sizing_of(const image_options *o, const oc_port *port, const image *m,
                             const char *where, oc_error *e);

/* Returns a new tensor of the port's type (float when it has none), rank (4 when it has none)
 * and declared number of channels; height and width are the picture's. text receives a
 * description of the conversion. OC_ARGUMENT when the port takes no picture, and when there are
 * more or fewer means or deviations than channels. options->sizing is that of image_sizing_of. Free
 * with oc_value_free. */
oc_value *image_to_tensor(const image *m, const oc_port *port, const image_options *options,
                          const char *where, char text[IMAGE_TEXT], oc_error *e);

/* Does the value look like one picture: numbers or bools of shape 1xCxHxW, 1xHxWxC, CxHxW, HxWxC
 * or HxW with 1, 3 or 4 channels and more than one row and column? */
bool image_is_like(const oc_value *v, const image_options *options);
/* Makes an 8-bit picture of the tensor, with the layout and the order of channels in options.
 * scaled, which may be NULL, has the scale, mean and std with which a picture would become these
 * elements; the conversion undoes them. Without scaled, uint8 is not changed, false becomes 0 and
 * true 255, and floats between 0 and 1 are multiplied by 255. In any other tensor the least element
 * becomes 0 and the greatest 255. Samples are rounded, ties to even, and clamped to 0..255; NaN
 * becomes 0. text says what was done. OC_SHAPE for a value that cannot be a picture; OC_ARGUMENT
 * when there are more or fewer means or deviations than channels. Free with image_free. */
void image_from_tensor(image *m, const oc_value *v, const image_options *options,
                       const image_options *scaled, const char *where, char text[IMAGE_TEXT],
                       oc_error *e);
