# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # what ./dev, which reads this with ".", has set and reads
# build.sh - functions of ./dev that build the modules of WebAssembly and test them in Node. ./dev has set build, packages and
# targets, wasm to the folder that holds both builds, and has build and run_tests.

# Writes the cross file that stands before wasm32-wasi.ini: $1 is its path, $2 an argument of the compiler or nothing.
write_here() {
    relaxed=''
    flags=''
    if [ -n "$2" ]; then
        relaxed="'$2'"
        # Node has relaxed vectors behind a flag, from 22 on without.
        ! node --v8-options | grep -q experimental-wasm-relaxed-simd || flags=", '--experimental-wasm-relaxed-simd'"
    fi
    mkdir -p "$(dirname "$1")"
    printf '[constants]\nhere = %s\nrelaxed = [%s]\nnode = [%s]\n' "'$PWD/wasm'" "$relaxed" "'node'$flags" >"$1"
}

# Builds $targets with the vectors that $1 names, relaxed or fixed; further words are options of Meson.
build_kind() {
    build=$wasm/$1
    flag=
    [ "$1" = fixed ] || flag=-mrelaxed-simd
    shift
    packages="clang-19 lld-19 llvm-19 libclang-rt-19-dev-wasm32 wasi-libc brotli gcc meson ninja-build pkg-config|pkgconf python3
        protobuf-c-compiler"
    command -v node >/dev/null || packages="$packages nodejs"
    install_packages
    if [ ! -f "$build/build.ninja" ]; then
        write_here "$build.ini" "$flag"
        set -- --cross-file "$build.ini" --cross-file wasm/wasm32-wasi.ini -Ddefault_library=static -Dhardening=false \
            -Db_pie=false -Dtools=disabled -Dpython=disabled -Donnxruntime=disabled "$@"
    fi
    build "$@"
}

# Builds both modules, with operators $1, and prints their sizes.
build_modules() {
    targets=wasm/ocellus.wasm
    build_kind relaxed "-Dops=$1"
    build_kind fixed "-Dops=$1"
    cp "$wasm/relaxed/$targets" "$wasm/ocellus.wasm"
    cp "$wasm/fixed/$targets" "$wasm/ocellus-fixed.wasm"
    cp wasm/ocellus.mjs "$wasm"
    for file in "$wasm/ocellus.wasm" "$wasm/ocellus-fixed.wasm"; do
        brotli -f -q 11 -w 24 "$file"
        echo "$file: $(stat -c %s "$file") bytes, $(stat -c %s "$file.br") by brotli"
    done
}

# Runs script tests/wasm/$1 on both modules; further words come after the module.
try_modules() {
    script=tests/wasm/$1
    shift
    for kind in relaxed fixed; do
        # shellcheck disable=SC2046 # a list of words
        $(sed -n "s/^node = \[\(.*\)\]/\1/p" "$wasm/$kind.ini" | tr -d "',") "$script" "$wasm/$kind/wasm/ocellus.wasm" "$@"
    done
}

# Runs suites, by default those that programs of one thread can run in minutes, with either kind of vectors.
test_kinds() {
    [ $# != 0 ] || set -- kernels unit cases conformance
    failed=0
    patience=20
    for kind in fixed relaxed; do
        build_kind $kind -Dops=all
        run_tests "$@" || failed=1
    done
    return $failed
}
