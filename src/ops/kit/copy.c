/* SPDX-License-Identifier: Apache-2.0
 * copy.c - copies that threads share: rows of bytes, whole or in pieces, and boxes of elements. */
#include "kernels/common/share.h"
#include "ops/kit/op.h"

#include <string.h>

enum { PIECE = 64 * 1024 }; /* bytes of a row: what one thread copies at least */

/* What it takes to copy so many bytes, in products (base/threads.h). */
static double work_of(double bytes)
{
    return bytes / sizeof(float) * OC_ELEMENT;
}

/* ---- rows ---- */

typedef struct job {
    char *dst;
    const char *src;
    size_t dst_step, src_step, size;
    int64_t rows, pieces;
    int tasks;
} job;

static void run_task(void *arg, int task)
{
    const job *t = arg;
    const oc_span units = oc_share(t->rows * t->pieces, t->tasks, task);
    for (int64_t i = units.first; i < units.end;) {
        const int64_t row = i / t->pieces, piece = i % t->pieces;
        const int64_t left = t->pieces - piece, n = units.end - i < left ? units.end - i : left;
        const size_t from = (size_t)piece * PIECE;
        const size_t end = n == left ? t->size : from + (size_t)n * PIECE;
        memcpy(t->dst + (size_t)row * t->dst_step + from, t->src + (size_t)row * t->src_step + from,
               end - from);
        i += n;
    }
}

void oc_call_copy_rows(oc_call *c, void *dst, size_t dst_step, const void *src, size_t src_step,
                       size_t size, int64_t rows)
{
    if (size == 0 || rows <= 0)
        return;
    const double work = work_of((double)size * (double)rows);
    job t = {.dst = dst,
             .src = src,
             .dst_step = dst_step,
             .src_step = src_step,
             .size = size,
             .rows = rows,
             .pieces = (int64_t)((size + PIECE - 1) / PIECE)};
    t.tasks = oc_share_tasks(t.rows * t.pieces, oc_call_threads_for(c, work));
    if (t.tasks > 1)
        oc_parallel_run(oc_call_parallel(c), t.tasks, run_task, &t);
    else
        oc_copy_rows(dst, dst_step, src, src_step, size, rows);
}

/* ---- boxes ---- */

typedef struct box_job {
    char *dst;
    const char *src;
    const int64_t *dst_step, *src_step;
    const oc_dims *box;
    size_t elem;
    int axis, tasks; /* the axis of which each task has a part */
} box_job;

static void move_task(void *arg, int task)
{
    const box_job *t = arg;
    oc_dims box = *t->box;
    const oc_span span = oc_share(box.n[t->axis], t->tasks, task);
    box.n[t->axis] = span.end - span.first;
    const int64_t elem = (int64_t)t->elem;
    oc_move(t->dst + span.first * t->dst_step[t->axis] * elem, t->dst_step,
            t->src + span.first * t->src_step[t->axis] * elem, t->src_step, &box, t->elem);
}

void oc_call_move(oc_call *c, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem)
{
    const double work = work_of((double)oc_dims_count(box) * (double)elem);
    box_job t = {dst, src, dst_step, src_step, box, elem, 0, 1};
    const int threads = oc_call_threads_for(c, work);
    for (int a = 1; threads > 1 && a + 1 < box->rank; a++) /* the longest but the last */
        if (box->n[a] > box->n[t.axis])
            t.axis = a;
    t.tasks = box->rank > 1 ? oc_share_tasks(box->n[t.axis], threads) : 1;
    if (t.tasks > 1)
        oc_parallel_run(oc_call_parallel(c), t.tasks, move_task, &t);
    else
        oc_move(dst, dst_step, src, src_step, box, elem);
}
