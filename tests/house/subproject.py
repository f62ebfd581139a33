# SPDX-License-Identifier: Apache-2.0
"""subproject.py - a program that has this project as a Meson subproject, with a few operators built in,
builds without a word from us and runs."""
import os
import sys
import tempfile

import tree
from recipe import run

BUILD = """project('host', 'c', default_options: ['c_std=c11', 'warning_level=3', 'werror=true'])
ocellus = dependency('ocellus', fallback: 'ocellus')
executable('host', 'host.c', dependencies: ocellus)
"""
HOST = """#include <ocellus.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; oc_builtin_op(i); i++)
        puts(oc_builtin_op(i)->signature);
    return 0;
}
"""
WANTED = {  # files, a family and ONNX's names
    'RoiAlign': {'RoiAlign'}, 'GridSample': {'GridSample'},
    'concat': {'Concat'}, 'where': {'Where'}, 'control': {'If', 'Loop', 'Scan'}}


with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, 'subprojects'))
    os.symlink(os.path.abspath(tree.ROOT), os.path.join(folder, 'subprojects', 'ocellus'))
    for name, text in (('meson.build', BUILD), ('host.c', HOST)):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
            f.write(text)
    build = os.path.join(folder, 'b')
    run('meson', 'setup', build, folder, '--buildtype=debug', f'-Docellus:ops={",".join(WANTED)}',
        '-Docellus:simd=false', *sys.argv[2:])
    run('ninja', '-C', build, 'host')
    signatures = run(os.path.join(build, 'host')).splitlines()
names = {s.split()[0] for s in signatures}
expected = set().union(*WANTED.values())
if names != expected:
    tree.finding('src/ops/meson.build', 1, f'built with {sorted(names)}, expected {sorted(expected)}')
tree.end(len(signatures), 'rows')
