/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - the matrix product for each element type, by tiles or by plain loops.
 *
 * Tiles, loops for few columns and loops for many add the products of an element in the same order,
 * so they give the same bits. */
#include "kernels/product/matmul.h"

#include "kernels/common/precondition.h"

#include <string.h>

enum {
    SIDE = 8,  /* rows summed side by side; fewer columns than this take the loops for few */
    LINE = 16, /* elements of a row that are read together, so that rows far apart keep their cache
                  line */
    STRIP = 256, /* bytes of a strip's row */
    DEPTH = 128  /* rows of a strip */
};

/* Rows and columns of b that a strip holds. */
typedef struct part {
    int64_t row, rows, column, columns;
} part;

static void copy_strip(char *strip, size_t elem, const char *b, int64_t n, const part *p)
{
    for (int64_t i = 0; i < p->rows; i++)
        memcpy(strip + i * STRIP, b + (size_t)((p->row + i) * n + p->column) * elem,
               (size_t)p->columns * elem);
}

/* Four rows of the transpose at a time, so that stores are wide. */
#define TURN(T)                                                                                    \
    do {                                                                                           \
        T *to = (T *)(void *)strip;                                                                \
        const T *from = (const T *)(const void *)b + p->column * k + p->row;                       \
        int64_t j = 0;                                                                             \
        for (; j + 4 <= p->columns; j += 4, from += 4 * k)                                         \
            for (int64_t i = 0; i < p->rows; i++) {                                                \
                const T four[4] = {from[i], from[k + i], from[2 * k + i], from[3 * k + i]};        \
                memcpy(to + i * (STRIP / (int64_t)sizeof(T)) + j, four, sizeof four);              \
            }                                                                                      \
        for (; j < p->columns; j++, from += k)                                                     \
            for (int64_t i = 0; i < p->rows; i++)                                                  \
                to[i * (STRIP / (int64_t)sizeof(T)) + j] = from[i];                                \
    } while (0)

static void turn_strip(char *strip, size_t elem, const char *b, int64_t k, const part *p)
{
    if (elem == 4)
        TURN(uint32_t);
    else
        TURN(uint64_t);
}
#undef TURN

/* The same by the kernels that bring planes side by side; here a plane is a row of b. */
static void turn_lanes(char *strip, size_t elem, oc_lanes_in_fn *lanes, const char *b, int64_t k,
                       const part *p)
{
    _Alignas(OC_LANE_BYTES) char block[DEPTH * OC_LANE_BYTES];
    const int64_t width = OC_LANE_BYTES / (int64_t)elem;
    for (int64_t j = 0; j < p->columns; j += width) {
        const int64_t rest = p->columns - j, from = (p->column + j) * k + p->row;
        lanes(block, b + (size_t)from * elem, k, (int)(rest < width ? rest : width), p->rows);
        for (int64_t i = 0; i < p->rows; i++)
            memcpy(strip + i * STRIP + j * (int64_t)elem, block + i * OC_LANE_BYTES, OC_LANE_BYTES);
    }
}

/* Strips of b are copied densely. All rows of a use a strip while it is in the first cache. Between
 * two strips the sums are kept in y. */
static void multiply(oc_product_fn *fn, size_t elem, void *y, const void *a, const void *b,
                     bool turned, oc_lanes_in_fn *lanes, int64_t m, int64_t k, int64_t n,
                     int64_t first, int64_t last)
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
            const part of = {at, p.n, j, p.columns};
            if (lanes)
                turn_lanes(strip, elem, lanes, b, k, &of);
            else if (turned)
                turn_strip(strip, elem, b, k, &of);
            else
                copy_strip(strip, elem, b, n, &of);
            fn(&p);
            at += DEPTH;
        } while (at < k);
    }
}

void oc_matmul_tiles(oc_product_fn *fn, size_t elem, void *y, const void *a, const void *b,
                     int64_t m, int64_t k, int64_t n, int64_t first, int64_t last)
{
    multiply(fn, elem, y, a, b, false, NULL, m, k, n, first, last);
}

void oc_matmul_tiles_turned(oc_product_fn *fn, oc_lanes_in_fn *lanes, size_t elem, void *y,
                            const void *a, const void *b, int64_t m, int64_t k, int64_t n,
                            int64_t first, int64_t last)
{
    multiply(fn, elem, y, a, b, true, lanes, m, k, n, first, last);
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
