/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose.c - the parts of a transposed convolution, one after the other. */
#include "kernels/conv/conv_transpose.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_few.h"
#include "kernels/conv/conv_transpose_part.h"

/* Taps of an axis that share a remainder of their positions make a part. This is a run of
 * `count` such parts, of taps first, first + 1 and so on, which have equal numbers of taps and
 * of results, and equal pads. */
typedef struct part {
    oc_transpose_part of; /* the first part */
    int64_t count;
} part;

/* Returns the run of parts from number i on; a shorter one when the work has ended. */
static part run_of(const oc_window *w, int axis, int64_t i, const oc_work *by)
{
    part p = {oc_transpose_part_of(w, axis, i), 1};
    OC_LOOP (by, k, oc_transpose_parts(w, axis) - i - 1, 16) {
        const oc_transpose_part q = oc_transpose_part_of(w, axis, i + p.count);
        if (q.taps != p.of.taps || q.n != p.of.n || q.pad != p.of.pad)
            return p;
        p.count++;
    }
    return p;
}

/* Moves to the next box, a run on each axis. Its parts are made by one convolution, as output
 * channels of their own. Returns false after the last box. */
static bool next_box(const oc_window *w, part box[], const oc_work *by)
{
    for (int a = 0; a < w->axes; a++) {
        const int64_t next = box[a].of.first + box[a].count;
        if (next < oc_transpose_parts(w, a)) {
            box[a] = run_of(w, a, next, by);
            return true;
        }
        box[a] = run_of(w, a, 0, by);
    }
    return false;
}

bool oc_conv_transpose_is_conv(const oc_window *w)
{
    for (int a = 0; a < w->axes; a++)
        if (w->stride[a] != 1)
            return false;
    return true;
}

static int64_t product_of(const int64_t n[], int axes)
{
    int64_t all = 1;
    for (int a = 0; a < axes; a++)
        all *= n[a];
    return all;
}

/* ---- weights */

/* Fills taps with the numbers, within w[c][m], of the taps of each part of a box, the last tap
 * first. */
static void list_taps(const oc_window *w, const part box[], int64_t parts, int64_t n, int64_t *taps,
                      const oc_work *by)
{
    OC_LOOP (by, i, parts * n, 4) {
        int64_t own = i / n, rest = n - 1 - i % n, at = 0, step = 1;
        for (int a = w->axes - 1; a >= 0; a--) {
            const int64_t first = box[a].of.first + own % box[a].count;
            at += (first + rest % box[a].of.taps * box[a].of.step) * step;
            own /= box[a].count;
            rest /= box[a].of.taps;
            step *= w->kernel[a];
        }
        taps[i] = at;
    }
}

#define TEMPLATE "kernels/conv/conv_transpose.inc"
#include "kernels/common/floats.inc"

/* ---- results */

/* A plane of one output channel, which is filled with its bias, or with the results of the parts
 * of a box. */
typedef struct job {
    const oc_conv_transpose *g;
    const part *box; /* NULL: the plane is filled */
    int64_t positions;
    int64_t parts, part_positions; /* parts of the box; positions of a part */
} job;

/* Writes n elements of a row of a part to y, from element `to` on. */
static void spread_row(const job *t, int64_t out_channel, int64_t to, int64_t x, int64_t n)
{
    const oc_conv *v = &t->g->conv;
    const int64_t step = v->window.stride[v->window.axes - 1];
    OC_PIECES (&v->work, p, n, 1 << 13)
        if (v->type == OC_F64)
            spread_f64((double *)v->y + to + p.first * step,
                       (const double *)t->g->y_part + x + p.first,
                       v->b ? (const double *)v->b + out_channel : NULL, step, p.end - p.first);
        else
            spread_f32((float *)v->y + to + p.first * step,
                       (const float *)t->g->y_part + x + p.first,
                       v->b ? (const float *)v->b + out_channel : NULL, step, p.end - p.first);
}

/* Spreads one part of one plane. at is the part's first position on each axis, x where its
 * results begin. */
static void spread_part(const job *t, int64_t plane, const int64_t at[], int64_t x)
{
    const oc_conv *v = &t->g->conv;
    const oc_window *w = &v->window;
    const int last = w->axes - 1;
    const int64_t n = t->box[last].of.n, out_channel = plane % (v->groups * v->out_channels);
    OC_LOOP (&v->work, i, t->part_positions / n, 64) {
        int64_t rest = i, to = at[last], step = w->out[last];
        for (int a = last - 1; a >= 0; a--) {
            to += (at[a] + rest % t->box[a].of.n * w->stride[a]) * step;
            rest /= t->box[a].of.n;
            step *= w->out[a];
        }
        spread_row(t, out_channel, plane * t->positions + to, x + i * n, n);
    }
}

/* y_part is [images][groups][parts][output channels][positions of a part]. */
static void spread_plane(const job *t, int64_t plane)
{
    const oc_conv *v = &t->g->conv;
    OC_LOOP (&v->work, q, t->parts, 4) {
        int64_t at[OC_WINDOW_AXES], rest = q;
        for (int a = v->window.axes - 1; a >= 0; a--) {
            at[a] =
                oc_transpose_part_of(&v->window, a, t->box[a].of.first + rest % t->box[a].count).at;
            rest /= t->box[a].count;
        }
        const int64_t own =
            (plane / v->out_channels * t->parts + q) * v->out_channels + plane % v->out_channels;
        spread_part(t, plane, at, own * t->part_positions);
    }
}

static void fill_plane(const job *t, int64_t plane)
{
    const oc_conv *v = &t->g->conv;
    const int64_t out_channel = plane % (v->groups * v->out_channels), at = plane * t->positions;
    if (v->type == OC_F64) {
        const double b = v->b ? ((const double *)v->b)[out_channel] + 0 : 0;
        OC_LOOP (&v->work, i, t->positions, 4096)
            ((double *)v->y)[at + i] = b;
    } else {
        const float b = v->b ? ((const float *)v->b)[out_channel] + 0 : 0;
        OC_LOOP (&v->work, i, t->positions, 4096)
            ((float *)v->y)[at + i] = b;
    }
}

static void compute_planes(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t plane = first; plane < end; plane++)
        (t->box ? spread_plane : fill_plane)(t, plane);
}

static void put_planes(const oc_conv_transpose *g, const part *box)
{
    const oc_conv *v = &g->conv;
    job t = {.g = g, .box = box};
    t.positions = product_of(v->window.out, v->window.axes);
    t.parts = t.part_positions = 1;
    for (int a = 0; a < v->window.axes && box; a++) {
        t.parts *= box[a].count;
        t.part_positions *= box[a].of.n;
    }
    oc_work_run(&v->work, v->images * v->groups * v->out_channels, compute_planes, &t);
}

/* ---- boxes */

/* Makes the parts of one box, which have results. */
static void run_box(const oc_conv_transpose *g, const part box[])
{
    const oc_window *w = &g->conv.window;
    const bool whole = !g->y_part;
    oc_conv v = g->conv;
    int64_t parts = 1, taps = 1;
    for (int a = 0; a < w->axes; a++) {
        parts *= box[a].count;
        taps *= box[a].of.taps;
        v.window.kernel[a] = box[a].of.taps;
        v.window.out[a] = box[a].of.n;
        v.window.dilation[a] = box[a].of.dilation;
        v.window.stride[a] = 1;
        v.window.pad[a] = box[a].of.pad;
    }
    list_taps(w, box, parts, taps, g->tap_part, &v.work);
    if (oc_work_ended(&v.work))
        return; /* the work has ended, and the list may be incomplete */
    (v.type == OC_F64 ? pack_f64 : pack_f32)(g, parts, taps);
    v.w = g->w_part;
    v.out_channels *= parts;
    if (!whole) {
        v.y = g->y_part;
        v.b = NULL;
    }
    v.algorithm = oc_conv_choose_nchw(&v);
    oc_conv_run(&v);
    if (!whole)
        put_planes(g, box);
}

static void first_box(const oc_window *w, part box[], const oc_work *by)
{
    for (int a = 0; a < w->axes; a++)
        box[a] = run_of(w, a, 0, by);
}

static oc_window_side side_of(const oc_window *w, int axis, const oc_transpose_part *p)
{
    return (oc_window_side){axis < 0 ? 1 : w->in[axis], p->n, p->taps, 1, p->dilation, p->pad};
}

static bool has_results(const oc_window *w, const part box[])
{
    for (int a = 0; a < w->axes; a++)
        if (box[a].of.n <= 0)
            return false;
    return true;
}

/* ---- few output channels ---- */

enum { MOST_PARTS = 16 };

/* Describes the parts for conv_few.h, except for their weights. Returns 0 when conv_few.h does
 * not make them. */
static int few_parts(const oc_conv *g, oc_few_part few[MOST_PARTS])
{
    const oc_window *w = &g->window;
    part box[OC_WINDOW_AXES];
    int n = 0;
    if (w->axes > 2 || g->out_channels > OC_FEW_MOST || !oc_transpose_reaches_all(w))
        return 0;
    first_box(w, box, &g->work);
    do {
        const part *column = &box[w->axes - 1],
                   *row = w->axes > 1 ? &box[0] : &(part){oc_transpose_part_of(w, -1, 0), 1};
        if (n == MOST_PARTS || column->count > 1 || row->count > 1 || !has_results(w, box))
            return 0;
        few[n++] = (oc_few_part){.row = side_of(w, w->axes - 2, &row->of),
                                 .column = side_of(w, w->axes - 1, &column->of),
                                 .row_at = row->of.at,
                                 .row_step = w->axes > 1 ? w->stride[0] : 1,
                                 .column_at = column->of.at,
                                 .column_step = w->stride[w->axes - 1]};
    } while (!oc_work_ended(&g->work) && next_box(w, box, &g->work));
    return oc_few_parts_suit(g, few, n) ? n : 0;
}

bool oc_conv_transpose_few_suits(const oc_conv *g)
{
    oc_few_part few[MOST_PARTS];
    return few_parts(g, few) > 0;
}

uint64_t oc_conv_transpose_few_scratch(const oc_conv *g)
{
    oc_few_part few[MOST_PARTS];
    return oc_few_parts_scratch(g, few, few_parts(g, few));
}

static void run_few(const oc_conv_transpose *g)
{
    const oc_window *w = &g->conv.window;
    oc_few_part few[MOST_PARTS];
    part box[OC_WINDOW_AXES];
    oc_conv_transpose own = *g;
    const int n = few_parts(&g->conv, few);
    first_box(w, box, &g->conv.work);
    for (int i = 0; i < n && !oc_work_ended(&g->conv.work); i++) {
        const int64_t taps = few[i].row.kernel * few[i].column.kernel;
        list_taps(w, box, 1, taps, g->tap_part, &g->conv.work);
        pack_f32(&own, 1, taps);
        few[i].w = own.w_part;
        own.w_part = (float *)own.w_part + g->conv.out_channels * g->conv.channels * taps;
        next_box(w, box, &g->conv.work);
    }
    if (!oc_work_ended(&g->conv.work))
        oc_few_parts_run(&g->conv, few, n);
}

void oc_conv_transpose_run(const oc_conv_transpose *g)
{
    const oc_window *w = &g->conv.window;
    part box[OC_WINDOW_AXES];
    assert(g->conv.type == OC_F32 || g->conv.type == OC_F64);
    assert(w->axes >= 1 && w->axes <= OC_WINDOW_AXES);
    if (g->conv.algorithm == OC_CONV_FEW) {
        run_few(g);
        return;
    }
    if (g->conv.channels == 0 || !oc_transpose_reaches_all(w))
        put_planes(g, NULL);
    if (g->conv.channels == 0)
        return;
    first_box(w, box, &g->conv.work);
    do
        if (has_results(w, box))
            run_box(g, box);
    while (!oc_work_ended(&g->conv.work) && next_box(w, box, &g->conv.work));
}
