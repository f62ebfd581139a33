# SPDX-License-Identifier: Apache-2.0
"""typed.py ROOT - mypy --strict finds nothing in the package and in the examples, and what they are typed as is what a
program gets to see."""
import glob
import importlib.util
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
# Each line but the first is one mistake, which is to be found: a package without types would let all pass.
WRONG = '''import ocellus, ocellus.onnxruntime as ort
ocellus.Session(3)
ocellus.Session(b'', threads='2')
ocellus.Session(b'').run({'x': 1})['y'].shape + ocellus.version().nothing
ort.InferenceSession(b'').run(None, 3)
ort.SessionOptions().intra_op_num_threads = 'all'
ocellus.CustomOp('Op', lambda call: call.nothing)
ocellus.Predictor(b'', least='much')
ocellus.Predictor(b'')('photo.jpg').nothing
ocellus.Predictor(b'')(['photo.jpg']).boxes
ocellus.Predictor(b'')(3)
'''


def mypy(*arguments, **more):
    done = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--config-file', f'{ROOT}/tests/python/mypy.ini',
                           *arguments], cwd=ROOT, text=True, capture_output=True,
                          env={**os.environ, 'MYPYPATH': f'{ROOT}/python'}, **more)
    return done.returncode, done.stdout + done.stderr


if not importlib.util.find_spec('mypy'):
    print('skipped: mypy is not installed')
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    cache = f'--cache-dir={folder}/cache'
    for what in ['-p', 'ocellus'], sorted(glob.glob(f'{ROOT}/examples/*.py')):
        status, told = mypy(cache, *what)
        if status:
            sys.exit(f'1 failed: {told}')
    path = os.path.join(folder, 'wrong.py')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(WRONG)
    status, told = mypy(cache, path)
    for number in range(2, len(WRONG.splitlines()) + 1):
        if f'wrong.py:{number}: error:' not in told:
            sys.exit(f'1 failed: line {number} of what is wrong passes: {told}')
print('3 passed, 0 failed')
