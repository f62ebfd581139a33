# SPDX-License-Identifier: Apache-2.0
"""adding.py ROOT [command] - docs/adding-an-op.md, docs/adding-a-function-body.md and docs/adding-a-command.md, followed to the
letter one after the other in a copy of the tree. The operator's case passes; its body agrees with its kernel, and serves where
that is not built; the command does what its page's test asks of it. Without the word, a build without the command, only the
page of operators is followed."""
import re
import subprocess
import sys

import recipe
import tree

KERNEL = tree.read('docs/adding-an-op.md')
WORD = recipe.word(KERNEL)
BODY = tree.read('docs/adding-a-function-body.md')
CASES = re.search(r"^\*\*4\. The cases\*\*.* with `'([\w.]+)'` beside the word of step 2", BODY, re.M).group(1)
OP = CASES.split('.')[0]
MODEL = f'<ir_version: 8, opset_import: ["" : 13]> g (float[3] x) => (float[3] y) {{ y = {OP} (x) }}\n'
# ONNX Runtime's GridSample, whose body calls ONNX's, which a small build has not.
CIRCLE = ('<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]> '
          'g (float[1,1,2,2] x, float[1,2,2,2] grid) => (float[1,1,2,2] y) { y = com.microsoft.GridSample (x, grid) }\n')
NEEDS = 'constant,cast,binary,concat'  # files of the operators that the body and the models of the command's test call
COMMAND = tree.read('docs/adding-a-command.md')
SCRIPT = 'tests/tools/command.sh'
NAMES = 'tools/commands/commands.h'
pages = [KERNEL]


def expect(text, part, page):
    if part not in text:
        tree.finding(page, 1, f"'{part}' expected in:\n{text}")


def added(path):
    """What the page of commands adds to a file."""
    return re.search(rf'^<!-- adds to {re.escape(path)} -->\n```\n(.*?)^```', COMMAND, re.M | re.S).group(1)


def write_body(copy):
    pages.append(BODY)
    copy.follow(BODY, 'functions/meson.build')
    copy.add_word('functions/meson.build', CASES)


def write_command(copy):
    pages.append(COMMAND)
    for path, text in recipe.files(COMMAND):
        copy.write(path, text)
    word = re.search(r"^\*\*2\. The word\*\*: `'([\w./]+)'`", COMMAND, re.M).group(1)
    copy.insert('tools/meson.build', r"^ +'([\w./]+)',", word, f"    '{word}',\n")
    copy.insert(NAMES, r'^ +(X)\(run,', '', added(NAMES))


def try_case(copy):
    copy.ninja('tests/cases/run_cases')
    said = recipe.run(copy.built('tests/cases/run_cases'), copy.path(f'tests/cases/{WORD}'))
    expect(said, ' passed, 0 failed', 'docs/adding-an-op.md')


def try_body(copy):
    """The operator with its kernel, and without."""
    model = copy.write('model.onnxtxt', MODEL)
    ocellus = copy.built('tools/ocellus')
    page = 'docs/adding-a-function-body.md'
    expect(recipe.run(ocellus, 'inspect', model), 'native', page)
    expect(recipe.run(ocellus, 'check', OP), ' 0 disagreements', page)
    # Operators whose bodies this build cannot run have no cases in it.
    expect(recipe.run(ocellus, 'check', '--all'), ' 0 disagreements', 'functions/embed.py')
    expect(recipe.run(ocellus, 'expand', model, '-o', '-'), 'Mul (', page)

    recipe.run('meson', 'configure', copy.build, f'-Dops={NEEDS}')
    copy.ninja('tools/ocellus')
    expect(recipe.run(ocellus, 'inspect', model), 'body', page)
    refused = subprocess.run([ocellus, 'inspect', copy.write('circle.onnxtxt', CIRCLE)], text=True, capture_output=True)
    expect(refused.stderr, '1 operator is not supported', 'functions/embed.py')
    recipe.run(ocellus, 'check', model, '--fill', 'random')
    try_case(copy)


def try_command(copy):
    # The models that the script makes, and the page's lines alone: the others need all operators.
    models = tree.read(SCRIPT).split('\n# ---- ')[0].replace('$(dirname "$0")', copy.path('tests/tools'))
    script = copy.write('count.sh', f'{models}\n{added(SCRIPT)}ends\n')
    print(recipe.run('sh', script, copy.built('tools/ocellus')))


with recipe.Copy() as copy:
    copy.follow(KERNEL, 'src/ops/meson.build')
    if 'command' in sys.argv[2:]:
        write_body(copy)
        write_command(copy)
        copy.setup(f'-Dops={WORD},{NEEDS}', '-Dtools=enabled')
        copy.ninja('tools/ocellus')
    else:
        copy.setup(f'-Dops={WORD}', '-Dtools=disabled')
    try_case(copy)
    print(recipe.run('meson', 'test', '-C', copy.build, '--no-rebuild', '--print-errorlogs', WORD))
    if COMMAND in pages:
        try_command(copy)
        try_body(copy)
tree.end(sum(len(recipe.files(page)) for page in pages), 'files made')
