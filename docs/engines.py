# SPDX-License-Identifier: Apache-2.0
"""engines.py OCELLUS MODULES [--report FILE] - prints docs/engines.md: where ONNX Runtime and the function bodies disagree.

MODULES holds node_modules/onnxruntime-node. FILE is kept: the JSON of `ocellus check --all --engine`, which takes a quarter
of an hour; without it, or where it is not there yet, the check is run."""
import argparse
import collections
import datetime
import json
import pathlib
import platform
import re
import shlex
import subprocess
import tempfile

ENGINE = pathlib.Path(__file__).parents[1] / 'examples/engines/onnxruntime.js'
FILLS = (' special', ' rows', ' wide', ' halves', ' mild')  # as names of cases end that are not of ordinary numbers
RANDOM = ('Bernoulli',)  # nothing is nearer to a random number
MOST_REASONS = 3

parser = argparse.ArgumentParser()
parser.add_argument('ocellus')
parser.add_argument('modules', type=lambda path: pathlib.Path(path).resolve())
parser.add_argument('--report', type=pathlib.Path)
args = parser.parse_args()
command = f'node {shlex.quote(str(ENGINE))} {{dir}} {shlex.quote(str(args.modules))}'
version = json.loads((args.modules / 'node_modules/onnxruntime-node/package.json').read_text())['version']
own_version = subprocess.run([args.ocellus, '--version'], capture_output=True, text=True, check=True).stdout.split()[1]


def check(*words, out=subprocess.PIPE):
    """What ocellus check prints; the engine's own words on its way to an end are not shown."""
    done = subprocess.run([args.ocellus, 'check', *words, '--json', '--engine', command], stdout=out,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return done.stdout


def whole_report():
    path = args.report
    if path and path.exists():
        return json.loads(path.read_text())
    with tempfile.TemporaryFile('w+') as out:
        check('--all', out=out)
        out.seek(0)
        text = out.read()
    if path:
        path.write_text(text)
    return json.loads(text)


def cell(text, most=None):
    text = text if not most or len(text) <= most else text[:most - 3] + '...'
    return text.replace('|', '\\|').replace('<', '&lt;').replace('*', '\\*')


def of(operator, outcome):
    return [c for c in operator['cases'] if c['engine']['outcome'] == outcome]


def is_ordinary(case):
    return not case['case'].endswith(FILLS) and not re.search(r'\b(nan|inf)\b', case['case'], re.I)


def computed(operator):
    """How many cases ONNX Runtime gave a result for."""
    return len(of(operator, 'agrees')) + len(of(operator, 'differs'))


def print_others(operators):
    """The operators of which no case of ordinary numbers differs, in one paragraph each."""
    special = [o for o in operators if of(o, 'differs') and not any(map(is_ordinary, of(o, 'differs')))]
    equal = [o for o in operators if not of(o, 'differs') and not of(o, 'engine fails')]
    special = [f'{o["operator"]} ({len(of(o, "differs"))} of {computed(o)})' for o in special]
    equal = [f'{o["operator"]} ({computed(o)})' for o in equal]
    print(f'Infinities, NaN and limits of the type alone differ in {", ".join(special)}.\n\nNothing differs in {", ".join(equal)}.')


def nearer_text(case):
    words = shlex.split(case['replay'])
    if words[2] in RANDOM:
        return ''
    again = json.loads(check(words[2], *words[words.index('--seed'):words.index('--engine')], '--in-double', '--case',
                             case['case']))[0]['cases'][0]['engine']
    told = again.get('in_double', {})
    if 'exact' not in told:
        return ''  # the case has nothing narrower than double, or its result is no float
    nearer = {'engine': 'ONNX Runtime', 'body': 'the body', None: 'neither'}[told['nearer']]
    return f'; {nearer} is nearer'


def difference_text(text):
    """What the check says of a difference, without the number of elements, and without units in the last place where digits show it."""
    text = re.sub(r'^\d+ of \d+ elements differ, the first at (\[.*?\]): ', r'\1 is ', text)
    return re.sub(r' is (\S+), expected (?!\1 )(\S+) \(\d+ ulp\)$', r' is \1, expected \2', text)


def print_disagreements(operators):
    for o in operators:
        differ, ends = of(o, 'differs'), of(o, 'engine fails')
        ordinary = list(filter(is_ordinary, differ))
        if ordinary:
            case = ordinary[0]
            print(f'- **{o["operator"]}**: {len(differ)} ({len(ordinary)}) of {computed(o)} differ. '
                  f'`{case["case"]}`: '
                  f'{cell(difference_text(case["engine"]["text"]))}{nearer_text(case)}.')
        if ends:
            print(f'- **{o["operator"]}**: {len(ends)} end. `{ends[0]["case"]}`: {ends[0]["engine"]["text"]}.')


def reason_of(case):
    """What is left of a reason without names, places and numbers of the case."""
    text = case['engine']['text']
    text = re.sub(r'^Load model .*?failed:', '', text)
    text = re.sub(r'^This is an invalid model\. In Node, .*?\bError ', '', text)
    text = re.sub(r'/\S+/(\S+\.(cc|h)):\d+', r'\1', text)
    text = re.sub(r'_inlfunc_\w+', '...', text)
    text = re.sub(r'test_\w+', '...', text)
    text = re.sub(r' node with name .*', '', text)
    return re.sub(r'^No Op registered for \S+ with', 'No Op registered for (its name) with', text)


def print_reasons(operators):
    counts, where = collections.Counter(), collections.defaultdict(set)
    for o in operators:
        for case in of(o, 'refused'):
            reason = reason_of(case)
            counts[reason] += 1
            where[reason].add(o['operator'])
    for reason, n in counts.most_common(MOST_REASONS):
        names = sorted(where[reason])
        print(f'- {n} cases of {names[0] if len(names) == 1 else f"{len(names)} operators"}: {cell(reason, 150)}')


def main():
    operators = whole_report()
    made = datetime.date.fromtimestamp(args.report.stat().st_mtime) if args.report else datetime.date.today()
    total = {kind: sum(len(of(o, kind)) for o in operators) for kind in ('agrees', 'differs', 'engine fails', 'refused')}
    cases = sum(len(o['cases']) for o in operators)
    print(f"""# The bodies in another engine

Written by `./dev engines` on {made}, with ONNX Runtime {version} (npm's onnxruntime-node, its processor provider)
and Ocellus {own_version} on {platform.machine()}.

`ocellus check --all --engine` ran {cases} cases of {len(operators)} operators in ONNX Runtime and compared its outputs with those of
function bodies, which Ocellus ran: {total['agrees']} agree, {total['differs']} differ, at {total['engine fails']} ONNX Runtime's process ended,
{total['refused']} it refused. The bodies are the standard's, repaired where `functions/KNOWN.md` says so, or Ocellus's own where the
standard has none. A difference does not say who is right: the standard leaves some results open, such as numbers past an integer's
range, and random ones.

## Disagreements

Counted are the cases that ONNX Runtime computes; in parentheses stand those of ordinary numbers (no infinities, NaN or limits of the type).
One case is shown, with ONNX Runtime's
element, the body's as expected, and which of them is nearer to the body in double, if that is known.
`ocellus check OP --case CASE --engine 'node examples/engines/onnxruntime.js {{dir}}'` shows all of it.
""")
    print_disagreements(operators)
    print()
    print_others(operators)
    print('\n## Refused\n\nThe most frequent reasons of ONNX Runtime, or of its interface for Node.js:\n')
    print_reasons(operators)


main()
