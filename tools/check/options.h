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
    /* the command that runs the cases, or the model, in place of the kernels; NULL: there is none
     */
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
    ARGS_VALUE("--rtol", ARGS_NUMBER, "X", &(b)->rtol,                                             \
               "of a model's bodies or engine: relative tolerance; 1e-5, more below 32 bits"),     \
    ARGS_VALUE("--atol", ARGS_NUMBER, "X", &(b)->atol,                                             \
               "of a model's bodies or engine: absolute tolerance; 1e-6, of an engine more"),      \
    ARGS_VALUE("--axis", ARGS_LIST, "AXIS", &(o)->axis,                                            \
               "of a model: body, the default, isa, threads, fusion, folding, memory,\n"           \
               "codes, unfused or all; may be given more than once"),                              \
    ARGS_SWITCH("--standard", &(o)->standard, "of a model: bodies in the standard's own words"),   \
    ARGS_VALUE("--keep", ARGS_SIZE, "SIZE", &(o)->keep,                                            \
               "of a model: most bytes of values held to compare with; 1G")

#define CHECK_OPERATOR_ARGS(o)                                                                     \
    ARGS_SWITCH("--all", &(o)->all, "every operator that has cases, a line each"),                 \
    ARGS_VALUE("--case", ARGS_TEXT, "NAME", &(o)->only,                                            \
               "of an operator: only this case, or that of a file .onnxtxt, with inputs and\n"     \
               "outputs"),                                                                         \
    ARGS_VALUE("--sample", ARGS_INT, "N", &(o)->sample,                                            \
               "of operators: the first case of each and every Nth after it"),                     \
    ARGS_VALUE("--body", ARGS_TEXT, "FILE", &(o)->body,                                            \
               "of an operator: this body, in ONNX text, against the kernel"),                     \
    ARGS_VALUE("--against", ARGS_TEXT, "FILE", &(o)->against,                                      \
               "with --body: another body in place of the kernel; of a model: another model, whose\n"\
               "outputs must agree; the first inner value that differs is named"),                 \
    ARGS_VALUE("--inputs", ARGS_LIST, "LIST", &(o)->inputs,                                        \
               "of any operator: cases with these, as in 'float[2,3]; i5 int64[3]'; may be\n"      \
               "given more than once"),                                                            \
    ARGS_VALUE("--attributes", ARGS_LIST, "LIST", &(o)->attributes,                                \
               "with --inputs: cases with these, as in 'axis = 1, mode = \"sum\"'"),               \
    ARGS_VALUE("--opset", ARGS_INT, "N", &(o)->opset,                                              \
               "with --inputs: the version; the newest, or 1 of another domain"),                  \
    ARGS_VALUE("--html", ARGS_TEXT, "FILE", &(o)->html,                                            \
               "write a page with tables and pictures of the differences"),                        \
    ARGS_VALUE("--export", ARGS_TEXT, "DIR", &(o)->export,                                         \
               "of operators: write every case into a new folder, as an ONNX backend test\n"       \
               "with the kernel's outputs, for any engine"),                                       \
    ARGS_SWITCH("--export-bad", &(o)->export_bad, "with --export: only the cases that disagree"),  \
    ARGS_VALUE("--engine", ARGS_TEXT, "COMMAND", &(o)->engine,                                     \
               "the bodies of operators, or all values of a model, against this engine, a\n"       \
               "command of the shell in which {dir} becomes a folder of ONNX backend tests"),      \
    ARGS_VALUE("--engine-seconds", ARGS_NUMBER, "SECONDS", &(o)->engine_seconds,                   \
               "longest time of one run of the engine, up to 500 tests or one model; 600"),        \
    ARGS_SWITCH("--in-double", &(o)->in_double,                                                    \
                "of operators: where results differ, run the body in double too, and say which\n"  \
                "side is nearer to that"),                                                         \
    ARGS_VALUE("--search", ARGS_NUMBER, "SECONDS", &(o)->search,                                   \
               "of operators: then look for the inputs on which kernel, body, body in double and\n"\
               "instruction sets are farthest apart"),                                             \
    ARGS_VALUE("--steps", ARGS_INT, "N", &(o)->steps,                                              \
               "end the search after N runs; with --search, at what comes first"),                 \
    ARGS_LETTER('o', "--output", ARGS_TEXT, "FILE", &(o)->output,                                  \
                "of a search: where the worst case is written, FILE.onnxtxt, for --case FILE.onnxtxt"),\
    ARGS_SWITCH("--markdown", &(o)->markdown,                                                      \
                "of operators: a page with the table that --all prints"),                          \
    ARGS_LETTER('v', "--verbose", ARGS_FLAG, NULL, &(o)->verbose,                                  \
                "of operators: a line for every case; of --engine and a model: for every value")
/* clang-format on */
