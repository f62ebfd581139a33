#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""optimizers.py - text cases of Adagrad, Adam and Momentum, by NumPy in double.

    python3 tests/oracle/optimizers.py

writes tests/cases/{adagrad,adam,momentum}/numpy.onnxtxt."""
import itertools

import numpy as np

from elements import round_to
from text_case import File, literal

DOMAIN = "ai.onnx.preview.training"
TOLERANCE = {"float": "rtol 1e-6 atol 1e-7", "double": "rtol 1e-14 atol 1e-15"}


def adagrad(r, t, x, g, h, norm_coefficient=0.0, epsilon=0.0, decay_factor=0.0):
    r = r / (1 + t * decay_factor)
    g = norm_coefficient * x + g
    h = h + g * g
    return x - r * g / (np.sqrt(h) + epsilon), h


def adam(r, t, x, g, v, h, alpha=0.9, beta=0.999, epsilon=0.0, norm_coefficient=0.0, norm_coefficient_post=0.0):
    g = norm_coefficient * x + g
    v = alpha * v + (1 - alpha) * g
    h = beta * h + (1 - beta) * g * g
    r = r * np.sqrt(1 - beta**t) / (1 - alpha**t) if t > 0 else r
    return (1 - norm_coefficient_post) * (x - r * v / (np.sqrt(h) + epsilon)), v, h


def momentum(r, t, x, g, v, alpha, beta, norm_coefficient, mode):
    g = norm_coefficient * x + g
    v = alpha * v + (beta if t > 0 else 1) * g
    return x - r * (g + alpha * v if mode == "nesterov" else v), v


NEEDED = {"alpha": 0.95, "beta": 0.1, "mode": "standard", "norm_coefficient": 0.001}
OPERATORS = {  # function, inputs for each X, attributes that are needed, other choices
    "Adagrad": (adagrad, 3, {}, [{"norm_coefficient": 0.25, "epsilon": 0.001, "decay_factor": 0.5}, {"decay_factor": 0.1}]),
    "Adam": (adam, 4, {}, [{"alpha": 0.5, "beta": 0.75, "epsilon": 0.01, "norm_coefficient": 0.125,
                            "norm_coefficient_post": 0.0625}, {"norm_coefficient": -0.5}]),
    "Momentum": (momentum, 3, NEEDED, [NEEDED | {"mode": "nesterov"}, NEEDED | {"norm_coefficient": 0.5, "beta": 0.75}])}


def attributes(given):
    return ", ".join(f"{k} = " + (f'"{v}"' if isinstance(v, str) else f"{v:.6f}") for k, v in given.items())


def tensor(dims, k, kind):
    x = np.cos(np.arange(int(np.prod(dims))) * 1.3 + k).reshape(dims)
    return round_to(kind, np.abs(x) if k % 4 == 3 else x)  # sums of squares are not negative


class Cases:
    def __init__(self, f, op):
        self.f, self.op = f, op
        self.function, self.each, *_ = OPERATORS[op]

    def lines(self, values, kinds, given, outs):
        ports = ", ".join(f"{kinds[n]}[] {n}" for n in values)
        node = f"{', '.join(outs)} = {DOMAIN}.{self.op} <{attributes(given)}> ({', '.join(values)})".replace(" <>", "")
        wanted = ", ".join(f"{kinds[o]}[] {o}" for o in outs if o != '""')
        return [f'<ir_version: 10, opset_import: ["" : 17, "{DOMAIN}" : 1]>',
                f"g ({ports}) => ({wanted}) {{ {node} }}"] + [f"--- {n} = {literal(kinds[n], x)}" for n, x in values.items()]

    def data(self, kinds, dims, rate_kind, r, t):
        """Inputs by name, and the kinds of inputs and outputs: X0, X1 .., G0, G1 .., S0 .."""
        groups = ["X", "G", "S", "U"][:self.each]
        values = {"R": round_to(rate_kind, np.array(r)), "T": np.array(t)}
        types = {"R": rate_kind, "T": "int64"}
        for k, group in enumerate(groups):
            for i, kind in enumerate(kinds):
                values[f"{group}{i}"] = tensor(dims[i], k + i if k < self.each - 1 else 3, kind)
                types[f"{group}{i}"] = types[f"N{group}{i}"] = kind
        return values, types

    def add(self, title, kinds=("float",), dims=((2, 3),), given=None, rate_kind="float", r=0.1, t=2, drop=()):
        given = given or OPERATORS[self.op][2]
        values, types = self.data(kinds, dims, rate_kind, r, t)
        exact = {k: v if isinstance(v, str) else float(np.float32(v)) for k, v in given.items()}
        if self.op == "Adam":
            exact = {k: float(np.float32(v)) for k, v in {"alpha": 0.9, "beta": 0.999}.items()} | exact
        groups, results = ["X", "G", "S", "U"][:self.each], {}
        for i in range(len(kinds)):
            new = self.function(float(values["R"]), t, *(values[f"{g}{i}"] for g in groups), **exact)
            results |= {f"N{g}{i}": y for g, y in zip(["X"] + groups[2:], new)}
        outs = [f"N{g}{i}" for g in ["X"] + groups[2:] for i in range(len(kinds))]
        outs = ['""' if o in drop else o for o in outs]
        while outs[-1] == '""':
            outs.pop()
        self.f.cases.append((title, self.lines(values, types, given, outs) + [
            f"--- {o} = {literal(types[o], round_to(types[o], results[o]))}" for o in outs if o != '""'] + [
            f"--- tolerance {TOLERANCE['float' if 'float' in kinds else 'double']}"]))

    def fails(self, title, change, code, part, given=None, kinds=("float",), outs=None):
        values, types = self.data(kinds, [(2, 3)] * len(kinds), "float", 0.1, 2)
        change(values, types)
        outs = outs or [f"N{g}{i}" for g in ["X", "S", "U"][:self.each - 1] for i in range(len(kinds))]
        self.f.cases.append((title, self.lines(values, {"NU0": "float", "E": "float"} | types, given or OPERATORS[self.op][2], outs) + [
            f'--- fails {code} "{part}"']))

    def many(self):
        """Enough equal elements for several threads."""
        values, types = self.data(("float",), [()], "float", 0.1, 2)
        exact = {k: v if isinstance(v, str) else float(np.float32(v)) for k, v in OPERATORS[self.op][2].items()}
        if self.op == "Adam":
            exact = {k: float(np.float32(v)) for k, v in {"alpha": 0.9, "beta": 0.999}.items()}
        groups = ["X", "G", "S", "U"][:self.each]
        new = self.function(float(values["R"]), 2, *(values[f"{g}0"] for g in groups), **exact)
        lines = self.lines(values, types, OPERATORS[self.op][2], ["NX0"])
        wide = " ".join(f"W{g} = Expand ({g}0, D)" for g in groups)
        lines[1] = lines[1].replace("float[] NX0) {", "float[] LOW, float[] HIGH) <int64[1] D = {40003}> { " + wide)
        lines[1] = lines[1].replace(", ".join(f"{g}0" for g in groups) + ")", ", ".join(f"W{g}" for g in groups) + ")")
        lines[1] = lines[1].replace(" }", " LOW = ReduceMin <keepdims = 0> (NX0) HIGH = ReduceMax <keepdims = 0> (NX0) }")
        lines += [f"--- {o} = {literal('float', round_to('float', np.array(new[0])))}" for o in ("LOW", "HIGH")]
        self.f.cases.append(("40003 elements", lines + [f"--- tolerance {TOLERANCE['float']}"]))


def put(name, value, kind=None):
    def change(values, types):
        values[name] = value
        types[name] = kind or types[name]
    return change


def cases(op):
    _, each, needed, choices = OPERATORS[op]
    with File(f"{op.lower()}/numpy.onnxtxt", "By tests/oracle/optimizers.py.") as f:
        c = Cases(f, op)
        for kind, rate_kind, t in itertools.product(("float", "double"), ("float", "double"), (0, 1, 7, 10**6)):
            c.add(f"{kind}, rate of {rate_kind}, update {t}", (kind,), rate_kind=rate_kind, t=t)
        for kind, given in itertools.product(("float", "double"), choices):
            c.add(f"{kind}, {attributes(given)}", (kind,), given=given)
        c.add("two tensors", ("float", "float"), [(2, 3), (4,)])
        c.add("three tensors of two types", ("double", "float", "double"), [(1,), (2, 2), ()])
        c.add("no element", dims=((2, 0),))
        c.add("only the last output", ("float", "double"), [(3,), (2,)], drop=("NX0", "NX1", "NS0") + (("NU0",) if each == 4 else ()))
        c.add("without the states", ("float",), drop=("NS0", "NU0"))
        c.many()
        last = 2 + each - 1
        c.fails("an input is missing", lambda v, _: v.pop(["S0", "U0"][each - 3]), "MODEL",
                f"there are {each - 1} inputs after R and T, expected a multiple of {each}")
        c.fails("an output too many", lambda v, _: None, "MODEL", f"there are {each} outputs, expected at most {each - 1}",
                outs=[f"N{g}0" for g in ["X", "S", "U"][:each - 1]] + ["E"])
        c.fails("a rate of two elements", put("R", np.ones(2)), "SHAPE", "input 0 'R' is [2], expected one element")
        c.fails("a count of two elements", put("T", np.ones(2)), "SHAPE", "input 1 'T' is [2], expected one element")
        c.fails("a gradient of other dims", put("G0", np.ones((3, 2))), "SHAPE",
                "input 3 is [3,2], expected [2,3], the dims of the tensor that it updates")
        c.fails("a state of other dims", put(["S0", "U0"][each - 3], np.ones(3)), "SHAPE",
                f"input {last} is [3], expected [2,3], the dims of the tensor that it updates")
        c.fails("a gradient of another type", put("G0", np.ones((2, 3)), "double"), "TYPE", "input 3 is double, expected float as input 2")
        c.fails("a count of int32", put("T", np.array(1), "int32"), "TYPE", "int32")
        c.fails("no float16", lambda v, k: k.update({n: "float16" for n in v if n[0] in "XGSU"}), "TYPE", "float16")
        if op == "Momentum":
            c.fails("another mode", lambda v, _: None, "VALUE", "attribute 'mode' is 'fast', expected one of 'standard', 'nesterov'",
                    given=needed | {"mode": "fast"})


if __name__ == "__main__":
    for name in OPERATORS:
        cases(name)
