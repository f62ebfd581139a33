/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_nchw16c.c - makes each part of a transposed convolution by a convolution in
 * NCHW16c, and packs its weights. */
#include "kernels/conv/conv_transpose_nchw16c.h"

#include "kernels/common/precondition.h"
#include "kernels/conv/conv_nchw16c.h"
#include "kernels/conv/conv_transpose_part.h"

enum { MOST_PARTS = 256 }; /* more parts would cost too much, as each takes a few microseconds */

/* A part on both axes. With one axis, it is on the columns. */
typedef struct part {
    oc_transpose_part row, column;
    int64_t taps;
} part;

static int64_t parts_of(const oc_window *w)
{
    return oc_transpose_parts(w, w->axes - 2) * oc_transpose_parts(w, w->axes - 1);
}

static part part_at(const oc_window *w, int64_t i)
{
    const int64_t columns = oc_transpose_parts(w, w->axes - 1);
    part p = {oc_transpose_part_of(w, w->axes - 2, i / columns),
              oc_transpose_part_of(w, w->axes - 1, i % columns), 0};
    p.taps = p.row.taps * p.column.taps;
    return p;
}

static void set_axis(oc_window *w, int axis, const oc_transpose_part *p)
{
    w->kernel[axis] = p->taps;
    w->out[axis] = p->n;
    w->stride[axis] = 1;
    w->dilation[axis] = p->dilation;
    w->pad[axis] = p->pad;
}

/* Returns the convolution that makes a part; its weights are at g->w. */
static oc_conv_nchw16c conv_of(const oc_conv_nchw16c *g, const part *p)
{
    oc_conv_nchw16c v = *g;
    const oc_window *w = &g->window;
    const bool rows = w->axes == 2;
    const int64_t width = w->out[w->axes - 1];
    if (rows)
        set_axis(&v.window, 0, &p->row);
    set_axis(&v.window, w->axes - 1, &p->column);
    v.part = (oc_conv_places){rows ? w->out[0] * width : width, rows ? w->stride[0] * width : width,
                              w->stride[w->axes - 1]};
    const int64_t first = (p->row.at * width + p->column.at) * OC_BLOCK_CHANNELS;
    if (v.y)
        v.y = (char *)v.y + first * (int64_t)oc_type_size(g->type);
    return v;
}

/* Where kernels are longer than the result, parts may have no results. */
static bool is_empty(const part *p)
{
    return p->row.n <= 0 || p->column.n <= 0;
}

static int64_t packed_part(const oc_conv_nchw16c *g, const part *p)
{
    return oc_conv_nchw16c_packed(g->groups, g->channels, g->out_channels, p->taps);
}

bool oc_conv_transpose_nchw16c_suits(const oc_conv_nchw16c *g)
{
    const oc_window *w = &g->window;
    if (w->axes < 1 || w->axes > 2 || !oc_transpose_reaches_all(w) ||
        w->stride[0] > MOST_PARTS / w->stride[w->axes - 1])
        return false;
    for (int64_t i = 0; i < parts_of(w); i++) {
        const part p = part_at(w, i);
        const oc_conv_nchw16c v = conv_of(g, &p);
        oc_conv_bands bands;
        if (!is_empty(&p) && !oc_conv_bands_of(&v, &bands))
            return false;
    }
    return true;
}

int64_t oc_conv_transpose_nchw16c_packed(const oc_conv_nchw16c *g)
{
    int64_t n = 0;
    for (int64_t i = 0; i < parts_of(&g->window); i++) {
        const part p = part_at(&g->window, i);
        n += packed_part(g, &p);
    }
    return n;
}

/* ---- weights ---- */

/* Returns where in the kernel tap number k of a part lies; the part's taps run from the last to
 * the first. */
static int64_t kernel_tap(const oc_window *w, const part *p, int64_t k)
{
    const int64_t row = p->row.taps - 1 - k / p->column.taps,
                  column = p->column.taps - 1 - k % p->column.taps;
    return (p->row.first + row * p->row.step) * w->kernel[w->axes - 1] + p->column.first +
           column * p->column.step;
}

/* Packs all taps of a part for channel c of each group and 16 output channels from number m on. */
static void pack_channel(const oc_conv_nchw16c *g, const part *p, float *to, const float *w,
                         int64_t c, int64_t m, const oc_work *by)
{
    const oc_window *v = &g->window;
    const int64_t area = v->axes == 2 ? v->kernel[0] * v->kernel[1] : v->kernel[0];
    const float *from[OC_BLOCK_CHANNELS] = {0};
    for (int64_t i = 0; i < OC_BLOCK_CHANNELS && m + i < g->groups * g->out_channels; i++) {
        const int64_t group = (m + i) / g->out_channels, own = (m + i) % g->out_channels;
        from[i] = w + ((group * g->channels + c) * g->out_channels + own) * area;
    }
    OC_LOOP (by, k, p->taps, 256) {
        const int64_t at = kernel_tap(v, p, k);
        for (int i = 0; i < OC_BLOCK_CHANNELS; i++)
            to[k * OC_BLOCK_CHANNELS + i] = from[i] ? from[i][at] : 0;
    }
}

void oc_conv_transpose_nchw16c_pack(const oc_conv_nchw16c *g, float *packed, const float *w,
                                    const oc_work *by)
{
    const int64_t blocks = oc_channel_blocks(g->groups * g->out_channels);
    for (int64_t i = 0; i < parts_of(&g->window); i++) {
        const part p = part_at(&g->window, i);
        OC_LOOP (by, k, blocks * g->channels, 4)
            pack_channel(g, &p, packed + k * p.taps * OC_BLOCK_CHANNELS, w, k % g->channels,
                         k / g->channels * OC_BLOCK_CHANNELS, by);
        packed += packed_part(g, &p);
    }
}

/* ---- parts ---- */

uint64_t oc_conv_transpose_nchw16c_scratch(const oc_conv_nchw16c *g)
{
    uint64_t most = 0;
    for (int64_t i = 0; i < parts_of(&g->window); i++) {
        const part p = part_at(&g->window, i);
        const oc_conv_nchw16c v = conv_of(g, &p);
        if (is_empty(&p))
            continue;
        const oc_conv_bands bands = oc_conv_bands_for(&v);
        const uint64_t size = oc_conv_nchw16c_scratch(&v, &bands);
        most = oc_max(most, size);
    }
    return most;
}

void oc_conv_transpose_nchw16c_run(const oc_conv_nchw16c *g, void *scratch)
{
    const float *w = g->w; /* w_type is OC_F32 here */
    assert(g->algorithm == OC_CONV_TILES || g->algorithm == OC_CONV_GROUPS);
    assert(oc_conv_transpose_nchw16c_suits(g) && !g->after.run);
    for (int64_t i = 0; i < parts_of(&g->window) && !oc_work_ended(&g->work); i++) {
        const part p = part_at(&g->window, i);
        oc_conv_nchw16c v = conv_of(g, &p);
        v.w = w;
        if (!is_empty(&p)) {
            const oc_conv_bands bands = oc_conv_bands_for(&v);
            oc_conv_nchw16c_run(&v, &bands, scratch);
        }
        w += packed_part(g, &p);
    }
}
