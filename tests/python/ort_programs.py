# SPDX-License-Identifier: Apache-2.0
"""ort_programs.py - programs as people write them for ONNX Runtime, with one line changed: the import. Needs numpy; the
library is the one that OCELLUS_LIBRARY names."""
import concurrent.futures
import gc
import json
import logging
import os
import pathlib
import pickle
import signal
import sys
import tempfile
import threading
import time
import unittest
import warnings
import weakref

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus.onnxruntime as ort
from ocellus.onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, NoSuchFile, RuntimeException

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
CLASSIFIER = (HEAD + '''classes (float[batch,3,8,8] input) => (float[batch,4] logits)
<float[4,3] w = {1.0, 0.0, 0.0,  0.0, 1.0, 0.0,  0.0, 0.0, 1.0,  0.3, 0.3, 0.3}> {
  pooled = GlobalAveragePool (input)
  flat = Flatten (pooled)
  logits = Gemm <transB = 1> (flat, w)
}''').encode()
DETECTOR = (HEAD + '''detector (uint8[1,height,width,3] image, float score_threshold) => (float[n,4] boxes, int64[n] labels) {
  f = Cast <to = 1> (image)
  max = ReduceMax <keepdims = 0> (f)
  is = Greater (max, score_threshold)
  axes = Constant <value_ints = [0]> ()
  keep = Unsqueeze (is, axes)
  all = Constant <value = float[1,4] {0.0, 0.0, 4.0, 2.0}> ()
  boxes = Compress <axis = 0> (all, keep)
  one = Constant <value = int64[1] {7}> ()
  labels = Compress <axis = 0> (one, keep)
}''').encode()
RECURRENT = (HEAD + '''g (float[1,2] frame, float[1,2] r1i, float gain) => (float[1,2] out, float[1,2] r1o) {
  scaled = Mul (frame, gain)
  r1o = Add (scaled, r1i)
  out = Neg (r1o)
}''').encode()
DEFAULTS = (HEAD + 'g (float[N] x, float[2] w = {10, 20}) => (float[N] y) { y = Add (x, w) }').encode()
WEIGHTS = (HEAD + '''g (float[N] x, float unused) => (float[N] y) <float[2] w = {10, 20}, float[2] v = {1, 1}> {
  a = Mul (x, w)
  y = Add (a, v)
}''').encode()
ENDLESS = (HEAD + '''g () => (y) <int64 n = {9223372036854775807}, float[1] v = {1}> {
  y = Loop (n, , v) <body = b (int64 i, bool more, float[1] s) => (more, t) { t = Add (s, s) }>
}''').encode()
THREES = [np.float32([3, 3]), np.float32([4])]


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


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


class Classifier:
    def __init__(self, path):
        available = ort.get_available_providers()
        wanted = [p for p in ('CUDAExecutionProvider', 'CPUExecutionProvider') if p in available]
        so = ort.SessionOptions()
        so.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        so.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        so.intra_op_num_threads = 1
        so.inter_op_num_threads = 1
        so.log_severity_level = 3
        so.enable_mem_pattern = False
        so.enable_cpu_mem_arena = False
        so.add_session_config_entry('session.intra_op.allow_spinning', '0')
        self.session = ort.InferenceSession(str(path), sess_options=so, providers=wanted)
        self.input_name = self.session.get_inputs()[0].name
        self.output_names = [output.name for output in self.session.get_outputs()]

    def __call__(self, picture):
        x = ((picture.astype(np.float32) / 255 - 0.5) / 0.25).transpose(2, 0, 1)[np.newaxis]
        logits, = self.session.run(self.output_names, {self.input_name: x})
        return int(np.argmax(softmax(logits), axis=1)[0])


class Programs(unittest.TestCase):
    def test_a_classifier(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'model.onnx')
            path.write_bytes(ort.InferenceSession(CLASSIFIER)._model.to_bytes())
            classify = Classifier(path)
            for channel in range(3):
                picture = np.zeros((8, 8, 3), np.uint8)
                picture[..., channel] = 255
                self.assertEqual(classify(picture), channel)
            for given in (path, str(path), path.read_bytes()):
                session = ort.InferenceSession(given, providers=['CPUExecutionProvider'])
                found, = session.run(None, {'input': np.ones((2, 3, 8, 8), np.float32)})
                self.assertEqual(found.shape, (2, 4))

    def test_a_detector(self):
        session = ort.InferenceSession(DETECTOR, None, ['CPUExecutionProvider'])
        model_inputs = session.get_inputs()
        self.assertEqual([(i.name, i.type, i.shape) for i in model_inputs],
                         [('image', 'tensor(uint8)', [1, 'height', 'width', 3]), ('score_threshold', 'tensor(float)', [])])
        feed = {model_inputs[0].name: np.full((1, 4, 6, 3), 9, np.uint8), model_inputs[1].name: np.float32(5)}
        boxes, labels = session.run(['boxes', 'labels'], feed)
        self.assertEqual((boxes.tolist(), labels.tolist()), ([[0, 0, 4, 2]], [7]))
        labels, = session.run(['labels'], {**feed, 'score_threshold': np.array(10, dtype=np.float32)})
        self.assertEqual(labels.tolist(), [])

    def test_a_loop_over_bound_values(self):
        session = ort.InferenceSession(RECURRENT)
        io = session.io_binding()
        rec = ort.OrtValue.ortvalue_from_numpy(np.zeros((1, 2), np.float32), 'cpu')
        io.bind_ortvalue_input('gain', ort.OrtValue.ortvalue_from_numpy(np.float32(10), 'cpu'))
        io.bind_output('out', 'cpu')
        io.bind_output('r1o', 'cpu')
        for i in range(3):
            io.bind_cpu_input('frame', np.full((1, 2), i, np.float32))
            io.bind_ortvalue_input('r1i', rec)
            session.run_with_iobinding(io)
            out, rec = io.get_outputs()
        self.assertEqual(out.numpy().tolist(), [[-30, -30]])
        self.assertEqual(io.copy_outputs_to_cpu()[1].tolist(), [[30, 30]])

    def test_programs_that_reach_inside(self):
        session = ort.InferenceSession(DEFAULTS)
        device = ort.OrtDevice(ort.OrtDevice.cpu(), ort.OrtDevice.default_memory(), 0)
        binding = session.io_binding()
        binding._iobinding.bind_output('y', device)
        binding._iobinding.bind_ortvalue_input('x', ort.OrtValue.ortvalue_from_numpy(np.float32([1, 2]), device)._ortvalue)
        session._sess.run_with_iobinding(binding._iobinding, None)
        self.assertEqual(binding.get_outputs()[0].numpy().tolist(), [11, 22])
        self.assertIs(ort.capi.onnxruntime_pybind11_state.Fail, Fail)
        self.assertEqual(ort.capi._pybind_state.get_default_session_options().intra_op_num_threads, 0)

    def test_outputs_bound_to_memory(self):
        session = ort.InferenceSession(RECURRENT)
        frame, state, out = (np.zeros((1, 2), np.float32) for _ in range(3))
        io = session.io_binding()
        io.bind_input('frame', 'cpu', 0, np.float32, frame.shape, frame.ctypes.data)
        io.bind_cpu_input('gain', np.float32(2))
        io.bind_output('out', 'cpu', 0, np.float32, out.shape, out.ctypes.data)
        carried = ort.OrtValue.ortvalue_from_numpy(state)
        io.bind_ortvalue_input('r1i', carried)
        io.bind_ortvalue_output('r1o', carried)  # the same memory as an input's
        for i in range(3):
            frame[:] = i
            session.run_with_iobinding(io)
        self.assertEqual((out.tolist(), state.tolist()), ([[-6, -6]], [[6, 6]]))
        io.clear_binding_inputs()
        self.assertRaises(InvalidArgument, session.run_with_iobinding, io)
        io.bind_ortvalue_output('r1o', ort.OrtValue.ortvalue_from_shape_and_type((3,), np.float32))
        for name in 'frame', 'r1i':
            io.bind_cpu_input(name, frame)
        io.bind_cpu_input('gain', np.float32(1))
        self.assertRaises(InvalidArgument, session.run_with_iobinding, io)
        self.assertRaises(InvalidArgument, io.bind_output, 'nothing')
        self.assertRaises(RuntimeException, io.bind_output, 'out', 'cuda')

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

    def test_terminate_from_another_thread(self):
        session = ort.InferenceSession(ENDLESS)
        for _ in range(5):
            run_options = ort.RunOptions()
            threading.Timer(0.05, setattr, (run_options, 'terminate', True)).start()
            begin = time.monotonic()
            with self.assertRaisesRegex(Fail, 'terminate'):
                session.run(None, {}, run_options)
            self.assertLess(time.monotonic() - begin, 5)
        with self.assertRaises(Fail):  # set before
            session.run(None, {}, run_options)

    def test_threads_run_one_session(self):
        session = ort.InferenceSession(RECURRENT)

        def work(seed):
            x = np.full((1, 2), seed, np.float32)
            found = session.run(['r1o'], {'frame': x, 'r1i': x, 'gain': np.float32(1)})
            return (found[0] == 2 * seed).all()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(work, range(400))))
        self.assertLessEqual(len(session._free), 8)

    def test_async(self):
        session = ort.InferenceSession(DEFAULTS)
        done, found = threading.Event(), []

        def callback(results, user_data, error):
            found.append((results, user_data, error))
            if len(found) == 2:
                done.set()

        session.run_async(None, {'x': np.float32([1, 2])}, callback, 'mine')
        while not found:
            time.sleep(0.001)
        session.run_async(None, {'x': np.float64([1, 2])}, callback, None)
        self.assertTrue(done.wait(30))
        self.assertEqual((found[0][0][0].tolist(), found[0][1:]), ([11, 22], ('mine', '')))
        self.assertEqual(found[1][0], [])
        self.assertIn('INVALID_ARGUMENT', found[1][2])

    @unittest.skipUnless(hasattr(os, 'fork'), 'the system has no fork')
    def test_async_in_a_forked_child(self):
        session, done = ort.InferenceSession(DEFAULTS), threading.Event()
        session.run_async(None, {'x': np.float32([1, 2])}, lambda *found: done.set())
        self.assertTrue(done.wait(30))
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            again = threading.Event()
            session.run_async(None, {'x': np.float32([1, 2])}, lambda *found: again.set())
            os._exit(0 if again.wait(20) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_is_freed_at_once(self):
        gc.disable()
        try:
            session = ort.InferenceSession(DEFAULTS)
            session.run(None, {'x': np.float32([1, 2])})
            seen = [weakref.ref(session), weakref.ref(session._model), weakref.ref(session._free[0].session)]
            del session
            self.assertEqual([known() for known in seen], [None] * 3)
        finally:
            gc.enable()

    def test_errors_as_programs_catch_them(self):
        with self.assertRaises(NoSuchFile):
            ort.InferenceSession('no_such_model.onnx')
        for given, kind in ((b'\x08\xff', ort.InvalidProtobuf), ((HEAD + 'g (float[N] x) => (float[N] y) { y = Nope (x) }')
                            .encode(), ort.NotImplemented), ((HEAD + 'g (float x) => (float y) { y = Neg (z) }').encode(),
                                                             ort.InvalidGraph)):
            with self.assertRaises(kind) as caught:
                ort.InferenceSession(given)
            self.assertRegex(str(caught.exception), r'^\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ')
        self.assertRaises(TypeError, ort.InferenceSession, 3)
        session = ort.InferenceSession(DEFAULTS)
        x = np.float32([1, 2])
        for feed in {'x': x.astype(np.float64)}, {'x': x[np.newaxis]}, {'x': x, 'q': x}, {'x': 'text'}:
            self.assertRaises(InvalidArgument, session.run, None, feed)
        self.assertRaises(InvalidArgument, session.run, ['q'], {'x': x})
        self.assertRaises(ValueError, session.run, None, {})
        self.assertRaises(ValueError, session.run, None, {'w': x})
        self.assertEqual(session.run(None, {'x': x})[0].tolist(), [11, 22])

    def test_providers_that_there_are_not_are_a_warning(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter('always')
            session = ort.InferenceSession(DEFAULTS, providers=[('CUDAExecutionProvider', {'device_id': 0}),
                                                                'CPUExecutionProvider'])
        self.assertEqual(len(told), 1)
        self.assertIn("'CUDAExecutionProvider' is not in available provider names", str(told[0].message))
        self.assertEqual(session.get_providers(), ['CPUExecutionProvider'])
        self.assertEqual(session.get_provider_options(), {'CPUExecutionProvider': {}})
        self.assertRaises(ValueError, ort.InferenceSession, DEFAULTS, providers='CPUExecutionProvider')
        self.assertRaises(ValueError, ort.InferenceSession, DEFAULTS, providers=[3])
        self.assertRaises(ValueError, ort.InferenceSession, DEFAULTS, None, ['CPUExecutionProvider'], [{}, {}])


class Models(unittest.TestCase):
    def test_types_and_shapes(self):
        session = ort.InferenceSession('''<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]>
g (float[N,2] x, seq(int64[]) s, optional(float[2]) o, string[?] t) => (seq(map(string, float)) y, bool h, k) {
  y = ai.onnx.ml.ZipMap <classlabels_strings = ["dog", "cat"]> (x)
  h = OptionalHasElement (o)
  k = SequenceLength (s)
  u = Identity (t)
}'''.encode())
        self.assertEqual([(i.type, i.shape) for i in session.get_inputs()],
                         [('tensor(float)', ['N', 2]), ('seq(tensor(int64))', []), ('optional(tensor(float))', []),
                          ('tensor(string)', [None])])
        self.assertEqual(session.get_outputs()[0].type, 'seq(map(string,tensor(float)))')
        y, h, k = session.run(None, {'x': np.float32([[1, 2]]), 's': [np.int64([1])], 'o': None, 't': np.array(['a'])})
        self.assertEqual((y, h.item(), k.item()), ([{'dog': 1, 'cat': 2}], False, 1))

    def test_metadata(self):
        try:
            import onnx
        except ImportError:
            self.skipTest('onnx is not installed, which writes the model')
        model = onnx.load_from_string(ort.InferenceSession(DEFAULTS)._model.to_bytes())
        model.producer_name, model.domain, model.doc_string, model.model_version = 'pytorch', 'net', 'What it is', 5
        model.graph.doc_string = 'What the graph is'
        onnx.helper.set_model_props(model, {'names': "{0: 'cat'}", 'stride': '32'})
        meta = ort.InferenceSession(model.SerializeToString()).get_modelmeta()
        self.assertEqual(meta, ('pytorch', 'g', 'net', 'What it is', 'What the graph is', 5,
                                {'names': "{0: 'cat'}", 'stride': '32'}))
        self.assertEqual(meta.custom_metadata_map['stride'], '32')
        self.assertEqual(ort.InferenceSession(DEFAULTS).get_modelmeta().version, 2 ** 63 - 1)

    def test_defaults_come_back(self):
        session = ort.InferenceSession(DEFAULTS)
        self.assertEqual([i.name for i in session.get_inputs()], ['x'])
        self.assertEqual([i.name for i in session.get_overridable_initializers()], ['w'])
        x, w = np.float32([1, 2]), np.float32([0, 0])
        for _ in range(2):
            self.assertEqual(session.run(None, {'x': x, 'w': w})[0].tolist(), [1, 2])
            self.assertEqual(session.run(None, {'x': x})[0].tolist(), [11, 22])
        so = ort.SessionOptions()
        so.add_initializer('w', ort.OrtValue.ortvalue_from_numpy(np.float32([5, 5])))
        self.assertEqual(ort.InferenceSession(DEFAULTS, so).run(None, {'x': x})[0].tolist(), [6, 7])

    def test_initializers_of_the_program(self):
        so = ort.SessionOptions()
        so.add_initializer('w', ort.OrtValue.ortvalue_from_numpy(np.float32([2, 3])))
        session = ort.InferenceSession(WEIGHTS, so)
        self.assertEqual([i.name for i in session.get_inputs()], ['x', 'unused'])
        feed = {'x': np.float32([1, 1]), 'unused': np.float32(0)}
        self.assertEqual(session.run(None, feed)[0].tolist(), [3, 4])
        so.add_initializer('none', so._initializers['w'])
        self.assertRaises(ort.OrtError, ort.InferenceSession, WEIGHTS, so)

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

    def test_sizes_of_dims(self):
        so = ort.SessionOptions()
        so.add_free_dimension_override_by_name('batch', 1)
        session = ort.InferenceSession(CLASSIFIER, so)
        self.assertEqual(session.get_inputs()[0].shape, [1, 3, 8, 8])
        self.assertEqual(session.run(None, {'input': np.zeros((1, 3, 8, 8), np.float32)})[0].shape, (1, 4))
        self.assertRaises(InvalidArgument, session.run, None, {'input': np.zeros((2, 3, 8, 8), np.float32)})

    def test_sizes_of_denoted_dims(self):
        try:
            import onnx
        except ImportError:
            self.skipTest('onnx is not installed, which writes the model')
        model = onnx.load_from_string(ort.InferenceSession(CLASSIFIER)._model.to_bytes())
        model.graph.input[0].type.tensor_type.shape.dim[0].denotation = 'DATA_BATCH'
        so = ort.SessionOptions()
        so.add_free_dimension_override_by_denotation('DATA_BATCH', 2)
        self.assertEqual(ort.InferenceSession(model.SerializeToString(), so).get_inputs()[0].shape, [2, 3, 8, 8])

    def test_profile(self):
        with tempfile.TemporaryDirectory() as folder:
            so = ort.SessionOptions()
            so.enable_profiling = True
            so.profile_file_prefix = os.path.join(folder, 'trace')
            so.optimized_model_filepath = os.path.join(folder, 'again.onnx')
            before = time.monotonic_ns()
            session = ort.InferenceSession(CLASSIFIER, so)
            session.run(None, {'input': np.zeros((1, 3, 8, 8), np.float32)})
            self.assertGreaterEqual(session.get_profiling_start_time_ns(), before)
            path = session.end_profiling()
            self.assertTrue(path.startswith(so.profile_file_prefix))
            with open(path, encoding='utf-8') as f:
                events = json.load(f)
            self.assertEqual({e['cat'] for e in events}, {'Session', 'Node'})
            self.assertEqual([e['name'] for e in events if e['cat'] == 'Session'], ['session_initialization', 'model_run'])
            self.assertEqual([e['args']['op_name'] for e in events if e['cat'] == 'Node'],
                             ['GlobalAveragePool', 'Flatten', 'Gemm'])
            again = ort.InferenceSession(so.optimized_model_filepath)
            self.assertEqual(again.get_inputs()[0].name, 'input')

    def test_pickles(self):
        session = pickle.loads(pickle.dumps(ort.InferenceSession(DEFAULTS, ort.SessionOptions())))
        self.assertEqual(session.run(None, {'x': np.float32([1, 2])})[0].tolist(), [11, 22])
        self.assertEqual(session.get_session_options().intra_op_num_threads, 0)


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
                f.write(ort.InferenceSession(CLASSIFIER)._model.to_bytes())
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
            session = ort.InferenceSession(CLASSIFIER, so)
            thread.join(30)
            self.assertEqual(found, [session._model.to_bytes()])


class Options(unittest.TestCase):
    def test_entries_are_kept_and_told(self):
        so = ort.SessionOptions()
        with self.assertLogs('ocellus', logging.INFO) as told:
            so.add_session_config_entry('session.set_denormal_as_zero', '1')
        self.assertIn('session.set_denormal_as_zero', told.output[0])
        self.assertEqual(so.get_session_config_entry('session.set_denormal_as_zero'), '1')
        self.assertRaises(InvalidArgument, so.get_session_config_entry, 'none')
        with self.assertRaises(AttributeError):
            so.intra_op_threads = 4
        for key, value in ('ocellus.memory_cap', '1000'), ('ocellus.deadline', '0.05'), ('ocellus.max_steps', '7'):
            so = ort.SessionOptions()
            so.add_session_config_entry(key, value)
            with self.assertRaises((Fail, RuntimeException)):
                ort.InferenceSession(ENDLESS, so).run(None, {})
        for key, value in ('ocellus.max_steps', 'few'), ('ocellus.exact_conv', 'yes'), ('ocellus.cpu', 'mmx'):
            so = ort.SessionOptions()
            so.add_session_config_entry(key, value)
            self.assertRaises(InvalidArgument, ort.InferenceSession, ENDLESS, so)
        self.assertEqual(int(ort.GraphOptimizationLevel.ORT_ENABLE_ALL), 99)
        with self.assertRaisesRegex(ort.NotImplemented, 'register_custom_ops_library'):
            so.register_custom_ops_library('libops.so')

    def test_the_module(self):
        self.assertEqual((ort.get_device(), ort.get_all_providers()), ('CPU', ['CPUExecutionProvider']))
        self.assertGreaterEqual(tuple(int(part) for part in ort.__version__.split('.'))[:2], (1, 20))
        ort.set_default_logger_severity(3)
        self.assertEqual(logging.getLogger('ocellus').level, logging.ERROR)
        ort.set_default_logger_severity(1)
        text = HEAD + 'g () => (float[4] y) { y = RandomUniform <shape = [4]> () }'
        found = []
        for seed in 1, 1, 2:
            ort.set_seed(seed)
            found.append(ort.InferenceSession(text.encode()).run(None, {})[0].tolist())
        ort.set_seed(0)
        self.assertEqual(found[0], found[1])
        self.assertNotEqual(found[0], found[2])

    def test_a_library_that_imports_onnxruntime(self):
        sys.modules['onnxruntime'] = ort
        try:
            import onnxruntime
            from onnxruntime import InferenceSession
            from onnxruntime.capi import onnxruntime_pybind11_state
            self.assertIs(InferenceSession, ort.InferenceSession)
            self.assertIs(onnxruntime.InferenceSession, ort.InferenceSession)
            self.assertIs(onnxruntime_pybind11_state.Fail, Fail)
        finally:
            for name in [name for name in sys.modules if name.split('.')[0] == 'onnxruntime']:
                del sys.modules[name]


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


if __name__ == '__main__':
    unittest.main()
