#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pictures.py OCELLUS RESIZED - pictures as they come: resized, turned as their Exif data says, normalised.

RESIZED is written by tests/oracle/pictures.py."""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import png
from resized import elements, model, picture_rows, pixels_of, sample

WIDTH, HEIGHT = 23, 17
OCELLUS, RESIZED = sys.argv[1:]
failed = 0


def exif(turn, order="<", kind=3, tag=0x0112):
    """The second of two entries tells the orientation."""
    entries = struct.pack(order + "HHIHH", 0x0100, 3, 1, 5, 0) + struct.pack(order + "HHIHH", tag, kind, 1, turn, 0)
    return (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, 2) + entries + b"\0\0\0\0"


def run(*words, code=0):
    done = subprocess.run([OCELLUS, "run", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    expect(done.returncode == code, f"{words}: exit code {done.returncode}, expected {code}\n{done.stderr}")
    return done.stderr


def expect(good, text):
    global failed
    if not good:
        failed += 1
        print(text)


def resizing(folder, picture):
    plain, out = model(folder / "plain.onnxtxt"), folder / "y.npy"
    verbs = {"stretch": "stretched to", "fit": "fitted to", "crop": "resized to"}
    lines = pathlib.Path(RESIZED).read_text().splitlines()
    expect(len(lines) == 18, "18 lines of expected pictures")
    for line in lines:
        how, width, height, samples = line.split()
        sized = model(folder / "sized.onnxtxt", shape=f"1,3,{height},{width}")
        last = model(folder / "last.onnxtxt", shape=f"1,{height},{width},3")
        fill = ["--image-fill", 114] if how == "fit" else []
        for m, option in ((plain, f"{how}:{width}x{height}"), (sized, how), (last, how)):
            layout = "nhwc" if m == last else "nchw"
            said = run(m, "-i", picture, "--image-resize", option, *fill, "--image-layout", layout, "-o", f"y={out}")
            got = pixels_of(out) if m != last else elements(out).tobytes()
            expect(re.fullmatch(samples, got.hex()), f"{m.name}, {option}: {got.hex()}\n{samples}")
            verb = "of which the middle" if (how, width, height) == ("crop", "23", "5") else verbs[how]
            expect(verb in said and "23 x 17, " in said, said)
        if (width, height) == ("8", "8") and how != "stretch":
            words = {"fit": "fitted to 8 x 6 (onnx:linear), in the middle of 8 x 8 of 114, 8-bit -> uint8",
                     "crop": "resized to 11 x 8 (onnx:linear), of which the middle 8 x 8, 8-bit -> uint8"}
            expect(words[how] in said, said)
    for threads in (1, 3):
        run(plain, "-i", picture, "--image-resize", "stretch:40x30", "--threads", threads, "-o", f"y={folder / f'{threads}.npy'}")
    expect((folder / "1.npy").read_bytes() == (folder / "3.npy").read_bytes(), "bits depend on threads")
    as_it_is = run(plain, "-i", picture, "--image-resize", "fit:23x17", "-o", f"y={out}")
    expect("23 x 17, 8-bit" in as_it_is, as_it_is)


def refusals(folder, picture):
    plain = model(folder / "plain.onnxtxt")
    floats = model(folder / "floats.onnxtxt", "float")
    gray = model(folder / "gray.onnxtxt", "float", "1,1,H,W")
    for words, code, text in (
            (("--image-resize", "fit"), 2, "declares no height and width, expected a size, as in --image-resize fit:640x480"),
            (("--image-resize", "squash"), 2, "--image-resize is 'squash', expected stretch, fit, corner or crop"),
            (("--image-resize", "fit:8x"), 2, "--image-resize is 'fit:8x'"),
            (("--image-resize", "fit:0x8"), 2, "--image-resize is 'fit:0x8'"),
            (("--image-resize", "fit:8x8x8"), 2, "--image-resize is 'fit:8x8x8'"),
            (("--image-resize", "crop:1000000x1"), 5, "resizing to 1000000 x 739130 pixels, expected at most 100000000"),
            (("--image-resize", "stretch:1000000x1000000"), 5, "expected at most 100000000"),
            (("--image-resize", "stretch:9999x9999", "--memory-cap", "64M"), 5, "picture.png: "),
            (("--image-fill", "3"), 2, "--image-fill goes with --image-resize fit, corner or short"),
            (("--image-resize", "fit:8x8", "--image-fill", "256"), 2, "expected a whole number, 0 to 255"),
            (("--image-mean", "0.5,0.5"), 2, "--image-mean is '0.5,0.5', expected 1, 3 or 4 numbers"),
            (("--image-std", "1,2,3,4,5"), 2, "--image-std is '1,2,3,4,5', expected 1, 3 or 4 numbers"),
            (("--image-std", "1,0,1"), 2, "expected no 0"),
            (("--image-scale", "1,2"), 2, "expected one number"),
            (("--image-mean", "1,2,3,4"), 2, "--image-mean has 4 numbers, expected 1 or one for each of 3 channels"),
            (("--image-std", "1,2,3,4"), 2, "--image-std has 4 numbers, expected 1 or one for each of 3 channels"),
            (("--preset", "resnet"), 2, "--preset is 'resnet', expected none or imagenet or clip")):
        expect(text in run(floats, "-i", picture, *words, code=code), f"{words}: no '{text}'")
    for shape, layout, takes in (("1,3,30,40", "nchw", "40 x 30; --image-resize stretch, fit or crop makes it fit"),
                                 ("1,17,24,3", "nhwc", "24 x 17; --image-resize "),
                                 ("1,3,H,40", "nchw", "40 x any; --image-resize stretch, fit or crop, with :WxH, makes it fit"),
                                 ("1,3,18,W", "nchw", "any x 18; ")):
        sized = model(folder / "sized.onnxtxt", shape=shape)
        said = run(sized, "-i", picture, "--image-layout", layout, code=3)
        expect(f"23 x 17, and input 'x' takes {takes}" in said, f"{shape}: {said}")
    expect("expected uint8[1,3,30,40]" in run(model(folder / "sized.onnxtxt", shape="1,3,30,40"), "-i", picture, "--image-resize",
                                              "fit:20x20", code=3), "another size that was asked for")
    expect("has 3 numbers, expected 1 or one for each of 1 channel" in
           run(gray, "-i", picture, "--preset", "imagenet", code=2), "a preset of three for one channel")
    expect("--preset is for inputs of floats, this one is uint8" in
           run(plain, "-i", picture, "--preset", "[0,1]", code=2), "a preset for integers")


def fits(folder, picture):
    """Where --json says that the photograph lies in the input."""
    plain = model(folder / "plain.onnxtxt")
    turned = folder / "turned.png"
    rows = picture_rows(WIDTH, HEIGHT)
    turned.write_bytes(png.made(rows, png.chunk(b"eXIf", exif(6))))
    for path, words, size, scale, offset in (
            (picture, (), (23, 17), (1, 1), (0, 0)),
            (picture, ("stretch:46x51",), (23, 17), (2, 3), (0, 0)),
            (picture, ("fit:46x41",), (23, 17), (2, 2), (0, 3)),
            (picture, ("crop:21x34",), (23, 17), (2, 2), (-12, 0)),
            (turned, (), (17, 23), (1, 1), (0, 0)),
            (turned, ("fit:40x46",), (17, 23), (2, 2), (3, 0))):
        resize = ("--image-resize", *words) if words else ()
        done = subprocess.run([OCELLUS, "run", plain, "-i", path, *resize, "--json", "-q"], stdout=subprocess.PIPE, text=True)
        want = {"input": "x", "file": str(path), "width": size[0], "height": size[1], "scale": list(scale), "offset": list(offset)}
        expect(json.loads(done.stdout)["pictures"] == [want], f"{path.name} {words}: {done.stdout}\n{want}")
    for words in (("-i", folder / "y.npy"), ("--fill", "zeros", "--dim", "H=2", "--dim", "W=2")):
        done = subprocess.run([OCELLUS, "run", plain, *words, "--json"], stdout=subprocess.PIPE, text=True)
        expect("model" in done.stdout and "pictures" not in json.loads(done.stdout), f"{words}: no picture, {done.stdout}")


def gray_rows(path):
    """The samples of a gray picture, as a model gets them."""
    gray = model(path.parent / "gray_u8.onnxtxt", "uint8", "1,1,H,W")
    out = path.parent / "rows.npy"
    run(gray, "-i", path, "-o", f"y={out}")
    data = elements(out)
    return [data[i:i + WIDTH] for i in range(0, len(data), WIDTH)]


def normalising(folder, picture):
    floats, out = model(folder / "floats.onnxtxt", "float"), folder / "y.npy"
    imagenet = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    clip = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
    for words, scale, mean, std in (
            ((), 1 / 255, (0,) * 3, (1,) * 3),
            (("--preset", "imagenet"), 1 / 255, *imagenet),
            (("--preset", "clip"), 1 / 255, *clip),
            (("--preset", "[0,1]"), 1 / 255, (0,) * 3, (1,) * 3),
            (("--preset", "[-1,1]"), 1 / 255, (0.5,) * 3, (0.5,) * 3),
            (("--preset", "imagenet", "--image-std", "2"), 1 / 255, imagenet[0], (2,) * 3),
            (("--image-mean", "1,2,3", "--preset", "imagenet"), 1 / 255, (1, 2, 3), imagenet[1]),
            (("--preset", "imagenet", "--image-scale", "1"), 1, *imagenet),
            (("--preset", "imagenet", "--image-channels", "bgr"), 1 / 255, imagenet[0][::-1], imagenet[1][::-1])):
        as_read = f":scale={scale!r}:mean={','.join(map(repr, mean))}:std={','.join(map(repr, std))}"
        run(floats, "-i", picture, *words, "-o", f"y={out}", "-o", f"y={folder / 'back.png'}{as_read}")
        got, n = elements(out, "f"), WIDTH * HEIGHT
        backward = "bgr" in words
        worst = max(abs(got[c * n + y * WIDTH + x] - (sample(x, y, 2 - c if backward else c) * scale - mean[c]) / std[c])
                    for c in range(3) for y in range(HEIGHT) for x in range(WIDTH))
        expect(len(got) == 3 * n and worst < 1e-5 * scale * 255, f"{words}: off by {worst}")
        same = run(model(folder / "plain.onnxtxt"), "-i", folder / "back.png", "-o", f"y={out}")
        want = bytes(sample(x, y, c) for y in range(HEIGHT) for x in range(WIDTH) for c in range(3))
        expect(pixels_of(out) == want, f"{words}: the picture does not come back\n{same}")
    mask = folder / "mask.onnxtxt"
    mask.write_text('<ir_version: 8, opset_import: ["" : 18]>\nmask (float[1,3,H,W] x) => (float[1,1,H,W] y)\n'
                    "<int64[1] axes = {1}> { y = ReduceMax (x, axes) }\n")
    said = run(mask, "-i", picture, "--preset", "imagenet", "-o", f"y={folder / 'mask.png'}")
    expect(re.search(r"mask.png: 23 x 17, 8-bit <- float, least \S+ is 0, greatest \S+ is 255, NCHW gray", said), said)
    rows = gray_rows(folder / "mask.png")
    expect(min(map(min, rows)) == 0 and max(map(max, rows)) == 255, f"a mask is from {min(map(min, rows))} to {max(map(max, rows))}")


TURNS = {  # of a picture of width 3 and height 2 with pixels 0 to 5: what is seen, row by row
    1: [[0, 1, 2], [3, 4, 5]], 2: [[2, 1, 0], [5, 4, 3]], 3: [[5, 4, 3], [2, 1, 0]], 4: [[3, 4, 5], [0, 1, 2]],
    5: [[0, 3], [1, 4], [2, 5]], 6: [[3, 0], [4, 1], [5, 2]], 7: [[5, 2], [4, 1], [3, 0]], 8: [[2, 5], [1, 4], [0, 3]]}


def turning(folder):
    gray, out = model(folder / "gray.onnxtxt", "uint8", "1,1,H,W"), folder / "y.npy"
    rows = [[(0,), (40,), (80,)], [(120,), (160,), (200,)]]
    (folder / "plain.png").write_bytes(png.made(rows))
    large = model(folder / "large.onnxtxt", "uint8", "1,1,32,48")
    run(large, "-i", folder / "plain.png", "--image-resize", "stretch", "-o", f"y={folder / 'plain.jpg'}")
    jpeg = (folder / "plain.jpg").read_bytes()
    run(gray, "-i", folder / "plain.jpg", "-o", f"y={out}")
    lying = elements(out)
    for turn, seen in TURNS.items():
        for order in "<>":
            (folder / "t.png").write_bytes(png.made(rows, png.chunk(b"eXIf", exif(turn, order))))
            said = run(gray, "-i", folder / "t.png", "-o", f"y={out}")
            expect(elements(out).tolist() == [40 * p for row in seen for p in row], f"PNG, turn {turn}: {elements(out)}")
            expect(f": {'3 x 2, ' if turn > 1 else ''}" in said and (("turned" in said or "mirrored" in said) == (turn > 1)), said)
            body = b"Exif\0\0" + exif(turn, order)
            other = b"\xff\xe1" + struct.pack(">H", 9) + b"http://"
            marked = jpeg[:2] + other + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]
            (folder / "t.jpg").write_bytes(marked)
            run(gray, "-i", folder / "t.jpg", "-o", f"y={out}")
            # pixel (x, y) of the 3 x 2 picture stands for the block of 16 x 16 pixels there
            width = 16 * len(seen[0])
            blocks = [elements(out)[(16 * y + 8) * width + 16 * x + 8] for y in range(len(seen)) for x in range(len(seen[0]))]
            want = [lying[(16 * (p // 3) + 8) * 48 + 16 * (p % 3) + 8] for row in seen for p in row]
            near = max(abs(a - b) for a, b in zip(blocks, want)) < 15  # a block's middle moves by a pixel
            expect(near and sorted(elements(out)) == sorted(lying), f"JPEG, turn {turn}: {blocks}, expected {want}")
    for name, data in {"9": exif(9), "0": exif(0), "another type": exif(6, kind=4), "another tag": exif(6, tag=0x0113),
                       "cut off": exif(6)[:33], "nothing": b"", "a folder far away": b"II*\0\xff\xff\xff\xff",
                       "a folder at the end": b"II*\0\x08\0\0\0\xff"}.items():
        (folder / "t.png").write_bytes(png.made(rows, png.chunk(b"eXIf", data)))
        run(gray, "-i", folder / "t.png", "-o", f"y={out}")
        expect(elements(out).tolist() == [0, 40, 80, 120, 160, 200], f"Exif of {name}: {elements(out)}")


def printed(inks, adobe):
    """A JPEG of one area of 8 x 8 pixels for each of the inks, of four components as they are stored."""
    bits, before = "", [128] * 4
    for ink in inks:
        for k in range(4):
            step = ink[k] - before[k]
            size = abs(step).bit_length()
            bits += f"{size:04b}" + (f"{step if step > 0 else step + (1 << size) - 1:0{size}b}" if size else "") + "0"
            before[k] = ink[k]
    bits += "1" * (-len(bits) % 8)
    scan = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")

    def part(mark, *values):
        return bytes((255, mark)) + struct.pack(">H", 2 + len(values)) + bytes(values)

    return (b"\xff\xd8" + part(0xEE, *b"Adobe", 0, 100, 0, 0, 0, 0, adobe) + part(0xDB, 0, *[8] * 64)
            + part(0xC0, 8, 0, 8, 0, 8 * len(inks), 4, *(v for k in range(4) for v in (k, 0x11, 0)))
            # sizes 0 to 8 have codes of four bits; of the other elements there is only their end, whose code is 0
            + part(0xC4, 0, 0, 0, 0, 9, *[0] * 12, *range(9)) + part(0xC4, 0x10, 1, *[0] * 15, 0)
            + part(0xDA, 4, *(v for k in range(4) for v in (k, 0)), 0, 63, 0) + scan + b"\xff\xd9")


def for_print(folder):
    """A JPEG of inks: 255 is none of an ink, and each colour is what its own ink and black leave."""
    rgb, out = model(folder / "plain.onnxtxt"), folder / "y.npy"
    inks = [(255, 255, 255, 255), (0, 255, 255, 255), (255, 200, 3, 255), (40, 90, 130, 201), (255, 255, 255, 0), (1, 254, 128, 127)]
    for adobe, stored in (0, inks), (2, [(c, 128, 128, k) for c, _, _, k in inks]):
        (folder / "print.jpg").write_bytes(printed(stored, adobe))
        run(rgb, "-i", folder / "print.jpg", "-o", f"y={out}")
        got = pixels_of(out)
        for i, ink in enumerate(stored):
            # of the luminance 2 stores, the inks are its complement
            left = [255 - ink[0]] * 3 if adobe else ink[:3]
            want = [ink[3] - ((255 - c) * ink[3] >> 8) for c in left]
            expect(list(got[24 * i:24 * i + 3]) == want, f"{adobe}, {ink}: {list(got[24 * i:24 * i + 3])}, expected {want}")


def endings(folder):
    rgb, out = model(folder / "plain.onnxtxt"), folder / "y.npy"
    (folder / "p.ppm").write_bytes(b"P6\n1 1\n255\n\1\2\3")
    run(rgb, "-i", folder / "p.ppm", "-o", f"y={out}")
    expect(elements(out).tolist() == [1, 2, 3], "PPM")
    (folder / "p.webp").write_bytes(bytes.fromhex(WEBP))
    done = subprocess.run([OCELLUS, "run", rgb, "-i", folder / "p.webp", "-o", f"y={out}"], stderr=subprocess.PIPE, text=True)
    if done.returncode == 4:
        expect("this build reads no WebP pictures" in done.stderr, done.stderr)
    else:
        expect(done.returncode == 0 and elements(out).tolist() == WEBP_TURNED, f"WebP: {done.stderr} {elements(out)}")


# Lossless, 3 x 2, with pixel i (40 i, i, 255 - i) and Exif orientation 6; Pillow wrote it.
WEBP = ("524946466200000057454250565038580a000000080000000200000100005650384c210000002f024000002f201048da1f7b"
        "8941e9fffc276ba869db800d75fee5d488fec7f40200455849461a00000049492a0008000000010012010300010000000600"
        "000000000000")
WEBP_TURNED = [c for channel in range(3) for i in (3, 0, 4, 1, 5, 2) for c in [(40 * i, i, 255 - i)[channel]]]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        picture = folder / "picture.png"
        picture.write_bytes(png.made(picture_rows(WIDTH, HEIGHT)))
        resizing(folder, picture)
        fits(folder, picture)
        refusals(folder, picture)
        normalising(folder, picture)
        turning(folder)
        endings(folder)
        for_print(folder)
    return 1 if failed else 0


sys.exit(main())
