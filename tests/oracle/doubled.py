# SPDX-License-Identifier: Apache-2.0
"""doubled.py - a model of floats as a model of doubles, which tells whose rounding is to blame where
two engines differ."""
import numpy as np
import onnx
from onnx import TensorProto, numpy_helper


def scales_of(graph):
    """Names of values that the standard has in float always: regions and scales of Resize."""
    names = set()
    for node in graph.node:
        names |= set(node.input[1:3]) if node.op_type in ("Resize", "Upsample") else set()
    return names


def double(path, to):
    model = onnx.load(path)
    graph = model.graph
    keep = scales_of(graph)

    def convert(tensor):
        if tensor.data_type == TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))
    for tensor in graph.initializer:
        if tensor.name not in keep:
            convert(tensor)
    for node in graph.node:
        for a in node.attribute:
            if a.type == onnx.AttributeProto.TENSOR and not set(node.output) & keep:
                convert(a.t)
            if node.op_type == "Cast" and a.name == "to" and a.i == TensorProto.FLOAT and not set(node.output) & keep:
                a.i = TensorProto.DOUBLE
    for port in [*graph.input, *graph.output]:
        if port.type.tensor_type.elem_type == TensorProto.FLOAT:
            port.type.tensor_type.elem_type = TensorProto.DOUBLE
    del graph.value_info[:]
    onnx.save(model, to)
