# shellcheck shell=sh
# wants.sh - for tests of the command: a folder of their own, and what they expect. Read with "." by a
# script whose first argument is the command, and which "ends" ends.
set -u
ocellus=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
ran=0

# wants CODE WORDS... - runs ocellus and compares the exit code; output stays in ./out and ./err.
wants() {
    want=$1
    shift
    sanitizer=${ASAN_OPTIONS-}
    case " $* " in # what looks for leaks at the end starts a process, which the sandbox refuses
    *" --sandbox "*) sanitizer=$sanitizer:detect_leaks=0 ;;
    esac
    ASAN_OPTIONS=$sanitizer "$ocellus" "$@" >out 2>err </dev/null
    got=$?
    ran=$((ran + 1))
    if [ $got -ne "$want" ]; then
        failed=$((failed + 1))
        echo "FAIL: ocellus $*: exit code $got, expected $want"
        cat out err
    fi
}

# has FILE TEXT - the text stands in the file.
has() {
    ran=$((ran + 1))
    if ! grep -qF -- "$2" "$1"; then
        failed=$((failed + 1))
        echo "FAIL: '$2' is not in $1:"
        cat "$1"
    fi
}

# holds COMMAND... - the command succeeds.
holds() {
    ran=$((ran + 1))
    if ! "$@" >held 2>&1; then
        failed=$((failed + 1))
        echo "FAIL: $*"
        cat held
    fi
}

is_json() { python3 -m json.tool out; }

# ends - the last line, and the script's exit code.
ends() {
    echo "$ran checks, $failed failed"
    [ $failed -eq 0 ]
}
