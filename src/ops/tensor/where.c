/* SPDX-License-Identifier: Apache-2.0
 * where.c - Where: chooses X or Y by a bool, element by element; no per-type code. */
#include "ops/kit/op.h"

/* An element of each size that types have. */
typedef struct sixteen {
    uint64_t half[2];
} sixteen;

/* Both are read, so that the compiler may choose several at a time. */
#define CHOOSE(T, left, right)                                                                     \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const T a = left, b = right;                                                               \
        y[i] = condition[i] ? a : b;                                                               \
    }
#define ROW(name, T)                                                                               \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n,            \
                     const void *ctx)                                                              \
    {                                                                                              \
        (void)ctx;                                                                                 \
        T *y = y_;                                                                                 \
        const uint8_t *condition = x_[0];                                                          \
        const T *p = x_[1], *q = x_[2];                                                            \
        if (step[0] == 0)                                                                          \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = *condition ? p[i * step[1]] : q[i * step[2]];                               \
        else if (step[1] && step[2])                                                               \
            CHOOSE(T, p[i], q[i])                                                                  \
        else if (step[1])                                                                          \
            CHOOSE(T, p[i], *q)                                                                    \
        else if (step[2])                                                                          \
            CHOOSE(T, *p, q[i])                                                                    \
        else                                                                                       \
            CHOOSE(T, *p, *q)                                                                      \
    }
ROW(row1, uint8_t)
ROW(row2, uint16_t)
ROW(row4, uint32_t)
ROW(row8, uint64_t)
ROW(row16, sixteen)

static oc_status where_shape(oc_call *c)
{
    return oc_broadcast_shape(c, oc_in(c, 1)->type);
}

static oc_status where_run(oc_call *c)
{
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1), oc_in(c, 2)};
    oc_value *y = oc_out(c, 0);
    const size_t elem = oc_type_size(y->type);
    oc_row_fn *row = elem == 1   ? row1
                     : elem == 2 ? row2
                     : elem == 4 ? row4
                     : elem == 8 ? row8
                                 : row16;
    oc_call_map(c, y, x, 3, row, NULL);
    return OC_OK;
}

/* clang-format off */
#define SIG(set) "Where (bool condition, T X, T Y) => (T output) | T: " set
const oc_op oc_ops_where[] = {
    {16, SIG("all_ir4"), where_shape, where_run},
    { 9, SIG("all"),     where_shape, where_run},
    {0}
};
/* clang-format on */
