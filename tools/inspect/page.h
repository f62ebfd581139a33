/* SPDX-License-Identifier: Apache-2.0
 * page.h - inspect --html: writes one page with the graph as a picture and all about each node. */
#pragma once

#include "files/html.h"
#include "inspect/view.h"
#include "inspect/weight_list.h"

typedef struct page {
    view view;
    const char *path; /* path of the model */
    const weight_list *weights;
    const char *decoder;        /* what predict would make of its outputs; "": nothing */
    const char *const *problem; /* texts of problems, then of remarks */
    int n_problem, n_remark;
    io_bytes values; /* filled by page_add_value */
} page;

/* Adds what the page shows of a value: its range and, for a tensor, its elements if they are
 * few, or else a small picture of the elements in its last two axes with the others at 0. */
void page_add_value(io_bytes *values, const char *name, const oc_value *v, oc_error *e);
/* Adds all outputs of the nodes of the main graph that the session then runs. *o must outlive
 * the session. */
typedef struct page_observer {
    page *page;
    oc_error error; /* the first error, which ends the run */
} page_observer;
void page_observe(page_observer *o, oc_session_options *options);

/* Writes the page to a file. The page needs no network. */
void page_write(const page *p, const char *to, oc_error *e);
