# SPDX-License-Identifier: Apache-2.0
"""weight.py - the shared library and the command, stripped, stay below 1 MB each."""
import os
import subprocess
import sys
import tempfile

import tree

MOST = 1_000_000
for path in sys.argv[2:]:
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, 'stripped')
        subprocess.run(['strip', '-o', stripped, path], check=True)
        size = os.path.getsize(stripped)
    print(f'{os.path.basename(path)}: {size} bytes')
    if size > MOST:
        tree.finding(path, 0, f'{size} bytes, at most {MOST} are allowed')
tree.end(len(sys.argv) - 2, 'files')
