#!/bin/sh
# ld.sh [ARG..] - wasm-ld-19 for Meson, which takes every linker of LLVM for one like GNU's: options that wasm-ld does not know,
# and does not need, since it looks for a name in all archives, are left out.
for word; do
    shift
    case $word in
    --as-needed | --no-undefined | --start-group | --end-group) ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec wasm-ld-19 "$@"
