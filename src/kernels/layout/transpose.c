/* SPDX-License-Identifier: Apache-2.0
 * transpose.c - transposes squares in registers and tiles in local memory, and orders the tiles. */
#include "kernels/layout/transpose.h"

#include "base/int.h"
#include "base/compiler.h"
#include "base/cpu.h"
#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/common/streaming_store.h"

/* LINE_BYTES: a cache line. BLOCK: tiles of a block in each direction. NEAR: within this many bytes
 * the rows of a tile have different places in the first cache. FEW: columns of 8-byte elements from
 * which on squares of two are faster. PART: elements that transpose_each takes at a time. */
enum { LINE_BYTES = 64, BLOCK = 32, NEAR = 1 << 14, FEW = 8, PART = 128 };

/* A matrix, or the part of one that is still to be transposed. */
typedef struct matrix {
    char *to;
    const char *from;
    int64_t to_step, from_step, rows, cols;
    bool stream, near;
} matrix;

/* ---- element by element */

typedef struct pair {
    uint64_t half[2];
} pair;

/* Steps are in bytes. A memcpy of constant size is one load and one store. */
#define EACH(T)                                                                                    \
    for (int64_t i = 0; i < n; i++, to += to_step, from += from_step)                              \
        memcpy(to, from, sizeof(T));                                                               \
    break

static void copy_each(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n,
                      size_t size)
{
    switch (size) {
    case 1:
        EACH(uint8_t);
    case 2:
        EACH(uint16_t);
    case 4:
        EACH(uint32_t);
    case 8:
        EACH(uint64_t);
    default:
        EACH(pair);
    }
}
#undef EACH

/* Takes PART elements at a time along the longer side, so that their cache lines are used up. */
static void transpose_each(const matrix *p, size_t size_)
{
    const int64_t size = (int64_t)size_;
    const bool tall = p->rows > p->cols;
    const int64_t length = tall ? p->rows : p->cols, lines = tall ? p->cols : p->rows;
    const int64_t to_step = tall ? size : p->to_step, to_line = tall ? p->to_step : size;
    const int64_t from_step = tall ? p->from_step : size, from_line = tall ? size : p->from_step;
    for (int64_t b = 0; b < length; b += PART)
        for (int64_t i = 0; i < lines; i++)
            copy_each(p->to + b * to_step + i * to_line, to_step,
                      p->from + b * from_step + i * from_line, from_step,
                      length - b < PART ? length - b : PART, size_);
}

/* ---- squares of SIDE by SIDE elements that fill 16 bytes */

#ifdef __SSE2__

/* Interleave the lower, or the upper, halves of two registers element by element. */
#define LOW_u8   _mm_unpacklo_epi8
#define HIGH_u8  _mm_unpackhi_epi8
#define LOW_u16  _mm_unpacklo_epi16
#define HIGH_u16 _mm_unpackhi_epi16
#define LOW_u32  _mm_unpacklo_epi32
#define HIGH_u32 _mm_unpackhi_epi32
#define LOW_u64  _mm_unpacklo_epi64
#define HIGH_u64 _mm_unpackhi_epi64

enum { ROUNDS_u8 = 4, ROUNDS_u16 = 3, ROUNDS_u32 = 2, ROUNDS_u64 = 1 };

#define ELEMENT u8
#include "kernels/layout/transpose_squares.inc"
#define ELEMENT u16
#include "kernels/layout/transpose_squares.inc"
#define ELEMENT u32
#include "kernels/layout/transpose_squares.inc"
#define ELEMENT u64
#include "kernels/layout/transpose_squares.inc"

/* The functions for one size of elements. */
typedef struct squares {
    void (*few_rows)(const matrix *p, int64_t n), (*few_columns)(const matrix *p, int64_t n);
    void (*tile)(const matrix *p, int64_t i, int64_t j);
} squares;

/* For elements of 1, 2, 4 and 8 bytes. */
static const squares squares_of[] = {{few_rows_u8, few_columns_u8, tile_u8},
                                     {few_rows_u16, few_columns_u16, tile_u16},
                                     {few_rows_u32, few_columns_u32, tile_u32},
                                     {few_rows_u64, few_columns_u64, tile_u64}};

/* Transposes whole squares of a matrix with fewer rows, or columns, than a square, and takes them
 * off it. Registers are as long as a square's side: of rows of `from` they read past the end, so
 * the last row must be left out. What they write past the end of a row of `to` is overwritten by
 * the next rows, so there must be no gap between rows. */
static void transpose_few(matrix *p, const squares *s, int64_t size, int64_t side)
{
    const bool narrow = p->cols < side;
    const int64_t step = narrow ? p->from_step : p->to_step, n = narrow ? p->rows : p->cols;
    const int64_t end = (n - 1) * step + (narrow ? p->cols : p->rows) * size;
    if (!narrow && p->to_step != p->rows * size)
        return;
    /* last: a register that begins at this row, or one before it, reads nothing past the end */
    const int64_t last = end < 16 ? -1 : (end - 16) / step;
    const int64_t done = oc_min(n, last + 1) & -side;
    (narrow ? s->few_columns : s->few_rows)(p, done / side);
    *(narrow ? &p->rows : &p->cols) -= done;
    p->to += done * (narrow ? size : p->to_step);
    p->from += done * (narrow ? p->from_step : size);
}

/* Transposes the matrix in blocks of tiles, or by few rows or columns where it is too narrow for
 * squares, and leaves the rows or columns that are left over. */
static void transpose_squares(matrix *p, int64_t size)
{
    const int log = __builtin_ctzll((unsigned long long)size);
    const int64_t least = oc_min(p->rows, p->cols), tile = LINE_BYTES >> log, block = BLOCK * tile;
    const squares *s = &squares_of[log];
    if (size > 8 || (size == 8 && least < FEW))
        return;
    if (least < 16 >> log) {
        transpose_few(p, s, size, 16 >> log);
        return;
    }
    for (int64_t i = 0; i < p->rows; i += block)
        for (int64_t j = 0; j < p->cols; j += block)
            for (int64_t k = i; k < oc_min(p->rows, i + block); k += tile)
                for (int64_t m = j; m < oc_min(p->cols, j + block); m += tile)
                    s->tile(p, k, m);
    p->rows = 0;
}
#endif

void oc_transpose(void *to, int64_t to_step, const void *from, int64_t from_step, int64_t rows,
                  int64_t cols, size_t size, bool stream)
{
    matrix p = {to, from, to_step, from_step, rows, cols, stream, false};
    assert(rows > 0 && cols > 0);
#ifdef __SSE2__
    p.near = !stream && to_step * LINE_BYTES <= NEAR * (int64_t)size;
    transpose_squares(&p, (int64_t)size);
#endif
    transpose_each(&p, size);
    if (stream)
        oc_stream_end();
}
