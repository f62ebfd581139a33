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
    else if (to_type == OC_F64 && oc_type_is_half(from_type))
        oc_half_to_f64(oc_half_pick(from_type, cpu), to, from, n);
    else if (from_type == OC_F64 && oc_type_is_half(to_type))
        oc_half_of_f64(oc_half_pick(to_type, cpu), to, from, n);
    else
        oc_convert(to, to_type, from, from_type, n, false);
}

void oc_call_convert(oc_call *c, void *to, oc_type to_type, const void *from, oc_type from_type,
                     int64_t n)
{
    const oc_work w = oc_call_work(c, 0);
    oc_work_convert(&w, oc_call_cpu(c), to, to_type, from, from_type, n);
}

void oc_work_convert(const oc_work *w, unsigned cpu, void *to, oc_type to_type, const void *from,
                     oc_type from_type, int64_t n)
{
    const size_t to_size = oc_type_size(to_type), from_size = oc_type_size(from_type);
    OC_PIECES (w, p, n, 1 << 12)
        oc_convert_fast(cpu, (char *)to + (size_t)p.first * to_size, to_type,
                        (const char *)from + (size_t)p.first * from_size, from_type,
                        p.end - p.first);
}

oc_status oc_as_type(oc_call *c, oc_type type, const void *from, oc_type from_type, int64_t n,
                     const void **data)
{
    void *copy;
    *data = from;
    if (type == from_type)
        return OC_OK;
    OC_TRY(OC_SCRATCH_OF(c, copy, n, oc_type_size(type)));
    oc_call_convert(c, copy, type, from, from_type, n);
    *data = copy;
    return oc_check_limits(c);
}

oc_status oc_in_as(oc_call *c, int i, oc_type type, const void **data)
{
    const oc_value *v = oc_in_or_null(c, i);
    *data = NULL;
    return v ? oc_as_type(c, type, v->data, v->type, oc_value_n(v), data) : OC_OK;
}

oc_status oc_out_as(oc_call *c, int i, oc_type type, int64_t n, void **data)
{
    const oc_value *out = oc_out_or_null(c, i);
    if (!out || out->type != type)
        return OC_SCRATCH_OF(c, *data, n, oc_type_size(type));
    *data = out->data;
    return OC_OK;
}

void oc_out_from(oc_call *c, int i, oc_type type, const void *data)
{
    oc_value *out = oc_out_or_null(c, i);
    if (out && out->type != type)
        oc_call_convert(c, out->data, out->type, data, type, oc_value_n(out));
}
