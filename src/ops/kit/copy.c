/* SPDX-License-Identifier: Apache-2.0
 * copy.c - rows of bytes that threads copy together, whole or in pieces. */
#include "kernels/common/share.h"
#include "ops/kit/op.h"

#include <string.h>

enum { PIECE = 64 * 1024 }; /* bytes of a row: what one thread copies at least */

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
    const double work = (double)size * (double)rows / sizeof(float) * OC_ELEMENT;
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
