# SPDX-License-Identifier: Apache-2.0
"""toy_engine.py DIR FAULTS LOG - an engine for the test of check --engine, which gives what is expected.

But FAULTS is a JSON file that says what it does instead in some cases, by their names: alter, refuse, crash, hang, nothing,
garbage. LOG gets a line for each run: the number of its cases, and the engine's process."""
import json
import os
import shutil
import signal
import sys
import time


def put(path, text):
    with open(path, 'wb') as f:
        f.write(text)


def run(case, fault):
    data, i = os.path.join(case, 'test_data_set_0'), 0
    if fault == 'refuse':
        put(os.path.join(case, 'engine_error.txt'), b'I do not like this one\nand a second line\n')
    elif fault == 'crash':
        os.kill(os.getpid(), signal.SIGABRT)
    elif fault == 'hang':
        time.sleep(1000)
    elif fault != 'nothing':
        while os.path.exists(f'{data}/output_{i}.pb'):
            shutil.copy(f'{data}/output_{i}.pb', f'{data}/engine_{i}.pb')
            i += 1
    if fault == 'garbage':
        put(f'{data}/engine_0.pb', b'\xff\xff\xff')
    elif fault == 'alter':
        with open(f'{data}/engine_0.pb', 'rb') as f:
            whole = bytearray(f.read())
        whole[-1] ^= 64  # the exponent of the last element
        put(f'{data}/engine_0.pb', whole)


folder, faults, log = sys.argv[1:]
with open(faults, encoding='utf-8') as f:
    faults = json.load(f)
with open(log, 'a', encoding='utf-8') as f:
    f.write(f'{len(os.listdir(folder))} {os.getpid()}\n')
for name in sorted(os.listdir(folder)):
    with open(os.path.join(folder, name, 'data.json'), encoding='utf-8') as f:
        known = json.load(f)['case']
    run(os.path.join(folder, name), faults.get(known) or faults.get('*'))
