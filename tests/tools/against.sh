#!/bin/sh
# against.sh OCELLUS - check MODEL --against OTHER: the first inner value that differs, and what is known of its node.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

# Two nodes that make constants, a node without a name, a value of the same name within a graph.
cat >model.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22]>
model (float[2,2] x, float gain) => (float[2,2] y, float[2,2] z)
    <float[2,2] w = {1, 2, 3, 4}, float s = {0.5}, int64 two = {2}>
{
    [scale] t = Mul (x, gain)
    [mix] m = MatMul (t, w)
    [act] r = Relu (m)
    k = Neg (s)
    y = Add (r, k)
    z = Loop <body = turn (int64 i, bool go, float[2,2] a) => (bool on, float[2,2] c) {
        on = Identity (go)  c = Selu (a) }> (two, , r)
}
END
gives="--fill random"
# other SED - makes other.onnxtxt of the model.
other() { sed "$1" model.onnxtxt >other.onnxtxt; }

# A copy, and one whose inputs and outputs are in another order: equal.
cp model.onnxtxt other.onnxtxt
wants 0 check model.onnxtxt $gives --against other.onnxtxt
has out "against: other.onnxtxt, 6 values"
has out "0 disagreements"
holds sh -c '! grep -q bodies out'
other 's/(float\[2,2\] x, float gain)/(float gain, float[2,2] x)/; s/(float\[2,2\] y, float\[2,2\] z)/(float[2,2] z, float[2,2] y)/'
wants 0 check model.onnxtxt $gives --against other.onnxtxt

# Another weight: the first value that differs is the product, whose other input agrees.
other 's/3, 4}/3, 4.5}/'
wants 1 check model.onnxtxt $gives --against other.onnxtxt
has out "first at 'm' of node 'mix' (MatMul): 2 of 4 elements differ, the first at [0,1]: "
holds grep -Eq "^    the greatest difference is [0-9.e+-]+ at \[[01],1\]: " out
has out "    its input 'w' differs: 1 of 4 elements differ, the first at [1,1]: 4, expected 4.5"
has out "      the greatest difference is 0.5 at [1,1]: 4, expected 4.5"
has out "    its other inputs agree: 't'"
has out "    output 'y' differs: "
has out "    output 'z' differs: "
has out "1 disagreement"
holds test "$(grep -c 'first at' out)" -ge 1

# Another operator: its inputs agree, its output does not.
other 's/Relu (m)/Neg (m)/'
wants 1 check model.onnxtxt $gives --against other.onnxtxt
has out "first at 'r' of node 'act' (Relu): "
has out "the other model has Neg there"
has out "    its inputs agree: 'm'"
wants 1 check model.onnxtxt $gives --against other.onnxtxt --json
holds is_json
holds python3 -c '
import json
axis, = json.load(open("out"))["axes"]
run, = axis["runs"]
assert axis["axis"] == "against" and axis["values"] == 6, axis
first = run["first"]
assert (first["node"], first["operator"], first["other_operator"], first["output"]) == ("act", "Relu", "Neg", "r")
assert first["inputs"] == [{"name": "m", "agrees": True, "text": ""}], first
assert first["greatest"].startswith(first["greatest"].split()[0] + " at ["), first
assert [(v["name"], v["agrees"]) for v in run["outputs"]] == [("y", False), ("z", False)]
'

# The greatest difference is not the first one.
printf '%s\n' '<ir_version: 10, opset_import: ["" : 22]>' \
    'g (float[4] x) => (float[4] y) <float[4] w = {0, 1, 3, 2}> { y = Add (x, w) }' >one.onnxtxt
sed 's/{0, 1, 3, 2}/{0, 0, 0, 0}/' one.onnxtxt >other.onnxtxt
wants 1 check one.onnxtxt --fill zeros --against other.onnxtxt
has out "3 of 4 elements differ, the first at [1]: 1, expected 0"
has out "    the greatest difference is 3 at [2]: 3, expected 0"

# An input that agrees within tolerance tells by how much it does not; doubles have all of their digits.
printf '%s\n' '<ir_version: 10, opset_import: ["" : 22]>' 'g (double[2] x) => (double[2] y) <double[2] w = {0.1, 3.0}, double k = {1e9}, double[2] b = {0.0, 0.0}>' \
    '{ t = Add (x, w) m = Mul (t, k) y = Add (m, b) }' >grown.onnxtxt
sed 's/0\.1, 3/0.10000000000000009, 3/' grown.onnxtxt >other.onnxtxt
wants 1 check grown.onnxtxt --fill zeros --against other.onnxtxt --rtol 1e-16 --atol 1e-15
has out "first at 'm' of a node Mul: 1 of 2 elements differ, the first at [0]: 100000000, expected 100000000.00000009 (6 ulp)"
has out "    its input 't' agrees within tolerance"
has out "      the greatest difference is 8.33e-17 at [0]: 0.10000000000000001, expected 0.10000000000000009"
has out "    its other inputs agree: 'k'"
wants 1 check grown.onnxtxt --fill zeros --against other.onnxtxt --rtol 1e-16 --atol 1e-15 --json --html page.html
holds python3 -c '
import json
first = json.load(open("out"))["axes"][0]["runs"][0]["first"]
assert [(v["agrees"], "greatest" in v) for v in first["inputs"]] == [(True, True), (True, False)], first
assert first["inputs"][0]["greatest"].startswith("8.33e-17 at [0]: "), first
page = open("page.html").read()
assert "agrees, the greatest difference is 8.33e-17 at [0]" in page
'

# Values that only one model has by name are passed over; inner values may differ where outputs agree.
other 's/\bm\b/product/g; s/Relu (product)/Neg (product)/'
wants 1 check model.onnxtxt $gives --against other.onnxtxt
has out "first at 'r' of node 'act' (Relu): "
has out "    its inputs agree: 'm'"
has out "1 value not compared: this run does not give it"
other 's/k = Neg (s)/k = Abs (s)/; s/Add (r, k)/Sub (r, k)/'
wants 0 check model.onnxtxt $gives --against other.onnxtxt
has out "first at 'k' of a node Neg: "
has out "no disagreement: all outputs agree"

# A tolerance of one's own; --axis goes with it; a model against itself with functions of one's own.
other 's/0\.5}/0.50001}/'
wants 1 check model.onnxtxt $gives --against other.onnxtxt
wants 0 check model.onnxtxt $gives --against other.onnxtxt --atol 0.01
wants 0 check model.onnxtxt $gives --against model.onnxtxt --axis threads --sandbox
has out "against: "
has out "threads: "
printf '%s\n' '<domain: "", opset_import: ["" : 22]>' 'Relu (x) => (y) { y = Abs (x)  }' >abs.onnxtxt
sed 's/{1, 2/{-1, -2/' model.onnxtxt >turned.onnxtxt
wants 1 check turned.onnxtxt $gives --against turned.onnxtxt --functions abs.onnxtxt
has out "first at 'r' of a node Abs: "
has out "the other model has Relu there"

# What is refused: no such file, no such output, an input that the other model lacks, operators.
wants 3 check model.onnxtxt $gives --against nowhere.onnx
has err "nowhere.onnx: it cannot be opened"
other 's/\bz\b/last/g'
wants 2 check model.onnxtxt $gives --against other.onnxtxt
has err "'z'"
other 's/float gain/float other/; s/(x, gain)/(x, other)/'
wants 2 check model.onnxtxt $gives --against other.onnxtxt
has err "'gain'"
wants 2 check Relu --against model.onnxtxt
has err "check: --against goes with --body, or with a model"
wants 5 check model.onnxtxt $gives --against model.onnxtxt --max-steps 3

ends
