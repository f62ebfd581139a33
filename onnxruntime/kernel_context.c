/* SPDX-License-Identifier: Apache-2.0
 * kernel_context.c - what a kernel may ask when it runs: inputs, outputs, threads, memory, the log.
 */
#include "interface.h"
#include "kernel.h"

#include <limits.h>
#include <string.h>

/* ---- inputs ---- */

OrtStatus *ort_KernelContext_GetInputCount(const OrtKernelContext *c, size_t *count)
{
    *count = (size_t)oc_call_n_in(c->call);
    return NULL;
}

OrtStatus *ort_KernelContext_GetOutputCount(const OrtKernelContext *c, size_t *count)
{
    *count = (size_t)oc_call_n_out(c->call);
    return NULL;
}

OrtStatus *ort_KernelContext_GetInput(const OrtKernelContext *c, size_t i, const OrtValue **out)
{
    const OrtCustomOp *op = c->kernel->op;
    const size_t n = (size_t)oc_call_n_in(c->call), ports = op->GetInputTypeCount(op);
    *out = NULL;
    ORT_EXPECT(i < n || i < ports, "KernelContext_GetInput: input %zu of %zu", i, n);
    if (i >= n)
        return NULL;
    const oc_value *v = oc_call_in(c->call, (int)i);
    if (v && !c->in[i])
        ORT_TRY(ort_value_view(v, &c->in[i]));
    *out = c->in[i];
    return NULL;
}

/* ---- outputs ---- */

/* May the node leave output i out, and does it so? */
static bool is_missing(const OrtKernelContext *c, size_t i)
{
    const OrtCustomOp *op = c->kernel->op;
    const ort_side side = ort_outputs_of(op);
    const size_t ports = side.count(op);
    return !*c->kernel->info->out[i].name &&
           ort_port_kind(op, &side, i < ports ? i : ports - 1) != INPUT_OUTPUT_REQUIRED;
}

/* An output of any type has the declared one, or else that of the first input of any type. */
static oc_type output_type(const OrtKernelContext *c, size_t i)
{
    const OrtCustomOp *op = c->kernel->op;
    const ort_side out = ort_outputs_of(op), in = ort_inputs_of(op);
    oc_type type = ort_operand_type(op, &out, i);
    if (type == OC_UNDEFINED)
        type = c->kernel->info->out[i].type;
    for (int k = 0; type == OC_UNDEFINED && k < oc_call_n_in(c->call); k++)
        if (oc_call_in(c->call, k) && ort_operand_type(op, &in, (size_t)k) == OC_UNDEFINED)
            type = oc_value_type(oc_call_in(c->call, k));
    return type;
}

/* Has a tensor of the program memory of its own, since elements lie otherwise in Ocellus'? */
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
    const size_t n = (size_t)oc_call_n_out(c->call);
    *out = NULL;
    ORT_EXPECT(i < n, "KernelContext_GetOutput: output %zu of %zu", i, n);
    if (is_missing(c, i))
        return NULL;
    if (!c->out[i])
        ORT_TRY(make_output(c, i, dim, rank));
    ORT_EXPECT(ort_value_has_dims(c->out[i], rank, dim),
               "KernelContext_GetOutput: output %zu was asked for with other dims before", i);
    *out = c->out[i];
    return NULL;
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

/* Outputs that nobody reads may be left alone. */
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
} batch;

static void run_batch(void *arg, int i)
{
    const batch *b = arg;
    const size_t at = (size_t)i, each = b->total / b->n, more = b->total % b->n;
    const size_t first = at * each + (at < more ? at : more);
    for (size_t k = first; k < first + each + (at < more); k++)
        b->function(b->user, k);
}

OrtStatus *ort_KernelContext_ParallelFor(const OrtKernelContext *c,
                                         void (*function)(void *, size_t), size_t total,
                                         size_t n_batch, void *user)
{
    ORT_EXPECT(function, "KernelContext_ParallelFor: there is no function");
    batch b = {function, user, total, n_batch ? n_batch : (size_t)oc_call_threads(c->call)};
    if (b.n > total)
        b.n = total;
    if (b.n > INT_MAX)
        b.n = INT_MAX;
    if (b.n)
        oc_call_run_tasks(c->call, (int)b.n, run_batch, &b);
    return NULL;
}

OrtStatus *ort_KernelContext_GetScratchBuffer(const OrtKernelContext *c,
                                              const OrtMemoryInfo *memory, size_t size, void **out)
{
    ORT_TRY(ort_expect_cpu(memory));
    *out = oc_call_scratch(c->call, size);
    return *out || !size ? NULL : ort_no_memory(size);
}

OrtStatus *ort_KernelContext_GetAllocator(const OrtKernelContext *c, const OrtMemoryInfo *memory,
                                          OrtAllocator **out)
{
    (void)c;
    ORT_TRY(ort_expect_cpu(memory));
    *out = ort_default_allocator();
    return NULL;
}

OrtStatus *ort_KernelContext_GetGPUComputeStream(const OrtKernelContext *c, void **out)
{
    (void)c;
    *out = NULL;
    return NULL;
}

/* ---- the log ---- */

OrtStatus *ort_KernelContext_GetLogger(const OrtKernelContext *c, const OrtLogger **out)
{
    return ort_KernelInfo_GetLogger(c->kernel->info, out);
}
