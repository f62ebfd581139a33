/* SPDX-License-Identifier: Apache-2.0
 * transpose.c - squares in registers, tiles in local memory, and the order of tiles. */
#include "kernels/layout/transpose.h"

#include "base/cpu.h"
#include "kernels/common/precondition.h"
#include "kernels/common/stream.h"

#include <string.h>

/* Bytes of a cache line; tiles that a block has in each direction; bytes within which the rows of a
 * tile have places of their own in the first cache; columns of 8-byte elements that are worth
 * squares of two. */
enum { LINE = 64, BLOCK = 32, NEAR = 1 << 14, FEW = 8, PART = 128 };

/* A plane, or what is left of it. */
typedef struct plane {
    char *to;
    const char *from;
    int64_t to_step, from_step, rows, cols;
    bool stream, near;
} plane;

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

/* Along the longer side, PART elements at a time, so that their lines are used up. */
static void transpose_each(const plane *p, size_t size_)
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

/* `lines` rows of `from` are read, the others are 0; as many columns as `rows` of `to` are written.
 * Each round pairs row k with row k + SIDE / 2; after as many rounds as SIDE has bits, rows are
 * columns. */
#define SQUARE(name, SIDE, ROUNDS, LOW, HIGH)                                                      \
    static inline void name(char *to, int64_t to_step, int64_t rows, const char *from,             \
                            int64_t from_step, int64_t lines)                                      \
    {                                                                                              \
        __m128i r[SIDE], s[SIDE];                                                                  \
        for (int i = 0; i < SIDE; i++)                                                             \
            r[i] = i < lines                                                                       \
                       ? _mm_loadu_si128((const __m128i *)(const void *)(from + i * from_step))    \
                       : _mm_setzero_si128();                                                      \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            for (int k = 0; k < SIDE / 2; k++) {                                                   \
                s[2 * k] = LOW(r[k], r[k + SIDE / 2]);                                             \
                s[2 * k + 1] = HIGH(r[k], r[k + SIDE / 2]);                                        \
            }                                                                                      \
            for (int k = 0; k < SIDE; k++)                                                         \
                r[k] = s[k];                                                                       \
        }                                                                                          \
        for (int j = 0; j < SIDE; j++)                                                             \
            if (j < rows)                                                                          \
                _mm_storeu_si128((__m128i *)(void *)(to + j * to_step), r[j]);                     \
    }
SQUARE(square_1, 16, 4, _mm_unpacklo_epi8, _mm_unpackhi_epi8)
SQUARE(square_2, 8, 3, _mm_unpacklo_epi16, _mm_unpackhi_epi16)
SQUARE(square_4, 4, 2, _mm_unpacklo_epi32, _mm_unpackhi_epi32)
SQUARE(square_8, 2, 1, _mm_unpacklo_epi64, _mm_unpackhi_epi64)

/* Turns as many rows of a plane of fewer than SIDE columns as can be: registers reach past the end
 * of a row, but not of the last one. Returns how many. */
#define FEW_COLUMNS(name, square, T, SIDE)                                                         \
    static int64_t name(const plane *p)                                                            \
    {                                                                                              \
        const int64_t size = sizeof(T), end = (p->rows - 1) * p->from_step + p->cols * size;       \
        int64_t i = 0;                                                                             \
        for (; i + SIDE <= p->rows && (i + SIDE - 1) * p->from_step + 16 <= end; i += SIDE)        \
            square(p->to + i * size, p->to_step, p->cols, p->from + i * p->from_step,              \
                   p->from_step, SIDE);                                                            \
        return i;                                                                                  \
    }

/* The same for columns of fewer than SIDE rows. What a register writes past the end of a row of
 * `to`, the next rows replace, so there must be no gap between two. */
#define FEW_ROWS(name, square, T, SIDE)                                                            \
    static int64_t name(const plane *p)                                                            \
    {                                                                                              \
        const int64_t size = sizeof(T), end = p->cols * p->rows * size;                            \
        int64_t j = 0;                                                                             \
        if (p->to_step != p->rows * size)                                                          \
            return 0;                                                                              \
        for (; j + SIDE <= p->cols && (j + SIDE - 1) * p->to_step + 16 <= end; j += SIDE)          \
            square(p->to + j * p->to_step, p->to_step, SIDE, p->from + j * size, p->from_step,     \
                   p->rows);                                                                       \
        return j;                                                                                  \
    }

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The tile whose first element is (i, j). At the edges squares overlap instead of being cut. Rows
 * that would compete for places in the cache are written when the whole tile is transposed. */
#define TILE(name, square, T, SIDE)                                                                \
    static void name(const plane *p, int64_t i, int64_t j)                                         \
    {                                                                                              \
        enum { SIZE = sizeof(T), N = LINE / SIZE };                                                \
        char *to = p->to + j * p->to_step + i * SIZE;                                              \
        const char *from = p->from + i * p->from_step + j * SIZE;                                  \
        if (p->rows - i < N || p->cols - j < N || p->near) {                                       \
            const int64_t end = least(p->rows, i + N), last = least(p->cols, j + N);               \
            for (int64_t k = i; k < end; k += SIDE)                                                \
                for (int64_t m = j; m < last; m += SIDE) {                                         \
                    const int64_t row = least(k, p->rows - SIDE), col = least(m, p->cols - SIDE);  \
                    square(p->to + col * p->to_step + row * SIZE, p->to_step, SIDE,                \
                           p->from + row * p->from_step + col * SIZE, p->from_step, SIDE);         \
                }                                                                                  \
            return;                                                                                \
        }                                                                                          \
        _Alignas(LINE) char tile[N * LINE];                                                        \
        for (int k = 0; p->stream && k < N; k++) /* of the next tile */                            \
            OC_PREFETCH(from + k * p->from_step + LINE);                                           \
        for (int k = 0; k < N; k += SIDE)                                                          \
            for (int m = 0; m < N; m += SIDE)                                                      \
                square(tile + m * LINE + k * SIZE, LINE, SIDE, from + k * p->from_step + m * SIZE, \
                       p->from_step, SIDE);                                                        \
        for (int m = 0; m < N; m++)                                                                \
            if (p->stream)                                                                         \
                oc_stream(to + m * p->to_step, tile + m * LINE, LINE);                             \
            else                                                                                   \
                memcpy(to + m * p->to_step, tile + m * LINE, LINE);                                \
    }

/* The plane in blocks of tiles, or where it is too narrow for squares, what has rows or columns
 * left over. */
#define TRANSPOSE(name, few_columns, few_rows, tile, T, SIDE)                                      \
    static plane name(const plane *p)                                                              \
    {                                                                                              \
        enum { SIZE = sizeof(T), N = LINE / SIZE, B = BLOCK * N };                                 \
        plane left = *p;                                                                           \
        if (p->cols < SIDE) {                                                                      \
            const int64_t done = few_columns(p);                                                   \
            left.rows -= done;                                                                     \
            left.to += done * SIZE;                                                                \
            left.from += done * p->from_step;                                                      \
            return left;                                                                           \
        }                                                                                          \
        if (p->rows < SIDE) {                                                                      \
            const int64_t done = few_rows(p);                                                      \
            left.cols -= done;                                                                     \
            left.to += done * p->to_step;                                                          \
            left.from += done * SIZE;                                                              \
            return left;                                                                           \
        }                                                                                          \
        for (int64_t i = 0; i < p->rows; i += B)                                                   \
            for (int64_t j = 0; j < p->cols; j += B)                                               \
                for (int64_t k = i; k < least(p->rows, i + B); k += N)                             \
                    for (int64_t m = j; m < least(p->cols, j + B); m += N)                         \
                        tile(p, k, m);                                                             \
        left.rows = 0;                                                                             \
        return left;                                                                               \
    }

#define SIZE(n, T)                                                                                 \
    enum { SIDE_##n = 16 / n };                                                                    \
    FEW_COLUMNS(few_columns_##n, square_##n, T, SIDE_##n)                                          \
    FEW_ROWS(few_rows_##n, square_##n, T, SIDE_##n)                                                \
    TILE(tile_##n, square_##n, T, SIDE_##n)                                                        \
    TRANSPOSE(transpose_##n, few_columns_##n, few_rows_##n, tile_##n, T, SIDE_##n)
SIZE(1, uint8_t)
SIZE(2, uint16_t)
SIZE(4, uint32_t)
SIZE(8, uint64_t)
#undef SIZE

static plane transpose_squares(const plane *p, size_t size)
{
    switch (size) {
    case 1:
        return transpose_1(p);
    case 2:
        return transpose_2(p);
    case 4:
        return transpose_4(p);
    case 8:
        return p->rows < FEW || p->cols < FEW ? *p : transpose_8(p);
    default:
        return *p;
    }
}
#endif

void oc_transpose(void *to, int64_t to_step, const void *from, int64_t from_step, int64_t rows,
                  int64_t cols, size_t size, bool stream)
{
    plane p = {to, from, to_step, from_step, rows, cols, stream, false};
    assert(rows > 0 && cols > 0);
#ifdef __SSE2__
    p.near = !stream && to_step * LINE <= NEAR * (int64_t)size;
    p = transpose_squares(&p, size);
#endif
    transpose_each(&p, size);
    if (stream)
        oc_stream_end();
}
