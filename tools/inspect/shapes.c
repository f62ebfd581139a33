/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - inspect --shapes: the type and shape of every value that nodes make. */
#include "inspect/view.h"
#include "inspect/weight_list.h"
#include "session/session_args.h"

typedef struct shapes {
    const view *view;
    int n, n_known;
} shapes;

static void put_value(shapes *s, const oc_port *port, const char *maker, int depth)
{
    char text[PORT_TEXT];
    json_writer *j = s->view->j;
    s->n++;
    s->n_known += view_is_known(port);
    if (!j) {
        const bool typed = port->type != OC_UNDEFINED || port->rank >= 0;
        tool_line("  %*s%-32s %-28s %s", 2 * depth, "", port->name,
                  typed ? session_port_text(port, text) : "not known", maker);
        return;
    }
    json_object(j, NULL);
    json_text(j, "name", port->name);
    view_json_type(j, port);
    json_text(j, "made_by", maker);
    json_int(j, "depth", depth);
    json_bool(j, "known", view_is_known(port));
    json_close(j);
}

static void put_node(void *ctx, const oc_node_info *node)
{
    char *op = view_operator(node);
    for (int i = 0; i < node->n_out; i++)
        if (*node->out[i].name)
            put_value(ctx, &node->out[i], op, node->depth);
    free(op);
}

void view_shapes(const view *v, oc_error *e)
{
    shapes s = {.view = v};
    weight_list weights = weight_list_of(v->model, e);
    bool open = false; /* true: the dims of some input are not all known */
    if (v->j)
        json_array(v->j, "values");
    for (int i = 0; i < oc_model_n_inputs(v->model); i++) {
        oc_port port = oc_model_input(v->model, i);
        const bool is_weight = weight_list_has(&weights, &port);
        if (v->inputs)
            port = v->inputs[i];
        if (is_weight)
            continue;
        put_value(&s, &port, "input", 0);
        open |= !view_is_known(&port);
    }
    oc_model_visit(v->model, v->inputs, put_node, &s, e);
    if (v->j) {
        json_close(v->j);
        json_int(v->j, "n_values", s.n);
        json_int(v->j, "n_known", s.n_known);
    } else if (e->code == OC_OK) {
        printf("%d values, %d of them of known shape\n", s.n, s.n_known);
        if (open)
            printf("--dim NAME=N gives a symbol of the inputs its size\n");
    }
    weight_list_free(&weights);
}
