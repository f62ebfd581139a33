#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""roi_align.py - writes tests/cases/roi_align from the definition, sample by sample in double.

Averages that torchvision can give are compared with it on the way. Regions are multiples of 1/8 and
bins and sample counts powers of two, so that each result is exact in float: the cases compare bits.
"""
import itertools

import numpy as np
import torch
import torchvision

from text_case import File, round_to


def corners(at, n):
    """[(pixel, weight), (pixel, weight)], or None outside the map."""
    if at < -1 or at > n:
        return None
    at = min(max(at, 0.0), n - 1.0)
    low = min(int(at), n - 1)
    return [(low, 1 - (at - low)), (min(low + 1, n - 1), at - low)]


def one_sample(plane, y, x, mode):
    y, x = corners(y, plane.shape[0]), corners(x, plane.shape[1])
    if y is None or x is None:
        return 0.0
    values = [wy * wx * plane[py, px] for (py, wy), (px, wx) in itertools.product(y, x)]
    return max(values) if mode == "max" else sum(values)


def pool(x, rois, batch, mode, out, ratio, scale, half_pixel):
    y = np.zeros((len(rois), x.shape[1]) + out)
    for r, c, ph, pw in np.ndindex(*y.shape):
        start = rois[r][:2] * scale - 0.5 * half_pixel
        side = rois[r][2:] * scale - 0.5 * half_pixel - start
        side = side if half_pixel else np.maximum(side, 1)
        size = side / out[::-1]
        n = [ratio] * 2 if ratio else [max(int(np.ceil(s)), 0) for s in size]
        at = [[start[a] + (pw, ph)[a] * size[a] + (i + 0.5) * size[a] / n[a] for i in range(n[a])]
              for a in (0, 1)]
        values = [one_sample(x[batch[r], c], sy, sx, mode) for sy in at[1] for sx in at[0]]
        if values:
            y[r, c, ph, pw] = np.mean(values) if mode == "avg" else max(values)
    if mode == "avg" and (ratio or not half_pixel or (rois[:, 2:] >= rois[:, :2]).all()):
        boxes = np.concatenate([batch[:, None], rois], 1)
        t = torchvision.ops.roi_align(torch.from_numpy(x), torch.from_numpy(boxes), out, scale,
                                      ratio, half_pixel).numpy()
        assert np.abs(t - y).max(initial=0) < 1e-12, (out, ratio, scale, half_pixel)
    return y + 0.0


def add(f, title, opset, x, rois, batch, type_name="float", mode="avg", out=(2, 2), ratio=2,
        scale=1.0, half_pixel=True, bilinear_max=False):
    attributes = [f'mode = "{mode}"', f"output_height = {out[0]}", f"output_width = {out[1]}",
                  f"sampling_ratio = {ratio}", f"spatial_scale = {scale}"]
    if opset >= 16:
        name = "half_pixel" if half_pixel else "output_half_pixel"
        attributes.append(f'coordinate_transformation_mode = "{name}"')
    rois, batch = np.array(rois, float), np.array(batch)
    y = pool(x, rois, batch, "bilinear max" if bilinear_max else mode, out, ratio, scale,
             half_pixel)
    f.add(title, opset, f"RoiAlign <{', '.join(attributes)}> (X, rois, batch)",
          {"X": (type_name, x), "rois": (type_name, rois), "batch": ("int64", batch)},
          (type_name, round_to(type_name, y)),
          ["tolerance rtol 0 atol 1e-30"] +  # -0 is 0
          ['option op "RoiAlign.max=bilinear"'] * bilinear_max)


def main():
    rng = np.random.default_rng(2)
    x = rng.integers(-16, 17, (2, 2, 6, 8)) / 4
    inside = [[1, 1, 5, 5], [0.5, 2, 4.5, 4]]
    around = [[-3, -2, 5, 6], [6, 4, 14, 12], [20, 20, 24, 24]]
    turned = [[5, 5, 1, 1], [2, 2, 2, 4]]
    with File("roi_align/avg.onnxtxt", "Written by tests/oracle/roi_align.py.") as f:
        for half, ratio in itertools.product((True, False), (0, 1, 2, 4)):
            mode = "half_pixel" if half else "output_half_pixel"
            for rois, where in ((inside, "inside"), (around, "around the map"), (turned, "turned")):
                add(f, f"{mode}, ratio {ratio}, {where}", 16, x[:, :1], rois,
                    [1, 0, 1][:len(rois)], ratio=ratio, half_pixel=half)
        add(f, "a scale", 16, x, [[4, 4, 20, 20]], [1], scale=0.25, ratio=0)
        add(f, "opset 10 has no shift", 10, x, inside, [0, 0], half_pixel=False)
        add(f, "no regions", 22, x, np.zeros((0, 4)), np.zeros(0, int))
    with File("roi_align/max.onnxtxt", "Written by tests/oracle/roi_align.py.") as f:
        for bilinear, half, ratio in itertools.product((False, True), (True, False), (0, 2)):
            what = "of interpolated samples" if bilinear else "of weighted corners"
            for rois, where in ((inside, "inside"), (around, "around the map"), (turned, "turned")):
                add(f, f"{what}, ratio {ratio}, {where}, {'' if half else 'output_'}half_pixel", 16,
                    x[:, :1], rois, [1, 0, 1][:len(rois)], mode="max", ratio=ratio, half_pixel=half,
                    bilinear_max=bilinear)
        add(f, "of pixels that are all negative", 22, -abs(x) - 1, inside, [0, 1], mode="max")
    with File("roi_align/types.onnxtxt", "Written by tests/oracle/roi_align.py.") as f:
        for name, opset in (("float16", 16), ("bfloat16", 22), ("float", 22), ("double", 10)):
            for mode in ("avg", "max"):
                add(f, f"{name}, {mode}", opset, x, inside + around, [0, 1, 0, 1, 1], name, mode,
                    half_pixel=opset > 10)


if __name__ == "__main__":
    main()
