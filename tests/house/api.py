# SPDX-License-Identifier: Apache-2.0
"""api.py - Doxygen makes pages of the public headers without a warning, each function that is exported has a text
there, and what has no comment is refused."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import structs
import tree

# A field, a name of an enumeration and a function, and each without its comment.
BARE = {'    oc_status code;  /* OC_OK: no error */': '    oc_status code;',
        '    OC_SEQUENCE,   /* a list of values */': '    OC_SEQUENCE,',
        '/* Runs the graph on what is bound, and ends with an error where an input without default is not. */\n': ''}


def pages(include, folder):
    """What docs/api/api.py ended with and said."""
    ended = subprocess.run([sys.executable, '-B', os.path.join(tree.ROOT, 'docs/api/api.py'), 'doxygen', include, folder],
                           text=True, capture_output=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def texts(folder):
    """function -> what the pages say of it."""
    found = {}
    for name in os.listdir(folder):
        if name.endswith('.xml'):
            for entry in xml.etree.ElementTree.parse(os.path.join(folder, name)).iter('memberdef'):
                found[entry.findtext('name')] = ' '.join(
                    ''.join(entry.find(of).itertext()) for of in ('briefdescription', 'detaileddescription'))
    return found


if not shutil.which('doxygen'):
    tree.skip('doxygen is not installed')
include = os.path.join(tree.ROOT, 'include')
with tempfile.TemporaryDirectory() as folder:
    status, said = pages(include, folder)
    if status or not os.path.exists(os.path.join(folder, 'html', 'index.html')):
        tree.finding(structs.HEADERS[0], 1, f'Doxygen ended with {status} and said {said}')
        tree.end(1, 'headers')
    told = texts(os.path.join(folder, 'xml'))
exported = structs.exported('\n'.join(structs.read().values()))
for name in sorted(exported):
    if not told.get(name, '').strip():
        tree.finding(structs.place(name), 1, f'the pages say nothing of {name}')
header = tree.read(structs.HEADERS[0])
for whole, bare in BARE.items():
    if whole not in header:
        tree.finding('tests/house/api.py', 1, f'{structs.HEADERS[0]} has no "{whole}"')
        continue
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(include, os.path.join(folder, 'include'))
        with open(os.path.join(folder, structs.HEADERS[0]), 'w', encoding='utf-8') as f:
            f.write(header.replace(whole, bare))
        if not pages(os.path.join(folder, 'include'), os.path.join(folder, 'api'))[0]:
            tree.finding('docs/api/api.py', 1, f'takes a header without the comment of "{whole}"')
tree.end(len(exported), 'functions')
