# SPDX-License-Identifier: Apache-2.0
"""Names of ONNX Runtime's that programs import and that are not served: they are there, and refuse by name when they are used.
Its enumerations are there with their values."""
from __future__ import annotations

import enum
import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Dict, NoReturn, Optional, Sequence

from ._errors import NotImplemented

CLASSES = ('AdapterFormat', 'LoraAdapter', 'ModelCompiler', 'OrtArenaCfg', 'OrtEpAssignedNode', 'OrtEpAssignedSubgraph',
           'OrtEpDevice', 'OrtExternalInitializerInfo', 'OrtHardwareDevice', 'OrtMemoryInfo', 'OrtSyncStream', 'OrtValueVector',
           'SessionObjectInitializer', 'SparseBlockSparseView', 'SparseCooView', 'SparseCsrView', 'SparseTensor')
FUNCTIONS = ('copy_tensors', 'create_and_register_allocator', 'create_and_register_allocator_v2', 'get_all_operator_schema',
             'get_all_opkernel_def', 'get_ep_devices', 'get_model_compatibility_for_ep_devices', 'get_session_initializer',
             'is_dlpack_uint8_tensor', 'quantize_matmul_2bits', 'quantize_matmul_4bits', 'quantize_matmul_8bits',
             'quantize_matmul_bnb4', 'quantize_qdq_matmul_2bits', 'quantize_qdq_matmul_4bits',
             'register_execution_provider_library', 'register_tensorrt_plugins_as_custom_ops', 'set_arena_extend_strategy',
             'set_cuda_device_id', 'set_cudnn_conv_algo_search', 'set_do_copy_in_default_stream', 'set_global_thread_pool_sizes',
             'set_gpu_mem_limit', 'unregister_execution_provider_library')
ENUMERATIONS: Dict[str, Dict[str, int]] = {
    'ArenaExtendStrategy': {'kNextPowerOfTwo': 0, 'kSameAsRequested': 1},
    'OrtAllocatorType': {'INVALID': -1, 'ORT_DEVICE_ALLOCATOR': 0, 'ORT_ARENA_ALLOCATOR': 1},
    'OrtCompileApiFlags': {'NONE': 0, 'ERROR_IF_NO_NODES_COMPILED': 1, 'ERROR_IF_OUTPUT_FILE_EXISTS': 2},
    'OrtCompiledModelCompatibility': {'EP_NOT_APPLICABLE': 0, 'EP_SUPPORTED_OPTIMAL': 1,
                                      'EP_SUPPORTED_PREFER_RECOMPILATION': 2, 'EP_UNSUPPORTED': 3},
    'OrtDeviceMemoryType': {'DEFAULT': 0, 'HOST_ACCESSIBLE': 5},
    'OrtExecutionProviderDevicePolicy': {'DEFAULT': 0, 'PREFER_CPU': 1, 'PREFER_NPU': 2, 'PREFER_GPU': 3, 'MAX_PERFORMANCE': 4,
                                         'MAX_EFFICIENCY': 5, 'MIN_OVERALL_POWER': 6},
    'OrtHardwareDeviceType': {'CPU': 0, 'GPU': 1, 'NPU': 2},
    'OrtMemType': {'CPU_INPUT': -2, 'CPU_OUTPUT': -1, 'CPU': -1, 'DEFAULT': 0},
    'OrtMemoryInfoDeviceType': {'CPU': 0, 'GPU': 1, 'NPU': 3, 'FPGA': 2},
    'OrtSparseFormat': {'ORT_SPARSE_UNDEFINED': 0, 'ORT_SPARSE_COO': 1, 'ORT_SPARSE_CSRC': 2, 'ORT_SPARSE_BLOCK_SPARSE': 4}}
PACKAGES = 'datasets', 'quantization', 'tools', 'transformers'  # and all modules within


def refuse(name: str) -> NoReturn:
    raise NotImplemented('UNSUPPORTED', f'onnxruntime.{name} is not served')


class _Refuses(type):
    """The class of the classes that are not served: programs may name and extend them, and ask whether an object is of one."""
    _what: str

    def __call__(cls, *given: Any, **more: Any) -> Any:
        refuse(cls._what)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        refuse(f'{cls._what}.{name}')


def absent(what: str) -> Any:
    """What stands for the class or function of that name."""
    return _Refuses(what.rpartition('.')[2], (), {'_what': what, '__doc__': 'It is not served.'})


def refused(what: str) -> Any:
    """A method that refuses."""
    def method(self: Any, *given: Any, **more: Any) -> NoReturn:
        refuse(what)

    method.__doc__ = 'Refused: NotImplemented.'
    return method


class _Module(ModuleType):
    """A module that is not served: each name is there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        found = absent(f"{self.__name__.partition('onnxruntime.')[2]}.{name}")
        setattr(self, name, found)
        return found


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the packages that are not served, of this package and of one that sys.modules has as 'onnxruntime'."""

    def __init__(self, package: ModuleType) -> None:
        self._package = package

    def find_spec(self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
                  ) -> Optional[importlib.machinery.ModuleSpec]:
        above, _, name = fullname.partition('onnxruntime.')
        if above not in ('', 'ocellus.') or name.split('.')[0] not in PACKAGES:
            return None
        if sys.modules.get(above + 'onnxruntime') is not self._package:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def enumeration(name: str) -> Any:
    """ONNX Runtime's enumeration of that name: its members and their values."""
    made = enum.IntEnum(name, ENUMERATIONS[name], module=__name__)  # type: ignore[misc]
    made.__doc__ = 'Values of ONNX Runtime, for what is not served.'
    return made


NAMES: Dict[str, Any] = {**{name: absent(name) for name in (*CLASSES, *FUNCTIONS)},
                         **{name: enumeration(name) for name in ENUMERATIONS}}
globals().update({name: NAMES[name] for name in ENUMERATIONS})  # where pickles look for them
