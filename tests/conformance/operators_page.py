# SPDX-License-Identifier: Apache-2.0
"""operators_page.py - the page of all operators, with how many tests call each.

usage: operators_page.py OCELLUS CASES FOLDER... > operators.md

CASES is the folder of text cases. ONNX's backend tests below the folders are run; a folder that does
not exist has none."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

CALL = re.compile(r'=\s*((?:[a-z][\w.]*\.)?[A-Z]\w*)\s*[<(]')


def text_cases(folder):
    """Operator -> number of cases whose model calls it. A case without a model has that of the last."""
    n = collections.Counter()
    for base, _, files in os.walk(folder):
        for name in (f for f in files if f.endswith('.onnxtxt')):
            with open(os.path.join(base, name), encoding='utf-8') as f:
                parts = re.split(r'^=== .*$', f.read(), flags=re.M)
            called = set()
            for part in parts:
                model = re.split(r'^--- ', part, maxsplit=1, flags=re.M)[0]
                called = {'::'.join(op.rsplit('.', 1)) for op in CALL.findall(model)} or called
                if '--- ' in part:
                    n.update(called)
    return n


def onnx_tests(ocellus, folders):
    """Operator -> number of tests that call it: those that pass, and all."""
    passed, all_tests = collections.Counter(), collections.Counter()
    for folder in filter(os.path.isdir, folders):
        result = subprocess.run([ocellus, 'test', folder, '--json'], text=True, stdout=subprocess.PIPE, check=False)
        for test in json.loads(result.stdout)['tests']:
            all_tests.update(test['operators'])
            if test['state'] == 'pass':
                passed.update(test['operators'])
    return passed, all_tests


def main():
    ocellus, cases_folder, *folders = sys.argv[1:]
    cases = text_cases(cases_folder)
    passed, all_tests = onnx_tests(ocellus, folders)
    with tempfile.TemporaryDirectory() as scratch:
        counts = os.path.join(scratch, 'counts.txt')
        with open(counts, 'w', encoding='utf-8') as f:
            for op in sorted(set(cases) | set(all_tests)):
                f.write(f'{op} {cases[op]} {passed[op]} {all_tests[op]}\n')
        sys.exit(subprocess.run([ocellus, 'ops', '--markdown', '--counts', counts], check=False).returncode)


main()
