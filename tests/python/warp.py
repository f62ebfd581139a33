# SPDX-License-Identifier: Apache-2.0
"""warp.py EXAMPLE - the example of the Python package runs and draws what it says."""
import os
import subprocess
import sys
import tempfile

try:
    import matplotlib.pyplot as plt
except ImportError:
    print('skipped: matplotlib is not installed')
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    picture = os.path.join(folder, 'warped.png')
    done = subprocess.run([sys.executable, '-B', sys.argv[1], picture], text=True, capture_output=True)
    print(done.stdout, done.stderr)
    wanted = ["image float ('N', 3, 'H', 'W')", "theta float ('N', 2, 3)", 'warped float32 (1, 3, 300, 451)']
    drawn = plt.imread(picture)[..., :3]
    left, right = drawn[:, :drawn.shape[1] // 2], drawn[:, drawn.shape[1] // 2:]
    # Corners of the warped picture come from outside of the photo, where pixels are 0.
    black = [(half.sum(axis=-1) == 0).mean() for half in (left, right)]
print(f'black: {black}')
if done.returncode or done.stdout.splitlines() != wanted or not black[0] < 0.05 < 0.2 < black[1]:
    sys.exit('1 failed')
print('1 passed, 0 failed')
