# SPDX-License-Identifier: Apache-2.0
"""shown.py OCELLUS DATA - run --print shows values as NumPy does: DATA/shown.txt is NumPy's text for the arrays of
DATA/shown.npz (tests/oracle/shown.py makes both). The values in --json are those of the .npy files."""
import json
import os
import subprocess
import sys
import tempfile

from checks import check, finish

ocellus, data = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def expected():
    """[(name, type and dims, lines)], in the order of the file."""
    shown = []
    with open(os.path.join(data, 'shown.txt'), encoding='utf-8') as f:
        for line in f.read().splitlines():
            if line.startswith('= '):
                _, name, port = line.split(' ')
                shown.append((name, port, []))
            else:
                shown[-1][2].append(line)
    return shown


def declared(port):
    """How the text form declares a scalar: without brackets."""
    return port[:-2] if port.endswith('[]') else port


def run(*words):
    done = subprocess.run([ocellus, 'run', 'same.onnxtxt', '-i', os.path.join(data, 'shown.npz'), *words],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 0, f'{" ".join(words)}: exit code {done.returncode}\n{done.stderr}')
    return done.stdout


def blocks(text, names):
    """The lines below the line of each output."""
    found, name = {}, None
    for line in text.splitlines():
        if line.split('  ')[0] in names and f'{line.split("  ")[0]}  ' == line[:len(line.split("  ")[0]) + 2]:
            name = line.split('  ')[0]
            found[name] = []
        else:
            found[name].append(line)
    return found


def count(port):
    n = 1
    for dim in port[port.index('[') + 1:-1].split(','):
        n *= int(dim or 1)
    return n


shown = expected()
names = {f'{name}_': lines for name, _, lines in shown}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open('same.onnxtxt', 'w', encoding='utf-8') as model:
        print('<ir_version: 8, opset_import: ["": 17]>\ng (', file=model, end='')
        print(', '.join(f'{declared(port)} {name}' for name, port, _ in shown), file=model, end=') => (')
        print(', '.join(f'{declared(port)} {name}_' for name, port, _ in shown), file=model, end=')\n{')
        print(' '.join(f'{name}_ = Identity ({name})' for name, _, _ in shown), file=model, end=' }\n')
    got = blocks(run('--print'), names)
    for name, lines in names.items():
        check(got.get(name) == lines, f'{name}:\n' + '\n'.join(got.get(name) or []) + '\nexpected\n' + '\n'.join(lines))
    check('-nan' not in run('--print'), '-nan is printed')
    # Another bound: everything, and nothing without dots.
    got = blocks(run('--print=100000'), names)
    check(not any('...' in line for lines in got.values() for line in lines), '--print=100000 leaves something out')
    check(len(' '.join(got['long_']).split()) == 2000, '--print=100000 does not show 2000 numbers')
    check(blocks(run('--print=20'), names)['wrapped_'][0].count('...') == 1, '--print=20 shows all of 30 numbers')
    document = json.loads(run('--json'))
    for output, (name, port, _) in zip(document['outputs'], shown):
        n = count(port)
        values = output['values']
        check(values is None and output['elements'] == n if n > 1000 else len(values) == n, f'{name}: {values} in JSON')
    values = {output['name']: output['values'] for output in document['outputs']}
    check(values['special_'] == ['nan', 'nan', 'inf', '-inf', 1.5], f'special: {values["special_"]} in JSON')
    check(values['uint64_'] == [2**64 - 1, 0], f'uint64: {values["uint64_"]} in JSON')
    check(values['bool_'] == [True, False, True], f'bool: {values["bool_"]} in JSON')
    check(values['complex64_'][0] == [1, 2], f'complex64: {values["complex64_"]} in JSON')
    check(values['int64_'] == list(range(-3, 60)), f'int64: {values["int64_"]} in JSON')
    document = json.loads(run('--json', '--print=2000'))
    values = {output['name']: output['values'] for output in document['outputs']}
    check(len(values['long_']) == 2000 and values['counts_'] is None, '--print=2000 is no bound in JSON')

check(shown, 'no array was compared')
finish()
