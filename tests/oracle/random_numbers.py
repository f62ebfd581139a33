#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_numbers.py - text cases of the random operators, by Python's integers and math.

    python3 tests/oracle/random_numbers.py

writes tests/cases/{random,multinomial}/*.onnxtxt. What is drawn from SplitMix64 is compared with what
the distribution promises."""
import math

import numpy as np

from cast import NUMBER
from elements import FLOATS, IEEE, INTEGERS, UNIT, fails, ints
from splitmix import WORD, key_of, key_of_node, unit
from text_case import File, round_to

BITS = {"float16": 11, "bfloat16": 8, "float": 24, "double": 53}


def uniform(kind, key, shape, low=0.0, high=1.0):
    low, high = float(np.float32(low)), float(np.float32(high))
    u = unit(key, math.prod(shape), BITS[kind]).reshape(shape)
    return round_to(kind, low + (high - low) * u)


def normal(kind, key, shape, mean=0.0, scale=1.0):
    n = math.prod(shape)
    u, v = unit(key, n, 53, 2), unit(key, n, 53, 2, 1)
    z = [math.sqrt(-2 * math.log1p(-a)) * math.cos(2 * math.pi * b) for a, b in zip(u, v)]
    if n > 1000:
        assert abs(np.mean(z)) < 4 / n**0.5 and abs(np.var(z) - 1) < 6 / n**0.5
    return round_to(kind, float(np.float32(mean)) + float(np.float32(scale)) * np.array(z).reshape(shape))


def close(kind):
    """A normal number's logarithm and cosine may differ in their last bits."""
    return (f"tolerance rtol {2 * UNIT[kind] + 4e-15:.3g} atol 1e-14",)


def families(f):
    for since in (22, 1):
        for kind in FLOATS if since == 22 else IEEE:
            seed, x = 3.5, np.zeros((2, 5))
            t = f"dtype = {NUMBER[kind]}, seed = {seed}"
            key = key_of(seed)
            for op, make, close_to in (("RandomUniform", uniform, ()),
                                       ("RandomNormal", normal, close(kind))):
                f.add(f"{op}-{since} {kind}", since, f"{op} <shape = [2, 5], {t}> ()", {},
                      (kind, make(kind, key, (2, 5))), close_to)
                f.add(f"{op}Like-{since} {kind}", since, f"{op}Like <seed = {seed}> (X)",
                      {"X": (kind, x)}, (kind, make(kind, key, (2, 5))), close_to)
                f.add(f"{op}Like-{since} to {kind}", since, f"{op}Like <{t}> (X)",
                      {"X": ("int8", x)}, (kind, make(kind, key, (2, 5))), close_to)
    key = key_of(-1)
    f.add("a range", 1, "RandomUniform <low = -3.0, high = 10.0, seed = -1.0, shape = [300]> ()", {},
          ("float", uniform("float", key, (300,), -3, 10)))
    f.add("a mean and a deviation", 1,
          "RandomNormal <mean = 100.0, scale = 0.25, seed = -1.0, shape = [1500]> ()", {},
          ("float", normal("float", key, (1500,), 100, 0.25)), close("float"))
    for shape in ((), (0,), (2, 0, 3)):
        f.add(f"shape {list(shape)}", 1, f"RandomUniform <seed = 0.0, shape: ints = {list(shape)}> ()",
              {}, ("float", uniform("float", key_of(0), shape)))
    for session in (0, 7, WORD >> 1):
        f.add(f"the session's seed is {session}", 22, "RandomUniform <shape = [5]> ()", {},
              ("float", uniform("float", key_of_node(session, "of 'Y'"), (5,))),
              (f"option seed {session}",) if session else ())


def bernoulli(f):
    p = np.array([0, -0.0, 1, 0.5, 0.25, 0.75, 1, 0.125, 2.0**-12, 0.9990234375] * 30)
    seed = 12.0
    for since, kinds in ((22, FLOATS), (15, IEEE)):
        for kind in kinds:
            p_kind = round_to(kind, p)
            y = unit(key_of(seed), p.size, 53) < p_kind
            f.add(f"Bernoulli-{since} of {kind}", since, f"Bernoulli <seed = {seed}> (X)",
                  {"X": (kind, p_kind)}, (kind, y))
    y = unit(key_of(seed), p.size, 53) < p
    assert 8 < y.reshape(-1, 10)[:, 3].sum() < 22 and y.reshape(-1, 10)[:, 2].all()
    for kind in [*INTEGERS, *FLOATS, "bool"]:
        f.add(f"Bernoulli to {kind}", 22, f"Bernoulli <seed = {seed}, dtype = {NUMBER[kind]}> (X)",
              {"X": ("double", p[:10])}, (kind, y[:10]))
    f.add("past the ends", 22, "Bernoulli (X)",
          {"X": ("float", np.array([2, -1, math.inf, -math.inf, math.nan]))},
          ("float", ints([1, 0, 1, 0, 0])))


def errors(f):
    x = {"X": ("int8", np.ones(1))}
    fails(f, "an integer's type without dtype", 22, "RandomUniformLike (X)", x, "TYPE", "int8",
          "int8[1] Y")
    fails(f, "no integers", 22, "RandomNormalLike <dtype = 6> (X)", x, "TYPE", "int32", "int32[1] Y")
    fails(f, "no such type", 22, "RandomUniformLike <dtype = 99> (X)", x, "VALUE", "'dtype' is 99")
    fails(f, "probabilities are floats", 22, "Bernoulli (X)", x, "TYPE", "int8", "int8[1] Y")
    fails(f, "a negative size", 22, "RandomUniform <shape = [2, -1]> ()", {}, "SHAPE", "negative")
    fails(f, "no shape", 22, "RandomUniform ()", {}, "MODEL", "shape")
    fails(f, "bfloat16 came later", 15, "RandomUniform <dtype = 16, shape = [1]> ()", {}, "TYPE",
          "bfloat16", "bfloat16[] Y")


def classes(key, x, samples):
    """For each row: the first class whose sum of weights is above a random number times all."""
    rows = []
    for i, row in enumerate(np.asarray(x, np.float64)):
        weights = [math.exp(v - max(row)) for v in row]
        drawn = []
        for j in range(samples):
            at = unit(key, 1, 53, 1, i * samples + j)[0] * math.fsum(weights)
            drawn.append(next(k for k in range(len(row)) if math.fsum(weights[:k + 1]) > at))
        rows.append(drawn)
    return ints(rows, (len(x), samples))


def multinomial(f):
    seed, inf = 5.5, math.inf
    key = key_of(seed)
    x = np.log([[0.5, 0.25, 0.125, 0.125], [1, 2, 3, 4], [0, 1, 0, 0], [1e-9, 1e-30, 1e9, 1]])
    for since in (22, 7):
        for kind in FLOATS if since == 22 else IEEE:
            for to in ("int32", "int64"):
                v = round_to(kind, x)
                f.add(f"{kind} to {to} in version {since}", since, f"Multinomial <seed = {seed}, "
                      f"sample_size = 7, dtype = {NUMBER[to]}> (X)", {"X": (kind, v)}, (to, classes(key, v, 7)))
    v = round_to("float", x[:2])
    drawn = classes(key, v, 400)
    for row, p in zip(drawn, ([0.5, 0.25, 0.125, 0.125], [0.1, 0.2, 0.3, 0.4])):
        assert all(abs(list(row).count(k) - 400 * q) < 40 for k, q in enumerate(p))
    f.add("often", 22, f"Multinomial <seed = {seed}, sample_size = 400> (X)", {"X": ("float", v)}, ("int32", drawn))
    f.add("one sample if nothing is said", 22, f"Multinomial <seed = {seed}> (X)", {"X": ("float", v)},
          ("int32", classes(key, v, 1)))
    f.add("without a seed", 22, "Multinomial <sample_size = 9> (X)", {"X": ("float", v)},
          ("int32", classes(key_of_node(0, "of 'Y'"), v, 9)))
    many = round_to("float", np.sin(np.arange(2 * 1000)).reshape(2, 1000) * 3)
    f.add("many classes", 22, f"Multinomial <seed = {seed}, sample_size = 20> (X)", {"X": ("float", many)},
          ("int32", classes(key, many, 20)))
    far = np.array([[1e300, 1e300, -1e300], [-1e308, -inf, -1e308]])
    f.add("far from 0", 22, f"Multinomial <seed = {seed}, sample_size = 12> (X)", {"X": ("double", far)},
          ("int32", classes(key, far, 12)))
    for shape, samples in (((0, 3), 2), ((2, 3), 0), ((2, 0), 0), ((0, 0), 4), ((2, 1), 3)):
        f.add(f"{list(shape)}, {samples} samples", 22, f"Multinomial <sample_size = {samples}> (X)",
              {"X": ("float", np.ones(shape))}, ("int32", np.zeros((shape[0], samples))))
    for row, what in (([0, math.nan], "NaN"), ([0, inf], "Inf"), ([-inf, -inf], "-Inf alone")):
        fails(f, f"a row with {what}", 22, "Multinomial (X)", {"X": ("float", [[0, 0], row])}, "VALUE",
              f"row 1 of input 0 has {what}, expected finite numbers or -Inf, and one of them finite", "int32[] Y")
    one = {"X": ("float", np.ones((2, 3)))}
    fails(f, "no class", 22, "Multinomial (X)", {"X": ("float", np.ones((2, 0)))}, "SHAPE",
          "input 0 'input' is [2,0], expected one class or more", "int32[] Y")
    fails(f, "rank 1", 22, "Multinomial (X)", {"X": ("float", np.ones(3))}, "SHAPE",
          "input 0 'input' is [3], expected rank 2", "int32[] Y")
    fails(f, "a negative number of samples", 22, "Multinomial <sample_size = -1> (X)", one, "VALUE",
          "attribute 'sample_size' is -1, expected 0 or more", "int32[] Y")
    fails(f, "no floats are drawn", 22, "Multinomial <dtype = 1> (X)", one, "VALUE",
          "attribute 'dtype' is 1, expected 6 (int32) or 7 (int64)", "float[] Y")
    fails(f, "no such type", 22, "Multinomial <dtype = 99> (X)", one, "VALUE",
          "attribute 'dtype' is 99, expected 6 (int32) or 7 (int64)", "int32[] Y")
    fails(f, "bfloat16 came later", 7, "Multinomial (X)", {"X": ("bfloat16", np.ones((1, 1)))}, "TYPE",
          "bfloat16", "int32[] Y")


def main():
    with File("multinomial/numbers.onnxtxt", "By tests/oracle/random_numbers.py.") as f:
        multinomial(f)
    with File("random/numbers.onnxtxt", "By tests/oracle/random_numbers.py.") as f:
        families(f)
    with File("random/bernoulli.onnxtxt", "By tests/oracle/random_numbers.py.") as f:
        bernoulli(f)
        errors(f)


main()
