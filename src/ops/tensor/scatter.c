/* SPDX-License-Identifier: Apache-2.0
 * scatter.c - reductions of old and new elements, for each type.
 *
 * Updates are applied in the order of their indices, so that the last one of several for one place
 * wins. Integers wrap. Of numbers and NaN, NaN is the maximum and the minimum. A sum of bools is
 * true if one of them is, as is their maximum; a product if all are. */
#include "ops/tensor/scatter.h"

enum { PART = 1 << 12 }; /* elements that are written at a time */

enum { NONE, ADD, MUL, MAX, MIN, REDUCTIONS };

#define COPY(size)                                                                                 \
    case size:                                                                                     \
        for (int64_t i = 0; i < p->n; i++)                                                         \
            memcpy((char *)y + p->at[i] * (size), (const char *)u + i * (size), size);             \
        break;

static void put_none(void *y, const void *u, const oc_scatter_part *p, size_t elem)
{
    switch (p->slab == 1 ? elem : 0) {
        COPY(1)
        COPY(2)
        COPY(4)
        COPY(8)
        COPY(16)
    default:
        for (int64_t i = 0; i < p->n; i++)
            memcpy((char *)y + elem * (size_t)(p->at[i] + p->first),
                   (const char *)u + elem * (size_t)(i * p->slab + p->first),
                   elem * (size_t)(p->end - p->first));
    }
}

/* Each element a of y and b of u becomes expr. */
#define PUT(name, T, expr)                                                                         \
    static void name(void *y_, const void *u_, const oc_scatter_part *p, size_t elem)              \
    {                                                                                              \
        T *y = y_;                                                                                 \
        const T *u = u_;                                                                           \
        (void)elem;                                                                                \
        PUT_SLABS(T, expr)                                                                         \
    }
#define PUT_SLABS(T, expr)                                                                         \
    for (int64_t i = 0; i < p->n; i++) {                                                           \
        const int64_t from = i * p->slab, to = p->at[i];                                           \
        for (int64_t j = p->first; j < p->end; j++) {                                              \
            const T a = y[to + j], b = u[from + j];                                                \
            y[to + j] = expr;                                                                      \
        }                                                                                          \
    }

typedef struct c64 {
    float re, im;
} c64;
typedef struct c128 {
    double re, im;
} c128;

#define FLOATS(name, T)                                                                            \
    PUT(add_##name, T, a + b)                                                                      \
    PUT(mul_##name, T, a *b)                                                                       \
    PUT(max_##name, T, a > b || a != a ? a : b)                                                    \
    PUT(min_##name, T, a < b || a != a ? a : b)
#define COMPLEX(name, T)                                                                           \
    PUT(add_##name, T, ((T){a.re + b.re, a.im + b.im}))                                            \
    PUT(mul_##name, T, ((T){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}))
#define SUMS(name, T)                                                                              \
    PUT(add_##name, T, (T)((uint64_t)a + b))                                                       \
    PUT(mul_##name, T, (T)((uint64_t)a * b))
#define EXTREMES(name, T)                                                                          \
    PUT(max_##name, T, a > b ? a : b)                                                              \
    PUT(min_##name, T, a < b ? a : b)

FLOATS(f32, float)
FLOATS(f64, double)
COMPLEX(c64, c64)
COMPLEX(c128, c128)
SUMS(u8, uint8_t)
SUMS(u16, uint16_t)
SUMS(u32, uint32_t)
SUMS(u64, uint64_t)
EXTREMES(i8, int8_t)
EXTREMES(i16, int16_t)
EXTREMES(i32, int32_t)
EXTREMES(i64, int64_t)
EXTREMES(u8, uint8_t)
EXTREMES(u16, uint16_t)
EXTREMES(u32, uint32_t)
EXTREMES(u64, uint64_t)
PUT(any, uint8_t, a || b)
PUT(all, uint8_t, a &&b)

/* clang-format off */
#define EACH(op) [OC_F32] = op##_f32, [OC_F64] = op##_f64, [OC_U8] = op##_u8,                      \
    [OC_U16] = op##_u16, [OC_U32] = op##_u32, [OC_U64] = op##_u64
#define WRAP(op) EACH(op), [OC_I8] = op##_u8, [OC_I16] = op##_u16, [OC_I32] = op##_u32,            \
    [OC_I64] = op##_u64, [OC_C64] = op##_c64, [OC_C128] = op##_c128
#define SIGN(op) EACH(op), [OC_I8] = op##_i8, [OC_I16] = op##_i16, [OC_I32] = op##_i32,            \
    [OC_I64] = op##_i64
static oc_scatter_fn *const puts_by_type[REDUCTIONS][OC_N_TYPES] = {
    [ADD] = {WRAP(add), [OC_BOOL] = any},
    [MUL] = {WRAP(mul), [OC_BOOL] = all},
    [MAX] = {SIGN(max), [OC_BOOL] = any},
    [MIN] = {SIGN(min), [OC_BOOL] = all},
};
/* clang-format on */

/* *type becomes that of sums; *put: NULL where no element of the type can be reduced. max and min
 * are words of version 18, which exporters write in version 16, too. */
static oc_status find_put(oc_call *c, oc_type *type, oc_scatter_fn **put)
{
    static const char *const names[] = {"none", "add", "mul", "max", "min", NULL};
    int reduction = NONE;
    *type = oc_in(c, 0)->type;
    if (!oc_attr_is(c, "reduction", "")) /* missing before version 16 */
        OC_TRY(oc_attr_enum(c, "reduction", names, &reduction));
    if (reduction != NONE && oc_type_is_half(*type))
        *type = OC_F32;
    *put = reduction == NONE ? put_none : puts_by_type[reduction][*type];
    return OC_OK;
}

oc_status oc_scatter_check(oc_call *c)
{
    oc_type type;
    oc_scatter_fn *put;
    OC_TRY(find_put(c, &type, &put));
    if (put)
        return OC_OK;
    return oc_fail(c, OC_TYPE, "reduction '%.*s' is not defined for elements of type %s",
                   (int)oc_attr_string(c, "reduction").size, oc_attr_string(c, "reduction").data,
                   oc_type_name(type));
}

static void remark_on_reduction(const oc_call *c)
{
    if (!oc_attr_has(c, "reduction"))
        return;
    if (oc_attr_is(c, "reduction", ""))
        oc_remark(c, "reduction is empty, which the standard does not allow; it stands for none");
    else if (oc_call_since(c) < 18 &&
             (oc_attr_is(c, "reduction", "max") || oc_attr_is(c, "reduction", "min")))
        oc_remark(c, "reductions max and min are of version 18, and taken as there");
}

oc_status oc_scatter_begin(oc_call *c, oc_scatter *s)
{
    const int64_t n = oc_value_n(oc_in(c, 0));
    const void *data;
    OC_TRY(find_put(c, &s->type, &s->put));
    remark_on_reduction(c);
    OC_TRY(oc_in_as(c, 0, s->type, &data));
    OC_TRY(oc_in_as(c, 2, s->type, &s->updates));
    OC_TRY(oc_out_as(c, 0, s->type, n, &s->y));
    oc_call_copy(c, s->y, data, (size_t)n * oc_type_size(s->type));
    return OC_OK;
}

void oc_scatter_put(const oc_scatter *s, const oc_work *w, const oc_scatter_part *all)
{
    const int64_t width = all->end - all->first, wide = oc_div_up(width, PART);
    const int64_t rows = width < PART ? PART / (width ? width : 1) : 1;
    const size_t elem = oc_type_size(s->type);
    OC_LOOP (w, i, oc_div_up(all->n, rows) * wide, 1) {
        const int64_t at = i / wide * rows;
        oc_scatter_part part = *all;
        part.at += at;
        part.n = oc_min(all->n - at, rows);
        part.first = all->first + i % wide * PART;
        part.end = all->end - part.first < PART ? all->end : part.first + PART;
        s->put(s->y, (const char *)s->updates + elem * (size_t)(at * all->slab), &part, elem);
    }
}

void oc_scatter_end(oc_call *c, const oc_scatter *s)
{
    oc_out_from(c, 0, s->type, s->y);
}
