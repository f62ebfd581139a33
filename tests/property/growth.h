/* SPDX-License-Identifier: Apache-2.0
 * growth.h - how much time and memory does a model of n things of one kind cost? */
#pragma once

#include "models.h"

/* A kind of thing that a file decides the number of. */
typedef struct growth {
    const char *name;
    void (*write)(text_buffer *t, int n); /* a model of n of them, as text */
    int n;                                /* items that take long enough to be timed */
    bool refused; /* a session of the model is refused; how long does that take? */
} growth;

/* The kinds of growth_lists.c and growth_graphs.c; the last of each has no name. */
extern const growth growths_of_lists[], growths_of_graphs[];

#define HEADER "<ir_version: 10, opset_import: [\"\": 20]>\n"

/* What is done with a model, in this order. */
typedef enum growth_stage {
    GROWTH_READ_TEXT,
    GROWTH_SAVE_BINARY,
    GROWTH_READ_BINARY,
    GROWTH_SAVE_TEXT,
    GROWTH_EXPAND,
    GROWTH_PLAN,
    GROWTH_BIND,
    GROWTH_RUN,
    GROWTH_FETCH,
    GROWTH_FREE,
    GROWTH_STAGES
} growth_stage;

extern const char *const growth_stage_names[GROWTH_STAGES];

typedef struct growth_cost {
    double seconds[GROWTH_STAGES]; /* of this process's processor time */
    size_t bytes;                  /* the most that the library had allocated at one time */
    size_t size;                   /* of the model's text */
} growth_cost;

/* growth_cost.c: does all that with a model of n things. */
growth_cost growth_measure(const growth *g, int n);
