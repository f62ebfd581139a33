#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""picture_depths.py OCELLUS - compares samples of 16 bits, and pictures for print (CMYK), with OpenCV and Pillow.

Prints a line for each picture: the samples that differ from cv2.imread's, and by how much at most from Pillow's RGB, whose
inks are rounded otherwise. Fails if one differs from OpenCV's, or by more than 2 from Pillow's. Of gray pictures of 16 bits
Pillow's conversion cuts all above 255 off, and does not count."""
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from PIL import Image

MODEL = '<ir_version: 8, opset_import: ["" : 13]> same (uint8[1,H,W,3] x) => (uint8[1,H,W,3] y) { y = Identity (x) }'


def pictures():
    rng = np.random.default_rng(7)
    for name, shape in (("rgb16.png", (31, 17, 3)), ("gray16.png", (31, 17)), ("rgba16.png", (31, 17, 4))):
        cv2.imwrite(name, rng.integers(0, 65536, shape, dtype=np.uint16))
        yield name
    coarse = Image.fromarray(rng.integers(0, 256, (9, 12, 4), dtype=np.uint8), "CMYK")
    for quality in (60, 95, 100):
        name = f"cmyk{quality}.jpg"
        coarse.resize((97, 70), Image.Resampling.BICUBIC).save(name, quality=quality)
        yield name


def main(ocellus):
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("same.onnxtxt", "w", encoding="utf-8") as f:
            f.write(MODEL)
        for name in pictures():
            height, width = cv2.imread(name).shape[:2]
            subprocess.run([ocellus, "run", "same.onnxtxt", "-i", name, "--image-resize", f"stretch:{width}x{height}",
                            "--resize", "cv2:linear", "-o", "y=y.npy", "-q"], check=True, stdout=subprocess.DEVNULL)
            got = np.load("y.npy")[0]
            by_cv2 = int((got != cv2.imread(name)[..., ::-1]).sum())
            by_pil = int(np.abs(got.astype(int) - np.asarray(Image.open(name).convert("RGB")).astype(int)).max())
            print(f"{name:12} {got.size:6} samples, {by_cv2} differ from OpenCV's, at most by {by_pil} from Pillow's")
            failed = failed or by_cv2 > 0 or (by_pil > 2 and name != "gray16.png")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
