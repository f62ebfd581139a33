# SPDX-License-Identifier: Apache-2.0
"""search.py OCELLUS ROOT [--short | --seconds S [NAME]] - ocellus check OP --search: what it finds, writes and says.

With --short, looks for every seventh defect of search_defects.py. With --seconds, looks for these defects alone, each for S
seconds, and tells when each was found."""
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import checks
import search_defects

OCELLUS, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def run(*args):
    return subprocess.run([OCELLUS, *args], capture_output=True, text=True)


def wants(code, *args):
    r = run('check', *args)
    checks.check(r.returncode == code, f'check {shlex.join(args)}: exit code {r.returncode}, expected {code}\n'
                 f'{r.stdout[-1500:]}{r.stderr}')
    return r.stdout, r.stderr


def has(text, *words):
    for word in words:
        checks.check(word in text, f'{word!r} is not in:\n{text[-2000:]}')


def body_options(body):
    """The options of check for an entry of BODIES, whose file is written here."""
    if isinstance(body, list):
        return body
    if isinstance(body, tuple):
        path, pairs = body
        with open(os.path.join(ROOT, 'functions', path), encoding='utf-8') as f:
            body = f.read()
        for old, new in pairs:
            checks.check(old in body, f'{path} has no {old!r}')
            body = body.replace(old, new, 1)
    with open('body.onnxtxt', 'w', encoding='utf-8') as f:
        f.write(body)
    return ['--body', 'body.onnxtxt']


def found_in(text):
    """What a search found: (step, seconds, the line about it)."""
    return [(int(step), float(seconds), line)
            for step, seconds, line in re.findall(r'^found at step (\d+), after ([\d.]+) s:\n(.*)$', text, re.M)]


def find_defects(limit, only=None, every=1):
    """A search that begins at a few of the ordinary cases finds each defect of KNOWN.md."""
    for name, (operator, body, words) in list(search_defects.BODIES.items())[::every]:
        if only and only not in name or limit[0] == '--steps' and name in search_defects.LONG:
            continue
        options = body_options(body)
        r = run('check', operator, *options, '--sample', '17', '--seed', '1', '--max-steps', '20000', *limit)
        hits = found_in(r.stdout)
        for word in words:
            seen = [hit for hit in hits if word in hit[2]]
            checks.check(seen, f'{name}: {word!r} is not found:\n{r.stdout[-3000:]}{r.stderr}')
            if seen and limit[0] == '--search':
                print(f'{name}: {word}: after {seen[0][1]} s, step {seen[0][0]}', flush=True)
        checks.check(r.returncode == 1, f'{name}: exit code {r.returncode}')


def wrong_words():
    """What makes no sense is refused before anything runs."""
    for words, said in {
            ('Softmax', '--search', 'abc'): "--search is 'abc', expected a number",
            ('Softmax', '--search', '-1'): 'expected a number, 0 or more',
            ('Softmax', '--steps', '1.5'): 'expected a whole number',
            ('Softmax', '--search', '1', '--case', 'x'): '--search does not go with --case',
            ('Softmax', '--search', '1', '--html', 'x.html'): '--search does not go with',
            ('Softmax', '--search', '1', '--engine', 'x {dir}'): '--search does not go with',
            ('Softmax', '--search', '1', '--export', 'x'): '--search does not go with',
            ('Softmax', '-o', 'x.onnxtxt'): '-o goes with --search or --steps',
            ('Softmax', 'Celu', '--steps', '9', '-o', 'x.onnxtxt'): '-o goes with --search or --steps, of one operator',
            ('Softmax', '--steps', '9', '-o', 'x.npy'): 'expected a name that ends with .onnxtxt',
            ('Softmax', '--standard'): '--standard goes with a model, a search or the file of a case',
            ('model.onnx', '--search', '1'): 'go with operators',
            ('Sigmoid', '--inputs', 'float[7]'): "no function body of an operator 'Sigmoid'",
    }.items():
        has(wants(2, *words)[1], said)
    has(wants(4, 'NoSuchOperator', '--search', '1')[1], "no cases for an operator 'NoSuchOperator'")
    has(wants(4, 'Sigmoid', '--search', '1')[1], "no cases for an operator 'Sigmoid'")
    checks.check(not os.path.exists('x.onnxtxt'), 'a refused command writes nothing')
    has(wants(3, 'Softmax', '--case', 'nowhere.onnxtxt')[1], 'nowhere.onnxtxt: ')
    with open('open.onnxtxt', 'w', encoding='utf-8') as f:
        f.write('<ir_version: 10, opset_import: ["" : 18]> check (float[2] x0) => (y0) { y0 = Softmax (x0) }')
    has(wants(2, 'Softmax', '--case', 'open.onnxtxt')[1], "open.onnxtxt: input 'x0' has no default")
    has(wants(3, 'Softmax', '--steps', '50', '--sample', '97', '-o', 'no/such/folder.onnxtxt')[1], 'no/such/folder.onnxtxt')


def searches():
    """Equal seeds give equal searches; what is found is told, written, and found again in the file."""
    few = ['Celu', '--sample', '23', '--steps', '1500']
    first, again, other = (json.loads(wants(0, *few, '--json', *seed)[0])[0]['search']
                           for seed in ([], ['--seed', '0'], ['--seed', '9']))
    checks.check(first == again, 'equal seeds, equal searches')
    checks.check(first != other, 'another seed, another search')
    checks.check(first['steps'] >= 1500 and first['worst'] and not first['found'], first)
    before = json.loads(wants(0, *few[:3], '--json')[0])[0]['cases']
    checks.check(first['worst'][0]['share'] > 0 and before, 'it climbs')
    out, _ = wants(0, *few, '-o', 'celu.onnxtxt')
    has(out, 'a search of 1500 steps', 'body against kernel: ', 'against the body in double', 'on other instruction sets: nothing differs')
    has(wants(0, 'Celu', '--case', 'celu.onnxtxt')[0], first['worst'][0]['text'], '= Celu')
    for command in (['run'], ['inspect']):
        r = run(*command, 'celu.onnxtxt')
        checks.check(r.returncode == 0, f'{command} of the case: {r.stderr}')
    out, _ = wants(0, 'Celu', 'Elu', '--markdown', '--sample', '23', '--steps', '300')
    has(out, '| searched | in double |', '## The worst inputs that a search found', '- **Celu**, body against kernel, ')
    has(wants(0, 'GridSample', '--inputs', 'float[1,2,5,5]; float[1,4,4,2]', '--steps', '300')[0],
        'kernel on other instruction sets: nothing differs')
    checks.check('nothing differs' not in wants(0, 'Celu', '--sample', '23')[0], 'no search without --search')


def written():
    """A case that a search found shows the difference again, is small, and reduce takes it."""
    r = run('check', 'Softplus', *body_options(search_defects.BODIES['Softplus'][1]), '--sample', '17', '--steps', '500',
            '-o', 'found.onnxtxt')
    checks.check(r.returncode == 1, r.stdout[-500:] + r.stderr)
    with open('found.onnxtxt', encoding='utf-8') as f:
        text = f.read()
    checks.check(text.startswith('# ocellus check Softplus --case FILE\n# body.onnxtxt against kernel: '), text[:200])
    checks.check(text.count(',') < 60, f'the case is made smaller:\n{text}')
    out, _ = wants(1, 'Softplus', '--body', 'body.onnxtxt', '--case', 'found.onnxtxt')
    has(out, 'expected', 'of the bound')
    wants(0, 'Softplus', '--case', 'found.onnxtxt')  # the body that is built in has no such defect
    show = f'! {shlex.quote(OCELLUS)} check Softplus --body body.onnxtxt --case {{model}} >out 2>err'
    r = run('reduce', 'found.onnxtxt', '--command', show, '--code', '0', '-o', 'small.onnxtxt')
    checks.check(r.returncode == 0 and os.path.exists('small.onnxtxt'), r.stdout + r.stderr)
    # The standard's own body, and several kinds, each in a file of its own.
    wants(1, 'AffineGrid', '--standard', '--sample', '17', '--steps', '600', '-o', 'grid.onnxtxt')
    checks.check(os.path.exists('grid-2.onnxtxt'), 'a second kind has a file')
    wants(1, 'AffineGrid', '--standard', '--case', 'grid.onnxtxt')
    wants(0, 'AffineGrid', '--case', 'grid.onnxtxt')


def interrupted():
    """SIGINT ends a search, which tells and writes what it has."""
    process = subprocess.Popen([OCELLUS, 'check', 'Celu', '--sample', '97', '--search', '600', '-o', 'stopped.onnxtxt'],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    checks.check(process.returncode == -signal.SIGINT, f'it ends as by SIGINT: {process.returncode} {err}')
    has(out, ', interrupted', 'body against kernel: ')
    checks.check(os.path.exists('stopped.onnxtxt'), 'it writes what it has')
    wants(0, 'Celu', '--case', 'stopped.onnxtxt')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        if sys.argv[3:4] == ['--seconds']:
            find_defects(['--search', sys.argv[4]], *sys.argv[5:])
        else:
            wrong_words()
            searches()
            written()
            interrupted()
            find_defects(['--steps', '2500'], every=7 if '--short' in sys.argv else 1)
    checks.finish()
