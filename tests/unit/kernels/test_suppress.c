/* SPDX-License-Identifier: Apache-2.0
 * test_suppress.c - which boxes stay, against comparing each with all that stayed before: few and
 * many boxes, of any size and place, on any number of threads. */
#include "kernels/nms/suppress.h"
#include "suite.h"

#include <string.h>

enum { MOST = 2500, ROUNDS = 40 };

static const int threads[] = {1, 2, 3, 7};
enum { N_THREADS = sizeof threads / sizeof *threads };

typedef struct pools {
    oc_memory memory;
    oc_threads *of[N_THREADS];
} pools;

static float between(suite_random *r, float from, float to)
{
    return from + (to - from) * (float)suite_below(r, 1 << 16) / (1 << 16);
}

/* Boxes in some crowd: of one size or of many, near each other or not, some of them empty. */
static void make_boxes(suite_random *r, oc_box *box, int64_t n)
{
    const float place = between(r, 1, 400), least = between(r, 1, 20);
    const float most = suite_below(r, 2) ? least : between(r, least, 100);
    const uint32_t strange = suite_below(r, 3) ? 0 : 10;
    float corners[4];
    for (int64_t i = 0; i < n; i++) {
        const bool empty = strange && suite_below(r, strange) == 0;
        const float tiny = strange && suite_below(r, strange) == 1 ? 1e-18F : 1;
        for (int a = 0; a < 2; a++) {
            corners[a] = between(r, -place, place) * tiny;
            corners[2 + a] = corners[a] + (empty ? 0 : between(r, least, most) * tiny);
        }
        oc_boxes_read(&box[i], corners, 1, false, &(oc_work){0});
    }
}

static float overlap(const oc_box *a, const oc_box *b)
{
    const float right = a->right < b->right ? a->right : b->right;
    const float left = a->left > b->left ? a->left : b->left;
    const float bottom = a->bottom < b->bottom ? a->bottom : b->bottom;
    const float top = a->top > b->top ? a->top : b->top;
    if (!(a->area > 0 && b->area > 0 && right > left && bottom > top))
        return 0;
    const float shared = (right - left) * (bottom - top);
    return shared / (a->area + b->area - shared);
}

static int64_t compare_with_all(const oc_suppress *s, int32_t *stay)
{
    int64_t n = 0;
    for (int64_t i = 0; i < s->n && n < s->most; i++) {
        int64_t k = 0;
        while (k < n && !(overlap(&s->box[stay[k]], &s->box[s->order[i]]) > s->threshold))
            k++;
        if (k == n)
            stay[n++] = s->order[i];
    }
    return n;
}

static void check_boxes(const pools *p, suite_random *r)
{
    static oc_box box[MOST];
    static int32_t order[MOST], want[MOST], stay[MOST];
    static const float thresholds[] = {0, 1e-7F, 0.3F, 0.55F, 0.9F, 1};
    const uint32_t seed = r->state;
    oc_suppress s = {.box = box, .order = order, .stay = stay};
    s.n = 1 + suite_below(r, suite_below(r, 3) ? MOST : 600);
    s.most = suite_below(r, 3) ? MOST : 1 + suite_below(r, (uint32_t)s.n);
    s.threshold = thresholds[suite_below(r, 6)];
    make_boxes(r, box, s.n);
    for (int32_t i = 0; i < s.n; i++) {
        const int32_t at = (int32_t)suite_below(r, (uint32_t)i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    const int64_t n = compare_with_all(&s, want);
    for (int t = 0; t < N_THREADS; t++) {
        const oc_parallel parallel = oc_threads_parallel(p->of[t]);
        s.work = &(oc_work){.parallel = &parallel, .threads = threads[t]};
        s.scratch = aligned_alloc(64, (size_t)oc_suppress_scratch(s.most) * (size_t)threads[t]);
        ck_assert_ptr_nonnull(s.scratch);
        memset(stay, -1, sizeof stay);
        suite_assert(oc_suppress_run(&s) == n && memcmp(stay, want, (size_t)n * sizeof *stay) == 0,
                     "%lld boxes, threshold %g, %d threads; OC_SEED=%u", (long long)s.n,
                     (double)s.threshold, threads[t], seed);
        free(s.scratch);
    }
}

START_TEST(those_stay_that_no_earlier_one_overlaps)
{
    suite_random r = suite_random_new(7);
    oc_error e = {0};
    pools p = {0};
    p.memory = oc_memory_new(NULL, 0);
    for (int t = 0; t < N_THREADS; t++)
        ck_assert_int_eq(oc_threads_new(&p.memory, threads[t], &p.of[t], &e), OC_OK);
    for (int round = 0; round < ROUNDS; round++)
        check_boxes(&p, &r);
    for (int t = 0; t < N_THREADS; t++)
        oc_threads_free(p.of[t]);
}
END_TEST

/* More than 32 bits tell, for boxes that 32-bit addresses have room for. */
START_TEST(scratch_of_many_boxes)
{
    ck_assert_uint_gt(oc_suppress_scratch(1 << 27), UINT64_C(1) << 32);
    ck_assert_uint_gt(oc_suppress_scratch(1 << 29), 4 * (UINT64_C(1) << 32));
}
END_TEST

SUITE("suppress", scratch_of_many_boxes, those_stay_that_no_earlier_one_overlaps)
