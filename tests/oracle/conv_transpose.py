#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""conv_transpose.py - text cases of ConvTranspose, by the definition in NumPy.

    python3 tests/oracle/conv_transpose.py

writes tests/cases/conv_transpose/{values,groups,wrong}.onnxtxt: every pixel adds a kernel to a large canvas, from which
the output is cut. Where PyTorch can express a case, it must agree. Elements are small whole numbers,
or halves of them, so that every sum is exact in every order."""
import itertools

import numpy as np

from conv import numbers, text
from elements import FLOATS, IEEE, fails, round_to
from text_case import File

try:
    import torch
except ImportError:
    torch = None


def geometry(size, kernel, stride, dilation, more, pads, auto_pad, output_shape):
    """Padding in front, and the length of the result, of each axis."""
    front, out = [], []
    for a, n in enumerate(size):
        full = stride[a] * (n - 1) + more[a] + (kernel[a] - 1) * dilation[a] + 1
        if output_shape or auto_pad.startswith("SAME"):
            length = output_shape[a] if output_shape else n * stride[a]
            total = max(0, full - length)
            small, large = total // 2, total - total // 2
            front.append(small if auto_pad == "SAME_UPPER" else large)
        else:
            both = (0, 0) if auto_pad == "VALID" else (pads[a], pads[a + len(size)])
            front.append(both[0])
            length = full - sum(both)
        out.append(length)
    return front, out


def transposed(x, w, b, group=1, strides=None, dilations=None, pads=None, auto_pad="NOTSET", output_padding=None,
               output_shape=None, **_):
    axes = x.ndim - 2
    stride, dilation, more = strides or [1] * axes, dilations or [1] * axes, output_padding or [0] * axes
    front, out = geometry(x.shape[2:], w.shape[2:], stride, dilation, more, pads or [0] * 2 * axes, auto_pad,
                          output_shape)
    channels, maps = x.shape[1] // group, w.shape[1]
    canvas = np.zeros((x.shape[0], maps * group, *(
        max(0, s * (n - 1)) + d * k + 1 + f + o for s, n, d, k, f, o in
        zip(stride, x.shape[2:], dilation, w.shape[2:], front, out))))
    for p, k in itertools.product(np.ndindex(*x.shape[2:]), np.ndindex(*w.shape[2:])):
        at = tuple(i * s + j * d for i, s, j, d in zip(p, stride, k, dilation))
        for g in range(group):
            these = slice(g * channels, (g + 1) * channels)
            canvas[(slice(None), slice(g * maps, (g + 1) * maps), *at)] += \
                x[(slice(None), these, *p)] @ w[(these, slice(None), *k)]
    y = canvas[(slice(None), slice(None), *(slice(f, f + o) for f, o in zip(front, out)))]
    if b is not None:
        y = y + b.reshape(-1, *[1] * axes)
    same_pads = (pads or [0] * 2 * axes)[:axes] == (pads or [0] * 2 * axes)[axes:]
    if torch and axes <= 3 and x.size and w.size and same_pads and auto_pad == "NOTSET" and not output_shape and \
            all(m < max(s, d) for m, s, d in zip(more, stride, dilation)):
        function = [torch.conv_transpose1d, torch.conv_transpose2d, torch.conv_transpose3d][axes - 1]
        theirs = function(torch.tensor(x), torch.tensor(w), None if b is None else torch.tensor(b), stride,
                          front, more, group, dilation)
        assert np.array_equal(theirs.numpy(), y), "PyTorch differs"
    return y


CASES = [  # x, w, attributes
    ((1, 1, 3), (1, 1, 2), {}), ((2, 3, 4), (3, 2, 3), {"strides": [2], "pads": [1, 0]}),
    ((1, 1, 3, 3), (1, 2, 3, 3), {}), ((1, 2, 3, 3), (2, 1, 2, 2), {"strides": [2, 2]}),
    ((1, 2, 3, 4), (2, 3, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}),
    ((2, 4, 3, 3), (4, 2, 3, 2), {"group": 2, "strides": [2, 3], "dilations": [2, 2], "pads": [1, 0, 2, 1]}),
    ((1, 3, 4, 4), (3, 1, 4, 4), {"group": 3, "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    ((1, 2, 3, 3), (2, 1, 2, 3), {"dilations": [3, 2], "strides": [3, 2]}),
    ((1, 2, 3, 3), (2, 1, 1, 2), {"strides": [3, 5]}),
    ((1, 2, 2, 3), (2, 2, 3, 5), {"strides": [3, 5]}),
    ((1, 1, 3, 3), (1, 1, 3, 3), {"output_padding": [2, 3]}), ((1, 1, 4, 4), (1, 1, 3, 3), {"pads": [2, 3, 4, 0]}),
    ((1, 2, 2, 2, 3), (2, 2, 2, 3, 2), {"strides": [2, 1, 3], "pads": [1, 0, 0, 1, 0, 1]}),
    ((1, 2, 2, 1, 2, 2), (2, 1, 1, 2, 2, 3), {"strides": [1, 2, 2, 1], "dilations": [1, 1, 3, 2]}),
    ((1, 1, 2, 2), (1, 1, 3, 3), {"kernel_shape": [3, 3], "strides": [4, 2], "dilations": [2, 4]}),
    ((1, 6, 3), (6, 1, 4), {"group": 2, "strides": [6], "dilations": [4]}),
    ((1, 4, 1, 70), (4, 3, 1, 5), {"strides": [1, 2], "group": 2}),
    ((0, 2, 3), (2, 1, 2), {}), ((1, 0, 3), (0, 2, 2), {"strides": [2]}), ((1, 2, 3), (2, 0, 2), {}),
    ((1, 2, 0), (2, 2, 5), {"strides": [2]}), ((1, 1, 2), (1, 1, 2), {"pads": [1, 2]}),
    ((1, 1, 1), (1, 1, 1), {"strides": [100], "output_padding": [9]})]
SIZED = [  # x, w, attributes
    ((1, 1, 3, 3), (1, 2, 3, 3), {"strides": [3, 2], "output_shape": [10, 8], "output_padding": [1, 1]}),
    ((1, 2, 4), (2, 1, 4), {"strides": [2], "output_shape": [7]}),
    ((1, 2, 4), (2, 1, 4), {"strides": [2], "output_shape": [13]}),
    ((1, 2, 4), (2, 1, 5), {"strides": [3], "output_shape": [2], "pads": [1, 1]}),
    ((1, 1, 3, 3), (1, 1, 4, 2), {"strides": [2, 2], "output_shape": [5, 6]})]
SAME = [((1, 1, 3, 3), (1, 1, 3, 3), [2, 2], [1, 1]), ((1, 2, 4, 3), (2, 1, 2, 5), [1, 2], [2, 1]),
        ((1, 1, 3), (1, 1, 1), [3], [1]), ((1, 1, 3, 2), (1, 1, 4, 2), [1, 3], [1, 1])]


def node(attributes, inputs):
    return (f"ConvTranspose <{text(attributes)}>" if attributes else "ConvTranspose") + f" ({', '.join(inputs)})"


def operands(kind, x, w, attributes, bias):
    inputs = {"X": (kind, numbers(x, 1)), "W": (kind, numbers(w, 4))}
    return inputs | ({"B": (kind, numbers((w[1] * attributes.get("group", 1),), 2))} if bias else {})


def values():
    with File("conv_transpose/values.onnxtxt", "By tests/oracle/conv_transpose.py. Exact.") as f:
        def add(title, since, kind, x, w, bias, attributes):
            inputs = operands(kind, x, w, attributes, bias)
            y = transposed(inputs["X"][1], inputs["W"][1], inputs["B"][1] if bias else None, **attributes)
            f.add(title, since, node(attributes, inputs), inputs, (kind, round_to(kind, y)))

        for kind in FLOATS:
            for i, (x, w, attributes) in enumerate(CASES if kind in ("float", "double") else CASES[:8]):
                for bias in ((False, True) if kind == "float" else (i % 2 == 1,)):
                    add(f"{kind} {list(x)} by {list(w)}, {text(attributes) or 'no attribute'}{', bias' * bias}", 22, kind,
                        x, w, bias, attributes)
        for (x, w, attributes), mode in itertools.product(SIZED, ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")):
            attributes = {**attributes, "auto_pad": mode}
            add(f"{list(x)} by {list(w)}, {text(attributes)}", 11, "float", x, w, True, attributes)
        for (x, w, strides, dilations), mode in itertools.product(SAME, ("SAME_UPPER", "SAME_LOWER", "VALID")):
            attributes = {"auto_pad": mode, "strides": strides, "dilations": dilations}
            add(f"{list(x)} by {list(w)}, {text(attributes)}", 11, "float", x, w, False, attributes)
        add("auto_pad with output_padding", 11, "float", (1, 1, 3), (1, 1, 4), False,
            {"auto_pad": "SAME_UPPER", "strides": [2], "output_padding": [1]})
        inputs = operands("float", (1, 1, 3), (1, 1, 4), {}, False)
        same = {"auto_pad": "SAME_UPPER", "strides": [2]}
        f.add("auto_pad and pads", 11, node({**same, "pads": [2, 2]}, inputs), inputs,
              ("float", transposed(inputs["X"][1], inputs["W"][1], None, **same)),
              ['remark "(ConvTranspose-11): auto_pad and pads are both given"'])
        for since, kind in itertools.product((11, 1), IEEE):
            add(f"{kind} in version {since}", since, kind, (1, 2, 3, 3), (2, 2, 2, 2), True, {"strides": [2, 1]})
        for kind, most in (("float16", 2048.0), ("bfloat16", 256.0)):
            f.add(f"{kind} is summed in float", 22, "ConvTranspose (X, W, B)",
                  {"X": (kind, np.array([[[most], [1.0], [1.0]]])), "W": (kind, np.ones((3, 1, 1))),
                   "B": (kind, np.array([2.0]))}, (kind, np.array([[[most + 4]]])))


def groups():
    """Groups whose channels, in and out, share blocks of 16 in every way; strides that leave places of Y to other taps."""
    with File("conv_transpose/groups.onnxtxt", "By tests/oracle/conv_transpose.py. Exact.") as f:
        def add(kind, group, channels, maps, size, kernel, attributes):
            attributes = {"group": group, **attributes}
            inputs = operands(kind, (1, group * channels, *size), (group * channels, maps, *kernel), attributes, True)
            y = transposed(*(v for _, v in inputs.values()), **attributes)
            f.add(f"{kind}, {group} groups of {channels} channels to {maps}, {text(attributes)}", 22,
                  node(attributes, inputs), inputs, (kind, round_to(kind, y)))

        for channels, stride in itertools.product((1, 2, 4, 8), (1, 2, 3)):
            add("float", 2, channels, channels, (3,), (4,), {"strides": [stride], "pads": [2, 1]})
        for strides in ([2, 1], [1, 3], [2, 2]):
            add("float", 2, 8, 8, (2, 3), (2, 3), {"strides": strides, "pads": [0, 1, 1, 0]})
        for channels, maps, group in ((8, 8, 3), (4, 8, 2), (8, 16, 2), (16, 8, 2), (3, 12, 2)):
            add("float", group, channels, maps, (4,), (3,), {"strides": [2]})
        for kind in ("float16", "bfloat16", "double"):
            add(kind, 2, 8, 8, (3,), (3,), {"strides": [2], "output_padding": [1]})


WRONG = [  # x, w, b, attributes, part of the message
    ((1, 1), (1, 1), None, {}, "X is [1,1] and W [1,1], expected one rank of 3 or more"),
    ((1, 1, 3), (1, 1, 3, 3), None, {}, "X is [1,1,3] and W [1,1,3,3], expected one rank of 3 or more"),
    ((1, 2, 3), (3, 2, 2), None, {}, "X is [1,2,3] and W [3,2,2] with group 1, expected X [N,C,...] and W "
                                     "[C,M/group,...], C a multiple of group"),
    ((1, 3, 3), (3, 2, 2), None, {"group": 2}, "X is [1,3,3] and W [3,2,2] with group 2"),
    ((1, 2, 3), (2, 2, 2), None, {"group": 0}, "group 0"), ((1, 2, 3), (2, 2, 2), None, {"group": -2}, "group -2"),
    ((1, 2, 3), (2, 3, 2), (3,), {"group": 2}, "input 2 'B' is [3], expected [6], one for each output channel"),
    ((1, 1, 3), (1, 1, 2), None, {"pads": [3, 2]}, "pads take 5 of the 4 positions of axis 2 of Y"),
    ((1, 1, 3), (1, 1, 0), None, {}, "axis 2 of W has 0 entries"),
    ((1, 1, 3), (1, 1, 2), None, {"kernel_shape": [3]}, "kernel_shape[0] is 3, but axis 2 of W has 2")]
VALUES = [({"strides": [1, 1]}, "strides has 2 entries, expected 1"), ({"strides": [0]}, "strides[0] is 0"),
          ({"dilations": [0]}, "dilations[0] is 0"), ({"dilations": [1, 1]}, "dilations has 2"),
          ({"pads": [1]}, "pads has 1 entries, expected 2"), ({"pads": [-1, 0]}, "pads[0] is -1"),
          ({"output_padding": [-1]}, "output_padding[0] is -1"), ({"output_padding": [1, 1]}, "output_padding has 2"),
          ({"output_shape": [-1]}, "output_shape[0] is -1"), ({"output_shape": [1, 3]}, "output_shape has 2 entries, expected 1"),
          ({"output_shape": [9223372036854775807]}, "output_shape[0] is 9223372036854775807"),
          ({"kernel_shape": [2, 2]}, "kernel_shape has 2"), ({"auto_pad": "SAME"}, "auto_pad")]


def wrong():
    with File("conv_transpose/wrong.onnxtxt", "By tests/oracle/conv_transpose.py.") as f:
        for x, w, b, attributes, part in WRONG:
            inputs = {"X": ("float", np.ones(x)), "W": ("float", np.ones(w))}
            inputs |= {} if b is None else {"B": ("float", np.ones(b))}
            for declared in (True, False):
                title = f"{list(x)} by {list(w)} with {text(attributes) or 'no attribute'}"
                fails(f, title if declared else title + ", as the run finds", 22, node(attributes, inputs), inputs,
                      "SHAPE", part, declared=declared)
        inputs = {"X": ("float", np.ones((1, 1, 3))), "W": ("float", np.ones((1, 1, 2)))}
        for attributes, part in VALUES:
            fails(f, text(attributes), 22, node(attributes, inputs), inputs, "VALUE", part)
        for since, kind in ((22, "int32"), (11, "bfloat16"), (1, "bfloat16")):
            fails(f, f"no {kind} in version {since}", since, node({}, inputs),
                  {k: (kind, v) for k, (_, v) in inputs.items()}, "TYPE", kind, f"{kind}[] Y")


if __name__ == "__main__":
    values()
    groups()
    wrong()
