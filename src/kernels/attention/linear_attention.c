/* SPDX-License-Identifier: Apache-2.0
 * linear_attention.c - linear attention token by token, head by head; columns of the state fill
 * the lanes. */
#include "kernels/attention/linear_attention.h"

#include "kernels/common/precondition.h"
#include "kernels/matmul/matmul.h"
#include "kernels/elementwise/curves.h"

typedef struct job {
    const oc_linear_attention *g;
    oc_product_fn *multiply;
    oc_curve_fn *exp; /* the exponential, for the decay */
    int64_t parts;    /* number of parts of a state */
} job;

enum { PART = 1 << 16 }; /* most elements of a part */

/* A range of rows and columns of a head's state. */
typedef struct part {
    int64_t row, rows, column, columns;
} part;

/* Returns the rows and columns of every part but the last ones. A state without rows has one
 * part without rows. */
static part most_of(const oc_linear_attention *g)
{
    const int64_t columns = oc_min(g->value_size, PART);
    return (part){.rows = oc_min(g->key_size, PART / columns), .columns = columns};
}

static int64_t down(const oc_linear_attention *g, const part *most)
{
    return most->rows > 0 ? oc_div_up(g->key_size, most->rows) : 1;
}

static int64_t count_parts(const oc_linear_attention *g)
{
    const part most = most_of(g);
    return oc_div_up(g->value_size, most.columns) * down(g, &most);
}

/* Returns part i; parts of one range of columns follow each other. */
static part part_at(const oc_linear_attention *g, int64_t i)
{
    const part most = most_of(g);
    part p = {.row = i % down(g, &most) * most.rows, .column = i / down(g, &most) * most.columns};
    p.rows = oc_min(g->key_size - p.row, most.rows);
    p.columns = oc_min(g->value_size - p.column, most.columns);
    return p;
}

/* s[i][j] += x[i] * add[j]. */
static void add_product(const job *t, const part *p, float *s, const float *x, const float *add)
{
    for (int64_t i = p->row; i < p->row + p->rows; i++) {
        float *restrict to = s + i * t->g->value_size + p->column;
        for (int64_t j = 0; j < p->columns; j++)
            to[j] += x[i] * add[p->column + j];
    }
}

/* y becomes x times the state s of a head. */
static void read_state(const job *t, const part *p, float *y, const float *x, const float *s)
{
    const int64_t n = t->g->value_size;
    t->multiply(&(oc_product){.y = y + p->column,
                              .a = x + p->row,
                              .b = s + p->row * n + p->column,
                              .y_step = n,
                              .a_step = t->g->key_size,
                              .b_step = n,
                              .rows = 1,
                              .columns = p->columns,
                              .n = p->rows,
                              .more = p->row > 0});
}

/* s[i][j] *= exp(decay of row i). */
static void fade(const job *t, const part *p, float *s, const float *decay,
                 OC_UNUSED const float *none)
{
    for (int64_t i = p->row; i < p->row + p->rows; i++) {
        float *to = s + i * t->g->value_size + p->column, keep;
        t->exp(&keep, &decay[t->g->decay_size == 1 ? 0 : i], 1, 0);
        for (int64_t j = 0; j < p->columns; j++)
            to[j] *= keep;
    }
}

typedef void part_fn(const job *t, const part *p, float *to, const float *x, const float *y);

static void each_part(const job *t, part_fn *fn, float *to, const float *x, const float *y)
{
    OC_LOOP (&t->g->work, i, t->parts, 4) {
        const part p = part_at(t->g, i);
        fn(t, &p, to, x, y);
    }
}

/* Updates the state by a token; token is its number among those of all batches. */
static void update_state(const job *t, int64_t token, int64_t head, float *s, float *change)
{
    const oc_linear_attention *g = t->g;
    const int64_t at = token * g->kv_heads + head, n = g->value_size;
    const float *k = g->k + at * g->key_size, *v = g->v + at * n;
    if (g->decay)
        each_part(t, fade, s, g->decay + at * g->decay_size, NULL);
    if (!g->beta) {
        each_part(t, add_product, s, k, v);
        return;
    }
    const float beta = g->beta[token * g->beta_heads + (g->beta_heads == 1 ? 0 : head)];
    each_part(t, read_state, change, k, s);
    OC_LOOP (&g->work, j, n, 4096)
        change[j] = beta * (v[j] - change[j]);
    each_part(t, add_product, s, k, change);
}

/* Computes what a token reads from the state for a head of queries. */
static void put(const job *t, int64_t token, int64_t head, const float *s)
{
    const oc_linear_attention *g = t->g;
    const int64_t at = token * g->heads + head, n = g->value_size;
    float *y = g->y + at * n;
    each_part(t, read_state, y, g->q + at * g->key_size, s);
    OC_LOOP (&g->work, j, n, 4096)
        y[j] *= g->scale;
}

static void attend_heads(void *arg, int task, int64_t first, int64_t last)
{
    const job *t = arg;
    const oc_linear_attention *g = t->g;
    const int64_t n = g->value_size, each = g->heads / g->kv_heads;
    for (int64_t unit = first; unit < last; unit++) {
        const int64_t head = unit % g->kv_heads, before = unit / g->kv_heads * g->tokens;
        float *s = g->state + unit * g->key_size * n;
        OC_LOOP (&g->work, k, g->tokens, 4) {
            const int64_t token = before + k;
            update_state(t, token, head, s, g->scratch + task * n);
            for (int64_t i = 0; i < each; i++)
                put(t, token, head * each + i, s);
        }
    }
}

double oc_linear_attention_work(const oc_linear_attention *g)
{
    const double each = (double)g->batch * (double)(2 * g->kv_heads + g->heads);
    return (double)g->key_size * (double)g->value_size * each * (double)g->tokens;
}

void oc_linear_attention_run(const oc_linear_attention *g)
{
    job t = {
        .g = g, .multiply = oc_matmul_pick(OC_F32, g->cpu), .exp = oc_curves_pick(g->cpu)->exp};
    assert(g->batch >= 0 && g->tokens >= 0 && g->key_size >= 0 && g->value_size >= 0);
    assert(g->heads >= 0 && g->kv_heads >= 1 && g->heads % g->kv_heads == 0);
    assert(!g->decay || g->decay_size == 1 || g->decay_size == g->key_size);
    assert(!g->beta || g->beta_heads == 1 || g->beta_heads == g->kv_heads);
    if (g->value_size == 0)
        return; /* the work has ended; the other tokens stay undone */
    t.parts = count_parts(g);
    oc_work_run(&g->work, g->batch * g->kv_heads, attend_heads, &t);
}
