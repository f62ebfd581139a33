# SPDX-License-Identifier: Apache-2.0
"""What the tests of predict, and of run and map with its words, share: networks as ONNX text, pictures, and a way to run the
command."""
import subprocess

from checks import check

PROPERTIES = '''metadata_props: ["author": "Ultralytics", "task": "detect", "names": "{0: 'red', 1: 'sky, blue'}",
  "stride": "32", "imgsz": "[64, 64]"], '''
# Of 84 places the first is a box around (32, 24), 32 wide and 16 high; its scores are the means of red and of blue.
NETWORK = '''<ir_version: 8, %sopset_import: ["" : 13]>
finds (float[1,3,64,64] images) => (float[1,6,84] output0)
<float[1,4,1] box = {32, 24, 32, 16}, int64[2] picked = {0, 2}, int64[1] last = {-1}, int64[6] more = {0, 0, 0, 0, 0, 83}>
{
  means = ReduceMean <axes = [2, 3], keepdims = 0> (images)
  two = Gather <axis = 1> (means, picked)
  scores = Unsqueeze (two, last)
  place = Concat <axis = 1> (box, scores)
  output0 = Pad (place, more)
}'''
SEGMENTER = '''<ir_version: 8, opset_import: ["" : 13]>
maps (float[1,3,32,32] images) => (float[1,6,16,16] logits) {
  y0 = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (images)
  logits = Concat <axis = 1> (y0, y0)
}'''
RED = (255, 0, 0)
# YOLOv8's output, beside an output and an input that are named as those of a decoder.
TWINS = (NETWORK % PROPERTIES).replace('images) =>', 'images, int64[1] photo) =>').replace(
    'output0)\n', 'output0, float[1,3] boxes)\n', 1).replace('  output0 =', '  boxes = Identity (means)\n  output0 =')
# The scores of red, green and blue are those of classes 20, 21 and 22 of 80.
NETWORK_80 = '''<ir_version: 8, opset_import: ["" : 13]>
finds (float[1,3,64,64] images) => (float[1,84,84] output0)
<float[1,4,1] box = {32, 24, 32, 16}, int64[1] last = {-1}, int64[6] others = {0, 20, 0, 0, 57, 0}, int64[6] more = {0, 0, 0, 0, 0, 83}>
{
  means = ReduceMean <axes = [2, 3], keepdims = 0> (images)
  three = Unsqueeze (means, last)
  scores = Pad (three, others)
  place = Concat <axis = 1> (box, scores)
  output0 = Pad (place, more)
}'''
LINE = '<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,8,W] x) => (float[1,3,8,W] y) { y = Abs (x) }'
PLANE = '<ir_version: 8, opset_import: ["" : 13]> g (float[1,1,32,32] x) => (float[1,1,32,32] y) { y = Abs (x) }'
# A face around (64, 64), at the first of MediaPipe's 896 places, whose score is the greatest sample.
FACES = '''<ir_version: 8, opset_import: ["" : 13]>
g (float[1,3,128,128] x) => (float[1,896,16] offsets, float[1,896,1] logits)
<int64[6] more = {0, 0, 0, 0, 895, 0}, float low = {-20}, float twenty = {20}, int64[3] all = {1, 896, 16}>
{
  greatest = ReduceMax <axes = [2, 3], keepdims = 0> (x)
  score = ReduceMax <axes = [1], keepdims = 0> (greatest)
  scaled = Mul (score, twenty)
  one = Constant <value = int64[3] {1, 1, 1}> ()
  first = Reshape (scaled, one)
  logits = Pad (first, more, low)
  offsets = ConstantOfShape <value = float[1] {60.0}> (all)
}'''
FRONT = '<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,32,32] x) => (float[1,1,32,32] y) { y = ReduceMax <axes = [1]> (x) }'
MEANS = '''<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,32,32] x) => (float[1,3] y) {
  m = GlobalAveragePool (x)
  %s
}'''
# At each of five steps the means of the three channels, and 0 for the blank.
PLATE = '''<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,24,94] x) => (float[4,5] y)
<int64[1] one = {1}, float[1,1] blank = {0}, int64[2] five = {4, 5}> {
  m = ReduceMean <axes = [2, 3], keepdims = 0> (x)
  all = Concat <axis = 1> (m, blank)
  column = Transpose <perm = [1, 0]> (all)
  y = Expand (column, five)
}'''
VECTOR = '<ir_version: 8, opset_import: ["" : 13]> g (float[1,20] x) => (float[1,6,84] y) { y = Expand (x) }'


FLOW = '''<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,32,32] x) => (float[1,2,32,32] y)
<int64[1] begin = {0}, int64[1] end = {2}, int64[1] axis = {1}> { y = Slice (x, begin, end, axis) }'''
TWO = FLOW.replace('float[1,3,32,32] x', 'float[1,3,32,32] x, float[1,3,32,32] x2')
# The pixel in column 8 and row 56.
DOT = '''<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,h,w] x) => (float[1,3,1,1] y)
<int64[2] begin = {56, 8}, int64[2] end = {57, 9}, int64[2] axes = {2, 3}> { y = Slice (x, begin, end, axes) }'''


def ppm(colour, width=128, height=64):
    return b'P6 %d %d 255\n' % (width, height) + bytes(colour) * (width * height)


def runner(*command):
    """A function that runs the command with more words, and checks its exit code and what it says."""
    def run(*words, code=0, says=(), **how):
        done = subprocess.run([*command, *words], capture_output=True, timeout=120, **how)
        told = (done.stderr + done.stdout).decode(errors='replace')
        check(done.returncode == code, words, 'ends with', done.returncode, 'expected', code, told)
        for text in [says] if isinstance(says, str) else says:
            check(text in told, words, 'says', told, 'expected', text)
        return done
    return run
