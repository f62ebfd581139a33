/* SPDX-License-Identifier: Apache-2.0
 * move.c - copies elements whatever their type; only their size matters. */
#include "tensor/move.h"

#include "base/int.h"

#include <string.h>

enum { FILL = 32 }; /* up to this many elements are copied one by one */

/* Moves one row of n elements; steps are in bytes. A memcpy of constant size compiles to one
 * load and one store, whatever the alignment. */
#define ROW(size)                                                                                  \
    case size:                                                                                     \
        for (int64_t i = 0; i < n; i++, d += dst_step, s += src_step)                              \
            memcpy(d, s, size);                                                                    \
        break;

static void move_row(char *d, int64_t dst_step, const char *s, int64_t src_step, int64_t n,
                     size_t elem)
{
    if (dst_step == (int64_t)elem && src_step == (int64_t)elem) {
        memcpy(d, s, elem * (size_t)n);
        return;
    }
    if (dst_step == (int64_t)elem && src_step == 0 && n >= FILL) {
        oc_fill(d, n, s, elem);
        return;
    }
    switch (elem) {
        ROW(1)
        ROW(2)
        ROW(4)
        ROW(8)
        ROW(16)
        ROW(32)
        ROW(64)
    }
}
#undef ROW

/* Can a row of size bytes be moved as one element? */
static bool is_element(int64_t size)
{
    return size > 0 && size <= 64 && (size & (size - 1)) == 0;
}

void oc_copy_rows(void *dst, size_t dst_step, const void *src, size_t src_step, size_t size,
                  int64_t rows)
{
    if (size == 0 || rows <= 0)
        return;
    char *d = dst;
    const char *s = src;
    if (size == dst_step && size == src_step)
        memcpy(dst, src, size * (size_t)rows);
    else if (is_element((int64_t)size))
        move_row(d, (int64_t)dst_step, s, (int64_t)src_step, rows, size);
    else
        for (int64_t i = 0; i < rows; i++, d += dst_step, s += src_step)
            memcpy(d, s, size);
}

void oc_box_walk_of(oc_box_walk *w, const int64_t dst_step[], const int64_t src_step[],
                    const oc_dims *box, size_t size)
{
    const int64_t elem = (int64_t)size;
    w->rank = 0;
    for (int a = 0; a < box->rank; a++) {
        const int64_t n = box->n[a], d = dst_step[a] * elem, s = src_step[a] * elem;
        const int last = w->rank - 1;
        if (n == 1)
            continue;
        if (w->rank && w->dst[last] == d * n && w->src[last] == s * n) {
            w->n[last] *= n;
            w->dst[last] = d;
            w->src[last] = s;
            continue;
        }
        w->n[w->rank] = n;
        w->dst[w->rank] = d;
        w->src[w->rank++] = s;
    }
    if (w->rank == 0) {
        w->n[0] = 1;
        w->dst[0] = w->src[0] = elem;
        w->rank = 1;
    }
}

/* When the innermost axis is a few adjacent elements on both sides, joins them into one element.
 * Returns the size of the elements then. */
static size_t join_elements(oc_box_walk *w, size_t elem)
{
    const int inner = w->rank - 1;
    const int64_t all = w->n[inner] * (int64_t)elem;
    if (inner == 0 || w->dst[inner] != (int64_t)elem || w->src[inner] != (int64_t)elem ||
        !is_element(all))
        return elem;
    w->rank--;
    return (size_t)all;
}

void oc_move(void *dst, const int64_t dst_step[], const void *src, const int64_t src_step[],
             const oc_dims *box, size_t elem)
{
    if (oc_dims_count(box) == 0)
        return;
    oc_box_walk w;
    oc_box_walk_of(&w, dst_step, src_step, box, elem);
    elem = join_elements(&w, elem);
    const int inner = w.rank - 1;
    int64_t at[OC_MAX_RANK] = {0};
    char *d = dst;
    const char *s = src;
    for (;;) {
        move_row(d, w.dst[inner], s, w.src[inner], w.n[inner], elem);
        int a = inner - 1;
        while (a >= 0 && ++at[a] == w.n[a]) {
            d -= w.dst[a] * (w.n[a] - 1);
            s -= w.src[a] * (w.n[a] - 1);
            at[a--] = 0;
        }
        if (a < 0)
            return;
        d += w.dst[a];
        s += w.src[a];
    }
}

void oc_fill(void *dst, int64_t count, const void *one, size_t elem)
{
    char *d = dst;
    if (count <= 0)
        return;
    /* copies what is filled, doubling it, until all is filled */
    const size_t total = (size_t)count * elem;
    memcpy(d, one, elem);
    for (size_t done = elem; done < total;) {
        const size_t part = oc_min(done, total - done);
        memcpy(d + done, d, part);
        done += part;
    }
}
