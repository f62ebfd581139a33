/* SPDX-License-Identifier: Apache-2.0
 * bit_cast.c - BitCast: the bits of each element, taken as another type of as many bits. */
#include "ops/kit/op.h"

static oc_status bit_cast_shape(oc_call *c)
{
    const int64_t number = oc_attr_int(c, "to");
    const oc_value *x = oc_in(c, 0);
    if (!oc_type_is_listed(number) || number == OC_STRING)
        return oc_fail(c, OC_VALUE,
                       "attribute 'to' is %" PRId64
                       ", expected the number of a data type, not string",
                       number);
    const oc_type to = (oc_type)number;
    if (oc_type_bits(to) != oc_type_bits(x->type))
        return oc_fail(
            c, OC_VALUE, "attribute 'to' is %s of %d bits, expected a type of %d bits as %s",
            oc_type_name(to), oc_type_bits(to), oc_type_bits(x->type), oc_type_name(x->type));
    return oc_set_out(c, 0, to, &x->dims);
}

/* An element of 2 or 4 bits has a byte, in which the sign of a signed one is repeated. */
static void cast_tiny(oc_call *c, uint8_t *y, oc_type type, const uint8_t *x, int64_t n)
{
    const int bits = oc_type_bits(type);
    const int sign = oc_type_in(type, OC_SET_TINY_SIGNED) ? 1 << (bits - 1) : 0;
    OC_CALL_LOOP (c, i, n, 1024)
        y[i] = (uint8_t)(((x[i] & ((1 << bits) - 1)) ^ sign) - sign);
}

static oc_status bit_cast_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    oc_value *y = oc_out(c, 0);
    if (oc_type_bits(y->type) < 8)
        cast_tiny(c, y->data, y->type, x->data, oc_value_n(x));
    else if (oc_value_n(x))
        oc_call_copy(c, y->data, x->data, oc_value_bytes(x));
    return OC_OK;
}

/* clang-format off */
#define ANY                                                                                        \
    "numeric_ir4 bool complex64 complex128 float8 uint4 int4 float4e2m1 float8e8m0 uint2 int2"
const oc_op oc_ops_bit_cast[] = {
    {26, "BitCast <int to@T2> (T1 input) => (T2 output) | T1: " ANY "; T2: " ANY,
         bit_cast_shape, bit_cast_run},
    {0}
};
