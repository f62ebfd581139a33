#!/bin/sh
# flow.sh OCELLUS PACKAGES OUT [FIRST SECOND] - draws beside a photograph how each pixel moves until the second one, in OUT:
# its hue is the direction, its strength the distance.
#
# No network with weights: flow.onnxtxt is the method of Lucas and Kanade. Unless told otherwise, the second photograph is
# the first one turned, so that it is known where each pixel goes: examples/networks.py compares.
set -eu
here=$(dirname "$0")
first=${4:-$here/../demo/photo.jpg}
second=${5:-$3/second.png}
mkdir -p "$3"
[ $# -gt 3 ] || "$1" run "$here/../demo/warp.onnxtxt" -q -i image="$first" -i 'theta=[[[1,-0.04,0],[0.09,1,0]]]' \
    -o warped="$second" >"$3/log"
"$1" predict "$here/flow.onnxtxt" "$first" -i second="$second" --image-resize stretch:448x288 -o "$3" --again
