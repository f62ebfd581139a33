# SPDX-License-Identifier: Apache-2.0
"""The times of nodes as a file that trace viewers and ONNX Runtime's tools read: one event for each node that ran."""
from __future__ import annotations

import json
import os
import threading
import time
from typing import Any, Dict, List

from .._node import NodeEvent
from ._replace import replace_file


class Trace:
    """Collects events until it is written. Sessions on several threads share it."""

    def __init__(self, prefix: str) -> None:
        self.begin_ns = time.monotonic_ns()
        self._prefix = prefix
        self.path = f'{prefix}_{time.strftime("%Y-%m-%d_%H-%M-%S")}_{time.time_ns() // 1000000 % 1000:03}.json'
        self._events: List[Dict[str, Any]] = []

    def __reduce__(self) -> Any:
        return Trace, (self._prefix,)

    def _add(self, category: str, name: str, end_ns: int, taken_ns: int, **about: str) -> None:
        self._events.append({'cat': category, 'pid': os.getpid(), 'tid': threading.get_ident(), 'ph': 'X', 'name': name,
                             'ts': (end_ns - taken_ns - self.begin_ns) // 1000, 'dur': taken_ns // 1000, 'args': about})

    def on_node(self, event: NodeEvent) -> None:
        if not event.begin and not event.fused_into:
            self._add('Node', f'{event.name or event.op_type}_kernel_time', time.monotonic_ns(), event.nanoseconds,
                      op_name=event.runs, provider='CPUExecutionProvider', node_index=str(event.sequence))

    def session(self, name: str, begin_ns: int) -> None:
        now = time.monotonic_ns()
        self._add('Session', name, now, now - begin_ns)

    def write(self) -> str:
        """Writes the file and gives its path."""
        replace_file(self.path, json.dumps(self._events).encode())
        return self.path
