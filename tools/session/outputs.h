/* SPDX-License-Identifier: Apache-2.0
 * outputs.h - writes the outputs of a run to files, and reads the expected ones. */
#ifndef TOOLS_SESSION_OUTPUTS_H
#define TOOLS_SESSION_OUTPUTS_H

#include "common/args.h"
#include "values/compare.h"
#include "files/tensor_file.h"

/* The options of the command line about outputs, as given. */
typedef struct output_args {
    args_list output;
    bool png, pb;
    const char *expect;  /* folder or .npz of expected values; NULL: none */
    compare_bound bound; /* of the comparison with them */
} output_args;

/* clang-format off */
#define OUTPUT_ARGS(a)                                                                             \
    {.name = "--output", .letter = 'o', .kind = ARGS_LIST, .value = "[NAME=]PATH",                 \
     .out = &(a)->output,                                                                          \
     .help = "a folder or .npz for all outputs, or a file for one: .npy, .pb,\n"                   \
             ".png, .jpg"},                                                                        \
    {.name = "--png", .kind = ARGS_FLAG, .out = &(a)->png,                                         \
     .help = "outputs that look like pictures go into a folder as .png"},                          \
    {.name = "--pb", .kind = ARGS_FLAG, .out = &(a)->pb,                                           \
     .help = "outputs go into a folder as .pb instead of .npy"},                                   \
    {.name = "--expect", .kind = ARGS_TEXT, .value = "PATH", .out = &(a)->expect,                  \
     .help = "compare with a folder of NAME.npy, NAME.pb or output_N.pb, or\n"                     \
             "with a .npz; differences end in exit code 1"},                                       \
    {.name = "--rtol", .kind = ARGS_NUMBER, .value = "X", .out = &(a)->bound.rtol,                 \
     .help = "relative tolerance of --expect; 1e-3"},                                              \
    {.name = "--atol", .kind = ARGS_NUMBER, .value = "X", .out = &(a)->bound.atol,                 \
     .help = "absolute tolerance of --expect; 1e-7"}
/* clang-format on */

/* Fails when the arguments do not fit the model. Call it before a run, so that no run is wasted. */
void outputs_check(const output_args *a, const oc_model *model, oc_error *e);
/* Writes the outputs of the session's last run as --output asks. */
void outputs_write(const output_args *a, const oc_model *model, const oc_session *session,
                   const tensor_options *options, oc_error *e);

/* Reads the expected value of output i from --expect; NULL and an error when there is none. Free
 * with oc_value_free. */
oc_value *outputs_expected(const output_args *a, const oc_model *model, int i,
                           const tensor_options *options, oc_error *e);

#endif
