# SPDX-License-Identifier: Apache-2.0
"""layers.py - every include respects the table of layers in ARCHITECTURE.md."""
import os
import re

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
# Made in the build folder: who may include them.
GENERATED = {
    'functions.def': r'src/loader/functions\.c',
    'ops/fusions.def': r'src/ops/fusion\.c',
    'ops/ops.def': r'src/ops/registry\.c',
    'onnx.pb-c.h': r'src/loader/onnx[a-z_]*\.[ch]',
}
# Headers that show such a file to whoever includes them.
PRIVATE = {
    'loader/onnx.h': GENERATED['onnx.pb-c.h'],
    'loader/onnx_write.h': GENERATED['onnx.pb-c.h'],
}


def table():
    text = tree.read('ARCHITECTURE.md')
    block = re.search(r'^```\n(base:.*?)^```', text, re.M | re.S).group(1)
    layers = {}
    for line in block.splitlines():
        name, seen = line.split(':')
        for below in seen.split():
            if below not in layers:  # written bottom up, so that there is no cycle
                tree.finding('ARCHITECTURE.md', 1, f'{name} may see {below}, which the lines above do not have')
        layers[name] = {name, *seen.split()}
    return layers


def check_library(layers, path, n, name):
    layer = path.split('/')[1]
    allowed = GENERATED.get(name) or PRIVATE.get(name)
    if allowed and not re.fullmatch(allowed, path):
        tree.finding(path, n, f'"{name}" may be seen by {allowed} only')
    if name in GENERATED:
        return
    if not os.path.isfile(os.path.join(tree.ROOT, 'src', name)):
        tree.finding(path, n, f'"{name}" is not written from src/')
    elif name.split('/')[0] not in layers[layer]:
        tree.finding(path, n, f'"{name}": {layer} may see only {" ".join(sorted(layers[layer]))}')


def check_user(path, n, name):
    beside = os.path.join(tree.ROOT, os.path.dirname(path), name)
    if '/' in name or not os.path.isfile(beside):
        tree.finding(path, n, f'"{name}": only <ocellus.h> and files of this folder may be seen')


layers = table()
for folder in sorted(os.listdir(os.path.join(tree.ROOT, 'src'))):
    if os.path.isdir(os.path.join(tree.ROOT, 'src', folder)) and folder not in layers:
        tree.finding('ARCHITECTURE.md', 1, f'the layer {folder} is not in the table')

checked = 0
for path in tree.files('*.c', '*.h', '*.inc', '*.def'):
    top = path.split('/')[0]
    for n, line in tree.lines(path):
        include = INCLUDE.match(line)
        if not include or top not in ('src', 'tools', 'examples'):
            continue
        checked += 1
        quote, name = include.groups()
        if top == 'src' and quote == '"':
            check_library(layers, path, n, name)
        elif quote == '"':
            check_user(path, n, name)
        elif name.startswith('protobuf-c') and not re.fullmatch(r'src/loader/scan\.[ch]', path):
            tree.finding(path, n, f'<{name}> comes with "onnx.pb-c.h"; only the scan needs it alone')
tree.end(checked, 'includes')
