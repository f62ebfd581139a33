/* SPDX-License-Identifier: Apache-2.0
 * metadata.h - what the exporter of a network tells of it: in the model's metadata properties, and
 * in files beside the model. */
#pragma once

#include "common/json_read.h"
#include "files/image.h"
#include "files/text_build.h"
#include "values/labels.h"

#include <ocellus_model.h>

/* The facts. Each stands for the fields named in `metadata`. */
typedef enum metadata_fact {
    METADATA_MAKER,
    METADATA_TASK,
    METADATA_FAMILY,
    METADATA_NAMES,
    METADATA_POINTS,
    METADATA_POINT_NAMES,
    METADATA_CHARACTERS,
    METADATA_SIZE,
    METADATA_STRIDE,
    METADATA_BATCH,
    METADATA_CHANNELS,
    METADATA_NMS,
    METADATA_END2END,
    METADATA_COMPONENT,
    METADATA_RESIZE,
    METADATA_FILTER,
    METADATA_CROP,
    METADATA_PAD,
    METADATA_SCALE,
    METADATA_NORMALIZE,
    METADATA_ORDER,
    METADATA_DECODER,
    METADATA_PICTURE,
    METADATA_FACTS
} metadata_fact;

typedef enum metadata_maker {
    METADATA_UNKNOWN,
    METADATA_ULTRALYTICS,  /* with YOLOv5 */
    METADATA_MMDEPLOY,     /* mmdet, mmyolo, mmpose, mmseg, mmpretrain, mmocr */
    METADATA_HUGGING_FACE, /* transformers, optimum, transformers.js */
    METADATA_TIMM,
    METADATA_PADDLE /* PP-OCR as RapidOCR exports it, and PaddleDetection */
} metadata_maker;

/* How a photograph is brought to size. */
typedef enum metadata_resize {
    METADATA_STRETCH, /* to height x width, whatever its proportions */
    METADATA_INSIDE,  /* as large as it can be within height x width */
    METADATA_SIDES,   /* the short side becomes short_side, less where the long one would pass
                         long_side; long_side 0: no bound */
    METADATA_NEARER   /* by that of the factors to height and to width which is nearer to 1, each
                         side then rounded to a multiple of `multiple` */
} metadata_resize;

/* Names by number; those that nobody tells are NULL. */
typedef struct metadata_names {
    char **name;
    int n;
} metadata_names;

/* Fields mean something only where from[] of their fact is set; until then they are 0. */
typedef struct metadata {
    char *from[METADATA_FACTS]; /* where the fact stands: "its property 'names'",
                                   "net/config.json: id2label"; NULL: nobody tells it */
    metadata_maker maker;
    char *task; /* as its maker writes it: "detect", "ObjectDetection", "DetrForObjectDetection" */
    char *family;                      /* as its maker writes it: "YOLOv8n", "detr", "rtmdet" */
    metadata_names names, point_names; /* of classes, and of the points of an object */
    metadata_names characters;     /* of CTC, without the blank in front of them and the space that
                                      PP-OCR appends to them */
    int n_points, point_size;      /* POINTS: points of an object; 2 (x, y) or 3 numbers for each */
    int input_height, input_width; /* SIZE */
    int stride, batch, channels;
    bool nms, end2end; /* boxes come without duplicates: suppressed in the model; by its training */
    char *component;   /* MMDeploy's step behind the network: "ResizeInstanceMask" */

    /* RESIZE, then CROP (around the centre), then PAD; sizes are those of pixels. Where the size is
     * the model's own, height and width are 0. */
    metadata_resize resize;
    int height, width, short_side, long_side, multiple;
    bool no_enlarging;  /* a photograph that is small enough stays as it is */
    const char *filter; /* "pil:bilinear", "cv2:linear" */
    int crop_height, crop_width;
    int pad_height, pad_width; /* 0: not to a size */
    int pad_multiple;          /* sides to a multiple of it; 1: none */
    bool pad_centred;          /* false: the photograph is at the top left */
    double fill;               /* sample of the padding, 0 to 255 */
    bool fill_zero;            /* true: elements of the padding are 0, and fill means nothing */
    /* element = (sample * scale - mean[c]) / std[c] for samples 0 to 255; c in the model's order of
     * channels. NORMALIZE has mean and std. */
    double scale, mean[3], std[3];
    bool bgr; /* ORDER */

    /* What --save writes: the decoder that is in the model, and how photographs become tensors. */
    char *decoder;
    image_options picture;

    char **remark; /* what could not be read, each a sentence for the user */
    int n_remarks;
} metadata;

/* Reads what the model and files beside it tell. path: the model's; NULL or "-": there is nothing
 * beside it. config: a file or a folder that --config names and that goes before all else; NULL:
 * none. Beside the model are config.json and preprocessor_config.json (Hugging Face), deploy.json,
 * detail.json and pipeline.json (MMDeploy), and infer_cfg.yml (PaddleDetection), in its folder, or,
 * where that is named "onnx", in the one above. What cannot be read is a remark; *e is set for a
 * config that cannot, and for OC_NOMEM and OC_CANCELLED. Free with metadata_free, also after an
 * error. */
void metadata_read(metadata *m, const oc_model *model, const char *path, const char *config,
                   oc_error *e);
void metadata_free(metadata *m);

/* Returns the name of a class; NULL when nobody tells it. */
const char *metadata_name(const metadata *m, int64_t label);

/* How networks number the classes of COCO, which most public detectors were trained on. */
typedef enum metadata_coco {
    METADATA_NO_COCO,
    METADATA_COCO_80, /* "coco": the 80 classes from 0 on */
    METADATA_COCO_90, /* "coco-90": COCO's ids less 1 */
    METADATA_COCO_91  /* "coco-91": COCO's ids */
} metadata_coco;
/* The numbering of a word of --labels, of a network with n classes, and of names that are
 * COCO's. */
metadata_coco metadata_coco_word(const char *text);
metadata_coco metadata_coco_size(int64_t n);
metadata_coco metadata_coco_of(const metadata_names *names);
/* The id in COCO's data set; METADATA_NO_COCO: of a data set whose ids begin at 1. */
int64_t metadata_coco_id(metadata_coco numbering, int64_t label);

/* Replace the names of classes, and say so in from[METADATA_NAMES]: by the lines of a file, by n
 * names, or by those of COCO. */
void metadata_use_labels(metadata *m, const labels *l);
void metadata_use_names(metadata *m, const char *const *name, int n);
void metadata_use_coco(metadata *m, metadata_coco numbering);
/* Takes the words, with '|' between, as names of classes where nobody tells them. from[] stays
 * NULL: they are a decoder's, not the network's. */
void metadata_use_words(metadata *m, const char *words);

/* Appends what a saved model tells of itself, as ONNX text: "metadata_props: [...]". */
void metadata_put_saved(const metadata *m, const char *decoder, const image_options *picture,
                        text_build *to);

/* Parts of metadata_read, one for each kind of text. where names the file in messages and in from.
 * A fact that is known already stays as it is. */
void metadata_take_property(metadata *m, const char *key, const char *value, oc_error *e);
/* As metadata_take_property for the properties that metadata_put_saved writes; passes by others. */
void metadata_take_saved(metadata *m, const char *key, const char *value, oc_error *e);
void metadata_end_properties(metadata *m); /* after the last one */
void metadata_take_config(metadata *m, const json_value *root, const char *where, oc_error *e);
void metadata_take_preprocessor(metadata *m, const json_value *root, const char *where);
void metadata_take_deploy(metadata *m, const json_value *root, const char *where);
void metadata_take_detail(metadata *m, const json_value *root, const char *where);
void metadata_take_pipeline(metadata *m, const json_value *root, const char *where);
void metadata_take_paddle(metadata *m, const json_value *root, const char *where, oc_error *e);

/* Notes where a fact stands, and returns true if it was not known before. where NULL: in the
 * property named key. */
bool metadata_note(metadata *m, metadata_fact fact, const char *where, const char *key);
/* Takes names from a list of texts, or from an object whose keys are numbers. OC_LIMIT for a number
 * of LIMIT_NAMES or more. Returns false when it is neither. */
bool metadata_take_names(metadata_names *names, const json_value *v, const char *where,
                         oc_error *e);
/* Appends the first size bytes of a text as the next name. */
void metadata_add_name(metadata_names *names, const char *text, size_t size);
void metadata_free_names(metadata_names *names);
/* Takes the names away, for others that come from there; takes ownership of from. */
void metadata_replace_names(metadata *m, char *from);
void metadata_remark(metadata *m, const char *format, ...) TOOL_PRINTF(2, 3);
/* Sets *e for a lack of memory and for SIGINT; any other error of wrong becomes a remark. */
void metadata_pass(metadata *m, const oc_error *wrong, oc_error *e);
