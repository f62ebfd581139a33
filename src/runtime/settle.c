/* SPDX-License-Identifier: Apache-2.0
 * settle.c - one opset version per domain, where nodes of function bodies have their own.
 *
 * A file names one version for all nodes of a domain. A node may run under another version than
 * its own when the row that serves it there takes whatever the row of its own takes, and does the
 * same with it. */
#include "ops/registry.h"
#include "ops/sig.h"
#include "runtime/session.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows that mean the same ---- */

static bool same_default(const oc_attr *a, const oc_attr *b)
{
    if (a->n != b->n)
        return false;
    const size_t n = (size_t)a->n;
    switch (a->kind) {
    case OC_ATTR_INT:
    case OC_ATTR_INTS:
        return memcmp(a->u.i, b->u.i, n * sizeof *a->u.i) == 0;
    case OC_ATTR_FLOAT:
    case OC_ATTR_FLOATS:
        return memcmp(a->u.f, b->u.f, n * sizeof *a->u.f) == 0;
    case OC_ATTR_STRING:
        return a->u.s->size == b->u.s->size &&
               memcmp(a->u.s->data, b->u.s->data, a->u.s->size) == 0;
    default:
        return false;
    }
}

static bool same_attr(const oc_sig_attr *a, const oc_sig_attr *b)
{
    if (strcmp(a->name, b->name) != 0 || a->value.kind != b->value.kind ||
        a->has_default != b->has_default || (b->required && !a->required))
        return false;
    return !a->has_default || same_default(&a->value, &b->value);
}

/* Attributes that later versions added, and whose default is what the operator did before. */
static const struct {
    const char *op, *attr;
} harmless[] = {
    {"Cast", "saturate"},       {"Cast", "round_mode"},   {"CastLike", "saturate"},
    {"CastLike", "round_mode"}, {"Reshape", "allowzero"}, {"Shape", "start"},
    {"Shape", "end"},
};

static bool is_harmless(const char *op, const char *attr)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(harmless[i].op, op) == 0 && strcmp(harmless[i].attr, attr) == 0)
            return true;
    return false;
}

/* Every attribute of a is in b, and what b has besides changes nothing. */
static bool takes_attrs(const oc_sig *a, const oc_sig *b)
{
    int n_same = 0;
    for (int i = 0; i < b->n_attr; i++) {
        bool found = false;
        for (int k = 0; k < a->n_attr && !found; k++)
            found = same_attr(&a->attr[k], &b->attr[i]);
        n_same += found;
        if (!found && !is_harmless(b->name, b->attr[i].name))
            return false;
    }
    return n_same == a->n_attr;
}

static bool takes_set(const oc_sig_set *a, const oc_sig_set *b)
{
    return !(a->tensor & ~b->tensor) && !(a->sequence & ~b->sequence) &&
           !(a->optional & ~b->optional) && !(a->opt_sequence & ~b->opt_sequence);
}

static bool takes_ports(const oc_sig_port *a, int n_a, const oc_sig_port *b, int n_b)
{
    for (int i = 0; i < n_b; i++) {
        if (i >= n_a && !b[i].optional)
            return false;
        if (i < n_a && (a[i].variadic != b[i].variadic || (a[i].mixed && !b[i].mixed) ||
                        (a[i].optional && !b[i].optional) || !takes_set(&a[i].set, &b[i].set)))
            return false;
    }
    return n_a <= n_b;
}

/* Would a node that row a serves mean the same to row b? */
static bool row_replaces(const oc_op *a, const oc_op *b, const oc_allocator *hook)
{
    if (a == b && a)
        return true;
    if (!a || !b || a->run != b->run || a->shape != b->shape)
        return false;
    oc_error e = {.code = OC_OK};
    oc_memory memory = oc_memory_new(hook, 0);
    oc_arena arena = oc_arena_new(&memory);
    const oc_sig *x, *y;
    const bool same = oc_sig_parse(a->signature, &arena, &x, &e) == OC_OK &&
                      oc_sig_parse(b->signature, &arena, &y, &e) == OC_OK && takes_attrs(x, y) &&
                      takes_ports(x->in, x->n_in, y->in, y->n_in) &&
                      takes_ports(x->out, x->n_out, y->out, y->n_out);
    oc_arena_free(&arena);
    return same;
}

/* ---- one domain ---- */

typedef struct domain {
    oc_name name;
    int64_t imported; /* by the model, for nodes without a version of their own */
    int64_t newest;   /* of those that nodes have */
    const oc_allocator *hook;
} domain;

/* A node of the domain that would mean something else under version; NULL: none would. */
static const oc_node *find_unsettled(const oc_graph *g, const domain *d, int64_t version)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        const int64_t own = n->opset ? n->opset : d->imported;
        int oldest;
        if (n->domain == d->name && own != version &&
            !row_replaces(oc_op_find(NULL, d->name, n->op_type, own, &oldest),
                          oc_op_find(NULL, d->name, n->op_type, version, &oldest), d->hook))
            return n;
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++) {
                const oc_node *found = find_unsettled(n->attr[a].u.g[k], d, version);
                if (found)
                    return found;
            }
    }
    return NULL;
}

/* Finds the newest version that a node has; with clear, nodes have none afterwards. */
static void visit_versions(const oc_graph *g, domain *d, bool clear)
{
    for (int i = 0; i < g->n_node; i++) {
        oc_node *n = &g->node[i];
        if (n->domain == d->name && n->opset > d->newest)
            d->newest = n->opset;
        if (n->domain == d->name && clear)
            n->opset = 0;
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
                visit_versions(n->attr[a].u.g[k], d, clear);
    }
}

static oc_status settle_domain(oc_model *m, oc_name name, oc_error *e)
{
    domain d = {.name = name, .hook = &m->memory.hook};
    oc_opset *import = NULL;
    for (int i = 0; i < m->opsets.n; i++)
        if (m->opsets.item[i].domain == name)
            import = &m->opsets.item[i];
    visit_versions(&m->graph, &d, false);
    if (!import) {
        import = OC_PUSH(&m->arena, m->opsets.item, m->opsets.n);
        OC_TRY(oc_arena_check(&m->arena, e));
        *import = (oc_opset){name, d.newest};
    }
    d.imported = import->version;
    int64_t version = d.imported;
    const oc_node *n = find_unsettled(&m->graph, &d, version);
    if (n && d.newest > version) {
        version = d.newest;
        n = find_unsettled(&m->graph, &d, version);
    }
    if (n)
        return oc_error_set(e, OC_UNSUPPORTED,
                            "node '%s' (%s-%" PRId64 "): it would mean something else under opset "
                            "%" PRId64 ", which other nodes of the expanded model need",
                            *n->name   ? n->name
                            : n->n_out ? n->out[0]
                                       : "",
                            n->op_type, n->opset ? n->opset : d.imported, version);
    import->version = version;
    visit_versions(&m->graph, &d, true);
    return OC_OK;
}

static oc_status settle_graph(oc_model *m, const oc_graph *g, oc_error *e)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        if (n->opset)
            OC_TRY(settle_domain(m, n->domain, e));
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
                OC_TRY(settle_graph(m, n->attr[a].u.g[k], e));
    }
    return OC_OK;
}

oc_status oc_settle_opsets(oc_model *m, oc_error *e)
{
    return settle_graph(m, &m->graph, e);
}
