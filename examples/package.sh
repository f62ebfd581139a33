#!/bin/sh
# package.sh FOLDER NAME VERSION - unpacks a package of npm into FOLDER, unless it is there, and
# prints where. Only the package itself: what it depends on is for other programs.
set -eu
if [ ! -d "$1/$2/package" ]; then
    mkdir -p "$1/$2"
    (cd "$1/$2" && npm pack --silent "$2@$3" >/dev/null && tar xzf ./*.tgz && rm ./*.tgz) || {
        echo "package.sh: npm cannot fetch $2@$3" >&2
        exit 1
    }
fi
echo "$1/$2/package"
