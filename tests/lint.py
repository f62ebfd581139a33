#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint.py - runs clang-tidy and cppcheck over src and tools, for ./dev lint.

    tests/lint.py BUILD

BUILD has compile_commands.json, and the headers that are made. .clang-tidy and tests/cppcheck.txt list what is left
out, with the reason. Exit status 1: there are findings.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = [os.path.join(ROOT, folder) + os.sep for folder in ('src', 'tools')]


def sources(build):
    """Each file once: those of the static and of the shared library are the same."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as f:
        entries = json.load(f)
    paths = {os.path.normpath(os.path.join(e['directory'], e['file'])) for e in entries}
    return sorted(p for p in paths if p.startswith(tuple(OURS)))


def tidy(build, path):
    command = ['clang-tidy', '-p', build, '--quiet', path]
    printed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return re.findall(r'^(\S+?:\d+):\d+: (?:warning|error): (.*)$', printed, re.M)


def cppcheck(build):
    command = ['cppcheck', '--quiet', '--enable=warning,portability', '--std=c11', '--max-configs=2', '--library=posix',
               '--suppressions-list=' + os.path.join(ROOT, 'tests/cppcheck.txt'), '-j', str(os.cpu_count()),
               '--template={file}:{line}: {message} [{id}]']
    folders = [f'-I{os.path.join(ROOT, folder)}' for folder in ('src', 'include', 'tools')]
    printed = subprocess.run(command + folders + [f'-I{os.path.join(build, "proto")}', *OURS],
                             stderr=subprocess.PIPE, text=True).stderr
    return re.findall(r'^(\S+?:\d+): (.*)$', printed, re.M)


def main():
    build = os.path.abspath(sys.argv[1])
    files = sources(build)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [line for lines in pool.map(lambda path: tidy(build, path), files) for line in lines]
    found += cppcheck(build)
    findings = sorted({(os.path.relpath(os.path.normpath(place), ROOT), text) for place, text in found})
    for place, text in findings:
        print(f'{place}: {text}')
    print(f'{len(files)} files, {len(findings)} findings')
    sys.exit(1 if findings else 0)


if __name__ == '__main__':
    main()
