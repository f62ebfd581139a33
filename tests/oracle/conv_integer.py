#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""conv_integer.py - text cases of ConvInteger and QLinearConv.

    python3 tests/oracle/conv_integer.py

writes tests/cases/conv_integer/*.onnxtxt: the sums are those of conv.py, in whole numbers, wrapped
at 32 bits; the quantized results are made of them by NumPy in float32, ties to even."""
import itertools

import numpy as np

from conv import AUTO, FAR, GEOMETRY, convolve, text
from elements import fails, header
from text_case import File

TYPES = {"int8": (-128, 127), "uint8": (0, 255)}
DTYPE = {"int8": np.int8, "uint8": np.uint8}


def codes(kind, shape, start):
    """Elements of an 8-bit type, the least and the greatest among them."""
    low, high = TYPES[kind]
    values = low + (np.arange(int(np.prod(shape))) * 83 + start) % (high - low + 1)
    values[:2] = [low, high][:values[:2].size]
    return values.reshape(shape)


def sums(x, w, x_zero, w_zero, bias, attributes):
    w_zero = np.asarray(w_zero).reshape(-1, *[1] * (w.ndim - 1))
    y = convolve((x - x_zero).astype(float), (w - w_zero).astype(float), None, **attributes)
    y = y.astype(np.int64) + (0 if bias is None else np.asarray(bias).reshape(-1, *[1] * (w.ndim - 2)))
    return ((y + 2**31) % 2**32) - 2**31


def quantize(y, x_scale, w_scale, y_scale, y_zero, kind):
    w_scale = np.asarray(w_scale, np.float32).reshape(-1, *[1] * (y.ndim - 2))
    with np.errstate(all="ignore"):
        factor = np.float32(x_scale) * w_scale / np.float32(y_scale)
        product = y.astype(np.int32).astype(np.float32) * factor
    product = np.where(np.isnan(product), 0, product).astype(np.float64)
    low, high = TYPES[kind]
    return np.clip(np.rint(np.clip(product, -1e6, 1e6)) + y_zero, low, high).astype(np.int64)


def node(op, attributes, inputs):
    return (f"{op} <{text(attributes)}>" if attributes else op) + f" ({', '.join(inputs)})"


def integer_case(f, title, kinds, x, w, zeros, attributes):
    x, w = codes(kinds[0], x, 5), codes(kinds[1], w, 40)
    x_zero, w_zero = zeros
    inputs = {"X": (kinds[0], x), "W": (kinds[1], w)}
    if x_zero is not None:
        inputs["XZ"] = (kinds[0], np.array(x_zero))
    names = ["X", "W", "XZ" if x_zero is not None else ""]
    if w_zero is not None:
        inputs["WZ"] = (kinds[1], np.array(w_zero))
        names.append("WZ")
    if not names[-1]:
        names.pop()
    f.add(title, 10, node("ConvInteger", attributes, names), inputs,
          ("int32", sums(x, w, x_zero or 0, 0 if w_zero is None else w_zero, None, attributes)))


def qlinear_inputs(kinds, x, w, scales, zeros, bias):
    inputs = {"X": (kinds[0], x), "XS": ("float", np.array(scales[0])), "XZ": (kinds[0], np.array(zeros[0])),
              "W": (kinds[1], w), "WS": ("float", np.array(scales[1])), "WZ": (kinds[1], np.array(zeros[1])),
              "YS": ("float", np.array(scales[2])), "YZ": (kinds[2], np.array(zeros[2]))}
    return inputs | ({} if bias is None else {"B": ("int32", np.array(bias))})


def qlinear_case(f, title, kinds, x, w, scales, zeros, bias, attributes):
    x, w = codes(kinds[0], x, 5), codes(kinds[1], w, 40)
    inputs = qlinear_inputs(kinds, x, w, scales, zeros, bias)
    y = quantize(sums(x, w, zeros[0], zeros[1], bias, attributes), *scales, zeros[2], kinds[2])
    f.add(title, 10, node("QLinearConv", attributes, inputs), inputs, (kinds[2], y))


def title_of(x, w, attributes):
    return f"{list(x)} by {list(w)}, {text(attributes) or 'no attribute'}"


def integer_cases():
    with File("conv_integer/integer.onnxtxt", "By tests/oracle/conv_integer.py. Exact.") as f:
        for kinds in itertools.product(TYPES, TYPES):
            for zeros in ((None, None), (3, None), (None, 7), (100, [1, 2, 127])):
                integer_case(f, f"{kinds[0]} by {kinds[1]}, zero points {zeros}", kinds, (1, 2, 5, 6), (3, 2, 3, 2),
                             zeros, {"strides": [2, 1], "pads": [0, 1, 2, 3]})
        for x, w, attributes in GEOMETRY + FAR:
            integer_case(f, title_of(x, w, attributes), ("uint8", "int8"), x, w, (13, -5), attributes)
        for (x, w, strides, dilations), mode in itertools.product(AUTO[:4], ("SAME_UPPER", "SAME_LOWER")):
            attributes = {"auto_pad": mode, "strides": strides, "dilations": dilations}
            integer_case(f, title_of(x, w, attributes), ("uint8", "uint8"), x, w, (9, None), attributes)
        wrapped = (-255 * 255 * 33600 + 2**31) % 2**32 - 2**31
        f.cases.append(("sums wrap", [
            header(10), "g (uint8[1,1,1] X, uint8[1,1,1] W, uint8 XZ, int64[3] size) => (int32[1,1,1] Y) {",
            "  x = Cast <to = 6> (X)", "  wide_x = Expand (x, size)", "  many_x = Cast <to = 2> (wide_x)",
            "  w = Cast <to = 6> (W)", "  wide_w = Expand (w, size)", "  many_w = Cast <to = 2> (wide_w)",
            "  Y = ConvInteger (many_x, many_w, XZ)", "}",
            "--- X = uint8[1,1,1] {0}", "--- W = uint8[1,1,1] {255}", "--- XZ = uint8[] {255}",
            "--- size = int64[3] {1, 1, 33600}", f"--- Y = int32[1,1,1] {{{wrapped}}}"]))
        x, w, same = codes("int8", (1, 1, 4), 5), codes("int8", (1, 1, 3), 40), {"auto_pad": "SAME_LOWER"}
        f.add("auto_pad and pads", 10, node("ConvInteger", {**same, "pads": [2, 0]}, "XW"),
              {"X": ("int8", x), "W": ("int8", w)}, ("int32", sums(x, w, 0, 0, None, same)),
              ['remark "(ConvInteger-10): auto_pad and pads are both given"'])
        for n in (258, 259):
            integer_case(f, f"{n} taps of one channel", ("uint8", "uint8"), (1, 2, n + 2), (2, 1, n), (None, None),
                         {"group": 2})


def qlinear_cases():
    with File("conv_integer/qlinear.onnxtxt", "By tests/oracle/conv_integer.py. Exact.") as f:
        for kinds in itertools.product(TYPES, TYPES, TYPES):
            qlinear_case(f, " ".join(kinds), kinds, (1, 2, 4, 5), (3, 2, 2, 3), (0.02, 0.5, 3.5), (7, 3, 11), None,
                         {"pads": [1, 0, 1, 0]})
            qlinear_case(f, " ".join(kinds) + ", a scale for each map, bias", kinds, (2, 4, 4, 4), (4, 2, 2, 2),
                         (0.25, [0.125, 0.5, 0.03, 1.0], 12.5), (100, [1, 2, 3, 4], 60), [5, -7000, 2**20, 0],
                         {"group": 2})
        for x, w, attributes in GEOMETRY:
            if np.prod(w):
                bias = list(range(-3, 10 * w[0] - 3, 10))
                qlinear_case(f, title_of(x, w, attributes), ("uint8", "int8", "uint8"), x, w, (0.5, 0.25, 40.0),
                             (128, 0, 128), bias, attributes)
        one = ((1, 1, 4), (1, 1, 1))
        for name, scales in (("ties go to the even one", (0.5, 1.0, 1.0)), ("results saturate", (2e4, 1.0, 1e-3)),
                             ("a scale of 0", (0.0, 1.0, 1.0)), ("0 / 0", (0.0, 1.0, 0.0)),
                             ("division by 0", (1.0, 1.0, 0.0)), ("a negative scale", (-0.5, 1.0, 1.0)),
                             ("a scale of NaN", (np.nan, 1.0, 1.0)), ("an infinite scale", (np.inf, 1.0, 1.0))):
            for kind in TYPES:
                x, w = np.array([[[3, 4, 5, 7]]]), np.array([[[1]]])
                inputs = qlinear_inputs((kind, kind, kind), x, w, scales, (4, 0, 9), None)
                y = quantize(sums(x, w, 4, 0, None, {}), *scales, 9, kind)
                f.add(f"{name}, {kind}", 10, node("QLinearConv", {}, inputs), inputs, (kind, y))
        x, w, same = codes("int8", (1, 1, 4), 5), codes("int8", (1, 1, 3), 40), {"auto_pad": "SAME_LOWER"}
        inputs = qlinear_inputs(("int8", "int8", "int8"), x, w, (1.0, 1.0, 100.0), (0, 0, 0), None)
        f.add("auto_pad and pads", 10, node("QLinearConv", {**same, "pads": [2, 0]}, inputs), inputs,
              ("int8", quantize(sums(x, w, 0, 0, None, same), 1.0, 1.0, 100.0, 0, "int8")),
              ['remark "(QLinearConv-10): auto_pad and pads are both given"'])
        x, w = np.array([[[200, 1]]]), np.array([[[100]]])
        bias = [2**31 - 10000]
        inputs = qlinear_inputs(("uint8", "int8", "int8"), x, w, (1.0, 1.0, 2.0**24), (0, 0, 0), bias)
        f.add("the sum with the bias wraps", 10, node("QLinearConv", {}, inputs), inputs,
              ("int8", quantize(sums(x, w, 0, 0, bias, {}), 1.0, 1.0, 2.0**24, 0, "int8")))


def wrong_cases():
    with File("conv_integer/wrong.onnxtxt", "By tests/oracle/conv_integer.py.") as f:
        x, w = ("uint8", np.ones((1, 2, 3), int)), ("int8", np.ones((2, 2, 2), int))
        one, two = np.ones((1,), int), np.ones((2,), int)
        base = {"X": x, "W": w}
        for title, extra, part in (
                ("two zero points of x", {"XZ": ("uint8", two)}, "input 2 'x_zero_point' is [2], expected one element"),
                ("three zero points of w", {"XZ": ("uint8", one), "WZ": ("int8", np.ones((3,), int))},
                 "input 3 'w_zero_point' is [3], expected [2], one for each output channel, or one element"),
                ("zero points in two axes", {"XZ": ("uint8", one), "WZ": ("int8", np.ones((2, 1), int))},
                 "input 3 'w_zero_point' is [2,1], expected [2], one for each output channel, or one element")):
            fails(f, title, 10, node("ConvInteger", {}, {**base, **extra}), {**base, **extra}, "SHAPE", part, "int32[] Y")
        for title, inputs, attributes, part in (
                ("ranks differ", {"X": x, "W": ("int8", np.ones((2, 2, 2, 1), int))}, {},
                 "X is [1,2,3] and W [2,2,2,1], expected one rank of 3 or more"),
                ("channels differ", {"X": x, "W": ("int8", np.ones((2, 1, 2), int))}, {},
                 "X is [1,2,3] and W [2,1,2] with group 1"),
                ("a kernel too long", base, {"dilations": [3]}, "the kernel spans 4 on axis 2")):
            fails(f, title, 10, node("ConvInteger", attributes, inputs), inputs, "SHAPE", part, "int32[] Y")
        fails(f, "a zero point of another type", 10, node("ConvInteger", {}, [*base, "XZ"]),
              {**base, "XZ": ("int8", one)}, "TYPE", "int8", "int32[] Y")
        fails(f, "16 bits", 10, node("ConvInteger", {}, base), {"X": ("int16", x[1]), "W": w}, "TYPE", "int16",
              "int32[] Y")
        good = qlinear_inputs(("uint8", "int8", "uint8"), x[1], w[1], (1.0, 1.0, 1.0), (0, 0, 0), None)
        for name, kind, value, part in (
                ("XS", "float", two * 1.0, "input 1 'x_scale' is [2], expected one element"),
                ("XZ", "uint8", two, "input 2 'x_zero_point' is [2], expected one element"),
                ("WS", "float", np.ones(3), "input 4 'w_scale' is [3], expected [2], one for each output channel, or one element"),
                ("WZ", "int8", np.ones(3, int),
                 "input 5 'w_zero_point' is [3], expected [2], one for each output channel, or one element"),
                ("YS", "float", two * 1.0, "input 6 'y_scale' is [2], expected one element"),
                ("YZ", "uint8", two, "input 7 'y_zero_point' is [2], expected one element"),
                ("B", "int32", np.ones(3, int), "input 8 'B' is [3], expected [2], one for each output channel")):
            inputs = {**good, name: (kind, value)}
            fails(f, f"{name} of {list(value.shape)}", 10, node("QLinearConv", {}, inputs), inputs, "SHAPE", part,
                  "uint8[] Y")


if __name__ == "__main__":
    integer_cases()
    qlinear_cases()
    wrong_cases()
