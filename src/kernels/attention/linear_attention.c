/* SPDX-License-Identifier: Apache-2.0
 * linear_attention.c - token by token, head by head; columns of the state fill the lanes. */
#include "kernels/attention/linear_attention.h"

#include "kernels/common/precondition.h"
#include "kernels/common/share.h"
#include "kernels/matmul/matmul.h"
#include "kernels/elementwise/curves.h"

typedef struct job {
    const oc_linear_attention *g;
    oc_product_fn *multiply;
    oc_curve_fn *exp; /* as Exp's, of which the body is made */
    int tasks;
    oc_rounds tokens;
} job;

enum { PART = 1 << 20 }; /* elements of a state between two looks at the limits */

/* Some rows and columns of the state of a head. */
typedef struct part {
    int64_t row, rows, column, columns;
} part;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The next part of a state, after none where p is zero; of a state without rows one without rows.
 * false: there is none left, or the pace ended it. */
static bool next_part(const job *t, oc_pace *pace, part *p)
{
    const int64_t rows = t->g->key_size, n = t->g->value_size, columns = least(n, PART);
    p->row += p->rows;
    if (p->columns > 0 && p->row >= rows) {
        p->row = 0;
        p->column += p->columns;
    }
    p->rows = least(rows - p->row, PART / columns);
    p->columns = least(n - p->column, columns);
    return p->columns > 0 && oc_pace_on(pace, (p->rows + 1) * p->columns * OC_ELEMENT);
}

/* s[i][j] += x[i] * add[j]. */
static void add_product(const job *t, oc_pace *pace, float *s, const float *x, const float *add)
{
    part p = {0};
    while (next_part(t, pace, &p))
        for (int64_t i = p.row; i < p.row + p.rows; i++) {
            float *restrict to = s + i * t->g->value_size + p.column;
            for (int64_t j = 0; j < p.columns; j++)
                to[j] += x[i] * add[p.column + j];
        }
}

/* y becomes x times the state s of a head. */
static void read_state(const job *t, oc_pace *pace, float *y, const float *x, const float *s)
{
    const int64_t n = t->g->value_size;
    part p = {0};
    while (next_part(t, pace, &p))
        t->multiply(&(oc_product){.y = y + p.column,
                                  .a = x + p.row,
                                  .b = s + p.row * n + p.column,
                                  .y_step = n,
                                  .a_step = t->g->key_size,
                                  .b_step = n,
                                  .rows = 1,
                                  .columns = p.columns,
                                  .n = p.rows,
                                  .more = p.row > 0});
}

/* s[i][j] *= exp(decay of row i). */
static void fade(const job *t, oc_pace *pace, float *s, const float *decay)
{
    part p = {0};
    while (next_part(t, pace, &p))
        for (int64_t i = p.row; i < p.row + p.rows; i++) {
            float *to = s + i * t->g->value_size + p.column, keep;
            t->exp(&keep, &decay[t->g->decay_size == 1 ? 0 : i], 1, 0);
            for (int64_t j = 0; j < p.columns; j++)
                to[j] *= keep;
        }
}

/* token: its number among all batches. */
static void update(const job *t, oc_pace *pace, int64_t token, int64_t head, float *s,
                   float *change)
{
    const oc_linear_attention *g = t->g;
    const int64_t at = token * g->kv_heads + head, n = g->value_size;
    const float *k = g->k + at * g->key_size, *v = g->v + at * n;
    if (g->decay)
        fade(t, pace, s, g->decay + at * g->decay_size);
    if (!g->beta) {
        add_product(t, pace, s, k, v);
        return;
    }
    const float beta = g->beta[token * g->beta_heads + (g->beta_heads == 1 ? 0 : head)];
    read_state(t, pace, change, k, s);
    oc_strip strip = {0, 0};
    while (oc_strip_next(&strip, n, pace, OC_ELEMENT))
        for (int64_t j = strip.first; j < strip.end; j++)
            change[j] = beta * (v[j] - change[j]);
    add_product(t, pace, s, k, change);
}

static void run_task(void *arg, int task)
{
    const job *t = arg;
    const oc_linear_attention *g = t->g;
    const int64_t n = g->value_size, each = g->heads / g->kv_heads;
    const oc_span span = oc_share(g->batch * g->kv_heads, t->tasks, task);
    oc_pace pace = {g->go_on, 0};
    for (int64_t unit = span.first; unit < span.end && oc_pace_on(&pace, OC_PLACE); unit++) {
        const int64_t head = unit % g->kv_heads, before = unit / g->kv_heads * g->tokens;
        float *s = g->state + unit * g->key_size * n;
        const int64_t first = before + t->tokens.first, end = before + t->tokens.end;
        for (int64_t token = first; token < end && oc_pace_on(&pace, OC_UNIT); token++) {
            update(t, &pace, token, head, s, g->scratch + task * n);
            for (int64_t i = 0; i < each; i++) {
                const int64_t at = token * g->heads + head * each + i;
                float *y = g->y + at * n;
                read_state(t, &pace, y, g->q + at * g->key_size, s);
                oc_strip strip = {0, 0};
                while (oc_strip_next(&strip, n, &pace, OC_ELEMENT))
                    for (int64_t j = strip.first; j < strip.end; j++)
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
