# SPDX-License-Identifier: Apache-2.0
"""structs.py - the structs and functions of the public headers, read from their text, and programs compiled with them."""
import os
import re
import subprocess
import sys
import tempfile

import tree

HEADERS = ('include/ocellus.h', 'include/ocellus_op.h', 'include/ocellus_model.h')
STRUCT = re.compile(r'typedef struct (\w+) \{\n(.*?)\n\} \1;', re.S)
COMMENT = re.compile(r'/\*.*?\*/', re.S)


def names(declaration):
    """The names that one declaration of fields gives: 'int n, *p[4]' gives n and p."""
    function = re.search(r'\(\*(\w+)\)\(', declaration)
    if function:
        return [function.group(1)]
    return [re.search(r'(\w+)\s*(\[[^]]*\])?\s*$', part).group(1) for part in declaration.split(',')]


def structs(header):
    """struct -> its fields, in order."""
    found = {}
    for name, body in STRUCT.findall(COMMENT.sub('', header)):
        found[name] = [field for part in body.split(';') if part.strip() for field in names(part)]
    return found


def read():
    """Path -> text of each header."""
    return {path: tree.read(path) for path in HEADERS}


def place(name):
    """The header that declares a struct or a function; the first one where none does."""
    return next((path for path, text in read().items() if name in structs(text).keys() | exported(text)), HEADERS[0])


def that_grow(header):
    """The structs that may get new fields, as the first header lists them."""
    section = re.search(r'/\* -+ structs that grow -+\n(.*?) may get new fields', header, re.S).group(1)
    return re.findall(r'oc_\w+', section)


def exported(header):
    """The functions that are declared OC_API."""
    code = '\n'.join(line for line in COMMENT.sub('', header).split('\n') if not line.startswith('#'))
    return set(re.findall(r'\bOC_API\b[^;]*?\b(oc_\w+)\(', code))


def write(headers, folder):
    """Puts the texts of headers into a folder."""
    for path, text in headers.items():
        with open(os.path.join(folder, os.path.basename(path)), 'w', encoding='utf-8') as f:
            f.write(text)


def run_program(cc, folder, source, *flags, headers=None):
    """What the program of a C file prints, compiled with these headers, or with the project's own."""
    include = os.path.join(tree.ROOT, 'include')
    if headers:
        include = tempfile.mkdtemp(dir=folder)
        write(headers, include)
    program = os.path.join(tempfile.mkdtemp(dir=folder), 'program')
    for command in ([*cc, '-std=c11', '-Wall', '-Wextra', '-Werror', f'-I{include}', source, '-o', program, *flags],
                    [program]):
        result = subprocess.run(command, text=True, capture_output=True)
        if result.returncode:
            print(' '.join(command), result.stdout, result.stderr, sep='\n')
            sys.exit(1)
    return result.stdout
