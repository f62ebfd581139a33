/* SPDX-License-Identifier: Apache-2.0
 * transforms.c - Fourier transforms in blocks of signals, one block of a thread at a time. */
#include "ops/signal/transforms.h"

enum { LONG = 1 << 22 }; /* transforms of at least this size are made one at a time */

typedef struct job {
    const oc_transforms *t;
    const oc_fft *f;
    oc_work by;
    double *work; /* oc_fft_work_size doubles for each task */
} job;

static void transform_block(const job *j, int64_t block, double *work)
{
    const oc_transforms *t = j->t;
    const oc_fft *f = j->f;
    const int64_t first = block * f->signals, left = t->count - first;
    oc_fft_signal x = oc_fft_input(f, work);
    const int64_t all = f->n * f->signals;
    oc_signals signals = {x.re, x.im, f->signals, first, oc_min(left, f->signals), &j->by};
    oc_work_zero(&j->by, x.re, (size_t)all * sizeof *x.re);
    oc_work_zero(&j->by, x.im, (size_t)all * sizeof *x.im);
    if (t->inverse) {
        signals.re = x.im;
        signals.im = x.re;
    }
    t->read(t->ctx, &signals);
    x = oc_fft_run(f, work, &j->by);
    signals.re = t->inverse ? x.im : x.re;
    signals.im = t->inverse ? x.re : x.im;
    OC_LOOP (&j->by, i, t->inverse ? all : 0, 1024) {
        x.re[i] /= (double)f->n;
        x.im[i] /= (double)f->n;
    }
    t->write(t->ctx, &signals);
}

static void transform_blocks(void *arg, int task, int64_t first, int64_t end)
{
    const job *j = arg;
    for (int64_t block = first; block < end; block++)
        transform_block(j, block, j->work + task * oc_fft_work_size(j->f));
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
    j.by = oc_call_work(c, work * (double)blocks);
    j.by.threads = is_long ? 1 : j.by.threads;
    OC_TRY(OC_SCRATCH(c, tables, oc_fft_table_size(&f)));
    OC_TRY(OC_SCRATCH(c, j.work, oc_fft_work_size(&f) * oc_work_tasks(&j.by, blocks)));
    oc_fft_fill(&f, tables, j.work, &j.by);
    oc_work_run(&j.by, blocks, transform_blocks, &j);
    return OC_OK;
}
