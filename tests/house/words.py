# SPDX-License-Identifier: Apache-2.0
"""words.py - the words of file names and public types are ONNX's, the glossary's, or plain English.

A name is cut at its underscores. Each part is a part of an operator's name, a word of docs/glossary.md, or one of
the plain words of words.txt, where every line is used. Within the library, and within the command, two rooms have
files of one name only where one has the kernel and the other the operator; tools/commands are named as users call them."""
import os
import re

import tree

TYPE = re.compile(r'^\} (oc_\w+);|^typedef (?:enum|struct|union)? ?\w+ \*?(oc_\w+);', re.M)
OPERATOR = re.compile(r'"(?:[\w.]+::)?([A-Z]\w+) ')


def parts(name):
    """grid_sample and GridSample as their words, in small letters."""
    name = re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', name)
    return [part for part in name.lower().split('_') if part and not part.isdigit()]


def glossary():
    known = set()
    for line in tree.read('docs/glossary.md').split('\n'):
        if line.startswith('- **'):
            known |= set(re.findall(r'[a-z0-9]+', line.split('**')[1].lower()))
    return known


def operators():
    known = set()
    for path in (p for p in tree.files('*.c') if p.startswith('src/ops/')):
        for name in OPERATOR.findall(tree.read(path)):
            known |= set(parts(name)) | {name.lower()}
    return known


plain = [line for line in tree.read('tests/house/words.txt').split('\n') if line and not line.startswith('#')]
known = glossary() | operators() | set(plain)
used = set()
checked = 0
for path in tree.files('*.c', '*.h', '*.inc'):
    if not path.startswith(('src/', 'tools/', 'include/', 'onnxruntime/')):
        continue
    names = [(1, os.path.splitext(os.path.basename(path))[0])]
    if path.startswith('include/'):
        text = tree.read(path)
        names += [(text.count('\n', 0, m.start()) + 1, (m[1] or m[2])[3:]) for m in TYPE.finditer(text)]
    for line, name in names:
        checked += 1
        for part in parts(name):
            used |= {part, part.removesuffix('s'), part + 's'}
            if not {part, part.removesuffix('s'), part + 's'} & known:
                tree.finding(path, line, f'"{part}" is no word of ONNX, of docs/glossary.md or of tests/house/words.txt')
rooms = {}  # of the library or the command and a name: the rooms
for path in tree.files('*.c', '*.h', '*.inc'):
    if path.startswith(('src/', 'tools/')) and not path.startswith('tools/commands/'):
        room, file = os.path.split(path)
        rooms.setdefault((path.split('/')[0], os.path.splitext(file)[0]), set()).add(room)
for (_, name), found in rooms.items():
    kernels = [room for room in found if room.startswith('src/kernels/')]
    operators_of = [room for room in found if room.startswith('src/ops/') and room not in ('src/ops/kit', 'src/ops/signature')]
    if len(found) > 1 and not (len(found) == 2 and len(kernels) == len(operators_of) == 1):
        tree.finding(f'{sorted(found)[0]}/{name}', 1, f'there is a file of this name in {", ".join(sorted(found)[1:])} too')
for word in plain:
    if word not in used:
        tree.finding('tests/house/words.txt', 1, f'no name has "{word}"')
tree.end(checked, 'names')
