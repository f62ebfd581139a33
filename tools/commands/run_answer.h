/* SPDX-License-Identifier: Apache-2.0
 * run_answer.h - the answer of the picture that ocellus run was given. */
#pragma once

#include "predict/decoder_run.h"
#include "session/print_outputs.h"

typedef struct run_answer {
    answer_args args;
    decoder_run decoder;
} run_answer;

/* clang-format off */
#define RUN_ANSWER_ARGS(a)                                                                         \
    ANSWER_DRAW_ARG(&(a)->args, "FILE",                                                            \
                    "the photograph with what predict says of the outputs drawn into it, .png\n"   \
                    "or .jpg; the answer is printed too, as --table and --as have it"),            \
    ANSWER_ARGS(&(a)->args,                                                                        \
                "; without\n"                                                                      \
                "an answer (--draw, --table, --as) the N largest values along each output's\n"     \
                "last axis not of size 1")
/* clang-format on */

bool run_answer_wanted(const run_answer *a);
/* Decides whether --top and --labels are of the answer or, in *tell, of the outputs. Returns false,
 * after a message of the command of this name, if the options do not go together. */
bool run_answer_args_fit(const run_answer *a, print_outputs_args *tell, const char *command);
/* Prepares the answer, if one is wanted. path is the model's. Fails before the run when there can
 * be none. Free with run_answer_free, also after an error. */
void run_answer_prepare(run_answer *a, const char *path, const inputs *in,
                        const input_args *picture, const session_args *session, bool json,
                        oc_error *e);
/* Draws the answer of the session's last run, and tells it: as members of the object that is open
 * in j; NULL: as text. */
void run_answer_tell(run_answer *a, const inputs *in, const oc_session *s, json_writer *j,
                     oc_error *e);
void run_answer_free(run_answer *a, oc_error *e);
