/* SPDX-License-Identifier: Apache-2.0
 * edit.h - how passes change the steps of a graph.
 *
 * While a plan is made, the steps of a graph are a list in the order in which they run, and each
 * slot has one value. Passes change the list, and what steps read, by these functions alone: so the
 * step that makes a value, and the number of those who read it, are right at any time. */
#pragma once

#include "plan/planner.h"

/* The dims of a tensor, or of each item of a list, and a tensor's elements where these are few
 * integers, as handles of expressions (expression.h). */
typedef struct oc_symbolic {
    oc_kind kind;
    oc_type type;
    int rank, dim[OC_MAX_RANK];
    bool any_rank; /* the rank is not known: it is that number at most, for a trial */
    int n;
    int *element; /* n entries; NULL: they are not known */
} oc_symbolic;

/* What is known of a slot while the plan is made. */
typedef struct oc_slot {
    oc_step *maker; /* the step whose output the value is; NULL: no step of this graph makes it */
    int n_readers;  /* how many inputs of steps, captures of inner graphs and outputs of the graph
                     * read it */
    int constant;   /* the place of the constant that holds the value; OC_NOWHERE: none does */
    bool feeds_prepare; /* the value has one reader, an input from which op.prepared was made */
    /* What the passes have found of the value (plan/ahead.h). */
    bool asked;            /* ahead.c has looked for the elements */
    bool has_shape;        /* the value's type and dims are known */
    oc_value value;        /* its elements are set if they are known */
    oc_symbolic *symbolic; /* what is known where dims or elements are not; NULL: nothing more */
} oc_slot;

/* The step that makes the value of a place; NULL: none of this graph. */
static inline oc_step *oc_edit_maker(const oc_graph_plan *g, int place)
{
    return oc_place_is_slot(place) ? g->slot[place].maker : NULL;
}

/* Makes room for n slots in all, of which the graph has fewer; false: memory runs out. */
bool oc_edit_reserve(oc_planner *p, oc_graph_plan *g, int n);
/* Adds a slot for a value, which the name finds unless it is "". Returns its place, or OC_NOWHERE
 * if memory runs out. */
int oc_edit_add_slot(oc_planner *p, oc_graph_plan *g, oc_name name);
/* Puts a step before the step `next`; if next is NULL, behind all steps. What the graphs of its
 * attributes capture is known by then. */
void oc_edit_insert(oc_graph_plan *g, oc_step *s, oc_step *next);
/* Replaces what the step computes by `fresh`; its outputs stay. */
void oc_edit_replace(oc_graph_plan *g, oc_step *s, const oc_step *fresh);
/* Takes a step out of the list. Nobody reads its outputs. */
void oc_edit_remove(oc_graph_plan *g, oc_step *s);
/* A reader, an input of a step or an output of the graph, now reads another place. */
void oc_edit_read(oc_graph_plan *g, int *reader, int place);
/* Counts one more reader of a place. */
void oc_edit_count_reader(oc_graph_plan *g, int place);
/* Whoever reads a slot reads the place `to` of that slot instead, in graphs within too: a graph
 * captures no constant. */
oc_status oc_edit_redirect(oc_planner *p, oc_graph_plan *g, const int *to);
/* Sets the ids of the steps to their numbers in the list. */
void oc_edit_number(oc_graph_plan *g);
