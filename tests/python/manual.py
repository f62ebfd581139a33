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
DETECTOR = '''<ir_version: 8, metadata_props: ["author": "Ultralytics", "task": "detect", "names": "{0: 'bird', 1: 'sky'}"],
  opset_import: ["" : 13]>
finds (float[1,3,64,64] images) => (float[1,6,84] output0)
<float[1,4,1] box = {32, 24, 32, 16}, int64[2] picked = {0, 2}, int64[1] last = {-1}, int64[6] more = {0, 0, 0, 0, 0, 83}>
{
  means = ReduceMean <axes = [2, 3], keepdims = 0> (images)
  two = Gather <axis = 1> (means, picked)
  scores = Unsqueeze (two, last)
  place = Concat <axis = 1> (box, scores)
  output0 = Pad (place, more)
}'''
PHOTO = b'P6 64 64 255\n' + bytes((10, 20, 200)) * 4096
# What each program is run beside: the text of its model, and what the page leaves to the reader.
BESIDE = {
    "Session('model.onnx')": (IMAGE, ()),
    "draw('drawn.jpg')": (DETECTOR, ()),
    'least=0.5': (DETECTOR, ()),
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
    for path, content in ('model.onnx', text.encode()), ('net.onnx', text.encode()), ('yolov8n.onnx', text.encode()), (
            'photo.jpg', PHOTO):
        with open(path, 'wb') as f:
            f.write(content)
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
    kept = [program for program in programs if 'Predictor(' not in program or 'OCELLUS_PREDICT_LIBRARY' in os.environ]
    os.environ['PYTHONPATH'] = os.pathsep.join(os.path.abspath(path) for path in os.environ['PYTHONPATH'].split(os.pathsep))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for program in kept:
            run(program)
        os.chdir('/')
    print(f'{len(kept)} passed, 0 failed')
    sys.exit(len(programs) != len(BESIDE))


if __name__ == '__main__':
    main()
