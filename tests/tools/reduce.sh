#!/bin/sh
# reduce.sh OCELLUS - reduce: models whose fault is known are cut down to the node that has it.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

absent() { [ ! -e "$1" ]; }

# Forty nodes, of which number 26 fails.
{
    echo '<ir_version: 8, opset_import: ["" : 17]>'
    echo 'g (float[N,3] v0) => (float[N,3] v40, float[N,3] v3) <int64[1] bad = {7}> {'
    i=0
    while [ $i -lt 40 ]; do
        if [ $i -eq 25 ]; then
            echo "v26 = Reshape (v25, bad)"
        else
            echo "v$((i + 1)) = Tanh (v$i)"
        fi
        i=$((i + 1))
    done
    echo '}'
} >forty.onnxtxt
wants 0 reduce forty.onnxtxt --fill random --dim N=2 --error "(Reshape-14)" -o small.onnxtxt
has err "reduce: 1 of 40 nodes is left after "
has small.onnxtxt "g () => (float[] v26)"
has small.onnxtxt "float[2,3] v25 = {"
wants 3 run small.onnxtxt
has err "(Reshape-14)"
wants 0 reduce forty.onnxtxt --fill random --dim N=2 --error "(Reshape-14)" -o again.onnxtxt --json
holds is_json
has out '"nodes": 1'
holds cmp small.onnxtxt again.onnxtxt
wants 0 reduce forty.onnxtxt --fill random --dim N=2 --error "(Reshape-14)" --tries 4 -o some.onnxtxt
has err "nodes are left after 4 tries, as many as --tries allows"
wants 2 reduce forty.onnxtxt --fill random --dim N=2 --error "no such text" -o never.onnx
has err "reduce: the model does not show it"

# An operator that is not supported keeps the model from any run.
cat >strange.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17, "com.me" : 1]>
g (float[2] x) => (float[2] y) { a = Abs (x) b = com.me.Twist (a) y = Exp (b) }
END
wants 0 reduce strange.onnxtxt --fill random --error "Twist" -o twist.onnxtxt
has err "reduce: 1 of 3 nodes is left after "
has twist.onnxtxt "b = com.me.Twist (a)"

# A function of the model that is not what its operator computes.
cat >wrong.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x) => (float[2,3] y, float[2,1] c)
{
  a = Abs (x)
  b = Relu (a)
  h = Constant <value_ints = [1, 2]> ()
  c, d = Split <axis = 1> (b, h)
  s = Softmax <axis = 1> (b)
  t = Tanh (s)
  y = Exp (t)
}
<domain: "", opset_import: ["" : 17]>
Softmax <axis: int = 1> (p) => (q) { r = Exp (p) q = Neg (r) }
END
wants 0 reduce wrong.onnxtxt --fill random --disagrees -o call.onnxtxt
has err "reduce: 1 of 7 nodes is left after "
has call.onnxtxt "s = Softmax"
has call.onnxtxt "q = Neg (r)"
wants 2 reduce call.onnxtxt --error "does not end so" -o never.onnx

# What a command of the shell finds, also where the name of the file is an odd one.
mkdir "it's"
wants 0 reduce wrong.onnxtxt --command "grep -q Tanh {model} && exit 5" --code 5 --fill zeros -o "it's/t.onnxtxt"
has "it's/t.onnxtxt" "t = Tanh (s)"
has err "reduce: 1 of 7 nodes is left after "
holds absent "it's/try-t.onnxtxt"
wants 2 reduce wrong.onnxtxt --command "true {model}" --fill zeros -o never.onnx
has err "reduce: the model does not show it"
wants 2 reduce wrong.onnxtxt --command "no-such-command {model}" --fill zeros -o never.onnx
has err "reduce: the command cannot be run: no-such-command"
# SIGINT, as Ctrl-C sends it to the command, ends both: what was found so far is there.
echo 0 >count
# shellcheck disable=SC2016
wants 130 reduce wrong.onnxtxt --fill zeros -o part.onnxtxt --command \
    'n=$(cat count); echo $((n + 1)) >count; [ "$n" -lt 4 ] || kill -INT $$; ! grep -q Tanh {model}'
has err "interrupted"
has part.onnxtxt "Tanh"
holds absent try-part.onnxtxt

# ---- command lines that are wrong
wants 2 reduce forty.onnxtxt -o never.onnx
has err "expected one of --error, --disagrees and --command"
wants 2 reduce forty.onnxtxt --error a --disagrees -o never.onnx
wants 2 reduce forty.onnxtxt --command "true" -o never.onnx
has err "--command has no {model}"
wants 2 reduce forty.onnxtxt --error a
has err "-o OUT is missing"
wants 2 reduce forty.onnxtxt --error a -o -
wants 2 reduce forty.onnxtxt --error a -o out.txt
has err "expected .onnx"
wants 2 reduce forty.onnxtxt --error a -o never.onnx --sandbox
wants 2 reduce forty.onnxtxt --error a -o never.onnx --tries 0
has err "--tries is 0"
wants 3 reduce nowhere.onnx --error a -o never.onnx
holds absent never.onnx
ends
