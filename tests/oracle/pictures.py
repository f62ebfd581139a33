#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""pictures.py - what becomes of the picture of tests/tools/pictures.py when it is resized, by Pillow.

    tests/oracle/pictures.py >tests/tools/data/resized.txt

Pillow resizes floats, so that it rounds nothing in between; the result is rounded here. A line has the words of
the option, width and height, and the samples of the whole picture, red, green and blue of each pixel in order, two
digits each; ".." stands for a sample half way between two numbers."""
import numpy
from PIL import Image

WIDTH, HEIGHT = 23, 17
TIE = -1
SIZES = [(8, 8), (40, 30), (9, 31), (23, 5), (64, 3), (1, 1)]


def sample(x, y, c):
    return (x * x * 7 + y * 29 + c * 83 + (x ^ y) * 13) % 256


def resized(plane, width, height):
    exact = numpy.asarray(Image.fromarray(plane).resize((width, height), Image.Resampling.BILINEAR))
    ties = numpy.abs(exact % 1 - 0.5) < 3e-5  # the error of a float may break them either way
    return numpy.where(ties, TIE, numpy.rint(exact))


def half_up(n, d):
    return max(1, (2 * n + d) // (2 * d))


def convert(how, planes, width, height):
    if how == "stretch":
        return [resized(p, width, height) for p in NCHW]
    whole_width = (width * HEIGHT <= height * WIDTH) == (how == "fit")
    w = width if whole_width else half_up(WIDTH * height, HEIGHT)
    h = half_up(HEIGHT * width, WIDTH) if whole_width else height
    planes = [resized(p, w, h) for p in NCHW]
    if how == "fit":
        left, top = (width - w) // 2, (height - h) // 2
        edges = ((top, height - h - top), (left, width - w - left))
        return [numpy.pad(p, edges, constant_values=114) for p in NCHW]
    left, top = (w - width) // 2, (h - height) // 2
    return [p[top:top + height, left:left + width] for p in NCHW]


def main():
    planes = [numpy.array([[sample(x, y, c) for x in range(WIDTH)] for y in range(HEIGHT)], "float32") for c in range(3)]
    for how in ("stretch", "fit", "crop"):
        for width, height in SIZES:
            pixels = numpy.stack(convert(how, planes, width, height), -1).astype(int).ravel()
            assert (pixels == TIE).mean() < 0.02
            print(how, width, height, "".join(".." if p == TIE else f"{p:02x}" for p in pixels))


main()
