# SPDX-License-Identifier: Apache-2.0
"""What handlers of signals and functions of the program raise while the library works.

An exception cannot pass through the library, and where a function of Python's begins and ends, nothing catches it. So no
function that the library calls begins within a call: it calls what is written in C, or a generator, which goes on inside
of try."""
from __future__ import annotations

import os
import signal
import threading
from _thread import allocate_lock, start_new_thread
from functools import partial
from itertools import chain
from typing import Any, Callable, Dict, Generator, Iterator, List, Optional, Tuple

from . import _library as c
from ._library import Error, check, text


FAULTS = {getattr(signal, name) for name in ('SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGABRT', 'SIGTRAP', 'SIGSYS')
          if hasattr(signal, name)}


Found = Dict[str, BaseException]
Log = Callable[[str], object]
Cancel = Callable[[], object]


def _asks(cancel: Cancel) -> bool:
    return bool(cancel())


def _tells(log: Log, line: Any) -> None:
    log(text(line))


# A generator is closed, by a GeneratorExit that is raised where it yields, once nobody has it any more. One that the program
# raises passes through a function of Python's first, whose frame its traceback has: so the generators call such functions alone.


def _answers(found: Found, lines: List[bytes], log: Optional[Log], cancel: Optional[Cancel]) -> Iterator[bool]:
    """Yields whether the run shall end, logs the lines, and keeps in found what is raised meanwhile. Between a raise
    and the yield that follows, no call and no jump lets a second signal in."""
    try:
        while True:
            yield bool(found) or (cancel is not None and _asks(cancel))
            while lines and log:
                _tells(log, lines.pop())
    except GeneratorExit as raised:
        if raised.__traceback__.tb_next is None:  # type: ignore[union-attr]
            return
        found['raised'] = raised
    except BaseException as raised:
        found['raised'] = raised
    yield True


def _calls(owner: 'Interrupts', do: Callable[[int], Any], failed: int) -> Generator[Any, int, None]:
    """Takes what the library calls a function of the program's with, calls that by do, and yields what it gives. What it
    raises is kept; the session is then made anew before it runs again."""
    result: Any = None
    try:
        while True:
            result = do((yield result)) or 0
    except GeneratorExit as raised:
        if raised.__traceback__.tb_next is None:  # type: ignore[union-attr]
            return
        owner.found['raised'] = raised
        owner.broken = True
    except BaseException as raised:
        owner.found['raised'] = raised
        owner.broken = True
    try:
        while True:
            yield failed
    except GeneratorExit as raised:
        if raised.__traceback__.tb_next is None:  # type: ignore[union-attr]
            return
        owner.found['raised'] = raised
    except BaseException as raised:
        owner.found['raised'] = raised
    while True:
        yield failed


_NO_LOG: Any = c.oc_observer().log  # NULL


class Interrupts:
    """Lets Ctrl-C end a run: the library asks several times a second whether to go on, and while Python answers, its
    handlers of signals run. What they or the program's log raise is kept, the run is told to end, and finish raises
    it. One generator answers until it has caught something, the next one waits in spare."""

    def __init__(self, log: Optional[Log], cancel: Optional[Cancel] = None) -> None:
        self.found: Found = {}  # 'raised': what was raised
        self.lines: List[bytes] = []  # for the log, the last line first
        self.spare: Dict[str, Iterator[bool]] = {}  # 'next': a generator
        self.broken = False  # a function of the program's has raised
        self._log, self._cancel = log, cancel
        self._answers = chain.from_iterable(iter(partial(self.spare.pop, 'next', None), None))
        self.ask = c.CANCEL(partial(next, self._answers))  # ctx, NULL, is what it gives where nobody answers
        self.report = c.LOG(self.lines.insert) if log else _NO_LOG
        self.renew()

    def _provide(self) -> None:
        answers = _answers(self.found, self.lines, self._log, self._cancel)
        next(answers)
        self.spare['next'] = answers

    def calls(self, do: Callable[[int], Any], failed: int = 0) -> Generator[Any, int, None]:
        """What calls do: the library may call its send. failed is what that gives where do raises."""
        generator = _calls(self, do, failed)
        next(generator)
        return generator

    def renew(self) -> None:
        """To be called before the library is, if something is found or nothing spare."""
        before = self.found.get('raised')
        if not self.spare:
            self._provide()
        next(self._answers, False)  # what has caught something ends, the spare one answers from now on
        self._provide()
        if self.found.get('raised') is not before:  # it has caught something already
            raise self.found['raised']
        self.found.clear()

    def finish(self, e: c.oc_error) -> None:
        """After a call of the library: logs the lines that are left, and raises what was raised or the error that the
        call has set."""
        raised = self.found.get('raised')
        if raised is not None:
            e.code = 0
            try:
                self.renew()
            finally:
                try:
                    raise raised
                finally:
                    del raised  # else it and this frame keep each other
        try:
            while self.lines and self._log:
                self._log(text(self.lines.pop()))
        finally:
            check(e)


# The number of each call's lock -> what the call has given, what it has raised, and the lock.
_waiting: Dict[int, Tuple[List[Any], List[BaseException], Any]] = {}


def aside(call: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call, made on a thread where no handler of signals runs: what calls back may be any function.
    Who waits can be interrupted; then the call ends by itself."""
    if threading.current_thread() is not threading.main_thread():
        return call(*arguments)
    ended: List[Any] = []
    found: List[BaseException] = []
    done = allocate_lock()

    def work() -> None:
        try:
            if hasattr(signal, 'pthread_sigmask'):  # what comes from outside shall wake who waits
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - FAULTS)
            ended.append(call(*arguments))
        except BaseException as raised:
            found.append(raised)
        finally:
            if done.locked():  # else a fork came just before the thread, and the child waits no more
                done.release()

    done.acquire()
    try:
        _waiting[id(done)] = ended, found, done
        try:
            start_new_thread(work, ())  # a Thread's start must not be interrupted
        except RuntimeError:  # no thread can be started now
            return call(*arguments)
        done.acquire()
    finally:
        _waiting.pop(id(done), None)
    if found:
        try:
            raise found.pop()
        finally:
            del found
    return ended.pop()


def _after_fork() -> None:
    """In the child, which has none of the threads that the calls are made on."""
    for ended, found, done in _waiting.values():
        if not ended and not found:
            found.append(Error('CANCELLED', 'the process forked in the call, which only the parent goes on with'))
        if done.locked():
            done.release()
    _waiting.clear()


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_after_fork)
