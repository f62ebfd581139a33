#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""big_model.py - writes a model with one large initializer, to see what loading costs.

    bench/big_model.py big.onnx --mb 500

The model adds a scalar to one of its weights: y = x + Gather(w, 0). Elements are zero, in a hole of
the file where the file system has holes. --shift moves them off their natural alignment.
"""
import argparse


def varint(v):
    out = b""
    while v > 0x7F:
        out += bytes([v & 0x7F | 0x80])
        v >>= 7
    return out + bytes([v])


def number(field, v):
    return varint(field << 3) + varint(v)


def head(field, size):
    return varint(field << 3 | 2) + varint(size)


def data(field, b):
    return head(field, len(b)) + b


def text(field, s):
    return data(field, s.encode())


def port(name):
    scalar = data(1, number(1, 1) + data(2, b""))
    return text(1, name) + data(2, scalar)


def node(op, inputs, output):
    return b"".join(text(1, i) for i in inputs) + text(2, output) + text(4, op)


def model_around(elements, padding):
    """What stands before and after the elements."""
    size = 4 * elements
    front = number(1, elements) + number(2, 1) + text(8, "w") + head(9, size)
    tail = text(2, "big") + data(5, number(2, 7) + text(8, "zero") + data(9, b"\0" * 8))
    tail += data(1, node("Gather", ["w", "zero"], "first")) + data(1, node("Add", ["x", "first"], "y"))
    tail += data(11, port("x")) + data(12, port("y"))
    weight = head(5, len(front) + size) + front
    before = number(1, 8) + text(6, "p" * padding) + data(8, number(2, 13))
    return before + head(7, len(weight) + size + len(tail)) + weight, tail


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("out")
    args.add_argument("--mb", type=int, default=500)
    args.add_argument("--shift", type=int, default=0, help="bytes past a multiple of 64")
    args = args.parse_args()
    elements = args.mb * 250000
    padding = 0
    while len(model_around(elements, padding)[0]) % 64 != args.shift % 64:
        padding += 1
    front, tail = model_around(elements, padding)
    with open(args.out, "wb") as f:
        f.write(front)
        f.seek(4 * elements, 1)
        f.write(tail)
    print(f"{args.out}: {len(front) + 4 * elements + len(tail)} bytes, weights at {len(front)}")


if __name__ == "__main__":
    main()
