#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""onednn.py BUILD - convolutions of networks in Ocellus and in oneDNN, blocked to blocked, least times of one thread.

    apt-get install libdnnl-dev; ./dev build; bench/onednn.py build [--rounds N] [--cpu avx2] [--only NAME]
    bench/onednn.py build --shape 32,56,56,64,3,2,1,1        # as Shape names them, in place of its own

A convolution is a model of its own. Of Ocellus the time of its step counts, without the steps that bring NCHW into
another layout and back; "whole" is the run with them. Of oneDNN (bench/onednn.c) the faster of the direct algorithm and
Winograd's counts, in the layouts that it chooses. 8 bits: QLinearConv of uint8 values and int8 weights with a scale
for each output channel, in oneDNN the direct algorithm, as Winograd's is not exact there. A ratio above 1: Ocellus
is faster."""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import report

Shape = collections.namedtuple('Shape', 'name channels height width output_channels kernel stride pad groups')

SHAPES = [Shape('3x3 64x56x56', 64, 56, 56, 64, 3, 1, 1, 1), Shape('3x3 256x14x14', 256, 14, 14, 256, 3, 1, 1, 1),
          Shape('1x1 256x56x56 to 64', 256, 56, 56, 64, 1, 1, 0, 1),
          Shape('1x1 512x14x14', 512, 14, 14, 512, 1, 1, 0, 1),
          Shape('7x7 3x224x224 to 64, stride 2', 3, 224, 224, 64, 7, 2, 3, 1),
          Shape('depthwise 3x3 96x112x112', 96, 112, 112, 96, 3, 1, 1, 96),
          Shape('depthwise 5x5 240x28x28', 240, 28, 28, 240, 5, 1, 2, 240)]
CAP = {'avx2': 'AVX2', 'scalar': 'SSE41'}  # what oneDNN calls the instruction sets


def shape_of(words):
    numbers = [int(word) for word in words.split(',')]
    if len(numbers) != len(Shape._fields) - 1:
        raise argparse.ArgumentTypeError(f'expected {", ".join(Shape._fields[1:])}')
    return Shape(words, *numbers)


def text_of(shape, is_float):
    """A model whose weights are inputs: small_networks.fill_weights and fill_codes make constants of them."""
    s = shape
    weights = f'[{s.output_channels},{s.channels // s.groups},{s.kernel},{s.kernel}] w'
    image, bias = f'[1,{s.channels},{s.height},{s.width}] x', f'[{s.output_channels}] b'
    attributes = f'<pads = [{", ".join([str(s.pad)] * 4)}], strides = [{s.stride}, {s.stride}], group = {s.groups}>'
    head = '<ir_version: 8, opset_import: ["" : 17]>\n'
    if is_float:
        return head + (f'conv (float{image}, float{weights}, float{bias}) => (float[] y)\n'
                       f'{{ y = Conv {attributes} (x, w, b) }}\n')
    tables = '<float scale = {0.02}, float out = {0.1}, uint8 zero = {0}, uint8 middle = {128}>'
    return head + (f'conv (uint8{image}, int8{weights}, float[{s.output_channels}] ws, int8[{s.output_channels}] wz, '
                   f'int32{bias}) => (uint8[] y)\n{tables}\n'
                   f'{{ y = QLinearConv {attributes} (x, scale, zero, w, ws, wz, out, middle, b) }}\n')


def fill_codes(path):
    """Constants for the inputs of an 8-bit convolution but its image."""
    import numpy as np
    import onnx
    from onnx import numpy_helper
    model, random = onnx.load(path), np.random.default_rng(1)
    made = {'w': lambda n: random.integers(-127, 128, n, np.int8), 'ws': lambda n: np.full(n, 0.002, np.float32),
            'wz': lambda n: np.zeros(n, np.int8), 'b': lambda n: random.integers(-1000, 1000, n, np.int32)}
    for port in [v for v in model.graph.input if v.name in made]:
        dims = [d.dim_value for d in port.type.tensor_type.shape.dim]
        model.graph.initializer.append(numpy_helper.from_array(made[port.name](dims), port.name))
        model.graph.input.remove(port)
    onnx.save(model, path)


def write_model(command, shape, is_float, path):
    import small_networks
    with open(f'{path}txt', 'w', encoding='utf-8') as f:
        f.write(text_of(shape, is_float))
    subprocess.run([command, 'convert', f'{path}txt', path], check=True)
    if is_float:
        small_networks.fill_weights(path, ['x'])
    else:
        fill_codes(path)


class Ocellus:
    def __init__(self, build, cpu):
        self.command = build / 'tools' / 'ocellus'
        self.options = ['--cpu', cpu] if cpu else []

    def times(self, path):
        """Milliseconds of the convolution's step, and of the whole run."""
        done = subprocess.run([self.command, 'bench', path, '--fill', 'random', '--threads', '1', '--runs', '40',
                               '--roofline', '--json', *self.options], capture_output=True, text=True, check=True)
        told = json.loads(done.stdout)
        return sum(n['ms'] for n in told['roofline']['nodes'] if 'Conv' in n['group']), told['min_ms']


class OneDnn:
    def __init__(self, build, cpu):
        self.program = build / 'bench' / 'bench_onednn'
        self.environment = {**os.environ, 'OMP_NUM_THREADS': '1', **({'DNNL_MAX_CPU_ISA': CAP[cpu]} if cpu else {})}

    def time(self, shape, is_float):
        """The faster algorithm's milliseconds and name."""
        found = []
        for algorithm in ('direct', 'winograd') if is_float else ('direct',):
            done = subprocess.run([self.program, 'f32' if is_float else 'u8s8', algorithm, *map(str, shape[1:])],
                                  env=self.environment, capture_output=True, text=True)
            if done.returncode == 0:
                ms, name = done.stdout.split()
                found.append((float(ms), f'{algorithm}, {name}'))
            elif done.returncode != 2:  # there is such an algorithm, but not for this shape
                raise subprocess.SubprocessError(done.stderr)
        return min(found)


def measure(shape, is_float, own, peer, rounds):
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/m.onnx'
        write_model(own.command, shape, is_float, path)
        ours, theirs = zip(*((own.times(path), peer.time(shape, is_float)) for _ in range(rounds)))
    step, whole = (min(times) for times in zip(*ours))
    ms, name = min(theirs)
    return [shape.name, 'float' if is_float else '8 bits', report.ms(step), report.ms(whole), report.ms(ms),
            f'{ms / step:.2f}', name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--cpu', choices=CAP)
    parser.add_argument('--only', default='', metavar='NAME', help='part of a name')
    parser.add_argument('--shape', action='append', type=shape_of, help='a convolution; may be given more than once')
    args = parser.parse_args()
    build = args.build.resolve()
    own, peer = Ocellus(build, args.cpu), OneDnn(build, args.cpu)
    if not peer.program.exists():
        print('bench_onednn is not built: libdnnl-dev of version 2 is missing', file=sys.stderr)
        return 1
    rows = [measure(shape, is_float, own, peer, args.rounds)
            for is_float in (True, False) for shape in args.shape or SHAPES if args.only in shape.name]
    print(report.table(['convolution', 'type', 'Ocellus ms', 'whole', 'oneDNN ms', 'ratio', 'by'], rows))
    return 0


if __name__ == '__main__':
    sys.exit(main())
