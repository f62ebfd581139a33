# SPDX-License-Identifier: Apache-2.0
"""docs.py - what the documents quote is what the files hold, and what they name is there.

A fenced block behind a line "<!-- from PATH -->" stands, line by line, in the file PATH; one behind
"<!-- makes PATH -->" is a file that the reader is to write; adding.py does so. C code is never without such a
line. What a comment of C or a room's README calls a file is one. A room, a folder with sources, has a README, which names each
file of the room; families of operators have that of src/ops, since their files are named after operators."""
import os
import re

import tree

# Paths as prose names them; the first part is a folder of the project.
PATH = re.compile(r'`((?:src|onnxruntime|tests|tools|docs|examples|include|proto|functions|bench)/[\w./-]*\w/?)`')
FILES = re.compile(r'`([\w-][\w.-]*\.\w+(?: \.\w+)*)`')
LINK = re.compile(r'\]\(([^)#:]+)\)')


def is_there(path):
    return os.path.exists(os.path.join(tree.ROOT, path))


def check_names(path):
    count = 0
    made = set(re.findall(r'^<!-- makes (\S+) -->$', tree.read(path), re.M))
    for n, line in tree.lines(path):
        for name in PATH.findall(line) + LINK.findall(line):
            count += 1
            if '/Name.' in name or name in made:
                continue
            if not is_there(name) and not is_there(os.path.join(os.path.dirname(path), name)):
                tree.finding(path, n, f'there is no {name}')
    return count


def check_quotes(path):
    count, source, block, start = 0, None, None, 0
    for n, line in tree.lines(path):
        mark = re.fullmatch(r'<!-- (from|makes) (\S+) -->', line)
        if mark:
            source = mark.groups()
        elif line.startswith('```') and block is None:
            block, start = [], n
            if line == '```c' and not source:
                tree.finding(path, n, 'this C code is quoted from no file')
        elif line.startswith('```'):
            if source:
                count += 1
                kind, name = source
                if kind == 'from' and not (is_there(name) and '\n'.join(block) in tree.read(name)):
                    tree.finding(path, start, f'this does not stand in {name}')
            source = block = None
        elif block is not None:
            block.append(line)
    return count


def check_files_named(all_files):
    """Comments and READMEs of rooms name files by their last part; NAME stands for any."""
    count = 0
    generated = {'onnx.pb-c.h', 'onnx.pb-c.c'}
    for path in all_files:
        if not path.startswith(('src/', 'tools/', 'include/', 'onnxruntime/')) or not path.endswith(('.c', '.h', '.inc', 'README.md')):
            continue
        text = tree.read(path)
        for part in re.finditer(r'`[^`\n]*`' if path.endswith('.md') else r'/\*.*?\*/', text, re.S):
            for name in re.finditer(r'(?<![\w/.*"-])[\w/-]*[\w-]+\.(?:c|h|inc)\b(?!\.)', part[0]):
                count += 1
                if 'NAME' not in name[0] and name[0].split('/')[-1] not in known | generated:
                    tree.finding(path, text.count('\n', 0, part.start() + name.start()) + 1, f'there is no {name[0]}')
    return count


def check_rooms(all_files):
    """The README of a room names the room's files, `a.h .c` for a.h and a.c, and in the first column of its tables no others.
    That of onnxruntime is a page for all of its rooms."""
    rooms = {}
    for path in all_files:
        folder, name = os.path.split(path)
        folder = 'onnxruntime' if folder.startswith('onnxruntime/') else folder
        family = folder.startswith('src/ops/') and folder not in ('src/ops/kit', 'src/ops/signature')
        if folder.split('/')[0] in ('src', 'tools', 'onnxruntime') and not folder.endswith('/cmake') and not family and name != 'meson.build':
            rooms.setdefault(folder, set()).add(name)
    for room, files in rooms.items():
        readme, named = f'{room}/README.md', {'README.md'}
        if readme.split('/')[-1] not in files:
            tree.finding(room, 1, 'this room has no README.md')
            continue
        for n, line in tree.lines(readme):
            for part in FILES.finditer(line):
                first, *endings = part[1].split()
                names = {first} | {first.rsplit('.', 1)[0] + ending for ending in endings}
                named |= names
                first_column = line.startswith('|') and part.end() <= line.index('|', 1)
                for name in sorted(names - files) if first_column else []:
                    tree.finding(readme, n, f'there is no {name} in {room}')
        for name in sorted(files - named):
            tree.finding(readme, 1, f'{name} is missing')
    return len(rooms)


def check_test_folders():
    """Each folder of tests is in the page that leads from tests to sources."""
    page, text = 'docs/where-a-test-points.md', tree.read('docs/where-a-test-points.md')
    count = 0
    for above in ('tests', 'tests/unit', 'tests/tools'):
        for name in sorted(os.listdir(os.path.join(tree.ROOT, above))):
            path = f'{above}/{name}'
            if os.path.isdir(os.path.join(tree.ROOT, path)) and name != '__pycache__':
                count += 1
                if f'`{path}' not in text:
                    tree.finding(page, 1, f'{path} is missing')
    return count


known = {os.path.basename(path) for path in tree.files('*')}
checked = check_test_folders() + check_files_named(tree.files('*')) + check_rooms(tree.files('*'))
for path in tree.files('*.md'):
    checked += check_names(path) + check_quotes(path)
tree.end(checked, 'names and quotes')
