# SPDX-License-Identifier: Apache-2.0
"""cmake.py - examples/cmake, a project that finds the installed library by find_package, builds and runs,
also after the installed tree was moved."""
import os
import shutil
import sys
import tempfile

import tree
from recipe import run

build = sys.argv[2]
MODEL = os.path.join(tree.ROOT, 'examples/mirror.onnxtxt')
WANTED = '3 2 1 6 5 4\n'


def prefix_of(folder):
    """The folder that has what was installed below it."""
    config = next(where for where, _, names in os.walk(folder) if 'ocellus-config.cmake' in names)
    while not os.path.isdir(os.path.join(config, 'include')):
        config = os.path.dirname(config)
    return config


if not shutil.which('cmake'):
    tree.skip('cmake is not installed')
if not shutil.which(os.environ.get('CXX', 'c++')):
    tree.skip('there is no C++ compiler')
programs = 0
with tempfile.TemporaryDirectory() as folder:
    run('meson', 'install', '-C', build, '--no-rebuild', '--destdir', os.path.join(folder, 'at_first'))
    moved = os.path.join(folder, 'moved')
    os.rename(prefix_of(os.path.join(folder, 'at_first')), moved)
    made = os.path.join(folder, 'build')
    run('cmake', '-S', os.path.join(tree.ROOT, 'examples/cmake'), '-B', made, f'-DCMAKE_PREFIX_PATH={moved}',
        '-DCMAKE_C_FLAGS=-Wall -Wextra -Werror', '-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror')
    run('cmake', '--build', made)
    for name in ('embed', 'embed_cpp', 'embed_static'):
        programs += 1
        program = os.path.join(made, name)
        said = run(program, MODEL)
        linked = 'libocellus' in run('objdump', '-p', program)
        if said != WANTED or linked != (name != 'embed_static'):
            tree.finding('examples/cmake/CMakeLists.txt', 1, f'{name} printed {said!r}, '
                         f'{"linked" if linked else "not linked"} to the shared library')
tree.end(programs, 'programs')
