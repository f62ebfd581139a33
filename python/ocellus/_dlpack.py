# SPDX-License-Identifier: Apache-2.0
"""Arrays over the memory of other libraries' tensors, by DLPack: what has __dlpack__ and lies in the processor's memory, such
as a tensor of PyTorch, is read or written where it is. All that the tensor tells is checked before an element is read."""
from __future__ import annotations

import ctypes
from functools import partial
from operator import attrgetter
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._library import MAX_RANK, Error, shown


class DLDevice(ctypes.Structure):
    _fields_ = [('device_type', ctypes.c_int32), ('device_id', ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [('code', ctypes.c_uint8), ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('device', DLDevice), ('ndim', ctypes.c_int32), ('dtype', DLDataType),
                ('shape', ctypes.POINTER(ctypes.c_int64)), ('strides', ctypes.POINTER(ctypes.c_int64)),
                ('byte_offset', ctypes.c_uint64)]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [('tensor', DLTensor), ('manager_ctx', ctypes.c_void_p), ('deleter', ctypes.c_void_p)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [('major', ctypes.c_uint32), ('minor', ctypes.c_uint32), ('manager_ctx', ctypes.c_void_p),
                ('deleter', ctypes.c_void_p), ('flags', ctypes.c_uint64), ('tensor', DLTensor)]


VERSION = 1, 0  # of DLPack: what other versions with this major number add is left out
READ_ONLY = 1  # a flag
PROCESSOR = 1, 3, 11, 13  # kDLCPU, and memory of the processor that CUDA and ROCm have pinned or manage
ADDRESSES = 2 ** 63  # no memory of a program lies behind
# DLPack's code and bits of an element -> ONNX's number and the type of arrays
TYPES: Dict[Tuple[int, int], Tuple[int, str]] = {
    (0, 8): (3, 'i1'), (0, 16): (5, 'i2'), (0, 32): (6, 'i4'), (0, 64): (7, 'i8'), (1, 8): (2, 'u1'),
    (1, 16): (4, 'u2'), (1, 32): (12, 'u4'), (1, 64): (13, 'u8'), (2, 16): (10, 'f2'), (2, 32): (1, 'f4'),
    (2, 64): (11, 'f8'), (4, 16): (16, 'u2'), (5, 64): (14, 'c8'), (5, 128): (15, 'c16'), (6, 8): (9, '?'),
    (10, 8): (17, 'u1'), (11, 8): (18, 'u1'), (12, 8): (19, 'u1'), (13, 8): (20, 'u1'), (14, 8): (24, 'u1')}

_is_named = ctypes.pythonapi.PyCapsule_IsValid
_is_named.restype, _is_named.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_set_name = ctypes.pythonapi.PyCapsule_SetName
_set_name.restype, _set_name.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_DELETER = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class _Kind(NamedTuple):
    """A kind of capsule."""
    name: bytes
    used: bytes  # the name of one that was taken
    holds: Any


_KINDS = (_Kind(b'dltensor', b'used_dltensor', DLManagedTensor),
          _Kind(b'dltensor_versioned', b'used_dltensor_versioned', DLManagedTensorVersioned))
for _kind in _KINDS:  # a capsule keeps the address of its name alone, and may live longer than this module
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_kind.used))


class Tensor:
    """What an array is made over: a tensor that was taken out of its capsule, and is freed with the last array. As of
    _library.Handle, no line of Python's frees it."""

    def __init__(self) -> None:
        self._free: Callable[[], object] = int  # nothing
        self.__array_interface__: Dict[str, Any] = {}

    __del__ = property(attrgetter('_free'))


def _on_processor(device: Any, what: str) -> None:
    if int(device) not in PROCESSOR:
        raise Error('ARGUMENT', f'{what} lies on the device {device!r}, expected memory of the processor')


def _capsule_of(given: Any, what: str) -> Any:
    if hasattr(given, '__dlpack_device__'):
        _on_processor(given.__dlpack_device__()[0], what)
    if not hasattr(given, '__dlpack__'):
        return given
    try:
        return given.__dlpack__(max_version=VERSION)
    except TypeError:  # a library that knows no versions
        return given.__dlpack__()


def _kind_of(capsule: Any, what: str) -> _Kind:
    for kind in _KINDS:
        if _is_named(capsule, kind.name):
            return kind
        if _is_named(capsule, kind.used):
            raise Error('ARGUMENT', f'{what} is a capsule that was taken before')
    raise Error('TYPE', f'{what} is {shown(capsule)}, expected a capsule of DLPack')


def _shape_of(tensor: DLTensor, what: str) -> Tuple[int, ...]:
    if not 0 <= tensor.ndim <= MAX_RANK:
        raise Error('SHAPE', f'{what} has the rank {tensor.ndim}, expected one from 0 to {MAX_RANK}')
    if tensor.ndim and not tensor.shape:
        raise Error('SHAPE', f'{what} has the rank {tensor.ndim}, and no dims')
    dims = tuple(tensor.shape[:tensor.ndim]) if tensor.ndim else ()
    if any([dim < 0 for dim in dims]):
        raise Error('SHAPE', f'{what} has the dims {list(dims)}, expected none below 0')
    return dims


def _strides_of(tensor: DLTensor, dims: Tuple[int, ...], size: int, what: str) -> Optional[Tuple[int, ...]]:
    """The strides in bytes; None: row after row. All elements lie within what a program can address."""
    if not tensor.strides:
        steps = None
    else:
        steps = tuple([step * size if dim > 1 else size for dim, step in zip(dims, tensor.strides[:tensor.ndim])])
    count = 1
    for dim in dims:
        count *= dim or 1
    reach = [step * (dim - 1) for dim, step in zip(dims, steps)] if steps else [(count - 1) * size]
    begin = (tensor.data or 0) + tensor.byte_offset if 0 not in dims else ADDRESSES // 2
    low, high = sum([step for step in reach if step < 0]), sum([step for step in reach if step > 0])
    if count * size >= ADDRESSES or begin + low < 0 or begin + high + size > ADDRESSES:
        strides = f'strides of {list(steps)} bytes' if steps else 'no strides'
        raise Error('SHAPE', f'{what} has the dims {list(dims)}, {strides} and the byte_offset {tensor.byte_offset}, '
                    'expected elements that lie in memory')
    return steps


def _element_of(tensor: DLTensor, what: str) -> Tuple[int, np.dtype[Any]]:
    element = tensor.dtype
    found = TYPES.get((element.code, element.bits)) if element.lanes == 1 else None
    if found is None:
        raise Error('TYPE', f"{what} has elements of DLPack's code {element.code}, {element.bits} bits and "
                    f'{element.lanes} lanes, which are no element type of ONNX')
    return found[0], np.dtype(found[1])


def _array_of(managed: Any, made: Tensor, what: str) -> Tuple[np.ndarray[Any, Any], int]:
    """An array over the tensor, which made frees, once all that it tells is found right."""
    is_versioned = isinstance(managed, DLManagedTensorVersioned)
    if is_versioned and managed.major != VERSION[0]:
        raise Error('UNSUPPORTED', f"{what} is of DLPack's version {managed.major}.{managed.minor}, expected {VERSION[0]}")
    tensor = managed.tensor
    _on_processor(tensor.device.device_type, what)
    number, dtype = _element_of(tensor, what)
    dims = _shape_of(tensor, what)
    strides = _strides_of(tensor, dims, dtype.itemsize, what)
    if 0 in dims:
        return np.empty(dims, dtype), number
    if not tensor.data:
        raise Error('ARGUMENT', f'{what} has the dims {list(dims)} and its data are NULL, expected memory')
    made.__array_interface__ = {'version': 3, 'typestr': dtype.str, 'shape': dims, 'strides': strides,
                                'data': (tensor.data + tensor.byte_offset, is_versioned and bool(managed.flags & READ_ONLY))}
    return np.asarray(made), number


def _take(capsule: Any, kind: _Kind, what: str) -> Tuple[np.ndarray[Any, Any], int]:
    """An array over the tensor in the capsule, which is renamed first, so that no other thread takes and frees the tensor
    meanwhile: it is looked for and renamed in one call in C. A capsule that is refused gets its name again."""
    made = Tensor()
    steps: List[int] = []
    try:
        steps.extend(map(partial.__call__, (partial(_pointer_of, capsule, kind.name),
                                            partial(_set_name, capsule, kind.used))))
        managed = kind.holds.from_address(steps[0])
        if managed.deleter:
            made._free = partial(_DELETER(managed.deleter), steps[0])
        return _array_of(managed, made, what)
    except BaseException as e:
        made._free = int
        if len(steps) == 2:
            _set_name(capsule, kind.name)
        elif isinstance(e, ValueError):  # of another thread
            raise Error('ARGUMENT', f'{what} is a capsule that was taken before') from e
        raise


def view(given: Any, what: str) -> Tuple[np.ndarray[Any, Any], int]:
    """An array over a tensor's memory, and ONNX's number of its element type: of one that numpy has not the array has
    the bits. given is a capsule or has __dlpack__. what names the tensor in errors."""
    try:
        capsule = _capsule_of(given, what)
    except Error:
        raise
    except Exception as e:  # whatever the other library raises
        raise Error('TYPE', f'{what} is {shown(given)}, which is no tensor to read: {e}') from e
    return _take(capsule, _kind_of(capsule, what), what)


CODES = {number: code for (code, _), (number, _) in TYPES.items()}


def capsule_of(array: np.ndarray[Any, Any], number: int) -> Any:
    """A capsule of an array whose elements are of that type of ONNX's. numpy raises BufferError for what it cannot share."""
    if number not in CODES:
        raise BufferError('DLPack has no such element type')
    capsule = array.__dlpack__()
    DLTensor.from_address(_pointer_of(capsule, b'dltensor')).dtype.code = CODES[number]
    return capsule
