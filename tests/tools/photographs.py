# SPDX-License-Identifier: Apache-2.0
"""photographs.py OCELLUS - how ocellus predict gives photographs to networks: inputs of any size, several photographs at a
time, and two frames or what two eyes see.

Expected numbers are computed here from how a photograph lies in the input."""
import json
import os
import pathlib
import sys
import tempfile

from checks import check, finish
from predict_networks import ppm, runner

OCELLUS = os.path.abspath(sys.argv[1])
run = runner(OCELLUS, 'predict')
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

# Of each of four photographs the one box that counts is around (32, 24), 32 wide and 16 high; its label is 0 where there is
# more red than blue, and its score the greater of their means.
FOUR = '''<ir_version: 8, opset_import: ["" : 13]>
finds (float[4,3,64,64] images) => (float[4,6,84] output0)
<float[1,4,1] box = {32, 24, 32, 16}, int64[2] picked = {0, 2}, int64[1] last = {-1}, int64[6] more = {0, 0, 0, 0, 0, 83},
 int64[3] four = {4, 4, 1}>
{
  means = ReduceMean <axes = [2, 3], keepdims = 0> (images)
  two = Gather <axis = 1> (means, picked)
  scores = Unsqueeze (two, last)
  boxes = Expand (box, four)
  place = Concat <axis = 1> (boxes, scores)
  output0 = Pad (place, more)
}'''
# How much more red and green the second picture has, times 8, as a motion; a coarse estimate comes first.
FLOW = '''<ir_version: 8, opset_import: ["" : 13]>
moves (float[1,3,64,64] before, float[1,3,64,64] behind) => (float[1,2,32,32] coarse, float[1,2,32,32] flow)
<float factor = {8.0}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}>
{
  more = Sub (behind, before)
  small = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (more)
  coarse = Slice (small, zero, two, one)
  flow = Mul (coarse, factor)
}'''
FOUR_PAIRS = '''<ir_version: 8, opset_import: ["" : 13]>
moves (float[4,3,64,64] before, float[4,3,64,64] behind) => (float[4,2,64,64] flow)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}>
{ more = Sub (behind, before)  flow = Slice (more, zero, two, one) }'''


# One query around the middle of the picture, half as wide and high.
DETR = '''<ir_version: 8, opset_import: ["" : 13]>
finds (float[1,3,H,W] pixel_values) => (float[1,1,3] logits, float[1,1,4] pred_boxes)
<float[1,1,3] many = {9, 0, 0}, float[1,1,4] middle = {0.5, 0.5, 0.5, 0.5}, float zero = {0}>
{ sum = ReduceMax <keepdims = 0> (pixel_values)  none = Mul (sum, zero)  logits = Add (many, none)  pred_boxes = Identity (middle) }'''
PIPELINE = {'pipeline': {'tasks': [{'module': 'Transform', 'transforms': [
    {'type': 'Resize', 'size': [1333, 800], 'keep_ratio': True}, {'type': 'Normalize', 'mean': [0], 'std': [255]},
    {'type': 'Pad', 'size_divisor': 32}]}]}}


# As PP-YOLOE of PaddleDetection: rows, their number, and inputs that are told the size.
PADDLE = '''<ir_version: 8, opset_import: ["" : 13]>
finds (float[N,3,H,W] image, float[N,2] scale_factor) => (float[n,6] rows, int32[1] count)
<float[2,6] given = {1, 0.9, 16, 8, 48, 40, -1, 0, 0, 0, 0, 0}, int32[1] two = {2}, float zero = {0}, float one = {1}>
{
  least = ReduceMin <keepdims = 0> (image)
  none = Mul (least, zero)
  scale = ReduceMax <keepdims = 0> (scale_factor)
  factors = Mul (given, scale)
  rows = Add (factors, none)
  count = Identity (two)
}'''
CONFIG = '''mode: paddle
arch: YOLO
Preprocess:
- interp: 2
  keep_ratio: false
  target_size:
  - 64
  - 96
  type: Resize
- is_scale: true
  mean: [0.5, 0.25, 0.0]
  std:
  - 1.0
  - 1.0
  - 2.0
  type: NormalizeImage
- type: Permute
- type: Mixup
label_list:
- person
- traffic light
'''


def answers(*words, **how):
    return json.loads(run(*words, '--json', '-q', **how).stdout)['answers']


def near(got, wanted, what):
    check(len(got) == len(wanted) and all(abs(float(a) - b) < 0.01 for a, b in zip(got, wanted)), what, got, 'expected', wanted)


def open_size():
    """An input that leaves its size open is 640 at most, and its sides are multiples of 32."""
    flat, high = answers('open.onnxtxt', 'wide.ppm', 'high.ppm')
    near(flat['input'], [640, 320], 'the input of a wide photograph')
    near(flat['objects'][0]['box'], [0, 0, 128, 64], 'its box')
    near(high['input'], [224, 640], 'the input of a high photograph')
    near(high['fit'], [6.4, 6.4, 0, 0], 'its fit')


def pages():
    """A page of text is 960 at most, never enlarged, and filled up to multiples of 32."""
    head = '<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,H,W] x) => (float[1,1,H,W] y) {'
    pathlib.Path('page.onnxtxt').write_text(head + ' y = ReduceMax <axes = [1]> (x) }', encoding='utf-8')
    for width, height, size, scale in (128, 64, [128, 64], 1), (33, 100, [64, 128], 1), (1920, 1000, [960, 512], 0.5):
        pathlib.Path('text.ppm').write_bytes(ppm((0, 0, 255), width, height))
        told = answers('page.onnxtxt', 'text.ppm', '--as', 'db-text')[0]
        near(told['input'], size, 'the input of a page')
        near(told['fit'], [scale, scale, 0, 0], 'its fit')


def sides():
    """DETR's short side is 800, and its long one 1333 at most; so are MMDetection's as its pipeline tells, but rounded half up,
    and the sides become multiples of 32. An input that declares its size has all of the photograph."""
    for path, width, height in ('wide.ppm', 128, 64), ('high.ppm', 33, 100), ('plain.ppm', 64, 48), ('wider.ppm', 100, 77):
        pathlib.Path(path).write_bytes(ppm((0, 0, 255), width, height))
        small, large = min(width, height), max(width, height)
        short = round(1333 * small / large) if large / small * 800 > 1333 else 800
        told = answers('detr.onnxtxt', path, '--as', 'detr')[0]
        near(told['input'], [short if width <= height else short * width // height,
                             short if height <= width else short * height // width], 'the input of DETR')
        near(told['objects'][0]['box'], [width / 4, height / 4, width * 3 / 4, height * 3 / 4], 'the middle')
        pathlib.Path('config').mkdir(exist_ok=True)
        pathlib.Path('config/pipeline.json').write_text(json.dumps(PIPELINE), encoding='utf-8')
        told = answers('open.onnxtxt', path, '--config', 'config')[0]
        factor = min(1333 / large, 800 / small)
        near(told['input'], [-(-int(n * factor + 0.5) // 32) * 32 for n in (width, height)], 'the input of MMDetection')
        near(told['fit'], [int(n * factor + 0.5) / n for n in (width, height)] + [0, 0], 'its fit')
    pathlib.Path('fixed.onnxtxt').write_text(DETR.replace('H,W', '96,64'), encoding='utf-8')
    near(answers('fixed.onnxtxt', 'wide.ppm', '--as', 'detr')[0]['fit'], [0.5, 1.5, 0, 0], 'an input that declares its size')
    pathlib.Path('fixed.onnxtxt').write_text(OPEN.replace('H,W', '96,64'), encoding='utf-8')
    near(answers('fixed.onnxtxt', 'wide.ppm', '--config', 'config')[0]['fit'], [0.5, 0.5, 0, 0], 'a corner of such an input')


def paddle():
    """infer_cfg.yml beside the model tells names, size, filter and numbers; one whose sides are bounded; and a damaged one."""
    os.makedirs('exported')
    pathlib.Path('exported/model.onnxtxt').write_text(PADDLE, encoding='utf-8')
    pathlib.Path('exported/infer_cfg.yml').write_text(CONFIG, encoding='utf-8')
    told = answers('exported/model.onnxtxt', 'wide.ppm')[0]
    near(told['input'], [96, 64], 'the input of PaddleDetection')
    check([o['name'] for o in told['objects']] == ['traffic light'], 'names', told)
    near(told['objects'][0]['box'], [16 * 4 / 3, 8, 48 * 4 / 3, 40], 'a row')
    run('exported/model.onnxtxt', 'wide.ppm', says=(
        "decoder paddle, by exported/infer_cfg.yml: arch, and outputs 'rows'", "infer_cfg.yml: step 'Mixup' is left out",
        'stretched to 96 x 64 (cv2:cubic)', 'sample * 0.00392157', 'minus mean 0.5,0.25,0', 'by std 1,1,2'))
    bounded = CONFIG.replace('false', 'true').replace('- 64', '- 800').replace('- 96', '- 1333').replace(
        '- type: Mixup', '- type: PadStride\n  stride: 32')
    pathlib.Path('exported/infer_cfg.yml').write_text(bounded, encoding='utf-8')
    near(answers('exported/model.onnxtxt', 'wide.ppm')[0]['input'], [1344, 672], 'an input whose sides are bounded')
    pathlib.Path('exported/infer_cfg.yml').write_text('arch: YOLO\nPreprocess\n', encoding='utf-8')
    run('exported/model.onnxtxt', 'wide.ppm', says='infer_cfg.yml: line 2: expected "key: value"')
    run('exported/model.onnxtxt', 'wide.ppm', '--config', 'exported/infer_cfg.yml', code=3, says='line 2: expected "key: value"')


def landmarks():
    """A decoder's own attributes: two numbers for each point, as shares of the sides."""
    pathlib.Path('spots.onnxtxt').write_text(
        '<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,64,64] x) => (float[1,4] y) <float[1,4] spots = {0.25, 0.5, 0.75, 1}, '
        'float zero = {0}> { least = ReduceMin <keepdims = 0> (x)  none = Mul (least, zero)  y = Add (spots, none) }', encoding='utf-8')
    points = answers('spots.onnxtxt', 'wide.ppm', '--as', 'landmarks-xy')[0]['objects'][0]['points']
    near([n for point in points for n in point], [32, 32, 1, 96, 64, 1], 'points of PFLD')


def wide(i):
    """The i-th photograph of a row: of one of three widths, blue or red."""
    return ppm((250 - 10 * i, 0, 0) if i % 2 else (0, 0, 250 - 10 * i), 64 << i % 3)


def is_wide(answer, i):
    """The answer is that of the i-th photograph, whose scale is that of its width."""
    scale = 1 / (1 << i % 3)
    top = 32 - 32 * scale
    found = answer['objects'][0]
    check(found['label'] == (0 if i % 2 else 1), 'the label of photograph', i, answer)
    near(found['box'], [16 / scale, max(16 - top, 0) / scale, 48 / scale, (32 - top) / scale], f'the box of photograph {i}')


def batches():
    """Photographs run in fours; the last ones, and those beside one that cannot be read, have their own answers as well."""
    os.makedirs('row')
    for i in range(6):
        pathlib.Path(f'row/{i}.ppm').write_bytes(wide(i))
    told = answers('four.onnxtxt', 'row')
    check(len(told) == 6, 'answers', told)
    for i, answer in enumerate(told):
        is_wide(answer, i)
    is_wide(answers('four.onnxtxt', 'row/1.ppm')[0], 1)
    run('four.onnxtxt', 'row', says=('takes 4 photographs at a time', '6 of 6 files done'))
    for threads in '1', '3':
        out = run('four.onnxtxt', '-', '-q', '--threads', threads, '--json', input=b''.join(wide(i % 3) for i in range(10))).stdout
        told = json.loads(out)['answers']
        check([a['file'] for a in told] == [f'frame {i + 1}' for i in range(10)], 'frames in order', told)
        for i, answer in enumerate(told):
            is_wide(answer, i % 3)
    run('four.onnxtxt', 'row', '-o', 'drawn', '--crops', 'crops', '-q')
    check(len(os.listdir('crops')) == 6, 'crops', os.listdir('crops'))
    pathlib.Path('row/2.ppm').write_bytes(wide(2)[:99])
    told = answers('four.onnxtxt', 'row', code=3)
    check([a['file'] for a in told] == [f'row/{i}.ppm' for i in (0, 1, 3, 4, 5)], 'files but a damaged one', told)
    for answer, i in zip(told, (0, 1, 3, 4, 5)):
        is_wide(answer, i)
    run('four.onnxtxt', '--save', 'whole.onnxtxt', '-q')
    text = pathlib.Path('whole.onnxtxt').read_text(encoding='utf-8')
    check('int64[4,2] photo' in text and 'boxes_3' in text, 'the model with four decoders', text[:500])


def motion(answer, expected):
    near([answer['flow'][k] for k in ('least', 'greatest')], [expected, expected], answer['file'])


def frames():
    """A network of two frames takes each with the next one: red that comes moves right by 8 of 64, in 128 by 16."""
    colours = [(0, 0, 0), (255, 0, 0), (255, 255, 0), (0, 0, 0)]
    os.makedirs('film')
    for i, colour in enumerate(colours):
        pathlib.Path(f'film/{i}.ppm').write_bytes(ppm(colour))
    expected = [16, 8, 320 ** 0.5]
    for told in (answers('flow.onnxtxt', 'film'), answers('flow.onnxtxt', 'film/0.ppm', 'film/1.ppm', 'film/2.ppm', 'film/3.ppm'),
                 answers('flow.onnxtxt', '-', input=b''.join(map(ppm, colours)))):
        check(len(told) == 3, 'motions of four frames', told)
        for answer, size in zip(told, expected):
            motion(answer, size)
    run('flow.onnxtxt', 'film', '-o', 'moved', '--png',
        says=("'before' takes a photograph, and 'behind' the next one", "by output 'flow'", '3 of 3 files done'))
    check(sorted(n for n in os.listdir('moved') if n.endswith('.png')) == ['0.png', '1.png', '2.png'], os.listdir('moved'))
    out = run('flow.onnxtxt', '-', '-o', '-', '-q', '--threads', '3', input=b''.join(map(ppm, colours))).stdout
    check(out.count(b'P6') == 3, 'drawn frames', len(out))
    motion(answers('flow.onnxtxt', 'film/1.ppm', '-i', 'behind=film/0.ppm')[0], 16)


def eyes():
    """-i INPUT=DIR puts the files of another folder beside those of the pictures, by their names."""
    os.makedirs('left')
    os.makedirs('right')
    for name in 'ab':
        pathlib.Path(f'left/{name}.ppm').write_bytes(ppm((0, 0, 0)))
        pathlib.Path(f'right/{name}.ppm').write_bytes(ppm((255, 0, 0) if name == 'a' else (0, 255, 0)))
    pathlib.Path('left/c.ppm').write_bytes(ppm((0, 0, 0)))
    told = answers('flow.onnxtxt', 'left', '-i', 'behind=right')
    check(len(told) == 2, 'pairs by name', told)
    motion(told[0], 16)
    motion(told[1], 8)
    run('flow.onnxtxt', 'left', '-i', 'behind=right', says=("'behind' that of its name in right", 'a missing partner: left/c.ppm'))
    motion(answers('flow.onnxtxt', 'right', '-i', 'left')[0], 16)
    run('flow.onnxtxt', 'left', '-i', 'behind=right', '-o', 'stereo', '-q')
    run('flow.onnxtxt', 'left', '-i', 'behind=right', '-o', 'stereo', '--resume', says='2 of 2 files done, 2 of them before')
    run('flow.onnxtxt', 'left', '-i', 'behind=left', '-o', 'stereo', '--resume', code=2, says='input-beside')


def wrong_pairs():
    """One photograph alone, two sizes, an input that there is not, two folders, too many photographs, and pairs in fours."""
    run('flow.onnxtxt', 'film/0.ppm', code=2, says='the network takes two photographs')
    run('flow.onnxtxt', 'film/0.ppm', 'high.ppm', code=3, says='film/0.ppm: 128 x 64, and high.ppm beside it 33 x 100')
    run('flow.onnxtxt', 'left', '-i', 'behinds=right', code=2, says="no input 'behinds'; did you mean 'behind'?")
    run('flow.onnxtxt', 'left/a.ppm', '-i', 'behind=right', code=2, says='expected one folder')
    run('flow.onnxtxt', 'left', '-i', 'behind=right', '-i', 'before=right', code=2, says='expected one folder')
    run('crowd.onnxtxt', 'film', '--as', 'mask', code=5, says='takes 1000000000000 photographs at a time, expected at most 256')
    run('pairs.onnxtxt', 'film', code=4, says='takes 4 pairs of photographs at a time')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in (('open', OPEN), ('four', FOUR), ('flow', FLOW), ('detr', DETR), ('pairs', FOUR_PAIRS)):
        pathlib.Path(name + '.onnxtxt').write_text(text, encoding='utf-8')
    pathlib.Path('crowd.onnxtxt').write_text('<ir_version: 8, opset_import: ["" : 13]> g (float[1000000000000,3,8,8] x) => '
                                             '(float[1000000000000,2,8,8] y) { y = Abs (x) }', encoding='utf-8')
    pathlib.Path('wide.ppm').write_bytes(ppm((255, 0, 0)))
    pathlib.Path('high.ppm').write_bytes(ppm((0, 0, 255), 33, 100))
    for part in open_size, pages, sides, paddle, landmarks, batches, frames, eyes, wrong_pairs:
        part()
finish()
