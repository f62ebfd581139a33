# SPDX-License-Identifier: Apache-2.0
"""manual.py OCELLUS MANUAL.PY - pages of the manual that troff takes without a warning, and completions that complete."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import check, finish

ocellus, script = (os.path.abspath(path) for path in sys.argv[1:])


def run(*words, **how):
    return subprocess.run(words, capture_output=True, text=True, **how)


def table(*words):
    return json.loads(run(ocellus, *words, '--help', '--json').stdout)


def tables_are_the_help(commands):
    for name in commands:
        document, text = table(name), run(ocellus, name, '--help').stdout
        check(document['command'] == name and document['usage'] in text, name, 'has another usage')
        listed = [line.split()[1] if line.split()[0].endswith(',') else line.split()[0] for line in text.splitlines()
                  if line.lstrip().startswith('-') and line.startswith('  ')]
        listed = [word.split('[')[0] for word in listed]
        check([o['name'] for o in document['options']] == listed, name, listed)
    fill = next(o for o in table('run')['options'] if o['name'] == '--fill')
    check(fill['choices'][-2:] == ['random', 'zeros'] or set(fill['choices']) >= {'random', 'zeros'}, fill)


def pages(commands, man):
    check(sorted(os.listdir(man)) == sorted(['ocellus.1', *(f'ocellus-{name}.1' for name in commands)]), os.listdir(man))
    if not shutil.which('groff'):
        print('skipped: groff is not installed')
        return
    for name in os.listdir(man):
        done = run('groff', '-man', '-ww', '-Tutf8', '-P-cbou', f'{man}/{name}')
        check(done.returncode == 0 and not done.stderr, name, done.stderr)
        if name != 'ocellus.1':
            shown = ' '.join(done.stdout.split())
            for o in table(name[8:-2])['options']:
                check(o['name'] in shown, name, 'does not show', o['name'])
    shown = run('groff', '-man', '-Tascii', '-P-cbou', f'{man}/ocellus-run.1').stdout
    check("-i, --input [NAME=]FILE" in shown and '.npz or a folder of input_N.pb' in shown, shown[:1500])


def bash(share):
    def completed(*words):
        program = f'source {share}/bash-completion/completions/ocellus; COMP_WORDS=({" ".join(words)}); ' \
                  f'COMP_CWORD={len(words) - 1}; _ocellus; printf "%s " "${{COMPREPLY[@]}}"'
        done = run('bash', '-c', program)
        check(done.returncode == 0 and not done.stderr, words, done.stderr)
        return done.stdout.split()
    check(completed('ocellus', 'ma') == ['map'], completed('ocellus', 'ma'))
    check(completed('ocellus', 'run', '--image-la') == ['--image-layout'], 'an option')
    check('nhwc' in completed('ocellus', 'run', '--image-layout', 'nh'), 'a choice')
    check(completed('ocellus', 'run', 'bash-comp') == ['bash-completion'], 'a file')


def other_shells(share):
    for shell, path in (('zsh', 'zsh/site-functions/_ocellus'), ('fish', 'fish/vendor_completions.d/ocellus.fish')):
        if not shutil.which(shell):
            print(f'skipped: {shell} is not installed')
            continue
        done = run(shell, '-n', f'{share}/{path}')
        check(done.returncode == 0 and not done.stderr, shell, done.stderr)
    if shutil.which('fish'):
        done = run('fish', '-c', f'source {share}/fish/vendor_completions.d/ocellus.fish; complete -C "ocellus run --image-la"')
        check(done.stdout.startswith('--image-layout'), done.stdout, done.stderr)


with tempfile.TemporaryDirectory() as folder:
    done = run(sys.executable, '-B', script, ocellus, '1.2.3', 'man', 'share', cwd=folder)
    check(done.returncode == 0, done.stderr)
    os.chdir(pathlib.Path(folder) / 'share')
    names = [c['name'] for c in table()['commands']]
    check(len(names) >= 9 and 'map' in names, names)
    tables_are_the_help(names)
    pages(names, f'{folder}/man/man1')
    bash(f'{folder}/share')
    other_shells(f'{folder}/share')
    os.chdir('/')
finish()
