#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""selection.py - cases of ArgMax, ArgMin, TopK, NonZero, Unique and Compress, by NumPy and Python's sort:

    python3 tests/oracle/selection.py
"""
import math

import numpy as np

from picked import ALL, INTEGERS, NUMERIC, case, counted, i64, refused, typed
from text_case import File

COMMENT = "Made by tests/oracle/selection.py."
NAN, INF = math.nan, math.inf
MIXED = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 9]
EDGES = {**{k: [np.iinfo(k).min, np.iinfo(k).max, 0, 1, np.iinfo(k).max, np.iinfo(k).min, 2, 2]
            for k in INTEGERS},
         **{k: [0.0, -0.0, 1.5, -INF, INF, -1.5, INF, -0.0] for k in ("float16", "bfloat16", "float",
                                                                   "double")}}


def edges(kind):
    """As rows of 4; the double is exact in every type, the integers have their own."""
    values = EDGES[kind]
    return np.array(values, kind).reshape(2, 4) if kind in INTEGERS else \
        typed(kind, np.array(values).reshape(2, 4))


# ---- ArgMax, ArgMin

def arg(op, x, axis, last, keep):
    find = np.argmax if op == "ArgMax" else np.argmin
    y = find(np.flip(x, axis), axis=axis) if last else find(x, axis=axis)
    y = x.shape[axis] - 1 - y if last else y
    return np.expand_dims(y, axis) if keep else np.asarray(y)


def arg_case(f, op, opset, kind, x, axis=0, keep=1, last=0, title=None, **more):
    attrs = f"axis = {axis}, keepdims = {keep}" + (", select_last_index = 1" if last else "")
    y = arg(op, x, axis, last, keep)
    case(f, title or f"{op} of {kind}{list(x.shape)}, {attrs}", opset, f"{op} <{attrs}> (X)",
         {"X": (kind, x)}, {"Y": ("int64", y)}, **more)


def long_axis(f, op, last, modulus):
    """Numbers modulo the modulus, rising for ArgMax and falling for ArgMin."""
    n = 65600 * 16
    first, end, step = (0, 3 * n, 3) if op == "ArgMax" else (3 * n, 0, -3)
    x = np.arange(first, end, step).reshape(65600, 16) % modulus
    f.cases.append((f"{op}, an axis of 65600, modulo {modulus}, opset 13", [
        '<ir_version: 10, opset_import: ["" : 13]>',
        f"g (int64 n) => (int64[16] Y) <int64 o = {{{first}}}, int64 i = {{{step}}}, int64 m = "
        f"{{{modulus}}}, int64[2] d = {{65600, 16}}> {{ r = Range (o, n, i) s = Mod (r, m) "
        f"X = Reshape (s, d) Y = {op} <keepdims = 0, select_last_index = {last}> (X) }}",
        f"--- n = int64 {{{end}}}",
        f"--- Y = int64[16] {{{', '.join(map(str, arg(op, x, 0, last, 0)))}}}"]))


def arg_max():
    with File("arg_max/numpy.onnxtxt", COMMENT) as f:
        for op in ("ArgMax", "ArgMin"):
            for kind in [*NUMERIC, "bfloat16"]:
                for last in (0, 1):
                    arg_case(f, op, 13, kind, edges(kind), 1, 1, last)
                    arg_case(f, op, 13, kind, typed(kind, np.array(MIXED).reshape(3, 4)), 0, 0, last)
            for opset, kind in ((1, "float"), (1, "uint8"), (11, "double"), (12, "int64")):
                arg_case(f, op, opset, kind, edges(kind), 1)
            for axis in (0, 1, 2, -1, -3):
                arg_case(f, op, 13, "float", counted("float", (2, 3, 4)) % 5, axis, axis % 2)
            x = np.array([[1, NAN, 9, NAN], [INF, 2, -INF, NAN], [5, 6, 7, 8]])
            for kind in ("float", "double", "float16", "bfloat16"):
                for last in (0, 1):
                    arg_case(f, op, 13, kind, typed(kind, x), 1, 1, last, f"{op}, NaN in {kind}")
                    arg_case(f, op, 13, kind, typed(kind, np.tile(x.T, 5)), 0, 0, last,
                             f"{op}, NaN in columns of {kind}")
            for shape, axis in (((0, 3), 1), ((3, 0, 2), 0), ((1,), 0), ((1, 1), 1)):
                arg_case(f, op, 13, "float", counted("float", shape), axis, declared=False)
            for shape, axis in (((2, 1300), 1), ((1300, 2), 0), ((3, 40, 13), 1), ((5, 600), 0)):
                x = (np.arange(np.prod(shape)) * 7919 % 1009).reshape(shape)
                arg_case(f, op, 13, "int32", x.astype(np.int32), axis)
                arg_case(f, op, 13, "double", x.astype(np.float64), axis, 0, 1)
            x = np.zeros((2**40, 1, 0))
            case(f, f"{op} of nothing, many times", 13, f"{op} <axis = 1> (X)", {"X": ("float", x)},
                 {"Y": ("int64", x)})
            for last in (0, 1):
                for modulus in (101, 10**9):
                    long_axis(f, op, last, modulus)
    with File("arg_max/errors.onnxtxt", COMMENT) as f:
        for op in ("ArgMax", "ArgMin"):
            x = {"X": ("float", np.zeros((2, 0)))}
            refused(f, f"{op} of nothing", 13, f"{op} <axis = 1> (X)", x, "SHAPE",
                    "input 0 'data' is [2,0], expected at least one element along axis 1", kind="int64")
            refused(f, f"{op} with axis 2 of 2", 13, f"{op} <axis = 2> (X)", x, "VALUE",
                    "attribute 'axis' is 2, expected a value in [-2, 1]", kind="int64")
            refused(f, f"{op} of a scalar", 13, f"{op} (X)", {"X": ("float", np.zeros(()))}, "VALUE",
                    "attribute 'axis' is 0, expected a value in [0, -1]", kind="int64")
            refused(f, f"{op} of bool", 13, f"{op} (X)", {"X": ("bool", np.zeros(2, np.uint8))}, "TYPE",
                    "input 0 'data' is bool", kind="int64")
            refused(f, f"{op} of bfloat16 before opset 13", 12, f"{op} (X)",
                    {"X": ("bfloat16", np.zeros(2))}, "TYPE", "input 0 'data' is bfloat16", kind="int64")


# ---- TopK

def rank(v):
    return (1, 0) if v != v else (0, v)


def top(x, k, axis, largest):
    rows = np.moveaxis(x, axis, -1)
    index = np.zeros((*rows.shape[:-1], k), np.int64)
    for at in np.ndindex(rows.shape[:-1]):
        row = rows[at]
        order = sorted(range(len(row)), key=lambda i, row=row: rank(row[i].item()),
                       reverse=bool(largest))
        index[at] = order[:k]
    return np.moveaxis(np.take_along_axis(rows, index, -1), -1, axis), np.moveaxis(index, -1, axis)


def top_case(f, opset, kind, x, k, axis=-1, largest=None, is_sorted=None, title=None, **more):
    attrs = f"axis = {axis}" + (f", largest = {largest}" if largest is not None else "") + \
        (f", sorted = {is_sorted}" if is_sorted is not None else "") + \
        (f", k = {k}" if opset < 10 else "")
    value, index = top(x, k, axis, largest is None or largest)
    inputs = {"X": (kind, x), **({"K": i64(k)} if opset >= 10 else {})}
    case(f, title or f"{k} of {kind}{list(x.shape)}, {attrs}", opset,
         f"TopK <{attrs}> ({', '.join(inputs)})", inputs, {"V": (kind, value), "I": ("int64", index)},
         declared=False, **more)


def top_k():
    with File("top_k/python.onnxtxt", COMMENT) as f:
        for kind in [*NUMERIC, "bfloat16"]:
            for largest in (0, 1):
                top_case(f, 24, kind, edges(kind), 3, 1, largest)
                top_case(f, 24, kind, typed(kind, np.array(MIXED).reshape(3, 4)), 2, 0, largest)
        for opset in (1, 10):
            for kind in ("float16", "float", "double"):
                top_case(f, opset, kind, edges(kind), 2)
                top_case(f, opset, kind, typed(kind, np.array(MIXED).reshape(3, 4)), 3, 0)
        for kind in NUMERIC:
            top_case(f, 11, kind, typed(kind, np.array(MIXED)), 5, 0, 1, 0)
        x = np.array([[1, NAN, 9, NAN], [INF, 2, -INF, NAN], [5, 6, 7, 8]])
        for kind in ("float", "double", "float16", "bfloat16"):
            for largest in (0, 1):
                top_case(f, 24, kind, typed(kind, x), 4, 1, largest, title=f"NaN in {kind}")
        for axis in (0, 1, 2, -2):
            top_case(f, 13, "float", counted("float", (2, 3, 20)) % 7, 2, axis, 1)
        for shape, k in (((0, 3), 2), ((3,), 0), ((3, 0), 0), ((1,), 1), ((2, 3, 0), 1)):
            top_case(f, 13, "float", counted("float", shape), k, 1 if len(shape) == 3 else -1)
        for n, k, kind in ((60, 48, "float"), (60, 49, "float"), (60, 60, "int32"), (300, 100, "int16"),
                           (1500, 200, "float"), (1500, 20, "uint8"), (1300, 90, "int64")):
            for name, values in (("mixed", np.arange(n) * 7919 % 101), ("rising", np.arange(n) // 6),
                                 ("falling", np.arange(n)[::-1] // 6), ("equal", np.arange(n) * 0)):
                for largest in (0, 1):
                    top_case(f, 13, kind, typed(kind, values), k, 0, largest,
                             title=f"{k} of {n} {name} {kind}, largest = {largest}")
    with File("top_k/errors.onnxtxt", COMMENT) as f:
        x = {"X": ("float", np.zeros((2, 3)))}
        for k in (4, -1, 2**63 - 1, -2**63):
            refused(f, f"{k} of 3", 13, "TopK (X, K)", {**x, "K": i64(k)}, "VALUE",
                    f"k is {k}, expected 0 to 3, the size of axis 1", "V, I")
        refused(f, "4 of 3 by an attribute", 1, "TopK <k = 4> (X)", x, "VALUE",
                "k is 4, expected 0 to 3, the size of axis 1", "V, I")
        refused(f, "two numbers", 13, "TopK (X, K)", {**x, "K": i64(1, 2)}, "SHAPE",
                "input 1 has 2 elements, expected one", "V, I")
        refused(f, "an axis past the last", 13, "TopK <axis = 2> (X, K)", {**x, "K": i64(1)}, "VALUE",
                "attribute 'axis' is 2, expected a value in [-2, 1]", "V, I")
        refused(f, "integers before opset 11", 10, "TopK (X, K)",
                {"X": ("int32", np.zeros(2, int)), "K": i64(1)}, "TYPE", "input 0 'X' is int32", "V, I", "int32")


# ---- NonZero

def non_zero():
    with File("non_zero/numpy.onnxtxt", COMMENT) as f:
        def found(title, opset, kind, x, truth=None):
            truth = np.asarray(x != 0 if truth is None else truth)
            y = np.stack(np.nonzero(truth)).reshape(x.ndim, -1) if x.ndim else \
                np.zeros((0, int(truth)), np.int64)
            case(f, title, opset, "NonZero (X)", {"X": (kind, x)}, {"Y": ("int64", y)}, declared=False)

        flags = np.array([[0, 1, 0, 2], [0, 0, 0, 0], [3, 4, 5, 6]])
        for opset in (9, 13):
            for kind in ALL if opset == 9 else [*ALL, "bfloat16"]:
                if kind == "string":
                    found("strings", opset, kind, np.array([["", "a"], ["0", ""]], object),
                          np.array([[0, 1], [1, 0]]))
                else:
                    found(kind, opset, kind, typed(kind, flags))
        for kind in ("float", "double", "float16", "bfloat16"):
            found(f"special {kind}", 13, kind, typed(kind, np.array([-0.0, NAN, INF, 0, -INF, -1])))
            least = {"float": 2.0**-149, "double": 5e-324, "float16": 2.0**-24, "bfloat16": 2.0**-133}
            found(f"least {kind}", 13, kind, np.array([least[kind], -least[kind], 0.0]))
        for kind in ("complex64", "complex128"):
            found(f"special {kind}", 13, kind, np.array([complex(-0.0, 0), complex(0, 1), complex(1, -0.0),
                                                         complex(-0.0, -0.0), complex(NAN, 0)]))
        for shape in ((), (0,), (3, 0), (1, 1), (2, 3, 4), (1300,), (1, 600), (600, 3), (2, 257, 2)):
            found(f"shape {list(shape)}", 13, "int32", np.asarray(counted("int32", shape) % 3))
        found("a scalar 1", 13, "int32", np.array(1, np.int32))
        found("all zero", 13, "float", np.zeros((3, 4)))


# ---- Unique

def lexical(v):
    return (rank(v.real), rank(v.imag)) if isinstance(v, complex) else rank(v)


def unique(x, axis, is_sorted):
    rows = [np.asarray(v).reshape(-1) for v in (np.moveaxis(x, axis, 0) if axis is not None else
                                                 x.reshape(-1))]
    keys = [tuple(lexical(e if isinstance(e, str) else e.item()) for e in row) for row in rows]
    groups = sorted(set(keys)) if is_sorted else list(dict.fromkeys(keys))
    number = {k: i for i, k in enumerate(groups)}
    first = [keys.index(k) for k in groups]
    y = np.take(x if axis is not None else x.reshape(-1), np.array(first, int), axis or 0)
    return {"first": first, "inverse": [number[k] for k in keys],
            "counts": [keys.count(k) for k in groups]}, y


def unique_case(f, kind, x, axis=None, is_sorted=1, outputs=("first", "inverse", "counts"), title=None):
    lists, y = unique(x, axis, is_sorted)
    attrs = f"sorted = {is_sorted}" + (f", axis = {axis}" if axis is not None else "")
    case(f, title or f"{kind}{list(x.shape)}, {attrs}", 11, f"Unique <{attrs}> (X)", {"X": (kind, x)},
         {"Y": (kind, y), **{k: i64(*lists[k]) for k in outputs}}, declared=False)


def uniques():
    with File("unique/python.onnxtxt", COMMENT) as f:
        for kind in ALL:
            x = typed(kind, np.array(MIXED).reshape(3, 4))
            for is_sorted in (0, 1):
                unique_case(f, kind, x, None, is_sorted)
                unique_case(f, kind, np.concatenate([x[1:], x[:2]]), 0, is_sorted)
                unique_case(f, kind, x[:, [3, 1, 3, 0, 2]], 1, is_sorted)
        for kind in ("float", "double", "float16"):
            x = typed(kind, np.array([NAN, 1, 0.0, -0.0, INF, NAN, -INF, 1]))
            for is_sorted in (0, 1):
                unique_case(f, kind, x, None, is_sorted, title=f"special {kind}, sorted = {is_sorted}")
                unique_case(f, kind, x.reshape(4, 2), 0, is_sorted,
                            title=f"rows of special {kind}, sorted = {is_sorted}")
        x = np.array([complex(1, 2), complex(1, -2), complex(-0.0, 0), complex(0, -0.0), complex(NAN, 1)])
        unique_case(f, "complex64", x, title="special complex64")
        x = np.array(["b", "", "a", "ab", "a", "", "B", "\u00e9"], object)
        for is_sorted in (0, 1):
            unique_case(f, "string", x, None, is_sorted, title=f"strings, sorted = {is_sorted}")
        for shape, axis in (((0,), None), ((0,), 0), ((2, 0), 0), ((2, 0), 1), ((0, 3), 0), ((), None),
                            ((1,), 0)):
            unique_case(f, "float", counted("float", shape), axis)
        for axis in (0, 1, 2, -1, -3):
            unique_case(f, "int8", counted("int8", (3, 4, 5)) // 7 % 2, axis)
        for n in (49, 700):
            for kind in ("int32", "int64"):
                unique_case(f, kind, typed(kind, np.arange(n) * 7919 % 97 * 1000003), title=f"{n} {kind}")
        unique_case(f, "int32", typed("int32", np.arange(999) * 31 % 7 % 3).reshape(333, 3), 0)
        x = typed("float", np.array(MIXED))
        case(f, "slabs of nothing, many times", 11, "Unique <axis = 1> (X)",
             {"X": ("float", np.zeros((2**40, 3, 0)))}, {"Y": ("float", np.zeros((2**40, 1, 0)))})
        for outputs in ((), ("first",), ("first", "inverse")):
            unique_case(f, "float", x, outputs=outputs, title=f"outputs {list(outputs)}")
        f.cases.append(("counts alone", [
            '<ir_version: 10, opset_import: ["" : 11]>',
            'g (float[4] X) => (int64[] C) { Y, "", "", C = Unique (X) }',
            "--- X = float[4] {2, 1, 2, 2}", "--- C = int64[2] {1, 3}"]))
    with File("unique/errors.onnxtxt", COMMENT) as f:
        refused(f, "an axis past the last", 11, "Unique <axis = 1> (X)", {"X": ("float", np.zeros(2))},
                "VALUE", "attribute 'axis' is 1, expected a value in [-1, 0]")


# ---- Compress

def compress():
    with File("compress/numpy.onnxtxt", COMMENT) as f:
        def picked(opset, kind, x, condition, axis=None):
            y = np.compress(condition, x, axis)
            attrs = f"<axis = {axis}> " if axis is not None else ""
            case(f, f"{kind}{list(x.shape)} {attrs}by {condition}", opset, f"Compress {attrs}(X, C)",
                 {"X": (kind, x), "C": ("bool", np.array(condition, np.uint8))}, {"Y": (kind, y)},
                 declared=False)

        for kind in ALL:
            picked(11, kind, counted(kind, (3, 4)), [0, 1, 1], 0)
            picked(9, kind, counted(kind, (3, 4)), [1, 0, 0, 1], 1)
            picked(11, kind, counted(kind, (3, 4)), [0, 1, 0, 0, 1, 1])
        for axis in (0, 1, 2, -1, -2, -3):
            picked(11, "float", counted("float", (2, 3, 4)), [0, 1], axis)
        for shape, condition, axis in (((3,), [], None), ((3,), [0, 0, 0], 0), ((0,), [], 0),
                                       ((2, 0), [1, 1], 0), ((2, 3), [0], 1), ((0, 2), [1, 0], 1)):
            picked(11, "float", counted("float", shape), condition, axis)
    with File("compress/errors.onnxtxt", COMMENT) as f:
        def wrong(title, x, condition, attrs, code, message):
            refused(f, title, 11, f"Compress {attrs} (X, C)",
                    {"X": ("float", np.zeros(x)), "C": ("bool", np.zeros(condition, np.uint8))}, code,
                    message)

        wrong("a matrix of conditions", (2, 3), (1, 2), "", "SHAPE",
              "input 1 'condition' is [1,2], expected rank 1")
        wrong("a scalar", (), (1,), "", "SHAPE", "input 0 'input' is [], expected rank 1 or more")
        wrong("an axis past the last", (2, 3), (1,), "<axis = 2>", "VALUE",
              "attribute 'axis' is 2, expected a value in [-2, 1]")


if __name__ == "__main__":
    arg_max()
    top_k()
    non_zero()
    uniques()
    compress()
