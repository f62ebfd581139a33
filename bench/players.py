# SPDX-License-Identifier: Apache-2.0
"""players.py - the processes that run a model when asked, and asking them in turn.

Every process holds its model and inputs. Rounds visit all of them, so whatever else the machine does
hits each alike. A turn begins with untimed runs: no one pays for caches that another used, nor for
threads that wake up on one processor until the system moves them apart."""
import contextlib
import math
import statistics
import subprocess
import time

PAUSE = 0.003  # seconds between turns, for threads that still spin
WARM_MS, TURN_MS = 30, 30  # least time of a turn's untimed and timed runs
LONG_MS = 300  # a run that takes longer needs no untimed one


class Failed(Exception):
    pass


class Process:
    def __init__(self, command):
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request):
        try:
            self._child.stdin.write(request + '\n')
            self._child.stdin.flush()
            answer = self._child.stdout.readline().strip()
        except BrokenPipeError:
            answer = ''
        if not answer:
            raise Failed('the process ended')
        if answer.startswith('error='):
            raise Failed(answer[6:])
        return dict(word.split('=', 1) for word in answer.split())

    def samples(self, request):
        return [float(ms) for ms in self.ask(request)['ms'].split(',')]

    def end(self):
        with contextlib.suppress(BrokenPipeError):  # a request that a process which has ended did not read
            self._child.stdin.close()
        self._child.stdout.close()
        self._child.wait()


class Entrant:
    """One process with one number of threads."""

    def __init__(self, process, threads):
        self.process, self.threads = process, threads
        self.ms, self.about, self.error = [], {}, None

    def _first(self):
        self.estimate = self.process.samples(f'run {self.threads} 1 1')[0]
        warm, runs = (min(50, math.ceil(ms / max(self.estimate, 1e-3))) for ms in (WARM_MS, TURN_MS))
        self.warm, self.runs = warm if self.estimate < LONG_MS else 0, runs

    def prepare(self):
        try:
            self._first()
        except Failed as error:
            self.error = str(error)

    def turn(self):
        self.ms += self.process.samples(f'run {self.threads} {self.warm} {self.runs}')

    def finish(self):
        self.about = self.process.ask(f'about {self.threads}')

    def median(self):
        return statistics.median(self.ms) if self.ms else None


class Copy:
    """memcpy of as many bytes in all, read and written, as a case reads and writes."""

    def __init__(self, process, size):
        self.process, self.size = process, max(1, size // 2)
        self.ms = []

    def turn(self):
        self.ms += self.process.samples(f'copy {self.size} 2')[1:]

    def speed(self):
        return 2e-6 * self.size / statistics.median(self.ms)


def play(entrants, rounds, slow_rounds, copy_process=None):
    """Lets every entrant run in turn; returns the Copy, if there is a process to make it."""
    for e in entrants:
        e.prepare()
    able = [e for e in entrants if not e.error]
    copy = None
    if copy_process and not entrants[0].error:
        copy = Copy(copy_process, int(copy_process.ask(f'about {entrants[0].threads}')['bytes']))
    turns = able + ([copy] if copy else [])
    if any(e.estimate > 1000 for e in able):
        rounds = slow_rounds
    for r in range(rounds):
        for e in turns if r % 2 == 0 else reversed(turns):
            e.turn()
            time.sleep(PAUSE)
    for e in able:
        e.finish()
    return copy
