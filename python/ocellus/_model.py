# SPDX-License-Identifier: Apache-2.0
"""A model: what it is, what is in it, and what is wrong with it."""
from __future__ import annotations

import ctypes
import os
from gc import is_finalized
from typing import (TYPE_CHECKING, Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, NamedTuple, Optional,
                    Protocol, Sequence, Tuple, TypeVar, Union)

from . import _library as c
from ._given import Given
from ._interrupts import aside
from ._library import Error, chars, check, fill, lib, number_of, path_chars, shown, text, whole
from ._values import DTYPES, TENSOR, make, type_name

KINDS = 'tensor', 'sequence', 'optional', 'map'
SUPPORT = 'native', 'body', 'function', 'none'
FORMATS = {'onnx': 0, 'text': 1}
MOST = 2 ** 63 - 1  # that the library counts

class Serialized(Protocol):
    """An onnx.ModelProto."""

    def SerializeToString(self) -> bytes: ...


Source = Union[str, 'os.PathLike[str]', bytes, bytearray, memoryview, Serialized]
Paths = Union[str, bytes, 'os.PathLike[str]', Iterable[Union[str, bytes, 'os.PathLike[str]']]]
Start = Union[Iterable[str], Mapping[str, Any]]
Self = TypeVar('Self', bound='Model')
POLICIES = {'native': 0, 'expand': 1, 'standard': 2}


class Port(NamedTuple):
    """What an input, an output or a value between nodes is declared or known to be."""
    name: str
    kind: str  # 'tensor', 'sequence', 'optional' or 'map'
    type: str  # of elements, as ONNX names it: 'float', 'int64'; 'undefined': not known
    # Of sizes, names of symbols, or None where neither is known; None: the rank is not known.
    shape: Optional[Tuple[Union[int, str, None], ...]]
    has_default: bool  # a weight gives its value where a program gives none
    key: Optional[str] = None  # the type of the keys of a map, or of a sequence's maps
    denotations: Tuple[Optional[str], ...] = ()  # what each dim is of, such as 'DATA_BATCH', or None; (): none is told


class Operator(NamedTuple):
    """An operator that a model uses."""
    domain: str  # '' is ONNX's own
    name: str
    opset: int  # the version that the model imports
    since: int  # the version that serves it; 0: none does
    count: int  # type: ignore[assignment]  # nodes, those of functions included
    support: str  # 'native': a kernel, 'body': ONNX's function body, 'function': of the model itself, or 'none'


class Weight(NamedTuple):
    """An initializer of the main graph."""
    name: str
    type: str
    shape: Tuple[int, ...]
    nbytes: int
    external: bool  # its elements are not in the model's own file
    sparse: bool


class Function(NamedTuple):
    """A function of a model."""
    domain: str  # '' is ONNX's own
    name: str
    overload: str
    file: Optional[str]  # of Model's functions; None: the model's own
    n_calls: int  # nodes that call it, those of functions included


class Attribute(NamedTuple):
    """An attribute of a node."""
    name: str
    kind: str  # 'int', 'floats' ...
    value: object  # of the kinds float, int and string and lists of these; else what ONNX's text form writes


class Node(NamedTuple):
    """A node of the main graph or of a graph within it."""
    name: str
    domain: str
    op_type: str
    opset: int
    since: int
    support: str
    depth: int  # 0: of the main graph
    parent: Optional[int]  # the number of the node that holds this one's graph
    graph: Optional[str]  # the attribute of that node which holds it
    inputs: Tuple[Port, ...]  # the name of a missing one is ''
    outputs: Tuple[Port, ...]
    attributes: Tuple[Attribute, ...]


class Problem(NamedTuple):
    """What is wrong with a model, or worth knowing: code 'OK'."""
    code: str
    text: str


def port_of(p: Any) -> Port:
    denoted = tuple([text(p.dim_denotation[i]) for i in range(p.rank)])
    known = [p.dim[i] if p.dim[i] >= 0 else text(p.dim_name[i]) for i in range(p.rank)]
    return Port(text(p.name), KINDS[p.kind], type_name(p.type), tuple(known) if p.rank >= 0 else None, p.has_default,
                type_name(p.key_type) if p.key_type else None,
                denoted if any(denoted) else ())


def names_of(given: Any, what: str) -> List[str]:
    """A list of str, of which one str is none."""
    try:
        names = None if isinstance(given, (str, bytes)) else list(given)
    except TypeError:
        names = None
    if names is None or not all([isinstance(name, str) for name in names]):
        raise Error('ARGUMENT', f"{what} is {shown(given)}, expected a list of names")
    return names


def _absolute(path: bytes) -> bytes:
    """The path as another process can open it, which may have another folder."""
    try:
        return os.path.abspath(path)
    except OSError:  # there is no folder
        return path


class Copied:
    """What a copy and a pickle of an object has beside what its own class keeps: attributes of the program's and of
    classes that extend it."""

    _own: FrozenSet[str] = frozenset()  # names of attributes that are not copied

    def _extras(self) -> Dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self._own}


def _set_shape(ports: List[Any], name: str, shape: Any) -> None:
    """Gives the struct of that input its dims."""
    try:
        dims = list(shape)
    except TypeError as e:
        raise Error('ARGUMENT', f"shapes: '{name}' is {shown(shape)}, expected dims") from e
    if not ports or ports[0].rank not in (-1, len(dims)) or len(dims) > c.MAX_RANK:
        raise Error('ARGUMENT', f"shapes: the model has no input '{name}' with {len(dims)} dims")
    port, = ports
    port.rank = len(dims)
    port.dim[:len(dims)] = [whole(dim, f"shapes: a dim of '{name}'", 0, MOST) for dim in dims]


def _write(save: Callable[[c.oc_writer], object]) -> bytes:
    """The bytes that a call writes to an oc_writer."""
    parts: List[bytes] = []

    def take(ctx: Any, data: int, size: int) -> bool:
        parts.append(ctypes.string_at(data, size))
        return True

    save(c.oc_writer(c.WRITE(take)))
    return b''.join(parts)


def _attribute(node: Any, i: int) -> Attribute:
    a = lib.oc_node_attribute(node, i)
    kind = text(a.kind)
    if a.floats or a.ints:
        values = (a.floats or a.ints)[:a.n]
    elif a.strings:
        values = [ctypes.string_at(s.data, s.size).decode('utf-8', 'surrogateescape') if s.size else ''
                  for s in a.strings[:a.n]]
    elif kind in ('floats', 'ints', 'strings'):
        values = []
    else:
        e = c.oc_error()
        written = text(_write(lambda out: lib.oc_node_write_attribute(node, i, out, e)))
        check(e)
        return Attribute(text(a.name), kind, written)
    return Attribute(text(a.name), kind, list(values) if kind.endswith('s') else values[0])


class _OfLoaded:
    """An attribute that a model has once it is loaded."""

    def __get__(self, model: Any, kind: Any) -> Any:
        if model is None:
            return self
        raise Error('ARGUMENT', 'the model was never loaded')


class Model(Copied):
    """A model, loaded once; sessions share it.

    source is the path of a file (binary ONNX, gzip-compressed ONNX or ONNX text: the content decides), the bytes of
    one, or an onnx.ModelProto. external_dir is the folder of external data where the model does not come from a path.
    memory_cap is the bytes that the model, its plans and its sessions may take at one time (None: 4 GiB), deadline
    the seconds that loading may take. no_map reads files into memory and maps none. functions are paths of files
    (.onnx or .onnxtxt) whose functions run in place of kernels, of ONNX's bodies and of the model's own functions of
    their domain and name. newer takes a model of an IR or opset version that the library does not know yet for one of
    the newest it knows.

    A model never changes: its copy is the model itself. A pickle has the bytes or the absolute path that it was loaded
    from, and is loaded again. close, or the end of a with block, frees it as soon as no session has it."""

    _own = frozenset(('_loaded', '_recipe', 'ir_version', 'model_version', 'producer_name', 'producer_version',
                      'domain', 'graph_name', 'description', 'graph_description', 'n_nodes',
                      'n_functions', 'n_parameters', 'inputs', 'outputs', 'opsets', 'remarks'))
    # The bytes that the library reads, what the model it is made from has loaded, and last, and so freed first, a Handle.
    _loaded: Optional[Tuple[Any, Any, Any]] = None
    _recipe: Optional[Tuple[str, Tuple[Any, ...]]] = None  # how it is made: a method's name and its arguments
    if TYPE_CHECKING:
        ir_version: int
        model_version: int
        producer_name: str
        producer_version: str
        domain: str
        graph_name: str
        description: str
        graph_description: str
        n_nodes: int  # in the main graph
        n_functions: int
        n_parameters: int  # elements of all initializers
        inputs: Tuple[Port, ...]
        outputs: Tuple[Port, ...]
        opsets: Dict[str, int]
        remarks: Tuple[str, ...]  # what the file says against the standard, and what of it was lost
    else:
        ir_version = model_version = producer_name = producer_version = domain = graph_name = _OfLoaded()
        description = graph_description = _OfLoaded()
        n_nodes = n_functions = n_parameters = inputs = outputs = opsets = remarks = _OfLoaded()

    def __init__(self, source: Source, *, external_dir: Union[str, 'os.PathLike[str]', None] = None,
                 memory_cap: Optional[int] = None, deadline: Optional[float] = None, no_map: bool = False,
                 functions: Paths = (), newer: bool = False, _given: Optional[Given] = None) -> None:
        if isinstance(functions, (str, bytes, os.PathLike)):
            functions = [functions]
        try:
            files = [path_chars(path, 'a path of functions') for path in functions]
        except TypeError as e:
            raise Error('ARGUMENT', f'functions is {shown(functions)}, expected paths') from e
        if hasattr(source, 'SerializeToString'):
            source = source.SerializeToString()
        is_memory = isinstance(source, (bytes, bytearray, memoryview))
        if source is None:
            raise Error('ARGUMENT', 'the model is None, expected a path or bytes')
        given = bytes(source) if isinstance(source, (bytes, bytearray, memoryview)) else path_chars(source, 'the model')
        self._load(given, is_memory, path_chars(external_dir, 'external_dir'), memory_cap, deadline, bool(no_map),
                   bool(newer), files, _given)

    def _load(self, source: Any, is_memory: bool, external_dir: Optional[bytes], memory_cap: Optional[int],
              deadline: Optional[float], no_map: bool, newer: bool, functions: List[Any],
              given: Optional[Given]) -> None:
        options = c.oc_model_options(no_map=no_map, newer=newer, external_dir=external_dir)
        options.functions = (ctypes.c_char_p * (len(functions) + 1))(*functions)  # ends with NULL
        fill(options.limits, {'memory_cap': memory_cap, 'deadline': deadline}, MOST)
        if given is not None:
            options.initializer = c.INITIALIZER(given.find)
        e = c.oc_error()
        if is_memory:
            handle = aside(lib.oc_model_load_memory_sized, source, len(source), options, ctypes.sizeof(options), e)
        else:
            handle = aside(lib.oc_model_load_sized, source, options, ctypes.sizeof(options), e)
        check(e)
        self._describe(handle)
        self._recipe = '_load', (source if is_memory else _absolute(source), is_memory,
                                 external_dir and _absolute(external_dir), memory_cap, deadline, no_map, newer,
                                 [_absolute(path) for path in functions], given)
        self._loaded = (source if is_memory else None, given), None, handle

    def _derive(self, origin: Model, call: Any, *arguments: Any, kept: Any = None) -> None:
        """Makes this the model that the call makes of another one. kept lives as long as this model."""
        e = c.oc_error()
        handle = aside(call, origin._pointer, *arguments, e)
        check(e)
        self._describe(handle)
        self._loaded = kept, origin._loaded, handle

    def _describe(self, pointer: Any) -> None:
        info = c.oc_model_info()
        lib.oc_model_describe_sized(pointer, info, ctypes.sizeof(info))
        self.ir_version, self.model_version = info.ir_version, info.model_version
        self.producer_name, self.producer_version = text(info.producer_name), text(info.producer_version)
        self.domain, self.graph_name = text(info.domain), text(info.graph_name)
        self.description, self.graph_description = text(info.description) or '', text(info.graph_description) or ''
        self.n_nodes, self.n_functions, self.n_parameters = info.n_nodes, info.n_functions, info.n_parameters
        self.inputs, self.outputs = [tuple([port_of(p) for p in ports]) for ports in all_ports(pointer)]
        self.remarks = tuple([text(info.remarks[i]) for i in range(info.n_remarks)])
        n = ctypes.c_int64()
        self.opsets = {text(lib.oc_model_opset(pointer, i, n)): n.value for i in range(info.n_opsets)}

    @property
    def _pointer(self) -> Any:
        """Who uses it keeps it while it does: another thread may close the model."""
        if self._loaded is None or is_finalized(self._loaded[-1]):
            raise Error('ARGUMENT', 'the model is closed, or was never loaded')
        return self._loaded[-1]

    def close(self) -> None:
        """Frees the model, once the sessions that it has are closed. It cannot be used afterwards."""
        self._loaded = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: Dict[int, Any]) -> Self:
        return self

    def __getstate__(self) -> Any:
        if self._recipe is None:
            raise Error('ARGUMENT', 'the model was never loaded, and so cannot be pickled')
        return self._recipe, self._extras()

    def __setstate__(self, state: Any) -> None:
        (make, arguments), extras = state
        getattr(self, make)(*arguments)
        vars(self).update(extras)

    def __repr__(self) -> str:
        if 'graph_name' not in vars(self):
            return '<ocellus.Model that was never loaded>'
        return f'<ocellus.Model {self.graph_name!r}: {self.n_nodes} nodes, {self.n_parameters} parameters>'

    @property
    def metadata(self) -> Dict[str, str]:
        """The model's metadata properties, a dict of str."""
        found: Dict[str, str] = {}
        pointer, value = self._pointer, ctypes.c_char_p()
        while (key := lib.oc_model_metadata(pointer, len(found), value)) is not None:
            found[text(key)] = text(value.value)
        return found

    @property
    def operators(self) -> List[Operator]:
        """The operators that the model uses, in order of first use."""
        found: List[Operator] = []
        pointer, o = self._pointer, c.oc_model_operator()
        while lib.oc_model_operator_at_sized(pointer, len(found), o, ctypes.sizeof(o)):
            found.append(Operator(text(o.domain), text(o.name), o.opset, o.since, o.count, SUPPORT[o.support]))
        return found

    @property
    def weights(self) -> List[Weight]:
        """The initializers of the main graph."""
        found: List[Weight] = []
        pointer, w = self._pointer, c.oc_weight()
        while lib.oc_model_weight_at(pointer, len(found), w):
            found.append(Weight(text(w.name), type_name(w.type), tuple(w.dim[:w.rank]), w.bytes, w.external, w.sparse))
        return found

    @property
    def functions(self) -> List[Function]:
        """The functions of the model, its own and those of files."""
        found: List[Function] = []
        pointer, f = self._pointer, c.oc_model_function()
        while lib.oc_model_function_at(pointer, len(found), f):
            found.append(Function(text(f.domain), text(f.name), text(f.overload), text(f.file), f.n_calls))
        return found

    def nodes(self, shapes: Optional[Mapping[str, Sequence[int]]] = None) -> List[Node]:
        """All nodes, with the types and shapes of their values as far as they are known. shapes gives sizes to
        inputs: {'image': (1, 3, 224, 224)}."""
        found: List[Node] = []
        failed: List[BaseException] = []
        pointer = self._pointer

        def ports(first: Any, n: int) -> Tuple[Port, ...]:
            return tuple([port_of(first[i]) for i in range(n)])

        def tell(ctx: Any, node: Any) -> None:
            n = node.contents
            try:
                found.append(Node(text(n.name), text(n.domain), text(n.op_type), n.opset, n.since, SUPPORT[n.support],
                                  n.depth, None if n.parent < 0 else n.parent, text(n.graph), ports(n.in_, n.n_in),
                                  ports(n.out, n.n_out), tuple([_attribute(node, i) for i in range(n.n_attr)])))
            except BaseException as error:  # none may pass through the library
                failed.append(error)

        inputs, _ = all_ports(pointer)
        if shapes is not None and not hasattr(shapes, 'items'):
            raise Error('ARGUMENT', f'shapes is {shown(shapes)}, expected a dict of name to dims')
        for name, shape in (shapes or {}).items():
            _set_shape([p for p in inputs if text(p.name) == name], name, shape)
        e = c.oc_error()
        aside(lib.oc_model_visit_sized, pointer, inputs, ctypes.sizeof(c.oc_port), c.TELL_NODE(tell), None, e)
        check(e)
        if failed:
            raise failed[0]
        return found

    def check(self) -> List[Problem]:
        """All that would keep every session of the model from running, as far as that is seen without inputs, and
        what is worth knowing (code 'OK'): a list of Problem, empty where all is well."""
        pointer = self._pointer
        found = [Problem('UNSUPPORTED', f"operator '{o.domain + '::' if o.domain else ''}{o.name}' of opset {o.opset}, "
                                        f'which {o.count} node{"s" * (o.count != 1)} use{"s" * (o.count == 1)}, '
                                        'is not supported')
                 for o in self.operators if o.support == 'none']
        e = c.oc_error()
        aside(lib.oc_model_examine, pointer, c.TELL_LINE(lambda ctx, code, line: found.append(
            Problem(text(lib.oc_status_name(code)), text(line)))), None, e)
        check(e)
        return found

    def expand(self, policy: str = 'expand', only: Optional[str] = None) -> Model:
        """A new model in which calls of functions are replaced by their bodies: of the model's own always, of ONNX's
        operators where policy says so: 'native' (where there is no kernel), 'expand' (all, with the standard's known
        defects repaired) or 'standard' (all, in the standard's words). only limits that to one operator."""
        made = Model.__new__(Model)
        made._expand(self, policy, only)
        return made

    def _expand(self, origin: Model, policy: str, only: Optional[str]) -> None:
        self._derive(origin, lib.oc_model_expand, number_of(policy, POLICIES, 'policy'), chars(only, 'only'))
        self._recipe = '_expand', (origin, policy, only)

    def extract(self, start: Start = (), end: Iterable[str] = ()) -> Model:
        """A new model of the nodes that compute the values end from the values start, which become its inputs; both are
        lists of names of the main graph. Without start it begins with the model's inputs, without end it gives the
        model's outputs. Inputs of the model that the nodes use beside start stay inputs.

        start may also be a dict: a value that is an array there is that from then on, whether a node computed it or a
        weight gave it, and one that is None becomes an input."""
        made = Model.__new__(Model)
        values = dict(start) if isinstance(start, Mapping) else {}
        made._extract(self, names_of(start, 'start'), names_of(end, 'end'), values)
        return made

    def _extract(self, origin: Model, start: List[str], end: List[str], values: Mapping[str, Any]) -> None:
        types = {name: number for number in DTYPES for name in (type_name(number),)}
        declared = {weight.name: types.get(weight.type, 0) for weight in origin.weights} if values else {}
        made = [None if values.get(name) is None else make(values[name], TENSOR, declared.get(name, 0), name)
                for name in start]
        cuts = (c.oc_cut * len(start))()
        for cut, name, value in zip(cuts, start, made):
            cut.name, cut.value = chars(name, 'a name of start'), value and value.value
        ends = (ctypes.c_char_p * len(end))(*[chars(name, 'a name of end') for name in end])
        self._derive(origin, lib.oc_model_extract, cuts, len(start), ends, len(end))
        self._recipe = '_extract', (origin, start, end, values)

    def join(self, other: Model, links: Optional[Mapping[str, str]] = None, prefix: str = '') -> Model:
        """A new model that runs this one and then the other, whose inputs are outputs of this one. links has the name of
        an input of the other model for each output that is one, {'scores': 'x'}, or for an input of this one that both
        take. Without links outputs are linked to inputs of their names. The new model has the inputs of this one, then
        those of the other one without a link; and the outputs of the other model, then those of this one without a
        link.

        Nodes and values within the other model get names such as 'prefix/name', without a prefix 'second/name'. An
        input or output of it gets such a name where this model has one of its name; without a prefix that is an
        error."""
        if not isinstance(other, Model):
            raise Error('ARGUMENT', f'other is {shown(other)}, expected a Model')
        if links is not None and not isinstance(links, Mapping):
            raise Error('ARGUMENT', f'links is {shown(links)}, expected a dict of names')
        made = Model.__new__(Model)
        made._join(self, other, dict(links or {}), prefix)
        return made

    def _join(self, origin: Model, other: Model, links: Dict[str, str], prefix: str) -> None:
        pairs = (c.oc_link * len(links))()
        for pair, (output, to) in zip(pairs, links.items()):
            pair.from_, pair.to = chars(output, 'an output of links'), chars(to, 'an input of links')
        behind, kept = other._pointer, other._loaded
        self._derive(origin, lib.oc_model_join, behind, pairs, len(links), chars(prefix, 'prefix'), kept=kept)
        self._recipe = '_join', (origin, other, links, prefix)

    def to_bytes(self, format: str = 'onnx') -> bytes:
        """The model as a file has it: format 'onnx', binary, or 'text'."""
        pointer, number, e = self._pointer, number_of(format, FORMATS, 'format'), c.oc_error()
        written = _write(lambda out: aside(lib.oc_model_save, pointer, number, out, e))
        check(e)
        return written


def all_ports(pointer: Any) -> List[Any]:
    """The structs of a model's inputs, and those of its outputs."""
    found = []
    for count, fill in ((lib.oc_model_n_inputs, lib.oc_model_input_sized),
                        (lib.oc_model_n_outputs, lib.oc_model_output_sized)):
        ports = (c.oc_port * count(pointer))()
        for i, port in enumerate(ports):
            fill(pointer, i, port, ctypes.sizeof(port))
        found.append(ports)
    return found
