#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""compare_torch.py OCELLUS [--cases N] [--seed S] - random cases against PyTorch and torchvision.

Runs the ocellus command on random models of AffineGrid, GridSample and RoiAlign and prints, for
each group, the number of cases and of values and the largest difference. Exits with 1 when a
difference passes 1e-5 (float) or 1e-11 (double). Needs python3-torch and python3-torchvision.

Where PyTorch is undefined or disagrees with itself (its 4-D and 5-D code treat NaN and Inf apart)
the project's rule is the expectation instead; such values are counted as "ruled":
    zeros        NaN anywhere in the position gives NaN, else Inf gives 0
    border       cubic, 5-D: Inf is clamped, NaN is pixel coordinate 0
    reflection   cubic, 5-D: NaN and Inf are pixel coordinate 0
PyTorch's 5-D nearest takes halves away from zero, its 4-D nearest to even (the rule here): such ties
are kept out of 5-D cases.
"""
import argparse
import pathlib
import subprocess
import tempfile
import warnings

import numpy as np
import torch
import torch.nn.functional as F
import torchvision

TYPES = {np.dtype("float32"): "float", np.dtype("float64"): "double", np.dtype("int64"): "int64"}


class Runner:
    def __init__(self, command):
        self.command = command
        self.folder = tempfile.TemporaryDirectory()

    def __call__(self, opset, node, inputs, shape):
        """The output Y of one node; node uses the names of inputs."""
        folder = pathlib.Path(self.folder.name)
        dtype = next(iter(inputs.values())).dtype
        ports = ", ".join(port(v.dtype, v.shape, k) for k, v in inputs.items())
        (folder / "m.onnxtxt").write_text(
            f'<ir_version: 10, opset_import: ["" : {opset}]>\n'
            f"g ({ports}) => ({port(dtype, shape, 'Y')}) {{ Y = {node} }}\n")
        np.savez(folder / "in.npz", **inputs)
        done = subprocess.run([self.command, "run", folder / "m.onnxtxt", "-i", folder / "in.npz",
                               "-o", folder / "out.npz"], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{node}: {done.stderr}")
        with np.load(folder / "out.npz") as out:
            return out["Y"]


def port(dtype, shape, name):
    return f"{TYPES[dtype]}[{','.join(map(str, shape))}] {name}"


class Tally:
    def __init__(self):
        self.groups = {}

    def add(self, group, got, want, ruled, about):
        got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
        both_nan = np.isnan(got) & np.isnan(want)
        with np.errstate(invalid="ignore"):
            d = np.where(both_nan, 0, np.abs(got - want))
        d = np.where(np.isnan(d), np.inf, d)
        g = self.groups.setdefault(group, {"cases": 0, "values": 0, "ruled": 0, "max": 0.0})
        g["cases"] += 1
        g["values"] += got.size
        g["ruled"] += int(ruled)
        if d.size and d.max() > g["max"]:
            g["max"], g["worst"] = float(d.max()), about

    def report(self):
        bad = False
        for name, g in sorted(self.groups.items()):
            over = g["max"] > (1e-11 if "double" in name else 1e-5)
            bad |= over
            print(f"{name:42} {g['cases']:4} cases {g['values']:8} values {g['ruled']:6} ruled  "
                  f"max {g['max']:.3g}{'  TOO FAR: ' + g['worst'] if over else ''}")
        total = sum(g["cases"] for g in self.groups.values())
        print(f"{total} cases, largest difference {max(g['max'] for g in self.groups.values()):.3g}")
        return bad


def random_grid(rng, shape, dtype, far):
    g = rng.uniform(-1.5, 1.5, shape)
    pick = rng.random(shape)
    g = np.where(pick < 0.10, rng.uniform(-far, far, shape), g)
    g = np.where((pick >= 0.10) & (pick < 0.15), rng.choice([-1.0, 1.0, 0.0, 0.5], shape), g)
    for i, v in enumerate([np.nan, np.inf, -np.inf]):
        g = np.where((pick >= 0.15 + i / 100) & (pick < 0.16 + i / 100), v, g)
    return g.astype(dtype)


def by_rule(grid, sizes, padding, align):
    """The grid with finite positions that the project's rules say are the same."""
    out = grid.copy()
    for c, n in enumerate(reversed(sizes)):  # component 0 is the innermost axis
        at_zero = -1.0 if align else -1.0 + 1.0 / n
        v = out[..., c]
        if padding == "border":
            v[v == np.inf], v[v == -np.inf] = 50, -50
        v[~np.isfinite(v)] = at_zero
    return out


def without_ties(grid, sizes, align):
    out = grid.copy()
    for c, n in enumerate(reversed(sizes)):
        v = out[..., c]
        with np.errstate(invalid="ignore"):
            at = (v + 1) / 2 * (n - 1) if align else ((v + 1) * n - 1) / 2
            v[at - np.floor(at) == 0.5] += 0.01
    return out


def grid_sample(run, tally, rng):
    rank = int(rng.choice([2, 2, 3]))
    mode = str(rng.choice(["linear", "nearest"] + ["cubic"] * (rank == 2)))
    padding = str(rng.choice(["zeros", "border", "reflection"]))
    align, dtype = int(rng.integers(2)), np.dtype(rng.choice(["float32", "float64"]))
    n, c = int(rng.integers(1, 4)), int(rng.integers(1, 6))
    sizes = [int(v) for v in rng.integers(1, 12, rank)]
    points = [int(v) for v in rng.integers(1, 14 if rank == 2 else 7, rank)]
    x = rng.uniform(-1, 1, [n, c] + sizes).astype(dtype)
    # PyTorch finds the fold's parity by a rounded division, which fails far out.
    grid = random_grid(rng, [n] + points + [rank], dtype, 1e6 if padding != "reflection" else 1e3)
    if rank == 3 and mode == "nearest":
        grid = without_ties(grid, sizes, align)
    torch_mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)

    def sample(g):
        return F.grid_sample(torch.from_numpy(x), torch.from_numpy(g), mode=torch_mode,
                             padding_mode=padding, align_corners=bool(align)).numpy()

    want = sample(grid)
    nan, odd = np.isnan(grid).any(-1), ~np.isfinite(grid).all(-1)
    if padding == "zeros":
        want = np.where(odd[:, None], np.where(nan, np.nan, 0.0)[:, None], want)
    elif mode == "cubic" or rank == 3:
        want = np.where(odd[:, None], sample(by_rule(grid, sizes, padding, align)), want)
    else:
        odd = np.zeros_like(odd)
    node = (f'GridSample <mode = "{mode}", padding_mode = "{padding}", '
            f"align_corners = {align}> (X, grid)")
    got = run(22, node, {"X": x, "grid": grid}, want.shape)
    tally.add(f"GridSample {rank}-D {mode} {padding} {TYPES[dtype]}", got, want, odd.sum() * c,
              f"{node} {x.shape} {grid.shape}")


def roi_align(run, tally, rng):
    dtype = np.dtype(rng.choice(["float32", "float64"]))
    n, c = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    h, w = int(rng.integers(1, 24)), int(rng.integers(1, 24))
    out, count = [int(v) for v in rng.integers(1, 8, 2)], int(rng.integers(1, 6))
    ratio, aligned = int(rng.choice([0, 0, 1, 2, 3, 7])), int(rng.integers(2))
    scale = float(np.float32(rng.choice([1.0, 0.5, 0.0625, 0.37])))
    low = rng.uniform(-4, [w, h], (count, 2))
    side = rng.uniform(-2, [w, h], (count, 2)) * rng.choice([0.3, 1, 1, 20], (count, 1))
    if aligned and ratio == 0:
        side = abs(side)  # torchvision fails on a negative number of samples
    rois = (np.concatenate([low, low + side], 1) / scale).astype(dtype)
    batch = rng.integers(0, n, count)
    x = rng.uniform(-1, 1, (n, c, h, w)).astype(dtype)
    boxes = np.concatenate([batch[:, None].astype(dtype), rois], 1)
    want = torchvision.ops.roi_align(torch.from_numpy(x), torch.from_numpy(boxes), out, scale,
                                     ratio, bool(aligned)).numpy()
    mode = "half_pixel" if aligned else "output_half_pixel"
    node = (f'RoiAlign <coordinate_transformation_mode = "{mode}", output_height = {out[0]}, '
            f"output_width = {out[1]}, sampling_ratio = {ratio}, spatial_scale = {scale!r}> "
            "(X, rois, batch)")
    got = run(16, node, {"X": x, "rois": rois, "batch": batch}, want.shape)
    tally.add(f"RoiAlign avg {mode} {TYPES[dtype]}", got, want, 0, f"{node} {x.shape} {rois}")


def affine_grid(run, tally, rng):
    rank, align = int(rng.integers(2, 4)), int(rng.integers(2))
    dtype = np.dtype(rng.choice(["float32", "float64"]))
    size = [int(rng.integers(1, 4)), 3] + [int(v) for v in rng.choice([1, 2, 3, 8, 33], rank)]
    theta = rng.uniform(-2, 2, (size[0], rank, rank + 1)).astype(dtype)
    want = F.affine_grid(torch.from_numpy(theta), size, align_corners=bool(align)).numpy()
    got = run(20, f"AffineGrid <align_corners = {align}> (theta, size)",
              {"theta": theta, "size": np.array(size)}, want.shape)
    tally.add(f"AffineGrid {rank}-D {TYPES[dtype]}", got, want, 0, f"{size} align {align}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("ocellus")
    arguments.add_argument("--cases", type=int, default=600)
    arguments.add_argument("--seed", type=int, default=0)
    a = arguments.parse_args()
    warnings.filterwarnings("ignore", "Since version 1.3.0")  # affine_grid, sizes of one
    run, tally, rng = Runner(a.ocellus), Tally(), np.random.default_rng(a.seed)
    for i in range(a.cases):
        [grid_sample, grid_sample, grid_sample, roi_align, roi_align, affine_grid][i % 6](
            run, tally, rng)
    raise SystemExit(tally.report())


if __name__ == "__main__":
    main()
