# SPDX-License-Identifier: Apache-2.0
"""dev.py - ./dev says what it cannot test: on a machine with a cross compiler and without libraries for it,
'dev arm64' builds nothing, says so and does not fail. And it installs by the names that the system has."""
import os
import re
import subprocess
import tempfile

import tree

PROGRAMS = {'aarch64-linux-gnu-gcc': 'echo cannot find -lcheck >&2; exit 1', 'qemu-aarch64': 'exit 0',
            'pkg-config': 'echo -lcheck -lprotobuf-c -lz'}


# A system's packages: those that are installed are in $INSTALLED, those that it knows in $KNOWN.
SYSTEM = {'dpkg-query': 'case " $INSTALLED " in *" $4 "*) echo install ok installed ;; *) exit 1 ;; esac',
          'apt-cache': 'case " $KNOWN " in *" $3 "*) echo "Package: $3" ;; *) exit 100 ;; esac',
          'apt-get': 'exit 0', 'sudo': '"$@"', 'meson': 'exit 7'}
COMMON = 'gcc meson ninja-build python3 protobuf-c-compiler libprotobuf-c-dev zlib1g-dev libpng-dev libjpeg-dev check'


def run(programs, *arguments, **more):
    """What ./dev ends with and prints where these programs are found before the machine's own, and with more in its
    environment."""
    with tempfile.TemporaryDirectory() as folder:
        for name, script in programs.items():
            path = os.path.join(folder, name)
            with open(path, 'w', encoding='utf-8') as f:
                f.write(f'#!/bin/sh\n{script}\n')
            os.chmod(path, 0o755)
        ended = subprocess.run([os.path.join(tree.ROOT, 'dev'), *arguments], capture_output=True, text=True, check=False,
                               env={**os.environ, 'OCELLUS_PACKAGES': '', **more, 'PATH': folder + os.pathsep + os.environ['PATH'],
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


def installs(known, installed, status, words):
    """What ./dev build says of packages before it builds, which fails on this system."""
    expect(run(SYSTEM, 'build', KNOWN=known, INSTALLED=installed), status, words)


DEBIAN = COMMON + ' pkg-config libjpeg62-turbo-dev libonnx-testdata'
UBUNTU = COMMON + ' pkgconf libjpeg-turbo8-dev'
FIRST = 'gcc meson ninja-build {} python3 protobuf-c-compiler libprotobuf-c-dev zlib1g-dev libpng-dev libjpeg-dev check'
installs(DEBIAN, '', 1, f'dev: installing {FIRST.format("pkg-config")} libonnx-testdata\n')
installs(UBUNTU, '', 1, 'dev: this system has no package libonnx-testdata: going on without\n'
         f'dev: installing {FIRST.format("pkgconf")}\n')
installs(DEBIAN, DEBIAN.replace(' libjpeg-dev', '').replace(' zlib1g-dev', ''), 1, 'dev: installing zlib1g-dev\n')
installs('', UBUNTU.replace(' check', ''), 1, 'dev: this system has no package check\n')

# The help of each command, where every program that installs or builds would be noticed.
NOTHING_RUNS = dict.fromkeys(('apt-get', 'apt-cache', 'dpkg-query', 'sudo', 'meson', 'ninja', 'npm', 'cc', 'gcc', 'mktemp'),
                             'echo it ran "$0" >&2; kill $PPID')
with open(os.path.join(tree.ROOT, 'dev'), encoding='utf-8') as f:
    TEXT = f.read()
COMMANDS = set(re.findall(r'^#   \./dev (\w+)', TEXT, re.M))
if COMMANDS != set(re.findall(r'^(\w+)\)$', TEXT[TEXT.index('case ${1-} in'):], re.M)):
    tree.finding('dev', 0, f'the lines at the beginning tell of {sorted(COMMANDS)}, which are not the commands')
for command in sorted(COMMANDS):
    for words in ([command, '--help'], [command, '-h'], [command, 'more', '--help']):
        ended = run(NOTHING_RUNS, *words)
        expect(ended, 0, f'  ./dev {command}')
        if 'it ran' in ended[1] or any(f'./dev {other} ' in ended[1] for other in COMMANDS - {command}):
            tree.finding('dev', 0, f'{words}: {ended[1]!r}')
expect(run(NOTHING_RUNS, 'bench', '--help'), 0, '--quick')
expect(run(NOTHING_RUNS, 'bench', 'models', '--help'), 0, '--rounds')
expect(run(NOTHING_RUNS, 'bench', 'web', '--help'), 0, '--rounds')
expect(run(NOTHING_RUNS, 'bench', 'first', '--help'), 0, '--rounds')
expect(run(NOTHING_RUNS, '--help'), 0, './dev web')
expect(run(NOTHING_RUNS, 'tset', '--help'), 2, 'dev: there is no command tset')
tree.end(14 + 3 * len(COMMANDS), 'calls')
