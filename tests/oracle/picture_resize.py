#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""picture_resize.py - compares how the command resizes pictures with Pillow, OpenCV and torchvision.

    tests/oracle/picture_resize.py build/tools/ocellus [SIZES [SEED]]
    tests/oracle/picture_resize.py --data >tests/tools/data/filters.txt

The first prints a table: each filter on SIZES (120) random pairs of sizes, up and down, with the samples that differ;
then each placement, by the rules of those who train so, which stand here in Python. It fails if a sample differs. The
second prints for tests/tools/filters.py what becomes of its picture: a filter, width and height, and the checksum of
the samples (zlib's CRC-32), or the samples themselves in hexadecimal."""
import os
import random
import subprocess
import sys
import tempfile
import zlib

import cv2
import numpy as np
import torch
import torchvision.transforms.functional as F
from PIL import Image
from torchvision.transforms import InterpolationMode

os.environ["OMP_NUM_THREADS"] = "1"
PIL_FILTERS = {name: getattr(Image.Resampling, name.upper())
               for name in ("nearest", "box", "bilinear", "hamming", "bicubic", "lanczos")}
CV2_FILTERS = {name: getattr(cv2, "INTER_" + name.upper()) for name in ("nearest", "linear", "area", "cubic")}
TORCH_FILTERS = {"nearest": (InterpolationMode.NEAREST, None), "bilinear": (InterpolationMode.BILINEAR, False),
                 "bicubic": (InterpolationMode.BICUBIC, False),
                 "bilinear:antialias": (InterpolationMode.BILINEAR, True),
                 "bicubic:antialias": (InterpolationMode.BICUBIC, True)}
FILTERS = ([f"pil:{n}" for n in PIL_FILTERS] + [f"cv2:{n}" for n in CV2_FILTERS]
           + [f"torchvision:{n}" for n in TORCH_FILTERS])


def resize(pixels, width, height, name):
    """pixels is height x width x channels, uint8; each channel is resized by itself, as of a picture without alpha."""
    library, how = name.split(":", 1)
    if library == "pil":
        planes = [Image.fromarray(pixels[..., c]).resize((width, height), PIL_FILTERS[how])
                  for c in range(pixels.shape[2])]
        return np.stack([np.asarray(p) for p in planes], -1)
    if library == "cv2":
        return cv2.resize(pixels, (width, height), interpolation=CV2_FILTERS[how]).reshape(height, width, -1)
    mode, antialias = TORCH_FILTERS[how]
    tensor = torch.from_numpy(pixels.copy()).permute(2, 0, 1)  # as read_image and pil_to_tensor make it
    return F.resize(tensor, [height, width], mode, antialias=antialias).permute(1, 2, 0).numpy()


# ---- placements: each returns the picture that the network sees

def letterbox(pixels, width, height, name, multiple=0, enlarge=True, fill=114):
    """ultralytics' LetterBox, with its auto for a multiple."""
    h, w = pixels.shape[:2]
    r = min(height / h, width / w)
    if not enlarge:
        r = min(r, 1.0)
    new = round(w * r), round(h * r)
    dw, dh = width - new[0], height - new[1]
    if multiple:
        dw, dh = dw % multiple, dh % multiple
    dw, dh = dw / 2, dh / 2
    if (w, h) != new:
        pixels = resize(pixels, *new, name)
    top, bottom, left, right = round(dh - 0.1), round(dh + 0.1), round(dw - 0.1), round(dw + 0.1)
    return np.pad(pixels, ((top, bottom), (left, right), (0, 0)), constant_values=fill)


def yolox(pixels, width, height, name, fill=114):
    """YOLOX's preproc."""
    h, w = pixels.shape[:2]
    r = min(height / h, width / w)
    out = np.full((height, width, pixels.shape[2]), fill, np.uint8)
    small = resize(pixels, int(w * r), int(h * r), name)
    out[:small.shape[0], :small.shape[1]] = small
    return out


def short_and_crop(pixels, shorter, width, height, name):
    """torchvision's Resize(shorter) and CenterCrop((height, width)), on a picture of Pillow."""
    h, w = pixels.shape[:2]
    short, long = min(h, w), max(h, w)
    new = shorter, int(shorter * long / short)
    picture = Image.fromarray(resize(pixels, *(new if w <= h else new[::-1]), name))
    own = F.resize(Image.fromarray(pixels), shorter, InterpolationMode(name.split(":")[1]))
    assert np.array_equal(np.asarray(own), np.asarray(picture)), "torchvision resizes otherwise"
    return np.asarray(F.center_crop(picture, [height, width]))


def lower_bound(pixels, shorter, multiple, name):
    """Depth-Anything's Resize with keep_aspect_ratio, ensure_multiple_of and lower_bound."""
    h, w = pixels.shape[:2]
    scale = max(shorter / h, shorter / w)

    def near(x):
        y = int(np.round(x / multiple) * multiple)
        return y if y >= shorter else int(np.ceil(x / multiple) * multiple)

    return resize(pixels, near(scale * w), near(scale * h), name)


# ---- the command

class Command:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        for c in (1, 3, 4):
            with open(f"{folder}/{c}.onnxtxt", "w") as f:
                f.write('<ir_version: 8, opset_import: ["" : 13]>\n'
                        f"same (uint8[1,{c},H,W] x) => (uint8[1,{c},H,W] y) {{ y = Identity (x) }}\n")

    def run(self, pixels, *words):
        c = pixels.shape[2]
        Image.fromarray(pixels[..., 0] if c == 1 else pixels).save(f"{self.folder}/p.png", compress_level=0)
        subprocess.run([self.path, "run", f"{self.folder}/{c}.onnxtxt", "-i", f"{self.folder}/p.png", "-q", *words,
                        "-o", f"y={self.folder}/y.npy"], check=True, stdout=subprocess.DEVNULL)
        return np.load(f"{self.folder}/y.npy")[0].transpose(1, 2, 0)


def random_picture(rng, width, height, channels):
    kind = rng.randrange(3)
    random_bytes = np.frombuffer(rng.randbytes(width * height * channels), np.uint8).reshape(height, width, channels)
    if kind == 0:
        return random_bytes
    if kind == 1:  # black and white only: what overshoots does so most
        return (random_bytes > 127).astype(np.uint8) * 255
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    return np.stack([(x * (c + 2) + y * 3 + random_bytes[..., c] % 8) % 256 for c in range(channels)], -1).astype(np.uint8)


def random_sizes(rng, i):
    """From and to; some whole multiples, some with a side that stays."""
    most = (16, 100, 500)[i % 3]
    w, h, width, height = (rng.randint(1, most) for _ in range(4))
    if i % 6 == 1:
        w, h = (rng.randint(1, 5) * side for side in (width, height))
    elif i % 6 == 2:
        k = rng.randint(2, 4)
        w, h = k * width, k * height
    elif i % 6 == 3:
        width, height = w * rng.randint(1, 4), h * rng.randint(1, 4)
    elif i % 12 == 4:
        width = w
    elif i % 12 == 10:
        height = h
    return w, h, width, height


def compare(command, rows, name, library, rng, n, one):
    samples = differ = wrong = 0
    for i in range(n):
        pixels, words, want = one(i)
        got = command.run(pixels, *words)
        if got.shape != want.shape:
            print(f"{name}: {words}: {got.shape}, expected {want.shape}")
            wrong += 1
        else:
            samples += got.size
            differ += int((got != want).sum())
    rows.append((name, library, n, samples, differ, wrong))
    print(f"| {name:44} | {library:18} | {n:8} | {samples:10} | {differ:6} |", flush=True)


def main(path, n=120, seed=1):
    rng, rows = random.Random(seed), []
    versions = {"pil": f"Pillow {Image.__version__}", "cv2": f"OpenCV {cv2.__version__}",
                "torchvision": f"torch {torch.__version__.split('+')[0]}"}
    print(f"| {'filter':44} | {'library':18} | pictures | {'samples':10} | differ |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        command = Command(path, folder)
        for name in FILTERS:
            def stretched(i):
                w, h, width, height = random_sizes(rng, i)
                pixels = random_picture(rng, w, h, (1, 3, 4)[i % 4 % 3])
                return (pixels, ("--image-resize", f"stretch:{width}x{height}", "--resize", name),
                        resize(pixels, width, height, name))

            compare(command, rows, name, versions[name.split(":")[0]], rng, n, stretched)

        def placed(filters, words, rule, sizes=(8, 200)):
            def one(i):
                w, h, width, height = (rng.randint(*sizes) for _ in range(4))
                pixels = random_picture(rng, w, h, 3)
                name = filters[i % len(filters)]
                return pixels, (*words(width, height), "--resize", name), rule(pixels, width, height, name)
            return one

        cv2s = ["cv2:linear", "cv2:area"]
        up = lambda n, to: -(-n // to) * to
        fill = ("--image-fill", "114")
        compare(command, rows, "fit", "LetterBox", rng, n, placed(cv2s, lambda w, h: (
            "--image-resize", f"fit:{w}x{h}", *fill), letterbox))
        compare(command, rows, "fit --image-no-enlarge", "LetterBox", rng, n, placed(cv2s, lambda w, h: (
            "--image-resize", f"fit:{w}x{h}", "--image-no-enlarge", *fill),
            lambda p, w, h, f: letterbox(p, w, h, f, enlarge=False)))
        compare(command, rows, "fit --image-multiple 32", "LetterBox, auto", rng, n, placed(cv2s, lambda w, h: (
            "--image-resize", f"fit:{up(w, 32)}x{up(h, 32)}", "--image-multiple", "32", *fill),
            lambda p, w, h, f: letterbox(p, up(w, 32), up(h, 32), f, multiple=32)))
        compare(command, rows, "corner", "YOLOX", rng, n, placed(cv2s, lambda w, h: (
            "--image-resize", f"corner:{w}x{h}", *fill), yolox, (40, 200)))
        compare(command, rows, "short:100:WxH", "Resize, CenterCrop", rng, n, placed(
            ["pil:bilinear", "pil:bicubic"], lambda w, h: ("--image-resize", f"short:100:{w}x{h}"),
            lambda p, w, h, f: short_and_crop(p, 100, w, h, f)))
        compare(command, rows, "short:98 --image-multiple 14", "Depth-Anything", rng, n, placed(
            ["cv2:cubic"], lambda w, h: ("--image-resize", "short:98", "--image-multiple", "14"),
            lambda p, w, h, f: lower_bound(p, 98, 14, f), (8, 300)))
    return 1 if any(row[4] or row[5] for row in rows) else 0


# ---- the data of tests/tools/filters.py

WIDTH, HEIGHT = 23, 17
# the last six are sizes at which sums that are rounded or fused in another order than PyTorch's differ
SIZES = [(8, 8), (40, 30), (9, 31), (23, 5), (46, 34), (11, 17), (64, 3), (1, 1), (115, 68), (50, 9),
         (9, 34), (24, 10), (86, 12), (10, 51), (26, 5), (12, 51)]


def sample(x, y, c):
    return (x * x * 7 + y * 29 + c * 83 + (x ^ y) * 13) % 256


def data():
    pixels = np.array([[[sample(x, y, c) for c in range(3)] for x in range(WIDTH)] for y in range(HEIGHT)], np.uint8)
    halved = pixels[:16, :22]  # both sides shrink by two, which OpenCV has a way of its own for
    for name in FILTERS:
        print(name, WIDTH, HEIGHT, 4, 3, resize(pixels, 4, 3, name).tobytes().hex())
        for width, height in SIZES:
            print(name, WIDTH, HEIGHT, width, height, zlib.crc32(resize(pixels, width, height, name).tobytes()))
        print(name, 22, 16, 11, 8, zlib.crc32(resize(np.ascontiguousarray(halved), 11, 8, name).tobytes()))


if __name__ == "__main__":
    if sys.argv[1] == "--data":
        data()
    else:
        sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
