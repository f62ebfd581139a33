/* SPDX-License-Identifier: Apache-2.0
 * mask_runs.c - samples masks and classes at the pixels of a photograph, column by column. */
#include "answer/mask_runs.h"

#include "common/data.h"
#include "common/signals.h"
#include "answer/grid_axis.h"

#include <math.h>

static const char where[] = "mask";

/* ---- runs ---- */

/* Builds runs: `inside` is what the last run is, and count its length so far. */
typedef struct writer {
    mask_runs *r;
    oc_error *e;
    uint32_t count;
    bool inside;
    int height;
} writer;

static void end_run(writer *w)
{
    mask_runs *r = w->r;
    if (r->n == r->room) {
        const int room = r->room < 512 ? 1024 : r->room > INT32_MAX / 2 ? 0 : 2 * r->room;
        uint32_t *run = room ? data_resize(r->run, (size_t)room * sizeof *run) : NULL;
        if (!run) {
            data_fail(2 * (size_t)r->room * sizeof *run, where, w->e);
            return;
        }
        r->run = run;
        r->room = room;
    }
    r->run[r->n++] = w->count;
    w->inside = !w->inside;
    w->count = 0;
}

/* Adds n pixels of column x from y on. */
static void add(writer *w, bool inside, int x, int y, int n)
{
    mask_runs *r = w->r;
    if (n <= 0)
        return;
    if (inside != w->inside)
        end_run(w);
    w->count += (uint32_t)n;
    if (!inside)
        return;
    r->left = r->area ? oc_min(r->left, x) : x;
    r->top = r->area ? oc_min(r->top, y) : y;
    r->right = x + 1;
    r->bottom = r->area ? oc_max(r->bottom, y + n) : y + n;
    r->area += n;
}

/* Adds n whole columns outside. */
static void add_columns(writer *w, int n)
{
    if (n <= 0)
        return;
    if (w->inside)
        end_run(w);
    w->count += (uint32_t)n * (uint32_t)w->height;
}

static writer begin(mask_runs *r, const answer *a, oc_error *e)
{
    r->n = 0;
    r->area = r->left = r->top = r->right = r->bottom = 0;
    return (writer){.r = r, .e = e, .height = a->height};
}

/* Returns how many of n pixels have their centres before an edge. */
static int before(float edge, int n)
{
    const double at = ceil((double)edge - 0.5);
    return at > 0 ? (at < n ? (int)at : n) : 0;
}

/* ---- an object ---- */

/* The mask of an object, and a column of it: values at the centres of the cells of a column of the
 * grid, between two of its columns. */
typedef struct sampler {
    const float *mask;
    const grid_axis *columns, *rows;
    float *value;
} sampler;

static void sample_column(const sampler *s, int x, int first, int last)
{
    const grid_place p = s->columns->at[x];
    const size_t left = (size_t)p.first, right = (size_t)grid_second(s->columns, x);
    for (int j = first; j <= last; j++) {
        const float *row = s->mask + (size_t)j * (size_t)s->columns->cells;
        s->value[j] = row[left] + (row[right] - row[left]) * p.part;
    }
}

/* Adds pixels y0 to y1 of a column. Between two centres that are both inside, or both outside, all
 * pixels are too. */
static void add_object_column(writer *w, const sampler *s, int x, int y0, int y1)
{
    for (int y = y0, end; y < y1; y = end) {
        const int first = s->rows->at[y].first;
        const float a = s->value[first], b = s->value[grid_second(s->rows, y)];
        for (end = y + 1; end < y1 && s->rows->at[end].first == first;)
            end++;
        if ((a >= 0.5f && b >= 0.5f) || (a < 0.5f && b < 0.5f)) {
            add(w, a >= 0.5f, x, y, end - y);
            continue;
        }
        for (int k = y; k < end; k++)
            add(w, a + (b - a) * s->rows->at[k].part >= 0.5f, x, k, 1);
    }
}

static void add_object(writer *w, const answer *a, int i, const sampler *s)
{
    const float *box = a->box ? a->box + 4 * (size_t)i : NULL;
    const int x0 = box ? before(box[0], a->width) : 0;
    const int x1 = box ? before(box[2], a->width) : a->width;
    const int y0 = box ? before(box[1], a->height) : 0;
    const int y1 = box ? before(box[3], a->height) : a->height;
    const bool is_empty = x0 >= x1 || y0 >= y1;
    const int first = is_empty ? 0 : s->rows->at[y0].first;
    const int last = is_empty ? 0 : grid_second(s->rows, y1 - 1);
    add_columns(w, is_empty ? a->width : x0);
    for (int x = x0; x < x1 && !is_empty && w->e->code == OC_OK; x++) {
        if (signals_end_at(x))
            tool_fail(w->e, OC_CANCELLED, "%s: cancelled", where);
        sample_column(s, x, first, last);
        add(w, false, x, 0, y0);
        add_object_column(w, s, x, y0, y1);
        add(w, false, x, y1, a->height - y1);
    }
    add_columns(w, is_empty ? 0 : a->width - x1);
}

void mask_runs_object(mask_runs *r, const answer *a, int i, oc_error *e)
{
    writer w = begin(r, a, e);
    grid_axis columns = grid_columns(a, e), rows = grid_rows(a, e);
    float *value = data_alloc(((size_t)oc_max(a->grid_height, 0) + 1) * sizeof *value, where, e);
    if (e->code == OC_OK) {
        const size_t cells = (size_t)a->grid_width * (size_t)a->grid_height;
        const sampler s = {a->mask + (size_t)i * cells, &columns, &rows, value};
        add_object(&w, a, i, &s);
        end_run(&w);
    }
    grid_axis_free(&columns);
    grid_axis_free(&rows);
    data_free(value);
}

/* ---- a class ---- */

void mask_runs_class(mask_runs *r, const answer *a, int64_t label, oc_error *e)
{
    writer w = begin(r, a, e);
    grid_axis columns = grid_columns(a, e), rows = grid_rows(a, e);
    for (int x = 0; e->code == OC_OK && x < a->width; x++) {
        const int64_t *cls = a->cls + grid_nearest(&columns, x);
        if (signals_end_at(x))
            tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
        for (int y = 0, end; y < a->height; y = end) {
            const int row = grid_nearest(&rows, y);
            for (end = y + 1; end < a->height && grid_nearest(&rows, end) == row;)
                end++;
            add(&w, cls[(size_t)row * (size_t)a->grid_width] == label, x, y, end - y);
        }
    }
    if (e->code == OC_OK)
        end_run(&w);
    grid_axis_free(&columns);
    grid_axis_free(&rows);
}

void mask_runs_free(mask_runs *r)
{
    data_free(r->run);
    *r = (mask_runs){0};
}

/* Each length, from the fourth on less the one two before it, is written in digits of 5 bits from
 * the lowest: a sixth bit says that more follow, and the last digit's fifth bit is the sign. */
void mask_runs_put(const mask_runs *r, text_build *to)
{
    for (int i = 0; i < r->n; i++) {
        int64_t x = (int64_t)r->run[i] - (i > 2 ? (int64_t)r->run[i - 2] : 0);
        for (bool more = true; more;) {
            const int digit = (int)(x & 31);
            x = x >= 0 ? x >> 5 : -((-x + 31) >> 5);
            more = digit & 16 ? x != -1 : x != 0;
            const char c = (char)('0' + digit + (more ? 32 : 0));
            text_bytes(to, &c, 1);
        }
    }
}
