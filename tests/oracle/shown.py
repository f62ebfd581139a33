# SPDX-License-Identifier: Apache-2.0
"""shown.py OUT - arrays in OUT/shown.npz, and in OUT/shown.txt how NumPy prints each of them: a line with the
name, the element type in ONNX's words and the dims, then the text. tests/tools/data has both; the test show
compares what the command prints."""
import os
import sys

import numpy as np

NAMES = {'float32': 'float', 'float64': 'double'}
random = np.random.default_rng(5)


def floats(*shape, dtype=np.float32):
    return random.random(shape).astype(dtype)


nan, inf = np.nan, np.inf
arrays = {
    'plain': np.array([[0.1, 0.2, 0.25], [1.5, 2, -3]], np.float32),
    'whole': np.array([1, -2, 30], np.float32),
    'zeros': np.array([0, -0.0, 0], np.float32),
    'small': np.array([1e-5, 1, -2.5], np.float32),
    'large': np.array([1e8, 16777217, 3], np.float64),
    'ratio': np.array([0.001, 1.5], np.float64),
    'huge': np.array([1e300, 1e-300, -1.25], np.float64),
    'digits': np.array([1 / 3, 2 / 3, 100 / 3], np.float64),
    'digits32': np.array([1 / 3, 2 / 3, 100 / 3], np.float32),
    'special': np.array([nan, -nan, inf, -inf, 1.5], np.float32),
    'no_finite': np.array([nan, inf], np.float64),
    'no_finite_minus': np.array([nan, -inf], np.float32),
    'special_exponent': np.array([nan, 1e-10, -inf], np.float64),
    'half': np.array([65504, 0.1, -7], np.float16),
    'half_small': np.array([6e-8, 1], np.float16),
    'wrapped': floats(30),
    'rows': floats(4, 12),
    'cube': floats(2, 3, 2),
    'long': floats(2000),
    'wide': floats(5, 400),
    'tall': floats(400, 3),
    'deep': floats(9, 10, 12, dtype=np.float64),
    'square': floats(40, 40, dtype=np.float16),
    'int8': np.array([[-128, 5], [127, 0]], np.int8),
    'uint64': np.array([2**64 - 1, 0], np.uint64),
    'int64': np.arange(-3, 60, dtype=np.int64),
    'counts': np.arange(3000, dtype=np.int32).reshape(30, 100),
    'bool': np.array([True, False, True]),
    'bool_rows': np.array([[True], [True]]),
    'complex64': np.array([1 + 2j, -0.5 - 1e-3j, 3], np.complex64),
    'complex128': np.array([[complex(nan, inf), 1j], [2.25, complex(-inf, 1)]]),
    'empty': np.zeros((0, 3), np.float32),
    'scalar': np.array(2.5, np.float64),
    'scalar_whole': np.array(2, np.float32),
    'scalar_digits': np.array(1 / 3, np.float64),
    'scalar_int': np.array(-7, np.int16),
    'scalar_bool': np.array(True),
    'scalar_nan': np.array(-nan, np.float32),
    'one': np.array([[[[0.5]]]], np.float32),
}
np.savez_compressed(os.path.join(sys.argv[1], 'shown.npz'), **arrays)
with open(os.path.join(sys.argv[1], 'shown.txt'), 'w', encoding='utf-8') as out:
    for name, a in arrays.items():
        dims = ','.join(str(n) for n in a.shape)
        print(f'= {name} {NAMES.get(a.dtype.name, a.dtype.name)}[{dims}]', file=out)
        print(a, file=out)
