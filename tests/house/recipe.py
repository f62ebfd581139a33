# SPDX-License-Identifier: Apache-2.0
"""recipe.py - what the tests share that build and run something: commands, and pages of docs that are followed to the
letter in a copy of the tree."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree


def files(page):
    """[path, text] of each file that the page makes."""
    return re.findall(r'^<!-- makes (\S+) -->\n```\w*\n(.*?)^```', page, re.M | re.S)


def lines(page):
    """[path, mark, text] of all that the page adds to files, each after the line that has the mark."""
    return re.findall(r'^<!-- adds to (\S+) after "(.*?)" -->\n```\w*\n(.*?)^```', page, re.M | re.S)


def word(page):
    """What the page adds to a list."""
    return re.search(r"^\*\*2\. The word\*\*: `'([\w.]+)'`", page, re.M).group(1)


def family(page):
    """The list, where a file has several; None: it has one."""
    found = re.search(r"^\*\*2\. The word\*\*: `'[\w.]+'` in the list `(\w+)`", page, re.M)
    return found and found.group(1)


def run(*command, **more):
    """Its output; the test ends where it fails. more is of subprocess.run."""
    result = subprocess.run(command, text=True, capture_output=True, **more)
    if result.returncode:
        print(' '.join(command), result.stdout, result.stderr, sep='\n')
        sys.exit(1)
    return result.stdout


def compiler():
    """An environment for run in which Meson compiles by ccache, where it is. A copy of the tree differs in few files, so paths
    within the copy are told to ccache as they are from the build folder."""
    command = os.environ.get('CC', 'cc')
    if shutil.which('ccache') and not command.startswith('ccache '):
        command = f'ccache {command}'
    return {**os.environ, 'CC': command, 'CCACHE_NOHASHDIR': '1', 'CCACHE_BASEDIR': tempfile.gettempdir()}


class Copy:
    """The tree in a folder that is gone after the with block."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = os.path.join(self.folder.name, 'ocellus')
        self.build = os.path.join(self.root, 'build')  # there, as seen from it, sources are where ccache knows them
        for path in tree.files('*'):
            os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
            shutil.copy(os.path.join(tree.ROOT, path), self.path(path))
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def path(self, path):
        return os.path.join(self.root, path)

    def write(self, path, text):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), 'w', encoding='utf-8') as f:
            f.write(text)
        return self.path(path)

    def insert(self, path, item, key, text, after=''):
        """Puts the text where its key belongs in a sorted list, which begins behind `after`; item finds
        the key of an entry."""
        with open(self.path(path), encoding='utf-8') as f:
            old = f.read()
        start = old.index(after)
        at = next(start + m.start() for m in re.finditer(item, old[start:], re.M) if m.group(1) > key)
        self.write(path, old[:at] + text + old[at:])

    def insert_after(self, path, mark, text):
        """After the line that has the mark."""
        with open(self.path(path), encoding='utf-8') as f:
            old = f.read().splitlines(keepends=True)
        at = [n for n, line in enumerate(old) if mark in line]
        if len(at) != 1:
            tree.finding(path, 1, f'"{mark}" is in {len(at)} lines')
        self.write(path, ''.join(old[:at[0] + 1] + [text] + old[at[0] + 1:]))

    def make(self, page):
        """Makes the page's files and adds its lines to others."""
        for path, text in files(page):
            self.write(path, text)
        for path, mark, text in lines(page):
            self.insert_after(path, mark, text)

    def follow(self, page, words):
        """The same, and adds the page's word to a list."""
        self.make(page)
        self.add_word(words, word(page), family(page))

    def add_word(self, words, word, family=None):
        """Adds a word to the list of a file, or to the list of a family in it."""
        entry = r"^ +'([\w.]+)',"
        if family:
            self.insert(words, entry, word, f"    '{word}',\n", f"'{family}': [")
        else:
            self.insert(words, entry, word, f"  '{word}',\n")

    def setup(self, *options):
        """A build for people, quickly made: without the variants of kernels."""
        run('meson', 'setup', self.build, self.root, '--buildtype=debug', '-Dwerror=true', '-Dsimd=false', *options,
            env=compiler())

    def ninja(self, *targets):
        run('ninja', '-C', self.build, *targets, env=compiler())

    def built(self, path):
        return os.path.join(self.build, path)
