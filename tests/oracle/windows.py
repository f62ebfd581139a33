#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""windows.py - text cases of the window functions, by NumPy in long double, rounded once.

    python3 tests/oracle/windows.py

writes tests/cases/window/*.onnxtxt."""
import numpy as np

from elements import UNIT, fails, ints
from text_case import File, round_to

TERMS = {"Hann": ("0.5", "0.5", "0"), "Hamming": ("25/46", "21/46", "0"),
         "Blackman": ("0.42", "0.5", "0.08")}

BOTH = "body native expand"


def term(text):
    top, _, bottom = text.partition("/")
    return np.longdouble(top) / np.longdouble(bottom or "1")


def window(name, size, periodic):
    """By symmetry: the angle is measured from the middle, so that the two halves are equal."""
    a0, a1, a2 = map(term, TERMS[name])
    n = size if periodic else max(size - 1, 1)
    middle = np.longdouble(n) / 2 if size > 1 or periodic else np.longdouble(0)
    angle = 2 * np.longdouble("3.14159265358979323846264338327950288") \
        * (np.arange(size, dtype=np.longdouble) - middle) / n
    w = (a0 + a1 * np.cos(angle) + a2 * np.cos(2 * angle)).astype(np.float64)
    if not periodic and name != "Hamming":
        assert np.allclose(w, {"Hann": np.hanning, "Blackman": np.blackman}[name](size))
    return w


def main():
    for name in TERMS:
        node = f"{name}Window"
        with File(f"window/{name.lower()}.onnxtxt", "By tests/oracle/windows.py.") as f:
            for size in (0, 1, 2, 3, 8, 9, 300):
                for periodic in (1, 0):
                    f.add(f"{size}, {'periodic' if periodic else 'symmetric'}", 17,
                          f"{node} <periodic = {periodic}> (N)", {"N": ("int64", ints([size], ()))},
                          ("float", round_to("float", window(name, size, periodic))),
                          ("tolerance rtol 1.2e-7 atol 4e-17", BOTH if size else "body native"))
            for number, kind in {10: "float16", 16: "bfloat16", 11: "double"}.items():
                f.add(kind, 17, f"{node} <output_datatype = {number}> (N)",
                      {"N": ("int32", ints([9], ()))},
                      (kind, round_to(kind, window(name, 9, 1))),
                      (f"tolerance rtol {2 * UNIT[kind]:.3g} atol {2e-15 if kind == 'double' else 4e-17}",
                       BOTH))
            for number, kind in {2: "uint8", 4: "uint16", 12: "uint32", 13: "uint64", 3: "int8",
                                 5: "int16", 6: "int32", 7: "int64"}.items():
                f.add(f"{kind}: the middle alone is 1", 22,
                      f"{node} <output_datatype = {number}, periodic = 0> (N)",
                      {"N": ("int64", ints([5], ()))}, (kind, ints([0, 0, 1, 0, 0])), (BOTH,))
            fails(f, "a negative size", 17, f"{node} (N)", {"N": ("int64", ints([-1], ()))},
                  "VALUE", "size is -1, expected 0 or more", "float[n] Y")
            fails(f, "two sizes", 17, f"{node} (N)", {"N": ("int64", ints([1, 2]))},
                  "SHAPE", "2 elements", "float[n] Y")
            fails(f, "a size of another type", 17, f"{node} (N)", {"N": ("float", np.ones(()))},
                  "TYPE", "float", "float[n] Y")
            fails(f, "a type that is none", 17, f"{node} <output_datatype = 99> (N)",
                  {"N": ("int64", ints([1], ()))}, "VALUE", "'output_datatype' is 99", "float[n] Y")
            fails(f, "no bool", 17, f"{node} <output_datatype = 9> (N)",
                  {"N": ("int64", ints([1], ()))}, "TYPE", "bool", "bool[n] Y")
            fails(f, "a size past the cap", 17, f"{node} (N)",
                  {"N": ("int64", ints([1 << 62], ()))}, "SHAPE", "too large", "float[n] Y")


main()
