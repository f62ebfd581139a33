#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""grid_sample.py - writes tests/cases/grid_sample from the definition, in double.

Every result is a sum over all pixels, each with the weight it has for the sample. Results that
PyTorch can give (4-D; 5-D linear and nearest) are compared with it on the way. Sizes, coordinates
and pixels are chosen so that each result is exact in float: the cases compare bits.
"""
import itertools

import numpy as np
import torch
import torch.nn.functional as F

from text_case import File, round_to

MODES, PADDINGS = ["linear", "nearest", "cubic"], ["zeros", "border", "reflection"]
INTS = {f"{u}int{b}": np.iinfo(f"{u}int{b}") for b in (8, 16, 32, 64) for u in ("", "u")}
FLOATS = ["float16", "bfloat16", "float", "double"]


def reflect(x, low, high):
    while low < high and not low <= x <= high:
        x = 2 * low - x if x < low else 2 * high - x
    return x if low < high else low


def pad(x, n, padding, align):
    if padding == "zeros":
        return x
    if np.isnan(x) or (np.isinf(x) and padding == "reflection"):
        return 0.0
    if padding == "reflection":
        x = reflect(x, 0, n - 1) if align else reflect(x, -0.5, n - 0.5)
    return min(max(x, 0.0), n - 1.0)


def cubic(d, a=-0.75):
    d = abs(d)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    return a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0.0


def axis_weights(x, n, mode, padding, align):
    """Pixel -> weight along one axis, for coordinate x of the grid."""
    with np.errstate(invalid="ignore"):
        x = (x + 1) / 2 * (n - 1) if align else ((x + 1) * n - 1) / 2
    weights = {}
    if mode == "cubic":
        if padding == "border":
            x = 0.0 if np.isnan(x) else min(max(x, -9.0), n + 9.0)
        if padding == "reflection" and not np.isfinite(x):
            x = 0.0
        taps = [] if np.isinf(x) else [np.floor(x) + k for k in (-1, 0, 1, 2)]
        found = [(pad(t, n, padding, align), cubic(x - t)) for t in taps]
    else:
        x = pad(x, n, padding, align)
        if np.isinf(x):
            found = []
        elif mode == "nearest":
            found = [(np.rint(x), 1.0)]
        else:
            found = [(np.floor(x), np.floor(x) + 1 - x), (np.floor(x) + 1, x - np.floor(x))]
    for p, w in found:
        if 0 <= p < n:
            weights[int(p)] = weights.get(int(p), 0.0) + w
    return weights


def sample(x, grid, mode, padding, align):
    """x [N,C,...] (exact in float64), grid [N,...,r] -> [N,C,...]."""
    sizes, rank = x.shape[2:], x.ndim - 2
    x = x.astype(float) if x.dtype.kind in "iu" else x
    y = np.zeros(x.shape[:2] + grid.shape[1:-1], complex if x.dtype.kind == "c" else float)
    for at in itertools.product(*map(range, (len(x),) + grid.shape[1:-1])):
        position = grid[at]
        out = (at[0], slice(None)) + at[1:]
        if padding == "zeros" and np.isnan(position).any():
            y[out] = np.nan * (1 + 1j) if x.dtype.kind == "c" else np.nan
            continue
        axes = [axis_weights(position[rank - 1 - a], sizes[a], mode, padding, align)
                for a in range(rank)]
        for pixel in itertools.product(*axes):
            w = np.prod([axes[a][p] for a, p in enumerate(pixel)])
            y[out] += w * x[(at[0], slice(None)) + pixel]
    y = y + 0.0
    compare_torch(x, grid, mode, padding, align, y)
    return y


def compare_torch(x, grid, mode, padding, align, y):
    if x.ndim not in (4, 5) or (x.ndim == 5 and mode != "linear"):
        return
    if not np.isfinite(grid).all() or x.dtype.kind not in "fiu" or not np.isfinite(x).all():
        return
    torch_mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    t = F.grid_sample(torch.from_numpy(x.astype(float)), torch.from_numpy(grid), mode=torch_mode,
                      padding_mode=padding, align_corners=bool(align)).numpy()
    assert np.abs(t - y).max() < 1e-12, (mode, padding, align)


def node(mode, padding="zeros", align=0):
    return f'GridSample <mode = "{mode}", padding_mode = "{padding}", align_corners = {align}> (X, grid)'


def images(rng, shape):
    return rng.integers(-16, 17, shape) / 4


def grids(rng, shape, unit, reach=2):
    """Multiples of 1 / unit up to reach."""
    return rng.integers(-reach * unit, reach * unit + 1, shape) / unit


def two_dimensions(rng):
    for mode in MODES:
        with File(f"grid_sample/{mode}_2d.onnxtxt", "Written by tests/oracle/grid_sample.py.") as f:
            for padding, align in itertools.product(PADDINGS, (0, 1)):
                x = images(rng, (2, 2) + ((5, 5) if align else (4, 4)))
                grid = grids(rng, (2, 3, 2, 2), 8)
                f.add(f"{padding}, align_corners {align}", 20, node(mode, padding, align),
                      {"X": ("float", x), "grid": ("float", grid)},
                      ("float", sample(x, grid, mode, padding, align)))


def ranks(rng):
    with File("grid_sample/ranks.onnxtxt", "Written by tests/oracle/grid_sample.py.") as f:
        for rank, mode, padding in itertools.product((1, 3, 4), MODES, PADDINGS):
            x = rng.integers(-4, 5, (1, 1) + (2,) * rank).astype(float)
            grid = grids(rng, (1,) + (1,) * (rank - 1) + (3, rank), 2, 3)
            f.add(f"{rank} axes, {mode}, {padding}", 22, node(mode, padding),
                  {"X": ("float", x), "grid": ("float", grid)},
                  ("float", sample(x, grid, mode, padding, 0)))


def saturate(type_name, y):
    info = INTS[type_name]
    return np.array([min(max(int(v), info.min), info.max) for v in y.ravel()]).reshape(y.shape)


def types(rng):
    with File("grid_sample/types.onnxtxt", "Written by tests/oracle/grid_sample.py.") as f:
        grid = np.array([-2, -0.75, -0.625, -0.25, 0.125, 0.5, 0.875, 1.125])[None, :, None]
        for name, info in INTS.items():  # no results past 2^53: those are not exact
            top = min(int(info.max), 2**52)
            x = np.array([info.min if info.bits < 64 else 0, top, 5, 100])[None, None]
            for mode in MODES:
                y = sample(x, grid, mode, "zeros", 0)
                f.add(f"{name}, {mode}", 16 if mode == "nearest" else 22, node(mode),
                      {"X": (name, x), "grid": ("float", grid)}, (name, saturate(name, y)))
        for name in ("int64", "uint64"):
            x = np.full((1, 1, 3), INTS[name].max)
            f.add(f"{name} saturates", 22, node("linear", "border"),
                  {"X": (name, x), "grid": ("float", grid)},
                  (name, np.full((1, 1, grid.size), INTS[name].max)))
        for name in FLOATS:
            x = np.array([[[0.5, -1.25, 3, 255]]])
            for mode, grid_type in zip(MODES, ("float", "float16", "double")):
                y = sample(x, grid, mode, "border", 0)
                f.add(f"{name}, {mode}, grid {grid_type}", 22, node(mode, "border"),
                      {"X": (name, x), "grid": (grid_type, grid)}, (name, round_to(name, y)))
        for name in ("complex64", "complex128"):
            x = np.array([[[0.5 - 2j, -1.25 + 1j, 3 + 0.25j, 255 - 8j]]])
            for mode in MODES:
                f.add(f"{name}, {mode}", 20, node(mode), {"X": (name, x), "grid": ("float", grid)},
                      (name, sample(x, grid, mode, "zeros", 0)))
        x = np.array([[[1, 2, 3, 4]]])
        picked = sample(x, grid, "nearest", "zeros", 0).astype(int)
        f.add("bool", 16, node("nearest"),
              {"X": ("bool", np.array([[[1, 0, 1, 1]]])), "grid": ("float", grid)},
              ("bool", np.array([0, 1, 0, 1, 1])[picked]))
        f.add("string: a missing one is empty", 22, node("nearest"),
              {"X": ("string", np.array([[["a", "bc", "", "d\n"]]])), "grid": ("double", grid)},
              ("string", np.array(["", "a", "bc", "", "d\n"])[picked]))
        for grid_type in FLOATS:
            f.add(f"grid {grid_type}", 22, node("linear"),
                  {"X": ("float", x), "grid": (grid_type, grid)},
                  ("float", sample(x, grid, "linear", "zeros", 0)))


def special(rng):
    odd = [np.nan, np.inf, -np.inf, 1e30, -1e30]
    with File("grid_sample/special.onnxtxt", "Written by tests/oracle/grid_sample.py.") as f:
        x = images(rng, (1, 1, 4, 4))
        grid = np.array([[a, b] for a in odd[:3] + [0.25] for b in odd[:3] + [0.125]])[None, None]
        for mode, padding in itertools.product(MODES, PADDINGS):
            f.add(f"NaN and Inf, {mode}, {padding}", 20, node(mode, padding),
                  {"X": ("float", x), "grid": ("float", grid)},
                  ("float", sample(x, grid, mode, padding, 0)))
        far = np.array([[a, 0.25] for a in odd[3:] + [1e4, -1e4]])[None, None]
        for mode, padding in itertools.product(MODES, PADDINGS[:2]):
            f.add(f"far, {mode}, {padding}", 20, node(mode, padding),
                  {"X": ("float", x), "grid": ("float", far)},
                  ("float", sample(x, far, mode, padding, 0)))
        fold = np.array([-4096.5, 1024.25, 77, -50.75])[None, :, None]
        x = images(rng, (1, 1, 4))
        for mode in MODES:
            f.add(f"folded many times, {mode}", 20, node(mode, "reflection"),
                  {"X": ("float", x), "grid": ("float", fold)},
                  ("float", sample(x, fold, mode, "reflection", 0)))
        x = np.array([[[1.0, np.nan, 2.0, 4.0]]])  # a missing pixel is no pixel of weight zero
        grid = np.array([-1, -0.75, 0.5, 1, 1.25, -1.5])[None, :, None]
        for mode in MODES:
            f.add(f"a NaN pixel stays where it is, {mode}", 20, node(mode),
                  {"X": ("float", x), "grid": ("float", grid)},
                  ("float", sample(x, grid, mode, "zeros", 0)))
        whole = np.array([[[1.0, 2.0]]])
        for n, c, points in ((0, 2, 3), (2, 0, 3), (2, 2, 0)):
            f.add(f"nothing: batch {n}, {c} channels, {points} points", 20, node("linear"),
                  {"X": ("float", np.zeros((n, c, 2))), "grid": ("float", np.zeros((n, points, 1)))},
                  ("float", np.zeros((n, c, points))))
        for mode, name in (("bilinear", "linear"), ("bicubic", "cubic")):
            grid = np.array([-0.25, 0.5])[None, :, None]
            for opset in (16, 20, 22):
                f.add(f"{mode} in opset {opset}", opset, node(mode),
                      {"X": ("float", whole), "grid": ("float", grid)},
                      ("float", sample(whole, grid, name, "zeros", 0)))


def main():
    rng = np.random.default_rng(3)
    for part in (two_dimensions, ranks, types, special):
        part(rng)


if __name__ == "__main__":
    main()
