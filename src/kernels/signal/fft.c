/* SPDX-License-Identifier: Apache-2.0
 * fft.c - the passes of the Fourier transform, the chirp, and the roots of unity. */
#include "kernels/signal/fft.h"

#include "base/int.h"

/* ---- roots of unity */

/* Computes e^(-2 pi i k / n), 0 <= k < n, by the series around the nearest quarter turn. */
static void root_of_unity(int64_t k, int64_t n, double *re, double *im)
{
    const int64_t quarter = (4 * k + n / 2) / n;
    const double x = 1.5707963267948966 * ((double)(4 * k - quarter * n) / (double)n);
    const double square = x * x;
    double cosine = 0, sine = 0;
    for (int i = 18; i > 0; i -= 2) {
        cosine = (1 - cosine) * square / (i * (i - 1));
        sine = (1 - sine) * square / (i * (i + 1));
    }
    cosine = 1 - cosine;
    sine = (1 - sine) * x;
    switch (quarter & 3) {
    case 0:
        *re = cosine, *im = -sine;
        break;
    case 1:
        *re = -sine, *im = -cosine;
        break;
    case 2:
        *re = -cosine, *im = sine;
        break;
    default:
        *re = sine, *im = cosine;
        break;
    }
}

/* ---- the passes
 *
 * A pass of radix r joins parts of length n, which are s apart: element q + s (p + m i) of the
 * source, i < r, m = n / r, becomes element q + s (r p + j), j < r, of the destination. */

typedef struct pass {
    const oc_fft *f;
    const double *re, *im; /* the source */
    double *to_re, *to_im; /* the destination, which does not overlap the source */
    int64_t m, s;
    int64_t unit; /* w^(p j) of this pass is root [p j unit] */
    int r;
} pass;

/* Computes elements q to end - 1 of part p. */
typedef void part_fn(const pass *t, int64_t p, int64_t q, int64_t end);

/* Writes one output of radix 4 or 2 to `to`: (a + b) times the root w. */
#define PUT(to, w_re, w_im, a_re, a_im)                                                            \
    do {                                                                                           \
        const double u_ = (a_re), v_ = (a_im);                                                     \
        to_re[to] = u_ * (w_re)-v_ * (w_im);                                                       \
        to_im[to] = u_ * (w_im) + v_ * (w_re);                                                     \
    } while (0)

static inline void part_2(const pass *t, int64_t p, int64_t q, int64_t end)
{
    const int64_t s = t->s, m = t->m;
    const double w_re = t->f->root_re[p * t->unit], w_im = t->f->root_im[p * t->unit];
    const double *restrict re = t->re + s * p, *restrict im = t->im + s * p;
    double *restrict to_re = t->to_re + 2 * s * p, *restrict to_im = t->to_im + 2 * s * p;
    for (; q < end; q++) {
        const double a = re[q], b = re[q + s * m], c = im[q], d = im[q + s * m];
        to_re[q] = a + b;
        to_im[q] = c + d;
        PUT(q + s, w_re, w_im, a - b, c - d);
    }
}

static inline void part_4(const pass *t, int64_t p, int64_t q, int64_t end)
{
    const int64_t s = t->s, step = s * t->m, at = p * t->unit;
    const double *root_re = t->f->root_re, *root_im = t->f->root_im;
    const double w1_re = root_re[at], w1_im = root_im[at];
    const double w2_re = root_re[2 * at], w2_im = root_im[2 * at];
    const double w3_re = root_re[3 * at], w3_im = root_im[3 * at];
    const double *restrict re = t->re + s * p, *restrict im = t->im + s * p;
    double *restrict to_re = t->to_re + 4 * s * p, *restrict to_im = t->to_im + 4 * s * p;
    for (; q < end; q++) {
        const double sum_re = re[q] + re[q + 2 * step], sum_im = im[q] + im[q + 2 * step];
        const double less_re = re[q] - re[q + 2 * step], less_im = im[q] - im[q + 2 * step];
        const double odd_re = re[q + step] + re[q + 3 * step];
        const double odd_im = im[q + step] + im[q + 3 * step];
        const double turn_re = im[q + step] - im[q + 3 * step];
        const double turn_im = re[q + 3 * step] - re[q + step];
        to_re[q] = sum_re + odd_re;
        to_im[q] = sum_im + odd_im;
        PUT(q + s, w1_re, w1_im, less_re + turn_re, less_im + turn_im);
        PUT(q + 2 * s, w2_re, w2_im, sum_re - odd_re, sum_im - odd_im);
        PUT(q + 3 * s, w3_re, w3_im, less_re - turn_re, less_im - turn_im);
    }
}

/* Joins elements q to q + width - 1 of part p, for any radix; width is at most OC_FFT_SIGNALS. */
static inline void join(const pass *t, int64_t p, int64_t q, int width)
{
    const oc_fft *f = t->f;
    const int64_t from = q + t->s * p, to = q + t->s * t->r * p, root_step = f->size / t->r;
    for (int j = 0; j < t->r; j++) {
        double sum_re[OC_FFT_SIGNALS], sum_im[OC_FFT_SIGNALS];
        memcpy(sum_re, t->re + from, (size_t)width * sizeof *sum_re);
        memcpy(sum_im, t->im + from, (size_t)width * sizeof *sum_im);
        for (int i = 1; i < t->r; i++) {
            const double w_re = f->root_re[i * j % t->r * root_step];
            const double w_im = f->root_im[i * j % t->r * root_step];
            const double *re = t->re + from + t->s * t->m * i, *im = t->im + from + t->s * t->m * i;
            for (int l = 0; l < width; l++) {
                sum_re[l] += re[l] * w_re - im[l] * w_im;
                sum_im[l] += re[l] * w_im + im[l] * w_re;
            }
        }
        const double w_re = f->root_re[p * j * t->unit], w_im = f->root_im[p * j * t->unit];
        double *to_re = t->to_re + to + t->s * j, *to_im = t->to_im + to + t->s * j;
        for (int l = 0; l < width; l++)
            PUT(l, w_re, w_im, sum_re[l], sum_im[l]);
    }
}

static inline void part_any(const pass *t, int64_t p, int64_t q, int64_t end)
{
    for (; q + OC_FFT_SIGNALS <= end; q += OC_FFT_SIGNALS)
        join(t, p, q, OC_FFT_SIGNALS);
    if (q < end)
        join(t, p, q, (int)(end - q));
}

enum { PART = 1 << 12 }; /* elements of a step */

/* Runs fn on all parts: on a few whole ones at a time, or on some elements of one. */
static inline void transform_parts(const pass *t, const oc_work *w, part_fn *fn)
{
    const int64_t parts = t->s < PART ? PART / t->s : 1, each = oc_div_up(t->s, PART);
    OC_LOOP (w, i, oc_div_up(t->m, parts) * each, 1) {
        const int64_t p = i / each * parts, q = i % each * PART;
        const int64_t last = t->m - p < parts ? t->m : p + parts;
        const int64_t end = t->s - q < PART ? t->s : q + PART;
        for (int64_t k = p; k < last; k++)
            fn(t, k, q, end);
    }
}

/* Runs all passes, from a to b and back. Returns the array that has the result; the content of
 * the other is lost. */
static oc_fft_signal run_passes(const oc_fft *f, oc_fft_signal a, oc_fft_signal b, const oc_work *w)
{
    int64_t n = f->size, unit = 1;
    for (int i = 0; i < f->n_passes; i++) {
        const int r = f->radix[i];
        n /= r;
        const pass t = {f, a.re, a.im, b.re, b.im, n, unit * f->signals, unit, r};
        if (r == 4)
            transform_parts(&t, w, part_4);
        else if (r == 2)
            transform_parts(&t, w, part_2);
        else
            transform_parts(&t, w, part_any);
        unit *= r;
        const oc_fft_signal other = a;
        a = b;
        b = other;
    }
    return a;
}

/* ---- lengths and tables */

static bool has_passes(oc_fft *f, int64_t n)
{
    static const int radices[] = {4, 2, 3, 5, 7, 11, OC_FFT_RADIX};
    f->n_passes = 0;
    for (int i = 0; i < 7; i++)
        for (; n % radices[i] == 0; n /= radices[i])
            f->radix[f->n_passes++] = radices[i];
    return n == 1;
}

oc_fft oc_fft_new(int64_t n)
{
    oc_fft f = {.n = n, .size = n};
    if (!has_passes(&f, n)) {
        f.size = 1;
        while (f.size < 2 * n - 1)
            f.size *= 2;
        has_passes(&f, f.size);
    }
    f.signals = f.size <= 2048 ? OC_FFT_SIGNALS : f.size <= 8192 ? 4 : 1;
    return f;
}

int64_t oc_fft_table_size(const oc_fft *f)
{
    return 2 * f->size + (f->size == f->n ? 0 : 2 * f->n + 2 * f->size);
}

int64_t oc_fft_work_size(const oc_fft *f)
{
    return 4 * f->size * f->signals;
}

oc_fft_signal oc_fft_input(const oc_fft *f, double *work)
{
    return (oc_fft_signal){work, work + f->size * f->signals};
}

static oc_fft_signal second(const oc_fft *f, double *work)
{
    return oc_fft_input(f, work + 2 * f->size * f->signals);
}

/* Sets the first n elements to 0. */
static void clear(oc_fft_signal x, int64_t n, const oc_work *w)
{
    oc_work_zero(w, x.re, (size_t)n * sizeof *x.re);
    oc_work_zero(w, x.im, (size_t)n * sizeof *x.im);
}

/* Fills the chirp, and the filter: the transform of the chirp's inverse, which runs from -(n -
 * 1) to n - 1, divided by size so that the way back needs no scale. */
static void fill_chirp(oc_fft *f, double *work, const oc_work *w)
{
    const int64_t n = f->n, size = f->size;
    oc_fft one = *f;
    one.signals = 1;
    const oc_fft_signal a = oc_fft_input(&one, work), b = second(&one, work);
    clear(a, size, w);
    int64_t square = 0; /* k k modulo 2n */
    OC_LOOP (w, k, n, 64) {
        root_of_unity(square, 2 * n, f->chirp_re + k, f->chirp_im + k);
        a.re[k] = f->chirp_re[k];
        a.im[k] = -f->chirp_im[k];
        if (k > 0) {
            a.re[size - k] = a.re[k];
            a.im[size - k] = a.im[k];
        }
        square = (square + 2 * k + 1) % (2 * n);
    }
    const oc_fft_signal done = run_passes(&one, a, b, w);
    OC_LOOP (w, k, size, 64) {
        f->filter_re[k] = done.re[k] / (double)size;
        f->filter_im[k] = done.im[k] / (double)size;
    }
}

void oc_fft_fill(oc_fft *f, double *memory, double *work, const oc_work *w)
{
    f->root_re = memory;
    f->root_im = memory + f->size;
    OC_LOOP (w, k, f->size, 64)
        root_of_unity(k, f->size, f->root_re + k, f->root_im + k);
    if (f->size == f->n)
        return;
    f->chirp_re = f->root_im + f->size;
    f->chirp_im = f->chirp_re + f->n;
    f->filter_re = f->chirp_im + f->n;
    f->filter_im = f->filter_re + f->size;
    fill_chirp(f, work, w);
}

/* ---- Bluestein: i k = (i i + k k - (k - i) (k - i)) / 2 makes the sum a convolution */

/* Multiplies element k of each signal by re[k] + i im[k]. With swap the real and imaginary parts of
 * the product change places; the next transform of them, swapped back, is then an inverse one. */
static void multiply(const oc_work *w, oc_fft_signal x, const double *re, const double *im,
                     int64_t n, int64_t signals, bool swap)
{
    OC_LOOP (w, k, n, 4)
        for (int64_t i = k * signals; i < (k + 1) * signals; i++) {
            const double a = x.re[i] * re[k] - x.im[i] * im[k];
            const double b = x.re[i] * im[k] + x.im[i] * re[k];
            x.re[i] = swap ? b : a;
            x.im[i] = swap ? a : b;
        }
}

oc_fft_signal oc_fft_run(const oc_fft *f, double *work, const oc_work *w)
{
    oc_fft_signal a = oc_fft_input(f, work), b = second(f, work);
    if (f->size == f->n)
        return run_passes(f, a, b, w);
    const int64_t used = f->n * f->signals, all = f->size * f->signals;
    multiply(w, a, f->chirp_re, f->chirp_im, f->n, f->signals, false);
    clear((oc_fft_signal){a.re + used, a.im + used}, all - used, w);
    const oc_fft_signal x = run_passes(f, a, b, w);
    multiply(w, x, f->filter_re, f->filter_im, f->size, f->signals, true);
    const oc_fft_signal y = run_passes(f, x, x.re == a.re ? b : a, w);
    const oc_fft_signal swapped = {y.im, y.re};
    multiply(w, swapped, f->chirp_re, f->chirp_im, f->n, f->signals, false);
    return swapped;
}
