#!/bin/sh
# extract.sh OCELLUS - extract: what a part has, what is remarked, and what is refused.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

absent() { [ ! -e "$1" ]; }

cat >part.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
g (bool c, float[2,6] x, float[6] bias) => (float[2,6] y, z, aux) <float[6] scale = {1, 2, 3, 4, 5, 6}>
{
    features = Relu (x)
    "left,right" = Mul (features, scale)
    y = Add ("left,right", bias)
    z = If <then_branch = t () => (p) { p = Neg ("left,right") }, else_branch = e () => (features) {}> (c)
    aux = Exp (x)
}
END
wants 0 extract part.onnxtxt --from features --to y -o -
has out 'g (float[2,6] features, float[6] bias) => (float[2,6] y)'
has err "extract: input 'bias' stays, the part uses it beside --from"
wants 0 extract part.onnxtxt --from features,bias --to y -o head.onnx --json
has out '"nodes": 2'
holds is_json
holds [ ! -s err ]
wants 0 extract part.onnxtxt --from features -o -
has out 'g (float[2,6] features, bool c, float[6] bias) => (float[2,6] y, float[2,6] z)'
has err "extract: output 'aux' is left out, it is not computed from --from"
wants 0 extract part.onnxtxt --to features --to aux,y -o -
has out 'g (float[2,6] x, float[6] bias) => (float[2,6] features, float[2,6] aux, float[2,6] y)'
wants 0 extract part.onnxtxt --from left,right --to y -o -
has out 'g (float[2,6] "left,right", float[6] bias) => (float[2,6] y)'
wants 0 extract part.onnxtxt --from features,x --to y -o -
has err "extract: --from x: the part does not use this value"
wants 0 extract part.onnxtxt --from features --to features,y -o -
has out '=> (float[2,6] features, float[2,6] y)'
wants 2 extract part.onnxtxt --from feature --to y -o never.onnx
has err "--from feature: the model has no such value; did you mean 'features'?"
wants 2 extract part.onnxtxt --from p --to z -o never.onnx
has err "--from p: a graph within a node has this value"
wants 2 extract part.onnxtxt --from features --to y,y -o never.onnx
has err "--to y: the value is named twice"
wants 2 extract part.onnxtxt --from features --to y,aux -o never.onnx
has err "--to aux: the value depends on no value of --from"
wants 2 extract part.onnxtxt --from aux -o never.onnx
has err "extract: no output of the model is computed from --from"
wants 2 extract part.onnxtxt --to bias -o never.onnx --json
has err "there is no node between where the part begins and where it ends"
holds is_json
wants 2 extract part.onnxtxt --from bias,scale --to features -o never.onnx
has err "--to features: the value depends on no value of --from"
wants 2 extract part.onnxtxt --to y
has err "extract: -o OUT is missing"
wants 2 extract part.onnxtxt -o out.onnx
has err "extract: --from and --to are missing"
wants 2 extract part.onnxtxt --to y -o out.txt
has err "expected .onnx"
wants 3 extract nowhere.onnx --to y -o never.onnx
has err "nowhere.onnx: "
holds absent never.onnx

ends
