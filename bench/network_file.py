# SPDX-License-Identifier: Apache-2.0
"""network_file.py - a model of one graph as a list of nodes and a table of constants, to be changed and saved.

Constants are initializers, what Constant nodes give, and copies of those by Identity. BatchNormalization, and
Add and Mul of one number for each channel, can be folded into the convolution that they follow."""
import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference, version_converter

LEAST_OPSET = 13  # the first in which QuantizeLinear knows an axis


class Refused(Exception):
    """Why the model cannot be changed."""


def attribute(node, name, otherwise=None):
    for a in node.attribute:
        if a.name == name:
            return helper.get_attribute_value(a)
    return otherwise


def is_quantised(node):
    return node.op_type.endswith(('QuantizeLinear', 'DequantizeLinear', 'Integer')) or node.op_type.startswith('QLinear')


def opset_of(model):
    return next(o.version for o in model.opset_import if o.domain in ('', 'ai.onnx'))


def declare_softmax(model):
    """The converter asks for the rank of what Softmax reads. Where nothing tells it, an axis from 2 on is taken for the
    last one, as exporters write it."""
    known = {v.name for v in model.graph.value_info if v.type.tensor_type.shape.dim}
    for node in model.graph.node:
        axis = attribute(node, 'axis', 1)
        if node.op_type == 'Softmax' and node.input[0] not in known and axis >= 2:
            dims = [f'softmax_{i}' for i in range(axis + 1)]
            model.graph.value_info.append(helper.make_tensor_value_info(node.input[0], onnx.TensorProto.FLOAT, dims))


def converted(model):
    """The model under the least opset."""
    inferred = shape_inference.infer_shapes(model)
    for v in [v for v in inferred.graph.value_info if not v.type.tensor_type.shape.dim]:
        inferred.graph.value_info.remove(v)
    declare_softmax(inferred)
    try:
        return version_converter.convert_version(inferred, LEAST_OPSET)
    except (RuntimeError, IndexError) as error:
        raise Refused(f'its opset cannot be converted: {str(error).strip().splitlines()[-1]}') from error


def read_by(node):
    """What a node reads, and what the graphs within it do: of these, names of their own too."""
    inner = [helper.get_attribute_value(a) for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
    return list(node.input) + [name for graph in inner for n in graph.node for name in read_by(n)] + [
        v.name for graph in inner for v in graph.output]


class Network:
    def __init__(self, path):
        model = onnx.load(path)
        if any(is_quantised(node) for node in model.graph.node):
            raise Refused('it computes in 8 bits already')
        self.model = model if opset_of(model) >= LEAST_OPSET else converted(model)
        model = self.model
        self.nodes = list(model.graph.node)
        self.constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        self.inputs = [v for v in model.graph.input if v.name not in self.constants]
        self.outputs = [v.name for v in model.graph.output]
        self._gather_constants()

    def _gather_constants(self):
        """What Constant and Identity give becomes a constant, so that no node is left that gives one."""
        kept = []
        for node in self.nodes:
            if node.op_type == 'Constant' and attribute(node, 'value') is not None:
                self.constants[node.output[0]] = numpy_helper.to_array(attribute(node, 'value'))
            elif node.op_type == 'Identity' and node.input[0] in self.constants and node.output[0] not in self.outputs:
                self.constants[node.output[0]] = self.constants[node.input[0]]
            else:
                kept.append(node)
        self.nodes = kept

    def producers(self):
        return {name: node for node in self.nodes for name in node.output if name}

    def count_readers(self):
        """By value: how many inputs of nodes, and outputs of the graph, read it."""
        counts = {}
        for name in [name for node in self.nodes for name in read_by(node)] + self.outputs:
            counts[name] = counts.get(name, 0) + 1
        return counts

    def import_domain(self, domain, version):
        if all(o.domain != domain for o in self.model.opset_import):
            self.model.opset_import.append(helper.make_opsetid(domain, version))

    def save(self, path):
        graph = self.model.graph
        read = {name for node in self.nodes for name in read_by(node)} | set(self.outputs)
        del graph.node[:], graph.initializer[:], graph.value_info[:], graph.input[:]
        graph.node.extend(self.nodes)
        graph.input.extend(self.inputs)
        graph.initializer.extend(numpy_helper.from_array(np.array(array, order='C'), name)
                                 for name, array in self.constants.items() if name in read)
        onnx.save(self.model, path)


# ---- folding

def output_channels_axis(conv):
    return 1 if conv.op_type == 'ConvTranspose' else 0


def folds_into(network, conv):
    """Whether the node is a convolution whose weights may be scaled."""
    return (conv is not None and conv.op_type in ('Conv', 'ConvTranspose') and conv.input[1] in network.constants
            and all(name in network.constants for name in conv.input[2:])
            and (conv.op_type == 'Conv' or attribute(conv, 'group', 1) == 1))


def per_channel(array, channels):
    """One number for each channel, if the array has these along the axis of channels alone."""
    if array.size == 1:
        return np.full(channels, array.reshape(-1)[0], np.float64)
    if array.ndim in (3, 4) and array.size == channels == array.shape[-3]:
        return array.reshape(-1).astype(np.float64)
    return None


def normalisation(network, node, channels):
    """A BatchNormalization's scale and shift."""
    gamma, beta, mean, variance = (network.constants[name].astype(np.float64) for name in node.input[1:])
    scale = gamma / np.sqrt(variance + attribute(node, 'epsilon', 1e-5))
    return scale, beta - mean * scale


def scale_and_shift(network, node, channels):
    """What the node makes of each channel of its other input, if it is y = x * scale + shift."""
    if node.op_type == 'BatchNormalization' and all(name in network.constants for name in node.input[1:]):
        return normalisation(network, node, channels)
    constant = next((network.constants[name] for name in node.input if name in network.constants), None)
    numbers = None if constant is None or node.op_type not in ('Add', 'Mul') else per_channel(constant, channels)
    if numbers is None:
        return None
    return (np.ones(channels), numbers) if node.op_type == 'Add' else (numbers, np.zeros(channels))


def scale_weights(network, conv, scale, shift):
    axis = output_channels_axis(conv)
    weights = network.constants[conv.input[1]]
    bias = network.constants[conv.input[2]] if len(conv.input) > 2 else np.zeros(len(scale))
    names = [f'{conv.output[0]}_weights', f'{conv.output[0]}_bias']
    shape = [-1 if a == axis else 1 for a in range(weights.ndim)]
    network.constants[names[0]] = (weights * scale.reshape(shape)).astype(np.float32)
    network.constants[names[1]] = (bias * scale + shift).astype(np.float32)
    del conv.input[1:]
    conv.input.extend(names)


def fold_into_convolutions(network):
    producers, readers, kept = network.producers(), network.count_readers(), []
    for node in network.nodes:
        x = next((name for name in node.input if name not in network.constants), None)
        conv = producers.get(x)
        scaled = None
        if folds_into(network, conv) and readers[x] == 1:
            channels = network.constants[conv.input[1]].shape[output_channels_axis(conv)]
            scaled = scale_and_shift(network, node, channels)
        if scaled is None:
            kept.append(node)
            continue
        conv.output[0] = node.output[0]
        producers[conv.output[0]] = conv
        scale_weights(network, conv, *scaled)
    network.nodes = kept
