/* SPDX-License-Identifier: Apache-2.0
 * node_text.c - the text by which every message names a node. */
#include "graph/node_text.h"

enum {
    MAX_TITLE = 160,
    MAX_KEY = 80
}; /* most bytes shown of the name of a node or value, and of an operator or domain */

static bool is_within_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80; /* the bytes of a UTF-8 character after its first */
}

/* Returns the name if it has at most max bytes; else the name's two ends with "..." between
 * them, written to shown, which has room for max + 1 bytes. */
static const char *shorten(const char *name, size_t max, char *shown)
{
    const size_t size = strlen(name);
    if (size <= max)
        return name;
    size_t head = max / 2, rest = size - (max - head - strlen("..."));
    while (head && is_within_character(name[head]))
        head--;
    while (rest < size && is_within_character(name[rest]))
        rest++;
    snprintf(shown, max + 1, "%.*s...%s", (int)head, name, name + rest);
    return shown;
}

static const char *first_output(const oc_node *n)
{
    for (int i = 0; i < n->n_out; i++)
        if (*n->out[i])
            return n->out[i];
    return "";
}

const char *oc_node_text(const oc_node *n, int64_t version, char text[OC_NODE_TEXT])
{
    char shown[MAX_TITLE + 1], domain[MAX_KEY + 1], op[MAX_KEY + 1], number[24] = "";
    const char *title = *n->name ? n->name : first_output(n);
    int at = *title ? snprintf(text, OC_NODE_TEXT, "node %s'%s'", *n->name ? "" : "of ",
                               shorten(title, MAX_TITLE, shown))
                    : snprintf(text, OC_NODE_TEXT, "node without a name");
    if (!*n->op_type)
        return text;
    if (version > 0)
        snprintf(number, sizeof number, "-%" PRId64, version);
    snprintf(text + at, (size_t)(OC_NODE_TEXT - at), " (%s%s%s%s)",
             shorten(n->domain, MAX_KEY, domain), *n->domain ? "." : "",
             shorten(n->op_type, MAX_KEY, op), number);
    return text;
}
