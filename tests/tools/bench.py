#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py - the comparison of bench/run.py: its cases are sound, and its figures are what it ran.

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
import players
import report

OCELLUS = os.path.join(BUILD, 'tools', 'ocellus')
count = {'checks': 0, 'failed': 0}


def check(holds, what):
    count['checks'] += 1
    if not holds:
        count['failed'] += 1
        print(f'FAIL: {what}')


def run(*words):
    return subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'bench', 'run.py'), '--build', BUILD, *words],
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


with tempfile.TemporaryDirectory() as folder:
    check_texts(folder)
    check_players(folder)
    check_run(folder)
print(f'{count["checks"] - count["failed"]} passed, {count["failed"]} failed, 0 skipped')
sys.exit(count['failed'] > 0)
