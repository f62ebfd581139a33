#!/bin/sh
# run.sh OCELLUS OUT - warps the photograph into OUT/warped.png: the text of the model becomes a
# binary .onnx, which then runs on the JPEG.
set -eu
here=$(dirname "$0")
mkdir -p "$2"
"$1" convert "$here/warp.onnxtxt" "$2/warp.onnx"
"$1" run "$2/warp.onnx" -i image="$here/photo.jpg" -i theta="$here/theta.npy" \
    -o warped="$2/warped.png"
