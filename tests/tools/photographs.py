# SPDX-License-Identifier: Apache-2.0
"""photographs.py OCELLUS - how ocellus predict gives photographs to networks: inputs of any size.

Expected boxes are computed here from how a photograph lies in the input."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])
# One row: the box tells the input's width and height, and the score whether they are multiples of 32.
OPEN = '''<ir_version: 8, opset_import: ["" : 13]>
finds (float[1,3,H,W] input) => (float[1,1,5] dets, int64[1,1] labels)
<int64[2] corner = {0, 0}, int64[1] two = {2}, int64[1] four = {4}, int64[3] rows = {1, 1, 5}, int64[1] side = {32}, float[1] one = {1.0},
 int64[1,1] label = {0}, int64[2] turned = {1, 0}>
{
  shape = Shape (input)
  sides = Slice (shape, two, four)
  ends = Gather (sides, turned)
  rest = Mod (sides, side)
  some = ReduceSum <keepdims = 0> (rest)
  more = Cast <to = 1> (some)
  score = Sub (one, more)
  box = Concat <axis = 0> (corner, ends)
  numbers = Cast <to = 1> (box)
  row = Concat <axis = 0> (numbers, score)
  dets = Reshape (row, rows)
  labels = Identity (label)
}'''


def run(*words, code=0, says=(), **how):
    done = subprocess.run([OCELLUS, 'predict', *words], capture_output=True, timeout=120, **how)
    told = (done.stderr + done.stdout).decode(errors='replace')
    check(done.returncode == code, words, 'ends with', done.returncode, 'expected', code, told)
    for text in [says] if isinstance(says, str) else says:
        check(text in told, words, 'says', told, 'expected', text)
    return done


def answers(*words, **how):
    return json.loads(run(*words, '--json', '-q', **how).stdout)['answers']


def ppm(colour, width=128, height=64):
    return b'P6 %d %d 255\n' % (width, height) + bytes(colour) * (width * height)


def near(got, wanted, what):
    check(len(got) == len(wanted) and all(abs(float(a) - b) < 0.01 for a, b in zip(got, wanted)), what, got, 'expected', wanted)


def open_size():
    """An input that leaves its size open is 640 at most, and its sides are multiples of 32."""
    wide, high = answers('open.onnxtxt', 'wide.ppm', 'high.ppm')
    near(wide['input'], [640, 320], 'the input of a wide photograph')
    near(wide['objects'][0]['box'], [0, 0, 128, 64], 'its box')
    near(high['input'], [224, 640], 'the input of a high photograph')
    near(high['fit'], [6.4, 6.4, 0, 0], 'its fit')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path('open.onnxtxt').write_text(OPEN, encoding='utf-8')
    pathlib.Path('wide.ppm').write_bytes(ppm((255, 0, 0)))
    pathlib.Path('high.ppm').write_bytes(ppm((0, 0, 255), 33, 100))
    open_size()
finish()
