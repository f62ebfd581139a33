/* SPDX-License-Identifier: Apache-2.0
 * dims.c - the arithmetic of shapes. */
#include "tensor/dims.h"

#include "base/size.h"

#include <inttypes.h>
#include <stdio.h>

int64_t oc_dims_product(const oc_dims *d, int first, int last)
{
    int64_t p = 1;
    for (int i = first; i < last; i++)
        p *= d->n[i];
    return p;
}

int64_t oc_dims_count(const oc_dims *d)
{
    return oc_dims_product(d, 0, d->rank);
}

/* Computes the product of the dims that are not 0, and that times elem_size. */
static bool multiply(const oc_dims *d, size_t elem_size, int64_t *nonzero, int64_t *size)
{
    *nonzero = 1;
    for (int i = 0; i < d->rank; i++)
        if (d->n[i] < 0 || (d->n[i] && !oc_i64_mul(*nonzero, d->n[i], nonzero)))
            return false;
    return oc_i64_mul(*nonzero, (int64_t)elem_size, size);
}

bool oc_dims_fit(const oc_dims *d, size_t elem_size)
{
    int64_t nonzero, size;
    return multiply(d, elem_size, &nonzero, &size);
}

bool oc_dims_bytes(const oc_dims *d, size_t elem_size, int64_t *count, size_t *bytes)
{
    int64_t nonzero, size;
    bool empty = false;
    if (!multiply(d, elem_size, &nonzero, &size) || (uint64_t)size > SIZE_MAX / 2)
        return false;
    for (int i = 0; i < d->rank; i++)
        empty |= d->n[i] == 0;
    *count = empty ? 0 : nonzero;
    *bytes = empty ? 0 : (size_t)size;
    return true;
}

bool oc_dims_known(const oc_dims *d)
{
    for (int a = 0; a < d->rank; a++)
        if (d->n[a] < 0)
            return false;
    return d->rank >= 0;
}

bool oc_dims_equal(const oc_dims *a, const oc_dims *b)
{
    bool equal = a->rank == b->rank;
    for (int i = 0; equal && i < a->rank; i++)
        equal = a->n[i] == b->n[i];
    return equal;
}

bool oc_dims_same_but(const oc_dims *a, const oc_dims *b, int axis)
{
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (i != axis && a->n[i] != b->n[i])
            return false;
    return true;
}

bool oc_dims_axis(int64_t axis, int rank, int *normal)
{
    if (axis < -rank || axis >= rank)
        return false;
    *normal = (int)(axis < 0 ? axis + rank : axis);
    return true;
}

/* Broadcasts when the axes of b equal the last axes of a; else returns false. */
static bool broadcast_last(oc_dims *a, const oc_dims *b)
{
    int64_t *last = a->n + (a->rank - b->rank);
    for (int i = 0; i < b->rank; i++)
        if (last[i] != b->n[i] && last[i] != 1 && b->n[i] != 1)
            return false;
    for (int i = 0; i < b->rank; i++)
        last[i] = last[i] == 1 ? b->n[i] : last[i];
    return true;
}

bool oc_dims_broadcast(oc_dims *a, const oc_dims *b)
{
    if (a->rank >= b->rank)
        return broadcast_last(a, b);
    const int rank = b->rank;
    oc_dims y = {.rank = rank};
    for (int i = 0; i < rank; i++) {
        const int ia = i - (rank - a->rank), ib = i - (rank - b->rank);
        const int64_t na = ia < 0 ? 1 : a->n[ia], nb = ib < 0 ? 1 : b->n[ib];
        if (na != nb && na != 1 && nb != 1)
            return false;
        y.n[i] = na == 1 ? nb : na;
    }
    *a = y;
    return true;
}

void oc_dims_strides(const oc_dims *d, int64_t strides[OC_MAX_RANK])
{
    int64_t step = 1;
    for (int i = d->rank - 1; i >= 0; i--) {
        strides[i] = step;
        step *= d->n[i];
    }
}

const char *oc_dims_text(const oc_dims *d, char text[OC_DIMS_TEXT])
{
    size_t at = 0;
    text[at++] = '[';
    for (int i = 0; i < d->rank; i++) {
        const char *comma = i ? "," : "";
        const int n = d->n[i] < 0
                          ? snprintf(text + at, OC_DIMS_TEXT - at, "%s?", comma)
                          : snprintf(text + at, OC_DIMS_TEXT - at, "%s%" PRId64, comma, d->n[i]);
        at += (size_t)n;
    }
    text[at++] = ']';
    text[at] = 0;
    return text;
}
