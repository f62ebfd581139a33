# SPDX-License-Identifier: Apache-2.0
"""answers.py OCELLUS - the answers of ocellus run and ocellus map: those of ocellus predict, beside outputs that stay as they are.

The network finds red and blue pictures: of 84 places the first is a box around (32, 24), 32 wide and 16 high, whose scores are the
means of red and of blue."""
import csv
import json
import os
import pathlib
import shutil
import sys
import tempfile

from checks import check, finish
from predict_networks import PROPERTIES, ppm, runner

OCELLUS = os.path.abspath(sys.argv[1])
run = runner(OCELLUS)
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
    for words in [], ['help']:
        run(*words, code=0 if words else 2, says=('drawn into photographs', '-o drawn --table found.csv', 'run and map have --draw'))
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


def photos():
    """Seven pictures, two of them below."""
    os.makedirs('photos/below')
    for i in range(7):
        colour = (200 - 9 * i, 0, 30 * i)
        pathlib.Path(f'photos/{"below/" if i > 4 else ""}p{i}.ppm').write_bytes(ppm(colour))


def answers_of_map():
    """Results as without answers, whatever the batch; drawings and tables as those of predict, of run and of each batch."""
    job = 'map', 'net.onnxtxt', '-i', 'photos', *FIT, '-q'
    run(*job, '-o', 'plain')
    run('predict', 'net.onnxtxt', 'photos', *FIT, '-q', '-o', 'predicted', '--png', '--table', 'photos.csv')
    run('run', 'net.onnxtxt', '-i', 'photos/p3.ppm', *FIT, '-q', '--draw', 'p3.png')
    for n in '1', '4':
        run(*job, '-o', f'out{n}', '--draw', f'photos/drawn{n}', '--png', '--table', f'out{n}.csv', '--batch', n)
        same(f'out{n}.csv', 'photos.csv')
        same(f'photos/drawn{n}/p3.png', 'p3.png')
        for i in range(7):
            name = f'{"below/" if i > 4 else ""}p{i}'
            same(f'out{n}/{name}.npz', f'plain/{name}.npz')
            same(f'photos/drawn{n}/{name}.png', f'predicted/{name}.png')
        shutil.rmtree(f'photos/drawn{n}')
    run(*job, '-o', 'names', '--table', 'names.csv', '--labels', 'names.txt', '--least', '0.6', '--top', '1')
    with open('names.csv', newline='', encoding='utf-8') as f:
        rows = list(csv.DictReader(f))
    check(rows and {row['name'] for row in rows} == {'rot'} and min(float(row['score']) for row in rows) >= 0.6, 'words', rows)


def jobs_that_go_on():
    """--resume keeps rows, and refuses a record of other answers; the drawn pictures of an earlier job are no files to read."""
    job = 'map', 'net.onnxtxt', '-i', 'photos', *FIT, '-q', '-o', 'kept', '--draw', 'photos/drawn'
    run(*job, '--table', 'kept.tsv', says='7 of 7 files done')
    whole = pathlib.Path('kept.tsv').read_bytes()
    done = pathlib.Path('kept/done.tsv').read_text(encoding='utf-8').splitlines(keepends=True)
    pathlib.Path('kept/done.tsv').write_text(''.join(done[:4]), encoding='utf-8')
    run(*job, '--table', 'kept.tsv', '--resume', says='7 of 7 files done, 3 of them before')
    check(pathlib.Path('kept.tsv').read_bytes() == whole, 'a table that went on')
    for words, told in ((['--least', '0.5'], '--least was none, is 0.5'), (['--png'], '--draw was jpg, is png'),
                        (['--labels', 'names.txt'], '--labels was none, is names.txt'), (['--top', '1'], '--top was none, is 1')):
        run(*job, *words, '--resume', code=2, says=told)
    done = run(*job[:-2], '--resume', code=2, says='--as was yolov8, is none')
    check(b'--labels' not in done.stderr, 'what is not given is no difference', done.stderr)
    run(*job[:-4], '-o', 'untold')
    run(*job[:-4], '-o', 'untold', '--table', 'untold.csv', '--resume', code=2, says='--as was none, is yolov8')
    run(*job[:-4], '-o', 'bare', '--draw', 'bare/drawn')
    run(*job[:-4], '-o', 'bare', '--draw', 'bare/drawn', '--table', 'bare.csv', '--resume', code=2, says='kept no rows of photos')
    shutil.rmtree('photos/drawn')
    os.makedirs('model')
    os.makedirs('rows')
    shutil.copy('net.onnxtxt', 'model')
    run('map', 'model/net.onnxtxt', '-i', 'photos', *FIT, '-q', '-o', 'boxed', '--draw', 'boxed drawn', '--table', 'rows/boxed.tsv',
        '--labels', 'names.txt', '--sandbox', env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}, says='7 of 7 files done')
    run('run', 'net.onnxtxt', '-i', 'red.ppm', *FIT, '-q', '--draw', 'boxed/red.png', '--table', 'boxed/red.csv', '--sandbox',
        env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}, says='0.724')
    for k in 1, 2:
        run(*job[:-4], '-o', 'shards', '--shard', f'{k}/2', '--table', f's{k}.tsv')
    parts = b''.join(pathlib.Path(f's{k}.tsv').read_bytes().split(b'\n', 1)[1] for k in (1, 2))
    check(sorted(parts.splitlines()) == sorted(whole.splitlines()[1:]), 'rows of two shards', parts)


def pairs():
    """The answer is of the first picture, or of that which --picture names."""
    os.makedirs('reds')
    os.makedirs('blues')
    for i in range(3):
        pathlib.Path(f'reds/p{i}.ppm').write_bytes(ppm((255, 0, 0), 128, 64))
        pathlib.Path(f'blues/p{i}.ppm').write_bytes(ppm((0, 0, 255), 64, 64))
    job = 'map', 'pair.onnxtxt', *FIT, '-q', '--least', '0.3'
    for n in '1', '2':
        run(*job, '-i', 'a=reds', '-i', 'b=blues', '-o', f'ab{n}', '--table', f'ab{n}.csv', '--draw', f'ab{n}', '--batch', n)
        with open(f'ab{n}.csv', newline='', encoding='utf-8') as f:
            rows = list(csv.DictReader(f))
        check([row['file'] for row in rows] == [f'reds/p{i}.ppm' for i in range(3) for _ in range(2)] or
              [row['file'] for row in rows] == [f'reds/p{i}.ppm' for i in range(3)], 'files of pairs', rows)
        check(all(row['width'] == '128' for row in rows) and os.path.exists(f'ab{n}/p2.jpg'), 'the first picture', rows)
    run(*job, '-i', 'a=reds', '-i', 'b=blues', '-o', 'b', '--table', 'b.csv', '--picture', 'b')
    with open('b.csv', newline='', encoding='utf-8') as f:
        check({row['width'] for row in csv.DictReader(f)} == {'64'}, '--picture')
    run(*job, '-i', 'a=reds', '-i', 'b=blue.ppm', '-o', 'no', '--table', 'no.csv', '--picture', 'b', code=2,
        says='expected an input that -i gives many files')


def mistakes_of_map():
    """A file that has no answer fails alone; a job that would overwrite its photographs is refused."""
    os.makedirs('mixed')
    for i in range(3):
        pathlib.Path(f'mixed/p{i}.ppm').write_bytes(ppm((255, 0, 0)))
    run('run', 'net.onnxtxt', '-i', 'red.ppm', *FIT, '-q', '-o', 'y=mixed/p1.npy')
    pathlib.Path('mixed/p2.ppm').write_bytes(b'P6 9')
    job = 'map', 'net.onnxtxt', *FIT, '-q'
    run(*job, '-i', 'mixed', '-o', 'm', '--table', 'm.csv', code=3, says=('p1.npy: it is no picture', '2 of 4 files done'))
    check(pathlib.Path('m.csv').read_text(encoding='utf-8').count('\n') == 3, 'rows of the others')
    os.makedirs('jpgs')
    pathlib.Path('jpgs/p.jpg').write_bytes(ppm((255, 0, 0)))
    run(*job, '-i', 'jpgs', '-o', 'm2', '--draw', 'jpgs', code=2, says='--draw jpgs: a result of')
    run(*job, '-i', 'jpgs/*.jpg', '-o', 'm2', '--draw', './jpgs', code=2, says='would take the place of jpgs/p.jpg')
    check(pathlib.Path('jpgs/p.jpg').read_bytes() == ppm((255, 0, 0)), 'the photograph stays')
    run('map', 'pair.onnxtxt', '-i', 'a=jpgs', '-i', 'b=blue.ppm', *FIT, '-q', '-o', 'm3', '--draw', 'm3', '--format', 'jpg', code=2,
        says='would be one file, m3/p.jpg')
    run(*job, '-i', 'jpgs', '-o', 'm4', '--least', '0.5', code=2, says='go with --draw or --table')
    run(*job, '-i', 'jpgs', '-o', 'm4', '--as', 'yolov8', code=2, says='go with --draw or --table')
    run(*job, '-i', 'jpgs', '-o', 'm4', '--table', 'm.csv', '--overlap', '9', code=2, says='--overlap is above 1')
    run('map', 'vector.onnxtxt', '-i', 'jpgs', '-o', 'm4', '--table', 'm4.csv', code=2, says="'x' takes no picture")
    if os.path.exists('/dev/full'):
        os.symlink('/dev/full', 'full.csv')
        run(*job, '-i', 'jpgs', '-o', 'm5', '--table', 'full.csv', code=3, says='No space left')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in MODELS.items():
        pathlib.Path(name + '.onnxtxt').write_text(text, encoding='utf-8')
    for name, colour in (('red', (255, 0, 0)), ('blue', (0, 0, 255)), ('both', (180, 0, 200))):
        pathlib.Path(name + '.ppm').write_bytes(ppm(colour))
    photos()
    for part in (answers_of_run, words_of_run, mistakes_of_run, answers_of_map, jobs_that_go_on, pairs, mistakes_of_map):
        part()
    os.chdir('/')
finish()
