#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fuzz.py - runs the libFuzzer programs of a build with -Dfuzz=true, for ./dev fuzz SECONDS [TARGET..].

    tests/fuzz/fuzz.py BUILD SECONDS [TARGET..]

Each target runs for so many seconds of processor time, as many targets at a time as there are processors. Seeds
are the corpus in tests/fuzz, test data, and BUILD/fuzz/corpus, where new units go. A target that ends with a finding
begins again until its time is up. What takes more than two seconds of processor time is a finding too. Findings
are told once for each place in the library; BUILD/fuzz/findings has the files. Exit status 1: there are some.
"""
import glob
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SLOW = 2  # seconds
MOST_RESTARTS = 40
SEEDS = {  # of a target: folders and files below tests
    'frames': ['fuzz/corpus/frames'],
    'image': ['fuzz/corpus/image'],
    'inline': ['fuzz/corpus/inline', 'fuzz/corpus/load/*.onnxtxt'],
    'json': ['fuzz/corpus/json'],
    'load': ['fuzz/corpus/load', 'fuzz/corpus/onnx', 'fuzz/corpus/inline'],
    'metadata': ['fuzz/corpus/metadata'],
    'mutate': ['fuzz/corpus/load', 'fuzz/corpus/onnx', 'fuzz/corpus/inline'],
    'node': [],
    'npy': ['tools/data/*.npy'],
    'npz': ['tools/data/*.npz'],
    'onnx': ['fuzz/corpus/onnx'],
    'text': ['fuzz/corpus/text', 'fuzz/corpus/load/*.onnxtxt', 'fuzz/corpus/inline'],
    'value': ['fuzz/corpus/value'],
    'wire': ['fuzz/corpus/wire'],
}
ENVIRONMENT = {'ASAN_OPTIONS': 'detect_leaks=1:allocator_may_return_null=1:handle_abort=1',
               'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}
LONG_UNITS = {'node': 2048, 'wire': 8192, 'value': 8192, 'npy': 8192, 'npz': 16384, 'image': 8192, 'json': 8192,
              'metadata': 8192, 'frames': 8192}
TICK = os.sysconf('SC_CLK_TCK')


def processor_seconds(pid):
    """User and system time so far; 0 once the process is gone."""
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8') as f:
            fields = f.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except OSError:
        return 0


def run(command, seconds, log):
    """Runs a command whose output goes to the file log; asks it to end after so many seconds of processor time.
    Returns those it took, and its exit status."""
    with open(log, 'w', encoding='utf-8') as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ, **ENVIRONMENT))
    took, asked = 0, 0
    while child.poll() is None:
        time.sleep(0.2)
        took = max(took, processor_seconds(child.pid))
        if took >= seconds + 10 * asked:
            child.send_signal(signal.SIGUSR1 if asked < 3 else signal.SIGKILL)
            asked += 1
    return took, 0 if asked else child.returncode


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def place_of(log):
    """What went wrong, and the first two functions of the stack that are ours."""
    what = re.search(r'(?:ERROR: |SUMMARY: )?(\w+Sanitizer: [\w-]+)|runtime error: (.*)|(libFuzzer: [\w-]+)', log)
    error = re.search(r'runtime error: (.*)', log)
    kind = error.group(1) if error else what.group(0) if what else 'it ended'
    stack = re.findall(r'#\d+ 0x[0-9a-f]+ in (\w+) [^\n]*?((?:src|tools|tests)/[\w./-]+:\d+)', log)
    ours = [f'{name} {file}' for name, file in stack if not name.startswith('LLVMFuzzer')]
    broken = re.search(r'^rule: (.*)', log, re.M)  # of exercise.c; without names, to tell it once
    return ' < '.join([re.sub(r"'.*?'", "''", broken.group(1))[:160] if broken else kind] + ours[:2])


class Target:
    """One fuzz target: its folders, its figures, its findings."""

    def __init__(self, build, name):
        self.name = name
        self.program = os.path.join(build, 'tests/fuzz/fuzz_' + name)
        self.corpus = os.path.join(build, 'fuzz/corpus', name)
        self.found = os.path.join(build, 'fuzz/findings', name)
        self.log = os.path.join(build, 'fuzz', name + '.log')
        self.words = os.path.join(build, 'tests/fuzz/words.dict')
        self.executions = self.edges = self.seconds = 0
        self.findings = {}
        for folder in (self.corpus, self.found):
            os.makedirs(folder, exist_ok=True)

    def command(self, restart):
        seeds = os.path.join(os.path.dirname(self.corpus), 'seeds-' + self.name)
        os.makedirs(seeds, exist_ok=True)
        for pattern in SEEDS[self.name]:
            for path in glob.glob(os.path.join(HERE, '..', pattern)):
                for file in glob.glob(os.path.join(path, '*')) if os.path.isdir(path) else [path]:
                    link = os.path.join(seeds, os.path.basename(file))
                    if not os.path.lexists(link):
                        os.symlink(os.path.abspath(file), link)
        # Entropic scheduling would take four fifths of the time of targets with so many features.
        arguments = [self.program, f'-seed={restart + 1}', f'-report_slow_units={SLOW}', '-timeout=20',
                     '-entropic=0', '-len_control=0', '-rss_limit_mb=3000', '-malloc_limit_mb=600',
                     f'-artifact_prefix={self.found}/', f'-max_len={LONG_UNITS.get(self.name, 80000)}']
        if self.name in ('load', 'text', 'inline', 'mutate', 'onnx', 'wire', 'value'):
            arguments.append('-dict=' + self.words)
        return arguments + [self.corpus, seeds]

    def run(self, seconds):
        for restart in range(MOST_RESTARTS):
            took, status = run(self.command(restart), seconds - self.seconds, self.log)
            self.seconds += took
            log = read(self.log)
            self.executions += max([int(n) for n in re.findall(r'^#(\d+)\s', log, re.M)] or [0])
            self.edges = max([self.edges] + [int(n) for n in re.findall(r' cov: (\d+)', log)])
            self.note(log, status)
            if self.seconds >= seconds - 1:
                break

    def note(self, log, status):
        files = re.findall(r'Test unit written to (\S+)', log)
        slow = [f for f in files if '/slow-unit-' in f or '/timeout-' in f]
        crashes = [f for f in files if f not in slow]
        for file in slow:
            self.time(file)
        if crashes:
            self.findings.setdefault(place_of(log), crashes[-1])
        elif status != 0 and not slow:
            self.findings.setdefault('it ended: ' + log[-300:].replace('\n', ' '), self.log)

    def once(self, file):
        """The seconds of processor time that one unit takes."""
        child = subprocess.Popen([self.program, '-timeout=300', file], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=dict(os.environ, **ENVIRONMENT))
        use = os.wait4(child.pid, 0)[2]
        return use.ru_utime + use.ru_stime

    def time(self, file):
        """A busy machine makes nothing slow: only processor time counts, the least of three times."""
        seconds = min(self.once(file) for _ in range(3))
        if seconds > SLOW:
            self.findings.setdefault(f'slow: {seconds:.1f} s ({os.path.basename(file)})', file)
        else:
            os.remove(file)


def line(target):
    rate = target.executions / target.seconds if target.seconds else 0
    return (f'{target.name:<8}{target.executions:>12}{rate:>10.0f}{target.edges:>9}{target.seconds:>9.0f}'
            f'{len(target.findings):>10}')


def main():
    build, seconds, names = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    there = [n for n in SEEDS if os.path.exists(os.path.join(build, 'tests/fuzz/fuzz_' + n))]
    unknown = [n for n in names if n not in there]
    if unknown or not there:
        sys.exit(f'fuzz.py: no target {" ".join(unknown)}; there are: {" ".join(there)}')
    targets = [Target(build, n) for n in names or there]
    print(f'{"target":<8}{"executions":>12}{"exec/s":>10}{"edges":>9}{"seconds":>9}{"findings":>10}', flush=True)
    lock = threading.Lock()

    def work(target):
        target.run(seconds)
        with lock:
            print(line(target), flush=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(work, targets))
    findings = [(t, what, file) for t in targets for what, file in t.findings.items()]
    for target, what, file in findings:
        print(f'\n{target.name}: {what}\n    OC_FUZZ_SHOW=1 {target.program} {file}')
    print(f'\n{len(findings)} findings')
    sys.exit(1 if findings else 0)


if __name__ == '__main__':
    main()
