#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bundles.py FOLDER - has esbuild, vite and webpack of FOLDER/node_modules build tests/js/bundled without a line of configuration, and
tests/js/aliased, a program of onnxruntime-web, by an alias, and runs what they make in the browsers that are installed: the worker must be
found too, else the package warns."""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# vite and webpack have their aliases from files of the program's folder.
ALIASES = [f'--alias:{name}=ocellus/onnxruntime' for name in ('onnxruntime-web', 'onnxruntime-web/webgpu', 'onnxruntime-common')]
sys.path.append(str(HERE.parent / 'web'))
from served import CHROMIUM, FIREFOX, Failed  # noqa: E402


def bundlers(package, aliases):
    """Of each its name, the command that builds app.mjs in a folder `out`, files that are copied beside the result, the pattern of the
    result's name, and whether that is a module."""
    return {
        'esbuild': (['esbuild', 'app.mjs', '--bundle', '--format=esm', '--outdir=out', *aliases], sorted(package.glob('*.*m*')), 'app.js', True),
        'vite': (['vite', 'build', '--base=./', '--outDir=out', '--logLevel=warn'], [], 'assets/index-*.js', True),
        'webpack': (['webpack', '--mode=production', '--entry=./app.mjs', '--output-path=out', '--stats=errors-only'], [], 'main.js', False),
    }


def run(browser, bundle, is_module):
    job = {'script': str(HERE / 'bundled' / 'page.mjs'), 'bundle': str(bundle), 'isModule': is_module}
    try:
        result = browser.answer(job, [], [HERE / 'bundled', bundle.parents[1]], patience=60)
    except Failed as error:
        return str(error)
    return None if result == {'y': [-1, -2], 'warnings': []} else f'it answers {result}'


def try_program(folder, program, name, command, copied, result, is_module):
    """Builds the program and yields for each browser what is wrong, or None."""
    place = folder / f'{program}-{name}'
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(HERE / program, place)
    command[0] = str(folder / 'node_modules' / '.bin' / command[0])
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    if done.returncode:
        yield '', (done.stdout + done.stderr).strip()[-2000:]
        return
    for file in copied:
        shutil.copy(file, place / 'out')
    bundle = next((place / 'out').glob(result))
    for browser in (b for b in (CHROMIUM, FIREFOX) if b.found):
        yield f', {browser.name}', run(browser, bundle, is_module)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    package, passed, failed = folder / 'node_modules' / 'ocellus', 0, 0
    for program, aliases in ('bundled', []), ('aliased', ALIASES):
        for name, facts in bundlers(package, aliases).items():
            for where, failure in try_program(folder, program, name, *facts):
                print(f'{program}, {name}{where}: {failure or "ok"}', flush=True)
                passed, failed = passed + (not failure), failed + bool(failure)
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed or not passed else 0


sys.exit(main())
