/* SPDX-License-Identifier: Apache-2.0
 * family_normalize.c - Softmax, and operators that divide by a deviation or a norm. */
#include "net.h"

#include <string.h>

/* ---- Softmax ---- */

bool net_softmax(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    const int axis = net_chance(n, 60) ? x->rank - 1 : (int)net_below(n, (uint32_t)x->rank);
    const bool logarithm = net_chance(n, 25);
    const int64_t length = x->dim[axis], inner = net_count(x->rank - axis - 1, x->dim + axis + 1);
    const int64_t outer = net_count(axis, x->dim);
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = %s <axis = %d> (%s)\n", y->name, logarithm ? "LogSoftmax" : "Softmax",
             net_chance(n, 50) ? axis : axis - x->rank, x->name);
    const double unit = net_sum_unit(y->type);
    for (int64_t row = 0; row < outer * inner && y->n; row++) {
        const int64_t first = row / inner * length * inner + row % inner;
        double most = -INFINITY, sum = 0, most_e = 0;
        for (int64_t i = 0; i < length; i++) {
            most = fmax(most, x->v[first + i * inner]);
            most_e = fmax(most_e, x->e[first + i * inner]);
        }
        for (int64_t i = 0; i < length; i++)
            sum += exp(x->v[first + i * inner] - most);
        for (int64_t i = 0; i < length; i++) {
            const int64_t at = first + i * inner;
            const double far = most - x->v[at],
                         own = 8 * unit * (far + 1) + net_gamma(y->type, (double)length + 4);
            const double e = x->e[at] + most_e + own;
            y->v[at] = logarithm ? -far - log(sum) : exp(-far) / sum;
            y->e[at] = net_bound(y->type, y->v[at],
                                 logarithm ? e + 4 * unit * (fabs(y->v[at]) + most_e)
                                           : y->v[at] * expm1(e) + 1e-36);
        }
    }
    return true;
}

/* ---- rows of elements with a mean and a deviation ---- */

typedef struct row {
    double mean, mean_e; /* and by how much it may be off */
    double inverse, inverse_e;
} row;

/* The bound of an element, and what a stage of a narrower type loses where it is subnormal there.
 */
static double staged(const net_tensor *x, int64_t i, net_type stage)
{
    return x->e[i] + (x->type == NET_F64 && stage != NET_F64 ? net_underflow(stage) : 0);
}

/* Elements at[0 .. count - 1] of x. centre: the mean is taken off. outside: epsilon is added to the
 * square root, not under it. The variance may be computed as the mean of squares less the mean's.
 */
static row measure(const net_tensor *x, const int64_t *at, int64_t count, net_type stage,
                   bool centre, double epsilon, bool outside)
{
    double sum = 0, absolute = 0, e = 0, squares = 0, square_e = 0, variance = 0, variance_e = 0;
    const double gamma = net_gamma(stage, (double)count + 5);
    for (int64_t i = 0; i < count; i++) {
        const double v = x->v[at[i]], ve = staged(x, at[i], stage);
        sum += v;
        absolute += fabs(v);
        e += ve;
        squares += v * v;
        square_e += 2 * fabs(v) * ve + ve * ve;
    }
    row r = {0, 0, 0, 0};
    if (centre) {
        r.mean = sum / (double)count;
        r.mean_e = (e + gamma * (absolute + e)) / (double)count;
    }
    for (int64_t i = 0; i < count; i++) {
        const double d = x->v[at[i]] - r.mean,
                     de = staged(x, at[i], stage) + (centre ? e / (double)count : 0);
        variance += d * d;
        variance_e += 2 * fabs(d) * de + de * de;
    }
    variance /= (double)count;
    variance_e = variance_e / (double)count + 4 * gamma * (squares + square_e) / (double)count;
    if (!(net_of_sums(stage, squares + square_e, variance_e) < INFINITY))
        return (row){r.mean, INFINITY, 1, INFINITY};
    const double least = fmax(0, variance - variance_e), most = variance + variance_e;
    const double root = outside ? sqrt(variance) + epsilon : sqrt(variance + epsilon);
    const double low = outside ? sqrt(least) + epsilon : sqrt(least + epsilon);
    const double high = outside ? sqrt(most) + epsilon : sqrt(most + epsilon);
    r.inverse = root > 0 ? 1 / root : 0;
    r.inverse_e =
        low > 0 ? fmax(1 / low - r.inverse, r.inverse - 1 / high) + 8 * net_sum_unit(stage) / low
                : INFINITY;
    return r;
}

/* (x - mean) * inverse * scale + bias, as a bound without the last rounding. */
static void set(net_tensor *y, int64_t i, const net_tensor *x, net_type stage, const row *r,
                const net_tensor *scale, const net_tensor *bias, int64_t k)
{
    const double unit = net_sum_unit(stage), d = x->v[i] - r->mean;
    const double de =
        staged(x, i, stage) + r->mean_e + 2 * unit * (fabs(d) + fabs(x->v[i]) + fabs(r->mean));
    double v = d * r->inverse,
           e = fabs(d) * r->inverse_e + r->inverse * de + de * r->inverse_e + 4 * unit * fabs(v);
    if (scale) {
        e = fabs(v) * scale->e[k] + fabs(scale->v[k]) * e + e * scale->e[k];
        v *= scale->v[k];
    }
    if (bias) {
        e += bias->e[k] + 2 * unit * (fabs(bias->v[k]) + fabs(v));
        v += bias->v[k];
    }
    y->v[i] = v;
    y->e[i] = net_bound(y->type, v, e + 8 * unit * (fabs(v) + e) + fabs(v) * 0x1p-50);
}

/* Attributes are floats. */
static const double epsilons[] = {(double)1e-5f, (double)1e-5f, (double)1e-3f, 0.125};
static const char *const epsilon_texts[] = {"1e-5", "1e-5", "1e-3", "0.125"};

/* LayerNormalization, RMSNormalization: the axes from one on. Their first stage is of stash_type,
 * float, also where X is double. */
bool net_layer_normalization(net *n)
{
    const net_tensor *x = net_any(n, 2, 5);
    const int axis = net_chance(n, 60) ? x->rank - 1 : (int)net_below(n, (uint32_t)x->rank);
    const bool rms = net_chance(n, 30);
    const uint32_t epsilon = net_below(n, 4);
    const int64_t count = net_count(x->rank - axis, x->dim + axis);
    if (x->n == 0 || count > 3000)
        return false;
    const net_tensor *scale = net_operand(n, n->type, x->rank - axis, x->dim + axis, 1);
    const net_tensor *bias = !rms && net_chance(n, 60)
                                 ? net_operand(n, n->type, x->rank - axis, x->dim + axis, 1)
                                 : NULL;
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = %s <axis = %d, epsilon = %s> (%s, %s%s%s)\n", y->name,
             rms ? "RMSNormalization" : "LayerNormalization",
             net_chance(n, 50) ? axis : axis - x->rank, epsilon_texts[epsilon], x->name,
             scale->name, bias ? ", " : "", bias ? bias->name : "");
    static int64_t at[NET_ELEMENTS];
    for (int64_t first = 0; first < x->n; first += count) {
        for (int64_t i = 0; i < count; i++)
            at[i] = first + i;
        const row r = measure(x, at, count, NET_F32, !rms, epsilons[epsilon], false);
        for (int64_t i = 0; i < count; i++)
            set(y, first + i, x, NET_F32, &r, scale, bias, i);
    }
    return true;
}

/* InstanceNormalization is that of groups of one channel. */
bool net_group_normalization(net *n)
{
    const net_tensor *x = net_any(n, 3, 5);
    const bool instance = net_chance(n, 40);
    const net_type stage = instance ? x->type : NET_F32; /* stash_type */
    const int64_t channels = x->dim[1], plane = net_count(x->rank - 2, x->dim + 2);
    const int64_t groups = instance ? channels : net_from(n, 1, 8);
    const uint32_t epsilon = net_below(n, 4);
    if (x->n == 0 || channels % groups)
        return false;
    const net_tensor *scale = net_operand(n, n->type, 1, &channels, 1),
                     *bias = net_operand(n, n->type, 1, &channels, 1);
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    if (instance)
        net_line(n, "%s = InstanceNormalization <epsilon = %s", y->name, epsilon_texts[epsilon]);
    else
        net_line(n, "%s = GroupNormalization <num_groups = %lld, epsilon = %s", y->name,
                 (long long)groups, epsilon_texts[epsilon]);
    net_line(n, "> (%s, %s, %s)\n", x->name, scale->name, bias->name);
    static int64_t at[NET_ELEMENTS];
    const int64_t count = channels / groups * plane;
    for (int64_t first = 0; first < x->n; first += count) {
        for (int64_t i = 0; i < count; i++)
            at[i] = first + i;
        const row r = measure(x, at, count, stage, true, epsilons[epsilon], false);
        for (int64_t i = first; i < first + count; i++)
            set(y, i, x, stage, &r, scale, bias, i / plane % channels);
    }
    return true;
}

bool net_batch_normalization(net *n)
{
    const net_tensor *x = net_any(n, 2, 5);
    const int64_t channels = x->dim[1], plane = net_count(x->rank - 2, x->dim + 2);
    const uint32_t epsilon = net_below(n, 4);
    if (channels == 0)
        return false;
    net_tensor *p[4];
    for (int i = 0; i < 4; i++)
        p[i] = net_operand(n, n->type, 1, &channels, 1);
    for (int64_t i = 0; i < channels; i++) /* a variance */
        p[3]->v[i] = net_round(n->type, fabs(p[3]->v[i]) + 0.25);
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = BatchNormalization <epsilon = %s> (%s, %s, %s, %s, %s)\n", y->name,
             epsilon_texts[epsilon], x->name, p[0]->name, p[1]->name, p[2]->name, p[3]->name);
    const double unit = net_sum_unit(y->type);
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t c = i / plane % channels;
        const double inverse = 1 / sqrt(p[3]->v[c] + epsilons[epsilon]),
                     factor = p[0]->v[c] * inverse;
        const double size = fabs(factor) * (fabs(x->v[i]) + fabs(p[2]->v[c])) + fabs(p[1]->v[c]);
        y->v[i] = (x->v[i] - p[2]->v[c]) * factor + p[1]->v[c];
        y->e[i] = net_bound(y->type, y->v[i],
                            fabs(factor) * x->e[i] + 12 * unit * (size + fabs(factor) * x->e[i]));
    }
    return true;
}

/* 1e-9 is the text's number. ONNX's function has it as a float, but that function fits no double.
 */
bool net_mean_variance_normalization(net *n)
{
    const net_tensor *x = net_any(n, 3, 5);
    int64_t axes[NET_RANK];
    int count = 0;
    bool over[NET_RANK] = {false};
    for (int a = 0; a < x->rank; a++)
        if (a != 1 && net_chance(n, 80))
            over[axes[count++] = a] = true;
    if (!count || x->n == 0)
        return false;
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = MeanVarianceNormalization <", y->name);
    net_ints(n, "axes", count, axes);
    net_line(n, "> (%s)\n", x->name);
    static int64_t at[NET_ELEMENTS];
    int64_t group[NET_RANK] = {0}, dim[NET_RANK];
    for (int a = 0; a < x->rank; a++)
        dim[a] = over[a] ? 1 : x->dim[a];
    for (int64_t g = 0; g < net_count(x->rank, dim); g++, net_next(x->rank, dim, group)) {
        int64_t index[NET_RANK] = {0}, found = 0;
        for (int64_t i = 0; i < x->n; i++, net_next(x->rank, x->dim, index)) {
            bool same = true;
            for (int a = 0; a < x->rank; a++)
                same = same && (over[a] || index[a] == group[a]);
            if (same)
                at[found++] = i;
        }
        const row r = measure(x, at, found, x->type, true, 1e-9, true);
        for (int64_t i = 0; i < found; i++)
            set(y, at[i], x, x->type, &r, NULL, NULL, 0);
    }
    return true;
}

bool net_lp_normalization(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    const int axis = (int)net_below(n, (uint32_t)x->rank), p = (int)net_from(n, 1, 2);
    const int64_t length = x->dim[axis], inner = net_count(x->rank - axis - 1, x->dim + axis + 1);
    if (x->n == 0)
        return false;
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = LpNormalization <axis = %d, p = %d> (%s)\n", y->name, axis, p, x->name);
    for (int64_t line = 0; line < x->n / length; line++) {
        const int64_t first = line / inner * length * inner + line % inner;
        double sum = 0, e = 0;
        for (int64_t i = 0; i < length; i++) {
            const double v = fabs(x->v[first + i * inner]), ve = x->e[first + i * inner];
            sum += p == 1 ? v : v * v;
            e += p == 1 ? ve : 2 * v * ve + ve * ve;
        }
        e += net_gamma(y->type, (double)length + 4) * (sum + e) +
             net_underflow(y->type) * (double)length;
        e = net_of_sums(y->type, sum, e);
        const double norm = p == 1 ? sum : sqrt(sum),
                     low = p == 1 ? sum - e : sqrt(fmax(0, sum - e));
        for (int64_t i = 0; i < length; i++) {
            const int64_t at = first + i * inner;
            y->v[at] = norm > 0 ? x->v[at] / norm : 0;
            const double passed =
                low > 0 && e < INFINITY
                    ? x->e[at] / low + (fabs(x->v[at]) + x->e[at]) * (1 / low - 1 / norm)
                : norm == 0 && e == 0 ? 0
                                      : INFINITY;
            y->e[at] =
                net_bound(y->type, y->v[at], passed + 8 * net_sum_unit(y->type) * fabs(y->v[at]));
        }
    }
    return true;
}

bool net_lrn(net *n)
{
    const net_tensor *x = net_any(n, 3, 5);
    const int64_t size = net_from(n, 1, 6), channels = x->dim[1],
                  plane = net_count(x->rank - 2, x->dim + 2);
    const bool half = net_chance(n, 30);
    const double alpha = 0.25, beta = half ? 0.5 : 0.75, k = 1;
    net_tensor *y = net_result(n, n->type, x->rank, x->dim);
    net_line(n, "%s = LRN <size = %lld, alpha = 0.25, beta = %s> (%s)\n", y->name, (long long)size,
             half ? "0.5" : "0.75", x->name);
    for (int64_t i = 0; i < y->n; i++) {
        const int64_t c = i / plane % channels;
        double sum = 0, e = 0;
        for (int64_t o = c - (size - 1) / 2; o <= c + size / 2; o++) {
            if (o < 0 || o >= channels)
                continue;
            const int64_t at = i + (o - c) * plane;
            sum += x->v[at] * x->v[at];
            e += 2 * fabs(x->v[at]) * x->e[at] + x->e[at] * x->e[at];
        }
        e = net_of_sums(y->type, sum, e + net_gamma(y->type, (double)size + 4) * (sum + e));
        const double base = k + alpha / (double)size * sum, base_e = alpha / (double)size * e;
        const double power = pow(base, -beta), most = pow(fmax(k, base - base_e), -beta);
        const double power_e = base_e < INFINITY
                                   ? most - pow(base + base_e, -beta) + 16 * net_sum_unit(y->type)
                                   : INFINITY;
        y->v[i] = x->v[i] * power;
        y->e[i] = net_bound(y->type, y->v[i],
                            fabs(x->v[i]) * power_e + x->e[i] * most +
                                4 * net_sum_unit(y->type) * fabs(y->v[i]));
    }
    return true;
}
