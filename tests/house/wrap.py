# SPDX-License-Identifier: Apache-2.0
"""wrap.py - examples/subproject, a project that has Ocellus by a wrap file, fetches it with git, builds and runs."""
import os
import shutil

import tree
from recipe import Copy, run

EXAMPLE = 'examples/subproject'
WANTED = '3 2 1 6 5 4\n'
OPERATORS = 'Shape,AffineGrid,GridSample'  # those of the model

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
    # Here Ocellus is a part of the project even where it is installed.
    run('meson', 'setup', copy.build, copy.path(EXAMPLE), '--buildtype=debug', '--force-fallback-for=ocellus',
        f'-Docellus:ops={OPERATORS}', '-Docellus:simd=false')
    fetched = copy.path(EXAMPLE + '/subprojects/ocellus')
    if run('git', '-C', fetched, 'rev-parse', 'HEAD') != run(*git, 'rev-parse', 'HEAD'):
        tree.finding(EXAMPLE + '/subprojects/ocellus.wrap', 1, 'fetches another commit')
    copy.ninja('embed')
    said = run(copy.built('embed'), copy.path('examples/mirror.onnxtxt'))
    if said != WANTED:
        tree.finding(EXAMPLE, 1, f'printed {said!r}')
tree.end(1, 'programs')
