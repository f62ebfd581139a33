# SPDX-License-Identifier: Apache-2.0
"""answers.py OCELLUS - the answers of ocellus run and ocellus map: those of ocellus predict, beside outputs that stay as they are.

The network finds red and blue pictures: of 84 places the first is a box around (32, 24), 32 wide and 16 high, whose scores are the
means of red and of blue."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])
PROPERTIES = '''metadata_props: ["author": "Ultralytics", "task": "detect", "names": "{0: 'red', 1: 'sky, blue'}",
  "stride": "32", "imgsz": "[64, 64]"], '''
HEAD = '<ir_version: 8, %sopset_import: ["" : 13]>\n'
BODY = '''<float[1,4,1] box = {32, 24, 32, 16}, int64[2] picked = {0, 2}, int64[1] last = {-1}, int64[1] zero = {0},
 int64[2] rest = {4, 1}, int64[6] more = {0, 0, 0, 0, 0, 83}>
{
  %s
  means = ReduceMean <axes = [2, 3], keepdims = 0> (picture)
  two = Gather <axis = 1> (means, picked)
  scores = Unsqueeze (two, last)
  shape = Shape (two)
  n = Gather (shape, zero)
  dims = Concat <axis = 0> (n, rest)
  boxes = Expand (box, dims)
  place = Concat <axis = 1> (boxes, scores)
  output0 = Pad (place, more)
}'''
MODELS = {
    'net': HEAD % PROPERTIES + 'g (float[N,3,64,64] images) => (float[N,6,84] output0, y)'
           + BODY % 'picture = Identity (images)\n  y = Neg (images)',
    'pair': HEAD % PROPERTIES + 'g (float[N,3,64,64] a, float[N,3,64,64] b) => (float[N,6,84] output0)'
            + BODY % 'picture = Mean (a, b)',
    'sized': HEAD % PROPERTIES + 'g (float[1,3,64,64] images, int64[1,2] orig_target_sizes) => (float[1,6,84] output0, y)'
             + BODY % 'picture = Identity (images)\n  y = Neg (orig_target_sizes)',
    'vector': HEAD % '' + '''g (float[1,20] x) => (float[1,6,84] y) <int64[3] d = {1, 6, 84}> {
  z = ReduceMean <axes = [1]> (x)
  y = Expand (z, d)
}''',
}
FIT = '--preset', 'yolo'


def run(*words, code=0, says=(), **how):
    done = subprocess.run([OCELLUS, *words], capture_output=True, timeout=120, **how)
    told = (done.stderr + done.stdout).decode(errors='replace')
    check(done.returncode == code, words, 'ends with', done.returncode, 'expected', code, told)
    for text in [says] if isinstance(says, str) else says:
        check(text in told, words, 'says', told, 'expected', text)
    return done


def ppm(colour, width=128, height=64):
    return b'P6 %d %d 255\n' % (width, height) + bytes(colour) * (width * height)


def same(a, b):
    check(pathlib.Path(a).read_bytes() == pathlib.Path(b).read_bytes(), a, 'and', b, 'differ')


def answers_of_run():
    """Outputs as without an answer; the picture and the table as those of predict."""
    plain = run('run', 'net.onnxtxt', '-i', 'red.ppm', *FIT, '-o', 'plain.npz', '-q')
    done = run('run', 'net.onnxtxt', '-i', 'red.ppm', *FIT, '-o', 'beside.npz', '-q', '--draw', 'red.png', '--table', 'red.csv',
               '--expect', 'plain.npz')
    same('plain.npz', 'beside.npz')
    lines = done.stdout.decode().splitlines()
    check(lines[:2] == plain.stdout.decode().splitlines(), 'outputs as they are told without an answer', lines)
    check(lines[4].split()[:5] == ['file', 'label', 'score', 'left', 'top'] and
          lines[5].split() == ['red.ppm', 'red', '0.724', '32.0', '0.0', '96.0', '32.0'], 'the answer', lines)
    run('predict', 'net.onnxtxt', 'red.ppm', *FIT, '-q', '-o', 'drawn', '--png', '--table', 'predict.csv')
    same('red.png', 'drawn/red.png')
    same('red.csv', 'predict.csv')
    told = json.loads(run('run', 'net.onnxtxt', '-i', 'red.ppm', *FIT, '-q', '--json', '--as', 'yolov8').stdout)
    check(told['decoder'] == 'yolov8' and told['answers'][0]['objects'][0]['name'] == 'red' and len(told['outputs']) == 2,
          'document', told)
    run('run', 'net.onnxtxt', '-i', '-', *FIT, '-q', '--draw', 'piped.png', input=ppm((255, 0, 0)))
    same('red.png', 'piped.png')


def words_of_run():
    """--top and --labels are of the answer where there is one, and else of the outputs."""
    pathlib.Path('names.txt').write_text('rot\nblau\n', encoding='utf-8')
    job = 'run', 'net.onnxtxt', '-i', 'both.ppm', *FIT, '-q'
    ranked = run(*job, '--top', '1').stdout.decode()
    check('row [0,0]\n       0  32\n' in ranked and 'label' not in ranked, '--top without an answer', ranked)
    told = run(*job, '--as', 'yolov8', '--top', '1', '--labels', 'names.txt').stdout.decode()
    check(' blau ' in told and 'row' not in told, '--top and --labels of an answer', told)
    check('nothing' in run(*job, '--as', 'yolov8', '--least', '0.9').stdout.decode(), '--least')
    check(run('run', 'net.onnxtxt', '--as', 'list').stdout == run('predict', '--as', 'list').stdout, 'the list of decoders')
    run(*job, '--least', '0.5', code=2, says='go with --draw, --table or --as')
    run(*job, '--labels', 'names.txt', code=2, says='--labels goes with --top N')
    run(*job, '--as', 'yolov8', '--least', '50', code=2, says='--least is above 1')
    run(*job, '--as', 'yolo8', code=2, says="did you mean 'yolov8'?")


def mistakes_of_run():
    """What cannot be answered fails before the run, and leaves no file."""
    run('run', 'net.onnxtxt', '-i', 'red.ppm', '--draw', 'no.png', code=3, says=("predict's are prepared as its property 'task'",
                                                                               '(--preset yolo)', '--image-resize'))
    job = 'run', 'net.onnxtxt', '-q', *FIT, '-o', 'no.npz'
    run(*job, '--fill', 'random', '--dim', 'N=1', '--table', 'no.csv', code=2, says="-i gives input 'images' none")
    run('run', 'vector.onnxtxt', '--fill', 'random', '--as', 'yolov8', '-o', 'no.npz', code=2, says='takes a picture')
    run(*job, '-i', 'red.ppm', '--draw', 'no.gif', code=2, says='.png or .jpg')
    run(*job, '-i', 'red.ppm', '--table', 'no.xls', code=2, says='.csv, .tsv, .jsonl')
    run(*job, '-i', 'red.ppm', '--draw', 'no.png', '--picture', 'image', code=2, says="'image'")
    pathlib.Path('own.png').write_bytes(ppm((255, 0, 0)))
    run(*job, '-i', 'own.png', '--draw', './own.png', code=2, says='take the place of own.png')
    check(not [name for name in os.listdir() if name.startswith('no.')], 'files are left', os.listdir())
    run('run', 'sized.onnxtxt', '-i', 'red.ppm', '-i', '[[128,64]]', *FIT, '-q', '--as', 'yolov8', code=2,
        says="'orig_target_sizes' is not [64,64]")
    run('run', 'sized.onnxtxt', '-i', 'red.ppm', '-i', '[[64,64]]', *FIT, '-q', '--as', 'yolov8', says=' 32.0 ')
    pathlib.Path('zeros.json').write_text(json.dumps([[[[0] * 64] * 64] * 3]), encoding='utf-8')
    run('run', 'pair.onnxtxt', '-i', 'a=zeros.json', '-i', 'b=red.ppm', *FIT, '-q', '--table', 'b.csv', says='red.ppm  red')
    done = run('run', 'pair.onnxtxt', '-i', 'a=red.ppm', '-i', 'b=blue.ppm', *FIT, '-q', '--table', 'a.csv', '--least', '0.3')
    check(b'red.ppm  ' in done.stdout and b'blue.ppm' not in done.stdout, 'the first of two pictures', done.stdout)
    done = run('run', 'pair.onnxtxt', '-i', 'a=red.ppm', '-i', 'b=blue.ppm', *FIT, '-q', '--as', 'yolov8', '--picture', 'b')
    check(b'blue.ppm ' in done.stdout, '--picture', done.stdout)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in MODELS.items():
        pathlib.Path(name + '.onnxtxt').write_text(text, encoding='utf-8')
    for name, colour in (('red', (255, 0, 0)), ('blue', (0, 0, 255)), ('both', (180, 0, 200))):
        pathlib.Path(name + '.ppm').write_bytes(ppm(colour))
    for part in answers_of_run, words_of_run, mistakes_of_run:
        part()
    os.chdir('/')
finish()
