/* SPDX-License-Identifier: Apache-2.0
 * mel_weight_matrix.c - MelWeightMatrix: triangles over the frequencies of a spectrum, spaced
 * evenly on the mel scale, mel(f) = 2595 log10(1 + f / 700).
 *
 * Triangle i rises from edge i to edge i + 1, where it is 1, and falls to edge i + 2. An edge is a
 * frequency of the spectrum, rounded down; the edges divide the range of mels into num_mel_bins + 2
 * steps, so that the last edge is one step below upper_edge_hertz, as in the standard's
 * definition. What a triangle has beyond the spectrum is dropped. Elements are computed in double
 * and rounded once; integers truncate. */
#include "kernels/elementwise/elementary.h"
#include "ops/kit/op.h"

#include <math.h>

enum { EDGES = 1 << 13 }; /* products that take as long as the edges of a triangle */

enum { BINS, LENGTH, RATE, LOWER, UPPER };

typedef struct geometry {
    int64_t bins, length, rate;
    double lower, upper;
} geometry;

static oc_status read_int(oc_call *c, int i, const char *name, int64_t least, int64_t *value)
{
    OC_TRY(oc_in_int(c, i, value));
    if (*value < least)
        return oc_fail(c, OC_VALUE, "%s is %" PRId64 ", expected %" PRId64 " or more", name, *value,
                       least);
    return OC_OK;
}

static oc_status read_edge(oc_call *c, int i, const char *name, double least, double *value)
{
    const oc_value *v = oc_in(c, i);
    OC_TRY(oc_expect_one(c, i));
    oc_convert(value, OC_F64, v->data, v->type, 1, false);
    if (!(*value >= least) || !isfinite(*value))
        return oc_fail(c, OC_VALUE, "%s is %g, expected a number of at least %g", name, *value,
                       least);
    return OC_OK;
}

static oc_status mel_shape(oc_call *c)
{
    geometry g;
    const int64_t type = oc_attr_int(c, "output_datatype");
    OC_TRY(read_int(c, BINS, "num_mel_bins", 0, &g.bins));
    OC_TRY(read_int(c, LENGTH, "dft_length", 1, &g.length));
    if (!oc_type_is_listed(type))
        return oc_fail(c, OC_VALUE,
                       "attribute 'output_datatype' is %" PRId64 ", expected a data type's number",
                       type);
    return oc_set_out(c, 0, (oc_type)type, &(oc_dims){2, {g.length / 2 + 1, g.bins}});
}

static double to_mel(double hertz)
{
    return 2595 * (oc_log(1 + hertz / 700) / 2.302585092994046);
}

/* Returns the frequency of the spectrum at or below edge i. */
static int64_t edge(const geometry *g, int64_t i)
{
    const double low = to_mel(g->lower), step = (to_mel(g->upper) - low) / (double)(g->bins + 2);
    const double mel = (double)i * step + low;
    const double hertz = 700 * (oc_exp(mel / 2595 * 2.302585092994046) - 1);
    const double at = floor(((double)g->length + 1) * hertz / (double)g->rate);
    return at < 0x1p60 ? (int64_t)at : INT64_C(1) << 60;
}

/* Column i of the matrix, whose rows are `bins` doubles: all zero before. */
static void fill_triangle(const geometry *g, const oc_work *w, double *y, int64_t rows, int64_t i)
{
    const int64_t low = edge(g, i), middle = edge(g, i + 1), high = edge(g, i + 2);
    OC_LOOP (w, k, (oc_min(middle, rows)) - low, 64)
        y[(low + k) * g->bins + i] = (double)k / (double)(middle - low);
    if (middle < rows)
        y[middle * g->bins + i] = 1;
    OC_LOOP (w, k, (oc_min(high, rows)) - middle, 64)
        y[(middle + k) * g->bins + i] = (double)(high - middle - k) / (double)(high - middle);
}

static oc_status mel_run(oc_call *c)
{
    geometry g;
    void *y;
    OC_TRY(oc_in_int(c, BINS, &g.bins));
    OC_TRY(oc_in_int(c, LENGTH, &g.length));
    OC_TRY(read_int(c, RATE, "sample_rate", 1, &g.rate));
    OC_TRY(read_edge(c, LOWER, "lower_edge_hertz", 0, &g.lower));
    OC_TRY(read_edge(c, UPPER, "upper_edge_hertz", g.lower, &g.upper));
    const int64_t n = oc_value_n(oc_out(c, 0)), rows = oc_out(c, 0)->dims.n[0];
    OC_TRY(oc_out_as(c, 0, OC_F64, n, &y));
    oc_call_zero(c, y, (size_t)n * sizeof(double));
    const oc_work w = oc_call_work(c, 0);
    OC_CALL_LOOP (c, i, g.bins, 64)
        fill_triangle(&g, &w, y, rows, i);
    oc_out_from(c, 0, OC_F64, y);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_mel_weight_matrix[] = {
    {17, "MelWeightMatrix <int output_datatype@T3 = 1> (T1 num_mel_bins!, T1 dft_length!, "
         "T1 sample_rate, T2 lower_edge_hertz, T2 upper_edge_hertz) => (T3 output) "
         "| T1: index; T2: float_ir4; T3: numeric_ir4", mel_shape, mel_run},
    {0}
};
