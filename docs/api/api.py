# SPDX-License-Identifier: Apache-2.0
"""api.py DOXYGEN INCLUDE FOLDER - writes the pages of the public headers, which are in INCLUDE, into
FOLDER/html by Doxygen. A declaration without a comment, and whatever else Doxygen warns of, is an error."""
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
SETTINGS = '''
PROJECT_NAME = Ocellus
PROJECT_NUMBER = {version}
PROJECT_BRIEF = "a small ONNX interpreter for vision operators"
INPUT = {include}/ocellus.h {include}/ocellus_op.h {include}/ocellus_model.h {include}/ocellus_predict.h {include}/ocellus.hpp
STRIP_FROM_PATH = {include}
INPUT_FILTER = "{python} -B {here}/filter.py"
OUTPUT_DIRECTORY = {folder}
GENERATE_LATEX = NO
GENERATE_XML = YES
ALIASES = "group{{2}}=\\defgroup \\1 \\2^^"
JAVADOC_AUTOBRIEF = YES
MARKDOWN_SUPPORT = NO
EXCLUDE_SYMBOLS = ocellus::*::closer
OPTIMIZE_OUTPUT_FOR_C = YES
EXTENSION_MAPPING = hpp=C++
TYPEDEF_HIDES_STRUCT = YES
EXTRACT_STATIC = YES
SORT_MEMBER_DOCS = NO
MAX_INITIALIZER_LINES = 0
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = "OC_API=" "__cplusplus=201703L"
QUIET = YES
WARN_IF_UNDOCUMENTED = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
HAVE_DOT = NO
'''


def bare_names(folder):
    """Names of enumerations without a comment, which Doxygen does not warn of."""
    for name in os.listdir(folder):
        if not name.endswith('.xml'):
            continue
        for entry in xml.etree.ElementTree.parse(os.path.join(folder, name)).iter('enumvalue'):
            if not any(''.join(entry.find(of).itertext()).strip() for of in ('briefdescription', 'detaileddescription')):
                yield entry.findtext('name')


def version(include):
    with open(os.path.join(include, 'ocellus.h'), encoding='utf-8') as f:
        return '.'.join(re.findall(r'#define OC_VERSION_\w+ (\d+)', f.read()))


def main():
    doxygen, include, folder = sys.argv[1:]
    for made in ('html', 'xml'):  # of an earlier header
        shutil.rmtree(os.path.join(folder, made), ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    settings = SETTINGS.format(version=version(include), include=os.path.abspath(include), python=sys.executable, here=HERE,
                               folder=os.path.abspath(folder))
    if subprocess.run([doxygen, '-'], input=settings, text=True, check=False).returncode:
        return 1
    bare = sorted(set(bare_names(os.path.join(folder, 'xml'))))
    for name in bare:
        print(f'{name} has no comment', file=sys.stderr)
    if not bare:
        print(os.path.join(folder, 'html', 'index.html'))
    return bool(bare)


sys.exit(main())
