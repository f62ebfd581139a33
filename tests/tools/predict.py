# SPDX-License-Identifier: Apache-2.0
"""predict.py OCELLUS - ocellus predict from end to end: a network that finds red and blue pictures, what is told of it, drawn
and cut out, tables, a job that goes on, a stream, the model with its decoder, and wrong inputs.

Expected boxes are computed here from the fit: a photograph of 128 x 64 lies in 64 x 64 by the scale 0.5, 16 below the top."""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish
from predict_networks import (
    DOT, FACES, FLOW, FRONT, LINE, MEANS, NETWORK, NETWORK_80, PLANE, PLATE, PROPERTIES, RED,
    SEGMENTER, TWINS, TWO, VECTOR, ppm, runner)

OCELLUS = os.path.abspath(sys.argv[1])
run = runner(OCELLUS, 'predict')


def near(got, wanted, what):
    check(len(got) == len(wanted) and all(abs(float(a) - b) < 0.01 for a, b in zip(got, wanted)), what, got, 'expected', wanted)


def answers():
    """The table, JSON and CSV of two photographs: names, scores and boxes in their pixels."""
    done = run('net.onnxtxt', 'red.ppm', 'blue.ppm', '--table', 'out.csv',
               says=("decoder yolov8, by its property 'task'", "photographs are prepared as its property 'task' tells", '2 of 2 files done'))
    shown = done.stdout.decode().splitlines()
    check(shown[0].split() == ['file', 'label', 'score', 'left', 'top', 'right', 'bottom'], 'titles', shown)
    check(shown[1].split() == ['red.ppm', 'red', '0.724', '32.0', '0.0', '96.0', '32.0'], 'rows', shown)
    with open('out.csv', newline='', encoding='utf-8') as f:
        rows = list(csv.DictReader(f))
    check([r['name'] for r in rows] == ['red', 'sky, blue'], 'names', rows)
    near([rows[0][k] for k in ('scale_x', 'scale_y', 'offset_x', 'offset_y')], [0.5, 0.5, 0, 16], 'fit')
    near([rows[1][k] for k in ('left', 'top', 'right', 'bottom')], [32, 0, 96, 32], 'box')
    told = json.loads(run('net.onnxtxt', 'red.ppm', '--json', '-q').stdout)
    check(told['decoder'] == 'yolov8' and told['done'] == 1, 'document', told)
    near(told['answers'][0]['objects'][0]['box'], [32, 0, 96, 32], 'box of JSON')
    run('net.onnxtxt', 'red.ppm', '--table', 'out.coco.json')
    coco = json.loads(pathlib.Path('out.coco.json').read_text(encoding='utf-8'))
    near(coco['annotations'][0]['bbox'], [32, 0, 64, 32], 'box of COCO')
    check(coco['categories'][1]['name'] == 'sky, blue', 'categories', coco)
    check(b'red.ppm  nothing' in run('net.onnxtxt', 'red.ppm', '--least', '0.9').stdout, 'an object below --least')
    pathlib.Path('text.jpg').write_text('no picture\n', encoding='utf-8')
    shown = run('net.onnxtxt', 'text.jpg', 'blue.ppm', 'red.ppm', '--classes', 'red', '--threads', '1', code=3).stdout.decode().splitlines()
    check([line.split()[:2] for line in shown] == [['file', 'label'], ['text.jpg', 'no'], ['blue.ppm', 'nothing'], ['red.ppm', 'red']],
          'titles come first, and each file has a row', shown)
    check(run('net.onnxtxt', 'text.jpg', code=3).stdout == b'text.jpg  no answer\n', 'a file without an answer alone')
    pathlib.Path('names.txt').write_text('rot\nblau\n', encoding='utf-8')
    check(b' rot ' in run('net.onnxtxt', 'red.ppm', '--labels', 'names.txt').stdout, 'names of --labels')
    pathlib.Path('names.txt').write_bytes(b'\xef\xbb\xbfrot\r\nblau\r\n\r\n')
    shown = run('net.onnxtxt', 'red.ppm', 'blue.ppm', '--labels', 'names.txt').stdout
    check(b'red.ppm   rot ' in shown and b' blau ' in shown, 'a mark at the beginning of --labels, and empty lines at its end', shown)


def coco():
    """A detector of 80 classes that tells no names; numbers of categories are COCO's where the names are."""
    coco = run('80.onnxtxt', 'blue.ppm', '--as', 'yolov8', '--table', 'ids.json', says="the 80 classes, which nobody names, have COCO's names")
    check(b' zebra ' in coco.stdout, 'a name of COCO', coco.stdout)
    quiet = run('80.onnxtxt', 'blue.ppm', '--as', 'yolov8', '--labels', 'coco', '-q')
    check(quiet.stdout == coco.stdout and not quiet.stderr, '--labels coco', quiet)
    told = json.loads(pathlib.Path('ids.json').read_text(encoding='utf-8'))
    check(told['annotations'][0]['category_id'] == 24, 'the id of zebra', told['annotations'])
    ids = {c['name']: c['id'] for c in told['categories']}
    check(len(ids) == 80 and ids['person'] == 1 and ids['stop sign'] == 13 and ids['toothbrush'] == 90, 'ids of COCO', ids)
    pathlib.Path('80.txt').write_text('\n'.join(f'kind {i}' for i in range(80)), encoding='utf-8')
    done = run('80.onnxtxt', 'blue.ppm', '--as', 'yolov8', '--labels', '80.txt', '--table', 'ids.json')
    check(b'COCO' not in done.stderr and b' kind 22 ' in done.stdout, 'names of a file', done)
    told = json.loads(pathlib.Path('ids.json').read_text(encoding='utf-8'))
    check(told['annotations'][0]['category_id'] == 23 and told['categories'][22] == {'id': 23, 'name': 'kind 22', 'supercategory': ''}, 'ids', told)
    check(json.loads(run('80.onnxtxt', 'blue.ppm', '--as', 'yolov8', '--json', '-q').stdout)['names'] == '--labels coco', 'where names are from')
    run('80.onnxtxt', 'blue.ppm', '--as', 'yolov8', '--labels', 'coco-91', code=2, says='it names 91 classes, and the network has 80')
    run('net.onnxtxt', 'blue.ppm', '--labels', 'coco', code=2, says='it names 80 classes, and the network has 2')


def classes():
    """--classes leaves out objects and areas of others; words of other programs lead to ours."""
    def rows(*words):
        return [line.split(maxsplit=1) for line in run(*words, '-q').stdout.decode().splitlines() if not line.startswith('file')]
    whole = rows('net.onnxtxt', 'red.ppm', 'blue.ppm')
    for given, name in (('red', 'red '), ('0', 'red '), ('sky, blue', 'sky, '), ('1', 'sky, '), ('0,sky, blue', ''), ('sky, blue,red', '')):
        picked = rows('net.onnxtxt', 'red.ppm', 'blue.ppm', '--classes', given)
        check(picked == [r if r[1].startswith(name) else [r[0], 'nothing'] for r in whole], '--classes', given, picked)
    told = json.loads(run('seg.onnxtxt', 'half.ppm', '--preset', 'stretch', '--json', '-q').stdout)['answers'][0]['classes']
    some = json.loads(run('seg.onnxtxt', 'half.ppm', '--preset', 'stretch', '--json', '-q', '--classes', '2,4', '-o', 'blue').stdout)
    check(some['answers'][0]['classes'] == [c for c in told if c['label'] == 2] and len(told) == 2, 'areas', some, told)
    done = subprocess.run([OCELLUS, 'run', 'dot.onnxtxt', '-i', 'blue/half.jpg', '--print', '--json', '-q'], capture_output=True, text=True, timeout=60)
    dot = json.loads(done.stdout)['outputs'][0]['values']
    check(dot[0] > 0.98 and dot[1] < 0.05, 'red stays red where no class is drawn', dot)
    run('net.onnxtxt', 'red.ppm', '--classes', 'reds', code=2, says="there is no class 'reds'; did you mean 'red'?; expected a name or a number from 0 to 1")
    run('net.onnxtxt', 'red.ppm', '--classes', '2', code=2, says="no class '2'")
    run('net.onnxtxt', 'red.ppm', '--classes', 'red,', code=2, says="no class ''")
    run('seg.onnxtxt', 'red.ppm', '--classes', 'sky', code=2, says='a name or a number from 0 to 5')
    run('flow.onnxtxt', 'red.ppm', '--as', 'flow', '--classes', '0', code=2, says='decoder flow tells no classes')
    for word, here in (('--conf', '--least SCORE'), ('--iou-thres', '--overlap X'), ('--imgsz', '--image-resize'), ('--source=x', 'PICTURE'),
                       ('--save-txt', '--table FILE'), ('--weights', 'MODEL'), ('--class', "did you mean '--classes'?")):
        run('net.onnxtxt', 'red.ppm', word, '0.5', code=2, says=(word, here))


def drawn():
    """Drawn photographs and crops; a job that goes on; records of other settings are refused."""
    os.makedirs('photos/below', exist_ok=True)
    for i, colour in enumerate([(200, 0, 0), (0, 0, 200), (180, 0, 0)]):
        pathlib.Path(f'photos/{"below/" if i == 2 else ""}p{i}.ppm').write_bytes(ppm(colour))
    run('net.onnxtxt', 'photos', '-o', 'drawn', '--png', '--crops', 'crops', '--table', 'all.csv', says='3 of 3 files done')
    for path in 'drawn/p0.png', 'drawn/below/p2.png', 'crops/p1.0.sky,_blue.png', 'crops/below/p2.0.red.png':
        check(os.path.getsize(path) > 100 if os.path.exists(path) else False, path, 'is missing')
    whole = pathlib.Path('all.csv').read_text(encoding='utf-8')
    check(whole.count('\n') == 4, 'rows of a folder', whole)
    pathlib.Path('photos/p3.ppm').write_bytes(ppm((200, 0, 0)))
    run('net.onnxtxt', 'photos', '-o', 'drawn', '--png', code=2, says='--resume goes on with it')
    os.remove('photos/p3.ppm')
    run('net.onnxtxt', 'photos', '-o', 'drawn', '--png', '--least', '0.5', '--resume', code=2, says='--least was none, is 0.5')
    done = pathlib.Path('drawn/done.tsv').read_text(encoding='utf-8').splitlines(keepends=True)
    pathlib.Path('drawn/done.tsv').write_text(''.join(done[:2]), encoding='utf-8')
    run('net.onnxtxt', 'photos', '-o', 'drawn', '--png', '--table', 'all.csv', '--resume', says='1 of them before')
    check(pathlib.Path('all.csv').read_text(encoding='utf-8') == whole, 'a table that went on')
    run('net.onnxtxt', 'photos', '-o', 'drawn', '--png', '--table', 'all.jsonl', '--resume', code=2,
        says="drawn/rows.tsv begins with 'ocellus rows 1: csv', expected 'ocellus rows 1: jsonl' for this table")
    left = pathlib.Path('crops/p1.0.sky,_blue.png').name
    mine, other = pathlib.Path(f'crops/{left}.1.2.part'), pathlib.Path('crops/nothing.0.red.png.1.2.part')
    for words in (('-o', 'drawn', '--again'), ()):
        mine.write_bytes(b'')
        other.write_bytes(b'')
        run('net.onnxtxt', 'photos', *words, '--png', '--crops', 'crops')
        check(not mine.exists() and other.exists(), 'what a killed job left of a crop', os.listdir('crops'))
    for k in 1, 2:
        run('net.onnxtxt', 'photos', '-o', 'shards', '--shard', f'{k}/2', '--table', f's{k}.csv')
    parts = [line for k in (1, 2) for line in pathlib.Path(f's{k}.csv').read_text(encoding='utf-8').splitlines()[1:]]
    check(sorted(parts) == sorted(whole.splitlines()[1:]), 'rows of two shards', parts)
    run('net.onnxtxt', 'photos', '-o', 'shards', '--resume', '--table', 'joined.csv', says='3 of 3 files done, 3 of them before')
    check(pathlib.Path('joined.csv').read_text(encoding='utf-8') == whole, 'a table of the rows of all parts')
    run('net.onnxtxt', 'photos', '-o', 'shards', '--resume', '--table', 'joined.json', code=2, says=('rows.tsv', 'for this table'))
    run('net.onnxtxt', 'photos', '-o', 'shards', '--resume', '--shard', '1/2', '--table', 's1.tsv', code=2, says='for this table')
    run('net.onnxtxt', 'photos', '-o', 'shards', '--again', '--table', 'joined.jsonl')
    check([n for n in os.listdir('shards') if n.startswith(('rows', 'done')) and '-of-' in n] == [], os.listdir('shards'))
    check('kept no rows of' in run('net.onnxtxt', 'photos', '-o', 'shards', '--shard', '1/3', '--resume', '--table', 's.csv',
                                               code=2).stderr.decode(), 'rows of another format')
    run('seg.onnxtxt', 'red.ppm', '-o', 'maps', '--preset', 'stretch', says=('decoder mask', '100.0 %'))
    check(os.path.getsize('maps/red.jpg') > 100, 'a drawn map')


def named():
    """What a decoder is for names its labels where nobody does; --labels says otherwise."""
    pathlib.Path('faces.onnxtxt').write_text(FACES, encoding='utf-8')
    run('faces.onnxtxt', 'red.ppm', '--table', 'faces.csv', '--crops', 'faces', says=('decoder blazeface', 'red.ppm  face '))
    with open('faces.csv', newline='', encoding='utf-8') as f:
        check([(r['label'], r['name']) for r in csv.DictReader(f)] == [('0', 'face')], 'names of a decoder')
    check(os.listdir('faces') == ['red.0.face.jpg'], 'names of crops', os.listdir('faces'))
    pathlib.Path('one.txt').write_text('visage\n', encoding='utf-8')
    check(b' visage ' in run('faces.onnxtxt', 'red.ppm', '--labels', 'one.txt').stdout, 'names of --labels')
    pathlib.Path('unnamed.onnxtxt').write_text(NETWORK % '', encoding='utf-8')
    check(b' 0 ' in run('unnamed.onnxtxt', 'red.ppm', '--as', 'yolov8').stdout, 'a network of classes of its own')
    pathlib.Path('front.onnxtxt').write_text(FRONT, encoding='utf-8')
    check(b' foreground ' in run('front.onnxtxt', 'red.ppm', '--as', 'foreground', '--preset', 'stretch').stdout, 'names of areas')


def unwritable():
    """Names that cannot be drawn are named once, where something is drawn."""
    pathlib.Path('names.txt').write_text('é Ω я\n\u732b\n', encoding='utf-8')
    for words, n in (('-o', 'letters'), 1), (('-o', 'letters', '-q'), 0), ((), 0):
        told = run('net.onnxtxt', 'red.ppm', 'blue.ppm', '--labels', 'names.txt', *words)
        check(told.stderr.decode().count("the font lacks letters of '\u732b'; --table has them") == n, words, told)


def places():
    """-o names a file for one photograph; what is read is not replaced; a job may be repeated."""
    os.makedirs('shots', exist_ok=True)
    for name in 'a', 'b':
        pathlib.Path(f'shots/{name}.ppm').write_bytes(ppm((255, 0, 0)))
    for name, head in (('one.jpg', b'\xff\xd8'), ('one.PNG', b'\x89PNG')):
        for again in (), ('--least', '0.5'):
            run('net.onnxtxt', 'red.ppm', '-o', name, *again)
        check(pathlib.Path(name).read_bytes().startswith(head), name, 'is no such picture')
    run('net.onnxtxt', 'one.jpg', '-o', './one.jpg', code=2, says='./one.jpg would replace one.jpg or net.onnxtxt, which are read')
    run('net.onnxtxt', 'shots', '-o', 'two.jpg', code=2, says='there are 2 photographs, expected one, or DIR/')
    run('net.onnxtxt', 'red.ppm', '-o', 'two.jpg', '--resume', code=2, says='--resume and --shard go with -o DIR')
    run('two.onnxtxt', 'red.ppm', 'blue.ppm', '-o', 'motion.png', '--as', 'flow')
    check(os.path.getsize('motion.png') > 100, 'a file of two photographs')
    run('net.onnxtxt', 'red.ppm', '-o', 'nowhere/one.jpg', code=3, says='nowhere/one.jpg')
    run('net.onnxtxt', 'red.ppm', '-o', 'folder.jpg/')
    check(os.path.exists('folder.jpg/red.jpg'), 'a folder with a / at its end')
    run('net.onnxtxt', 'shots', '--crops', 'shots', code=2, says='--crops shots: shots/a.ppm is there')
    run('net.onnxtxt', 'shots/a.ppm', '--crops', './shots', code=2, says='is there, and is read')
    for _ in range(2):
        run('net.onnxtxt', 'shots', '-o', 'shots/drawn', '--crops', 'shots/crops', says='2 of 2 files done')
    check(sorted(os.listdir('shots/crops')) == ['a.0.red.jpg', 'b.0.red.jpg'], 'crops', os.listdir('shots/crops'))
    # the same files again; others beside them; some of them
    run('net.onnxtxt', 'red.ppm', '-o', 'again')
    run('net.onnxtxt', 'red.ppm', '-o', 'again', '--least', '0.5', '--table', 'again.csv', says='1 of 1 files done')
    run('net.onnxtxt', 'blue.ppm', '-o', 'again', '--least', '0.5', '--table', 'again.csv', says='1 of 1 files done')
    check(pathlib.Path('again.csv').read_text(encoding='utf-8').count('\n') == 2, 'the table of the last photograph')
    check(pathlib.Path('again/done.tsv').read_text(encoding='utf-8').count('.ppm\t') == 2, 'the record of both')
    run('net.onnxtxt', 'half.ppm', '-o', 'again', code=2, says='--again runs all files again')
    run('net.onnxtxt', 'red.ppm', '-o', 'again', '--least', '0.5', code=2, says='--again runs all files again')
    run('net.onnxtxt', 'red.ppm', 'blue.ppm', '-o', 'again', says='2 of 2 files done')
    check(sorted(os.listdir('again')) == ['blue.jpg', 'done.tsv', 'red.jpg', 'rows.tsv'], 'files', os.listdir('again'))


def stopped():
    """How a job that stops says what is done; what goes only to files; where a wrong path stands in a list."""
    pathlib.Path('list.txt').write_text('red.ppm\n\nnowhere.jpg\n', encoding='utf-8')
    run('net.onnxtxt', 'list.txt', code=3, says='nowhere.jpg: No such file or directory (list.txt, line 3)')
    told = json.loads(run('net.onnxtxt', 'list.txt', '--json', '-q', code=3).stdout)
    check(told['failures'][0]['error'].endswith('(list.txt, line 3)'), 'the list in a document', told)
    for words in ('-o', 'quiet'), ('--table', 'quiet.csv'), ('--crops', 'cut'), ('-o', 'quiet.jpg'):
        check(run('net.onnxtxt', 'red.ppm', *words, '-q').stdout == b'', 'nothing is printed', words)
    check(run('net.onnxtxt', 'red.ppm', '-q').stdout != b'', 'answers that go nowhere else')
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([OCELLUS, 'predict', 'net.onnxtxt', 'red.ppm', '-q'], stdout=full, stderr=subprocess.PIPE, timeout=60)
        check(done.stderr == b'ocellus: standard output: No space left on device\n', 'a full standard output', done)
    if hasattr(os, 'mkfifo'):
        os.mkfifo('waits.ppm')
        with subprocess.Popen([OCELLUS, 'predict', 'net.onnxtxt', 'red.ppm', 'waits.ppm', '-o', 'stopped', '--threads', '1'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as job:
            job.stdout.readline()
            job.stdout.readline()
            time.sleep(0.5)  # it has begun to wait
            job.send_signal(signal.SIGINT)
            try:
                told = job.communicate(timeout=60)[1].decode().splitlines()
            except subprocess.TimeoutExpired:
                told = ['it goes on after Ctrl-C']
                job.kill()
        check(told[-1] == 'ocellus: 1 of 2 files are done; with --resume it goes on with the others', 'the last line', told)



def stream():
    """Frames in order, in and out, on several threads; one that is cut off ends the job."""
    frames = [ppm((255, 0, 0) if i % 3 else (0, 0, 255)) for i in range(20)]
    for threads in '1', '3':
        out = run('net.onnxtxt', '-', '--threads', threads, '-q', input=b''.join(frames)).stdout.decode()
        rows = [line.split()[:2] + [line.split()[2].rstrip(',')] for line in out.splitlines()[1:]]
        check(rows == [['frame', str(i + 1), 'red' if i % 3 else 'sky'] for i in range(20)], 'rows of a stream', out)
    out = run('net.onnxtxt', '-', '-o', '-', '-q', '--threads', '3', input=b''.join(frames)).stdout
    size = len(frames[0])
    check(len(out) == 20 * (size + 1) or len(out) == 20 * size, 'bytes of drawn frames', len(out), size)
    first = out.index(b'\n') and len(out) // 20
    middle = [out[i * first + first - 3 * 128 * 10 - 3:][:3] for i in range(20)]
    check(all((p[0] > p[2]) == bool(i % 3) for i, p in enumerate(middle)), 'order of drawn frames', middle)
    run('net.onnxtxt', '-', '-o', 'frames', '-q', input=b''.join(frames[:3]))
    check(sorted(os.listdir('frames')) == ['000001.jpg', '000002.jpg', '000003.jpg'], 'drawn files of a stream')
    run('net.onnxtxt', '-', code=3, says='picture 2', input=frames[0] + frames[1][:-9])


def stream_ends():
    """A picture that cannot be read takes no other one with it; a stream that is cut off, or is left by Ctrl-C, leaves the rows of
    the pictures before."""
    def names(path):
        with open(path, newline='', encoding='utf-8') as f:
            return [r['file'] for r in csv.DictReader(f)]
    jpeg = pathlib.Path('maps/red.jpg').read_bytes()
    broken = jpeg[:len(jpeg) // 2] + b'\xff\xd9'
    done = run('net.onnxtxt', '-', '-o', '-', '--table', 'rows.csv', '--least', '0', input=jpeg + broken + jpeg, code=3,
               says='frame 2: damaged JPEG')
    check(done.stdout.count(b'\xff\xd8\xff') == 2, 'drawn pictures around one that cannot be read')
    check(sorted(set(names('rows.csv'))) == ['frame 1', 'frame 3'], 'rows around a picture that cannot be read', names('rows.csv'))
    run('net.onnxtxt', '-', '--table', 'cut.csv', '--least', '0', input=ppm(RED) * 2 + ppm(RED)[:99], code=3, says='it is cut off')
    check(sorted(set(names('cut.csv'))) == ['frame 1', 'frame 2'], 'rows of a stream that is cut off', names('cut.csv'))
    with subprocess.Popen([OCELLUS, 'predict', 'net.onnxtxt', '-', '--table', 'left.json'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(ppm(RED) * 3)
        process.stdin.flush()
        told = [process.stdout.readline() for _ in range(4)]
        process.send_signal(signal.SIGINT)
        process.wait(60)
        check(process.returncode == -signal.SIGINT, 'Ctrl-C ends with', process.returncode, process.stderr.read())
    check(told[3].startswith(b'frame 3'), 'rows before Ctrl-C', told)
    images = json.loads(pathlib.Path('left.json').read_text(encoding='utf-8'))['images']
    check([i['file_name'] for i in images] == ['frame 1', 'frame 2', 'frame 3'], 'images before Ctrl-C', images)


def folders():
    """A folder's pipe is left out, which would be waited for; so is a link to a folder."""
    os.makedirs('holiday/more')
    pathlib.Path('holiday/red.ppm').write_bytes(ppm(RED))
    os.mkfifo('holiday/pipe.jpg')
    os.symlink('more', 'holiday/link')
    run('net.onnxtxt', 'holiday', says=('1 of 1 files done', 'being no regular file: holiday/pipe.jpg', 'a link to a folder: holiday/link'))


def saved():
    """The model with its decoder is one that runs by itself."""
    run('net.onnxtxt', '--save', 'whole.onnx')
    done = subprocess.run([OCELLUS, 'run', 'whole.onnx', '-i', 'images=red.ppm', '--image-resize', 'fit', '-i', 'photo=[64,128]',
                           '-i', 'fit=[0.5,0.5,0,16]', '--print', '-q'], capture_output=True, text=True, timeout=60)
    check('[[32.  0. 96. 32.]]' in done.stdout.replace('0e+01', '.').replace('3.2e+01', '32.'), done.stdout, done.stderr)
    again = run('whole.onnx', 'red.ppm', 'blue.ppm', says=("by its property 'ocellus.decoder', by --save", "'ocellus.picture'"))
    check(again.stdout == run('net.onnxtxt', 'red.ppm', 'blue.ppm').stdout, 'answers of a saved model', again.stdout)
    check("decoder: yolov8, by its property 'ocellus.decoder'" in
          subprocess.run([OCELLUS, 'inspect', 'whole.onnx'], capture_output=True, text=True, timeout=60).stdout, 'inspect')
    run('whole.onnx', 'red.ppm', '--least', '0.5', code=2, says='no --least, --overlap and --top')
    # what nothing but the command line told is in the model
    pathlib.Path('odd.txt').write_text('rot\nblau "x\\\n', encoding='utf-8')
    wishes = ('--as', 'yolov8', '--labels', 'odd.txt', '--preset', 'imagenet', '--image-resize', 'corner', '--least', '0.01')
    run('bare.onnxtxt', '--save', 'told.onnxtxt', *wishes)
    told = run('told.onnxtxt', 'red.ppm', 'blue.ppm').stdout
    check(told == run('bare.onnxtxt', 'red.ppm', 'blue.ppm', *wishes).stdout and b'blau "x\\' in told, 'what was told is saved', told)
    # a network that has outputs and inputs of such names itself
    run('twins.onnxtxt', '--save', 'twins.onnx')
    told = run('twins.onnx', 'red.ppm', '-i', 'photo=[1]').stdout
    check(told == run('twins.onnxtxt', 'red.ppm', '-i', 'photo=[1]').stdout, 'names that both have', told)
    # a network of two photographs at a time
    both = (NETWORK % PROPERTIES).replace('float[1,3,64', 'float[2,3,64').replace('float[1,6,', 'float[2,6,').replace(
        '  means =', '  boxes = Concat <axis = 0> (box, box)\n  means =').replace('(box, scores)', '(boxes, scores)')
    pathlib.Path('both.onnxtxt').write_text(both, encoding='utf-8')
    pathlib.Path('third.ppm').write_bytes(ppm((0, 0, 255)))
    run('both.onnxtxt', '--save', 'both.onnx')
    told = run('both.onnx', 'red.ppm', 'blue.ppm', 'third.ppm', says="by --save").stdout
    check(told == run('both.onnxtxt', 'red.ppm', 'blue.ppm', 'third.ppm').stdout and told.count(b'\n') == 4, 'two at a time', told)
    text = pathlib.Path('told.onnxtxt').read_text(encoding='utf-8')
    for old, new in (('corner pil:bilinear 0', 'corner pil:bilinear x'), ('auto corner', 'auto corners'), ('{\\"0\\"', '{\\"-1\\"'), ('ocellus.decoder": "yolov8', 'ocellus.decoder": "mask')):
        check(old in text, 'the text has', old, text[:900])
        pathlib.Path('damaged.onnxtxt').write_text(text.replace(old, new), encoding='utf-8')
        run('damaged.onnxtxt', 'red.ppm', code=2 if 'decoder' in old else 0,
            says={'auto corner': "'ocellus.picture': expected what --save writes", 'ocellus.decoder": "yolov8': 'outputs'}.get(old, ''))


def inspected():
    """inspect tells the decoder, or between which the shapes leave a choice."""
    def inspect(name, *words):
        return subprocess.run([OCELLUS, 'inspect', name, *words], capture_output=True, text=True, timeout=60).stdout
    check("decoder: yolov8, by its property 'task'" in inspect('net.onnxtxt'), inspect('net.onnxtxt'))
    check(json.loads(inspect('net.onnxtxt', '--json'))['decoder'] == 'yolov8', inspect('net.onnxtxt', '--json'))
    inspect('net.onnxtxt', '--html', 'net.html')
    check("[\"decoder\",\"yolov8, by its property 'task'" in pathlib.Path('net.html').read_text(encoding='utf-8'), 'decoder of the page')
    check('expected --as mask-indices|foreground|depth' in inspect('plane.onnxtxt'), inspect('plane.onnxtxt'))
    check('decoder' not in inspect('vector.onnxtxt'), inspect('vector.onnxtxt'))


def line():
    """An input that declares its height alone takes a picture in its own proportions."""
    done = subprocess.run([OCELLUS, 'run', 'line.onnxtxt', '-i', 'red.ppm', '--preset', 'ocr-line', '--json', '-q'],
                          capture_output=True, text=True, timeout=60)
    told = json.loads(done.stdout)
    check(told['outputs'][0]['shape'] == [1, 3, 8, 16], 'shape of a line', told)
    near(told['pictures'][0]['scale'], [0.125, 0.125], 'scale of a line')


def prepared():
    """An option about pictures overrides its part alone of what the exporter, the decoder or --preset tells."""
    told, own = "photographs are prepared as its property 'task' tells", 'in the middle of 64 x 64 of'
    run('net.onnxtxt', 'red.ppm', '--image-fill', '7', says=(told, f'(cv2:linear), {own} 7,'))
    run('net.onnxtxt', 'red.ppm', '--resize', 'onnx:linear', says=(told, f'(onnx:linear), {own} 114'))
    run('net.onnxtxt', 'red.ppm', '--image-resize', 'stretch', says=(told, 'stretched to 64 x 64 (cv2:linear)'))
    run('net.onnxtxt', 'red.ppm', '--image-channels', 'bgr', says=(told, f'{own} 114', 'sky, blue'))
    run('net.onnxtxt', 'red.ppm', '--preset', '[-1,1]', '--image-fill', '9', says=(f'{own} 9', 'minus mean 0.5'))
    run('logits.onnxtxt', 'red.ppm', '--image-channels', 'bgr', says=('by std 0.225,0.224,0.229', 'NCHW bgr'))
    run('logits.onnxtxt', 'red.ppm', '--preset', 'imagenet-stretch', '--image-std', '0.5', says=('minus mean 0.485,0.456,0.406', 'by std 0.5'))
    resized = 'photographs are resized as --preset'
    for option, says in (('--image-std', 'minus mean 0, by std 0.5'), ('--image-scale', 'sample * 0.5, NCHW')):
        run('logits.onnxtxt', 'red.ppm', option, '0.5', says=(resized, says))
    for dims, kind, says in (('1,1,32,32', 'float', 'NCHW gray'), ('1,3,32,32', 'uint8', '-> uint8, element = sample, NCHW rgb'),
                             ('1,3,H,W', 'float', 'the middle 224 x 224')):
        pathlib.Path('other.onnxtxt').write_text(f'<ir_version: 8, opset_import: ["" : 13]> g ({kind}[{dims}] x) => (float[1,6] class) '
                                                 '<int64[2] s = {1, 6}> { f = Cast <to = 1> (x) m = ReduceMean <keepdims = 0> (f) '
                                                 'class = Expand (m, s) }', encoding='utf-8')
        run('other.onnxtxt', 'red.ppm', says=('--preset imagenet does', says))
    run('logits.onnxtxt', 'red.ppm', '--image-fill', '1', code=2, says='--image-fill goes with --image-resize')
    pathlib.Path('red16.ppm').write_bytes(b'P6 128 64 65535\n' + bytes((255, 9, 0, 9, 0, 9)) * (128 * 64))
    eight, sixteen = (run('net.onnxtxt', name, '-o', 'depths', '--again').stdout.split()[1:] for name in ('red.ppm', 'red16.ppm'))
    check(eight[7:] == sixteen[7:] and len(eight) > 8, 'samples of 16 bits', eight, sixteen)
    run('net.onnxtxt', 'red.ppm', '--image-fill', '300', code=2, says='expected a whole number')


def letters():
    """A licence plate is prepared as LPRNet's were; the blank, its last class, needs no line in the list of characters."""
    pathlib.Path('plate.onnxtxt').write_text(PLATE, encoding='utf-8')
    pathlib.Path('letters.txt').write_text('B\nG\nR\n', encoding='utf-8')
    out = run('plate.onnxtxt', 'red.ppm', '--as', 'ctc-columns', '--labels', 'letters.txt',
              says='stretched to 94 x 24 (cv2:linear), 8-bit -> float, element = sample * 1, minus mean 127.5, by std 128, NCHW bgr')
    check(out.stdout.split()[-1] == b'R', 'what is read', out.stdout)
    for names, fits in ('B\nG\n', True), ('B\n', False), ('B\nG\nR\n-\n', False):  # the last one may be a space
        pathlib.Path('others.txt').write_text(names, encoding='utf-8')
        run('plate.onnxtxt', 'red.ppm', '--as', 'ctc-columns', '--labels', 'others.txt', code=0 if fits else 2,
            says='' if fits else f'others.txt: it names {names.count(chr(10))} character')


def landmarks():
    """Points as shares of the input's sides, and as pixels of the input with a confidence."""
    head = '<ir_version: 8, opset_import: ["" : 13]> g (float[1,3,32,32] x) => (float[1,%d] y) <float%s = {%s}> {'
    body = ' z = ReduceMin <keepdims = 0> (x) n = Sub (z, z) %s }'
    pathlib.Path('points.onnxtxt').write_text(head % (4, '[1,4] p', '0.25, 0.5, 0.75, 1') + body % 'y = Add (p, n)', encoding='utf-8')
    pathlib.Path('person.onnxtxt').write_text(
        head % (195, '[1,5] p', '8, 16, 3, 0, 9') + body % 'r = Add (p, n) t = Constant <value_ints = [1, 39]> () y = Tile (r, t)',
        encoding='utf-8')
    for name, words, points in (('points', ('--as', 'landmarks-xy'), [[32, 32, 1], [96, 64, 1]]), ('person', (), [[32, 32, 0.5]] * 39)):
        told = json.loads(run(f'{name}.onnxtxt', 'red.ppm', *words, '--json', '-q').stdout)
        for got, want in zip(told['answers'][0]['objects'][0]['points'], points):
            near(got, want, f'{name}: {told}')
    run('points.onnxtxt', 'red.ppm', code=2, says='expected --as classify|landmarks-xy')


def idle():
    """Options that a decoder has no use for are named."""
    run('logits.onnxtxt', 'red.ppm', '--overlap', '0.5', '--least', '0.1', '--crops', 'none', says=(
        '--overlap changes nothing: decoder mask', '--least changes nothing: decoder mask', '--crops cuts nothing out'))
    check(b'nothing' not in run('net.onnxtxt', 'red.ppm', '--overlap', '0.5', '--least', '0.1', '--top', '2', '--crops', 'some').stderr,
          'options that the decoder has')


def signs():
    """A vector is scores of classes where something says so; else the decoders that take such are listed."""
    pathlib.Path('soft.onnxtxt').write_text(MEANS % 's = Softmax <axis = 1> (m) y = Flatten (s)', encoding='utf-8')
    pathlib.Path('bare.onnxtxt').write_text(MEANS % 'f = Flatten (m) s = Softmax <axis = 1> (f) y = Abs (s)', encoding='utf-8')
    run('soft.onnxtxt', 'red.ppm', says="decoder classify, by output 'y' float[1,3], which a Softmax gives")
    run('bare.onnxtxt', 'red.ppm', code=2, says=("output 'y' float[1,3]", '--as classify'))
    pathlib.Path('three.txt').write_text('rot\ngruen\nblau\n', encoding='utf-8')
    check(b' rot ' in run('bare.onnxtxt', 'red.ppm', '--labels', 'three.txt', says='as many as there are names (three.txt)').stdout, 'names')
    run('bare.onnxtxt', 'red.ppm', '--as', 'classify')


def wrong():
    """Each wrong input ends with an error that names it, and nothing is lost."""
    run('net.onnxtxt', 'red.ppm', '--as', 'yolo8', code=2, says="did you mean 'yolov8'?")
    run('net.onnxtxt', 'red.ppm', '--as', 'detr', code=2, says='--as detr: the model has output')
    run('vector.onnxtxt', 'red.ppm', code=2, says='takes a picture')
    pathlib.Path('text.jpg').write_text('no picture\n', encoding='utf-8')
    run('net.onnxtxt', 'text.jpg', 'red.ppm', code=3, says=('text.jpg: ', '1 of 2 files done, 1 failed'))
    failures = json.loads(run('net.onnxtxt', 'text.jpg', 'red.ppm', '--json', '-q', code=3).stdout)['failures']
    check([(f['file'], f['code'], f['error'].split(':')[0]) for f in failures] == [('text.jpg', 'FORMAT', 'text.jpg')], 'failures', failures)
    os.makedirs('empty', exist_ok=True)
    run('net.onnxtxt', 'empty', code=2, says='empty: there is no file in it')
    run('net.onnxtxt', 'nowhere.jpg', code=3, says='nowhere.jpg')
    run('net.onnxtxt', code=2, says='expected a picture')
    run('net.onnxtxt', 'red.ppm', '--table', 'out.xls', code=2, says='.csv, .tsv, .jsonl or .json')
    run('net.onnxtxt', 'red.ppm', '--table', 'a.csv', '--table', 'b.json', code=2,
        says="--table is given twice, 'a.csv' and 'b.json'")
    run('net.onnxtxt', 'red.ppm', '--least', '50', code=2, says='--least is above 1')
    for top in '0', '-1', 'all':
        run('net.onnxtxt', 'red.ppm', '--top', top, code=2, says=('--top is', 'expected '))
    run('net.onnxtxt', 'red.ppm', '--least', '-1', code=2, says="--least is '-1', expected a number, 0 or more")
    for text, code, says in ((b'a\nb\nc\n', 2, 'it names 3 classes, and the network has 2'), (b'a\n', 2, 'it names 1 class, and the network has 2'),
                             (b'', 2, 'it names 0 classes'), (b'a\n\xe4\n', 3, 'line 2, byte 2 is no UTF-8'),
                             (b'a\n\n\0', 3, 'line 3, byte 3 is zero'), (ppm((255, 0, 0)), 3, 'expected a text in UTF-8')):
        pathlib.Path('wrong.txt').write_bytes(text)
        run('net.onnxtxt', 'red.ppm', '--labels', 'wrong.txt', code=code, says=('wrong.txt', says))
    os.makedirs('others', exist_ok=True)
    pathlib.Path('others/notes.txt').write_text('', encoding='utf-8')
    pathlib.Path('others/red.ppm').write_bytes(ppm((255, 0, 0)))
    check(b'null' not in run('net.onnxtxt', 'others', says='1 file is left out').stderr, 'a record that is not there')
    numbers = json.loads(run('net.onnxtxt', 'red.ppm', '--preset', '[-1,1]', '--json', '-q').stdout)
    near(numbers['answers'][0]['fit'], [0.5, 0.5, 0, 16], 'a preset of numbers keeps the fit')
    run('net.onnxtxt', 'red.ppm', '-o', '-', code=2, says='-o - goes with a stream')
    if os.path.exists('/dev/full'):
        os.symlink('/dev/full', 'full.csv')
        done = run('net.onnxtxt', 'red.ppm', '--table', 'full.csv', '--json', code=3, says='No space left')
        check('No space left' in json.loads(done.stdout)['error'], 'the error in the document', done.stdout)
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([OCELLUS, 'predict', 'net.onnxtxt', '-', '-o', '-'], input=ppm((9, 9, 9)) * 9, stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        check(done.returncode == 3 and b'No space left' in done.stderr, 'a full disk', done)
    told = {o['name']: o['choices'] for o in json.loads(run('--help', '--json').stdout)['options']}
    words = [word.rstrip(',') for word in run('--help').stdout.decode().split()]
    missing = [c for o in ('--preset', '--resize') for c in told[o] if c not in words]
    check(len(told['--preset']) > 20 and not missing, 'names that the help lacks', missing)
    check(run('--as', 'list').stdout.count(b'\n') > 40, 'the list of decoders')
    names = [d['name'] for d in json.loads(run('--as', 'list', '--json').stdout)['decoders']]
    check(len(names) > 40 and 'yolov8' in names, 'the list as a document', names)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in (('net', NETWORK % PROPERTIES), ('seg', SEGMENTER), ('logits', SEGMENTER), ('bare', NETWORK % ''), ('twins', TWINS), ('flow', FLOW), ('dot', DOT), ('80', NETWORK_80), ('two', TWO), ('vector', VECTOR), ('plane', PLANE), ('line', LINE)):
        pathlib.Path(name + '.onnxtxt').write_text(text, encoding='utf-8')
    pathlib.Path('red.ppm').write_bytes(ppm((255, 0, 0)))
    pathlib.Path('blue.ppm').write_bytes(ppm((0, 0, 255)))
    pathlib.Path('half.ppm').write_bytes(b'P6 128 64 255\n' + (bytes((255, 0, 0)) * 64 + bytes((0, 0, 255)) * 64) * 64)
    for part in answers, coco, classes, drawn, named, unwritable, places, stopped, stream, stream_ends, folders, saved, inspected, line, signs, prepared, letters, landmarks, idle, wrong:
        part()
finish()
