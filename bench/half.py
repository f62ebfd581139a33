#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""half.py MODEL OUT - writes a float network in float16: its weights, and the values between its nodes.

BatchNormalization goes into the convolutions, whose own results may be past what float16 holds. Inputs and outputs
of the network stay float, with a Cast at each. Operators that ONNX defines for float alone have a Cast around
them."""
import argparse
import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import network_file

FLOAT, HALF = TensorProto.FLOAT, TensorProto.FLOAT16
FLOAT_ONLY = {'NonMaxSuppression', 'QuantizeLinear', 'DequantizeLinear', 'DynamicQuantizeLinear'}
FLOAT_INPUTS = {'Resize': (2,), 'Upsample': (1,)}  # whose scales are float whatever the values are
MOST = float(np.finfo(np.float16).max)


def half_of(array):
    """Numbers past the largest of float16 become that, as in what others write: masks of -3e38 stay finite."""
    return np.clip(array, -MOST, MOST).astype(np.float16) if array.dtype == np.float32 else array


def halve_attributes(node):
    """Cast and ConstantOfShape, and whatever else names the type of its result."""
    for a in node.attribute:
        if a.name in ('to', 'dtype') and a.i == FLOAT:
            a.i = HALF
        elif a.HasField('t'):
            a.t.CopyFrom(numpy_helper.from_array(half_of(numpy_helper.to_array(a.t)), a.t.name))
    if node.op_type == 'ConstantOfShape' and not node.attribute:
        node.attribute.append(helper.make_attribute('value', numpy_helper.from_array(np.zeros(1, np.float16))))


class Halver:
    def __init__(self, network):
        self.network, self.nodes = network, []
        self.float_constants = dict(network.constants)
        network.constants.update({name: half_of(array) for name, array in network.constants.items()})

    def cast(self, name, target, to):
        self.nodes.append(helper.make_node('Cast', [name], [target], name=f'{target}_Cast', to=to))

    def float_form(self, name):
        """A value's name in float, for an operator that reads no other."""
        target = f'{name}_float'
        if name in self.network.constants:
            self.network.constants[target] = self.float_constants[name]
        elif all(target not in node.output for node in self.nodes):
            self.cast(name, target, FLOAT)
        return target

    def is_float(self, name):
        return name in self.float_constants and self.float_constants[name].dtype == np.float32

    def rewrite(self, node):
        halve_attributes(node)
        for i, name in enumerate(node.input):
            wants = i in FLOAT_INPUTS.get(node.op_type, ()) or (node.op_type in FLOAT_ONLY and i < 2)
            if name and wants and (self.is_float(name) or name not in self.network.constants):
                node.input[i] = self.float_form(name)
        self.nodes.append(node)

    def convert_ports(self):
        """Float inputs and outputs of the network keep their names; what nodes read and write has another."""
        network = self.network
        graph = network.model.graph
        inputs = {v.name: f'{v.name}_half' for v in network.inputs if v.type.tensor_type.elem_type == FLOAT}
        outputs = {v.name: f'{v.name}_half' for v in graph.output if v.type.tensor_type.elem_type == FLOAT}
        for name, target in inputs.items():
            self.cast(name, target, HALF)
        renamed = {**inputs, **outputs}
        for node in network.nodes:
            node.input[:] = [renamed.get(name, name) for name in node.input]
            node.output[:] = [renamed.get(name, name) for name in node.output]
        return outputs

    def convert(self):
        outputs = self.convert_ports()
        for node in self.network.nodes:
            self.rewrite(node)
        for name, source in outputs.items():
            self.cast(source, name, FLOAT)
        self.network.nodes = self.nodes


def halve(path, out):
    network = network_file.Network(path)
    if any(network_file.read_by(node) != list(node.input) for node in network.nodes):
        raise network_file.Refused('the model has graphs within nodes')
    network_file.fold_into_convolutions(network)
    Halver(network).convert()
    network.save(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('model', type=pathlib.Path)
    parser.add_argument('out', type=pathlib.Path)
    args = parser.parse_args()
    try:
        halve(args.model, args.out)
    except network_file.Refused as error:
        print(f'{args.model}: {error}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
