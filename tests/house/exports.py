# SPDX-License-Identifier: Apache-2.0
"""exports.py ROOT LIBOCELLUS [LIBOCELLUS_PREDICT] - each shared library exports what its headers declare OC_API, and nothing else. The
first imports no function whose last bits the C library chooses; the second takes what it runs of the first, and calls nothing
that prints or ends the process."""
import re
import subprocess
import sys

import structs
import tree

INEXACT = re.compile(r'(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erfc?|[lt]gamma'
                     r'|a?(sin|cos|tan)h?|atan2|sincos)f?')
PREDICT = 'include/ocellus_predict.h'
# io.c knows standard output as the file "-", which no call of the interface names.
ENDS = re.compile(r'_*(v?f?printf|f?puts|putchar|perror|stderr|abort|_?exit|quick_exit|signal|sigaction|raise)(_chk)?')


def symbols(library, which):
    listing = subprocess.run(['nm', '-D', which, library], check=True, text=True, capture_output=True).stdout
    return {line.split()[-1].split('@')[0] for line in listing.splitlines()}


def check(library, declared, place):
    """The functions of a library are those that are declared."""
    exported = symbols(library, '--defined-only')
    for name in sorted(declared - exported):
        tree.finding(place(name), 1, f'{name} is declared but not exported')
    for name in sorted(exported - declared):
        tree.finding(library, 0, f'{name} is exported but not declared')


library, *predict = sys.argv[2:]
declared = structs.exported('\n'.join(structs.read().values()))
checked = len(declared)
check(library, declared, structs.place)
for name in sorted(filter(INEXACT.fullmatch, symbols(library, '--undefined-only'))):
    tree.finding(library, 0, f'{name} of the C library has other bits elsewhere; kernels/elementwise/elementary.h has its own')
for other in predict:
    of_predict = structs.exported(tree.read(PREDICT))
    checked += len(of_predict)
    check(other, of_predict, lambda name: PREDICT)
    taken = symbols(other, '--undefined-only')
    if 'oc_bind_value_at' not in taken:
        tree.finding(other, 0, 'it has a runtime of its own, expected that of libocellus')
    for name in sorted(filter(ENDS.fullmatch, taken)):
        tree.finding(other, 0, f'calls {name}')
tree.end(checked, 'functions')
