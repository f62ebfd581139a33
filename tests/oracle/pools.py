#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pools.py - text cases of the pools, MaxUnpool and MaxRoiPool, by the definitions in NumPy.

    python3 tests/oracle/pools.py

Elements are small whole numbers, or halves of them, so that every sum is exact in every order. Where
PyTorch is there and can express a case, it must agree."""
import itertools
import math

import numpy as np

from elements import FLOATS, IEEE, fails, header, round_to
from text_case import File, literal

try:
    import torch
except ImportError:
    torch = None


def text(attributes):
    return ", ".join(f"{k} = " + (f'"{v}"' if isinstance(v, str) else str(v))
                     for k, v in attributes.items())


def node(op, attributes, inputs):
    return f"{op} <{text(attributes)}> ({inputs})" if attributes else f"{op} ({inputs})"


def case(f, title, opset, call, inputs, outputs):
    """call: the node without its outputs; outputs: name -> (type, array)."""
    ports = ", ".join(File.port(*v, k) for k, v in inputs.items())
    results = ", ".join(File.port(*v, k) for k, v in outputs.items())
    lines = [header(opset), f"g ({ports}) => ({results}) {{ {', '.join(outputs)} = {call} }}"]
    lines += [f"--- {k} = {literal(*v)}" for k, v in (inputs | outputs).items()]
    f.cases.append((title, lines))


def numbers(shape, start=1, kind="float"):
    """All different in a plane where that is possible."""
    flat = (np.arange(math.prod(shape)) * 37 + start * 11) % 101 - 50
    return (flat % 256 if kind == "uint8" else flat if kind == "int8" else flat / 2.0).reshape(shape)


# ---- windows

def places(size, attributes):
    """For each axis, a list of windows, each a list of (tap's pixel, inside?, in the padding?)."""
    axes, kernel = len(size), attributes["kernel_shape"]
    stride = attributes.get("strides", [1] * axes)
    dilation = attributes.get("dilations", [1] * axes)
    pads, mode = attributes.get("pads", [0] * 2 * axes), attributes.get("auto_pad", "NOTSET")
    result = []
    for a, n in enumerate(size):
        span, front, behind = (kernel[a] - 1) * dilation[a] + 1, pads[a], pads[a + axes]
        if mode.startswith("SAME"):
            count = -(-n // stride[a])
            both = max(0, (count - 1) * stride[a] + span - n)
            front, behind = both // 2, both - both // 2
            if mode == "SAME_LOWER":
                front, behind = behind, front
        else:
            if mode == "VALID":
                front = behind = 0
            steps = (n + front + behind - span) / stride[a]
            count = (math.ceil(steps) if attributes.get("ceil_mode") else math.floor(steps)) + 1
            while attributes.get("ceil_mode") and count and (count - 1) * stride[a] >= n + front:
                count -= 1
        taps = [[p * stride[a] + k * dilation[a] - front for k in range(kernel[a])] for p in range(count)]
        result.append([[(t, 0 <= t < n, -front <= t < n + behind) for t in window] for window in taps])
    return result


def pool(x, attributes, fold):
    """fold(inside, padding): taps of a window as (value, index in the plane), taps in the padding."""
    size, windows = x.shape[2:], places(x.shape[2:], attributes)
    y = np.empty(x.shape[:2] + tuple(map(len, windows)), object)
    for at in np.ndindex(y.shape):
        taps = list(itertools.product(*(w[p] for w, p in zip(windows, at[2:]))))
        inside = [tuple(t[0] for t in tap) for tap in taps if all(t[1] for t in tap)]
        padding = sum(all(t[2] for t in tap) and not all(t[1] for t in tap) for tap in taps)
        y[at] = fold([(x[at[:2] + tap], tap) for tap in inside], padding)
    return y


def maximum(x, attributes, lowest=-math.inf):
    def fold(taps, _):
        best = (lowest, None)
        for value, tap in taps:
            if best[1] is None or (value > best[0] or value != value) and best[0] == best[0]:
                best = (value, tap)
        return best
    order = attributes.get("storage_order", 0)
    y = pool(x, attributes, fold)
    values, indices = np.empty(y.shape), np.empty(y.shape, np.int64)
    for at in np.ndindex(y.shape):
        value, tap = y[at]
        plane = at[0] * x.shape[1] + at[1]
        values[at] = value
        pixels = math.prod(x.shape[2:])
        place = tap and np.ravel_multi_index(tap, x.shape[2:], order="F" if order else "C")
        indices[at] = -1 if tap is None else plane * pixels + place
    return values, indices


def average(x, attributes):
    padded = attributes.get("count_include_pad")
    return pool(x, attributes, lambda taps, padding: sum(v for v, _ in taps) / max(
        len(taps) + (padding if padded else 0), 1)).astype(float)


def norm(x, attributes):
    p = attributes.get("p", 2)
    return pool(x, attributes, lambda taps, _: sum(abs(v)**p for v, _ in taps)**(1 / p)).astype(float)


def agree(x, attributes, values):
    """PyTorch's maximum, where it can say."""
    pads, axes = attributes.get("pads", [0] * 2 * (x.ndim - 2)), x.ndim - 2
    front = pads[:axes]
    if (not torch or axes > 3 or not x.size or front != pads[axes:] or attributes.get("auto_pad") or
            any(2 * p > k for p, k in zip(front, attributes["kernel_shape"])) or np.isnan(x).any()):
        return
    function = [torch.nn.functional.max_pool1d, torch.nn.functional.max_pool2d,
                torch.nn.functional.max_pool3d][axes - 1]
    theirs = function(torch.tensor(x, dtype=torch.float64), attributes["kernel_shape"],
                      attributes.get("strides", [1] * axes), front,
                      attributes.get("dilations", [1] * axes), bool(attributes.get("ceil_mode")))
    assert np.array_equal(theirs.numpy(), values), attributes


GEOMETRY = [  # x, attributes
    ((1, 1, 5), {"kernel_shape": [3]}), ((2, 3, 7), {"kernel_shape": [2], "strides": [2], "pads": [1, 0]}),
    ((1, 2, 5, 5), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    ((1, 1, 4, 6), {"kernel_shape": [2, 3], "strides": [1, 3]}), ((1, 1, 3, 4), {"kernel_shape": [1, 1]}),
    ((1, 1, 6, 9), {"kernel_shape": [2, 2], "strides": [3, 4]}),
    ((1, 1, 2, 3, 4), {"kernel_shape": [2, 2, 2], "pads": [1, 0, 1, 0, 1, 0]}),
    ((1, 1, 2, 3, 2, 3), {"kernel_shape": [1, 2, 2, 2], "strides": [2, 1, 1, 2]}),
    ((1, 2, 6, 1), {"kernel_shape": [3, 1], "strides": [2, 1]}), ((2, 1, 1, 5), {"kernel_shape": [1, 2]}),
    ((1, 1, 1, 1), {"kernel_shape": [1, 1]}), ((0, 2, 4), {"kernel_shape": [2]}), ((1, 0, 4), {"kernel_shape": [2]})]
LATER = [  # dilations and ceil_mode
    ((1, 1, 7, 7), {"kernel_shape": [2, 3], "dilations": [3, 2]}),
    ((1, 2, 8), {"kernel_shape": [3], "dilations": [2], "strides": [2], "pads": [1, 1]}),
    ((1, 1, 4, 4), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
    ((1, 1, 5), {"kernel_shape": [2], "strides": [3], "pads": [1, 1], "ceil_mode": 1}),
    ((1, 1, 4), {"kernel_shape": [1], "strides": [2], "pads": [0, 1], "ceil_mode": 1}),
    ((1, 1, 3), {"kernel_shape": [2], "pads": [0, 4], "ceil_mode": 1}),
    ((1, 1, 3), {"kernel_shape": [4], "strides": [2], "ceil_mode": 1}),
    ((1, 1, 2, 2), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1], "ceil_mode": 1})]
AUTO = [((1, 1, 5, 5), [3, 3], [1, 1]), ((1, 1, 5, 6), [3, 4], [2, 2]), ((1, 1, 7), [2], [3]), ((2, 1, 6), [4], [3])]
EMPTY = [  # windows without a pixel
    ((1, 1, 2), {"kernel_shape": [2], "pads": [3, 3]}), ((1, 1, 0), {"kernel_shape": [2], "pads": [1, 1]}),
    ((1, 1, 1), {"kernel_shape": [2], "dilations": [2], "pads": [1, 1]}),
    ((1, 1, 2, 0), {"kernel_shape": [1, 1], "pads": [0, 1, 0, 0]}),
    ((1, 1, 1, 4), {"kernel_shape": [1, 2], "strides": [3, 1], "pads": [1, 0, 0, 0]})]


def cases_of(op):
    for x, attributes in GEOMETRY:
        yield 8 if op == "MaxPool" else 7 if op == "AveragePool" else 2, x, attributes
    for x, attributes in LATER:
        yield 10 if op == "MaxPool" else 19 if op == "AveragePool" else 18, x, attributes
    for (x, kernel, strides), mode in itertools.product(AUTO, ("SAME_UPPER", "SAME_LOWER", "VALID")):
        yield 11, x, {"auto_pad": mode, "kernel_shape": kernel, "strides": strides}
    for x, attributes in EMPTY:
        yield 22, x, attributes


ROW = {"kernel_shape": [2]}
WRONG = [  # x, attributes, code, message
    ((2, 3), ROW, "SHAPE", "input 0 'X' is [2,3], expected rank 3 or more"),
    ((1, 1, 3), {"kernel_shape": [4]}, "SHAPE", "the kernel spans 4 on axis 2, but X with its padding has only 3"),
    ((1, 1, 2), {"kernel_shape": [5], "strides": [2], "ceil_mode": 1}, "SHAPE",
     "the kernel spans 5 on axis 2, but X with its padding has only 2"),
    ((1, 1, 3), {"kernel_shape": [2], "dilations": [3]}, "SHAPE",
     "the kernel spans 4 on axis 2, but X with its padding has only 3"),
    ((1, 1, 3), {"kernel_shape": [2, 2]}, "VALUE", "kernel_shape has 2 entries, expected 1"),
    ((1, 1, 3), {"kernel_shape": [0]}, "VALUE", "kernel_shape[0] is 0, expected 1 to 2147483647"),
    ((1, 1, 3), ROW | {"strides": [0]}, "VALUE", "strides[0] is 0, expected 1 to 2147483647"),
    ((1, 1, 3), ROW | {"strides": [1, 1]}, "VALUE", "strides has 2 entries, expected 1"),
    ((1, 1, 3), ROW | {"dilations": [-1]}, "VALUE", "dilations[0] is -1, expected 1 to 2147483647"),
    ((1, 1, 3), ROW | {"pads": [1]}, "VALUE", "pads has 1 entries, expected 2"),
    ((1, 1, 3), ROW | {"pads": [-1, 0]}, "VALUE", "pads[0] is -1, expected 0 to 2147483647"),
    ((1, 1, 3), ROW | {"pads": [0, 9223372036854775807]}, "VALUE",
     "pads[1] is 9223372036854775807, expected 0 to 2147483647"),
    ((1, 1, 3), ROW | {"auto_pad": "SAME"}, "VALUE",
     "attribute 'auto_pad' is 'SAME', expected one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID'")]


def wrong(f, op):
    for x, attributes, code, message in WRONG:
        for declared in (True, False):
            fails(f, f"{list(x)}, {text(attributes)}" + ("" if declared else ", as the run finds"), 22,
                  node(op, attributes, "X"), {"X": ("float", np.ones(x))}, code, message, declared=declared)


def max_pool():
    with File("pool/max.onnxtxt", "By tests/oracle/pools.py. Exact.") as f:
        for opset, x, attributes in cases_of("MaxPool"):
            data = numbers(x)
            values, indices = maximum(data, attributes)
            agree(data, attributes, values)
            case(f, f"{list(x)}, {text(attributes)}", opset, node("MaxPool", attributes, "X"),
                 {"X": ("float", data)}, {"Y": ("float", values), "Indices": ("int64", indices)})
        for opset, kinds in ((22, FLOATS + ["int8", "uint8"]), (12, ["int8", "uint8"]), (8, IEEE), (1, IEEE)):
            for kind in kinds:
                data, attributes = numbers((1, 2, 5, 70), 3, kind), GEOMETRY[2][1]
                values, _ = maximum(data, attributes)
                case(f, f"{kind} in version {opset}", opset, node("MaxPool", attributes, "X"),
                     {"X": (kind, data)}, {"Y": (kind, values.astype(int) if "int" in kind else values)})
        for opset, kinds in ((22, ["bool", "int32"]), (12, ["bfloat16"]), (11, ["int8"]), (1, ["bfloat16"])):
            for kind in kinds:
                fails(f, f"no {kind} in version {opset}", opset, "MaxPool <kernel_shape = [1]> (X)",
                      {"X": (kind, np.ones((1, 1, 1)))}, "TYPE", kind, f"{kind}[] Y")
        for x in ((2, 2, 3, 4), (1, 2, 2, 3, 4), (1, 3, 5)):
            attributes = {"kernel_shape": [2] * (len(x) - 2), "storage_order": 1}
            values, indices = maximum(numbers(x, 5), attributes)
            case(f, f"storage_order 1, {list(x)}", 8, node("MaxPool", attributes, "X"),
                 {"X": ("float", numbers(x, 5))}, {"Y": ("float", values), "Indices": ("int64", indices)})
        attributes = {"kernel_shape": [2, 2]}
        data = np.array([[[[1.0, 1, 0, 3], [1, 1, 3, 3], [0, 1, 1, 3]]]])
        values, indices = maximum(data, attributes)
        case(f, "of equal numbers the first", 12, node("MaxPool", attributes, "X"), {"X": ("float", data)},
             {"Y": ("float", values), "Indices": ("int64", indices)})
        data = np.array([[[-5.0, math.nan, 1, 2, math.inf, -math.inf, -math.inf, -math.inf, 3, math.nan, math.nan]]])
        attributes = {"kernel_shape": [2]}
        values, indices = maximum(data, attributes)
        for kind in FLOATS:
            case(f, f"NaN and infinities in {kind}", 22, node("MaxPool", attributes, "X"), {"X": (kind, data)},
                 {"Y": (kind, values), "Indices": ("int64", indices)})
        for kind, least in (("int8", -128), ("uint8", 0)):
            values, indices = maximum(np.ones((1, 1, 2)), EMPTY[0][1], least)
            case(f, f"{kind} windows without a pixel", 12, node("MaxPool", EMPTY[0][1], "X"),
                 {"X": (kind, np.ones((1, 1, 2), int))},
                 {"Y": (kind, values.astype(int)), "Indices": ("int64", indices)})
        wrong(f, "MaxPool")


def average_pool():
    with File("pool/average.onnxtxt", "By tests/oracle/pools.py. Exact.") as f:
        for opset, x, attributes in cases_of("AveragePool"):
            for padded in (0, 1):
                if padded and not attributes.get("pads") and not attributes.get("auto_pad"):
                    continue
                attributes = attributes | ({"count_include_pad": 1} if padded else {})
                case(f, f"{list(x)}, {text(attributes)}", opset, node("AveragePool", attributes, "X"),
                     {"X": ("float", numbers(x))}, {"Y": ("float", round_to("float", average(numbers(x), attributes)))})
        for opset, kinds in ((22, FLOATS), (19, IEEE), (11, IEEE), (10, IEEE), (7, IEEE), (1, IEEE)):
            for kind in kinds:
                data, attributes = numbers((1, 2, 5, 70), 3), GEOMETRY[2][1]
                case(f, f"{kind} in version {opset}", opset, node("AveragePool", attributes, "X"), {"X": (kind, data)},
                     {"Y": (kind, round_to(kind, average(data, attributes)))})
        for opset, kinds in ((22, ["int8"]), (19, ["bfloat16"]), (1, ["bfloat16"])):
            for kind in kinds:
                fails(f, f"no {kind} in version {opset}", opset, "AveragePool <kernel_shape = [1]> (X)",
                      {"X": (kind, np.ones((1, 1, 1)))}, "TYPE", kind, f"{kind}[] Y")
        for kind, most in (("float16", 65504.0), ("bfloat16", 255 * 2.0**119)):
            case(f, f"{kind} is summed in float", 22, "AveragePool <kernel_shape = [2]> (X)",
                 {"X": (kind, np.array([[[most, most]]]))}, {"Y": (kind, np.array([[[most]]]))})
        data = np.array([[[1, math.nan, 1, math.inf, 1, -math.inf, math.inf]]])
        case(f, "NaN and infinities", 22, "AveragePool <kernel_shape = [2]> (X)", {"X": ("float", data)},
             {"Y": ("float", average(data, {"kernel_shape": [2]}))})
        most = 2147483647
        attributes = {"kernel_shape": [most] * 4, "auto_pad": "SAME_UPPER", "count_include_pad": 1}
        case(f, "more taps than an integer counts", 22, node("AveragePool", attributes, "X"),
             {"X": ("double", np.ones((1, 1, 1, 1, 1, 1)))}, {"Y": ("double", np.full((1, 1, 1, 1, 1, 1), float(most)**-4))})
        f.cases[-1][1].append("--- tolerance rtol 1e-15 atol 0")
        wrong(f, "AveragePool")


def lp_pool():
    with File("pool/lp.onnxtxt", "By tests/oracle/pools.py.") as f:
        for (opset, x, attributes), p in itertools.product(cases_of("LpPool"), (None, 1, 3)):
            attributes = attributes | ({"p": p} if p else {})
            case(f, f"{list(x)}, {text(attributes)}", opset, node("LpPool", attributes, "X"),
                 {"X": ("float", numbers(x))}, {"Y": ("float", round_to("float", norm(numbers(x), attributes)))})
        for opset, kinds in ((22, FLOATS), (18, IEEE), (11, IEEE), (2, IEEE), (1, IEEE)):
            for kind in kinds:
                data, attributes = numbers((1, 2, 5, 9), 3), GEOMETRY[2][1]
                case(f, f"{kind} in version {opset}", opset, node("LpPool", attributes, "X"), {"X": (kind, data)},
                     {"Y": (kind, round_to(kind, norm(data, attributes)))})
        data = np.array([[[4.0, -9, 0.25]]])
        case(f, "version 1 has any p above 0", 1, "LpPool <kernel_shape = [2], p = 0.5> (X)", {"X": ("double", data)},
             {"Y": ("double", norm(data, {"kernel_shape": [2], "p": 0.5}))})
        case(f, "squares beyond float", 22, "LpPool <kernel_shape = [2]> (X)", {"X": ("float", np.array([[[3e30, 4e30]]]))},
             {"Y": ("float", round_to("float", [[[np.hypot(np.float32(3e30), np.float32(4e30))]]]))})
        for opset, p in ((22, 0), (22, -1), (2, 0)):
            fails(f, f"p = {p} in version {opset}", opset, f"LpPool <kernel_shape = [1], p = {p}> (X)",
                  {"X": ("float", np.ones((1, 1, 1)))}, "VALUE", f"attribute 'p' is {p}, expected a number above 0")
        fails(f, "p = 0 in version 1", 1, "LpPool <kernel_shape = [1], p = 0.0> (X)",
              {"X": ("float", np.ones((1, 1, 1)))}, "VALUE", "attribute 'p' is 0, expected a number above 0")
        fails(f, "no kernel_shape in version 1", 1, "LpPool (X)", {"X": ("float", np.ones((1, 1, 1)))}, "VALUE",
              "there is no attribute 'kernel_shape', expected 1 entries")
        wrong(f, "LpPool")


# ---- whole channels

def global_pools():
    with File("global_pool/numpy.onnxtxt", "By tests/oracle/pools.py. Exact where p is not 3.") as f:
        ways = {"GlobalAveragePool": lambda x, _: x.mean(-1), "GlobalMaxPool": lambda x, _: x.max(-1, initial=-math.inf),
                "GlobalLpPool": lambda x, p: (abs(x)**p).sum(-1)**(1 / p)}
        for op, way in ways.items():
            def add(opset, kind, data, p=None):
                attributes = {"p": p} if p else {}
                flat = data.reshape(*data.shape[:2], math.prod(data.shape[2:]))
                values = way(flat, p or 2).reshape(*data.shape[:2], *[1] * (data.ndim - 2))
                case(f, f"{op} of {kind} {list(data.shape)}, {text(attributes) or 'no attribute'}, version {opset}",
                     opset, node(op, attributes, "X"), {"X": (kind, data)}, {"Y": (kind, round_to(kind, values))})
            first = 2 if op == "GlobalLpPool" else 1
            for shape in ((2, 3, 4, 5), (1, 2, 3), (1, 1, 2, 2, 2), (2, 2), (1, 3, 1, 1), (0, 2, 3), (1, 0, 2),
                          (1, 2, 0), (1, 2, 3, 0), (1, 1, 40, 40)):
                for p in (None, 1, 3) if op == "GlobalLpPool" else (None,):
                    add(first, "float", numbers(shape), p)
            for opset, kinds in ((22, FLOATS), (first, IEEE), (1, IEEE)):
                for kind in kinds:
                    add(opset, kind, numbers((1, 3, 3, 3), 4))
            add(22, "float", np.array([[[1, math.nan], [math.inf, 1], [-math.inf, 2]]]))
            fails(f, f"{op} of a row", 22, f"{op} (X)", {"X": ("float", np.ones(3))}, "SHAPE",
                  "input 0 'X' is [3], expected rank 2 or more")
            fails(f, f"{op}: no bfloat16 in version 1", 1, f"{op} (X)", {"X": ("bfloat16", np.ones((1, 1, 1)))}, "TYPE",
                  "bfloat16", "bfloat16[] Y")
        case(f, "GlobalLpPool-1 has any p above 0", 1, "GlobalLpPool <p = 0.5> (X)",
             {"X": ("double", np.array([[[4.0, -9]]]))}, {"Y": ("double", np.array([[[25.0]]]))})
        fails(f, "GlobalLpPool with p = 0", 22, "GlobalLpPool <p = 0> (X)", {"X": ("float", np.ones((1, 1, 1)))},
              "VALUE", "attribute 'p' is 0, expected a number above 0")


# ---- back from maxima

def max_unpool():
    with File("max_unpool/numpy.onnxtxt", "By tests/oracle/pools.py. Exact.") as f:
        def add(title, opset, kind, x, index, attributes, shape=None):
            axes = x.ndim - 2
            pads, strides = attributes.get("pads", [0] * 2 * axes), attributes.get("strides", [1] * axes)
            image = list(x.shape[:2]) + [
                (n - 1) * strides[a] + attributes["kernel_shape"][a] - pads[a] - pads[a + axes]
                for a, n in enumerate(x.shape[2:])]
            y = np.zeros(shape or image)
            for value, i in zip(x.ravel(), index.ravel()):
                y[np.unravel_index(i, image)] = value
            inputs = {"X": (kind, x), "I": ("int64", index)} | ({"S": ("int64", np.array(shape))} if shape else {})
            case(f, title, opset, node("MaxUnpool", attributes, ", ".join(inputs)), inputs, {"Y": (kind, y)})

        square = {"kernel_shape": [2, 2], "strides": [2, 2]}
        for opset, kinds in ((22, FLOATS), (11, IEEE), (9, IEEE)):
            for kind in kinds:
                x = numbers((2, 3, 6, 4))
                values, index = maximum(x, square)
                add(f"{kind} in version {opset}", opset, kind, values, index, square)
        for x, attributes in (((1, 2, 9), {"kernel_shape": [3], "strides": [3]}), ((1, 2, 4), {"kernel_shape": [1]}),
                              ((1, 1, 6, 6), {"kernel_shape": [2, 2], "strides": [2, 2], "pads": [0, 0, 0, 0]}),
                              ((1, 1, 5, 5), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
                              ((1, 1, 4, 2, 2), {"kernel_shape": [2, 1, 2], "strides": [2, 1, 2]}), ((0, 1, 2), {"kernel_shape": [1]})):
            values, index = maximum(numbers(x, 2), attributes)
            add(f"{list(x)}, {text(attributes)}", 11, "float", values, index, attributes)
        x, index = np.array([[[[1.0, 2], [3, 4]]]]), np.array([[[[5, 7], [13, 15]]]])
        add("a larger output", 11, "float", x, index, square, [1, 1, 5, 6])
        add("output_shape that is the image", 11, "float", x, index, square, [1, 1, 4, 4])
        add("of equal indices the last stays", 11, "float", x, np.array([[[[5, 5], [15, 15]]]]), square)
        for bad in (16, -1, 9223372036854775807, -9223372036854775808):
            fails(f, f"index {bad}", 11, node("MaxUnpool", square, "X, I"),
                  {"X": ("float", x), "I": ("int64", np.array([[[[5, 7], [bad, 15]]]]))}, "VALUE",
                  f"input 1 'I' has {bad} as element 2, expected a value in [0, 15]")
        for shape in ([1, 1, 3, 4], [1, 2, 4, 4], [1, 1, 4]):
            fails(f, f"output_shape {shape}", 11, node("MaxUnpool", square, "X, I, S"),
                  {"X": ("float", x), "I": ("int64", index), "S": ("int64", np.array(shape))}, "SHAPE",
                  f"output_shape is {str(shape).replace(' ', '')}, expected [1,1,4,4], or more along the axes from 2 on")
        fails(f, "indices of other dims", 11, node("MaxUnpool", square, "X, I"),
              {"X": ("float", x), "I": ("int64", index[0])}, "SHAPE",
              "input 1 'I' is [1,2,2], expected [1,1,2,2] as input 0")
        fails(f, "pads wider than the image", 11, "MaxUnpool <kernel_shape = [1], pads = [2, 2]> (X, I)",
              {"X": ("float", x[0]), "I": ("int64", index[0])}, "SHAPE",
              "axis 2 of the output would have -2 entries")
        fails(f, "rank 2", 11, "MaxUnpool <kernel_shape = [1]> (X, I)",
              {"X": ("float", x[0, 0]), "I": ("int64", index[0, 0])}, "SHAPE",
              "input 0 'X' is [2,2], expected rank 3 or more")
        fails(f, "kernel_shape of another length", 11, "MaxUnpool <kernel_shape = [1]> (X, I)",
              {"X": ("float", x), "I": ("int64", index)}, "VALUE", "kernel_shape has 1 entries, expected 2")


# ---- regions

def nearest(x):
    return int(math.floor(abs(x) + 0.5) * (1 if x >= 0 else -1))


def roi_pool(x, rois, shape, scale):
    y = np.zeros((len(rois), x.shape[1], *shape))
    for n, roi in enumerate(rois):
        corner = [nearest(roi[2] * scale), nearest(roi[1] * scale)]
        last = [nearest(roi[4] * scale), nearest(roi[3] * scale)]
        for at in np.ndindex(*shape):
            bins = []
            for a in range(2):
                size = np.float32(max(last[a] - corner[a] + 1, 1)) / np.float32(shape[a])
                first = int(np.floor(np.float32(at[a]) * size)) + corner[a]
                end = int(np.ceil(np.float32(at[a] + 1) * size)) + corner[a]
                bins.append(slice(max(first, 0), max(min(end, x.shape[a + 2]), 0)))
            part = x[int(roi[0])][(slice(None), *bins)].reshape(x.shape[1], -1)
            if part.size:
                y[(n, slice(None), *at)] = part.max(1)
    return y


def max_roi_pool():
    with File("max_roi_pool/numpy.onnxtxt", "By tests/oracle/pools.py. Exact.") as f:
        rois = np.array([[0, 0, 0, 6, 5], [1, 1, 2, 3, 3], [0, 2.5, 1.5, 4.5, 3.5], [1, -3, -2, 2, 9], [0, 20, 20, 30, 30],
                         [0, 4, 4, 1, 1], [1, 6, 5, 6, 5]])
        def add(title, opset, kind, x, rois, shape, scale=None):
            attributes = {"pooled_shape": shape} | ({"spatial_scale": scale} if scale else {})
            case(f, title, opset, node("MaxRoiPool", attributes, "X, R"), {"X": (kind, x), "R": (kind, rois)},
                 {"Y": (kind, roi_pool(x, rois, shape, scale or 1))})
        x = numbers((2, 3, 6, 7))
        for opset, kinds in ((22, FLOATS), (1, IEEE)):
            for kind in kinds:
                add(f"{kind} in version {opset}", opset, kind, x, rois, [2, 3])
        for shape, scale in (([1, 1], None), ([7, 7], 0.5), ([3, 2], 2.0), ([6, 7], None)):
            add(f"pooled_shape {shape}, spatial_scale {scale}", 1, "float", x, rois, shape, scale)
        add("no regions", 1, "float", x, np.zeros((0, 5)), [2, 2])
        add("a NaN", 1, "float", np.array([[[[1, math.nan], [2, 3]]]]), np.array([[0, 0, 0, 1, 1], [0.0, 0, 1, 1, 1]]), [1, 1])
        add("far corners", 1, "float", x, np.array([[0, -1e30, -1e30, 1e30, 1e30]]), [1, 1])
        one = np.ones((1, 1, 2, 2))
        for roi, message in (([1, 0, 0, 1, 1], "roi 0 has batch index 1, expected 0 to 0"),
                             ([-1, 0, 0, 1, 1], "roi 0 has batch index -1, expected 0 to 0"),
                             ([0.5, 0, 0, 1, 1], "roi 0 has batch index 0.5, expected 0 to 0"),
                             ([math.nan, 0, 0, 1, 1], "roi 0 has batch index nan, expected 0 to 0"),
                             ([0, 0, math.inf, 1, 1], "roi 0 has inf at [2], expected finite corners"),
                             ([0, 0, 0, math.nan, 1], "roi 0 has nan at [3], expected finite corners")):
            fails(f, message, 1, "MaxRoiPool <pooled_shape = [1, 1]> (X, R)",
                  {"X": ("float", one), "R": ("float", np.array([roi]))}, "VALUE", message)
        for x, rois, shape, code, message in (
                (one[0], np.ones((1, 5)), [1, 1], "SHAPE", "input 0 'X' is [1,2,2], expected rank 4"),
                (one, np.ones((1, 4)), [1, 1], "SHAPE", "input 1 'rois' is [1,4], expected [?,5]"),
                (one, np.ones((1, 5)), [1], "VALUE", "pooled_shape has 1 entries, expected 2"),
                (one, np.ones((1, 5)), [1, 0], "VALUE", "pooled_shape[1] is 0")):
            fails(f, message, 1, f"MaxRoiPool <pooled_shape = {shape}> (X, R)",
                  {"X": ("float", x), "R": ("float", rois)}, code, message)


if __name__ == "__main__":
    max_pool()
    average_pool()
    lp_pool()
    global_pools()
    max_unpool()
    max_roi_pool()
