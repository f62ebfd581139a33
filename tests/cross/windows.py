# SPDX-License-Identifier: Apache-2.0
"""windows.py EMBED.exe WINE... - external data on Windows: examples/embed, run by wine, loads models whose weights lie in
files, and refuses locations that lead elsewhere."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
from checks import check, finish

EMBED, WINE = os.path.abspath(sys.argv[1]), sys.argv[2:]
SUM = '11 22 33 14 25 36\n'  # of 1 to 6 and the weights
MODEL = '''<ir_version: 8, opset_import: ["" : 17]>
g (float[1,1,2,3] image) => (float[1,1,2,3] mirrored) <float[3] w = ["location": "%s"]> { mirrored = Add (image, w) }
'''


def run(location, path='model.onnxtxt'):
    pathlib.Path(path.replace('\\', '/')).write_text(MODEL % location.replace('\\', '\\\\'), encoding='utf-8')
    done = subprocess.run([*WINE, EMBED, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.replace('\r', ''), done.stderr


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.makedirs('in/deep')
    weights = bytes.fromhex('00002041' '0000a041' '0000f041')  # 10, 20, 30
    for name in 'w.bin', 'in/w.bin', 'in/deep/w.bin', 'in/größe.bin':
        pathlib.Path(name).write_bytes(weights)
    os.link('w.bin', 'linked.bin')
    for location, path in (('in/w.bin', 'model.onnxtxt'), ('./in//deep/w.bin', 'model.onnxtxt'), ('in/größe.bin', 'model.onnxtxt'),
                           ('deep/w.bin', 'in/model.onnxtxt'), ('deep/w.bin', 'in\\model.onnxtxt'), ('w.bin', '.\\in\\model.onnxtxt')):
        code, out, err = run(location, path)
        check(code == 0 and out == SUM, location, path, code, out, err)
    for location, why in (('..\\w.bin', 'Windows gives a meaning'), ('in\\w.bin', 'Windows gives a meaning'),
                          ('C:w.bin', 'Windows gives a meaning'), ('in/w.bin:stream', 'Windows gives a meaning'),
                          ('in/w.bin.', 'Windows drops'), ('in/... /w.bin', 'Windows drops'), ('in /w.bin', 'Windows drops'),
                          ('../w.bin', "'..' is refused"), ('/w.bin', 'absolute'), ('', 'empty'), ('in', 'not a regular file'),
                          ('linked.bin', 'hard links'), ('nowhere.bin', 'No such file'), ('in/w.bin/x', '')):
        code, out, err = run(location)
        check(code == 1 and not out and f"external data '{location}': " in err and why in err, location, code, out, err)
    for device in 'NUL', 'con', 'in/aux':
        code, out, err = run(device)
        check(code == 1 and not out, device, code, out, err)
    os.chdir('/')
finish()
