# SPDX-License-Identifier: Apache-2.0
"""circles.py - within a room no file includes one that includes it, directly or through others: each file can be read after
those that it names. A header and the source of its name are one."""
import os
import re

import tree

INCLUDE = re.compile(r'^\s*#\s*(?:include|define TEMPLATE)\s*"([^">]+)"', re.M)

parts = {}  # a path without its ending -> the files
for path in tree.files('*.c', '*.cpp', '*.h', '*.inc', '*.def'):
    if path.startswith(('src/', 'tools/', 'onnxruntime/')):
        parts.setdefault(os.path.splitext(path)[0], []).append(path)


def seen_by(part):
    """The parts of the same room that a part includes."""
    room, top = os.path.dirname(part), part.split('/')[0]
    for path in parts[part]:
        for name in INCLUDE.findall(tree.read(path)):
            other = f'{top}/{os.path.splitext(name)[0]}'
            if other != part and other in parts and os.path.dirname(other) == room:
                yield other


sees = {part: sorted(set(seen_by(part))) for part in parts}
done = set()


def visit(part, above):
    """Tells of a circle that is closed below the parts above."""
    if part in above:
        circle = above[above.index(part):] + [part]
        tree.finding(parts[part][0], 1, 'a circle of includes: ' + ' -> '.join(os.path.basename(p) for p in circle))
    elif part not in done:
        for other in sees[part]:
            visit(other, above + [part])
        done.add(part)


for part in sorted(sees):
    visit(part, [])
tree.end(len(sees), 'files')
