#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spread.py - cases of OneHot, Tile, ReverseSequence and TensorScatter, by NumPy:

    python3 tests/oracle/spread.py
"""
import math

import numpy as np

from picked import ALL, NUMERIC, case, counted, i64, refused, typed
from text_case import File

COMMENT = "Made by tests/oracle/spread.py."
MOST, LEAST = 2**63 - 1, -(2**63)
SMALL = ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4", "int4",
         "float4e2m1", "float8e8m0"]


# ---- OneHot

def one_hot():
    with File("one_hot/numpy.onnxtxt", COMMENT) as f:
        def hot(title, opset, index, depth, values, axis=None, depth_kind="int64", index_kind="int64",
                kind="float", **more):
            index, depth_array = np.asarray(index), np.asarray(depth)
            n, whole = int(depth_array.reshape(-1)[0]), np.trunc(index.astype(np.float64))
            at = -1 if axis is None else axis
            places = np.expand_dims(np.where((whole < 0) & (opset >= 11), whole + n, whole), at)
            shape = [1] * (index.ndim + 1)
            shape[at] = n
            y = np.where(places == np.arange(n).reshape(shape), 1, 0)
            y = np.array([values[v] for v in y.reshape(-1)], values.dtype).reshape(y.shape)
            attrs = "" if axis is None else f"<axis = {axis}> "
            case(f, title, opset, f"OneHot {attrs}(N, D, V)",
                 {"N": (index_kind, index), "D": (depth_kind, depth_array), "V": (kind, values)},
                 {"Y": (kind, y)}, **more)

        plain, pair = np.array([0, 2, 1, 3, -1, -3, -4, 7]), np.array([2.0, 5.0])
        for opset in (9, 11):
            hot("inside and outside", opset, plain, 3, pair)
            for kind in ALL:
                hot(f"values {kind}", opset, [1, 0], 2, typed(kind, np.array([4, 5])), kind=kind)
            for kind in NUMERIC:
                hot(f"indices {kind}", opset, typed(kind, np.array([0, 2, 1, 3, 100])), 3, pair,
                    index_kind=kind)
                hot(f"depth {kind}", opset, [0, 2, 1], typed(kind, np.array([3])), pair, depth_kind=kind)
        for kind in ("float", "double", "float16"):
            hot(f"fractions of {kind}", 11, np.array([0.9, -0.9, 1.5, -1.5, 2.5]), np.array(2.9), pair,
                index_kind=kind, depth_kind=kind)
            case(f, f"no numbers of {kind}", 11, "OneHot (N, D, V)",
                 {"N": (kind, np.array([math.inf, -math.inf])), "D": i64(2), "V": ("float", pair)},
                 {"Y": ("float", np.full((2, 2), 2.0))})
        for axis in (0, 1, 2, -1, -2, -3):
            hot(f"axis {axis}", 11, np.arange(6).reshape(2, 3) % 4, 4, pair, axis, declared=axis % 2 == 0)
        for index, axis in ((np.array(1), 0), (np.array(1), -1), (np.zeros((0, 2), int), 1),
                            (np.zeros((2, 0), int), 0)):
            hot(f"indices {list(index.shape)}, axis {axis}", 11, index, 3, pair, axis)
        hot("depth 0", 11, [0, 1, -1], 0, pair)
        hot("the ends of int64", 11, [LEAST, MOST, LEAST + 1, 0], 3, pair)
        hot("many", 11, np.arange(700) % 9 - 4, 4, pair)
    with File("one_hot/errors.onnxtxt", COMMENT) as f:
        def wrong(title, code, message, n=(2,), depth=(3,), values=(2,), attrs="", kind="int64"):
            refused(f, title, 11, f"OneHot {attrs}(N, D, V)",
                    {"N": ("int64", np.zeros(n)), "D": (kind, np.array(depth)),
                     "V": ("float", np.zeros(values))}, code, message)

        wrong("a negative depth", "VALUE", "depth is -1, expected 0 or more", depth=(-1,))
        wrong("two depths", "SHAPE", "input 1 'depth' is [2], expected one element", depth=(1, 2))
        wrong("a matrix of one depth", "SHAPE", "input 1 'depth' is [1,1], expected rank 0 or 1",
              depth=((1,),))
        wrong("three values", "SHAPE", "input 2 'values' is [3], expected [2], the values off and on",
              values=(3,))
        wrong("an axis past the new one", "VALUE", "attribute 'axis' is 2, expected a value in [-2, 1]",
              attrs="<axis = 2> ")
        wrong("too many axes", "LIMIT", "the output has rank 17, the most is 16", n=(1,) * 16)
        wrong("a depth without end", "SHAPE", "too large", depth=(MOST,))


# ---- Tile

def tile():
    with File("tile/numpy.onnxtxt", COMMENT) as f:
        def repeated(opset, kind, x, repeats, **more):
            case(f, f"{kind}{list(x.shape)} by {repeats}", opset, "Tile (X, R)",
                 {"X": (kind, x), "R": i64(*repeats)}, {"Y": (kind, np.tile(x, repeats))},
                 declared=False, **more)

        for opset in (6, 13):
            for kind in ALL if opset == 6 else [*ALL, "bfloat16"]:
                repeated(opset, kind, counted(kind, (2, 3)), (2, 2))
        for shape, repeats in (((2, 3, 4), (1, 1, 1)), ((2, 3, 4), (3, 1, 2)), ((2, 3, 4), (1, 2, 1)),
                               ((2, 1, 1), (2, 3, 4)), ((3,), (0,)), ((2, 3), (2, 0)), ((0, 3), (2, 2)),
                               ((1, 1), (5, 7)), ((5,), (13,)), ((2, 2, 2, 2), (2, 3, 1, 2))):
            repeated(13, "float", counted("float", shape), repeats)
        repeated(13, "float", np.array(3.0), ())
        repeated(13, "int8", np.full((1,) * 16, 3), (2,) + (1,) * 14 + (3,))
        for kind in ("float16", "float", "double"):
            for tiles, axis in ((3, 0), (2, 1), (1, 1), (0, 0)):
                x = counted(kind, (2, 3))
                repeats = [1, 1]
                repeats[axis] = tiles
                case(f, f"{tiles} of axis {axis} of {kind}", 1, "Tile (X, T, A)",
                     {"X": (kind, x), "T": (kind, np.array([tiles])), "A": (kind, np.array(axis))},
                     {"Y": (kind, np.tile(x, repeats))}, declared=tiles != 3)
    with File("tile/errors.onnxtxt", COMMENT) as f:
        def wrong(title, x, repeats, code, message):
            refused(f, title, 13, "Tile (X, R)", {"X": ("float", np.zeros(x)), "R": i64(*repeats)}, code,
                    message)

        wrong("too few repeats", (2, 3), (2,), "SHAPE",
              "input 1 'repeats' is [1], expected [2], one for each axis of input 0")
        wrong("a negative repeat", (2, 3), (1, -1), "VALUE", "input 1 has -1 at [1], expected a size >= 0")
        wrong("a product that does not fit", (2, 3), (1, MOST), "SHAPE",
              "axis 1 of the result is too large")
        wrong("a result that does not fit", (2, 3), (2**40, 2**40), "SHAPE", "too large")
        wrong("a scalar with a repeat", (), (1,), "SHAPE",
              "input 1 'repeats' is [1], expected [0], one for each axis of input 0")

        def old(title, tiles, axis, code, message, x=(2, 3)):
            refused(f, title, 1, "Tile (X, T, A)",
                    {"X": ("float", np.zeros(x)), "T": ("float", np.array(tiles)),
                     "A": ("float", np.array(axis))}, code, message)

        old("version 1: half a tile", 1.5, 0, "VALUE",
            "input 1 is 1.5, expected a whole number from 0 to 9.0072e+15")
        old("version 1: -1 tiles", -1.0, 0, "VALUE",
            "input 1 is -1, expected a whole number from 0 to 9.0072e+15")
        old("version 1: no number", math.nan, 0, "VALUE",
            "input 1 is nan, expected a whole number from 0 to 9.0072e+15")
        old("version 1: axis 2", 1.0, 2.0, "VALUE", "input 2 is 2, expected a whole number from 0 to 1")
        old("version 1: two axes", 1.0, (0.0, 1.0), "SHAPE",
            "input 2 'axis' is [2], expected one element")
        old("version 1: a scalar", 1.0, 0.0, "SHAPE", "input 0 'input' is [], expected rank 1 or more", ())


# ---- ReverseSequence

def reverse_sequence():
    with File("reverse_sequence/numpy.onnxtxt", COMMENT) as f:
        def reverse(title, kind, x, lengths, batch, **more):
            y = x.copy()
            for b, n in enumerate(lengths):
                at = (b,) if batch == 0 else (slice(None), b)
                y[at][:n] = x[at][:n][::-1]
            attrs = f"<batch_axis = {batch}, time_axis = {1 - batch}> " if title else ""
            case(f, f"{kind}{list(x.shape)} {attrs}of {lengths}", 10, f"ReverseSequence {attrs}(X, L)",
                 {"X": (kind, x), "L": i64(*lengths)}, {"Y": (kind, y)}, **more)

        for kind in ALL:
            reverse("", kind, counted(kind, (4, 3)), (4, 3, 1), 1)
            reverse("batch", kind, counted(kind, (3, 4)), (0, 2, 4), 0, declared=False)
        for batch in (0, 1):
            for shape in ((3, 3, 2), (3, 3, 2, 2), (3, 3, 0), (1, 1)):
                reverse("rank", "float", counted("float", shape), (3, 2, 0)[:shape[0]] if shape[0] == 3
                        else (1,), batch)
        reverse("empty", "float", np.zeros((0, 3)), (), 0)
        reverse("empty", "float", np.zeros((0, 3)), (0, 0, 0), 1)
    with File("reverse_sequence/errors.onnxtxt", COMMENT) as f:
        def wrong(title, code, message, x=(2, 3), lengths=(1, 1, 1), attrs=""):
            refused(f, title, 10, f"ReverseSequence {attrs}(X, L)",
                    {"X": ("float", np.zeros(x)), "L": i64(*lengths)}, code, message)

        wrong("a length past the end", "VALUE", "input 1 has 3 at [1], expected a length in [0, 2]",
              lengths=(2, 3, 1))
        wrong("a negative length", "VALUE", "input 1 has -1 at [2], expected a length in [0, 2]",
              lengths=(2, 2, -1))
        wrong("too few lengths", "SHAPE",
              "input 1 'sequence_lens' is [2], expected [3], one for each sequence", lengths=(2, 2))
        wrong("a vector", "SHAPE", "input 0 'input' is [3], expected rank 2 or more", x=(3,))
        for batch, time in ((0, 0), (1, 1), (2, 0), (0, 2), (-1, 0)):
            wrong(f"batch_axis {batch}, time_axis {time}", "VALUE",
                  f"batch_axis is {batch} and time_axis is {time}, expected 0 and 1 or 1 and 0",
                  attrs=f"<batch_axis = {batch}, time_axis = {time}> ")


# ---- TensorScatter

def tensor_scatter():
    with File("tensor_scatter/numpy.onnxtxt", COMMENT) as f:
        def write(kind, shape, n, index, axis=None, mode=None, make=counted, **more):
            at = -2 if axis is None else axis
            x, u = make(kind, shape), make(kind, [n if a == at % len(shape) else s
                                                  for a, s in enumerate(shape)])
            y = x.copy()
            rows, update = np.moveaxis(y, at, 1), np.moveaxis(u, at, 1)
            for b in range(shape[0]):
                for i in range(n):
                    rows[b, ((index[b] if index else 0) + i) % shape[at]] = update[b, i]
            attrs = [f"axis = {axis}"] * (axis is not None) + [f'mode = "{mode}"'] * (mode is not None)
            attrs = f"<{', '.join(attrs)}> " if attrs else ""
            inputs = {"X": (kind, x), "U": (kind, u), **({"N": i64(*index)} if index else {})}
            case(f, f"{kind}{list(shape)} {attrs}{n} at {index}", 24,
                 f"TensorScatter {attrs}({', '.join(inputs)})", inputs, {"Y": (kind, y)}, **more)

        for kind in [*ALL, "bfloat16"]:
            write(kind, (2, 4, 2), 2, (2, 0))
            write(kind, (2, 4, 2), 3, (3, 1), 1, "circular")
        for kind in SMALL:
            write(kind, (2, 4, 2), 2, (2, 0),
                  make=lambda kind, shape: np.arange(int(np.prod(shape))).reshape(shape) % 3 + 1.0
                  if kind != "float8e8m0" else 2.0 ** (np.arange(int(np.prod(shape))).reshape(shape) % 3))
        for shape, axis in (((2, 3, 4, 5), 1), ((2, 3, 4, 5), 2), ((2, 3, 4, 5), 3), ((2, 3, 4, 5), -1),
                            ((2, 3, 4, 5), -3), ((2, 3), 1), ((1, 3, 4), None)):
            for mode, index in (("linear", (1, 0)), ("circular", (2, 1)), (None, None)):
                write("float", shape, 2, index and index[:shape[0]], axis, mode, declared=mode != "linear")
        write("float", (3, 4, 2), 2, (MOST, LEAST, -3), 1, "circular")
        write("float", (2, 4, 2), 4, (0, 0), 1)
        write("float", (2, 4, 2), 4, (1, 3), 1, "circular")
        write("float", (2, 4, 2), 0, (4, 1), 1)
        for shape, n, index in (((0, 4, 2), 1, ()), ((2, 0, 2), 0, (0, 0)), ((2, 3, 0), 1, (0, 2))):
            write("float", shape, n, index or None, 1, "circular")
        x = np.zeros((2**40, 3, 0))
        case(f, "nothing, many times", 24, "TensorScatter <axis = 1> (X, U)",
             {"X": ("float", x), "U": ("float", x)}, {"Y": ("float", x)})
    with File("tensor_scatter/errors.onnxtxt", COMMENT) as f:
        def wrong(title, code, message, u=(2, 2, 3), index=(0, 0), attrs="", x=(2, 4, 3)):
            refused(f, title, 24, f"TensorScatter {attrs}(X, U, N)",
                    {"X": ("float", np.zeros(x)), "U": ("float", np.zeros(u)), "N": i64(*index)}, code,
                    message)

        for bad in (3, -1, MOST, LEAST):
            wrong(f"write index {bad}", "VALUE",
                  f"input 2 has {bad} at [1], expected a value in [0, 2], so that the update fits",
                  index=(2, bad))
        wrong("a longer update", "SHAPE", "input 1 'update' is [2,5,3], expected at most 4 along axis 1",
              u=(2, 5, 3))
        wrong("other dims", "SHAPE",
              "input 1 'update' is [2,2,2], expected [2,?,3] as input 0 outside the axis", u=(2, 2, 2))
        wrong("three indices", "SHAPE",
              "input 2 'write_indices' is [3], expected [2], one for each sample of the batch",
              index=(0, 0, 0))
        for axis in (0, -3):
            wrong(f"axis {axis}", "VALUE",
                  f"attribute 'axis' is {axis}, the batch's axis, expected another one",
                  attrs=f"<axis = {axis}> ")
        wrong("axis 3", "VALUE", "attribute 'axis' is 3, expected a value in [-3, 2]", attrs="<axis = 3> ")
        wrong("a vector", "SHAPE", "input 0 'past_cache' is [2], expected rank 2 or more", x=(2,), u=(2,))
        wrong("a mode that does not exist", "VALUE",
              "attribute 'mode' is 'ring', expected one of 'linear', 'circular'", attrs='<mode = "ring"> ')


if __name__ == "__main__":
    one_hot()
    tile()
    reverse_sequence()
    tensor_scatter()
