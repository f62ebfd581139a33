# SPDX-License-Identifier: Apache-2.0
"""elements.py - what the scripts of the element-by-element operators share: types, values, shapes."""
import math

import numpy as np

import text_case
from text_case import File, literal

FLOATS = ["float16", "bfloat16", "float", "double"]
IEEE = ["float16", "float", "double"]
SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
UNSIGNED = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
INTEGERS = {**SIGNED, **UNSIGNED}
NUMBERS = FLOATS + list(INTEGERS)
COMPLEX = ["complex64", "complex128"]
LEAST = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float": 2.0**-149, "double": 5e-324}
MOST = {"float16": 65504.0, "bfloat16": 255 * 2.0**120, "float": (2**24 - 1) * 2.0**104,
        "double": (2 - 2.0**-52) * 2.0**1023}
# A result may be the neighbour of the nearest number: one unit in the last place.
UNIT = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float": 2.0**-23, "double": 2.0**-52}
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan]

np.seterr(all="ignore")


def round_to(kind, x):
    x = np.asarray(x, np.float64)
    return text_case.round_to(kind, x.reshape(-1)).reshape(x.shape)


def wrap(kind, x):
    bits = INTEGERS[kind]
    x = int(x) & ((1 << bits) - 1)
    return x - (1 << bits) if kind in SIGNED and x >> (bits - 1) else x


def ends(kind):
    bits = INTEGERS[kind]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind in SIGNED else (0, (1 << bits) - 1)


def ints(values, shape=None):
    array = np.array(values, object)
    return array.reshape(shape) if shape is not None else array


def floats(kind, values):
    return round_to(kind, np.array(values, np.float64))


def header(opset):
    return f'<ir_version: 10, opset_import: ["" : {opset}]>'


def fails(f, title, opset, node, inputs, code, part, output="float[] Y", declared=True):
    ports = ", ".join(File.port(k, v, n) if declared else f"{k}[] {n}"
                      for n, (k, v) in inputs.items())
    lines = [header(opset), f"g ({ports}) => ({output}) {{ Y = {node} }}"]
    lines += [f"--- {n} = {literal(*v)}" for n, v in inputs.items()]
    f.cases.append((title, lines + [f'--- fails {code} "{part}"']))


def each(function, *arrays):
    """function of Python numbers over broadcast object arrays."""
    views = np.broadcast_arrays(*arrays)
    flat = [function(*v) for v in zip(*(a.ravel() for a in views))]
    return ints(flat, views[0].shape)


# ---- two operands

SHAPES = [((2, 3), (3,)), ((3,), (2, 3)), ((2, 1, 3), (4, 1)), ((), (2, 2)), ((2, 2), ()),
          ((), ()), ((1, 1, 1), (2,)), ((2, 0), (1,)), ((0,), ()), ((1, 3), (0, 1)),
          ((2, 1, 2, 1), (1, 3, 1, 2))]
PAIRS = [(a, b) for a in SPECIAL + [1.0, -3.5, 0.1] for b in SPECIAL + [1.0, -3.5, 0.1]]


def counted(shape, start=1):
    return np.arange(start, start + math.prod(shape), dtype=np.float64).reshape(shape)


def integer_pairs(kind):
    low, high = ends(kind)
    values = [0, 1, 7, high, high - 1, low, low + 1] + ([-1, -7] if kind in SIGNED else [3])
    return ints([a for a in values for _ in values]), ints([b for _ in values for b in values])


def shapes(f, op, opset, function, result="float", kind="float", make=counted):
    for a, b in SHAPES:
        x, y = make(a), make(b, 2)
        f.add(f"{list(a)} with {list(b)}", opset, f"{op} (A, B)", {"A": (kind, x), "B": (kind, y)},
              (result, function(x, y)))
    for a, b in (((2, 3), (2,)), ((2, 3), (4, 3)), ((0,), (2,))):
        fails(f, f"{list(a)} with {list(b)} do not broadcast", opset, f"{op} (A, B)",
              {"A": (kind, make(a)), "B": (kind, make(b))}, "SHAPE", "[", f"{result}[] Y")


LEGACY = [  # attributes, B's dims, the dims it repeats with; A is [2,3,4]
    ("", (2, 3, 4), (2, 3, 4)), ("broadcast = 1", (4,), (1, 1, 4)), ("broadcast = 1", (), (1, 1, 1)),
    ("broadcast = 1", (3, 4), (1, 3, 4)), ("broadcast = 1, axis = 1", (3,), (1, 3, 1)),
    ("broadcast = 1, axis = 0", (2,), (2, 1, 1)), ("broadcast = 1, axis = 0", (2, 3), (2, 3, 1)),
    ("broadcast = 1, axis = -2", (3,), (1, 3, 1)), ("broadcast = 1, axis = 1", (3, 4), (1, 3, 4)),
    ("broadcast = 1", (2, 3, 4), (2, 3, 4)), ("broadcast = 1", (1,), (1, 1, 1)),
    ("broadcast = 0, axis = 1", (2, 3, 4), (2, 3, 4))]
LEGACY_FAILS = [
    ("", (4,)), ("broadcast = 1", (3,)), ("broadcast = 1, axis = 2", (3, 4)),
    ("broadcast = 1, axis = 3", (4,)), ("broadcast = 1, axis = -4", (2,)),
    ("broadcast = 1, axis = 9223372036854775807", (4,)),
    ("broadcast = 1, axis = -9223372036854775808", (4,)), ("broadcast = 1", (1, 2, 3, 4))]


def legacy(f, op, opset, function, result="float", kind="float", make=counted):
    a = make((2, 3, 4))
    for attributes, dims, repeated in LEGACY:
        b = make(dims, 2)
        node = f"{op} <{attributes}> (A, B)" if attributes else f"{op} (A, B)"
        f.add(f"version {opset}: {attributes or 'no attribute'}, B {list(dims)}", opset, node,
              {"A": (kind, a), "B": (kind, b)}, (result, function(a, b.reshape(repeated))))
    for attributes, dims in LEGACY_FAILS:
        node = f"{op} <{attributes}> (A, B)" if attributes else f"{op} (A, B)"
        fails(f, f"version {opset}: {attributes or 'no attribute'} does not fit {list(dims)}", opset,
              node, {"A": (kind, a), "B": (kind, make(dims))}, "SHAPE", "input 1",
              f"{result}[] Y")


def mixed(f, op, opset, kinds=("float", "double"), result="float[1] Y"):
    fails(f, "operands of two types", opset, f"{op} (A, B)",
          {"A": (kinds[0], np.ones(1)), "B": (kinds[1], np.ones(1))}, "TYPE", kinds[1], result)


# ---- enough elements for several threads

def shared(f, title, opset, node, kind, a, b, y, axes, tolerance):
    """What node makes of A + B must be y along all axes but those, at its least and greatest."""
    lines = [header(opset),
             f"g ({File.port(kind, a, 'A')}, {File.port(kind, b, 'B')}) => "
             f"({File.port(kind, y, 'Y')}, {File.port(kind, y, 'Z')}) "
             f"<int64[{len(axes)}] axes = {{{', '.join(map(str, axes))}}}> {{ X = Add (A, B) "
             f"N = {node} Y = ReduceMax (N, axes) Z = ReduceMin (N, axes) }}"]
    values = {"A": a, "B": b, "Y": round_to(kind, y), "Z": round_to(kind, y)}
    lines += [f"--- {n} = {literal(kind, v)}" for n, v in values.items()]
    f.cases.append((title, lines + [f"--- {tolerance}"]))
