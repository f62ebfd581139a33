# SPDX-License-Identifier: Apache-2.0
"""quantized_choice.py - which operators of a network compute in 8 bits, and which values have 8-bit forms.

Products are always quantised. Other operators are where all their operands are 8-bit values already, so that no
value is quantised for an Add alone."""
import numpy as np

PRODUCTS = {'Conv', 'ConvTranspose', 'Gemm', 'MatMul'}
ARITHMETIC = {'Add', 'Mul', 'Concat', 'Sigmoid', 'LeakyRelu', 'Softmax', 'AveragePool', 'GlobalAveragePool', 'Relu',
              'Clip'}
MOVES = {'MaxPool', 'Reshape', 'Flatten', 'Transpose', 'Squeeze', 'Unsqueeze', 'Slice', 'Split', 'Resize'}


class Choice:
    """Which nodes are quantised, which values have 8-bit forms, and by which scale and zero point."""

    def __init__(self, network, kinds, activations, weights, symmetric=False):
        self.network, self.symmetric = network, symmetric
        self.kinds = kinds  # of operators that have an 8-bit form
        self.activations, self.weights = np.dtype(activations), np.dtype(weights)
        self.nodes = set()  # the first outputs of those that are quantised
        self.values = set()
        self.scale = {}  # value: (scale, zero point)

    def is_quantised(self, node):
        return node.output[0] in self.nodes

    def add(self, node):
        self.nodes.add(node.output[0])
        self.values.update(name for name in (*operands(self.network, node), *node.output) if name)

    def rename_result(self, node, name):
        self.nodes.discard(node.output[0])
        self.values.discard(node.output[0])
        node.output[0] = name
        self.add(node)


def scale_of(least, greatest, dtype, symmetric=False):
    """The scale and zero point that map the range, and 0, to all numbers of the type, or with 0 in their middle."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if symmetric:
        greatest = max(-least, greatest)
        least = -greatest * (high + 1) / high
    least, greatest = min(least, 0.0), max(greatest, 0.0)
    scale = np.float32((greatest - least) / (high - low)) or np.float32(1)
    return scale, dtype.type(np.clip(round(low - least / scale), low, high))


def operands(network, node):
    """The values among a node's inputs that its kind computes with, constants left out."""
    if node.op_type in MOVES or node.op_type == 'Clip':
        return [name for name in node.input[:1] if name not in network.constants]
    return [name for name in node.input if name and name not in network.constants]


def is_product(network, node):
    """Conv and Gemm need constant weights; MatMul multiplies any two values."""
    if node.op_type == 'MatMul':
        return any(name not in network.constants for name in node.input)
    return (node.op_type in PRODUCTS and node.input[0] not in network.constants
            and all(name in network.constants for name in node.input[1:]))


def wants_8_bits(choice, node):
    """Products always, other operators where all their operands are 8-bit values already."""
    inputs = operands(choice.network, node)
    return node.op_type in choice.kinds and (is_product(choice.network, node) or (
        node.op_type not in PRODUCTS and inputs and choice.values.issuperset(inputs)))


def is_limited(choice, before, readers):
    """Whether a Relu or Clip behind this node goes: the range of its own result, once that is the node's, ends where
    it would have cut. A range around 0 does not."""
    return (not choice.symmetric and before is not None and before.op_type in PRODUCTS | ARITHMETIC and choice.is_quantised(before)
            and readers[before.output[0]] == 1)


def choose_in_order(choice):
    network = choice.network
    producers, readers, kept = network.producers(), network.count_readers(), []
    for node in network.nodes:
        before = producers.get(node.input[0]) if node.op_type in ('Relu', 'Clip') else None
        if is_limited(choice, before, readers):
            choice.rename_result(before, node.output[0])
            producers[node.output[0]] = before
            continue
        kept.append(node)
        if wants_8_bits(choice, node):
            choice.add(node)
    network.nodes = kept


def choose(network, kinds, *how):
    choice = Choice(network, kinds, *how)
    for node in network.nodes:
        if node.op_type in choice.kinds and is_product(network, node):
            choice.values.update(operands(network, node))
    choose_in_order(choice)
    return choice
