# SPDX-License-Identifier: Apache-2.0
"""choices.py - cases of Max, Min, Sum, Mean, Where, Clip and Pow, run by elementwise.py."""
import math

import numpy as np

from elements import (COMPLEX, FLOATS, IEEE, INTEGERS, MOST, NUMBERS, PAIRS, SIGNED, SPECIAL,
                      UNIT, counted, each, ends, fails, floats, integer_pairs, ints, legacy,
                      mixed, round_to, shapes, wrap)
from text_case import File

# ---- any number of operands

def variadic():
    folds = {"Max": (np.maximum, max), "Min": (np.minimum, min), "Sum": (np.add, None),
             "Mean": (lambda a, b: (a + b) / 2, None)}
    names = "ABCDE"
    for op, (function, whole) in folds.items():
        with File(f"variadic/{op.lower()}.onnxtxt", "By tests/oracle/elementwise.py. Exact.") as f:
            for kind in FLOATS:
                # The sign of the extreme of two zeros is open: no pair of them.
                pairs = [(a, b) for a, b in PAIRS if a or b] + [(MOST[kind], -MOST[kind])]
                a, b = (floats(kind, v) for v in zip(*pairs))
                f.add(kind, 13, f"{op} (A, B)", {"A": (kind, a), "B": (kind, b)},
                      (kind, round_to(kind, function(a, b))))
            if whole:
                for kind in INTEGERS:
                    a, b = integer_pairs(kind)
                    f.add(kind, 13, f"{op} (A, B)", {"A": (kind, a), "B": (kind, b)},
                          (kind, each(whole, a, b)))
            for since in (12, 8, 6, 1):
                kinds = IEEE + (list(INTEGERS) if since == 12 and whole else [])
                for kind in kinds:
                    a, b = np.array([1.0, 5.0]), np.array([3.0, 2.0])
                    f.add(f"{kind} in version {since}", since, f"{op} (A, B)",
                          {"A": (kind, a), "B": (kind, b)}, (kind, function(a, b)))
            for kind in FLOATS:
                x = floats(kind, [1.5, -0.0, math.nan, math.inf])
                f.add(f"one {kind}", 13, f"{op} (A)", {"A": (kind, x)}, (kind, x))
            f.add("consumed_inputs means nothing", 1, f"{op} <consumed_inputs = [0, 0]> (A, B)",
                  {"A": ("float", np.ones(2)), "B": ("float", np.ones(2))},
                  ("float", function(np.ones(2), np.ones(2))))
            for since in (6, 1):
                fails(f, f"version {since} does not broadcast", since, f"{op} (A, B)",
                      {"A": ("float", np.ones((2, 1))), "B": ("float", np.ones(2))}, "SHAPE",
                      "input 1 is [2], expected [2,1]")
            for dims in (((2, 1), (1, 3), ()), ((), (3,), (2, 1)), ((2, 3),) * 5, ((0,), (1,), ()),
                         ((), (), ()), ((1, 2, 1), (3,), (4, 1, 1), (1,))):
                x = [counted(d, 1 + 3 * i) for i, d in enumerate(dims)]
                y = x[0]
                for other in x[1:]:
                    y = function(y, other) if op != "Mean" else y + other
                y = y / len(x) if op == "Mean" else y
                for kind in ("float", "float16", "bfloat16") + (("int16",) if whole else ()):
                    f.add(f"{kind} {', '.join(str(list(d)) for d in dims)}", 13,
                          f"{op} ({', '.join(names[:len(dims)])})",
                          {n: (kind, v) for n, v in zip(names, x)}, (kind, round_to(kind, y)))
            if op == "Sum":
                x = [floats("float16", [v]) for v in (2048.0, 1.0, 1.0)]
                f.add("float16 sums are rounded once", 13, "Sum (A, B, C)",
                      {n: ("float16", v) for n, v in zip(names, x)}, ("float16", [2050.0]))
            if op == "Mean":
                x = [floats("float16", [v]) for v in (MOST["float16"], MOST["float16"], 1.0)]
                f.add("the sum may pass the greatest float16", 13, "Mean (A, B, C)",
                      {n: ("float16", v) for n, v in zip(names, x)},
                      ("float16", round_to("float16", sum(x) / 3)))
            fails(f, "shapes that do not broadcast", 13, f"{op} (A, B, C)",
                  {"A": ("float", np.ones(2)), "B": ("float", np.ones(1)),
                   "C": ("float", np.ones(3))}, "SHAPE", "[", "float[] Y")
            mixed(f, op, 13)


# ---- Where, Clip, Pow

def where():
    with File("where/numpy.onnxtxt", "By tests/oracle/elementwise.py. Elements are moved.") as f:
        c = ints([[1], [0]])
        for kind in NUMBERS + ["bool", "string"] + COMPLEX:
            x, y = counted((3,)), counted((2, 1), 7)
            if kind == "bool":
                x, y = x % 2, y % 2
            if kind == "string":
                x, y = ints(["a", "", "long enough"]), ints([["u"], ["v"]])
            if kind in COMPLEX:
                x, y = x + 2j, y - 0.5j
            if kind in FLOATS:
                x[0], y[1] = math.nan, -0.0
            for since in (16, 9) if kind != "bfloat16" else (16,):
                f.add(f"{kind} in version {since}", since, "Where (C, X, Z)",
                      {"C": ("bool", c), "X": (kind, x), "Z": (kind, y)},
                      (kind, np.where(c.astype(bool), x, y)))
        for a, b, d in (((), (2, 2), ()), ((2, 1, 1), (3, 1), (4,)), ((), (), ()), ((1,), (0, 2), ()),
                        ((3,), (), ()), ((2, 2), (1,), (2, 1)), ((0,), (), (1,))):
            c, x, y = counted(a) % 2, counted(b), counted(d, 9)
            f.add(f"{list(a)}, {list(b)}, {list(d)}", 16, "Where (C, X, Z)",
                  {"C": ("bool", c), "X": ("int64", x), "Z": ("int64", y)},
                  ("int64", np.where(c, x, y)))
        # A row of elements of each size, and what is one for all of it.
        for kind in ("uint8", "float16", "float", "double", "complex128"):
            for a, b, d in (((2, 1), (3,), (3,)), ((2, 1), (1,), (3,)), ((3,), (1,), (3,)), ((3,), (3,), (1,)),
                            ((3,), (1,), (1,))):
                c, x, y = counted(a) % 2, counted(b), counted(d, 9)
                if kind in COMPLEX:
                    x, y = x + 2j, y - 0.5j
                f.add(f"{kind}: {list(a)}, {list(b)}, {list(d)}", 16, "Where (C, X, Z)",
                      {"C": ("bool", c), "X": (kind, x), "Z": (kind, y)}, (kind, np.where(c, x, y)))
        one = np.ones(1)
        fails(f, "the condition is bool", 16, "Where (C, X, Z)", {"C": ("uint8", one),
              "X": ("float", one), "Z": ("float", one)}, "TYPE", "uint8", "float[1] Y")
        fails(f, "branches of one type", 16, "Where (C, X, Z)", {"C": ("bool", one),
              "X": ("float", one), "Z": ("double", one)}, "TYPE", "double", "float[1] Y")
        fails(f, "shapes that do not broadcast", 16, "Where (C, X, Z)", {"C": ("bool", np.ones(2)),
              "X": ("float", np.ones(3)), "Z": ("float", one)}, "SHAPE", "[", "float[] Y")


def bounded(x, low=None, high=None):
    """min(max(x, low), high); NaN stays."""
    y = x if low is None else np.where(x < low, low, x)
    return y if high is None else np.where(y > high, high, y)


def clip():
    x = SPECIAL + [1.0, -1.0, 0.25, 7.5, -7.5]
    with File("clip/inputs.onnxtxt", "By tests/oracle/elementwise.py. Bounds as inputs.") as f:
        for since, kinds in ((13, NUMBERS), (12, IEEE + list(INTEGERS)), (11, IEEE)):
            for kind in kinds:
                v = floats(kind, x) if kind in FLOATS else ints([*ends(kind), 0, 1, 5, 9])
                for low, high in ((None, None), (2, None), (None, 5), (2, 5), (5, 2), (3, 3)):
                    inputs = {"X": (kind, v)}
                    if low is not None:
                        inputs["L"] = (kind, ints([low], ()))
                    if high is not None:
                        inputs["H"] = (kind, ints([high], ()))
                    node = "Clip (X" + (", L" if low is not None else ", " if high is not None
                                        else "") + (", H" if high is not None else "") + ")"
                    f.add(f"{kind} from {low} to {high}, version {since}", since, node, inputs,
                          (kind, bounded(v, low, high)))
        for kind in FLOATS:
            v = floats(kind, x)
            f.add(f"{kind}: infinite bounds", 13, "Clip (X, L, H)", {"X": (kind, v), "L":
                  (kind, np.array(-math.inf)), "H": (kind, np.array(math.inf))}, (kind, v))
        f.add("nothing to clip", 13, "Clip (X, L)", {"X": ("float", np.ones((2, 0))),
              "L": ("float", np.array(2.0))}, ("float", np.ones((2, 0))))
        f.add("a scalar", 13, "Clip (X, L)", {"X": ("float", np.array(1.0)),
              "L": ("float", np.array(2.0))}, ("float", np.array(2.0)))
        f.add("a bound of one element", 13, "Clip (X, L)", {"X": ("float", np.ones(3)),
              "L": ("float", np.array([2.0]))}, ("float", 2 * np.ones(3)))
        fails(f, "a bound of two elements", 13, "Clip (X, L)", {"X": ("float", np.ones(3)),
              "L": ("float", np.ones(2))}, "SHAPE", "scalar", "float[3] Y")
        fails(f, "a bound of another type", 13, "Clip (X, L)", {"X": ("float", np.ones(3)),
              "L": ("int32", np.array(1))}, "TYPE", "int32", "float[3] Y")
        fails(f, "no bool", 13, "Clip (X)", {"X": ("bool", np.ones(3))}, "TYPE", "bool", "bool[3] Y")
        fails(f, "no int8 in version 11", 11, "Clip (X)", {"X": ("int8", np.ones(3))}, "TYPE",
              "int8", "int8[3] Y")
    with File("clip/attributes.onnxtxt", "By tests/oracle/elementwise.py. Bounds as attributes: "
              "without one, version 6 has the ends of float's range, version 1 none.") as f:
        for since in (6, 1):
            for kind in IEEE:
                for low, high in ((None, None), (-0.5, None), (None, 0.5), (-0.5, 0.5), (2, 1)):
                    v = floats(kind, x + ([1e300, -1e300] if kind == "double" else []))
                    given = [f"{n} = {b:g}" if b % 1 else f"{n} = {b:.1f}"
                             for n, b in (("min", low), ("max", high)) if b is not None]
                    most = MOST["float"] if since == 6 else math.inf
                    y = bounded(v, -most if low is None else low, most if high is None else high)
                    node = f"Clip <{', '.join(given)}> (X)" if given else "Clip (X)"
                    f.add(f"{kind} from {low} to {high}, version {since}", since, node,
                          {"X": (kind, v)}, (kind, round_to(kind, y)))
        f.add("consumed_inputs means nothing", 1, "Clip <max = 1.0, consumed_inputs = [0]> (X)",
              {"X": ("float", np.array([2.0]))}, ("float", np.array([1.0])))
        fails(f, "no int32", 6, "Clip (X)", {"X": ("int32", np.ones(3))}, "TYPE", "int32",
              "int32[3] Y")


def power(kind, a, b):
    """Integers wrap; a negative exponent truncates toward zero, and 0 to such a power is 0."""
    if b >= 0:
        return wrap(kind, pow(a, b, 1 << 64))
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


def power_():
    bases = SPECIAL + [1.0, -1.0, 2.0, -2.0, 0.5, 10.0, -1.5]
    with File("pow/numpy.onnxtxt", "By tests/oracle/elementwise.py. Within one unit in the last "
              "place where a float is raised; integers are exact.") as f:
        for kind in FLOATS:
            for other in NUMBERS:
                if other in FLOATS:
                    e = floats(other, SPECIAL + [1.0, -1.0, 2.0, 3.0, 0.5, -2.5])
                else:
                    e = np.array([0, 1, 2, 3, 5] + ([-1, -2] if other in SIGNED else [7]), float)
                a, b = floats(kind, bases)[:, None], e[None, :]
                f.add(f"{kind} to {other}", 15, "Pow (X, E)", {"X": (kind, a), "E": (other, b)},
                      (kind, round_to(kind, np.power(a, b))),
                      (f"tolerance rtol {UNIT[kind]:.3g} atol 0",))
        for kind in ("int32", "int64"):
            low, high = ends(kind)
            a = ints([0, 1, -1, 2, -2, 3, 10, low, high])[:, None]
            for other in INTEGERS:
                least, most = ends(other)
                e = ints(sorted({0, 1, 2, 3, 31, 63, 64, most, most - 1, least} |
                                ({-1, -2} if other in SIGNED else set())))[None, :]
                e = e[e <= most][None, :]
                f.add(f"{kind} to {other}", 15, "Pow (X, E)", {"X": (kind, a), "E": (other, e)},
                      (kind, each(lambda x, y: power(kind, x, y), a, e)))
            for other in FLOATS:
                a, e = ints([0, 1, 2, -3, 10]), floats(other, [2.0, 0.5, 3.0, 3.0, 2.5])
                y = np.trunc(np.power(a.astype(float), e)).astype(np.int64)
                f.add(f"{kind} to {other}", 15, "Pow (X, E)", {"X": (kind, a), "E": (other, e)},
                      (kind, y))
        square = lambda x, y: round_to("float", np.power(x, y))  # noqa: E731
        small = lambda d, start=1: counted(d, start) % 3 + 1  # noqa: E731
        shapes(f, "Pow", 15, square, make=small)
        legacy(f, "Pow", 1, square, make=small)
        for since, kinds in ((13, FLOATS), (12, IEEE), (7, IEEE), (1, IEEE)):
            for kind in kinds:
                f.add(f"{kind} in version {since}", since, "Pow (X, E)", {"X": (kind, [2.0, 3.0]),
                      "E": ("float" if kind == "bfloat16" else kind, [3.0, 2.0])},
                      (kind, [8.0, 9.0]))
        mixed7 = {"X": ("float", np.ones(1)), "E": ("int32", np.ones(1))}
        fails(f, "one type in version 7", 7, "Pow (X, E)", mixed7, "TYPE", "int32", "float[1] Y")
        fails(f, "no uint8 base", 15, "Pow (X, E)", {"X": ("uint8", np.ones(1)),
              "E": ("uint8", np.ones(1))}, "TYPE", "uint8", "uint8[1] Y")
        fails(f, "no bfloat16 exponent in version 13", 13, "Pow (X, E)", {"X": ("float", np.ones(1)),
              "E": ("bfloat16", np.ones(1))}, "TYPE", "bfloat16", "float[1] Y")


FAMILIES = (variadic, where, clip, power_)
