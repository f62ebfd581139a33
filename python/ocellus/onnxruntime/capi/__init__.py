# SPDX-License-Identifier: Apache-2.0
"""Where programs import the exceptions of ONNX Runtime from."""
from . import _pybind_state, onnxruntime_inference_collection, onnxruntime_pybind11_state

__all__ = ['_pybind_state', 'onnxruntime_inference_collection', 'onnxruntime_pybind11_state']
