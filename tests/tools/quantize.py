#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quantize.py - bench/quantize.py and bench/half.py on a small network: what they write, and that it computes the same.

    tests/tools/quantize.py ROOT OCELLUS"""
import os
import subprocess
import sys
import tempfile

ROOT, OCELLUS = (os.path.abspath(path) for path in sys.argv[1:3])
SYSTEM = '/usr/bin/python3'  # whose modules a distribution installs

try:
    import numpy as np
    import onnx
    from onnx import numpy_helper
except ImportError as missing:
    if os.path.exists(SYSTEM) and sys.executable != SYSTEM:
        os.execv(SYSTEM, [SYSTEM, '-B', *sys.argv])
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'bench'))
import quantized_forms
import small_networks

count = {'checks': 0, 'failed': 0}


def check(holds, what):
    count['checks'] += 1
    if not holds:
        count['failed'] += 1
        print(f'FAIL: {what}')


def network():
    """Everything that is folded, removed, moved and computed in 8 bits, and one operator that stays in float."""
    t = small_networks.Text(x=[1, 3, 12, 12])
    y = t.conv('x', 3, 8, then=None, bias=False)
    norm = [t.weight(8) for _ in range(3)]
    y = t.op('Relu', t.op('BatchNormalization', y, *norm, norm[0]))  # its scale is a variance too: near 1
    y = t.op('MaxPool', y, kernel_shape=[2, 2], strides=[2, 2])
    a, b = t.conv(y, 8, 8, then=None), t.conv(y, 8, 8, 1, then=None)
    y = t.op('Relu', t.op('Add', a, b))
    swish = t.op('HardSwish', t.conv(y, 8, 8, group=8, then=None))
    y = t.op('Concat', y, t.conv(swish, 8, 8, 1, then=None), axis=1)
    y = t.conv_transpose(t.conv_transpose(y, 16, 8), 8, 8, then=None)  # which have no 8-bit operator
    y = t.conv(y, 8, 16, 3, 2, then=None)
    return t, [t.dense(t.op('Flatten', t.op('GlobalAveragePool', y)), 16, 5)]


def write_network(folder):
    small_networks.NETWORKS['tested'] = network
    path = os.path.join(folder, 'float.onnx')
    small_networks.make(OCELLUS, 'tested', path)
    np.save(os.path.join(folder, 'x.npy'), np.random.default_rng(2).uniform(-1, 1, (1, 3, 12, 12)).astype(np.float32))
    return path


def script(name, *words):
    return subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'bench', name), *words], capture_output=True, text=True)


def made(folder, *options):
    """A quantised network and its result."""
    path = os.path.join(folder, 'quantised.onnx')
    done = script('quantize.py', OCELLUS, os.path.join(folder, 'float.onnx'), path, '-i', f'x={folder}/x.npy', *options)
    check(done.returncode == 0, f'{options}: {done.stderr}')
    return onnx.load(path), result(folder, path)


def result(folder, path):
    subprocess.run([OCELLUS, 'run', path, '-i', f'x={folder}/x.npy', '-q', '-o', f'{folder}/y.npy'], check=True,
                   stdout=subprocess.DEVNULL)
    return np.load(f'{folder}/y.npy')


def kinds(model):
    return [node.op_type for node in model.graph.node]


def constants(model):
    return {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}


def steps(found, expected):
    """The largest difference in steps of an 8-bit output."""
    span = max(expected.max(), 0) - min(expected.min(), 0)
    return np.abs(found - expected).max() / (span / 255)


def folded_weights(folder):
    """The first convolution's weights with the normalisation in them, by its definition."""
    model = onnx.load(os.path.join(folder, 'float.onnx'))
    numbers = constants(model)
    norm = next(node for node in model.graph.node if node.op_type == 'BatchNormalization')
    weights = numbers[model.graph.node[0].input[1]].astype(np.float64)
    gamma, variance = (numbers[norm.input[i]].astype(np.float64) for i in (1, 4))
    return weights * (gamma / np.sqrt(variance + 1e-5)).reshape(-1, 1, 1, 1)


def check_qdq(folder, expected):
    model, found = made(folder)
    numbers, names = constants(model), kinds(model)
    by_output = {node.output[0]: node for node in model.graph.node}
    check('BatchNormalization' not in names and 'Relu' not in names, f'folded and removed: {names}')
    check(names.count('Conv') == 6 and 'HardSwish' in names and 'QLinearConv' not in names, f'operators stay: {names}')
    check(steps(found, expected) < 6, f'qdq is {steps(found, expected)} steps away')
    conv = next(node for node in model.graph.node if node.op_type == 'Conv')
    x, weights, bias = (by_output[name] for name in conv.input)
    check({x.op_type, weights.op_type, bias.op_type} == {'DequantizeLinear'}, 'all inputs of Conv are dequantised')
    codes, scale, zero = (numbers[name] for name in weights.input)
    check(codes.dtype == np.int8 and scale.shape == (8,) and not zero.any() and np.abs(codes).max() == 127,
          'weights are int8, by a scale for each channel')
    far = np.abs(codes * scale.reshape(-1, 1, 1, 1).astype(np.float64) - folded_weights(folder))
    check((far <= 0.501 * scale.reshape(-1, 1, 1, 1)).all(), 'codes are the nearest to the folded weights')
    x_scale = numbers[x.input[1]]
    check(x_scale.shape == () and numbers[x.input[2]].dtype == np.uint8, 'one scale for all of a value')
    check(numbers[bias.input[0]].dtype == np.int32 and np.allclose(numbers[bias.input[1]], x_scale * scale, rtol=1e-6),
          "the bias has the product's scale")
    pool = by_output[next(node for node in model.graph.node if node.op_type == 'MaxPool').input[0]]
    moved = next(node for node in model.graph.node if node.input[0] == by_output_name(model, 'MaxPool'))
    check([numbers[n] for n in pool.input[1:]] == [numbers[n] for n in moved.input[1:]], 'MaxPool keeps the scale')


def by_output_name(model, kind):
    return next(node for node in model.graph.node if node.op_type == kind).output[0]


def check_qoperator(folder, expected):
    _, chain = made(folder)
    model, found = made(folder, '--form', 'qoperator')
    names = kinds(model)
    for kind, times in (('QLinearConv', 6), ('QLinearAdd', 1), ('QLinearConcat', 1), ('QLinearGlobalAveragePool', 1),
                        ('QGemm', 1), ('HardSwish', 1), ('MaxPool', 1), ('Conv', 0), ('ConvTranspose', 2),
                        ('Relu', 1)):
        check(names.count(kind) == times, f'{kind} {times} times: {names}')
    check(steps(found, expected) < 6 and steps(found, chain) < 3, f'qoperator is {steps(found, expected)} steps away, '
                                                                 f'{steps(found, chain)} from qdq')
    ports = [*model.graph.input, *model.graph.output]
    check({p.type.tensor_type.elem_type for p in ports} == {onnx.TensorProto.FLOAT}, 'inputs and outputs are float')


def check_types(folder, expected):
    for form in 'qdq', 'qoperator':
        model, found = made(folder, '--form', form, '--activations', 'int8', '--weights', 'uint8')
        types = {array.dtype.name for name, array in constants(model).items() if name.endswith('_quantized')}
        check(types == {'uint8', 'int32'}, f'{form}: weights are uint8, the bias int32: {types}')
        zeros = [array for name, array in constants(model).items() if name.endswith('x_zero_point')]
        check([z.dtype for z in zeros] == [np.int8], f'{form}: values are int8')
        check(steps(found, expected) < 8, f'{form}, int8 values: {steps(found, expected)} steps away')


def check_runs(folder):
    np.save(f'{folder}/twice.npy', 2 * np.load(f'{folder}/x.npy'))
    one, two = (constants(made(folder, *more)[0])['x_scale'] for more in ([], ['-i', f'x={folder}/twice.npy']))
    check(np.isclose(two, 2 * one), f'ranges are those of all runs: {one}, {two}')


def check_scales():
    weights = np.array([[0, 0], [1e-44, 0], [-254, 127]])
    scale, zero = quantized_forms.around_zero(weights, 0)
    check(scale.dtype == np.float32 and (scale > 0).all() and scale[2] == 2 and zero == 0, f'scales: {scale}')


def check_symmetric(folder, expected):
    model, found = made(folder, '--activations', 'int8', '--symmetric')
    zeros = [array for name, array in constants(model).items() if name.endswith('_zero_point')]
    check(not any(z.any() for z in zeros) and {z.dtype for z in zeros} == {np.dtype(np.int8)}, 'zero points are 0')
    check(kinds(model).count('Relu') == 3, f'Relu stays: {kinds(model)}')
    check(steps(found, expected) < 8, f'symmetric: {steps(found, expected)} steps away')


def check_softmax(folder):
    """Its scale is 1/256 whatever its numbers were."""
    t = small_networks.Text(x=[1, 3, 12, 12])
    small_networks.NETWORKS['tested'] = lambda: (t, [t.op('Softmax', t.conv('x', 3, 8, then=None), axis=-1)])
    path, out = (os.path.join(folder, name) for name in ('softmax.onnx', 'softmax-8bit.onnx'))
    small_networks.make(OCELLUS, 'tested', path)
    done = script('quantize.py', OCELLUS, path, out, '-i', f'x={folder}/x.npy')
    numbers = constants(onnx.load(out)) if done.returncode == 0 else {}
    last = onnx.load(out).graph.node[-1]
    check([float(numbers[name]) for name in last.input[1:]] == [1 / 256, 0], f'Softmax: {last.input} {done.stderr}')


def check_half(folder, path, expected):
    out = os.path.join(folder, 'half.onnx')
    done = script('half.py', path, out)
    check(done.returncode == 0, f'half: {done.stderr}')
    model = onnx.load(out)
    check({a.dtype for a in constants(model).values()} == {np.dtype(np.float16)}, 'all weights are float16')
    check(kinds(model).count('Cast') == 2, 'a Cast at the input and at the output')
    far = np.abs(result(folder, out) - expected).max() / np.abs(expected).max()
    check(0 < far < 5e-3, f'half is {far} away')


def check_refusals(folder, path):
    done = script('quantize.py', OCELLUS, path, os.path.join(folder, 'no.onnx'), '-i', f'other={folder}/x.npy')
    check(done.returncode == 1 and done.stderr.count('\n') == 1 and 'other' in done.stderr, f'one line: {done.stderr}')
    check(not os.path.exists(os.path.join(folder, 'no.onnx')), 'and no file')
    source = os.path.join(folder, 'exp.onnxtxt')
    with open(source, 'w', encoding='utf-8') as f:
        f.write('<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) { y = Exp (x) }\n')
    subprocess.run([OCELLUS, 'convert', source, f'{folder}/exp.onnx'], check=True)
    for name in 'quantize.py', 'half.py':
        done = script(name, *[OCELLUS][:name == 'quantize.py'], f'{folder}/quantised.onnx', f'{folder}/no.onnx')
        check(done.returncode == 1 and 'already' in done.stderr, f'{name}: 8 bits already: {done.stderr}')
    done = script('quantize.py', OCELLUS, f'{folder}/exp.onnx', f'{folder}/no.onnx', '-i', f'x={folder}/x.npy')
    check(done.returncode == 1 and 'no operator' in done.stderr, f'nothing to quantise: {done.stderr}')


with tempfile.TemporaryDirectory() as folder:
    path = write_network(folder)
    expected = result(folder, path)
    check_qdq(folder, expected)
    check_qoperator(folder, expected)
    check_types(folder, expected)
    check_symmetric(folder, expected)
    check_runs(folder)
    check_scales()
    check_half(folder, path, expected)
    check_softmax(folder)
    check_refusals(folder, path)
print(f'{count["checks"] - count["failed"]} passed, {count["failed"]} failed, 0 skipped')
sys.exit(count['failed'] > 0)
