/* SPDX-License-Identifier: Apache-2.0
 * matmul.c - the matrix product for each element type, by tiles or by plain loops.
 *
 * Tiles, loops for few columns and loops for many columns add the products of an element in one
 * order, so they give equal bits. */
#include "kernels/matmul/matmul.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"

enum {
    STRIP = 256,      /* bytes in a row of a strip */
    DEPTH = 128,      /* rows of a strip */
    SMALL = 16 * 1024 /* a b of at most this many bytes is read where it is */
};

/* The rows and columns of b that a strip holds. */
typedef struct part {
    int64_t row, rows, column, columns;
} part;

/* Where the elements of a strip come from. */
typedef struct source {
    void (*fill)(const struct source *s, char *strip, const part *p);
    const char *b;
    size_t elem;
    int64_t k, n;                /* rows and columns of b */
    oc_nchw16c_in_fn *to_blocks; /* used by transpose_by_blocks */
    const oc_half_variant *half; /* used by widen_strip */
} source;

static void copy_strip(const source *s, char *strip, const part *p)
{
    for (int64_t i = 0; i < p->rows; i++)
        memcpy(strip + i * STRIP, s->b + (size_t)((p->row + i) * s->n + p->column) * s->elem,
               (size_t)p->columns * s->elem);
}

static void widen_strip(const source *s, char *strip, const part *p)
{
    const uint16_t *b = (const uint16_t *)(const void *)s->b + p->row * s->n + p->column;
    for (int64_t i = 0; i < p->rows; i++)
        s->half->widen((float *)(void *)(strip + i * STRIP), b + i * s->n, p->columns);
}

#define ELEMENT u32
#include "kernels/matmul/matmul_transpose.inc"
#define ELEMENT u64
#include "kernels/matmul/matmul_transpose.inc"

static void transpose_strip(const source *s, char *strip, const part *p)
{
    (s->elem == 4 ? transpose_u32 : transpose_u64)(s, strip, p);
}

/* Fills a strip with the transpose of a part of b, by the kernels that bring channels side by
 * side; a channel is a row of b here. */
static void transpose_by_blocks(const source *s, char *strip, const part *p)
{
    _Alignas(OC_BLOCK_BYTES) char block[DEPTH * OC_BLOCK_BYTES];
    const int64_t elem = (int64_t)s->elem, width = OC_BLOCK_BYTES / elem;
    for (int64_t j = 0; j < p->columns; j += width) {
        const int64_t rest = p->columns - j, from = (p->column + j) * s->k + p->row;
        s->to_blocks(block, s->b + from * elem, s->k, (int)oc_min(rest, width), p->rows);
        for (int64_t i = 0; i < p->rows; i++)
            memcpy(strip + i * STRIP + j * elem, block + i * OC_BLOCK_BYTES, OC_BLOCK_BYTES);
    }
}

/* Multiplies by strips of b, which are made dense. All rows of a use a strip while it is in the
 * first cache. Between two strips the sums are kept in y, whose rows of y_step elements begin
 * with column `first`. */
static void multiply(const oc_work *w, oc_product_fn *fn, const source *s, void *y, int64_t y_step,
                     const void *a, int64_t m, int64_t first, int64_t last)
{
    _Alignas(OC_CACHE_LINE) char strip[DEPTH * STRIP];
    const int64_t k = s->k, columns = last - first, width = STRIP / (int64_t)s->elem;
    assert(m >= 0 && k >= 0 && 0 <= first && first <= last && last <= s->n);
    assert(oc_apart(y, oc_extent(m, columns, y_step, s->elem), a, oc_extent(m, k, k, s->elem)));
    assert(s->half || oc_apart(y, oc_extent(m, columns, y_step, s->elem), s->b,
                               oc_extent(k, s->n, s->n, s->elem)));
    oc_product p = {.b = strip, .y_step = y_step, .a_step = k, .b_step = width, .rows = m};
    /* one round even when k is 0, for sums of 0 */
    const int64_t deep = k > 0 ? oc_div_up(k, DEPTH) : 1;
    OC_LOOP (w, i, oc_div_up(columns, width) * deep, 1) {
        const int64_t j = first + i / deep * width, at = i % deep * DEPTH;
        p.columns = oc_min(last - j, width);
        p.y = (char *)y + (size_t)(j - first) * s->elem;
        p.n = oc_min(k - at, DEPTH);
        p.a = (const char *)a + (size_t)at * s->elem;
        p.more = at > 0;
        s->fill(s, strip, &(part){at, p.n, j, p.columns});
        fn(&p);
    }
}

void oc_matmul_tiles(const oc_work *w, oc_product_fn *fn, size_t elem, void *y, const void *a,
                     const void *b, int64_t m, int64_t k, int64_t n, int64_t first, int64_t last)
{
    const source s = {.fill = copy_strip, .b = b, .elem = elem, .k = k, .n = n};
    if (k * n * (int64_t)elem > SMALL) {
        multiply(w, fn, &s, (char *)y + (size_t)first * elem, n, a, m, first, last);
        return;
    }
    fn(&(oc_product){.y = (char *)y + (size_t)first * elem,
                     .a = a,
                     .b = s.b + (size_t)first * elem,
                     .y_step = n,
                     .a_step = k,
                     .b_step = n,
                     .rows = m,
                     .columns = last - first,
                     .n = k});
}

void oc_matmul_tiles_transposed(const oc_work *w, oc_product_fn *fn, oc_nchw16c_in_fn *to_blocks,
                                size_t elem, void *y, const void *a, const void *b, int64_t m,
                                int64_t k, int64_t n, int64_t first, int64_t last)
{
    const source s = {
        to_blocks ? transpose_by_blocks : transpose_strip, b, elem, k, n, to_blocks, NULL};
    multiply(w, fn, &s, (char *)y + (size_t)first * elem, n, a, m, first, last);
}

void oc_matmul_tiles_half(const oc_work *w, oc_product_fn *fn, const oc_half_variant *half,
                          float *y, const float *a, const uint16_t *b, int64_t m, int64_t k,
                          int64_t n, int64_t first, int64_t last)
{
    _Alignas(OC_CACHE_LINE) float all[SMALL / sizeof(float)];
    const source s = {.fill = widen_strip,
                      .b = (const char *)b,
                      .elem = sizeof *all,
                      .k = k,
                      .n = n,
                      .half = half};
    if (last - first < n || k * n * (int64_t)sizeof *all > SMALL) {
        multiply(w, fn, &s, y, last - first, a, m, first, last);
        return;
    }
    half->widen(all, b, k * n);
    fn(&(oc_product){.y = y,
                     .a = a,
                     .b = all,
                     .y_step = n,
                     .a_step = k,
                     .b_step = n,
                     .rows = m,
                     .columns = n,
                     .n = k});
}

/* Integers are unsigned, so that they wrap. */
#define ELEMENT u32
#include "kernels/matmul/product_few.inc"
#define ELEMENT u64
#include "kernels/matmul/product_few.inc"

oc_product_fn *oc_matmul_pick(oc_type type, unsigned cpu)
{
    const oc_product_variant *v;
    OC_VARIANT_PICK(v, oc_product_variants, few_f32, cpu);
    switch (type) {
    case OC_F32:
        return v->few_f32;
    case OC_F64:
        return v->few_f64;
    case OC_I32:
    case OC_U32:
        return few_u32;
    default:
        assert(type == OC_I64 || type == OC_U64);
        return few_u64;
    }
}
