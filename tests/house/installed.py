# SPDX-License-Identifier: Apache-2.0
"""installed.py ROOT BUILD CC [onnxruntime] - what is installed serves a program through pkg-config, shared and static, and those of
docs/embedding.md by the lines there; and, where it was built, libonnxruntime.so.1 in its folder serves one that opens it, without
a word of where libocellus is."""
import os
import re
import subprocess
import sys
import tempfile

import tree
from recipe import run

build, cc, interface = sys.argv[2], sys.argv[3].split(), sys.argv[4:]
MODEL = os.path.join(tree.ROOT, 'examples/mirror.onnxtxt')
SOURCE = os.path.join(tree.ROOT, 'examples/embed.c')
PAGE = os.path.join(tree.ROOT, 'docs/embedding.md')
CLIENT = os.path.join(tree.ROOT, 'tests/house/onnxruntime.c')
WANTED = '3 2 1 6 5 4\n'


def expect(source, out):
    if out != WANTED:
        tree.finding(source, 1, f'printed {out!r}')


def try_interface(library, folder):
    """A program of ONNX Runtime's interface."""
    client = os.path.join(folder, 'client')
    run(*cc, '-std=c11', '-Wall', '-Werror', f'-I{tree.ROOT}/onnxruntime', CLIENT, '-o', client, '-ldl')
    path = os.path.join(library, 'ocellus', 'libonnxruntime.so.1')
    expect(CLIENT, run(client, path, MODEL, env={k: v for k, v in os.environ.items() if k != 'LD_LIBRARY_PATH'}))


def try_page(place, folder):
    """Compiles the programs of the page, in another folder than the tree. What needs a package that this machine or this build
    has not is left out. Returns how many there are."""
    with open(PAGE, encoding='utf-8') as f:
        commands = re.findall(r'^    cc (.*) -o (\w+)$', f.read(), re.M)
    path = os.pathsep.join([place, *filter(None, [os.environ.get('PKG_CONFIG_PATH')])])
    env = {**os.environ, 'PKG_CONFIG_PATH': path}
    os.symlink(os.path.join(tree.ROOT, 'examples'), os.path.join(folder, 'examples'))
    for words, program in commands:
        needs = re.findall(r'ocellus\w*(?=\))', words) + ['libjpeg'] * ('-ljpeg' in words)
        if subprocess.run(['pkg-config', '--exists', *needs], env=env).returncode == 0:
            run('sh', '-c', f'exec {" ".join(cc)} {words} -o {program}', cwd=folder,
                env={**env, 'PKG_CONFIG_SYSROOT_DIR': folder})
    return len(commands)


with tempfile.TemporaryDirectory() as folder:
    run('meson', 'install', '-C', build, '--no-rebuild', '--destdir', folder)
    place = next(where for where, _, names in os.walk(folder) if 'ocellus.pc' in names)
    library = os.path.dirname(place)
    env = {**os.environ, 'PKG_CONFIG_PATH': place}
    prefix = os.path.join(folder, run('pkg-config', '--variable=prefix', 'ocellus', env=env).strip('/\n'))
    for static in ([], ['--static']):
        flags = run('pkg-config', '--cflags', '--libs', *static, f'--define-variable=prefix={prefix}',
                    'ocellus', env=env).split()
        if static:
            flags[flags.index('-locellus')] = os.path.join(library, 'libocellus.a')
        program = os.path.join(folder, 'embed')
        run(*cc, '-std=c11', '-Wall', '-Werror', SOURCE, '-o', program, *flags)
        expect(SOURCE, run(program, MODEL, env={**env, 'LD_LIBRARY_PATH': library}))
    n_commands = try_page(place, folder)
    if interface:
        try_interface(library, folder)
    headers = os.path.join(prefix, 'include')
    for name in sorted(os.listdir(os.path.join(tree.ROOT, 'include'))):
        if not name.endswith('.def') and not os.path.exists(os.path.join(headers, name)):
            tree.finding('meson.build', 1, f'{name} is not installed')
    soname = run('objdump', '-p', os.path.join(library, 'libocellus.so'))
    if 'SONAME               libocellus.so.0\n' not in soname:
        tree.finding(library, 1, 'the soname is not libocellus.so.0')
tree.end(2 + n_commands + len(interface), 'programs')
