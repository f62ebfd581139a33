#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lstm.py - text cases of LSTM, GRU and RNN, by NumPy in double.

    python3 tests/oracle/lstm.py

writes tests/cases/{lstm,gru,rnn}/numpy.onnxtxt. The published equations, one sequence and one step
after the other; attribute clip bounds what the gates and the new content are made of."""
import itertools

import numpy as np

from attention import TOLERANCE, literal
from elements import header, round_to
from text_case import File

INPUTS = ["X", "W", "R", "B", "L", "H", "C", "P"]
RESULTS = ["Y", "YH", "YC"]


def sigmoid(x, *_):
    return 1 / (1 + np.exp(-x))


FUNCTIONS = {  # with alpha and beta, which have these defaults
    "Affine": (lambda x, a, b: a * x + b, 1.0, 0.0),
    "Elu": (lambda x, a, _: np.where(x >= 0, x, a * (np.exp(x) - 1)), 1.0, None),
    "HardSigmoid": (lambda x, a, b: np.minimum(np.maximum(a * x + b, 0), 1), 0.2, 0.5),
    "LeakyRelu": (lambda x, a, _: np.where(x >= 0, x, a * x), 0.01, None),
    "Relu": (lambda x, *_: np.maximum(x, 0), None, None),
    "ScaledTanh": (lambda x, a, b: a * np.tanh(b * x), 1.0, 1.0),
    "Sigmoid": (sigmoid, None, None),
    "Softplus": (lambda x, *_: np.log1p(np.exp(x)), None, None),
    "Softsign": (lambda x, *_: x / (1 + np.abs(x)), None, None),
    "Tanh": (lambda x, *_: np.tanh(x), None, None),
    "ThresholdedRelu": (lambda x, a, _: np.where(x >= a, x, 0), 1.0, None)}


def functions_of(names, alpha, beta):
    """The functions, with the numbers of the lists taken in order."""
    alpha, beta, result = list(alpha), list(beta), []
    for name in names:
        function, a, b = next(f for known, f in FUNCTIONS.items() if known.lower() == name.lower())
        a, b = (v if v is None else float(np.float32(v)) for v in (a, b))
        a = alpha.pop(0) if a is not None and alpha else a
        b = beta.pop(0) if b is not None and beta else b
        result.append(lambda x, f=function, a=a, b=b: f(x, a, b))
    return result


class Lstm:
    op, gates, defaults = "LSTM", 4, ["Sigmoid", "Tanh", "Tanh"]

    @staticmethod
    def step(x, h, c, w, r, wb, rb, p, f, clip, given):
        i, o, forget, g = x @ w.swapaxes(1, 2) + h @ r.swapaxes(1, 2) + wb + rb
        i = f[0](clip(i + p[0] * c))
        forget = 1 - i if given.get("input_forget") else f[0](clip(forget + p[2] * c))
        c = forget * c + i * f[1](clip(g))
        return f[0](clip(o + p[1] * c)) * f[2](c), c


class Gru:
    op, gates, defaults = "GRU", 3, ["Sigmoid", "Tanh"]

    @staticmethod
    def step(x, h, c, w, r, wb, rb, p, f, clip, given):
        xw = [x @ w[k].T + wb[k] for k in range(3)]
        z, reset = (f[0](clip(xw[k] + h @ r[k].T + rb[k])) for k in range(2))
        if given.get("linear_before_reset"):
            new = f[1](clip(xw[2] + reset * (h @ r[2].T + rb[2])))
        else:
            new = f[1](clip(xw[2] + (reset * h) @ r[2].T + rb[2]))
        return (1 - z) * new + z * h, c


class Rnn:
    op, gates, defaults = "RNN", 1, ["Tanh"]

    @staticmethod
    def step(x, h, c, w, r, wb, rb, p, f, clip, given):
        return f[0](clip(x @ w[0].T + h @ r[0].T + wb[0] + rb[0])), c


def run(cell, v, given):
    """Y, Y_h and Y_c from the inputs, by name, and the attributes."""
    turn = (lambda x: x.swapaxes(0, 1)) if given.get("layout") else (lambda x: x)
    x, w, r = turn(v["X"]), v["W"], v["R"]
    (steps, batch, _), d, n = x.shape, len(w), r.shape[2]
    b = v.get("B", np.zeros((d, 2 * cell.gates * n)))
    p = v.get("P", np.zeros((d, 3 * n))).reshape(d, 3, n)
    hs = turn(v["H"]).copy() if "H" in v else np.zeros((d, batch, n))
    cs = turn(v["C"]).copy() if "C" in v else np.zeros((d, batch, n))
    lens = v.get("L", np.full(batch, steps)).astype(int)
    each = len(cell.defaults)
    f = functions_of(given.get("activations") or cell.defaults * d, given.get("activation_alpha", []),
                     given.get("activation_beta", []))
    most = given.get("clip", np.inf)
    y = np.zeros((steps, d, batch, n))
    for k, i in itertools.product(range(d), range(batch)):
        wb, rb = b[k].reshape(2, cell.gates, n)
        backward = given.get("direction") == "reverse" or k == 1
        for t in (reversed if backward else list)(range(lens[i])):
            hs[k, i], cs[k, i] = cell.step(
                x[t, i], hs[k, i], cs[k, i], w[k].reshape(cell.gates, n, -1),
                r[k].reshape(cell.gates, n, n), wb, rb, p[k], f[k * each:(k + 1) * each],
                lambda u: np.minimum(np.maximum(u, -most), most), given)
            y[t, k, i] = hs[k, i]
    y = y.transpose(2, 0, 1, 3) if given.get("layout") else y
    return [y, turn(hs), turn(cs)][:3 if cell is Lstm else 2]


# ---- cases

def some(shape, start, scale=1.0):
    return (np.rint(np.sin(np.arange(int(np.prod(shape))) * 1.7 + start) * 16) / 16 * scale).reshape(shape)


def data(cell, steps=3, batch=2, inputs=3, n=4, d=1, names="XWR", layout=0, lens=None):
    g = cell.gates
    turn = (lambda x: x.swapaxes(0, 1)) if layout else (lambda x: x)
    everything = {
        "X": turn(some((steps, batch, inputs), 1)), "W": some((d, g * n, inputs), 2),
        "R": some((d, g * n, n), 3, 0.5), "B": some((d, 2 * g * n), 4, 0.5),
        "L": np.array(lens if lens else [steps] * batch), "H": turn(some((d, batch, n), 5)),
        "C": turn(some((d, batch, n), 6)), "P": some((d, 3 * n), 7)}
    return {name: everything[name] for name in names}


class Cases:
    def __init__(self, f, cell):
        self.f, self.cell = f, cell
        self.inputs = INPUTS if cell is Lstm else INPUTS[:6]
        self.results = RESULTS if cell is Lstm else RESULTS[:2]

    def lines(self, v, given, kind, opset, results, constants):
        kinds = {n: "int32" if n == "L" else kind for n in self.inputs + RESULTS}
        last = max(self.inputs.index(n) for n in v)
        args = ", ".join(n if n in v else '""' for n in self.inputs[:last + 1])
        ports = ", ".join(f"{kinds[n]}[] {n}" for n in v if n not in constants)
        weights = ", ".join(literal(kinds[n], v[n]).replace(" {", f" {n} = {{", 1) for n in constants)
        outs = ", ".join(f"{kind}[] {n}" for n in results)
        names = ", ".join(n if n in results else '""' for n in self.results)
        text = ", ".join(f"{k}{': strings' * (a == [])} = " + self.attribute(a) for k, a in given.items())
        node = f"{names} = {self.cell.op} <{text}> ({args})" if text else f"{names} = {self.cell.op} ({args})"
        return [header(opset), f"g ({ports}) => ({outs}) " + (f"<{weights}> " if constants else "") +
                f"{{ {node} }}"] + [f"--- {n} = {literal(kinds[n], x)}" for n, x in v.items() if n not in constants]

    @staticmethod
    def attribute(a):
        if isinstance(a, list):
            return "[" + ", ".join(f'"{x}"' if isinstance(x, str) else str(x) for x in a) + "]"
        return f'"{a}"' if isinstance(a, str) else str(a)

    def add(self, title, v, given=None, kind="float", opset=22, results=None, constants="", remark=None):
        given, results = given or {}, results or self.results
        v = {n: x if n == "L" else round_to(kind, x) for n, x in v.items()}
        exact = {k: [float(np.float32(u)) for u in a] if k.startswith("activation_") else
                 float(np.float32(a)) if k == "clip" else a for k, a in given.items()}
        found = dict(zip(self.results, run(self.cell, v, exact)))
        self.f.cases.append((title, self.lines(v, given, kind, opset, results, constants) + [
            f"--- {n} = {literal(kind, round_to(kind, found[n]))}" for n in results] + [f"--- tolerance {TOLERANCE[kind]}"] +
            ([f'--- remark "{remark}"'] if remark else [])))

    def fails(self, title, v, given, code, part, kind="float", opset=22):
        self.f.cases.append((title, self.lines(v, given, kind, opset, self.results, "") + [
            f'--- fails {code} "{part}"']))


def sizes_and_inputs(c, cell):
    every = "".join(c.inputs)
    for kind, opset in itertools.product(("float16", "float", "double", "bfloat16"), (22, 14, 7, 3, 1)):
        if (kind != "bfloat16" or opset == 22) and (opset != 3 or cell is Gru):
            c.add(f"{kind} in version {opset}", data(cell, names=every, lens=[3, 2]), {}, kind, opset)
    for direction, layout, lens in itertools.product(("forward", "reverse", "bidirectional"), (0, 1), ([5, 5, 5], [2, 5, 0])):
        v = data(cell, 5, 3, d=2 if direction[0] == "b" else 1, names=every, layout=layout, lens=lens)
        c.add(f"{direction}, layout {layout}, lengths {lens}", v, {"direction": direction, "layout": layout, "hidden_size": 4})
        c.add(f"{direction}, layout {layout}, lengths {lens}, constant weights", v, {"direction": direction, "layout": layout},
              constants="WR")
    for name in c.inputs[3:]:
        c.add(f"with {name}", data(cell, names="XWR" + name, lens=[1, 3]))
        c.add(f"without {name}", data(cell, names=every.replace(name, ""), lens=[1, 3]))
    for name in c.results:
        c.add(f"{name} alone", data(cell, d=2), {"direction": "bidirectional"}, results=[name])
    for steps, batch, inputs, n in ((1, 1, 1, 1), (0, 2, 3, 4), (3, 0, 3, 4), (2, 5, 1, 9), (7, 1, 33, 17), (2, 70, 2, 3)):
        sizes = f"steps {steps}, batch {batch}, input {inputs}, hidden {n}"
        for kind in ("float", "float16"):
            c.add(f"{sizes}, {kind}", data(cell, steps, batch, inputs, n, names=every.replace("L", "")), {}, kind)
    c.add("constant weights of float16", data(cell, d=2), {"direction": "bidirectional"}, "float16", constants="WR")
    c.add("one weight constant", data(cell), constants="W")
    c.add("output_sequence means nothing", data(cell), {"output_sequence": 0}, opset=1)


def functions(c, cell):
    n = len(cell.defaults)
    for name, (_, alpha, beta) in FUNCTIONS.items():
        for kind in ("float", "double", "bfloat16"):
            c.add(f"{name} of {kind}", data(cell, names="XWRH"), {"activations": [name] * n}, kind)
        given = {}
        if alpha is not None:
            given["activation_alpha"] = [0.3, 0.7, 0.9][:n]
        if beta is not None:
            given["activation_beta"] = [0.1, 0.2, 0.4][:n]
        if given:
            c.add(f"{name} with {', '.join(given)}", data(cell, names="XWRH"), {"activations": [name] * n, **given})
        for other in (name.lower(), name.upper()):
            c.add(f"{other}", data(cell, names="XWRH"), {"activations": [name] * (n - 1) + [other]},
                  remark=f"attribute 'activations' has '{other}', which the standard spells '{name}'")
    c.add("no function named", data(cell), {"activations": []},
          remark="attribute 'activations' is empty; the functions are those of the operator")
    mixed = ["LeakyRelu", "Tanh", "HardSigmoid", "Sigmoid", "Affine", "Relu"][:2 * n]
    c.add("numbers go to the functions that have them, through both directions", data(cell, d=2),
          {"direction": "bidirectional", "activations": mixed, "activation_alpha": [0.4, 0.6], "activation_beta": [0.25]})
    c.add("one direction of a list for two", data(cell), {"activations": cell.defaults * 2})
    for kind, clip in itertools.product(("float", "double"), (0.25, 0.0)):
        c.add(f"{kind}, clip {clip}", data(cell, names="XWRBH"), {"clip": clip}, kind)
    x = data(cell, names="XWRH")
    x["X"][0, 0, 0], x["X"][0, 1, 0] = np.inf, np.nan
    c.add("an infinity and a NaN, clipped", x, {"clip": 1.0})
    for name in ("Tan", "TanhX", ""):
        c.fails(f"'{name}' is no function", data(cell), {"activations": [name] * n}, "VALUE", f"attribute 'activations' has "
                f"'{name}', expected Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, "
                "HardSigmoid, Elu, Softsign or Softplus")
    c.fails("too many functions", data(cell), {"activations": ["Tanh"] * (2 * n + 1)}, "VALUE",
            f"attribute 'activations' has {2 * n + 1} functions, expected {n}")
    c.fails("too few functions", data(cell, d=2), {"activations": ["Tanh"] * n, "direction": "bidirectional"}, "VALUE",
            f"attribute 'activations' has {n} functions, expected {2 * n}")
    c.fails("a negative clip", data(cell), {"clip": -1.0}, "VALUE", "attribute 'clip' is -1, expected 0 or more")


def refused(c, cell):
    g, every = cell.gates, "".join(c.inputs)
    for name, shape, part in (
            ("X", (2, 3), "input 0 'X' is [2,3], expected rank 3"),
            ("X", (3, 2, 5), "input 0 'X' is [3,2,5], expected [?,?,3] as input 1"),
            ("W", (4 * g, 3), f"input 1 'W' is [{4 * g},3], expected rank 3"),
            ("W", (2, 4 * g, 3), f"input 1 'W' is [2,{4 * g},3], expected [1,{4 * g},?]"),
            ("W", (1, 4 * g + 1, 3), f"input 1 'W' is [1,{4 * g + 1},3], expected [1,{4 * g},?]"),
            ("R", (4 * g, 4), f"input 2 'R' is [{4 * g},4], expected rank 3"),
            ("R", (1, 4 * g + 4, 4), f"input 2 'R' is [1,{4 * g + 4},4], expected [1,{4 * g},4]"),
            ("B", (1, 4 * g), f"input 3 'B' is [1,{4 * g}], expected [1,{8 * g}]"),
            ("L", (3,), "input 4 'sequence_lens' is [3], expected [2], one for each sequence"),
            ("H", (1, 2, 5), "input 5 'initial_h' is [1,2,5], expected [1,2,4]"),
            ("C", (2, 1, 4), "input 6 'initial_c' is [2,1,4], expected [1,2,4]"),
            ("P", (1, 4), "input 7 'P' is [1,4], expected [1,12]")):
        if name in every:
            c.fails(f"{name} {list(shape)}", data(cell, names=every) | {name: np.ones(shape)}, {}, "SHAPE", part)
    c.fails("hidden_size 5", data(cell), {"hidden_size": 5}, "SHAPE", f"input 1 'W' is [1,{4 * g},3], expected [1,{5 * g},?]")
    for n in (0, -1):
        c.fails(f"hidden_size {n}", data(cell), {"hidden_size": n}, "VALUE", f"the hidden size is {n}, expected 1 or more")
    c.fails("a huge hidden_size", data(cell), {"hidden_size": 2**60}, "LIMIT", "the states are too large")
    c.fails("no input size", data(cell, inputs=0), {}, "SHAPE", "input 0 'X' is [3,2,0], expected an input size of 1 or more")
    for bad in (-1, 4):
        c.fails(f"a sequence of {bad} steps", data(cell, names="XWRL", lens=[3, bad]), {}, "VALUE",
                f"input 4 'sequence_lens' has {bad}, expected 0 to 3")
    c.fails("another direction", data(cell), {"direction": "backward"}, "VALUE",
            "attribute 'direction' is 'backward', expected one of 'forward', 'reverse', 'bidirectional'")
    c.fails("two directions", data(cell), {"direction": "bidirectional"}, "SHAPE",
            f"input 1 'W' is [1,{4 * g},3], expected [2,{4 * g},?]")
    c.fails("bfloat16 came later", data(cell), {}, "TYPE", "bfloat16", "bfloat16", 14)
    c.fails("layout came later", data(cell), {"layout": 1}, "MODEL", "layout", opset=7)


def long_walk(c, cell):
    """More steps than the products with W are made for at a time; X is made in the model."""
    steps, batch, n = 700, 8, 64 if cell is Rnn else 16
    x = (np.arange(steps * batch * 2) % 7 - 3).astype(np.float64).reshape(steps, batch, 2)
    for direction in ("forward", "reverse"):
        v = data(cell, steps, batch, 2, n, names="WRBH") | {"X": x}
        v = {k: round_to("float", u) for k, u in v.items()}
        _, last, *_ = run(cell, v, {"direction": direction})
        lines = c.lines({k: v[k] for k in "XWRBH"}, {"direction": direction}, "float", 22, ["YH"], "WRBH")
        node = lines[1][lines[1].index("{ \"\", YH") + 1:]
        lines[1] = lines[1].replace("(float[] X)", "(int64[3] S)").replace(node, (
            f" a = Constant <value_int = 0> () b = Constant <value_int = {x.size}> () o = Constant <value_int = 1> () "
            "q = Constant <value_int = 7> () u = Constant <value_int = 3> () r = Range (a, b, o) m = Mod (r, q) "
            f"s = Sub (m, u) e = Reshape (s, S) X = Cast <to = 1> (e){node}"))
        lines = lines[:2] + [f"--- S = int64[3] {{{steps}, {batch}, 2}}", f"--- YH = {literal('float', round_to('float', last))}",
                             f"--- tolerance {TOLERANCE['float']}"]
        c.f.cases.append((f"{steps} steps, {direction}", lines))


def cases(cell):
    with File(f"{cell.op.lower()}/numpy.onnxtxt", "By tests/oracle/lstm.py.") as f:
        c = Cases(f, cell)
        sizes_and_inputs(c, cell)
        functions(c, cell)
        if cell is Lstm:
            for kind, names in itertools.product(("float", "double"), ("XWR", "XWRBHCP")):
                c.add(f"input_forget, {kind}, {names}", data(cell, names=names), {"input_forget": 1, "clip": 0.5}, kind)
        if cell is Gru:
            for kind, names, d in itertools.product(("float", "double", "float16"), ("XWR", "XWRBH", "XWRBLH"), (1, 2)):
                for opset in (22, 3):
                    c.add(f"linear_before_reset, {kind}, {names}, {d} directions, version {opset}",
                          data(cell, names=names, d=d, lens=[2, 3]), {"linear_before_reset": 1, "direction":
                          ["forward", "bidirectional"][d - 1]}, kind, opset)
            c.fails("linear_before_reset came later", data(cell), {"linear_before_reset": 1}, "MODEL", "linear_before_reset", opset=1)
        refused(c, cell)
        long_walk(c, cell)


if __name__ == "__main__":
    for one in (Lstm, Gru, Rnn):
        cases(one)
