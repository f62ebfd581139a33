/* SPDX-License-Identifier: Apache-2.0
 * inliner.h - the inside of the inliner, for inline.c and inline_call.c alone.
 *
 * What a body costs is counted, since a few functions that call each other twice expand without
 * bound. A unit of work is a node or a name of one. */
#ifndef OC_BODIES_INLINER_H
#define OC_BODIES_INLINER_H

#include "bodies/frame.h"
#include "bodies/inline.h"
#include "graph/opkey.h"

/* Open calls and open graphs bound the C stack. */
enum { OC_INLINE_CALLS = 200, OC_INLINE_WORK = 1 << 22 };

typedef struct oc_inliner {
    oc_renamer names;
    oc_model *to;
    oc_chooser *chooser;    /* NULL: only the model's own functions are expanded */
    oc_types *types;        /* of the new model's values */
    oc_opkey_map functions; /* to indices of the old model's functions */
    int n_calls, depth;     /* open now: calls, and graphs within graphs */
    int64_t work;           /* what may still be done within calls */
    oc_error *e;
} oc_inliner;

/* ---- inline.c */

/* Counts n units of work within a call; the main graph's own nodes are free. */
oc_status oc_inliner_spend(oc_inliner *x, int64_t n);
/* Room for n names in the new model. */
oc_name *oc_inliner_names(oc_inliner *x, int n);

/* What a frame has, copied to out. */
oc_status oc_inline_initializers(oc_inliner *x, oc_frame *f, const oc_graph *g, oc_graph *out);
oc_status oc_inline_nodes(oc_inliner *x, oc_frame *f, const oc_graph *g, oc_graph *out);

/* ---- inline_call.c */

/* A call's function: one of the model's own, where the caller may know them, or the body that is
 * chosen for it. NULL: the node stays. */
oc_status oc_inline_callee(oc_inliner *x, oc_frame *f, const oc_node *n,
                           const oc_function **function, bool *local);
/* The nodes of function's body in place of call n. */
oc_status oc_inline_call(oc_inliner *x, oc_frame *caller, const oc_node *n,
                         const oc_function *function, bool local, oc_graph *out);

/* Does the node stand for a graph attribute of the body's function? */
bool oc_is_graph_call(const oc_frame *f, const oc_node *n);
/* The nodes of the graph attribute that n names, between Identity nodes that bind its ports. */
oc_status oc_inline_graph(oc_inliner *x, oc_frame *f, const oc_node *n, oc_graph *out);

#endif
