# SPDX-License-Identifier: Apache-2.0
"""ort_values.py - values as programs for ONNX Runtime hold them, and the memory that they bind. Needs numpy; the library is the
one that OCELLUS_LIBRARY names."""
import sys
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus.onnxruntime as ort
from ocellus.onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, RuntimeException

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
DEFAULTS = (HEAD + 'g (float[N] x, float[2] w = {10, 20}) => (float[N] y) { y = Add (x, w) }').encode()
THREES = [np.float32([3, 3]), np.float32([4])]


class Values(unittest.TestCase):
    def test_tensors(self):
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        value = ort.OrtValue.ortvalue_from_numpy(array)
        self.assertEqual((value.shape(), value.data_type(), value.element_type(), value.device_name(), value.data_ptr()),
                         ([2, 3], 'tensor(float)', 1, 'cpu', array.ctypes.data))
        self.assertTrue(value.is_tensor() and value.has_value() and not value.is_tensor_sequence()
                        and not value.is_sparse_tensor())
        value.update_inplace(np.ones((2, 3), np.float32))
        self.assertEqual(array.sum(), 6)
        self.assertRaises(InvalidArgument, value.update_inplace, np.ones(6, np.float64))
        strided = ort.OrtValue(np.zeros((2, 6), np.float32)[:, ::2])
        strided.update_inplace(np.arange(6, dtype=np.float32))
        self.assertEqual(strided.numpy().tolist(), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(np.from_dlpack(value).ctypes.data, array.ctypes.data)
        again = ort.OrtValue.from_dlpack(value.to_dlpack())
        self.assertEqual((again.data_ptr(), again.data_type()), (array.ctypes.data, 'tensor(float)'))
        self.assertRaises(RuntimeException, ort.OrtValue.ortvalue_from_numpy, array, 'cuda', 0)
        made = ort.OrtValue.ortvalue_from_shape_and_type([2, 2], np.int64)
        self.assertEqual((made.data_type(), made.numpy().tolist()), ('tensor(int64)', [[0, 0], [0, 0]]))
        bits = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(np.uint16([0x3f80]), 16)
        self.assertEqual((bits.data_type(), bits.element_type()), ('tensor(bfloat16)', 16))

    def test_in_and_out(self):
        session = ort.InferenceSession(DEFAULTS)
        x = ort.OrtValue.ortvalue_from_numpy(np.float32([1, 2]))
        found, = session.run_with_ort_values(None, {'x': x})
        self.assertEqual((found.numpy().tolist(), found.data_type()), ([11, 22], 'tensor(float)'))
        self.assertEqual(session.run(['y'], {'x': x})[0].tolist(), [11, 22])
        text = HEAD + '''g (seq(float[N]) s) => (seq(float[N]) t, optional(float[2]) o) {
  t = Identity (s)
  o = Optional <type = float[2]> ()
}'''
        s, o = ort.InferenceSession(text.encode()).run_with_ort_values(None, {'s': ort.OrtValue(THREES)})
        self.assertTrue(s.is_tensor_sequence() and not s.is_tensor())
        self.assertEqual([item.tolist() for item in s._value], [[3, 3], [4]])
        self.assertFalse(o.has_value())
        self.assertRaises(Fail, o.numpy)

    def test_outputs_are_written_only_where_their_type_is(self):
        session = ort.InferenceSession((HEAD + 'g (float[N] x) => (float[N] y, z) { y = Neg (x) z = Shape (y) }').encode())
        x = np.full(4, 300.5, np.float32)
        read_only = np.zeros(4, np.float32)
        read_only.flags.writeable = False
        for target in (np.zeros(4, np.int8), np.zeros(8, np.int8)[::2], np.zeros(4, np.float64), np.zeros(8, np.float64)[::2],
                       np.zeros(4, np.float16)[::-1], np.zeros(4, bool)[::-1], np.zeros(4, '>f4'), np.zeros(8, '>f4')[::2],
                       np.zeros(4, np.complex64), np.full(4, '', object), read_only, read_only[::-1], np.zeros((8, 3), 'f4')[::2],
                       np.zeros(6, np.float32)[::2], np.zeros(1, np.float32)):
            before = target.copy()
            with self.subTest(target=target):
                io = session.io_binding()
                io.bind_cpu_input('x', x)
                try:
                    io.bind_ortvalue_output('y', ort.OrtValue(target))
                    session.run_with_iobinding(io)
                    self.fail(f'it is written: {target}')
                except InvalidArgument:
                    pass
                self.assertEqual((target.tolist(), target.dtype), (before.tolist(), before.dtype))
        for target in np.zeros(8, np.int32)[::2], np.zeros(1, np.int32), np.zeros(1, np.uint64):
            io = session.io_binding()  # of an output whose type the model does not declare
            io.bind_cpu_input('x', x)
            io.bind_ortvalue_output('z', ort.OrtValue(target))
            self.assertRaises(InvalidArgument, session.run_with_iobinding, io)
            self.assertEqual(target.sum(), 0)
        for target in np.zeros(4, np.float32), np.zeros(8, np.float32)[::2], np.zeros(4, np.float32)[::-1]:
            io = session.io_binding()
            io.bind_cpu_input('x', x)
            io.bind_ortvalue_output('y', ort.OrtValue(target))
            session.run_with_iobinding(io)
            self.assertEqual(target.tolist(), [-300.5] * 4)
        target = np.zeros(4, np.int8)
        io.bind_output('y', 'cpu', 0, np.int8, target.shape, target.ctypes.data)
        self.assertRaises(InvalidArgument, session.run_with_iobinding, io)

    def test_bits_do_not_pass_for_numbers(self):
        bits = ort.OrtValue.ortvalue_from_numpy_with_onnx_type(np.uint16([0x3f80]), 16)
        model = HEAD + 'g ({0}[N] x) => ({0}[N] y) {{ y = Identity (x) }}'
        session = ort.InferenceSession(model.format('uint16').encode())
        self.assertRaises(InvalidArgument, session.run, None, {'x': bits})
        io = session.io_binding()
        io.bind_cpu_input('x', np.uint16([1]))
        io.bind_ortvalue_output('y', bits)
        self.assertRaises(InvalidArgument, session.run_with_iobinding, io)
        session = ort.InferenceSession(model.format('bfloat16').encode())
        for given in bits, np.uint16([0x3f80]), ort.OrtValue.ortvalue_from_numpy(np.uint16([0x3f80])):
            self.assertEqual(session.run(None, {'x': given})[0].tolist(), [0x3f80])


if __name__ == '__main__':
    unittest.main()
