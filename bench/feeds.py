# SPDX-License-Identifier: Apache-2.0
"""feeds.py - what each network reads: a photograph, a page of text, numbers; the same for every engine."""
import contextlib
import importlib.util
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def load_feeds():
    """The function of the module that knows what each network reads; bench has another one of its name."""
    oracle = HERE.parent / 'tests' / 'oracle'
    sys.path.append(str(oracle))
    spec = importlib.util.spec_from_file_location('oracle_models', oracle / 'models.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.feeds_of


def write_inputs(feeds, folder):
    """Files of the arrays, as words NAME=FILE."""
    import numpy as np
    words = []
    for i, (name, array) in enumerate(feeds.items()):
        np.save(f'{folder}/in{i}', np.ascontiguousarray(array))
        words.append(f'{name}={folder}/in{i}.npy')
    return words


@contextlib.contextmanager
def written(feeds):
    """The arrays as files that are there for a while."""
    with tempfile.TemporaryDirectory() as folder:
        yield write_inputs(feeds, folder)
