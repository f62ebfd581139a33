# SPDX-License-Identifier: Apache-2.0
"""pack.py MODULES OUT.html - puts the page, its scripts and both modules that have the command into one file, which opens without a
server. MODULES is the folder of ocellus-command.wasm and ocellus-command-fixed.wasm. esbuild makes a script of those that the page and
its worker import. Prints the size of the file, and as gzip sends it."""
import base64
import gzip
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def script_of(path):
    """One script of a module and what it imports. A page that opens without a server has no addresses beside it."""
    words = ['--bundle', '--minify', '--format=iife', '--target=es2022', '--loader:.onnxtxt=text', '--loader:.txt=text', '--define:import.meta.url="page:"',
             '--log-level=warning']
    done = subprocess.run(['esbuild', str(path), *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return re.sub(r'<(/script|!--)', r'\\x3c\1', done)


def module_of(path):
    packed = subprocess.run(['zopfli', '--i5', '-c', str(path)], check=True, stdout=subprocess.PIPE).stdout
    return base64.b64encode(packed).decode('ascii')


def main():
    modules, out = map(pathlib.Path, sys.argv[1:])
    names = 'ocellus-command.wasm', 'ocellus-command-fixed.wasm'
    parts = {'page.css': (HERE / 'page.css').read_text(encoding='utf-8'), 'page.js': script_of(HERE / 'page.mjs'),
             'worker.js': script_of(HERE.parent / 'js/worker.mjs'), **{name: module_of(modules / name) for name in names}}
    page = re.sub(r'@([\w.-]+\.(?:css|js|wasm))@', lambda m: parts[m[1]], (HERE / 'index.html').read_text(encoding='utf-8')).encode('utf-8')
    out.write_bytes(page)
    print(f'{out}: {len(page)} bytes, {len(gzip.compress(page, 9))} compressed')


main()
