# SPDX-License-Identifier: Apache-2.0
"""networks.py - runs an example of networks and compares what it prints, or finds, with what the files beside it expect.

usage: networks.py SCRIPT PACKAGES OCELLUS [PROGRAM]
What SCRIPT prints is in the .txt beside it; pictures are named there without their folders. The script names the package of
npm that it needs."""
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

script, packages, *programs = sys.argv[1:]
name = os.path.basename(script)[:-3]
folder = os.path.dirname(script)
needed = re.search(r'package\.sh" "\$\d" ([^)]+)\)', open(script, encoding='utf-8').read())
if needed and not os.path.isdir(os.path.join(packages, needed[1], 'package')):
    print(f'skipped: {needed[1]} is not in {packages}; ./dev models fetches it')
    sys.exit(77)


def words(text: str) -> list[list[str]]:
    """The words of each line. The widths of columns and the folders of pictures are left out."""
    return [re.sub(r'\S*/', '', line).split() for line in text.splitlines()]


def expected(path: str) -> str:
    with open(path, encoding='utf-8') as f:
        return f.read()


def check_box(out: str) -> bool:
    """One face, within two hundredths of the picture of where it is: float[1,4], centre and size."""
    with open(os.path.join(out, 'boxes.npy'), 'rb') as f:
        found = struct.unpack('<4f', f.read()[-16:])
    print(found)
    return all(abs(a - b) < 0.02 for a, b in zip(found, (0.513, 0.394, 0.315, 0.315)))


def check_motion(text: str) -> bool:
    """The mean and the greatest motion of flow.sh, within a twentieth of what its matrix does to each pixel. The matrix maps
    places in the second photograph to places in the first one, in halves of the sides from the middle."""
    matrix = [float(x) for x in re.findall(r"theta=\[+(.*?)\]+'", expected(script))[0].replace('],[', ',').split(',')]
    a, b, _, c, d, _ = matrix
    width, height = 451, 300
    ways = []
    for row in range(height):
        for column in range(width):
            x, y = (2 * column + 1) / width - 1, (2 * row + 1) / height - 1
            u, v = ((d * x - b * y) / (a * d - b * c), (a * y - c * x) / (a * d - b * c))
            ways.append(math.hypot((u - x) * width / 2, (v - y) * height / 2))
    found = [float(x) for x in text.split()[-2:]]
    true = [sum(ways) / len(ways), max(ways)]
    print(true)
    return all(abs(f - t) < t / 20 for f, t in zip(found, true))


with tempfile.TemporaryDirectory() as out:
    result = subprocess.run([script, *programs, packages, out], text=True, stdout=subprocess.PIPE)
    print(result.stdout, end='')
    if programs[1:]:
        right = expected(os.path.join(folder, 'ocr', 'page.txt')) == result.stdout
    elif name == 'detect':
        right = check_box(out)
    else:
        right = words(result.stdout) == words(expected(os.path.join(folder, name + '.txt')))
        right = right and (name != 'flow' or check_motion(result.stdout))
if result.returncode or not right:
    sys.exit(f'exit status {result.returncode}, or not what was expected')
