# SPDX-License-Identifier: Apache-2.0
"""cases.py - what is compared, and the ratios that are aimed at.

A Case is one model in Ocellus and its peers; target is the ratio peer / Ocellus at one thread that
is wanted, None where none is set. A Relation is several models in Ocellus alone; each but the first
names the most times the first's time that it may take (None: no such bound)."""
import collections
import itertools

import models

Case = collections.namedtuple('Case', 'name model target')
Relation = collections.namedtuple('Relation', 'name variants')  # [(label, model, bound)]

HD = [1080, 1920]
HD_IMAGE = [1, 3, *HD]
MANY = [1, 256, 128, 128]
BATCH = [8, 64, 64, 64]
VOLUME = [1, 16, 32, 64, 64]
FEATURES = [1, 64, 270, 480]
MAP = [1, 256, 200, 272]
WARP = [8, 3, 512, 512]
NAME = {'linear': 'bilinear', 'cubic': 'bicubic'}  # as versions before 20 and most people call them


def grid_sample_cases():
    for grid in ('rotated', 'random'):
        for mode in ('linear', 'nearest', 'cubic'):
            for padding in ('zeros', 'border', 'reflection'):
                target = 2 if grid == 'random' else 10 if mode == 'linear' else 8
                yield Case(f'grid_sample 1x3x1080x1920 {grid} {NAME.get(mode, mode)} {padding}',
                           models.grid_sample(HD_IMAGE, HD, mode, padding, grid=grid), target)
    for x in (MANY, BATCH):
        for mode, target in (('linear', 3), ('cubic', 5)):
            for grid in ('rotated', 'random'):
                yield Case(f'grid_sample {"x".join(map(str, x))} {grid} {NAME[mode]}',
                           models.grid_sample(x, x[2:], mode, grid=grid), target)
    yield Case('grid_sample 8x64x64x64 rotated bilinear align_corners',
               models.grid_sample(BATCH, BATCH[2:], 'linear', align=1), 20)
    for mode, target in (('linear', 8), ('nearest', 8), ('cubic', None)):
        yield Case(f'grid_sample 1x16x32x64x64 rotated {mode}',
                   models.grid_sample(VOLUME, VOLUME[2:], mode), target)


def roi_align_cases():
    for n, out, mode, ratio, target in ((1000, 7, 'avg', 2, 20), (1000, 7, 'avg', 0, 50), (1000, 7, 'max', 2, 8),
                                        (1000, 7, 'max', 0, 8), (100, 14, 'avg', 2, 15)):
        yield Case(f'roi_align 1x256x200x272 {n} rois {out}x{out} {mode} ratio {ratio}',
                   models.roi_align(MAP, n, out, mode, ratio), target)


def resize_cases():
    for x in ([1, 64, 56, 56], [1, 3, 512, 512]):  # as between the layers of a network
        for mode in ('nearest', 'linear'):
            coordinates = 'asymmetric' if mode == 'nearest' else 'half_pixel'
            yield Case(f'resize {sides(x)} float by 2 {NAME.get(mode, mode)}', models.resize(x, 2, mode, coordinates), 1)
    for x, type, scale in itertools.product((HD_IMAGE, FEATURES), ('float', 'uint8'), (2, 0.5)):
        name = f'resize {sides(x)} {type} by {scale}'
        for mode in ('nearest', 'linear', 'cubic'):
            peer = (mode, type) != ('cubic', 'uint8')  # ONNX Runtime has no such sums
            coordinates = 'asymmetric' if mode == 'nearest' else 'half_pixel'
            yield Case(f'{name} {NAME.get(mode, mode)}', models.resize(x, scale, mode, coordinates, type=type),
                       3 if peer else None)
    for mode in ('linear', 'cubic'):
        yield Case(f'resize {sides(HD_IMAGE)} float by 0.25 {NAME[mode]} antialias',
                   models.resize(HD_IMAGE, 0.25, mode, antialias=1), 3)


def affine_cases():
    for size, target in ((HD_IMAGE, 12), (WARP, 3), ([2, 1, 64, 128, 128], 10)):
        yield Case(f'affine_grid {"x".join(map(str, size))}', models.affine_grid(size), target)
    for align, target in ((0, 7), (1, 15)):
        yield Case(f'chain 8x3x512x512 bilinear align_corners {align}', models.chain(WARP, align), target)


def single_cases():
    """N = 1 and C = 1: is one image shared out between threads?"""
    gray = [1, 1, 2160, 3840]
    for mode in ('linear', 'cubic'):
        yield Case(f'grid_sample 1x1x2160x3840 rotated {NAME[mode]}',
                   models.grid_sample(gray, gray[2:], mode), None)
    yield Case('affine_grid 1x1x2160x3840', models.affine_grid(gray), None)
    yield Case('chain 1x1x2160x3840 bilinear', models.chain(gray, 0), None)
    yield Case('roi_align 1x1x200x272 1000 rois 7x7 avg ratio 2',
               models.roi_align([1, 1, 200, 272], 1000, 7, 'avg', 2), None)


def sides(dims):
    return 'x'.join(map(str, dims))


def product_cases():
    """The matrix product in its three forms."""
    side = [512, 512]
    yield Case('matmul 512x512x512', models.single('MatMul', {'A': side, 'B': side}, side), None)
    for x, w, y, attrs in (([1, 64, 56, 56], [64, 64, 3, 3], [1, 64, 56, 56], 'pads = [1, 1, 1, 1]'),
                           ([1, 3, 224, 224], [64, 3, 7, 7], [1, 64, 112, 112], 'pads = [3, 3, 3, 3], strides = [2, 2]')):
        yield Case(f'conv {sides(x)} by {sides(w[2:])}', models.single('Conv', {'X': x, 'W': w}, y, attrs=attrs), None)
    x, w, y = [1, 128, 28, 28], [128, 64, 4, 4], [1, 64, 56, 56]
    yield Case(f'conv_transpose {sides(x)} by 4x4, stride 2',
               models.single('ConvTranspose', {'X': x, 'W': w}, y, attrs='pads = [1, 1, 1, 1], strides = [2, 2]'), None)
    x, w, offset = [1, 64, 56, 56], [64, 64, 3, 3], [1, 18, 56, 56]
    yield Case(f'deform_conv {sides(x)} by 3x3',
               models.single('DeformConv', {'X': x, 'W': w, 'offset': offset}, x, attrs='pads = [1, 1, 1, 1]'), 1)
    for channels, size, kernel, stride in ((32, 112, 3, 1), (96, 112, 3, 2), (240, 28, 5, 1), (960, 7, 3, 1)):
        x, w = [1, channels, size, size], [channels, 1, kernel, kernel]
        pad, out = kernel // 2, size // stride
        attrs = f'group = {channels}, pads = [{pad}, {pad}, {pad}, {pad}], strides = [{stride}, {stride}]'
        yield Case(f'depthwise conv {sides(x)} by {kernel}x{kernel}, stride {stride}',
                   models.single('Conv', {'X': x, 'W': w}, [1, channels, out, out], attrs=attrs), 1)
    for x in ([1, 12, 512, 64], [1, 8, 1024, 64]):
        yield Case(f'attention {sides(x)}', models.single('Attention', {'Q': x, 'K': x, 'V': x}, x, 23), None)


def window_attrs(pad, stride, group=1):
    return f'group = {group}, pads = [{pad}, {pad}, {pad}, {pad}], strides = [{stride}, {stride}]'


def weighted_cases():
    """Products by weights that are constants, as in networks, and one that is not."""
    for a, b in (([512, 512], [512, 512]), ([1024, 1024], [1024, 64]), ([1, 4096], [4096, 4096])):
        y = [a[0], b[1]]
        if a[0] != 512:
            yield Case(f'matmul {sides(a)} by {sides(b)}', models.single('MatMul', {'A': a, 'B': b}, y), 1)
        yield Case(f'matmul {sides(a)} by constant {sides(b)}', models.weighted('MatMul', a, b, y), 1)
    for x, out_channels, kernel, stride in (([1, 64, 56, 56], 64, 3, 1), ([1, 256, 14, 14], 256, 3, 1),
                                            ([1, 256, 56, 56], 64, 1, 1), ([1, 3, 224, 224], 64, 7, 2)):
        y = [1, out_channels, x[2] // stride, x[3] // stride]
        yield Case(f'conv {sides(x)} to {out_channels} by constant {kernel}x{kernel}, stride {stride}', models.weighted(
            'Conv', x, [out_channels, x[1], kernel, kernel], y, attrs=window_attrs(kernel // 2, stride)), 1)
    for channels, size, kernel, stride in ((32, 112, 3, 1), (96, 112, 3, 2), (240, 28, 5, 1), (960, 7, 3, 1)):
        x, y = [1, channels, size, size], [1, channels, size // stride, size // stride]
        yield Case(f'depthwise conv {sides(x)} by constant {kernel}x{kernel}, stride {stride}', models.weighted(
            'Conv', x, [channels, 1, kernel, kernel], y, attrs=window_attrs(kernel // 2, stride, channels)), 1)
    for x, out_channels, kernel in (([1, 256, 14, 14], 256, 2), ([1, 64, 56, 56], 32, 2), ([1, 128, 28, 28], 64, 4)):
        yield Case(f'conv_transpose {sides(x)} to {out_channels} by constant {kernel}x{kernel}, stride 2', models.weighted(
            'ConvTranspose', x, [x[1], out_channels, kernel, kernel], [1, out_channels, 2 * x[2], 2 * x[3]],
            attrs=window_attrs(kernel // 2 - 1, 2)), 1)


def row_cases():
    """Rows of 1024, and columns; then channels of one image, and elements by themselves."""
    x, image, many = [512, 1024], [1, 64, 56, 56], [1024, 1024]
    for op in ('Softmax', 'LogSoftmax'):
        for axis in (1, 0):
            yield Case(f'{op.lower()} {sides(x)} axis {axis}', models.single(op, {'X': x}, x, attrs=f'axis = {axis}'), None)
    row = [x[1]]
    yield Case(f'layer_normalization {sides(x)}',
               models.single('LayerNormalization', {'X': x, 'Scale': row, 'B': row}, x), None)
    yield Case(f'rms_normalization {sides(x)}', models.single('RMSNormalization', {'X': x, 'Scale': row}, x, 23), None)
    yield Case(f'group_normalization {sides(image)} 8 groups', models.single(
        'GroupNormalization', {'X': image, 'Scale': [64], 'B': [64]}, image, 21, 'num_groups = 8'), None)
    for name, op, opset, attrs in (('gelu', 'Gelu', 20, ''), ('gelu tanh', 'Gelu', 20, 'approximate = "tanh"'),
                                   ('swish', 'Swish', 24, ''), ('sigmoid', 'Sigmoid', 20, ''), ('tanh', 'Tanh', 20, ''),
                                   ('exp', 'Exp', 20, ''), ('erf', 'Erf', 20, '')):
        yield Case(f'{name} {sides(many)}', models.single(op, {'X': many}, many, opset, attrs), None)


def small_cases():
    """Nodes that take less than a few microseconds, and powers."""
    eight, square = [8], [16, 16]
    yield Case('1000 add of 8', models.repeated('Add', 1000, {'A': eight, 'B': eight}), 1)
    yield Case('20 matmul 16x16', models.repeated('MatMul', 20, {'A': square, 'B': square}), 1)
    yield Case('20 gemm of 1 row 64x64', models.repeated('Gemm', 20, {'A': [1, 64], 'B': [64, 64], 'C': [64]}), 1)
    for rows, n in ((64, 8), (256, 32)):
        x = [1, rows, n]
        yield Case(f'20 layer_normalization {rows}x{n}',
                   models.repeated('LayerNormalization', 20, {'X': x, 'Scale': [n], 'B': [n]}), 1)
        yield Case(f'20 rms_normalization {rows}x{n}', models.repeated('RMSNormalization', 20, {'X': x, 'Scale': [n]}), 1)
        yield Case(f'20 softmax {rows}x{n}', models.repeated('Softmax', 20, {'X': x}), 1)
    x, by = [100000], [1]
    yield Case(f'pow {sides(x)} by one number', models.single('Pow', {'X': x, 'N': by}, x), None)


def pool_cases():
    x, half = [1, 64, 112, 112], [1, 64, 56, 56]
    for op in ('MaxPool', 'AveragePool'):
        for kernel, stride, pad, y in ((3, 2, 1, half), (2, 2, 0, half), (3, 1, 1, x)):
            attrs = f'kernel_shape = [{kernel}, {kernel}], strides = [{stride}, {stride}], pads = [{pad}, {pad}, {pad}, {pad}]'
            yield Case(f'{op.lower()} {sides(x)} {kernel}x{kernel} stride {stride}', models.single(op, {'X': x}, y, attrs=attrs), None)
    x = [1, 2048, 7, 7]
    yield Case(f'globalaveragepool {sides(x)}', models.single('GlobalAveragePool', {'X': x}, [1, 2048, 1, 1]), None)


def reduction_cases():
    x = [1024, 1024]
    for op in ('ReduceSum', 'ReduceL2', 'ReduceMean', 'ReduceMax'):
        for name, axes, y in (('to one', [0, 1], [1, 1]), ('last axis', [1], [1024, 1]), ('first axis', [0], [1, 1024])):
            yield Case(f'{op.lower()} {sides(x)} {name}', models.single(
                op, {'X': x}, y, axes=axes), None)


BOUND = {'float': None, 'float16': 1.3, 'bfloat16': 1.3, 'double': 2.2, 'uint8': 1.0}


def typed(make, *types):
    return [(type, make(type), BOUND[type]) for type in types]


def relations():
    wide = ('float', 'float16', 'bfloat16', 'double')
    for x in (HD_IMAGE, MANY):
        text = 'x'.join(map(str, x))
        yield Relation(f'types grid_sample {text} bilinear', typed(
            lambda t, x=x: models.grid_sample(x, x[2:], 'linear', type=t), *wide, 'uint8'))
        yield Relation(f'types grid_sample {text} nearest', typed(
            lambda t, x=x: models.grid_sample(x, x[2:], 'nearest', type=t), 'float', 'uint8'))
        yield Relation(f'types grid_sample {text} bicubic', typed(
            lambda t, x=x: models.grid_sample(x, x[2:], 'cubic', type=t), *wide))
    for mode in ('avg', 'max'):
        yield Relation(f'types roi_align 1x256x200x272 1000 rois 7x7 {mode} ratio 2', typed(
            lambda t, mode=mode: models.roi_align(MAP, 1000, 7, mode, 2, type=t), *wide))
    yield Relation('volume grid_sample 1x16x32x64x64', [
        (mode, models.grid_sample(VOLUME, VOLUME[2:], mode), bound)
        for mode, bound in (('linear', None), ('cubic', 10))])
    for align in (0, 1):
        yield Relation(f'fused chain 8x3x512x512 bilinear align_corners {align}', [
            ('unfused', models.chain(WARP, align, show_grid=True), None),
            ('fused', models.chain(WARP, align), 1.0)])


def cases():
    return [*grid_sample_cases(), *roi_align_cases(), *resize_cases(), *affine_cases(), *single_cases(), *product_cases(),
            *weighted_cases(), *row_cases(), *small_cases(), *reduction_cases(), *pool_cases()]
