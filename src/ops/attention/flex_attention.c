/* SPDX-License-Identifier: Apache-2.0
 * flex_attention.c - FlexAttention: attention whose scores and weights graphs of the model may
 * change. */
#include <math.h>

#include "kernels/attention/attention.h"
#include "ops/kit/op.h"

enum { Q, K, V }; /* inputs */

/* Sets everything but the data. A query without keys gives zeros. */
static oc_status read_geometry(oc_call *c, oc_attention *g)
{
    const oc_dims *q = &oc_in(c, Q)->dims, *k = &oc_in(c, K)->dims, *v = &oc_in(c, V)->dims;
    char q_text[OC_DIMS_TEXT], k_text[OC_DIMS_TEXT], v_text[OC_DIMS_TEXT];
    if (q->rank != 4 || k->rank != 4 || !oc_dims_same_but(k, v, 3) || q->n[0] != k->n[0] ||
        q->n[3] != k->n[3] || k->n[1] < 1 || q->n[1] % k->n[1])
        return oc_fail(c, OC_SHAPE,
                       "Q is %s, K %s and V %s, expected [B,G*H,L,D], [B,H,S,D] and [B,H,S,E]",
                       oc_dims_text(q, q_text), oc_dims_text(k, k_text), oc_dims_text(v, v_text));
    const int64_t precision = oc_attr_int(c, "softmax_precision");
    if (oc_attr_has(c, "softmax_precision") &&
        (!oc_type_is_listed(precision) || !oc_type_in((oc_type)precision, OC_SET_FLOAT)))
        return oc_fail(c, OC_VALUE, "softmax_precision is %lld, expected a float type's number",
                       (long long)precision);
    const bool wide = oc_in(c, Q)->type == OC_F64 || precision == OC_F64;
    *g = (oc_attention){.type = wide ? OC_F64 : OC_F32,
                        .batch = q->n[0],
                        .heads = q->n[1],
                        .queries = q->n[2],
                        .keys = k->n[2],
                        .size = q->n[3],
                        .v_size = v->n[3],
                        .kv_heads = k->n[1],
                        .q_step = {q->n[1] * q->n[2] * q->n[3], q->n[2] * q->n[3], q->n[3]},
                        .left = -1,
                        .right = -1,
                        .scale = oc_attr_has(c, "scale") ? (double)oc_attr_float(c, "scale")
                                                         : 1 / sqrt((double)q->n[3])};
    return OC_OK;
}

static oc_status flex_attention_shape(oc_call *c)
{
    oc_attention g;
    OC_TRY(read_geometry(c, &g));
    return oc_set_out(c, 0, oc_in(c, Q)->type,
                      &(oc_dims){4, {g.batch, g.heads, g.queries, g.v_size}});
}

/* Runs a graph on the scores. The graph takes and gives elements of type softmax_precision. */
static oc_status modify(oc_call *c, const char *graph, oc_value *scores)
{
    const oc_type type = oc_attr_has(c, "softmax_precision")
                             ? (oc_type)oc_attr_int(c, "softmax_precision")
                         : oc_in(c, Q)->type == OC_F64 ? OC_F64
                                                       : OC_F32;
    const void *data;
    oc_value out;
    char text[OC_VALUE_TEXT], want[OC_VALUE_TEXT];
    OC_TRY(oc_as_type(c, type, scores->data, scores->type, oc_value_n(scores), &data));
    const oc_value in = oc_value_borrow(type, scores->dims, data);
    OC_TRY(oc_run_graph(c, graph, &in, 1, &out, 1));
    oc_status status = OC_OK;
    if (out.kind != OC_TENSOR || out.type != type || !oc_dims_equal(&out.dims, &in.dims))
        status = oc_fail(c, OC_SHAPE, "%s gives %s, expected %s", graph, oc_value_text(&out, text),
                         oc_value_text(&in, want));
    else
        oc_call_convert(c, scores->data, scores->type, out.data, type, oc_value_n(&out));
    oc_value_unref(&out);
    return status;
}

static oc_status run_attention(oc_call *c, oc_attention *g)
{
    g->work = oc_call_work(c, oc_attention_work(g));
    oc_attention_run(g);
    return OC_OK;
}

/* Runs one step for each graph, and a last one that computes y. */
static oc_status attend_in_steps(oc_call *c, oc_attention *g, void *y)
{
    const oc_dims dims = {4, {g->batch, g->heads, g->queries, g->keys}};
    const bool score_mod = oc_attr_has(c, "score_mod"), prob_mod = oc_attr_has(c, "prob_mod");
    oc_value scores = oc_value_borrow(g->type, dims, NULL);
    int64_t n;
    size_t bytes;
    if (!oc_dims_bytes(&dims, oc_type_size(g->type), &n, &bytes))
        return oc_fail(c, OC_LIMIT, "the scores do not fit in memory");
    if (score_mod || prob_mod)
        OC_TRY(OC_SCRATCH_OF(c, scores.data, bytes, 1));
    g->scores = scores.data;
    g->from = scores.data;
    if (score_mod) {
        g->tell = OC_SCORES_RAW;
        OC_TRY(run_attention(c, g));
        OC_TRY(modify(c, "score_mod", &scores));
        g->given = OC_GIVEN_SCORES;
    }
    if (prob_mod) {
        g->tell = OC_WEIGHTS;
        OC_TRY(run_attention(c, g));
        OC_TRY(modify(c, "prob_mod", &scores));
        g->given = OC_GIVEN_WEIGHTS;
    }
    g->scores = NULL;
    g->y = y;
    return run_attention(c, g);
}

static oc_status flex_attention_run(oc_call *c)
{
    oc_attention g;
    OC_TRY(read_geometry(c, &g));
    g.cpu = oc_call_cpu(c);
    for (int a = 0; a < 3; a++)
        g.y_step[a] = oc_dims_product(&oc_out(c, 0)->dims, a + 1, 4);
    void *y;
    OC_TRY(oc_in_as(c, Q, g.type, &g.q));
    OC_TRY(oc_in_as(c, K, g.type, &g.k));
    OC_TRY(oc_in_as(c, V, g.type, &g.v));
    OC_TRY(oc_out_as(c, 0, g.type, oc_value_n(oc_out(c, 0)), &y));
    const oc_work w = oc_call_work(c, oc_attention_work(&g));
    const size_t size = oc_attention_scratch(&g, w.threads);
    if (!size)
        return oc_fail(c, OC_LIMIT, "the scores of a block of queries do not fit in memory");
    OC_TRY(OC_SCRATCH_OF(c, g.scratch, size, 1));
    OC_TRY(attend_in_steps(c, &g, y));
    oc_out_from(c, 0, g.type, y);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_flex_attention[] = {
    {1, "ai.onnx.preview::FlexAttention <graph prob_mod?, float scale?, graph score_mod?, "
        "int softmax_precision?> (T1 Q, T1 K, T1 V) => (T1 Y) | T1: float_ir4",
        flex_attention_shape, flex_attention_run},
    {0}
};
