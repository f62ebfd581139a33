/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c.c - finds the pixels under the positions of a row, and shares rows among threads. */
#include "kernels/pool/pool_nchw16c.h"

#include "kernels/common/half.h"
#include "kernels/common/precondition.h"

OC_VARIANTS(oc_pool_nchw16c_variant, oc_pool_nchw16c_variants)

enum {
    MOST = 1 << 18, /* most taps of a run of several positions */
    PIECE = 1 << 14 /* elements of a row that are converted at a time */
};

/* The taps of a position on one axis that lie in the image, and the number that an average
 * counts. */
typedef struct taps {
    int64_t first, end, counted;
} taps;

/* What every unit shares. A unit is a row of positions. */
typedef struct job {
    const oc_pool_nchw16c *g;
    const oc_pool_nchw16c_variant *v;
    int64_t pixels, rows;        /* pixels of a channel; rows of positions */
    oc_window_part whole;        /* positions of a row whose taps all lie in the image */
    int64_t block;               /* bytes of 16 channels of a pixel */
    int64_t folded;              /* bytes of 16 channels of a pixel as they are folded */
    const oc_half_variant *half; /* NULL: elements are folded without conversion */
} job;

/* A task's memory for halves: rows of pixels and a row of results, as floats. */
typedef struct room {
    int slots;
    const char *from[OC_POOL_NCHW16C_ROWS]; /* the row that each slot holds; NULL: none yet */
    float *row, *y;
} room;

static int most_rows(const oc_window *w)
{
    int64_t n = 1;
    for (int a = 0; a + 1 < w->axes; a++)
        n *= w->kernel[a];
    return (int)n;
}

static room room_of(const job *t, int task)
{
    const oc_window *w = &t->g->window;
    const int64_t x = w->in[w->axes - 1] * OC_BLOCK_CHANNELS;
    const int64_t y = w->out[w->axes - 1] * OC_BLOCK_CHANNELS;
    room r = {.slots = most_rows(w), .row = t->g->scratch};
    r.row += task * (r.slots * x + y);
    r.y = r.row + r.slots * x;
    return r;
}

/* Returns the slot that holds a row; -1 when none does. */
static int slot_of(const room *r, const char *from)
{
    for (int i = 0; i < r->slots; i++)
        if (r->from[i] == from)
            return i;
    return -1;
}

/* Returns a slot that holds no row of the list; one always exists. */
static int free_slot(const room *r, const oc_pool_nchw16c_fold *f)
{
    for (int i = 0; i < r->slots; i++) {
        int k = 0;
        while (k < f->rows && f->row[k] != r->from[i])
            k++;
        if (k == f->rows)
            return i;
    }
    return -1;
}

/* Widens rows of halves to floats, except those that a slot holds already. */
static void widen_rows(const job *t, room *r, oc_pool_nchw16c_fold *f)
{
    const oc_window *w = &t->g->window;
    const int64_t n = w->in[w->axes - 1] * OC_BLOCK_CHANNELS;
    int slot[OC_POOL_NCHW16C_ROWS];
    for (int k = 0; k < f->rows; k++) {
        slot[k] = slot_of(r, f->row[k]);
        if (slot[k] >= 0)
            continue;
        slot[k] = free_slot(r, f);
        r->from[slot[k]] = f->row[k];
        const uint16_t *from = f->row[k];
        OC_PIECES (&t->g->work, p, n, PIECE)
            t->half->widen(r->row + slot[k] * n + p.first, from + p.first, p.end - p.first);
    }
    for (int k = 0; k < f->rows; k++)
        f->row[k] = r->row + slot[k] * n;
}

static taps taps_at(const oc_pool_nchw16c *g, int axis, int64_t position)
{
    const oc_window *w = &g->window;
    const int64_t from = position * w->stride[axis] - w->pad[axis];
    const oc_window_part t = oc_window_taps_in(w, axis, from, 0, w->in[axis]);
    return (taps){t.first, t.end, oc_window_count(w, axis, position, g->count_pad)};
}

/* Lists the rows of pixels under a row of positions. Returns how many taps of the outer axes an
 * average counts. */
static float list_rows(const job *t, const char *x, int64_t row, oc_pool_nchw16c_fold *f)
{
    const oc_window *w = &t->g->window;
    taps range[OC_WINDOW_AXES];
    int64_t from[OC_WINDOW_AXES], tap[OC_WINDOW_AXES];
    const int outer = w->axes - 1;
    double counted = 1;
    bool any = true;
    for (int a = outer - 1; a >= 0; a--) {
        const int64_t position = row % w->out[a];
        row /= w->out[a];
        range[a] = taps_at(t->g, a, position);
        tap[a] = range[a].first;
        from[a] = position * w->stride[a] - w->pad[a];
        counted *= (double)range[a].counted;
        any = any && range[a].end > range[a].first;
    }
    f->rows = 0;
    while (any) {
        int64_t at = 0;
        for (int a = 0; a < outer; a++)
            at = at * w->in[a] + from[a] + tap[a] * w->dilation[a];
        f->row[f->rows++] = x + at * w->in[outer] * t->block;
        int a = outer - 1;
        while (a >= 0 && ++tap[a] == range[a].end) {
            tap[a] = range[a].first;
            a--;
        }
        any = a >= 0;
    }
    return (float)counted;
}

/* Folds positions first to end-1 of a row, which have equal taps of the last axis. */
static void fold_run(const job *t, const oc_pool_nchw16c_fold *rows, const taps *k, float counted,
                     int64_t first, int64_t end)
{
    const oc_window *w = &t->g->window;
    const int last = w->axes - 1;
    const int64_t at = first * w->stride[last] - w->pad[last] + k->first * w->dilation[last];
    oc_pool_nchw16c_fold f = *rows;
    f.y = (char *)f.y + first * t->folded;
    f.n = end - first;
    f.taps = rows->rows && k->end > k->first ? k->end - k->first : 0;
    for (int r = 0; r < f.rows && f.taps; r++)
        f.row[r] = (const char *)f.row[r] + at * t->folded;
    if (t->g->average)
        t->v->sum(&f, (float)k->counted * counted);
    else if (t->half || t->g->element == OC_POOL_F32)
        t->v->max(&f);
    else
        (t->g->element == OC_POOL_I8 ? t->v->max_i8 : t->v->max_u8)(&f);
}

/* Rounds a row of results to halves. */
static void narrow_row(const job *t, uint16_t *y, const float *from)
{
    const oc_window *w = &t->g->window;
    OC_PIECES (&t->g->work, p, w->out[w->axes - 1] * OC_BLOCK_CHANNELS, PIECE)
        t->half->narrow(y + p.first, from + p.first, p.end - p.first);
}

static void pool_row(const job *t, int64_t unit, room *r)
{
    const oc_pool_nchw16c *g = t->g;
    const oc_window *w = &g->window;
    const int last = w->axes - 1;
    char *const y = (char *)g->y + unit * w->out[last] * t->block;
    oc_pool_nchw16c_fold rows = {.y = t->half ? (void *)r->y : y,
                                 .tap_step = w->dilation[last] * OC_BLOCK_CHANNELS,
                                 .x_step = w->stride[last] * OC_BLOCK_CHANNELS};
    const char *x = (const char *)g->x + unit / t->rows * t->pixels * t->block;
    const float counted = list_rows(t, x, unit % t->rows, &rows);
    if (t->half)
        widen_rows(t, r, &rows);
    oc_count count = oc_count_of(&g->work); /* counts runs, because a row may be long */
    for (int64_t first = 0, end; first < w->out[last] && oc_counts(&count); first = end) {
        const taps k = taps_at(g, last, first);
        const int64_t each = 1 + (k.end > k.first ? (k.end - k.first) * rows.rows : 0);
        const int64_t left = w->out[last] - first, most = MOST / each + 1;
        const int64_t stop = left < most ? w->out[last] : first + most;
        const bool is_whole = first >= t->whole.first && first < t->whole.end;
        for (end = is_whole ? oc_min(t->whole.end, stop) : first + 1; end < stop; end++) {
            const taps next = taps_at(g, last, end);
            if (next.first != k.first || next.end != k.end || next.counted != k.counted)
                break;
        }
        fold_run(t, &rows, &k, counted, first, end);
    }
    if (t->half)
        narrow_row(t, (uint16_t *)(void *)y, r->y);
}

static void pool_rows(void *arg, int task, int64_t first, int64_t end)
{
    const job *t = arg;
    room r = {0};
    if (t->half)
        r = room_of(t, task);
    for (int64_t unit = first; unit < end; unit++)
        pool_row(t, unit, &r);
}

bool oc_pool_nchw16c_suits(const oc_window *w)
{
    int64_t rows = 1;
    for (int a = 0; a + 1 < w->axes; a++) {
        if (w->kernel[a] > OC_POOL_NCHW16C_ROWS / rows)
            return false;
        rows *= w->kernel[a];
    }
    return w->axes >= 1;
}

uint64_t oc_pool_nchw16c_scratch(const oc_pool_nchw16c *g, int tasks)
{
    const oc_window *w = &g->window;
    const int64_t x = w->in[w->axes - 1], y = w->out[w->axes - 1];
    const bool half = g->element == OC_POOL_F16 || g->element == OC_POOL_BF16;
    return half ? (uint64_t)(tasks * (most_rows(w) * x + y)) * OC_BLOCK_BYTES : 0;
}

void oc_pool_nchw16c_run(const oc_pool_nchw16c *g)
{
    static const int64_t sizes[] = {[OC_POOL_F32] = 4,
                                    [OC_POOL_F16] = 2,
                                    [OC_POOL_BF16] = 2,
                                    [OC_POOL_I8] = 1,
                                    [OC_POOL_U8] = 1};
    const oc_window *w = &g->window;
    job t = {.g = g, .pixels = 1, .rows = 1, .block = sizes[g->element] * OC_BLOCK_CHANNELS};
    t.folded = t.block;
    if (g->element == OC_POOL_F16 || g->element == OC_POOL_BF16) {
        t.half = oc_half_pick(g->element == OC_POOL_F16 ? OC_F16 : OC_BF16, g->cpu);
        t.folded = OC_BLOCK_BYTES;
    }
    assert(oc_pool_nchw16c_suits(w) && oc_is_aligned(g->x, OC_CACHE_LINE));
    OC_VARIANT_PICK(t.v, oc_pool_nchw16c_variants, max, g->cpu);
    for (int a = 0; a < w->axes; a++) {
        t.pixels *= w->in[a];
        t.rows *= a + 1 < w->axes ? w->out[a] : 1;
    }
    const oc_window_side last = oc_window_side_of(w, w->axes - 1);
    t.whole = oc_window_side_whole(&last);
    oc_work_run(&g->work, g->blocks * t.rows, pool_rows, &t);
}
