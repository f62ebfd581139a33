/* SPDX-License-Identifier: Apache-2.0
 * resize_cuts.c - cuts a pass into tiles that caches hold. */
#include "kernels/resize/resize_tile.h"

#include "kernels/common/half.h"
#include "kernels/resize/resize_types.h"

bool oc_resize_can_pair(const oc_resize_taps *v, const oc_resize_taps *h, int64_t inner)
{
    return inner < OC_RESIZE_INNER && v->most <= OC_RESIZE_ROWS &&
           h->most <= OC_RESIZE_SPAN / 2 / inner;
}

/* Cuts an axis into runs of at most `most` outputs with at most `span` inputs under them, or of
 * one output. There are none when the work has been ended. */
static oc_resize_cuts cut(const oc_resize_taps *t, int64_t most, int64_t span, int64_t *memory,
                          const oc_work *w)
{
    oc_resize_cuts c = {memory, 0};
    int64_t low = INT64_MAX, high = 0;
    c.cut[c.n++] = 0;
    OC_LOOP (w, o, t->n_out, 1024) {
        const int64_t first = t->count[o] ? t->first[o] : 0;
        const int64_t end = first + oc_max(t->count[o], 1);
        low = oc_min(low, first);
        high = oc_max(high, end);
        if (o > c.cut[c.n - 1] && (o - c.cut[c.n - 1] >= most || high - low > span)) {
            c.cut[c.n++] = o;
            low = first;
            high = end;
        }
    }
    if (oc_work_ended(w))
        return (oc_resize_cuts){memory, 0};
    c.cut[c.n] = t->n_out;
    return c;
}

static oc_resize_cuts cut_evenly(int64_t n, int64_t each, int64_t *memory)
{
    oc_resize_cuts c = {memory, 0};
    for (int64_t i = 0; i < n; i += each)
        c.cut[c.n++] = i;
    c.cut[c.n] = n;
    return c;
}

/* Returns how many numbers the cuts between rows need. */
static int64_t row_cuts(const oc_resize_pass *p)
{
    return (p->v ? p->a_out : p->a_out / OC_RESIZE_ROWS + 1) + 1;
}

int64_t oc_resize_cuts_size(const oc_resize_pass *p)
{
    return row_cuts(p) + (p->h ? p->b_out : p->inner / OC_RESIZE_SPAN + 1) + 1;
}

static bool is_half(oc_type type)
{
    return type == OC_F16 || type == OC_BF16;
}

static void pick_functions(oc_resize_tiles *t)
{
    const oc_resize_pass *p = t->p;
    const oc_type half = is_half(p->from) ? p->from : p->to;
    const oc_resize_variant *v;
    OC_VARIANT_PICK(v, oc_resize_variants, rows[p->from], t->cpu);
    t->sum_from = v->rows[p->from];
    OC_VARIANT_PICK(v, oc_resize_variants, rows[p->real], t->cpu);
    t->sum_real = v->rows[p->real];
    t->lines = p->real == OC_F64 ? v->lines_f64 : v->lines_f32;
    t->halve = v->halve;
    t->stretch = v->stretch;
    OC_VARIANT_PICK(v, oc_resize_variants, widen[p->from], t->cpu);
    t->widen = v->widen[p->from];
    OC_VARIANT_PICK(v, oc_resize_variants, finish[p->to], t->cpu);
    t->finish = v->finish[p->to];
    t->in_from = oc_nchw16c_in(p->from, t->cpu);
    t->in_real = oc_nchw16c_in(p->real, t->cpu);
    t->out_real = oc_nchw16c_out(p->real, t->cpu);
    t->half = is_half(half) ? oc_half_pick(half, t->cpu) : NULL;
}

oc_resize_tiles oc_resize_tiles_new(const oc_resize_pass *p, int64_t *cuts, void *memory,
                                    const oc_work *w, unsigned cpu)
{
    oc_resize_tiles t = {.p = p, .memory = memory, .work = *w, .cpu = cpu, .group = 1};
    int64_t *const col_cuts = cuts + row_cuts(p);
    const int64_t side = oc_max(p->a_in, p->a_out);
    if (p->v && side <= OC_RESIZE_ROWS / 2) {
        t.group = OC_RESIZE_ROWS / side;
        t.rows = cut_evenly(p->a_out, p->a_out, cuts);
    } else if (p->v)
        t.rows = cut(p->v, OC_RESIZE_ROWS, p->h_first ? OC_RESIZE_ROWS : INT64_MAX, cuts, w);
    else
        t.rows = cut_evenly(p->a_out, OC_RESIZE_ROWS, cuts);
    /* Lines stay in the first cache unless rows are read from memory in order anyway. */
    const int64_t part = p->v && !p->h_first ? 1 : 2;
    if (p->h)
        t.cols = cut(p->h, OC_RESIZE_COLS / part / p->inner, OC_RESIZE_SPAN / part / p->inner,
                     col_cuts, w);
    else
        t.cols = cut_evenly(p->inner, OC_RESIZE_SPAN, col_cuts);
    t.n = oc_div_up(p->planes, t.group) * t.rows.n * t.cols.n;
    pick_functions(&t);
    return t;
}
