# SPDX-License-Identifier: Apache-2.0
"""growth.py OCELLUS - the time of a command grows with the inputs, outputs and nodes of a model, not
with their square: at 8 n at most 2.5 times for each doubling, and twice that for caches. A command
that takes longer is timed again, some times: what else runs can only make it longer."""
import os
import resource
import subprocess
import sys
import tempfile

FEW, FACTOR, TIMES = 2000, 8, 6
MOST = 2 * 2.5 ** 3
LEAST = 0.1  # seconds; what takes less is not looked at


def write_model(path, inputs, outputs):
    """A model of Abs nodes. Names are quoted, as one is not a word."""
    with open(path, 'w') as f:
        f.write('<ir_version: 10, opset_import: ["": 20]>\ng (')
        f.write(', '.join(f'float[1] "{x}"' for x in inputs) + ') => (')
        f.write(', '.join(f'float[1] "{y}"' for y in outputs) + ') {\n')
        f.write(''.join(f'"{y}" = Abs ("{x}")\n' for x, y in zip(inputs, outputs)) + '}\n')


def write_functions(path, n):
    """A model that calls n functions of its own."""
    with open(path, 'w') as f:
        f.write('<ir_version: 10, opset_import: ["": 20, "m": 1]>\ng (float[1] v0) => (float[1] ')
        f.write(f'v{n}) {{\n' + ''.join(f'v{i + 1} = m.f{i} (v{i})\n' for i in range(n)) + '}\n')
        f.write(''.join(f'<domain: "m", opset_import: ["": 20]>\nf{i} (x) => (y) {{ y = Abs (x) }}\n' for i in range(n)))


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f'{" ".join(command)}: exit {done.returncode}: {done.stderr}')
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def prepare(ocellus, folder, n):
    """The commands for a model of n, by what they show. Another model makes its inputs, one of which
    has a name that an archive cannot have."""
    model, maker, functions, inputs, outputs = (os.path.join(folder, f'{n}{ending}') for ending in
                                                ('.onnxtxt', '.maker.onnxtxt', '.f.onnxtxt', '.in.npz', '.out.npz'))
    names = ['../x'] + [f'x{i}' for i in range(n)]
    write_model(model, names, [f'y{i}' for i in range(n + 1)])
    write_functions(functions, n)
    write_model(maker, [f'z{i}' for i in range(n + 1)], names)
    run = [ocellus, 'run', '--threads', '1']
    fill = ['--fill', 'zeros']
    seconds(run + [maker] + fill + ['-o', inputs])
    seconds(run + [model] + fill + ['-o', outputs])
    return {
        'a profile': run + [model] + fill + ['--profile'],
        'an archive of inputs': run + [model, '-i', inputs],
        'an archive of outputs': run + [model] + fill + ['-o', outputs],
        'a folder of outputs': run + [model] + fill + ['-o', os.path.join(folder, f'{n}.out', '')],
        'expected values': run + [model] + fill + ['--expect', outputs, '--json'],
        'inspect': [ocellus, 'inspect', model],
        'a page': [ocellus, 'inspect', model, '--html', os.path.join(folder, f'{n}.html')],
        'a graph for dot': [ocellus, 'inspect', model, '--dot'],
        'shapes': [ocellus, 'inspect', model, '--shapes'],
        'check': [ocellus, 'check', model, '--axis', 'fusion'] + fill,
        'check of functions': [ocellus, 'check', functions] + fill,
    }


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        few, many = (prepare(sys.argv[1], folder, n) for n in (FEW, FACTOR * FEW))
        for what in few:
            short = long = float('inf')
            for _ in range(TIMES):
                short = min(short, seconds(few[what]))
                long = min(long, seconds(many[what]))
                if long < LEAST or long <= MOST * short:
                    break
            good = long < LEAST or long <= MOST * short
            failed += not good
            print(f'{"ok" if good else "FAILED"}: {what}: {short:.3f} s, {long:.3f} s')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
