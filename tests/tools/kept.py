# SPDX-License-Identifier: Apache-2.0
"""kept.py OCELLUS PROTO [LIBRARY PACKAGES] - every field that PROTO declares survives every way of a model
through the command, and through the Python package where a library and its folder are given.

The model is made from PROTO: a field without care below gets a value of its own, and what comes out is compared
field by field. A field that does not come out is a finding."""
import gzip
import os
import pathlib
import pickle
import re
import struct
import subprocess
import sys
import tempfile

ocellus, proto = sys.argv[1:3]
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
WIRES = {'float': FIXED32, 'double': FIXED64, 'string': BYTES, 'bytes': BYTES}
REST = 300  # the number of a field that no message declares

# ---- the schema ----

FIELD = re.compile(r'(?:(optional|repeated) )?([\w.]+) (\w+) = (\d+)( \[packed = true\])?;$')


class Field:
    def __init__(self, label, kind, name, number, packed, union):
        self.repeated, self.kind, self.name, self.number = label == 'repeated', kind, name, int(number)
        self.packed, self.union = bool(packed), union


def read_schema(path):
    """Message -> fields; nested ones as "Outer.Inner". Enumerations are numbers."""
    messages, enums, inside = {}, set(), []
    for line in pathlib.Path(path).read_text(encoding='utf-8').splitlines():
        line = line.partition('//')[0].strip()
        begin = re.match(r'(message|enum|oneof) (\w+) \{$', line)
        field = FIELD.match(line)
        if begin:
            inside.append(begin.groups())
            name = '.'.join(n for k, n in inside if k != 'oneof')
            if begin.group(1) == 'message':
                messages[name] = []
            elif begin.group(1) == 'enum':
                enums.add(begin.group(2))
        elif line == '}':
            inside.pop()
        elif field and inside and inside[-1][0] != 'enum':
            label, kind, name, number, packed = field.groups()
            union = inside[-1][1] if inside[-1][0] == 'oneof' else None
            messages['.'.join(n for k, n in inside if k != 'oneof')].append(
                Field(label, kind, name, number, packed, union))
    for owner, fields in messages.items():
        for f in fields:
            scoped = [f'{owner}.{f.kind}', f'{owner.rpartition(".")[0]}.{f.kind}', f.kind]
            f.message = next((s for s in scoped if s in messages), None)
            assert f.message or f.kind in enums or re.fullmatch(r'(u?int(32|64)|float|double|string|bytes)', f.kind), f.kind
    return messages


schema = read_schema(proto)
# Of a value outside a model, and those that the scan adds to a tensor.
OUTSIDE = {'SequenceProto', 'MapProto', 'OptionalProto'}
KEEP_REST = {name for name, fields in schema.items() if any(f.name == 'metadata_props' for f in fields)}

# ---- the wire ----


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 0x7f:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    return bytes(out) + bytes([n])


def put_one(f, value):
    if f.message:
        return encode(f.message, value)
    if f.kind in ('string', 'bytes'):
        return value if isinstance(value, bytes) else value.encode()
    return struct.pack('<f', value) if f.kind == 'float' else struct.pack('<d', value) if f.kind == 'double' else varint(value)


def encode(name, message):
    """A message is a dict: field -> value or list; 'rest' -> bytes of fields that are not declared."""
    out = b''
    for f in schema[name]:
        if f.name not in message:
            continue
        values = message[f.name] if f.repeated else [message[f.name]]
        wire = BYTES if f.message else WIRES.get(f.kind, VARINT)
        for value in values:
            one = put_one(f, value)
            out += varint(f.number << 3 | wire) + (varint(len(one)) if wire == BYTES else b'') + one
    return out + message.get('rest', b'')


def take_varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return n, at


def signed(n):
    return n - (1 << 64) if n >> 63 else n


def take_packed(f, data):
    if f.kind in ('float', 'double'):
        return [x for x, in struct.iter_unpack('<f' if f.kind == 'float' else '<d', data)]
    values, at = [], 0
    while at < len(data):
        n, at = take_varint(data, at)
        values.append(signed(n))
    return values


def decode(name, data):
    message, at = {}, 0
    fields = {f.number: f for f in schema[name]}
    while at < len(data):
        start = at
        key, at = take_varint(data, at)
        wire = key & 7
        if wire == VARINT:
            n, at = take_varint(data, at)
            value = signed(n)
        else:
            size, at = take_varint(data, at) if wire == BYTES else (8 if wire == FIXED64 else 4, at)
            value = data[at:at + size]
            at += size
        f = fields.get(key >> 3)
        if not f:
            message['rest'] = message.get('rest', b'') + data[start:at]
        elif f.message:
            value = decode(f.message, value)
            message[f.name] = message.get(f.name, []) + [value] if f.repeated else value
        elif f.repeated and f.kind not in ('string', 'bytes'):
            message[f.name] = message.get(f.name, []) + (take_packed(f, value) if wire != VARINT else [value])
        else:
            if wire in (FIXED32, FIXED64):
                value = struct.unpack('<f' if wire == FIXED32 else '<d', value)[0]
            value = value.decode() if f.kind == 'string' else value
            message[f.name] = message.get(f.name, []) + [value] if f.repeated else value
    return message


# ---- a model with every field ----

filled = set()  # (message, field)
count = 0


def own(f):
    """A value that no other field has."""
    global count
    count += 1
    return f'{f.name}_{count}' if f.kind == 'string' else f'{f.name}_{count}'.encode() if f.kind == 'bytes' \
        else count + 0.5 if f.kind in ('float', 'double') else count


def fill(name, care=None):
    """The message with a value in each field, those of care as given; ... in care: without it. Of a oneof the member
    that care gives."""
    care = dict(care or {})
    message = {}
    for f in schema[name]:
        if f.name in care:
            if care[f.name] is not ...:
                message[f.name] = care[f.name]
        elif f.union:
            continue
        elif f.message:
            assert f.message == 'StringStringEntryProto', f'{name}.{f.name} is new: it needs care'
            message[f.name] = [fill(f.message), fill(f.message)]
        else:
            message[f.name] = [own(f), own(f)] if f.repeated else own(f)
        if f.name in message:
            filled.add((name, f.name))
    if name in KEEP_REST and care.get('rest') is not ...:
        message['rest'] = varint(REST << 3 | VARINT) + varint(count) + varint(REST + 1 << 3 | BYTES) + b'\3a\0b'
    return message


ELEMENTS = {'float_data': 1, 'int32_data': 6, 'int64_data': 7, 'raw_data': 1, 'double_data': 11, 'uint64_data': 13,
            'string_data': 8}
SCAN = ('first_payload', 'payloads')  # not ONNX's
REFUSED = ('segment',)


def tensor(form='raw_data', **care):
    """A tensor of two elements in one of the forms."""
    values = {'raw_data': struct.pack('<2f', 1.5, -2.5)}.get(form)
    if values is None:
        f = next(f for f in schema['TensorProto'] if f.name == form)
        values = [own(f), own(f)]
    out = {n: ... for n in (*ELEMENTS, *SCAN, *REFUSED, 'external_data', 'data_location')}
    return fill('TensorProto', {**out, 'dims': [2], 'data_type': ELEMENTS[form], form: values, **care})


def external(folder):
    (folder / 'w.bin').write_bytes(struct.pack('<4f', 0, 0, 3.25, 4.25))
    place = [{'key': 'location', 'value': 'w.bin'}, {'key': 'offset', 'value': '8'}, {'key': 'length', 'value': '8'}]
    return tensor(raw_data=..., external_data=place, data_location=1)


def sparse(**care):
    indices = tensor('int64_data', dims=[2], int64_data=[0, 3])
    return fill('SparseTensorProto', {'values': tensor(), 'indices': indices, 'dims': [4], **care})


def shape():
    dim = [fill('TensorShapeProto.Dimension', {'dim_value': 2}), fill('TensorShapeProto.Dimension', {'dim_param': 'N'}),
           fill('TensorShapeProto.Dimension')]
    return fill('TensorShapeProto', {'dim': dim})


def a_type(kind):
    """A type of that kind: a member of the oneof of TypeProto."""
    inner = next(f.message for f in schema['TypeProto'] if f.name == kind)
    care = {'elem_type': a_type('tensor_type') if kind in ('sequence_type', 'optional_type') else 1, 'shape': shape(),
            'key_type': 7, 'value_type': a_type('tensor_type') if kind == 'map_type' else None}
    names = {f.name for f in schema[inner]}
    return fill('TypeProto', {kind: fill(inner, {k: v for k, v in care.items() if k in names})})


KINDS = [f.name for f in schema['TypeProto'] if f.union]


def value_info(name, kind='tensor_type', dims=None, **care):
    t = a_type(kind)
    if dims:
        t['tensor_type']['shape']['dim'] = dims
    return fill('ValueInfoProto', {'name': name, 'type': t, **care})


def vector(n=2):
    return [fill('TensorShapeProto.Dimension', {'dim_value': n})]


def inner_graph(name):
    """A graph within an attribute: it makes its own value of a constant."""
    node = fill('NodeProto', {'input': ['k_' + name], 'output': ['o_' + name], 'op_type': 'Identity', 'domain': ...,
                              'attribute': ..., 'overload': ...})
    constant = tensor(name='k_' + name)
    return fill('GraphProto', {'name': name, 'node': [node], 'initializer': [constant], 'input': [], 'output': [
        value_info('o_' + name, dims=vector())], 'value_info': [], 'quantization_annotation': [], 'sparse_initializer': []})


VALUES = {'f': 1, 'i': 2, 's': 3, 't': 4, 'g': 5, 'floats': 6, 'ints': 7, 'strings': 8, 'tensors': 9, 'graphs': 10,
          'sparse_tensor': 11, 'sparse_tensors': 12, 'tp': 13, 'type_protos': 14}


def attributes(prefix):
    """One for each field of AttributeProto that holds a value; the names are those of a writer's notes."""
    made = {'t': tensor, 'g': lambda: inner_graph(prefix + 'g'), 'tensors': lambda: [tensor(f) for f in ELEMENTS],
            'graphs': lambda: [inner_graph(prefix + 'g1'), inner_graph(prefix + 'g2')], 'sparse_tensor': sparse,
            'sparse_tensors': lambda: [sparse(), sparse()], 'tp': lambda: a_type('tensor_type'),
            'type_protos': lambda: [a_type(k) for k in KINDS]}
    out = []
    for field in schema['AttributeProto']:
        if field.name in ('name', 'doc_string', 'type', 'ref_attr_name'):
            continue
        value = made[field.name]() if field.name in made else [own(field), own(field)] if field.repeated else own(field)
        others = {n: ... for n in (*VALUES, 'ref_attr_name')}
        out.append(fill('AttributeProto', {**others, 'name': f'__{prefix}{field.name}', 'type': VALUES[field.name],
                                           field.name: value}))
    return out


def reference(name, ref, number):
    return fill('AttributeProto', {**{n: ... for n in VALUES}, 'name': name, 'ref_attr_name': ref, 'type': number})


def function():
    inputs = ['a', 'b', 'c', 'd', 'e']
    node = fill('NodeProto', {'input': ['a'], 'output': ['h'], 'op_type': 'Identity', 'domain': ..., 'overload': ...,
                              'attribute': [reference('__r', 'given', 2), *attributes('f')]})
    last = fill('NodeProto', {'input': ['h'], 'output': ['y'], 'op_type': 'Identity', 'domain': ..., 'overload': ...,
                              'attribute': ...})
    default = fill('AttributeProto', {**{n: ... for n in (*VALUES, 'ref_attr_name')}, 'name': 'given', 'i': 4, 'type': 2})
    return fill('FunctionProto', {
        'name': 'F', 'domain': 'own', 'input': inputs, 'output': ['y'], 'attribute': ['needed'], 'attribute_proto': [default],
        'node': [node, last], 'overload': 'o', 'opset_import': [fill('OperatorSetIdProto', {'domain': '', 'version': 20})],
        'value_info': [value_info('h', dims=vector())]})


def model(folder):
    """All initializers are inputs of a function, so that a part that ends with its output has them."""
    forms = [tensor(f, name='w_' + f) for f in ELEMENTS]
    weights = [*forms, {**external(folder), 'name': 'w_external'}]
    s = sparse()
    s['values']['name'] = 'w_sparse'
    names = ['x', *(w['name'] for w in weights), 'w_sparse']
    f = function()
    f['input'] = [f'a{i}' if i else 'a' for i in range(len(names))]
    needed = fill('AttributeProto', {**{n: ... for n in (*VALUES, 'ref_attr_name')}, 'name': 'needed', 'i': 9, 'type': 2})
    call = fill('NodeProto', {'input': names, 'output': ['h'], 'op_type': 'F', 'domain': 'own', 'overload': 'o',
                              'attribute': [needed]})
    last = fill('NodeProto', {'input': ['h'], 'output': ['y'], 'op_type': 'Identity', 'domain': ..., 'overload': ...,
                              'attribute': attributes('m')})
    graph = fill('GraphProto', {
        'node': [call, last], 'initializer': weights, 'sparse_initializer': [s], 'input': [value_info('x', dims=vector())],
        'output': [value_info('y', dims=vector())],
        'value_info': [value_info('h', dims=vector()), *(value_info('v_' + k, k) for k in KINDS)],
        'quantization_annotation': [fill('TensorAnnotation', {'tensor_name': 'h'})]})
    imports = [fill('OperatorSetIdProto', {'domain': d, 'version': v}) for d, v in (('', 20), ('own', 1))]
    return fill('ModelProto', {'ir_version': 10, 'graph': graph, 'opset_import': imports, 'functions': [f]})


# ---- what is equal ----


def same_elements(t, folder):
    """The tensor with its elements as raw bytes, whatever field they are in."""
    if t.get('data_location'):
        t['raw_data'] = (folder / 'w.bin').read_bytes()[8:16]
    for form, pattern in (('float_data', 'f'), ('int32_data', 'i'), ('int64_data', 'q'), ('double_data', 'd'),
                          ('uint64_data', 'Q')):
        if form in t:
            values = t.pop(form)
            t['raw_data'] = struct.pack(f'<{len(values)}{pattern}', *values)
    t.pop('external_data', None)
    t.pop('data_location', None)


def plain(name, message, folder):
    """Without what says nothing: an empty list, a number 0, a text without characters."""
    out = {'rest': message['rest']} if 'rest' in message else {}
    message = dict(message)
    if name == 'TensorProto':
        same_elements(message, folder)
    for f in schema[name]:
        value = message.get(f.name)
        if f.message and value:
            value = [plain(f.message, v, folder) for v in value] if f.repeated else plain(f.message, value, folder)
        if value or (f.message and value is not None and not f.repeated):
            out[f.name] = value
    return out


def differences(where, a, b, out):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            differences(f'{where}.{key}', a.get(key), b.get(key), out)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            differences(f'{where}[{i}]', x, y, out)
    elif a != b:
        out.append(f'{where}: {str(a)[:70]!r} became {str(b)[:70]!r}')
    return out


# ---- the ways ----


def run(*args):
    done = subprocess.run([ocellus, *map(str, args)], capture_output=True, text=True, errors='replace', check=False)
    if done.returncode:
        sys.exit(f'ocellus {" ".join(map(str, args))}: {done.stderr}')
    return done.stdout + done.stderr


kept_folder = tempfile.TemporaryDirectory()
folder = pathlib.Path(kept_folder.name)
before = model(folder)
source = folder / 'all.onnx'
source.write_bytes(encode('ModelProto', before))
expected = plain('ModelProto', before, folder)
failures = []


def compare(way, data, allowed=()):
    """allowed: patterns of the paths of what this way leaves out, as its page says."""
    found = differences('model', expected, plain('ModelProto', decode('ModelProto', data), folder), [])
    left = [d for d in found if not any(re.match(p, d) for p in allowed)]
    failures.extend(f'{way}: {d}' for d in left)


def converted(*names):
    at = source
    for name in names:
        run('convert', at, folder / name)
        at = folder / name
    return at.read_bytes()


not_filled = {(m, f.name) for m, fields in schema.items() for f in fields if m not in OUTSIDE} - filled - {
    ('TensorProto', n) for n in (*SCAN, *REFUSED)} - {('TensorProto.Segment', n) for n in ('begin', 'end')}
failures.extend(f'{m}.{f} is in no model of this test' for m, f in sorted(not_filled))
compare('the test itself', source.read_bytes())
compare('convert to .onnx', converted('a.onnx'))
compare('convert twice', converted('b.onnx', 'c.onnx'))
compare('convert to .onnx.gz', gzip.decompress(converted('d.onnx.gz')))
compare('text and back', converted('e.onnxtxt', 'f.onnx'))
compare('text to text', converted('g.onnxtxt', 'h.onnxtxt', 'i.onnx'))
# What no part of the model uses is left out, as the page says: declared types of values that no node has.
UNUSED = r'model\.graph\.value_info(\[|:)'
run('extract', source, '-o', folder / 'j.onnx', '--to', 'y')
compare('extract', (folder / 'j.onnx').read_bytes(), [UNUSED])
run('extract', source, '-o', folder / 'k.onnx', '--from', 'x', '--to', 'y')
compare('extract from and to', (folder / 'k.onnx').read_bytes(), [UNUSED])
# The call and its function are gone: what is said of them has no place.
said = run('expand', source, '-o', folder / 'l.onnx', '--local')
if 'doc_string and metadata_props of calls' not in said:
    failures.append(f'expand: what is said of the call and of its function is left out without a word: {said!r}')
INLINED = [r'model\.functions', r'model\.graph\.node', r'model\.opset_import']
compare('expand', (folder / 'l.onnx').read_bytes(), INLINED)
kept = plain('ModelProto', decode('ModelProto', (folder / 'l.onnx').read_bytes()), folder)['graph']['node']
for what, a, b in (('node', expected['graph']['node'][1], kept[-1]),
                   ('body', {**expected['functions'][0]['node'][1], 'input': 0, 'output': 0}, {**kept[-2], 'input': 0, 'output': 0})):
    for d in differences(what, {**a, 'name': 0}, {**b, 'name': 0}, []):
        failures.append(f'expand: {d}')

# Fields that are not ONNX's, of messages that have no place for them, are named.
odd = model(folder)
odd['graph']['input'][0]['type']['rest'] = varint(99 << 3) + b'\1'
odd['opset_import'][0]['rest'] = varint(98 << 3) + b'\1'
(folder / 'odd.onnx').write_bytes(encode('ModelProto', odd))
NOT_KEPT = r'2 messages with fields that are not ONNX.s and are not kept, first TypeProto with field 99'
copy = folder / 'copy.onnx'
for way in (['inspect', 'odd.onnx'], ['convert', 'odd.onnx', copy], ['convert', 'odd.onnx', copy, '--json'],
            ['extract', 'odd.onnx', '--to', 'y', '-o', copy], ['expand', 'odd.onnx', '--local', '-o', copy]):
    told = run(way[0], folder / way[1], *way[2:])
    if len(re.findall(NOT_KEPT, told)) != 1:
        failures.append(f'{way[0]}: fields that are not kept are not named once: {told[-300:]!r}')

if len(sys.argv) > 3:
    library, packages = sys.argv[3:]
    os.environ['OCELLUS_LIBRARY'] = library
    sys.path.insert(0, packages)
    try:
        import ocellus as package
    except ModuleNotFoundError as missing:
        if missing.name != 'numpy':
            raise
        print('skipped: numpy is not installed')
        sys.exit(77)
    m = package.Model(source)
    compare('Model.to_bytes', m.to_bytes())
    compare('to_bytes of text', package.Model(m.to_bytes('text').encode() if isinstance(m.to_bytes('text'), str)
                                              else m.to_bytes('text')).to_bytes())
    compare('pickle', pickle.loads(pickle.dumps(m)).to_bytes())
    compare('pickle of bytes', pickle.loads(pickle.dumps(package.Model(m.to_bytes()))).to_bytes())
    compare('Model.extract', m.extract(end=['y']).to_bytes(), [UNUSED])

for failure in failures:
    print(failure)
print(f'{len(filled)} fields, {len(failures)} findings')
sys.exit(bool(failures))
