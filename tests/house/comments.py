# SPDX-License-Identifier: Apache-2.0
"""comments.py - a comment is understood without the line above it, and cites only files that are there.

No sentence of a comment in C begins by pointing back, with "The same", "Likewise" or "So too", and none has the words
"so many", "likewise", "it is so", or "of which" unless a word such as "one" or "each" stands before it. A C file that
a comment names is in the tree, or is a header that some file includes; NAME stands for any name."""
import os
import re

import tree

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
BACK = re.compile(r'(?:The same|Likewise|So too)\b')
# Built from pieces, so that this file does not match itself.
WORDS = re.compile(r'\b(?:so ' + r'many|like' + r'wise|it is ' + r'so)\b(?! that\b)', re.I)
OF_WHICH = re.compile(r'(\w*)[^\w]*\bof ' + r'which\b')
CHOSEN = {'one', 'two', 'each', 'none', 'neither', 'any', 'all', 'both', 'some', 'most', 'first', 'second', 'last'}
FILE = re.compile(r'[\w./-]*\w\.(?:c|h|inc|def)\b(?!\w)')
INCLUDED = re.compile(r'^\s*#\s*include\s*<([^>]+)>', re.M)

sources = list(tree.files('*.c', '*.h', '*.inc', '*.def'))
texts = {path: tree.read(path) for path in sources}
there = {'/' + path for path in sources}
there |= {'/' + header for text in texts.values() for header in INCLUDED.findall(text)}


def plain(comment):
    """The comment's text in one line, without the marks around it."""
    body = re.sub(r'\n\s*\*? ?', ' ', comment.strip('/* \n'))
    return re.sub(r'\s+', ' ', body)


def check(path, line, text):
    for sentence in re.split(r'(?<=[.:;!?]) ', text):
        if BACK.match(sentence):
            tree.finding(path, line, f'"{sentence[:20]}" points back: say what it is')
    for words in WORDS.findall(text):
        tree.finding(path, line, f'"{words}": name the noun')
    for word in OF_WHICH.findall(text):
        if word.lower() not in CHOSEN:
            tree.finding(path, line, f'"{word} of ' 'which": name the noun')
    for name in FILE.findall(text):
        if not os.path.basename(name).startswith('NAME') and not any(p.endswith('/' + name.lstrip('/')) for p in there):
            tree.finding(path, line, f'there is no file {name}')


checked = 0
for path, text in texts.items():
    for m in TOKEN.finditer(text):
        if m[0].startswith('/'):
            checked += 1
            check(path, text.count('\n', 0, m.start()) + 1, plain(m[0]))
tree.end(checked, 'comments')
