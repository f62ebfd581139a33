# SPDX-License-Identifier: Apache-2.0
"""unseen.py - nothing_unseen, for tests that raise exceptions where Python has nobody to give them to."""
import contextlib
import gc
import sys


@contextlib.contextmanager
def nothing_unseen(test):
    """No exception may end where nobody sees it."""
    unseen = []
    before, sys.unraisablehook = sys.unraisablehook, unseen.append
    try:
        yield
        gc.collect()
    finally:
        sys.unraisablehook = before
    test.assertEqual(unseen, [])
