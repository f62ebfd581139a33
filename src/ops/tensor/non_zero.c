/* SPDX-License-Identifier: Apache-2.0
 * non_zero.c - NonZero: the indices of the elements that are not 0, false or the empty string. */
#include "ops/kit/op.h"

enum { CHUNK = 512 }; /* elements that are looked at together */

/* is[i] becomes 1 where x[i] has a bit of mask, else 0. */
#define FLAGS(name, T)                                                                             \
    static void name(uint8_t *is, const void *x_, int64_t n, uint64_t mask)                        \
    {                                                                                              \
        const T *x = x_;                                                                           \
        for (int64_t i = 0; i < n; i++)                                                            \
            is[i] = (x[i] & (T)mask) != 0;                                                         \
    }
FLAGS(flags_1, uint8_t)
FLAGS(flags_2, uint16_t)
FLAGS(flags_4, uint32_t)
FLAGS(flags_8, uint64_t)

static void flags_c128(uint8_t *is, const void *x_, int64_t n)
{
    const double *x = x_;
    for (int64_t i = 0; i < n; i++)
        is[i] = x[2 * i] != 0 || x[2 * i + 1] != 0;
}

static void flags_string(uint8_t *is, const void *x_, int64_t n)
{
    const oc_string *x = x_;
    for (int64_t i = 0; i < n; i++)
        is[i] = x[i].size != 0;
}

/* -0 is 0: the sign of a float does not count. */
static void make_flags(uint8_t *is, const oc_value *x, int64_t first, int64_t n)
{
    const size_t size = oc_type_size(x->type);
    const char *from = (const char *)x->data + (size_t)first * size;
    if (x->type == OC_STRING)
        flags_string(is, from, n);
    else if (x->type == OC_C128)
        flags_c128(is, from, n);
    else if (size == 1)
        flags_1(is, from, n, UINT8_MAX);
    else if (size == 2)
        flags_2(is, from, n, oc_type_is_half(x->type) ? INT16_MAX : UINT16_MAX);
    else if (size == 4)
        flags_4(is, from, n, x->type == OC_F32 ? INT32_MAX : UINT32_MAX);
    else
        flags_8(is, from, n,
                x->type == OC_F64   ? INT64_MAX
                : x->type == OC_C64 ? UINT64_C(0x7fffffff7fffffff)
                                    : UINT64_MAX);
}

static int64_t count(oc_call *c, const oc_value *x)
{
    uint8_t is[CHUNK];
    int64_t found = 0;
    OC_CALL_PIECES (c, p, oc_value_n(x), CHUNK)
        for (int64_t at = p.first; at < p.end; at += CHUNK) {
            const int64_t part = oc_min(p.end - at, CHUNK);
            int32_t sum = 0;
            make_flags(is, x, at, part);
            for (int64_t i = 0; i < part; i++)
                sum += is[i];
            found += sum;
        }
    return found;
}

/* The position of an element. */
typedef struct place {
    const oc_dims *dims;
    int64_t at[OC_MAX_RANK];
} place;

/* Moves on to the next row of the last axis. */
static void next_row(place *p)
{
    int a = p->dims->rank - 1;
    p->at[a] = 0;
    for (a--; a >= 0 && ++p->at[a] == p->dims->n[a]; a--)
        p->at[a] = 0;
}

/* Writes the positions of the n elements, in their order, to the columns of y [rank, n]. Returns
 * their number, which is less than n if the host has changed the input since it was counted. */
static int64_t write_positions(oc_call *c, const oc_value *x, int64_t *y, int64_t n)
{
    uint8_t is[CHUNK];
    place p = {.dims = &x->dims};
    const int last = x->dims.rank - 1;
    const int64_t width = x->dims.n[last];
    int64_t out = 0;
    OC_CALL_PIECES (c, q, oc_value_n(x), CHUNK)
        for (int64_t first = q.first; first < q.end && out < n; first += CHUNK) {
            const int64_t part = oc_min(q.end - first, CHUNK);
            make_flags(is, x, first, part);
            for (int64_t i = 0; i < part;) {
                const int64_t left = width - p.at[last];
                const int64_t end = part - i < left ? part : i + left;
                const int64_t base = p.at[last] - i, begin = out;
                for (; i < end && out < n; i++) {
                    y[last * n + out] = base + i;
                    out += is[i];
                }
                i = end;
                for (int a = 0; a < last; a++)
                    for (int64_t j = begin; j < out; j++)
                        y[a * n + j] = p.at[a];
                p.at[last] = base + end;
                if (p.at[last] == width)
                    next_row(&p);
            }
        }
    return out;
}

static oc_status non_zero_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t n = count(c, x);
    OC_TRY(oc_set_out(c, 0, OC_I64, &(oc_dims){2, {x->dims.rank, n}}));
    OC_TRY(oc_alloc_out(c, 0));
    if (x->dims.rank && n && write_positions(c, x, oc_out(c, 0)->data, n) < n)
        return oc_fail(c, OC_VALUE, "input 0 was changed while the node ran");
    return OC_OK;
}

OC_CALL_FN(non_zero_outline, oc_outline(c, 0, OC_I64, &(oc_dims){2, {oc_in(c, 0)->dims.rank, -1}}))

/* clang-format off */
#define NON_ZERO NULL, non_zero_run, OC_TRAITS(.outline = non_zero_outline)
#define SIG(set) "NonZero (T X) => (int64 Y) | T: " set
const oc_op oc_ops_non_zero[] = {
    {13, SIG("all_ir4"), NON_ZERO},
    { 9, SIG("all"),     NON_ZERO},
    {0}
};
