#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""softmax.py - text cases of Softmax, LogSoftmax and Hardmax, by NumPy in double.

    python3 tests/oracle/softmax.py

writes tests/cases/softmax/*.onnxtxt."""
import numpy as np

from elements import FLOATS, IEEE, LEAST, UNIT, fails, floats, round_to, shared
from text_case import File

INF, NAN = np.inf, np.nan
rng = np.random.default_rng(13)


def softmax(x, axis):
    e = np.exp(x - np.max(x, axis, keepdims=True, initial=-INF))
    return e / np.sum(e, axis, keepdims=True)


def log_softmax(x, axis):
    z = x - np.max(x, axis, keepdims=True, initial=-INF)
    return z - np.log(np.sum(np.exp(z), axis, keepdims=True))


def hardmax(x, axis):
    y = np.zeros_like(x)
    if x.size:
        np.put_along_axis(y, np.expand_dims(np.argmax(x, axis), axis), 1, axis)
    return y


def flat(function):
    def run(x, axis):
        two = x.reshape(int(np.prod(x.shape[:axis % x.ndim])), -1) if x.size else x
        return function(two, 1).reshape(x.shape) if x.size else x
    return run


def numbers(shape):
    """Multiples of 1/64, whose differences are exact in float."""
    return np.round(rng.normal(size=shape) * 3 * 64) / 64


OPS = {"Softmax": softmax, "LogSoftmax": log_softmax, "Hardmax": hardmax}
SHAPES = [((1,), 0), ((5,), -1), ((16,), 0), ((2, 17), -1), ((2, 3), 0), ((3, 1), 1), ((1, 3), 0),
          ((2, 3, 4), 1), ((2, 3, 4), -3), ((2, 2, 2, 2), 2), ((3, 33), 0), ((2, 3, 65), 1),
          ((2, 2, 128), -2), ((1, 4, 2, 1), 1), ((1, 35), 1), ((130, 2), 0)]
EMPTY = [((0,), 0), ((2, 0), 1), ((2, 0), 0), ((0, 3), 1), ((0, 3), 0), ((2, 0, 3), 1)]
ROWS = {"nothing but -Inf": [-INF, -INF, -INF], "-Inf": [-INF, 0, 1], "+Inf": [1, INF, 0],
        "+Inf twice": [INF, 2, INF], "NaN": [1, NAN, 3], "NaN first": [NAN, 1, 2],
        "nothing but NaN": [NAN, NAN, NAN], "far apart": [0, -200, 100, -3e4],
        "far below the greatest": [0, -90, -95, -100, -103], "large numbers": [6e4, 6e4, 5e4],
        "zeros of both signs": [-0.0, 0.0, -0.0], "one element": [7], "one -Inf": [-INF],
        "equal elements": [3, 3, 3, 3]}


def add(f, title, since, op, kind, x, axis, function=None):
    x = round_to(kind, x)
    y = (function or OPS[op])(x, axis)
    if op == "Softmax" and kind in ("float", "bfloat16"):  # docs/numerics.md: exponentials below e^-87 are 0
        y = np.where((x - np.max(x, axis, keepdims=True, initial=-INF) < -87) & (y == y), 0, y)
    y = round_to(kind, y)
    attribute = f" <axis = {axis}>" if axis is not None else ""
    exact = op == "Hardmax"
    f.add(title, since, f"{op}{attribute} (X)", {"X": (kind, x)}, (kind, y),
          [] if exact else [f"tolerance rtol {4 * UNIT[kind]} atol {2 * LEAST[kind]}"
                            if op == "Softmax" else
                            f"tolerance rtol {4 * UNIT[kind]} atol {4 * UNIT[kind]}"])


def main():
    for op in OPS:
        with File(f"softmax/{op}.onnxtxt", "By tests/oracle/softmax.py.") as f:
            for shape, axis in SHAPES + EMPTY:
                add(f, f"{list(shape)} along {axis}", 13, op, "float",
                    numbers(shape), axis)
            for kind in FLOATS:
                for shape, axis in (((2, 19), 1), ((2, 3, 2), 1), ((3, 66), 0), ((0, 2), 1)):
                    add(f, f"{kind} {list(shape)} along {axis}", 13, op, kind,
                        numbers(shape), axis)
                for title, row in ROWS.items():
                    add(f, f"{kind}: {title}", 13, op, kind, [row], 1)
                    add(f, f"{kind}: {title}, in the first of two columns", 13, op, kind,
                        np.array([row, [0.5] * len(row)]).T, 0)
            x = numbers((2, 3, 4))
            f.add("without axis the last is taken", 13, f"{op} (X)", {"X": ("double", x)},
                  ("double", OPS[op](x, -1)), ["tolerance rtol 1e-14 atol 1e-14"])
            for since in (11, 1):
                for kind in IEEE:
                    for axis in (0, 1, 2):
                        add(f, f"version {since}: {kind}, all from axis {axis} on", since, op, kind,
                            numbers((2, 3, 4)), axis, flat(OPS[op]))
                f.add(f"version {since}: without axis it is 1", since, f"{op} (X)",
                      {"X": ("double", x)}, ("double", flat(OPS[op])(x, 1)),
                      ["tolerance rtol 1e-14 atol 1e-14"])
                add(f, f"version {since}: no elements", since, op, "float", np.ones((2, 0, 2)), 1,
                    flat(OPS[op]))
                fails(f, f"version {since}: no bfloat16", since, f"{op} (X)",
                      {"X": ("bfloat16", np.ones((1, 1)))}, "TYPE", "bfloat16", "bfloat16[1,1] Y")
            add(f, "version 11: axis from the back", 11, op, "float", numbers((2, 3, 4)), -2,
                flat(OPS[op]))
            for since, axis, shape in ((13, 2, (2, 3)), (13, -3, (2, 3)), (13, 0, ()), (11, 2, (2, 3)),
                                       (1, 1, (3,)), (13, 9223372036854775807, (2,))):
                for declared in (True, False):
                    fails(f, f"version {since}: axis {axis} of {list(shape)}"
                          + ("" if declared else ", as the run finds"), since,
                          f"{op} <axis = {axis}> (X)", {"X": ("float", np.ones(shape))}, "VALUE",
                          "attribute 'axis'", declared=declared)
            fails(f, "no integers", 13, f"{op} (X)", {"X": ("int32", floats("double", [1, 2]))},
                  "TYPE", "int32", "int32[2] Y")
    with File("softmax/threads.onnxtxt", "By tests/oracle/softmax.py. What is the same in all columns.") as f:
        a, b = numbers((1, 70, 1)) / 4, numbers((3, 1, 130)) / 4
        for kind in FLOATS:
            loose = f"tolerance rtol {8 * UNIT[kind]} atol {8 * UNIT[kind]}"
            x, y = round_to(kind, np.floor(a * 4) / 4), round_to(kind, np.floor(b * 4) / 4)
            for op in ("Softmax", "LogSoftmax"):
                shared(f, f"{op} of {kind}, columns", 18, f"{op} <axis = 1> (X)", kind, x, y,
                       OPS[op](x, 1), (0, 2), loose)
                y1 = y[:1]
                shared(f, f"{op} of {kind}, rows", 18, f"{op} (X)", kind, np.repeat(x, 3, 0), y1,
                       OPS[op](y1, 2), (0, 1), loose)


if __name__ == "__main__":
    main()
