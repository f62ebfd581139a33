# SPDX-License-Identifier: Apache-2.0
"""op_names.py OCELLUS FILES_OF FILE... -- CC... - ONNX's name of every operator leads -Dops to the file that has it, and the
line of `inspect --build` has the names of a model's kernels."""
import json
import os
import subprocess
import sys
import tempfile

from checks import check, finish

ocellus, files_of, *rest = sys.argv[1:]
MODEL = '''<ir_version: 8, opset_import: ["" : 20, "me" : 1]>
g (float[N] x) => (float[N] y, float[N] z) {
  a = me.twice (x)
  y = HardSwish (a)
  z = If (c) <then_branch = t () => (u) { u = Neg (x) }, else_branch = s () => (v) { v = Abs (x) }>
}
<domain: "me", opset_import: ["" : 20]> twice (x) => (y) { y = Add (x, x) }'''.replace('g (float[N] x)', 'g (float[N] x, bool c)')


def run(*words):
    done = subprocess.run(words, text=True, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def resolve(names):
    return run(sys.executable, files_of, names, *rest)


def stem(path):
    return '/'.join(path.split('/')[-2:])[:-2]


def all_operators():
    files = {stem(path) for path in rest[:rest.index('--')]}
    names = {row['operator'] for row in json.loads(run(ocellus, 'ops', '--json')[1])['operators']}
    code, found, said = resolve(','.join(sorted(names)))
    check(code == 0, said)
    check(set(found.strip().split(',')) == files, 'all operators are in all files, not in', files ^ set(found.strip().split(',')))


def some():
    names = 'Relu,Conv,vision,ai.onnx.ml::SVMClassifier,Concat,concat,Attention,attention'
    wanted = 'math/unary,nn/conv,vision,ml/svm_classifier,tensor/concat,concat,attention/attention,attention'
    code, found, said = resolve(names)
    check(code == 0 and found.strip() == wanted, names, found, said, 'expected', wanted)
    code, _, said = resolve('Conv,GridSampel')
    check(code != 0 and "'GridSampel' is no operator, family or file" in said and 'did you mean GridSample?' in said, said)


def lines():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'm.onnxtxt')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(MODEL)
        code, found, said = run(ocellus, 'inspect', path, path, '--build')
        check((code, found) == (0, 'meson setup build -Dops=Abs,Add,HardSwish,If,Neg\n'), found, said)
        check(json.loads(run(ocellus, 'inspect', path, '--build', '--json')[1]) == {'ops': ['Abs', 'Add', 'HardSwish', 'If', 'Neg']}, 'JSON')
        with open(path, 'a', encoding='utf-8') as f:
            f.write('\n')
        code, _, said = run(ocellus, 'inspect', path, path)
        check(code == 2 and 'only --build takes more than one' in said, said)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(MODEL.replace('HardSwish', 'HardWish'))
        code, found, said = run(ocellus, 'inspect', path, '--build')
        check(code == 4 and "operator 'HardWish' is not supported" in said and 'Abs,Add,If,Neg' in found, code, found, said)


all_operators()
some()
lines()
finish()
