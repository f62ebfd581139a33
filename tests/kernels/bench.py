# SPDX-License-Identifier: Apache-2.0
"""bench.py PROGRAM VARIANTS... - every check program of a kernel runs with --bench, and prints a line for each of the
kernel's variants, names with commas."""
import os
import re
import shlex
import subprocess
import sys

WRAPPER = shlex.split(os.environ.get('MESON_EXE_WRAPPER', ''))  # where this processor cannot run the programs
LINE = re.compile(r'.{34} (\w+) +(?:[0-9.]+ +(?:[0-9.]+ +)?[0-9.]+|not on this processor)')


def check(program, variants):
    run = subprocess.run(WRAPPER + [program, '--bench=quick'], text=True, capture_output=True, check=False)
    lines = run.stdout.splitlines()[2:]
    names = [match.group(1) for match in map(LINE.fullmatch, lines) if match]
    if run.returncode != 0 or len(names) != len(lines) or not set(variants.split(',')) <= set(names):
        print(f'{os.path.basename(program)} --bench=quick: status {run.returncode}, expected lines of '
              f'{variants}:\n{run.stdout}{run.stderr}')
        return False
    return True


pairs = list(zip(sys.argv[1::2], sys.argv[2::2]))
failed = [program for program, variants in pairs if not check(program, variants)]
print(f'{len(pairs) - len(failed)} passed, {len(failed)} failed, 0 skipped')
sys.exit(bool(failed) or not pairs)
