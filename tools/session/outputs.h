/* SPDX-License-Identifier: Apache-2.0
 * outputs.h - where the outputs of a run go, and what they are expected to be. */
#ifndef TOOLS_SESSION_OUTPUTS_H
#define TOOLS_SESSION_OUTPUTS_H

#include "common/args.h"
#include "values/compare.h"
#include "files/tensor_file.h"

typedef struct output_args {
    args_list output;
    bool png, pb;
    const char *expect;
    compare_bound bound;
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

/* Finds what is wrong with the arguments before anything has run. */
void outputs_check(const output_args *a, const oc_model *model, oc_error *e);
void outputs_write(const output_args *a, const oc_model *model, const oc_session *session,
                   const tensor_options *options, oc_error *e);

/* The expected value of output i; NULL and an error when there is none. Free with oc_value_free. */
oc_value *outputs_expected(const output_args *a, const oc_model *model, int i,
                           const tensor_options *options, oc_error *e);

#endif
