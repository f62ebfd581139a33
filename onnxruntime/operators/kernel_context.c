/* SPDX-License-Identifier: Apache-2.0
 * kernel_context.c - what a kernel may ask when it runs: inputs, outputs, threads, memory, the log.
 */
#include "common/functions.h"
#include "common/guard.h"
#include "common/interface.h"
#include "operators/kernel.h"

#include <limits.h>

/* ---- inputs ---- */

ORT_GETTER(ort_KernelContext_GetInputCount, OrtKernelContext, c, size_t,
           (size_t)oc_call_n_in(c->call))
ORT_GETTER(ort_KernelContext_GetOutputCount, OrtKernelContext, c, size_t,
           (size_t)oc_call_n_out(c->call))

static OrtStatus *view_input(const OrtKernelContext *c, size_t i)
{
    const oc_value *v = oc_call_in(c->call, (int)i);
    return v && !c->in[i] ? ort_value_view(v, &c->in[i]) : NULL;
}

OrtStatus *ort_KernelContext_GetInput(const OrtKernelContext *c, size_t i, const OrtValue **out)
{
    ORT_NEED(c && out);
    const size_t n = (size_t)oc_call_n_in(c->call);
    *out = NULL;
    ORT_EXPECT(i < n || i < c->kernel->op->in.n, "KernelContext_GetInput: input %zu of %zu", i, n);
    if (i >= n)
        return NULL;
    ort_lock(&c->lock);
    OrtStatus *status = view_input(c, i);
    *out = c->in[i];
    return ort_unlock(&c->lock, status);
}

/* ---- outputs ---- */

/* Is true where the node leaves output i out, and may. */
static bool is_missing(const OrtKernelContext *c, size_t i)
{
    const ort_side *side = &c->kernel->op->out;
    return !*c->kernel->info->out[i].name &&
           ort_port_kind(side, i < side->n ? i : side->n - 1) != INPUT_OUTPUT_REQUIRED;
}

/* An output of any type has the declared one, or else that of the first input of any type. */
static oc_type output_type(const OrtKernelContext *c, size_t i)
{
    const ort_declared *op = c->kernel->op;
    oc_type type = ort_operand_type(&op->out, i);
    if (type == OC_UNDEFINED)
        type = c->kernel->info->out[i].type;
    for (int k = 0; type == OC_UNDEFINED && k < oc_call_n_in(c->call); k++)
        if (oc_call_in(c->call, k) && ort_operand_type(&op->in, (size_t)k) == OC_UNDEFINED)
            type = oc_value_type(oc_call_in(c->call, k));
    return type;
}

/* Is true for types whose elements lie otherwise in tensors of the program than in those of
 * Ocellus, so that a tensor of the program needs memory of its own. */
static bool has_own_memory(oc_type type)
{
    return type == OC_STRING || ort_type_bits(type) != 8;
}

static OrtStatus *make_output(OrtKernelContext *c, size_t i, const int64_t *dim, size_t rank)
{
    const oc_type type = output_type(c, i);
    ORT_EXPECT(type != OC_UNDEFINED, "KernelContext_GetOutput: the type of output %zu is not known",
               i);
    ORT_EXPECT(rank <= OC_MAX_RANK, "KernelContext_GetOutput: output %zu of rank %zu", i, rank);
    if (oc_call_set_out(c->call, (int)i, type, (int)rank, dim) != OC_OK)
        return ort_fail(ORT_RUNTIME_EXCEPTION,
                        "KernelContext_GetOutput: output %zu cannot have these dims", i);
    if (has_own_memory(type))
        return ort_value_new(ort_default_allocator(), type, (int)rank, dim, &c->out[i]);
    return ort_value_over(oc_call_out(c->call, (int)i), type, (int)rank, dim, &c->out[i]);
}

OrtStatus *ort_KernelContext_GetOutput(OrtKernelContext *c, size_t i, const int64_t *dim,
                                       size_t rank, OrtValue **out)
{
    ORT_NEED(c && out);
    const size_t n = (size_t)oc_call_n_out(c->call);
    *out = NULL;
    ORT_EXPECT(i < n, "KernelContext_GetOutput: output %zu of %zu", i, n);
    if (is_missing(c, i))
        return NULL;
    ort_lock(&c->lock);
    OrtStatus *status = c->out[i] ? NULL : make_output(c, i, dim, rank);
    if (!status && !ort_value_has_dims(c->out[i], rank, dim))
        status =
            ort_fail(ORT_INVALID_ARGUMENT,
                     "KernelContext_GetOutput: output %zu was asked for with other dims before", i);
    if (!status)
        *out = c->out[i];
    return ort_unlock(&c->lock, status);
}

static OrtStatus *give_strings(oc_call *call, int i, const OrtValue *v)
{
    const oc_string *text = oc_value_data(v->strings);
    for (int64_t k = 0; k < v->count; k++)
        if (oc_call_set_string(call, i, k, text[k].data, text[k].size) != OC_OK)
            return ort_no_memory(text[k].size);
    return NULL;
}

/* Elements of fewer than 8 bits take a byte each in Ocellus. */
static OrtStatus *give_unpacked(oc_call *call, int i, const OrtValue *v)
{
    oc_value *plain;
    ORT_TRY(ort_value_to_ocellus(v, OC_TENSOR, v->type, &plain));
    if (v->count)
        memcpy(oc_call_out(call, i), oc_value_data(plain),
               (size_t)v->count * oc_type_size(v->type));
    oc_value_free(plain);
    return NULL;
}

/* A kernel must make an output that has a name, and may leave alone one that nobody reads. */
static OrtStatus *end_output(OrtKernelContext *c, size_t i)
{
    const OrtValue *v = c->out[i];
    if (!v && is_missing(c, i))
        return NULL;
    if (!v) {
        const oc_type type = output_type(c, i);
        if (*c->kernel->info->out[i].name)
            return ort_fail(ORT_FAIL, "the kernel has not made output %zu", i);
        oc_call_set_out(c->call, (int)i, type ? type : OC_F32, 1, &(int64_t){0});
        return NULL;
    }
    if (v->type == OC_STRING)
        return give_strings(c->call, (int)i, v);
    return has_own_memory(v->type) ? give_unpacked(c->call, (int)i, v) : NULL;
}

OrtStatus *ort_kernel_context_end(OrtKernelContext *c, OrtStatus *status)
{
    const size_t n_in = (size_t)oc_call_n_in(c->call), n_out = (size_t)oc_call_n_out(c->call);
    for (size_t i = 0; i < n_out && !status; i++)
        status = end_output(c, i);
    for (size_t i = 0; i < n_in; i++)
        ort_ReleaseValue(c->in[i]);
    for (size_t i = 0; i < n_out; i++)
        ort_ReleaseValue(c->out[i]);
    return status;
}

/* ---- threads and memory ---- */

typedef struct batch {
    void (*function)(void *, size_t);
    void *user;
    size_t total, n;
    _Atomic(OrtStatus *) status; /* status of the first task that threw; NULL: none has */
} batch;

static void call_batch(void *arg, int i)
{
    batch *b = arg;
    const size_t at = (size_t)i, each = b->total / b->n, more = b->total % b->n;
    const size_t first = at * each + (at < more ? at : more);
    OrtStatus *none = NULL;
    OrtStatus *status = ort_guard_tasks(b->function, b->user, first, first + each + (at < more));
    if (status && !atomic_compare_exchange_strong(&b->status, &none, status))
        ort_ReleaseStatus(status);
}

OrtStatus *ort_KernelContext_ParallelFor(const OrtKernelContext *c,
                                         void (*function)(void *, size_t), size_t total,
                                         size_t n_batch, void *user)
{
    ORT_NEED(c);
    ORT_EXPECT(function, "KernelContext_ParallelFor: there is no function");
    batch b = {function, user, total, n_batch ? n_batch : (size_t)oc_call_threads(c->call), NULL};
    if (b.n > total)
        b.n = total;
    if (b.n > INT_MAX)
        b.n = INT_MAX;
    if (b.n)
        oc_call_run_tasks(c->call, (int)b.n, call_batch, &b);
    return b.status;
}

OrtStatus *ort_KernelContext_GetScratchBuffer(const OrtKernelContext *c,
                                              const OrtMemoryInfo *memory, size_t size, void **out)
{
    ORT_NEED(c && out);
    ORT_TRY(ort_expect_cpu(memory));
    ort_lock(&c->lock);
    *out = oc_call_scratch(c->call, size);
    return ort_unlock(&c->lock, *out || !size ? NULL : ort_no_memory(size));
}

OrtStatus *ort_KernelContext_GetAllocator(const OrtKernelContext *, const OrtMemoryInfo *memory,
                                          OrtAllocator **out)
{
    ORT_NEED(out);
    ORT_TRY(ort_expect_cpu(memory));
    *out = ort_default_allocator();
    return NULL;
}

OrtStatus *ort_KernelContext_GetGPUComputeStream(const OrtKernelContext *, void **out)
{
    ORT_NEED(out);
    *out = NULL;
    return NULL;
}

/* ---- the log ---- */

OrtStatus *ort_KernelContext_GetLogger(const OrtKernelContext *c, const OrtLogger **out)
{
    ORT_NEED(c && out);
    return ort_KernelInfo_GetLogger(c->kernel->info, out);
}
