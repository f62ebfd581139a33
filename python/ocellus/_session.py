# SPDX-License-Identifier: Apache-2.0
"""A session: what runs a model."""
from __future__ import annotations

import copy
import ctypes
import os
import sys
import threading
import time
from functools import partial
from gc import is_finalized
from types import FrameType, GeneratorType
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Tuple, TypeVar, Union
from weakref import ref

import numpy as np

from . import _custom, _node
from . import _library as c
from ._interrupts import Cancel, Interrupts, Log
from ._library import Error, chars, check, fill, lib, number_of, shown, text, whole
from ._model import MOST, POLICIES, Copied, Model, Port, Problem, Source, all_ports, names_of
from ._values import STRING, TENSOR, Array, Value, address_of, as_array, as_target, dims_of, make, read
from ._values import number_of as type_number
from ._views import is_lent

VIEWS = {'all': 0, 'stored': 1, 'none': 2}
Self = TypeVar('Self', bound='Session')
Inputs = Mapping[str, Any]
Bound = Tuple[int, bytes, int, int, List[Any]]


class Stats(NamedTuple):
    """What a session takes and has done."""
    live_bytes: int  # tensors alive now, outputs of the last run included
    peak_bytes: int  # most alive at one time since the session began
    own_bytes: int  # all that the session has allocated, tensors included
    plan_bytes: int  # what the plan has allocated, which sessions of the model share
    steps: int  # nodes that the last run executed
    n_steps: int  # nodes in the plan of the main graph
    n_fused: int  # nodes that run as part of another
    n_folded: int  # nodes computed with the plan, from weights alone
    cpu: str  # the best instruction set in use
    products: str  # how sums of products are computed: 'fused' by that set, 'exact' or 'fast' (unfused)


def _by_name(given: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(given, dict) and not isinstance(given, Mapping):  # the second takes longer
        raise Error('ARGUMENT', f'{what} is of type {type(given).__name__}, expected a dict of name to array')
    return given


class Job(Protocol):
    """What a predictor has a session do."""

    def bind(self, native: _Native) -> None: ...

    def take(self, native: _Native) -> Any: ...


class _Native:
    """A session of the library, and what it borrows. All of it is here before the library has it, and stays until the
    library has something else, wherever an exception comes from: for each input and output a list, of which the last
    is what is bound; those before are what an exception has left."""

    def __init__(self, model: Model, options: Mapping[str, Any], before: Optional[_Native] = None) -> None:
        self.interrupts = interrupts = Interrupts(options['log'], options['cancel'])
        self.model = model._loaded
        o = c.oc_session_options()
        fill(o, options, 2 ** 64 - 1)
        fill(o.limits, options, MOST)
        o.limits.cancel, o.observer.log = interrupts.ask, interrupts.report
        teller = None
        if options['on_node'] is not None:
            teller = interrupts.calls(options['on_node'])
            o.observer.on_node, o.observer.on_node_ctx = TELL, id(teller)
            o.observer.view = number_of(options['view'], VIEWS, 'view')
        table = _custom.table_of(options['ops'], interrupts) if options['ops'] else None
        if table:
            o.ops = ctypes.addressof(table[0])
        o.bodies.policy = number_of(options['bodies'], POLICIES, 'bodies')
        o.bodies.only = chars(options['only_body'], 'only_body')
        self.e = c.oc_error()
        pointer = model._pointer
        self.handle = lib.oc_session_new_sized(pointer, o, ctypes.sizeof(o), self.e)
        self.borrowed = teller, table  # behind the handle, and so freed after it
        interrupts.finish(self.e)
        self.pointer: int = self.handle.value  # takes less time to hand over
        # name -> its number, its name for the library, its kind, its type, and what the library borrows
        self.inputs: Dict[str, Bound]
        self.outputs: Dict[str, Bound]
        self.inputs, self.outputs = [{text(p.name): (i, p.name, p.kind, p.type, []) for i, p in enumerate(ports)}
                                     for ports in all_ports(pointer)]
        self.taken: Dict[str, Array] = {}  # the outputs that go into arrays of the program's, with these arrays
        self.has_lent = False  # one of these is lent to a function, which calls run
        self.at_work = False
        self.photographs: List[Any] = []  # of a predictor: the last is what the inputs have
        if before is not None:
            self.bind_as(before)

    def bind_as(self, before: _Native) -> None:
        """Gives the inputs what another session of the model has."""
        for name, (number, _, _, _, kept) in before.inputs.items():
            if kept and isinstance(kept[-1], tuple):
                self.bind(name, kept[-1][0])
            elif kept:
                self.bind_value(number, self.inputs[name][4], kept[-1])

    def run(self, inputs: Optional[Inputs], outputs: Optional[Iterable[str]],
            out: Optional[Inputs]) -> Dict[str, Any]:
        interrupts, e = self.interrupts, self.e
        if interrupts.found or not interrupts.spare:
            interrupts.renew()
        e.code = 0
        if inputs is not None:
            for name, given in _by_name(inputs, 'inputs').items():
                self.bind(name, given)
        if outputs is None:
            wanted = self.outputs
        else:
            wanted = {name: self.output(name) for name in names_of(outputs, 'outputs')}
        if out is not None or self.taken:
            self.take({} if out is None else _by_name(out, 'out'))
        try:
            lib.oc_run(self.pointer, e)
            if e.code or interrupts.found or interrupts.lines:
                interrupts.finish(e)
            taken = self.taken
            return {name: taken[name] if name in taken else self.fetch(port[0]) for name, port in wanted.items()}
        finally:
            if self.has_lent:
                self.take({})

    def run_for(self, job: Job) -> Any:
        """As run, on what the job binds, for what it takes of the outputs."""
        interrupts, e = self.interrupts, self.e
        if interrupts.found or not interrupts.spare:
            interrupts.renew()
        e.code = 0
        job.bind(self)
        lib.oc_run(self.pointer, e)
        interrupts.finish(e)
        return job.take(self)

    def bind(self, name: str, given: Any) -> None:
        port = self.inputs.get(name)
        if port is None:
            expected = ', '.join([f"'{known}'" for known in self.inputs]) or 'none'
            raise Error('ARGUMENT', f"the model has no input '{name}'; it has {expected}")
        number, c_name, kind, declared, kept = port
        e = self.e
        if kind == TENSOR and given is not None:
            array = as_array(given, declared, name)
            actual = type_number(array, declared, name)
            if actual != STRING:
                if is_lent(array):
                    array = array.copy()
                kept.append((array, ref(array)))  # numpy resizes no array that is weakly referenced
                lib.oc_bind(self.pointer, c_name, actual, array.ndim, dims_of(array), address_of(array), e)
                if e.code:
                    kept.pop()
                    check(e)
                del kept[:-1]
                return
        self.bind_value(number, kept, make(given, kind, declared, name))

    def bind_value(self, number: int, kept: List[Any], value: Any) -> None:
        e = self.e
        kept.append(value)
        lib.oc_bind_value_at(self.pointer, number, value, e)
        if e.code:
            kept.pop()
            check(e)
        del kept[:-1]

    def output(self, name: str) -> Bound:
        if name not in self.outputs:
            expected = ', '.join([f"'{known}'" for known in self.outputs])
            raise Error('ARGUMENT', f"the model has no output '{name}'; it has {expected}")
        return self.outputs[name]

    def take(self, out: Inputs) -> None:
        """Outputs go into these arrays, others into the session's own memory again."""
        e, self.has_lent = self.e, False
        for name in [known for known in self.taken if known not in out]:
            _, c_name, _, _, kept = self.outputs[name]
            lib.oc_bind_output(self.pointer, c_name, 0, 0, None, None, 0, e)
            check(e)
            del self.taken[name]
            kept.clear()
        for name, given in out.items():
            _, c_name, _, declared, kept = self.output(name) if isinstance(name, str) else self.output(repr(name))
            array = as_target(given, declared, name)
            kind = type_number(array, declared, name)
            self.has_lent = self.has_lent or is_lent(array)
            kept.append((array, ref(array)))
            self.taken[name] = given
            lib.oc_bind_output(self.pointer, c_name, kind, array.ndim, dims_of(array), address_of(array), array.nbytes, e)
            check(e)
            del kept[:-1]

    def fetch(self, number: int) -> Value:
        value = lib.oc_fetch_value_at(self.pointer, number, self.e)
        check(self.e)
        return read(value)


TELL = c.ON_NODE(GeneratorType.send)  # written in C


class Session(Copied):
    """Runs one model; inputs and outputs describe what it takes and gives.

    model is a Model or what Model takes. A session works for one thread at a time (others wait); sessions of one Model
    share its weights and run side by side. threads 0 means one for each processor. deadline (seconds) and max_steps
    (nodes) limit each run, memory_cap (bytes) the session. bodies decides what runs calls of ONNX's functions: 'native'
    (kernels), 'expand' or 'standard' (bodies; see Model.expand), and only_body limits that to one operator. cpu is
    'scalar', 'v128', 'avx2', 'avx512', 'neon' or None for the best; results do not depend on it. unfused says how sums
    of products are computed where that set has no fused multiply-add: 'exact' gives the results of all other sets,
    'fast' others, the same on all such sets. log is called with lines worth knowing; what it raises ends the run.
    cancel is asked again and again while a run lasts, and ends it where it gives true, with the code CANCELLED. on_node
    is called with a NodeEvent before and after each node; view says what that shows: 'all' values (so that each is
    stored, no nodes run as one), those that are 'stored', or 'none'. ops are operators of the program's own, each a
    CustomOp. What these functions raise ends the run and comes out of it.

    A copy, a pickle and a session in a child of fork have the model and the options; of these only the last has the
    inputs that were given before. close, or the end of a with block, frees the session, and its model if the session
    has loaded that."""

    _own = frozenset(('model', '_lock', '_native', '_options', '_has_loaded'))
    # Also of one that could not be made:
    model = Model.__new__(Model)
    _options: Optional[Mapping[str, Any]] = None
    _native: Optional[_Native] = None
    _has_loaded = False
    _lock: Any = threading.RLock()

    def __init__(self, model: Union[Model, Source], *,
                 # "python3 tests/house/session_options.py . cc --write" writes the next lines:
                 threads: int = 0, memory_cap: Optional[int] = None, deadline: Optional[float] = None,
                 max_steps: Optional[int] = None, cpu: Optional[str] = None, seed: int = 0,
                 op_options: Optional[str] = None, exact_conv: bool = False, exact_quant: bool = False,
                 unfused: str = 'exact', no_reuse: bool = False, no_fusion: bool = False, no_nchw16c: bool = False,
                 no_folding: bool = False,
                 # end
                 bodies: str = 'native', only_body: Optional[str] = None, log: Optional[Log] = None,
                 cancel: Optional[Cancel] = None, on_node: Optional[_node.OnNode] = None, view: str = 'all',
                 ops: Iterable[_custom.CustomOp] = ()) -> None:
        options = {name: given for name, given in locals().items() if name not in ('self', 'model')}
        for name, given in ('log', log), ('cancel', cancel), ('on_node', on_node):
            if given is not None and not callable(given):
                raise Error('ARGUMENT', f'{name} is {shown(given)}, expected a function')
        try:
            ops = tuple(ops)
        except TypeError as e:
            raise Error('ARGUMENT', f'ops is {shown(ops)}, expected a list of ocellus.CustomOp') from e
        number_of(view, VIEWS, 'view')
        options.update(ops=ops, on_node=None if on_node is None else partial(_node.tell, on_node))
        has_loaded = not isinstance(model, Model)
        if not isinstance(model, Model):
            model = Model(model, memory_cap=memory_cap, deadline=deadline)
        self._begin(model, options, has_loaded)

    def _begin(self, model: Model, options: Mapping[str, Any], has_loaded: bool = False, may_wait: bool = False) -> None:
        native = None if may_wait and model._loaded is None else _Native(model, options)
        with self._lock:
            self._lock = threading.RLock()
            self.model, self._options, self._has_loaded, self._native = model, options, has_loaded, native
        _sessions[id(self)] = ref(self, partial(_sessions.pop, id(self)))

    def close(self) -> None:
        """Frees the session, once a run in another thread has ended. It cannot be used afterwards."""
        with self._lock:
            if self._has_loaded:
                self.model.close()
            self._native = self._options = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f'<ocellus.Session of {self.model!r}>'

    @property
    def inputs(self) -> Tuple[Port, ...]:
        """The inputs of the model, a tuple of Port."""
        return self.model.inputs

    @property
    def outputs(self) -> Tuple[Port, ...]:
        """The outputs of the model, a tuple of Port."""
        return self.model.outputs

    def run(self, inputs: Optional[Inputs] = None, outputs: Optional[Iterable[str]] = None,
            out: Optional[Inputs] = None) -> Dict[str, Any]:
        """Runs the model on inputs, a dict of name to array, and gives a dict of name to array: of all outputs, or of
        those that outputs names.

        A dense array of the declared type is read where it lies, without a copy. An input that is not given keeps the
        value of the last run, or its default. A sequence is a list of arrays, an optional None or a value; numbers
        and lists of numbers take the declared type. out, a dict of name to array, has the library write such outputs
        into these arrays themselves, for this run; they must have the output's type and shape.

        Raises Error: ARGUMENT for names that there are not, inputs without a value and closed sessions; TYPE, SHAPE and
        VALUE for arrays that do not fit the declaration ('float[N,3]') and for nodes whose inputs make no sense; LIMIT,
        NOMEM and DEADLINE for what the options bound; CANCELLED. Then the inputs stay as they are."""
        with self._lock: return self._run(inputs, outputs, out)  # one line: no trace function comes before the release

    def _predict(self, job: Job) -> Any:
        with self._lock: return self._run(None, None, None, job)['']

    def _run(self, inputs: Optional[Inputs], outputs: Optional[Iterable[str]], out: Optional[Inputs],
             job: Optional[Job] = None) -> Dict[str, Any]:
        native = self._native
        if native is None or native.at_work or is_finalized(native.handle):
            native = self._ready()
        native.at_work = True
        try:
            return native.run(inputs, outputs, out) if job is None else {'': native.run_for(job)}
        finally:
            native.at_work = native.interrupts.broken

    def _ready(self) -> _Native:
        """What runs the model, after all that may have become of it."""
        native = self._native
        if self._options is not None and (native is None or native.interrupts.broken):
            self._native = native = _Native(self.model, self._options, native)
        if native is None or is_finalized(native.handle):
            raise Error('ARGUMENT', 'the session is closed, or was never made')
        if native.at_work:  # or an exception came just before the note that it is not
            frame: Optional[FrameType] = sys._getframe(2)
            while frame is not None and (frame := frame.f_back) is not None:
                if frame.f_code is Session._run.__code__ and frame.f_locals.get('native') is native:
                    raise Error('ARGUMENT', 'the session is at work, and its log or a handler of signals calls it')
        return native

    def stats(self) -> Stats:
        """What the session takes and has done."""
        s = c.oc_session_stats()
        with self._lock:
            native = self._native
            if native is None or is_finalized(native.handle):
                native = self._ready()
            lib.oc_session_describe_sized(native.handle, s, ctypes.sizeof(s))
        return Stats(*[text(value) if isinstance(value, bytes) else value
                       for value in [getattr(s, name) for name in Stats._fields]])

    def profile(self, inputs: Optional[Inputs] = None, runs: int = 1) -> _node.Profile:
        """Runs the model so often, on inputs as of run, and tells what each node has taken. Nodes run as they do
        without a profile: those that run as one have one time."""
        runs = whole(runs, 'runs', 1, 2 ** 31 - 1)
        times = _node.Times()
        with self._lock:
            before = self._native or self._ready()
            made = Session.__new__(Session)
            made._begin(self.model, {**(self._options or {}), 'on_node': times.tell, 'view': 'none'})
            made._ready().bind_as(before)
        made.run(inputs, [])  # the first run takes memory
        times.clear()
        begin = time.perf_counter()
        for _ in range(runs):
            made.run(None, [])
        return _node.Profile(runs, time.perf_counter() - begin, times.nodes())

    def check(self) -> List[Problem]:
        """What is wrong with the model or worth knowing: Model.check."""
        return self.model.check()

    def _copy(self: Self, extras: Dict[str, Any]) -> Self:
        if self._options is None:
            raise Error('ARGUMENT', 'the session is closed, or was never made')
        self._has_loaded = False  # the copy has the model, too
        made = type(self).__new__(type(self))
        made._begin(self.model, self._options)
        vars(made).update(extras)
        return made

    def __copy__(self: Self) -> Self:
        return self._copy(self._extras())

    def __deepcopy__(self: Self, memo: Dict[int, Any]) -> Self:
        return self._copy(copy.deepcopy(self._extras(), memo))

    def __getstate__(self) -> Any:
        if self._options is None:
            raise Error('ARGUMENT', 'the session is closed, or was never made')
        return self.model, self._options, self._extras()

    def __setstate__(self, state: Any) -> None:
        model, options, extras = state
        self._begin(model, options, may_wait=True)  # the model may have the session, and so be loaded after it
        vars(self).update(extras)

    def _after_fork(self) -> None:
        """In the child, where only the thread that has forked lives on."""
        if self._lock._is_owned():  # in a run, whose other threads are lost
            if self._native is not None:
                self._native.interrupts.found['raised'] = Error(
                    'CANCELLED', 'the process forked in the run, which only the parent goes on with')
            return
        if not self._lock.acquire(False):  # in a run of a thread that is lost
            self._native = None
        self._lock = threading.RLock()


_sessions: Dict[int, 'ref[Session]'] = {}  # the number of each session -> a weak reference to it


def _after_fork() -> None:
    Session._lock = threading.RLock()  # a thread that is lost may have it
    for reference in list(_sessions.values()):
        session = reference()
        if session is not None:
            session._after_fork()


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_after_fork)
