/* SPDX-License-Identifier: Apache-2.0
 * suppress.c - compares a box with those that stay: with all of them while they are few, then
 * with those that can overlap it enough.
 *
 * Let two boxes have an overlap above t, and widths v <= w. Then the overlap of their intervals
 * on the x axis is above t, too. So v > t w, and their centres are at most r (v + w) / 2 apart,
 * where r = (1 - t) / (1 + t). This holds on the y axis as well. The boxes that stay are in
 * levels: the boxes of a level have equal least powers of two W and H above their widths and
 * heights. Cells of r W times r H hold the boxes of a level whose centres lie in them. A box is
 * compared with the boxes in the cells that its centre can be near. Boxes that stay do not
 * overlap each other above t, so a cell holds few.
 *
 * Threads look at a batch of boxes at a time: each box is compared with those that stayed
 * before, on any thread, and then in order with those of its batch. Each thread has cells of its
 * own, because two processors would have to exchange cells that both read and one writes. */
#include "kernels/nms/suppress.h"

#include "kernels/common/precondition.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* While up to FEW boxes stay, a box is compared with all of them, BLOCK at a time. */
enum { FEW = 512, BLOCK = 32 };
enum { BITS = 64 };      /* bits in a word */
enum { BATCH = 64 };     /* boxes that threads look at together */
enum { LOOK = 1 << 14 }; /* work of one such box in products */
enum { ALIGNED = 64 };   /* alignment of a thread's memory */
/* cells further from 0 are not used, because their numbers would not be exact */
#define FAR   0x1p30
#define SLACK 1e-5   /* more than rounding can change, relative to an overlap or a distance */
#define TINY  1e-30f /* areas from here on and overlaps above LEAST make no product underflow */
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
    int n; /* boxes from n to the end of a block have the area 0 */
    float left[FEW], top[FEW], right[FEW], bottom[FEW], area[FEW];
} few;

/* The boxes that have one bound of width and one of height. */
typedef struct level {
    double wide, high;   /* widths are in [wide / 2, wide), heights in [high / 2, high) */
    double across, down; /* cells in a unit of length along each axis */
    int32_t first, n;    /* the newest box, and the number of boxes */
} level;

/* A box that stays. A next box of -1 means that there is none. */
typedef struct kept {
    oc_box box;
    int32_t same_level; /* the next box of its level */
    int32_t same_cell;  /* the next box whose cell has the same hash */
} kept;

/* The boxes that stay, in cells. A box is known by its place in the list of those that stay. */
typedef struct cells {
    const oc_suppress *s;
    double t, r; /* r as at the top of this file; t is a little less than the threshold */
    int64_t n;   /* how many boxes of the list are in cells; -1: the cells are not made yet */
    level *levels;
    kept *kept;
    int32_t n_levels, n_odd;
    int32_t *odd;     /* boxes that are in no cell */
    int32_t *cell;    /* the newest box of each hash, valid if the hash's bit in `filled` is set */
    uint64_t *filled; /* one bit for each hash, 64 in a word */
    uint64_t mask;    /* gets a hash from more bits */
} cells;

typedef struct search {
    const oc_suppress *s;
    /* few: the boxes that stay, until there are many; batch: the boxes of the current batch */
    few few, batch;
    bool many;        /* true: the boxes are in cells */
    int64_t n;        /* how many boxes stay */
    uint64_t scratch; /* bytes of scratch memory of a task */
} search;

/* Can the box suppress others and be suppressed? */
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

/* Does the box overlap one of the first n? */
static bool few_overlap(const few *f, int n, const oc_box *b, float threshold)
{
    for (int at = 0; at < n; at += BLOCK) {
        int hits = 0;
        for (int i = at; i < at + BLOCK; i++) {
            const float right = f->right[i] < b->right ? f->right[i] : b->right;
            const float left = f->left[i] > b->left ? f->left[i] : b->left;
            const float bottom = f->bottom[i] < b->bottom ? f->bottom[i] : b->bottom;
            const float top = f->top[i] > b->top ? f->top[i] : b->top;
            const float shared = (right - left) * (bottom - top);
            const float part = shared / (f->area[i] + b->area - shared);
            hits |= (right > left) & (bottom > top) & (shared > 0) & (part > threshold) &
                    (f->area[i] > 0) & (i < n);
        }
        if (hits)
            return true;
    }
    return false;
}

/* ---- levels and cells */

/* Returns the least power of two above x, which is positive. */
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

/* Returns the hash of a cell. The hashes of cells in a row follow each other. */
static uint64_t hash_of(const cells *q, int32_t number, int64_t x, int64_t y)
{
    const uint64_t row = (uint64_t)y * UINT64_C(0xbf58476d1ce4e5b9) +
                         (uint64_t)number * UINT64_C(0x94d049bb133111eb);
    return ((row >> 32) + (uint64_t)x) & q->mask;
}

static int32_t find_level(cells *q, double wide, double high)
{
    int32_t i = 0;
    while (i < q->n_levels && (q->levels[i].wide != wide || q->levels[i].high != high))
        i++;
    if (i == q->n_levels)
        q->levels[q->n_levels++] = (level){wide, high, 1 / (q->r * wide), 1 / (q->r * high), -1, 0};
    return i;
}

static void add_to_cell(cells *q, int32_t place, const oc_box *b)
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
    const uint64_t hash = hash_of(q, number, (int64_t)x, (int64_t)y), bit = hash % BITS;
    uint64_t *filled = &q->filled[hash / BITS];
    q->kept[place].same_cell = *filled >> bit & 1 ? q->cell[hash] : -1;
    q->cell[hash] = place;
    *filled |= UINT64_C(1) << bit;
    q->kept[place].same_level = l->first;
    l->first = place;
    l->n++;
}

/* Compares the box with a list of boxes: those of a cell or of a level. */
static inline bool list_overlap(const cells *q, int32_t first, bool of_cell, const oc_box *b,
                                oc_count *count)
{
    for (int32_t i = first; i >= 0 && oc_counts(count);) {
        const kept *k = &q->kept[i];
        if (overlap(&k->box, b, q->s->threshold))
            return true;
        i = of_cell ? k->same_cell : k->same_level;
    }
    return false;
}

/* Returns the number of the cell that x lies in. */
static int64_t floor_of(double x)
{
    const double near = x < -FAR ? -FAR : x > FAR ? FAR : x;
    const int64_t n = (int64_t)near;
    return n - ((double)n > near);
}

/* Cells first to last along an axis. */
typedef struct cells_along {
    int64_t first, last;
} cells_along;

/* Returns the cells that can hold centres near enough; in_unit is the number of cells in a unit
 * of length. */
static cells_along cells_near(double centre, double size, double bound, double in_unit)
{
    const double reach = (size / bound + 1) / 2 * (1 + SLACK), at = centre * in_unit;
    return (cells_along){floor_of(at - reach), floor_of(at + reach)};
}

/* Compares with the boxes in cells x to last of a row. */
static bool row_overlap(const cells *q, int32_t number, int64_t x, int64_t last, int64_t y,
                        const oc_box *b, oc_count *count)
{
    for (int64_t n; x <= last && oc_counts(count); x += n) {
        const uint64_t hash = hash_of(q, number, x, y), bit = hash % BITS;
        uint64_t filled = q->filled[hash / BITS] >> bit;
        n = BITS - (int64_t)bit;
        if (last - x + 1 < n) {
            n = last - x + 1;
            filled &= (UINT64_C(1) << n) - 1;
        }
        for (; filled; filled &= filled - 1)
            if (list_overlap(q, q->cell[hash + (uint64_t)__builtin_ctzll(filled)], true, b, count))
                return true;
    }
    return false;
}

static bool level_overlap(const cells *q, int32_t number, const oc_box *b, oc_count *count)
{
    const level *l = &q->levels[number];
    const double w = (double)b->right - (double)b->left, h = (double)b->bottom - (double)b->top;
    if (w < q->t * l->wide / 2 || l->wide < q->t * w || h < q->t * l->high / 2 ||
        l->high < q->t * h)
        return false;
    const cells_along x = cells_near(centre_x(b), w, l->wide, l->across);
    const cells_along y = cells_near(centre_y(b), h, l->high, l->down);
    if (!((double)(x.last - x.first + 1) * (double)(y.last - y.first + 1) < l->n))
        return list_overlap(q, l->first, false, b, count);
    for (int64_t j = y.first; j <= y.last; j++) /* true when there are fewer cells than boxes */
        if (row_overlap(q, number, x.first, x.last, j, b, count))
            return true;
    return false;
}

static bool many_overlap(const cells *q, const oc_box *b, oc_count *count)
{
    if (b->area < TINY) {
        OC_LOOP (q->s->work, i, q->n, 1024) {
            const oc_box *other = &q->s->box[q->s->stay[i]];
            if (is_solid(other) && overlap(other, b, q->s->threshold))
                return true;
        }
        return false;
    }
    OC_LOOP (q->s->work, i, q->n_levels, 1024)
        if (level_overlap(q, (int32_t)i, b, count))
            return true;
    OC_LOOP (q->s->work, i, q->n_odd, 1024)
        if (overlap(&q->kept[q->odd[i]].box, b, q->s->threshold))
            return true;
    return false;
}

enum { MOST_LEVELS = 278 * 278 }; /* pairs of powers of two that bound the sizes along both axes */

static int64_t hashes_for(int64_t n)
{
    int64_t hashes = BITS;
    while (hashes < 2 * n)
        hashes *= 2;
    return hashes;
}

static int64_t levels_for(int64_t n)
{
    return n < MOST_LEVELS ? n : MOST_LEVELS;
}

uint64_t oc_suppress_scratch(int64_t n)
{
    const uint64_t size =
        sizeof(cells) + (uint64_t)levels_for(n) * sizeof(level) + (uint64_t)n * sizeof(kept) +
        (uint64_t)(n + hashes_for(n)) * sizeof(int32_t) + (uint64_t)hashes_for(n) / CHAR_BIT;
    return (size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static cells *cells_of(const search *q, int task)
{
    return (cells *)(void *)((char *)q->s->scratch + (uint64_t)task * q->scratch);
}

static void make_cells(cells *q, const oc_suppress *s)
{
    const int64_t room = s->n < s->most ? s->n : s->most, hashes = hashes_for(room);
    const double t = s->threshold > LEAST ? (double)s->threshold * (1 - SLACK) : 0;
    *q = (cells){.s = s, .t = t, .r = (1 - t) / (1 + t), .levels = (level *)(q + 1)};
    q->filled = (uint64_t *)(q->levels + levels_for(room));
    q->kept = (kept *)(q->filled + hashes / BITS);
    q->odd = (int32_t *)(q->kept + room);
    q->cell = q->odd + room;
    q->mask = (uint64_t)hashes - 1;
    oc_work_zero(s->work, q->filled, (size_t)hashes / CHAR_BIT);
}

/* Puts the boxes that stay, up to number n, into cells. */
static void add_to_cells(cells *q, const oc_suppress *s, int64_t n)
{
    if (q->n < 0)
        make_cells(q, s);
    OC_LOOP (s->work, i, n - q->n, 64) {
        const oc_box *b = &s->box[s->stay[q->n]];
        if (is_solid(b))
            add_to_cell(q, (int32_t)q->n, b);
        q->n++;
    }
}

/* ---- batches of boxes */

static const oc_box *box_at(const search *q, int64_t i)
{
    return &q->s->box[q->s->order[i]];
}

typedef struct batch {
    const search *q;
    int64_t first; /* place of the batch in the order */
    bool suppressed[BATCH];
    /* for each box the bits of those boxes of the batch that suppress it, unless others suppress
     * them */
    uint64_t by[BATCH];
} batch;

/* Returns the boxes of the batch before number i that overlap b. */
static uint64_t earlier_of(const batch *t, int i, const oc_box *b)
{
    const search *q = t->q;
    uint64_t bits = 0;
    for (int k = 0; k < i && few_overlap(&q->batch, i, b, q->s->threshold); k++) {
        const oc_box *other = box_at(q, t->first + k);
        bits |= (uint64_t)(is_solid(other) && overlap(other, b, q->s->threshold)) << k;
    }
    return bits;
}

/* Compares boxes first to end - 1 of a batch with those that stayed before the batch, and with
 * earlier boxes of the batch. */
static void look_at(void *arg, int task, int64_t first, int64_t end)
{
    batch *t = arg;
    const search *q = t->q;
    cells *own = cells_of(q, task);
    bool suppressed[BATCH];
    uint64_t by[BATCH];
    oc_count count = oc_count_of(q->s->work);
    if (q->many)
        add_to_cells(own, q->s, q->n);
    for (int64_t i = first; i < end && oc_counts(&count); i++) {
        const oc_box *b = box_at(q, t->first + i);
        suppressed[i] = false;
        by[i] = 0;
        if (!is_solid(b))
            continue;
        suppressed[i] = q->many ? many_overlap(own, b, &count)
                                : few_overlap(&q->few, q->few.n, b, q->s->threshold);
        if (!suppressed[i])
            by[i] = earlier_of(t, (int)i, b);
    }
    if (oc_work_ended(q->s->work))
        return;
    memcpy(t->suppressed + first, suppressed + first, (size_t)(end - first));
    memcpy(t->by + first, by + first, (size_t)(end - first) * sizeof *by);
}

/* Records that box i of the order stays. */
static void keep_box(search *q, int64_t i, bool solid)
{
    q->s->stay[q->n++] = q->s->order[i];
    if (!solid || q->many)
        return;
    q->many = q->few.n == FEW;
    if (!q->many)
        few_add(&q->few, box_at(q, i));
}

/* Lays the boxes of a batch side by side, if there is more than one. */
static void lay_batch(search *q, int64_t first, int64_t n)
{
    q->batch.n = 0;
    for (int64_t i = 0; i < n && n > 1; i++) {
        few_add(&q->batch, box_at(q, first + i));
        if (!is_solid(box_at(q, first + i)))
            q->batch.area[i] = 0;
    }
}

/* Looks at the next n boxes of the order. */
static void suppress_batch(search *q, int64_t first, int64_t n)
{
    const oc_work *w = q->s->work;
    batch t;
    t.q = q;
    t.first = first;
    uint64_t stay = 0; /* bits of the solid boxes that stay */
    lay_batch(q, first, n);
    if (n > 1)
        oc_work_run(&(oc_work){w->parallel, w->threads, (double)n * LOOK, w->watch}, n, look_at,
                    &t);
    else
        look_at(&t, 0, 0, n);
    for (int64_t i = 0; i < n && q->n < q->s->most && !oc_work_ended(w); i++) {
        const bool solid = is_solid(box_at(q, first + i));
        if (t.suppressed[i] || t.by[i] & stay)
            continue;
        keep_box(q, first + i, solid);
        stay |= (uint64_t)solid << i;
    }
}

int64_t oc_suppress_run(const oc_suppress *s)
{
    search q = {.s = s, .scratch = oc_suppress_scratch(s->most)};
    oc_count count = oc_count_of(s->work);
    const int tasks = oc_work_most_tasks(s->work);
    const int64_t each = tasks > 1 && s->n > FEW ? BATCH : 1;
    assert(s->n >= 0 && s->threshold >= 0 && s->threshold <= 1);
    for (int i = 0; i < tasks; i++)
        cells_of(&q, i)->n = -1;
    for (int64_t i = 0; i < s->n && q.n < s->most && oc_counts(&count); i += each)
        suppress_batch(&q, i, s->n - i < each ? s->n - i : each);
    return q.n;
}
