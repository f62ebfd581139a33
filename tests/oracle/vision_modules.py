#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""vision_modules.py OCELLUS MODULES - small modules around GridSample and AffineGrid, run by three.

A spatial transformer, deformable attention over several scales, warping by optical flow, cropping of
turned regions: each as PyTorch exports it (opset 16 and 17), in Ocellus, in ONNX Runtime (in the
folder MODULES) and in PyTorch itself. What the exporter of PyTorch 1.13 cannot write, AffineGrid and
volumes of opset 20, is a model in text form, compared with PyTorch alone. Prints the largest
differences relative to the output's range; exits with 1 if one passes 1e-4."""
import argparse
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import engines
from torchvision_models import photo


class SpatialTransformer(nn.Module):
    """Localisation network, affine grid written out, bilinear sampling (Jaderberg 2015)."""

    def __init__(self):
        super().__init__()
        self.look = nn.Sequential(nn.Conv2d(3, 8, 7, 4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 10, 5, 2),
                                  nn.ReLU(), nn.Flatten(), nn.Linear(240, 6))

    def forward(self, x):
        theta = (torch.tensor([1.0, 0, 0, 0, 1, 0]) + 0.1 * self.look(x)).view(-1, 2, 3)
        n, h, w = x.shape[0], x.shape[2], x.shape[3]
        ys, xs = torch.linspace(-1, 1, h), torch.linspace(-1, 1, w)
        base = torch.stack([xs.expand(h, w), ys[:, None].expand(h, w), torch.ones(h, w)], -1).view(1, -1, 3)
        grid = torch.matmul(base.expand(n, -1, 3), theta.transpose(1, 2)).view(n, h, w, 2)
        return F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=True)


class DeformableAttention(nn.Module):
    """Queries look at 4 points of each of 3 scales for each of 4 heads (Deformable DETR, 2021)."""

    def __init__(self, width=32, heads=4, levels=3, points=4):
        super().__init__()
        self.shape = heads, levels, points
        self.offset = nn.Linear(width, heads * levels * points * 2)
        self.weight = nn.Linear(width, heads * levels * points)
        self.value = nn.Conv2d(3, width, 3, padding=1)

    def forward(self, query, where, x):
        heads, levels, points = self.shape
        q = query.shape[1]
        offset = self.offset(query).view(1, q, heads, levels, points, 2)
        weight = torch.softmax(self.weight(query).view(1, q, heads, levels * points), -1)
        tokens = []
        for i in range(levels):
            value = self.value(F.avg_pool2d(x, 2 ** i) if i else x)
            value = value.view(heads, -1, value.shape[2], value.shape[3])
            at = 2 * where[:, :, None, None, :] - 1 + 0.05 * offset[:, :, :, i]
            grid = at[0].transpose(0, 1)  # heads, queries, points, 2
            tokens.append(F.grid_sample(value, grid, padding_mode="zeros", align_corners=False))
        together = torch.cat(tokens, 3) * weight[0].transpose(0, 1)[:, None]
        return together.sum(3).reshape(1, -1, q).transpose(1, 2)


class FlowWarp(nn.Module):
    """Looks back along a flow in pixels, bicubic, reflecting at the border."""

    def forward(self, x, flow):
        h, w = x.shape[2], x.shape[3]
        ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        u = 2 * (xs + flow[:, 0]) / (w - 1) - 1
        v = 2 * (ys + flow[:, 1]) / (h - 1) - 1
        return F.grid_sample(x, torch.stack([u, v], 3), mode="bicubic", padding_mode="reflection",
                             align_corners=True)


class TurnedRegions(nn.Module):
    """Regions [centre x, centre y, width, height, angle] of one picture, 16 x 32 points of each."""

    def forward(self, x, regions):
        cx, cy, w, h, a = regions.unbind(1)
        ys, xs = torch.linspace(-0.5, 0.5, 16), torch.linspace(-0.5, 0.5, 32)
        along, down = w[:, None] * xs, h[:, None] * ys
        c, s = torch.cos(a)[:, None, None], torch.sin(a)[:, None, None]
        u = cx[:, None, None] + c * along[:, None] - s * down[:, :, None]
        v = cy[:, None, None] + s * along[:, None] + c * down[:, :, None]
        grid = torch.stack([2 * u / x.shape[3] - 1, 2 * v / x.shape[2] - 1], 3)
        return F.grid_sample(x.expand(regions.shape[0], -1, -1, -1), grid, mode="nearest", align_corners=False)


def cases():
    x = photo(96, 128)
    yield "spatial transformer", SpatialTransformer(), (torch.cat([x, x.flip(3)]),)
    yield "deformable attention", DeformableAttention(), (torch.randn(1, 20, 32), torch.rand(1, 20, 2), x)
    yield "flow warping", FlowWarp(), (x, 9 * F.interpolate(torch.randn(1, 2, 6, 8), (96, 128), mode="bicubic"))
    regions = torch.tensor([[60.0, 40, 50, 20, 0.4], [90, 70, 64, 64, -1.2], [5, 5, 30, 30, 3]])
    yield "turned regions", TurnedRegions(), (x, regions)


VOLUME = """<ir_version: 9, opset_import: ["" : 20]>
g (float[2,3,4] theta, int64[5] size, float[2,3,7,9,11] x) => (float[] y)
{{ grid = AffineGrid <align_corners = {corners}> (theta, size)
  y = GridSample <mode = "{mode}", padding_mode = "{padding}", align_corners = {corners}> (x, grid) }}
"""


def volumes(ocellus, folder):
    """AffineGrid and GridSample of volumes: name, largest difference from PyTorch."""
    theta = torch.eye(3, 4).repeat(2, 1, 1) + 0.3 * torch.randn(2, 3, 4)
    x, size = torch.randn(2, 3, 7, 9, 11), [2, 3, 5, 6, 8]
    for mode, padding, corners in (("linear", "zeros", 0), ("linear", "border", 1), ("nearest", "reflection", 0)):
        path = pathlib.Path(folder, "volume.onnxtxt")
        path.write_text(VOLUME.format(mode=mode, padding=padding, corners=corners), encoding="utf-8")
        grid = F.affine_grid(theta, size, align_corners=bool(corners))
        want = F.grid_sample(x, grid, mode={"linear": "bilinear"}.get(mode, mode), padding_mode=padding,
                             align_corners=bool(corners))
        got = ocellus(path, {"theta": theta.numpy(), "size": np.int64(size), "x": x.numpy()}, 0)
        yield f"volume {mode} {padding}", engines.difference(got.outputs["y"], want.numpy())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("modules")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    ocellus, peer = engines.Ocellus(args.command), engines.OnnxRuntime(args.modules)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        for name, module, inputs in cases():
            want = module.eval()(*inputs).numpy()
            names = [f"x{i}" for i in range(len(inputs))]
            for opset in (16, 17):
                path = f"{folder}/m.onnx"
                torch.onnx.export(module, inputs, path, opset_version=opset, input_names=names)
                feeds = {n: t.numpy() for n, t in zip(names, inputs)}
                ours, theirs = (next(iter(e(path, feeds, 0).outputs.values())) for e in (ocellus, peer))
                far = engines.difference(ours, want)
                worst = max(worst, far)
                print(f"{name}-{opset}: PyTorch {far:.1e}, ONNX Runtime {engines.difference(ours, theirs):.1e}")
        for name, far in volumes(ocellus, folder):
            worst = max(worst, far)
            print(f"{name}-20: PyTorch {far:.1e}")
    return worst > 1e-4


if __name__ == "__main__":
    sys.exit(main())
