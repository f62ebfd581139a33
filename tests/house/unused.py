# SPDX-License-Identifier: Apache-2.0
"""unused.py - every function that a header of src/ declares is called within src/: the library holds
nothing for the tests alone."""
import re

import structs
import tree

COMMENT = re.compile(r'/\*.*?\*/', re.S)
WORD = re.compile(r'\boc_\w+')
# Part of the text form that only text cases need.
TESTS_ALONE = {'oc_load_text_tensor'}
DECLARED = re.compile(r'^(?!typedef)[a-z][\w *]*?\b(oc_\w+)\(', re.M)

declared = {}  # function -> its header
uses = {}
for path in tree.files('*.c', '*.h', '*.inc', '*.def', 'meson.build'):
    if not path.startswith(('src/', 'functions/')):
        continue
    text = COMMENT.sub('', tree.read(path))
    for name in WORD.findall(text):
        uses[name] = uses.get(name, 0) + 1
    if path.endswith('.h'):
        for name in DECLARED.findall(text):
            declared.setdefault(name, path)
public = {name for text in structs.read().values() for name in WORD.findall(text)}
for name, path in sorted(declared.items()):
    # Once in the header, once where it is defined; one that a header defines is there once.
    inline = re.search(rf'^static inline [^;]*\b{name}\(', tree.read(path), re.M)
    if name not in public | TESTS_ALONE and uses[name] <= (1 if inline else 2):
        tree.finding(path, 1, f'nothing in src/ calls {name}')
tree.end(len(declared), 'functions')
