/* SPDX-License-Identifier: Apache-2.0
 * trees.c - are trees sound, and which leaves does a row reach? */
#include "ops/ml/trees.h"

/* ---- checks */

enum { NEW, OPEN, DONE };

/* Is node n, or one below it, below itself? stack has room for all nodes. */
static bool has_circle(const oc_trees *t, oc_count *count, int32_t n, uint8_t *state,
                       int32_t *stack)
{
    int64_t depth = 0;
    stack[depth++] = n;
    while (depth > 0 && oc_counts(count)) {
        const int32_t at = stack[depth - 1];
        if (state[at] == NEW)
            state[at] = OPEN;
        int32_t child = t->node[at].yes;
        if (child < 0 || state[child] == DONE)
            child = t->node[at].no;
        if (child < 0 || state[child] == DONE) {
            state[at] = DONE;
            depth--;
        } else if (state[child] == OPEN) {
            return true;
        } else {
            stack[depth++] = child;
        }
    }
    return false;
}

oc_status oc_trees_check(oc_call *c, const oc_trees *t)
{
    uint8_t *state;
    int32_t *stack;
    OC_TRY(OC_SCRATCH(c, state, t->n_nodes));
    OC_TRY(OC_SCRATCH(c, stack, t->n_nodes));
    oc_call_zero(c, state, (size_t)t->n_nodes); /* NEW */
    oc_count count = oc_call_count(c);
    OC_CALL_LOOP (c, i, t->n_nodes, 1024)
        if (t->node[i].feature < 0 || t->node[i].feature >= t->columns)
            return oc_fail(c, OC_VALUE,
                           "node [%" PRId64 "] tests feature %d, expected one of %" PRId64, i,
                           t->node[i].feature, t->columns);
    OC_CALL_LOOP (c, i, t->n_nodes, 64)
        if (state[i] == NEW && has_circle(t, &count, (int32_t)i, state, stack))
            return oc_fail(c, OC_VALUE, "node [%" PRId64 "] leads in a circle", i);
    OC_CALL_LOOP (c, i, t->n_votes, 1024)
        if (t->vote[i].target < 0 || t->vote[i].target >= t->targets)
            return oc_fail(c, OC_VALUE,
                           "a leaf votes for target %" PRId64 ", expected one of %" PRId64,
                           t->vote[i].target, t->targets);
    if (t->base.n && t->base.n != t->targets)
        return oc_fail(c, OC_VALUE, "%" PRId64 " base values, expected %" PRId64, t->base.n,
                       t->targets);
    return OC_OK;
}

/* ---- rows */

static bool is_member(const oc_trees *t, const oc_tree_node *n, double x)
{
    for (int64_t i = n->first; i < n->first + n->n; i++)
        if (t->member[i] == x)
            return true;
    return false;
}

static bool branches(const oc_trees *t, const oc_tree_node *n, double x)
{
    if (x != x && n->missing_is_true)
        return true;
    switch (n->mode) {
    case OC_BRANCH_LEQ:
        return x <= n->split;
    case OC_BRANCH_LT:
        return x < n->split;
    case OC_BRANCH_GTE:
        return x >= n->split;
    case OC_BRANCH_GT:
        return x > n->split;
    case OC_BRANCH_EQ:
        return x == n->split;
    case OC_BRANCH_NEQ:
        return x != n->split;
    default:
        return is_member(t, n, x);
    }
}

static void take_vote(oc_aggregate aggregate, double *score, bool *voted, double weight)
{
    if (aggregate == OC_MIN)
        *score = *voted && *score < weight ? *score : weight;
    else if (aggregate == OC_MAX)
        *score = *voted && *score > weight ? *score : weight;
    else
        *score += weight;
    *voted = true;
}

/* Returns the leaf that the row reaches in a tree; NULL: the work has ended. */
static const oc_tree_leaf *leaf_of(const oc_trees *t, oc_count *count, int32_t root,
                                   const double *x)
{
    int32_t at = root;
    while (at >= 0) {
        const oc_tree_node *n = &t->node[at];
        if (!oc_counts(count))
            return NULL;
        at = branches(t, n, x[n->feature]) ? n->yes : n->no;
    }
    return &t->leaf[~at];
}

static void score_row(const oc_trees *t, const oc_work *w, const double *x, double *score,
                      bool *voted)
{
    oc_count count = oc_count_of(w);
    oc_work_zero(w, score, (size_t)t->targets * sizeof *score);
    oc_work_zero(w, voted, (size_t)t->targets * sizeof *voted);
    for (int64_t i = 0; i < t->n_roots; i++) {
        const oc_tree_leaf *leaf = leaf_of(t, &count, t->root[i], x);
        for (int64_t v = 0; leaf && v < leaf->n && oc_counts(&count); v++) {
            const oc_tree_vote *vote = &t->vote[leaf->first + v];
            take_vote(t->aggregate, &score[vote->target], &voted[vote->target], vote->weight);
        }
    }
    OC_LOOP (w, k, t->targets, 1024) {
        if (t->aggregate == OC_AVERAGE && t->n_roots)
            score[k] /= (double)t->n_roots;
        if (t->base.n)
            score[k] += t->base.v[k];
    }
}

typedef struct job {
    const oc_trees *t;
    const oc_value *x;
    oc_trees_done *done;
    void *ctx;
    double *score, *row; /* room for each task */
    bool *voted;
    oc_work work;
} job;

static void score_rows(void *arg, int task, int64_t first, int64_t end)
{
    const job *j = arg;
    const oc_trees *t = j->t;
    double *score = j->score + task * t->targets, *row = j->row + task * t->columns;
    bool *voted = j->voted + task * t->targets;
    const size_t size = oc_type_size(j->x->type) * (size_t)t->columns;
    const oc_work *w = &j->work;
    for (int64_t r = first; r < end; r++) {
        oc_work_convert(w, 0, row, OC_F64, (const char *)j->x->data + size * (size_t)r, j->x->type,
                        t->columns);
        score_row(t, w, row, score, voted);
        j->done(j->ctx, w, r, score, voted);
    }
}

oc_status oc_trees_run(oc_call *c, const oc_trees *t, oc_trees_done *done, void *ctx)
{
    job j = {.t = t, .x = oc_in(c, 0), .done = done, .ctx = ctx};
    const double nodes = (double)oc_min(t->n_nodes, 32 * t->n_roots);
    const double work = 8 * (nodes + (double)(t->targets + t->columns));
    j.work = oc_call_work(c, work * (double)t->rows);
    const int tasks = oc_work_tasks(&j.work, t->rows);
    OC_TRY(OC_SCRATCH(c, j.score, t->targets * tasks));
    OC_TRY(OC_SCRATCH(c, j.voted, t->targets * tasks));
    OC_TRY(OC_SCRATCH(c, j.row, t->columns * tasks));
    oc_work_run(&j.work, t->rows, score_rows, &j);
    return OC_OK;
}
