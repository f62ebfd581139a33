# SPDX-License-Identifier: Apache-2.0
"""format.py - clang-format has nothing to say. Skipped where Debian 12's version is not installed,
since every version has its own opinion."""
import shutil
import subprocess

import tree

if not shutil.which('clang-format') or ' version 14.' not in subprocess.run(
        ['clang-format', '--version'], text=True, capture_output=True).stdout:
    tree.skip('clang-format 14 is not installed')
paths = list(tree.files('*.c', '*.h'))
result = subprocess.run(['clang-format', '--dry-run', '-Werror', *paths], cwd=tree.ROOT, text=True,
                        capture_output=True)
for line in result.stderr.splitlines():
    if ': error:' in line:
        path, n = line.split(':')[:2]
        tree.finding(path, n, f'not as clang-format writes it; try "clang-format -i {path}"')
if result.returncode and ': error:' not in result.stderr:
    tree.finding('.clang-format', 1, result.stderr)
tree.end(len(paths), 'files')
