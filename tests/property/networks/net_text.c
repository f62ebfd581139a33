/* SPDX-License-Identifier: Apache-2.0
 * net_text.c - the ONNX text of a network, its nodes in the graph, in a branch of If, in the body
 * of Loop, or in a function of the model. */
#include "net.h"

#include <stdlib.h>

void net_write_model(net *n);

/* Exact in text: a whole number in hexadecimal digits times a power of two. Networks have
 * thousands, so this is faster than printf. */
static void write_hexadecimal(net_text *t, double x)
{
    char text[24], digits[17];
    int exponent, size = 0, n = 0;
    uint64_t whole = (uint64_t)(frexp(fabs(x), &exponent) * 0x1p53);
    exponent -= 53;
    while ((whole & 15) == 0) {
        whole >>= 4;
        exponent += 4;
    }
    for (; whole; whole >>= 4)
        digits[n++] = "0123456789abcdef"[whole & 15];
    if (x < 0)
        text[size++] = '-';
    text[size++] = '0';
    text[size++] = 'x';
    while (n)
        text[size++] = digits[--n];
    text[size++] = 'p';
    if (exponent < 0)
        text[size++] = '-';
    exponent = abs(exponent);
    if (exponent > 99)
        text[size++] = (char)('0' + exponent / 100);
    if (exponent > 9)
        text[size++] = (char)('0' + exponent / 10 % 10);
    text[size++] = (char)('0' + exponent % 10);
    net_write(t, text, size);
}

static void write_number(net_text *t, net_type type, double x)
{
    if (!net_is_float(type))
        net_add(t, "%lld", (long long)x);
    else if (x == (double)(int64_t)x && fabs(x) < 1e6)
        net_add(t, "%.1f", x);
    else
        write_hexadecimal(t, x);
}

static void write_type(net_text *t, const net_tensor *v, bool dims)
{
    net_add(t, "%s", net_type_name(v->type));
    if (!dims || v->rank == 0) {
        net_add(t, "%s ", dims ? "" : "[]");
        return;
    }
    for (int i = 0; i < v->rank; i++)
        net_add(t, "%s%lld", i ? ", " : "[", (long long)v->dim[i]);
    net_add(t, "] ");
}

static void write_constants(const net *n, net_text *t)
{
    bool any = false;
    for (int i = 0; i < n->n_values; i++) {
        const net_tensor *v = &n->value[i];
        if (!v->is_constant)
            continue;
        net_add(t, any ? ",\n  " : "<");
        any = true;
        write_type(t, v, true);
        net_add(t, "%s = {", v->name);
        for (int64_t k = 0; k < v->n; k++) {
            net_write(t, ", ", k ? 2 : 0);
            write_number(t, v->type, v->v[k]);
        }
        net_add(t, "}");
    }
    net_add(t, any ? ">" : "");
}

/* Calls what each of the graph's outputs is named in the frame: "v3", and "o_v3" outside. */
static void write_outputs(const net *n, net_text *t, const char *before, bool typed)
{
    bool any = false;
    for (int i = 0; i < n->n_values; i++)
        if (n->value[i].is_output) {
            net_add(t, "%s%s%s%s%s", any ? ", " : "", typed ? net_type_name(n->value[i].type) : "",
                    typed ? "[] " : "", before, n->value[i].name);
            any = true;
        }
}

static void write_inputs(const net *n, net_text *t, bool typed, bool constants)
{
    bool any = false;
    for (int i = 0; i < n->n_values; i++) {
        const net_tensor *v = &n->value[i];
        if (!v->is_input && !(constants && v->is_constant))
            continue;
        net_add(t, any ? ", " : "");
        any = true;
        if (typed)
            write_type(t, v, (n->seed >> (i % 3)) & 1);
        net_add(t, "%s", v->name);
    }
}

static void write_if(const net *n, net_text *t)
{
    net_add(t, "{\n");
    write_outputs(n, t, "o_", false);
    const bool in_then = n->seed >> 9 & 1;
    net_add(t, " = If <%s = taken () => (", in_then ? "then_branch" : "else_branch");
    write_outputs(n, t, "", false);
    net_add(t, ") {\n%s}, %s = other () => (", n->nodes.bytes,
            in_then ? "else_branch" : "then_branch");
    write_outputs(n, t, "p_", false);
    net_add(t, ") {\n");
    for (int i = 0; i < n->n_values; i++)
        if (n->value[i].is_output)
            net_add(t, "z_%s = Constant <value_float = 0.0> () p_%s = Cast <to = %s> (z_%s)\n",
                    n->value[i].name, n->value[i].name,
                    (const char *const[]){"1", "11", "10", "16", "3", "2", "6", "7",
                                          "9"}[n->value[i].type],
                    n->value[i].name);
    net_add(t, "}> (cond)\n}\n");
}

/* Outputs are stacked: one for each step. */
static void write_loop(const net *n, net_text *t)
{
    net_add(t, "{\nlast_, ");
    write_outputs(n, t, "o_", false);
    net_add(t, " = Loop <body = step (int64 i_, bool go_, int64 s_) => (more_, t_, ");
    write_outputs(n, t, "", false);
    net_add(t, ") {\nmore_ = Identity (go_) t_ = Add (s_, i_)\n%s}> (trips, \"\", trips)\n}\n",
            n->nodes.bytes);
}

static void write_function(const net *n, net_text *t)
{
    net_add(t, "{\n");
    write_outputs(n, t, "o_", false);
    net_add(t, " = my.F (");
    write_inputs(n, t, false, true);
    net_add(t, ")\n}\n<domain: \"my\", opset_import: [\"\" : 24]>\nF (");
    write_inputs(n, t, false, true);
    net_add(t, ") => (");
    write_outputs(n, t, "", false);
    net_add(t, ")\n{\n%s}\n", n->nodes.bytes);
}

void net_write_model(net *n)
{
    net_text *t = &n->all;
    const char *before = n->frame == NET_PLAIN ? "" : "o_";
    net_add(t, "<ir_version: 10, opset_import: [\"\" : 24%s]>\ng (",
            n->frame == NET_FUNCTION ? ", \"my\" : 1" : "");
    write_inputs(n, t, true, false);
    bool any = false;
    for (int i = 0; i < n->n_values; i++)
        any |= n->value[i].is_input;
    if (n->frame == NET_IF)
        net_add(t, "%sbool cond = {%d}", any ? ", " : "", (int)(n->seed >> 9 & 1));
    if (n->frame == NET_LOOP)
        net_add(t, "%sint64 trips = {%d}", any ? ", " : "", n->times);
    net_add(t, ") => (");
    write_outputs(n, t, before, true);
    net_add(t, ")\n");
    write_constants(n, t);
    if (n->frame == NET_IF)
        write_if(n, t);
    else if (n->frame == NET_LOOP)
        write_loop(n, t);
    else if (n->frame == NET_FUNCTION)
        write_function(n, t);
    else
        net_add(t, "{\n%s}\n", n->nodes.size ? n->nodes.bytes : "");
}
