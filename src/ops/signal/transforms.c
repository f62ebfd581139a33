/* SPDX-License-Identifier: Apache-2.0
 * transforms.c - Fourier transforms in blocks of signals, one block of a thread at a time. */
#include "ops/signal/transforms.h"

#include "kernels/common/share.h"

#include <string.h>

enum {
    LONG = 1 << 22, /* of transforms of this size one is made at a time */
    PIECE = 1 << 14 /* elements that are cleared or divided between two looks at the limits */
};

typedef struct job {
    const oc_transforms *t;
    const oc_fft *f;
    oc_rounds rounds; /* over blocks */
    int tasks;
    double *work; /* of each task: oc_fft_work_size */
} job;

static void run_block(const job *j, oc_pace *pace, int64_t block, double *work)
{
    const oc_transforms *t = j->t;
    const oc_fft *f = j->f;
    const int64_t first = block * f->signals, left = t->count - first;
    oc_fft_signal x = oc_fft_input(f, work);
    const int64_t all = f->n * f->signals;
    oc_signals signals = {x.re, x.im, f->signals, first, left < f->signals ? left : f->signals,
                          pace};
    for (int64_t i = 0; i < all; i += PIECE) {
        const size_t bytes = (size_t)(all - i < PIECE ? all - i : PIECE) * sizeof *x.re;
        if (!oc_pace_on(pace, PIECE * OC_ELEMENT))
            return;
        memset(x.re + i, 0, bytes);
        memset(x.im + i, 0, bytes);
    }
    if (t->inverse) {
        signals.re = x.im;
        signals.im = x.re;
    }
    t->read(t->ctx, &signals);
    x = oc_fft_run(f, work, pace);
    signals.re = t->inverse ? x.im : x.re;
    signals.im = t->inverse ? x.re : x.im;
    for (int64_t i = 0, end; t->inverse && i < all;) {
        end = all - i < PIECE ? all : i + PIECE;
        if (!oc_pace_on(pace, (end - i) * 4 * OC_ELEMENT))
            return;
        for (; i < end; i++) {
            x.re[i] /= (double)f->n;
            x.im[i] /= (double)f->n;
        }
    }
    t->write(t->ctx, &signals);
}

static void run_task(void *arg, int task)
{
    const job *j = arg;
    const oc_span span = oc_share(j->rounds.end - j->rounds.first, j->tasks, task);
    oc_pace pace = {j->rounds.go_on, 0};
    for (int64_t i = span.first; i < span.end; i++)
        run_block(j, &pace, j->rounds.first + i, j->work + task * oc_fft_work_size(j->f));
}

oc_status oc_transforms_run(oc_call *c, const oc_transforms *t)
{
    double *tables;
    if (t->count == 0)
        return OC_OK;
    if (t->length > OC_FFT_MOST)
        return oc_fail(c, OC_LIMIT, "a transform of %lld elements, the most is %lld",
                       (long long)t->length, (long long)OC_FFT_MOST);
    oc_fft f = oc_fft_new(t->length);
    const int64_t blocks = (t->count - 1) / f.signals + 1;
    const bool is_long = f.size >= LONG;
    job j = {.t = t, .f = &f};
    const double work = (double)(f.size * f.signals) * 16 * (f.n_passes + 1);
    const int threads = oc_call_threads_for(c, work * (double)blocks);
    j.tasks = is_long ? 1 : oc_share_tasks(blocks, threads);
    j.rounds = oc_rounds_new(oc_call_go_on(c), blocks, work, j.tasks);
    OC_TRY(OC_SCRATCH(c, tables, oc_fft_table_size(&f)));
    OC_TRY(OC_SCRATCH(c, j.work, oc_fft_work_size(&f) * j.tasks));
    oc_fft_fill(&f, tables, j.work, &(oc_pace){oc_call_go_on(c), 0});
    OC_TRY(oc_check_limits(c));
    while (oc_rounds_next(&j.rounds))
        oc_parallel_run(oc_call_parallel(c), j.tasks, run_task, &j);
    return oc_check_limits(c);
}
