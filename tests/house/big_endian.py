# SPDX-License-Identifier: Apache-2.0
"""big_endian.py - Meson refuses a big-endian processor, on which elements would be read in the wrong order."""
import os
import subprocess
import tempfile

import tree

CROSS = """[binaries]
c = {compiler}
[host_machine]
system = 'linux'
cpu_family = 's390x'
cpu = 's390x'
endian = 'big'
[properties]
skip_sanity_check = true
"""
WORDS = 'Ocellus is for little-endian processors'


with tempfile.TemporaryDirectory() as folder:
    cross = os.path.join(folder, 'cross.ini')
    with open(cross, 'w', encoding='utf-8') as f:
        f.write(CROSS.format(compiler=os.environ['CC'].split()))  # this machine's: nothing is compiled
    done = subprocess.run(['meson', 'setup', os.path.join(folder, 'b'), tree.ROOT, '--cross-file', cross],
                          capture_output=True, text=True, check=False)
said = done.stdout + done.stderr
if done.returncode == 0 or WORDS not in said:
    tree.finding('meson.build', 1, f'for a big-endian processor Meson ended with {done.returncode} and said {said!r}')
tree.end(1, 'order of bytes')
