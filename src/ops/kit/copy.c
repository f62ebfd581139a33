/* SPDX-License-Identifier: Apache-2.0
 * copy.c - copies and fills that threads share; of a copy each has a part of the outermost axis
 * that is long enough. */
#include "base/share.h"
#include "ops/kit/op.h"

#include <math.h>

/* The least piece of a copy has PIECE bytes, and an index of more than MUCH bytes is cut further.
 * If elements lie far apart, SPARSE bytes of their extent count as one byte, since each element
 * costs a line of a cache. Beginning a row takes as long as ROW bytes. */
enum { PIECE = 1 << 16, MUCH = 1 << 20, SPARSE = 2, ROW = 32 };

typedef struct job {
    char *dst;
    const char *src;
    const int64_t *dst_step, *src_step;
    const oc_dims *box;
    size_t elem;
    int axis, tasks; /* the axis that tasks share */
    oc_work work;
} job;

/* Returns the first of the longest axes; 0 for a scalar. */
static int longest_axis(const oc_dims *box)
{
    int longest = 0;
    for (int a = 1; a < box->rank; a++)
        if (box->n[a] > box->n[longest])
            longest = a;
    return longest;
}

/* Returns the outermost axis of the result that the tasks share evenly, so that a thread has the
 * part that it has of other values; if no axis is shared evenly, the longest axis. */
static int shared_axis(const oc_dims *box, const int64_t *step, int tasks)
{
    enum { EVEN = 8 };
    int outermost = -1;
    for (int a = 0; a < box->rank; a++)
        if (box->n[a] >= tasks && (box->n[a] % tasks == 0 || box->n[a] >= EVEN * (int64_t)tasks) &&
            (outermost < 0 || fabs((double)step[a]) > fabs((double)step[outermost])))
            outermost = a;
    return outermost < 0 ? longest_axis(box) : outermost;
}

/* Returns the bytes that the box counts as: at least its own, more for many rows or for a wide
 * extent along the axis. */
static double bytes_of(const job *t, const oc_dims *box, int axis)
{
    const double count = (double)oc_dims_count(box), elem = (double)t->elem;
    if (box->rank == 0)
        return elem;
    int inner = box->rank - 1;
    while (inner > 0 && box->n[inner] == 1)
        inner--;
    const double rows = count / (double)box->n[inner];
    const double step = fmax(fabs((double)t->dst_step[axis]), fabs((double)t->src_step[axis]));
    return fmax(count * elem + rows * ROW, step * (double)box->n[axis] * elem / SPARSE);
}

/* Returns the axis along which a part is cut: the longest one along which neither side has
 * neighbouring elements, so that a cut wastes no line of a cache; if there is none, the longest
 * axis. */
static int cut_axis(const job *t, const oc_dims *part)
{
    int longest = -1;
    for (int a = 0; a < part->rank; a++)
        if (part->n[a] > 1 && t->dst_step[a] != 1 && t->src_step[a] != 1 &&
            (longest < 0 || part->n[a] > part->n[longest]))
            longest = a;
    return longest < 0 ? longest_axis(part) : longest;
}

/* Moves a part of the box, which begins at element dst and src, in pieces along an axis. If one
 * index has many bytes, it is cut along the next axis. */
static void move_part(const job *t, int64_t dst, int64_t src, oc_dims part)
{
    const int axis = cut_axis(t, &part);
    const int64_t n = part.rank > 0 ? part.n[axis] : 1, elem = (int64_t)t->elem;
    const double each = bytes_of(t, &part, axis) / (double)n;
    const bool again = each > MUCH && oc_dims_count(&part) > n;
    OC_PIECES (&t->work, p, n, each < PIECE ? (int64_t)(PIECE / each) : 1) {
        const int64_t step = again ? 1 : p.end - p.first;
        for (int64_t i = p.first; i < p.end; i += step) {
            const int64_t to = dst + i * t->dst_step[axis], from = src + i * t->src_step[axis];
            part.n[axis] = step;
            if (again)
                move_part(t, to, from, part);
            else
                oc_move(t->dst + to * elem, t->dst_step, t->src + from * elem, t->src_step, &part,
                        t->elem);
        }
    }
}

/* A unit is the part of the box that a task gets. */
static void move_units(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t i = first; i < end; i++) {
        const oc_span span = oc_share(t->box->n[t->axis], t->tasks, (int)i);
        oc_dims part = *t->box;
        part.n[t->axis] = span.end - span.first;
        move_part(t, span.first * t->dst_step[t->axis], span.first * t->src_step[t->axis], part);
    }
}

void oc_call_move(oc_call *c, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem)
{
    const double floats = (double)oc_dims_count(box) * (double)elem / sizeof(float);
    job t = {dst, src, dst_step, src_step, box, elem, longest_axis(box), 1, {0}};
    if (floats == 0)
        return;
    t.work = oc_call_work(c, floats * OC_ELEMENT);
    if (t.work.threads == 1 && bytes_of(&t, box, t.axis) < MUCH) {
        oc_move(dst, dst_step, src, src_step, box, elem);
        return;
    }
    const int tasks = oc_work_most_tasks(&t.work);
    t.axis = tasks > 1 ? shared_axis(box, dst_step, tasks) : t.axis;
    t.tasks = box->rank > 0 ? oc_work_tasks(&t.work, box->n[t.axis]) : 1;
    oc_work_run(&t.work, t.tasks, move_units, &t);
}

void oc_work_move(const oc_work *w, void *dst, const int64_t dst_step[], const void *src,
                  const int64_t src_step[], const oc_dims *box, size_t elem)
{
    const job t = {dst, src, dst_step, src_step, box, elem, 0, 1, *w};
    if (oc_dims_count(box) > 0)
        move_part(&t, 0, 0, *box);
}

void oc_call_copy_rows(oc_call *c, void *dst, size_t dst_step, const void *src, size_t src_step,
                       size_t size, int64_t rows)
{
    enum { LITTLE = 1 << 12 }; /* copies of fewer bytes do not ask the watch */
    const oc_dims box = {2, {rows, (int64_t)size}};
    if (size <= LITTLE && rows <= LITTLE / 64 && size * (size_t)rows <= LITTLE)
        oc_copy_rows(dst, dst_step, src, src_step, size, rows);
    else if (size > 0 && rows > 0)
        oc_call_move(c, dst, (int64_t[]){(int64_t)dst_step, 1}, src,
                     (int64_t[]){(int64_t)src_step, 1}, &box, 1);
}

typedef struct fill {
    char *dst;
    const void *one;
    size_t elem;
} fill;

static void fill_units(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const fill *t = arg;
    oc_fill(t->dst + (size_t)first * t->elem, end - first, t->one, t->elem);
}

void oc_call_fill(oc_call *c, void *dst, int64_t count, const void *one, size_t elem)
{
    fill t = {dst, one, elem};
    const oc_work w = oc_call_work(c, (double)count * (double)elem / sizeof(float) * OC_ELEMENT);
    oc_work_run(&w, count, fill_units, &t);
}
