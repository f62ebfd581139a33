# SPDX-License-Identifier: Apache-2.0
"""adding_isa.py ROOT - docs/adding-an-instruction-set.md, followed to the letter in a copy of the tree: the kernels that the page
names have the variant, with the bits of the scalar kernel."""
import platform
import re

import recipe
import tree

PATH = 'docs/adding-an-instruction-set.md'
PAGE = tree.read(PATH)
NAME, LINES = re.search(r"^\*\*4\. The words\*\*.*?`'(\w+)'` on the lines of (.*?), anywhere", PAGE, re.M | re.S).groups()
BUILD = 'src/kernels/meson.build'


if platform.machine() != 'x86_64':
    tree.skip('the page is about a processor of this family')
checked = 0
with recipe.Copy() as copy:
    copy.make(PAGE)
    sources = re.findall(r'`([\w/]+_simd\.c)`', LINES)
    for source in sources:
        with open(copy.path(BUILD), encoding='utf-8') as f:
            text = f.read()
        copy.write(BUILD, text.replace(f"'{source}': [", f"'{source}': ['{NAME}', "))
    copy.setup('-Dsimd=true', '-Dops=identity', '-Dtools=disabled')
    for source in sources:
        program = 'tests/kernels/check_' + source.split('/')[-1].removesuffix('_simd.c')
        copy.ninja(program)
        recipe.run(copy.built(program))
        times = recipe.run(copy.built(program), '--bench=quick')
        checked += 1
        if not re.search(rf' {NAME} +[0-9.]', times):
            tree.finding(PATH, 1, f'{program} times no variant {NAME}:\n{times}')
tree.end(checked, 'kernels')
