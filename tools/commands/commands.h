/* SPDX-License-Identifier: Apache-2.0
 * commands.h - declares the subcommands: each takes its own name as argv[0] and returns an exit
 * code. */
#pragma once

/* A page (web) only reads models, has no folders, and measures nothing, so it is built without
 * these. */
#ifdef TOOLS_PAGE
#define NOT_IN_PAGE(row)
#else
#define NOT_IN_PAGE(row) row
#endif

/* clang-format off */
#define COMMAND_MAP(X)                                                      \
    X(run,     "run a model and describe, write or compare its outputs")    \
    X(predict, "draw, list and cut out what a network finds in photographs") \
    NOT_IN_PAGE(X(map,     "run a model on each file of a folder or a list"))\
    NOT_IN_PAGE(X(bench,   "time a model"))                                  \
    X(inspect, "tell what a model takes, gives and needs")                  \
    NOT_IN_PAGE(X(test,    "run tests in ONNX's layout"))                    \
    X(check,   "compare native kernels with ONNX's function bodies")        \
    NOT_IN_PAGE(X(expand,  "replace calls of functions by their bodies"))    \
    NOT_IN_PAGE(X(extract, "cut a part out of a model"))                     \
    NOT_IN_PAGE(X(join,    "put one model behind another"))                  \
    NOT_IN_PAGE(X(reduce,  "find the smallest part that shows a fault"))     \
    NOT_IN_PAGE(X(convert, "turn a model into another format"))              \
    X(ops,     "list the operators that are supported")
/* clang-format on */

#define X(name, text) int cmd_##name(int argc, char **argv);
COMMAND_MAP(X)
#undef X
