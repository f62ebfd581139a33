# SPDX-License-Identifier: Apache-2.0
"""check.py OCELLUS ROOT [--sample N] - ocellus check of operators: reports, seeds, replays, bodies from files.

With --sample, what runs all operators runs every Nth of their cases, and what reads or compares whole reports is left out."""
import collections
import json
import os
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

OCELLUS, ROOT, SAMPLE = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
RIGHT = os.path.join(ROOT, 'functions/Softmax.13.onnxtxt')
# A softmax that does not take off the greatest first; a name that HTML and shells must quote.
WRONG, WRONG_TEXT = "it's <wrong> & odd.onnxtxt", '''\
<domain: "com.me", opset_import: ["" : 13]>
Wrong <axis: int = -1> (input) => (output)
{
  axes = Constant <value_ints: ints = [$axis]> ()
  power = Exp (input)
  sum = ReduceSum (power, axes)
  output = Div (power, sum)
}
'''
ran, failed = 0, 0


def want(holds, what):
    global ran, failed
    ran += 1
    if not holds:
        failed += 1
        print('FAIL:', what)


def run(code, *args):
    """Standard output and standard error of ocellus check."""
    r = subprocess.run([OCELLUS, 'check', *args], capture_output=True, text=True)
    want(r.returncode == code,
         f'check {shlex.join(args)}: exit code {r.returncode}, expected {code}\n{r.stdout[-800:]}{r.stderr}')
    return r.stdout, r.stderr


def read(code, *args):
    return json.loads(run(code, *args, '--json')[0])


def has(text, *words):
    for word in words:
        want(word in text, f'{word!r} is not in:\n{text[-1500:]}')


def operators():
    out, _ = run(0, 'Celu', 'Softplus')
    has(out, '\nSoftplus ', ' cases, 0 disagreements')
    document = read(0, 'Celu', 'Softplus')
    want([o['operator'] for o in document] == ['Celu', 'Softplus'], 'two operators in JSON')
    want(document == read(0, 'Celu') + read(0, 'Softplus'), 'several operators are those one by one')
    out, err = run(4, 'Celu', 'NoSuchOperator')
    has(err, "no cases for an operator 'NoSuchOperator'")
    want(not out, 'no operator runs when one is unknown')
    want('did you mean' not in run(4, 'Neg')[1], 'an operator is no hint of itself')
    has(run(2, 'Celu', 'model.onnx')[1], "'model.onnx' is a model, which is checked by itself")
    run(2)
    run(2, 'Celu', '--all')
    has(run(2, 'Celu', 'Elu', '--body', RIGHT)[1], '--body goes with one operator')
    has(run(2, 'Celu', '--against', RIGHT)[1], '--against goes with --body')
    has(run(2, 'model.onnx', '--export', 'x')[1], 'go with operators')
    run(2, 'Celu', '--json', '--markdown')
    has(run(2, 'Celu', '--fill', 'random')[1], 'go with a model')
    has(run(2, 'Celu', '--rtol', '1')[1], 'go with a model')
    has(run(2, 'model.onnx', '--verbose')[1], '--verbose goes with operators, or with --engine')
    # What stops every run is no agreement.
    has(run(2, 'Celu', '--cpu', 'abacus')[1], "cpu 'abacus' is unknown")
    out, err = run(5, 'Celu', '--memory-cap', '10')
    has(out, 'incomplete: 0 cases')
    has(err, 'memory cap: ')
    run(5, 'Celu', '--deadline', '1e-9')


def samples():
    every = read(0, 'Softmax', '--seed', '5')[0]['cases']
    some = read(0, 'Softmax', '--seed', '5', '--sample', '23')[0]['cases']
    want(some == every[::23], 'every 23rd case, the same as among all')
    for n, expected in (0, len(every)), (1, len(every)), (len(every) - 1, 2), (2**63 - 1, 1):
        has(run(0, 'Softmax', '--sample', str(n))[0], f'\n{expected} cases, 0 disagreements')
    has(run(1, 'Softmax', '--seed', '7', '--body', WRONG, '--sample', '5')[0], '--seed 7 --body')
    has(run(2, 'Softmax', '--case', one_name('Softmax'), '--sample', '5')[1], 'does not go with --case')
    has(run(2, 'model.onnx', '--sample', '5')[1], 'go with operators')


def markdown():
    n = len(read(0, 'Clip')[0]['cases'])
    has(run(0, 'Clip', '--markdown')[0], f'\n| Clip | 12, 13, 16 | {n} | {n} | 0 | 0 | 0 | 51 | 0 | 0 | 0 |\n',
        f'\n{n} cases of 1 operators, 0 disagreements', '- **Clip**: bfloat16 before opset 16: ', ' Shown by 51 of ')


def names_are_unique(document):
    for operator in document:
        names = collections.Counter(c['case'] for c in operator['cases'])
        name, n = names.most_common(1)[0]
        want(n == 1, f'{operator["operator"]} has {n} cases named {name!r}')


def seeds():
    first, second, again = read(0, 'Softmax'), read(0, 'Softmax', '--seed', '5'), read(0, 'Softmax', '--seed', '0')
    want(first == again, 'equal seeds give equal cases')
    want(first != second, 'another seed gives other inputs')
    want([c['case'] for c in first[0]['cases']] == [c['case'] for c in second[0]['cases']],
         'names do not depend on the seed')


def replays():
    out, _ = run(1, 'Softmax', '--seed', '7', '--body', WRONG)
    lines = out.split('\n')
    at = [i for i, line in enumerate(lines) if line.startswith('    ocellus check ')]
    want(len(at) == 20, f'{len(at)} replay lines, expected 20')
    has(out, 'disagreements more; --verbose lists them')
    for i in at[:3] + at[-1:]:
        said, command = lines[i - 1], lines[i].strip()
        r = subprocess.run(['sh', '-c', command], capture_output=True, text=True,
                           env={**os.environ, 'PATH': BIN + ':' + os.environ['PATH']})
        want(r.returncode == 1, f'{command}: exit code {r.returncode}')
        has(r.stdout, said, lines[i], '= Softmax', 'input 0', 'y0 of kernel', '\n1 cases, 1 disagreements')
    one = read(1, 'Softmax', '--seed', '7', '--body', WRONG)[0]
    bad = [c for c in one['cases'] if c['body']['outcome'] != 'agrees']
    want(len(bad) == one['disagreements'] > 20, 'JSON has all disagreements')
    args = shlex.split(bad[-1]['replay'])
    want(args[:3] == ['ocellus', 'check', 'Softmax'], bad[-1]['replay'])
    want(read(1, *args[2:])[0]['cases'] == bad[-1:], 'a replay of JSON gives the same case')
    has(run(2, 'Softmax', '--case', 'none such')[1], "has no case 'none such'")
    run(2, '--all', '--case', 'none such')
    out, _ = run(0, 'Relu', '--case', one_name('Relu'), '--cpu', 'scalar')
    has(out, '= Relu (x0)', 'y0 of body')


def one_name(operator):
    return read(0, operator)[0]['cases'][0]['case']


def bodies():
    run(0, 'Softmax', '--body', RIGHT)
    out, _ = run(1, 'Softmax', '--body', WRONG, '--against', RIGHT)
    has(out, f'{WRONG} against {RIGHT}', f"--against {shlex.quote(RIGHT)} --case '")
    run(0, 'Softmax', '--body', WRONG, '--against', WRONG)
    inner_values()
    with open('bad.onnxtxt', 'w') as f:
        f.write(WRONG_TEXT.replace('Exp (', 'Exp = ('))
    has(run(3, 'Softmax', '--body', 'bad.onnxtxt')[1], 'bad.onnxtxt: line 5, column 15')
    has(run(3, 'Softmax', '--body', WRONG, '--against', 'bad.onnxtxt')[1], 'bad.onnxtxt: line 5')
    has(run(3, 'Softmax', '--body', 'nowhere.onnxtxt')[1], 'nowhere.onnxtxt: ')
    with open('zero.onnxtxt', 'wb') as f:
        f.write(WRONG_TEXT.encode() + b'\0')
    has(run(3, 'Softmax', '--body', 'zero.onnxtxt')[1], 'zero.onnxtxt: a zero byte')
    with open('lacks.onnxtxt', 'w') as f:
        f.write(WRONG_TEXT.replace('Exp', 'Expp'))
    line = 1 + WRONG_TEXT[:WRONG_TEXT.index('Exp')].count('\n')
    few = ['--sample', '400']
    # What fails at one place is told once, with the number of its cases.
    out, _ = run(1, 'Softmax', '--body', 'lacks.onnxtxt', *few)
    n = read(1, 'Softmax', '--body', 'lacks.onnxtxt', *few)[0]['disagreements']
    has(out, f', lacks.onnxtxt: body fails in {n} cases, first in this one: lacks.onnxtxt: line {line}: ', 'Expp')
    want(n > 1 and out.count('fails') == out.count('    ocellus check Softmax ') == 1, out)
    out, _ = run(1, 'Softmax', '--body', 'lacks.onnxtxt', *few, '--verbose')
    want(out.count(f'body fails: lacks.onnxtxt: line {line}: ') == n, '--verbose tells each case')
    out, _ = run(1, 'Softmax', '--body', WRONG, '--against', 'lacks.onnxtxt', *few)
    has(out, f', {WRONG}: other body fails in ', f' cases, first in this one: lacks.onnxtxt: line {line}: ')
    head = '<domain: "", opset_import: ["" : 13]>\nSoftmax <axis: int = -1> (x) => (y) {\n'
    for body, words in (('e = Exp (x) # of x\n\n s, t = Split\n  (e, e)\n y = Div (s, t)', "line 5: node of 'Softmax/s' (Split-13): "),
                        ('e = Exp (x)\n y = Div (e, e)\n z = Div (e, none)', "line 5: graph: node of 'Softmax/z' (Div): "),
                        ('e = Exp (x)\n y = Gather (e, x)', "line 4: node of 'y0' (Gather-13): ")):
        with open('within.onnxtxt', 'w') as f:
            f.write(head + body + '\n}\n')
        has(run(1, 'Softmax', '--body', 'within.onnxtxt', *few)[0], 'body fails', f': within.onnxtxt: {words}')
    # Another place of the body, and what only differs, have lines of their own.
    with open('within.onnxtxt', 'w') as f:
        f.write(head + 'a = Constant <value: tensor = float[3] {1, 2, 3}> ()\n y = Add (a, x)\n}\n')
    out, _ = run(1, 'Softmax', '--body', 'within.onnxtxt', '--inputs', 'float[2]', '--inputs', 'float[4]',
                 '--inputs', 'float16[3]', '--inputs', 'float[3]', '--attributes', 'axis = 0')
    has(out, ' cases, first in this one: within.onnxtxt: line 4: ', 'within.onnxtxt: differs, max abs ')
    want(out.count('first in this one') == 1, out)
    has(run(4, 'Wrong', '--body', WRONG)[1], '--inputs')


def inner_values():
    """Of two bodies that differ, the first value of the same name that does, in all reports."""
    bodies = {
        'base': 'half = Constant <value_float = 0.5> () a = Exp (x) b = Mul (a, half) y = Add (b, x)',
        'half': 'half = Constant <value_float = 0.25> () a = Exp (x) b = Mul (a, half) y = Add (b, x)',
        'node': 'half = Constant <value_float = 0.5> () a = Exp (x) b = Div (a, half) y = Add (b, x)',
        'last': 'half = Constant <value_float = 0.5> () a = Exp (x) b = Mul (a, half) y = Sub (b, x)',
        'names': 'c = Constant <value_float = 0.25> () d = Exp (x) e = Mul (d, c) y = Add (e, x)',
        'graph': 'half = Constant <value_float = 0.5> () yes = Constant <value_int = 1> () is = Cast <to = 9> (yes) '
                 'y = If (is) <then_branch = g () => (z) { a = Neg (x) z = Mul (a, half) }, '
                 'else_branch = h () => (w) { w = Identity (x) }>',
    }
    for name, nodes in bodies.items():
        with open(f'{name}.onnxtxt', 'w') as f:
            f.write('<domain: "com.me", opset_import: ["" : 18]> Twist (x) => (y) { %s }' % nodes)
    said = {
        'half': "the first inner value that differs: 'half' (Constant): 1 of 1 elements differ, the first at []: 0.25, expected 0.5",
        'node': "the first inner value that differs: 'b' (Div, there Mul): 4 of 4 elements differ, the first at [0]: ",
        'last': 'the first inner value that differs is not known: all inner values of the same name agree',
        'names': 'the first inner value that differs is not known: the two have no inner values of the same name',
        'graph': 'the first inner value that differs is not known: all inner values of the same name agree',
    }
    for name, text in said.items():
        args = ['com.me::Twist', '--body', f'{name}.onnxtxt', '--against', 'base.onnxtxt', '--inputs', 'float[4]']
        has(run(1, *args)[0], f'\n    {text}')
        got = read(1, *args)[0]['cases'][0]['body']
        key, known = ('first_inner_unknown', False) if 'not known' in text else ('first_inner', True)
        want(got.get(key, '').startswith(text.partition(': ')[2]) and ('first_inner' in got) == known, f'{name}: {got}')
    _, text, _ = page_of('com.me::Twist', '--body', 'half.onnxtxt', *args[3:], '--in-double', code=1)
    has(text, "<br />the first inner value that differs: 'half' (Constant)", '<br />in double: not known: node ')
    want('inner' not in run(0, *args[:2], 'base.onnxtxt', *args[3:])[0], 'bodies that agree have none')
    # The kernel has no inner values.
    want('inner' not in run(1, 'Softmax', '--body', WRONG)[0], 'a kernel has no inner values')


def own_cases():
    """Cases that the command line describes, of operators that nobody knows too."""
    args = ['com.me::Twist', '--body', WRONG, '--against', RIGHT, '--inputs', 'float[3,500]',
            '--inputs', ' double[2,2] ', '--attributes', 'axis = 0', '--seed', '3']
    has(run(1, *args)[0], "--inputs 'float[3,500]'", "--attributes 'axis = 0'", 'ocellus check com.me::Twist ')
    document = read(1, *args)[0]
    want(len(document['cases']) >= 4, 'ordinary and special values of both inputs')
    bad = [c for c in document['cases'] if c['body']['outcome'] == 'differs'][0]
    want(read(1, *shlex.split(bad['replay'])[2:])[0]['cases'] == [bad], 'its replay')
    run(0, 'Softmax', '--inputs', 'float16[0,3]', '--attributes', 'axis = 1', '--opset', '13')
    run(0, 'Sigmoid', '--body', 'sigmoid.onnxtxt', '--inputs', 'float[7]')
    run(1, 'Sigmoid', '--body', WRONG, '--inputs', 'float[7]')
    has(run(1, 'Clip', '--body', 'clip.onnxtxt', '--inputs', 'float[7]; = float[] {-1}; = float[] {1}')[0],
        'body fails in 5 cases, first in this one: ')
    run(0, 'Clip', '--body', 'clip.onnxtxt', '--inputs', 'float[7]; ; = float[] {1}')
    has(run(2, 'com.me::Twist', '--body', WRONG, '--inputs', 'float[7]')[1],
        "'com.me::Twist' has no kernel; two bodies")
    has(run(2, 'Sigmoid', '--inputs', 'float[7]')[1], "no function body of an operator 'Sigmoid'")
    has(run(4, 'com.me::Twist', '--body', WRONG, '--against', RIGHT)[1], "no cases for", '--inputs')
    has(run(2, 'Celu', '--inputs', 'float[7]', '--attributes', 'alpha 3')[1],
        "--attributes 'alpha 3': column 7: expected '='")
    has(run(2, 'Celu', '--inputs', 'float[7]', '--attributes', 'alpah = 3.0')[1],
        "--attributes 'alpah = 3.0': column 1: 'alpah' is not an attribute of Celu-28, which has alpha")
    run(1, 'Sigmoid', '--body', WRONG, '--against', RIGHT, '--inputs', 'float[7]', '--attributes', 'axis = 0')
    has(run(4, 'Celu', '--inputs', 'float[7]', '--opset', '11')[1], 'Celu-11 has no ')
    has(run(2, 'Celu', '--inputs', 'string[7]')[1], 'Celu refuses all of --inputs: ')
    has(run(0, 'Celu', '--inputs', 'string[7]', '--inputs', 'float[7]')[0], 'not known; 5 refused')
    # Zeros of different signs are within the bound of cases of one's own.
    run(0, 'Neg', '--body', 'neg.onnxtxt', '--inputs', 'float[7]')
    run(2, 'Relu', '--opset', '13')
    run(2, 'Relu', '--attributes', 'axis = 0')
    run(2, 'Relu', 'Celu', '--inputs', 'float[7]')
    for text, error in {
            'float[7': 'column 6: expected dimensions', 'float7]': "column 1: 'float7]' is not an element type",
            'float': 'column 6: expected dimensions', 'flat[7]': "column 1: 'flat' is not an element type",
            'float[a]': 'column 6: expected dimensions', 'float[,]': 'column 6: expected dimensions',
            'float[7] x': "column 10: expected ';'", 'i float[7]x': "column 1: 'i' is not an element type",
            '= float[2] {1': 'column 12: expected elements', '= float[2]': 'column 11: expected elements',
            '+float[2]': "column 1: '+float' is not", ';' * 8: 'column 9: more than 8 inputs',
            'float[99999999999]': 'column 6: expected dimensions', 'i9999999999 float[2]': 'column 1: expected a bound',
            'float[1,1,1,1,1,1,1]': 'column 6: more than 6 dimensions', '<axis = 1> float[2]': "column 2: 'axis' is not",
            '= float[90] {' + '1,' * 90 + '1}': 'column 13: 91 elements, expected 90'}.items():
        has(run(2, 'Relu', '--inputs', text)[1], f"ocellus: check: --inputs '{text[:200]}", f"': {error}")


class Page(HTMLParser):
    """What a page says, with nothing that it would fetch or run."""
    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.ids, self.links = collections.Counter(), '', set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        for name, value in attrs:
            want(name not in ('src', 'onclick', 'onload'), f'<{tag} {name}={value!r}>')
            if name == 'id':
                self.ids.add(value)
            if name == 'href':
                self.links.add(value)

    def handle_data(self, data):
        self.text += data


def page_of(*args, code):
    out, _ = run(code, *args, '--html', 'page.html')
    with open('page.html', encoding='utf-8') as f:
        text = f.read()
    xml.fromstring(text)
    page = Page(text)
    for tag in ('script', 'link', 'img', 'iframe', 'object'):
        want(page.tags[tag] == 0, f'the page has a <{tag}>')
    for link in page.links:
        want(link[0] == '#' and link[1:] in page.ids, f'a link to {link}')
    want('http' not in text.replace('http://www.w3.org/1999/xhtml', ''), 'the page names no other')
    has(text, 'prefers-color-scheme:dark')
    return page, text, out


def page_that_agrees():
    page, text, out = page_of('Softmax', 'AffineGrid', '--seed', '7', code=0)
    has(out, 'known defect')
    want(page.ids == {'Softmax', 'AffineGrid'}, f'sections {page.ids}')
    has(page.text, 'The first case of each', 'differs, as is known:', 'Agree, but not to the bit: 8 of ',
        'N = 1 in 2-D: Squeeze without axes drops the batch', 'the first element that differs')
    want(page.tags['svg'] >= 10, f'{page.tags["svg"]} pictures')
    want(page.tags['circle'] == 2 * page.tags['svg'], 'each picture has its first difference marked')
    want('class="case bad"' not in text, 'no disagreement is shown')


def pages():
    page, text, out = page_of('Softmax', '--seed', '7', '--body', WRONG, code=1)
    n = read(1, 'Softmax', '--seed', '7', '--body', WRONG)[0]['disagreements']
    want(n > 20 and text.count('class="case bad"') == min(n, 100), f'{n} disagreements, 100 are shown')
    has(page.text, 'Disagreements', WRONG, 'nan, expected')
    replays_of_text = {line.strip() for line in out.split('\n') if line.startswith('    ocellus check')}
    want(len(replays_of_text) == 20 and all(r in page.text for r in replays_of_text),
         'the page has the replays')
    want('<wrong>' not in text and '&lt;wrong&gt; &amp; odd' in text, 'names are escaped')
    for level in range(8):
        has(text, f'class="l{level}"')
    has(text, 'class="lx"')

    page, text, _ = page_of('Celu', '--body', 'shape.onnxtxt', code=1)
    n = read(1, 'Celu', '--body', 'shape.onnxtxt')[0]['disagreements']
    want(n > 100 and text.count('class="case bad"') == 100, f'100 of {n} are shown')
    has(page.text, f'The first 100 disagreements are shown of {n}.')

    has(run(3, 'Celu', '--html', 'no/such/page.html')[1], 'no/such/page.html: ')
    os.mkdir('folder.html')
    run(3, 'Celu', '--html', 'folder.html')
    want(not [name for name in os.listdir('.') if name.startswith('.')], 'no temporary file is left')
    if os.path.exists('/dev/full'):
        has(run(3, 'Celu', '--html', '/dev/full')[1], 'No space left')
    xml.fromstring(run(0, 'Celu', '--html', '-')[0])
    run(2, 'Celu', '--html', '-', '--json')
    has(run(2, 'Celu', '--markdown', '--in-double')[1], '--in-double does not go with --markdown')


def pictures():
    """A body of Relu that is wrong at one element of a matrix, which has to be where the picture shows it."""
    for rows, columns, y, x, shape in ((4, 5, 2, 3, 'down axis 0, across axis 1; 1 of 20 not the same'),
                                       (200, 300, 150, 290, 'a cell is 4 \u00d7 5 elements; 1 of 60000')):
        with open('one.onnxtxt', 'w') as f:
            f.write('<domain: "", opset_import: ["" : 18]> One (X) => (Y) {\n'
                    f'pads = Constant <value_ints: ints = [{y}, {x}, {rows - 1 - y}, {columns - 1 - x}]> ()\n'
                    'big = Constant <value: tensor = float[1,1] {1000}> ()  all = Pad (big, pads)\n'
                    'zero = Constant <value: tensor = float {0}> ()  r = Max (X, zero)  Y = Add (r, all) }')
        page, text, _ = page_of('Relu', '--body', 'one.onnxtxt', '--inputs', f'p float[{rows},{columns}]', code=1)
        want(page.tags['path'] == page.tags['svg'] == text.count('class="case bad"'), 'one colour a picture')
        Y, X = y, x
        y, x = y // -(-rows // 64), x // -(-columns // 64)
        has(text, f'<path class="l7" d="M{x} {y}.5h1">', f'cx="{x}.5" cy="{y}.5"')
        has(page.text, shape, f'the first at [{Y},{X}]')


def bounds():
    """How far the worst element is from what its bound allows, beside the bound itself."""
    def results(document):
        return [(case['bound'], result) for case in document[0]['cases'] for result in case.values()
                if isinstance(result, dict) and 'share_of_bound' in result]
    agree = results(read(0, 'Selu', '--sample', '7'))
    for bound, result in agree:
        want(bound['rtol'] > 0 and bound['atol'] >= 0 and 0 <= result['share_of_bound'] <= 1, f'{bound} {result}')
        if result['max_ulp'] == 0:
            want(result['share_of_bound'] == 0, f'equal bits use nothing of the bound: {result}')
    want(max(result['share_of_bound'] for _, result in agree) > 0.01, 'some case uses some of its bound')
    shares = [result['share_of_bound'] for _, result in results(read(1, 'Softmax', '--body', WRONG)) if result['outcome'] == 'differs']
    want(shares and all(float(share) > 1 for share in shares), f'what differs is past its bound: {shares}')
    has(run(0, 'Selu', '--sample', '7')[0], 'bound', 'worst/bound', '|y|')
    has(run(0, 'Selu', '--sample', '7', '--markdown')[0], 'worst/bound')


def exports():
    """Cases become tests, which any engine can run."""
    _, said = run(0, 'Selu', '--export', 'tests', '--sample', '5')
    n = len(read(0, 'Selu', '--sample', '5')[0]['cases'])
    has(said, f'tests: {n} tests; ')
    names = os.listdir('tests')
    want(len(names) == n and all(name.startswith('test_Selu_') for name in names), f'{names}')
    done = subprocess.run([OCELLUS, 'test', 'tests', '--json'], capture_output=True, text=True)
    tests = json.loads(done.stdout)['tests']
    want(len(tests) == n and all(test['state'] == 'pass' for test in tests), done.stdout[-800:])
    with open(f'tests/{names[0]}/data.json') as f:
        want(set(json.load(f)) == {'case', 'rtol', 'atol'}, 'data.json has the tolerances')
    # An output of another engine, in place of the kernel's, is found out.
    os.replace(f'tests/{names[0]}/test_data_set_0/output_0.pb', 'saved.pb')
    os.symlink(os.path.abspath(f'tests/{names[1]}/test_data_set_0/output_0.pb'), f'tests/{names[0]}/test_data_set_0/output_0.pb')
    want(subprocess.run([OCELLUS, 'test', 'tests', '-q'], capture_output=True).returncode == 1, 'another output fails')
    has(run(2, 'Selu', '--export', 'tests')[1], 'expected a new or empty')
    has(run(2, 'Selu', '--export-bad')[1], 'goes with --export')
    _, said = run(1, 'Softmax', '--body', WRONG, '--export', 'bad', '--export-bad')
    bad = len(os.listdir('bad'))
    want(0 < bad < len(read(1, 'Softmax', '--body', WRONG)[0]['cases']), f'{bad} tests of those that disagree')
    _, said = run(0, 'Selu', '--export', 'none', '--export-bad')
    has(said, 'none: 0 tests')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    BIN = os.path.join(folder, 'bin')
    os.mkdir(BIN)
    os.symlink(OCELLUS, os.path.join(BIN, 'ocellus'))
    with open(WRONG, 'w') as f:
        f.write(WRONG_TEXT)
    with open('shape.onnxtxt', 'w') as f:
        f.write('<domain: "", opset_import: ["" : 18]> C <alpha> (X) => (Y) { Y = Shape (X) }')
    with open('sigmoid.onnxtxt', 'w') as f:
        f.write('<domain: "", opset_import: ["" : 18]> S (X) => (Y) '
                '{ one = Constant <value: tensor = float {1}> ()  n = Neg (X)  e = Exp (n) '
                'd = Add (e, one)  Y = Div (one, d) }')
    with open('neg.onnxtxt', 'w') as f:
        f.write('<domain: "", opset_import: ["" : 18]> N (X) => (Y) '
                '{ zero = Constant <value: tensor = float {0}> ()  Y = Sub (zero, X) }')
    with open('clip.onnxtxt', 'w') as f:
        f.write('<domain: "", opset_import: ["" : 18]> C (X, low, high) => (Y)\n'
                '{\n#if low\nY = Expp (X)\n#else\nY = Min (X, high)\n#end\n}')
    operators()
    if not SAMPLE:
        seeds()
        samples()
        markdown()
        page_that_agrees()
    replays()
    bodies()
    own_cases()
    pages()
    pictures()
    bounds()
    exports()
    names_are_unique(read(0, '--all', '--threads', '1', *SAMPLE))
    os.chdir('/')
print(f'{ran} checks, {failed} failed')
sys.exit(failed > 0)
