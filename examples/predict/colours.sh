#!/bin/sh
# colours.sh OCELLUS PACKAGES OUT [PICTURE..] - cuts photographs into areas of six colours, in OUT.
#
# No network with weights: colours.onnxtxt is k-means.
set -eu
here=$(dirname "$0")
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/../detect/face.jpg"
"$ocellus" predict "$here/colours.onnxtxt" "$@" -o "$out" --again
