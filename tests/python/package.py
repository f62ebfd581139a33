# SPDX-License-Identifier: Apache-2.0
"""package.py - the Python package: values, errors, models, limits, threads. Needs numpy; the library is the one that
OCELLUS_LIBRARY names."""
import concurrent.futures
import copy
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import typing
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
MIRROR = HEAD + '''g (float[N,2] x) => (float[N,2] y, float[N,2] z) {
  y = Neg (x)
  z = Abs (x)
}'''
ENDLESS = HEAD + '''g () => (y) <int64 n = {9223372036854775807}, float[1] v = {1}> {
  y = Loop (n, , v) <body = b (int64 i, bool more, float[1] s) => (more, t) { t = Add (s, s) }>
}'''


def session(text, **options):
    return ocellus.Session(text.encode(), **options)


class Types(unittest.TestCase):
    def test_each_element_type_has_an_array(self):
        names = [ocellus._values.type_name(number) for number in range(64)]
        self.assertEqual([number for number, name in enumerate(names) if name != 'undefined'],
                         sorted(ocellus._values.DTYPES))


class Running(unittest.TestCase):
    def setUp(self):
        self.session = session(MIRROR)
        self.x = np.array([[1, -2], [3, -4], [5, -6]], np.float32)

    def test_gives_all_outputs(self):
        found = self.session.run({'x': self.x})
        self.assertEqual(list(found), ['y', 'z'])
        np.testing.assert_array_equal(found['y'], -self.x)
        np.testing.assert_array_equal(found['z'], abs(self.x))
        self.assertEqual((found['y'].dtype, found['y'].shape), (np.float32, (3, 2)))

    def test_gives_the_outputs_that_are_named(self):
        self.assertEqual(list(self.session.run({'x': self.x}, ['z'])), ['z'])

    def test_results_stay_after_the_next_run(self):
        first = self.session.run({'x': self.x})['y']
        self.session.run({'x': 0 * self.x})
        np.testing.assert_array_equal(first, -self.x)

    def test_takes_lists_and_views(self):
        wanted = -self.x[::2]
        for given in ([[1, -2], [5, -6]], self.x[::2], self.x[::2].astype('>f4'), np.asfortranarray(self.x[::2]),
                      np.frombuffer(b'0' + self.x[::2].tobytes(), np.float32, offset=1).reshape(2, 2)):
            np.testing.assert_array_equal(self.session.run({'x': given})['y'], wanted)

    def test_reads_an_array_where_it_lies(self):
        self.session.run({'x': self.x})
        self.x[:] = 7
        np.testing.assert_array_equal(self.session.run()['y'], -self.x)

    def test_writes_into_arrays_of_the_program(self):
        y = np.empty((3, 2), np.float32)
        found = self.session.run({'x': self.x}, out={'y': y})
        self.assertIs(found['y'], y)
        np.testing.assert_array_equal(y, -self.x)
        self.session.run({'x': 0 * self.x})
        np.testing.assert_array_equal(y, -self.x)

    def test_refuses_arrays_that_an_output_does_not_fit(self):
        read_only = np.zeros((3, 2), np.float32)
        read_only.flags.writeable = False
        for code, array in (('SHAPE', np.empty((2, 2), np.float32)), ('TYPE', np.empty((3, 2), np.float64)),
                            ('ARGUMENT', np.empty((2, 3), np.float32).T), ('ARGUMENT', read_only), ('ARGUMENT', [0.0])):
            with self.assertRaises(ocellus.Error) as caught:
                self.session.run({'x': self.x}, out={'y': array})
            self.assertEqual(caught.exception.code, code)
        np.testing.assert_array_equal(self.session.run({'x': self.x})['y'], -self.x)

    def test_threads_have_sessions_of_one_model(self):
        model = ocellus.Model(MIRROR.encode())

        def work(seed):
            own = ocellus.Session(model, threads=1)
            x = np.random.default_rng(seed).standard_normal((1000, 2)).astype(np.float32)
            return all((own.run({'x': x})['y'] == -x).all() for _ in range(50))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(work, range(8))))

    def test_threads_wait_for_one_session(self):
        def work(n):
            return (self.session.run({'x': np.full((n, 2), n, np.float32)})['z'] == n).all()

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(work, range(1, 200))))

    def test_bodies_and_kernels_agree(self):
        text = HEAD + 'g (float[3,4] x) => (float[3,4] y) { y = Softmax (x) }'
        x = np.random.default_rng(1).standard_normal((3, 4)).astype(np.float32)
        kernel = session(text).run({'x': x})['y']
        for bodies in 'expand', 'standard':
            by_body = session(text, bodies=bodies)
            np.testing.assert_allclose(by_body.run({'x': x})['y'], kernel, rtol=1e-6)
            self.assertGreater(by_body.stats().n_steps, 1)

    def test_stats(self):
        self.session.run({'x': self.x})
        stats = self.session.stats()
        self.assertEqual(stats.steps, 2)
        self.assertGreater(stats.peak_bytes, 0)
        self.assertIn(stats.cpu, ('scalar', 'v128', 'avx2', 'avx512', 'neon'))

    def test_products_where_no_instruction_fuses(self):
        for options, products in (({}, 'exact'), ({'unfused': 'exact'}, 'exact'), ({'unfused': 'fast'}, 'fast')):
            s = session(MIRROR, cpu='scalar', **options)
            self.assertEqual(s.stats().products, products)
            self.assertEqual(copy.copy(s).stats().products, products)


class Values(unittest.TestCase):
    def test_every_type_comes_back(self):
        dtypes = {'float': 'f4', 'uint8': 'u1', 'int8': 'i1', 'uint16': 'u2', 'int16': 'i2', 'int32': 'i4',
                  'int64': 'i8', 'bool': '?', 'float16': 'f2', 'double': 'f8', 'uint32': 'u4', 'uint64': 'u8',
                  'complex64': 'c8', 'complex128': 'c16', 'bfloat16': 'u2', 'float8e4m3fn': 'u1',
                  'float8e4m3fnuz': 'u1', 'float8e5m2': 'u1', 'float8e5m2fnuz': 'u1', 'uint4': 'u1', 'int4': 'i1',
                  'float4e2m1': 'u1', 'float8e8m0': 'u1', 'uint2': 'u1', 'int2': 'i1'}
        for name, dtype in dtypes.items():
            s = session(f'<ir_version: 13, opset_import: ["" : 25]>\n'
                        f'g ({name}[2,2] x) => ({name}[2,2] y) {{ y = Identity (x) }}')
            self.assertEqual(s.inputs[0].type, name)
            x = np.array([[0, 1], [1, 0]], dtype)
            y = s.run({'x': x})['y']
            self.assertEqual(y.dtype, x.dtype, name)
            np.testing.assert_array_equal(y, x, name)

    def test_strings(self):
        s = session(HEAD + 'g (string[N] x) => (string[N] y) { y = Identity (x) }')
        for given in (['a', 'Grüße', ''], np.array(['a', 'Grüße', '']), np.array(['a', 'Grüße', ''], object)):
            self.assertEqual(s.run({'x': given})['y'].tolist(), ['a', 'Grüße', ''])
        self.assertEqual(s.run({'x': np.array([b'\xff\x00z'], object)})['y'].tolist(), [b'\xff\x00z'])

    def test_a_scalar_and_nothing(self):
        s = session(HEAD + 'g (float x, int64[N] n) => (float y, int64[N] m) { y = Neg (x)  m = Neg (n) }')
        found = s.run({'x': 2.5, 'n': []})
        self.assertEqual((found['y'].shape, found['y'].item()), ((), -2.5))
        self.assertEqual((found['m'].shape, found['m'].dtype), ((0,), np.int64))

    def test_sequences(self):
        s = session(HEAD + '''g (seq(float[N]) x, float[1] more) => (seq(float[N]) y, int64 n) {
  y = SequenceInsert (x, more)
  n = SequenceLength (y)
}''')
        self.assertEqual(s.inputs[0].kind, 'sequence')
        found = s.run({'x': [np.float32([1, 2]), [3]], 'more': [4]})
        self.assertEqual([item.tolist() for item in found['y']], [[1, 2], [3], [4]])
        self.assertEqual(found['n'], 3)
        self.assertEqual([item.tolist() for item in s.run({'x': [], 'more': [4]})['y']], [[4]])

    def test_maps(self):
        s = session('''<ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 3]>
g (float[N,2] x) => (seq(map(string, float)) y, seq(map(int64, float)) z) {
  y = ai.onnx.ml.ZipMap <classlabels_strings = ["dog", "cat"]> (x)
  z = ai.onnx.ml.ZipMap <classlabels_int64s = [7, -1]> (x)
}''')
        self.assertEqual([(p.kind, p.type) for p in s.outputs], [('sequence', 'float')] * 2)
        found = s.run({'x': np.float32([[1, 2], [3, 4.5]])})
        self.assertEqual(found['y'], [{'cat': 2, 'dog': 1}, {'cat': 4.5, 'dog': 3}])
        self.assertEqual(found['z'], [{-1: 2, 7: 1}, {-1: 4.5, 7: 3}])
        with self.assertRaisesRegex(ocellus.Error, "^input 'x' is map.* no input may be a map"):
            session('''<ir_version: 8, opset_import: ["ai.onnx.ml" : 3]>
g (map(int64, float) x) => (float[1,N] y) { y = ai.onnx.ml.CastMap (x) }''')

    def test_optionals(self):
        s = session(HEAD + '''g (optional(float[2]) x) => (optional(float[2]) y, bool has) {
  y = Identity (x)
  has = OptionalHasElement (x)
}''')
        found = s.run({'x': np.float32([1, 2])})
        self.assertEqual((found['y'].tolist(), found['has'].item()), ([1, 2], True))
        found = s.run({'x': None})
        self.assertEqual((found['y'], found['has'].item()), (None, False))

    def test_a_default_is_taken_until_a_value_is_given(self):
        s = session(HEAD + 'g (float[2] x, float[2] w = {10, 20}) => (float[2] y) { y = Add (x, w) }')
        self.assertEqual([p.has_default for p in s.inputs], [False, True])
        self.assertEqual(s.run({'x': [1, 2]})['y'].tolist(), [11, 22])
        self.assertEqual(s.run({'w': [0, 0]})['y'].tolist(), [1, 2])


class Errors(unittest.TestCase):
    def error(self, code, call, *given, **options):
        with self.assertRaises(ocellus.Error) as caught:
            call(*given, **options)
        self.assertEqual(caught.exception.code, code, caught.exception)
        self.assertEqual(str(caught.exception), caught.exception.text)
        return caught.exception.text

    def test_have_a_code_and_a_text(self):
        s = session(MIRROR)
        self.assertEqual(self.error('TYPE', s.run, {'x': np.zeros((1, 2), np.int64)}),
                         "input 'x' is int64[1,2], expected float[N,2]")
        self.assertEqual(self.error('SHAPE', s.run, {'x': np.zeros((1, 3), np.float32)}),
                         "input 'x' is float[1,3], expected float[N,2]")
        self.assertIn("no input 'q'", self.error('ARGUMENT', s.run, {'q': 1}))
        self.assertIn("no output 'q'", self.error('ARGUMENT', s.run, {'x': [[1, 2]]}, ['q']))
        self.assertIn('None', self.error('ARGUMENT', s.run, {'x': None}))
        self.assertIn('datetime64', self.error('TYPE', s.run, {'x': np.zeros((1, 2), 'M8[s]')}))
        self.error('SHAPE', s.run, {'x': np.zeros((1,) * 17, np.float32)})
        x = np.zeros((1, 2), np.float32)
        for given in x, [x], 'x', 0:
            self.assertEqual(self.error('ARGUMENT', s.run, given),
                             f'inputs is of type {type(given).__name__}, expected a dict of name to array')
            self.assertIn('out is of type', self.error('ARGUMENT', s.run, {'x': x}, None, given))
        self.assertEqual(self.error('ARGUMENT', s.run, {'x': x}, 'y'), "outputs is 'y', expected a list of names")
        np.testing.assert_array_equal(s.run({'x': [[1, 2]]})['y'], [[-1, -2]])

    def test_what_could_not_be_made_ends_quietly(self):
        told = []
        before, sys.unraisablehook = sys.unraisablehook, lambda unraisable: told.append(unraisable.exc_value)
        try:
            for make in ocellus.Model, ocellus.Session:
                self.assertRaises(TypeError, make, MIRROR, no_such_option=1)
                self.assertRaises(ocellus.Error, make, None)
        finally:
            sys.unraisablehook = before
        self.assertEqual(told, [])

    def test_an_input_is_missing(self):
        self.assertIn("'x'", self.error('ARGUMENT', session(MIRROR).run))

    def test_of_models(self):
        self.assertIn('photo.png', self.error('IO', ocellus.Model, 'photo.png'))
        self.assertIn('line 1', self.error('FORMAT', ocellus.Model, b'<ir_version: 8'))
        self.assertIn('bodies', self.error('ARGUMENT', session, MIRROR, bodies='none'))
        self.assertEqual(self.error('ARGUMENT', session, MIRROR, unfused='quick'),
                         "unfused is 'quick', expected one of 'exact', 'fast'")
        self.assertIn('mmx', self.error('ARGUMENT', session, MIRROR, cpu='mmx'))

    def test_switches_reach_the_library(self):
        folds = (HEAD + 'g (float[N] x) => (float[N] y) <float[1] w = {3}> { v = Neg (w)  y = Add (x, v) }')
        self.assertEqual(session(folds).stats().n_folded, 1)
        self.assertEqual(session(folds, no_folding=True).stats().n_folded, 0)
        self.assertEqual(session(folds, no_folding=None, threads=None).stats().n_folded, 1)
        with self.assertRaisesRegex(TypeError, 'no_fold'):
            session(folds, no_fold=True)

    def test_pass_from_process_to_process(self):
        again = pickle.loads(pickle.dumps(ocellus.Error('SHAPE', 'input')))
        self.assertEqual((type(again), again.code, again.text), (ocellus.Error, 'SHAPE', 'input'))

    def test_classes_say_where_a_program_imports_them_from(self):
        program = "import ocellus\nocellus.Session(b'')"
        told = subprocess.run([sys.executable, '-B', '-c', program], text=True, capture_output=True).stderr
        self.assertIn('\nocellus.Error: ', told)
        for name in ocellus.__all__:
            kind = getattr(ocellus, name)
            if isinstance(kind, type) and not issubclass(kind, tuple):
                self.assertEqual(kind.__module__, 'ocellus', name)
        self.assertIs(typing.get_type_hints(ocellus.Port)['name'], str)
        again = pickle.loads(pickle.dumps(session(MIRROR)))
        self.assertIs(type(again), ocellus.Session)

    def test_limits(self):
        self.error('DEADLINE', session(ENDLESS, deadline=0.2).run)
        self.error('LIMIT', session(ENDLESS, max_steps=1000).run)
        large = HEAD + '''g (int64[2] n) => (y) { y = ConstantOfShape (n) }'''
        self.error('LIMIT', session(large, memory_cap=10 ** 6).run, {'n': [1000, 1000]})

    def test_what_a_signal_raises_ends_a_run(self):
        for raised, handler in (('KeyboardInterrupt', ''), ('RuntimeError', '''
def stop(*about):
    raise RuntimeError('stop')
signal.signal(signal.SIGINT, stop)''')):
            program = f'''
import os, signal, threading, time, ocellus{handler}
s = ocellus.Session({ENDLESS.encode()!r})
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    s.run()
except {raised}:
    print('raised', time.monotonic() - begin < 5)
s = ocellus.Session({MIRROR.encode()!r})
print(s.run({{'x': [[1, 2]]}})['y'].tolist())
'''
            done = subprocess.run([sys.executable, '-B', '-c', program], text=True, capture_output=True, timeout=60)
            self.assertEqual(done.stdout, 'raised True\n[[-1.0, -2.0]]\n', done.stderr)
            self.assertEqual(done.stderr, '')


class Models(unittest.TestCase):
    TEXT = '''<ir_version: 10, producer_name: "me", producer_version: "3", model_version: 7, opset_import: ["" : 22],
  metadata_props: ["author": "you", "empty": ""]>
net (float[N,3] x) => (float[N,2] y) <float[3,2] w = {1,2,3,4,5,6}, float most = {6}> {
  [first] m = MatMul (x, w)
  y = Clip (m, , most)
  unused = Nonsense <axes = [1, 2], scale = 0.5, mode = "fast", names = ["a", "b"]> (m)
}'''

    def setUp(self):
        self.model = ocellus.Model(self.TEXT.encode())

    def test_what_it_is(self):
        m = self.model
        self.assertEqual((m.ir_version, m.producer_name, m.producer_version, m.model_version, m.graph_name, m.opsets),
                         (10, 'me', '3', 7, 'net', {'': 22}))
        self.assertEqual(m.metadata, {'author': 'you', 'empty': ''})
        self.assertEqual((m.n_nodes, m.n_functions, m.n_parameters), (3, 0, 7))
        self.assertEqual(m.inputs, (ocellus.Port('x', 'tensor', 'float', ('N', 3), False),))
        self.assertEqual(m.weights, [ocellus.Weight('w', 'float', (3, 2), 24, False, False),
                                     ocellus.Weight('most', 'float', (), 4, False, False)])

    def test_operators(self):
        self.assertEqual([(o.name, o.since, o.support) for o in self.model.operators],
                         [('MatMul', 13, 'native'), ('Clip', 13, 'native'), ('Nonsense', 0, 'none')])

    def test_nodes(self):
        first, clip, nonsense = self.model.nodes({'x': (5, 3)})
        self.assertEqual((first.name, first.op_type, first.depth, first.parent), ('first', 'MatMul', 0, None))
        self.assertEqual([p.shape for p in first.inputs + first.outputs], [(5, 3), (3, 2), (5, 2)])
        self.assertEqual([p.name for p in clip.inputs], ['m', '', 'most'])
        self.assertEqual({a.name: a.value for a in nonsense.attributes},
                         {'axes': [1, 2], 'scale': 0.5, 'mode': 'fast', 'names': ['a', 'b']})
        with self.assertRaises(ocellus.Error):
            self.model.nodes({'q': (1,)})

    def test_check_tells_what_is_wrong(self):
        self.assertEqual([p.code for p in self.model.check()], ['UNSUPPORTED'])
        self.assertIn("'Nonsense'", self.model.check()[0].text)
        self.assertEqual(session(MIRROR).check(), [])
        wrong = ocellus.Model((HEAD + 'g (float[2] x, float[3] w) => (y) { y = Add (x, w) }').encode())
        self.assertEqual([p.code for p in wrong.check()], ['SHAPE'])

    def test_functions_of_ones_own(self):
        net = (HEAD + 'g (float[2] x) => (float[2] y) { a = Relu (x) y = Abs (a) }').encode()
        own = '<domain: "", opset_import: ["" : 17]>\n{} (x) => (y) {{ y = Neg (x) }}\n'
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, f'{name}.onnxtxt') for name in ('Relu', 'Abs')]
            for path in paths:
                path.write_text(own.format(path.stem), encoding='utf-8')
            model = ocellus.Model(net, functions=paths)
            self.assertEqual(model.functions, [ocellus.Function('', path.stem, '', str(path), 1) for path in paths])
            self.assertEqual(ocellus.Session(model).run({'x': [-1, 2]})['y'].tolist(), [-1, 2])
            model = ocellus.Model(net, functions=str(paths[0]))
            self.assertEqual(ocellus.Session(model).run({'x': [-1, 2]})['y'].tolist(), [1, 2])
        self.assertEqual(ocellus.Model(net, functions=[]).functions, [])
        with self.assertRaises(ocellus.Error):
            ocellus.Model(net, functions='none.onnx')

    def test_newer_versions_are_taken_for_the_newest_known(self):
        net = b'<ir_version: 99, opset_import: ["" : 99]> g (float[2] x) => (float[2] y) { y = Neg (x) }'
        with self.assertRaisesRegex(ocellus.Error, "the option 'newer'"):
            ocellus.Model(net)
        self.assertEqual(ocellus.Session(ocellus.Model(net, newer=True)).run({'x': [-1, 2]})['y'].tolist(), [1, -2])

    def test_saved_and_loaded_it_is_the_same(self):
        for form in 'onnx', 'text':
            again = ocellus.Model(self.model.to_bytes(form))
            self.assertEqual(again.nodes(), self.model.nodes())
        with self.assertRaises(ocellus.Error):
            self.model.to_bytes('json')

    def test_expanded(self):
        model = ocellus.Model((HEAD + 'g (float[3] x) => (float[3] y) { y = Softmax (x) }').encode())
        expanded = model.expand()
        del model
        self.assertNotIn('Softmax', [o.name for o in expanded.operators])
        found = ocellus.Session(expanded).run({'x': [1, 2, 3]})['y']
        self.assertAlmostEqual(found.sum(), 1, 6)

    def test_extracted(self):
        model = ocellus.Model((HEAD + 'g (float[3] x, float[3] w) => (float[3] y, z) { a = Neg (x) y = Add (a, w) '
                               'z = Mul (a, a) }').encode())
        head, tail, part = model.extract(end=['a']), model.extract(['a']), model.extract(['a'], ['y'])
        del model
        self.assertEqual([[p.name for p in m.inputs] for m in (head, tail, part)], [['x'], ['a', 'w'], ['a', 'w']])
        self.assertEqual([[p.name for p in m.outputs] for m in (head, tail, part)], [['a'], ['y', 'z'], ['y']])
        a = ocellus.Session(head).run({'x': [1, 2, 3]})['a']
        np.testing.assert_array_equal(ocellus.Session(part).run({'a': a, 'w': [1, 1, 1]})['y'], [0, -1, -2])
        with self.assertRaises(ocellus.Error):
            tail.extract(['x'])

    def test_joined(self):
        head = ocellus.Model((HEAD + 'g (float[2] x) => (float[2] y, float[2] z) { y = Neg (x) z = Abs (x) }').encode())
        tail = ocellus.Model((HEAD + 'h (float[2] a, float[2] x) => (float[2] z) { z = Add (a, x) }').encode())
        twice = head.join(head, {'y': 'x'}, 'again')
        self.assertEqual([[p.name for p in ports] for ports in (twice.inputs, twice.outputs)],
                         [['x'], ['y', 'again/z', 'z']])
        joined = head.join(tail, links={'y': 'a'}, prefix='p')
        del head, tail
        for again in joined, pickle.loads(pickle.dumps(joined)), ocellus.Model(joined.to_bytes()):
            found = ocellus.Session(again).run({'x': [1, -2], 'p/x': [10, 20]})
            self.assertEqual({name: value.tolist() for name, value in found.items()}, {'p/z': [9, 22], 'z': [1, 2]})
        named = ocellus.Model((HEAD + 'h (float[2] z) => (float[2] w) { w = Neg (z) }').encode())
        self.assertEqual(ocellus.Session(joined.join(named)).run({'x': [1, -2], 'p/x': [10, 20]})['w'].tolist(), [-1, -2])
        for wrong in ((named, {'y': 'a'}), (named, {'z': 'a'}), (named, {'z': 1}), (named, ['z']), (named, {'z': 'z'}, 1),
                      (named, 'z'), (None,), (joined, {'z': 'x'})):
            self.assertRaises(ocellus.Error, joined.join, *wrong)

    def test_extracted_with_values(self):
        model = ocellus.Model((HEAD + 'g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { a = Mul (x, w) y = Neg (a) }')
                              .encode())
        other = model.extract({'x': None, 'w': np.float32([10, 20])})
        self.assertEqual([p.name for p in other.inputs], ['x'])
        for again in other, pickle.loads(pickle.dumps(other)):
            self.assertEqual(ocellus.Session(again).run({'x': [1, 1]})['y'].tolist(), [-10, -20])
        fixed = model.extract({'a': np.float32([3, 4])})
        self.assertEqual((fixed.inputs, ocellus.Session(fixed).run()['y'].tolist()), ((), [-3, -4]))
        for wrong in {'w': np.zeros(2, 'M8[s]')}, {'w': 'text'}, {'w': {}}:
            self.assertRaises(ocellus.Error, model.extract, wrong)

    def test_from_a_path(self):
        path = ROOT / 'examples/mirror.onnxtxt'
        for given in path, str(path):
            s = ocellus.Session(given)
            picture = np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3)
            np.testing.assert_allclose(s.run({'image': picture})['mirrored'], picture[..., ::-1], atol=1e-6)


class Docstrings(unittest.TestCase):
    def test_each_public_name_has_one(self):
        import inspect

        import ocellus.onnxruntime
        for module in ocellus, ocellus.onnxruntime:
            for kind, members in [(getattr(module, name), vars(getattr(module, name))) for name in module.__all__
                                  if not name.startswith('_')]:
                self.assertTrue(kind.__doc__, kind)
                for name, member in members.items() if inspect.isclass(kind) else ():
                    told = member.fget if isinstance(member, property) else getattr(member, '__func__', member)
                    if inspect.isfunction(told) and not name.startswith('_'):
                        self.assertTrue(told.__doc__, f'{kind.__name__}.{name}')


class Layout(unittest.TestCase):
    """The structs lie as the header's do, of which tests/house/layout.txt has a record."""

    def test_structs(self):
        import ctypes

        from ocellus import _library
        recorded = {}
        for row in (ROOT / 'tests/house/layout.txt').read_text(encoding='utf-8').splitlines():
            name, field, offset, size = row.split()
            recorded.setdefault(name, {})[field] = int(offset), int(size)
        seen = 0
        for name, struct in vars(_library).items():
            if isinstance(struct, type) and issubclass(struct, ctypes.Structure) and struct is not ctypes.Structure:
                seen += 1
                fields = {field.rstrip('_'): (getattr(struct, field).offset, getattr(struct, field).size)
                          for field, _ in struct._fields_}
                self.assertEqual({'-': (0, ctypes.sizeof(struct)), **fields}, recorded[name], name)
        self.assertGreater(seen, 12)


if __name__ == '__main__':
    unittest.main()
