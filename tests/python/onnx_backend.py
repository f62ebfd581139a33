# SPDX-License-Identifier: Apache-2.0
"""onnx_backend.py OCELLUS - ONNX's own test runner, which the package onnx brings, over ocellus.backend and over
ocellus.onnxruntime. All that `ocellus test` passes of the same data passes there, too."""
import json
import subprocess
import sys
import unittest

try:
    import numpy as np
    import onnx
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

np.object = object  # the runner of ONNX 1.12 asks for it, numpy 1.24 has it no more
import onnx.backend.test
from onnx.backend.test.loader import DATA_DIR

import ocellus.backend
import ocellus.onnxruntime

command = sys.argv[1]
CASES = 'OnnxBackendNodeModelTest', 'OnnxBackendSimpleModelTest', 'OnnxBackendPyTorchConvertedModelTest', \
    'OnnxBackendPyTorchOperatorModelTest'
KINDS = 'node', 'simple', 'pytorch-converted', 'pytorch-operator'
BEYOND_THE_RUNNER = {'test_loop16_seq_none'}  # a sequence of scalars, for whose length the runner asks


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.passed, self.failed = set(), {}

    def addSuccess(self, test):
        self.passed.add(name_of(test))

    def addFailure(self, test, error):
        self.failed[name_of(test)] = self._exc_info_to_string(error, test)

    addError = addFailure

    def addSkip(self, test, reason):
        self.failed[name_of(test)] = f'skipped: {reason}'


class AsOnnxRuntime:
    """An InferenceSession, as ocellus.backend asks a session."""

    def __init__(self, model):
        self._session = ocellus.onnxruntime.InferenceSession(model.SerializeToString())
        self.inputs, self.outputs = self._session._model.inputs, self._session._model.outputs

    def run(self, inputs):
        return dict(zip((port.name for port in self._session.get_outputs()), self._session.run(None, inputs)))


class OverOnnxRuntime(ocellus.backend.OcellusBackend):
    @classmethod
    def prepare(cls, model, device='CPU', **kwargs):
        return ocellus.backend.OcellusRep(AsOnnxRuntime(model))


def name_of(test):
    return test.id().split('.')[-1].removesuffix('_cpu')


def passed_by_the_command():
    names = set()
    for kind in KINDS:
        done = subprocess.run([command, 'test', f'{DATA_DIR}/{kind}', '--json'], text=True, capture_output=True)
        names |= {test['test'] for test in json.loads(done.stdout)['tests'] if test['state'] == 'pass'}
    return names


def check_rounding():
    """bfloat16 is given and taken as float32: rounded to the nearest, ties to even."""
    node = onnx.helper.make_node('Identity', ['x'], ['y'])
    ports = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.BFLOAT16, [6]) for name in 'xy']
    model = onnx.helper.make_model(onnx.helper.make_graph([node], 'g', ports[:1], ports[1:]),
                                   opset_imports=[onnx.helper.make_operatorsetid('', 16)])
    x = np.array([1 + 2 ** -8, 1 + 3 * 2 ** -8, 1 + 2 ** -8 + 2 ** -20, 3.4e38, -np.inf, np.nan], np.float32)
    y, = ocellus.backend.run_model(model, [x])
    np.testing.assert_array_equal(y, np.array([1, 1 + 2 ** -6, 1 + 2 ** -7, np.inf, -np.inf, np.nan], np.float32))


def check_node():
    """One node, with the types of its inputs."""
    node = onnx.helper.make_node('Sub', ['a', 'b'], ['c'])
    c, = ocellus.backend.run_node(node, [np.array([5, 7]), np.array([2])])
    assert c.tolist() == [3, 5] and c.dtype == np.int64, c
    assert not ocellus.backend.supports_device('CUDA') and ocellus.backend.supports_device('CPU:0')


check_rounding()
check_node()
wanted, missing, n_passed = passed_by_the_command(), [], 0
for backend in ocellus.backend, OverOnnxRuntime:
    cases = onnx.backend.test.BackendTest(backend, __name__).exclude('_cuda$').test_cases
    found = Result()
    for case in CASES:
        unittest.defaultTestLoader.loadTestsFromTestCase(cases[case]).run(found)
    n_passed += len(wanted & found.passed)
    for name in sorted(wanted - found.passed - BEYOND_THE_RUNNER):
        missing.append(name)
        print(f'FAIL: {name}, which `ocellus test` passes, over {backend.__name__}: '
              f'{found.failed.get(name, "the runner has no such test")}')
    for name in sorted(found.passed & BEYOND_THE_RUNNER):
        missing.append(name)
        print(f'FAIL: {name} passes over {backend.__name__}: expected that the runner cannot ask for it')
print(f'{n_passed} passed, {len(missing)} failed, {2 * len(wanted & BEYOND_THE_RUNNER)} skipped')
sys.exit(bool(missing or len(wanted) < 900))
