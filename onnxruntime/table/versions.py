# SPDX-License-Identifier: Apache-2.0
"""versions.py FOLDER VERSION... - writes into FOLDER what the library needs to answer programs that were linked with one of
these versions of ONNX Runtime, the newest last: versions.def for C, versions.map for the linker, version.h with the newest."""
import os
import sys

folder, *versions = sys.argv[1:]
*older, newest = versions


def write(name, text):
    with open(os.path.join(folder, name), 'w') as f:
        f.write(text)


write('versions.def', ''.join(f'VERSION({v.replace(".", "_")}, "{"@@" if v == newest else "@"}", "{v}")\n' for v in versions))
write('versions.map', ''.join(f'VERS_{v} {{ }};\n' for v in older) + f'VERS_{newest} {{ global: Ort*; local: *; }};\n')
write('version.h', f'#define ORT_VERSION "{newest}"\n')
