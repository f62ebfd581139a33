# SPDX-License-Identifier: Apache-2.0
"""processes.py - models and sessions that are copied, pickled, and used by other processes: forked, spawned and those of
a server that forks. Needs numpy; the library is the one that OCELLUS_LIBRARY names."""
import concurrent.futures
import contextlib
import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import signal
import sys
import tempfile
import threading
import time
import traceback
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'
MIRROR = (HEAD + 'g (float[N,2] x) => (float[N,2] y) { y = Neg (x) }').encode()
# Large enough for all threads to have a part.
WORK = (HEAD + 'g (float[256,256] x) => (float[256,256] y) { t = MatMul (x, x)  y = MatMul (t, x) }').encode()
ENDLESS = (HEAD + '''g () => (y) <int64 n = {9223372036854775807}, float[1] v = {1}> {
  y = Loop (n, , v) <body = b (int64 i, bool more, float[1] s) => (more, t) { t = Add (s, s) }>
}''').encode()
# Works in small parts on several threads, one after another.
BUSY = (HEAD + '''g (float[64,4096] x) => (y) <int64 n = {9223372036854775807}> {
  y = Loop (n, , x) <body = b (int64 i, bool more, float[64,4096] s) => (more, t) { u = Exp (s)  t = Softmax (u) }>
}''').encode()
X = np.array([[1, -2]], np.float32)

shared = ocellus.Session(WORK, threads=4)  # forked workers have it without a pickle
ONES = np.full((256, 256), 1 / 256, np.float32)


def run_shared(value):
    return float(shared.run({'x': ONES * value})['y'][0, 0] * 256)


def run_given(given, value):
    session = given if isinstance(given, ocellus.Session) else ocellus.Session(given)
    return session.run({'x': X * value})['y'].tolist()


def in_child(work, seconds=30):
    """What work gives in a forked child, which must end by itself."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        try:
            found = repr(work())
        except BaseException:
            found = traceback.format_exc()
        os.write(writing, found.encode())
        os._exit(0)
    os.close(writing)
    with open(reading, encoding='utf-8') as said:
        found = said.read()
    _, status = os.waitpid(child, 0)
    return found if status == 0 else f'the child ended with status {status}'


def code_of(call, *given):
    try:
        call(*given)
    except ocellus.Error as e:
        return e.code
    return 'OK'


@contextlib.contextmanager
def at_work(session, *given):
    """The session runs for ever in another thread."""
    ended = threading.Event()
    failed = []

    def work():
        try:
            session.run(*given)
        except ocellus.Error as e:
            failed.append(e.code)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    try:
        yield
    finally:
        thread.join()
        assert failed == ['DEADLINE'], failed


class Copies(unittest.TestCase):
    def test_of_a_model_are_the_model(self):
        model = ocellus.Model(MIRROR)
        self.assertIs(copy.copy(model), model)
        self.assertIs(copy.deepcopy([model])[0], model)

    def test_of_a_session_have_model_and_options_but_no_inputs(self):
        session = ocellus.Session(ENDLESS, max_steps=10)
        for again in copy.copy(session), copy.deepcopy(session), pickle.loads(pickle.dumps(session)):
            self.assertEqual(code_of(again.run), 'LIMIT')
        session = ocellus.Session(MIRROR, threads=1)
        session.run({'x': X})
        again = copy.deepcopy(session)
        self.assertIs(again.model, session.model)
        self.assertEqual(code_of(again.run), 'ARGUMENT')
        session.close()
        del session
        gc.collect()
        self.assertEqual(again.run({'x': X})['y'].tolist(), (-X).tolist())

    def test_pickles_of_a_model_are_loaded_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'mirror.onnx')
            path.write_bytes(ocellus.Model(MIRROR).to_bytes())
            own = pathlib.Path(folder, 'Neg.onnxtxt')
            own.write_text('<domain: "", opset_import: ["" : 17]>\nNeg (x) => (y) { y = Abs (x) }\n', encoding='utf-8')
            before = os.getcwd()
            os.chdir(folder)
            try:
                models = [ocellus.Model(MIRROR), ocellus.Model('mirror.onnx'), ocellus.Model(path),
                          ocellus.Model(path.name, functions=own.name, memory_cap=10 ** 8, deadline=60)]
            finally:
                os.chdir(before)
            models += [models[0].expand(), models[1].extract(end=['y'])]
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                for model in models:
                    again = pickle.loads(pickle.dumps(model, protocol))
                    self.assertEqual(again.nodes(), model.nodes())
                    self.assertEqual(run_given(again, 1), run_given(model, 1))
            self.assertLess(len(pickle.dumps(models[1])), 700)  # no weights, only the path
        self.assertEqual(code_of(pickle.loads, pickle.dumps(models[1])), 'IO')

    def test_have_what_classes_and_programs_add(self):
        for kind in Detector, Kept:
            made = kind(MIRROR)
            made.labels = ['cat']
            again = pickle.loads(pickle.dumps(made))
            self.assertEqual((type(again), again.labels, run_given(again, 1)), (kind, ['cat'], [[-1, 2]]))
        model = ocellus.Model(MIRROR)
        model.session = ocellus.Session(model)
        again = pickle.loads(pickle.dumps(model))
        self.assertIs(again.session.model, again)
        self.assertEqual(again.session.run({'x': X})['y'].tolist(), [[-1, 2]])

    def test_of_what_is_closed_or_cannot_be_pickled_are_refused(self):
        session = ocellus.Session(MIRROR)
        session.close()
        for call in copy.copy, copy.deepcopy, pickle.dumps:
            self.assertEqual(code_of(call, session), 'ARGUMENT')
        with self.assertRaises((AttributeError, pickle.PicklingError)):
            pickle.dumps(ocellus.Session(MIRROR, log=lambda line: None))
        for handle in ocellus.Model(MIRROR)._pointer, ocellus.Session(MIRROR)._native.handle:
            for call in copy.copy, copy.deepcopy, pickle.dumps:
                self.assertRaises(TypeError, call, handle)

    def test_of_what_describes(self):
        session = ocellus.Session(MIRROR)
        for value in session.inputs, session.model.operators, session.model.nodes(), session.stats():
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)


class Detector(ocellus.Session):
    def __init__(self, source):
        super().__init__(source, threads=1)


class Kept(ocellus.Model):
    pass


@unittest.skipUnless(hasattr(os, 'fork'), 'the system has no fork')
class Forked(unittest.TestCase):
    def test_sessions_made_before_run_with_the_inputs_they_had(self):
        run_shared(1)
        self.assertEqual(in_child(lambda: (run_shared(2), shared.run()['y'][0, 0] * 256 == 8)), '(8.0, True)')
        self.assertEqual(in_child(lambda: in_child(lambda: run_shared(2))), "'8.0'")
        self.assertEqual(run_shared(3), 27)

    def test_sessions_made_before_can_be_freed(self):
        made = [ocellus.Session(WORK, threads=4)]
        made[0].run({'x': ONES})

        def free():
            made.clear()
            gc.collect()
            return 'freed'

        self.assertEqual(in_child(free), "'freed'")

    def test_while_another_thread_runs_the_session(self):
        for text, given, threads in ((ENDLESS, (), 1), (BUSY, ({'x': np.ones((64, 4096), np.float32)},), 4)):
            busy = ocellus.Session(text, deadline=1.5, threads=threads)
            with at_work(busy, *given):
                self.assertEqual(in_child(lambda: code_of(busy.run, *given)), "'DEADLINE'")
                self.assertEqual(in_child(lambda: run_shared(2)), '8.0')
                self.assertEqual(in_child(lambda: (copy.copy(busy), busy.close())[1]), 'None')

    def test_while_another_thread_makes_a_session_of_the_model(self):
        model = ocellus.Model(MIRROR)
        making = [threading.Thread(target=lambda: [ocellus.Session(model, threads=1, seed=i) for i in range(300)])
                  for _ in range(3)]
        for thread in making:
            thread.start()
        found = [in_child(lambda: run_given(model, 1)) for _ in range(20)]
        for thread in making:
            thread.join()
        self.assertEqual(found, ['[[-1.0, 2.0]]'] * 20)

    def test_at_the_moment_another_thread_begins_a_session(self):
        held, over = threading.Event(), threading.Event()

        def hold():
            with ocellus.Session._lock:  # which a session has until it has its own
                held.set()
                over.wait()

        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        try:
            self.assertEqual(in_child(lambda: run_given(MIRROR, 1), 10), '[[-1.0, 2.0]]')
        finally:
            over.set()
            thread.join()

    def test_within_a_run_it_ends_in_the_child(self):
        children = []

        def fork(*about):
            children.append(os.fork())
            if children[-1] == 0:
                signal.alarm(30)

        before = signal.signal(signal.SIGALRM, fork)
        try:
            for text, given in ((ENDLESS, ()), (BUSY, ({'x': np.ones((64, 4096), np.float32)},))):
                for _ in range(5):
                    session = ocellus.Session(text, deadline=0.4, threads=4)
                    signal.setitimer(signal.ITIMER_REAL, 0.1)
                    code = code_of(session.run, *given)
                    if children[-1] == 0:
                        fine = code == 'CANCELLED' and code_of(session.run, *given) == 'DEADLINE'
                        os._exit(0 if fine and run_shared(2) == 8 else 1)
                    self.assertEqual(code, 'DEADLINE')
                    self.assertEqual(os.waitpid(children[-1], 0)[1], 0)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_within_a_call_of_a_model_it_ends_in_the_child(self):
        children = []
        model = ocellus.Model(MIRROR)

        def fork(*about):
            children.append(os.fork())
            if children[-1] == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(10)
            else:
                threading.Thread(target=path.write_bytes, args=(model.to_bytes(),)).start()

        before = signal.signal(signal.SIGALRM, fork)
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, 'pipe')
                os.mkfifo(path)
                for _ in range(5):
                    signal.setitimer(signal.ITIMER_REAL, 0.1)
                    code = code_of(ocellus.Model, path)  # waits until something is written
                    if children[-1] == 0:
                        fine = code == 'CANCELLED' and run_given(model.expand(), 1) == run_given(MIRROR, 1)
                        os._exit(0 if fine else 1)
                    self.assertEqual(code, 'OK')
                    self.assertEqual(os.waitpid(children[-1], 0)[1], 0)
        finally:
            signal.signal(signal.SIGALRM, before)


class Workers(unittest.TestCase):
    def test_of_pools_run_models_and_sessions(self):
        model = ocellus.Model(MIRROR)
        given = [model, ocellus.Session(model, threads=2), ocellus.Session(MIRROR, bodies='expand'), model.expand()]
        run_shared(1)
        for method in multiprocessing.get_all_start_methods():
            context = multiprocessing.get_context(method)
            with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                found = [pool.submit(run_given, g, value) for value in (1, 2) for g in given]
                self.assertEqual([f.result(60) for f in found], 4 * [[[-1, 2]]] + 4 * [[[-2, 4]]], method)
                self.assertEqual([f.result(60) for f in [pool.submit(run_shared, v) for v in (1, 2, 3)]], [1, 8, 27])
                with self.assertRaises(ocellus.Error) as caught:
                    pool.submit(run_given, model, np.ones((2, 1, 1), np.float32)).result(60)
                self.assertEqual(caught.exception.code, 'SHAPE', method)
            with context.Pool(2) as pool:
                self.assertEqual(pool.starmap(run_given, [(g, 3) for g in given]), 4 * [[[-3, 6]]], method)


if __name__ == '__main__':
    unittest.main()
