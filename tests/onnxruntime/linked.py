# SPDX-License-Identifier: Apache-2.0
"""linked.py - a program that was linked with any version of ONNX Runtime runs with our library: each of its functions is there
in that version.

usage: linked.py LIBRARY VERSION,VERSION.. COMPILER.."""
import os
import subprocess
import sys
import tempfile

# As much of ONNX Runtime's library as the linker looks at.
STANDIN = '''
typedef struct base { void *get_api; const char *(*get_version)(void); } base;
const base *OrtGetApiBase(void) { return 0; }
void *OrtSessionOptionsAppendExecutionProvider_CPU(void *options, int use_arena) { return options + use_arena; }
void *OrtSessionOptionsAppendExecutionProvider_CUDA(void *options, int device) { return options + device; }
void *OrtSessionOptionsAppendExecutionProvider_Tensorrt(void *options, int device) { return options + device; }
'''
PROGRAM = '''
#include <stdio.h>
typedef struct base { void *get_api; const char *(*get_version)(void); } base;
const base *OrtGetApiBase(void);
void *OrtSessionOptionsAppendExecutionProvider_CPU(void *options, int use_arena);
void *OrtSessionOptionsAppendExecutionProvider_CUDA(void *options, int device);
void *OrtSessionOptionsAppendExecutionProvider_Tensorrt(void *options, int device);
int main(void)
{
    puts(OrtGetApiBase()->get_version());
    puts(OrtSessionOptionsAppendExecutionProvider_CPU(0, 1) ? "refused" : "accepted");
    puts(OrtSessionOptionsAppendExecutionProvider_CUDA(0, 0) ? "refused" : "accepted");
    puts(OrtSessionOptionsAppendExecutionProvider_Tensorrt(0, 0) ? "refused" : "accepted");
}
'''
library, versions, *compiler = sys.argv[1:]
versions = versions.split(',')
wanted = [versions[-1], 'accepted', 'refused', 'refused']


def run(folder, version):
    """What a program prints that was linked with a library of that version."""
    standin, program = os.path.join(folder, 'libonnxruntime.so.1'), os.path.join(folder, 'program')
    with open(os.path.join(folder, 'versions.map'), 'w', encoding='utf-8') as f:
        f.write(f'VERS_{version} {{ global: Ort*; local: *; }};\n')
    subprocess.run([*compiler, '-w', '-shared', '-fPIC', os.path.join(folder, 'standin.c'), '-o', standin,
                    '-Wl,-soname,libonnxruntime.so.1', '-Wl,--version-script,' + os.path.join(folder, 'versions.map')], check=True)
    subprocess.run([*compiler, os.path.join(folder, 'program.c'), standin, '-o', program, '-Wl,-z,now'], check=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(os.path.realpath(library)))
    return subprocess.run([program], env=environment, text=True, capture_output=True, check=False)


failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, text in (('standin.c', STANDIN), ('program.c', PROGRAM)):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
            f.write(text)
    for version in versions:
        result = run(folder, version)
        if result.stdout.split() != wanted:
            failed += 1
            print(f'linked with {version}: {result.stdout.split()}, expected {wanted}: {result.stderr}')
print(f'{len(versions) - failed} passed, {failed} failed')
sys.exit(failed != 0)
