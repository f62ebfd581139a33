/* SPDX-License-Identifier: Apache-2.0
 * batch_normalization.c - BatchNormalization: y = (x - mean) * factor + B, where factor is scale /
 * sqrt(variance + epsilon), with numbers of its own for each channel.
 *
 * Elements are computed in double if X is double, else in float, and rounded once. Means, variances
 * and factors are double until they are rounded to the type of the element formula or of an output.
 *
 * In training mode they are those of the batch, and the running ones become running * momentum +
 * batch * (1 - momentum). The mode is chosen by training_mode from version 14 on, by is_test up to
 * version 6, and between by the number of outputs. */
#include "kernels/normalize/normalize.h"
#include "kernels/elementwise/plain.h"

#include "ops/kit/layout.h"
#include "ops/kit/stages.h"

enum { X, SCALE, BIAS, MEAN, VARIANCE };                                /* inputs */
enum { Y, RUNNING_MEAN, RUNNING_VARIANCE, SAVED_MEAN, SAVED_VARIANCE }; /* outputs */

/* The sizes of X as [images, channels, plane]. */
typedef struct geometry {
    int64_t images, channels, plane;
    bool training;
    oc_dims factors; /* dims of inputs 1 to 4 */
} geometry;

static oc_status read_mode(oc_call *c, bool *training)
{
    *training = false;
    for (int i = RUNNING_MEAN; i <= SAVED_VARIANCE; i++)
        *training |= oc_wants(c, i);
    if (oc_attr_has(c, "is_test"))
        *training = oc_attr_int(c, "is_test") == 0;
    if (!oc_attr_has(c, "training_mode"))
        return OC_OK;
    *training = oc_attr_int(c, "training_mode") != 0;
    if (!*training && (oc_wants(c, RUNNING_MEAN) || oc_wants(c, RUNNING_VARIANCE)))
        return oc_fail(
            c, OC_VALUE,
            "attribute 'training_mode' is 0, expected 1 for the outputs running_mean and "
            "running_var");
    return OC_OK;
}

static oc_status read_geometry(oc_call *c, geometry *g)
{
    const oc_dims *x = &oc_in(c, X)->dims;
    const bool line = oc_call_since(c) >= 9 && x->rank == 1; /* [N] is one channel */
    const bool spatial = !oc_attr_has(c, "spatial") || oc_attr_int(c, "spatial") != 0;
    OC_TRY(oc_expect_rank(c, X, oc_call_since(c) >= 9 ? 1 : 2, OC_MAX_RANK));
    *g = (geometry){.images = x->n[0], .channels = line ? 1 : x->n[1], .plane = 1};
    const int64_t pixels = oc_dims_product(x, line ? 1 : 2, x->rank);
    g->factors = oc_dims_1d(g->channels);
    if (spatial) {
        g->plane = pixels;
    } else {
        g->channels *= pixels;
        g->factors.rank = x->rank - 1;
        for (int a = 1; a < x->rank; a++)
            g->factors.n[a - 1] = x->n[a];
    }
    for (int i = SCALE; i <= VARIANCE; i++)
        OC_TRY(oc_expect_dims(c, i, &g->factors, ", one for each channel"));
    return read_mode(c, &g->training);
}

static oc_status batch_shape(oc_call *c)
{
    geometry g;
    OC_TRY(read_geometry(c, &g));
    OC_TRY(oc_set_out(c, Y, oc_in(c, X)->type, &oc_in(c, X)->dims));
    for (int i = RUNNING_MEAN; i <= SAVED_VARIANCE && i < oc_n_out(c); i++)
        OC_TRY(oc_set_out(c, i, oc_in(c, MEAN)->type, &g.factors));
    return OC_OK;
}

static void batch_layouts(oc_call *c, oc_layouts *l)
{
    geometry g;
    if (read_geometry(c, &g) == OC_OK && !g.training && g.factors.rank == 1)
        oc_same_layouts(c, l);
}

/* What all tasks share. */
enum { PIECE = 1 << 12 }; /* least elements, or pixels in NCHW16c, of a piece of a row */

typedef struct job {
    geometry g;
    oc_type real; /* type of x, y, center, factor and bias: OC_F32 or OC_F64 */
    const oc_row_fns *fns;
    const void *x, *center, *factor, *bias;
    void *y;
    double *mean, *variance;
    oc_work work;
} job;

static double in_real(const job *t, double x)
{
    return t->real == OC_F64 ? x : (double)(float)x;
}

static double number_at(const job *t, const void *list, int64_t i)
{
    return t->real == OC_F64 ? ((const double *)list)[i] : (double)((const float *)list)[i];
}

static size_t row_bytes(const job *t)
{
    return (size_t)t->g.plane * oc_type_size(t->real);
}

/* ---- the statistics of the batch */

/* The mean was rounded to the type of x, so that the deviations from it do not add up to 0; their
 * sum corrects both the mean and the variance. */
static void measure_channel(const job *t, int64_t channel)
{
    const double n = (double)t->g.images * (double)t->g.plane;
    const size_t row = row_bytes(t), step = row * (size_t)t->g.channels;
    const char *first = (const char *)t->x + row * (size_t)channel;
    double sum = 0, errors = 0, squares = 0;
    OC_LOOP (&t->work, i, t->g.images, 64)
        sum += t->fns->sum(first + step * (size_t)i, t->g.plane, &t->work);
    const double mean = in_real(t, sum / n);
    OC_LOOP (&t->work, i, t->g.images, 64) {
        const oc_row_moments m =
            t->fns->moments(first + step * (size_t)i, t->g.plane, mean, &t->work);
        errors += m.sum;
        squares += m.squares;
    }
    const double error = errors / n, variance = squares / n;
    t->mean[channel] = isfinite(error) ? mean + error : mean;
    t->variance[channel] = isfinite(variance) ? fmax(variance - error * error, 0) : variance;
}

static void measure_channels(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    for (int64_t channel = first; channel < end; channel++)
        measure_channel(t, channel);
}

/* Finds mean and variance of channels first .. end - 1 of one pixel each, which lie side by
 * side. */
static void measure_strip(const job *t, int64_t first, int64_t end)
{
    const int64_t n = t->g.images, channels = t->g.channels;
    for (int64_t c = first; c < end; c++)
        t->mean[c] = t->variance[c] = 0;
    OC_LOOP (&t->work, i, n, 16)
        for (int64_t c = first; c < end; c++)
            t->mean[c] += number_at(t, t->x, i * channels + c);
    for (int64_t c = first; c < end; c++)
        t->mean[c] /= (double)n;
    OC_LOOP (&t->work, i, n, 16)
        for (int64_t c = first; c < end; c++) {
            const double off = number_at(t, t->x, i * channels + c) - t->mean[c];
            t->variance[c] += off * off;
        }
    for (int64_t c = first; c < end; c++)
        t->variance[c] /= (double)n;
}

static void measure_columns(const job *t)
{
    enum { STRIP = 1 << 16 }; /* channels */
    const int64_t n = t->g.channels;
    OC_LOOP (&t->work, i, oc_div_up(n, STRIP), 1)
        measure_strip(t, i * STRIP, n - i * STRIP < STRIP ? n : (i + 1) * STRIP);
}

static void save(oc_call *c, oc_value *out, const double *x)
{
    if (out)
        oc_call_convert(c, out->data, out->type, x, OC_F64, oc_value_n(out));
}

/* Fills outputs 1 to 4. running: the mean or variance given as input. */
static oc_status save_statistics(oc_call *c, const job *t)
{
    const double momentum = (double)oc_attr_float(c, "momentum");
    const double *batch[] = {t->mean, t->variance};
    double *next;
    OC_TRY(OC_SCRATCH(c, next, t->g.channels));
    for (int i = 0; i < 2; i++) {
        const void *running;
        OC_TRY(oc_in_as(c, MEAN + i, OC_F64, &running));
        OC_LOOP (&t->work, k, t->g.channels, 1024)
            next[k] = ((const double *)running)[k] * momentum + batch[i][k] * (1 - momentum);
        save(c, oc_out_or_null(c, RUNNING_MEAN + i), next);
        save(c, oc_out_or_null(c, SAVED_MEAN + i), batch[i]);
    }
    return OC_OK;
}

static oc_status find_statistics(oc_call *c, job *t)
{
    const int64_t channels = t->g.channels;
    const void *given;
    OC_TRY(OC_SCRATCH(c, t->mean, channels));
    OC_TRY(OC_SCRATCH(c, t->variance, channels));
    if (t->g.training && t->g.plane == 1) {
        measure_columns(t);
    } else if (t->g.training) {
        t->work =
            oc_call_work(c, (double)oc_value_n(oc_in(c, X)) * 2 * OC_ELEMENT); /* read twice */
        oc_work_run(&t->work, channels, measure_channels, t);
    } else {
        for (int i = 0; i < 2; i++) {
            OC_TRY(oc_in_as(c, MEAN + i, OC_F64, &given));
            oc_call_copy(c, i ? t->variance : t->mean, given, (size_t)channels * sizeof(double));
        }
    }
    return t->g.training ? save_statistics(c, t) : OC_OK;
}

/* ---- the elements */

#define ROW(name, T)                                                                               \
    static void name(const job *t, const T *x, T *y)                                               \
    {                                                                                              \
        const T *center = t->center, *factor = t->factor, *bias = t->bias;                         \
        for (int64_t c = 0; c < t->g.channels; c++)                                                \
            y[c] = (x[c] - center[c]) * factor[c] + bias[c];                                       \
    }

ROW(map_image_f32, float)
ROW(map_image_f64, double)

static void map_image(const job *t, int64_t image)
{
    const int64_t at = image * t->g.channels;
    if (t->real == OC_F64)
        map_image_f64(t, (const double *)t->x + at, (double *)t->y + at);
    else
        map_image_f32(t, (const float *)t->x + at, (float *)t->y + at);
}

/* Rows are the planes or, if planes are single pixels, the images. */
static void map_rows(void *arg, OC_UNUSED int task, int64_t first, int64_t end)
{
    const job *t = arg;
    const size_t elem = oc_type_size(t->real);
    for (int64_t row = first; row < end; row++) {
        if (t->g.plane == 1) {
            map_image(t, row);
            continue;
        }
        const int64_t channel = row % t->g.channels;
        const oc_row_map map = {.center = number_at(t, t->center, channel),
                                .divisor = 1,
                                .scale = (const char *)t->factor + elem * (size_t)channel,
                                .bias = (const char *)t->bias + elem * (size_t)channel};
        const size_t at = row_bytes(t) * (size_t)row;
        OC_PIECES (&t->work, p, t->g.plane, PIECE) {
            const size_t piece = at + (size_t)p.first * elem;
            t->fns->divide((char *)t->y + piece, (const char *)t->x + piece, p.end - p.first, &map);
        }
    }
}

/* Sets center and factor from mean, variance and scale. */
static oc_status find_factors(oc_call *c, job *t)
{
    const double epsilon = (double)oc_attr_float(c, "epsilon");
    const void *scale;
    double *factor;
    void *rounded[2];
    OC_TRY(oc_in_as(c, SCALE, OC_F64, &scale));
    OC_TRY(OC_SCRATCH(c, factor, t->g.channels));
    OC_LOOP (&t->work, k, t->g.channels, 1024)
        factor[k] = ((const double *)scale)[k] / sqrt(t->variance[k] + epsilon);
    for (int i = 0; i < 2; i++) {
        OC_TRY(OC_SCRATCH_OF(c, rounded[i], t->g.channels, oc_type_size(t->real)));
        oc_call_convert(c, rounded[i], t->real, i ? factor : t->mean, OC_F64, t->g.channels);
    }
    t->center = rounded[0];
    t->factor = rounded[1];
    return OC_OK;
}

/* Sets all but x, y and tasks. */
static oc_status begin(oc_call *c, job *t)
{
    OC_TRY(read_geometry(c, &t->g));
    t->real = oc_type_real(oc_in(c, X)->type);
    t->fns = oc_row_fns_pick(t->real, oc_call_cpu(c));
    t->work = oc_call_work(c, 0);
    return oc_in_as(c, BIAS, t->real, &t->bias);
}

/* ---- in NCHW16c: a stage, which other operators may follow */

typedef struct channels {
    oc_scale_fn *scale;
    const float *center, *factor, *bias; /* 0 for NCHW16c without a channel */
    int64_t blocks;                      /* blocks of channels in an image */
} channels;

/* Computes n pixels of a block of 16 channels. */
static void map_channels(const void *ctx, float *y, const float *x, int64_t block, int64_t n)
{
    const channels *t = ctx;
    const int64_t first = block % t->blocks * OC_BLOCK_CHANNELS;
    const oc_channel_factors f = {t->center + first, t->factor + first, t->bias + first};
    t->scale(y, x, &f, n);
}

/* Sets all of f but scale, in memory of the plan if `keep` is set. */
static oc_status find_channels(oc_call *c, job *t, bool keep, channels *f)
{
    OC_TRY(find_statistics(c, t));
    OC_TRY(find_factors(c, t));
    f->blocks = oc_channel_blocks(t->g.channels);
    const float *const list[] = {t->center, t->factor, t->bias};
    const float **const to[] = {&f->center, &f->factor, &f->bias};
    const size_t n = (size_t)t->g.channels;
    const uint64_t all = (uint64_t)f->blocks * OC_BLOCK_CHANNELS;
    float *padded = keep ? oc_keep_room(c, 3 * all * sizeof *padded)
                         : oc_scratch_memory(c, 3 * all, sizeof *padded);
    if (!padded)
        return oc_call_error(c)->code;
    for (int i = 0; i < 3; i++, padded += all) {
        memcpy(padded, list[i], n * sizeof *padded);
        memset(padded + n, 0, ((size_t)all - n) * sizeof *padded);
        *to[i] = padded;
    }
    return OC_OK;
}

/* The shape rule will tell what is wrong with the inputs. */
static oc_status batch_prepare(oc_call *c)
{
    const oc_dims *d = &oc_in(c, SCALE)->dims;
    job t = {.g.channels = d->n[0], .real = OC_F32, .work = oc_call_work(c, 0)};
    channels f = {0};
    bool good = d->rank == 1;
    for (int i = BIAS; i <= VARIANCE; i++)
        good = good && oc_dims_equal(d, &oc_in(c, i)->dims);
    if (!good)
        return OC_OK;
    OC_TRY(oc_in_as(c, BIAS, OC_F32, &t.bias));
    OC_TRY(find_channels(c, &t, true, &f));
    channels *kept = oc_call_keep(c, sizeof *kept);
    if (!kept)
        return OC_NOMEM;
    *kept = f;
    return OC_OK;
}

/* Only if channels lie side by side: rows of planes have factors of their own. */
static oc_status batch_stage(oc_call *c, oc_stage *s)
{
    const channels *kept = oc_call_prepared(c);
    job t = {0};
    channels f = {0};
    if (!oc_out(c, Y)->nchw16c)
        return OC_OK;
    if (kept) {
        f = *kept;
    } else {
        OC_TRY(begin(c, &t));
        OC_TRY(find_channels(c, &t, false, &f));
    }
    f.scale = oc_scale_pick(oc_call_cpu(c));
    s->channels = map_channels;
    s->center = f.center;
    s->factor = f.factor;
    s->offset = f.bias;
    s->x[0] = oc_in(c, X);
    s->n_x = 1;
    oc_stage_context(s, &f, sizeof f);
    return OC_OK;
}

static oc_status batch_run(oc_call *c)
{
    job t = {0};
    const int64_t n = oc_value_n(oc_in(c, X));
    if (oc_out(c, Y)->nchw16c && n > 0)
        return oc_run_stage(c);
    OC_TRY(begin(c, &t));
    OC_TRY(oc_in_as(c, X, t.real, &t.x));
    OC_TRY(find_statistics(c, &t));
    if (n == 0)
        return OC_OK;
    OC_TRY(find_factors(c, &t));
    OC_TRY(oc_out_as(c, Y, t.real, n, &t.y));
    t.work = oc_call_work(c, (double)n * OC_ELEMENT);
    oc_work_run(&t.work, t.g.images * (t.g.plane != 1 ? t.g.channels : 1), map_rows, &t);
    oc_out_from(c, Y, t.real, t.y);
    return OC_OK;
}

/* clang-format off */
#define BATCH batch_shape, batch_run, batch_prepare, OC_TRAITS(batch_stage, batch_layouts)
#define ATTRS "float epsilon = 1e-5, float momentum = 0.9"
#define OLD(attrs, changes) \
    "BatchNormalization <" attrs ATTRS "> (T X*, T scale=, T B=, T mean=, T var=) => " \
    "(T Y, T mean?, T var?, T saved_mean?, T saved_var?) | T: ieee" changes
#define NEW(factor, statistic, variables) \
    "BatchNormalization <" ATTRS ", int training_mode = 0> (T X*, " factor " scale=, " factor " B=, " \
    statistic " input_mean=, " statistic " input_var=) => " \
    "(T Y, " statistic " running_mean?, " statistic " running_var?) | T: float_ir4; " variables
const oc_op oc_ops_batch_normalization[] = {
    {15, NEW("T1", "T2", "T1: float_ir4; T2: float_ir4"), BATCH},
    {14, NEW("T", "U", "U: float_ir4; change outputs 1"), BATCH},
    { 9, OLD("", "; change without spatial"),             BATCH},
    { 7, OLD("int spatial+ = 1, ", ""),                   BATCH},
    { 6, OLD("int is_test = 0, int spatial = 1, ", ""),   BATCH},
    { 1, OLD("ints consumed_inputs, int is_test = 0, int spatial = 1, ", ""), BATCH},
    {0}
};
