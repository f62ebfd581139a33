/* SPDX-License-Identifier: Apache-2.0
 * view.c - names, attributes and types as text, for all views. */
#include "inspect/view.h"

#include "base/int.h"

const char *view_support(oc_support support)
{
    static const char *const names[] = {"native", "body", "function", "unsupported"};
    return names[support];
}

char *view_operator(const oc_node_info *node)
{
    return tool_format("%s%s%s", node->domain, *node->domain ? "::" : "", node->op_type);
}

char *view_node_name(const oc_node_info *node)
{
    if (*node->name || node->n_out == 0)
        return tool_format("%s", node->name);
    return tool_format("of %s", node->out[0].name);
}

/* ---- attributes ---- */

typedef struct cut_text {
    char *text;
    size_t size, most;
} cut_text;

/* Takes bytes until the text is full. */
static bool take(void *ctx, const void *bytes, size_t size)
{
    cut_text *c = ctx;
    const size_t room = c->most - c->size, part = oc_min(size, room);
    memcpy(c->text + c->size, bytes, part);
    c->size += part;
    return part == size;
}

/* Cuts the text before a character that is incomplete. */
static void cut_off(cut_text *c)
{
    while (c->size && ((unsigned char)c->text[c->size - 1] & 0xc0) == 0x80)
        c->size--;
    if (c->size && (unsigned char)c->text[c->size - 1] >= 0xc0)
        c->size--;
    memcpy(c->text + c->size, "...", 4);
}

char *view_attribute(const oc_node_info *node, int i, size_t most)
{
    const oc_attribute a = oc_node_attribute(node, i);
    cut_text c = {.most = most};
    oc_error enough = {0};
    if (!a.ref && strncmp(a.kind, "graph", 5) == 0)
        return tool_format("%s: %s", a.name, a.kind);
    c.text = tool_alloc(most + 4, 1);
    oc_node_write_attribute(node, i, &(oc_writer){take, &c}, &enough);
    if (enough.code != OC_OK)
        cut_off(&c);
    return c.text;
}

/* ---- types ---- */

bool view_is_known(const oc_port *port)
{
    bool known = port->type != OC_UNDEFINED && (port->rank >= 0 || port->kind != OC_TENSOR);
    for (int i = 0; i < port->rank; i++)
        known &= port->dim[i] >= 0;
    return known;
}

void view_json_type(json_writer *j, const oc_port *port)
{
    static const char *const kinds[] = {"tensor", "sequence", "optional", "map"};
    json_text(j, "kind", kinds[port->kind]);
    json_text(j, "type", oc_type_name(port->type));
    if (port->key_type)
        json_text(j, "key_type", oc_type_name(port->key_type));
    if (port->rank < 0)
        return;
    json_array(j, "shape");
    for (int k = 0; k < port->rank; k++)
        if (port->dim[k] >= 0)
            json_int(j, NULL, port->dim[k]);
        else
            json_text(j, NULL, port->dim_name[k]);
    json_close(j);
}
