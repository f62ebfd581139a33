# SPDX-License-Identifier: Apache-2.0
"""map.py OCELLUS - ocellus map: files found, results, batches, errors, records, shards, interrupts.

Whatever the threads, batches and shards, and however often a job is interrupted, the results are those of
`ocellus run` on each file."""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
MODELS = {
    'flip': HEAD + '''g (float[N,3,H,W] x) => (float[N,3,H,W] y, float[N,3] m) {
  y = Neg (x)
  m = ReduceMean <axes = [2,3], keepdims = 0> (x)
}''',
    'picture': HEAD + 'g (float[N,3,H,W] x) => (float[N,3,H,W] y) <float one = {1}> { y = Sub (one, x) }',
    'scaled': HEAD + 'g (float[N,3,H,W] x, float[1] by) => (float[N,3,H,W] y) { y = Mul (x, by) }',
    'total': HEAD + 'g (float[N,3,H,W] x) => (float s) { s = ReduceSum <keepdims = 0> (x) }',
    'fixed': HEAD + 'g (float[1,3,6,8] x) => (float[1,3,6,8] y) { y = Abs (x) }',
}


def run(*words, code=0, text=None, **how):
    done = subprocess.run([OCELLUS, *words], capture_output=True, text=True, timeout=120, **how)
    check(done.returncode == code, words, 'ends with', done.returncode, 'expected', code, done.stderr, done.stdout)
    if text is not None:
        check(text in done.stderr + done.stdout, words, 'says', done.stderr + done.stdout, 'expected', text)
    return done


def picture(path, seed, width=8, height=6):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(b'P6 %d %d 255\n' % (width, height) + random.Random(seed).randbytes(3 * width * height))


def one_number(path, data):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + (len(header) + 1).to_bytes(2, 'little') + header + b'\n' + data)


def tree(folder):
    """What is in a folder of results, but for the records."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob('*'))
            if path.is_file() and path.suffix != '.tsv'}


def lines(path):
    with open(path, encoding='utf-8') as f:
        return f.read().splitlines()


def make_files():
    for i in range(20):
        picture(f'in/{"sub/" if i % 3 == 0 else ""}p{i:02}.ppm', i, 8 if i != 7 else 9)
    picture('in/.hidden.ppm', 99)
    with open('in/README', 'w', encoding='utf-8') as f:
        f.write('no picture\n')
    for name, text in MODELS.items():
        with open(f'{name}.onnxtxt', 'w', encoding='utf-8') as f:
            f.write(text)
    with open('list.txt', 'w', encoding='utf-8') as f:
        f.write('\r\n\n'.join(sorted(str(p) for p in pathlib.Path('in').rglob('p*.ppm'))))


def results_are_those_of_run():
    run('map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'all', text='20 of 20 files done')
    found = tree('all')
    names = sorted(os.path.relpath(p, 'in')[:-4] for p in map(str, pathlib.Path('in').rglob('p*.ppm')))
    check(sorted(found) == [name + '.npz' for name in names], 'names of results', sorted(found))
    for name in names:
        run('run', 'flip.onnxtxt', '-q', '-i', f'in/{name}.ppm', '-o', 'one.npz')
        check(pathlib.Path('one.npz').read_bytes() == found[name + '.npz'], name, 'is not what run gives')
    check(lines('all/done.tsv')[0].startswith('ocellus map 2: flip.onnxtxt\tmodel crc '), 'the record tells its job')
    check(len(lines('all/done.tsv')) == 21, 'all are recorded')
    check([line.split('\t')[:2] for line in lines('all/errors.tsv')] == [['in/README', 'left out']], 'none failed, one is left out')
    return found


def ways_give_the_same(found):
    ways = {'pattern': ['-i', 'x=in/*.ppm', '-i', 'unused'], 'list': ['-i', 'x=list.txt'], 'threads': ['--threads', '7'],
            'one': ['--threads', '1'], 'batch': ['--batch', '3'], 'large': ['--batch', '100', '--threads', '1'],
            'unnamed': ['-i', 'in']}
    for way, words in ways.items():
        words = ['-i', 'in/*.ppm'] if way == 'pattern' else words
        source = [] if '-i' in words else ['-i', 'x=in']
        run('map', 'flip.onnxtxt', *source, *words, '-o', way)
        wanted = {k: v for k, v in found.items() if way != 'pattern' or '/' not in k}
        check(tree(way) == wanted, way, 'gives other results', sorted(tree(way)))
    with open('list.txt', encoding='utf-8') as f:
        run('map', 'flip.onnxtxt', '-i', 'x=-', '-o', 'stdin', stdin=f)
    check(tree('stdin') == found, 'a list on standard input gives other results')
    sandboxed = run('map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'box', '--sandbox',
                    env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
    check(tree('box') == found, 'in the sandbox', sandboxed.stderr)


def formats():
    run('map', 'picture.onnxtxt', '-i', 'in', '-o', 'png', '--format', 'png')
    run('run', 'picture.onnxtxt', '-q', '-i', 'in/p01.ppm', '-o', 'one.png')
    check(tree('png')['p01.png'] == pathlib.Path('one.png').read_bytes(), 'a picture is not what run gives')
    run('map', 'flip.onnxtxt', '-i', 'in', '-o', 'npy', '--format', 'npy')
    check({'p01.y.npy', 'p01.m.npy', 'sub/p00.m.npy'} < set(tree('npy')), 'two outputs are two files', sorted(tree('npy')))
    run('run', 'picture.onnxtxt', '-q', '-i', 'in/p01.ppm', '-o', 'factor.npy')
    run('map', 'scaled.onnxtxt', '-i', 'x=in', '-i', 'by=by.npy', '-o', 'by', code=3, text='by.npy')
    one_number('by.npy', b'\0\0\x80\xbf')
    run('map', 'scaled.onnxtxt', '-i', 'x=in', '-i', 'by=by.npy', '-o', 'by', '--format', 'npy')
    check({k: v for k, v in tree('npy').items() if k.endswith('.y.npy')} ==
          {k.replace('.npy', '.y.npy'): v for k, v in tree('by').items()}, 'times -1 is not the negative')


def files_left_out_are_told():
    picture('mixed/a.ppm', 1)
    for name in 'b.tif', 'c.TIFF', 'd.xyz', 'sub/e.doc', '.hidden':
        os.makedirs(os.path.dirname(f'mixed/{name}'), exist_ok=True)
        pathlib.Path(f'mixed/{name}').write_bytes(b'')
    done = run('map', 'flip.onnxtxt', '-i', 'mixed', '-o', 'mixed/out', text='1 of 1 files done')
    check('4 files are left out because of the ending: mixed/b.tif, mixed/c.TIFF, mixed/d.xyz, ... (mixed/out/errors.tsv)'
          in done.stderr, done.stderr)
    told = [line.split('\t') for line in lines('mixed/out/errors.tsv')]
    check(sorted(row[0] for row in told) == ['mixed/b.tif', 'mixed/c.TIFF', 'mixed/d.xyz', 'mixed/sub/e.doc'], told)
    again = json.loads(run('map', 'flip.onnxtxt', '-i', 'mixed', '-o', 'mixed/out', '--resume', '--json').stdout)
    check(again['left_out'] == 4 and len(lines('mixed/out/errors.tsv')) == 4, 'told again, not twice', again)
    run('map', 'flip.onnxtxt', '-i', 'mixed/sub', '-o', 'out4', code=2, text='there is no file in it with an ending that is read')
    # A job in the folder of its files leaves its own results and records alone.
    run('map', 'flip.onnxtxt', '-i', 'b', '-o', 'b', text='1 of 1 files done')
    check('left out' not in run('map', 'flip.onnxtxt', '-i', 'b', '-o', 'b', '--again').stderr, 'its own results')


def pictures_are_scaled_by_their_values():
    one = run('map', 'picture.onnxtxt', '-i', 'a', '-o', 'pictures1', '--format', 'png', '--image-mean', '0.5').stderr
    check(one.count('8-bit <- float, least ') == 1, 'of the first file a remark tells how it is scaled', one)
    two = run('map', 'picture.onnxtxt', '-i', 'a', '-o', 'pictures2:scale=1:mean=7', '--format', 'png').stderr
    check('8-bit <- float, as asked, times 1 plus 7' in two, two)
    check('png:scale=1:mean=7' in lines('pictures2/done.tsv')[0], lines('pictures2/done.tsv')[0])
    run('map', 'picture.onnxtxt', '-i', 'a', '-o', 'pictures2:scale=2', '--format', 'png', '--resume', code=2,
        text='--format was png:scale=1:mean=7, is png:scale=2')
    run('map', 'picture.onnxtxt', '-i', 'a', '-o', 'pictures3:scale=2', code=2, text='expected --format png')
    run('map', 'picture.onnxtxt', '-i', 'a', '-o', 'pictures3:std=0', '--format', 'png', code=2, text=":std= is '0'")


def streams_of_pictures_are_refused():
    one = pathlib.Path('a/x.ppm').read_bytes()
    os.makedirs('streams')
    pathlib.Path('streams/two.ppm').write_bytes(one + one)
    pathlib.Path('streams/three.ppm').write_bytes(one + b'\n' + one + one)
    pathlib.Path('streams/plain.pgm').write_bytes(b'P2 1 1 255 7\nP2 1 1 255 8\n')
    pathlib.Path('streams/good.ppm').write_bytes(one + b'\n')
    run('map', 'picture.onnxtxt', '-i', 'streams', '-o', 'streamed', code=3, text='1 of 4 files done, 3 failed')
    told = [line.split('\t') for line in lines('streamed/errors.tsv')]
    check(all(row[1] == 'FORMAT' and 'another picture follows the first' in row[2] for row in told) and len(told) == 3, told)


def names_stay_in_the_folder():
    picture('a/x.ppm', 1)
    picture('a/x.pnm', 2)
    picture('b/x.ppm', 3)
    os.makedirs('deep/er')
    with open('deep/er/list.txt', 'w', encoding='utf-8') as f:
        f.write('../../a/x.ppm\n../../a/x.pnm\n../../../' + os.path.basename(os.getcwd()) + '/b/./x.ppm\n')
    run('map', os.path.abspath('picture.onnxtxt'), '-i', 'list.txt', '-o', 'out', cwd='deep/er')
    check(sorted(tree('deep/er/out')) == ['__/' + os.path.basename(os.getcwd()) + '/b/x.npz', 'a/x.pnm.npz', 'a/x.ppm.npz'],
          sorted(tree('deep/er/out')))
    with open('twice.txt', 'w', encoding='utf-8') as f:
        f.write('a/x.ppm\na/x.ppm\n')
    run('map', 'picture.onnxtxt', '-i', 'twice.txt', '-o', 'out2', code=2, text="would be one file")


def bad_files_are_named():
    for i in range(6):
        picture(f'bad/p{i}.ppm', i)
    good = pathlib.Path('bad/p2.ppm').read_bytes()
    pathlib.Path('bad/p2.ppm').write_bytes(good[:40])
    picture('bad/p4.ppm', 4, 5)
    for batch in '1', '3':  # a model that takes one picture runs them one by one
        out = 'bad' + batch
        done = run('map', 'fixed.onnxtxt', '-i', 'x=bad', '-o', out, '--batch', batch, code=3)
        check(len(tree(out)) == 4 and f'4 of 6 files done, 2 failed ({out}/errors.tsv)' in done.stdout, done.stdout)
        told = [line.split('\t') for line in lines(f'{out}/errors.tsv')]
        check(sorted(row[:2] for row in told) == [['bad/p2.ppm', 'FORMAT'], ['bad/p4.ppm', 'SHAPE']], told)
        check("bad/p4.ppm: 5 x 6, and input 'x' takes 8 x 6; --image-resize " in done.stderr, done.stderr)
    pathlib.Path('bad/p2.ppm').write_bytes(good)
    picture('bad/p4.ppm', 4)
    done = run('map', 'fixed.onnxtxt', '-i', 'x=bad', '-o', 'bad1', '--resume', text='6 of 6 files done, 4 of them before')
    check(not os.path.exists('bad1/errors.tsv') and len(tree('bad1')) == 6, 'what failed is run again')
    run('map', 'fixed.onnxtxt', '-i', 'x=bad', '-o', 'bad1', '--resume', text='6 of 6 files done, 6 of them before')
    # In a batch the others go on, too.
    pathlib.Path('bad/p2.ppm').write_bytes(good[:40])
    run('map', 'flip.onnxtxt', '-i', 'x=bad', '-o', 'batched', '--batch', '6', code=3, text='5 of 6 files done, 1 failed')
    for i in range(30):
        pathlib.Path(f'bad/q{i}.ppm').write_bytes(b'P6 1 1 255\n')
    done = run('map', 'flip.onnxtxt', '-i', 'x=bad', '-o', 'many', code=3, text='31 failed')
    check(done.stderr.count('\n') == 12 and 'many/errors.tsv names them' in done.stderr, 'few are named', done.stderr)


def interrupted_jobs_go_on():
    for i in range(300):
        picture(f'job/p{i:03}.ppm', i, 60, 60)
    job = ['map', 'flip.onnxtxt', '-i', 'x=job', '-q']
    run(*job, '-o', 'whole')
    for how in signal.SIGINT, signal.SIGKILL:
        out = f'cut{how.value}'
        words = [*job, '-o', out, '--threads', '2']
        for _ in range(3):
            started = subprocess.Popen([OCELLUS, *words, '--resume'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.03)
            while started.poll() is None and len(os.listdir(out) if os.path.isdir(out) else []) < 5:
                time.sleep(0.001)
            started.send_signal(how)
            code = started.wait()
            check(code in (0, -how.value), how, 'ends with', code)
        with open(f'{out}/done.tsv', 'ab') as f:
            f.write(b'job/p00')  # a line that a crash cut off
        done = run(*words, '--resume')
        check('300 of 300 files done' in done.stdout and ' before' in done.stdout, done.stdout)
        found = {name: data for name, data in tree(out).items() if how == signal.SIGINT or not name.endswith('.part')}
        check(found == tree('whole'), how, 'the results differ from those of one job')
        check(len(lines(f'{out}/done.tsv')) - lines(f'{out}/done.tsv').count('job/p00') == 301, 'each file is recorded once')
    run(*job, '-o', 'whole', '--resume', '--batch', '2', code=2, text='whole/done.tsv is the record of another job: --batch was 1, is 2; ')
    pathlib.Path('flip2.onnxtxt').write_text(MODELS['flip'].replace('Neg', 'Abs'), encoding='utf-8')
    run('map', 'flip2.onnxtxt', '-i', 'x=job', '-o', 'whole', '--resume', code=2, text='of another job: model was crc ')


def options_that_change_results_are_another_job():
    picture('few/p1.ppm', 1)
    for name, sign in ('plus', b'\x3f'), ('minus', b'\xbf'):
        one_number(f'{name}.npy', b'\0\0\x80' + sign)
    job = ['map', 'scaled.onnxtxt', '-i', 'x=few', '-q', '-o', 'few-out', '--resume']
    run(*job, '-i', 'by=plus.npy')
    run(*job, '-i', 'by=plus.npy', '--threads', '1', text='1 of 1 files done, 1 of them before')
    given = ['-i', 'by=plus.npy']
    for words, text in ((['-i', 'by=minus.npy'], 'other-inputs was crc '), (['--fill', 'random'], 'other-inputs was crc '),
                        (['--fill', 'random', '--seed', '2'], '; --seed was 0, is 2; '),
                        ([*given, '--cast', '--format', 'npy'], 'job: --format was npz, is npy; --cast was off, is on; '),
                        ([*given, '--exact'], 'job: --exact was off, is on; '),
                        ([*given, '--image-scale', '1', '--image-layout', 'nchw'],
                         'job: --image-layout was auto, is nchw; --image-scale was none, is 1; '),
                        ([*given, '--unfused', 'fast'], 'job: --unfused was none, is fast; '),
                        ([*given, '--no-nchw16c'], '--no-nchw16c was off, is on; --again runs all files again')):
        run(*job, *words, code=2, text=text)
    record = pathlib.Path('few-out/done.tsv')
    old = record.read_text().replace('\t--exact-quant off', '').replace('\t--unfused -', '')
    record.write_text(old)  # by a version that did not have these options
    run(*job, *given, '--exact-quant', code=2, text='job: --exact-quant was none, is on; ')
    run(*job, *given, text='1 of 1 files done, 1 of them before')
    os.replace('minus.npy', 'plus.npy')
    run(*job, '-i', 'by=plus.npy', code=2, text='other-inputs was crc ')  # the name is the same, the value is not


def functions_of_ones_own():
    picture('few/p1.ppm', 1)
    body = '<domain: "", opset_import: ["" : 17]>\nNeg (x) => (y) { y = %s (x) }\n'
    job = ['map', 'flip.onnxtxt', '-i', 'x=few', '-q', '-o', 'own-out', '--functions', 'own.onnxtxt']
    pathlib.Path('own.onnxtxt').write_text(body % 'Exp', encoding='utf-8')
    run(*job)
    run('run', 'flip.onnxtxt', '-i', 'x=few/p1.ppm', '--functions', 'own.onnxtxt', '-q', '-o', 'own.npz')
    check(tree('own-out') == {'p1.npz': pathlib.Path('own.npz').read_bytes()}, 'the function is that of run')
    run('map', 'flip.onnxtxt', '-i', 'x=few', '-q', '-o', 'kernel-out')
    check(tree('own-out') != tree('kernel-out'), 'the function takes the place of the kernel')
    run(*job, '--resume', text='1 of them before')
    pathlib.Path('own.onnxtxt').write_text(body % 'Abs', encoding='utf-8')
    run(*job, '--resume', code=2, text='of another job: --functions was crc ')


def results_replace_no_others():
    """Each result is refused, before the first run, that would take another's place or that of a file which is read."""
    pathlib.Path('two.onnxtxt').write_text(HEAD + '''g (float[N,3,H,W] x) => (c, "b.c") {
  c = Neg (x)
  "b.c" = Abs (x)
}''', encoding='utf-8')
    for name in 'dots/a.ppm', 'dots/a.b.ppm', 'x/a.ppm', 'y/a.ppm', 'y/b.ppm':
        picture(name, 1)
    run('map', 'two.onnxtxt', '-i', 'dots', '-o', 'dotted', '--format', 'npy', code=2,
        text="results of 'dots/a.b.ppm' and 'dots/a.ppm' would be one file, dotted/a.b.c.npy")
    check(not list(pathlib.Path('dotted').iterdir()), 'a job that is refused leaves', os.listdir('dotted'))
    run('map', 'two.onnxtxt', '-i', 'dots', '-o', 'dotted', text='2 of 2 files done')
    # The folder that files have in common is another one for other files.
    job = ['map', 'two.onnxtxt', '-o', 'grown']
    run(*job, '-i', 'x/*.ppm')
    first = tree('grown')
    run(*job, '-i', 'y/*.ppm', '--resume', code=2, text="results of 'x/a.ppm' and 'y/a.ppm' would be one file, grown/a.npz")
    check(tree('grown') == first, 'an earlier result is replaced')
    run(*job, '-i', 'y/b*.ppm', '--resume', text='1 of 1 files done')
    check(sorted(tree('grown')) == ['a.npz', 'b.npz'], sorted(tree('grown')))
    # What an earlier job wrote below its own folder is not read.
    picture('own/p.ppm', 1)
    for words in [], ['--resume'], ['--again']:
        run('map', 'picture.onnxtxt', '-i', 'own', '-o', 'own/sub/results', '--format', 'npy', *words, text='1 of 1 files done')
    check(tree('own').keys() == {'p.ppm', 'sub/results/p.npy'}, sorted(tree('own')))
    # What is read stays.
    picture('same/p.ppm', 1)
    run('run', 'picture.onnxtxt', '-q', '-i', 'same/p.ppm', '-o', 'same/q.npy')
    before = tree('same')
    run('map', 'picture.onnxtxt', '-i', 'same/*.npy', '-o', './same/', '--format', 'npy', code=2,
        text="a result of 'same/q.npy' would take the place of same/q.npy, which is read")
    picture('by/by.ppm', 1)
    one_number('by.npy', b'\0\0\x80\xbf')
    run('map', 'scaled.onnxtxt', '-i', 'x=by', '-i', 'by=by.npy', '-o', '.', '--format', 'npy', code=2,
        text="a result of 'by/by.ppm' would take the place of by.npy, which is read")
    picture('few/p1.ppm', 1)
    run('convert', 'picture.onnxtxt', 'model.onnx')
    os.makedirs('read')
    for kept, words in (pathlib.Path('model.onnx').read_bytes(), ['read/p1.pb']), (
            b'<domain: "", opset_import: ["" : 17]> Sub (a, b) => (c) { c = Mul (a, b) }', ['picture.onnxtxt', '--functions', 'read/p1.pb']):
        pathlib.Path('read/p1.pb').write_bytes(kept)
        run('map', *words, '-i', 'few', '-o', 'read', '--format', 'pb', code=2,
            text="a result of 'few/p1.ppm' would take the place of read/p1.pb, which is read")
        check(tree('read') == {'p1.pb': kept}, words, 'a file that is read is replaced')
    check(tree('same') == before, 'a file that is read is replaced')


def records_are_kept():
    """A folder with the record of a job is not another's, unless it is told so."""
    job = ['map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'kept']
    run(*job)
    record, results = lines('kept/done.tsv'), tree('kept')
    for words in [], ['--batch', '4'], ['--shard', '1/2']:
        run(*job, *words, code=2, text='kept/done.tsv records 20 files of an earlier job: --resume goes on with it, --again')
    run(*job, '--shard', '1/2', '--resume', '--exact', code=2, text='--exact was off, is on')
    run(*job, '--resume', '--again', code=2, text='expected one of --resume and --again')
    check((lines('kept/done.tsv'), tree('kept')) == (record, results), 'a job that is refused changes the folder')
    os.remove('kept/p01.npz')
    pathlib.Path('kept/p02.npz').write_bytes(b'old')
    run(*job, '--again', '--batch', '2', text='20 of 20 files done;')
    check(tree('kept') == results and len(lines('kept/done.tsv')) == 21, '--again runs all files')
    pathlib.Path('older').mkdir()
    pathlib.Path('older/done.tsv').write_text('ocellus map 1: model flip.onnxtxt crc 7d466371\nin/p01.ppm\tdone\n')
    for words in [], ['--resume']:
        run(*job[:-1], 'older', *words, code=2, text='older/done.tsv is a record of another version of map; --again')
    run(*job[:-1], 'older', '--again', text='20 of 20 files done;')
    pathlib.Path('foreign').mkdir()
    for name, words in ('done.tsv', []), ('done.tsv', ['--again']), ('done.1-of-2.tsv', ['--again']), ('done.tsv', ['--resume']):
        pathlib.Path('foreign', name).write_text('hello\n', encoding='utf-8')
        run(*job[:-1], 'foreign', *words, code=2, text=f'foreign/{name} is no record of map; expected another -o')
        check(pathlib.Path('foreign', name).read_text() == 'hello\n' and not tree('foreign'), 'it stays')
        os.remove(f'foreign/{name}')
    pathlib.Path('foreign/done.tsv').write_bytes(b'ocellus m')  # a crash cut off the first line
    run(*job[:-1], 'foreign', text='20 of 20 files done;')
    # A record without a file that is done stands in no one's way, and parts of one job not in each other's.
    run('map', 'fixed.onnxtxt', '-i', 'in/p07.ppm*', '-o', 'none', code=3)
    run('map', 'fixed.onnxtxt', '-i', 'in/p01.ppm*', '-o', 'none', text='1 of 1 files done')
    run(*job[:-1], 'parted', '--shard', '1/2')
    run(*job[:-1], 'parted', '--shard', '2/2', '--exact', code=2, text='parted/done.1-of-2.tsv is the record of another')
    run(*job[:-1], 'parted', '--shard', '2/2')
    check(tree('parted') == results, 'two parts are the whole')
    run(*job[:-1], 'parted', '--sandbox', '--resume', text='20 of 20 files done, 20 of them before',
        env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})


def parts_of_killed_jobs_go():
    job = ['map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'killed']
    run(*job, '--shard', '1/2')
    mine = ['p01.npz.77.0.part', 'sub/p00.npz.4194304.12.part']
    others = ['p01.npz.part', 'p01.npz.7.part', 'q.npz.7.0.part', 'p01.npz.7x.0.part', '.7.0.part', 'p01.npy.7.0.part']
    for name in mine + others:
        pathlib.Path('killed', name).write_bytes(b'half')
    run(*job, '--shard', '2/2')
    left = [name for name in mine + others if os.path.exists(f'killed/{name}')]
    check(len(left) == len(mine + others) - 1, 'a part of a file is of one part of the job', left)
    run(*job, '--shard', '1/2', '--again')
    check([name for name in mine + others if os.path.exists(f'killed/{name}')] == others, os.listdir('killed'))


def odd_names():
    names = ['tab\tline\nend', 'back\\slash', 'esc\x1b[31m', 'größe', 'a=b']
    for name in names:
        picture(f'odd/{name}.ppm', 1)
    pathlib.Path(os.fsdecode(b'odd/\xff.ppm')).write_bytes(b'P6')
    for name in 'x1\ty\n', 'x2\\':
        pathlib.Path(f'odd/{name}.ppm').write_bytes(b'P6')
    job = ['map', 'flip.onnxtxt', '-i', 'x=odd', '-q', '-o', 'odd-out']
    run(*job, code=3)
    told = pathlib.Path('odd-out/errors.tsv').read_bytes()
    rows = [line.split(b'\t') for line in told.decode().encode().split(b'\n')]
    check(rows.pop() == [b''] and sorted(row[0] for row in rows) ==
          [b'odd/\\xff.ppm', b'odd/x1\\ty\\n.ppm', b'odd/x2\\\\.ppm'], told)
    check(all(len(row) == 3 for row in rows) and b'\x1b' not in told, told)
    record = pathlib.Path('odd-out/done.tsv').read_bytes()
    check(record.count(b'\n') == 6 and b'\x1b' not in record and b'esc\\x1b[31m' in record, record)
    run(*job, '--resume', code=3, text='5 of 8 files done, 5 of them before, 3 failed')
    # An '=' in the name of the input, of a folder and of a pattern.
    pathlib.Path('equal.onnxtxt').write_text(HEAD + 'g (float[N,3,H,W] "a=b") => (y) { y = Neg ("a=b") }', encoding='utf-8')
    picture('c=d/p.ppm', 1)
    for i, text in enumerate(('a=b=c=d', 'a=b=c=d/*.ppm', 'c=d', 'a=b=odd/a=b.*')):
        run('map', 'equal.onnxtxt', '-i', text, '-o', f'equal{i}', text='1 of 1 files done')


def shards_are_parts():
    run('map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'whole20')
    job = ['map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'parts']
    for k in 1, 2, 3:
        run(*job, '--shard', f'{k}/3', text=f'{7 if k < 3 else 6} of')
    check(tree('parts') == tree('whole20'), 'three parts are the whole')
    check({f'done.{k}-of-3.tsv' for k in (1, 2, 3)} <= set(os.listdir('parts')), 'each part has a record')
    # Whatever the division, --resume leaves out what any record has, and --again leaves no other division's record.
    os.remove('parts/done.3-of-3.tsv')
    run(*job, '--shard', '1/2', '--resume', text='10 of 10 files done, 7 of them before')
    run(*job, '--resume', text='20 of 20 files done, 17 of them before')
    check(tree('parts') == tree('whole20'), 'what is resumed differs')
    kept = {'done.tsv', 'done.csv', 'done-by-hand.tsv', 'done.1-of-3.tsv.old', 'errors.txt'}
    for name in kept | {'errors.2-of-3.tsv', 'errors.1-of-2.tsv'}:
        pathlib.Path('parts', name).open('a').close()
    run(*job, '--again', '--seed', '7', text='20 of 20 files done;')
    check({name for name in os.listdir('parts') if 'done' in name or 'errors' in name} == kept | {'errors.tsv'}, os.listdir('parts'))
    run(*job, '--resume', '--seed', '7', text='20 of 20 files done, 20 of them before')
    # Parts of one division may run side by side, and both may find what one removes.
    for k in 1, 2:
        os.symlink('gone', f'parts/done.{k}-of-5.tsv')
        run(*job, '--shard', f'{k}/2', '--again', text='10 of 10 files done;')
    check({name for name in os.listdir('parts') if re.fullmatch('done.*[.]tsv', name)} ==
          {'done.1-of-2.tsv', 'done.2-of-2.tsv', 'done-by-hand.tsv'}, os.listdir('parts'))
    for wrong in '0/3', '4/3', '1', '1/3/5', 'a/b':
        run('map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'parts', '--shard', wrong, code=2, text='K/N')


def numbers_are_plain():
    """Seconds and rates have no exponent, however fast files are; where no file is run, there are none."""
    job = ['map', 'flip.onnxtxt', '-i', 'x=in', '-o', 'plain']
    done = run(*job)
    check(re.search(r' files done; \d+(\.\d+)? s, \d+(\.\d+)?/s\n$', done.stdout), done.stdout)
    done = run(*job, '--resume')
    check(done.stdout == '20 of 20 files done, 20 of them before\n', done.stdout)
    done = run(*job, '--resume', '--json')
    check(json.loads(done.stdout)['rate'] == 0, done.stdout)


def mistakes():
    os.makedirs('empty')
    for words, code, text in (
            (['-i', 'x=in'], 2, '-o DIR is missing'),
            (['-i', 'x=in/p01.ppm', '-o', 'm'], 2, 'names many files'),
            (['-i', 'x=inn', '-o', 'm'], 3, '-i x=inn: there is no such folder or file'),
            (['-i', 'inn', '-o', 'm'], 3, '-i inn: there is no such folder or file'),
            (['-i', 'x=in', '-i', 'in/*.ppm', '-o', 'm'], 2, "which of the model's 1 inputs"),
            (['-i', 'q=in', '-o', 'm'], 2, "no input 'q'"),
            (['-i', 'x=empty', '-o', 'm'], 2, 'there is no file'),
            (['-i', 'x=no/*.ppm', '-o', 'm'], 2, 'there is no file'),
            (['-i', 'x=none.txt', '-o', 'm'], 3, 'none.txt'),
            (['-i', 'x=in', '-o', 'm', '--batch', '0'], 2, '--batch'),
            (['-i', 'x=in', '-o', 'list.txt'], 3, 'list.txt'),
            (['-i', 'x=in', '-o', 'm', '--dim', 'Q=3'], 2, '--dim')):
        run('map', 'flip.onnxtxt', *words, code=code, text=text)
    run('map', 'scaled.onnxtxt', '-i', 'in', '-o', 'm', code=2, text='which of the model')
    run('map', 'scaled.onnxtxt', '-i', 'x=in', '-o', 'm', code=2, text="no value for input 'by'")
    run('map', 'total.onnxtxt', '-i', 'in', '-o', 'm', '--batch', '4', code=2, text="output 's' has not")
    run('map', 'none.onnx', '-i', 'in', '-o', 'm', code=3, text='none.onnx')
    if os.geteuid():
        os.makedirs('locked', mode=0o555)
        run('map', 'flip.onnxtxt', '-i', 'in', '-o', 'locked', code=3, text='locked')
    os.makedirs('taken/p01.npz')
    run('map', 'flip.onnxtxt', '-i', 'in', '-o', 'taken', code=3, text='taken/p01.npz')
    found = json.loads(run('map', 'flip.onnxtxt', '-i', 'in', '-o', 'json', '--json').stdout)
    check((found['files'], found['done'], found['before'], found['failed'], found['left_out'], found['errors']) ==
          (20, 20, 0, 0, 1, 'json/errors.tsv'), found)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_files()
    ways_give_the_same(results_are_those_of_run())
    for group in (formats, names_stay_in_the_folder, files_left_out_are_told, pictures_are_scaled_by_their_values,
                  streams_of_pictures_are_refused, bad_files_are_named, interrupted_jobs_go_on,
                  options_that_change_results_are_another_job, functions_of_ones_own,
                  results_replace_no_others, records_are_kept, parts_of_killed_jobs_go, odd_names, shards_are_parts, numbers_are_plain, mistakes):
        group()
    os.chdir('/')
finish()
