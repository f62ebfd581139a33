#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_spellings.py - more text cases of the operators of functions/onnxruntime, by NumPy in double: WinML's experiments
in ONNX's own domain, and operators of com.microsoft that are spellings of ONNX's.

    python3 tests/oracle/onnxruntime_spellings.py

writes tests/cases/onnxruntime/winml.onnxtxt and others. ort/onnxruntime.js compares them with ONNX Runtime itself."""
import math

import numpy as np

from onnxruntime_bodies import Cases, near, out, quantize, scalar, sigmoid
from text_case import literal

rng = np.random.default_rng(29)
MS = "com.microsoft."
NHWC = "com.ms.internal.nhwc."
erf = np.vectorize(math.erf)


def bytes_(kind, *dims):
    low = -128 if kind == "int8" else 0
    return (kind, rng.integers(low, low + 256, dims))


def ints(*values):
    return ("int64", np.array(values, np.int64))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def refuse(f, title, ports, call, values, code, part, domain="com.microsoft", opset=13):
    """A call that fails. ports: as in ONNX text; values: name -> (type, array)."""
    lines = [f'<ir_version: 10, opset_import: ["" : {opset}, "{domain}" : 1]>', f"g ({ports}) => (y) {{ y = {call} }}"]
    lines += [f"--- {k} = {literal(*v)}" for k, v in values.items()]
    f.cases.append((title, lines + [f'--- fails {code} "{part}"']))


def winml(f):
    x = near(2, 3)
    f.case("Affine", "Affine <alpha = 0.5, beta = -1.25>", {"x": x}, {"y": out(x[1] / 2 - 1.25)}, opset=7)
    f.case("Affine as it is", "Affine", {"x": x}, {"y": x}, opset=7)
    f.case("Affine of doubles", "Affine <alpha = 0.5>", {"x": ("double", x[1])}, {"y": ("double", x[1] / 2)}, opset=7)
    f.case("Scale", "Scale <scale = 3.0>", {"x": x}, {"y": out(3 * x[1])}, opset=7)
    f.case("ScaledTanh", "ScaledTanh <alpha = 2.0, beta = 1.5>", {"x": x}, {"y": out(2 * np.tanh(1.5 * x[1]))}, opset=7)
    refuse(f, "ScaledTanh without beta", "float[1] x", "ScaledTanh <alpha = 2.0> (x)", {"x": near(1)}, "VALUE",
           "attribute 'beta' is missing, expected a number", opset=7)
    far = ("float", np.array([-200, -1, 0, 1, 200]))
    f.case("ParametricSoftplus", "ParametricSoftplus <alpha = 2.0, beta = 1.5>", {"x": far},
           {"y": out(2 * np.logaddexp(0, 1.5 * far[1]))}, opset=7)
    f.case("ThresholdedRelu", "ThresholdedRelu <alpha = 0.25>", {"x": x}, {"y": out(np.where(x[1] > 0.25, x[1], 0))}, opset=7)
    picture, bias = near(2, 3, 2, 2), (0.5, -1.0, 2.0)
    f.case("ImageScaler", f"ImageScaler <scale = 0.5, bias = [{', '.join(map(str, bias))}]>", {"x": picture},
           {"y": out(picture[1] / 2 + np.array(bias)[:, None, None])}, opset=7)
    f.case("ImageScaler without a bias", "ImageScaler <scale = 0.5>", {"x": picture}, {"y": out(picture[1] / 2)}, opset=7)
    refuse(f, "ImageScaler, a bias of another size", "float[1,3,1,1] x", "ImageScaler <bias = [1.0]> (x)",
           {"x": near(1, 3, 1, 1)}, "SHAPE", "does not fit into", opset=7)
    refuse(f, "ImageScaler of no picture", "float[1,3] x", "ImageScaler <bias = [1.0, 1.0, 1.0]> (x)", {"x": near(1, 3)},
           "VALUE", "split has 1 at [2]", opset=7)
    whole = near(1, 2, 4, 5)
    f.case("Crop, borders", "Crop <border = [1, 2, 3, 1]>", {"x": whole}, {"y": out(whole[1][:, :, 2:3, 1:2])}, opset=7)
    f.case("Crop, a size", "Crop <border = [1, 2, 0, 0], scale = [2, 3]>", {"x": whole},
           {"y": out(whole[1][:, :, 2:4, 1:4])}, opset=7)
    f.case("Crop, nothing is left", "Crop <border = [2, 0, 3, 0]>", {"x": whole}, {"y": out(whole[1][:, :, :, 2:2])}, opset=7)
    for title, values, part in (
            ("more than there is", "border = [3, 0, 3, 0]", "'border' takes 3 and 3 off axis 3, expected 0 to 5 in all"),
            ("less than nothing", "border = [0, -1, 0, 0]", "'border' takes -1 and 0 off axis 2"),
            ("a larger size", "border = [0, 1, 0, 0], scale = [4, 1]", "'scale' takes 4 from 1 on along axis 2, expected 0 to 3"),
            ("three borders", "border = [0, 0, 0]", "'border' has 3 numbers"),
            ("one size", "border = [0, 0, 0, 0], scale = [1]", "'scale' has 1 numbers")):
        refuse(f, f"Crop, {title}", "float[1,2,4,5] x", f"Crop <{values}> (x)", {"x": whole}, "VALUE", part, opset=7)
    f.case("DynamicSlice", "DynamicSlice", {"x": x, "starts": ints(-2, 0), "ends": ints(2, 9), "axes": ints(1, 0)},
           {"y": out(x[1][:, 1:2])}, opset=7)
    v = near(2, 2, 2, 3)
    for across, normal in ((0, 0), (0, 1), (1, 0), (1, 1)):
        axes = (0, 1, 2, 3) if across else (0, 2, 3)
        rest = v[1] - v[1].mean(axes, keepdims=True)
        f.case(f"MeanVarianceNormalization, across_channels {across}, normalize_variance {normal}",
               f"MeanVarianceNormalization <across_channels = {across}, normalize_variance = {normal}>", {"x": v},
               {"y": out(rest / np.sqrt((rest ** 2).mean(axes, keepdims=True)) if normal else rest)}, opset=7)


def real(q, scale, zero):
    return (q[1].astype(np.float64) - zero) * scale


def quantized(f):
    for kind, zeros in (("uint8", (128, 120, 3)), ("int8", (0, -7, 5))):
        a, b = bytes_(kind, 2, 3), bytes_(kind, 2, 3)
        s, t, u = 0.0625, 0.125, 0.25
        z, w, v = zeros
        ports = {"a": a, "s": scalar("float", s), "z": scalar(kind, z), "b": b, "t": scalar("float", t), "w": scalar(kind, w),
                 "u": scalar("float", u), "v": scalar(kind, v)}
        which = ("bool", np.array([[1, 0, 1]]))
        f.case(f"QLinearWhere, {kind}", MS + "QLinearWhere", {"c": which, **ports},
               {"y": quantize(np.where(which[1], real(a, s, z), real(b, t, w)), u, v, kind)}, exact=True)
        both = {"u": ports["u"], "v": ports["v"], "a": a, "s": ports["s"], "z": ports["z"], "b": b, "t": ports["t"],
                "w": ports["w"]}
        together = np.concatenate([real(a, s, z), real(b, t, w)], 1)
        f.case(f"QLinearConcat, {kind}", MS + "QLinearConcat <axis = 1>", both,
               {"y": quantize(together, u, v, kind)}, exact=True)
        one = {k: both[k] for k in ("u", "v", "a", "s")}
        f.case(f"QLinearConcat of one without a zero point, {kind}", MS + "QLinearConcat <axis = -1>", one,
               {"y": quantize(real(a, s, 0), u, v, kind)}, exact=True)
        for opset, axis, over in ((12, 1, (1, 2)), (12, None, (1, 2)), (13, 1, (1,)), (13, None, (2,))):
            words = f"opset = {opset}" + (f", axis = {axis}" if axis else "")
            x = bytes_(kind, 2, 3, 2)
            f.case(f"QLinearSoftmax, {kind}, {words}", f"{MS}QLinearSoftmax <{words}>",
                   {"x": x, "s": scalar("float", 1 / 64), "z": scalar(kind, z), "t": scalar("float", 1 / 256),
                    "w": scalar(kind, v)}, {"y": quantize(softmax(real(x, 1 / 64, z), over), 1 / 256, v, kind)},
                   exact=True)
        x, k = bytes_(kind, 1, 2, 3, 3), bytes_(kind, 2, 2, 2, 2)
        sums = np.zeros((1, 2, 2, 2))
        bias = ("int32", np.array([1000, -2000]))
        for i, j in np.ndindex(2, 2):
            part = x[1][:, :, i:i + 2, j:j + 2].astype(np.int64) - z
            sums += np.einsum("nchw,mc->nmhw", part, k[1][:, :, i, j].astype(np.int64) - w)
        sums += bias[1][:, None, None]
        result = quantize(sums / 64, 2.0, v, kind)[1]
        rest = {"s": scalar("float", 0.125), "z": scalar(kind, z), "k": k, "t": scalar("float", 0.125), "w": scalar(kind, w),
                "u": scalar("float", 2.0), "v": scalar(kind, v), "bias": bias}
        f.case(f"QLinearConv, {kind}", MS + "QLinearConv", {"x": x, **rest}, {"y": (kind, result)}, exact=True)
        f.case(f"QLinearConv, {kind}, channels last", MS + "QLinearConv <channels_last = 1>",
               {"x": (kind, x[1].transpose(0, 2, 3, 1)), **rest}, {"y": (kind, result.transpose(0, 2, 3, 1))}, exact=True)
    a, one = bytes_("uint8", 2, 3), {"s": ("float", [0.5]), "z": ("uint8", [3])}
    same = quantize(real(a, 0.5, 3), 0.25, 9, "uint8")
    end = {"u": ("float", [0.25]), "v": ("uint8", [9])}
    f.case("QLinearConcat, scales [1]", MS + "QLinearConcat <axis = 1>", {**end, "a": a, **one}, {"y": same}, exact=True)
    f.case("QLinearWhere, scales [1]", MS + "QLinearWhere",
           {"c": ("bool", np.array(1)), "a": a, **one, "b": a, "t": one["s"], "w": one["z"], **end}, {"y": same}, exact=True)
    refuse(f, "QLinearConcat, a scale for each column", "float[] u, uint8[] v, uint8[2,3] a, float[3] s, uint8[] z",
           MS + "QLinearConcat <axis = 1> (u, v, a, s, z)",
           {"u": scalar("float", 1), "v": scalar("uint8", 0), "a": a, "s": near(3), "z": scalar("uint8", 0)}, "SHAPE",
           "does not fit into []")
    refuse(f, "QLinearConcat of a part of a tensor", "float[] u, uint8[] v, uint8[1] a, float[] s, uint8[] z, uint8[1] b",
           MS + "QLinearConcat <axis = 0> (u, v, a, s, z, b)", {}, "MODEL", "6 inputs, expected a scale, a zero point, and three")
    refuse(f, "QLinearConcat of nothing", "float[] u, uint8[] v", MS + "QLinearConcat <axis = 0> (u, v)", {}, "MODEL",
           "2 inputs, expected a scale, a zero point, and three for each tensor")


def crop_and_resize(x, boxes, batch, size, nearest, fill):
    h, w = x.shape[2:]
    y = np.empty((len(boxes), x.shape[1], *size))
    for k, (y1, x1, y2, x2) in enumerate(boxes):
        for i, j in np.ndindex(*size):
            v = y1 * (h - 1) + i * (y2 - y1) * (h - 1) / (size[0] - 1) if size[0] > 1 else (y1 + y2) / 2 * (h - 1)
            u = x1 * (w - 1) + j * (x2 - x1) * (w - 1) / (size[1] - 1) if size[1] > 1 else (x1 + x2) / 2 * (w - 1)
            picture = x[batch[k]]
            if not (0 <= v <= h - 1 and 0 <= u <= w - 1):
                y[k, :, i, j] = fill
            elif nearest:
                y[k, :, i, j] = picture[:, int(v + 0.5), int(u + 0.5)]
            else:
                t, l, dv, du = int(v), int(u), v - int(v), u - int(u)
                b, r = min(t + 1, h - 1), min(l + 1, w - 1)
                y[k, :, i, j] = ((picture[:, t, l] * (1 - du) + picture[:, t, r] * du) * (1 - dv)
                                 + (picture[:, b, l] * (1 - du) + picture[:, b, r] * du) * dv)
    return y


def moves(f):
    x = near(2, 3)
    for title, mode, pads, kind in (("constant", "", [0, 1, 1, 0], "constant"), ("reflect", ' <mode = "reflect">', [0, 1, 1, 2], "reflect"),
                                    ("edge", ' <mode = "edge">', [1, 0, 0, 2], "edge")):
        box = ((pads[0], pads[2]), (pads[1], pads[3]))
        want = np.pad(x[1], box, kind, **({"constant_values": 2.5} if kind == "constant" else {}))
        inputs = {"x": x, "p": ("int64", np.array([pads]))}
        if kind == "constant":
            inputs["v"] = ("float", np.array([2.5]))
        f.case(f"Pad, {title}, pads [1,4]", MS + "Pad" + mode, inputs, {"y": out(want)}, exact=True)
    f.case("Pad, pads [4] and zeros", MS + "Pad", {"x": x, "p": ints(0, 1, 0, 0)}, {"y": out(np.pad(x[1], ((0, 0), (1, 0))))},
           exact=True)
    f.case("Range", MS + "Range", {"a": ints(3), "b": ints(-4), "d": ints(-2)}, {"y": ints(3, 1, -1, -3)}, exact=True)
    f.case("Range without a delta", MS + "Range", {"a": scalar("float", 0.5), "b": scalar("float", 3)},
           {"y": ("float", [0.5, 1.5, 2.5])}, exact=True)
    f.case("Range of int16", MS + "Range", {"a": scalar("int16", 1), "b": scalar("int16", 4), "d": scalar("int16", 2)},
           {"y": ("int16", [1, 3])}, exact=True)
    f.case("GatherND, int32 indices", MS + "GatherND", {"x": x, "i": ("int32", np.array([[1, 2], [0, -3]]))},
           {"y": ("float", [x[1][1, 2], x[1][0, 0]])}, exact=True)
    f.case("Unique", MS + "Unique", {"x": ("float", [3, 1, 3, -2, 1, 3])},
           {"y": ("float", [3, 1, -2]), "idx": ints(0, 1, 0, 2, 1, 0), "counts": ints(3, 2, 1)}, exact=True)
    refuse(f, "Unique of a matrix", "float[2,2] x", MS + "Unique (x)", {"x": near(2, 2)}, "SHAPE", "split covers 1 of the axis' 2")
    picture = near(2, 2, 4, 5)
    boxes = np.array([[0, 0, 1, 1], [0.25, -0.25, 0.75, 0.5], [1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4]])
    batch = ("int32", np.array([1, 0, 0, 1]))
    for mode in ("bilinear", "nearest"):
        for size in ((3, 4), (1, 2)):
            want = crop_and_resize(picture[1], boxes.astype(np.float32).astype(np.float64), batch[1], size, mode == "nearest", 7)
            f.case(f"CropAndResize, {mode}, {size[0]} x {size[1]}",
                   f'{MS}CropAndResize <mode = "{mode}", extrapolation_value = 7.0>',
                   {"x": picture, "boxes": ("float", boxes), "batch": batch, "size": ("int32", np.array(size))},
                   {"y": out(want)})
    refuse(f, "CropAndResize, a picture below 0", "float[2,1,1,1] x, float[1,4] r, int32[1] b, int32[2] s",
           MS + "CropAndResize (x, r, b, s)",
           {"x": near(2, 1, 1, 1), "r": near(1, 4), "b": ("int32", [-1]), "s": ("int32", [1, 1])}, "VALUE",
           "input 1 has 2 at [0], expected a value in [-2, 1]")
    refuse(f, "CropAndResize, another mode", "float[1,1,1,1] x, float[1,4] r, int32[1] b, int32[2] s",
           MS + 'CropAndResize <mode = "cubic"> (x, r, b, s)', {}, "VALUE", "'mode' is 'cubic', expected bilinear or nearest")


def packed(x, bits):
    """Elements of `bits` bits in bytes along the last axis, the low ones first."""
    per = 8 // bits
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -x.shape[-1] % per)]).reshape(*x.shape[:-1], -1, per)
    return ("uint8", (x << (bits * np.arange(per))).sum(-1))


def gathered(f):
    op = MS + "GatherBlockQuantized"
    index = ("int64", np.array([[1, 0, -1]]))
    for bits in (2, 4, 8):
        x = rng.integers(0, 2 ** bits, (3, 48))
        scale = near(3, 3)
        zero = rng.integers(0, 2 ** bits, (3, 3))
        for title, zeros in (("", zero), (", no zero points", None)):
            gap = x - np.repeat(zeros if zeros is not None else np.full((3, 3), 2 ** (bits - 1)), 16, 1)
            f.case(f"GatherBlockQuantized, {bits} bits in bytes{title}", f"{op} <bits = {bits}, block_size = 16>",
                   {"x": packed(x, bits), "i": index, "s": scale, "z": packed(zeros, bits) if zeros is not None else None},
                   {"y": out((gap * np.repeat(scale[1], 16, 1))[index[1]])})
    for kind, low in (("int4", -8), ("uint4", 0)):
        x, scale, zero = (rng.integers(low, low + 16, (20, 2, 3)), near(2, 2, 3), rng.integers(low, low + 16, (2, 2, 3)))
        want = (x - np.repeat(zero, 16, 0)[:20]) * np.repeat(scale[1], 16, 0)[:20]
        words = f"{op} <block_size = 16, gather_axis = 2, quantize_axis = 0>"
        f.case(f"GatherBlockQuantized, {kind}, blocks of the first axis", words,
               {"x": (kind, x), "i": index, "s": scale, "z": (kind, zero)}, {"y": out(want[:, :, index[1]])}, opset=21)
        f.case(f"GatherBlockQuantized, {kind}, no zero points", words, {"x": (kind, x), "i": index, "s": scale},
               {"y": out((x * np.repeat(scale[1], 16, 0)[:20])[:, :, index[1]])}, opset=21)
    ports, given = "uint8[2,8] x, int64[1] i, float[2,1] s", {"x": bytes_("uint8", 2, 8), "i": ints(0), "s": near(2, 1)}
    for title, words, code, part in (
            ("a block of 24", "block_size = 24", "VALUE", "'block_size' is 24, expected a power of 2 from 16 to 4096"),
            ("3 bits", "block_size = 16, bits = 3", "VALUE", "'bits' is 3, expected 2, 4 or 8"),
            ("bytes along another axis", "block_size = 16, gather_axis = 1", "SHAPE", "does not fit into"),
            ("blocks along another axis", "block_size = 16, quantize_axis = 0", "SHAPE", "does not fit into")):
        refuse(f, f"GatherBlockQuantized, {title}", ports, f"{op} <{words}> (x, i, s)", given, code, part)
    refuse(f, "GatherBlockQuantized of int8", "int8[2,16] x, int64[1] i, float[2,1] s", f"{op} <block_size = 16> (x, i, s)", {},
           "VALUE", "input 0 is of another type, expected int4, uint4 or uint8")


def gelu(x):
    return x * (1 + erf(x / np.sqrt(2))) / 2


def fused(f):
    x, bias = near(2, 2, 2, 3), near(2, 2, 1, 3)
    f.case("BiasSoftmax, a bias row for rows that follow each other", MS + "BiasSoftmax <axis = 3, is_inner_broadcast = 1>",
           {"x": x, "b": bias}, {"y": out(softmax(x[1] + bias[1], 3))})
    one = near(1, 1, 2, 3)
    f.case("BiasSoftmax, bias rows that repeat", MS + "BiasSoftmax <axis = 3, is_inner_broadcast = 0>",
           {"x": x, "b": one}, {"y": out(softmax(x[1] + one[1], 3))})
    f.case("BiasSoftmax over two axes", MS + "BiasSoftmax <axis = -2, is_inner_broadcast = 0>",
           {"x": x, "b": one}, {"y": out(softmax((x[1] + one[1]).reshape(2, 2, 6), 2).reshape(2, 2, 2, 3))})
    refuse(f, "BiasSoftmax, a bias that does not divide the rows", "float[4,3] x, float[3,3] b",
           MS + "BiasSoftmax <axis = 1, is_inner_broadcast = 0> (x, b)", {"x": near(4, 3), "b": near(3, 3)}, "SHAPE",
           "does not fit into")
    a, b, c = near(2, 3, 4), near(4), near(2, 3, 4)
    f.case("BiasAdd", MS + "BiasAdd", {"x": a, "b": b, "s": c}, {"y": out(a[1] + b[1] + c[1])})
    refuse(f, "BiasAdd, one bias for all", "float[2,3,4] x, float[1] b, float[2,3,4] s", MS + "BiasAdd (x, b, s)",
           {"x": a, "b": near(1), "s": c}, "SHAPE",
           "input 1 'B' is [1], expected [C], C = 4")
    h = a[1] + b[1]
    f.case("BiasSplitGelu", MS + "BiasSplitGelu", {"x": a, "b": b}, {"y": out(h[..., :2] * gelu(h[..., 2:]))})
    p, q = near(3, 2), near(1, 2)
    z, w = p[1] @ [1, 1j], q[1] @ [1, 1j]
    for name, product in (("ComplexMul", z * w), ("ComplexMulConj", z * w.conj())):
        f.case(name, MS + name, {"a": p, "b": q}, {"y": out(np.stack([product.real, product.imag], -1))})
    left, right = rng.integers(-32768, 32768, (2, 3)), rng.integers(-32768, 32768, (3, 2))
    f.case("MatMulInteger16", MS + "MatMulInteger16", {"a": ("int16", left), "b": ("int16", right)},
           {"y": ("int32", (left @ right).astype(np.int32))}, exact=True)
    f.case("MatMulInteger16, uint16", MS + "MatMulInteger16", {"a": ("uint16", left % 65536), "b": ("uint16", right % 65536)},
           {"y": ("uint32", ((left % 65536) @ (right % 65536)).astype(np.uint32))}, exact=True)
    refuse(f, "MatMulInteger16, signed and unsigned", "int16[1,1] a, uint16[1,1] b", MS + "MatMulInteger16 (a, b)", {}, "VALUE",
           "one operand is signed, expected both or none")
    m, n = near(3, 4), near(2, 4)
    far = ((m[1][:, None] - n[1]) ** 2).sum(2)
    f.case("CDist", MS + "CDist", {"a": m, "b": n}, {"y": out(far)})
    f.case("CDist, euclidean", MS + 'CDist <metric = "euclidean">', {"a": m, "b": n}, {"y": out(np.sqrt(far))})
    refuse(f, "CDist, another metric", "float[1,1] a, float[1,1] b", MS + 'CDist <metric = "cosine"> (a, b)', {}, "VALUE",
           "'metric' is 'cosine', expected euclidean or sqeuclidean")
    image, g, s = near(2, 2, 3, 4), near(4), near(4)

    def normal(v):
        groups = v.reshape(2, 6, 2, 2)
        v = (groups - groups.mean((1, 3), keepdims=True)) / np.sqrt(groups.var((1, 3), keepdims=True) + 1e-3)
        return v.reshape(2, 2, 3, 4) * g[1] + s[1]

    for activation in (0, 1):
        y = normal(image[1])
        y = y * sigmoid(y) if activation else y
        words = f"groups = 2, epsilon = 0.001, activation = {activation}"
        f.case(f"GroupNorm, activation {activation}", f"{MS}GroupNorm <{words}>", {"x": image, "g": g, "s": s}, {"y": out(y)})
        f.case(f"GroupNorm, channels first, activation {activation}", f"{MS}GroupNorm <{words}, channels_last = 0>",
               {"x": ("float", image[1].transpose(0, 3, 1, 2)), "g": g, "s": s}, {"y": out(y.transpose(0, 3, 1, 2))})
    for title, skip in (("as X", near(2, 2, 3, 4)), ("[N,C]", near(2, 4)), ("[N,1,1,C]", near(2, 1, 1, 4))):
        more = near(4)
        total = image[1] + (skip[1][:, None, None] if skip[1].ndim == 2 else skip[1]) + more[1]
        f.case(f"SkipGroupNorm, skip {title}", MS + "SkipGroupNorm <groups = 2, epsilon = 0.001, activation = 0>",
               {"x": image, "g": g, "s": s, "k": skip, "b": more}, {"y": out(normal(total)), "sum": out(total)})
    refuse(f, "SkipGroupNorm, another skip", "float[2,2,3,4] x, float[4] g, float[4] b, float[4] k",
           MS + "SkipGroupNorm <groups = 2, activation = 0> (x, g, b, k)",
           {"x": image, "g": g, "b": s, "k": near(4)}, "SHAPE",
           "is [4], expected [N,H,W,C]|[N,1,1,C]|[N,C]")


def last(x):
    return (x[0], np.moveaxis(x[1], 1, -1))


def channels_last(f):
    x, w, b = near(1, 2, 3, 4), near(3, 2, 2, 2), near(3)
    y = np.zeros((1, 3, 2, 3))
    for i, j in np.ndindex(2, 2):
        y += np.einsum("nchw,mc->nmhw", x[1][:, :, i:i + 2, j:j + 3], w[1][:, :, i, j])
    y += b[1][:, None, None]
    f.case("NhwcConv", MS + "NhwcConv", {"x": last(x), "w": last(w), "b": b}, {"y": last(out(y))})
    f.case("NhwcFusedConv", MS + 'NhwcFusedConv <activation = "Relu">', {"x": last(x), "w": w, "b": b},
           {"y": last(out(np.maximum(y, 0)))})
    more = near(1, 3, 2, 3)
    f.case("NhwcFusedConv, a sum", MS + "NhwcFusedConv", {"x": last(x), "w": w, "b": b, "z": last(more)},
           {"y": last(out(y + more[1]))})
    windows = np.lib.stride_tricks.sliding_window_view(x[1], (2, 2), (2, 3))
    for name, value in (("MaxPool", windows.max((4, 5))), ("AveragePool", windows.mean((4, 5)))):
        f.case(f"{name}, channels last", f"{NHWC}{name} <kernel_shape = [2, 2]>", {"x": last(x)}, {"y": last(out(value))})
    f.case("GlobalAveragePool, channels last", NHWC + "GlobalAveragePool", {"x": last(x)},
           {"y": last(out(x[1].mean((2, 3), keepdims=True)))})
    for _, lines in f.cases:
        if NHWC in lines[1]:
            lines[0] = lines[0].replace("com.microsoft", NHWC.rstrip("."))


def main():
    for name, make in (("winml", winml), ("quantized_more", quantized), ("moves_more", moves), ("fused", fused), ("gathered", gathered),
                       ("channels_last", channels_last)):
        with Cases(f"onnxruntime/{name}.onnxtxt", "By tests/oracle/onnxruntime_spellings.py.") as f:
            make(f)


if __name__ == "__main__":
    main()
