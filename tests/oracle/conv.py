#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""conv.py - text cases of Conv, by the definition in NumPy.

    python3 tests/oracle/conv.py

writes tests/cases/conv/numpy.onnxtxt; where PyTorch is there and can express a case, it must agree.
Elements are small whole numbers, or halves of them, so that every sum is exact in every order."""
import itertools

import numpy as np

from elements import FLOATS, IEEE, fails, round_to
from text_case import File

try:
    import torch
except ImportError:
    torch = None


def geometry(auto_pad, pads, size, kernel, stride, dilation):
    """Padding in front and behind, and the length of the result, of each axis."""
    front, behind, out = [], [], []
    for a, n in enumerate(size):
        span = (kernel[a] - 1) * dilation[a] + 1
        if auto_pad.startswith("SAME"):
            length = -(-n // stride[a])
            both = max(0, (length - 1) * stride[a] + span - n)
            small, large = both // 2, both - both // 2
            first, second = (small, large) if auto_pad == "SAME_UPPER" else (large, small)
        else:
            first, second = (0, 0) if auto_pad == "VALID" else (pads[a], pads[a + len(size)])
            length = (n + first + second - span) // stride[a] + 1
        front.append(first), behind.append(second), out.append(length)
    return front, behind, out


def convolve(x, w, b, group=1, strides=None, dilations=None, pads=None, auto_pad="NOTSET", **_):
    axes = x.ndim - 2
    stride, dilation = strides or [1] * axes, dilations or [1] * axes
    front, behind, out = geometry(auto_pad, pads or [0] * 2 * axes, x.shape[2:], w.shape[2:], stride,
                                  dilation)
    padded = np.pad(x, [(0, 0), (0, 0), *zip(front, behind)])
    per_group, maps = w.shape[1], w.shape[0] // group
    y = np.zeros((x.shape[0], w.shape[0], *out))
    for tap in itertools.product(*map(range, w.shape[2:])):
        under = padded[(slice(None), slice(None), *(
            slice(t * d, t * d + (n - 1) * s + 1, s)
            for t, d, n, s in zip(tap, dilation, out, stride)))]
        for g in range(group):
            these = slice(g * maps, (g + 1) * maps)
            y[:, these] += np.einsum("mc,nc...->nm...", w[(these, slice(None), *tap)],
                                     under[:, g * per_group:(g + 1) * per_group])
    if b is not None:
        y += b.reshape(-1, *[1] * axes)
    if torch and axes <= 3 and x.size and w.size:
        function = [torch.conv1d, torch.conv2d, torch.conv3d][axes - 1]
        theirs = function(torch.tensor(padded), torch.tensor(w), None if b is None else
                          torch.tensor(b), stride, 0, dilation, group)
        assert np.array_equal(theirs.numpy(), y)
    return y


def numbers(shape, start):
    count = int(np.prod(shape))
    return ((((np.arange(count) * 7 + start) % 11) - 5) / 2.0).reshape(shape)


def text(attributes):
    return ", ".join(f"{k} = " + (f'"{v}"' if isinstance(v, str) else str(v))
                     for k, v in attributes.items())


GEOMETRY = [  # x, w, attributes
    ((1, 1, 5), (1, 1, 3), {}), ((2, 3, 7), (4, 3, 2), {"strides": [2], "pads": [1, 0]}),
    ((1, 1, 5, 5), (1, 1, 3, 3), {}), ((1, 1, 5, 5), (1, 1, 3, 3), {"pads": [1, 1, 1, 1]}),
    ((2, 2, 5, 6), (3, 2, 3, 2), {"strides": [2, 1], "pads": [0, 1, 2, 3]}),
    ((1, 2, 7, 7), (2, 2, 2, 3), {"dilations": [2, 3], "pads": [1, 2, 0, 1]}),
    ((1, 2, 7, 8), (2, 2, 3, 3), {"dilations": [2, 1], "strides": [3, 2], "pads": [2, 1, 2, 1]}),
    ((1, 4, 4, 4), (4, 1, 3, 3), {"group": 4, "pads": [1, 1, 1, 1]}),
    ((1, 18, 2, 3), (34, 9, 2, 1), {"group": 2, "pads": [1, 0, 0, 0]}), ((1, 6, 2), (27, 2, 1), {"group": 3}),
    ((2, 4, 3, 3), (6, 2, 2, 2), {"group": 2}), ((1, 2, 4, 4), (6, 1, 1, 1), {"group": 2}),
    ((1, 1, 3, 3), (1, 1, 2, 2), {"pads": [3, 3, 3, 3]}),
    ((1, 1, 2, 2), (1, 1, 3, 3), {"pads": [4, 0, 0, 5], "strides": [2, 2]}),
    ((2, 3, 4, 5), (5, 3, 1, 1), {}), ((1, 3, 4, 5), (5, 3, 1, 1), {"strides": [2, 2]}),
    ((1, 3, 4, 5), (2, 3, 4, 5), {}), ((1, 2, 3, 4, 5), (2, 2, 2, 2, 2), {"pads": [1, 0, 1, 0, 1, 0]}),
    ((1, 2, 4, 3, 4), (2, 1, 2, 1, 3), {"group": 2, "strides": [2, 1, 2], "dilations": [2, 1, 1]}),
    ((1, 2, 2, 3, 2, 3), (2, 2, 2, 2, 1, 2), {"pads": [1, 0, 0, 1, 0, 0, 1, 0]}),
    ((1, 1, 2, 2, 2, 2, 2), (1, 1, 2, 1, 2, 1, 2), {"pads": [0, 0, 1, 0, 0, 0, 0, 0, 0, 1]}),
    ((0, 2, 3), (2, 2, 2), {}), ((1, 0, 3), (2, 0, 2), {}), ((1, 2, 3), (0, 2, 2), {}),
    ((1, 2, 0), (2, 2, 3), {"pads": [2, 2]}), ((1, 1, 0, 4), (1, 1, 1, 2), {"pads": [1, 0, 0, 0]}),
    ((1, 2, 4), (2, 2, 2), {"kernel_shape": [2]}),
]
AUTO = [((1, 1, 5, 5), (1, 1, 3, 3), [1, 1], [1, 1]), ((1, 1, 5, 6), (1, 1, 3, 3), [2, 2], [1, 1]),
        ((1, 2, 6, 5), (2, 2, 2, 4), [1, 2], [1, 1]), ((1, 1, 7, 7), (1, 1, 3, 2), [3, 2], [2, 3]),
        ((1, 1, 5, 5), (1, 1, 1, 1), [3, 2], [1, 1]), ((2, 1, 6), (2, 1, 4), [3], [1]),
        ((1, 1, 3, 4, 5), (1, 1, 2, 2, 2), [1, 2, 2], [1, 1, 2])]
FAR = [  # past the edges of tiles, patches and squares
    ((1, 3, 9, 15), (5, 3, 3, 3), {"pads": [1, 1, 1, 1]}), ((1, 33, 3, 3), (3, 33, 2, 2), {}),
    ((1, 2, 12, 11), (66, 2, 1, 1), {}), ((1, 1, 14, 14), (2, 1, 12, 11), {}),
    ((1, 130, 3), (2, 130, 1), {}), ((1, 4, 1, 70), (8, 2, 1, 3), {"group": 2, "strides": [1, 2]})]
WRONG = [  # x, w, b, attributes, part of the message
    ((1, 1), (1, 1), None, {}, "rank"), ((1, 1, 3), (1, 1, 3, 3), None, {}, "rank"),
    ((1, 2, 3), (1, 3, 2), None, {}, "group 1"), ((1, 4, 3), (3, 2, 2), None, {"group": 2}, "group 2"),
    ((1, 3, 3), (2, 1, 2), None, {"group": 2}, "group 2"), ((1, 2, 3), (2, 2, 2), None, {"group": 0}, "group 0"),
    ((1, 2, 3), (2, 2, 2), None, {"group": -1}, "group -1"),
    ((1, 1, 3), (2, 1, 2), (3,), {}, "input 2 'B' is [3], expected [2]"),
    ((1, 1, 3), (2, 1, 2), (2, 1), {}, "input 2 'B' is [2,1]"), ((1, 1, 3), (1, 1, 4), None, {}, "spans 4"),
    ((1, 1, 3), (1, 1, 2), None, {"dilations": [3]}, "spans 4"),
    ((1, 1, 3), (1, 1, 4), None, {"auto_pad": "VALID"}, "spans 4"), ((1, 1, 3), (1, 1, 0), None, {}, "axis 2 of W"),
    ((1, 1, 3), (1, 1, 2), None, {"kernel_shape": [3]}, "kernel_shape[0] is 3")]
VALUES = [({"strides": [1, 1]}, "strides has 2"), ({"strides": [0]}, "strides[0] is 0"), ({"strides": [-1]}, "strides[0]"),
          ({"dilations": [0]}, "dilations[0]"), ({"dilations": [1, 1]}, "dilations has 2"), ({"pads": [1]}, "pads has 1"),
          ({"pads": [-1, 0]}, "pads[0] is -1"), ({"pads": [0, 9223372036854775807]}, "pads[1]"),
          ({"kernel_shape": [2, 2]}, "kernel_shape has 2"), ({"auto_pad": "SAME"}, "auto_pad"),
          ({"dilations": [9223372036854775807]}, "dilations[0]"), ({"strides: ints": []}, "strides has 0")]


def main():
    with File("conv/numpy.onnxtxt", "By tests/oracle/conv.py. Exact.") as f:
        def add(title, since, kind, x, w, b, attributes):
            title = title.rstrip(", ")
            inputs = {"X": (kind, x), "W": (kind, w), **({} if b is None else {"B": (kind, b)})}
            node = f"Conv <{text(attributes)}>" if attributes else "Conv"
            f.add(title, since, f"{node} ({', '.join(inputs)})", inputs,
                  (kind, round_to(kind, convolve(x, w, b, **attributes))))

        for kind in FLOATS:
            for i, (x, w, attributes) in enumerate(GEOMETRY if kind == "float" else GEOMETRY[:9]):
                add(f"{kind} {list(x)} by {list(w)}, {text(attributes) or 'no attribute'}", 22, kind,
                    numbers(x, 1), numbers(w, 4), numbers(w[:1], 2) if i % 2 else None, attributes)
        for (x, w, strides, dilations), mode in itertools.product(AUTO, ("SAME_UPPER", "SAME_LOWER", "VALID")):
            if mode != "VALID" or all(n > (k - 1) * d for n, k, d in zip(x[2:], w[2:], dilations)):
                add(f"{mode} {list(x)} by {list(w)}, strides {strides}, dilations {dilations}", 11,
                    "float", numbers(x, 3), numbers(w, 1), None,
                    {"auto_pad": mode, "strides": strides, "dilations": dilations})
        for kind, (x, w, attributes) in itertools.product(("float", "double"), FAR):
            add(f"{kind} {list(x)} by {list(w)}, {text(attributes)}", 22, kind, numbers(x, 5),
                numbers(w, 6), numbers(w[:1], 1), attributes)
        x, w, same = numbers((1, 1, 4), 1), numbers((1, 1, 3), 4), {"auto_pad": "SAME_UPPER"}
        f.add("auto_pad and pads", 11, f"Conv <{text({**same, 'pads': [2, 0]})}> (X, W)",
              {"X": ("float", x), "W": ("float", w)}, ("float", convolve(x, w, None, **same)),
              ['remark "(Conv-11): auto_pad and pads are both given, which the standard does not allow; pads is not '
               'used, but other engines may use it"'])
        for since, kind in itertools.product((11, 1), IEEE):
            add(f"{kind} in version {since}", since, kind, numbers((1, 2, 4, 4), 1),
                numbers((2, 2, 2, 2), 2), numbers((2,), 3), {"strides": [2, 1]})
        for kind, most in (("float16", 2048.0), ("bfloat16", 256.0)):
            add(f"{kind} is summed in float", 22, kind, np.array([[[most, 1.0, 1.0]]]),
                np.ones((1, 1, 3)), np.array([2.0]), {})
        for x, w, b, attributes, part in WRONG:
            inputs = {"X": ("float", np.ones(x)), "W": ("float", np.ones(w))}
            inputs |= {} if b is None else {"B": ("float", np.ones(b))}
            for declared in (True, False):
                title = f"{list(x)} by {list(w)} with {text(attributes) or 'no attribute'}"
                node = f"Conv <{text(attributes)}>" if attributes else "Conv"
                fails(f, title if declared else title + ", as the run finds", 22,
                      f"{node} ({', '.join(inputs)})", inputs, "SHAPE", part, declared=declared)
        inputs = {"X": ("float", np.ones((1, 1, 3))), "W": ("float", np.ones((1, 1, 2)))}
        for attributes, part in VALUES:
            fails(f, f"{text(attributes)}", 22, f"Conv <{text(attributes)}> (X, W)", inputs, "VALUE", part)
        for since, kind in ((22, "int32"), (11, "bfloat16"), (1, "bfloat16")):
            fails(f, f"no {kind} in version {since}", since, "Conv (X, W)",
                  {k: (kind, v) for k, (_, v) in inputs.items()}, "TYPE", kind, f"{kind}[] Y")


if __name__ == "__main__":
    main()
