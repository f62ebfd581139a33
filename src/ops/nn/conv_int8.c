/* SPDX-License-Identifier: Apache-2.0
 * conv_int8.c - packs constant weights, brings zero points and scales into a bias and a factor for
 * each output channel, and calls the kernel. */
#include "ops/nn/conv_int8.h"

#include "kernels/conv/conv.h"
#include "kernels/conv/conv_int8.h"
#include "ops/kit/layout.h"

/* Data made of the constant operands of a node. */
typedef struct packed {
    oc_conv_algorithm algorithm; /* algorithm that reads w */
    const int8_t *w;
    const int32_t *sum; /* sum of the weights of each output channel */
    const int32_t *b;   /* numbers with which sums begin; NULL: the zero point of x is not
                         * constant */
    const int32_t *z;   /* NULL: weights fit 8 bits without their zero points */
    const float *factor;
    bool only; /* true: only the packed weights are read, because it runs in NCHW16c alone */
} packed;

int oc_element_int8(const oc_value *v, int64_t i)
{
    if (!v)
        return 0;
    const int64_t at = oc_value_n(v) == 1 ? 0 : i;
    return v->type == OC_U8 ? ((const uint8_t *)v->data)[at] : ((const int8_t *)v->data)[at];
}

/* x has the type of its zero point, which the plan knows if it is constant. */
static uint8_t flip_of(const oc_call *c, const oc_conv_ports *p)
{
    const oc_value *zero = oc_in_or_null(c, p->x_zero);
    return (zero ? zero : oc_in(c, p->x))->type == OC_I8 ? OC_INT8_SIGN : 0;
}

/* Are scales given, so that results are 8-bit integers? Else they are the sums. */
static bool has_scales(const oc_conv_ports *p)
{
    return p->y_scale >= 0;
}

/* Makes the convolution without its data. The packed data `kept` tells the algorithm; NULL: nothing
 * is packed yet. */
static oc_conv_int8 int8_conv(const oc_call *c, const oc_conv *g, const packed *kept)
{
    oc_conv_int8 l = {.cpu = oc_call_cpu(c),
                      .images = g->images,
                      .groups = g->groups,
                      .channels = g->channels,
                      .out_channels = g->out_channels,
                      .window = g->window};
    oc_conv_merge_axes(&l.window);
    l.algorithm = kept ? kept->algorithm : oc_conv_int8_choose(&l);
    return l;
}

/* ---- constant operands ---- */

/* Are the weights signed bytes without zero points? */
static bool are_signed(const oc_call *c, const oc_conv_ports *p)
{
    const oc_value *zeros = oc_in_or_null(c, p->w_zero);
    bool all = oc_in(c, p->w)->type == OC_I8;
    for (int64_t m = 0; all && zeros && m < oc_value_n(zeros); m++)
        all = oc_element_int8(zeros, m) == 0;
    return all;
}

/* Makes the weights signed bytes. fits: their zero points are subtracted. Otherwise signed
 * weights stay unchanged, and unsigned ones have 128 subtracted. */
static void make_signed(const oc_call *c, const oc_conv_ports *p, bool fits, int8_t *w)
{
    const oc_value *v = oc_in(c, p->w), *zeros = oc_in_or_null(c, p->w_zero);
    const int64_t taps = oc_dims_product(&v->dims, 1, v->dims.rank);
    const uint8_t sign = v->type == OC_U8 ? OC_INT8_SIGN : 0;
    const uint8_t *from = v->data;
    OC_CALL_LOOP (c, m, v->dims.n[0], 16) {
        const uint8_t less = (uint8_t)(fits ? oc_element_int8(zeros, m) : sign);
        for (int64_t i = m * taps; i < (m + 1) * taps; i++)
            w[i] = (int8_t)(uint8_t)(from[i] - less);
    }
}

/* Sums the weights of each output channel. */
static void add_weights(const oc_call *c, const oc_value *v, const int8_t *w, int32_t *sum)
{
    const int64_t taps = oc_dims_product(&v->dims, 1, v->dims.rank);
    OC_CALL_LOOP (c, m, v->dims.n[0], 16) {
        uint32_t all = 0;
        for (int64_t i = m * taps; i < (m + 1) * taps; i++) {
            const int32_t number = w[i];
            all += (uint32_t)number;
        }
        sum[m] = (int32_t)all;
    }
}

/* Do all weights less their zero points fit 8 bits? */
static bool do_fit(const oc_call *c, const oc_conv_ports *p)
{
    const oc_value *v = oc_in(c, p->w), *zeros = oc_in_or_null(c, p->w_zero);
    const int64_t taps = oc_dims_product(&v->dims, 1, v->dims.rank);
    const uint8_t flip = v->type == OC_I8 ? OC_INT8_SIGN : 0; /* makes signed numbers unsigned */
    const uint8_t *from = v->data;
    bool fits = true;
    OC_CALL_LOOP (c, m, v->dims.n[0], 16) {
        uint8_t low = UINT8_MAX, high = 0;
        for (int64_t i = m * taps; i < (m + 1) * taps; i++) {
            const uint8_t number = from[i] ^ flip;
            if (number < low)
                low = number;
            if (number > high)
                high = number;
        }
        const int less = oc_element_int8(zeros, m) + flip;
        fits = fits && low - less >= INT8_MIN && high - less <= INT8_MAX;
    }
    return fits;
}

/* Makes z: the numbers by which weights are too large that were packed without subtracting their
 * zero points. */
static oc_status make_z(oc_call *c, const oc_conv_ports *p, int64_t n, const int32_t **made)
{
    const oc_value *zeros = oc_in_or_null(c, p->w_zero);
    const int sign = oc_in(c, p->w)->type == OC_U8 ? INT8_MIN : 0;
    const int64_t all = oc_channel_blocks(n) * OC_BLOCK_CHANNELS;
    int32_t *z = oc_keep_room(c, (uint64_t)all * sizeof *z);
    if (!z)
        return OC_NOMEM;
    for (int64_t m = 0; m < all; m++)
        z[m] = m < n ? oc_element_int8(zeros, m) + sign : 0;
    *made = z;
    return OC_OK;
}

/* Computes the number with which the sum of each output channel begins: its bias, less the zero
 * point of x times the sum of its weights. */
static void fill_bias(const oc_call *c, const oc_conv_ports *p, const int32_t *sum, int64_t n,
                      int32_t *b)
{
    const oc_value *bias = oc_in_or_null(c, p->bias);
    const int zero = oc_element_int8(oc_in_or_null(c, p->x_zero), 0) + flip_of(c, p);
    for (int64_t m = 0; m < oc_channel_blocks(n) * OC_BLOCK_CHANNELS; m++) {
        const int32_t first = m < n && bias ? ((const int32_t *)bias->data)[m] : 0;
        b[m] = m < n ? (int32_t)((uint32_t)first - (uint32_t)zero * (uint32_t)sum[m]) : 0;
    }
}

static oc_status make_bias(oc_call *c, const oc_conv_ports *p, const int32_t *sum, int64_t n,
                           const int32_t **made)
{
    int32_t *b = oc_keep_room(c, (uint64_t)oc_channel_blocks(n) * OC_BLOCK_CHANNELS * sizeof *b);
    if (!b)
        return OC_NOMEM;
    fill_bias(c, p, sum, n, b);
    *made = b;
    return OC_OK;
}

static float scale_of(const oc_call *c, int i, int64_t at)
{
    const oc_value *v = oc_in(c, i);
    return ((const float *)v->data)[oc_value_n(v) == 1 ? 0 : at];
}

static oc_status make_factors(oc_call *c, const oc_conv_ports *p, int64_t n, const float **made)
{
    const int64_t all = oc_channel_blocks(n) * OC_BLOCK_CHANNELS;
    float *factor = oc_keep_room(c, (uint64_t)all * sizeof *factor);
    if (!factor)
        return OC_NOMEM;
    for (int64_t m = 0; m < all; m++)
        factor[m] = m < n
                        ? oc_rescale_factor(scale_of(c, p->x_scale, 0) *
                                            scale_of(c, p->w_scale, m) / scale_of(c, p->y_scale, 0))
                        : 0;
    *made = factor;
    return OC_OK;
}

static bool has_scales_for(const oc_call *c, const oc_conv_ports *p, int64_t n)
{
    const oc_value *scale = oc_in(c, p->w_scale);
    return (oc_value_n(scale) == 1 || oc_value_n(scale) == n) &&
           oc_value_n(oc_in(c, p->x_scale)) == 1 && oc_value_n(oc_in(c, p->y_scale)) == 1 &&
           oc_value_n(oc_in(c, p->x_zero)) == 1;
}

/* Do the operands that prepare reads have dims which the shape rule will accept? */
static bool are_sound(const oc_call *c, const oc_conv_ports *p, int64_t groups)
{
    const oc_value *w = oc_in(c, p->w), *bias = oc_in_or_null(c, p->bias);
    const oc_value *zero = oc_in_or_null(c, p->w_zero);
    const int64_t n = w->dims.rank >= 3 ? w->dims.n[0] : 0;
    return w->dims.rank >= 3 && w->dims.rank <= 4 && oc_value_n(w) > 0 && groups >= 1 &&
           n % groups == 0 && (!bias || oc_value_n(bias) == n) &&
           (!zero || oc_value_n(zero) == 1 || oc_value_n(zero) == n) &&
           (!has_scales(p) || has_scales_for(c, p, n));
}

static oc_status keep_packed(oc_call *c, const oc_conv_ports *p, const oc_conv_int8 *g, bool only)
{
    const oc_value *w = oc_in(c, p->w);
    const int64_t n = w->dims.n[0], area = oc_dims_product(&w->dims, 2, w->dims.rank);
    const oc_work by = oc_call_work(c, 0);
    packed made = {.algorithm = g->algorithm, .only = only};
    int8_t *dense = w->data, *room;
    int32_t *sum;
    const bool as_they_are = are_signed(c, p), fits = as_they_are || do_fit(c, p);
    if (!fits && g->groups > 1)
        return OC_OK;
    sum = oc_keep_room(c, (uint64_t)n * sizeof *sum);
    if (!sum)
        return OC_NOMEM;
    if (!as_they_are) {
        OC_TRY(OC_SCRATCH(c, dense, oc_value_n(w)));
        make_signed(c, p, fits, dense);
    }
    add_weights(c, w, dense, sum);
    if (!fits)
        OC_TRY(make_z(c, p, n, &made.z));
    room = oc_keep_room(c, (uint64_t)oc_conv_int8_packed(g, area));
    if (!room)
        return OC_NOMEM;
    oc_conv_int8_pack(g, room, dense, area, &by);
    made.w = room;
    made.sum = sum;
    if (has_scales(p)) {
        OC_TRY(make_bias(c, p, sum, n, &made.b));
        OC_TRY(make_factors(c, p, n, &made.factor));
    }
    packed *kept = oc_call_keep(c, sizeof *kept);
    if (!kept)
        return OC_NOMEM;
    *kept = made;
    if (only)
        oc_call_consume(c);
    return OC_OK;
}

oc_status oc_conv_prepare_int8(oc_call *c, const oc_conv_ports *p)
{
    const oc_value *w = oc_in(c, p->w);
    const int64_t groups = oc_attr_int(c, "group");
    if (!are_sound(c, p, groups))
        return OC_OK;
    oc_conv g = {.groups = groups, .channels = w->dims.n[1], .out_channels = w->dims.n[0] / groups};
    const bool known = oc_dims_known(&oc_in(c, p->x)->dims);
    g.window.axes = w->dims.rank - 2;
    if (known) {
        OC_TRY(oc_conv_geometry(c, p->x, p->w, p->bias, &g));
    } else {
        OC_TRY(oc_conv_kernel(c, &w->dims, &g.window));
        OC_TRY(oc_window_steps(c, &g.window));
    }
    const oc_conv_int8 l = int8_conv(c, &g, NULL);
    return known && !oc_conv_int8_suits(&l) ? OC_OK : keep_packed(c, p, &l, known);
}

/* ---- layouts and run ---- */

void oc_conv_layouts_int8(oc_call *c, const oc_conv_ports *p, oc_layouts *l)
{
    const oc_value *y = oc_out_or_null(c, 0), *x = oc_in(c, p->x);
    const packed *kept = oc_call_prepared(c);
    oc_conv g;
    if (!kept || !oc_nchw16c_fits(has_scales(p) ? y->type : OC_F32, &y->dims) ||
        !oc_nchw16c_fits(x->type, &x->dims) || oc_value_n(y) == 0 ||
        oc_conv_geometry(c, p->x, p->w, p->bias, &g) != OC_OK)
        return;
    const oc_conv_int8 made = int8_conv(c, &g, kept);
    if (!oc_conv_int8_suits(&made))
        return;
    const uint64_t of_x = UINT64_C(1) << p->x;
    l->either = oc_conv_int8_takes_nchw(&made) ? of_x : 0;
    l->blocked = of_x & ~l->either;
    l->faster = true;
    l->out = has_scales(p);
    l->only = kept->only;
}

bool oc_conv_runs_int8(const oc_call *c, const oc_conv_ports *p, const oc_conv *g)
{
    const packed *kept = oc_call_prepared(c);
    if (!kept)
        return false;
    const oc_conv_int8 l = int8_conv(c, g, kept);
    return oc_conv_int8_suits(&l) && (oc_in(c, p->x)->nchw16c || oc_conv_int8_takes_nchw(&l));
}

/* Makes the convolution of a call, without its results. */
static oc_status make_conv(oc_call *c, const oc_conv_ports *p, const oc_conv *g, oc_conv_int8 *l)
{
    const oc_value *x = oc_in(c, p->x);
    const packed *kept = oc_call_prepared(c);
    const int64_t n = g->groups * g->out_channels;
    *l = int8_conv(c, g, kept);
    l->x = x->data;
    l->nchw = !x->nchw16c;
    l->flip = flip_of(c, p);
    l->zero = (uint8_t)(oc_element_int8(oc_in_or_null(c, p->x_zero), 0) + l->flip);
    l->w = kept->w;
    l->b = kept->b;
    l->z = kept->z;
    l->work = oc_call_work(c, oc_conv_int8_work(l));
    if (kept->b)
        return OC_OK;
    int32_t *b;
    OC_TRY(OC_SCRATCH(c, b, oc_channel_blocks(n) * OC_BLOCK_CHANNELS));
    fill_bias(c, p, kept->sum, n, b);
    l->b = b;
    return OC_OK;
}

static oc_status run(oc_call *c, const oc_conv_int8 *l)
{
    char *scratch;
    OC_TRY(OC_SCRATCH(c, scratch, oc_conv_int8_scratch(l)));
    oc_conv_int8_run(l, scratch);
    return OC_OK;
}

oc_status oc_conv_run_int8(oc_call *c, const oc_conv_ports *p, const oc_conv *g)
{
    const oc_value *y = oc_out(c, 0);
    const packed *kept = oc_call_prepared(c);
    float low, high;
    oc_call_code_limits(c, y->type, &low, &high);
    const oc_rescale rescale = {kept->factor, oc_element_int8(oc_in(c, p->y_zero), 0), (int32_t)low,
                                (int32_t)high};
    oc_conv_int8 l;
    OC_TRY(make_conv(c, p, g, &l));
    l.rescale = &rescale;
    l.y = y->data;
    return run(c, &l);
}

/* Sums come into NCHW as floats do, whose bits are moved. */
oc_status oc_conv_sum_int8(oc_call *c, const oc_conv_ports *p, const oc_conv *g)
{
    const oc_value *y = oc_out(c, 0);
    const oc_dims in_memory = oc_value_block_dims(&y->dims);
    oc_value from = oc_value_borrow(OC_F32, y->dims, NULL);
    const oc_value to = oc_value_borrow(OC_F32, y->dims, y->data);
    oc_conv_int8 l;
    OC_TRY(make_conv(c, p, g, &l));
    OC_TRY(OC_SCRATCH_OF(c, l.y, oc_dims_count(&in_memory), sizeof(int32_t)));
    OC_TRY(run(c, &l));
    from.data = l.y;
    from.nchw16c = true;
    oc_call_copy_layout(c, &to, &from);
    return OC_OK;
}
