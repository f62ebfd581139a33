# SPDX-License-Identifier: Apache-2.0
"""passes.py - the table of passes in docs/adding-a-pass.md is that of src/plan/make_plan.c: names, order, sentences."""
import re

import tree

SOURCE, PAGE = 'src/plan/make_plan.c', 'docs/adding-a-pass.md'
ENTRY = re.compile(r'\{"(\w+)", oc_plan_\w+,[^"]*"([^"]*)"\}')
STEP_ENTRY = re.compile(r'/\* (.*?) \*/\n    \{"(\w+)", oc_plan_\w+\}')


def body(array):
    text = re.search(rf'{array}\[\] = \{{(.*?)\n    \{{0\}}\}};', tree.read(SOURCE), re.S)
    return text[1] if text else ''


passes = ENTRY.findall(body('oc_passes'))
of_steps = [(name, then) for then, name in STEP_ENTRY.findall(body('oc_step_passes'))]
wanted = []
for name, then in passes:
    wanted.append(f'| {name} | {then} |')
    if name == 'walk':
        wanted += [f'| - {inner} | {text} |' for inner, text in of_steps]
if not passes or not of_steps:
    tree.finding(SOURCE, 1, 'no passes are found')
rows = [(number, line) for number, line in tree.lines(PAGE) if line.startswith('| ') and not line.startswith('| pass |')]
for i, want in enumerate(wanted):
    number, line = rows[i] if i < len(rows) else (1, '')
    if line != want:
        tree.finding(PAGE, number, f'expected {want!r}')
        break
if len(rows) > len(wanted):
    tree.finding(PAGE, rows[len(wanted)][0], 'this pass is not in make_plan.c')
tree.end(len(wanted), 'passes')
