/* SPDX-License-Identifier: Apache-2.0
 * copy.c - copies and fills that threads share; of a copy each has a part of the longest axis. */
#include "kernels/common/share.h"
#include "ops/kit/op.h"

#include <math.h>

/* Bytes that are copied between two looks at the pace, and the work of one. Where they are far
 * apart, SPARSE bytes of their extent count as one: each costs a line of a cache, and new memory a
 * page. To begin a row takes as long as ROW bytes. */
enum { BYTE = 16, LEAST = 1 << 14, SPARSE = 2, ROW = 32 };
enum { PIECE = OC_ROUND_WORK / BYTE > LEAST ? OC_ROUND_WORK / BYTE : LEAST };

typedef struct job {
    char *dst;
    const char *src;
    const int64_t *dst_step, *src_step;
    const oc_dims *box;
    size_t elem;
    int axis, tasks; /* the longest axis, of which each task has a part */
    oc_go_on go_on;
} job;

/* The first of the longest axes; 0 for a scalar. */
static int longest_axis(const oc_dims *box)
{
    int longest = 0;
    for (int a = 1; a < box->rank; a++)
        if (box->n[a] > box->n[longest])
            longest = a;
    return longest;
}

/* Bytes of the box, or those that its rows, or its extent along an axis, count as. */
static double bytes_of(const job *t, const oc_dims *box, int axis)
{
    const double count = (double)oc_dims_count(box), elem = (double)t->elem;
    if (box->rank == 0)
        return elem;
    int inner = box->rank - 1;
    while (inner > 0 && box->n[inner] == 1)
        inner--;
    const double rows = count / (double)box->n[inner];
    const double step = fmax(fabs((double)t->dst_step[axis]), fabs((double)t->src_step[axis]));
    return fmax(count * elem + rows * ROW, step * (double)box->n[axis] * elem / SPARSE);
}

/* The axis along which a part is cut: the longest of those along which neither side has its
 * elements in a row, so that a cut wastes no line of a cache; if there is none, the longest. */
static int cut_axis(const job *t, const oc_dims *part)
{
    int longest = -1;
    for (int a = 0; a < part->rank; a++)
        if (part->n[a] > 1 && t->dst_step[a] != 1 && t->src_step[a] != 1 &&
            (longest < 0 || part->n[a] > part->n[longest]))
            longest = a;
    return longest < 0 ? longest_axis(part) : longest;
}

/* Moves a part of the box, whose elements begin at element dst and src, in pieces; those of one
 * index of an axis are cut along the next. False: the pace ended it. */
static bool move_part(const job *t, oc_pace *pace, int64_t dst, int64_t src, oc_dims part)
{
    const int axis = cut_axis(t, &part);
    const double bytes = bytes_of(t, &part, axis);
    const int64_t n = part.rank > 0 ? part.n[axis] : 1, elem = (int64_t)t->elem;
    if (bytes <= PIECE || n == 1) {
        if (!oc_pace_on(pace, (int64_t)fmin(bytes, PIECE) * BYTE))
            return false;
        oc_move(t->dst + dst * elem, t->dst_step, t->src + src * elem, t->src_step, &part, t->elem);
        return true;
    }
    const int64_t most = (int64_t)(PIECE / bytes * (double)n), piece = most < 1 ? 1 : most;
    for (int64_t i = 0; i < n; i += piece) {
        part.n[axis] = n - i < piece ? n - i : piece;
        if (!move_part(t, pace, dst + i * t->dst_step[axis], src + i * t->src_step[axis], part))
            return false;
    }
    return true;
}

static void move_task(void *arg, int task)
{
    const job *t = arg;
    oc_pace pace = {t->go_on, OC_ROUND_WORK}; /* there may be many tasks: each asks */
    const oc_span span = oc_share(t->box->n[t->axis], t->tasks, task);
    oc_dims part = *t->box;
    part.n[t->axis] = span.end - span.first;
    move_part(t, &pace, span.first * t->dst_step[t->axis], span.first * t->src_step[t->axis], part);
}

void oc_call_move(oc_call *c, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem)
{
    const double bytes = (double)oc_dims_count(box) * (double)elem;
    job t = {dst, src, dst_step, src_step, box, elem, longest_axis(box), 1, oc_call_go_on(c)};
    if (bytes == 0)
        return;
    const int threads = oc_call_threads_for(c, bytes / sizeof(float) * OC_ELEMENT);
    if (bytes_of(&t, box, t.axis) < PIECE && threads == 1) {
        oc_move(dst, dst_step, src, src_step, box, elem);
        return;
    }
    t.tasks = oc_share_tasks(box->n[t.axis], threads);
    oc_parallel_run(oc_call_parallel(c), t.tasks, move_task, &t);
}

bool oc_pace_move(oc_pace *pace, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem)
{
    const job t = {
        .dst = dst, .src = src, .dst_step = dst_step, .src_step = src_step, .elem = elem};
    return oc_dims_count(box) == 0 || move_part(&t, pace, 0, 0, *box);
}

void oc_call_copy_rows(oc_call *c, void *dst, size_t dst_step, const void *src, size_t src_step,
                       size_t size, int64_t rows)
{
    const oc_dims box = {2, {rows, (int64_t)size}};
    if (size > 0 && rows > 0)
        oc_call_move(c, dst, (int64_t[]){(int64_t)dst_step, 1}, src,
                     (int64_t[]){(int64_t)src_step, 1}, &box, 1);
}

typedef struct fill {
    char *dst;
    const void *one;
    size_t elem;
    int64_t count;
    int tasks;
    oc_watch *watch;
} fill;

static void fill_task(void *arg, int task)
{
    const fill *t = arg;
    const oc_span span = oc_share(t->count, t->tasks, task);
    const int64_t piece = PIECE / (int64_t)t->elem;
    for (int64_t i = span.first; i < span.end && oc_watch_ask(t->watch); i += piece)
        oc_fill(t->dst + (size_t)i * t->elem, span.end - i < piece ? span.end - i : piece, t->one,
                t->elem);
}

void oc_call_fill(oc_call *c, void *dst, int64_t count, const void *one, size_t elem)
{
    fill t = {dst, one, elem, count, 1, oc_call_watch(c)};
    const double floats = (double)count * (double)elem / sizeof(float);
    t.tasks = oc_share_tasks(count, oc_call_threads_for(c, floats * OC_ELEMENT));
    oc_parallel_run(oc_call_parallel(c), t.tasks, fill_task, &t);
}
