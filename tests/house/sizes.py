# SPDX-License-Identifier: Apache-2.0
"""sizes.py - programs compiled with an older header, whose structs end earlier, and with a newer one, whose
structs have a field more, work with today's library (sizes.c)."""
import os
import re
import sys
import tempfile

import structs
import tree

SOURCE = os.path.join(tree.ROOT, 'tests/house/sizes.c')
# struct that grows -> the first field that the older header has not; what sizes.c uses comes before it.
CUT = {
    'oc_model_options': 'external',
    'oc_session_options': 'op_options',
    'oc_port': 'has_default',
    'oc_model_info': 'n_parameters',
    'oc_model_operator': 'count',
    'oc_node_info': 'attr',
    'oc_node_event': 'nanoseconds',
    'oc_session_stats': 'steps',
}


def change(headers, name, edit):
    """The headers, with the body of one struct as edit makes it."""
    path = structs.place(name)
    header = headers[path]
    start = header.index(f'typedef struct {name} {{\n')
    end = header.index(f'\n}} {name};', start)
    return {**headers, path: header[:start] + edit(header[start:end]) + header[end:]}


def cut(field):
    """An edit that ends a struct before the declaration of a field."""
    declared = re.compile(r'[^;{]*\b' + field + r'\b(?=[\[;)]).*', re.S)
    return lambda body: declared.sub('', structs.COMMENT.sub('', body), count=1)


shared, cc = sys.argv[2], sys.argv[3].split()
link = [shared, f'-Wl,-rpath,{os.path.dirname(os.path.abspath(shared))}']
today = structs.read()
older = newer = today
for name in structs.that_grow(today[structs.HEADERS[0]]):
    if name not in CUT:
        tree.finding('tests/house/sizes.py', 1, f'{name} grows: expected a field of it that an older header has not')
        continue
    older = change(older, name, cut(CUT[name]))
    newer = change(newer, name, lambda body: body + '\n    long long later;')
fields = structs.structs('\n'.join(older.values()))
for name, field in CUT.items():
    if field in fields[name] or len(fields[name]) < 2:
        tree.finding('tests/house/sizes.py', 1, f'the older {name} is {fields[name]}, expected an end before {field}')
with tempfile.TemporaryDirectory() as folder:
    for label, headers, flags in (('older', older, []), ("today's", today, []), ('newer', newer, ['-DLATER'])):
        said = structs.run_program(cc, folder, SOURCE, *flags, *link, headers=headers)
        for line in said.splitlines():
            tree.finding(SOURCE, 1, f'with the {label} header: {line}')
tree.end(3, 'programs')
