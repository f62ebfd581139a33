# SPDX-License-Identifier: Apache-2.0
"""engine_values.py OCELLUS - check MODEL --engine: in which value another engine parts from ours, and what follows from it.

The engine is this file too, called as --engine OCELLUS DIR FAULTS: it runs ocellus, with faults in what it runs."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from checks import check, finish

MODEL = '''<ir_version: 8, opset_import: ["" : 16, "here" : 1]>
net (float[2,8] x, float gain) => (float[2,8] y, float[2,8] z, seq(float) q)
    <float[8] w = {1, 2, 3, 4, 5, 6, 7, 8}>
{
    [scale] t = Mul (x, gain)
    [mix] m = Add (t, w)
    [act] r = Relu (m)
    k = Exp (t)
    q = SequenceConstruct (r, k)
    zero = Constant <value_int = 0> ()
    first = SequenceAt (q, zero)
    [add] y = here.Sum (first, k)
    two = Constant <value_int = 2> ()
    z = Loop <body = turn (int64 i, bool go, float[] a) => (bool on, float[] c) {
        on = Identity (go)  c = Sub (a, k) }> (two, , t)
}
<domain: "here", opset_import: ["" : 16]>
Sum (a, b) => (c) { c = Add (a, b) }
'''


# ---- the engine

def outputs(text):
    """The names of the outputs of a model in text."""
    ports = re.search(r'=> \((.*?)\)\s*[<{]', text, re.S).group(1)
    return [port.split()[-1] for port in re.split(r',\s(?=[a-z])', ports)]


def compute(ocellus, test, faults):
    """Writes the outputs of one test, in place of a text that faults has by another; or a reason not to."""
    model, data = os.path.join(test, 'faulty.onnxtxt'), os.path.join(test, 'test_data_set_0')
    subprocess.run([ocellus, 'convert', os.path.join(test, 'model.onnx'), model], check=True)
    with open(model, encoding='utf-8') as f:
        text = f.read()
    names = outputs(text)
    reasons = [f'{name} is not to my taste' for name in faults.get('refuse', []) if name in names or name == '*']
    reasons += [f'no {op} here' for op in faults.get('lacks', []) if f'{op} (' in text]
    reasons += ['too many outputs'] * (len(names) > faults.get('most', len(names)))
    if reasons:
        with open(os.path.join(test, 'engine_error.txt'), 'w', encoding='utf-8') as f:
            f.write(f'{reasons[0]}\n')
        return
    if len(names) > faults.get('dies', len(names)) or any(f'{op} (' in text for op in faults.get('dies_at', [])):
        sys.exit(9)
    for right, wrong in faults.get('replace', []):
        text = text.replace(right, wrong) if len(names) <= faults.get('only', len(names)) else text
    with open(model, 'w', encoding='utf-8') as f:
        f.write(text)
    out = os.path.join(test, 'out')
    subprocess.run([ocellus, 'run', model, '-i', data, '--save-test', out], check=True, capture_output=True)
    for i, name in enumerate(names):
        if name not in faults.get('forget', []):
            shutil.move(f'{out}/test_data_set_0/output_{i}.pb', f'{data}/engine_{i}.pb')
        if name in faults.get('garbage', []):
            with open(f'{data}/engine_{i}.pb', 'wb') as f:
                f.write(b'\xff\xff\xff')


if sys.argv[1] == '--engine':
    with open(sys.argv[4], encoding='utf-8') as faults_file:
        for case in sorted(os.listdir(sys.argv[3])):
            faults_file.seek(0)
            compute(sys.argv[2], os.path.join(sys.argv[3], case), json.load(faults_file))
    sys.exit(0)

# ---- the test

ocellus, HERE = os.path.abspath(sys.argv[1]), os.path.abspath(__file__)


def run(code, *words, model='net.onnxtxt', env=None, **faults):
    with open('faults.json', 'w', encoding='utf-8') as f:
        json.dump(faults, f)
    engine = shlex.join([sys.executable, '-B', HERE, '--engine', ocellus]) + ' {dir} faults.json'
    done = subprocess.run([ocellus, 'check', model, '--fill', 'random', '--engine', engine, *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120, check=False, env=env)
    check(done.returncode == code, f'{words} {faults}: exit code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}')
    check(not os.listdir('tmp'), f'{faults} leaves {os.listdir("tmp")}')
    return done


def has(done, *texts):
    for text in texts:
        check(text in done.stdout + done.stderr, f'"{text}" is not in\n{done.stdout}{done.stderr}')


def values(code, **faults):
    """The document, and its values by name."""
    document = json.loads(run(code, '--json', **faults).stdout)
    return document, {v['name']: v for v in document['values']}


def names_of(found, key, value=True):
    return [name for name, v in found.items() if v.get(key) == value]


def all_agree():
    document, found = values(0)
    check(list(found) == ['t', 'm', 'r', 'k', 'q', 'zero', 'first', 'y', 'two', 'z'], 'the order of the graph', list(found))
    check(names_of(found, 'agrees') == [n for n in found if n != 'q'], found)
    check(found['q']['not_compared'] == 'no tensor' and found['y']['operator'] == 'here::Sum' and found['y']['node'] == 'add', found)
    check([o['name'] for o in document['outputs_alone']] == ['y', 'z'] and document['disagreements'] == 0, document)
    check(document['inner_graph_values'] == 2, document)
    has(run(0), '10 values of the main graph, 9 compared, 0 differ\n', 'with its own outputs alone: 2 of 2 agree\n',
        'not compared: 1 value that is no tensor\n', 'not compared: 2 values of graphs within nodes, which cannot be outputs\n',
        '\n0 disagreements\n')
    has(run(0, '--verbose'), "agrees       'r' of node 'act' (Relu): max abs 0, ", "not compared 'q' of a node SequenceConstruct\n")


def an_origin():
    """Relu is wrong: what depends on it, through a sequence too, follows."""
    fault = {'replace': [['r = Relu (m)', 'r = Neg (m)']]}
    document, found = values(1, **fault)
    check(names_of(found, 'agrees', False) == ['r', 'first', 'y'] and names_of(found, 'origin') == ['r'], found)
    check(found['r']['agrees_on_engine_inputs'] is False and found['r']['inputs'] == [{'name': 'm', 'agrees': True}], found['r'])
    check(found['r']['max_abs'] > 1 and ' at [' in found['r']['greatest'] and document['disagreements'] == 1, found['r'])
    check([o['agrees'] for o in document['outputs_alone']] == [False, True], document)
    done = run(1, **fault)
    has(done, "9 compared, 3 differ, the first is 'r'\n", "\norigin 'r' of node 'act' (Relu): ", "\n    its inputs: 'm' agrees\n",
        '\n    on the engine\'s inputs it differs too\n', '\n2 values that follow differ too\n', '1 of 2 agree\n',
        "\n    output 'y' differs: ", '\n1 disagreement\n', '\n    the greatest difference is ', '\n    max abs ')
    check(done.stdout.count('origin ') == 1, done.stdout)
    has(run(0, '--rtol', '1e9', **fault), '0 disagreements')


def two_origins():
    """Both faults are told, though the second stands behind the first; so is one in a function, and one in a loop."""
    fault = {'replace': [['m = Add (t', 'm = Sub (t'], ['c = Add (a, b)', 'c = Sub (a, b)'], ['c = Sub (a, k)', 'c = Add (a, k)']]}
    _, found = values(1, **fault)
    check(names_of(found, 'origin') == ['m', 'y', 'z'], found)
    check(names_of(found, 'agrees', False) == ['m', 'r', 'first', 'y', 'z'], found)
    has(run(1, **fault), "    its inputs: 't' agrees\n", "    its inputs: 'first' differs, 'k' agrees\n", '3 disagreements\n',
        "    its inputs: 'two' agrees, 't' agrees, 'k' agrees\n")


def first_of_all():
    """An origin whose node has no inputs from nodes."""
    has(run(1, replace=[['t = Mul (x', 't = Div (x']]), "origin 't' of node 'scale' (Mul): ",
        '    its inputs are inputs and weights of the model\n')


def grown():
    """A difference within tolerance that a later node makes large is told as that."""
    with open('grow.onnxtxt', 'w', encoding='utf-8') as f:
        f.write('<ir_version: 8, opset_import: ["" : 16]> grow (float[50] x) => (float[50] y) <float one = {1}, float big = {1e8}>'
                '{ a = Add (x, one)  b = Mul (a, big)  y = Sin (b) }')
    done = run(1, model='grow.onnxtxt', replace=[['float one = {1}', 'float one = {1.000001}']])
    has(done, "origin 'y' of a node Sin: ", "    its inputs: 'b' agrees within tolerance\n",
        "    on the engine's inputs it agrees: a difference within tolerance has grown\n",
        '1 disagreement: it is a difference within tolerance that has grown\n')
    has(run(1, '--rtol', '0', '--atol', '0', model='grow.onnxtxt', replace=[['float one = {1}', 'float one = {1.000001}']]),
        "origin 'a' of a node Add: ", '\n1 disagreement\n')


def alone():
    """A fault that shows only where inner values are no outputs, as a fusion's would."""
    fault = {'replace': [['r = Relu (m)', 'r = Neg (m)']], 'only': 2}
    document, found = values(1, **fault)
    check(not names_of(found, 'agrees', False) and document['disagreements'] == 1, document)
    has(run(1, **fault), ' 0 differ\n', 'with its own outputs alone: 1 of 2 agree\n', "    output 'y' differs: ", '\n1 disagreement\n')


def refusals():
    document, found = values(0, refuse=['k', 'two'])
    check([n for n, v in found.items() if 'not_compared' in v] == ['k', 'q', 'two'], found)
    check(found['two']['not_compared'] == 'two is not to my taste', found)
    check(document['asked_for_fewer'] == 'k is not to my taste', document)
    has(run(0, refuse=['k']), "not compared: 'k': k is not to my taste\n", 'so it was asked for fewer: k is not to my taste\n')
    _, found = values(1, refuse=['m'], replace=[['t = Mul', 't = Div']])
    check(names_of(found, 'origin') == ['t'], found)
    has(run(0, most=2), 'so it was asked for fewer: too many outputs\n', '10 values of the main graph, 9 compared, 0 differ\n')
    has(run(0, dies=4), '9 compared, 0 differ\n', 'the engine ended with exit code 9\n')
    has(run(4, refuse=['*']), 'check: the engine does not run this model: * is not to my taste\n')
    check('"error"' in run(4, '--json', refuse=['*']).stdout, 'an error is a document too')
    has(run(3, dies=0), 'check: the engine does not run this model: the engine ended with exit code 9\n')


def stops():
    """An engine that does not compute the model's outputs is asked for the first values."""
    fault = {'lacks': ['Relu']}
    document, found = values(4, **fault)
    check([n for n, v in found.items() if 'not_compared' in v] == ['r', 'k', 'q', 'zero', 'first', 'y', 'two', 'z'], found)
    check(names_of(found, 'agrees') == ['t', 'm'] and document['engine_fails'] == 'no Relu here', document)
    check(document['outputs_alone'] == [] and document['disagreements'] == 0, document)
    has(run(4, **fault), "not compared: 'r' and 6 more: no Relu here\n", '10 values of the main graph, 2 compared, 0 differ\n',
        "the first value that the engine does not compute is 'r' of node 'act' (Relu)\n",
        'check: the engine does not run this model: no Relu here\n')
    has(run(1, replace=[['t = Mul', 't = Div']], **fault), "origin 't' of node 'scale' (Mul): ", 'no Relu here')
    has(run(3, dies_at=['Relu']), "value that the engine does not compute is 'r' of node 'act' (Relu)\n", 'exit code 9\n')
    has(run(4, refuse=['z']), '8 compared', "value that the engine does not compute is 'z' of a node Loop\n")


def bad_files():
    has(run(0, forget=['m', 'r', 'zero']), "not compared: 'm' and 2 more: the engine has written no file of it\n", '6 compared')
    has(run(1, garbage=['r']), "origin 'r' of node 'act' (Relu): engine_2.pb: ")
    has(run(1, replace=[['float[2,8] x', 'float[2,8] x']], garbage=['y']), "output 'y' differs: engine_0.pb: ")


def usage():
    for words in (['--axis', 'isa'], ['--against', 'net.onnxtxt'], ['--keep', '1M'], ['--standard'], ['--html', 'x'], ['--sandbox']):
        # What looks for leaks at the end starts a process, which the sandbox refuses.
        has(run(2, *words, env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}), '--engine does not go with')
    with open('none.onnxtxt', 'w', encoding='utf-8') as f:
        f.write('<ir_version: 8, opset_import: ["" : 16]> none (float[2] x) => (float[2] x) { }')
    has(run(2, model='none.onnxtxt'), 'no node of the main graph gives a tensor')
    done = subprocess.run([ocellus, 'check', 'net.onnxtxt', '--fill', 'random', '--engine', 'no-such-engine {dir}'], check=False,
                          capture_output=True, text=True)
    check(done.returncode == 3 and 'ended with exit code 127' in done.stderr, done.stderr)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    os.mkdir('tmp')
    os.environ['TMPDIR'] = 'tmp'
    with open('net.onnxtxt', 'w', encoding='utf-8') as net:
        net.write(MODEL)
    for test in (all_agree, an_origin, two_origins, first_of_all, grown, alone, refusals, stops, bad_files, usage):
        test()
    os.chdir('/')
finish()
