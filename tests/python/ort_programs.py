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
        for key, value in ('ocellus.max_steps', 'few'), ('ocellus.exact_conv', 'yes'), ('ocellus.cpu', 'mmx'), ('ocellus.unfused', '1'):
            so = ort.SessionOptions()
            so.add_session_config_entry(key, value)
            self.assertRaises(InvalidArgument, ort.InferenceSession, ENDLESS, so)
        for key, value in ('ocellus.no_folding', '1'), ('ocellus.threads', '1'):
            so = ort.SessionOptions()
            with self.assertNoLogs('ocellus', logging.INFO):
                so.add_session_config_entry(key, value)
            self.assertEqual(ort.InferenceSession(ENDLESS, so)._options[key[8:]], 1)
        so.add_session_config_entry('ocellus.unfused', 'fast')
        self.assertEqual(ort.InferenceSession(ENDLESS, so)._options['unfused'], 'fast')
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


if __name__ == '__main__':
    unittest.main()
