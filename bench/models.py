# SPDX-License-Identifier: Apache-2.0
"""models.py - the models of the comparison and the tensors they are fed, all of them as ONNX text.

A tensor is the output y of a small model of its own, run once on random numbers of a fixed seed; so
a case needs nothing but the command, and its bits are the same everywhere."""
import collections
import hashlib
import math
import os
import subprocess

# Tensor: what makes an input. Model: a case's graph, and the same as a peer without ONNX sees it.
Tensor = collections.namedtuple('Tensor', 'text fill')
Model = collections.namedtuple('Model', 'text inputs spec')

NUMBER = {'float': 1, 'uint8': 2, 'float16': 10, 'double': 11, 'bfloat16': 16}
ANGLE = math.radians(10)


def shape(dims):
    return ','.join(map(str, dims))


def header(opset):
    return f'<ir_version: 10, opset_import: ["" : {opset}]>\n'


# ---- tensors

def maker(inputs, dims, type, body, inner='', fill='random'):
    return Tensor(header(20) + f'make ({inputs}) => ({type}[{shape(dims)}] y)\n{inner}{{\n{body}\n}}\n', fill)


def image(dims, type='float'):
    """Uniform in [-1, 1); uint8 in 0 to 254."""
    scale, offset = (255, 0) if type == 'uint8' else (2, -1)
    return maker(f'float[{shape(dims)}] image', dims, type, f"""  s = Mul (image, scale)
  t = Add (s, offset)
  y = Cast <to = {NUMBER[type]}> (t)""", f'<float scale = {{{scale}}}, float offset = {{{offset}}}>\n')


def rotation(n, rank):
    """n matrices that turn the last two axes by 10 degrees in a grid's own coordinates."""
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    rows = [[c, -s, 0], [s, c, 0]] if rank == 2 else [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0]]
    return ', '.join(f'{x!r}' for _ in range(n) for row in rows for x in row)


def theta(n, rank):
    dims = [n, rank, rank + 1]
    return maker('', dims, 'float', '  y = Identity (t)',
                 f'<float[{shape(dims)}] t = {{{rotation(n, rank)}}}>\n')


def rotated_grid(n, space, align, type='float'):
    rank = len(space)
    size = [n, 1, *space]
    return maker('', [n, *space, rank], type, f"""  g = AffineGrid <align_corners = {align}> (t, size)
  y = Cast <to = {NUMBER[type]}> (g)""", f'<float[{n},{rank},{rank + 1}] t = {{{rotation(n, rank)}}}, '
                 f'int64[{rank + 2}] size = {{{shape(size)}}}>\n')


def random_grid(n, space, type='float'):
    dims = [n, *space, len(space)]
    return maker(f'float[{shape(dims)}] points', dims, type, f"""  s = Mul (points, two)
  t = Sub (s, one)
  y = Cast <to = {NUMBER[type]}> (t)""", '<float two = {2}, float one = {1}>\n')


def regions(n, type='float'):
    """Sides of 16 to 512 pixels anywhere within an image of 1088 x 800."""
    return maker(f'float[{n},4] regions', [n, 4], type, f"""  place, share = Split <axis = 1, num_outputs = 2> (regions)
  more = Mul (share, span)
  side = Add (more, least)
  room = Sub (whole, side)
  low = Mul (place, room)
  high = Add (low, side)
  z = Concat <axis = 1> (low, high)
  y = Cast <to = {NUMBER[type]}> (z)""",
                 '<float[2] whole = {1088, 800}, float span = {496}, float least = {16}>\n')


def zeros(n):
    return maker(f'int64[{n}] zeros', [n], 'int64', '  y = Identity (zeros)', fill='zeros')


# ---- models

def grid_sample(x, space, mode, padding='zeros', align=0, grid='rotated', type='float'):
    """x: the dims of X; space: of the grid, without N and the number of coordinates."""
    out = [*x[:2], *space]
    place = 'float' if type == 'uint8' else type
    text = header(22 if type == 'bfloat16' else 20) + (
        f'sample ({type}[{shape(x)}] X, {place}[{shape([x[0], *space, len(space)])}] grid) => ({type}[{shape(out)}] Y)\n'
        f'{{\n  Y = GridSample <mode = "{mode}", padding_mode = "{padding}", align_corners = {align}> (X, grid)\n}}\n')
    points = rotated_grid(x[0], space, align, place) if grid == 'rotated' else random_grid(x[0], space, place)
    torch = {'linear': 'bilinear', 'cubic': 'bicubic'}.get(mode, mode)
    return Model(text, {'X': image(x, type), 'grid': points},
                 {'op': 'GridSample', 'mode': torch, 'padding': padding, 'align': align})


def roi_align(x, n, out, mode, ratio, type='float'):
    dims = [n, x[1], out, out]
    text = header(22 if type == 'bfloat16' else 16) + (
        f'align ({type}[{shape(x)}] X, {type}[{n},4] rois, int64[{n}] batch) => ({type}[{shape(dims)}] Y)\n'
        f'{{\n  Y = RoiAlign <mode = "{mode}", output_height = {out}, output_width = {out}, '
        f'sampling_ratio = {ratio}, spatial_scale = 0.25> (X, rois, batch)\n}}\n')
    spec = {'op': 'RoiAlign', 'out': out, 'ratio': ratio, 'scale': 0.25} if mode == 'avg' else None
    return Model(text, {'X': image(x, type), 'rois': regions(n, type), 'batch': zeros(n)}, spec)


def resize(x, scale, mode, coordinates='half_pixel', antialias=0, type='float'):
    """The two innermost axes of x, by one scale."""
    out = [*x[:2], *(int(n * scale) for n in x[2:])]
    text = header(19) + (
        f'resize ({type}[{shape(x)}] X) => ({type}[{shape(out)}] Y) <float[2] scales = {{{scale}, {scale}}}>\n'
        f'{{\n  Y = Resize <mode = "{mode}", coordinate_transformation_mode = "{coordinates}", axes = [2, 3], '
        f'antialias = {antialias}> (X, "", scales)\n}}\n')
    torch = {'linear': 'bilinear', 'cubic': 'bicubic'}.get(mode)
    return Model(text, {'X': image(x, type)}, torch and {'op': 'Resize', 'size': out[2:], 'mode': torch,
                                                         'antialias': antialias})


def affine_grid(size, align=0):
    rank = len(size) - 2
    dims = [size[0], *size[2:], rank]
    text = header(20) + (
        f'affine (float[{size[0]},{rank},{rank + 1}] theta) => (float[{shape(dims)}] grid)\n'
        f'<int64[{rank + 2}] size = {{{shape(size)}}}>\n'
        f'{{\n  grid = AffineGrid <align_corners = {align}> (theta, size)\n}}\n')
    return Model(text, {'theta': theta(size[0], rank)}, {'op': 'AffineGrid', 'size': size, 'align': align})


def chain(size, align, mode='linear', show_grid=False):
    """AffineGrid and the GridSample that reads it; show_grid makes the grid an output too."""
    rank = len(size) - 2
    grid = f', float[{shape([size[0], *size[2:], rank])}] grid' if show_grid else ''
    text = header(20) + (
        f'warp (float[{shape(size)}] X, float[{size[0]},{rank},{rank + 1}] theta) => (float[{shape(size)}] Y{grid})\n'
        f'<int64[{rank + 2}] size = {{{shape(size)}}}>\n'
        f'{{\n  grid = AffineGrid <align_corners = {align}> (theta, size)\n'
        f'  Y = GridSample <mode = "{mode}", align_corners = {align}> (X, grid)\n}}\n')
    return Model(text, {'X': image(size), 'theta': theta(size[0], rank)},
                 {'op': 'chain', 'size': size, 'mode': 'bilinear', 'padding': 'zeros', 'align': align})


def single(op, inputs, out, opset=20, attrs='', axes=None):
    """One operator of floats: inputs by name in the order of its own; axes: its last, as an initializer."""
    heads = ', '.join(f'float[{shape(dims)}] {name}' for name, dims in inputs.items())
    names = ', '.join([*inputs, 'axes'] if axes else inputs)
    constant = f'<int64[{len(axes)}] axes = {{{shape(axes)}}}>\n' if axes else ''
    text = header(opset) + (f'single ({heads}) => (float[{shape(out)}] Y)\n{constant}'
                            f'{{\n  Y = {op}{attrs and f" <{attrs}>"} ({names})\n}}\n')
    return Model(text, {name: image(dims) for name, dims in inputs.items()}, None)


def weighted(op, x, w, out, opset=20, attrs=''):
    """One operator of X, of dims x, and of constant weights, which repeat a row of numbers along the first axis
    or, for a matrix, along the last."""
    row = [1, w[1]] if len(w) == 2 else [w[0], *[1] * (len(w) - 1)]
    text = header(opset) + (
        f'weighted (float[{shape(x)}] X) => (float[{shape(out)}] Y)\n'
        f'<float first = {{0}}, float end = {{{max(row)}}}, float step = {{1}}, int64[{len(w)}] row = {{{shape(row)}}}, '
        f'int64[{len(w)}] all = {{{shape(w)}}}>\n'
        f'{{\n  places = Range (first, end, step)\n  waves = Sin (places)\n  some = Reshape (waves, row)\n'
        f'  W = Expand (some, all)\n  Y = {op}{attrs and f" <{attrs}>"} (X, W)\n}}\n')
    return Model(text, {'X': image(x)}, None)


def repeated(op, n, inputs, opset=23, attrs=''):
    """A chain of n nodes of one operator, whose first input is the output of the node before and has its dims; the
    others are the same for all. So what a small node costs stands out beside what a run does."""
    first, *others = inputs
    heads = ', '.join(f'float[{shape(dims)}] {name}' for name, dims in inputs.items())
    names = [first, *(f'y{i}' for i in range(1, n)), 'Y']
    lines = (f'  {out} = {op}{attrs and f" <{attrs}>"} ({", ".join([x, *others])})\n' for x, out in zip(names, names[1:]))
    text = header(opset) + f'repeated ({heads}) => (float[{shape(inputs[first])}] Y)\n{{\n{"".join(lines)}}}\n'
    return Model(text, {name: image(dims) for name, dims in inputs.items()}, None)


# ---- files

class Folder:
    """Where models and tensors are made, each once, under the digest of its text."""

    def __init__(self, path, command):
        self.path, self.command = path, command
        os.makedirs(path, exist_ok=True)

    def _place(self, text, ending):
        return os.path.join(self.path, hashlib.sha256(text.encode()).hexdigest()[:16] + ending)

    def _source(self, text):
        path = self._place(text, '.onnxtxt')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def model(self, model):
        path = self._place(model.text, '.onnx')
        if not os.path.exists(path):
            subprocess.run([self.command, 'convert', self._source(model.text), path], check=True)
        return path

    def tensor(self, tensor):
        path = self._place(tensor.text + tensor.fill, '.npy')
        if not os.path.exists(path):
            subprocess.run([self.command, 'run', self._source(tensor.text), '--fill', tensor.fill, '--seed', '1',
                            '--quiet', '-o', path], check=True, stdout=subprocess.DEVNULL)
        return path

    def inputs(self, model):
        return [f'{name}={self.tensor(tensor)}' for name, tensor in model.inputs.items()]
