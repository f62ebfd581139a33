/* SPDX-License-Identifier: Apache-2.0
 * group_query_attention.c - GroupQueryAttention of com.microsoft.
 *
 * B batches, S queries each, L = S new keys or, where the caches have all keys already, 0. Batch b
 * has seqlens_k[b] + 1 keys in all. In a prompt, where total_sequence_length is S, the first query
 * has position 0 and later rows may be padding; else the last query has the last key's position. */
#include "ops/attention/group_query.h"
#include "ops/attention/rotate.h"

#include <math.h>

static oc_status group_query_shape(oc_call *c)
{
    oc_group_query g;
    OC_TRY(oc_group_query_read(c, &g));
    const oc_head_cache h = oc_group_query_cache(c, &g, false, NULL);
    const oc_type type = oc_in(c, OC_GQ_QUERY)->type;
    const oc_dims cache = {4, {g.batch, g.kv_heads, g.rows, oc_head_cache_width(&h)}};
    OC_TRY(oc_set_out(c, OC_GQ_Y, type, &(oc_dims){3, {g.batch, g.queries, g.heads * g.size}}));
    OC_TRY(oc_set_out(c, OC_GQ_PRESENT_KEY, g.cache, &cache));
    OC_TRY(oc_set_out(c, OC_GQ_PRESENT_VALUE, g.cache, &cache));
    return oc_set_out(c, OC_GQ_SCORES, type, &(oc_dims){4, {g.batch, g.heads, g.queries, g.total}});
}

/* Finds for each batch its number of keys, the position of its first query, and the past rows that
 * are kept. */
typedef struct lengths {
    int64_t *keys, *first, *kept;
} lengths;

static oc_status read_lengths(oc_call *c, const oc_group_query *g, lengths *l)
{
    const int32_t *last = oc_in(c, OC_GQ_LENGTHS)->data;
    OC_TRY(OC_SCRATCH(c, l->keys, g->batch));
    OC_TRY(OC_SCRATCH(c, l->first, g->batch));
    OC_TRY(OC_SCRATCH(c, l->kept, g->batch));
    OC_CALL_LOOP (c, b, g->batch, 64) {
        const int64_t least = g->prompt ? 0 : g->queries - 1;
        const int64_t most = (g->added ? g->total : g->past < g->total ? g->past : g->total) - 1;
        if (last[b] < least || last[b] > most)
            return oc_fail(c, OC_VALUE,
                           "input 5 'seqlens_k' has %d for batch %" PRId64 ", expected %" PRId64
                           " to %" PRId64,
                           (int)last[b], b, least, most);
        l->keys[b] = (int64_t)last[b] + 1;
        l->first[b] = g->prompt ? 0 : l->keys[b] - g->queries;
        l->kept[b] = !oc_in_or_null(c, OC_GQ_PAST_KEY) ? 0 : g->added ? l->first[b] : l->keys[b];
        if (l->kept[b] > g->past)
            return oc_fail(c, OC_VALUE,
                           "batch %" PRId64 " has %" PRId64 " past keys, past_key has %" PRId64, b,
                           l->kept[b], g->past);
    }
    return oc_check_limits(c);
}

/* What is done to heads of queries and keys before they meet. */
typedef struct preparation {
    const float *norm; /* weights of the normalization; NULL: none */
    double epsilon;
    const float *cos, *sin;  /* [positions][half] */
    const int64_t *position; /* position of each token */
    int64_t half;
    bool interleaved;
} preparation;

static void normalize(float *x, int64_t n, const preparation *t)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    const double factor = 1 / sqrt(sum / (double)n + t->epsilon);
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)((double)x[i] * factor) * t->norm[i];
}

/* Makes heads [B,N,L,H] as floats, normalized and rotated. */
static oc_status take(oc_call *c, const oc_heads *h, const preparation *t, float **rows)
{
    const oc_dims *d = &h->dims;
    const int64_t n = d->n[0] * d->n[1] * d->n[2];
    const oc_value *in = oc_in_or_null(c, h->input);
    const oc_type type = in->type;
    const oc_work w = oc_call_work(c, 0);
    void *data;
    OC_TRY(oc_heads_take(c, h, -1, 0, &data));
    *rows = data;
    if (type != OC_F32) {
        OC_TRY(OC_SCRATCH(c, *rows, n * d->n[3]));
        oc_call_convert(c, *rows, OC_F32, data, type, n * d->n[3]);
    }
    OC_CALL_LOOP (c, i, t && d->n[3] ? n : 0, 16) {
        float *x = *rows + i * d->n[3];
        const int64_t at = i / d->n[2] / d->n[1] * d->n[2] + i % d->n[2];
        if (t->norm)
            normalize(x, d->n[3], t);
        if (t->half)
            oc_rotate(&w, x, x, t->cos + t->position[at] * t->half,
                      t->sin + t->position[at] * t->half, t->half, t->interleaved);
    }
    return OC_OK;
}

static oc_status read_positions(oc_call *c, const oc_group_query *g, const lengths *l,
                                preparation *t)
{
    const oc_value *given = oc_in_or_null(c, OC_GQ_POSITIONS), *table = oc_in_or_null(c, OC_GQ_COS);
    const int64_t n = g->half ? table->dims.n[0] : 0;
    const void *cos, *sin;
    int64_t *position;
    t->half = g->half;
    if (!g->half)
        return OC_OK;
    OC_TRY(oc_in_as(c, OC_GQ_COS, OC_F32, &cos));
    OC_TRY(oc_in_as(c, OC_GQ_SIN, OC_F32, &sin));
    OC_TRY(OC_SCRATCH(c, position, g->batch * g->queries));
    OC_CALL_LOOP (c, i, g->batch * g->queries, 64) {
        const int64_t s = i % g->queries, *id = given ? given->data : NULL;
        const int64_t first = g->prompt && id ? id[0] : l->first[i / g->queries];
        const bool own = id && !g->prompt;
        if (own ? id[i] < 0 || id[i] >= n : first < 0 || first >= n - s)
            return oc_fail(c, OC_VALUE,
                           "query %" PRId64 " of batch %" PRId64 " has position %" PRId64
                           ", expected 0 to %" PRId64 ", as cos_cache",
                           s, i / g->queries, own ? id[i] : first, own ? n - 1 : n - 1 - s);
        position[i] = own ? id[i] : first + s;
    }
    t->cos = cos;
    t->sin = sin;
    t->position = position;
    return OC_OK;
}

/* Gives the output the scores or weights of the first keys; those of keys that a query does not see
 * are 0. */
static oc_status put_scores(oc_call *c, const oc_group_query *g, const lengths *l,
                            const oc_attention *a)
{
    float *to;
    const float *from = a->scores;
    void *out;
    if (!oc_wants(c, OC_GQ_SCORES))
        return OC_OK;
    const int64_t rows = g->batch * g->heads * g->queries;
    OC_TRY(oc_out_as(c, OC_GQ_SCORES, OC_F32, rows * g->total, &out));
    to = out;
    OC_CALL_LOOP (c, i, rows, 16) {
        const int64_t b = i / g->queries / g->heads, at = l->first[b] + i % g->queries;
        const int64_t end = a->right == 0 && at + 1 < l->keys[b] ? at + 1 : l->keys[b];
        const int64_t start = a->left >= 0 && at > a->left ? at - a->left : 0;
        for (int64_t k = 0; k < g->total; k++)
            to[k] = k >= start && k < end ? from[k] : 0;
        to += g->total;
        from += g->rows;
    }
    oc_out_from(c, OC_GQ_SCORES, OC_F32, out);
    return OC_OK;
}

static oc_status put_bias(oc_call *c, const oc_group_query *g, oc_attention *a)
{
    const oc_value *bias = oc_in_or_null(c, OC_GQ_BIAS);
    float *none;
    a->mask_keys = g->rows;
    if (bias) {
        const int64_t matrix = g->queries * g->total;
        OC_TRY(oc_in_as(c, OC_GQ_BIAS, OC_F32, &a->mask));
        a->mask_step[0] = bias->dims.n[0] > 1 ? bias->dims.n[1] * matrix : 0;
        a->mask_step[1] = bias->dims.n[1] > 1 ? matrix : 0;
        a->mask_step[2] = g->total;
        a->mask_step[3] = 1;
        a->mask_keys = g->total;
    }
    if (oc_in_or_null(c, OC_GQ_SINK))
        return oc_in_as(c, OC_GQ_SINK, OC_F32, &a->sinks);
    if (!oc_attr_int(c, "smooth_softmax"))
        return OC_OK;
    OC_TRY(OC_SCRATCH(c, none, g->heads));
    oc_call_zero(c, none, (size_t)g->heads * sizeof *none);
    a->sinks = none;
    return OC_OK;
}

/* Sets queries, keys and values, and fills the caches. */
static oc_status put_rows(oc_call *c, const oc_group_query *g, const lengths *l, oc_attention *a)
{
    preparation t = {.epsilon = (double)oc_attr_float(c, "qk_norm_epsilon"),
                     .interleaved = oc_attr_int(c, "rotary_interleaved")};
    const oc_head_cache keys = oc_group_query_cache(c, g, false, l->kept),
                        values = oc_group_query_cache(c, g, true, l->kept);
    const void *q_norm, *k_norm;
    const float *k, *v;
    float *q, *new_k, *new_v;
    OC_TRY(oc_in_as(c, OC_GQ_Q_NORM, OC_F32, &q_norm));
    OC_TRY(oc_in_as(c, OC_GQ_K_NORM, OC_F32, &k_norm));
    OC_TRY(read_positions(c, g, l, &t));
    t.norm = q_norm;
    OC_TRY(take(c, &g->q, &t, &q));
    t.norm = k_norm;
    OC_TRY(take(c, &g->k, &t, &new_k));
    OC_TRY(take(c, &g->v, NULL, &new_v));
    OC_TRY(oc_head_cache_fill(c, &keys, new_k, &k));
    OC_TRY(oc_head_cache_fill(c, &values, new_v, &v));
    a->q = q;
    a->k = k;
    a->v = v;
    return OC_OK;
}

static oc_status group_query_run(oc_call *c)
{
    oc_group_query g;
    lengths l;
    OC_TRY(oc_group_query_read(c, &g));
    OC_TRY(read_lengths(c, &g, &l));
    const int64_t width = g.heads * g.size, window = oc_attr_int(c, "local_window_size");
    oc_attention a = {.type = OC_F32,
                      .batch = g.batch,
                      .heads = g.heads,
                      .queries = g.queries,
                      .keys = g.rows,
                      .size = g.size,
                      .v_size = g.size,
                      .kv_heads = g.kv_heads,
                      .q_step = {width * g.queries, g.size * g.queries, g.size},
                      .y_step = {width * g.queries, g.size, width},
                      .left = window > 0 ? window - 1 : -1,
                      .right = oc_attr_int(c, "causal") ? 0 : -1,
                      .valid = l.keys,
                      .past_of = l.first,
                      .scale = oc_heads_scale(c, g.size),
                      .softcap = (double)oc_attr_float(c, "softcap"),
                      .tell = oc_attr_int(c, "qk_output") == OC_GQ_QK_AFTER_SOFTMAX
                                  ? OC_WEIGHTS
                                  : OC_SCORES_MASKED};
    OC_TRY(put_rows(c, &g, &l, &a));
    OC_TRY(put_bias(c, &g, &a));
    OC_TRY(oc_out_as(c, OC_GQ_Y, OC_F32, g.batch * a.y_step[0], &a.y));
    if (oc_wants(c, OC_GQ_SCORES))
        OC_TRY(OC_SCRATCH_OF(c, a.scores, g.batch * g.heads * g.queries * g.rows, sizeof(float)));
    OC_TRY(oc_heads_attend(c, &a));
    OC_TRY(put_scores(c, &g, &l, &a));
    oc_out_from(c, OC_GQ_Y, OC_F32, a.y);
    return OC_OK;
}

const oc_op oc_ops_group_query_attention[] = {
    {1,
     "com.microsoft::GroupQueryAttention <int causal = 1, int do_rotary = 0, "
     "string k_quant_type = \"NONE\", int kv_cache_bit_width = 0, int kv_num_heads, "
     "int local_window_size = -1, int num_heads, float qk_norm_epsilon = 1e-6, int qk_output = 0, "
     "int rotary_interleaved = 0, float scale = 0.0, int sliding_window_cache = 0, "
     "int smooth_softmax = 0, float softcap = 0.0, string v_quant_type = \"NONE\"> "
     "(T query, T key?, T value?, C past_key?, C past_value?, int32 seqlens_k$, "
     "int32 total_sequence_length!, T cos_cache?, T sin_cache?, int64 position_ids$?, "
     "T attention_bias?, T head_sink?, float k_scale?, float v_scale?, T q_norm_weight?, "
     "T k_norm_weight?) => (T output, C present_key?, C present_value?, T output_qk?) "
     "| T: float float16 bfloat16; C: float float16 bfloat16 uint8 int8",
     group_query_shape, group_query_run},
    {0},
};
