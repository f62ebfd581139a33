# SPDX-License-Identifier: Apache-2.0
"""expect.py - runs an example as its first comment says and compares what it prints.

usage: expect.py SOURCE PROGRAM ROOT
PROGRAM is '' where there is no compiler for it."""
import os
import re
import subprocess
import sys

source, program, root = sys.argv[1:]
if not program:
    print('skipped: there is no compiler for', os.path.basename(source))
    sys.exit(77)
with open(source, encoding='utf-8') as f:
    comment = f.read().split('*/')[0]
shown = re.search(r'^ \* \$ \w+ ?(.*)\n((?: \* ?.*\n?)+)', comment, re.M)
assert shown, 'the comment shows no run'
command, expected = shown.groups()
expected = re.sub(r'^ \* ?', '', expected.rstrip() + '\n', flags=re.M)
result = subprocess.run([os.path.abspath(program), *command.split()], cwd=root, text=True,
                        stdout=subprocess.PIPE)
print(result.stdout, end='')
if result.returncode or result.stdout != expected:
    sys.exit(f'exit status {result.returncode}; expected:\n{expected}')
