# SPDX-License-Identifier: Apache-2.0
"""adding_an_op.py - docs/adding-an-op.md, followed to the letter in a copy of the tree, ends with a
case that passes."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree

RECIPE = tree.read('docs/adding-an-op.md')
MADE = re.findall(r'^<!-- makes (\S+) -->\n```\w*\n(.*?)^```', RECIPE, re.M | re.S)
WORD = re.search(r"^\*\*2\. The word\*\*: `'(\w+)'`", RECIPE, re.M).group(1)


def run(*command):
    result = subprocess.run(command, text=True, capture_output=True)
    if result.returncode:
        print(result.stdout, result.stderr)
        sys.exit(1)
    return result.stdout


with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, 'ocellus')
    for path in tree.files('*'):
        os.makedirs(os.path.dirname(os.path.join(copy, path)), exist_ok=True)
        shutil.copy(os.path.join(tree.ROOT, path), os.path.join(copy, path))
    for path, text in MADE:
        os.makedirs(os.path.dirname(os.path.join(copy, path)), exist_ok=True)
        with open(os.path.join(copy, path), 'w', encoding='utf-8') as f:
            f.write(text)
    operators = os.path.join(copy, 'src/ops/meson.build')
    with open(operators, encoding='utf-8') as f:
        text = f.read()
    with open(operators, 'w', encoding='utf-8') as f:
        f.write(text.replace('ops = [\n', f"ops = [\n  '{WORD}',\n", 1))

    build = os.path.join(folder, 'b')
    run('meson', 'setup', build, copy, '--buildtype=debug', '-Dwerror=true', f'-Dops={WORD}',
        '-Dtools=disabled')
    run('ninja', '-C', build, 'tests/cases/run_cases')
    print(run('meson', 'test', '-C', build, '--no-rebuild', '--print-errorlogs', WORD))
    print(run(os.path.join(build, 'tests/cases/run_cases'), os.path.join(copy, 'tests/cases', WORD)))
tree.end(len(MADE), 'files made')
