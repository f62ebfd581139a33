# SPDX-License-Identifier: Apache-2.0
"""engines.py ENGINE OCELLUS MODULES - ONNX Runtime runs the cases of some operators, and a model,
and agrees."""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

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
MODEL = '''<ir_version: 8, opset_import: ["" : 16]>
net (float[1,3,16,16] x) => (float[1,4,8,8] y) <float[4,3,3,3] w = {%s}>
{ c = Conv <pads = [1, 1, 1, 1]> (x, w)  r = LeakyRelu (c)  s = Sigmoid (r)  y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (s) }
''' % ', '.join(str(i % 7 - 3) for i in range(108))
with tempfile.TemporaryDirectory() as folder:
    model = os.path.join(folder, 'net.onnxtxt')
    with open(model, 'w', encoding='utf-8') as f:
        f.write(MODEL)
    done = subprocess.run([ocellus, 'check', model, '--fill', 'random', '--engine', command, '--json'],
                          capture_output=True, text=True, check=False)
print(done.stdout, done.stderr)
if done.returncode or [value['agrees'] for value in json.loads(done.stdout)['values']] != [True] * 4:
    sys.exit(f'a model: exit code {done.returncode}; expected 4 values that agree')
