#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""networks.py - times whole networks in Ocellus and in ONNX Runtime, on the same inputs.

    ./dev bench models [FOLDER...] [--family float,int8,half,small] [--only NAME] [--rounds N] [--threads 1,2]

The networks are those of `./dev models`: npm's packages, and the .onnx files of each FOLDER; some of them in 8 bits
and in float16, made here; and small ones."""
import argparse
import fnmatch
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import accuracy
import families
import feeds
import network_report
import players

HERE = pathlib.Path(__file__).resolve().parent
FIRST_ROUNDS = 5  # of processes that run a network once
OBSERVED_RUNS = 10  # for the roofline of each node

# Runs a command; prints its seconds and most resident bytes, and then what it printed. A process
# begins with the most resident bytes of the one that started it, so a small one does.
START = """import os, sys, time
start = time.monotonic()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(time.monotonic() - start, usage.ru_maxrss, file=sys.stderr)
sys.exit(min(os.waitstatus_to_exitcode(status) & 255, 255))"""


def families_of(words):
    unknown = set(words.split(',')) - families.TITLES.keys()
    if unknown:
        raise argparse.ArgumentTypeError(f'{", ".join(unknown)} is none of {", ".join(families.TITLES)}')
    return words.split(',')


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0], prog='./dev bench models')
    a.add_argument('folder', nargs='*', type=pathlib.Path, help='.onnx files, on a photograph or made-up numbers')
    a.add_argument('--light', type=pathlib.Path, help="a folder of ONNX's light networks")
    a.add_argument('--only', action='append', default=[], metavar='NAME',
                   help='part of a name, or a pattern with * and ?; may be given more than once')
    a.add_argument('--family', default=list(families.TITLES), type=families_of,
                   help='which of float, int8, half, small; all unless told otherwise')
    a.add_argument('--rounds', type=int, default=15)
    a.add_argument('--threads', default='1,2', type=lambda s: [int(n) for n in s.split(',')])
    a.add_argument('--quick', action='store_true', help='runs alone, without first results and the nodes of most time')
    a.add_argument('--cpu', help='the best instruction set that Ocellus may use; ONNX Runtime uses all')
    a.add_argument('--exact', action='store_true', help="Ocellus's exact sums, if its command has that option")
    a.add_argument('--json', metavar='FILE', help='keep every sample')
    a.add_argument('--results', metavar='FILE', help='write the page there; a run of all networks with at least 15 '
                   'rounds writes bench/MODELS.md')
    a.add_argument('--list', action='store_true', help='print the names')
    a.add_argument('--build', default='build', help=argparse.SUPPRESS)
    a.add_argument('--packages', type=pathlib.Path, help=argparse.SUPPRESS)
    return a.parse_args()


def last_line(text):
    return (text.strip().splitlines() or ['no message'])[-1][-300:]


def timed(command):
    """Seconds from the start of the process to its end, its most resident megabytes, its output."""
    done = subprocess.run([sys.executable, '-I', '-S', '-c', START, *map(str, command)], capture_output=True, text=True,
                          errors='replace')
    if done.returncode:
        raise players.Failed(last_line('\n'.join(done.stderr.strip().splitlines()[:-1])))
    seconds, kilobytes = last_line(done.stderr).split()
    return float(seconds), int(kilobytes) / 1024, done.stdout


class Ocellus:
    name = 'ocellus'

    def __init__(self, args):
        build = pathlib.Path(args.build).resolve()
        self.command, self.player = build / 'tools' / 'ocellus', build / 'bench' / 'bench_player'
        self.options = ['--cpu', args.cpu] if args.cpu else []
        if args.exact and '--exact' in subprocess.run([self.command, 'run', '--help'], capture_output=True,
                                                      text=True).stdout:
            self.options.append('--exact')

    def start(self, path, inputs):
        return players.Process([self.player, path, *inputs, *self.options])

    def _words(self, path, inputs, threads):
        return [path, *(w for i in inputs for w in ('-i', i)), '--threads', threads, *self.options]

    def first(self, path, inputs, threads):
        seconds, megabytes, _ = timed([self.command, 'run', *self._words(path, inputs, threads)])
        return {'ms': 1e3 * seconds, 'mb': megabytes}

    def session_ms(self, path, inputs, threads):
        _, _, text = timed([self.command, 'bench', *self._words(path, inputs, threads), '--warm', 0, '--runs', 1, '--json'])
        told = json.loads(text)
        return told['load_ms'] + told['plan_ms']

    def nodes(self, path, inputs, threads):
        _, _, text = timed([self.command, 'bench', *self._words(path, inputs, threads), '--warm', 1,
                            '--runs', OBSERVED_RUNS, '--roofline', '--json'])
        return json.loads(text)['roofline']


class OnnxRuntime:
    name = 'ONNX Runtime'

    def __init__(self, args):
        self.modules = pathlib.Path(args.build).resolve() / 'bench' / 'npm'
        self.node = shutil.which('node')
        self.is_there = bool(self.node) and (self.modules / 'node_modules' / 'onnxruntime-node').is_dir()
        self._empty = None

    def start(self, path, inputs):
        return players.Process([self.node, HERE / 'peer_ort.js', self.modules, path, *inputs])

    def _once(self, threads, *words):
        return timed([self.node, HERE / 'peer_ort.js', self.modules, '--once', threads, *words])

    def empty(self):
        """Node with the runtime loaded and no model."""
        if not self._empty:
            runs = [self._once(1) for _ in range(FIRST_ROUNDS)]
            self._empty = {'ms': 1e3 * statistics.median(r[0] for r in runs), 'mb': min(r[1] for r in runs)}
        return self._empty

    def first(self, path, inputs, threads):
        seconds, megabytes, text = self._once(threads, path, *inputs)
        return {'ms': 1e3 * seconds - self.empty()['ms'], 'mb': megabytes - self.empty()['mb'],
                'session_ms': float(last_line(text).split('=')[1])}

    def session_ms(self, path, inputs, threads):
        return self.first(path, inputs, threads)['session_ms']


# ---- one network

def firsts(engines, path, inputs, threads):
    """What a process that wants one result takes; the engines take turns."""
    found = {e.name: [] for e in engines}
    sessions = {e.name: [] for e in engines}
    for r in range(FIRST_ROUNDS):
        for e in engines if r % 2 == 0 else reversed(engines):
            found[e.name].append(e.first(path, inputs, threads))
            sessions[e.name].append(e.session_ms(path, inputs, threads))
    return {name: {'first_ms': statistics.median(x['ms'] for x in all_of), 'mb': min(x['mb'] for x in all_of),
                   'session_ms': statistics.median(sessions[name])} for name, all_of in found.items()}


def able(engines, path, inputs):
    """The engines that can run the network, and what the others say."""
    good, errors = [], {}
    for e in engines:
        try:
            e.first(path, inputs, 1)
            good.append(e)
        except (players.Failed, ValueError) as error:
            errors[e.name] = str(error)
    return good, errors


def play(engines, path, inputs, args):
    processes = {e.name: e.start(path, inputs) for e in engines}
    entrants = {(n, t): players.Entrant(p, t) for n, p in processes.items() for t in args.threads}
    try:
        players.play(list(entrants.values()), args.rounds, min(args.rounds, 5))
    finally:
        for p in processes.values():
            p.end()
    found = {}
    for (name, threads), e in entrants.items():
        if e.error:
            raise players.Failed(f'{name}: {e.error}')
        found.setdefault(name, {})[str(threads)] = {'median': e.median(), 'least': min(e.ms), 'ms': e.ms, **e.about}
    return found


def compare_with_float(network, arrays, engines):
    """How far from the float network, and how much of it ONNX Runtime computes in integers."""
    own, peer = engines[0], next((e for e in engines if isinstance(e, OnnxRuntime)), None)
    run_own, run_peer = accuracy.engines_of(own.command, peer and peer.modules)
    found = accuracy.compare(network, arrays, run_own, run_peer if peer else None)
    if peer and network.family == 'int8':
        found['products'] = accuracy.count_products(peer.node, peer.modules, network.path)
    return found


def measure(network, feeds_of, engines, args):
    own, path = engines[0], network.path
    result = {'name': network.name, 'family': network.family, 'threads': {}, 'errors': {}, 'engines': {}}
    with tempfile.TemporaryDirectory() as folder:
        try:
            if network.family != 'float' and not families.is_fresh(network):
                families.make(network, own.command, feeds_of)
            arrays = feeds_of(own.command, network.source or path)
            inputs = feeds.write_inputs(arrays, folder)
            good, result['errors'] = able(engines, path, inputs)
            if own not in good:
                return result
            if network.source:
                result['accuracy'] = compare_with_float(network, arrays, good)
            result['engines'] = play(good, path, inputs, args)
            for threads in [] if args.quick else args.threads:
                result['threads'][str(threads)] = firsts(good, path, inputs, threads)
            result['roofline'] = None if args.quick else own.nodes(path, inputs, 1)
        except KeyError:  # from what inspect told
            result['errors'][own.name] = 'the command cannot inspect it'
        except (players.Failed, OSError, ValueError) as error:
            result['errors'].setdefault(own.name, f'{type(error).__name__}: {error}')
    return result


# ---- all

def chosen(args):
    """The networks whose family and name are asked for."""
    of_float = families.found([r for r in (args.packages, args.light, *args.folder) if r])
    made = pathlib.Path(args.build).resolve() / 'bench' / 'networks'
    networks = []
    for family in args.family:
        networks += of_float if family == 'float' else families.planned(of_float, made / family, family)
    return [n for n in networks if not args.only or any(o in n.name or fnmatch.fnmatch(n.name, o) for o in args.only)]


def main():
    args = arguments()
    networks = chosen(args)
    if args.list or not networks:
        print('\n'.join(n.name for n in networks) or 'no network has such a name')
        return 0 if networks else 2
    feeds_of, own, peer = feeds.load_feeds(), Ocellus(args), OnnxRuntime(args)
    engines = [own, peer] if peer.is_there else [own]
    remarks = [] if peer.is_there else ['Node.js or its package onnxruntime-node is missing: Ocellus ran alone.']
    if args.exact and '--exact' not in own.options:
        remarks.append('The command has no option --exact.')
    results = []
    try:
        for network in networks:
            results.append(measure(network, feeds_of, engines, args))
            print(network_report.line(results[-1], args.threads), flush=True)
    except KeyboardInterrupt:
        remarks.append('Interrupted: networks are missing.')
    figures = {'machine': network_report.machine(own.options), 'rounds': args.rounds, 'thread_counts': args.threads,
               'node': peer.empty() if peer.is_there else None, 'remarks': remarks, 'networks': results}
    text = network_report.document(figures)
    print('\n' + text)
    whole = (not args.only and not args.quick and args.family == list(families.TITLES) and args.rounds >= 15
             and peer.is_there and len(results) == len(networks))
    for path, content in ((args.results or (HERE / 'MODELS.md' if whole else None), text),
                          (args.json, json.dumps(figures, indent=1) + '\n')):
        if path:
            pathlib.Path(path).write_text(content, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
