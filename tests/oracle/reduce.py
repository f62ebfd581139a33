#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reduce.py - text cases of the Reduce operators, by NumPy and Python integers.

    python3 tests/oracle/reduce.py

writes tests/cases/reduce/*.onnxtxt. Sums of floats are of small whole numbers and halves, exact in
every order; where a result is not exact it is computed in double and the case has a tolerance of one
unit in the last place."""
import itertools
import math

import numpy as np

from elements import (FLOATS, IEEE, INTEGERS, LEAST, MOST, SIGNED, UNIT, ends, fails, floats, ints,
                      round_to, wrap)
from text_case import File

WHOLE = ["int32", "int64", "uint32", "uint64"]


def cut(kind, x):
    """A double as an integer: cut toward zero, NaN 0, past the range the nearest end."""
    low, high = ends(kind)
    if math.isnan(x):
        return 0
    return low if x <= low else high if x >= high else int(x)


def lse(v):
    top = max(v) if not any(math.isnan(x) for x in v) else math.nan
    if not math.isfinite(top):
        return top
    return top + math.log(math.fsum(math.exp(x - top) for x in v))


def real(op, v):
    """One result in double of a list of doubles."""
    v = np.array(v, np.float64)
    if len(v) == 0:
        return {"ReduceMax": -math.inf, "ReduceMin": math.inf, "ReduceProd": 1.0,
                "ReduceMean": math.nan, "ReduceLogSum": -math.inf,
                "ReduceLogSumExp": -math.inf}.get(op, 0.0)
    if op == "ReduceLogSumExp":
        return lse(list(v))
    return float({"ReduceSum": lambda x: sum(x[1:], x[0]), "ReduceMean": np.mean, "ReduceMax": np.max,
                  "ReduceMin": np.min, "ReduceProd": np.prod,
                  "ReduceL1": lambda x: np.sum(np.abs(x)),
                  "ReduceL2": lambda x: np.sqrt(np.sum(x * x)),
                  "ReduceLogSum": lambda x: np.log(np.sum(x)),
                  "ReduceSumSquare": lambda x: np.sum(x * x)}[op](v))


def whole(op, kind, v):
    """The same of Python integers: sums and products wrap."""
    v = [int(x) for x in v]
    if len(v) == 0:
        return cut(kind, real(op, []))
    if op == "ReduceMean":
        total = sum(v)
        return abs(total) // len(v) * (1 if total >= 0 else -1)
    if op in ("ReduceMax", "ReduceMin"):
        return max(v) if op == "ReduceMax" else min(v)
    if op == "ReduceLogSumExp":
        return cut(kind, lse(v))
    if op == "ReduceL2":
        return cut(kind, math.sqrt(sum(float(x) ** 2 for x in v)))
    if op == "ReduceLogSum":
        total = sum(map(float, v))
        return cut(kind, math.log(total) if total > 0 else -math.inf if total == 0 else math.nan)
    return {"ReduceSum": wrap(kind, sum(v)), "ReduceProd": wrap(kind, math.prod(v)),
            "ReduceL1": wrap(kind, sum(map(abs, v))), "ReduceSumSquare": wrap(kind, sum(x * x for x in v))}[op]


def truth(op, v):
    return int(all(v)) if op == "ReduceMin" else int(any(v))


def reduce(op, kind, x, axes, keep):
    x = np.asarray(x)
    axes = sorted(a % x.ndim for a in axes)
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = [1 if a in axes else x.shape[a] for a in range(x.ndim) if keep or a in kept]
    one = (lambda v: truth(op, v)) if kind == "bool" else \
        (lambda v: real(op, v)) if kind in FLOATS else (lambda v: whole(op, kind, v))
    results = []
    for at in itertools.product(*(range(x.shape[a]) for a in kept)):
        index = [slice(None)] * x.ndim
        for a, i in zip(kept, at):
            index[a] = i
        results.append(one(np.asarray(x[tuple(index)]).ravel()))
    if kind in FLOATS:
        return round_to(kind, np.array(results, np.float64).reshape(shape))
    return ints(results, tuple(shape))


SMOOTH = ("ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean")
BODIES = ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare")
OPS = ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
       "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare")
# Dims and axes: groups of every kind, lines and rows, tiles of one and of several, narrow rows.
AXES = [((3,), (0,)), ((2, 3), (0,)), ((2, 3), (1,)), ((2, 3), (-1, 0)), ((2, 3, 4), (1,)),
        ((2, 3, 4), (0, 2)), ((2, 3, 4), (-3, -2)), ((2, 1, 3), (1,)), ((1, 1), (0,)),
        ((2, 3, 2, 3), (1, 3)), ((2, 3, 2, 3), (0, 2)), ((2, 3, 2, 3), (2, 0, 3)),
        ((3, 2, 9), (0,)), ((9, 5), (1,)), ((20, 2), (0,)), ((2, 17), (1,)), ((4, 9), (0,)),
        ((1, 2, 1, 2, 1, 2), (1, 4, 5)), ((5, 2, 4), (0, 2))]
# Past the edges of lanes, blocks and tiles; one operator for each kind of walk.
FAR = [((1025,), (0,)), ((1, 3073), (1,)), ((1025, 8), (0,)), ((18, 129), (0,)), ((27, 2, 40), (0, 2)),
       ((1026, 2), (0,)), ((130, 17), (1,)), ((140, 3), (1,))]
WALKS = ("ReduceSum", "ReduceLogSumExp")
EMPTY = [((0,), (0,)), ((2, 0), (1,)), ((0, 3), (0,)), ((2, 0, 3), (0, 1)), ((0, 0), (0,)),
         ((2, 0), (0,)), ((0, 2), (1,))]


def numbers(op, kind, shape, start=3):
    i = (np.arange(math.prod(shape)) * 7 + start) % 11
    if op == "ReduceProd":
        x = np.where(i % 5 == 0, 2, 1) if len(i) < 100 else np.where(i == 0, -1, 1)
        x = np.abs(x) if kind.startswith("u") else x
    elif kind == "bool":
        x = (i > 5).astype(np.int64)
    else:
        x = i + 1 if op == "ReduceLogSum" or kind.startswith("u") else i - 5
    if kind in FLOATS:
        return floats(kind, x / 2).reshape(shape) if op != "ReduceProd" else \
            floats(kind, x).reshape(shape)
    return ints([int(v) for v in x], shape)


def node(op, since, axes, keep=1, noop=0):
    attrs = [f"keepdims = {keep}"] if keep != 1 else []
    if noop:
        attrs.append("noop_with_empty_axes = 1")
    by_input = since >= (13 if op == "ReduceSum" else 18)
    if not by_input and axes is not None:
        attrs.append(f"axes = [{', '.join(map(str, axes))}]")
    inputs = "X, A" if by_input and axes is not None else "X"
    return f"{op} <{', '.join(attrs)}> ({inputs})" if attrs else f"{op} ({inputs})", by_input


def sections(op, kind, since):
    both = ("body native expand",) if op in BODIES and since >= 18 else ()
    if op not in SMOOTH or kind not in FLOATS:
        return both
    return both + (f"tolerance rtol {UNIT[kind]:.3g} atol {LEAST[kind]:.3g}",)


def kinds_of(op, since):
    wide = since >= 13
    kinds = (FLOATS if wide else IEEE) + WHOLE
    if op in ("ReduceMax", "ReduceMin") and since >= 12:
        kinds = kinds + ["int8", "uint8"] + (["bool"] if since >= 20 else [])
    return kinds


def write(op):
    last = 20 if op in ("ReduceMax", "ReduceMin") else 13 if op == "ReduceSum" else 18
    older = [v for v in (18, 13, 12, 11, 1) if v < last and (v != 12 or last == 20)]
    with File(f"reduce/{op[6:].lower()}.onnxtxt", "By tests/oracle/reduce.py.") as f:
        def add(title, since, kind, x, axes, keep=1, noop=0, remark=None):
            text, by_input = node(op, since, axes, keep, noop)
            inputs = {"X": (kind, x)}
            if by_input and axes is not None:
                inputs["A"] = ("int64", np.array(axes, np.int64).astype(object))
            rank = np.asarray(x).ndim
            real_axes = tuple(sorted({a % rank for a in axes})) if axes else () if noop else tuple(range(rank))
            more = [s for s in sections(op, kind, since) if not remark or "body" not in s]
            f.add(title, since, text, inputs, (kind, reduce(op, kind, x, real_axes, keep)),
                  more + ([f'remark "{remark}"'] if remark else []))

        for kind in kinds_of(op, last):
            for shape, axes in AXES if kind in ("float", "int32") else AXES[4:7]:
                for keep in (1, 0):
                    add(f"{kind} {list(shape)} along {list(axes)}, keepdims {keep}", last, kind,
                        numbers(op, kind, shape), axes, keep)
            for shape, axes in EMPTY if kind == "float" else EMPTY[:2]:
                add(f"{kind} {list(shape)} along {list(axes)}", last, kind, numbers(op, kind, shape),
                    axes)
            add(f"{kind}, all axes", last, kind, numbers(op, kind, (2, 3)), None)
            add(f"{kind}, an empty list", last, kind, numbers(op, kind, (2, 3)), (), 0)
            add(f"{kind}, no axes", last, kind, numbers(op, kind, (2, 3)), None, 1, 1)
        for shape, axes in FAR if op in WALKS else FAR[:1]:
            for kind in ("float", "float16", "int32") if op == "ReduceSum" else ("float",):
                x = numbers(op, kind, shape)
                add(f"{kind} {list(shape)} along {list(axes)}", last, kind, x, axes)
        add("no axes, an empty list", last, "float", numbers(op, "float", (2, 3)), (), 1, 1)
        add("no axes, keepdims 0", last, "float", numbers(op, "float", (2, 3)), None, 0, 1)
        add("noop_with_empty_axes means nothing where there are axes", last, "float",
            numbers(op, "float", (2, 3)), (1,), 1, 1)
        add("a scalar", last, "float", numbers(op, "float", ()), None)
        add("a scalar, an empty list", last, "float", numbers(op, "float", ()), ())
        for since in (last, older[-2]):
            add(f"an axis named twice counts once, version {since}", since, "float", numbers(op, "float", (2, 3)), (1, -1, 1),
                remark=f"({op}-{since}): axes names axis 1 twice, which counts once")
        for kind in FLOATS:
            x = np.array([[math.nan, 1, 2], [1, math.nan, 2], [2, 1, math.nan],
                          [math.inf, 1, 2], [-math.inf, 1, 2], [math.inf, -math.inf, 1],
                          [math.inf, math.nan, -math.inf], [-math.inf] * 3, [math.inf] * 3,
                          [-0.0] * 3])
            add(f"{kind}: infinities and NaN", last, kind, x, (1,))
            add(f"{kind}: infinities and NaN in rows", last, kind, x.T.copy(), (0,))
        extremes(op, last, add)
        for since in older:
            for kind in kinds_of(op, since):
                add(f"{kind} in version {since}", since, kind, numbers(op, kind, (2, 3)), (1,), 0)
            add(f"all axes in version {since}", since, "float", numbers(op, "float", (2, 3)), None)
            if since > 1:
                add(f"a negative axis in version {since}", since, "float",
                    numbers(op, "float", (2, 3)), (-2,))
            add(f"nothing in version {since}", since, "float", numbers(op, "float", (2, 0)), (1,))
        errors(f, op, last, older)


def extremes(op, last, add):
    for kind in kinds_of(op, last):
        if kind == "bool" or kind in FLOATS:
            continue
        low, high = ends(kind)
        if op != "ReduceMean":  # whose sum of 64-bit integers wraps
            add(f"{kind}: ends of the range", last, kind,
                ints([[high, 1], [low, high], [low, low], [high, high]]), (1,))
        elif "32" in kind:
            add(f"{kind}: a mean whose sum is past the range", last, kind, ints([high, high, high - 1]),
                (0,))
    if op == "ReduceMean":
        add("int32: cut toward zero", last, "int32", ints([[-3, -4], [3, 4]]), (1,))
        add("uint64: not taken for negative", last, "uint64", ints([2**63, 2**63 - 2]), (0,))
    if op == "ReduceL2":
        for kind in FLOATS:
            add(f"{kind}: squares past the range", last, kind,
                floats(kind, [MOST[kind] / 2, 0.0] if kind != "double" else [3e150, 4e150]), (0,))
    if op == "ReduceLogSum":
        add("float16: a sum past the range", last, "float16", np.array([60000.0, 60000.0]), (0,))
    if op == "ReduceSum":
        add("float16 is summed in float", last, "float16", np.array([2048.0, 1, 1]), (0,))
        add("bfloat16 is summed in float", last, "bfloat16", np.array([256.0, 1, 1]), (0,))
        add("float16 may pass its range on the way", last, "float16",
            np.array([60000.0, 60000.0, -60000.0]), (0,))
        add("float16 overflows to infinity", last, "float16", np.array([60000.0, 60000.0]), (0,))
    if op == "ReduceLogSumExp":
        for kind in FLOATS:
            add(f"{kind}: large and small", last, kind,
                np.array([[1000.0, 1000, 998], [-1000, -1000, -1008]]), (1,))
        add("double: as large as can be", last, "double", np.array([MOST["double"], 1.0]), (0,))
        add("uint64: a large maximum", last, "uint64", ints([2**63 + 2**20, 5]), (0,))


def errors(f, op, last, older):
    x = {"X": ("float", np.ones((2, 3)))}
    for axes, code, part in (((2,), "VALUE", "2"), ((-3,), "VALUE", "-3"),
                             ((2**63 - 1,), "VALUE", "9223372036854775807")):
        fails(f, f"axes {list(axes)}", last, f"{op} (X, A)",
              {**x, "A": ("int64", ints(list(axes)))}, code, part)
        fails(f, f"axes {list(axes)} in version 11", 11, f"{op} <axes = [{axes[0]}, {axes[-1]}]> (X)",
              x, code, part)
    fails(f, "a scalar has no axis 0", last, f"{op} (X, A)",
          {"X": ("float", np.ones(())), "A": ("int64", ints([0]))}, "VALUE", "axes")
    fails(f, "axes are int64", last, f"{op} (X, A)", {**x, "A": ("int32", ints([0]))}, "TYPE", "int32")
    fails(f, "axes are no attribute any more", last, f"{op} <axes = [0]> (X)", x, "MODEL", "axes")
    fails(f, "axes are no input yet", 11, f"{op} (X, A)", {**x, "A": ("int64", ints([0]))}, "MODEL",
          "input")
    for kind in [k for k in list(INTEGERS) + ["bool"] if k not in kinds_of(op, last)]:
        fails(f, f"no {kind}", last, f"{op} (X)", {"X": (kind, ints([1]))}, "TYPE", kind,
              f"{kind}[] Y")
    fails(f, "bfloat16 came later", 11, f"{op} (X)", {"X": ("bfloat16", np.ones(1))}, "TYPE",
          "bfloat16", "bfloat16[] Y")


if __name__ == "__main__":
    for each_op in OPS:
        write(each_op)
