# SPDX-License-Identifier: Apache-2.0
"""exports.py - the shared library exports what the header declares OC_API, and nothing else."""
import re
import subprocess
import sys

import tree

header = re.sub(r'/\*.*?\*/', '', tree.read('include/ocellus.h'), flags=re.S)
header = '\n'.join(line for line in header.split('\n') if not line.startswith('#'))
declared = set(re.findall(r'\bOC_API\b[^;]*?\b(oc_\w+)\(', header))
library = sys.argv[2]
listing = subprocess.run(['nm', '-D', '--defined-only', library], check=True, text=True,
                         capture_output=True).stdout
exported = {line.split()[-1].split('@')[0] for line in listing.splitlines()}
for name in sorted(declared - exported):
    tree.finding('include/ocellus.h', 1, f'{name} is declared but not exported')
for name in sorted(exported - declared):
    tree.finding(library, 0, f'{name} is exported but not declared')
tree.end(len(declared), 'functions')
