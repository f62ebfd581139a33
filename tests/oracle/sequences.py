#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sequences.py - expected values of the operators on sequences and optionals, by Python's lists and
NumPy:

    python3 tests/oracle/sequences.py

writes tests/cases/<operator's file>/python.onnxtxt. A Python list is a sequence, Optional holds None
or a value, everything else is a tensor."""
import numpy as np

from text_case import CASES, literal

TYPES = {"float32": "float", "float64": "double", "object": "string"}


class Typed:
    """A tensor of a type that NumPy lacks."""

    def __init__(self, array, name):
        self.array, self.name = np.asarray(array), name


class Sequence(list):
    """A list that knows its items' type, also when it is empty."""

    def __init__(self, name, items):
        super().__init__(items)
        self.name = name


class Optional:
    def __init__(self, kind, value=None):
        self.kind, self.value = kind, value


def split(x):
    if isinstance(x, Typed):
        return x.name, x.array
    x = np.asarray(x)
    return TYPES.get(str(x.dtype), str(x.dtype)), x


def text(x):
    if isinstance(x, Optional):
        return f"optional({x.kind}) {{" + ("" if x.value is None else text(x.value)) + "}"
    if isinstance(x, Sequence):
        return f"seq({x.name}) {{" + ", ".join(map(text, x)) + "}"
    return literal(*split(x))


def kind(x):
    """The declared type, shapes unknown."""
    if isinstance(x, Optional):
        return f"optional({x.kind}[])" if "(" not in x.kind else f"optional({x.kind[:-1]}[]))"
    if isinstance(x, Sequence):
        return f"seq({x.name}[])"
    return f"{split(x)[0]}[]"


class File:
    def __init__(self, folder, sections=()):
        """sections: of every case."""
        self.path, self.cases = CASES / folder / "python.onnxtxt", []
        self.sections = [f"--- {s}" for s in sections]

    def add(self, title, opset, body, inputs, outputs):
        """inputs, outputs: name -> value. body: the nodes."""
        ir = 8 if opset < 19 else 10
        ports = [", ".join(f"{kind(v)} {k}" for k, v in p.items()) for p in (inputs, outputs)]
        lines = [f"=== {title}, opset {opset}", f'<ir_version: {ir}, opset_import: ["" : {opset}]>',
                 f"g ({ports[0]}) => ({ports[1]}) {{ {body} }}"]
        lines += [f"--- {k} = {text(v)}" for k, v in {**inputs, **outputs}.items()]
        self.cases += lines + self.sections

    def write(self):
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text("# Made by tests/oracle/sequences.py.\n" + "\n".join(self.cases) + "\n")
        print(self.path.relative_to(CASES.parent.parent))


def seq(*items, name=None):
    return Sequence(name or split(items[0])[0], items)


def array(dtype, *shape):
    n = int(np.prod(shape))
    if dtype == object:
        return np.array([f"s{i}" for i in range(n)], object).reshape(shape)
    return np.arange(n).astype(dtype).reshape(shape)


def changed():
    f = File("sequence")
    a, b, d = (array(np.float32, 2) + k for k in (10, 20, 30))
    abc = seq(a, array(np.float32, 2, 1), b)
    f.add("constructed, then read", 11, "s = SequenceConstruct (a, b) y = SequenceAt (s, i)",
          {"a": a, "b": b, "i": np.int64(1)}, {"y": b})
    for dtype in (np.float16, np.float64, np.int8, np.uint16, np.int32, np.uint64, bool, object,
                  np.complex64):
        x = array(dtype, 2)
        f.add(f"constructed of {split(x)[0]}", 11, "y = SequenceConstruct (a, b, a)",
              {"a": x, "b": x[:1]}, {"y": seq(x, x[:1], x)})
    f.add("of items of any rank", 11, "y = SequenceConstruct (a, b)",
          {"a": np.int32(7), "b": array(np.int32, 0, 3)},
          {"y": seq(np.int32(7), array(np.int32, 0, 3))})
    for i in range(-3, 3):
        f.add(f"item {i}", 11, "y = SequenceAt (s, i)",
              {"s": abc, "i": np.array(i, np.int32 if i % 2 else np.int64)}, {"y": abc[i]})
        rest = seq(*(abc[:i] + abc[i % 3 + 1:]) if i else abc[1:])
        f.add(f"without item {i}", 11, "y = SequenceErase (s, i)", {"s": abc, "i": np.int64(i)},
              {"y": rest})
    for i in range(-3, 4):
        more = list(abc)
        more.insert(i, d)
        f.add(f"inserted at {i}", 11, "y = SequenceInsert (s, d, i)",
              {"s": abc, "d": d, "i": np.array(i, np.int32 if i % 2 else np.int64)},
              {"y": seq(*more)})
    f.add("inserted at the back", 11, "y = SequenceInsert (s, d)", {"s": abc, "d": d},
          {"y": seq(*abc, d)})
    f.add("without the last", 11, "y = SequenceErase (s)", {"s": abc}, {"y": seq(*abc[:-1])})
    f.add("the only one goes", 11, "y = SequenceErase (s)", {"s": seq(a)},
          {"y": Sequence("float", [])})
    f.add("into an empty one, at 0", 11, "e = SequenceEmpty () y = SequenceInsert (e, d, i)",
          {"d": d, "i": np.int64(0)}, {"y": seq(d)})
    f.add("empty by default of floats", 11, "y = SequenceEmpty () n = SequenceLength (y)", {},
          {"y": Sequence("float", []), "n": np.int64(0)})
    for number, name in ((2, "uint8"), (8, "string"), (9, "bool"), (14, "complex64")):
        f.add(f"empty of {name}", 11, f"y = SequenceEmpty <dtype = {number}> ()", {},
              {"y": Sequence(name, [])})
    f.add("the length", 13, "n = SequenceLength (s)", {"s": abc}, {"n": np.int64(3)})
    f.add("a sequence stays when another is made of it", 17,
          "t = SequenceErase (s, i) u = SequenceInsert (s, d, i) y = SequenceConstruct (d)"
          " z = Identity (s)",
          {"s": abc, "d": d, "i": np.int64(0)}, {"t": seq(*abc[1:]), "u": seq(d, *abc), "y": seq(d),
                                                 "z": abc})
    f.write()


def optionals():
    f = File("optional")
    a = array(np.float32, 2)
    s = seq(a, a + 1)
    none, some = Optional("float"), Optional("float", a)
    for opset in (15, 18, 21):
        f.add("an element", opset, "o = Optional (x) y = OptionalGetElement (o)"
              " h = OptionalHasElement (o)", {"x": a}, {"o": some, "y": a, "h": np.bool_(True)})
        f.add("a sequence", opset, "o = Optional (x) y = OptionalGetElement (o)"
              " h = OptionalHasElement (o)", {"x": s},
              {"o": Optional("seq(float)", s), "y": s, "h": np.bool_(True)})
        f.add("given", opset, "y = OptionalGetElement (o) h = OptionalHasElement (o)",
              {"o": some}, {"y": a, "h": np.bool_(True)})
        f.add("given empty", opset, "h = OptionalHasElement (o)", {"o": none},
              {"h": np.bool_(False)})
        f.add("given empty, of a sequence", opset, "h = OptionalHasElement (o)",
              {"o": Optional("seq(float)")}, {"h": np.bool_(False)})
        f.add("given, an empty sequence", opset, "y = OptionalGetElement (o)"
              " h = OptionalHasElement (o)", {"o": Optional("seq(int8)", Sequence("int8", []))},
              {"y": Sequence("int8", []), "h": np.bool_(True)})
    for kind_text, name in (("float[2]", "float"), ("int64", "int64"), ("seq(float[])", "float"),
                            ("seq(string)", "string")):
        f.add(f"none of {kind_text}", 15, f"o = Optional <type: type_proto = {kind_text}> ()"
              " h = OptionalHasElement (o)", {},
              {"o": Optional(f"seq({name})" if "seq" in kind_text else name),
               "h": np.bool_(False)})
    f.add("a type and an element", 15, "o = Optional <type: type_proto = float[2]> (x)", {"x": a},
          {"o": some})
    f.add("a type and a sequence", 15, "o = Optional <type: type_proto = seq(float)> (x)", {"x": s},
          {"o": Optional("seq(float)", s)})
    for x in (a, s, array(object, 2, 1)):
        f.add(f"of a {kind(x)} itself", 18, "y = OptionalGetElement (x) h = OptionalHasElement (x)",
              {"x": x}, {"y": x, "h": np.bool_(True)})
    f.add("of nothing", 18, "h = OptionalHasElement ()", {}, {"h": np.bool_(False)})
    f.add("of an input left out", 18, 'h = OptionalHasElement ("")', {}, {"h": np.bool_(False)})
    f.write()


def splits():
    f = File("split_to_sequence")

    def add(title, x, axis=0, parts=None, keepdims=None, opset=11, name=None):
        axis_size = x.shape[axis]
        if isinstance(parts, list):
            cuts = np.cumsum(parts)[:-1] if parts else []
        else:
            cuts = range(parts or 1, axis_size, parts or 1)
        items = np.split(x, cuts, axis) if axis_size or isinstance(parts, list) else []
        if parts is None and keepdims == 0:
            items = [i.squeeze(axis) for i in items]
        wrap = (lambda v: Typed(v, name)) if name else (lambda v: v)
        attributes = [f"axis = {axis}"] * (axis != 0)
        attributes += [f"keepdims = {keepdims}"] * (keepdims is not None)
        inputs = {"x": wrap(x)}
        if parts is not None:
            inputs["n"] = np.array(parts, np.int32 if opset == 24 else np.int64)
        f.add(title, opset, f"y = SplitToSequence <{', '.join(attributes)}> ({', '.join(inputs)})"
              if attributes else f"y = SplitToSequence ({', '.join(inputs)})", inputs,
              {"y": Sequence(split(wrap(x))[0], map(wrap, items))})

    m = array(np.float32, 3, 4)
    for opset in (11, 24):
        for axis in (0, 1, -1):
            add(f"ones along {axis}", m, axis, opset=opset)
            add(f"ones along {axis}, axis dropped", m, axis, keepdims=0, opset=opset)
            add(f"twos along {axis}", m, axis, 2, opset=opset)
        add("a list", m, 1, [1, 0, 3], opset=opset)
        add("a list, keepdims has no say", m, 0, [1, 1, 1], 0, opset)
        add("a size, keepdims has no say", m, 0, 1, 0, opset)
    add("more than there is", m, 0, 5)
    add("all in one", m, 1, [4])
    add("nothing to split", array(np.int32, 0, 2), 0)
    add("nothing in the rows", array(np.int32, 2, 0), 0, keepdims=0)
    add("nothing in front", array(np.int32, 0, 4), 1, 3)
    add("the middle of three", array(np.int16, 2, 5, 3), 1, 2)
    add("the middle of three, dropped", array(np.int16, 2, 3, 2), -2, keepdims=0)
    add("strings", array(object, 2, 2), 1)
    add("bool", array(bool, 3), 0, 2)
    add("complex", array(np.complex64, 2, 2), 1, keepdims=0)
    add("to scalars", array(np.float64, 3), 0, keepdims=0)
    add("bfloat16", array(np.int8, 2, 2), 1, opset=24, name="bfloat16")
    f.add("parts outlive what they were cut from", 13,
          "s = SplitToSequence <keepdims = 0> (x) t = Add (x, x) a = SequenceAt (s, i)"
          " y = Add (a, a) u = SplitToSequence <axis = 0> (t)",
          {"x": m, "i": np.int64(-1)}, {"y": 2 * m[2], "s": seq(*m),
                                        "u": seq(*(2 * m[i:i + 1] for i in range(3)))})
    f.write()


def joins():
    f = File("concat_from_sequence")

    def add(title, items, axis, stack=False, name=None):
        y = (np.stack if stack else np.concatenate)(items, axis)
        wrap = (lambda v: Typed(v, name)) if name else (lambda v: v)
        f.add(title, 11, f"y = ConcatFromSequence <axis = {axis}"
              + (", new_axis = 1" if stack else "") + "> (s)",
              {"s": seq(*map(wrap, items))}, {"y": wrap(y)})

    m, n = array(np.float32, 2, 3), array(np.float32, 2, 3) + 10
    for axis in (0, 1, -1, -2):
        add(f"joined along {axis}", [m, n, m], axis)
    for axis in (0, 1, 2, -1, -2, -3):
        add(f"stacked on {axis}", [m, n], axis, True)
    add("one item", [m], 0)
    add("one item, stacked", [m], 1, True)
    add("of different lengths", [m, m[:, :1], m[:, :0]], 1)
    add("nothing but empty items", [m[:0], m[:0]], 0)
    add("empty rows, stacked", [m[:, :0], m[:, :0]], 0, True)
    add("scalars, stacked", [np.int64(3), np.int64(-1)], 0, True)
    add("strings", [array(object, 2), array(object, 1)], 0)
    add("bool", [array(bool, 2), array(bool, 2)], -1, True)
    add("complex", [array(np.complex128, 2, 1), array(np.complex128, 2, 2)], 1)
    f.add("split and joined is the same", 11,
          "s = SplitToSequence <axis = 1> (x) y = ConcatFromSequence <axis = 1> (s)",
          {"x": m}, {"y": m})
    f.add("split and stacked is the same", 11,
          "s = SplitToSequence <axis = 1, keepdims = 0> (x)"
          " y = ConcatFromSequence <axis = 1, new_axis = 1> (s)", {"x": m}, {"y": m})
    f.write()


def maps():
    f = File("sequence_map", ["body native expand"])
    a, b = array(np.float32, 2), array(np.float32, 3) + 10
    s, t = seq(a, b), seq(b[:1], a[:1] + 5)
    f.add("one sequence", 17, "y = SequenceMap <body = b (float[] x) => (float[] z)"
          " { z = Add (x, x) }> (s)", {"s": s}, {"y": seq(a + a, b + b)})
    f.add("two sequences", 17, "y = SequenceMap <body = b (float[] x, float[] w) => (float[] z)"
          " { z = Add (x, w) }> (s, t)", {"s": s, "t": t}, {"y": seq(a + t[0], b + t[1])})
    f.add("a sequence and a tensor", 21, "y = SequenceMap <body = b (float[] x, float[] w) =>"
          " (float[] z) { z = Sub (x, w) }> (s, t)", {"s": s, "t": np.float32(2)},
          {"y": seq(a - 2, b - 2)})
    f.add("a tensor between sequences", 17, "y = SequenceMap <body = b (float[] x, float[] w,"
          " float[] v) => (float[] z) { p = Mul (x, w) z = Add (p, v) }> (s, c, t)",
          {"s": s, "c": np.float32(2), "t": t}, {"y": seq(2 * a + t[0], 2 * b + t[1])})
    f.add("two outputs of two types", 17, "y, n = SequenceMap <body = b (float[] x) =>"
          " (float[] z, int64[] d) { z = Neg (x) d = Shape (x) }> (s)", {"s": s},
          {"y": seq(-a, -b), "n": seq(np.array([2]), np.array([3]))})
    f.add("a value of the graph around", 17, "k = Add (c, c) y = SequenceMap <body = b (float[] x)"
          " => (float[] z) { z = Mul (x, k) }> (s)", {"s": s, "c": np.float32(2)},
          {"y": seq(4 * a, 4 * b)})
    f.add("an item stays itself", 17, "y = SequenceMap <body = b (string[] x) => (string[] x) {}>"
          " (s)", {"s": seq(array(object, 1), array(object, 2, 2))},
          {"y": seq(array(object, 1), array(object, 2, 2))})
    f.add("nothing to map, of another type", 17, "y, n = SequenceMap <body = b (float[] x) =>"
          " (float[] z, int64[] d) { z = Neg (x) d = Shape (x) }> (s)",
          {"s": Sequence("float", [])},
          {"y": Sequence("float", []), "n": Sequence("int64", [])})
    f.add("a map within a map", 17, "y = SequenceMap <body = b (float[] x) => (float[] z)"
          " { q = SplitToSequence (x) r = SequenceMap <body = c (float[] i) => (float[] o)"
          " { o = Add (i, x) }> (q) z = ConcatFromSequence <axis = 0> (r) }> (s)", {"s": s},
          {"y": seq((a[:, None] + a).ravel(), (b[:, None] + b).ravel())})
    one = seq(np.float32(4), np.float32(-9), np.float32(0))
    f.add("an output that nobody wants", 17, ", n = SequenceMap <body = b (float[] x) => (float[] z,"
          " int64[] d) { z = Neg (x) d = Shape (x) }> (s)", {"s": s},
          {"n": seq(np.array([2]), np.array([3]))})
    f.add("fewer outputs than the graph has", 17, "y = SequenceMap <body = b (float[] x) => (float[] z,"
          " int64[] d) { z = Neg (x) d = Shape (x) }> (s)", {"s": s}, {"y": seq(-a, -b)})
    f.add("a sequence twice", 17, "y = SequenceMap <body = b (float[] x, float[] w) => (float[] z)"
          " { z = Mul (x, w) }> (s, s)", {"s": s}, {"y": seq(a * a, b * b)})
    f.add("two maps of one graph's names", 17, "u = SequenceMap <body = b (float[] x) => (float[] z)"
          " { p = Abs (x) z = Sqrt (p) }> (s) y = SequenceMap <body = b (float[] x) => (float[] z)"
          " { p = Neg (x) z = Add (p, x) }> (u)", {"s": one},
          {"y": seq(*[np.float32(0)] * 3)})
    f.add("a condition within", 17, "zero = Constant <value = float {0}> () y = SequenceMap <body = b"
          " (float[] x) => (float[] z) { c = Less (x, zero) z = If (c) <then_branch = p () => (float[] q)"
          " { q = Neg (x) }, else_branch = r () => (float[] u) { u = Identity (x) }> }> (s)",
          {"s": one}, {"y": seq(*map(abs, one))})
    f.add("a map within a condition", 17, "y = If (c) <then_branch = p () => (seq(float[]) q) { q ="
          " SequenceMap <body = b (float[] x) => (float[] z) { z = Add (x, k) }> (s) }, else_branch = r"
          " () => (seq(float[]) u) { u = Identity (s) }>",
          {"s": s, "c": np.bool_(True), "k": np.float32(3)}, {"y": seq(a + 3, b + 3)})
    f.add("a constant of the graph", 17, "y = SequenceMap <body = b (float[] x) => (float[] z)"
          " <float w = {5}> { z = Add (x, w) }> (s)", {"s": s}, {"y": seq(a + 5, b + 5)})
    f.add("a sequence that is made here", 17, "q = SplitToSequence <axis = 0> (x) r = SequenceMap <body ="
          " b (int64[] i, int64[] j) => (int64[] o) { o = Mul (i, j) }> (q, k) y = ConcatFromSequence"
          " <axis = 0> (r)", {"x": array(np.int64, 3, 2), "k": np.int64(-3)},
          {"y": array(np.int64, 3, 2) * -3})
    f.add("the shape of each", 19, "y = SequenceMap <body = b (bool[] x) => (int64[] d) { d = Shape (x) }> (s)",
          {"s": seq(array(bool, 2), array(bool, 0, 4), array(bool))},
          {"y": seq(np.array([2]), np.array([0, 4]), np.array([], np.int64))})
    for name in (np.float64, np.float16, np.int64, np.int32, np.uint8):
        x, y = array(name, 3), array(name, 1, 2)
        f.add(f"{np.dtype(name)}", 17, "y = SequenceMap <body = b ({0}[] x, {0}[] w) => ({0}[] z) {{ z = Add (x, w) }}>"
              " (s, t)".format(split(x)[0]), {"s": seq(x, y), "t": x[2]}, {"y": seq(x + x[2], y + x[2])})
    f.add("70 items", 17, "y = SequenceMap <body = b (float[] x) => (float[] z) { z = Neg (x) }> (s)",
          {"s": seq(*[np.float32(i) for i in range(70)])},
          {"y": seq(*[-np.float32(i) for i in range(70)])})
    f.write()


if __name__ == "__main__":
    changed()
    optionals()
    splits()
    joins()
    maps()
