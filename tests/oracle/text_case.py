# SPDX-License-Identifier: Apache-2.0
"""text_case.py - text cases (tests/cases/README.md) written from numpy arrays."""
import math
import pathlib

import numpy as np

CASES = pathlib.Path(__file__).parent.parent / "cases"
CODED = {"float16", "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0",
         "float4e2m1"}


def to_bfloat16(x):
    """The nearest bfloat16 numbers, ties to even, as float32; x is exact in float32."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return np.where(np.isnan(x), np.float32(np.nan),
                    rounded.astype(np.uint32).view(np.float32)).astype(np.float32)


def round_to(type_name, x):
    """float64 numbers rounded once to a float type, as float64 (complex: to its parts)."""
    if type_name == "bfloat16":
        return to_bfloat16(x).astype(np.float64)
    if type_name == "complex64":
        return np.asarray(x, np.complex64).astype(np.complex128)
    dtype = {"float": np.float32, "float16": np.float16}.get(type_name)
    return np.asarray(x, dtype).astype(np.float64) if dtype else x


def quoted(text):
    """A string as the text format has it (docs/text-format.md)."""
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(named.get(c) or (c if c >= " " and c != "\x7f" else f"\\x{ord(c):02x}")
                         for c in text) + '"'


def number(v):
    if isinstance(v, (str, np.str_)):
        return quoted(str(v))
    if isinstance(v, (complex, np.complexfloating)):
        return f"{number(v.real)}, {number(v.imag)}"
    if isinstance(v, (bool, np.bool_, int, np.integer)):
        return str(int(v))
    v = float(v)
    return str(int(v)) if v == int_or_none(v) and not (v == 0 and np.signbit(v)) else repr(v)


def int_or_none(v):
    return int(v) if np.isfinite(v) else None


def element(type_name, text):
    """A number's text in a tensor of the type: with a point where a bare integer would be a code."""
    return text + ".0" if type_name in CODED and text.lstrip("-").isdigit() else text


def literal(type_name, array):
    """"float[2,3] {...}"."""
    array = np.asarray(array)
    items = ", ".join(element(type_name, number(v)) for v in array.ravel())
    return f"{type_name}[{','.join(map(str, array.shape))}] {{{items}}}"


def width(values):
    """The section of a case with these (type, array): whether a shape does not fit where addresses have 32 bits."""
    sizes = {"complex128": 16, "string": 8, "double": 8}
    for kind, array in values:
        size = sizes.get(kind, 8 if kind.endswith("64") else 1)
        if math.prod((n for n in np.shape(array) if n), start=size) >= 1 << 31:  # axes of length 0 hide nothing
            return ["--- addresses 64"]
    return []


class File:
    """A file of cases, written when the script ends its with block."""

    def __init__(self, name, comment):
        self.path, self.comment, self.cases = CASES / name, comment, []

    def add(self, title, opset, node, inputs, output, sections=()):
        """inputs: name -> (type, array); output: (type, array), of the one output Y."""
        ports = ", ".join(self.port(*v, k) for k, v in inputs.items())
        lines = [f'<ir_version: 10, opset_import: ["" : {opset}]>',
                 f"g ({ports}) => ({self.port(*output, 'Y')}) {{ Y = {node} }}"]
        lines += [f"--- {k} = {literal(*v)}" for k, v in inputs.items()]
        lines += [f"--- Y = {literal(*output)}"]
        lines += [f"--- {s}" for s in sections]
        lines += width([*inputs.values(), output])
        self.cases.append((title, lines))

    @staticmethod
    def port(type_name, array, name):
        return f"{type_name}[{','.join(map(str, np.shape(array)))}] {name}"

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            return
        self.path.parent.mkdir(exist_ok=True)
        text = f"# {self.comment}\n"
        for title, lines in self.cases:
            text += f"=== {title}\n" + "\n".join(lines) + "\n"
        self.path.write_text(text)
        print(f"{self.path.relative_to(CASES.parent.parent)}: {len(self.cases)} cases")
