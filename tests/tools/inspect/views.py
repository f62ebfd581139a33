# SPDX-License-Identifier: Apache-2.0
"""views.py OCELLUS - what ocellus inspect tells of nodes, shapes, weights, multiply-accumulates and metadata, as text and as
JSON; what dot of Graphviz takes, where it is installed; how long a large model takes."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import resnet

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])


def run(code, *words):
    done = subprocess.run([OCELLUS, 'inspect', *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    check(done.returncode == code, words, 'exit code', done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def document(*words):
    return json.loads(run(0, *words, '--json')[0])


def write(name, text):
    pathlib.Path(name).write_text(text, encoding='utf-8')
    return name


# ---- multiply-accumulates

def macs_of(inputs, node, opset=23):
    """The number of a model of one node, as JSON tells it; None: it is not known."""
    write('one.onnxtxt', f'<ir_version: 10, opset_import: ["" : {opset}]>\ng ({inputs}) => (y) {{ {node} }}\n')
    rows = document('one.onnxtxt', '--macs')['macs']
    check(len(rows) == 1, node, rows)
    return rows[0]['macs']


def rules():
    """Each number is worked out by hand from the operator's definition."""
    for want, inputs, node in (
            (2 * 8 * 5 * 5 * (4 * 3 * 3), 'float[2,4,5,5] x, float[8,4,3,3] w', 'y = Conv <pads = [1, 1, 1, 1]> (x, w)'),
            (4 * 5 * 5 * (1 * 3 * 3), 'float[1,4,5,5] x, float[4,1,3,3] w', 'y = Conv <group = 4, pads = [1, 1, 1, 1]> (x, w)'),
            (6 * 3 * 3 * (6 * 1 * 2), 'uint8[1,6,3,4] x, uint8[6,6,1,2] w', 'y = ConvInteger (x, w)'),
            (2 * 4 * 3 * 3 * (5 * 2 * 2), 'float[2,4,3,3] x, float[4,5,2,2] w', 'y = ConvTranspose <strides = [2, 2]> (x, w)'),
            (5 * 3 * 7 * 4, 'float[5,3,4] a, float[5,4,7] b', 'y = MatMul (a, b)'),
            (5 * 3 * 4, 'float[5,3,4] a, float[4] b', 'y = MatMul (a, b)'),
            (9, 'float[9] a, float[9] b', 'y = MatMul (a, b)'),
            (3 * 7 * 4, 'float[4,3] a, float[7,4] b', 'y = Gemm <transA = 1, transB = 1> (a, b)'),
            (2 * 8 * 6 * 9 * (16 + 12), 'float[2,8,6,16] q, float[2,8,9,16] k, float[2,8,9,12] v', 'y = Attention (q, k, v)'),
            (2 * 8 * 6 * (4 + 9) * (16 + 16),
             'float[2,8,6,16] q, float[2,8,9,16] k, float[2,8,9,16] v, float[2,8,4,16] pk, float[2,8,4,16] pv',
             'y, nk, nv = Attention (q, k, v, , pk, pv)'),
            (5 * 2 * (4 * 6 * 3 + 4 * 6 * 6), 'float[5,2,3] x, float[1,24,3] w, float[1,24,6] r',
             'y = LSTM <hidden_size = 6> (x, w, r)'),
            (3 * 4 * 5 * 6, 'float[3,4,5] a, float[3,5,6] b', 'y = Einsum <equation = "bij, bjk -> bik"> (a, b)'),
            (None, 'float[N,4] a, float[4,7] b', 'y = MatMul (a, b)'),
            (None, 'float[1,4,H,5] x, float[8,4,3,3] w', 'y = Conv (x, w)'),
            (None, 'float[3,4,5] a, float[3,5,6] b', 'y = Einsum <equation = "...ij,...jk"> (a, b)')):
        got = macs_of(inputs, node)
        check(got == want, node, 'takes', got, 'expected', want)
    write('inner.onnxtxt', '<ir_version: 10, opset_import: ["" : 20]>\ng (bool c, float[3,4] a, float[4,5] b) => (y)\n'
          '{ y = If <then_branch = t () => (float[3,5] p) { p = MatMul (a, b) }, else_branch = e () => (float[3,5] q)'
          ' { q = Add (a, a) }> (c) }\n')
    got = document('inner.onnxtxt', '--macs')
    check((got['total'], got['within'], got['complete']) == (0, 60, True), got)
    check('60         in graphs within nodes' in run(0, 'inner.onnxtxt', '--macs')[0])
    write('own.onnxtxt', '<ir_version: 10, opset_import: ["" : 20, "m" : 1]>\ng (float[2,2] x) => (y) { y = m.MatMul (x, x) }\n'
          '<domain: "m", opset_import: ["" : 20]>\nMatMul (a, b) => (c) { c = Add (a, b) }\n')
    check(document('own.onnxtxt', '--macs')['unknown'] == 1, 'a function of the model is no product')


def counts_of_resnet():
    write('resnet18.onnxtxt', resnet.resnet18())
    got = document('resnet18.onnxtxt', '--macs', '--dim', 'N=1')
    check(got['total'] == resnet.TOTAL and got['complete'] and len(got['macs']) == 21, got)
    by_name = {row['node']: row['macs'] for row in got['macs']}
    check(by_name['conv1'] == resnet.CONV1 and by_name['fc'] == 512000, by_name)
    check(document('resnet18.onnxtxt', '--macs', '--dim', 'N=4')['total'] == 4 * resnet.TOTAL, 'a batch of 4')
    out = run(0, 'resnet18.onnxtxt', '--macs', '--dim', 'N=1')[0]
    check('1814073344         in all' in out, out)
    got = document('resnet18.onnxtxt', '--macs')
    check(got['total'] == 0 and got['unknown'] == 21 and not got['complete'], 'without --dim N')
    out = run(0, 'resnet18.onnxtxt', '--macs')[0]
    check('unknown' in out and '21 nodes are unknown' in out, out)


# ---- the other views

MODEL = '''<ir_version: 8, opset_import: ["" : 17], metadata_props: ["author": "nobody", "line": "a\\nb"]>
g (bool c, float[N,3,8,8] x) => (y, float[2] z) <float[4,3,3,3] w = ["location": "w.bin"], int64[2] s = {0, -1},
 sparse_tensor(float[5]) p = float[1] {2} at int64[1] {3}>
{
    [first] a = Conv <pads = [1, 1, 1, 1], auto_pad = "NOTSET"> (x, w)
    b = Reshape (a, s)
    z = Constant <value_floats = [1.0, 2.0]> ()
    y = If <then_branch = t () => (float[2] k) { k = Relu (z) }, else_branch = e () => (float[2] k) { k = Neg (z) }> (c)
}
'''


def views():
    pathlib.Path('w.bin').write_bytes(bytes(432))
    write('m.onnxtxt', MODEL)
    nodes = document('m.onnxtxt', '--nodes')['nodes']
    check([n['op_type'] for n in nodes] == ['Conv', 'Reshape', 'Constant', 'If', 'Relu', 'Neg'], nodes)
    check(nodes[0]['inputs'] == ['x', 'w'] and nodes[0]['outputs'] == ['a'] and nodes[0]['runs_as'] == 'native', nodes[0])
    check(nodes[0]['attributes'][0] == {'name': 'pads', 'kind': 'ints', 'text': 'pads: ints = [1, 1, 1, 1]'}, nodes[0])
    check((nodes[5]['depth'], nodes[5]['parent'], nodes[5]['graph']) == (1, 3, 'else_branch'), nodes[5])
    out = run(0, 'm.onnxtxt', '--nodes')[0]
    check("'first' (x, w) -> (a)  <pads: ints = [1, 1, 1, 1], auto_pad: string = \"NOTSET\">" in out, out)

    shapes = {v['name']: v for v in document('m.onnxtxt', '--shapes', '--dim', 'N=2')['values']}
    check(shapes['a']['shape'] == [2, 4, 8, 8] and shapes['b']['shape'] == [2, 256] and shapes['b']['known'], shapes)
    check(shapes['x']['shape'] == [2, 3, 8, 8] and shapes['z']['shape'] == [2], shapes)
    got = document('m.onnxtxt', '--shapes')
    shapes = {v['name']: v for v in got['values']}
    check(shapes['a']['shape'] == ['N', 4, 8, 8] and not shapes['a']['known'] and shapes['b']['shape'] == ['N', 256], shapes)
    out = run(0, 'm.onnxtxt', '--shapes')[0]
    check('float[N,3,8,8]' in out and '--dim NAME=N gives a symbol' in out, out)

    got = document('m.onnxtxt', '--weights')
    check((got['n_weights'], got['bytes'], got['n_external']) == (3, 432 + 16 + 4 + 8, 1), got)
    check(got['weights'][0]['shape'] == [4, 3, 3, 3] and got['weights'][0]['external'] and got['weights'][2]['sparse'], got)
    check('432  w ' in run(0, 'm.onnxtxt', '--weights')[0])

    check(document('m.onnxtxt', '--metadata')['metadata'][0] == {'key': 'author', 'value': 'nobody'})
    check(run(0, 'm.onnxtxt', '--metadata')[0] == 'author: nobody\nline: a\\x0ab\n')
    check(run(0, write('bare.onnxtxt', '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (y) { y = Neg (x) }'),
              '--metadata')[0] == 'no metadata\n')


# A convolution with 16 channels and more runs in NCHW16c, a softmax along channels in NCHW.
LAYOUTS = '''<ir_version: 8, opset_import: ["" : 17]>
g (float[1,16,20,20] x) => (float[1,32,18,18] z) <int64[4] dims = {32, 16, 3, 3}>
{
    w = ConstantOfShape <value = float {0.01}> (dims)
    [first] a = Conv (x, w)
    [relu] b = Relu (a)
    [soft] z = Softmax <axis = 1> (b)
}
'''


def layouts():
    """What converts a value from one layout to the other is shown as nodes are."""
    write('layouts.onnxtxt', LAYOUTS)
    ran = ['ToNCHW16c', 'Conv in Relu', 'Conv+Relu', 'ToNCHW', 'Softmax']
    steps = document('layouts.onnxtxt', '--plan')['steps']
    check([(s['op_type'], s['folded']) for s in steps if s['op_type'] != 'Softmax'] ==
          [('ConstantOfShape', True), ('ToNCHW16c', False), ('Conv', False), ('Relu', False), ('ToNCHW', False)], steps)
    check([s['layout'] for s in steps[1:]] == ['NCHW16c'] * 3 + ['NCHW'] * 2, steps)
    check((steps[2]['fused_into'], steps[3]['group']) == ('Relu', 'Conv+Relu'), steps)
    out = run(0, 'layouts.onnxtxt', '--plan')[0].splitlines()
    check('(computed already)' in out[1] and [line[8:40].rstrip() for line in out[2:]] == ran, out)

    out = run(0, 'layouts.onnxtxt', '--plan', '--passes')[0].splitlines()
    changes = {line.split(':')[0]: [] for line in out if line[0] != ' '}
    for line in out:
        if line[0] == ' ':
            changes[name].append(line.strip())
        else:
            name = line.split(':')[0]
    names = list(changes)[1:]
    source = (pathlib.Path(__file__).resolve().parents[3] / 'src' / 'plan' / 'make_plan.c').read_text()
    check(names == re.findall(r'^    {"(\w+)", oc_plan_', source.split('oc_step_passes[]')[0], re.M) and 'stages' in names, out)
    check([line[:4] for line in changes['groups']] == ['- Co', '- Re', '+ Co', '+ Co'], changes['groups'])
    check(any('computed already' in line for line in changes['walk']), changes['walk'])
    check(sum('ToNCHW' in line for line in changes['layouts']) == 2, changes['layouts'])
    told = document('layouts.onnxtxt', '--plan', '--passes')['passes']
    check([p['pass'] for p in told[1:]] == names and told[-1]['steps'] == steps, told)

    def command(*words):
        return subprocess.run([OCELLUS, *words], text=True, capture_output=True, check=True).stdout

    told = json.loads(command('run', 'layouts.onnxtxt', '--fill', 'random', '--profile', '--trace', 'trace.json', '--json'))
    check({'ToNCHW16c', 'ToNCHW'} <= {p['operator'] for p in told['profile']}, told['profile'])
    out = command('run', 'layouts.onnxtxt', '--fill', 'random', '--profile')
    check(all(name in out for name in ran), out)
    events = json.loads(pathlib.Path('trace.json').read_text())['traceEvents']
    check([e['name'] for e in events if e.get('cat') in ('node', 'fused')][1:] == ['ToNCHW16c', 'Conv', 'Conv+Relu', 'ToNCHW', 'Softmax'], events)
    told = json.loads(command('bench', 'layouts.onnxtxt', '--fill', 'random', '--runs', '2', '--roofline', '--all', '--json'))
    nodes = {n['operator']: n for n in told['roofline']['nodes']}
    check(nodes['ToNCHW']['bytes'] > 0 and nodes['ToNCHW16c']['bound'] == 'memory', nodes)


def mistakes():
    for words, about in (
            (['--nodes', '--macs'], 'expected one of --nodes'), (['--dot', '--json'], 'do not go with --json'),
            (['--fill', 'zeros'], '-i and --fill go with --html'), (['--dim', 'N=2'], '--dim goes with --shapes'),
            (['--plan', '--dim', 'N=2'], '--dim goes with --shapes'), (['--passes', '--nodes'], '--passes goes with --plan'),
            (['--shapes', '--dim', 'M=2'], 'no input has such a dimension'), (['--shapes', '--dim', 'N'], 'expected NAME=N')):
        err = run(2, 'm.onnxtxt', *words)[1]
        check(about in err, words, err)
    check('error' in json.loads(run(2, 'm.onnxtxt', '--nodes', '--macs', '--json')[0]))
    err = run(3, 'm.onnxtxt', '--html', 'no/such/page.html')[1]
    check('no/such/page.html' in err, err)
    check('error' in json.loads(run(2, 'm.onnxtxt', '--shapes', '--dim', 'M=2', '--json')[0]))
    check('memory' in run(5, 'm.onnxtxt', '--nodes', '--memory-cap', '4K')[1])


def weights_among_inputs():
    """Before IR version 4 every initializer had to be an input."""
    count = 200
    inputs = ', '.join(f'float[1] w{i} = {{1}}' for i in range(count))
    write('old.onnxtxt', f'<ir_version: 3, opset_import: ["" : 9]>\ng (float[1] x, {inputs}) => (y) {{ y = Add (x, w7) }}\n')
    out = run(0, 'old.onnxtxt')[0]
    check(f'and {count} that initializers give values' in out and 'w12' not in out and 'float[1]' in out, out)
    check(len(document('old.onnxtxt')['inputs']) == count + 1)
    check([v['name'] for v in document('old.onnxtxt', '--shapes')['values']] == ['x', 'y'])
    check(run(0, 'old.onnxtxt', '--dot')[0].count('ellipse') == 2, 'x and y alone are drawn')


CONSTANTS = '''<ir_version: 8, opset_import: ["" : 17]>
g (float[1,2] x) => (float[1,3] y, float[3] z)
{
    w = Constant <value = float[2,3] {1, 2, 3, 4, 5, 6}> ()
    q = Constant <value = int8[2] {1, 2}> ()
    shape = Constant <value = int64[2] {1, 3}> ()
    one = Constant <value = float[1] {1}> ()
    list = Constant <value_floats = [1.0, 2.0]> ()
    z = Constant <value = float[3] {1, 2, 3}> ()
    far = Constant <value = int64[64] {%s}> ()
    a = MatMul (x, w)
    b = Reshape (a, shape)
    y = Mul (b, one)
}
''' % ', '.join(map(str, range(64)))


def weights_in_constants():
    """Paddle writes weights as Constants; small integers and single numbers are none."""
    write('paddle.onnxtxt', CONSTANTS)
    out = run(0, 'paddle.onnxtxt')[0]
    check('10 nodes, 0 functions, 0 initializers and 4 Constants with 75 parameters' in out, out)
    got = document('paddle.onnxtxt')
    check((got['initializers'], got['constants'], got['lost'], got['parameters']) == (0, 4, 0, 6 + 2 + 3 + 64), got)
    got = document('paddle.onnxtxt', '--weights')
    check([(w['name'], w['bytes'], w['constant']) for w in got['weights']] ==
          [('w', 24, True), ('q', 2, True), ('z', 12, True), ('far', 512, True)], got)
    check('24  w                                float[2,3]  of a Constant' in run(0, 'paddle.onnxtxt', '--weights')[0])
    text = run(0, 'paddle.onnxtxt', '--dot')[0]  # z is an output; what weights are has no box
    boxes = re.findall(r'^b\d+ \[label="([^"\\]*)', text, re.M)
    check(sorted(boxes) == ['Constant'] * 4 + ['MatMul', 'Mul', 'Reshape', 'x', 'y', 'z'], boxes)


LOST = '''<ir_version: 8, opset_import: ["" : 17]>
g ({doc_string: "a row"} float[N,2] x, float[2] d = ["location": "gone.bin", "offset": 80]) => (y, t)
<float[2,3] w = ["location": "gone.bin"], int64[2] s = ["location": "sub/gone.bin"], float[3] here = {1, 2, 3}>
{ a = Add (x, d) b = MatMul (a, w) y = Add (b, here) t = Reshape (b, s) }
'''


def data_that_are_lost():
    """Weights whose external data are missing: the model is shown, and a remark tells of them."""
    write('lost.onnxtxt', LOST)
    out, err = run(0, 'lost.onnxtxt')
    remark = "the elements of 3 initializers cannot be read, the first: external data 'gone.bin': No such file or directory"
    check('4 nodes, 0 functions, 4 initializers with 13 parameters' in out and remark in out and not err, out, err)
    check(re.search(r'inputs:\n +x +float\[N,2\]\noutputs:', out), out)
    got = document('lost.onnxtxt')
    check([i['name'] for i in got['inputs']] == ['x'] and got['inputs'][0]['description'] == 'a row', got['inputs'])
    check(got['lost'] == 3 and got['initializers'] == 4 and got['remarks'] == [remark] and not got['problems'], got)
    weights = {w['name']: w for w in document('lost.onnxtxt', '--weights')['weights']}
    check({name for name in weights if weights[name]['lost']} == {'d', 'w', 's'} and weights['w']['bytes'] == 24, weights)
    out, err = run(0, 'lost.onnxtxt', '--weights')
    check('24  w                                float[2,3]  in another file, which cannot be read' in out, out)
    check('lost.onnxtxt: the elements of 3 initializers cannot be read' in err, err)
    shapes = {v['name']: v for v in document('lost.onnxtxt', '--shapes', '--dim', 'N=5')['values']}
    check(shapes.keys() == {'x', 'a', 'b', 'y', 't'} and shapes['y']['shape'] == [5, 3] and not shapes['t']['known'], shapes)
    check(document('lost.onnxtxt', '--macs', '--dim', 'N=5')['total'] == 5 * 2 * 3)
    for words in ['--nodes'], ['--plan'], ['--dot'], ['--html', 'lost.html'], ['--build'], ['--sandbox']:
        if words != ['--sandbox'] or 'ASAN_OPTIONS' not in os.environ:
            run(0, 'lost.onnxtxt', *words)
    check('digraph' in run(0, 'lost.onnxtxt', '--dot')[0] and run(0, 'lost.onnxtxt', '--dot')[0].count('ellipse') == 3)
    check('cannot be read' in run(3, 'lost.onnxtxt', '--html', 'no.html', '--fill', 'zeros')[1] and not os.path.exists('no.html'))
    done = subprocess.run([OCELLUS, 'run', 'lost.onnxtxt', '--fill', 'zeros'], capture_output=True, text=True, check=False)
    check(done.returncode == 3 and "external data 'gone.bin': No such file" in done.stderr, 'run needs them', done.stderr)
    pathlib.Path('gone.bin').write_bytes(bytes(24))
    check("external data 'gone.bin': the offset lies past the end" in run(0, 'lost.onnxtxt')[0], 'a part of a file')
    os.remove('gone.bin')
    done = subprocess.run([OCELLUS, 'inspect', '-'], input=LOST, capture_output=True, text=True, check=False)
    check(done.returncode == 0 and 'it is refused for a model that comes from no folder' in done.stdout, done.stdout, done.stderr)


# ---- dot

HOSTILE = r'\" ] ; <b>&amp;\\N -> b1 [label=\"\x1b[31m\nend'


def dot():
    write('names.onnxtxt', '<ir_version: 8, opset_import: ["" : 17]>\n'
          f'"{HOSTILE}g" (float[2] "{HOSTILE}x") => (float[2] "{HOSTILE}y")\n'
          f'{{ ["{HOSTILE}n"] "{HOSTILE}t" = Neg ("{HOSTILE}x") "{HOSTILE}y" = Exp ("{HOSTILE}t") }}\n')
    for model, boxes, lines, clusters in (('names.onnxtxt', 4, 3, 0), ('m.onnxtxt', 12, 8, 2)):
        text = run(0, model, '--dot')[0]
        check('\x1b' not in text and text.startswith('digraph model {') and text.endswith('}\n'), text)
        check(len(re.findall(r'^b\d+ \[', text, re.M)) == boxes, model, text)
        check(len(re.findall(r'^b\d+ -> b\d+ \[', text, re.M)) == lines, model, text)
        check(len(re.findall('^subgraph', text, re.M)) == clusters, model, text)
        if not shutil.which('dot'):
            continue
        done = subprocess.run(['dot', '-Tjson'], input=text, capture_output=True, text=True, check=False)
        check(done.returncode == 0 and not done.stderr, model, 'dot:', done.stderr)
        drawn = json.loads(done.stdout)
        nodes = [o for o in drawn['objects'] if 'nodes' not in o]
        check(len(nodes) == boxes and len(drawn['edges']) == lines, model, len(nodes), len(drawn['edges']))
    if not shutil.which('dot'):
        print('dot of Graphviz is not installed: what --dot writes was not drawn')


# ---- large models

def large():
    count = 100000
    nodes = '\n'.join(f'v{i + 1} = Add (v{i}, v{i * 7 // 8})' for i in range(count))
    write('large.onnxtxt', f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] v0) => (float[2] v{count}) {{\n{nodes}\n}}\n')
    for view in ['--nodes'], ['--shapes'], ['--macs'], ['--dot'], ['--html', 'large.html']:
        start = time.monotonic()
        run(0, 'large.onnxtxt', *view)
        took = time.monotonic() - start
        print(f'{count} nodes, {view[0]}: {took:.1f} s')
        check(took < 60, view, 'took', took)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rules()
    counts_of_resnet()
    views()
    layouts()
    mistakes()
    weights_among_inputs()
    weights_in_constants()
    data_that_are_lost()
    dot()
    large()
    os.chdir('/')
finish()
