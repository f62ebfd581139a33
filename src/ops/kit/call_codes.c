/* SPDX-License-Identifier: Apache-2.0
 * call_codes.c - what operators ask and tell about 8-bit codes (plan/quantise/quantise.c). */
#include "ops/kit/call.h"

float oc_in_zero(const oc_call *c, int i)
{
    const oc_value *v = oc_in_or_null(c, i);
    return !v                 ? 0
           : v->type == OC_I8 ? (float)*(const int8_t *)v->data
                              : (float)*(const uint8_t *)v->data;
}

bool oc_call_made_of_numbers(const oc_call *c)
{
    return c->op->code_limits != NULL;
}

void oc_call_code_limits(const oc_call *c, oc_type type, float *low, float *high)
{
    const int *limits = c->op->code_limits;
    *low = (float)(limits ? limits[0] : type == OC_I8 ? INT8_MIN : 0);
    *high = (float)(limits ? limits[1] : type == OC_I8 ? INT8_MAX : UINT8_MAX);
}

void oc_moves_first(OC_UNUSED const oc_call *c, oc_moves *m)
{
    m->inputs = 1;
}

void oc_moves_all(const oc_call *c, oc_moves *m)
{
    const int n = c->op->n_in;
    m->inputs = n < 64 ? (UINT64_C(1) << n) - 1 : 0;
}
