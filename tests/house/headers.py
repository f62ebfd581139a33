# SPDX-License-Identifier: Apache-2.0
"""headers.py - each header compiles alone; the public ones as C99, C11 and C++ too, and the one for C++."""
import os
import subprocess
import sys

import tree

folders, cc, cxx = sys.argv[2].split(':'), sys.argv[3].split(), sys.argv[4].split()
STRICT = ['-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Werror']
checked = 0


def compile_alone(path, command, language, standard):
    global checked
    checked += 1
    result = subprocess.run(
        [*command, *STRICT, f'-std={standard}', '-x', language, *(f'-I{f}' for f in folders), '-'],
        cwd=tree.ROOT, input=f'#include "{path}"\n#include "{path}"\nextern int nothing;\n', text=True,
        capture_output=True)
    if result.returncode:
        tree.finding(path, 1, f'as {standard}:\n{result.stderr}')


for path in tree.files('*.h'):
    # simd.h brings the others of its room, each for its own instruction set.
    if path.startswith('src/') and (path.endswith('/simd.h') or not path.startswith('src/kernels/simd/')):
        compile_alone(path[len('src/'):], cc, 'c', 'c11')
    elif path.startswith('onnxruntime/'):
        compile_alone(path[len('onnxruntime/'):], cc, 'c', 'c11')
for path in tree.files('*.h', '*.hpp'):
    folder, name = os.path.split(path)
    if folder != 'include':
        continue
    if name.endswith('.h'):
        for standard in ('c99', 'c11'):
            compile_alone(name, cc, 'c', standard)
    if cxx:
        for standard in ('c++11', 'c++17') if name.endswith('.h') else ('c++17', 'c++20'):
            compile_alone(name, cxx, 'c++', standard)
if not cxx:
    print('no C++ compiler: not tried as C++')
tree.end(checked, 'compilations')
