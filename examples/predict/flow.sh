#!/bin/sh
# flow.sh OCELLUS PACKAGES OUT - draws beside a photograph how each pixel moves until the second one, in OUT: its hue is the
# direction, its strength the distance.
#
# No network with weights: flow.onnxtxt is the method of Lucas and Kanade. The second photograph is made here, the first
# one turned, so that it is known where each pixel goes: examples/networks.py compares.
set -eu
here=$(dirname "$0")
photo=$here/../demo/photo.jpg
mkdir -p "$3"
"$1" run "$here/../demo/warp.onnxtxt" -q -i image="$photo" -i 'theta=[[[1,-0.04,0],[0.09,1,0]]]' -o warped="$3/second.png" \
    >"$3/log"
"$1" predict "$here/flow.onnxtxt" "$photo" -i second="$3/second.png" --image-resize stretch:448x288 -o "$3" --again
