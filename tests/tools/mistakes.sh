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

# ---- words of a choice
for way in exact fast; do
    wants 0 run warp.onnxtxt --fill random --cpu scalar --unfused $way --verbose
    has err "instructions: scalar, products: $way,"
done
wants 2 run warp.onnxtxt --fill random --unfused quick
has err "run: --unfused is 'quick', expected exact or fast"
wants 2 bench warp.onnxtxt --fill random --unfused
has err "bench: a value is missing behind '--unfused'"

# ---- names of inputs and outputs with '=' and '/', of which the longest that fits is meant
printf '%s\n' '<ir_version: 8, opset_import: ["" : 13]>' \
    'g (float[2] "a=b", float[2] a) => (float[2] "/net/y", float[2] "z=", float[2] z) { "/net/y" = Neg ("a=b") "z=" = Abs (a) z = Exp (a) }' >names.onnxtxt
mkdir -p d=e
wants 0 run names.onnxtxt --fill random -o "/net/y=one.npy" -o "z==two.npy" -o z=d=e/three.npy -o ./out.npz
holds test -s one.npy -a -s two.npy -a -s d=e/three.npy -a -s out.npz
for sandbox in '' --sandbox; do
    # shellcheck disable=SC2086 # no word, or one
    wants 0 run names.onnxtxt -i a=b=one.npy -i a=d=e/three.npy -o "/net/y=minus.npy" -o z==d=e/abs.npy $sandbox
    holds test -s minus.npy -a -s d=e/abs.npy
    holds cmp d=e/abs.npy d=e/three.npy # of numbers above 0
    holds sh -c '! cmp one.npy minus.npy'
    rm -f minus.npy d=e/abs.npy
    while IFS='|' read -r target words; do
        # shellcheck disable=SC2086
        wants 2 run names.onnxtxt --fill random -o "$target" $sandbox
        has err "$words"
    done <<'END'
/net/y=z.foo|-o /net/y=z.foo: unknown ending
z==y.foo|-o z==y.foo: unknown ending, expected .npy, .pb, .png or .jpg
zz=y.npy|-o zz=y.npy: the model has no output 'zz'; did you mean 'z='?
END
done
wants 2 run names.onnxtxt --fill random -i b=a=one.npy
has err "-i b=a=one.npy: the model has no input 'b'"
wants 2 run names.onnxtxt -i a=b=one.npy -i a=b=two.npy
has err "input 'a=b' has a value already"

# ---- what was meant
touch rnu
while IFS='|' read -r line words; do
    # shellcheck disable=SC2086 # words
    wants 2 $line
    has err "$words"
done <<'END'
run warp.onnxtxt --mean 1|run: unknown option '--mean'; did you mean '--image-mean'?
run warp.onnxtxt --layout=nhwc|run: unknown option '--layout=nhwc'; did you mean '--image-layout'?
bench warp.onnxtxt --fusion|bench: unknown option '--fusion'; did you mean '--no-fusion'?
run warp.onnxtxt --output-dir a|did you mean '--output'?
warp.onnxtxt|'warp.onnxtxt' is no command: 'ocellus run MODEL' runs a model, 'ocellus --help' lists all
nothing.onnx -i x.npy|'nothing.onnx' is no command: 'ocellus run MODEL' runs a model
one.npy|'one.npy' is no command: 'ocellus run MODEL' runs a model
d=e|there is no command 'd=e'
rnu|there is no command 'rnu'; did you mean 'run'?
help warp.onnxtxt|'warp.onnxtxt' is no command: 'ocellus run MODEL' runs a model
help rum|there is no command 'rum'; did you mean 'run'?
END
wants 0 help run
cp out told
wants 0 run --help
holds cmp out told
wants 0 help run --json
holds is_json
has out '"command": "run"'
wants 0 help --json
holds is_json
wants 0 help
has out "ocellus help COMMAND"

# ---- numbers of another type, and files that are cut off
python3 - <<'END'
def npy(name, kind, data):
    header = b"{'descr': '%s', 'fortran_order': False, 'shape': (2,), }\n" % kind
    with open(name, 'wb') as f:
        f.write(b'\x93NUMPY\1\0' + len(header).to_bytes(2, 'little') + header + data)
npy('double.npy', b'<f8', bytes(16))
npy('float.npy', b'<f4', bytes(8))
END
wants 3 run names.onnxtxt -i a=double.npy --fill random
has err "input 'a' is of type double, expected float[2]; --cast converts numbers"
wants 0 run names.onnxtxt -i a=double.npy --fill random --cast
mkdir doubles
cp double.npy doubles
wants 3 map names.onnxtxt -i a=doubles -o mapped --fill random
has err "doubles/double.npy: input 'a' is of type double, expected float[2]; --cast converts numbers"
wants 0 convert names.onnxtxt whole.onnx
wants 0 run names.onnxtxt --fill random -o pb --pb
wants 0 run warp.onnxtxt --fill random -o png --png
printf 'P6 2 1 255\nabcdef' >whole.ppm
cp pb/z.pb whole.pb
cp png/y.png whole.png
cp out.npz whole.npz
cp float.npy whole.npy
gzip -c whole.onnx >whole.onnx.gz
for file in whole.*; do
    head -c $(($(wc -c <"$file") - 3)) "$file" >"cut.${file#*.}"
    case $file in
    *.onnx | *.gz) wants 3 inspect "cut.${file#*.}" ;;
    *.p[np][gm]) wants 3 run warp.onnxtxt --fill random -i "x=cut.${file#*.}" ;;
    *) wants 3 run names.onnxtxt --fill random -i "cut.${file#*.}" ;;
    esac
    has err "cut off"
done
head -c 5 float.npy >cut.npy
wants 3 run names.onnxtxt --fill random -i cut.npy
has err "cut.npy: it is cut off"
: >cut.npy
wants 3 run names.onnxtxt --fill random -i cut.npy
has err "cut.npy: it is empty"

# ---- infinities whose mean is none, and times that are short
printf '%s\n' '<ir_version: 8, opset_import: ["" : 13]>' \
    'g () => (float[3] y, float n) <float[3] x = {inf, -inf, 1}> { y = Neg (x) n = ReduceSum <keepdims = 0> (x) }' >inf.onnxtxt
wants 0 run inf.onnxtxt --repeat 2
has out "y  float[3]  min -inf  max inf  mean nan  nan 0  inf 2"
holds grep -Eq '^([0-9.]+ us|[0-9.]+ ms), 2 nodes' out
wants 0 bench inf.onnxtxt --runs 9
holds grep -Eq '^min [0-9.e]+ (us|ms)  median [0-9.e]+ (us|ms)  p90 ' out

ends
