#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""predict.py MODEL FOLDER [--build BUILD] [--npm FOLDER] - a folder of photographs through a detector, with the outputs of YOLOv8.

`ocellus predict` on two threads beside `ocellus map`, which prepares the pictures as --preset yolo does and writes the
outputs as they are, and beside onnxruntime-node with sharp, where --npm/node_modules has both (peer_predict.js).
All take turns, in reversed order in every other round. Tells the seconds of the clock and of the processors, and objects."""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def run(words: list[str], env: dict[str, str]) -> tuple[float, float]:
    """Seconds of the clock, and of all processors together."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, env=env, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lines(path: str) -> int:
    with open(path, encoding='utf-8') as f:
        return sum(1 for _ in f)


def ways_of(a: argparse.Namespace, out: str) -> dict[str, list[str]]:
    command = [os.path.abspath(os.path.join(a.build, 'tools', 'ocellus'))]
    options = ['--threads', '2', '-q'] + (['--cpu', a.cpu] if a.cpu else [])
    ways = {
        'predict': [*command, 'predict', a.model, a.folder, '--table', out + '/predict.csv', *options],
        'predict, drawing': [*command, 'predict', a.model, a.folder, '-o', out + '/drawn', '--again', *options],
        'map': [*command, 'map', a.model, '-i', a.folder, '-o', out + '/map', '--again', '--preset', 'yolo', *options],
    }
    peer = ['node', os.path.join(HERE, 'peer_predict.js'), a.model, a.folder]
    if all(os.path.isdir(os.path.join(a.npm, 'node_modules', n)) for n in ('onnxruntime-node', 'sharp')):
        ways['onnxruntime-node, same steps'] = [*peer, out + '/same.csv', 'same']
        ways['onnxruntime-node, fast decoder'] = [*peer, out + '/fast.csv', 'fast']
    else:
        print(f'without onnxruntime-node: {a.npm} has not both it and sharp', file=sys.stderr)
    return ways


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument('model')
    p.add_argument('folder')
    p.add_argument('--build', default='build')
    p.add_argument('--npm', default='build/bench/npm')
    p.add_argument('--cpu', help='limits Ocellus alone')
    p.add_argument('--rounds', type=int, default=3)
    a = p.parse_args()
    env = {**os.environ, 'NODE_PATH': os.path.abspath(os.path.join(a.npm, 'node_modules'))}
    with tempfile.TemporaryDirectory() as out:
        ways = ways_of(a, out)
        took: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for k in range(a.rounds):
            for way in list(ways)[::-1 if k % 2 else 1]:
                took[way].append(run(ways[way], env))
                print(f'{k + 1} {way}: {took[way][-1][0]:.2f} s, processors {took[way][-1][1]:.2f} s', file=sys.stderr)
        for way, words in ways.items():
            clock, processors = zip(*took[way])
            table = next((w for w in words if w.endswith('.csv')), None)
            objects = f', {lines(table) - (way == "predict")} objects' if table else ''
            print(f'{way:31} clock {statistics.median(clock):6.2f} (least {min(clock):.2f}) s, processors '
                  f'{statistics.median(processors):6.2f} (least {min(processors):.2f}) s{objects}')


if __name__ == '__main__':
    main()
