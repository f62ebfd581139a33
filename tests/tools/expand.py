# SPDX-License-Identifier: Apache-2.0
"""expand.py OCELLUS [--sample N] - every operator that has a body, expanded under every opset, or every Nth.

For each such operator, and for each opset from that of its oldest body on, a model with one call is
expanded. What is written must import the same opset, call no function, and give the very bits that
the model gives when it is run by its bodies, which keep opsets of their own. A model with a
function of its own goes through the options."""
import json
import os
import subprocess
import sys
import tempfile

NEWEST = 28
UNARY = ('Bernoulli <seed = 2.0>', 'Celu', 'Elu', 'Gelu', 'HardSigmoid', 'HardSwish', 'LeakyRelu',
         'LogSoftmax <axis = 1>', 'Mish', 'Relu', 'Selu', 'Shrink', 'Softmax <axis = 1>', 'Softplus',
         'Softsign', 'Swish', 'ThresholdedRelu')
SHAPE = 'int64[{}] n = {{{}}}'
# operator: (its attributes, inputs that are made up, inputs that are given, outputs)
CALLS = {
    'AffineGrid': ('', ['float[2,2,3] x'], [SHAPE.format(4, '2, 3, 4, 5')], ['float y']),
    'Attention': ('', ['float[2,3,4,6] q', 'float[2,3,4,6] k', 'float[2,3,4,6] v'], [], ['float y']),
    'CastLike': ('', ['float[2,3,4] x'], ['double like = {1}'], ['double y']),
    'CausalConvWithState': ('', ['float[2,3,5] x', 'float[3,1,4] w'], [], ['float y', 'float state']),
    'CenterCropPad': ('<axes = [1, 2]>', ['float[2,3,4] x'], [SHAPE.format(2, '5, 2')], ['float y']),
    'Clip': ('', ['float[2,3,4] x'], ['float low = {0.25}', 'float high = {0.5}'], ['float y']),
    'DynamicQuantizeLinear': ('', ['float[2,3,4] x'], [], ['uint8 y', 'float scale', 'uint8 zero']),
    'GroupNormalization': ('<num_groups = 3>', ['float[2,6,4] x', 'float[6] s', 'float[6] b'], [],
                           ['float y']),
    'LayerNormalization': ('', ['float[2,3,4] x', 'float[4] s', 'float[4] b'], [],
                           ['float y', 'float mean', 'float inverse']),
    'LinearAttention': ('<q_num_heads = 2, kv_num_heads = 2, update_rule = "linear">',
                        ['float[2,3,8] q', 'float[2,3,8] k', 'float[2,3,8] v'], [],
                        ['float y', 'float state']),
    'MeanVarianceNormalization': ('', ['float[2,3,4,5] x'], [], ['float y']),
    'NegativeLogLikelihoodLoss': ('<ignore_index = 1>', ['float[2,3,4] x'],
                                  ['int64[2,4] t = {0, 1, 2, 1, 0, 0, 2, 1}', 'float[3] w = {1, 2, 3}'],
                                  ['float y']),
    'Range': ('', [], ['int64 a = {1}', 'int64 b = {7}', 'int64 c = {2}'], ['int64 y']),
    'RMSNormalization': ('', ['float[2,3,4] x', 'float[4] s'], [], ['float y']),
    'RotaryEmbedding': ('', ['float[2,3,4,6] x', 'float[2,4,3] c', 'float[2,4,3] s'], [], ['float y']),
    'SoftmaxCrossEntropyLoss': ('<ignore_index = 1>', ['float[2,3,4] x'],
                                ['int64[2,4] t = {0, 1, 2, 1, 0, 0, 2, 1}'], ['float y', 'float log']),
    'SwiGLU': ('', ['float[2,3,4] x', 'float[2,3,4] z'], [], ['float y']),
}
CALLS.update({call.split()[0]: (call.partition(' ')[2], ['float[2,3,4] x'], [], ['float y'])
              for call in UNARY})
CALLS.update({op: ('', ['float[2,3,4] x'], ['int64[1] axes = {1}'], ['float y'])
              for op in ('ReduceL1', 'ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp', 'ReduceSumSquare')})
CALLS.update({op: ('', ['float[2,3,4] x', 'float[3,4] z'], [], ['bool y'])
              for op in ('GreaterOrEqual', 'LessOrEqual')})
CALLS['PRelu'] = ('', ['float[2,3,4] x', 'float[3,4] z'], [], ['float y'])
CALLS.update({op: ('', [], ['int64 size = {8}'], ['float y'])
              for op in ('BlackmanWindow', 'HammingWindow', 'HannWindow')})
ELSEWHERE = ('FlexAttention', 'SequenceMap')  # graphs as attributes, sequences: ONNX's own tests have them
# Operators that ONNX Runtime invented, and experiments that ONNX dropped: tests/cases/onnxruntime has both.
INVENTED = ('com.microsoft::', 'com.ms.internal.nhwc::', 'SimplifiedLayerNormalization')
DROPPED = ('Affine', 'DynamicSlice', 'ImageScaler', 'ParametricSoftplus', 'Scale', 'ScaledTanh')
OLDER = ('LayerNormalization', 'MeanVarianceNormalization')  # version 1 of these is such a one


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def model(op, opset):
    attributes, made_up, given, outputs = CALLS[op]
    if op == 'GroupNormalization' and opset < 21:
        made_up = [port.replace('float[6]', 'float[3]') for port in made_up]
    inputs = [port.split()[1] for port in made_up + given]
    weights = f" <{', '.join(given)}>" if given else ''
    names = [port.split()[1] for port in outputs]
    ports = ', '.join(port.replace(' ', '[] ') for port in outputs)
    return (f'<ir_version: 10, opset_import: ["" : {opset}]>\n'
            f"g ({', '.join(made_up)}) => ({ports}){weights}\n"
            f"{{ {', '.join(names)} = {op} {attributes} ({', '.join(inputs)}) }}\n"), names


def compare(op, opset, functions, work):
    """None, or what is wrong."""
    source, target = os.path.join(work, 'm.onnxtxt'), os.path.join(work, 'x.onnx')
    text, names = model(op, opset)
    with open(source, 'w', encoding='utf-8') as out:
        out.write(text)
    result = run('expand', source, '-o', target)
    if result.returncode:
        return result.stderr.strip()
    described = json.loads(run('inspect', target, '--json').stdout)
    if described['opsets'] != {'ai.onnx': opset}:
        return f"it imports {described['opsets']}"
    left = [o['name'] for o in described['operators'] if functions.get(o['name'], NEWEST + 1) <= opset]
    if left:
        return f'it still calls {left}'
    for path, options in ((source, ['--expand', 'all']), (target, [])):
        fill = ['--fill', 'random', '--seed', '3'] if CALLS[op][1] else []
        result = run('run', path, '-q', '-o', path + '.out/', *fill, *options)
        if result.returncode:
            return result.stderr.strip()
    for name in names:
        results = []
        for path in (source, target):
            with open(os.path.join(path + '.out/', name + '.npy'), 'rb') as f:
                results.append(f.read())
        if results[0] != results[1]:
            return f'{name} has other bits'
    return None


LOCAL = """<ir_version: 8, opset_import: ["" : 18, "here" : 1]>
local (float[2] x) => (float[4] y) { t = here.Pair (x) u = Relu (t) y = Softplus (u) }
<domain: "here", opset_import: ["" : 13]>
Pair (a) => (b) { b = Concat <axis = 0> (a, a) }
"""


def options(work):
    """How many checks of the options failed."""
    wrong = 0
    source = os.path.join(work, 'local.onnxtxt')
    with open(source, 'w', encoding='utf-8') as out:
        out.write(LOCAL)
    for arguments, there, gone in (
            ([], ('Concat', 'Max'), ('here.Pair', '"here"', 'Relu (', 'Softplus (')),
            (['--local'], ('Concat', 'Relu (', 'Softplus ('), ('here.Pair', 'Max')),
            (['--only', 'Relu'], ('Concat', 'Max', 'Softplus ('), ('here.Pair', 'Relu ('))):
        result = run('expand', source, '-o', '-', *arguments)
        missing = [word for word in there if word not in result.stdout]
        left = [word for word in gone if word in result.stdout]
        if result.returncode or missing or left:
            print(f'FAIL: expand {arguments}: {result.stderr} without {missing}, with {left}')
            wrong += 1
        flat = os.path.join(work, 'flat.onnx')
        for path, words in ((source, ['-o', work]), (flat, ['--expect', work])):
            if run('expand', source, '-o', flat, *arguments).returncode or \
                    run('run', path, '--fill', 'random', *words).returncode:
                print(f'FAIL: expand {arguments}: other results')
                wrong += 1
    return wrong


def main():
    functions = {}
    for body in json.loads(run('ops', '--json').stdout)['bodies']:
        if body['operator'].startswith(INVENTED) or body['operator'] in DROPPED:
            continue
        if body['operator'] in OLDER and body['since'] == 1:
            continue
        functions[body['operator']] = min(functions.get(body['operator'], NEWEST), body['since'])
    step = int(sys.argv[3]) if sys.argv[2:] else 1
    ran, failed = 0, 0
    for op in sorted(functions):
        if op not in CALLS:
            if op not in ELSEWHERE:
                print(f'FAIL: {op} has a body, but no call here')
                failed += 1
            continue
        for opset in range(functions[op], NEWEST + 1, step):
            with tempfile.TemporaryDirectory() as work:
                wrong = compare(op, opset, functions, work)
            ran += 1
            if wrong:
                print(f'FAIL: {op} under opset {opset}: {wrong}')
                failed += 1
    with tempfile.TemporaryDirectory() as work:
        failed += options(work)
    print(f'{ran} expanded, {failed} failed')
    return 1 if failed or ran < 500 // step else 0


sys.exit(main())
