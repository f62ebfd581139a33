#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quantize.py - text cases of the quantization operators, by fractions and lists of numbers.

    python3 tests/oracle/quantize.py

writes tests/cases/quantize_linear/*.onnxtxt. Each quotient is an exact fraction, rounded by
cast.py's lists of all numbers of a format."""
import math
from fractions import Fraction

import numpy as np

from cast import BITS, FLOAT8, NUMBER, WITH_SIGN, to_float
from elements import fails
from text_case import File

FLOATS = ["float", "float16", "bfloat16"]
ALL = [k for k in ("int8", "uint8", "int16", "uint16", *FLOAT8, "uint4", "int4", "float4e2m1",
                   "uint2", "int2")]


def since(kind):
    return 10 if kind in ("int8", "uint8") else 19 if kind in FLOAT8 else \
        23 if kind == "float4e2m1" else 25 if kind in ("int2", "uint2") else 21


def quotient(x, scale, precision):
    """x / scale in the precision; "double" stands for no rounding."""
    if precision != "double":
        x, scale = to_float(precision, x, True), to_float(precision, scale, True)
    if math.isnan(x) or math.isnan(scale) or (x == 0 and scale == 0) or \
            (math.isinf(x) and math.isinf(scale)):
        return math.nan
    sign = math.copysign(1, x) * math.copysign(1, scale)
    if math.isinf(x) or scale == 0:
        return sign * math.inf
    if x == 0 or math.isinf(scale):
        return sign * 0.0
    q = Fraction(x) / Fraction(scale)
    return q if precision == "double" else to_float(precision, q, True)


def code(kind, q, zero, saturate):
    if kind not in BITS:
        return to_float(kind, q + zero if zero else q, saturate)
    bits, signed = BITS[kind], kind in WITH_SIGN
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(q):
        return zero
    if math.isinf(q):
        return high if q > 0 else low
    return min(max(round(Fraction(q)) + zero, low), high)  # round() goes to even


def spread(s, shape, axis, block):
    """Scales as many as elements."""
    s = np.asarray(s, object)
    if s.size == 1:
        return np.broadcast_to(s.reshape(()), shape)
    if block:
        index = np.arange(shape[axis]) // block
        return np.take(s, index, axis)
    return np.broadcast_to(s.reshape([-1 if a == axis % len(shape) else 1
                                      for a in range(len(shape))]), shape)


def quantize(kind, x, scale, zero, precision, axis=1, block=0, saturate=True):
    x = np.asarray(x, object)
    s, z = spread(scale, x.shape, axis, block), spread(zero, x.shape, axis, block)
    flat = [code(kind, quotient(a, b, precision), c, saturate)
            for a, b, c in zip(x.ravel(), s.ravel(), z.ravel())]
    return objects(flat, x.shape)


def dequantize(kind, x, scale, zero, axis=1, block=0):
    x = np.asarray(x, object)
    s, z = spread(scale, x.shape, axis, block), spread(zero, x.shape, axis, block)
    flat = [a * b if not math.isfinite(a) or (a == 0 and c == 0) else
            to_float(kind, (Fraction(a) - Fraction(c)) * Fraction(b), True)
            for a, b, c in zip(x.ravel(), s.ravel(), z.ravel())]
    return objects(flat, x.shape)


def objects(flat, shape):
    array = np.empty(len(flat), object)
    array[:] = flat
    return array.reshape(shape)


def number(kind, values):
    return objects([to_float(kind, v, True) for v in np.ravel(np.array(values, object))],
                   np.shape(values))


VALUES = [0.0, -0.0, 0.25, -0.25, 0.75, 1.25, -1.25, 2.5, 3.0, 7.0, -3.7, 5.3, 17.0, -19.0, 60.0,
          -66.5, 200.0, -300.0, 1e4, -4e4, 6e4, 1e9, -1e9, 3e38, math.inf, -math.inf, math.nan]


def every_type(f):
    for kind in ALL:
        for x_kind in FLOATS if since(kind) > 10 else ["float"]:
            x = number(x_kind, VALUES)
            scale, zero = 0.5, 0
            f.add(f"{x_kind} to {kind}", since(kind), "QuantizeLinear (X, S, Z)",
                  {"X": (x_kind, x), "S": (x_kind, objects([scale], ())),
                   "Z": (kind, objects([zero], ()))},
                  (kind, quantize(kind, x, [scale], [zero], x_kind)))
        x = number("float", VALUES)
        scale, zero = to_float("float", 0.3, True), 1
        f.add(f"{kind} with a zero point", since(kind), "QuantizeLinear (X, S, Z)",
              {"X": ("float", x), "S": ("float", objects([scale], (1,))),
               "Z": (kind, objects([zero], (1,)))},
              (kind, quantize(kind, x, [scale], [zero], "float")))
        if since(kind) >= 19:
            f.add(f"{kind} by output_dtype", max(since(kind), 21),
                  f"QuantizeLinear <output_dtype = {NUMBER[kind]}> (X, S)",
                  {"X": ("float", x), "S": ("float", objects([scale], ()))},
                  (kind, quantize(kind, x, [scale], [0], "float")))
    for kind in FLOAT8:
        x = number("float", VALUES)
        f.add(f"{kind} not saturated", 19, "QuantizeLinear <saturate = 0> (X, S, Z)",
              {"X": ("float", x), "S": ("float", objects([1.0], ())),
               "Z": (kind, objects([0.0], ()))},
              (kind, quantize(kind, x, [1.0], [0], "float", saturate=False)))
    for opset in (10, 13, 19, 21, 23, 24, 25):
        x = number("float", VALUES)
        f.add(f"no zero point is uint8, version {opset}", opset, "QuantizeLinear (X, S)",
              {"X": ("float", x), "S": ("float", objects([2.0], ()))},
              ("uint8", quantize("uint8", x, [2.0], [0], "float")))
        x = objects([0, 1, 3, -5, 16777219, 2**31 - 1, -2**31], (7,))
        s = 16777216.0 if opset < 19 else 3
        s_kind = "float" if opset < 19 else "int32"
        f.add(f"int32, version {opset}", opset, "QuantizeLinear (X, S, Z)",
              {"X": ("int32", x), "S": (s_kind, objects([s], ())),
               "Z": ("int8", objects([-2], ()))},
              ("int8", quantize("int8", x, [s], [-2], "float" if opset < 19 else "double")))


def ties(f):
    """0.5, 1.5 .. after the division, and quotients that only the precision makes so."""
    x = number("float", [k + 0.5 for k in range(-6, 7)])
    f.add("ties go to even", 13, "QuantizeLinear (X, S, Z)",
          {"X": ("float", x), "S": ("float", objects([1.0], ())), "Z": ("int8", objects([3], ()))},
          ("int8", quantize("int8", x, [1.0], [3], "float")))
    x = [float(k) for k in range(0, 600, 7)]
    for x_kind in FLOATS:
        for s_kind in FLOATS:
            for precision in [None, *FLOATS]:
                xs, s = number(x_kind, x), number(s_kind, [2.6171875])
                attr = f" <precision = {NUMBER[precision]}>" if precision else ""
                f.add(f"{x_kind} by {s_kind}, precision {precision}", 23,
                      f"QuantizeLinear{attr} (X, S)", {"X": (x_kind, xs), "S": (s_kind, s)},
                      ("uint8", quantize("uint8", xs, s, [0], precision or s_kind)))
    xs = number("float", x)
    f.add("a scale of type float8e8m0", 24, "QuantizeLinear (X, S)",
          {"X": ("float", xs), "S": ("float8e8m0", objects([4.0], ()))},
          ("uint8", quantize("uint8", xs, [4.0], [0], "float")))


GRAINS = [  # shape, axis, block, scale's shape
    ((2, 3), 1, 0, (3,)), ((2, 3), 0, 0, (2,)), ((2, 3, 4), 1, 0, (3,)), ((2, 3, 4), -1, 0, (4,)),
    ((2, 3, 4), -3, 0, (2,)), ((5,), 0, 0, (5,)), ((2, 3), 1, 0, (1,)), ((2, 300), 0, 0, (2,)),
    ((2, 300), 1, 0, (300,)), ((0, 3), 1, 0, (3,)), ((2, 0), 1, 0, (0,)), ((), 1, 0, ()),
    ((2, 4), 1, 2, (2, 2)), ((2, 5), 1, 2, (2, 3)), ((5, 2), 0, 3, (2, 2)), ((2, 5, 3), 1, 2, (2, 3, 3)),
    ((2, 5, 3), -1, 8, (2, 5, 1)), ((2, 3), 1, 1, (2, 3)), ((3, 3), 0, 1, (3, 3)),
    ((600,), 0, 7, (86,)), ((1, 0, 2), 1, 4, (1, 0, 2))]


def grains(f, d):
    for shape, axis, block, dims in GRAINS:
        n, m = math.prod(shape), math.prod(dims)
        x = number("float", ((np.arange(n) * 37 % 101) - 40.0).reshape(shape))
        s = objects([1.0 + k % 5 * 0.5 for k in range(m)], dims)
        z = objects([k % 7 - 3 for k in range(m)], dims)
        axis_of = axis if shape else 0
        attrs = f"<axis = {axis}, block_size = {block}>" if block else f"<axis = {axis}>"
        opset = 21 if block else 13
        f.add(f"{list(shape)}, axis {axis}, block {block}", opset, f"QuantizeLinear {attrs} (X, S, Z)",
              {"X": ("float", x), "S": ("float", s), "Z": ("int8", z)},
              ("int8", quantize("int8", x, s, z, "float", axis_of, block)))
        q = objects([k * 37 % 255 - 128 for k in range(n)], shape)
        d.add(f"{list(shape)}, axis {axis}, block {block}", opset,
              f"DequantizeLinear {attrs} (X, S, Z)",
              {"X": ("int8", q), "S": ("float", s), "Z": ("int8", z)},
              ("float", dequantize("float", q, s, z, axis_of, block)))


WRONG = [  # opset, attributes, shape, scale's shape, zero point's shape, code, message with {0} for y or x
    (10, "", (2, 3), (3,), (3,), "SHAPE", "input 1 '{0}_scale' is [3], expected a scalar"),
    (13, "axis = 1", (2, 3), (2,), (2,), "SHAPE", "expected one scale for each index of axis 1"),
    (13, "axis = 2", (2, 3), (2,), (2,), "VALUE", "axis"),
    (13, "axis = 1", (2, 3), (3,), (2,), "SHAPE", "input 2 '{0}_zero_point' is [2], expected [3] as the scale"),
    (13, "axis = 1", (2, 3), (3,), (), "SHAPE", "input 2 '{0}_zero_point' is [], expected [3] as the scale"),
    (13, "axis = 1", (2, 3), (2, 3), (2, 3), "SHAPE", "expected one scale for each index"),
    (21, "block_size = 2", (2, 3), (2, 3), (2, 3), "SHAPE", "expected one scale for each block"),
    (21, "block_size = 2", (2, 3), (3,), (3,), "SHAPE", "expected one scale for each block"),
    (21, "block_size = -1", (2, 3), (2, 3), (2, 3), "VALUE", "'block_size' is -1"),
    (25, "block_size = 2", (2, 3), (1, 2), (1, 2), "SHAPE", "expected one scale for each block")]


def errors(f, d):
    for opset, attrs, shape, scale, zero, status, part in WRONG:
        for out, op, kind in ((f, "QuantizeLinear", "float"), (d, "DequantizeLinear", "int8")):
            result = "int8[n] Y" if op[0] == "Q" else "float[n] Y"
            fails(out, f"{list(shape)} with {list(scale)}, {list(zero)} <{attrs}>, version {opset}",
                  opset, f"{op} <{attrs}> (X, S, Z)" if attrs else f"{op} (X, S, Z)",
                  {"X": (kind, np.ones(shape)), "S": ("float", np.ones(scale)),
                   "Z": ("int8", np.ones(zero))}, status, part.format("y" if op[0] == "Q" else "x"), result)
    one = {"X": ("float", np.ones(1)), "S": ("float", np.ones(()))}
    zero = {**one, "Z": ("int8", np.ones(()))}
    fails(f, "output_dtype is not the zero point's", 21, "QuantizeLinear <output_dtype = 2> (X, S, Z)",
          zero, "TYPE", "'output_dtype' is uint8, but the zero point is int8", "int8[1] Y")
    fails(f, "output_dtype is none", 21, "QuantizeLinear <output_dtype = 99> (X, S)", one, "VALUE",
          "'output_dtype' is 99", "uint8[1] Y")
    fails(f, "output_dtype is no type of y", 21, "QuantizeLinear <output_dtype = 6> (X, S)", one,
          "TYPE", "int32", "int32[1] Y")
    fails(f, "precision is no float", 23, "QuantizeLinear <precision = 6> (X, S)", one, "VALUE",
          "'precision' is int32, expected a float type", "uint8[1] Y")
    fails(f, "scale of another type before 23", 21, "QuantizeLinear (X, S)",
          {"X": ("float16", np.ones(1)), "S": ("float", np.ones(()))}, "TYPE", "float", "uint8[1] Y")
    fails(f, "no int16 before 21", 19, "QuantizeLinear (X, S, Z)",
          {**one, "Z": ("int16", np.ones(()))}, "TYPE", "int16", "int16[1] Y")
    fails(d, "zero point of another type", 21, "DequantizeLinear (X, S, Z)",
          {"X": ("int8", np.ones(1)), "S": ("float", np.ones(())), "Z": ("uint8", np.ones(()))},
          "TYPE", "uint8", "float[1] Y")
    fails(d, "a scale of type float8e8m0 needs output_dtype", 24, "DequantizeLinear (X, S)",
          {"X": ("int8", np.ones(1)), "S": ("float8e8m0", np.ones(()))}, "TYPE", "float8e8m0",
          "float[1] Y")


def back(d):
    for kind in [*ALL, "int32"]:
        if kind in BITS or kind == "int32":
            bits = BITS[kind]
            low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind in WITH_SIGN else \
                (0, (1 << bits) - 1)
            x = sorted({low, min(low + 1, high), 0, 1, high // 2, high - 1, high})
        else:
            x = sorted({to_float(kind, v, True) for v in (-300.0, -1.0, 0.5, 3.0, 6.0, 416.0)})
        x = objects(x, (len(x),))
        zero = 1
        for y_kind in FLOATS if since(kind) > 10 and kind != "int32" else ["float"]:
            s = number(y_kind, [0.3])[0]
            opset = since(kind) if kind != "int32" else 10
            f = {"X": (kind, x), "S": (y_kind, objects([s], ()))}
            d.add(f"{kind} to {y_kind}", opset, "DequantizeLinear (X, S)", f,
                  (y_kind, dequantize(y_kind, x, [s], [0])))
            d.add(f"{kind} to {y_kind} with a zero point", opset, "DequantizeLinear (X, S, Z)",
                  {**f, "Z": (kind, objects([zero], ()))},
                  (y_kind, dequantize(y_kind, x, [s], [zero])))
            if y_kind != "float":
                d.add(f"{kind} by {y_kind} to float", max(opset, 23),
                      "DequantizeLinear <output_dtype = 1> (X, S, Z)",
                      {**f, "Z": (kind, objects([zero], ()))},
                      ("float", dequantize("float", x, [s], [zero])))
    x = objects([-128, 3, 127], (3,))
    d.add("a scale of type float8e8m0", 24, "DequantizeLinear <output_dtype = 16> (X, S)",
          {"X": ("int8", x), "S": ("float8e8m0", objects([0.25], ()))},
          ("bfloat16", dequantize("bfloat16", x, [0.25], [0])))
    x = number("float8e5m2", [0.0, -0.0, math.inf, -math.inf, math.nan, 1.5])
    d.add("signs of zero, infinities", 19, "DequantizeLinear (X, S, Z)",
          {"X": ("float8e5m2", x), "S": ("float", objects([2.0], ())),
           "Z": ("float8e5m2", objects([0.0], ()))},
          ("float", dequantize("float", x, [2.0], [0])))


DYNAMIC = [  # x, scale, zero point where the definition leaves no doubt
    [0.0, 2.0, -3.0, -2.5, 1.34, 0.5], [-1.0, -2.1, -1.3, -2.5, -3.34, -4.0],
    [1.0, 2.1, 1.3, 2.5, 3.34, 4.0, 1.5, 2.6, 3.9, 4.0, 3.0, 2.345], [5.0], [-0.25], [1e-30, 3e38],
    [-2e38, 3e38], [float(k * k % 400) - 150 for k in range(700)]]


def dynamic():
    with File("quantize_linear/dynamic.onnxtxt", "By tests/oracle/quantize.py.") as f:
        for x in DYNAMIC:
            x = np.array(x, np.float32)
            low, high = min(np.float32(0), x.min()), max(np.float32(0), x.max())
            scale = np.float32(np.float32(high - low) / np.float32(255))
            first = np.float32(0) - low / scale
            zero = int(np.rint(np.clip(first, 0, 255)))
            dynamic_case(f, f"{x.size} elements, {low} to {high}", x, scale, zero,
                         quantize("uint8", x.astype(object), [float(scale)], [zero], "float"))
        dynamic_case(f, "zeros have no scale", np.zeros((2, 2)), 0.0, 0, np.zeros((2, 2)))
        dynamic_case(f, "nothing", np.zeros((0, 2)), 0.0, 0, np.zeros((0, 2)))
        dynamic_case(f, "NaN", np.array([1, math.nan, -2]), math.nan, 0, np.zeros(3))
        dynamic_case(f, "an infinity", np.array([1, math.inf, -2]), math.inf, 0, np.zeros(3))


def dynamic_case(f, title, x, scale, zero, y):
    f.add(title, 11, "DynamicQuantizeLinear (X)", {"X": ("float", x)}, ("uint8", y))
    lines = f.cases[-1][1]
    lines[1] = lines[1].replace(" Y) { Y =", " Y, float s, uint8 z) { Y, s, z =")
    lines += [f"--- s = float {{{float(np.float32(scale))!r}}}", f"--- z = uint8 {{{zero}}}",
              "--- body native expand"]


def main():
    with File("quantize_linear/types.onnxtxt", "By tests/oracle/quantize.py.") as f:
        every_type(f)
        ties(f)
    with File("quantize_linear/grains.onnxtxt", "By tests/oracle/quantize.py.") as f, \
            File("quantize_linear/back.onnxtxt", "By tests/oracle/quantize.py.") as d:
        grains(f, d)
        errors(f, d)
        back(d)
    dynamic()


main()
