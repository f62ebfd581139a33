#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_attention.py - text cases of com.microsoft's attention operators, in every form of their inputs,
by NumPy in double.

    python3 tests/oracle/onnxruntime_attention.py

writes tests/cases/multi_head_attention/forms.onnxtxt and others. compare_ort.js compares the same operators with
ONNX Runtime itself (ort/onnxruntime_attention.js)."""
import re

import numpy as np

from onnxruntime_bodies import Cases, TOLERANCE, out
from text_case import round_to

BY = "By tests/oracle/onnxruntime_attention.py."
rng = np.random.default_rng(37)


def near(*dims, type_name="float"):
    return (type_name, rng.integers(-32, 33, dims) / 16)


def heads(x, n):
    """[B,L,N*H] as [B,N,L,H]."""
    return x.reshape(*x.shape[:2], n, -1).swapaxes(1, 2)


def rows(x):
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def attend(q, k, v, bias=0, scale=None, causal=False, past=0):
    """Rows [B,S,N*E] and the scores before the softmax, from heads [B,N,S,H], [B,N,T,H], [B,N,T,E]."""
    scores = q @ k.swapaxes(-1, -2) * (scale or 1 / np.sqrt(q.shape[-1])) + bias
    if causal:
        s, t = scores.shape[-2:]
        scores = np.where(np.arange(t) <= np.arange(s)[:, None] + past, scores, -np.inf)
    return rows(softmax(scores) @ v), scores


def masks(b, s, t, past=0, square=None):
    """Name -> (numbers, what is added to the scores) for each form of a mask."""
    keys = np.arange(t)
    by_key = rng.integers(0, 2, (b, t))
    by_key[:, 0] = 1
    by_query = rng.integers(0, 2, (b, s, t))
    by_query[:, :, 0] = 1
    lengths = rng.integers(1, t, b)
    starts = np.minimum(rng.integers(0, 2, b), lengths - 1)
    hide = lambda seen: np.where(seen, 0, -10000.0)
    forms = {
        "lengths": (lengths, hide(keys < lengths[:, None])[:, None, None]),
        "ends and starts": (np.concatenate([lengths, starts]),
                            hide((keys < lengths[:, None]) & (keys >= starts[:, None]))[:, None, None]),
        "lengths and packed starts": (np.concatenate([lengths, np.arange(b + 1) * s, np.arange(b + 1) * t]),
                                      hide(keys < lengths[:, None])[:, None, None]),
        "keys": (by_key, hide(by_key)[:, None, None]),
        "one number": (np.zeros((1, 1)), 0),
        "queries and keys": (by_query, hide(by_query)[:, None]),
    }
    if past:
        new = rng.integers(0, 2, (b, t - past))
        forms["new keys"] = (new, hide(np.concatenate([np.ones((b, past)), new], 1))[:, None, None])
    m = square or t + 2
    if past + s <= m:
        table = rng.integers(0, 2, (b, 1, m, m))
        table[..., 0] = 1
        forms["all positions"] = (table, hide(table[:, :, past:past + s, :t]))
    return {k: (("int32", v), added) for k, (v, added) in forms.items()}


def multi_head(f):
    op = "com.microsoft.MultiHeadAttention"
    b, s, l, n, h, e = 2, 3, 4, 2, 4, 2
    q, k, v = near(b, s, n * h), near(b, l, n * h), near(b, l, n * e)
    bias, scores_bias = near(n * (2 * h + e)), near(1, n, s, l)
    past_k, past_v = near(b, n, 2, h), near(b, n, 2, e)
    parts = np.split(bias[1], [n * h, 2 * n * h])
    three = {"Q": q, "K": k, "V": v}
    qh, kh, vh = (heads(x[1], n) for x in (q, k, v))
    for name, (mask, added) in masks(b, s, l).items():
        f.case(f"A mask of {name}", f"{op} <num_heads = 2>", {**three, "B": None, "M": mask}, {"Y": out(attend(qh, kh, vh, added)[0])})
    for name, (mask, added) in masks(b, s, l + 2, 2).items():
        all_k, all_v = (np.concatenate([p[1], x], 2) for p, x in ((past_k, kh), (past_v, vh)))
        f.case(f"A mask of {name}, with a past", f"{op} <num_heads = 2>",
               {**three, "B": None, "M": mask, "A": None, "PK": past_k, "PV": past_v},
               {"Y": out(attend(qh, all_k, all_v, added)[0]), "RK": out(all_k), "RV": out(all_v)})
    mask, added = masks(b, s, l)["queries and keys"]
    biased = [heads(x[1] + p, n) for x, p in zip((q, k, v), parts)]
    y, scores = attend(*biased, added + scores_bias[1], causal=True)
    f.case("All at once", f"{op} <num_heads = 2, unidirectional = 1>", {**three, "B": bias, "M": mask, "A": scores_bias},
           {"Y": out(y), "RK": out(biased[1]), "RV": out(biased[2])})
    y, scores = attend(*biased, added + scores_bias[1])
    f.case("The scores", f"{op} <num_heads = 2>", {**three, "B": bias, "M": mask, "A": scores_bias},
           {"Y": out(y), "RK": None, "RV": None, "S": out(scores)})
    for first, second in ((1, n), (b, 1), (b, n), (1, 1)):
        added = near(first, second, s, l)
        f.case(f"A bias of scores [{first},{second},S,T]", f"{op} <num_heads = 2, scale = 0.5>",
               {**three, "B": None, "M": None, "A": added}, {"Y": out(attend(qh, kh, vh, added[1], 0.5)[0])})
        mask, more = masks(b, s, l)["lengths"]
        f.case(f"A bias of scores [{first},{second},S,T] and lengths", f"{op} <num_heads = 2, mask_filter_value = -8.0>",
               {**three, "B": None, "M": mask, "A": added}, {"Y": out(attend(qh, kh, vh, added[1] + more / 1250)[0])})
    f.case("Keys and values by heads", f"{op} <num_heads = 2>", {"Q": q, "K": out(kh), "V": out(vh)}, {"Y": out(attend(qh, kh, vh)[0])})
    f.case("Keys and values by heads, whose bias they have", f"{op} <num_heads = 2>",
           {"Q": q, "K": out(kh), "V": out(vh), "B": bias}, {"Y": out(attend(biased[0], kh, vh)[0])})
    packed = near(b, l, n, 2, h)
    f.case("Packed keys and values", f"{op} <num_heads = 2>", {"Q": q, "KV": packed},
           {"Y": out(attend(qh, packed[1][:, :, :, 0].swapaxes(1, 2), packed[1][:, :, :, 1].swapaxes(1, 2))[0])})
    packed, rows_bias = near(b, l, n, 3, h), near(3 * n * h)
    for given in (None, rows_bias):
        three_heads = [packed[1][:, :, :, i].swapaxes(1, 2) + (heads(p[None, None], n) if given else 0)
                       for i, p in enumerate(np.split(rows_bias[1], 3))]
        f.case(f"Packed queries, keys and values{', with a bias' if given else ''}", f"{op} <num_heads = 2, unidirectional = 1>",
               {"QKV": packed, "K": None, "V": None, "B": given}, {"Y": out(attend(*three_heads, causal=True)[0])})
    one = near(b, 1, n * h)
    room_k, room_v = near(b, n, 5, h), near(b, n, 5, e)
    new_k, new_v = near(b, 1, n * h), near(b, 1, n * e)
    for past in (0, 3):
        kept_k, kept_v = (np.concatenate([r[1][:, :, :past], heads(x[1], n)], 2) for r, x in ((room_k, new_k), (room_v, new_v)))
        full_k, full_v = (np.concatenate([x, r[1][:, :, past + 1:]], 2) for r, x in ((room_k, kept_k), (room_v, kept_v)))
        f.case(f"A shared cache with {past} of 5 rows", f"{op} <num_heads = 2, unidirectional = 1>",
               {"Q": one, "K": new_k, "V": new_v, "B": None, "M": None, "A": None, "PK": room_k, "PV": room_v,
                "P": ("int32", np.array([past]))},
               {"Y": out(attend(heads(one[1], n), kept_k, kept_v)[0]), "RK": out(full_k), "RV": out(full_v)})
    refused = lambda title, inputs, code, text: f.case(title, f"{op} <num_heads = 2>", inputs, {"Y": q}, fails=(code, text))
    refused("Refused: a mask of one batch", {**three, "B": None, "M": ("int32", np.ones((1, l)))}, "SHAPE", "input 4 'key_padding_mask' is [1,4]")
    refused("Refused: a mask of rank 3 for all queries", {**three, "B": None, "M": ("int32", np.ones((b, 1, l)))}, "SHAPE", "expected [B], [2B]")
    refused("Refused: a mask that is too short", {**three, "B": None, "M": ("int32", np.ones((b, l - 1)))}, "SHAPE", "T = 4 keys")
    refused("Refused: a bias of rank 3", {**three, "B": None, "M": None, "A": near(n, s, l)}, "SHAPE", "input 5 'attention_bias' is [2,3,4], expected [2,2,3,4]")
    refused("Refused: a bias of one column", {**three, "B": None, "M": None, "A": near(1, n, s, 1)}, "SHAPE", "expected [1,2,3,4]")
    refused("Refused: a short bias of rows", {**three, "B": near(n * h)}, "SHAPE", "input 3 'bias' is [8], expected [20]")
    refused("Refused: one past", {**three, "B": None, "M": None, "A": None, "PK": past_k}, "MODEL", "used together")
    refused("Refused: a past of another batch", {**three, "B": None, "M": None, "A": None, "PK": near(1, n, 2, h), "PV": past_v}, "SHAPE", "input 6 'past_key'")
    refused("Refused: two ranks", {"Q": q, "K": out(kh), "V": v}, "SHAPE", "input 2 'value' is [2,4,4], expected [2,2,4,?]")
    refused("Refused: no key", {"Q": q}, "SHAPE", "packed queries, keys and values")


def attention(f):
    """The body: its product, its past and present; masks are MultiHeadAttention's."""
    op = "com.microsoft.Attention"
    b, s, d, n, h = 2, 3, 5, 2, 2
    x, w, bias, past = near(b, s, d), near(d, 3 * n * h), near(3 * n * h), near(2, b, n, 2, h)
    parts = [heads(p, n) for p in np.split(x[1] @ w[1] + bias[1], 3, -1)]
    three = {"X": x, "W": w, "B": bias}
    for name, (mask, added) in masks(b, s, s).items():
        f.case(f"A mask of {name}", f"{op} <num_heads = 2>", {**three, "M": mask}, {"Y": out(attend(*parts, added)[0])})
    all_k, all_v = (np.concatenate([p, new], 2) for p, new in zip(past[1], parts[1:]))
    for name, (mask, added) in masks(b, s, s + 2, 2, 6).items():
        f.case(f"A mask of {name}, with a past", f"{op} <num_heads = 2>", {**three, "M": mask, "P": past},
               {"Y": out(attend(parts[0], all_k, all_v, added)[0]), "R": out(np.stack([all_k, all_v]))})
    f.case("A present without a past", f"{op} <num_heads = 2, unidirectional = 1>", three,
           {"Y": out(attend(*parts, causal=True)[0]), "R": out(np.stack(parts[1:]))})
    f.case("A past, unidirectional", f"{op} <num_heads = 2, unidirectional = 1>", {**three, "M": None, "P": past},
           {"Y": out(attend(parts[0], all_k, all_v, causal=True, past=2)[0]), "R": None})
    added = near(b, n, s, s)
    f.case("A bias of scores", f"{op} <num_heads = 2, do_rotary = 0, rotary_embedding_dim = 0, past_present_share_buffer = 0, scale = 0.0>",
           {**three, "M": None, "P": None, "A": added}, {"Y": out(attend(*parts, added[1])[0])})
    room = near(2, b, n, 6, h)
    k, v = (np.concatenate([r[:, :, :1], new], 2) for r, new in zip(room[1], parts[1:]))
    full = np.concatenate([np.stack([k, v]), room[1][:, :, :, 4:]], 3)
    f.case("A shared buffer", f"{op} <num_heads = 2, unidirectional = 1, past_present_share_buffer = 1>",
           {**three, "M": None, "P": room, "A": None, "L": ("int32", np.array(1))},
           {"Y": out(attend(parts[0], k, v, causal=True, past=1)[0]), "R": out(full)})
    no_bias = [heads(p, n) for p in np.split(x[1] @ w[1], 3, -1)]
    f.case("No bias", f"{op} <num_heads = 2>", {"X": x, "W": w}, {"Y": out(attend(*no_bias)[0])})
    refused = lambda title, attrs, inputs, code, text: f.case(title, f"{op} <{attrs}>", inputs, {"Y": out(parts[0])}, fails=(code, text))
    refused("Refused: rotary", "num_heads = 2, do_rotary = 1", three, "UNSUPPORTED", "attribute 'do_rotary' is 1, expected 0")
    refused("Refused: a shared buffer of no length", "num_heads = 2, past_present_share_buffer = 1", {**three, "M": None, "P": room}, "VALUE",
            "input 'past_sequence_length' is missing")
    refused("Refused: input of rank 2", "num_heads = 2", {**three, "X": near(s, d)}, "SHAPE", "expected [B,S,I]")
    refused("Refused: a bias that would repeat", "num_heads = 2", {**three, "B": near(1)}, "SHAPE", "expected [W], W = 12")
    refused("Refused: a past of rank 4", "num_heads = 2", {**three, "M": None, "P": near(b, n, 2, h)}, "SHAPE", "expected [2,B,N,P,H]")


def rotate(x, cos, sin, interleaved):
    """x [..., H]; cos, sin [..., pairs]; what follows the pairs stays."""
    half = cos.shape[-1]
    pair = (slice(0, 2 * half, 2), slice(1, 2 * half, 2)) if interleaved else (slice(0, half), slice(half, 2 * half))
    a, b = x[..., pair[0]], x[..., pair[1]]
    y = x.copy()
    y[..., pair[0]], y[..., pair[1]] = cos * a - sin * b, sin * a + cos * b
    return y


def grouped(f):
    op = "com.microsoft.GroupQueryAttention"
    n, kv, h = 4, 2, 4
    heads_text = f"num_heads = {n}, kv_num_heads = {kv}"
    total = lambda t: ("int32", np.array([t]))
    lasts = lambda t: ("int32", np.array(t) - 1)

    def expect(q, k, v, past, bias=0, window=None, softcap=0.0, sink=None, scale=None, causal=True, lengths=None):
        """Rows, scores and weights, batch by batch: heads [B,N,S,H] and all keys and values, whose past rows are given."""
        b, _, s, _ = q.shape
        k, v = (np.repeat(x, n // kv, 1) for x in (k, v))
        scores = q @ k.swapaxes(-1, -2) * (scale or 1 / np.sqrt(h))
        if softcap:
            scores = softcap * np.tanh(scores / softcap)
        scores = scores + bias
        t, at = np.arange(k.shape[2]), np.arange(s)[:, None] + np.reshape(past, (-1, 1, 1, 1))
        seen = t <= at if causal else t < np.reshape(lengths, (-1, 1, 1, 1))
        if window:
            seen = seen & (t > at - window)
        seen = np.broadcast_to(seen, scores.shape)
        weights = np.where(seen, np.exp(scores), 0)
        more = 0 if sink is None else np.exp(np.reshape(sink, (1, -1, 1, 1)))
        weights = weights / (weights.sum(-1, keepdims=True) + more)
        return rows(weights @ v), np.where(seen, scores, 0), weights

    b, s = 2, 3
    q, k, v = near(b, s, n * h), near(b, s, kv * h), near(b, s, kv * h)
    qh, kh, vh = heads(q[1], n), heads(k[1], kv), heads(v[1], kv)
    prompt = {"Q": q, "K": k, "V": v, "PK": None, "PV": None, "L": lasts([s] * b), "T": total(s)}
    y, scores, weights = expect(qh, kh, vh, 0)
    f.case("A prompt", f"{op} <{heads_text}>", prompt, {"Y": out(y), "RK": out(kh), "RV": out(vh)})
    f.case("Scores", f"{op} <{heads_text}, qk_output = 1>", prompt, {"Y": out(y), "RK": None, "RV": None, "S": out(scores)})
    f.case("Weights", f"{op} <{heads_text}, qk_output = 2>", prompt, {"Y": None, "RK": None, "RV": None, "S": out(weights)})
    packed = ("float", np.concatenate([q[1], k[1], v[1]], -1))
    f.case("Packed queries, keys and values", f"{op} <{heads_text}>", {**prompt, "Q": packed, "K": None, "V": None}, {"Y": out(y)})
    f.case("Lengths in a column", f"{op} <{heads_text}>", {**prompt, "L": ("int32", np.full((b, 1), s - 1))}, {"Y": out(y)})
    for attrs, more in (("local_window_size = 2", {"window": 2}), ("local_window_size = 1", {"window": 1}), ("softcap = 1.5", {"softcap": 1.5}),
                        ("smooth_softmax = 1", {"sink": np.zeros(n)}), ("scale = 0.25", {"scale": 0.25}),
                        ("local_window_size = 2, softcap = 0.5, smooth_softmax = 1", {"window": 2, "softcap": 0.5, "sink": np.zeros(n)}),
                        ("causal = 0", {"causal": False, "lengths": [s] * b})):
        f.case(attrs, f"{op} <{heads_text}, {attrs}>", prompt, {"Y": out(expect(qh, kh, vh, 0, **more)[0])})
    sink, bias = near(n), near(1, n, s, s)
    full = {**prompt, "C": None, "S": None, "P": None}
    f.case("A sink and a bias", f"{op} <{heads_text}, softcap = 2.0>", {**full, "A": bias, "H": sink},
           {"Y": out(expect(qh, kh, vh, 0, bias[1], softcap=2, sink=sink[1])[0])})
    # A cache of 6 rows of which 3 and 1 are in use, then one more each.
    lengths, one = [4, 2], 1
    q, k, v = near(b, one, n * h), near(b, one, kv * h), near(b, one, kv * h)
    qh, kh, vh = heads(q[1], n), heads(k[1], kv), heads(v[1], kv)
    cache = [near(b, kv, 6, h), near(b, kv, 6, h)]

    def grown(old, new):
        full = np.zeros_like(old)
        for i, t in enumerate(lengths):
            full[i, :, :t - one] = old[i, :, :t - one]
            full[i, :, t - one:t] = new[i]
        return full

    all_k, all_v = grown(cache[0][1], kh), grown(cache[1][1], vh)
    decode = {"Q": q, "K": k, "V": v, "PK": cache[0], "PV": cache[1], "L": lasts(lengths), "T": total(4)}
    past = np.array(lengths) - 1
    f.case("Caches that grow at other rows", f"{op} <{heads_text}>", decode,
           {"Y": out(expect(qh, all_k, all_v, past)[0]), "RK": out(all_k), "RV": out(all_v)})
    f.case("A window in caches", f"{op} <{heads_text}, local_window_size = 2>", decode, {"Y": out(expect(qh, all_k, all_v, past, window=2)[0])})
    angles = near(5, 2), near(5, 2)
    for interleaved in (0, 1):
        turned = [rotate(x, *(a[1][past][:, None, None] for a in angles), interleaved) for x in (qh, kh)]
        all_transposed = grown(cache[0][1], turned[1])
        f.case(f"Rotation, interleaved {interleaved}", f"{op} <{heads_text}, do_rotary = 1, rotary_interleaved = {interleaved}>",
               {**decode, "C": angles[0], "S": angles[1]},
               {"Y": out(expect(turned[0], all_transposed, all_v, past)[0]), "RK": out(all_transposed), "RV": None})
    ids = np.array([[3], [0]])
    turned = [rotate(x, *(a[1][ids][:, None] for a in angles), 0) for x in (qh, kh)]
    f.case("Rotation by given positions", f"{op} <{heads_text}, do_rotary = 1>", {**decode, "C": angles[0], "S": angles[1], "P": ("int64", ids)},
           {"Y": out(expect(turned[0], grown(cache[0][1], turned[1]), all_v, past)[0])})
    gains = near(h), near(h)
    normal = [x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g[1] for x, g in ((qh, gains[0]), (kh, gains[1]))]
    empty = {"C": None, "S": None, "P": None, "A": None, "H": None, "X": None, "Z": None}
    f.case("Normalized queries and keys", f"{op} <{heads_text}>", {**decode, **empty, "N": gains[0], "M": gains[1]},
           {"Y": out(expect(normal[0], grown(cache[0][1], normal[1]), all_v, past)[0])})
    none = ("float", np.zeros((b, 0, kv * h)))
    kept = [np.where(np.arange(6)[:, None] < np.reshape(lengths, (-1, 1, 1, 1)), c[1], 0) for c in cache]
    f.case("No new keys", f"{op} <{heads_text}>", {**decode, "K": none, "V": none},
           {"Y": out(expect(qh, kept[0], kept[1], past)[0]), "RK": out(kept[0]), "RV": out(kept[1])})
    q, k, v = near(1, 2, n * h), near(1, 2, kv * h), near(1, 2, kv * h)
    old = [near(1, kv, 3, h), near(1, kv, 3, h)]
    all_k, all_v = (np.concatenate([o[1], heads(x[1], kv)], 2) for o, x in zip(old, (k, v)))
    f.case("Two queries after a past", f"{op} <{heads_text}>", {"Q": q, "K": k, "V": v, "PK": old[0], "PV": old[1], "L": lasts([5]), "T": total(5)},
           {"Y": out(expect(heads(q[1], n), all_k, all_v, 3)[0]), "RK": out(all_k), "RV": out(all_v)})

    def quantized(bits, by_channel):
        """A cache of small integers that gets a row more."""
        kind, low = ("int8", -128) if bits == 8 else ("uint8", 0)
        width = h if bits == 8 else h // 2
        stored = [rng.integers(low, low + 256, (1, kv, 2, width)) for _ in range(2)]
        q, k, v = near(1, 1, n * h), near(1, 1, kv * h), near(1, 1, kv * h)
        scales = [(rng.integers(1, 9, (1, kv, 1, h)) if by_channel else np.full((1, 1, 1, 1), 3)) / (32 if bits == 8 else 4) for _ in range(2)]
        top = 2 ** (bits - 1)

        def pack(x):
            return x if bits == 8 else (x[..., ::2] + 8) + 16 * (x[..., 1::2] + 8)

        def unpack(x):
            return x if bits == 8 else np.stack([x % 16 - 8, x // 16 - 8], -1).reshape(*x.shape[:-1], h)

        new = [np.clip(np.rint(heads(x[1], kv) / sc), -top, top - 1) for x, sc in ((k, scales[0]), (v, scales[1]))]
        numbers = [np.concatenate([unpack(o), x], 2) for o, x in zip(stored, new)]
        whole = [x * sc for x, sc in zip(numbers, scales)]
        name = "PER_CHANNEL" if by_channel else "PER_TENSOR"
        shape = (lambda x: x) if by_channel else (lambda x: x.reshape(1))
        f.case(f"A cache of {bits} bits, {name}",
               f'{op} <{heads_text}, k_quant_type = "{name}", v_quant_type = "{name}", kv_cache_bit_width = {bits}>',
               {"Q": q, "K": k, "V": v, "PK": (kind, stored[0]), "PV": (kind, stored[1]), "L": lasts([3]), "T": total(3),
                "C": None, "S": None, "P": None, "A": None, "H": None, "X": ("float", shape(scales[0])), "Z": ("float", shape(scales[1]))},
               {"Y": out(expect(heads(q[1], n), whole[0], whole[1], 2)[0]), "RK": (kind, pack(numbers[0])), "RV": (kind, pack(numbers[1]))})

    for bits in (8, 4):
        for by_channel in (False, True):
            quantized(bits, by_channel)
    refused = lambda title, attrs, inputs, code, text: f.case(title, f"{op} <{heads_text}{attrs}>", inputs, {"Y": near(b, s, n * h)}, fails=(code, text))
    refused("Refused: a window of caches", ", sliding_window_cache = 1", decode, "UNSUPPORTED", "attribute 'sliding_window_cache' is set")
    refused("Refused: lengths of another batch", "", {**decode, "L": lasts([4])}, "SHAPE", "input 5 'seqlens_k' is [1], expected [2]")
    refused("Refused: a length past the cache", "", {**decode, "L": lasts([5, 2])}, "VALUE", "'seqlens_k' has 4 for batch 0, expected 0 to 3")
    refused("Refused: no length", "", {**decode, "L": lasts([4, 0])}, "VALUE", "'seqlens_k' has -1 for batch 1")
    refused("Refused: key alone", "", {**prompt, "V": None}, "MODEL", "key and value are used together")
    refused("Refused: a position past the angles", ", do_rotary = 1", {**decode, "C": near(3, 2), "S": near(3, 2)}, "VALUE", "has position 3, expected 0 to 2")
    refused("Refused: integers without scales", ', k_quant_type = "PER_TENSOR", v_quant_type = "PER_TENSOR"',
            {**decode, "PK": ("int8", np.zeros((b, kv, 6, h))), "PV": ("int8", np.zeros((b, kv, 6, h)))}, "MODEL", "'k_scale' is missing")


def rotation(f):
    op = "com.microsoft.RotaryEmbedding"
    b, s, n, half = 2, 3, 2, 2
    cos, sin = near(6, half), near(6, half)
    for interleaved in (0, 1):
        for title, ids in (("of the first token", np.array([2])), ("of each token", np.array([[5, 0, 2], [1, 1, 3]]))):
            at = ids if ids.ndim == 2 else np.tile(ids + np.arange(s), (b, 1))
            angles = [a[1][at][:, None] for a in (cos, sin)]
            x = near(b, s, n * 2 * half)
            f.case(f"Rows, the position {title}, interleaved {interleaved}", f"{op} <interleaved = {interleaved}>",
                   {"X": x, "P": ("int64", ids), "C": cos, "S": sin}, {"Y": out(rows(rotate(heads(x[1], n), *angles, interleaved)))})
            x = near(b, n, s, 2 * half)
            f.case(f"Heads, the position {title}, interleaved {interleaved}", f"{op} <interleaved = {interleaved}, num_heads = 2>",
                   {"X": x, "P": ("int64", ids), "C": cos, "S": sin}, {"Y": out(rotate(x[1], *angles, interleaved))})
    x, ids = near(b, s, n * 6), np.array([1])
    angles = [np.tile(a[1][1:4], (b, 1, 1))[:, None] for a in (cos, sin)]
    f.case("Part of a head", f"{op} <num_heads = 2, rotary_embedding_dim = 4, scale = 1.0, is_packed_batching = 1>",
           {"X": x, "P": ("int64", ids), "C": cos, "S": sin}, {"Y": out(rows(rotate(heads(x[1], n), *angles, 0)))})
    refused = lambda title, attrs, x, ids, code, text: f.case(title, f"{op}{attrs}", {"X": x, "P": ("int64", ids), "C": cos, "S": sin}, {"Y": x}, fails=(code, text))
    x = near(b, s, n * 4)
    refused("Refused: a scale", " <scale = 2.0>", x, np.array([0]), "UNSUPPORTED", "attribute 'scale' is 2, expected 1")
    refused("Refused: a negative position", "", x, np.array([[0, 1, 2], [0, -1, 2]]), "VALUE", "'position_ids' has -1 for token 1, expected 0 to 5")
    refused("Refused: positions past the angles", "", x, np.array([4]), "VALUE", "'position_ids' has 4 for token 2, expected 0 to 3")
    refused("Refused: positions of one batch", "", x, np.array([[0, 1, 2]]), "SHAPE", "expected [2,3], one for each token, or [1]")
    refused("Refused: part of heads of no number", " <rotary_embedding_dim = 4>", x, np.array([0]), "VALUE", "rotary_embedding_dim is used with num_heads")


def bits_product(f):
    op = "com.microsoft.MatMulNBits"

    def numbers(packed, bits, n):
        each = 8 // bits
        return np.stack([packed >> i * bits & (1 << bits) - 1 for i in range(each)], -1).reshape(*packed.shape[:-1], -1)[..., :n]

    for bits in (2, 4, 8):
        for title, zero, groups, k in (("the middle for zero", None, False, 32), ("packed zero points", "packed", False, 40),
                                       ("zero points as floats", "floats", False, 40), ("groups", "packed", True, 48)):
            n, block = 3, 16
            blocks = -(-k // block)
            a, scales = near(2, k), ("float", rng.integers(1, 9, (n, blocks)) / 16)
            stored = rng.integers(0, 256, (n, blocks, block * bits // 8))
            packed = rng.integers(0, 256, (n, -(-blocks * bits // 8)))
            floats = rng.integers(0, 2 ** bits, (n, blocks)) + 0.5
            points = {None: np.full((n, blocks), 2 ** (bits - 1)), "packed": numbers(packed, bits, blocks), "floats": floats}[zero]
            of = rng.integers(0, blocks, k) if groups else np.arange(k) // block
            w = (numbers(stored, bits, block).reshape(n, -1)[:, :k] - points[:, of]) * scales[1][:, of]
            bias = near(n)
            f.case(f"{bits} bits, {title}", f"{op} <K = {k}, N = {n}, bits = {bits}, block_size = {block}>",
                   {"A": a, "B": ("uint8", stored), "S": scales,
                    "Z": None if zero is None else ("uint8", packed) if zero == "packed" else ("float", floats),
                    "G": ("int32", of) if groups else None, "C": bias}, {"Y": out(a[1] @ w.T + bias[1])})
    k, n = 16, 2
    stored, scales = rng.integers(0, 256, (n, 1, 8)), ("float", np.array([[0.5], [0.25]]))
    w = (numbers(stored, 4, 16).reshape(n, k) - 8) * scales[1]
    for dims in ((k,), (2, 0, k), (2, 1, 3, k)):
        a = near(*dims)
        f.case(f"A of rank {len(dims)}{', empty' if 0 in dims else ''}", f"{op} <K = 16, N = 2, block_size = 16, accuracy_level = 4>",
               {"A": a, "B": ("uint8", stored), "S": scales}, {"Y": out(a[1] @ w.T)})
    f.case("Scales in one axis", f"{op} <K = 16, N = 2, block_size = 16>", {"A": a, "B": ("uint8", stored), "S": ("float", scales[1].ravel())},
           {"Y": out(a[1] @ w.T)})
    refused = lambda title, attrs, more, code, text: f.case(title, f"{op} <K = 16, N = 2, {attrs}>",
                                                            {"A": a, "B": ("uint8", stored), "S": scales, **more}, {"Y": a}, fails=(code, text))
    refused("Refused: 3 bits", "block_size = 16, bits = 3", {}, "UNSUPPORTED", "attribute 'bits' is 3, expected 2, 4 or 8")
    refused("Refused: prepacked weights", "block_size = 16, weight_prepacked = 1", {}, "UNSUPPORTED", "attribute 'weight_prepacked' is 1, expected 0")
    refused("Refused: a block of 24", "block_size = 24", {}, "VALUE", "attribute 'block_size' is 24")
    refused("Refused: a group that is not there", "block_size = 16", {"Z": None, "G": ("int32", np.arange(16))}, "VALUE", "input 4 has 1 at [1]")
    refused("Refused: one scale for all", "block_size = 16", {"S": ("float", np.array([[0.5]]))}, "SHAPE", "input 2 'scales' is [1,1], expected [2,1]")
    refused("Refused: a bias that would repeat", "block_size = 16", {"Z": None, "G": None, "C": near(1)}, "SHAPE", "input 5 'bias' is [1], expected [2]")


def quantized_attention(f):
    op = "com.microsoft.QAttention"
    b, s, d, n, h = 2, 3, 5, 2, 2
    width = 3 * n * h
    for kind, weights, each in (("uint8", "int8", False), ("int8", "uint8", True), ("uint8", "uint8", True)):
        low = lambda t: -128 if t == "int8" else 0
        x, w = rng.integers(low(kind), low(kind) + 256, (b, s, d)), rng.integers(low(weights), low(weights) + 256, (d, width))
        bias, past = near(width), near(2, b, n, 2, h)
        scale, scales = 1 / 64, rng.integers(1, 5, width) / 256 if each else np.array(1 / 128)
        zero, zeros = low(kind) + 120, (low(weights) + 120 + rng.integers(0, 9, width)) if each else np.array(low(weights) + 130)
        parts = [heads(p, n) for p in np.split((x - zero) @ (w - zeros) * scale * scales + bias[1], 3, -1)]
        given = {"X": (kind, x), "W": (weights, w), "B": bias, "XS": ("float", np.array(scale)), "WS": ("float", scales)}
        points = {"XZ": (kind, np.array(zero)), "WZ": (weights, zeros)}
        title = f"{kind} by {weights}, {'columns' if each else 'all'} of one scale"
        f.case(title, f"{op} <num_heads = 2>", {**given, "M": None, **points}, {"Y": out(attend(*parts)[0]), "R": out(np.stack(parts[1:]))})
        all_k, all_v = (np.concatenate([p, new], 2) for p, new in zip(past[1], parts[1:]))
        for name, (mask, added) in masks(b, s, s + 2, 2).items():
            if name in ("lengths", "keys", "queries and keys"):
                f.case(f"{title}, a past and a mask of {name}", f"{op} <num_heads = 2, unidirectional = 1, do_rotary = 0>",
                       {**given, "M": mask, **points, "P": past}, {"Y": out(attend(parts[0], all_k, all_v, added, causal=True, past=2)[0]),
                                                                  "R": out(np.stack([all_k, all_v]))})
    no_points = [heads(p, n) for p in np.split(x @ w * scale * scales + bias[1], 3, -1)]
    f.case("No zero points", f"{op} <num_heads = 2>", given, {"Y": out(attend(*no_points)[0])})
    refused = lambda title, attrs, inputs, code, text: f.case(title, f"{op} <num_heads = 2{attrs}>", inputs, {"Y": near(b, s, n * h)}, fails=(code, text))
    refused("Refused: rotary", ", do_rotary = 1", given, "UNSUPPORTED", "attribute 'do_rotary' is 1, expected 0")
    refused("Refused: a shared buffer", ", past_present_share_buffer = 1", given, "UNSUPPORTED", "attribute 'past_present_share_buffer' is 1")
    refused("Refused: parts of other sizes", "", {**given, "W": (weights, w[:, :10]), "B": ("float", bias[1][:10]), "WS": ("float", np.array(0.5))}, "SHAPE", "expected [2,3,4], as input 0")
    refused("Refused: scales of rows", "", {**given, "XS": ("float", np.ones(3))}, "SHAPE", "expected []|[1]")
    refused("Refused: a scale for each batch", "", {**given, "WS": ("float", np.ones((1, width)))}, "SHAPE", "expected []|[1]|[W]")


def halves(f, op, inputs, outputs):
    """A case in float16 and in bfloat16; inputs and outputs: name -> (type, array), "half" for the type of both."""
    for kind, tolerance in (("float16", "rtol 4e-3 atol 4e-3"), ("bfloat16", "rtol 3e-2 atol 3e-2")):
        as_kind = lambda v: v and ((kind, round_to(kind, v[1])) if v[0] == "half" else v)
        f.case(kind, op, {k: as_kind(v) for k, v in inputs.items()}, {k: as_kind(v) for k, v in outputs.items()})
        title, lines = f.cases[-1]
        # A bare integer stands for the bits of a half.
        number = lambda m: re.sub(r"(?<=[{ ])(-?\d+)(?=[,}])", r"\1.0", m[0])
        lines = [re.sub(r"(float16\[|bfloat16\[).*\{.*", number, line) if line.startswith("--- ") else line for line in lines]
        f.cases[-1] = (title, [line.replace(TOLERANCE, "tolerance " + tolerance) for line in lines])


def all_halves():
    half = lambda *dims: ("half", near(*dims)[1])
    with Cases("multi_head_attention/halves.onnxtxt", BY) as f:
        q, k, v, bias, past = half(1, 2, 4), half(1, 3, 4), half(1, 3, 4), half(12), (half(1, 2, 1, 2), half(1, 2, 1, 2))
        parts = np.split(bias[1], 3)
        new = [heads(x[1] + p, 2) for x, p in zip((q, k, v), parts)]
        all_k, all_v = (np.concatenate([p[1], x], 2) for p, x in zip(past, new[1:]))
        mask = ("int32", np.array([3]))
        y = attend(new[0], all_k, all_v, np.where(np.arange(4) < 3, 0, -10000.0))[0]
        halves(f, "com.microsoft.MultiHeadAttention <num_heads = 2>",
               {"Q": q, "K": k, "V": v, "B": bias, "M": mask, "A": None, "PK": past[0], "PV": past[1]},
               {"Y": ("half", y), "RK": ("half", all_k), "RV": ("half", all_v)})
    with Cases("group_query_attention/halves.onnxtxt", BY) as f:
        q, k, v, cos, sin = half(1, 2, 8), half(1, 2, 4), half(1, 2, 4), half(3, 1), half(3, 1)
        turned = [rotate(heads(x[1], n), cos[1][:2], sin[1][:2], 0) for x, n in ((q, 2), (k, 1))]
        y = attend(turned[0], np.repeat(turned[1], 2, 1), np.repeat(heads(v[1], 1), 2, 1), causal=True)[0]
        halves(f, "com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 1, do_rotary = 1>",
               {"Q": q, "K": k, "V": v, "PK": None, "PV": None, "L": ("int32", np.array([1])), "T": ("int32", np.array([2])),
                "C": cos, "S": sin},
               {"Y": ("half", y), "RK": ("half", turned[1]), "RV": ("half", heads(v[1], 1))})
    with Cases("matmul_nbits/halves.onnxtxt", BY) as f:
        a, scales, stored = half(2, 16), ("half", np.array([[0.5], [0.25]])), rng.integers(0, 256, (2, 1, 8))
        w = (np.stack([stored & 15, stored >> 4], -1).reshape(2, 16) - 8.5) * scales[1]
        halves(f, "com.microsoft.MatMulNBits <K = 16, N = 2, block_size = 16>",
               {"A": a, "B": ("uint8", stored), "S": scales, "Z": ("half", np.full((2, 1), 8.5))}, {"Y": ("half", a[1] @ w.T)})
    with Cases("onnxruntime/layers_of_two_types.onnxtxt", BY) as f:
        x, scale, bias = near(2, 4), ("half", near(4)[1]), ("half", near(4)[1])
        mean = x[1].mean(-1, keepdims=True)
        inverse = 1 / np.sqrt(((x[1] - mean) ** 2).mean(-1, keepdims=True) + 1e-5)
        for kinds in ((x, scale, bias, "half"), (("half", x[1]), near(4), near(4), "float")):
            y = (x[1] - mean) * inverse * kinds[1][1] + kinds[2][1]
            halves(f, "LayerNormalization", {"X": kinds[0], "S": kinds[1], "B": kinds[2]},
                   {"Y": (kinds[3], y), "M": out(mean), "D": out(inverse)})


def main():
    with Cases("multi_head_attention/forms.onnxtxt", BY) as f:
        multi_head(f)
    with Cases("onnxruntime/attention_forms.onnxtxt", BY) as f:
        attention(f)
    with Cases("group_query_attention/forms.onnxtxt", BY) as f:
        grouped(f)
    with Cases("rotary_embedding/microsoft.onnxtxt", BY) as f:
        rotation(f)
    with Cases("matmul_nbits/forms.onnxtxt", BY) as f:
        bits_product(f)
    with Cases("onnxruntime/qattention.onnxtxt", BY) as f:
        quantized_attention(f)
    all_halves()


if __name__ == "__main__":
    main()
