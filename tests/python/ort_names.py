# SPDX-License-Identifier: Apache-2.0
"""ort_names.py - names that programs import from onnxruntime: each is there, and what is not served refuses by its name when it
is used. Needs numpy; the library is the one that OCELLUS_LIBRARY names."""
import copy
import importlib
import os
import pathlib
import pickle
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f'skipped: {missing.name} is not installed')
    sys.exit(77)

import ocellus.onnxruntime as ort

MODEL = b'<ir_version: 10, opset_import: ["" : 22]> g (float[N] x) => (float[N] y) { y = Neg (x) }'
# The names of the module in ONNX Runtime 1.30.
SERVED = '''EPFail EngineError ExecutionMode ExecutionOrder Fail GraphOptimizationLevel IOBinding InferenceSession InvalidArgument
InvalidGraph InvalidProtobuf ModelLoadCanceled ModelLoaded ModelMetadata ModelRequiresCompilation NoModel NoSuchFile NodeArg NotFound
NotImplemented OrtDevice OrtValue RunOptions RuntimeException SessionIOBinding SessionOptions disable_telemetry_events
enable_telemetry_events get_all_providers get_available_providers get_build_info get_device get_version_string has_collective_ops
preload_dlls set_default_logger_severity set_default_logger_verbosity set_seed'''.split()
ENUMERATIONS = '''ArenaExtendStrategy OrtAllocatorType OrtCompileApiFlags OrtCompiledModelCompatibility OrtDeviceMemoryType
OrtExecutionProviderDevicePolicy OrtHardwareDeviceType OrtMemType OrtMemoryInfoDeviceType OrtSparseFormat'''.split()
REFUSED = '''AdapterFormat LoraAdapter ModelCompiler OrtArenaCfg OrtEpAssignedNode OrtEpAssignedSubgraph OrtEpDevice
OrtExternalInitializerInfo OrtHardwareDevice OrtMemoryInfo OrtSyncStream OrtValueVector SparseTensor copy_tensors
create_and_register_allocator create_and_register_allocator_v2 get_all_operator_schema get_all_opkernel_def get_ep_devices
get_model_compatibility_for_ep_devices get_session_initializer quantize_matmul_4bits register_execution_provider_library
set_global_thread_pool_sizes unregister_execution_provider_library'''.split()
MODULES = {  # what programs import from modules that are not served
    'quantization': 'CalibrationDataReader CalibrationMethod QuantFormat QuantType quantize_dynamic quantize_static',
    'quantization.calibrate': 'CalibrationDataReader', 'quantization.shape_inference': 'quant_pre_process',
    'quantization.matmul_4bits_quantizer': 'MatMul4BitsQuantizer', 'quantization.quant_utils': 'load_model_with_shape_infer',
    'tools': 'make_dynamic_shape_fixed', 'tools.symbolic_shape_infer': 'SymbolicShapeInference',
    'tools.convert_onnx_models_to_ort': 'convert_onnx_models_to_ort', 'tools.pytorch_export_helpers': 'infer_input_info',
    'transformers': 'optimizer', 'transformers.optimizer': 'optimize_model', 'transformers.fusion_options': 'FusionOptions',
    'transformers.models.gpt2.gpt2_helper': 'Gpt2Helper', 'transformers.onnx_model': 'OnnxModel', 'datasets': 'get_example'}


class Names(unittest.TestCase):
    def refuses(self, name, use):
        with self.assertRaises(ort.NotImplemented) as caught:
            use()
        self.assertIn(f'onnxruntime.{name} is not served', str(caught.exception))

    def test_what_is_served_is_there(self):
        for module in ort, ort.capi._pybind_state, ort.capi.onnxruntime_pybind11_state:
            for name in SERVED + ENUMERATIONS + REFUSED:
                self.assertTrue(hasattr(module, name), name)
        self.assertEqual((ort.version, ort.cuda_version, ort.has_collective_ops()), (ort.__version__, '', False))
        for name in ENUMERATIONS:
            for member in getattr(ort, name):
                self.assertIs(pickle.loads(pickle.dumps(member)), member)
        self.assertEqual((ort.Fail.__module__, ort.InferenceSession.__module__), ('ocellus.onnxruntime',) * 2)
        self.assertIs(type(pickle.loads(pickle.dumps(ort.Fail('IO', 'x')))), ort.Fail)
        self.assertEqual((int(ort.OrtMemType.CPU), int(ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR)), (-1, 1))

    def test_what_is_not_refuses_by_name(self):
        for name in REFUSED:
            there = getattr(ort, name)
            self.refuses(name, lambda: there())
            self.refuses(name, lambda: there(1, 2, a=3))
            self.refuses(f'{name}.Load', lambda: there.Load('a'))
            self.assertFalse(isinstance(3, there))
            self.assertFalse(hasattr(there, '__nothing__'))
        session, options = ort.InferenceSession(MODEL), ort.SessionOptions()
        for of, name, *given in ((session, 'get_tuning_results'), (session, 'set_ep_dynamic_options', {}),
                                 (session, 'run_with_ortvaluevector', 1, 2), (options, 'set_provider_selection_policy', 1),
                                 (options, 'add_provider_for_devices', [], {}), (ort.RunOptions(), 'add_active_adapter', 1),
                                 (ort.OrtValue(np.zeros(1)), 'as_sparse_tensor')):
            self.refuses(f'{type(of).__name__}.{name}', lambda: getattr(of, name)(*given))
        options.add_provider('CPUExecutionProvider', {})
        self.refuses("SessionOptions.add_provider('CUDAExecutionProvider')",
                     lambda: options.add_provider('CUDAExecutionProvider', {}))
        self.assertFalse(options.has_providers())

    def test_modules_that_are_not_served(self):
        sys.modules['onnxruntime'] = ort
        try:
            for above in 'ocellus.onnxruntime', 'onnxruntime':
                for module, names in MODULES.items():
                    found = importlib.import_module(f'{above}.{module}')
                    for name in names.split():
                        there = getattr(found, name)
                        self.assertIs(getattr(found, name), there)
                        extended = type('Mine', (there,), {})  # as programs do when they are imported
                        self.refuses(f'{module}.{name}', lambda: there('a'))
                        self.refuses(f'{module}.{name}', lambda: extended())
                        self.refuses(f'{module}.{name}.any', lambda: there.any)
                    self.assertRaises(AttributeError, getattr, found, '__version__')
                for name in 'training', 'nothing', 'quantisation':
                    self.assertRaises(ImportError, importlib.import_module, f'{above}.{name}')
        finally:
            for name in [name for name in sys.modules if name.split('.')[0] == 'onnxruntime']:
                del sys.modules[name]

    def test_another_package_of_that_name_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, 'onnxruntime'))
            pathlib.Path(folder, 'onnxruntime', '__init__.py').write_text('mine = 3\n', encoding='utf-8')
            sys.path.insert(0, folder)
            try:
                self.assertEqual(importlib.import_module('onnxruntime').mine, 3)
                self.assertRaises(ImportError, importlib.import_module, 'onnxruntime.quantization')
            finally:
                sys.path.remove(folder)
                for name in [name for name in sys.modules if name.split('.')[0] == 'onnxruntime']:
                    del sys.modules[name]

    def test_what_a_session_was_made_from(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'm.onnxtxt')
            path.write_bytes(MODEL)
            for given in path, str(path):
                session = ort.InferenceSession(given)
                self.assertEqual((session._model_path, session._model_bytes), (str(path), None))
        session = ort.InferenceSession(MODEL)
        self.assertEqual((session._model_path, session._model_bytes), (None, MODEL))


class Enumerations(unittest.TestCase):
    def test_take_their_members_alone(self):
        options = ort.SessionOptions()
        for name, kind in (('graph_optimization_level', ort.GraphOptimizationLevel), ('execution_mode', ort.ExecutionMode),
                           ('execution_order', ort.ExecutionOrder)):
            for value in 99, 0, 1, -1, 7, 2 ** 40, True, None, '1', 'ORT_ENABLE_ALL', 1.0, ort.OrtAllocatorType.INVALID:
                with self.assertRaises(TypeError):
                    setattr(options, name, value)
            for member in kind:
                setattr(options, name, member)
                self.assertIs(getattr(options, name), member)
        self.assertEqual(copy.deepcopy(options).graph_optimization_level, ort.GraphOptimizationLevel.ORT_ENABLE_ALL)
        self.assertIs(ort.GraphOptimizationLevel(99), ort.GraphOptimizationLevel.ORT_ENABLE_ALL)
        self.assertRaises(ValueError, ort.GraphOptimizationLevel, 7)

    def test_levels_of_the_log(self):
        for severity in -1, 5, 99, None, 'INFO':
            self.assertRaises(ort.RuntimeException, ort.set_default_logger_severity, severity)
        for severity in range(5):
            ort.set_default_logger_severity(severity)
        for options, use in ((ort.SessionOptions(), lambda o: ort.InferenceSession(MODEL, o)),
                             (ort.RunOptions(), lambda o: ort.InferenceSession(MODEL).run(None, {'x': np.float32([1])}, o))):
            for severity in range(-1, 5):
                options.log_severity_level = severity
                use(options)
            for severity in -2, 5, 99:
                options.log_severity_level = severity
                self.assertRaises(ort.RuntimeException, use, options)


if __name__ == '__main__':
    unittest.main()
