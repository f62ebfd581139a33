# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # what ./dev, which reads this with ".", has set and reads
# build.sh - functions of ./dev that make the package for npm and try it in empty folders. ./dev has set build and packages, and has
# build_modules (wasm/build.sh) and install_from_npm.

# Puts the package together in $made/ocellus from modules in $wasm, whose names are the words, and packs it as
# $made/ocellus-VERSION.tgz.
pack_npm() {
    rm -rf "$made/ocellus" "$made"/ocellus-*.tgz
    mkdir -p "$made/ocellus"
    cp js/*.mjs js/*.mts js/package.json LICENSE "$made/ocellus"
    cp docs/javascript.md "$made/ocellus/README.md"
    cp docs/command.md docs/errors.md docs/numerics.md "$made/ocellus" # which it leads to
    for module; do
        cp "$wasm/$module.wasm" "$wasm/$module-fixed.wasm" "$made/ocellus"
    done
    npm=$made/tools
    [ -d "$npm/node_modules/esbuild" ] || install_from_npm esbuild@0.25
    # require() gets all scripts of a front in one file, whose address Node tells in another way. The worker stays the module that it is.
    for front in ocellus onnxruntime; do
        sed 's/\.mjs/.cjs/' "js/$front.d.mts" >"$made/ocellus/$front.d.cts"
        "$npm/node_modules/esbuild/bin/esbuild" "js/$front.mjs" --bundle --platform=node --format=cjs --log-level=warning \
            --define:import.meta.url=addressOfScript --outfile="$made/ocellus/$front.cjs" \
            "--banner:js=const addressOfScript = require('node:url').pathToFileURL(__filename).href;"
    done
    (cd "$made/ocellus" && npm pack --silent --pack-destination ..)
}

# Prints what a page downloads: the module that it takes, and all scripts.
tell_npm_size() {
    for module in ocellus.wasm ocellus-fixed.wasm; do
        size=0
        for file in "$made/ocellus/$module" "$made/ocellus"/*.mjs; do
            size=$((size + $(brotli -q 11 -w 24 -c "$file" | wc -c)))
        done
        echo "dev: a page with $module downloads $size bytes by brotli"
    done
}

# Installs the tarball in an empty folder, and tries it there: in Node, Deno and Bun, by TypeScript's compiler, built by bundlers, and
# in browsers.
try_npm() {
    rm -rf "$made/tried"
    mkdir -p "$made/tried"
    npm=$made/tried
    install_from_npm "$made"/ocellus-*.tgz esbuild@0.25 vite@7 webpack@5 webpack-cli@6 typescript@5 onnxruntime-common@1.30 @types/node@20
    for front in ocellus.mjs ocellus.cjs; do
        echo "dev: $front in Node"
        node tests/js/node.mjs "$npm/node_modules/ocellus/$front"
    done
    node tests/js/memory.mjs "$npm/node_modules/ocellus/ocellus.mjs"
    # In a folder of their own: npm removes what it did not install last.
    (npm=$made/hosts && install_from_npm deno@2 bun@1) || echo "dev: npm cannot install Deno and Bun, which are not tested"
    for host in "$made/hosts/node_modules/.bin/deno" "$made"/hosts/node_modules/@oven/bun-linux-*/bin/bun; do
        [ -x "$host" ] || continue
        echo "dev: ocellus.mjs in ${host##*/}"
        case $host in *deno) set -- run -A ;; *) set -- run ;; esac
        "$host" "$@" tests/js/node.mjs "$npm/node_modules/ocellus/ocellus.mjs"
    done
    echo "dev: TypeScript's compiler, bundlers, browsers"
    cp tests/js/types.mts tests/js/types-node.mts tests/js/onnxruntime.mts "$npm"
    (cd "$npm" && node_modules/.bin/tsc --strict --noEmit --module nodenext --target es2022 --lib es2022,dom types.mts onnxruntime.mts)
    (cd "$npm" && node_modules/.bin/tsc --strict --noEmit --module nodenext --target es2022 --lib es2022 --types node types-node.mts)
    python3 -B tests/js/bundles.py "$npm"
    python3 -B tests/js/browsers.py "$npm/node_modules/ocellus"
    try_programs
}

# Runs programs of npm that are written for onnxruntime-web and onnxruntime-node, which their packages get onnxruntime-common in place of.
try_programs() {
    npm=$made/tried/programs
    mkdir -p "$npm"
    common=npm:onnxruntime-common@1.30.0
    printf '{ "private": true, "overrides": { "onnxruntime-node": "%s", "onnxruntime-web": "%s" } }\n' $common $common >"$npm/package.json"
    echo "dev: programs of ONNX Runtime"
    if ! install_from_npm "$made"/ocellus-*.tgz @ricky0123/vad-web@0.0.31 @gutenye/ocr-node@1.4.8; then
        echo "dev: npm does not have @ricky0123/vad-web and @gutenye/ocr-node: they are not tried"
        return 0
    fi
    cp tests/js/programs.mjs "$npm"
    page=$PWD/examples/ocr/page.png
    (cd "$npm" && node --import ocellus/register programs.mjs "$page")
}

# Makes the package and tries it; or, behind --for, one with the operators of models alone, which it loads.
make_npm() {
    if ! command -v npm >/dev/null; then
        packages="nodejs npm"
        install_packages
    fi
    if [ "${1-}" != --for ]; then
        wasm=build-wasm
        build_modules all ocellus ocellus-command
        pack_npm ocellus ocellus-command
        tell_npm_size
        try_npm
        return
    fi
    shift
    build=build
    targets=tools/ocellus
    build
    line=$(build/tools/ocellus inspect "$@" --build)
    ops=${line##*-Dops=}
    echo "dev: these models take $ops"
    wasm=$made/wasm-for
    build_modules "$ops" ocellus
    pack_npm ocellus
    tell_npm_size
    node tests/js/loads.mjs "$made/ocellus/ocellus.mjs" "$@"
}
