#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""classic.py - text cases of BatchNormalization and LRN, by their formulas in NumPy's double.

    python3 tests/oracle/classic.py"""
import math

import numpy as np

from elements import FLOATS, IEEE, UNIT, fails, header, round_to
from pools import case, node
from text_case import File, literal

rng = np.random.default_rng(23)


def numbers(*shape):
    return np.round(rng.normal(size=shape) * 3 * 64) / 64 + 1


def real(value):
    return float(np.float32(value))  # an attribute is a float


def near(f, title, opset, call, inputs, outputs, kind, size=1):
    """size: of the numbers whose differences are computed, which their rounding depends on."""
    outputs = {k: (t, round_to(t, v)) for k, (t, v) in outputs.items()}
    case(f, title, opset, call, inputs, outputs)
    f.cases[-1][1].append(f"--- tolerance rtol {4 * UNIT[kind]} atol {8 * min(UNIT[kind], UNIT['float']) * size}")


# ---- BatchNormalization

NAMES = ["Y", "M", "V", "SM", "SV"]


def batch(f, title, opset, x, factors, attributes=None, kinds="float", outputs=1, training=False, spatial=True):
    """factors: scale, bias, mean, variance; kinds: one, or those of X, scale and mean."""
    attributes = attributes or {}
    kinds = [kinds] * 3 if isinstance(kinds, str) else kinds
    of = [kinds[0], kinds[1], kinds[1], kinds[2], kinds[2]]
    values = [round_to(k, v) for k, v in zip(of, [x, *factors])]
    x, (scale, bias, mean, variance) = values[0], values[1:]
    line = x.ndim == 1
    pixels = math.prod(x.shape[1 if line else 2:])
    channels = 1 if line else x.shape[1]
    flat = x.reshape(x.shape[0], *((channels, pixels) if spatial else (channels * pixels, 1)))
    column = [v.reshape(1, -1, 1) for v in (scale, bias, mean, variance)]
    momentum, eps = real(attributes.get("momentum", 0.9)), real(attributes.get("epsilon", 1e-5))
    count = flat.shape[0] * flat.shape[2]
    now = [column[2], column[3]]
    if training:
        now[0] = flat.sum((0, 2), keepdims=True) / np.float64(count)
        now[1] = ((flat - now[0])**2).sum((0, 2), keepdims=True) / np.float64(count)
    y = (flat - now[0]) / np.sqrt(now[1] + eps) * column[0] + column[1]
    next_ = [old * momentum + new * (1 - momentum) for old, new in zip(column[2:], now)]
    results = [y.reshape(x.shape)] + [v.reshape(mean.shape) for v in next_ + now]
    names = dict(zip("XSBMV", ["X", "S", "B", "IM", "IV"]))
    inputs = {n: (k, v) for n, k, v in zip(names.values(), of, values)}
    result_kinds = [kinds[0]] + [kinds[2]] * 4
    worst = max(kinds, key=lambda k: UNIT[k])
    near(f, title, opset, node("BatchNormalization", attributes, ", ".join(inputs)), inputs,
         {n: (k, v) for n, k, v in list(zip(NAMES, result_kinds, results))[:outputs]}, worst,
         max(1, abs(x).max(initial=1)) if training else 1)


def factors(*shape):
    return numbers(*shape), numbers(*shape), numbers(*shape), np.abs(numbers(*shape)) + 0.5


def batch_normalization():
    with File("batch_normalization/numpy.onnxtxt", "By tests/oracle/classic.py.") as f:
        for shape in ((2, 3, 4, 5), (1, 2, 3), (2, 3), (4, 1, 2, 2, 2), (5,), (0, 2, 3), (2, 0, 3), (2, 3, 0), (3, 40, 33)):
            channels = shape[1] if len(shape) > 1 else 1
            batch(f, f"{list(shape)}", 15, numbers(*shape), factors(channels))
            if math.prod(shape):
                for outputs in (1, 3):
                    batch(f, f"{list(shape)} in training, {outputs} outputs", 15, numbers(*shape), factors(channels),
                          {"training_mode": 1}, outputs=outputs, training=True)
        attributes = {"epsilon": 0.25, "momentum": 0.75}
        batch(f, "epsilon and momentum", 15, numbers(2, 3, 4), factors(3), attributes | {"training_mode": 1}, outputs=3, training=True)
        for opset, kinds in ((15, FLOATS), (14, FLOATS), (9, IEEE), (7, IEEE), (6, IEEE), (1, IEEE)):
            for kind in kinds:
                old = {"is_test": 1} if opset <= 6 else {}
                old |= {"consumed_inputs": [0, 0]} if opset == 1 else {}
                batch(f, f"{kind} in version {opset}", opset, numbers(2, 3, 4, 5), factors(3), old, kind)
                training = {"training_mode": 1} if opset >= 14 else old | ({"is_test": 0} if old else {})
                batch(f, f"{kind} in version {opset}, training", opset, numbers(2, 3, 4, 5), factors(3), training, kind,
                      outputs=3 if opset >= 14 else 5, training=True)
        batch(f, "version 6 trains unless is_test", 6, numbers(2, 3, 4), factors(3), {}, training=True)
        batch(f, "version 9 trains when it has two outputs", 9, numbers(2, 3, 4), factors(3), {}, outputs=2, training=True)
        for kinds in (["float16", "float", "double"], ["double", "float16", "bfloat16"], ["bfloat16", "double", "float"]):
            batch(f, f"types {', '.join(kinds)}", 15, numbers(2, 3, 4), factors(3), {}, kinds)
            batch(f, f"types {', '.join(kinds)} in training", 15, numbers(2, 3, 4), factors(3), {"training_mode": 1}, kinds,
                  outputs=3, training=True)
        batch(f, "types float, float, float16 in version 14", 14, numbers(2, 3, 4), factors(3), {}, ["float", "float", "float16"])
        for opset in (7, 6, 1):
            attributes = {"spatial": 0} | ({"is_test": 1} if opset <= 6 else {})
            attributes |= {"consumed_inputs": [0]} if opset == 1 else {}
            batch(f, f"spatial = 0 in version {opset}", opset, numbers(3, 2, 2, 3), factors(2, 2, 3), attributes, spatial=False)
        batch(f, "spatial = 0, training", 7, numbers(3, 2, 2), factors(2, 2), {"spatial": 0}, outputs=5, training=True, spatial=False)
        batch(f, "far from 0 in training", 15, numbers(2, 2, 50) + 4096, factors(2), {"training_mode": 1}, outputs=3, training=True)
        batch(f, "equal numbers", 15, np.full((2, 2, 3), 473.5), factors(2), {"training_mode": 1}, outputs=3, training=True)
        one = {k: ("float", np.ones(s)) for k, s in (("X", (1, 2, 3)), ("S", 2), ("B", 2), ("M", 2), ("V", 2))}
        for name, place, label in (("S", 1, "scale"), ("B", 2, "B"), ("M", 3, "input_mean"), ("V", 4, "input_var")):
            for declared in (True, False):
                fails(f, f"{label} of other dims" + ("" if declared else ", as the run finds"), 15,
                      "BatchNormalization (X, S, B, M, V)", one | {name: ("float", np.ones(3))}, "SHAPE",
                      f"input {place} '{label}' is [3], expected [2], one for each channel", declared=declared)
        fails(f, "a scalar", 15, "BatchNormalization (X, S, B, M, V)", one | {"X": ("float", np.ones(()))}, "SHAPE",
              "input 0 'X' is [], expected rank 1 or more")
        fails(f, "a row in version 7", 7, "BatchNormalization (X, S, B, M, V)", one | {"X": ("float", np.ones(2))}, "SHAPE",
              "input 0 'X' is [2], expected rank 2 or more")
        fails(f, "spatial = 0 with one factor for each channel", 7, "BatchNormalization <spatial = 0> (X, S, B, M, V)", one,
              "SHAPE", "input 1 'scale' is [2], expected [2,3], one for each channel")
        fails(f, "no bfloat16 in version 9", 9, "BatchNormalization (X, S, B, M, V)",
              {k: ("bfloat16", v) for k, (_, v) in one.items()}, "TYPE", "bfloat16", "bfloat16[] Y")
        lines = [header(15), "g (float[1,2,3] X, float[2] S) => (float[] Y, float[] M) "
                 "{ Y, M = BatchNormalization (X, S, S, S, S) }", f"--- X = {literal('float', np.ones((1, 2, 3)))}",
                 f"--- S = {literal('float', np.ones(2))}", "--- fails VALUE \"attribute 'training_mode' is 0, expected 1 "
                 "for the outputs running_mean and running_var\""]
        f.cases.append(("a running mean without training", lines))


# ---- LRN

def lrn(f, title, opset, kind, x, size, alpha=1e-4, beta=0.75, bias=1.0):
    x = round_to(kind, x)
    given = {"alpha": (alpha, 1e-4), "beta": (beta, 0.75), "bias": (bias, 1.0)}
    attributes = {k: v for k, (v, default) in given.items() if v != default} | {"size": size}
    squares = np.zeros_like(x)
    for c in range(x.shape[1]):
        squares[:, c] = (x[:, max(0, c - (size - 1) // 2):c + size // 2 + 1]**2).sum(1)
    y = x / (real(bias) + real(alpha) / size * squares)**real(beta)
    near(f, title, opset, node("LRN", attributes, "X"), {"X": (kind, x)}, {"Y": (kind, y)}, kind)


def local_response():
    with File("lrn/numpy.onnxtxt", "By tests/oracle/classic.py.") as f:
        for shape in ((2, 5, 3, 4), (1, 7, 3), (1, 3, 2, 2, 2), (3, 4), (1, 1, 2), (0, 3, 2), (1, 0, 2), (1, 2, 0), (1, 3, 17, 31), (2, 37, 5)):
            for size in (1, 2, 3, 4, 5, 100):
                lrn(f, f"{list(shape)}, size {size}", 13, "float", numbers(*shape), size, 0.5)
        for opset, kinds in ((13, FLOATS), (1, IEEE)):
            for kind in kinds:
                lrn(f, f"{kind} in version {opset}", opset, kind, numbers(2, 5, 3, 4), 3)
        for beta in (0.5, 1.0, 0.0, 1.25, -0.5):
            for kind in ("float", "double"):
                lrn(f, f"{kind} with beta {beta}", 13, kind, numbers(1, 5, 3), 3, 0.5, beta, 2.0)
        fails(f, "size 0", 13, "LRN <size = 0> (X)", {"X": ("float", np.ones((1, 2, 3)))}, "VALUE",
              "attribute 'size' is 0, expected 1 or more")
        fails(f, "a row", 13, "LRN <size = 1> (X)", {"X": ("float", np.ones(3))}, "SHAPE",
              "input 0 'X' is [3], expected rank 2 or more")
        fails(f, "no bfloat16 in version 1", 1, "LRN <size = 1> (X)", {"X": ("bfloat16", np.ones((1, 1, 1)))}, "TYPE",
              "bfloat16", "bfloat16[] Y")
        x = numbers(1, 3, 2)
        case(f, "the largest size", 13, "LRN <size = 9223372036854775807, alpha = 0.0> (X)", {"X": ("float", x)},
             {"Y": ("float", x)})


if __name__ == "__main__":
    batch_normalization()
    local_response()
