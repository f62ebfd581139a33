# SPDX-License-Identifier: Apache-2.0
"""cmake.py ROOT BUILD [onnxruntime] - examples/cmake, a project that finds the installed library by find_package, builds and runs,
also after the installed tree was moved; and, where it was built, find_package(onnxruntime) finds the library of that interface in
the folder that CMAKE_PREFIX_PATH names."""
import os
import shutil
import sys
import tempfile

import tree
from recipe import run

build, interface = sys.argv[2], sys.argv[3:]
MODEL = os.path.join(tree.ROOT, 'examples/mirror.onnxtxt')
WANTED = '3 2 1 6 5 4\n'
LISTS = '''cmake_minimum_required(VERSION 3.13)
project(client C)
find_package(onnxruntime 1.16 REQUIRED)
add_executable(client client.c)
target_link_libraries(client onnxruntime::onnxruntime)
'''
# As much of ONNX Runtime's header as the program looks at.
CLIENT = '''#include <stdio.h>
typedef struct OrtApiBase { const void *(*GetApi)(unsigned version); const char *(*GetVersionString)(void); } OrtApiBase;
const OrtApiBase *OrtGetApiBase(void);
int main(void)
{
    puts(OrtGetApiBase()->GetApi(16) ? OrtGetApiBase()->GetVersionString() : "no table");
    return 0;
}
'''


def prefix_of(folder):
    """The folder that has what was installed below it."""
    config = next(where for where, _, names in os.walk(folder) if 'ocellus-config.cmake' in names)
    while not os.path.isdir(os.path.join(config, 'include')):
        config = os.path.dirname(config)
    return config


def try_interface(prefix, folder):
    """A program of ONNX Runtime's interface."""
    source, made = os.path.join(folder, 'client'), os.path.join(folder, 'client_build')
    os.mkdir(source)
    for name, text in (('CMakeLists.txt', LISTS), ('client.c', CLIENT)):
        with open(os.path.join(source, name), 'w', encoding='utf-8') as f:
            f.write(text)
    library = next(where for where, _, names in os.walk(prefix) if 'libonnxruntime.so.1' in names)
    run('cmake', '-S', source, '-B', made, f'-DCMAKE_PREFIX_PATH={library}')
    run('cmake', '--build', made)
    said = run(os.path.join(made, 'client'))
    if not said.startswith('1.'):
        tree.finding('onnxruntime/cmake/onnxruntimeConfig.cmake.in', 1, f'its program printed {said!r}')


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
    if interface:
        programs += 1
        try_interface(moved, folder)
tree.end(programs, 'programs')
