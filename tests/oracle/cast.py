#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cast.py - text cases of Cast and CastLike, by lists of all numbers a format has.

    python3 tests/oracle/cast.py

writes tests/cases/cast/{from_*,strings,e8m0,versions}.onnxtxt. Numbers are Python's integers and
fractions; nothing is rounded on the way but by nearest(). What the standard leaves undefined (floats
out of an integer's range, NaN as an integer, negative numbers as float8e8m0) is as DESIGN has it:
the nearest end, 0, NaN."""
import bisect
import math
from fractions import Fraction

import numpy as np

from elements import INTEGERS, SIGNED, fails, ints
from text_case import File

NUMBER = {"float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7,
          "string": 8, "bool": 9, "float16": 10, "double": 11, "uint32": 12, "uint64": 13,
          "complex64": 14, "bfloat16": 16, "float8e4m3fn": 17, "float8e4m3fnuz": 18,
          "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22, "float4e2m1": 23,
          "float8e8m0": 24, "uint2": 25, "int2": 26}
BITS = {**INTEGERS, "int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
WITH_SIGN = {*SIGNED, "int4", "int2"}
# Exponent bits, mantissa bits, bias, codes without sign that are no numbers, has infinities.
FORMATS = {"float16": (5, 10, 15, 0x7C00, True), "bfloat16": (8, 7, 127, 0x7F80, True),
           "float8e4m3fn": (4, 3, 7, 0x7F, False), "float8e4m3fnuz": (4, 3, 8, 0x80, False),
           "float8e5m2": (5, 2, 15, 0x7C, True), "float8e5m2fnuz": (5, 2, 16, 0x80, False),
           "float4e2m1": (2, 1, 1, 8, False)}
FLOAT8 = [k for k in FORMATS if k.startswith("float8")]
KINDS = ["float", "double", *FORMATS, "float8e8m0", *BITS, "bool"]
NAN = math.nan


def numbers(kind):
    """Every number >= 0 of a format, in the order of their codes."""
    exponent_bits, mantissa_bits, bias, end, _ = FORMATS[kind]
    unit, result = 1 << mantissa_bits, []
    for code in range(min(end, 1 << (exponent_bits + mantissa_bits))):
        field, low = divmod(code, unit)
        whole, power = (low + unit, field) if field else (low, 1)
        result.append(Fraction(whole, unit) * Fraction(2) ** (power - bias))
    return result


TABLES = {kind: numbers(kind) for kind in FORMATS}


def nearest_wide(x, mantissa, least, most):
    """x > 0 to float or double: nearest, ties to even; None above most."""
    power = max(math.floor(math.log2(x)) if x < 2**900 and x > Fraction(1, 2**900) else
                x.numerator.bit_length() - x.denominator.bit_length(), -2000)
    while Fraction(2) ** power > x:
        power -= 1
    while Fraction(2) ** (power + 1) <= x:
        power += 1
    unit = Fraction(2) ** max(power - mantissa, least)
    y = round(x / unit) * unit  # Fraction.__round__ goes to even
    return y if y <= most else None


def nearest(kind, x, saturate=True):
    """The number of the format that x, a Fraction >= 0, becomes."""
    if kind in ("float", "double"):
        wide = (23, -149, Fraction(2**24 - 1) * 2**104) if kind == "float" else \
            (52, -1074, Fraction(2**53 - 1) * 2**971)
        y = nearest_wide(x, *wide) if x else x
        return math.inf if y is None else float(y)
    table = TABLES[kind]
    i = bisect.bisect_left(table, x)
    if i == len(table):
        step = table[-1] - table[-2]
        tie = x - table[-1] == step / 2
        if x - table[-1] > step / 2 or (tie and (len(table) - 1) % 2):
            if kind in ("float16", "bfloat16"):
                return math.inf
            return float(table[-1]) if saturate or kind == "float4e2m1" else \
                math.inf if FORMATS[kind][4] else NAN
        return float(table[-1])
    if table[i] != x:
        below, above = x - table[i - 1], table[i] - x
        if below < above or (below == above and (i - 1) % 2 == 0):
            i -= 1
    return float(table[i])


def to_float(kind, x, saturate):
    if math.isnan(x):
        return -0.0 if kind == "float4e2m1" else NAN
    sign = math.copysign(1, x)
    if math.isinf(x):
        if kind in ("float", "double", "float16", "bfloat16"):
            return x
        y = float(TABLES[kind][-1]) if saturate or kind == "float4e2m1" else \
            math.inf if FORMATS[kind][4] else NAN
    else:
        y = nearest(kind, abs(Fraction(x)), saturate)
    return 0.0 if y == 0 and kind.endswith("fnuz") else sign * y


def to_power(x, saturate, mode):
    """float8e8m0: 2^-127 .. 2^127 and NaN."""
    if math.isnan(x) or x < 0:
        return NAN
    if math.isinf(x):
        return 2.0**127 if saturate else NAN
    if x == 0:
        return 2.0**-127 if saturate else NAN
    x, power = Fraction(x), -1100
    while Fraction(2) ** (power + 1) <= x:
        power += 1
    part = x / Fraction(2) ** power
    power += part > 1 if mode == "up" else part >= Fraction(3, 2) if mode == "nearest" else 0
    if -127 <= power <= 127:
        return 2.0**power
    return NAN if not saturate else 2.0**127 if power > 0 else 2.0**-127


def to_integer(kind, x):
    bits = BITS[kind]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind in WITH_SIGN else \
        (0, (1 << bits) - 1)
    if isinstance(x, float):
        if math.isnan(x):
            return 0
        if math.isinf(x) or (bits >= 8 and not low <= x <= high):
            return high if x > 0 else low
        x = int(x)
    x &= (1 << bits) - 1
    return x - (1 << bits) if x > high else x


def convert(kind, x, saturate=True, mode="up"):
    if kind == "bool":
        return int(x != 0)
    if kind in BITS:
        return to_integer(kind, x)
    return to_power(x, saturate, mode) if kind == "float8e8m0" else to_float(kind, x, saturate)


def values(kind):
    """What is cast: the edges of the type and of those it may become."""
    if kind == "bool":
        return [0, 1]
    if kind in BITS:
        low = -(1 << (BITS[kind] - 1)) if kind in WITH_SIGN else 0
        high = low + (1 << BITS[kind]) - 1
        usual = [0, 1, 2, 3, 7, 8, 15, 17, 100, 127, 128, 200, 255, 256, 448, 464, 465, 2049, 65519,
                 65520, 2**24 + 1, 2**24 + 3, 2**53 + 1, 2**62 + 1, 3 * 2**60 + 1, 3 * 2**60 - 1,
                 -1, -2, -8, -9, -100, -129, high, high - 1, low, low + 1]
        return sorted({v for v in usual if low <= v <= high})
    if kind == "float8e8m0":
        return [2.0**-127, 2.0**-20, 0.5, 1.0, 2.0, 128.0, 2.0**40, 2.0**127, NAN]
    if kind in TABLES and len(TABLES[kind]) <= 128:
        table = [float(v) for v in TABLES[kind]]
        picked = table[:3] + table[len(table) // 2::len(table) // 12 or 1] + table[-2:]
        picked += [-v for v in picked if v or not kind.endswith("fnuz")]
        return picked + ([] if kind == "float4e2m1" else [NAN]) + \
            ([math.inf, -math.inf] if FORMATS[kind][4] else [])
    usual = [0.0, -0.0, 0.25, -0.5, 0.75, 1.0, 1.25, -1.5, 2.5, 3.5, 5.0, 6.9, -7.5, 20.0, 100.7,
             -128.9, 240.0, 248.0, 255.9, -300.0, 464.0, 472.0, 57344.0, 61440.0, 61441.0, NAN,
             math.inf, -math.inf]
    wide = [65519.0, 65520.0, 1e-7, 2.0**-25, 2.0**-10, 3 * 2.0**-11, 1e10, -1e10, 1e20, 2.0**-127,
            -2.0**31, 2.0**63, 3e38] if kind != "float16" else [2.0**-24, 2.0**-15, 65504.0]
    more = [1e300, 1e-300, 1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-24, 1 + 2.0**-24 + 2.0**-50,
            2.0**-127 + 2.0**-150, 2.0**-150] if kind == "double" else []
    return [to_float(kind, v, False) for v in usual + wide + more]


BOTH = ["body native expand"]  # sections of a case: by the kernel and by the body


def cast_case(f, title, source, target, xs, saturate=None, mode=None, like=False, opset=25):
    """The small integers' value of an infinity or a NaN is open."""
    if target in BITS and BITS[target] < 8:
        xs = [x for x in xs if not isinstance(x, float) or abs(x) < 2**62]
    y = xs if source == target else [convert(target, x, saturate != 0, mode or "up")
                                            for x in xs]
    given = ([] if like else [f"to = {NUMBER[target]}"]) + \
        ([] if saturate is None else [f"saturate = {saturate}"]) + \
        ([] if mode is None else [f'round_mode = "{mode}"'])
    inputs = {"X": (source, ints(xs))}
    if like:
        inputs["L"] = (target, ints([], (0,)))
    name, ports = ("CastLike", "X, L") if like else ("Cast", "X")
    attributes = f"<{', '.join(given)}> " if given else ""
    f.add(title, opset, f"{name} {attributes}({ports})", inputs, (target, ints(y)), BOTH if like else ())


def pairs():
    for source in KINDS:
        with File(f"cast/from_{source}.onnxtxt", "By tests/oracle/cast.py. Exact.") as f:
            xs = values(source)
            for target in KINDS:
                cast_case(f, f"to {target}", source, target, xs)
                if target in FLOAT8 + ["float8e8m0"] and source in ("float", "double", "float16",
                                                                   "bfloat16", "int64", "uint64"):
                    cast_case(f, f"to {target}, not saturated", source, target, xs, 0)
            for target in KINDS:
                if source in ("float", "int32", "bool", "float8e5m2"):
                    cast_case(f, f"like {target}", source, target, xs[:6], like=True)


def powers():
    xs = [0.0, NAN, math.inf, 1.0, 1.25, 1.5, 1.75, 2.0, 3.0, 2.9, 3.1, 6.0, 0.75, 2.0**-126 * 1.5,
          2.0**-127, 2.0**-128, 2.0**-128 * 1.5, 2.0**-140, 2.0**127, 2.0**127 * 1.25, 2.0**127 * 1.5]
    with File("cast/e8m0.onnxtxt", "By tests/oracle/cast.py: float8e8m0 by round_mode. Exact.") as f:
        for mode in ("up", "down", "nearest"):
            for saturate in (1, 0):
                for source in ("float", "double", "bfloat16"):
                    cast_case(f, f"{source}, {mode}, saturate {saturate}", source, "float8e8m0",
                              [to_float(source, x, False) for x in xs], saturate, mode, opset=24)
                cast_case(f, f"int64, {mode}, saturate {saturate}", "int64", "float8e8m0",
                          values("int64"), saturate, mode)
                cast_case(f, f"uint64, {mode}, saturate {saturate}", "uint64", "float8e8m0",
                          values("uint64"), saturate, mode)
                cast_case(f, f"like, {mode}, saturate {saturate}", "float", "float8e8m0", xs,
                          saturate, mode, like=True)
        one = {"X": ("float", ints([1.0]))}
        fails(f, "an unknown mode", 24, 'Cast <to = 24, round_mode = "ceil"> (X)', one, "VALUE",
              "round_mode", "float8e8m0[1] Y")


def strings():
    def add(f, title, node, source, xs, target, ys):
        f.add(title, 25, node, {"X": (source, ints(xs))}, (target, ints(ys)))

    reals = [("3.14", Fraction("3.14")), ("-2.5", Fraction("-2.5")), ("1e-5", Fraction("1e-5")),
             ("1E8", Fraction(10**8)), ("1000", Fraction(1000)), ("+7", Fraction(7)),
             ("0.000030517578125", Fraction(1, 2**15)), (".5", Fraction(1, 2))]
    special = [("INF", math.inf), ("+INF", math.inf), ("-INF", -math.inf), ("inf", math.inf),
               ("Inf", math.inf), ("NaN", NAN), ("nan", NAN), ("-0", -0.0)]
    with File("cast/strings.onnxtxt", "By tests/oracle/cast.py.") as f:
        for kind in ("float", "double", "float16", "bfloat16", *FLOAT8):
            ys = [math.copysign(nearest(kind, abs(v)), v) for _, v in reals] + \
                [to_float(kind, v, True) for _, v in special]
            add(f, f"to {kind}", f"Cast <to = {NUMBER[kind]}> (X)", "string",
                [s for s, _ in reals + special], kind, ys)
        add(f, "to float8e8m0: rounded up", "Cast <to = 24> (X)", "string",
            ["1", "1.25", "3", "5.9"], "float8e8m0", [1.0, 2.0, 4.0, 8.0])
        add(f, "to float8e8m0: rounded down", 'Cast <to = 24, round_mode = "down"> (X)', "string",
            ["1", "1.25", "3", "5.9"], "float8e8m0", [1.0, 1.0, 2.0, 4.0])
        for kind, bits in BITS.items():
            low = -(1 << (bits - 1)) if kind in WITH_SIGN else 0
            high = low + (1 << bits) - 1
            xs = [low, high, 0, 1]
            add(f, f"to {kind}", f"Cast <to = {NUMBER[kind]}> (X)", "string", [str(x) for x in xs],
                kind, xs)
            back = [str(x) for x in xs]
            add(f, f"from {kind}", "Cast <to = 8> (X)", kind, xs, "string", back)
        add(f, "fractions to integers", "Cast <to = 6> (X)", "string", ["100.5", "-2.9", "1e3"],
            "int32", [100, -2, 1000])
        add(f, "to bool", "Cast <to = 9> (X)", "string", ["0", "1", "-3", "0.0"], "bool",
            [0, 1, 1, 0])
        add(f, "from bool", "Cast <to = 8> (X)", "bool", [0, 1], "string", ["0", "1"])
        add(f, "strings stay", "Cast <to = 8> (X)", "string", ["", "any", "text"], "string",
            ["", "any", "text"])
        xs = [1.5, -0.25, 100.0, NAN, math.inf, -math.inf]
        for kind in ("float", "double", "float16", "bfloat16", "float8e5m2"):
            y = ["1.5", "-0.25", "100" if kind != "float8e5m2" else "96", "NaN", "INF", "-INF"]
            add(f, f"from {kind}", "Cast <to = 8> (X)", kind,
                [to_float(kind, x, False) for x in xs], "string", y)
        add(f, "the shortest text that reads back", "Cast <to = 8> (X)", "float",
            [to_float("float", 0.1, True), to_float("float", 314.15926, True)], "string",
            ["0.1", "314.15927"])
        add(f, "the shortest text of a double", "Cast <to = 8> (X)", "double", [0.1, 314.15926],
            "string", ["0.1", "314.15926"])
        xs = [0.1, 1 / 3, 65504.0, 1e-7, 100.0, 1000.0, 2048.0]
        halves = [float(np.float16(x)) for x in xs]
        texts = [str(np.float16(x)).replace(".0", "") for x in xs]
        add(f, "the shortest text of a float16", "Cast <to = 8> (X)", "float16", halves, "string",
            texts)
        add(f, "float16: its shortest text reads back", "Cast <to = 10> (X)", "string", texts,
            "float16", halves)
        # Just above half way between 1 and the next float: in double that is a tie.
        tie = "1.00000005960464477539062500000000001"
        add(f, "digits are rounded once", "Cast <to = 1> (X)", "string", [tie, "1e39", "-4e38"],
            "float", [float(np.nextafter(np.float32(1), np.float32(2))), math.inf, -math.inf])
        add(f, "digits give the low bits of 64", "Cast <to = 7> (X)", "string",
            ["18446744073709551615", "9223372036854775808"], "int64", [-1, -2**63])
        add(f, "digits past 64 bits are read as a float", "Cast <to = 7> (X)", "string",
            ["18446744073709551616", "-9223372036854775809"], "int64", [2**63 - 1, -2**63])
        add(f, "digits give the low bits of a narrower type", "Cast <to = 3> (X)", "string",
            ["300", "-129"], "int8", [44, 127])
        f.add("CastLike a string", 25, "CastLike (X, L)", {"X": ("int32", ints([5, -6])),
              "L": ("string", ints(["any"]))}, ("string", ints(["5", "-6"])), BOTH)
        for text in ("Hello World!", "", "1x", "--1", "1 2", "0,5"):
            for kind in ("float", "int32"):
                fails(f, f"'{text}' is no {kind}", 25, f"Cast <to = {NUMBER[kind]}> (X)",
                      {"X": ("string", ints(["1", text]))}, "VALUE", "element 1", f"{kind}[2] Y")


FIRST = {"bfloat16": 13, **{k: 19 for k in FLOAT8}, "uint4": 21, "int4": 21, "float4e2m1": 23,
         "float8e8m0": 24, "uint2": 25, "int2": 25, "string": 9}


def versions():
    with File("cast/versions.onnxtxt", "By tests/oracle/cast.py.") as f:
        for since in (6, 9, 13, 19, 21, 23, 24, 25):
            for kind in KINDS + ["string"]:
                one = "1" if kind == "string" else 1.0 if kind not in BITS else 1
                for source, target in ((kind, "float"), ("float", kind)):
                    x = {"X": (source, ints([one if source == kind else 1.0]))}
                    node = f"Cast <to = {NUMBER[target]}> (X)"
                    if FIRST.get(kind, 1) > since:
                        fails(f, f"{source} to {target} in version {since}", since, node, x, "TYPE",
                              kind, f"{target}[1] Y")
                    elif since > 19:
                        f.add(f"{source} to {target} in version {since}", since, node, x,
                              (target, ints([one if target == kind else 1.0])))
        for kind in KINDS[:3] + list(INTEGERS) + ["bool"]:
            if kind != "bfloat16":
                f.add(f"version 1: {kind} by name", 1, f'Cast <to = "{kind.upper()}"> (X)',
                      {"X": ("float", ints([1.0]))}, (kind, ints([1])))
        one = {"X": ("float", ints([1.0]))}
        for name in ("FLOAT17", "", "STRING", "BFLOAT16"):
            fails(f, f"version 1: no '{name}'", 1, f'Cast <to = "{name}"> (X)', one,
                  "VALUE" if name in ("FLOAT17", "") else "TYPE",
                  "'to'" if name in ("FLOAT17", "") else name.lower(), "float[1] Y")
        for number in (0, -1, 27, 99, 2**32 + 1):
            fails(f, f"there is no type {number}", 13, f"Cast <to = {number}> (X)", one, "VALUE",
                  "'to'", "float[1] Y")
        fails(f, "complex64 is no target", 25, "Cast <to = 14> (X)", one, "TYPE", "complex64",
              "complex64[1] Y")
        fails(f, "complex64 is no source", 25, "Cast <to = 1> (X)",
              {"X": ("complex64", ints([1 + 0j]))}, "TYPE", "complex64", "float[1] Y")
        fails(f, "a target is needed", 13, "Cast (X)", one, "MODEL", "to", "float[1] Y")
        fails(f, "saturate came later", 13, "Cast <to = 1, saturate = 1> (X)", one, "MODEL",
              "saturate", "float[1] Y")
        fails(f, "round_mode came later", 23, 'Cast <to = 1, round_mode = "up"> (X)', one, "MODEL",
              "round_mode", "float[1] Y")
        for shape in ((0,), (2, 0), ()):
            x = ints([1.5] * (0 if 0 in shape else 1), shape)
            f.add(f"shape {list(shape)}", 13, "Cast <to = 7> (X)", {"X": ("float", x)},
                  ("int64", ints([1] * x.size, shape)))
        for since in (15, 19, 21, 23, 24, 25):
            f.add(f"CastLike in version {since}", since, "CastLike (X, L)", {"X": ("float",
                  ints([1.5, -2.5])), "L": ("int8", ints([[9]]))}, ("int8", ints([1, -2])), BOTH)
        fails(f, "CastLike: no float8 in version 15", 15, "CastLike (X, L)", {"X": ("float",
              ints([1.5])), "L": ("float8e5m2", ints([1.0]))}, "TYPE", "float8e5m2", "float8e5m2[1] Y")


if __name__ == "__main__":
    for part in (pairs, powers, strings, versions):
        part()
