#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnxruntime_half_sums.py - text cases of operators of com.microsoft that add halves before they normalize.

    python3 tests/oracle/onnxruntime_half_sums.py

writes tests/cases/onnxruntime/half_sums.onnxtxt, by NumPy in double: sums of halves are not rounded before they are normalized.
The sums are large beside their deviation, so that a sum rounded to half is off by a tenth of it."""
import numpy as np

from onnxruntime_bodies import Cases
from text_case import round_to

rng = np.random.default_rng(47)
EXACT = "tolerance rtol 1e-5 atol 1e-5"


def halves(kind, base, *dims):
    step = 1 / 32 if kind == "bfloat16" else 1 / 256
    return (kind, round_to(kind, base + np.round(rng.standard_normal(dims) / 8 / step) * step))


def of(kind, x):
    return (kind, round_to(kind, np.asarray(x, np.float64)))


def layer(v, g, b=0, epsilon=1e-5):
    mean = v.mean(-1, keepdims=True)
    inverse = 1 / np.sqrt(((v - mean) ** 2).mean(-1, keepdims=True) + epsilon)
    return (v - mean) * inverse * g + b, mean, inverse


def rms(v, g, epsilon=1e-5):
    inverse = 1 / np.sqrt((v ** 2).mean(-1, keepdims=True) + epsilon)
    return v * inverse * g, inverse


class Halves(Cases):
    def pair(self, title, node, inputs, y, stats, kind):
        """Two cases: the outputs in half, within a unit in the last place; the float ones, much nearer. The node's first output
        is Y, the outputs behind it are those of stats and then the sum S."""
        y = {k: of(kind, v) for k, v in y.items()}
        none = dict.fromkeys(stats)
        one = 2 ** (-7 if kind == "bfloat16" else -10)
        self.case(title, node, inputs, {"Y": y["Y"], **none, **({"S": y["S"]} if "S" in y else {})})
        self.cases[-1][1][-1] = f"--- tolerance rtol {one} atol 1e-5"
        if stats:
            self.case(f"{title}, its statistics", node, inputs,
                      {"Y": None, **{k: of("float", v) for k, v in stats.items()}})
            self.cases[-1][1][-1] = f"--- {EXACT}"


def skips(f, kind):
    x, skip, bias = halves(kind, 5, 2, 3, 8), halves(kind, 9, 2, 3, 8), halves(kind, 1, 8)
    gamma, beta = halves(kind, 1, 8), halves(kind, 0, 8)
    op = "com.microsoft.SkipLayerNormalization"
    total = x[1] + skip[1]
    y, mean, inverse = layer(total, gamma[1])
    f.pair(f"SkipLayerNormalization, {kind}", f"{op} <epsilon = 1e-5>", {"input": x, "skip": skip, "gamma": gamma},
           {"Y": y, "S": total}, {"M": mean, "V": inverse}, kind)
    y, mean, inverse = layer(total + bias[1], gamma[1], beta[1])
    f.pair(f"SkipLayerNormalization with beta and bias, {kind}", f"{op} <epsilon = 1e-5>",
           {"input": x, "skip": skip, "gamma": gamma, "beta": beta, "bias": bias},
           {"Y": y, "S": total + bias[1]}, {"M": mean, "V": inverse}, kind)
    op = "com.microsoft.SkipSimplifiedLayerNormalization"
    y, inverse = rms(total, gamma[1])
    f.pair(f"SkipSimplifiedLayerNormalization, {kind}", f"{op} <epsilon = 1e-5>", {"input": x, "skip": skip, "gamma": gamma},
           {"Y": y, "S": total}, {"M": 0 * inverse, "V": inverse}, kind)
    y, inverse = rms(total + bias[1], gamma[1])
    f.pair(f"SkipSimplifiedLayerNormalization with bias, {kind}", f"{op} <epsilon = 1e-5>",
           {"input": x, "skip": skip, "gamma": gamma, "bias": bias},
           {"Y": y, "S": total + bias[1]}, {"M": 0 * inverse, "V": inverse}, kind)


def embeddings(f, kind):
    ids, kinds = ("int32", rng.integers(0, 5, (2, 3))), ("int32", rng.integers(0, 2, (2, 3)))
    word, position, segment = halves(kind, 7, 5, 8), halves(kind, 3, 4, 8), halves(kind, 5, 2, 8)
    gamma, beta = halves(kind, 1, 8), halves(kind, 0, 8)
    op = "com.microsoft.EmbedLayerNormalization <epsilon = 1e-5>"
    total = word[1][ids[1]] + position[1][:3] + segment[1][kinds[1]]
    f.pair(f"EmbedLayerNormalization, {kind}", op,
           {"ids": ids, "segment_ids": kinds, "word": word, "position": position, "segment": segment, "gamma": gamma,
            "beta": beta}, {"Y": layer(total, gamma[1], beta[1])[0], "S": total}, {}, kind)
    title, lines = f.cases[-1]
    f.cases[-1] = title, [line.replace("{ Y, S = ", "{ Y, , S = ") for line in lines]
    total = word[1][ids[1]] + position[1][:3]
    f.pair(f"EmbedLayerNormalization without segments, {kind}", op,
           {"ids": ids, "segment_ids": None, "word": word, "position": position, "segment": None, "gamma": gamma,
            "beta": beta}, {"Y": layer(total, gamma[1], beta[1])[0]}, {}, kind)


def softmax(f, kind):
    data, bias = halves(kind, 40, 2, 3, 8), halves(kind, 90, 3, 8)
    total = data[1] + bias[1]
    shares = np.exp(total - total.max(-1, keepdims=True))
    f.pair(f"BiasSoftmax, {kind}", "com.microsoft.BiasSoftmax <axis = 2, is_inner_broadcast = 0>", {"data": data, "bias": bias},
           {"Y": shares / shares.sum(-1, keepdims=True)}, {}, kind)


def main():
    with Halves("onnxruntime/half_sums.onnxtxt", "By tests/oracle/onnxruntime_half_sums.py.") as f:
        for kind in "float16", "bfloat16":
            skips(f, kind)
            embeddings(f, kind)
            softmax(f, kind)


if __name__ == "__main__":
    main()
