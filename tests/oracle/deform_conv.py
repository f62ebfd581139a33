#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deform_conv.py - text cases of DeformConv, by the definition in NumPy.

    python3 tests/oracle/deform_conv.py

writes tests/cases/deform_conv/*.onnxtxt; where torchvision is there and can express a case, it must
agree. Elements are small multiples of powers of two, so that every sum is exact in every order."""
import itertools
import math

import numpy as np

from conv import geometry, numbers, text
from elements import FLOATS, IEEE, fails, round_to
from text_case import File

try:
    import torch
    import torchvision
except ImportError:
    torch = None


def sample(plane, position):
    """Linear interpolation in a plane of any rank; pixels outside are left out."""
    if any(math.isnan(p) for p in position):
        return math.nan
    total = 0.0
    for corner in itertools.product((0, 1), repeat=plane.ndim):
        weight, index = 1.0, []
        for p, up, size in zip(position, corner, plane.shape):
            low = math.floor(p) if math.isfinite(p) else -9
            index.append(low + up)
            weight *= p - low if up else 1 - (p - low)
            if not 0 <= low + up < size:
                break
        else:
            total += weight * plane[tuple(index)]
    return total


def deform(x, w, offset, b, mask, group=1, offset_group=1, strides=None, dilations=None, pads=None, **_):
    axes, kernel = x.ndim - 2, w.shape[2:]
    stride, dilation, pads = strides or [1] * axes, dilations or [1] * axes, pads or [0] * 2 * axes
    _, _, out = geometry("NOTSET", pads, x.shape[2:], kernel, stride, dilation)
    y = np.zeros((x.shape[0], w.shape[0], *out))
    offset = offset.reshape(x.shape[0], offset_group, *kernel, axes, *out)
    mask = None if mask is None else mask.reshape(x.shape[0], offset_group, *kernel, *out)
    maps, channels = w.shape[0] // group, x.shape[1] // offset_group
    for n, c, p, k in itertools.product(range(x.shape[0]), range(x.shape[1]), np.ndindex(*out), np.ndindex(*kernel)):
        own = (n, c // channels, *k)
        at = [p[a] * stride[a] + k[a] * dilation[a] - pads[a] + offset[(*own, a, *p)] for a in range(axes)]
        value = sample(x[n, c], at) * (1.0 if mask is None else mask[(*own, *p)])
        g = c // w.shape[1]
        for m in range(g * maps, (g + 1) * maps):
            y[(n, m, *p)] += value * w[(m, c % w.shape[1], *k)]
    if b is not None:
        y += b.reshape(-1, *[1] * axes)
    if torch and axes == 2 and x.size and w.size and pads[:2] == pads[2:] and np.isfinite(offset).all():
        theirs = torchvision.ops.deform_conv2d(
            torch.tensor(x), torch.tensor(offset.reshape(x.shape[0], -1, *out)), torch.tensor(w),
            None if b is None else torch.tensor(b), stride, pads[:2], dilation,
            None if mask is None else torch.tensor(mask.reshape(x.shape[0], -1, *out)))
        assert np.array_equal(theirs.numpy(), y, equal_nan=True), "torchvision differs"
    return y


def offsets(shape, start, scale=0.25):
    count = int(np.prod(shape))
    return ((((np.arange(count) * 29 + start) % 23) - 11) * scale).reshape(shape)


CASES = [  # x, w, attributes
    ((1, 1, 3, 3), (1, 1, 2, 2), {}), ((2, 2, 4, 5), (3, 2, 2, 3), {"pads": [1, 1, 1, 1]}),
    ((1, 4, 4, 4), (2, 2, 2, 2), {"group": 2, "offset_group": 4}),
    ((1, 4, 4, 4), (4, 1, 2, 2), {"group": 4, "offset_group": 2, "strides": [2, 1]}),
    ((1, 2, 6, 6), (2, 2, 2, 2), {"dilations": [2, 3], "pads": [2, 0, 2, 0]}),
    ((1, 2, 5, 5), (2, 2, 3, 3), {"pads": [1, 0, 2, 1], "strides": [2, 2]}),
    ((1, 2, 7), (2, 2, 3), {"pads": [1, 1]}), ((1, 1, 3, 3, 2), (2, 1, 2, 1, 2), {}),
    ((1, 2, 2, 2, 2, 3), (1, 2, 1, 2, 1, 2), {"offset_group": 2}), ((1, 1, 1, 1), (1, 1, 1, 1), {}),
    ((0, 1, 3, 3), (1, 1, 2, 2), {}), ((1, 1, 3, 3), (0, 1, 2, 2), {}), ((1, 0, 3, 3), (2, 0, 2, 2), {}),
    ((1, 1, 2, 2), (1, 1, 2, 2), {"kernel_shape": [2, 2]})]
FAR = [  # past the edges of tiles, parts of the kernel and patches
    ((1, 2, 9, 15), (2, 2, 3, 3), {"pads": [1, 1, 1, 1]}), ((1, 3, 6, 6), (2, 3, 5, 5), {"pads": [2, 2, 2, 2]}),
    ((1, 2, 3, 68), (1, 2, 1, 3), {"offset_group": 2}), ((1, 1, 12, 13), (1, 1, 11, 12), {})]


def operands(kind, x, w, attributes, bias, mask, scale=0.25):
    """Inputs by name; where neither is given, inputs B and mask are left out."""
    axes = len(x) - 2
    none = [0] * 2 * axes
    _, _, out = geometry("NOTSET", attributes.get("pads", none), x[2:], w[2:], attributes.get("strides", [1] * axes),
                         attributes.get("dilations", [1] * axes))
    taps = attributes.get("offset_group", 1) * int(np.prod(w[2:]))
    inputs = {"X": (kind, numbers(x, 1)), "W": (kind, numbers(w, 4)),
              "offset": (kind, offsets((x[0], taps * axes, *out), 5, scale))}
    if bias:
        inputs["B"] = (kind, numbers(w[:1], 2))
    if mask:
        inputs["mask"] = (kind, np.abs(offsets((x[0], taps, *out), 3)) / 2)
    return inputs


def node(attributes, inputs):
    names = [n if n in inputs else "" for n in ("X", "W", "offset", "B", "mask")]
    while not names[-1]:
        names.pop()
    return (f"DeformConv <{text(attributes)}>" if attributes else "DeformConv") + f" ({', '.join(names)})"


def add(f, title, since, kind, inputs, attributes):
    value = lambda n: inputs[n][1] if n in inputs else None
    y = deform(value("X"), value("W"), value("offset"), value("B"), value("mask"), **attributes)
    f.add(title, since, node(attributes, inputs), inputs, (kind, round_to(kind, y)))


def values():
    with File("deform_conv/values.onnxtxt", "By tests/oracle/deform_conv.py. Exact.") as f:
        for kind in FLOATS:
            for i, (x, w, attributes) in enumerate(CASES if kind == "float" else CASES[:4]):
                # bfloat16 has 8 bits: half steps keep what the case is about
                inputs = operands(kind, x, w, attributes, i % 2, i % 3 == 1, 0.5 if kind == "bfloat16" else 0.25)
                add(f, f"{kind} {list(x)} by {list(w)}, {text(attributes) or 'no attribute'}", 22, kind, inputs,
                    attributes)
        for kind, (i, (x, w, attributes)) in itertools.product(("float", "double"), enumerate(FAR)):
            add(f, f"{kind} {list(x)} by {list(w)}, {text(attributes) or 'no attribute'}", 22, kind,
                operands(kind, x, w, attributes, True, i % 2, 0.25), attributes)
        x, w = (1, 2) + (1,) * 7 + (32,), (1, 2) + (1,) * 7 + (17,)  # more parts of the kernel than are kept
        inputs = operands("float", x, w, {}, False, False)
        inputs["offset"][1].reshape(17, 8, 16)[:, :7] = 0
        add(f, "8 axes, 17 taps", 22, "float", inputs, {})
        for kind in IEEE:
            add(f, f"{kind} in version 19", 19, kind, operands(kind, (1, 2, 3, 4), (2, 2, 2, 2), {}, True, True), {})
        one = {"X": ("float", np.array([[[[1.0, 2.0], [4.0, 8.0]]]])), "W": ("float", np.ones((1, 1, 1, 1)))}
        for name, far in (("the first pixel's outer half", -0.5), ("-1", -1.0), ("just inside", -0.9375),
                          ("the last pixel's outer half", 1.5), ("past the end", 2.0), ("far", 1e30), ("farther", -1e30),
                          ("infinite", math.inf), ("minus infinity", -math.inf), ("NaN", math.nan)):
            offset = np.zeros((1, 2, 2, 2))
            offset[0, 0, 0, 0] = far
            add(f, f"an offset of {far}: {name}", 22, "float", {**one, "offset": ("float", offset)}, {})
        image = np.array([[[[np.inf, 2.0, np.nan], [4.0, 8.0, 1.0], [3.0, 5.0, 7.0]]]])
        offset = np.zeros((1, 2, 3, 3))
        offset[0, 0, 2, 2], offset[0, 1, 1, 0] = 0.5, -0.5
        with np.errstate(all="ignore"):
            add(f, "pixels that are infinite or NaN", 22, "float",
                {"X": ("float", image), "W": one["W"], "offset": ("float", offset)}, {})
            add(f, "a mask of infinity, NaN and 0", 22, "float",
                {**one, "offset": ("float", np.zeros((1, 2, 2, 2))),
                 "mask": ("float", np.array([[[[np.inf, np.nan], [0.0, -2.0]]]]))}, {})


WRONG = [  # changes to inputs, attributes, part of the message
    ({"offset": (1, 8, 2, 3)}, {}, "input 2 'offset' is [1,8,2,3], expected [1,8,2,2], offset_group * taps of the "
                                   "kernel * axes at each position of Y"),
    ({"offset": (1, 4, 2, 2)}, {}, "input 2 'offset' is [1,4,2,2], expected [1,8,2,2]"),
    ({"offset": (2, 8, 2, 2)}, {}, "input 2 'offset' is [2,8,2,2], expected [1,8,2,2]"),
    ({"offset": (1, 8, 4)}, {}, "input 2 'offset' is [1,8,4], expected [1,8,2,2]"),
    ({"mask": (1, 8, 2, 2)}, {}, "input 4 'mask' is [1,8,2,2], expected [1,4,2,2], offset_group * taps of the kernel "
                                 "at each position of Y"),
    ({"B": (3,)}, {}, "input 3 'B' is [3], expected [2], one for each output channel"),
    ({"W": (2, 3, 2, 2)}, {}, "X is [1,2,3,3] and W [2,3,2,2] with group 1"),
    ({"X": (1, 2)}, {}, "X is [1,2] and W [2,2,2,2], expected one rank of 3 or more"),
    ({"X": (1, 2, 1, 3)}, {}, "the kernel spans 2 on axis 2, but X with its padding has only 1"),
    ({}, {"dilations": [3, 1]}, "the kernel spans 4 on axis 2"), ({}, {"group": 3}, "group 3"),
    ({}, {"kernel_shape": [2, 3]}, "kernel_shape[1] is 3, but axis 3 of W has 2"),
    ({"X": (1, 2, 0, 3), "offset": (1, 8, 1, 2)}, {"pads": [1, 0, 1, 0]}, "input 0 'X' is [1,2,0,3], expected pixels to sample"),
    ({}, {"offset_group": 2}, "input 2 'offset' is [1,8,2,2], expected [1,16,2,2]")]
VALUES = [({"offset_group": 0}, "offset_group is 0, expected a divisor of the 2 channels of X"),
          ({"offset_group": 3}, "offset_group is 3, expected a divisor of the 2 channels of X"),
          ({"offset_group": -1}, "offset_group is -1"), ({"strides": [1]}, "strides has 1 entries, expected 2"),
          ({"strides": [0, 1]}, "strides[0] is 0"), ({"pads": [0, 0, -1, 0]}, "pads[2] is -1"),
          ({"dilations": [1, 0]}, "dilations[1] is 0"), ({"kernel_shape": [2]}, "kernel_shape has 1")]


def wrong():
    with File("deform_conv/wrong.onnxtxt", "By tests/oracle/deform_conv.py.") as f:
        base = operands("float", (1, 2, 3, 3), (2, 2, 2, 2), {}, False, False)
        for changes, attributes, part in WRONG:
            inputs = base | {n: ("float", np.ones(s)) for n, s in changes.items()}
            for declared in (True, False):
                title = f"{ {n: list(s) for n, s in changes.items()} } with {text(attributes) or 'no attribute'}"
                fails(f, title if declared else title + ", as the run finds", 22, node(attributes, inputs), inputs,
                      "SHAPE", part, declared=declared)
        for attributes, part in VALUES:
            fails(f, text(attributes), 22, node(attributes, base), base, "VALUE", part)
        x = (1, 1) + (1,) * 13
        many = operands("float", x, x, {}, False, False)
        fails(f, "13 spatial axes", 22, node({}, many), many, "UNSUPPORTED", "13 spatial axes are too many")
        for since, kind in ((22, "int32"), (19, "bfloat16")):
            fails(f, f"no {kind} in version {since}", since, node({}, base), {n: (kind, np.round(v) + 0.0) for n, (_, v) in base.items()},
                  "TYPE", kind, f"{kind}[] Y")


if __name__ == "__main__":
    values()
    wrong()
