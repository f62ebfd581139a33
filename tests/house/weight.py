# SPDX-License-Identifier: Apache-2.0
"""weight.py - the stripped sizes: the shared library with every operator stays below 2.3 MB, the command below 2.9 MB, the
library with the vision operators and those that models call around them below 750 KB, made as small as compilers do below
500 KB, so made with Relu alone below 326 KB, and with Softmax, of a family whose other files are left out, below 340 KB."""
import glob
import os
import subprocess
import sys
import tempfile

import recipe
import tree


def weigh(path, label, most):
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, 'stripped')
        subprocess.run(['strip', '-o', stripped, path], check=True)
        size = os.path.getsize(stripped)
    print(f'{label}: {size} bytes')
    if size > most:
        tree.finding(label, 0, f'{size} bytes, at most {most} are allowed')


library, command = sys.argv[2:]
weigh(library, os.path.basename(library), 2_300_000)
weigh(command, os.path.basename(command), 2_900_000)
for ops, kind, most in ('vision', 'release', 750_000), ('vision', 'minsize', 500_000), ('Relu', 'minsize', 326_000), ('Softmax', 'minsize', 340_000):
    with recipe.Copy() as copy:
        recipe.run('meson', 'setup', copy.build, copy.root, '--buildtype=' + kind, '-Dops=' + ops,
                   '-Dtools=disabled', '-Dtests=disabled', env=recipe.compiler())
        recipe.run('ninja', '-C', copy.build, env=recipe.compiler())
        library = next(path for path in glob.glob(os.path.join(copy.build, 'src', 'libocellus.so*'))
                       if os.path.isfile(path) and not os.path.islink(path))
        weigh(library, f'libocellus.so with -Dops={ops} --buildtype={kind}', most)
tree.end(len(sys.argv) - 1, 'files')
