# SPDX-License-Identifier: Apache-2.0
"""exports.py OUT HEADER.. - writes the linker's options that export each function which a header declares OC_API."""
import re
import sys

out, *headers = sys.argv[1:]
names = []
for header in headers:
    with open(header, encoding='utf-8') as f:
        names += re.findall(r'^OC_API\b[^(;]*?\b(oc_\w+)\(', f.read(), re.M)
if not names:
    sys.exit(f'exports.py: no function is declared OC_API in {headers}')
with open(out, 'w', encoding='utf-8') as f:
    f.writelines(f'--export={name}\n' for name in sorted(names))
