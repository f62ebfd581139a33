#!/bin/sh
# mapped.sh OCELLUS - a model whose file becomes shorter while the command uses it.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"

# model PAD - big.onnx, whose 20,000 weights are mapped where PAD bytes of text align them.
model() {
    awk -v pad="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 13], doc_string: \"%s\">\n", pad
        printf "g (float[20000] x) => (float[20000] y)\n<float[20000] w = {0"
        for (i = 1; i < 20000; i++) printf ",%d", i % 100
        printf "}> { y = Add (x, w) }\n"
    }' >big.onnxtxt
    wants 0 convert big.onnxtxt big.onnx
}

# shortened OPTIONS - runs big.onnx on an input that comes by a pipe; the file is cut before it does.
# Opening the pipe waits for the command to open it too, which has made its session by then.
shortened() {
    "$ocellus" run big.onnx -i x=pipe.npy "$@" >out 2>err </dev/null &
    exec 3>pipe.npy
    truncate -s 100 big.onnx
    cat x.npy >&3
    exec 3>&-
    wait $!
    got=$?
}

model ""
wants 0 run big.onnx --fill zeros
cat >make.onnxtxt <<'END'
<ir_version: 8, opset_import: ["" : 13]>
g (float[20000] x) => (float[20000] y) { y = Neg (x) }
END
wants 0 run make.onnxtxt --fill random -o y=x.npy
mkfifo pipe.npy
stopped=0
for pad in "" . ... ....; do # texts that shift the weights by 0, 3, 5 and 6 bytes
    model "$pad"
    shortened
    if [ $got -eq 3 ]; then
        stopped=$((stopped + 1))
        has err "ocellus: $(pwd -P)/big.onnx: the file became shorter while it was read; --no-map"
    else # unaligned weights were copied before
        holds [ $got -eq 0 ]
    fi
    before=$got
    model "$pad"
    # What looks for leaks at the end starts a process, which the sandbox refuses.
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 shortened --sandbox
    holds [ $got -eq $before ]
    model "$pad"
    shortened --no-map
    holds [ $got -eq 0 ]
done
holds [ $stopped -gt 0 ]
wants 3 run big.onnx --no-map --fill zeros
for command in inspect convert expand; do
    wants 0 $command --help
    has out "--no-map"
done
ends
