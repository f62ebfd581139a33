# SPDX-License-Identifier: Apache-2.0
"""files_of.py NAMES FILE... -- CC... - which files have the operators of these ONNX names?

NAMES is a list with commas, as -Dops= is given; what is no operator's name (a family, a file) stays as it is. Prints the
list with FAMILY/FILE in place of each operator's name, since a family may have the name of a file. Operators are found in the
signatures of the files' tables, after the preprocessor, which puts some of them together. An operator that runs by its
function body stands for those that the body calls (functions/Name.since.onnxtxt)."""
import concurrent.futures
import difflib
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROW = re.compile(r'\{\s*\d+\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
NAME = re.compile(r'((?:[\w.]+::)?\w+)\s*[<(]')


def operators_of(path, cc):
    """The names in the tables of one file."""
    done = subprocess.run([*cc, '-E', '-P', '-std=c11', f'-I{ROOT}/include', f'-I{ROOT}/src', path], text=True,
                          capture_output=True)
    if done.returncode:
        sys.exit(f'-Dops: {path} cannot be preprocessed: {done.stderr}')
    signatures = (''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)) for text in ROW.findall(done.stdout))
    return {found.group(1) for found in map(NAME.match, signatures) if found}


def table(files, cc):
    """Operator -> FAMILY/FILE, the file that has it, without .c."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = pool.map(lambda path: (path, operators_of(path, cc)), files)
        return {name: '/'.join(path.split(os.sep)[-2:])[:-2] for path, names in found for name in names}


def bodies():
    """Operator -> the operators that its newest body calls."""
    found = {}
    folder = os.path.join(ROOT, 'functions')
    texts = [name.split('.') for name in os.listdir(folder) if name.endswith('.onnxtxt')]
    for parts in sorted(texts, key=lambda parts: int(parts[1]) if parts[1].isdigit() else 0):
        with open(os.path.join(folder, '.'.join(parts)), encoding='utf-8') as f:
            text = re.sub(r'#[^\n]*', '', f.read())
        found[parts[0]] = set(re.findall(r'=\s*(\w+)\s*[<(]', text))
    return found


def files_of(name, files, calls, seen=()):
    if name in files:
        return {files[name]}
    if name in seen or name not in calls:
        return set()
    return set().union(*(files_of(call, files, calls, (*seen, name)) for call in calls[name]))


def main():
    names, *rest = sys.argv[1:]
    sources, cc = rest[:rest.index('--')], rest[rest.index('--') + 1:]
    known = {os.path.basename(path)[:-2] for path in sources} | {os.path.basename(os.path.dirname(path)) for path in sources}
    files, calls, chosen = table(sources, cc), bodies(), []
    for name in names.split(','):
        found = {name} if name in known or name == 'all' else files_of(name, files, calls)
        if not found:
            near = difflib.get_close_matches(name, [*files, *calls, *known], 1)
            hint = f'; did you mean {near[0]}?' if near else ''
            sys.exit(f"-Dops: '{name}' is no operator, family or file of src/ops{hint}")
        chosen += sorted(found - set(chosen))
    print(','.join(chosen))


main()
