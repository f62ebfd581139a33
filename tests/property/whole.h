/* SPDX-License-Identifier: Apache-2.0
 * whole.h - a model whose parts are tried, and what a run of it gave for each value of its main
 * graph. */
#pragma once

#include "byte_buffer.h"
#include "same_value.h"
#include "suite.h"

#include <ocellus_model.h>
#include <stdio.h>

enum { MOST_VALUES = 4096 };

/* A value of the main graph, and what a run of the whole gave for it. */
typedef struct known {
    const char *name;
    oc_value *value; /* NULL: nothing yet */
} known;

typedef struct whole {
    const char *path;
    oc_model *model;
    oc_session *session;
    known item[MOST_VALUES];
    int n, n_inputs; /* inputs come first */
    uint32_t seed;   /* of the current part */
} whole;

/* The value called name; NULL: there is none. */
known *whole_find(whole *w, const char *name);
/* Loads the model of w->path and runs it with inputs that are made up. */
void whole_run(whole *w, suite_random *r, oc_error *e);
void whole_free(whole *w);
/* Chooses up to n different values that the run gave; of nodes alone if nodes. Returns how many. */
int whole_choose(whole *w, suite_random *r, int n, bool nodes, const known **chosen);
/* A model made of the whole, written and read back. The caller frees the bytes after it. */
oc_model *whole_read_back(const oc_model *part, oc_format format, byte_buffer *bytes, oc_error *e);
/* Runs the model of each path, until a NULL, and calls cut that number of times for it.
 * seed is that of all numbers. Returns how many models there are. */
int whole_each(char **paths, uint32_t seed, int cuts, void (*cut)(whole *w, suite_random *r));
