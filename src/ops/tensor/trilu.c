/* SPDX-License-Identifier: Apache-2.0
 * trilu.c - Trilu: the upper or lower triangle of matrices; all other elements become 0, or empty
 * strings. */
#include "ops/kit/op.h"

static oc_status trilu_shape(oc_call *c)
{
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    OC_TRY(oc_expect_one(c, 1));
    return oc_same_shape(c);
}

enum { LEAST = 1 << 12 }; /* columns of a piece of a row */

typedef struct job {
    const char *x;
    char *y;
    oc_type type;
    bool upper;
    int64_t rows, columns;
    int64_t k; /* k, limited to [-rows, columns] */
    oc_work work;
} job;

static void clear(oc_type type, char *y, int64_t n)
{
    static const oc_string empty = {"", 0};
    if (type == OC_STRING)
        oc_fill(y, n, &empty, sizeof empty);
    else
        memset(y, 0, (size_t)n * oc_type_size(type));
}

static int64_t within(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : oc_min(x, most);
}

static void copy_rows(void *arg, OC_UNUSED int task, int64_t row, int64_t last_row)
{
    const job *t = arg;
    const size_t size = oc_type_size(t->type);
    for (int64_t i = row; i < last_row; i++) {
        const int64_t edge = i % t->rows + t->k + !t->upper;
        const int64_t cut = within(edge, 0, t->columns);
        const int64_t first = t->upper ? cut : 0, end = t->upper ? t->columns : cut;
        char *y = t->y + (size_t)(i * t->columns) * size;
        const char *x = t->x + (size_t)(i * t->columns) * size;
        OC_PIECES (&t->work, p, t->columns, LEAST) {
            const int64_t from = within(first, p.first, p.end), to = within(end, from, p.end);
            clear(t->type, y + (size_t)p.first * size, from - p.first);
            memcpy(y + (size_t)from * size, x + (size_t)from * size, (size_t)(to - from) * size);
            clear(t->type, y + (size_t)to * size, p.end - to);
        }
    }
}

static oc_status trilu_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const oc_dims *d = &x->dims;
    job t = {.x = x->data, .y = oc_out(c, 0)->data, .type = x->type};
    if (oc_value_n(x) == 0)
        return OC_OK;
    t.rows = d->n[d->rank - 2];
    t.columns = d->n[d->rank - 1];
    t.upper = oc_attr_int(c, "upper") != 0;
    if (oc_in_or_null(c, 1))
        OC_TRY(oc_in_int(c, 1, &t.k));
    t.k = t.k < -t.rows ? -t.rows : oc_min(t.k, t.columns);
    t.work = oc_call_work(c, (double)oc_value_bytes(x));
    oc_work_run(&t.work, oc_value_n(x) / t.columns, copy_rows, &t);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_trilu[] = {
    {14, "Trilu <int upper = 1> (T input, int64 k?) => (T output) | T: all_ir4", trilu_shape, trilu_run},
    {0}
};
