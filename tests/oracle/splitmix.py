# SPDX-License-Identifier: Apache-2.0
"""splitmix.py - the random numbers of src/base/counter_random.h, for the scripts of operators that draw them.

SplitMix64 is written out and compared with its published numbers."""
import struct

import numpy as np

WORD = (1 << 64) - 1


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def draw(key, i):
    return mix(key + (i + 1) * 0x9E3779B97F4A7C15 & WORD)


assert [draw(1234567, i) for i in range(5)] == [
    6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
    16408922859458223821]


def key_of(seed):
    return mix(struct.unpack("<Q", struct.pack("<d", np.float32(seed)))[0])


def key_of_node(session, node):
    key = mix(session)
    for byte in node.encode():
        key = mix(key ^ byte)
    return key


def unit(key, n, bits, step=1, first=0):
    return np.array([(draw(key, step * i + first) >> (64 - bits)) / 2.0**bits for i in range(n)])
