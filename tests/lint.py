#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint.py - runs clang-tidy and cppcheck over src, tools and onnxruntime, for ./dev lint.

    tests/lint.py BUILD

BUILD has compile_commands.json, and the headers that are made. .clang-tidy and tests/cppcheck.txt list the kinds that
are left out, tests/tidy.txt single findings, each with the reason. Exit status 1: there are findings.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = [os.path.join(ROOT, folder) + os.sep for folder in ('src', 'tools', 'onnxruntime')]


def sources(build):
    """Each file once: those of the static and of the shared library are the same."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as f:
        entries = json.load(f)
    paths = {os.path.normpath(os.path.join(e['directory'], e['file'])) for e in entries}
    return sorted(p for p in paths if p.startswith(tuple(OURS)))


def contracts(build, path):
    """The options that include lint.h, or that of onnxruntime, without what the file defines itself."""
    others = 'tests/lint_onnxruntime.h' if path.startswith(OURS[-1]) else 'tests/lint.h'
    with open(path, encoding='utf-8') as f:
        text = f.read()
    first = re.findall(r'^#define _\w+_SOURCE\b.*$', text, re.M)  # to be said before any header
    own = re.findall(r'^(?:oc_status |OrtStatus \*)(\w+)\(', text, re.M)
    header = os.path.join(build, 'lint', os.path.relpath(path, ROOT).replace(os.sep, '-') + '.h')
    os.makedirs(os.path.dirname(header), exist_ok=True)
    with open(header, 'w', encoding='utf-8') as f:
        f.write('\n'.join([*first, f'#include "{os.path.join(ROOT, others)}"', *(f'#undef {x}' for x in own), '']))
    folders = [f'-I{os.path.join(ROOT, folder)}' for folder in ('src', 'include', 'tools', '.')]
    return [f'--extra-arg={x}' for x in ['-Wno-macro-redefined', *folders, '-include', header]]


def tidy(build, path):
    command = ['clang-tidy', '-p', build, '--quiet', *contracts(build, path), path]
    printed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return re.findall(r'^(\S+?:\d+):\d+: (?:warning|error): (.*)$', printed, re.M)


def argued():
    """{(file, check): how many findings tests/tidy.txt explains}"""
    with open(os.path.join(ROOT, 'tests/tidy.txt'), encoding='utf-8') as f:
        entries = re.findall(r'^(\w\S+) (\d+) (\S+): \S', f.read(), re.M)
    return {(file, check): int(n) for file, n, check in entries}


def without_argued(findings):
    """The findings whose number of a file and a check is not that of tests/tidy.txt."""
    expected, groups = argued(), {}
    for place, text in findings:
        check = re.sub(r'.*\[(?:clang-analyzer-)?(.*)\]$', r'\1', text)
        groups.setdefault((place.rsplit(':', 1)[0], check), []).append((place, text))
    gone = [(file + ':0', f'tests/tidy.txt explains {n} findings of {check}, there are {len(groups.get((file, check), []))}')
            for (file, check), n in expected.items() if n != len(groups.get((file, check), []))]
    return sorted(gone + [x for key, group in groups.items() if len(group) != expected.get(key) for x in group])


def cppcheck(build):
    command = ['cppcheck', '--quiet', '--enable=warning,portability', '--std=c11', '--max-configs=2', '--library=posix',
               '--suppressions-list=' + os.path.join(ROOT, 'tests/cppcheck.txt'), '-j', str(os.cpu_count()),
               '--template={file}:{line}: {message} [{id}]']
    folders = [f'-I{os.path.join(ROOT, folder)}' for folder in ('src', 'include', 'tools')]
    ran = subprocess.run(command + folders + [f'-I{os.path.join(build, "proto")}', *OURS],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ran.returncode != 0:  # findings leave 0
        sys.exit(f'cppcheck failed: {ran.stdout or ran.stderr}')
    return re.findall(r'^(\S+?:\d+): (.*)$', ran.stderr, re.M)


def main():
    build = os.path.abspath(sys.argv[1])
    files = sources(build)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [line for lines in pool.map(lambda path: tidy(build, path), files) for line in lines]
    found += cppcheck(build)
    findings = sorted({(os.path.relpath(os.path.normpath(os.path.join(build, place)), ROOT), text) for place, text in found})
    findings = without_argued(findings)
    for place, text in findings:
        print(f'{place}: {text}')
    print(f'{len(files)} files, {len(findings)} findings')
    sys.exit(1 if findings else 0)


if __name__ == '__main__':
    main()
