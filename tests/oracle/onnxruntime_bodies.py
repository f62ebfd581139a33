#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_bodies.py - text cases of the operators of functions/onnxruntime, by NumPy in double.

    python3 tests/oracle/onnxruntime_bodies.py

writes tests/cases/onnxruntime/*.onnxtxt. compare_ort.js compares the same operators with ONNX Runtime
itself (ort/onnxruntime.js)."""
import math

import numpy as np

from text_case import File, literal, round_to

TOLERANCE = "tolerance rtol 2e-5 atol 2e-6"
EXACT = "body native expand"
rng = np.random.default_rng(11)
erf = np.vectorize(math.erf)


class Cases(File):
    """Cases with any domains and numbers of outputs."""

    def case(self, title, node, inputs, outputs, opset=13, exact=False, fails=None):
        """inputs: name -> (type, array), or None for a missing one. outputs: name -> (type, array), or
        None for one that the node has and nobody reads."""
        given = {k: v for k, v in inputs.items() if v}
        wanted = {k: v for k, v in outputs.items() if v}
        names = list(inputs)
        while names and not inputs[names[-1]]:
            names.pop()
        ports = ", ".join(f"{t}[{','.join(map(str, np.shape(a)))}] {k}" for k, (t, a) in given.items())
        results = ", ".join(f"{t}[{','.join(map(str, np.shape(a)))}] {k}" for k, (t, a) in wanted.items())
        op, _, rest = node.partition(" ")
        left = ", ".join(k if outputs[k] else "" for k in outputs)
        call = f"{op}{' ' + rest if rest else ''} ({', '.join(k if inputs[k] else '' for k in names)})"
        lines = [f'<ir_version: 10, opset_import: ["" : {opset}, "com.microsoft" : 1]>',
                 f"g ({ports}) => ({results}) {{ {left} = {call} }}"]
        lines += [f"--- {k} = {literal(*v)}" for k, v in given.items()]
        if fails:
            lines += [f"--- fails {fails[0]} \"{fails[1]}\""]
        else:
            lines += [f"--- {k} = {literal(*v)}" for k, v in wanted.items()]
            lines += [f"--- {EXACT}"] + ([] if exact else [f"--- {TOLERANCE}"])
        self.cases.append((title, lines))


def near(*dims):
    """Numbers with few bits, which every order of sums adds up without error."""
    return ("float", rng.integers(-64, 65, dims) / 32)


def out(x):
    return ("float", round_to("float", np.asarray(x, np.float64)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


ACTIVATIONS = {
    "": ((), lambda x: x),
    "Relu": ((), lambda x: np.maximum(x, 0)),
    "Sigmoid": ((), sigmoid),
    "Tanh": ((), np.tanh),
    "LeakyRelu": ((0.25,), lambda x: np.where(x < 0, x / 4, x)),
    "Clip": ((-0.5, 1.25), lambda x: np.clip(x, -0.5, 1.25)),
    "HardSigmoid": ((0.25, 0.5), lambda x: np.clip(x / 4 + 0.5, 0, 1)),
}


def curves(f):
    x, row = near(3, 4), near(4)
    phi = lambda v: v * (1 + erf(v / np.sqrt(2))) / 2
    fast = lambda v: v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v ** 3))) / 2
    f.case("Gelu", "com.microsoft.Gelu", {"X": x}, {"Y": out(phi(x[1]))})
    f.case("Gelu of nothing", "com.microsoft.Gelu", {"X": near(0, 3)}, {"Y": out(np.ones((0, 3)))})
    f.case("BiasGelu", "com.microsoft.BiasGelu", {"A": x, "B": row}, {"C": out(phi(x[1] + row[1]))})
    f.case("FastGelu", "com.microsoft.FastGelu", {"X": x}, {"Y": out(fast(x[1]))})
    f.case("FastGelu with a bias", "com.microsoft.FastGelu", {"X": x, "bias": row},
           {"Y": out(fast(x[1] + row[1]))})
    f.case("QuickGelu", "com.microsoft.QuickGelu", {"X": x}, {"Y": out(x[1] * sigmoid(1.702 * x[1]))})
    f.case("QuickGelu with alpha", "com.microsoft.QuickGelu <alpha = 0.5>", {"X": x},
           {"Y": out(x[1] * sigmoid(x[1] / 2))})
    f.case("an attribute that there is not", "com.microsoft.QuickGelu <beta = 0.5>", {"X": x}, {"Y": x},
           fails=("MODEL", "has no attribute 'beta'"))


def convolutions(f):
    x, w, b, z = near(1, 2, 5, 4), near(3, 2, 2, 3), near(3), near(1, 3, 4, 2)
    product = np.zeros((1, 3, 4, 2))
    for i in range(4):
        for k in range(2):
            product[0, :, i, k] = np.tensordot(w[1], x[1][0, :, i:i + 2, k:k + 3], 3)
    for name, (params, curve) in ACTIVATIONS.items():
        numbers = f", activation_params = [{', '.join(map(str, params))}]" if params else ""
        attrs = f" <activation = \"{name}\"{numbers}>" if name else ""
        inputs = {"X": x, "W": w, "B": b}
        f.case(f"FusedConv, {name or 'no activation'}", f"com.microsoft.FusedConv{attrs}", inputs,
               {"Y": out(curve(product + b[1][:, None, None]))})
        f.case(f"FusedConv, {name or 'no activation'}, with a sum", f"com.microsoft.FusedConv{attrs}", {**inputs, "Z": z},
               {"Y": out(curve(product + b[1][:, None, None] + z[1]))})
    narrow = x[1][..., :2]
    padded = np.pad(narrow, ((0, 0), (0, 0), (0, 0), (0, 1)))
    strided = np.stack([np.tensordot(w[1], padded[0, :, i:i + 2], 3) for i in (0, 2)], -1)
    f.case("FusedConv with pads and strides, no bias",
           'com.microsoft.FusedConv <activation = "Relu", pads = [0, 0, 0, 1], strides = [2, 2]>',
           {"X": ("float", narrow), "W": w}, {"Y": out(np.maximum(strided, 0)[None, :, :, None])})
    f.case("FusedConv of another activation", 'com.microsoft.FusedConv <activation = "Elu">',
           {"X": x, "W": w}, {"Y": z},
           fails=("VALUE", "attribute 'activation' is 'Elu', expected one of Relu, Sigmoid, Tanh, LeakyRelu, "
                  "Clip, HardSigmoid"))


def products(f):
    m, n, k = 3, 4, 2
    for a in (0, 1):
        for b in (0, 1):
            left, right, c = near(*((k, m) if a else (m, k))), near(*((n, k) if b else (k, n))), near(n)
            p = (left[1].T if a else left[1]) @ (right[1].T if b else right[1])
            f.case(f"FusedGemm, transA {a}, transB {b}",
                   f'com.microsoft.FusedGemm <activation = "Relu", alpha = 0.5, beta = 2.0, transA = {a}, '
                   f"transB = {b}>", {"A": left, "B": right, "C": c},
                   {"Y": out(np.maximum(p / 2 + 2 * c[1], 0))}, exact=True)
            f.case(f"TransposeMatMul, transA {a}, transB {b}",
                   f"com.microsoft.TransposeMatMul <alpha = 0.5, transA = {a}, transB = {b}>",
                   {"A": left, "B": right}, {"Y": out(p / 2)}, exact=True)
    for name, (params, curve) in ACTIVATIONS.items():
        if name == "Clip":
            continue
        numbers = "".join(f", activation_{key} = {v}" for key, v in zip(("alpha", "beta"), params))
        attrs = f" <activation = \"{name}\"{numbers}>" if name else ""
        left, right = near(m, k), near(k, n)
        f.case(f"FusedGemm, {name or 'no activation'}", f"com.microsoft.FusedGemm{attrs}", {"A": left, "B": right},
               {"Y": out(curve(left[1] @ right[1]))})
    f.case("FusedGemm of another activation", 'com.microsoft.FusedGemm <activation = "Clip">',
           {"A": left, "B": right}, {"Y": out(left[1] @ right[1])},
           fails=("VALUE", "attribute 'activation' is 'Clip', expected one of"))
    for trans in (0, 1):
        for far in (0, 1):
            a, b = near(2, m, k), near(2, k, n)
            p = a[1] @ b[1] * 2
            turn = lambda x: np.moveaxis(x, -1 if trans else -2, 0) if far else x.swapaxes(-1, -2) if trans else x
            left = ("float", np.ascontiguousarray(turn(a[1])))
            right = ("float", np.ascontiguousarray(turn(b[1])))
            if far and trans:
                left, right = [("float", np.ascontiguousarray(np.moveaxis(x[1], -1, 0))) for x in (a, b)]
            f.case(f"FusedMatMul, trans {trans}, transBatch {far}",
                   f"com.microsoft.FusedMatMul <alpha = 2.0, transA = {trans}, transB = {trans}, "
                   f"transBatchA = {far}, transBatchB = {far}>", {"A": left, "B": right}, {"Y": out(p)}, exact=True)
    f.case("FusedMatMul without attributes", "com.microsoft.FusedMatMul", {"A": a, "B": b},
           {"Y": out(a[1] @ b[1])}, exact=True)


def layers(f):
    x, skip, gamma, beta, bias = near(2, 3, 4), near(2, 3, 4), near(4), near(4), near(4)

    def layer(v, g, b=0, epsilon=1e-12, axes=-1):
        mean = v.mean(axes, keepdims=True)
        inverse = 1 / np.sqrt(((v - mean) ** 2).mean(axes, keepdims=True) + epsilon)
        return (v - mean) * inverse * g + b, mean, inverse

    def rms(v, g, epsilon=1e-12, axes=-1):
        inverse = 1 / np.sqrt((v ** 2).mean(axes, keepdims=True) + epsilon)
        return v * inverse * g, inverse

    one = {"input": x, "skip": skip, "gamma": gamma}
    total = x[1] + skip[1]
    op = "com.microsoft.SkipLayerNormalization"
    f.case("SkipLayerNormalization", op, {**one, "beta": beta}, {"Y": out(layer(total, gamma[1], beta[1])[0])})
    f.case("with a bias, without beta, its sum too", f"{op} <epsilon = 0.001>", {**one, "beta": None, "bias": bias},
           {"Y": out(layer(total + bias[1], gamma[1], epsilon=1e-3)[0]), "m": None, "v": None,
            "S": out(total + bias[1])})
    f.case("mean and inverse deviation", op, one,
           dict(zip(("Y", "M", "V"), map(out, layer(total, gamma[1])))))
    shared = near(3, 4)
    f.case("a skip for all images", op, {**one, "skip": shared}, {"Y": out(layer(x[1] + shared[1], gamma[1])[0])})
    op = "com.microsoft.SkipSimplifiedLayerNormalization"
    f.case("SkipSimplifiedLayerNormalization", op, one, {"Y": out(rms(total, gamma[1])[0])})
    f.case("SkipSimplifiedLayerNormalization with a bias, its sum too", op, {**one, "bias": bias},
           {"Y": out(rms(total + bias[1], gamma[1])[0]), "m": None, "v": None, "S": out(total + bias[1])})
    values = rms(total, gamma[1])
    f.case("its statistics", op, one, {"Y": out(values[0]), "M": out(0 * values[1]), "V": out(values[1])})
    scale = near(3, 4)
    f.case("SimplifiedLayerNormalization", "SimplifiedLayerNormalization", {"X": x, "scale": gamma},
           {"Y": out(rms(x[1], gamma[1], 1e-5)[0])})
    f.case("SimplifiedLayerNormalization, two axes", "SimplifiedLayerNormalization <axis = -2, epsilon = 0.01>",
           {"X": x, "scale": scale},
           dict(zip(("Y", "V"), map(out, rms(x[1], scale[1], 0.01, (1, 2))))), opset=17)
    f.case("LayerNormalization before opset 17", "LayerNormalization <axis = 1>", {"X": x, "Scale": scale},
           {"Y": out(layer(x[1], scale[1], 0, 1e-5, (1, 2))[0])}, opset=9)
    f.case("all its outputs", "LayerNormalization", {"X": x, "Scale": gamma, "B": beta},
           dict(zip(("Y", "M", "V"), map(out, layer(x[1], gamma[1], beta[1], 1e-5)))), opset=16)


def quantize(x, scale, zero, kind):
    low, high = (-128, 127) if kind == "int8" else (0, 255)
    return (kind, np.clip(np.rint(x / scale) + zero, low, high))


def scalar(kind, x):
    return (kind, np.asarray(x))


def quantized(f):
    for kind, zero in (("uint8", 128), ("int8", 3)):
        low = -128 if kind == "int8" else 0
        a, b = [(kind, rng.integers(low, low + 256, (2, 3, 2))) for _ in range(2)]
        real = (a[1] - zero) / 16
        ports = {"X": a, "s": scalar("float", 1 / 16), "z": scalar(kind, zero), "t": scalar("float", 1 / 8),
                 "w": scalar(kind, zero)}
        op = "com.microsoft.QLinear"
        f.case(f"QLinearSigmoid, {kind}", f"{op}Sigmoid", {**ports, "t": scalar("float", 1 / 128)},
               {"Y": quantize(sigmoid(real), 1 / 128, zero, kind)}, exact=True)
        f.case(f"QLinearLeakyRelu, {kind}", f"{op}LeakyRelu <alpha = 0.25>", ports,
               {"Y": quantize(np.where(real < 0, real / 4, real), 1 / 8, zero, kind)}, exact=True)
        for last in (0, 1):
            f.case(f"QLinearGlobalAveragePool, {kind}, channels_last {last}",
                   f"{op}GlobalAveragePool <channels_last = {last}>", ports,
                   {"Y": quantize(real.mean(1 if last else 2, keepdims=True), 1 / 8, zero, kind)}, exact=True)
        two = {"A": a, "s": scalar("float", 1 / 16), "z": scalar(kind, zero), "B": b, "t": scalar("float", 1 / 8),
               "w": scalar(kind, zero), "u": scalar("float", 1 / 4), "y": scalar(kind, zero)}
        other = (b[1] - zero) / 8
        f.case(f"QLinearAdd, {kind}", f"{op}Add", two, {"Y": quantize(real + other, 1 / 4, zero, kind)}, exact=True)
        f.case(f"QLinearMul, {kind}", f"{op}Mul", two, {"Y": quantize(real * other, 1 / 4, zero, kind)}, exact=True)
        f.case(f"QLinearAdd, {kind}, no zero points", f"{op}Add", {**two, "z": None, "w": None, "y": None},
               {"Y": quantize(a[1] / 16 + b[1] / 8, 1 / 4, 0, kind)}, exact=True)
        left, right, c = (kind, a[1][0].copy()), (kind, b[1][0].T.copy()), ("int32", rng.integers(-500, 500, 3))
        p = (left[1] - zero) @ (right[1] - zero)
        gemm = {"A": left, "s": scalar("float", 1 / 16), "z": scalar(kind, zero), "B": right,
                "t": scalar("float", 1 / 8), "w": scalar(kind, zero)}
        f.case(f"QGemm, {kind}", "com.microsoft.QGemm", gemm, {"Y": out(p / 128)}, exact=True)
        f.case(f"QGemm, {kind}, all inputs, transB", "com.microsoft.QGemm <alpha = 0.5, transB = 1>",
               {**gemm, "B": (kind, right[1].T.copy()), "C": c, "u": scalar("float", 2), "y": scalar(kind, zero)},
               {"Y": quantize((p + c[1]) / 256, 2, zero, kind)}, exact=True)
        pair = {"A": left, "B": right, "s": scalar("float", 1 / 16), "t": ("float", np.array([1, .5, .25]))}
        scale = np.array([1, .5, .25]) / 16
        f.case(f"MatMulIntegerToFloat, {kind}", "com.microsoft.MatMulIntegerToFloat", pair,
               {"Y": out(left[1] @ right[1] * scale)}, exact=True)
        bias = near(3)
        f.case(f"MatMulIntegerToFloat, {kind}, all inputs", "com.microsoft.MatMulIntegerToFloat",
               {**pair, "z": scalar(kind, zero), "w": scalar(kind, zero), "b": bias},
               {"Y": out(p * scale + bias[1])}, exact=True)
        whole = ("float", np.array([[0, 255], [16, 1], [7, 100]]))  # its own scale is 1
        f.case(f"DynamicQuantizeMatMul, {kind}", "com.microsoft.DynamicQuantizeMatMul",
               {"A": whole, "B": right, "t": scalar("float", 1 / 8), "w": scalar(kind, zero), "b": bias},
               {"Y": out(whole[1] @ (right[1] - zero) / 8 + bias[1])}, exact=True)
    x = near(2, 3, 2)
    rows = ("float", np.array([1, .5, .25]))
    zeros = ("int16", np.array([0, 5, -7]))
    q = np.rint(x[1] / rows[1][:, None]) + zeros[1][:, None]
    f.case("QuantizeLinear, int16, by channels", "com.microsoft.QuantizeLinear", {"X": x, "s": rows, "z": zeros},
           {"Y": ("int16", q)}, exact=True)
    f.case("DequantizeLinear, int16, by channels", "com.microsoft.DequantizeLinear <axis = -2>",
           {"X": ("int16", q), "s": rows, "z": zeros},
           {"Y": out((q - zeros[1][:, None]) * rows[1][:, None])}, exact=True)


def moves(f):
    x = near(2, 3, 4)
    f.case("Trilu", "com.microsoft.Trilu <upper = 0>", {"X": x, "k": scalar("int64", 1)},
           {"Y": out(np.tril(x[1], 1))}, exact=True)
    for axis in (0, 3, -1):
        f.case(f"ExpandDims, axis {axis}", "com.microsoft.ExpandDims", {"X": x, "axis": scalar("int32", axis)},
               {"Y": out(np.expand_dims(x[1], axis))}, exact=True)
    f.case("GridSample at the pixels", "com.microsoft.GridSample <align_corners = 1>",
           {"X": ("float", x[1][None, :1]), "G": ("float", np.array([[[[-1, -1], [1, -1]], [[-1, 1], [1, 1]]]]))},
           {"Y": out(x[1][None, :1, ::2, ::3])}, exact=True)
    for dims in ((1, 1), (3, 3), (2, 5, 5), (0, 2, 2), (2, 0, 0)):
        m = near(*dims)[1] + 4 * np.roll(np.eye(dims[-1]), 1, 0)
        for kind in ("float", "double"):
            f.case(f"Inverse, {list(dims)}, {kind}", "com.microsoft.Inverse", {"X": (kind, m)},
                   {"Y": (kind, round_to(kind, np.linalg.inv(m)))})
    f.case("Inverse needs rows swapped", "com.microsoft.Inverse", {"X": ("float", np.array([[0, 2], [4, 0]]))},
           {"Y": out([[0, .25], [.5, 0]])}, exact=True)
    ids, words, places, parts = rng.integers(0, 5, (2, 3)), near(5, 4), near(6, 4), near(2, 4)
    kinds, mask = rng.integers(0, 2, (2, 3)), np.array([[1, 1, 0], [1, 0, 0]])
    gamma, beta = near(4), near(4)

    def layer(v):
        mean = v.mean(-1, keepdims=True)
        return (v - mean) / np.sqrt(((v - mean) ** 2).mean(-1, keepdims=True) + 0.001) * gamma[1] + beta[1]

    op = "com.microsoft.EmbedLayerNormalization <epsilon = 0.001>"
    inputs = {"ids": ("int32", ids), "kinds": ("int32", kinds), "words": words, "places": places, "parts": parts,
              "gamma": gamma, "beta": beta}
    total = words[1][ids] + places[1][:3] + parts[1][kinds]
    f.case("EmbedLayerNormalization", op, {**inputs, "mask": ("int32", mask)},
           {"Y": out(layer(total)), "M": ("int32", mask.sum(1)), "S": out(total)})
    order = np.array([[5, 0, 2]])
    total = words[1][ids] + places[1][order]
    f.case("EmbedLayerNormalization with positions, without segments or mask", op,
           {**inputs, "kinds": None, "parts": None, "mask": None, "order": ("int32", order)},
           {"Y": out(layer(total)), "M": ("int32", np.zeros(2))})
    f.case("a word that there is not", op, {**inputs, "ids": ("int32", ids + 5)}, {"Y": out(total), "M": ("int32", mask)},
           fails=("VALUE", "(Gather-13): input 1 has"))


def pools(f):
    """Windows of 2 x 2 with a row and a column of padding at the end."""
    for kind, zero in (("uint8", 128), ("int8", 3)):
        low = -128 if kind == "int8" else 0
        x = rng.integers(low, low + 256, (1, 3, 4, 2))

        def windows(fill, fold):
            padded = np.pad(x.astype(np.float64), ((0, 0), (0, 1), (0, 1), (0, 0)), constant_values=fill)
            return fold(np.stack([padded[:, i:i + 3, k:k + 4] for i in (0, 1) for k in (0, 1)]), axis=0)

        attrs = "kernel_shape = [2, 2], pads = [0, 0, 1, 1]"
        f.case(f"NhwcMaxPool, {kind}", f"com.microsoft.NhwcMaxPool <{attrs}>", {"X": (kind, x)},
               {"Y": (kind, windows(-np.inf, np.max))}, exact=True)
        sums, n = windows(zero, np.sum) - 4 * zero, np.full((3, 4, 1), 4.0)
        n[-1] /= 2
        n[:, -1] /= 2
        for last in (0, 1):
            for pads in (0, 1):
                mean = quantize(sums / (4 if pads else n) / 16, 1 / 8, zero, kind)[1]
                turn = (lambda v: v) if last else (lambda v: v.transpose(0, 3, 1, 2))
                f.case(f"QLinearAveragePool, {kind}, channels_last {last}, count_include_pad {pads}",
                       f"com.microsoft.QLinearAveragePool <{attrs}, channels_last = {last}, count_include_pad = {pads}>",
                       {"X": (kind, turn(x)), "s": scalar("float", 1 / 16), "z": scalar(kind, zero),
                        "t": scalar("float", 1 / 8), "w": scalar(kind, zero)}, {"Y": (kind, turn(mean))}, exact=True)


def attend(q, k, v, heads, bias=0, scale=None, causal=False):
    """Softmax of scores, head by head, of rows [batch, length, heads * size]."""
    split = lambda x: x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)
    q, k, v = map(split, (q, k, v))
    scores = q @ k.swapaxes(-1, -2) * (scale or 1 / np.sqrt(q.shape[-1])) + bias
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape[-2:])) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    y = weights / weights.sum(-1, keepdims=True) @ v
    return y.swapaxes(1, 2).reshape(*y.swapaxes(1, 2).shape[:2], -1)


def attentions(f):
    x, weights, bias = near(2, 3, 4), near(4, 12), near(12)
    mask = np.array([[1, 1, 0], [1, 0, 1]])
    hidden = np.where(mask[:, None, None, :], 0, -10000)
    q, k, v = np.split(x[1] @ weights[1] + bias[1], 3, -1)
    op = "com.microsoft.Attention"
    three = {"X": x, "W": weights, "B": bias}
    f.case("Attention", f"{op} <num_heads = 2>", three, {"Y": out(attend(q, k, v, 2))})
    f.case("Attention with a mask", f"{op} <num_heads = 2>", {**three, "M": ("int32", mask)},
           {"Y": out(attend(q, k, v, 2, hidden))})
    f.case("Attention, unidirectional, its own scale", f"{op} <num_heads = 1, scale = 0.25, unidirectional = 1>", three,
           {"Y": out(attend(q, k, v, 1, scale=0.25, causal=True))})
    sizes = near(4, 10)
    q, k, v = np.split(x[1] @ sizes[1] + bias[1][:10], [4, 8], -1)
    f.case("Attention with sizes of its own", f"{op} <num_heads = 2, qkv_hidden_sizes = [4, 4, 2]>",
           {"X": x, "W": sizes, "B": ("float", bias[1][:10])}, {"Y": out(attend(q, k, v, 2))})
    past = near(2, 2, 2, 1, 2)
    q, k, v = np.split(x[1] @ weights[1] + bias[1], 3, -1)
    k, v = (np.concatenate([p.swapaxes(1, 2).reshape(2, 1, 4), new], 1) for p, new in zip(past[1], (k, v)))
    f.case("Attention with a past", f"{op} <num_heads = 2>", {**three, "M": None, "P": past}, {"Y": out(attend(q, k, v, 2))})
    q, k, v = near(2, 3, 4), near(2, 5, 4), near(2, 5, 4)
    rows, added = near(12), near(1, 2, 3, 5)
    mask = rng.integers(0, 2, (2, 5))
    mask[:, 0] = 1
    hidden = np.where(mask[:, None, None, :], 0, -10000)
    op = "com.microsoft.MultiHeadAttention <num_heads = 2>"
    three = {"Q": q, "K": k, "V": v}
    f.case("MultiHeadAttention", op, three, {"Y": out(attend(q[1], k[1], v[1], 2))})
    parts = np.split(rows[1], 3)
    f.case("MultiHeadAttention with all its inputs", op, {**three, "B": rows, "M": ("int32", mask), "A": added},
           {"Y": out(attend(q[1] + parts[0], k[1] + parts[1], v[1] + parts[2], 2, hidden + added[1]))})
    f.case("MultiHeadAttention with a mask", op, {**three, "B": None, "M": ("int32", mask)},
           {"Y": out(attend(q[1], k[1], v[1], 2, hidden))})
    f.case("MultiHeadAttention with a sum of scores", op, {**three, "B": None, "M": None, "A": added},
           {"Y": out(attend(q[1], k[1], v[1], 2, added[1]))})


def main():
    with Cases("onnxruntime/curves.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        curves(f)
    with Cases("onnxruntime/products.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        convolutions(f)
        products(f)
    with Cases("onnxruntime/layers.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        layers(f)
    with Cases("onnxruntime/quantized.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        quantized(f)
    with Cases("onnxruntime/moves.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        moves(f)
    with Cases("onnxruntime/attention.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        attentions(f)
    with Cases("onnxruntime/pools.onnxtxt", "By tests/oracle/onnxruntime_bodies.py.") as f:
        pools(f)


if __name__ == "__main__":
    main()
