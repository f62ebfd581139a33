# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime's interface for Python over Ocellus: a program written for it runs once its import reads

    import ocellus.onnxruntime as ort

For libraries that import onnxruntime themselves, sys.modules['onnxruntime'] = ocellus.onnxruntime before they do."""
from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, List

from . import _absent, _session
from .._library import publish as _publish, version as _version
from ._binding import IOBinding
from ._errors import (EngineError, EPFail, Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, ModelLoadCanceled,
                      ModelLoaded, ModelRequiresCompilation, NoModel, NoSuchFile, NotFound, NotImplemented, OrtError,
                      RuntimeException)
from ._options import (ExecutionMode, ExecutionOrder, GraphOptimizationLevel, RunOptions, SessionOptions,
                       logger as _logger)
from ._session import PROVIDER as _PROVIDER, InferenceSession, ModelMetadata, NodeArg, set_seed
from ._values import OrtDevice, OrtValue

__version__ = '1.30.0'  # the version of ONNX Runtime whose interface this is, which programs ask for
version = __version__
package_name = 'ocellus'
cuda_version = ''  # of no such device
SessionIOBinding = IOBinding
globals().update(_absent.NAMES)
sys.meta_path.append(_absent.Finder(sys.modules[__name__]))
if TYPE_CHECKING:
    def __getattr__(name: str) -> Any: ...  # those of _absent


def get_available_providers() -> List[str]:
    """['CPUExecutionProvider']."""
    return [_PROVIDER]


def get_all_providers() -> List[str]:
    """['CPUExecutionProvider']."""
    return [_PROVIDER]


def get_device() -> str:
    """'CPU'."""
    return 'CPU'


def get_version_string() -> str:
    """The version of ONNX Runtime whose interface this is."""
    return __version__


def get_build_info() -> str:
    """The version of Ocellus."""
    return f'ocellus {_version()}'


def set_default_logger_severity(severity: int) -> None:
    """0 and 1 (all), 2 (warnings), 3 (errors) and 4 (fatal ones) of logging.getLogger('ocellus')."""
    levels = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING, 3: logging.ERROR, 4: logging.CRITICAL}
    if severity not in levels:
        raise RuntimeException('ARGUMENT', f'the severity is {severity!r}, expected one from 0 to 4')
    _logger.setLevel(levels[severity])


def set_default_logger_verbosity(level: int) -> None:
    """There is one level of it."""


def disable_telemetry_events() -> None:
    """There are none."""


def enable_telemetry_events() -> None:
    """There are none."""


def has_collective_ops() -> bool:
    """No."""
    return False


def preload_dlls(**which: Any) -> None:
    """There are none to load."""


__all__ = ['EPFail', 'EngineError', 'ExecutionMode', 'ExecutionOrder', 'Fail', 'GraphOptimizationLevel', 'IOBinding',
           'InferenceSession', 'InvalidArgument', 'InvalidGraph', 'InvalidProtobuf', 'ModelLoadCanceled', 'ModelLoaded',
           'ModelMetadata', 'ModelRequiresCompilation', 'NoModel', 'NoSuchFile', 'NodeArg', 'NotFound', 'NotImplemented',
           'OrtDevice', 'OrtError', 'OrtValue', 'RunOptions', 'RuntimeException', 'SessionIOBinding', 'SessionOptions',
           'disable_telemetry_events', 'enable_telemetry_events', 'get_all_providers', 'get_available_providers',
           'get_build_info', 'get_device', 'get_version_string', 'has_collective_ops', 'preload_dlls',
           'set_default_logger_severity', 'set_default_logger_verbosity', 'set_seed', *_absent.NAMES]
_publish(globals())

from . import capi  # noqa: E402: its modules have the names above
