#!/bin/sh
# check_model.sh OCELLUS - ocellus check MODEL: every axis, what is found, what is not compared.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

cat >local.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13, "here" : 1]>
local (float[2] x) => (float[4] y) { y = here.Pair (x) }
<domain: "here", opset_import: ["" : 13]>
Pair (a) => (b) { b = Concat <axis = 0> (a, a) }
END

cat >codes.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 21]>
codes (float[1,64] x) => (uint8[] y)
<float s = {0.03}, uint8 z = {128}, float t = {0.01}, int8 n = {0}, float u = {0.02}, float zero = {0}, float many = {4096},
 float one = {1}, int64[2] dims = {64, 64}> {
    r = Range (zero, many, one)
    a = Sin (r)
    b = Reshape (a, dims)
    c = QuantizeLinear (b, t, n)
    w = DequantizeLinear (c, t, n)
    d = QuantizeLinear (x, s, z)
    e = DequantizeLinear (d, s, z)
    p = MatMul (e, w)
    y = QuantizeLinear (p, u, z)
}
END

# row PATTERN - begins a line of out, blanks being one each: "name nodes compared differ".
row() {
    ran=$((ran + 1))
    if ! tr -s ' ' <out | grep -qxE -- "$1( .*)?"; then
        failed=$((failed + 1))
        echo "FAIL: there is no row '$1':"
        cat out
    fi
}
cat >eye.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22, "here" : 1]>
eye (float[1,3,16,16] x, float[1,2,3] theta) => (float[] b, float[] l, seq(float) q)
{
    size = Constant <value = int64[4] {1, 3, 12, 10}> ()
    grid = AffineGrid (theta, size)
    warped = GridSample (x, grid)
    [act] h = Gelu (warped)
    rois = Constant <value = float[2,4] {0, 0, 6, 6, 2, 1, 9, 9}> ()
    index = Constant <value = int64[2] {0, 0}> ()
    b = RoiAlign <output_height = 3, output_width = 3> (h, rois, index)
    two = Constant <value_int = 2> ()
    l = Loop <body = turn (int64 i, bool go, float[] a) => (bool on, float[] c) {
        on = Identity (go) [inner] c = Selu (a) }> (two, , b)
    w = here.Twice (b)
    q = SequenceConstruct (w, l)
}
<domain: "here", opset_import: ["" : 22]>
Twice (x) => (y) { y = Add (x, x) }
END
wants 0 check eye.onnxtxt --fill random
row "AffineGrid-20 1 15 0"
row "Gelu-20 1 15 0"
row "Selu-22 1 15 0"
row "here::Twice 1 a function of the model: no kernel to be compared with"
row "all bodies 3 15 0"
row "as expand writes it 3 15 0"
row "0 disagreements"
wants 0 check eye.onnxtxt --fill random --axis all
for name in "2 threads" "3 threads" "7 threads" "used again"; do
    row "$name 15 0 0 0"
    row "$name, fused 14 0 0 0"
done
row "all nodes, fused 14 0 0 0"
row "run once 15 0 0 0"
row "run once, fused 14 0 0 0"
row " 1 value not compared: nodes that run as one do not store it"
has out "isa: instruction sets against scalar code"
row "on codes no product of this model is computed on codes"
wants 0 check codes.onnxtxt --fill random --axis codes
row "on codes 9 0 [01] [01]"
wants 0 check eye.onnxtxt --fill random --axis unfused
row "fast, (scalar|v128) 15 0 [^ ]+ [^ ]+"
# (1 + 2^-12)^2 less itself, rounded: 2^-24 by fused multiply-adds, else 0.
cat >cancel.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 20]>
cancel (float[1,2] x = {1.000244140625, 1.000244140625}) => (float[1,1] y)
<float[2,1] w = {-1.000244140625, 1.000244140625}> { y = MatMul (x, w) }
END
set=v128
[ "$(uname -m)" = aarch64 ] && set=scalar
wants 1 check cancel.onnxtxt --axis unfused --atol 1e-9
row "fast, $set 1 1 5.96e-08 [0-9]+"
wants 0 check cancel.onnxtxt --axis isa --axis unfused --unfused fast
row "fast, $set 1 0 5.96e-08 [0-9]+"
wants 0 check eye.onnxtxt --fill random --axis threads --axis fusion --no-fusion
row "3 threads 15 0 0 0"
holds sh -c '! grep -q "threads, fused" out'
wants 0 check local.onnxtxt --fill random --axis fusion
row "all nodes, fused no nodes of this model run as one"
wants 0 check local.onnxtxt --fill random --axis folding
row "run once no node of this model depends on weights alone"
wants 2 check eye.onnxtxt --fill random --axis sideways
wants 2 check AffineGrid --axis isa
# A body that cannot run: the standard's, of one image. The repaired one can.
wants 0 check eye.onnxtxt --fill random --standard
has out "no disagreement: a known defect of the standard's text (functions/KNOWN.md)"
row "0 disagreements, 3 known"
cat >own.txt <<'END'
<domain: "", opset_import: ["" : 22]>
Gelu (x) => (y) {
    half = Constant <value_float = 0.5> ()  e = Erf (x)  one = Constant <value_float = 1.0> ()
    p = Mul (x, half)  k = Add (e, one)  y = Mul (p, k) }
<domain: "", opset_import: ["" : 22]>
Selu (x) => (y) { y = Elu (x) }
END
# Numbers without a seed are drawn by the names of nodes, which bodies do not have.
cat >draw.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22]>
draw (float[100] x) => (float[100] y) { b = Bernoulli (x)  y = Mul (b, x) }
END
wants 0 check draw.onnxtxt --fill random
row " no disagreement: random numbers, which another --seed changes too"
row "Bernoulli-22 1 2 2"
row "0 disagreements, 3 known"
cat own.txt >>draw.onnxtxt
sed -i 's/Bernoulli (x)/RandomUniformLike (x)/; s/Mul (b, x)/Selu (b)/' draw.onnxtxt
wants 1 check draw.onnxtxt --fill random
row "3 disagreements"
# Values past the cap: the fingerprints of equal bits are equal.
wants 0 check eye.onnxtxt --fill random --axis body --axis memory --keep 4000
row " [1-9] values not compared: past what --keep allows"
row "used again 15 0 0 0"
# The model's own Gelu and Selu are wrong: both are found, the one in the loop too.
cat eye.onnxtxt own.txt >own.onnxtxt
wants 1 check own.onnxtxt --fill random
row "Gelu 1 15 7"
has out "first at 'h' of node 'act' (Gelu): "
row "Selu 1 15 4"
has out "first at 'c' of node 'inner' (Selu): "
row "AffineGrid-20 1 15 0"
row "as expand writes it 4 15 7"
row "4 disagreements"
wants 1 check own.onnxtxt --fill random --json
holds is_json
has out '"node": "act"'
has out '"disagreements": 4'
wants 0 check own.onnxtxt --fill random --rtol 9 --atol 9
wants 0 check own.onnxtxt --fill random --axis threads
wants 1 check own.onnxtxt --fill random --keep 10000
row " [1-9] values not compared: past what --keep allows"
# A difference that --rtol allows at its node would grow behind it: the nodes that follow are given
# the reference run's value, unless that was not kept.
cat >grow.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22]>
grow (float[1000] x) => (float[3] z) <int64[3] some = {5, 6, 7}> {
    big = Constant <value_float = 1e8> ()  e = Exp (x)  s = Gelu (e)  m = Mul (s, big)  y = Sin (m)
    z = Gather (y, some) }
END
wants 0 check grow.onnxtxt --fill random
row "Gelu-20 1 6 0 [1-9][^ ]* [1-9].*"
wants 1 check grow.onnxtxt --fill random --keep 3000
has out "of a node Gather: "
row " up to there every Gelu agrees: a difference within tolerance has grown"
# An operator of another domain, whose graph attribute is run by its kernel too.
cat >flex.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 26, "ai.onnx.preview" : 1]>
flex (float[1,2,3,4] q, float[1,2,5,4] k, float[1,2,5,4] v) => (float[] y)
{
    y = ai.onnx.preview.FlexAttention <prob_mod = mod (float p) => (float t) { t = Abs (p) }> (q, k, v)
}
END
wants 0 check flex.onnxtxt --fill random
row "ai.onnx.preview::FlexAttention-1 1 1 0"
# What ends the reference run ends the check; so does a limit.
wants 5 check eye.onnxtxt --fill random --max-steps 3
wants 5 check eye.onnxtxt --fill random --max-steps 3 --json
holds is_json

ends
