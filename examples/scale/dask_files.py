#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dask_files.py MODEL INPUT LIST OUT [SCHEDULER] - runs a model on the .npy files of a list with Dask.

Each output goes to OUT as .npy, as `ocellus map --format npy` writes it. Without the address of a scheduler two workers
are started on this machine. Needs the package ocellus, numpy and distributed on all workers."""
import os
import sys

import numpy as np
from distributed import Client, LocalCluster, get_worker

import ocellus


def session_of(model):
    """The worker's own session, made with its first file."""
    worker = get_worker()
    if not hasattr(worker, 'ocellus_session'):
        worker.ocellus_session = ocellus.Session(model, threads=1)
    return worker.ocellus_session


def run_file(path, model, name, folder):
    session = session_of(model)
    found = session.run({name: np.load(path)})
    stem = os.path.splitext(os.path.basename(path))[0]
    for output, array in found.items():
        target = f'{stem}.npy' if len(found) == 1 else f'{stem}.{output}.npy'
        np.save(os.path.join(folder, target), array)
    return path


def main():
    model, name, listed, folder, *scheduler = sys.argv[1:]
    with open(listed, encoding='utf-8') as f:
        paths = [os.path.abspath(line) for line in f.read().splitlines() if line]
    os.makedirs(folder, exist_ok=True)
    cluster = scheduler[0] if scheduler else LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        futures = client.map(run_file, paths, model=os.path.abspath(model), name=name, folder=os.path.abspath(folder))
        failed = [(path, future.exception()) for path, future in zip(paths, futures) if future.exception()]
    for path, error in failed:
        print(f'{path}: {error}', file=sys.stderr)
    print(f'{len(paths) - len(failed)} of {len(paths)} files done')
    return 3 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
