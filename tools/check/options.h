/* SPDX-License-Identifier: Apache-2.0
 * options.h - the options of ocellus check. */
#pragma once

#include "session/session_args.h"

enum { CHECK_DEFAULT = -1 }; /* stands for a tolerance that was not given */

typedef struct check_options {
    session_args session;
    bool verbose, json, markdown;
    bool all;         /* every operator that has cases, with a line for each */
    const char *only; /* the only case to run; NULL: all are run */
    int64_t sample; /* N: run the first case of an operator, and every N-th after it; 0: run all */
    /* Files of bodies. body NULL: the built-in bodies are checked. against NULL: they are
     * compared with the kernel. When a model is checked, against without body is the file of
     * another model. */
    const char *body, *against;
    const char *html;   /* path of the HTML page; NULL: there is none */
    const char *export; /* folder into which the cases are written as tests; NULL: they are not */
    bool export_bad;    /* true: only the cases that disagree are written */
    /* the command that runs the cases in place of the kernel; NULL: there is none */
    const char *engine;
    double search;      /* seconds of a search for the worst inputs; 0: no search by time */
    int64_t steps;      /* steps of such a search; 0: no search by steps */
    const char *output; /* file for the worst case; NULL: it is not written */
    bool in_double; /* true: cases that disagree also run in double, to tell which side is nearer */
    double engine_seconds; /* longest time of one run of the engine; 0: as engine.h says */
    args_list axis;        /* for a model: names of axes; empty: only the axis body */
    bool standard;         /* for a model, true: bodies are the standard's own texts */
    size_t keep;           /* for a model: most bytes of values held; 0: 1 GiB */
    /* Cases of the user's own, written as in case_file.h. opset 0: the newest one, or 1 for a
     * domain that is not ONNX's. */
    args_list inputs, attributes;
    int64_t opset;
} check_options;

/* The options for a model, whose tolerances go to *b, and those for operators. */
/* clang-format off */
#define CHECK_MODEL_ARGS(o, b)                                                                     \
    {.name = "--rtol", .kind = ARGS_NUMBER, .value = "X", .out = &(b)->rtol,                       \
     .help = "of a model's bodies: relative tolerance; 1e-5, more for types below 32 bits"},       \
    {.name = "--atol", .kind = ARGS_NUMBER, .value = "X", .out = &(b)->atol,                       \
     .help = "of a model's bodies: absolute tolerance; 1e-6"},                                     \
    {.name = "--axis", .kind = ARGS_LIST, .value = "AXIS", .out = &(o)->axis,                      \
     .help = "of a model: body, the default, isa, threads, fusion, folding, memory,\n"              \
             "codes or all; may be given more than once"},                                               \
    {.name = "--standard", .kind = ARGS_FLAG, .out = &(o)->standard,                               \
     .help = "of a model: bodies in the standard's own words"},                                    \
    {.name = "--keep", .kind = ARGS_SIZE, .value = "SIZE", .out = &(o)->keep,                      \
     .help = "of a model: most bytes of values held to compare with; 1G"}

#define CHECK_OPERATOR_ARGS(o)                                                                     \
    {.name = "--all", .kind = ARGS_FLAG, .out = &(o)->all,                                         \
     .help = "every operator that has cases, a line each"},                                        \
    {.name = "--case", .kind = ARGS_TEXT, .value = "NAME", .out = &(o)->only,                      \
     .help = "of an operator: only this case, or that of a file .onnxtxt, with inputs and\n"        \
             "outputs"},                           \
    {.name = "--sample", .kind = ARGS_INT, .value = "N", .out = &(o)->sample,                      \
     .help = "of operators: the first case of each and every Nth after it"},                       \
    {.name = "--body", .kind = ARGS_TEXT, .value = "FILE", .out = &(o)->body,                      \
     .help = "of an operator: this body, in ONNX text, against the kernel"},                       \
    {.name = "--against", .kind = ARGS_TEXT, .value = "FILE", .out = &(o)->against,                \
     .help = "with --body: another body in place of the kernel; of a model: another model, whose\n"  \
             "outputs must agree; the first inner value that differs is named"},                                  \
    {.name = "--inputs", .kind = ARGS_LIST, .value = "LIST", .out = &(o)->inputs,                  \
     .help = "of any operator: cases with these, as in 'float[2,3]; i5 int64[3]'; may be\n"        \
             "given more than once"},                                                              \
    {.name = "--attributes", .kind = ARGS_LIST, .value = "LIST", .out = &(o)->attributes,          \
     .help = "with --inputs: cases with these, as in 'axis = 1, mode = \"sum\"'"},                 \
    {.name = "--opset", .kind = ARGS_INT, .value = "N", .out = &(o)->opset,                        \
     .help = "with --inputs: the version; the newest, or 1 of another domain"},                    \
    {.name = "--html", .kind = ARGS_TEXT, .value = "FILE", .out = &(o)->html,                      \
     .help = "write a page with tables and pictures of the differences"},                  \
    {.name = "--export", .kind = ARGS_TEXT, .value = "DIR", .out = &(o)->export,                   \
     .help = "of operators: write every case into a new folder, as an ONNX backend test\n"         \
             "with the kernel's outputs, for any engine"},                                         \
    {.name = "--export-bad", .kind = ARGS_FLAG, .out = &(o)->export_bad,                           \
     .help = "with --export: only the cases that disagree"},                                       \
    {.name = "--engine", .kind = ARGS_TEXT, .value = "COMMAND", .out = &(o)->engine,               \
     .help = "of operators: the bodies against this engine, a command of the shell in\n"           \
             "which {dir} becomes a folder of ONNX backend tests"},                                \
    {.name = "--engine-seconds", .kind = ARGS_NUMBER, .value = "SECONDS",                          \
     .out = &(o)->engine_seconds,                                                                  \
     .help = "longest time of one run of the engine, up to 500 tests; 600"},                       \
    {.name = "--in-double", .kind = ARGS_FLAG, .out = &(o)->in_double,                             \
     .help = "of operators: where results differ, run the body in double too, and say which\n"      \
             "side is nearer to that"},                                                            \
    {.name = "--search", .kind = ARGS_NUMBER, .value = "SECONDS", .out = &(o)->search,             \
     .help = "of operators: then look for the inputs on which kernel, body, body in double and\n"   \
             "instruction sets are farthest apart"},                                               \
    {.name = "--steps", .kind = ARGS_INT, .value = "N", .out = &(o)->steps,                        \
     .help = "end the search after N runs; with --search, at what comes first"},                   \
    {.name = "--output", .letter = 'o', .kind = ARGS_TEXT, .value = "FILE", .out = &(o)->output,   \
     .help = "of a search: where the worst case is written, FILE.onnxtxt, for --case FILE.onnxtxt"}, \
    {.name = "--markdown", .kind = ARGS_FLAG, .out = &(o)->markdown,                               \
     .help = "of operators: a page with the table that --all prints"},                             \
    {.name = "--verbose", .letter = 'v', .kind = ARGS_FLAG, .out = &(o)->verbose,                  \
     .help = "of operators: a line for every case"}
/* clang-format on */
