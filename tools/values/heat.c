/* SPDX-License-Identifier: Apache-2.0
 * heat.c - draws where two tensors differ. */
#include "values/heat.h"

#include "base/int.h"
#include "common/number.h"
#include "common/signals.h"

#include <math.h>

enum { ROW = 32, SQUARE = 16, SIDE = 208, OTHER = HEAT_LEVELS };

typedef struct heat {
    int64_t n, cols, rows; /* the elements are laid out in rows */
    int split;             /* axes before this one make the rows; -1: rows do not follow the axes */
    int64_t wide, high;    /* columns and rows of elements that share a cell */
    int n_cols, n_rows;    /* number of cells */
    /* the greatest difference in each cell; INFINITY: an element is NaN or infinite */
    double *cell;
    double least, greatest; /* of the finite differences that are not 0 */
    int64_t first;
    int64_t n_differ;
} heat;

bool heat_fits(const oc_value *got, const oc_value *want)
{
    return got && want && compare_same_form(got, want) && oc_value_kind(got) == OC_TENSOR &&
           oc_value_type(got) != OC_STRING && oc_value_count(got) > 0;
}

/* ---- the layout ---- */

/* Chooses the axes that make the picture most like a square; a picture that is still too long is
 * cut into rows. */
static void lay_out(heat *h, const oc_value *v)
{
    const int64_t *dim = oc_value_dims(v);
    double best = INFINITY;
    int64_t rows = 1;
    for (int k = 0; k <= oc_value_rank(v); k++) {
        const double shape = fabs(log((double)rows / (double)(h->n / rows)) + 0.2);
        if (shape < best) {
            best = shape;
            h->split = k;
            h->cols = h->n / rows;
        }
        rows *= k < oc_value_rank(v) ? dim[k] : 1;
    }
    if (best > log(SQUARE) && h->n > ROW) {
        h->split = -1;
        h->cols = (int64_t)ceil(sqrt(2 * (double)h->n));
    }
    h->rows = (h->n + h->cols - 1) / h->cols;
    h->wide = oc_div_up(h->cols, HEAT_CELLS);
    h->high = oc_div_up(h->rows, HEAT_CELLS);
    h->n_cols = (int)((h->cols + h->wide - 1) / h->wide);
    h->n_rows = (int)((h->rows + h->high - 1) / h->high);
}

static int cell_of(const heat *h, int64_t i)
{
    return (int)(i / h->cols / h->high) * h->n_cols + (int)(i % h->cols / h->wide);
}

/* Returns the difference of elements i; 0: they are equal; INFINITY: one is NaN or infinite. */
static double difference(const oc_value *got, const oc_value *want, int64_t i)
{
    const oc_type type = oc_value_type(got);
    const void *a = oc_value_data(got), *b = oc_value_data(want);
    if (number_ulp(type, a, i, b, i) == 0)
        return 0;
    const double gap = compare_gap(type, a, b, i);
    return isfinite(gap) ? fmax(gap, 5e-324) : INFINITY;
}

static heat measure(const oc_value *got, const oc_value *want, int64_t first)
{
    heat h = {.n = oc_value_count(got), .least = INFINITY, .first = first};
    lay_out(&h, got);
    h.cell = tool_alloc((size_t)h.n_cols * (size_t)h.n_rows, sizeof *h.cell);
    for (int64_t i = 0; i < h.n && !signals_end_at(i); i++) {
        const double d = difference(got, want, i);
        double *cell = &h.cell[cell_of(&h, i)];
        if (d == 0)
            continue;
        h.n_differ++;
        h.first = h.first < 0 ? i : h.first;
        *cell = fmax(*cell, d);
        if (isfinite(d)) {
            h.least = fmin(h.least, d);
            h.greatest = fmax(h.greatest, d);
        }
    }
    return h;
}

/* ---- the picture ---- */

/* Returns the class of a cell with difference d: 0 to 7, or OTHER; -1: nothing in the cell
 * differs. */
static int level(const heat *h, double d)
{
    if (d == 0)
        return -1;
    if (isinf(d))
        return OTHER;
    const double range = log(h->greatest / h->least);
    const double n = range > 0 ? HEAT_LEVELS * log(d / h->least) / range : OTHER;
    return n < HEAT_LEVELS ? (int)n : HEAT_LEVELS - 1; /* NaN, when differences overflow */
}

/* Appends one path for all cells of a level; neighbours in a row are one stroke. */
static void put_level(io_bytes *to, const heat *h, int wanted)
{
    bool open = false;
    for (int y = 0; y < h->n_rows; y++)
        for (int x = 0, end; x < h->n_cols; x = end + 1) {
            const double *row = h->cell + (size_t)y * (size_t)h->n_cols;
            for (end = x; end < h->n_cols && level(h, row[end]) == wanted;)
                end++;
            if (end == x)
                continue;
            if (!open && wanted == OTHER)
                html_put(to, "<path class=\"lx\" d=\"");
            else if (!open)
                html_put(to, "<path class=\"l%d\" d=\"", wanted);
            open = true;
            html_put(to, "M%d %d.5h%d", x, y, end - x);
        }
    if (open)
        html_put(to, "\"></path>");
}

static void put_ring(io_bytes *to, const heat *h, double pixels)
{
    if (h->first < 0)
        return;
    const int cell = cell_of(h, h->first);
    const double x = cell % h->n_cols + 0.5, y = cell / h->n_cols + 0.5;
    const double r = fmax(0.75, 6 / pixels);
    for (int i = 0; i < 2; i++) /* draws a wide pale stroke below a narrow dark one */
        html_put(to, "<circle class=\"ring%d\" cx=\"%g\" cy=\"%g\" r=\"%.3g\"></circle>", i, x, y,
                 r);
}

static void put_axes(io_bytes *to, const heat *h, int rank)
{
    if (h->split < 0) {
        html_put(to, "elements in order, %" PRId64 " a row", h->cols);
    } else if (h->split == 0) {
        html_put(to, "one row");
    } else {
        const char *to_last = h->split > 1 ? "axes 0 to" : "axis";
        html_put(to, "down %s %d", to_last, h->split - 1);
        if (h->split < rank - 1)
            html_put(to, ", across axes %d to %d", h->split, rank - 1);
        else if (h->split < rank)
            html_put(to, ", across axis %d", h->split);
    }
    if (h->wide > 1 || h->high > 1)
        html_put(to, "; a cell is %" PRId64 " \xc3\x97 %" PRId64 " elements", h->high, h->wide);
}

void heat_put(io_bytes *to, const oc_value *got, const oc_value *want, int64_t first)
{
    heat h = measure(got, want, first);
    const int side = oc_max(h.n_cols, h.n_rows);
    const double pixels = fmin(18, fmax(3, floor((double)SIDE / side)));
    html_put(to,
             "<svg class=\"heat\" role=\"img\" viewBox=\"0 0 %d %d\" width=\"%g\" height=\"%g\">"
             "<title>|difference|: %" PRId64 " of %" PRId64 " elements are not the same</title>"
             "<rect class=\"same\" width=\"%d\" height=\"%d\"></rect>",
             h.n_cols, h.n_rows, h.n_cols * pixels, h.n_rows * pixels, h.n_differ, h.n, h.n_cols,
             h.n_rows);
    for (int i = 0; i <= OTHER; i++)
        put_level(to, &h, i);
    put_ring(to, &h, pixels);
    html_put(to, "</svg>\n<div class=\"scale\">");
    if (h.greatest > 0)
        html_put(to, "%.2g <i class=\"ramp\"></i> %.2g<br />", h.least, h.greatest);
    put_axes(to, &h, oc_value_rank(got));
    html_put(to, "; %" PRId64 " of %" PRId64 " not the same</div>\n", h.n_differ, h.n);
    free(h.cell);
}
