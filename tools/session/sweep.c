/* SPDX-License-Identifier: Apache-2.0
 * sweep.c - which axes does a dimension's name mean, and which sizes do they get? */
#include "session/sweep.h"

#include <errno.h>

/* ---- the option ---- */

static bool read_sizes(sweep *s, const char *text)
{
    for (const char *at = text;;) {
        char *end;
        errno = 0;
        const long long size = strtoll(at, &end, 10);
        if (end == at || errno || size < 1 || (*end && *end != ','))
            return false;
        s->size = tool_push(s->size, (size_t)s->n, sizeof *s->size);
        s->size[s->n++] = size;
        if (!*end)
            return true;
        at = end + 1;
    }
}

sweep sweep_read(const char *text, oc_error *e)
{
    sweep s = {0};
    const char *equals = text ? strrchr(text, '=') : NULL;
    if (!text)
        return s;
    s.name = tool_format("%.*s", equals ? (int)(equals - text) : 0, text);
    if (!*s.name || !read_sizes(&s, equals + 1))
        tool_fail(e, OC_ARGUMENT, "--sweep is '%s', expected NAME=N,N,..., each N at least 1",
                  text);
    return s;
}

void sweep_free(sweep *s)
{
    free(s->name);
    free(s->size);
    *s = (sweep){0};
}

/* ---- axes ---- */

/* Does a --dim of this name mean axis k of the port? */
static bool names_axis(const char *name, const oc_port *port, int k)
{
    char *place = tool_format("%s:%d", port->name, k);
    const bool yes =
        strcmp(place, name) == 0 || (port->dim_name[k] && strcmp(port->dim_name[k], name) == 0);
    free(place);
    return yes;
}

static bool is_dimension(const oc_model *m, const char *name)
{
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port port = oc_model_input(m, i);
        for (int k = 0; k < port.rank; k++)
            if (names_axis(name, &port, k))
                return true;
    }
    return false;
}

/* Takes ownership of text. n_given is the number of dims that the command line gives. */
static void add_dim(args_list *dims, int n_given, char *text)
{
    for (int i = n_given; i < dims->n; i++)
        if (strcmp(dims->item[i], text) == 0) {
            free(text);
            return;
        }
    dims->item = tool_push(dims->item, (size_t)dims->n, sizeof *dims->item);
    dims->item[dims->n++] = text;
}

/* Adds those free first axes that have the name of the first one, or no name. */
static void add_first_axes(args_list *dims, const oc_model *m, int64_t size)
{
    const int n_given = dims->n;
    const char *name = NULL;
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port port = oc_model_input(m, i);
        if (port.has_default || port.rank < 1 || port.dim[0] >= 0)
            continue;
        const char *own = port.dim_name[0];
        name = name ? name : own;
        if (!own)
            add_dim(dims, n_given, tool_format("%s:0=%" PRId64, port.name, size));
        else if (strcmp(own, name) == 0)
            add_dim(dims, n_given, tool_format("%s=%" PRId64, own, size));
    }
}

args_list sweep_dims(const sweep *s, const oc_model *m, int64_t size, const args_list *given,
                     oc_error *e)
{
    args_list dims = {0};
    for (int i = 0; i < given->n; i++) {
        dims.item = tool_push(dims.item, (size_t)i, sizeof *dims.item);
        dims.item[dims.n++] = given->item[i];
    }
    if (e->code != OC_OK)
        return dims;
    if (is_dimension(m, s->name))
        add_dim(&dims, given->n, tool_format("%s=%" PRId64, s->name, size));
    else if (strcmp(s->name, "batch") == 0)
        add_first_axes(&dims, m, size);
    if (dims.n == given->n)
        tool_fail(e, OC_ARGUMENT, "--sweep %s: no input has such a dimension%s", s->name,
                  strcmp(s->name, "batch") == 0 ? ", or a first axis without a fixed size" : "");
    for (int d = given->n; d < dims.n; d++) {
        const char *before = inputs_same_dim(&dims, d);
        if (before)
            tool_fail(e, OC_ARGUMENT, "--sweep %s: there is --dim %s too", s->name, before);
    }
    return dims;
}

void sweep_free_dims(args_list *dims, const args_list *given)
{
    for (int i = given->n; i < dims->n; i++)
        free((char *)dims->item[i]);
    args_list_free(dims);
}

static void check_input(const oc_port *port, const oc_value *v, const char *dim, oc_error *e)
{
    const char *equals = strrchr(dim, '=');
    char *name = tool_format("%.*s", (int)(equals - dim), dim);
    for (int k = 0; k < port->rank && k < oc_value_rank(v) && e->code == OC_OK; k++)
        if (names_axis(name, port, k) && oc_value_dims(v)[k] != strtoll(equals + 1, NULL, 10))
            tool_fail(e, OC_ARGUMENT,
                      "--sweep %s: the file for input '%s' has %" PRId64 " on axis %d; leave the "
                      "input to --fill",
                      dim, port->name, oc_value_dims(v)[k], k);
    free(name);
}

void sweep_check(const inputs *in, const args_list *dims, const args_list *given, oc_error *e)
{
    for (int d = given->n; d < dims->n; d++)
        for (int i = 0; i < in->n && e->code == OC_OK; i++) {
            const oc_port port = oc_model_input(in->model, i);
            if (in->value[i] && oc_value_kind(in->value[i]) == OC_TENSOR)
                check_input(&port, in->value[i], dims->item[d], e);
        }
}

int64_t sweep_batch(const inputs *in, const oc_session *s)
{
    oc_error none = {0};
    int i = 0;
    while (i < in->n && oc_model_input(in->model, i).has_default)
        i++;
    const oc_value *y = oc_fetch_value_at(s, 0, &none);
    const oc_value *x = i < in->n ? in->value[i] : NULL;
    if (!x || !y || oc_value_kind(x) != OC_TENSOR || oc_value_kind(y) != OC_TENSOR ||
        oc_value_rank(x) < 1 || oc_value_rank(y) < 1)
        return 0;
    const oc_port port = oc_model_input(in->model, i);
    const bool is_free = port.rank < 0 || port.dim[0] < 0;
    return is_free && oc_value_dims(x)[0] == oc_value_dims(y)[0] ? oc_value_dims(x)[0] : 0;
}
