#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""affine_grid.py - writes tests/cases/affine_grid from PyTorch's affine_grid.

Sizes are such that coordinates are exact in float, and matrices multiples of 1/4: the cases compare
bits. PyTorch has no float16 and bfloat16 here; its double result is rounded once.
"""
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from text_case import File, round_to


def grid(theta, size, align):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about sizes of one
        y = F.affine_grid(torch.from_numpy(theta), size, align_corners=bool(align)).numpy()
    exact = np.rint(y * 2**16) / 2**16  # linspace leaves an ULP or so
    assert np.abs(y - exact).max() < 1e-12
    return exact + 0.0


def add(f, rng, title, type_name, size, align, numbers=None):
    rank = len(size) - 2
    theta = rng.integers(-8, 9, (size[0], rank, rank + 1)) / 4 if numbers is None else numbers
    y = round_to(type_name, grid(theta, size, align))
    f.add(title, 20, f"AffineGrid <align_corners = {align}> (theta, size)",
          {"theta": (type_name, theta), "size": ("int64", np.array(size))}, (type_name, y),
          ["tolerance rtol 0 atol 1e-30"])  # -0 is 0


def main():
    rng = np.random.default_rng(1)
    with File("affine_grid/sizes.onnxtxt", "Written by tests/oracle/affine_grid.py.") as f:
        for align, sizes in ((0, (1, 2, 4, 8)), (1, (1, 2, 3, 5))):
            for n in sizes:
                add(f, rng, f"width {n}, align_corners {align}", "float", [2, 1, 2, n], align)
                add(f, rng, f"3-D, height {n}, align_corners {align}", "double", [1, 3, 2, n, 1], align)
            add(f, rng, f"one point, align_corners {align}", "float", [1, 1, 1, 1], align)
    with File("affine_grid/types.onnxtxt", "Written by tests/oracle/affine_grid.py.") as f:
        for name in ("float16", "bfloat16", "float", "double"):
            theta = round_to(name, rng.integers(-255, 256, (1, 2, 3)) / 128)
            add(f, rng, name, name, [1, 1, 4, 8], 0, theta)


if __name__ == "__main__":
    main()
