# SPDX-License-Identifier: Apache-2.0
"""pack.py OCELLUS.js OUT.html [MOST] - puts the page, its scripts and the program into one file, which opens without a server.

The scripts are made small by terser, and the program lies compressed in it, so that the file as a whole, compressed again on
its way, stays small. Prints the size of the file as gzip sends it, which may be at most MOST bytes."""
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


def made_small(script):
    return subprocess.run(['terser', '--compress', '--mangle'], input=script, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    glue, out, *most = sys.argv[1:]
    program = subprocess.run(['zopfli', '--i15', '-c', glue[:-3] + '.wasm'], check=True, stdout=subprocess.PIPE).stdout
    parts = {name: text_of(HERE, name) for name in ('page.css', 'npy.js', 'worker.js', 'page.js')}
    parts['page.js'] = parts['page.js'].replace('@warp.onnxtxt@', text_of(DEMO, 'warp.onnxtxt'))
    parts['ocellus.js'] = text_of(*os.path.split(glue))
    parts['ocellus.wasm.gz'] = base64.b64encode(program).decode('ascii')
    parts.update({name: made_small(text) for name, text in parts.items() if name.endswith('.js')})
    for name, text in parts.items():
        if re.search(r'</(script|style)', text, re.I):
            sys.exit(f'pack.py: {name} would end its own element')
    page = re.sub(r'@([\w.]+)@', lambda m: parts[m[1]], text_of(HERE, 'index.html')).encode('utf-8')
    with open(out, 'wb') as f:
        f.write(page)
    sent = len(gzip.compress(page, 9))
    print(f'{out}: {len(page)} bytes, {sent} compressed')
    if most and sent > int(most[0]):
        sys.exit(f'pack.py: {sent} bytes, at most {most[0]} are allowed')


main()
