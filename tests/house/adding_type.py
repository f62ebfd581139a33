# SPDX-License-Identifier: Apache-2.0
"""adding_type.py ROOT - docs/adding-an-element-type.md, followed to the letter in a copy of the tree: the tests that the page names
pass with the new type, and without any list that the page calls needed, the file does not compile that the page names."""
import re
import subprocess

import recipe
import tree

PATH = 'docs/adding-an-element-type.md'
PAGE = tree.read(PATH)
PROGRAMS = ['tests/unit/test_base_float8', 'tests/unit/test_tensor_bits', 'tests/unit/test_tensor_convert',
            'tests/unit/test_tensor_literal', 'tests/unit/test_loader_onnx_tensor', 'tests/tools/test_common_number']
CASES = 'tests/cases/run_cases'


def object_of(copy, path):
    """The file that a source is compiled into."""
    end = '_'.join(path.split('/')[-2:]) + '.o'
    targets = recipe.run('ninja', '-C', copy.build, '-t', 'targets', 'all')
    return next(line.split(':')[0] for line in targets.split('\n') if line.split(':')[0].endswith(end))


def want_failure(copy, source, message):
    """Does the source, and it alone, refuse to compile, and say so?"""
    found = subprocess.run(['ninja', '-C', copy.build, object_of(copy, source)], text=True, capture_output=True,
                           env=recipe.compiler(), check=False)
    if found.returncode == 0 or message not in found.stdout:
        tree.finding(PATH, 1, f'{source} was to say "{message}":\n{found.stdout[-2000:]}')


checked = 0
with recipe.Copy() as copy:
    copy.make(PAGE)
    copy.setup('-Dops=cast', '-Dtools=enabled')
    copy.ninja(*PROGRAMS, CASES)
    for program in PROGRAMS:
        print(recipe.run(copy.built(program)))
    print(recipe.run(copy.built(CASES), copy.path('tests/cases/cast/float8e3m4.onnxtxt')))
    checked += len(PROGRAMS) + 1
    for source, message in re.findall(r'^Forgotten: `(\S+)` does not compile, "(.*?)"', PAGE, re.M):
        # All that is added between the step before and this sentence, in one file.
        before = PAGE[:PAGE.index(f'Forgotten: `{source}`')]
        path, _, text = recipe.lines(before)[-1]
        with open(copy.path(path), encoding='utf-8') as f:
            whole = f.read()
        copy.write(path, whole.replace(text, ''))
        want_failure(copy, source, message)
        copy.write(path, whole)
        checked += 1
tree.end(checked, 'programs and lists')
