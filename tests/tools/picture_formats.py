#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""picture_formats.py OCELLUS - BMP, PNM and GIF pictures, decoded by ImageDecoder in the command."""
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

PIXELS = [[(255, 0, 10), (0, 255, 20), (0, 0, 255)], [(1, 2, 3), (200, 100, 50), (255, 255, 255)]]


def bmp(bits, from_top=False, form=0):
    """PIXELS, or for 8 bits their red part through a palette that inverts it."""
    rows = []
    for row in PIXELS if from_top else PIXELS[::-1]:
        line = b"".join(bytes([255 - p[0]]) if bits == 8 else bytes([p[2], p[1], p[0]]) + b"\7" * (bits == 32)
                        for p in row)
        rows.append(line + b"\0" * (-len(line) % 4))
    palette = b"".join(bytes([255 - i] * 3 + [0]) for i in range(256)) if bits == 8 else b""
    head = struct.pack("<IiiHHIIiiII", 40, 3, -2 if from_top else 2, 1, bits, form, 0, 0, 0, 0, 0)
    at = 14 + 40 + len(palette)
    return b"BM" + struct.pack("<IHHI", 0, 0, 0, at) + head + palette + b"".join(rows)


def codes(indices, bits, clears=True):
    """The codes of GIF for indices below 1 << bits, in blocks of data. Without clears, the table stays as it is when it is
    full."""
    clear, text, n = 1 << bits, 0, 0
    table, size = {}, bits + 1

    def put(code):
        nonlocal text, n
        text |= code << n
        n += size

    put(clear)
    before = ()
    for i in indices:
        if len(before) == 0 or before + (i,) in table:
            before += (i,)
            continue
        put(table[before] if len(before) > 1 else before[0])
        if clear + 2 + len(table) < 1 << 12:
            table[before + (i,)] = clear + 2 + len(table)
            # a decoder knows this code one code later
            size += clear + 2 + len(table) > 1 << size and size < 12
        elif clears:
            put(clear)
            table, size = {}, bits + 1
        before = (i,)
    put(table[before] if len(before) > 1 else before[0])
    size += clear + 3 + len(table) > 1 << size and size < 12
    put(clear + 1)
    data = text.to_bytes((n + 7) // 8, 'little')
    return bytes([bits]) + b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"


def gif(rows, palette, bits=2, at=(0, 0), screen=None, local=False, interlaced=False, before=b"", after=b"", clears=True):
    """A GIF of rows of indices, and a palette of 2 << k colours or none."""
    width, height = len(rows[0]), len(rows)
    order = [y for first, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(first, height, step)] if interlaced else \
        range(height)
    flags = 0x80 | len(palette).bit_length() - 2 if palette else 0
    screen = screen or (width, height)
    colours = b"".join(map(bytes, palette))
    head = b"GIF89a" + struct.pack("<HHBBB", *screen, 0 if local else flags, 0, 0) + (b"" if local else colours)
    place = b"," + struct.pack("<HHHHB", *at, width, height, (flags if local else 0) | (0x40 if interlaced else 0))
    return head + before + place + (colours if local else b"") + codes([i for y in order for i in rows[y]], bits, clears) + \
        after + b";"


def gray(values):
    return [[(v,) * 3 for v in row] for row in values]


RED = gray([[p[0] for p in row] for row in PIXELS])
FLAT = [c for row in PIXELS for p in row for c in p]
BITS = gray([[255, 0, 255], [0, 0, 255]])
FOUR = [(255, 0, 10), (0, 255, 20), (0, 0, 255), (1, 2, 3)]
ROWS = [[(x + y * y) % 4 for x in range(5)] for y in range(19)]
COLOURS = [[FOUR[i] for i in row] for row in ROWS]
INNER = [[FOUR[ROWS[y - 1][x - 2]] if 2 <= x and 1 <= y else FOUR[0] for x in range(7)] for y in range(20)]
NOISE = [[random.Random(99 * y + x).randrange(256) for x in range(100)] for y in range(90)]
CONTROL = b"!\xf9\4\1\0\0\3\0"  # the last colour is transparent
COMMENT = b"!\xfe\5a;b,c\0"
WHOLE = gif(ROWS, FOUR)
CASES = {
    "GIF": (WHOLE, COLOURS), "GIF of 1987": (WHOLE.replace(b"89a", b"87a"), COLOURS),
    "GIF with rows out of order": (gif(ROWS, FOUR, interlaced=True), COLOURS),
    "GIF of one row out of order": (gif(ROWS[:1], FOUR, interlaced=True), COLOURS[:1]),
    "GIF with a palette of its frame": (gif(ROWS, FOUR, local=True), COLOURS),
    "GIF of a frame in the corner": (gif(ROWS, FOUR, at=(2, 1), screen=(7, 20)), INNER),
    "GIF of a frame beyond the screen": (gif(ROWS, FOUR, at=(2, 1), screen=(3, 3)), INNER),
    "GIF with extensions": (gif(ROWS, FOUR, before=COMMENT + CONTROL, after=COMMENT), COLOURS),
    "GIF of two frames": (gif(ROWS, FOUR, after=CONTROL + b"," + WHOLE.split(b",", 1)[1]), COLOURS),
    "GIF without a palette": (gif([[0, 3], [200, 255]], [], bits=8), gray([[0, 3], [200, 255]])),
    "GIF with an index past its palette": (gif([[0, 1], [2, 3]], FOUR[:2]), [FOUR[:2], gray([[2, 3]])[0]]),
    "GIF of noise": (gif(NOISE, [], bits=8), gray(NOISE)),
    "GIF with a full table": (gif(NOISE, [], bits=8, clears=False), gray(NOISE)),
    "GIF cut off": (WHOLE[:-6], []), "GIF without pixels": (gif(ROWS, FOUR)[:26], []),
    "GIF with too few codes": (WHOLE.replace(struct.pack("<HH", 5, 19), struct.pack("<HH", 5, 20)), []),
    "GIF with a code for nothing": (gif(ROWS, FOUR)[:36] + b"\1\xff\0;", []),
    "GIF of codes of 9 bits": (gif(ROWS, FOUR).replace(b"\0\2", b"\0\x09", 1), []),
    "BMP of 24 bits": (bmp(24), PIXELS), "BMP of 32 bits": (bmp(32), PIXELS),
    "BMP of 32 bits with masks": (bmp(32, form=3), PIXELS), "BMP from the top": (bmp(24, True), PIXELS),
    "BMP with a palette": (bmp(8), RED), "BMP cut off": (bmp(24)[:-1], []), "BMP compressed": (bmp(8, form=1), []),
    "PBM in text": (b"P1 # a bitmap\n3 2\n010\n1 1 0", BITS), "PBM": (b"P4\n3 2\n\x40\xc0", BITS),
    "PGM in text": (b"P2\n2 1\n15\n0 15", gray([[0, 255]])), "PGM": (b"P5 2 1 255\n\x07\xff", gray([[7, 255]])),
    "PGM of 16 bits": (b"P5 2 1 65535\n\x01\x00\xff\xff", gray([[0, 255]])),
    "PPM in text": (b"P3 3 2 255 " + " ".join(map(str, FLAT)).encode(), PIXELS),
    "PPM": (b"P6\n3 2\n255\n" + bytes(FLAT), PIXELS), "PPM cut off": (b"P6\n3 2\n255\n" + bytes(FLAT[:-1]), []),
    "PGM past white": (b"P2 1 1 15 16", []), "PGM without a size": (b"P5 0 1 255\n", []), "nothing": (b"", []),
    "no picture": (b"GIF88a" + WHOLE[6:], []),
}
ocellus = sys.argv[1]
failed = 0
with tempfile.TemporaryDirectory() as folder:
    model, out = pathlib.Path(folder) / "model.onnxtxt", pathlib.Path(folder) / "y.npy"
    for name, (encoded, pixels) in CASES.items():
        for form, pick in {"RGB": lambda p: p, "BGR": lambda p: p[::-1]}.items():
            model.write_text(
                '<ir_version: 10, opset_import: ["" : 20]>\n'
                f"g () => (uint8[h,w,c] y) <uint8[{len(encoded)}] x = {{{', '.join(map(str, encoded))}}}>\n"
                f'{{ y = ImageDecoder <pixel_format = "{form}"> (x) }}\n')
            run = subprocess.run([ocellus, "run", str(model), "-o", f"y={out}"], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            got = out.read_bytes() if run.returncode == 0 else b""
            shape = (len(pixels), len(pixels[0]) if pixels else 0, 3)
            want = bytes(c for row in pixels for p in row for c in pick(p))
            if str(shape).encode() not in got[:128] or got[128:] != want:
                print(f"{name}, {form}: {run.stdout}{got}")
                failed += 1
sys.exit(1 if failed else 0)
