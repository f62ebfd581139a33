# SPDX-License-Identifier: Apache-2.0
"""functions.py - functions of the program's that a session calls: operators, on_node, cancel; and profiles. What they raise
comes out of the run, and the session runs on. Needs numpy; the library is the one that OCELLUS_LIBRARY names."""
import copy
import gc
import multiprocessing
import pickle
import random
import signal
import sys
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
try:
    import torch
except ImportError:
    torch = None

import ocellus
import ocellus.onnxruntime as ort

HEAD = '<ir_version: 10, opset_import: ["" : 22, "my.vision" : 1]>\n'
THRESHOLD = (HEAD + '''g (float[N] x) => (float[N] y, float[N] z) {
  t = Abs (x)
  y = my.vision.Threshold <limit = 0.25> (t)
  z = Neg (y)
}''').encode()
SIGNATURE = 'my.vision::Threshold <float limit = 0.5> (T x) => (T y) | T: float'
LOOP = (HEAD + '''g (int64 n, float[1] v) => (y) {
  y = Loop (n, , v) <body = b (int64 i, bool more, float[1] s) => (more, t) { t = my.vision.Next (s) }>
}''').encode()
FOR_EVER = {'n': 2 ** 63 - 1, 'v': [0]}
X = np.float32([0.5, -0.1, 1])


class Stop(Exception):
    pass


def threshold(call):
    x, = call.inputs
    return (x > call.attributes['limit']).astype(np.float32)


def same_shape(call):
    return [(call.types[0], call.shapes[0])]


def threshold_in_place(call):
    x, = call.inputs
    y, = call.outputs
    np.greater(x, call.attributes['limit'], out=y, casting='unsafe')


def increment(call):
    return call.inputs[0] + np.float32(1)


def stop(*about):
    raise Stop(*about[:1])


def session(text, *ops, **options):
    return ocellus.Session(text, threads=1, ops=[ocellus.CustomOp(*op) for op in ops], **options)


def code(call, *given, **options):
    try:
        call(*given, **options)
    except ocellus.Error as e:
        return e.code, e.text
    return 'OK', ''


def one(signature, run, shape=None, node=None, ports='(float[N] x) => (y)'):
    """A session of a model that has one node of that operator."""
    name = signature.split(' ')[0].split('::')[1]
    text = f'{HEAD}g {ports} {{ {node or f"y = my.vision.{name} (x)"} }}'
    return session(text.encode(), (signature, run, shape))


class Operators(unittest.TestCase):
    def test_run_nodes(self):
        for op in (SIGNATURE, threshold), (SIGNATURE, threshold, same_shape), (SIGNATURE, threshold_in_place, same_shape):
            s = session(THRESHOLD, op)
            for n in 1, 2, 3:
                self.assertEqual(s.run({'x': X[:n]})['z'].tolist(), [-1, 0, -1][:n])
            for again in copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s)):
                self.assertEqual(again.run({'x': X})['y'].tolist(), [1, 0, 1])

    def test_replace_built_in_ones(self):
        s = session((HEAD + 'g (float[N] x) => (float[N] y) { y = Relu (x) }').encode(),
                    ('Relu (T x) => (T y) | T: float', lambda call: call.inputs[0] * 2))
        self.assertEqual(s.run({'x': [-1, 1]})['y'].tolist(), [-2, 2])

    def test_of_many_ports_and_kinds(self):
        seen = []

        def run(call):
            seen.append((call.types, call.shapes, call.attributes, call.n_outputs))
            x, missing, *more = call.inputs
            self.assertIsNone(missing)
            return x.astype(np.int64), np.float32(len(more))

        signature = ('my.vision::All <int i = 3, float f, string s = "a", ints n?, floats r?, tensor t?> '
                     '(T x, float opt?, float more...) => (int64 y, float z) | T: float')
        s = one(signature, run, None, 'y, z = my.vision.All <f = 2.5, n = [4, 5], t = int64[2] {7, 8}> (x, , x, x)',
                '(float[2] x) => (y, z)')
        found = s.run({'x': [1, 2]})
        self.assertEqual((found['y'].tolist(), found['y'].dtype, found['z'].item()), ([1, 2], np.int64, 2))
        types, shapes, attributes, n = seen[-1]
        self.assertEqual((types, shapes, n), (['float', '', 'float', 'float'], [(2,), (), (2,), (2,)], 2))
        self.assertEqual(attributes.pop('t').tolist(), [7, 8])
        self.assertEqual(attributes, {'i': 3, 'f': 2.5, 's': 'a', 'n': [4, 5], 'r': None})

    def test_types_that_numpy_has_not_follow_the_input(self):
        s = one('my.vision::Same (T x) => (T y) | T: bfloat16', lambda call: call.inputs[0], None, None,
                '(bfloat16[N] x) => (bfloat16[N] y)')
        self.assertEqual(s.run({'x': np.uint16([0x3f80])})['y'].tolist(), [0x3f80])

    def test_read_strings_and_sequences(self):
        s = one('my.vision::Length (S x, Q q) => (int64 y) | S: string; Q: seq(float)',
                lambda call: np.int64([len(call.inputs[0][0]), len(call.inputs[1])]), None, 'y = my.vision.Length (x, q)',
                '(string[N] x, seq(float[]) q) => (y)')
        self.assertEqual(s.run({'x': ['abc'], 'q': [[1], [2]]})['y'].tolist(), [3, 2])

    def test_give_strings(self):
        signature, model = 'my.vision::Shout (S x) => (S y) | S: string', '(string[N] x) => (string[N] y)'
        for shape in None, same_shape:
            s = one(signature, lambda call: np.char.upper(call.inputs[0].astype(str)), shape, None, model)
            self.assertEqual(s.run({'x': ['a', 'grün', '']})['y'].tolist(), ['A', 'GRÜN', ''])
        s = one(signature, lambda call: np.array([b'\xff', 'b'], object), None, None, model)
        self.assertEqual(s.run({'x': ['a']})['y'].tolist(), [b'\xff', 'b'])
        s = one(signature, lambda call: np.array([3], object), None, None, model)
        self.assertEqual(code(s.run, {'x': ['a']})[0], 'TYPE')

    def test_what_they_return_is_checked(self):
        signature = 'my.vision::Op (T x) => (T y) | T: float'
        for run, shape, expected in (
                (lambda call: None, None, 'ARGUMENT'), (lambda call: (call.inputs[0],) * 2, None, 'ARGUMENT'),
                (lambda call: np.array(['a']), None, 'TYPE'), (lambda call: np.zeros(1, 'M8[s]'), None, 'TYPE'), (lambda call: np.float64([1]), None, 'TYPE'),
                (lambda call: np.zeros((1,) * 17, np.float32), None, 'SHAPE'), (lambda call: X, lambda call: 3, 'ARGUMENT'),
                (lambda call: X, lambda call: [], 'ARGUMENT'), (lambda call: X, lambda call: [('floot', (3,))], 'TYPE'),
                (lambda call: X, lambda call: [('float', (-1,))], 'ARGUMENT'),
                (lambda call: X, lambda call: [('float', (2,))], 'SHAPE'),
                (lambda call: np.float64(X), same_shape, 'SHAPE'), (lambda call: X, lambda call: [(1, 2, 3)], 'ARGUMENT'),
                (lambda call: None, same_shape, 'ARGUMENT'), (lambda call: call.outputs[0].fill(1), None, None), (lambda call: call.nothing, None, None),
                (lambda call: X, lambda call: 1 + '1', None), (lambda call: X, lambda call: call.shapes[7], None)):
            try:
                found = code(lambda: one(signature, run, shape).run({'x': X}))[0]
            except (AttributeError, IndexError, TypeError):
                found = None
            self.assertEqual(found, expected)

    def test_wrong_tables(self):
        for ops in ([3], [('my::Op () => ()', threshold)], [ocellus.CustomOp(SIGNATURE, 3)], 3,
                    [ocellus.CustomOp(SIGNATURE, threshold, 3)], [ocellus.CustomOp(SIGNATURE, threshold, since=0)],
                    [ocellus.CustomOp(3, threshold)]):
            self.assertEqual(code(ocellus.Session, THRESHOLD, ops=ops)[0], 'ARGUMENT', ops)
        for signature in 'my.vision::Op (', 'my.vision::Op (T x) => (T y)':
            self.assertEqual(code(session, THRESHOLD, (signature, threshold))[0], 'FORMAT')
        self.assertEqual(code(session, THRESHOLD)[0], 'UNSUPPORTED')

    def test_arrays_are_lent(self):
        kept = []
        s = session(THRESHOLD, (SIGNATURE, lambda call: kept.append(call.inputs[0][1:]) or call.inputs[0]))
        found, text = code(s.run, {'x': X})
        self.assertEqual((found, 'kept an array' in text), ('ARGUMENT', True))
        kept.clear()

        def circle(call):
            x, = call.inputs
            kept_by_none = [x]
            kept_by_none.append(kept_by_none)
            self.assertRaises(ValueError, x.fill, 1)
            kept.append(call)
            return x.copy()

        s = session(THRESHOLD, (SIGNATURE, circle))
        self.assertEqual(s.run({'x': X})['y'].tolist(), abs(X).tolist())
        for name in 'inputs', 'outputs', 'attributes', 'shapes', 'types':
            self.assertEqual(code(getattr, kept[0], name)[0], 'ARGUMENT')

    def test_calls_end_where_functions_raise(self):
        kept = []

        def fail(call):
            kept.append(call)
            raise Stop

        for op in (SIGNATURE, fail), (SIGNATURE, threshold, fail):
            with self.assertRaises(Stop):
                session(THRESHOLD, op).run({'x': X})
        self.assertEqual(len(kept), 2)
        for call in kept:
            self.assertEqual(code(getattr, call, 'inputs')[0], 'ARGUMENT')

    def test_what_they_raise_comes_out(self):
        fail = [True]

        def run(call):
            if fail[0]:
                raise Stop(call.inputs[0].tolist())
            return threshold(call)

        s = session(THRESHOLD, (SIGNATURE, run))
        for _ in range(3):
            with self.assertRaises(Stop) as caught:
                s.run({'x': X})
            self.assertAlmostEqual(caught.exception.args[0][1], 0.1)
        fail[0] = False
        self.assertEqual(s.run()['y'].tolist(), [1, 0, 1])  # on the inputs that it had
        with self.assertRaises(Stop):  # while the plan is made
            one('my.vision::Op (T x) => (T y) | T: float', threshold, stop, None, '(float[3] x) => (y)')

    def test_may_run_other_sessions_but_not_their_own(self):
        other, codes = session((HEAD + 'g (float[N] x) => (float[N] y) { y = Neg (x) }').encode()), []

        def run(call):
            codes.append(code(s.run, {'x': X})[0])
            return other.run({'x': call.inputs[0]})['y']

        s = session(THRESHOLD, (SIGNATURE, run), on_node=lambda event: codes.append(code(s.run)[0]))
        self.assertEqual(s.run({'x': X})['z'].tolist(), abs(X).tolist())
        self.assertEqual(codes, ['ARGUMENT'] * 7)

    def test_run_other_sessions_on_what_they_are_lent(self):
        other = session(THRESHOLD.replace(b'my.vision.Threshold <limit = 0.25>', b'Neg'))
        theirs = ort.InferenceSession(THRESHOLD.replace(b'my.vision.Threshold <limit = 0.25>', b'Neg'))
        bound = theirs.io_binding()
        own = np.float32([9, 9, 9])

        def plain(call):
            return other.run({'x': call.inputs[0]})['y']

        def into_outputs(call):
            other.run({'x': call.inputs[0][::-1]}, ['y'], {'y': call.outputs[0]})
            call.outputs[0][:] = call.outputs[0][::-1].copy()

        def fails(call):
            self.assertEqual(code(other.run, {'x': call.inputs[0]}, ['none'], {'y': call.outputs[0]})[0], 'ARGUMENT')
            return plain(call)

        def views(call):
            return other.run({'x': np.asarray(memoryview(call.inputs[0]))[:]})['y']

        def of_onnx_runtime(call):
            return theirs.run(['y'], {'x': ort.OrtValue.ortvalue_from_numpy(call.inputs[0])})[0]

        def by_a_binding(call):
            bound.bind_cpu_input('x', call.inputs[0])
            bound.bind_output('y')
            theirs.run_with_iobinding(bound)
            return bound.copy_outputs_to_cpu()[0]

        def by_torch(call):
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')  # an array that is only to be read
                return other.run({'x': torch.from_numpy(call.inputs[0])})['y']

        for run in [plain, into_outputs, fails, views, of_onnx_runtime, by_a_binding] + [by_torch] * bool(torch):
            s = session(THRESHOLD, (SIGNATURE, run, same_shape))
            for given in X, -X, X:
                self.assertEqual(s.run({'x': given})['y'].tolist(), (-abs(given)).tolist(), run.__name__)
                other.run()  # on what it was given last, which is its own
                self.assertEqual(other.run({'x': own})['y'].tolist(), [-9] * 3)
                own[:] = 8  # no copy: the program's own array is read where it lies
                self.assertEqual(other.run()['y'].tolist(), [-8] * 3)
                own[:] = 9

    def test_keep_what_others_are_run_on_no_longer_than_a_run(self):
        other = session((HEAD + 'g (float[N] x) => (float[N] y) { y = Identity (x) }').encode())
        s = session(THRESHOLD, (SIGNATURE, lambda call: other.run({'x': call.inputs[0]})['y']))
        self.assertEqual(s.run({'x': X})['y'].tolist(), abs(X).tolist())
        s.run({'x': np.full(3, 7, np.float32)})
        del s
        gc.collect()
        self.assertEqual(other.run()['y'].tolist(), [7] * 3)

    def test_on_node_may_run_others(self):
        other, found = session((HEAD + 'g (float[N] x) => (float[N] y) { y = Identity (x) }').encode()), []
        s = session(THRESHOLD, (SIGNATURE, threshold), on_node=lambda event: found.extend(
            other.run({'x': array})['y'].tolist() for array in event.inputs))
        s.run({'x': X})
        self.assertEqual(found[::2], found[1::2])
        self.assertEqual(len(found), 6)

    def test_sessions_of_one_model_run_side_by_side(self):
        model = ocellus.Model(THRESHOLD)
        failed = []

        def work(k):
            def run(call):
                time.sleep(0)
                if call.inputs[0][0] != k:
                    failed.append(k)
                return call.inputs[0] * np.float32(k)

            own = session(model, (SIGNATURE, run))
            for _ in range(100):
                if own.run({'x': np.float32([k])})['y'].tolist() != [k * k]:
                    failed.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])

    def test_are_freed_with_the_session(self):
        def run(call):
            return threshold(call)

        gc.disable()
        try:
            s = session(THRESHOLD, (SIGNATURE, run), on_node=lambda event, run=run: event.inputs, cancel=lambda: run is None)
            s.run({'x': X})
            s.profile()
            seen = [weakref.ref(s), weakref.ref(run)]
            del s, run
            self.assertEqual([known() for known in seen], [None, None])
        finally:
            gc.enable()

    def test_in_other_processes(self):
        s = session(THRESHOLD, (SIGNATURE, threshold, same_shape))
        with multiprocessing.get_context('spawn').Pool(1) as pool:
            self.assertEqual(pool.apply(s.run, ({'x': X}, ['y']))['y'].tolist(), [1, 0, 1])


class Nodes(unittest.TestCase):
    TEXT = (HEAD + 'g (float[N] x, string[M] s) => (float[N] y, t) { a = Abs (x) y = Neg (a) t = Identity (s) }').encode()
    GIVEN = {'x': X, 's': ['b']}

    def test_are_told(self):
        told = []

        def on_node(event):
            told.append((event.begin, event.op_type, event.output_names,
                         [np.asarray(a).tolist() for a in event.inputs + ([] if event.begin else event.outputs)]))

        session(self.TEXT, on_node=on_node).run({'x': [-1, 2], 's': ['b']})
        self.assertEqual(told, [(True, 'Abs', ('a',), [[-1, 2]]), (False, 'Abs', ('a',), [[-1, 2], [1, 2]]),
                                (True, 'Neg', ('y',), [[1, 2]]), (False, 'Neg', ('y',), [[1, 2], [-1, -2]]),
                                (True, 'Identity', ('t',), [['b']]), (False, 'Identity', ('t',), [['b'], ['b']])])

    def test_views(self):
        for view, expected in ('all', [3]), ('stored', [3]), ('none', []):
            told = []
            session(self.TEXT, on_node=lambda e: told.append([a.size for a in e.inputs if a is not None]),
                    view=view).run(self.GIVEN)
            self.assertEqual(told[0], expected)
        self.assertEqual(code(session, self.TEXT, view='some')[0], 'ARGUMENT')
        self.assertEqual(code(session, self.TEXT, on_node=3)[0], 'ARGUMENT')

    def test_outputs_may_be_overwritten(self):
        def on_node(event):
            if event.op_type == 'Abs' and not event.begin:
                event.outputs[0][:] = 5
            for array in event.inputs:
                self.assertFalse(isinstance(array, np.ndarray) and array.dtype != object and array.flags.writeable)

        self.assertEqual(session(self.TEXT, on_node=on_node).run(self.GIVEN)['y'].tolist(), [-5, -5, -5])

    def test_arrays_are_lent(self):
        kept, events = [], []
        s = session(self.TEXT, on_node=lambda event: kept.extend(event.inputs))
        self.assertIn('kept an array', code(s.run, self.GIVEN)[1])
        session(self.TEXT, on_node=events.append).run(self.GIVEN)
        self.assertEqual(code(lambda: events[0].inputs)[0], 'ARGUMENT')
        self.assertEqual(events[0].op_type, 'Abs')

        def fail(event):
            kept[:] = event,
            raise Stop

        self.assertRaises(Stop, session(self.TEXT, on_node=fail).run, self.GIVEN)
        self.assertEqual(code(lambda: kept[0].inputs)[0], 'ARGUMENT')

    def test_what_it_raises_comes_out(self):
        for when in True, False:
            def on_node(event):
                told.append(event.sequence)
                if event.begin == when and fail:
                    raise Stop

            told, fail = [], True
            s = session(self.TEXT, on_node=on_node)
            for _ in range(3):
                self.assertRaises(Stop, s.run, self.GIVEN)
            self.assertEqual(set(told), {0})
            fail = False
            self.assertEqual(s.run()['t'].tolist(), ['b'])

    def test_profile(self):
        text = HEAD + '''g (float[1,3,16,16] x, float[8,3,3,3] w) => (float[1,8,14,14] y) {
  [first] c = Conv (x, w)
  r = Relu (c)
  y = Exp (r)
}'''
        s = session(text.encode())
        s.run({'x': np.ones((1, 3, 16, 16), np.float32), 'w': np.zeros((8, 3, 3, 3), np.float32)})
        found = s.profile(runs=4)  # on the inputs of the last run
        self.assertEqual(found.runs, 4)
        self.assertEqual({node.times for node in found.nodes}, {4})
        self.assertEqual([node.output for node in found.nodes if 'Conv' in node.runs], ['y'])  # of the last of them
        self.assertTrue(0 < sum(node.seconds for node in found.nodes) <= found.seconds)
        self.assertIn('Conv', str(found))
        self.assertEqual(code(s.profile, runs=0)[0], 'ARGUMENT')
        self.assertEqual(code(session(text.encode()).profile)[0], 'ARGUMENT')  # without inputs
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)
        odd = found._replace(nodes=[found.nodes[0]._replace(name='\x1b[31mred\udcff')])  # as the command prints names
        self.assertIn('\\x1b[31mred\\xff', str(odd))


class Cancelled(unittest.TestCase):
    NEXT = 'my.vision::Next (T x) => (T y) | T: float', increment

    def test_by_a_function(self):
        event = threading.Event()
        s = session(LOOP, self.NEXT, cancel=event.is_set)
        threading.Timer(0.05, event.set).start()
        self.assertEqual(code(s.run, FOR_EVER)[0], 'CANCELLED')
        self.assertEqual(code(s.run, FOR_EVER)[0], 'CANCELLED')
        event.clear()
        self.assertEqual(s.run({'n': 3, 'v': [1]})['y'].tolist(), [4])
        self.assertEqual(code(session, LOOP, self.NEXT, cancel=3)[0], 'ARGUMENT')

    def test_what_it_raises_comes_out(self):
        raises = []

        def cancel():
            if raises:
                raise raises[0]

        s = session(LOOP, self.NEXT, cancel=cancel)
        threading.Timer(0.05, raises.append, [Stop()]).start()
        self.assertRaises(Stop, s.run, FOR_EVER)
        raises.clear()
        self.assertEqual(s.run({'n': 3, 'v': [1]})['y'].tolist(), [4])

    @unittest.skipUnless(hasattr(signal, 'setitimer'), 'the system has no timers')
    def test_by_signals_within_functions(self):
        """Each is seen by somebody, wherever it comes."""
        before = signal.signal(signal.SIGALRM, stop)
        unseen, chance = [], random.Random(1)
        hook, sys.unraisablehook = sys.unraisablehook, unseen.append
        try:
            for options in dict(), dict(on_node=lambda event: event.inputs), dict(cancel=lambda: False):
                s = session(LOOP, self.NEXT, **options)
                for _ in range(100):
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 0.001 + chance.random() / 200)
                        self.assertIsNone(s.run(FOR_EVER))
                    except Stop:
                        pass
                    self.assertEqual(s.run({'n': 3, 'v': [1]})['y'].tolist(), [4])
        finally:
            signal.signal(signal.SIGALRM, before)
            sys.unraisablehook = hook
        self.assertEqual(unseen, [])


if __name__ == '__main__':
    unittest.main()
