/* SPDX-License-Identifier: Apache-2.0
 * limits.h - the bounds on what files and hosts may ask for.
 *
 * A request beyond a bound is refused with OC_LIMIT, or with OC_FORMAT in a text model.
 * docs/limits.md lists the bounds. A bound that a type or the algorithm of one operator sets is
 * in that operator's file, and the message of its error names it. */
#pragma once

/* X(name, value, text): OC_MAX_name is the value, and the text says what it bounds. */
#define OC_BOUND_MAP(X)                                                                            \
    X(MESSAGES, 100, "messages within messages of a binary model or value")                        \
    X(NESTING, 64, "graphs within graphs, types within types and brackets within brackets")        \
    X(VALUE_NESTING, 16, "sequences and optionals within a value")                                 \
    X(IMPORTS, 256, "opset imports of a model or function")                                        \
    X(CALLS, 200, "calls of functions within functions")                                           \
    X(INLINED, 1 << 22, "nodes and names that inlining functions may copy")                        \
    X(GIB, 4, "GiB of memory for a model and its sessions where the host sets no cap")             \
    X(STREAM_GIB, 2, "GiB of a model that is a pipe, a device or a stream of the host")            \
    X(THREADS, 256, "threads of a session")                                                        \
    X(PATTERN_GROUPS, 250, "groups within groups of a regular expression")                         \
    X(PATTERN_NODES, 1 << 14, "nodes of a regular expression, two for a character")                \
    X(PATTERN_REPEATS, 1000, "the largest count of a repetition in a regular expression")          \
    X(BOXES, 1 << 29, "boxes of NonMaxSuppression in one batch")

enum {
#define X(name, value, what) OC_MAX_##name = (value),
    OC_BOUND_MAP(X)
#undef X
};
