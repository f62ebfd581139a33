/* SPDX-License-Identifier: Apache-2.0
 * grid_stats.c - counts the pixels of the photograph that are nearest to each cell, and sums up. */
#include "answer/grid_stats.h"

#include "common/data.h"
#include "answer/grid_axis.h"

#include <limits.h>
#include <math.h>

/* The numbers of columns and of rows of pixels that are nearest to each column and row of cells. */
typedef struct counts {
    int64_t *wide, *high;
} counts;

/* Free the array with data_free. */
static int64_t *count_axis(const grid_axis *x, oc_error *e)
{
    int64_t *count = data_alloc(((size_t)oc_max(x->cells, 0) + 1) * sizeof *count, "grid", e);
    for (int k = 0; count && k < x->cells; k++)
        count[k] = 0;
    for (int i = 0; count && i < x->n; i++)
        count[grid_nearest(x, i)]++;
    return count;
}

static counts count_pixels(const answer *a, oc_error *e)
{
    grid_axis columns = grid_columns(a, e), rows = grid_rows(a, e);
    counts c = {NULL, NULL};
    if (e->code == OC_OK)
        c = (counts){count_axis(&columns, e), count_axis(&rows, e)};
    grid_axis_free(&columns);
    grid_axis_free(&rows);
    return c;
}

static void free_counts(counts *c)
{
    data_free(c->wide);
    data_free(c->high);
}

/* ---- classes ---- */

static int by_label(const void *a, const void *b)
{
    const int64_t x = ((const grid_class *)a)->label, y = ((const grid_class *)b)->label;
    return x < y ? -1 : x > y;
}

static int by_area(const void *a, const void *b)
{
    const int64_t x = ((const grid_class *)a)->area, y = ((const grid_class *)b)->area;
    return x > y ? -1 : x < y ? 1 : by_label(a, b);
}

/* Joins neighbours of one label, and leaves out those without pixels or a class. Returns how many
 * are left. */
static int join_classes(grid_class *c, int n)
{
    int used = 0;
    for (int i = 0, end; i < n; i = end) {
        grid_class all = c[i];
        for (end = i + 1; end < n && c[end].label == all.label; end++)
            all.area += c[end].area;
        if (all.area && all.label >= 0)
            c[used++] = all;
    }
    return used;
}

/* Collects the cells, neighbours of one label as one. Returns how many there are. */
static int collect(const answer *a, const counts *pixels, grid_class *c)
{
    const int64_t *cls = a->cls;
    int n = 0;
    for (int y = 0; y < a->grid_height; y++)
        for (int x = 0; x < a->grid_width; x++, cls++) {
            if (n == 0 || c[n - 1].label != *cls)
                c[n++] = (grid_class){*cls, 0};
            c[n - 1].area += pixels->wide[x] * pixels->high[y];
        }
    return n;
}

static void sort(grid_class *c, int n, int (*compare)(const void *, const void *))
{
    if (n)
        qsort(c, (size_t)n, sizeof *c, compare);
}

grid_class *grid_classes(const answer *a, int *n, oc_error *e)
{
    counts pixels = count_pixels(a, e);
    grid_class *c = NULL;
    *n = 0;
    if (e->code == OC_OK && a->grid_width > INT_MAX / a->grid_height)
        tool_fail(e, OC_LIMIT, "grid: more than %d cells", INT_MAX);
    if (e->code == OC_OK)
        c = data_alloc((size_t)a->grid_width * (size_t)a->grid_height * sizeof *c, "grid", e);
    if (c) {
        int cells = collect(a, &pixels, c);
        sort(c, cells, by_label);
        *n = join_classes(c, cells);
        sort(c, *n, by_area);
    }
    free_counts(&pixels);
    return c;
}

/* ---- ranges ---- */

/* y NULL: the numbers of x; else the lengths of (x, y). */
static bool find_range(const answer *a, const float *x, const float *y, grid_range *range,
                       oc_error *e)
{
    counts pixels = count_pixels(a, e);
    double sum = 0, n = 0;
    *range = (grid_range){INFINITY, -INFINITY, 0};
    for (int r = 0; e->code == OC_OK && r < a->grid_height; r++)
        for (int c = 0; c < a->grid_width; c++) {
            const size_t at = (size_t)r * (size_t)a->grid_width + (size_t)c;
            const double v = y ? sqrt((double)x[at] * x[at] + (double)y[at] * y[at]) : x[at];
            const double weight = (double)(pixels.wide[c] * pixels.high[r]);
            if (!isfinite(v) || weight == 0)
                continue;
            range->least = v < range->least ? v : range->least;
            range->greatest = v > range->greatest ? v : range->greatest;
            sum += weight * v;
            n += weight;
        }
    range->mean = n > 0 ? sum / n : 0;
    free_counts(&pixels);
    return n > 0;
}

bool grid_depth_range(const answer *a, grid_range *range, oc_error *e)
{
    return find_range(a, a->depth, NULL, range, e);
}

bool grid_flow_range(const answer *a, grid_range *range, oc_error *e)
{
    const size_t cells = (size_t)oc_max(a->grid_width, 0) * (size_t)oc_max(a->grid_height, 0);
    return find_range(a, a->flow, a->flow + cells, range, e);
}
