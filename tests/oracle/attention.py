#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""attention.py - text cases of Attention, by the definition in NumPy's double.

    python3 tests/oracle/attention.py

writes tests/cases/attention/numpy.onnxtxt. Inputs are rounded to their type first."""
import itertools

import numpy as np

from elements import FLOATS, header, round_to
from text_case import File
from text_case import element, literal as exact_literal

NAMES = ["Q", "K", "V", "M", "PK", "PV", "N"]
OUTPUTS = ["Y", "K2", "V2", "S"]
TOLERANCE = {"float16": "rtol 1e-3 atol 1e-4", "bfloat16": "rtol 8e-3 atol 1e-3",
             "float": "rtol 2e-5 atol 2e-6", "double": "rtol 1e-12 atol 1e-13"}


def literal(kind, x):
    """With as many digits as a float needs."""
    if kind not in FLOATS or kind == "double":
        return exact_literal(kind, x)
    items = ", ".join(element(kind, str(np.float32(v)).removesuffix(".0")) for v in np.ravel(x))
    return f"{kind}[{','.join(map(str, np.shape(x)))}] {{{items}}}"


def split(x, heads):
    return x if x.ndim == 4 else x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def attention(given, since, is_causal=0, kv_num_heads=0, q_num_heads=0, qk_matmul_output_mode=0,
              scale=None, softcap=0.0, left_window_size=-1, right_window_size=-1, **_):
    """given: name -> array, of NAMES. The four outputs."""
    q, k, v = (split(given[n], q_num_heads if n == "Q" else kv_num_heads) for n in "QKV")
    past = 0
    if "PK" in given:
        past = given["PK"].shape[2]
        k, v = np.concatenate([given["PK"], k], 2), np.concatenate([given["PV"], v], 2)
    k2, v2 = k, v
    (batch, heads, length, size), keys = q.shape, k.shape[2]
    k, v = (np.repeat(x, heads // x.shape[1], 1) for x in (k, v))
    valid = given.get("N", np.full(batch, keys)).astype(int)
    offset = valid - length if "N" in given else np.full(batch, past)
    raw = np.einsum("bhld,bhsd->bhls", q, k) * (1 / np.sqrt(size) if scale is None else scale)
    capped = np.tanh(raw / softcap) * softcap if softcap != 0 else raw
    i, j = np.arange(length)[:, None], np.arange(keys)
    seen = np.broadcast_to(j < valid[:, None, None, None], raw.shape)
    if is_causal:
        seen = seen & (j <= i + offset[:, None, None, None])
    at = i + offset[:, None, None, None]
    if left_window_size >= 0:
        seen = seen & (at - min(left_window_size, at.max() + keys) <= j)
    if right_window_size >= 0:
        seen = seen & (j <= at + min(right_window_size, keys))
    bias = np.zeros(raw.shape)
    if "M" in given:
        m = given["M"]
        if since >= 24 and m.ndim and m.shape[-1] < keys:
            fill = False if m.dtype == bool else -np.inf
            m = np.pad(m, [(0, 0)] * (m.ndim - 1) + [(0, keys - m.shape[-1])], constant_values=fill)
        if m.dtype == bool:
            seen = seen & np.broadcast_to(m, raw.shape)
        else:
            bias = bias + m
    masked = np.where(seen, capped + bias, -np.inf)
    most = np.max(masked, -1, keepdims=True, initial=-np.inf)
    e = np.where(np.isneginf(masked), 0, np.exp(masked - np.where(np.isneginf(most), 0, most)))
    total = e.sum(-1, keepdims=True)
    weight = np.where(np.isneginf(masked), 0, e / np.where(total == 0, 1, total))
    y = np.einsum("bhls,bhsd->bhld", weight, np.where(weight.any((1, 2))[..., None][:, None], v, 0))
    if given["Q"].ndim == 3:
        y = y.transpose(0, 2, 1, 3).reshape(batch, length, -1)
    return [y, k2, v2, [raw, capped, masked, weight][qk_matmul_output_mode]]


def numbers(shape, start=0):
    count = int(np.prod(shape))
    return (np.rint(np.sin(np.arange(count) * 1.7 + start) * 16) / 8).reshape(shape)


def bits(shape, start=0):
    count = int(np.prod(shape))
    return ((np.arange(count) * 7 + start) % 5 > 1).reshape(shape)


def text(attributes):
    return ", ".join(f"{k} = {v}" for k, v in attributes.items())


def kind_of(name, x, kind, v_kind):
    if name == "N":
        return "int64"
    if name == "M" and x.dtype == bool:
        return "bool"
    return v_kind if name in ("V", "PV", "V2") else kind


def lines(since, kinds, given, attributes, outputs):
    ports = ", ".join(f"{k}[{','.join(map(str, np.shape(given[n])))}] {n}" for n, k in kinds.items())
    last = max(NAMES.index(n) for n in given)
    args = ", ".join(n if n in given else '""' for n in NAMES[:last + 1])
    last = max(OUTPUTS.index(n) for n in outputs)
    results = ", ".join(n if n in outputs else '""' for n in OUTPUTS[:last + 1])
    outs = ", ".join(f"{k}[] {n}" for n, k in outputs.items())
    node = f"Attention <{text(attributes)}>" if attributes else "Attention"
    return [header(since), f"g ({ports}) => ({outs}) {{ {results} = {node} ({args}) }}"] + [
        f"--- {n} = {literal(k, given[n])}" for n, k in kinds.items()]


def add(f, title, given, attributes=None, since=24, kind="float", v_kind=None, outputs="Y",
        mask_kind=None):
    attributes, v_kind = attributes or {}, v_kind or kind
    kinds = {n: kind_of(n, x, kind, v_kind) for n, x in given.items()}
    if mask_kind:
        kinds["M"] = mask_kind
    given = {n: round_to(kinds[n], x) if kinds[n] in FLOATS else x for n, x in given.items()}
    results = dict(zip(OUTPUTS, attention(given, since, **attributes)))
    wanted = {n: kind_of(n, results[n], kind, v_kind) for n in outputs.split()}
    f.cases.append((title, lines(since, kinds, given, attributes, wanted) + [
        f"--- {n} = {literal(k, round_to(k, results[n]))}" for n, k in wanted.items()] + [
        f"--- tolerance {TOLERANCE[kind]}", "--- body native expand"]))


def fails(f, title, given, attributes, code, part, since=24):
    kinds = {n: kind_of(n, x, "float", "float") for n, x in given.items()}
    f.cases.append((title, lines(since, kinds, given, attributes, {"Y": "float"}) + [f'--- fails {code} "{part}"']))


def qkv(batch=2, heads=2, kv=2, length=3, keys=4, size=5, v_size=3, flat=False):
    q, k, v = (numbers((batch, h, n, s), i) for i, (h, n, s) in enumerate(
        ((heads, length, size), (kv, keys, size), (kv, keys, v_size))))
    if flat:
        q, k, v = (x.transpose(0, 2, 1, 3).reshape(batch, x.shape[2], -1) for x in (q, k, v))
    return {"Q": q, "K": k, "V": v}


def past(batch=2, kv=2, length=2, size=5, v_size=3):
    return {"PK": numbers((batch, kv, length, size), 3), "PV": numbers((batch, kv, length, v_size), 4)}


FLAT = {"q_num_heads": 2, "kv_num_heads": 2}
MASKS = [(), (4,), (1,), (3, 1), (3, 4), (1, 4), (2, 3, 4), (1, 1, 4), (2, 1, 3, 4), (2, 2, 3, 4), (2, 1, 1, 1)]


def main():
    with File("attention/numpy.onnxtxt", "By tests/oracle/attention.py.") as f:
        for kind, flat in itertools.product(FLOATS, (False, True)):
            add(f, f"{kind}, rank {3 if flat else 4}", qkv(flat=flat), FLAT if flat else {}, kind=kind)
        for shape, make, since in itertools.product(MASKS, (numbers, bits), (23, 24)):
            add(f, f"{'bool' if make is bits else 'float'} mask {list(shape)} in {since}",
                {**qkv(), "M": make(shape)}, since=since)
        for n in (1, 2, 3):
            add(f, f"a mask that ends after {n}", {**qkv(), "M": numbers((3, n))})
            add(f, f"a bool mask that ends after {n}, causal", {**qkv(), "M": bits((2, 1, 3, n), 1)}, {"is_causal": 1})
        for heads, kv in ((4, 2), (6, 2), (3, 1), (2, 2)):
            add(f, f"{heads} heads share {kv}", {**qkv(heads=heads, kv=kv), **past(kv=kv)}, since=23)
            add(f, f"{heads} heads share {kv}, rank 3", qkv(heads=heads, kv=kv, flat=True),
                {"q_num_heads": heads, "kv_num_heads": kv})
        for mode, cap, causal in itertools.product(range(4), (0.0, 0.75), (0, 1)):
            attributes = {"qk_matmul_output_mode": mode, "is_causal": causal} | ({"softcap": cap} if cap else {})
            add(f, text(attributes), {**qkv(), "M": numbers((3, 6), 2), **past()}, attributes, outputs="Y K2 V2 S")
            add(f, text(attributes) + ", a bool mask, rank 3", {**qkv(flat=True), "M": bits((3, 6), 2), **past()},
                {**attributes, **FLAT}, outputs="Y K2 V2 S", since=23)
        add(f, "scores alone", qkv(), {"qk_matmul_output_mode": 3}, outputs="S")
        for flat in (False, True):
            add(f, f"present without past, rank {3 if flat else 4}", qkv(flat=flat), FLAT if flat else {},
                outputs="K2 V2")
        for scale in (0.0, 0.125, 2.0, -1.0):
            add(f, f"scale {scale}", qkv(), {"scale": scale}, outputs="Y S")
        add(f, "a negative softcap", qkv(), {"softcap": -0.75, "qk_matmul_output_mode": 1}, outputs="Y S")
        for precision in (1, 10, 11, 16):
            add(f, f"softmax_precision {precision}", qkv(), {"softmax_precision": precision})
        for kind, v_kind in (("float16", "float"), ("double", "float"), ("bfloat16", "bfloat16"), ("float16", "float16")):
            add(f, f"{kind} with values of {v_kind}", {**qkv(), "M": numbers((3, 6), 1), **past()}, kind=kind,
                v_kind=v_kind, outputs="Y K2 V2 S")
        for mask_kind in ("float", "double", "bfloat16", "int8", "uint64"):
            add(f, f"a mask of {mask_kind}", {**qkv(), "M": np.array([[0.0, 1.0, 2.0, 0.0]])}, mask_kind=mask_kind)
        for causal, valid in itertools.product((0, 1), ((4, 4), (2, 3), (0, 1))):
            add(f, f"{list(valid)} keys are there{', causal' * causal}", {**qkv(), "N": np.array(valid)},
                {"is_causal": causal, "qk_matmul_output_mode": 3}, outputs="Y S")
            add(f, f"{list(valid)} keys are there{', causal' * causal}, a mask", {**qkv(), "N": np.array(valid),
                "M": numbers((3, 4))}, {"is_causal": causal, "qk_matmul_output_mode": 2}, outputs="Y S")
        none = np.array([[False] * 4, [True] * 4, [False, True, False, False]])
        for mask in (none, np.where(none, 0, -np.inf)):
            for mode in (2, 3):
                add(f, f"a query with no key gives zeros: {mask.dtype}, mode {mode}", {**qkv(), "M": mask},
                    {"qk_matmul_output_mode": mode}, outputs="Y S")
        for bad in (np.nan, np.inf):
            given = {**qkv(), "M": np.array([True, False, True, True])}
            given["V"][:, :, 1] = given["K"][:, :, 1] = bad
            expected = {**given, "K": np.nan_to_num(given["K"], nan=0, posinf=0), "V": np.nan_to_num(
                given["V"], nan=0, posinf=0)}
            y = attention(expected, 24)[0]
            kinds = {n: kind_of(n, x, "float", "float") for n, x in given.items()}
            f.cases.append((f"{bad} in what takes no part", lines(24, kinds, given, {}, {"Y": "float"}) + [
                f"--- Y = {literal('float', y)}", f"--- tolerance {TOLERANCE['float']}",
                "--- body native expand"]))
        for causal, mask in itertools.product((0, 1), (bits((3, 4)), np.where(bits((3, 4)), 0.5, -np.inf))):
            given = {**qkv(), "M": mask}
            given["Q"][0, 1] = np.nan
            given["Q"][1, 0, :, 2] = np.inf
            add(f, f"a score that is NaN or Inf, causal {causal}, {mask.dtype}", given,
                {"is_causal": causal, "qk_matmul_output_mode": 3}, outputs="Y S")
        for kind in ("float", "double"):
            add(f, f"{kind}: past the edges of blocks and panels", qkv(1, 2, 1, 35, 19, 9, 17), {"is_causal": 1}, kind=kind)
        for left, right, causal in itertools.product((-1, 0, 1, 3), (-1, 0, 2), (0, 1)):
            window = {"left_window_size": left, "right_window_size": right, "is_causal": causal}
            add(f, text(window), {**qkv(), **past(), "M": numbers((3, 6))},
                window | {"qk_matmul_output_mode": 2}, since=25, outputs="Y S")
            add(f, text(window) + ", counts", {**qkv(), "N": np.array([2, 4])},
                window | {"qk_matmul_output_mode": 3}, since=25, outputs="Y S")
        most = 2**63 - 1
        for left, right, mode in ((most, most, 0), (5, 1, 2), (3, most, 3), (2, 0, 1), (20, 12, 3)):
            window = {"left_window_size": left, "right_window_size": right, "qk_matmul_output_mode": mode}
            add(f, "a long window: " + text(window), qkv(1, 1, 1, 70, 67, 2, 1), window, since=25)
            add(f, "a short window: " + text(window), qkv(1, 1, 1, 40, 23, 2, 1), window, since=25, outputs="Y S")
        for sizes in ((0, 2, 2, 3, 4, 5, 3), (2, 2, 2, 0, 4, 5, 3), (2, 2, 2, 3, 0, 5, 3), (2, 2, 2, 3, 4, 5, 0), (2, 0, 2, 3, 4, 5, 3)):
            add(f, f"sizes {list(sizes)}", qkv(*sizes), outputs="Y S")

        base, flat = qkv(), qkv(flat=True)
        def wrong(title, given, attributes, code, part, **more):
            fails(f, title, {**base, **given} if "Q" not in given else given, attributes, code, part, **more)
        wrong("K of another rank", {"K": flat["K"]}, FLAT, "SHAPE", "input 1 'K' is [2,4,10]")
        wrong("Q of rank 2", {**base, "Q": np.ones((2, 2))}, {}, "SHAPE", "input 0 'Q' is [2,2]")
        wrong("no q_num_heads", flat, {"kv_num_heads": 2}, "SHAPE", "q_num_heads 0")
        wrong("kv_num_heads does not divide", flat, {"q_num_heads": 2, "kv_num_heads": 3}, "SHAPE", "kv_num_heads 3")
        wrong("negative heads", flat, {"q_num_heads": -1, "kv_num_heads": 2}, "SHAPE", "q_num_heads -1")
        wrong("heads do not divide", {"Q": numbers((2, 3, 3, 5)), "K": base["K"], "V": base["V"]}, {}, "SHAPE", "by heads")
        wrong("sizes differ", {"K": numbers((2, 2, 4, 6))}, {}, "SHAPE", "by heads")
        wrong("batches differ", {"V": numbers((1, 2, 4, 3))}, {}, "SHAPE", "by heads")
        wrong("values are fewer", {"V": numbers((2, 2, 3, 3))}, {}, "SHAPE", "by heads")
        wrong("no heads of keys", {"K": np.ones((2, 0, 4, 5)), "V": np.ones((2, 0, 4, 3))}, {}, "SHAPE", "by heads")
        for shape in ((5,), (2, 4), (3, 3, 4), (1, 2, 2, 3, 4), (3, 5)):
            wrong(f"mask {list(shape)}", {"M": np.ones(shape)}, {}, "SHAPE", "attn_mask")
        wrong("a shorter mask in version 23", {"M": np.ones((3, 2))}, {}, "SHAPE", "attn_mask", since=23)
        wrong("a cache without values", {"PK": past()["PK"]}, {}, "MODEL", "past_key")
        wrong("a cache of another size", {**past(size=4)}, {}, "SHAPE", "input 4")
        wrong("a cache of values that is shorter", {**past(), "PV": numbers((2, 2, 1, 3))}, {}, "SHAPE", "input 5")
        wrong("a cache of rank 3", {**past(), "PK": numbers((2, 2, 5))}, {}, "SHAPE", "input 4")
        wrong("a cache and a count", {**past(), "N": np.array([1, 1])}, {}, "MODEL", "nonpad_kv_seqlen")
        for n in ([1], [1, 1, 1], [[1, 1]]):
            wrong(f"count {n}", {"N": np.array(n)}, {}, "SHAPE", "nonpad_kv_seqlen")
        for n in ([5, 1], [1, -1]):
            wrong(f"count {n}", {"N": np.array(n)}, {}, "VALUE", "nonpad_kv_seqlen")
        wrong("a mask shorter than the count", {"N": np.array([2, 3]), "M": np.ones((3, 2))}, {}, "VALUE", "nonpad_kv_seqlen[1]")
        for side in ("left", "right"):
            wrong(f"{side} window -2", {}, {f"{side}_window_size": -2}, "VALUE", "the window is", since=25)
        wrong("no windows before version 25", {}, {"left_window_size": 2}, "MODEL", "left_window_size")
        for mode in (-1, 4):
            wrong(f"mode {mode}", {}, {"qk_matmul_output_mode": mode}, "VALUE", "qk_matmul_output_mode")
        for precision in (0, 7, 99):
            wrong(f"softmax_precision {precision}", {}, {"softmax_precision": precision}, "VALUE", "softmax_precision")


if __name__ == "__main__":
    main()
