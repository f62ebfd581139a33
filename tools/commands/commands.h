/* SPDX-License-Identifier: Apache-2.0
 * commands.h - declares the subcommands: each takes its own name as argv[0] and returns an exit
 * code. */
#pragma once

/* clang-format off */
#define COMMAND_MAP(X)                                                         \
    X(run,     "run a model and describe, write or compare its outputs")       \
    X(predict, "draw, list and cut out what a network finds in photographs")   \
    X(map,     "run a model on each file of a folder or a list")               \
    X(bench,   "time a model")                                                 \
    X(inspect, "tell what a model takes, gives and needs")                     \
    X(test,    "run tests in ONNX's layout, and recorded runs")                \
    X(check,   "compare native kernels with ONNX's function bodies")           \
    X(expand,  "replace calls of functions by their bodies")                   \
    X(extract, "cut a part out of a model")                                    \
    X(join,    "put one model behind another")                                 \
    X(reduce,  "find the smallest part that shows a fault")                    \
    X(convert, "turn a model into another format")                             \
    X(ops,     "list the operators that are supported")
/* clang-format on */

#define X(name, text) int cmd_##name(int argc, char **argv);
COMMAND_MAP(X)
#undef X
