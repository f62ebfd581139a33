# SPDX-License-Identifier: Apache-2.0
"""adding_an_op.py - docs/adding-an-op.md, followed to the letter in a copy of the tree, ends with a
case that passes."""
import recipe
import tree

PAGE = tree.read('docs/adding-an-op.md')
WORD = recipe.word(PAGE)

with recipe.Copy() as copy:
    copy.follow(PAGE, 'src/ops/meson.build')
    copy.setup(f'-Dops={WORD}', '-Dtools=disabled')
    copy.ninja('tests/cases/run_cases')
    print(recipe.run('meson', 'test', '-C', copy.build, '--no-rebuild', '--print-errorlogs', WORD))
    print(recipe.run(copy.built('tests/cases/run_cases'), copy.path(f'tests/cases/{WORD}')))
tree.end(len(recipe.files(PAGE)), 'files made')
