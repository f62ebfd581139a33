# SPDX-License-Identifier: Apache-2.0
"""dev.py - ./dev says what it cannot test: on a machine with a cross compiler and without libraries for it,
'dev arm64' builds nothing, says so and does not fail."""
import os
import subprocess
import tempfile

import tree

PROGRAMS = {'aarch64-linux-gnu-gcc': 'echo cannot find -lcheck >&2; exit 1', 'qemu-aarch64': 'exit 0',
            'pkg-config': 'echo -lcheck -lprotobuf-c -lz'}


def run(programs, *arguments):
    """What ./dev ends with and prints where these programs are found before the machine's own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, script in programs.items():
            path = os.path.join(folder, name)
            with open(path, 'w', encoding='utf-8') as f:
                f.write(f'#!/bin/sh\n{script}\n')
            os.chmod(path, 0o755)
        ended = subprocess.run([os.path.join(tree.ROOT, 'dev'), *arguments], capture_output=True, text=True, check=False,
                               env={**os.environ, 'PATH': folder + os.pathsep + os.environ['PATH'],
                                    'OCELLUS_BUILD': os.path.join(folder, 'build')})
    return ended.returncode, ended.stdout + ended.stderr


def expect(result, status, words):
    if result[0] != status or words not in result[1]:
        tree.finding('dev', 0, f'ended with {result[0]} and said {result[1]!r}, expected {status} and {words!r}')


NOTHING = 'dev: the arm64 libraries are not installed: nothing is tested on arm64 (CONTRIBUTING.md)'
expect(run(PROGRAMS, 'arm64'), 0, NOTHING)
expect(run({**PROGRAMS, 'pkg-config': 'exit 1'}, 'arm64'), 0, NOTHING)
expect(run({**PROGRAMS, 'aarch64-linux-gnu-gcc': 'exit 0', 'qemu-aarch64': 'exit 255'}, 'arm64'), 0, NOTHING)
expect(run({}, 'arm65'), 2, './dev arm64')
tree.end(4, 'calls')
