#!/bin/sh
# typed.sh OCELLUS - inputs whose numbers are typed or stand in a text file, and outputs that become pictures.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

cat >mask.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 17]>
mask (float[2,3] x) => (bool[2,3] y, float[2,3] z) <float half = {0.5}> { y = Greater (x, half) z = Mul (x, half) }
END
wants 0 run mask.onnxtxt -i 'x=[[0,0.25,0.5],[0.75,1,0]]' -o y=mask.png -o z=z.png
has err "mask.png: 3 x 2, 8-bit <- bool, false 0, true 255, NCHW gray"
has err "z.png: 3 x 2, 8-bit <- float, times 255, NCHW gray"
printf '0 0.25 0.5\n0.75 1 0\n' >x.txt
printf '0,0.25,0.5\n0.75,1,0\n' >x.csv
printf '[[0, 0.25, 0.5], [0.75, 1, 0]]\n' >x.json
for values in x.txt x.csv x.json; do
    wants 0 run mask.onnxtxt -i $values -o y=same.png -o z=z2.png
    holds cmp mask.png same.png
    holds cmp z.png z2.png
done
wants 0 run mask.onnxtxt -i x=x.csv -o z=back.png:scale=1:mean=10:std=20
has err "back.png: 3 x 2, 8-bit <- float, as asked, times 20 plus 10, NCHW gray"
wants 2 run mask.onnxtxt -i x.csv -o z=back.png:scale=0
has err ":scale= is '0', expected one number that is not 0"
wants 2 run mask.onnxtxt -i x.csv -o z=back.png:mean=1,2,3
has err ":mean= has 3 numbers, expected 1 or one for each of 1 channel"
wants 2 run mask.onnxtxt -i x.csv -o z=back.npy:scale=1
has err "the scale of a picture follows .png, .jpg"
wants 3 run mask.onnxtxt -i 'x=[[1,2],[3]]'
has err "-i x=[[1,2],[3]]: line 1: expected lists of equal length"
wants 3 run mask.onnxtxt -i x=007.npy
has err "007.npy: No such file"
ends
