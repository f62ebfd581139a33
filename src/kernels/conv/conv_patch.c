/* SPDX-License-Identifier: Apache-2.0
 * conv_patch.c - copies the pixels under a band, and lists taps. */
#include "kernels/conv/conv_patch.h"

/* ---- pixels ---- */

bool oc_conv_band_inside(const oc_conv_nchw16c *g, const oc_conv_bands *t, const oc_conv_band *b)
{
    const oc_window *w = &g->window;
    if (t->half)
        return false;
    for (int a = 0; a < t->outer; a++) {
        const oc_window_side s = oc_window_side_of(w, a);
        if (!oc_window_side_inside(&s, b->outer[a], 1))
            return false;
    }
    return oc_window_side_inside(&t->row, b->row, b->rows) &&
           oc_window_side_inside(&t->column, b->column, b->columns);
}

/* Where the pixels of a row of a patch come from: pixels first to end-1 of `all` lie in the
 * image, the first of them at pixel `at` of its row. */
typedef struct span {
    int64_t at, first, end, all;
} span;

/* Returns the span of `all` pixels from pixel number `from` on, which may be in the padding. */
static span span_of(const oc_conv_bands *t, int64_t from, int64_t all)
{
    span s = {.all = all};
    s.first = from < 0 ? (-from < all ? -from : all) : 0;
    s.end = oc_min(t->column.in - from, all);
    s.end = oc_max(s.end, s.first);
    s.at = from + s.first;
    return s;
}

/* Copies pixels of `block` elements, and zeros for those in the padding. row NULL: all are in
 * the padding. */
static void fill_span(const oc_conv_bands *t, float *to, const void *row, const span *s)
{
    const int64_t block = t->block;
    if (!row || s->first == s->end) {
        memset(to, 0, (size_t)(s->all * block) * sizeof *to);
        return;
    }
    const int64_t n = (s->end - s->first) * block;
    row = oc_conv_element(t, row, s->at * block);
    memset(to, 0, (size_t)(s->first * block) * sizeof *to);
    if (t->half)
        t->half->widen(to + s->first * block, row, n);
    else
        memcpy(to + s->first * block, row, (size_t)n * sizeof *to);
    memset(to + s->end * block, 0, (size_t)((s->all - s->end) * block) * sizeof *to);
}

/* Copies the columns under a band, in one piece or tap by tap. */
static void fill_row(const oc_conv_bands *t, const oc_conv_band *b, float *to, const void *row)
{
    const oc_window_side *c = &t->column;
    const int64_t from = b->column * c->stride - c->pad;
    const int64_t pieces = t->cut.column.apart ? c->kernel : 1;
    for (int64_t k = 0; k < pieces; k++, to += t->cut.column.most * t->block) {
        const span s =
            span_of(t, from + k * c->dilation,
                    t->cut.column.apart ? b->columns : oc_window_side_reach(c, b->columns));
        fill_span(t, to, row, &s);
    }
}

/* Returns the image's row that is row i of a patch; -1 when the band has no such row. */
static int64_t row_at(const oc_conv_bands *t, const oc_conv_band *b, int64_t i)
{
    const oc_window_side *r = &t->row;
    const int64_t first = b->row * r->stride - r->pad;
    if (!t->cut.row.apart)
        return i < oc_window_side_reach(r, b->rows) ? first + i : -1;
    return i % t->cut.row.most < b->rows
               ? first + i % t->cut.row.most + i / t->cut.row.most * r->dilation
               : -1;
}

void oc_conv_patch_fill(const oc_conv_nchw16c *g, const oc_conv_bands *t, const oc_conv_band *b,
                        int64_t first, int64_t n, float *patch)
{
    const int64_t all = g->groups * g->channels, channel = b->channel + first;
    const int64_t left = oc_min(all - channel, n);
    const int64_t stored = g->nchw ? all : oc_channel_blocks(all) * OC_BLOCK_CHANNELS;
    const int64_t width = t->cut.column.pixels * t->block;
    int64_t x = (b->image * stored + channel) * t->pixels;
    for (int64_t c = 0; c < left; c += t->block, x += t->block * t->pixels)
        for (int64_t k = 0; k < t->outer_taps; k++, patch += t->cut.row.pixels * width) {
            const int64_t outer = oc_window_outer_pixel(&g->window, t->outer, b->outer, k);
            for (int64_t i = 0; i < t->cut.row.pixels; i++) {
                const int64_t row = row_at(t, b, i);
                const bool inside = outer >= 0 && row >= 0 && row < t->row.in;
                const int64_t at = x + (outer * t->row.in + row) * t->column.in * t->block;
                fill_row(t, b, patch + i * width, inside ? oc_conv_element(t, g->x, at) : NULL);
            }
        }
}

/* ---- taps ---- */

/* How pixels lie: a slice of the outer axes has `height` rows of `pitch` pixels. From one tap to
 * the next it is `outer` slices on each outer axis, `row` rows and `column` pixels. */
typedef struct form {
    int64_t height, pitch, outer[OC_WINDOW_AXES], row, column;
} form;

static void list_taps(const oc_conv_bands *b, const oc_window *w, const form *f, oc_tile_tap *tap)
{
    for (int64_t k = 0; k < b->taps; k++) {
        const int64_t column = k % b->column.kernel, row = k / b->column.kernel % b->row.kernel;
        int64_t rest = k / b->column.kernel / b->row.kernel, slice = 0;
        for (int a = b->outer - 1; a >= 0; a--) {
            slice += rest % w->kernel[a] * f->outer[a];
            rest /= w->kernel[a];
        }
        tap[k].x = ((slice * f->height + row * f->row) * f->pitch + column * f->column) * b->block;
        tap[k].w = k * OC_BLOCK_CHANNELS;
    }
}

void oc_conv_taps_list(const oc_conv_bands *b, const oc_window *w, oc_tile_tap *in_image,
                       oc_tile_tap *in_patch)
{
    form image = {b->row.in, b->column.in, {0}, b->row.dilation, b->column.dilation};
    form patch = {b->cut.row.pixels,
                  b->cut.column.pixels,
                  {0},
                  b->cut.row.apart ? b->cut.row.most : b->row.dilation,
                  b->cut.column.apart ? b->cut.column.most : b->column.dilation};
    int64_t of_image = 1, of_patch = 1;
    for (int a = b->outer - 1; a >= 0; a--) {
        image.outer[a] = of_image * w->dilation[a];
        patch.outer[a] = of_patch;
        of_image *= w->in[a];
        of_patch *= w->kernel[a];
    }
    list_taps(b, w, &image, in_image);
    list_taps(b, w, &patch, in_patch);
}

int64_t oc_conv_first_pixel(const oc_conv_bands *t, int64_t row, int64_t column)
{
    return (row * t->row.stride - t->row.pad) * t->column.in + column * t->column.stride -
           t->column.pad;
}

int64_t oc_conv_taps_inside(const oc_conv_bands *t, int64_t row, int64_t column, int64_t n,
                            int64_t from, const oc_tile_tap *all, oc_tile_tap *some)
{
    const oc_window_part rows = oc_window_side_taps(&t->row, row, 1);
    const oc_window_part columns = oc_window_side_taps(&t->column, column, n);
    int64_t many = 0;
    for (int64_t o = 0; o < t->outer_taps; o++)
        for (int64_t r = rows.first; r < rows.end; r++)
            for (int64_t c = columns.first; c < columns.end; c++, many++) {
                some[many] = all[(o * t->row.kernel + r) * t->column.kernel + c];
                some[many].x += from;
            }
    return many;
}

oc_conv_source oc_conv_image_source(const oc_conv_nchw16c *g, const oc_conv_bands *t,
                                    const oc_conv_band *b, const oc_tile_tap *in_image)
{
    const oc_window *w = &g->window;
    const int64_t all = g->groups * g->channels;
    const int64_t stored = g->nchw ? all : oc_channel_blocks(all) * OC_BLOCK_CHANNELS;
    oc_conv_source from = {
        .x = oc_conv_element(t, g->x, (b->image * stored + b->channel) * t->pixels),
        .tap = in_image,
        .block = t->pixels * t->block,
        .channels = b->channels};
    if (t->bare)
        return from;
    int64_t at = 0;
    for (int i = 0; i < t->outer; i++)
        at = at * w->in[i] + b->outer[i] * w->stride[i] - w->pad[i];
    at = at * t->row.in * t->column.in + oc_conv_first_pixel(t, b->row, b->column);
    from.x += at * t->block;
    from.pitch = t->column.in * t->block;
    return from;
}

oc_conv_source oc_conv_patch_source(const oc_conv_bands *t, const oc_conv_band *b,
                                    const float *patch, int64_t first, const oc_tile_tap *in_patch)
{
    return (oc_conv_source){.x = patch,
                            .tap = in_patch,
                            .block =
                                t->outer_taps * t->cut.row.pixels * t->cut.column.pixels * t->block,
                            .pitch = t->cut.column.pixels * t->block,
                            .first = first,
                            .channels = oc_min(b->channels - first, t->depth)};
}
