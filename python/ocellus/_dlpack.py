# SPDX-License-Identifier: Apache-2.0
"""Arrays over the memory of other libraries' tensors, by DLPack: what has __dlpack__ and lies in the processor's memory, such
as a tensor of PyTorch, is read or written where it is."""
from __future__ import annotations

import ctypes
from typing import Any, Dict, Tuple

import numpy as np

from ._library import Error, shown


class DLDevice(ctypes.Structure):
    _fields_ = [('device_type', ctypes.c_int32), ('device_id', ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [('code', ctypes.c_uint8), ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('device', DLDevice), ('ndim', ctypes.c_int32), ('dtype', DLDataType),
                ('shape', ctypes.POINTER(ctypes.c_int64)), ('strides', ctypes.POINTER(ctypes.c_int64)),
                ('byte_offset', ctypes.c_uint64)]


PROCESSOR = 1, 3, 11, 13  # kDLCPU, and memory of the processor that CUDA and ROCm have pinned or manage
# DLPack's code and bits of an element -> ONNX's number and the type of arrays
TYPES: Dict[Tuple[int, int], Tuple[int, str]] = {
    (0, 8): (3, 'i1'), (0, 16): (5, 'i2'), (0, 32): (6, 'i4'), (0, 64): (7, 'i8'), (1, 8): (2, 'u1'),
    (1, 16): (4, 'u2'), (1, 32): (12, 'u4'), (1, 64): (13, 'u8'), (2, 16): (10, 'f2'), (2, 32): (1, 'f4'),
    (2, 64): (11, 'f8'), (4, 16): (16, 'u2'), (5, 64): (14, 'c8'), (5, 128): (15, 'c16'), (6, 8): (9, '?'),
    (10, 8): (17, 'u1'), (11, 8): (18, 'u1'), (12, 8): (19, 'u1'), (13, 8): (20, 'u1'), (14, 8): (24, 'u1')}

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Memory:
    """What an array is made over. The capsule, which is never renamed, frees the tensor when the last array is gone."""

    def __init__(self, capsule: Any, interface: Dict[str, Any]) -> None:
        self.capsule, self.__array_interface__ = capsule, interface


def view(given: Any, what: str) -> Tuple[np.ndarray[Any, Any], int]:
    """An array over a tensor's memory, and ONNX's number of its element type: of one that numpy has not the array has
    the bits. what names the tensor in errors."""
    try:
        if hasattr(given, '__dlpack_device__'):
            device = given.__dlpack_device__()[0]
            if int(device) not in PROCESSOR:
                raise Error('ARGUMENT', f'{what} lies on the device {device!r}, expected memory of the processor')
        capsule = given.__dlpack__() if hasattr(given, '__dlpack__') else given
        tensor = DLTensor.from_address(_pointer_of(capsule, b'dltensor'))
    except Error:
        raise
    except Exception as e:  # whatever the other library raises
        raise Error('TYPE', f'{what} is {shown(given)}, which is no tensor to read: {e}') from e
    kind = tensor.dtype
    found = TYPES.get((kind.code, kind.bits)) if kind.lanes == 1 else None
    if found is None:
        raise Error('TYPE', f"{what} has elements of DLPack's code {kind.code} and {kind.bits} bits, which are no "
                    'element type of ONNX')
    number, name = found
    dims = tuple(tensor.shape[:tensor.ndim]) if tensor.ndim else ()
    dtype = np.dtype(name)
    if 0 in dims:
        return np.empty(dims, dtype), number
    strides = tuple(step * dtype.itemsize for step in tensor.strides[:tensor.ndim]) if tensor.strides else None
    interface = {'version': 3, 'typestr': dtype.str, 'shape': dims, 'strides': strides,
                 'data': ((tensor.data or 0) + tensor.byte_offset, False)}
    return np.asarray(_Memory(capsule, interface)), number
