/* SPDX-License-Identifier: Apache-2.0
 * conv_cut.c - tries cuts of a convolution, and takes the one that costs the busiest thread least.
 */
#include "kernels/conv/conv_cut.h"

#include <math.h>

enum {
    FILLED = 2, /* products in the time that a line takes to be copied to a patch */
    ROUNDS = 4  /* numbers of units of the busiest thread that are tried, from the least on */
};

/* Is it shorter to copy the pixels under n positions for each tap by itself? */
static bool is_apart(const oc_window_side *s, int64_t n)
{
    return s->stride == 1 && s->kernel * n < oc_window_side_reach(s, n);
}

int64_t oc_cut_pixels(const oc_window_side *s, int64_t n)
{
    return is_apart(s, n) ? s->kernel * n : oc_window_side_reach(s, n);
}

oc_span oc_cut_span(const oc_cut_axis *a, int64_t i)
{
    if (a->bands == 1)
        return (oc_span){0, a->out};
    const int64_t grains = oc_div_up(a->out, a->grain);
    const int64_t each = grains / a->bands, more = grains % a->bands;
    const int64_t end = (each * (i + 1) + more * (i + 1) / a->bands) * a->grain;
    return (oc_span){(each * i + more * i / a->bands) * a->grain, oc_min(end, a->out)};
}

oc_cut_band oc_cut_band_at(const oc_conv_cut *c, int64_t i)
{
    const oc_span column = oc_cut_span(&c->column, oc_cut_take(&i, c->column.bands));
    const oc_span row = oc_cut_span(&c->row, oc_cut_take(&i, c->row.bands));
    return (oc_cut_band){i, row.first, row.end - row.first, column.first,
                         column.end - column.first};
}

static oc_cut_axis cut_axis(const oc_window_side *s, int64_t grain, int64_t bands)
{
    const int64_t grains = oc_div_up(s->out, grain);
    oc_cut_axis a = {.out = s->out, .grain = grain, .bands = oc_min(bands, grains)};
    a.most = oc_min(oc_div_up(grains, a.bands) * grain, s->out);
    a.pixels = oc_cut_pixels(s, a.most);
    a.apart = is_apart(s, a.most);
    return a;
}

/* Is there room for a band? Numbers of positions that no memory holds must not overflow. */
static bool has_room(const oc_conv_load *l, int64_t rows, int64_t columns)
{
    const double pixels =
        (double)oc_cut_pixels(&l->row, rows) * (double)oc_cut_pixels(&l->column, columns);
    return (double)l->pixel * pixels + (double)l->position * (double)rows * (double)columns <=
           (double)l->room;
}

/* The fewest bands along one axis, of `most` positions at most, for which there is room where bands
 * have `across` positions along the other axis. */
static int64_t least_bands(const oc_conv_load *l, bool of_rows, int64_t most, int64_t across)
{
    const int64_t out = of_rows ? l->row.out : l->column.out;
    const int64_t grain = of_rows ? l->row_grain : l->column_grain;
    const int64_t grains = oc_div_up(out, grain);
    int64_t fits = 1, end = (most < out ? oc_max(most / grain, 1) : grains) + 1;
    for (int64_t n = end - 1; end - fits > 1; n = fits + (end - fits) / 2) {
        const int64_t positions = oc_min(n * grain, out);
        if (has_room(l, of_rows ? positions : across, of_rows ? across : positions))
            fits = n;
        else
            end = n;
    }
    return oc_div_up(grains, fits);
}

/* What the busiest thread does. A unit reads its weights from behind the second cache; a patch is
 * made once for the pieces of a band. */
static double most_work(const oc_conv_load *l, const oc_conv_cut *c, int threads)
{
    const int64_t units = oc_div_up(c->units, threads),
                  grains = oc_div_up(c->row.out, c->row.grain);
    const int64_t blocks = oc_div_up(oc_div_up(l->blocks, c->pieces), l->together) * l->together;
    int64_t rows = units * c->row.most;
    if (c->pieces * c->column.bands == 1) /* rows of bands that follow each other are even */
        rows = oc_min(rows, oc_div_up(grains * units, c->row.bands) * c->row.grain);
    const double positions = (double)rows * (double)c->column.most;
    const double lines = l->lines * (double)blocks;
    const double patch = FILLED * l->copied * (double)c->row.pixels * (double)c->column.pixels;
    const double made = (double)oc_div_up(units, c->pieces);
    const bool is_shared = c->units / c->pieces % threads != 0;
    return lines * (positions + (double)units * OC_WEIGHTS_STREAMED) + made * patch +
           made / (double)units * positions * l->prepared + (is_shared ? l->shared / threads : 0);
}

oc_conv_cut oc_conv_cut_for(const oc_conv_load *l, int threads)
{
    const int64_t column_bands =
        least_bands(l, false, l->widest ? l->widest : l->column.out, oc_min(l->low, l->row.out));
    const oc_cut_axis columns = cut_axis(&l->column, l->column_grain, column_bands);
    const int64_t row_bands = least_bands(l, true, l->row.out, columns.most);
    const int64_t pieces = threads > 1 ? oc_min(oc_div_up(l->blocks, l->together), threads) : 1;
    const int64_t planes = oc_max(l->planes, 1); /* of an empty result, 0 */
    oc_conv_cut best = {0}, c;
    double least_work = INFINITY;
    for (c.pieces = 1; c.pieces <= pieces; c.pieces++) {
        const int64_t each = planes * c.pieces; /* units of each band of a plane */
        const int64_t least = oc_div_up(each * row_bands * column_bands, threads);
        for (int64_t units = least; units < least + (threads > 1 ? ROUNDS : 1); units++) {
            const int64_t bands = units * threads / each; /* the most that a plane can have */
            c.row =
                cut_axis(&l->row, l->row_grain, oc_max(row_bands, oc_div_up(bands, column_bands)));
            c.column = cut_axis(&l->column, l->column_grain,
                                oc_max(column_bands, oc_div_up(bands, c.row.bands)));
            c.units = each * c.row.bands * c.column.bands;
            const double work = most_work(l, &c, threads);
            if (work < least_work) {
                least_work = work;
                best = c;
            }
        }
    }
    best.units *= l->planes > 0;
    return best;
}
