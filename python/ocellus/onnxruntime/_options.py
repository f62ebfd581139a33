# SPDX-License-Identifier: Apache-2.0
"""Options of sessions and runs, as ONNX Runtime's programs set them."""
from __future__ import annotations

import enum
import logging
import os
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64
from typing import Any, Callable, Dict, Mapping, NoReturn, Optional, Sequence, Tuple

import numpy as np

from .._given import Given, bytes_in_file
from .._library import oc_limits, oc_session_options, oc_unfused
from .._values import STRING
from ._absent import refuse, refused
from ._errors import InvalidArgument, NotImplemented, RuntimeException
from ._values import OrtValue

logger = logging.getLogger('ocellus')
READERS: Dict[Any, Callable[[str], Any]] = {c_bool: ('0', '1').index, c_char_p: str, c_double: float, c_int: int,
                                            c_int64: int, c_uint64: int, c_size_t: int, oc_unfused: str}
OWNERS = {'memory_cap': 'model', 'deadline': 'both'}  # of others it is the session
# The entries of a session that have a meaning here, with what they are for Model and for Session.
SETTINGS: Dict[str, Tuple[str, Callable[[str], Any]]] = {
    **{f'ocellus.{name}': (f"{OWNERS.get(name, 'session')} {name}", READERS[kind])
       for name, kind in (*oc_limits._fields_, *oc_session_options._fields_) if kind in READERS},
    'session.model_external_initializers_file_folder_path': ('model external_dir', str)}


class GraphOptimizationLevel(enum.IntEnum):
    """Each level gives the same: what Ocellus does to a graph changes no bit of a result."""
    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """Nodes run one after another in both."""
    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class ExecutionOrder(enum.IntEnum):
    """Nodes run in the model's order with each."""
    DEFAULT = 0
    PRIORITY_BASED = 1
    MEMORY_EFFICIENT = 2


def _same_length(what: str, of: Sequence[Any], other: str, others: Sequence[Any]) -> None:
    if len(of) != len(others):
        raise InvalidArgument('ARGUMENT', f'{len(of)} {what} and {len(others)} {other}, expected as many of both')


def check_severity(level: int) -> None:
    """-1: the default."""
    if level not in range(-1, 5):
        raise RuntimeException('ARGUMENT', f'log_severity_level is {level!r}, expected one from 0 to 4, or -1')


class Entries:
    """Pairs of key and value that a program adds, and reads again."""
    __slots__ = ('_entries',)
    _what = 'entry'

    def __init__(self) -> None:
        self._entries: Dict[str, str] = {}

    def _add(self, key: str, value: str) -> None:
        if not isinstance(key, str) or not isinstance(value, str) or not key:
            raise InvalidArgument('ARGUMENT', f'the {self._what} {key!r} is {value!r}, expected two str')
        self._entries[key] = value
        if key not in SETTINGS:
            logger.info("the %s '%s' changes nothing here", self._what, key)

    def _get(self, key: str) -> str:
        if key not in self._entries:
            raise InvalidArgument('ARGUMENT', f'there is no {self._what} {key!r}')
        return self._entries[key]


class SessionOptions(Entries):
    """intra_op_num_threads, the profile, the model's path to write, sizes of dims and values of initializers act as they
    do in ONNX Runtime. What is there to make it faster or smaller (optimisation levels, arenas, memory patterns, modes,
    most config entries) is taken, and changes nothing. An attribute that there is not is an AttributeError."""
    __slots__ = ('intra_op_num_threads', 'inter_op_num_threads', 'graph_optimization_level', 'execution_mode',
                 'execution_order', 'enable_profiling', 'profile_file_prefix', 'log_severity_level',
                 'log_verbosity_level', 'logid', 'optimized_model_filepath', 'enable_mem_pattern', 'enable_mem_reuse',
                 'enable_cpu_mem_arena', 'use_deterministic_compute', 'use_per_session_threads', '_dims', '_denoted',
                 '_initializers', '_files')
    _what = 'session config entry'
    set_load_cancellation_flag = refused('SessionOptions.set_load_cancellation_flag')
    set_provider_selection_policy = refused('SessionOptions.set_provider_selection_policy')
    set_provider_selection_policy_delegate = refused('SessionOptions.set_provider_selection_policy_delegate')
    add_provider_for_devices = refused('SessionOptions.add_provider_for_devices')

    def __setattr__(self, name: str, value: Any) -> None:
        kind = ENUMERATED.get(name)
        if kind is not None and not isinstance(value, kind):
            raise TypeError(f'{name} is {value!r}, expected one of {kind.__name__}')
        super().__setattr__(name, value)

    def __init__(self) -> None:
        super().__init__()
        self.intra_op_num_threads = 0  # 0: one thread for each processor
        self.inter_op_num_threads = 0
        self.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.execution_mode = ExecutionMode.ORT_SEQUENTIAL
        self.execution_order = ExecutionOrder.DEFAULT
        self.enable_profiling = False
        self.profile_file_prefix = 'onnxruntime_profile_'
        self.log_severity_level = -1
        self.log_verbosity_level = 0
        self.logid = ''
        self.optimized_model_filepath = ''  # the model is written there as it is: nothing is optimised in the file
        self.enable_mem_pattern = True
        self.enable_mem_reuse = True
        self.enable_cpu_mem_arena = True
        self.use_deterministic_compute = False  # results are the same bits every time with either
        self.use_per_session_threads = True
        self._dims: Dict[str, int] = {}
        self._denoted: Dict[str, int] = {}
        self._initializers: Dict[str, OrtValue] = {}
        self._files: Dict[str, np.ndarray[Any, Any]] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Those of SETTINGS act when a session is made; of others the log of the package has a line."""
        self._add(key, value)

    def _settings(self, whose: str) -> Dict[str, Any]:
        """What the entries set of a 'model' or a 'session'."""
        found: Dict[str, Any] = {}
        for key, value in self._entries.items():
            owner, name = SETTINGS[key][0].split() if key in SETTINGS else ('', '')
            if owner in (whose, 'both'):
                try:
                    found[name] = SETTINGS[key][1](value)
                except ValueError as e:
                    raise InvalidArgument('ARGUMENT', f"the {self._what} '{key}' is '{value}': {e}") from e
        return found

    def get_session_config_entry(self, key: str) -> str:
        """The value that was added for a key; without one, InvalidArgument."""
        return self._get(key)

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        """Inputs have this size wherever their shape has the symbol."""
        self._dims[name] = int(size)

    def add_free_dimension_override_by_denotation(self, denotation: str, size: int) -> None:
        """Inputs have this size wherever a dim without one is denoted so, as 'DATA_BATCH' is in some models."""
        self._denoted[denotation] = int(size)

    def add_initializer(self, name: str, value: OrtValue) -> None:
        """The initializer of that name has this value. One that the model keeps in a file of external data is read where the
        value lies, and no file is opened for it."""
        if not isinstance(name, str) or not isinstance(value, OrtValue) or not value.is_tensor():
            raise InvalidArgument('ARGUMENT', f'the initializer {name!r} is {value!r}, expected a name and an OrtValue')
        if name in self._initializers:
            raise InvalidArgument('ARGUMENT', f"the initializer '{name}' has a value already")
        self._initializers[name] = value

    def add_external_initializers(self, names: Sequence[str], values: Sequence[OrtValue]) -> None:
        """As add_initializer, for several."""
        _same_length('names', names, 'values', values)
        for name, value in zip(names, values):
            self.add_initializer(name, value)

    def add_external_initializers_from_files_in_memory(self, names: Sequence[str], buffers: Sequence[Any],
                                                       lengths: Sequence[int]) -> None:
        """The files of these names, as the locations of the model's external data have them, have these bytes, which are
        copied; no file is opened for what lies within them."""
        _same_length('names', names, 'buffers', buffers)
        _same_length('names', names, 'lengths', lengths)
        for name, buffer, length in zip(names, buffers, lengths):
            found = np.frombuffer(buffer, np.uint8) if memoryview(buffer).nbytes else np.empty(0, np.uint8)
            if not isinstance(name, str) or not name or not 0 <= length <= found.nbytes:
                raise InvalidArgument('ARGUMENT', f'the file {name!r} has {found.nbytes} bytes, expected a name and at least '
                                      f'{length}')
            self._files[os.path.normpath(name)] = found[:length].copy()

    def _given(self) -> Optional[Given]:
        """What is given in place of files."""
        tensors = {name: bytes_in_file(value.numpy(), value.element_type()) for name, value in self._initializers.items()
                   if value.element_type() != STRING}
        return Given(tensors, self._files) if tensors or self._files else None

    def add_provider(self, name: str, options: Mapping[str, str]) -> None:
        """'CPUExecutionProvider' changes nothing; others are refused: NotImplemented."""
        if name != 'CPUExecutionProvider':
            refuse(f"SessionOptions.add_provider('{name}')")

    def has_providers(self) -> bool:
        """False: the processor does the work."""
        return False

    def register_custom_ops_library(self, path: Any) -> NoReturn:
        """Refused: a library's kernels are compiled for another runtime. Operators in Python are ocellus.CustomOp, which
        InferenceSession(..., ops=[...]) takes."""
        raise NotImplemented('UNSUPPORTED', f'register_custom_ops_library({str(path)!r}): kernels of a library are not '
                             'taken; InferenceSession(..., ops=[ocellus.CustomOp(...)]) takes operators in Python')

    def __getstate__(self) -> Any:
        return None, {name: getattr(self, name) for name in (*Entries.__slots__, *self.__slots__)}


ENUMERATED: Dict[str, type] = {'graph_optimization_level': GraphOptimizationLevel, 'execution_mode': ExecutionMode,
                               'execution_order': ExecutionOrder}


class RunOptions(Entries):
    """terminate may be set while the run is on, from any thread: it then ends with Fail."""
    __slots__ = ('terminate', 'logid', 'log_severity_level', 'log_verbosity_level', 'only_execute_path_to_fetches',
                 'training_mode')
    _what = 'run config entry'
    add_active_adapter = refused('RunOptions.add_active_adapter')

    def __init__(self) -> None:
        super().__init__()
        self.terminate = False
        self.logid = ''
        self.log_severity_level = -1
        self.log_verbosity_level = 0
        self.only_execute_path_to_fetches = False
        self.training_mode = False

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Keeps the pair; the log of the package has a line about it."""
        self._add(key, value)

    def get_run_config_entry(self, key: str) -> str:
        """The value that was added for a key; without one, InvalidArgument."""
        return self._get(key)
