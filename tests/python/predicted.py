# SPDX-License-Identifier: Apache-2.0
"""predicted.py - what the tests of ocellus.Predictor share: networks as text, a photograph, and what `ocellus predict` says. The first
argument of a test is the command. Needs numpy; the libraries are those that OCELLUS_LIBRARY and OCELLUS_PREDICT_LIBRARY name."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)
import ocellus

OCELLUS = os.path.abspath(sys.argv.pop(1))
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
PROPERTIES = '''metadata_props: ["author": "Ultralytics", "task": "detect", "names": "{0: 'red', 1: 'sky, blue'}",
  "stride": "32", "imgsz": "[64, 64]"], '''
# Of 84 places the first is a box around (32, 24), 32 wide and 16 high; its scores are the means of red and of blue.
DETECTOR = f'''<ir_version: 8, {PROPERTIES}opset_import: ["" : 13]>
finds (float[1,3,64,64] images) => (float[1,6,84] output0)
<float[1,4,1] box = {{32, 24, 32, 16}}, int64[2] picked = {{0, 2}}, int64[1] last = {{-1}}, int64[6] more = {{0, 0, 0, 0, 0, 83}}>
{{
  means = ReduceMean <axes = [2, 3], keepdims = 0> (images)
  two = Gather <axis = 1> (means, picked)
  scores = Unsqueeze (two, last)
  place = Concat <axis = 1> (box, scores)
  output0 = Pad (place, more)
}}'''
# Two boxes with masks of 28 x 28 cells, whose values are the means of rows of the picture: torchvision's outputs.
MASKS = HEAD + '''g (float[3,56,56] image) => (float[2,4] boxes, int64[2] labels, float[2] scores, float[2,1,56,56] masks)
<float[2,4] all = {4, 4, 30, 40, 10, 10, 50, 50}, int64[2] kinds = {1, 2}, float[2] sure = {0.9, 0.6},
 int64[4] shape = {1, 1, 56, 56}, int64[4] twice = {2, 1, 1, 1}>
{
  boxes = Identity (all)
  labels = Identity (kinds)
  scores = Identity (sure)
  gray = ReduceMean <axes = [0], keepdims = 1> (image)
  one = Reshape (gray, shape)
  masks = Tile (one, twice)
}'''
CLASSES = HEAD + '''g (float[1,3,32,32] images) => (float[1,6,16,16] y) {
  y0 = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (images)
  y = Concat <axis = 1> (y0, y0)
}'''
DEPTH = HEAD + 'g (float[1,3,32,32] x) => (float[1,32,32] y) { y = ReduceMean <axes = [1], keepdims = 0> (x) }'
KINDS = HEAD + 'g (float[1,3,32,32] x) => (float[1,3] y) { y = ReduceMean <axes = [2, 3], keepdims = 0> (x) }'
# Three columns: blank, then the characters 1 and 2.
LETTERS = HEAD + '''g (float[1,3,8,24] x) => (float[1,3,4] y)
<float[1,3,4] always = {9, 0, 0, 0,  0, 9, 0, 0,  0, 0, 9, 0}, float none = {0}>
{ small = ReduceMean <keepdims = 0> (x)
  zero = Mul (small, none)
  y = Add (always, zero) }'''

# Motion is red and green; a person's 17 points lie one below the other; a box of 20 x 10 is turned by half a radian.
FLOW = HEAD + '''g (float[1,3,32,32] x) => (float[1,2,32,32] y) <int64[2] sizes = {2, 1}>
{ y, blue = Split <axis = 1> (x, sizes) }'''
PAIR = HEAD + '''g (float[1,3,32,32] image1, float[1,3,32,32] image2) => (float[1,2,32,32] y) <int64[2] sizes = {2, 1}>
{ moved = Sub (image2, image1)
  y, blue = Split <axis = 1> (moved, sizes) }'''
POINTS = HEAD + f'''g (float[1,3,32,32] x) => (float[1,1,17,3] y)
<float[1,1,17,3] always = {{{", ".join(f"0.{i:02}, 0.5, 0.9" for i in range(10, 61, 3))}}}, float none = {{0}}>
{{ small = ReduceMean <keepdims = 0> (x)
  zero = Mul (small, none)
  y = Add (always, zero) }}'''
TURNED = HEAD + '''g (float[1,3,32,32] x) => (float[1,2,7] y)
<float[1,2,7] always = {16, 14, 20, 10, 0.9, 0, 0.5,  8, 8, 4, 4, 0.6, 1, 0}, float none = {0}>
{ small = ReduceMean <keepdims = 0> (x)
  zero = Mul (small, none)
  y = Add (always, zero) }'''


def sky(height=64, width=128, seed=3):
    """Smooth colours, so that no two rows and columns are alike."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([(x * 255 // width), (y * 255 // height), (x + y + seed) % 256], -1).astype(np.uint8)


def ppm(array):
    return b'P6 %d %d 255\n' % (array.shape[1], array.shape[0]) + array.tobytes()


class Predicted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.photo = sky()
        pathlib.Path('photo.ppm').write_bytes(ppm(self.photo))
        pathlib.Path('net.onnxtxt').write_text(DETECTOR, encoding='utf-8')

    def command(self, *words, code=0):
        done = subprocess.run([OCELLUS, 'predict', *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def told(self, *words):
        return json.loads(self.command(*words, '--json', '-q').stdout)

    def refused(self, call, *given, **options):
        with self.assertRaises(ocellus.Error) as caught:
            call(*given, **options)
        return caught.exception
