# SPDX-License-Identifier: Apache-2.0
"""messages.py OUT PROTO - write the descriptor and the name of each message as lines of a C table.

The schema keeps names out of the descriptors, since those of fields and of enumerations weigh more
than all the rest."""
import pathlib
import re
import sys

MESSAGE = re.compile(r'\s*message (\w+) \{')


def snake(name):
    """protobuf-c's spelling of a name."""
    return re.sub(r'(?<!^)([A-Z])', r'_\1', name).lower()


out, proto = map(pathlib.Path, sys.argv[1:])
lines, inside = [], []  # inside: the braces around a line, by the message that each opens or None
for line in proto.read_text(encoding='utf-8').splitlines():
    line = line.partition('//')[0]
    message = MESSAGE.match(line)
    if message:
        inside.append(message.group(1))
        path = '__'.join(snake(name) for name in inside)
        lines.append(f'OC_MESSAGE(onnx__{path}__descriptor, "{inside[-1]}")\n')
    else:
        inside += [None] * line.count('{')
    for _ in range(line.count('}')):
        inside.pop()
out.write_text(''.join(lines), encoding='utf-8')
