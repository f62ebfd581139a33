# SPDX-License-Identifier: Apache-2.0
"""subproject.py - examples/subproject, a project that has Ocellus by a wrap file, fetches it with git and builds without a word
from us. Its own commands, as its first comment has them, build what its program calls, with kernels that are compiled for
speed; another build has a few operators, by file, family and ONNX's names."""
import json
import os
import re
import shutil

import tree
from recipe import Copy, compiler, run

EXAMPLE = 'examples/subproject'
PRINTED = '3 2 1 6 5 4\n'  # by the example
SETUP, *BUILD = re.search(r'^#   (meson setup .*)', tree.read(EXAMPLE + '/meson.build'), re.M).group(1).split(' && ')
HOST = """#include <ocellus_op.h>
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


def check_flags(build):
    """Each file of src/kernels is compiled with -O2 or better, and what it is linked with as the host says."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as f:
        commands = json.load(f)
    levels = {}
    for path, command in ((entry['file'], entry['command']) for entry in commands):
        kind = 'kernels' if '/src/kernels/' in path else 'others'
        levels.setdefault(kind, set()).add((re.findall(r' (-O\w*)', command) or ['-O0'])[-1])
    if not levels['kernels'] or levels['kernels'] - {'-O2', '-O3'} or levels['others'] != {'-O0'}:
        tree.finding('src/kernels/meson.build', 1, f'a build for debugging compiles with {levels}')


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
    example = copy.path(EXAMPLE)
    said = run(*SETUP.split(), '--force-fallback-for=ocellus', cwd=example, env=compiler())
    wanted = 'Ocellus: kernels are built with -O2, all else with -O0'
    if wanted not in said:
        tree.finding('meson.build', 1, f'setup does not say {wanted!r}')
    for command in BUILD:
        said = run(*command.split(), cwd=example, env=compiler())
    if said != PRINTED:
        tree.finding(EXAMPLE, 1, f'{BUILD[-1]} printed {said!r}')
    check_flags(os.path.join(example, 'build'))
    run('meson', 'setup', copy.build, copy.path(EXAMPLE), '--buildtype=debug', '--force-fallback-for=ocellus',
        f'-Docellus:ops={",".join(WANTED)}', '-Docellus:simd=false', env=compiler())
    fetched = copy.path(EXAMPLE + '/subprojects/ocellus')
    if run('git', '-C', fetched, 'rev-parse', 'HEAD') != run(*git, 'rev-parse', 'HEAD'):
        tree.finding(EXAMPLE + '/subprojects/ocellus.wrap', 1, 'fetches another commit')
    copy.ninja('host')
    names = {line.split()[0] for line in run(copy.built('host')).splitlines()}
expected = set().union(*WANTED.values())
if names != expected:
    tree.finding('src/ops/meson.build', 1, f'built with {sorted(names)}, expected {sorted(expected)}')
tree.end(2, 'programs')
