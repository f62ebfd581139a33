# SPDX-License-Identifier: Apache-2.0
"""Values as ONNX Runtime's programs hold them: tensors over arrays of numpy, on the processor alone."""
from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from .. import _dlpack
from .._values import BOOL, DTYPES, NUMBERS, STRING, number_named, type_name
from .._views import is_lent
from ._absent import refused
from ._errors import Fail, InvalidArgument, NotImplemented, RuntimeException, as_theirs


class OrtDevice:
    """A device: memory of others than the processor (type 0) is refused where it is to be used."""

    def __init__(self, device_type: int = 0, memory_type: int = 0, device_id: int = 0) -> None:
        self._device_type, self._memory_type, self._device_id = device_type, memory_type, device_id

    @staticmethod
    def make(ort_device_name: str, device_id: int, vendor_id: int = -1) -> 'OrtDevice':
        """The device of that name, 'cpu'."""
        on_processor(ort_device_name)
        return OrtDevice(0, 0, device_id)

    @staticmethod
    def cpu() -> int:
        """The type of the processor."""
        return 0

    @staticmethod
    def cuda() -> int:
        """The type of a device that there is not."""
        return 1

    gpu = dml = webgpu = cuda

    @staticmethod
    def npu() -> int:
        """The type of a device that there is not."""
        return 3

    cann = npu

    @staticmethod
    def fpga() -> int:
        """The type of a device that there is not."""
        return 2

    @staticmethod
    def default_memory() -> int:
        """The only kind of memory."""
        return 0

    def device_type(self) -> int:
        """0: the processor."""
        return self._device_type

    def mem_type(self) -> int:
        """0: the default."""
        return self._memory_type

    def vendor_id(self) -> int:
        """0: none."""
        return 0

    def device_id(self) -> int:
        """Which of the devices of its type."""
        return self._device_id


def on_processor(device_type: Any) -> None:
    """Other devices are refused."""
    name = device_type if isinstance(device_type, str) else 'cpu' if getattr(
        device_type, 'device_type', lambda: device_type)() == 0 else repr(device_type)
    if name.lower().split(':')[0] != 'cpu':
        raise RuntimeException('UNSUPPORTED', f"memory of '{name}', expected that of 'cpu'")


def element_type_of(given: Any) -> int:
    """ONNX's number of an element type that is given as that, or as a type of numpy."""
    if isinstance(given, (int, np.integer)):
        if int(given) in DTYPES:
            return int(given)
    else:
        try:
            dtype: np.dtype[Any] = np.dtype(given)
        except TypeError:
            dtype = np.dtype('V1')
        if dtype.kind in 'SUO':
            return STRING
        if dtype in NUMBERS:
            return NUMBERS[dtype]
    raise InvalidArgument('TYPE', f'{given!r} is no element type of ONNX')


def array_at(address: int, element_type: Any, shape: Sequence[int]) -> np.ndarray[Any, Any]:
    """An array over memory of the program."""
    number = element_type_of(element_type)
    if number == STRING:
        raise NotImplemented('UNSUPPORTED', 'strings cannot be bound by an address')
    dtype, dims = DTYPES[number], tuple([int(dim) for dim in shape])
    count = 1
    for dim in dims:
        count *= dim
    if min(dims, default=0) < 0 or (count and not address):
        raise InvalidArgument('ARGUMENT', f'memory at {address} of shape {dims}')
    if not count:
        return np.empty(dims, dtype)
    memory: Any = (ctypes.c_char * (count * dtype.itemsize)).from_address(int(address))
    return np.frombuffer(memory, dtype).reshape(dims)


class OrtValue:
    """A tensor over an array, which is not copied, or a sequence, a map or an optional."""

    def __init__(self, value: Any, type: Optional[str] = None) -> None:
        if isinstance(value, np.ndarray):
            self._type = type or f'tensor({type_name(element_type_of(value.dtype))})'
        else:
            self._type = type or ''
        self._value = value

    @staticmethod
    def ortvalue_from_numpy(numpy_obj: Any, device_type: Any = 'cpu', device_id: int = 0) -> 'OrtValue':
        """A tensor over the array; one that is not dense, or that a function was lent, is copied."""
        on_processor(device_type)
        array = np.asarray(numpy_obj)
        return OrtValue(array.copy('C') if is_lent(array) or not array.flags.c_contiguous else array)

    @staticmethod
    def ortvalue_from_numpy_with_onnx_type(data: np.ndarray[Any, Any], onnx_element_type: int) -> 'OrtValue':
        """The same of an element type that numpy has not: the array has its bits."""
        number = element_type_of(onnx_element_type)
        if DTYPES[number].itemsize != data.dtype.itemsize:
            raise InvalidArgument('TYPE', f'an array of {data.dtype}, expected one of {DTYPES[number]}, the bits of '
                                  f'{type_name(number)}')
        return OrtValue(np.ascontiguousarray(data).view(DTYPES[number]), f'tensor({type_name(number)})')

    @staticmethod
    def ortvalue_from_shape_and_type(shape: Sequence[int], element_type: Any, device_type: Any = 'cpu',
                                     device_id: int = 0) -> 'OrtValue':
        """A new tensor, whose elements are zero."""
        on_processor(device_type)
        number = element_type_of(element_type)
        array = np.full(shape, '', object) if number == STRING else np.zeros(shape, DTYPES[number])
        return OrtValue(array, f'tensor({type_name(number)})')

    @staticmethod
    def ortvalue_from_shape_and_onnx_type(shape: Sequence[int], element_type: int, device_type: Any = 'cpu',
                                          device_id: int = 0) -> 'OrtValue':
        """As ortvalue_from_shape_and_type, with ONNX's number of the type."""
        return OrtValue.ortvalue_from_shape_and_type(shape, element_type, device_type, device_id)

    as_sparse_tensor = refused('OrtValue.as_sparse_tensor')

    @staticmethod
    def ort_value_from_sparse_tensor(sparse_tensor: Any) -> 'OrtValue':
        """Refused: NotImplemented."""
        raise NotImplemented('UNSUPPORTED', 'there are no sparse tensors at run time')

    @staticmethod
    def from_dlpack(data: Any, is_bool_tensor: bool = False) -> 'OrtValue':
        """A tensor over the memory of another library's."""
        with as_theirs:
            array, number = _dlpack.view(data, 'the tensor')
        if is_bool_tensor and number not in (2, BOOL):
            raise InvalidArgument('TYPE', f'the tensor is of {type_name(number)}, expected uint8, the bytes of bool')
        if is_bool_tensor:
            array, number = array.view(np.bool_), BOOL
        return OrtValue(array, f'tensor({type_name(number)})')

    @property
    def _ortvalue(self) -> 'OrtValue':
        """Where programs reach for what ONNX Runtime's own value is made over."""
        return self

    @property
    def _array(self) -> np.ndarray[Any, Any]:
        if not isinstance(self._value, np.ndarray):
            raise Fail('TYPE', f'the value is {self._type or "none"}, expected a tensor')
        return self._value

    def numpy(self) -> np.ndarray[Any, Any]:
        """The array of a tensor."""
        return self._array

    def data_ptr(self) -> int:
        """Where the elements lie."""
        return int(self._array.ctypes.data)

    def shape(self) -> List[int]:
        """The dims of a tensor."""
        return list(self._array.shape)

    def data_type(self) -> str:
        """Such as 'tensor(float)'."""
        return self._type

    def element_type(self) -> int:
        """ONNX's number."""
        return number_named(self._type[len('tensor('):-1])

    def device_name(self) -> str:
        """'cpu'."""
        return 'cpu'

    def tensor_size_in_bytes(self) -> int:
        """Of a tensor's elements."""
        return int(self._array.nbytes)

    def is_tensor(self) -> bool:
        """Is it a tensor?"""
        return isinstance(self._value, np.ndarray)

    def is_tensor_sequence(self) -> bool:
        """Is it a sequence of tensors?"""
        return isinstance(self._value, list) and all([isinstance(item, np.ndarray) for item in self._value])

    def is_sparse_tensor(self) -> bool:
        """No."""
        return False

    def has_value(self) -> bool:
        """False: an empty optional."""
        return self._value is not None

    def update_inplace(self, np_arr: np.ndarray[Any, Any]) -> None:
        """Writes the elements of an array of the same size and type."""
        array = self._array
        if not isinstance(np_arr, np.ndarray) or np_arr.dtype != array.dtype or np_arr.size != array.size:
            raise InvalidArgument('SHAPE', f'an array of {np.shape(np_arr)}, expected {array.shape} of {array.dtype}')
        self._write(np_arr.reshape(array.shape), 'update_inplace')

    def _has_type(self, wanted: str) -> bool:
        """May a value of that type be this one? An array of uint16 may be bfloat16, whose bits it has, and not the other way."""
        if self._type == wanted:
            return True
        own, other = self.element_type(), number_named(wanted[len('tensor('):-1])
        return own in NUMBERS.values() and other in DTYPES and DTYPES[own] == DTYPES[other]

    def _write(self, array: Any, what: str) -> None:
        if not self._array.flags.writeable:
            raise InvalidArgument('ARGUMENT', f'{what}: the array cannot be written')
        if self._array.shape != array.shape or self._array.dtype != array.dtype:
            raise InvalidArgument('SHAPE', f'{what} has {array.dtype}{list(array.shape)}, expected '
                                  f'{self._array.dtype}{self.shape()}')
        self._array[...] = array

    def to_dlpack(self, *about: Any) -> Any:
        """A capsule of the tensor, which shares its memory."""
        return self.__dlpack__()

    def __dlpack__(self, *, stream: Any = None, copy: Optional[bool] = None, **about: Any) -> Any:
        return _dlpack.capsule_of(self._array.copy() if copy else self._array, self.element_type())

    def __dlpack_device__(self) -> Tuple[int, int]:
        return 1, 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return np.asarray(self._array, dtype)

    def __repr__(self) -> str:
        return f'<OrtValue {self._type}>'


def plain(value: Any, wanted: str = '', name: str = '') -> Any:
    """What an ocellus.Session takes for what a program gives for the input of that name, which is of the type wanted."""
    if isinstance(value, OrtValue):
        if value.is_tensor() and wanted.startswith('tensor(') and not value._has_type(wanted):
            raise InvalidArgument('TYPE', f"input '{name}' is {value._type}, expected {wanted}")
        return value._value
    if isinstance(value, list) and any([isinstance(item, OrtValue) for item in value]):
        return [plain(item) for item in value]
    return value
