# SPDX-License-Identifier: Apache-2.0
"""unload.py LIBRARY - who closes the library while a thread of it runs does not pull the code away below it."""
import ctypes
import os
import sys

import _ctypes

library = os.path.realpath(sys.argv[1])
with open('/proc/self/maps', encoding='utf-8') as f:
    if library in f.read():
        sys.exit(f'{library} is loaded before the test')
_ctypes.dlclose(ctypes.CDLL(library)._handle)
with open('/proc/self/maps', encoding='utf-8') as f:
    if library not in f.read():
        sys.exit(f'{library} is gone, expected that it stays')
