#!/bin/sh
# licence.sh OCELLUS SOURCE - the command tells the licences of all that is in it.
# shellcheck source=tests/tools/wants.sh
. "$(dirname "$0")/wants.sh"
font=$2/tools/draw/spleen-LICENSE.txt

wants 0 --licence
has out "Apache License, Version 2.0"
cp out licence
tail -n "$(wc -l <"$font")" licence >last
holds cmp "$font" last
wants 0 --license
holds cmp out licence
has "$2/debian/copyright" "$(sed -n 's/^Copyright (c) \([0-9-]*\), /Copyright: \1 /p' "$font")"
ends
