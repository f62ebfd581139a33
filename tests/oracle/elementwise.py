#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""elementwise.py - text cases of the element-by-element operators, by NumPy and Python integers.

    python3 tests/oracle/elementwise.py

writes tests/cases/{unary,binary,compare,logic}/*.onnxtxt, and through choices.py those of
{variadic,where,clip,pow}. Floats are computed in double (float16 and bfloat16 rounded once),
integers as Python's own, wrapped at the end."""
import math

import numpy as np

import choices
from elements import (FLOATS, IEEE, INTEGERS, LEAST, MOST, NUMBERS, PAIRS, SIGNED, SPECIAL, UNIT,
                      counted, each, ends, fails, floats, integer_pairs, ints, legacy, mixed,
                      round_to, shapes, wrap)
from text_case import File

# ---- one operand

def half_even(x):
    return np.rint(x)


EXACT = {  # operator: (newest since, its float opsets with other types, function)
    "Abs": (13, [6, 1], np.abs), "Ceil": (13, [6, 1], np.ceil), "Floor": (13, [6, 1], np.floor),
    "Neg": (13, [6, 1], np.negative), "Reciprocal": (13, [6, 1], lambda x: 1 / x),
    "Relu": (14, [13, 6, 1], lambda x: np.where(x < 0, 0.0, x)),
    "Round": (22, [11], half_even), "Sign": (13, [9], np.sign), "Sqrt": (13, [6, 1], np.sqrt)}
SMOOTH = {
    "Cos": (22, [7], np.cos), "Exp": (13, [6, 1], np.exp), "Log": (13, [6, 1], np.log),
    "Sigmoid": (13, [6, 1], lambda x: np.where(x < 0, np.exp(x) / (1 + np.exp(x)),
                                               1 / (1 + np.exp(-x)))),
    "Sin": (22, [7], np.sin), "Tanh": (13, [6, 1], np.tanh)}
INT_UNARY = {"Abs": (abs, NUMBERS), "Neg": (lambda x: -x, FLOATS + list(SIGNED)),
             "Relu": (lambda x: max(x, 0), FLOATS + list(SIGNED)),
             "Sign": (lambda x: (x > 0) - (x < 0), NUMBERS)}


def unary_values(op, kind):
    usual = [0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.25, -7.75, 0.0625, 100.0, -100.0]
    if op in ("Cos", "Sin"):  # an infinity's is NaN
        return SPECIAL + usual + [20.0, -30.0]
    if op in SMOOTH:
        return SPECIAL + usual + [LEAST[kind] if op in ("Log", "Sigmoid") else 4.0]
    return SPECIAL + usual + [LEAST[kind], -LEAST[kind], MOST[kind], -MOST[kind], 0.49951171875]


def sections(op, kind):
    if op not in SMOOTH:
        return ()
    # Results below the normal range lose digits: a few units of the least number stand for them.
    return (f"tolerance rtol {2 * UNIT[kind]:.3g} atol {4 * LEAST[kind]:.3g}",)


def unary():
    for op, (newest, older, function) in {**EXACT, **SMOOTH}.items():
        why = ("Within two units in the last place: the C library's function is not correctly "
               "rounded." if op in SMOOTH else "Exact.")
        with File(f"unary/{op.lower()}.onnxtxt", f"By tests/oracle/elementwise.py. {why}") as f:
            for kind in FLOATS:
                x = floats(kind, unary_values(op, kind))
                y = round_to(kind, function(x.astype(np.float64)))
                f.add(f"{kind}", newest, f"{op} (X)", {"X": (kind, x)}, (kind, y),
                      sections(op, kind))
            x = floats("float", [[0.25, 1.0, 4.0]])
            for since in older:
                kinds = IEEE if since < newest or op in ("Relu",) else FLOATS
                for kind in kinds:
                    f.add(f"{kind} in version {since}", since, f"{op} (X)", {"X": (kind, x)},
                          (kind, round_to(kind, function(x))), sections(op, kind))
            if 1 in older:
                f.add("consumed_inputs means nothing", 1, f"{op} <consumed_inputs = [0]> (X)",
                      {"X": ("float", x)}, ("float", round_to("float", function(x))),
                      sections(op, "float"))
            for shape in ((0,), (2, 0, 3), ()):
                x = np.ones(shape)
                f.add(f"shape {list(shape)}", newest, f"{op} (X)", {"X": ("float", x)},
                      ("float", round_to("float", function(x))), sections(op, "float"))
            integers = INT_UNARY.get(op, (None, FLOATS))
            for kind in integers[1]:
                if kind in FLOATS:
                    continue
                low, high = ends(kind)
                x = ints([0, 1, 2, 100, high, high - 1, low, low + 1] +
                         ([-1, -100] if kind in SIGNED else []))
                y = each(lambda v: wrap(kind, integers[0](v)), x)
                f.add(f"{kind}", newest, f"{op} (X)", {"X": (kind, x)}, (kind, y))
            for kind in [k for k in list(INTEGERS) + ["bool"] if k not in integers[1]]:
                fails(f, f"no {kind}", newest, f"{op} (X)", {"X": (kind, ints([1]))}, "TYPE",
                      kind, f"{kind}[1] Y")
            fails(f, "bfloat16 came later", 11 if 11 in older else min(9, older[0]), f"{op} (X)",
                  {"X": ("bfloat16", np.ones(1))}, "TYPE", "bfloat16", "bfloat16[1] Y")
    with File("unary/not.onnxtxt", "By tests/oracle/elementwise.py.") as f:
        f.add("both", 1, "Not (X)", {"X": ("bool", ints([[0, 1], [1, 0]]))},
              ("bool", ints([[1, 0], [0, 1]])))
        f.add("scalar", 13, "Not (X)", {"X": ("bool", ints([0], ()))}, ("bool", ints([1], ())))
        f.add("none", 13, "Not (X)", {"X": ("bool", np.ones((0, 2)))}, ("bool", np.ones((0, 2))))
        fails(f, "no float", 13, "Not (X)", {"X": ("float", np.ones(1))}, "TYPE", "float",
              "bool[1] Y")


# ---- two operands

def divide(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):  # the sign of the dividend
    return 0 if b == 0 else a - b * divide(a, b)


ARITHMETIC = {
    "Add": (np.add, lambda a, b: a + b), "Sub": (np.subtract, lambda a, b: a - b),
    "Mul": (np.multiply, lambda a, b: a * b), "Div": (np.divide, divide)}
def binary():
    for op, (function, whole) in ARITHMETIC.items():
        with File(f"binary/{op.lower()}.onnxtxt", "By tests/oracle/elementwise.py. Exact.") as f:
            for kind in FLOATS:
                pairs = PAIRS + [(MOST[kind], MOST[kind]), (MOST[kind], -1), (LEAST[kind], 0.5),
                                 (1, 3), (LEAST[kind], -LEAST[kind])]
                a, b = (floats(kind, v) for v in zip(*pairs))
                f.add(kind, 14, f"{op} (A, B)", {"A": (kind, a), "B": (kind, b)},
                      (kind, round_to(kind, function(a, b))))
            for kind in INTEGERS:
                a, b = integer_pairs(kind)
                f.add(kind, 14, f"{op} (A, B)", {"A": (kind, a), "B": (kind, b)},
                      (kind, each(lambda x, y: wrap(kind, whole(x, y)), a, b)))
            for since, kinds in ((13, FLOATS + ["int32", "int64", "uint32", "uint64"]),
                                 (7, IEEE + ["int32", "int64", "uint32", "uint64"]),
                                 (6, IEEE + ["int32", "int64", "uint32", "uint64"]), (1, IEEE)):
                for kind in kinds:
                    a, b = np.array([6.0, 8.0]), np.array([2.0, 4.0])
                    f.add(f"{kind} in version {since}", since, f"{op} (A, B)",
                          {"A": (kind, a), "B": (kind, b)}, (kind, function(a, b)))
                fails(f, f"no int8 in version {since}", since, f"{op} (A, B)",
                      {"A": ("int8", ints([1])), "B": ("int8", ints([1]))}, "TYPE", "int8",
                      "int8[1] Y")
            exact = lambda x, y: round_to("float", function(x, y))  # noqa: E731
            shapes(f, op, 14, exact)
            legacy(f, op, 6, exact)
            legacy(f, op, 1, exact)
            f.add("consumed_inputs means nothing", 1, f"{op} <consumed_inputs = [0, 0]> (A, B)",
                  {"A": ("float", np.ones(2)), "B": ("float", np.ones(2))},
                  ("float", function(np.ones(2), np.ones(2))))
            mixed(f, op, 14)
            fails(f, "no bool", 14, f"{op} (A, B)",
                  {"A": ("bool", ints([1])), "B": ("bool", ints([1]))}, "TYPE", "bool", "bool[1] Y")
    with File("binary/mod.onnxtxt", "By tests/oracle/elementwise.py. Exact.") as f:
        for kind in FLOATS:
            a, b = (floats(kind, v) for v in zip(*PAIRS, (5.5, 2), (-5.5, 2), (MOST[kind], 3),
                                                 (1, LEAST[kind]), (-6, 3)))
            f.add(kind, 13, "Mod <fmod = 1> (A, B)", {"A": (kind, a), "B": (kind, b)},
                  (kind, round_to(kind, np.fmod(a, b))))
            fails(f, f"{kind} needs fmod", 13, "Mod (A, B)",
                  {"A": (kind, np.ones(1)), "B": (kind, np.ones(1))}, "VALUE", "fmod", f"{kind}[1] Y")
        for kind in INTEGERS:
            a, b = integer_pairs(kind)
            for fmod, whole in ((0, lambda x, y: x % y if y else 0), (1, remainder)):
                f.add(f"{kind}, fmod {fmod}", 13, f"Mod <fmod = {fmod}> (A, B)",
                      {"A": (kind, a), "B": (kind, b)},
                      (kind, each(lambda x, y: wrap(kind, whole(x, y)), a, b)))
        f.add("version 10", 10, "Mod (A, B)", {"A": ("int8", ints([-7, 7])),
              "B": ("int8", ints([3, -3]))}, ("int8", ints([2, -2])))
        shapes(f, "Mod", 13, lambda x, y: x % y, "int16", "int16")
        mixed(f, "Mod", 13, ("int32", "int64"), "int32[1] Y")


COMPARE = {"Equal": np.equal, "Greater": np.greater, "GreaterOrEqual": np.greater_equal,
           "Less": np.less, "LessOrEqual": np.less_equal}
COMPARE_SINCE = {
    "Equal": {19: NUMBERS + ["bool"], 13: NUMBERS + ["bool"], 11: IEEE + list(INTEGERS) + ["bool"],
              7: ["int32", "int64", "bool"], 1: ["int32", "int64", "bool"]},
    "Greater": {13: NUMBERS, 9: IEEE + list(INTEGERS), 7: IEEE, 1: IEEE},
    "GreaterOrEqual": {16: NUMBERS, 12: IEEE + list(INTEGERS)}}
COMPARE_SINCE["Less"] = COMPARE_SINCE["Greater"]
COMPARE_SINCE["LessOrEqual"] = COMPARE_SINCE["GreaterOrEqual"]


def compare():
    for op, function in COMPARE.items():
        truth = lambda x, y: function(x, y).astype(np.int64)  # noqa: E731
        with File(f"compare/{op.lower()}.onnxtxt", "By tests/oracle/elementwise.py.") as f:
            versions = COMPARE_SINCE[op]
            newest = max(versions)
            for since, kinds in versions.items():
                for kind in kinds:
                    if since < newest or kind == "bool":
                        a, b = ints([0, 1, 1, 0]), ints([1, 1, 0, 0])
                    elif kind in FLOATS:
                        a, b = (floats(kind, v) for v in zip(*PAIRS, (MOST[kind], LEAST[kind]),
                                                             (LEAST[kind], 0), (0, -LEAST[kind])))
                    else:
                        a, b = integer_pairs(kind)
                    f.add(f"{kind} in version {since}", since, f"{op} (A, B)",
                          {"A": (kind, a), "B": (kind, b)}, ("bool", truth(a, b)))
            kind = "int32" if op == "Equal" else "float"
            shapes(f, op, newest, truth, "bool")
            if 1 in versions:
                legacy(f, op, 1, truth, "bool", kind)
            mixed(f, op, newest, result="bool[1] Y")
            if op == "Equal":
                a, b = (ints(v) for v in zip(("", ""), ("a", ""), ("a", "a"), ("a", "ab"), ("é", "é"),
                                             ("a", "A")))
                f.add("strings", 19, "Equal (A, B)", {"A": ("string", a), "B": ("string", b)},
                      ("bool", each(lambda x, y: int(x == y), a, b)))
                a, b = ints([["x"], ["y"]]), ints(["x", "y", "z"])
                f.add("strings broadcast", 19, "Equal (A, B)", {"A": ("string", a),
                      "B": ("string", b)}, ("bool", each(lambda x, y: int(x == y), a, b)))
                fails(f, "no float in version 7", 7, "Equal (A, B)", {"A": ("float", np.ones(1)),
                      "B": ("float", np.ones(1))}, "TYPE", "float", "bool[1] Y")
            else:
                for kind in ("bool", "string"):
                    one = ints(["a"] if kind == "string" else [1])
                    fails(f, f"no {kind}", newest, f"{op} (A, B)", {"A": (kind, one),
                          "B": (kind, one)}, "TYPE", kind, "bool[1] Y")


def logic():
    def bits(shape, start=1):
        return (counted(shape, start).astype(np.int64) * 5 // 3) & 1

    for op, function in (("And", np.logical_and), ("Or", np.logical_or), ("Xor", np.logical_xor)):
        truth = lambda x, y: function(x, y).astype(np.int64)  # noqa: E731
        with File(f"logic/{op.lower()}.onnxtxt", "By tests/oracle/elementwise.py.") as f:
            a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
            f.add("all four", 7, f"{op} (A, B)", {"A": ("bool", a), "B": ("bool", b)},
                  ("bool", truth(a, b)))
            shapes(f, op, 13, truth, "bool", "bool", bits)
            legacy(f, op, 1, truth, "bool", "bool", bits)
            fails(f, "no int32", 7, f"{op} (A, B)", {"A": ("int32", ints([1])),
                  "B": ("int32", ints([1]))}, "TYPE", "int32", "bool[1] Y")


if __name__ == "__main__":
    for family in (unary, binary, compare, logic, *choices.FAMILIES):
        family()
