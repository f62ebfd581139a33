#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""depth_to_space.py - text cases of DepthToSpace and SpaceToDepth, by NumPy's reshape and transpose.

    python3 tests/oracle/depth_to_space.py"""
import math

import numpy as np

from elements import COMPLEX, IEEE, INTEGERS, fails
from pools import case, node
from text_case import File

def spread(x, block, mode):
    n, c, h, w = x.shape
    c //= block * block
    if mode == "DCR":
        x = x.reshape(n, block, block, c, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        x = x.reshape(n, c, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(n, c, h * block, w * block)


def gather(x, block):
    n, c, h, w = x.shape
    x = x.reshape(n, c, h // block, block, w // block, block).transpose(0, 3, 5, 1, 2, 4)
    return x.reshape(n, c * block * block, h // block, w // block)


def counted(kind, shape):
    x = np.arange(math.prod(shape)).reshape(shape)
    if kind == "string":
        return np.array([f"s{i}" for i in x.ravel()], object).reshape(shape)
    return x % 2 == 0 if kind == "bool" else x % 120 if kind in INTEGERS else x * (1 + 2j) if kind in COMPLEX else x / 2


def depth_to_space():
    with File("depth_to_space/numpy.onnxtxt", "By tests/oracle/depth_to_space.py. Exact.") as f:
        def deep(title, opset, kind, shape, block, mode=None):
            x, attributes = counted(kind, shape), {"blocksize": block} | ({"mode": mode} if mode else {})
            case(f, title, opset, node("DepthToSpace", attributes, "X"), {"X": (kind, x)},
                 {"Y": (kind, spread(x, block, mode or "DCR"))})

        def wide(title, opset, kind, shape, block):
            x = counted(kind, shape)
            case(f, title, opset, node("SpaceToDepth", {"blocksize": block}, "X"), {"X": (kind, x)},
                 {"Y": (kind, gather(x, block))})

        kinds = IEEE + list(INTEGERS) + COMPLEX + ["bool", "string"]
        for opset, some in ((13, kinds + ["bfloat16"]), (11, kinds), (1, kinds)):
            for kind in some:
                deep(f"{kind} in version {opset}", opset, kind, (1, 8, 2, 3), 2)
                if opset != 11:
                    wide(f"SpaceToDepth of {kind} in version {opset}", opset, kind, (1, 2, 4, 6), 2)
        for shape, block in (((2, 18, 2, 3), 3), ((1, 4, 1, 1), 2), ((2, 3, 2, 2), 1), ((0, 4, 2, 2), 2), ((1, 0, 2, 2), 2),
                             ((1, 4, 0, 3), 2)):
            for mode in (None, "DCR", "CRD"):
                deep(f"{list(shape)}, blocks of {block}, mode {mode}", 13, "float", shape, block, mode)
            n, c, h, w = shape
            wide(f"SpaceToDepth of blocks of {block} to {list(shape)}", 13, "float",
                 (n, c // block**2, h * block, w * block), block)
        for op, shape, block, code, message in (
                ("DepthToSpace", (1, 6, 2, 2), 2, "SHAPE", "input 0 'input' is [1,6,2,2], expected a multiple of 4 channels"),
                ("SpaceToDepth", (1, 1, 4, 3), 2, "SHAPE",
                 "input 0 'input' is [1,1,4,3], expected a height and a width that are multiples of 2"),
                ("SpaceToDepth", (1, 1, 3, 4), 2, "SHAPE",
                 "input 0 'input' is [1,1,3,4], expected a height and a width that are multiples of 2"),
                ("DepthToSpace", (4, 2, 2), 2, "SHAPE", "input 0 'input' is [4,2,2], expected rank 4"),
                ("SpaceToDepth", (1, 4, 2, 2, 1), 2, "SHAPE", "input 0 'input' is [1,4,2,2,1], expected rank 4"),
                ("DepthToSpace", (1, 4, 2, 2), 0, "VALUE", "attribute 'blocksize' is 0, expected 1 to 2147483647"),
                ("SpaceToDepth", (1, 4, 2, 2), -2, "VALUE", "attribute 'blocksize' is -2, expected 1 to 2147483647"),
                ("DepthToSpace", (1, 4, 2, 2), 1 << 62, "VALUE", f"attribute 'blocksize' is {1 << 62}, expected 1 to 2147483647")):
            for declared in (True, False):
                fails(f, f"{op} of {list(shape)}, blocks of {block}" + ("" if declared else ", as the run finds"), 13,
                      node(op, {"blocksize": block}, "X"), {"X": ("float", np.ones(shape))}, code, message, declared=declared)
        fails(f, "mode", 13, 'DepthToSpace <blocksize = 2, mode = "RCD"> (X)', {"X": ("float", np.ones((1, 4, 1, 1)))}, "VALUE",
              "attribute 'mode' is 'RCD', expected one of 'DCR', 'CRD'")
        for op in ("DepthToSpace", "SpaceToDepth"):
            fails(f, f"{op}: no bfloat16 in version 1", 1, f"{op} <blocksize = 1> (X)",
                  {"X": ("bfloat16", np.ones((1, 1, 1, 1)))}, "TYPE", "bfloat16", "bfloat16[] Y")


if __name__ == "__main__":
    depth_to_space()
