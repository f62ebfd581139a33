# SPDX-License-Identifier: Apache-2.0
"""onnxruntime.py ROOT [LIBRARY LIBOCELLUS VERSION...] - docs/onnxruntime.md lists every function of onnxruntime/common/api.def as served or
not, as that says, and every entry of a session's options that onnxruntime/options/config.c knows; the library exports what programs of these versions ask for, and nothing else, needs libocellus and libc alone,
and adds less than 120 KB to libocellus."""
import os
import re
import subprocess
import sys
import tempfile

import tree

TABLE, PAGE = 'onnxruntime/common/api.def', 'docs/onnxruntime.md'
FUNCTIONS = 426  # of version 30 of the interface
SERVED, NOT_SERVED = '### Served', '### Not served'
MOST = 120_000  # bytes
# libc, and what has a library of its own where the system's libc is not one piece.
NEEDED = re.compile(r'libocellus\.so\.0|lib(c|pthread|dl)\.so(\.\d+)?|libc\.musl-\w+\.so\.1')
ENTRY = re.compile(r'^(?:(SERVED|IDLE)\((\d+), [^,]+|(ACCEPTED|ABSENT|NOTHING)\((\d+)), (\w+),', re.M)


def output(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def check_table():
    """Kind of each function, by name. Each version of the interface only adds to the table's end."""
    kinds, last = {}, 0
    for a, b, c, d, name in ENTRY.findall(tree.read(TABLE)):
        kind, version = a or c, int(b or d)
        if version < last:
            tree.finding(TABLE, 0, f'{name} is of version {version}, and stands behind one of version {last}')
        if name in kinds:
            tree.finding(TABLE, 0, f'{name} is there twice')
        kinds[name], last = kind, version
    if len(kinds) != FUNCTIONS:
        tree.finding(TABLE, 0, f'{len(kinds)} functions, expected {FUNCTIONS}')
    return kinds


def check_page(kinds):
    """Each function's name is once in the list where it belongs."""
    page = tree.read(PAGE)
    served, rest = page.split(f'\n{SERVED}\n')[1].split(f'\n{NOT_SERVED}\n')
    for heading, text, expected in ((SERVED, served, ['SERVED', 'ACCEPTED']), (NOT_SERVED, rest, ['ABSENT', 'IDLE', 'NOTHING'])):
        listed = re.findall(r'`(\w+)`', text.split('\n#')[0])
        wanted = {name for name, kind in kinds.items() if kind in expected}
        for name in sorted(wanted - set(listed)):
            tree.finding(PAGE, 0, f'{name} is missing under "{heading}"')
        for name in sorted(set(listed) - wanted):
            tree.finding(PAGE, 0, f'{name} stands under "{heading}", where it does not belong')
        for name in sorted({name for name in listed if listed.count(name) > 1}):
            tree.finding(PAGE, 0, f'{name} stands twice under "{heading}"')


def check_entries():
    entries = re.findall(r'^(?:    |#define EXTERNAL_FOLDER )"([\w.]+)"', tree.read('onnxruntime/options/config.c'), re.M)
    page = tree.read(PAGE)
    for name in entries:
        if f'`{name}`' not in page:
            tree.finding(PAGE, 0, f'the entry {name} is missing')
    return len(entries)


def check_exports(library, versions):
    names = ['OrtGetApiBase', *(f'OrtSessionOptionsAppendExecutionProvider_{name}' for name in ('CPU', 'CUDA', 'Tensorrt'))]
    wanted = {f'{name}@VERS_{version}' for version in versions[:-1] for name in names}
    wanted |= {f'{name}@@VERS_{versions[-1]}' for name in names}
    symbols = [line.split() for line in output('nm', '-D', '--defined-only', library).splitlines()]
    exported = {words[-1] for words in symbols if words[-2] != 'A'}  # A: the versions themselves
    for name in sorted(wanted - exported):
        tree.finding(library, 0, f'{name} is not exported')
    for name in sorted(exported - wanted):
        tree.finding(library, 0, f'{name} is exported, expected only what programs link')


def check_needs(library):
    dynamic = output('objdump', '-p', library)
    for name in re.findall(r'^ +NEEDED +(\S+)', dynamic, re.M):
        if not NEEDED.fullmatch(name):
            tree.finding(library, 0, f'it needs {name}')
    if not re.search(r'^ +SONAME +libonnxruntime\.so\.1$', dynamic, re.M):
        tree.finding(library, 0, 'its soname is not libonnxruntime.so.1')


def check_calls(library, below):
    """What it takes of libocellus is what any host has: functions that the public headers declare."""
    public = {line.split()[-1].split('@')[0] for line in output('nm', '-D', '--defined-only', below).splitlines()}
    for line in output('nm', '-D', '--undefined-only', library).splitlines():
        name = line.split()[-1]
        if name.startswith('oc_') and name not in public:
            tree.finding(library, 0, f'it calls {name}, which libocellus does not export')


def check_size(library):
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, 'stripped')
        output('strip', '-o', stripped, library)
        size = os.path.getsize(stripped)
    print(f'{os.path.basename(library)}: {size} bytes')
    if size >= MOST:
        tree.finding(library, 0, f'{size} bytes, expected less than {MOST}')


kinds = check_table()
check_page(kinds)
entries = check_entries()
if sys.argv[2:]:
    library, below, *versions = sys.argv[2:]
    check_exports(library, versions)
    check_needs(library)
    check_calls(library, below)
    check_size(library)
tree.end(len(kinds) and entries and len(kinds) + entries, 'functions and entries')
