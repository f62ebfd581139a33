# SPDX-License-Identifier: Apache-2.0
"""run.py - ONNX's backend tests in a folder against manifests, the first of which goes first.

usage: run.py OCELLUS FOLDER MANIFEST... [-- OPTIONS of ocellus test]

OC_UNDER is a command that runs the command, such as "valgrind -q"; ./dev test --deep sets it."""
import os
import subprocess
import sys
import tempfile

ocellus, folder, *manifests = sys.argv[1:]
options = []
if '--' in manifests:
    options = manifests[manifests.index('--') + 1:]
    manifests = manifests[:manifests.index('--')]
if not os.path.isdir(folder):
    print(f'skipped: there is no {folder}')
    sys.exit(77)
with tempfile.TemporaryDirectory() as scratch:
    joined = os.path.join(scratch, 'manifest.txt')
    with open(joined, 'w', encoding='utf-8') as out:
        for path in manifests:
            with open(path, encoding='utf-8') as f:
                out.write(f.read())
    # Wrong results and crashes both end with a status other than 0.
    under = os.environ.get('OC_UNDER', '').split()
    result = subprocess.run([*under, ocellus, 'test', folder, '--quiet', '--manifest', joined, *options],
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(result.stdout, end='')
closing = result.stdout.rstrip().split('\n')[-1].split()
if result.returncode == 0 and (closing[1::2] != ['passed,', 'failed,', 'skipped']
                               or closing[0] == '0'):
    sys.exit('no test has passed')
sys.exit(1 if result.returncode else 0)
