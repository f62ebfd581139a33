# SPDX-License-Identifier: Apache-2.0
"""bench.py FAMILIES PROGRAM TABLE... - every check program of a kernel runs with --bench, and prints a line for each
variant of its table: a .def file, or names with commas."""
import os
import re
import shlex
import subprocess
import sys

WRAPPER = shlex.split(os.environ.get('MESON_EXE_WRAPPER', ''))  # where this processor cannot run the programs
LINE = re.compile(r'.{34} (\w+) +(?:[0-9.]+ +(?:[0-9.]+ +)?[0-9.]+|not on this processor)')


def variants(table, families):
    """The names of a table; of a .def file, between #ifdef FAMILY and #endif only those of the families given."""
    if not table.endswith('.def'):
        return table.split(',')
    names, wanted = [], True
    with open(table, encoding='utf-8') as lines:
        for line in lines:
            if line.startswith('#ifdef'):
                wanted = line.split()[1] in families
            elif line.startswith('#endif'):
                wanted = True
            elif line.startswith('OC_VARIANT(') and wanted:
                names.append(line[len('OC_VARIANT('):-2])
    return names


def check(program, table, families):
    run = subprocess.run(WRAPPER + [program, '--bench=quick'], text=True, capture_output=True, check=False)
    lines = run.stdout.splitlines()[2:]
    names = [match.group(1) for match in map(LINE.fullmatch, lines) if match]
    if run.returncode != 0 or len(names) != len(lines) or not set(variants(table, families)) <= set(names):
        print(f'{os.path.basename(program)} --bench=quick: status {run.returncode}, expected lines of '
              f'{", ".join(variants(table, families))}:\n{run.stdout}{run.stderr}')
        return False
    return True


families = sys.argv[1].split(',')
pairs = list(zip(sys.argv[2::2], sys.argv[3::2]))
failed = [program for program, table in pairs if not check(program, table, families)]
print(f'{len(pairs) - len(failed)} passed, {len(failed)} failed, 0 skipped')
sys.exit(bool(failed) or not pairs)
