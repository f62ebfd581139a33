# SPDX-License-Identifier: Apache-2.0
"""small_networks.py - the small networks of `./dev bench models`, as ONNX text, in the shapes that people publish.

A network is a function that calls a Text and returns the names of its outputs. Weights are inputs in the text;
fill_weights makes constants of them: numbers of a fixed seed, of a size that keeps values near 1."""
import math
import subprocess

OPSET = 17


class Text:
    """The text of one graph: nodes as they are asked for, weights by name and dims."""

    def __init__(self, **inputs):
        self.inputs, self.lines, self.weights, self.tables, self.count = inputs, [], {}, {}, 0

    def op(self, name, *inputs, outputs=1, **attributes):
        self.count += 1
        results = [f'v{self.count}' + (f'_{i}' if i else '') for i in range(outputs)]
        words = ', '.join(f'{k} = "{v}"' if isinstance(v, str) else f'{k} = {v}' for k, v in attributes.items())
        self.lines.append(f'  {", ".join(results)} = {name}{words and f" <{words}>"} ({", ".join(inputs)})')
        return results[0] if outputs == 1 else results

    def weight(self, *dims):
        name = f'w{len(self.weights)}'
        self.weights[name] = dims
        return name

    def integers(self, *numbers):
        name = f't{len(self.tables)}'
        self.tables[name] = f'int64[{len(numbers)}] {name} = {{{", ".join(map(str, numbers))}}}'
        return name

    def number(self, value):
        name = f't{len(self.tables)}'
        self.tables[name] = f'float {name} = {{{value}}}'
        return name

    def branch(self, build):
        """An inner graph as an attribute's text: the nodes that build() asks for, and the outputs that it returns."""
        outer, self.lines = self.lines, []
        outputs = build()
        ports = ', '.join(f'float[] {name}' for name in outputs)
        text = f'inner{self.count} () => ({ports}) {{\n' + '\n'.join(self.lines) + '\n  }'
        self.lines = outer
        return text

    def choice(self, condition, then, otherwise, outputs):
        """If: one of two inner graphs."""
        branches = f'then_branch = {self.branch(then)}, else_branch = {self.branch(otherwise)}'
        self.count += 1
        results = [f'v{self.count}_{i}' for i in range(outputs)]
        self.lines.append(f'  {", ".join(results)} = If <{branches}> ({condition})')
        return results

    # ---- layers

    def conv(self, x, before, after, kernel=3, stride=1, group=1, pads=None, then='Relu', bias=True):
        """A convolution over one axis or two, as kernel is a number or a list, and what follows it."""
        sides = kernel if isinstance(kernel, list) else [kernel, kernel]
        steps = stride if isinstance(stride, list) else [stride] * len(sides)
        pads = [k // 2 for k in sides] * 2 if pads is None else pads
        weights = [self.weight(after, before // group, *sides)] + [self.weight(after)] * bias
        y = self.op('Conv', x, *weights, kernel_shape=sides, strides=steps, group=group, pads=pads)
        return self.op(then, y) if then else y

    def conv_transpose(self, x, before, after, kernel=4, stride=2, pad=1, then='Relu'):
        y = self.op('ConvTranspose', x, self.weight(before, after, kernel, kernel), self.weight(after),
                    strides=[stride, stride], pads=[pad] * 4)
        return self.op(then, y) if then else y

    def separable(self, x, before, after, stride=1):
        """A depthwise convolution, and one of 1 x 1."""
        x = self.conv(x, before, before, 3, stride, group=before)
        return self.conv(x, before, after, 1)

    def dense(self, x, before, after, then=None):
        y = self.op('Gemm', x, self.weight(after, before), self.weight(after), transB=1)
        return self.op(then, y) if then else y

    def linear(self, x, before, after):
        return self.op('Add', self.op('MatMul', x, self.weight(before, after)), self.weight(after))

    def norm(self, x, width):
        return self.op('LayerNormalization', x, self.weight(width), self.weight(width))

    def gelu(self, x):
        half = self.op('Mul', x, self.number(0.5))
        erf = self.op('Erf', self.op('Div', x, self.number(math.sqrt(2))))
        return self.op('Mul', half, self.op('Add', erf, self.number(1)))

    def heads(self, x, tokens, width, count):
        split = self.op('Reshape', x, self.integers(1, tokens, count, width // count))
        return self.op('Transpose', split, perm=[0, 2, 1, 3])

    def attention(self, x, tokens, width, count):
        q, k, v = (self.heads(self.linear(x, width, width), tokens, width, count) for _ in range(3))
        scores = self.op('MatMul', q, self.op('Transpose', k, perm=[0, 1, 3, 2]))
        weights = self.op('Softmax', self.op('Mul', scores, self.number((width // count) ** -0.5)), axis=-1)
        joined = self.op('Transpose', self.op('MatMul', weights, v), perm=[0, 2, 1, 3])
        return self.linear(self.op('Reshape', joined, self.integers(1, tokens, width)), width, width)

    # ---- the text

    def text(self, outputs):
        def ports(dims_of):
            return [f'float[{",".join(map(str, dims))}] {name}' for name, dims in dims_of.items()]
        inputs = ', '.join(ports(self.inputs) + ports(self.weights))
        results = ', '.join(f'float[] {name}' for name in outputs)
        tables = f'<{", ".join(self.tables.values())}>\n' if self.tables else ''
        lines = '\n'.join(self.lines)
        return f'<ir_version: 8, opset_import: ["" : {OPSET}]>\nsmall ({inputs}) => ({results})\n{tables}{{\n{lines}\n}}\n'


# ---- networks

def autoencoder():
    t = Text(x=[1, 3, 64, 64])
    y = t.conv('x', 3, 16, 3, 2)
    y = t.conv(y, 16, 32, 3, 2)
    y = t.conv(y, 32, 64, 3, 2)
    y = t.conv_transpose(y, 64, 32)
    y = t.conv_transpose(y, 32, 16)
    return t, [t.conv_transpose(y, 16, 3, then='Sigmoid')]


def gan_generator():
    t = Text(x=[1, 100, 1, 1])
    y = t.conv_transpose('x', 100, 256, stride=1, pad=0)
    for before, after in ((256, 128), (128, 64), (64, 32)):
        y = t.conv_transpose(y, before, after)
    return t, [t.conv_transpose(y, 32, 3, then='Tanh')]


def transformer(width, tokens, heads, layers=2):
    t = Text(x=[1, tokens, width])
    y = 'x'
    for _ in range(layers):
        y = t.op('Add', y, t.attention(t.norm(y, width), tokens, width, heads))
        inner = t.gelu(t.linear(t.norm(y, width), width, 2 * width))
        y = t.op('Add', y, t.linear(inner, 2 * width, width))
    mean = t.op('ReduceMean', t.norm(y, width), axes=[1], keepdims=0)
    return t, [t.dense(mean, width, 10)]


def keyword_spotter():
    t = Text(x=[1, 1, 49, 10])
    y = t.conv('x', 1, 64, [10, 4], 2, pads=[4, 1, 5, 2])
    for _ in range(4):
        y = t.separable(y, 64, 64)
    flat = t.op('Flatten', t.op('GlobalAveragePool', y))
    return t, [t.op('Softmax', t.dense(flat, 64, 12), axis=-1)]


def speech_activity():
    """A window of sound through convolutions over time and an LSTM, whose state goes in and out."""
    t = Text(x=[1, 1, 576], h=[1, 1, 64], c=[1, 1, 64])
    return t, heard(t, 128)


def speech_rates():
    """The same in two forms, for two sampling rates, one of which runs: all weights are Constants within If."""
    t = Text(x=[1, 1, 576], h=[1, 1, 64], c=[1, 1, 64], rate=[1])
    is_slow = t.op('Less', t.op('Squeeze', 'rate', t.integers(0)), t.number(12000))
    return t, t.choice(is_slow, lambda: heard(t, 64), lambda: heard(t, 128), 3)


def heard(t, window):
    y = t.conv('x', 1, 128, [window], [window // 2], pads=[0, 0])
    for before, after, stride in ((128, 64, 1), (64, 64, 2), (64, 64, 2)):
        y = t.conv(y, before, after, [3], [stride])
    steps = t.op('Transpose', y, perm=[2, 0, 1])
    gates = [t.weight(1, 4 * 64, 64), t.weight(1, 4 * 64, 64), t.weight(1, 8 * 64)]
    _, h, c = t.op('LSTM', steps, *gates, '""', 'h', 'c', outputs=3, hidden_size=64)
    return [t.op('Sigmoid', t.dense(t.op('Squeeze', h, t.integers(0)), 64, 1)), h, c]


def face_detector():
    """In the manner of YuNet: separable convolutions, a pyramid, three heads at each of its levels."""
    t = Text(x=[1, 3, 160, 160])
    y = t.separable(t.conv('x', 3, 16, 3, 2), 16, 16)
    levels = []
    for before, after in ((16, 32), (32, 64), (64, 64), (64, 64)):
        y = t.op('MaxPool', y, kernel_shape=[2, 2], strides=[2, 2])
        y = t.separable(t.separable(y, before, after), after, after)
        levels.append(y)
    outputs, above = [], None
    for side, y in ((5, levels[3]), (10, levels[2]), (20, levels[1])):
        if above:
            y = t.op('Add', y, t.op('Resize', above, '""', '""', t.integers(1, 64, side, side), mode='nearest'))
        above = y = t.separable(y, 64, 64)
        outputs += [face_head(t, y, channels, then) for channels, then in ((1, 'Sigmoid'), (4, None), (10, None))]
    return t, outputs


def face_head(t, y, channels, then):
    y = t.conv(t.conv(y, 64, channels, 1, then=None), channels, channels, 3, group=channels, then=then)
    return t.op('Reshape', t.op('Transpose', y, perm=[0, 2, 3, 1]), t.integers(1, -1, channels))


def plate_reader():
    """In the manner of LPRNet: a text line of 94 x 24, thin convolutions, features of all scales joined."""
    t = Text(x=[1, 3, 24, 94])
    y = pool(t, t.conv('x', 3, 64, pads=[0] * 4), 3, [1, 1])
    first = y = thin_block(t, y, 64, 128)
    y = pool(t, y, 3, [1, 2])
    y = thin_block(t, y, 128, 256)
    second = y = thin_block(t, y, 256, 256)
    y = pool(t, y, 3, [1, 2])
    y = t.conv(y, 256, 256, [1, 4], pads=[0] * 4)
    y = t.conv(y, 256, 68, [13, 1], pads=[0] * 4)
    parts = [scaled_power(t, t.op('AveragePool', first, kernel_shape=[5, 5], strides=[5, 5])),
             scaled_power(t, t.op('AveragePool', second, kernel_shape=[4, 2], strides=[4, 2])), scaled_power(t, y)]
    parts = [t.op('Resize', p, '""', '""', t.integers(1, c, 4, 18), mode='nearest')
             for p, c in zip(parts, (128, 256, 68))]
    y = t.conv(t.op('Concat', *parts, axis=1), 452, 68, 1, then=None)
    return t, [t.op('ReduceMean', y, axes=[2], keepdims=0)]


def pool(t, y, kernel, strides):
    return t.op('MaxPool', y, kernel_shape=[kernel, kernel], strides=strides)


def thin_block(t, y, before, after):
    y = t.conv(y, before, after // 4, 1)
    y = t.conv(y, after // 4, after // 4, [3, 1])
    y = t.conv(y, after // 4, after // 4, [1, 3])
    return t.conv(y, after // 4, after, 1)


def scaled_power(t, y):
    """Divided by the mean of its squares."""
    squares = t.op('Mul', y, y)
    return t.op('Div', y, t.op('Add', t.op('ReduceMean', squares, keepdims=1), t.number(1e-6)))


def face_points(width=32):
    """In the manner of PFLD: inverted residuals, and points from features of three scales."""
    t = Text(x=[1, 3, 112, 112])
    y = t.conv(t.conv('x', 3, width, 3, 2), width, width, 3, group=width)
    for stride, repeats in ((2, 3), (2, 3)):
        for i in range(repeats):
            y = inverted(t, y, width, 2 * width, stride if i == 0 else 1)
    first = t.conv(y, width, 16, 1, then=None)
    second = t.conv(first, 16, 32, 3, 2)
    third = t.conv(second, 32, 64, [7, 7], pads=[0] * 4)
    parts = [t.op('Flatten', part) for part in (t.op('AveragePool', first, kernel_shape=[14, 14]),
                                                t.op('AveragePool', second, kernel_shape=[7, 7]), third)]
    return t, [t.dense(t.op('Concat', *parts, axis=1), 16 + 32 + 64, 196)]


def inverted(t, x, width, inner, stride):
    y = t.conv(x, width, inner, 1)
    y = t.conv(y, inner, inner, 3, stride, group=inner)
    y = t.conv(y, inner, width, 1, then=None)
    return t.op('Add', x, y) if stride == 1 else y


def super_resolution():
    t = Text(x=[1, 1, 112, 112])
    y = t.conv('x', 1, 32, 5)
    y = t.conv(y, 32, 32, 3)
    return t, [t.op('DepthToSpace', t.conv(y, 32, 4, 3, then=None), blocksize=2)]


def style_exit():
    """The end of a network that gives pictures: 3 output channels of a large window."""
    t = Text(x=[1, 32, 64, 64])
    y = t.op('InstanceNormalization', t.conv('x', 32, 32, then=None), t.weight(32), t.weight(32))
    y = t.op('Resize', t.op('Relu', y), '""', '""', t.integers(1, 32, 128, 128), mode='nearest')
    return t, [t.op('Tanh', t.conv(y, 32, 3, 9, then=None))]


def mlp(*widths):
    t = Text(x=[1, widths[0]])
    y = 'x'
    for i, (before, after) in enumerate(zip(widths, widths[1:])):
        y = t.dense(y, before, after, 'Relu' if i + 2 < len(widths) else None)
    return t, [y]


def many_small(count=100):
    """Additions and products of 8 numbers: what a node costs."""
    t = Text(x=[1, 8])
    y = 'x'
    for _ in range(count):
        y = t.op('Add', t.op('MatMul', y, t.weight(8, 8)), t.weight(8))
    return t, [y]


NETWORKS = {'autoencoder': autoencoder, 'face_detector': face_detector, 'face_points': face_points,
            'gan_generator': gan_generator, 'keyword_spotter': keyword_spotter, 'many_small': many_small,
            'mlp_16': lambda: mlp(16, 64, 64, 8), 'mlp_128': lambda: mlp(128, 256, 256, 10),
            'mlp_784': lambda: mlp(784, 512, 512, 10), 'mlp_512_deep': lambda: mlp(*[512] * 7, 10),
            'plate_reader': plate_reader, 'speech_activity': speech_activity, 'speech_rates': speech_rates,
            'style_exit': style_exit, 'super_resolution': super_resolution,
            'transformer_8': lambda: transformer(8, 64, 1), 'transformer_32': lambda: transformer(32, 64, 2),
            'transformer_64': lambda: transformer(64, 65, 4), 'transformer_128': lambda: transformer(128, 65, 4)}


# ---- files

def fill_weights(path, kept):
    """Makes constants of all inputs of a file but those kept: a matrix or kernel keeps the size of what it is
    multiplied with, a vector is near 0, or near 1 where it scales."""
    import numpy as np
    import onnx
    from onnx import numpy_helper
    model, random = onnx.load(path), np.random.default_rng(1)
    scales = {node.input[1] for node in model.graph.node if node.op_type.endswith('Normalization')}
    tensors = {}
    for port in [v for v in model.graph.input if v.name not in kept]:
        dims = [d.dim_value for d in port.type.tensor_type.shape.dim]
        numbers = random.uniform(-1, 1, dims)
        numbers *= math.sqrt(3 / (np.prod(dims[1:]) if len(dims) > 2 else max(dims))) if len(dims) > 1 else 0.1
        tensors[port.name] = numpy_helper.from_array((numbers + (port.name in scales)).astype(np.float32), port.name)
        model.graph.input.remove(port)
    for graph in (a.g for node in model.graph.node for a in node.attribute if a.HasField('g')):
        move_into(graph, tensors)
    model.graph.initializer.extend(tensors.values())
    onnx.save(model, path)


def move_into(graph, tensors):
    """Weights that an inner graph reads become its Constants, as exporters write them."""
    from onnx import helper
    names = {name for node in graph.node for name in node.input} & tensors.keys()
    constants = [helper.make_node('Constant', [], [name], value=tensors.pop(name)) for name in sorted(names)]
    nodes = [*constants, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def make(command, name, path):
    """Writes a network as a binary file."""
    text, outputs = NETWORKS[name]()
    source = f'{path}txt'
    with open(source, 'w', encoding='utf-8') as f:
        f.write(text.text(outputs))
    subprocess.run([command, 'convert', source, path], check=True)
    fill_weights(path, text.inputs)
