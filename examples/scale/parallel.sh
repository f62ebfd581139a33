#!/bin/sh
# parallel.sh MODEL INPUT LIST OUT - runs a model on the files of a list, in parts that GNU parallel hands to slots.
#
# With -S the slots are on other machines that see the same files: parallel -S node1,node2 ... A part that is cut
# off goes on where it was when the script is started again.
set -eu
parts=${PARTS:-8} slots=${SLOTS:-2}
seq "$parts" | parallel --halt soon,fail=1 -j "$slots" \
    "${OCELLUS:-ocellus}" map "$1" -i "$2=$3" -o "$4" --shard "{}/$parts" --threads 1 --quiet --resume
