#!/bin/sh
# see.sh OCELLUS - what run tells of values: --print, --top, --find-nan, --save-test.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

# ---- every element type
cat >types.onnxtxt <<'END'
<ir_version: 13, opset_import: ["" : 25]>
types () => (float16[2] half, bfloat16[2] brain, float8e4m3fn[2] f8, float8e5m2[3] f8e5, float4e2m1[2] f4,
    int4[2] i4, uint2[2] u2, string[2] s, bool[2] b, complex64[1] c, float8e8m0[2] e8)
<float[2] x = {0.1, -6}, float[3] y = {1e9, -0.3, 1}, float[2] positive = {0.25, 4}, float[2] two = {3, 0}>
{
    half = Cast <to = 10> (x)
    brain = Cast <to = 16> (x)
    f8 = Cast <to = 17> (x)
    f8e5 = Cast <to = 19, saturate = 0> (y)
    f4 = Cast <to = 23> (x)
    i4 = Cast <to = 22> (x)
    u2 = Cast <to = 25> (two)
    s = Constant <value = string[2] {"a b", "c\nd"}> ()
    b = Cast <to = 9> (x)
    c = Constant <value = complex64[1] {1, -2}> ()
    e8 = Cast <to = 24> (positive)
}
END
wants 0 run types.onnxtxt --print
has out "[ 0.1 -6. ]"
has out "[ 0.1015625 -6.       ]"
has out "[    inf -0.3125  1.    ]"
has out "[ 0. -6.]"
has out "[ 0 -6]"
has out "[3 0]"
has out '["a b" "c\x0ad"]'
has out "[ True  True]"
has out "[1.-2.j]"
has out "[0.25 4.  ]"
wants 0 run types.onnxtxt --json
holds is_json
has out '"values": ["a b", "c\u000ad"]'
has out '"values": [[1, -2]]'

# ---- values of sequences, of optionals, and of none
cat >lists.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 16]>
g (float[2] x) => (seq(float[]) s, optional(seq(float[])) o, optional(float[]) n)
{ s = SequenceConstruct (x, x) o = Optional (s) n = Optional <type: type_proto = float[]> () }
END
wants 0 run lists.onnxtxt --fill zeros --print
has out "[0. 0.]"
has out "n  optional(none)"
holds test "$(grep -c '^\[0. 0.\]$' out)" = 4
wants 0 run lists.onnxtxt --fill zeros --json
holds is_json
has out '"values": [0, 0]'
wants 0 run lists.onnxtxt --fill zeros --top 1
holds test "$(grep -c '^       0  0$' out)" = 4
wants 2 run lists.onnxtxt --print=some
has err "run: --print is 'some', expected a whole number, 0 or more"

# ---- the largest values
cat >rank.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
rank (float[N,4] x) => (float[N,4] y, int64[2] size) { y = Identity (x) size = Shape (x) }
END
wants 0 run rank.onnxtxt --fill zeros --dim N=1 --top 9
holds test "$(grep -c '^  ' out)" = 6
cat >rows.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
rows () => (float[2,4] y, int64[1,2] large)
<float[2,4] x = {0.5, 4, 4, -1, 8, 1, 3, 2}, int64[1,2] n = {9007199254740992, 9007199254740993}>
{ y = Identity (x) large = Identity (n) }
END
printf 'cat\r\ndog\r\nbird\r\nlong name\r\n' >names.txt
printf 'one\ntwo\nthree' >three.txt
wants 0 run rows.onnxtxt --top 2 --labels names.txt
cat >wanted <<'END'
  row [0]
       1  4  dog
       2  4  bird
  row [1]
       0  8  cat
       2  3  bird
       1  9007199254740993
       0  9007199254740992
END
grep '^  ' out >told
holds cmp told wanted
wants 0 run rows.onnxtxt --top 2 --labels names.txt --json
holds is_json
holds test "$(python3 -c 'import json; print([[i["label"] for i in row] for row in json.load(open("out"))["outputs"][0]["top"]])')" = \
    "[['dog', 'bird'], ['cat', 'bird']]"
wants 2 run rows.onnxtxt --top 2 --labels three.txt -o nothing
has err "--labels three.txt: 3 lines, expected as many as the last axis of an output that is not of size 1 has elements; output 'y' is float[2,4]"
holds test ! -e nothing
wants 3 run rows.onnxtxt --top 2 --labels nowhere.txt
has err "nowhere.txt: "
wants 2 run rows.onnxtxt --labels names.txt
has err "run: --labels goes with --top N"
wants 2 run rows.onnxtxt --top 0
has err "run: --top is 0, expected 1 to 1000"
wants 2 run rows.onnxtxt --top 1001
# An output that cannot be ranked does not keep others from it: a classifier may name its choice, too.
cat >choice.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
choice () => (string[1] name, float[1,3] p) <string[1] s = {"cat"}, float[1,3] x = {1, 7, 2}>
{ name = Identity (s) p = Identity (x) }
END
wants 0 run choice.onnxtxt --top 2
grep '^ ' out | tr -s ' \n' ' ' >told
has told " 1 7 2 2"
wants 0 run choice.onnxtxt --top 2 --json
holds is_json
holds test "$(grep -c '"top"' out)" = 1
wants 0 run choice.onnxtxt --top 1 --labels three.txt
has out "       1  7  two"
cat >odd.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
odd () => (float[4] y) <float[4] x = {0, 1, -1, 0}, float[4] d = {0, 0, 0, 1}> { y = Div (x, d) }
END
wants 0 run odd.onnxtxt --top 4
grep '^  ' out | tr -s ' \n' ' ' >told
has told " 1 inf 3 0 2 -inf 0 nan"
cat >alone.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
alone (float x) => (float y) { y = Identity (x) }
END
wants 2 run alone.onnxtxt --fill zeros --top 1
has err "--top: no output can be ranked; 'y' is float[], expected a tensor of real numbers with an axis, and with elements"
wants 0 run alone.onnxtxt --fill zeros --print
has out "0.0"
cat >many.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
many (float[1003,2] x) => (float[1003,2] y) { y = Identity (x) }
END
wants 0 run many.onnxtxt --fill random --top 1
has out "  row [19]"
holds test "$(grep -c '^  row' out)" = 20
has out "  and 983 rows more"
wants 0 run many.onnxtxt --fill random --top 1 --json
holds test "$(python3 -c 'import json; o = json.load(open("out"))["outputs"][0]; print(len(o["top"]), o["rows"], o["axis"])')" = "1000 1003 1"
# Axes of size 1 are no rows: what SqueezeNet gives is float[1,1000,1,1].
cat >ones.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
ones () => (float[1,3,1,1] y, float[2,1,3,1] z, float[1,1] one, float[12,1,2] w)
<float[3] x = {1, 7, 2}, int64[4] a = {1, 3, 1, 1}, int64[4] b = {2, 1, 3, 1}, int64[4] c = {1, 1, 3, 1}, int64[2] d = {1, 1}, int64[3] f = {12, 1, 2},
 float[1] k = {5}>
{ y = Reshape (x, a) t = Reshape (x, c) z = Expand (t, b) one = Reshape (k, d) w = Expand (k, f) }
END
wants 0 run ones.onnxtxt --top 2 --labels three.txt
cat >wanted <<'END'
       1  7  two
       2  2  three
  row [0,0]
       1  7  two
       2  2  three
  row [1,0]
       1  7  two
       2  2  three
       0  5
  row [0,0]
END
grep '^  ' out | head -n 10 >told
holds cmp told wanted
has out "  row [11,0]"

# ---- the first NaN
wants 1 run odd.onnxtxt --find-nan
has out "node of 'y' (Div-14), step 0: output 'y' float[4] has 1 NaN and 2 Inf, the first at [0]: nan"
has out "  input 0  float[4]  min -1  max 1  mean 0  nan 0"
has out "  input 1  float[4]  min 0  max 1  mean 0.25  nan 0"
wants 1 run odd.onnxtxt --find-nan --json -o nothing
holds is_json
has out '"operator": "Div"'
has out '"place": "[0]"'
holds test ! -e nothing
wants 0 run rows.onnxtxt --find-nan --top 1
has out "no node makes NaN or Inf"
wants 0 run rows.onnxtxt --find-nan --json
holds is_json
has out '"found": null'
cat >within.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
within (float[2] x) => (float[2] y, float[2] z) <int64 n = {3}, bool true = {1}>
{
    [outer] y = Loop (n, true, x) <body = b (int64 i, bool more, float[2] s) => (bool again, float[2] t)
    {
        again = Identity (more)
        [inner] t = Log (s)
    }>
    z = Neg (y)
}
END
wants 1 run within.onnxtxt --fill zeros --find-nan
has out "node 'inner' (Log-13), step 2, 1 graph within: output 't' float[2] has 0 NaN and 2 Inf, the first at [0]: -inf"
# A mask of -inf is stated, not made; what makes NaN of it is the fault.
cat >mask.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
mask (float[2] x) => (float[2] y)
{
    far = Constant <value = float[2] {-inf, -inf}> ()
    masked = Add (x, far)
    [soft] p = Sub (masked, far)
    y = Neg (p)
}
END
wants 1 run mask.onnxtxt --fill zeros --find-nan
has out "node 'soft' (Sub-14)"
cat >handed.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
handed (float[2] x) => (float[2] y)
{
    far = Constant <value = float[2] {-inf, 1}> ()
    [sum] masked = Add (x, far)
    y = Exp (masked)
}
END
wants 0 run handed.onnxtxt --fill zeros --find-nan
has out "no node makes NaN or Inf; nodes that hand on what is in an input, a weight or a constant: 1, the first is node 'sum' (Add-14)"
# What depends on weights alone is looked at too.
cat >folded.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
folded (float[2] x) => (float[2] y) <float[2] w = {0, 1}> { [bad] v = Log (w) t = Exp (v) y = Add (x, t) }
END
wants 1 run folded.onnxtxt --fill zeros --find-nan
has out "node 'bad' (Log-13)"
wants 1 run folded.onnxtxt --fill zeros --find-nan --sandbox

# ---- a run as a test
wants 0 run rank.onnxtxt --fill random --dim N=2 --save-test saved/first
holds test -s saved/first/test_data_set_0/output_1.pb
wants 0 test saved
has out "1 passed, 0 failed, 0 skipped"
cp saved/first/test_data_set_0/output_1.pb saved/first/test_data_set_0/output_0.pb
wants 1 test saved
wants 2 run rank.onnxtxt --fill random --dim N=2 --save-test saved/first
has err "--save-test saved/first: the folder has '"
wants 2 run rank.onnxtxt --fill random --dim N=2 --save-test names.txt
has err "--save-test names.txt: Not a directory, expected a new or empty folder"
mkdir empty
wants 0 run lists.onnxtxt --fill random --save-test empty
wants 0 test empty
wants 0 run lists.onnxtxt --fill random --save-test boxed/test --sandbox
wants 0 test boxed
wants 3 run rows.onnxtxt --save-test names.txt/deeper
# Weights in another file go into the model.
python3 - <<'END'
import struct


def field(number, payload):
    if isinstance(payload, str):
        payload = payload.encode()
    return bytes([number << 3 | 2, len(payload)]) + payload


def number(n, value):
    return bytes([n << 3, value])


with open('weights.bin', 'wb') as f:
    f.write(struct.pack('<2f', 3, 4))


def port(name):
    return field(1, name) + field(2, field(1, number(1, 1) + field(2, field(1, number(1, 2)))))


weight = number(1, 2) + number(2, 1) + field(8, 'w') + field(13, field(1, 'location') + field(2, 'weights.bin')) + \
    number(14, 1)
node = field(1, 'x') + field(1, 'w') + field(2, 'y') + field(4, 'Add')
graph = field(1, node) + field(2, 'g') + field(5, weight) + field(11, port('x')) + field(12, port('y'))
with open('external.onnx', 'wb') as f:
    f.write(number(1, 8) + field(8, number(2, 17)) + field(7, graph))
END
wants 0 run external.onnx --fill zeros --save-test embedded
rm weights.bin
wants 3 run external.onnx --fill zeros
wants 0 test embedded
wants 0 run embedded/model.onnx --fill zeros --print
has out "[3. 4.]"
ends
