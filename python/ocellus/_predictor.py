# SPDX-License-Identifier: Apache-2.0
"""A predictor: from a photograph to what a network says of it."""
from __future__ import annotations

import ctypes
import logging
import os
from functools import partial
from itertools import repeat
from typing import Any, Dict, Iterable, List, Mapping, Optional, Protocol, Sequence, Tuple, TypeVar, Union, overload

import numpy as np

from . import _library as c
from . import _predict_library as p
from ._answer import Answer
from ._interrupts import aside
from ._library import Error, chars, check, lib, path_chars, shown, text, whole
from ._model import Copied, Model, Source
from ._session import Session, _Native
from ._values import Array, as_array

Self = TypeVar('Self', bound='Predictor')
Numbers = Union[float, str, Sequence[float], None]


class HasArray(Protocol):
    """An array, or a tensor of another library."""

    @property
    def __array__(self) -> Any: ...


class HasSamples(Protocol):
    """An image of Pillow's."""

    @property
    def __array_interface__(self) -> Any: ...


Picture = Union[str, 'os.PathLike[str]', bytes, bytearray, memoryview, HasArray, HasSamples]
Several = Union[List[Any], Tuple[Any, ...]]
UINT8 = 2  # ONNX's number of the type
SESSION_OPTIONS = frozenset(Session.__init__.__kwdefaults__ or ())
LOGGER = logging.getLogger('ocellus')
ORIENTATION = 0x0112  # Exif's number of how a picture is turned


def _number(value: Any, what: str, kind: Any) -> Any:
    """A pointer to a number; None: NULL."""
    if value is None:
        return None
    if kind is ctypes.c_int64:
        return ctypes.pointer(kind(whole(value, what, 0, 2 ** 63 - 1)))
    try:
        return ctypes.pointer(kind(float(value)))
    except (TypeError, ValueError, OverflowError) as e:
        raise Error('ARGUMENT', f'{what} is {shown(value)}, expected a number') from e


def _numbers(value: Any, what: str) -> Optional[bytes]:
    """A number, or several, as the command's option has them: '0.485,0.456,0.406'."""
    if value is None or isinstance(value, str):
        return chars(value, what)
    try:
        return ','.join([repr(float(x)).removesuffix('.0') for x in np.atleast_1d(value)]).encode()
    except (TypeError, ValueError) as e:
        raise Error('ARGUMENT', f'{what} is {shown(value)}, expected a number, or one for each channel') from e


def _names(labels: Any) -> List[bytes]:
    try:
        given = list(labels)
    except TypeError as e:
        raise Error('ARGUMENT', f'labels is {shown(labels)}, expected a path, or names') from e
    return [chars(name, 'a name of labels') or b'' for name in given]


def _options(path: Optional[bytes], given: Mapping[str, Any]) -> p.oc_predictor_options:
    o = p.oc_predictor_options(path=path)
    labels = given['labels']
    if isinstance(labels, (str, bytes, os.PathLike)) or labels is None:
        o.labels = path_chars(labels, 'labels')
    else:
        names = _names(labels)
        o.names, o.n_names = (ctypes.c_char_p * (len(names) + 1))(*names), len(names)
    o.config = path_chars(given['config'], 'config')
    setattr(o, 'as', chars(given['as_'], 'as_'))
    for name in 'picture', 'preset', 'resize', 'image_resize', 'image_channels', 'image_layout':
        setattr(o, name, chars(given[name], name))
    for name in 'image_scale', 'image_mean', 'image_std':
        setattr(o, name, _numbers(given[name], name))
    fill = given['image_fill']
    o.image_fill = None if fill is None else str(whole(fill, 'image_fill', 0, 255)).encode()
    o.image_multiple = whole(given['image_multiple'], 'image_multiple', 0, 2 ** 31 - 1)
    o.image_no_enlarge = bool(given['image_no_enlarge'])
    for name, kind in ('least', ctypes.c_double), ('overlap', ctypes.c_double), ('top', ctypes.c_int64):
        pointer = _number(given[name], name, kind)
        if pointer is not None:
            setattr(o, name, pointer)
    return o


def _path_of(model: Model) -> Optional[bytes]:
    """The path of the file that the model was loaded from; None: it was not."""
    make, arguments = model._recipe or ('', ())
    path: Optional[bytes] = arguments[0] if make == '_load' and not arguments[1] else None
    return path


def _made(network: Model, given: Mapping[str, Any]) -> Any:
    """The predictor of the library."""
    e, options = c.oc_error(), _options(_path_of(network), given)
    pointer = network._pointer
    handle = aside(p.predict().oc_predictor_new_sized, pointer, options, ctypes.sizeof(options), e)
    check(e)
    return handle


class _Joined(Model):
    """The network of a predictor with its decoder."""

    def _of(self, handle: Any, network: Model, given: Mapping[str, Any]) -> None:
        pointer = ctypes.c_void_p(p.predict().oc_predictor_model(handle))
        self._describe(pointer)
        self._recipe = '_of_options', (network, given)
        self._loaded = (handle, network._loaded), None, pointer

    def _of_options(self, network: Model, given: Mapping[str, Any]) -> None:
        self._of(_made(network, given), network, given)


# ---- pictures ----

def _is_pil(picture: Any) -> bool:
    return all([hasattr(picture, name) for name in ('mode', 'size', 'convert', 'getbands')])


def _of_pil(picture: Any) -> Tuple[Array, int]:
    """The samples of an image of Pillow's, and how Exif says that it is turned."""
    mode = picture.mode
    try:
        turn = int(picture.getexif().get(ORIENTATION, 0))
    except Exception:  # what is damaged there does not matter to the picture
        turn = 0
    if mode not in ('L', 'LA', 'RGB', 'RGBA'):
        if mode not in ('1', 'P', 'PA', 'CMYK', 'YCbCr', 'HSV', 'LAB', 'La', 'RGBa', 'RGBX'):
            raise Error('TYPE', f'the picture is an image of Pillow of the mode {mode}, expected one of 8 bits, as '
                                "image.convert('RGB') makes")
        is_clear = mode in ('PA', 'La', 'RGBa') or 'transparency' in getattr(picture, 'info', {})
        picture = picture.convert('RGBA' if is_clear else 'RGB')
    return np.asarray(picture), turn if 1 <= turn <= 8 else 0


def _of_array(given: Any) -> Array:
    """Rows of samples."""
    array = as_array(given, UINT8, 'picture')
    if array.dtype != np.uint8:
        raise Error('TYPE', f'the picture is an array of {array.dtype}, expected uint8: samples from 0 to 255')
    is_like = array.ndim == 2 or array.ndim == 3 and array.shape[2] in (1, 2, 3, 4)
    if not is_like:
        hint = ''
        if array.ndim == 3 and array.shape[0] in (1, 3, 4):
            hint = ': channels come last, as array.transpose(1, 2, 0) has them'
        elif array.ndim == 4:
            hint = ': a batch is given as a list of pictures'
        raise Error('SHAPE', f'the picture is an array of shape {array.shape}, expected height x width, or height x width x '
                             f'1, 2, 3 or 4{hint}')
    return array


class _Run:
    """A run of a session on one photograph."""

    def __init__(self, photograph: Any, inputs: Mapping[str, Any]) -> None:
        self.photograph, self.inputs = photograph, inputs

    def bind(self, native: _Native) -> None:
        for name, given in self.inputs.items():
            native.bind(name, given)
        native.photographs.append(self.photograph)  # the session has it until it gets another one
        p.predict().oc_photograph_bind(self.photograph, native.pointer, native.e)
        check(native.e)
        del native.photographs[:-1]

    def take(self, native: _Native) -> Any:
        answer = p.predict().oc_photograph_answer(self.photograph, native.pointer, native.e)
        check(native.e)
        return answer


class Predictor(Copied):
    """From a photograph to what a network says of it: boxes, masks, points, labels, text.

        predictor = ocellus.Predictor('yolov8n.onnx')
        answer = predictor('photo.jpg')
        for found in answer:
            print(found.name, found.score, found.box)
        answer.draw('drawn.jpg')

    It does what the command `ocellus predict` does, with the same bits: what the outputs mean is told by the network's exporter
    or by their shapes, and so is how photographs are prepared; decoder, why and prepared tell what was found out, which
    logging.getLogger('ocellus') gets at INFO, and at WARNING what of the exporter's files cannot be read.

    model is a Model or what Model takes. The other arguments are the command's options: as_ names the decoder (decoders() has
    them all), picture the input that takes the photograph, config a file or folder with what the exporter tells, labels a
    file with the name of each label on a line, or a list of names; least is the least score of an object, overlap the
    intersection over union above which a box of the same label is left out, top the most objects or classes. preset,
    resize (a filter) and image_... tell how photographs become tensors, where the exporter does not. inputs is a dict of
    name to array for inputs that are no photograph. All other keywords are those of Session: threads, memory_cap,
    deadline, cancel, log ...

    Predictors serve one thread at a time, as sessions do; copies of one share the network."""

    _own = frozenset(('network', '_given', '_inputs', '_session_options', '_has_loaded', '_handle', '_session', '_joined'))
    _session: Optional[Session] = None
    _given: Optional[Mapping[str, Any]] = None
    _has_loaded = False

    def __init__(self, model: Union[Model, Source], *, as_: Optional[str] = None, picture: Optional[str] = None,
                 config: Union[str, 'os.PathLike[str]', None] = None,
                 labels: Union[str, 'os.PathLike[str]', Iterable[str], None] = None, least: Optional[float] = None,
                 overlap: Optional[float] = None, top: Optional[int] = None, preset: Optional[str] = None,
                 resize: Optional[str] = None, image_resize: Optional[str] = None, image_fill: Optional[int] = None,
                 image_scale: Numbers = None, image_mean: Numbers = None, image_std: Numbers = None,
                 image_channels: Optional[str] = None, image_layout: Optional[str] = None, image_multiple: int = 0,
                 image_no_enlarge: bool = False, inputs: Optional[Mapping[str, Any]] = None, **session: Any) -> None:
        given = {name: value for name, value in locals().items()
                 if name not in ('self', 'model', 'inputs', 'session') and not name.startswith('__')}
        for name in session:
            if name not in SESSION_OPTIONS:
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument '{name}'")
        if labels is not None and not isinstance(labels, (str, bytes, os.PathLike)):
            given['labels'] = [text(name) for name in _names(labels)]
        if inputs is not None and not isinstance(inputs, Mapping):
            raise Error('ARGUMENT', f'inputs is {shown(inputs)}, expected a dict of name to array')
        has_loaded = not isinstance(model, Model)
        if not isinstance(model, Model):
            model = Model(model, memory_cap=session.get('memory_cap'), deadline=session.get('deadline'))
        self._begin(model, given, dict(inputs or {}), session, has_loaded)

    def _begin(self, network: Model, given: Mapping[str, Any], inputs: Mapping[str, Any], session: Mapping[str, Any],
               has_loaded: bool = False) -> None:
        handle, joined = _made(network, given), _Joined.__new__(_Joined)
        joined._of(handle, network, given)
        self._session = Session(joined, **session)
        self.network, self._given, self._inputs, self._session_options = network, given, inputs, session
        self._handle, self._joined, self._has_loaded = handle, joined, has_loaded
        LOGGER.info('decoder %s, by %s; photographs %s', self.decoder, self.why, self.prepared)
        for remark in self.remarks:
            LOGGER.warning('%s', remark)

    # ---- what was found out ----

    def _text(self, fact: int) -> str:
        self._running()
        found: str = text(p.predict().oc_predictor_text(self._handle, fact))
        return found

    @property
    def decoder(self) -> str:
        """The name of the decoder of the network's outputs."""
        return self._text(p.DECODER)

    @property
    def why(self) -> str:
        """How the decoder was chosen."""
        return self._text(p.WHY)

    @property
    def prepared(self) -> str:
        """How photographs become tensors, and who tells that."""
        return self._text(p.PREPARED)

    @property
    def picture(self) -> str:
        """The name of the input that takes the photograph."""
        return self._text(p.INPUT)

    @property
    def remarks(self) -> Tuple[str, ...]:
        """What of the exporter's files could not be read."""
        self._running()
        found: List[str] = []
        while (remark := p.predict().oc_predictor_remark(self._handle, len(found))) is not None:
            found.append(text(remark))
        return tuple(found)

    @property
    def names(self) -> Tuple[Optional[str], ...]:
        """The name of each label; None for one that nobody tells."""
        self._running()
        n = p.predict().oc_predictor_n_names(self._handle)
        return tuple([text(p.predict().oc_predictor_name(self._handle, i)) for i in range(n)])

    @property
    def model(self) -> Model:
        """The network with its decoder behind it, of plain nodes: what `ocellus predict --save` writes."""
        self._running()
        return self._joined.expand('native')

    @staticmethod
    def decoders() -> Dict[str, str]:
        """The names of all decoders, with whose networks they are for."""
        found: Dict[str, str] = {}
        about = ctypes.c_char_p()
        while (name := p.predict().oc_decoder_at(len(found), about)) is not None:
            found[text(name)] = text(about.value)
        return found

    # ---- photographs ----

    @overload
    def __call__(self, picture: Picture, beside: Optional[Picture] = None) -> Answer: ...

    @overload
    def __call__(self, picture: Several, beside: Optional[Several] = None) -> List[Answer]: ...

    def __call__(self, picture: Union[Picture, Several],
                 beside: Union[Picture, Several, None] = None) -> Union[Answer, List[Answer]]:
        """The answer for a photograph: the path of a file, the bytes of one (bytes), an image of Pillow's, or an array of
        uint8, height x width, or height x width x 3 (red, green, blue) or 4 (and alpha). A list of them gives a list. beside is
        the second photograph of networks that take two, such as the next frame of a film; for a list it is a list of as
        many: predictor(frames[:-1], frames[1:])."""
        firsts, seconds = [len(given) if isinstance(given, (list, tuple)) else None for given in (picture, beside)]
        if beside is not None and firsts != seconds:
            told = ['one picture' if n is None else f'a list of {n}' for n in (firsts, seconds)]
            raise Error('ARGUMENT', f'the first photograph is {told[0]}, the second {told[1]}: expected '
                                    'predictor(first, second), or two lists of as many pictures')
        if not isinstance(picture, (list, tuple)):
            return self._answer(picture, beside)
        return [self._answer(*pair) for pair in zip(picture, beside if isinstance(beside, (list, tuple)) else repeat(None))]

    def _answer(self, picture: Any, beside: Any = None) -> Answer:
        session, handle = self._running(), self._handle
        owner = handle, self.network._loaded  # what an answer needs, and photographs too
        photograph = self._photograph(handle, picture)
        second = text(p.predict().oc_predictor_text(handle, p.BESIDE))
        if beside is None and second is not None and second not in self._inputs:
            raise Error('ARGUMENT', 'the network takes two photographs: expected predictor(first, second), two lists such '
                                    f"as predictor(frames[:-1], frames[1:]), or in inputs an array for '{second}'")
        if beside is not None:
            e = c.oc_error()
            p.predict().oc_photograph_put_beside(photograph, self._photograph(handle, beside), e)
            check(e)
        answer = session._predict(_Run(photograph, self._inputs))
        return Answer(answer, owner, isinstance(picture, (str, os.PathLike)))

    def _photograph(self, handle: Any, picture: Any) -> Any:
        e = c.oc_error()
        call: Any
        if isinstance(picture, (str, os.PathLike)):
            call = partial(p.predict().oc_photograph_read, handle, path_chars(picture, 'the picture'))
        elif isinstance(picture, (bytes, bytearray, memoryview)):
            data = bytes(picture)
            call = partial(p.predict().oc_photograph_decode, handle, data, len(data))
        else:
            turn = 0
            if _is_pil(picture):
                picture, turn = _of_pil(picture)
            elif not (hasattr(picture, '__array__') or hasattr(picture, '__dlpack__')
                      or hasattr(picture, '__array_interface__')):
                raise Error('ARGUMENT', f'the picture is {shown(picture)}, expected a path, bytes, an array or an image of '
                                        'Pillow, or a list of them')
            array = _of_array(picture)
            height, width = array.shape[:2]
            channels = array.shape[2] if array.ndim == 3 else 1
            call = partial(p.predict().oc_photograph_take, handle, array.ctypes.data, height, width, channels, turn)
        made = call(e)
        check(e)
        return made

    # ---- its life ----

    def _running(self) -> Session:
        if self._session is None:
            raise Error('ARGUMENT', 'the predictor is closed, or was never made')
        return self._session

    def close(self) -> None:
        """Frees the predictor, once a run in another thread has ended, and the network if the predictor has loaded that. It
        cannot be used afterwards; its answers can."""
        session, self._session = self._session, None
        if session is not None:
            session.close()
            if self._has_loaded:
                self.network.close()
            del self._handle, self._joined

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._session is None:
            return '<ocellus.Predictor that is closed, or was never made>'
        return f'<ocellus.Predictor of {self.network!r} by the decoder {self.decoder}>'

    def _state(self) -> Any:
        self._running()
        return self.network, self._given, self._inputs, self._session_options

    def __copy__(self: Self) -> Self:
        self._has_loaded = False  # the copy has the network, too
        made = type(self).__new__(type(self))
        made._begin(*self._state())
        vars(made).update(self._extras())
        return made

    def __deepcopy__(self: Self, memo: Dict[int, Any]) -> Self:
        return self.__copy__()

    def __getstate__(self) -> Any:
        return self._state(), self._extras()

    def __setstate__(self, state: Any) -> None:
        made, extras = state
        self._begin(*made)
        vars(self).update(extras)
