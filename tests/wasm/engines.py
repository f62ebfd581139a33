# SPDX-License-Identifier: Apache-2.0
"""engines.py KIND MODULE OCELLUS ENGINE - networks give the same bits in an engine of WebAssembly, by a module whose vectors are of
KIND, relaxed or fixed, as by OCELLUS, this machine's command; and programs that check kernels find nothing there.

ENGINE is node, node_unfused (Node without V8's fused multiply-add), chromium, firefox, jsc, which stands for Safari, or jsc_relaxed
(jsc with those relaxed vectors that it has, behind a flag). Every engine takes the module with fixed vectors; one that does not take the other must be
one of which engine.mjs says so. Sums of products must be fused where, and only where, the module's vectors are relaxed and the
engine's multiply-add rounds once."""
import argparse
import json
import os
import pathlib
import platform
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / 'tests' / 'web'), str(ROOT / 'tests' / 'tools')]
from served import CHROMIUM, FIREFOX, Failed  # noqa: E402

NETWORKS = {
    'examples/demo/warp.onnxtxt': {'image': [2, 3, 45, 63], 'theta': [2, 2, 3]},
    'tests/wasm/networks/attention.onnxtxt': {'x': [1, 19, 64]},
    'tests/wasm/networks/bytes.onnxtxt': {'x': [1, 3, 33, 29]},
    'tests/wasm/networks/convolutions.onnxtxt': {'x': [1, 3, 61, 47]},
}
FAST = ' (fast)'  # behind a network's name: multiplied, then added
PATIENCE = 300  # seconds
NUMPY = {'<f4': ('float', 4, 'f'), '<i8': ('int64', 8, 'q'), '|u1': ('uint8', 1, 'B'), '<i4': ('int32', 4, 'i'), '|i1': ('int8', 1, 'b')}

passed = failed = 0


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    a.add_argument('kind', choices=['relaxed', 'fixed'])
    a.add_argument('module', type=path_of)
    a.add_argument('ocellus')
    a.add_argument('engine', choices=ENGINES)
    a.add_argument('--node', default='node', help='the program and its options')
    a.add_argument('--programs', nargs='*', default=[], type=path_of, metavar='FILE', help='tests of kernels, for WASI')
    a.add_argument('--unfused', nargs='*', default=[], type=path_of, metavar='FILE', help='those to run with OC_UNFUSED')
    return a.parse_args()


def path_of(text):
    return str(pathlib.Path(text).resolve())


def check(right, *about):
    global passed, failed
    passed, failed = passed + bool(right), failed + (not right)
    if not right:
        print(*about)


def skip(why):
    print(f'skipped: {why}')
    sys.exit(77)


# ---- inputs, and what the command makes of them

def numbers(count):
    """Floats from -2 to 2, whose bits are all in use."""
    state, bytes_of = 1, bytearray()
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        bytes_of += struct.pack('<f', state / 2**30 - 2)
    return bytes(bytes_of)


def product(dims):
    count = 1
    for dim in dims:
        count *= dim
    return count


def write_npy(path, dims, data):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({', '.join(map(str, dims))},), }}".ljust(117) + '\n'
    path.write_bytes(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data)


def read_npy(path):
    """The tensor in a file, as job.mjs tells those of an engine."""
    data = path.read_bytes()
    begin = 10 + struct.unpack_from('<H', data, 8)[0]
    head = eval(data[10:begin].decode())  # pylint: disable=eval-used
    return {'type': NUMPY[head['descr']][0], 'dims': list(head['shape']), 'hex': data[begin:].hex()}


def job_in(folder, args):
    """The networks, each also in the fast way, with their inputs in files of the folder; and programs."""
    networks = []
    for i, (model, shapes) in enumerate(NETWORKS.items()):
        inputs = {}
        for name, dims in shapes.items():
            data = numbers(product(dims))
            (folder / f'{i}-{name}.bin').write_bytes(data)
            write_npy(folder / f'{i}-{name}.npy', dims, data)
            inputs[name] = {'dims': dims, 'file': str(folder / f'{i}-{name}.bin')}
        for kind, options in (('', {}), (FAST, {'unfused': 'fast'})):
            networks.append({'name': model + kind, 'model': str(ROOT / model), 'inputs': inputs, 'options': options})
    programs = [{'file': file, 'variables': {}} for file in args.programs]
    programs += [{'file': file, 'variables': {'OC_UNFUSED': '1'}} for file in args.unfused]
    return {'script': str(ROOT / 'tests' / 'wasm' / 'job.mjs'), 'module': args.module, 'networks': networks, 'programs': programs}


def by_command(ocellus, network, outputs, is_fast, folder):
    words = ['--cpu', 'scalar', '--unfused', 'fast'] if is_fast else []
    for name, tensor in network['inputs'].items():
        words += ['-i', f'{name}={tensor["file"][:-4]}.npy']
    for name in outputs:
        words += ['-o', f'{name}={folder / name}.npy']
    done = subprocess.run([ocellus, 'run', network['model'], '-q', *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f'{network["name"]}: the command says {done.stderr}')
    return {name: read_npy(folder / f'{name}.npy') for name in outputs}


# ---- engines

class Program:
    """An engine that is a program, which works on a job in a file."""

    def __init__(self, version, *words, **variables):
        self.version, self.words, self.variables = version, words, variables

    def answer(self, job, folder):
        path = folder / 'job.json'
        path.write_text(json.dumps(job), encoding='utf-8')
        done = subprocess.run([*self.words, str(path)], env={**os.environ, **self.variables}, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        if done.returncode:
            raise Failed(done.stderr or done.stdout)
        return json.loads(done.stdout)


class Page:
    """An engine that is a browser."""

    def __init__(self, browser):
        if not browser.found:
            skip(f'{browser.name} is not installed')
        self.browser, self.version = browser, browser.version

    def answer(self, job, folder):
        files = [job['module'], *(n['model'] for n in job['networks']), *(p['file'] for p in job['programs'])]
        return self.browser.answer(job, files, [folder, ROOT / 'js', ROOT / 'tests' / 'wasm'], patience=PATIENCE)


def node(args, *flags):
    words = args.node.split()
    if not shutil.which(words[0]):
        skip(f'there is no {words[0]}')
    version = subprocess.run([words[0], '--version'], capture_output=True, text=True, check=True).stdout.strip()
    return Program(version, *words, *flags, str(ROOT / 'tests' / 'wasm' / 'node.mjs'))


def unfused_node(args):
    if platform.machine() != 'x86_64':
        skip('V8 can be told not to fuse on x86 alone')
    return node(args, '--no-enable-fma3')


def jsc(**variables):
    program = shutil.which('jsc')
    if not program:
        skip('jsc is not installed (libjavascriptcoregtk-4.0-bin)')
    return Program(package_version(program), program, '-m', str(ROOT / 'tests' / 'wasm' / 'jsc.mjs'), '--', **variables)


def package_version(program):
    """The version of Debian's package of a program that does not tell its own."""
    try:
        owner = subprocess.run(['dpkg-query', '-S', program], capture_output=True, text=True, check=True).stdout.split(':')[0]
        return subprocess.run(['dpkg-query', '-W', '-f', '${Version}', owner], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 'of no package'


ENGINES = {
    'node': node,
    'node_unfused': unfused_node,
    'chromium': lambda _: Page(CHROMIUM),
    'firefox': lambda _: Page(FIREFOX),
    'jsc': lambda _: jsc(),
    'jsc_relaxed': lambda _: jsc(JSC_useWasmRelaxedSIMD='1'),
}
MAY_REFUSE = ['jsc', 'jsc_relaxed']  # what has no relaxed vectors yet


# ---- comparison

def difference(ours, theirs):
    """What two tensors differ in; '' where all bits are the same."""
    if (ours['type'], ours['dims']) != (theirs['type'], theirs['dims']):
        return f'{ours["type"]}{ours["dims"]}, expected {theirs["type"]}{theirs["dims"]}'
    if ours['hex'] == theirs['hex']:
        return ''
    _, size, letter = next(n for n in NUMPY.values() if n[0] == ours['type'])
    a, b = bytes.fromhex(ours['hex']), bytes.fromhex(theirs['hex'])
    at = next(i for i in range(0, len(a), size) if a[i:i + size] != b[i:i + size])
    return 'element %d is %s, expected %s' % (at // size, *(struct.unpack_from(letter, x, at)[0] for x in (a, b)))


def takes_module(told, args):
    """Whether the engine takes the module, as it must or may."""
    check(args.kind == 'relaxed' or told['isValid'], 'a module with fixed vectors is refused')
    check(args.kind == 'fixed' or told['isValid'] == told['isRelaxed'], f'isRelaxed() is {told["isRelaxed"]}, but the module is not so')
    check(told['isValid'] or args.engine in MAY_REFUSE, 'a module with relaxed vectors is refused')
    return told['isValid']


def compare(network, result, is_fused, ocellus, folder):
    expected = 'fused' if is_fused else 'fast' if network['options'] else 'exact'
    check(result['products'] == expected, f'{network["name"]}: products are {result["products"]}, expected {expected}')
    theirs = by_command(ocellus, network, result['outputs'], expected == 'fast', folder)
    for name, tensor in result['outputs'].items():
        wrong = difference(tensor, theirs[name])
        check(not wrong, f'{network["name"]}: {name}: {wrong}')


def judge(job, told, args, folder):
    """Returns what the engine does with the module."""
    if not takes_module(told, args):
        return 'refused, as isRelaxed() says'
    is_fused = args.kind == 'relaxed' and bool(told['fuses'])
    check(args.engine != 'node_unfused' or not is_fused, 'V8 fuses although it is told not to')
    for network in job['networks']:
        compare(network, told['networks'][network['name']], is_fused, args.ocellus, folder)
    for program, result in zip(job['programs'], told['programs']):
        check(result['status'] == 0 and '100%: Checks' in result['text'],
              pathlib.Path(program['file']).name, program['variables'], result['status'], result['text'])
    return 'products ' + ('fused' if is_fused else 'exact, and fast where that is asked for')


def main():
    args = arguments()
    engine = ENGINES[args.engine](args)
    if not os.path.exists(args.ocellus):
        skip(f'there is no {args.ocellus} to compare with')
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job = job_in(folder, args)
        try:
            what = judge(job, engine.answer(job, folder), args, folder)
            print(f'{args.engine} {engine.version}, {args.kind} vectors: {what}')
        except (Failed, subprocess.TimeoutExpired) as error:
            check(False, args.engine, engine.version, error)
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


sys.exit(main())
