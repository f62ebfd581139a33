# SPDX-License-Identifier: Apache-2.0
"""measured.py OCELLUS - what bench and --trace tell of time: percentiles, rates, a sweep, totals of operators, and trace
events that lie within each other and add up."""
import json
import os
import subprocess
import sys
import tempfile

from checks import check, finish

ocellus = os.path.abspath(sys.argv[1])

MODELS = {
    'warp': """<ir_version: 9, opset_import: ["" : 20]>
warp (float[N,3,H,W] x, float[N,2,3] theta) => (float[N,3,H,W] y)
{
    size = Shape (x)
    [grid] grid = AffineGrid (theta, size)
    [sample] y = GridSample (x, grid)
}
""",
    'loop': """<ir_version: 8, opset_import: ["" : 17]>
loop (float[40,40] x) => (float[40,40] y) <int64 n = {5}, bool true = {1}>
{
    [first] a = Exp (x)
    [outer] y = Loop (n, true, a) <body = b (int64 i, bool more, float[40,40] s) => (bool again, float[40,40] t)
    {
        again = Identity (more)
        [product] p = MatMul (s, s)
        [inner] t = If (more) <then_branch = yes () => (v) { [within] v = Tanh (p) },
            else_branch = no () => (v) { v = Identity (p) }>
    }>
}
""",
    'free': """<ir_version: 8, opset_import: ["" : 17]>
free (float[batch,8] x, float[?,8] w, float[2,8] fixed) => (float[batch,8] y)
{ s = Add (x, w) y = Neg (s) }
""",
    'unnamed': """<ir_version: 8, opset_import: ["" : 17]>
unnamed (float[?,8] x, float[?,8] w) => (float[?,8] y) { y = Add (x, w) }
""",
    'fixed': """<ir_version: 8, opset_import: ["" : 17]>
fixed (float[1,8] x) => (float[1,8] y) { y = Neg (x) }
""",
    'group': """<ir_version: 8, opset_import: ["" : 17]>
group (float[4,6] x) => (float[4,5] y) <float[6,5] w = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, float[5] k = {1, 2, 3, 4, 5}, int64[1] axes = {0}>
{
    p = MatMul (x, w)
    row = Unsqueeze (k, axes)
    s = Add (p, row)
    [last] y = Relu (s)
}
""",
    'branches': f"""<ir_version: 8, opset_import: ["" : 17]>
branches (float[4,6] x) => (float[4,6] y) <float[6,6] w = {{{', '.join(map(str, range(36)))}}}>
{{
    beside = MatMul (x, w)
    a = MatMul (x, w)
    [first] b = Relu (a)
    [alone] c = MatMul (b, w)
    s = Add (beside, c)
    [last] y = Relu (s)
}}
""",
    'bad': """<ir_version: 8, opset_import: ["" : 17]>
bad (float[2] x, int64[1] k) => (float[1] y) { t = Neg (x) y = Gather (t, k) }
""",
}


def wants(code, text, *words):
    environment = dict(os.environ)
    if '--sandbox' in words:  # what looks for leaks at the end starts a process, which the sandbox refuses
        environment['ASAN_OPTIONS'] = environment.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
    done = subprocess.run([ocellus, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          check=False, env=environment)
    check(done.returncode == code and text in done.stderr + done.stdout,
          f'{" ".join(words)}: exit code {done.returncode}, expected {code} and "{text}"\n{done.stdout}{done.stderr}')
    return done.stdout


# ---- traces


def load(path):
    with open(path, encoding='utf-8') as f:
        return [e for e in json.load(f)['traceEvents'] if e['ph'] == 'X']


def ends(event):
    return event['ts'] + event['dur']


def check_nesting(events, name):
    """Each event lies within the one around it, at its depth, and those within one take no longer than it."""
    around = []
    inside = {}
    slack = 1e-3  # a nanosecond: times are differences of doubles
    for e in sorted(events, key=lambda e: (e['ts'], -e['dur'])):
        while around and e['ts'] >= ends(around[-1]) - slack / 2:
            around.pop()
        check(not around or ends(e) <= ends(around[-1]) + slack, f'{name}: {e} leaves {around[-1:]}')
        depth = len(around)
        if e['cat'] == 'run':
            check(depth == 0, f'{name}: a run within {around}')
        else:
            check(depth == e['args']['depth'] + 1, f'{name}: {depth} events around {e}')
            inside.setdefault(id(around[-1]) if around else 0, []).append((e, around[-1]))
            check(0 <= e['args']['nanoseconds'] <= 1e3 * (e['dur'] + slack), f'{name}: {e} is shorter than its work')
        around.append(e)
    for pairs in inside.values():
        total = sum(e['dur'] for e, _ in pairs)
        check(total <= pairs[0][1]['dur'] + slack * len(pairs), f'{name}: {total} us within {pairs[0][1]}')


def traces():
    fill = ['--fill', 'random', '--threads', '1']
    told = json.loads(wants(0, '', 'run', 'loop.onnxtxt', *fill, '--trace', 'loop.json', '--repeat', '3', '--json'))
    events = load('loop.json')
    check_nesting(events, 'loop')
    runs = [e for e in events if e['cat'] == 'run']
    nodes = [e for e in events if e['cat'] != 'run']
    check([e['name'] for e in runs] == ['run 0', 'run 1', 'run 2'], f'runs are {runs}')
    check(len(nodes) == 3 * told['nodes'] == 3 * 22, f'{len(nodes)} events of {told["nodes"]} nodes')
    check(min(e['dur'] for e in runs) <= 1e6 * told['seconds'], 'a run in the trace is longer than the run')
    within = [e for e in nodes if e['args']['node'] == 'within']
    check(len(within) == 15 and all(e['args']['depth'] == 2 and e['name'] == 'Tanh' for e in within), f'{within}')
    check(within[0]['args']['inputs'] == ['float[40,40]'] and within[0]['args']['outputs'] == ['float[40,40]'],
          f'shapes of {within[0]}')
    sizes = ['--dim', 'N=2', '--dim', 'H=9', '--dim', 'W=7']
    wants(0, '', 'run', 'warp.onnxtxt', *fill, *sizes, '--trace', 'warp.json')
    events = load('warp.json')
    check_nesting(events, 'warp')
    grid = next(e for e in events if e['name'] == 'AffineGrid')
    check(grid['cat'] == 'fused' and grid['args']['fused_into'] == 'GridSample', f'not fused: {grid}')
    wants(0, '', 'run', 'warp.onnxtxt', *fill, *sizes, '--trace', 'apart.json', '--no-fusion', '--sandbox')
    check(not any('fused_into' in e.get('args', {}) for e in load('apart.json')), 'fused with --no-fusion')
    wants(0, 'median', 'bench', 'loop.onnxtxt', *fill, '--runs', '2', '--trace', 'bench.json', '--sandbox')
    events = load('bench.json')
    check_nesting(events, 'bench')
    check(sum(e['cat'] == 'run' for e in events) == 1 and len(events) == 23, f'bench traces {len(events)} events')
    # Where there is no trace, nothing stays behind.
    wants(3, 'nowhere/t.json: ', 'run', 'loop.onnxtxt', *fill, '--trace', 'nowhere/t.json')
    wants(2, '--trace -: expected a file', 'run', 'loop.onnxtxt', *fill, '--trace', '-')
    wants(2, '--trace -: expected a file', 'bench', 'loop.onnxtxt', *fill, '--trace', '-')
    wants(3, "node of 'y' (Gather-13)", 'run', 'bad.onnxtxt', *fill, '--trace', 'bad.json')
    check(not any(name.startswith('bad.json') for name in os.listdir('.')), 'the trace of a failed run is left')


# ---- figures


def check_figures(p, name):
    samples = sorted(p['samples_ms'])
    check(samples[0] == p['min_ms'] <= p['median_ms'] <= p['p90_ms'] <= p['p99_ms'] <= samples[-1], f'{name}: {p}')
    check(abs(p['runs_per_second'] * p['mean_ms'] - 1000) < 1e-6, f'{name}: the rate in {p}')
    if 'batch' in p:
        check(abs(p['items_per_second'] - p['batch'] * p['runs_per_second']) < 1e-6, f'{name}: items in {p}')


def figures():
    fill = ['--fill', 'random', '--threads', '1', '--runs', '12', '--warm', '1']
    document = json.loads(wants(0, '', 'bench', 'free.onnxtxt', *fill, '--dim', 'batch=6', '--dim', 'w:0=6', '--json'))
    check_figures(document, 'free')
    check(document['batch'] == 6, f'free: {document}')
    wants(0, 'items/s in batches of 6', 'bench', 'free.onnxtxt', *fill, '--dim', 'batch=6', '--dim', 'w:0=1')
    check('batch' not in json.loads(wants(0, '', 'bench', 'fixed.onnxtxt', *fill, '--json')), 'fixed has a batch')
    for model, words in ('free', ['batch=1,2,30', '--dim', 'w:0=1']), ('unnamed', ['batch=1,2,30']), \
            ('warp', ['batch=1,2,30', '--dim', 'H=5', '--dim', 'W=5']), \
            ('warp', ['N=1,2,30', '--dim', 'H=5', '--dim', 'W=5']):
        document = json.loads(wants(0, '', 'bench', f'{model}.onnxtxt', *fill, '--json', '--sweep', *words))
        points = document['sweep']
        check([p['size'] for p in points] == [p['batch'] for p in points] == [1, 2, 30], f'{model}: {document}')
        check(points[0]['peak_bytes'] < points[2]['peak_bytes'], f'{model}: 30 items take no more memory than 1')
        for p in points:
            check_figures(p, model)
    table = wants(0, 'items/s', 'bench', 'unnamed.onnxtxt', *fill, '--sweep', 'batch=4,8').splitlines()
    check([line.split()[0] for line in table[1:]] == ['batch', '4', '8'], f'the table is {table}')
    # A swept dimension that is not the first counts runs alone.
    document = json.loads(wants(0, '', 'bench', 'warp.onnxtxt', *fill, '--json', '--sweep', 'H=3,4', '--dim', 'N=2',
                                '--dim', 'W=5'))
    check([p['batch'] for p in document['sweep']] == [2, 2], f'H: {document}')


def refusals():
    fill = ['--fill', 'zeros', '--runs', '1']
    for text in 'batch', 'batch=', 'batch=0', 'batch=1,', 'batch=1;2', '=1', 'batch=99999999999999999999':
        wants(2, f"--sweep is '{text}', expected NAME=N,N,..., each N at least 1", 'bench', 'unnamed.onnxtxt', *fill,
              '--sweep', text)
    wants(2, '--sweep M: no input has such a dimension', 'bench', 'unnamed.onnxtxt', *fill, '--sweep', 'M=1')
    wants(2, '--sweep batch: no input has such a dimension, or a first axis without a fixed size', 'bench',
          'fixed.onnxtxt', *fill, '--sweep', 'batch=2')
    wants(2, "the model has 1 on axis 0 of input 'x'", 'bench', 'fixed.onnxtxt', *fill, '--sweep', 'x:0=2')
    wants(2, '--sweep batch: there is --dim batch=2 too', 'bench', 'free.onnxtxt', *fill, '--sweep', 'batch=2', '--dim', 'batch=2')
    wants(2, '--sweep goes without', 'bench', 'unnamed.onnxtxt', *fill, '--sweep', 'batch=2', '--operators')
    wants(0, '', 'run', 'unnamed.onnxtxt', '--fill', 'zeros', '--dim', 'x:0=3', '--dim', 'w:0=3', '-o', 'x.npy')
    wants(2, "--sweep x:0=2: the file for input 'x' has 3 on axis 0; leave the input to --fill", 'bench',
          'unnamed.onnxtxt', *fill, '-i', 'x=x.npy', '--sweep', 'batch=2')
    wants(5, '', 'bench', 'unnamed.onnxtxt', *fill, '--sweep', 'batch=2,4000000000000')


# ---- operators


def operators():
    fill = ['--fill', 'random', '--threads', '1', '--runs', '6', '--warm', '2']
    document = json.loads(wants(0, '', 'bench', 'loop.onnxtxt', *fill, '--operators', '--json'))
    rows = {o['operator']: o for o in document['operators']}
    check({name: (o['nodes'], o['runs']) for name, o in rows.items()} ==
          {'Exp': (1, 1), 'Loop': (1, 1), 'Identity': (1, 5), 'MatMul': (1, 5), 'If': (1, 5), 'Tanh': (1, 5)},
          f'operators are {rows}')
    check(abs(sum(o['share'] for o in rows.values()) - 1) < 1e-9, f'shares are {rows}')
    total = sum(o['ms'] for o in rows.values())
    check(0 < total < 100 * document['mean_ms'], f'{total} ms of nodes in a run of {document["mean_ms"]} ms')
    shares = [o['share'] for o in document['operators']]
    check(shares == sorted(shares, reverse=True), 'the slowest operator is not the first')
    text = wants(0, 'all nodes', 'bench', 'warp.onnxtxt', *fill, '--dim', 'N=1', '--dim', 'H=9', '--dim', 'W=9',
                 '--operators', '--roofline')
    check('AffineGrid in GridSample' in text and '% roof' in text, text)
    # A node that the plan has computed lies between those of a group, which has the work of all the same.
    document = json.loads(wants(0, '', 'bench', 'group.onnxtxt', *fill, '--roofline', '--json'))
    flop = {n['node']: n['flop'] for n in document['roofline']['nodes']}
    check(flop['last'] >= 2 * 4 * 6 * 5, f'operations of a group are {document["roofline"]["nodes"]}')
    # Another group may run whole between the nodes of one.
    document = json.loads(wants(0, '', 'bench', 'branches.onnxtxt', *fill, '--roofline', '--json'))
    flop = {n['node']: n['flop'] for n in document['roofline']['nodes'] if n['node']}
    product, elements = 2 * 4 * 6 * 6, 4 * 6
    check(flop == {'first': product + elements, 'alone': product, 'last': product + 2 * elements},
          f'operations of groups are {document["roofline"]["nodes"]}')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in MODELS.items():
        with open(f'{name}.onnxtxt', 'w', encoding='utf-8') as f:
            f.write(text)
    traces()
    figures()
    refusals()
    operators()
finish()
