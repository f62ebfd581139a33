/* SPDX-License-Identifier: Apache-2.0
 * operand.c - gives operands as elements of another type, and converts results back. */
#include "kernels/common/half.h"
#include "ops/kit/op.h"

void oc_convert_fast(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
                     int64_t n)
{
    if (to_type == OC_F32 && oc_type_is_half(from_type))
        oc_half_pick(from_type, cpu)->widen(to, from, n);
    else if (from_type == OC_F32 && oc_type_is_half(to_type))
        oc_half_pick(to_type, cpu)->narrow(to, from, n);
    else
        oc_convert(to, to_type, from, from_type, n, false);
}

oc_status oc_as_type(oc_call *c, oc_type type, const void *from, oc_type from_type, int64_t n,
                     const void **data)
{
    void *copy;
    *data = from;
    if (type == from_type)
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(c, copy, n, oc_type_size(type)));
    oc_convert_fast(oc_call_cpu(c), copy, type, from, from_type, n);
    *data = copy;
    return OC_OK;
}

oc_status oc_in_as(oc_call *c, int i, oc_type type, const void **data)
{
    const oc_value *v = oc_in(c, i);
    *data = NULL;
    return v ? oc_as_type(c, type, v->data, v->type, oc_value_n(v), data) : OC_OK;
}

oc_status oc_out_as(oc_call *c, int i, oc_type type, int64_t n, void **data)
{
    const oc_value *out = oc_out(c, i);
    if (!out || out->type != type)
        return OC_SCRATCH_OF(c, *data, n, oc_type_size(type));
    *data = out->data;
    return OC_OK;
}

void oc_out_from(oc_call *c, int i, oc_type type, const void *data)
{
    oc_value *out = oc_out(c, i);
    if (out && out->type != type)
        oc_convert_fast(oc_call_cpu(c), out->data, out->type, data, type, oc_value_n(out));
}
