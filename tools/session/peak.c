/* SPDX-License-Identifier: Apache-2.0
 * peak.c - measures what a machine can do at best, with threads that begin together.
 *
 * For each thread the best of many short samples counts, because whatever else the machine does
 * slows most of them. */
#define _POSIX_C_SOURCE 200809L
#include "session/peak.h"

#include "base/system.h"
#include "session/session_args.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
    CHAINS = 10,  /* chains of multiply-adds that run at a time: two units, up to five steps each */
    ROUND = 4000, /* multiply-adds of each chain in a sample */
    SAMPLE_BYTES = 1 << 20, /* least bytes that a sample copies */
    MOST_THREADS = 256,
    STACK = 1 << 20, /* of a thread, in bytes */
};
static const double SECONDS = 0.01; /* time of each measurement */

/* ---- multiply-adds ---- */

/* Computes ROUND multiply-adds of each chain. Returns a number near 1 that depends on all of
 * them. */
typedef float fma_fn(void);

#define FMA_LOOP(name, target, V, SET, FMA, FIRST)                                                 \
    target static float name(void)                                                                 \
    {                                                                                              \
        const V m = SET(0.75f), c = SET(0.25f);                                                    \
        /* Chains that differ, or a compiler would make one of them. */                            \
        V x0 = SET(0.0f), x1 = SET(0.1f), x2 = SET(0.2f), x3 = SET(0.3f), x4 = SET(0.4f),          \
          x5 = SET(0.5f), x6 = SET(0.6f), x7 = SET(0.7f), x8 = SET(0.8f), x9 = SET(0.9f);          \
        for (int i = 0; i < ROUND; i++) {                                                          \
            x0 = FMA(x0, m, c), x1 = FMA(x1, m, c), x2 = FMA(x2, m, c), x3 = FMA(x3, m, c);        \
            x4 = FMA(x4, m, c), x5 = FMA(x5, m, c), x6 = FMA(x6, m, c), x7 = FMA(x7, m, c);        \
            x8 = FMA(x8, m, c), x9 = FMA(x9, m, c);                                                \
        }                                                                                          \
        x0 = FMA(x0, x1, x2), x3 = FMA(x3, x4, x5), x6 = FMA(x6, x7, x8);                          \
        return FIRST(FMA(x0, x3, FMA(x6, x9, c)));                                                 \
    }
#define ITSELF(x) (x)
FMA_LOOP(fma_scalar, , float, ITSELF, fmaf, ITSELF)
#if defined(__x86_64__)
#define LOW_256(x) _mm256_cvtss_f32(x)
#define LOW_512(x) _mm512_cvtss_f32(x)
FMA_LOOP(fma_avx2, __attribute__((target("avx2,fma"))), __m256, _mm256_set1_ps, _mm256_fmadd_ps,
         LOW_256)
FMA_LOOP(fma_avx512, __attribute__((target("avx512f"))), __m512, _mm512_set1_ps, _mm512_fmadd_ps,
         LOW_512)
#elif defined(__aarch64__)
#define FMA_NEON(x, m, c) vfmaq_f32(c, x, m)
#define LOW_NEON(x)       vgetq_lane_f32(x, 0)
FMA_LOOP(fma_neon, , float32x4_t, vdupq_n_f32, FMA_NEON, LOW_NEON)
#endif
#undef FMA_LOOP

static fma_fn *fma_of(OC_UNUSED const char *cpu, int *width)
{
#if defined(__x86_64__)
    if (strcmp(cpu, "avx512") == 0)
        return *width = 16, fma_avx512;
    if (strcmp(cpu, "avx2") == 0)
        return *width = 8, fma_avx2;
#elif defined(__aarch64__)
    if (strcmp(cpu, "neon") == 0)
        return *width = 4, fma_neon;
#endif
    return *width = 1, fma_scalar;
}

/* ---- threads that measure ---- */

/* Threads wait here until all have come. */
typedef struct gate {
    oc_lock lock;
    oc_condition opens;
    int missing; /* number of threads that have not come yet */
} gate;

static void pass(gate *g)
{
    oc_lock_take(&g->lock);
    if (--g->missing == 0)
        oc_condition_wake(&g->opens, true);
    while (g->missing > 0)
        oc_condition_wait(&g->opens, &g->lock);
    oc_lock_release(&g->lock);
}

typedef struct measure {
    gate *begin;
    fma_fn *fma; /* NULL: copies are measured */
    char *to, *from;
    size_t size; /* bytes of each buffer */
    double best; /* the least seconds of a sample */
    volatile float sink;
} measure;

/* Returns the number of copies in a sample: more of small ones, so that the clock can tell their
 * time. */
static int64_t copies_of(size_t size)
{
    return size < SAMPLE_BYTES ? (int64_t)(SAMPLE_BYTES / size) : 1;
}

static void sample(measure *m)
{
    if (m->fma) {
        m->sink = m->fma();
        return;
    }
    for (int64_t i = copies_of(m->size); i > 0; i--) {
        memcpy(m->to, m->from, m->size);
        m->sink = m->to[m->size - 1];
        m->from[0]++; /* so that no copy equals the one before */
    }
}

static void *run_measure(void *arg)
{
    measure *m = arg;
    pass(m->begin);
    const double end = session_clock() + SECONDS;
    m->best = INFINITY;
    for (double start = session_clock(), now; start < end; start = now) {
        sample(m);
        now = session_clock();
        m->best = fmin(m->best, now - start);
    }
    return NULL;
}

/* Returns the sum over threads of samples a second. A thread that cannot be started does not
 * count. */
static double rate(measure m[], int threads)
{
    oc_thread id[MOST_THREADS];
    gate begin = {.missing = threads};
    oc_lock_init(&begin.lock, false);
    oc_condition_init(&begin.opens);
    for (int i = 0; i < threads; i++)
        m[i].begin = &begin;
    for (int i = 1; i < threads; i++)
        if (!oc_thread_start(&id[i], STACK, run_measure, &m[i])) {
            tool_say("bench: %d threads cannot be started", threads);
            exit(TOOL_LIMIT);
        }
    run_measure(&m[0]);
    double sum = 1 / m[0].best;
    for (int i = 1; i < threads; i++) {
        oc_thread_join(&id[i]);
        sum += 1 / m[i].best;
    }
    oc_condition_destroy(&begin.opens);
    oc_lock_destroy(&begin.lock);
    return sum;
}

peak peak_measure(const char *cpu, int threads)
{
    static const double sizes[PEAK_COPIES] = {1 << 15, 1 << 17, 1 << 19, 1 << 21,
                                              1 << 23, 1 << 25, 1 << 27};
    int width;
    fma_fn *const fma = fma_of(cpu, &width);
    peak p = {.threads = threads < MOST_THREADS ? threads : MOST_THREADS};
    measure *m = tool_alloc((size_t)p.threads, sizeof *m);
    const size_t most = (size_t)sizes[PEAK_COPIES - 1];
    char *memory = tool_alloc(most, 1);
    memset(memory, 1, most);
    for (int i = 0; i < p.threads; i++)
        m[i].fma = fma;
    p.gflops = 1e-9 * 2 * ROUND * CHAINS * width * rate(m, p.threads);
    for (int k = 0; k < PEAK_COPIES; k++) {
        const size_t size = (size_t)(sizes[k] / 2 / p.threads) / 64 * 64 + 64;
        const size_t apart = most / (size_t)p.threads / 128 * 64;
        for (int i = 0; i < p.threads; i++)
            m[i] = (measure){.from = memory + (size_t)i * 2 * apart,
                             .to = memory + (size_t)i * 2 * apart + apart,
                             .size = size < apart ? size : apart};
        p.copy[k].bytes = sizes[k];
        p.copy[k].gbytes =
            1e-9 * 2 * (double)m[0].size * (double)copies_of(m[0].size) * rate(m, p.threads);
    }
    free(memory);
    free(m);
    return p;
}

double peak_gbytes(const peak *p, double bytes)
{
    int k = 0;
    while (k < PEAK_COPIES - 1 && bytes > p->copy[k].bytes)
        k++;
    if (k == 0 || bytes > p->copy[k].bytes)
        return p->copy[k].gbytes;
    const double share =
        log(bytes / p->copy[k - 1].bytes) / log(p->copy[k].bytes / p->copy[k - 1].bytes);
    return p->copy[k - 1].gbytes + share * (p->copy[k].gbytes - p->copy[k - 1].gbytes);
}
