# SPDX-License-Identifier: Apache-2.0
"""ort_files.py - what programs for ONNX Runtime give in place of files, and the files that they have written. Needs numpy; the
library is the one that OCELLUS_LIBRARY names."""
import os
import pathlib
import pickle
import signal
import sys
import tempfile
import threading
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus.onnxruntime as ort
from ocellus.onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, NoSuchFile

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
MODEL = (HEAD + 'g (float[N] x) => (float[N] y) <float[1] w = {3}> { y = Mul (x, w) }').encode()


def field(number, value):
    """A field of a protobuf message."""
    def varint(n):
        return bytes([n & 127 | 128 * (n > 127)]) + (varint(n >> 7) if n > 127 else b'')

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def external_model(element_type, dims, op='Add'):
    """A model whose weight w lies at offset 4 of w.bin: y = x + w, or y = w."""
    place = b''.join(field(13, field(1, key) + field(2, value)) for key, value in (('location', 'w.bin'), ('offset', '4')))
    weight = b''.join(field(1, dim) for dim in dims) + field(2, element_type) + field(8, 'w') + place + field(14, 1)
    kind = field(1, field(1, element_type) + field(2, b''.join(field(1, field(1, dim)) for dim in dims)))
    inputs = ['x', 'w'] if op == 'Add' else ['w']
    node = b''.join(field(1, name) for name in inputs) + field(2, 'y') + field(4, op)
    graph = field(1, node) + field(2, 'g') + field(5, weight) + field(12, field(1, 'y') + field(2, kind)) + b''.join(
        field(11, field(1, name) + field(2, kind)) for name in inputs[:-1])
    return field(1, 13) + field(7, graph) + field(8, field(2, 25))


class Given(unittest.TestCase):
    def test_values_replace_files_that_there_are_not(self):
        values = np.arange(6, dtype=np.float32).reshape(2, 3)
        x = np.ones((2, 3), np.float32)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'model.onnx')
            with open(path, 'wb') as f:
                f.write(external_model(1, (2, 3)))
            for source in path, external_model(1, (2, 3)):
                self.assertRaises(NoSuchFile, ort.InferenceSession, source)
                for add in (lambda so: so.add_initializer('w', ort.OrtValue.ortvalue_from_numpy(values)),
                            lambda so: so.add_external_initializers(['w'], [ort.OrtValue(values[:, ::-1].copy()[:, ::-1])]),
                            lambda so: so.add_external_initializers_from_files_in_memory(
                                ['./w.bin'], [b'1234' + values.tobytes() + b'5'], [28])):
                    so = ort.SessionOptions()
                    add(so)
                    session = ort.InferenceSession(source, so)
                    for again in session, pickle.loads(pickle.dumps(session)):
                        self.assertEqual(again.run(None, {'x': x})[0].tolist(), (values + 1).tolist())
            so = ort.SessionOptions()
            so.optimized_model_filepath = os.path.join(folder, 'whole.onnx')
            so.add_initializer('w', ort.OrtValue.ortvalue_from_numpy(values))
            ort.InferenceSession(path, so)
            again = ort.InferenceSession(so.optimized_model_filepath)
            self.assertEqual(again.run(None, {'x': x})[0].tolist(), (values + 1).tolist())
            with open(os.path.join(folder, 'w.bin'), 'wb') as f:
                f.write(b'1234' + np.full(6, 9, np.float32).tobytes())
            self.assertEqual(ort.InferenceSession(path).run(None, {'x': x})[0].sum(), 60)
            self.assertEqual(ort.InferenceSession(path, so).run(None, {'x': x})[0].sum(), 21)
            for wrong in values[:1], values.astype(np.float64), values.view(np.int32), values.reshape(6), values[:0]:
                so = ort.SessionOptions()
                so.add_initializer('w', ort.OrtValue.ortvalue_from_numpy(wrong))
                for source in path, external_model(1, (2, 3)):
                    with self.assertRaisesRegex(InvalidArgument, "initializer 'w'"):
                        ort.InferenceSession(source, so)
        for bytes_given, length in (b'1234' + values.tobytes()[:-1], 27), (b'1234', 4), (b'', 0):
            so = ort.SessionOptions()
            so.add_external_initializers_from_files_in_memory(['w.bin'], [bytes_given], [length])
            self.assertRaises(NoSuchFile, ort.InferenceSession, external_model(1, (2, 3)), so)

    def test_values_that_files_pack(self):
        for number, numpy_type, given in ((22, np.int8, [-8, 7, -1]), (21, np.uint8, [15, 0, 9]), (25, np.uint8, [3, 0, 1, 2, 3]),
                                          (26, np.int8, [-2, 1, 0, -1, 1]), (16, np.uint16, [0x3f80, 1])):
            array = np.array(given, numpy_type)
            so = ort.SessionOptions()
            so.add_initializer('w', ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, number))
            session = ort.InferenceSession(external_model(number, (len(given),), 'Identity'), so)
            self.assertEqual(session.run(None, {})[0].tolist(), given)

    def test_initializers_that_make_no_sense(self):
        so = ort.SessionOptions()
        value = ort.OrtValue.ortvalue_from_numpy(np.float32([1]))
        so.add_initializer('w', value)
        for call, *given in ((so.add_initializer, 'w', value), (so.add_initializer, 'v', np.float32([1])),
                             (so.add_initializer, 3, value), (so.add_external_initializers, ['a', 'b'], [value]),
                             (so.add_external_initializers_from_files_in_memory, ['a'], [b'1234'], [5]),
                             (so.add_external_initializers_from_files_in_memory, ['a'], [b'1234'], [-1]),
                             (so.add_external_initializers_from_files_in_memory, ['a'], [b'1234'], []),
                             (so.add_external_initializers_from_files_in_memory, [''], [b'1234'], [4])):
            self.assertRaises(InvalidArgument, call, *given)


class Files(unittest.TestCase):
    def test_a_model_is_written_over_itself(self):
        elements = ', '.join(['2'] * 40000)  # large enough to be read where it is mapped
        text = f'{HEAD} g (float[40000] x) => (float[40000] y) <float[40000] w = {{{elements}}}> {{ y = Mul (x, w) }}'
        x = np.ones(40000, np.float32)
        with tempfile.TemporaryDirectory() as folder:
            path, link = os.path.join(folder, 'm.onnx'), os.path.join(folder, 'link.onnx')
            with open(path, 'wb') as f:
                f.write(ort.InferenceSession(text.encode())._model.to_bytes())
            os.chmod(path, 0o640)
            os.symlink('m.onnx', link)
            size = os.path.getsize(path)
            for name in path, link, pathlib.Path(path):
                so = ort.SessionOptions()
                so.optimized_model_filepath = name
                session = ort.InferenceSession(path, so)
                self.assertEqual(session.run(None, {'x': x})[0].sum(), 80000)
                self.assertEqual((os.path.getsize(path), os.stat(path).st_mode & 0o777), (size, 0o640))
                self.assertEqual(ort.InferenceSession(path).run(None, {'x': x})[0].sum(), 80000)
                self.assertTrue(os.path.islink(link))
                self.assertEqual(sorted(os.listdir(folder)), ['link.onnx', 'm.onnx'])

    @unittest.skipUnless(hasattr(os, 'fork') and hasattr(signal, 'SIGXFSZ'), 'the system has no limits of files')
    def test_a_failed_write_leaves_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'm.onnx')
            with open(path, 'wb') as f:
                f.write(ort.InferenceSession(MODEL)._model.to_bytes())
            old = pathlib.Path(path).read_bytes()
            child = os.fork()
            if child == 0:
                import resource
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))
                so = ort.SessionOptions()
                so.optimized_model_filepath = path
                try:
                    ort.InferenceSession(path, so)
                except Fail:
                    os._exit(0)
                os._exit(1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual((pathlib.Path(path).read_bytes(), os.listdir(folder)), (old, ['m.onnx']))
            for name in os.path.join(folder, 'none', 'm.onnx'), folder, path + '/m', 'a\0b':
                so = ort.SessionOptions()
                so.optimized_model_filepath = name
                self.assertRaises(Fail, ort.InferenceSession, path, so)

    @unittest.skipUnless(hasattr(os, 'mkfifo'), 'the system has no pipes with names')
    def test_a_pipe_is_written_to(self):
        with tempfile.TemporaryDirectory() as folder:
            path, found = os.path.join(folder, 'pipe'), []
            os.mkfifo(path)
            thread = threading.Thread(target=lambda: found.append(pathlib.Path(path).read_bytes()))
            thread.start()
            so = ort.SessionOptions()
            so.optimized_model_filepath = path
            session = ort.InferenceSession(MODEL, so)
            thread.join(30)
            self.assertEqual(found, [session._model.to_bytes()])


if __name__ == '__main__':
    unittest.main()
