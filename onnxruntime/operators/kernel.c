/* SPDX-License-Identifier: Apache-2.0
 * kernel.c - kernels of the program: made with the plan of a session, or at the first run where the
 * types of the inputs tell which it is, and destroyed with the session. */
#include "operators/kernel.h"

#include "common/guard.h"
#include "common/interface.h"

/* ---- errors ---- */

/* Ends the call with a status, which it frees: with the code that ort_from_error makes the same
 * code again. */
static oc_status fail(oc_call *call, OrtStatus *status)
{
    static const oc_status own[] = {
        [ORT_FAIL] = OC_CANCELLED,          [ORT_INVALID_ARGUMENT] = OC_VALUE,
        [ORT_NO_SUCHFILE] = OC_IO,          [ORT_RUNTIME_EXCEPTION] = OC_NOMEM,
        [ORT_INVALID_PROTOBUF] = OC_FORMAT, [ORT_NOT_IMPLEMENTED] = OC_UNSUPPORTED,
        [ORT_INVALID_GRAPH] = OC_MODEL,
    };
    const OrtErrorCode code = ort_GetErrorCode(status);
    const bool known = (size_t)code < sizeof own / sizeof *own && own[code] != OC_OK;
    const oc_status result =
        oc_call_fail(call, known ? own[code] : own[ORT_FAIL], ort_GetErrorMessage(status));
    ort_ReleaseStatus(status);
    return result;
}

/* ---- which operator of the program ---- */

/* 1: the operator takes inputs of these types; 0: it may, as some are not known yet; -1: it does
 * not. */
static int takes(const ort_declared *op, const oc_port *in, int n_in)
{
    int all = 1;
    for (int i = 0; i < n_in; i++) {
        const oc_type wanted = ort_operand_type(&op->in, (size_t)i), type = in[i].type;
        if (!*in[i].name || wanted == OC_UNDEFINED || wanted == type)
            continue;
        if (type != OC_UNDEFINED)
            return -1;
        all = 0;
    }
    return all;
}

/* *found is NULL where types that are not known yet decide. */
static OrtStatus *choose(const ort_operator *o, const oc_port *in, int n_in,
                         const ort_declared **found)
{
    size_t possible = 0;
    *found = o->op;
    if (o->n_op == 1)
        return NULL;
    for (size_t i = 0; i < o->n_op; i++) {
        const int fits = takes(&o->op[i], in, n_in);
        if (fits >= 0 && possible++ == 0)
            *found = &o->op[i];
        if (fits > 0 && possible == 1)
            return NULL;
    }
    if (!possible)
        return ort_fail(ORT_INVALID_GRAPH, "no operator of this name takes inputs of these types");
    if (possible > 1)
        *found = NULL;
    return NULL;
}

/* ---- kernels ---- */

/* A kernel that cannot be made is an exception of the session, whatever the code of its error. */
static OrtStatus *create(const OrtCustomOp *op, const OrtKernelInfo *info, void **state)
{
    const OrtApi *api = ort_get_api_base()->GetApi(ORT_API_VERSION);
    OrtStatus *status = ort_guard_create(op, api, info, state), *result = NULL;
    if (status)
        result = ort_fail(ORT_RUNTIME_EXCEPTION, "%s", ort_GetErrorMessage(status));
    ort_ReleaseStatus(status);
    return result;
}

static void destroy(ort_kernel *k)
{
    ort_guard_destroy(k->op->op, k->state);
    ort_ReleaseKernelInfo(k->info);
    free(k);
}

/* Refuses a node with fewer operands than its variadic port takes at least. */
static OrtStatus *expect_operands(const ort_side *side, int n, const char *what)
{
    if (!side->n || side->port[side->n - 1].kind != INPUT_OUTPUT_VARIADIC)
        return NULL;
    const int64_t least = (int64_t)side->n - 1 + side->least;
    if (n >= least)
        return NULL;
    return ort_fail(ORT_INVALID_GRAPH, "%d %s, expected %lld or more", n, what, (long long)least);
}

/* A kernel of an operator, or where that is NULL of the one that takes the inputs as far as they
 * are known; NULL where types that are not known yet decide. Under the lock. */
static OrtStatus *make_kernel(oc_call *call, ort_operator *o, const ort_declared *op,
                              ort_kernel **out)
{
    ort_kernel *k;
    ORT_TRY(ort_new(sizeof *k, &k));
    OrtStatus *status = ort_kernel_info_new(call, o, &k->info);
    k->op = op;
    if (!status && !op)
        status = choose(o, k->info->in, k->info->n_in, &k->op);
    if (!status && k->op)
        status = expect_operands(&k->op->in, k->info->n_in, "inputs");
    if (!status && k->op)
        status = expect_operands(&k->op->out, k->info->n_out, "outputs");
    if (!status && k->op)
        status = create(k->op->op, k->info, &k->state);
    if (status || !k->op) {
        ort_ReleaseKernelInfo(k->info);
        free(k);
        return status;
    }
    k->info->call = NULL;
    k->next = o->owner->kernel;
    o->owner->kernel = k;
    *out = k;
    return NULL;
}

/* Returns the kernel that was made of op for a node, or NULL. */
static ort_kernel *find(const ort_operator *o, const ort_declared *op, const oc_node_info *node)
{
    for (ort_kernel *k = o->owner->kernel; k; k = k->next) {
        const OrtKernelInfo *info = k->info;
        bool same = k->op == op && info->of == o && info->identity == node->attr &&
                    strcmp(info->node, node->name) == 0 && info->n_out == node->n_out;
        for (int i = 0; i < node->n_out && same; i++)
            same = strcmp(info->out[i].name, node->out[i].name) == 0;
        if (same)
            return k;
    }
    return NULL;
}

oc_status ort_kernel_prepare(oc_call *call)
{
    ort_operator *o = oc_call_context(call);
    ort_kernel *k = NULL;
    pthread_mutex_lock(&o->owner->lock);
    OrtStatus *status = make_kernel(call, o, NULL, &k);
    pthread_mutex_unlock(&o->owner->lock);
    if (status)
        return fail(call, status);
    ort_kernel **kept = k ? oc_call_keep(call, sizeof *kept) : NULL;
    if (kept)
        *kept = k;
    return k && !kept ? OC_NOMEM : OC_OK;
}

/* The kernel of a call whose types decide which it is, made by the first one. */
static OrtStatus *kernel_of(oc_call *call, ort_kernel **out)
{
    ort_operator *o = oc_call_context(call);
    const oc_node_info node = oc_call_node(call);
    const ort_declared *op;
    ORT_TRY(choose(o, node.in, node.n_in, &op));
    pthread_mutex_lock(&o->owner->lock);
    *out = find(o, op, &node);
    OrtStatus *status = *out ? NULL : make_kernel(call, o, op, out);
    pthread_mutex_unlock(&o->owner->lock);
    return status;
}

void ort_kernels_free(ort_operators *operators)
{
    ort_kernel *next;
    for (ort_kernel *k = operators->kernel; k; k = next) {
        next = k->next;
        destroy(k);
    }
}

/* ---- runs ---- */

static OrtStatus *compute_outputs(oc_call *call, const ort_kernel *k)
{
    const size_t n_in = (size_t)oc_call_n_in(call), n_out = (size_t)oc_call_n_out(call);
    OrtKernelContext c = {.call = call, .kernel = k};
    ORT_TRY(ort_new((n_in + n_out) * sizeof *c.in, &c.in));
    c.out = c.in + n_in;
    pthread_mutex_init(&c.lock, NULL);
    OrtStatus *status = ort_kernel_context_end(&c, ort_guard_compute(k->op->op, k->state, &c));
    pthread_mutex_destroy(&c.lock);
    free(c.in);
    return status;
}

/* Does the kernel take the inputs of the call? Where one operator alone has the name the signature
 * tells. */
static bool fits(const ort_kernel *k, const oc_call *call)
{
    for (int i = 0; k->info->of->n_op > 1 && i < oc_call_n_in(call); i++) {
        const oc_type wanted = ort_operand_type(&k->op->in, (size_t)i);
        const oc_value *v = oc_call_in(call, i);
        if (v && wanted != OC_UNDEFINED && wanted != oc_value_type(v))
            return false;
    }
    return true;
}

oc_status ort_kernel_run(oc_call *call)
{
    ort_kernel *const *kept = oc_call_prepared(call);
    ort_kernel *k = kept && fits(*kept, call) ? *kept : NULL;
    OrtStatus *status = k ? NULL : kernel_of(call, &k);
    if (!status)
        status = compute_outputs(call, k);
    return status ? fail(call, status) : OC_OK;
}
