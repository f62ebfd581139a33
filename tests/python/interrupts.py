# SPDX-License-Identifier: Apache-2.0
"""interrupts.py - exceptions from handlers of signals, from other threads and from the program's own log, at any line of the
package: none is lost, and afterwards everything runs. Needs numpy; the library is the one that OCELLUS_LIBRARY names."""
import copy
import ctypes
import gc
import linecache
import os
import random
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
from unseen import nothing_unseen

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
MIRROR = (HEAD + 'g (float[N] x) => (float[N] y, float[N] z) { y = Neg (x)  z = Abs (x) }').encode()
VALUES = (HEAD + '''g (float[N] x, seq(float[]) q, optional(float[2]) o, string[M] s) => (float[N] y, string[M] t, int64 n, float h) {
  y = Neg (x)
  t = Identity (s)
  n = SequenceLength (q)
  zero = Constant <value_int = 0> ()
  first = SequenceAt (q, zero)
  h = ReduceSum <keepdims = 0> (first)
}''').encode()
LOOP = (HEAD + '''g (int64 n, float[1] v) => (y) {
  y = Loop (n, , v) <body = b (int64 i, bool more, float[1] s) => (more, t) { t = Add (s, s) }>
}''').encode()
FOR_EVER = {'n': 2 ** 63 - 1, 'v': [0]}
FEW = {'n': 3, 'v': [1]}
PACKAGE = os.path.dirname(os.path.abspath(ocellus.__file__))
SIZE = 10000
GENERATORS = '_answers', '_calls'  # in which the package has the program's functions called


class Stop(Exception):
    pass


def full(value):
    return np.full(SIZE, value, np.float32)


def raise_at(event_number):
    """A trace function that raises at that line, call or return of the package. No handler of signals runs where the library
    has a generator go on, where it yields and where it is closed, so the trace function does nothing there either."""
    left = [event_number]
    closing = False

    def trace(frame, event, arg):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        nonlocal closing
        if frame.f_code.co_name in GENERATORS:
            closing = 'except GeneratorExit' in linecache.getline(frame.f_code.co_filename, frame.f_lineno) or (
                closing and event != 'call')
        if frame.f_code.co_name not in GENERATORS or (event == 'line' and not closing):
            if left[0] == 0:
                sys.settrace(None)
                raise Stop
            left[0] -= 1
        return trace

    return trace


def at_every_line(call):
    """Calls again and again, with an exception one line later each time, until none comes; yields after each."""
    for n in range(100000):
        sys.settrace(raise_at(n))
        try:
            call(n)
        except Stop:
            pass
        else:
            return
        finally:
            sys.settrace(None)
        yield n
    raise AssertionError('it never ends')


class AtEveryLine(unittest.TestCase):
    def test_of_a_run_what_is_bound_stays(self):
        session = ocellus.Session(MIRROR, threads=1)
        session.run({'x': full(1)})
        runs = 0
        with nothing_unseen(self):
            for n in at_every_line(lambda n: session.run({'x': full(n + 2)})):
                others = [full(-7) for _ in range(4)]
                z = session.run()['z']
                self.assertIn(z[0], (1, n + 1, n + 2))
                self.assertTrue((z == z[0]).all())
                session.run({'x': full(1)})
                self.assertTrue(all((other == -7).all() for other in others))
                runs += 1
        self.assertGreater(runs, 30)

    def test_of_a_run_nothing_is_written_elsewhere(self):
        session = ocellus.Session(MIRROR, threads=1)
        x = full(1)
        with nothing_unseen(self):
            for _ in at_every_line(lambda n: session.run({'x': x}, out={'y': full(9)})):
                others = [full(-7) for _ in range(4)]
                self.assertEqual(session.run({'x': x})['y'].sum(), -SIZE)
                self.assertTrue(all((other == -7).all() for other in others))

    def test_of_a_run_on_other_values(self):
        session = ocellus.Session(VALUES, threads=1)

        def given(n):
            return {'x': full(n), 'q': [full(n), full(n)][:n % 2 + 1], 'o': None, 's': ['a' * 50, str(n)]}

        session.run(given(1))
        with nothing_unseen(self):
            for n in at_every_line(lambda n: session.run(given(n + 2), ['t', 'n'])):
                others = [full(-7) for _ in range(4)]
                self.assertIn(session.run()['h'] / SIZE, (1, n + 2))
                found = session.run(given(1))
                self.assertEqual((found['h'], found['n'], found['t'][1]), (SIZE, 2, '1'))
                self.assertTrue(all((other == -7).all() for other in others))

    def test_of_what_models_and_sessions_do(self):
        model = ocellus.Model(MIRROR)
        session = ocellus.Session(model, threads=1)
        calls = (lambda n: ocellus.Session(ocellus.Model(MIRROR), threads=2).close(), lambda n: model.nodes({'x': (3,)}),
                 lambda n: model.check(), lambda n: model.to_bytes('text'), lambda n: model.expand().operators,
                 lambda n: model.extract(end=['y']).weights, lambda n: copy.copy(session).stats(),
                 lambda n: session.run({'x': 'wrong'}) if n < 0 else session.stats())
        with nothing_unseen(self):
            for call in calls:
                for _ in at_every_line(call):
                    self.assertEqual(session.run({'x': [2]})['z'].tolist(), [2])

    def test_of_a_run_that_asks(self):
        session = ocellus.Session(LOOP, threads=1)
        with nothing_unseen(self):
            for _ in at_every_line(lambda n: session.run(dict(FEW, n=30))):
                self.assertEqual(session.run(FEW)['y'].tolist(), [8])


    def test_of_a_run_that_calls_functions(self):
        op = ocellus.CustomOp('Neg (T x) => (T y) | T: float', lambda call: -call.inputs[0],
                              lambda call: [(call.types[0], call.shapes[0])])
        session = ocellus.Session(MIRROR, threads=1, ops=[op], cancel=lambda: False,
                                  on_node=lambda event: [array.sum() for array in event.inputs])
        session.run({'x': full(1)})
        runs = 0
        with nothing_unseen(self):
            for n in at_every_line(lambda n: session.run({'x': full(n + 2)[:9]})):
                z = session.run()['z']
                self.assertIn(z[0], (1, n + 1, n + 2))
                self.assertEqual(session.run({'x': full(1)[:9]})['y'].tolist(), [-1] * 9)
                runs += 1
        self.assertGreater(runs, 100)


@unittest.skipUnless(hasattr(signal, 'setitimer'), 'the system has no timers')
class Signals(unittest.TestCase):
    def setUp(self):
        self.fired = 0

        def handler(*about):
            self.fired += 1
            raise Stop

        self.before = signal.signal(signal.SIGALRM, handler)
        self.random = random.Random(1)

    def tearDown(self):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)

    def ends(self, seconds, call, *given):
        """Does a signal after so many seconds end the call? It must be seen, if later."""
        ended = False
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            call(*given)
            ended = True
            for _ in range(1000):
                time.sleep(0.01)
        except Stop:
            return not ended
        raise AssertionError('an exception is lost')

    def test_end_runs_and_none_is_lost(self):
        session = ocellus.Session(LOOP, threads=1, deadline=60)
        with nothing_unseen(self):
            for n in range(150):
                self.assertTrue(self.ends(0.002 + self.random.random() / 100, session.run, FOR_EVER))
                self.assertEqual(session.run(FEW)['y'].tolist(), [8])
        self.assertEqual(self.fired, 150)

    def test_at_any_time_are_all_seen(self):
        model = ocellus.Model(VALUES)
        session = ocellus.Session(model, threads=1)
        given = {'x': full(1), 'q': [full(1)], 'o': full(2)[:2], 's': ['a', 'b']}
        calls = ((session.run, given), (ocellus.Session, model), (ocellus.Model, VALUES), (model.nodes,),
                 (model.to_bytes,), (copy.deepcopy, session))
        count = 0
        with nothing_unseen(self):
            for call in calls:
                begin = time.perf_counter()
                call[0](*call[1:])
                taken = time.perf_counter() - begin
                for _ in range(300):
                    count += self.ends(1e-6 + self.random.random() * taken, *call)
                    found = session.run(given)
                    self.assertEqual((found['h'], found['t'].tolist()), (SIZE, ['a', 'b']))
        self.assertEqual(self.fired, 300 * len(calls))
        self.assertGreater(count, 100)

    def test_in_a_storm(self):
        session = ocellus.Session(LOOP, threads=2, deadline=60)
        with nothing_unseen(self):
            until = time.monotonic() + 2
            while time.monotonic() < until:
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.0001)
                    session.run(FOR_EVER)
                except Stop:
                    pass
                while True:  # the next one may come first
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 0)
                        break
                    except Stop:
                        pass
                self.assertEqual(session.run(FEW)['y'].tolist(), [8])

    def test_whose_handler_calls_the_session(self):
        session = ocellus.Session(LOOP, threads=1, deadline=0.3)
        codes = []

        def handler(*about):
            try:
                session.run(FEW)
            except ocellus.Error as e:
                codes.append(e.code)

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        with self.assertRaises(ocellus.Error) as caught:
            session.run(FOR_EVER)
        self.assertEqual(caught.exception.code, 'DEADLINE')
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.assertEqual(set(codes), {'ARGUMENT'})
        signal.signal(signal.SIGALRM, lambda *about: session.close())
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with self.assertRaises(ocellus.Error):
            session.run(FOR_EVER)


class FromElsewhere(unittest.TestCase):
    def test_another_thread_may_raise(self):
        session = ocellus.Session(LOOP, threads=1, deadline=60)
        for _ in range(10):
            ended = []

            def work():
                try:
                    session.run(FOR_EVER)
                except Stop:
                    ended.append(session.run(FEW)['y'].tolist())

            thread = threading.Thread(target=work)
            with nothing_unseen(self):
                thread.start()
                time.sleep(0.02)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Stop))
                thread.join()
            self.assertEqual(ended, [[8]])

    def test_the_log_may_raise(self):
        with nothing_unseen(self):
            with self.assertRaises(Stop):
                ocellus.Session(MIRROR, log=self.fail_with(Stop))
            self.assertRaises(TypeError, ocellus.Session, MIRROR, log=lambda: None)
            lines = []
            session = ocellus.Session(MIRROR, log=lines.append)
            self.assertIn('plan', lines[0])
            self.assertEqual(session.run({'x': [1]})['y'].tolist(), [-1])

    @staticmethod
    def fail_with(kind):
        def log(line):
            raise kind(line)
        return log

    def test_the_log_may_raise_in_a_run(self):
        # The declared shape is another one, which a run remarks.
        text = (HEAD + 'g (float[N] x) => (float[3] y) { y = Neg (x) }').encode()
        told = []

        def log(line):
            told.append(line)
            if session and raises:
                raise Stop(line)

        session, raises = None, True
        session = ocellus.Session(text, log=log)
        before = len(told)
        with nothing_unseen(self):
            with self.assertRaises(Stop):
                session.run({'x': [1, 2]})
            self.assertGreater(len(told), before)
            raises = False
            self.assertEqual(session.run({'x': [1, 2]})['y'].tolist(), [-1, -2])

    def test_a_session_that_is_no_more_says_so(self):
        class Reporter:
            def __init__(self):
                self.session = ocellus.Session(MIRROR)
                self.me = self

            def __del__(self):
                for call in (lambda: self.session.run({'x': [1]}), self.session.stats, lambda: self.session.model.operators):
                    try:
                        call()
                        codes.append('OK')
                    except ocellus.Error as e:
                        codes.append(e.code)

        codes = []
        Reporter()
        gc.collect()
        self.assertEqual(len(codes), 3)


if __name__ == '__main__':
    unittest.main()
