#!/bin/sh
# docs.sh OCELLUS ROOT BUILD - runs the demo, and every line of the sh blocks in docs/command.md and
# docs/recorded-runs.md, where the demo's files are, and in docs/first-hour.md, where the project's folders are. The examples of docs/errors.md must
# print what the page shows, but for the numbers, and end with the exit code of their section.
set -eu
root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$1" "$work/bin/ocellus"
PATH=$work/bin:$PATH

sh "$root/examples/demo/run.sh" ocellus "$work/demo" >"$work/line" 2>"$work/remarks"
cat "$work/line" "$work/remarks"
grep -q '^warped  float\[1,3,300,451\]  min 0  max 0\.83.*  mean 0\.34.*  nan 0$' "$work/line"
grep -q 'photo.jpg: 451 x 300, 8-bit -> float, element = sample / 255, NCHW rgb$' "$work/remarks"
test "$(head -c 4 "$work/demo/warped.png" | tail -c 3)" = PNG

cp "$root"/examples/demo/* "$work"
cd "$work"

# follow PAGE COUNT - runs the lines of the page, which are COUNT at least.
follow() {
    # shellcheck disable=SC2016 # no expansion is wanted
    sed -n '/^```sh$/,/^```$/{/^```/d;p;}' "$root/docs/$1" >"$work/lines"
    test "$(wc -l <"$work/lines")" -ge "$2"
    while read -r line; do
        echo "+ $line"
        sh -c "$line" </dev/null >"$work/out" 2>&1 || {
            cat "$work/out"
            exit 1
        }
    done <"$work/lines"
}

# answers PAGE - runs the lines with "$ " of the console blocks, and compares what all of them print.
answers() {
    # shellcheck disable=SC2016 # no expansion is wanted
    sed -n '/^## /p;/^```console$/,/^```$/{/^```/d;p;}' "$root/docs/$1" >"$work/lines"
    got=0
    expected=0
    : >"$work/got"
    while read -r line; do
        case $line in
        '## '*)
            test "$got" = "$expected" || {
                echo "exit code $got, expected $expected before $line"
                exit 1
            }
            got=$(echo "$line" | sed 's/.*[Ee]xit code \([0-9]*\).*/\1/')
            expected=$got
            echo "$line" >>"$work/got"
            ;;
        '$ '*)
            got=0
            echo "$line" >>"$work/got"
            sh -c "${line#??}" </dev/null >>"$work/got" 2>&1 || got=$?
            ;;
        esac
    done <"$work/lines"
    test "$got" = "$expected"
    for file in lines got; do # a sanitizer remarks on what it could not allocate
        sed '/^==[0-9]*==WARNING: /d; s/[0-9][0-9.]*/0/g' "$work/$file" >"$work/$file.plain"
    done
    diff "$work/lines.plain" "$work/got.plain"
}

follow command.md 16
follow recorded-runs.md 6
follow your-model.md 11
answers errors.md
mkdir "$work/project"
cd "$work/project"
ln -s "$root/tests" "$root/examples" .
ln -s "$3" build
follow first-hour.md 8
