/* SPDX-License-Identifier: Apache-2.0
 * unify_opsets.c - finds one opset version for each domain of an expanded model. */
#include "bodies/unify_opsets.h"

#include "bodies/call_text.h"
#include "graph/walk.h"
#include "ops/kit/registry.h"

/* ---- one domain ---- */

typedef struct domain {
    oc_model *m;
    oc_name name;
    int64_t imported; /* version that the model imports, for nodes without a version of their own */
    int64_t newest;   /* the newest version that a node states */
    int64_t version;  /* the version that is tried */
    oc_types *types;
    oc_error *e;
} domain;

static bool replaces(const domain *d, const oc_node *n, int64_t from, int64_t to)
{
    int oldest;
    return from == to ||
           oc_row_compatible(oc_op_find(NULL, d->name, n->op_type, from, &oldest),
                             oc_op_find(NULL, d->name, n->op_type, to, &oldest), n, d->types);
}

static int64_t version_of(const domain *d, const oc_node *n)
{
    return n->opset ? n->opset : d->imported;
}

/* Returns the oldest version, on the way from `from` to d->version, for which the node must be
 * rewritten. Returns 0 when it need not be rewritten, -1 when the node would change its meaning. */
static int64_t next_upgrade(const domain *d, const oc_node *n, int64_t from)
{
    if (replaces(d, n, from, d->version))
        return 0;
    const int64_t at = oc_upgrade_next(n, d->types, from, d->version);
    return at && replaces(d, n, from, at - 1) ? at : -1;
}

static bool fits(const domain *d, const oc_node *n)
{
    int64_t at = version_of(d, n), next;
    while ((next = next_upgrade(d, n, at)) > 0)
        at = next;
    return next == 0;
}

/* Returns a node of the domain that cannot keep its meaning under d->version; NULL when there is
 * none. */
static const oc_node *find_misfit(const domain *d)
{
    oc_walk w = oc_walk_new(&d->m->graph);
    const oc_node *n;
    while ((n = oc_walk_next(&w)) && (n->domain != d->name || fits(d, n)))
        ;
    return n;
}

static int64_t newest_version(const oc_graph *g, oc_name name)
{
    int64_t newest = 0;
    oc_walk w = oc_walk_new(g);
    for (const oc_node *n; (n = oc_walk_next(&w));)
        if (n->domain == name && n->opset > newest)
            newest = n->opset;
    return newest;
}

/* ---- rewriting, once every node of the domain fits ---- */

/* Appends the node, rewritten for d->version, to a graph, after the new nodes that it needs. */
static oc_status upgrade_node(const domain *d, oc_node n, oc_graph *to)
{
    while (n.domain == d->name) {
        const int64_t next = next_upgrade(d, &n, version_of(d, &n));
        oc_node *before = NULL;
        int n_before = 0;
        if (next <= 0)
            break;
        OC_TRY(oc_upgrade(d->m, d->types, &n, next, d->version, &before, &n_before, d->e));
        n.opset = next;
        for (int i = 0; i < n_before; i++)
            OC_TRY(upgrade_node(d, before[i], to));
    }
    if (n.domain == d->name)
        n.opset = 0;
    oc_node *last = OC_PUSH(&d->m->arena, to->node, to->n_node);
    OC_TRY(oc_arena_check(&d->m->arena, d->e));
    *last = n;
    return OC_OK;
}

static oc_status upgrade_graph(const domain *d, oc_graph *g)
{
    const oc_graph old = *g;
    g->node = NULL;
    g->n_node = 0;
    for (int i = 0; i < old.n_node; i++) {
        const oc_node *n = &old.node[i];
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
                OC_TRY(upgrade_graph(d, n->attr[a].u.g[k]));
        OC_TRY(upgrade_node(d, *n, g));
    }
    return OC_OK;
}

/* ---- all domains ---- */

static oc_status refuse(const domain *d, const oc_node *n)
{
    char text[OC_NODE_TEXT];
    OC_TRY(oc_arena_check(d->types->sigs.arena, d->e)); /* when memory runs out, no version fits */
    return oc_error_set(d->e, OC_UNSUPPORTED,
                        "%s: it would mean something else under opset %" PRId64
                        ", which other nodes of the expanded model need",
                        oc_call_text(n, version_of(d, n), text), d->version);
}

static oc_opset *find_import(oc_model *m, oc_name name)
{
    for (int i = 0; i < m->opsets.n; i++)
        if (m->opsets.item[i].domain == name)
            return &m->opsets.item[i];
    return NULL;
}

/* Gives the nodes of ONNX's domain the model's own version if it fits all of them, else the
 * oldest newer one that does. For other domains, whose versions are not all known here, only the
 * model's own version and the newest one of a node are tried. */
static oc_status unify_domain(oc_model *m, oc_name name, oc_types *types, oc_error *e)
{
    domain d = {
        .m = m, .name = name, .newest = newest_version(&m->graph, name), .types = types, .e = e};
    oc_opset *import = find_import(m, name);
    if (!import && m->opsets.n >= OC_MAX_IMPORTS)
        return oc_error_set(e, OC_LIMIT, "model: more than %d opset imports", OC_MAX_IMPORTS);
    if (!import) {
        import = OC_PUSH(&m->arena, m->opsets.item, m->opsets.n);
        OC_TRY(oc_arena_check(&m->arena, e));
        *import = (oc_opset){name, d.newest};
    }
    d.imported = d.version = import->version;
    const oc_node *n = find_misfit(&d);
    while (n && d.version < d.newest) {
        d.version = *name ? d.newest : d.version + 1;
        n = find_misfit(&d);
    }
    if (n)
        return refuse(&d, n);
    import->version = d.version;
    return upgrade_graph(&d, &m->graph);
}

/* Returns a node that has a version of its own; NULL when there is none. */
static const oc_node *find_versioned(const oc_graph *g)
{
    oc_walk w = oc_walk_new(g);
    const oc_node *n;
    while ((n = oc_walk_next(&w)) && !n->opset)
        ;
    return n;
}

static bool uses_domain(const oc_graph *g, oc_name name)
{
    oc_walk w = oc_walk_new(g);
    const oc_node *n;
    while ((n = oc_walk_next(&w)) && n->domain != name)
        ;
    return n;
}

/* Drops imports that no node uses, because other engines may refuse a domain that they do not
 * know. */
static void drop_unused_imports(oc_model *m)
{
    int n = 0;
    for (int i = 0; i < m->opsets.n; i++)
        if (!*m->opsets.item[i].domain || uses_domain(&m->graph, m->opsets.item[i].domain))
            m->opsets.item[n++] = m->opsets.item[i];
    m->opsets.n = n;
}

oc_status oc_unify_opsets(oc_model *m, oc_types *types, oc_error *e)
{
    const oc_node *n;
    while ((n = find_versioned(&m->graph)))
        OC_TRY(unify_domain(m, n->domain, types, e));
    drop_unused_imports(m);
    return oc_arena_check(types->sigs.arena, e);
}
