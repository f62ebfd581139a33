# SPDX-License-Identifier: Apache-2.0
"""Operators in Python: functions of the program's that run nodes of a model."""
from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _library as c
from ._library import Error, chars, check, lib, shown, text, whole
from ._values import DTYPES, NUMBERS, STRING, TENSOR, bytes_of, dims_of, number_named, read, shape_of, type_name
from ._views import Lent

if TYPE_CHECKING:
    from ._interrupts import Interrupts

FAILED = 12  # what a function that has raised returns: OC_CANCELLED
TypeAndShape = Tuple[str, Sequence[int]]


class CustomOp(NamedTuple):
    """One version of an operator. Sessions look theirs up before the built-in ones.

    signature is as docs/adding-an-op.md tells: 'my.vision::Threshold <float limit = 0.5> (T x) => (T y) | T: float'.
    run is called for each node that runs, with a Call, and returns an array, or a tuple of them, one for each output; or
    None, if it has written call.outputs. shape, which may be missing, returns the type and dims of each output
    beforehand: [('float', (2, 3))]. since is the first opset version that this one serves."""
    signature: str
    run: Callable[['Call'], Any]
    shape: Optional[Callable[['Call'], Iterable[TypeAndShape]]] = None
    since: int = 1


class Call:
    """One run of one node. Its arrays are there until the function that it was given to returns."""

    def __init__(self, pointer: int, kinds: Dict[str, str]) -> None:
        self._pointer, self._kinds, self._lent = pointer, kinds, Lent()
        self._given = [lib.oc_call_in(pointer, i) for i in range(lib.oc_call_n_in(pointer))]
        self._lent_outputs = False
        self.n_outputs: int = lib.oc_call_n_out(pointer)

    def _open(self) -> int:
        if not self._pointer:
            raise Error('ARGUMENT', 'the function that this call was for has returned')
        return self._pointer

    @property
    def inputs(self) -> List[Any]:
        """Arrays over the memory of the inputs, to be read; lists and arrays of strings are copies. None: a missing one,
        or in shape one whose elements are not known."""
        self._open()
        return [self._lent.value(value) for value in self._given]

    @property
    def types(self) -> List[str]:
        """The element types of the inputs: 'float'. '': a missing one."""
        self._open()
        return [type_name(lib.oc_value_type(value)) if value else '' for value in self._given]

    @property
    def shapes(self) -> List[Tuple[int, ...]]:
        """The dims of the inputs; () for what is no tensor."""
        self._open()
        return [shape_of(value) if value and lib.oc_value_kind(value) == TENSOR else () for value in self._given]

    @property
    def outputs(self) -> List[Optional[np.ndarray[Any, Any]]]:
        """In run, where the operator has a shape: arrays over the memory of the outputs, to be written. None: nobody
        reads it, it has no memory yet, or it is of strings, which are to be returned."""
        pointer = self._open()
        self._lent_outputs = True
        return [self._output(pointer, i) for i in range(self.n_outputs)]

    def _output(self, pointer: int, i: int) -> Optional[np.ndarray[Any, Any]]:
        value = lib.oc_call_out_value(pointer, i)
        data = value and lib.oc_value_data(value)
        number = lib.oc_value_type(value)
        return self._lent.over(data, number, shape_of(value), True) if data and number != STRING else None

    @property
    def attributes(self) -> Dict[str, Any]:
        """The attributes that the signature has, by name: int, float, str, lists of int and float, and arrays. None: a
        list or a tensor that the node has not."""
        pointer, found = self._open(), {}
        for name, kind in self._kinds.items():
            found[name] = self._attribute(pointer, name.encode(), kind)
        return found

    def _attribute(self, pointer: int, name: bytes, kind: str) -> Any:
        if kind == 'int':
            return lib.oc_call_int(pointer, name)
        if kind == 'float':
            return lib.oc_call_float(pointer, name)
        if kind == 'string':
            found = lib.oc_call_string(pointer, name)
            return ctypes.string_at(found.data, found.size).decode('utf-8', 'surrogateescape') if found.size else ''
        if kind in ('ints', 'floats'):
            count = ctypes.c_size_t()
            first = (lib.oc_call_ints if kind == 'ints' else lib.oc_call_floats)(pointer, name, count)
            return first[:count.value] if first else None
        if kind == 'tensor':
            value = lib.oc_call_tensor(pointer, name)
            return read(value) if value else None
        raise Error('UNSUPPORTED', f"attribute '{text(name)}' is of kind {kind}, which operators in Python cannot read")


class _Ports(NamedTuple):
    """What the signature says, as far as it is used here."""
    label: str
    kinds: Dict[str, str]  # of the attributes
    inputs: List[int]  # for each port the number of its type's variable, -1 for none
    outputs: List[int]


def _ports(op: c.oc_op) -> _Ports:
    e = c.oc_error()
    described = lib.oc_op_describe(op, e)
    check(e)
    info = described.contents
    try:
        return _Ports(text(info.label), {text(a.name): text(a.kind) for a in info.attribute[:info.n_attributes]},
                      [p.variable for p in info.input[:info.n_inputs]], [p.variable for p in info.output[:info.n_outputs]])
    finally:
        lib.oc_op_info_free(described)


def _at(items: List[int], i: int) -> int:
    """That of port i, of which the last may stand for many."""
    return items[min(i, len(items) - 1)] if items else -1


def _output_number(call: Call, ports: _Ports, i: int, array: np.ndarray[Any, Any]) -> int:
    """ONNX's number of an output: that of the inputs of its type, if the array can be that, else the array's own."""
    variable = _at(ports.outputs, i)
    for k, value in enumerate(call._given):
        if value and variable >= 0 and _at(ports.inputs, k) == variable:
            number: int = lib.oc_value_type(value)
            if DTYPES.get(number) == array.dtype:
                return number
    number = STRING if array.dtype.kind in 'SU' else NUMBERS.get(array.dtype, 0)
    if not number:
        raise Error('TYPE', f'{ports.label} returned an array of {array.dtype} for output {i}')
    return number


def _number_told(name: Any, label: str) -> int:
    number = number_named(name)
    if not number:
        raise Error('TYPE', f"{label}: shape returned the type {shown(name)}, expected one such as 'float'")
    return number


def _called(do: Callable[[CustomOp, _Ports, Call], int], op: CustomOp, ports: _Ports, whose: str, pointer: int) -> int:
    """What the library calls as shape or as run. The call ends also where the function raises."""
    call = Call(pointer, ports.kinds)
    try:
        status = do(op, ports, call)
    finally:
        call._pointer = 0
    call._lent.end(whose)
    return status


def _sets_outputs(op: CustomOp, ports: _Ports, call: Call) -> int:
    """The types and dims that op.shape tells."""
    assert op.shape
    told = op.shape(call)
    if isinstance(told, Iterator):  # which calls the program's code, whose exceptions are none of these
        told = list(told)
    try:
        found = [(_number_told(name, ports.label), [whole(dim, f'{ports.label}: a dim', 0, 2 ** 63 - 1) for dim in shape])
                 for name, shape in told]
    except (TypeError, ValueError) as e:
        raise Error('ARGUMENT', f'{ports.label}: shape returned {shown(told)}, expected a list of types and dims') from e
    if len(found) != call.n_outputs:
        raise Error('ARGUMENT', f'{ports.label}: shape returned {len(found)} outputs, expected {call.n_outputs}')
    status = 0
    for i, (number, dims) in enumerate(found):
        sizes = (ctypes.c_int64 * len(dims))(*dims)
        status = status or lib.oc_call_set_out(call._pointer, i, number, len(dims), sizes)
    return status


def _runs(op: CustomOp, ports: _Ports, call: Call) -> int:
    """The outputs that op.run returns."""
    found = op.run(call)
    status = 0
    if found is None and op.shape is not None and not call._lent_outputs and call.n_outputs:
        raise Error('ARGUMENT', f'{ports.label} returned None and has not asked for outputs, expected arrays')
    if found is not None or op.shape is None:
        arrays: Any = found if isinstance(found, (tuple, list)) else (found,)
        if len(arrays) != call.n_outputs:
            raise Error('ARGUMENT', f'{ports.label} returned {len(arrays)} outputs, expected {call.n_outputs}')
        for i, given in enumerate(arrays):
            status = status or _store(call, ports, i, given, op.shape is None)
    return status


def _store(call: Call, ports: _Ports, i: int, given: Any, sets: bool) -> int:
    """Copies what the function has returned for output i."""
    if given is None:
        raise Error('ARGUMENT', f'{ports.label} returned None for output {i}, expected an array')
    array, pointer = np.asarray(given), call._pointer
    number = _output_number(call, ports, i, array)
    if sets:
        status: int = lib.oc_call_set_out(pointer, i, number, array.ndim, dims_of(array))
        if status:
            return status
    else:
        value = lib.oc_call_out_value(pointer, i)
        if value and (lib.oc_value_type(value), shape_of(value)) != (number, array.shape):
            raise Error('SHAPE', f'{ports.label} returned {type_name(number)}{list(array.shape)} for output {i}, and its '
                        f'shape said {type_name(lib.oc_value_type(value))}{list(shape_of(value))}')
    address = lib.oc_call_out(pointer, i)
    if address and number == STRING:
        return _store_strings(pointer, i, array, ports.label)
    if address and array.nbytes:
        np.copyto(Lent().over(address, number, array.shape, True), array)
    return 0


def _store_strings(pointer: int, i: int, array: np.ndarray[Any, Any], label: str) -> int:
    status = 0
    for k, item in enumerate(array.ravel()):
        chars = bytes_of(item, f'{label}: output {i}')
        status = status or lib.oc_call_set_string(pointer, i, k, chars, len(chars))
    return status


Ops = Sequence[CustomOp]


def table_of(ops: Ops, interrupts: 'Interrupts') -> Any:
    """The table for the library, and what it borrows, which the caller keeps as long as the session."""
    table = (c.oc_op * (len(ops) + 1))()
    kept: List[Any] = [table]
    for entry, op in zip(table, ops):
        if not isinstance(op, CustomOp) or not callable(op.run) or not (op.shape is None or callable(op.shape)):
            raise Error('ARGUMENT', f'ops has {shown(op)}, expected ocellus.CustomOp')
        entry.since, entry.signature = whole(op.since, 'since', 1, 2 ** 31 - 1), chars(op.signature, 'signature')
        ports = _ports(entry)
        entry.run = c.OP(interrupts.calls(partial(_called, _runs, op, ports, ports.label), FAILED).send)
        if op.shape is not None:
            sets = partial(_called, _sets_outputs, op, ports, f'shape of {ports.label}')
            entry.shape = c.OP(interrupts.calls(sets, FAILED).send)
        kept.append(entry)
    return kept
