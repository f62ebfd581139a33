#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""center_crop_pad.py - text cases of CenterCropPad, by NumPy's pad and slices.

    python3 tests/oracle/center_crop_pad.py

writes tests/cases/center_crop_pad/numpy.onnxtxt."""
import math

import numpy as np

from elements import COMPLEX, FLOATS, INTEGERS, fails, ints
from text_case import File

CASES = [  # shape, axes, target
    ((20, 10, 3), None, (10, 7, 3)), ((5,), None, (2,)), ((5,), None, (3,)), ((4,), None, (1,)),
    ((2,), None, (5,)), ((3,), None, (5,)), ((4,), None, (4,)), ((2, 5), None, (5, 2)),
    ((3, 4), (1,), (7,)), ((3, 4), (-2,), (8,)), ((2, 3, 4), (2, 0), (1, 5)), ((2, 3), (), ()),
    ((), None, ()), ((0, 3), None, (2, 2)), ((2, 3), None, (0, 5)), ((3, 3), (-1, -2), (2, 4)),
    ((1, 1, 1, 1, 1), None, (2, 1, 3, 1, 2)), ((7, 1, 6), (0, 2), (4, 9))]


def center(x, axes, target):
    for axis, size in zip(range(x.ndim) if axes is None else axes, target):
        more = size - x.shape[axis]
        if more > 0:
            x = np.pad(x, [(more // 2, more - more // 2) if a == axis % x.ndim else (0, 0)
                           for a in range(x.ndim)])
        else:
            x = np.take(x, np.arange(-more // 2, -more // 2 + size), axis)
    return x


def node(axes):
    return "CenterCropPad (X, S)" if axes is None else \
        f"CenterCropPad <axes: ints = [{', '.join(map(str, axes))}]> (X, S)"


def main():
    with File("center_crop_pad/numpy.onnxtxt", "By tests/oracle/center_crop_pad.py.") as f:
        for k, (shape, axes, target) in enumerate(CASES):
            x = np.arange(1.0, math.prod(shape) + 1).reshape(shape)
            f.add(f"{list(shape)} to {list(target)} on {axes}", 18, node(axes),
                  {"X": ("float", x), "S": (("int64", "int32")[k % 2], ints(target, (len(target),)))},
                  ("float", center(x, axes, target)))
        for kind in [*FLOATS, *INTEGERS, *COMPLEX]:
            x = np.arange(1.0, 7).reshape(2, 3) * (1 - 2j if kind in COMPLEX else 1)
            f.add(kind, 18, node(None), {"X": (kind, x), "S": ("int64", ints([3, 2]))},
                  (kind, center(x, None, (3, 2))))
        x = ints([1, 1, 1])
        f.add("bool", 18, node(None), {"X": ("bool", x), "S": ("int64", ints([4]))},
              ("bool", ints([1, 1, 1, 0])))
        f.add("string", 18, node((1,)),
              {"X": ("string", np.array([["a", "b", "c"]])), "S": ("int64", ints([6]))},
              ("string", np.array([["", "a", "b", "c", "", ""]])))
        for axes, target, status, part in (
                (None, (1,), "SHAPE", "input 1 has 1 elements, expected 2"),
                ((0,), (1, 2), "SHAPE", "input 1 has 2 elements, expected 1"),
                ((2,), (1,), "VALUE", "'axes' has 2, expected a value in [-2, 1]"),
                ((0, -2), (1, 1), "VALUE", "'axes' names axis 0 twice"),
                (None, (1, -1), "VALUE", "expected a size >= 0"),
                (None, (1 << 40, 1 << 40), "SHAPE", "too large")):
            fails(f, f"{list(target)} on {axes}", 18, node(axes),
                  {"X": ("float", np.ones((2, 2))), "S": ("int64", ints(target))}, status, part)
        fails(f, "no float8", 18, node(None), {"X": ("float8e5m2", np.ones(1)),
              "S": ("int64", ints([1]))}, "TYPE", "float8e5m2", "float8e5m2[] Y")


main()
