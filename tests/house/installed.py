# SPDX-License-Identifier: Apache-2.0
"""installed.py - what is installed serves a program through pkg-config, shared and static."""
import os
import sys
import tempfile

import tree
from recipe import run

build, cc = sys.argv[2], sys.argv[3].split()
MODEL = os.path.join(tree.ROOT, 'examples/mirror.onnxtxt')
SOURCE = os.path.join(tree.ROOT, 'examples/embed.c')
WANTED = '3 2 1 6 5 4\n'


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
        out = run(program, MODEL, env={**env, 'LD_LIBRARY_PATH': library})
        if out != WANTED:
            tree.finding(SOURCE, 1, f'printed {out!r}')
    headers = os.path.join(prefix, 'include')
    for name in sorted(os.listdir(os.path.join(tree.ROOT, 'include'))):
        if not os.path.exists(os.path.join(headers, name)):
            tree.finding('meson.build', 1, f'{name} is not installed')
    soname = run('objdump', '-p', os.path.join(library, 'libocellus.so'))
    if 'SONAME               libocellus.so.0\n' not in soname:
        tree.finding(library, 1, 'the soname is not libocellus.so.0')
tree.end(2, 'programs')
