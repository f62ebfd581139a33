# SPDX-License-Identifier: Apache-2.0
"""state.py ROOT LIBOCELLUS [LIBONNXRUNTIME] - the libraries hold no writable data, and never end the process; the first, which is
static, prints nothing, the second nothing but its log."""
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
LOG = {'fprintf', 'fputs', 'stderr'}  # and files of profiles
GUARDED = re.compile(r'__(\w+)_chk')  # what calls are where copies are guarded
# What generators and the compiler itself add.
FOREIGN = re.compile(r'meson-generated_.*|crtstuff\.c')


def check(library, forbidden):
    """The number of files that it was made of."""
    checked = 0
    member = ''
    listing = subprocess.run(['objdump', '-t', library], check=True, text=True, capture_output=True).stdout
    for line in listing.splitlines():
        if 'file format' in line:
            member = line.split(':')[0]
        symbol = re.match(r'[0-9a-f]+ (.{7}) (\S+)\s+([0-9a-f]+)\s+(?:\.hidden )?(.+)', line)
        if not symbol:
            continue
        flags, section, size, name = symbol.groups()
        if 'f' in flags:
            checked += 1
            if not library.endswith('.a'):
                member = name.strip() or library
        if FOREIGN.fullmatch(member):
            continue
        called = GUARDED.sub(r'\1', name.split('@')[0])
        if section == '*UND*' and called in forbidden:
            tree.finding(member, 0, f'calls {name}')
        if name.startswith('DW.ref.'):  # where the handler of exceptions is: the linker writes it
            continue
        if 'd' not in flags and int(size, 16) and WRITABLE.search(section) and not CONSTANT.search(section):
            tree.finding(member, 0, f'{name} is writable data')
    return checked


static, *shared = sys.argv[2:]
checked = check(static, FORBIDDEN)
for library in shared:
    checked += check(library, FORBIDDEN - LOG)
tree.end(checked, 'files')
