#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""web.py - times Ocellus as WebAssembly beside onnxruntime-web and LiteRT.js, on one thread, in Node and in chromium.

    ./dev bench web [FOLDER...] [--group float,int8,small,GridSample,RoiAlign,Resize,AffineGrid] [--only NAME] [--rounds N]

The networks are those of `./dev bench models`, and the operators' cases those of `./dev bench`."""
import argparse
import collections
import contextlib
import fnmatch
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

import cases
import families
import feeds
import first_report
import models
import players
import web_page
import web_report

HERE = pathlib.Path(__file__).resolve().parent
OPERATORS = {'GridSample': cases.grid_sample_cases, 'RoiAlign': cases.roi_align_cases, 'Resize': cases.resize_cases,
             'AffineGrid': cases.affine_cases}
GROUPS = ['float', 'int8', 'small', *OPERATORS]
TWINS = {'face_detection_front_128x128_barracuda': 'face_detection_short_range'}  # a network, and the same for LiteRT.js
SEED = 1
TYPES = {'float32': 'float', 'float64': 'double'}  # ONNX's names of NumPy's types, where they differ

# source: a families.Network or a cases.Case
Task = collections.namedtuple('Task', 'name group source')


def words_of(known):
    def parse(text):
        unknown = set(text.split(',')) - set(known)
        if unknown:
            raise argparse.ArgumentTypeError(f'{", ".join(sorted(unknown))} is none of {", ".join(known)}')
        return text.split(',')
    return parse


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0], prog='./dev bench web')
    a.add_argument('folder', nargs='*', type=pathlib.Path, help='.onnx files, on a photograph or made-up numbers')
    a.add_argument('--only', action='append', default=[], metavar='NAME',
                   help='part of a name, or a pattern with * and ?; may be given more than once')
    a.add_argument('--group', default=GROUPS, type=words_of(GROUPS), help=f'which of {", ".join(GROUPS)}; all unless told otherwise')
    a.add_argument('--in', dest='hosts', default=['node', 'chromium'], type=words_of(['node', 'chromium']),
                   help='node, chromium or both, which is what happens unless told otherwise')
    a.add_argument('--engine', default=list(web_report.TITLES), type=words_of(web_report.TITLES),
                   help=f'which of {", ".join(web_report.TITLES)}')
    a.add_argument('--rounds', type=int, default=15)
    a.add_argument('--json', metavar='FILE', help='keep every sample')
    a.add_argument('--results', metavar='FILE', help='write the page there; a run of everything with at least 15 rounds '
                   'writes bench/WEB.md')
    a.add_argument('--keep', metavar='FOLDER', help='leave what the last network was compared with there, for bench/web/profile.mjs')
    a.add_argument('--list', action='store_true', help='print the names')
    a.add_argument('--build', default='build', type=pathlib.Path, help=argparse.SUPPRESS)
    a.add_argument('--wasm', default='build-wasm', type=pathlib.Path, help=argparse.SUPPRESS)
    a.add_argument('--packages', type=pathlib.Path, help=argparse.SUPPRESS)
    return a.parse_args()


# ---- what is timed

def chosen(args):
    found = families.found([root.resolve() for root in (args.packages, *args.folder) if root])
    made = args.build / 'bench' / 'networks'
    networks = {'float': lambda: found,
                'int8': lambda: [n for n in families.planned(found, made / 'int8', 'int8') if n.name.endswith('-qdq')],
                'small': lambda: families.planned(found, made / 'small', 'small')}
    tasks = [Task(source.name, group, source) for group in args.group for source in (networks.get(group) or OPERATORS[group])()]
    return [t for t in tasks if not args.only or any(o in t.name or fnmatch.fnmatch(t.name, o) for o in args.only)]


class Maker:
    """Makes the model and inputs of a task, by this machine's command."""

    def __init__(self, build):
        self.command = build / 'tools' / 'ocellus'
        self.folder = models.Folder(str(build / 'bench' / 'data'), str(self.command))
        self.feeds_of = feeds.load_feeds()

    def __call__(self, task):
        import numpy as np
        if task.group in OPERATORS:
            model = task.source.model
            return self.folder.model(model), {name: np.load(self.folder.tensor(t)) for name, t in model.inputs.items()}
        if task.group != 'float' and not families.is_fresh(task.source):
            families.make(task.source, self.command, self.feeds_of)
        return str(task.source.path), self.feeds_of(self.command, task.source.source or task.source.path)


def write_network(task, make, folder):
    """The network as bench/web/turns.mjs reads it, with the inputs' bytes in files of the folder."""
    import numpy as np
    model, arrays = make(task)
    inputs = {}
    for i, (name, array) in enumerate(arrays.items()):
        path = f'{folder}/in{i}'
        np.ascontiguousarray(array).tofile(path)
        inputs[name] = {'type': TYPES.get(str(array.dtype), str(array.dtype)), 'dims': list(array.shape), 'file': path}
    return {'name': task.name, 'model': model, 'inputs': inputs}


# ---- engines

def version_of(package):
    return json.loads((package / 'package.json').read_text(encoding='utf-8'))['version']


def engines_of(args, modules):
    """What bench/web/engines.mjs opens, by name. The last one is what results are compared with."""
    ort, litert = modules / 'onnxruntime-web' / 'dist', modules / '@litertjs' / 'core'

    def ocellus(module, **options):
        return {'kind': 'ocellus', 'options': options,
                'files': {'script': str(args.wasm / 'engine.mjs'), 'module': str(args.wasm / module)}}
    found = {
        'relaxed': ocellus('ocellus.wasm'),
        'fast': ocellus('ocellus-fixed.wasm', unfused='fast'),
        'exact': ocellus('ocellus-fixed.wasm'),
        'LiteRT.js': {'kind': 'litert', 'files': {'script': str(litert / 'dist' / 'index.js'), 'folder': str(litert / 'wasm')},
                      'version': version_of(litert)},
        'onnxruntime-web': {'kind': 'onnxruntime-web', 'files': {
            'script': str(ort / 'ort.wasm.min.mjs'), 'glue': str(ort / 'ort-wasm-simd-threaded.mjs'),
            'module': str(ort / 'ort-wasm-simd-threaded.wasm')}},
    }
    return [{'name': name, **engine} for name, engine in found.items() if name in args.engine]


def engines_for(task, engines, modules):
    """LiteRT.js has a network of its own, where there is one."""
    twin = TWINS.get(task.name)
    model = str(modules / '@mediapipe' / 'face_detection' / f'{twin}.tflite')
    return [{**e, 'model': model} if e['kind'] == 'litert' else e for e in engines if e['kind'] != 'litert' or twin]


def downloads(args, modules):
    """What a page fetches of each engine: the files, all their bytes, and those that brotli leaves."""
    def size(path):
        packed = subprocess.run(['brotli', '-q', '11', '-w', '24', '-c', path], stdout=subprocess.PIPE, check=True).stdout
        return path.stat().st_size, len(packed)
    litert, ort = modules / '@litertjs', modules / 'onnxruntime-web' / 'dist'
    scripts = [args.wasm / name for name in ('arrays.mjs', 'engine.mjs', 'error.mjs', 'files.mjs')]
    files = {
        'relaxed': [args.wasm / 'ocellus.wasm', *scripts],
        'fast, exact': [args.wasm / 'ocellus-fixed.wasm', *scripts],
        'LiteRT.js': [litert / 'core' / 'wasm' / 'litert_wasm_internal.wasm', litert / 'core' / 'wasm' / 'litert_wasm_internal.js',
                      litert / 'core' / 'dist' / 'index.js', litert / 'wasm-utils' / 'dist' / 'index.js'],
        'onnxruntime-web': [ort / 'ort-wasm-simd-threaded.wasm', ort / 'ort-wasm-simd-threaded.mjs', ort / 'ort.wasm.min.mjs'],
    }
    return {name: [sum(column) for column in zip(*map(size, paths))] for name, paths in files.items()}


# ---- hosts

class Node:
    name = 'node'

    def __init__(self, modules):
        machine = {'x86_64': 'x64', 'aarch64': 'arm64'}.get(platform.machine(), platform.machine())
        own = modules / f'node-linux-{machine}' / 'bin' / 'node'
        self.command = str(own) if own.exists() else 'node'
        self.version = subprocess.run([self.command, '--version'], capture_output=True, text=True, check=True).stdout.strip()

    def compare(self, _, path):
        done = subprocess.run([self.command, HERE / 'web' / 'node.mjs', path], capture_output=True, text=True)
        if done.returncode:
            raise players.Failed((done.stderr.strip() or f'node ended with {done.returncode}')[-300:])
        return json.loads(done.stdout)


def hosts_of(args, modules, remarks):
    hosts = [Node(modules)] if 'node' in args.hosts else []
    if 'chromium' in args.hosts:
        if web_page.BROWSER:
            hosts.append(web_page.Chromium(modules))
        else:
            remarks.append('chromium is not installed: Node alone ran.')
    return hosts


def folder_of(keep):
    if not keep:
        return tempfile.TemporaryDirectory()
    pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
    return contextlib.nullcontext(str(pathlib.Path(keep).resolve()))


def measure(task, make, hosts, engines, args):
    result = {'name': task.name, 'group': task.group, 'hosts': {}, 'error': None}
    with folder_of(args.keep) as folder:
        try:
            job = {'network': write_network(task, make, folder), 'engines': engines, 'rounds': args.rounds, 'seed': SEED}
            path = pathlib.Path(folder) / 'job.json'
            path.write_text(json.dumps(job), encoding='utf-8')
            for host in hosts:
                result['hosts'][host.name] = host.compare(job, path)['engines']
        except (players.Failed, OSError, ValueError) as error:
            result['error'] = f'{type(error).__name__}: {error}'
    return result


def main():
    args = arguments()
    args.build, args.wasm = args.build.resolve(), args.wasm.resolve()
    modules = args.build / 'bench' / 'web' / 'node_modules'
    tasks = chosen(args)
    if args.list or not tasks:
        print('\n'.join(t.name for t in tasks) or 'nothing has such a name')
        return 0 if tasks else 2
    remarks, results = [], []
    make, hosts, engines = Maker(args.build), hosts_of(args, modules, remarks), engines_of(args, modules)
    try:
        for task in tasks:
            results.append(measure(task, make, hosts, engines_for(task, engines, modules), args))
            print(web_report.line(results[-1]), flush=True)
    except KeyboardInterrupt:
        remarks.append('Interrupted: networks are missing.')
    whole = not args.only and args.rounds >= 15 and len(hosts) == 2 and len(results) == len(tasks) and args.group == GROUPS
    results_file = args.results or (HERE / 'WEB.md' if whole else None)
    figures = {'hosts': {h.name: h.version for h in hosts}, 'rounds': args.rounds, 'remarks': remarks, 'results': results,
               'downloads': downloads(args, modules) if results_file else {}}  # brotli takes a minute
    text = web_report.document(figures)
    if results_file and pathlib.Path(results_file).exists():
        text = first_report.carried(pathlib.Path(results_file).read_text(encoding='utf-8'), text)
    print('\n' + text)
    for path, content in ((results_file, text),
                          (args.json, json.dumps(figures, indent=1) + '\n')):
        if path:
            pathlib.Path(path).write_text(content, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
