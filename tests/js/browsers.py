#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""browsers.py PACKAGE [TEST] - runs the tests of package.mjs in the browsers that are installed: in a page that shares memory with its
workers, and in one that does not and whose policy allows scripts of its own server and WebAssembly alone. PACKAGE is the folder of the
package, TEST a part of a test's name."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / 'web'))
from served import CHROMIUM, FIREFOX, ISOLATED, Failed  # noqa: E402

POLICY = {'Content-Security-Policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"}


def main():
    package, only = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else ''
    passed = failed = 0
    for browser in CHROMIUM, FIREFOX:
        if not browser.found:
            print(f'{browser.name}: not installed, not tested')
            continue
        for name, headers in ('isolated', ISOLATED), ('with a policy', POLICY):
            job = {'script': str(HERE / 'page.mjs'), 'front': f'{package}/ocellus.mjs', 'only': only, 'isolated': headers is ISOLATED}
            try:
                result = browser.answer(job, [], [HERE, package], headers=headers)
            except Failed as error:
                result = {'passed': 0, 'failures': [str(error)]}
            for failure in result['failures']:
                print(f'{browser.name} {browser.version}, {name}: {failure}')
            print(f'{browser.name} {browser.version}, {name}: {result["passed"]} passed, {len(result["failures"])} failed', flush=True)
            passed, failed = passed + result['passed'], failed + len(result['failures'])
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


sys.exit(main())
