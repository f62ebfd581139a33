# SPDX-License-Identifier: Apache-2.0
"""resnet.py - the text of a model with the architecture of ResNet-18, whose weights are inputs, and its multiply-accumulates
counted by hand from the table of its layers, not by a rule of ours."""


def resnet18():
    """conv1; four stages of two blocks with two 3 x 3 convolutions each, and a 1 x 1 one where the width changes; fc."""
    inputs, lines = ['float[N,3,224,224] image'], []

    def conv(x, y, maps, channels, k, stride):
        inputs.append(f'float[{maps},{channels},{k},{k}] w_{y}')
        pads = ', '.join([str(k // 2)] * 4)
        lines.append(f'[{y}] {y} = Conv <kernel_shape = [{k}, {k}], pads = [{pads}], '
                     f'strides = [{stride}, {stride}]> ({x}, w_{y})')
        return y

    def relu(x):
        lines.append(f'[relu_{x}] r_{x} = Relu ({x})')
        return f'r_{x}'

    x = relu(conv('image', 'conv1', 64, 3, 7, 2))
    lines.append(f'[maxpool] pool = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> ({x})')
    x, channels = 'pool', 64
    for stage, maps in enumerate((64, 128, 256, 512), 1):
        for block in range(2):
            name, stride = f's{stage}b{block}', 2 if stage > 1 and block == 0 else 1
            y = conv(relu(conv(x, f'{name}_a', maps, channels, 3, stride)), f'{name}_b', maps, maps, 3, 1)
            if channels != maps:
                x = conv(x, f'{name}_down', maps, channels, 1, stride)
            lines.append(f'[{name}_add] {name} = Add ({y}, {x})')
            x, channels = relu(name), maps
    lines += [f'[avgpool] average = GlobalAveragePool ({x})', '[flatten] flat = Flatten (average)',
              '[fc] y = Gemm <transB = 1> (flat, w_fc, bias)']
    inputs += ['float[1000,512] w_fc', 'float[1000] bias']
    return ('<ir_version: 8, opset_import: ["" : 17], producer_name: "by hand", metadata_props: ["layers": "18"]>\n'
            f'resnet18 ({", ".join(inputs)}) => (float[N,1000] y) {{\n' + '\n'.join(lines) + '\n}\n')


# Each of the last three stages halves height and width and doubles the maps, so that all of its layers but the first and the
# 1 x 1 one take what a layer of the first stage takes.
CONV1 = 112 * 112 * 64 * (3 * 7 * 7)
LAYER = 56 * 56 * 64 * (64 * 3 * 3)
STAGE1 = 4 * LAYER
LATER = LAYER // 2 + 3 * LAYER + 28 * 28 * 128 * 64
TOTAL = CONV1 + STAGE1 + 3 * LATER + 512 * 1000
assert TOTAL == 1_814_073_344  # the number that is commonly given
