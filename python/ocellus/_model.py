# SPDX-License-Identifier: Apache-2.0
"""A model: what it is, what is in it, and what is wrong with it."""
import ctypes
import os
from typing import NamedTuple, Optional, Union

from . import _library as c
from ._library import Error, chars, check, lib, text
from ._values import type_name

KINDS = 'tensor', 'sequence', 'optional'
SUPPORT = 'native', 'body', 'function', 'none'
FORMATS = {'onnx': 0, 'text': 1}
POLICIES = {'native': 0, 'expand': 1, 'standard': 2}


class Port(NamedTuple):
    """What an input, an output or a value between nodes is declared or known to be."""
    name: str
    kind: str  # 'tensor', 'sequence' or 'optional'
    type: str  # of elements, as ONNX names it: 'float', 'int64'; 'undefined': not known
    shape: Optional[tuple]  # of sizes, names of symbols, or None where neither is known; None: the rank is not known
    has_default: bool  # a weight gives its value where a program gives none


class Operator(NamedTuple):
    """An operator that a model uses."""
    domain: str  # '' is ONNX's own
    name: str
    opset: int  # the version that the model imports
    since: int  # the version that serves it; 0: none does
    count: int  # nodes, those of functions included
    support: str  # 'native': a kernel, 'body': ONNX's function body, 'function': of the model itself, or 'none'


class Weight(NamedTuple):
    """An initializer of the main graph."""
    name: str
    type: str
    shape: tuple
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
    inputs: tuple  # of Port; the name of a missing one is ''
    outputs: tuple
    attributes: tuple


class Problem(NamedTuple):
    """What is wrong with a model, or worth knowing: code 'OK'."""
    code: str
    text: str


def port_of(p):
    known = [p.dim[i] if p.dim[i] >= 0 else text(p.dim_name[i]) for i in range(p.rank)]
    return Port(text(p.name), KINDS[p.kind], type_name(p.type), tuple(known) if p.rank >= 0 else None, p.has_default)


def fill_limits(limits, memory_cap, deadline, max_steps):
    limits.memory_cap, limits.deadline, limits.max_steps = memory_cap or 0, deadline or 0, max_steps or 0


def _write(save):
    """The bytes that a call writes to an oc_writer."""
    parts = []

    def take(ctx, data, size):
        parts.append(ctypes.string_at(data, size))
        return True

    save(c.oc_writer(c.WRITE(take)))
    return b''.join(parts)


def _attribute(node, i):
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


class Model:
    """A model, loaded once; sessions share it.

    source is the path of a file (binary ONNX, gzip-compressed ONNX or ONNX text: the content decides), the bytes of
    one, or an onnx.ModelProto. external_dir is the folder of external data where the model does not come from a path.
    memory_cap is the bytes that the model, its plans and its sessions may take at one time (None: 4 GiB), deadline
    the seconds that loading may take. no_map reads files into memory and maps none. functions are paths of files
    (.onnx or .onnxtxt) whose functions run in place of kernels, of ONNX's bodies and of the model's own functions of
    their domain and name."""

    _pointer = None  # also of one that could not be made

    def __init__(self, source: Union[str, os.PathLike, bytes, 'onnx.ModelProto'], *, external_dir=None,
                 memory_cap=None, deadline=None, no_map=False, functions=()):
        if isinstance(functions, (str, bytes, os.PathLike)):
            functions = [functions]
        options = c.oc_model_options(no_map=no_map)
        files = [os.fsencode(path) for path in functions]
        options.functions = (ctypes.c_char_p * (len(files) + 1))(*files)  # ends with NULL
        options.external_dir = None if external_dir is None else os.fsencode(external_dir)
        fill_limits(options.limits, memory_cap, deadline, None)
        e = c.oc_error()
        if hasattr(source, 'SerializeToString'):
            source = source.SerializeToString()
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._bytes = bytes(source)  # which the library reads as long as the model lives
            self._pointer = lib.oc_model_load_memory_sized(self._bytes, len(self._bytes), options,
                                                           ctypes.sizeof(options), e)
        else:
            self._pointer = lib.oc_model_load_sized(os.fsencode(source), options, ctypes.sizeof(options), e)
        check(e)
        self._describe()

    def _describe(self):
        info = c.oc_model_info()
        lib.oc_model_describe_sized(self._pointer, info, ctypes.sizeof(info))
        self.ir_version, self.model_version = info.ir_version, info.model_version
        self.producer_name, self.producer_version = text(info.producer_name), text(info.producer_version)
        self.domain, self.graph_name = text(info.domain), text(info.graph_name)
        self.n_nodes, self.n_functions, self.n_parameters = info.n_nodes, info.n_functions, info.n_parameters
        self.inputs, self.outputs = (tuple(port_of(p) for p in ports) for ports in self._all_ports())
        n = ctypes.c_int64()
        self.opsets = {text(lib.oc_model_opset(self._pointer, i, n)): n.value for i in range(info.n_opsets)}

    def _all_ports(self):
        """The structs of the inputs, and those of the outputs."""
        found = []
        for count, fill in ((lib.oc_model_n_inputs, lib.oc_model_input_sized),
                            (lib.oc_model_n_outputs, lib.oc_model_output_sized)):
            ports = (c.oc_port * count(self._pointer))()
            for i, port in enumerate(ports):
                fill(self._pointer, i, port, ctypes.sizeof(port))
            found.append(ports)
        return found

    def __del__(self):
        if self._pointer:
            lib.oc_model_free(self._pointer)

    def __repr__(self):
        return f'<ocellus.Model {self.graph_name!r}: {self.n_nodes} nodes, {self.n_parameters} parameters>'

    @property
    def metadata(self):
        """The model's metadata properties, a dict of str."""
        found, value = {}, ctypes.c_char_p()
        while (key := lib.oc_model_metadata(self._pointer, len(found), value)) is not None:
            found[text(key)] = text(value.value)
        return found

    @property
    def operators(self):
        """The operators that the model uses, in order of first use."""
        found, o = [], c.oc_model_operator()
        while lib.oc_model_operator_at_sized(self._pointer, len(found), o, ctypes.sizeof(o)):
            found.append(Operator(text(o.domain), text(o.name), o.opset, o.since, o.count, SUPPORT[o.support]))
        return found

    @property
    def weights(self):
        """The initializers of the main graph."""
        found, w = [], c.oc_weight()
        while lib.oc_model_weight_at(self._pointer, len(found), w):
            found.append(Weight(text(w.name), type_name(w.type), tuple(w.dim[:w.rank]), w.bytes, w.external, w.sparse))
        return found

    @property
    def functions(self):
        """The functions of the model, its own and those of files."""
        found, f = [], c.oc_model_function()
        while lib.oc_model_function_at(self._pointer, len(found), f):
            found.append(Function(text(f.domain), text(f.name), text(f.overload), text(f.file), f.n_calls))
        return found

    def nodes(self, shapes=None):
        """All nodes, with the types and shapes of their values as far as they are known. shapes gives sizes to
        inputs: {'image': (1, 3, 224, 224)}."""
        found, failed = [], []

        def ports(first, n):
            return tuple(port_of(first[i]) for i in range(n))

        def tell(ctx, node):
            n = node.contents
            try:
                found.append(Node(text(n.name), text(n.domain), text(n.op_type), n.opset, n.since, SUPPORT[n.support],
                                  n.depth, None if n.parent < 0 else n.parent, text(n.graph), ports(n.in_, n.n_in),
                                  ports(n.out, n.n_out), tuple(_attribute(node, i) for i in range(n.n_attr))))
            except Exception as error:  # none may pass through the library
                failed.append(error)

        inputs, _ = self._all_ports()
        for name, shape in (shapes or {}).items():
            port = next((p for p in inputs if text(p.name) == name), None)
            if port is None or (port.rank >= 0 and port.rank != len(shape)) or len(shape) > c.MAX_RANK:
                raise Error('ARGUMENT', f"shapes: the model has no input '{name}' with {len(shape)} dims")
            port.rank = len(shape)
            port.dim[:len(shape)] = shape
        e = c.oc_error()
        lib.oc_model_visit_sized(self._pointer, inputs, ctypes.sizeof(c.oc_port), c.TELL_NODE(tell), None, e)
        check(e)
        if failed:
            raise failed[0]
        return found

    def check(self):
        """All that would keep every session of the model from running, as far as that is seen without inputs, and
        what is worth knowing (code 'OK'): a list of Problem, empty where all is well."""
        found = [Problem('UNSUPPORTED', f"operator '{o.domain + '::' if o.domain else ''}{o.name}' of opset {o.opset}, "
                                        f'which {o.count} node{"s" * (o.count != 1)} use{"s" * (o.count == 1)}, '
                                        'is not supported')
                 for o in self.operators if o.support == 'none']
        e = c.oc_error()
        lib.oc_model_examine(self._pointer, c.TELL_LINE(lambda ctx, code, line: found.append(
            Problem(text(lib.oc_status_name(code)), text(line)))), None, e)
        check(e)
        return found

    def expand(self, policy='expand', only=None):
        """A new model in which calls of functions are replaced by their bodies: of the model's own always, of ONNX's
        operators where policy says so: 'native' (where there is no kernel), 'expand' (all, with the standard's known
        defects repaired) or 'standard' (all, in the standard's words). only limits that to one operator."""
        return self._make(lib.oc_model_expand, number_of(policy, POLICIES, 'policy'), chars(only))

    def extract(self, start=(), end=()):
        """A new model of the nodes that compute the values end from the values start, which become its inputs; both are
        lists of names of the main graph. Without start it begins with the model's inputs, without end it gives the
        model's outputs. Inputs of the model that the nodes use beside start stay inputs."""
        cuts = (c.oc_cut * len(start))(*((chars(name), None) for name in start))
        return self._make(lib.oc_model_extract, cuts, len(start), (c.c_char_p * len(end))(*map(chars, end)), len(end))

    def _make(self, call, *arguments):
        """The new model that the call makes of this one."""
        made = Model.__new__(Model)
        e = c.oc_error()
        made._from = self  # whose memory the new model borrows
        made._pointer = call(self._pointer, *arguments, e)
        check(e)
        made._describe()
        return made

    def to_bytes(self, format='onnx'):
        """The model as a file has it: format 'onnx', binary, or 'text'."""
        e = c.oc_error()
        written = _write(lambda out: lib.oc_model_save(self._pointer, number_of(format, FORMATS, 'format'), out, e))
        check(e)
        return written


def number_of(word, words, what):
    if word not in words:
        raise Error('ARGUMENT', f"{what} is {word!r}, expected one of {', '.join(map(repr, words))}")
    return words[word]
