# SPDX-License-Identifier: Apache-2.0
"""manual.py OCELLUS VERSION MAN SHARE - writes the manual's pages (ocellus.1, ocellus-run.1 ...) into MAN/man1, and the
completions of bash, zsh and fish into their folders below SHARE, from the tables of options that the command itself
prints by --help --json.

Relative folders are below the one that Meson installs into."""
import json
import os
import subprocess
import sys

ocellus, version, *folders = sys.argv[1:]
man, share = (os.path.join(os.environ.get('MESON_INSTALL_DESTDIR_PREFIX', ''), folder) for folder in folders)
CODES = [(0, 'ok'), (1, 'results differ from the expected ones, or a test failed'), (2, 'the command line is wrong'),
         (3, 'a model or a data file is invalid, or cannot be read or written'),
         (4, 'an operator, a version or a type is not supported'), (5, 'a limit was hit'), (130, 'it was interrupted')]


def table(*words):
    return json.loads(subprocess.run([ocellus, *words, '--help', '--json'], check=True, capture_output=True, text=True).stdout)


def is_path(option):
    """Does the option's value name a file or a folder?"""
    return any(word in (option['value'] or '') for word in ('FILE', 'PATH', 'DIR'))


# ---- pages of the manual ----

def roff(text):
    """A text that troff shows as it is."""
    text = text.replace('\\', '\\e').replace('-', '\\-').replace("'", '\\(aq').replace('`', '\\(ga').replace('^', '\\(ha').replace('~', '\\(ti')
    return '\\&' + text if text.startswith('.') else text


def heading(name):
    return f'.TH {name.upper()} 1 "" "ocellus {version}" "Ocellus"\n.SH NAME\n'


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
        f.write(text)


def option_entry(o):
    names = ([o['letter']] if o['letter'] else []) + [o['name']]
    value = o['value'] or ''
    shown = ', '.join(f'\\fB{roff(name)}\\fR' for name in names)
    attached = '' if value.startswith('[=') or not value else ' '
    shown += f'{attached}\\fI{roff(value)}\\fR' if value else ''
    return f'.TP\n{shown}\n{roff(o["help"])}\n'


def exit_codes():
    return '.SH EXIT STATUS\n' + ''.join(f'.TP\n.B {code}\n{roff(text)}\n' for code, text in CODES)


def command_page(c, text):
    page = heading(f'ocellus-{c["command"]}') + f'ocellus\\-{c["command"]} \\- {roff(text)}\n'
    page += f'.SH SYNOPSIS\n.B ocellus {c["command"]}\n{roff(c["usage"])}\n.SH DESCRIPTION\n{roff(c["about"])}\n.SH OPTIONS\n'
    page += ''.join(map(option_entry, c['options'])) + exit_codes()
    if c['examples']:
        page += '.SH EXAMPLES\n.nf\n' + ''.join(roff(line) + '\n' for line in c['examples']) + '.fi\n'
    return page + '.SH SEE ALSO\n.BR ocellus (1)\n'


def main_page(commands):
    page = heading('ocellus') + 'ocellus \\- run, inspect and check ONNX models\n'
    page += '.SH SYNOPSIS\n.B ocellus\n.I COMMAND\n\\&...\n.SH DESCRIPTION\nEach command has a page of its own.\n.SH COMMANDS\n'
    for c in commands:
        page += f'.TP\n.BR ocellus\\-{c["name"]} (1)\n{roff(c["text"])}\n'
    page += '.SH OPTIONS\n.TP\n.B \\-\\-help\nlist the commands\n.TP\n.B \\-\\-version\ntell the version\n' + exit_codes()
    page += '.SH ENVIRONMENT\n.TP\n.B OCELLUS_CPU\nthe best instruction set that may be used: scalar, v128, avx2, avx512, neon or native\n'
    return page


# ---- completions ----

BASH = '''# Completions of ocellus for bash, made from its tables of options.
_ocellus()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "%(commands)s --help --version --licence" -- "$word"))
        return
    fi
    case $command:$before in
%(choices)s    esac
    case $command:$word in
%(options)s    esac
    COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _ocellus ocellus
'''


def bash(commands, tables):
    choices = options = ''
    for c in tables:
        names = ' '.join(o['name'] for o in c['options'])
        options += f'    {c["command"]}:-*) COMPREPLY=($(compgen -W "{names}" -- "$word")); return ;;\n'
        for o in c['options']:
            if o['choices']:
                words = ' '.join(o['choices'])
                choices += f'    {c["command"]}:{o["name"]}) COMPREPLY=($(compgen -W "{words}" -- "$word")); return ;;\n'
    return BASH % {'commands': ' '.join(c['name'] for c in commands), 'choices': choices, 'options': options}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_option(o):
    help_text = o['help'].replace('[', '(').replace(']', ')').replace(':', ' -')
    value = ''
    if o['value']:
        action = f'({" ".join(o["choices"])})' if o['choices'] else '_files' if is_path(o) else ' '
        value = f':{o["value"].replace(":", " ").replace("[", "(").replace("]", ")")}:{action}'
    names = [o['name']] + ([o['letter']] if o['letter'] else [])
    return ' '.join(quoted(f'*{name}[{help_text}]{value}') for name in names)


def zsh(commands, tables):
    text = '#compdef ocellus\n# Completions of ocellus for zsh, made from its tables of options.\n_ocellus() {\n    local -a commands\n    commands=(\n'
    text += ''.join(f'        {quoted(c["name"] + ":" + c["text"])}\n' for c in commands)
    text += "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
    text += '    local command=${words[2]}\n    shift words\n    (( CURRENT-- ))\n    case $command in\n'
    for c in tables:
        text += f'    {c["command"]})\n        _arguments -S \\\n'
        text += ''.join(f'            {zsh_option(o)} \\\n' for o in c['options']) + "            '*:file:_files'\n        ;;\n"
    return text + '    esac\n}\n_ocellus "$@"\n'


def fish(commands, tables):
    text = '# Completions of ocellus for fish, made from its tables of options.\n'
    for c in commands:
        text += f"complete -c ocellus -n __fish_use_subcommand -f -a {c['name']} -d {quoted(c['text'])}\n"
    for c in tables:
        for o in c['options']:
            line = f"complete -c ocellus -n '__fish_seen_subcommand_from {c['command']}' -l {o['name'][2:]}"
            line += f" -s {o['letter'][1]}" if o['letter'] else ''
            line += f" -x -a {quoted(' '.join(o['choices']))}" if o['choices'] else ' -r' if o['value'] and not o['value'].startswith('[=') else ''
            text += f'{line} -d {quoted(o["help"])}\n'
    return text


def main():
    commands = table()['commands']
    tables = [table(c['name']) for c in commands]
    write(f'{man}/man1', 'ocellus.1', main_page(commands))
    for c, t in zip(commands, tables):
        write(f'{man}/man1', f'ocellus-{c["name"]}.1', command_page(t, c['text']))
    for folder, name, make in (('bash-completion/completions', 'ocellus', bash), ('zsh/site-functions', '_ocellus', zsh),
                               ('fish/vendor_completions.d', 'ocellus.fish', fish)):
        write(f'{share}/{folder}', name, make(commands, tables))


main()
