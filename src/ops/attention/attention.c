/* SPDX-License-Identifier: Apache-2.0
 * attention.c - Attention: scaled dot products, masks, caches of keys and values. */
#include "kernels/attention/attention.h"

#include <math.h>

#include "ops/kit/op.h"

enum { Q, K, V, MASK, PAST_KEY, PAST_VALUE, VALID }; /* inputs */
enum { Y, PRESENT_KEY, PRESENT_VALUE, SCORES };      /* outputs */

/* The dims of Q, K or V as [batch, heads, rows, size], and the steps between those. */
typedef struct heads {
    oc_dims dims;
    int64_t step[OC_MAX_RANK];
} heads;

static oc_status get_heads(oc_call *c, int i, const char *attr, heads *h)
{
    const oc_dims *d = &oc_in(c, i)->dims;
    if ((d->rank != 3 && d->rank != 4) || d->rank != oc_in(c, Q)->dims.rank)
        return oc_fail_dims(c, i, "expected rank 3 or 4, as Q");
    h->dims = *d;
    if (d->rank == 4) {
        oc_dims_strides(d, h->step);
        return OC_OK;
    }
    const int64_t n = oc_attr_int(c, attr);
    if (n < 1 || d->n[2] % n)
        return oc_fail_dims(c, i, "which %s %lld does not divide into heads", attr, (long long)n);
    const int64_t size = d->n[2] / n;
    h->dims = (oc_dims){4, {d->n[0], n, d->n[1], size}};
    const int64_t step[] = {d->n[1] * d->n[2], size, d->n[2], 1};
    for (int a = 0; a < 4; a++)
        h->step[a] = step[a];
    return OC_OK;
}

typedef struct geometry {
    heads q, k, v;
    oc_attention g; /* set, except for the data */
} geometry;

/* Checks input i, the cache that precedes h: all its dims but the number of rows must agree with
 * h's. */
static oc_status check_past(oc_call *c, int i, const heads *h, int64_t rows)
{
    oc_dims want = h->dims;
    want.n[2] = rows;
    return oc_expect_dims(c, i, &want, " as what follows it");
}

static oc_status get_past(oc_call *c, geometry *p)
{
    oc_attention *g = &p->g;
    g->keys = p->k.dims.n[2];
    const oc_value *past = oc_in_or_null(c, PAST_KEY);
    if (!past != !oc_in_or_null(c, PAST_VALUE))
        return oc_fail(c, OC_MODEL, "past_key and past_value are used together or not at all");
    const oc_value *valid = oc_in_or_null(c, VALID);
    OC_TRY(oc_expect_dims(c, VALID, &(oc_dims){1, {g->batch}}, ", one for each batch"));
    if (!past)
        return OC_OK;
    if (valid)
        return oc_fail(c, OC_MODEL, "nonpad_kv_seqlen does not go with past_key");
    g->past = past->dims.rank == 4 ? past->dims.n[2] : 0;
    OC_TRY(check_past(c, PAST_KEY, &p->k, g->past));
    OC_TRY(check_past(c, PAST_VALUE, &p->v, g->past));
    if (!oc_i64_add(g->keys, g->past, &g->keys))
        return oc_fail(c, OC_LIMIT, "there are too many keys");
    return OC_OK;
}

/* Sets the steps of the mask, which broadcasts to [batch, heads, queries, keys]. From version 24 on
 * its last axis may be shorter: later keys are then not seen. A last axis of 1 is then one key and
 * is not repeated. */
static oc_status get_mask(oc_call *c, geometry *p)
{
    const oc_value *mask = oc_in_or_null(c, MASK);
    oc_attention *g = &p->g;
    g->mask_keys = g->keys;
    if (!mask)
        return OC_OK;
    const oc_dims want = {4, {g->batch, g->heads, g->queries, g->keys}};
    int64_t steps[OC_MAX_RANK];
    char text[OC_DIMS_TEXT];
    bool fits = mask->dims.rank <= 4;
    oc_dims_strides(&mask->dims, steps);
    for (int i = mask->dims.rank - 1, a = 3; i >= 0 && fits; i--, a--) {
        const int64_t n = mask->dims.n[i];
        const bool shorter = a == 3 && n < want.n[a] && oc_call_since(c) >= 24;
        fits = n == want.n[a] || n == 1 || shorter;
        g->mask_step[a] = n == want.n[a] || shorter ? steps[i] : 0;
        if (shorter)
            g->mask_keys = n;
    }
    if (!fits)
        return oc_fail_dims(c, MASK, "which does not repeat to %s", oc_dims_text(&want, text));
    g->mask_is_bool = mask->type == OC_BOOL;
    return OC_OK;
}

/* With is_causal a query does not see later keys, whatever the window. */
static oc_status get_window(oc_call *c, oc_attention *g)
{
    const bool windows = oc_call_since(c) >= 25;
    g->left = windows ? oc_attr_int(c, "left_window_size") : -1;
    g->right = windows ? oc_attr_int(c, "right_window_size") : -1;
    if (g->left < -1 || g->right < -1)
        return oc_fail(c, OC_VALUE,
                       "the window is %lld to the left, %lld to the right; expected "
                       "-1 or more",
                       (long long)g->left, (long long)g->right);
    if (oc_attr_int(c, "is_causal"))
        g->right = 0;
    return OC_OK;
}

/* Sets the attributes. Everything is computed in double if Q, V or softmax_precision is double,
 * else in float, which is never less precise than softmax_precision. */
static oc_status get_attributes(oc_call *c, oc_attention *g)
{
    const int64_t tell = oc_attr_int(c, "qk_matmul_output_mode");
    const int64_t precision = oc_attr_int(c, "softmax_precision");
    if (tell < 0 || tell > 3)
        return oc_fail(c, OC_VALUE, "qk_matmul_output_mode is %lld, expected 0 to 3",
                       (long long)tell);
    if (oc_attr_has(c, "softmax_precision") &&
        (!oc_type_is_listed(precision) || !oc_type_in((oc_type)precision, OC_SET_FLOAT)))
        return oc_fail(c, OC_VALUE, "softmax_precision is %lld, expected a float type's number",
                       (long long)precision);
    g->type = oc_in(c, Q)->type == OC_F64 || oc_in(c, V)->type == OC_F64 || precision == OC_F64
                  ? OC_F64
                  : OC_F32;
    g->tell = (oc_scores)tell;
    OC_TRY(get_window(c, g));
    g->softcap = (double)oc_attr_float(c, "softcap");
    g->scale =
        oc_attr_has(c, "scale") ? (double)oc_attr_float(c, "scale") : 1 / sqrt((double)g->size);
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *p)
{
    *p = (geometry){0};
    OC_TRY(get_heads(c, Q, "q_num_heads", &p->q));
    OC_TRY(get_heads(c, K, "kv_num_heads", &p->k));
    OC_TRY(get_heads(c, V, "kv_num_heads", &p->v));
    const oc_dims *q = &p->q.dims, *k = &p->k.dims, *v = &p->v.dims;
    char q_text[OC_DIMS_TEXT], k_text[OC_DIMS_TEXT], v_text[OC_DIMS_TEXT];
    if (q->n[0] != k->n[0] || q->n[3] != k->n[3] || k->n[1] < 1 || q->n[1] % k->n[1] ||
        !oc_dims_same_but(k, v, 3))
        return oc_fail(c, OC_SHAPE,
                       "by heads Q is %s, K %s and V %s, expected [B,G*H,L,D], [B,H,S,D] and "
                       "[B,H,S,E]",
                       oc_dims_text(q, q_text), oc_dims_text(k, k_text), oc_dims_text(v, v_text));
    p->g = (oc_attention){.batch = q->n[0],
                          .heads = q->n[1],
                          .queries = q->n[2],
                          .size = q->n[3],
                          .kv_heads = k->n[1],
                          .v_size = v->n[3]};
    OC_TRY(get_past(c, p));
    OC_TRY(get_mask(c, p));
    return get_attributes(c, &p->g);
}

static oc_status attention_shape(oc_call *c)
{
    geometry p;
    OC_TRY(read_geometry(c, &p));
    const oc_attention *g = &p.g;
    const oc_type type = oc_in(c, Q)->type, v_type = oc_in(c, V)->type;
    int64_t width;
    if (!oc_i64_mul(g->heads, g->v_size, &width))
        return oc_fail(c, OC_LIMIT, "Y is too wide");
    const oc_dims y = oc_in(c, Q)->dims.rank == 3
                          ? (oc_dims){3, {g->batch, g->queries, width}}
                          : (oc_dims){4, {g->batch, g->heads, g->queries, g->v_size}};
    OC_TRY(oc_set_out(c, Y, type, &y));
    OC_TRY(
        oc_set_out(c, PRESENT_KEY, type, &(oc_dims){4, {g->batch, g->kv_heads, g->keys, g->size}}));
    OC_TRY(oc_set_out(c, PRESENT_VALUE, v_type,
                      &(oc_dims){4, {g->batch, g->kv_heads, g->keys, g->v_size}}));
    return oc_set_out(c, SCORES, type, &(oc_dims){4, {g->batch, g->heads, g->queries, g->keys}});
}

/* Puts keys or values after those of the cache: in output `present`, if wanted, and in *data. */
static oc_status put_together(oc_call *c, const geometry *p, const heads *h, int in, int past,
                              int present, const void **data)
{
    const oc_value *new = oc_in(c, in), *old = oc_in_or_null(c, past);
    const oc_value *out = oc_out_or_null(c, present);
    const size_t elem = oc_type_size(new->type);
    oc_dims all = h->dims;
    all.n[2] = p->g.keys;
    const int64_t n = p->g.batch * p->g.kv_heads * p->g.keys * all.n[3];
    if (!old && !out && new->dims.rank == 4)
        return oc_as_type(c, p->g.type, new->data, new->type, n, data);
    char *to = out ? out->data : NULL;
    if (!out)
        OC_TRY(OC_SCRATCH_OF(c, to, n, elem));
    int64_t to_step[OC_MAX_RANK], old_step[OC_MAX_RANK];
    oc_dims_strides(&all, to_step);
    if (old) {
        oc_dims_strides(&old->dims, old_step);
        oc_call_move(c, to, to_step, old->data, old_step, &old->dims, elem);
    }
    oc_call_move(c, to + (size_t)(p->g.past * all.n[3]) * elem, to_step, new->data, h->step,
                 &h->dims, elem);
    return oc_as_type(c, p->g.type, to, new->type, n, data);
}

static oc_status check_valid(oc_call *c, oc_attention *g)
{
    const oc_value *valid = oc_in_or_null(c, VALID);
    if (!valid)
        return OC_OK;
    g->valid = valid->data;
    for (int64_t i = 0; i < g->batch; i++)
        if (g->valid[i] < 0 || g->valid[i] > g->mask_keys)
            return oc_fail(c, OC_VALUE, "nonpad_kv_seqlen[%lld] is %lld, expected 0 to %lld",
                           (long long)i, (long long)g->valid[i], (long long)g->mask_keys);
    return OC_OK;
}

static oc_status attention_run(oc_call *c)
{
    geometry p;
    OC_TRY(read_geometry(c, &p));
    oc_attention *g = &p.g;
    g->cpu = oc_call_cpu(c);
    OC_TRY(check_valid(c, g));
    OC_TRY(oc_in_as(c, Q, g->type, &g->q));
    OC_TRY(put_together(c, &p, &p.k, K, PAST_KEY, PRESENT_KEY, &g->k));
    OC_TRY(put_together(c, &p, &p.v, V, PAST_VALUE, PRESENT_VALUE, &g->v));
    OC_TRY(oc_in_as(c, MASK, g->mask_is_bool ? OC_BOOL : g->type, &g->mask));
    const bool flat = oc_in(c, Q)->dims.rank == 3;
    const int64_t row = flat ? g->heads * g->v_size : g->v_size;
    for (int a = 0; a < 3; a++)
        g->q_step[a] = p.q.step[a];
    g->y_step[0] = g->heads * g->queries * g->v_size;
    g->y_step[1] = flat ? g->v_size : g->queries * g->v_size;
    g->y_step[2] = row;
    OC_TRY(oc_out_as(c, Y, g->type, g->batch * g->y_step[0], &g->y));
    const oc_value *scores = oc_out_or_null(c, SCORES);
    if (scores)
        OC_TRY(oc_out_as(c, SCORES, g->type, oc_value_n(scores), &g->scores));
    g->work = oc_call_work(c, oc_attention_work(g));
    const size_t size = oc_attention_scratch(g, g->work.threads);
    if (!size)
        return oc_fail(c, OC_LIMIT, "the scores of a block of queries do not fit in memory");
    OC_TRY(OC_SCRATCH_OF(c, g->scratch, size, 1));
    oc_attention_run(g);
    oc_out_from(c, Y, g->type, g->y);
    oc_out_from(c, SCORES, g->type, g->scores);
    return OC_OK;
}

/* clang-format off */
#define SIG(left, right, more)                                                                     \
    "Attention <int is_causal = 0, int kv_num_heads?, " left "int q_num_heads?, "                  \
    "int qk_matmul_output_mode = 0, " right "float scale?, float softcap = 0.0, "                  \
    "int softmax_precision?> "                                                                     \
    "(T1 Q, T1 K, T2 V, U attn_mask?, T1 past_key?, T2 past_value?" more ") => "                   \
    "(T1 Y, T1 present_key?, T2 present_value?, T1 qk_matmul_output?) "                            \
    "| T1: float_ir4; T2: float_ir4; U: numeric_ir4 bool"
#define LEFT  "int left_window_size+ = -1, "
#define RIGHT "int right_window_size+ = -1, "
#define COUNT ", int64 nonpad_kv_seqlen$?"
const oc_op oc_ops_attention[] = {
    {25, SIG(LEFT, RIGHT, COUNT), attention_shape, attention_run},
    {24, SIG("",   "",    COUNT), attention_shape, attention_run},
    {23, SIG("",   "",    ""),    attention_shape, attention_run},
    {0}
};
