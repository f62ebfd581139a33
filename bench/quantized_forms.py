# SPDX-License-Identifier: Apache-2.0
"""quantized_forms.py - the two ways in which quantisers write a network of 8 bits.

Both read a Choice. In the form qdq every operator stays what it is and reads DequantizeLinear; in the
form qoperator it becomes one that reads and writes 8-bit numbers, if there is one."""
import numpy as np
from onnx import helper

from network_file import LEAST_OPSET, attribute, read_by
from quantized_choice import ARITHMETIC, MOVES, PRODUCTS, scale_of

MICROSOFT = 'com.microsoft'


def at_least_tiny(scale):
    """In float, in which the scale of weights that are 0, or nearly, is none."""
    return np.maximum(scale, np.finfo(np.float32).tiny).astype(np.float32)


def around_zero(array, axis):
    """The scale that maps the largest magnitude to 127, one for all or one for each place of an axis; zero point 0."""
    if axis is None:
        scale = np.abs(array).max()
    else:
        scale = np.abs(array).max(tuple(a for a in range(array.ndim) if a != axis), keepdims=True)
    return at_least_tiny(scale / np.iinfo(np.int8).max), 0


class Writer:
    """Collects nodes; knows the names of a value's forms: NAME, NAME_quantized, NAME_dequantized."""

    def __init__(self, choice):
        self.choice, self.network = choice, choice.network
        self.constants, self.nodes = self.network.constants, []

    def emit(self, op, inputs, output, domain='', **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], name=f'{output}_{op}', domain=domain, **attributes))

    def keep(self, name, array):
        self.constants[name] = array
        return name

    def scale_names(self, value):
        """The names of the constants that hold a value's scale and zero point."""
        scale, zero = self.choice.scale[value]
        return [self.keep(f'{value}_scale', np.float32(scale)), self.keep(f'{value}_zero_point', zero)]

    def quantise(self, value, source):
        self.emit('QuantizeLinear', [source, *self.scale_names(value)], f'{value}_quantized')

    def dequantise(self, value, target):
        self.emit('DequantizeLinear', [f'{value}_quantized', *self.scale_names(value)], target)

    # ---- constants

    def codes(self, name, dtype, axis=None):
        """The names of a constant's codes, scale and zero point, along an axis if one is given: int8 lies around 0."""
        array = self.constants[name].astype(np.float64)
        scale, zero = (around_zero(array, axis) if dtype == np.int8 else
                       scale_of(float(array.min()), float(array.max()), dtype))
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        codes = np.clip(np.rint(array / scale) + zero, least, most).astype(dtype)
        scale = np.float32(scale) if axis is None else scale.reshape(-1)
        base = f'{name}_{dtype.name}' + ('' if axis is None else f'_axis{axis}')
        return [self.keep(f'{base}_quantized', codes), self.keep(f'{base}_scale', scale),
                self.keep(f'{base}_zero_point', np.full(scale.shape, zero, dtype))]

    def weight_axis(self, node, array):
        """The axis of output channels, where weights have a scale for each of them."""
        if self.choice.weights != np.int8:
            return None
        if node.op_type == 'MatMul':
            return 1 if array.ndim == 2 else None
        if node.op_type == 'Gemm':
            return 0 if attribute(node, 'transB', 0) else 1
        if node.op_type == 'ConvTranspose':
            return 1 if attribute(node, 'group', 1) == 1 else None
        return 0

    def constant_codes(self, node, name):
        """Of weights, or of another operand that is constant; and the axis along which scales differ."""
        if node.op_type in ('Conv', 'ConvTranspose', 'Gemm', 'MatMul'):
            axis = self.weight_axis(node, self.constants[name])
            return self.codes(name, self.choice.weights, axis), axis
        return self.codes(name, self.choice.activations), None

    def bias_codes(self, node, weight_scale):
        """The int32 bias of a product, and the name of its scale."""
        bias = self.constants[node.input[2]].reshape(-1).astype(np.float64)
        scale = at_least_tiny(self.choice.scale[node.input[0]][0] * self.constants[weight_scale].reshape(-1))
        scale = np.broadcast_to(scale, bias.shape) if scale.size > 1 else scale.reshape(())
        most = np.iinfo(np.int32).max
        codes = np.clip(np.rint(bias / scale), -most, most).astype(np.int32)
        base = f'{node.output[0]}_bias'
        return self.keep(f'{base}_quantized', codes), self.keep(f'{base}_scale', scale)

    def has_bias(self, node):
        return node.op_type in ('Conv', 'ConvTranspose', 'Gemm') and len(node.input) > 2

    def finish(self):
        self.network.nodes = self.nodes


# ---- QuantizeLinear and DequantizeLinear around operators

class Qdq(Writer):
    def pair(self, value, source):
        """QuantizeLinear and DequantizeLinear of a value; an output of the network keeps its name."""
        self.quantise(value, source)
        self.dequantise(value, value if value in self.network.outputs else f'{value}_dequantized')

    def read(self, name):
        is_pair = name in self.choice.values and name not in self.network.outputs
        return f'{name}_dequantized' if is_pair else name

    def constant(self, node, name):
        (codes, scale, zero), axis = self.constant_codes(node, name)
        target = f'{codes.removesuffix("_quantized")}_dequantized'
        if all(target not in n.output for n in self.nodes):
            self.emit('DequantizeLinear', [codes, scale, zero], target, **({} if axis is None else {'axis': axis}))
        return target, scale

    def bias(self, node, weight_scale):
        codes, scale = self.bias_codes(node, weight_scale)
        self.emit('DequantizeLinear', [codes, scale], f'{node.output[0]}_bias_dequantized',
                  **({'axis': 0} if self.constants[scale].ndim else {}))
        return f'{node.output[0]}_bias_dequantized'

    def rewrite_inputs(self, node):
        """Constants of a quantised operator are dequantised too; those of one that only moves are not."""
        if not self.choice.is_quantised(node) or node.op_type in MOVES | {'Clip'}:
            return [self.read(name) for name in node.input]
        names, scale = [], None
        for i, name in enumerate(node.input):
            if i == 2 and self.has_bias(node):
                names.append(self.bias(node, scale))
            elif name in self.constants:
                target, scale = self.constant(node, name)
                names.append(target)
            else:
                names.append(self.read(name))
        return names

    def write(self):
        for port in self.network.inputs:
            if port.name in self.choice.values:
                self.pair(port.name, port.name)
        for node in self.network.nodes:
            names = self.rewrite_inputs(node)
            del node.input[:]
            node.input.extend(names)
            self.nodes.append(node)
            for i, value in enumerate(node.output):
                if value in self.choice.values:
                    source = value
                    if value in self.network.outputs:
                        source = node.output[i] = f'{value}_float'
                    self.pair(value, source)
        self.finish()


# ---- operators on 8-bit numbers

class QOperator(Writer):
    def __init__(self, choice):
        super().__init__(choice)
        self.floats = {port.name for port in self.network.inputs}

    def operand(self, node, name):
        """The codes, scale and zero point of a value or of a constant."""
        if name in self.constants:
            return self.constant_codes(node, name)[0]
        return [f'{name}_quantized', *self.scale_names(name)]

    def emit_like(self, op, node, inputs, domain=MICROSOFT, **more):
        """A node with the attributes of another one, which gives the codes of its result."""
        self.emit(op, inputs, f'{node.output[0]}_quantized', domain, **more)
        self.nodes[-1].attribute.extend(node.attribute)

    def bias(self, node, weight_scale):
        return [self.bias_codes(node, weight_scale)[0]] if self.has_bias(node) else []

    def conv(self, node):
        weights = self.operand(node, node.input[1])
        inputs = [*self.operand(node, node.input[0]), *weights, *self.scale_names(node.output[0])]
        self.emit_like('QLinearConv', node, [*inputs, *self.bias(node, weights[1])], '')

    def gemm(self, node):
        weights = self.operand(node, node.input[1])
        self.emit_like('QGemm', node, [*self.operand(node, node.input[0]), *weights,
                                       *(self.bias(node, weights[1]) or ['']), *self.scale_names(node.output[0])])
        for a in [a for a in self.nodes[-1].attribute if a.name == 'beta']:
            self.nodes[-1].attribute.remove(a)

    def pair_of(self, node):
        """MatMul, Add and Mul."""
        inputs = [name for x in node.input for name in self.operand(node, x)]
        self.emit_like(f'QLinear{node.op_type}', node, [*inputs, *self.scale_names(node.output[0])],
                       '' if node.op_type == 'MatMul' else MICROSOFT)

    def one_of(self, node):
        inputs = [*self.operand(node, node.input[0]), *self.scale_names(node.output[0])]
        more = {'Softmax': {'opset': LEAST_OPSET}, 'GlobalAveragePool': {'channels_last': 0}}.get(node.op_type, {})
        self.emit_like(f'QLinear{node.op_type}', node, inputs, **more)

    def concat(self, node):
        inputs = [name for x in node.input for name in self.operand(node, x)]
        self.emit_like('QLinearConcat', node, [*self.scale_names(node.output[0]), *inputs])

    def move(self, node):
        node.input[0] = f'{node.input[0]}_quantized'
        for i, value in enumerate(node.output):
            node.output[i] = f'{value}_quantized'
        self.nodes.append(node)

    def floating(self, node):
        """A node that computes in float between operators that do not."""
        for name in read_by(node):
            if name in self.choice.values and name not in self.floats:
                self.floats.add(name)
                self.dequantise(name, name)
        self.nodes.append(node)
        for value in node.output:
            self.floats.add(value)
            if value in self.choice.values:
                self.quantise(value, value)

    def write(self):
        for port in self.network.inputs:
            if port.name in self.choice.values:
                self.quantise(port.name, port.name)
        for node in self.network.nodes:
            write = WRITERS[node.op_type] if self.choice.is_quantised(node) else QOperator.floating
            write(self, node)
        for name in self.network.outputs:
            if name not in self.floats:
                self.dequantise(name, name)
        self.network.import_domain(MICROSOFT, 1)
        self.finish()


WRITERS = {'Conv': QOperator.conv, 'Gemm': QOperator.gemm, 'Concat': QOperator.concat,
           **dict.fromkeys(('MatMul', 'Add', 'Mul'), QOperator.pair_of),
           **dict.fromkeys(('Sigmoid', 'LeakyRelu', 'Softmax', 'AveragePool', 'GlobalAveragePool'), QOperator.one_of),
           **dict.fromkeys(MOVES, QOperator.move)}
KINDS = {'qdq': PRODUCTS | ARITHMETIC | MOVES, 'qoperator': set(WRITERS)}
FORMS = {'qdq': lambda choice: Qdq(choice).write(), 'qoperator': lambda choice: QOperator(choice).write()}
