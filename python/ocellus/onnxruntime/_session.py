# SPDX-License-Identifier: Apache-2.0
"""InferenceSession, over a Model and as many sessions of it as threads run at the same time."""
from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import Any, Callable, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np

from .._custom import CustomOp
from .._given import Given
from .._library import Error
from .._model import Model, Port
from .._session import Session
from ._absent import refused
from ._binding import IOBinding
from ._errors import Fail, InvalidArgument, as_theirs
from ._options import RunOptions, SessionOptions, check_severity, logger
from ._profile import Trace
from ._replace import replace_file
from ._values import OrtValue, plain

PROVIDER = 'CPUExecutionProvider'
Source = Union[str, bytes, 'os.PathLike[str]']
Provider = Union[str, Tuple[str, Mapping[Any, Any]]]
Outputs = Optional[Sequence[str]]
_NONE: FrozenSet[str] = frozenset()
_seed = 0


def set_seed(seed: int) -> None:
    """The seed of random operators, in sessions that are made from now on."""
    global _seed
    _seed = int(seed)


class NodeArg(NamedTuple):
    """An input or output."""
    name: str
    type: str  # 'tensor(float)', 'seq(map(int64,tensor(float)))' ...
    shape: List[Union[int, str, None]]


class ModelMetadata(NamedTuple):
    """What a model's file says of it."""
    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int  # the largest one where the file tells none
    custom_metadata_map: Dict[str, str]


def _type_of(port: Port) -> str:
    inner = f'tensor({port.type})'
    if port.key is not None:
        inner = f'map({port.key},{inner})'
    return {'sequence': f'seq({inner})', 'optional': f'optional({inner})'}.get(port.kind, inner)


def _provider_names(providers: Optional[Sequence[Provider]], options: Optional[Sequence[Mapping[Any, Any]]]) -> None:
    """Warns of those that there are not, and refuses lists that are none."""
    if providers is None:
        return
    if isinstance(providers, str) or not isinstance(providers, Sequence):
        raise ValueError("'providers' should be a sequence of names, or of pairs of a name and a dict")
    if options is not None and len(options) != len(providers):
        raise ValueError("'providers' and 'provider_options' should be of the same length")
    for given in providers:
        name = given[0] if isinstance(given, tuple) and len(given) == 2 else given
        if not isinstance(name, str):
            raise ValueError(f"'providers' has {given!r}, expected a name, or a pair of a name and a dict")
        if name != PROVIDER:
            warnings.warn(f"Specified provider '{name}' is not in available provider names. "
                          f"Available providers: '{PROVIDER}'", stacklevel=3)


def _refuse_sizes(given: Given, error: Error) -> None:
    """Says what was given of another size than the model has: the file, which the error is about, was opened for that."""
    for name, size in given.wrong.items():
        raise InvalidArgument('SHAPE', f"the initializer '{name}' has {given.tensors[name].nbytes} bytes, expected {size}"
                              ) from error


class _Current:
    """The options of the run that a session is in."""
    options: Optional[RunOptions] = None

    def is_terminated(self) -> bool:
        return self.options is not None and bool(self.options.terminate)


class _Worker:
    """A session, which one thread has at a time."""

    def __init__(self, model: Model, options: Dict[str, Any]) -> None:
        self.current = _Current()
        self.given: FrozenSet[str] = frozenset()  # values that replace defaults, and stay with the session
        self.session = Session(model, cancel=self.current.is_terminated, **options)


class InferenceSession:
    """Runs a model. path_or_bytes is a path or the bytes of a file; of sess_options see SessionOptions. Any providers are
    taken: those that there are not are a warning, and the processor does the work. ops are operators in Python.

    Threads may call run at the same time; each then has a session of its own, of one model. A pickle has the model's path
    or bytes, and the options."""

    def __init__(self, path_or_bytes: Source, sess_options: Optional[SessionOptions] = None,
                 providers: Optional[Sequence[Provider]] = None,
                 provider_options: Optional[Sequence[Mapping[Any, Any]]] = None, *, ops: Sequence[CustomOp] = (),
                 **kwargs: Any) -> None:
        _provider_names(providers, provider_options)
        if kwargs:
            logger.info('the options %s change nothing here', ', '.join(sorted(kwargs)))
        if not isinstance(path_or_bytes, (str, bytes, os.PathLike)):
            raise TypeError(f"Unable to load from type '{type(path_or_bytes)}'")
        # Where programs look for what the session was made from.
        self._model_path = None if isinstance(path_or_bytes, bytes) else os.fspath(path_or_bytes)
        self._model_bytes = path_or_bytes if isinstance(path_or_bytes, bytes) else None
        options = self._sess_options = sess_options or SessionOptions()
        check_severity(options.log_severity_level)
        begin = time.monotonic_ns()
        with as_theirs:
            given = options._given()
            try:
                self._model = self._origin = Model(path_or_bytes, _given=given, **options._settings('model'))
            except Error as e:
                if given is not None:
                    _refuse_sizes(given, e)
                raise
            self._always = self._initializers(options._initializers, given.taken if given else set())
            self._unused = frozenset([port.name for port in self._origin.inputs]) - {port.name for port in self._model.inputs}
            self._trace = Trace(options.profile_file_prefix.rstrip('_')) if options.enable_profiling else None
            self._options: Dict[str, Any] = {'threads': options.intra_op_num_threads, 'seed': _seed, 'ops': ops,
                                             'log': logger.info, **options._settings('session')}
            if self._trace:
                self._options.update(on_node=self._trace.on_node, view='none')
            self._describe(options._dims, options._denoted)
            self._free = [_Worker(self._model, self._options)]
        self._pool: Optional[Tuple[int, ThreadPoolExecutor]] = None
        if options.optimized_model_filepath:
            with as_theirs:
                replace_file(options.optimized_model_filepath, self._model.to_bytes())
        if self._trace:
            self._trace.session('session_initialization', begin)

    def _initializers(self, values: Mapping[str, OrtValue], taken: Set[str]) -> Dict[str, Any]:
        """Those that are inputs too are given in each run; others become part of the model, but for those of external data,
        which it has taken as it was loaded."""
        external = {weight.name: weight for weight in self._model.weights if weight.external} if values else {}
        for name in external.keys() & values.keys():
            has, value = f'tensor({external[name].type})', values[name]
            if not value._has_type(has) or tuple(value.shape()) != external[name].shape:
                raise InvalidArgument('SHAPE', f"the initializer '{name}' is {value.data_type()}{value.shape()}, expected "
                                      f'{has}{list(external[name].shape)}')
        inputs = {port.name for port in self._model.inputs if port.has_default}
        inner = {name: value.numpy() for name, value in values.items()
                 if name not in inputs and not (name in external and name in taken)}
        if inner:
            start: Dict[str, Any] = {port.name: None for port in self._model.inputs if not port.has_default}
            self._model = self._model.extract({**start, **inner}, [port.name for port in self._model.outputs])
        return {name: plain(value) for name, value in values.items() if name in inputs}

    def _describe(self, named: Mapping[str, int], denoted: Mapping[str, int]) -> None:
        def size_of(dim: Union[int, str, None], denotation: Optional[str]) -> Union[int, str, None]:
            if isinstance(dim, int):
                return dim
            return named.get(dim or '', denoted.get(denotation or '', dim))

        def arg(port: Port) -> NodeArg:
            shape = [size_of(dim, denotation) for dim, denotation in zip_longest(port.shape or (), port.denotations)]
            return NodeArg(port.name, _type_of(port), shape)

        weights = {port.name for port in self._origin.inputs if port.has_default}
        self._inputs = [arg(port) for port in self._origin.inputs if port.name not in weights]
        self._overridable = [arg(port) for port in self._origin.inputs if port.name in weights]
        self._outputs = [arg(port) for port in self._origin.outputs]
        self._types = {port.name: port.type for port in (*self._inputs, *self._overridable)}
        self._output_names = [port.name for port in self._outputs]
        self._required = frozenset([port.name for port in self._inputs])
        self._fixed = [port for port, own in zip(self._inputs, [p for p in self._origin.inputs if p.name not in weights])
                       if list(own.shape or ()) != port.shape]

    def __getstate__(self) -> Any:
        kept = dict(vars(self), _pool=None)
        del kept['_free']
        return kept

    def __setstate__(self, state: Any) -> None:
        vars(self).update(state, _free=[])

    get_provider_graph_assignment_info = refused('InferenceSession.get_provider_graph_assignment_info')
    get_tuning_results = refused('InferenceSession.get_tuning_results')
    set_tuning_results = refused('InferenceSession.set_tuning_results')
    set_ep_dynamic_options = refused('InferenceSession.set_ep_dynamic_options')
    run_with_ortvaluevector = refused('InferenceSession.run_with_ortvaluevector')

    @property
    def _sess(self) -> 'InferenceSession':
        """Where programs reach for what ONNX Runtime's own session is made over."""
        return self

    # ---- what it is ----

    def get_inputs(self) -> List[NodeArg]:
        """The inputs that each run must be given."""
        return self._inputs

    def get_outputs(self) -> List[NodeArg]:
        """The outputs, in their order."""
        return self._outputs

    def get_overridable_initializers(self) -> List[NodeArg]:
        """The inputs that a weight gives a value where a run is given none."""
        return self._overridable

    def get_modelmeta(self) -> ModelMetadata:
        """What the file says of itself."""
        m = self._origin
        return ModelMetadata(m.producer_name, m.graph_name, m.domain, m.description, m.graph_description,
                             m.model_version or 2 ** 63 - 1, m.metadata)

    def get_providers(self) -> List[str]:
        """['CPUExecutionProvider']."""
        return [PROVIDER]

    def get_provider_options(self) -> Dict[str, Dict[str, str]]:
        """Empty ones of that provider."""
        return {PROVIDER: {}}

    def set_providers(self, providers: Optional[Sequence[Provider]] = None,
                      provider_options: Optional[Sequence[Mapping[Any, Any]]] = None) -> None:
        """Changes nothing but a warning."""
        _provider_names(providers, provider_options)

    def get_session_options(self) -> SessionOptions:
        """Those that the session was made with."""
        return self._sess_options

    def enable_fallback(self) -> None:
        """There is one provider, and none to fall back to."""

    def disable_fallback(self) -> None:
        """There is one provider, and none to fall back to."""

    # ---- runs ----

    def run(self, output_names: Outputs, input_feed: Mapping[str, Any],
            run_options: Optional[RunOptions] = None) -> List[Any]:
        """The outputs of these names, or all where there are none, in that order: arrays, lists of arrays, lists of
        dicts, or None. input_feed has arrays, values of OrtValue or what has __dlpack__, by name. A missing input is a
        ValueError, all else that is wrong with them InvalidArgument."""
        if not self._required <= input_feed.keys():
            missing = self._required.difference(input_feed)
            raise ValueError(f'Required inputs ({sorted(missing)}) are missing from input feed ({list(input_feed)}).')
        found = self._run(output_names or None, input_feed, None, run_options)
        return [found[name] for name in output_names or self._output_names]

    def run_with_ort_values(self, output_names: Outputs, input_dict_ort_values: Mapping[str, OrtValue],
                            run_options: Optional[RunOptions] = None) -> List[OrtValue]:
        """The same with OrtValue in and out."""
        types = {port.name: port.type for port in self._outputs}
        names = list(output_names or self._output_names)
        return [OrtValue(value, types[name])
                for name, value in zip(names, self.run(names, input_dict_ort_values, run_options))]

    def run_async(self, output_names: Outputs, input_feed: Mapping[str, Any],
                  callback: Callable[[List[Any], Any, str], None], user_data: Any = None,
                  run_options: Optional[RunOptions] = None) -> None:
        """Runs on another thread, which then calls callback(outputs, user_data, error): error is '' or what went
        wrong, and outputs are [] then."""
        def work() -> None:
            try:
                results, error = self.run(output_names, input_feed, run_options), ''
            except BaseException as e:  # which nobody else would see on this thread
                results, error = [], str(e) or type(e).__name__
            try:
                callback(results, user_data, error)
            except BaseException:
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))

        if self._pool is None or self._pool[0] != os.getpid():  # a forked child has none of its threads
            self._pool = os.getpid(), ThreadPoolExecutor(os.cpu_count())
        self._pool[1].submit(work)

    def io_binding(self) -> IOBinding:
        """A new binding, for run_with_iobinding."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: Optional[RunOptions] = None) -> None:
        """Runs on the inputs that are bound, and writes the outputs where they are bound to."""
        missing = self._required.difference(iobinding._inputs)
        if missing:
            raise InvalidArgument('ARGUMENT', f'the inputs {sorted(missing)} are not bound')
        if not iobinding._outputs:
            raise InvalidArgument('ARGUMENT', 'no output is bound')
        iobinding._take(self._run(list(iobinding._outputs), iobinding._inputs, iobinding._targets(), run_options))

    def _run(self, names: Outputs, given: Mapping[str, Any], out: Optional[Dict[str, np.ndarray[Any, Any]]],
             run_options: Optional[RunOptions]) -> Dict[str, Any]:
        if run_options is not None:
            check_severity(run_options.log_severity_level)
        feed = {name: value if type(value) is np.ndarray else plain(value, self._types.get(name, ''), name)
                for name, value in given.items()}
        if self._fixed:
            self._check_sizes(feed)
        if self._always or self._unused:
            feed = {name: value for name, value in {**self._always, **feed}.items() if name not in self._unused}
        extra = frozenset(feed) - self._required if len(feed) > len(self._required) else _NONE
        begin = time.monotonic_ns() if self._trace else 0
        with as_theirs:
            try:
                worker = self._free.pop()
                if worker.given - extra:  # a default is to be taken again
                    worker = _Worker(self._model, self._options)
            except IndexError:
                worker = _Worker(self._model, self._options)
            current = worker.current
            current.options, worker.given = run_options, extra
            try:
                found = worker.session.run(feed, names, out)
            except Error as e:
                if e.code == 'CANCELLED' and current.is_terminated():
                    raise Fail('CANCELLED', 'the run ended: terminate of its RunOptions is set') from None
                raise
            finally:
                current.options = None
                self._free.append(worker)
        if self._trace:
            self._trace.session('model_run', begin)
        return found

    def _check_sizes(self, feed: Mapping[str, Any]) -> None:
        for port in self._fixed:
            shape = np.shape(feed[port.name])
            if len(shape) != len(port.shape) or any([isinstance(wanted, int) and wanted != dim
                                                    for wanted, dim in zip(port.shape, shape)]):
                raise InvalidArgument('SHAPE', f"input '{port.name}' is of shape {list(shape)}, expected {port.shape}")

    # ---- profile ----

    def end_profiling(self) -> str:
        """Writes the profile, and gives its path; '' where enable_profiling is not set."""
        return self._trace.write() if self._trace else ''

    def get_profiling_start_time_ns(self) -> int:
        """The time at which the profile begins, as time.monotonic_ns() tells it."""
        return self._trace.begin_ns if self._trace else 0
