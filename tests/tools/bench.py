#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py - the comparisons of bench/run.py and bench/networks.py: cases are sound, and figures are what ran.

    tests/tools/bench.py ROOT BUILD

Runs without Node.js, so that Ocellus is alone."""
import json
import os
import subprocess
import sys
import tempfile

ROOT, BUILD = (os.path.abspath(path) for path in sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'bench'))
import cases
import network_report
import players
import report
import small_networks

OCELLUS = os.path.join(BUILD, 'tools', 'ocellus')
count = {'checks': 0, 'failed': 0}


def check(holds, what):
    count['checks'] += 1
    if not holds:
        count['failed'] += 1
        print(f'FAIL: {what}')


def run(*words, script='run.py'):
    return subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'bench', script), '--build', BUILD, *words],
                          env={**os.environ, 'PATH': ''}, text=True, capture_output=True)


def check_texts(folder):
    """Every model and every maker of a tensor is supported, and its inputs are the model's."""
    found = [(c.name, c.model) for c in cases.cases()]
    found += [(f'{r.name} {label}', model) for r in cases.relations() for label, model, _ in r.variants]
    check(len({name for name, _ in found}) == len(found) > 50, 'names are unique')
    texts = {m.text: n for n, m in found} | {t.text: f'{n}: {i}' for n, m in found for i, t in m.inputs.items()}
    path = os.path.join(folder, 'm.onnxtxt')
    for text, name in texts.items():
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        seen = subprocess.run([OCELLUS, 'inspect', path], capture_output=True, text=True)
        check(seen.returncode == 0, f'{name}: {seen.stderr}\n{text}')


def check_small_networks(folder):
    """Each is a graph that the command can plan and run, its weights being inputs."""
    path = os.path.join(folder, 's.onnxtxt')
    for name, build in small_networks.NETWORKS.items():
        text, outputs = build()
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text.text(outputs))
        ran = subprocess.run([OCELLUS, 'run', path, '--fill', 'random', '--threads', '1'], capture_output=True, text=True)
        check(ran.returncode == 0 and ran.stdout.count('nan 0') == len(outputs), f'{name}: {ran.stdout}{ran.stderr}')


def check_run(folder):
    figures, tables = os.path.join(folder, 'figures.json'), os.path.join(folder, 'tables.md')
    ran = run('--quick', '--json', figures, '--results', tables, 'affine_grid 2x1')
    check(ran.returncode == 0, f'a quick run ends well: {ran.stderr}')
    check('Ocellus ran alone' in ran.stdout, 'it is said that there is no peer')
    with open(figures, encoding='utf-8') as f:
        case, = json.load(f)['cases']
    check(case['bytes'] == 4 * (2 * 12 + 2 * 64 * 128 * 128 * 3), 'bytes are those of inputs and outputs')
    check(case['copy'] > 0, 'memory was copied')
    for threads in '1', '2':
        own = case['engines']['ocellus'][threads]
        check(len(own['ms']) >= 3 and min(own['ms']) <= own['median'] <= max(own['ms']), 'a median among its samples')
        check(own['bits'] == case['engines']['ocellus']['1']['bits'], 'bits do not depend on threads')
        check(int(own['peak']) >= 4 * 2 * 64 * 128 * 128 * 3, 'the output is alive')
    with open(tables, encoding='utf-8') as f:
        text = f.read()
    check(text.count('| affine_grid 2x1x64x128x128 |') == 2 and 'Ocellus: 0.' in text, 'both tables have the case')
    ran = run('--quick', '--json', figures, 'fused', 'align_corners 0')
    check(ran.returncode == 0, f'a relation ends well: {ran.stderr}')
    with open(figures, encoding='utf-8') as f:
        unfused, fused = json.load(f)['relations'][0]['variants']
    check(unfused['label'] == 'unfused' and fused.get('median', 0) > 0, 'variants keep their order')
    check(abs(float(unfused['mean']) - float(fused['mean'])) < 1e-12, 'variants compute the same')
    check(run('no such case').returncode == 2, 'a filter that nothing fits')


def player_of(elements, folder):
    path = os.path.join(folder, 'm.onnxtxt')
    with open(path, 'w', encoding='utf-8') as f:
        f.write('<ir_version: 8, opset_import: ["" : 13]>\n'
                f'g () => (float[5] y) {{ y = Constant <value = float[5] {{{elements}}}> () }}\n')
    process = players.Process([os.path.join(BUILD, 'bench', 'bench_player'), path])
    process.ask('run 1 0 1')
    return process


def check_players(folder):
    process = player_of('1, -2, 3, -4, 0', folder)
    check(len(process.samples('run 1 2 3')) == 3, 'as many samples as asked for')
    about = process.ask('about 1')
    check(float(about['mean']) == -0.4 and float(about['mean_abs']) == 2, f'means: {about}')
    other = player_of('1, -2, 3, -4, -0.0', folder)
    check(other.ask('about 1')['bits'] != about['bits'], 'the sign of a zero is a bit too')
    other.end()
    for request in 'nonsense', 'run 0 1 1', 'copy 0 1':
        try:
            process.ask(request)
            check(False, f'"{request}" is refused')
        except players.Failed:
            check(True, request)
    check(len(process.samples('copy 1000 2')) == 2, 'it goes on after an error')
    process.end()
    a = {'mean': '1', 'mean_abs': '2'}
    check(report.alike(a, {'mean': '1.001', 'mean_abs': '2'}), 'means that agree')
    check(not report.alike(a, {'mean': '1.01', 'mean_abs': '2'}), 'means that differ')
    check(not report.alike({**a, 'bits': '12'}, {**a, 'bits': '13'}), 'bits that differ')
    check(not report.alike(a, {'mean': 'nan', 'mean_abs': '2'}), 'a NaN is not alike')


def network(name, own, peer, nodes):
    engine = lambda ms: {'1': {'median': ms, 'least': ms / 2, 'ms': [ms], 'version': '1'}}
    first = lambda ms: {'first_ms': 10 * ms, 'session_ms': ms, 'mb': 5.0}
    return {'name': name, 'family': 'float', 'errors': {}, 'engines': {'ocellus': engine(own), 'ONNX Runtime': engine(peer)},
            'threads': {'1': {'ocellus': first(own), 'ONNX Runtime': first(peer)}},
            'roofline': {'cpu': 'avx2', 'peak_gflops': 100, 'ms': own, 'nodes': [
                {'node': n, 'output': '', 'operator': 'Conv', 'ms': ms, 'roof_ms': roof, 'gflops': 1, 'gbytes': 1,
                 'of_roof': roof / ms, 'bound': 'compute'} for n, ms, roof in nodes]}}


def check_network_report():
    a = network('a', 10.0, 20.0, [('near', 9.0, 8.0), ('far', 1.0, 0.1)])
    b = network('b', 1.0, 0.5, [('farthest', 0.9, 0.1)])
    b['family'], b['accuracy'] = 'int8', {'own': (3, 0.5), 'peer': (2, 0.25), 'between': None, 'products': (4, 5)}
    lost = {'name': 'lost', 'family': 'float', 'errors': {'ocellus': 'a | b'}, 'engines': {}, 'threads': {}}
    check([n['node'] for _, _, n in network_report.worst_nodes([a, b, lost])] == ['farthest', 'near', 'far'],
          'nodes are ordered by their share of a run')
    check(network_report.mean_ratio([4, None, 1]) == 2 and network_report.mean_ratio([]) is None, 'geometric means')
    text = network_report.document({'machine': {}, 'rounds': 1, 'thread_counts': [1], 'node': {'ms': 1, 'mb': 2},
                                    'remarks': [], 'networks': [a, b, lost]})
    check('| a | 10 | 5 | 20 | 10 | 2.00 | 2.00 |' in text, f'a row of times: {text}')
    check('| **geometric mean** |  |  |  |  | 2.00 | 2.00 |' in text, 'means of ratios')
    check('| Float | 1 | 2.00 | 2.00 | 2.00 | 2.00 |' in text and '| 8 bits | 1 | 0.50 | 0.50 | 0.50 | 0.50 |' in text, 'families in short')
    check('| b | 3.00 | 0.500 | 2.00 | 0.250 | - | - | 4 of 5 |' in text, 'distances from the float network')
    check('| a | 100 | 200 | 2.00 | 10 | 20 | 2.00 | 5 | 5 | 1.00 |' in text, 'a row of first results')
    check('| lost | ocellus | a b |' in text, 'what did not run is listed')


def check_networks(folder):
    """Where NumPy, Pillow and onnx are installed. A network that cannot be read does not end the rest."""
    if subprocess.run([sys.executable, '-c', 'import numpy, PIL, onnx'], capture_output=True).returncode:
        return
    source, figures, page = (os.path.join(folder, name) for name in ('n.onnxtxt', 'n.json', 'n.md'))
    with open(source, 'w', encoding='utf-8') as f:
        f.write('<ir_version: 8, opset_import: ["" : 13]>\ng (float[1,3,20,30] x) => (float[1,3,20,30] y) { y = Exp (x) }\n')
    networks = os.path.join(folder, 'networks')
    os.mkdir(networks)
    subprocess.run([OCELLUS, 'convert', source, os.path.join(networks, 'good.onnx')], check=True)
    with open(os.path.join(networks, 'bad.onnx'), 'w', encoding='utf-8') as f:
        f.write('no network')
    os.mkdir(os.path.join(networks, 'good.feeds'))
    import numpy
    numpy.save(os.path.join(networks, 'good.feeds', 'x.npy'), numpy.zeros([1, 3, 20, 30], numpy.float32))
    words = (networks, '--family', 'float', '--rounds', '2', '--threads', '1,3', '--json', figures, '--results', page)
    ran = run(*words, '--cpu', 'scalar', script='networks.py')
    check(ran.returncode == 0, f'networks: {ran.stderr}')
    with open(figures, encoding='utf-8') as f:
        bad, good = json.load(f)['networks']
    check(bad['errors'].get('ocellus') and not bad['engines'], f'the bad one is told: {bad}')
    check(not good['errors'], f'the good one runs: {good["errors"]}')
    for threads in '1', '3':
        own = good['engines']['ocellus'][threads]
        check(len(own['ms']) >= 2 and own['least'] <= own['median'], 'samples')
        check(float(own['mean']) == 1, 'the input is that of the folder beside it')
        check(all(good['threads'][threads]['ocellus'][k] > 0 for k in ('first_ms', 'session_ms', 'mb')), 'first results')
    check([n['operator'] for n in good['roofline']['nodes']] == ['Exp'], 'nodes')
    check(good['roofline']['cpu'] == 'scalar', '--cpu reaches the command')
    with open(page, encoding='utf-8') as f:
        text = f.read()
    check('| good |' in text and '| bad | ocellus |' in text and 'options of Ocellus: --cpu scalar' in text, 'the page')
    quick = run(networks, '--family', 'float', '--only', 'good', '--rounds', '1', '--threads', '1', '--quick', '--results', page,
                script='networks.py')
    with open(page, encoding='utf-8') as f:
        text = f.read()
    check(quick.returncode == 0 and '| good |' in text and 'first result ms' not in text, f'runs alone: {quick.stderr}')
    check('other is none of float' in run('--family', 'float,other', script='networks.py').stderr, 'a family is known')
    check(run(*words, '--only', 'nothing', script='networks.py').returncode == 2, 'a name that nothing has')
    listed = run(networks, '--list', script='networks.py').stdout.split()
    check({'good', 'mlp_16'} <= set(listed) and 'good-qdq' not in listed, f'families: {listed}')


with tempfile.TemporaryDirectory() as folder:
    check_texts(folder)
    check_small_networks(folder)
    check_players(folder)
    check_run(folder)
    check_network_report()
    check_networks(folder)
print(f'{count["checks"] - count["failed"]} passed, {count["failed"]} failed, 0 skipped')
sys.exit(count['failed'] > 0)
