/* SPDX-License-Identifier: Apache-2.0
 * net_numbers.c - element types: rounding, and the bounds that follow from it. */
#include "net.h"

/* Of each type: its name in ONNX text, digits of the significand, least exponent of a normal
 * number, greatest finite number. Integers have none. */
static const struct {
    const char *name;
    int digits, least;
    double largest, unit, tiny; /* half the distance from 1 to the next number; the least number */
} types[] = {
    [NET_F32] = {"float", 24, -126, 0x1.fffffep127, 0x1p-24, 0x1p-149},
    [NET_F64] = {"double", 53, -1022, 0x1.fffffffffffffp1023, 0x1p-53, 0x1p-1074},
    [NET_F16] = {"float16", 11, -14, 65504, 0x1p-11, 0x1p-24},
    [NET_BF16] = {"bfloat16", 8, -126, 0x1.fep127, 0x1p-8, 0x1p-133},
    [NET_I8] = {"int8", 0, 0, 127, 0, 0},
    [NET_U8] = {"uint8", 0, 0, 255, 0, 0},
    [NET_I32] = {"int32", 0, 0, 2147483647, 0, 0},
    [NET_I64] = {"int64", 0, 0, 0x1p53, 0, 0},
    [NET_BOOL] = {"bool", 0, 0, 1, 0, 0},
};

const char *net_type_name(net_type type)
{
    return types[type].name;
}

bool net_is_float(net_type type)
{
    return types[type].digits > 0;
}

double net_largest(net_type type)
{
    return types[type].largest;
}

double net_unit(net_type type)
{
    return types[type].unit;
}

double net_sum_unit(net_type type)
{
    return type == NET_F64 ? 0x1p-53 : 0x1p-24;
}

double net_underflow(net_type type)
{
    return type == NET_F64 ? 0x1p-1074 : 0x1p-149;
}

double net_of_sums(net_type type, double most, double e)
{
    return most + e < (type == NET_F64 ? 0x1p1000 : 0x1p126) ? e : INFINITY;
}

double net_round(net_type type, double x)
{
    if (!net_is_float(type) || type == NET_F64 || x == 0 || !isfinite(x))
        return x;
    int exponent;
    frexp(x, &exponent);
    exponent--; /* x is 1.f times two to this power */
    if (exponent < types[type].least)
        exponent = types[type].least;
    const double step = ldexp(1, exponent - types[type].digits + 1);
    return rint(x / step) * step;
}

double net_bound(net_type type, double v, double e)
{
    if (!net_is_float(type))
        return e;
    const double most = fabs(v) + e;
    if (!(most < types[type].largest * (1 - types[type].unit)))
        return INFINITY;
    return e + most * types[type].unit +
           4 * types[type].tiny; /* of a few steps, each of which may lose one */
}

double net_gamma(net_type type, double additions)
{
    const double nu = (additions + 3) * (net_sum_unit(type) + 0x1p-53);
    return nu < 0.5 ? nu / (1 - nu) : INFINITY;
}

double net_cubic_weight(double d)
{
    const double a = -0.75;
    d = fabs(d);
    return d <= 1  ? ((a + 2) * d - (a + 3)) * d * d + 1
           : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
                   : 0;
}
