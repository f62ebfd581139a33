# SPDX-License-Identifier: Apache-2.0
"""bodies_page.py ROOT OCELLUS - docs/bodies.md is what ocellus check --all finds.

The greatest differences, the last two columns of its table, are the machine's and not compared."""
import difflib
import subprocess
import sys

import tree

PAGE = 'docs/bodies.md'


def stable(text):
    for line in text.split('\n'):
        yield '|'.join(line.split('|')[:-3]) if line.startswith('|') else line


if len(sys.argv) < 3:
    tree.skip('the command is not built')
# Exit code 1 is a disagreement, which the page would show.
found = subprocess.run([sys.argv[2], 'check', '--all', '--markdown'], text=True, capture_output=True)
if found.returncode not in (0, 1) or found.stderr:
    tree.finding(PAGE, 0, f'ocellus check: exit code {found.returncode} {found.stderr}')
old, new = list(stable(tree.read(PAGE))), list(stable(found.stdout))
for line in difflib.unified_diff(old, new, PAGE, 'now', lineterm='', n=0):
    print(line)
if old != new:
    tree.finding(PAGE, 0, 'out of date: ocellus check --all --markdown >docs/bodies.md')
tree.end(len(new), 'lines')
