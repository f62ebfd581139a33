#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_session.py - a program written for ONNX Runtime, of which one line is another: the import.

    $ examples/onnxruntime_session.py
    image tensor(float) [1, 'C', 'H', 'W']
    ['CPUExecutionProvider']
    [3.0, 2.0, 1.0]
    [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : input 'image' is double[1,1,2,3], expected float[1,C,H,W]"""
import pathlib

import numpy as np

import ocellus.onnxruntime as ort

options = ort.SessionOptions()
options.intra_op_num_threads = 1
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
session = ort.InferenceSession(pathlib.Path(__file__).with_name('mirror.onnxtxt'), options,
                               providers=['CPUExecutionProvider'])
for port in session.get_inputs():
    print(port.name, port.type, port.shape)
print(session.get_providers())

image = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
mirrored, = session.run(['mirrored'], {'image': image})
print(np.round(mirrored[0, 0, 0]).tolist())
try:
    session.run(None, {'image': image.astype(np.float64)})
except ort.InvalidArgument as e:
    print(e)
