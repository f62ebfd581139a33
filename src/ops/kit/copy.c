/* SPDX-License-Identifier: Apache-2.0
 * copy.c - copies that threads share: each has a part of the longest axis. */
#include "kernels/common/share.h"
#include "ops/kit/op.h"

typedef struct job {
    char *dst;
    const char *src;
    const int64_t *dst_step, *src_step;
    const oc_dims *box;
    size_t elem;
    int axis, tasks; /* the longest axis, of which each task has a part */
} job;

static void move_task(void *arg, int task)
{
    const job *t = arg;
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
    const double bytes = (double)oc_dims_count(box) * (double)elem;
    job t = {dst, src, dst_step, src_step, box, elem, 0, 1};
    for (int a = 1; a < box->rank; a++)
        if (box->n[a] > box->n[t.axis])
            t.axis = a;
    const int threads = oc_call_threads_for(c, bytes / sizeof(float) * OC_ELEMENT);
    t.tasks = box->rank > 0 ? oc_share_tasks(box->n[t.axis], threads) : 1;
    if (t.tasks > 1)
        oc_parallel_run(oc_call_parallel(c), t.tasks, move_task, &t);
    else
        oc_move(dst, dst_step, src, src_step, box, elem);
}

void oc_call_copy_rows(oc_call *c, void *dst, size_t dst_step, const void *src, size_t src_step,
                       size_t size, int64_t rows)
{
    const oc_dims box = {2, {rows, (int64_t)size}};
    if (size > 0 && rows > 0)
        oc_call_move(c, dst, (int64_t[]){(int64_t)dst_step, 1}, src,
                     (int64_t[]){(int64_t)src_step, 1}, &box, 1);
}
