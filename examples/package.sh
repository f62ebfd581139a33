#!/bin/sh
# package.sh FOLDER NAME - unpacks a package of npm into FOLDER, unless it is there, and prints where: one of
# packages.txt, in the version that stands there. Only the package itself: what it depends on is for other programs.
set -eu
if [ ! -d "$1/$2/package" ]; then
    version=$(awk -v "name=$2" '$1 == name { print $2 }' "$(dirname "$0")/packages.txt")
    [ -n "$version" ] || {
        echo "package.sh: $2 is not in packages.txt" >&2
        exit 1
    }
    mkdir -p "$1/$2"
    (cd "$1/$2" && npm pack --silent "$2@$version" >/dev/null && tar xzf ./*.tgz && rm ./*.tgz) || {
        echo "package.sh: npm cannot fetch $2@$version" >&2
        exit 1
    }
fi
echo "$1/$2/package"
