#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""filters.py OCELLUS FILTERS - pictures resized as other libraries do, the placements of networks' pictures, and the
presets that have both.

FILTERS is written by tests/oracle/picture_resize.py."""
import json
import pathlib
import subprocess
import sys
import tempfile
import zlib

import png
from resized import elements, model, picture_rows, pixels_of, sample

OCELLUS, FILTERS = sys.argv[1:]
failed = 0


def expect(good, text):
    global failed
    if not good:
        failed += 1
        print(text)


def picture(path, width, height):
    path.write_bytes(png.made(picture_rows(width, height)))
    return path


def run(*words, code=0):
    """Returns what standard error said, and of --json what standard output did."""
    done = subprocess.run([OCELLUS, "run", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    expect(done.returncode == code, f"{words}: exit code {done.returncode}, expected {code}\n{done.stderr}")
    return done.stderr, json.loads(done.stdout) if "--json" in words and code == 0 else None


# ---- each filter, as its library

def filters(folder):
    plain, out, seen = model(folder / "plain.onnxtxt"), folder / "y.npy", set()
    lines = pathlib.Path(FILTERS).read_text().splitlines()
    for line in lines:
        name, w, h, width, height, want = line.split()
        path = folder / f"{w}x{h}.png"
        if not path.exists():
            picture(path, int(w), int(h))
        said, _ = run(plain, "-i", path, "--image-resize", f"stretch:{width}x{height}", "--resize", name, "-o", f"y={out}")
        got = pixels_of(out)
        expect(want in (got.hex(), str(zlib.crc32(got))), f"{line}: {got.hex()[:200]} {zlib.crc32(got)}")
        expect(f"stretched to {width} x {height} ({name})" in said, said)
        seen.add(name)
    expect(len(seen) == 15 and len(lines) == 270, f"{len(lines)} lines of {len(seen)} filters")


def every_channel_alone(folder):
    """A filter gives each channel what it gives a gray picture, whatever the number of channels."""
    w, h, width, height = 13, 11, 29, 8
    out = folder / "y.npy"
    planes = [[[sample(x, y, c) for x in range(w)] for y in range(h)] for c in range(4)]
    for name in ("pil:lanczos", "cv2:linear", "cv2:area", "torchvision:bilinear", "torchvision:bicubic:antialias"):
        words = ("--image-resize", f"stretch:{width}x{height}", "--resize", name, "-o", f"y={out}")
        alone = b""
        for c in range(4):
            (folder / "g.png").write_bytes(png.made([[(p,) for p in row] for row in planes[c]]))
            run(model(folder / "gray.onnxtxt", shape="1,1,H,W"), "-i", folder / "g.png", *words)
            alone += elements(out).tobytes()
        (folder / "a.png").write_bytes(png.made([[[planes[c][y][x] for c in range(4)] for x in range(w)] for y in range(h)]))
        run(model(folder / "four.onnxtxt", shape="1,4,H,W"), "-i", folder / "a.png", *words)
        expect(elements(out).tobytes() == alone, f"{name}: four channels are not each as one")


# ---- where the picture lies

def placements(folder):
    plain = model(folder / "plain.onnxtxt")
    fill = ("--image-fill", 114)
    for size, words, shape, scale, offset, text in (
            # 40 * 0.625 = 25; 37 * 0.625 = 23.125
            ((40, 37), ("fit:25x30", "--resize", "cv2:linear", *fill), (30, 25), (25 / 40, 23 / 37), (0, 3),
             "fitted to 25 x 23 (cv2:linear), in the middle of 25 x 30 of 114"),
            # a half: LetterBox rounds 10.5 to 10, the others to 11
            ((40, 21), ("fit:20x20", "--resize", "cv2:linear"), (20, 20), (0.5, 10 / 21), (0, 5), "20 x 10 (cv2:linear)"),
            ((40, 21), ("fit:20x20",), (20, 20), (0.5, 11 / 21), (0, 4), "20 x 11 (onnx:linear)"),
            ((40, 21), ("fit:20x20", "--resize", "pil:box"), (20, 20), (0.5, 11 / 21), (0, 4), "20 x 11 (pil:box)"),
            # the corner: YOLOX rounds 10.5 and 11.9 down
            ((40, 21), ("corner:20x20", "--resize", "cv2:linear", *fill), (20, 20), (0.5, 10 / 21), (0, 0),
             "fitted to 20 x 10 (cv2:linear), at the top left of 20 x 20 of 114"),
            ((40, 23), ("corner:20x20", "--resize", "cv2:linear"), (20, 20), (0.5, 11 / 23), (0, 0), "20 x 11 (cv2"),
            ((40, 23), ("corner:20x20", "--resize", "pil:bilinear"), (20, 20), (0.5, 12 / 23), (0, 0), "20 x 12 (pil"),
            # no enlarging: one side too large is still shrunk
            ((20, 10), ("fit:40x40", "--image-no-enlarge"), (40, 40), (1, 1), (10, 15), "20 x 10, in the middle of 40 x 40 of 0"),
            ((20, 10), ("fit:40x40",), (40, 40), (2, 2), (0, 10), "fitted to 40 x 20"),
            ((20, 10), ("corner:40x40", "--image-no-enlarge"), (40, 40), (1, 1), (0, 0), "20 x 10, at the top left of 40 x 40"),
            ((80, 10), ("fit:40x40", "--image-no-enlarge"), (40, 40), (0.5, 0.5), (0, 17), "fitted to 40 x 5"),
            # multiples: the plain area ends at the next one
            ((40, 21), ("fit:64x64", "--image-multiple", 32), (64, 64), (1.6, 34 / 21), (0, 15), "in the middle of 64 x 64"),
            ((40, 20), ("fit:64x64", "--image-multiple", 32), (32, 64), (1.6, 1.6), (0, 0), "fitted to 64 x 32 (onnx:linear),"),
            ((40, 20), ("corner:60x60", "--image-multiple", 16), (32, 64), (1.5, 1.5), (0, 0), "at the top left of 64 x 32"),
            # the short side first
            ((30, 20), ("short:10",), (10, 15), (0.5, 0.5), (0, 0), "resized to 15 x 10 (onnx:linear), 8-bit"),
            ((31, 20), ("short:10",), (10, 15), (15 / 31, 0.5), (0, 0), "resized to 15 x 10"),
            ((20, 31), ("short:10",), (15, 10), (0.5, 15 / 31), (0, 0), "resized to 10 x 15"),
            ((30, 20), ("short:10:8x8", "--resize", "pil:bicubic"), (8, 8), (0.5, 0.5), (-4, -1),
             "resized to 15 x 10 (pil:bicubic), of which the middle 8 x 8"),  # of 7 and 2 more: 3.5 is rounded to 4
            ((26, 20), ("short:10:8x8",), (8, 8), (0.5, 0.5), (-2, -1), "the middle 8 x 8"),  # 2.5 to 2
            ((30, 20), ("short:10:8x13", *fill), (13, 8), (0.5, 0.5), (-4, 1), "in the middle of 8 x 13 of 114"),
            ((30, 20), ("short:10", "--image-multiple", 4), (12, 16), (16 / 30, 12 / 20), (0, 0), "resized to 16 x 12"),
            ((30, 20), ("crop:10x10",), (10, 10), (0.5, 0.5), (-2, 0), "of which the middle 10 x 10"),
            ((30, 20), ("no",), (20, 30), (1, 1), (0, 0), "30 x 20, 8-bit")):
        path = folder / "p{}x{}.png".format(*size)
        if not path.exists():
            picture(path, *size)
        said, told = run(plain, "-i", path, "--image-resize", *words, "--json")
        p = told["pictures"][0]
        expect(p["scale"] == list(scale) and p["offset"] == list(offset) and [p["width"], p["height"]] == list(size),
               f"{words}: {p}, expected {scale} {offset}")
        expect(told["outputs"][0]["shape"] == [1, 3, *shape], f"{words}: {told['outputs'][0]['shape']}")
        expect(text in said, f"{words}: {said}")


def bars_and_cuts(folder):
    """The samples lie where --json says."""
    plain, out = model(folder / "plain.onnxtxt"), folder / "y.npy"
    rows = [[[10 * y + x, 100 + x, 200 + y] for x in range(4)] for y in range(2)]
    (folder / "s.png").write_bytes(png.made(rows))
    for words, width, height, left, top in ((("corner:6x5", "--image-no-enlarge", "--image-fill", 9), 6, 5, 0, 0),
                                            (("fit:7x5", "--image-no-enlarge", "--image-fill", 9), 7, 5, 1, 1),
                                            (("short:2:2x2",), 2, 2, -1, 0),
                                            (("short:2:3x4", "--image-fill", 9), 3, 4, 0, 1)):
        run(plain, "-i", folder / "s.png", "--image-resize", *words, "-o", f"y={out}")
        want = [rows[y - top][x - left] if 0 <= y - top < 2 and 0 <= x - left < 4 else [9, 9, 9]
                for y in range(height) for x in range(width)]
        expect(pixels_of(out) == bytes(s for p in want for s in p), f"{words}: {pixels_of(out).hex()}")


def declared_sizes(folder):
    """Multiples are for inputs that declare neither side; short needs no size of such an input."""
    p = picture(folder / "d.png", 40, 20)
    fixed, open_ = model(folder / "fixed.onnxtxt", shape="1,3,50,60"), model(folder / "open.onnxtxt")
    said, told = run(fixed, "-i", p, "--image-resize", "fit", "--image-multiple", 32, "--json")
    expect(told["outputs"][0]["shape"] == [1, 3, 50, 60], said)
    said, told = run(fixed, "-i", p, "--image-resize", "short:70", "--json")
    expect("resized to 140 x 70" in said and "of which the middle 60 x 50" in said, said)
    said, _ = run(open_, "-i", p, "--image-resize", "fit", "--image-multiple", 32, code=2)
    expect("declares no height and width, expected a size, as in --image-resize fit:640x480" in said, said)


# ---- presets

def presets(folder):
    p = picture(folder / "preset.png", 60, 41)
    floats = model(folder / "floats.onnxtxt", "float", "1,3,28,28")
    wide = model(folder / "wide.onnxtxt", "float", "1,3,28,56")
    free = model(folder / "free.onnxtxt", "float", "1,3,H,W")
    for net, words, text in (
            (floats, ("imagenet",), "resized to 46 x 32 (pil:bilinear), of which the middle 28 x 28, 8-bit -> float, element = "
             "sample / 255, minus mean 0.485,0.456,0.406, by std 0.229,0.224,0.225, NCHW rgb"),
            (floats, ("clip",), "resized to 40 x 28 (pil:bicubic), of which the middle 28 x 28, "),
            (wide, ("clip",), "resized to 81 x 56 (pil:bicubic), of which the middle 56 x 28, "),
            (floats, ("yolo",), "fitted to 28 x 19 (cv2:linear), in the middle of 28 x 28 of 114, 8-bit -> float, "
             "element = sample / 255, NCHW rgb"),
            (floats, ("detr",), "stretched to 28 x 28 (pil:bilinear), 8-bit -> float, element = sample / 255, minus mean 0.485,"),
            (free, ("imagenet",), ": 8-bit -> float"), (free, ("clip",), ": 8-bit"), (free, ("yolo",), ": 8-bit"),
            (free, ("detr",), ": 8-bit"), (free, ("[0,1]",), ": 8-bit"),
            (free, ("yolo", "--image-resize", "fit:64x64", "--image-multiple", "32"),
             "fitted to 64 x 44 (cv2:linear), in the middle of 64 x 64 of 114"),
            (floats, ("yolo", "--image-fill", "0"), "in the middle of 28 x 28 of 0,"),
            (floats, ("yolo", "--resize", "onnx:linear"), "fitted to 28 x 19 (onnx:linear)"),
            (floats, ("clip", "--image-resize", "stretch"), "stretched to 28 x 28 (pil:bicubic)"),
            (floats, ("clip", "--image-resize", "stretch", "--resize", "cv2:area"), "stretched to 28 x 28 (cv2:area)"),
            (free, ("clip", "--image-resize", "no"), ": 8-bit")):
        said, _ = run(net, "-i", p, "--preset", *words)
        want = text if text[0] != ":" else f"preset.png: 60 x 41, {text[2:]}"
        expect(want in said, f"{words}: {said}\n{want}")
    said, _ = run(floats, "-i", p, "--preset", "[0,1]", code=3)
    expect("60 x 41, and input 'x' takes 28 x 28" in said, said)
    said, _ = run(model(folder / "half.onnxtxt", "float", "1,3,H,28"), "-i", p, "--preset", "clip", code=3)
    expect("60 x 41, and input 'x' takes 28 x any" in said, said)
    said, _ = run(model(folder / "bytes.onnxtxt", shape="1,3,28,28"), "-i", p, "--preset", "yolo")
    expect("of 114, 8-bit -> uint8, element = sample, NCHW rgb" in said, said)


# ---- what is refused

def refusals(folder):
    plain, p = model(folder / "plain.onnxtxt"), picture(folder / "r.png", 9, 7)
    for words, code, text in (
            (("--resize", "cv2:linear"), 2, "--resize cv2:linear goes with --image-resize, as in --image-resize fit, or with a "
             "--preset that resizes"),
            (("--resize", "pil:cubic", "--image-resize", "fit:8x8"), 2, "--resize is 'pil:cubic', expected auto or onnx:linear or "
             "pil:nearest"),
            (("--resize", "fit"), 2, "or torchvision:bicubic:antialias"),
            (("--image-resize", "short"), 2, "--image-resize is 'short', expected stretch, fit, corner or crop, or with a size, as "
             "in fit:640x480; short:N or short:N:WxH; or no"),
            (("--image-resize", "short:"), 2, "--image-resize is 'short:'"),
            (("--image-resize", "short:0"), 2, "--image-resize is 'short:0'"),
            (("--image-resize", "short:8x8"), 2, "--image-resize is 'short:8x8'"),
            (("--image-resize", "short:8:8"), 2, "--image-resize is 'short:8:8'"),
            (("--image-resize", "short:8:8x8x8"), 2, "--image-resize is 'short:8:8x8x8'"),
            (("--image-resize", "no:8x8"), 2, "--image-resize is 'no:8x8'"),
            (("--image-resize", "corner"), 2, "declares no height and width"),
            (("--image-no-enlarge",), 2, "--image-no-enlarge goes with --image-resize fit or corner"),
            (("--image-no-enlarge", "--image-resize", "crop:8x8"), 2, "--image-no-enlarge goes with"),
            (("--image-multiple", "32"), 2, "--image-multiple goes with --image-resize fit, corner, or short:N without WxH"),
            (("--image-multiple", "32", "--image-resize", "short:8:8x8"), 2, "--image-multiple goes with"),
            (("--image-multiple", "x", "--image-resize", "fit:8x8"), 2, "--image-multiple is 'x'"),
            (("--image-fill", "3", "--image-resize", "stretch:8x8"), 2, "--image-fill goes with --image-resize fit, corner or short"),
            (("--image-resize", "short:1000000"), 5, "resizing to 1285714 x 1000000 pixels, expected at most 100000000"),
            (("--image-resize", "fit:8x8", "--image-multiple", "1000000"), 5, "resizing to 1000000 x 1000000 pixels"),
            (("--image-resize", "stretch:9999x9999", "--resize", "pil:bicubic", "--memory-cap", "64M"), 5, "r.png: "),
            (("--image-resize", "stretch:9000x9000", "--resize", "cv2:area", "--memory-cap", "300M"), 5, "r.png: ")):
        said, _ = run(plain, "-i", p, *words, code=code)
        expect(text in said, f"{words}: no '{text}' in {said}")


def sixteen_bits(folder):
    """A library's filter, and a preset that resizes, take the more significant byte of a sample; the operator takes both."""
    floats, out = model(folder / "floats.onnxtxt", "float"), folder / "y.npy"
    low = bytes(b for i in range(2 * 2 * 3) for b in (19 * i, 255 - i))
    (folder / "sixteen.ppm").write_bytes(b"P6 2 2 65535\n" + low)
    (folder / "eight.ppm").write_bytes(b"P6 2 2 255\n" + low[::2])
    for words, is_byte in ((("--image-resize", "stretch:4x4", "--resize", "pil:bilinear"), True),
                           (("--image-resize", "stretch:2x2", "--resize", "cv2:area"), True),
                           (("--image-resize", "stretch:4x4", "--preset", "yolox"), True),
                           (("--image-resize", "stretch:4x4", "--preset", "yolox", "--resize", "onnx:linear"), True),
                           (("--image-resize", "stretch:4x4", "--preset", "yolo", "--resize", "onnx:linear"), False),
                           (("--image-resize", "stretch:4x4"), False), ((), False)):
        said, _ = run(floats, "-i", folder / "sixteen.ppm", *words, "-o", f"y={out}")
        got = elements(out, "f")
        run(floats, "-i", folder / "eight.ppm", *words, "-o", f"y={out}")
        expect((got == elements(out, "f")) == is_byte, f"{words}: {got}, 8 bits give {elements(out, 'f')}")
        expect(("2 x 2, samples >> 8" in said) == is_byte and (f"{8 if is_byte else 16}-bit ->" in said), said)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in (filters, every_channel_alone, placements, bars_and_cuts, declared_sizes, presets, refusals, sixteen_bits):
            part(folder)
    return 1 if failed else 0


sys.exit(main())
