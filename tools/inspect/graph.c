/* SPDX-License-Identifier: Apache-2.0
 * graph.c - a model as boxes and the lines between them, for pictures. */
#include "inspect/graph.h"

#include "inspect/view.h"
#include "session/session_args.h"

static char *note_of(const oc_port *port)
{
    char text[PORT_TEXT];
    const bool typed = port->type != OC_UNDEFINED || port->rank >= 0;
    return tool_format("%s", typed ? session_port_text(port, text) : "");
}

static int add_part(graph *g, const char *name, int holder, int depth)
{
    g->part = tool_push(g->part, (size_t)g->n_part, sizeof *g->part);
    g->part[g->n_part] =
        (graph_part){.name = name, .holder = holder, .first = -1, .last = -1, .depth = depth};
    return g->n_part++;
}

/* Takes ownership of the texts of the box, whose part is set. */
static int add_box(graph *g, graph_box box)
{
    graph_part *part = &g->part[box.part];
    const int i = g->n_box++;
    box.next = box.last = -1;
    g->box = tool_push(g->box, (size_t)i, sizeof *g->box);
    g->box[i] = box;
    if (part->last >= 0)
        g->box[part->last].next = i;
    else
        part->first = i;
    part->last = i;
    part->n_box++;
    return i;
}

/* Is it a node Constant whose output is a weight, and no output of the model? */
static bool has_weights(const graph *g, const oc_node_info *node)
{
    return node->depth == 0 && node->n_in == 0 && node->n_out == 1 &&
           text_index_find(&g->weights->hidden, node->out[0].name) >= 0 &&
           text_index_find(&g->outputs, node->out[0].name) < 0;
}

/* Does a node read a value that has a box? */
static bool is_read(graph *g, const oc_port *port)
{
    return *port->name && (!weight_list_has(g->weights, port) ||
                           text_index_find(&g->part[0].maker_of, port->name) >= 0);
}

/* Draws one line between two boxes, however many values go that way. */
static void add_line(graph *g, int from, int to, const char *name, bool within)
{
    if (from >= to || g->box[from].last == to)
        return;
    g->box[from].last = to;
    g->line = tool_push(g->line, (size_t)g->n_line, sizeof *g->line);
    g->line[g->n_line++] = (graph_line){.from = from, .to = to, .name = name, .within = within};
}

/* Returns the part around this one. */
static int outer_part(const graph *g, int part)
{
    const int holder = g->part[part].holder;
    return holder < 0 ? -1 : g->box[holder].part;
}

/* Finds the box that makes a value in a part around this one, and draws a line from there to the
 * box that holds this part. */
static int find_origin(graph *g, int part, const char *name)
{
    for (int inner = part, outer; (outer = outer_part(g, inner)) >= 0; inner = outer) {
        const int found = text_index_find(&g->part[outer].maker_of, name);
        if (found < 0)
            continue;
        add_line(g, found, g->part[inner].holder, name, true);
        return found;
    }
    return -1;
}

/* Returns the box that makes a value in this part; if none does, adds one for an input of the
 * part. */
static int find_maker(graph *g, int part, const oc_port *port)
{
    const int found = text_index_find(&g->part[part].maker_of, port->name);
    if (found >= 0)
        return found;
    const int origin = find_origin(g, part, port->name);
    const int made = add_box(g, (graph_box){.kind = BOX_INPUT,
                                            .part = part,
                                            .node = -1,
                                            .title = tool_format("%s", port->name),
                                            .note = note_of(port),
                                            .name = "",
                                            .origin = origin});
    text_index_add(&g->part[part].maker_of, port->name, made);
    return made;
}

graph graph_new(const oc_model *model, const oc_port *inputs, const weight_list *weights)
{
    graph g = {.model = model, .weights = weights};
    add_part(&g, oc_model_describe(model).graph_name, -1, 0);
    for (int i = 0; i < oc_model_n_inputs(model); i++) {
        const oc_port declared = oc_model_input(model, i);
        if (!weight_list_has(weights, &declared))
            find_maker(&g, 0, inputs ? &inputs[i] : &declared);
    }
    g.output_note = tool_alloc((size_t)oc_model_n_outputs(model), sizeof *g.output_note);
    for (int i = 0; i < oc_model_n_outputs(model); i++)
        text_index_add(&g.outputs, oc_model_output(model, i).name, i);
    return g;
}

static void note_output(graph *g, const oc_port *port)
{
    const int i = text_index_find(&g->outputs, port->name);
    if (i < 0 || g->output_note[i])
        return;
    g->output_note[i] = note_of(port);
}

static int part_of(graph *g, const oc_node_info *node)
{
    if (node->depth == 0)
        return 0;
    const int holder = g->box_of[node->parent], last = g->open[node->depth];
    const bool same =
        last > 0 && g->part[last].holder == holder && g->part[last].name == node->graph;
    return same ? last : add_part(g, node->graph, holder, node->depth);
}

void graph_add(graph *g, const oc_node_info *node)
{
    if (has_weights(g, node)) {
        g->box_of = tool_push(g->box_of, (size_t)g->n_node, sizeof *g->box_of);
        g->box_of[g->n_node++] = -1;
        return;
    }
    const int part = g->open[node->depth] = part_of(g, node);
    /* box numbers of inputs are smaller than those of the nodes that read them */
    for (int i = 0; i < node->n_in; i++)
        if (is_read(g, &node->in[i]))
            find_maker(g, part, &node->in[i]);
    const int box =
        add_box(g, (graph_box){.part = part,
                               .node = g->n_node,
                               .title = view_operator(node),
                               .note = node->n_out ? note_of(&node->out[0]) : tool_format("%s", ""),
                               .name = node->name,
                               .support = node->support,
                               .origin = -1});
    for (int i = 0; i < node->n_in; i++)
        if (is_read(g, &node->in[i]))
            add_line(g, find_maker(g, part, &node->in[i]), box, node->in[i].name, false);
    for (int i = 0; i < node->n_out; i++)
        if (*node->out[i].name) {
            text_index_add(&g->part[part].maker_of, node->out[i].name, box);
            if (node->depth == 0)
                note_output(g, &node->out[i]);
        }
    g->box_of = tool_push(g->box_of, (size_t)g->n_node, sizeof *g->box_of);
    g->box_of[g->n_node++] = box;
}

void graph_end(graph *g)
{
    for (int i = 0; i < oc_model_n_outputs(g->model); i++) {
        const oc_port port = oc_model_output(g->model, i);
        const int maker = text_index_find(&g->part[0].maker_of, port.name);
        const int box =
            add_box(g, (graph_box){.kind = BOX_OUTPUT,
                                   .node = -1,
                                   .title = tool_format("%s", port.name),
                                   .note = g->output_note[i] ? g->output_note[i] : note_of(&port),
                                   .name = "",
                                   .origin = -1});
        g->output_note[i] = NULL;
        if (maker >= 0)
            add_line(g, maker, box, port.name, false);
    }
}

void graph_free(graph *g)
{
    for (int i = 0; i < g->n_box; i++) {
        free(g->box[i].title);
        free(g->box[i].note);
    }
    for (int i = 0; i < g->n_part; i++)
        text_index_free(&g->part[i].maker_of);
    text_index_free(&g->outputs);
    free(g->output_note);
    free(g->box);
    free(g->line);
    free(g->part);
    free(g->box_of);
    *g = (graph){.model = NULL};
}
