/* SPDX-License-Identifier: Apache-2.0
 * answer_args.h - the options of the command line about answers, of all commands that give some. */
#pragma once

#include "map/settings.h"
#include "predict/predictor.h"
#include "session/sandbox.h"

/* As given. */
typedef struct answer_args {
    predictor_wish wish;
    const char *table; /* the file of the answers; NULL: none */
    const char *draw;  /* --draw: a file of run, a folder of map; NULL: nothing is drawn */
    bool png;          /* true: drawn photographs and crops are .png, not .jpg */
} answer_args;

#define ANSWER_ARGS_NOTHING                                                                        \
    {                                                                                              \
        .wish = {.score = -1, .overlap = -1, .most = -1 }                                          \
    }

/* clang-format off */
/* more: what --top means besides, in lines of the help that begin with \n. */
#define ANSWER_ARGS(a, more)                                                                       \
    ARGS_VALUE("--table", ARGS_TEXT, "FILE", &(a)->table,                                          \
               "write the answers as .csv, .tsv, .jsonl or .json (COCO's)"),                       \
    ARGS_VALUE("--as", ARGS_TEXT, "NAME", &(a)->wish.as,                                           \
               "the decoder of the model's outputs, as in --as yolov8; list names them all"),      \
    ARGS_VALUE("--picture", ARGS_TEXT, "INPUT", &(a)->wish.input,                                  \
               "the input that takes the photograph; the first that can"),                         \
    ARGS_VALUE("--config", ARGS_TEXT, "PATH", &(a)->wish.config,                                   \
               "a file or folder with what the exporter tells; beside the model"),                 \
    ARGS_VALUE("--labels", ARGS_TEXT, "FILE", &(a)->wish.labels,                                   \
               "a file with the name of each label on a line, or coco, coco-90, coco-91"),         \
    ARGS_VALUE("--classes", ARGS_TEXT, "NAME,..", &(a)->wish.classes,                              \
               "only these classes, by names or numbers"),                                         \
    ARGS_VALUE("--least", ARGS_NUMBER, "SCORE", &(a)->wish.score,                                  \
               "the least score of an object; the decoder's"),                                     \
    ARGS_VALUE("--overlap", ARGS_NUMBER, "X", &(a)->wish.overlap,                                  \
               "of boxes of one label whose intersection over union is above X the one with\n"     \
               "the greatest score stays; the decoder's"),                                         \
    ARGS_VALUE("--top", ARGS_INT, "N", &(a)->wish.most,                                            \
               "at most N objects, or the N classes with the greatest scores" more)
/* Of commands that run a network for its outputs; text is of the help. */
#define ANSWER_DRAW_ARG(a, example, text)                                                          \
    ARGS_VALUE("--draw", ARGS_TEXT, example, &(a)->draw, text)
/* Of commands that draw into a folder. */
#define ANSWER_PNG_ARG(a)                                                                          \
    ARGS_SWITCH("--png", &(a)->png, "what is drawn, or cut out, is .png, not .jpg")
/* clang-format on */

/* Returns what is wrong with the options; NULL: nothing is. */
const char *answer_args_wrong(const answer_args *a);
/* For commands that run a network for its outputs, and give answers only if they are asked for: by
 * --draw and --table, and by --as where is_shown, which says that answers go to standard output
 * too. Are they? */
bool answer_args_wanted(const answer_args *a, bool is_shown);
/* As answer_args_wrong; without a wish for answers no option may tell how these are. Where
 * is_shown, --top and --labels have a meaning without answers. */
const char *answer_args_idle(const answer_args *a, bool is_shown);
/* Is the list of decoders asked for (--as list)? */
bool answer_args_list(const answer_args *a);
/* Prints that list; json: as a document. */
void answer_args_print_list(bool json);
/* The ending of drawn photographs. */
const char *answer_args_ending(const answer_args *a);

/* Adds what answers depend on. */
void answer_args_settings(const answer_args *a, const decoder *d, settings *to);
/* Allows reading and writing the files that the options name. */
void answer_args_sandbox(const answer_args *a, sandbox *box);
