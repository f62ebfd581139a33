# SPDX-License-Identifier: Apache-2.0
"""recorded.py OCELLUS - recorded runs: what --record writes is what docs/recorded-runs.md says, `ocellus test` passes on it and on
what a script writes, and names what is not as recorded, or wrong in the document. Hashes are computed here anew."""
import base64
import copy
import hashlib
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

from checks import check, finish
from predict_networks import NETWORK, PROPERTIES, RED, TWO, ppm

OCELLUS = os.path.abspath(sys.argv[1])
HEAD = '<ir_version: 13, opset_import: ["" : 25]>\n'
MODELS = {
    'sum': HEAD + 'g (float[2,3] a, float[2,3] b) => (y, n) { y = Add (a, b)  n = Size (a) }',
    'product': HEAD + 'g (float[8,64] a, float[64,8] b) => (y) { y = MatMul (a, b) }',
    'random': HEAD + 'g (float[3] x) => (y) { r = RandomUniformLike (x)  y = Add (x, r) }',
    'words': HEAD + 'g (string[3] x) => (y) { y = Identity (x) }',
    'weights': HEAD + 'g (float[2] x) => (y) <float[2] w = ["location": "w.bin"]> { y = Mul (x, w) }',
    'default': HEAD + 'g (float[2] x, float[2] w) => (y) <float[2] w = {1, 2}> { y = Mul (x, w) }',
    'lists': HEAD + '''g (float[2] x) => (seq(float[]) s, optional(seq(float[])) o, optional(float[]) n)
{ s = SequenceConstruct (x, x)  o = Optional (s)  n = Optional <type: type_proto = float[]> () }''',
    'takes': HEAD + '''g (seq(float[]) s, optional(seq(float[])) o, optional(float[]) n) => (m, h, t, p)
{ m = SequenceLength (s)  h = OptionalHasElement (n)  t = SequenceAt (s, m0)  p = Identity (o) }'''.replace(
        '=> (m, h, t, p)\n{', '=> (m, h, t, p)\n<int64 m0 = {1}> {'),
    'calls': '<ir_version: 10, opset_import: ["": 22, "here": 1]>\ng (float[3] x) => (y) { y = here.Twist (x) }',
    'celu': HEAD + 'g (float[5] x) => (y) { y = Celu (x) }',
    'types': HEAD + '''types () => (float16[2] half, bfloat16[2] brain, float8e5m2[3] f8, float4e2m1[3] f4, int4[3] i4, uint2[5] u2,
    string[2] s, bool[2] b, complex64[1] c, int64[2] i)
<float[2] x = {0.1, -6}, float[3] y = {1e9, -0.3, 1}, float[3] small = {-1, 6, -4}, float[5] two = {3, 0, 1, 2, 3}> {
    half = Cast <to = 10> (x)  brain = Cast <to = 16> (x)  f8 = Cast <to = 19> (y)  f4 = Cast <to = 23> (small)
    i4 = Cast <to = 22> (small)  u2 = Cast <to = 25> (two)  s = Constant <value = string[2] {"a b", "c"}> ()
    b = Cast <to = 9> (x)  c = Constant <value = complex64[1] {1, -2}> ()  i = Cast <to = 7> (x)
}''',
}
TWIST = '<domain: "here", opset_import: ["": 22]>\nTwist (x) => (y) { y = %s (x) }'
NAN = {'float': ('<I', 0x7fc00000), 'double': ('<Q', 0x7ff8 << 48), 'float16': ('<H', 0x7e00), 'bfloat16': ('<H', 0x7fc0)}


def run(*words, code=0, says=()):
    done = subprocess.run([OCELLUS, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    told = done.stdout + done.stderr
    check(done.returncode == code, *words, 'ends with', done.returncode, 'expected', code, told)
    for text in [says] if isinstance(says, str) else says:
        check(text in told, *words, 'says', told, 'expected', text)
    return done


def passes(*words):
    run('test', *words, says=' 0 failed, 0 skipped')


def fails(says, *words, code=1):
    run('test', *words, code=code, says=says)


def read(name):
    return json.loads(pathlib.Path(name).read_text(encoding='utf-8'))


def write(name, document):
    pathlib.Path(name).write_text(json.dumps(document), encoding='utf-8')


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def npy(name, kind, dims, data):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({''.join(f'{d},' for d in dims)}), }}".ljust(117) + '\n'
    pathlib.Path(name).write_bytes(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data)


def outputs(document):
    return {o['name']: o for o in document['outputs']}


# ---- what is written


def fields():
    """Every field of a record, beside what the command line and the model say."""
    a, b = struct.pack('<6f', *range(6)), struct.pack('<6f', 1, -2, 0.5, math.inf, 1e-40, -0.0)
    npy('a.npy', '<f4', (2, 3), a)
    npy('b.npy', '<f4', (2, 3), b)
    words = ['run', 'sum.onnxtxt', '-i', 'a.npy', '-i', 'b=b.npy', '-q', '--record', 'sum.json', '-o', 'out']
    run(*words)
    got = read('sum.json')
    model = pathlib.Path('sum.onnxtxt').read_bytes()
    y = pathlib.Path('out/y.npy').read_bytes()[-24:]
    check(got['ocellus_run'] == 1 and got['command'] == words and got['products'] in ('fused', 'exact'), 'the document', got)
    check(got['model'] == {'file': 'sum.onnxtxt', 'bytes': len(model), 'sha256': sha256(model)}, 'the model', got['model'])
    check(got['inputs'] == [{'name': n, 'type': 'float', 'dims': [2, 3], 'sha256': sha256(v), 'data': base64.b64encode(v).decode()}
                            for n, v in (('a', a), ('b', b))], 'inputs', got['inputs'])
    check(got['outputs'] == [{'name': 'y', 'type': 'float', 'dims': [2, 3], 'sha256': sha256(y)},
                             {'name': 'n', 'type': 'int64', 'dims': [], 'sha256': sha256(struct.pack('<q', 6))}], 'outputs', got['outputs'])
    check(got['options'] == {'seed': 0, 'op_options': None, 'exact_conv': False, 'exact_quant': False, 'unfused': 'exact', 'expand': None,
                             'standard': False, 'newer': False} and not got['external'] and not got['functions'], 'options', got)
    run('test', 'sum.json', says='pass  sum.json: 2 outputs have the recorded bits\n1 passed, 0 failed, 0 skipped')
    run('run', 'default.onnxtxt', '-i', 'x=[1,2]', '-q', '--record', 'default.json')
    check([i['name'] for i in read('default.json')['inputs']] == ['x'], 'an input with a default is in the model')
    passes('default.json')


def types():
    """The bytes of every form of elements, which are hashed."""
    run('run', 'types.onnxtxt', '--record', 'types.json', '-o', 'types')
    got = outputs(read('types.json'))
    expected = {
        'half': struct.pack('<2e', 0.1, -6), 'brain': struct.pack('<2H', 0x3dcd, 0xc0c0), 'f8': bytes([0x7b, 0xb5, 0x3c]),
        'f4': bytes([0x7a, 0x0e]), 'i4': bytes([0x6f, 0x0c]), 'u2': bytes([0b10010011, 0b11]), 'b': b'\1\1',
        's': struct.pack('<Q3sQ1s', 3, b'a b', 1, b'c'), 'c': struct.pack('<2f', 1, -2), 'i': struct.pack('<2q', 0, -6)}
    for name, data in expected.items():
        check(got[name]['sha256'] == sha256(data), 'the bytes of', name, got[name], sha256(data))
    passes('types.json')
    # the other way: each of them as an input
    codes = {'int4': 'int4[3]', 'uint2': 'uint2[5]', 'float4e2m1': 'float4e2m1[3]', 'complex64': 'complex64[1]', 'bool': 'bool[2]'}
    for name in 'i4', 'u2', 'f4', 'c', 'b':
        kind = codes[got[name]['type']]
        pathlib.Path('one.onnxtxt').write_text(HEAD + f'g ({kind} x) => ({kind} y) {{ y = Identity (x) }}', encoding='utf-8')
        run('run', 'types.onnxtxt', '-o', f'{name}=one.pb')
        run('run', 'one.onnxtxt', '-i', 'x=one.pb', '--record', 'one.json')
        one = read('one.json')
        check(base64.b64decode(one['inputs'][0]['data']) == expected[name] and one['outputs'][0]['sha256'] == got[name]['sha256'],
              'input of', kind, one['inputs'])
        passes('one.json')


def nan():
    """Of NaN neither sign nor payload counts in a hash, because processors differ in them; the recorded elements are as they were."""
    for kind, (form, code) in NAN.items():
        size = struct.calcsize(form)
        quiet, sign = code, 1 << (8 * size - 1)
        data = b''.join(struct.pack(form, c) for c in (quiet | 1, quiet | sign | 3, 0, sign))
        same = b''.join(struct.pack(form, c) for c in (quiet, quiet, 0, sign))
        npy('nan.npy', {'float': '<f4', 'double': '<f8', 'float16': '<f2', 'bfloat16': '<u2'}[kind], (4,), data)
        pathlib.Path('nan.onnxtxt').write_text(HEAD + f'g ({kind}[4] x) => ({kind}[4] y) {{ y = Identity (x) }}', encoding='utf-8')
        run('run', 'nan.onnxtxt', '-i', 'nan.npy', '-q', '--record', 'nan.json')
        got = read('nan.json')
        check(base64.b64decode(got['inputs'][0]['data']) == data, kind, 'bits of an input', got['inputs'])
        check(got['inputs'][0]['sha256'] == got['outputs'][0]['sha256'] == sha256(same), kind, 'one NaN', got)
        passes('nan.json')


def other_values():
    """Strings, sequences, optionals: as outputs, and as inputs."""
    npy('words.npy', '<U4', (3,), ''.join(w.ljust(4, '\0') for w in ('ab', 'ü', 'q"\\n')).encode('utf-32-le'))
    run('run', 'words.onnxtxt', '-i', 'words.npy', '--record', 'words.json')
    check(read('words.json')['inputs'][0]['strings'] == ['ab', 'ü', 'q"\\n'], 'strings', read('words.json'))
    passes('words.json')
    own = read('words.json')
    own['inputs'][0]['strings'] = ['zero\0byte', {'base64': base64.b64encode(b'\xff\xfe').decode()}, '']
    for of in own['inputs'][0], own['outputs'][0]:
        of['sha256'] = sha256(struct.pack('<Q9sQ2sQ', 9, b'zero\0byte', 2, b'\xff\xfe', 0))
    write('own.json', own)
    passes('own.json')
    own['inputs'][0]['strings'][1] = 7
    write('own.json', own)
    fails('inputs[0].strings[1] is neither a text nor an object', 'own.json')

    x = struct.pack('<2f', 3, 4)
    item = b'float[2]\n' + x
    run('run', 'lists.onnxtxt', '-i', 'x=[3,4]', '-o', 'lists', '--record', 'lists.json')
    got = outputs(read('lists.json'))
    expected = {'s': ('seq(float)[2]', b'seq(float)[2]\n' + item + item),
                'o': ('optional(seq(float))', b'optional(seq(float))\nseq(float)[2]\n' + item + item), 'n': ('optional(none)', b'optional(none)\n')}
    for name, (kind, data) in expected.items():
        check(got[name] == {'name': name, 'type': kind, 'sha256': sha256(data)}, 'output', name, got[name])
    passes('lists.json')
    run('run', 'takes.onnxtxt', '-i', 's=lists/s.pb', '-i', 'o=lists/o.pb', '-i', 'n=lists/n.pb', '--record', 'takes.json')
    taken = {i['name']: i for i in read('takes.json')['inputs']}
    tensor = {'type': 'float', 'dims': [2], 'data': base64.b64encode(x).decode()}
    check(taken['s']['items'] == [tensor, tensor] and taken['n']['items'] == [] and taken['s']['sha256'] == got['s']['sha256']
          and taken['o']['items'] == [{'type': 'seq(float)[2]', 'items': [tensor, tensor]}], 'inputs', taken)
    passes('takes.json')
    for change, says in ((lambda d: d['inputs'][1]['items'].append(tensor), 'inputs[1].items has 2, expected one of an optional'),
                         (lambda d: d['inputs'][0]['items'][1].pop('data'), 'inputs[0].items[1].data is missing'),
                         (lambda d: d['inputs'][0].pop('items'), 'inputs[0].items is missing, expected an array'),
                         (lambda d: d['inputs'][0]['items'].pop(), 'inputs[0]: its elements have the sha256')):
        changed = read('takes.json')
        change(changed)
        write('own.json', changed)
        fails(says, 'own.json')


# ---- what is not as recorded


def scripts():
    """A record that a script has written, with no more than the document takes."""
    x = struct.pack('<2f', 5, -7)
    text = pathlib.Path('default.onnxtxt').read_bytes()
    document = {
        'ocellus_run': 1, 'version': 'mine', 'products': 'exact', 'model': {'file': 'default.onnxtxt', 'sha256': sha256(text)},
        'external': [], 'functions': [], 'options': {},
        'inputs': [{'name': 'x', 'type': 'float', 'dims': [2], 'sha256': sha256(x), 'data': base64.b64encode(x).decode()}],
        'outputs': [{'name': 'y', 'type': 'float', 'dims': [2], 'sha256': sha256(struct.pack('<2f', 5, -14))}]}
    write('mine.json', document)
    passes('mine.json')
    document['outputs'][0]['sha256'] = sha256(x)
    write('mine.json', document)
    fails("fail  mine.json: output 'y' (float[2]) has other bits than recorded; Ocellus mine recorded it, this is ", 'mine.json')


def others():
    """Other bits, other dims, another model: each is told by name, in text and as JSON; records and folders together."""
    got = read('sum.json')
    changed = copy.deepcopy(got)
    changed['outputs'][0]['sha256'] = '0' * 64
    write('bits.json', changed)
    done = run('test', 'bits.json', code=1, says="fail  bits.json: output 'y' (float[2,3]) has other bits than recorded\n")
    check('recorded it' not in done.stdout, 'the version is told where it is another one', done.stdout)
    changed['outputs'][1]['sha256'] = '1' * 64
    write('bits.json', changed)
    fails("output 'y' (float[2,3]) has other bits than recorded; 1 more differ", 'bits.json')
    changed = copy.deepcopy(got)
    changed['outputs'][0]['dims'] = [3, 2]
    write('dims.json', changed)
    fails("output 'y' is float[2,3], recorded as float[3,2]", 'dims.json')
    run('run', 'sum.onnxtxt', '-i', 'a.npy', '-i', 'b.npy', '--save-test', 'saved/folder')
    done = run('test', 'sum.json', 'saved', 'bits.json', code=1, says=('pass  sum.json', 'pass  folder', '2 passed, 1 failed, 0 skipped'))
    run('test', 'sum.json', 'saved', 'bits.json', '-q', '--filter', 's*.json', says='1 passed')
    run('test', 'sum.json', '--filter', 'other', code=2, says='it fits no test')
    told = json.loads(run('test', 'sum.json', 'bits.json', '--json', code=1).stdout)
    check([(t['test'], t['state']) for t in told['tests']] == [('sum.json', 'pass'), ('bits.json', 'fail')]
          and 'has other bits' in told['tests'][1]['text'] and told['tests'][0]['operators'] == ['Add', 'Size'], 'JSON', told)
    pathlib.Path('known.txt').write_text('bits.json fail known\n* pass\n', encoding='utf-8')
    run('test', 'sum.json', 'bits.json', '--manifest', 'known.txt', says='1 passed, 0 failed, 1 skipped')
    run('test', 'sum.json', 'none.json', code=3, says='none.json: there is no such folder or recorded run')

    os.makedirs('moved', exist_ok=True)
    write('moved/sum.json', got)
    fails('moved/sum.onnxtxt: there is no such file, expected the model; --model names another', 'moved/sum.json')
    passes('moved/sum.json', '--model', 'sum.onnxtxt')
    run('test', 'saved', '--model', 'sum.onnxtxt', code=2, says='--model is that of recorded runs')
    pathlib.Path('moved/sum.onnxtxt').write_bytes(pathlib.Path('sum.onnxtxt').read_bytes() + b'\n')
    fails(('moved/sum.onnxtxt is another file than the one recorded: sha256 ', 'expected ' + got['model']['sha256']), 'moved/sum.json')
    run('run', 'moved/sum.onnxtxt', '-i', 'a.npy', '-i', 'b.npy', '--record', 'moved.json')
    check(read('moved.json')['model']['file'] == 'moved/sum.onnxtxt', 'a model below the record', read('moved.json')['model'])
    passes('moved.json')
    run('run', 'sum.onnxtxt', '-i', 'a.npy', '-i', 'b.npy', '--record', 'moved/up.json')
    check(read('moved/up.json')['model']['file'] == 'sum.onnxtxt', 'a model above the record', read('moved/up.json')['model'])


def beside():
    """Files with weights and with functions count as the model does."""
    pathlib.Path('w.bin').write_bytes(struct.pack('<2f', 2, 3))
    run('run', 'weights.onnxtxt', '-i', 'x=[1,2]', '--record', 'weights.json')
    got = read('weights.json')
    check(got['external'] == [{'file': 'w.bin', 'bytes': 8, 'sha256': sha256(struct.pack('<2f', 2, 3))}], 'external data', got['external'])
    passes('weights.json')
    pathlib.Path('w.bin').write_bytes(struct.pack('<2f', 2, 4))
    fails('fail  weights.json: w.bin is another file than the one recorded', 'weights.json')
    got['external'] = []
    write('weights.json', got)
    fails("external: there is no 'w.bin', which has weights of the model", 'weights.json')

    pathlib.Path('twist.onnxtxt').write_text(TWIST % 'Neg', encoding='utf-8')
    run('run', 'calls.onnxtxt', '-i', 'x=[1,2,3]', '--functions', 'twist.onnxtxt', '--record', 'calls.json')
    check(read('calls.json')['functions'][0]['file'] == 'twist.onnxtxt', 'functions', read('calls.json'))
    passes('calls.json')
    pathlib.Path('abs.onnxtxt').write_text(TWIST % 'Abs', encoding='utf-8')
    fails("output 'y' (float[3]) has other bits", 'calls.json', '--functions', 'abs.onnxtxt')
    pathlib.Path('twist.onnxtxt').write_text(TWIST % 'Abs', encoding='utf-8')
    fails('twist.onnxtxt is another file than the one recorded', 'calls.json')


def options():
    """Options that change results are those of the record, unless the command line has others, which is told."""
    run('run', 'random.onnxtxt', '-i', 'x=[0,0,0]', '--seed', '7', '--repeat', '2', '--record', 'random.json')
    passes('random.json', '--threads', '1', '--no-fusion', '--no-folding')
    fails("output 'y' (float[3]) has other bits than recorded; --seed: not as recorded", 'random.json', '--seed', '8')
    run('run', 'random.onnxtxt', '-i', 'x=[0,0,0]', '--seed', str(2 ** 63 - 1), '--record', 'random.json')
    check(read('random.json')['options']['seed'] == str(2 ** 63 - 1), 'a seed that JSON has no number for', read('random.json')['options'])
    passes('random.json')
    run('run', 'sum.onnxtxt', '-i', 'a.npy', '-i', 'b.npy', '--exact', '--record', 'exact.json')
    check(read('exact.json')['options']['exact_conv'] and read('exact.json')['options']['exact_quant'], '--exact', read('exact.json')['options'])
    run('run', 'celu.onnxtxt', '-i', 'x=[-1,-2,-0.5,1,0]', '--expand', 'Celu', '--standard', '--record', 'celu.json')
    check(read('celu.json')['options']['expand'] == 'Celu' and read('celu.json')['options']['standard'], '--expand', read('celu.json')['options'])
    passes('celu.json')

    for words in (), ('--unfused', 'fast'):
        run('run', 'product.onnxtxt', '--fill', 'random', '--cpu', 'scalar', *words, '--record', 'product.json')
        passes('product.json')
        passes('product.json', '--unfused', 'exact')
        passes('product.json', '--cpu', 'scalar')
    run('run', 'product.onnxtxt', '--fill', 'random', '--record', 'exact.json')
    fast, exact = read('product.json'), read('exact.json')
    check((fast['outputs'] != exact['outputs']) == (fast['products'] == 'fast'), 'fast sums of products are other bits', fast['products'])
    exact['options']['unfused'] = 'fast'  # as from a machine that fuses, on which the option changes nothing
    write('asked.json', exact)
    passes('asked.json')
    passes('asked.json', '--cpu', 'scalar')


# ---- what is wrong in the document


def malformed():
    """Each error names its place, and each cut of a document is an error."""
    got = read('sum.json')

    def wrong(says, *place, value=None, remove=False):
        changed = copy.deepcopy(got)
        of = changed
        for key in place[:-1]:
            of = of[key]
        if remove:
            del of[place[-1]]
        else:
            of[place[-1]] = value
        write('wrong.json', changed)
        fails(says, 'wrong.json')

    wrong('it is no recorded run', 'ocellus_run', remove=True)
    wrong('ocellus_run is another number, expected 1', 'ocellus_run', value=2)
    wrong('ocellus_run is no number, expected 1', 'ocellus_run', value='1')
    wrong('version is missing, expected a text', 'version', remove=True)
    wrong("products is 'slow', expected fused, exact or fast", 'products', value='slow')
    wrong('model is an array, expected an object', 'model', value=[])
    for name in '../sum.onnxtxt', '/etc/passwd', 'a/../../b', '', 'a//b', './sum.onnxtxt', 'a/..':
        wrong(f"model.file is '{name}', expected the name of a file in the record's folder or below it", 'model', 'file', value=name)
    wrong('model.file has a zero byte', 'model', 'file', value='sum\0.onnxtxt')
    wrong('model.sha256 is not 64 digits', 'model', 'sha256', value='00')
    wrong('model.sha256 is not 64 digits', 'model', 'sha256', value='G' * 64)
    wrong('functions[0].file is \'../f\'', 'functions', value=[{'file': '../f', 'sha256': '0' * 64}])
    wrong('functions[0].file is missing', 'functions', value=[3])
    wrong('options is missing, expected an object', 'options', remove=True)
    wrong('options.speed: there is no such option', 'options', 'speed', value=1)
    wrong('options.threads: there is no such option', 'options', 'threads', value=1)
    wrong('options.exact_conv is no value that the option has', 'options', 'exact_conv', value=1)
    wrong('options.unfused is no value that the option has', 'options', 'unfused', value='slow')
    for seed in -1, 1.5, 2e19, '-1', '7x', '', None, [1]:
        wrong('options.seed is no value that the option has', 'options', 'seed', value=seed)
    wrong('options.seed is \'99999999999999999999\', which is too large', 'options', 'seed', value='9' * 20)
    wrong('options.newer is null, expected true or false', 'options', 'newer', value=None)
    wrong("there is no function body of an operator 'Nothing'", 'options', 'expand', value='Nothing')
    wrong("inputs[0]: the model has no input 'c'", 'inputs', 0, 'name', value='c')
    wrong("inputs[1]: there are two of input 'a'", 'inputs', 1, 'name', value='a')
    wrong("inputs[0].type is 'float12', expected a type of elements", 'inputs', 0, 'type', value='float12')
    wrong('inputs[0].dims[1] is no whole number from 0 to 2^53', 'inputs', 0, 'dims', value=[2, -3])
    wrong('inputs[0].dims has 17 numbers, at most 16', 'inputs', 0, 'dims', value=[1] * 17)
    wrong('inputs[0].data: 24 bytes, expected the 32 of its type and dims', 'inputs', 0, 'dims', value=[2, 4])
    wrong('inputs[0].data: 24 bytes, expected', 'inputs', 0, 'dims', value=[2 ** 50, 2 ** 50])
    wrong('inputs[0].data: 31 characters of base64, expected a multiple of 4', 'inputs', 0, 'data', value=got['inputs'][0]['data'][:-1])
    wrong('inputs[0].data: character 3 is not what base64 has there', 'inputs', 0, 'data', value='AA-' + got['inputs'][0]['data'][3:])
    wrong('inputs[0].data is a number, expected a text', 'inputs', 0, 'data', value=0)
    wrong('inputs[0]: its elements have the sha256', 'inputs', 0, 'data', value='BBBB' + got['inputs'][0]['data'][4:])
    wrong("input 'a'", 'inputs', 0, 'type', value='int32')
    wrong("inputs: there is none of input 'b', which has no default", 'inputs', value=got['inputs'][:1])
    wrong('outputs is empty', 'outputs', value=[])
    wrong("outputs[0]: the model has no output 'z'", 'outputs', 0, 'name', value='z')
    wrong('outputs[1].sha256 is missing', 'outputs', 1, 'sha256', remove=True)

    pathlib.Path('bools.onnxtxt').write_text(HEAD + 'g (bool[2] x) => (y) { y = Not (x) }', encoding='utf-8')
    run('run', 'bools.onnxtxt', '--fill', 'random', '--record', 'bools.json')
    got = read('bools.json')
    wrong('inputs[0].data: element 1 of bool is 2, expected 0 or 1', 'inputs', 0, 'data', value='AAI=')

    text = pathlib.Path('sum.json').read_bytes()
    ends = {*range(0, len(text) - 2, 29), len(text) - 3}
    for end in sorted(ends):
        pathlib.Path('cut.json').write_bytes(text[:end])
        done = subprocess.run([OCELLUS, 'test', 'cut.json'], capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode == 1 and 'fail  cut.json: FORMAT: cut.json: line' in done.stdout, 'cut behind', end, done)
    pathlib.Path('deep.json').write_text('[' * 100000, encoding='utf-8')
    fails('fail  deep.json: LIMIT', 'deep.json')


def caps():
    """Memory is bounded, and the sandbox lets a record and its model through, and nothing else."""
    pathlib.Path('large.onnxtxt').write_text(HEAD + 'g (float[N] x) => (y) { y = Neg (x) }', encoding='utf-8')
    run('run', 'large.onnxtxt', '--fill', 'zeros', '--dim', 'N=3000000', '-q', '--record', 'large.json')
    passes('large.json')
    fails('fail  large.json: LIMIT: large.json: ', 'large.json', '--memory-cap', '8M')
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
    probe = subprocess.run([OCELLUS, 'run', 'celu.onnxtxt', '--fill', 'zeros', '--sandbox'], capture_output=True, text=True, timeout=60, check=False)
    if probe.returncode == 0 and 'Landlock' not in probe.stderr:
        run('run', 'sum.onnxtxt', '-i', 'a.npy', '-i', 'b.npy', '--record', 'moved/boxed.json', '--sandbox')
        passes('moved/boxed.json', '--model', 'sum.onnxtxt', '--sandbox')
        passes('sum.json', 'saved', '--sandbox')
        os.makedirs('below', exist_ok=True)
        os.symlink(os.path.abspath('sum.onnxtxt'), 'below/sum.onnxtxt')
        write('below/sum.json', read('sum.json'))
        fails('Permission denied', 'below/sum.json', '--sandbox')


# ---- predict


def photographs():
    """Of predict the network's own run is recorded, on the photograph as it was prepared: as `run` records it."""
    pathlib.Path('net.onnxtxt').write_text(NETWORK % PROPERTIES, encoding='utf-8')
    pathlib.Path('red.ppm').write_bytes(ppm(RED))
    pathlib.Path('blue.ppm').write_bytes(ppm((0, 0, 200)))
    words = ['predict', 'net.onnxtxt', 'red.ppm', '--record', 'found.json']
    plain, done = run(*words[:3]), run(*words)
    check(plain.stdout == done.stdout, 'the answer with a record', done.stdout)
    got = read('found.json')
    check(got['command'] == words and [i['name'] for i in got['inputs']] == ['images'] and got['inputs'][0]['dims'] == [1, 3, 64, 64]
          and [o['name'] for o in got['outputs']] == ['output0'] and got['outputs'][0]['dims'] == [1, 6, 84], 'the record', got['outputs'])
    passes('found.json')
    run('run', 'net.onnxtxt', '-i', 'red.ppm', '--preset', 'yolo', '-q', '--record', 'same.json')
    same = read('same.json')
    check(same['inputs'] == got['inputs'] and same['outputs'] == got['outputs'], 'run and predict give the network the same')

    pathlib.Path('two.onnxtxt').write_text(TWO, encoding='utf-8')
    for side in 'left', 'right':
        os.makedirs(side, exist_ok=True)
    pathlib.Path('left/p.ppm').write_bytes(ppm(RED))
    pathlib.Path('right/p.ppm').write_bytes(ppm((0, 0, 200)))
    for pair in ('left/p.ppm', 'x2=right/p.ppm'), ('left', 'x2=right'):
        run('predict', 'two.onnxtxt', pair[0], '-i', pair[1], '--as', 'flow', '--preset', 'stretch', '--record', 'two.json')
        got = {i['name']: i['sha256'] for i in read('two.json')['inputs']}
        check(sorted(got) == ['x', 'x2'] and got['x'] != got['x2'], 'two photographs', got)
        passes('two.json')

    sized = (NETWORK % PROPERTIES).replace('64] images)', '64] images, int64[1,2] orig_target_sizes, float[2] w)').replace(
        'means =', 'same = Identity (orig_target_sizes)  other = Identity (w)  means =').replace(
        'output0)\n', 'output0, int64[1,2] same, float[2] other)\n', 1)
    pathlib.Path('sized.onnxtxt').write_text(sized, encoding='utf-8')
    run('predict', 'sized.onnxtxt', 'red.ppm', '--as', 'yolov8', '-i', 'w=[1,2]', '--record', 'sized.json')
    got = {i['name']: i for i in read('sized.json')['inputs']}
    check(base64.b64decode(got['orig_target_sizes']['data']) == struct.pack('<2q', 64, 64)
          and got['w']['sha256'] == sha256(struct.pack('<2f', 1, 2)), 'inputs beside the photograph', got.keys())
    passes('sized.json')

    many = (NETWORK % PROPERTIES).replace('[1,3,64,64]', '[2,3,64,64]').replace('[1,6,84]', '[2,6,84]').replace(
        'float[1,4,1] box = {32, 24, 32, 16}', 'float[2,4,1] box = {32, 24, 32, 16, 32, 24, 32, 16}')
    pathlib.Path('many.onnxtxt').write_text(many, encoding='utf-8')
    run('predict', 'many.onnxtxt', 'red.ppm', '--record', 'many.json')
    check(read('many.json')['inputs'][0]['dims'] == [2, 3, 64, 64], 'a network that takes two at a time', read('many.json')['inputs'][0]['dims'])
    passes('many.json')

    # the network with its decoder takes what the decoder asks for
    run('predict', 'net.onnxtxt', '--save', 'whole.onnx', '--as', 'yolov8')
    run('predict', 'whole.onnx', 'red.ppm', '--record', 'whole.json')
    check(len(read('whole.json')['inputs']) > 1, 'inputs of a decoder inside', [i['name'] for i in read('whole.json')['inputs']])
    passes('whole.json')

    run('predict', 'net.onnxtxt', 'red.ppm', 'blue.ppm', '--record', 'no.json', code=2, says='the run of one photograph, and there are 2')
    run('predict', 'net.onnxtxt', '-', '--record', 'no.json', code=2, says='--record records the run of one photograph, expected a file')
    pathlib.Path('text.jpg').write_text('no picture', encoding='utf-8')
    run('predict', 'net.onnxtxt', 'text.jpg', '--record', 'no.json', code=3)
    check(not os.path.exists('no.json'), 'a record of nothing')


def refused():
    """Nothing is written where no run can be recorded."""
    run('run', 'sum.onnxtxt', '--fill', 'zeros', '--record', 'sum.onnxtxt', code=2, says='expected a name that ends with .json')
    run('run', '-', '--fill', 'zeros', '--record', 'no.json', code=2, says='a model on standard input is no file')
    run('run', 'celu.onnxtxt', '-i', 'x=[1,2]', '--record', 'no.json', code=3)
    run('run', 'sum.onnxtxt', '--fill', 'zeros', '--record', 'nowhere/no.json', code=3, says='nowhere/no.json')
    check(not os.path.exists('no.json') and not list(pathlib.Path('.').glob('*.part')), 'a file of a run that failed')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in MODELS.items():
        pathlib.Path(f'{name}.onnxtxt').write_text(text, encoding='utf-8')
    for part in fields, types, nan, other_values, scripts, others, beside, options, malformed, caps, photographs, refused:
        part()
    os.chdir('/')
finish()
