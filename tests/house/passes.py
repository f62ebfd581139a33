# SPDX-License-Identifier: Apache-2.0
"""passes.py - two tables of passes, in docs/adding-a-pass.md and in src/plan/README.md, are what src/plan/make_plan.c lists:
names, order, sentences. With --write at the end it writes them."""
import os
import re
import sys

import tree

SOURCE = 'src/plan/make_plan.c'
ENTRY = re.compile(r'\{"(\w+)", (oc_plan_\w+),[^"]*"([^"]*)"\}')
STEP_ENTRY = re.compile(r'/\* (.*?) \*/\n    \{"(\w+)", (oc_plan_\w+)\}')


def body(array):
    text = re.search(rf'{array}\[\] = \{{(.*?)\n    \{{0\}}\}};', tree.read(SOURCE), re.S)
    return text[1] if text else ''


def places():
    """Function of a pass -> its file, or its folder with / at the end."""
    found = {}
    for path in sorted(p for p in tree.files('*.c') if p.startswith('src/plan/')):
        for function in re.findall(r'^(?:OC_PASS|OC_STEP_PASS)\((\w+)\)|^oc_status (oc_plan_find_inputs)\(', tree.read(path), re.M):
            inner = os.path.relpath(path, 'src/plan')
            found[''.join(function)] = inner.split('/')[0] + '/' if '/' in inner else inner
    return found


def check(page, head, rows):
    """The rows that follow a table's head are these."""
    text = tree.read(page)
    part = re.search(rf'^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)*)', text, re.M)
    made = ''.join(f'| {" | ".join(row)} |\n' for row in rows)
    if part and sys.argv[-1] == '--write':
        with open(os.path.join(tree.ROOT, page), 'w', encoding='utf-8') as f:
            f.write(text[:part.start(1)] + made + text[part.end(1):])
    elif not part or part[1] != made:
        tree.finding(page, 1, f'is not what "python3 tests/house/passes.py . --write" makes of {SOURCE}')


for array, entry in (('oc_passes', ENTRY), ('oc_step_passes', STEP_ENTRY)):
    if len(entry.findall(body(array))) != body(array).count('{"'):
        tree.finding(SOURCE, 1, f'a line of {array} is no pass: a name of one word, a function, a sentence')
passes = []
for name, function, then in ENTRY.findall(body('oc_passes')):
    passes.append((name, function, then))
    if name == 'walk':
        passes += [(f'- {inner}', f, text) for text, inner, f in STEP_ENTRY.findall(body('oc_step_passes'))]
if not any(name.startswith('- ') for name, *_ in passes):
    tree.finding(SOURCE, 1, 'no passes are found')
file_of = places()
check('docs/adding-a-pass.md', 'pass', [(name, then) for name, _, then in passes])
check('src/plan/README.md', 'file of a pass', [(f'`{file_of.get(f)}`', name, then) for name, f, then in passes])
tree.end(len(passes), 'passes')
