/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - dims of outputs that the model does not tell, found from those of its inputs.
 *
 * Where inputs have dims without a size, they are given one, twice: a dim of an output that is the
 * same both times has that size, and one that is both times as large as a dim of an input has the
 * name of that. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

enum {
    TIMES = 2,
    FIRST = 64, /* a size that networks halve five times; others are larger by steps */
    STEP = 32
};

typedef struct shape_finder {
    OrtSession *session;
    int time;
    oc_port *input;        /* the session's, with a size for each dim */
    oc_port *found[TIMES]; /* of each output: what a plan knows of it */
} shape_finder;

/* ---- sizes of inputs ---- */

static bool is_open(const oc_port *port, int axis)
{
    return port->dim[axis] < 0;
}

static bool same_name(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* The size that a dim of an input has at that time, and with it all of its name. */
static int64_t size_of(const OrtSession *s, int input, int axis, int time)
{
    int before = 0; /* dims without a size */
    const char *name = s->input[input].dim_name[axis];
    for (int i = 0; i <= input; i++)
        for (int a = 0; a < s->input[i].rank; a++) {
            if (!is_open(&s->input[i], a))
                continue;
            if ((i == input && a == axis) || same_name(name, s->input[i].dim_name[a]))
                return FIRST + STEP * (TIMES * before + time);
            before++;
        }
    return FIRST;
}

/* Gives all inputs sizes; false: they have them. */
static bool set_sizes(shape_finder *f)
{
    const OrtSession *s = f->session;
    bool any = false;
    for (int i = 0; i < s->n_input; i++) {
        f->input[i] = s->input[i];
        for (int a = 0; a < s->input[i].rank; a++)
            if (is_open(&s->input[i], a)) {
                f->input[i].dim[a] = size_of(s, i, a, f->time);
                any = true;
            }
    }
    return any;
}

/* ---- dims of outputs ---- */

/* Is the name of an open dim of an output that of one of an input? */
static bool is_named(const OrtSession *s, const char *name)
{
    for (int i = 0; name && i < s->n_input; i++)
        for (int a = 0; a < s->input[i].rank; a++)
            if (is_open(&s->input[i], a) && same_name(name, s->input[i].dim_name[a]))
                return true;
    return false;
}

/* Is there an output of which the model tells less than it may? */
static bool is_wanted(const OrtSession *s)
{
    for (int k = 0; k < s->n_output; k++) {
        const oc_port *out = &s->output[k];
        bool told = out->kind != OC_TENSOR || (out->rank >= 0 && out->type != OC_UNDEFINED);
        for (int a = 0; told && out->kind == OC_TENSOR && a < out->rank; a++)
            told = !is_open(out, a) || is_named(s, out->dim_name[a]);
        if (!told)
            return true;
    }
    return false;
}

static void take_outputs(void *ctx, const oc_node_info *node)
{
    shape_finder *f = ctx;
    for (int i = 0; node->depth == 0 && i < node->n_out; i++) {
        const int k = ort_session_output(f->session, node->out[i].name);
        if (k >= 0)
            f->found[f->time][k] = node->out[i];
    }
}

/* The name of the dim of an input that has these sizes; NULL: none has. */
static const char *name_of(const OrtSession *s, int64_t first, int64_t second)
{
    for (int i = 0; i < s->n_input; i++)
        for (int a = 0; a < s->input[i].rank; a++)
            if (is_open(&s->input[i], a) && size_of(s, i, a, 0) == first &&
                size_of(s, i, a, 1) == second)
                return s->input[i].dim_name[a];
    return NULL;
}

/* What the model tells stays. */
static void complete(const OrtSession *s, oc_port *out, const oc_port *first, const oc_port *second)
{
    if (out->kind != OC_TENSOR || first->kind != OC_TENSOR)
        return;
    if (out->type == OC_UNDEFINED)
        out->type = first->type;
    if (first->rank < 0 || first->rank != second->rank)
        return;
    if (out->rank < 0) {
        out->rank = first->rank;
        for (int a = 0; a < out->rank; a++) {
            out->dim[a] = -1;
            out->dim_name[a] = NULL;
        }
    }
    for (int a = 0; a < out->rank && out->rank == first->rank; a++) {
        if (!is_open(out, a) || first->dim[a] < 0 || second->dim[a] < 0)
            continue;
        if (first->dim[a] == second->dim[a]) {
            out->dim[a] = first->dim[a];
            out->dim_name[a] = NULL;
        } else if (!out->dim_name[a]) {
            out->dim_name[a] = name_of(s, first->dim[a], second->dim[a]);
        }
    }
}

/* ---- both ---- */

/* A model that no plan can be made of tells less, and is refused later. */
static void find_all(shape_finder *f)
{
    const OrtSession *s = f->session;
    bool open = true;
    for (f->time = 0; f->time < TIMES && open; f->time++) {
        oc_error e = {0};
        for (int k = 0; k < s->n_output; k++)
            f->found[f->time][k].rank = -1;
        open = set_sizes(f);
        oc_model_visit(s->model, f->input, take_outputs, f, &e);
    }
    const int last = open ? 1 : 0;
    for (int k = 0; k < s->n_output; k++)
        complete(s, &s->output[k], &f->found[0][k], &f->found[last][k]);
}

OrtStatus *ort_shapes_find(OrtSession *session)
{
    shape_finder f = {.session = session};
    if (!is_wanted(session))
        return NULL;
    OrtStatus *status = ort_new((size_t)session->n_input * sizeof *f.input, &f.input);
    for (int t = 0; t < TIMES && !status; t++)
        status = ort_new((size_t)session->n_output * sizeof *f.found[t], &f.found[t]);
    if (!status)
        find_all(&f);
    for (int t = 0; t < TIMES; t++)
        free(f.found[t]);
    free(f.input);
    return status;
}
