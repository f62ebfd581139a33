# SPDX-License-Identifier: Apache-2.0
"""expand.py - what `ocellus expand` writes of ONNX's tests gives the results of their models.

usage: expand.py OCELLUS FOLDER [--keep DIR] [--jobs N] [--sample N] [--all]

Every model below FOLDER (one folder per test, with model.onnx and test_data_set_K) that calls an
operator which the standard gives a function body, or has functions of its own, is expanded. In the
new model no such call and no function may be left, its opsets must be the model's, and it must
pass the model's test. Where the test's data cannot be met, since its numbers are random, it must
give the bits that the model gives when its bodies are run in place of kernels.

Prints a line per failure and "N passed, N failed, N skipped"; with --all also lines of what was
skipped: models that themselves cannot be run. --keep DIR leaves the new models there, as folders
that `ocellus test` reads. --sample N takes each N-th test."""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

# The oldest version at which the standard gives a call a body. Those that ocellus knows are added.
BODIES = {
    'AffineGrid': 20, 'Attention': 23, 'Bernoulli': 15, 'BlackmanWindow': 17, 'CastLike': 15,
    'CausalConvWithState': 27, 'Celu': 12, 'CenterCropPad': 18, 'Clip': 13,
    'DynamicQuantizeLinear': 11, 'Elu': 18, 'Gelu': 20, 'GreaterOrEqual': 12,
    'GroupNormalization': 18, 'HammingWindow': 17, 'HannWindow': 17, 'HardSigmoid': 18,
    'HardSwish': 14, 'LayerNormalization': 17, 'LeakyRelu': 16, 'LessOrEqual': 12,
    'LinearAttention': 27, 'LogSoftmax': 13, 'MeanVarianceNormalization': 9, 'Mish': 18,
    'NegativeLogLikelihoodLoss': 12, 'PRelu': 16, 'RMSNormalization': 23, 'Range': 11,
    'ReduceL1': 18, 'ReduceL2': 18, 'ReduceLogSum': 18, 'ReduceLogSumExp': 18,
    'ReduceSumSquare': 18, 'Relu': 18, 'RotaryEmbedding': 23, 'Selu': 18, 'SequenceMap': 17,
    'Shrink': 18, 'Softmax': 13, 'SoftmaxCrossEntropyLoss': 12, 'Softplus': 18, 'Softsign': 18,
    'SwiGLU': 28, 'Swish': 24, 'ThresholdedRelu': 18, 'ai.onnx.preview::FlexAttention': 1,
}

parser = argparse.ArgumentParser(usage=__doc__.split('\n')[2][7:])
parser.add_argument('ocellus')
parser.add_argument('folder')
parser.add_argument('--keep')
parser.add_argument('--jobs', type=int, default=os.cpu_count())
parser.add_argument('--sample', type=int, default=1)
parser.add_argument('--all', action='store_true')
options = parser.parse_args()


def ocellus(*arguments):
    return subprocess.run([options.ocellus, *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def why(result):
    text = (result.stderr or result.stdout).strip().replace('\n', '; ')
    return text or f'exit code {result.returncode}'


for body in json.loads(ocellus('ops', '--json').stdout)['bodies']:
    since = body['since']
    BODIES[body['operator']] = min(BODIES.get(body['operator'], since), since)


def inspect(model):
    result = ocellus('inspect', model, '--json')
    return json.loads(result.stdout) if result.stdout.startswith('{') else None


def functions(described):
    """The calls of functions that are left."""
    found = [o['name'] for o in described['operators']
             if o['runs_as'] == 'function' or
             o['opset'] >= BODIES.get(o['domain'] + '::' * (o['domain'] != '') + o['name'], 1 << 30)]
    return found + ['its own functions'] * (described['functions'] > 0)


def expand(name):
    """(its functions, None), or (.., what is wrong); ([], None) where there is nothing to expand."""
    source, target = os.path.join(options.folder, name), os.path.join(scratch, name)
    model, expanded = os.path.join(source, 'model.onnx'), os.path.join(target, 'model.onnx')
    before = inspect(model)
    called = functions(before) if before else []
    if not called:
        return [], None
    os.makedirs(target)
    result = ocellus('expand', model, '-o', expanded)
    if result.returncode:
        return called, why(result)
    after = inspect(expanded)
    if not after:
        return called, 'the expanded model cannot be read'
    left = functions(after)
    if left:
        return called, 'it still calls ' + ', '.join(left)
    for domain, version in before['opsets'].items():
        if after['opsets'].get(domain, version) != version:
            return called, f"its opset of {domain} is {after['opsets'][domain]}, not {version}"
    for entry in os.listdir(source):
        if entry != 'model.onnx':
            os.symlink(os.path.abspath(os.path.join(source, entry)), os.path.join(target, entry))
    return called, None


def verdicts(top):
    """What `ocellus test` says of the tests below top, by their paths: (state, text)."""
    found = {}
    for folder in {os.path.dirname(name) for name in called}:
        path = os.path.join(top, folder)
        result = ocellus('test', path, '--json')
        if not result.stdout.startswith('{'):
            sys.exit(f'{path}: {why(result)}')
        for test in json.loads(result.stdout)['tests']:
            found[os.path.join(folder, test['test'])] = (test['state'], test.get('text', ''))
    return found


def same_bits(name):
    """Whether the model itself can be run on its data, and None, or how the expanded model differs
    from it when its bodies are run."""
    runs = [[os.path.join(options.folder, name, 'model.onnx'), '--expand', 'all'],
            [os.path.join(scratch, name, 'model.onnx')]]
    written = [os.path.join(scratch, name, to) for to in ('as_bodies', 'as_expanded')]
    sets = os.path.join(scratch, name, 'test_data_set_0')
    for run, to in zip(runs, written):
        os.mkdir(to)
        inputs = [] if not any(f.startswith('input_') for f in os.listdir(sets)) else ['-i', sets]
        result = ocellus('run', *run, *inputs, '--seed', '1', '-q', '-o', to)
        if result.returncode:
            return to == written[1], why(result)
    for file in sorted(os.listdir(written[0])):
        with open(os.path.join(written[0], file), 'rb') as a, \
                open(os.path.join(written[1], file), 'rb') as b:
            if a.read() != b.read():
                return True, f'{file} is not what the bodies give'
    return True, None


if not os.path.isdir(options.folder):
    print(f'skipped: there is no {options.folder}')
    sys.exit(77)
with tempfile.TemporaryDirectory() as temporary:
    scratch = options.keep or temporary
    os.makedirs(scratch, exist_ok=True)
    names = sorted(os.path.relpath(path, options.folder)
                   for path, _, files in os.walk(options.folder) if 'model.onnx' in files)[::options.sample]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        called, failures = {}, {}
        for name, (ops, wrong) in zip(names, pool.map(expand, names)):
            if ops:
                called[name] = ops
            if wrong:
                failures[name] = wrong
    skipped = {}
    theirs, ours = verdicts(options.folder), verdicts(scratch)
    for name in called:
        if name in failures:
            continue
        if theirs[name][0] == 'skip':
            skipped[name] = theirs[name][1]
        elif theirs[name][0] == 'fail':
            runs, wrong = same_bits(name)
            if wrong:
                (failures if runs else skipped)[name] = wrong
        elif ours[name][0] != 'pass':
            failures[name] = ours[name][1]
    passed = set(called) - set(failures) - set(skipped)
    for name, text in sorted(failures.items()):
        print(f"{name} ({', '.join(called[name])}): {text}")
    if options.all:
        for name, text in sorted(skipped.items()):
            print(f"skipped: {name} ({', '.join(called[name])}): {text}")
        count = collections.Counter(op for name in passed for op in called[name])
        print('passed, by function:', ', '.join(f'{op} {n}' for op, n in sorted(count.items())))
    print(f'{len(passed)} passed, {len(failures)} failed, {len(skipped)} skipped')
    sys.exit(1 if failures or not passed else 0)
