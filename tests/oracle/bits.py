#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bits.py - text cases of the operators on bits, and of IsInf and IsNaN.

    python3 tests/oracle/bits.py

writes tests/cases/{bitwise,bit_cast,classify}/*.onnxtxt. Integers are Python's own; the bits of
floats are Python's struct and the lists of cast.py."""
import itertools
import math
import struct

import numpy as np

from cast import FLOAT8, FORMATS, NUMBER, TABLES
from elements import (FLOATS, IEEE, INTEGERS, LEAST, MOST, SIGNED, SPECIAL, UNSIGNED, each, ends,
                      fails, floats, integer_pairs, ints, mixed, shapes, wrap)
from text_case import File

WRITTEN = "By tests/oracle/bits.py."


# ---- bitwise

def whole(shape, start=1):
    return ints([5 * (start + i) for i in range(math.prod(shape))], shape)


def bitwise():
    for op, function in (("And", lambda a, b: a & b), ("Or", lambda a, b: a | b),
                         ("Xor", lambda a, b: a ^ b)):
        with File(f"bitwise/{op.lower()}.onnxtxt", WRITTEN) as f:
            node = f"Bitwise{op}"
            for kind in INTEGERS:
                a, b = integer_pairs(kind)
                f.add(kind, 18, f"{node} (A, B)", {"A": (kind, a), "B": (kind, b)},
                      (kind, each(function, a, b)))
            shapes(f, node, 18, lambda x, y: each(function, x, y), "int16", "int16", whole)
            mixed(f, node, 18, ("int32", "uint32"), "int32[1] Y")
            for kind in FLOATS + ["bool"]:
                fails(f, f"no {kind}", 18, f"{node} (A, B)", {"A": (kind, np.ones(1)),
                      "B": (kind, np.ones(1))}, "TYPE", kind, f"{kind}[1] Y")
    with File("bitwise/not.onnxtxt", WRITTEN) as f:
        for kind in INTEGERS:
            low, high = ends(kind)
            x = ints([0, 1, 7, low, high, high - 1])
            f.add(kind, 18, "BitwiseNot (X)", {"X": (kind, x)},
                  (kind, each(lambda v: wrap(kind, ~v), x)))
        for shape in ((), (0, 2), (3, 1, 33)):
            x = whole(shape)
            f.add(f"shape {list(shape)}", 18, "BitwiseNot (X)", {"X": ("int32", x)},
                  ("int32", each(lambda v: ~v, x)))
        fails(f, "no float", 18, "BitwiseNot (X)", {"X": ("float", np.ones(1))}, "TYPE", "float",
              "float[1] Y")
    with File("bitwise/shift.onnxtxt", f"{WRITTEN} A shift by all bits gives 0.") as f:
        for way, function in (("LEFT", lambda a, b: a << b), ("RIGHT", lambda a, b: a >> b)):
            node = f'BitShift <direction = "{way}">'
            for kind, bits in UNSIGNED.items():
                values = [0, 1, 5, (1 << bits) - 1, 1 << (bits - 1)]
                by = [0, 1, 3, bits - 1, bits, bits + 1, 64 if bits < 64 else 65, (1 << bits) - 1]
                a, b = (ints(v) for v in zip(*itertools.product(values, by)))
                f.add(f"{kind} {way}", 11, f"{node} (A, B)", {"A": (kind, a), "B": (kind, b)},
                      (kind, each(lambda x, y: wrap(kind, function(x, min(y, 64))), a, b)))
            small = lambda d, start=1: ints([(start + i) % 7 for i in range(math.prod(d))], d)  # noqa: E731
            shapes(f, node, 11, lambda x, y: each(lambda v, w: wrap("uint16", function(v, w)), x, y),
                   "uint16", "uint16", small)
        for kind in list(SIGNED) + ["float", "bool"]:
            fails(f, f"no {kind}", 11, 'BitShift <direction = "LEFT"> (A, B)',
                  {"A": (kind, ints([1])), "B": (kind, ints([1]))}, "TYPE", kind, f"{kind}[1] Y")
        one = {"A": ("uint8", ints([1])), "B": ("uint8", ints([1]))}
        fails(f, "another direction", 11, 'BitShift <direction = "left"> (A, B)', one, "VALUE",
              "attribute 'direction' is 'left', expected one of 'LEFT', 'RIGHT'", "uint8[1] Y")
        fails(f, "no direction", 11, "BitShift (A, B)", one, "MODEL",
              "attribute 'direction' is missing, expected one of kind string", "uint8[1] Y")
        mixed(f, 'BitShift <direction = "LEFT">', 11, ("uint8", "uint16"), "uint8[1] Y")


# ---- BitCast

NUMBER = {**NUMBER, "complex128": 15}
PACKED = {"float": "<f", "double": "<d", "float16": "<e", "complex64": "<ff"}
PATTERNS = {8: [0, 1, 0x38, 0x6e, 0x80, 0xb9], 16: [0, 1, 0x3c00, 0x8001, 0xc240, 0x7bff],
            32: [0, 1, 0x3f800000, 0x80000000, 0xc0490fdb, 0x7f7fffff],
            64: [0, 1, 0x3ff0000000000000, 0x8000000000000000, 0x400921fb3f800000],
            4: list(range(16)), 2: list(range(4))}
WIDTH = {"uint4": 4, "int4": 4, "float4e2m1": 4, "uint2": 2, "int2": 2, "bool": 8, "bfloat16": 16,
         "float16": 16, "float": 32, "double": 64, "complex64": 64, **INTEGERS,
         **{k: 8 for k in FLOAT8}, "float8e8m0": 8}


def codes_of(kind):
    """The numbers of all codes of a format of 8 or 4 bits."""
    if kind == "float8e8m0":
        return [2.0 ** (code - 127) for code in range(255)] + [math.nan]
    table, has_inf = [float(v) for v in TABLES[kind]], FORMATS[kind][4]
    half = 8 if kind == "float4e2m1" else 128
    table += [math.inf if has_inf else math.nan] * (len(table) < half)
    table += [math.nan] * (half - len(table))
    return table + [math.nan if kind.endswith("fnuz") and not v else -v for v in table]


def value_of(kind, code):
    """What the bits say in that type, as a number to be written into a case."""
    bits = WIDTH[kind]
    raw = code.to_bytes(8, "little")
    if kind in PACKED:
        parts = struct.unpack(PACKED[kind], raw[:bits // 8])
        return complex(*parts) if len(parts) > 1 else parts[0]
    if kind == "bfloat16":
        return struct.unpack("<f", struct.pack("<I", code << 16))[0]
    if kind.startswith("float"):
        return codes_of(kind)[code]
    if kind == "bool":
        return code
    return code - (1 << bits) if kind.startswith("int") and code >> (bits - 1) else code


def bit_cast():
    with File("bit_cast/bits.onnxtxt", WRITTEN) as f:
        for x, y in itertools.product(WIDTH, WIDTH):
            if WIDTH[x] != WIDTH[y]:
                continue
            codes = [0, 1] if "bool" in (x, y) else PATTERNS[WIDTH[x]]
            f.add(f"{x} to {y}", 26, f"BitCast <to = {NUMBER[y]}> (X)",
                  {"X": (x, ints([value_of(x, c) for c in codes]))},
                  (y, ints([value_of(y, c) for c in codes])))
        f.add("complex128", 26, "BitCast <to = 15> (X)", {"X": ("complex128", ints([1 - 2j]))},
              ("complex128", ints([1 - 2j])))
        f.add("scalar", 26, "BitCast <to = 6> (X)", {"X": ("float", np.array(1.0))},
              ("int32", ints([0x3f800000], ())))
        f.add("none", 26, "BitCast <to = 6> (X)", {"X": ("float", np.ones((2, 0)))},
              ("int32", np.ones((2, 0))))
        one = {"X": ("float", np.ones(1))}
        fails(f, "another width", 26, "BitCast <to = 7> (X)", one, "VALUE",
              "attribute 'to' is int64 of 64 bits, expected a type of 32 bits as float",
              "int64[1] Y")
        for to in (0, 8, 99, -1):
            fails(f, f"type {to}", 26, f"BitCast <to = {to}> (X)", one, "VALUE",
                  f"attribute 'to' is {to}, expected the number of a data type, not string",
                  "string[1] Y" if to == 8 else "float[1] Y")
        fails(f, "no string", 26, "BitCast <to = 6> (X)", {"X": ("string", ints(["a"]))}, "TYPE",
              "string", "int32[1] Y")


# ---- IsInf and IsNaN

def classify():
    x = [*SPECIAL, 1.0, -1.0, 0.5]
    with File("classify/is_inf.onnxtxt", WRITTEN) as f:
        for since, kinds in ((20, FLOATS), (10, ["float", "double"])):
            for kind in kinds:
                v = floats(kind, x + [MOST[kind], -MOST[kind], LEAST[kind]])
                for low, high in itertools.product((0, 1), repeat=2):
                    y = np.isinf(v) & ((v < 0) & bool(low) | (v > 0) & bool(high))
                    f.add(f"{kind}, negative {low}, positive {high}, version {since}", since,
                          f"IsInf <detect_negative = {low}, detect_positive = {high}> (X)",
                          {"X": (kind, v)}, ("bool", y.astype(int)))
        for kind in FLOAT8:
            v = codes_of(kind)
            f.add(kind, 20, "IsInf (X)", {"X": (kind, v)}, ("bool", np.isinf(v).astype(int)))
        f.add("float8e5m2: positive only", 20, "IsInf <detect_negative = 0> (X)",
              {"X": ("float8e5m2", [math.inf, -math.inf])}, ("bool", [1, 0]))
        for shape in ((), (0, 2), (3, 1, 33)):
            f.add(f"shape {list(shape)}", 20, "IsInf (X)", {"X": ("float", np.ones(shape))},
                  ("bool", np.zeros(shape)))
        fails(f, "float16 came later", 10, "IsInf (X)", {"X": ("float16", np.ones(1))}, "TYPE",
              "float16", "bool[1] Y")
        fails(f, "no int32", 20, "IsInf (X)", {"X": ("int32", np.ones(1))}, "TYPE", "int32",
              "bool[1] Y")
    with File("classify/is_nan.onnxtxt", WRITTEN) as f:
        for since, kinds in ((20, FLOATS), (13, FLOATS), (9, IEEE)):
            for kind in kinds:
                v = floats(kind, x + [MOST[kind], -MOST[kind], LEAST[kind]])
                f.add(f"{kind}, version {since}", since, "IsNaN (X)", {"X": (kind, v)},
                      ("bool", np.isnan(v).astype(int)))
        for kind in FLOAT8:
            v = codes_of(kind)
            f.add(kind, 20, "IsNaN (X)", {"X": (kind, v)}, ("bool", np.isnan(v).astype(int)))
        for shape in ((), (0, 2), (3, 1, 33)):
            f.add(f"shape {list(shape)}", 20, "IsNaN (X)", {"X": ("float", np.ones(shape))},
                  ("bool", np.zeros(shape)))
        fails(f, "bfloat16 came later", 9, "IsNaN (X)", {"X": ("bfloat16", np.ones(1))}, "TYPE",
              "bfloat16", "bool[1] Y")
        fails(f, "no float8 in version 13", 13, "IsNaN (X)", {"X": ("float8e5m2", np.ones(1))},
              "TYPE", "float8e5m2", "bool[1] Y")


if __name__ == "__main__":
    for family in (bitwise, bit_cast, classify):
        family()
