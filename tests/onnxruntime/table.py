# SPDX-License-Identifier: Apache-2.0
"""table.py - the functions of api.def stand where ONNX Runtime's header has them, up to that header's version of the interface,
whose table is exactly as long. It is skipped without the header.

usage: table.py TABLE HEADERS COMPILER..
TABLE is api.def, HEADERS a folder that keeps the headers."""
import os
import re
import subprocess
import sys

import headers

ENTRY = re.compile(r'^(?:(?:SERVED|IDLE)\((\d+), [^,]+|(?:ACCEPTED|ABSENT|NOTHING)\((\d+)), (\w+),', re.M)
HEADER = 'onnxruntime_c_api.h'

table, kept, *compiler = sys.argv[1:]
try:
    include = headers.find(os.path.abspath(kept))
except headers.Missing as missing:
    print('skipped:', missing)
    sys.exit(77)
with open(os.path.join(include, HEADER), encoding='utf-8') as f:
    version = int(re.search(r'#define ORT_API_VERSION (\d+)', f.read())[1])
with open(table, encoding='utf-8') as f:
    names = [name for a, b, name in ENTRY.findall(f.read()) if int(a or b) <= version]
checks = [f'_Static_assert(offsetof(OrtApi, {name}) == {place} * sizeof(void *), "{name} is no. {place}");'
          for place, name in enumerate(names)]
checks.append(f'_Static_assert(sizeof(OrtApi) == {len(names)} * sizeof(void *), "the length of the table");')
source = '\n'.join(['#include <stddef.h>', f'#include <{HEADER}>', *checks, ''])
result = subprocess.run([*compiler, '-std=c11', '-w', '-fsyntax-only', '-isystem', include, '-x', 'c', '-'], input=source,
                        text=True, check=False)
failed = result.returncode != 0 or not names
print(f'{0 if failed else len(checks)} passed, {int(failed)} failed, 0 skipped')
sys.exit(failed)
