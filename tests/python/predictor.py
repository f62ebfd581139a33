# SPDX-License-Identifier: Apache-2.0
"""predictor.py OCELLUS - ocellus.Predictor says what `ocellus predict` says: the values of --json, the drawn pictures, the texts of
errors; of files, bytes, arrays and images of Pillow's; and lives as sessions do. Needs numpy; the libraries are those that
OCELLUS_LIBRARY and OCELLUS_PREDICT_LIBRARY name."""
import concurrent.futures
import copy
import gc
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import weakref

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)
try:
    import PIL.Image
except ImportError:
    PIL = None

import ocellus

OCELLUS = os.path.abspath(sys.argv.pop(1))
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
PROPERTIES = '''metadata_props: ["author": "Ultralytics", "task": "detect", "names": "{0: 'red', 1: 'sky, blue'}",
  "stride": "32", "imgsz": "[64, 64]"], '''
# Of 84 places the first is a box around (32, 24), 32 wide and 16 high; its scores are the means of red and of blue.
DETECTOR = f'''<ir_version: 8, {PROPERTIES}opset_import: ["" : 13]>
finds (float[1,3,64,64] images) => (float[1,6,84] output0)
<float[1,4,1] box = {{32, 24, 32, 16}}, int64[2] picked = {{0, 2}}, int64[1] last = {{-1}}, int64[6] more = {{0, 0, 0, 0, 0, 83}}>
{{
  means = ReduceMean <axes = [2, 3], keepdims = 0> (images)
  two = Gather <axis = 1> (means, picked)
  scores = Unsqueeze (two, last)
  place = Concat <axis = 1> (box, scores)
  output0 = Pad (place, more)
}}'''
# Two boxes with masks of 28 x 28 cells, whose values are the means of rows of the picture: torchvision's outputs.
MASKS = HEAD + '''g (float[3,56,56] image) => (float[2,4] boxes, int64[2] labels, float[2] scores, float[2,1,56,56] masks)
<float[2,4] all = {4, 4, 30, 40, 10, 10, 50, 50}, int64[2] kinds = {1, 2}, float[2] sure = {0.9, 0.6},
 int64[4] shape = {1, 1, 56, 56}, int64[4] twice = {2, 1, 1, 1}>
{
  boxes = Identity (all)
  labels = Identity (kinds)
  scores = Identity (sure)
  gray = ReduceMean <axes = [0], keepdims = 1> (image)
  one = Reshape (gray, shape)
  masks = Tile (one, twice)
}'''
CLASSES = HEAD + '''g (float[1,3,32,32] images) => (float[1,6,16,16] y) {
  y0 = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (images)
  y = Concat <axis = 1> (y0, y0)
}'''
DEPTH = HEAD + 'g (float[1,3,32,32] x) => (float[1,32,32] y) { y = ReduceMean <axes = [1], keepdims = 0> (x) }'
KINDS = HEAD + 'g (float[1,3,32,32] x) => (float[1,3] y) { y = ReduceMean <axes = [2, 3], keepdims = 0> (x) }'
# Three columns: blank, then the characters 1 and 2.
LETTERS = HEAD + '''g (float[1,3,8,24] x) => (float[1,3,4] y)
<float[1,3,4] always = {9, 0, 0, 0,  0, 9, 0, 0,  0, 0, 9, 0}, float none = {0}>
{ small = ReduceMean <keepdims = 0> (x)
  zero = Mul (small, none)
  y = Add (always, zero) }'''

# Motion is red and green; a person's 17 points lie one below the other; a box of 20 x 10 is turned by half a radian.
FLOW = HEAD + '''g (float[1,3,32,32] x) => (float[1,2,32,32] y) <int64[2] sizes = {2, 1}>
{ y, blue = Split <axis = 1> (x, sizes) }'''
POINTS = HEAD + f'''g (float[1,3,32,32] x) => (float[1,1,17,3] y)
<float[1,1,17,3] always = {{{", ".join(f"0.{i:02}, 0.5, 0.9" for i in range(10, 61, 3))}}}, float none = {{0}}>
{{ small = ReduceMean <keepdims = 0> (x)
  zero = Mul (small, none)
  y = Add (always, zero) }}'''
TURNED = HEAD + '''g (float[1,3,32,32] x) => (float[1,2,7] y)
<float[1,2,7] always = {16, 14, 20, 10, 0.9, 0, 0.5,  8, 8, 4, 4, 0.6, 1, 0}, float none = {0}>
{ small = ReduceMean <keepdims = 0> (x)
  zero = Mul (small, none)
  y = Add (always, zero) }'''


def sky(height=64, width=128, seed=3):
    """Smooth colours, so that no two rows and columns are alike."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([(x * 255 // width), (y * 255 // height), (x + y + seed) % 256], -1).astype(np.uint8)


def ppm(array):
    return b'P6 %d %d 255\n' % (array.shape[1], array.shape[0]) + array.tobytes()


class Predicted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.photo = sky()
        pathlib.Path('photo.ppm').write_bytes(ppm(self.photo))
        pathlib.Path('net.onnxtxt').write_text(DETECTOR, encoding='utf-8')

    def command(self, *words, code=0):
        done = subprocess.run([OCELLUS, 'predict', *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def told(self, *words):
        return json.loads(self.command(*words, '--json', '-q').stdout)

    def refused(self, call, *given, **options):
        with self.assertRaises(ocellus.Error) as caught:
            call(*given, **options)
        return caught.exception


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
                (['--least', '0.99'], dict(least=0.99)), (['--top', '0'], dict(top=0)),
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
        self.assertTrue(ocellus.Predictor('net.onnxtxt', least=0.99)('photo.ppm'))  # also where nothing is found
        self.assertEqual(list(ocellus.Predictor('net.onnxtxt', least=0.99)('photo.ppm')), [])
        self.assertIn('nothing found', repr(ocellus.Predictor('net.onnxtxt', least=0.99)('photo.ppm')))

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
                ('classes', CLASSES, ['--preset', 'stretch'], dict(preset='stretch')),
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

    def test_flow_points_and_corners(self):
        for decoder, net in ('flow', FLOW), ('movenet', POINTS), ('end2end-obb', TURNED):
            pathlib.Path('other.onnxtxt').write_text(net, encoding='utf-8')
            told = self.told('other.onnxtxt', 'photo.ppm', '--as', decoder)['answers'][0]
            answer = ocellus.Predictor('other.onnxtxt', as_=decoder)('photo.ppm')
            self.assertEqual(answer.to_dict(), told, decoder)
            self.assertTrue(repr(answer) and str(answer))
            if decoder == 'flow':
                self.assertEqual(answer.flow.shape, (2, 32, 32))
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
        with self.assertRaises(TypeError):
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
