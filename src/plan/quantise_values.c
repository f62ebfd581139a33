/* SPDX-License-Identifier: Apache-2.0
 * quantise_values.c - which values are known before a run, and what do codes mean? */
#include "ops/kit/call_run.h"
#include "plan/quantise.h"

#include <math.h>

enum {
    MOST = 64 << 10,
    DEEPEST = 8
}; /* bytes of a value that is looked at; steps that lead to it */

oc_type oc_quantise_type(const oc_quantiser *t, oc_name name)
{
    const oc_known_type known = oc_type_get(&t->g->types, name);
    return known.kind == OC_TENSOR ? known.type : OC_UNDEFINED;
}

oc_step *oc_quantise_maker(const oc_quantiser *t, int place)
{
    return oc_place_is_slot(place) ? t->maker[place] : NULL;
}

/* ---- running a step ahead ---- */

/* May it run now, and give what it gives in any run? */
static bool is_plain(const oc_step *s)
{
    if (!s->op.version || s->op.hosts || s->op.sig->random || !s->op.version->shape)
        return false;
    for (int a = 0; a < s->op.sig->n_attr; a++)
        if (s->graph[a])
            return false;
    return true;
}

/* What does not compute here is left to the run. */
static oc_status forgive(const oc_quantiser *t, oc_status status, bool *done)
{
    *done = status == OC_OK;
    if (status == OC_CANCELLED || status == OC_DEADLINE || status == OC_NOMEM)
        return status;
    if (status != OC_OK)
        *t->p->e = (oc_error){.code = OC_OK};
    return OC_OK;
}

static void no_remark(void *runtime, const void *about, const char *line)
{
    (void)runtime, (void)about, (void)line;
}

/* rule: oc_call_run, or oc_call_plan, which gives dims alone. */
static oc_status run(oc_quantiser *t, const oc_step *s, const oc_value *const *in,
                     oc_status (*rule)(oc_call *c), oc_value *y, bool *done)
{
    oc_value **out = oc_arena_array(&t->scratch, (size_t)s->op.n_out, sizeof *out);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    *y = (oc_value){0};
    out[0] = y;
    oc_services services = t->p->services;
    services.remark = no_remark;
    oc_call c = oc_step_call(s, in, out, &services);
    OC_TRY(oc_watch_step(services.watch, t->p->e));
    return forgive(t, rule(&c), done);
}

static oc_status try(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                     oc_status (*rule)(oc_call *c), oc_value *y, bool *done)
{
    const size_t n = (size_t)s->op.n_in;
    oc_value *values = oc_arena_array(&t->scratch, n, sizeof *values);
    const oc_value **in = oc_arena_array(&t->scratch, n, sizeof *in);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    *done = is_plain(s);
    for (int k = 0; k < s->op.n_in && *done; k++) {
        if (!given[k] && s->in[k] == OC_NOWHERE)
            continue;
        in[k] = given[k] ? given[k] : &values[k];
        *done = given[k] || oc_quantise_known(t, s->in[k], &values[k]);
    }
    return *done ? run(t, s, in, rule, y, done) : OC_OK;
}

oc_status oc_quantise_try(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                          oc_value *y, bool *done)
{
    return try(t, s, given, oc_call_run, y, done);
}

oc_status oc_quantise_try_dims(oc_quantiser *t, const oc_step *s, const oc_value *const given[],
                               oc_dims *dims, bool *done)
{
    oc_value y = {0};
    OC_TRY(try(t, s, given, oc_call_plan, &y, done));
    *dims = y.dims;
    oc_value_unref(&y);
    return OC_OK;
}

/* ---- known values ---- */

static oc_status compute(oc_quantiser *t, int slot, int deepest, bool *done);

static oc_status find(oc_quantiser *t, int place, int deepest, oc_value *v, bool *done)
{
    *done = false;
    if (oc_place_is_constant(place)) {
        const oc_value *constant = &t->p->plan->constant[oc_constant_at(place)];
        if (constant->kind != OC_TENSOR || oc_value_bytes(constant) > MOST)
            return OC_OK;
        OC_TRY(oc_plan_align(t->p, place));
        *v = t->p->plan->constant[oc_constant_at(place)];
        *done = true;
    } else if (oc_quantise_maker(t, place)) {
        OC_TRY(compute(t, place, deepest, done));
        *v = t->value[place];
    }
    return OC_OK;
}

/* The value of a slot that one step makes of few known values. */
static oc_status compute(oc_quantiser *t, int slot, int deepest, bool *done)
{
    const oc_step *s = t->maker[slot];
    *done = t->value[slot].data != NULL;
    if (t->asked[slot] || deepest == 0)
        return OC_OK;
    t->asked[slot] = true;
    oc_value *values = oc_arena_array(&t->scratch, (size_t)s->op.n_in, sizeof *values);
    const oc_value **in = oc_arena_array(&t->scratch, (size_t)s->op.n_in, sizeof *in);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    *done = is_plain(s) && s->op.n_out == 1;
    for (int k = 0; k < s->op.n_in && *done; k++)
        if (s->in[k] != OC_NOWHERE) {
            OC_TRY(find(t, s->in[k], deepest - 1, &values[k], done));
            in[k] = &values[k];
        }
    if (*done)
        OC_TRY(run(t, s, in, oc_call_run, &t->value[slot], done));
    if (*done && t->value[slot].kind == OC_TENSOR && oc_value_bytes(&t->value[slot]) <= MOST)
        return OC_OK;
    oc_value_unref(&t->value[slot]);
    t->value[slot] = (oc_value){0};
    *done = false;
    return OC_OK;
}

/* An error stays in the planner's. */
bool oc_quantise_known(oc_quantiser *t, int place, oc_value *v)
{
    bool done;
    return find(t, place, DEEPEST, v, &done) == OC_OK && done;
}

/* ---- codes ---- */

static bool are_positive(const float *scale, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(scale[i] > 0 && isfinite(scale[i])))
            return false;
    return true;
}

/* A vector of one element for each scale, or no vector where there is one scale. */
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
        !oc_quantise_known(t, s->in[1], &scale) || scale.type != OC_F32)
        return false;
    codes->n = oc_value_n(&scale);
    codes->scale = scale.data;
    if (!fits(&scale, codes->n) || !are_positive(codes->scale, codes->n))
        return false;
    if (s->op.n_in < 3 || s->in[2] == OC_NOWHERE)
        return true;
    if (!oc_quantise_known(t, s->in[2], &zero) || zero.type != codes->type ||
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

/* ---- dims ---- */

bool oc_quantise_dims(oc_quantiser *t, int place, oc_dims *dims)
{
    const oc_step *s = oc_quantise_maker(t, place);
    const oc_traits *traits = s && s->op.version ? oc_step_traits(s) : NULL;
    oc_value v;
    if (traits && traits->codes == OC_QUANTISES)
        return oc_quantise_dims(t, s->in[0], dims);
    if (oc_place_is_constant(place))
        v = t->p->plan->constant[oc_constant_at(place)];
    else if (!oc_quantise_known(t, place, &v))
        return false;
    *dims = v.dims;
    return v.kind == OC_TENSOR;
}
