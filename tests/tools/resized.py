# SPDX-License-Identifier: Apache-2.0
"""resized.py - what the tests of pictures share: samples of a made-up picture, a model that gives its input back, and the
elements of a .npy file."""
import array
import struct


def sample(x, y, c):
    return (x * x * 7 + y * 29 + c * 83 + (x ^ y) * 13) % 256


def picture_rows(width, height):
    """The rows of a made-up picture, of pixels that are red, green, blue."""
    return [[[sample(x, y, c) for c in range(3)] for x in range(width)] for y in range(height)]


def model(path, kind="uint8", shape="1,3,H,W"):
    path.write_text('<ir_version: 8, opset_import: ["" : 13]>\n'
                    f"same ({kind}[{shape}] x) => ({kind}[{shape}] y) {{ y = Identity (x) }}\n")
    return path


def elements(path, kind="B"):
    data = path.read_bytes()
    return array.array(kind, data[10 + struct.unpack_from("<H", data, 8)[0]:])


def pixels_of(path):
    """Of a uint8 NCHW .npy as red, green, blue of each pixel in order."""
    e = elements(path)
    n = len(e) // 3
    return bytes(e[c * n + i] for i in range(n) for c in range(3))
