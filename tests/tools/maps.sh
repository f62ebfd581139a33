#!/bin/sh
# maps.sh - outputs that are maps: shown, written, compared; no input may be one.
. "$(dirname "$0")/wants.sh"

cat >zip.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 3]>
g (float[N,2] x) => (seq(map(string, float)) y) {
  y = ai.onnx.ml.ZipMap <classlabels_strings = ["dog", "cat"]> (x)
}
END
sed 's/dog/cow/' zip.onnxtxt >cow.onnxtxt
cat >cast.onnxtxt <<'END'
<ir_version: 8, opset_import: ["ai.onnx.ml" : 3]>
g (map(int64, float) x) => (float[1,N] y) { y = ai.onnx.ml.CastMap (x) }
END

wants 0 inspect zip.onnxtxt
has out "seq(map(string, float))"
wants 0 run zip.onnxtxt --fill zeros --dim N=2 --save-test saved --print
has out "y  seq(map(string, float))[2]"
has out "  [1]  map(string, float)[2]"
has out '["cat" "dog"]'
has out "[0. 0.]"
wants 0 run zip.onnxtxt --fill zeros --dim N=2 --json
has out '"key_type": "string"'
has out '"values": ["cat", "dog"]'
wants 0 test saved
wants 0 run zip.onnxtxt --fill zeros --dim N=2 --expect saved/test_data_set_0
wants 1 run zip.onnxtxt --fill random --dim N=2 --expect saved/test_data_set_0
has out "y differs: item 0: values: 2 of 2 elements differ"
wants 1 run cow.onnxtxt --fill zeros --dim N=2 --expect saved/test_data_set_0
has out 'y differs: item 0: keys: 1 of 2 elements differ, the first at [1]: "cow", expected "dog"'
wants 0 run zip.onnxtxt --fill zeros --dim N=2 -o folder
holds test -s folder/y.pb
wants 2 run zip.onnxtxt --fill zeros --dim N=2 -o all.npz
has err "output 'y' is not a tensor; give a folder"

wants 4 run cast.onnxtxt --fill zeros
has err "input 'x' is map(int64, float[]), and no input may be a map"
wants 4 inspect cast.onnxtxt
has out "no input may be a map"

ends
