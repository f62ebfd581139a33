#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""table.py TABLE_PROGRAM - tables of answers are what Python's csv and json modules read of them: rows, masks as
COCO's runs (stated again here in NumPy), their order whatever threads write them, and that a job that was stopped
goes on."""
import csv
import io
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import unicodedata

SYSTEM = '/usr/bin/python3'  # whose modules a distribution installs

try:
    import numpy as np
except ImportError:
    if os.path.exists(SYSTEM) and sys.executable != SYSTEM:
        os.execv(SYSTEM, [SYSTEM, '-B', *sys.argv])
    print('skipped: numpy is not installed')
    sys.exit(77)

PROGRAM = sys.argv[1]
BOX, SCORE, LABEL, POINT, CORNER, MASK, CLS, FLOW, DEPTH, TEXT = (1 << i for i in range(10))
NAMES = ['person', 'a "quoted", name', 'NULL', "it's", 'späte']
rng = np.random.default_rng(49)
failures = 0


def expect(condition, what):
    global failures
    if not condition:
        failures += 1
        print('FAILED:', what)


class Answer:
    """Fields as struct answer has them; arrays are None where the network gives none."""

    def __init__(self, file, width=64, height=48, inputs=(40, 40), fit=(0.5, 0.5, 4.0, 8.0), n=0, n_points=0, grid=(0, 0)):
        self.file, self.width, self.height, self.inputs, self.fit = file, width, height, inputs, fit
        self.n, self.n_points, self.grid = n, n_points, grid
        self.box = self.score = self.label = self.point = self.corner = self.mask = self.cls = self.flow = self.depth = None
        self.text = None

    def pack(self):
        arrays = ((BOX, self.box, '<f4'), (SCORE, self.score, '<f4'), (LABEL, self.label, '<i8'), (POINT, self.point, '<f4'),
                  (CORNER, self.corner, '<f4'), (MASK, self.mask, '<f4'), (CLS, self.cls, '<i8'), (FLOW, self.flow, '<f4'),
                  (DEPTH, self.depth, '<f4'))
        has = sum(bit for bit, array, _ in arrays if array is not None) | (TEXT if self.text is not None else 0)
        name = self.file if isinstance(self.file, bytes) else self.file.encode()
        out = struct.pack('<i', len(name)) + name
        out += struct.pack('<4i', self.width, self.height, *self.inputs) + struct.pack('<4d', *self.fit)
        out += struct.pack('<5i', self.n, self.n_points, *self.grid, has)
        out += b''.join(np.ascontiguousarray(array, dtype).tobytes() for _, array, dtype in arrays if array is not None)
        if self.text is not None:
            out += struct.pack('<i', len(self.text.encode())) + self.text.encode()
        return out


def objects(file, n, points=0, corners=False, masks=False, **more):
    a = Answer(file, n=n, n_points=points, grid=(20, 10) if masks else (0, 0), **more)
    low = rng.uniform(0, 0.6, (n, 2)) * (a.width, a.height)
    high = low + rng.uniform(0.05, 0.4, (n, 2)) * (a.width, a.height)
    a.box = np.concatenate([low, high], 1).astype('f4')
    a.score = np.sort(rng.uniform(0, 1, n).astype('f4'))[::-1]
    a.label = rng.integers(0, 7, n)
    if points:
        a.point = rng.uniform(0, 1, (n, points, 3)).astype('f4') * np.float32([a.width, a.height, 1])
    if corners:
        a.corner = rng.uniform(0, 48, (n, 4, 2)).astype('f4')
    if masks:
        a.mask = np.clip(rng.normal(0.5, 0.3, (n, 10, 20)), 0, 1).astype('f4')
        a.mask[:, 3:6, 5:12] = 1
    return a


# ---- what the program says ----

folder = tempfile.mkdtemp()


def path(name):
    return os.path.join(folder, name)


def run(answers, name, threads=1, names=NAMES, more=(), code=0, before=None):
    with open(path('answers'), 'wb') as f:
        f.write(struct.pack('<i', len(answers)) + b''.join(a.pack() for a in answers))
    target = name if name == '-' else path(name)
    result = subprocess.run([PROGRAM, path('answers'), target, str(threads), ';'.join(names) or '-', *more],
                            capture_output=True, preexec_fn=before, check=False)
    expect(result.returncode == code, f'{name}: exit {result.returncode}, expected {code}: {result.stderr.decode()}')
    return result


def read(name):
    with open(path(name), 'rb') as f:
        return f.read()


# ---- masks, again ----

def places(n, scale, offset, inputs, cells):
    at = ((np.arange(n) + 0.5) * scale + offset) * cells / inputs - 0.5
    inside = np.clip(at, 0, cells - 1)
    first = inside.astype(int)
    return first, np.minimum(first + 1, cells - 1), (inside - first).astype('f4')


def grid_places(a):
    gw, gh = a.grid
    return (places(a.width, a.fit[0], a.fit[2], a.inputs[0], gw), places(a.height, a.fit[1], a.fit[3], a.inputs[1], gh))


def covered(a, i):
    """The pixels of the photograph that object i covers."""
    (x0, x1, fx), (y0, y1, fy) = grid_places(a)
    m = a.mask[i]
    across = m[:, x0] + (m[:, x1] - m[:, x0]) * fx
    value = across[y0] + (across[y1] - across[y0]) * fy[:, None]
    x, y = np.arange(a.width) + 0.5, np.arange(a.height) + 0.5
    left, top, right, bottom = a.box[i].astype(float) if a.box is not None else (0, 0, a.width, a.height)
    return (value >= 0.5) & ((x >= left) & (x < right)) & ((y >= top) & (y < bottom))[:, None]


def classes(a):
    """The class of each pixel of the photograph."""
    (x0, x1, fx), (y0, y1, fy) = grid_places(a)
    return a.cls[np.where(fy < 0.5, y0, y1)][:, np.where(fx < 0.5, x0, x1)]


def runs(picture):
    flat = picture.T.reshape(-1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flat]))) if flat.size else []
    return list(np.diff(np.concatenate([[0], edges, [flat.size]])).astype(int))


def unpack(counts):
    """The lengths of runs in pycocotools' characters."""
    lengths, at = [], 0
    while at < len(counts):
        value, shift = 0, 0
        while True:
            digit = ord(counts[at]) - 48
            at += 1
            value |= (digit & 31) << shift
            shift += 5
            if not digit & 32:
                if digit & 16:
                    value -= 1 << shift
                break
        if len(lengths) > 2:
            value += lengths[-2]
        lengths.append(value)
    return lengths


def expect_mask(rle, a, picture, what):
    expect(rle['size'] == [a.height, a.width], f'{what}: size {rle["size"]}')
    expect(unpack(rle['counts']) == runs(picture), f'{what}: {unpack(rle["counts"])[:9]} {runs(picture)[:9]}')


# ---- the formats ----

def name_of(label):
    known = 0 <= label < len(NAMES) and NAMES[label] != 'NULL'
    return NAMES[label] if known else None


def same(text, x):
    """Does the text read back as the float, and is none shorter?"""
    return np.float32(text) == np.float32(x) and len(text) <= len(np.format_float_positional(np.float32(x))) + 1


def test_fields():
    answers = [objects('a, b.jpg', 3, points=2, corners=True, masks=True), objects('"q".jpg', 0, points=2, corners=True, masks=True),
               objects('tab\tnew\nline\\.jpg', 4, points=2, corners=True, masks=True), objects(b'bad\xff.jpg', 1, points=2, corners=True, masks=True)]
    for name, dialect in (('t.csv', {}), ('t.tsv', {'delimiter': '\t', 'quoting': csv.QUOTE_NONE})):
        run(answers, name)
        text = read(name).decode()
        rows = list(csv.DictReader(io.StringIO(text, newline=''), **dialect))
        expect(len(rows) == 8 and '\r' not in text, f'{name}: {len(rows)} rows')
        at = 0
        for a in answers:
            for i in range(a.n):
                r, at = rows[at], at + 1
                file = a.file.decode(errors='replace') if isinstance(a.file, bytes) else a.file
                if name == 't.tsv':
                    file = file.replace('\\', '\\\\').replace('\t', '\\t').replace('\n', '\\n')
                expect(r['file'] == file, f'{name}: file {r["file"]!r}')
                expect((r['width'], r['height']) == ('64', '48'), f'{name}: size')
                expect([r[k] for k in ('scale_x', 'scale_y', 'offset_x', 'offset_y')] == ['0.5', '0.5', '4', '8'], f'{name}: fit')
                expect(r['label'] == str(a.label[i]) and r['name'] == (name_of(a.label[i]) or str(a.label[i])), f'{name}: label {r}')
                expect(same(r['score'], a.score[i]), f'{name}: score {r["score"]}')
                expect(all(same(r[k], a.box[i, j]) for j, k in enumerate(('left', 'top', 'right', 'bottom'))), f'{name}: box')
                for k in range(2):
                    expect(all(same(r[f'{t}{k + 1}'], a.point[i, k, j]) for j, t in enumerate(('x', 'y', 'confidence'))), f'{name}: points')
                for k in range(4):
                    expect(all(same(r[f'corner_{t}{k + 1}'], a.corner[i, k, j]) for j, t in enumerate('xy')), f'{name}: corners')
                expect(int(r['area']) == covered(a, i).sum(), f'{name}: area {r["area"]}, {covered(a, i).sum()}')
    run([objects('a.jpg', 0)], 'none.csv')
    expect(read('none.csv') == b'file,width,height,scale_x,scale_y,offset_x,offset_y,label,name,score\n', 'no rows')
    bare = objects('a.jpg', 2)
    bare.box = bare.score = None
    run([bare], 'bare.csv', names=[])
    expect(read('bare.csv').decode().splitlines()[1].endswith(f',{bare.label[0]},{bare.label[0]},'), 'no scores')


def test_jsonl():
    answers = [objects('a".jpg', 2, points=3, corners=True, masks=True), objects('b.jpg', 0), objects('c.jpg', 1)]
    answers[2].score[0] = np.nan
    run(answers, 't.jsonl')
    lines = [json.loads(line) for line in read('t.jsonl').decode().splitlines()]
    expect(len(lines) == 3 and lines[1]['objects'] == [] and lines[2]['objects'][0]['score'] is None, 'jsonl: lines')
    for line, a in zip(lines, answers):
        expect(line['file'] == a.file and (line['width'], line['height']) == (64, 48), 'jsonl: file')
        expect(line['input'] == [40, 40] and line['fit'] == [0.5, 0.5, 4, 8], 'jsonl: fit')
        expect(len(line['objects']) == a.n, 'jsonl: objects')
        for i, o in enumerate(line['objects']):
            expect(o['label'] == a.label[i] and o['name'] == name_of(a.label[i]), f'jsonl: label {o}')
            expect(np.array_equal(np.float32(o['box']), a.box[i]), 'jsonl: box')
            if a.point is None:
                continue
            expect(np.array_equal(np.float32(o['points']), a.point[i]) and np.array_equal(np.float32(o['corners']), a.corner[i]), 'jsonl: points')
            expect(o['area'] == covered(a, i).sum(), 'jsonl: area')
            expect_mask(o['mask'], a, covered(a, i), 'jsonl')


def test_coco():
    answers = [objects('a.jpg', 3, points=2, masks=True), objects('', 0), objects('none.jpg', 0), objects('c.jpg', 2, corners=True)]
    answers[3].box[1, 2] = np.inf
    answers[0].point[0, :, 2] = 0.45, 0.5
    run(answers, 't.coco.json')
    data = json.loads(read('t.coco.json'))
    expect([i['id'] for i in data['images']] == [1, 3, 4], f'coco: images {data["images"]}')
    expect([i['file_name'] for i in data['images']] == ['a.jpg', 'none.jpg', 'c.jpg'], 'coco: files')
    expect([a['id'] for a in data['annotations']] == [1, 2, 3, 4] and [a['image_id'] for a in data['annotations']] == [1, 1, 1, 4], 'coco: ids')
    used = {int(label) for a in answers for label in (a.label if a.n else [])[:3 if a.file == 'a.jpg' else 1]}
    wanted = sorted(used | {0, 1, 3, 4})
    expect([c['id'] for c in data['categories']] == [k + 1 for k in wanted], f'coco: categories {data["categories"]} {wanted}')
    expect([c['name'] for c in data['categories']] == [name_of(k) or str(k) for k in wanted], 'coco: names')
    expect(data['categories'][0]['keypoints'] == ['0', '1'], 'coco: keypoints of categories')
    for i, o in enumerate(data['annotations'][:3]):
        a = answers[0]
        box = a.box[i]
        expect(o['category_id'] == a.label[i] + 1 and np.float32(o['score']) == a.score[i] and o['iscrowd'] == 0, 'coco: annotation')
        expect(np.array_equal(np.float32(o['bbox']), np.float32([box[0], box[1], box[2] - box[0], box[3] - box[1]])), 'coco: bbox')
        expect(o['area'] == covered(a, i).sum(), 'coco: area')
        expect_mask(o['segmentation'], a, covered(a, i), 'coco')
        sure = a.point[i, :, 2] >= 0.5
        flat = [v for p, s in zip(a.point[i], sure) for v in ((p[0], p[1], 2) if s else (0, 0, 0))]
        expect(np.array_equal(np.float32(o['keypoints']), np.float32(flat)) and o['num_keypoints'] == sure.sum(), 'coco: keypoints')
    last = data['annotations'][3]
    expect(np.array_equal(np.float32(last['segmentation'][0]), answers[3].corner[0].reshape(-1)), 'coco: polygon')
    expect(np.isclose(last['area'], np.prod(np.float64(last['bbox'][2:]))), 'coco: area of a box')
    labels = objects('a.jpg', 2)
    labels.box = None
    result = run([labels], 'labels.coco.json', code=2)
    expect(b'no place for an answer without boxes' in result.stderr and not os.path.exists(path('labels.coco.json')), 'coco: labels alone')


def test_masks():
    """Odd fits, grids of one cell, boxes outside, masks of all and of nothing, numbers that are none."""
    for k in range(60):
        width, height = (int(v) for v in rng.integers(1, 90, 2))
        scale = float(rng.choice([0.1, 0.37, 1, 2.5]))
        a = objects('a.jpg', 2, masks=True, width=width, height=height, inputs=(30, 50),
                    fit=(scale, scale * 1.1, float(rng.uniform(-9, 9)), float(rng.uniform(-9, 9))))
        gw, gh = (int(v) for v in rng.integers(1, 12, 2))
        a.grid = gw, gh
        a.mask = rng.choice(np.float32([0, 0.25, 0.49999997, 0.5, 0.75, 1, np.nan if k % 5 == 0 else 0.6]), (2, gh, gw))
        a.box = rng.choice(np.float32([-1e30, -3, 0, 0.5, 7.5, 20.25, width, 1e30]), (2, 4)) if k % 3 else a.box
        if k % 7 == 0:
            a.mask[:] = k % 2
        if k % 11 == 0:
            a.box = None
        run([a], 'm.jsonl')
        for i, o in enumerate(json.loads(read('m.jsonl'))['objects']):
            expect_mask(o['mask'], a, covered(a, i), f'mask {k}')


def test_maps():
    a = Answer('seg.png', grid=(9, 7))
    a.cls = rng.integers(0, 4, (7, 9))
    a.cls[0] = 9  # beyond the photograph
    seen = classes(a)
    labels, areas = np.unique(seen, return_counts=True)
    order = sorted(zip(-areas, labels))
    run([a], 'm.jsonl')
    line = json.loads(read('m.jsonl'))
    expect('objects' not in line and [(-c['area'], c['label']) for c in line['classes']] == order, 'classes: jsonl')
    for c in line['classes']:
        expect_mask(c['mask'], a, seen == c['label'], 'classes')
        expect(np.isclose(c['share'], c['area'] / seen.size), 'classes: share')
    run([a], 'm.csv')
    rows = list(csv.DictReader(io.StringIO(read('m.csv').decode())))
    expect([(-int(r['area']), int(r['label'])) for r in rows] == order, 'classes: csv')
    run([a], 'm.json')
    data = json.loads(read('m.json'))
    for c in data['annotations']:
        ys, xs = np.nonzero(seen == c['category_id'] - 1)
        expect(c['bbox'] == [xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1] and c['area'] == len(xs), 'classes: coco')
    half = Answer('half.png', width=9, height=7, inputs=(9, 7), fit=(1, 1, 0.5, 0.5), grid=(9, 7))  # pixels halfway between cells
    half.cls = rng.integers(0, 4, (7, 9))
    run([half], 'm.jsonl')
    for c in json.loads(read('m.jsonl'))['classes']:
        expect_mask(c['mask'], half, classes(half) == c['label'], 'halfway')
    (x0, x1, fx), (y0, y1, fy) = grid_places(a)
    nearest = np.ix_(np.where(fy < 0.5, y0, y1), np.where(fx < 0.5, x0, x1))
    a.cls, a.depth = None, rng.normal(3, 1, (7, 9)).astype('f4')
    a.depth[3, 4] = np.nan
    run([a], 'd.csv')
    row = next(csv.DictReader(io.StringIO(read('d.csv').decode())))
    used = a.depth[nearest].astype(float)
    expect(all(np.isclose(float(row[k]), f(used), rtol=1e-6) for k, f in (('least', np.nanmin), ('mean', np.nanmean), ('greatest', np.nanmax))), f'depth: {row}')
    a.depth, a.flow = None, rng.normal(0, 5, (2, 7, 9)).astype('f4')
    run([a], 'd.jsonl')
    length = np.hypot(*a.flow.astype(float))[nearest]
    line = json.loads(read('d.jsonl'))['flow']
    expect(np.isclose(line['mean'], length.mean()) and np.isclose(line['greatest'], length.max()), f'flow: {line}')
    a.flow, a.text, a.n, a.score = None, 'Grüße, "Welt"', 2, np.float32([0.5, 0.75])
    a.label = np.int64([4, 5])
    run([a], 'd.csv')
    row = next(csv.DictReader(io.StringIO(read('d.csv').decode())))
    expect(row['text'] == a.text and row['score'] == '0.625', f'text: {row}')
    run([a], 'd.jsonl')
    line = json.loads(read('d.jsonl'))
    expect(line['text'] == a.text and line['score'] == 0.625 and 'objects' not in line, f'text: {line}')


def test_text():
    a = objects('bus.jpg', 2)
    a.box = np.float32([[1, 2, 30.26, 4], [0, 0, 640, 480]])
    a.score, a.label = np.float32([0.9, 0.25]), np.int64([0, 2])
    b = objects('evil\x1b.jpg', 0)
    said = run([a, b], '-').stdout.decode()
    expect(said == 'file      label             score     left     top   right  bottom\n'
           'bus.jpg   person            0.900      1.0     2.0    30.3     4.0\n'
           'bus.jpg   2                 0.250      0.0     0.0   640.0   480.0\n'
           'evil\\x1b.jpg  nothing\n', f'text: {said}')


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)


def test_columns():
    """Scores stand below each other whatever letters the names have."""
    names = ['\u4eba\u7269', 'dog', 'e\u0301te\u0301', 'a\x1bb', '\uff21\ud55c\U0001f600', '\u732b' * 14]
    a = objects('bus.jpg', len(names))
    a.label = np.arange(len(names))
    lines = run([a], '-', names=names).stdout.decode().splitlines()
    at = {columns(line[:line.index(f' {score:.3f}')]) for line, score in zip(lines[1:], a.score)}
    expect(len(lines) == 7 and at == {columns(lines[0][:lines[0].index(' score')])}, f'columns: {at} {lines}')


# ---- order, and going on ----

def test_order():
    answers = [objects(f'{i:03}.jpg', int(rng.integers(0, 4)), masks=True) for i in range(60)]
    for name in ('o.csv', 'o.jsonl', 'o.coco.json'):
        run(answers, name)
        whole = read(name)
        for threads in (2, 7):
            run(answers, name, threads)
            expect(read(name) == whole, f'{name}: another order with {threads} threads')
        run(answers, name, 1, more=(path('rows'), 'anew'))
        expect(read(name) == whole, f'{name}: with rows kept')
        os.remove(path(name))
        for stop in ('20', '40'):
            run(answers, name, 3, more=(path('rows'), 'anew' if stop == '20' else 'resume', stop), code=9)
            expect(not os.path.exists(path(name)), f'{name}: there after a stop')
        kept = read('rows')
        # the other two threads may have a row in hand when the third one stops
        expect(kept.count(b'\tdone\n') >= 18, f'{name}: {kept.count(b"done")} rows kept')
        with open(path('rows'), 'wb') as f:
            last = kept.rindex(b'\n', 0, -1) + 1
            f.write(kept[:last] + b'000.jpg\t\tgarbage\tnope\n' + kept[last:-3])
        run(answers, name, 3, more=(path('rows'), 'resume'))
        expect(read(name) == whole, f'{name}: other rows when it goes on')
        lines = [line.split(b'\t') for line in read('rows').split(b'\n')[1:-1]]
        complete = sorted(line[0].decode() for line in lines if len(line) == 4 and line[3] == b'done')
        expect(complete == [a.file for a in answers], f'{name}: {len(complete)} complete lines of {len(lines)}')
    result = run(answers, 'o.csv', more=(path('rows'), 'resume'), code=2)
    expect(b"begins with 'ocellus rows 1: coco', expected 'ocellus rows 1: csv'" in result.stderr, f'rows of another format: {result.stderr}')
    kept = read('rows')
    expect(kept.startswith(b'ocellus rows 1: coco\n'), 'the rows are as they were')


def test_damaged_rows():
    """Any bytes as rows of an earlier run: a table, or an error."""
    answers = [objects(f'{i}.jpg', 2) for i in range(4)]
    run(answers, 'b.csv', more=(path('rows3'), 'anew'))
    rows = read('rows3')
    for k in range(60):
        damaged = bytearray(rows[:int(rng.integers(1, len(rows)))] if k % 2 else rows)
        for at in rng.integers(22 if k % 4 else 0, len(rows), 3):
            if at < len(damaged):
                damaged[at] = rng.choice(np.frombuffer(b'\t\n\\\0x\xff', 'u1'))
        with open(path('rows3'), 'wb') as f:
            f.write(damaged)
        with open(path('answers'), 'wb') as f:
            f.write(struct.pack('<i', len(answers)) + b''.join(a.pack() for a in answers))
        code = subprocess.run([PROGRAM, path('answers'), path('b.csv'), '2', '-', path('rows3'), 'resume'],
                              capture_output=True, check=False).returncode
        expect(code in (0, 2), f'damaged rows: exit {code}')


def test_failures():
    answers = [objects(f'{i:03}.jpg', 3) for i in range(30)]
    result = run(answers, 't.xlsx', code=2)
    expect(b'expected an ending' in result.stderr, f'{result.stderr}')
    run(answers, 'no/t.csv', code=3)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    for more in ((), (path('rows2'),)):
        result = run(answers, 'full.csv', more=more, code=3, before=limit)
        expect(b'File too large' in result.stderr and not os.path.exists(path('full.csv')), f'a full disk: {result.stderr}')
    mixed = [objects('a.jpg', 1), objects('b.jpg', 1, points=2)]
    result = run(mixed, 'x.csv', code=2)
    expect(b'expected those of' in result.stderr, f'other columns: {result.stderr}')
    bad = objects('a.jpg', 1, masks=True)
    bad.grid, bad.mask = (0, 0), bad.mask[:, :0, :0]
    result = run([bad], 'x.jsonl', code=3)
    expect(b'a grid of 0 cells' in result.stderr, f'no cells: {result.stderr}')
    left = sorted(os.listdir(folder))
    expect(not any('full' in name or name.startswith('x.') for name in left), f'files are left: {left}')


for test in (test_fields, test_jsonl, test_coco, test_masks, test_maps, test_text, test_columns, test_order, test_damaged_rows, test_failures):
    test()
subprocess.run(['rm', '-r', folder], check=True)
print(f'{failures} failures')
sys.exit(failures > 0)
