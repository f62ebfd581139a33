# SPDX-License-Identifier: Apache-2.0
"""feeds.py - what each network reads: a photograph, a page of text, numbers; the same for every engine."""
import contextlib
import importlib.util
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def load_feeds():
    """A function of the command and a network's path that gives its inputs by name: those in the folder NAME.feeds
    beside NAME.onnx, or what tests/oracle/models.py knows or makes up; bench has another module of that name."""
    oracle = HERE.parent / 'tests' / 'oracle'
    sys.path.append(str(oracle))
    spec = importlib.util.spec_from_file_location('oracle_models', oracle / 'models.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def feeds_of(command, path):
        import numpy as np
        beside = path.with_suffix('.feeds')
        if beside.is_dir():
            return {file.stem: np.load(file) for file in sorted(beside.glob('*.npy'))}
        return module.feeds_of(command, path)
    return feeds_of


def write_inputs(feeds, folder):
    """Files of the arrays, as words NAME=FILE."""
    import numpy as np
    words = []
    for i, (name, array) in enumerate(feeds.items()):
        np.save(f'{folder}/in{i}', np.array(array, order='C'))
        words.append(f'{name}={folder}/in{i}.npy')
    return words


@contextlib.contextmanager
def written(feeds):
    """The arrays as files that are there for a while."""
    with tempfile.TemporaryDirectory() as folder:
        yield write_inputs(feeds, folder)
