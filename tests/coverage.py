#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py - tells which part of src the tests of a build with -Db_coverage=true ran, for ./dev coverage.

    tests/coverage.py BUILD [FOLDER..]

A line for each folder of src: its lines and branches, and how many of them ran. For each FOLDER, its files follow,
with the lines that did not run and, after a "?", those where a branch was never taken. What is written for an
instruction set that this machine lacks is left out, by the names of files. Exit status 1: a folder is below what
CONTRIBUTING.md asks for.
"""
import collections
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINES, BRANCHES = 96, 90  # per cent, of each folder
SETS = {'_avx2': 'avx2', '_avx512': 'avx512f', '_neon': 'asimd'}  # in a file's name: a flag of /proc/cpuinfo


def counts(build):
    """What gcovr tells of each file of src: a list of objects with its path and its lines."""
    command = ['gcovr', '--root', ROOT, '--filter', os.path.join(ROOT, 'src/'), '--json', '-j', str(os.cpu_count()),
               '--exclude-unreachable-branches', os.path.join(build, 'src')]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return json.loads(printed)['files']


def can_run(path):
    with open('/proc/cpuinfo', encoding='utf-8') as f:
        flags = set(f.read().split())
    return all(part not in path or flag in flags for part, flag in SETS.items())


def ranges(numbers):
    """1 2 3 7 -> 1-3 7"""
    runs = []
    for n in sorted(numbers):
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ' '.join(str(a) if a == b else f'{a}-{b}' for a, b in runs)


class Sum:
    """Lines and branches of one file, or of many."""

    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_run = 0
        self.unrun, self.untaken = [], []

    def add(self, lines):
        for line in lines:
            if line.get('gcovr/noncode'):
                continue
            self.lines += 1
            self.lines_run += line['count'] > 0
            taken = [b['count'] > 0 for b in line['branches']]
            self.branches += len(taken)
            self.branches_run += sum(taken)
            if not line['count']:
                self.unrun.append(line['line_number'])
            elif not all(taken):
                self.untaken.append(line['line_number'])

    def shares(self):
        return (100 * self.lines_run / max(self.lines, 1), 100 * self.branches_run / max(self.branches, 1))

    def text(self, name):
        lines, branches = self.shares()
        return f'{name:<36}{self.lines:>8}{lines:>8.1f} %{self.branches:>10}{branches:>8.1f} %'


def main():
    build, shown = sys.argv[1], [os.path.normpath(folder) for folder in sys.argv[2:]]
    folders, files, left_out = collections.defaultdict(Sum), {}, 0
    for file in counts(build):
        path = file['file']
        if not can_run(os.path.basename(path)):
            left_out += 1
            continue
        files[path] = Sum()
        files[path].add(file['lines'])
        folders['/'.join(path.split('/')[:2])].add(file['lines'])
        folders['src'].add(file['lines'])
    print(f'{"folder":<36}{"lines":>8}{"run":>10}{"branches":>10}{"taken":>10}')
    for folder in sorted(folders):
        print(folders[folder].text(folder))
    for path in sorted(files):
        if any(path.startswith(folder + '/') or path == folder for folder in shown):
            unrun, untaken = ranges(files[path].unrun), ranges(files[path].untaken)
            print(files[path].text(path) + (f'\n    {unrun}' if unrun else '') + (f'\n    ? {untaken}' if untaken else ''))
    print(f'{left_out} files are for instruction sets that this machine lacks')
    low = [f for f, s in folders.items() if s.shares()[0] < LINES or s.shares()[1] < BRANCHES]
    if low:
        sys.exit(f'coverage.py: below {LINES} % of lines or {BRANCHES} % of branches: {" ".join(sorted(low))}')


if __name__ == '__main__':
    main()
