#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pairs.py NEW OLD [FILTER...] - two builds on every case of ./dev bench, in one process each time, run by run in turns.

NEW and OLD are build folders. Least times are pooled over processes (--processes), since where a process's memory lies is
worth a tenth where memory is the limit; and the build that is loaded first takes turns. Prints the ratio of least times, and of medians, of each case, then of families. With
--networks FOLDER, the .onnx files of the folder instead, on the inputs that ./dev bench models gives them."""
import argparse
import collections
import glob
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import cases
import models
from run import fits


def library(build):
    return os.path.realpath(next(iter(glob.glob(os.path.join(build, 'src', 'libocellus.so.0')))))


def geometric(ratios):
    return math.prod(x ** (1 / len(ratios)) for x in ratios)


def times(args, is_new_first, threads, path, inputs):
    """Milliseconds in one process: least of NEW and of OLD, median of NEW and of OLD."""
    builds = (args.new, args.old) if is_new_first else (args.old, args.new)
    done = subprocess.run([os.path.join(args.new, 'bench', 'bench_pair'), *map(library, builds), threads, str(args.seconds),
                           path, *inputs], check=True, stdout=subprocess.PIPE, text=True)
    a, b, a_median, b_median = map(float, done.stdout.split())
    return (a, b, a_median, b_median) if is_new_first else (b, a, b_median, a_median)


def built_in(args):
    """Names, paths, and inputs (NAME=FILE) of the cases of ./dev bench."""
    folder = models.Folder(os.path.join(args.new, 'bench', 'data'), os.path.join(args.new, 'tools', 'ocellus'))
    for case in cases.cases():
        if fits(case.name, args.filter):
            yield case.name, folder.model(case.model), folder.inputs(case.model)


def networks(args):
    import feeds as made  # which needs numpy, and onnx
    feeds_of = made.load_feeds()
    for path in sorted(path for folder in args.networks for path in folder.rglob('*.onnx')):
        if fits(path.stem, args.filter):
            with tempfile.TemporaryDirectory() as folder:
                feeds = feeds_of(pathlib.Path(args.new) / 'tools' / 'ocellus', path)
                yield path.stem, path, made.write_inputs(feeds, folder)


def main():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    a.add_argument('new')
    a.add_argument('old')
    a.add_argument('filter', nargs='*', help='part of a name, or a pattern with * and ?; all must fit')
    a.add_argument('--networks', action='append', type=pathlib.Path, metavar='FOLDER', help='may be given more than once')
    a.add_argument('--processes', type=int, default=3)
    a.add_argument('--seconds', type=float, default=0.5)
    a.add_argument('--threads', default='1,2')
    a = a.parse_args()
    families = collections.defaultdict(list)
    for name, path, inputs in networks(a) if a.networks else built_in(a):
        for threads in a.threads.split(','):
            rows = [times(a, k % 2 == 0, threads, path, inputs) for k in range(a.processes)]
            new, old, new_median, old_median = (min(column) for column in zip(*rows))
            families[threads, 'networks' if a.networks else name.split()[0]].append(old / new)
            print(f'{threads}  {old / new:.3f}  median {old_median / new_median:.3f}  {name}', flush=True)
    for (threads, family), ratios in sorted(families.items()):
        print(f'{threads} threads, {family}: {geometric(ratios):.3f} over {len(ratios)}, least {min(ratios):.3f}')


if __name__ == '__main__':
    sys.exit(main())
