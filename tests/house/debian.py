# SPDX-License-Identifier: Apache-2.0
"""debian.py - what debian/ repeats is what the project says: its version, the functions that the libraries export, and
files of the tree that packages have."""
import glob
import os
import re
import sys

import structs
import tree

CHANGELOG, PREDICT = 'debian/changelog', 'include/ocellus_predict.h'
version = sys.argv[2]

packaged = re.match(r'ocellus \(([\d.]+)\)', tree.read(CHANGELOG))
if not packaged or packaged.group(1) != version:
    tree.finding(CHANGELOG, 1, f'the version is not {version}')

functions = 0
for symbols, headers in (('debian/libocellus0.symbols', structs.read().values()),
                         ('debian/libocellus-predict0.symbols', [tree.read(PREDICT)])):
    listed = re.findall(r'^ (\w+)@Base [\d.]+$', tree.read(symbols), re.M)
    declared = structs.exported('\n'.join(headers))
    functions += len(declared)
    if listed != sorted(listed) or len(set(listed)) != len(listed):
        tree.finding(symbols, 1, 'the functions are not sorted, or one is there twice')
    for name in sorted(declared - set(listed)):
        tree.finding(symbols, 1, f'expected a line " {name}@Base {version}"')
    for name in sorted(set(listed) - declared):
        tree.finding(symbols, 1, f'{name} is no function of a public header')

taken = 0
for path in tree.files('*.docs', '*.examples'):
    for n, name in tree.lines(path):
        taken += bool(name)
        if name and not glob.glob(os.path.join(tree.ROOT, name)):
            tree.finding(path, n, f'there is no {name}')
tree.end(functions + taken, 'functions and files')
