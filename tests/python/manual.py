# SPDX-License-Identifier: Apache-2.0
"""manual.py PAGE - the programs on the page about Python run, and print what it says. Needs numpy; the library is the one that
OCELLUS_LIBRARY names."""
import concurrent.futures
import contextlib
import functools
import io
import os
import re
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus

HEAD = '<ir_version: 10, opset_import: ["" : 22, "my.vision" : 1]>\n'
IMAGE = HEAD + 'g (float[1,3,224,224] image) => (float[1,3,224,224] y) { y = Neg (image) }'
THETA = HEAD + 'g (float[N,2,3] theta) => (y) { y = Neg (theta) }'
THRESHOLD = HEAD + 'g (float[N] x) => (float[N] y) { y = my.vision.Threshold (x) }'
# What each program is run beside: the text of its model, and what the page leaves to the reader.
BESIDE = {
    "Session('model.onnx')": (IMAGE, ()),
    'import ocellus.onnxruntime': (IMAGE, ()),
    "'theta'": (THETA, ('session',)),
    'ThreadPoolExecutor': (IMAGE, ('parts',)),
    'ProcessPoolExecutor': (IMAGE, ('parts', 'work')),
    'CustomOp': (THRESHOLD, ()),
}


def work(model, pictures):
    own = ocellus.Session(model, threads=1)
    return [own.run({'image': picture})['y'] for picture in pictures]


def run(program):
    text, names = next(beside for mark, beside in BESIDE.items() if mark in program)
    with open('model.onnx', 'wb') as a, open('net.onnx', 'wb') as b:
        a.write(text.encode())
        b.write(text.encode())
    picture = np.ones((1, 3, 224, 224), np.float32)
    left = {'session': lambda: ocellus.Session(text.encode()), 'parts': lambda: [[picture], [picture, picture]],
            'work': lambda: work}
    around = {'np': np, 'ocellus': ocellus, 'concurrent': concurrent, 'functools': functools,
              **{name: left[name]() for name in names}}
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(program, around)
    said = re.findall(r'print\(e\.code, e\.text\)\s*# (.*)', program)
    if said and told.getvalue().splitlines() != said:
        sys.exit(f'1 failed: {program} prints {told.getvalue()!r}, the page says {said}')


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        programs = re.findall(r'```python\n(.*?)```', f.read(), re.S)
    os.environ['PYTHONPATH'] = os.pathsep.join(os.path.abspath(path) for path in os.environ['PYTHONPATH'].split(os.pathsep))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for program in programs:
            run(program)
        os.chdir('/')
    print(f'{len(programs)} passed, 0 failed')
    sys.exit(len(programs) != len(BESIDE))


if __name__ == '__main__':
    main()
