/* SPDX-License-Identifier: Apache-2.0
 * attention.c - attention by blocks of queries of one head.
 *
 * Keys are first transposed into panels of PANEL keys side by side; zeros fill the last panel. */
#include "kernels/attention/attention.h"

#include "base/int.h"
#include "base/size.h"
#include "kernels/elementwise/curves.h"
#include "kernels/normalize/normalize.h"
#include "kernels/matmul/product.h"
#include "kernels/common/precondition.h"

enum { QUERIES = 32 /* queries in a block */, PANEL = 32 };

typedef struct job {
    const oc_attention *g;
    oc_product_fn *product;
    oc_softmax_fn *softmax;
    oc_curve tanh; /* tanh of floats */
    oc_elementary_fn *tanh_of_doubles;
    int64_t key_panels, blocks, heads, units;
    /* bytes: of an element, of one head's packed keys, of a task's scratch memory */
    size_t elem, k_bytes, task_bytes;
    char *k, *tasks;
    bool *finite; /* for each head of keys: true when all its values are finite */
} job;

/* A block of queries of one head. */
typedef struct block {
    int64_t batch, head, first;
    int rows;
    /* keys start[i] to limit[i] - 1 are excluded for query i by the mask alone */
    int64_t start[QUERIES], limit[QUERIES];
    /* begin: the least start, rounded down to the first key of a panel; width: the greatest
     * limit */
    int64_t begin, width;
} block;

static block block_of(const job *t, int64_t unit)
{
    const oc_attention *g = t->g;
    block b = {.first = unit % t->blocks * QUERIES};
    b.head = unit / t->blocks % g->heads;
    b.batch = unit / t->blocks / g->heads;
    b.rows = g->queries - b.first < QUERIES ? (int)(g->queries - b.first) : QUERIES;
    const int64_t valid = g->valid ? g->valid[b.batch] : g->keys;
    const int64_t end = g->mask && g->mask_keys < valid ? g->mask_keys : valid;
    const int64_t past = g->valid && g->past_of ? g->past_of[b.batch]
                         : g->valid             ? valid - g->queries
                                                : g->past;
    b.begin = end;
    for (int r = 0; r < b.rows; r++) {
        const int64_t at = b.first + r + past;
        int64_t limit = g->right >= 0 && g->right < end - at - 1 ? at + g->right + 1 : end;
        limit = oc_max(limit, 0);
        const int64_t start = g->left >= 0 && g->left < at ? at - g->left : 0;
        b.limit[r] = limit;
        b.start[r] = oc_min(start, limit);
        b.begin = oc_min(b.start[r], b.begin);
        b.width = oc_max(limit, b.width);
    }
    b.begin -= b.begin % PANEL;
    return b;
}

static void tanh_f32(const job *t, float *x, int64_t n)
{
    oc_curve_row(x, (const void *const[]){x}, NULL, n, &t->tanh);
}

static void tanh_f64(const job *t, double *x, int64_t n)
{
    oc_elementary_apply(t->tanh_of_doubles, x, n);
}

#define T       float
#define NAME(x) x##_f32
#define FMA     fmaf
#include "kernels/attention/attention.inc"

#define T       double
#define NAME(x) x##_f64
#define FMA     fma
#include "kernels/attention/attention.inc"

static void pack_heads(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t head = first; head < end; head++)
        (t->g->type == OC_F64 ? pack_f64 : pack_f32)(t, head);
}

static void attend_blocks(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t unit = first; unit < end; unit++) {
        const block b = block_of(t, unit);
        (t->g->type == OC_F64 ? run_block_f64 : run_block_f32)(t, &b, task);
    }
}

/* *to becomes the bytes of m rows of n elements, rounded up to whole cache lines. Returns false
 * on overflow. */
static bool bytes_of(int64_t n, int64_t m, size_t elem, size_t *to)
{
    size_t all;
    if (!oc_size_mul((size_t)n, (size_t)m, &all) || !oc_size_mul(all, elem, &all) ||
        !oc_size_add(all, 63, &all))
        return false;
    *to = all / 64 * 64;
    return true;
}

/* Fills the job except for pointers. *all becomes the bytes of scratch memory. */
static bool plan(job *t, const oc_attention *g, int tasks, size_t *all)
{
    *t = (job){.g = g, .elem = g->type == OC_F64 ? 8 : 4};
    t->key_panels = g->keys / PANEL + 1;
    t->blocks = oc_div_up(g->queries, QUERIES);
    t->heads = g->batch * g->kv_heads;
    t->units = g->batch * g->heads * t->blocks;
    size_t k, mine, finite, rows;
    return bytes_of(t->key_panels * PANEL, g->size, t->elem, &t->k_bytes) &&
           bytes_of(g->size, QUERIES, t->elem, &t->task_bytes) &&
           bytes_of(t->key_panels * PANEL, QUERIES + 1, t->elem, &rows) &&
           oc_size_add(t->task_bytes, rows, &t->task_bytes) &&
           oc_size_mul(t->k_bytes, (size_t)t->heads, &k) &&
           oc_size_mul(t->task_bytes, (size_t)tasks, &mine) && bytes_of(t->heads, 1, 1, &finite) &&
           oc_size_add(k, mine, all) && oc_size_add(*all, finite, all);
}

double oc_attention_work(const oc_attention *g)
{
    const double scores = (double)(g->batch * g->heads) * (double)g->queries * (double)g->keys;
    return scores * (double)(g->size + g->v_size);
}

size_t oc_attention_scratch(const oc_attention *g, int tasks)
{
    job t;
    size_t all;
    return plan(&t, g, tasks, &all) ? all : 0;
}

void oc_attention_run(const oc_attention *g)
{
    const int tasks = oc_work_most_tasks(&g->work);
    job t;
    size_t all;
    assert(g->type == OC_F32 || g->type == OC_F64);
    assert(g->batch >= 0 && g->heads >= 0 && g->queries >= 0 && g->keys >= 0);
    assert(g->size >= 0 && g->v_size >= 0 && g->left >= -1 && g->right >= -1);
    assert(g->kv_heads >= 1 && g->heads % g->kv_heads == 0);
    assert(g->given == OC_GIVEN_QUERIES || g->from);
    assert(oc_is_aligned(g->scratch, OC_CACHE_LINE));
    if (!plan(&t, g, tasks, &all))
        return; /* oc_attention_scratch has refused such a size */
    if ((!g->y || g->v_size == 0) && (!g->scores || g->keys == 0))
        return; /* the work has ended; the other queries stay undone */
    t.product = oc_product_pick(g->type, g->cpu);
    t.softmax = oc_softmax_pick(g->type, g->cpu);
    t.tanh.fn = oc_curves_pick(g->cpu)->tanh;
    t.tanh_of_doubles = oc_elementary_pick(g->cpu)->tanh;
    t.k = g->scratch;
    t.tasks = t.k + t.k_bytes * (size_t)t.heads;
    t.finite = (bool *)(t.tasks + t.task_bytes * (size_t)tasks);
    oc_work_run(&g->work, t.heads, pack_heads, &t);
    oc_work_run(&g->work, t.units, attend_blocks, &t);
}
