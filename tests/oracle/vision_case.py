# SPDX-License-Identifier: Apache-2.0
"""vision_case.py - text cases of the functions in functions/vision: each is a model of one call."""
import numpy as np

from text_case import File, literal

TYPES = {np.dtype(np.float32): "float", np.dtype(np.int64): "int64"}
HEADER = '<ir_version: 8, opset_import: ["" : 18, "ocellus.vision" : 1]>'


def typed(value):
    """An array with the name of its element type; numbers are float unless they are whole numbers of NumPy."""
    array = np.asarray(value)
    array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float32)
    return TYPES[array.dtype], array


def vision_file(name, script):
    """The file tests/cases/vision/NAME.onnxtxt, written when the with block ends."""
    return File(f"vision/{name}.onnxtxt", f"Made by tests/oracle/{script}.")


def case(f, title, function, inputs, outputs, attributes="", rtol=0, atol=0):
    """A call of the function. inputs, outputs: name -> array, in the function's order; inputs are declared with their
    rank alone, as those of a network whose dims are not known. attributes: "score: float = 0.5". outputs may be a
    pair: a status and a part of the message with which the call fails."""
    fails = isinstance(outputs, tuple)
    inputs = {k: typed(v) for k, v in inputs.items()}
    wanted = {"out": ("float", np.zeros(0))} if fails else {k: typed(v) for k, v in outputs.items()}

    def ports(values):
        return ", ".join(f"{kind}{'[' + ','.join('?' * array.ndim) + ']' if array.ndim else ''} {name}"
                         for name, (kind, array) in values.items())

    call = f"ocellus.vision.{function} {'<' + attributes + '> ' if attributes else ''}({', '.join(inputs)})"
    lines = [HEADER, f"g ({ports(inputs)}) => ({ports(wanted)})", f"{{ {', '.join(wanted)} = {call} }}"]
    lines += [f"--- {k} = {literal(*v)}" for k, v in inputs.items()]
    if fails:
        message = outputs[1].replace('"', '\\"')
        lines.append(f'--- fails {outputs[0]} "{message}"')
    else:
        lines += [f"--- {k} = {literal(*v)}" for k, v in wanted.items()]
    if rtol or atol:
        lines.append(f"--- tolerance rtol {rtol:g} atol {atol:g}")
    f.cases.append((title, lines))
