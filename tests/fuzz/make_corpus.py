#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_corpus.py - writes the corpus files that no converter writes: data in typed fields, packed or
not, a model as the first IR versions had it, single messages, and the choices of random nodes.

    tests/fuzz/make_corpus.py tests/fuzz/corpus
"""
import os
import struct
import sys


def varint(v):
    out = b""
    v &= (1 << 64) - 1
    while v > 0x7F:
        out += bytes([v & 0x7F | 0x80])
        v >>= 7
    return out + bytes([v])


def number(field, v):
    return varint(field << 3) + varint(v)


def data(field, b):
    return varint(field << 3 | 2) + varint(len(b)) + b


def text(field, s):
    return data(field, s.encode())


def tensor(name, elem, dims, *fields):
    return b"".join(number(1, d) for d in dims) + number(2, elem) + text(8, name) + b"".join(fields)


def packed(field, values):
    return data(field, b"".join(varint(v) for v in values))


def typed():
    """An initializer in each typed field."""
    tensors = [
        tensor("f", 1, [3], data(4, struct.pack("<3f", 1, -0.0, float("nan")))),
        tensor("f1", 1, [2], *(varint(4 << 3 | 5) + struct.pack("<f", x) for x in (1, 2))),
        tensor("c", 14, [1], data(4, struct.pack("<2f", 1, 2))),
        tensor("d", 11, [2], data(10, struct.pack("<2d", 1, 2))),
        tensor("i", 6, [3], packed(5, [1, -1, 2])),
        tensor("i1", 6, [2], number(5, 7), number(5, -7)),
        tensor("b", 9, [2], packed(5, [0, 1])),
        tensor("h", 10, [2], packed(5, [0x3C00, 0x7C00])),
        tensor("q", 22, [3], packed(5, [0x87, 0x0F])),
        tensor("q2", 26, [5], packed(5, [0xE4, 0x01])),
        tensor("l", 7, [2], packed(7, [-1, 1 << 62])),
        tensor("u", 13, [1], packed(11, [(1 << 64) - 1])),
        tensor("s", 8, [2], data(6, b"a\0b"), data(6, b"")),
        tensor("none", 1, [0]),
    ]
    graph = b"".join(data(5, t) for t in tensors) + text(2, "typed")
    return number(1, 10) + data(8, number(2, 21)) + data(7, graph)


def legacy():
    """IR version 3: attributes without a type, weights among the inputs, an unknown field."""
    attributes = [
        text(1, "axis") + number(3, 1),
        text(1, "pads") + number(8, 0) + number(8, 2),
        text(1, "alpha") + varint(2 << 3 | 5) + struct.pack("<f", 0.5),
        text(1, "mode") + data(4, b"edge"),
    ]
    node = text(1, "x") + text(1, "") + text(1, "w") + text(2, "y") + text(4, "Op")
    node += b"".join(data(5, a) for a in attributes)
    shape = data(1, number(1, 2)) + data(1, text(2, "N")) + data(1, b"")
    port = data(2, data(1, number(1, 1) + data(2, shape)))
    graph = data(1, node) + text(2, "legacy") + data(5, tensor("w", 1, [1], data(9, b"\0\0\x80\x3f")))
    graph += data(11, text(1, "x") + port) + data(11, text(1, "w") + port)
    graph += data(12, text(1, "y") + port)
    training = data(20, data(1, graph))
    return number(1, 3) + text(2, "old") + training + data(7, graph) + data(8, text(1, "ai.onnx") + number(2, 1))


def reference():
    """A function whose node refers to an attribute by a type that there is not."""
    attribute = text(1, "alpha") + text(21, "a") + number(20, 77)
    body = data(7, text(1, "x") + text(2, "y") + text(4, "LeakyRelu") + data(5, attribute))
    function = text(1, "f") + text(4, "x") + text(5, "y") + text(6, "a") + body + data(9, number(2, 16)) + text(10, "my")
    graph = data(1, text(2, "z") + text(4, "Constant") + data(5, text(1, "value_int") + number(3, 1) + number(20, 2)))
    opsets = data(8, number(2, 16)) + data(8, text(1, "my") + number(2, 1))
    return number(1, 10) + data(7, graph + text(2, "g") + data(12, text(1, "z"))) + opsets + data(25, function)


def values():
    t = tensor("t", 1, [2], data(9, b"\0" * 8))
    s = text(1, "s") + number(2, 1) + data(3, t) + data(3, tensor("", 7, [], packed(7, [5])))
    o = text(1, "o") + number(2, 3) + data(5, s)
    nested = number(2, 5) + data(7, o) + data(7, b"")
    return {"tensor": b"\0" + t, "strings": b"\0" + tensor("", 8, [1], data(6, b"x")),
            "sequence": b"\1" + s, "nested": b"\1" + nested, "optional": b"\2" + o, "none": b"\2"}


def messages():
    """A message each, behind the byte that tells its kind."""
    attribute = text(1, "g") + number(20, 5) + data(6, data(1, text(4, "Op") + data(5, text(1, "i") + number(3, 1))))
    shape = data(1, number(1, 2)) + data(1, text(2, "N"))
    type_ = data(4, data(1, data(9, data(1, data(1, number(1, 1) + data(2, shape))))))
    t = tensor("t", 1, [2], data(9, b"\0" * 8))
    return {"model": b"\0" + legacy(), "typed": b"\0" + typed(), "graph": b"\1" + text(2, "g") + data(5, t),
            "tensor": b"\2" + t, "attribute": b"\3" + attribute, "type": b"\4" + type_,
            "sequence": b"\5" + text(1, "s") + number(2, 1) + data(3, t),
            "optional": b"\6" + text(1, "o") + number(2, 1) + data(3, t)}


def choices():
    """Bytes without a pattern: node_N begins with the N-th degree of wildness."""
    state, files = 1, {}
    for n in range(6):
        content = bytes([n])
        while len(content) < 200:
            state = (state * 1664525 + 1013904223) % (1 << 32)
            content += bytes([state >> 24])
        files[f"node_{n}"] = content
    return files


def write(folder, name, content):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(content)


def main():
    folder = sys.argv[1]
    write(os.path.join(folder, "onnx"), "typed.onnx", typed())
    write(os.path.join(folder, "onnx"), "legacy.onnx", legacy())
    write(os.path.join(folder, "onnx"), "reference.onnx", reference())
    for target, files in (("value", values()), ("wire", messages()), ("node", choices())):
        for name, content in files.items():
            write(os.path.join(folder, target), name, content)


if __name__ == "__main__":
    main()
