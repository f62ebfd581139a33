# SPDX-License-Identifier: Apache-2.0
"""scale.py OCELLUS SCALE PYTHON LIBRARY PACKAGE - the recipes of docs/scale.md give the bytes of one machine.

PYTHON is one that has numpy, LIBRARY and PACKAGE are for the Python package. What is not installed is skipped and named."""
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'tools'))
from checks import check, finish
import slurm

OCELLUS, SCALE, PYTHON, LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:6])
MODEL = '''<ir_version: 8, opset_import: ["" : 17]>
g (float[N] x) => (float[N] y, float s) { y = Neg (x)  s = ReduceSum <keepdims = 0> (x) }'''
ENVIRONMENT = {**os.environ, 'OCELLUS': OCELLUS, 'OCELLUS_LIBRARY': LIBRARY, 'PYTHONPATH': PACKAGE}
FILES = 30
skipped = []


def write_npy(path, numbers):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(numbers)
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header) + 1) + header + b'\n')
        f.write(struct.pack(f'<{len(numbers)}f', *numbers))


def results(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir() if path.suffix != '.tsv'}


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, env={**ENVIRONMENT, **more}, timeout=120)
    check(done.returncode == 0, words, done.returncode, done.stdout, done.stderr)
    return done.stdout


def with_parallel():
    if not shutil.which('parallel'):
        skipped.append('GNU parallel is not installed')
        return
    run(f'{SCALE}/parallel.sh', 'm.onnxtxt', 'x', 'files.txt', 'by_parallel', PARTS='4', SLOTS='2')
    check(results('by_parallel') == results('whole'), 'GNU parallel gives other results')


def as_array_of_slurm():
    """Each task of the array, as Slurm starts it."""
    for task in '1', '2', '3':
        run(f'{SCALE}/slurm.sh', 'm.onnxtxt', 'x', 'files.txt', 'by_slurm', SLURM_ARRAY_TASK_ID=task,
            SLURM_ARRAY_TASK_COUNT='3', SLURM_CPUS_PER_TASK='2')
    check(results('by_slurm') == results('whole'), 'the tasks of a Slurm array give other results')


def with_slurm():
    """The same by Slurm itself, with this machine as its only node."""
    if not slurm.is_installed():
        skipped.append('Slurm is not installed')
        return
    with slurm.cluster('cluster') as variables:
        if not variables:
            log = pathlib.Path('cluster/slurmctld.log').read_text() + pathlib.Path('cluster/slurmd.log').read_text()
            skipped.append(f'Slurm does not start here: {log}')
            return
        run('sbatch', '--wait', '--array=1-3', f'--cpus-per-task={min(2, os.cpu_count())}', '--output=array-%a.txt',
            f'{SCALE}/slurm.sh', 'm.onnxtxt', 'x', 'files.txt', 'by_array', **variables)
    check(results('by_array') == results('whole'), 'an array of Slurm gives other results')


def with_dask():
    if subprocess.run([PYTHON, '-c', 'import distributed, numpy'], capture_output=True).returncode:
        skipped.append('Dask is not installed')
        return
    said = run(PYTHON, '-B', f'{SCALE}/dask_files.py', 'm.onnxtxt', 'x', 'files.txt', 'by_dask')
    check(f'{FILES} of {FILES} files done' in said, said)
    run(OCELLUS, 'map', 'm.onnxtxt', '-i', 'x=files.txt', '-o', 'npy', '--format', 'npy', '-q')
    check(results('by_dask') == results('npy'), 'Dask gives other results')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir('in')
    for i in range(FILES):
        write_npy(f'in/f{i:02}.npy', [random.Random(i).uniform(-9, 9) for _ in range(i + 1)])
    pathlib.Path('files.txt').write_text(''.join(f'in/f{i:02}.npy\n' for i in range(FILES)), encoding='utf-8')
    pathlib.Path('m.onnxtxt').write_text(MODEL, encoding='utf-8')
    run(OCELLUS, 'map', 'm.onnxtxt', '-i', 'x=files.txt', '-o', 'whole', '-q')
    check(len(results('whole')) == FILES, 'one machine gives all results')
    with_parallel()
    as_array_of_slurm()
    with_slurm()
    with_dask()
    os.chdir('/')
for words in skipped:
    print(f'skipped: {words}')
finish()
