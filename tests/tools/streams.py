# SPDX-License-Identifier: Apache-2.0
"""streams.py SPLIT - streams of pictures that Pillow, and OpenCV where there is one, write: JPEG with thumbnails, restarts and
several scans, PPM, PNG. SPLIT (split.c) finds each picture, and what it writes is read again."""
import io
import os
import random
import subprocess
import sys

from checks import check, finish

try:
    from PIL import Image
except ImportError:
    sys.exit(77)
try:
    import cv2
    import numpy
except ImportError:
    cv2 = None

SPLIT = os.path.abspath(sys.argv[1])
KINDS = {'JPEG': 2, 'PNG': 1, 'PPM': 6}


def picture(r):
    width, height = r.randint(1, 90), r.randint(1, 90)
    mode, depth = r.choice((('RGB', 3), ('L', 1)))
    if r.random() < 0.5:
        return Image.frombytes(mode, (width, height), r.randbytes(width * height * depth))
    return Image.frombytes(mode, (2, 2), r.randbytes(4 * depth)).resize((width, height))


def encode(r, image, form):
    to = io.BytesIO()
    if form != 'JPEG':
        image.save(to, form)
        return to.getvalue()
    if cv2 and r.random() < 0.3:
        flags = [cv2.IMWRITE_JPEG_RST_INTERVAL, r.randint(1, 5), cv2.IMWRITE_JPEG_QUALITY, r.randint(30, 100)]
        return cv2.imencode('.jpg', numpy.array(image), flags)[1].tobytes()
    how = {'quality': r.randint(20, 100), 'progressive': r.random() < 0.5}
    if r.random() < 0.3:  # Exif data with a picture in them, which has an end of its own
        small = io.BytesIO()
        image.resize((8, 8)).save(small, 'JPEG')
        how['exif'] = b'Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0' + small.getvalue()
    if r.random() < 0.3:
        how['comment'] = b'\xff\xd9\xff\xd8'
    image.save(to, 'JPEG', **how)
    return to.getvalue()


def split(stream, code=0):
    done = subprocess.run([SPLIT], input=stream, capture_output=True, timeout=60, check=False)
    lines = done.stderr.decode().splitlines()
    check(done.returncode == code, 'exit code', done.returncode, lines[-1:])
    return lines, done.stdout


def whole_streams(r):
    for form, kind in KINDS.items():
        images = [picture(r) for _ in range(60)]
        frames = [encode(r, image, form) for image in images]
        lines, back = split(b''.join(frames))
        wanted = [f'{i + 1} {kind} {len(f)} {image.width} {image.height} {len(image.getbands())}'
                  for i, (f, image) in enumerate(zip(frames, images))]
        check(lines == wanted, form, [pair for pair in zip(lines, wanted) if pair[0] != pair[1]][:3], len(lines))
        if form == 'PPM':
            check(back == b''.join(frames), 'PPM differs')
        again, _ = split(back)
        sizes = [line.split()[3:] for line in lines]
        check([line.split()[3:] for line in again] == sizes, form, 'written and read again')


def mixed_and_cut(r):
    forms = [r.choice(list(KINDS)) for _ in range(20)]
    frames = [encode(r, picture(r), form) for form in forms]
    lines, _ = split(b''.join(frames))
    check([int(line.split()[1]) for line in lines] == [KINDS[form] for form in forms], lines)
    for cut in 1, 9, 30:
        lines, _ = split(b''.join(frames)[:-cut], code=1)
        check(lines[-1] == 'standard input: picture 20: it is cut off' and len(lines) == 20, lines[-1])


def each_picture_comes_at_once(r):
    """What is written is there before the next picture comes."""
    with subprocess.Popen([SPLIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as work:
        for _ in range(5):
            frame = encode(r, picture(r), 'PPM')
            work.stdin.write(frame)
            work.stdin.flush()
            check(work.stdout.read(len(frame)) == frame, 'a picture is kept back')
        work.stdin.close()
    check(work.returncode == 0, work.returncode)


for number in range(4):
    whole_streams(random.Random(number))
    mixed_and_cut(random.Random(number))
each_picture_comes_at_once(random.Random(4))
finish()
