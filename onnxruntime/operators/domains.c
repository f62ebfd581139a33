/* SPDX-License-Identifier: Apache-2.0
 * domains.c - operators of the program: which of them a model's nodes call, and with which
 * attributes. */
#include "operators/operators.h"

#include "common/guard.h"
#include "common/interface.h"
#include "operators/kernel.h"

/* ---- domains ---- */

OrtStatus *ort_CreateCustomOpDomain(const char *name, OrtCustomOpDomain **out)
{
    ORT_NEED(out);
    OrtCustomOpDomain *domain;
    ORT_TRY(ort_new(sizeof *domain, &domain));
    OrtStatus *status = ort_copy_text(name ? name : "", &domain->name);
    ORT_GIVE(status, domain, free, out);
}

OrtStatus *ort_CustomOpDomain_Add(OrtCustomOpDomain *domain, const OrtCustomOp *op)
{
    ORT_EXPECT(domain && op, "CustomOpDomain_Add: there is no %s", domain ? "operator" : "domain");
    ORT_TRY(ort_grow(&domain->op, domain->n, sizeof *domain->op));
    domain->op[domain->n++] = op;
    return NULL;
}

void ort_ReleaseCustomOpDomain(OrtCustomOpDomain *domain)
{
    if (!domain)
        return;
    free(domain->name);
    free(domain->op);
    free(domain);
}

/* ---- operators of the domains ---- */

/* ONNX's own domain has two names. */
static const char *plain_domain(const char *domain)
{
    return strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

static bool is_called(const ort_operator *o, const char *domain, const char *name)
{
    return strcmp(o->domain, domain) == 0 && strcmp(o->name, name) == 0;
}

/* The operators of that name which begin with that version. */
static OrtStatus *find_or_add(ort_operators *s, const char *domain, const ort_declared *d,
                              ort_operator **out)
{
    for (size_t i = 0; i < s->n; i++) {
        *out = s->item[i];
        if ((*out)->since == d->since && is_called(*out, domain, d->name))
            return NULL;
    }
    ORT_TRY(ort_grow(&s->item, s->n, sizeof *s->item));
    ORT_TRY(ort_new(sizeof **out, out));
    s->item[s->n++] = *out;
    **out = (ort_operator){.owner = s, .name = d->name, .since = d->since};
    return ort_copy_text(domain, &(*out)->domain);
}

/* On success the description is the operator's, whose name may be its own. */
static OrtStatus *add_operator(ort_operators *s, const char *domain, const ort_declared *d)
{
    ort_operator *o;
    ORT_TRY(find_or_add(s, domain, d, &o));
    ORT_TRY(ort_grow(&o->op, o->n_op, sizeof *o->op));
    o->op[o->n_op++] = *d;
    return NULL;
}

static OrtStatus *add_domain(ort_operators *s, const OrtCustomOpDomain *domain)
{
    for (size_t i = 0; i < domain->n; i++) {
        ort_declared d = {.op = domain->op[i]};
        OrtStatus *status = ort_guard_declare(&d);
        const bool taken = !status && d.runs_here;
        if (taken)
            status = add_operator(s, plain_domain(domain->name), &d);
        if (status || !taken)
            ort_declared_clear(&d);
        ORT_TRY(status);
    }
    return NULL;
}

static OrtStatus *add_domains(ort_operators *s)
{
    for (size_t d = 0; d < s->options->n_domain; d++)
        ORT_TRY(add_domain(s, s->options->domain[d]));
    return NULL;
}

/* ---- what nodes have ---- */

typedef struct visit {
    ort_operators *operators;
    OrtStatus *status; /* the first that is no success */
} visit;

static OrtStatus *add_attribute(ort_operator *o, const oc_attribute *a)
{
    for (size_t i = 0; i < o->n_attribute; i++)
        if (strcmp(o->attribute[i].name, a->name) == 0)
            return NULL;
    ORT_TRY(ort_grow(&o->attribute, o->n_attribute, sizeof *o->attribute));
    ort_attribute *added = &o->attribute[o->n_attribute];
    *added = (ort_attribute){.kind = a->kind};
    ORT_TRY(ort_copy_text(a->name, &added->name));
    o->n_attribute++;
    return NULL;
}

static OrtStatus *add_values(ort_operators *s, const oc_port *port, int n)
{
    for (int i = 0; i < n; i++) {
        if (!*port[i].name)
            continue;
        ORT_TRY(ort_grow(&s->value, s->n_value, sizeof *s->value));
        s->value[s->n_value++] = port[i];
    }
    return NULL;
}

/* Returns the newest version that serves a node; NULL: none does, or a newer one is built in. */
static ort_operator *serving(const ort_operators *s, const oc_node_info *node)
{
    ort_operator *found = NULL;
    for (size_t i = 0; i < s->n; i++) {
        ort_operator *o = s->item[i];
        if (is_called(o, plain_domain(node->domain), node->op_type) && o->since <= node->opset &&
            (!found || found->since < o->since))
            found = o;
    }
    return found && found->since >= node->since ? found : NULL;
}

static OrtStatus *add_node(ort_operators *s, const oc_node_info *node)
{
    ort_operator *o = serving(s, node);
    if (!o)
        return NULL;
    o->is_called = true;
    for (int i = 0; i < node->n_attr; i++) {
        const oc_attribute a = oc_node_attribute(node, i);
        ORT_TRY(add_attribute(o, &a));
    }
    ORT_TRY(add_values(s, node->in, node->n_in));
    return add_values(s, node->out, node->n_out);
}

static void tell(void *ctx, const oc_node_info *node)
{
    visit *v = ctx;
    if (!v->status)
        v->status = add_node(v->operators, node);
}

/* The nodes of functions are visited where they are called. */
static OrtStatus *visit_nodes(ort_operators *s, const oc_model *model)
{
    visit v = {s, NULL};
    oc_error e = {0};
    if (oc_model_describe(model).n_functions) {
        s->expanded = oc_model_expand(model, OC_BODY_NATIVE, NULL, &e);
        model = s->expanded;
    }
    oc_model_visit(model, NULL, tell, &v, &e);
    return v.status ? v.status : ort_from_error(&e);
}

/* ---- the table ---- */

/* Versions of an operator stand with the newest first. */
static int newest_first(const void *a, const void *b)
{
    const ort_operator *x = *(ort_operator *const *)a, *y = *(ort_operator *const *)b;
    return (x->since < y->since) - (x->since > y->since);
}

static OrtStatus *make_table(ort_operators *s)
{
    size_t n = 0;
    if (s->n)
        qsort(s->item, s->n, sizeof *s->item, newest_first);
    ORT_TRY(ort_new((s->n + 1) * sizeof *s->table, &s->table));
    for (size_t i = 0; i < s->n; i++) {
        ort_operator *o = s->item[i];
        if (!o->is_called)
            continue;
        ORT_TRY(ort_operator_sign(o));
        s->table[n++] = (oc_op){.since = o->since,
                                .signature = o->signature,
                                .run = ort_kernel_run,
                                .prepare = ort_kernel_prepare,
                                .context = o};
    }
    return NULL;
}

OrtStatus *ort_operators_new(const oc_model *model, const OrtSessionOptions *options,
                             const OrtLogger *logger, ort_operators **out)
{
    *out = NULL;
    if (!options->n_domain)
        return NULL;
    ort_operators *s;
    ORT_TRY(ort_new(sizeof *s, &s));
    s->options = options;
    s->logger = logger;
    pthread_mutex_init(&s->lock, NULL);
    OrtStatus *status = add_domains(s);
    if (!status)
        status = visit_nodes(s, model);
    if (!status)
        status = make_table(s);
    ORT_GIVE(status, s, ort_operators_free, out);
}

const oc_op *ort_operators_table(const ort_operators *operators)
{
    return operators ? operators->table : NULL;
}

static void free_operator(ort_operator *o)
{
    ort_attributes_free(o->attribute, o->n_attribute);
    for (size_t i = 0; i < o->n_op; i++)
        ort_declared_clear(&o->op[i]);
    free(o->domain);
    free(o->op);
    free(o->signature);
    free(o);
}

void ort_operators_free(ort_operators *operators)
{
    if (!operators)
        return;
    ort_kernels_free(operators);
    for (size_t i = 0; i < operators->n; i++)
        free_operator(operators->item[i]);
    pthread_mutex_destroy(&operators->lock);
    oc_model_free(operators->expanded);
    free(operators->item);
    free(operators->table);
    free(operators->value);
    free(operators);
}
