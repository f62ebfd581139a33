#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""recurrent.py - text cases of CausalConvWithState and LinearAttention, by NumPy in double.

    python3 tests/oracle/recurrent.py

writes tests/cases/{causal_conv_with_state,linear_attention}/numpy.onnxtxt."""
import itertools

import numpy as np

from attention import TOLERANCE, literal, numbers
from elements import header, round_to
from text_case import File

KINDS = ["float", "float16", "bfloat16"]


def lines(op, inputs, given, attributes, outputs, kinds):
    ports = ", ".join(f"{kinds[n]}[{','.join(map(str, x.shape))}] {n}" for n, x in given.items())
    last = max(inputs.index(n) for n in given)
    args = ", ".join(n if n in given else '""' for n in inputs[:last + 1])
    outs = ", ".join(f"{kinds[n]}[] {n}" for n in outputs)
    text = ", ".join(f"{k} = " + (f'"{v}"' if isinstance(v, str) else str(v)) for k, v in attributes.items())
    return [header(27), f"g ({ports}) => ({outs}) {{ {', '.join(outputs)} = {op} <{text}> ({args}) }}"] + [
        f"--- {n} = {literal(kinds[n], x)}" for n, x in given.items()]


class Operator:
    def __init__(self, f, op, inputs, function, state_inputs):
        self.f, self.op, self.inputs, self.function, self.state = f, op, inputs, function, state_inputs

    def kinds(self, kind, state_kind):
        return {n: state_kind if n in self.state else kind for n in self.inputs + ["Y", "S2"]}

    def add(self, title, given, attributes, kind="float", state_kind=None):
        kinds = self.kinds(kind, state_kind or kind)
        given = {n: round_to(kinds[n], x) for n, x in given.items()}
        results = dict(zip(["Y", "S2"], self.function(given, **attributes)))
        self.f.cases.append((title, lines(self.op, self.inputs, given, attributes, ["Y", "S2"], kinds) + [
            f"--- {n} = {literal(kinds[n], round_to(kinds[n], x))}" for n, x in results.items()] + [
            f"--- tolerance {TOLERANCE['bfloat16' if 'bfloat16' in kinds.values() else kind]}", "--- body native expand"]))

    def fails(self, title, given, attributes, code, part, kind="float"):
        self.f.cases.append((title, lines(self.op, self.inputs, given, attributes, ["Y", "S2"], self.kinds(kind, kind)) + [
            f'--- fails {code} "{part}"']))


def causal(given, activation="none"):
    x, w = given["X"], given["W"][:, 0]
    k = w.shape[1]
    past = given.get("P", np.zeros((*x.shape[:2], k - 1)))
    both = np.concatenate([past, x], 2)
    y = sum(both[:, :, i:i + x.shape[2]] * w[:, i, None] for i in range(k))
    if "B" in given:
        y = y + given["B"][:, None]
    if activation != "none":
        y = y / (1 + np.exp(-y))
    return y, both[:, :, both.shape[2] - (k - 1):]


def causal_cases():
    with File("causal_conv_with_state/numpy.onnxtxt", "By tests/oracle/recurrent.py.") as f:
        op = Operator(f, "CausalConvWithState", ["X", "W", "B", "P"], causal, [])

        def data(batch=2, channels=3, length=5, taps=3, bias=True, past=True):
            return {"X": numbers((batch, channels, length)), "W": numbers((channels, 1, taps), 1)} | (
                {"B": numbers((channels,), 2)} if bias else {}) | (
                {"P": numbers((batch, channels, taps - 1), 3)} if past else {})

        for kind, activation in itertools.product(KINDS, ("none", "silu", "swish")):
            op.add(f"{kind}, {activation}", data(), {"activation": activation}, kind)
        for bias, past in itertools.product((True, False), repeat=2):
            op.add(f"bias {bias}, past {past}", data(bias=bias, past=past), {})
        for sizes in ((1, 1, 1, 1), (1, 2, 1, 4), (2, 3, 2, 6), (1, 2, 70, 4), (2, 2, 0, 3), (0, 2, 3, 2), (2, 0, 3, 2)):
            for past in (True, False):
                op.add(f"sizes {list(sizes)}, past {past}", data(*sizes, past=past), {})
        for name, shape, part in (("X", (2, 3), "input 0 'input' is [2,3]"), ("X", (2, 4, 5), "input 1 'weight' is"), ("W", (3, 2, 3), "input 1 'weight' is"),
                                  ("W", (3, 1, 0), "input 1 'weight' is"), ("W", (3, 3), "input 1 'weight' is"), ("B", (2,), "input 2 'bias' is [2]"),
                                  ("B", (3, 1), "input 2"), ("P", (2, 3, 3), "input 3"), ("P", (1, 3, 2), "input 3")):
            op.fails(f"{name} {list(shape)}", data() | {name: np.ones(shape)}, {}, "SHAPE", part)
        op.fails("another activation", data(), {"activation": "relu"}, "VALUE", "activation")
        op.fails("no double", data(), {}, "TYPE", "double", "double")


def linear(given, q_num_heads, kv_num_heads, scale=0.0, update_rule="gated_delta", **_):
    q, k, v = (given[n].reshape(*given[n].shape[:2], h, given[n].shape[2] // h) for n, h in (
        ("Q", q_num_heads), ("K", kv_num_heads), ("V", kv_num_heads)))
    batch, tokens, heads, size = q.shape
    state = given.get("S", np.zeros((batch, kv_num_heads, size, v.shape[3]))).copy()
    y = np.zeros((batch, tokens, heads, v.shape[3]))
    for t in range(tokens):
        if update_rule.startswith("gated"):
            state = state * np.exp(given["D"][:, t].reshape(batch, kv_num_heads, given["D"].shape[2] // kv_num_heads, 1))
        add = v[:, t]
        if update_rule.endswith("delta"):
            add = given["B"][:, t, :, None] * (add - np.einsum("bhkv,bhk->bhv", state, k[:, t]))
        state = state + np.einsum("bhk,bhv->bhkv", k[:, t], add)
        y[:, t] = np.einsum("bhkv,bhk->bhv", np.repeat(state, heads // kv_num_heads, 1), q[:, t])
    y *= scale or 1 / np.sqrt(size)
    return y.reshape(batch, tokens, heads * v.shape[3]), state


def linear_cases():
    with File("linear_attention/numpy.onnxtxt", "By tests/oracle/recurrent.py.") as f:
        op = Operator(f, "LinearAttention", ["Q", "K", "V", "S", "D", "B"], linear, ["S", "S2"])

        def data(batch=2, tokens=3, heads=2, kv=2, size=4, v_size=3, past=True, decay="rows", beta="heads"):
            given = {"Q": numbers((batch, tokens, heads * size)), "K": numbers((batch, tokens, kv * size), 1) / 4,
                     "V": numbers((batch, tokens, kv * v_size), 2)}
            if past:
                given["S"] = numbers((batch, kv, size, v_size), 3)
            given["D"] = -np.abs(numbers((batch, tokens, kv * (size if decay == "rows" else 1)), 4))
            given["B"] = np.abs(numbers((batch, tokens, kv if beta == "heads" else 1), 5)) / 2
            return given

        two = {"q_num_heads": 2, "kv_num_heads": 2}
        for rule, kind in itertools.product(("linear", "gated", "delta", "gated_delta"), KINDS):
            op.add(f"{rule}, {kind}", data(), two | {"update_rule": rule}, kind)
        for kind, state_kind in itertools.permutations(KINDS, 2):
            op.add(f"{kind} with a state of {state_kind}", data(), two, kind, state_kind)
        for heads, kv, decay, beta, past in itertools.product((4, 6), (2, 1), ("rows", "one"), ("heads", "one"), (True, False)):
            op.add(f"{heads} heads share {kv}, decay {decay}, beta {beta}, past {past}",
                   data(heads=heads, kv=kv, decay=decay, beta=beta, past=past), {"q_num_heads": heads, "kv_num_heads": kv})
        op.add("the default rule and a scale", data(), two | {"scale": 0.5, "chunk_size": 2})
        needed = {"linear": "", "gated": "D", "delta": "B"}
        for rule, keep in needed.items():
            op.add(f"{rule} without the other inputs", {n: x for n, x in data(past=False).items() if n in "QKV" + keep},
                   two | {"update_rule": rule})
        for sizes in ((0, 3, 2, 2, 4, 3), (2, 0, 2, 2, 4, 3), (2, 3, 2, 2, 4, 0), (1, 1, 1, 1, 1, 1), (1, 9, 2, 1, 17, 33)):
            op.add(f"sizes {list(sizes)}", data(*sizes), {"q_num_heads": sizes[2], "kv_num_heads": sizes[3]})

        for q, kv in ((0, 2), (2, 0), (3, 2), (-2, 2)):
            op.fails(f"heads {q} and {kv}", data(), {"q_num_heads": q, "kv_num_heads": kv}, "VALUE", "q_num_heads")
        for name, shape, part in (("Q", (2, 3), "input 0 'query' is [2,3]"), ("Q", (2, 3, 9), "input 0"), ("Q", (2, 3, 6), "heads of query"),
                                  ("K", (2, 2, 8), "input 1"), ("V", (1, 3, 6), "input 2"), ("V", (2, 3, 7), "input 2"),
                                  ("S", (2, 2, 4, 4), "input 3 'past_state' is"), ("S", (2, 8, 3), "input 3 'past_state' is"),
                                  ("D", (2, 3, 4), "heads of decay"), ("D", (2, 3, 3), "input 4"), ("B", (2, 3, 3), "beta has 3")):
            op.fails(f"{name} {list(shape)}", data() | {name: np.ones(shape)}, two, "SHAPE", part)
        for rule, missing, part in (("gated", "D", "decay"), ("delta", "B", "beta"), ("gated_delta", "D", "decay"), ("gated_delta", "B", "beta")):
            op.fails(f"{rule} without {part}", {n: x for n, x in data().items() if n != missing},
                     two | {"update_rule": rule}, "MODEL", f"{rule} needs {part}")
        op.fails("another rule", data(), two | {"update_rule": "gates"}, "VALUE", "update_rule")
        op.fails("no q_num_heads", data(), {"kv_num_heads": 2}, "MODEL", "q_num_heads")
        op.fails("no double", data(), two, "TYPE", "double", "double")


if __name__ == "__main__":
    causal_cases()
    linear_cases()
