#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_beams.py - text cases of com.microsoft's attention operators whose past rows are other beams', by NumPy in double.

    python3 tests/oracle/onnxruntime_beams.py

writes tests/cases/multi_head_attention/beams.onnxtxt."""
import numpy as np

from onnxruntime_attention import attend, heads, near
from onnxruntime_bodies import Cases, out

rng = np.random.default_rng(53)


def beams(f):
    """Past rows of other beams: batch b * W + j reads row k of the past from batch b * W + table[b,j,k]. The present keeps each
    batch's own rows."""
    groups, w, n, h, past, room = 2, 3, 2, 4, 3, 5
    b = groups * w
    q, k, v, bias = near(b, 1, n * h), near(b, 1, n * h), near(b, 1, n * h), near(3 * n * h)
    cache_k, cache_v = near(b, n, room, h), near(b, n, room, h)
    table = rng.integers(0, w, (groups, w, room))
    parts = [heads(x[1] + p, n) for x, p in zip((q, k, v), np.split(bias[1], 3))]

    def read(cache, new):
        """The rows that each batch reads, and the present that shares the cache's room."""
        rows = np.empty((b, n, past + 1, h))
        for batch in range(b):
            group, beam = divmod(batch, w)
            for t in range(past):
                rows[batch, :, t] = cache[group * w + table[group, beam, t], :, t]
        rows[:, :, past:] = new
        full = cache.copy()
        full[:, :, past:past + 1] = new
        return rows, full

    (rows_k, full_k), (rows_v, full_v) = read(cache_k[1], parts[1]), read(cache_v[1], parts[2])
    length, width = ("int32", np.array([past])), ("int32", np.array([w]))
    tables = ("int32", table)
    grown = lambda cache, new: out(np.concatenate([cache[1][:, :, :past], new], 2))
    short = lambda cache: (cache[0], cache[1][:, :, :past])
    mask, added = ("int32", rng.integers(0, 2, (b, past + 1))), None
    mask[1][:, 0] = 1
    added = np.where(mask[1], 0, -10000.0)[:, None, None]
    y, scores = attend(parts[0], rows_k, rows_v)
    masked = attend(parts[0], rows_k, rows_v, added)[0]
    op = "com.microsoft.MultiHeadAttention"
    three = {"Q": q, "K": k, "V": v}
    f.case("Beams in a shared cache", f"{op} <num_heads = 2>",
           {**three, "B": bias, "M": None, "A": None, "PK": cache_k, "PV": cache_v, "P": length, "C": tables},
           {"Y": out(y), "RK": out(full_k), "RV": out(full_v), "S": out(scores)})
    f.case("Beams in a cache that grows", f"{op} <num_heads = 2>",
           {**three, "B": bias, "M": mask, "A": None, "PK": short(cache_k), "PV": short(cache_v), "P": None, "C": tables},
           {"Y": out(masked), "RK": grown(cache_k, parts[1]), "RV": grown(cache_v, parts[2])})
    f.case("Refused: beams without a past", f"{op} <num_heads = 2>",
           {"Q": q, "K": cache_k, "V": cache_v, **dict.fromkeys(("B", "M", "A", "PK", "PV", "P")), "C": tables}, {"Y": q},
           fails=("MODEL", "cache_indirection is given and past_key is not"))
    op = "com.microsoft.DecoderMaskedMultiHeadAttention"
    pasts = {**three, "M": mask, "A": None, "PK": cache_k, "PV": cache_v, "P": length, "W": width, "C": tables, "B": bias}
    shared = f"{op} <num_heads = 2, past_present_share_buffer = 1>"
    f.case("DecoderMaskedMultiHeadAttention", shared, pasts, {"Y": out(masked), "RK": out(full_k), "RV": out(full_v)})
    f.case("DecoderMaskedMultiHeadAttention, a cache that grows, its scores", f"{op} <num_heads = 2, output_qk = 1>",
           {**pasts, "M": None, "PK": short(cache_k), "PV": short(cache_v), "P": None},
           {"Y": out(y), "RK": grown(cache_k, parts[1]), "RV": grown(cache_v, parts[2]), "S": out(scores)})
    f.case("DecoderMaskedMultiHeadAttention of another sequence", f"{op} <num_heads = 2, scale = 0.25>",
           {"Q": q, "K": cache_k, "V": cache_v, **dict.fromkeys(("M", "A", "PK", "PV", "P", "W", "C")), "B": bias},
           {"Y": out(attend(parts[0], cache_k[1], cache_v[1], scale=0.25)[0])})
    op = "com.microsoft.DecoderMaskedSelfAttention"
    x, weights = near(b, 1, 5), near(5, 3 * n * h)
    made = [heads(p, n) for p in np.split(x[1] @ weights[1] + bias[1], 3, -1)]
    (rows_k, full_k), (rows_v, full_v) = read(cache_k[1], made[1]), read(cache_v[1], made[2])
    f.case("DecoderMaskedSelfAttention", f"{op} <num_heads = 2, past_present_share_buffer = 1>",
           {"X": x, "W": weights, "B": bias, "M": mask, "PP": out(np.stack([cache_k[1], cache_v[1]])), "A": None, "P": length,
            "N": width, "C": tables},
           {"Y": out(attend(made[0], rows_k, rows_v, added)[0]), "R": out(np.stack([full_k, full_v]))})
    refused = lambda title, table, code, text: f.case(
        f"Refused: {title}", shared, {**pasts, "C": ("int32", table)}, {"Y": q}, fails=(code, text))
    wrong = table.copy()
    wrong[1, 2, 2] = w
    refused("a beam that is not there", wrong, "VALUE", "'cache_indirection' has beam 3, expected 0 to 2")
    wrong[1, 2, 2] = -1
    refused("a negative beam", wrong, "VALUE", "'cache_indirection' has beam -1")
    refused("beams of fewer batches", table[:1], "SHAPE", "'cache_indirection' is [1,3,5]")
    refused("beams of too few rows", table[:, :, :2], "SHAPE", "G * W = 6 batches and M >= 3 past rows")
    f.case("Refused: two queries", shared, {**pasts, "Q": near(b, 2, n * h)}, {"Y": q}, fails=("SHAPE", "[6,2,8]"))
    f.case("Refused: a shared cache without a length", shared, {**pasts, "P": None}, {"Y": q},
           fails=("VALUE", "input 'past_sequence_length' is missing"))


if __name__ == "__main__":
    with Cases("multi_head_attention/beams.onnxtxt", "By tests/oracle/onnxruntime_beams.py.") as cases:
        beams(cases)
