# SPDX-License-Identifier: Apache-2.0
"""misuse.py - options, values and calls that make no sense from Python: each is an ocellus.Error, and the session lives on.
Needs numpy; the library is the one that OCELLUS_LIBRARY names."""
import copy
import gc
import pickle
import sys
import threading
import time
import unittest
import weakref

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
MIRROR = (HEAD + 'g (float[N] x) => (float[N] y) { y = Neg (x) }').encode()
TYPES = {'uint8': 'u1', 'int8': 'i1', 'uint16': 'u2', 'int16': 'i2', 'int32': 'i4', 'int64': 'i8', 'uint32': 'u4',
         'uint64': 'u8'}
HUGE = 2 ** 70, -2 ** 70, 10 ** 5000, 2 ** 64, -1


def identity(kind, ir_version=13, opset=25):
    return ocellus.Session(f'<ir_version: {ir_version}, opset_import: ["" : {opset}]>\n'
                           f'g ({kind} x) => ({kind} y) {{ y = Identity (x) }}'.encode(), threads=1)


class Misuse(unittest.TestCase):
    def code(self, call, *given, **options):
        with self.assertRaises(ocellus.Error) as caught:
            call(*given, **options)
        self.assertTrue(caught.exception.text)
        return caught.exception.code

    def test_options_that_do_not_fit(self):
        for name in 'threads', 'memory_cap', 'max_steps', 'seed':
            for value in HUGE + (1.5, '1', [], float('nan')):
                if (name, value) != ('seed', 2 ** 64 - 1):
                    self.assertEqual(self.code(ocellus.Session, MIRROR, **{name: value}), 'ARGUMENT', name)
        for value in (2 ** 40, 257):
            self.assertEqual(self.code(ocellus.Session, MIRROR, threads=value), 'ARGUMENT')
        for value in (-1, float('nan'), 10 ** 5000, 'soon', []):
            self.assertEqual(self.code(ocellus.Session, MIRROR, deadline=value), 'ARGUMENT')
            self.assertEqual(self.code(ocellus.Model, MIRROR, deadline=value), 'ARGUMENT')
        self.assertEqual(self.code(ocellus.Model, MIRROR, memory_cap=2 ** 64), 'ARGUMENT')
        for fits in dict(threads=np.int8(2)), dict(seed=2 ** 64 - 1), dict(deadline=1e300), dict(max_steps=2 ** 63 - 1):
            self.assertEqual(ocellus.Session(MIRROR, **fits).run({'x': [1]})['y'].tolist(), [-1])

    def test_options_that_are_no_text(self):
        for name in 'cpu', 'op_options', 'only_body', 'bodies':
            for value in ('scalar\0x', 'a\0', 3, b'scalar', []):
                self.assertEqual(self.code(ocellus.Session, MIRROR, **{name: value}), 'ARGUMENT', (name, value))
        self.assertEqual(self.code(ocellus.Session, MIRROR, log=3), 'ARGUMENT')
        for source in (None, 3, [], object(), 'a\0b', b'a\0b'.decode()):
            self.assertEqual(self.code(ocellus.Model, source), 'ARGUMENT')
        for options in dict(external_dir='a\0'), dict(functions=[3]), dict(functions=3), dict(external_dir=3):
            self.assertEqual(self.code(ocellus.Model, MIRROR, **options), 'ARGUMENT')

    def test_dims_and_names_that_do_not_fit(self):
        model = ocellus.Model(MIRROR)
        for shape in ((2 ** 63,), (2 ** 64 + 3,), (-1,), ('a',), (1.5,), None, 3, (1,) * 17, ()):
            self.assertEqual(self.code(model.nodes, {'x': shape}), 'ARGUMENT', shape)
        self.assertEqual(self.code(model.nodes, [1]), 'ARGUMENT')
        for names in ('y', [1], 3, [[]], ['a\0']):
            self.assertIn(self.code(model.extract, names), ('ARGUMENT', 'MODEL'))
        self.assertEqual(self.code(model.expand, []), 'ARGUMENT')
        self.assertEqual(self.code(model.expand, only=3), 'ARGUMENT')
        session = ocellus.Session(model)
        for outputs in ('y', [1], 3, [[]]):
            self.assertEqual(self.code(session.run, {'x': [1]}, outputs), 'ARGUMENT')
        self.assertEqual(self.code(session.run, {1: [1]}), 'ARGUMENT')
        self.assertEqual(self.code(session.run, {'x': [1]}, None, {1: np.empty(1, 'f4')}), 'ARGUMENT')

    def test_integers_that_a_type_has_not(self):
        for kind, dtype in TYPES.items():
            session, limits = identity(f'{kind}[N]'), np.iinfo(dtype)
            fit = [int(limits.min), 0, int(limits.max)]
            self.assertEqual(session.run({'x': fit})['y'].tolist(), fit)
            self.assertEqual(session.run({'x': [1.0, True]})['y'].tolist(), [1, 1])
            for value in (fit[0] - 1, fit[2] + 1, 2 ** 70, -2 ** 70, 10 ** 5000, 0.5, float('nan'), float('inf'), 1e30):
                self.assertEqual(self.code(session.run, {'x': [value]}), 'VALUE', kind)
        for kind, low, high in (('int4', -8, 7), ('uint4', 0, 15), ('int2', -2, 1), ('uint2', 0, 3)):
            session = identity(f'{kind}[N]')
            self.assertEqual(session.run({'x': [low, high]})['y'].tolist(), [low, high])
            for value in (low - 1, high + 1):
                self.assertEqual(self.code(session.run, {'x': [value]}), 'VALUE')
        for kind in 'float', 'float16', 'double':
            self.assertEqual(self.code(identity(f'{kind}[N]').run, {'x': [10 ** 5000]}), 'VALUE', kind)
        with self.assertRaises(ocellus.Error) as caught:
            identity('uint8[N]').run({'x': [2 ** 70]})
        self.assertEqual(caught.exception.text,
                         "input 'x' is [1180591620717411303424], expected numbers that uint8 has")
        for given, kind, said in (
                ([1.5, 2], 'float', "such as 1.5, expected one of float, as array.astype('float32') makes"),
                (['a', 3], 'int64', "such as 3, expected one of int64, as array.astype('int64') makes"),
                ([1], 'bfloat16', 'such as 1, expected one of bfloat16'), (['a'], 'float', 'is string[1], expected float[N]')):
            with self.assertRaises(ocellus.Error) as caught:
                identity(f'{kind}[N]').run({'x': np.array(given, object)})
            self.assertEqual(caught.exception.code, 'TYPE')
            self.assertTrue(caught.exception.text.endswith(said), caught.exception.text)
        self.assertEqual(self.code(identity('string[N]').run, {'x': np.array(['a', 3], object)}), 'TYPE')
        self.assertEqual(self.code(identity('bool[N]').run, {'x': [2]}), 'VALUE')
        self.assertEqual(self.code(identity('bfloat16[N]').run, {'x': [1.5]}), 'VALUE')
        self.assertEqual(identity('float[N]').run({'x': [2 ** 70, 0.1]})['y'].tolist(), [2 ** 70, np.float32(0.1)])

    def test_values_that_are_no_numbers(self):
        class Raises:
            def __array__(self, *about, **more):
                raise ValueError('no array')

        session = identity('float[N]')
        for value in (['a'], [None], [object()], [1j], [[1], [2, 3]], {}, object(), Raises(), (i for i in range(3)), '1',
                      np.array([object()]), np.zeros(1, 'V8'), np.zeros(1, 'M8[s]'), np.zeros(1, 'f4,i4'), None, 1j):
            self.assertIn(self.code(session.run, {'x': value}), ('TYPE', 'ARGUMENT', 'SHAPE'), repr(value)[:50])
        text = identity('string[N]')
        for value in ([None], [3], np.array([object()]), ['\ud800']):
            self.assertIn(self.code(text.run, {'x': value}), ('TYPE', 'VALUE'))
        sequence = identity('seq(float[])')
        for value in (3, None, [None], [['a']]):
            self.assertIn(self.code(sequence.run, {'x': value}), ('TYPE', 'ARGUMENT'), value)

    def test_arrays_that_lie(self):
        class Lie(np.ndarray):
            shape = property(lambda self: (1 << 20,))

        session = identity('float[N]')
        x = np.arange(4, dtype=np.float32)
        self.assertEqual(session.run({'x': x.copy().view(Lie)})['y'].tolist(), [0, 1, 2, 3])
        out = np.zeros(4, np.float32).view(Lie)
        session.run({'x': x}, out={'y': out})
        self.assertEqual(np.asarray(out).tolist(), [0, 1, 2, 3])

    def test_arrays_are_not_resized_while_they_are_borrowed(self):
        session = identity('float[N]')
        x, y = np.ones(1 << 20, np.float32), np.ones(1 << 20, np.float32)
        session.run({'x': x}, out={'y': y})
        for array in x, y:
            self.assertRaises(ValueError, array.resize, 10, refcheck=False)
        session.run({'x': [1]})
        x.resize(10, refcheck=False)
        y.resize(10, refcheck=False)
        self.assertEqual(session.run()['y'].tolist(), [1])

    def test_outputs_go_only_where_their_type_is(self):
        for declared in 'float[N] y', 'y':
            session = ocellus.Session(f'{HEAD} g (float[N] x) => ({declared}) {{ y = Neg (x) }}'.encode())
            for dtype in 'i1', 'i4', 'f2', 'f8', '>f4', 'c8', '?', 'O':
                out = np.zeros(2, dtype)
                self.assertIn(self.code(session.run, {'x': [300.5, 1]}, None, {'y': out}), ('ARGUMENT', 'TYPE'), dtype)
                self.assertEqual(out.tolist(), [0, 0])
            with self.assertRaisesRegex(ocellus.Error, 'but double'):
                session.run({'x': [300.5, 1]}, out={'y': np.zeros(2)})
            for out in np.zeros(4, np.float32)[::2], np.zeros((2, 2), np.float32), np.broadcast_to(np.float32(0), 2):
                self.assertIn(self.code(session.run, {'x': [300.5, 1]}, None, {'y': out}), ('ARGUMENT', 'SHAPE'))
            out = np.zeros(2, np.float32)
            session.run({'x': [300.5, 1]}, None, {'y': out})
            self.assertEqual(out.tolist(), [-300.5, -1])

    def test_what_is_closed(self):
        with ocellus.Session(MIRROR) as session:
            self.assertEqual(session.run({'x': [1]})['y'].tolist(), [-1])
        for call in session.run, session.stats, session.check, lambda: session.model.nodes():
            self.assertEqual(self.code(call), 'ARGUMENT')
        session.close()
        self.assertIn('Session', repr(session))
        with ocellus.Model(MIRROR) as model:
            kept = ocellus.Session(model)
            part = model.extract(end=['y'])
            joined = model.join(part, {'y': 'x'})
        for call in (model.nodes, model.check, model.to_bytes, model.expand, lambda: model.weights,
                     lambda: model.operators, lambda: ocellus.Session(model)):
            self.assertEqual(self.code(call), 'ARGUMENT')
        gc.collect()
        self.assertEqual(kept.run({'x': [1]})['y'].tolist(), [-1])
        self.assertEqual(ocellus.Session(part).run({'x': [1]})['y'].tolist(), [-1])
        self.assertEqual(ocellus.Session(joined).run({'x': [1]})['y'].tolist(), [1])
        self.assertEqual(self.code(part.join, model), 'ARGUMENT')
        kept.close()
        self.assertEqual(self.code(kept.run), 'ARGUMENT')

    def test_what_was_never_made(self):
        for kind in ocellus.Session, ocellus.Model:
            made = kind.__new__(kind)
            self.assertIn('never loaded', repr(made))
            whole = kind(MIRROR)
            for name in [name for name in dir(whole) if name[0] != '_' and name not in ('close', 'model')]:
                def use():
                    if callable(getattr(whole, name)):
                        getattr(made, name)(*[whole] if name == 'join' else [])
                    else:
                        getattr(made, name)

                self.assertEqual(self.code(use), 'ARGUMENT', (kind, name))
            for call in copy.copy, copy.deepcopy, pickle.dumps:
                if kind is ocellus.Session or call is pickle.dumps:
                    self.assertEqual(self.code(call, made), 'ARGUMENT')
            made.close()

    def test_made_anew_while_others_have_it(self):
        ones = ','.join(['1.0'] * 300000)
        text = f'{HEAD} g (float[N] x) => (float[N] y) <float[300000] w = {{{ones}}}> {{ y = Add (x, w) }}'
        model = ocellus.Model(ocellus.Model(text.encode()).to_bytes())
        session = ocellus.Session(model)
        x = np.ones(300000, np.float32)
        session.run({'x': x})
        model.__init__((HEAD + 'g (float[N] q) => (float[N] r) { r = Abs (q) }').encode())
        others = [bytes(1300000) for _ in range(10)]
        self.assertEqual(session.run({'x': x})['y'].sum(), 600000)
        session.__init__(model)
        self.assertEqual(session.run({'q': -x})['r'].sum(), 300000)
        self.assertEqual(len(others), 10)

    def test_closed_by_another_thread(self):
        session = ocellus.Session(MIRROR, threads=1)
        ended = []

        def work():
            try:
                while True:
                    assert (session.run({'x': np.ones(1000, np.float32)})['y'] == -1).all()
            except ocellus.Error as e:
                ended.append(e.code)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        session.close()
        for thread in threads:
            thread.join()
        self.assertEqual(ended, ['ARGUMENT'] * 3)

    def test_cycles_and_weak_references(self):
        model = ocellus.Model(MIRROR)
        for _ in range(20):
            session = ocellus.Session(model, threads=1)
            session.me, model.last = session, session
            session.run({'x': np.ones(1000, np.float32)})
        seen = weakref.ref(session)
        del session, model
        gc.collect()
        self.assertIsNone(seen())


if __name__ == '__main__':
    unittest.main()
