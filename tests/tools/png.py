# SPDX-License-Identifier: Apache-2.0
"""png.py - makes small PNG pictures, and tells what colours a picture of a browser has."""
import struct
import zlib

from checks import check


def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))


def made(rows, extra=b''):
    """The bytes of an 8-bit picture; rows of pixels, each of 1, 3 or 4 samples. extra: chunks behind the head."""
    kind = {1: 0, 3: 2, 4: 6}[len(rows[0][0])]
    head = struct.pack('>IIBBBBB', len(rows[0]), len(rows), 8, kind, 0, 0, 0)
    body = b''.join(b'\0' + bytes(c for p in row for c in p) for row in rows)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + extra + chunk(b'IDAT', zlib.compress(body))
            + chunk(b'IEND', b''))


def colours(path):
    """How many pixels of an 8-bit RGB or RGBA picture have each colour; every third pixel counts."""
    data = path.read_bytes()
    at, bits, count = 8, b'', {}
    width, height, depth, kind = struct.unpack('>IIBB', data[16:26])
    check(data[:8] == b'\x89PNG\r\n\x1a\n' and depth == 8 and kind in (2, 6), path, 'is no such PNG')
    while at < len(data):
        size, what = struct.unpack('>I4s', data[at:at + 8])
        bits += data[at + 8:at + 8 + size] if what == b'IDAT' else b''
        at += 12 + size
    n, raw = 3 if kind == 2 else 4, zlib.decompress(bits)
    row = bytearray(width * n)
    for y in range(height):
        start = y * (width * n + 1)
        method, line = raw[start], bytearray(raw[start + 1:start + 1 + width * n])
        for i in range(len(line)):
            left, up, corner = (line[i - n] if i >= n else 0), row[i], (row[i - n] if i >= n else 0)
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[method]) & 255
        row = line
        for x in range(0, len(line), n * 3):  # every third pixel is enough
            pixel = bytes(line[x:x + 3])
            count[pixel] = count.get(pixel, 0) + 1
    return count
