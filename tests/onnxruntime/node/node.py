# SPDX-License-Identifier: Apache-2.0
"""node.py - onnxruntime-node, from npm, with this build's libonnxruntime.so.1 in place of its own.

usage: node.py PACKAGE LIBRARY OCELLUS tests FOLDER          ONNX's backend tests below the folder
       node.py PACKAGE LIBRARY OCELLUS networks PATH... [-- OPTIONS of ocellus run]   .onnx files, and those of folders
       node.py PACKAGE LIBRARY OCELLUS interface             what people call besides

PACKAGE is a folder in which npm's package is, or which it is fetched into; LIBRARY stands for ONNX Runtime's; OCELLUS is
the command.
  tests      Each test that `ocellus test` passes must pass through Node.js with the same tolerances, unless it needs a
             type that onnxruntime-node has none for, or the host's reader of pictures, which is said.
  networks   Outputs have the bits that `ocellus run` makes of the same random inputs, and are near those of ONNX Runtime.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

import node_package

here = os.path.dirname(os.path.abspath(__file__))
CARRIED = {'float', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16', 'double', 'uint32', 'uint64'}
NO_READER = 'the session has no image_decoder'
NEAR = {'rtol': 1e-2, 'atol': 2e-3}  # ONNX Runtime sums in another order


class Program:
    """node with one of the programs beside this file."""

    def __init__(self, modules, library):
        self.modules = modules
        self.environment = node_package.environment(library)

    def run(self, script, *words):
        return subprocess.run(['node', '--expose-gc', os.path.join(here, script), self.modules, *map(str, words)], env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def told_of(ocellus, model):
    done = subprocess.run([ocellus, 'inspect', '--json', model], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def not_carried(ocellus, model):
    """Why onnxruntime-node cannot carry the inputs and outputs of this model, or ''."""
    told = told_of(ocellus, model)
    for kind in 'inputs', 'outputs':
        for port in told[kind]:
            if port['kind'] != 'tensor' or port['type'] not in CARRIED:
                return f'{kind} of type {port["type"] if port["kind"] == "tensor" else port["kind"]}'
    return ''


def run_jobs(program, jobs):
    """(state, text) of each job by its name; a process that ends early fails the job that it was at, and another goes on."""
    verdicts, first = {}, 0
    with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
        json.dump(jobs, f)
        f.flush()
        while first < len(jobs):
            done, at = program.run('data_sets.js', f.name, first), None
            for line in done.stdout.splitlines():
                state, _, rest = line.partition(' ')
                if state == 'start':
                    at, first = rest, first + 1
                else:
                    name, _, text = rest.partition(': ')
                    verdicts[name], at = (state, text), None
            if at is not None:
                verdicts[at] = 'fail', f'node ended with code {done.returncode}: {done.stderr.strip()[-300:]}'
            elif first < len(jobs):
                sys.exit(f'node ended with code {done.returncode}: {done.stderr}')
    return verdicts


def finish(verdicts):
    """Prints each verdict but passes, what was skipped by its reasons, and the counts; ends the program."""
    n = collections.Counter(state for state, _ in verdicts.values())
    for name, (state, text) in sorted(verdicts.items(), key=lambda item: (item[1], item[0])):
        if state != 'pass':
            print(f'{state}  {name}: {text}')
    for text, count in collections.Counter(text for state, text in verdicts.values() if state == 'skip').most_common():
        print(f'{count} skipped: {text}')
    print(f'{n["pass"]} passed, {n["fail"]} failed, {n["skip"]} skipped')
    sys.exit(1 if n['fail'] or not n['pass'] else 0)


# ---- ONNX's tests

def bound_of(folder):
    """The tolerances of a test, as `ocellus test` has them."""
    bound, path = {'rtol': 1e-3, 'atol': 1e-7}, os.path.join(folder, 'data.json')
    if os.path.exists(path):
        with open(path, encoding='utf-8') as f:
            told = json.load(f)
        bound = {key: told.get(key, otherwise) for key, otherwise in bound.items()}
    return bound


def run_tests(program, ocellus, folder):
    if not os.path.isdir(folder):
        print(f'skipped: there is no {folder}')
        sys.exit(77)
    found = {os.path.basename(path): path for path, _, files in os.walk(folder, followlinks=True) if 'model.onnx' in files}
    told = subprocess.run([ocellus, 'test', folder, '--json'], capture_output=True, text=True, check=False)
    verdicts, jobs = {}, []
    for test in json.loads(told.stdout)['tests']:
        name, path = test['test'], found[test['test']]
        if test['state'] != 'pass':
            continue
        why = not_carried(ocellus, os.path.join(path, 'model.onnx'))
        if why:
            verdicts[name] = 'skip', why
        else:
            jobs.append({'name': name, 'folder': path, 'bound': bound_of(path)})
    for name, verdict in run_jobs(program, jobs).items():
        verdicts[name] = ('skip', 'pictures that the command reads, not the library') if NO_READER in verdict[1] else verdict
    finish(verdicts)


# ---- networks

def models_of(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from (os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith('.onnx'))
        elif os.path.exists(path):
            yield path


def save_test(ocellus, model, options, folder):
    """Writes the model, inputs and what `ocellus run` makes of them as an ONNX backend test; returns why it could not."""
    done = subprocess.run([ocellus, 'run', model, *options, '--save-test', folder], capture_output=True, text=True, check=False)
    return done.stderr.strip()[-300:] or 'no reason' if done.returncode else ''


def run_network(program, theirs, name, folder):
    verdicts = {}
    for who, how, bound in ('', program, {'bits': True}), (' in ONNX Runtime', theirs, NEAR):
        verdicts.update(run_jobs(how, [{'name': name + who, 'folder': folder, 'bound': bound}]))
    return verdicts


def run_networks(program, theirs, ocellus, words):
    end = words.index('--') if '--' in words else len(words)
    paths, options, verdicts = words[:end], words[end + 1:], {}
    for model in models_of(paths):
        name = os.path.basename(model)
        with tempfile.TemporaryDirectory() as scratch:
            why = save_test(ocellus, model, ['--fill', 'random', *options], scratch + '/test')
            verdicts.update({name: ('skip', why)} if why else run_network(program, theirs, name, scratch + '/test'))
    if not verdicts:
        print(f'skipped: there is no model in {" ".join(paths)}')
        sys.exit(77)
    finish(verdicts)


def main():
    package, library, ocellus, what, *words = sys.argv[1:]
    library, ocellus = os.path.abspath(library), os.path.abspath(ocellus)
    try:
        modules = node_package.fetch(package)
    except node_package.Missing as why:
        print(f'skipped: {why}')
        sys.exit(77)
    theirs = Program(modules, node_package.own_library(modules))
    with node_package.with_library(modules, library) as copy:
        program = Program(copy, library)
        if what == 'tests':
            run_tests(program, ocellus, *words)
        if what == 'networks':
            run_networks(program, theirs, ocellus, words)
        if what == 'interface':
            done = program.run('interface.js', ocellus)
            print(done.stdout, done.stderr, sep='', end='')
            sys.exit(done.returncode)


if __name__ == '__main__':
    main()
