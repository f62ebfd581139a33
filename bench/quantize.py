#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""quantize.py COMMAND MODEL OUT - writes a float network in 8 bits, as quantisers do.

BatchNormalization goes into the convolutions. Ranges of values are those of one run on the bench's picture, by
the ocellus command COMMAND, or of runs on the files of -i. Inputs and outputs of the network stay float.

  --form qdq        QuantizeLinear and DequantizeLinear around every operator that is quantised
  --form qoperator  QLinearConv, QLinearMatMul, and com.microsoft's QLinearAdd, QLinearConcat and others

Values have a scale and a zero point. Weights have a scale for each output channel (int8, zero point 0) or one
for all (uint8). A bias is int32, by the scale of the product. A Relu or Clip that alone reads a quantised
operator's result goes: the range of its own result begins where it would have cut."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper

import feeds
import network_file
import quantized_choice
import quantized_forms


def watched(network, names):
    """The model with these values alone as outputs, numbered: names of values may be no names of files."""
    model = onnx.ModelProto()
    model.CopyFrom(network.model)
    del model.graph.output[:]
    for i, name in enumerate(names):
        model.graph.node.append(helper.make_node('Identity', [name], [f'watched{i}']))
        model.graph.output.append(helper.make_tensor_value_info(f'watched{i}', onnx.TensorProto.FLOAT, None))
    return model


def runs_of(inputs):
    """Words NAME=FILE by run: a name that comes again begins another one."""
    runs, known = [[]], set()
    for word in inputs:
        name = word.split('=')[0]
        if name in known:
            runs.append([])
            known.clear()
        known.add(name)
        runs[-1].append(word)
    return runs


def ends_in_run(command, model, inputs, out):
    """Least and greatest element of each output of the model, in one run."""
    words = [word for file in inputs for word in ('-i', file)]
    done = subprocess.run([command, 'run', model, *words, '--quiet', '-o', out], capture_output=True, text=True)
    if done.returncode:
        raise network_file.Refused((done.stderr.strip() or 'the run failed').splitlines()[-1])
    with np.load(out) as values:
        arrays = {name: values[name] for name in values.files}
    return {name: (float(x.min()), float(x.max())) for name, x in arrays.items()}


def ranges_of(command, network, names, inputs):
    """By value: least and greatest element in runs on the inputs, words NAME=FILE."""
    with tempfile.TemporaryDirectory() as folder:
        model = f'{folder}/watched.onnx'
        onnx.save(watched(network, names), model)
        runs = [ends_in_run(command, model, words, f'{folder}/values.npz') for words in runs_of(inputs)]
    return {name: (min(run[f'watched{i}'][0] for run in runs), max(run[f'watched{i}'][1] for run in runs))
            for i, name in enumerate(names)}


def set_scales(choice, ranges):
    """Values that a node only moves keep the scale of what it reads; Softmax gives 0 to 255 parts of 256, whatever it
    gave in the run: ONNX Runtime's knows no other scale."""
    probabilities = {node.output[0] for node in choice.network.nodes if node.op_type == 'Softmax'}
    moved = {name: node.input[0] for node in choice.network.nodes
             if choice.is_quantised(node) and node.op_type in quantized_choice.MOVES for name in node.output}
    for name in sorted(choice.values):
        source = name
        while source in moved:
            source = moved[source]
        least, greatest = (0.0, 255 / 256) if source in probabilities else ranges[source]
        choice.scale[name] = quantized_choice.scale_of(least, greatest, choice.activations, choice.symmetric)


def quantize(command, path, out, inputs, form='qdq', activations='uint8', weights='int8', symmetric=False):
    network = network_file.Network(path)
    original = network_file.Network(path)
    network_file.fold_into_convolutions(network)
    choice = quantized_choice.choose(network, quantized_forms.KINDS[form], activations, weights, symmetric)
    if not choice.nodes:
        raise network_file.Refused('it has no operator that computes in 8 bits')
    set_scales(choice, ranges_of(command, original, sorted(choice.values), inputs))
    quantized_forms.FORMS[form](choice)
    network.save(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('command', type=pathlib.Path)
    parser.add_argument('model', type=pathlib.Path)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--form', choices=quantized_forms.FORMS, default='qdq')
    parser.add_argument('--activations', choices=('uint8', 'int8'), default='uint8')
    parser.add_argument('--weights', choices=('int8', 'uint8'), default='int8')
    parser.add_argument('--symmetric', action='store_true', help='the zero point of values is in the middle: of int8 0')
    parser.add_argument('-i', dest='inputs', action='append', metavar='NAME=FILE', help='a .npy file; a NAME that comes again begins another run')
    args = parser.parse_args()
    try:
        own = {} if args.inputs else feeds.load_feeds()(args.command, args.model)
        with feeds.written(own) as inputs:
            quantize(args.command, args.model, args.out, args.inputs or inputs, args.form, args.activations, args.weights,
                     args.symmetric)
    except network_file.Refused as error:
        print(f'{args.model}: {error}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
