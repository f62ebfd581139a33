#!/bin/sh
# join.sh OCELLUS - join: two models in one, what is remarked, and what is refused.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

absent() { [ ! -e "$1" ]; }

cat >net.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 9], metadata_props: ["names": "cat"]>
net (float[N,2] x) => (float[N,2] y, float[N,2] "a=b", float[N,2] boxes)
{
    y = Neg (x)
    "a=b" = Abs (x)
    boxes = Relu (x)
}
END
cat >decoder.onnxtxt <<'END'
<ir_version: 9, opset_import: ["" : 18], metadata_props: ["names": "dog", "task": "detect"]>
decoder (float[M,2] raw, float[M,2] boxes, float[2] size) => (float[M,2] boxes_out)
{
    t = Add (raw, boxes)
    boxes_out = Mul (t, size)
}
END
wants 0 join net.onnxtxt decoder.onnxtxt -l y=raw --link boxes=boxes -o whole.onnx
has err "net.onnxtxt: metadata 'names' of the second model is left out: the first has another value"
wants 0 convert whole.onnx -
has out 'net (float[N,2] x, float[2] size) => (float[N,2] boxes_out, float[N,2] "a=b")'
has out '"second/t" = Add (y, boxes)'
has out 'metadata_props: ["names": "cat", "task": "detect"]'
wants 0 run whole.onnx --fill zeros --dim N=3
has out "boxes_out  float[3,2]"

wants 0 join net.onnxtxt decoder.onnxtxt -l a=b=raw -l boxes=boxes --prefix post -o - --json
has out '"post/t" = Add ("a=b", boxes)'
wants 0 join net.onnxtxt decoder.onnxtxt -o whole.onnx.gz --json # boxes alone
holds is_json
has out '"nodes": 5'
has out "metadata 'names' of the second model"
wants 0 inspect whole.onnx.gz
has out "raw"

cat >again.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
again (float[M,2] x, float[M,2] y) => (float[M,2] z) { z = Sub (x, y) }
END
wants 0 join net.onnxtxt again.onnxtxt -l y=y -l x=x -o -
has out 'net (float[N,2] x) => (float[N,2] z, float[N,2] "a=b", float[N,2] boxes)'
has out 'z = Sub (x, y)'

wants 2 join net.onnxtxt decoder.onnxtxt -l z=raw -o never.onnx
has err "--link z=raw: expected OUTPUT=INPUT, with an output or input of net.onnxtxt"
wants 2 join net.onnxtxt decoder.onnxtxt -l y -o never.onnx
has err "--link y: expected OUTPUT=INPUT, with an output or input of net.onnxtxt"
wants 2 join net.onnxtxt decoder.onnxtxt -l y=z -o never.onnx --json
has err "the second model has no input 'z'"
holds is_json
wants 2 join net.onnxtxt decoder.onnxtxt -l y=raw -l boxes=raw -o never.onnx
has err "input 'raw' of the second model is linked twice"
wants 3 join net.onnxtxt decoder.onnxtxt -l y=size -o never.onnx
has err "'y' of the first model is float[N,2], expected float[2] as input 'size' of the second"
wants 2 join net.onnxtxt net.onnxtxt -l y=x -o never.onnx
has err "output 'a=b' of the second model has the name of an input or output of the first; a prefix would"
wants 2 join decoder.onnxtxt net.onnxtxt -o never.onnx
has err "no output of the first model has the name of an input of the second"
wants 2 join net.onnxtxt -o never.onnx
wants 2 join net.onnxtxt decoder.onnxtxt
has err "join: -o OUT is missing"
wants 2 join net.onnxtxt decoder.onnxtxt -o out.txt
has err "expected .onnx"
wants 3 join net.onnxtxt nowhere.onnx -o never.onnx
has err "nowhere.onnx: "
holds absent never.onnx

ends
