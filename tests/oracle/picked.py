# SPDX-License-Identifier: Apache-2.0
"""picked.py - what selection.py and scatter.py share: elements of every type, cases of any outputs."""
import numpy as np

from elements import header
from text_case import File, literal, to_bfloat16, width

DTYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.uint8,
          "complex64": np.complex64, "complex128": np.complex128,
          **{f"{u}int{bits}": np.dtype(f"{u}int{bits}").type for u in ("", "u")
             for bits in (8, 16, 32, 64)}}
INTEGERS = [k for k in DTYPES if "int" in k]
NUMERIC = ["float16", "float", "double", *INTEGERS]
ALL = [*NUMERIC, "bool", "string", "complex64", "complex128"]


def typed(kind, array):
    """The numbers as elements of a type; they must be exact in it."""
    array = np.asarray(array)
    if kind == "string":
        return np.array([f"s{v:g}" for v in array.ravel()], object).reshape(array.shape)
    if kind == "bool":
        return (array.astype(np.int64) % 2).astype(np.uint8)
    if kind.startswith("complex"):
        return (array - 2j * array).astype(DTYPES[kind])
    if kind == "bfloat16":
        return to_bfloat16(array.astype(np.float32)).astype(np.float64)
    return array.astype(DTYPES[kind]) if kind in DTYPES else array.astype(np.float64)


def counted(kind, shape):
    n = int(np.prod(shape, dtype=int))
    return typed(kind, (np.arange(n) % 100).reshape(shape))


def i64(*values):
    return ("int64", np.array(values, np.int64))


def case(f, title, opset, node, inputs, outputs, declared=True, nodes="", sections=()):
    """inputs and outputs: name -> (type, array). nodes: others, before the one that is tried."""
    port = File.port if declared else lambda kind, array, name: f"{kind}[] {name}"
    operands = ", ".join(port(*v, k) for k, v in inputs.items())
    results = ", ".join(port(*v, k) for k, v in outputs.items())
    lines = [header(opset),
             f"g ({operands}) => ({results}) {{ {nodes}{', '.join(outputs)} = {node} }}"]
    lines += [f"--- {k} = {literal(*v)}" for k, v in {**inputs, **outputs}.items()]
    lines += [f"--- {s}" for s in sections]
    lines += width([*inputs.values(), *outputs.values()])
    f.cases.append((f"{title}, opset {opset}", lines))


def refused(f, title, opset, node, inputs, code, message, outputs="Y", kind="float"):
    """Inputs are declared without shapes, so that only a run sees them. Output I is of indices."""
    operands = ", ".join(f"{v[0]}[] {k}" for k, v in inputs.items())
    results = ", ".join(f"{'int64' if name == 'I' else kind}[] {name}" for name in outputs.split(", "))
    lines = [header(opset), f"g ({operands}) => ({results}) {{ {outputs} = {node} }}"]
    lines += [f"--- {k} = {literal(*v)}" for k, v in inputs.items()]
    message = message.replace('"', '\\"')
    f.cases.append((title, lines + [f'--- fails {code} "{message}"']))
