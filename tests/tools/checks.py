# SPDX-License-Identifier: Apache-2.0
"""checks.py - what the tests of the command count: checks, and those that failed."""
import sys

done = failed = 0


def check(right, *about):
    global done, failed
    done += 1
    if not right:
        failed += 1
        print('FAIL:', *about)


def finish(code=0):
    """Ends the test with 1 if a check failed, else with code."""
    print(f'{done} checks, {failed} failed')
    sys.exit(1 if failed else code)
