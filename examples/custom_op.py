#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""custom_op.py - how does a Python program add an operator of its own, and see what a run does?

    $ examples/custom_op.py
    [0.0, 0.0, 1.0, 1.0]
    Threshold has run, and gave [0.0, 0.0, 1.0, 1.0]
    Threshold ran 10 times"""
import numpy as np

import ocellus

MODEL = b'''<ir_version: 8, opset_import: ["my.vision" : 1]>
g (float[N] x) => (float[N] y) { y = my.vision.Threshold <limit = 0.5> (x) }'''


def threshold(call: ocellus.Call) -> None:
    """Writes into the memory of the output. The arrays are there until the function returns."""
    np.greater(call.inputs[0], call.attributes['limit'], out=call.outputs[0], casting='unsafe')


op = ocellus.CustomOp('my.vision::Threshold <float limit> (T x) => (T y) | T: float', threshold,
                      shape=lambda call: [(call.types[0], call.shapes[0])])
x = np.array([0.1, 0.4, 0.6, 0.9], np.float32)
session = ocellus.Session(MODEL, ops=[op])
print(session.run({'x': x})['y'].tolist())


def tell(event: ocellus.NodeEvent) -> None:
    if not event.begin:
        print(event.op_type, 'has run, and gave', event.outputs[0].tolist())


ocellus.Session(MODEL, ops=[op], on_node=tell).run({'x': x})
for node in session.profile(runs=10).nodes:
    print(node.op_type, 'ran', node.times, 'times')
