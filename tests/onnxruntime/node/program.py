# SPDX-License-Identifier: Apache-2.0
"""program.py ROOT PACKAGE LIBRARY - runs examples/node.mjs as its first lines say, over onnxruntime-node with the library in place of its
own, and compares what it prints. PACKAGE is a folder that npm's package is in, or is fetched into."""
import os
import re
import shutil
import subprocess
import sys

import node_package

root, package, library = sys.argv[1:]
SOURCE = os.path.join(root, 'examples/node.mjs')
with open(SOURCE, encoding='utf-8') as f:
    model, expected = re.search(r'^// \$ node node\.mjs (\S+)\n// (.*\n)', f.read(), re.M).groups()
try:
    modules = node_package.fetch(package)
except node_package.Missing as missing:
    print('skipped:', missing)
    sys.exit(77)
with node_package.with_library(modules, library) as copy:
    program = shutil.copy(SOURCE, os.path.dirname(copy))
    result = subprocess.run(['node', program, os.path.join(root, model)], text=True, stdout=subprocess.PIPE, check=False,
                            env=node_package.environment(library))
print(result.stdout, end='')
if result.returncode or result.stdout != expected:
    sys.exit(f'exit status {result.returncode}; expected:\n{expected}')
