#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""signal_ops.py - text cases of DFT, STFT and MelWeightMatrix: transforms by SciPy in long double,
mel weights by the definition in NumPy.

    python3 tests/oracle/signal_ops.py

writes tests/cases/dft, stft and mel_weight_matrix."""
import numpy as np
import scipy.fft

from elements import FLOATS, UNIT, fails, ints, round_to
from text_case import File

rng = np.random.default_rng(17)
NOISE = "By tests/oracle/signal_ops.py."


def numbers(kind, shape):
    """Multiples of 1/16 below 4, which every type holds exactly."""
    return rng.integers(-63, 64, shape) / 16.0


def as_complex(x):
    x = x.astype(np.longdouble)
    return x[..., 0] if x.shape[-1] == 1 else x[..., 0] + 1j * x[..., 1].astype(np.clongdouble)


def dft(x, axis, length=None, inverse=0, onesided=0):
    z = as_complex(x)
    if inverse and onesided:
        length = length or 2 * (x.shape[axis] - 1)
        return scipy.fft.irfft(z, n=length, axis=axis)[..., None].astype(np.float64)
    y = (scipy.fft.ifft if inverse else scipy.fft.fft)(z.astype(np.clongdouble), n=length, axis=axis)
    if onesided:
        y = np.take(y, range(y.shape[axis] // 2 + 1), axis=axis)
    return np.stack([y.real, y.imag], -1).astype(np.float64)


def near(kind, y):
    """One unit in the last place, and what cancels in double."""
    most = float(np.abs(y).max()) if y.size else 1.0
    return f"tolerance rtol {(4 if kind == 'double' else 1.01) * UNIT[kind]:.3g} atol {4e-15 * max(most, 1):.3g}"


def dft_case(f, title, opset, kind, shape, axis=None, length=None, length_kind="int64", **flags):
    x = numbers(kind, shape)
    place = axis if axis is not None else (1 if opset < 20 else -2)
    y = dft(x, place % x.ndim, length, **flags)
    inputs = {"X": (kind, x)}
    given = dict(flags)
    if length is not None:
        inputs["L"] = (length_kind, ints([length], ()))
    ports = ["X"] + (["L"] if length is not None else [])
    if axis is not None and opset >= 20:
        inputs["A"] = ("int64", ints([axis], ()))
        ports = ["X", "L" if length is not None else '""', "A"]
    elif axis is not None:
        given["axis"] = axis
    text = ", ".join(f"{k} = {v}" for k, v in given.items())
    node = f"DFT {f'<{text}> ' if text else ''}({', '.join(ports)})"
    f.add(title, opset, node, inputs, (kind, round_to(kind, y)), (near(kind, y),))


FORMS = [(1, {}), (2, {}), (2, {"inverse": 1}), (1, {"inverse": 1}), (1, {"onesided": 1}),
         (2, {"inverse": 1, "onesided": 1})]


def dft_files():
    with File("dft/lengths.onnxtxt", NOISE) as f:
        for n in [*range(1, 18), 19, 20, 25, 29, 31, 32, 34, 49, 60, 64, 97]:
            for parts, flags in FORMS[:3] if n > 9 else FORMS:
                name = ", ".join(flags) or ("complex" if parts == 2 else "real")
                dft_case(f, f"{n} elements, {name}", 20, "double" if n % 3 else "float", (1, n, parts),
                         length=n if "onesided" in flags and flags.get("inverse") else None, **flags)
    with File("dft/forms.onnxtxt", NOISE) as f:
        for kind in FLOATS:
            for opset in (17, 20, 22):
                for parts, flags in FORMS:
                    name = ", ".join(flags) or "plain"
                    dft_case(f, f"{kind}, version {opset}, {parts} parts, {name}", opset, kind,
                             (2, 6, parts), **flags)
        for opset in (17, 20):
            for axis in (0, 1, 2, -2, -4):
                dft_case(f, f"version {opset}, axis {axis}", opset, "float", (3, 4, 5, 2), axis)
                dft_case(f, f"version {opset}, axis {axis}, one-sided", opset, "float", (3, 4, 5, 1),
                         axis, onesided=1)
            for length in (1, 3, 4, 7, 19):
                for parts, flags in FORMS:
                    dft_case(f, f"version {opset}, {parts} parts, dft_length {length}, "
                             f"{', '.join(flags) or 'plain'}", opset, "double", (2, 4, parts), None,
                             length, "int32" if length == 7 else "int64", **flags)
        dft_case(f, "ten signals: more than there are lanes", 20, "float", (10, 6, 1))
        dft_case(f, "11 columns", 20, "float", (2, 6, 11, 2), 1)
        dft_case(f, "11 columns of a prime length", 20, "float", (1, 17, 11, 2), 1)
        f.add("no signal", 20, "DFT (X)", {"X": ("float", np.zeros((0, 4, 2)))},
              ("float", np.zeros((0, 4, 2))))
        f.add("an empty axis, filled up with zeros", 20, "DFT (X, L)",
              {"X": ("float", np.zeros((1, 0, 1))), "L": ("int64", ints([3], ()))},
              ("float", np.zeros((1, 3, 2))))
    with File("dft/errors.onnxtxt", NOISE) as f:
        one = ("float", np.ones((1, 4, 1)))
        two = ("float", np.ones((1, 4, 2)))
        three = ("float", np.ones((1, 4, 3)))
        number = lambda v: ("int64", ints([v], ()))
        fails(f, "three parts", 20, "DFT (X)", {"X": three}, "SHAPE",
              "input 0 'input' is [1,4,3], expected 1 (real) or 2 (complex) as the last dimension")
        fails(f, "one-sided of complex numbers", 20, "DFT <onesided = 1> (X)", {"X": two}, "SHAPE",
              "input 0 'input' is [1,4,2], expected 1 (real) as the last dimension: the transform is "
              "one-sided")
        fails(f, "one-sided back from real numbers", 20, "DFT <onesided = 1, inverse = 1> (X)",
              {"X": one}, "SHAPE", "input 0 'input' is [1,4,1], expected 2 (complex) as the last "
              "dimension: the transform is one-sided")
        for value in (-1, 2, 3, -4, 1 << 62, -(1 << 63)):
            fails(f, f"axis {value}", 20, 'DFT (X, "", A)', {"X": one, "A": number(value)}, "VALUE",
                  f"axis is {value}, expected a value in [-3, 1] other than -1")
            fails(f, f"version 17: axis {value}", 17, f"DFT <axis = {value}> (X)", {"X": one},
                  "VALUE", f"axis is {value}, expected a value in [-3, 1] other than -1")
        for value in (0, -3, -(1 << 63)):
            fails(f, f"dft_length {value}", 20, "DFT (X, L)", {"X": one, "L": number(value)},
                  "VALUE", f"the length of the transform is {value}, expected 1 or more")
        fails(f, "one element has no way back by itself", 20, "DFT <onesided = 1, inverse = 1> (X)",
              {"X": ("float", np.ones((1, 1, 2)))}, "VALUE",
              "the length of the transform is 0, expected 1 or more")
        fails(f, "an empty axis", 20, "DFT (X)", {"X": ("float", np.ones((1, 0, 2)))}, "VALUE",
              "the length of the transform is 0, expected 1 or more")
        fails(f, "a length past any memory", 20, "DFT (X, L)", {"X": one, "L": number(1 << 61)},
              "SHAPE", "too large")
        fails(f, "rank 1", 20, "DFT (X)", {"X": ("float", np.ones(2))}, "SHAPE",
              "input 0 'input' is [2], expected rank 2 or more")
        fails(f, "integers", 20, "DFT (X)", {"X": ("int32", np.ones((1, 4, 1), int))}, "TYPE", "int32")
        fails(f, "two lengths", 20, "DFT (X, L)", {"X": one, "L": ("int64", ints([3, 3]))}, "SHAPE",
              "input 1 has 2 elements, expected one")


def stft(x, step, window, length, onesided):
    length = length or (len(window) if window is not None else x.shape[1])
    z = as_complex(x if x.ndim == 3 else x[..., None])
    frames = [z[:, i:i + length] * (1 if window is None else window)
              for i in range(0, z.shape[1] - length + 1, step)]
    y = scipy.fft.fft(np.stack(frames, 1).astype(np.clongdouble), axis=2)
    if onesided:
        y = y[:, :, :length // 2 + 1]
    return np.stack([y.real, y.imag], -1).astype(np.float64)


def stft_files():
    with File("stft/values.onnxtxt", NOISE) as f:
        def case(title, kind, shape, step, window=None, length=None, onesided=1, width="int64"):
            x = numbers(kind, shape)
            w = None if window is None else numbers(kind, window)
            y = stft(x, step, w, length, onesided)
            inputs = {"X": (kind, x), "S": (width, ints([step], ()))}
            if w is not None:
                inputs["W"] = (kind, w)
            if length:
                inputs["L"] = (width, ints([length], ()))
            names = ["X", "S", "W" if w is not None else '""', "L" if length else '""']
            while names[-1] == '""':
                names.pop()
            attribute = "" if onesided else "<onesided = 0> "
            f.add(title, 17, f"STFT {attribute}({', '.join(names)})", inputs,
                  (kind, round_to(kind, y)), (near(kind, y),))

        for kind in FLOATS:
            case(f"{kind}, a window", kind, (2, 20, 1), 4, 8)
            case(f"{kind}, a length", kind, (1, 20, 1), 3, None, 8)
            case(f"{kind}, both, all frequencies", kind, (1, 20, 1), 5, 7, 7, 0)
            case(f"{kind}, complex", kind, (2, 12, 2), 2, 5, None, 0)
        case("int32 sizes", "float", (1, 20, 1), 4, 8, 8, 1, "int32")
        case("rank 2 is real", "float", (2, 12), 3, 4)
        case("one frame: neither window nor length", "float", (2, 9, 1), 4)
        case("the step is longer than a frame", "float", (1, 20, 1), 9, 4)
        case("the last samples are left over", "float", (1, 11, 1), 4, 4)
        case("frames of a prime length", "float", (1, 60, 1), 7, 19)
        case("frames of one sample", "float", (1, 3, 1), 1, 1)
        f.add("no signal", 17, "STFT (X, S, W)", {"X": ("float", np.zeros((0, 8, 1))),
              "S": ("int64", ints([2], ())), "W": ("float", np.ones(4))},
              ("float", np.zeros((0, 3, 3, 2))))
    with File("stft/errors.onnxtxt", NOISE) as f:
        def wrong(title, code, text, shape=(1, 8, 1), step=2, window=4, length=None, kind="float"):
            inputs = {"X": ("float", np.ones(shape)), "S": ("int64", ints([step], ())),
                      "W": (kind, np.ones(window))}
            if length is not None:
                inputs["L"] = ("int64", ints([length], ()))
            fails(f, title, 17, f"STFT (X, S, W{', L' if length is not None else ''})", inputs, code,
                  text)

        wrong("complex", "SHAPE", "input 0 'signal' is [1,8,2], expected 1 (real) as the last "
              "dimension: the transform is one-sided", (1, 8, 2))
        wrong("three parts", "SHAPE", "input 0 'signal' is [1,8,3], expected 1 (real) or 2 (complex) "
              "as the last dimension", (1, 8, 3))
        wrong("rank 1", "SHAPE", "input 0 'signal' is [8], expected rank 2 or 3", (8,))
        for step in (0, -1, -(1 << 63)):
            wrong(f"step {step}", "VALUE", f"frame_step is {step}, expected 1 or more", step=step)
        wrong("window and length differ", "SHAPE",
              "input 2 'window' is [4], expected [5], the frame_length", length=5)
        wrong("an empty window", "VALUE", "frame_length is 0, expected 1 or more", window=0)
        wrong("a window longer than the signal", "SHAPE",
              "input 0 'signal' is [1,8,1], expected at least 9 samples, a frame's", window=9)
        wrong("a window of rank 2", "SHAPE", "input 2 'window' is [2,2], expected rank 1",
              window=(2, 2))
        wrong("a window of another type", "TYPE", "double", kind="double")


def mel(bins, length, rate, low, high):
    edges = np.arange(bins + 2, dtype=np.float64)
    first = 2595 * np.log10(1 + low / 700)
    step = (2595 * np.log10(1 + high / 700) - first) / (bins + 2)
    hertz = 700 * (np.power(10, (edges * step + first) / 2595) - 1)
    at = (length + 1) * hertz / rate
    assert np.all((np.abs(at - np.rint(at)) > 1e-9) | (at == 0)), "an edge too near to a whole number"
    at = np.floor(at).astype(int)
    y = np.zeros((length // 2 + 1, bins))
    for i in range(bins):
        for k in range(length // 2 + 1):
            if k == at[i + 1]:
                y[k, i] = 1
            elif at[i] <= k < at[i + 1]:
                y[k, i] = (k - at[i]) / (at[i + 1] - at[i])
            elif at[i + 1] < k < at[i + 2]:
                y[k, i] = (at[i + 2] - k) / (at[i + 2] - at[i + 1])
    return y


def mel_file():
    with File("mel_weight_matrix/values.onnxtxt", NOISE) as f:
        node = "MelWeightMatrix"
        ports = "(B, L, R, LO, HI)"

        def sizes(bins, length, rate, low, high, width="int64", kind="float"):
            number = lambda v: (width, ints([v], ()))
            return {"B": number(bins), "L": number(length), "R": number(rate),
                    "LO": (kind, np.array(float(low))), "HI": (kind, np.array(float(high)))}

        for args in ((8, 16, 8192, 0, 4096), (5, 33, 8000, 20, 3800), (0, 8, 8000, 0, 4000),
                     (3, 1, 8000, 0, 100), (10, 64, 16000, 300, 7800), (4, 16, 8000, 0, 9000),
                     (3, 40, 8000, 500, 500.5)):
            f.add(f"{args}", 17, f"{node} {ports}", sizes(*args),
                  ("float", round_to("float", mel(*args))))
        args = (4, 30, 8000, 64, 3840)
        for number, kind in {1: "float", 10: "float16", 16: "bfloat16", 11: "double", 2: "uint8",
                             4: "uint16", 12: "uint32", 13: "uint64", 3: "int8", 5: "int16",
                             6: "int32", 7: "int64"}.items():
            y = mel(*args)
            y = round_to(kind, y) if kind in FLOATS else np.trunc(y).astype(int)
            f.add(f"{kind} elements", 17, f"{node} <output_datatype = {number}> {ports}",
                  sizes(*args, "int32"), (kind, y))
        for kind in FLOATS:
            f.add(f"{kind} edges", 17, f"{node} {ports}", sizes(*args, "int64", kind),
                  ("float", round_to("float", mel(*args))))
        for title, text, args in (
                ("bins", "num_mel_bins is -1, expected 0 or more", (-1, 16, 8000, 0, 4000)),
                ("length", "dft_length is 0, expected 1 or more", (4, 0, 8000, 0, 4000)),
                ("rate", "sample_rate is 0, expected 1 or more", (4, 16, 0, 0, 4000)),
                ("lower edge", "lower_edge_hertz is -1, expected a number of at least 0",
                 (4, 16, 8000, -1, 4000)),
                ("no lower edge", "lower_edge_hertz is nan, expected a number of at least 0",
                 (4, 16, 8000, np.nan, 4000)),
                ("upper edge", "upper_edge_hertz is 99, expected a number of at least 100",
                 (4, 16, 8000, 100, 99)),
                ("infinite edge", "upper_edge_hertz is inf, expected a number of at least 0",
                 (4, 16, 8000, 0, np.inf))):
            fails(f, f"wrong: {title}", 17, f"{node} {ports}", sizes(*args), "VALUE", text)
        fails(f, "a type that is none", 17, f"{node} <output_datatype = 99> {ports}",
              sizes(4, 16, 8000, 0, 4000), "VALUE",
              "attribute 'output_datatype' is 99, expected a data type's number")
        fails(f, "no bool", 17, f"{node} <output_datatype = 9> {ports}", sizes(4, 16, 8000, 0, 4000),
              "TYPE", "bool")
        fails(f, "a matrix past any memory", 17, f"{node} {ports}",
              sizes(1 << 40, 1 << 40, 8000, 0, 4000), "SHAPE", "too large")


dft_files()
stft_files()
mel_file()
