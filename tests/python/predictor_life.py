# SPDX-License-Identifier: Apache-2.0
"""predictor_life.py OCELLUS - options and pictures that make no sense have the texts of `ocellus predict`, and predictors live as
sessions do: closed, copied, pickled, forked, run by threads and interrupted. See predicted.py."""
import concurrent.futures
import copy
import gc
import os
import pathlib
import pickle
import subprocess
import sys
import unittest
import weakref

from predicted import DETECTOR, HEAD, OCELLUS, Predicted, sky

import numpy as np

import ocellus


class Misuse(Predicted):
    def test_options_that_make_no_sense_have_the_texts_of_the_command(self):
        pathlib.Path('vector.onnxtxt').write_text(HEAD + 'g (float[1,20] x) => (y) { y = Abs (x) }', encoding='utf-8')
        pathlib.Path('odd.onnxtxt').write_text(
            HEAD + 'g (float[1,3,32,32] x) => (float[2,3,5,7,11] y) { y = Expand (x) }', encoding='utf-8')
        for net, words, options in (
                ('net.onnxtxt', ['--as', 'yolo8'], dict(as_='yolo8')), ('net.onnxtxt', ['--as', 'detr'], dict(as_='detr')),
                ('vector.onnxtxt', [], {}), ('odd.onnxtxt', [], {}), ('net.onnxtxt', ['--picture', 'y'], dict(picture='y')),
                ('net.onnxtxt', ['--labels', 'absent'], dict(labels='absent')),
                ('net.onnxtxt', ['--config', 'absent'], dict(config='absent')),
                ('net.onnxtxt', ['--image-resize', 'wide'], dict(image_resize='wide')),
                ('net.onnxtxt', ['--image-mean', '1,2'], dict(image_mean=[1, 2])),
                ('net.onnxtxt', ['--image-std', '0'], dict(image_std='0')), ('absent.onnx', [], {})):
            error = self.refused(ocellus.Predictor, net, **options)
            done = subprocess.run([OCELLUS, 'predict', net, 'photo.ppm', *words], capture_output=True, text=True, timeout=60)
            self.assertIn(f'ocellus: {error.text.replace(os.getcwd() + "/", "")}\n', done.stderr)

    def test_options_of_other_types(self):
        for options in (dict(as_=3), dict(labels=3), dict(labels=[3]), dict(least='much'), dict(least=2), dict(least=float('nan')),
                        dict(overlap=-1), dict(top=-1), dict(top=1.5), dict(preset='none of them'), dict(preset=3),
                        dict(resize='x'), dict(image_fill=256), dict(image_mean=[]), dict(image_mean=['a']), dict(inputs=3),
                        dict(image_scale=object()), dict(image_multiple=-1), dict(image_layout='wide'), dict(threads=-1),
                        dict(config='a\0'), dict(memory_cap=10)):
            self.assertIn(self.refused(ocellus.Predictor, 'net.onnxtxt', **options).code, ('ARGUMENT', 'LIMIT'), options)
        self.assertEqual(self.refused(ocellus.Predictor, None).code, 'ARGUMENT')
        with self.assertRaisesRegex(TypeError, r"^Predictor\(\) got an unexpected keyword argument 'nothing'$"):
            ocellus.Predictor('net.onnxtxt', nothing=3)
        predictor = ocellus.Predictor('net.onnxtxt', inputs={'nothing': 3})
        self.assertIn("no input 'nothing'", self.refused(predictor, self.photo).text)

    def test_closed_and_unmade(self):
        with ocellus.Predictor('net.onnxtxt') as predictor:
            answer = predictor('photo.ppm')
        drawn = answer.draw()
        network = predictor.network
        for use in (lambda: predictor(self.photo), lambda: predictor.decoder, lambda: predictor.names, lambda: predictor.model,
                    lambda: copy.copy(predictor), lambda: pickle.dumps(predictor), lambda: network._pointer):
            self.assertEqual(self.refused(use).code, 'ARGUMENT')
        predictor.close()
        self.assertIn('closed', repr(predictor))
        del predictor, network
        gc.collect()
        np.testing.assert_array_equal(answer.draw(), drawn)
        self.assertEqual((answer[0].name, [found.name for found in answer[:5]], answer[1:]), ('red', ['red'], []))
        unmade = ocellus.Predictor.__new__(ocellus.Predictor)
        self.assertEqual(self.refused(lambda: unmade(self.photo)).code, 'ARGUMENT')
        for number in 1, -2:
            with self.assertRaises(IndexError):
                answer[number]
        for do in copy.copy, pickle.dumps:
            with self.assertRaises(TypeError):
                do(answer)


    def test_without_the_library(self):
        program = ("import ocellus; ocellus.Session(open('net.onnxtxt', 'rb').read())\n"
                   "try: ocellus.Predictor('net.onnxtxt')\nexcept ImportError as e: print(e)")
        done = subprocess.run([sys.executable, '-B', '-c', program], text=True, capture_output=True,
                              env={**os.environ, 'OCELLUS_PREDICT_LIBRARY': '/nowhere/libocellus_predict.so.0'})
        self.assertIn('libocellus_predict is not found', done.stdout, done.stderr)


class Life(Predicted):
    def test_a_model_that_is_given_stays(self):
        model = ocellus.Model('net.onnxtxt')
        with ocellus.Predictor(model) as predictor:
            wanted = predictor(self.photo).scores
        np.testing.assert_array_equal(ocellus.Predictor(model)(self.photo).scores, wanted)
        from_bytes = ocellus.Predictor(DETECTOR.encode())
        np.testing.assert_array_equal(from_bytes(self.photo).scores, wanted)

    def test_copies_and_pickles(self):
        predictor = ocellus.Predictor('net.onnxtxt', least=0.1, labels=['rot', 'blau'], threads=1)
        predictor.mine = 3
        wanted = predictor(self.photo).to_dict()
        whole = pickle.loads(pickle.dumps(predictor.model))
        self.assertEqual(whole.to_bytes(), predictor.model.to_bytes())
        for made in copy.copy(predictor), copy.deepcopy(predictor), pickle.loads(pickle.dumps(predictor)):
            self.assertEqual((made(self.photo).to_dict(), made.mine), (wanted, 3))
        first = copy.copy(predictor)
        predictor.close()
        self.assertEqual(first(self.photo).to_dict(), wanted)

    def test_what_nobody_has_is_freed_at_once(self):
        gc.collect()
        gc.disable()
        self.addCleanup(gc.enable)
        predictor = ocellus.Predictor('net.onnxtxt')
        answer = predictor(self.photo)
        known = [weakref.ref(thing) for thing in (predictor, predictor._session, predictor.network, answer)]
        del predictor
        self.assertEqual([thing() is None for thing in known], [True, True, True, False])
        answer.draw()
        del answer
        self.assertIsNone(known[3]())

    def test_threads(self):
        predictor = ocellus.Predictor('net.onnxtxt', threads=1)
        pictures = [sky() // (1 + i % 5) for i in range(24)]
        wanted = [answer.scores[0] for answer in predictor(pictures)]
        self.assertGreater(len(set(wanted)), 2)
        own = [copy.copy(predictor) for _ in range(3)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual([answer.scores[0] for answer in pool.map(predictor, pictures)], wanted)
            self.assertEqual([answer.scores[0] for answer in pool.map(lambda i: own[i % 3](pictures[i]), range(24))], wanted)

    @unittest.skipUnless(hasattr(os, 'fork'), 'there is no fork')
    def test_fork(self):
        predictor = ocellus.Predictor('net.onnxtxt', threads=2)
        wanted = predictor(self.photo).scores[0]
        child = os.fork()
        if child == 0:
            os._exit(not predictor(self.photo).scores[0] == wanted)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_what_a_program_raises_ends_the_run(self):
        stop = []

        def cancel():
            if stop:
                raise ZeroDivisionError('of the program')

        predictor = ocellus.Predictor('net.onnxtxt', cancel=cancel)
        predictor(self.photo)
        stop.append(1)
        with self.assertRaises(ZeroDivisionError):
            predictor(self.photo)
        stop.clear()
        self.assertEqual(len(predictor(self.photo)), 1)
        self.assertEqual(self.refused(lambda: ocellus.Predictor('net.onnxtxt', max_steps=2)(self.photo)).code, 'LIMIT')

    def test_other_inputs(self):
        text = DETECTOR.replace('images) =>', 'images, float gain) =>').replace('two = Gather', 'more_light = Mul (means, gain)\n  two = Gather')
        text = text.replace('(means, picked)', '(more_light, picked)')
        half = ocellus.Predictor(text.encode(), inputs={'gain': 0.5}, least=0)(self.photo).scores[0]
        whole = ocellus.Predictor(text.encode(), inputs={'gain': 1}, least=0)(self.photo).scores[0]
        self.assertAlmostEqual(float(half) * 2, float(whole), 5)
        self.assertIn('gain', self.refused(ocellus.Predictor(text.encode()), self.photo).text)


if __name__ == '__main__':
    unittest.main()
