/* SPDX-License-Identifier: Apache-2.0
 * resize.c - plans the passes that make a resized tensor: which, in which order, and where the
 * numbers between them lie. */
#include "kernels/resize/resize.h"

#include "kernels/common/precondition.h"
#include "kernels/common/streaming_store.h"
#include "kernels/resize/resize_tile.h"
#include "kernels/resize/resize_nearest.h"

#include <math.h>

/* The passes of a resize. An element of complex numbers is a pair; the last axis, of 2, is then
 * never resized. */
typedef struct plan {
    const oc_resize *r;
    oc_type type; /* type of an element, or of a part of a complex number */
    int rank;
    int64_t n[OC_MAX_RANK + 1]; /* lengths of the axes before the next pass */
    oc_resize_pass pass[OC_MAX_RANK];
    int passes;
    int64_t between; /* most numbers between two passes */
    int64_t cuts;    /* most numbers that cuts need */
} plan;

bool oc_resize_has(oc_type type)
{
    return oc_nchw16c_of(type) > 0 || type == OC_C64 || type == OC_C128;
}

bool oc_resize_is_f64(oc_type type)
{
    return type == OC_C128 || oc_nchw16c_of(type) * (int)sizeof(double) == OC_BLOCK_BYTES;
}

/* Is the pass of axis a made before that of axis b? Passes a, b take n_out[a] * n_in[b] *
 * most[a] + n_out[a] * n_out[b] * most[b] products; this compares that with passes b, a, divided
 * by n_out[a] * n_out[b]. */
static bool before(const oc_resize_taps *a, const oc_resize_taps *b)
{
    const double rest_a = ((double)a->n_in / (double)a->n_out - 1) / (double)a->most;
    const double rest_b = ((double)b->n_in / (double)b->n_out - 1) / (double)b->most;
    return rest_a > rest_b;
}

/* Lists the axes that change in the order of their passes. Of equals, an axis that grows comes
 * after those within it, and one that shrinks before them, because rows are summed faster than
 * lines. */
static int order(const oc_resize *r, int axes[OC_MAX_RANK])
{
    int n = 0;
    for (int a = r->rank - 1; a >= 0; a--) {
        const oc_resize_taps *t = r->taps[a];
        if (!t || t->identity)
            continue;
        int i = n++;
        for (; i > 0; i--) {
            const oc_resize_taps *other = r->taps[axes[i - 1]];
            const bool tie = !before(t, other) && !before(other, t);
            if (tie ? t->n_out >= t->n_in : !before(t, other))
                break;
            axes[i] = axes[i - 1];
        }
        axes[i] = a;
    }
    return n;
}

static int64_t product(const int64_t *n, int first, int end)
{
    int64_t p = 1;
    for (int i = first; i < end; i++)
        p *= n[i];
    return p;
}

static oc_resize_pass single(const plan *w, int a)
{
    const oc_resize_taps *t = w->r->taps[a];
    const int64_t outer = product(w->n, 0, a), inner = product(w->n, a + 1, w->rank);
    if (inner >= OC_RESIZE_INNER)
        return (oc_resize_pass){.v = t,
                                .planes = outer,
                                .a_in = t->n_in,
                                .a_out = t->n_out,
                                .b_in = 1,
                                .b_out = 1,
                                .inner = inner};
    return (oc_resize_pass){.h = t,
                            .planes = 1,
                            .a_in = outer,
                            .a_out = outer,
                            .b_in = t->n_in,
                            .b_out = t->n_out,
                            .inner = inner};
}

/* Makes one pass of both axes, if they can run as one; a is the outer axis. */
static bool pair(const plan *w, int a, int b, bool h_first, oc_resize_pass *p)
{
    const oc_resize_taps *v = w->r->taps[a], *h = w->r->taps[b];
    const int64_t inner = product(w->n, b + 1, w->rank);
    if (product(w->n, a + 1, b) != 1 || !oc_resize_can_pair(v, h, inner))
        return false;
    *p = (oc_resize_pass){.v = v,
                          .h = h,
                          .h_first = h_first,
                          .planes = product(w->n, 0, a),
                          .a_in = v->n_in,
                          .a_out = v->n_out,
                          .b_in = h->n_in,
                          .b_out = h->n_out,
                          .inner = inner};
    return true;
}

static void note_pass(plan *w, oc_resize_pass p)
{
    const int64_t cuts = oc_resize_cuts_size(&p), size = product(w->n, 0, w->rank);
    w->between = w->passes && size > w->between ? size : w->between;
    w->cuts = oc_max(cuts, w->cuts);
    p.real = oc_resize_is_f64(w->type) ? OC_F64 : OC_F32;
    p.from = w->passes ? p.real : w->type;
    p.to = p.real;
    w->pass[w->passes++] = p;
}

/* Plans the passes, and the size of what lies between them. */
static plan plan_new(const oc_resize *r)
{
    plan w = {.r = r, .type = r->type, .rank = r->rank};
    for (int i = 0; i < r->rank; i++)
        w.n[i] = r->n_in[i];
    if (r->type == OC_C64 || r->type == OC_C128) {
        w.type = r->type == OC_C64 ? OC_F32 : OC_F64;
        w.n[w.rank++] = 2;
    }
    int axes[OC_MAX_RANK];
    const int n = order(r, axes);
    for (int i = 0; i < n; i++) {
        const int a = axes[i], b = i + 1 < n ? axes[i + 1] : -1;
        oc_resize_pass p;
        if (b >= 0 && pair(&w, oc_min(a, b), oc_max(a, b), a > b, &p)) {
            note_pass(&w, p);
            w.n[b] = r->taps[b]->n_out;
            i++;
        } else
            note_pass(&w, single(&w, a));
        w.n[a] = r->taps[a]->n_out;
    }
    if (w.passes) {
        oc_resize_pass *last = &w.pass[w.passes - 1];
        last->to = w.type;
        last->stream = OC_STREAMS &&
                       product(w.n, 0, w.rank) > OC_RESIZE_STREAM / (int64_t)oc_type_size(w.type);
    }
    return w;
}

/* ---- memory: of tasks, of cuts, and twice the numbers between passes */

static double between_bytes(const plan *w)
{
    const double size = oc_resize_is_f64(w->type) ? sizeof(double) : sizeof(float);
    return w->passes < 2 ? 0 : (double)w->between * size + OC_BLOCK_BYTES;
}

static double cut_bytes(const plan *w)
{
    return (double)w->cuts * sizeof(int64_t) + OC_BLOCK_BYTES;
}

double oc_resize_scratch(const oc_resize *r, int tasks)
{
    if (r->nearest)
        return 0;
    const plan w = plan_new(r);
    const int sides = w.passes > 2 ? 2 : 1;
    return (double)tasks * (double)oc_resize_tile_bytes() + cut_bytes(&w) +
           sides * between_bytes(&w);
}

/* Returns bytes rounded up to a multiple of a cache line. */
static size_t rounded(double bytes)
{
    return (size_t)bytes / OC_BLOCK_BYTES * OC_BLOCK_BYTES;
}

/* ---- running */

static void resize_tiles(void *arg, int task, int64_t first, int64_t end)
{
    oc_resize_tiles_run(arg, first, end, task);
}

static void sum(const oc_resize *r)
{
    plan w = plan_new(r);
    const size_t tasks = (size_t)oc_work_most_tasks(&r->work);
    char *const memory = r->scratch, *const cuts = memory + tasks * oc_resize_tile_bytes();
    char *const side = cuts + rounded(cut_bytes(&w));
    char *const sides[] = {side, side + rounded(between_bytes(&w))};
    for (int i = 0; i < w.passes; i++) {
        oc_resize_pass *p = &w.pass[i];
        p->x = i ? sides[(i - 1) % 2] : r->x;
        p->y = i + 1 < w.passes ? sides[i % 2] : r->y;
        oc_resize_tiles t =
            oc_resize_tiles_new(p, (int64_t *)(void *)cuts, memory, &r->work, r->cpu);
        oc_work_run(&r->work, t.n, resize_tiles, &t);
    }
}

/* Fills outputs whose position along axis a is outside with the element for them. */
static void fill_outside(const oc_resize *r, int a)
{
    const oc_resize_taps *t = r->taps[a];
    const size_t size = oc_type_size(r->type);
    const int64_t inner = product(r->n_out, a + 1, r->rank), n = product(r->n_out, 0, a + 1);
    OC_LOOP (&r->work, i, n, 64) {
        char *y = (char *)r->y + (size_t)(i * inner) * size;
        OC_LOOP (&r->work, k, t->count[i % t->n_out] ? 0 : inner, 1024)
            memcpy(y + (size_t)k * size, r->outside, size);
    }
}

void oc_resize_run(const oc_resize *r)
{
    assert(r->rank <= OC_MAX_RANK && oc_is_aligned(r->scratch, OC_BLOCK_BYTES));
    assert(r->nearest || oc_resize_has(r->type));
    bool changes = false;
    for (int a = 0; a < r->rank; a++)
        changes = changes || (r->taps[a] && !r->taps[a]->identity);
    if (!changes)
        oc_work_copy(&r->work, r->y, r->x,
                     (size_t)product(r->n_out, 0, r->rank) * oc_type_size(r->type));
    else if (r->nearest)
        oc_resize_nearest_run(r);
    else
        sum(r);
    for (int a = 0; a < r->rank; a++)
        if (r->taps[a] && r->taps[a]->outside)
            fill_outside(r, a);
}
