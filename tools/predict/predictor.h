/* SPDX-License-Identifier: Apache-2.0
 * predictor.h - a network with a photograph before it and an answer behind it. */
#pragma once

#include "files/tensor_file.h"
#include "answer/answer_pick.h"
#include "draw/draw_options.h"
#include "predict/join_text.h"
#include "predict/recipe.h"

/* What may be asked of a predictor; all zero: every default. */
typedef struct predictor_wish {
    const char *as;     /* name of the decoder; NULL: it is found out */
    const char *input;  /* name of the input that takes the photograph; NULL: it is found out */
    const char *config; /* a file or folder with what the exporter tells; NULL: beside the model */
    const char
        *labels; /* a text file with the name of each label on a line; NULL: the exporter's */
    const char *const *names; /* n_names names of labels, in place of such a file */
    int n_names;
    const char *classes;       /* names or numbers with commas between; NULL: all */
    double score, overlap;     /* see functions/vision; negative: the decoder's default */
    int64_t most;              /* most objects or classes; negative: the decoder's default */
    const image_args *picture; /* how photographs become tensors, as far as it is given */
    bool crops;                /* true: the caller cuts objects out */
    bool saves;                /* true: the model is to be saved, and tells what it is */
    bool quiet;                /* true: no remark on what was found out */
    /* true: the network runs by itself, and then the decoder, on what the network gave. The
     * network's photographs are prepared by the command line alone. */
    bool apart;
} predictor_wish;

/* Inputs of a network besides the photograph that say how large it is. */
typedef enum predictor_meaning {
    PREDICTOR_WIDTH_HEIGHT, /* of the input */
    PREDICTOR_HEIGHT_WIDTH, /* of the input */
    PREDICTOR_SCALES        /* y and x, from the input to itself: 1 */
} predictor_meaning;

enum { PREDICTOR_TOLD = 4, PREDICTOR_BATCH = 256 }; /* most photographs at a time */

typedef struct predictor {
    oc_model *joined; /* owned; NULL: the network has its decoder inside */
    /* the network with its decoder; apart: the decoder, whose first inputs are outputs of the
     * network, as choice.out has them */
    const oc_model *model;
    bool apart;
    outline outline;
    choice choice;
    metadata metadata;
    picked_classes picked;
    int64_t n_classes;         /* -1: not known */
    signature signature;       /* of the decoder */
    image_options picture;     /* how photographs become tensors */
    char prepared[RECIPE_WHY]; /* "are prepared as ... tells" */
    int photograph;            /* the model's input */
    int second;                /* the input of the photograph beside it; -1: there is none */
    int input[JOIN_INPUTS];    /* the model's inputs "size", "photo" and "fit"; -1: it has none */
    struct {
        const char *name;
        int input;
        predictor_meaning meaning;
    } told[PREDICTOR_TOLD];
    int n_told;
} predictor;

/* Chooses a decoder for the network and joins it behind. path is the network's. Says on standard
 * error what was found out, and why. The network lives on for the predictor. Free with
 * predictor_free, also after an error. */
void predictor_new(predictor *p, const oc_model *network, const char *path,
                   const predictor_wish *wish, oc_error *e);
void predictor_free(predictor *p);

/* A tensor that predictor_bind has bound. */
typedef struct predictor_bound {
    int input; /* of the model */
    oc_type type;
    int rank;
    int64_t dim[2];
    const void *data;
} predictor_bound;

/* What a session borrows for one run. */
typedef struct predictor_values {
    int64_t size[2], *photo; /* photo, fit and told: a row for each photograph of the run */
    float *fit;
    void *told[PREDICTOR_TOLD];
    predictor_bound bound[JOIN_INPUTS + PREDICTOR_TOLD];
    int n_bound;
} predictor_values;

/* Binds all inputs but the photographs that say how n photographs lie in the input, at most as many
 * as the network takes at a time; the last one stands for those that are missing. *v lasts until
 * the session has other values. Free with predictor_values_free, also after an error. */
void predictor_bind(const predictor *p, const image_fit *fit, int n, predictor_values *v,
                    oc_session *session, oc_error *e);
void predictor_values_free(predictor_values *v);
/* OC_ARGUMENT when one of the network's values, an array of all its inputs' in which some may be
 * NULL, says another size of the photograph than predictor_bind does. */
void predictor_check(const predictor *p, const image_fit *fit, const oc_value *const *value,
                     oc_error *e);
/* What an answer refers to besides what the session has computed. Starts as all zero. */
typedef struct predictor_held {
    char *text;   /* that was read; NULL: none */
    void *picked; /* arrays of some classes; NULL: none */
} predictor_held;
void predictor_held_free(predictor_held *h);

/* Takes the answer of the session's last run for its photograph k, which lies as told; its arrays
 * last until the next run, as long as *held is not freed. */
void predictor_answer(const predictor *p, const image_fit *fit, int k, const oc_session *session,
                      answer *a, predictor_held *held, oc_error *e);
/* Says on standard error which name or character cannot be drawn, if there is one. */
void predictor_say_letters(const predictor *p);
/* Draws the answer into the photograph (draw_answer.h), whose name is where. */
void predictor_draw(const predictor *p, const answer *a, image *photograph, const char *where,
                    oc_error *e);
/* The name of a label, as a draw_name: from is the predictor. */
draw_name predictor_label;
