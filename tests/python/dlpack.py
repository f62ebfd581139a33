# SPDX-License-Identifier: Apache-2.0
"""dlpack.py - tensors of other libraries are read and written where they lie, and outputs are so by them. Needs numpy, and
PyTorch for a part; the library is the one that OCELLUS_LIBRARY names."""
import ctypes
import gc
import sys
import threading
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
import ocellus.onnxruntime as ort
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


_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]
DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Made:
    """A capsule whose every field the test sets, over an array of 64 floats, and how often its tensor was freed."""

    def __init__(self, shape=(4,), strides=None, data=0, offset=0, device=(1, 0), element=(2, 32, 1), rank=None,
                 name=b'dltensor', version=(1, 0), flags=0, no_shape=False, no_data=False, deleter=True):
        self.memory = np.arange(64, dtype=np.float32)
        self.dims = (ctypes.c_int64 * max(1, len(shape)))(*shape)
        self.freed = 0
        self.deleter = DELETER(self.free)
        is_versioned = name.endswith(b'versioned')
        self.managed = managed = (_dlpack.DLManagedTensorVersioned if is_versioned else _dlpack.DLManagedTensor)()
        if is_versioned:
            managed.major, managed.minor, managed.flags = *version, flags
        if deleter:
            managed.deleter = ctypes.cast(self.deleter, ctypes.c_void_p).value
        t = managed.tensor
        t.data = None if no_data else self.memory.ctypes.data + data
        t.byte_offset, t.ndim = offset, len(shape) if rank is None else rank
        t.device = _dlpack.DLDevice(*device)
        t.dtype = _dlpack.DLDataType(*element)
        if not no_shape:
            t.shape = ctypes.cast(self.dims, ctypes.POINTER(ctypes.c_int64))
        if strides is not None:
            self.steps = (ctypes.c_int64 * max(1, len(strides)))(*strides)
            t.strides = ctypes.cast(self.steps, ctypes.POINTER(ctypes.c_int64))
        self.name = name
        self.capsule = _new(ctypes.addressof(managed), name, None)

    def free(self, managed):
        self.freed += 1

    def __dlpack__(self, stream=None):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


class Capsules(unittest.TestCase):
    WRONG = (  # a capsule's fields, and the code that it is refused with
        ('ARGUMENT', dict(device=(2, 0))), ('ARGUMENT', dict(device=(0, 0))), ('ARGUMENT', dict(device=(-1, 0))),
        ('ARGUMENT', dict(device=(10, 0))), ('ARGUMENT', dict(device=(99, 5))),
        ('TYPE', dict(element=(99, 32, 1))), ('TYPE', dict(element=(2, 7, 1))), ('TYPE', dict(element=(2, 0, 1))),
        ('TYPE', dict(element=(2, 128, 1))), ('TYPE', dict(element=(2, 32, 0))), ('TYPE', dict(element=(2, 32, 2))),
        ('TYPE', dict(element=(2, 32, 65535))), ('TYPE', dict(element=(3, 64, 1))), ('TYPE', dict(element=(6, 1, 1))),
        ('TYPE', dict(element=(17, 4, 1))), ('TYPE', dict(element=(0, 4, 1))),
        ('SHAPE', dict(rank=-1)), ('SHAPE', dict(rank=-2 ** 31)), ('SHAPE', dict(rank=17, shape=(1,) * 17)),
        ('SHAPE', dict(rank=33, shape=(1,) * 33)), ('SHAPE', dict(rank=65, shape=(1,) * 65)),
        ('SHAPE', dict(rank=2 ** 31 - 1)), ('SHAPE', dict(no_shape=True)),
        ('SHAPE', dict(shape=(-4,))), ('SHAPE', dict(shape=(4, -1))), ('SHAPE', dict(shape=(0, -1))),
        ('SHAPE', dict(shape=(-2 ** 63,))), ('SHAPE', dict(shape=(2 ** 63 - 1,))), ('SHAPE', dict(shape=(2 ** 61,))),
        ('SHAPE', dict(shape=(2 ** 40, 2 ** 40))), ('SHAPE', dict(shape=(2 ** 31, 2 ** 31, 2 ** 31))),
        ('SHAPE', dict(shape=(2 ** 62, 4))), ('SHAPE', dict(shape=(0, 2 ** 62))),
        ('SHAPE', dict(shape=(2 ** 62, 4), strides=(0, 0))),
        ('SHAPE', dict(strides=(2 ** 62,))), ('SHAPE', dict(strides=(2 ** 63 - 1,))), ('SHAPE', dict(strides=(-2 ** 63,))),
        ('SHAPE', dict(strides=(-2 ** 60,))), ('SHAPE', dict(shape=(2, 2), strides=(2 ** 60, 2 ** 60))),
        ('SHAPE', dict(shape=(2 ** 40,), strides=(2 ** 22,))), ('SHAPE', dict(offset=2 ** 64 - 1)),
        ('SHAPE', dict(offset=2 ** 63)), ('SHAPE', dict(offset=2 ** 64 - 4)),
        ('ARGUMENT', dict(no_data=True)), ('ARGUMENT', dict(no_data=True, shape=())),
        ('ARGUMENT', dict(no_data=True, offset=4096)), ('ARGUMENT', dict(name=b'used_dltensor')),
        ('ARGUMENT', dict(name=b'used_dltensor_versioned')), ('TYPE', dict(name=b'tensor')), ('TYPE', dict(name=b'')),
        ('TYPE', dict(name=None)),
        ('UNSUPPORTED', dict(name=b'dltensor_versioned', version=(2, 0))),
        ('UNSUPPORTED', dict(name=b'dltensor_versioned', version=(0, 8))),
        ('UNSUPPORTED', dict(name=b'dltensor_versioned', version=(2 ** 32 - 1, 0))),
        ('ARGUMENT', dict(name=b'dltensor_versioned', device=(2, 0))))

    def test_what_is_wrong_is_refused_before_it_is_read(self):
        session = identity('float[N]')
        for code, fields in self.WRONG:
            if fields.get('name', b'') is None:
                class NoCapsule:
                    name, freed, capsule = b'', 0, 'dltensor'
                    __dlpack__, __dlpack_device__ = lambda self: self.capsule, lambda self: (1, 0)

                made = NoCapsule()
            else:
                made = Made(**fields)
            for take in (lambda: session.run({'x': made}), lambda: session.run({'x': [1]}, None, {'y': made}),
                         lambda: ort.OrtValue.from_dlpack(made), lambda: ort.OrtValue.from_dlpack(made.capsule)):
                with self.subTest(**fields):
                    with self.assertRaises(ocellus.Error) as caught:
                        take()
                    self.assertEqual(caught.exception.code, code, caught.exception.text)
            if made.name:
                self.assertEqual(_name(made.capsule), made.name)  # it stays its owner's
            self.assertEqual(made.freed, 0)
            self.assertEqual(session.run({'x': [1]})['y'].tolist(), [1])

    def test_what_is_right_is_read(self):
        four = [[0, 1, 2, 3]]
        for expected, fields in (
                (four, {}), (four, dict(strides=(1,))), ([[0, 2, 4, 6]], dict(strides=(2,))),
                ([[3, 2, 1, 0]], dict(strides=(-1,), data=12)), ([[5] * 4], dict(strides=(0,), data=20)),
                ([[2, 3, 4, 5]], dict(offset=8)), ([[0]], dict(shape=(1,), strides=(2 ** 63 - 1,))), ([[]], dict(shape=(0,))),
                ([[]], dict(shape=(0,), no_data=True)), ([[]], dict(shape=(0,), strides=(2 ** 63 - 1,), offset=2 ** 64 - 1)),
                (four, dict(device=(3, 0))), (four, dict(device=(13, 1))), (four, dict(deleter=False)),
                (four, dict(name=b'dltensor_versioned')), (four, dict(name=b'dltensor_versioned', version=(1, 9))),
                (four, dict(name=b'dltensor_versioned', flags=1)), (four, dict(name=b'dltensor_versioned', flags=2))):
            for take in (lambda made: identity('float[N]').run({'x': made})['y'],
                         lambda made: ort.OrtValue.from_dlpack(made.capsule).numpy()):
                with self.subTest(**fields):
                    made = Made(**fields)
                    self.assertEqual([take(made).tolist()], expected)
                    self.assertEqual(_name(made.capsule), b'used_' + made.name)
                    gc.collect()
                    self.assertEqual(made.freed, fields.get('deleter', True))
        made = Made(shape=(1, 2, 3), strides=(99, 3, 1))
        self.assertEqual(_dlpack.view(made, 'x')[0].tolist(), [[[0, 1, 2], [3, 4, 5]]])
        self.assertEqual(_dlpack.view(Made(shape=()), 'x')[0].tolist(), 0)
        self.assertEqual(_dlpack.view(Made(shape=(1,) * 16), 'x')[0].shape, (1,) * 16)

    def test_is_taken_once_and_lives_as_long_as_its_arrays(self):
        for other in (lambda made: ort.OrtValue.from_dlpack(made.capsule), np.from_dlpack,
                      lambda made: identity('float[N]').run({'x': made})):
            made = Made()
            value = ort.OrtValue.from_dlpack(made.capsule)
            with self.assertRaises((ocellus.Error, ValueError)):
                other(made)
            part = value.numpy()[1:]
            del value
            gc.collect()
            self.assertEqual((made.freed, part.tolist()), (0, [1, 2, 3]))
            del part
            self.assertEqual(made.freed, 1)
            del made.capsule
            gc.collect()
            self.assertEqual(made.freed, 1)
        source = np.arange(1 << 20, dtype=np.float32)
        capsule, kept = source.__dlpack__(), weakref.ref(source)
        value = ort.OrtValue.from_dlpack(capsule)
        del source, capsule
        others = [np.full(1 << 20, 7, np.float32) for _ in range(4)]
        self.assertEqual((value.numpy()[5], len(others)), (5, 4))
        del value
        self.assertIsNone(kept())

    def test_threads_do_not_take_it_twice(self):
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for _ in range(30):
                made, taken, told, barrier = Made(), [], [], threading.Barrier(4)

                def take():
                    barrier.wait()
                    try:
                        taken.append(_dlpack.view(made.capsule, 'x'))
                    except ocellus.Error as e:
                        told.append(e.text)

                threads = [threading.Thread(target=take) for _ in range(4)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual((len(taken), told), (1, ['x is a capsule that was taken before'] * 3))
                taken.clear()
                self.assertEqual(made.freed, 1)
        finally:
            sys.setswitchinterval(interval)

    def test_only_to_be_read(self):
        made = Made(name=b'dltensor_versioned', flags=1)
        with self.assertRaises(ocellus.Error) as caught:
            identity('float[N]').run({'x': [1] * 4}, out={'y': made})
        self.assertEqual(caught.exception.code, 'ARGUMENT')
        self.assertEqual(made.memory[:4].tolist(), [0, 1, 2, 3])
        made = Made(name=b'dltensor_versioned', flags=1)
        self.assertRaises(ort.InvalidArgument, ort.OrtValue.from_dlpack(made.capsule).update_inplace, np.zeros(4, 'f4'))

    def test_a_library_is_asked_for_the_version(self):
        asked = []

        class Versioned(Made):
            def __dlpack__(self, *, stream=None, max_version=None):
                asked.append(max_version)
                return self.capsule

        made = Versioned(name=b'dltensor_versioned', flags=1)
        self.assertEqual(identity('float[N]').run({'x': made})['y'].tolist(), [0, 1, 2, 3])
        self.assertEqual(asked, [(1, 0)])

    def test_devices_that_make_no_sense(self):
        for device in 5, None, ('cpu', 0), (), (None, 0), [2, 0]:
            made = Made()
            made.__class__ = type('Wrong', (Made,), {'__dlpack_device__': lambda self: device})
            with self.subTest(device=device):
                with self.assertRaises(ocellus.Error):
                    _dlpack.view(made, 'x')

    def test_ort_values_are_given_as_their_type(self):
        bits = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(np.uint16([0x3f80]), 16)
        again = ort.OrtValue.from_dlpack(bits.to_dlpack())
        self.assertEqual((again.data_type(), again.numpy().tolist()), ('tensor(bfloat16)', [0x3f80]))
        self.assertRaises(BufferError, ort.OrtValue.ortvalue_from_numpy_with_onnx_type(np.uint8([1]), 21).to_dlpack)
        self.assertEqual(ort.OrtValue.from_dlpack(Tensor(np.uint8([1, 0])), True).numpy().tolist(), [True, False])
        self.assertRaises(ort.InvalidArgument, ort.OrtValue.from_dlpack, Tensor(np.float32([1])), True)


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
