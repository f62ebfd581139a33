#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""node_call.py - the time of a call through onnxruntime-node, with ONNX Runtime's library and with Ocellus' in its place.

    bench/node_call.py BUILD [--rounds N]

Models of next to no work, so that what is timed is the call. Both libraries take turns; the table has the least and the
median of each, in microseconds, and the medians' ratio. BUILD has bench/npm from ./dev bench, or npm fetches it."""
import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, '..', 'tests', 'onnxruntime', 'node'))
import node_package  # noqa: E402

HEADER = '<ir_version: 8, opset_import: ["" : 17]>\n'
MODELS = {  # name: (calls in a round, text)
    'relu of 8': (2000, 'g (float[8] x) => (float[8] y) { y = Relu (x) }'),
    'four inputs, four outputs': (1000, 'g (float[8] a, float[8] b, float[8] c, float[8] d) => (float[8] p, float[8] q, float[8] r,'
                                        ' float[8] s) { p = Relu (a) q = Relu (b) r = Relu (c) s = Relu (d) }'),
    'ten nodes': (1000, 'g (float[8] x0) => (float[8] x10) {'
                        + ' '.join(f'x{i + 1} = {"Neg" if i % 2 else "Relu"} (x{i})' for i in range(10)) + '}'),
    '1 MB out': (300, 'g (float[1] x) => (float[262144] y) { n = Constant <value = int64[1] {262144}> () y = Expand (x, n) }'),
    '1 MB in and out': (300, 'g (float[262144] x) => (float[262144] y) { y = Relu (x) }'),
}


@contextlib.contextmanager
def player(modules, library, folder):
    with subprocess.Popen(['node', os.path.join(HERE, 'node_call.js'), modules, folder], env=node_package.environment(library), text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        def time_of(name, runs):
            process.stdin.write(f'{name.replace(" ", "_")} {runs}\n')
            process.stdin.flush()
            return float(process.stdout.readline())
        yield time_of
        process.stdin.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', help='the build folder')
    parser.add_argument('--rounds', type=int, default=15)
    parser.add_argument('--library', help="in place of BUILD's libonnxruntime.so.1")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    library = os.path.abspath(args.library or os.path.join(build, 'onnxruntime', 'libonnxruntime.so.1'))
    modules = node_package.fetch(os.path.join(build, 'bench', 'npm'))
    with tempfile.TemporaryDirectory() as folder, node_package.with_library(modules, library) as copy:
        for name, (_, text) in MODELS.items():
            path = os.path.join(folder, name.replace(' ', '_'))
            with open(path + '.onnxtxt', 'w', encoding='utf-8') as f:
                f.write(HEADER + text)
            subprocess.run([os.path.join(build, 'tools', 'ocellus'), 'convert', path + '.onnxtxt', path + '.onnx'], check=True)
        own = node_package.own_library(modules)
        with player(modules, own, folder) as theirs, player(copy, library, folder) as ours:
            print('| call | ONNX Runtime, least | median | Ocellus, least | median | medians\' ratio |\n|---|--:|--:|--:|--:|--:|')
            for name, (runs, _) in MODELS.items():
                times = [], []
                for i in range(args.rounds + 1):
                    for took, play in zip(times, (theirs, ours)) if i % 2 else reversed(list(zip(times, (theirs, ours)))):
                        took.append(play(name, runs))
                told = [f'{value:.1f}' for took in times for value in (min(took[1:]), statistics.median(took[1:]))]
                ratio = statistics.median(times[1][1:]) / statistics.median(times[0][1:])
                print('|', name, '|', ' | '.join(told), f'| {ratio:.2f} |', flush=True)


main()
