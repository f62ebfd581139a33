# SPDX-License-Identifier: Apache-2.0
"""wheel.py WHEEL.PY VERSION ROOT LIBRARY... FILE... - a wheel is what pip expects, and its package runs by itself, where numpy is."""
import base64
import csv
import email
import hashlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import zipfile

script, version, root, *sources = (os.path.abspath(path) if os.path.exists(path) else path for path in sys.argv[1:])
PROGRAM = '''
import ocellus
import ocellus.onnxruntime
def mapped(name): return f"installed/ocellus/{name}" in open('/proc/self/maps').read()
s = ocellus.Session(b'<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Neg (x) }')
print(ocellus.__version__, s.run({'x': [1, -2]})['y'].tolist(), mapped('libocellus.so.0'))
'''
PREDICTS = '''
import numpy as np
net = b'<ir_version: 8, opset_import: ["" : 17]> g (float[1,3,8,8] x) => (float[1,3] y) { y = ReduceMean <axes = [2, 3], keepdims = 0> (x) }'
print(ocellus.Predictor(net, as_='classify')(np.zeros((8, 8, 3), np.uint8))[0].label, mapped('libocellus_predict.so.0'))
'''


def make(folder):
    os.makedirs(folder)
    return subprocess.run([sys.executable, script, version, folder, root, *sources], text=True, capture_output=True,
                          check=True).stdout.strip()


def check_record(path):
    with zipfile.ZipFile(path) as wheel:
        record = next(name for name in wheel.namelist() if name.endswith('/RECORD'))
        rows = {name: digest for name, digest, _ in csv.reader(io.StringIO(wheel.read(record).decode()))}
        assert set(rows) == set(wheel.namelist()), rows
        for name in set(rows) - {record}:
            digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b'=').decode()
            assert rows[name] == 'sha256=' + digest, name


def check_metadata(path):
    """What package indexes and installers read, as Python itself parses it."""
    with zipfile.ZipFile(path) as wheel:
        told = email.message_from_bytes(wheel.read(f'ocellus-{version}.dist-info/METADATA'))
        assert wheel.read(f'ocellus-{version}.dist-info/{told["License-File"]}').strip().startswith(b'Apache License')
        there = {os.path.relpath(os.path.join(folder, name), f'{root}/python')
                 for folder, _, names in os.walk(f'{root}/python/ocellus') for name in names
                 if name.endswith(('.py', 'py.typed'))}
        assert there <= set(wheel.namelist()), there - set(wheel.namelist())
    assert (told['Name'], told['Version'], told['Description-Content-Type']) == ('ocellus', version, 'text/markdown')
    assert 'Typing :: Typed' in told.get_all('Classifier'), told.items()
    assert told.get_payload().startswith('# Python\n'), told.get_payload()[:100]


def install(path, target):
    """By pip, where there is one."""
    done = subprocess.run([sys.executable, '-m', 'pip', 'install', '--no-index', '--no-deps', '--quiet', '--target', target,
                           path], text=True, capture_output=True)
    if 'No module named pip' in done.stderr:
        print('pip is not installed: the wheel is unpacked')
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(target)
    elif done.returncode:
        sys.exit(f'pip: {done.stderr}')


with tempfile.TemporaryDirectory() as folder:
    first, again = make(os.path.join(folder, 'a')), make(os.path.join(folder, 'b'))
    with open(first, 'rb') as f, open(again, 'rb') as g:
        assert f.read() == g.read(), 'two wheels of the same files differ'
    check_record(first)
    check_metadata(first)
    target = os.path.join(folder, 'installed')
    install(first, target)
    if not importlib.util.find_spec('numpy'):
        print('skipped: numpy is not installed, without which the wheel does not run')
        sys.exit(77)
    clean = {name: value for name, value in os.environ.items()
             if name not in ('OCELLUS_LIBRARY', 'OCELLUS_PREDICT_LIBRARY', 'LD_LIBRARY_PATH')}
    predicts = any('libocellus_predict' in path for path in sources)
    done = subprocess.run([sys.executable, '-B', '-c', PROGRAM + PREDICTS * predicts], text=True, capture_output=True, cwd=folder,
                          env={**clean, 'PYTHONPATH': target})
    wanted = f'{version} [-1.0, 2.0] True\n' + '2 True\n' * predicts
    if done.returncode or done.stdout != wanted:
        sys.exit(f'1 failed: {done.stdout}{done.stderr}, expected {wanted}')
print('1 passed, 0 failed')
