/* SPDX-License-Identifier: Apache-2.0
 * timing.c - measures how long runs of a session take. */
#include "session/timing.h"

#include "session/session_args.h"

#include <limits.h>

void timing_run(timing *t, oc_session *session, int64_t warm, int64_t runs, oc_error *e)
{
    for (int64_t i = 0; i < warm && e->code == OC_OK; i++)
        oc_run(session, e);
    for (int64_t i = 0; i < runs && e->code == OC_OK; i++) {
        if (t->n == INT_MAX) {
            tool_fail(e, OC_LIMIT, "timing: more than %d runs", INT_MAX);
            return;
        }
        t->ms = tool_push(t->ms, (size_t)t->n, sizeof *t->ms);
        const double start = session_clock();
        oc_run(session, e);
        const double ms = 1e3 * (session_clock() - start);
        if (e->code == OC_OK)
            t->ms[t->n++] = ms;
    }
}

static int compare_ms(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

timing_figures timing_sum_up(const timing *t)
{
    timing_figures f = {0};
    if (t->n == 0)
        return f;
    const size_t n = (size_t)t->n;
    double *sorted = tool_alloc(n, sizeof *sorted);
    memcpy(sorted, t->ms, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_ms);
    for (size_t i = 0; i < n; i++)
        f.mean += sorted[i] / (double)n;
    f.min = sorted[0];
    f.median = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    f.p90 = sorted[n - 1 - n / 10];
    f.p99 = sorted[n - 1 - n / 100];
    f.rate = f.mean > 0 ? 1e3 / f.mean : 0;
    free(sorted);
    return f;
}

void timing_free(timing *t)
{
    free(t->ms);
    *t = (timing){0};
}
