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

`oc_limits` in [ocellus.h](../include/ocellus.h), part of the options of a model and of a session; in the command `--memory-cap`,
`--deadline`, `--max-steps` and Ctrl-C.

| limit | of a model | of a session | default |
|---|---|---|---|
| `memory_cap` | bytes of model, plans and sessions together | bytes of session and plan | of a model 4 GiB (command: 3/4 of what machine, control group or address space has); `SIZE_MAX`: none |
| `deadline` | seconds to load, expand, cut or join it | seconds to make the session, and to run it | none |
| `max_steps` | | nodes executed while it is made, and in a run | none |
| `cancel` | asked while it is loaded, expanded, cut or joined | asked while it is made or runs | never |

Mapped files are not counted. Deadline and `cancel` are asked before every allocation and node, and at least every 100 ms. The
errors are `LIMIT`, `DEADLINE` and `CANCELLED`.

## Fixed

Passing a bound of `src/base/limits.h` or, in the command, `tools/common/limits.h` is `LIMIT`, in a text model `FORMAT` with the
place, in a pattern `VALUE`. An element count or size in bytes beyond 63 bits (31 where addresses have 32) is `SHAPE`, a length that
an operator computes beyond them `LIMIT`. Where addresses have 32 bits, a model and a file beside it have at most 2 GiB each, and so
has a block of memory; a shape with an axis of length 0 must fit without that axis. What asks for more gets an error.

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
