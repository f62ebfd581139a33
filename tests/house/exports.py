# SPDX-License-Identifier: Apache-2.0
"""exports.py - the shared library exports what the headers declare OC_API, and nothing else; and it
imports no function whose last bits the C library chooses."""
import re
import subprocess
import sys

import structs
import tree

declared = structs.exported('\n'.join(structs.read().values()))
library = sys.argv[2]


def symbols(which):
    listing = subprocess.run(['nm', '-D', which, library], check=True, text=True, capture_output=True).stdout
    return {line.split()[-1].split('@')[0] for line in listing.splitlines()}


exported = symbols('--defined-only')
INEXACT = re.compile(r'(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erfc?|[lt]gamma'
                     r'|a?(sin|cos|tan)h?|atan2|sincos)f?')
for name in sorted(filter(INEXACT.fullmatch, symbols('--undefined-only'))):
    tree.finding(library, 0, f'{name} of the C library has other bits elsewhere; kernels/elementwise/elementary.h has its own')
for name in sorted(declared - exported):
    tree.finding(structs.place(name), 1, f'{name} is declared but not exported')
for name in sorted(exported - declared):
    tree.finding(library, 0, f'{name} is exported but not declared')
tree.end(len(declared), 'functions')
