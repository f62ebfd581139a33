# SPDX-License-Identifier: Apache-2.0
"""client.py - compiles a program that uses ONNX Runtime's interface, links it with a library of that interface, and runs it
on the models beside this file; an example is run as its first comment says. It is skipped without the library, ONNX Runtime's headers or a C++ compiler.

usage: client.py SOURCE LIBRARY OCELLUS HEADERS FLAG COMPILER..
HEADERS is a folder that keeps the headers, FLAG one for the C compiler or ''."""
import glob
import os
import subprocess
import sys
import tempfile

import headers

source, library, ocellus, kept, flag, *compiler = sys.argv[1:]
library = os.path.realpath(library)
is_cxx = source.endswith('.cpp')


def skip(why):
    print('skipped:', why)
    sys.exit(77)


def convert(folder):
    for path in glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'models', '*.onnxtxt')):
        name = os.path.splitext(os.path.basename(path))[0]
        subprocess.run([ocellus, 'convert', path, os.path.join(folder, name + '.onnx')], check=True)


def build(program, include):
    language = ['-x', 'c++', '-std=c++17'] if is_cxx else ['-x', 'c', '-std=c11']
    libraries = [library, '-Wl,-rpath,' + os.path.dirname(library), *(['-lstdc++'] if is_cxx else []), '-lpthread', '-lm']
    subprocess.run([*compiler, *filter(None, [flag]), *language, '-Wall', '-Wextra', '-Wno-unused-parameter', '-isystem', include,
                    source, '-x', 'none', *libraries, '-o', program], check=True)


def has_cxx():
    return subprocess.run([*compiler, '-x', 'c++', '-fsyntax-only', '-include', 'string', os.devnull], check=False).returncode == 0


if not os.path.exists(library):
    skip(f'there is no {library}')
if is_cxx and not has_cxx():
    skip('there is no C++ compiler')
try:
    include = headers.find(os.path.abspath(kept))
except headers.Missing as missing:
    skip(missing)
with tempfile.TemporaryDirectory() as folder:
    convert(folder)
    program = os.path.join(folder, 'program')
    build(program, include)
    command, root = [program, folder], os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if os.path.samefile(os.path.dirname(source), os.path.join(root, 'examples')):
        command = [sys.executable, '-B', os.path.join(root, 'examples/expect.py'), source, program, root]
    status = subprocess.run(command, cwd=folder, check=False).returncode
sys.exit(f'ended by signal {-status}' if status < 0 else status)
