#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""top1.py BUILD FLOAT.onnx OTHER.onnx... - the first choice of classifiers over pictures: does 8 bits change it?

    bench/top1.py build resnet50.onnx resnet50-qdq.onnx resnet50-qoperator.onnx

The pictures are cuts of the photographs of `examples`, --count of them, at the size that FLOAT.onnx declares. Of
each OTHER: how often Ocellus and ONNX Runtime choose as FLOAT does in Ocellus, and how often both choose the same."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

import report

HERE = pathlib.Path(__file__).resolve().parent
PHOTOS = ('demo/photo.jpg', 'detect/face.jpg')


def input_of(command, path):
    done = subprocess.run([command, 'inspect', '--json', path], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    port = next(p for p in told['inputs'] if not p['has_default'])
    return port['name'], port['shape']


def write_cuts(folder, count, height, width):
    """Squares of a fifth of a photograph's shorter side or more, anywhere in it, as numbers between 0 and 1."""
    random = np.random.default_rng(1)
    photos = [Image.open(HERE.parent / 'examples' / name).convert('RGB') for name in PHOTOS]
    for i in range(count):
        photo = photos[i % len(photos)]
        side = int(min(photo.size) * random.uniform(0.2, 1))
        x, y = (int(random.uniform(0, whole - side)) for whole in photo.size)
        cut = photo.crop((x, y, x + side, y + side)).resize((width, height), Image.BILINEAR)
        planes = np.asarray(cut, np.float32).transpose(2, 0, 1)[None] / 255
        np.save(folder / f'{i:03}.npy', np.ascontiguousarray(planes))


def own_choices(command, path, name, pictures):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, 'map', path, '-i', f'{name}={pictures}', '-o', folder, '-q'], check=True,
                       capture_output=True)
        results = sorted(pathlib.Path(folder).rglob('*.npz'))
        return [int(next(iter(np.load(file).values())).argmax()) for file in results]


def peer_choices(modules, path, name, pictures):
    files = sorted(pictures.glob('*.npy'))
    done = subprocess.run([shutil.which('node'), HERE / 'peer_ort.js', modules, '--top', name, path, *files], check=True,
                          capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


def agreeing(a, b):
    return sum(x == y for x, y in zip(a, b, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('float', type=pathlib.Path)
    parser.add_argument('others', type=pathlib.Path, nargs='+')
    parser.add_argument('--count', type=int, default=100)
    args = parser.parse_args()
    command, modules = args.build / 'tools' / 'ocellus', (args.build / 'bench' / 'npm').resolve()
    name, shape = input_of(command, args.float)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_cuts(pathlib.Path(folder), args.count, *shape[2:])
        expected = own_choices(command, args.float, name, folder)
        for path in args.others:
            own = own_choices(command, path, name, folder)
            peer = peer_choices(modules, path, name, pathlib.Path(folder))
            rows.append([path.stem, agreeing(own, expected), agreeing(peer, expected), agreeing(own, peer)])
    print(f'{args.count} pictures, {len(set(expected))} different first choices of {args.float.stem}\n')
    print(report.table(['network', 'Ocellus as float', 'ONNX Runtime as float', 'both the same'], rows))
    return 0


if __name__ == '__main__':
    sys.exit(main())
