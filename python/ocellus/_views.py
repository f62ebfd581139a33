# SPDX-License-Identifier: Apache-2.0
"""Arrays over values of the library, which are there only as long as a function of the program's is called.

A program that keeps such an array would read memory that others use by then: what is lent is counted, and asked back. A
session that is run on such an array copies it, for it keeps its inputs."""
from __future__ import annotations

import gc
from functools import partial
from typing import Any, Dict, List, Optional
from weakref import ref

import numpy as np

from ._dlpack import Tensor
from ._library import Error, lib
from ._values import DTYPES, STRING, TENSOR, Array, read, shape_of


class _Memory:
    """What an array is made over; it lives as long as the array and all arrays made of that."""

    def __init__(self, interface: Dict[str, Any]) -> None:
        self.__array_interface__ = interface


_lent: Dict[int, 'ref[_Memory]'] = {}  # the number of each -> a weak reference to it


def is_lent(array: Array) -> bool:
    """Is the array made over memory that a function was lent? A tensor of another library's does not tell what its memory
    belongs to, so its address decides."""
    if not _lent:
        return False
    base: Any = array
    while not isinstance(base, (_Memory, Tensor)) and base is not None:
        base = base.obj if isinstance(base, memoryview) else getattr(base, 'base', None)
    return isinstance(base, _Memory) or isinstance(base, Tensor) and any([
        np.may_share_memory(array, np.asarray(memory)) for memory in [known() for known in list(_lent.values())]
        if memory is not None])


class Lent:
    """The arrays that one call of a function gets."""

    def __init__(self) -> None:
        self._memory: List['ref[_Memory]'] = []

    def over(self, address: int, number: int, shape: Any, writable: bool) -> np.ndarray[Any, Any]:
        """An array over that memory."""
        dtype = DTYPES[number]
        if 0 in shape:
            return np.empty(shape, dtype)
        memory = _Memory({'version': 3, 'typestr': dtype.str, 'shape': shape, 'data': (address, not writable)})
        self._memory.append(ref(memory))
        _lent[id(memory)] = ref(memory, partial(_lent.pop, id(memory)))
        return np.asarray(memory)

    def value(self, value: Optional[int], writable: bool = False) -> Any:
        """A tensor of numbers as an array over it, which is only read unless the library lets it be written; all else
        as a copy. None: there is no value, or it is not stored."""
        if not value:
            return None
        number = lib.oc_value_type(value)
        if lib.oc_value_kind(value) != TENSOR or number == STRING:
            return read(value)
        address = lib.oc_value_mutable_data(value) if writable else None
        shape = shape_of(value)
        data = address or lib.oc_value_data(value)
        return self.over(data, number, shape, bool(address)) if data or 0 in shape else None

    def end(self, whose: str) -> None:
        """Once the function has returned: raises if it has kept an array."""
        if any([memory() is not None for memory in self._memory]):
            gc.collect()  # a circle is not kept
            if any([memory() is not None for memory in self._memory]):
                raise Error('ARGUMENT', f'{whose} has kept an array that it was lent: it is to keep a copy')
