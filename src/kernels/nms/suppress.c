/* SPDX-License-Identifier: Apache-2.0
 * suppress.c - compares a box with those that stay: with all while they are few, then with those
 * that can overlap it enough.
 *
 * Let two boxes have an overlap above t, and widths v <= w. Then the overlap of their intervals on
 * the x axis is above t, too. So v > t w, and their centres are at most r (v + w) / 2 apart, where
 * r = (1 - t) / (1 + t); the same holds on the y axis. The boxes that stay are in levels: those of
 * a level have equal powers of two as the least bound of their width and of their height, W and H.
 * In a level, cells of r W times r H hold the boxes whose centres lie in them. A box is compared
 * with the boxes in the cells that its centre can be near. As none of these overlap each other
 * above t, a cell holds few. */
#include "kernels/nms/suppress.h"

#include "base/threads.h"
#include "kernels/common/precondition.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* While up to FEW boxes stay, a box is compared with all of them, BLOCK at a time. */
enum { FEW = 512, BLOCK = 32 };
#define FAR   0x1p30 /* cells further from 0 are not used: their numbers would not be exact */
#define SLACK 1e-5   /* more than what rounding changes, relative to an overlap or a distance */
#define TINY  1e-30f /* with areas from here on and overlaps above LEAST no product underflows */
#define LEAST 1e-6

static oc_box read_box(const float *from, bool center)
{
    oc_box b;
    if (center) {
        const float half_w = from[2] / 2, half_h = from[3] / 2;
        b = (oc_box){from[0] - half_w, from[1] - half_h, from[0] + half_w, from[1] + half_h, 0};
    } else {
        const bool x = from[1] < from[3], y = from[0] < from[2];
        b = (oc_box){from[x ? 1 : 3], from[y ? 0 : 2], from[x ? 3 : 1], from[y ? 2 : 0], 0};
    }
    b.area = (b.right - b.left) * (b.bottom - b.top);
    return b;
}

void oc_boxes_read(oc_box *to, const float *from, int64_t n, bool center, const oc_work *w)
{
    OC_LOOP (w, i, n, 1024)
        to[i] = read_box(from + i * 4, center);
}
/* Boxes side by side, for comparing many at once. */
typedef struct few {
    int n; /* those from n on to the end of a block have the area 0 */
    float left[FEW], top[FEW], right[FEW], bottom[FEW], area[FEW];
} few;

/* Boxes with the same bounds of width and height. */
typedef struct level {
    double wide, high; /* the sizes are in [wide / 2, wide) and [high / 2, high) */
    int32_t first, n;  /* the newest box, the number of boxes */
} level;

/* A box that stays. The next ones are -1 where there is none. */
typedef struct kept {
    oc_box box;
    int32_t same_level; /* the next one of its level */
    int32_t same_cell;  /* the next one whose cell has the same hash */
} kept;

/* Boxes that stay are known by their place in the list of those. */
typedef struct search {
    const oc_suppress *s;
    oc_count *count;
    few few;
    bool many;   /* the boxes are in cells */
    double t, r; /* of the comment at the top; t is a little less than the threshold */
    level *levels;
    kept *kept;
    int32_t n_levels, n_odd;
    int32_t *odd;  /* boxes that are in no cell */
    int32_t *cell; /* the newest box of each hash, or -1 */
    int shift;     /* the number of a cell is in the uppermost bits of a hash */
} search;

/* Can it suppress and be suppressed? */
static bool is_solid(const oc_box *b)
{
    return b->right > b->left && b->bottom > b->top && b->area > 0 && b->area <= FLT_MAX;
}

static inline bool overlap(const oc_box *a, const oc_box *b, float threshold)
{
    const float right = a->right < b->right ? a->right : b->right;
    const float left = a->left > b->left ? a->left : b->left;
    const float bottom = a->bottom < b->bottom ? a->bottom : b->bottom;
    const float top = a->top > b->top ? a->top : b->top;
    if (!(right > left && bottom > top))
        return false;
    const float shared = (right - left) * (bottom - top);
    return shared > 0 && shared / (a->area + b->area - shared) > threshold;
}

/* ---- while few stay */

static void few_add(few *f, const oc_box *b)
{
    if (f->n % BLOCK == 0)
        memset(f->area + f->n, 0, BLOCK * sizeof *f->area);
    f->left[f->n] = b->left;
    f->top[f->n] = b->top;
    f->right[f->n] = b->right;
    f->bottom[f->n] = b->bottom;
    f->area[f->n++] = b->area;
}

static bool few_overlap(const few *f, const oc_box *b, float threshold)
{
    for (int at = 0; at < f->n; at += BLOCK) {
        int hits = 0;
        for (int i = at; i < at + BLOCK; i++) {
            const float right = f->right[i] < b->right ? f->right[i] : b->right;
            const float left = f->left[i] > b->left ? f->left[i] : b->left;
            const float bottom = f->bottom[i] < b->bottom ? f->bottom[i] : b->bottom;
            const float top = f->top[i] > b->top ? f->top[i] : b->top;
            const float shared = (right - left) * (bottom - top);
            const float part = shared / (f->area[i] + b->area - shared);
            hits |= (right > left) & (bottom > top) & (shared > 0) & (part > threshold) &
                    (f->area[i] > 0);
        }
        if (hits)
            return true;
    }
    return false;
}

/* ---- levels and cells */

/* The least power of two above x, which is positive. */
static double bound_of(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent);
}

static double centre_x(const oc_box *b)
{
    return ((double)b->left + (double)b->right) / 2;
}

static double centre_y(const oc_box *b)
{
    return ((double)b->top + (double)b->bottom) / 2;
}

static int32_t *cell_at(const search *q, int32_t number, int64_t x, int64_t y)
{
    const uint64_t hash = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) +
                          (uint64_t)y * UINT64_C(0xbf58476d1ce4e5b9) +
                          (uint64_t)number * UINT64_C(0x94d049bb133111eb);
    return &q->cell[hash >> q->shift];
}

static int32_t find_level(search *q, double wide, double high)
{
    int32_t i = 0;
    while (i < q->n_levels && (q->levels[i].wide != wide || q->levels[i].high != high))
        i++;
    if (i == q->n_levels)
        q->levels[q->n_levels++] = (level){wide, high, -1, 0};
    return i;
}

static void add_to_cell(search *q, int32_t place, const oc_box *b)
{
    q->kept[place].box = *b;
    const double wide = bound_of((double)b->right - (double)b->left);
    const double high = bound_of((double)b->bottom - (double)b->top);
    const double x = floor(centre_x(b) / (q->r * wide)), y = floor(centre_y(b) / (q->r * high));
    if (b->area < TINY || !(fabs(x) < FAR && fabs(y) < FAR)) {
        q->odd[q->n_odd++] = place;
        return;
    }
    const int32_t number = find_level(q, wide, high);
    level *l = &q->levels[number];
    int32_t *cell = cell_at(q, number, (int64_t)x, (int64_t)y);
    q->kept[place].same_cell = *cell;
    *cell = place;
    q->kept[place].same_level = l->first;
    l->first = place;
    l->n++;
}

/* Compares with a list of boxes, that of a cell or of a level. */
static inline bool list_overlap(const search *q, int32_t first, bool of_cell, const oc_box *b)
{
    for (int32_t i = first; i >= 0 && oc_counts(q->count);) {
        const kept *k = &q->kept[i];
        if (overlap(&k->box, b, q->s->threshold))
            return true;
        i = of_cell ? k->same_cell : k->same_level;
    }
    return false;
}

static double clamp(double x)
{
    return x < -FAR ? -FAR : x > FAR ? FAR : x;
}

/* The cells along an axis that hold centres that are near enough. */
static void cells_near(const search *q, double centre, double size, double bound, double range[2])
{
    const double reach = (size + bound) / (2 * bound) * (1 + SLACK), at = centre / (q->r * bound);
    range[0] = clamp(floor(at - reach));
    range[1] = clamp(floor(at + reach));
}

static bool level_overlap(const search *q, int32_t number, const oc_box *b)
{
    const level *l = &q->levels[number];
    const double w = (double)b->right - (double)b->left, h = (double)b->bottom - (double)b->top;
    double x[2], y[2];
    if (w < q->t * l->wide / 2 || l->wide < q->t * w || h < q->t * l->high / 2 ||
        l->high < q->t * h)
        return false;
    cells_near(q, centre_x(b), w, l->wide, x);
    cells_near(q, centre_y(b), h, l->high, y);
    if (!((x[1] - x[0] + 1) * (y[1] - y[0] + 1) < l->n))
        return list_overlap(q, l->first, false, b);
    for (int64_t j = (int64_t)y[0]; j <= (int64_t)y[1]; j++) /* fewer cells than boxes */
        OC_LOOP (q->s->work, i, (int64_t)(x[1] - x[0]) + 1, 1024)
            if (list_overlap(q, *cell_at(q, number, (int64_t)x[0] + i, j), true, b))
                return true;
    return false;
}

static bool many_overlap(const search *q, const oc_box *b, int64_t n)
{
    if (b->area < TINY) {
        OC_LOOP (q->s->work, i, n, 1024) {
            const oc_box *other = &q->s->box[q->s->stay[i]];
            if (is_solid(other) && overlap(other, b, q->s->threshold))
                return true;
        }
        return false;
    }
    OC_LOOP (q->s->work, i, q->n_levels, 1024)
        if (level_overlap(q, (int32_t)i, b))
            return true;
    OC_LOOP (q->s->work, i, q->n_odd, 1024)
        if (overlap(&q->kept[q->odd[i]].box, b, q->s->threshold))
            return true;
    return false;
}

/* ---- all */

enum { MOST_LEVELS = 278 * 278 }; /* powers of two that bound sizes, of both axes */

static int64_t hashes_for(int64_t n)
{
    int64_t hashes = 16;
    while (hashes < 2 * n)
        hashes *= 2;
    return hashes;
}

static int64_t levels_for(int64_t n)
{
    return n < MOST_LEVELS ? n : MOST_LEVELS;
}

size_t oc_suppress_scratch(int64_t n)
{
    return (size_t)levels_for(n) * sizeof(level) + (size_t)n * sizeof(kept) +
           (size_t)(n + hashes_for(n)) * sizeof(int32_t);
}

static int64_t most_stay(const oc_suppress *s)
{
    return s->n < s->most ? s->n : s->most;
}

/* Puts the n boxes that stay into cells. */
static void begin_many(search *q, int64_t n)
{
    const int64_t room = most_stay(q->s), hashes = hashes_for(room);
    const double t = q->s->threshold > LEAST ? (double)q->s->threshold * (1 - SLACK) : 0;
    q->many = true;
    q->t = t;
    q->r = (1 - t) / (1 + t);
    q->levels = q->s->scratch;
    q->kept = (kept *)(q->levels + levels_for(room));
    q->odd = (int32_t *)(q->kept + room);
    q->cell = q->odd + room;
    q->shift = 64;
    for (int64_t i = hashes; i > 1; i /= 2)
        q->shift--;
    OC_LOOP (q->s->work, i, hashes, 4096)
        q->cell[i] = -1;
    OC_LOOP (q->s->work, i, n, 64) {
        const oc_box *b = &q->s->box[q->s->stay[i]];
        if (is_solid(b))
            add_to_cell(q, (int32_t)i, b);
    }
}

int64_t oc_suppress_run(const oc_suppress *s)
{
    oc_count count = oc_count_of(s->work);
    search q = {.s = s, .count = &count};
    int64_t n = 0;
    assert(s->n >= 0 && s->threshold >= 0 && s->threshold <= 1);
    for (int64_t i = 0; i < s->n && n < s->most && oc_counts(&count); i++) {
        const oc_box *b = &s->box[s->order[i]];
        const bool solid = is_solid(b);
        if (solid && (q.many ? many_overlap(&q, b, n) : few_overlap(&q.few, b, s->threshold)))
            continue;
        s->stay[n++] = s->order[i];
        if (!solid)
            continue;
        if (q.many)
            add_to_cell(&q, (int32_t)(n - 1), b);
        else if (q.few.n < FEW)
            few_add(&q.few, b);
        else
            begin_many(&q, n);
    }
    return n;
}
