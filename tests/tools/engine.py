# SPDX-License-Identifier: Apache-2.0
"""engine.py OCELLUS [--short] - check --engine: what another engine gives, refuses, or breaks off at, is told for each case.

--short: without what takes many cases."""
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish

ocellus, toy = os.path.abspath(sys.argv[1]), os.path.join(os.path.dirname(os.path.abspath(__file__)), 'toy_engine.py')


def engine(faults=None):
    """The command of an engine with these faults; its log begins anew."""
    with open('faults.json', 'w', encoding='utf-8') as f:
        json.dump(faults or {}, f)
    with open('log', 'w', encoding='utf-8'):
        pass
    return f'exec {shlex.join([sys.executable, "-B", toy])} {{dir}} faults.json log'


def runs():
    """(number of cases, process) for each run of the engine."""
    with open('log', encoding='utf-8') as f:
        return [tuple(map(int, line.split())) for line in f]


def wants(code, text, *words, **options):
    done = subprocess.run([ocellus, 'check', *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          check=False, **options)
    check(done.returncode == code and text in done.stdout + done.stderr,
          f'{shlex.join(words)}: exit code {done.returncode}, expected {code} and "{text}"\n{done.stdout}{done.stderr}')
    check(not os.listdir('tmp'), f'{shlex.join(words)} leaves {os.listdir("tmp")}')
    return done


def cases_of(code, *words):
    return json.loads(wants(code, '', *words, '--json').stdout)[0]['cases']


def all_agree():
    document = json.loads(wants(0, '', 'Celu', 'Softmax', '--engine', engine(), '--json').stdout)
    check([o['reference'] for o in document] == ['body', 'body'], 'the body is the reference')
    results = [c['engine'] for o in document for c in o['cases']]
    check(results and all(r['outcome'] == 'agrees' and r['max_ulp'] == 0 for r in results), 'copies agree')
    sizes, softmax = [n for n, _ in runs()], len(document[1]['cases'])
    check(sizes == [len(document[0]['cases']), 500, softmax - 500], f'one run for each 500 cases: {sizes}')
    # Inputs that the operator does not allow are no cases of an engine.
    plain = cases_of(0, 'Softmax')
    refused = [c for c in plain if 'max_abs' not in c['repaired']]
    check(refused and softmax == len(plain) - len(refused), f'{softmax} of {len(plain)} cases')


def every_fault():
    names = [c['case'] for c in cases_of(0, 'Celu', '--sample', '4')]
    kinds = ['alter', 'refuse', 'crash', 'nothing', 'garbage', 'hang', 'crash']
    faults = dict(zip(names[1::2], kinds))
    check(len(faults) == len(kinds), f'{len(names)} cases')
    words = ['Celu', '--sample', '4', '--engine', engine(faults), '--engine-seconds', '2']
    expected = {'alter': ('differs', 'y0'), 'refuse': ('refused', 'I do not like this one'),
                'crash': ('engine fails', 'the engine was ended by signal 6 ('),
                'nothing': ('engine fails', 'the engine gave no engine_0.pb'),
                'garbage': ('engine fails', 'engine_0.pb: '),
                'hang': ('engine fails', 'the engine took longer than 2 seconds')}
    cases = cases_of(1, *words)
    check([c['case'] for c in cases] == names, 'cases keep their order')
    for case in cases:
        name, got = case['case'], case['engine']
        outcome, text = expected.get(faults.get(name), ('agrees', ''))
        check(got['outcome'] == outcome and (got.get('text', '').startswith(text) or faults.get(name) == 'alter'),
              f'{name}: {got}, expected {outcome}: {text}')
        check(('replay' in case) == (outcome not in ('agrees', 'refused')), f'{name}: a command where it is bad')
        check('second line' not in str(got), 'one line of the reason')
    again = shlex.split([c for c in cases if c['case'] == names[1]][0]['replay'])
    check(cases_of(1, *again[2:])[0]['engine'] == cases[1]['engine'], 'a replay gives the same')
    wants(1, 'y0 of engine', *again[2:])
    done = wants(1, f'{len(names)} cases, 6 disagreements that are not known; 1 refused', *words)
    check('engine against body' in done.stdout and 'Celu, engine: refused' not in done.stdout, done.stdout)
    wants(1, 'engine: refused: I do not like this one', *words, '--verbose')


def halves():
    """A case that ends the engine takes no more runs than halving does, and the others keep their results."""
    words = ['Softmax', '--sample', '3', '--engine']
    names = [c['case'] for c in cases_of(0, *words, engine())]
    cases = cases_of(1, *words, engine({names[0]: 'crash', names[-1]: 'crash'}))
    outcomes = [c['engine']['outcome'] for c in cases]
    check(outcomes == ['engine fails'] + ['agrees'] * (len(names) - 2) + ['engine fails'], f'{outcomes}')
    check(len(runs()) < 30, f'{len(runs())} runs for {len(names)} cases')


def lists_some():
    done = wants(1, 'disagreements more; --verbose lists them', 'Softmax', '--sample', '3', '--engine', engine({'*': 'alter'}))
    n = done.stdout.count(' first in this one: ')
    check(n == 1 and done.stdout.count('    ocellus check Softmax ') == 20 + n, '20 commands, and one of what has no element to alter')
    done = wants(0, ' 0 disagreements that are not known; ', 'Celu', 'Elu', '--sample', '9', '--engine', engine({'*': 'refuse'}))
    check('\n0 cases' not in done.stdout, done.stdout)
    wants(1, ' fail engine refused ', '--all', '--sample', '2000', '--engine', engine({'*': 'alter'}))


def nearer():
    """What differs is held against the body in double: an element that the engine altered, a sum that float cannot hold."""
    names = [c['case'] for c in cases_of(0, 'AffineGrid', '--sample', '5', '--engine', engine())]
    widths = {t: next(n for n in names if n.startswith(t + ' ')) for t in ('float', 'float16', 'double')}
    words = ['AffineGrid', '--sample', '5', '--in-double', '--engine', engine(dict.fromkeys(widths.values(), 'alter'))]
    told = {c['case']: c['engine'].get('in_double') for c in cases_of(1, *words)}
    check({n for n, t in told.items() if t} == set(widths.values()), f'where results differ: {told}')
    for kind in 'float', 'float16':
        got = told[widths[kind]]
        check(got['nearer'] == 'body' and got['reference_off'] < 1e-3 < got['off'], f'{kind}: {got}')
    check(told[widths['double']] == {'unknown': 'the case has no floats that are narrower than double'}, f'{told}')
    done = wants(1, ': body is nearer\n', *words)
    check('\n    in double: not known: ' in done.stdout and ' --in-double ' in done.stdout, done.stdout)
    with open('sum.onnxtxt', 'w', encoding='utf-8') as f:
        f.write('<domain: "", opset_import: ["" : 18]> R (X) => (Y) { big = Constant <value: tensor = float {1e6}> () '
                'b = CastLike (big, X)  s = Add (X, b)  Y = Sub (s, b) }')
    relu = ['Relu', '--body', 'sum.onnxtxt', '--in-double', '--inputs']
    got = cases_of(1, *relu, '+ float[9]')[0]['body']['in_double']
    check(got['nearer'] == 'kernel' and got['reference_off'] < 1e-9 and got['off'] > 1e-3, f'{got}')
    # 0.1 is what float makes of it.
    got = cases_of(1, *relu, '= float[1] {0.1}')[0]['body']['in_double']
    check(abs(got['exact'] - 0.100000001490116) < 1e-10, f'{got}')
    # A first stage in float is one in double there.
    normalized = ['LayerNormalization', '--case', '17 float (T[3,4]; n T[4])', '--in-double', '--engine', engine({'*': 'alter'})]
    got = cases_of(1, *normalized)[0]['engine']['in_double']
    check(0 < got['reference_off'] < 1e-6 < got['off'], f'{got}')
    wants(2, 'go with operators', 'model.onnx', '--in-double')


def broken():
    done = wants(3, "--engine 'no-such-engine {dir}': the engine ended with exit code 127", 'Celu', 'Elu', '--engine',
                 'no-such-engine {dir}')
    check('\nElu' not in done.stdout and done.stderr.count('exit code 127') == 1, 'others are not begun')
    # A command that ends badly without cases too is given up after its first run.
    for fault, told in {'exit 9': 'ended with exit code 9', 'kill -SEGV $$': 'was ended by signal 11'}.items():
        done = wants(3, f"does not start: the engine {told}", 'Celu', 'Elu', '--engine', f'echo {{dir}} >>starts; {fault}')
        check('\nElu' not in done.stdout and done.stderr.count('does not start') == 1, 'others are not begun')
        with open('starts', encoding='utf-8') as f:
            check(len(f.readlines()) == 2, 'one run, and one without cases')
        os.remove('starts')
    wants(3, 'gave no result in 12 runs: the engine ended with exit code 9', 'Celu', 'Elu', '--engine',
          'test -z "$(ls {dir})" || exit 9')
    # A command that gave results before it failed is not.
    wants(0, ' 0 disagreements', 'Celu', '--sample', '9', '--engine', engine().removeprefix('exec ') + '; exit 9')
    wants(1, ' cases, first in this one: the engine gave no engine_0.pb', 'Celu', '--sample', '9', '--engine', ': {dir}')
    wants(2, 'has no {dir}', 'Celu', '--engine', 'engine')
    for words in (['--html', 'x.html'], ['--export', 'x'], ['--markdown'], ['--sandbox'], ['--body', 'x']):
        # What looks for leaks at the end starts a process, which the sandbox refuses.
        wants(2, '--engine does not go with', 'Celu', '--engine', 'engine {dir}', *words,
              env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
    wants(2, '--engine-seconds goes with --engine', 'Celu', '--engine-seconds', '3')
    wants(3, 'nowhere/ocellus-', 'Celu', '--engine', engine(), env={**os.environ, 'TMPDIR': 'nowhere'})


def hostile_names():
    """The folder's name is one word; what the engine prints is no part of the report."""
    strange = "tmp/it's a $(touch gone) folder"
    os.mkdir(strange)
    done = subprocess.run([ocellus, 'check', 'Celu', '--sample', '9', '--json', '--engine', 'echo {dir}; ' + engine()],
                          env={**os.environ, 'TMPDIR': strange}, capture_output=True, text=True, check=False)
    check(done.returncode == 0 and json.loads(done.stdout) and strange in done.stderr, done.stderr)
    check(not os.path.exists('gone'), 'the name is no command')
    os.rmdir(strange)


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with open(f'/proc/{process}/stat', encoding='utf-8') as f:
        return f.read().rpartition(')')[2].split()[0] != 'Z'


def until(holds):
    for _ in range(1500):
        if holds():
            return True
        time.sleep(0.02)
    return False


def signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with subprocess.Popen([ocellus, 'check', 'Celu', '--sample', '30', '--engine', engine({'*': 'hang'})],
                              stdout=subprocess.DEVNULL) as process:
            check(until(runs), 'the engine runs')
            process.send_signal(number)
            code = process.wait(60)
        check(code == -number, f'{number.name}: exit code {code}')
        check(until(lambda: not os.listdir('tmp')), f'{number.name} leaves {os.listdir("tmp")}')
        check(until(lambda: not is_running(runs()[0][1])), f'{number.name} leaves the engine')


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    os.mkdir('tmp')
    os.environ['TMPDIR'] = 'tmp'
    if sys.argv[2:] != ['--short']:
        all_agree()
        halves()
        lists_some()
    every_fault()
    nearer()
    broken()
    hostile_names()
    signals()
    os.chdir('/')
finish()
