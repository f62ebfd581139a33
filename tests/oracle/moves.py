#!/usr/bin/env python3
# moves.py - expected values of the data movement operators, by NumPy:
#
#     python3 tests/oracle/moves.py tests/cases
#
# writes <operator>/numpy.onnxtxt for each. NumPy alone computes; nothing here follows src/ops.
import os
import sys

import numpy as np

from text_case import element as element_of

NAMES = {"float32": "float", "float64": "double", "object": "string"}
LOW, HIGH = -(2**63), 2**63 - 1


class Typed:
    """An array of a type that NumPy lacks: small integers under another name."""

    def __init__(self, array, name):
        self.array, self.name = np.asarray(array), name


def split(value):
    if isinstance(value, Typed):
        return value.array, value.name
    array = np.asarray(value)
    return array, NAMES.get(str(array.dtype), str(array.dtype))


def element(x):
    if isinstance(x, str):
        return '"' + x + '"'
    if isinstance(x, (complex, np.complexfloating)):
        return f"{element(x.real)}, {element(x.imag)}"
    if isinstance(x, (float, np.floating)):
        return repr(float(x)) if np.isfinite(x) else str(float(x))
    return str(int(x))


def tensor(value):
    array, name = split(value)
    dims = "[" + ",".join(map(str, array.shape)) + "]" if array.ndim else ""
    return f"{name}{dims} {{" + ", ".join(element_of(name, element(x)) for x in array.reshape(-1)) + "}"


def declared(value, name, known):
    array, kind = split(value)
    dims = ",".join(map(str, array.shape)) if known and array.ndim else "?"
    return f"{kind} {name}" if known and not array.ndim else \
        f"{kind}[{dims}] {name}" if known else f"{kind}[] {name}"


class Cases:
    def __init__(self, op):
        self.op, self.text, self.n = op, [], 0

    def add(self, name, opset, x, outs, fixed=None, attrs="", out="y"):
        """x: graph inputs by name; fixed: operands that every other case gives as initializers, so
        that the shape is known when the plan is made. outs: expected, by name."""
        fixed = fixed or {}
        self.n += 1
        inline = self.n % 2 == 1
        inputs = dict(x) if inline else {**x, **fixed}
        head = ", ".join(declared(v, k, inline) for k, v in inputs.items())
        tail = ", ".join(declared(v, k, False) for k, v in outs.items())
        inner = ""
        if inline and fixed:
            inner = "<" + ", ".join(tensor(v).replace(" {", f" {k} = {{", 1)
                                    for k, v in fixed.items()) + "> "
        operands = ", ".join([*x, *fixed])
        if "_" in fixed or "_" in x:
            raise ValueError
        ir = 3 if opset < 7 else 8 if opset < 19 else 13
        self.text.append(
            f"=== {name}, opset {opset}\n"
            f'<ir_version: {ir}, opset_import: ["" : {opset}]>\n'
            f"g ({head}) => ({tail}) {inner}{{ {', '.join(outs)} = {self.op} {attrs}({operands}) }}\n"
            + "".join(f"--- {k} = {tensor(v)}\n" for k, v in {**inputs, **outs}.items()))

    def write(self, folder):
        path = os.path.join(sys.argv[1], folder)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "numpy.onnxtxt"), "w", encoding="utf-8") as f:
            f.write("# Made by tests/oracle/moves.py.\n" + "".join(self.text))


def i64(*values):
    return np.array(values, np.int64)


def count(dtype, *shape):
    n = int(np.prod(shape))
    if dtype == object:
        return np.array([f"s{i}" for i in range(n)], object).reshape(shape)
    if dtype == np.complex64:
        return (np.arange(n) - 1j * np.arange(n)).astype(dtype).reshape(shape)
    return np.arange(n).astype(dtype).reshape(shape)


def ints(name, values):
    return f"{name}: ints = [{', '.join(str(int(v)) for v in values)}]"


def slices():
    c = Cases("Slice")

    def cut(name, x, starts, ends, axes=None, steps=None, opset=13, kind=np.int64, typename=None):
        view = [slice(None)] * x.ndim
        for i, (s, e) in enumerate(zip(starts, ends)):
            view[axes[i] if axes is not None else i] = slice(s, e, steps[i] if steps else 1)
        y = x[tuple(view)]
        wrap = (lambda a: Typed(a, typename)) if typename else (lambda a: a)
        fixed = {"starts": np.array(starts, kind), "ends": np.array(ends, kind)}
        attrs = ""
        if opset < 10:
            attrs = f"<{ints('starts', starts)}, {ints('ends', ends)}" + \
                (f", {ints('axes', axes)}" if axes is not None else "") + "> "
            fixed = {}
        elif axes is not None:
            fixed["axes"] = np.array(axes, kind)
            if steps:
                fixed["steps"] = np.array(steps, kind)
        c.add(name, opset, {"x": wrap(x)}, {"y": wrap(y)}, fixed, attrs)

    m = count(np.int32, 4, 5)
    cut("one axis of two", m, [1], [3], [1])
    cut("both axes, no axes given", m, [1, 0], [3, 4])
    cut("ends past the axis", m, [0, 2], [1000, HIGH], [0, 1])
    cut("backward", m, [3, 4], [0, LOW], [0, 1], [-1, -2])
    cut("backward to the very first", m, [HIGH], [LOW], [1], [-1])
    cut("negative ends and axes", m, [-3, -4], [-1, -1], [-2, -1], [1, 2])
    cut("steps of the largest size", m, [1, 4], [HIGH, LOW], [0, 1], [HIGH, LOW])
    cut("nothing left", m, [3], [1], [0])
    cut("start past the axis", m, [7], [9], [0], [2])
    cut("axes in another order", count(np.float32, 2, 3, 4), [1, 0], [4, 2], [2, 0], [2, 1])
    cut("an empty input", count(np.float32, 0, 3), [0, 0], [5, 2], [0, 1], [1, 1])
    cut("an empty axis, backward", count(np.float32, 0, 3), [4, 2], [LOW, 0], [0, 1], [-1, -1])
    cut("strings", count(object, 3, 2), [2], [0], [0], [-1])
    cut("complex, int32 operands", count(np.complex64, 5), [0], [5], [0], [3], kind=np.int32)
    cut("bool, int32 operands", count(bool, 5), [-2], [-9], [0], [-2], 10, np.int32)
    cut("float16, negative axis", count(np.float16, 2, 2, 2), [0], [1], [-1], [1], 11)
    cut("bfloat16", count(np.int8, 2, 3), [1, 2], [2, 0], [0, 1], [1, -1], typename="bfloat16")
    cut("attributes", m, [1, -2], [3, 9], [0, 1], opset=1)
    cut("attributes without axes", m, [1], [-1], opset=9)
    rng = np.random.default_rng(1)
    for i in range(6):
        shape = rng.integers(1, 6, 3)
        x = count(np.int16, *shape)
        steps = [int(s) for s in rng.choice([-3, -2, -1, 1, 2, 3], 3)]
        starts = [int(rng.integers(-n, n + 2)) for n in shape]
        ends = [int(rng.integers(-n - 3, n + 3)) for n in shape]
        cut(f"random {i}", x, starts, ends, [0, 1, 2], steps)
    c.write("slice")


def padded(x, pads, mode, value=0):
    """pads as ONNX has them; negative ones cut first."""
    r = x.ndim
    x = x[tuple(slice(max(0, -pads[a]), x.shape[a] + min(0, pads[a + r])) for a in range(r))]
    grow = [(max(0, pads[a]), max(0, pads[a + r])) for a in range(r)]
    if mode == "constant":
        y = np.full([n + b + e for n, (b, e) in zip(x.shape, grow)], value, x.dtype)
        y[tuple(slice(b, b + n) for n, (b, e) in zip(x.shape, grow))] = x
        return y
    if mode == "wrap":  # numpy.pad itself wraps wrongly before 1.25 when a pad passes the size
        for a, (b, e) in enumerate(grow):
            x = np.take(x, np.arange(-b, x.shape[a] + e) % x.shape[a], a)
        return x
    return np.pad(x, grow, mode)


def pads():
    c = Cases("Pad")

    def add(name, x, p, mode="constant", value=None, axes=None, opset=19, typename=None):
        full = p
        if axes is not None:
            full = [0] * (2 * x.ndim)
            for i, a in enumerate(axes):
                full[a % x.ndim], full[a % x.ndim + x.ndim] = p[i], p[i + len(axes)]
        none = "" if x.dtype == object else 0
        y = padded(x, full, mode, none if value is None else value)
        wrap = (lambda a: Typed(a, typename)) if typename else (lambda a: a)
        attrs, fixed = f'<mode = "{mode}"> ', {"pads": i64(*p)}
        if opset < 11:
            attrs = f'<mode = "{mode}", {ints("paddings" if opset == 1 else "pads", p)}' + \
                (f", value = {value}" if value is not None else "") + "> "
            fixed = {}
        elif value is not None or axes is not None:
            fixed["value"] = wrap(np.array(none if value is None else value, x.dtype))
        if axes is not None:
            fixed["axes"] = np.array(axes, np.int32 if len(axes) % 2 else np.int64)
        c.add(name, opset, {"x": wrap(x)}, {"y": wrap(y)}, fixed, attrs)

    m = count(np.float32, 3, 2) + 1
    add("zeros by default", m, [0, 2, 1, 0])
    add("a value", m, [1, 0, 0, 1], value=-1.5)
    add("cut at both ends", count(np.int32, 5, 4), [-1, 1, -2, -2], value=7)
    add("all is cut", count(np.int32, 4), [-1, -3])
    add("an empty input", count(np.int32, 0, 2), [1, 0, 2, 1], value=3)
    add("nothing to do", m, [0, 0, 0, 0])
    add("strings, empty by default", count(object, 2), [1, 1], opset=13)
    add("strings", count(object, 2), [1, 0], value="pad", opset=13)
    add("bool", np.ones((1, 2), bool), [1, 1, 0, 1], opset=13)
    add("complex", count(np.complex64, 2), [0, 1], value=2 - 1j, opset=13)
    add("bfloat16", count(np.int8, 2, 2), [1, 0, 0, 1], value=5, opset=13, typename="bfloat16")
    add("int4", count(np.int8, 2, 2) - 3, [0, 1, 1, 0], value=-8, opset=21, typename="int4")
    add("uint2", count(np.int8, 2, 2), [0, 1, 1, 0], value=3, opset=25, typename="uint2")
    add("float8e8m0", np.ones((2,), np.int8), [1, 0], value=4, opset=24, typename="float8e8m0")
    add("float4e2m1", count(np.int8, 3), [2, 1], "reflect", opset=23, typename="float4e2m1")
    for mode in ["reflect", "edge", "wrap"]:
        add(f"{mode} in two axes", count(np.int32, 3, 4), [2, 1, 1, 3], mode)
        add(f"{mode} farther than the input", count(np.int64, 3, 2), [7, 4, 5, 9], mode)
        add(f"{mode} of one element", count(np.float64, 1, 2) + 1, [2, 0, 3, 1], mode)
        add(f"{mode}, cut too", count(np.int16, 5, 4), [-2, 3, 2, -1], mode)
        add(f"{mode} of strings", count(object, 2, 2), [0, 1, 1, 1], mode)
        add(f"{mode} in the middle of three axes", count(np.uint8, 2, 3, 2), [0, 1, 0, 0, 2, 0],
            mode)
        add(f"{mode}, some axes", count(np.int8, 2, 3, 2), [1, 0, 1, 2], mode, axes=[-1, 0])
        add(f"{mode}, no axes", count(np.int8, 2), [], mode, axes=[])
    add("one axis by number", count(np.int8, 2, 3), [1, 1], axes=[1], opset=18, value=9)
    add("attributes", m, [1, 0, 0, 1], value=2.5, opset=1)
    add("attributes", count(np.float16, 2, 3), [0, 1, 1, 0], "reflect", opset=2)
    add("attributes", count(np.float64, 2, 3), [0, 1, 1, 0], "edge", opset=10)
    add("inputs", count(np.uint64, 2), [1, 1], value=11, opset=11)
    c.write("pad")


def gathers():
    c = Cases("Gather")

    def add(name, x, index, axis=0, opset=13, typename=None):
        wrap = (lambda a: Typed(a, typename)) if typename else (lambda a: a)
        c.add(name, opset, {"x": wrap(x)}, {"y": wrap(np.take(x, index, axis))},
              {"index": index}, f"<axis = {axis}> ")

    x = count(np.float32, 3, 2, 4)
    add("axis 0", x, i64(2, 0, 2))
    add("axis 1, matrix of indices", x, i64(0, 1, 1, 0).reshape(2, 2), 1)
    add("negative axis and indices", x, i64(-1, -4, 3), -1, 11)
    add("a scalar index drops the axis", x, np.array(1, np.int32), 1)
    add("no index", x, np.zeros((0, 2), np.int64), 2)
    add("an empty input", count(np.float32, 3, 0), i64(2, 2), 0)
    add("strings", count(object, 2, 2), np.array([1], np.int32), 1, 1)
    add("complex of a vector", count(np.complex64, 3), i64(-1, 0))
    add("bfloat16", count(np.int8, 2, 3), i64(1), 0, typename="bfloat16")
    c.write("gather")

    c = Cases("GatherElements")

    def pick(name, x, index, axis, opset=13):
        part = x[tuple(slice(None) if a == axis % x.ndim else slice(0, index.shape[a])
                       for a in range(x.ndim))]
        c.add(name, opset, {"x": x}, {"y": np.take_along_axis(part, index.astype(np.int64), axis)},
              {"index": index}, f"<axis = {axis}> ")

    x = count(np.int32, 3, 3)
    pick("axis 0", x, i64(1, 2, 0, 2, 0, 0).reshape(2, 3), 0)
    pick("axis 1", x, np.array([[0, 0], [1, 0], [2, 1]], np.int32), 1)
    pick("negative indices and axis", x, i64(-1, -2, 0, -3, 2, 1).reshape(3, 2), -1, 11)
    pick("fewer rows and columns than the input", count(np.float64, 3, 2, 4),
         i64(1, 0, 1, 1).reshape(1, 2, 2), 1)
    pick("the last axis of three", count(object, 2, 2, 3),
         i64(2, 0, 1, 1).reshape(2, 1, 2), 2)
    pick("a vector of float16", count(np.float16, 4), i64(3, 3, 0, -4, 1), 0)
    pick("complex", count(np.complex64, 2, 2), i64(1, 0).reshape(1, 2), 0)
    pick("no index", x, np.zeros((0, 3), np.int64), 0)
    c.write("gather_elements")


def layouts():
    c = Cases("Transpose")

    def turn(name, x, perm=None, opset=13, typename=None):
        wrap = (lambda a: Typed(a, typename)) if typename else (lambda a: a)
        c.add(name, opset, {"x": wrap(x)}, {"y": wrap(np.transpose(x, perm))}, {},
              f"<{ints('perm', perm)}> " if perm is not None else "")

    x = count(np.float32, 2, 3, 4)
    turn("reversed by default", x)
    for perm in [(0, 2, 1), (1, 0, 2), (2, 0, 1), (0, 1, 2)]:
        turn("x".join(map(str, perm)), x, perm)
    turn("four axes", count(np.uint8, 2, 1, 3, 2), (3, 0, 2, 1), 1)
    turn("strings", count(object, 2, 2), None, 1)
    turn("complex", count(np.complex64, 2, 3), (1, 0))
    turn("an empty axis", count(np.int16, 2, 0, 3), (2, 1, 0))
    turn("a scalar", count(np.int64), [])
    turn("a vector", count(np.float64, 3))
    for opset, name in [(21, "int4"), (21, "float8e5m2"), (23, "float4e2m1"), (25, "int2")]:
        turn(name, count(np.int8, 1, 2), None, opset, name)
    turn("float8e8m0", np.ones((2, 1), np.int8), None, 24, "float8e8m0")
    c.write("transpose")

    c = Cases("Expand")

    def grow(name, x, shape, opset=13):
        y = x * np.ones(shape, x.dtype) if x.dtype != object else \
            np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape)))
        c.add(name, opset, {"x": x}, {"y": y.astype(x.dtype)}, {"shape": i64(*shape)})

    grow("a column", count(np.float32, 3, 1), [3, 4])
    grow("a row, by rank too", count(np.int32, 3), [2, 2, 3], 8)
    grow("the input is larger", count(np.float64, 3, 1), [1])
    grow("both grow", count(np.int16, 2, 1, 3), [4, 1], 8)
    grow("a scalar", count(np.int64), [2, 2])
    grow("to nothing", count(np.float32, 1, 2), [0, 1])
    grow("an empty shape", count(np.float32, 2), [])
    grow("strings", count(object, 1, 2), [2, 1])
    c.write("expand")

    c = Cases("Flatten")
    for axis, opset in [(0, 1), (1, 9), (2, 11), (3, 13), (-1, 13), (-3, 21), (-2, 25)]:
        x = count(np.float16, 2, 3, 2)
        k = axis if axis >= 0 else axis + 3
        c.add(f"axis {axis}", opset, {"x": x}, {"y": x.reshape(int(np.prod(x.shape[:k])), -1)}, {},
              f"<axis = {axis}> ")
    c.add("axis 1 by default", 13, {"x": count(object, 2, 2)}, {"y": count(object, 2, 2)})
    c.add("a scalar", 13, {"x": np.float32(3)}, {"y": np.full((1, 1), np.float32(3))}, {},
          "<axis = 0> ")
    c.add("nothing", 13, {"x": count(np.int8, 0, 3)}, {"y": count(np.int8, 0, 3)})
    c.write("flatten")


def ranges():
    c = Cases("Range")

    def add(name, start, limit, delta, dtype, opset=11):
        y = np.arange(start, limit, delta, dtype) if not isinstance(start, list) else None
        x = {k: np.array(v, dtype) for k, v in
             [("start", start), ("limit", limit), ("delta", delta)]}
        c.add(name, opset, {}, {"y": y}, x)

    add("up", 1, 9, 3, np.int32)
    add("down", 10, 4, -2, np.int64)
    add("int16", -3, 3, 1, np.int16)
    add("nothing upward", 5, 1, 1, np.int64)
    add("nothing downward", 1, 5, -1, np.int32)
    add("the ends of int64", LOW, HIGH, 2**62, np.int64)
    add("the ends of int64, one element", HIGH - 1, HIGH, HIGH, np.int64)
    add("the ends of int64, down", HIGH, LOW, -(2**63), np.int64)
    add("float", 0.5, 3, 0.5, np.float32)
    add("float, down", 1, -1.5, -0.75, np.float32)
    add("double, the last is left out", 0, 1, 0.25, np.float64)
    add("float, nothing", 1, 1, 1, np.float32)
    add("float16", 0, 5, 1.5, np.float16, 27)
    c.write("range")


for make in (slices, pads, gathers, layouts, ranges):
    make()
