#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""case_ranges.py - the simple case mappings of Unicode, from Python's unicodedata, as ranges.

    python3 tests/oracle/case_ranges.py

writes src/ops/text/case_ranges.inc."""
import pathlib
import unicodedata


def simple(char, convert):
    """The one character that stands for char in the other case; char itself if there is none."""
    full = convert(char)
    if len(full) == 1:
        return full
    if convert is str.upper and len(char.title()) == 1:
        return char.title()
    return "i" if char == "\u0130" and convert is str.lower else char


def ranges(convert):
    """(first, last, step, what is added) of all characters beyond ASCII that have another case."""
    added = {c: ord(simple(chr(c), convert)) - c for c in range(0x80, 0x110000)
             if not 0xD800 <= c < 0xE000}
    codes = [c for c in added if added[c]]
    at = 0
    while at < len(codes):
        ends = []
        for step in (1, 2):
            end = at
            while end + 1 < len(codes) and codes[end + 1] == codes[end] + step \
                    and added[codes[end + 1]] == added[codes[at]]:
                end += 1
            ends.append((end, step))
        end, step = max(ends, key=lambda e: (e[0], -e[1]))
        yield codes[at], codes[end], step, added[codes[at]]
        at = end + 1


def main():
    text = ("/* SPDX-License-Identifier: Apache-2.0\n"
            " * case_ranges.inc - the simple case mappings of Unicode "
            f"{unicodedata.unidata_version} beyond ASCII, by\n"
            " * tests/oracle/case_ranges.py: first and last character, step, and what is added. */\n"
            "/* clang-format off */\n")
    for name, convert in (("to_lower", str.lower), ("to_upper", str.upper)):
        items = ["{%#x, %#x, %d, %d}," % r for r in ranges(convert)]
        text += f"static const case_range {name}[] = {{\n"
        line = "   "
        for item in items:
            if len(line) + len(item) + 1 > 100:
                text += line + "\n"
                line = "   "
            line += " " + item
        text += line + "\n};\n"
    path = pathlib.Path(__file__).parents[2] / "src/ops/text/case_ranges.inc"
    path.write_text(text + "/* clang-format on */\n")


main()
