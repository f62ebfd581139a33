#!/bin/sh
# mistakes.sh OCELLUS - outputs that make no sense, and what is said of infinities and short times.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

cat >warp.onnxtxt <<'END'
<ir_version: 9, opset_import: ["" : 20]>
warp (float[1,3,8,8] x, float[1,2,3] theta) => (float[1,3,8,8] y) { size = Shape (x) grid = AffineGrid (theta, size) y = GridSample (x, grid) }
END

# ---- outputs that go nowhere sensible, refused before a file or a folder is made
mkdir refused
cd refused || exit 1
for sandbox in '' --sandbox; do
    # shellcheck disable=SC2086 # no word, or one
    while IFS='|' read -r target words; do
        wants 2 run ../warp.onnxtxt --fill random -o "$target" $sandbox
        has err "$words"
    done <<'END'
-|-o -: values do not go to standard output, expected a folder, .npy, .npz, .pb, .png or .jpg
y=-|-o y=-: values do not go to standard output, expected .npy, .pb, .png or .jpg
out.foo|-o out.foo: unknown ending .foo, expected a folder, .npy, .npz, .pb, .png or .jpg; 'out.foo/' makes a folder
model.onnx|-o model.onnx: unknown ending .onnx, expected a folder, .npy
y=|-o y=: the path is missing
y=y.foo|-o y=y.foo: unknown ending, expected .npy, .pb, .png or .jpg
yy=x.png|-o yy=x.png: the model has no output 'yy'; did you mean 'y'?
warp=x.png|-o warp=x.png: the model has no output 'warp'
END
done
holds test "$(ls | tr '\n' ' ')" = 'err out '
wants 0 run ../warp.onnxtxt --fill random -o out.foo/ -o ./warp=x.png
holds test -s out.foo/y.npy -a -s warp=x.png
cd ..

# ---- infinities whose mean is none, and times that are short
printf '%s\n' '<ir_version: 8, opset_import: ["" : 13]>' \
    'g () => (float[3] y, float n) <float[3] x = {inf, -inf, 1}> { y = Neg (x) n = ReduceSum <keepdims = 0> (x) }' >inf.onnxtxt
wants 0 run inf.onnxtxt --repeat 2
has out "y  float[3]  min -inf  max inf  mean nan  nan 0  inf 2"
holds grep -Eq '^([0-9.]+ us|[0-9.]+ ms), 2 nodes' out
wants 0 bench inf.onnxtxt --runs 9
holds grep -Eq '^min [0-9.e]+ (us|ms)  median [0-9.e]+ (us|ms)  p90 ' out

ends
