#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trigonometric.py - text cases of the trigonometric and hyperbolic functions and their inverses.

    python3 tests/oracle/trigonometric.py

writes tests/cases/trigonometric/*.onnxtxt. NumPy computes the functions in long double (64 bits of
precision on x86), and the results are rounded once."""
import numpy as np

from elements import (FLOATS, IEEE, INTEGERS, LEAST, MOST, SPECIAL, UNIT, fails, floats, ints,
                      round_to)
from text_case import File

USUAL = [0.5, -0.5, 1.0, -1.0, 0.75, -0.9375, 0.0625, -0.001, 1e-5, -0.99951171875, 0.4140625,
         2.4140625, -2.5]
WIDE = [1.5, 3.25, -7.75, 12.0, -88.5, 100.0, -1000.0]
# Beyond the near ends of the reduction by pi / 2, and the double that is nearest to its multiple.
FAR = [524288.0, 524289.0, -1e6, 1e10, -1e22, 1e300, 6381956970095103 * 2.0**797]
FUNCTIONS = {  # operator: (first version, function, other values)
    "Acos": (7, np.arccos, []), "Acosh": (9, np.arccosh, WIDE), "Asin": (7, np.arcsin, []),
    "Asinh": (9, np.arcsinh, WIDE + FAR), "Atan": (7, np.arctan, WIDE + FAR),
    "Atanh": (9, np.arctanh, []), "Cosh": (9, np.cosh, WIDE), "Sinh": (9, np.sinh, WIDE),
    "Tan": (7, np.tan, WIDE + FAR)}


def values(op, kind):
    ends = [LEAST[kind], -LEAST[kind], MOST[kind], -MOST[kind]]
    if op in ("Cosh", "Sinh"):  # the last that is finite, the first that is not
        ends += {"float16": [11.0, 12.0], "double": [710.25, 711.0]}.get(kind, [89.0, -90.0])
    x = floats(kind, SPECIAL + USUAL + FUNCTIONS[op][2] + ends)
    return x[np.isfinite(x) | np.isin(np.arange(len(x)), range(len(SPECIAL)))]


def compute(op, kind, x):
    y = FUNCTIONS[op][1](np.asarray(x, np.longdouble))
    if op == "Tan":
        y = np.where(np.isinf(x), np.nan, y)
    return round_to(kind, y.astype(np.float64))


def tolerance(kind):
    # A double may be off by 2.5 units; the others are rounded from it once.
    units = 3 if kind == "double" else 1
    return (f"tolerance rtol {units * UNIT[kind]:.3g} atol {LEAST[kind]:.3g}",)


def cases(op):
    first = FUNCTIONS[op][0]
    with File(f"trigonometric/{op.lower()}.onnxtxt", "By tests/oracle/trigonometric.py.") as f:
        for kind in FLOATS:
            x = values(op, kind)
            f.add(kind, 22, f"{op} (X)", {"X": (kind, x)}, (kind, compute(op, kind, x)),
                  tolerance(kind))
        for kind in IEEE:
            x = floats(kind, [[0.25, 1.0], [0.5, -0.75]])
            f.add(f"{kind} in version {first}", first, f"{op} (X)", {"X": (kind, x)},
                  (kind, compute(op, kind, x)), tolerance(kind))
        for shape in ((0,), (2, 0, 3), (), (3, 1, 67)):
            x = np.linspace(0.5, 1, int(np.prod(shape))).reshape(shape)
            x = round_to("float", x)
            f.add(f"shape {list(shape)}", 22, f"{op} (X)", {"X": ("float", x)},
                  ("float", compute(op, "float", x)), tolerance("float"))
        for kind in list(INTEGERS) + ["bool"]:
            fails(f, f"no {kind}", 22, f"{op} (X)", {"X": (kind, ints([1]))}, "TYPE",
                  f"input 0 'input' is {kind}", f"{kind}[1] Y")
        fails(f, "bfloat16 came later", first, f"{op} (X)", {"X": ("bfloat16", np.ones(1))}, "TYPE",
              "bfloat16", "bfloat16[1] Y")


if __name__ == "__main__":
    for name in FUNCTIONS:
        cases(name)
