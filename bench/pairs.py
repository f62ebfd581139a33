#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pairs.py NEW OLD [FILTER...] - two builds on every case of ./dev bench, in one process each time, run by run in turns.

NEW and OLD are build folders. Least times are pooled over processes (--processes), since where a process's memory lies is
worth a tenth where memory is the limit. Prints the ratio of least times, and of medians, of each case, then of families."""
import argparse
import collections
import glob
import math
import os
import subprocess
import sys

import cases
import models
from run import fits


def library(build):
    return os.path.realpath(next(iter(glob.glob(os.path.join(build, 'src', 'libocellus.so.0')))))


def geometric(ratios):
    return math.prod(x ** (1 / len(ratios)) for x in ratios)


def main():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    a.add_argument('new')
    a.add_argument('old')
    a.add_argument('filter', nargs='*', help='part of a name, or a pattern with * and ?; all must fit')
    a.add_argument('--processes', type=int, default=3)
    a.add_argument('--seconds', type=float, default=0.5)
    a.add_argument('--threads', default='1,2')
    a = a.parse_args()
    folder = models.Folder(os.path.join(a.new, 'bench', 'data'), os.path.join(a.new, 'tools', 'ocellus'))
    families = collections.defaultdict(list)
    for case in cases.cases():
        if not fits(case.name, a.filter):
            continue
        path, inputs = folder.model(case.model), folder.inputs(case.model)
        for threads in a.threads.split(','):
            rows = [list(map(float, subprocess.run(
                [os.path.join(a.new, 'bench', 'bench_pair'), library(a.new), library(a.old), threads, str(a.seconds), path,
                 *inputs], check=True, capture_output=True, text=True).stdout.split()))
                for _ in range(a.processes)]
            new, old, new_median, old_median = (min(column) for column in zip(*rows))
            families[threads, case.name.split()[0]].append(old / new)
            print(f'{threads}  {old / new:.3f}  median {old_median / new_median:.3f}  {case.name}', flush=True)
    for (threads, family), ratios in sorted(families.items()):
        print(f'{threads} threads, {family}: {geometric(ratios):.3f} over {len(ratios)}, least {min(ratios):.3f}')


if __name__ == '__main__':
    sys.exit(main())
