# SPDX-License-Identifier: Apache-2.0
"""sandbox.py OCELLUS - with --sandbox every command gives what it gives without, and does not get what it must not."""
import ctypes
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish

SKIP = 77
ocellus = os.path.abspath(sys.argv[1])
# What looks for leaks at the end starts a process, which the sandbox refuses.
os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'

MODEL = """<ir_version: 8, opset_import: ["": 17]>
g (float[2,3] x) => (float[2,3] y) { y = Neg (x) }
"""
FOREVER = """<ir_version: 8, opset_import: ["": 17]>
g () => (y) <int64 n = {999999999999}, float[1,1,64,64] v = {%s}, float[1,1,3,3] w = {0,0,0,0,1,0,0,0,0}>
{
    y = Loop (n, , v) <body = b (int64 i, bool more, float[1,1,64,64] s) => (more, t) { t = Conv <pads = [1,1,1,1]> (s, w) }>
}
""" % ','.join(['1'] * 64 * 64)


def run(*words, before=None):
    return subprocess.run([ocellus, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          preexec_fn=before, check=False)


def wants(code, text, *words, before=None):
    done = run(*words, before=before)
    check(done.returncode == code and text in done.stderr + done.stdout,
          f'{" ".join(words)}: exit code {done.returncode}, expected {code} and "{text}"\n{done.stderr}')
    return done


def put(path, text):
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def get(path):
    with open(path, 'rb') as f:
        return f.read()


# ---- the same results


def same_results():
    """Each command that reads a model, on files in several folders."""
    for box in [], ['--sandbox']:
        out = 'boxed' if box else 'plain'
        wants(0, 'y  float[2,3]', 'run', 'models/m.onnxtxt', '--fill', 'random', '-o', out, '-o', f'y={out}.npy', '-o',
              f'{out}.npz', '--dump', f'{out}/dump', '--threads', '3', *box)
        wants(0, 'agrees', 'run', 'models/m.onnxtxt', '-i', f'x={out}/y.npy', '--expect', 'minus.npz', *box)
        wants(0, 'agrees', 'run', 'models/m.onnxtxt', '-i', 'inputs', '--expect', 'plain.npz', *box)
        wants(0, 'median', 'bench', 'models/m.onnxtxt', '--fill', 'random', '--runs', '2', *box)
        wants(0, 'native', 'inspect', 'models/m.onnxtxt', *box)
        wants(0, '', 'convert', 'models/m.onnxtxt', f'{out}/m.onnx', *box)
        wants(0, '', 'expand', f'{out}/m.onnx', '-o', f'{out}/e.onnx.gz', *box)
        wants(0, '', 'join', f'{out}/m.onnx', 'models/m.onnxtxt', '-l', 'y=x', '-o', f'{out}/j.onnx', *box)
        wants(0, '0 disagreements', 'check', 'models/m.onnxtxt', '--fill', 'random', *box)
        wants(0, '0 disagreements', 'check', 'Celu', '--html', f'{out}/page.html', *box)
    for name in ['y.npy', 'dump/000000_Neg_y.npy', 'm.onnx', 'e.onnx.gz', 'j.onnx', 'page.html']:
        check(get(f'plain/{name}') == get(f'boxed/{name}'), f'{name} differs')
    check(get('plain.npy') == get('boxed.npy') and get('plain.npz') == get('boxed.npz'), 'an output differs')


# ---- what is out of reach


def out_of_reach():
    """Links lead where no file is named: without the sandbox they are followed."""
    os.mkdir('links')
    os.symlink('../secret/x.pb', 'links/input_0.pb')
    wants(0, '', 'run', 'models/m.onnxtxt', '-i', 'links')
    wants(3, 'links/input_0.pb: Permission denied', 'run', 'models/m.onnxtxt', '-i', 'links', '--sandbox')
    os.mkdir('target')
    os.symlink('/dev/null', 'target/y.npy')
    wants(0, '', 'run', 'models/m.onnxtxt', '--fill', 'zeros', '-o', 'target')
    wants(3, 'target/y.npy: Permission denied', 'run', 'models/m.onnxtxt', '--fill', 'zeros', '-o', 'target',
          '--sandbox')
    # What the command line itself names may be a link, or a device.
    os.symlink('models/m.onnxtxt', 'link.onnxtxt')
    wants(0, '', 'run', 'link.onnxtxt', '--fill', 'zeros', '-o', 'target/y.npy', '--sandbox')


def linked_data():
    """Model and data are links into another folder, as in a cache: data beside the real model are read."""
    os.makedirs('cache/blobs')
    os.makedirs('cache/names/onnx')
    put('cache/blobs/m', '<ir_version: 8, opset_import: ["": 17]> g () => (float[2] y) '
        '<float[2] w = ["location": "w.bin"]> { y = Neg (w) }')
    put('cache/blobs/w', '\0' * 8)
    put('cache/outside', '\0' * 8)
    os.symlink('../../blobs/m', 'cache/names/onnx/m.onnxtxt')
    for target, code, text in ('../../blobs/w', 0, 'y  float[2]'), ('../../outside', 3, 'w.bin'):
        os.symlink(target, 'cache/names/onnx/w.bin')
        for box in [], ['--sandbox']:
            wants(code, text, 'run', 'cache/names/onnx/m.onnxtxt', *box)
        os.unlink('cache/names/onnx/w.bin')


# ---- what the system says of a run


def limits_of(pid):
    rows = re.findall(r'^(Max .*?)  +(\S+)', get(f'/proc/{pid}/limits').decode(), re.M)
    return dict(rows)


def while_it_runs():
    process = subprocess.Popen([ocellus, 'run', 'models/forever.onnxtxt', '--sandbox', '--threads', '2', '--deadline',
                                '50', '--memory-cap', '100M', '--cpu', 'scalar'], stderr=subprocess.PIPE, text=True)
    status, end = {}, time.time() + 20
    while time.time() < end and (status.get('Seccomp') != '2' or int(status['Threads']) < 2):
        time.sleep(0.05)
        status = dict(re.findall(r'^(\w+):\t(.*)$', get(f'/proc/{process.pid}/status').decode(), re.M))
    limits = limits_of(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    check(process.returncode == -signal.SIGINT and 'the run was cancelled' in err, f'{process.returncode}: {err}')
    for name, value in {'Seccomp': '2', 'NoNewPrivs': '1'}.items():
        check(status.get(name) == value, f'{name} is {status.get(name)}, expected {value}')
    check(int(status.get('Threads', 0)) >= 2, f'{status.get("Threads")} threads, expected 2')
    for name, value in {'Max core file size': '0', 'Max open files': '64', 'Max cpu time': '361'}.items():
        check(limits[name] == value, f'{name} is {limits[name]}, expected {value}')
    check(limits['Max data size'] != 'unlimited', 'the memory is not limited')


# ---- systems that have less


def without(*lacking):
    """Makes a function that takes Landlock or seccomp away from the process, by a filter of system calls."""
    prctl = {'x86_64': 157, 'aarch64': 167}[platform.machine()]
    steps = [(0x20, 0, 0, 0)]
    if 'Landlock' in lacking:
        steps += [(0x15, 0, 1, 444), (0x06, 0, 0, 0x50000 | 38)]
    if 'seccomp' in lacking:
        steps += [(0x15, 0, 3, prctl), (0x20, 0, 0, 16), (0x15, 0, 1, 22), (0x06, 0, 0, 0x50000 | 22)]
    steps += [(0x06, 0, 0, 0x7fff0000)]

    class Step(ctypes.Structure):
        _fields_ = [('code', ctypes.c_ushort), ('yes', ctypes.c_ubyte), ('no', ctypes.c_ubyte), ('k', ctypes.c_uint)]

    class Program(ctypes.Structure):
        _fields_ = [('n', ctypes.c_ushort), ('step', ctypes.POINTER(Step))]

    libc = ctypes.CDLL(None)
    program = Program(len(steps), (Step * len(steps))(*(Step(*s) for s in steps)))

    def take_away():
        if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(program)) != 0:
            raise OSError('no filter')
    return take_away


def systems_with_less():
    words = ['run', 'models/m.onnxtxt', '--fill', 'zeros', '--sandbox']
    wants(0, 'this system has no Landlock', *words, before=without('Landlock'))
    wants(0, 'this system has no seccomp', *words, before=without('seccomp'))
    wants(2, 'this system has neither Landlock nor seccomp', *words, before=without('Landlock', 'seccomp'))


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for name in ['models', 'inputs', 'secret']:
        os.mkdir(name)
    put('models/m.onnxtxt', MODEL)
    put('models/forever.onnxtxt', FOREVER)
    run('run', 'models/m.onnxtxt', '--fill', 'random', '-o', 'plain.npz', '-o', 'x.npy')
    run('run', 'models/m.onnxtxt', '-i', 'x.npy', '-o', 'minus.npz', '-o', 'secret/x.pb')
    os.rename('secret/x.pb', 'inputs/input_0.pb')
    run('run', 'models/m.onnxtxt', '-i', 'inputs', '-o', 'secret/x.pb')
    probe = run('run', 'models/m.onnxtxt', '--fill', 'zeros', '--sandbox')
    if '--sandbox: this system' in probe.stderr:
        print('skipped: ' + probe.stderr)
        os.chdir('/')
        sys.exit(SKIP)
    same_results()
    out_of_reach()
    linked_data()
    while_it_runs()
    systems_with_less()
    os.chdir('/')
finish()
