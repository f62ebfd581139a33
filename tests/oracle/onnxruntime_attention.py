#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_attention.py - text cases of com.microsoft's attention operators, in every form of their inputs,
by NumPy in double.

    python3 tests/oracle/onnxruntime_attention.py

writes tests/cases/multi_head_attention/forms.onnxtxt and others. compare_ort.js compares the same operators with
ONNX Runtime itself (ort/onnxruntime_attention.js)."""
import numpy as np

from onnxruntime_bodies import Cases, out

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
    refused("Refused: beams", {**three, "B": None, "M": None, "A": None, "PK": past_k, "PV": past_v, "P": None,
                               "C": ("int32", np.zeros((1, b, 2)))}, "UNSUPPORTED", "input 9 'cache_indirection'")
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
    refused("Refused: input of rank 2", "num_heads = 2", {**three, "X": near(s, d)}, "SHAPE", "expected [B,S,I]")
    refused("Refused: a bias that would repeat", "num_heads = 2", {**three, "B": near(1)}, "SHAPE", "expected [W], W = 12")
    refused("Refused: a past of rank 4", "num_heads = 2", {**three, "M": None, "P": near(b, n, 2, h)}, "SHAPE", "expected [2,B,N,P,H]")


def main():
    with Cases("multi_head_attention/forms.onnxtxt", BY) as f:
        multi_head(f)
    with Cases("onnxruntime/attention_forms.onnxtxt", BY) as f:
        attention(f)


main()
