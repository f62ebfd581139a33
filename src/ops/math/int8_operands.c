/* SPDX-License-Identifier: Apache-2.0
 * int8_operands.c - packs matrices on the right, and brings rows on the left into their form. */
#include "ops/math/int8_operands.h"

#include "kernels/layout/nchw16c.h"

int64_t oc_int8_columns(int64_t n)
{
    return oc_channel_blocks(n) * OC_BLOCK_CHANNELS;
}

void oc_int8_pack(const oc_call *c, const oc_value *b, bool transposed, int8_t *packed,
                  int32_t *sum)
{
    const oc_work by = oc_call_work(c, 0);
    oc_matmul_int8_pack(oc_call_cpu(c), packed, sum, b->data, b->dims.n[transposed],
                        b->dims.n[!transposed], transposed, oc_int8_right_flip(b), &by);
}

oc_status oc_int8_prepare(oc_call *c, const oc_value *b, bool transposed, bool consume)
{
    if ((b->type != OC_U8 && b->type != OC_I8) || b->dims.rank != 2 || oc_value_n(b) == 0)
        return OC_OK;
    const int64_t k = b->dims.n[transposed], n = b->dims.n[!transposed];
    int8_t *packed = oc_keep_room(c, (uint64_t)oc_matmul_int8_packed(k, n));
    int32_t *sum = oc_keep_room(c, (uint64_t)oc_int8_columns(n) * sizeof *sum);
    oc_int8_right *kept = oc_call_keep(c, sizeof *kept);
    if (!packed || !sum || !kept)
        return OC_NOMEM;
    oc_int8_pack(c, b, transposed, packed, sum);
    *kept = (oc_int8_right){packed, sum};
    if (consume)
        oc_call_consume(c);
    return OC_OK;
}

int64_t oc_int8_left_row(const oc_call *c, int64_t k)
{
    return oc_matmul_int8_row(oc_call_cpu(c), oc_matmul_int8_depth(k));
}

/* Rows of a left operand that are copied. */
typedef struct left_rows {
    unsigned cpu;
    const uint8_t *from;
    uint8_t *to;
    int64_t k, row;
    uint8_t flip;
    oc_work work;
} left_rows;

static void copy_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const left_rows *t = arg;
    oc_matmul_int8_rows(t->cpu, t->to + first * t->row, t->from + first * t->k, end - first, t->k,
                        t->flip, &t->work);
}

oc_status oc_int8_left(oc_call *c, const oc_value *a, int64_t rows, int64_t k, const uint8_t **to)
{
    const uint8_t flip = oc_int8_left_flip(a);
    const int64_t row = oc_int8_left_row(c, k);
    left_rows t = {oc_call_cpu(c), a->data, NULL, k, row, flip, oc_call_work(c, 0)};
    *to = a->data;
    if (!flip && row == k)
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, t.to, rows * row));
    *to = t.to;
    return oc_call_units(c, (double)rows * (double)k * 2, rows, copy_rows, &t);
}
