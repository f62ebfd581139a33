#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""picture_formats.py OCELLUS - BMP and PNM pictures, decoded by ImageDecoder in the command."""
import pathlib
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


def gray(values):
    return [[(v,) * 3 for v in row] for row in values]


RED = gray([[p[0] for p in row] for row in PIXELS])
FLAT = [c for row in PIXELS for p in row for c in p]
BITS = gray([[255, 0, 255], [0, 0, 255]])
CASES = {
    "BMP of 24 bits": (bmp(24), PIXELS), "BMP of 32 bits": (bmp(32), PIXELS),
    "BMP of 32 bits with masks": (bmp(32, form=3), PIXELS), "BMP from the top": (bmp(24, True), PIXELS),
    "BMP with a palette": (bmp(8), RED), "BMP cut off": (bmp(24)[:-1], []), "BMP compressed": (bmp(8, form=1), []),
    "PBM in text": (b"P1 # a bitmap\n3 2\n010\n1 1 0", BITS), "PBM": (b"P4\n3 2\n\x40\xc0", BITS),
    "PGM in text": (b"P2\n2 1\n15\n0 15", gray([[0, 255]])), "PGM": (b"P5 2 1 255\n\x07\xff", gray([[7, 255]])),
    "PGM of 16 bits": (b"P5 2 1 65535\n\x01\x00\xff\xff", gray([[0, 255]])),
    "PPM in text": (b"P3 3 2 255 " + " ".join(map(str, FLAT)).encode(), PIXELS),
    "PPM": (b"P6\n3 2\n255\n" + bytes(FLAT), PIXELS), "PPM cut off": (b"P6\n3 2\n255\n" + bytes(FLAT[:-1]), []),
    "PGM past white": (b"P2 1 1 15 16", []), "PGM without a size": (b"P5 0 1 255\n", []), "nothing": (b"", []),
    "no picture": (b"GIF89a", []),
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
