# SPDX-License-Identifier: Apache-2.0
"""The library libocellus_predict, its structs and its calls, as ocellus_predict.h declares them. It is loaded when a predictor
is made: it needs the libraries of PNG, JPEG and WebP, which the rest of the package does not."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint8, c_void_p
from threading import Lock
from typing import Any, Dict, List, Optional, Tuple

from ._library import ERROR, MODEL, SESSION, _owned, oc_writer


class oc_predictor_options(Structure):
    _fields_ = [('path', c_char_p), ('as', c_char_p), ('picture', c_char_p), ('config', c_char_p), ('labels', c_char_p),
                ('names', POINTER(c_char_p)), ('n_names', c_int), ('least', POINTER(c_double)),
                ('overlap', POINTER(c_double)), ('top', POINTER(c_int64)), ('preset', c_char_p), ('resize', c_char_p),
                ('image_resize', c_char_p), ('image_fill', c_char_p), ('image_scale', c_char_p),
                ('image_mean', c_char_p), ('image_std', c_char_p), ('image_channels', c_char_p),
                ('image_layout', c_char_p), ('image_multiple', c_int), ('image_no_enlarge', c_bool)]


class oc_answer_info(Structure):
    _fields_ = [('width', c_int), ('height', c_int), ('input_width', c_int), ('input_height', c_int),
                ('fit', c_double * 4), ('n', c_int), ('boxes', c_void_p), ('scores', c_void_p), ('labels', c_void_p),
                ('n_points', c_int), ('points', c_void_p), ('corners', c_void_p), ('grid_width', c_int),
                ('grid_height', c_int), ('masks', c_void_p), ('classes', c_void_p), ('flow', c_void_p),
                ('depth', c_void_p), ('text', c_char_p)]


class oc_picture(Structure):
    _fields_ = [('width', c_int), ('height', c_int), ('samples', POINTER(c_uint8))]


PREDICTOR = PHOTOGRAPH = ANSWER = c_void_p
DECODER, WHY, PREPARED, INPUT, BESIDE = range(5)
WRITER = POINTER(oc_writer)

# name -> what it returns, and what it takes
CALLS: Dict[str, Tuple[Any, List[Any]]] = {
    'oc_predictor_new_sized': (PREDICTOR, [MODEL, POINTER(oc_predictor_options), c_size_t, ERROR]),
    'oc_predictor_free': (None, [PREDICTOR]),
    'oc_predictor_model': (MODEL, [PREDICTOR]),
    'oc_predictor_text': (c_char_p, [PREDICTOR, c_int]),
    'oc_predictor_remark': (c_char_p, [PREDICTOR, c_int]),
    'oc_predictor_n_names': (c_int, [PREDICTOR]),
    'oc_predictor_name': (c_char_p, [PREDICTOR, c_int64]),
    'oc_decoder_at': (c_char_p, [c_int, POINTER(c_char_p)]),
    'oc_photograph_read': (PHOTOGRAPH, [PREDICTOR, c_char_p, ERROR]),
    'oc_photograph_decode': (PHOTOGRAPH, [PREDICTOR, c_char_p, c_size_t, ERROR]),
    'oc_photograph_take': (PHOTOGRAPH, [PREDICTOR, c_void_p, c_int, c_int, c_int, c_int, ERROR]),
    'oc_photograph_put_beside': (None, [PHOTOGRAPH, PHOTOGRAPH, ERROR]),
    'oc_photograph_free': (None, [PHOTOGRAPH]),
    'oc_photograph_bind': (None, [PHOTOGRAPH, SESSION, ERROR]),
    'oc_photograph_answer': (ANSWER, [PHOTOGRAPH, SESSION, ERROR]),
    'oc_answer_free': (None, [ANSWER]),
    'oc_answer_describe_sized': (None, [ANSWER, POINTER(oc_answer_info), c_size_t]),
    'oc_answer_mask': (None, [ANSWER, c_int, c_void_p, ERROR]),
    'oc_answer_classes': (None, [ANSWER, c_void_p, ERROR]),
    'oc_answer_json': (None, [ANSWER, WRITER, ERROR]),
    'oc_answer_table': (None, [ANSWER, WRITER, ERROR]),
    'oc_answer_draw': (None, [ANSWER, POINTER(oc_picture), ERROR]),
    'oc_answer_draw_png': (None, [ANSWER, c_int, WRITER, ERROR]),
    'oc_answer_draw_file': (None, [ANSWER, c_char_p, ERROR]),
    'oc_answer_crop': (None, [ANSWER, c_int, POINTER(oc_picture), ERROR]),
    'oc_picture_free': (None, [POINTER(oc_picture)]),
}
OWNED = {
    'oc_predictor_free': ('oc_predictor_new_sized',),
    'oc_photograph_free': ('oc_photograph_read', 'oc_photograph_decode', 'oc_photograph_take'),
    'oc_answer_free': ('oc_photograph_answer',),
}
NAME = 'libocellus_predict.so.0'


def _find() -> str:
    """OCELLUS_PREDICT_LIBRARY, or the library beside this file, as in a wheel, or beside the one of OCELLUS_LIBRARY, or
    the one of the system."""
    given = os.environ.get('OCELLUS_PREDICT_LIBRARY')
    if given:
        return given
    other = os.environ.get('OCELLUS_LIBRARY')
    for folder in [os.path.dirname(os.path.abspath(__file__)), *([os.path.dirname(os.path.abspath(other))] if other else [])]:
        if os.path.exists(os.path.join(folder, NAME)):
            return os.path.join(folder, NAME)
    return ctypes.util.find_library('ocellus_predict') or NAME


def _load() -> Any:
    try:
        loaded = ctypes.CDLL(_find())
        for name, (result, arguments) in CALLS.items():
            call = getattr(loaded, name)
            call.restype, call.argtypes = result, arguments
    except (OSError, AttributeError) as e:
        raise ImportError(f'libocellus_predict is not found, or is another version: {e}; install the library, which needs '
                          'those of PNG, JPEG and WebP, or name its file in the environment variable '
                          'OCELLUS_PREDICT_LIBRARY') from e
    for free, makers in OWNED.items():
        kind = _owned(getattr(loaded, free))
        for maker in makers:
            getattr(loaded, maker).restype = kind
    return loaded


_loaded: Optional[Any] = None
_lock = Lock()


def predict() -> Any:
    """The library, which the first call loads."""
    global _loaded
    if _loaded is None:
        with _lock:
            _loaded = _loaded or _load()
    return _loaded
