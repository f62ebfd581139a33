#!/bin/sh
# command.sh OCELLUS - the command from end to end: every subcommand, file format and exit code.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

absent() { [ ! -e "$1" ]; }

cat >join.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
join (float[N,3] a, float[2,3] b) => (float[M,3] y) { y = Concat <axis = 0> (a, b) }
END
cat >one.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
one (float[N,3] a, float[M,3] b) => (float[N,3] c, float[M,3] d)
{
    c = Concat <axis = 0> (a)
    d = Concat <axis = 0> (b)
}
END
cat >picture.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
picture (uint8[1,3,H,W] x) => (uint8[1,3,H,W] y, uint8[1,6,H,W] twice)
{
    y = Concat <axis = 0> (x)
    twice = Concat <axis = 1> (x, x)
}
END
cat >strange.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13, "com.me" : 1]>
strange (float[2] x) => (float[2] y) { t = com.me.Twist (x) y = com.me.Turn (t) }
END

# ---- help and usage
wants 0 --help
has out "usage: ocellus"
wants 0 --version
has out "ocellus "
wants 2
wants 2 nonsense
for command in run bench inspect test check expand extract join reduce convert ops; do
    wants 0 $command --help
    has out "--json"
    wants 2 $command --no-such-option
    has err "ocellus: $command:"
done
wants 2 run
wants 2 run join.onnxtxt extra
wants 2 expand join.onnxtxt
wants 2 convert join.onnxtxt out.txt
has err "expected .onnx"

wants 2 rnu
has err "there is no command 'rnu'; did you mean 'run'? 'ocellus --help' lists them"
wants 2 run join.onnxtxt --threds=3
has err "run: unknown option '--threds=3'; did you mean '--threads'? 'ocellus run --help' lists the options"
wants 2 run join.onnxtxt --nothing-like-it
has err "run: unknown option '--nothing-like-it'; 'ocellus run --help' lists the options"

# ---- a model that cannot be read: errors name the file
printf '%s\n' 'g (float x) => (y) {' '  y = Neg (x' '}' >broken.onnxtxt
for command in run inspect; do
    wants 3 $command broken.onnxtxt
    has err "ocellus: broken.onnxtxt: line 3, column 1: found '}', expected ','"
done
printf '%b' '\010\010\022\003abc\072\005\012\011' >broken.onnx
wants 3 run broken.onnx
has err "ocellus: broken.onnx: byte 9: ModelProto: a field is longer"
printf '%b' '\377\330\377\340\000\020JFIF' >photo.jpg
gzip -k photo.jpg
for file in photo.jpg photo.jpg.gz; do
    wants 3 run $file
    has err "ocellus: $file: not an ONNX model (looks like JPEG)"
done
wants 3 run nowhere.onnx
has err "ocellus: nowhere.onnx: it cannot be opened: "

# ---- run: inputs made up, outputs in every format, compared
wants 0 run join.onnxtxt --fill random --seed 7 --dim N=4 -o first
has out "y  float[6,3]  min"
wants 0 run join.onnxtxt --fill random --seed 7 --dim N=4 -o second
wants 2 run join.onnxtxt --fill random --op-options Concat.fast=1
has err "option 'Concat.fast': the operator has no option of that name"
wants 2 run join.onnxtxt --fill random --op-options Concat
has err "options 'Concat': line 1, column 7: found the end, expected '.'"
holds cmp first/y.npy second/y.npy
wants 0 run join.onnxtxt --fill random --seed 7 --dim N=4 --expect first --rtol 0 --atol 0
has out "y agrees: max abs 0, max ulp 0, mean abs 0, 0 % beyond the tolerance"
wants 1 run join.onnxtxt --fill random --seed 8 --dim N=4 --expect first
has out "y differs: 18 of 18 elements"
has out ", 100 % beyond the tolerance"
wants 1 run join.onnxtxt --fill random --seed 7 --dim N=5 --expect first
has out "float[7,3], expected float[6,3]"
wants 0 run join.onnxtxt --fill zeros --dim a:0=1
has out "min 0  max 0  mean 0  nan 0"
wants 0 run join.onnxtxt --fill random --dim N=4 -o y.npz -o y=y.npy -o y.pb -o deep/folder
wants 0 run join.onnxtxt --fill random --dim N=4 --expect y.npz
wants 0 run join.onnxtxt --fill random --dim N=4 --expect deep/folder
mkdir pb && mv y.pb pb/output_0.pb
wants 0 run join.onnxtxt --fill random --dim N=4 --expect pb --json
holds is_json
has out '"agrees": true'
has out '"mean_abs": 0'
has out '"beyond_tolerance": 0'
wants 3 run join.onnxtxt --fill random --dim N=4 --expect nowhere
wants 2 run join.onnxtxt --fill random --dim N=4 --expect pb/output_0.pb
has err "--expect pb/output_0.pb: a single file, expected a folder with NAME.npy or output_0.pb, or a .npz"
wants 3 run join.onnxtxt --fill random --dim N=4 --expect deep
has err "no value for output 'y'"

# ---- run and test: sequences and optionals, in and out
cat >make.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 16]>
g (float[2] x) => (seq(float[]) s, optional(seq(float[])) o, optional(float[]) n)
{ s = SequenceConstruct (x, x) o = Optional (s) n = Optional <type: type_proto = float[]> () }
END
cat >use.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 16]>
g (seq(float[]) s, optional(seq(float[])) o, optional(float[]) n) => (int64 length, bool has, seq(float[]) t)
{ length = SequenceLength (s) has = OptionalHasElement (n) t = OptionalGetElement (o) }
END
wants 0 run make.onnxtxt --fill random --seed 3 -o lists
has out "s  seq(float)[2]"
has out "o  optional(seq(float))"
has out "    [1]  float[2]  min"
has out "n  optional(none)"
wants 0 run make.onnxtxt --fill random --seed 3 --expect lists
has out "o agrees: max abs 0"
wants 1 run make.onnxtxt --fill random --seed 4 --expect lists
has out "o differs: item 0: item 0: 2 of 2 elements differ"
wants 0 run use.onnxtxt -i s=lists/s.pb -i o=lists/o.pb -i n=lists/n.pb -o used
has out "length  int64[]  min 2"
has out "has     bool[]  min 0"
wants 3 run use.onnxtxt -i s=lists/o.pb -i o=lists/o.pb -i n=lists/n.pb
has err "input 's' is seq(float)[1] with an item of another kind or type"
wants 2 run use.onnxtxt --fill random
has err "input 's' is seq(float), and only tensors are made up"
mkdir -p listed/use/test_data_set_0
wants 0 convert use.onnxtxt listed/use/model.onnx
n=0
for name in s o n; do
    cp lists/$name.pb listed/use/test_data_set_0/input_$n.pb
    n=$((n + 1))
done
wants 0 run use.onnxtxt -i listed/use/test_data_set_0 --pb -o used
n=0
for name in length has t; do
    cp used/$name.pb listed/use/test_data_set_0/output_$n.pb
    n=$((n + 1))
done
wants 0 test listed
holds test "$(tail -n 1 out)" = "1 passed, 0 failed, 0 skipped"
cp lists/n.pb listed/use/test_data_set_0/output_2.pb
wants 1 test listed

# ---- run: inputs from files, by name, by order, from archives and folders
wants 0 run join.onnxtxt --fill random --dim N=2 --dump dump --profile
has out "Concat"
has out "% "
holds test -s dump/000000_Concat_y.npy
cat >warp.onnxtxt <<'END'
<ir_version: 9, opset_import: ["" : 20]>
warp (float[1,3,8,8] x, float[1,2,3] theta) => (float[1,3,8,8] y)
{
    size = Shape (x)
    grid = AffineGrid (theta, size)
    y = GridSample (x, grid)
}
END
wants 0 run warp.onnxtxt --fill random --profile -o warp.npy
has out "AffineGrid in GridSample"
wants 0 run warp.onnxtxt --fill random --profile --json
has out '"fused_into": "GridSample"'
wants 0 run warp.onnxtxt --fill random --verbose
has err "1 of them fused into others"
wants 0 run warp.onnxtxt --fill random --no-fusion --verbose -o plain.npy
has err "0 of them fused into others"
holds cmp warp.npy plain.npy
wants 0 run warp.onnxtxt --fill random --dump warped
holds test -s warped/000001_AffineGrid_grid.npy
cat >halves.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
halves (float[2,3] x) => (float[2,3] b, float[2,3] a)
{
    b = Concat <axis = 0> (x)
    a = Concat <axis = 0> (x)
}
END
wants 0 run halves.onnxtxt --fill random -o halves.npz -o a=a.npy
wants 0 run join.onnxtxt -i halves.npz -o joined.npy
wants 0 run join.onnxtxt -i a.npy -i a.npy -o same.npy
holds cmp joined.npy same.npy
wants 0 run one.onnxtxt -i a=y.npy -i second/y.npy -o d=d.npy
holds cmp d.npy second/y.npy
wants 3 run join.onnxtxt -i y.npy -i second/y.npy
has err "input 'b' is float[6,3], expected float[2,3]"
wants 0 run join.onnxtxt --fill random --seed 3 --dim N=2 -o b.npz
wants 2 run join.onnxtxt -i b.npz
has err "the model has no input 'y'"
wants 2 run join.onnxtxt -i a=y.npy
has err "no value for input 'b' float[2,3]"
wants 2 run join.onnxtxt
has err "'a' float[N,3], 'b' float[2,3]"
wants 2 run join.onnxtxt -i c=y.npy
has err "the model has no input 'c'"
wants 2 run warp.onnxtxt -i thet=y.npy
has err "-i thet=y.npy: the model has no input 'thet'; did you mean 'theta'?"
wants 2 run join.onnxtxt -i y.npy -i a=y.npy
has err "has a value already"
wants 2 run join.onnxtxt --fill random
has err "--dim N"
wants 2 run join.onnxtxt --fill random --dim K=3
has err "no input has such a dimension"
wants 2 run join.onnxtxt --fill random --dim N=1 --dim b:0=3
has err "--dim b:0=3: the model has 2 on axis 0 of input 'b'"
wants 2 run join.onnxtxt --fill random --dim N=4 --standard
wants 2 run join.onnxtxt --fill random --dim N=4 --cpu abacus
has err "cpu 'abacus' is unknown"
other=neon
[ "$(uname -m)" = aarch64 ] && other=avx512
wants 2 run join.onnxtxt --fill random --dim N=4 --cpu $other
has err "--cpu $other: this processor does not have it, its best is "
for cpu in scalar native; do
    wants 0 run join.onnxtxt --fill random --dim N=4 --cpu $cpu --verbose
    has err "instructions: "
done
wants 2 run join.onnxtxt --fill random --dim N=4 --image-mean 1,x
"$ocellus" run - --fill random --dim N=1 --dim b:0=2 <join.onnxtxt >out 2>err
holds test $? -eq 0
has out "float[3,3]"
wants 3 run - --fill random

# ---- pictures
wants 0 run picture.onnxtxt --fill random --dim H=5 --dim W=6 -o pictures --png
has err "pictures/y.png: 6 x 5, 8-bit <- uint8, as they are, NCHW rgb"
holds test -s pictures/twice.npy
wants 0 run picture.onnxtxt -i pictures/y.png -o y=again.png -o y=again.jpg
has err "pictures/y.png: 6 x 5, 8-bit -> uint8, element = sample, NCHW rgb"
holds cmp pictures/y.png again.png
wants 0 run picture.onnxtxt -i again.jpg --quiet
holds test ! -s err
printf 'P6 1 1 255\nabcP6 1 1 255\nabc' >several.ppm
wants 3 run picture.onnxtxt -i several.ppm
has err "several.ppm: another picture follows the first, expected one in a file"
wants 2 run picture.onnxtxt -i again.png -o one.png
has err "the model has 2 outputs"
wants 3 run picture.onnxtxt -i again.png -o twice=twice.png
has err "is not a picture"
holds absent twice.png
wants 3 run picture.onnxtxt -i again.png --image-channels gray

# ---- what is invalid, unsupported, or too much
wants 3 run no_such_file.onnx
echo nonsense >bad.onnx
wants 3 run bad.onnx --json
has err "bad.onnx: "
holds is_json
has out '"error"'
head -c 100 y.npy >short.npy
wants 3 run join.onnxtxt -i short.npy --fill random
has err "short.npy"
head -c 100 y.npz >short.npz
wants 3 run join.onnxtxt -i short.npz --fill random
wants 4 run strange.onnxtxt --fill random
has err "Twist"
has err "Turn"
wants 5 run join.onnxtxt --fill random --dim N=100000 --memory-cap 64K
wants 5 run join.onnxtxt --fill random --dim N=4 --input-cap 100 -i y.npy
python3 -c 'import zipfile
with zipfile.ZipFile("large.npz", "w", zipfile.ZIP_DEFLATED) as z: z.writestr("y.npy", bytes(100000))'
wants 5 run join.onnxtxt --fill random --dim N=4 --input-cap 5000 -i large.npz
has err 'large.npz: the archive unpacks to more than 5000 bytes, the most that is read'
wants 5 run picture.onnxtxt --fill random --dim H=5 --dim W=5 --max-steps 1
wants 5 run picture.onnxtxt --fill random --dim H=500 --dim W=500 --deadline 0.0000001
for limit in '--memory-cap 1K' '--deadline 0.0000001'; do
    # shellcheck disable=SC2086 # two words
    wants 5 inspect join.onnxtxt $limit
    # shellcheck disable=SC2086
    wants 5 convert join.onnxtxt limited.onnx $limit
    # shellcheck disable=SC2086
    wants 5 expand join.onnxtxt -o limited.onnx $limit
done
wants 3 run join.onnxtxt --fill random --dim N=4 -o no/such.npy
wants 2 run join.onnxtxt --fill random --dim N=4 --expand NoSuchOperator
wants 2 run join.onnxtxt --fill random --dim N=4 --expand AffinGrid
has err "there is no function body of an operator 'AffinGrid'; did you mean 'AffineGrid'?"
wants 2 test . --standard
wants 2 expand join.onnxtxt --only NoSuchOperator -o x.onnx
wants 2 expand join.onnxtxt --local --only AffineGrid -o x.onnx
wants 2 expand join.onnxtxt --local --standard -o x.onnx
if [ -w /dev/full ]; then
    "$ocellus" ops >/dev/full 2>err
    holds test $? -eq 3
    has err "standard output"
    ln -s /dev/full full.onnx
    wants 3 convert join.onnxtxt full.onnx
    has err "full.onnx: No space left"
fi
"$ocellus" run join.onnxtxt --fill random --dim N=400 --repeat 100000000 >out 2>err &
process=$!
sleep 0.3
kill -INT $process 2>/dev/null
wait $process
holds test $? -eq 130 # as SIGINT ends a process
has err "cancelled"

# ---- bench
wants 0 bench join.onnxtxt --fill random --dim N=4 --runs 5 --warm 2 --threads 1
has out "join.onnxtxt: runs: 5, after 2 warm ones, threads: 1"
has out "median"
has out "1 nodes, at most "
wants 0 bench join.onnxtxt --fill random --dim N=4 --runs 5 --json
holds is_json
has out '"runs": 5'
has out '"warm": 3'
holds python3 -c 'import json; o = json.load(open("out"))
assert len(o["samples_ms"]) == 5 and o["min_ms"] == min(o["samples_ms"]) and o["peak_bytes"] >= 72'
wants 0 bench join.onnxtxt --fill random --dim N=4 --runs 2 --roofline --threads 1 --cpu scalar
has out "GFLOP/s (scalar, threads: 1)"
has out "memory   Concat "
has out "nodes together: "
wants 0 bench join.onnxtxt --fill random --dim N=4 --runs 2 --roofline --json
holds is_json
holds python3 -c 'import json; r = json.load(open("out"))["roofline"]
assert [n["operator"] for n in r["nodes"]] == ["Concat"] and r["nodes"][0]["share"] == 1
assert r["nodes"][0]["bytes"] > 0 and r["nodes"][0]["flop"] == 0 and r["threads"] >= 1 and len(r["copies"]) == 7'
wants 2 bench
wants 2 bench join.onnxtxt
wants 2 bench join.onnxtxt --fill random --dim N=4 --runs 0
wants 3 bench bad.onnx --json
holds is_json
wants 4 bench strange.onnxtxt --fill random
wants 5 bench join.onnxtxt --fill random --dim N=100000 --memory-cap 64K

# ---- inspect
wants 0 inspect join.onnxtxt
has out "a                         float[N,3]"
has out "Concat"
has out "native"
wants 4 inspect strange.onnxtxt
has out "com.me::Turn"
has err "2 operators are not supported"
wants 4 inspect strange.onnxtxt --json
holds is_json
wants 3 inspect bad.onnx
cat >wrong.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
wrong (bool c, float[2] x) => (double[3] y, float[3] z, w, u, v)
{
    y = Add (x, x)
    z = Neg (x)
    [spin] w = Concat <axis = 1.5> (x, x)
    [turn] u = Softmax <axes = 1> (w)
    v = If <then_branch = t () => (float[2] a) { a = Neg <way = 1> (x) },
            else_branch = f () => (float[2] b, float[2] d) { b = Neg (x) d = Neg (x) }> (c)
}
END
wants 3 inspect wrong.onnxtxt
has out "node of 'y' (Add-13): output 'y' is float, declared double[3]"
has out "node 'spin' (Concat-13): attribute 'axis' is of kind float, expected int"
has out "node 'turn' (Softmax-13): attribute 'axes' is unknown to this version"
has out "node of 'a' (Neg-13): attribute 'way' is unknown to this version"
has out "node of 'v' (If-13): else_branch has 2 outputs, expected 1"
has out "  node of 'z' (Neg-13): output 'z' is float[2], declared float[3]"
has err "wrong.onnxtxt: 5 problems"
wants 3 inspect wrong.onnxtxt --json
holds is_json
has out '"text": "node of '"'y' (Add-13)"
cat >dims.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
dims (float[2] x) => (float[3] y) { y = Neg (x) }
END
wants 0 inspect dims.onnxtxt
has out "remarks:"
wants 0 run dims.onnxtxt --fill random --verbose
has err "output 'y' is float[2], declared float[3]"
cat >later.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 16, "ai.onnx.ml" : 1]>
later (float[2] x) => (y) { t = GroupNormalization (x, x, x) u = Layer (t) y = ai.onnx.ml.TreeEnsemble (u) }
END
wants 4 inspect later.onnxtxt
has out "unsupported, ONNX has it since 18"
has out "unsupported, ONNX has no such operator"
has out "unsupported, ONNX has it since 5"
wants 4 inspect later.onnxtxt --json
has out '"onnx_since": 18'
cat >saved.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13, "com.microsoft" : 1]>
saved (float[2] x) => (z) { y = com.microsoft.Gelu (x) z = LayerNormalization (y, x) }
END
wants 0 inspect saved.onnxtxt
has out "com.microsoft::Gelu               1      1      1  body"
has out "LayerNormalization                1     13      1  body"
wants 0 run saved.onnxtxt --fill random
wants 0 expand saved.onnxtxt -o expanded.onnxtxt --only com.microsoft::Gelu
wants 0 ops com.microsoft::Gelu
has out "com.microsoft::Gelu-1 has a function body"

# ---- convert
wants 0 convert join.onnxtxt join.onnx
wants 0 convert join.onnx again.onnxtxt
wants 0 convert again.onnxtxt again.onnx
holds cmp join.onnx again.onnx
wants 0 convert join.onnx join.onnx.gz
holds gzip -t join.onnx.gz
wants 0 convert join.onnx.gz -
has out "Concat"
wants 0 convert join.onnx.gz b.onnx --json
holds is_json
wants 3 convert bad.onnx c.onnx
cat >symbols.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
symbols (float[n,4] x) => (float[] y) { a = Concat <axis = 0> (x, x) y = Flatten (a) }
END
wants 0 convert symbols.onnxtxt told.onnx --shapes
wants 0 convert told.onnx -
has out '(float["2*n",4] y)'
has out 'float["2*n",4] a'
wants 0 convert symbols.onnxtxt -
has out '(float[] y)'
holds absent c.onnx

# ---- check
wants 4 check NoSuchOperator
wants 4 check Affinegrid
has err "did you mean 'AffineGrid'?"
wants 4 check strange.onnxtxt --fill random

# ---- test: a folder of three, and a manifest
for name in good wrong; do
    mkdir -p tests/$name/test_data_set_0
    cp join.onnx tests/$name/model.onnx
    wants 0 run join.onnx --fill random --seed 1 --dim N=2 -o new --pb
    cp new/y.pb tests/$name/test_data_set_0/output_0.pb
done
wants 0 run one.onnxtxt --fill random --seed 1 --dim N=2 --dim M=2 -o new --pb
for name in good wrong; do
    cp new/c.pb tests/$name/test_data_set_0/input_0.pb
    cp new/d.pb tests/$name/test_data_set_0/input_1.pb
done
wants 0 run one.onnxtxt --fill random --seed 2 --dim N=2 --dim M=2 -o new --pb
cp new/c.pb tests/wrong/test_data_set_0/input_0.pb
mkdir -p tests/strange
wants 0 convert strange.onnxtxt tests/strange/model.onnx
wants 1 test tests
has out "pass  good: max abs 0, max ulp 0, mean abs 0, 0 % beyond the tolerance"
has out "fail  wrong: output 'y': 6 of 12 elements differ"
has out ", 50 % beyond the tolerance"
has out "skip  strange: unsupported: com.me::Twist-1, com.me::Turn-1"
holds test "$(tail -n 1 out)" = "1 passed, 1 failed, 1 skipped"
wants 0 test tests/good tests/strange
holds test "$(tail -n 1 out)" = "1 passed, 0 failed, 1 skipped"
wants 0 test tests --filter 'g*d' --quiet
holds test "$(cat out)" = "1 passed, 0 failed, 0 skipped"
wants 1 test tests --json
holds is_json
has out '"beyond_tolerance": 0.5'
echo '{"atol": 10, "rtol": 0}' >tests/wrong/data.json
wants 0 test tests
rm tests/wrong/data.json
wants 3 test nowhere
# Nothing to test is an error; folders are looked into as deep as they go, and links that lead back once.
mkdir -p empty/of/tests deep/1/2/3/4/5/6/7
wants 3 test empty
has err "empty: there is no test in it or below it"
wants 3 test tests/good empty --json
holds is_json
has out '"passed": 1'
has out '"error": "empty: there is no test'
wants 2 test tests --filter 'g*d' --filter 'bad*'
has err "--filter bad*: it fits no test"
has out "1 passed, 0 failed, 0 skipped"
cp -r tests/good deep/1/2/3/4/5/6/7/good
for name in a b c d; do
    ln -s . deep/$name
    ln -s ../../.. deep/1/2/3/$name
done
ln -s "$work/tests/good" deep/1/2/linked
wants 0 test deep
holds test "$(sed 's/:.*//' out)" = "pass  good
pass  linked
2 passed, 0 failed, 0 skipped"
printf 'good pass\nwrong fail known\nstrange skip not yet\n' >list
wants 0 test tests --manifest list
holds test "$(tail -n 1 out)" = "1 passed, 0 failed, 2 skipped"
printf 'good skip not yet\nwrong fail\nstrange skip\n' >list
wants 1 test tests --manifest list
has out "fail  good: passes, but list:1 lists it as skip"
printf 'good fail\n* skip\n' >list
wants 1 test tests --manifest list
has out "lists it as fail"
printf 'good pass\nstrange pass\n' >list
wants 1 test tests --manifest list
has out "fail  strange: unsupported"
has out "fail  wrong: no line of list matches it"
echo "good perhaps" >list
wants 3 test tests --manifest list

ends
