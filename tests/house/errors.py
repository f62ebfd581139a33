# SPDX-License-Identifier: Apache-2.0
"""errors.py - docs/errors.md has a section for each code of ocellus.h, with its text, the exit code that the command gives it and
an example, and names no code that does not exist; so does the type of JavaScript. The test docs runs the examples."""
import re

import tree

SCRIPTS = 'js/ocellus.d.mts'
PAGE, HEADER = 'docs/errors.md', 'include/ocellus.h'


def statuses():
    """(name, text) of each code, in order."""
    text = tree.read(HEADER)
    block = re.search(r'#define OC_STATUS_MAP\(X\)(.*?)\n\n', text, re.S).group(1)
    return re.findall(r'X\((\w+), "([^"]*)"\)', block)


def exit_codes():
    """The number of each code that tool_exit_code lists; 'default' for the others."""
    number = dict(re.findall(r'(TOOL_\w+) = (\d+)', tree.read('tools/common/tool.h')))
    body = re.search(r'int tool_exit_code.*?\n}', tree.read('tools/common/tool.c'), re.S).group(0)
    codes, waiting = {}, []
    for case, default, result in re.findall(r'case OC_(\w+):|(default):|return (TOOL_\w+);', body):
        if result:
            codes.update((name, number[result]) for name in waiting)
            waiting = []
        else:
            waiting.append(case or default)
    return codes


def sections():
    """(line, name, text, exit code, body) of each section of the page."""
    parts = re.split(r'^## ', tree.read(PAGE), flags=re.M)
    line = 1 + parts[0].count('\n')
    for part in parts[1:]:
        title, body = part.split('\n', 1)
        match = re.fullmatch(r'`OC_(\w+)`: (.*) \(exit code (\d+)\)', title)
        if match:
            yield (line, *match.groups(), body)
        elif not re.fullmatch(r'Exit code \d: .*', title):
            tree.finding(PAGE, line, f'"{title}" is not the title of a code')
        line += part.count('\n')


def check_section(line, name, text, code, body, codes, known):
    if name not in known:
        tree.finding(PAGE, line, f'{HEADER} has no code OC_{name}')
        return
    if text != known[name]:
        tree.finding(PAGE, line, f'OC_{name} is "{known[name]}" in {HEADER}, not "{text}"')
    if code != codes.get(name, codes['default']):
        tree.finding(PAGE, line, f'the exit code of OC_{name} is {codes.get(name, codes["default"])}, not {code}')
    if len(body.split('```')[0].split()) < 20:
        tree.finding(PAGE, line, f'OC_{name} has no paragraph')
    if code != '0' and not re.search(r'```console\n(\$ .*\n)*\$ .*ocellus .*\nocellus: ', body):
        tree.finding(PAGE, line, f'OC_{name} has no example of a message')


known, codes, seen = dict(statuses()), exit_codes(), []
for section in sections():
    seen.append(section[1])
    check_section(*section, codes, known)
for name in known:
    if seen.count(name) != 1:
        tree.finding(PAGE, 1, f'OC_{name} has {seen.count(name)} sections, expected one')
if [name for name in seen if name in known] != list(known):
    tree.finding(PAGE, 1, f'the codes are in another order than in {HEADER}')
told = re.findall(r"'(\w+)'", re.search(r'export type ErrorCode =(.*?);', tree.read(SCRIPTS), re.S).group(1))
if told != [name for name in known if name != 'OK'] + ['BROKEN']:
    tree.finding(SCRIPTS, 1, f'ErrorCode has not the codes of {HEADER}, and BROKEN behind them')
tree.end(len(seen), 'codes')
