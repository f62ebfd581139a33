/* SPDX-License-Identifier: Apache-2.0
 * heads.c - heads of rows, with or without a bias, and the run of the attention kernel. */
#include "ops/attention/heads.h"

#include <math.h>

oc_heads oc_heads_of_rows(int input, const oc_dims *rows, int64_t n)
{
    const int64_t size = rows->n[2] / n;
    return (oc_heads){input,
                      0,
                      {4, {rows->n[0], n, rows->n[1], size}},
                      {rows->n[1] * rows->n[2], size, rows->n[2], 1}};
}

oc_status oc_heads_check(oc_call *c, int64_t batch, int64_t heads, int64_t rows, int64_t columns)
{
    const int64_t n[] = {batch, heads, rows, columns};
    int64_t all = (int64_t)sizeof(double);
    for (int i = 0; i < 4; i++)
        if (!oc_i64_mul(all, n[i] > 0 ? n[i] : 1, &all))
            return oc_fail(c, OC_LIMIT,
                           "%lld batches of %lld heads, %lld rows and %lld columns are too large",
                           (long long)batch, (long long)heads, (long long)rows, (long long)columns);
    return OC_OK;
}

static void add_bias(oc_call *c, float *x, const oc_dims *d, const float *bias)
{
    OC_CALL_LOOP (c, row, d->n[0] * d->n[1] * d->n[2], 16) {
        const float *b = bias + row / d->n[2] % d->n[1] * d->n[3];
        for (int64_t i = 0; i < d->n[3]; i++)
            x[row * d->n[3] + i] += b[i];
    }
}

oc_status oc_heads_take(oc_call *c, const oc_heads *h, int bias, int64_t first, void **data)
{
    const oc_value *in = oc_in_or_null(c, h->input);
    const size_t elem = oc_type_size(in->type);
    const int64_t n = h->dims.n[0] * h->dims.n[1] * h->dims.n[2] * h->dims.n[3];
    int64_t step[OC_MAX_RANK];
    const void *numbers;
    float *wide = NULL;
    OC_TRY(OC_SCRATCH_OF(c, *data, n, elem));
    if (n == 0)
        return OC_OK;
    oc_dims_strides(&h->dims, step);
    oc_call_move(c, *data, step, (const char *)in->data + (size_t)h->at * elem, h->step, &h->dims,
                 elem);
    if (bias < 0 || !oc_in_or_null(c, bias))
        return OC_OK;
    OC_TRY(oc_in_as(c, bias, OC_F32, &numbers));
    wide = *data;
    if (in->type != OC_F32) {
        OC_TRY(OC_SCRATCH(c, wide, n));
        oc_call_convert(c, wide, OC_F32, *data, in->type, n);
    }
    add_bias(c, wide, &h->dims, (const float *)numbers + first);
    if (in->type != OC_F32)
        oc_call_convert(c, *data, in->type, wide, OC_F32, n);
    return OC_OK;
}

oc_status oc_heads_attend(oc_call *c, oc_attention *g)
{
    g->cpu = oc_call_cpu(c);
    g->work = oc_call_work(c, oc_attention_work(g));
    const size_t size = oc_attention_scratch(g, g->work.threads);
    if (!size)
        return oc_fail(c, OC_LIMIT, "the scores of a block of queries do not fit in memory");
    OC_TRY(OC_SCRATCH_OF(c, g->scratch, size, 1));
    oc_attention_run(g);
    return OC_OK;
}

double oc_heads_scale(oc_call *c, int64_t size)
{
    const double given = (double)oc_attr_float(c, "scale");
    return given != 0 ? given : 1 / sqrt((double)size);
}
