/* SPDX-License-Identifier: Apache-2.0
 * mac_table.c - inspect --macs: the multiply-accumulates of each node, and of all nodes. */
#include "inspect/macs.h"
#include "inspect/view.h"

typedef struct mac_entry {
    char *op, *name;
    int64_t n;
    int depth;
    bool known;
} mac_entry;

typedef struct mac_table {
    mac_entry *entry;
    int n;
    int n_unknown; /* number of rows whose number is unknown */
    /* sums over nodes of the main graph, and over nodes of graphs within, each counted once */
    int64_t total, within;
    bool overflows;
} mac_table;

static void add(mac_table *t, int64_t *sum, int64_t n)
{
    t->overflows |= n > INT64_MAX - *sum;
    *sum = n > INT64_MAX - *sum ? INT64_MAX : *sum + n;
}

static void take_node(void *ctx, const oc_node_info *node)
{
    mac_table *t = ctx;
    const node_macs m = macs_of(node);
    if (m.kind == MACS_NONE)
        return;
    t->entry = tool_push(t->entry, (size_t)t->n, sizeof *t->entry);
    t->entry[t->n++] = (mac_entry){.op = view_operator(node),
                                   .name = view_node_name(node),
                                   .n = m.n,
                                   .depth = node->depth,
                                   .known = m.kind == MACS_KNOWN};
    t->n_unknown += m.kind == MACS_UNKNOWN;
    add(t, node->depth ? &t->within : &t->total, m.n);
}

static void print_table(const mac_table *t)
{
    printf("%16s %6s  %-24s %s\n", "MACs", "%", "operator", "node");
    for (int i = 0; i < t->n; i++) {
        const mac_entry *r = &t->entry[i];
        char number[32] = "unknown", share[16] = "";
        if (r->known)
            snprintf(number, sizeof number, "%" PRId64, r->n);
        if (r->known && r->depth == 0 && t->total > 0)
            snprintf(share, sizeof share, "%.1f", 100.0 * (double)r->n / (double)t->total);
        tool_line("%16s %6s  %*s%-24s %s", number, share, 2 * r->depth, "", r->op, r->name);
    }
    printf("%16" PRId64 "         %s\n", t->total,
           t->n_unknown ? "of the nodes that are known" : "in all");
    if (t->within)
        printf("%16" PRId64 "         in graphs within nodes, each run once, not counted above\n",
               t->within);
    if (t->n_unknown)
        printf(
            "%d node%s unknown: a shape is not known (--dim NAME=N), or what the node computes\n",
            t->n_unknown, t->n_unknown == 1 ? " is" : "s are");
    if (t->overflows)
        printf("the sum is past the greatest number\n");
}

static void json_table(json_writer *j, const mac_table *t)
{
    json_array(j, "macs");
    for (int i = 0; i < t->n; i++) {
        json_object(j, NULL);
        json_text(j, "node", t->entry[i].name);
        json_text(j, "operator", t->entry[i].op);
        json_int(j, "depth", t->entry[i].depth);
        if (t->entry[i].known)
            json_int(j, "macs", t->entry[i].n);
        else
            json_text(j, "macs", NULL);
        json_close(j);
    }
    json_close(j);
    json_int(j, "total", t->total);
    json_int(j, "within", t->within);
    json_int(j, "unknown", t->n_unknown);
    json_bool(j, "complete", !t->n_unknown && !t->overflows);
}

void view_macs(const view *v, oc_error *e)
{
    mac_table t = {.entry = NULL};
    oc_model_visit(v->model, v->inputs, take_node, &t, e);
    if (v->j)
        json_table(v->j, &t);
    else if (e->code == OC_OK)
        print_table(&t);
    for (int i = 0; i < t.n; i++) {
        free(t.entry[i].op);
        free(t.entry[i].name);
    }
    free(t.entry);
}
