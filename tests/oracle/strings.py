#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strings.py - text cases of the operators on strings, by Python's str and re, and n-grams counted
one by one.

    python3 tests/oracle/strings.py

writes tests/cases/string_concat, string_split, string_normalizer, regex_full_match and
tfidf_vectorizer."""
import itertools
import re
import unicodedata

import numpy as np

from elements import fails, header, ints
from text_case import File, literal, quoted

BY = "By tests/oracle/strings.py."


def words(shape, *values):
    return "string", np.array(values, object).reshape(shape)


def two(f, title, opset, node, inputs, outputs):
    """A case with the outputs Y and Z."""
    ports = ", ".join(File.port(*v, n) for n, v in inputs.items())
    results = ", ".join(File.port(*v, n) for n, v in outputs.items())
    lines = [header(opset), f"g ({ports}) => ({results}) {{ {', '.join(outputs)} = {node} }}"]
    lines += [f"--- {n} = {literal(*v)}" for n, v in [*inputs.items(), *outputs.items()]]
    f.cases.append((title, lines))


def concat_file():
    with File("string_concat/values.onnxtxt", BY) as f:
        node = "StringConcat (A, B)"
        for a, b in (((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)), ((), (2,)), ((), ()), ((0,), (1,)),
                     ((2, 2), (2, 2))):
            x = np.array([f"a{i}" * (i % 3) for i in range(int(np.prod(a)))], object).reshape(a)
            y = np.array([f"\u00e9{i} " for i in range(int(np.prod(b)))], object).reshape(b)
            f.add(f"{list(a)} with {list(b)}", 20, node, {"A": ("string", x), "B": ("string", y)},
                  ("string", np.asarray(x + y, object)))
        fails(f, "dims that do not broadcast", 20, node,
              {"A": words([2], "a", "b"), "B": words([3], "a", "b", "c")}, "SHAPE",
              "input 1 is [3], which does not broadcast with [2]",
              "string[n] Y")
        fails(f, "numbers", 20, node, {"A": words([1], "a"), "B": ("int64", ints([1]))}, "TYPE",
              "int64", "string[n] Y")


SPACE = " \t\n\v\f\r"


def parts(text, delimiter, most):
    if delimiter:
        return text.split(delimiter, most)
    text = text.strip(SPACE)
    found = []
    while text:
        if most >= 0 and len(found) == most:
            return found + [text]
        part = re.split(f"[{SPACE}]", text, maxsplit=1)[0]
        found.append(part)
        text = text[len(part):].lstrip(SPACE)
    return found


def split_file():
    with File("string_split/values.onnxtxt", BY) as f:
        def case(title, x, delimiter=None, most=None):
            attributes = [f"delimiter = {quoted(delimiter)}"] if delimiter is not None else []
            attributes += [f"maxsplit = {most}"] if most is not None else []
            node = f"StringSplit {'<' + ', '.join(attributes) + '> ' if attributes else ''}(X)"
            each = [parts(t, delimiter, -1 if most is None or most < 0 else most)
                    for t in x[1].ravel()]
            width = max(map(len, each), default=0)
            y = np.array([p + [""] * (width - len(p)) for p in each], object)
            two(f, title, 20, node, {"X": x},
                {"Y": ("string", y.reshape(*x[1].shape, width)),
                 "Z": ("int64", ints([len(p) for p in each], x[1].shape))})

        some = words([2, 2], "a b  c ", "", "  ", " \t one\n\vtwo\f\rthree")
        for most in (None, -1, 0, 1, 2, 5, (1 << 63) - 1, -(1 << 63)):
            case(f"white space, maxsplit {most}", some, None, most)
            case(f"delimiter -, maxsplit {most}", words([4], "a-b--c-", "", "-", "no"), "-", most)
        case("an empty delimiter is white space", some, "")
        case("a delimiter of two characters", words([5], "a, b,c, ", ",", ", , ", "x,, y", ",,,"), ", ")
        case("delimiters that overlap themselves", words([3], "aaaa", "aaa", "baab"), "aa")
        case("a delimiter beyond ASCII", words([2], "\u00e9\u00fc\u00e9", "\u00e8"), "\u00e9")
        case("a delimiter longer than the text", words([2], "ab", "abc"), "abcd")
        case("no-break space is no white space", words([1], "a\u00a0b\u2003c"))
        case("a scalar", words([], "a b c"))
        case("no text", words([0, 3]))
        case("no text but a delimiter", words([0]), ",")
        case("only white space", words([2], " ", ""))
        fails(f, "numbers", 20, "StringSplit (X)", {"X": ("int64", ints([1]))}, "TYPE", "int64",
              "string[a,b] Y, int64[a] Z")
        title, lines = f.cases[-1]
        f.cases[-1] = title, [line.replace("{ Y =", "{ Y, Z =") for line in lines]


def one_case(char, action):
    """Unicode's simple mapping of a character."""
    full = {"LOWER": str.lower, "UPPER": str.upper}[action](char)
    if len(full) == 1:
        return full
    if action == "UPPER" and len(char.title()) == 1:
        return char.title()
    return "i" if char == "\u0130" and action == "LOWER" else char


def in_case(text, action):
    return text if action == "NONE" else "".join(one_case(c, action) for c in text)


def normalizer_file():
    with File("string_normalizer/values.onnxtxt", BY) as f:
        def case(title, x, stop=(), sensitive=None, action=None):
            fold = (lambda t: t) if sensitive else (lambda t: in_case(t, "LOWER"))
            kept = [in_case(t, action or "NONE") for t in x[1].ravel()
                    if fold(t) not in set(map(fold, stop))] or [""]
            attributes = [f'case_change_action = "{action}"'] if action else []
            attributes += [f"is_case_sensitive = {sensitive}"] if sensitive is not None else []
            attributes += [f"stopwords = [{', '.join(map(quoted, stop))}]"] if stop else []
            node = f"StringNormalizer {'<' + ', '.join(attributes) + '> ' if attributes else ''}(X)"
            shape = (1, len(kept)) if x[1].ndim == 2 else (len(kept),)
            f.add(title, 10, node, {"X": x}, words(shape, *kept))

        days = ["Monday", "tuesday", "", "Wednesday", "\u00c9t\u00e9", "MONDAY", "monday"]
        for action, sensitive in itertools.product((None, "NONE", "LOWER", "UPPER"), (None, 0, 1)):
            for stop in ((), ("monday",), ("\u00e9T\u00e9", "Wednesday", "none")):
                case(f"{action}, {sensitive}, {', '.join(stop) or 'no stop word'}", words([7], *days), stop, sensitive,
                     action)
        case("[1,C]", words([1, 7], *days), ("monday",), 1, "UPPER")
        case("all are dropped", words([2], "a", "A"), ("a",))
        case("all are dropped, [1,C]", words([1, 1], "a"), ("A",))
        case("no word", words([0]))
        case("no word, [1,C]", words([1, 0]))
        letters = [chr(c) for c in range(0x80, 0x11000) if unicodedata.category(chr(c)) in
                   ("Lu", "Ll", "Lt", "Nl", "So") and one_case(chr(c), "LOWER") + one_case(chr(c), "UPPER")
                   != 2 * chr(c)] + ["\U00010400", "\U0001e943", "\U0001f600"]
        for action in ("LOWER", "UPPER"):
            case(f"all letters that have two cases: {action}", words([1], "".join(letters)), (), 0,
                 action)
        case("the dotless i is its own", words([4], "\u0130", "\u0131", "I", "i"), (), 0, "LOWER")
        fails(f, "rank 3", 10, "StringNormalizer (X)", {"X": words([1, 1, 1], "a")}, "SHAPE",
              "input 0 'X' is [1,1,1], expected rank 1 or 2", "string[n] Y")
        fails(f, "two rows", 10, "StringNormalizer (X)", {"X": words([2, 1], "a", "b")}, "SHAPE",
              "input 0 'X' is [2,1], expected [C] or [1,C]", "string[n,m] Y")
        fails(f, "no such action", 10, 'StringNormalizer <case_change_action = "Lower"> (X)',
              {"X": words([1], "a")}, "VALUE", "attribute 'case_change_action' is 'Lower', expected one "
              "of 'NONE', 'LOWER', 'UPPER'", "string[n] Y")


TEXTS = ["", "a", "b", "ab", "ba", "aab", "abc", "aaa", "ABC", "a\nb", "\n", " ", "a b", "a-b", "_", "7",
         "42", "a1", "\u00e9", "\u00c9t\u00e9", "\u4e2d\u6587", "\U0001f600", "-", "]", "^", ".", "a.b", "x" * 70,
         "abababab", "account@gmail.com", "\t", "\\", "{2}", "a{,3}", "a|b", "K", "k", "\u212a", "\u017f", "()"]
# Patterns that mean the same in RE2 and in Python's re.ASCII.
PATTERNS = [
    "", "a", "ab", "a|b", "a|", "|a|b", "a*", "a+", "a?", "a*?b", "(a|b)*", "(ab)*", "(?:ab)+", "(a*)*",
    "(a*)+b?", "(a|ab)(c|bcd)?", "a{2}", "a{2,}", "a{0,2}", "a{1,3}b?", "a{0}", "(ab){2,4}", "(a{1,2}){2}",
    ".", ".*", "..", "(?s).*", "(?s)a.b", "[abc]", "[^abc]", "[a-c]+", "[^a-c]", "[]]", "[^]]", "[a-]",
    "[-a]", "[a\\-b]", "[.]", "\\.", "a\\.b", "[\\d]+", "\\d+", "\\D", "\\w+", "\\W", "\\s", "\\S+",
    "[\\w.]+@[\\w.]+", "\\x61", "\\t", "\\n", "\\\\", "^a", "^", "^$",
    "\\Aab\\b", "\\bab\\b", "a\\Bb", "\\b", "(?i)abc", "(?i)[a-c]+", "(?i)\u00e9T\u00c9", "a(?i:B)c?",
    "(?i:a)b", "\u00e9", "[\u00e0-\u00ff]+", "\u4e2d.", "[^\u4e00]", "(?m)^a$\\n^b$", "(?P<x>a)b", "\\{2\\}",
    "\\|", "a\\|b", "x{70}", "(x{7}){10}", "((a|b)(a|b))*", "[a-z]+[0-9]?", "(a+)+b", "(?:a|aa)+",
    "\\(\\)", "[()]+", "K", "(?i)[^k]"]
# RE2's own.
ONLY_RE2 = {
    "\\B": "", "a{,3}": "a\\{,3\\}", "[[:alpha:]]+": "[A-Za-z]+", "[[:^alpha:]]": "[^A-Za-z]", "[[:digit:][:space:]_]": "[0-9\\s\\v_]",
    "[[:punct:]]": "[!-/:-@\\[-`{-~]", "[[:word:]]+": "\\w+", "\\x{4e2d}\\x{6587}": "\u4e2d\u6587",
    "\\141": "a", "a\\z": "a\\Z", "\\Qa.b\\E": "a\\.b", "\\Qa|b": "a\\|b", "\\Q(a\\E*\\Qb": "\\(a*b", "(\\Qab\\E{2})+": "(?:abb)+", "\\Qa.\\E|\\Q[": "a\\.|\\[", "(?<x>a)": "(?P<x>a)",
    "(?U)a+b": "a+b", "(?i)k": "[kK\u212a]", "(?is)a.B": "(?is)a.B", "a$": "a\\Z", "(?s-s).": ".", "\\a": "\\x07",
    "(?-i)a": "a", "(?i)[[:^upper:]]": "[^A-Za-z\u017f\u212a]", "(?i)\\W": "[^\\w\u017f\u212a]", "(?i)\\w": "[\\w\u017f\u212a]", "[[:^digit:]-]": "[^0-9]|-", "\\s": "[ \\t\\n\\f\\r]", "[\\]a]+": "[\\]a]+", "\\_": "_"}
WRONG = {
    "(": "at byte 1: missing )", "a)": "at byte 1: missing (", "[a": "at byte 2: missing ]", "[]": "missing ]",
    "*": "at byte 0: nothing to repeat", "a|*": "at byte 2: nothing to repeat", "a**": "at byte 2: a repetition of a repetition",
    "a{2}{3}": "a repetition of a repetition", "a{1001}": "expected at most 1000 repetitions, the fewest first",
    "a{3,2}": "expected at most 1000 repetitions, the fewest first", "\\": "the pattern ends with a backslash",
    "\\1": "at byte 2: no such escape", "\\q": "no such escape", "[b-a]": "a range of characters that ends before it begins",
    "[[:no:]]": "no such class", "\\xg": "expected a character's number behind \\\\x",
    "\\x{110000}": "expected a character's number behind \\\\x", "(?a)": "expected flags i, m, s, U and : or ) behind (?",
    "(?=a)": "expected flags", "(?P<>a)": "expected a group's name and >", "(?i": "expected flags",
    "(?-)": "expected flags", "(?i)*": "nothing to repeat", "[\\b]": "no such escape", "\\Z": "no such escape"}


def regex_files():
    texts = words([len(TEXTS)], *TEXTS)

    def case(f, pattern, meaning):
        compiled = re.compile(meaning, re.ASCII)
        if "(?i)" in meaning:
            compiled = re.compile(meaning)
        y = ints([int(bool(compiled.fullmatch(t))) for t in TEXTS])
        f.add(f"pattern {pattern!r}"[:90], 20, f"RegexFullMatch <pattern = {quoted(pattern)}> (X)",
              {"X": texts}, ("bool", y))

    with File("regex_full_match/values.onnxtxt", BY) as f:
        for pattern in PATTERNS:
            case(f, pattern, pattern)
        f.add("a scalar", 20, 'RegexFullMatch <pattern = "a+"> (X)', {"X": words([], "aa")},
              ("bool", ints([1], ())))
        f.add("no text", 20, 'RegexFullMatch <pattern = "a+"> (X)', {"X": words([2, 0])},
              ("bool", ints([], (2, 0))))
        f.add("without a pattern", 20, "RegexFullMatch (X)", {"X": words([2], "", "a")},
              ("bool", ints([1, 0])))
        many = ["".join("ab"[(i >> k) & 1] for k in range(12)) for i in range(0, 4096, 7)]
        deep = "(a|b)*a(a|b){9}"
        f.add("more sets than are remembered", 20, f'RegexFullMatch <pattern = "{deep}"> (X)',
              {"X": words([len(many)], *many)}, ("bool", ints([int(t[-10] == "a") for t in many])))
        slow = "a?" * 40 + "a" * 40
        f.add("no way is tried twice", 20, f'RegexFullMatch <pattern = "{slow}"> (X)',
              {"X": words([3], "a" * 40, "a" * 39, "a" * 81)}, ("bool", ints([1, 0, 0])))
        for pattern, meaning in ONLY_RE2.items():
            case(f, pattern, meaning)
    with File("regex_full_match/errors.onnxtxt", BY) as f:
        for pattern, text in WRONG.items():
            fails(f, f"pattern {pattern!r}", 20, f"RegexFullMatch <pattern = {quoted(pattern)}> (X)",
                  {"X": words([1], "a")}, "VALUE", text, "bool[n] Y")
        for pattern, text in {"\\pL": "classes of Unicode (\\\\p) are not supported",
                              "[\\PN]": "classes of Unicode (\\\\p) are not supported",
                              "\\C": "single bytes (\\\\C) are not supported"}.items():
            fails(f, f"pattern {pattern!r}", 20, f"RegexFullMatch <pattern = {quoted(pattern)}> (X)",
                  {"X": words([1], "a")}, "UNSUPPORTED", text, "bool[n] Y")
        for pattern, text in {"(" * 300 + ")" * 300: "groups are nested too deeply",
                              "((a{1000}){1000}){1000}": "the pattern is too large",
                              "(((){1000}){1000}){1000}": "the pattern is too large"}.items():
            fails(f, f"pattern {pattern[:30]!r}", 20,
                  f"RegexFullMatch <pattern = {quoted(pattern)}> (X)", {"X": words([1], "a")},
                  "LIMIT", text, "bool[n] Y")
        fails(f, "numbers", 20, 'RegexFullMatch <pattern = "a"> (X)', {"X": ("int64", ints([1]))}, "TYPE",
              "int64", "bool[n] Y")


def grams(row, least, most, skips):
    """All n-grams of a row, each as often as it occurs."""
    for n in range(least, most + 1):
        for skip in range(0, skips + 1 if n > 1 else 1):
            for first in range(len(row)):
                places = [first + k * (skip + 1) for k in range(n)]
                if places[-1] < len(row):
                    yield tuple(row[p] for p in places)


def tfidf_file():
    with File("tfidf_vectorizer/values.onnxtxt", BY) as f:
        def node(pool, starts, index, least, most, skips, mode, weights=None):
            flat = [i for gram in pool for i in gram]
            name = "pool_strings" if flat and isinstance(flat[0], str) else "pool_int64s"
            items = ", ".join(f'"{i}"' if isinstance(i, str) else str(i) for i in flat)
            text = (f"TfIdfVectorizer <max_gram_length = {most}, max_skip_count = {skips}, "
                    f'min_gram_length = {least}, mode = "{mode}", ngram_counts = {starts}, '
                    f"ngram_indexes = {index}, {name} = [{items}]")
            return text + (f", weights = {weights}> (X)" if weights else "> (X)")

        def case(title, x, pool, starts, index, least, most, skips, mode="TF", weights=None):
            rows = x[1].reshape(-1, x[1].shape[-1]) if x[1].ndim else x[1].reshape(1, 1)
            y = np.zeros((len(rows), max(index) + 1))
            for r, row in enumerate(rows):
                found = list(grams(list(row), least, most, skips))
                for i, gram in enumerate(pool):
                    n = found.count(tuple(gram))
                    n = min(n, 1) if mode == "IDF" else n
                    y[r, index[i]] += n if mode == "TF" or not weights else n * weights[i]
            f.add(title, 9, node(pool, starts, index, least, most, skips, mode, weights), {"X": x},
                  ("float", y if x[1].ndim == 2 else y[0]))

        numbers = ints([1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8], (2, 6))
        pool = [[2], [3], [5], [4], [5, 6], [7, 8], [6, 7]]
        index = [0, 1, 2, 3, 4, 5, 6]
        for kind in ("int32", "int64"):
            for least, most, skips in ((1, 1, 0), (2, 2, 0), (2, 2, 5), (1, 2, 0), (1, 2, 5), (1, 5, 1)):
                case(f"{kind}, {least} to {most} items, skips to {skips}", (kind, numbers), pool, [0, 4],
                     index, least, most, skips)
        text = words([9], *"to be or not to be to be or".split())
        grams3 = [["to"], ["or"], ["to", "be"], ["be", "or"], ["not", "or"], ["to", "be", "or"],
                  ["to", "to", "be"]]
        for mode, weights in itertools.product(("TF", "IDF", "TFIDF"),
                                               (None, [0.5, 2.0, 3.0, 0.25, 5.0, 1.5, 4.0])):
            case(f"strings, {mode}, {'weights' if weights else 'no weights'}", text, grams3, [0, 2, 8],
                 [6, 0, 2, 1, 8, 3, 5], 1, 3, 4, mode, weights)
            case(f"two n-grams of one index, {mode}, {'weights' if weights else 'no weights'}", text,
                 grams3, [0, 2, 8], [0, 1, 0, 1, 1, 3, 0], 1, 3, 4, mode, weights)
        case("no unigram in the pool", ("int64", numbers), pool[4:], [0, 0], [0, 1, 2], 2, 2, 1)
        case("more skips than items", ("int64", numbers), pool, [0, 4], index, 1, 2, 50)
        case("a scalar", ("int64", ints([5], ())), pool, [0, 4], index, 1, 2, 0)
        case("empty strings", words([4], "", "a", "", "a"), [[""], ["a"], ["", "a"]], [0, 2], [0, 1, 2],
             1, 2, 0)
        plain = node(pool, [0, 4], index, 1, 2, 0, "TF")
        f.add("no item", 9, plain, {"X": ("int64", ints([]))}, ("float", np.zeros(7)))
        f.add("no row", 9, plain, {"X": ("int64", ints([], (0, 4)))}, ("float", np.zeros((0, 7))))
        f.add("rows without items", 9, plain, {"X": ("int64", ints([], (2, 0)))},
              ("float", np.zeros((2, 7))))
        most = (1 << 63) - 1
        f.add("lengths and skips without end", 9,
              plain.replace("max_gram_length = 2", f"max_gram_length = {most}")
              .replace("max_skip_count = 0", f"max_skip_count = {most}"),
              {"X": ("int64", ints([5, 6, 7]))}, ("float", np.array([0, 0, 1, 0, 1, 0, 1])))

    with File("tfidf_vectorizer/errors.onnxtxt", BY) as f:
        def wrong(title, text, code="VALUE", x=("int64", ints([1, 2])), **changes):
            named = dict(max_gram_length="1", max_skip_count="0", min_gram_length="1", mode='"TF"',
                         ngram_counts="[0]", ngram_indexes="[0, 1]", pool_int64s="[1, 2]")
            named.update(changes)
            given = ", ".join(f"{k} = {v}" for k, v in named.items() if v)
            fails(f, title, 9, f"TfIdfVectorizer <{given}> (X)", {"X": x}, code, text, "float[n] Y")

        wrong("lengths", "n-grams of 0 to 1 items, expected 1 <= min_gram_length <= max_gram_length",
              min_gram_length="0")
        wrong("lengths in the wrong order", "n-grams of 2 to 1 items", min_gram_length="2")
        wrong("skips", "attribute 'max_skip_count' is -1, expected 0 or more", max_skip_count="-1")
        wrong("mode", "attribute 'mode' is 'tf', expected one of 'TF', 'IDF', 'TFIDF'", mode='"tf"')
        wrong("no pool", "expected attribute 'pool_int64s' and no other pool for an input of int64",
              pool_int64s=None)
        wrong("a pool of the other type", "expected attribute 'pool_int64s' and no other pool",
              pool_strings='["a", "b"]')
        wrong("strings, but a pool of numbers", "expected attribute 'pool_strings' and no other pool for "
              "an input of string", x=words([1], "a"))
        wrong("an index past the pool", "attribute 'ngram_counts' has 3 at [0], expected growing indices "
              "into a pool of 2", ngram_counts="[3]")
        wrong("an index below 0", "attribute 'ngram_counts' has -1 at [0]", ngram_counts="[-1]")
        wrong("indices that fall", "attribute 'ngram_counts' has 2 at [0]", ngram_counts="[2, 1]")
        wrong("half an n-gram", "the pool has 1 items for n-grams of 2, expected a multiple",
              ngram_counts="[0, 1]")
        wrong("too few indices", "attribute 'ngram_indexes' has 1 values, expected one for each of 2 "
              "n-grams, at least one", ngram_indexes="[0]")
        wrong("a negative place", "attribute 'ngram_indexes' has -1 at [1]", ngram_indexes="[0, -1]")
        wrong("a place past any memory", "too large", "SHAPE", ngram_indexes=f"[0, {1 << 62}]")
        wrong("too few weights", "attribute 'weights' has 1 values, expected 2", weights="[1.0]")
        wrong("an n-gram twice", "the pool has the n-gram at [1] twice", pool_int64s="[7, 7]")
        wrong("rank 3", "input 0 'X' is [1,1,2], expected rank 0 to 2", "SHAPE",
              ("int64", ints([1, 2], (1, 1, 2))))


concat_file()
split_file()
normalizer_file()
regex_files()
tfidf_file()
