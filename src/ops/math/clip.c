/* SPDX-License-Identifier: Apache-2.0
 * clip.c - Clip: min(max(x, low), high). Where low > high every result is high; NaN stays NaN. */
#include "ops/kit/elementwise.h"

#define ROW(name, T)                                                                               \
    OC_ROW(name)                                                                                   \
    {                                                                                              \
        (void)step, (void)ctx;                                                                     \
        T *y = y_;                                                                                 \
        const T *p = x_[0], low = *(const T *)x_[1], high = *(const T *)x_[2];                     \
        EACH_CLIPPED(T)                                                                            \
    }
#define EACH_CLIPPED(T)                                                                            \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const T x = p[i], raised = x < low ? low : x;                                              \
        y[i] = raised > high ? high : raised;                                                      \
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

/* The elements of the two bounds, in the room of the stage. */
static uint64_t *bounds(oc_call *c, oc_stage *s)
{
    uint64_t *elements = oc_stage_room(s, 2 * sizeof *elements);
    for (int i = 0; i < 2; i++)
        s->own[i] = oc_value_borrow(oc_in(c, 0)->type, (oc_dims){0, {0}}, &elements[i]);
    return elements;
}

static oc_status clip(oc_call *c, oc_stage *s)
{
    const oc_rows rows = {OC_PLAIN_ENTRIES(c, clip, clip), OC_INTEGER_ENTRIES(clip)};
    const oc_value *x[] = {oc_in(c, 0), &s->own[0], &s->own[1]};
    OC_TRY(oc_stage_rows(c, s, rows, x, 3, NULL, 0));
    s->clamps = x[0]->type == OC_F32 || oc_type_is_half(x[0]->type);
    oc_convert(&s->least, OC_F32, s->own[0].data, s->own[0].type, s->clamps, false);
    oc_convert(&s->greatest, OC_F32, s->own[1].data, s->own[1].type, s->clamps, false);
    return OC_OK;
}

static oc_status clip_shape(oc_call *c)
{
    for (int i = 1; i < 3; i++) {
        const oc_value *bound = oc_in_or_null(c, i);
        if (bound && (oc_value_n(bound) != 1 || bound->dims.rank > oc_in(c, 0)->dims.rank))
            return oc_fail_dims(c, i, "expected a scalar");
    }
    return oc_same_shape(c);
}

static oc_status clip_stage(oc_call *c, oc_stage *s)
{
    uint64_t *element = bounds(c, s);
    for (int i = 0; i < 2; i++) {
        const oc_value *bound = oc_in_or_null(c, 1 + i);
        if (bound)
            s->own[i].data = bound->data;
        else
            set_extreme(&element[i], oc_in(c, 0)->type, i ? INFINITY : -INFINITY);
    }
    return clip(c, s);
}

static oc_status clip_attr_stage(oc_call *c, oc_stage *s)
{
    const oc_type type = oc_in(c, 0)->type;
    uint64_t *element = bounds(c, s);
    const float least = oc_attr_has(c, "min") ? oc_attr_float(c, "min") : -INFINITY;
    const float greatest = oc_attr_has(c, "max") ? oc_attr_float(c, "max") : INFINITY;
    oc_convert(&element[0], type, &least, OC_F32, 1, false);
    oc_convert(&element[1], type, &greatest, OC_F32, 1, false);
    return clip(c, s);
}

/* clang-format off */
#define SIG(set) "Clip (T input*, T min?, T max?) => (T output) | T: " set
#define ATTR_SIG(attrs) "Clip <" attrs "> (T input*) => (T output) | T: ieee"
#define CLIP      clip_shape, oc_run_stage, OC_TRAITS(.stage = clip_stage, .codes = OC_CLAMPS)
#define ATTR_CLIP oc_same_shape, oc_run_stage, OC_TRAITS(.stage = clip_attr_stage, .codes = OC_CLAMPS)
#define LEAST "-3.4028234663852886e+38" /* the ends of float's range */
#define MOST  "3.4028234663852886e+38"
const oc_op oc_ops_clip[] = {
    {13, SIG("numeric_ir4"), CLIP},
    {12, SIG("numeric"),     CLIP},
    {11, SIG("ieee; change input 1 from min or " LEAST "; change input 2 from max or " MOST),
         CLIP},
    { 6, ATTR_SIG("float max = " MOST ", float min = " LEAST), ATTR_CLIP},
    { 1, ATTR_SIG("float max?, float min?, ints consumed_inputs?"), ATTR_CLIP},
    {0}
};
