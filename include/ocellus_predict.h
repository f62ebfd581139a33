/* SPDX-License-Identifier: Apache-2.0
 * ocellus_predict.h - what a network says of photographs: the library libocellus_predict.
 *
 * A predictor puts a decoder behind a network, so that its outputs become boxes, masks, points and
 * labels in the pixels of a photograph, and knows how the network is given photographs. It does
 * what the command ocellus predict does, with the same bits. The way of a photograph:
 *
 *     oc_predictor *p = oc_predictor_new(network, NULL, &e);
 *     oc_session *s = oc_session_new(oc_predictor_model(p), NULL, &e);
 *     oc_photograph *photo = oc_photograph_read(p, "photo.jpg", &e);
 *     oc_photograph_bind(photo, s, &e);
 *     oc_run(s, &e);
 *     oc_answer *a = oc_photograph_answer(photo, s, &e);
 *     oc_answer_info info = oc_answer_describe(a);
 *
 * A predictor does not change, so threads share it, each with a session of its own. The network
 * outlives it, and it outlives its photographs and answers. What libocellus says of errors, NULL
 * and texts holds here. What is decoded and drawn takes at most three quarters of the machine's
 * memory, all threads together. An error OC_NOMEM may leave memory behind that is never freed. */
#ifndef OCELLUS_PREDICT_H
#define OCELLUS_PREDICT_H

#include <ocellus_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- predictors ---- */

typedef struct oc_predictor oc_predictor; /* a network with its decoder */

/* Every field may be 0. Texts are those of the options of the command, and are borrowed for the
 * call alone. */
typedef struct oc_predictor_options {
    /* Path of the network's file, beside which its exporter may have left others; NULL: nowhere */
    const char *path;
    const char *as;      /* name of a decoder; NULL: it is found out */
    const char *picture; /* name of the input that takes the photograph; NULL: the first that can */
    const char *config;  /* a file or folder with what the exporter tells; NULL: beside path */
    const char *labels;  /* a text file with the name of each label on a line */
    const char *const *names; /* names of labels, in place of such a file */
    int n_names;              /* how many */
    const double *least;      /* the least score of an object; NULL: the decoder's own */
    const double *overlap; /* the greatest overlap of boxes of a label; NULL: the decoder's own */
    const int64_t *top;    /* most objects or classes; NULL: the decoder's own */
    /* How photographs become tensors: --preset; NULL, as those that follow: as the exporter tells,
     * or as the decoder suggests */
    const char *preset;
    const char *resize;         /* --resize: a filter */
    const char *image_resize;   /* --image-resize: a way to bring a photograph to size */
    const char *image_fill;     /* --image-fill: a sample */
    const char *image_scale;    /* --image-scale: a number */
    const char *image_mean;     /* --image-mean: a number, or one for each channel */
    const char *image_std;      /* --image-std: a number, or one for each channel */
    const char *image_channels; /* --image-channels: their order */
    const char *image_layout;   /* --image-layout: nchw or nhwc */
    int image_multiple;         /* --image-multiple; 0: none */
    bool image_no_enlarge;      /* --image-no-enlarge */
} oc_predictor_options;

/* Chooses a decoder for the network and joins it behind. options NULL: every default. Free with
 * oc_predictor_free. */
OC_API oc_predictor *oc_predictor_new_sized(const oc_model *network,
                                            const oc_predictor_options *options,
                                            size_t options_size, oc_error *e);
static inline oc_predictor *oc_predictor_new(const oc_model *network,
                                             const oc_predictor_options *options, oc_error *e)
{
    return oc_predictor_new_sized(network, options, sizeof *options, e);
}
OC_API void oc_predictor_free(oc_predictor *predictor); /* NULL is allowed */

/* Returns the network with its decoder behind it, which lasts as long as the predictor. Sessions
 * of it run photographs. */
OC_API const oc_model *oc_predictor_model(const oc_predictor *predictor);

/* What a predictor tells of itself. */
typedef enum oc_predictor_text_kind {
    OC_PREDICTOR_DECODER,  /* the decoder's name: "yolov8" */
    OC_PREDICTOR_WHY,      /* how it was chosen */
    OC_PREDICTOR_PREPARED, /* "are prepared as ... tells": how photographs become tensors */
    OC_PREDICTOR_INPUT,    /* name of the model's input that takes the photograph */
    OC_PREDICTOR_BESIDE    /* name of the one that takes the photograph beside it, or NULL */
} oc_predictor_text_kind;
/* Returns a text that lasts as long as the predictor. */
OC_API const char *oc_predictor_text(const oc_predictor *predictor, oc_predictor_text_kind kind);
/* Returns what of the exporter's files could not be read, a sentence each; NULL past the last. */
OC_API const char *oc_predictor_remark(const oc_predictor *predictor, int i);
/* Returns the number of names of labels, and the name of a label; NULL: it has none. */
OC_API int oc_predictor_n_names(const oc_predictor *predictor);
OC_API const char *oc_predictor_name(const oc_predictor *predictor, int64_t label);
/* Returns the name of the i-th decoder there is, and in *about whose networks it is for; NULL past
 * the last. about may be NULL. */
OC_API const char *oc_decoder_at(int i, const char **about);

/* ---- photographs ---- */

/* A photograph as the network takes it. */
typedef struct oc_photograph oc_photograph;

/* Each reads a photograph: from a file; from the bytes of one (PNG, JPEG, WebP, GIF, BMP or PNM),
 * which are copied; from rows of samples without gaps between them, which are copied. channels are
 * 1 (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 (and alpha). turn is Exif's number of how
 * the picture is turned so that its top is up, 1 to 8; 0: it is not. Free with
 * oc_photograph_free. */
OC_API oc_photograph *oc_photograph_read(const oc_predictor *predictor, const char *path,
                                         oc_error *e);
OC_API oc_photograph *oc_photograph_decode(const oc_predictor *predictor, const void *bytes,
                                           size_t size, oc_error *e);
OC_API oc_photograph *oc_photograph_take(const oc_predictor *predictor, const uint8_t *samples,
                                         int height, int width, int channels, int turn,
                                         oc_error *e);
OC_API void oc_photograph_free(oc_photograph *photograph); /* NULL is allowed */

/* Puts another photograph, of the same size, beside the first, for networks that take two, such as
 * frames of a film. OC_ARGUMENT where the network takes one. */
OC_API void oc_photograph_put_beside(oc_photograph *photograph, const oc_photograph *beside,
                                     oc_error *e);

/* Returns what the network's input is given, which lasts as long as the photograph. */
OC_API const oc_value *oc_photograph_tensor(const oc_photograph *photograph);

/* Gives the session, one of the predictor's model, the photograph, which stays until the session
 * has another one or is freed. One session at a time may have it. */
OC_API void oc_photograph_bind(oc_photograph *photograph, oc_session *session, oc_error *e);

/* Makes of a picture, in samples as oc_photograph_take has them, the tensor that an input of any
 * model takes, as the command's options of pictures say: of `options` the fields from preset on are
 * read. options NULL: a picture of the input's size, samples / 255 for an input of floats. Free
 * with oc_value_free. */
OC_API oc_value *oc_picture_tensor_sized(const oc_model *model, const char *input,
                                         const uint8_t *samples, int height, int width,
                                         int channels, const oc_predictor_options *options,
                                         size_t options_size, oc_error *e);
static inline oc_value *oc_picture_tensor(const oc_model *model, const char *input,
                                          const uint8_t *samples, int height, int width,
                                          int channels, const oc_predictor_options *options,
                                          oc_error *e)
{
    return oc_picture_tensor_sized(model, input, samples, height, width, channels, options,
                                   sizeof *options, e);
}

/* ---- answers ---- */

typedef struct oc_answer oc_answer; /* what a network says of a photograph */

/* Returns what the session's last run, on this photograph, says of it. It lasts without the
 * photograph and the session. Free with oc_answer_free. */
OC_API oc_answer *oc_photograph_answer(oc_photograph *photograph, const oc_session *session,
                                       oc_error *e);
OC_API void oc_answer_free(oc_answer *answer); /* NULL is allowed */

/* What an answer holds, in pixels of the photograph as it is seen. Pixel (x, y) has its centre at
 * (x + 0.5, y + 0.5), and lies at x * fit[0] + fit[2], y * fit[1] + fit[3] in the network's input,
 * which the cells of the grid cover. Arrays last as long as the answer; what the network does not
 * give is NULL. */
typedef struct oc_answer_info {
    int width;              /* of the photograph */
    int height;             /* of the photograph */
    int input_width;        /* of the network's input */
    int input_height;       /* of the network's input */
    double fit[4];          /* scale x, scale y, left, top */
    int n;                  /* objects, or characters of the text */
    const float *boxes;     /* n x 4: left, top, right, bottom */
    const float *scores;    /* n */
    const int64_t *labels;  /* n */
    int n_points;           /* points of each object */
    const float *points;    /* n x n_points x 3: x, y, confidence */
    const float *corners;   /* n x 4 x 2: x, y of rotated boxes */
    int grid_width;         /* cells in a row of the grid; 0: there is none */
    int grid_height;        /* rows of the grid; 0: there is none */
    const float *masks;     /* n x grid_height x grid_width: probabilities */
    const int64_t *classes; /* grid_height x grid_width */
    const float *flow;      /* 2 x grid_height x grid_width: x and y, in pixels */
    const float *depth;     /* grid_height x grid_width, as the network gives it */
    const char *text;       /* what was read, UTF-8 */
} oc_answer_info;
/* Fills *out; all is 0 where answer is NULL. */
OC_API void oc_answer_describe_sized(const oc_answer *answer, oc_answer_info *out, size_t out_size);
static inline oc_answer_info oc_answer_describe(const oc_answer *of)
{
    oc_answer_info info;
    oc_answer_describe_sized(of, &info, sizeof info);
    return info;
}

/* Sets height x width bytes to 1 where the mask of object i covers the photograph's pixel (in its
 * box, and of a probability of 0.5 or more), else to 0. OC_ARGUMENT when there is no such mask. */
OC_API void oc_answer_mask(const oc_answer *answer, int i, uint8_t *out, oc_error *e);
/* Sets height x width numbers to the class of each of the photograph's pixels. */
OC_API void oc_answer_classes(const oc_answer *answer, int64_t *out, oc_error *e);

/* Writes the answer as the command prints it: as a line with an object of JSON, as --json does; as
 * a table for people. */
OC_API void oc_answer_json(const oc_answer *answer, const oc_writer *out, oc_error *e);
OC_API void oc_answer_table(const oc_answer *answer, const oc_writer *out, oc_error *e);

/* Rows of red, green and blue without gaps between them. */
typedef struct oc_picture {
    int width;        /* in pixels */
    int height;       /* in pixels */
    uint8_t *samples; /* height x width x 3; NULL: there is no pixel */
} oc_picture;
OC_API void oc_picture_free(oc_picture *picture); /* all 0 is allowed */

/* Draws the answer into a copy of the photograph, which may become larger for what stands beside
 * or below it. Free with oc_picture_free. */
OC_API void oc_answer_draw(const oc_answer *answer, oc_picture *out, oc_error *e);
/* Draws it and writes the bytes of a PNG file, whose longer side is at most that (0: as it is); or
 * a file, whose path ends with .png, .jpg or .jpeg. */
OC_API void oc_answer_draw_png(const oc_answer *answer, int most, const oc_writer *out,
                               oc_error *e);
OC_API void oc_answer_draw_file(const oc_answer *answer, const char *path, oc_error *e);
/* Cuts object i out of the photograph, upright if its box is rotated. */
OC_API void oc_answer_crop(const oc_answer *answer, int i, oc_picture *out, oc_error *e);

#ifdef __cplusplus
}
#endif

#endif
