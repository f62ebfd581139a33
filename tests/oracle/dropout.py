#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dropout.py - text cases of Dropout, whose numbers are drawn by splitmix.py.

    python3 tests/oracle/dropout.py"""
import math

import numpy as np

from classic import numbers
from elements import FLOATS, IEEE, fails, round_to
from pools import case, node
from splitmix import key_of, key_of_node, unit
from text_case import File

FLOAT8 = ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"]


def drop(x, key, ratio):
    keep = (unit(key, x.size, 53) >= ratio).reshape(x.shape)
    return np.where(keep, x * (1 / (1 - ratio)), 0), keep


def dropout():
    with File("dropout/numpy.onnxtxt", "By tests/oracle/dropout.py. Exact.") as f:
        x = numbers(3, 100)

        def train(title, opset, kind, x, ratio, call, inputs, key, mask="bool", option=()):
            x = round_to(kind, x)
            y, keep = drop(x, key, ratio)
            case(f, title, opset, call, {"X": (kind, x)} | inputs,
                 {"Y": (kind, round_to(kind, y)), "M": (mask, keep if mask == "bool" else keep * 1.0)})
            f.cases[-1][1].extend(f"--- option {o}" for o in option)

        on = {"T": ("bool", np.array(True))}
        for opset, kinds in ((22, FLOATS), (13, FLOATS), (12, IEEE)):
            for kind in kinds:
                ratio = {"R": ("float", np.array(0.25))}
                train(f"{kind} in version {opset}", opset, kind, x, 0.25, "Dropout <seed = 7> (X, R, T)", ratio | on, key_of(7))
        train("the ratio is 0.5 by default", 13, "float", x, 0.5, 'Dropout <seed = -3> (X, "", T)', on, key_of(-3))
        for ratio in (0.0, 0.875):
            train(f"ratio {ratio}", 13, "float", x, ratio, "Dropout <seed = 1> (X, R, T)",
                  {"R": ("double", np.array(ratio))} | on, key_of(1))
        train("a scalar", 13, "float", np.array(2.0), 0.5, 'Dropout <seed = 5> (X, "", T)', on, key_of(5))
        train("nothing", 13, "float", np.zeros((2, 0)), 0.5, 'Dropout <seed = 5> (X, "", T)', on, key_of(5))
        special = np.array([math.inf, -math.inf, math.nan, -0.0] * 8)
        train("a dropped number is 0 whatever it was", 13, "float", special, 0.5, 'Dropout <seed = 2> (X, "", T)', on, key_of(2))
        train("ratio of one element", 13, "float", x, 0.5, "Dropout <seed = 1> (X, R, T)",
              {"R": ("float16", np.array([0.5])), "T": ("bool", np.array([True]))}, key_of(1))
        for opset, attributes in ((6, {}), (6, {"ratio": 0.75}), (1, {"is_test": 0, "consumed_inputs": [0]})):
            for kind in IEEE:
                call = node("Dropout", attributes, "X")
                train(f"version {opset} trains, {attributes}, {kind}", opset, kind, x, attributes.get("ratio", 0.5), call, {},
                      key_of_node(9, "of 'Y'"), kind, ["seed 9"])

        def copy(title, opset, kind, call, inputs, x, mask="bool"):
            ones = np.ones(x.shape, bool if mask == "bool" else float)
            case(f, title, opset, call, {"X": (kind, x)} | inputs, {"Y": (kind, x), "M": (mask, ones)})

        for opset, kinds in ((22, FLOATS + FLOAT8), (13, FLOATS), (12, IEEE), (10, IEEE), (7, IEEE)):
            for kind in kinds:
                small = np.array([[1, -2, 0.5], [4, -0.0, 8]])
                copy(f"{kind} in version {opset} as it is", opset, kind, "Dropout (X)", {}, small, kind if opset == 7 else "bool")
        for opset in (6, 1):
            copy(f"is_test in version {opset}", opset, "float", "Dropout <is_test = 1> (X)", {}, round_to("float", x), "float")
        copy("training_mode false", 13, "float", "Dropout (X, R, T)",
             {"R": ("float", np.array(0.5)), "T": ("bool", np.array(False))}, round_to("float", x))
        copy("a ratio without training is not read", 13, "float", "Dropout (X, R)", {"R": ("float", np.array(7.0))}, special)
        data = {"X": ("float", np.ones(3))}
        for ratio in (1.0, -0.5, math.nan):
            fails(f, f"ratio {ratio}", 13, "Dropout (X, R, T)", data | {"R": ("float", np.array(ratio))} | on, "VALUE",
                  f"the ratio is {ratio:g}, expected a number in [0, 1)")
        fails(f, "ratio 1 in version 6", 6, "Dropout <ratio = 1.0> (X)", data, "VALUE", "the ratio is 1, expected a number in [0, 1)")
        fails(f, "two ratios", 13, "Dropout (X, R)", data | {"R": ("float", np.ones(2))}, "SHAPE",
              "input 1 'ratio' is [2], expected one element")
        fails(f, "two modes", 13, "Dropout (X, R, T)", data | {"R": ("float", np.ones(1)), "T": ("bool", np.ones(2))}, "SHAPE",
              "input 2 'training_mode' is [2], expected one element")
        for opset, kind in ((13, "float8e5m2"), (12, "bfloat16"), (22, "int32"), (1, "bfloat16")):
            fails(f, f"no {kind} in version {opset}", opset, "Dropout (X)", {"X": (kind, np.ones(1))}, "TYPE", kind, f"{kind}[] Y")


if __name__ == "__main__":
    dropout()
