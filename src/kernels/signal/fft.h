/* SPDX-License-Identifier: Apache-2.0
 * fft.h - the discrete Fourier transform of any length, in double.
 *
 * X[k] is the sum over i of x[i] w^(i k), where w = e^(-2 pi i / n). A length whose prime factors
 * are all at most OC_FFT_RADIX is transformed by passes of radix 4, 2, 3, 5 and so on (Stockham's
 * form, which needs no reordering). Any other length is a convolution with a chirp (Bluestein), by
 * transforms of a power of two. So the time is proportional to n log n for every n.
 *
 * Several signals, called signals, are transformed at once; the result of a signal depends on that
 * signal alone. Roots of unity come from our own series, because the last bits of sin and cos
 * differ between C libraries. */
#pragma once

#include "base/work.h"

enum { OC_FFT_RADIX = 13, OC_FFT_PASSES = 64, OC_FFT_SIGNALS = 8 };

typedef struct oc_fft {
    int64_t n;    /* the length, at most OC_FFT_MOST */
    int64_t size; /* length of the passes: n, or a power of two of at least 2n - 1 */
    int n_passes, radix[OC_FFT_PASSES];
    int64_t signals;               /* signals that are transformed at once; 1 to OC_FFT_SIGNALS */
    double *root_re, *root_im;     /* [size]: e^(-2 pi i k / size) */
    double *chirp_re, *chirp_im;   /* [n]: e^(-pi i k k / n); only when size differs from n */
    double *filter_re, *filter_im; /* [size]: the transform of the chirp's inverse, over size */
} oc_fft;

#define OC_FFT_MOST (INT64_C(1) << 40)

/* Returns what n alone determines, everything but the tables. */
oc_fft oc_fft_new(int64_t n);
/* Return how many doubles the tables take, and how many one task needs to transform. */
int64_t oc_fft_table_size(const oc_fft *f);
int64_t oc_fft_work_size(const oc_fft *f);
/* Fills the tables. memory has oc_fft_table_size doubles, work has oc_fft_work_size. */
void oc_fft_fill(oc_fft *f, double *memory, double *work, const oc_work *w);

/* Where the caller of oc_fft_run puts element k of signal l: at [k * signals + l] of both
 * arrays, in memory of oc_fft_work_size. */
typedef struct oc_fft_signal {
    double *re, *im;
} oc_fft_signal;

oc_fft_signal oc_fft_input(const oc_fft *f, double *work);
/* Transforms the signals, and returns where the n elements of the result are. */
oc_fft_signal oc_fft_run(const oc_fft *f, double *work, const oc_work *w);
