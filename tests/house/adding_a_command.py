# SPDX-License-Identifier: Apache-2.0
"""adding_a_command.py - docs/adding-a-command.md, followed to the letter in a copy of the tree, ends with a
command that does what the page's test asks of it."""
import re

import recipe
import tree

PAGE = tree.read('docs/adding-a-command.md')
SCRIPT = 'tests/tools/command.sh'
NAMES = 'tools/commands/commands.h'


def added(path):
    """What the page adds to a file."""
    return re.search(rf'^<!-- adds to {re.escape(path)} -->\n```\n(.*?)^```', PAGE, re.M | re.S).group(1)


with recipe.Copy() as copy:
    for path, text in recipe.files(PAGE):
        copy.write(path, text)
    word = re.search(r"^\*\*2\. The word\*\*: `'([\w./]+)'`", PAGE, re.M).group(1)
    copy.insert('tools/meson.build', r"^ +'([\w./]+)',", word, f"    '{word}',\n")
    copy.insert(NAMES, r'^ +(X)\(run,', '', added(NAMES))
    # The models that the script makes, and the page's lines alone: the others need all operators.
    models = tree.read(SCRIPT).split('\n# ---- ')[0].replace('$(dirname "$0")', copy.path('tests/tools'))
    script = copy.write('count.sh', f'{models}\n{added(SCRIPT)}ends\n')
    copy.setup('-Dops=concat', '-Dtests=disabled')
    copy.ninja('tools/ocellus')
    print(recipe.run('sh', script, copy.built('tools/ocellus')))
tree.end(len(recipe.files(PAGE)), 'files made')
