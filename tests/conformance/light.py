# SPDX-License-Identifier: Apache-2.0
"""light.py - ONNX's light networks: light_NAME.onnx with light_NAME_output_0.pb beside it.

usage: light.py OCELLUS FOLDER [--sample N]

Their one input holds element i of n as i/n. Each becomes a folder in the layout of ONNX's backend
tests, which `ocellus test` runs. --sample N takes each N-th network."""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile


def varint(n):
    low, rest = n & 127, n >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def tensor(name, dims):
    """TensorProto: dims (field 1), data_type (2), name (8), raw_data (9)."""
    n = 1
    for d in dims:
        n *= d
    raw = struct.pack(f'<{n}f', *(i / n for i in range(n)))
    message = b''.join(b'\x08' + varint(d) for d in dims) + b'\x10\x01'
    for tag, text in ((b'\x42', name.encode()), (b'\x4a', raw)):
        message += tag + varint(len(text)) + text
    return message


def lay_out(ocellus, folder, name, to):
    model = os.path.join(folder, name + '.onnx')
    told = json.loads(subprocess.run([ocellus, 'inspect', '--json', model], stdout=subprocess.PIPE).stdout)
    port = next(p for p in told['inputs'] if not p['has_default'])
    data = os.path.join(to, name, 'test_data_set_0')
    os.makedirs(data)
    shutil.copy(model, os.path.join(to, name, 'model.onnx'))
    shutil.copy(os.path.join(folder, name + '_output_0.pb'), os.path.join(data, 'output_0.pb'))
    with open(os.path.join(data, 'input_0.pb'), 'wb') as f:
        f.write(tensor(port['name'], port['shape']))


ocellus, folder = sys.argv[1:3]
sample = int(sys.argv[4]) if sys.argv[3:4] == ['--sample'] else 1
if not os.path.isdir(folder):
    print(f'skipped: there is no {folder}')
    sys.exit(77)
names = sorted(f[:-5] for f in os.listdir(folder) if f.endswith('.onnx'))[::sample]
with tempfile.TemporaryDirectory() as scratch:
    for name in names:
        lay_out(ocellus, folder, name, scratch)
    result = subprocess.run([ocellus, 'test', scratch], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
print(result.stdout, end='')
sys.exit(result.returncode != 0 or f'{len(names)} passed, 0 failed, 0 skipped' not in result.stdout)
