#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_schemas.py OPS.json PAGE.md... [MAX_OPSET] - the signatures against ONNX's schemas.

OPS.json is the output of `ocellus ops --json`; the pages are docs/Changelog.md of onnx/onnx, and
docs/Changelog-ml.md for the operators of ai.onnx.ml. Of the domains that the pages tell of, for
every operator that Ocellus has: versions missing or unknown, attributes missing, extra, of another
kind or default, inputs and outputs of another number, and type sets that differ; optionals of
sequences are left out, since the command does not print them. A line that begins with "deliberate"
tells of a difference listed in DELIBERATE below. The exit status is 1 when there is any other."""
import json
import re
import sys

KINDS = {"list of ints": "ints", "list of floats": "floats", "list of strings": "strings",
         "sparse_tensor": "sparse_tensor"}

# (operator, since or None for all, subject): why.
DELIBERATE = {
    **{(name, since, "version"): "deprecated since: the version before serves"
       for name, since in (("Scatter", 11), ("Upsample", 10), ("ai.onnx.ml::TreeEnsembleClassifier", 5),
                           ("ai.onnx.ml::TreeEnsembleRegressor", 5))},
    ("Concat", 1, "axis"): "the attribute's description gives 1",
    ("Constant", 1, "output"): "old files hold integers; version 9 allows them",
    ("GRU", 1, "direction"): "the page has a slip of the pen: foward",
    **{("GroupNormalization", 18, subject): "deprecated since, which hides what it had on the page"
       for subject in ("epsilon", "num_groups", "input", "output")},
    ("Loop", None, "input"): "a variadic port without entries is written as optional",
    ("SequenceMap", None, "input"): "a variadic port without entries is written as optional",
    ("SequenceEmpty", 11, "output"): "float is what dtype gives when it is left out",
    ("Selu", None, "alpha"): "the page prints six digits; the text beside it has all",
    ("Split", 1, "axis"): "without a default the first axis is split, as in version 2",
}


def block(section, title):
    i = section.find("#### " + title)
    if i < 0:
        return ""
    j = section.find("\n#### ", i + 5)
    return section[i:j if j > 0 else None]


def read_attributes(text):
    """name -> (kind, "required" or the default's text or None)."""
    found = {}
    for name, what in re.findall(r"<dt><tt>(\w+)</tt> : (.*?)</dt>\s*<dd>", text, re.S):
        kind = what.split(" (")[0]
        default = re.search(r"\(default is (.*)\)$", what, re.S)
        found[name] = (KINDS.get(kind, kind),
                       "required" if "(required)" in what else default and default[1])
    return found


def read_types(text):
    """ "tensor(float), seq(tensor(int8))" as ("tensor", "float"), ("seq", "int8"), ..."""
    parts = (re.match(r"(?:(\w+)\()?tensor\((\w+)\)", t.strip()) for t in text.split(", "))
    return {(m[1] or "tensor", m[2]) for m in parts if m}


def read_ports(text, variables):
    """[(optional, variadic, types)]"""
    found = []
    for _, notes, kind in re.findall(r"<dt><tt>([\w.]+)</tt>(.*?) : (.*?)</dt>", text):
        found.append(("optional" in notes, "variadic" in notes,
                      variables[kind] if kind in variables else read_types(kind)))
    return found


def read_changelog(path):
    """name -> since -> attributes, ports."""
    schemas = {}
    for section in re.split(r'\n### <a name="', open(path).read())[1:]:
        head = re.match(r'(?:([\w.]+)\.)?(\w+)-(\d+)"', section)
        if not head:
            continue
        domain, name, since = head.groups()
        name = f"{domain}::{name}" if domain else name
        constraints = re.findall(r"<dt><tt>(\w+)</tt> : (.*?)</dt>",
                                 block(section, "Type Constraints"))
        variables = {variable: read_types(types) for variable, types in constraints}
        schemas.setdefault(name, {})[int(since)] = (
            read_attributes(block(section, "Attributes")),
            read_ports(block(section, "Inputs"), variables),
            read_ports(block(section, "Outputs"), variables))
    return schemas


def own_attributes(text):
    found = {}
    text = re.sub(r"\+|@\w+|:\w+| (gives|from) \w+", "", text)  # marks, which no node sees
    text = re.sub(r"option [^,]+,? ?", "", text)  # those of a session, which no node has
    for part in re.findall(r"(\w+) (\w+)(\?)?(?: = (\"[^\"]*\"|\[[^\]]*\]|[^,]+))?", text):
        kind, name, optional, default = part
        found[name] = (kind, None if optional else default.strip('"') if default else "required")
    return found


def own_ports(text, variables):
    found = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        kind, name = part.split(" ")
        mark = name.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
        found.append(("?" in mark, "..." in mark, variables.get(kind, {("tensor", kind)})))
    return found


def read_own(path):
    kinds = {"tensor": "tensor", "sequence": "seq", "optional": "optional"}
    schemas = {}
    for row in json.load(open(path))["operators"]:
        variables = {v: {(kinds[k], t) for k, types in sets.items() for t in types}
                     for v, sets in row["types"].items()}
        match = re.match(r"(\S+) (?:<(.*?)> )?\((.*?)\) => \((.*?)\)(?: \||$)", row["signature"])
        schemas.setdefault(match[1], {})[row["since"]] = (
            own_attributes(match[2] or ""), own_ports(match[3], variables),
            own_ports(match[4], variables))
    return schemas


def same_default(a, b):
    if a is None or b is None:
        return a == b
    try:  # the page prints seven digits
        return abs(float(a.strip("()")) - float(b.strip("()"))) <= 1e-6 * abs(float(b.strip("()")))
    except ValueError:
        return a.strip("[]()").replace('"', "") == b.strip("[]()").replace("'", "")


def type_names(types):
    return " ".join(sorted(f"{k}({t})" if k != "tensor" else t for k, t in types)) or "nothing"


def differences(ours, theirs):
    """(subject, what)"""
    for name in sorted(ours[0].keys() | theirs[0].keys()):
        a, b = ours[0].get(name), theirs[0].get(name)
        if not a or not b:
            yield name, f"attribute {name} is {'extra' if a else 'missing'}"
        elif a[0] != b[0]:
            yield name, f"attribute {name} is {a[0]}, in the standard {b[0]}"
        elif not same_default(a[1], b[1]):
            yield name, f"attribute {name}: default {a[1]}, in the standard {b[1]}"
    for what, mine, standard in (("input", ours[1], theirs[1]), ("output", ours[2], theirs[2])):
        if len(mine) != len(standard):
            yield what, f"{len(mine)} {what}s, in the standard {len(standard)}"
        for i, (a, b) in enumerate(zip(mine, standard)):
            if a[:2] != b[:2]:
                yield what, f"{what} {i}: (optional, variadic) {a[:2]}, in the standard {b[:2]}"
            if b[2] - a[2]:
                yield what, f"{what} {i} lacks {type_names(b[2] - a[2])}"
            if a[2] - b[2]:
                yield what, f"{what} {i} takes more: {type_names(a[2] - b[2])}"


def main(ops, *rest):
    pages = [page for page in rest if page.endswith(".md")]
    max_opset = next((word for word in rest if word.isdigit()), "28")
    theirs, bad = {}, 0
    for page in pages:
        theirs.update(read_changelog(page))
    domains = {name.rpartition("::")[0] for name in theirs}
    ours = {name: versions for name, versions in read_own(ops).items()
            if name.rpartition("::")[0] in domains}

    def tell(name, since, subject, what):
        reason = DELIBERATE.get((name, since, subject)) or DELIBERATE.get((name, None, subject))
        print(f"{'deliberate: ' if reason else ''}{name}-{since}: {what}"
              + (f" ({reason})" if reason else ""))
        return not reason

    for name in sorted(ours):
        standard = {v: s for v, s in theirs.get(name, {}).items() if v <= int(max_opset)}
        for since in sorted(standard.keys() - ours[name].keys()):
            bad += tell(name, since, "version", "this version is missing")
        for since in sorted(ours[name].keys() - standard.keys()):
            bad += tell(name, since, "version", "the standard has no such version")
        for since in sorted(ours[name].keys() & standard.keys()):
            for subject, what in differences(ours[name][since], standard[since]):
                bad += tell(name, since, subject, what)
    rows = sum(map(len, ours.values()))
    print(f"{len(ours)} operators, {rows} versions: {bad} differences")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
