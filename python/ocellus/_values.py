# SPDX-License-Identifier: Apache-2.0
"""Values of the library as numpy arrays, lists and None, and the other way.

A tensor is an array, a sequence a list of arrays, an optional its item or None, a map a dict. Strings are str in arrays of objects
(bytes that are no UTF-8 stay bytes). Types that numpy has not are their bits: float16's sister bfloat16 uint16, all
floats of 8 and 4 bits uint8, integers of 4 and 2 bits int8 and uint8."""
from __future__ import annotations

import ctypes
import numbers
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _dlpack
from ._library import MAX_RANK, VALUE, Error, check, lib, oc_error, oc_string, shown, text

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]
else:  # which numpy before 1.22 cannot be asked for
    Array = np.ndarray
Value = Union[Array, List[Any], Dict[Any, Any], None]

TENSOR, SEQUENCE, OPTIONAL, MAP = range(4)
STRING, BOOL = 8, 9

# ONNX's number of an element type -> the type of arrays.
DTYPES = {number: np.dtype(name) for number, name in {
    1: 'f4', 2: 'u1', 3: 'i1', 4: 'u2', 5: 'i2', 6: 'i4', 7: 'i8', 8: 'O', 9: '?', 10: 'f2', 11: 'f8', 12: 'u4',
    13: 'u8', 14: 'c8', 15: 'c16', 16: 'u2', 17: 'u1', 18: 'u1', 19: 'u1', 20: 'u1', 21: 'u1', 22: 'i1', 23: 'u1',
    24: 'u1', 25: 'u1', 26: 'i1'}.items()}
# The other way: what an array is when nothing else is known.
NUMBERS = {dtype: number for number, dtype in reversed(DTYPES.items()) if number <= 15}
BITS = {  # floats which are given as their bits
    16, 17, 18, 19, 20, 23, 24}
# The numbers of types that are narrower than those of the arrays.
RANGES = {21: (0, 15), 22: (-8, 7), 23: (0, 15), 25: (0, 3), 26: (-2, 1)}
_char_of: Any = ctypes.c_char.from_buffer  # of what lets others see its memory
DIMS = [ctypes.c_int64 * rank for rank in range(MAX_RANK + 1)]


def type_name(number: int) -> str:
    """'float16' for 10, as ONNX writes it."""
    name: str = text(lib.oc_type_name(number))
    return name


def number_named(name: Any) -> int:
    """10 for 'float16'; 0: ONNX has no element type of that name."""
    for number in DTYPES:  # no generator: one that a signal ends tells nobody what its handler has raised
        if type_name(number) == name:
            return number
    return 0


def number_of(array: Array, declared: int, name: str) -> int:
    """ONNX's number of the element type that an array is given as: the declared one where the array can be that."""
    if declared in DTYPES and DTYPES[declared] == array.dtype:  # numpy takes None for float64
        return declared
    if array.dtype.kind in 'SU':
        return STRING
    number = NUMBERS.get(array.dtype)
    if number == STRING and declared != STRING and declared in DTYPES:
        others = [item for item in array.flat if not isinstance(item, (str, bytes))]
        if others:
            hint = f", as array.astype('{DTYPES[declared]}') makes" if declared in NUMBERS.values() else ''
            raise Error('TYPE', f"input '{name}' is an array of objects such as {shown(others[0])}, expected one of "
                                f'{type_name(declared)}{hint}')
    if number is None:
        raise Error('TYPE', f"input '{name}' is an array of {array.dtype}, which is no element type of ONNX")
    return number


def _has(declared: int, made: Array, array: Array) -> bool:
    """Are the elements made, which are of the declared type, the numbers of the array?"""
    if declared in BITS and any([isinstance(item, (float, np.floating)) for item in array.flat]):
        return False
    if not array.size or made.dtype.kind in 'fc':
        return True
    low, high = RANGES.get(declared, (made.min(), made.max()))
    return bool((made == array).all()) and low <= made.min() and made.max() <= high


def _convert(given: Any, declared: int, name: str) -> Array:
    """Numbers and lists of numbers as the declared type: the same numbers, rounded where that is a type of floats."""
    wanted = DTYPES.get(declared)
    try:
        array = np.asarray(given, object if wanted == object else None)
        if wanted is None or wanted == object or array.dtype.kind not in 'biufcO':
            return array
        if wanted.kind in 'iu' and array.dtype.kind == 'f':  # as numpy takes integers of two types, too
            array = np.asarray(given, object)
        if (array.dtype == object and not all([isinstance(item, numbers.Real) for item in array.flat])) or (
                array.dtype.kind == 'c' and wanted.kind != 'c'):
            raise TypeError('there is another thing than real numbers in it')
    except (TypeError, ValueError, OverflowError) as e:
        raise Error('TYPE', f"input '{name}' is {shown(given)}, which is no array of {type_name(declared)}: {e}") from e
    try:
        with np.errstate(all='ignore'):
            made = array.astype(wanted)
    except (ValueError, OverflowError):  # a number that neither the type nor C has
        made = None
    if made is None or not _has(declared, made, array):
        raise Error('VALUE', f"input '{name}' is {shown(given)}, expected numbers that {type_name(declared)} has")
    return made


def as_array(given: Any, declared: int, name: str) -> Array:
    """A dense, row-major array of the machine's own byte order; an array itself where it is one, and one over the memory
    of another library's tensor. Numbers and lists of numbers become what is declared, arrays keep their type."""
    if type(given) is not np.ndarray:
        # A class that extends arrays may tell another shape than its elements have.
        if isinstance(given, (np.ndarray, np.generic)):
            given = np.asarray(given)
        elif hasattr(given, '__dlpack__'):
            try:
                given = _of_tensor(given, declared, f"input '{name}'")
            except Error as e:
                if e.code != 'TYPE' or declared != BOOL or not hasattr(given, '__array__'):
                    raise
                given = _convert(given, declared, name)  # not each library's DLPack has bool
        else:
            given = _convert(given, declared, name)
    if not given.dtype.isnative:
        given = given.astype(given.dtype.newbyteorder('='))
    flags = given.flags
    dense: Array = given if flags.c_contiguous and flags.aligned else given.copy('C')
    return dense


def _of_tensor(given: Any, declared: int, what: str) -> Array:
    """An array over a tensor that has __dlpack__."""
    array, number = _dlpack.view(given, what)
    if number != declared and number not in NUMBERS.values():  # else its bits would pass for numbers
        raise Error('TYPE', f'{what} is a tensor of {type_name(number)}, expected {type_name(declared)}')
    return array


def as_target(given: Any, declared: int, name: str) -> Array:
    """A dense array that an output may be written into, over the memory of what is given."""
    array = None
    if isinstance(given, np.ndarray):
        array = np.asarray(given)
    elif hasattr(given, '__dlpack__'):
        array = _of_tensor(given, declared, f"out: output '{name}'")
    if array is None or not array.flags.carray or not array.dtype.isnative:
        raise Error('ARGUMENT', f"out: expected a dense array that can be written for output '{name}'")
    return array


def address_of(array: Array) -> int:
    """Where an array's elements lie. numpy's own way takes longer than all else that a call does to bind an array."""
    if array.nbytes and array.flags.writeable and array.dtype != object:
        return ctypes.addressof(_char_of(array))
    return int(array.ctypes.data)


def dims_of(array: Array) -> Any:
    if array.ndim > MAX_RANK:
        raise Error('SHAPE', f'an array of rank {array.ndim}, expected at most {MAX_RANK}')
    return DIMS[array.ndim](*array.shape)


# ---- values made ----

def bytes_of(item: Any, what: str) -> bytes:
    if isinstance(item, bytes):
        return item
    if not isinstance(item, str):
        raise Error('TYPE', f'{what} has the element {shown(item)}, expected str or bytes')
    try:
        return item.encode('utf-8', 'surrogateescape')
    except UnicodeEncodeError as e:
        raise Error('VALUE', f'{what} has the element {shown(item)}: {e}') from e


def _tensor(array: Array, number: int, name: str) -> Any:
    e = oc_error()
    made = lib.oc_tensor_new(number, array.ndim, dims_of(array), None, e)
    check(e)
    if number != STRING:
        ctypes.memmove(lib.oc_value_mutable_data(made), address_of(array), array.nbytes)
        return made
    for i, item in enumerate(array.ravel()):
        item = bytes_of(item, f"input '{name}'")
        lib.oc_tensor_set_string(made, i, item, len(item), e)
    check(e)
    return made


def make(given: Any, kind: int, declared: int, name: str) -> Any:
    """The value of the library for what a program gives for an input of that kind and element type. An optional's
    item is a sequence where it is a list or a tuple."""
    if kind == OPTIONAL:
        is_list = isinstance(given, (list, tuple))
        item = None if given is None else make(given, SEQUENCE if is_list else TENSOR, declared, name)
        error = oc_error()
        made = lib.oc_optional_new(declared, item, None, error)
        check(error)
        return made
    if given is None:
        raise Error('ARGUMENT', f"input '{name}' is None, expected a value: it is no optional")
    if kind == SEQUENCE:
        try:
            given = list(given)
        except TypeError as e:
            raise Error('TYPE', f"input '{name}' is {shown(given)}, expected a list of arrays") from e
        items = [make(item, TENSOR, declared, name) for item in given]
        error = oc_error()
        pointers = (VALUE * len(items))(*[item.value for item in items])
        made = lib.oc_sequence_new(declared, len(items), pointers, None, error)
        check(error)
        return made
    array = as_array(given, declared, name)
    return _tensor(array, number_of(array, declared, name), name)


# ---- values read ----

def _strings(data: int, shape: Tuple[int, ...]) -> Array:
    found = np.empty(shape, object)
    flat = found.reshape(-1)
    strings: Any = (oc_string * flat.size).from_address(data) if flat.size else ()
    for i, s in enumerate(strings):
        raw = ctypes.string_at(s.data, s.size) if s.size else b''
        try:
            flat[i] = raw.decode()
        except UnicodeDecodeError:
            flat[i] = raw
    return found


def shape_of(value: Any) -> Tuple[int, ...]:
    rank = lib.oc_value_rank(value)
    return tuple(DIMS[rank].from_address(lib.oc_value_dims(value))) if rank else ()


def read(value: Any) -> Value:
    """A copy of a value of the library."""
    kind = lib.oc_value_kind(value)
    if kind == TENSOR:
        number, shape = lib.oc_value_type(value), shape_of(value)
        data = lib.oc_value_data(value)
        if number == STRING:
            return _strings(data, shape)
        try:
            array = np.empty(shape, DTYPES[number])
        except MemoryError as e:
            raise Error('NOMEM', f'an output of shape {shape}: {e}') from e
        if array.nbytes:
            ctypes.memmove(address_of(array), data, array.nbytes)
        return array
    items: List[Any] = [read(lib.oc_value_item(value, i)) for i in range(lib.oc_value_count(value))]
    if kind == MAP:
        keys, values = items
        return dict(zip(keys.tolist(), values.tolist()))
    if kind == SEQUENCE:
        return items
    item: Value = items[0] if items else None
    return item
