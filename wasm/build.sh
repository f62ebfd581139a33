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
    printf '[properties]\nnode22 = %s\n' "'$(realpath -m "$wasm/npm/node_modules/$(node22_package)/bin/node")'" >>"$1"
}

# Calls $make, build or configure, for the vectors that $1 names, relaxed or fixed; further words are options of Meson.
make_kind() {
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
    $make "$@"
}

# Builds modules with operators $1 for both kinds of vectors, and prints their sizes. The other words are their names: ocellus,
# ocellus-command.
build_modules() {
    ops=$1
    shift
    make=build
    targets=
    for module; do
        targets="$targets wasm/$module.wasm"
    done
    join=auto
    case " $* " in
    *" ocellus-command "*) join=enabled ;; # predict joins a decoder behind the network
    esac
    make_kind relaxed "-Dops=$ops" -Djoin=$join
    make_kind fixed "-Dops=$ops" -Djoin=$join
    cp js/*.mjs "$wasm"
    for module; do
        cp "$wasm/relaxed/wasm/$module.wasm" "$wasm/$module.wasm"
        cp "$wasm/fixed/wasm/$module.wasm" "$wasm/$module-fixed.wasm"
        for file in "$wasm/$module.wasm" "$wasm/$module-fixed.wasm"; do
            brotli -f -q 11 -w 24 "$file"
            echo "$file: $(stat -c %s "$file") bytes, $(stat -c %s "$file.br") by brotli"
        done
    done
}

# Builds the module with fixed vectors that has the operators $1, made for size, and runs the cases in folders of tests/cases, which
# the other words name.
try_small() {
    make=build
    targets='wasm/ocellus.wasm tests/cases/run_cases'
    make_kind fixed "-Dops=$1" -Dbuildtype=minsize
    shift
    meson test -C "$build" --no-rebuild --print-errorlogs --suite cases "$@"
    echo "dev: WebAssembly runs the vision operators, by a module of $(stat -c %s "$build/wasm/ocellus.wasm") bytes," \
        "$(brotli -q 11 -w 24 -c "$build/wasm/ocellus.wasm" | wc -c) by brotli"
}

# The command of Node for modules of kind $1, as its cross file has it.
node_of() {
    sed -n "s/^node = \[\(.*\)\]/\1/p" "$wasm/$1.ini" | tr -d "',"
}

# Tries both modules, with operators $1, in Node: networks, which take many operators, beside this machine's command.
try_modules() {
    build=build
    packages=$own
    targets=tools/ocellus
    build
    for kind in relaxed fixed; do
        module=$wasm/$kind/wasm/ocellus.wasm
        symbols=debian/libocellus0.symbols
        [ "$1" != all ] || symbols="$symbols debian/libocellus-predict0.symbols"
        # shellcheck disable=SC2046,SC2086 # lists of words
        $(node_of $kind) tests/wasm/imports.mjs "$module" $symbols
        if [ "$1" = all ]; then
            python3 -B tests/wasm/engines.py $kind "$module" "$build/tools/ocellus" node --node "$(node_of $kind)"
        fi
    done
}

# What the suite engines compares: this machine's command, and engines that a system may lack.
install_engines() {
    packages="$packages chromium|- firefox-esr|- libjavascriptcoregtk-4.0-bin|libjavascriptcoregtk-bin|-"
    command -v npm >/dev/null || packages="$packages nodejs npm|-"
    targets=tools/ocellus
    build=build
    build
    [ -n "$(node22_package)" ] || return 0
    npm=$wasm/npm
    if [ ! -d "$npm/node_modules/$(node22_package)" ]; then
        echo "dev: installing Node 22"
        install_from_npm "$(node22_package)@22" || echo "dev: npm cannot install it"
    fi
}

# Runs suites, by default those that programs of one thread can run in minutes, with either kind of vectors.
test_kinds() {
    [ $# != 0 ] || set -- kernels unit cases conformance engines
    case " $* " in
    *" engines "*) (install_engines) ;;
    esac
    failed=0
    patience=20
    make=configure # meson test builds what the tests chosen need
    built=
    for kind in fixed relaxed; do
        make_kind $kind -Dops=all
        run_tests "$@" || failed=1
    done
    return $failed
}
