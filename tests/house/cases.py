# SPDX-License-Identifier: Apache-2.0
"""cases.py - no folder of text cases is forgotten, and every operator has a case."""
import json
import os
import re
import subprocess
import sys

import tree

run = set(sys.argv[2].split())
base = os.path.join(tree.ROOT, 'tests/cases')
folders = {f for f in os.listdir(base) if os.path.isdir(os.path.join(base, f))}
for name in sorted(folders - run):
    tree.finding('tests/cases/meson.build', 1, f'the folder {name} is not run')
for name in sorted(run):
    if not any(f.endswith('.onnxtxt') for f in os.listdir(os.path.join(base, name))):
        tree.finding(f'tests/cases/{name}', 1, 'holds no case')
# Operators may share a folder: what counts is that some case calls each.
called = set()
for path in tree.files('*.onnxtxt'):
    if path.startswith('tests/cases/'):
        called |= set(re.findall(r'=\s*((?:[a-z][\w.]*\.)?[A-Z]\w*)\s*[<(]', tree.read(path)))
if len(sys.argv) == 3:  # the command is not built
    tree.end(len(run), 'folders')
listing = subprocess.run(sys.argv[3:], check=True, text=True, capture_output=True).stdout
for name in sorted({op['operator'] for op in json.loads(listing)['operators']}):
    if name.replace('::', '.') not in called:
        tree.finding('tests/cases', 1, f'no case calls {name}')
tree.end(len(run), 'folders')
