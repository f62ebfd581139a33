/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - the matrix product for each element type, by tiles or by plain loops.
 *
 * Tiles, loops for few columns and loops for many add the products of an element in the same order,
 * so they give the same bits. */
#include "kernels/product/matmul.h"

#include "kernels/common/precondition.h"

#include <string.h>

enum {
    SIDE = 8,    /* rows summed side by side; fewer columns than this take the loops for few */
    STRIP = 256, /* bytes of a strip's row */
    DEPTH = 128  /* rows of a strip */
};

/* Strips of b are copied densely. All rows of a use a strip while it is in the first cache. Between
 * two strips the sums are kept in y. */
void oc_matmul_tiles(oc_product_fn *fn, size_t elem, void *y, const void *a, const void *b,
                     int64_t m, int64_t k, int64_t n, int64_t first, int64_t last)
{
    _Alignas(OC_CACHE_LINE) char strip[DEPTH * STRIP];
    const int64_t width = STRIP / (int64_t)elem;
    assert(m >= 0 && k >= 0 && 0 <= first && first <= last && last <= n);
    assert(oc_apart(y, oc_extent(m, n, n, elem), a, oc_extent(m, k, k, elem)));
    assert(oc_apart(y, oc_extent(m, n, n, elem), b, oc_extent(k, n, n, elem)));
    oc_product p = {.b = strip, .y_step = n, .a_step = k, .b_step = width, .rows = m};
    for (int64_t j = first; j < last; j += width) {
        p.columns = last - j < width ? last - j : width;
        p.y = (char *)y + (size_t)j * elem;
        int64_t at = 0;
        do { /* also once when k is 0 */
            p.n = k - at < DEPTH ? k - at : DEPTH;
            p.a = (const char *)a + (size_t)at * elem;
            p.more = at > 0;
            for (int64_t i = 0; i < p.n; i++)
                memcpy(strip + i * STRIP, (const char *)b + (size_t)((at + i) * n + j) * elem,
                       (size_t)p.columns * elem);
            fn(&p);
            at += DEPTH;
        } while (at < k);
    }
}

#define T       float
#define NAME(x) x##_f32
#include "kernels/product/matmul.inc"

#define T       double
#define NAME(x) x##_f64
#include "kernels/product/matmul.inc"

/* Integers are unsigned, so that they wrap. */
#define T       uint32_t
#define NAME(x) x##_i32
#include "kernels/product/matmul.inc"

#define T       uint64_t
#define NAME(x) x##_i64
#include "kernels/product/matmul.inc"
