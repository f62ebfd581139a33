/* SPDX-License-Identifier: Apache-2.0
 * values.c - computes steps on given inputs, and tells what codes mean. */
#include "ops/kit/call_run.h"
#include "plan/quantise/quantise.h"

#include <math.h>

oc_type oc_quantise_type(const oc_quantiser *t, oc_name name)
{
    const oc_known_type known = oc_type_get(&t->g->types, name);
    return known.kind == OC_TENSOR ? known.type : OC_UNDEFINED;
}

/* rule is oc_call_run, or oc_call_plan, which gives dims alone. */
static oc_status try_step(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                          oc_status (*rule)(oc_call *c), oc_value *y, bool *done)
{
    const size_t n = (size_t)s->op.n_in;
    oc_value *values = oc_arena_array(&t->scratch, n, sizeof *values);
    const oc_value **in = oc_arena_array(&t->scratch, n, sizeof *in);
    oc_value **out = oc_arena_array(&t->scratch, (size_t)s->op.n_out, sizeof *out);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    *done = oc_ahead_may(s);
    for (int k = 0; k < s->op.n_in && *done; k++) {
        if (!given[k] && s->in[k] == OC_NOWHERE)
            continue;
        in[k] = given[k] ? given[k] : &values[k];
        *done = given[k] || oc_ahead_known(t->p, t->g, s->in[k], &values[k]);
    }
    *y = (oc_value){0};
    out[0] = y;
    oc_call c = oc_step_call(s, in, out, &t->p->services);
    return *done ? oc_ahead_call(t->p, &c, rule, done) : OC_OK;
}

oc_status oc_quantise_try(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                          oc_value *y, bool *done)
{
    return try_step(t, s, given, oc_call_run, y, done);
}

oc_status oc_quantise_try_dims(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                               oc_dims *dims, bool *done)
{
    oc_value y = {0};
    OC_TRY(try_step(t, s, given, oc_call_plan, &y, done));
    *dims = y.dims;
    oc_value_unref(&y);
    return OC_OK;
}

static bool are_positive(const float *scale, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(scale[i] > 0 && isfinite(scale[i])))
            return false;
    return true;
}

/* Is it a vector of one element for each scale, or a scalar for one scale? */
static bool fits(const oc_value *v, int64_t n)
{
    return v->dims.rank <= 1 && oc_value_n(v) == n;
}

bool oc_quantise_scaled(oc_quantiser *t, const oc_step *s, oc_code_role role, oc_scaled *codes)
{
    const oc_traits *traits = s && s->op.version ? oc_step_traits(s) : NULL;
    oc_value scale, zero;
    if (!traits || traits->codes != role || !oc_place_is_slot(s->out[0]))
        return false;
    const bool from = role == OC_DEQUANTISES;
    const oc_name of_codes = from ? s->node->in[0] : s->node->out[0];
    const oc_name of_floats = from ? s->node->out[0] : s->node->in[0];
    const oc_call c = oc_step_call(s, NULL, NULL, &t->p->services);
    *codes = (oc_scaled){.step = s, .type = oc_quantise_type(t, of_codes)};
    if (oc_quantise_type(t, of_floats) != OC_F32 || !traits->code_axis(&c, &codes->axis) ||
        !oc_ahead_known(t->p, t->g, s->in[1], &scale) || scale.type != OC_F32)
        return false;
    codes->n = oc_value_n(&scale);
    codes->scale = scale.data;
    if (!fits(&scale, codes->n) || !are_positive(codes->scale, codes->n))
        return false;
    if (s->op.n_in < 3 || s->in[2] == OC_NOWHERE)
        return true;
    if (!oc_ahead_known(t->p, t->g, s->in[2], &zero) || zero.type != codes->type ||
        !fits(&zero, codes->n))
        return false;
    codes->zero = zero.data;
    return true;
}

int oc_quantise_zero(const oc_scaled *codes, int64_t i)
{
    return !codes->zero            ? 0
           : codes->type == OC_I32 ? ((const int32_t *)codes->zero)[i]
           : codes->type == OC_I8  ? ((const int8_t *)codes->zero)[i]
                                   : ((const uint8_t *)codes->zero)[i];
}

bool oc_quantise_dims(oc_quantiser *t, int place, oc_dims *dims)
{
    const oc_step *s = oc_edit_maker(t->g, place);
    const oc_traits *traits = s && s->op.version ? oc_step_traits(s) : NULL;
    oc_value v;
    if (traits && traits->codes == OC_QUANTISES)
        return oc_quantise_dims(t, s->in[0], dims);
    if (oc_place_is_constant(place))
        v = t->p->plan->constant[oc_constant_at(place)];
    else if (!oc_ahead_known(t->p, t->g, place, &v))
        return false;
    *dims = v.dims;
    return v.kind == OC_TENSOR;
}
