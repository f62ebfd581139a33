# SPDX-License-Identifier: Apache-2.0
"""ONNX's interface for engines, which ONNX Runtime has here: that of ocellus.backend. Needs the package onnx."""
from ocellus.backend import is_compatible, prepare, run_model, run_node, supports_device

__all__ = ['is_compatible', 'prepare', 'run_model', 'run_node', 'supports_device']
