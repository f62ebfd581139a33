# SPDX-License-Identifier: Apache-2.0
"""adding_a_body.py - docs/adding-a-function-body.md, followed to the letter in a copy of the tree, ends
with a body that agrees with the kernel of docs/adding-an-op.md, and serves where that is not built."""
import re

import recipe
import tree

PAGE = tree.read('docs/adding-a-function-body.md')
KERNEL = tree.read('docs/adding-an-op.md')
CASES = re.search(r"^\*\*4\. The cases\*\*.* with `'([\w.]+)'` beside the word of step 2", PAGE, re.M).group(1)
OP = CASES.split('.')[0]
MODEL = f'<ir_version: 8, opset_import: ["" : 13]> g (float[3] x) => (float[3] y) {{ y = {OP} (x) }}\n'
NEEDS = 'constant,cast,binary'  # files of the operators that the body calls
WORD = recipe.word(KERNEL)


def expect(text, part):
    if part not in text:
        tree.finding('docs/adding-a-function-body.md', 1, f"'{part}' expected in:\n{text}")


with recipe.Copy() as copy:
    copy.follow(KERNEL, 'src/ops/meson.build')
    copy.follow(PAGE, 'functions/meson.build')
    copy.add_word('functions/meson.build', CASES)
    model = copy.write('model.onnxtxt', MODEL)
    ocellus = copy.built('tools/ocellus')
    case = [copy.built('tests/cases/run_cases'), copy.path(f'tests/cases/{WORD}')]

    copy.setup(f'-Dops={WORD},{NEEDS}', '-Dtools=enabled')
    copy.ninja('tools/ocellus', 'tests/cases/run_cases')
    expect(recipe.run(ocellus, 'inspect', model), 'native')
    expect(recipe.run(ocellus, 'check', OP), ' 0 disagreements')
    expect(recipe.run(ocellus, 'expand', model, '-o', '-'), 'Mul (')
    expect(recipe.run(*case), '2 passed, 0 failed')

    recipe.run('meson', 'configure', copy.build, f'-Dops={NEEDS}')
    copy.ninja('tools/ocellus', 'tests/cases/run_cases')
    expect(recipe.run(ocellus, 'inspect', model), 'body')
    recipe.run(ocellus, 'check', model, '--fill', 'random')
    expect(recipe.run(*case), '2 passed, 0 failed')
tree.end(len(recipe.files(PAGE)), 'files made')
