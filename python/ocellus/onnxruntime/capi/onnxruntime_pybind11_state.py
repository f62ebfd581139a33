# SPDX-License-Identifier: Apache-2.0
"""The names of ocellus.onnxruntime, where ONNX Runtime has them too."""
from .. import *  # noqa: F401,F403
