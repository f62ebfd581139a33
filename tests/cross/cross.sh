# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # what ./dev, which reads this with ".", has set and reads
# cross.sh - functions of ./dev that build for other processors and systems, and run there what was built. ./dev has set
# build, built, more, packages, patience and targets, and has configure, build and run_chosen.

# Whether a program for arm64 can be linked with the libraries that the tests need, and be run.
runs_arm64() {
    folder=$(mktemp -d)
    echo 'int main(void) { return 0; }' >"$folder/probe.c"
    # shellcheck disable=SC2086 # a list of words
    if libraries=$(PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig pkg-config --libs check libprotobuf-c zlib) &&
        aarch64-linux-gnu-gcc -o "$folder/probe" "$folder/probe.c" $libraries && qemu-aarch64 "$folder/probe"; then
        status=0
    else
        status=1
    fi
    rm -r "$folder"
    return $status
}

# Builds for another processor; says so and does nothing where that takes packages which only the
# system's owner should add.
build_arm64() {
    for command in aarch64-linux-gnu-gcc qemu-aarch64 pkg-config; do
        if ! command -v "$command" >/dev/null; then
            echo "dev: $command is not installed: nothing is tested on arm64 (CONTRIBUTING.md)"
            exit 0
        fi
    done
    if ! runs_arm64; then
        echo "dev: the arm64 libraries are not installed: nothing is tested on arm64 (CONTRIBUTING.md)"
        exit 0
    fi
    if [ -f "$build/build.ninja" ]; then
        build
    else
        build --cross-file tests/cross/aarch64-linux-gnu.ini -Dwerror=true
    fi
}

# Configures a build for 32-bit x86 with clang's sanitizers, which is to build what the tests chosen need.
configure_i386() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo "dev: this processor runs no programs for i386: nothing is tested on i386"
        exit 0
    fi
    packages="$packages clang lld libclang-rt-dev|- libc6-dev-i386 lib32gcc-12-dev|lib32gcc-13-dev|lib32gcc-14-dev"
    export ASAN_OPTIONS="${ASAN_OPTIONS-allocator_may_return_null=1}"
    export UBSAN_OPTIONS="${UBSAN_OPTIONS-halt_on_error=1:print_stacktrace=1}"
    built=
    # Scalar kernels: sizes are what 32 bits are about, and vectors under sanitizers take as long to compile as all else.
    if [ -f "$build/build.ninja" ]; then
        configure
    else
        configure -Dsimd=false --cross-file tests/cross/i386-linux-gnu.ini --force-fallback-for=zlib,libprotobuf-c,check -Dwerror=true \
            -Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false -Ddefault_library=static \
            -Dpython=disabled -Dpng=disabled -Djpeg=disabled -Dwebp=disabled \
            "-Dc_args=-g1 -fsanitize=$more -fno-sanitize-recover=$more -DOC_ASK_OFTEN -DOC_FRESH_PATTERN"
    fi
}

# Runs a model on made-up numbers. $1 is the model, with sizes that it leaves open, $2 where results go, the rest the command.
run_model() {
    model=$1
    result=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    "$@" run $model --fill random -q -o "$result" >/dev/null
}

warp='examples/demo/warp.onnxtxt --dim N=2 --dim H=45 --dim W=63'

# Runs the demo's model and networks. $1 is the folder for the results, $2 more words for each, the rest the command.
run_networks() {
    folder_of_results=$1
    more_words=$2
    shift 2
    rm -rf "$folder_of_results"
    for network in "$warp" 'tests/wasm/networks/attention.onnxtxt --dim T=19' 'tests/wasm/networks/bytes.onnxtxt --dim H=33 --dim W=29' \
        'tests/wasm/networks/convolutions.onnxtxt --dim H=61 --dim W=47'; do
        name=${network%%.onnxtxt*}
        run_model "$network $more_words" "$folder_of_results/${name##*/}" "$@"
    done
}

# Runs networks by the command behind $2. Results go to folders of $1: default, and fast, with products that are multiplied, then
# added. $2 is what -v says of instructions and products, as in v128:exact, or any; where products are fused there is no fast way.
run_ways() {
    results=$1
    expected=$2
    shift 2
    run_networks "$results/default" '' "$@"
    case $expected in
    *:fused) ;;
    any) run_networks "$results/fast" '--cpu scalar --unfused fast' "$@" ;;
    *) run_networks "$results/fast" '--unfused fast' "$@" ;;
    esac
}

# As run_ways; the bits must be this machine's.
compare_ways() {
    run_ways "$@"
    for way in "$results"/*; do
        diff -r "$build/results/${way##*/}" "$way"
    done
    shift 2
    # shellcheck disable=SC2086 # a list of words
    used=$("$@" run $warp --fill random -v -o "$results/default/warp" 2>&1 | sed -n 's/.*\(instructions: .*, products: [a-z]*\).*/\1/p')
    if [ "$expected" != any ] && [ "$used" != "instructions: ${expected%:*}, products: ${expected#*:}" ]; then
        echo "dev: $used; expected $expected" >&2
        exit 1
    fi
}

# Builds the command in folder $1 as cross file $2 says, with libraries from their sources.
build_command() {
    if [ ! -f "$1/build.ninja" ]; then
        meson setup "$1" --cross-file "$2" \
            --force-fallback-for=zlib,libprotobuf-c -Dbuildtype=debug -Doptimization=1 -Dwerror=true \
            -Ddefault_library=static -Dtests=disabled -Dpython=disabled -Dpng=disabled -Djpeg=disabled -Dwebp=disabled
    fi
    ninja -C "$1" tools/ocellus
}

# Are the compiler for system $1, $2, and what runs its programs, $3 or nothing, here? If not, says so.
has_system() {
    for command in "$2" $3; do
        if ! command -v "$command" >/dev/null; then
            echo "dev: $command is not installed: nothing is built for $1"
            return 1
        fi
    done
}

# Builds the command for the system of tests/cross/$1.ini, whose compiler is $2; $3 is what compare_ways has as $2, and the
# rest runs its programs. Its results must be this machine's.
build_cross() {
    system=$1
    expected_of_system=$3
    has_system "$system" "$2" "${4-}" || return 0
    shift 3
    folder=${OCELLUS_BUILD:-build}-$system
    build_command "$folder" "tests/cross/$system.ini"
    compare_ways "$folder/results" "$expected_of_system" "$@" "$folder/tools/ocellus"
    echo "dev: $system gives the same bits ($used)"
}

small_cases='affine_grid grid_sample roi_align' # folders of tests/cases

# Builds what small machines have, the vision operators made for size, for the system of tests/cross/$1.ini, whose compiler is $2; the
# rest runs its programs. Cases of these operators pass, and the demo's model gives this machine's bits.
build_small() {
    system=$1
    has_system "$system" "$2" "$3" || return 0
    shift 2
    folder=${OCELLUS_BUILD:-build}-small-$system
    if [ ! -f "$folder/build.ninja" ]; then
        meson setup "$folder" --cross-file "tests/cross/$system.ini" --force-fallback-for=zlib,libprotobuf-c --buildtype=minsize \
            -Dops=vision -Dwerror=true -Dpython=disabled -Donnxruntime=disabled -Dpng=disabled -Djpeg=disabled -Dwebp=disabled
    fi
    meson compile -C "$folder" ocellus:executable ocellus:shared_library run_cases
    for operator in $small_cases; do
        "$@" "$folder/tests/cases/run_cases" "tests/cases/$operator"
    done
    run_model "$warp" "$folder/warp" "$@" "$folder/tools/ocellus"
    diff -r "$build/results/default/warp" "$folder/warp"
    # Which instructions there are is told without an operator.
    # shellcheck disable=SC2086 # a list of words
    ! "$@" "$folder/tools/ocellus" run $warp --fill random --cpu v128 2>"$folder/said.txt"
    grep -q 'its best is scalar' "$folder/said.txt"
    "$system-strip" -o "$folder/stripped" "$(realpath "$folder/src/libocellus.so")"
    echo "dev: $system runs the vision operators, by a library of $(stat -c %s "$folder/stripped") bytes"
}

# Runs what is built for this machine on an older processor, which qemu calls $1: networks, and checks of kernels.
try_old_x86() {
    if [ "$(uname -m)" != x86_64 ] || ! command -v qemu-x86_64 >/dev/null; then
        echo "dev: qemu-x86_64 on a processor of x86 is missing: $1 is not tried"
        return 0
    fi
    compare_ways "$build/results-$1" v128:exact qemu-x86_64 -cpu "$1" "$build/tools/ocellus"
    echo "dev: $1 gives the same bits ($used)"
    [ "$1" = core2duo ] || return 0 # another one has the same kernels
    targets='tests/kernels/check_cast tests/kernels/check_fused tests/kernels/check_matmul tests/kernels/check_matmul_int8
        tests/kernels/check_nchw16c tests/kernels/check_pool_nchw16c tests/kernels/check_resize tests/kernels/check_tile_int8'
    build
    for target in $targets; do
        qemu-x86_64 -cpu "$1" "$build/$target"
    done
}

# Builds for Windows; wine runs the text cases, embed on models with external data, and the command beside this machine's.
build_windows() {
    wine=/usr/lib/wine/wine64
    folder=${OCELLUS_BUILD:-build}-windows
    if ! command -v x86_64-w64-mingw32-gcc-posix >/dev/null; then
        echo "dev: x86_64-w64-mingw32-gcc-posix is not installed: nothing is built for windows"
        return 0
    fi
    if [ ! -f "$folder/build.ninja" ]; then
        meson setup "$folder" --cross-file tests/cross/x86_64-w64-mingw32.ini --force-fallback-for=zlib,libprotobuf-c \
            -Dwerror=true -Ddefault_library=static -Dpython=disabled -Dpng=disabled -Djpeg=disabled -Dwebp=disabled
    fi
    ninja -C "$folder" tests/cases/run_cases.exe examples/embed.exe tools/ocellus.exe
    if ! command -v "$wine" >/dev/null; then
        echo "dev: $wine is not installed: what was built for windows was not run"
        return 0
    fi
    export WINEDEBUG=-all WINEPREFIX="$PWD/$folder/wine"
    meson test -C "$folder" --no-rebuild --print-errorlogs --timeout-multiplier "$patience" --suite cases
    python3 -B tests/cross/windows.py "$folder/examples/embed.exe" "$wine"
    python3 -B tests/cross/windows_command.py "$folder/tools/ocellus.exe" "$build/tools/ocellus" "$wine"
}

# Builds for a big-endian processor with a cross file that calls it little-endian, which Meson would refuse: the library
# must refuse it too, and give no result.
build_big_endian() {
    for command in s390x-linux-gnu-gcc qemu-s390x; do
        if ! command -v $command >/dev/null; then
            echo "dev: $command is not installed: nothing is built for s390x-linux-gnu"
            return 0
        fi
    done
    folder=${OCELLUS_BUILD:-build}-s390x-linux-gnu
    sed "s/endian = 'big'/endian = 'little'/" tests/cross/s390x-linux-gnu.ini >"$build/s390x-linux-gnu.ini"
    build_command "$folder" "$build/s390x-linux-gnu.ini"
    rm -rf "$folder/warp"
    if run_model "$warp" "$folder/warp" qemu-s390x -L /usr/s390x-linux-gnu "$folder/tools/ocellus" 2>"$folder/said.txt" ||
        [ -e "$folder/warp" ] || ! grep 'this processor is big-endian' "$folder/said.txt"; then
        cat "$folder/said.txt" >&2
        echo "dev: s390x-linux-gnu is not refused" >&2
        exit 1
    fi
    echo "dev: s390x-linux-gnu is refused"
}

cross_systems='arm-linux-gnueabihf riscv64-linux-gnu powerpc64le-linux-gnu musl s390x-linux-gnu core2duo Nehalem small'

cross_systems() {
    targets=tools/ocellus
    build
    run_ways "$build/results" any "$build/tools/ocellus"
    [ "$(uname -m)" != x86_64 ] || compare_ways "$build/results-v128" v128:exact env OCELLUS_CPU=v128 "$build/tools/ocellus"
    for system; do
        case $system in
        windows) build_windows ;;
        arm-linux-gnueabihf) build_cross "$system" arm-linux-gnueabihf-gcc scalar:exact qemu-arm -L /usr/arm-linux-gnueabihf ;;
        riscv64-linux-gnu) build_cross "$system" riscv64-linux-gnu-gcc scalar:fused qemu-riscv64 -L /usr/riscv64-linux-gnu ;;
        powerpc64le-linux-gnu)
            build_cross "$system" powerpc64le-linux-gnu-gcc v128:fused qemu-ppc64le -L /usr/powerpc64le-linux-gnu
            ;;
        musl) build_cross "$system" musl-gcc any ;;
        s390x-linux-gnu) build_big_endian ;;
        core2duo | Nehalem) try_old_x86 "$system" ;;
        small)
            build_small arm-linux-gnueabihf arm-linux-gnueabihf-gcc qemu-arm -L /usr/arm-linux-gnueabihf
            build_small riscv64-linux-gnu riscv64-linux-gnu-gcc qemu-riscv64 -L /usr/riscv64-linux-gnu
            # shellcheck disable=SC2086 # a list of words
            ! has_system wasm clang-19 node || (wasm=$build-small-wasm && try_small vision $small_cases)
            ;;
        *)
            echo "dev: expected $cross_systems or windows, not $system" >&2
            exit 2
            ;;
        esac
    done
}
