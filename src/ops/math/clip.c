/* SPDX-License-Identifier: Apache-2.0
 * clip.c - Clip: min(max(x, low), high). Where low > high every result is high; NaN stays NaN. */
#include "ops/kit/elementwise.h"

#include <math.h>

#define ROW(name, T)                                                                               \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n,            \
                     const void *ctx)                                                              \
    {                                                                                              \
        (void)step, (void)ctx;                                                                     \
        T *y = y_;                                                                                 \
        const T *p = x_[0], low = *(const T *)x_[1], high = *(const T *)x_[2];                     \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T x = p[i], raised = x < low ? low : x;                                          \
            y[i] = raised > high ? high : raised;                                                  \
        }                                                                                          \
    }
ROW(clip_f64, double)
ROW(clip_i8, int8_t)
ROW(clip_i16, int16_t)
ROW(clip_i32, int32_t)
ROW(clip_i64, int64_t)
ROW(clip_u8, uint8_t)
ROW(clip_u16, uint16_t)
ROW(clip_u32, uint32_t)
ROW(clip_u64, uint64_t)

/* Sets the least or the greatest value of a type, which is what -Inf or Inf converts to. */
static void set_extreme(uint64_t *element, oc_type type, double infinity)
{
    oc_convert(element, type, &infinity, OC_F64, 1, false);
}

static oc_status clip(oc_call *c, const oc_value *low, const oc_value *high)
{
    const oc_rows rows = {OC_PLAIN_ENTRIES(c, clip, clip), OC_INTEGER_ENTRIES(clip)};
    const oc_value *x[] = {oc_in(c, 0), low, high};
    return oc_run_rows(c, rows, oc_out(c, 0), x, 3, NULL);
}

/* ---- bounds as inputs */

static oc_status clip_shape(oc_call *c)
{
    for (int i = 1; i < 3; i++) {
        const oc_value *bound = oc_in_or_null(c, i);
        if (bound && (oc_value_n(bound) != 1 || bound->dims.rank > oc_in(c, 0)->dims.rank))
            return oc_fail_dims(c, i, "expected a scalar");
    }
    return oc_same_shape(c);
}

static oc_status clip_run(oc_call *c)
{
    const oc_type type = oc_in(c, 0)->type;
    const oc_dims scalar = {0, {0}};
    uint64_t least, greatest;
    set_extreme(&least, type, -INFINITY);
    set_extreme(&greatest, type, INFINITY);
    oc_value low = oc_value_borrow(type, scalar, &least);
    oc_value high = oc_value_borrow(type, scalar, &greatest);
    const oc_value *min = oc_in_or_null(c, 1), *max = oc_in_or_null(c, 2);
    if (min)
        low.data = min->data;
    if (max)
        high.data = max->data;
    return clip(c, &low, &high);
}

/* ---- bounds as attributes, before opset 11 */

static oc_status clip_attr_run(oc_call *c)
{
    const oc_type type = oc_in(c, 0)->type;
    const oc_dims scalar = {0, {0}};
    const float least = oc_attr_has(c, "min") ? oc_attr_float(c, "min") : -INFINITY;
    const float greatest = oc_attr_has(c, "max") ? oc_attr_float(c, "max") : INFINITY;
    uint64_t low_element, high_element;
    oc_convert(&low_element, type, &least, OC_F32, 1, false);
    oc_convert(&high_element, type, &greatest, OC_F32, 1, false);
    const oc_value low = oc_value_borrow(type, scalar, &low_element);
    const oc_value high = oc_value_borrow(type, scalar, &high_element);
    return clip(c, &low, &high);
}

/* clang-format off */
#define SIG(set) "Clip (T input^*, T min?, T max?) => (T output) | T: " set
#define ATTR_SIG(attrs) "Clip <" attrs "> (T input^*) => (T output) | T: ieee"
#define LEAST "-3.4028234663852886e+38" /* the ends of float's range */
#define MOST  "3.4028234663852886e+38"
const oc_op oc_ops_clip[] = {
    {13, SIG("numeric_ir4"), clip_shape, clip_run},
    {12, SIG("numeric"),     clip_shape, clip_run},
    {11, SIG("ieee; change input 1 from min or " LEAST "; change input 2 from max or " MOST),
         clip_shape, clip_run},
    { 6, ATTR_SIG("float max = " MOST ", float min = " LEAST), oc_same_shape, clip_attr_run},
    { 1, ATTR_SIG("float max?, float min?, ints consumed_inputs?"), oc_same_shape, clip_attr_run},
    {0}
};
/* clang-format on */
