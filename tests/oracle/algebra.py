#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""algebra.py - text cases of Det, EyeLike, Trilu, CumSum and CumProd.

    python3 tests/oracle/algebra.py

Determinants are computed with fractions, by Bareiss' elimination; triangles and identities by
NumPy; running sums and products step by step, each step rounded to the type (float for the 16-bit
ones)."""
from fractions import Fraction

import numpy as np

from cast import NUMBER
from elements import FLOATS, IEEE, INTEGERS, ends, fails, ints, round_to, wrap
from text_case import File

HIGH = ["int32", "int64", "uint32", "uint64"]
NUMERIC = FLOATS + list(INTEGERS)


# ---- Det

def bareiss(matrix):
    m = [[Fraction(float(v)) for v in row] for row in matrix]
    n, sign, last = len(m), 1, Fraction(1)
    for k in range(n - 1):
        if m[k][k] == 0:
            swap = next((i for i in range(k + 1, n) if m[i][k] != 0), None)
            if swap is None:
                return Fraction(0)
            m[k], m[swap], sign = m[swap], m[k], -sign
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / last
        last = m[k][k]
    return sign * m[-1][-1] if n else Fraction(1)


def det(f):
    def add(title, since, kind, x, sections=()):
        flat = x.reshape((-1,) + x.shape[-2:]) if x.size else np.zeros((int(np.prod(x.shape[:-2])),) + x.shape[-2:])
        y = np.array([float(bareiss(m)) for m in flat]).reshape(x.shape[:-2])
        f.add(title, since, "Det (X)", {"X": (kind, x)}, (kind, round_to(kind, y)), sections)

    def whole(shape, start=1):
        n = int(np.prod(shape))
        return ((np.arange(n) * 17 + start * 5 + np.arange(n) ** 2 % 7) % 9 - 4.0).reshape(shape)

    near = ["tolerance rtol 1e-6 atol 1e-6"]
    for kind in FLOATS:
        for shape in ((1, 1), (2, 2), (3, 3), (2, 2, 2), (3, 2, 3, 3), (5, 1, 1)):
            add(f"{kind} {list(shape)}", 22, kind, whole(shape), near if shape[-1] == 3 else ())
        for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
            add(f"{kind} {list(shape)}", 22, kind, np.zeros(shape))
        add(f"{kind} singular", 22, kind, np.array([[0.0, 1.0], [0.0, 2.0]]))
        add(f"{kind} zero column later", 22, kind, np.array([[-2.0, 1, 0], [4, 3, 0], [1, 1, 0]]))
        add(f"{kind} swapped rows", 22, kind, np.array([[0.0, 2.0], [3.0, 1.0]]))
    for kind in IEEE:
        add(f"{kind} in version 11", 11, kind, whole((2, 3, 3)), near)
    for n in (4, 7, 31, 33, 40, 65):
        x = whole((n, n)) / 4 + np.eye(n) * 2
        add(f"double side {n}", 22, "double", x, ["tolerance rtol 1e-11 atol 0"])
        add(f"float side {n}", 22, "float", x / 2, ["tolerance rtol 1e-6 atol 0"])
    order = (np.arange(140) * 37 + 11) % 140  # one element in each row: shared among threads
    x = np.zeros((140, 140))
    x[np.arange(140), order] = np.where(np.arange(140) % 3, 1.0, 2.0)
    seen, sign = np.zeros(140, bool), 1
    for i in range(140):
        length = 0
        while not seen[i]:
            seen[i], i, length = True, order[i], length + 1
        sign *= -1 if length and length % 2 == 0 else 1
    np.testing.assert_allclose(abs(np.linalg.det(x)), 2.0 ** 47)
    f.add("double side 140, one element in each row", 22, "Det (X)", {"X": ("double", x)},
          ("double", np.array(sign * 2.0 ** 47)))
    for kind in FLOATS:
        for bad in ([[np.nan, 1], [1, 2]], [[1, 2], [np.nan, 4]], [[1, np.nan], [2, 1]]):
            f.add(f"{kind} {bad}", 22, "Det (X)", {"X": (kind, np.array(bad, float))},
                  (kind, np.array(np.nan)))
        f.add(f"{kind} infinity", 22, "Det (X)", {"X": (kind, np.array([[np.inf]]))},
              (kind, np.array(np.inf)))
    f.add("float overflows once", 22, "Det (X)",
          {"X": ("float", np.diag([1e30, 1e30, 1e-30]))}, ("float", np.array(float(
              np.float32(float(np.float32(1e30)) ** 2 * float(np.float32(1e-30)))))))

    def no(shape, code, part, kind="float", since=22):
        for declared in (True, False):
            fails(f, f"{kind} {list(shape)}{'' if declared else ', as the run finds'}", since,
                  "Det (X)", {"X": (kind, np.zeros(shape))}, code, part, f"{kind}[] Y", declared)

    no((3,), "SHAPE", "input 0 'X' is [3], expected rank 2 or more")
    no((), "SHAPE", "input 0 'X' is [], expected rank 2 or more")
    no((2, 3), "SHAPE", "input 0 'X' is [2,3], expected square matrices")
    no((2, 0), "SHAPE", "input 0 'X' is [2,0], expected square matrices")
    no((1, 1), "TYPE", "int32", "int32")
    no((1, 1), "TYPE", "bfloat16", "bfloat16", 11)


# ---- EyeLike

def eye_like(f):
    far = 2**63 - 1
    for shape in ((3, 3), (2, 4), (4, 2), (1, 1), (0, 3), (3, 0)):
        for k in (0, 1, -1, 3, -3, far, -far - 1):
            y = np.eye(*shape, k=int(np.clip(k, -9, 9)))
            attr = f" <k = {k}>" if k else ""
            f.add(f"{list(shape)} k {k}", 22, f"EyeLike{attr} (X)", {"X": ("float", np.full(shape, 7.0))},
                  ("float", y))
    for since, kinds in ((22, NUMERIC + ["bool"]), (9, [k for k in NUMERIC + ["bool"] if k != "bfloat16"])):
        for kind in kinds:
            y = np.eye(2, 3) if kind in FLOATS else ints(np.eye(2, 3).astype(int))
            x = np.zeros((2, 3)) if kind in FLOATS else ints(np.zeros((2, 3), int))
            f.add(f"{kind} in version {since}", since, "EyeLike (X)", {"X": (kind, x)}, (kind, y))
            f.add(f"float to {kind} in version {since}", since, f"EyeLike <dtype = {NUMBER[kind]}> (X)",
                  {"X": ("float", np.zeros((2, 3)))}, (kind, y))
            f.add(f"{kind} to float in version {since}", since, "EyeLike <dtype = 1> (X)", {"X": (kind, x)},
                  ("float", np.eye(2, 3)))
    for attr, shape, kind, code, part, since in (
            ("", (3,), "float", "SHAPE", "input 0 'input' is [3], expected rank 2", 22),
            ("", (1, 2, 3), "float", "SHAPE", "input 0 'input' is [1,2,3], expected rank 2", 22),
            (" <dtype = 0>", (1, 1), "float", "VALUE", "attribute 'dtype' is 0, expected a data type's number", 22),
            (" <dtype = 99>", (1, 1), "float", "VALUE", "attribute 'dtype' is 99, expected a data type's number", 22),
            (" <dtype = -1>", (1, 1), "float", "VALUE", "attribute 'dtype' is -1, expected a data type's number", 22),
            (" <dtype = 14>", (1, 1), "float", "TYPE", "complex64", 22),
            (" <dtype = 16>", (1, 1), "float", "TYPE", "bfloat16", 9),
            ("", (1, 1), "bfloat16", "TYPE", "bfloat16", 9)):
        fails(f, f"{kind} {list(shape)}{attr} in version {since}", since, f"EyeLike{attr} (X)",
              {"X": (kind, np.zeros(shape))}, code, part, "float[] Y")


# ---- Trilu

def trilu(f):
    far = 2**63 - 1

    def add(title, kind, x, upper, k, zero=0):
        """By NumPy; on numbers of the elements where these have no zero of NumPy's."""
        at = np.arange(1, x.size + 1).reshape(x.shape)
        at = (np.triu if upper else np.tril)(at, int(np.clip(k or 0, -99, 99))) if x.size else at
        y = np.array([x.ravel()[i - 1] if i else zero for i in at.ravel()], x.dtype).reshape(x.shape)
        inputs = {"X": (kind, x)}
        if k is not None:
            inputs["k"] = ("int64", np.array(k, object))
        attr = "" if upper else " <upper = 0>"
        f.add(title, 14, f"Trilu{attr} ({', '.join(inputs)})", inputs, (kind, y))

    for shape in ((3, 3), (2, 5), (5, 2), (1, 4), (4, 1), (2, 3, 4), (2, 1, 3, 3), (0, 3), (3, 0), (0, 2, 2), (2, 0, 0)):
        for upper in (1, 0):
            for k in (None, 0, 1, -1, 2, -2, 7, -7, far, -far - 1):
                x = np.arange(1.0, np.prod(shape) + 1).reshape(shape)
                add(f"{list(shape)} upper {upper} k {k}", "float", x, upper, k)
    for kind in NUMERIC + ["bool"]:
        x = np.ones((2, 3)) if kind in FLOATS else ints(np.ones((2, 3), int))
        add(kind, kind, x, 1, 1)
        add(f"{kind} lower", kind, x, 0, -1)
    for kind in ("complex64", "complex128"):
        add(kind, kind, np.array([[1 + 2j, 3 - 1j], [2j, 5]]), 1, 0)
    add("string", "string", np.array([["a", "b"], ["c", "d"]], object), 0, 0, "")
    add("NaN is not multiplied", "float", np.array([[np.nan, np.inf], [np.nan, -np.inf]]), 1, 0)
    x = np.arange(1.0, 40001).reshape(2, 100, 200) % 97
    add("shared among threads", "float", x, 0, 3)
    for title, inputs, code, part in (
            ("a vector", {"X": ("float", np.ones(3))}, "SHAPE", "input 0 'input' is [3], expected rank 2 or more"),
            ("a scalar", {"X": ("float", np.ones(()))}, "SHAPE", "input 0 'input' is [], expected rank 2 or more"),
            ("several k", {"X": ("float", np.ones((2, 2))), "k": ("int64", ints([1, 2]))}, "SHAPE",
             "input 1 'k' is [2], expected one element"),
            ("k of int32", {"X": ("float", np.ones((2, 2))), "k": ("int32", ints([1]))}, "TYPE", "int32")):
        for declared in (True, False):
            fails(f, f"{title}{'' if declared else ', as the run finds'}", 14, f"Trilu ({', '.join(inputs)})",
                  inputs, code, part, "float[] Y", declared)


# ---- CumSum, CumProd

def running(kind, x, axis, exclusive, reverse, product):
    x = np.moveaxis(np.asarray(x, object if kind in INTEGERS else None), axis, 0)
    if reverse:
        x = x[::-1]
    step = "float" if kind in ("float16", "bfloat16") else kind
    total = np.full(x.shape[1:], 1 if product else 0, x.dtype)
    out = []
    for i, row in enumerate(x):
        after = row if i == 0 and not exclusive else total * row if product else total + row
        after = ints([wrap(kind, v) for v in np.asarray(after, object).ravel()], x.shape[1:]) \
            if kind in INTEGERS else round_to(step, after)
        out.append(total if exclusive else after)
        total = after
    y = np.stack(out) if out else x
    y = np.moveaxis(y[::-1] if reverse else y, 0, axis)
    return y if kind in INTEGERS else round_to(kind, y)


def cumulative(f):
    def add(title, op, since, kind, x, axis, axis_kind="int64", axis_shape=(), **attrs):
        y = running(kind, x, axis, attrs.get("exclusive"), attrs.get("reverse"), op == "CumProd")
        text = ", ".join(f"{k} = {v}" for k, v in attrs.items())
        f.add(f"{op} {title} {text}".strip(), since, f"{op}{f' <{text}>' if text else ''} (X, axis)",
              {"X": (kind, x), "axis": (axis_kind, np.full(axis_shape, axis))}, (kind, y))

    def numbers(kind, shape, op):
        n = int(np.prod(shape))
        x = (np.arange(n) * 7 + 3) % 11 - (0 if kind.startswith("u") else 5)
        if kind in INTEGERS:
            return ints(x.tolist(), shape)
        return (x / (4 if op == "CumProd" else 3)).astype(float).reshape(shape) if kind == "double" else \
            round_to(kind, x / (4 if op == "CumProd" else 3)).reshape(shape)

    for op, versions in (("CumSum", ((14, FLOATS + HIGH), (11, ["float", "double"] + HIGH))),
                         ("CumProd", ((26, FLOATS + HIGH),))):
        for since, kinds in versions:
            for kind in kinds:
                for attrs in ({}, {"exclusive": 1}, {"reverse": 1}, {"exclusive": 1, "reverse": 1}):
                    x = numbers(kind, (2, 4, 3), op)
                    add(f"{kind} in version {since}", op, since, kind, x, 1, **attrs)
                    add(f"{kind} in version {since}, last axis", op, since, kind, x, -1, "int32", **attrs)
        since = versions[0][0]
        for shape, axis in (((5,), 0), ((5,), -1), ((1,), 0), ((1, 3), 0), ((3, 1), 0), ((0,), 0), ((2, 0), 1),
                            ((0, 2), 1), ((2, 0, 3), 0), ((2, 3, 4, 2), 2), ((2, 3, 4, 2), -4)):
            for attrs in ({}, {"exclusive": 1}, {"reverse": 1}):
                add(f"{list(shape)} along {axis}", op, since, "float", numbers("float", shape, op), axis, **attrs)
        add("an axis of one element", op, since, "float", numbers("float", (2, 3), op), 1, axis_shape=(1,))
        special = np.array([[-0.0, 1.0, np.inf], [-0.0, np.nan, -np.inf], [0.0, 1.0, 2.0]])
        for kind in FLOATS:
            for attrs in ({}, {"exclusive": 1}, {"reverse": 1}):
                add(f"{kind} special values", op, since, kind, special, 0, **attrs)
        for kind in HIGH:
            low, high = ends(kind)
            add(f"{kind} wraps", op, since, kind, ints([high, high, low, 3, high]), 0)
        x = ((np.arange(700 * 6) * 7919) % 13 - 6.0).reshape(6, 700)
        if op == "CumSum":
            add("wide", op, since, "float", x, 0)
            add("long", op, since, "float", x, 1, reverse=1)
        for title, axis, kind, code, part in (
                ("axis past the last", np.array(2), "int64", "VALUE", "axis is 2, expected -2 to 1"),
                ("axis before the first", np.array(-3), "int32", "VALUE", "axis is -3, expected -2 to 1"),
                ("far axis", np.array(-2**63, object), "int64", "VALUE", "axis is -9223372036854775808, expected -2 to 1"),
                ("several axes", ints([0, 1]), "int64", "SHAPE", "input 1 has 2 elements, expected one"),
                ("no axis", np.zeros(0), "int64", "SHAPE", "input 1 has 0 elements, expected one"),
                ("axis of a float", np.array(0), "float", "TYPE", "float")):
            fails(f, f"{op}: {title}", since, f"{op} (X, axis)", {"X": ("float", np.ones((2, 3))), "axis": (kind, axis)},
                  code, part, "float[] Y")
        fails(f, f"{op} of a scalar", since, f"{op} (X, axis)", {"X": ("float", np.ones(())), "axis": ("int64", np.array(0))},
              "VALUE", "axis is 0, but X is a scalar", "float Y")
        fails(f, f"{op} of int8", since, f"{op} (X, axis)", {"X": ("int8", ints([1])), "axis": ("int64", np.array(0))},
              "TYPE", "int8", "int8[] Y")
    fails(f, "no float16 in version 11", 11, "CumSum (X, axis)", {"X": ("float16", np.ones(1)), "axis": ("int64", np.array(0))},
          "TYPE", "float16", "float16[] Y")


def main():
    comment = "By tests/oracle/algebra.py."
    with File("det/fractions.onnxtxt", comment) as f:
        det(f)
    with File("eye_like/numpy.onnxtxt", comment) as f:
        eye_like(f)
    with File("trilu/numpy.onnxtxt", comment) as f:
        trilu(f)
    with File("cumulative/steps.onnxtxt", comment) as f:
        cumulative(f)


if __name__ == "__main__":
    main()
