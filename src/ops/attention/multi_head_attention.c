/* SPDX-License-Identifier: Apache-2.0
 * multi_head_attention.c - MultiHeadAttention of com.microsoft. The domain's Attention, QAttention
 * and the two that are masked for decoders end with it (functions/onnxruntime).
 *
 * B batches, N heads of size H (values: E), S queries, L keys after P past ones, T = P + L. The
 * forms of query, key and value:
 *
 *     [B,S,N*H]     [B,L,N*H]     [B,L,N*E]
 *     [B,S,N*H]     [B,N,L,H]     [B,N,L,E]     keys of another sequence, with their bias in them
 *     [B,S,N*H]     [B,L,N,2,H]   missing
 *     [B,L,N,3,H]   missing       missing */
#include "ops/attention/heads.h"

enum { QUERY, KEY, VALUE, BIAS, MASK, SCORES_BIAS, PAST_KEY, PAST_VALUE, PAST_LENGTH, BEAMS };
enum { Y, PRESENT_KEY, PRESENT_VALUE, SCORES };

typedef struct geometry {
    oc_heads q, k, v;
    bool biased_keys; /* the bias is also added to keys and values */
    int64_t batch, heads, queries, size, v_size;
    int64_t past, keys; /* number of past keys; of all keys */
    int64_t room;       /* rows of a cache: one for each key, or more if the cache is shared */
    int64_t beams;      /* neighbouring batches that read each other's past rows */
    oc_key_mask mask;
} geometry;

/* Takes part i of n parts that are packed in [B,L,N,n,H]. */
static oc_heads packed(int input, const oc_dims *d, int64_t n, int64_t i)
{
    const int64_t size = d->n[4], head = n * size, row = d->n[2] * head;
    return (oc_heads){
        input, i * size, {4, {d->n[0], d->n[2], d->n[1], size}}, {d->n[1] * row, head, row, 1}};
}

static oc_heads by_head(int input, const oc_dims *d)
{
    oc_heads h = {input, 0, *d, {0}};
    oc_dims_strides(d, h.step);
    return h;
}

static oc_status read_packed(oc_call *c, geometry *g, int64_t n)
{
    const oc_dims *d = &oc_in(c, QUERY)->dims;
    if (oc_in_or_null(c, VALUE))
        return oc_fail(c, OC_MODEL, "input 2 'value' is given and input 1 'key' is not");
    OC_TRY(oc_expect_dims(c, QUERY, &(oc_dims){5, {-1, -1, n, 3, -1}},
                          ", packed queries, keys and values, as key is missing"));
    g->q = packed(QUERY, d, 3, 0);
    g->k = packed(QUERY, d, 3, 1);
    g->v = packed(QUERY, d, 3, 2);
    g->biased_keys = true;
    return OC_OK;
}

/* Reads keys and values that are inputs of their own. */
static oc_status read_pair(oc_call *c, geometry *g, int64_t n)
{
    const oc_value *key = oc_in_or_null(c, KEY), *value = oc_in_or_null(c, VALUE);
    const oc_dims *q = &oc_in(c, QUERY)->dims, *k = &key->dims, *v = &value->dims;
    OC_TRY(oc_expect_rank(c, KEY, 3, 4));
    if (k->rank == 4) {
        OC_TRY(oc_expect_dims(c, KEY, &(oc_dims){4, {q->n[0], n, -1, q->n[2] / n}},
                              ", the heads of the queries"));
        OC_TRY(oc_expect_dims(c, VALUE, &(oc_dims){4, {q->n[0], n, k->n[2], -1}}, ", as the keys"));
        if (oc_in_or_null(c, PAST_KEY))
            return oc_fail(c, OC_UNSUPPORTED, "past_key is given beside a key of rank 4");
        g->k = by_head(KEY, k);
        g->v = by_head(VALUE, v);
        return OC_OK;
    }
    OC_TRY(oc_expect_dims(c, KEY, &(oc_dims){3, {q->n[0], -1, q->n[2]}}, ", as the queries"));
    OC_TRY(oc_expect_dims(c, VALUE, &(oc_dims){3, {q->n[0], k->n[1], -1}}, ", as the keys"));
    if (v->n[2] % n)
        return oc_fail_dims(c, VALUE, "which num_heads %" PRId64 " does not divide into heads", n);
    g->k = oc_heads_of_rows(KEY, k, n);
    g->v = oc_heads_of_rows(VALUE, v, n);
    g->biased_keys = true;
    return OC_OK;
}

static oc_status read_heads(oc_call *c, geometry *g)
{
    const oc_value *key = oc_in_or_null(c, KEY);
    const oc_dims *q = &oc_in(c, QUERY)->dims;
    const int64_t n = oc_attr_int(c, "num_heads");
    if (n < 1)
        return oc_fail(c, OC_VALUE, "attribute 'num_heads' is %" PRId64 ", expected 1 or more", n);
    if (!key)
        return read_packed(c, g, n);
    OC_TRY(oc_expect_rank(c, QUERY, 3, 3));
    if (q->n[2] % n)
        return oc_fail_dims(c, QUERY, "which num_heads %" PRId64 " does not divide into heads", n);
    g->q = oc_heads_of_rows(QUERY, q, n);
    if (oc_in_or_null(c, VALUE))
        return read_pair(c, g, n);
    OC_TRY(oc_expect_dims(c, KEY, &(oc_dims){5, {q->n[0], -1, n, 2, q->n[2] / n}},
                          ", packed keys and values, as value is missing"));
    g->k = packed(KEY, &key->dims, 2, 0);
    g->v = packed(KEY, &key->dims, 2, 1);
    g->biased_keys = true;
    return OC_OK;
}

/* The batches are groups of as many beams, [groups,beams,rows], where element [i,j,k] is the beam
 * of group i whose row k of the past is beam j's. */
static oc_status read_beams(oc_call *c, geometry *g)
{
    const oc_value *beams = oc_in_or_null(c, BEAMS);
    g->beams = 1;
    if (!beams)
        return OC_OK;
    OC_TRY(oc_expect_rank(c, BEAMS, 3, 3));
    const int64_t *n = beams->dims.n;
    g->beams = n[1];
    if (n[1] < 1 || g->batch % n[1] || n[0] != g->batch / n[1] || n[2] < g->past)
        return oc_fail_dims(c, BEAMS,
                            "expected [G,W,M] with G * W = %" PRId64 " batches and M >= %" PRId64
                            " past rows",
                            g->batch, g->past);
    return OC_OK;
}

/* A past length makes the cache a shared one: rows past that many are free. */
static oc_status read_past(oc_call *c, geometry *g)
{
    const oc_value *past = oc_in_or_null(c, PAST_KEY);
    const int64_t new = g->k.dims.n[2];
    if (!past != !oc_in_or_null(c, PAST_VALUE))
        return oc_fail(c, OC_MODEL, "past_key and past_value are used together or not at all");
    if (!past && (oc_in_or_null(c, PAST_LENGTH) || oc_in_or_null(c, BEAMS)))
        return oc_fail(c, OC_MODEL, "%s is given and past_key is not",
                       oc_in_or_null(c, BEAMS) ? "cache_indirection" : "past_sequence_length");
    if (past) {
        OC_TRY(oc_expect_dims(c, PAST_KEY, &(oc_dims){4, {g->batch, g->heads, -1, g->size}},
                              ", as the keys by heads"));
        g->past = past->dims.n[2];
        OC_TRY(oc_expect_dims(c, PAST_VALUE,
                              &(oc_dims){4, {g->batch, g->heads, g->past, g->v_size}},
                              ", as the values by heads"));
    }
    if (!oc_i64_add(g->past, new, &g->room))
        return oc_fail(c, OC_LIMIT, "there are too many keys");
    if (past && oc_in_or_null(c, PAST_LENGTH)) {
        g->room = g->past;
        OC_TRY(oc_in_int(c, PAST_LENGTH, &g->past));
        if (g->past < 0 || g->past > g->room - new)
            return oc_fail(c, OC_VALUE,
                           "input 8 'past_sequence_length' is %" PRId64 ", expected 0 to %" PRId64,
                           g->past, g->room - new);
    }
    g->keys = g->past + new;
    return read_beams(c, g);
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    *g = (geometry){0};
    OC_TRY(read_heads(c, g));
    g->batch = g->q.dims.n[0];
    g->heads = g->q.dims.n[1];
    g->queries = g->q.dims.n[2];
    g->size = g->q.dims.n[3];
    g->v_size = g->v.dims.n[3];
    OC_TRY(read_past(c, g));
    OC_TRY(oc_heads_check(c, g->batch, g->heads, g->queries, g->keys));
    OC_TRY(oc_heads_check(c, g->batch, g->heads, g->room, g->size));
    OC_TRY(oc_heads_check(c, g->batch, g->heads, g->room, g->v_size));
    OC_TRY(oc_heads_check(c, g->batch, g->heads, g->queries, g->v_size));
    OC_TRY(oc_expect_dims(c, BIAS, &(oc_dims){1, {g->heads * (2 * g->size + g->v_size)}},
                          ", for queries, keys and values"));
    g->mask = (oc_key_mask){MASK,    g->batch, g->queries,
                            g->past, g->keys,  oc_attr_float(c, "mask_filter_value")};
    OC_TRY(oc_key_mask_check(c, &g->mask));
    const oc_value *bias = oc_in_or_null(c, SCORES_BIAS);
    oc_dims want = {4, {g->batch, g->heads, g->queries, g->keys}};
    for (int i = 0; bias && bias->dims.rank == 4 && i < 2; i++)
        want.n[i] = bias->dims.n[i] == 1 ? 1 : want.n[i];
    return oc_expect_dims(c, SCORES_BIAS, &want, ", with 1 for what is the same for all");
}

static oc_status multi_head_shape(oc_call *c)
{
    geometry g;
    const oc_type type = oc_in(c, QUERY)->type;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_set_out(c, Y, type, &(oc_dims){3, {g.batch, g.queries, g.heads * g.v_size}}));
    OC_TRY(oc_set_out(c, PRESENT_KEY, type, &(oc_dims){4, {g.batch, g.heads, g.room, g.size}}));
    OC_TRY(oc_set_out(c, PRESENT_VALUE, type, &(oc_dims){4, {g.batch, g.heads, g.room, g.v_size}}));
    return oc_set_out(c, SCORES, type, &(oc_dims){4, {g.batch, g.heads, g.queries, g.keys}});
}

/* Copies a box of rows from number 0 of one array of heads to number `at` of another. */
static void move_rows(oc_call *c, void *to, const oc_dims *to_dims, int64_t at, const void *from,
                      const oc_dims *from_dims, int64_t rows, size_t elem)
{
    int64_t to_step[OC_MAX_RANK], from_step[OC_MAX_RANK];
    oc_dims box = *from_dims;
    box.n[2] = rows;
    oc_dims_strides(to_dims, to_step);
    oc_dims_strides(from_dims, from_step);
    oc_call_move(c, (char *)to + (size_t)(at * box.n[3]) * elem, to_step, from, from_step, &box,
                 elem);
}

/* *rows [batch][heads][keys], of `row` bytes each, becomes a copy in which each batch has the past
 * rows of the beams that it is told to read. */
static oc_status gather_beams(oc_call *c, const geometry *g, size_t row, void **rows)
{
    const oc_value *beams = oc_in_or_null(c, BEAMS);
    const int64_t width = beams->dims.n[2];
    const char *from = *rows;
    char *to;
    OC_TRY(OC_SCRATCH_OF(c, *rows, g->batch * g->heads * g->keys, row));
    to = *rows;
    oc_call_copy(c, to, from, (size_t)(g->batch * g->heads * g->keys) * row);
    OC_CALL_LOOP (c, i, g->batch * g->past, 4) {
        const int64_t batch = i / g->past, k = i % g->past;
        const int64_t beam = ((const int32_t *)beams->data)[batch * width + k];
        if (beam < 0 || beam >= g->beams)
            return oc_fail(c, OC_VALUE,
                           "input 9 'cache_indirection' has beam %" PRId64
                           ", expected 0 to %" PRId64,
                           beam, g->beams - 1);
        const int64_t other = batch / g->beams * g->beams + beam;
        for (int64_t h = 0; h < g->heads; h++)
            memcpy(to + (size_t)((batch * g->heads + h) * g->keys + k) * row,
                   from + (size_t)((other * g->heads + h) * g->keys + k) * row, row);
    }
    return OC_OK;
}

/* Puts rows after the past ones: in the cache that is output `present`, where it is wanted, and as
 * floats in *data, [batch][heads][keys][size]. */
static oc_status put_together(oc_call *c, const geometry *g, const oc_heads *h, int64_t first,
                              int past, int present, const void **data)
{
    const oc_value *in = oc_in_or_null(c, h->input), *old = oc_in_or_null(c, past),
                   *out = oc_out_or_null(c, present);
    const oc_type type = in->type;
    const size_t elem = oc_type_size(type);
    const bool shared = g->room != g->keys;
    oc_dims all = h->dims, room = h->dims;
    void *rows, *whole;
    all.n[2] = g->keys;
    room.n[2] = g->room;
    const int64_t n = g->batch * g->heads * g->keys * all.n[3];
    OC_TRY(oc_heads_take(c, h, g->biased_keys ? BIAS : -1, first, &rows));
    if (!old && !out)
        return oc_as_type(c, OC_F32, rows, type, n, data);
    if (out && !shared)
        whole = out->data;
    else
        OC_TRY(OC_SCRATCH_OF(c, whole, n, elem));
    if (old)
        move_rows(c, whole, &all, 0, old->data, &old->dims, g->past, elem);
    move_rows(c, whole, &all, g->past, rows, &h->dims, h->dims.n[2], elem);
    if (out && shared) { /* free rows of the cache keep what they have */
        oc_call_copy(c, out->data, old->data, (size_t)oc_value_n(out) * elem);
        move_rows(c, out->data, &room, g->past, rows, &h->dims, h->dims.n[2], elem);
    }
    if (oc_in_or_null(c, BEAMS))
        OC_TRY(gather_beams(c, g, (size_t)all.n[3] * elem, &whole));
    return oc_as_type(c, OC_F32, whole, type, n, data);
}

/* Makes sum [batch][heads][queries][keys] of two masks, which have steps of their own. */
static void add_masks(oc_call *c, const geometry *g, float *sum, int64_t heads, const float *a,
                      const int64_t a_step[4], const float *b, const int64_t b_step[4])
{
    OC_CALL_LOOP (c, i, g->keys ? g->batch * heads * g->queries : 0, 16) {
        const int64_t query = i % g->queries, head = i / g->queries % heads;
        const int64_t batch = i / g->queries / heads;
        const float *x = a + batch * a_step[0] + query * a_step[2];
        const float *y = b + batch * b_step[0] + head * b_step[1] + query * b_step[2];
        for (int64_t k = 0; k < g->keys; k++)
            sum[k] = x[k] + y[k];
        sum += g->keys;
    }
}

/* Sets the kernel's mask: the bias of the scores, a mask of keys, or the sum of both. */
static oc_status put_mask(oc_call *c, const geometry *g, oc_attention *a)
{
    const oc_value *bias = oc_in_or_null(c, SCORES_BIAS);
    const void *more = NULL;
    float *mask = NULL, *sum;
    int64_t rows = 1;
    int64_t step[4] = {0};
    if (oc_in_or_null(c, MASK)) {
        rows = oc_key_mask_by_query(c, &g->mask) ? g->queries : 1;
        OC_TRY(OC_SCRATCH(c, mask, g->batch * rows * g->keys));
        oc_key_mask_fill(c, &g->mask, mask);
        const int64_t own[4] = {rows * g->keys, 0, rows > 1 ? g->keys : 0, 1};
        memcpy(step, own, sizeof step);
        a->mask = mask;
    }
    if (bias) {
        OC_TRY(oc_in_as(c, SCORES_BIAS, OC_F32, &more));
        const int64_t matrix = g->queries * g->keys, heads = bias->dims.n[1];
        const int64_t own[4] = {bias->dims.n[0] > 1 ? heads * matrix : 0, heads > 1 ? matrix : 0,
                                g->keys, 1};
        if (!mask) {
            a->mask = more;
            memcpy(step, own, sizeof step);
        } else {
            OC_TRY(OC_SCRATCH(c, sum, g->batch * heads * matrix));
            add_masks(c, g, sum, heads, mask, step, more, own);
            const int64_t all[4] = {heads * matrix, heads > 1 ? matrix : 0, g->keys, 1};
            memcpy(step, all, sizeof step);
            a->mask = sum;
        }
    }
    memcpy(a->mask_step, step, sizeof step);
    a->mask_keys = g->keys;
    return OC_OK;
}

static oc_status multi_head_run(oc_call *c)
{
    geometry g;
    void *rows;
    OC_TRY(read_geometry(c, &g));
    const int64_t width = g.heads * g.v_size, keys_width = g.heads * g.size;
    oc_attention a = {.type = OC_F32,
                      .batch = g.batch,
                      .heads = g.heads,
                      .queries = g.queries,
                      .keys = g.keys,
                      .size = g.size,
                      .v_size = g.v_size,
                      .kv_heads = g.heads,
                      .q_step = {keys_width * g.queries, g.size * g.queries, g.size},
                      .y_step = {width * g.queries, g.v_size, width},
                      .past = g.past,
                      .left = -1,
                      /* a single query is the last token: it sees all keys */
                      .right = oc_attr_int(c, "unidirectional") && g.queries > 1 ? 0 : -1,
                      .scale = oc_heads_scale(c, g.size),
                      .tell = OC_SCORES_MASKED};
    OC_TRY(oc_heads_take(c, &g.q, BIAS, 0, &rows));
    OC_TRY(oc_as_type(c, OC_F32, rows, oc_in(c, QUERY)->type, g.batch * a.q_step[0], &a.q));
    OC_TRY(put_together(c, &g, &g.k, keys_width, PAST_KEY, PRESENT_KEY, &a.k));
    OC_TRY(put_together(c, &g, &g.v, 2 * keys_width, PAST_VALUE, PRESENT_VALUE, &a.v));
    OC_TRY(put_mask(c, &g, &a));
    OC_TRY(oc_out_as(c, Y, OC_F32, g.batch * a.y_step[0], &a.y));
    const oc_value *scores = oc_out_or_null(c, SCORES);
    if (scores)
        OC_TRY(oc_out_as(c, SCORES, OC_F32, oc_value_n(scores), &a.scores));
    OC_TRY(oc_heads_attend(c, &a));
    oc_out_from(c, Y, OC_F32, a.y);
    oc_out_from(c, SCORES, OC_F32, a.scores);
    return OC_OK;
}

const oc_op oc_ops_multi_head_attention[] = {
    {1,
     "com.microsoft::MultiHeadAttention <float mask_filter_value = -10000.0, int num_heads, "
     "float scale = 0.0, int unidirectional = 0> "
     "(T query, T key?, T value?, T bias?, int32 key_padding_mask?, T attention_bias?, "
     "T past_key?, T past_value?, int32 past_sequence_length!?, int32 cache_indirection?) => "
     "(T output, T present_key?, T present_value?, T qk?) | T: float float16 bfloat16",
     multi_head_shape, multi_head_run},
    {0},
};
