# SPDX-License-Identifier: Apache-2.0
"""search.py OCELLUS ROOT [--seconds S [NAME]] - ocellus check OP --search: what it finds, writes and says.

With --seconds, only looks for the defects of search_defects.py, each for so long, and tells when each was found."""
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import checks
import search_defects

OCELLUS, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def run(*args):
    return subprocess.run([OCELLUS, *args], capture_output=True, text=True)


def wants(code, *args):
    r = run('check', *args)
    checks.check(r.returncode == code, f'check {shlex.join(args)}: exit code {r.returncode}, expected {code}\n'
                 f'{r.stdout[-1500:]}{r.stderr}')
    return r.stdout, r.stderr


def has(text, *words):
    for word in words:
        checks.check(word in text, f'{word!r} is not in:\n{text[-2000:]}')


def body_options(body):
    """The options of check for an entry of BODIES, whose file is written here."""
    if isinstance(body, list):
        return body
    if isinstance(body, tuple):
        path, pairs = body
        with open(os.path.join(ROOT, 'functions', path), encoding='utf-8') as f:
            body = f.read()
        for old, new in pairs:
            checks.check(old in body, f'{path} has no {old!r}')
            body = body.replace(old, new, 1)
    with open('body.onnxtxt', 'w', encoding='utf-8') as f:
        f.write(body)
    return ['--body', 'body.onnxtxt']


def found_in(text):
    """What a search found: (step, seconds, the line about it)."""
    return [(int(step), float(seconds), line)
            for step, seconds, line in re.findall(r'^found at step (\d+), after ([\d.]+) s:\n(.*)$', text, re.M)]


def find_defects(limit, only=None):
    """A search that begins at a few of the ordinary cases finds each defect of KNOWN.md."""
    for name, (operator, body, words) in search_defects.BODIES.items():
        if only and only not in name:
            continue
        options = body_options(body)
        r = run('check', operator, *options, '--sample', '17', '--seed', '1', '--max-steps', '20000', *limit)
        hits = found_in(r.stdout)
        for word in words:
            seen = [hit for hit in hits if word in hit[2]]
            checks.check(seen, f'{name}: {word!r} is not found:\n{r.stdout[-3000:]}{r.stderr}')
            if seen and limit[0] == '--search':
                print(f'{name}: {word}: after {seen[0][1]} s, step {seen[0][0]}', flush=True)
        checks.check(r.returncode == 1, f'{name}: exit code {r.returncode}')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        if sys.argv[3:4] == ['--seconds']:
            find_defects(['--search', sys.argv[4]], *sys.argv[5:])
        else:
            find_defects(['--steps', '3000'])
    checks.finish()
