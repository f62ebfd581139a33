/* SPDX-License-Identifier: Apache-2.0
 * group_query.c - what the inputs of GroupQueryAttention must be. */
#include "ops/attention/group_query.h"

static oc_status read_heads(oc_call *c, oc_group_query *g)
{
    const int64_t n = oc_attr_int(c, "num_heads"), kv = oc_attr_int(c, "kv_num_heads");
    const oc_dims *q = &oc_in(c, OC_GQ_QUERY)->dims;
    const oc_value *key = oc_in_or_null(c, OC_GQ_KEY);
    const bool packed = !key;
    OC_TRY(oc_expect_rank(c, OC_GQ_QUERY, 3, 3));
    if (n < 1 || kv < 1 || n % kv || n > INT32_MAX)
        return oc_fail(c, OC_VALUE,
                       "num_heads is %" PRId64 " and kv_num_heads %" PRId64
                       ", expected a multiple of it",
                       n, kv);
    if (packed != !oc_in_or_null(c, OC_GQ_VALUE))
        return oc_fail(c, OC_MODEL, "key and value are used together or not at all");
    const int64_t all = packed ? n + 2 * kv : n;
    if (q->n[2] % all)
        return oc_fail_dims(c, OC_GQ_QUERY, "which %" PRId64 " heads do not divide", all);
    g->batch = q->n[0];
    g->queries = q->n[1];
    g->heads = n;
    g->kv_heads = kv;
    g->size = q->n[2] / all;
    g->q = oc_heads_of_rows(OC_GQ_QUERY, q, all);
    g->q.dims.n[1] = n;
    g->k = g->v = g->q;
    g->k.dims.n[1] = g->v.dims.n[1] = kv;
    g->k.at = n * g->size;
    g->v.at = (n + kv) * g->size;
    g->added = g->queries;
    if (packed)
        return OC_OK;
    const oc_dims *k = &key->dims;
    g->added = k->rank == 3 && k->n[1] == 0 ? 0 : g->queries;
    const oc_dims want = {3, {g->batch, g->added, kv * g->size}};
    OC_TRY(oc_expect_dims(c, OC_GQ_KEY, &want, ", as the queries"));
    OC_TRY(oc_expect_dims(c, OC_GQ_VALUE, &want, ", as the queries"));
    g->k = oc_heads_of_rows(OC_GQ_KEY, &want, kv);
    g->v = oc_heads_of_rows(OC_GQ_VALUE, &want, kv);
    return OC_OK;
}

oc_head_cache oc_group_query_cache(oc_call *c, const oc_group_query *g, bool values,
                                   const int64_t *kept)
{
    return (oc_head_cache){
        .past = values ? OC_GQ_PAST_VALUE : OC_GQ_PAST_KEY,
        .present = values ? OC_GQ_PRESENT_VALUE : OC_GQ_PRESENT_KEY,
        .scale = values ? OC_GQ_V_SCALE : OC_GQ_K_SCALE,
        .type = g->cache,
        .batch = g->batch,
        .heads = g->kv_heads,
        .rows = g->rows,
        .size = g->size,
        .past_rows = g->past,
        .kept = kept,
        .added = g->added,
        .by_channel = oc_attr_is(c, values ? "v_quant_type" : "k_quant_type", "PER_CHANNEL")};
}

/* Scales: none for floats, else one, or one for each head and element. */
static oc_status check_scales(oc_call *c, const oc_group_query *g, bool values)
{
    static const char *const names[] = {"NONE", "PER_TENSOR", "PER_CHANNEL", NULL};
    const char *attr = values ? "v_quant_type" : "k_quant_type";
    const int input = values ? OC_GQ_V_SCALE : OC_GQ_K_SCALE;
    const oc_value *scale = oc_in_or_null(c, input);
    int kind;
    OC_TRY(oc_attr_enum(c, attr, names, &kind));
    const bool floats = oc_type_in(g->cache, OC_SET_FLOAT);
    if ((kind == 0) != floats)
        return oc_fail(c, OC_VALUE, "the caches are %s, which does not go with %s %s",
                       oc_type_name(g->cache), attr, names[kind]);
    if (floats)
        return OC_OK;
    if (!scale)
        return oc_fail(c, OC_MODEL, "input %d '%s' is missing, expected the scales of the cache",
                       input, values ? "v_scale" : "k_scale");
    if (kind == 2)
        return oc_expect_dims(c, input, &(oc_dims){4, {1, g->kv_heads, 1, g->size}},
                              ", one for each element of a head");
    return oc_value_n(scale) == 1 ? OC_OK : oc_fail_dims(c, input, "expected 1 element");
}

static oc_status read_caches(oc_call *c, oc_group_query *g)
{
    const oc_value *past = oc_in_or_null(c, OC_GQ_PAST_KEY);
    if (!past != !oc_in_or_null(c, OC_GQ_PAST_VALUE))
        return oc_fail(c, OC_MODEL, "past_key and past_value are used together or not at all");
    if (!past && !g->added)
        return oc_fail(c, OC_SHAPE, "there are no keys: key is empty and past_key is missing");
    g->cache = past ? past->type : oc_in(c, OC_GQ_QUERY)->type;
    OC_TRY(check_scales(c, g, false));
    OC_TRY(check_scales(c, g, true));
    const int64_t bits = oc_attr_int(c, "kv_cache_bit_width");
    if (bits != 0 && bits != (g->cache == OC_U8 ? 4 : g->cache == OC_I8 ? 8 : 0))
        return oc_fail(c, OC_UNSUPPORTED, "kv_cache_bit_width is %" PRId64 " and the caches are %s",
                       bits, oc_type_name(g->cache));
    if (past) {
        const oc_head_cache h = oc_group_query_cache(c, g, false, NULL);
        oc_dims want = {4, {g->batch, g->kv_heads, -1, oc_head_cache_width(&h)}};
        OC_TRY(oc_expect_dims(c, OC_GQ_PAST_KEY, &want, ", as the keys by heads"));
        want.n[2] = g->past = past->dims.n[2];
        OC_TRY(oc_expect_dims(c, OC_GQ_PAST_VALUE, &want, ", as past_key"));
    }
    OC_TRY(oc_in_int(c, OC_GQ_TOTAL, &g->total));
    if (g->total < 1)
        return oc_fail(c, OC_VALUE,
                       "input 6 'total_sequence_length' is %" PRId64 ", expected 1 or more",
                       g->total);
    g->rows = oc_max(g->past, g->total);
    OC_TRY(oc_heads_check(c, g->batch, g->heads, g->queries, g->rows));
    OC_TRY(oc_heads_check(c, g->batch, g->heads, g->rows, g->size));
    g->prompt = g->queries == g->total;
    if (!past && !g->prompt)
        return oc_fail(c, OC_SHAPE,
                       "total_sequence_length is %" PRId64 " for %" PRId64
                       " queries and past_key is missing",
                       g->total, g->queries);
    if (!g->prompt && g->queries > 1 && g->batch > 1)
        return oc_fail(c, OC_VALUE, "several queries after a past are for a batch of 1");
    return OC_OK;
}

static oc_status read_rotation(oc_call *c, oc_group_query *g)
{
    if (!oc_attr_int(c, "do_rotary"))
        return OC_OK;
    const oc_value *cos = oc_in_or_null(c, OC_GQ_COS);
    if (!cos || !oc_in_or_null(c, OC_GQ_SIN))
        return oc_fail(c, OC_MODEL, "do_rotary is set and cos_cache or sin_cache is missing");
    OC_TRY(oc_expect_rank(c, OC_GQ_COS, 2, 2));
    OC_TRY(oc_expect_dims(c, OC_GQ_SIN, &cos->dims, ", as cos_cache"));
    g->half = cos->dims.n[1];
    if (2 * g->half > g->size)
        return oc_fail_dims(c, OC_GQ_COS, "expected at most %" PRId64 " columns", g->size / 2);
    return oc_expect_dims(c, OC_GQ_POSITIONS, &(oc_dims){2, {g->batch, g->queries}},
                          ", one for each query");
}

static oc_status check_attributes(oc_call *c)
{
    const int64_t qk = oc_attr_int(c, "qk_output"), causal = oc_attr_int(c, "causal");
    if (oc_attr_int(c, "sliding_window_cache"))
        return oc_fail(c, OC_UNSUPPORTED, "attribute 'sliding_window_cache' is set");
    if (qk < 0 || qk > OC_GQ_QK_AFTER_SOFTMAX || (!qk && oc_wants(c, OC_GQ_SCORES)))
        return oc_fail(c, OC_VALUE, "attribute 'qk_output' is %" PRId64 ", expected %s", qk,
                       qk ? "0, 1 or 2" : "1 or 2, as output_qk is wanted");
    if (causal != 0 && causal != 1)
        return oc_fail(c, OC_VALUE, "attribute 'causal' is %" PRId64 ", expected 0 or 1", causal);
    if (!causal && oc_attr_int(c, "local_window_size") >= 0)
        return oc_fail(c, OC_VALUE, "a local window needs causal 1");
    if (!oc_in_or_null(c, OC_GQ_Q_NORM) != !oc_in_or_null(c, OC_GQ_K_NORM))
        return oc_fail(c, OC_MODEL, "q_norm_weight and k_norm_weight are used together");
    return OC_OK;
}

oc_status oc_group_query_read(oc_call *c, oc_group_query *g)
{
    *g = (oc_group_query){0};
    OC_TRY(check_attributes(c));
    OC_TRY(read_heads(c, g));
    OC_TRY(read_caches(c, g));
    OC_TRY(read_rotation(c, g));
    const oc_value *lengths = oc_in(c, OC_GQ_LENGTHS), *bias = oc_in_or_null(c, OC_GQ_BIAS);
    const oc_dims column = {2, {g->batch, 1}};
    OC_TRY(
        lengths->dims.rank == 2
            ? oc_expect_dims(c, OC_GQ_LENGTHS, &column, ", one for each batch")
            : oc_expect_dims(c, OC_GQ_LENGTHS, &(oc_dims){1, {g->batch}}, ", one for each batch"));
    OC_TRY(oc_expect_dims(c, OC_GQ_SINK, &(oc_dims){1, {g->heads}}, ", one for each head"));
    OC_TRY(oc_expect_dims(c, OC_GQ_Q_NORM, &(oc_dims){1, {g->size}}, ", as a head"));
    OC_TRY(oc_expect_dims(c, OC_GQ_K_NORM, &(oc_dims){1, {g->size}}, ", as a head"));
    oc_dims want = {4, {g->batch, g->heads, g->queries, g->total}};
    for (int i = 0; bias && bias->dims.rank == 4 && i < 2; i++)
        want.n[i] = bias->dims.n[i] == 1 ? 1 : want.n[i];
    return oc_expect_dims(c, OC_GQ_BIAS, &want, ", with 1 for what is the same for all");
}
