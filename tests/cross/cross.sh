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

# Runs the demo's model on made-up numbers. $1 is the file for the result, the rest the command.
warp() {
    result=$1
    shift
    "$@" run examples/demo/warp.onnxtxt --fill random --dim N=2 --dim H=45 --dim W=63 -q -o "$result"
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

# Builds the command for the system of tests/cross/$1.ini, whose compiler is $2; the rest runs its programs. Its
# results must be this machine's.
build_cross() {
    system=$1
    if ! command -v "$2" >/dev/null; then
        echo "dev: $2 is not installed: nothing is built for $system"
        return 0
    fi
    shift 2
    folder=${OCELLUS_BUILD:-build}-$system
    build_command "$folder" "tests/cross/$system.ini"
    if [ $# != 0 ] && ! command -v "$1" >/dev/null; then
        echo "dev: $1 is not installed: the command for $system was built and not run"
        return 0
    fi
    warp "$folder/warped.npy" "$@" "$folder/tools/ocellus"
    cmp "$build/warped.npy" "$folder/warped.npy"
    echo "dev: $system gives the same bits"
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
    rm -f "$folder/warped.npy"
    if warp "$folder/warped.npy" qemu-s390x -L /usr/s390x-linux-gnu "$folder/tools/ocellus" 2>"$folder/said.txt" ||
        [ -e "$folder/warped.npy" ] || ! grep 'this processor is big-endian' "$folder/said.txt"; then
        cat "$folder/said.txt" >&2
        echo "dev: s390x-linux-gnu is not refused" >&2
        exit 1
    fi
    echo "dev: s390x-linux-gnu is refused"
}

cross_systems() {
    targets=tools/ocellus
    build
    warp "$build/warped.npy" "$build/tools/ocellus"
    for system; do
        case $system in
        windows) build_windows ;;
        arm-linux-gnueabihf) build_cross "$system" arm-linux-gnueabihf-gcc qemu-arm -L /usr/arm-linux-gnueabihf ;;
        musl) build_cross "$system" musl-gcc ;;
        s390x-linux-gnu) build_big_endian ;;
        *)
            echo "dev: expected arm-linux-gnueabihf, musl, s390x-linux-gnu or windows, not $system" >&2
            exit 2
            ;;
        esac
    done
}
