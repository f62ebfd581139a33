#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""map.py [--build BUILD] [--files N] - how fast is `ocellus map` beside a shell loop of `ocellus run`?

Small pictures through a small convolution: the loop, map on one thread, and map on two.
The three take turns; medians of five rounds of rates are told."""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = '''<ir_version: 8, opset_import: ["" : 17]>
g (float[N,3,64,64] x) => (float[N,10] y)
<float[16,3,3,3] w = {%s}, float[10,16] v = {%s}>
{
  a = Conv <pads = [1,1,1,1]> (x, w)
  b = Relu (a)
  p = GlobalAveragePool (b)
  f = Flatten (p)
  y = Gemm <transB = 1> (f, v)
}'''


def write_pictures(folder, n):
    for i in range(n):
        with open(os.path.join(folder, f'p{i:04}.ppm'), 'wb') as f:
            f.write(b'P6 64 64 255\n' + random.Random(i).randbytes(3 * 64 * 64))


def seconds(*words, shell=False):
    begin = time.perf_counter()
    subprocess.run(' '.join(words) if shell else words, check=True, shell=shell, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    a.add_argument('--build', default='build')
    a.add_argument('--files', type=int, default=1000)
    a.add_argument('--rounds', type=int, default=5)
    a = a.parse_args()
    ocellus = os.path.abspath(os.path.join(a.build, 'tools', 'ocellus'))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir('in')
        write_pictures('in', a.files)
        rng = random.Random(1)
        numbers = [','.join(f'{rng.uniform(-1, 1):.4f}' for _ in range(n)) for n in (16 * 27, 160)]
        with open('m.onnxtxt', 'w', encoding='utf-8') as f:
            f.write(MODEL % tuple(numbers))
        loop = f'mkdir -p loop; for f in in/*.ppm; do {ocellus} run m.onnxtxt -q -i "$f" -o loop/$(basename "$f" .ppm).npz; done'
        ways = {'shell loop': lambda: seconds(loop, shell=True)}
        for threads in '1', '2':
            ways[f'map, {threads} thread{"s" * (threads != "1")}'] = lambda t=threads: seconds(
                ocellus, 'map', 'm.onnxtxt', '-i', 'x=in', '-o', 'out' + t, '--threads', t, '-q')
        rates = {name: [] for name in ways}
        for _ in range(a.rounds):
            for name, way in ways.items():
                rates[name].append(a.files / way())
        medians = {name: statistics.median(found) for name, found in rates.items()}
        loop_rate, one, two = medians.values()
        for name, rate in medians.items():
            print(f'{name:16} {rate:8.0f} files/s')
        print(f'map on two threads beside the loop: {two / loop_rate:.1f}; on one: {one / loop_rate:.1f}; '
              f'two threads beside one: {two / one:.2f}')


if __name__ == '__main__':
    sys.exit(main())
