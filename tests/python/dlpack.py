# SPDX-License-Identifier: Apache-2.0
"""dlpack.py - tensors of other libraries are read and written where they lie, and outputs are so by them. Needs numpy, and
PyTorch for a part; the library is the one that OCELLUS_LIBRARY names."""
import gc
import sys
import unittest
import weakref

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None

import ocellus
from ocellus import _dlpack

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'


def identity(kind):
    return ocellus.Session((HEAD + f'g ({kind} x) => ({kind} y) {{ y = Identity (x) }}').encode(), threads=1)


class Tensor:
    """What another library's tensor shows of itself."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


class OfAnyLibrary(unittest.TestCase):
    def code(self, call, *given):
        with self.assertRaises(ocellus.Error) as caught:
            call(*given)
        return caught.exception.code

    def test_is_read_where_it_lies(self):
        session = identity('float[N,3]')
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        view, number = _dlpack.view(Tensor(array), 'x')
        self.assertEqual((view.ctypes.data, number, view.shape), (array.ctypes.data, 1, (2, 3)))
        session.run({'x': Tensor(array)})
        array[:] = 7  # of which no copy can know
        self.assertEqual(session.run()['y'].tolist(), [[7, 7, 7]] * 2)

    def test_lives_as_long_as_it_is_bound(self):
        session = identity('float[N]')
        array = np.ones(100000, np.float32)
        alive = weakref.ref(array)
        session.run({'x': Tensor(array)})
        del array
        gc.collect()
        self.assertIsNotNone(alive())
        self.assertEqual(session.run()['y'].sum(), 100000)
        session.run({'x': [1]})
        gc.collect()
        self.assertIsNone(alive())

    def test_of_any_strides_and_types(self):
        for dtype in 'f2', 'f4', 'f8', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'c8', 'c16':
            array = np.arange(12).astype(dtype).reshape(3, 4)
            for given in array, array.T, array[::2, 1:], array[:0], array[1, 1]:
                view, _ = _dlpack.view(Tensor(np.asarray(given)), 'x')
                self.assertEqual((view.dtype, view.tolist()), (array.dtype, np.asarray(given).tolist()))
        session = identity('float[N,M]')
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        self.assertEqual(session.run({'x': Tensor(array.T)})['y'].tolist(), array.T.tolist())

    def test_outputs_are_written_there(self):
        session = identity('float[N]')
        y = Tensor(np.zeros(3, np.float32))
        self.assertIs(session.run({'x': [1, 2, 3]}, out={'y': y})['y'], y)
        self.assertEqual(y.array.tolist(), [1, 2, 3])
        self.assertEqual(self.code(session.run, None, None, {'y': Tensor(np.zeros((2, 3), np.float32).T)}), 'ARGUMENT')

    def test_outputs_are_shared(self):
        y = identity('float[N]').run({'x': [1, 2]})['y']
        self.assertEqual(np.from_dlpack(y).ctypes.data, y.ctypes.data)

    def test_what_cannot_be_read(self):
        session = identity('float[N]')
        array = np.ones(2, np.float32)
        self.assertEqual(self.code(session.run, {'x': Tensor(array, (2, 0))}), 'ARGUMENT')  # of a CUDA device
        self.assertEqual(self.code(session.run, {'x': Tensor(array.astype('f8'))}), 'TYPE')
        self.assertEqual(self.code(session.run, {'x': Tensor(np.array(['a']))}), 'TYPE')
        self.assertEqual(self.code(session.run, {'x': Tensor(None)}), 'TYPE')
        array.flags.writeable = False
        self.assertEqual(self.code(session.run, {'x': Tensor(array)}), 'TYPE')  # numpy gives none of these away


@unittest.skipUnless(torch, 'PyTorch is not installed')
class OfPyTorch(unittest.TestCase):
    def test_shares_memory(self):
        session = identity('float[N,3]')
        x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
        view, _ = _dlpack.view(x, 'x')
        self.assertEqual(view.ctypes.data, x.data_ptr())
        y = session.run({'x': x})['y']
        self.assertEqual(torch.from_dlpack(y).data_ptr(), y.ctypes.data)
        self.assertEqual(y.tolist(), x.tolist())
        x += 1
        self.assertEqual(session.run()['y'].tolist(), x.tolist())
        out = torch.zeros(2, 3)
        session.run({'x': x}, out={'y': out})
        self.assertEqual(out.tolist(), x.tolist())

    def test_types_that_numpy_has_not(self):
        session = identity('bfloat16[N]')
        x = torch.tensor([1.5, -2], dtype=torch.bfloat16)
        out = torch.zeros(2, dtype=torch.bfloat16)
        session.run({'x': x}, out={'y': out})
        self.assertEqual(out.tolist(), [1.5, -2])
        with self.assertRaises(ocellus.Error) as caught:
            identity('uint16[N]').run({'x': x})
        self.assertEqual(caught.exception.text, "input 'x' is a tensor of bfloat16, expected uint16")
        self.assertEqual(identity('bool[N]').run({'x': torch.tensor([1, 0]).bool()})['y'].tolist(), [True, False])

    def test_sequences_and_gradients(self):
        session = identity('seq(float[])')
        found = session.run({'x': [torch.ones(2), torch.zeros(1)]})['y']
        self.assertEqual([item.tolist() for item in found], [[1, 1], [0]])
        with self.assertRaises(ocellus.Error) as caught:
            identity('float[N]').run({'x': torch.ones(2, requires_grad=True)})
        self.assertEqual(caught.exception.code, 'TYPE')
        self.assertIn('gradient', caught.exception.text)


if __name__ == '__main__':
    unittest.main()
