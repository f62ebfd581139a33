# SPDX-License-Identifier: Apache-2.0
"""text.py - what every text file keeps to: length, also of functions and macros, licence line, words, blanks."""
import re

import tree

LONGEST = 500
LONGEST_OURS = 600  # of src, tools and onnxruntime: of one concept
LONGEST_PUBLIC = 400  # of a public header
LONGEST_FUNCTION = 60  # of these, from the line of its opening brace to that of its closing one
LONGEST_MACRO = 8  # of src and onnxruntime: what is longer is an .inc file, or a function; a list may be of any length
SOURCE = ('*.c', '*.h', '*.inc', '*.def', '*.py', '*.sh', '*.js', 'dev', 'run')
OTHER = ('*.md', 'meson.build', 'meson_options.txt', '*.onnxtxt', '*.check', '*.proto', '*.txt', '*.in')
# Built from pieces, so that this file does not match itself.
MARKS = re.compile(r'\b(' + '|'.join(('TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK')) + r')\b')
PLACES = re.compile(r'(?<![\w.}~-])/(' + '|'.join(('wo' + 'rk', 'ro' + 'ot', 'ho' + 'me')) + r')/')
ENTRY = re.compile(r'\s+(\w+)\(.*\)')  # of a list: each line behind the macro's name calls the same macro
UNASKED = re.compile(r'_or_null\((?:[^()]|\([^()]*\))*\)->')  # an operand taken for one that is there (ops/kit/op.h)



def is_ours(path):
    return path.startswith(('src/', 'tools/', 'onnxruntime/'))


def check_functions(path, text):
    """A function's braces stand alone at the beginning of a line; in a macro a backslash follows."""
    first = None
    for n, line in enumerate(text.split('\n'), 1):
        brace = line.rstrip(' \\')
        if brace == '{':
            first = n
        elif brace == '}' and first:
            if n - first + 1 > LONGEST_FUNCTION:
                tree.finding(path, first, f'a function of {n - first + 1} lines, '
                                          f'at most {LONGEST_FUNCTION} are allowed')
            first = None


def check_macros(path, lines):
    """A macro goes on as long as lines end with a backslash."""
    first = None
    for n, line in enumerate(lines):
        if first is None and re.match(r'\s*#\s*define\b', line):
            first = n
        if first is None or line.endswith('\\'):
            continue
        entries = [ENTRY.fullmatch(entry.rstrip(' \\')) for entry in lines[first + 1:n + 1]]
        is_list = all(entries) and len({entry[1] for entry in entries}) == 1
        if n - first + 1 > LONGEST_MACRO and not is_list:
            tree.finding(path, first + 1, f'a macro of {n - first + 1} lines, at most {LONGEST_MACRO} are allowed')
        first = None


checked = 0
source = set(tree.files(*SOURCE))
for path in sorted(source | set(tree.files(*OTHER))):
    checked += 1
    text = tree.read(path)
    count = text.count('\n')
    longest = LONGEST_OURS if is_ours(path) else LONGEST_PUBLIC if path.startswith('include/') else LONGEST
    if path in source and count > longest:
        tree.finding(path, count, f'{count} lines, at most {longest} are allowed')
    if is_ours(path) and path.endswith(('.c', '.h', '.inc')):
        check_functions(path, text)
    if path.startswith(('src/', 'onnxruntime/')) and path.endswith(('.c', '.h', '.inc')):
        check_macros(path, text.split('\n'))
    if path.endswith(('.c', '.h', '.inc')):
        head = text.split('\n')
        if head[0] != '/* SPDX-License-Identifier: Apache-2.0':
            tree.finding(path, 1, 'the first line is not the licence line')
        elif not re.match(r'( \*\n)? \* ' + re.escape(path.split('/')[-1]) + r' - \S',
                          '\n'.join(head[1:3])):
            tree.finding(path, 2, 'the second line is not "name - one sentence"')
    if text and not text.endswith('\n'):
        tree.finding(path, count + 1, 'the last line has no end')
    for n, line in tree.lines(path):
        if MARKS.search(line):
            tree.finding(path, n, f'"{MARKS.search(line).group()}" is no place to keep work')
        if PLACES.search(line):
            tree.finding(path, n, f'"{PLACES.search(line).group()}" is a place on one machine')
        if UNASKED.search(line):
            tree.finding(path, n, f'"{UNASKED.search(line).group()}": it may be NULL')
        if line != line.rstrip():
            tree.finding(path, n, 'blanks at the end of the line')
        if '\t' in line:
            tree.finding(path, n, 'a tab')
tree.end(checked, 'files')
