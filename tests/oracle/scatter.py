#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scatter.py - cases of GatherND, ScatterND, ScatterElements and Scatter, by the loops of their
definitions in NumPy:

    python3 tests/oracle/scatter.py
"""
import math

import numpy as np

from elements import INTEGERS, header, wrap
from picked import ALL, case, counted, refused, typed
from text_case import File, literal, round_to

COMMENT = "Made by tests/oracle/scatter.py."
LEAST = -(2**63)


def scattered(shape, n, limits):
    """n tuples of indices below the limits, every other one counted from the end."""
    at = np.stack([np.arange(n) * (7 + 4 * a) % size - (np.arange(n) % 2) * size
                   for a, size in enumerate(limits)], -1)
    return at.reshape(*shape, len(limits)).astype(np.int64)


# ---- GatherND

def gather_nd():
    with File("gather_nd/numpy.onnxtxt", COMMENT) as f:
        def picked(opset, kind, x, index, batch=0, **more):
            y = np.array([x[at[:batch] + tuple(index[at])] for at in np.ndindex(index.shape[:-1])],
                         x.dtype)
            y = y.reshape(index.shape[:-1] + x.shape[batch + index.shape[-1]:])
            attrs = f"<batch_dims = {batch}> " if batch else ""
            case(f, f"{kind}{list(x.shape)} {attrs}by {list(index.shape)}", opset,
                 f"GatherND {attrs}(X, N)", {"X": (kind, x), "N": ("int64", index)}, {"Y": (kind, y)},
                 **more)

        for opset in (11, 12, 13):
            for kind in ALL if opset < 13 else [*ALL, "bfloat16"]:
                picked(opset, kind, counted(kind, (3, 4)), scattered((5,), 5, (3, 4)))
                if opset == 13:
                    picked(opset, kind, counted(kind, (3, 4)), scattered((2,), 2, (3,)))
        x = counted("float", (2, 3, 4, 5))
        for shape, limits, batch in (((3,), (2,), 0), ((3, 2), (2, 3, 4), 0), ((), (2, 3), 0),
                                     ((2, 2), (3, 4), 1), ((2, 3), (4,), 2), ((2, 3, 4, 2), (5,), 3),
                                     ((2, 0), (3,), 1), ((0,), (2, 3, 4, 5), 0), ((2,), (3, 4, 5), 1)):
            index = scattered(shape, int(np.prod(shape, dtype=int)), limits)
            for opset in (12, 13):
                picked(opset, "float", x, index, batch, declared=opset == 12)
        picked(13, "float", np.zeros((2, 0, 3), np.float32), np.zeros((2, 1), np.int64))
        picked(13, "float", np.zeros((0, 3), np.float32), np.zeros((0, 2), np.int64))
        picked(13, "float", np.zeros((0, 3), np.float32), np.zeros((0, 2, 1), np.int64), 1)
        picked(13, "complex128", counted("complex128", (30, 8)), scattered((600,), 600, (30,)))
    with File("gather_nd/errors.onnxtxt", COMMENT) as f:
        def wrong(title, x, index, code, message, attrs="", opset=13):
            refused(f, title, opset, f"GatherND {attrs}(X, N)",
                    {"X": ("float", np.zeros(x)), "N": ("int64", np.array(index, np.int64))}, code,
                    message)

        for at, bad in (((0, 1), 4), ((1, 0), 3), ((1, 0), -4), ((0, 1), -5), ((1, 1), LEAST)):
            index = np.zeros((2, 2), np.int64)
            index[at] = bad
            size = 3 if at[1] == 0 else 4
            wrong(f"index {bad} at {list(at)}", (3, 4), index, "VALUE",
                  f"input 1 has {bad} at [{at[0]},{at[1]}], expected a value in [{-size}, {size - 1}] "
                  f"for axis {at[1]} of input 0")
        wrong("an index behind the batch", (2, 3), [[0], [3]], "VALUE",
              "input 1 has 3 at [1,0], expected a value in [-3, 2] for axis 1 of input 0",
              "<batch_dims = 1> ")
        wrong("an index into nothing", (0, 3), [[0]], "VALUE",
              "input 1 has 0 at [0,0], expected a value in [0, -1] for axis 0 of input 0")
        wrong("tuples that are too long", (3, 4), [[0, 0, 0]], "SHAPE",
              "input 1 'indices' is [1,3], expected tuples of 1 to 2 indices along the last axis")
        wrong("tuples that are empty", (3, 4), np.zeros((2, 0)), "SHAPE",
              "input 1 'indices' is [2,0], expected tuples of 1 to 2 indices along the last axis")
        wrong("tuples that the batch makes too long", (2, 4), [[0, 0], [0, 0]], "SHAPE",
              "input 1 'indices' is [2,2], expected tuples of 1 to 1 indices along the last axis",
              "<batch_dims = 1> ")
        wrong("two batches", (2, 4), [[0], [0], [0]], "SHAPE",
              "input 1 'indices' is [3,1], expected its first 1 dims to be those of input 0, [2,4]",
              "<batch_dims = 1> ")
        for batch in (2, -1, 2**62):
            wrong(f"batch_dims = {batch}", (2, 4), [[0], [0]], "VALUE",
                  f"attribute 'batch_dims' is {batch}, expected 0 to 1, below both ranks",
                  f"<batch_dims = {batch}> ")
        wrong("a scalar", (), [[0]], "SHAPE", "input 0 'data' is [], expected rank 1 or more")
        wrong("a scalar index", (3,), 0, "SHAPE", "input 1 'indices' is [], expected rank 1 or more")
        wrong("too many axes", (1,) * 10, np.zeros((1,) * 9, np.int64), "LIMIT",
              "the output has rank 17, the most is 16")


# ---- what ScatterND and ScatterElements write

def combine(kind, reduction, a, b):
    if reduction == "none":
        return b
    if kind == "bool":
        return int(a or b) if reduction in ("add", "max") else int(a and b)
    if reduction in ("max", "min"):
        nans = [v for v in (a, b) if v != v]
        return nans[0] if nans else max(a, b) if reduction == "max" else min(a, b)
    if kind.startswith("complex"):
        return a + b if reduction == "add" else a * b
    if kind in INTEGERS:
        return wrap(kind, int(a) + int(b) if reduction == "add" else int(a) * int(b))
    exact = float(a) + float(b) if reduction == "add" else float(a) * float(b)
    return exact if kind in ("float16", "bfloat16") else round_to(kind, np.array(exact)).item()


def written(kind, x, places, updates, reduction):
    """places: index tuples of single elements. float16 and bfloat16 are rounded at the end."""
    y = np.array(x, object)
    for at, u in zip(places, np.asarray(updates).reshape(-1).tolist()):
        y[at] = combine(kind, reduction, y[at], u)
    if kind in ("float16", "bfloat16"):
        return round_to(kind, np.array(y.tolist(), np.float64).reshape(-1)).reshape(x.shape)
    return y


REDUCTIONS = ("none", "add", "mul", "max", "min")


def tried():
    """opset, type and reduction of the cases of both operators."""
    for kind in ALL:
        yield 11, kind, None
    for kind in [*ALL, "bfloat16"]:
        yield 13, kind, None
        for opset in (16, 18):
            for reduction in REDUCTIONS[:3 if opset == 16 else 5]:
                if reduction != "none" and kind == "string" or \
                        reduction in ("max", "min") and kind.startswith("complex"):
                    continue
                if opset == 18 or kind in ("float", "uint8"):
                    yield opset, kind, reduction


def base(kind, shape):
    return np.array(counted(kind, shape)) if kind not in ("float16", "bfloat16", "float", "double") \
        else typed(kind, (np.arange(int(np.prod(shape, dtype=int))) % 11 - 4.5).reshape(shape))


def attribute(reduction):
    return f'reduction = "{reduction}"' if reduction else ""


def scatter_nd():
    with File("scatter_nd/numpy.onnxtxt", COMMENT) as f:
        def put(opset, kind, x, index, reduction=None, updates=None, title=None, **more):
            slab = x.shape[index.shape[-1]:]
            u = base(kind, index.shape[:-1] + slab) if updates is None else updates
            places = [tuple(index[at].tolist()) + inner for at in np.ndindex(index.shape[:-1])
                      for inner in np.ndindex(slab)]
            y = written(kind, x, places, u, reduction or "none")
            attrs = f"<{attribute(reduction)}> " if reduction else ""
            case(f, f"{title or kind}{list(x.shape)} {attrs}at {list(index.shape)}", opset,
                 f"ScatterND {attrs}(X, N, U)",
                 {"X": (kind, x), "N": ("int64", index), "U": (kind, u)}, {"Y": (kind, y)}, **more)

        for opset, kind, reduction in tried():
            put(opset, kind, base(kind, (3, 4)), scattered((5,), 5, (3, 4)), reduction)
            if opset == 18:
                put(opset, kind, base(kind, (2, 3)), np.array([[1], [0], [-1]]), reduction,
                    declared=False)
        x = counted("float", (2, 3, 4))
        for reduction in ("none", "add", "max"):
            for shape, limits in (((2, 3), (2, 3)), ((0,), (2,)), ((), (2, 3, 4)), ((1, 1), (2,)),
                                  ((3,), ()), ((), ())):
                n = int(np.prod(shape, dtype=int))
                index = scattered(shape, n, limits) if limits else np.zeros((*shape, 0), np.int64)
                put(18, "float", x, index, reduction)
        put(18, "float", np.zeros((2, 0), np.float32), np.array([[1]]), "add")
        put(18, "float", np.zeros((0, 2), np.float32), np.zeros((0, 1), np.int64), "add")
        for reduction in ("max", "min", "add", "mul"):
            for kind in ("float", "double", "float16", "bfloat16"):
                put(18, kind, typed(kind, np.array([1, math.nan, 3, math.inf])),
                    np.array([[0], [1], [2], [3]]), reduction,
                    typed(kind, np.array([math.nan, 1, -math.inf, math.inf])), f"special {kind}")
        for kind in ("int8", "uint8", "int64", "uint64", "uint16"):
            low, high = np.iinfo(kind).min, np.iinfo(kind).max
            for reduction in ("add", "mul", "max", "min"):
                put(18, kind, np.array([low, high, high, low, 3], kind),
                    np.array([[0], [1], [2], [3], [4]]), reduction,
                    np.array([high, high, 2, high, 5], kind), f"edges of {kind}")
        # A sum of many halves is rounded once, not at each step.
        put(18, "float16", np.full(1, 2048.0), np.zeros((5, 1), np.int64), "add",
            np.full(5, 1.0), "rounded once")
        x, index = np.zeros((20, 900), np.int64), scattered((90,), 90, (20,))
        for at, u in zip(index[:, 0], np.arange(90 * 900).reshape(90, 900)):
            x[at] += u
        f.cases.append(("enough for several threads, opset 18", [
            header(18),
            "g (int64[90,1] N) => (int64[20] L, int64[20] H) <int64 o = {0}, int64 e = {81000}, "
            "int64 i = {1}, int64[2] d = {90, 900}, int64[2] s = {20, 900}, int64[1] a = {1}> { "
            "X = ConstantOfShape <value: tensor = int64[1] {0}> (s) R = Range (o, e, i) "
            'U = Reshape (R, d) Y = ScatterND <reduction = "add"> (X, N, U) '
            "L = ReduceMin <keepdims = 0> (Y, a) H = ReduceMax <keepdims = 0> (Y, a) }",
            f"--- N = {literal('int64', index)}", f"--- L = {literal('int64', x.min(1))}",
            f"--- H = {literal('int64', x.max(1))}"]))
    with File("scatter_nd/errors.onnxtxt", COMMENT) as f:
        def wrong(title, x, index, u, code, message, attrs="", opset=18, kind="float"):
            zeros = np.zeros(x) if kind != "string" else np.full(x, "a", object)
            refused(f, title, opset, f"ScatterND {attrs}(X, N, U)",
                    {"X": (kind, zeros), "N": ("int64", np.array(index, np.int64)),
                     "U": (kind, np.zeros(u) if kind != "string" else np.full(u, "b", object))},
                    code, message, kind=kind)

        wrong("an index past axis 1", (3, 4), [[0, 0], [2, 4]], (2,), "VALUE",
              "input 1 has 4 at [1,1], expected a value in [-4, 3] for axis 1 of input 0")
        wrong("an index before axis 0", (3, 4), [[LEAST]], (1, 4), "VALUE",
              f"input 1 has {LEAST} at [0,0], expected a value in [-3, 2] for axis 0 of input 0")
        wrong("tuples that are too long", (3,), [[0, 0]], (1,), "SHAPE",
              "input 1 'indices' is [1,2], expected tuples of at most 1 indices along the last axis")
        wrong("updates of other dims", (3, 4), [[0], [1]], (2, 3), "SHAPE",
              "input 2 'updates' is [2,3], expected [2,4], a slab of input 0 for each tuple")
        wrong("a scalar", (), [[0]], (1,), "SHAPE", "input 0 'data' is [], expected rank 1 or more")
        wrong("a reduction that does not exist", (3,), [[0]], (1,), "VALUE",
              "attribute 'reduction' is 'sum', expected one of 'none', 'add', 'mul', 'max', 'min'",
              '<reduction = "sum"> ')
        wrong("a sum of strings", (3,), [[0]], (1,), "TYPE",
              "reduction 'add' is not defined for elements of type string", '<reduction = "add"> ',
              kind="string")
        wrong("too many axes", (1,) * 16, np.zeros((1,) * 3, np.int64), (1,) * 16, "LIMIT",
              "the updates have rank 17, the most is 16")


def scatter_elements():
    with File("scatter_elements/numpy.onnxtxt", COMMENT) as f:
        def put(opset, kind, x, index, axis=0, reduction=None, op="ScatterElements", index_kind="int64",
                **more):
            u = base(kind, index.shape)
            places = [at[:axis % x.ndim] + (index[at].item(),) + at[axis % x.ndim + 1:]
                      for at in np.ndindex(index.shape)]
            y = written(kind, x, places, u, reduction or "none")
            attrs = f"axis = {axis}" + (f", {attribute(reduction)}" if reduction else "")
            case(f, f"{op} {kind}{list(x.shape)} {attrs}", opset, f"{op} <{attrs}> (X, N, U)",
                 {"X": (kind, x), "N": (index_kind, index), "U": (kind, u)}, {"Y": (kind, y)}, **more)

        def along(shape, size):
            n = int(np.prod(shape, dtype=int))
            return (np.arange(n) * 7 % size - (np.arange(n) % 2) * size).reshape(shape)

        for opset, kind, reduction in tried():
            put(opset, kind, base(kind, (3, 4)), along((2, 3), 4), 1, reduction)
            if opset == 18:
                put(opset, kind, base(kind, (2, 3)), along((4, 2), 2), 0, reduction, declared=False,
                    index_kind="int32")
        for kind in ALL:
            put(9, kind, base(kind, (3, 4)), np.abs(along((2, 3), 4)) % 3, 0, op="Scatter")
        put(10, "float", base("float", (3, 4)), along((3, 2), 4), 1, op="Scatter")
        for shape, box, axis in (((2, 3, 4), (2, 2, 3), 1), ((2, 3, 4), (1, 3, 9), 2),
                                 ((2, 3, 4), (5, 3, 4), -3), ((5,), (9,), 0), ((2, 700), (2, 600), 0),
                                 ((700,), (600,), -1), ((2, 3), (0, 3), 0), ((0, 3), (0, 3), 1),
                                 ((0, 3), (0, 2), 0), ((1, 1), (1, 1), 1)):
            for reduction in ("none", "add"):
                put(18, "int32", counted("int32", shape), along(box, max(shape[axis], 1)), axis, reduction)
    with File("scatter_elements/errors.onnxtxt", COMMENT) as f:
        def wrong(title, x, index, u, code, message, attrs="", opset=18, op="ScatterElements"):
            refused(f, title, opset, f"{op} {attrs}(X, N, U)",
                    {"X": ("float", np.zeros(x)), "N": ("int64", np.array(index, np.int64)),
                     "U": ("float", np.zeros(u))}, code, message)

        for op, opset in (("ScatterElements", 18), ("Scatter", 9)):
            wrong(f"{op}: an index past the axis", (3, 2), [[0, 3]], (1, 2), "VALUE",
                  "input 1 has 3 at [0,1], expected a value in [-3, 2]", op=op, opset=opset)
            wrong(f"{op}: an index before the axis", (3, 2), [[0, LEAST]], (1, 2), "VALUE",
                  f"input 1 has {LEAST} at [0,1], expected a value in [-2, 1]", "<axis = 1> ", op=op,
                  opset=opset)
            wrong(f"{op}: indices of another rank", (3, 2), [0], (1,), "SHAPE",
                  "input 1 'indices' is [1], expected at most [3,2] outside axis 0", op=op, opset=opset)
            wrong(f"{op}: indices that reach beyond the data", (3, 2), [[0, 0, 0]], (1, 3), "SHAPE",
                  "input 1 'indices' is [1,3], expected at most [3,2] outside axis 0", op=op, opset=opset)
            wrong(f"{op}: updates of other dims", (3, 2), [[0, 0]], (2, 2), "SHAPE",
                  "input 2 'updates' is [2,2], expected [1,2] as input 1", op=op, opset=opset)
            wrong(f"{op}: an axis past the last", (3, 2), [[0, 0]], (1, 2), "VALUE",
                  "attribute 'axis' is 2, expected a value in [-2, 1]", "<axis = 2> ", op=op, opset=opset)
            wrong(f"{op} of a scalar", (), 0, (), "SHAPE", "input 0 'data' is [], expected rank 1 or more",
                  op=op, opset=opset)
        wrong("a reduction that does not exist", (3,), [0], (1,), "VALUE",
              "attribute 'reduction' is 'Add', expected one of 'none', 'add', 'mul', 'max', 'min'",
              '<reduction = "Add"> ')


if __name__ == "__main__":
    gather_nd()
    scatter_nd()
    scatter_elements()
