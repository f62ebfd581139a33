#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flex_attention.py - text cases of FlexAttention, by the definition in NumPy's double.

    python3 tests/oracle/flex_attention.py

writes tests/cases/flex_attention/numpy.onnxtxt. The graphs are exact in every type, or nearly so."""
import itertools

import numpy as np

from attention import TOLERANCE, literal, numbers
from elements import FLOATS, round_to
from text_case import File

HEADER = '<ir_version: 13, opset_import: ["" : 23, "ai.onnx.preview" : 1]>'
NUMBER = {"float": 1, "float16": 10, "double": 11, "bfloat16": 16}
MODS = {  # body with s to t, and what it does
    "none": None,
    "double": ("t = Add (s, s)", lambda s: s + s),
    "negative": ("t = Neg (s)", lambda s: -s),
    "outer": ("q = Mul (OUTER, s) t = Identity (q)", lambda s: s * 0.25),
    "positive": ("z = Sub (s, s) p = Max (s, z) t = Identity (p)", lambda s: np.maximum(s, 0)),
}


def attention(q, k, v, scale, score_mod, prob_mod):
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    s = np.einsum("bhld,bhsd->bhls", q, k) * (1 / np.sqrt(q.shape[3]) if scale is None else scale)
    s = score_mod[1](s) if score_mod else s
    e = np.exp(s - s.max(-1, keepdims=True, initial=-np.inf))
    p = e / e.sum(-1, keepdims=True)
    p = prob_mod[1](p) if prob_mod else p
    return np.einsum("bhls,bhsd->bhld", p, v)


def graph(name, mod, kind):
    return f"{name}: graph = {name} ({kind}[B,H,L,S] s) => ({kind}[B,H,L,S] t) {{ {mod[0]} }}"


def lines(given, kind, attributes):
    ports = ", ".join(f"{kind}[{','.join(map(str, x.shape))}] {n}" for n, x in given.items())
    outer = "OUTER = Constant <value_float = 0.25> () " if any("OUTER" in a for a in attributes) else ""
    node = f"ai.onnx.preview.FlexAttention <{', '.join(attributes)}> (Q, K, V)"
    return [HEADER, f"g ({ports}) => ({kind}[] Y) {{ {outer}Y = {node} }}"] + [
        f"--- {n} = {literal(kind, x)}" for n, x in given.items()]


def add(f, title, kind="float", sizes=(2, 2, 2, 3, 4, 5, 3), scale=None, score="none", prob="none", precision=None):
    batch, heads, kv, length, keys, size, v_size = sizes
    given = {n: round_to(kind, numbers(shape, i)) for i, (n, shape) in enumerate({
        "Q": (batch, heads, length, size), "K": (batch, kv, keys, size), "V": (batch, kv, keys, v_size)}.items())}
    inner = precision or ("double" if kind == "double" else "float")
    attributes = ([f"scale = {scale}"] if scale is not None else []) + (
        [f"softmax_precision = {NUMBER[precision]}"] if precision else []) + [
        graph(n, MODS[m], inner) for n, m in (("score_mod", score), ("prob_mod", prob)) if MODS[m]]
    y = attention(*given.values(), scale, MODS[score], MODS[prob])
    # Scores that are rounded to a small type differ in their last bit, weights by as much.
    tolerance = "rtol 4e-2 atol 4e-2" if inner in ("float16", "bfloat16") else TOLERANCE[
        "float" if kind == "double" and inner == "float" else kind]
    f.cases.append((title, lines(given, kind, attributes) + [
        f"--- Y = {literal(kind, round_to(kind, y))}", f"--- tolerance {tolerance}", "--- body native expand"]))


def fails(f, title, shapes, attributes, code, part, kind="float"):
    given = dict(zip("QKV", map(np.ones, shapes)))
    f.cases.append((title, lines(given, kind, attributes) + [f'--- fails {code} "{part}"']))


def main():
    with File("flex_attention/numpy.onnxtxt", "By tests/oracle/flex_attention.py.") as f:
        for kind in FLOATS:
            add(f, f"{kind}", kind)
            add(f, f"{kind}, both graphs", kind, score="double", prob="negative")
        for score, prob in itertools.product(MODS, MODS):
            add(f, f"scores {score}, weights {prob}", score=score, prob=prob, sizes=(1, 4, 2, 3, 5, 4, 2))
        for kind, precision in itertools.product(FLOATS, NUMBER):
            add(f, f"{kind} with weights of {precision}", kind, precision=precision, score="double", prob="double")
        for scale in (0.0, 0.25, -1.0):
            add(f, f"scale {scale}", scale=scale, prob="double")
        for sizes in ((2, 6, 2, 3, 4, 5, 3), (1, 3, 1, 1, 1, 1, 1), (1, 2, 2, 35, 19, 3, 9), (0, 2, 2, 3, 4, 5, 3),
                      (2, 2, 2, 0, 4, 5, 3), (2, 2, 2, 3, 4, 5, 0)):
            add(f, f"sizes {list(sizes)}", sizes=sizes)
            add(f, f"sizes {list(sizes)}, both graphs", sizes=sizes, score="negative", prob="double")
        good = ((2, 4, 3, 5), (2, 2, 4, 5), (2, 2, 4, 3))
        for i, shape in ((0, (2, 3, 5)), (1, (2, 2, 5)), (2, (2, 2, 3)), (0, (2, 3, 3, 5)), (0, (1, 4, 3, 5)), (0, (2, 4, 3, 4)),
                         (1, (2, 2, 3, 5)), (2, (2, 1, 4, 3)), (2, (1, 2, 4, 3))):
            fails(f, f"{'QKV'[i]} {list(shape)}", good[:i] + (shape,) + good[i + 1:], [], "SHAPE", "expected [B,G*H,L,D]")
        fails(f, "no heads of keys", ((2, 4, 3, 5), (2, 0, 4, 5), (2, 0, 4, 3)), [], "SHAPE", "expected [B,G*H,L,D]")
        for n in (0, 7, -1, 99):
            fails(f, f"softmax_precision {n}", good, [f"softmax_precision = {n}"], "VALUE", "softmax_precision")
        for name in ("score_mod", "prob_mod"):
            fails(f, f"{name} of another shape", good, [graph(name, ("t = Transpose (s)",), "float")], "SHAPE", f"{name} gives")
            fails(f, f"{name} of another type", good, [graph(name, ("t = Cast <to = 11> (s)",), "float").replace(
                "(float[B,H,L,S] t)", "(double[B,H,L,S] t)")], "SHAPE", f"{name} gives")
        fails(f, "no int32", good, [], "TYPE", "int32", "int32")


if __name__ == "__main__":
    main()
