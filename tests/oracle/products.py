#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""products.py - text cases of Gemm, MatMulInteger, QLinearMatMul and Einsum.

    python3 tests/oracle/products.py

Elements are small whole numbers, or halves of them, so that every sum is exact in every order;
integers wrap. Einsum is computed from its definition: every assignment of indices to labels."""
import itertools
import string
from fractions import Fraction

import numpy as np

from cast import to_float
from elements import FLOATS, IEEE, INTEGERS, each, fails, header, ints, round_to, wrap
from text_case import File

HIGH = ["int32", "int64", "uint32", "uint64"]


def numbers(shape, start, kind):
    count = int(np.prod(shape))
    x = ((np.arange(count) * 7 + start) % 11 - (0 if kind.startswith("u") else 5)).astype(float)
    return (x / 2 if kind in FLOATS else x).reshape(shape)


def exact(kind, y):
    if kind in FLOATS:
        return round_to(kind, np.asarray(y, np.float64))
    return np.asarray(each(lambda v: wrap(kind, v), np.asarray(y, object)), object)


# ---- Gemm

def gemm(f):
    def add(title, since, kind, a, b, c, **attrs):
        ta, tb = attrs.get("transA", 0), attrs.get("transB", 0)
        alpha, beta = attrs.get("alpha", 1.0), attrs.get("beta", 1.0)
        x, y = numbers(a, 1, kind), numbers(b, 4, kind)
        inputs = {"A": (kind, x), "B": (kind, y)}
        whole = alpha == int(alpha) and beta == int(beta)
        if kind not in FLOATS and whole:
            x, y, alpha, beta = x.astype(object), y.astype(object), int(alpha), int(beta)
        z = alpha * np.matmul(x.T if ta else x, y.T if tb else y)
        if c is not None:
            inputs["C"] = (kind, numbers(c, 8, kind))
            z = z + beta * (inputs["C"][1].astype(z.dtype) if z.dtype == object else inputs["C"][1])
        z = exact(kind, z) if kind in FLOATS or whole else np.trunc(z).astype(np.int64)
        text = ", ".join(f"{k} = {v}" for k, v in attrs.items())
        f.add(f"{title} {text}".strip(), since,
              f"Gemm{f' <{text}>' if text else ''} ({', '.join(inputs)})", inputs, (kind, z))

    for kind in FLOATS + HIGH:
        for ta, tb in itertools.product((0, 1), (0, 1)):
            for m, k, n in ((2, 3, 4), (1, 5, 3), (9, 2, 9), (3, 1, 1), (1, 1, 1)):
                add(f"{kind} {m} x {k} x {n}", 13, kind, (k, m) if ta else (m, k),
                    (n, k) if tb else (k, n), (m, n) if m != 9 else None,
                    **({"transA": 1} if ta else {}), **({"transB": 1} if tb else {}))
        add(f"{kind} scaled", 13, kind, (2, 3), (3, 4), (4,), alpha=2.0, beta=3.0)
    for c in ((), (1,), (4,), (2, 1), (1, 4), (1, 1), (2, 4), None):
        for kind in ("float", "double", "int32", "int64", "float16"):
            add(f"{kind} C {c}", 13, kind, (2, 3), (3, 4), c, alpha=0.5, beta=0.25)
    for since, kinds in ((11, IEEE + HIGH), (9, IEEE + HIGH), (7, IEEE)):
        for kind in kinds:
            add(f"{kind} in version {since}", since, kind, (2, 3), (3, 4), (4,), alpha=2.0)
    add("without C in version 11", 11, "float", (2, 3), (3, 4), None)
    for since in (6, 1):
        for kind in IEEE:
            add(f"{kind} in version {since}", since, kind, (2, 3), (3, 4), (2, 4), beta=2.0)
            for c in ((4,), (1, 4), (1,), (), (2, 1)):
                add(f"{kind} in version {since}, C {list(c)}", since, kind, (2, 3), (3, 4), c,
                    broadcast=1, transA=0)
    for a, b, c in (((0, 2**40), (2**40, 0), None), ((0, 3), (3, 2), (2,)), ((2, 0), (0, 3), (3,)), ((2, 3), (3, 0), None),
                    ((0, 0), (0, 0), None), ((2, 0), (0, 3), None)):
        add(f"empty {a} x {b}", 13, "float", a, b, c)
    for a, b, c, ta, tb in (((70, 30), (30, 300), (300,), 0, 0), ((30, 70), (300, 30), (70, 1), 1, 1),
                            ((7, 129), (40, 129), (40,), 0, 1), ((129, 5), (40, 129), None, 1, 1),
                            ((1, 260), (70, 260), (70,), 0, 1)):
        add("large", 13, "float", a, b, c, transA=ta, transB=tb)
    x = np.array([[np.inf, 1], [np.nan, 0]])
    for kind in FLOATS:
        f.add(f"{kind} infinities", 13, "Gemm (A, B, C)",
              {"A": (kind, x), "B": (kind, np.array([[1.0, 0.0], [2.0, 2.0]])),
               "C": (kind, np.array([-np.inf, 1.0]))},
              (kind, x @ np.array([[1.0, 0.0], [2.0, 2.0]]) + np.array([-np.inf, 1.0])))
    f.add("a zero keeps its sign without C", 13, "Gemm <alpha = -1.0> (A, B)",
          {"A": ("float", np.zeros((1, 1))), "B": ("float", np.ones((1, 1)))},
          ("float", np.array([[-0.0]])))
    f.add("float16 is rounded once", 13, "Gemm (A, B, C)",
          {"A": ("float16", np.array([[2048.0, 1.0]])), "B": ("float16", np.ones((2, 1))),
           "C": ("float16", np.ones((1, 1)))}, ("float16", np.array([[2050.0]])))

    def no(title, a, b, c, code, part, since=13, kind="float", attrs=""):
        inputs = {"A": (kind, np.ones(a)), "B": (kind, np.ones(b))}
        if c is not None:
            inputs["C"] = (kind, np.ones(c))
        for declared in (True, False):
            fails(f, f"{title}{'' if declared else ', as the run finds'}", since,
                  f"Gemm{attrs} ({', '.join(inputs)})", inputs, code, part, f"{kind}[] Y", declared)

    no("inner dims differ", (2, 3), (2, 3), None, "SHAPE",
       "A is [2,3] and B is [2,3], whose inner dims differ")
    no("inner dims of transposes differ", (2, 3), (2, 3), None, "SHAPE",
       "A is [2,3] transposed and B is [2,3] transposed, whose inner dims differ",
       attrs=" <transA = 1, transB = 1>")
    no("a vector", (3,), (3, 2), None, "SHAPE", "input 0 'A' is [3], expected rank 2")
    no("a batch", (3, 2), (1, 2, 3), None, "SHAPE", "input 1 'B' is [1,2,3], expected rank 2")
    no("C does not repeat", (2, 3), (3, 4), (2,), "SHAPE",
       "input 2 'C' is [2], which does not repeat to [2,4]")
    no("C is larger", (1, 3), (3, 4), (2, 4), "SHAPE",
       "input 2 'C' is [2,4], which does not repeat to [1,4]")
    no("C of rank 3", (2, 3), (3, 4), (1, 2, 4), "SHAPE",
       "input 2 'C' is [1,2,4], which does not repeat to [2,4]")
    no("C must be whole in version 6", (2, 3), (3, 4), (4,), "SHAPE",
       "input 2 'C' is [4], expected [2,4], as attribute 'broadcast' is 0", 6)
    no("no int8", (1, 1), (1, 1), None, "TYPE", "int8", kind="int8")
    no("no int32 in version 7", (1, 1), (1, 1), (1,), "TYPE", "int32", 7, "int32")
    no("C is needed in version 9", (1, 1), (1, 1), None, "MODEL", "input", 9)


# ---- MatMulInteger, QLinearMatMul

def codes(kind, shape, start=0):
    low = -128 if kind == "int8" else 0
    return ints((np.arange(int(np.prod(shape))) * 37 + 11 * start) % 256 + low, shape)


def spread(zero, shape, left):
    """The zero points or scales of each element."""
    zero = np.asarray(zero)
    if zero.size == 1:
        return np.broadcast_to(zero.reshape(()), shape)
    if zero.ndim == 1:
        zero = zero.reshape((-1, 1) if left else (1, -1))
    return np.broadcast_to(zero, shape)


INT_SHAPES = [((2, 3), (3, 4)), ((1, 1), (1, 1)), ((3,), (3,)), ((2, 5), (5,)), ((5,), (5, 2)),
              ((2, 2, 3), (3, 2)), ((2, 1, 2, 3), (3, 3, 1)), ((2, 3), (2, 3, 2))]
INT_FAR = [((66, 5), (5, 33)), ((3, 300), (300, 9)), ((2, 3, 7), (2, 7, 17)), ((3, 5), (5, 260))]
INT_EMPTY = [((0, 2**40), (2**40, 0)), ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((2, 3), (3, 0)), ((0, 2, 3), (3, 2))]


def zero_shapes(a, b):
    yield (), ()
    if len(a) > 1:
        yield a[:-1] + (1,), ()
    if len(b) > 1:
        yield (1,), b[:-2] + (1,) + b[-1:]
    if len(a) == 2 and len(b) == 2:
        yield a[:1], b[1:]


def matmul_integer(f):
    for ta, tb in itertools.product(("int8", "uint8"), repeat=2):
        for a, b in INT_SHAPES + INT_EMPTY + (INT_FAR if (ta, tb) == ("uint8", "int8") else []):
            x, y = codes(ta, a), codes(tb, b, 3)
            f.add(f"{ta} {a} x {tb} {b}", 10, "MatMulInteger (A, B)", {"A": (ta, x), "B": (tb, y)},
                  ("int32", np.asarray(np.matmul(x, y), object) if 0 not in a + b
                   else np.matmul(x.astype(int), y.astype(int))))
            for za, zb in zero_shapes(a, b):
                p, q = codes(ta, za, 5), codes(tb, zb, 7)
                z = np.matmul((x - spread(p, a, True)).astype(int),
                              (y - spread(q, b, False)).astype(int))
                f.add(f"{ta} {a} less {za} x {tb} {b} less {zb}", 10,
                      "MatMulInteger (A, B, a_zero_point, b_zero_point)",
                      {"A": (ta, x), "B": (tb, y), "a_zero_point": (ta, p),
                       "b_zero_point": (tb, q)}, ("int32", z))
    one = {"A": ("uint8", codes("uint8", (2, 3))), "B": ("uint8", codes("uint8", (3, 2)))}
    f.add("a zero point of B alone", 10, "MatMulInteger (A, B, , z)",
          {**one, "z": ("uint8", ints([3]))},
          ("int32", np.matmul(one["A"][1].astype(int), one["B"][1].astype(int) - 3)))
    # 40000 products of 255 * 255 pass 2^31.
    f.cases.append(("sums wrap", [
        header(10), "g (int64[2] a, int64[2] b) => (int32[] Y) {",
        "A = ConstantOfShape <value = uint8[1] {255}> (a) "
        "B = ConstantOfShape <value = uint8[1] {255}> (b) Y = MatMulInteger (A, B) }",
        "--- a = int64[2] {1, 40000}", "--- b = int64[2] {40000, 1}",
        f"--- Y = int32[1,1] {{{wrap('int32', 40000 * 255 * 255)}}}"]))

    def no(title, a, b, zero, code, part, place="a_zero_point"):
        inputs = {"A": ("uint8", codes("uint8", a)), "B": ("uint8", codes("uint8", b))}
        if zero is not None:
            inputs["z"] = ("uint8", codes("uint8", zero))
        node = {"a_zero_point": "A, B, z", "b_zero_point": "A, B, , z"}[place]
        fails(f, title, 10, f"MatMulInteger ({node if zero is not None else 'A, B'})", inputs, code,
              part, "int32[] Y")

    no("inner dims differ", (2, 3), (2, 3), None, "SHAPE",
       "operands are [2,3] and [2,3], whose inner dims differ")
    no("too few zero points of A", (3, 3), (3, 2), (2,), "SHAPE",
       "input 2 'a_zero_point' is [2], expected one element, [3] or [3,1]")
    no("zero points of A along its columns", (2, 3), (3, 2), (1, 3), "SHAPE",
       "input 2 'a_zero_point' is [1,3], expected one element, [2] or [2,1]")
    no("zero points of a batch", (2, 2, 3), (3, 2), (2,), "SHAPE",
       "input 2 'a_zero_point' is [2], expected one element or [2,2,1]")
    no("zero points of a vector", (3,), (3, 2), (3,), "SHAPE",
       "input 2 'a_zero_point' is [3], expected one element")
    no("too many zero points of B", (2, 3), (3, 2), (3,), "SHAPE",
       "input 3 'b_zero_point' is [3], expected one element, [2] or [1,2]", "b_zero_point")
    fails(f, "no int16", 10, "MatMulInteger (A, B)",
          {"A": ("int16", ints([[1]])), "B": ("int16", ints([[1]]))}, "TYPE", "int16",
          "int32[] Y")


def requantized(kind, total, scale, zero):
    low, high = (-128, 127) if kind == "int8" else (0, 255)
    whole = round(Fraction(int(total)) * scale)  # ties to even
    return max(low, min(high, whole + zero))


def qlinear_matmul(f):
    def add(title, since, ta, tb, ty, a, b, sa, sb, sy, za, zb, zy, ts="float"):
        x, y = codes(ta, a), codes(tb, b, 3)
        z = np.matmul((x - spread(za, a, True)).astype(int), (y - spread(zb, b, False)).astype(int))
        # Scales are powers of two: their products and quotients are exact.
        rows = spread(sa, a, True)[..., 0] if len(a) > 1 else sa
        columns = spread(sb, b, False)[..., 0, :] if len(b) > 1 else sb
        scales = np.broadcast_to(rows[..., None] * columns[..., None, :] if len(a) > 1 and len(b) > 1
                                 else rows * columns, z.shape)
        out = each(lambda t, s: requantized(ty, t, Fraction(float(s)) / Fraction(sy), zy),
                   np.asarray(z, object), np.asarray(scales, object))
        inputs = {"a": (ta, x), "sa": (ts, sa), "za": (ta, za), "b": (tb, y), "sb": (ts, sb),
                  "zb": (tb, zb), "sy": (ts, np.array(sy)), "zy": (ty, np.array(zy))}
        f.add(title, since, f"QLinearMatMul ({', '.join(inputs)})", inputs, (ty, out))

    def powers(shape, start):
        return 2.0 ** -((np.arange(int(np.prod(shape))) + start) % 4).reshape(shape)

    for ta, tb, ty in itertools.product(("int8", "uint8"), repeat=3):
        for a, b in INT_SHAPES[:6] if ty == ta else INT_SHAPES[:1]:
            for za, zb in zero_shapes(a, b):
                zy = -7 if ty == "int8" else 131
                add(f"{ta} {a} {za} x {tb} {b} {zb} to {ty}", 10, ta, tb, ty, a, b, powers(za, 3),
                    powers(zb, 2), 64.0, codes(ta, za, 2), codes(tb, zb, 4), zy)
        add(f"{ta} x {tb} to {ty}, wide", 10, ta, tb, ty, (3, 5), (5, 300), powers((3, 1), 0),
            powers((300,), 1), 256.0, codes(ta, (3, 1), 2), codes(tb, (300,), 4), 100)
    for ts in ("float", "float16", "bfloat16"):
        add(f"{ts} scales in version 21", 21, "uint8", "int8", "int8", (2, 3), (3, 4),
            powers((), 3), powers((4,), 2), 64.0, codes("uint8", ()), codes("int8", (4,)), 3, ts)
    # Halves are rounded to even before an odd zero point is added.
    f.add("ties to even, then the zero point", 10, "QLinearMatMul (a, sa, za, b, sb, zb, sy, zy)",
          {"a": ("uint8", ints([[1], [3], [5], [7]])), "sa": ("float", np.array(0.5)),
           "za": ("uint8", ints([0])), "b": ("uint8", ints([[1]])), "sb": ("float", np.array(1.0)),
           "zb": ("uint8", ints([0])), "sy": ("float", np.array(1.0)), "zy": ("uint8", ints([1]))},
          ("uint8", ints([[1], [3], [3], [5]])))
    for kind, points in (("uint8", (5, 255, 0)), ("int8", (-3, 127, -128))):
        low = 0 if kind == "uint8" else -128
        f.add(f"{kind}: NaN gives the zero point, infinities the ends", 10,
              "QLinearMatMul (a, sa, za, b, sb, zb, sy, zy)",
              {"a": (kind, ints([[low], [low + 2], [low]])),
               "sa": ("float", np.array([np.nan, np.inf, -np.inf])),
               "za": (kind, ints([low + 1, low + 1, low - low + low])),
               "b": (kind, ints([[1]])), "sb": ("float", np.array(1.0)), "zb": (kind, ints([0])),
               "sy": ("float", np.array(1.0)), "zy": (kind, np.array(points[0]))},
              (kind, ints([[points[0]], [points[1]], [points[0]]])))
    float8(f)

    def no(title, code, part, **change):
        inputs = {"a": ("uint8", codes("uint8", (2, 3))), "sa": ("float", np.ones(())),
                  "za": ("uint8", ints([0])), "b": ("uint8", codes("uint8", (3, 4))),
                  "sb": ("float", np.ones(())), "zb": ("uint8", ints([0])),
                  "sy": ("float", np.ones(())), "zy": ("uint8", ints([0])), **change}
        since = 21 if any(v[0].startswith("float8") for v in inputs.values()) else 10
        fails(f, title, since, f"QLinearMatMul ({', '.join(inputs)})", inputs, code, part,
              "uint8[] Y")

    no("inner dims differ", "SHAPE", "operands are [2,4] and [3,4], whose inner dims differ",
       a=("uint8", codes("uint8", (2, 4))))
    no("scales along A's columns", "SHAPE",
       "input 1 'a_scale' is [3], expected one element, [2] or [2,1]", sa=("float", np.ones(3)))
    no("scales of B's rows", "SHAPE",
       "input 4 'b_scale' is [3,1], expected one element, [4] or [1,4]",
       sb=("float", np.ones((3, 1))))
    no("several zero points of y", "SHAPE", "input 7 'y_zero_point' is [4], expected one element",
       zy=("uint8", codes("uint8", (4,))))
    no("several scales of y", "SHAPE", "input 6 'y_scale' is [2], expected one element",
       sy=("float", np.ones(2)))
    no("zero point of another type", "TYPE", "int8", za=("int8", ints([0])))
    no("double scales", "TYPE", "double", sa=("double", np.ones(())))


def float8(f):
    """Small whole numbers, which every float8 holds; the results are rounded by lists."""
    x, y = np.array([[1.0, -2.0, 4.0], [0.5, 3.0, 0.0]]), np.array([[1.0, 2.0], [3.0, -4.0], [6.0, 1.0]])
    kinds = ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"]
    for kind in kinds:
        for out in (kind, "float8e5m2", "uint8", "int8"):
            for sa in (1.0, 0.25, 512.0):
                total = (x @ y) * sa
                if out.startswith("float8"):
                    z = np.array([[to_float(out, v, True) for v in row] for row in total])
                    zy = np.array(0.0)
                else:
                    z = ints([[max(0 if out == "uint8" else -128,
                                   min(255 if out == "uint8" else 127, round(v) + 9)) for v in row]
                              for row in total.tolist()])
                    zy = np.array(9)
                f.add(f"{kind} times {sa} to {out}", 21,
                      "QLinearMatMul (a, sa, za, b, sb, zb, sy, zy)",
                      {"a": (kind, x), "sa": ("float", np.array(sa)), "za": (kind, np.array(0.0)),
                       "b": (kind, y), "sb": ("float", np.array(1.0)), "zb": (kind, np.array(0.0)),
                       "sy": ("float", np.array(1.0)), "zy": (out, zy)}, (out, z))
    f.add("float8 zero points, and one 8-bit operand", 21,
          "QLinearMatMul (a, sa, za, b, sb, zb, sy, zy)",
          {"a": ("float8e4m3fn", x), "sa": ("float", np.array([1.0, 2.0])),
           "za": ("float8e4m3fn", np.array([1.0, 0.5])), "b": ("int8", ints([[1, 2], [3, -4], [6, 1]])),
           "sb": ("float", np.array([0.5, 1.0])), "zb": ("int8", ints([1, -1])),
           "sy": ("float", np.array(0.5)), "zy": ("int8", np.array(1))},
          ("int8", ints([[int(v) for v in row] for row in np.clip(np.rint(
              (x - [[1.0], [0.5]]) @ (np.array([[1, 2], [3, -4], [6, 1]]) - [[1, -1]])
              * [[1.0], [2.0]] * [[0.5, 1.0]] / 0.5) + 1, -128, 127)])))


# ---- Einsum

def parse(equation, shapes):
    """The labels of each operand and of the output; an ellipsis becomes digits."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms, dots = left.split(","), ""
    for term, shape in zip(terms, shapes):
        if "..." in term:
            dots = "0123456789"[:len(shape) - (len(term) - 3)]
    if not arrow:
        letters = [c for c in left if c.isalpha()]
        right = ("..." if "..." in left else "") + \
            "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return [t.replace("...", dots) for t in terms], right.replace("...", dots)


def einsum(equation, *operands):
    terms, out = parse(equation, [x.shape for x in operands])
    size = {}
    for term, x in zip(terms, operands):
        for label, n in zip(term, x.shape):
            size[label] = n if size.get(label, 1) == 1 else size[label]
    labels = sorted(size)
    y = np.zeros([size[c] for c in out], object)
    for index in itertools.product(*(range(size[c]) for c in labels)):
        at = dict(zip(labels, index))
        value = 1
        for term, x in zip(terms, operands):
            value *= x[tuple(at[c] if n > 1 else 0 for c, n in zip(term, x.shape))]
        y[tuple(at[c] for c in out)] += value
    return y


EQUATIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij,kj->ik", (2, 3), (4, 3)),
    ("ji,jk->ki", (3, 2), (3, 4)), ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)), ("ij->ji", (2, 3)),
    ("ij", (2, 3)), ("ba", (2, 3)), ("ij->i", (2, 3)), ("ij->j", (2, 3)), ("ij->", (2, 3)), ("ii->i", (3, 3)),
    ("ii", (3, 3)), ("ii->", (3, 3)), ("i,i->", (4,), (4,)), ("i,i", (4,), (4,)),
    ("i,j->ij", (2,), (3,)), ("i,j->ji", (2,), (3,)), ("i,i->i", (4,), (4,)),
    ("bi,bi->b", (3, 4), (3, 4)), ("bij,bj->bi", (2, 3, 4), (2, 4)), ("bi,bij->bj", (2, 3), (2, 3, 4)),
    ("i,ij->j", (3,), (3, 4)), ("j,ij->i", (4,), (3, 4)), ("ki,k->i", (3, 4), (3,)),
    ("...ij,...jk->...ik", (2, 2, 3), (2, 3, 2)), ("...ij,...jk->...ik", (2, 3), (3, 2)),
    ("...ij,...jk->...ik", (2, 1, 2, 3), (1, 3, 3, 2)), ("...ii->...i", (2, 3, 3)), ("...ii", (2, 3, 3)),
    ("...->...", (2, 3)), ("...", (2, 3)), ("i...->...", (2, 3, 2)), ("i...->i...", (2, 3)),
    ("i...j->j...i", (2, 3, 4)), ("...,...", (2, 3), (2, 3)), ("a...,...b", (2, 3), (3, 2)),
    ("...a->a...", (2, 3, 4)), (" i j , j k -> i k ", (2, 3), (3, 2)), ("iJ,Jk", (2, 3), (3, 2)),
    ("aB,Bc->ca", (2, 3), (3, 2)), ("bhid,bhjd->bhij", (2, 2, 3, 2), (2, 2, 4, 2)),
    ("bhij,bhjd->bhid", (2, 2, 3, 4), (2, 2, 4, 2)), ("bnqd,bnkd->bnqk", (1, 2, 3, 2), (1, 2, 2, 2)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)), ("i,j,k->ijk", (2,), (3,), (2,)),
    ("a,b,c,d->", (2,), (2,), (3,), (2,)), ("ab,bc,cd,de->ae", (2, 3), (3, 2), (2, 3), (3, 2)),
    ("ij,ik,il->jkl", (2, 2), (2, 3), (2, 2)), ("ijk,jil->kl", (2, 3, 4), (3, 2, 2)),
    ("ijk,ilm,njm,nlk,abc->", (2, 2, 2), (2, 3, 2), (2, 2, 2), (2, 3, 2), (2, 1, 2)),
    (",i->i", (), (3,)), ("i,->i", (3,), ()), (",", (), ()), ("->", ()), ("", ()), (",->", (), ()),
    ("iij,jk->ik", (2, 2, 3), (3, 2)), ("iji->j", (2, 3, 2)), ("iii->i", (3, 3, 3)), ("iijj->ij", (2, 2, 3, 3)),
    ("ij,jk->ik", (2, 1), (3, 4)), ("ij,ij->ij", (1, 3), (2, 1)), ("ij,ij->", (1, 3), (2, 1)),
    ("ij->ij", (1, 1)), ("ij->i", (1, 3)), ("bi,bj->bij", (2, 3), (2, 2)), ("abc,cd->abd", (2, 2, 3), (3, 2)),
    ("abcd,cdef->abef", (2, 2, 2, 2), (2, 2, 2, 2)), ("abcd,cdef->efab", (2, 2, 2, 2), (2, 2, 2, 2)),
    ("acbd,cedf->efab", (2, 3, 2, 2), (3, 2, 2, 2)), ("ij,kl->", (2, 3), (2, 2)), ("ij,kl->jl", (2, 3), (2, 2)),
    ("...i,...i->...", (2, 3), (2, 3)), ("...i,i->...", (2, 2, 3), (3,)), ("b...d->bd", (2, 3))]
EINSUM_EMPTY = [("ij,jk->ik", (2, 0), (0, 3)), ("ij,jk->ik", (0, 2), (2, 3)), ("ij->", (0, 3)),
                ("ij->i", (2, 0)), ("i,i->", (0,), (1,)), ("ii->i", (0, 0)), ("ij,jk,kl->il", (2, 3), (3, 0), (0, 2))]


def einsum_cases(f):
    def add(kind, equation, shapes, title=""):
        xs = [numbers(s, 1 + 3 * i, kind) for i, s in enumerate(shapes)]
        names = string.ascii_uppercase[:len(xs)]
        plain = [x if kind in FLOATS else x.astype(object) for x in xs]
        if kind not in FLOATS:
            plain = [each(int, x) for x in plain]
        y = einsum(equation, *[x.astype(object) for x in plain])
        f.add(title or f"{kind} '{equation}' {shapes}", 12,
              f'Einsum <equation = "{equation}"> ({", ".join(names)})',
              {n: (kind, x) for n, x in zip(names, xs)}, (kind, exact(kind, y)))

    for equation, *shapes in EQUATIONS:
        add("float", equation, shapes)
        add("int32", equation, shapes)
    for equation, *shapes in EINSUM_EMPTY:
        add("float", equation, shapes)
        add("int64", equation, shapes)
    for kind in IEEE + list(INTEGERS):
        for equation, *shapes in EQUATIONS[:1] + EQUATIONS[4:6] + EQUATIONS[8:11] + EQUATIONS[16:20]:
            add(kind, equation, shapes)
    for equation, *shapes in (("ij,jk->ik", (70, 9), (9, 270)), ("bij,bkj->bki", (3, 40, 5), (3, 35, 5)),
                              ("ij,ij->", (40, 60), (40, 60)), ("ij->j", (300, 5)), ("ij,ij->i", (9, 300), (9, 300))):
        add("float", equation, shapes, f"large '{equation}' {shapes}")
    for equation, shapes in ((",".join("a" * 18) + "->a", [(2,)] * 18),
                             (",".join(["ab"] + ["a", "b"] * 9) + "->b", [(2, 2)] + [(2,)] * 18),
                             (",".join("abcdefghijklmnopqr") + "->", [(2,)] * 9 + [(1,)] * 9),
                             (",".join("ab bc cd de ef fg gh hi ij jk kl lm mn no op pq qr".split()),
                              [(2, 1) if i % 2 else (1, 2) for i in range(17)])):
        add("int64", equation, shapes, f"{len(shapes)} operands '{equation}'")
    for kind in INTEGERS:
        low, high = (-(1 << (INTEGERS[kind] - 1)), (1 << (INTEGERS[kind] - 1)) - 1) \
            if not kind.startswith("u") else (0, (1 << INTEGERS[kind]) - 1)
        a, b = ints([[high, low], [high, 3]]), ints([[high, 2], [5, high]])
        f.add(f"{kind} wraps", 12, 'Einsum <equation = "ij,jk"> (A, B)', {"A": (kind, a), "B": (kind, b)},
              (kind, exact(kind, np.matmul(a, b))))
    f.add("float16 is summed in float", 12, 'Einsum <equation = "ij,jk"> (A, B)',
          {"A": ("float16", np.array([[2048.0, 1.0, 1.0]])), "B": ("float16", np.ones((3, 1)))},
          ("float16", np.array([[2050.0]])))

    def no(equation, shapes, part, code="VALUE"):
        names = string.ascii_uppercase[:len(shapes)]
        for declared in (True, False):
            fails(f, f"'{equation}' {shapes}{'' if declared else ', as the run finds'}", 12,
                  f'Einsum <equation = "{equation}"> ({", ".join(names)})',
                  {n: ("float", np.ones(s)) for n, s in zip(names, shapes)}, code, part, "float[] Y", declared)

    def says(equation, shapes, text):
        no(equation, shapes, f"attribute 'equation' is '{equation}': {text}")

    says("ij,jk", [(2, 3)], "it has more terms than there are inputs, 1")
    says("ij", [(2, 3), (2, 3)], "it has 1 terms, but there are 2 inputs")
    says("ij", [(2,)], "term 1 has 2 letters, but input 0 has rank 1")
    says("i", [()], "term 1 has 1 letters, but input 0 has rank 0")
    says("...ij", [(2,)], "term 1 has 2 letters besides '...', but input 0 has rank 1")
    says("ij,jk", [(2, 3), (4, 2)], "label 'j' of input 1 has size 4, but 3 before")
    says("ij,jk", [(2, 0), (4, 2)], "label 'j' of input 1 has size 4, but 0 before")
    says("ii", [(2, 3)], "label 'i' of input 0 has sizes 2 and 3")
    says("ii", [(1, 3)], "label 'i' of input 0 has sizes 1 and 3")
    says("...,...", [(2,), (3, 2)], "'...' covers 2 axes of input 1, but 1 of an input before")
    says("...,...", [(2,), (3,)], "label '...' of input 1 has size 3, but 2 before")
    says("ij->k", [(2, 3)], "label 'k' of the output is in no input")
    says("ij->ii", [(2, 3)], "label 'i' is twice in the output")
    says("...i->i", [(2, 3)], "the output lacks the '...' of the inputs")
    says("ij->i,j", [(2, 3)], "the output's term does not end at character 6")
    says("i->i->i", [(2,)], "the output's term does not end at character 5")
    says("i-i", [(2,)], "character 2 begins no '->'")
    says("i1", [(2, 3)], "character 2 is none of letters, blanks, ',', '...' and '->'")
    says("i.", [(2, 3)], "character 2 begins no '...', or a second one in a term")
    says("...i...", [(2, 3)], "character 5 begins no '...', or a second one in a term")
    says("abcdefghijklmnopq", [(2,)], "a term has more than 16 letters")
    many = ["abcdefghijklm", "nopqrstuvwxyz"]
    says(",".join(many), [(1,) * 13] * 2, "the output's rank would pass 16")
    no("ij->ij" + " " * 120, [(2,)], "...': term 1 has 2 letters, but input 0 has rank 1")


def main():
    with File("gemm/numpy.onnxtxt", "By tests/oracle/products.py. Exact.") as f:
        gemm(f)
    with File("matmul_integer/integer.onnxtxt", "By tests/oracle/products.py. Exact.") as f:
        matmul_integer(f)
    with File("matmul_integer/linear.onnxtxt", "By tests/oracle/products.py. Exact.") as f:
        qlinear_matmul(f)
    with File("einsum/definition.onnxtxt", "By tests/oracle/products.py. Exact.") as f:
        einsum_cases(f)


if __name__ == "__main__":
    main()
