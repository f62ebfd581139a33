# SPDX-License-Identifier: Apache-2.0
"""families.py - the networks of `./dev bench models` by family: those found, and what is made of them.

Networks of 8 bits and of float16 are made of those found whose names QUANTISED knows; small ones are ours. What is
made lies in the build folder and is made again when what it comes from is newer."""
import collections
import fnmatch
import pathlib

import feeds
import players

HERE = pathlib.Path(__file__).resolve().parent
TITLES = {'float': 'Float', 'int8': '8 bits', 'half': 'float16', 'small': 'Small'}
QUANTISED = ('*resnet50*', '*squeezenet*', '*mobilenet_v2*', 'mobilenet_v3_large*', '*efficientnet*', '*inception_v3*',
             '*vit_*', '*swin_*', '*PP-OCRv4_*', '*mlsd_320*tiny*', '*face_detection_front*', '*ssdlite*')

SCRIPTS = ('network_file.py', 'quantize.py', 'quantized_choice.py', 'quantized_forms.py', 'half.py',
           'small_networks.py')

# path: the file; source: the float network of which it was made, or None.
Network = collections.namedtuple('Network', 'name family path source')


def found(roots):
    paths = sorted((p for root in roots for p in ([root] if root.is_file() else root.rglob('*.onnx'))),
                   key=lambda p: (p.stem, str(p)))
    return [Network(p.stem, 'float', p, None) for p in paths]


def is_made_in(family, name):
    """Graphs within nodes, as ssdlite has, stay in float."""
    return (any(fnmatch.fnmatch(name, pattern) for pattern in QUANTISED) and 'light_' not in name
            and (family == 'int8' or 'ssdlite' not in name))


def planned(networks, folder, family):
    """The networks that would be made."""
    if family == 'small':
        import small_networks
        return [Network(name, 'small', folder / f'{name}.onnx', None) for name in small_networks.NETWORKS]
    endings = ('qdq', 'qoperator') if family == 'int8' else ('half',)
    return [Network(f'{n.name}-{e}', family, folder / f'{n.name}-{e}.onnx', n.path)
            for n in networks if is_made_in(family, n.name) for e in endings]


def is_fresh(network):
    sources = [p for p in (network.source, *(HERE / name for name in SCRIPTS)) if p]
    return network.path.exists() and network.path.stat().st_mtime > max(p.stat().st_mtime for p in sources)


def make(network, command, feeds_of):
    """Writes the file of a planned network, with ranges of the bench's own picture."""
    import network_file
    network.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        MAKERS[network.family](network, command, feeds_of)
    except network_file.Refused as error:
        raise players.Failed(f'it cannot be made: {error}') from error


def make_quantised(network, command, feeds_of):
    import quantize
    with feeds.written(feeds_of(command, network.source)) as inputs:
        quantize.quantize(command, network.source, network.path, inputs, form=network.name.rpartition('-')[2])


def make_half(network, command, feeds_of):
    import half
    half.halve(network.source, network.path)


def make_small(network, command, feeds_of):
    import small_networks
    small_networks.make(command, network.name, network.path)


MAKERS = {'int8': make_quantised, 'half': make_half, 'small': make_small}
