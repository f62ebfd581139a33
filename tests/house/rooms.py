# SPDX-License-Identifier: Apache-2.0
"""rooms.py - the tables of rooms in ARCHITECTURE.md: what the files of a room may see besides each other.

"ops/*" is a row for every folder of ops that has none of its own, and in what a row may see it is all of them."""
import fnmatch
import re

import tree

# Rooms of src that the table of tools may name.
SHARED = {'src/base'}


def read_table(first):
    """Room -> what it may see, as patterns, of the table that begins with these lines. Written bottom up, so that there is no
    cycle."""
    text = tree.read('ARCHITECTURE.md')
    block = re.search(rf'^```\n({first}:.*?)^```', text, re.M | re.S).group(1)
    rooms = {}
    for line in block.splitlines():
        room, seen = line.split(':')
        for below in seen.split():
            if not fnmatch.filter(rooms, below) and below not in rooms and below not in SHARED:
                tree.finding('ARCHITECTURE.md', 1, f'{room} may see {below}, which the lines above do not have')
        rooms[room] = seen.split()
    return rooms


ROOMS = {'src': read_table('base'), 'tools': read_table('common: +src/base\nfiles'), 'onnxruntime': read_table('common:\nvalues')}


def room_of(top, folder):
    """The row of a folder below src, tools or onnxruntime; None: it has none."""
    if folder in ROOMS[top]:
        return folder
    return next((row for row in ROOMS[top] if fnmatch.fnmatchcase(folder, row)), None)


def may_see(top, folder, other):
    seen = ROOMS[top][room_of(top, folder)]
    return folder == other or any(fnmatch.fnmatchcase(other, row) for row in seen)
