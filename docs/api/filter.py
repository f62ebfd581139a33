# SPDX-License-Identifier: Apache-2.0
"""filter.py HEADER - prints a public header as Doxygen wants it, line for line: what its comments say by where they
stand becomes what Doxygen reads.

A comment before a declaration is of it, and of functions that follow it without a blank line or another comment. A
comment behind one, on its line, is of that line. A line of dashes with words begins a group. The first comment is the
main page. A field ctx is the host's. An enumeration that is made from a list X(NAME, ...) is written out, each name with the text in its row."""
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
HEADING = re.compile(r'/\* ---- (.+?) -+(?: \*/|\n)')
LISTED = re.compile(r'#define X\(([^)]*)\) (.+)\n( *)(\w+)\(X\)\n#undef X\n')
SEVERAL = re.compile(r' +((?:const )?\w+) ([\w *]+,[\w *,]+); *')
CONTEXT = re.compile(r'^ +void \*(\w+_)?ctx;')


def escaped(text):
    """Words of a comment that are no commands, entities or tags to Doxygen."""
    return re.sub(r'([\\@<>&#$%])', r'\\\1', text)


def words(comment):
    return '\n'.join(re.sub(r'^ *\*? ?', '', line) for line in comment[2:-2].strip('* \n').split('\n'))


def documentation(mark, text):
    return f'/**{mark}{escaped(text)} */'


def padded(made, text):
    """What stands for the text, with as many ends of lines."""
    return made + '\n' * (text.count('\n') - made.count('\n'))


def listed(source):
    """The header with enumerations that are made from lists written out, each on the list's own line."""
    def written(match):
        parameters, template, indent, name = match.groups()
        rows = re.search(rf'#define {name}\(X\)((?:.*\\\n)*.*)', source).group(1)
        out = ''
        for row in re.findall(r'X\(((?:[^()]|\([^()]*\))*)\)', rows):
            given = dict(zip(parameters.split(', '), re.findall(r'(?:"[^"]*"|[^",])+', row)))
            entry = re.sub(r'(?:##)?\b(\w+)\b', lambda m: given.get(m.group(1), m.group()).strip(), template)
            out += f'{entry} /* {given["text"].strip().strip(chr(34))} */ '
        return f'\n{indent}{out}\n\n'
    return LISTED.sub(written, source)


class Writer:
    """Goes through a header once; out has what is written so far."""

    def __init__(self, name, source):
        self.name, self.source, self.out = name, source, ''
        self.inside = False  # a group
        self.shared = None  # the words that the functions at hand have in common

    def head(self, text):
        """The first comment, without the line of the licence; that of ocellus.h is the main page."""
        made = f'/** \\file\n{escaped(words(text).split(chr(10), 2)[2])} */'
        if self.name == 'ocellus.h':
            made = made.replace('\\file', '\\mainpage Ocellus', 1) + ' /** \\file */'
        return padded(made, text)

    def heading(self, title, rest):
        end, self.inside = '/** \\} */ ' if self.inside else '', True
        name = re.sub(r'\W+', '_', f'{self.name} {title}')
        title = title.replace(',', '\\,')
        return f'{end}/** \\group{{{name},{title[0].upper()}{title[1:]}}} {escaped(rest)} \\{{ */'

    def comment(self, text):
        if not self.out:
            return self.head(text)
        heading = HEADING.match(text)
        if heading:
            return padded(self.heading(heading.group(1), words('/*' + text[heading.end():]) if '\n' in text else ''), text)
        before, line = self.out[:self.out.rfind('\n') + 1], self.out[self.out.rfind('\n') + 1:]
        several = SEVERAL.fullmatch(line)
        if several:  # Doxygen takes what is behind them for the last one's alone
            self.out, said = before, documentation('< ', words(text).replace('\n', ' '))
            return padded(' '.join(f'{several.group(1)} {name}; {said}' for name in several.group(2).split(',')), text)
        if line.strip():  # behind a declaration, on its line
            return padded(documentation('< ', words(text)), text)
        self.shared = words(text)
        return padded(documentation(' ', self.shared), text)

    def code(self, text):
        """Code without comments: functions that follow the one with a comment say the same."""
        made, first = '', self.shared is not None
        for n, line in enumerate(text.splitlines(keepends=True)):
            if not line.strip() and n:
                self.shared = None
            starts = re.match(r'(OC_API|static inline) ', line)
            if starts and self.shared and not first:
                line = documentation(' ', self.shared.replace('\n', ' ')) + ' ' + line
            if starts:
                first = False
            made += CONTEXT.sub(r'\g<0> /**< of the host, handed to its calls */', line)
        return made

    def write(self):
        place = 0
        for match in COMMENT.finditer(self.source):
            self.out += self.code(self.source[place:match.start()])
            self.out += self.comment(match.group())
            place = match.end()
        self.out += self.code(self.source[place:])
        if self.inside:
            body, end = self.out.rsplit('\n}', 1)  # of what the whole header is in
            self.out = f'{body}\n/** \\}} */ }}{end}'
        return self.out


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        source = f.read()
    sys.stdout.write(Writer(re.split(r'[/\\]', sys.argv[1])[-1], listed(source)).write())


if __name__ == '__main__':
    main()
