#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""every_type.py OCELLUS - cases of operators whose results do not depend on the element type.

    python3 tests/oracle/every_type.py build/tools/ocellus

writes <folder>/every_type.onnxtxt: each operator in every version, with every type that the version
lists. The command tells versions and types (compare_schemas.py compares these with ONNX's pages).
Elements are small whole numbers; types that lack them write the same positions in their own way: 0 and
1 are "a" and "b", 1 and 2, or two complex numbers. The expected results are written out, or moved
about by NumPy."""
import json
import subprocess
import sys

import numpy as np

from text_case import CASES, CODED, number

POWERS, WORDS, COMPLEX = {"float8e8m0"}, {"string"}, {"complex64", "complex128"}
SMALL = {"bool", "int2", "uint2", "int4", "uint4", "float4e2m1"}
ENUM = {"float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
        "float16": 10, "double": 11, "uint32": 12, "uint64": 13, "bfloat16": 16, "float8e4m3fn": 17,
        "float8e4m3fnuz": 18, "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22, "float4e2m1": 23,
        "float8e8m0": 24, "uint2": 25, "int2": 26}
X = np.array([[1, 0, 0], [1, 1, 0]])
NUMBERS = np.array([3, 2, 1])


def kind_of(name):
    """Types of one kind write their elements alike."""
    kinds = (("words", WORDS), ("complex", COMPLEX), ("powers", POWERS), ("points", CODED))
    return next((kind for kind, names in kinds if name in names), "numbers")


def element(kind, v):
    if isinstance(v, np.str_):
        return number(v)
    if kind == "words":
        return '"b"' if v else '"a"'
    return {"complex": f"{v}, {1 - v}", "powers": f"{v + 1}.0", "points": f"{v}.0"}.get(kind, number(v))


def list_of(kind, array):
    return "{" + ", ".join(element(kind, v) for v in np.ravel(array)) + "}"


def form(array):
    return "[" + ",".join(map(str, np.shape(array))) + "]"


class Case:
    """A model's body with its inputs and outputs: name -> array of the type that varies, or a pair of
    another type and an array. LITERAL_X and LITERAL_ONE in the body stand for tensors."""

    def __init__(self, body, inputs, outputs, **options):
        self.body, self.inputs, self.outputs = body, inputs, outputs
        self.only = options.get("only")  # the types for which this is meant; None: all
        self.sections = options.get("sections", ())
        self.domain = options.get("domain", "")

    def value(self, kind, v):
        """Type, dims and elements; a list of arrays is a sequence."""
        if isinstance(v, list):
            items = ", ".join("{}{} {}".format(*self.value(kind, item)) for item in v)
            return "seq(TYPE)", "", "{" + items + "}"
        name, array = v if isinstance(v, tuple) else ("TYPE", v)
        return name, form(array), list_of(kind if name == "TYPE" else kind_of(name), array)

    def text(self, kind):
        def ports(values):
            return ", ".join("{}{} {}".format(*self.value(kind, v)[:2], k) for k, v in values.items())
        body = self.body
        for mark, array in (("LITERAL_X", X), ("LITERAL_ONE", np.array([1]))):
            body = body.replace(mark, f"TYPE{form(array)} {list_of(kind, array)}")
        lines = [f'<ir_version: 13, opset_import: ["{self.domain}" : OPSET]>',
                 f"g ({ports(self.inputs)}) => ({ports(self.outputs)}) {{ {body} }}"]
        for k, v in (*self.inputs.items(), *self.outputs.items()):
            lines.append("--- {} = {}{} {}".format(k, *self.value(kind, v)))
        return "\n".join([*lines, *(f"--- {s}" for s in self.sections)]) + "\n"


def ints(*values):
    return "int64", np.array(values)


def move(body, y, **more):
    return [Case(body, {"x": X, **more}, {"y": y})]


def axes(call, list_, x, y):
    """The axes as an attribute, before version 13, or as an input."""
    def make(version):
        if version < 13:
            return [Case(f"y = {call} <axes = [{', '.join(map(str, list_))}]> (x)", {"x": x}, {"y": y})]
        return [Case(f"y = {call} (x, axes)", {"x": x, "axes": ints(*list_)}, {"y": y})]
    return make


def reshape(version):
    y = X.reshape(3, 2)
    return move("y = Reshape <shape = [3, 2]> (x)", y) if version < 5 else \
        move("y = Reshape (x, shape)", y, shape=ints(3, -1))


def pad(version):
    y = np.pad(X, ((0, 0), (1, 0)), constant_values=1)
    if version < 11:
        return move(f"y = Pad <{'paddings' if version == 1 else 'pads'} = [0, 1, 0, 0], value = 1.0> (x)", y)
    return [Case("y = Pad (x, pads, one)", {"x": X, "pads": ints(0, 1, 0, 0), "one": np.array(1)}, {"y": y})]


def slice_(version):
    if version < 10:
        return move("y = Slice <starts = [0, 1], ends = [9, 3]> (x)", X[:, 1:])
    return move("y = Slice (x, from, to, axes, steps)", X[:, 2:0:-1], **{
        "from": ints(2), "to": ints(0), "axes": ints(1), "steps": ints(-1)})


def split(version):
    call = "(x, sizes)" if version >= 13 else ", split = [1, 2]> (x)"
    call = f"Split <axis = 1> {call}" if version >= 13 else f"Split <axis = 1{call}"
    more = {"sizes": ints(1, 2)} if version >= 13 else {}
    return [Case(f"y, z = {call}", {"x": X, **more}, {"y": X[:, :1], "z": X[:, 1:]})]


def scan(version):
    steps = "body = step (TYPE[3] a) => (TYPE[3] b) { b = Identity (a) }, num_scan_inputs = 1"
    if version == 8:
        return [Case(f"y = Scan <{steps}> (, x)", {"x": X[None]}, {"y": X[None]})]
    return move(f"y = Scan <{steps}, scan_input_directions = [1]> (x)", X[::-1])


def if_(_):
    return [Case("y = If <then_branch = a () => (TYPE[2,3] p) { p = Identity (x) }, "
                 "else_branch = b () => (TYPE[2,3] q) { q = Identity (z) }> (c)",
                 {"c": ("bool", np.array(c)), "x": X, "z": X[::-1]}, {"y": X if c else X[::-1]}) for c in (1, 0)]


def loop(_):
    body = ("y, all = Loop <body = turn (int64 i, bool go, TYPE[2,3] a) => (bool on, TYPE[2,3] b, TYPE[2,3] c) "
            "{ on = Identity (go) b = Identity (x) c = Identity (a) }> (n, yes, z)")
    return [Case(body, {"n": ("int64", np.array(2)), "yes": ("bool", np.array(1)), "x": X, "z": X[::-1]},
                 {"y": X, "all": np.stack([X[::-1], X])})]


def optional(_):
    return move("o = Optional (x) e = OptionalGetElement (o) y = Identity (e)", X)


def has_element(version):
    what = "o" if version == 15 else "x"
    return [Case(f"o = Optional (x) y = OptionalHasElement ({what})", {"x": X}, {"y": ("bool", np.array(1))})]


def get_element(version):
    return optional(version) if version == 15 else move("y = OptionalGetElement (x)", X)


def sequence(body):
    return lambda version: [Case(body, {"x": X, "z": X[::-1], "i": ("int64", np.array(0))}, {"y": X[::-1]})]


def cast(_):
    """NUMBER is the type's number; a word comes from an integer, whose text is not in doubt."""
    return [Case("y = Cast <to = NUMBER> (x)", {"x": ("float", np.array([2, 1]))}, {"y": np.array([1, 0])},
                 only=POWERS),
            Case("y = Cast <to = NUMBER> (x)", {"x": ("float", np.array([1, 0]))}, {"y": np.array([1, 0])},
                 only=set(ENUM) - WORDS - POWERS),
            Case("y = Cast <to = NUMBER> (x)", {"x": ("int64", np.array([10, -3]))}, {"y": ("string", ["10", "-3"])},
                 only=WORDS),
            Case("y = Cast <to = 7> (x)", {"x": ("string", ["10", "-3"])}, {"y": ints(10, -3)}, only=WORDS)]


def cast_like(_):
    """Numbers to the type, and from it."""
    return [Case("y = CastLike (x, like)", {"x": ints(10, -3), "like": np.array([0])}, {"y": ("string", ["10", "-3"])},
                 only=WORDS),
            Case("y = CastLike (x, like)", {"x": ("string", ["10", "-3"]), "like": ints(0)}, {"y": ints(10, -3)},
                 only=WORDS),
            Case("y = CastLike (x, like)", {"x": ("float", np.array([2, 1])), "like": np.array([1])},
                 {"y": np.array([1, 0])}, only=POWERS),
            Case("y = CastLike (x, like)", {"x": ("float", np.array([1, 0])), "like": np.array([1])},
                 {"y": np.array([1, 0])}, only=set(ENUM) - WORDS - POWERS),
            Case("y = CastLike (x, like)", {"x": np.array([1, 0]), "like": ("float", np.array(0))},
                 {"y": ("float", np.array([1, 0]))}, only=set(ENUM) - WORDS - POWERS)]


def nearest(call):
    def make(_):
        return [Case(call, {"x": X, "scales": ("float", np.array([1, 2]))}, {"y": X.repeat(2, 1)})]
    return make


def resize(version):
    if version == 10:
        return nearest("y = Resize (x, scales)")(version)
    if version == 11:
        return [Case("y = Resize (x, roi, scales)", {"x": X, "roi": ("float", np.zeros(0)), "scales": (
            "float", np.array([1, 2]))}, {"y": X.repeat(2, 1)})]
    return nearest("y = Resize (x, , scales)")(version)


def upsample(version):
    if version == 1:
        x = X[None, None]
        return [Case("y = Upsample <height_scale = 1.0, width_scale = 2.0> (x)", {"x": x}, {"y": x.repeat(2, 3)})]
    if version == 7:
        return move("y = Upsample <scales = [1.0, 2.0]> (x)", X.repeat(2, 1))
    return nearest("y = Upsample (x, scales)")(version)


def grid_sample(_):
    """At the pixels' own positions, in another order."""
    grid = np.array([[[[1, 1], [0, 1], [-1, 1]], [[-1, -1], [0, -1], [1, -1]]]])
    return [Case('y = GridSample <mode = "nearest", align_corners = 1> (x, grid)',
                 {"x": X[None, None], "grid": ("float", grid)},
                 {"y": np.array([[[X[1, ::-1], X[0]]]]).reshape(1, 1, 2, 3)})]


def unary(name, x, y, **options):
    return lambda _: [Case(f"y = {name} (x)", {"x": np.array(x)}, {"y": np.array(y)}, **options)]


UNSIGNED = {"uint8", "uint16", "uint32", "uint64"}
INTS = UNSIGNED | {"int8", "int16", "int32", "int64"}


def signed(name, x, y, x0, y0):
    """Of types with a sign, and of those without."""
    def make(_):
        return [*unary(name, x, y, only=set(ENUM) - UNSIGNED)(0), *unary(name, x0, y0, only=UNSIGNED)(0)]
    return make


def mod(_):
    a, b, y = np.array([7, 6, 5]), np.array([4, 3, 5]), np.array([3, 0, 0])
    return [Case("y = Mod (a, b)", {"a": a, "b": b}, {"y": y}, only=INTS),
            Case("y = Mod <fmod = 1> (a, b)", {"a": a, "b": b}, {"y": y})]


def pow_(version):
    a, b, y = np.array([3, 2, 9]), np.array([2, 3, 0]), np.array([9, 8, 1])
    floats = {"float", "double", "float16"}
    same = Case("y = Pow (a, b)", {"a": a, "b": b}, {"y": y}, only=floats | {"int32", "int64"})
    mixed = Case("y = Pow (a, b)", {"a": ("float", a), "b": b}, {"y": ("float", y)}, only=floats | INTS)
    return [same, mixed] if version >= 12 else [same]


def extreme(name):
    x = np.array([[2, 1, 3], [1, 3, 2]]) if name == "ArgMax" else np.array([[2, 3, 1], [3, 1, 2]])
    return lambda _: [Case(f"y = {name} <axis = 1, keepdims = 0> (x)", {"x": x}, {"y": ints(2, 1)})]


def quantize(_):
    """Scales of 2; the zero point tells the type of the result, or no zero point that of x."""
    return [Case("y = QuantizeLinear (x, s, z)", {"x": ("float", np.array([2, 0, 6])), "s": ("float", np.array(2)),
                                                  "z": np.array(0)}, {"y": np.array([1, 0, 3])},
                 only=set(ENUM) - {"float", "float16", "bfloat16", "int32", "int2", "uint2", "float8e8m0"}),
            Case("y = QuantizeLinear (x, s)", {"x": ("float", np.array([2, 0, 6])), "s": np.array(1)},
                 {"y": ("uint8", np.array([1, 0, 3]))}, only=POWERS)]


def quantize_from(version):
    if version < 19:
        return [Case("y = QuantizeLinear (x, s)", {"x": np.array([2, 0, 6]), "s": ("float", np.array(2))},
                     {"y": ("uint8", np.array([1, 0, 3]))}, only={"float", "int32"})]
    return [Case("y = QuantizeLinear (x, s)", {"x": np.array([2, 0, 6]), "s": np.array(2)},
                 {"y": ("uint8", np.array([1, 0, 3]))}, only={"float", "float16", "bfloat16", "int32"})]


def dequantize(version):
    cases = [Case("y = DequantizeLinear (x, s)", {"x": np.array([1, 0, 1]), "s": ("float", np.array(2))},
                  {"y": ("float", np.array([2, 0, 2]))}, only=set(ENUM) - {"float", "float16", "bfloat16", "float8e8m0"})]
    if version >= 19:
        cases += [Case("y = DequantizeLinear (x, s)", {"x": ("int8", np.array([3, -5])), "s": np.array(2)},
                       {"y": np.array([6, -10])}, only={"float", "float16", "bfloat16"}),
                  Case("y = DequantizeLinear <output_dtype = 1> (x, s)", {"x": ("int8", np.array([3, -5])), "s": np.array(
                      1)}, {"y": ("float", np.array([6, -10]))}, only=POWERS)]
    return cases


def attention(_):
    """All values are alike, so that every weighted mean of them is; and a mask of numbers adds to scores."""
    q = np.array([[[[1, 0], [0, 1]]]])
    v = np.array([[[[3, 2], [3, 2], [3, 2]]]])
    k = np.array([[[[1, 0], [0, 0], [1, 1]]]])
    floats = {"float", "double", "float16", "bfloat16"}
    f = {"q": ("float", q), "k": ("float", k), "v": ("float", v)}
    y = np.array([[[[3, 2], [3, 2]]]])
    return [Case("y = Attention (q, k, v)", {"q": q, "k": k, "v": v}, {"y": y}, only=floats,
                 sections=["tolerance rtol 8e-3 atol 0"]),
            Case("y = Attention (q, k, v, mask)", {**f, "mask": np.array([[1, 1, 0], [0, 1, 1]])}, {"y": ("float", y)},
                 sections=["tolerance rtol 1e-6 atol 0"])]


def max_pool(_):
    return [Case("y = MaxPool <kernel_shape = [2]> (x)", {"x": np.array([[[1, 3, 2, 0]]])},
                 {"y": np.array([[[3, 3, 2]]])})]


def range_(_):
    return [Case("y = Range (a, b, c)", {"a": np.array(1), "b": np.array(6), "c": np.array(2)},
                 {"y": np.array([1, 3, 5])})]


def roi_align(_):
    """The mean of an image's four pixels, whose size is that of the region."""
    return [Case("y = RoiAlign (x, rois, which)", {"x": np.full((1, 1, 4, 4), 3), "rois": np.array([[1, 1, 3, 3]]),
                                                   "which": ints(0)}, {"y": np.full((1, 1, 1, 1), 3)})]


def bernoulli(_):
    return [Case("y = Bernoulli <dtype = NUMBER> (x)", {"x": ("float", np.array([1, 0, 0, 1]))},
                 {"y": np.array([1, 0, 0, 1])})]


# A tree of one question, is the feature at most 2, and of two leaves.
STUMP = ("nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], "
         'nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [2.0, 0.0, 0.0], '
         "nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0]")
FEATURES = np.array([[1], [3]])


def tree_regressor(_):
    targets = "n_targets = 1, target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0]"
    return [Case(f"y = ai.onnx.ml.TreeEnsembleRegressor <{STUMP}, {targets}, target_weights = [10.0, 20.0]> (x)",
                 {"x": FEATURES}, {"y": ("float", np.array([[10], [20]]))}, domain="ai.onnx.ml")]


def tree_classifier(_):
    classes = ("classlabels_int64s = [5, 7], class_treeids = [0, 0], class_nodeids = [1, 2], class_ids = [0, 1], "
               "class_weights = [1.0, 1.0]")
    return [Case(f"y, z = ai.onnx.ml.TreeEnsembleClassifier <{STUMP}, {classes}> (x)", {"x": FEATURES},
                 {"y": ints(5, 7), "z": ("float", np.eye(2))}, only={"float", "double", "int32", "int64"},
                 domain="ai.onnx.ml")]


def random_like(name):
    def make(_):
        return [Case(f"r = {name} <dtype = 1> (x) y = Shape (r)", {"x": X}, {"y": ints(2, 3)})]
    return make


FIRST = np.array([[1, 0], [0, 0]])  # the rows of indices in the tables below
OPERATORS = {  # the folder, and what makes the cases of a version
    "If": ("if", if_), "Loop": ("loop", loop), "Scan": ("scan", scan),
    "Identity": ("identity", lambda _: move("y = Identity (x)", X)),
    "Flatten": ("flatten", lambda _: move("y = Flatten <axis = 0> (x)", X.reshape(1, 6))),
    "Reshape": ("reshape", reshape),
    "Transpose": ("transpose", lambda _: move("y = Transpose (x)", X.T)),
    "Shape": ("shape", lambda _: move("y = Shape (x)", ints(2, 3))),
    "Size": ("shape", lambda _: move("y = Size (x)", ("int64", np.array(6)))),
    "Squeeze": ("squeeze", axes("Squeeze", [0, 2], X.reshape(1, 2, 1, 3), X)),
    "Unsqueeze": ("squeeze", axes("Unsqueeze", [0, 2], X, X.reshape(1, 2, 1, 3))),
    "Expand": ("expand", lambda _: move("y = Expand (x, shape)", np.stack([X, X]), shape=ints(2, 1, 3))),
    "Concat": ("concat", lambda _: [Case("y = Concat <axis = 1> (x, z)", {"x": X, "z": X[::-1]},
                                         {"y": np.concatenate([X, X[::-1]], 1)})]),
    "Gather": ("gather", lambda _: move("y = Gather <axis = 1> (x, i)", X[:, [2, 0]], i=ints(2, 0))),
    "GatherElements": ("gather_elements", lambda _: move(
        "y = GatherElements <axis = 1> (x, i)", np.take_along_axis(X, FIRST, 1), i=("int64", FIRST))),
    "ScatterElements": ("scatter_elements", lambda _: [Case(
        "y = ScatterElements <axis = 0> (x, i, u)", {"x": X, "i": ("int64", np.array([[1, 0, 1]])), "u": np.array(
            [[0, 1, 1]])}, {"y": np.array([[1, 1, 0], [0, 1, 1]])})]),
    "ScatterND": ("scatter_nd", lambda _: [Case(
        "y = ScatterND (x, i, u)", {"x": X, "i": ("int64", np.array([[1]])), "u": np.array([[0, 0, 1]])},
        {"y": np.array([[1, 0, 0], [0, 0, 1]])})]),
    "Slice": ("slice", slice_), "Split": ("split", split), "Pad": ("pad", pad),
    "Constant": ("constant", lambda _: [Case("y = Constant <value = LITERAL_X> ()", {}, {"y": X})]),
    "ConstantOfShape": ("constant_of_shape", lambda _: [Case(
        "y = ConstantOfShape <value = LITERAL_ONE> (shape)", {"shape": ints(2, 2)}, {"y": np.ones((2, 2), int)})]),
    "Optional": ("optional", optional), "OptionalHasElement": ("optional", has_element),
    "OptionalGetElement": ("optional", get_element),
    "SequenceConstruct": ("sequence", sequence("s = SequenceConstruct (z, x) y = SequenceAt (s, i)")),
    "SequenceInsert": ("sequence", sequence("s = SequenceConstruct (x) t = SequenceInsert (s, z, i) "
                                            "y = SequenceAt (t, i)")),
    "SequenceErase": ("sequence", sequence("s = SequenceConstruct (x, z) t = SequenceErase (s, i) "
                                           "y = SequenceAt (t, i)")),
    "SequenceMap": ("sequence_map", sequence(
        "s = SequenceConstruct (z, x) t = SequenceMap <body = same (TYPE[2,3] a) => (TYPE[2,3] b) "
        "{ b = Identity (a) }> (s) y = SequenceAt (t, i)")),
    "ConcatFromSequence": ("concat_from_sequence", lambda _: [Case(
        "s = SequenceConstruct (x, z) y = ConcatFromSequence <axis = 0> (s)", {"x": X, "z": X[::-1]},
        {"y": np.concatenate([X, X[::-1]])})]),
    "SplitToSequence": ("split_to_sequence", lambda _: move("y = SplitToSequence <keepdims = 0> (x)", list(X))),
    "Cast": ("cast", lambda v: cast(v) if v > 1 else []), "CastLike": ("cast", cast_like),
    "Resize": ("resize", resize), "Upsample": ("upsample", upsample), "GridSample": ("grid_sample", grid_sample),
    "RoiAlign": ("roi_align", roi_align),
    "Abs": ("unary", signed("Abs", [3, 0, -2], [3, 0, 2], [3, 0, 2], [3, 0, 2])),
    "Neg": ("unary", unary("Neg", [3, 1, -2], [-3, -1, 2])),
    "Sign": ("unary", signed("Sign", [3, 0, -2], [1, 0, -1], [3, 0, 2], [1, 0, 1])),
    "Relu": ("activation", unary("Relu", [3, 0, -2], [3, 0, 0])),
    "Mod": ("binary", mod), "Pow": ("pow", pow_),
    "ArgMax": ("arg_max", extreme("ArgMax")), "ArgMin": ("arg_max", extreme("ArgMin")),
    "QuantizeLinear": ("quantize_linear", lambda v: quantize(v) + quantize_from(v)), "DequantizeLinear": ("quantize_linear", dequantize),
    "Attention": ("attention", attention), "MaxPool": ("pool", max_pool), "Range": ("range", range_),
    "Bernoulli": ("random", bernoulli),
    "ai.onnx.ml::TreeEnsembleRegressor": ("tree_ensemble_models", tree_regressor),
    "ai.onnx.ml::TreeEnsembleClassifier": ("tree_ensemble_models", tree_classifier),
    "RandomUniformLike": ("random", random_like("RandomUniformLike")),
    "RandomNormalLike": ("random", random_like("RandomNormalLike")),
}


def rows_of(command):
    """(operator, version) -> the types of all its type variables."""
    told = json.loads(subprocess.run([command, "ops", "--json"], capture_output=True, check=True).stdout)
    return {(o["operator"], o["since"]): {t for v in o["types"].values() for t in v.get("tensor", v.get("sequence", []))} for o in told["operators"]}


def cases_of(name, make, rows):
    """Texts, each for as many versions and types as it fits."""
    fits = {}  # (text, types) -> versions
    for version in sorted(v for n, v in rows if n == name):
        types = rows[name, version]
        for case in make(version):
            wanted = types if case.only is None else types & case.only
            for kind in ("numbers", "points", "words", "complex", "powers"):
                list_ = tuple(t for t in [*ENUM, *sorted(COMPLEX)] if t in wanted and kind_of(t) == kind)
                for some in [(t,) for t in list_] if "NUMBER" in case.body else [list_] if list_ else []:
                    text = case.text(kind).replace("NUMBER", str(ENUM.get(some[0])))
                    fits.setdefault((text, some), []).append(version)
    for (text, types), versions in fits.items():
        model, sections = text.split("--- ", 1)
        each = f"--- each OPSET {' '.join(map(str, versions))}\n"
        each += f"--- each TYPE {' '.join(types)}\n" if "TYPE" in text else ""
        yield f"=== {name}\n{model}{each}--- {sections}"


def main():
    rows = rows_of(sys.argv[1])
    files = {}
    for name, (folder, make) in OPERATORS.items():
        files.setdefault(folder, []).extend(cases_of(name, make, rows))
    for folder, cases in files.items():
        if not (CASES / folder).is_dir():
            sys.exit(f"there is no folder {folder} for {cases[0].splitlines()[0]}")
        path = CASES / folder / "every_type.onnxtxt"
        path.write_text("# Made by tests/oracle/every_type.py.\n" + "".join(cases))
        print(f"{path.relative_to(CASES.parent.parent)}: {len(cases)} cases")


if __name__ == "__main__":
    main()
