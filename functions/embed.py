# SPDX-License-Identifier: Apache-2.0
"""embed.py OUT [--ops FILE,...] NAME.SINCE[.repaired].onnxtxt ... - write function bodies as one C table.
embed.py --cases OUT [--ops FILE,...] BODY ... NAME.check ... - write case files as one C table.
embed.py --vision OUT NAME.1.onnxtxt ... - write the functions of functions/vision as one C table.

The body's domain is read from its text. A body of a domain that is not ONNX's is called "domain::NAME".
An argument NAME.SINCE=FUNCTION:CALLED,... is a body of ONNX's own domain that a C function prints for each call, and
the operators that it calls.

With --ops only some operators are built in, those of the FILEs (src/ops). A body that calls
another operator, which has no body either, is then left out; one whose repaired text does so too, since
the standard's text is known to be wrong; and so are the cases of an operator without kernel or body.

Comments and the spaces before lines are left out. A comment at the top of a file of the form "# default: name: type = value"
gives an attribute of the function its default, which a body in the standard's own words does not
have: there the operator's schema holds it.

All texts are one array of bytes, compressed: they are much alike. Of case files it holds, in the order
of their names whatever the case of letters, the name without ".check", a zero byte, the text, a zero
byte; comments are blank lines there, so that lines keep their numbers. A line "of OP" whose file is left
out becomes OP's lines. Of the functions of functions/vision it holds, in the order of their names, the name, a zero
byte, the text, a zero byte.
"""
import gzip
import pathlib
import re
import sys
import zlib

DOMAIN = re.compile(r'^\s*domain:\s*"([^"]*)"', re.MULTILINE)
LEFT_OUT = re.compile(r'^[ \t]*(?:#(?: .*)?)?\n|^[ \t]+|[ \t]+# [^"\n]*$', re.MULTILINE)  # but no directives, as #if
DEFAULT = re.compile(r"#\s*default:\s*((\w+)\s*:.*)")


def read_body(path):
    """The text of the function, with its defaults."""
    lines = path.read_text(encoding="ascii").splitlines(keepends=True)
    n_comments = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    text = "".join(lines[n_comments:])
    name = path.name.split(".")[0]
    for line in lines[:n_comments]:
        match = DEFAULT.match(line)
        if match:
            header = re.compile(rf"(^{name}\s*<[^>]*?)\b{match[2]}\b", re.MULTILINE)
            text, n = header.subn(lambda m, d=match[1].strip(): m[1] + d, text)
            if n != 1:
                sys.exit(f"{path}: '{match[2]}' must stand once among the attributes of {name}")
    return LEFT_OUT.sub("", text)


def built_in(files):
    """The names of operators in operator files, outside comments; other capitalised words do no harm."""
    codes = (re.sub(r"/\*.*?\*/", "", pathlib.Path(f).read_text(encoding="utf-8"), flags=re.S) for f in files)
    return {name for code in codes for name in re.findall(r"\b[A-Z]\w*\b", code)}


def is_repaired(path):
    return path.name.endswith(".repaired.onnxtxt")


def split_printed(body):
    """A printed body's domain, operator, version and function: those of 'com.me.Op.1=oc_print_op:Constant'."""
    domain, name, since, function = re.match(r"(?:([\w.]+)\.)?(\w+)\.(\d+)=(\w+)", body).groups()
    return domain or "", name, int(since), function


def name_of(body):
    return split_printed(body)[1] if "=" in body else pathlib.Path(body).name.split(".")[0]


def called_by(body):
    """The operators that a body calls: a file, or an argument for a printed one."""
    if "=" in str(body):
        return set(str(body).split(":")[1].split(","))
    return set(re.findall(r"=\s*(?:[a-z.]+\.)?([A-Z]\w*)\s*[<(]", body.read_text(encoding="ascii")))


def runnable(bodies, operators):
    """The bodies all of whose calls, and the calls of those, can run."""
    versions = {}  # of a body: the standard's text and the repaired one
    for body in bodies:
        versions.setdefault(str(body).replace(".repaired", ""), []).append(body)
    calls = {key: set().union(*map(called_by, some)) for key, some in versions.items()}
    names, kept = set(operators), []
    while more := [key for key in calls if key not in kept and calls[key] <= names]:
        kept += more
        names |= set(map(name_of, more))
    return [body for body in bodies if str(body).replace(".repaired", "") in kept]


def read_files(files):
    """The bodies among the arguments, those that can run after --ops, and the operators of that; None: all."""
    bodies = sorted(pathlib.Path(f) for f in files if f.endswith(".onnxtxt")) + [f for f in files if "=" in f]
    if files[0] != "--ops":
        return bodies, None
    operators = built_in(files[1].split(","))
    return runnable(bodies, operators), operators


def c_array(name, data):
    rows = [", ".join(map(str, data[i:i + 20])) for i in range(0, len(data), 20)]
    return f"static const unsigned char {name}[] = {{\n" + ",\n".join(rows) + "};\n"


def write_bodies(out, *files):
    bodies = {}  # (name, domain, since) -> {"standard": offset, "repaired": offset}
    texts = b""  # all of them, each with a zero at its end
    for path in read_files(files)[0]:
        if "=" in str(path):
            domain, name, since, function = split_printed(path)
            bodies[name, domain, since] = {"standard": -1, "print": function}
            continue
        match = re.fullmatch(r"(\w+)\.(\d+)(\.repaired)?\.onnxtxt", path.name)
        if not match:
            sys.exit(f"{path}: expected NAME.SINCE.onnxtxt or NAME.SINCE.repaired.onnxtxt")
        kind = "repaired" if is_repaired(path) else "standard"
        text = read_body(path)
        domain = DOMAIN.search(text)
        if not domain:
            sys.exit(f"{path}: expected a line 'domain: \"\",'")
        bodies.setdefault((match[1], domain[1], int(match[2])), {})[kind] = len(texts)
        texts += text.encode("ascii") + b"\0"
    c = ["/* Generated by functions/embed.py; do not edit. */\n"]
    c.append(c_array("texts_gz", gzip.compress(texts, 9, mtime=0)))
    c.append("\n/* By name, then by domain, newest first. */\n#define OC_BODIES(X) \\\n")
    for (name, domain, since), at in sorted(bodies.items(), key=lambda b: (*b[0][:2], -b[0][2])):
        if "standard" not in at:
            sys.exit(f"{name}.{since}: there is a repaired body, but none of the standard")
        label = name if domain.split(".")[:2] in ([""], ["ai", "onnx"]) else f"{domain}::{name}"
        c.append(f'    X("{name}", {since}, "{domain}", "{label}", {at["standard"]}, '
                 f'{at.get("repaired", -1)}, {at.get("print", "NULL")}) \\\n')
    c.append("\n")
    pathlib.Path(out).write_text("".join(c), encoding="ascii")


def read_cases(path, kept):
    """The text of a case file, in which lines that files left out would give stand themselves."""
    text = re.sub(r"^ *#.*", "", path.read_text(encoding="ascii"), flags=re.MULTILINE)

    def lines_of(match):
        words, op = match.groups()
        if op in kept:
            return match[0]
        words = "inputs|refused" if words == "inputs" else words
        other = read_cases(path.with_name(op + ".check"), kept)
        return "\n".join(re.findall(rf"^(?:{words})\b.*", other, flags=re.MULTILINE))

    return re.sub(r"^(inputs|attributes) of (\w+)$", lines_of, text, flags=re.MULTILINE)


def write_cases(out, *files):
    bodies, operators = read_files(files)
    cases = [path for path in map(pathlib.Path, files) if path.suffix == ".check"]
    if operators is not None:
        written = {path.with_name(path.name.split(".")[0]) for path in bodies if "=" not in str(path)}
        printed = {name_of(body) for body in bodies if "=" in str(body)}
        cases = [path for path in cases
                 if path.stem in operators and (path.with_suffix("") in written or path.stem in printed)]
    texts, kept = b"", {path.stem for path in cases}
    for path in sorted(cases, key=lambda path: path.stem.lower()):
        text = read_cases(path, kept)
        texts += path.stem.encode("ascii") + b"\0" + text.encode("ascii") + b"\0"
    c = ["/* Generated by functions/embed.py; do not edit. */\n"]
    c.append(f"enum {{ N_CASE_FILES = {len(cases)}, CASE_FILES_SIZE = {len(texts)} }};\n")
    c.append(c_array("case_files_z", zlib.compress(texts, 9)))
    pathlib.Path(out).write_text("".join(c), encoding="ascii")


def write_vision(out, *files):
    texts, names = b"", sorted(pathlib.Path(f).name.removesuffix(".1.onnxtxt") for f in files)
    for name in names:
        text = read_body(pathlib.Path(files[0]).with_name(name + ".1.onnxtxt"))
        texts += name.encode("ascii") + b"\0" + text.encode("ascii") + b"\0"
    c = ["/* Generated by functions/embed.py; do not edit. */\n"]
    c.append(f"enum {{ N_VISION_TEXTS = {len(names)}, VISION_TEXTS_SIZE = {len(texts)} }};\n")
    c.append(c_array("vision_texts_z", zlib.compress(texts, 9)))
    pathlib.Path(out).write_text("".join(c), encoding="ascii")


if __name__ == "__main__":
    if sys.argv[1] == "--cases":
        write_cases(*sys.argv[2:])
    elif sys.argv[1] == "--vision":
        write_vision(*sys.argv[2:])
    else:
        write_bodies(*sys.argv[1:])
