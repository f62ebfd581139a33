/* SPDX-License-Identifier: Apache-2.0
 * call_work.c - shares the work of a call among the threads of its session. */
#include "ops/kit/call.h"

oc_work oc_call_all(const oc_call *c)
{
    const oc_services *s = c->services;
    return (oc_work){&s->parallel, s->threads, 0, s->watch};
}

oc_work oc_call_work(const oc_call *c, double cost)
{
    const oc_work all = oc_call_all(c);
    return oc_work_for(&all, cost);
}

oc_status oc_call_units(oc_call *c, double cost, int64_t n, oc_work_fn *fn, void *arg)
{
    const oc_work w = oc_call_work(c, cost);
    oc_work_run(&w, n, fn, arg);
    return oc_check_limits(c);
}

void oc_call_map(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                 const void *ctx)
{
    oc_call_map_wide(c, y, x, n_x, row, ctx, NULL);
}

void oc_call_map_wide(oc_call *c, oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row,
                      const void *ctx, const oc_wide *wide)
{
    const oc_work all = oc_call_all(c);
    oc_map_wide(y, x, n_x, row, ctx, wide, &all);
}

oc_pieces oc_call_pieces(const oc_call *c, int64_t n, int64_t least)
{
    const oc_work all = oc_call_all(c);
    return oc_pieces_of(&all, n, least);
}

oc_count oc_call_count(const oc_call *c)
{
    const oc_work all = oc_call_all(c);
    return oc_count_of(&all);
}
