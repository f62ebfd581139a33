# SPDX-License-Identifier: Apache-2.0
"""layout.py - every field of every public struct lies where layout.txt says, so that programs which are
compiled already work with this library; new fields come at the end of structs that grow.

layout.py ROOT CC --write adds new structs and fields to layout.txt."""
import os
import sys
import tempfile

import structs
import tree

RECORD = 'tests/house/layout.txt'
BITS = 64 # of the pointers that the record is about


def measure(cc, found):
    """struct -> (size, field -> (offset, size)), as the compiler lays them out; None: its pointers have
    another size."""
    lines = [*(f'#include <{os.path.basename(path)}>' for path in structs.HEADERS), '#include <stdio.h>', 'int main(void)', '{',
             'printf("%zu\\n", 8 * sizeof(void *));']
    for name, fields in found.items():
        lines += [f'printf("{name} - 0 %zu\\n", sizeof({name}));']
        lines += [f'printf("{name} {f} %zu %zu\\n", offsetof({name}, {f}), sizeof((({name} *)0)->{f}));'
                  for f in fields]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'layout.c')
        with open(source, 'w', encoding='utf-8') as f:
            f.write('\n'.join(lines + ['}', '']))
        bits, *rows = structs.run_program(cc, folder, source).splitlines()
    return read_rows(rows) if int(bits) == BITS else None


def read_rows(rows):
    table = {}
    for name, field, offset, size in (row.split() for row in rows):
        if field == '-':
            table[name] = (int(size), {})
        else:
            table[name][1][field] = (int(offset), int(size))
    return table


def compare(recorded, measured, grow):
    """Findings about what moved; returns how many structs or fields are not recorded."""
    for name, (size, fields) in recorded.items():
        now_size, now = measured.get(name, (0, {}))
        for field, place in fields.items():
            if now.get(field) != place:
                tree.finding(structs.place(name), 1, f'{name}.{field} is at {now.get(field)}, expected offset and size '
                             f'{place}: programs that are compiled would not work with this library')
        for field in now.keys() - fields.keys():
            if name not in grow:
                tree.finding(structs.place(name), 1, f'{name}.{field} is new, but {name} is no struct that grows')
            elif now[field][0] < size:
                tree.finding(structs.place(name), 1, f'{name}.{field} lies within the {size} bytes of older programs, which '
                             'leave padding unset: expected it past them')
        if now_size != size and name not in grow:
            tree.finding(structs.place(name), 1, f'{name} has {now_size} bytes, expected {size}')
    return sum(len(fields) + 1 for _, fields in measured.values()) - \
        sum(len(fields) + 1 for _, fields in recorded.values())


def write(measured):
    with open(os.path.join(tree.ROOT, RECORD), 'w', encoding='utf-8') as f:
        for name, (size, fields) in measured.items():
            f.write(f'{name} - 0 {size}\n')
            f.writelines(f'{name} {field} {offset} {bytes}\n' for field, (offset, bytes) in fields.items())


header = '\n'.join(structs.read().values())
found, grow = structs.structs(header), structs.that_grow(header)
for name in set(grow) - found.keys():
    tree.finding(structs.place(name), 1, f'{name} is to grow, but is no struct')
measured = measure(sys.argv[2].split(), found)
if measured is None:
    tree.skip(f'{RECORD} is about pointers of {BITS} bits')
recorded = read_rows(tree.read(RECORD).splitlines()) if os.path.exists(os.path.join(tree.ROOT, RECORD)) else {}
new = compare(recorded, measured, grow)
if sys.argv[3:] == ['--write'] and not tree.findings():
    write(measured)
elif new:
    tree.finding(RECORD, 1, f'{new} structs or fields are not recorded: "python3 tests/house/layout.py . cc --write" adds them')
tree.end(len(measured), 'structs')
