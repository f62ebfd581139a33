#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""col2im.py - text cases of Col2Im, by its definition in NumPy.

    python3 tests/oracle/col2im.py

Elements are small whole numbers, or halves of them, so that every sum is exact in every order."""
import itertools
import math

import numpy as np

from elements import FLOATS, fails, header
from pools import case, node, numbers, text
from text_case import File


def columns_to_image(x, image, block, strides, pads, dilations, zero):
    axes = len(image)
    blocks = [(image[a] + pads[a] + pads[a + axes] - (block[a] - 1) * dilations[a] - 1) // strides[a] + 1
              for a in range(axes)]
    channels = x.shape[1] // math.prod(block)
    parts = x.reshape(x.shape[0], channels, *block, *blocks)
    y = np.full((x.shape[0], channels, *image), zero)
    for tap, at in itertools.product(itertools.product(*map(range, block)), itertools.product(*map(range, blocks))):
        pixel = [p * s + t * d - pads[a] for a, (p, s, t, d) in enumerate(zip(at, strides, tap, dilations))]
        if all(0 <= p < n for p, n in zip(pixel, image)):
            y[(slice(None), slice(None), *pixel)] += parts[(slice(None), slice(None), *tap, *at)]
    return y


COLUMNS = [  # N, C, image, block, attributes
    (1, 1, [5, 5], [1, 5], {}), (2, 3, [4, 5], [2, 2], {}), (1, 2, [6, 6], [3, 3], {"strides": [2, 3]}),
    (1, 1, [5, 5], [3, 2], {"pads": [1, 0, 1, 2]}), (1, 2, [7, 6], [2, 3], {"dilations": [3, 2]}),
    (1, 1, [6, 5], [2, 2], {"dilations": [2, 1], "strides": [2, 2], "pads": [1, 1, 0, 1]}), (2, 1, [7], [3], {"strides": [2]}),
    (1, 1, [3, 4, 3], [2, 2, 2], {"pads": [1, 0, 0, 0, 1, 0]}), (0, 1, [3, 3], [2, 2], {}), (1, 0, [3, 3], [2, 2], {}),
    (1, 1, [2, 2, 2, 2], [1, 2, 1, 2], {}), (1, 1, [4, 4], [2, 2], {"strides": [3, 3]})]


def col2im():
    with File("col2im/numpy.onnxtxt", "By tests/oracle/col2im.py. Exact.") as f:
        def add(kind, n, channels, image, block, attributes):
            axes = len(image)
            strides, dilations = attributes.get("strides", [1] * axes), attributes.get("dilations", [1] * axes)
            pads = attributes.get("pads", [0] * 2 * axes)
            count = math.prod((image[a] + pads[a] + pads[a + axes] - (block[a] - 1) * dilations[a] - 1) // strides[a] + 1
                              for a in range(axes))
            shape = (n, channels * math.prod(block), count)
            x = numbers(shape)
            if kind.startswith("complex"):
                x = x + 1j * numbers(shape, 2)
            elif kind.startswith("uint"):
                x = (np.arange(math.prod(shape)) % 251).reshape(shape)
            elif kind.startswith("int"):
                x = (np.arange(math.prod(shape)) % 255 - 127).reshape(shape)
            elif kind == "bool":
                x = (np.arange(math.prod(shape)) % 3 == 0).reshape(shape)
            y = columns_to_image(x, image, block, strides, pads, dilations, x.dtype.type(0))
            if kind in ("uint8", "int8"):
                y = y.astype(kind).astype(int)
            case(f, f"{kind} {list(shape)} to {image}, blocks {block}, {text(attributes) or 'no attribute'}", 18,
                 node("Col2Im", attributes, "X, S, K"),
                 {"X": (kind, x), "S": ("int64", np.array(image)), "K": ("int64", np.array(block))}, {"Y": (kind, y)})
        for one in COLUMNS:
            add("float", *one)
        for kind in FLOATS + ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool",
                              "complex64", "complex128"]:
            add(kind, *COLUMNS[1])
        most = {"float16": 2048.0, "bfloat16": 256.0}
        for kind, big in most.items():
            case(f, f"{kind} is summed in float", 18, "Col2Im (X, S, K)",
                 {"X": (kind, np.array([[[big, 1], [1, 0], [1, 0]]])), "S": ("int64", np.array([4])),
                  "K": ("int64", np.array([3]))}, {"Y": (kind, np.array([[[big, 2, 1, 0]]]))})
        for x, image, block, attributes, code, message in (
                ((1, 4, 4), [3, 3], [2], {}, "SHAPE", "image_shape has 2 entries and block_shape 1, expected as many, 1 to 14"),
                ((1, 4, 4), [3, 3], [2, 0], {}, "VALUE", "block_shape[1] is 0, expected 1 to 2147483647"),
                ((1, 4, 4), [3, -3], [2, 2], {}, "VALUE", "input 1 has -3 at [1], expected a size >= 0"),
                ((1, 5, 4), [3, 3], [2, 2], {}, "SHAPE", "input 0 'input' is [1,5,4], expected [N,C,L], C a multiple of 4, "
                 "the elements of a block, and L 4, the number of blocks"),
                ((1, 4, 5), [3, 3], [2, 2], {}, "SHAPE", "input 0 'input' is [1,4,5], expected [N,C,L], C a multiple of 4, "
                 "the elements of a block, and L 4, the number of blocks"),
                ((4, 4), [3, 3], [2, 2], {}, "SHAPE", "input 0 'input' is [4,4], expected rank 3"),
                ((1, 4, 4), [3, 3], [4, 1], {}, "SHAPE", "a block spans 4 on axis 0 of the image, which with its padding has only 3"),
                ((1, 4, 4), [3, 3], [2, 2], {"pads": [1]}, "VALUE", "pads has 1 entries, expected 4"),
                ((1, 4, 4), [3, 3], [2, 2], {"strides": [0, 1]}, "VALUE", "strides[0] is 0, expected 1 to 2147483647"),
                ((1, 4, 4), [3, 3], [2147483647] * 2, {}, "SHAPE",
                 "a block spans 2147483647 on axis 0 of the image, which with its padding has only 3"),
                ((1, 4, 4), [9223372036854775807, 2], [1, 1], {}, "LIMIT",
                 "image_shape[0] is 9223372036854775807, expected at most 2305843009213693951")):
            fails(f, f"{list(x)} to {image}, blocks {block}, {text(attributes) or 'no attribute'}", 18, node("Col2Im", attributes, "X, S, K"),
                  {"X": ("float", np.ones(x)), "S": ("int64", np.array(image)), "K": ("int64", np.array(block))}, code, message)
        f.cases.append(("strings are not added", [header(18),
                        "g (string[1,1,1] X, int64[1] S, int64[1] K) => (string[] Y) { Y = Col2Im (X, S, K) }",
                        '--- X = string[1,1,1] {"a"}', "--- S = int64[1] {1}", "--- K = int64[1] {1}",
                        '--- fails TYPE "strings cannot be added, expected numbers"']))


if __name__ == "__main__":
    col2im()
