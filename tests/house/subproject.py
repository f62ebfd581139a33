# SPDX-License-Identifier: Apache-2.0
"""subproject.py - examples/subproject, a project that has Ocellus by a wrap file, fetches it with git, with a few operators
built in, builds without a word from us and runs."""
import os
import shutil

import tree
from recipe import Copy, run

EXAMPLE = 'examples/subproject'
PRINTED = '3 2 1 6 5 4\n'  # by the example
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
    'RoiAlign': {'RoiAlign'}, 'GridSample': {'GridSample'}, 'AffineGrid': {'AffineGrid'}, 'Shape': {'Shape', 'Size'},
    'concat': {'Concat'}, 'where': {'Where'}, 'control': {'If', 'Loop', 'Scan'}}

if not shutil.which('git'):
    tree.skip('git is not installed')
with Copy() as copy:
    # A repository of the copy's own, whichever the tree and the environment are of.
    for name in [name for name in os.environ if name.startswith('GIT_')]:
        del os.environ[name]
    git = ['git', '--git-dir', copy.path('.git'), '--work-tree', copy.root,
           '-c', 'user.name=test', '-c', 'user.email=test@localhost']
    if os.path.lexists(copy.path('.git')):
        tree.finding('tests/house/recipe.py', 1, 'a copy of the tree has a repository: expected the files alone')
        tree.end(1, 'programs')
    run(*git, 'init', '-q')
    run(*git, 'add', '-A')
    run(*git, 'commit', '-q', '-m', 'the tree')
    copy.write(EXAMPLE + '/host.c', HOST)
    with open(copy.path(EXAMPLE + '/meson.build'), 'a', encoding='utf-8') as f:
        f.write("executable('host', 'host.c', dependencies: dependency('ocellus'))\n")
    # Here Ocellus is a part of the project even where it is installed.
    run('meson', 'setup', copy.build, copy.path(EXAMPLE), '--buildtype=debug', '--force-fallback-for=ocellus',
        f'-Docellus:ops={",".join(WANTED)}', '-Docellus:simd=false')
    fetched = copy.path(EXAMPLE + '/subprojects/ocellus')
    if run('git', '-C', fetched, 'rev-parse', 'HEAD') != run(*git, 'rev-parse', 'HEAD'):
        tree.finding(EXAMPLE + '/subprojects/ocellus.wrap', 1, 'fetches another commit')
    copy.ninja('embed', 'host')
    said = run(copy.built('embed'), copy.path('examples/mirror.onnxtxt'))
    if said != PRINTED:
        tree.finding(EXAMPLE, 1, f'printed {said!r}')
    names = {line.split()[0] for line in run(copy.built('host')).splitlines()}
expected = set().union(*WANTED.values())
if names != expected:
    tree.finding('src/ops/meson.build', 1, f'built with {sorted(names)}, expected {sorted(expected)}')
tree.end(2, 'programs')
