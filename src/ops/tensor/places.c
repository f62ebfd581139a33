/* SPDX-License-Identifier: Apache-2.0
 * places.c - blocks picked by index, and tuples of indices as places. */
#include "ops/tensor/places.h"

/* The size is a constant, so that a copy is a load and a store. */
#define PICK(size)                                                                                 \
    case size:                                                                                     \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy((char *)dst + i * (size), (const char *)src + (size_t)at[i] * unit, size);      \
        break;

static void pick(void *dst, const void *src, const int64_t *at, size_t unit, size_t size, int64_t n)
{
    switch (size) {
        PICK(1)
        PICK(2)
        PICK(4)
        PICK(8)
        PICK(16)
    default:
        for (int64_t i = 0; i < n; i++)
            memcpy((char *)dst + (size_t)i * size, (const char *)src + (size_t)at[i] * unit, size);
    }
}

void oc_pick_blocks(const oc_work *w, void *dst, const void *src, const int64_t *at, size_t unit,
                    size_t size, int64_t n)
{
    enum { LARGE = 1 << 16, FEW = 1 << 10 }; /* bytes of a block that is copied in pieces */
    char *to = dst;
    const char *from = src;
    OC_PIECES (w, p, n, size > LARGE ? 1 : 1 + FEW / ((int64_t)size / 64 + 1))
        if (size > LARGE)
            for (int64_t i = p.first; i < p.end; i++)
                oc_work_copy(w, to + (size_t)i * size, from + (size_t)at[i] * unit, size);
        else
            pick(to + (size_t)p.first * size, from, at + p.first, unit, size, p.end - p.first);
}

/* Writes the error for element `number` of input i, an index along an axis of input 0. */
static oc_status bad_index(oc_call *c, int i, int64_t number, int axis, int64_t size)
{
    char why[64];
    const int64_t index = ((const int64_t *)oc_in(c, i)->data)[number];
    snprintf(why, sizeof why, " for axis %d of input 0", axis);
    return oc_fail_index(c, i, number, index, size, why);
}

oc_status oc_in_tuples(oc_call *c, int i, const oc_dims *data, int batch, const int64_t **at)
{
    const oc_value *v = oc_in(c, i);
    const int k = (int)v->dims.n[v->dims.rank - 1];
    const int64_t n = oc_dims_product(&v->dims, 0, v->dims.rank - 1);
    const int64_t batches = oc_dims_product(data, 0, batch);
    const int64_t *index = v->data;
    int64_t step[OC_MAX_RANK], *list;
    oc_dims_strides(data, step);
    OC_TRY(OC_SCRATCH(c, list, n));
    const int64_t each = batches ? n / batches : 0;
    const int64_t batch_step = oc_dims_product(data, batch, data->rank);
    OC_CALL_LOOP (c, t, n, 64) {
        int64_t place = batch ? t / each * batch_step : 0;
        for (int a = batch; a < batch + k; a++) {
            const int64_t size = data->n[a];
            const int64_t x = *index < 0 ? *index + size : *index;
            if (x < 0 || x >= size)
                return bad_index(c, i, t * k + a - batch, a, size);
            place += x * step[a];
            index++;
        }
        list[t] = place;
    }
    *at = list;
    return oc_check_limits(c);
}
