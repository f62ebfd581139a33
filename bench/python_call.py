#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_call.py - what a call costs from Python beside what it costs in the library: Neg of four numbers.

    PYTHONPATH=python OCELLUS_LIBRARY=build/src/libocellus.so.0 bench/python_call.py"""
import statistics
import time

import numpy as np

import ocellus
import ocellus.onnxruntime as ort
from ocellus import _library as c

MODEL = b'<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) { y = Neg (x) }'
ROUNDS, CALLS = 15, 20000


def microseconds(call):
    """Of one call, least and median of rounds."""
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append((time.perf_counter() - begin) / CALLS * 1e6)
    return min(rounds), statistics.median(rounds)


session = ocellus.Session(MODEL, threads=1)
x, y = np.ones(4, np.float32), np.empty(4, np.float32)
given, out, error = {'x': x}, {'y': y}, c.oc_error()
session.run(given)
options = ort.SessionOptions()
options.intra_op_num_threads = 1
theirs = ort.InferenceSession(MODEL, options)
for name, call in (('run({...})', lambda: session.run(given)),
                   ('run({...}, out={...})', lambda: session.run(given, out=out)),
                   ('run() on bound inputs', lambda: session.run()),
                   ("InferenceSession's run(None, {...})", lambda: theirs.run(None, given)),
                   ('oc_run through ctypes', lambda: c.lib.oc_run(session._native.pointer, error)),
                   ('an empty call of ctypes', c.lib.oc_version)):
    least, median = microseconds(call)
    print(f'{name:36} {least:6.2f} us least, {median:6.2f} us median')
