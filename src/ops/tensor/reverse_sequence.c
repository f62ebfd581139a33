/* SPDX-License-Identifier: Apache-2.0
 * reverse_sequence.c - ReverseSequence: the first elements of each sequence in reverse. */
#include "ops/kit/op.h"

enum {
    LARGE = 1 << 16 /* bytes of a slab that is copied in pieces */
};

/* The first two axes are batch and time, or time and batch; a slab is all that lies behind them. */
typedef struct geometry {
    int64_t batch, time;          /* sizes */
    size_t batch_step, time_step; /* steps in bytes */
    size_t slab;
} geometry;

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_value *x = oc_in(c, 0);
    const int64_t batch = oc_attr_int(c, "batch_axis"), time = oc_attr_int(c, "time_axis");
    OC_TRY(oc_expect_rank(c, 0, 2, OC_MAX_RANK));
    if (batch < 0 || batch > 1 || time != 1 - batch)
        return oc_fail(c, OC_VALUE,
                       "batch_axis is %" PRId64 " and time_axis is %" PRId64
                       ", expected 0 and 1 or 1 and 0",
                       batch, time);
    const int64_t *n = x->dims.n;
    g->slab = oc_type_size(x->type) * (size_t)oc_dims_product(&x->dims, 2, x->dims.rank);
    g->batch = n[batch];
    g->time = n[time];
    g->batch_step = g->slab * (size_t)(batch == 0 ? g->time : 1);
    g->time_step = g->slab * (size_t)(batch == 0 ? 1 : g->batch);
    return oc_expect_dims(c, 1, &(oc_dims){1, {g->batch}}, ", one for each sequence");
}

static oc_status reverse_sequence_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    return oc_same_shape(c);
}

static oc_status reverse_sequence_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    const int64_t *length = oc_in(c, 1)->data;
    geometry g;
    OC_TRY(read_geometry(c, &g));
    OC_CALL_LOOP (c, b, g.batch, 1024)
        if (length[b] < 0 || length[b] > g.time)
            return oc_fail(c, OC_VALUE,
                           "input 1 has %" PRId64 " at [%" PRId64
                           "], expected a length in [0, %" PRId64 "]",
                           length[b], b, g.time);
    if (oc_value_n(y) == 0)
        return OC_OK;
    OC_CALL_LOOP (c, i, g.time * g.batch, 16) {
        const int64_t t = i / g.batch, b = i % g.batch;
        const int64_t from = t < length[b] ? length[b] - 1 - t : t;
        const size_t place = (size_t)b * g.batch_step;
        char *to = (char *)y->data + place + (size_t)t * g.time_step;
        const char *source = (const char *)x->data + place + (size_t)from * g.time_step;
        if (g.slab > LARGE)
            oc_call_copy(c, to, source, g.slab);
        else
            memcpy(to, source, g.slab);
    }
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_reverse_sequence[] = {
    {10, "ReverseSequence <int batch_axis = 1, int time_axis = 0> (T input, int64 sequence_lens$)"
         " => (T Y) | T: all", reverse_sequence_shape, reverse_sequence_run},
    {0}
};
