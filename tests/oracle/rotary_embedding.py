#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rotary_embedding.py - text cases of RotaryEmbedding, by NumPy's complex numbers.

    python3 tests/oracle/rotary_embedding.py

writes tests/cases/rotary_embedding/numpy.onnxtxt: a pair is a complex number, multiplied by
cos + i sin. The numbers are multiples of 1/8, so that every product and sum is exact."""
import math

import numpy as np

from elements import fails, ints
from text_case import File, round_to

CASES = [  # X's shape, heads, interleaved, rotated, positions, type
    ((2, 3, 4, 8), None, 0, 0, True, "float"), ((2, 3, 4, 8), None, 1, 0, True, "float"),
    ((2, 3, 4, 8), None, 0, 4, True, "float"), ((2, 3, 4, 8), None, 1, 4, True, "float"),
    ((2, 3, 4, 8), None, 0, 0, False, "float"), ((2, 3, 4, 8), None, 1, 6, False, "float"),
    ((2, 4, 24), 3, 0, 0, True, "float"), ((2, 4, 24), 3, 1, 0, False, "float"),
    ((2, 4, 24), 3, 0, 2, True, "float"), ((2, 4, 24), 3, 1, 2, False, "float"),
    ((1, 1, 1, 2), None, 0, 0, True, "float"), ((1, 5, 6), 1, 0, 0, True, "float"),
    ((2, 3, 4, 8), None, 0, 4, True, "float16"), ((2, 4, 24), 3, 1, 2, False, "float16"),
    ((2, 3, 4, 8), None, 1, 0, True, "bfloat16"), ((2, 4, 24), 3, 0, 0, False, "bfloat16"),
    ((0, 3, 4, 8), None, 0, 0, True, "float"), ((2, 0, 6), 3, 0, 0, False, "float"),
    ((1, 2, 3, 0), None, 0, 0, False, "float"), ((2, 3, 4, 7), None, 0, 6, False, "float"),
    ((1, 2, 2, 8), 5, 0, 0, False, "float")]
ROWS = 9


def eighths(shape, start):
    return ((np.arange(math.prod(shape)) * 37 + start) % 41 - 20).reshape(shape) / 8


def rotary(x, cos, sin, positions, heads, interleaved, rotated):
    flat = x.ndim == 3
    y = np.moveaxis(x.reshape(*x.shape[:2], heads, x.shape[2] // heads), 2, 1) if flat else x
    turn = cos + 1j * sin
    turn = turn[positions] if positions is not None else turn
    head, rest = y[..., :rotated], y[..., rotated:]
    pairs = head[..., 0::2] + 1j * head[..., 1::2] if interleaved else \
        head[..., :rotated // 2] + 1j * head[..., rotated // 2:]
    pairs = pairs * turn[:, None]
    parts = [pairs.real, pairs.imag]
    head = np.stack(parts, -1).reshape(head.shape) if interleaved else np.concatenate(parts, -1)
    y = np.concatenate([head, rest], -1)
    return np.moveaxis(y, 1, 2).reshape(x.shape) if flat else y


def node(heads, interleaved, rotated, positions):
    attrs = ([f"interleaved = {interleaved}"] if interleaved else []) + \
        ([f"num_heads = {heads}"] if heads is not None else []) + \
        ([f"rotary_embedding_dim = {rotated}"] if rotated else [])
    return f"RotaryEmbedding {'<' + ', '.join(attrs) + '> ' if attrs else ''}(X, C, S" + \
        (", P)" if positions else ")")


def inputs(shape, heads, rotated, with_positions, kind):
    batch, length = shape[0], shape[-2]
    size = shape[3] if len(shape) == 4 else shape[2] // heads
    half = (rotated or size) // 2
    cache = (ROWS, half) if with_positions else (batch, length, half)
    x = {"X": (kind, eighths(shape, 3)), "C": (kind, eighths(cache, 5)),
         "S": (kind, eighths(cache, 11))}
    if with_positions:
        x["P"] = ("int64", (np.arange(batch * length) * 5 % ROWS).reshape(batch, length))
    return x, rotated or size


def main():
    with File("rotary_embedding/numpy.onnxtxt", "By tests/oracle/rotary_embedding.py.") as f:
        for shape, heads, interleaved, rotated, with_positions, kind in CASES:
            x, whole = inputs(shape, heads, rotated, with_positions, kind)
            y = rotary(*(x[k][1] for k in "XCS"), x["P"][1] if with_positions else None, heads,
                       interleaved, whole)
            f.add(f"{kind}{list(shape)}, heads {heads}, interleaved {interleaved}, "
                  f"rotated {rotated}, {'positions' if with_positions else 'no positions'}", 23,
                  node(heads, interleaved, rotated, with_positions), x,
                  (kind, round_to(kind, y.reshape(-1)).reshape(y.shape)), ("body native expand",))
        errors(f)


def errors(f):
    shape = (2, 3, 4, 8)

    def wrong(title, status, part, change=None, shape=shape, heads=None, rotated=0, positions=True,
              kind="float"):
        x, _ = inputs(shape, heads or 1, rotated, positions, kind)
        x.update(change or {})
        fails(f, title, 23, node(heads, 0, rotated, positions), x, status, part, f"{kind}[n] Y")

    wrong("rank 2", "SHAPE", "expected rank 3 or 4", {"X": ("float", np.ones((2, 3)))})
    wrong("no heads", "VALUE", "'num_heads' is 0", shape=(2, 4, 24))
    wrong("5 heads in 24", "SHAPE", "expected a multiple of 5 heads", shape=(2, 4, 24), heads=5)
    wrong("an odd size", "VALUE", "the size of a head is 7", shape=(2, 3, 4, 7))
    wrong("an odd part", "VALUE", "'rotary_embedding_dim' is 3", rotated=3)
    wrong("a part past the end", "VALUE", "expected an even number in [0, 8]", rotated=10)
    wrong("a negative part", "VALUE", "'rotary_embedding_dim' is -2", rotated=-2,
          change={"C": ("float", np.ones((9, 1))), "S": ("float", np.ones((9, 1)))})
    wrong("a narrow cache", "SHAPE", "input 1 'cos_cache' is [9,3], expected [?,4]",
          {"C": ("float", np.ones((9, 3)))})
    wrong("another sine", "SHAPE", "input 2 'sin_cache' is [8,4], expected [9,4]",
          {"S": ("float", np.ones((8, 4)))})
    wrong("positions with a cache of rank 3", "SHAPE", "input 1 'cos_cache' is [2,4,4], expected [?,4]",
          {"C": ("float", np.ones((2, 4, 4)))})
    wrong("no positions with a cache of rank 2", "SHAPE", "input 1 'cos_cache' is [9,4], expected [2,4,4]",
          {"C": ("float", np.ones((9, 4)))}, positions=False)
    wrong("positions of another shape", "SHAPE", "input 3 'position_ids' is [2,3], expected [2,4]",
          {"P": ("int64", ints(np.zeros((2, 3), int)))})
    wrong("a position past the end", "VALUE", "input 3 has 9 at [0,1]",
          {"P": ("int64", np.array([[0, 9, 0, 0], [0, 0, 0, 0]]))})
    wrong("no double", "TYPE", "double", kind="double")


main()
