# SPDX-License-Identifier: Apache-2.0
"""tree.py - what the house tests share: the project's files, and how a finding is reported."""
import fnmatch
import os
import sys

SKIP = 77  # Meson's exit status for a test that could not run
ROOT = sys.argv[1]
_findings = []


def files(*patterns):
    """Paths below ROOT, relative to it, whose name fits one of the patterns; no build products, no sources
    that Meson fetched."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if not (
            f in ('.git', 'out', '__pycache__') or f.startswith('build')
            or (os.path.basename(folder) == 'subprojects' and f != 'packagefiles')
            or os.path.exists(os.path.join(folder, f, 'meson-private'))))
        for name in sorted(set(names) - {'.git'}):  # a file, where it names another folder
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if any(fnmatch.fnmatch(name, p) for p in patterns) and not os.path.islink(
                    os.path.join(folder, name)):
                yield path


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


def lines(path):
    return enumerate(read(path).split('\n'), 1)


def finding(path, line, text):
    _findings.append(text)
    print(f'{path}:{line}: {text}')


def findings():
    return len(_findings)


def end(checked, what):
    """Exits; a test that looked at nothing has failed."""
    print(f'{checked} {what}, {len(_findings)} findings')
    sys.exit(1 if _findings or not checked else 0)


def skip(why):
    print(f'skipped: {why}')
    sys.exit(SKIP)
