# SPDX-License-Identifier: Apache-2.0
"""writers.py - files are replaced, never truncated: nothing opens one to write to it but the functions that write
beside a file and rename, and those few listed here, each with its reason."""
import re

import tree

C = re.compile(r'\b(?:fopen|freopen|_wfopen|fdopen|_fdopen)\s*\([^;]*?,\s*"[wa][^"]*"|\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b'
               r'|\bcreat\s*\(|\bGENERIC_WRITE\b|\bstd::ofstream\b|\bmkstemp\s*\(|\b_O_WRONLY\b')
PYTHON = re.compile(r"\bopen\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*,\s*(?:mode=)?['\"][rb+]*[wax][bt+]*['\"]|\.write_(?:text|bytes)\("
                    r'|\bO_(?:WRONLY|RDWR|CREAT)\b|\bto_file\(|\.tofile\(')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
ALLOWED = {  # path -> how often, and why
    'src/loader/disk_posix.c': (2, 'the file beside: oc_disk_create'),
    'src/loader/disk_windows.c': (2, 'the file beside: oc_disk_create'),
    'tools/files/io.c': (3, 'the file beside: io_create'),
    'tools/common/system_posix.c': (1, '/dev/null in place of a stream that is closed'),
    'tools/map/lines.c': (1, 'a record grows by whole lines'),
    'tools/inspect/embed.py': (1, 'of the build'),
    'tools/draw/font.py': (1, 'of the build'),
    'onnxruntime/table/versions.py': (1, 'of the build'),
    'onnxruntime/sessions/written_file.c': (3, 'the file beside, or a device'),
    'python/ocellus/onnxruntime/_replace.py': (2, 'the file beside, or a device'),
}

checked = 0
found = {}
for path in tree.files('*.c', '*.h', '*.hpp', '*.py'):
    if path.split('/')[0] not in ('src', 'tools', 'onnxruntime', 'include', 'python') or path == 'python/wheel.py':
        continue
    checked += 1
    text = tree.read(path)
    if not path.endswith('.py'):
        text = COMMENT.sub(lambda m: '\n' * m.group().count('\n'), text)
    for hit in (PYTHON if path.endswith('.py') else C).finditer(text):
        line = text[:hit.start()].count('\n') + 1
        if (path, line) not in found:
            found[path, line] = hit.group()
for (path, line), hit in found.items():
    if path not in ALLOWED:
        tree.finding(path, line, f'{" ".join(hit.split())!r} writes to a file in place; oc_replace_begin, oc_model_save_file '
                                 'and io_create write beside it and rename')
for path, (n, why) in ALLOWED.items():
    here = sum(p == path for p, _ in found)
    if here != n:
        tree.finding(path, 1, f'{here} places open a file to write to it, {n} are listed here ({why})')
tree.end(checked, 'files')
