#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py OCELLUS [SHORT_READS] - closed streams, signals, full disks, slow pipes and interrupted reads: an error or
a result, and no file half-written.

SHORT_READS is a library of short_reads.c, for LD_PRELOAD; none under a sanitizer, which must come first."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish

OCELLUS = os.path.abspath(sys.argv[1])
PATIENCE = 60  # seconds that no step here comes near
MODEL = '''<ir_version: 8, opset_import: ["" : 13]>
picture (uint8[1,3,H,W] x) => (uint8[1,3,H,W] y) { y = Concat <axis = 0> (x) }
'''
SMALL = ['run', 'm.onnxtxt', '--fill', 'random', '--dim', 'H=9', '--dim', 'W=9']
SLOW = ['run', 'm.onnxtxt', '--fill', 'random', '--dim', 'H=3000', '--dim', 'W=3000', '-o', 'y=slow.png']
ENDLESS = [*SMALL, '--repeat', '100000000', '-o', 'y=endless.npy']


def start(*words, before=None, **streams):
    def prepare():  # what this process ignores, as a shell's work in the background does, is not passed on
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if before:
            before()

    streams = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **streams}
    # without a buffer, so that closing the input of a process that has ended has nothing left to write
    return subprocess.Popen([OCELLUS, *words], preexec_fn=prepare, bufsize=0, **streams)


def end(process):
    """Exit code, output, errors; of a process that does not end, the code is None."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, b'', b''


def run(*words, **how):
    return end(start(*words, **how))


def wait_for(condition):
    """Returns when the condition holds; False: it never does."""
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.001)
    return bool(condition())


def leftovers():
    return [str(path) for path in pathlib.Path('.').rglob('*.part')]


# ---- streams

def without_streams():
    """What a run writes is the same, whatever streams are closed; a lost output is an error."""
    whole = [*SMALL, '-o', 'y=whole.png']
    check(run(*whole)[0] == 0, 'a plain run')
    want = pathlib.Path('whole.png').read_bytes()
    for closed in range(1, 8):
        streams = [stream for stream in range(3) if closed >> stream & 1]

        def close(streams=streams):
            for stream in streams:
                os.close(stream)
        code = run(*SMALL, '-o', 'y=got.png', before=close)[0]
        check(code == (3 if 1 in streams else 0), 'without streams', streams, 'exit code', code)
        check(pathlib.Path('got.png').read_bytes() == want, 'without streams', streams, 'the file has other bytes')
    code, _, err = run('run', '-', '--fill', 'random', before=lambda: os.close(0))
    check(code == 3 and b'stream' in err, 'a model from a closed stream', code, err)


def broken_pipe():
    """Standard output that nobody reads any more ends every command, without a word."""
    test = ['--save-test', 'suite/t']
    check(run(*SMALL, *test)[0] == 0, 'a test is saved')
    for words in (['ops'], ['--help'], ['run', '--help'], SMALL, [*SMALL, '--json', '--print'], ['inspect', 'm.onnxtxt'],
                  ['convert', 'm.onnxtxt', '-'], ['bench', *SMALL[1:], '--runs', '2'], ['test', 'suite'], ['check', 'Celu'],
                  ['inspect', 'm.onnxtxt', '--html', '-'], [*SMALL, '--sandbox'], [*SMALL, '--repeat', '100000000', '-v']):
        read, write = os.pipe()
        os.close(read)
        code, _, err = run(*words, stdout=write, stderr=subprocess.STDOUT if '-v' in words else subprocess.PIPE)
        os.close(write)
        check(code == -signal.SIGPIPE and not err, words, 'to a pipe that nobody reads:', code, err)
    read, write = os.pipe()  # but for a command that is started with the signal ignored, as some servers do
    os.close(read)
    code, _, err = run('ops', stdout=write, restore_signals=False)
    os.close(write)
    check(code == 3 and not err, 'SIGPIPE is ignored from the start:', code, err)
    os.mkfifo('unread.npy')
    process = start(*SLOW[:-1], 'y=unread.npy')
    with open('unread.npy', 'rb'):  # it holds less than what is written
        pass
    code, _, err = end(process)
    check(code == 3 and b'unread.npy: Broken pipe' in err, 'an output to a pipe that nobody reads', code, err)


def slow_pipe():
    """A model that comes byte by byte."""
    process = start('run', '-', *SMALL[2:], stdin=subprocess.PIPE)
    for byte in MODEL.encode():
        process.stdin.write(bytes([byte]))
    code, out, err = end(process)
    check(code == 0 and b'uint8[1,3,9,9]' in out, 'a slow pipe', code, err)


def late_pipe():
    """A model that comes byte by byte for longer than the deadline allows."""
    process = start('run', '-', '--deadline', '1', stdin=subprocess.PIPE)
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() - begin < PATIENCE:
        try:
            process.stdin.write(b'#')
        except BrokenPipeError:
            break
        time.sleep(0.02)
    process.stdin.close()
    process.stdin = None
    code, _, err = end(process)
    check(code == 5 and b'loading passed its deadline of 1 s' in err, 'a late pipe', code, err)
    check(time.monotonic() - begin < PATIENCE / 2, 'a late pipe ends late')


# ---- signals

def ends_by_signal():
    """While a run goes on, and while a file is written: the file is there whole or not at all."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGALRM, signal.SIGVTALRM,
                   signal.SIGPROF, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPOLL, signal.SIGPWR, signal.SIGSTKFLT,
                   signal.SIGRTMIN, signal.SIGRTMAX, signal.SIGINT):
        for words, begun in (ENDLESS, lambda: time.sleep(0.3) or True), (SLOW, leftovers):
            process = start(*words, before=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
            check(wait_for(begun), number, words, 'writes no file')
            process.send_signal(number)
            code, _, err = end(process)
            check(code == -number, number, words, 'exit code', code)
            check((b'cancelled' in err) == (number == signal.SIGINT), number, words, err)
            check(not leftovers() and not os.path.exists(words[-1][2:]), number, words, 'leaves', os.listdir('.'))


def ends_a_loop_of_the_shell():
    """bash goes on with the next turn where a command that it interrupted has an exit code."""
    bash = shutil.which('bash')
    if not bash:
        print('skipped: bash is not installed')
        return
    line = 'for i in 1 2 3; do "$@"; echo turn; done; echo after'
    process = subprocess.Popen([bash, '-c', line, 'bash', OCELLUS, *ENDLESS, '-v'], start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stderr.readline()
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(PATIENCE / 3)
    except subprocess.TimeoutExpired:  # the second turn
        os.killpg(process.pid, signal.SIGKILL)
    out, err = process.communicate()
    check(process.returncode == -signal.SIGINT and not out, 'a loop goes on after Ctrl-C:', process.returncode, out, err)


def ends_by_second_interrupt():
    process = start(*SLOW)
    check(wait_for(leftovers), 'no file is written')
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    code = end(process)[0]
    check(code in (-signal.SIGTERM, -signal.SIGINT) and not leftovers(), 'two signals at one time', code)


def waits_are_interrupted():
    """A pipe that gives nothing, as the model and as an input, and one that nobody opens at its other end."""
    for name in 'held.onnx', 'alone.onnx', 'pipe.npy', 'held.npy', 'out.npy', 'out.npz', 'out.onnx':
        os.mkfifo(name)
    held = [os.open(name, os.O_RDWR) for name in ('held.onnx', 'held.npy')]
    all_waiting = [start('run', '-', stdin=subprocess.PIPE)]
    all_waiting += [start(*words) for words in (
        ['run', 'held.onnx'], ['run', 'alone.onnx'], ['run', 'm.onnxtxt', '-i', 'x=pipe.npy'],
        ['run', 'm.onnxtxt', '-i', 'x=held.npy'], [*SMALL, '-o', 'y=out.npy'], [*SMALL, '-o', 'out.npz'],
        ['convert', 'm.onnxtxt', 'out.onnx'])]
    time.sleep(0.5)
    for waiting in all_waiting:
        begin = time.monotonic()
        waiting.send_signal(signal.SIGINT)
        code, _, err = end(waiting)
        check(code == -signal.SIGINT and b'cancelled' in err, waiting.args[1:], 'waits for a pipe, exit code', code, err)
        check(time.monotonic() - begin < PATIENCE / 2, waiting.args[1:], 'an interrupt is answered late')
    for number in held:
        os.close(number)


def search_is_interrupted():
    """Many folders, and one test that is not asked for."""
    for i in range(60):
        os.makedirs(f'maze/{i}')
    pathlib.Path('maze/0/model.onnx').touch()
    process = start('test', *['maze'] * 20000, '--filter', 'nothing')
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    code, _, err = end(process)
    check(code == -signal.SIGINT and b'test: interrupted in maze' in err, 'a search for tests', code, err)


def resident(process):
    """Bytes of memory that a process has."""
    with open(f'/proc/{process.pid}/statm') as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()


def long_loops_are_interrupted():
    """While an input is made up, and while an output is summed up after all is written."""
    pathlib.Path('large.onnxtxt').write_text('''<ir_version: 8, opset_import: ["" : 13]>
large (uint8[N] x) => (int64[1] n, uint8[N] y) { n = Shape (x)  y = Identity (x) }
''')
    size = 300000000
    words = ['run', 'large.onnxtxt', '--dim', f'N={size}', '-o', 'n=n.npy', '--fill']
    for fill, begun, text in (('random', lambda: resident(process) > 0.99 * size, b"input 'x': cancelled"),
                              ('zeros', lambda: os.path.exists('n.npy'), b'statistics of values: cancelled')):
        process = start(*words, fill)
        check(wait_for(lambda: process.poll() is not None or begun()), fill, 'does not begin')
        process.send_signal(signal.SIGINT)
        code, _, err = end(process)
        check(code == -signal.SIGINT and text in err, '--fill', fill, 'exit code', code, err)


def long_texts_are_interrupted():
    """While the width of an array of strings is found: many elements that share one long text."""
    pathlib.Path('texts.onnxtxt').write_text('''<ir_version: 8, opset_import: ["" : 13]>
texts () => (y) <string[1] s = {"%s"}, int64[1] n = {400000}> { y = Expand (s, n) }
''' % ('x' * (1 << 20)))
    for words in ['-o', 'y=texts.npy'], ['-o', 'texts.npz']:
        process = start('run', 'texts.onnxtxt', *words)
        check(wait_for(lambda: process.poll() is not None or leftovers()), words, 'does not begin')
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        code, _, err = end(process)
        check(code == -signal.SIGINT and b'cancelled' in err and not leftovers(), words, 'exit code', code, err)


def long_lists_are_interrupted():
    """While a line is printed for each of many items without elements."""
    pathlib.Path('list.onnxtxt').write_text('''<ir_version: 8, opset_import: ["" : 13]>
list () => (y) <float v = {0}, int64[2] n = {300000, 0}> { t = Expand (v, n) y = SplitToSequence (t) }
''')
    for words in [], ['--json']:
        with open('printed', 'wb') as printed:
            process = start('run', 'list.onnxtxt', *words, stdout=printed)
        check(wait_for(lambda: process.poll() is not None or os.path.getsize('printed')), words, 'does not begin')
        process.send_signal(signal.SIGINT)
        code, _, err = end(process)
        check(code == -signal.SIGINT and b'statistics of values: cancelled' in err, 'a list', words, 'exit code', code, err)


def long_files_are_interrupted():
    """While a large weight is packed, and while it is printed: the answer does not wait until all of it is."""
    size = 48 << 20
    pathlib.Path('noise.bin').write_bytes(os.urandom(size))
    pathlib.Path('noise.onnxtxt').write_text('''<ir_version: 8, opset_import: ["" : 13]>
noise () => (y) <uint8[%d] w = ["location": "noise.bin"]> { y = Shape (w) }
''' % size)

    def begin(name):
        process = start('convert', 'noise.onnxtxt', name)
        check(wait_for(lambda: process.poll() is not None or leftovers()), name, 'is not begun')
        return process, time.monotonic()
    for name in 'packed.onnx.gz', 'printed.onnxtxt':
        process, since = begin(name)
        check(end(process)[0] == 0, name)
        whole = time.monotonic() - since
        process, since = begin(name)
        process.send_signal(signal.SIGINT)
        code, _, err = end(process)
        late = time.monotonic() - since
        check(code == -signal.SIGINT and name.encode() + b': cancelled' in err and not leftovers(), name, 'exit code', code, err)
        check(late < whole / 2, name, 'ends late:', late, 'of', whole, 's')


def nohup_is_kept():
    process = start(*ENDLESS, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.3)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.1)
    check(process.poll() is None, 'SIGHUP ends a process that ignores it')
    process.send_signal(signal.SIGTERM)
    check(end(process)[0] == -signal.SIGTERM, 'the exit code after SIGTERM')


# ---- disks

def full_disks():
    def short_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
    for ending in '.npy', '.npz', '.png', '.jpg', '.pb':
        words = [*SMALL, '-o', f'y=limited{ending}' if ending != '.npz' else 'limited.npz']
        code, _, err = run(*words, before=short_files)
        check(code == 3 and b'File too large' in err, ending, 'past the limit of a file', code, err)
        check(not leftovers() and not os.path.exists('limited' + ending), ending, 'leaves', os.listdir('.'))
    for name in 'limited.onnx', 'limited.onnx.gz', 'limited.onnxtxt':
        long = MODEL.replace('picture', 'picture' + ''.join(map(str, range(300))))
        pathlib.Path('long.onnxtxt').write_text(long)
        code, _, err = run('convert', 'long.onnxtxt', name, before=short_files)
        check(code == 3 and b'File too large' in err and not leftovers(), name, code, err)
    if os.path.exists('/dev/full'):
        for ending in '.npy', '.png', '.jpg', '.pb':
            os.symlink('/dev/full', 'full' + ending)
            code, _, err = run(*SMALL, '-o', 'y=full' + ending)
            check(code == 3 and b'No space left' in err, ending, 'on a full disk', code, err)
        with open('/dev/full', 'wb') as full:
            code, _, err = run(*SMALL, stdout=full)
        check(code == 3 and b'standard output: No space left' in err, 'standard output full', code, err)


def vanished_files():
    """A name in a folder's listing, whose file is gone when it is opened."""
    os.mkdir('gone')
    os.symlink('nowhere', 'gone/input_0.pb')
    code, _, err = run('run', 'm.onnxtxt', '-i', 'gone')
    check(code == 2 and b"no value for input 'x'" in err, 'a folder without inputs', code, err)
    code, _, err = run('run', 'm.onnxtxt', '-i', 'x=gone/input_0.pb')
    check(code == 3 and b'gone/input_0.pb: No such file' in err, 'a link to nowhere', code, err)
    os.mkdir('closed')
    code, _, err = run(*SMALL, '-o', 'y=closed/../removed/y.npy')
    check(code == 3 and b'removed/y.npy' in err, 'a folder that is not there', code, err)


def short_reads():
    """A read that gives fewer bytes, or none this time, changes no result."""
    pathlib.Path('w.onnxtxt').write_text('''<ir_version: 8, opset_import: ["" : 13]>
weights (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add (x, w) }
''')
    for name in 'w.onnx', 'w.onnx.gz':
        check(run('convert', 'w.onnxtxt', name)[0] == 0, 'convert to', name)
    for name in 'x.npy', 'x.pb':
        check(run('run', 'w.onnxtxt', '--fill', 'random', '-o', 'y=' + name)[0] == 0, 'write', name)
    cases = [['run', model, '--fill', 'random', *way]
             for model in ('w.onnxtxt', 'w.onnx', 'w.onnx.gz') for way in ([], ['--no-map'])]
    cases += [['run', 'w.onnx', '-i', 'x=' + name] for name in ('x.npy', 'x.pb')]
    check(run(*SMALL, '-o', 'y=p.png')[0] == 0 and run(*SMALL, '-o', 'y=p.jpg')[0] == 0, 'pictures')
    cases += [['run', 'm.onnxtxt', '-i', 'x=' + name] for name in ('p.png', 'p.jpg')]
    for words in cases:
        code, _, err = run(*words, '-o', 'y=once.npy')
        check(code == 0, *words, err)
        code, _, err = run(*words, '-o', 'y=again.npy', env=dict(os.environ, LD_PRELOAD=sys.argv[2]))
        same = code == 0 and pathlib.Path('once.npy').read_bytes() == pathlib.Path('again.npy').read_bytes()
        check(same, 'short reads:', *words, code, err)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path('m.onnxtxt').write_text(MODEL)
    for group in (without_streams, broken_pipe, slow_pipe, late_pipe, ends_by_signal, ends_a_loop_of_the_shell,
                  ends_by_second_interrupt, waits_are_interrupted, search_is_interrupted, long_loops_are_interrupted, long_texts_are_interrupted,
                  long_lists_are_interrupted, long_files_are_interrupted, nohup_is_kept, full_disks, vanished_files,
                  *([short_reads] if len(sys.argv) > 2 else [])):
        group()
    os.chdir('/')
finish()
