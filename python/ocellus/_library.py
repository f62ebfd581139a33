# SPDX-License-Identifier: Apache-2.0
"""The library libocellus, its structs and its calls, as the headers in include/ declare them.

A struct that grows is laid out here as far as this package knows it, and handed over with its size."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import re
from functools import partial
from operator import index
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Optional, Tuple, Type
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int64, c_size_t,
                    c_uint64, c_void_p, py_object)

MAX_RANK = 16
CONTROL = re.compile('[\0-\x1f\x7f-\x9f\udc80-\udcff]')


# ---- structs ----

class oc_error(Structure):
    _fields_ = [('code', c_int), ('text', c_char * 1020)]


class oc_string(Structure):
    _fields_ = [('data', c_void_p), ('size', c_size_t)]


class oc_allocator(Structure):
    _fields_ = [('resize', c_void_p), ('ctx', c_void_p)]


class oc_parallel(Structure):
    _fields_ = [('run', c_void_p), ('ctx', c_void_p)]


WRITE = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)


class oc_writer(Structure):
    _fields_ = [('write', WRITE), ('ctx', c_void_p)]


class oc_image_decoder(Structure):
    _fields_ = [('decode', c_void_p), ('release', c_void_p), ('ctx', c_void_p)]


CANCEL = CFUNCTYPE(c_bool, c_void_p)


class oc_limits(Structure):
    _fields_ = [('memory_cap', c_size_t), ('max_steps', c_int64), ('deadline', c_double), ('cancel', CANCEL),
                ('cancel_ctx', c_void_p)]


INITIALIZER = CFUNCTYPE(c_void_p, c_void_p, c_char_p, c_char_p, c_int64, c_size_t)


class oc_model_options(Structure):
    _fields_ = [('alloc', oc_allocator), ('limits', oc_limits), ('external', c_void_p), ('external_ctx', c_void_p),
                ('external_dir', c_char_p), ('no_map', c_bool), ('functions', POINTER(c_char_p)),
                ('newer', c_bool), ('initializer', INITIALIZER), ('without_weights', c_bool)]


class oc_port(Structure):
    _fields_ = [('name', c_char_p), ('kind', c_int), ('type', c_int), ('rank', c_int), ('dim', c_int64 * MAX_RANK),
                ('dim_name', c_char_p * MAX_RANK), ('has_default', c_bool), ('key_type', c_int),
                ('dim_denotation', c_char_p * MAX_RANK), ('description', c_char_p)]


class oc_model_info(Structure):
    _fields_ = [('ir_version', c_int64), ('producer_name', c_char_p), ('producer_version', c_char_p),
                ('domain', c_char_p), ('graph_name', c_char_p), ('model_version', c_int64), ('n_opsets', c_int),
                ('n_nodes', c_int), ('n_functions', c_int), ('n_initializers', c_int), ('n_parameters', c_int64),
                ('description', c_char_p), ('graph_description', c_char_p), ('remarks', POINTER(c_char_p)),
                ('n_remarks', c_int)]


class oc_model_operator(Structure):
    _fields_ = [('domain', c_char_p), ('name', c_char_p), ('opset', c_int64), ('since', c_int), ('count', c_int),
                ('support', c_int)]


class oc_weight(Structure):
    _fields_ = [('name', c_char_p), ('type', c_int), ('rank', c_int), ('dim', POINTER(c_int64)), ('bytes', c_size_t),
                ('external', c_bool), ('sparse', c_bool)]


class oc_model_function(Structure):
    _fields_ = [('domain', c_char_p), ('name', c_char_p), ('overload', c_char_p), ('file', c_char_p),
                ('n_calls', c_int)]


class oc_attribute(Structure):
    _fields_ = [('name', c_char_p), ('kind', c_char_p), ('ref', c_char_p), ('n', c_int), ('floats', POINTER(c_float)),
                ('ints', POINTER(c_int64)), ('strings', POINTER(oc_string))]


class oc_node_info(Structure):
    _fields_ = [('name', c_char_p), ('domain', c_char_p), ('op_type', c_char_p), ('opset', c_int64), ('since', c_int),
                ('support', c_int), ('depth', c_int), ('parent', c_int), ('graph', c_char_p), ('n_in', c_int),
                ('n_out', c_int), ('n_attr', c_int), ('in_', POINTER(oc_port)), ('out', POINTER(oc_port)),
                ('attr', c_void_p)]


class oc_cut(Structure):
    _fields_ = [('name', c_char_p), ('value', c_void_p)]


class oc_link(Structure):
    _fields_ = [('from_', c_char_p), ('to', c_char_p)]


class oc_body_options(Structure):
    _fields_ = [('policy', c_int), ('only', c_char_p), ('kernels_first', c_bool), ('own', c_void_p)]


LOG = CFUNCTYPE(None, c_size_t, c_char_p)  # ctx is a number here: always 0


ON_NODE = CFUNCTYPE(None, py_object, c_void_p)  # ctx is an object, whose method is called in C


class oc_observer(Structure):
    _fields_ = [('on_node', ON_NODE), ('on_node_ctx', c_void_p), ('view', c_int), ('log', LOG), ('log_ctx', c_void_p)]


class oc_unfused(c_int):
    """A number that UNFUSED has a word for."""


UNFUSED = {'exact': 0, 'fast': 1}


class oc_session_options(Structure):
    # Written from ocellus.h by "python3 tests/house/session_options.py . cc --write":
    _fields_ = [('limits', oc_limits), ('bodies', oc_body_options), ('observer', oc_observer), ('threads', c_int),
                ('parallel', oc_parallel), ('cpu', c_char_p), ('ops', c_void_p), ('seed', c_uint64),
                ('op_options', c_char_p), ('image_decoder', oc_image_decoder), ('exact_conv', c_bool),
                ('no_reuse', c_bool), ('no_fusion', c_bool), ('no_nchw16c', c_bool), ('no_folding', c_bool),
                ('exact_quant', c_bool), ('unfused', oc_unfused)]
    # end


OP = CFUNCTYPE(c_int, c_void_p)


class oc_op(Structure):
    _fields_ = [('since', c_int), ('signature', c_char_p), ('shape', OP), ('run', OP), ('prepare', OP),
                ('context', c_void_p)]


class oc_op_attribute(Structure):
    _fields_ = [('name', c_char_p), ('kind', c_char_p), ('required', c_bool), ('has_default', c_bool)]


class oc_op_port(Structure):
    _fields_ = [('name', c_char_p), ('optional', c_bool), ('variadic', c_bool), ('mixed', c_bool), ('variable', c_int),
                ('types', c_uint64 * 6)]


class oc_op_info(Structure):
    _fields_ = [('version', POINTER(oc_op)), ('domain', c_char_p), ('name', c_char_p), ('label', c_char_p),
                ('ports', c_char_p), ('random', c_bool), ('n_attributes', c_int), ('n_inputs', c_int),
                ('n_outputs', c_int), ('n_variables', c_int), ('attribute', POINTER(oc_op_attribute)),
                ('input', POINTER(oc_op_port)), ('output', POINTER(oc_op_port)), ('variable', c_void_p)]


class oc_node_event(Structure):
    _fields_ = [('begin', c_bool), ('depth', c_int), ('sequence', c_int64), ('name', c_char_p), ('domain', c_char_p),
                ('op_type', c_char_p), ('since', c_int), ('n_in', c_int), ('n_out', c_int), ('in_', POINTER(c_void_p)),
                ('out', POINTER(c_void_p)), ('out_name', POINTER(c_char_p)), ('nanoseconds', c_int64),
                ('fused_into', c_char_p), ('runs', c_char_p), ('fused_output', c_char_p)]


class oc_session_stats(Structure):
    _fields_ = [('live_bytes', c_size_t), ('peak_bytes', c_size_t), ('own_bytes', c_size_t), ('plan_bytes', c_size_t),
                ('steps', c_int64), ('n_steps', c_int), ('n_fused', c_int), ('n_folded', c_int), ('cpu', c_char_p),
                ('products', c_char_p)]


TELL_NODE = CFUNCTYPE(None, c_void_p, POINTER(oc_node_info))
TELL_LINE = CFUNCTYPE(None, c_void_p, c_int, c_char_p)

# ---- calls ----

VALUE = MODEL = SESSION = CALL = c_void_p  # borrowed; OWNED tells which are not
ERROR = POINTER(oc_error)
DIMS = c_void_p

# name -> what it returns, and what it takes
CALLS: Dict[str, Tuple[Any, List[Any]]] = {
    'oc_version': (c_char_p, []),
    'oc_status_name': (c_char_p, [c_int]),
    'oc_status_text': (c_char_p, [c_int]),
    'oc_type_name': (c_char_p, [c_int]),
    'oc_tensor_new': (VALUE, [c_int, c_int, DIMS, c_void_p, ERROR]),
    'oc_tensor_set_string': (None, [VALUE, c_int64, c_char_p, c_size_t, ERROR]),
    'oc_sequence_new': (VALUE, [c_int, c_int64, POINTER(VALUE), c_void_p, ERROR]),
    'oc_optional_new': (VALUE, [c_int, VALUE, c_void_p, ERROR]),
    'oc_value_free': (None, [VALUE]),
    'oc_value_kind': (c_int, [VALUE]),
    'oc_value_type': (c_int, [VALUE]),
    'oc_value_rank': (c_int, [VALUE]),
    'oc_value_dims': (DIMS, [VALUE]),
    'oc_value_count': (c_int64, [VALUE]),
    'oc_value_data': (c_void_p, [VALUE]),
    'oc_value_mutable_data': (c_void_p, [VALUE]),
    'oc_value_item': (VALUE, [VALUE, c_int64]),
    'oc_model_load_sized': (MODEL, [c_char_p, POINTER(oc_model_options), c_size_t, ERROR]),
    'oc_model_load_memory_sized': (MODEL, [c_char_p, c_size_t, POINTER(oc_model_options), c_size_t, ERROR]),
    'oc_model_free': (None, [MODEL]),
    'oc_model_n_inputs': (c_int, [MODEL]),
    'oc_model_n_outputs': (c_int, [MODEL]),
    'oc_model_input_sized': (None, [MODEL, c_int, POINTER(oc_port), c_size_t]),
    'oc_model_output_sized': (None, [MODEL, c_int, POINTER(oc_port), c_size_t]),
    'oc_model_describe_sized': (None, [MODEL, POINTER(oc_model_info), c_size_t]),
    'oc_model_opset': (c_char_p, [MODEL, c_int, POINTER(c_int64)]),
    'oc_model_operator_at_sized': (c_bool, [MODEL, c_int, POINTER(oc_model_operator), c_size_t]),
    'oc_model_examine': (None, [MODEL, TELL_LINE, c_void_p, ERROR]),
    'oc_model_metadata': (c_char_p, [MODEL, c_int, POINTER(c_char_p)]),
    'oc_model_function_at': (c_bool, [MODEL, c_int, POINTER(oc_model_function)]),
    'oc_model_weight_at': (c_bool, [MODEL, c_int, POINTER(oc_weight)]),
    'oc_model_visit_sized': (None, [MODEL, POINTER(oc_port), c_size_t, TELL_NODE, c_void_p, ERROR]),
    'oc_node_attribute': (oc_attribute, [POINTER(oc_node_info), c_int]),
    'oc_node_write_attribute': (None, [POINTER(oc_node_info), c_int, POINTER(oc_writer), ERROR]),
    'oc_model_save': (None, [MODEL, c_int, POINTER(oc_writer), ERROR]),
    'oc_model_save_file': (None, [MODEL, c_int, c_char_p, ERROR]),
    'oc_model_expand': (MODEL, [MODEL, c_int, c_char_p, ERROR]),
    'oc_model_declare': (MODEL, [MODEL, ERROR]),
    'oc_model_extract': (MODEL, [MODEL, POINTER(oc_cut), c_int, POINTER(c_char_p), c_int, ERROR]),
    'oc_model_join': (MODEL, [MODEL, MODEL, POINTER(oc_link), c_int, c_char_p, ERROR]),
    'oc_session_new_sized': (SESSION, [MODEL, POINTER(oc_session_options), c_size_t, ERROR]),
    'oc_session_free': (None, [SESSION]),
    'oc_bind': (None, [SESSION, c_char_p, c_int, c_int, DIMS, c_void_p, ERROR]),
    'oc_bind_value_at': (None, [SESSION, c_int, VALUE, ERROR]),
    'oc_bind_output': (None, [SESSION, c_char_p, c_int, c_int, DIMS, c_void_p, c_size_t, ERROR]),
    'oc_run': (None, [SESSION, ERROR]),
    'oc_fetch_value_at': (VALUE, [SESSION, c_int, ERROR]),
    'oc_op_describe': (POINTER(oc_op_info), [POINTER(oc_op), ERROR]),
    'oc_op_info_free': (None, [POINTER(oc_op_info)]),
    'oc_call_n_in': (c_int, [CALL]),
    'oc_call_n_out': (c_int, [CALL]),
    'oc_call_in': (VALUE, [CALL, c_int]),
    'oc_call_out': (c_void_p, [CALL, c_int]),
    'oc_call_out_value': (VALUE, [CALL, c_int]),
    'oc_call_set_out': (c_int, [CALL, c_int, c_int, c_int, DIMS]),
    'oc_call_set_string': (c_int, [CALL, c_int, c_int64, c_char_p, c_size_t]),
    'oc_call_int': (c_int64, [CALL, c_char_p]),
    'oc_call_float': (c_double, [CALL, c_char_p]),
    'oc_call_string': (oc_string, [CALL, c_char_p]),
    'oc_call_ints': (POINTER(c_int64), [CALL, c_char_p, POINTER(c_size_t)]),
    'oc_call_floats': (POINTER(c_float), [CALL, c_char_p, POINTER(c_size_t)]),
    'oc_call_tensor': (VALUE, [CALL, c_char_p]),
    'oc_session_describe_sized': (None, [SESSION, POINTER(oc_session_stats), c_size_t]),
}


def _find() -> str:
    """OCELLUS_LIBRARY, or the library beside this file, as in a wheel, or the one of the system."""
    given = os.environ.get('OCELLUS_LIBRARY')
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'libocellus.so.0')
    if given or os.path.exists(beside):
        return given or beside
    return ctypes.util.find_library('ocellus') or 'libocellus.so.0'


def _load() -> Any:
    path = _find()
    try:
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in CALLS.items():
            call = getattr(loaded, name)
            call.restype, call.argtypes = result, arguments
    except (OSError, AttributeError) as e:
        raise ImportError(f'libocellus is not found, or is another version: {e}; install the library, or name its file '
                          'in the environment variable OCELLUS_LIBRARY') from e
    return loaded


lib = _load()


# ---- what the program has to free ----

class Handle(c_void_p):
    """A pointer which owns what it points to. What frees it are a property, two partials and a function of ctypes, and
    so no line of Python's: a handler of signals that raised in one would raise what nobody sees."""
    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError('what a pointer points to cannot be copied')


def _owned(free: Any) -> Type[Handle]:
    return type('Handle', (Handle,), {'__slots__': (), '__del__': property(partial(partial, free))})


# The functions whose results the caller owns, by what frees them. A result is a Handle as soon as it is there.
OWNED = {
    'oc_value_free': ('oc_tensor_new', 'oc_sequence_new', 'oc_optional_new'),
    'oc_model_free': ('oc_model_load_sized', 'oc_model_load_memory_sized', 'oc_model_expand', 'oc_model_extract',
                      'oc_model_declare', 'oc_model_join'),
    'oc_session_free': ('oc_session_new_sized',),
}
for _free, _makers in OWNED.items():
    _kind = _owned(getattr(lib, _free))
    for _maker in _makers:
        getattr(lib, _maker).restype = _kind


# ---- names and numbers ----

def text(chars: Any) -> Any:
    """str of a char pointer; None stays None. Names in models need not be UTF-8: what is not comes back as it went
    in."""
    return None if chars is None else chars.decode('utf-8', 'surrogateescape')


def printable(name: str) -> str:
    """A name from a file with control characters and bytes that are no UTF-8 as \\x1b, as the command prints it."""
    return CONTROL.sub(lambda found: ''.join([f'\\x{byte:02x}' for byte in found[0].encode('utf-8', 'surrogateescape')]), name)


def shown(value: object) -> str:
    """What a message tells of a value."""
    try:
        return repr(value)[:100]
    except Exception:  # of an int with too many digits, for one
        return f'of type {type(value).__name__}'


def chars(name: Optional[str], what: str) -> Optional[bytes]:
    """The bytes of a str for a char pointer; None stays None."""
    if name is None:
        return None
    if not isinstance(name, str) or '\0' in name:
        raise Error('ARGUMENT', f'{what} is {shown(name)}, expected a str without NUL')
    try:
        return name.encode('utf-8', 'surrogateescape')
    except UnicodeEncodeError as e:
        raise Error('ARGUMENT', f'{what} is {shown(name)}: {e}') from e


def path_chars(path: Any, what: str) -> Optional[bytes]:
    """The bytes of a path for a char pointer; None stays None."""
    if path is None:
        return None
    try:
        name = os.fsencode(path)
    except (TypeError, ValueError) as e:
        raise Error('ARGUMENT', f'{what} is {shown(path)}, expected a path') from e
    if b'\0' in name:
        raise Error('ARGUMENT', f'{what} is {shown(name)}, expected a path without NUL')
    return name


def whole(value: Any, what: str, low: int, high: int) -> int:
    """value as an int that fits. ctypes itself cuts off what does not."""
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise Error('ARGUMENT', f'{what} is {shown(value)}, expected a whole number from {low} to {high}')
    return number


def seconds(value: Any, what: str) -> float:
    """value as a float; the library refuses what is no time."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as e:
        raise Error('ARGUMENT', f'{what} is {shown(value)}, expected seconds') from e


def number_of(word: Any, words: Mapping[str, int], what: str) -> int:
    if not isinstance(word, str) or word not in words:
        raise Error('ARGUMENT', f"{what} is {shown(word)}, expected one of {', '.join(map(repr, words))}")
    return words[word]


# What makes a field of each type that options have; a whole number is at most as large as most.
FITTED: Dict[Any, Callable[[Any, str, int], Any]] = {
    c_bool: lambda value, name, most: bool(value), c_char_p: lambda value, name, most: chars(value, name),
    c_double: lambda value, name, most: seconds(value, name),
    c_int: lambda value, name, most: whole(value, name, 0, 2 ** 31 - 1),
    oc_unfused: lambda value, name, most: number_of(value, UNFUSED, name),
    **dict.fromkeys((c_int64, c_uint64, c_size_t), lambda value, name, most: whole(value, name, 0, most))}


def fill(struct: Any, options: Mapping[str, Any], most: int) -> None:
    """Fields of a struct become what the options of their names are; None leaves the default."""
    for name, kind in struct._fields_:
        if kind in FITTED and options.get(name) is not None:
            setattr(struct, name, FITTED[kind](options[name], name, most))


def publish(names: Mapping[str, Any]) -> None:
    """Has the public classes of a module say that they are its own, as tracebacks, repr and pickles then do: a program imports
    them from there. names are the module's globals. Named tuples stay where typing finds the names of their fields' types."""
    for name in names['__all__']:
        if isinstance(names[name], type) and not issubclass(names[name], tuple):
            names[name].__module__ = names['__name__']


def version() -> str:
    """The version of the library, such as '0.1.0'."""
    told: str = text(lib.oc_version())
    return told


class Error(Exception):
    """What went wrong: code is one of the stable codes of ocellus.h ('SHAPE'), text the library's message, which
    names the place, what is wrong and what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.text = code, message

    def __reduce__(self) -> Any:  # so that it passes from one process to another
        return type(self), (self.code, self.text)


def check(e: oc_error) -> None:
    """Raises the error that a call has set, and makes room for the next."""
    if e.code:
        code, message = e.code, text(e.text)
        e.code = 0
        raise Error(text(lib.oc_status_name(code)), message)
