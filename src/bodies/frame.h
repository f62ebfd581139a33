/* SPDX-License-Identifier: Apache-2.0
 * frame.h - what the names and "@ref" attributes of a function's body stand for in one call of it.
 *
 * For the inliner alone. Names come from two tables, the old model's and the body library's. The
 * new model's table begins with the old one's names, so those stay as they are; names of the
 * library are interned again. A body that oc_model_check accepts gives a name one meaning
 * throughout, graphs within it included, so one map per call is enough. */
#ifndef OC_BODIES_FRAME_H
#define OC_BODIES_FRAME_H

#include "graph/graph.h"

/* Makes names that nothing else in the new model has. */
typedef struct oc_renamer {
    const oc_model *from;
    oc_model *to;
    oc_arena *scratch;
    oc_name_map values, prefixes; /* names made so far; the next number to try after each */
    oc_error *e;
} oc_renamer;

typedef struct oc_frame {
    struct oc_frame *caller;     /* where the call stands; NULL: this is the main graph */
    const oc_function *function; /* NULL: the main graph */
    const oc_node *call;         /* as the caller has it, not yet renamed */
    bool local;                  /* function is the model's own, and may call others of it */
    const char *prefix;          /* of new names, without the slash */
    oc_name_map index;           /* a name in the body to its place in renamed */
    oc_name *renamed;
    int n_renamed;
    struct oc_frame *outer; /* of a graph attribute: where the attribute is written; its own names
                               alone are in index */
    oc_name_map attr;       /* name to attribute of call, or, from call->n_attr on, default */
} oc_frame;

oc_renamer oc_renamer_new(const oc_model *from, oc_model *to, oc_arena *scratch, oc_error *e);

/* OC_OK, or the first failed allocation. */
oc_status oc_renamer_check(const oc_renamer *r);

/* A new frame with the formal inputs and outputs bound to what the call gives; refuses a call that
 * does not fit the function. An output that is an input too, or is given twice, is bound once: the
 * caller compares oc_frame_value with what the call wants and adds an Identity. */
oc_status oc_frame_new(oc_renamer *r, oc_frame *caller, const oc_node *call,
                       const oc_function *function, bool local, oc_frame **frame);

/* A frame for the nodes of graph g, an attribute written in frame owner, where a node of the body
 * of user stands: its inputs, initializers and outputs of nodes are renamed, all else is owner's.
 */
oc_status oc_frame_of_graph(oc_renamer *r, oc_frame *user, oc_frame *owner, const oc_graph *g,
                            oc_frame **frame);

/* The new name of a value that the frame's body, or a graph within it, calls name. "" stays "", and
 * a missing input is "" too. NULL when memory runs out (remembered). */
oc_name oc_frame_value(oc_renamer *r, oc_frame *f, oc_name name);
/* The new name of a node: "prefix/name". "" stays "". */
oc_name oc_frame_node(oc_renamer *r, const oc_frame *f, oc_name name);
/* Any other name, in the new model's table. */
oc_name oc_frame_text(oc_renamer *r, const oc_frame *f, oc_name name);

/* What attribute a of a node of the body stands for: itself, or what its "@ref" is bound to, or
 * *found NULL when that is nothing. *owner is the frame that graphs in it are written in. */
oc_status oc_frame_attr(oc_renamer *r, oc_frame *f, const oc_attr *a, const oc_attr **found,
                        oc_frame **owner);

/* Gives a node of the frame's body the names that it, its inputs and its outputs get in the new
 * model; the lists are new ones in the arena. */
oc_status oc_frame_names(oc_renamer *r, oc_frame *f, oc_arena *arena, oc_node *n);

/* The version of its domain that a node of the frame's body runs under; 0: none is imported. */
int64_t oc_frame_opset(const oc_renamer *r, const oc_frame *f, const oc_node *n);

/* What messages call a node of caller's body that calls a function: "node 'call/x' (Op-13)". local:
 * the function is the model's own, which has no version. */
const char *oc_frame_label(oc_renamer *r, oc_frame *caller, const oc_node *call, bool local);

#endif
