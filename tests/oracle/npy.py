#!/usr/bin/env python3
# npy.py - NumPy's own files for tests/tools: python3 tests/oracle/npy.py tests/tools/data
#
# Element i of every numeric array, in row-major order, is i (modulo 2 for bool); of complex ones
# i - i*j; strings are listed below.
import io
import sys

import numpy as np

out = sys.argv[1] + "/"
line = np.arange(6).reshape(2, 3)
for name, dtype in [("f2", "<f2"), ("f4", "<f4"), ("f8", "<f8"), ("i1", "|i1"), ("u2", "<u2"),
                    ("i4", "<i4"), ("i8", "<i8"), ("u8", "<u8")]:
    np.save(out + name, line.astype(dtype))
np.save(out + "bool", (line % 2).astype(bool))
np.save(out + "c8", (line - 1j * line).astype("<c8"))
np.save(out + "f4_big", line.astype(">f4"))
np.save(out + "c16_big", (line - 1j * line).astype(">c16"))
np.save(out + "f4_fortran", np.asfortranarray(np.arange(24, dtype="<f4").reshape(2, 3, 4)))
np.save(out + "i8_big_fortran", np.asfortranarray(line.astype(">i8")))
np.save(out + "scalar", np.float32(0))
np.save(out + "empty", np.zeros((3, 0, 2), np.float32))
words = np.array(["", "a", "gr\u00fcn", "\u773c", "\U0001f441x"])
np.save(out + "text", words)
np.save(out + "text_big", words.astype(words.dtype.newbyteorder(">")))
np.save(out + "bytes", np.array([b"", b"a", b"bc\xff"]))
for version in [(2, 0), (3, 0)]:
    file = io.BytesIO()
    np.lib.format.write_array(file, line.astype("<f4"), version)
    open(out + "version%d.npy" % version[0], "wb").write(file.getvalue())

np.savez(out + "stored.npz", line.astype("<f4"), b=line.astype("<i8"))
np.savez_compressed(out + "deflated.npz", b=np.arange(1000, dtype="<i4"))
