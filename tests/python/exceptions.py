# SPDX-License-Identifier: Apache-2.0
"""exceptions.py - whatever a function of the program's raises, wherever the library calls it, comes out of the call as that
exception, gives no values, and leaves a session that runs. Needs numpy; the library is the one that OCELLUS_LIBRARY names."""
import ast
import pathlib
import signal
import sys
import threading
import time
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus
import ocellus.onnxruntime as ort
from unseen import nothing_unseen

HEAD = '<ir_version: 10, opset_import: ["" : 22, "my.vision" : 1]>\n'
MODEL = (HEAD + '''g (float[N] x) => (float[3] y) {
  a = my.vision.Double (x)
  y = Neg (a)
}''').encode()
X = np.float32([1, 2, 3, 4])  # the declared shape is another one: each run has a line for the log
RIGHT = [-2, -4, -6, -8]


class Mine(BaseException):
    pass


class MyError(ocellus.Error):
    pass


class MyExit(GeneratorExit):
    pass


def raised_by_a_generator():
    """An exception that has passed through a generator of the program's."""
    def generator():
        raise KeyboardInterrupt('mine')
        yield

    next(generator())


EXCEPTIONS = [GeneratorExit('mine'), StopIteration('mine'), StopAsyncIteration('mine'), SystemExit('mine'),
              KeyboardInterrupt('mine'), Mine('mine'), MyExit('mine'), MemoryError('mine'), RecursionError('mine'),
              ValueError('mine'), TypeError('mine'), AttributeError('mine'), KeyError('mine'), RuntimeError('mine'),
              ocellus.Error('SHAPE', 'mine'), ocellus.Error('NONE', 'mine'), MyError('SHAPE', 'mine')]


class Program:
    """The functions of a program, of which one raises."""

    def __init__(self, where, given):
        self.where, self.given, self.armed = where, given, False
        self.op = ocellus.CustomOp('my.vision::Double (T x) => (T y) | T: float', self.run,
                                   self.generate if where == 'generator' else self.shape if where == 'shape' else None)
        self.options = {'threads': 1, 'ops': [self.op]}
        if where in ('begin', 'end'):
            self.options['on_node'] = self.on_node
        if where in ('log', 'cancel'):
            self.options[where] = getattr(self, where)

    def may_raise(self, where):
        if self.armed and where == self.where:
            if self.given is None:
                raised_by_a_generator()
            if where == 'generator' and isinstance(self.given, StopIteration):
                raise ValueError('mine') from self.given  # Python lets none of these out of a generator
            raise self.given

    def run(self, call):
        self.may_raise('run')
        return call.inputs[0] * np.float32(2)

    def shape(self, call):
        self.may_raise('shape')
        return [('float', call.shapes[0])]

    def generate(self, call):
        yield 'float', call.shapes[0]
        self.may_raise('generator')

    def on_node(self, event):
        self.may_raise('begin' if event.begin else 'end')

    def log(self, line):
        self.may_raise('log')

    def cancel(self):
        self.may_raise('cancel')


class EachFromEverywhere(unittest.TestCase):
    PLACES = 'run', 'shape', 'generator', 'begin', 'end', 'log', 'cancel'

    def each(self, places):
        """Each exception from each place."""
        for where in places:
            with nothing_unseen(self):
                for given in (*EXCEPTIONS, None):
                    yield where, given

    def assertComesOut(self, given, call):
        try:
            found = call()
        except BaseException as caught:
            if caught.__cause__ is given and isinstance(caught, ValueError):
                return
            if given is None:
                self.assertEqual((type(caught), str(caught)), (KeyboardInterrupt, 'mine'))
            else:
                self.assertIs(caught, given)
        else:
            self.fail(f'{given!r} is lost, and {found!r} is given')

    def test_of_runs(self):
        for where, given in self.each(self.PLACES):
            with self.subTest(where=where, given=given):
                program = Program(where, given)
                session = ocellus.Session(MODEL, **program.options)
                for _ in range(1 if where == 'log' else 2):  # a session tells a line once
                    program.armed = True
                    self.assertComesOut(given, lambda: session.run({'x': X}))
                    if where != 'log':
                        self.assertComesOut(given, lambda: session.run({'x': X[:3]}, [], {}))
                    program.armed = False
                    self.assertEqual(session.run({'x': X})['y'].tolist(), RIGHT)

    def test_of_what_makes_a_plan(self):
        text = MODEL.replace(b'float[N]', b'float[4]')
        for where, given in self.each(('shape', 'generator', 'log')):
            with self.subTest(where=where, given=given):
                program = Program(where, given)
                program.armed = True
                self.assertComesOut(given, lambda: ocellus.Session(text, **program.options))
                program.armed = False
                self.assertEqual(ocellus.Session(text, **program.options).run({'x': X})['y'].tolist(), RIGHT)

    def test_no_generator_changes_them(self):
        """A signal's handler may raise StopIteration wherever Python's code is, and within a generator Python makes another
        exception of it: what the package does in one expression is a list's, which lets it pass."""
        folder = pathlib.Path(ocellus.__file__).parent
        for path in folder.rglob('*.py'):
            for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
                self.assertNotIsInstance(node, ast.GeneratorExp, f'{path}, line {getattr(node, "lineno", 0)}')

    def test_of_profiles(self):
        for where, given in self.each(['run']):
            with self.subTest(given=given):
                program = Program(where, given)
                session = ocellus.Session(MODEL, **program.options)
                program.armed = True
                self.assertComesOut(given, lambda: session.profile({'x': X}))
                program.armed = False
                self.assertEqual(session.run({'x': X})['y'].tolist(), RIGHT)

    def test_of_runs_on_another_thread(self):
        for given in EXCEPTIONS[:6]:
            found = []

            def work():
                try:
                    session.run({'x': X})
                except BaseException as caught:
                    found.append(caught)

            with self.subTest(given=given), nothing_unseen(self):
                program = Program('run', given)
                session = ocellus.Session(MODEL, **program.options)
                program.armed = True
                thread = threading.Thread(target=work)
                thread.start()
                thread.join()
                self.assertIs(found[0], given)

    def test_by_the_interface_of_onnx_runtime(self):
        for where, given in self.each(('run', 'shape', 'generator')):
            with self.subTest(where=where, given=given):
                program = Program(where, given)
                session = ort.InferenceSession(MODEL, ops=[program.op])
                program.armed = True
                if type(given) is ocellus.Error and given.code == 'SHAPE':  # as all errors of the package
                    with self.assertRaises(ort.OrtError) as caught:
                        session.run(None, {'x': X})
                    self.assertEqual((caught.exception.text, caught.exception.__cause__), ('mine', given))
                else:
                    self.assertComesOut(given, lambda: session.run(None, {'x': X}))
                program.armed = False
                self.assertEqual(session.run(None, {'x': X})[0].tolist(), RIGHT)

    def test_of_runs_that_nobody_waits_for(self):
        for given in EXCEPTIONS:
            found, done = [], threading.Event()

            def callback(*about):
                found.append(about)
                done.set()

            with self.subTest(given=given), nothing_unseen(self):
                program = Program('run', given)
                session = ort.InferenceSession(MODEL, ops=[program.op])
                program.armed = True
                session.run_async(None, {'x': X}, callback, 7)
                self.assertTrue(done.wait(30), 'the callback is never called')
                self.assertEqual((found[0][:2], 'mine' in found[0][2]), (([], 7), True))

    def test_of_callbacks(self):
        """They run on a thread, whose exceptions threading.excepthook gets."""
        seen, done = [], threading.Event()

        def hook(about):
            seen.append(about.exc_value)
            done.set()

        def callback(*about):
            raise given

        before, threading.excepthook = threading.excepthook, hook
        try:
            for given in EXCEPTIONS[:6]:
                done.clear()
                ort.InferenceSession(MODEL, ops=[Program('', None).op]).run_async(None, {'x': X}, callback)
                self.assertTrue(done.wait(30), f'{given!r} is lost')
                self.assertIs(seen[-1], given)
        finally:
            threading.excepthook = before


class OfSignals(unittest.TestCase):
    @unittest.skipUnless(hasattr(signal, 'setitimer'), 'the system has no timers')
    def test_each_exception_ends_a_run(self):
        text = (HEAD + '''g (int64 n, float[1] v) => (y) {
  y = Loop (n, , v) <body = b (int64 i, bool more, float[1] s) => (more, t) { t = my.vision.Double (s) }>
}''').encode()

        def handler(*about):
            raise given

        session = ocellus.Session(text, threads=1, deadline=60, ops=[Program('', None).op])
        before = signal.signal(signal.SIGALRM, handler)
        try:
            with nothing_unseen(self):
                for given in EXCEPTIONS:
                    for k in range(8):
                        with self.assertRaises(type(given)) as caught:
                            signal.setitimer(signal.ITIMER_REAL, 0.002 + k / 3000)
                            session.run({'n': 2 ** 63 - 1, 'v': [0]})
                            time.sleep(30)
                        self.assertIs(caught.exception, given)
                        self.assertEqual(session.run({'n': 3, 'v': [1]})['y'].tolist(), [8])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class OfValues(unittest.TestCase):
    """What a program's own values raise while they are read is no refusal of the package's."""

    def test_of_arrays(self):
        class Raises:
            def __array__(self, *about, **more):
                raise given

        session = ocellus.Session((HEAD + 'g (float[N] x) => (float[N] y) { y = Neg (x) }').encode())
        for given in EXCEPTIONS[:6]:
            with self.subTest(given=given), self.assertRaises(type(given)) as caught:
                session.run({'x': Raises()})
            self.assertIs(caught.exception, given)
            self.assertEqual(session.run({'x': [1]})['y'].tolist(), [-1])


if __name__ == '__main__':
    unittest.main()
