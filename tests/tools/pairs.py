# SPDX-License-Identifier: Apache-2.0
"""pairs.py OCELLUS - ocellus map with files for several inputs, paired by their names or line by line, and with small values
that are typed or stand in text files: the results are those of `ocellus run` on each pair."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
MODELS = {
    'two': 'g (float[N,3,H,W] a, float[N,3,H,W] b) => (float[N,3,H,W] y) { y = Sub (a, b) }',
    'three': 'g (float[N,3,H,W] a, float[N,3,H,W] b, float[N,3,H,W] c) => (y) { t = Sub (a, b) y = Mul (t, c) }',
    'sized': 'g (float[N,3,H,W] a, int64[1,2] size) => (y, int64[1,2] s) { y = Neg (a) s = Identity (size) }',
    'fixed': 'g (float[N,3,2,3] a, float[1,3,2,3] b) => (y) { y = Sub (a, b) }',
}


def run(*words, code=0, text='', **how):
    done = subprocess.run([OCELLUS, *words], capture_output=True, text=True, timeout=120, check=False, **how)
    check(done.returncode == code, words, 'ends with', done.returncode, 'expected', code, done.stderr, done.stdout)
    check(text in done.stderr + done.stdout, words, 'says', done.stderr + done.stdout, 'expected', text)
    return done


def picture(path, seed, width=3, height=2):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    pathlib.Path(path).write_bytes(b'P6 %d %d 255\n' % (width, height) + random.Random(seed).randbytes(3 * width * height))


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob('*'))
            if path.is_file() and path.suffix != '.tsv'}


def left_out(folder):
    rows = [line.split('\t') for line in pathlib.Path(folder, 'errors.tsv').read_text(encoding='utf-8').splitlines()]
    check(all(row[1] == 'left out' for row in rows), rows)
    return sorted((row[0], row[2]) for row in rows)


def make_files():
    for name, text in MODELS.items():
        pathlib.Path(f'{name}.onnxtxt').write_text(HEAD + text, encoding='utf-8')
    for i in range(12):
        below = 'sub/' if i % 3 == 0 else ''
        picture(f'left/{below}p{i:02}.ppm', i)
        picture(f'right/{below}p{i:02}.pnm', 100 + i)
        picture(f'third/{below}p{i:02}.ppm', 200 + i)


def wanted_of(model, *folders):
    """What run gives for the pictures of equal names."""
    found = {}
    for path in sorted(pathlib.Path(folders[0]).rglob('p*.ppm')):
        stem = str(path.relative_to(folders[0]))[:-4]
        files = [next(str(p) for p in pathlib.Path(f).rglob('*') if str(p.relative_to(f)).rsplit('.', 1)[0] == stem)
                 for f in folders]
        run('run', model, '-q', *(word for name, file in zip('abc', files) for word in ('-i', f'{name}={file}')), '-o', 'one.npz')
        found[stem + '.npz'] = pathlib.Path('one.npz').read_bytes()
    return found


def pairs_are_those_of_run():
    wanted = wanted_of('two.onnxtxt', 'left', 'right')
    check(len(wanted) == 12, sorted(wanted))
    job = ['map', 'two.onnxtxt', '-q', '-i', 'a=left', '-i', 'b=right']
    for i, words in enumerate(([], ['--batch', '5'], ['--threads', '1', '--batch', '12'], ['--threads', '7'])):
        run(*job, '-o', f'out{i}', *words, text='12 of 12 files done')
        check(tree(f'out{i}') == wanted, words, 'gives other results', sorted(tree(f'out{i}')))
    run(*job, '-o', 'box', '--sandbox', text='12 of 12', env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
    check(tree('box') == wanted, 'in the sandbox')
    run('map', 'two.onnxtxt', '-i', 'left', '-i', 'b=right', '-o', 'unnamed', text='12 of 12')
    check(tree('unnamed') == wanted, 'without the name of one input')
    run('map', 'two.onnxtxt', '-i', 'b=right', '-i', 'a=left/', '-o', 'turned', text='12 of 12')
    check(tree('turned') == wanted, 'the other first')
    run('map', 'two.onnxtxt', '-i', 'a=left/*.ppm', '-i', 'b=right/*.pnm', '-o', 'found', text='8 of 8')
    check(tree('found') == {k: v for k, v in wanted.items() if '/' not in k}, 'patterns', sorted(tree('found')))
    run('map', 'three.onnxtxt', '-i', 'a=left', '-i', 'b=right', '-i', 'c=third', '-o', 'three', '--batch', '3', text='12 of 12')
    check(tree('three') == wanted_of('three.onnxtxt', 'left', 'right', 'third'), 'three inputs')
    for k in 1, 2:
        run(*job, '-o', 'parts', '--shard', f'{k}/2', text='6 of 6')
    check(tree('parts') == wanted, 'two parts')


def lists_are_paired_by_line():
    names = sorted(str(p.relative_to('left'))[:-4] for p in pathlib.Path('left').rglob('*.ppm'))
    pathlib.Path('left.txt').write_text(''.join(f'left/{n}.ppm\n' for n in names), encoding='utf-8')
    pathlib.Path('right.txt').write_text(''.join(f'right/{n}.pnm\n\n' for n in names), encoding='utf-8')
    job = ['map', 'two.onnxtxt', '-q', '-i', 'a=left.txt']
    with open('right.txt', encoding='utf-8') as lines:
        run(*job, '-i', 'b=-', '-o', 'lines', text='12 of 12', stdin=lines)
    check(tree('lines') == tree('out0'), 'lines of equal names')
    one = f'right/{names[0]}.pnm\n'
    pathlib.Path('one.txt').write_text(one * 12, encoding='utf-8')
    run(*job, '-i', 'b=one.txt', '-o', 'same', text='12 of 12')
    run('map', 'two.onnxtxt', '-q', '-i', 'a=left.txt', '-i', 'b=' + one.strip(), '-o', 'fixed', text='12 of 12')
    check(tree('same') == tree('fixed') != tree('lines'), 'one file in all lines')
    pathlib.Path('one.txt').write_text(one * 11, encoding='utf-8')
    run(*job, '-i', 'b=one.txt', '-o', 'short', code=2, text='left.txt has 12 paths, and one.txt 11: expected one beside each')
    run(*job, '-i', 'b=right', '-o', 'short', code=2, text='left.txt and right: expected two lists of paths, or none')


def files_without_a_partner_are_told():
    picture('some/p01.png', 1)
    picture('some/sub/p00.ppm', 2)
    picture('some/q.ppm', 3)
    pathlib.Path('some/README').write_text('no picture\n', encoding='utf-8')
    done = run('map', 'two.onnxtxt', '-i', 'a=left', '-i', 'b=some', '-o', 'alone', text='2 of 2 files done')
    check('1 file is left out because of the ending: some/README' in done.stderr and
          '11 files are left out because of a missing partner: left/p02.ppm, left/p04.ppm, left/p05.ppm, ... (alone/errors.tsv)'
          in done.stderr, done.stderr)
    told = left_out('alone')
    check(len(told) == 12 and ('some/q.ppm', 'left has no file of its name') in told and
          ('left/sub/p03.ppm', 'some has no file of its name') in told, told)
    again = run('map', 'two.onnxtxt', '-i', 'a=left', '-i', 'b=some', '-o', 'alone', '--resume', '--json')
    check(json.loads(again.stdout)['left_out'] == 12, again.stdout)
    # Names that two files have are told apart by their endings, or are an error.
    picture('some/p01.ppm', 4)
    run('map', 'two.onnxtxt', '-q', '-i', 'a=left', '-i', 'b=some', '-o', 'exact')
    run('run', 'two.onnxtxt', '-q', '-i', 'a=left/p01.ppm', '-i', 'b=some/p01.ppm', '-o', 'one.npz')
    check(tree('exact')['p01.npz'] == pathlib.Path('one.npz').read_bytes(), 'of two files that with the ending is the partner')
    run('map', 'two.onnxtxt', '-i', 'a=right', '-i', 'b=some', '-o', 'vague', code=2,
        text="some: 2 files are named 'p01', and 'p01.pnm' can have one partner")
    run('map', 'two.onnxtxt', '-i', 'a=some', '-i', 'b=right', '-o', 'vague', code=2,
        text="right: 'right/p01.pnm' is the partner of both 'some/p01.png' and 'some/p01.ppm'")
    picture('none/z.ppm', 1)
    run('map', 'two.onnxtxt', '-i', 'a=left', '-i', 'b=none', '-o', 'vague', code=2,
        text='no file of left has a partner of its name in none')


def bad_partners_fail_their_pair():
    for i in range(6):
        picture(f'a/p{i}.ppm', i)
        picture(f'b/p{i}.ppm', 10 + i, 3 if i != 4 else 5)
    good = pathlib.Path('b/p2.ppm').read_bytes()
    pathlib.Path('b/p2.ppm').write_bytes(good[:20])
    for batch in '1', '6':
        done = run('map', 'two.onnxtxt', '-i', 'a=a', '-i', 'b=b', '-o', 'bad' + batch, '--batch', batch, code=3,
                   text='4 of 6 files done, 2 failed')
        check('a/p2.ppm: b/p2.ppm: damaged PNM: it is cut off' in done.stderr, done.stderr)
        rows = [line.split('\t')[:2] for line in pathlib.Path(f'bad{batch}/errors.tsv').read_text().splitlines()]
        check(sorted(row[0] for row in rows) == ['a/p2.ppm', 'a/p4.ppm'], rows)
    check(tree('bad1') == tree('bad6'), 'a batch gives other results')
    pathlib.Path('b/p2.ppm').write_bytes(good)
    picture('b/p4.ppm', 14)
    run('map', 'two.onnxtxt', '-i', 'a=a', '-i', 'b=b', '-o', 'bad1', '--resume', text='6 of 6 files done, 4 of them before')
    run('map', 'two.onnxtxt', '-i', 'a=a', '-i', 'b=left', '-o', 'bad1', '--resume', code=2, text='no file of a has')
    os.rename('b', 'other')
    run('map', 'two.onnxtxt', '-i', 'a=a', '-i', 'b=other', '-o', 'bad1', '--resume', code=2,
        text='of another job: input-beside was b=b, is b=other')
    run('map', 'fixed.onnxtxt', '-i', 'a=a', '-i', 'b=other', '-o', 'fix', '--batch', '3', text='6 of 6')  # one by one
    before = tree('other')
    run('map', 'two.onnxtxt', '-i', 'a=a', '-i', 'b=other', '-o', './other', '--format', 'npy', text='6 of 6')
    os.rename('other/p1.npy', 'a/p1.x.npy')
    run('map', 'two.onnxtxt', '-i', 'a=a/*.ppm', '-i', 'b=other/*.npy', '-o', 'other', '--format', 'npy', '--again', code=2,
        text="would take the place of other/p0.npy, which is read")
    check(before.items() <= tree('other').items(), 'a partner is replaced')


def small_values_are_the_same_in_all_runs():
    pathlib.Path('size.txt').write_text('640 480\n', encoding='utf-8')
    pathlib.Path('size.csv').write_text('640;480\n', encoding='utf-8')
    pathlib.Path('size.json').write_text('[[640, 480]]', encoding='utf-8')
    for i, size in enumerate(('[[640,480]]', '640,480', 'size.txt', 'size.csv', 'size.json')):
        run('map', 'sized.onnxtxt', '-q', '-i', 'a=left', '-i', f'size={size}', '-o', f'sized{i}', text='12 of 12')
        check(tree(f'sized{i}') == tree('sized0'), size)
    run('run', 'sized.onnxtxt', '-q', '-i', 'a=left/p01.ppm', '-i', 'size=[[640,480]]', '-o', 'one.npz')
    check(tree('sized0')['p01.npz'] == pathlib.Path('one.npz').read_bytes(), 'typed')
    run('map', 'sized.onnxtxt', '-i', 'a=left', '-i', 'size=[[640,480],[1]]', '-o', 'wrong', code=3, text='lists of equal length')
    # A pattern may begin with a bracket, and a list may name files whose names are numbers.
    os.makedirs('numbers')
    for i in range(3):
        picture(f'numbers/{i}', i)
    pathlib.Path('numbers/list.txt').write_text('0\n1\n2\n', encoding='utf-8')
    model = os.path.abspath('sized.onnxtxt')
    for source in '[01]', 'list.txt', '[0-2]':
        run('map', model, '-i', f'a={source}', '-i', 'size=1,2', '-o', 'out ' + source, cwd='numbers',
            text=f'{2 if source == "[01]" else 3} files done')
    run('map', model, '-i', 'a=[xy]*.png', '-i', 'size=1,2', '-o', 'wrong', cwd='numbers', code=2,
        text='[xy]*.png: there is no file in it')


def mistakes():
    for words, text in ((['-i', 'a=left', '-i', 'a=right'], '-i a: there are two of it'),
                        (['-i', 'left', '-i', 'right'], 'which of the model'),
                        (['-i', 'a=left', '-i', 'x=right'], "the model has no input 'x'"),
                        (['-i', 'a=left'], "no value for input 'b'")):
        run('map', 'two.onnxtxt', *words, '-o', 'wrong', code=2, text=text)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_files()
    for group in (pairs_are_those_of_run, lists_are_paired_by_line, files_without_a_partner_are_told, bad_partners_fail_their_pair,
                  small_values_are_the_same_in_all_runs, mistakes):
        group()
    os.chdir('/')
finish()
