#!/bin/sh
# newer.sh OCELLUS - --newer of every command that loads a model: versions of IR and of operators that are not known yet.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

cat >future.onnxtxt <<'END'
<ir_version: 99, opset_import: ["" : 99]>
future (float[2,3] a) => (float[2,3] y) { y = Neg (a) }
END

wants 4 run future.onnxtxt --fill random
has err "future.onnxtxt: model: IR version 99 is newer than 13, the newest known; the option 'newer' takes it for that"
wants 0 run future.onnxtxt --fill random --newer -v
has err "model: IR version 99 is taken for 13, the newest known"
has err "model: opset 99 is taken for 28, the newest known"
wants 0 bench future.onnxtxt --fill random --newer --runs 1
wants 0 inspect future.onnxtxt --newer
has out "model: opset 99 is taken for 28, the newest known"
wants 0 check future.onnxtxt --fill random --newer
wants 0 expand future.onnxtxt -o known.onnx --newer
wants 0 extract future.onnxtxt --to y -o known.onnx --newer
wants 0 convert future.onnxtxt known.onnx --newer
wants 0 run known.onnx --fill random
wants 2 reduce future.onnxtxt --disagrees -o least.onnxtxt --fill random --newer
mkdir future
wants 0 run future.onnxtxt --fill random --newer -o y=future/1.npy
wants 0 map future.onnxtxt -i future -o future/mapped --newer

ends
