#!/bin/sh
# ops.sh OCELLUS - the table of operators, as text, Markdown and JSON.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

wants 0 ops
holds grep -qx "Or  *7 1  *(bool A, bool B) => (bool C)" out # no marks of the signature beside the types
holds grep -qx "RandomUniform  *22 1  *T: float_ir4" out
has out "Concat"
wants 0 ops Concat
has out "since 13"
has out "bfloat16"
wants 0 ops --markdown
has out "|---|"
has out "| AffineGrid | 20 | T: float float16 double bfloat16 | kernel, body | | |"
has out "| And | 7 1 | (bool A, bool B) => (bool C)"
has out "| com.microsoft::Gelu | 1 | | body | | |"
printf 'AffineGrid 7 2 3\nGelu 1 2 2\ncom.microsoft::Gelu 5 0 0\n' >counts.txt
wants 0 ops --markdown --counts counts.txt
has out "| kernel, body | 7 | 2 of 3 |"
has out "| com.microsoft::Gelu | 1 | | body | 5 | 0 |"
wants 3 ops --markdown --counts nowhere.txt
wants 0 ops --json
holds is_json
wants 4 ops NoSuchOperator
wants 4 ops GridSampl
has err "operator 'GridSampl' is not supported; did you mean 'GridSample'?"

ends
