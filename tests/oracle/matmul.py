#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""matmul.py - text cases of MatMul, by NumPy.

    python3 tests/oracle/matmul.py

writes tests/cases/matmul/numpy.onnxtxt. Elements are small whole numbers, or halves of them, so that
every sum is exact in every order; integers wrap. A few sums tell a fused multiply-add from a product
that is rounded."""
import numpy as np

from elements import FLOATS, IEEE, INTEGERS, each, ends, fails, ints, round_to, wrap
from text_case import File

SHAPES = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((1, 1), (1, 1)),
          ((2, 2, 3), (3, 2)), ((2, 3), (2, 3, 2)), ((2, 2, 3), (2, 3, 2)), ((2, 1, 2, 3), (3, 3, 1)),
          ((1, 2, 3), (2, 3, 1)), ((3, 1, 1, 2), (1, 2, 2, 1)), ((2, 2, 3), (3,)),
          ((3,), (2, 3, 2)), ((2, 1, 1, 3), (2, 3, 1)), ((1,), (1,)), ((2, 3, 2, 3), (2, 1, 3, 2)),
          ((2, 3, 1, 3), (1, 1, 3, 2)), ((2, 1, 3), (1, 3, 2)), ((1, 3, 2, 3), (2, 1, 3, 2))]
EMPTY = [((2, 0), (0, 3)), ((0, 3), (3, 2)), ((2, 3), (3, 0)), ((0,), (0,)), ((0,), (0, 2)),
         ((2, 0), (0,)), ((0, 2, 3), (3, 2)), ((0, 2, 3), (1, 3, 2)), ((0, 0), (0, 0)),
         ((2, 1, 1, 0), (3, 0, 2)), ((0,), (2, 0, 3))]
WRONG = [((2, 3), (2, 3)), ((3,), (2,)), ((2,), (3, 2)), ((2, 3), (2,)), ((), (2,)), ((2, 2), ()),
         ((2, 1, 3), (3, 3, 1)), ((0,), (1,)), ((), ())]
FAR = [((33, 5), (5, 7)), ((65, 2), (2, 1)), ((1, 3), (3, 513)), ((2, 34, 2), (2, 515)), ((70, 1, 3), (3, 9)), ((2, 35, 2, 3), (2, 1, 3, 9))]


def numbers(shape, start, kind):
    count = int(np.prod(shape))
    x = ((np.arange(count) * 7 + start) % 11 - (0 if kind.startswith("u") else 5)).astype(float)
    return (x / 2 if kind in FLOATS else x).reshape(shape)


def product(kind, a, b):
    if kind in FLOATS:
        return round_to(kind, np.matmul(a, b))
    y = np.matmul(a.astype(object), b.astype(object))
    return each(lambda v: wrap(kind, v), np.asarray(y, object))


def main():
    with File("matmul/numpy.onnxtxt", "By tests/oracle/matmul.py. Exact.") as f:
        def add(title, since, kind, a, b):
            f.add(title, since, "MatMul (A, B)", {"A": (kind, a), "B": (kind, b)},
                  (kind, product(kind, a, b)))

        for kind in FLOATS + ["int32", "int64", "uint32", "uint64"]:
            for a, b in SHAPES if kind in ("float", "float16", "int32") else SHAPES[:7]:
                add(f"{kind} {list(a)} x {list(b)}", 13, kind, numbers(a, 1, kind),
                    numbers(b, 4, kind))
            for a, b in EMPTY if kind == "float" else EMPTY[:2]:
                add(f"{kind} {list(a)} x {list(b)}", 13, kind, numbers(a, 1, kind),
                    numbers(b, 4, kind))
        for a, b in FAR:  # past the edges of blocks of rows and columns
            add(f"float {list(a)} x {list(b)}", 13, "float", numbers(a, 1, "float"),
                numbers(b, 4, "float"))
        for kind in ("int32", "int64", "uint32", "uint64"):
            low, high = ends(kind)
            a, b = ints([[high, low], [high, 3]]), ints([[high, 2], [5, high]])
            add(f"{kind} wraps", 13, kind, a, b)
        x = np.array([[np.inf, 1], [np.nan, 0], [np.inf, -np.inf]])
        for kind in FLOATS:
            add(f"{kind}: infinities and NaN", 13, kind, x, np.array([[1.0, 0.0], [1.0, 2.0]]))
        # 2048 + 1 is 2048 in float16, 256 + 1 is 256 in bfloat16: the sum is rounded at its end.
        for kind, most in (("float16", 2048.0), ("bfloat16", 256.0)):
            add(f"{kind} is summed in float", 13, kind, np.array([[most, 1.0, 1.0]]),
                np.ones((3, 1)))
        add("float16 overflows to infinity", 13, "float16", np.array([[60000.0, 60000.0]]),
            np.array([[1.0], [1.0]]))
        add("float16 sums may pass its range on the way", 13, "float16",
            np.array([[60000.0, 60000.0, -60000.0]]), np.ones((3, 1)))
        # (1 + e)^2 - (1 + 2 e) is e^2, which a product rounded by itself has lost.
        for kind, e in (("float", 2.0**-12), ("double", 2.0**-27)):
            for m, n in ((1, 1), (1, 20), (9, 1), (9, 20)):
                f.add(f"{kind} [{m},2] x [2,{n}], products are not rounded", 13, "MatMul (A, B)",
                      {"A": (kind, np.tile([1.0, 1 + e], (m, 1))),
                       "B": (kind, np.tile([[-1 - 2 * e], [1 + e]], (1, n)))},
                      (kind, np.full((m, n), e * e)))
        for since, kinds in ((9, IEEE + ["int32", "int64", "uint32", "uint64"]), (1, IEEE)):
            for kind in kinds:
                add(f"{kind} in version {since}", since, kind, np.ones((1, 2)), np.ones((2, 1)))
        for a, b in WRONG:
            fails(f, f"{list(a)} x {list(b)} do not fit", 13, "MatMul (A, B)",
                  {"A": ("float", np.ones(a)), "B": ("float", np.ones(b))}, "SHAPE", "operands",
                  "float[] Y")
            fails(f, f"{list(a)} x {list(b)} do not fit, as the run finds", 13, "MatMul (A, B)",
                  {"A": ("float", np.ones(a)), "B": ("float", np.ones(b))}, "SHAPE", "operands",
                  "float[] Y", declared=False)
        for kind in [k for k in INTEGERS if k not in ("int32", "int64", "uint32", "uint64")] + ["bool"]:
            fails(f, f"no {kind}", 13, "MatMul (A, B)", {"A": (kind, np.ones((1, 1))),
                  "B": (kind, np.ones((1, 1)))}, "TYPE", kind, f"{kind}[1,1] Y")
        fails(f, "no int32 in version 1", 1, "MatMul (A, B)", {"A": ("int32", np.ones((1, 1))),
              "B": ("int32", np.ones((1, 1)))}, "TYPE", "int32", "int32[1,1] Y")
        fails(f, "operands of two types", 13, "MatMul (A, B)", {"A": ("float", np.ones((1, 1))),
              "B": ("double", np.ones((1, 1)))}, "TYPE", "double", "float[1,1] Y")


if __name__ == "__main__":
    main()
