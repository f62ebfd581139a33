# SPDX-License-Identifier: Apache-2.0
"""What a network says of one photograph."""
from __future__ import annotations

import ctypes
import json
import os
from collections import Counter
from functools import cached_property
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple, Union, overload

import numpy as np

from . import _library as c
from . import _predict_library as p
from ._library import check, path_chars, printable, text
from ._values import Array

PREVIEW = 1600  # the most pixels of a side of the picture that a notebook shows


def _written(call: Callable[..., None], *arguments: Any) -> bytes:
    """What a call writes."""
    parts: List[bytes] = []

    def write(ctx: Any, data: Any, size: int) -> bool:
        parts.append(ctypes.string_at(data, size))
        return True

    e = c.oc_error()
    call(*arguments, c.oc_writer(c.WRITE(write)), e)
    check(e)
    return b''.join(parts)


def _pixels(call: Callable[..., None], *arguments: Any) -> Array:
    """Rows of red, green and blue that a call makes."""
    e, found = c.oc_error(), p.oc_picture()
    call(*arguments, found, e)
    check(e)
    made = np.empty((found.height, found.width, 3), np.uint8)
    if made.nbytes:
        ctypes.memmove(made.ctypes.data, found.samples, made.nbytes)
    p.predict().oc_picture_free(found)
    return made


class Found:
    """One object of an answer: its place is in pixels of the photograph."""

    def __init__(self, answer: Answer, number: int) -> None:
        self._answer, self._number = answer, number

    def _of(self, array: Optional[Array]) -> Any:
        return None if array is None else array[self._number]

    @property
    def label(self) -> Optional[int]:
        """The number of its class."""
        label = self._of(self._answer.labels)
        return None if label is None else int(label)

    @property
    def name(self) -> Optional[str]:
        """The name of its class; None: nobody tells it."""
        return None if self.label is None else self._answer._name(self.label)

    @property
    def score(self) -> Optional[float]:
        """How sure the network is, 0 to 1 as a rule."""
        score = self._of(self._answer.scores)
        return None if score is None else float(score)

    @property
    def box(self) -> Optional[Tuple[float, float, float, float]]:
        """Left, top, right and bottom."""
        box = self._of(self._answer.boxes)
        return None if box is None else (float(box[0]), float(box[1]), float(box[2]), float(box[3]))

    @property
    def points(self) -> Optional[Array]:
        """x, y and confidence of each key point."""
        found: Optional[Array] = self._of(self._answer.points)
        return found

    @property
    def corners(self) -> Optional[Array]:
        """x and y of the four corners of a rotated box."""
        found: Optional[Array] = self._of(self._answer.corners)
        return found

    @property
    def mask(self) -> Optional[Array]:
        """Which pixels of the photograph are its own, an array of bool, height x width."""
        return self._answer._mask(self._number) if self._answer._info.masks else None

    def crop(self) -> Array:
        """The object cut out of the photograph, upright where its box is rotated: uint8, height x width x 3."""
        return _pixels(p.predict().oc_answer_crop, self._answer._handle, self._number)

    def __repr__(self) -> str:
        named = str(self.label) if self.name is None else printable(self.name)
        score, box = self.score, self.box
        return (f"<ocellus.Found {'object' if self.label is None else named}{'' if score is None else f' {score:.3f}'}"
                f"{'' if box is None else ' at (' + ', '.join([f'{x:.1f}' for x in box]) + ')'}>")


class Answer:
    """What a network says of one photograph: a sequence of Found, one for each object, and arrays. Those that the network does
    not give are None. Places are in pixels of the photograph as it is seen.

    An answer is true where the network says anything: objects, a text, or classes, flow or depth of the pixels, which are no
    objects. It keeps the photograph's file or samples, from which draw and crop decode it. print shows its table."""

    def __init__(self, handle: Any, owner: Any, has_file: bool) -> None:
        self._handle, self._owner, self._has_file = handle, owner, has_file
        self._info = p.oc_answer_info()
        p.predict().oc_answer_describe_sized(handle, self._info, ctypes.sizeof(self._info))

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError('an ocellus.Answer cannot be copied or pickled; its to_dict() can')

    def _name(self, label: int) -> Optional[str]:
        found: Optional[str] = text(p.predict().oc_predictor_name(self._owner[0], label))
        return found

    def _array(self, address: Optional[int], dtype: Any, *shape: int) -> Optional[Array]:
        """A copy of what lies there."""
        if not address:
            return None
        made = np.empty(shape, dtype)
        if made.nbytes:
            ctypes.memmove(made.ctypes.data, address, made.nbytes)
        return made

    @property
    def width(self) -> int:
        """Of the photograph, in pixels."""
        return int(self._info.width)

    @property
    def height(self) -> int:
        """Of the photograph, in pixels."""
        return int(self._info.height)

    @property
    def fit(self) -> Tuple[float, float, float, float]:
        """How the photograph lies in the network's input: x * fit[0] + fit[2], y * fit[1] + fit[3]."""
        x, y, left, top = self._info.fit
        return x, y, left, top

    @cached_property
    def boxes(self) -> Optional[Array]:
        """Left, top, right and bottom of each object: float32, n x 4."""
        return self._array(self._info.boxes, np.float32, self._info.n, 4)

    @cached_property
    def scores(self) -> Optional[Array]:
        """float32, n, the greatest first."""
        return self._array(self._info.scores, np.float32, self._info.n)

    @cached_property
    def labels(self) -> Optional[Array]:
        """Numbers of classes: int64, n."""
        return self._array(self._info.labels, np.int64, self._info.n)

    @cached_property
    def points(self) -> Optional[Array]:
        """x, y and confidence of the key points of each object: float32, n x points x 3."""
        return self._array(self._info.points, np.float32, self._info.n, self._info.n_points, 3)

    @cached_property
    def corners(self) -> Optional[Array]:
        """x and y of the corners of rotated boxes: float32, n x 4 x 2."""
        return self._array(self._info.corners, np.float32, self._info.n, 4, 2)

    @property
    def masks(self) -> Optional[Array]:
        """Which pixels of the photograph belong to each object: bool, n x height x width, made anew each time."""
        if not self._info.masks:
            return None
        made = np.empty((self._info.n, self.height, self.width), bool)
        for i in range(self._info.n):
            made[i] = self._mask(i)
        return made

    def _mask(self, number: int) -> Array:
        made, e = np.empty((self.height, self.width), bool), c.oc_error()
        p.predict().oc_answer_mask(self._handle, number, made.ctypes.data, e)
        check(e)
        return made

    @cached_property
    def probabilities(self) -> Optional[Array]:
        """Of the masks of objects, as the network gives them over its input: float32, n x rows x columns. An answer without
        masks has none; how sure the network is of a class is in scores."""
        return self._array(self._info.masks, np.float32, self._info.n, self._info.grid_height, self._info.grid_width)

    @cached_property
    def classes(self) -> Optional[Array]:
        """The class of each pixel of the photograph: int64, height x width."""
        if not self._info.classes:
            return None
        made, e = np.empty((self.height, self.width), np.int64), c.oc_error()
        p.predict().oc_answer_classes(self._handle, made.ctypes.data, e)
        check(e)
        return made

    @cached_property
    def flow(self) -> Optional[Array]:
        """Motion in x and y, in pixels of the photograph, over the network's input: float32, 2 x rows x columns."""
        return self._array(self._info.flow, np.float32, 2, self._info.grid_height, self._info.grid_width)

    @cached_property
    def depth(self) -> Optional[Array]:
        """As the network gives it, over its input: float32, rows x columns."""
        return self._array(self._info.depth, np.float32, self._info.grid_height, self._info.grid_width)

    @property
    def text(self) -> Optional[str]:
        """What was read."""
        found: Optional[str] = text(self._info.text)
        return found

    @property
    def _n(self) -> int:
        return 0 if self._info.text and not self._info.boxes else int(self._info.n)

    def __len__(self) -> int:
        return self._n

    def __bool__(self) -> bool:
        """Whether the network says anything: objects, a text, or classes, flow or depth of the pixels."""
        info = self._info
        return bool(self._n or info.text or info.classes or info.flow or info.depth)

    @overload
    def __getitem__(self, number: int) -> Found: ...

    @overload
    def __getitem__(self, number: slice) -> List[Found]: ...

    def __getitem__(self, number: Union[int, slice]) -> Union[Found, List[Found]]:
        try:
            chosen = range(self._n)[number]
        except IndexError:
            raise IndexError('answer index out of range') from None
        except TypeError:
            raise TypeError(f'answer indices must be integers or slices, not {type(number).__name__}') from None
        return Found(self, chosen) if isinstance(chosen, int) else [Found(self, i) for i in chosen]

    def __iter__(self) -> Iterator[Found]:
        return iter([Found(self, i) for i in range(self._n)])

    def draw(self, path: Union[str, bytes, 'os.PathLike[str]', None] = None) -> Array:
        """The photograph with what was found drawn into it: uint8, height x width x 3, larger than the photograph for what
        stands beside or below it. path is a file that it is written to, whose name ends with .png, .jpg or .jpeg."""
        if path is not None:
            e = c.oc_error()
            p.predict().oc_answer_draw_file(self._handle, path_chars(path, 'the path of a picture'), e)
            check(e)
        return _pixels(p.predict().oc_answer_draw, self._handle)

    def to_dict(self) -> Dict[str, Any]:
        """What `ocellus predict --json` tells of the photograph, in types that JSON has. Masks are COCO's runs."""
        told: Dict[str, Any] = json.loads(_written(p.predict().oc_answer_json, self._handle))
        if not self._has_file:
            told['file'] = None
        return told

    def _repr_png_(self) -> bytes:
        return _written(p.predict().oc_answer_draw_png, self._handle, PREVIEW)

    def __str__(self) -> str:
        table: str = _written(p.predict().oc_answer_table, self._handle).decode('utf-8', 'replace')
        return table.rstrip('\n')

    def __repr__(self) -> str:
        if self.text is not None:
            told = f'text {self.text!r}'
        elif self._info.classes or self._info.depth or self._info.flow:
            kinds = [kind for kind in ('classes', 'depth', 'flow') if getattr(self._info, kind)]
            told = ' and '.join(kinds) + ' of its pixels'
        else:
            counts = Counter([str(found.label) if found.name is None else printable(found.name) for found in self])
            told = ', '.join([f'{n} {name}' for name, n in counts.most_common(8)]) or 'nothing found'
            told += f' and {len(counts) - 8} more classes' if len(counts) > 8 else ''
        return f'<ocellus.Answer of {self.width} x {self.height} pixels: {told}>'
