# SPDX-License-Identifier: Apache-2.0
"""nulls.py - NULL in place of each argument of each function of the table: where ONNX Runtime returns a status, so does the
library, and it crashes nowhere. nulls.txt records where ONNX Runtime does; its own library is asked too where it is there.

usage: nulls.py calls TABLE       writes the calls, for nulls.c, to standard output
       nulls.py run PROGRAM RECORD LIBRARY PEER
       nulls.py record PROGRAM PEER    prints what RECORD has to say
TABLE is api.def; PROGRAM is nulls.c; PEER may be missing."""
import os
import re
import subprocess
import sys

ENTRY = re.compile(r'^(?:SERVED\(\d+, ([^,]*?)|ACCEPTED\(\d+), (\w+),\s+\((.*?)\)\)$(?=\s|\Z)', re.M | re.S)

# What nulls.c calls a good argument of each type; other pointers are to memory that is written to, other numbers are 0.
GOOD = {
    'const char *': '"x"', 'char *': 'room', 'const void *': 'four', 'void *': 'four', 'const int64_t *': 'dims',
    'const char *const *': 'names', 'char *const *': 'buffers', 'const size_t *': 'sizes',
    'int64_t': '1', 'OrtErrorCode': 'ORT_FAIL', 'OrtLoggingLevel': 'ORT_LOGGING_LEVEL_ERROR', 'ONNXType': 'ONNX_TYPE_SEQUENCE',
    'ONNXTensorElementDataType': 'FLOAT', 'OrtLoggingFunction': 'take_line', 'RunAsyncCallbackFn': 'take_outputs',
    'void (*)(void *, size_t)': 'take_task', 'OrtSessionOptions *': 'options', 'OrtSession *': 'session',
    'OrtAllocator *': 'allocator', 'OrtValue *': 'value', 'OrtMemoryInfo *': 'memory', 'OrtRunOptions *': 'run_options',
    'OrtEnv *': 'env', 'OrtModelMetadata *': 'metadata', 'OrtTypeInfo *': 'type', 'OrtTensorTypeAndShapeInfo *': 'shape',
    'OrtIoBinding *': 'binding', 'OrtThreadingOptions *': 'threading', 'OrtKeyValuePairs *': 'pairs',
    'OrtCustomOpDomain *': 'domain', 'OrtStatus *': 'status', 'OrtCustomOp *': '&own.base', 'OrtMapTypeInfo *': 'map_type',
    'OrtPrepackedWeightsContainer *': 'weights', 'OrtArenaCfg *': 'arena', 'OrtSequenceTypeInfo *': 'sequence_type',
    'OrtLogger *': 'logger', 'OrtKernelInfo *': 'info', 'OrtKernelContext *': 'context', 'OrtEpDevice *': 'ep_device',
    'OrtHardwareDevice *': 'hardware', 'OrtValue *const *': 'values', 'OrtEpDevice *const *': '&ep_device',
    'OrtEnvCreationOptions *': '&creation',
}
RUN = {2: 'names', 3: 'values', 4: '1', 5: 'outputs', 6: '1', 7: 'made'}
STRINGS = {0: 'text'}
ARRAY = {1: 'model.data', 2: 'model.size'}
# Arguments of some functions, by their place.
OWN = {
    'Run': RUN, 'RunAsync': RUN, 'CreateSessionFromArray': ARRAY, 'CreateSessionFromArrayWithPrepackedWeightsContainer': ARRAY,
    'CreateSession': {1: 'path'}, 'CreateSessionWithPrepackedWeightsContainer': {1: 'path'}, 'CreateTensorAsOrtValue': {2: '1'},
    'CreateTensorWithDataAsOrtValue': {2: '16', 4: '1'}, 'CreateTensorWithDataAndDeleterAsOrtValue': {2: '16', 4: '1'},
    'FillStringTensor': {**STRINGS, 2: '1'}, 'GetStringTensorDataLength': STRINGS, 'FillStringTensorElement': STRINGS,
    'GetStringTensorContent': {**STRINGS, 2: '64', 4: '1'}, 'GetStringTensorElementLength': STRINGS,
    'GetStringTensorElement': {**STRINGS, 1: '64'}, 'GetResizedStringTensorElementBuffer': {**STRINGS, 2: '4'},
    'SetDimensions': {2: '1'}, 'GetDimensions': {1: 'room', 2: '1'}, 'GetSymbolicDimensions': {2: '1'},
    'SetSymbolicDimensions': {1: 'names', 2: '1'}, 'CreateValue': {1: '1'}, 'GetValue': {0: 'list'}, 'GetValueCount': {0: 'list'},
    'TensorAt': {1: 'zeros', 2: '1'}, 'BindOutput': {1: '"y"'}, 'BindOutputToDevice': {1: '"y"'}, 'CreateMemoryInfo': {0: '"Cpu"'},
    'CreateMemoryInfo_V2': {0: '"Cpu"'}, 'AddInitializer': {1: '"w"'}, 'AddExternalInitializers': {1: 'names', 2: 'values', 3: '1'}, 'CopyTensors': {3: 'NULL', 4: '1'},
    'AddExternalInitializersFromFilesInMemory': {4: '1'}, 'AllocatorAlloc': {1: '16'}, 'AllocatorFree': {1: 'block'},
    'SessionOptionsAppendExecutionProvider': {1: '"CPU"', 4: '1'}, 'ModelMetadataLookupCustomMetadataMap': {2: '"k"'},
    'SessionOptionsAppendExecutionProvider_V2': {3: '1', 6: '1'}, 'GetSessionConfigEntry': {1: '"k"', 2: 'room', 3: 'a_size'},
    'ReleaseAvailableProviders': {0: 'providers', 1: '1'}, 'GetHardwareDevices': {2: '1'}, 'KernelContext_GetOutput': {2: 'dims', 3: '1'},
    'KernelContext_GetScratchBuffer': {2: '16'}, 'KernelContext_ParallelFor': {2: '1', 3: '1'}, 'KernelInfo_GetNodeName': {2: 'a_size'},
    'KernelInfoGetAttribute_float': {1: '"f"'}, 'KernelInfoGetAttribute_int64': {1: '"i"'},
    'KernelInfoGetAttribute_string': {1: '"s"', 3: 'a_size'}, 'KernelInfoGetAttribute_tensor': {1: '"t"'},
    'KernelInfoGetAttributeArray_float': {1: '"fs"', 3: 'a_size'}, 'KernelInfoGetAttributeArray_int64': {1: '"is"', 3: 'a_size'},
    'KernelInfoGetAttributeArray_string': {1: '"ss"'}, 'KernelInfo_GetInputName': {3: 'a_size'},
    'KernelInfo_GetOutputName': {3: 'a_size'}, 'KernelInfo_GetOperatorDomain': {2: 'a_size'}, 'KernelInfo_GetOperatorType': {2: 'a_size'},
    'SessionGetMemoryInfoForInputs': {2: '1'}, 'SessionGetMemoryInfoForOutputs': {2: '1'}, 'SessionGetEpDeviceForInputs': {2: '1'},
    'SessionGetEpDeviceForOutputs': {2: '1'}, 'ReleaseCUDAProviderOptions': {0: 'NULL'}, 'ReleaseTensorRTProviderOptions': {0: 'NULL'},
}
# Functions whose good arguments give a status too, in a program that has no libraries, providers or memory to spare.
ALWAYS = {'EnableOrtCustomOps', 'RegisterCustomOpsLibrary', 'RegisterCustomOpsLibrary_V2', 'RegisterCustomOpsUsingFunction',
          'GetOptionalContainedTypeInfo', 'CreateStatus'}


def is_pointer(kind):
    return '*' in kind or kind in ('OrtLoggingFunction', 'RunAsyncCallbackFn')


def good(kind, place):
    plain = kind.removeprefix('const ')
    if kind in GOOD or plain in GOOD:
        return GOOD.get(kind) or GOOD[plain]
    return f'out[{place}]' if is_pointer(kind) else '0'


def split(parameters):
    kinds = re.split(r', (?![^(]*\))', re.sub(r'\s+', ' ', parameters).strip())
    return [] if kinds == ['void'] else kinds


def stage(arguments):
    """Where a function is called: in the program, when the kernel is made, or when it runs."""
    return 'COMPUTE' if 'context' in arguments else 'CREATE' if {'info', 'logger'} & set(arguments) else 'PROGRAM'


def calls(table):
    """CALL(number, name, place of NULL or -1, stage, the call)"""
    with open(table, encoding='utf-8') as f:
        text = re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)
    n = 0
    for result, name, parameters in ENTRY.findall(text):
        kinds = split(parameters)
        arguments = [OWN.get(name, {}).get(i, good(kind, i)) for i, kind in enumerate(kinds)]
        for null in [-1, *(i for i, kind in enumerate(kinds) if is_pointer(kind))]:
            given = ', '.join('NULL' if i == null else a if '(*)' in kind or not is_pointer(kind) else f'({kind})(uintptr_t){a}'
                              for i, (kind, a) in enumerate(zip(kinds, arguments)))
            call = f'api->{name}({given})'
            if (result or 'OrtStatus *') == 'OrtStatus *':
                call = f'tell({call})'
            print(f'CALL({n}, {name}, {null}, {stage(arguments)}, (void){call})')
            n += 1


def ask(program, library):
    """What each call gives, by function and place: 'ok', 'status' or how the process ended."""
    environment = dict(os.environ, OC_ONNXRUNTIME=library)
    told = subprocess.run([program], env=environment, text=True, stdout=subprocess.PIPE, check=True).stdout
    return {(name, int(null)): result for name, null, result in re.findall(r'^(\w+) (-?\d+) (ok|status|crash)$', told, re.M)}


def refused(results):
    """Where a library returns a status for NULL, and none for the good arguments."""
    return {(name, null) for (name, null), result in results.items()
            if null >= 0 and result == 'status' and results[name, -1] == 'ok'}


def run(program, record, library, peer):
    with open(record, encoding='utf-8') as f:
        lines = [line.split() for line in f if not line.startswith('#')]
    wanted = {(name, int(null)) for name, *nulls in lines for null in nulls}
    found, failed = ask(program, library), 0

    def finding(text):
        nonlocal failed
        failed += 1
        print(text)

    for (name, null), result in found.items():
        if null >= 0 and result not in ('ok', 'status'):
            finding(f'{name}, argument {null} is NULL: {result}')
        if null < 0 and result != 'ok' and name not in ALWAYS and 'AppendExecutionProvider_' not in name:
            finding(f'{name} with good arguments: {result}')
    for name, null in sorted(wanted):
        if found.get((name, null)) != 'status':
            finding(f'{name}, argument {null} is NULL: {found.get((name, null))}, expected a status')
    if os.path.exists(peer):
        for name, null in sorted(refused(ask(program, peer)) - wanted):
            finding(f'{name}, argument {null}: ONNX Runtime returns a status, which {record} does not know')
    print(f'{len(found) - failed} passed, {failed} failed')
    return failed != 0


def write_record(program, peer):
    by_name = {}
    for name, null in sorted(refused(ask(program, peer))):
        by_name.setdefault(name, []).append(str(null))
    for name, nulls in by_name.items():
        print(name, *nulls)


mode, *arguments = sys.argv[1:]
if mode == 'run':
    sys.exit(run(*arguments))
calls(*arguments) if mode == 'calls' else write_record(*arguments)
