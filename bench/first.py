#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""first.py - what a page pays for the package ocellus and for onnxruntime-web in chromium: bytes and time until a first result, memory, a
run's overhead.

    ./dev bench first [FOLDER...] [--part cold,memory,sessions,overhead] [--only NAME] [--rounds N] [--package FOLDER]

A FOLDER has torchvision's SqueezeNet, beside the networks of `./dev models`."""
import argparse
import contextlib
import json
import os
import pathlib
import sys

import families
import feeds
import first_report
import models
import players
import web
import web_wire

HERE = pathlib.Path(__file__).resolve().parent
NETWORKS = {'squeezenet1_1': 'SqueezeNet', 'face_detection_front': 'BlazeFace', 'PP-OCRv4_det': "PP-OCRv4's detector"}
ENGINES = list(first_report.ENGINES)
LINKS = {'local': None, 'slow': web_wire.Link(*first_report.SLOW)}
VISITS = 3  # of a page in the same browser, whose last has all in caches that can be there
SESSIONS, OF_MEMORY, RUNS = 250, 3, 10000  # sessions of a round, rounds of the memory, runs of the overhead in a round
MEMORY_FLAGS = ['--js-flags=--expose-gc', '--disable-features=SpareRendererForSitePerProcess']
PEER_FILES = 'ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm'  # what its entry onnxruntime-web/wasm takes
ALIKE, FLOOR = 1e-3, 1e-6  # the most difference of outputs' mean magnitudes, relative and beside that
NEG = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[8] x) => (float[8] y)\n{\n  y = Neg (x)\n}\n'


def arguments():
    a = argparse.ArgumentParser(description=__doc__.split('\n')[0], prog='./dev bench first')
    a.add_argument('folder', nargs='*', type=pathlib.Path, help='.onnx files, among them that of SqueezeNet')
    a.add_argument('--part', default=list(PARTS), type=web.words_of(PARTS), help=f'which of {", ".join(PARTS)}; all unless told otherwise')
    a.add_argument('--only', metavar='NAME', default='', help='part of the name of a network')
    a.add_argument('--rounds', type=int, default=9)
    a.add_argument('--package', default='build-npm/ocellus', type=pathlib.Path, help='the folder of the package ocellus')
    a.add_argument('--json', metavar='FILE', help='keep every sample')
    a.add_argument('--results', metavar='FILE', help='write the section there; a run of everything with at least 9 rounds writes it '
                   'in bench/WEB.md')
    a.add_argument('--build', default='build', type=pathlib.Path, help=argparse.SUPPRESS)
    a.add_argument('--models', type=pathlib.Path, help=argparse.SUPPRESS)
    return a.parse_args()


# ---- pages

class Stage:
    """Shows pages, each of which does one task of bench/web/first.mjs with an engine and a network."""

    def __init__(self, args, modules):
        self.roots = {'ocellus': args.package.resolve(), 'onnxruntime-web': modules / 'onnxruntime-web', 'bench': HERE / 'web'}
        pack = web_wire.Packer(args.build / 'bench' / 'packed')
        for path in *self.roots['ocellus'].glob('*.mjs'), *self.roots['ocellus'].glob('*.wasm'), *map(self.path_of_peer, PEER_FILES):
            pack(path) # now, not when a page waits
        self.wire = web_wire.Wire(self.roots, pack)
        imports = {'ocellus': '/ocellus/ocellus.mjs', 'onnxruntime-web/wasm': f'/onnxruntime-web/dist/{PEER_FILES[0]}'}
        self.head = f'<!doctype html><meta charset=utf-8><script type=importmap>{json.dumps({"imports": imports})}</script>'

    def path_of_peer(self, name):
        return self.roots['onnxruntime-web'] / 'dist' / name

    def ask(self, task, engine, network, flags=(), visits=1, link=None, **job):
        path, inputs = network
        self.wire.roots = {**self.roots, 'model.onnx': pathlib.Path(path)}
        job = {'model': '/model.onnx', 'inputs': inputs, **job}
        script = (f"import * as engine from '/bench/first_{engine.partition('-')[0]}.mjs'; import {{ {task}, report }} from '/bench/first.mjs'; "
                  f'report({task}(engine, {json.dumps(job)}));')
        return self.wire.show(f'{self.head}<script type=module>{script}</script>', flags, visits, link)


def networks_of(args, command):
    """{ title: (path, { input: dims }) } of the networks that are there."""
    found, feeds_of = families.found([root.resolve() for root in (args.models, *args.folder) if root]), feeds.load_feeds()
    chosen = {}
    for part, title in NETWORKS.items():
        path = next((n.path for n in found if part in n.name), None)
        if path and args.only.lower() in title.lower():
            chosen[title] = path, {name: list(array.shape) for name, array in feeds_of(command, path).items()}
    return chosen


def turns(rounds, *kinds):
    """The kinds, in the order of the round: every other one is reversed."""
    for i in range(rounds):
        yield from kinds if i % 2 == 0 else reversed(kinds)


# ---- parts

def cold(stage, networks, rounds):
    """{ network: { link: { engine: { ms, again, sent } } } }"""
    results = {}
    for title, network in networks.items():
        results[title] = {link: {engine: {'ms': [], 'again': []} for engine in ENGINES} for link in LINKS}
        means = {}
        for link, engine in turns(rounds, *((link, engine) for link in LINKS for engine in ENGINES)):
            visits = stage.ask('first', engine, network, visits=1 if LINKS[link] else VISITS, link=LINKS[link])
            kept = results[title][link][engine]
            kept['ms'].append(visits[0]['ms'])
            kept['again'] += [visits[-1]['ms']] if len(visits) > 1 else []
            kept['sent'] = visits[0]['sent']
            means[engine] = visits[0]['means']
        expect_alike(title, means)
        print(first_report.line(title, results[title]), flush=True)
    return results


def expect_alike(title, means):
    own, peer = (means[engine] for engine in ENGINES)
    for name, mean in own.items():
        if not abs(mean - peer[name]) <= ALIKE * mean + FLOOR:
            raise players.Failed(f'{title}: output {name} has the mean magnitude {mean} in {ENGINES[0]} and {peer[name]} in {ENGINES[1]}')


def memory(stage, networks, _):
    results = {}
    for title, network in networks.items():
        results[title] = {engine: [] for engine in ENGINES}
        for engine in turns(OF_MEMORY, *ENGINES):
            results[title][engine].append(stage.ask('held', engine, network, MEMORY_FLAGS)[0]['bytes'])
        print(f'{title}: {first_report.memory_line(results[title])}', flush=True)
    return results


def sessions(stage, networks, _):
    title, network = next(((t, n) for t, n in networks.items() if t == 'BlazeFace'), next(iter(networks.items())))
    found = {engine: stage.ask('sessions', engine, network, MEMORY_FLAGS, count=SESSIONS, rounds=4)[0] for engine in ENGINES}
    print(f'sessions: {found}', flush=True)
    return {'title': title, 'count': SESSIONS, 'engines': found}


def overhead(stage, neg, rounds):
    """{ engine: { 'worker' or 'thread': microseconds } }"""
    results = {engine: {'worker': [], 'thread': []} for engine in ENGINES}
    for place, engine in turns(rounds, *((place, engine) for place in ('worker', 'thread') for engine in ENGINES)):
        results[engine][place] += stage.ask('overhead', engine, neg, count=RUNS, apart=place == 'worker')[0]['us']
    print(first_report.overhead_table(results), flush=True)
    return results


PARTS = {'cold': cold, 'memory': memory, 'sessions': sessions, 'overhead': overhead}


def main():
    args = arguments()
    args.build = args.build.resolve()
    if not web_wire.CHROMIUM.found:
        print('first: chromium is not installed')
        return 2
    if not (args.package / 'package.json').exists():
        print(f'first: {args.package} is not there, expected what ./dev npm makes')
        return 2
    modules, command = args.build / 'bench' / 'web' / 'node_modules', args.build / 'tools' / 'ocellus'
    networks, stage = networks_of(args, command), Stage(args, modules)
    if not networks:
        print('first: there are no networks')
        return 2
    neg = models.Folder(str(args.build / 'bench' / 'data'), str(command)).model(models.Model(NEG, {}, None)), {'x': [8]}
    figures = {'rounds': args.rounds, 'loads': [], 'chromium': web_wire.CHROMIUM.version,
               'missing': [t for t in NETWORKS.values() if t not in networks],
               'versions': {'ocellus': web.version_of(args.package), 'onnxruntime-web': web.version_of(modules / 'onnxruntime-web')}}
    for part in args.part:
        figures[part] = PARTS[part](stage, neg if part == 'overhead' else networks, args.rounds)
        figures['loads'].append(os.getloadavg()[0])
        if args.json:
            pathlib.Path(args.json).write_text(json.dumps(figures) + '\n', encoding='utf-8')
    text = first_report.section(figures)
    print('\n' + text)
    is_whole = args.part == list(PARTS) and args.rounds >= 9 and not figures['missing']
    if args.results:
        pathlib.Path(args.results).write_text(text, encoding='utf-8')
    elif is_whole:
        page = HERE / 'WEB.md'
        with contextlib.suppress(FileNotFoundError):
            page.write_text(first_report.replaced(page.read_text(encoding='utf-8'), text), encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
