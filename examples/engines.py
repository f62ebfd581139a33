# SPDX-License-Identifier: Apache-2.0
"""engines.py ENGINE OCELLUS MODULES - ONNX Runtime runs the cases of some operators and agrees with the bodies."""
import json
import os
import shlex
import shutil
import subprocess
import sys

engine, ocellus, modules = sys.argv[1:]
if not shutil.which('node') or not os.path.isdir(os.path.join(modules, 'node_modules', 'onnxruntime-node')):
    print('skipped: Node.js or onnxruntime-node is missing; ./dev engines fetches it')
    sys.exit(77)
command = f'node {shlex.quote(engine)} {{dir}} {shlex.quote(modules)}'
for operator, every in ('Softmax', '7'), ('GreaterOrEqual', '7'):
    done = subprocess.run([ocellus, 'check', operator, '--sample', every, '--engine', command, '--json'],
                          capture_output=True, text=True, check=False)
    outcomes = [case['engine']['outcome'] for case in json.loads(done.stdout)[0]['cases']]
    print(operator, {kind: outcomes.count(kind) for kind in outcomes}, done.stderr)
    if done.returncode or outcomes.count('agrees') < 5:
        sys.exit(f'{operator}: exit code {done.returncode}; expected 5 cases that agree and none that differs')
