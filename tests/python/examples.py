# SPDX-License-Identifier: Apache-2.0
"""examples.py FILE... - each prints what its docstring says that it prints, behind the line with a dollar. Needs numpy; the
library is the one that OCELLUS_LIBRARY names."""
import ast
import importlib.util
import subprocess
import sys
import textwrap

if not importlib.util.find_spec('numpy'):
    print('skipped: numpy is not installed')
    sys.exit(77)
for path in sys.argv[1:]:
    with open(path, encoding='utf-8') as f:
        said = ast.get_docstring(ast.parse(f.read()), clean=False)
    expected = textwrap.dedent(said.split('    $ ')[1].split('\n', 1)[1]).rstrip() + '\n'
    done = subprocess.run([sys.executable, '-B', path], text=True, capture_output=True)
    if done.returncode or done.stdout != expected:
        sys.exit(f'1 failed: {path} printed {done.stdout}{done.stderr}, expected {expected}')
print(f'{len(sys.argv) - 1} passed, 0 failed')
