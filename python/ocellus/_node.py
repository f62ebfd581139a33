# SPDX-License-Identifier: Apache-2.0
"""What a session tells of the nodes that it runs: to a function of the program's, and as a profile."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import _library as c
from ._library import Error, printable, text
from ._views import Lent


class NodeEvent:
    """A node that is about to run (begin) or has run. Its arrays are there until the function that it was given to returns."""
    __slots__ = ('begin', 'depth', 'sequence', 'name', 'domain', 'op_type', 'since', 'nanoseconds', 'fused_into', 'runs',
                 'fused_output', 'output_names', '_event', '_lent')
    begin: bool  # it is about to run
    depth: int  # 0: of the main graph; +1 for each graph around the node
    sequence: int  # counts executed nodes from 0
    name: str
    domain: str  # '' is ONNX's own
    op_type: str
    since: int  # the version of the operator that serves it
    nanoseconds: int  # of the run; 0 when begin
    fused_into: Optional[str]  # the operator that does this node's work in its own run; None: it runs by itself
    runs: str  # the operators that run as one here: 'Conv+Relu'
    fused_output: Optional[str]  # the first output of the node that does this node's work
    output_names: Tuple[str, ...]  # '' for an output that nobody reads

    def __init__(self, event: c.oc_node_event) -> None:
        self.begin, self.depth, self.sequence, self.since = event.begin, event.depth, event.sequence, event.since
        self.name, self.domain, self.op_type = text(event.name), text(event.domain), text(event.op_type)
        self.nanoseconds, self.runs = event.nanoseconds, text(event.runs)
        self.fused_into, self.fused_output = text(event.fused_into), text(event.fused_output)
        self.output_names = tuple([text(name) for name in event.out_name[:event.n_out]]) if event.n_out else ()
        self._event: Optional[c.oc_node_event] = event
        self._lent = Lent()

    def _values(self, values: str, count: str, writable: bool) -> List[Any]:
        event = self._event
        if event is None:
            raise Error('ARGUMENT', 'the function that this event was for has returned')
        first = getattr(event, values)
        return [self._lent.value(first[i], writable) for i in range(getattr(event, count))] if first else []

    @property
    def inputs(self) -> List[Any]:
        """Arrays that can be read, over the memory of the values; lists, dicts and arrays of strings are copies. None:
        there is no value, or (view 'stored') it is in no memory. []: view is 'none'."""
        return self._values('in_', 'n_in', False)

    @property
    def outputs(self) -> List[Any]:
        """The same of the outputs, once the node has run. What is written into them the nodes that follow read; arrays
        over memory of the program or of a weight are only to be read."""
        return self._values('out', 'n_out', not self.begin)

    def __repr__(self) -> str:
        return f'<NodeEvent {self.sequence} {self.op_type} {self.name!r} {"begins" if self.begin else "has run"}>'


OnNode = Callable[[NodeEvent], object]


def tell(on_node: OnNode, pointer: int) -> None:
    """Calls the program's function for an event of the library, which ends also where that raises."""
    event = NodeEvent(c.oc_node_event.from_address(pointer))
    try:
        on_node(event)
    finally:
        event._event = None
    event._lent.end('on_node')


class NodeTime(NamedTuple):
    """What a node has taken."""
    name: str
    op_type: str
    output: str  # the name of its first output
    runs: str  # the operators that run as one: 'Conv+Relu'
    times: int  # how often it ran, in all runs
    seconds: float  # in all runs


class Profile(NamedTuple):
    """Where the time of runs goes. str() is a table, the slowest nodes first."""
    runs: int
    seconds: float  # of all runs together
    nodes: List[NodeTime]  # in the order in which they ran first; what runs as part of another is part of that

    def __str__(self) -> str:
        lines = [f'{self.seconds / self.runs * 1e3:10.3f} ms  a run, of {self.runs}']
        for node in sorted(self.nodes, key=lambda node: -node.seconds):
            lines.append(f'{node.seconds / self.runs * 1e3:10.3f} ms  {node.runs}  {printable(node.name or node.output)}')
        return '\n'.join(lines)


class Times:
    """Adds up the times of nodes, by their outputs."""

    def __init__(self) -> None:
        self._found: Dict[Tuple[Any, ...], List[int]] = {}

    def tell(self, pointer: int) -> None:
        event = c.oc_node_event.from_address(pointer)
        if event.begin or event.fused_into:
            return
        output = event.out_name[0] if event.n_out else b''
        sums = self._found.setdefault((event.name, event.op_type, output, event.runs), [0, 0])
        sums[0] += 1
        sums[1] += event.nanoseconds

    def nodes(self) -> List[NodeTime]:
        return [NodeTime(text(name), text(op_type), text(output), text(runs), times, nanoseconds / 1e9)
                for (name, op_type, output, runs), (times, nanoseconds) in self._found.items()]

    def clear(self) -> None:
        self._found.clear()


