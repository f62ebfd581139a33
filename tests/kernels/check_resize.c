/* SPDX-License-Identifier: Apache-2.0
 * check_resize.c - Resize against its definition, axis by axis in double; and the same bits in
 * every variant, for any number of threads. */
#include "bench.h"
#include "elements.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/resize/resize.h"
#include "kernels/resize/resize_sum.h"
#include "pool.h"

#include <string.h>

enum { N_POOLS = 3, ROUNDS = 700, MOST = 120000, BYTES = MOST * 16 };

static const int pool_threads[N_POOLS] = {1, 2, 7};

static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16, OC_I8,  OC_U8,  OC_I16,
                                OC_U16, OC_I32, OC_U32, OC_I64,  OC_U64, OC_C64, OC_C128};

/* A random call, its memory, and what it should give. */
typedef struct job {
    oc_resize r;
    oc_resize_axis axis[OC_MAX_RANK];
    oc_resize_taps taps[OC_MAX_RANK], exact[OC_MAX_RANK];
    void *memory[2 * OC_MAX_RANK]; /* of taps and exact */
    int64_t n_x, n_y;
    bool special; /* are NaN and Inf among the elements? */
    uint32_t seed;
} job;

static _Alignas(64) char x[BYTES], y[BYTES + 16], scalar[BYTES + 16];
static double before[2 * MOST], after[2 * MOST];

static int64_t some(suite_random *r, int least, int most)
{
    return least + (int64_t)suite_below(r, (uint32_t)(most - least + 1));
}

static double number(suite_random *r, int least, int most)
{
    return (double)some(r, least, most);
}

/* Lengths of the kinds that the walk tells apart: rows and columns of several tiles, many small
 * planes, few or many elements within, one long axis, and any other. */
static void draw_lengths(suite_random *r, job *j)
{
    const int kind = (int)suite_below(r, 7);
    int64_t *in = j->r.n_in, *out = j->r.n_out;
    j->r.rank = kind < 2 ? 2 : kind == 6 ? 1 : 3;
    const int64_t most[7][3] = {{150, 90},   {9, 1300}, {40, 17, 20}, {30, 30, 4},
                                {12, 9, 60}, {8, 8, 8}, {9000}};
    for (int a = 0; a < j->r.rank; a++) {
        in[a] = some(r, 1, (int)most[kind][a]);
        out[a] = suite_below(r, 4) ? some(r, 1, (int)most[kind][a]) : in[a];
        if (suite_below(r, 4) == 0) { /* every second element */
            in[a] += in[a] % 2;
            out[a] = in[a] / 2;
        } else if (suite_below(r, 5) == 0) /* each element twice, but for the last */
            out[a] = 2 * in[a] - (int64_t)suite_below(r, 2);
    }
    if (kind == 2)
        out[0] = in[0]; /* planes */
    if (kind == 3 || kind == 4)
        out[2] = in[2]; /* channels last */
    if (kind == 6 && suite_below(r, 2))
        out[0] = some(r, 1, 5); /* more taps than a block holds */
}

static void draw_axis(suite_random *r, const oc_resize *call, oc_resize_axis *axis, int a)
{
    axis->n_in = call->n_in[a];
    axis->n_out = call->n_out[a];
    axis->num = (double)axis->n_out;
    axis->den = (double)axis->n_in;
    axis->start = suite_below(r, 2) ? 0 : number(r, -2, 6) / 8;
    axis->end = suite_below(r, 2) ? 1 : number(r, 2, 10) / 8;
}

static void free_taps(job *j)
{
    for (int i = 0; i < 2 * OC_MAX_RANK; i++)
        free(j->memory[i]);
}

static oc_resize_taps make_taps(const oc_resize_axis *a, bool f64, void **memory)
{
    *memory = malloc((size_t)oc_resize_taps_bytes(a, f64));
    return oc_resize_taps_new(a, f64, &(oc_work){0}, *memory);
}

/* A call without data. */
static void draw(suite_random *r, job *j)
{
    memset(j, 0, sizeof *j);
    j->seed = r->state;
    j->r.type = types[suite_below(r, sizeof types / sizeof *types)];
    const oc_resize_axis rule = {.mode = (oc_resize_mode)suite_below(r, 3),
                                 .coordinates = (oc_resize_coordinates)suite_below(r, 7),
                                 .nearest = (oc_resize_nearest)suite_below(r, 4),
                                 .exclude_outside = suite_below(r, 3) == 0,
                                 .antialias = suite_below(r, 3) == 0,
                                 .cubic_a = suite_below(r, 2) ? -0.75 : -0.5};
    j->r.nearest = rule.mode == OC_RESIZE_NEAREST;
    do
        draw_lengths(r, j);
    while (j->r.rank == 3 && (j->r.n_out[0] * j->r.n_out[1] * j->r.n_out[2] > MOST));
    const bool f64 = !j->r.nearest && oc_resize_is_f64(j->r.type);
    j->n_x = j->n_y = 1;
    for (int a = 0; a < j->r.rank; a++) {
        j->axis[a] = rule;
        draw_axis(r, &j->r, &j->axis[a], a);
        j->taps[a] = make_taps(&j->axis[a], f64, &j->memory[2 * a]);
        j->exact[a] = make_taps(&j->axis[a], true, &j->memory[2 * a + 1]);
        const bool same = j->r.n_in[a] == j->r.n_out[a] && suite_below(r, 2);
        j->r.taps[a] = same && j->taps[a].identity ? NULL : &j->taps[a];
        j->n_x *= j->r.n_in[a];
        j->n_y *= j->r.n_out[a];
    }
    j->special = suite_below(r, 4) == 0 && !element_is_int(j->r.type);
}

static void fill(suite_random *r, const job *j)
{
    static const double special[] = {NAN, INFINITY, -INFINITY, 0};
    const bool is_unsigned =
        j->r.type == OC_U8 || j->r.type == OC_U16 || j->r.type == OC_U32 || j->r.type == OC_U64;
    for (int64_t i = 0; i < j->n_x * element_parts(j->r.type); i++) {
        double v = (double)suite_below(r, 255) - 127;
        v = is_unsigned ? fabs(v) : v;
        if (!element_is_int(j->r.type))
            v = !j->special || suite_below(r, 40) ? v / 64 : special[suite_below(r, 4)];
        element_set(j->r.type, x, i, v);
        before[i] = element_get(j->r.type, x, i);
    }
}

/* One axis of `before`: `outer` parts with axis a's length have `inner` numbers each. */
static void define_axis(const oc_resize_taps *t, int64_t outer, int64_t inner)
{
    for (int64_t i = 0; i < outer * t->n_out * inner; i++) {
        const int64_t o = i / inner % t->n_out, part = i / inner / t->n_out;
        const double *w = (const double *)t->weight + o * t->stride;
        double sum = 0;
        for (int64_t k = 0; k < t->count[o]; k++)
            sum += w[k] * before[(part * t->n_in + t->first[o] + k) * inner + i % inner];
        after[i] = sum;
    }
    memcpy(before, after, (size_t)(outer * t->n_out * inner) * sizeof *before);
}

/* Leaves the results in `before`: the axes that shrink first, since the memory is bounded. */
static void define(const job *j)
{
    int64_t n[OC_MAX_RANK];
    memcpy(n, j->r.n_in, sizeof n);
    for (int pass = 0; pass < 2; pass++)
        for (int a = 0; a < j->r.rank; a++) {
            int64_t outer = 1, inner = element_parts(j->r.type);
            for (int b = 0; b < j->r.rank; b++)
                *(b < a ? &outer : &inner) *= b == a ? 1 : n[b];
            if ((j->r.n_out[a] < j->r.n_in[a]) != (pass == 0))
                continue;
            define_axis(&j->exact[a], outer, inner);
            n[a] = j->r.n_out[a];
        }
}

static bool outside(const job *j, int64_t i)
{
    for (int a = j->r.rank - 1; a >= 0; i /= j->r.n_out[a--])
        if (j->r.taps[a] && j->taps[a].count[i % j->r.n_out[a]] == 0)
            return true;
    return false;
}

/* Is a result within the roundings of its type and of the sums? */
static bool near_enough(const job *j, double got, double want)
{
    static const double ends[][3] = {{OC_I8, -128, 127},      {OC_U8, 0, 255},
                                     {OC_I16, -32768, 32767}, {OC_U16, 0, 65535},
                                     {OC_U32, 0, 0x1p32},     {OC_U64, 0, 0x1p64}};
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    if (j->r.nearest)
        return got == want;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if ((int)ends[i][0] == (int)j->r.type)
            want = fmin(fmax(want, ends[i][1]), ends[i][2]);
    const double more = element_is_int(j->r.type) ? 0.5 + 1e-4 : 0;
    return fabs(got - want) <= more + 4 * element_tolerance(j->r.type, want);
}

static void check_definition(const job *j)
{
    const int parts = element_parts(j->r.type);
    for (int64_t i = 0; i < j->n_y * parts; i++) {
        const double got = element_get(j->r.type, scalar, i);
        const double want =
            outside(j, i / parts) ? element_get(j->r.type, j->r.outside, i % parts) : before[i];
        suite_assert(near_enough(j, got, want),
                     "type %s, mode %d, rank %d: result %d is %g, not %g; OC_SEED=%u",
                     oc_type_name(j->r.type), (int)j->axis[0].mode, j->r.rank, (int)i, got, want,
                     j->seed);
    }
}

static void run(job *j, char *to, unsigned cpu, const oc_parallel *parallel, int tasks)
{
    const double bytes = oc_resize_scratch(&j->r, tasks);
    j->r.x = x;
    j->r.y = to;
    j->r.cpu = cpu;
    j->r.scratch = aligned_alloc(64, ((size_t)bytes / 64 + 1) * 64);
    memset(to, 0x55, (size_t)j->n_y * oc_type_size(j->r.type) + 16);
    j->r.work = (oc_work){.parallel = parallel, .threads = tasks};
    oc_resize_run(&j->r);
    free(j->r.scratch);
}

static void check_same(const job *j, const char *isa, int threads)
{
    const size_t size = (size_t)j->n_y * oc_type_size(j->r.type);
    for (int64_t i = 0; i < j->n_y * element_parts(j->r.type) && memcmp(scalar, y, size); i++) {
        const double want = element_get(j->r.type, scalar, i), got = element_get(j->r.type, y, i);
        suite_assert(SAME(want, got),
                     "%s, %d threads, type %s: result %d is %g, not %g; OC_SEED=%u", isa, threads,
                     oc_type_name(j->r.type), (int)i, got, want, j->seed);
    }
    suite_assert(memcmp(scalar + size, y + size, 16) == 0, "written past the end; OC_SEED=%u",
                 j->seed);
}

START_TEST(the_definition_in_every_variant)
{
    static const uint64_t element[2] = {0x3c003c003c003c00, 0x3c003c003c003c00};
    suite_random r = suite_random_new(11);
    pool pools[N_POOLS];
    for (int p = 0; p < N_POOLS; p++)
        pool_open(&pools[p], pool_threads[p]);
    for (int round = 0; round < (getenv("OC_SEED") ? 1 : ROUNDS); round++) {
        job j;
        draw(&r, &j);
        j.r.outside = element;
        fill(&r, &j);
        define(&j);
        run(&j, scalar, OC_CPU_SCALAR, NULL, 1);
        check_definition(&j);
        EACH_VARIANT (oc_resize_variant, v, oc_resize_variants)
            for (int p = 0; p < N_POOLS; p++) {
                run(&j, y, bench_cpu(v->isa), &pools[p].parallel, pool_threads[p]);
                check_same(&j, v->isa, pool_threads[p]);
            }
        free_taps(&j);
    }
    for (int p = 0; p < N_POOLS; p++)
        pool_close(&pools[p]);
}
END_TEST

/* Whatever the scale, taps are elements, and weights of a filter that has its sum made 1 do so. */
START_TEST(taps_are_elements)
{
    suite_random r = suite_random_new(12);
    for (int round = 0; round < 3000; round++) {
        const uint32_t seed = r.state;
        oc_resize_axis a = {.mode = (oc_resize_mode)suite_below(&r, 3),
                            .coordinates = (oc_resize_coordinates)suite_below(&r, 7),
                            .nearest = (oc_resize_nearest)suite_below(&r, 4),
                            .exclude_outside = suite_below(&r, 2),
                            .antialias = suite_below(&r, 2),
                            .cubic_a = -0.75,
                            .n_in = some(&r, 1, 300),
                            .n_out = some(&r, 1, 300)};
        const float scale = (float)((double)a.n_out / (double)a.n_in);
        a.num = suite_below(&r, 2) ? (double)a.n_out : (double)nextafterf(scale, 1e9f);
        a.den = a.num == (double)a.n_out ? (double)a.n_in : 1;
        a.start = number(&r, -1000, 1000) * pow(10, number(&r, -3, 30));
        a.end = number(&r, -1000, 1000) * pow(10, number(&r, -3, 30));
        void *memory;
        const oc_resize_taps t = make_taps(&a, true, &memory);
        for (int64_t o = 0; o < t.n_out; o++) {
            double sum = 0;
            for (int64_t k = 0; k < t.count[o]; k++)
                sum += ((const double *)t.weight)[o * t.stride + k];
            suite_assert(t.first[o] >= 0 && t.count[o] >= 0 && t.count[o] <= t.most &&
                             t.most <= t.stride && t.first[o] + t.count[o] <= t.n_in,
                         "output %d has taps %d and %d more; OC_SEED=%u", (int)o, (int)t.first[o],
                         (int)t.count[o], seed);
            suite_assert(t.count[o] == 0 || fabs(sum - 1) < 1e-9,
                         "weights of output %d sum to %g; OC_SEED=%u", (int)o, sum, seed);
        }
        free(memory);
    }
}
END_TEST

/* ---- --bench */

static void run_resize(const void *variant, void *ctx)
{
    oc_resize *r = ctx;
    r->cpu = bench_cpu(((const oc_resize_variant *)variant)->isa);
    oc_resize_run(r);
}

/* Three planes of 270 x 480, to twice and to half as many rows and columns. */
static void bench_resize(const bench *b)
{
    enum { H = 270, W = 480 };
    static const char *const modes[] = {"nearest", "linear", "cubic"};
    static const oc_type some_types[] = {OC_F32, OC_U8, OC_F16};
    char *from = calloc(3 * H * W, 4), *to = calloc(12 * H * W, 4);
    for (int i = 0; i < 18; i++) {
        const bool grows = i % 2 == 0;
        oc_resize r = {.type = some_types[i / 6], .rank = 3, .n_in = {3, H, W}, .x = from, .y = to};
        oc_resize_taps taps[2];
        void *memory[2];
        r.nearest = i / 2 % 3 == 0;
        r.n_out[0] = 3;
        for (int a = 1; a < 3; a++) {
            r.n_out[a] = grows ? 2 * r.n_in[a] : r.n_in[a] / 2;
            const oc_resize_axis axis = {.mode = (oc_resize_mode)(i / 2 % 3),
                                         .n_in = r.n_in[a],
                                         .n_out = r.n_out[a],
                                         .num = grows ? 2 : 1,
                                         .den = grows ? 1 : 2,
                                         .cubic_a = -0.75};
            taps[a - 1] = make_taps(&axis, false, &memory[a - 1]);
            r.taps[a] = &taps[a - 1];
        }
        r.scratch = aligned_alloc(64, ((size_t)oc_resize_scratch(&r, 1) / 64 + 1) * 64);
        bench_case c = {
            .elements = (double)(3 * r.n_out[1] * r.n_out[2]), .run = run_resize, .ctx = &r};
        snprintf(c.name, sizeof c.name, "%s %s, %s", oc_type_name(r.type), modes[i / 2 % 3],
                 grows ? "twice" : "half");
        BENCH(b, &c, oc_resize_variant, oc_resize_variants, lines_f32);
        for (int a = 0; a < 2; a++)
            free(memory[a]);
        free(r.scratch);
    }
    free(from);
    free(to);
}

KERNEL_SUITE(resize, "a result", the_definition_in_every_variant, taps_are_elements)
