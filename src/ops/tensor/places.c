/* SPDX-License-Identifier: Apache-2.0
 * places.c - blocks picked by index, and tuples of indices as places. */
#include "ops/tensor/places.h"

#include <stdio.h>
#include <string.h>

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

enum {
    PIECE = 1 << 16,    /* blocks that are picked between two looks at the limits */
    LARGE = 1 << 20,    /* bytes of a block that is copied in pieces */
    INDEX_WORK = 1 << 6 /* products that take as long as an index that is made a place */
};

/* One block, in pieces; false: the limits ended it. */
static bool copy_large(oc_pace *pace, char *dst, const char *src, size_t size)
{
    for (size_t done = 0; done < size; done += LARGE) {
        const size_t part = size - done < LARGE ? size - done : LARGE;
        if (!oc_pace_on(pace, 2 * (int64_t)part))
            return false;
        memcpy(dst + done, src + done, part);
    }
    return true;
}

void oc_pick_blocks(oc_pace *pace, void *dst, const void *src, const int64_t *at, size_t unit,
                    size_t size, int64_t n)
{
    char *to = dst;
    const char *from = src;
    if (size > LARGE) {
        for (int64_t i = 0; i < n; i++, to += size)
            if (!copy_large(pace, to, from + (size_t)at[i] * unit, size))
                return;
        return;
    }
    const int64_t most = size < LARGE / PIECE ? PIECE : LARGE / (int64_t)size;
    for (int64_t done = 0; done < n; done += most) {
        const int64_t part = n - done < most ? n - done : most;
        if (!oc_pace_on(pace, part * ((int64_t)size * 2 + OC_PLACE)))
            return;
        pick(to + (size_t)done * size, from, at + done, unit, size, part);
    }
}

/* The error for element `number` of input i, an index along an axis of input 0. */
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
    oc_pace pace = {oc_call_go_on(c), 0};
    for (int64_t t = 0; t < n && oc_pace_on(&pace, (k + 1) * INDEX_WORK); t++) {
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
