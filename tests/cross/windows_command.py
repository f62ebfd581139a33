# SPDX-License-Identifier: Apache-2.0
"""windows_command.py OCELLUS.exe OCELLUS WINE... - the command for Windows, run by wine: its bytes are those of this machine's
command, paths may have backslashes and any letters, commands of the shell are run and ended, mistakes have their exit codes."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
from checks import check, finish

WINDOWS, HERE, WINE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
DEMO = pathlib.Path(__file__).resolve().parents[2] / 'examples/demo/warp.onnxtxt'
RANDOM = '--fill', 'random', '--dim', 'N=2', '--dim', 'H=45', '--dim', 'W=63'
ENDLESS = '''<ir_version: 8, opset_import: ["" : 17]>
g () => (float s) <bool yes = {1}, float s0 = {0}> {
  s = Loop <body = once (int64 i, bool go, float a) => (bool again, float b) { again = Identity (go)  b = Abs (a) }> ("", yes, s0)
}
'''
FLIP = '''<ir_version: 8, opset_import: ["" : 17]>
g (float[N,3,H,W] x) => (float[N,3,H,W] y) { a = Abs (x)  y = Neg (a) }
'''


def run(command, *words, code=0, text='', data=b''):
    done = subprocess.run([*command, *words], input=data, capture_output=True, timeout=300, check=False)
    said = (done.stdout + done.stderr).decode('utf-8', 'replace')
    check(done.returncode == code, words, 'ends with', done.returncode, 'expected', code, said)
    check(text in said, words, 'says', said, 'expected', text)
    return done.stdout


def windows(*words, **how):
    return run([*WINE, WINDOWS], *words, **how)


def here(*words, **how):
    return run([HERE], *words, **how)


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob('*'))
            if path.is_file() and path.suffix != '.tsv'}


def same_bytes():
    windows('run', 'größe\\warp.onnxtxt', *RANDOM, '-q', '-o', 'größe\\wärp.npy')
    here('run', DEMO, *RANDOM, '-q', '-o', 'here.npy')
    check(pathlib.Path('größe/wärp.npy').read_bytes() == pathlib.Path('here.npy').read_bytes(), 'run gives other bytes')
    for words in (('inspect', DEMO.name), ('inspect', DEMO.name, '--json'), ('expand', DEMO.name, '-o', '-'),
                  ('ops', '--json'), ('check', 'AffineGrid', '--json'), ('run', '--help'), ('--version',)):
        check(windows(*words) == here(*words), words, 'writes other bytes')
    here('convert', DEMO.name, 'warp.onnx')
    model = pathlib.Path('warp.onnx').read_bytes()
    check(b'\x1a' in model or b'\r' in model or b'\n' in model, 'the model has no byte that text files change')
    check(windows('inspect', '-', data=model) == here('inspect', '-', data=model), 'standard input is read otherwise')
    windows('convert', '-', 'again.onnx', data=model)
    check(pathlib.Path('again.onnx').read_bytes() == model, 'convert writes other bytes')


def many_files():
    windows('map', 'flip.onnxtxt', '-i', 'x=pics', '-o', 'results\\of\\pics', '--threads', '2')
    here('map', 'flip.onnxtxt', '-i', 'x=pics', '-o', 'results-here')
    check(len(tree('results-here')) == 3 and tree('results/of/pics') == tree('results-here'), 'map gives other bytes')
    windows('map', 'flip.onnxtxt', '-i', 'x=pics\\p*.ppm', '-o', 'by-pattern')
    check(tree('by-pattern') == {name: data for name, data in tree('results-here').items() if '/' not in name}, 'a pattern')
    windows('map', 'flip.onnxtxt', '-i', 'x=pics', '-o', 'results/of/pics', '--resume', text='3 of them before')
    windows('run', 'flip.onnxtxt', '-i', 'x=pics/p1.ppm', '-q', '--save-test', 'saved')
    windows('test', '.', text='1 passed, 0 failed')
    windows('run', 'flip.onnxtxt', '-i', 'x=pics/p1.ppm', '--save-test', 'saved', code=2, text="the folder has 'model.onnx' in it")


def commands():
    windows('reduce', 'flip.onnxtxt', '-i', 'x=pics/p1.ppm', '--command', 'exit 5 & rem {model}', '--code', '5', '-o', 'small.onnxtxt',
            text='1 of 2 nodes')
    for line, words in (('exit 3 & rem {dir}', 'exit code 3'), ('ocellus-is-not-here {dir}', '')):
        windows('check', 'Selu', '--engine', line, code=3, text=words)
    begin = time.monotonic()
    windows('check', 'Selu', '--engine', f'Z:{WINDOWS} run endless.onnxtxt & rem {{dir}}', '--engine-seconds', '0.2',
            '--case', '22 float (T[])', code=1, text='longer than 0.2 seconds')
    check(time.monotonic() - begin < 60, 'a command that takes too long is ended')
    left = list(pathlib.Path(os.environ['WINEPREFIX']).glob('drive_c/users/*/Temp/ocellus-*'))
    check(not left, 'temporary folders stay', left)


def interrupted():
    """Ctrl-C, which wine makes of SIGINT; of the exit code 0xc000013a it hands on eight bits."""
    process = subprocess.Popen([*WINE, WINDOWS, 'run', 'endless.onnxtxt'], stderr=subprocess.PIPE)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    check(process.returncode == 0x3a and b'the run was cancelled' in said, process.returncode, said)


def mistakes():
    for words, code, text in (
            (['run', 'nothing.onnx'], 3, 'No such file or directory'),
            (['run', 'flip.onnxtxt', '-i', 'x=größe\\warp.onnxtxt'], 3, 'it is text, expected a picture'),
            (['run', 'flip.onnxtxt', '--sandbox'], 2, 'neither Landlock nor seccomp'),
            (['run', 'two.onnxtxt', '-i', 'x=pics/p1.ppm', '-o', 'y=a/x.npy', '-o', 'z=a\\x.npy'], 2, 'are the same file'),
            (['run', 'flip.onnxtxt', '-i', 'x=pics/p1.ppm', '-o', 'flip.onnxtxt/x.npy'], 3, ''),
            (['run', 'größe'], 3, 'größe'),
            (['rum'], 2, "did you mean 'run'")):
        windows(*words, code=code, text=text)
    check('a' not in os.listdir(), 'a folder was made')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name in 'größe', 'pics/deep':
        os.makedirs(name)
    for name in DEMO.name, 'größe/' + DEMO.name:
        pathlib.Path(name).write_bytes(DEMO.read_bytes())
    for i, name in enumerate(('p1', 'p2', 'deep/q')):
        pathlib.Path(f'pics/{name}.ppm').write_bytes(b'P6 4 3 255\n' + bytes(range(i, 36 + i)))
    pathlib.Path('flip.onnxtxt').write_text(FLIP, encoding='utf-8')
    pathlib.Path('endless.onnxtxt').write_text(ENDLESS, encoding='utf-8')
    pathlib.Path('two.onnxtxt').write_text(FLIP.replace('=> (', '=> (float[N,3,H,W] z, ').replace('{', '{ z = Exp (x) '), encoding='utf-8')
    for group in same_bytes, many_files, commands, interrupted, mistakes:
        group()
    os.chdir('/')
finish()
