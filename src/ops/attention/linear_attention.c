/* SPDX-License-Identifier: Apache-2.0
 * linear_attention.c - LinearAttention: attention that keeps a state for each head instead of
 * scores. */
#include "kernels/attention/linear_attention.h"

#include <math.h>

#include "ops/kit/op.h"

enum { QUERY, KEY, VALUE, PAST, DECAY, BETA }; /* inputs */
enum { Y, PRESENT };                           /* outputs */

/* Input i, which is there, is [batch, tokens, heads * size]; heads is an attribute of the operator.
 */
static oc_status get_size(oc_call *c, int i, int64_t heads, int64_t *size)
{
    const oc_value *x = oc_in_or_null(c, i);
    const oc_dims *q = &oc_in(c, QUERY)->dims, *d = &x->dims;
    if (d->rank != 3 || d->n[0] != q->n[0] || d->n[1] != q->n[1] || d->n[2] % heads)
        return oc_fail_dims(c, i, "expected [B,T,%lld*size], B and T as in query",
                            (long long)heads);
    *size = d->n[2] / heads;
    return OC_OK;
}

/* Sets whether the update rule uses decay and beta. */
static oc_status get_rule(oc_call *c, bool *decay, bool *beta)
{
    static const char *const rules[] = {"linear", "gated", "delta", "gated_delta", NULL};
    int rule;
    OC_TRY(oc_attr_enum(c, "update_rule", rules, &rule));
    *decay = rule == 1 || rule == 3;
    *beta = rule == 2 || rule == 3;
    if ((*decay && !oc_in_or_null(c, DECAY)) || (*beta && !oc_in_or_null(c, BETA)))
        return oc_fail(c, OC_MODEL, "update_rule %s needs %s", rules[rule],
                       *decay && !oc_in_or_null(c, DECAY) ? "decay" : "beta");
    return OC_OK;
}

/* Sets everything but the data. */
static oc_status read_geometry(oc_call *c, oc_linear_attention *g)
{
    const int64_t heads = oc_attr_int(c, "q_num_heads"), kv = oc_attr_int(c, "kv_num_heads");
    int64_t size;
    bool decay, beta;
    OC_TRY(get_rule(c, &decay, &beta));
    if (kv < 1 || heads < 1 || heads % kv)
        return oc_fail(c, OC_VALUE, "q_num_heads is %lld, expected a multiple of kv_num_heads %lld",
                       (long long)heads, (long long)kv);
    OC_TRY(oc_expect_rank(c, QUERY, 3, 3));
    *g = (oc_linear_attention){.batch = oc_in(c, QUERY)->dims.n[0],
                               .tokens = oc_in(c, QUERY)->dims.n[1],
                               .heads = heads,
                               .kv_heads = kv};
    OC_TRY(get_size(c, QUERY, heads, &size));
    OC_TRY(get_size(c, KEY, kv, &g->key_size));
    OC_TRY(get_size(c, VALUE, kv, &g->value_size));
    if (size != g->key_size)
        return oc_fail(c, OC_SHAPE, "heads of query have %lld elements, those of key %lld",
                       (long long)size, (long long)g->key_size);
    if (decay) {
        OC_TRY(get_size(c, DECAY, kv, &g->decay_size));
        if (g->decay_size != 1 && g->decay_size != size)
            return oc_fail(c, OC_SHAPE, "heads of decay have %lld elements, expected 1 or %lld",
                           (long long)g->decay_size, (long long)size);
    }
    if (beta) {
        OC_TRY(get_size(c, BETA, 1, &g->beta_heads));
        if (g->beta_heads != 1 && g->beta_heads != kv)
            return oc_fail(c, OC_SHAPE, "beta has %lld heads, expected 1 or %lld",
                           (long long)g->beta_heads, (long long)kv);
    }
    g->scale = oc_attr_float(c, "scale");
    if (g->scale == 0)
        g->scale = 1 / sqrtf((float)size);
    return OC_OK;
}

/* Without a past state, the present state has the type of query. */
static oc_status linear_attention_shape(oc_call *c)
{
    oc_linear_attention g;
    OC_TRY(read_geometry(c, &g));
    const oc_value *past = oc_in_or_null(c, PAST);
    const oc_type type = oc_in(c, QUERY)->type;
    const oc_dims state = {4, {g.batch, g.kv_heads, g.key_size, g.value_size}};
    int64_t width;
    OC_TRY(oc_expect_dims(c, PAST, &state, NULL));
    if (!oc_i64_mul(g.heads, g.value_size, &width))
        return oc_fail(c, OC_LIMIT, "the output is too wide");
    OC_TRY(oc_set_out(c, Y, type, &(oc_dims){3, {g.batch, g.tokens, width}}));
    return oc_set_out(c, PRESENT, past ? past->type : type, &state);
}

static oc_status as_float(oc_call *c, int i, const float **data)
{
    const void *elements;
    OC_TRY(oc_in_as(c, i, OC_F32, &elements));
    *data = elements;
    return OC_OK;
}

static oc_status linear_attention_run(oc_call *c)
{
    oc_linear_attention g;
    OC_TRY(read_geometry(c, &g));
    const oc_value *past = oc_in_or_null(c, PAST);
    const oc_dims state = {4, {g.batch, g.kv_heads, g.key_size, g.value_size}};
    g.work = oc_call_work(c, oc_linear_attention_work(&g));
    void *y, *present;
    int64_t n;
    size_t bytes;
    if (!oc_dims_bytes(&state, sizeof(float), &n, &bytes))
        return oc_fail(c, OC_LIMIT, "the state is too large");
    OC_TRY(as_float(c, QUERY, &g.q));
    OC_TRY(as_float(c, KEY, &g.k));
    OC_TRY(as_float(c, VALUE, &g.v));
    if (g.decay_size)
        OC_TRY(as_float(c, DECAY, &g.decay));
    if (g.beta_heads)
        OC_TRY(as_float(c, BETA, &g.beta));
    const oc_dims out = {3, {g.batch, g.tokens, g.heads * g.value_size}};
    OC_TRY(oc_out_as(c, Y, OC_F32, oc_dims_count(&out), &y));
    OC_TRY(oc_out_as(c, PRESENT, OC_F32, n, &present));
    g.y = y;
    g.state = present;
    OC_TRY(OC_SCRATCH(c, g.scratch, g.value_size * g.work.threads));
    if (past)
        oc_call_convert(c, g.state, OC_F32, past->data, past->type, n);
    else
        oc_call_zero(c, g.state, bytes);
    g.cpu = oc_call_cpu(c);
    oc_linear_attention_run(&g);
    oc_out_from(c, Y, OC_F32, y);
    oc_out_from(c, PRESENT, OC_F32, present);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_linear_attention[] = {
    {27, "LinearAttention <int chunk_size = 64, int kv_num_heads, int q_num_heads, "
         "float scale = 0.0, string update_rule = \"gated_delta\"> (T query, T key, T value, "
         "S past_state?, T decay?, T beta?) => (T output, S present_state) "
         "| T: float float16 bfloat16; S: float float16 bfloat16",
         linear_attention_shape, linear_attention_run},
    {0}
};
