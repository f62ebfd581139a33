/* SPDX-License-Identifier: Apache-2.0
 * outputs.h - writes the outputs of a run to files, and reads the expected ones. */
#pragma once

#include "common/index.h"
#include "values/compare.h"
#include "files/tensor_file.h"
#include "session/image_args.h"

/* The options of the command line about outputs, as given. */
typedef struct output_args {
    args_list output;
    image_target *target; /* for each text in `output`, which has only its path then */
    bool png, pb;
    const char *expect;  /* folder or .npz of expected values; NULL: not given */
    compare_bound bound; /* for comparing with the expected values */
} output_args;

/* clang-format off */
#define OUTPUT_ARGS(a)                                                                             \
    ARGS_LETTER('o', "--output", ARGS_LIST, "[NAME=]PATH", &(a)->output,                           \
                "a folder or .npz for all outputs, or a file for one: .npy, .pb,\n"                \
                ".png, .jpg, which :scale=X, :mean=X and :std=X may follow"),                      \
    ARGS_SWITCH("--png", &(a)->png, "outputs that look like pictures go into a folder as .png"),   \
    ARGS_SWITCH("--pb", &(a)->pb, "outputs go into a folder as .pb instead of .npy"),              \
    ARGS_VALUE("--expect", ARGS_TEXT, "PATH", &(a)->expect,                                        \
               "compare with a folder of NAME.npy, NAME.pb or output_N.pb, or\n"                   \
               "with a .npz; differences end in exit code 1"),                                     \
    ARGS_VALUE("--rtol", ARGS_NUMBER, "X", &(a)->bound.rtol,                                       \
               "relative tolerance of --expect; 1e-3"),                                            \
    ARGS_VALUE("--atol", ARGS_NUMBER, "X", &(a)->bound.atol,                                       \
               "absolute tolerance of --expect; 1e-7")
/* clang-format on */

/* Where the outputs of a model go, and where the expected ones come from. */
typedef struct outputs {
    const output_args *args;
    const oc_model *model;
    const tensor_options *options;
    int n;
    char **file;   /* for each output, its file name in a folder, without an ending; all differ */
    char **member; /* for each output, its name in an archive; all differ */
    npz_file expected;         /* the archive of --expect, from the first expected value on */
    text_index expected_names; /* maps the names of its items to indices */
} outputs;

/* Takes the ends that tell the scale of pictures off the arguments' paths. Fails when what they
 * name cannot be an output or expected value, whatever the model is. Call it before folders are
 * made. */
void outputs_check(output_args *a, oc_error *e);
void output_args_free(output_args *a);

/* Fails when the arguments do not fit the model, or when two outputs would be written to one
 * file. Call it before a run, so that no run is wasted. What the arguments point to must outlive
 * the result. Free with outputs_free, also after an error. */
outputs outputs_new(const output_args *a, const oc_model *model, const tensor_options *options,
                    oc_error *e);
void outputs_free(outputs *o);
/* Writes the outputs of the session's last run as --output asks. */
void outputs_write(const outputs *o, const oc_session *session, oc_error *e);

/* Writes values as all outputs into the .npz at path. */
void outputs_write_npz(const outputs *o, const char *path, const oc_value *const *value,
                       oc_error *e);

/* Reads the expected value of output i from --expect; NULL and an error when there is none. Free
 * with oc_value_free. */
oc_value *outputs_expected(outputs *o, int i, oc_error *e);
