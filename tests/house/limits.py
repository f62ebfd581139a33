# SPDX-License-Identifier: Apache-2.0
"""limits.py - docs/limits.md lists the bounds of src/base/limits.h and tools/common/limits.h, and a test names each of
them.

limits.py ROOT --write writes the page."""
import re
import sys

import tree

SOURCES, PAGE = {'src/base/limits.h': 'OC_MAX_', 'tools/common/limits.h': 'LIMIT_'}, 'docs/limits.md'
HEAD = """# Limits

Whatever a file or a host asks for, Ocellus ends with a result or an error within these bounds.

## Set by the host

`oc_limits` in [ocellus.h](../include/ocellus.h) is part of the options of a model and of a session; the command
sets it by `--memory-cap`, `--deadline`, `--max-steps` and Ctrl-C.

| limit | of a model | of a session | without it |
|---|---|---|---|
| `memory_cap` | bytes of the model, its plans and its sessions together | bytes of the session and its plan | of a model 4 GiB, in the command three quarters of what the machine, the control group or the address space has; `SIZE_MAX`: no cap |
| `deadline` | seconds to load, to expand or to cut it | seconds to make the session, and to run it | none |
| `max_steps` | | nodes that are executed while it is made, and in one run | none |
| `cancel` | asked while it is loaded, expanded or cut | asked while it is made or runs | never |

Mapped files are not counted. Deadline and wish to cancel are asked before every allocation and every node, and
within what takes long at least every 100 ms. An error of these has the code `LIMIT`, `DEADLINE` or `CANCELLED`.

## Fixed

Written from `src/base/limits.h` and, for what the command reads, `tools/common/limits.h`. What is past such a bound
is refused with `LIMIT`, in a text model with `FORMAT` and the place, in a pattern with `VALUE`.
Dims are further bounded by memory: an element count and a size in bytes that do not fit in 63 bits are refused with
`SHAPE`, a length that an operator would compute past them with `LIMIT`.

| bound | value | of what |
|---|--:|---|
| `OC_MAX_RANK` | 16 | axes of a tensor |
"""


def bounds():
    """(source, name, value, what) of each line of the maps."""
    for source, prefix in SOURCES.items():
        rows = re.findall(r'X\((\w+), ([^,]+), "([^"]+)"\)', tree.read(source))
        for name, value, what in rows:
            base, _, shift = value.partition(' << ')
            yield source, prefix + name, int(base) << int(shift or 0), what


def page():
    return HEAD + ''.join(f'| `{name}` | {value:,} | {what} |\n' for _, name, value, what in bounds())


def check_tests():
    """Each bound is named by a test, which goes up to it and one past it."""
    tests = ''.join(tree.read(path) for path in tree.files('*.c', '*.onnxtxt', '*.py') if path.startswith('tests/'))
    for source, name, _, _ in bounds():
        if name not in tests:
            tree.finding(source, 1, f'no test names {name}')


if sys.argv[2:] == ['--write']:
    with open(f'{tree.ROOT}/{PAGE}', 'w', encoding='utf-8') as f:
        f.write(page())
else:
    check_tests()
    if tree.read(PAGE) != page():
        tree.finding(PAGE, 1, 'is not what "python3 tests/house/limits.py . --write" writes')
tree.end(len(list(bounds())), 'bounds')
