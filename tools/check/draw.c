/* SPDX-License-Identifier: Apache-2.0
 * draw.c - draws random numbers that an input of a case may hold, and changes its numbers. */
#include "check/draw.h"

#include "check/form.h"
#include "check/numbers.h"
#include "common/number.h"
#include "values/fill.h"

#include <math.h>

draw_rule draw_rule_of(const check_input *in, const check_spec *spec, const check_form *form,
                       oc_type type)
{
    draw_rule r = {.type = type, .kind = in->kind, .below = in->below, .mild = spec->mild};
    const bool any = r.kind == CHECK_ANY || r.kind == CHECK_GIVEN;
    if (any && form && check_form_is_mixed(spec, form) && number_is_float(type))
        r.kind = CHECK_MODEST;
    return r;
}

static bool is_within(double x, double least, double end)
{
    return x >= least && x < end;
}

static bool is_allowed(const draw_rule *r, double x)
{
    switch (r->kind) {
    case CHECK_MODEST:
        return number_is_float(r->type) ? is_within(x, -4, 4) : is_within(x, -100, 200);
    case CHECK_POSITIVE:
        return is_within(x, 0.25, 4.25);
    case CHECK_UNIT:
        return is_within(x, 0, 1);
    case CHECK_SIGNED:
        return fabs(x) <= 1;
    case CHECK_BELOW:
        return is_within(x, 0, r->below);
    case CHECK_GIVEN: /* sums of a few thousand of these overflow in float16 only */
        return !number_is_float(r->type) || !isfinite(x) || fabs(x) <= 1e5;
    default:
        return !r->mild || isnan(x) || isinf(x) || fabs(x) <= 4;
    }
}

static double new_number(const draw_rule *r, uint64_t key)
{
    const double u = fill_unit(key, 1);
    switch (r->kind) {
    case CHECK_POSITIVE:
        return 0.25 + 3.9 * u;
    case CHECK_UNIT:
        return 0.99 * u;
    case CHECK_SIGNED:
        return 2 * u - 1;
    case CHECK_BELOW:
        return floor(u * r->below);
    case CHECK_MODEST:
        return check_number(r->type, CHECK_PLAIN, key, 0, 1) * 0.99;
    default: {
        const check_fill fill = (check_fill)(fill_bits(key, 2) % CHECK_N_FILLS);
        return check_number(r->type, r->mild && fill != CHECK_HALVES ? CHECK_MILD : fill, key, 0,
                            1);
    }
    }
}

static double number_at(const oc_value *v, int64_t i)
{
    return number_get(oc_value_type(v), oc_value_data(v), i);
}

void draw_new(const draw_rule *r, oc_value *v, int64_t i, uint64_t key)
{
    number_set(r->type, oc_value_mutable_data(v), i, new_number(r, key));
}

/* Draws another number in place of one that is not allowed. */
static void mend(const draw_rule *r, oc_value *v, int64_t i, uint64_t key)
{
    if (!is_allowed(r, number_at(v, i)))
        draw_new(r, v, i, key);
}

void draw_take(const draw_rule *r, oc_value *v, int64_t i, const oc_value *from, int64_t k,
               uint64_t key)
{
    const size_t size = oc_type_size(r->type);
    if (oc_value_type(from) == r->type)
        memmove((char *)oc_value_mutable_data(v) + size * (size_t)i,
                (const char *)oc_value_data(from) + size * (size_t)k, size);
    else
        number_set(r->type, oc_value_mutable_data(v), i, number_at(from, k));
    mend(r, v, i, key);
}

/* ---- changes of one element ---- */

/* Is every pattern of bits an element of the type? */
static bool has_all_codes(oc_type type)
{
    return number_is_float_or_integer(type) && type != OC_U4 && type != OC_I4 && type != OC_U2 &&
           type != OC_I2 && type != OC_F4E2M1;
}

/* Flips a bit of element i, or adds a small number to its bits. */
static void change_bits(const draw_rule *r, oc_value *v, int64_t i, uint64_t bits, bool step)
{
    const size_t size = oc_type_size(r->type);
    unsigned char *at = (unsigned char *)oc_value_mutable_data(v) + size * (size_t)i;
    uint64_t code = 0;
    memcpy(&code, at, size);
    if (step)
        code += bits & 1 ? 1 + (bits >> 1) % 3 : (uint64_t)-1 - (bits >> 1) % 3;
    else
        code ^= (uint64_t)1 << bits % (8 * size);
    memcpy(at, &code, size);
}

static void change_one(const draw_rule *r, oc_value *v, int64_t i, uint64_t key)
{
    const uint64_t bits = fill_bits(key, 7);
    const int64_t n = oc_value_count(v), other = (int64_t)(fill_bits(key, 8) % (uint64_t)n);
    const double x = number_at(v, i);
    switch (fill_bits(key, 9) % 8) {
    case 0:
    case 1:
    case 2:
        if (has_all_codes(r->type)) {
            change_bits(r, v, i, bits, fill_bits(key, 9) % 8 == 2);
            break;
        }
        draw_new(r, v, i, key);
        break;
    case 3:
        number_set(r->type, oc_value_mutable_data(v), i,
                   bits & 1 ? -x : ldexp(x, (int)(bits >> 1 & 15) - 8));
        break;
    case 4:
        draw_take(r, v, i, v, other, key);
        break;
    case 5:
        draw_take(r, v, i, v, other, key);
        if (has_all_codes(r->type))
            change_bits(r, v, i, bits, true);
        break;
    case 6:
        number_set(r->type, oc_value_mutable_data(v), i, (double)(bits % 6));
        break;
    default:
        draw_new(r, v, i, key);
    }
    mend(r, v, i, key);
}

/* ---- changes of many ---- */

static void change_all(const draw_rule *r, oc_value *v, uint64_t key)
{
    const uint64_t what = fill_bits(key, 10) % 5, bits = fill_bits(key, 11);
    const double shift = new_number(r, fill_bits(key, 12));
    const int power = (int)(bits % 25) - 12;
    for (int64_t i = 0; i < oc_value_count(v); i++) {
        const uint64_t own = fill_bits(key, (uint64_t)i + 16);
        const double x = number_at(v, i);
        if (what == 0)
            number_set(r->type, oc_value_mutable_data(v), i, ldexp(x, power));
        else if (what == 1)
            number_set(r->type, oc_value_mutable_data(v), i, x + shift);
        else if (what == 2)
            number_set(r->type, oc_value_mutable_data(v), i, shift);
        else if (what == 3 || own % 4 == 0)
            draw_new(r, v, i, own);
        mend(r, v, i, own);
    }
}

/* Sets neighbouring elements to one number. */
static void change_run(const draw_rule *r, oc_value *v, uint64_t key)
{
    const int64_t n = oc_value_count(v), first = (int64_t)(fill_bits(key, 13) % (uint64_t)n);
    const int64_t size = 1 + (int64_t)(fill_bits(key, 14) % 8);
    const double x = new_number(r, fill_bits(key, 15));
    for (int64_t i = first; i < n && i < first + size; i++) {
        number_set(r->type, oc_value_mutable_data(v), i, x);
        mend(r, v, i, key);
    }
}

bool draw_change(const draw_rule *r, oc_value *v, uint64_t key)
{
    const int64_t n = oc_value_count(v);
    if (n == 0 || oc_value_kind(v) != OC_TENSOR || r->type == OC_STRING)
        return false;
    const uint64_t what = fill_bits(key, 3) % 8;
    if (what == 0)
        change_all(r, v, key);
    else if (what == 1)
        change_run(r, v, key);
    else
        change_one(r, v, (int64_t)(fill_bits(key, 4) % (uint64_t)n), key);
    return true;
}
