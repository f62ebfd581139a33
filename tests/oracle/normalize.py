#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""normalize.py - text cases of the normalising operators, by NumPy in double.

    python3 tests/oracle/normalize.py

writes tests/cases/layer_normalization/*.onnxtxt and tests/cases/group_normalization/*.onnxtxt."""
import numpy as np

from elements import FLOATS, IEEE, UNIT, fails, header, round_to, shared
from text_case import File, literal

INF, NAN = np.inf, np.nan
rng = np.random.default_rng(17)


def numbers(*shape):
    return np.round(rng.normal(size=shape) * 3 * 64) / 64 + 1


def epsilon(value=1e-5):
    return float(np.float32(value))  # an attribute is a float


def tolerance(kind):
    return f"tolerance rtol {4 * UNIT[kind]} atol {8 * min(UNIT[kind], UNIT['float'])}"


def mean_of(x, axes):
    n = np.prod([x.shape[a] for a in axes])
    return np.sum(x, axes, keepdims=True) / np.float64(n)


def moments(x, axes, eps):
    mean = mean_of(x, axes)
    return mean, 1 / np.sqrt(mean_of((x - mean) ** 2, axes) + eps)


def rounded(f, title, since, node, inputs, y, kind, loose=None):
    """inputs: name -> (kind, array already rounded)."""
    f.add(title, since, node, inputs, (kind, round_to(kind, y)), [tolerance(loose or kind)])


def attributes(**given):
    text = ", ".join(f"{k} = {v}" for k, v in given.items() if v is not None)
    return f" <{text}>" if text else ""


# What is no sum of few digits: a sum of several is rounded, and its mean need not be the number.
CONSTANT = {kind: round_to(kind, np.full((1, 10), 473.19)) for kind in FLOATS}


# ---- LayerNormalization, RMSNormalization

def layer(f, title, kind, x, scale, bias=None, axis=None, eps=None, stash=None, outputs="Y"):
    x, scale = round_to(kind, x), round_to(kind, scale)
    axes = tuple(range((-1 if axis is None else axis) % x.ndim, x.ndim))
    mean, inverse = moments(x, axes, epsilon(1e-5 if eps is None else eps))
    y = (x - mean) * inverse * scale
    inputs = {"X": (kind, x), "Scale": (kind, scale)}
    if bias is not None:
        bias = round_to(kind, bias)
        inputs["B"] = (kind, bias)
        y = y + bias
    small = "bfloat16" if stash == 16 else "float"
    values = {"Y": (kind, y), "Mean": (small, mean), "InvStdDev": (small, inverse)}
    wanted = [o for o in outputs.split(",") if o]
    ports = ", ".join(File.port(k, v, n) for n, (k, v) in inputs.items())
    outs = ", ".join(File.port(*values[o], o) for o in wanted)
    made = ", ".join(o if o in wanted else "" for o in ("Y", "Mean", "InvStdDev")).rstrip(", ")
    made = made if "Y" in wanted else made.replace(",", "unused,", 1)
    node = f"LayerNormalization{attributes(axis=axis, epsilon=eps, stash_type=stash)}"
    lines = [header(17), f"g ({ports}) => ({outs}) {{ {made} = {node} ({', '.join(inputs)}) }}"]
    lines += [f"--- {n} = {literal(*v)}" for n, v in inputs.items()]
    loose = "float" if kind == "double" else kind  # stash_type cannot be double
    for o in wanted:
        k, v = values[o]
        loose = k if UNIT[k] > UNIT[loose] else loose
        lines += [f"--- {o} = {literal(k, round_to(k, v))}"]
    f.cases.append((title, lines + [f"--- {tolerance(loose)}"]))


ROWS = {"equal elements": [2, 2, 2, 2], "NaN": [1, NAN, 3, 4], "Inf": [1, INF, 3, 4],
        "-Inf": [1, -INF, 3, 4], "zeros": [0, 0, 0, 0], "small": [1e-4, -1e-4, 2e-4, 0],
        "far from 0": [101, 102, 103, 104]}
FACTORS = [(4,), (3, 4), (1, 4), (1,), (), (3, 1), (2, 3, 4), (2, 1, 4), (2, 1, 1), (1, 1, 1)]


def layers():
    with File("layer_normalization/LayerNormalization.onnxtxt", "By tests/oracle/normalize.py.") as f:
        x = numbers(2, 3, 4)
        for axis in (None, -3, -2, -1, 0, 1, 2):
            shape = x.shape[-1 if axis is None else axis:]
            layer(f, f"axis {axis}", "float", x, numbers(*shape), numbers(*shape), axis,
                  outputs="Y,Mean,InvStdDev")
            layer(f, f"axis {axis}, no bias", "float", x, numbers(*shape), None, axis)
        for a in FACTORS:
            for axis in (1, 2):
                layer(f, f"scale {list(a)}, from axis {axis} on", "float", x, numbers(*a), None, axis)
                layer(f, f"bias {list(a)}, from axis {axis} on", "float", x, numbers(4), numbers(*a),
                      axis)
        for shape in ((1,), (5, 1), (3, 15), (3, 16), (2, 33), (2, 1, 1, 1), (0,), (0, 3), (3, 0),
                      (1, 2, 0)):
            layer(f, f"{list(shape)}", "float", numbers(*shape), numbers(shape[-1]),
                  numbers(shape[-1]), outputs="Y,Mean,InvStdDev")
        for kind in FLOATS:
            layer(f, f"{kind}", kind, numbers(3, 19), numbers(19), numbers(19), outputs="Y,Mean,InvStdDev")
            layer(f, f"{kind}: epsilon", kind, numbers(2, 3), numbers(3), None, eps=0.5)
            layer(f, f"{kind}: epsilon 0", kind, numbers(2, 3), numbers(3), None, eps=0.0)
            layer(f, f"{kind}: stash_type 16", kind, numbers(2, 5), numbers(5), None, stash=16,
                  outputs="Y,Mean,InvStdDev")
            for title, row in ROWS.items():
                layer(f, f"{kind}: {title}", kind, [row, [1, 2, 3, 5]], numbers(4), numbers(4),
                      outputs="Y,Mean,InvStdDev")
        f.add("double passes the range of float, which stash_type 1 asks for", 17,
              "LayerNormalization (X, Scale)",
              {"X": ("double", np.array([[1e39, 0], [1, 2]])), "Scale": ("double", np.ones(2))},
              ("double", np.array([[NAN, NAN], [-1, 1]])), ["tolerance rtol 1e-4 atol 0"])
        layer(f, "only Mean is wanted", "float", x, numbers(4), outputs="Mean")
        layer(f, "only InvStdDev is wanted", "float16", x, numbers(4), outputs="InvStdDev")
        layer(f, "float16 squares pass its range", "float16", [[3e4, -3e4, 6e4, 0]], np.ones(4),
              outputs="Y")
        wrong(f, "LayerNormalization", 17, "Scale")
        for kind in FLOATS:
            f.add(f"{kind}: equal elements whose sum is rounded", 17, "LayerNormalization (X, Scale)",
                  {"X": (kind, CONSTANT[kind]), "Scale": (kind, np.ones(10))},
                  (kind, np.zeros((1, 10))))


def wrong(f, op, since, name):
    def one(title, shape, scale, attrs, code, part, kinds=("float", "float")):
        for declared in (True, False):
            fails(f, title + ("" if declared else ", as the run finds"), since,
                  f"{op}{attrs} (X, {name})", {"X": (kinds[0], np.ones(shape)),
                                               name: (kinds[1], np.ones(scale))},
                  code, part, f"{kinds[1]}[] Y", declared)
    one("axis past the end", (2, 3), (3,), " <axis = 2>", "VALUE", "attribute 'axis'")
    one("axis before the start", (2, 3), (3,), " <axis = -3>", "VALUE", "attribute 'axis'")
    one("rank 0 has no axis", (), (), "", "VALUE", "attribute 'axis'")
    one("scale does not repeat", (2, 3), (2,), "", "SHAPE", "input 1")
    one("scale has more axes", (2, 3), (1, 2, 3), "", "SHAPE", "input 1")
    one("scale would repeat X", (1, 3), (2, 3), "", "SHAPE", "input 1")
    one("unknown stash_type", (2, 3), (3,), " <stash_type = 7>", "VALUE", "stash_type")
    one("no integers", (2, 3), (3,), "", "TYPE", "int32", ("int32", "float"))


def rms(f, title, kind, x, scale, axis=None, eps=None, stash=None, result=None):
    result = result or kind
    x, scale = round_to(kind, x), round_to(result, scale)
    axes = tuple(range((-1 if axis is None else axis) % x.ndim, x.ndim))
    y = x / np.sqrt(mean_of(x * x, axes) + epsilon(1e-5 if eps is None else eps)) * scale
    loose = kind if UNIT[kind] > UNIT[result] else result
    loose = "float" if loose == "double" and stash != 11 else loose
    f.add(title, 23, f"RMSNormalization{attributes(axis=axis, epsilon=eps, stash_type=stash)} (X, scale)",
          {"X": (kind, x), "scale": (result, scale)}, (result, round_to(result, y)),
          [tolerance(loose)])


def root_mean_squares():
    with File("layer_normalization/RMSNormalization.onnxtxt", "By tests/oracle/normalize.py.") as f:
        x = numbers(2, 3, 4)
        for axis in (None, -3, -2, -1, 0, 1, 2):
            rms(f, f"axis {axis}", "float", x, numbers(*x.shape[-1 if axis is None else axis:]), axis)
        for a in FACTORS:
            rms(f, f"scale {list(a)}", "float", x, numbers(*a))
        for shape in ((1,), (5, 1), (3, 16), (2, 33), (0,), (0, 3), (3, 0)):
            rms(f, f"{list(shape)}", "float", numbers(*shape), numbers(shape[-1]))
        for kind in FLOATS:
            for result in FLOATS:
                rms(f, f"{kind}, scaled as {result}", kind, numbers(3, 19), numbers(19), result=result)
            rms(f, f"{kind}: epsilon", kind, numbers(2, 3), numbers(3), eps=0.5)
            for stash in (1, 10, 11, 16):
                rms(f, f"{kind}: stash_type {stash}", kind, numbers(2, 5), numbers(5), stash=stash)
            for title, row in ROWS.items():
                rms(f, f"{kind}: {title}", kind, [row, [1, 2, 3, 5]], numbers(4))
        wrong(f, "RMSNormalization", 23, "scale")


# ---- groups of channels

def grouped(x, groups, scale, bias, eps):
    if not x.size:
        return x
    g = x.reshape(x.shape[0], groups, -1)
    mean, inverse = moments(g, (2,), eps)
    y = ((g - mean) * inverse).reshape(x.shape)
    each = (1, -1) + (1,) * (x.ndim - 2)
    factor = lambda v: np.repeat(v, x.shape[1] // len(v)) if len(v) else v
    return y * factor(scale).reshape(each) + factor(bias).reshape(each)


def group(f, title, since, kind, x, groups, eps=None, stash=None):
    count = groups if since == 18 else x.shape[1]
    x, scale, bias = (round_to(kind, v) for v in (x, numbers(count), numbers(count)))
    y = grouped(x, groups, scale, bias, epsilon(1e-5 if eps is None else eps))
    node = f"GroupNormalization{attributes(num_groups=groups, epsilon=eps, stash_type=stash)}"
    rounded(f, title, since, f"{node} (X, scale, bias)",
            {"X": (kind, x), "scale": (kind, scale), "bias": (kind, bias)}, y, kind,
            "float" if since == 21 and kind == "double" and stash != 11 else None)


def instance(f, title, since, kind, x, eps=None, more=None):
    x, scale, bias = (round_to(kind, v) for v in (x, numbers(x.shape[1]), numbers(x.shape[1])))
    y = grouped(x, x.shape[1], scale, bias, epsilon(1e-5 if eps is None else eps))
    node = f"InstanceNormalization{attributes(epsilon=eps, consumed_inputs=more)}"
    rounded(f, title, since, f"{node} (X, scale, B)",
            {"X": (kind, x), "scale": (kind, scale), "B": (kind, bias)}, y, kind)


def special(row):
    return np.array([row, [1, 2, 3, 5]], np.float64).reshape(1, 2, 2, 2)


def bad_groups(f, op, since, names, attrs=""):
    def one(title, shape, scale, bias, attribute, code, part):
        for declared in (True, False):
            fails(f, f"version {since}: {title}" + ("" if declared else ", as the run finds"), since,
                  f"{op}{attribute} (X, {', '.join(names)})",
                  {"X": ("float", np.ones(shape)), names[0]: ("float", np.ones(scale)),
                   names[1]: ("float", np.ones(bias))}, code, part, declared=declared)
    one("rank 1", (4,), (4,), (4,), attrs, "SHAPE", "input 0")
    one("scale too short", (1, 4, 2), (3,), (4,), attrs, "SHAPE", "input 1")
    one("bias of rank 2", (1, 4, 2), (4 if since != 18 else 2,), (4, 1), attrs, "SHAPE", "input 2")
    if attrs:
        for groups in (3, 0, -2, 8):
            one(f"{groups} groups of 4 channels", (1, 4, 2), (4,), (4,),
                f" <num_groups = {groups}>", "VALUE", "num_groups")
    if since == 21:
        one("unknown stash_type", (1, 4, 2), (4,), (4,), " <num_groups = 2, stash_type = 6>", "VALUE",
            "stash_type")


def groups_of_channels():
    with File("group_normalization/GroupNormalization.onnxtxt", "By tests/oracle/normalize.py.") as f:
        for since in (21, 18):
            for shape in ((2, 4, 3), (1, 6, 2, 2), (3, 4), (2, 4, 1), (1, 4, 2, 3, 2), (2, 1, 3),
                          (0, 4, 2), (2, 4, 0), (1, 6, 17)):
                for n in {1, 2, shape[1]}:
                    if shape[1] % n == 0:
                        group(f, f"version {since}: {list(shape)} in {n} groups", since, "float",
                              numbers(*shape), n)
            for kind in FLOATS:
                group(f, f"version {since}: {kind}", since, kind, numbers(2, 4, 5), 2)
                group(f, f"version {since}: {kind}, epsilon", since, kind, numbers(2, 4, 3), 2, 0.25)
                for title, row in ROWS.items():
                    group(f, f"version {since}: {kind}, {title}", since, kind, special(row), 2)
        for kind in FLOATS:
            for stash in (1, 10, 11, 16):
                group(f, f"{kind}: stash_type {stash}", 21, kind, numbers(1, 4, 3), 2, stash=stash)
        for since in (21, 18):
            bad_groups(f, "GroupNormalization", since, ("scale", "bias"), " <num_groups = 2>")
        for kind in FLOATS:
            f.add(f"{kind}: equal elements whose sum is rounded", 21,
                  "GroupNormalization <num_groups = 1> (X, scale, bias)",
                  {"X": (kind, CONSTANT[kind]), "scale": (kind, np.ones(10)), "bias": (kind, np.zeros(10))},
                  (kind, np.zeros((1, 10))))
    with File("group_normalization/InstanceNormalization.onnxtxt",
              "By tests/oracle/normalize.py.") as f:
        for shape in ((2, 3, 4), (1, 2, 3, 3), (2, 3, 1), (2, 3), (2, 0, 3), (0, 2, 3), (2, 2, 0),
                      (1, 2, 2, 3, 2), (1, 2, 17)):
            instance(f, f"{list(shape)}", 22, "float", numbers(*shape))
        for since, kinds in ((22, FLOATS), (6, IEEE), (1, IEEE)):
            for kind in kinds:
                instance(f, f"version {since}: {kind}", since, kind, numbers(2, 3, 2, 4))
                instance(f, f"version {since}: {kind}, epsilon", since, kind, numbers(2, 3, 2, 4), 0.01)
                for title, row in ROWS.items():
                    instance(f, f"version {since}: {kind}, {title}", since, kind, special(row))
        instance(f, "version 1: consumed_inputs mean nothing", 1, "float", numbers(1, 2, 2, 2),
                 more="[0, 0, 0]")
        bad_groups(f, "InstanceNormalization", 22, ("scale", "B"))


# ---- MeanVarianceNormalization, LpNormalization

def mvn(f, title, since, kind, x, axes=None):
    x = round_to(kind, x)
    over = (0, 2, 3) if axes is None else tuple(a % x.ndim for a in axes) or tuple(range(x.ndim))
    mean = mean_of(x, over)
    y = (x - mean) / (np.sqrt(mean_of((x - mean) ** 2, over)) + 1e-9)
    text = None if axes is None else f"[{', '.join(map(str, axes))}]"
    given = attributes(axes=text) if axes != [] else " <axes: ints = []>"
    rounded(f, title, since, f"MeanVarianceNormalization{given} (X)",
            {"X": (kind, x)}, y, kind)


def lp(f, title, since, kind, x, axis=None, p=None):
    x = round_to(kind, x)
    a = -1 if axis is None else axis
    norm = np.sum(np.abs(x), a, keepdims=True) if p == 1 else np.sqrt(np.sum(x * x, a, keepdims=True))
    y = np.where(norm == 0, x * 0, x / norm)
    rounded(f, title, since, f"LpNormalization{attributes(axis=axis, p=p)} (X)", {"X": (kind, x)}, y,
            kind)


def axes():
    with File("group_normalization/MeanVarianceNormalization.onnxtxt",
              "By tests/oracle/normalize.py.") as f:
        x = numbers(2, 3, 4, 5)
        for a in (None, [0, 2, 3], [1], [-1], [0], [0, 1], [0, 2], [1, 3], [0, 1, 2], [1, 2, 3],
                  [0, 1, 2, 3], [3, 1], [-4, -2], []):
            mvn(f, f"axes {a}", 13, "float", x, a)
            mvn(f, f"axes {a}, many neighbours", 13, "float", numbers(2, 2, 2, 19), a)
        for shape in ((1, 3, 2, 2), (2, 3, 1, 1), (2, 1, 2, 3), (0, 3, 2, 2), (2, 0, 2, 2), (2, 3, 0, 2),
                      (1, 1, 1, 1), (1, 17, 2, 2)):
            for a in (None, [1], [0, 1]):
                mvn(f, f"{list(shape)}, axes {a}", 13, "float", numbers(*shape), a)
        mvn(f, "a vector", 13, "float", numbers(7), [0])
        mvn(f, "rank 5", 13, "float", numbers(2, 2, 2, 3, 2), [1, 3])
        for since, kinds in ((13, FLOATS), (9, IEEE)):
            for kind in kinds:
                mvn(f, f"version {since}: {kind}", since, kind, numbers(2, 3, 2, 2))
                mvn(f, f"version {since}: {kind} down columns", since, kind, numbers(3, 18), [0])
                for title, row in ROWS.items():
                    if title != "small":
                        mvn(f, f"version {since}: {kind}, {title}", since, kind, [row, [1, 2, 3, 5]], [1])
        for shape, text, code in (((2, 3), "[2]", "VALUE"),):
            for declared in (True, False):
                fails(f, "axes past the end" + ("" if declared else ", as the run finds"), 13,
                      f"MeanVarianceNormalization <axes = {text}> (X)", {"X": ("float", np.ones(shape))},
                      code, "axes", declared=declared)
        fails(f, "the axes that are the default need rank 4", 13, "MeanVarianceNormalization (X)",
              {"X": ("float", np.ones((2, 3, 4)))}, "VALUE", "axes")
        for kind in FLOATS:
            f.add(f"{kind}: equal elements whose sum is rounded", 13,
                  "MeanVarianceNormalization <axes = [1]> (X)", {"X": (kind, CONSTANT[kind])},
                  (kind, np.zeros((1, 10))))
        wide = np.array([[3e30, -1e30, 2e30, 0]])
        for kind in ("float", "bfloat16"):
            mvn(f, f"{kind} whose squares pass its range", 13, kind, wide, [1])
    with File("group_normalization/LpNormalization.onnxtxt", "By tests/oracle/normalize.py.") as f:
        x = numbers(2, 3, 4)
        for p in (None, 1, 2):
            for axis in (None, 0, 1, 2, -1, -2, -3):
                lp(f, f"p {p}, axis {axis}", 22, "float", x, axis, p)
            for since, kinds in ((22, FLOATS), (1, IEEE)):
                for kind in kinds:
                    lp(f, f"version {since}: {kind}, p {p}", since, kind, numbers(2, 19), 1, p)
                    lp(f, f"version {since}: {kind}, p {p}, columns", since, kind, numbers(3, 18), 0, p)
                    for title, row in ROWS.items():
                        lp(f, f"version {since}: {kind}, p {p}, {title}", since, kind,
                           [row, [1, 2, 3, 5]], -1, p)
            for shape in ((1,), (3, 1), (0,), (2, 0), (0, 2)):
                lp(f, f"p {p}, {list(shape)}", 22, "float", numbers(*shape), 0, p)
        for attrs, shape, part in ((" <p = 3>", (2,), "'p'"), (" <p = 0>", (2,), "'p'"),
                                   (" <axis = 1>", (2,), "'axis'"), ("", (), "'axis'")):
            for declared in (True, False):
                fails(f, f"{attrs} of {list(shape)}" + ("" if declared else ", as the run finds"), 22,
                      f"LpNormalization{attrs} (X)", {"X": ("float", np.ones(shape))}, "VALUE", part,
                      declared=declared)
    with File("group_normalization/threads.onnxtxt",
              "By tests/oracle/normalize.py. What is the same in all rows.") as f:
        a, b = np.floor(numbers(3, 70, 1)), np.floor(numbers(1, 1, 130))
        for kind in FLOATS:
            for title, x, y, axis, others in (("rows", a, b, 2, (0, 1)),
                                              ("columns", np.repeat(b, 3, 0), a[:1], 1, (0, 2))):
                mean = y.mean(axis, keepdims=True)
                z = (y - mean) / (y.std(axis, keepdims=True) + 1e-9)
                shared(f, f"{kind}, {title}", 18, f"MeanVarianceNormalization <axes = [{axis}]> (X)",
                       kind, x, y, z, others, f"tolerance rtol {8 * UNIT[kind]} atol {8 * UNIT[kind]}")


if __name__ == "__main__":
    layers()
    root_mean_squares()
    groups_of_channels()
    axes()
