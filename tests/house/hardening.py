# SPDX-License-Identifier: Apache-2.0
"""hardening.py - the library and the command are guarded as the packages of distributions are: code at
any address, tables of functions that nothing writes to, no stack that is code, guarded stacks and copies."""
import subprocess
import sys

import tree


def readelf(path, *options):
    """The output's lines as sets of words."""
    output = subprocess.run(['readelf', '-W', *options, path], check=True, text=True, capture_output=True).stdout
    return [set(line.replace('@', ' ').split()) for line in output.splitlines()]


for path in sys.argv[2:]:
    program = readelf(path, '--file-header', '--program-headers', '--dynamic')
    names = set().union(*readelf(path, '--dyn-syms'))
    guards = {
        'its code has a fixed address': any({'Type:', 'DYN'} <= words for words in program),
        'its tables of functions stay writable': any('GNU_RELRO' in words for words in program)
        and any(words & {'BIND_NOW', 'NOW'} for words in program),
        'its stack can be run as code': any('GNU_STACK' in words and 'RW' in words for words in program),
        'its stacks are not guarded': '__stack_chk_fail' in names,
        'its copies are not guarded': any(name.endswith('_chk') for name in names),
    }
    for finding, holds in guards.items():
        if not holds:
            tree.finding(path, 0, finding)
tree.end(len(sys.argv) - 2, 'files')
