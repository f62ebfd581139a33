/* SPDX-License-Identifier: Apache-2.0
 * copy.c - copies and fills that threads share; of a copy each has a part of the longest axis. */
#include "kernels/common/share.h"
#include "ops/kit/op.h"

#include <math.h>

/* Bytes that are copied between two questions to the watch. Where they are far apart, SPARSE bytes
 * of their extent count as one: each costs a line of a cache, and new memory a page. */
enum { PIECE = 1 << 23, SPARSE = 8 };

typedef struct job {
    char *dst;
    const char *src;
    const int64_t *dst_step, *src_step;
    const oc_dims *box;
    size_t elem;
    int axis, tasks; /* the longest axis, of which each task has a part */
    int64_t piece;   /* of that axis, of PIECE bytes */
    oc_watch *watch;
} job;

static void move_piece(const job *t, int64_t first, int64_t n)
{
    const int64_t elem = (int64_t)t->elem;
    oc_dims box = *t->box;
    box.n[t->axis] = n;
    oc_move(t->dst + first * t->dst_step[t->axis] * elem, t->dst_step,
            t->src + first * t->src_step[t->axis] * elem, t->src_step, &box, t->elem);
}

static void move_task(void *arg, int task)
{
    const job *t = arg;
    const oc_span span = oc_share(t->box->n[t->axis], t->tasks, task);
    for (int64_t i = span.first; i < span.end && oc_watch_ask(t->watch); i += t->piece)
        move_piece(t, i, span.end - i < t->piece ? span.end - i : t->piece);
}

void oc_call_move(oc_call *c, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem)
{
    const double bytes = (double)oc_dims_count(box) * (double)elem;
    job t = {dst, src, dst_step, src_step, box, elem, 0, 1, 0, oc_call_watch(c)};
    if (bytes == 0)
        return;
    for (int a = 1; a < box->rank; a++)
        if (box->n[a] > box->n[t.axis])
            t.axis = a;
    const int threads = oc_call_threads_for(c, bytes / sizeof(float) * OC_ELEMENT);
    const int64_t longest = box->n[t.axis];
    double work = bytes;
    if (box->rank > 0) {
        const double step = fmax(fabs((double)dst_step[t.axis]), fabs((double)src_step[t.axis]));
        work = fmax(bytes, step * (double)longest * (double)elem / SPARSE);
    }
    if (work < PIECE && threads == 1) {
        oc_move(dst, dst_step, src, src_step, box, elem);
        return;
    }
    t.tasks = oc_share_tasks(longest, threads);
    t.piece = (int64_t)(PIECE / work * (double)longest);
    t.piece = t.piece < 1 ? 1 : t.piece;
    oc_parallel_run(oc_call_parallel(c), t.tasks, move_task, &t);
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
