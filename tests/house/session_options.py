# SPDX-License-Identifier: Apache-2.0
"""session_options.py - what tells of the options of a session tells what include/session_options.def lists: the structs of
ocellus.h, the help of the command, the table of docs/session-options.md, and the package for Python.

session_options.py ROOT CC [OCELLUS]; with --write at the end it writes the table, the lines of Python, and by layout.py
the record of the struct's layout."""
import json
import os
import re
import subprocess
import sys
import textwrap
from collections import namedtuple

import structs
import tree

LIST, HEADER = 'include/session_options.def', 'include/ocellus.h'
Row = namedtuple('Row', 'name field kind plan results value otherwise sentence')
ROW = re.compile(r'OC_OPTION\((\w+), ([\w.]+), (\w+), (\w+), (\w+), (?:NULL|"([^"]+)"), "([^"]+)",\s+"([^"]+)"\)')
# kind -> its types in C, and in a signature of Python
KINDS = {'SWITCH': (('bool', 'int'), 'bool = False'), 'INT': (('int',), 'int = 0'),
         'INT64': (('int64_t',), 'Optional[int] = None'), 'UINT64': (('uint64_t',), 'int = 0'),
         'BYTES': (('size_t',), 'Optional[int] = None'), 'SECONDS': (('double',), 'Optional[float] = None'),
         'TEXT': (('const char *',), 'Optional[str] = None'), 'CHOICE': (('int',), "str = '{otherwise}'")}
CTYPES = {'bool': 'c_bool', 'int': 'c_int', 'int64_t': 'c_int64', 'uint64_t': 'c_uint64', 'size_t': 'c_size_t',
          'double': 'c_double', 'const char *': 'c_char_p'}
PLANS, RESULTS = {'PLAN': 'its own', 'RUN': 'shared'}, {'SAME': 'the same bits', 'OTHER': 'other bits'}


def fields(name):
    """Field -> type in C of a struct of the header, in order; that of a function is 'function'."""
    body = dict(structs.STRUCT.findall(structs.COMMENT.sub('', tree.read(HEADER))))[name]
    found = {}
    for declared in filter(str.strip, body.split(';')):
        names = structs.names(declared)
        kind = 'function' if '(*' in declared else declared.split(',')[0].strip()[:-len(names[0])].strip()
        found.update(dict.fromkeys(names, kind))
    return found


def check_fields(rows, options, limits):
    """Each row is about a field of its type, and each field that a text can tell has a row."""
    told = {**options, **{f'limits.{name}': kind for name, kind in limits.items()}}
    for row in rows:
        kinds = KINDS[row.kind][0]
        if told.get(row.field) not in kinds:
            tree.finding(LIST, 1, f'{row.name} is {row.kind}, expected {row.field} of oc_session_options to be '
                         f'{" or ".join(kinds)}, but it is {told.get(row.field)}')
        if row.name != row.field.split('.')[-1]:
            tree.finding(LIST, 1, f'{row.name} is at {row.field}, expected the field of its name')
        if (row.kind == 'SWITCH') == bool(row.value):
            tree.finding(LIST, 1, f'{row.name} is {row.kind}, expected NULL as the value of a SWITCH, and no other')
        words = re.search(rf'\bOC_WORDS\({row.name}, ([^)]*)\)', tree.read(LIST))
        if row.kind == 'CHOICE' and (not words or re.findall('"(.*?)"', words[1]) != row.value.split('|')
                                     or row.otherwise != row.value.split('|')[0]):
            tree.finding(LIST, 1, f'{row.name} is {row.value}, by default {row.otherwise}, expected OC_WORDS with these words '
                         'and the first as the default')
    for field in told.keys() - {row.field for row in rows}:
        if told[field] in CTYPES:
            tree.finding(HEADER, 1, f'oc_session_options has {field}, expected a row of {LIST} for it')


def check_help(rows, ocellus):
    """Every command with --threads has all options; their helps are the list's sentences."""
    commands = json.loads(subprocess.run([ocellus, '--help', '--json'], check=True, capture_output=True).stdout)['commands']
    count = 0
    for command in commands:
        told = subprocess.run([ocellus, command['name'], '--help', '--json'], check=True, capture_output=True).stdout
        has = {option['name']: option for option in json.loads(told)['options']}
        for row in rows if '--threads' in has else ():
            count += 1
            name = '--' + row.name.replace('_', '-')
            option = has.get(name, {'value': None, 'help': 'none'})
            if option['value'] != (row.value or None) or not option['help'].startswith(row.sentence):
                tree.finding(LIST, 1, f'ocellus {command["name"]} has {name} {option["value"]} with the help '
                             f'"{option["help"]}", expected {row.value} and "{row.sentence}"')
    if not count:
        tree.finding(LIST, 1, 'no command has the option --threads')


def table(rows):
    lines = ['| option | what it does | value | default | results | plan |', '|---|---|---|---|---|---|']
    lines += [f'| `{r.name}` | {r.sentence} | {(r.value or "").replace("|", chr(92) + "|")} | {r.otherwise} | {RESULTS[r.results]} | {PLANS[r.plan]} |'
              for r in rows]
    return lines


def wrapped(parts, indent, first=''):
    text = textwrap.fill(', '.join(part.replace(' ', '\0') for part in parts), 120, initial_indent=' ' * indent + first,
                         subsequent_indent=' ' * (indent + len(first)), break_long_words=False, break_on_hyphens=False)
    return text.replace('\0', ' ').split('\n')


def signature(rows):
    return wrapped([f'{r.name}: {KINDS[r.kind][1].format(otherwise=r.otherwise)}' for r in rows] + [''], 17)


def layout(options):
    kinds = {name: CTYPES.get(kind, 'c_void_p' if '*' in kind else kind) for name, kind in options.items()}
    kinds.update({row.field: f'oc_{row.name}' for row in found if row.kind == 'CHOICE'})
    lines = wrapped([f"('{name}', {kind})" for name, kind in kinds.items()], 4, '_fields_ = [')
    return [*lines[:-1], lines[-1] + ']']


def rewrite(path, make, write):
    """The lines between two that begin and end what the list makes."""
    text = tree.read(path)
    part = re.search(r'^[^\n]*session_options\.py \. cc --write[^\n]*\n(.*?)^ *(?:# end|<!-- end)', text, re.M | re.S)
    if not part:
        tree.finding(path, 1, 'expected a line with "session_options.py . cc --write" and one with "end"')
        return
    made = ''.join(f'{line.rstrip()}\n' for line in make)
    if write:
        with open(os.path.join(tree.ROOT, path), 'w', encoding='utf-8') as f:
            f.write(text[:part.start(1)] + made + text[part.end(1):])
    elif part.group(1) != made:
        tree.finding(path, 1, f'is not what "python3 tests/house/session_options.py . cc --write" makes of {LIST}')


listed = tree.read(LIST)
found = [Row(*row) for row in ROW.findall(listed)]
if len(found) != listed.count('\nOC_OPTION('):
    tree.finding(LIST, 1, f'{listed.count(chr(10) + "OC_OPTION(")} rows, of which {len(found)} are as the first lines say')
options, limits = fields('oc_session_options'), fields('oc_limits')
writes = sys.argv[-1] == '--write'
check_fields(found, options, limits)
if sys.argv[3:] and not writes:
    check_help(found, sys.argv[3])
for path, make in (('docs/session-options.md', table(found)), ('python/ocellus/_session.py', signature(found)),
                   ('python/ocellus/_library.py', layout(options))):
    rewrite(path, make, writes)
if writes:
    layout_py = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'layout.py')
    subprocess.run([sys.executable, '-B', layout_py, tree.ROOT, sys.argv[2], '--write'], check=True)
tree.end(len(found), 'options')
