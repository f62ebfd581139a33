# SPDX-License-Identifier: Apache-2.0
"""pack.py OCELLUS.js OUT.html - puts the page, its scripts and the program into one file, which opens without a server.

The program lies compressed in it, so that the file as a whole, compressed again on its way, stays small. Prints the size
of the file as gzip sends it."""
import base64
import gzip
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DEMO = os.path.join(HERE, os.pardir, 'examples', 'demo')


def text_of(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8') as f:
        return f.read()


def main():
    glue, out = sys.argv[1:]
    program = subprocess.run(['zopfli', '--i15', '-c', glue[:-3] + '.wasm'], check=True, stdout=subprocess.PIPE).stdout
    parts = {name: text_of(HERE, name) for name in ('page.css', 'npy.js', 'worker.js', 'page.js')}
    parts['page.js'] = parts['page.js'].replace('@warp.onnxtxt@', text_of(DEMO, 'warp.onnxtxt'))
    parts['ocellus.js'] = text_of(*os.path.split(glue))
    parts['ocellus.wasm.gz'] = base64.b64encode(program).decode('ascii')
    for name, text in parts.items():
        if re.search(r'</(script|style)', text, re.I):
            sys.exit(f'pack.py: {name} would end its own element')
    page = re.sub(r'@([\w.]+)@', lambda m: parts[m[1]], text_of(HERE, 'index.html')).encode('utf-8')
    with open(out, 'wb') as f:
        f.write(page)
    print(f'{out}: {len(page)} bytes, {len(gzip.compress(page, 9))} compressed')


main()
