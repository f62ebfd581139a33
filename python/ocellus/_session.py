# SPDX-License-Identifier: Apache-2.0
"""A session: what runs a model."""
import ctypes
import threading
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from . import _library as c
from ._library import Error, chars, check, lib, text
from ._model import POLICIES, Model, fill_limits, number_of
from ._values import STRING, TENSOR, address_of, as_array, dims_of, make, read
from ._values import number_of as type_number


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


class _Interrupts:
    """Lets Ctrl-C end a run: the library asks several times a second whether to go on, and while Python answers its
    handlers of signals run. What they raise cannot pass through the library; it is kept, the run is told to end, and
    run raises it. The answer comes from a generator, since a signal that waits is handled at its first step, which
    must be inside of try; a function's first step is not."""

    def __init__(self):
        self.raised = None
        answers = self._answers()
        next(answers)
        self.ask = c.CANCEL(answers.send)

    def _answers(self):
        stop = False
        while True:
            try:
                yield stop
                stop = False
            except BaseException as raised:
                if isinstance(raised, GeneratorExit):
                    raise
                self.raised, stop = raised, True

    def check(self, e):
        """Raises what a handler has raised, else the error that the call has set."""
        raised, self.raised = self.raised, None
        if raised is not None:
            e.code = 0
            raise raised
        check(e)


def _by_name(given, what):
    if not isinstance(given, dict) and not isinstance(given, Mapping):  # the second takes longer
        raise Error('ARGUMENT', f'{what} is of type {type(given).__name__}, expected a dict of name to array')
    return given


class Session:
    """Runs one model; inputs and outputs describe what it takes and gives.

    model is a Model or what Model takes. A session works for one thread at a time (others wait); sessions of one
    Model share its weights and run side by side. threads 0 means one for each processor. deadline (seconds) and
    max_steps (nodes) limit each run, memory_cap (bytes) the session. bodies decides what runs calls of ONNX's
    functions: 'native' (kernels), 'expand' or 'standard' (bodies; see Model.expand), and only_body limits that to one
    operator. cpu is 'scalar', 'avx2', 'avx512', 'neon' or None for the best; results do not depend on it. log is
    called with lines worth knowing."""

    _pointer = None  # also of one that could not be made

    def __init__(self, model, *, threads=0, memory_cap=None, deadline=None, max_steps=None, bodies='native',
                 only_body=None, seed=0, cpu=None, op_options=None, exact_conv=False, log=None):
        self._lock = threading.RLock()
        self._interrupts = _Interrupts()
        self.model = model if isinstance(model, Model) else Model(model, memory_cap=memory_cap, deadline=deadline)
        self.inputs, self.outputs = self.model.inputs, self.model.outputs
        o = c.oc_session_options(threads=threads, seed=seed, cpu=chars(cpu), op_options=chars(op_options),
                                 exact_conv=exact_conv)
        fill_limits(o.limits, memory_cap, deadline, max_steps)
        o.limits.cancel = self._interrupts.ask
        o.bodies.policy, o.bodies.only = number_of(bodies, POLICIES, 'bodies'), chars(only_body)
        if log:
            o.observer.log = c.LOG(lambda ctx, line: log(text(line)))
        self._options = o  # callbacks in it live as long as the session
        self._e = c.oc_error()
        self._pointer = lib.oc_session_new_sized(self.model._pointer, o, ctypes.sizeof(o), self._e)
        self._interrupts.check(self._e)
        # name -> its number, its name for the library, its kind and its type
        self._in, self._out = ({text(p.name): (i, p.name, p.kind, p.type) for i, p in enumerate(ports)}
                               for ports in self.model._all_ports())
        self._bound = {}  # what the library borrows
        self._taken = {}

    def __del__(self):
        if self._pointer:
            lib.oc_session_free(self._pointer)

    def __repr__(self):
        return f'<ocellus.Session of {self.model!r}>'

    def run(self, inputs=None, outputs=None, out=None):
        """Runs the model on inputs, a dict of name to array, and gives a dict of name to array: of all outputs, or of
        those that outputs names.

        A dense array of the declared type is read where it lies, without a copy. An input that is not given keeps the
        value of the last run, or its default. A sequence is a list of arrays, an optional None or a value; numbers
        and lists of numbers take the declared type. out, a dict of name to array, has the library write such outputs
        into these arrays themselves, for this run; they must have the output's type and shape."""
        with self._lock:
            if inputs is not None:
                for name, given in _by_name(inputs, 'inputs').items():
                    self._bind(name, given)
            if isinstance(outputs, str):
                raise Error('ARGUMENT', f"outputs is '{outputs}', expected a list of names")
            wanted = self._out if outputs is None else {name: self._output(name) for name in outputs}
            if out is not None or self._taken:
                self._take({} if out is None else _by_name(out, 'out'))
            e = self._e
            lib.oc_run(self._pointer, e)
            if e.code or self._interrupts.raised:
                self._interrupts.check(e)
            return {name: self._taken[name] if name in self._taken else self._fetch(port[0])
                    for name, port in wanted.items()}

    def stats(self):
        """What the session takes and has done."""
        s = c.oc_session_stats()
        with self._lock:
            lib.oc_session_describe_sized(self._pointer, s, ctypes.sizeof(s))
        return Stats(*(text(value) if isinstance(value, bytes) else value
                       for value in (getattr(s, name) for name in Stats._fields)))

    def check(self):
        """What is wrong with the model or worth knowing: Model.check."""
        return self.model.check()

    def _bind(self, name, given):
        port = self._in.get(name)
        if port is None:
            expected = ', '.join(f"'{known}'" for known in self._in) or 'none'
            raise Error('ARGUMENT', f"the model has no input '{name}'; it has {expected}")
        number, c_name, kind, declared = port
        e = self._e
        if kind == TENSOR and given is not None:
            array = as_array(given, declared)
            actual = type_number(array, declared, name)
            if actual != STRING:
                lib.oc_bind(self._pointer, c_name, actual, array.ndim, dims_of(array), address_of(array), e)
                check(e)
                self._bound[name] = array
                return
        made = make(given, kind, declared, name)
        lib.oc_bind_value_at(self._pointer, number, made.pointer, e)
        check(e)
        self._bound[name] = made

    def _output(self, name):
        if name not in self._out:
            expected = ', '.join(f"'{known}'" for known in self._out)
            raise Error('ARGUMENT', f"the model has no output '{name}'; it has {expected}")
        return self._out[name]

    def _take(self, out):
        """Outputs go into these arrays, others into the session's own memory again."""
        e = self._e
        for name in [known for known in self._taken if known not in out]:
            lib.oc_bind_output(self._pointer, self._out[name][1], 0, 0, None, None, 0, e)
            check(e)
            del self._taken[name]
        for name, array in out.items():
            _, c_name, _, declared = self._output(name)
            if not (isinstance(array, np.ndarray) and array.flags.carray):
                raise Error('ARGUMENT', f"out: expected a dense array that can be written for output '{name}'")
            lib.oc_bind_output(self._pointer, c_name, type_number(array, declared, name), array.ndim, dims_of(array),
                               address_of(array), array.nbytes, e)
            check(e)
            self._taken[name] = array

    def _fetch(self, number):
        value = lib.oc_fetch_value_at(self._pointer, number, self._e)
        check(self._e)
        return read(value)
