/* SPDX-License-Identifier: Apache-2.0
 * print.c - writes nodes, graphs, functions and models as text. */
#include "graph/print.h"

#include "graph/print_out.h"

static void put_names(oc_print *p, const oc_name *names, int n)
{
    for (int i = 0; i < n; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_name(p, names[i]);
    }
}

static void put_value_infos(oc_print *p, const oc_value_info *values, int n)
{
    oc_put(p, "(");
    for (int i = 0; i < n; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_value_info(p, &values[i]);
    }
    oc_put(p, ")");
}

/* ---- nodes ---- */

static bool has_graph(const oc_node *n)
{
    for (int i = 0; i < n->n_attr; i++)
        if (n->attr[i].kind == OC_ATTR_GRAPH || n->attr[i].kind == OC_ATTR_GRAPHS)
            return true;
    return false;
}

/* Attributes are printed before the inputs, unless one of them is a graph: then after the
 * inputs. */
static void put_node(oc_print *p, const oc_node *n)
{
    const bool last = has_graph(n);
    if (*n->name) {
        oc_put(p, "[");
        oc_put_id(p, n->name);
        oc_put(p, "] ");
    }
    oc_put_note(p, &(oc_print_note){.doc = n->doc, .metadata = &n->metadata, .opset = n->opset});
    put_names(p, n->out, n->n_out);
    oc_put(p, n->n_out ? " = " : "= ");
    if (*n->domain) {
        oc_put_dotted(p, n->domain);
        oc_put(p, ".");
    }
    oc_put_id(p, n->op_type);
    if (*n->overload) {
        oc_put(p, ":");
        oc_put_id(p, n->overload);
    }
    if (n->n_attr && !last)
        oc_put_attrs(p, n->attr, n->n_attr);
    oc_put(p, " (");
    put_names(p, n->in, n->n_in);
    oc_put(p, ")");
    if (last)
        oc_put_attrs(p, n->attr, n->n_attr);
}

/* ---- graphs ---- */

/* Begins a new line for item *i of a "<...>" list, after a comma unless it is the first item,
 * and adds 1 to *i. */
static void put_next(oc_print *p, int *i)
{
    oc_put_separator(p, (*i)++, ",");
    oc_put_line(p);
}

/* Writes " <declared values, initializers> {nodes}". */
static void put_body(oc_print *p, const oc_graph *g)
{
    int n = 0;
    p->indent++;
    oc_put(p, g->n_value + g->n_initializer + g->n_sparse ? " <" : "");
    for (int i = 0; i < g->n_value && !p->failed; i++) {
        put_next(p, &n);
        oc_put_value_info(p, &g->value[i]);
    }
    for (int i = 0; i < g->n_initializer && !p->failed; i++) {
        put_next(p, &n);
        oc_put_constant(p, &g->initializer[i], " = ");
    }
    for (int i = 0; i < g->n_sparse && !p->failed; i++) {
        put_next(p, &n);
        oc_put_sparse(p, &g->sparse[i]);
    }
    p->indent--;
    if (n) {
        oc_put_line(p);
        oc_put(p, ">");
    }
    oc_put(p, " {");
    p->indent++;
    for (int i = 0; i < g->n_node && !p->failed; i++) {
        oc_put_line(p);
        put_node(p, &g->node[i]);
    }
    p->indent--;
    oc_put_line(p);
    oc_put(p, "}");
}

void oc_put_graph(oc_print *p, const oc_graph *g)
{
    oc_put_note(p, &(oc_print_note){.doc = g->doc,
                                    .metadata = &g->metadata,
                                    .quantization = g->quantization,
                                    .n_quantization = g->n_quantization});
    oc_put_name(p, g->name);
    oc_put(p, " ");
    put_value_infos(p, g->input, g->n_input);
    oc_put(p, " => ");
    put_value_infos(p, g->output, g->n_output);
    put_body(p, g);
}

/* ---- headers ---- */

/* Writes "key: " on a new line of a header. */
static void put_key(oc_print *p, int *n, const char *key)
{
    put_next(p, n);
    oc_put(p, key);
    oc_put(p, ": ");
}

static void put_text_key(oc_print *p, int *n, const char *key, const char *text)
{
    if (!*text)
        return;
    put_key(p, n, key);
    oc_put_quoted(p, text);
}

static void put_opsets(oc_print *p, int *n, const oc_opsets *opsets)
{
    put_key(p, n, "opset_import");
    oc_put(p, "[");
    for (int i = 0; i < opsets->n; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_quoted(p, opsets->item[i].domain);
        oc_put(p, " : ");
        oc_put_int(p, opsets->item[i].version);
    }
    oc_put(p, "]");
}

static void put_metadata(oc_print *p, int *n, const oc_pairs *pairs)
{
    if (pairs->n) {
        put_key(p, n, "metadata_props");
        oc_put_pairs(p, pairs);
    }
    if (pairs->rest) {
        put_key(p, n, "fields");
        oc_put_quoted_bytes(p, pairs->rest->data, pairs->rest->size);
    }
}

static void begin_header(oc_print *p)
{
    oc_put(p, "<");
    p->indent++;
}

static void end_header(oc_print *p)
{
    p->indent--;
    oc_put_line(p);
    oc_put(p, ">");
    oc_put_line(p);
}

static void put_model_header(oc_print *p, const oc_model *m)
{
    int n = 0;
    begin_header(p);
    put_key(p, &n, "ir_version");
    oc_put_int(p, m->ir_version);
    put_opsets(p, &n, &m->opsets);
    put_text_key(p, &n, "producer_name", m->producer_name);
    put_text_key(p, &n, "producer_version", m->producer_version);
    put_text_key(p, &n, "domain", m->domain);
    if (m->model_version) {
        put_key(p, &n, "model_version");
        oc_put_int(p, m->model_version);
    }
    put_text_key(p, &n, "doc_string", m->doc);
    put_metadata(p, &n, &m->metadata);
    end_header(p);
}

/* ---- functions ---- */

static void put_parameters(oc_print *p, const oc_function *f)
{
    oc_put(p, " <");
    for (int i = 0; i < f->n_attr_name; i++) {
        oc_put_separator(p, i, ", ");
        oc_put_id(p, f->attr_name[i]);
    }
    for (int i = 0; i < f->n_attr_default; i++) {
        oc_put_separator(p, f->n_attr_name + i, ", ");
        oc_put_attr(p, &f->attr_default[i]);
    }
    oc_put(p, ">");
}

static void put_function(oc_print *p, const oc_function *f)
{
    int n = 0;
    begin_header(p);
    put_key(p, &n, "domain");
    oc_put_quoted(p, f->domain);
    put_text_key(p, &n, "overload", f->overload);
    put_opsets(p, &n, &f->opsets);
    put_text_key(p, &n, "doc_string", f->body.doc);
    put_metadata(p, &n, &f->body.metadata);
    end_header(p);
    oc_put_id(p, f->name);
    if (f->n_attr_name + f->n_attr_default)
        put_parameters(p, f);
    oc_put(p, " ");
    put_value_infos(p, f->body.input, f->body.n_input);
    oc_put(p, " => ");
    put_value_infos(p, f->body.output, f->body.n_output);
    put_body(p, &f->body);
}

/* ---- entries ---- */

static oc_status flush_print(oc_print *p, oc_error *e)
{
    return oc_print_flush(p) ? OC_OK
                             : oc_error_set(e, OC_IO, "text: the output could not be written");
}

oc_status oc_print_model(const oc_model *m, const oc_writer *out, oc_error *e)
{
    oc_print p = {.out = out};
    put_model_header(&p, m);
    oc_put_graph(&p, &m->graph);
    oc_put_line(&p);
    for (int i = 0; i < m->n_function && !p.failed; i++) {
        put_function(&p, &m->function[i]);
        oc_put_line(&p);
    }
    return flush_print(&p, e);
}

oc_status oc_print_attr(const oc_attr *a, const oc_writer *out, oc_error *e)
{
    oc_print p = {.out = out};
    oc_put_attr(&p, a);
    return flush_print(&p, e);
}
