/* SPDX-License-Identifier: Apache-2.0
 * trees.c - are trees sound, and which leaves does a row reach? */
#include "ops/ml/trees.h"

#include "kernels/common/pieces.h"
#include "kernels/common/share.h"

#include <inttypes.h>

/* ---- checks */

enum { NEW, OPEN, DONE };

/* Is node n, or one below it, below itself? stack has room for all nodes. */
static bool has_circle(const oc_trees *t, oc_pace *pace, int32_t n, uint8_t *state, int32_t *stack)
{
    int64_t depth = 0;
    stack[depth++] = n;
    while (depth > 0 && oc_pace_on(pace, OC_PLACE)) {
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
    OC_TRY(oc_check_limits(c));
    oc_pace pace = {oc_call_go_on(c), 0};
    for (int64_t i = 0; i < t->n_nodes && oc_pace_on(&pace, OC_PLACE); i++)
        if (t->node[i].feature < 0 || t->node[i].feature >= t->columns)
            return oc_fail(c, OC_VALUE,
                           "node [%" PRId64 "] tests feature %d, expected one of %" PRId64, i,
                           t->node[i].feature, t->columns);
    for (int64_t i = 0; i < t->n_nodes && oc_pace_on(&pace, OC_PLACE); i++)
        if (state[i] == NEW && has_circle(t, &pace, (int32_t)i, state, stack))
            return oc_fail(c, OC_VALUE, "node [%" PRId64 "] leads in a circle", i);
    for (int64_t i = 0; i < t->n_votes && oc_pace_on(&pace, OC_ELEMENT); i++)
        if (t->vote[i].target < 0 || t->vote[i].target >= t->targets)
            return oc_fail(c, OC_VALUE,
                           "a leaf votes for target %" PRId64 ", expected one of %" PRId64,
                           t->vote[i].target, t->targets);
    if (t->base.n && t->base.n != t->targets)
        return oc_fail(c, OC_VALUE, "%" PRId64 " base values, expected %" PRId64, t->base.n,
                       t->targets);
    return oc_check_limits(c);
}

/* ---- rows */

enum { NODE_WORK = 64 }; /* products that take as long as a node */

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

/* false: the limits ended it. */
static bool score_row(const oc_trees *t, oc_pace *pace, const double *x, double *score, bool *voted)
{
    if (!oc_pace_zero(pace, score, (size_t)t->targets * sizeof *score) ||
        !oc_pace_zero(pace, voted, (size_t)t->targets * sizeof *voted))
        return false;
    for (int64_t i = 0; i < t->n_roots; i++) {
        int32_t at = t->root[i];
        while (at >= 0) {
            const oc_tree_node *n = &t->node[at];
            if (!oc_pace_on(pace, NODE_WORK + n->n * OC_ELEMENT))
                return false;
            at = branches(t, n, x[n->feature]) ? n->yes : n->no;
        }
        const oc_tree_leaf *leaf = &t->leaf[~at];
        if (!oc_pace_on(pace, leaf->n * NODE_WORK))
            return false;
        for (int64_t v = leaf->first; v < leaf->first + leaf->n; v++) {
            const oc_tree_vote *vote = &t->vote[v];
            take_vote(t->aggregate, &score[vote->target], &voted[vote->target], vote->weight);
        }
    }
    for (int64_t k = 0; k < t->targets; k++) {
        if (!oc_pace_on(pace, NODE_WORK))
            return false;
        if (t->aggregate == OC_AVERAGE && t->n_roots)
            score[k] /= (double)t->n_roots;
        if (t->base.n)
            score[k] += t->base.v[k];
    }
    return true;
}

typedef struct job {
    const oc_trees *t;
    const oc_value *x;
    oc_trees_done *done;
    void *ctx;
    double *score, *row; /* for each task */
    bool *voted;
    oc_rounds rounds;
    int tasks;
} job;

static void run_task(void *arg, int task)
{
    const job *j = arg;
    const oc_trees *t = j->t;
    double *score = j->score + task * t->targets, *row = j->row + task * t->columns;
    bool *voted = j->voted + task * t->targets;
    const size_t size = oc_type_size(j->x->type) * (size_t)t->columns;
    const oc_span span = oc_share(j->rounds.end - j->rounds.first, j->tasks, task);
    oc_pace pace = {j->rounds.go_on, 0};
    for (int64_t i = span.first; i < span.end; i++) {
        const int64_t r = j->rounds.first + i;
        oc_pace_convert(&pace, 0, row, OC_F64, (const char *)j->x->data + size * (size_t)r,
                        j->x->type, t->columns);
        if (!score_row(t, &pace, row, score, voted))
            return;
        j->done(j->ctx, &pace, r, score, voted);
    }
}

oc_status oc_trees_run(oc_call *c, const oc_trees *t, oc_trees_done *done, void *ctx)
{
    job j = {.t = t, .x = oc_in(c, 0), .done = done, .ctx = ctx};
    const double nodes = (double)(t->n_nodes < 32 * t->n_roots ? t->n_nodes : 32 * t->n_roots);
    const double work = 8 * (nodes + (double)(t->targets + t->columns));
    j.tasks = oc_share_tasks(t->rows, oc_call_threads_for(c, work * (double)t->rows));
    j.rounds = oc_rounds_new(oc_call_go_on(c), t->rows, work, j.tasks);
    OC_TRY(OC_SCRATCH(c, j.score, t->targets * j.tasks));
    OC_TRY(OC_SCRATCH(c, j.voted, t->targets * j.tasks));
    OC_TRY(OC_SCRATCH(c, j.row, t->columns * j.tasks));
    while (oc_rounds_next(&j.rounds))
        oc_parallel_run(oc_call_parallel(c), j.tasks, run_task, &j);
    return oc_call_error(c)->code;
}
