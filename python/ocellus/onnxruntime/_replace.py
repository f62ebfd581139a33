# SPDX-License-Identifier: Apache-2.0
"""Writes files, in place of those that are there."""
from __future__ import annotations

import contextlib
import os
import secrets
import stat
from typing import Union

from ._errors import Fail

Path = Union[str, bytes, 'os.PathLike[str]', 'os.PathLike[bytes]']


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file of that name. The bytes go into a file beside it first, which is renamed once it is whole: a model may be
    mapped from the old one, and a failure, which is Fail, leaves that. What is no regular file, such as a pipe, is written
    to."""
    name = os.fsdecode(path)
    try:
        _write(name, data)
    except (OSError, ValueError) as e:
        raise Fail('IO', f'{name}: it cannot be written: {e}') from e


def _write(name: str, data: bytes) -> None:
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if not stat.S_ISREG(mode):
        with open(name, 'wb') as f:
            f.write(data)
        return
    real = os.path.realpath(name)  # a link stays one
    beside = os.path.join(os.path.dirname(real), f'.{os.path.basename(real)[:64]}.{secrets.token_hex(8)}')
    try:
        with open(beside, 'xb') as f:
            f.write(data)
        if stat.S_IMODE(mode):
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
