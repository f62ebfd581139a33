#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - times the vision operators in Ocellus and in other engines, on the same models and inputs.

    ./dev bench [FILTER...] [--peer torch] [--against BUILD] [--json FILE] [--quick]

A FILTER is a part of a case's name, or a pattern with * and ?; several words must all fit."""
import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys

import cases
import models
import players
import report

HERE = os.path.dirname(os.path.abspath(__file__))
ORT, TORCH, OTHER = 'ONNX Runtime', 'PyTorch', 'other build'


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0], prog='./dev bench')
    a.add_argument('filter', nargs='*', help='part of a name, or a pattern with * and ?; all must fit')
    a.add_argument('--peer', choices=['torch'], help='PyTorch and torchvision too, where they are installed')
    a.add_argument('--against', metavar='BUILD', help='another build of Ocellus in place of ONNX Runtime')
    a.add_argument('--json', metavar='FILE', help='keep every sample')
    a.add_argument('--results', metavar='FILE', help='write the tables there; a run of all cases with ONNX '
                   'Runtime writes bench/RESULTS.md')
    a.add_argument('--quick', action='store_true', help='3 rounds in place of 15')
    a.add_argument('--list', action='store_true', help='print the names of the cases')
    a.add_argument('--build', default='build', help=argparse.SUPPRESS)
    return a.parse_args()


def fits(name, filters):
    return all(f in name or fnmatch.fnmatch(name, f) for f in filters)


# ---- engines

def find_python_with_torch():
    for python in (sys.executable, '/usr/bin/python3'):
        if os.path.exists(python) and not subprocess.run(
                [python, '-c', 'import numpy, torch, torchvision'], capture_output=True).returncode:
            return python
    return None


class Engines:
    """What can run a model here, and what is to be said about what cannot."""

    def __init__(self, args):
        build = os.path.abspath(args.build)
        self.player = os.path.join(build, 'bench', 'bench_player')
        self.folder = models.Folder(os.path.join(build, 'bench', 'data'), os.path.join(build, 'tools', 'ocellus'))
        self.node, self.modules = shutil.which('node'), os.path.join(build, 'bench', 'npm')
        self.torch = find_python_with_torch() if args.peer == 'torch' else None
        self.other = args.against and os.path.join(os.path.abspath(args.against), 'bench', 'bench_player')
        self.peers, self.remarks = [], []
        if self.other:
            self.peers.append(OTHER)
        elif self.node and os.path.isdir(os.path.join(self.modules, 'node_modules', 'onnxruntime-node')):
            self.peers.append(ORT)
        else:
            self.remarks.append('Node.js or its package onnxruntime-node is missing: Ocellus ran alone.')
        if self.torch:
            self.peers.append(TORCH)
        elif args.peer == 'torch':
            self.remarks.append('PyTorch and torchvision are not installed (python3-torch, python3-torchvision).')

    def start(self, engine, model):
        """The process, or None where the engine has no such thing."""
        inputs, path = self.folder.inputs(model), self.folder.model(model)
        if engine in ('ocellus', OTHER):
            return players.Process([self.player if engine == 'ocellus' else self.other, path, *inputs])
        if engine == ORT:
            return players.Process([self.node, os.path.join(HERE, 'peer_ort.js'), self.modules, path, *inputs])
        if model.spec:
            return players.Process([self.torch, os.path.join(HERE, 'peer_torch.py'), json.dumps(model.spec), *inputs])
        return None


# ---- one case

def figures_of(e):
    if e.error:
        return {'error': e.error}
    return {'median': e.median(), 'ms': e.ms, **e.about}


def compare(case, engines, rounds):
    processes = {n: engines.start(n, case.model) for n in ('ocellus', *engines.peers)}
    entrants = {(n, t): players.Entrant(p, t) for n, p in processes.items() if p for t in (1, 2)}
    copy = players.play(list(entrants.values()), rounds, min(rounds, 5), processes['ocellus'])
    for p in processes.values():
        if p:
            p.end()
    result = {'name': case.name, 'target': case.target if ORT in processes else None, 'copy': copy.speed() if copy else None, 'engines': {},
              'slow': any(getattr(e, 'estimate', 0) > 1000 for e in entrants.values())}
    for (name, threads), e in entrants.items():
        result['engines'].setdefault(name, {})[str(threads)] = figures_of(e)
        if e.error and threads == 1:
            print(f'  {name}: {e.error[-160:]}', file=sys.stderr)
    result['bytes'] = int(result['engines']['ocellus']['1'].get('bytes', 0))
    return result


def relate(relation, engines, rounds):
    processes = [engines.start('ocellus', model) for _, model, _ in relation.variants]
    entrants = [players.Entrant(p, 1) for p in processes]
    players.play(entrants, rounds, min(rounds, 5))
    for p in processes:
        p.end()
    return {'name': relation.name, 'variants': [
        {'label': label, 'bound': bound, **figures_of(e)}
        for (label, _, bound), e in zip(relation.variants, entrants)]}


# ---- all

def print_case(r, peers):
    own = report.median(r, 'ocellus', 1)
    words = [f'{report.ms(own)} ms, 2 threads {report.ms(report.median(r, "ocellus", 2))} ms']
    for p in peers:
        peer = report.median(r, p, 1)
        words.append(f'{p} {report.ms(peer)} ms = {report.times(report.ratio(peer, own))}')
    goal = f'  (target {r["target"]}x)' if r['target'] else ''
    print(f'{r["name"]}: {"; ".join(words)}{goal}', flush=True)


def print_relation(r):
    words = [f'{v["label"]} {report.ms(v.get("median"))}' for v in r['variants']]
    print(f'{r["name"]}: {", ".join(words)} ms', flush=True)


def versions(engines, results, relations):
    found = {}
    for r in results:
        for name, by_threads in r['engines'].items():
            version = by_threads['1'].get('version')
            if version:
                found['Ocellus' if name == 'ocellus' else name] = version
    for r in relations:
        for v in r['variants']:
            if v.get('version'):
                found['Ocellus'] = v['version']
    if ORT in found:
        found['Node.js'] = subprocess.run([engines.node, '--version'], capture_output=True, text=True).stdout.strip()
    return found


def main():
    args = arguments()
    chosen = [c for c in cases.cases() if fits(c.name, args.filter)]
    related = [r for r in cases.relations() if fits(r.name, args.filter)]
    if args.list:
        print('\n'.join(c.name for c in chosen + related))
        return 0
    if not chosen and not related:
        print(f'no case fits {" ".join(args.filter)}; --list tells their names', file=sys.stderr)
        return 2
    engines, rounds, results, relations = Engines(args), 3 if args.quick else 15, [], []
    for remark in engines.remarks:
        print(remark, flush=True)
    remarks = engines.remarks + ([f'{rounds} rounds only.'] if args.quick else [])
    try:
        for c in chosen:
            results.append(compare(c, engines, rounds))
            print_case(results[-1], engines.peers)
        for r in related:
            relations.append(relate(r, engines, rounds))
            print_relation(relations[-1])
    except KeyboardInterrupt:
        remarks.append('Interrupted: cases are missing.')
    figures = {'machine': report.machine(), 'versions': versions(engines, results, relations), 'peers': engines.peers,
               'remarks': remarks, 'cases': results, 'relations': relations}
    text = report.document(figures)
    print('\n' + text)
    whole = len(relations) == len(related) and not args.filter and not args.quick and ORT in engines.peers
    target = args.results or (os.path.join(HERE, 'RESULTS.md') if whole else None)
    for path, content in ((target, text), (args.json, json.dumps(figures, indent=1) + '\n')):
        if path:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(content)
    return 0


if __name__ == '__main__':
    sys.exit(main())
