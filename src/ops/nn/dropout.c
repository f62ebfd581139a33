/* SPDX-License-Identifier: Apache-2.0
 * dropout.c - Dropout: the input as it is, or, in training, with some elements set to zero.
 *
 * In training, element i is kept if random number i of the node's key, in [0, 1), is at least
 * ratio. A kept element is multiplied by 1 / (1 - ratio) in double and rounded once; any other is
 * 0. Versions up to 6 train unless is_test says otherwise; versions 7 and 10 never train. */
#include "base/counter_random.h"

#include "ops/kit/layout.h"

enum { BLOCK = 256 }; /* most elements computed at a time */

typedef struct geometry {
    bool training;
    double ratio;
} geometry;

/* Reads elements of inputs 1 and 2, which the shape rule has seen. */
static geometry read_geometry(const oc_call *c)
{
    const oc_value *ratio = oc_in_or_null(c, 1), *mode = oc_in_or_null(c, 2);
    geometry g = {.ratio = oc_attr_has(c, "ratio") ? (double)oc_attr_float(c, "ratio") : 0.5};
    if (oc_attr_has(c, "is_test"))
        g.training = oc_attr_int(c, "is_test") == 0;
    if (mode)
        g.training = *(const uint8_t *)mode->data != 0;
    if (ratio)
        oc_convert(&g.ratio, OC_F64, ratio->data, ratio->type, 1, false);
    g.training = g.training && g.ratio != 0;
    return g;
}

static oc_status dropout_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    OC_TRY(oc_expect_one(c, 1));
    OC_TRY(oc_expect_one(c, 2));
    OC_TRY(oc_set_out(c, 0, x->type, &x->dims));
    return oc_set_out(c, 1, oc_call_since(c) < 10 ? x->type : OC_BOOL, &x->dims);
}

/* What every task shares. */
typedef struct job {
    const oc_value *x;
    oc_value *y, *mask; /* mask may be NULL */
    double ratio;
    uint64_t key;
    unsigned cpu;
} job;

static void *element(const oc_value *v, int64_t i)
{
    return (char *)v->data + (size_t)i * oc_type_size(v->type);
}

static void drop_block(const job *t, int64_t first, int64_t n)
{
    double x[BLOCK], keep[BLOCK];
    const double scale = 1 / (1 - t->ratio);
    oc_convert_fast(t->cpu, x, OC_F64, element(t->x, first), t->x->type, n);
    for (int64_t i = 0; i < n; i++)
        keep[i] = oc_random_unit(t->key, (uint64_t)(first + i), 53) >= t->ratio;
    for (int64_t i = 0; i < n; i++)
        x[i] = keep[i] != 0 ? x[i] * scale : 0;
    oc_convert_fast(t->cpu, element(t->y, first), t->y->type, x, OC_F64, n);
    if (t->mask)
        oc_convert_fast(t->cpu, element(t->mask, first), t->mask->type, keep, OC_F64, n);
}

static void drop_elements(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i += BLOCK)
        drop_block(arg, i, oc_min(end - i, BLOCK));
}

/* Without training all elements are kept. */
static void copy(oc_call *c, const oc_value *x, oc_value *y, oc_value *mask)
{
    const int64_t n = oc_value_n(x);
    oc_call_copy_rows(c, y->data, 0, x->data, 0, oc_value_bytes(x), 1);
    if (!mask || !n)
        return;
    const double one = 1;
    uint64_t kept;
    oc_convert(&kept, mask->type, &one, OC_F64, 1, false);
    oc_call_fill(c, mask->data, n, &kept, oc_type_size(mask->type));
}

static oc_status dropout_run(oc_call *c)
{
    const geometry g = read_geometry(c);
    if (g.training && !(g.ratio >= 0 && g.ratio < 1))
        return oc_fail(c, OC_VALUE, "the ratio is %g, expected a number in [0, 1)", g.ratio);
    job t = {.x = oc_in(c, 0), .y = oc_out(c, 0), .mask = oc_out_or_null(c, 1), .ratio = g.ratio};
    if (!g.training) {
        copy(c, t.x, t.y, t.mask);
        return OC_OK;
    }
    t.key = oc_call_key(c);
    t.cpu = oc_call_cpu(c);
    /* each element has a random number */
    const double work = (double)oc_value_n(t.x) * 4 * OC_ELEMENT;
    return oc_call_units(c, work, oc_value_n(t.x), drop_elements, &t);
}

static bool dropout_is_copy(oc_call *c)
{
    for (int i = 1; i < oc_n_in(c); i++) {
        const oc_value *v = oc_in_or_null(c, i);
        if (v && !v->data)
            return false;
    }
    return !oc_wants(c, 1) && !read_geometry(c).training;
}

static bool dropout_adds(oc_call *c, int64_t *pads)
{
    return !pads && dropout_is_copy(c);
}

static void dropout_layouts(oc_call *c, oc_layouts *l)
{
    if (dropout_is_copy(c))
        oc_same_layouts(c, l);
}

/* clang-format off */
#define BY_INPUT(data, ratio) \
    "Dropout <int seed?> (T data, T1 ratio?, bool training_mode?) => (T output, bool mask?) " \
    "| T: " data "; T1: " ratio "; random"
#define BY_ATTR(attrs, mask) \
    "Dropout <" attrs "float ratio = 0.5> (T data) => (T output, " mask " mask?) | T: ieee"
#define FLOATS "float_ir4 float8"
#define DROPOUT                                                                                    \
    dropout_shape, dropout_run, OC_TRAITS(.layouts = dropout_layouts, .adds = dropout_adds)
const oc_op oc_ops_dropout[] = {
    {22, BY_INPUT(FLOATS, FLOATS),    DROPOUT},
    {13, BY_INPUT("float_ir4", "ieee"), DROPOUT},
    {12, BY_INPUT("ieee", "ieee") "; change input 1 from ratio or 0.5", DROPOUT},
    {10, BY_ATTR("", "bool"), DROPOUT},
    { 7, BY_ATTR("", "T"),    DROPOUT},
    { 6, BY_ATTR("int is_test = 0, ", "T") "; random", DROPOUT},
    { 1, BY_ATTR("ints consumed_inputs?, int is_test = 0, ", "T") "; random", DROPOUT},
    {0}
};
