# SPDX-License-Identifier: Apache-2.0
"""engines.py - one model file in Ocellus and in ONNX Runtime: outputs, time and memory of both.

Each runs as a process of its own, with one thread. Memory is the most resident bytes of the process;
of ONNX Runtime's, less those of node with the runtime loaded and no model."""
import functools
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
NAMES = {"float32": np.float32, "float64": np.float64, "int64": np.int64, "int32": np.int32,
         "uint8": np.uint8, "int8": np.int8, "bool": np.bool_, "float16": np.float16}


class Failed(Exception):
    """The engine's own message."""


class Result:
    def __init__(self, outputs, ms, megabytes):
        self.outputs = outputs  # name -> array, in the model's order
        self.ms = ms  # a list, one for each timed run
        self.megabytes = megabytes

    def median(self):
        return statistics.median(self.ms)


# A process begins with the most resident bytes of the one that started it, so a small one does.
START = """import os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(3, "w") as f: f.write(str(usage.ru_maxrss))
sys.exit(min(os.waitstatus_to_exitcode(status) & 255, 255))"""


def run(command):
    """The process's output and its most resident megabytes, at least some 10."""
    with tempfile.NamedTemporaryFile() as peak:
        os.set_inheritable(peak.fileno(), True)
        start = START.replace("open(3,", f"open({peak.fileno()},")
        done = subprocess.run(["python3", "-I", "-S", "-c", start, *map(str, command)], capture_output=True,
                              text=True, errors="replace", pass_fds=[peak.fileno()])
        if done.returncode:
            text = done.stderr.strip() or f"exit code {done.returncode}"
            raise Failed(text.splitlines()[-1][:300])
        with open(peak.name, encoding="utf-8") as f:
            return done.stdout, int(f.read()) / 1024


class Ocellus:
    name = "Ocellus"

    def __init__(self, command):
        self.command = command

    def __call__(self, model, feeds, runs):
        with tempfile.TemporaryDirectory() as folder:
            words = []
            for i, (name, array) in enumerate(feeds.items()):
                np.save(f"{folder}/in{i}", array)
                words += ["-i", f"{name}={folder}/in{i}.npy"]
            _, peak = run([self.command, "run", model, *words, "-o", f"{folder}/out.npz", "--threads", 1])
            with np.load(f"{folder}/out.npz") as found:
                outputs = {name: found[name] for name in found.files}
            ms = []
            if runs:
                text, more = run([self.command, "bench", model, *words, "--threads", 1, "--warm", 1,
                                  "--runs", runs, "--json"])
                ms, peak = json.loads(text)["samples_ms"], max(peak, more)
            return Result(outputs, ms, peak)


class OnnxRuntime:
    name = "ONNX Runtime"

    def __init__(self, modules):
        self.modules = modules

    def _node(self, runs, folder, *model):
        return run(["node", HERE / "engine_ort.js", self.modules, runs, 1, folder, *model])

    @functools.cached_property
    def _empty(self):
        return self._node(0, ".")[1]

    def __call__(self, model, feeds, runs):
        with tempfile.TemporaryDirectory() as folder:
            listed = []
            for i, (name, array) in enumerate(feeds.items()):
                np.ascontiguousarray(array).tofile(f"{folder}/feed{i}")
                listed.append([name, array.dtype.name, list(array.shape), f"feed{i}"])
            pathlib.Path(folder, "feeds.json").write_text(json.dumps(listed), encoding="utf-8")
            text, peak = self._node(runs, folder, model)
            outputs = {}
            for name, kind, dims, file in json.loads(pathlib.Path(folder, "fetches.json").read_text()):
                outputs[name] = np.fromfile(f"{folder}/{file}", NAMES[kind]).reshape(dims)
            return Result(outputs, [float(ms) for ms in text.split(",") if ms.strip()], peak - self._empty)


def difference(ours, theirs):
    """The largest |ours - theirs| of two arrays, relative to the range of theirs; inf where the shapes
    or the places of NaN and Inf differ."""
    if ours.shape != theirs.shape:
        return np.inf
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    whole = np.isfinite(b)
    if not np.array_equal(a[~whole], b[~whole], equal_nan=True):
        return np.inf
    a, b = a[whole], b[whole]
    if not b.size:
        return 0.0
    span = b.max() - b.min() or abs(b[0])
    most = np.abs(a - b).max()
    return float(most / span) if span > 0 else (np.inf if most > 0 else 0.0)
