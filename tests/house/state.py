# SPDX-License-Identifier: Apache-2.0
"""state.py - the library holds no writable data, prints nothing and never ends the process."""
import re
import subprocess
import sys

import tree

# Data that only the dynamic linker writes, before anything runs, is constant.
CONSTANT = re.compile(r'\.data\.rel\.ro|\.rodata')
WRITABLE = re.compile(r'\.(data|bss|tdata|tbss)\b|\*COM\*')
FORBIDDEN = set('''printf fprintf vprintf vfprintf puts fputs putchar putc perror stdout stderr
    abort exit _exit quick_exit atexit signal raise system setlocale strtok rand srand setjmp longjmp
    putenv setenv localtime gmtime'''.split())

library = sys.argv[2]
checked = 0
member = ''
listing = subprocess.run(['objdump', '-t', library], check=True, text=True,
                         capture_output=True).stdout
for line in listing.splitlines():
    if 'file format' in line:
        member = line.split(':')[0]
        checked += 1
    symbol = re.match(r'[0-9a-f]+ (.{7}) (\S+)\s+([0-9a-f]+)\s+(?:\.hidden )?(.+)', line)
    if not symbol or member.startswith('meson-generated_'):
        continue
    flags, section, size, name = symbol.groups()
    if section == '*UND*' and name.split('@')[0] in FORBIDDEN:
        tree.finding(member, 0, f'calls {name}')
    if 'd' not in flags and int(size, 16) and WRITABLE.search(section) and not CONSTANT.search(section):
        tree.finding(member, 0, f'{name} is writable data')
tree.end(checked, 'objects')
