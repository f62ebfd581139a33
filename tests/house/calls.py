# SPDX-License-Identifier: Apache-2.0
"""calls.py - in onnxruntime a function calls only functions of rooms that its own room may see, and no two files call each other,
directly or through others. Its header of all functions would hide that from a test of includes."""
import os
import re

import tree
from rooms import may_see

# The table names every function, and is what functions of the program are given: whoever calls them asks for it.
TABLE = 'ort_get_api_base'
COMMENT = re.compile(r'/\*.*?\*/', re.S)
# A definition begins its line; where a macro makes it, the macro's first argument is the name.
DEFINED = re.compile(r'^(?!static|typedef|#)[A-Za-z][\w *]*?\b\*?(ort_\w+)\([^;{]*\)[^;{]*\{|^ORT_\w+\((ort_\w+),', re.M)
NAME = re.compile(r'\bort_\w+')

texts = {path: COMMENT.sub('', tree.read(path)) for path in tree.files('*.c', '*.cpp', '*.inc') if path.startswith('onnxruntime/')}
home = {a or b: path for path, text in texts.items() for a, b in DEFINED.findall(text)}
calls = {path: sorted({name for name in NAME.findall(text) if name != TABLE and home.get(name, path) != path})
         for path, text in texts.items()}
checked = 0
for path, names in calls.items():
    for name in names:
        checked += 1
        room, other = (os.path.dirname(place).partition('/')[2] for place in (path, home[name]))
        if not may_see('onnxruntime', room, other):
            tree.finding(path, 1, f'{name} is in {home[name]}: {room} may not see {other}')
done = set()


def visit(path, above):
    """Tells of a circle that is closed below the files above."""
    if path in above:
        tree.finding(path, 1, 'a circle of calls: ' + ' -> '.join(above[above.index(path):] + [path]))
    elif path not in done:
        for other in sorted({home[name] for name in calls[path]}):
            visit(other, above + [path])
        done.add(path)


for path in sorted(calls):
    visit(path, [])
tree.end(checked, 'calls')
