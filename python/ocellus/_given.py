# SPDX-License-Identifier: Apache-2.0
"""What a program gives in place of the files that hold a model's external data."""
from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Set

import numpy as np

from ._library import text
from ._values import Array

BITS = {21: 4, 22: 4, 23: 4, 25: 2, 26: 2}  # the numbers of types that files pack, and the bits of an element there


def bytes_in_file(array: Array, number: int) -> Array:
    """The elements as files have them, little-endian and dense; an array of them itself where it is so."""
    bits = BITS.get(number)
    if bits is None:
        return np.ascontiguousarray(array, array.dtype.newbyteorder('<'))
    each = 8 // bits
    flat = np.zeros((array.size + each - 1) // each * each, np.uint8)
    flat[:array.size] = array.reshape(-1).view(np.uint8) & ((1 << bits) - 1)
    packed = np.zeros(flat.size // each, np.uint8)
    for i in range(each):
        packed |= flat[i::each] * np.uint8(1 << i * bits)
    return packed


class Given:
    """Tensors by their names, and the bytes of files by their locations. The library asks for each tensor of a model that is
    in a file of external data; of one that is given no file is opened."""

    def __init__(self, tensors: Mapping[str, Array], files: Mapping[str, Array]) -> None:
        self.tensors, self.files = dict(tensors), dict(files)
        self.taken: Set[str] = set()  # the names of the tensors that the model has
        self.wrong: Dict[str, int] = {}  # the names of those of another size -> the bytes that the model expects

    def find(self, ctx: Any, name: bytes, location: bytes, offset: int, size: int) -> Optional[int]:
        """What the library calls: the address of the bytes; None: they are not given."""
        known = text(name)
        tensor = self.tensors.get(known)
        if tensor is not None:
            if tensor.nbytes != size:
                self.wrong[known] = size
                return None
            self.taken.add(known)
            return int(tensor.ctypes.data)
        file = self.files.get(os.path.normpath(text(location)))
        return int(file.ctypes.data) + offset if file is not None and offset + size <= file.nbytes else None
