# SPDX-License-Identifier: Apache-2.0
"""gifs.py OCELLUS [N] - N random GIFs that Pillow writes, 120 unless given, are read as Pillow reads them: palettes, frames
smaller than the picture, rows out of order, transparent colours, several frames."""
import os
import random
import subprocess
import sys
import tempfile

from checks import check, finish

try:
    from PIL import Image
except ImportError:
    sys.exit(77)

OCELLUS = os.path.abspath(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 120
MODEL = '<ir_version: 8, opset_import: ["" : 17]>\ng (uint8[1,H,W,4] x) => (uint8[1,H,W,4] y) { y = Identity (x) }\n'


def pixels(r, width, height, colours):
    """Indices with runs and repeats, so that codes are long, or without any."""
    if r.random() < 0.3:
        return bytes(r.randrange(colours) for _ in range(width * height))
    pattern = bytes(r.randrange(colours) for _ in range(r.randint(1, 40)))
    drawn = bytearray(pattern * (width * height // len(pattern) + 1))[:width * height]
    for _ in range(r.randint(0, 60)):
        at = r.randrange(width * height)
        drawn[at:at + 30] = bytes([r.randrange(colours)]) * len(drawn[at:at + 30])
    return bytes(drawn)


def picture(r, width, height, gray):
    if gray:
        return Image.frombytes('L', (width, height), pixels(r, width, height, 256))
    colours = r.choice((2, 3, 4, 5, 8, 16, 17, 64, 200, 256))
    made = Image.frombytes('P', (width, height), pixels(r, width, height, colours))
    made.putpalette(r.randbytes(3 * colours))
    return made


def write(r, path):
    width, height = (r.choice((1, 2, 3, 5, 8, 9, 30, 100, 321)) for _ in range(2))
    gray = r.random() < 0.2
    first, how = picture(r, width, height, gray), {'interlace': r.randint(0, 1)}
    if r.random() < 0.4:
        how['transparency'] = r.randrange(8)
    if r.random() < 0.3:
        how.update(save_all=True, append_images=[picture(r, width, height, gray) for _ in range(r.randint(1, 3))],
                   disposal=r.randrange(4), loop=0, comment=b'a comment; with , and !')
    first.save(path, **how)
    if r.random() < 0.3:  # a screen that is larger than the frame, which lies within
        data = bytearray(path_bytes(path))
        data[6:10] = (width + 7).to_bytes(2, 'little') + (height + 3).to_bytes(2, 'little')
        with open(path, 'wb') as f:
            f.write(data)


def path_bytes(path):
    with open(path, 'rb') as f:
        return f.read()


def main():
    r = random.Random(49)
    os.mkdir('in')
    with open('g.onnxtxt', 'w', encoding='utf-8') as f:
        f.write(MODEL)
    for i in range(COUNT):
        write(r, f'in/{i:04}.gif')
    done = subprocess.run([OCELLUS, 'map', 'g.onnxtxt', '-i', 'in', '-o', 'out', '--format', 'npy', '-q'], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    check(done.returncode == 0, done.stdout)
    for name in sorted(os.listdir('in')):
        with Image.open(f'in/{name}') as file:
            wanted, size = file.convert('RGBA').tobytes(), file.size
        got = path_bytes(f'out/{name[:-4]}.npy')
        start = 10 + int.from_bytes(got[8:10], 'little')
        check(f'(1, {size[1]}, {size[0]}, 4)'.encode() in got[:start], name, got[:start])
        check(got[start:] == wanted, name, size, 'differs from what Pillow reads')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir('/')
finish()
