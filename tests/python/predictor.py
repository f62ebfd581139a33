# SPDX-License-Identifier: Apache-2.0
"""predictor.py OCELLUS - ocellus.Predictor says what `ocellus predict` says: the values of --json and the drawn pictures, of files,
bytes, arrays and images of Pillow's. See predicted.py."""
import io
import os
import pathlib
import unittest

from predicted import CLASSES, DEPTH, DETECTOR, FLOW, KINDS, LETTERS, MASKS, PAIR, POINTS, TURNED, Predicted, ppm, sky

import numpy as np

try:
    import PIL.Image
except ImportError:
    PIL = None

import ocellus


class Values(Predicted):
    def test_objects_are_those_of_the_command(self):
        told = self.told('net.onnxtxt', 'photo.ppm')
        predictor = ocellus.Predictor('net.onnxtxt')
        answer = predictor('photo.ppm')
        self.assertEqual(answer.to_dict(), told['answers'][0])
        self.assertEqual((predictor.decoder, predictor.why), (told['decoder'], told['why']))
        self.assertIn(f'photographs {predictor.prepared};', self.command('net.onnxtxt', 'photo.ppm').stderr)
        first = told['answers'][0]['objects'][0]
        self.assertEqual(len(answer), len(told['answers'][0]['objects']))
        self.assertEqual((answer[0].label, answer[0].name), (first['label'], first['name']))
        np.testing.assert_array_equal(np.float32(first['box']), np.float32(answer[0].box))
        np.testing.assert_array_equal(np.float32(first['score']), np.float32(answer[-1].score))
        np.testing.assert_array_equal(answer.boxes[0], np.float32(first['box']))
        self.assertEqual((answer.boxes.dtype, answer.labels.dtype, answer.scores.shape), (np.float32, np.int64, (1,)))
        self.assertEqual((answer.width, answer.height, answer.fit), (128, 64, (0.5, 0.5, 0.0, 16.0)))
        nothing = (answer.masks, answer.points, answer.corners, answer.classes, answer.depth, answer.flow, answer.text,
                   answer.probabilities, answer[0].mask, answer[0].points, answer[0].corners)
        self.assertEqual(nothing, (None,) * 11)
        self.assertEqual(predictor.names, ('red', 'sky, blue'))
        self.assertEqual(str(answer), self.command('net.onnxtxt', 'photo.ppm', '-q').stdout.rstrip('\n'))
        self.assertIn('1 red', repr(answer))
        self.assertIn('red 0.', repr(answer[0]))

    def test_options_are_those_of_the_command(self):
        names = ['rot', 'blau']
        pathlib.Path('names.txt').write_text('\n'.join(names), encoding='utf-8')
        for words, options in (
                (['--least', '0.99'], dict(least=0.99)), (['--top', '1'], dict(top=1)),
                (['--labels', 'names.txt'], dict(labels='names.txt')), (['--labels', 'names.txt'], dict(labels=names)),
                (['--as', 'yolov8'], dict(as_='yolov8')), (['--overlap', '0.1'], dict(overlap=0.1)),
                (['--preset', 'stretch'], dict(preset='stretch')), (['--picture', 'images'], dict(picture='images')),
                (['--image-resize', 'corner', '--resize', 'pil:bicubic', '--image-fill', '9'],
                 dict(image_resize='corner', resize='pil:bicubic', image_fill=9)),
                (['--image-resize', 'stretch', '--image-channels', 'bgr', '--image-mean', '0.1,0.2,0.3', '--image-std', '2'],
                 dict(image_resize='stretch', image_channels='bgr', image_mean=[0.1, 0.2, 0.3], image_std=2)),
                (['--image-scale', '0.002', '--image-resize', 'fit', '--image-no-enlarge', '--image-layout', 'nchw'],
                 dict(image_scale=0.002, image_resize='fit', image_no_enlarge=True, image_layout='nchw'))):
            told = self.told('net.onnxtxt', 'photo.ppm', *words)['answers'][0]
            answer = ocellus.Predictor('net.onnxtxt', **options)('photo.ppm')
            self.assertEqual(answer.to_dict(), told, words)
        self.assertEqual(list(ocellus.Predictor('net.onnxtxt', least=0.99)('photo.ppm')), [])
        self.assertIn('nothing found', repr(ocellus.Predictor('net.onnxtxt', least=0.99)('photo.ppm')))

    def test_an_answer_is_true_where_it_says_anything(self):
        silent = LETTERS.replace('0, 9, 0, 0,  0, 0, 9, 0', '9, 0, 0, 0,  9, 0, 0, 0')
        for net, n, options in (
                (DETECTOR, 1, {}), (DETECTOR, 0, dict(least=0.99)), (KINDS, 3, dict(as_='classify')),
                (CLASSES, 0, dict(as_='mask')), (DEPTH, 0, dict(as_='depth')), (FLOW, 0, dict(as_='flow')),
                (LETTERS, 0, dict(as_='ctc', labels=['a', 'b', 'c'])), (silent, 0, dict(as_='ctc', labels=['a', 'b', 'c']))):
            answer = ocellus.Predictor(net.encode(), **options)(self.photo)
            self.assertEqual(len(answer), n, options)
            self.assertEqual(bool(answer), net != silent and (n > 0 or net != DETECTOR), options)

    def test_names_are_escaped_as_the_command_does(self):
        names = ['\x1b[31mr\x85d\n', 'b\udcff', 'grün \u6f22']
        pathlib.Path('kinds.onnxtxt').write_text(KINDS, encoding='utf-8')
        answer = ocellus.Predictor('kinds.onnxtxt', as_='classify', labels=names)(self.photo)
        self.assertEqual({found.name for found in answer}, set(names))
        for told in repr(answer), ' '.join([repr(found) for found in answer]), str(answer):
            for name in '\\x1b[31mr\\xc2\\x85d\\x0a', 'b\\xff', 'grün \u6f22':
                self.assertIn(name, told)
            self.assertNotIn('\x1b', told)

    def test_an_answer_is_indexed_as_a_list(self):
        answer = ocellus.Predictor('net.onnxtxt')(self.photo)
        for number in 1, -2, 2 ** 70:
            with self.assertRaisesRegex(IndexError, '^answer index out of range$'):
                answer[number]
        with self.assertRaisesRegex(TypeError, '^answer indices must be integers or slices, not str$'):
            answer['boxes']

    def test_masks(self):
        pathlib.Path('masks.onnxtxt').write_text(MASKS, encoding='utf-8')
        told = self.told('masks.onnxtxt', 'photo.ppm', '--as', 'torchvision-seg')['answers'][0]
        answer = ocellus.Predictor('masks.onnxtxt', as_='torchvision-seg')('photo.ppm')
        self.assertEqual(answer.to_dict(), told)
        masks = answer.masks
        self.assertEqual((masks.shape, masks.dtype), ((2, 64, 128), bool))
        self.assertEqual([int(mask.sum()) for mask in masks], [found['area'] for found in told['objects']])
        self.assertTrue(0 < masks[0].sum() < masks[0].size)
        left, top, right, bottom = answer[0].box
        ys, xs = np.nonzero(answer[0].mask)
        self.assertTrue(left <= xs.min() + 0.5 and xs.max() + 0.5 <= right and top <= ys.min() + 0.5 and ys.max() + 0.5 <= bottom)
        self.assertEqual(answer.probabilities.shape, (2, 56, 56))
        # In the middle of the box the mask is what bilinear interpolation of the probabilities says.
        x, y = int(left + right) // 2, int(top + bottom) // 2
        u, v = (x + 0.5) * answer.fit[0] + answer.fit[2] - 0.5, (y + 0.5) * answer.fit[1] + answer.fit[3] - 0.5
        i, j = int(v), int(u)
        cells = answer.probabilities[0][i:i + 2, j:j + 2]
        value = np.array([1 - (v - i), v - i]) @ cells @ np.array([1 - (u - j), u - j])
        self.assertEqual(bool(value >= 0.5), bool(answer[0].mask[y, x]))

    def test_classes_depth_labels_and_text(self):
        for name, text, words, options in (
                ('classes', CLASSES, ['--as', 'mask', '--preset', 'stretch'], dict(as_='mask', preset='stretch')),
                ('depth', DEPTH, ['--as', 'depth'], dict(as_='depth')), ('kinds', KINDS, ['--as', 'classify'], dict(as_='classify')),
                ('letters', LETTERS, ['--as', 'ctc', '--labels', 'abc.txt'], dict(as_='ctc', labels=['a', 'b', 'c']))):
            pathlib.Path('abc.txt').write_text('a\nb\nc\n', encoding='utf-8')
            pathlib.Path('other.onnxtxt').write_text(text, encoding='utf-8')
            told = self.told('other.onnxtxt', 'photo.ppm', *words)['answers'][0]
            answer = ocellus.Predictor('other.onnxtxt', **options)('photo.ppm')
            self.assertEqual(answer.to_dict(), told, name)
            self.assertTrue(repr(answer) and str(answer))
            self.assertEqual(answer.draw().shape[2], 3)
            if name == 'classes':
                areas = {found['label']: found['area'] for found in told['classes']}
                self.assertEqual(dict(zip(*[x.tolist() for x in np.unique(answer.classes, return_counts=True)])), areas)
                self.assertEqual((answer.classes.shape, answer.classes.dtype), ((64, 128), np.int64))
            elif name == 'depth':
                self.assertAlmostEqual(float(answer.depth.max()), told['depth']['greatest'], 5)
                self.assertEqual(answer.depth.shape, (32, 32))
            elif name == 'kinds':
                self.assertEqual([found.box for found in answer], [None] * len(answer))
                self.assertEqual(len(answer), len(told['objects']))
            else:
                self.assertEqual((answer.text, len(answer)), (told['text'], 0))
                self.assertEqual(answer.text, 'ab')

    def test_two_photographs_and_several_at_a_time(self):
        pathlib.Path('pair.onnxtxt').write_text(PAIR, encoding='utf-8')
        other = sky(seed=90)[::-1].copy()
        pathlib.Path('photo2.ppm').write_bytes(ppm(other))
        told = self.told('pair.onnxtxt', 'photo.ppm', 'photo2.ppm', '--as', 'flow')['answers'][0]
        predictor = ocellus.Predictor('pair.onnxtxt', as_='flow')
        self.assertEqual(predictor('photo.ppm', 'photo2.ppm').to_dict(), told)
        np.testing.assert_array_equal(predictor(self.photo, other).flow, -predictor(other, self.photo).flow)
        self.assertIn("or in inputs an array for 'image2'", self.refused(predictor, self.photo).text)
        zeros = ocellus.Predictor('pair.onnxtxt', as_='flow', inputs={'image2': np.zeros((1, 3, 32, 32), np.float32)})
        self.assertLess(zeros(self.photo).flow.max(), 1e-6)
        self.assertIn('expected two of one size', self.refused(predictor, self.photo, other[:9]).text)
        film = [self.photo, other, other // 2]
        several = predictor(film[:-1], tuple(film[1:]))
        self.assertEqual(len(several), 2)
        for i, answer in enumerate(several):
            np.testing.assert_array_equal(answer.flow, predictor(film[i], film[i + 1]).flow)
        self.assertTrue((several[0].flow != several[1].flow).any())
        self.assertEqual(predictor([], []), [])
        for given, said in (
                (([self.photo], other), 'the first photograph is a list of 1, the second one picture: expected predictor(first, second)'),
                ((self.photo, [other]), 'is one picture, the second a list of 1'),
                (([self.photo] * 2, [other]), 'two lists of as many pictures'),
                (([self.photo] * 2,), 'two lists such as predictor(frames[:-1], frames[1:])')):
            error = self.refused(predictor, *given)
            self.assertEqual(error.code, 'ARGUMENT')
            self.assertIn(said, error.text)
        self.assertEqual(self.refused(ocellus.Predictor('net.onnxtxt'), self.photo, other).code, 'ARGUMENT')
        several = DETECTOR.replace('float[1,3,64,64]', 'float[2,3,64,64]').replace('float[1,6,84]', 'float[2,6,84]')
        several = several.replace('float[1,4,1] box = {32, 24, 32, 16}', 'float[2,4,1] box = {32, 24, 32, 16, 32, 24, 32, 16}')
        pathlib.Path('several.onnxtxt').write_text(several, encoding='utf-8')
        told = self.told('several.onnxtxt', 'photo.ppm')['answers'][0]
        self.assertEqual(ocellus.Predictor('several.onnxtxt')('photo.ppm').to_dict(), told)

    def test_flow_points_and_corners(self):
        for decoder, net in ('flow', FLOW), ('movenet', POINTS), ('end2end-obb', TURNED):
            pathlib.Path('other.onnxtxt').write_text(net, encoding='utf-8')
            told = self.told('other.onnxtxt', 'photo.ppm', '--as', decoder)['answers'][0]
            answer = ocellus.Predictor('other.onnxtxt', as_=decoder)('photo.ppm')
            self.assertEqual(answer.to_dict(), told, decoder)
            self.assertTrue(repr(answer) and str(answer))
            if decoder == 'flow':
                self.assertEqual(answer.flow.shape, (2, 32, 32))
                plain, large = [ocellus.Predictor('other.onnxtxt', as_=decoder)(np.full((size, 2 * size, 3), 255, np.uint8))
                                for size in (32, 96)]  # of which the network says one and the same
                self.assertTrue(plain.flow.all())
                for axis in 0, 1:  # pixels of the photograph, not of the network's input
                    np.testing.assert_allclose(large.flow[axis] * large.fit[axis], plain.flow[axis] * plain.fit[axis], 1e-5)
                self.assertGreater(large.flow.max(), 2.9 * plain.flow.max())
                length = np.hypot(*answer.flow)
                self.assertAlmostEqual(float(length.max()), told['flow']['greatest'], 3)
                self.assertEqual(answer.draw().shape, (64, 256, 3))  # beside the photograph
                continue
            whole = answer.points if decoder == 'movenet' else answer.corners
            name = 'points' if decoder == 'movenet' else 'corners'
            self.assertEqual(whole.shape[0], len(told['objects']))
            for found, wanted in zip(answer, told['objects']):
                np.testing.assert_array_equal(getattr(found, name), np.float32(wanted[name]))
            np.testing.assert_array_equal(whole[0], np.float32(told['objects'][0][name]))
            if decoder == 'movenet':
                self.assertEqual(self.refused(answer[0].crop).code, 'ARGUMENT')  # there is no box
            else:
                self.assertEqual(answer[0].crop().shape[2], 3)

    def test_drawn_pictures_are_those_of_the_command(self):
        self.command('net.onnxtxt', 'photo.ppm', '-o', 'drawn', '--png', '--crops', 'crops', '-q')
        answer = ocellus.Predictor('net.onnxtxt')('photo.ppm')
        drawn = answer.draw('mine.png')
        self.assertEqual(pathlib.Path('mine.png').read_bytes(), pathlib.Path('drawn/photo.png').read_bytes())
        self.assertEqual((drawn.shape, drawn.dtype), ((64, 128, 3), np.uint8))
        self.assertTrue((drawn != self.photo).any())
        shown = answer._repr_png_()
        self.assertEqual(shown, pathlib.Path('mine.png').read_bytes())
        if PIL:
            np.testing.assert_array_equal(np.asarray(PIL.Image.open('mine.png')), drawn)
        left, top, right, bottom = [int(x) for x in answer[0].box]
        np.testing.assert_array_equal(answer[0].crop(), self.photo[top:bottom, left:right])
        self.command('net.onnxtxt', 'photo.ppm', '-o', 'drawn2', '-q')
        answer.draw(pathlib.Path('mine.jpg'))
        self.assertEqual(pathlib.Path('mine.jpg').read_bytes(), pathlib.Path('drawn2/photo.jpg').read_bytes())
        large = ocellus.Predictor('net.onnxtxt')(sky(100, 3200))
        self.assertEqual(large.draw().shape, (100, 3200, 3))
        self.assertEqual(large._repr_png_()[16:24], (1600).to_bytes(4, 'big') + (50).to_bytes(4, 'big'))
        for name in 'x.gif', 'x', 'x.jpg.txt':
            error = self.refused(answer.draw, name)
            self.assertEqual((error.code, error.text), (
                'ARGUMENT', f"the drawn picture goes to '{name}', expected a file that ends with .png or .jpg"))
            self.assertFalse(os.path.exists(name))
        answer.draw('x.JPEG')
        self.assertEqual(pathlib.Path('x.JPEG').read_bytes(), pathlib.Path('mine.jpg').read_bytes())
        self.assertEqual(self.refused(answer.draw, 'no/such/folder/x.png').code, 'IO')

    def test_what_was_found_out_is_logged(self):
        with self.assertLogs('ocellus', 'INFO') as logs:
            predictor = ocellus.Predictor('net.onnxtxt')
        self.assertEqual([record.getMessage() for record in logs.records],
                         [f'decoder yolov8, by {predictor.why}; photographs {predictor.prepared}'])
        pathlib.Path('config.json').write_text('{"id2label": ', encoding='utf-8')
        with self.assertLogs('ocellus', 'WARNING') as logs:
            predictor = ocellus.Predictor('net.onnxtxt')
        self.assertEqual([record.getMessage() for record in logs.records], list(predictor.remarks))
        self.assertIn('config.json', predictor.remarks[0])
        self.assertIn(predictor.remarks[0].replace(os.getcwd() + '/', ''), self.command('net.onnxtxt', 'photo.ppm').stderr)

    def test_a_model_with_its_decoder(self):
        model = ocellus.Predictor('net.onnxtxt').model
        self.command('net.onnxtxt', '--save', 'whole.onnx', '-q')
        self.assertEqual(model.to_bytes(), pathlib.Path('whole.onnx').read_bytes())
        self.assertIn('yolov8', ocellus.Predictor.decoders())
        self.assertEqual([line.split()[0] for line in self.command('--as', 'list').stdout.splitlines()],
                         list(ocellus.Predictor.decoders()))


class Pictures(Predicted):
    def test_files_bytes_and_arrays_are_alike(self):
        predictor = ocellus.Predictor('net.onnxtxt')
        wanted = predictor('photo.ppm')
        others = predictor([pathlib.Path('photo.ppm'), pathlib.Path('photo.ppm').read_bytes(), self.photo,
                            np.asfortranarray(self.photo), self.photo[::-1][::-1], bytearray(ppm(self.photo))])
        for answer in others:
            np.testing.assert_array_equal(answer.boxes, wanted.boxes)
            np.testing.assert_array_equal(answer.scores, wanted.scores)
            np.testing.assert_array_equal(answer.draw(), wanted.draw())
        self.assertEqual([answer.to_dict()['file'] for answer in others], ['photo.ppm'] + [None] * 5)

    def test_gray_and_alpha(self):
        predictor, gray = ocellus.Predictor('net.onnxtxt'), self.photo[..., 0]
        wanted = predictor(np.stack([gray] * 3, -1))
        for given in gray, gray[..., None]:
            np.testing.assert_array_equal(predictor(given).scores, wanted.scores)
            np.testing.assert_array_equal(predictor(given).draw(), wanted.draw())
        opaque = np.concatenate([self.photo, np.full((64, 128, 1), 255, np.uint8)], -1)
        np.testing.assert_array_equal(predictor(opaque).scores, predictor(self.photo).scores)
        np.testing.assert_array_equal(predictor(opaque).draw(), predictor(self.photo).draw())

    def test_an_array_that_changes_afterwards(self):
        predictor = ocellus.Predictor('net.onnxtxt')
        given = self.photo.copy()
        answer = predictor(given)
        drawn = answer.draw()
        given[:] = 0
        np.testing.assert_array_equal(answer.draw(), drawn)

    @unittest.skipUnless(PIL, 'Pillow is not installed')
    def test_images_of_pillow(self):
        predictor = ocellus.Predictor('net.onnxtxt')
        image, wanted = PIL.Image.fromarray(self.photo), predictor(self.photo)
        np.testing.assert_array_equal(predictor(image).scores, wanted.scores)
        np.testing.assert_array_equal(predictor(image.convert('RGBA')).scores, wanted.scores)
        np.testing.assert_array_equal(predictor(image.convert('L')).scores, predictor(np.asarray(image.convert('L'))).scores)
        few = image.quantize(8)
        np.testing.assert_array_equal(predictor(few).draw(), predictor(np.asarray(few.convert('RGB'))).draw())
        self.assertEqual(self.refused(predictor, image.convert('I')).code, 'TYPE')
        file = io.BytesIO()
        exif = PIL.Image.Exif()
        exif[0x0112] = 6  # to be turned to the right
        image.save(file, 'PNG', exif=exif)
        turned = predictor(PIL.Image.open(io.BytesIO(file.getvalue())))
        self.assertEqual((turned.width, turned.height), (64, 128))
        np.testing.assert_array_equal(turned.draw(), predictor(file.getvalue()).draw())

    def test_what_is_no_picture(self):
        predictor = ocellus.Predictor('net.onnxtxt')
        pathlib.Path('text.jpg').write_text('hello, world\n', encoding='utf-8')
        for given, code, said in (
                (3, 'ARGUMENT', 'expected a path'), (None, 'ARGUMENT', 'expected a path'), ({}, 'ARGUMENT', 'a path'),
                (self.photo.astype(np.float32), 'TYPE', 'expected uint8'), (self.photo / 255, 'TYPE', 'float64'),
                (self.photo.transpose(2, 0, 1), 'SHAPE', 'channels come last'), (self.photo[None], 'SHAPE', 'a list of pictures'),
                (np.zeros((0, 5, 3), np.uint8), 'SHAPE', 'at least one pixel'), (np.zeros(5, np.uint8), 'SHAPE', 'height x width'),
                (b'', 'FORMAT', 'empty'), (b'hello', 'FORMAT', 'expected a picture'), ('a\0b', 'ARGUMENT', 'NUL'),
                (np.zeros((1, 2 ** 20 + 1), np.uint8), 'LIMIT', 'pixels'), ([self.photo, 3], 'ARGUMENT', 'path')):
            error = self.refused(predictor, given)
            self.assertEqual(error.code, code, error.text)
            self.assertIn(said, error.text)
        self.assertEqual(predictor([]), [])
        for path in 'text.jpg', 'absent.jpg', '.':
            error = self.refused(predictor, path)
            if path != '.':  # which the command takes for a folder of pictures
                self.assertIn(error.text, self.command('net.onnxtxt', path, code=3).stderr)
        self.assertEqual(len(predictor('photo.ppm')), 1)  # it lives on


if __name__ == '__main__':
    unittest.main()
