/* SPDX-License-Identifier: Apache-2.0
 * linear_attention.c - token by token, head by head; columns of the state fill the lanes. */
#include "kernels/product/linear_attention.h"

#include "kernels/common/precondition.h"
#include "kernels/common/share.h"
#include "kernels/product/matmul.h"
#include "kernels/rows/curves.h"

typedef struct job {
    const oc_linear_attention *g;
    oc_product_fn *multiply;
    oc_curve_fn *exp; /* as Exp's, of which the body is made */
    int tasks;
    oc_rounds tokens;
} job;

/* s[i][j] += x[i] * add[j]. */
static void add_product(float *restrict s, const float *x, const float *add, int64_t rows,
                        int64_t n)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < n; j++)
            s[i * n + j] += x[i] * add[j];
}

/* y becomes x times the state s of a head. */
static void read_state(const job *t, float *y, const float *x, const float *s)
{
    const int64_t rows = t->g->key_size, n = t->g->value_size;
    t->multiply(&(oc_product){y, x, s, n, rows, n, 1, n, rows, false});
}

/* token: its number among all batches. */
static void update(const job *t, int64_t token, int64_t head, float *s, float *change)
{
    const oc_linear_attention *g = t->g;
    const int64_t at = token * g->kv_heads + head, n = g->value_size;
    const float *k = g->k + at * g->key_size, *v = g->v + at * n;
    for (int64_t i = 0; i < g->key_size && g->decay; i++) {
        const float decay = g->decay[at * g->decay_size + (g->decay_size == 1 ? 0 : i)];
        float keep;
        t->exp(&keep, &decay, 1, 0);
        for (int64_t j = 0; j < n; j++)
            s[i * n + j] *= keep;
    }
    if (!g->beta) {
        add_product(s, k, v, g->key_size, n);
        return;
    }
    const float beta = g->beta[token * g->beta_heads + (g->beta_heads == 1 ? 0 : head)];
    read_state(t, change, k, s);
    for (int64_t j = 0; j < n; j++)
        change[j] = beta * (v[j] - change[j]);
    add_product(s, k, change, g->key_size, n);
}

static void run_task(void *arg, int task)
{
    const job *t = arg;
    const oc_linear_attention *g = t->g;
    const int64_t n = g->value_size, each = g->heads / g->kv_heads;
    const oc_span span = oc_share(g->batch * g->kv_heads, t->tasks, task);
    for (int64_t unit = span.first; unit < span.end; unit++) {
        const int64_t head = unit % g->kv_heads, before = unit / g->kv_heads * g->tokens;
        float *s = g->state + unit * g->key_size * n;
        const int64_t first = before + t->tokens.first, end = before + t->tokens.end;
        for (int64_t token = first; token < end; token++) {
            update(t, token, head, s, g->scratch + task * n);
            for (int64_t i = 0; i < each; i++) {
                const int64_t at = token * g->heads + head * each + i;
                float *y = g->y + at * n;
                read_state(t, y, g->q + at * g->key_size, s);
                for (int64_t j = 0; j < n; j++)
                    y[j] *= g->scale;
            }
        }
    }
}

/* Products of a token. */
static double work_of(const oc_linear_attention *g)
{
    const double each = (double)g->batch * (double)(2 * g->kv_heads + g->heads);
    return (double)g->key_size * (double)g->value_size * each;
}

double oc_linear_attention_work(const oc_linear_attention *g)
{
    return work_of(g) * (double)g->tokens;
}

void oc_linear_attention_run(const oc_linear_attention *g, const oc_parallel *parallel, int tasks)
{
    job t = {.g = g,
             .multiply = oc_matmul_pick(OC_F32, g->cpu),
             .exp = oc_curves_pick(g->cpu)->exp,
             .tasks = tasks};
    assert(g->batch >= 0 && g->tokens >= 0 && g->key_size >= 0 && g->value_size >= 0 && tasks >= 1);
    assert(g->heads >= 0 && g->kv_heads >= 1 && g->heads % g->kv_heads == 0);
    assert(!g->decay || g->decay_size == 1 || g->decay_size == g->key_size);
    assert(!g->beta || g->beta_heads == 1 || g->beta_heads == g->kv_heads);
    if (g->value_size == 0)
        return; /* however many tokens there are */
    t.tokens = oc_rounds_new(g->go_on, g->tokens, work_of(g), tasks);
    while (oc_rounds_next(&t.tokens))
        oc_parallel_run(parallel, tasks, run_task, &t);
}
