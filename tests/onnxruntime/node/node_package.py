# SPDX-License-Identifier: Apache-2.0
"""node_package.py - onnxruntime-node, ONNX Runtime's package for Node.js, with another library in place of its own."""
import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time

VERSION = '1.30'
PATIENCE = 90  # seconds


class Missing(Exception):
    """Node.js, npm or the package cannot be had here."""


def install(folder):
    """Has npm put the package into the folder; returns why it could not, or ''."""
    try:
        done = subprocess.run(['npm', 'install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts',
                               '--fetch-retries=1', '--loglevel=error', f'onnxruntime-node@{VERSION}'],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f'it takes longer than {PATIENCE} seconds'
    return (done.stderr.strip() or 'it says not why').splitlines()[0] if done.returncode else ''


def fetch(folder):
    """The folder node_modules with onnxruntime-node below this one, where ./dev bench keeps it too; npm fetches it. What could
    not be had is not asked for again for a while: tests run one after the other."""
    modules, said = os.path.join(os.path.abspath(folder), 'node_modules'), os.path.join(folder, 'missing')
    if not shutil.which('node'):
        raise Missing('Node.js is not installed')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'lock'), 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a folder that another test's npm still fills is not the package yet
        if os.path.isdir(os.path.join(modules, 'onnxruntime-node')):
            return modules
        if not shutil.which('npm'):
            raise Missing('npm is not installed')
        if not os.path.exists(said) or os.path.getmtime(said) < time.time() - 600:
            why = install(folder)
            with open(said, 'w', encoding='utf-8') as f:
                f.write(why)
        with open(said, encoding='utf-8') as f:
            why = f.read()
        if why:
            shutil.rmtree(os.path.join(modules, 'onnxruntime-node'), ignore_errors=True)  # a part of it
            raise Missing(f'npm cannot fetch onnxruntime-node {VERSION}: {why}')
    return modules


def own_library(modules):
    """ONNX Runtime's library in the package, for this processor."""
    where = subprocess.run(['node', '-p', '`${process.platform}/${process.arch}`'], capture_output=True, text=True,
                           check=True).stdout.strip()
    return os.path.join(modules, 'onnxruntime-node', 'bin', 'napi-v6', where, 'libonnxruntime.so.1')


def environment(library):
    """Variables with which node finds what the library needs where the library itself would."""
    needed = subprocess.run(['ldd', library], capture_output=True, text=True, check=True).stdout.split()
    folders = {os.path.dirname(os.path.realpath(path)) for path in needed if path.startswith(os.path.dirname(os.path.dirname(library)))}
    return {**os.environ, 'ALLOW_RELEASED_ONNX_OPSET_ONLY': '0', 'LD_LIBRARY_PATH': ':'.join(sorted(folders))}


@contextlib.contextmanager
def with_library(modules, library):
    """A folder node_modules with the package, in which `library` stands for ONNX Runtime's; it goes away behind the block."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'node_modules')
        replaced = os.path.relpath(own_library(modules), modules)
        for name in 'dist', 'package.json', os.path.dirname(replaced)[len('onnxruntime-node/'):]:
            source, target = (os.path.join(m, 'onnxruntime-node', name) for m in (modules, copy))
            if os.path.isdir(source):
                shutil.copytree(source, target, ignore=shutil.ignore_patterns('*.so*', '*.map'))
            else:
                shutil.copy(source, target)
        os.symlink(os.path.abspath(library), os.path.join(copy, replaced))
        for name in os.listdir(modules):  # what the package itself requires
            if name != 'onnxruntime-node' and name[0] != '.':
                os.symlink(os.path.join(modules, name), os.path.join(copy, name))
        yield copy
