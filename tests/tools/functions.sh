#!/bin/sh
# functions.sh OCELLUS - --functions FILE of every command that has it: what is overridden, what is refused, what is said.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

cat >model.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22, "here" : 1]>
model (float[3] x) => (float[3] y, float[3] z) { [act] y = Relu (x)  z = here.Twist (x) }
<domain: "here", opset_import: ["" : 22]>
Twist (x) => (y) { y = Identity (x) }
END
cat >plain.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22, "here" : 1]>
plain (float[3] x) => (float[3] z) { z = here.Twist (x) }
END
# Functions alone; a whole model with functions; the same as binary ONNX.
cat >neg.onnxtxt <<'END'
<domain: "", opset_import: ["" : 22]>
Relu (x) => (y) { y = Neg (x) }
END
cat >abs.onnxtxt <<'END'
<ir_version: 10, opset_import: ["" : 22, "here" : 1]>
unused (float[1] p) => (float[1] q) { q = Neg (p) }
<domain: "here", opset_import: ["" : 22]>
Twist (x) => (y) { y = Abs (x) }
END
wants 0 convert abs.onnxtxt abs.onnx
python3 -c 'import struct, sys; sys.stdout.buffer.write(b"\x93NUMPY\x01\x00v\x00" +
    (b"{'\''descr'\'': '\''<f4'\'', '\''fortran_order'\'': False, '\''shape'\'': (3,), }".ljust(117) + b"\n") +
    struct.pack("<3f", -1, 2, -3))' >x.npy

# ---- run: in place of a kernel, of the model's own function, whatever --expand says
wants 0 run model.onnxtxt -i x.npy --print
has out "[0. 2. 0.]"
has out "[-1.  2. -3.]"
wants 0 run model.onnxtxt -i x.npy --print --functions neg.onnxtxt
has out "[ 1. -2.  3.]"
has out "[-1.  2. -3.]"
wants 0 run model.onnxtxt -i x.npy --print --functions neg.onnxtxt --functions abs.onnx --expand all
has out "[ 1. -2.  3.]"
has out "[1. 2. 3.]"
holds test ! -s err
wants 4 run plain.onnxtxt -i x.npy
wants 0 run plain.onnxtxt -i x.npy --print --functions abs.onnxtxt
has out "[1. 2. 3.]"
mkdir inner # --sandbox opens the folders of the files that are named, and of no others
cp model.onnxtxt inner
wants 0 run inner/model.onnxtxt -i x.npy --print --functions abs.onnx --sandbox --no-map
has out "[1. 2. 3.]"

# ---- a function that nobody calls is a remark
wants 0 run plain.onnxtxt -i x.npy --json --functions abs.onnx --functions neg.onnxtxt
holds is_json
has err "ocellus: --functions: plain.onnxtxt: no node calls 'Relu' of neg.onnxtxt"
holds sh -c '! grep -q Twist err'

# ---- the other commands
wants 0 bench model.onnxtxt -i x.npy --runs 1 --warm 0 --operators --functions neg.onnxtxt
has out "Neg"
wants 1 check model.onnxtxt -i x.npy --functions neg.onnxtxt --functions abs.onnxtxt
has out "first at 'y' of node 'act' (Relu): "
has out "a function of the model: no kernel to be compared with"
wants 2 check Relu --functions neg.onnxtxt
has err "check: --functions goes with a model; of one operator --body gives a body"
wants 0 inspect plain.onnxtxt --functions abs.onnx
has out "1 nodes, 1 functions"
holds grep -Eq 'here::Twist +1 +1 +- +function' out
wants 0 inspect plain.onnxtxt model.onnxtxt --build --functions neg.onnxtxt --functions abs.onnx
has out "Neg"
holds test ! -s err
wants 0 expand model.onnxtxt -o - --local --functions neg.onnxtxt --functions abs.onnx
has out "y = Neg (x)"
has out "z = Abs (x)"
mkdir -p suite/one suite/two
for name in one two; do
    wants 0 run model.onnxtxt -i x.npy --save-test suite/$name/t
done
wants 0 test suite
wants 1 test suite --functions abs.onnx
has out "output 'z': "
has out "0 passed, 2 failed"
cat >other.onnxtxt <<'END'
<domain: "", opset_import: ["" : 22]>
Softsign (x) => (y) { y = Neg (x) }
END
wants 0 test suite --functions other.onnxtxt
has err "--functions: the tests: no node calls 'Softsign' of other.onnxtxt"
holds test "$(wc -l <err)" -eq 1

# ---- what is refused
refused() { # CODE WORDS FILE...
    code=$1
    words=$2
    shift 2
    list=
    for file in "$@"; do
        list="$list --functions $file"
    done
    # shellcheck disable=SC2086
    wants "$code" run model.onnxtxt -i x.npy $list
    has err "$words"
}
sed '/^<domain/,$d' abs.onnxtxt >none.onnxtxt
refused 3 "ocellus: none.onnxtxt: there is no function in it" none.onnxtxt
refused 3 "ocellus: nowhere.onnx: it cannot be opened" nowhere.onnx
cat neg.onnxtxt neg.onnxtxt >twice.onnxtxt
refused 3 "ocellus: twice.onnxtxt: function '::Relu' is defined twice" twice.onnxtxt
refused 3 "ocellus: abs.onnx: function 'here::Twist' is in abs.onnxtxt too" abs.onnxtxt abs.onnx
sed 's/"here" : 1/"here" : 2/' abs.onnxtxt >newer.onnxtxt
refused 3 "ocellus: newer.onnxtxt: function 'here::Twist' is of opset 2 of its domain, and the model calls opset 1" \
    newer.onnxtxt
sed 's/"" : 22\]/"" : 99]/' neg.onnxtxt >future.onnxtxt
refused 4 "ocellus: future.onnxtxt: function 'Relu': opset 99 is newer than" future.onnxtxt
sed 's/Neg/Relu/' neg.onnxtxt >self.onnxtxt
refused 3 "ocellus: self.onnxtxt: " self.onnxtxt
printf '%s\n' '<domain: "", opset_import: ["" : 22]>' 'Relu (x) => (y)' '{' '#if x' 'y = Neg (x)' '#end' '}' >lines.onnxtxt
refused 4 "ocellus: lines.onnxtxt: line 4: a line '#if' chooses for one call" lines.onnxtxt
# A function of ONNX's domain, in a file of another version: the same operator, and another one.
(echo '<ir_version: 10, opset_import: ["" : 13]> g (float[1] p) => (float[1] q) { q = Neg (p) }' && cat neg.onnxtxt) >older.onnxtxt
refused 3 "ocellus: older.onnxtxt: function 'Relu' is of opset 13" older.onnxtxt
sed -i 's/"" : 13/"" : 15/' older.onnxtxt
wants 0 run model.onnxtxt -i x.npy --print --functions older.onnxtxt
has out "[ 1. -2.  3.]"

ends
