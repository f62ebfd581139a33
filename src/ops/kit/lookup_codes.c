/* SPDX-License-Identifier: Apache-2.0
 * lookup_codes.c - Lookup, a function of 8-bit codes as a table, which the plan makes
 * (plan/quantise/quantise.c) and no model can name.
 *
 * y[i] = table[x[i]], where one axis of the table has 256 entries, in the order of the bits of the
 * codes. The other axes are of size 1: y has as many axes as stand before that one, or more, by
 * axes of size 1 in front; x must have as many as stand behind it. */
#include "kernels/elementwise/lookup.h"
#include "ops/kit/layout.h"

static oc_status lookup_shape(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *table = oc_in(c, 1);
    oc_dims y = x->dims;
    int before = 0;
    while (table->dims.n[before] == 1)
        before++;
    OC_TRY(oc_expect_rank(c, 0, table->dims.rank - 1 - before, OC_MAX_RANK));
    while (y.rank < before) {
        for (int a = y.rank++; a > 0; a--)
            y.n[a] = y.n[a - 1];
        y.n[0] = 1;
    }
    return oc_set_out(c, 0, table->type, &y);
}

typedef struct lookup {
    uint8_t *y;
    const uint8_t *x, *table;
    const oc_lookup_variant *kernel;
} lookup;

static void lookup_some(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const lookup *t = arg;
    t->kernel->row(t->y + first, t->x + first, t->table, end - first);
}

static oc_status lookup_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    lookup t = {oc_out(c, 0)->data, x->data, oc_in(c, 1)->data, oc_lookup_pick(oc_call_cpu(c))};
    const oc_dims in_memory = oc_is_nchw16c(x) ? oc_value_block_dims(&x->dims) : x->dims;
    const int64_t n = oc_dims_count(&in_memory);
    return oc_call_units(c, (double)n * OC_ELEMENT / 4, n, lookup_some, &t);
}

static void lookup_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    l->out = oc_nchw16c_fits(x->type, &x->dims) && oc_dims_equal(&x->dims, &y->dims);
    l->blocked = l->out;
}

const oc_op oc_lookup[] = {{1,
                            "ocellus::Lookup (T1 x, T2 table) => (T2 y) | T1: int8 uint8; "
                            "T2: int8 uint8",
                            lookup_shape, lookup_run, OC_TRAITS(.layouts = lookup_layouts)}};
