# SPDX-License-Identifier: Apache-2.0
"""layers.py - every include respects the tables of rooms in ARCHITECTURE.md. Plan and runtime know no operator by its
name: what they need of one is a mark of its signature or a trait of its version."""
import os
import re

import tree
from rooms import ROOMS, SHARED, may_see, room_of

INCLUDE = re.compile(r'^\s*#\s*(?:include|define TEMPLATE)\s*(["<])([^">]+)[">]')
# Made in the build folder: who may include them.
GENERATED = {
    'cases.def': r'tools/check/library\.c',
    'font.def': r'tools/draw/font\.c',
    'functions.def': r'src/bodies/table\.c',
    'ops/ops.def': r'src/ops/kit/registry\.c',
    'onnx_messages.def': r'src/loader/onnx_messages\.c',
    'vision_texts.def': r'tools/predict/vision_texts\.c',
    'page_parts.def': r'tools/inspect/page\.c',
    'onnx.pb-c.h': r'src/loader/onnx[a-z_]*\.[ch]',
    'version.h': r'onnxruntime/table/table\.c',
    'versions.def': r'onnxruntime/table/table\.c',
}
# Headers that show such a file to whoever includes them.
PRIVATE = {
    'loader/onnx.h': GENERATED['onnx.pb-c.h'],
    'loader/onnx_write.h': GENERATED['onnx.pb-c.h'],
}

# Operators in their tables, whose names macros may put together; and a word in quotes.
OPERATOR = re.compile(r'"(?:[\w.]+::)?([A-Z][a-z0-9]\w*)[" <(]')
QUOTED = re.compile(r'"(\w+)"')
NAMELESS = ('src/plan/', 'src/runtime/', 'src/types/')


def check_room(path, n, name):
    """An include of a file of ours, in a file of a room."""
    top, folder = path.split('/')[0], os.path.dirname(path).partition('/')[2]
    allowed = GENERATED.get(name) or PRIVATE.get(name)
    if allowed and not re.fullmatch(allowed, path):
        tree.finding(path, n, f'"{name}" may be seen by {allowed} only')
    if name in GENERATED:
        return
    shared = 'src/' + os.path.dirname(name)
    other = shared if top == 'tools' and shared in SHARED else os.path.dirname(name)
    if not os.path.isfile(os.path.join(tree.ROOT, 'src' if other == shared else top, name)):
        tree.finding(path, n, f'"{name}" is not written from {top}/')
    elif not may_see(top, folder, other):
        seen = ' '.join([folder, *ROOMS[top][room_of(top, folder)]])
        tree.finding(path, n, f'"{name}": {folder} may see only {seen}')


operators = {name for path in tree.files('*.c') if path.startswith('src/ops/') for name in OPERATOR.findall(tree.read(path))}
checked = 0
for path in tree.files('*.c', '*.cpp', '*.h', '*.inc', '*.def'):
    top, _, below = path.partition('/')
    if top in ROOMS and not room_of(top, os.path.dirname(below)):
        if path != 'tools/ocellus.c':
            tree.finding(path, 1, 'its folder is no room of ARCHITECTURE.md')
        continue
    for n, line in tree.lines(path):
        for name in operators.intersection(QUOTED.findall(line)) if path.startswith(NAMELESS) else ():
            tree.finding(path, n, f'"{name}": {os.path.dirname(path)} knows no operator by its name')
        include = INCLUDE.match(line)
        if not include or top not in ('src', 'tools', 'examples', 'onnxruntime'):
            continue
        checked += 1
        quote, name = include.groups()
        if quote == '"' and top in ROOMS:
            check_room(path, n, name)
        elif quote == '"':
            tree.finding(path, n, f'"{name}": an example sees only public headers')
        elif top != 'src' and os.path.isfile(os.path.join(tree.ROOT, 'src', name)):
            tree.finding(path, n, f'<{name}>: {top} sees only public headers of the library')
        elif name.startswith('protobuf-c') and not re.fullmatch(r'src/loader/wire_scan\.[ch]', path):
            tree.finding(path, n, f'<{name}> comes with "onnx.pb-c.h"; only the scan needs it alone')
tree.end(checked, 'includes')
