#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peer_torch.py - PyTorch and torchvision as the comparison drives them: player.c's requests "run"
and "about".

    python3 bench/peer_torch.py '{"op": "GridSample", "mode": "bilinear", ...}' NAME=FILE.npy...

It computes what the model of the case computes, by the functions that the operators were made after."""
import json
import sys
import time

import numpy
import torch
import torch.nn.functional as F


def grid_sample(spec, x):
    return F.grid_sample(x['X'], x['grid'], mode=spec['mode'], padding_mode=spec['padding'],
                         align_corners=bool(spec['align']))


def affine_grid(spec, x):
    return F.affine_grid(x['theta'], spec['size'], align_corners=bool(spec['align']))


def chain(spec, x):
    grid = F.affine_grid(x['theta'], spec['size'], align_corners=bool(spec['align']))
    return F.grid_sample(x['X'], grid, mode=spec['mode'], padding_mode=spec['padding'],
                         align_corners=bool(spec['align']))


def roi_align(spec, x):
    from torchvision.ops import roi_align as f
    rois = torch.cat([x['batch'].to(x['rois'].dtype)[:, None], x['rois']], dim=1)
    return f(x['X'], rois, (spec['out'], spec['out']), spec['scale'], spec['ratio'], aligned=True)


def resize(spec, x):
    return F.interpolate(x['X'], spec['size'], mode=spec['mode'], antialias=bool(spec['antialias']))


FUNCTIONS = {'GridSample': grid_sample, 'AffineGrid': affine_grid, 'chain': chain, 'RoiAlign': roi_align,
             'Resize': resize}


def main():
    spec = json.loads(sys.argv[1])
    inputs = {}
    for text in sys.argv[2:]:
        name, path = text.split('=', 1)
        inputs[name] = torch.from_numpy(numpy.load(path))
    function, y = FUNCTIONS[spec['op']], None
    for line in sys.stdin:
        request, threads, *rest = line.split()
        try:
            with torch.inference_mode():
                if request == 'run':
                    torch.set_num_threads(int(threads))
                    warm, runs = map(int, rest)
                    samples = []
                    for _ in range(warm + runs):
                        start = time.perf_counter()
                        y = function(spec, inputs)
                        samples.append(1e3 * (time.perf_counter() - start))
                    answer = 'ms=' + ','.join(map(str, samples[warm:]))
                else:
                    z = y.double()
                    answer = f'version={torch.__version__} mean={z.mean()} mean_abs={z.abs().mean()}'
        except Exception as error:  # the case is left out of the table
            answer = 'error=' + ' '.join(str(error).split())
        print(answer, flush=True)


if __name__ == '__main__':
    main()
