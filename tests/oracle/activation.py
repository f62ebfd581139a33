#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""activation.py - text cases of the activations, by Python's decimal numbers.

    python3 tests/oracle/activation.py

writes the .onnxtxt files of tests/cases/activation and tests/cases/piecewise. The published formulas
are computed as they stand, with 800 digits, and rounded once; an attribute is the float nearest to what is written."""
import math
from decimal import Decimal, getcontext

import numpy as np

from elements import (FLOATS, IEEE, INTEGERS, LEAST, MOST, SIGNED, UNIT, UNSIGNED, each, ends,
                      fails, floats, ints, round_to, wrap)
from text_case import File

getcontext().prec = 800
ONE, TWO, HALF = Decimal(1), Decimal(2), Decimal("0.5")
WRITTEN = "By tests/oracle/activation.py."


def arctan_of_inverse(n):
    total, power, k = Decimal(0), ONE / n, 1
    while abs(power) > Decimal(10) ** -810:
        total, power, k = total + power / k, -power / (n * n), k + 2
    return total


PI = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


def exp(v):
    return min(v, Decimal(20000)).exp()


def tanh(v):
    return 1 if v > 5000 else (exp(2 * v) - 1) / (exp(2 * v) + 1)


def erf(v):
    if abs(v) > 30:
        return ONE.copy_sign(v)
    total, term, n = Decimal(0), v, 0
    while abs(term) > Decimal(10) ** -810:
        total, n = total + term, n + 1
        term = term * 2 * v * v / (2 * n + 1)
    return 2 / PI.sqrt() * (-v * v).exp() * total


def sigmoid(v):
    return 1 / (1 + exp(-v))


def softplus(x):
    return x if x > 10000 else (exp(x) + 1).ln()


def gelu(x):
    return HALF * x * (1 + erf(x / TWO.sqrt()))


def gelu_tanh(x):
    return HALF * x * (1 + tanh((2 / PI).sqrt() * (x + Decimal("0.044715") * x ** 3)))


def hard_sigmoid(x, alpha, beta):
    return max(Decimal(0), min(ONE, alpha * x + beta))


def shrink(x, lambd, bias):
    return x + bias if x < -lambd else x - bias if x > lambd else Decimal(0)


INF, NAN = math.inf, math.nan
# operator: (versions, older attribute defaults, formula, its attributes, [other values],
#            at [Inf, -Inf, NaN] with the attributes' defaults)
OPERATORS = {
    "Celu": ([28, 12], lambda x, alpha: max(0, x) + min(0, alpha * (exp(x / alpha) - 1)),
             {"alpha": 1.0}, [{"alpha": 2.0}, {"alpha": 0.3}], [INF, -1, NAN]),
    "Elu": ([22, 6, 1], lambda x, alpha: alpha * (exp(x) - 1) if x < 0 else x,
            {"alpha": 1.0}, [{"alpha": 2.0}, {"alpha": -0.7}], [INF, -1, NAN]),
    "Erf": ([13, 9], erf, {}, [], [1, -1, NAN]),
    "Gelu": ([20], gelu, {}, [], [INF, NAN, NAN]),
    "HardSigmoid": ([22, 6, 1], hard_sigmoid, {"alpha": 0.2, "beta": 0.5},
                    [{"alpha": 0.5, "beta": 0.6}, {"alpha": -1.0}], [1, 0, NAN]),
    "HardSwish": ([22, 14], lambda x: x * hard_sigmoid(x, ONE / 6, HALF), {}, [], [INF, NAN, NAN]),
    "LeakyRelu": ([16, 6, 1], lambda x, alpha: alpha * x if x < 0 else x, {"alpha": 0.01},
                  [{"alpha": 0.1}, {"alpha": -2.0}], [INF, -INF, NAN]),
    "Mish": ([22, 18], lambda x: x * tanh(softplus(x)), {}, [], [INF, NAN, NAN]),
    "Selu": ([22, 6, 1], lambda x, alpha, gamma: gamma * (alpha * exp(x) - alpha if x <= 0 else x),
             {"alpha": 1.67326319217681884765625, "gamma": 1.05070102214813232421875},
             [{"alpha": 2.0, "gamma": 3.0}],
             [INF, -1.67326319217681884765625 * 1.05070102214813232421875, NAN]),
    "Shrink": ([9], shrink, {"lambd": 0.5, "bias": 0.0},
               [{"lambd": 1.5, "bias": 1.5}, {"lambd": -1.0, "bias": 0.25}], [INF, -INF, 0]),
    "Softplus": ([22, 1], softplus, {}, [], [INF, 0, NAN]),
    "Softsign": ([22, 1], lambda x: x / (1 + abs(x)), {}, [], [NAN, NAN, NAN]),
    "Swish": ([24], lambda x, alpha: x * sigmoid(alpha * x), {"alpha": 1.0},
              [{"alpha": 1.702}, {"alpha": -3.0}, {"alpha": 0.0}], [INF, NAN, NAN]),
    "ThresholdedRelu": ([22, 10], lambda x, alpha: x if x > alpha else Decimal(0), {"alpha": 1.0},
                        [{"alpha": 2.0}, {"alpha": -1.0}], [INF, 0, 0])}
LEGACY_DEFAULTS = {"Selu": {"alpha": 1.6732, "gamma": 1.0507}}
# Rounding errors of the argument grow as its square in the tails; elsewhere a few steps round.
STEEP = {"Gelu": 1200, "Gelu tanh": 2000, "Swish": 16, "Mish": 16}
USUAL = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 0.0625, 0.9375, 2.75, 4.0, 6.5, 12.0, 0.001, 1e-5, 20.0, 36.0,
         90.0, 300.0, 1000.0]


def kinds_of(op, since, newest):
    if op == "Celu" and since == 12:
        return ["float"]
    if op == "Shrink" or since < newest:
        return IEEE
    return FLOATS


def compute(kind, formula, x, attributes):
    given = {k: Decimal(float(np.float32(v))) for k, v in attributes.items()}
    exact = [formula(Decimal(float(v)), **given) for v in x.ravel()]
    return round_to(kind, np.array([float(v) for v in exact]).reshape(x.shape))


def tolerance(op, kind, unit=2):
    if kind == "double":
        unit = STEEP.get(op, 8)
    # Sums of opposite signs lose their leading digits.
    atol = 2 * UNIT[kind] if op == "HardSigmoid" else 64 * LEAST[kind]
    return (f"tolerance rtol {unit * UNIT[kind]:.3g} atol {atol:.3g}",)


def call(op, attributes):
    text = ", ".join(f"{k} = {v if isinstance(v, str) else repr(v)}" for k, v in attributes.items())
    return f"{op} <{text}> (X)" if text else f"{op} (X)"


def values(kind):
    x = [v for v in USUAL if v < MOST[kind]]
    x += [MOST[kind], MOST[kind] / 4, LEAST[kind], LEAST[kind] * 4, UNIT[kind], UNIT[kind] / 8]
    return floats(kind, x + [-v for v in x])


def one(f, op, title, since, kind, formula, attributes, full, x, name=None):
    y = compute(kind, formula, x, full)
    f.add(title, since, call(op, attributes), {"X": (kind, x)}, (kind, y), tolerance(name or op, kind))


PIECEWISE = ("HardSigmoid", "HardSwish", "LeakyRelu", "Shrink", "ThresholdedRelu")


def activation(op):
    versions, formula, defaults, others, far = OPERATORS[op]
    newest = versions[0]
    folder = "piecewise" if op in PIECEWISE else "activation"
    with File(f"{folder}/{op.lower()}.onnxtxt", f"{WRITTEN} A few units in the last place.") as f:
        for kind in kinds_of(op, newest, newest):
            x = values(kind)
            for attributes in [{}] + others:
                one(f, op, f"{kind} {attributes or 'by default'}", newest, kind, formula, attributes,
                    {**defaults, **attributes}, x)
            f.add(f"{kind} of no number", newest, f"{op} (X)", {"X": (kind, [INF, -INF, NAN])},
                  (kind, round_to(kind, np.array(far, float))), tolerance(op, kind))
        x = floats("float", [[-2.0, -0.25, 0.25], [1.0, 0.0, 5.0]])
        for since in versions[1:]:
            full = {**defaults, **(LEGACY_DEFAULTS.get(op, {}) if since == 1 else {})}
            for kind in kinds_of(op, since, newest):
                one(f, op, f"{kind} in version {since}", since, kind, formula, {}, full, x)
        if 1 in versions and op not in ("Softplus", "Softsign"):
            full = {**defaults, **LEGACY_DEFAULTS.get(op, {})}
            one(f, op, "consumed_inputs means nothing", 1, "float", formula,
                {"consumed_inputs": [0]}, full, x)
        for shape in ((0,), (2, 0, 3), (), (1, 1), (3, 100)):
            one(f, op, f"shape {list(shape)}", newest, "float", formula, {}, defaults,
                np.linspace(-3, 3, math.prod(shape)).astype(np.float32).astype(float).reshape(shape))
        if op == "Gelu":
            for kind in FLOATS:
                one(f, op, f"{kind} by tanh", 20, kind, gelu_tanh, {"approximate": '"tanh"'}, {},
                    values(kind), "Gelu tanh")
                one(f, op, f"{kind} by none", 20, kind, gelu, {"approximate": '"none"'}, {},
                    values(kind))
                f.add(f"{kind} of no number by tanh", 20, call(op, {"approximate": '"tanh"'}),
                      {"X": (kind, [INF, -INF, NAN])}, (kind, [INF, NAN, NAN]))
            fails(f, "another approximation", 20, call(op, {"approximate": '"Tanh"'}),
                  {"X": ("float", np.ones(1))}, "VALUE", "approximate", "float[1] Y")
        if op == "Erf":
            for kind in INTEGERS:
                low, high = ends(kind)
                x = ints([0, 1, 2, 5, 6, 7, high, low] + ([-1, -5, -6] if kind in SIGNED else []))
                f.add(f"{kind} in version 9", 9, "Erf (X)", {"X": (kind, x)},
                      (kind, each(lambda v: int(math.erf(v)), x)))
        if op == "Shrink":
            shrink_integers(f)
        else:
            fails(f, "no int32", newest, f"{op} (X)", {"X": ("int32", ints([1]))}, "TYPE", "int32",
                  "int32[1] Y")
        fails(f, "bfloat16 came later", 9 if op == "Shrink" else (versions + [19])[1],
              f"{op} (X)", {"X": ("bfloat16", np.ones(1))},
              "UNSUPPORTED" if op in ("Gelu", "Swish") else "TYPE",
              "bfloat16" if op not in ("Gelu", "Swish") else op, "bfloat16[1] Y")
        if op == "Celu":
            fails(f, "no double in version 12", 12, "Celu (X)", {"X": ("double", np.ones(1))},
                  "TYPE", "double", "double[1] Y")


def shrink_integers(f):
    """Computed in double, truncated toward zero, at most the ends; without a bias chosen."""
    for kind in INTEGERS:
        low, high = ends(kind)
        x = [0, 1, 2, 3, 4, 100, high, high - 1, low, low + 1]
        x = ints(x + ([-1, -2, -3, -100] if kind in SIGNED else []))

        def shrunk(v, lambd, bias):
            if bias == 0:
                return v if v < -lambd or v > lambd else 0
            y = float(v)
            y = y + bias if y < -lambd else y - bias if y > lambd else 0
            return min(max(int(y), low), high)

        for lambd, bias in ((0.5, 0.0), (1.5, 1.5), (2.0, 3.0), (-1.5, 0.5), (0.0, -0.75),
                            (2.5, 130.25), (3.0, 2.0**70), (-0.5, 0.0)):
            f.add(f"{kind}, lambd {lambd}, bias {bias}", 9,
                  f"Shrink <lambd = {lambd}, bias = {bias}> (X)", {"X": (kind, x)},
                  (kind, each(lambda v: shrunk(int(v), lambd, bias), x)))
    fails(f, "no bool", 9, "Shrink (X)", {"X": ("bool", ints([1]))}, "TYPE", "bool", "bool[1] Y")


# ---- two operands

def prelu_of(kind):
    if kind in UNSIGNED:
        return lambda x, s: x
    if kind in SIGNED:
        return lambda x, s: wrap(kind, x * s if x < 0 else x)
    return lambda x, s: x * s if x < 0 else x


WIDE = ["int32", "int64", "uint32", "uint64"]
FITS = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), (1,)), ((2, 3), ()), ((2, 3, 4), (3, 1)),
        ((2, 3, 4), (2, 1, 1)), ((2, 3, 4), (1, 3, 4)), ((), ()), ((0, 2), (2,)), ((4, 1), (1, 1))]
MISFITS = [((2, 3), (2,)), ((3,), (2, 3)), ((), (1,)), ((1,), (3,)), ((2, 1), (2, 3)), ((0,), (2,))]


def prelu():
    def numbers(shape, start, kind="float"):
        x = np.arange(math.prod(shape), dtype=float) * 3 % 11 + start
        x = (x - 5).reshape(shape)
        return np.abs(x) if kind in UNSIGNED else x

    def case(f, title, since, kind, x, s, repeated=None):
        want = np.vectorize(prelu_of(kind), otypes=[float])(x, repeated if repeated is not None else s)
        f.add(title, since, "PRelu (X, S)", {"X": (kind, x), "S": (kind, s)},
              (kind, round_to(kind, want.reshape(np.shape(x))) if kind in FLOATS else want))

    with File("piecewise/prelu.onnxtxt", f"{WRITTEN} Exact.") as f:
        for since, kinds in ((16, FLOATS + WIDE), (9, IEEE + WIDE), (7, IEEE)):
            for kind in kinds:
                case(f, f"{kind} in version {since}", since, kind, numbers((2, 3), 1, kind),
                     numbers((3,), 2, kind))
        for kind in FLOATS:
            x = floats(kind, [-0.0, 0.0, -INF, INF, NAN, -LEAST[kind], -MOST[kind], MOST[kind], -3.5])
            for s in (0.3, -1.0, 0.0, 2.0, NAN):
                case(f, f"{kind}, slope {s}", 16, kind, x, floats(kind, [s]))
        for kind in WIDE:
            low, high = ends(kind)
            x = ints([0, 1, low, low + 1, high] + ([-1, -7] if kind in SIGNED else []))
            for s in (3, high, low):
                f.add(f"{kind}, slope {s}", 16, "PRelu (X, S)", {"X": (kind, x), "S": (kind, ints([s]))},
                      (kind, each(prelu_of(kind), x, ints([s]))))
        for x, s in FITS:
            case(f, f"{list(x)} with {list(s)}", 16, "float", numbers(x, 0), numbers(s, 6))
            case(f, f"float16 {list(x)} with {list(s)}", 16, "float16", numbers(x, 0), numbers(s, 6))
        for x, s in MISFITS:
            fails(f, f"{list(s)} does not repeat to {list(x)}", 16, "PRelu (X, S)",
                  {"X": ("float", numbers(x, 0)), "S": ("float", numbers(s, 0))}, "SHAPE", "slope",
                  "float[] Y")
        for since in (6, 1):
            for kind in IEEE:
                x, s = numbers((2, 3, 2), 0), numbers((3,), 6)
                case(f, f"{kind} in version {since}: a slope for each channel", since, kind, x, s,
                     s.reshape(1, 3, 1))
            for s in ((), (1,), (1, 1)):
                case(f, f"version {since}: one slope {list(s)}", since, "float", numbers((2, 3), 0),
                     numbers(s, 7))
            for s in ((2,), (2, 3), (3, 1, 1)):
                fails(f, f"version {since}: {list(s)} is no slope", since, "PRelu (X, S)",
                      {"X": ("float", numbers((2, 3), 0)), "S": ("float", numbers(s, 0))}, "SHAPE",
                      "slope", "float[] Y")
        f.add("consumed_inputs means nothing", 1, "PRelu <consumed_inputs = [0, 0]> (X, S)",
              {"X": ("float", np.array([-1.0])), "S": ("float", np.array([3.0]))}, ("float", [-3.0]))
        for kind, since in (("int8", 16), ("bool", 16), ("int32", 7), ("bfloat16", 9)):
            fails(f, f"no {kind} in version {since}", since, "PRelu (X, S)",
                  {"X": (kind, ints([1])), "S": (kind, ints([1]))}, "TYPE", kind, f"{kind}[1] Y")


def swiglu():
    with File("activation/swiglu.onnxtxt", f"{WRITTEN} A few units in the last place.") as f:
        for kind in FLOATS:
            a = values(kind)
            b = floats(kind, np.resize([1.0, -0.5, 3.0, 0.0, -2.0], a.shape))
            for attributes in ({}, {"alpha": 1.702}, {"alpha": -2.0}):
                alpha = Decimal(float(np.float32(attributes.get("alpha", 1.0))))
                want = [float(Decimal(float(x)) * sigmoid(alpha * Decimal(float(x))) *
                              Decimal(float(y))) for x, y in zip(a, b)]
                f.add(f"{kind} {attributes or 'by default'}", 28,
                      call("SwiGLU", attributes).replace("(X)", "(A, B)"),
                      {"A": (kind, a), "B": (kind, b)}, (kind, round_to(kind, np.array(want))),
                      tolerance("Swish", kind))
        for shape in ((0, 2), (), (1,), (2, 1, 2)):
            zero, y = np.zeros(shape), np.ones(shape)
            f.add(f"shape {list(shape)}", 28, "SwiGLU (A, B)", {"A": ("float", zero), "B": ("float", y)},
                  ("float", zero))
        for a, b in (((2, 3), (3,)), ((2,), (1,)), ((2,), (2, 1)), ((1,), ())):
            fails(f, f"{list(a)} and {list(b)} differ", 28, "SwiGLU (A, B)",
                  {"A": ("float", np.ones(a)), "B": ("float", np.ones(b))}, "SHAPE", "input 1 'B' is",
                  "float[] Y")
        fails(f, "operands of two types", 28, "SwiGLU (A, B)", {"A": ("float", np.ones(1)),
              "B": ("double", np.ones(1))}, "TYPE", "double", "float[1] Y")
        fails(f, "opset 27 has none", 27, "SwiGLU (A, B)", {"A": ("float", np.ones(1)),
              "B": ("float", np.ones(1))}, "UNSUPPORTED", "SwiGLU", "float[1] Y")


# ---- bodies: functions/*.onnxtxt hold the same definitions

BODY_VALUES = [0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, -3.0, 0.0625, -0.0625, 4.75, -4.75,
               8.0, -8.0, 0.001, -0.001, 300.0, -300.0]
BODY = ("body native expand",)


def loose(kind):
    """Bodies round after every step, and 1 + e^x loses what is small beside the 1."""
    return (f"tolerance rtol {32 * UNIT[kind]:.3g} atol {4 * UNIT[kind]:.3g}",) + BODY


def body(f, op, since, kind, attributes):
    _, formula, defaults, _, far = OPERATORS[op]
    x = floats(kind, BODY_VALUES)
    y = compute(kind, formula, x, {**defaults, **attributes})
    f.add(f"{op}-{since} of {kind} {attributes or 'by default'}", since, call(op, attributes),
          {"X": (kind, x)}, (kind, y), loose(kind))
    if not attributes:
        most = floats(kind, [INF, -INF, NAN, MOST[kind], -MOST[kind]])
        y = compute(kind, formula, most[3:], defaults)
        f.add(f"{op}-{since} of {kind}: the ends", since, f"{op} (X)", {"X": (kind, most)},
              (kind, round_to(kind, np.concatenate([np.array(far, float), y]))), loose(kind))


def bodies():
    with File("activation/bodies.onnxtxt", f"{WRITTEN} Kernels and bodies.") as f:
        for op, (versions, _, defaults, others, _) in OPERATORS.items():
            if op == "Erf":
                continue
            written = {"Celu": [28, 12], "HardSwish": [22, 14], "LeakyRelu": [16], "Swish": [24],
                       "Gelu": [20]}.get(op, [22, 18] if versions[0] == 22 else [18])
            for since in written:
                full = since >= max(written[-1], 20) or op == "LeakyRelu"
                for kind in ["float"] if (op, since) == ("Celu", 12) else (
                        FLOATS if full and op != "Shrink" else IEEE):
                    for attributes in [{}] + others:
                        body(f, op, since, kind, attributes)
        for kind in INTEGERS:
            low, high = ends(kind)
            x = ints([0, 1, 2, 3, 100] + ([-1, -2, -100] if kind in SIGNED else [high]
                                          if kind != "uint64" else []))
            for lambd, bias in ((0.5, 0.0), (1.5, 1.5), (2.0, 4.0)):
                want = each(lambda v: min(max(int(shrink(Decimal(int(v)), Decimal(lambd),
                                                         Decimal(bias))), low), high), x)
                f.add(f"Shrink of {kind}, lambd {lambd}, bias {bias}", 18,
                      f"Shrink <lambd = {lambd}, bias = {bias}> (X)", {"X": (kind, x)},
                      (kind, want), BODY)
        for kind in FLOATS + list(SIGNED):
            x = [1, 0, -1, 5, -7]
            x = floats(kind, x + [0.5, INF, -INF, NAN]) if kind in FLOATS else ints(x)
            y = np.where(np.isnan(x), x, np.maximum(x, 0)) if kind in FLOATS else each(
                lambda v: max(v, 0), x)
            f.add(f"Relu of {kind}", 18, "Relu (X)", {"X": (kind, x)}, (kind, y), BODY)
        for kind in FLOATS + WIDE:
            x = np.array([[3, 8, 2], [1, 5, 7]]) * (1 if kind in UNSIGNED else -1)
            x[1] = np.abs(x[1])
            s = np.array([2.0, 3, 4])
            want = np.where(x < 0, x * s, x)
            f.add(f"PRelu of {kind}", 16, "PRelu (X, S)", {"X": (kind, x), "S": (kind, s)},
                  (kind, want), ("tolerance rtol 0 atol 0",) + BODY)
        for op, compare in (("GreaterOrEqual", np.greater_equal), ("LessOrEqual", np.less_equal)):
            for since, kinds in ((16, FLOATS + list(INTEGERS)), (12, IEEE + list(INTEGERS))):
                for kind in kinds:
                    numbers = [0, 1, 2] + ([-1] if kind not in UNSIGNED else []) + (
                        [INF, -INF, NAN, -0.0] if kind in FLOATS else [])
                    a = np.repeat(numbers, len(numbers))
                    b = np.tile(numbers, len(numbers))
                    f.add(f"{op}-{since} of {kind}", since, f"{op} (A, B)", {"A": (kind, a),
                          "B": (kind, b)}, ("bool", compare(a, b).astype(int)), BODY)
            a, b = np.array([[1.0], [2.0]]), np.array([1.0, 2.0, 3.0])
            f.add(f"{op} repeats", 16, f"{op} (A, B)", {"A": ("float", a), "B": ("float", b)},
                  ("bool", compare(a, b).astype(int)), BODY)
        for kind in FLOATS:
            a = floats(kind, BODY_VALUES)
            b = floats(kind, np.resize([1.0, -0.5, 3.0, 0.0, -2.0], a.shape))
            for alpha in (1.0, 1.5):
                want = [float(Decimal(float(x)) * sigmoid(Decimal(alpha) * Decimal(float(x))) *
                              Decimal(float(y))) for x, y in zip(a, b)]
                f.add(f"SwiGLU of {kind}, alpha {alpha}", 28, f"SwiGLU <alpha = {alpha}> (A, B)",
                      {"A": (kind, a), "B": (kind, b)}, (kind, round_to(kind, np.array(want))),
                      loose(kind))


if __name__ == "__main__":
    for each_op in OPERATORS:
        activation(each_op)
    prelu()
    swiglu()
    bodies()
