/* SPDX-License-Identifier: Apache-2.0
 * call_graphs.c - runs the graphs of a node's attributes, and tells their inputs and outputs. */
#include "ops/kit/call.h"

oc_status oc_run_graph(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                       int n_out)
{
    oc_services *s = c->services;
    const int attr = oc_call_attr_index(c, name);
    int want_in, want_out;
    OC_TRY(oc_check_limits(c));
    for (int i = 0; i < n_out; i++)
        out[i] = (oc_value){0};
    s->graph_ports(c, attr, &want_in, &want_out);
    if (want_in != n_in || want_out != n_out)
        return oc_fail(c, OC_MODEL, "graph '%s' has %d inputs and %d outputs, expected %d and %d",
                       name, want_in, want_out, n_in, n_out);
    return s->run_graph(s->runtime, c, attr, in, n_in, out, n_out);
}

int oc_graph_n_in(const oc_call *c, const char *name)
{
    int n_in, n_out;
    c->services->graph_ports(c, oc_call_attr_index(c, name), &n_in, &n_out);
    return n_in;
}

int oc_graph_n_out(const oc_call *c, const char *name)
{
    int n_in, n_out;
    c->services->graph_ports(c, oc_call_attr_index(c, name), &n_in, &n_out);
    return n_out;
}

oc_value oc_graph_in(const oc_call *c, const char *name, int i)
{
    oc_value declared;
    c->services->graph_port(c, oc_call_attr_index(c, name), true, i, &declared);
    return declared;
}

oc_value oc_graph_out(const oc_call *c, const char *name, int i)
{
    oc_value declared;
    c->services->graph_port(c, oc_call_attr_index(c, name), false, i, &declared);
    return declared;
}

oc_status oc_graph_shapes(oc_call *c, const char *name, const oc_value *in, int n_in, oc_value *out,
                          int n_out)
{
    oc_services *s = c->services;
    return s->graph_shapes(s->runtime, c, oc_call_attr_index(c, name), in, n_in, out, n_out);
}
