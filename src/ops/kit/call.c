/* SPDX-License-Identifier: Apache-2.0
 * call.c - what every call has: messages, and scratch memory. */
#include "ops/kit/call.h"

#include <inttypes.h>

oc_status oc_fail(oc_call *c, oc_status code, const char *format, ...)
{
    char text[sizeof((oc_error *)0)->text];
    va_list args;
    OC_TRY(oc_call_ended(c)); /* the fault may come from a loop that the watch has cut short */
    if (c->services->quiet)
        return c->services->error->code = code;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return oc_error_set(c->services->error, code, "%s: %s", c->op->node, text);
}

void oc_remark(const oc_call *c, const char *format, ...)
{
    char text[sizeof((oc_error *)0)->text], line[2 * sizeof text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%s: %s", c->op->node, text);
    c->services->remark(c->services->runtime, c->op->node, line);
}

/* The header of a scratch buffer. It is at the start of the buffer that it describes. */
typedef struct oc_scratch_block {
    struct oc_scratch_block *next;
    oc_value buffer;
} oc_scratch_block;

enum { SCRATCH_HEADER = (sizeof(oc_scratch_block) + OC_ALIGN - 1) / OC_ALIGN * OC_ALIGN };

void *oc_scratch_memory(oc_call *c, uint64_t count, uint64_t size)
{
    oc_value v;
    if (oc_call_ended(c) != OC_OK)
        return NULL;
    if (size && count > SIZE_MAX / 4 / size) {
        oc_fail(c, OC_LIMIT, "scratch memory for %" PRIu64 " times %" PRIu64 " bytes is too large",
                count, size);
        return NULL;
    }
    const uint64_t bytes = count * size;
    const oc_dims dims = oc_dims_1d(SCRATCH_HEADER + (int64_t)bytes);
    if (oc_value_new_tensor(c->services->pool, OC_U8, &dims, &v, c->services->error))
        return NULL;
    oc_scratch_block *b = v.data;
    *b = (oc_scratch_block){c->scratch, v};
    c->scratch = b;
    return (char *)b + SCRATCH_HEADER;
}

oc_buffer *oc_scratch_buffer(const oc_call *c)
{
    return c->scratch->buffer.buffer;
}

void oc_call_release(oc_call *c)
{
    for (oc_scratch_block *b = c->scratch, *next; b; b = next) {
        next = b->next;
        oc_value buffer = b->buffer; /* a copy, because the block is inside the buffer */
        oc_value_unref(&buffer);
    }
    c->scratch = NULL;
}
