/* SPDX-License-Identifier: Apache-2.0
 * joiner.h - what the files that join two models share. */
#pragma once

#include "bodies/inliner.h"

typedef struct oc_joiner {
    oc_inliner *x;
    const oc_model *first, *second;
    oc_env *main_env; /* of the first model */
    oc_joint joint;   /* the second model */
    /* for each input of the second model: the output or input of the first that it takes; NULL:
     * none */
    const oc_value_info **feed;
    bool *feeds; /* for each output of the first model: true when an input takes it */
    /* the names of the second model's inputs and outputs in the new model */
    oc_name *in, *out;
} oc_joiner;

/* Before IR version 4 models list their weights as inputs. Is input i a weight? */
static inline bool oc_is_weight(const oc_model *m, int i)
{
    return oc_model_names_weights(m) && m->has_default[i];
}

/* ---- join_ports.c */

/* Finds what the inputs of the second model take. */
oc_status oc_join_link(oc_joiner *j);
/* Finds the names of inputs and outputs. Values within the first model that are named like inputs
 * and outputs of the second get other names in main_env. */
oc_status oc_join_name_ports(oc_joiner *j);
/* The new model's graph, a copy of the first model's, gets the inputs and outputs that it has
 * together with the second model, whose environment is env. */
oc_status oc_join_set_ports(oc_joiner *j, oc_env *env);

/* ---- join_declared.c */

/* As oc_join.declare. */
oc_status oc_join_declare(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out);

/* ---- join_symbols.c */

/* The symbols of a linked input stand for the dims of what it takes. */
void oc_join_link_symbols(oc_joiner *j);
/* Gives the dims of a type that the joint declares their symbols in the new model. */
void oc_join_rename_dims(oc_inliner *x, const oc_joint *joint, oc_type_info *t);
