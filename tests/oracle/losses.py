#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""losses.py - text cases of the two loss operators, by NumPy in double; PyTorch must agree.

    python3 tests/oracle/losses.py

writes tests/cases/loss/*.onnxtxt."""
import math

import numpy as np
import torch

from elements import FLOATS, IEEE, UNIT, fails, ints
from text_case import File, literal, round_to

SHAPES = [(3, 5), (2, 3, 4), (2, 3, 2, 2), (1, 1), (4, 1, 3), (1, 7, 1, 2, 1, 2, 2), (2, 70, 40)]
REDUCTIONS = ["none", "sum", "mean"]


def log_softmax(x):
    x = x - x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def nll(x, target, weight, ignored, reduction):
    weight = np.ones(x.shape[1]) if weight is None else weight
    keep = target != ignored if ignored is not None else np.ones(target.shape, bool)
    at = np.where(keep, target, 0)
    picked = np.take_along_axis(x, np.expand_dims(at, 1), 1).squeeze(1)
    w = np.where(keep, weight[at], 0.0)
    loss = np.where(keep, -picked * weight[at], 0.0)
    result = loss if reduction == "none" else np.array(loss.sum()) if reduction == "sum" else \
        np.array(loss.sum() / w.sum() if w.size and w.sum() else math.nan)
    check = torch.nn.functional.nll_loss(
        torch.tensor(x), torch.tensor(target), torch.tensor(weight), reduction=reduction,
        ignore_index=-(1 << 40) if ignored is None else ignored).numpy()
    assert np.allclose(result, check, rtol=1e-9, atol=1e-9, equal_nan=True)
    return result


def some(shape, step, scale=8):
    return ((np.arange(math.prod(shape)) * step % 61) - 30).reshape(shape) / scale


def inputs(shape, ignored, t_kind):
    places = (shape[0],) + shape[2:]
    target = np.arange(math.prod(places)).reshape(places) * 5 % shape[1]
    if ignored is not None:
        target = np.where(np.arange(target.size).reshape(places) % 3 == 1, ignored, target)
    return target.astype(np.int64)


def node(op, weight, ignored, reduction):
    attrs = ([f"ignore_index = {ignored}"] if ignored is not None else []) + \
        ([f'reduction = "{reduction}"'] if reduction != "mean" else [])
    return f"{op} {'<' + ', '.join(attrs) + '> ' if attrs else ''}(X, T{', W' if weight else ''})"


def add(f, op, since, kind, shape, weighted, ignored, reduction, t_kind="int64", log_prob=False,
        title=""):
    x = round_to(kind, some(shape, 37))
    target = inputs(shape, ignored, t_kind)
    weight = round_to(kind, np.arange(1, shape[1] + 1) / 8.0 % 3) if weighted else None
    scores = log_softmax(x) if op[0] == "S" else x
    y = nll(scores, target, weight, ignored, reduction)
    given = {"X": (kind, x), "T": (t_kind, target)}
    if weighted:
        given["W"] = (kind, weight)
    exact = op[0] == "N" and reduction != "mean"
    f.add(f"{op}-{since} {kind}{list(shape)}, {reduction}, weight {weighted}, ignored {ignored}"
          + title, since, node(op, weighted, ignored, reduction), given,
          (kind, round_to(kind, y.reshape(-1)).reshape(y.shape)),
          () if exact else (f"tolerance rtol {4 * UNIT[kind]:.3g} atol 1e-14",))
    if log_prob:
        lines = f.cases[-1][1]
        dims = ",".join(map(str, shape))
        lines[1] = lines[1].replace(" Y) { Y =", f" Y, {kind}[{dims}] L) {{ Y, L =")
        f.cases[-1] = (f.cases[-1][0] + ", log_prob", lines + [
            f"--- L = {literal(kind, round_to(kind, scores.reshape(-1)).reshape(shape))}"])




def family(f, op, versions):
    for shape in SHAPES[:-1]:
        for reduction in REDUCTIONS:
            for weighted in (False, True):
                for ignored in (None, 0, -1, 63):
                    add(f, op, versions[0][0], "float", shape, weighted, ignored, reduction,
                        log_prob=op[0] == "S" and ignored == 0)
    add(f, op, versions[0][0], "float", SHAPES[-1], True, 2, "mean")
    for since, kinds in versions:
        for kind in kinds:
            for t_kind in ("int32", "int64"):
                add(f, op, since, kind, (2, 3, 4), True, 1, "none", t_kind,
                    log_prob=op[0] == "S", title=f", {t_kind}")
            add(f, op, since, kind, (2, 3, 4), False, None, "mean")
    result = "double[n] Y"
    x, t, w = np.ones((2, 3, 4)), np.ones((2, 4)), np.ones(3)
    add(f, op, versions[0][0], "double", (0, 3), True, None, "none")
    add(f, op, versions[0][0], "double", (0, 3), True, None, "mean")
    add(f, op, versions[0][0], "double", (2, 3, 0), True, None, "sum")

    def wrong(title, status, part, x=x, t=t, w=w, attrs="", kinds=("double", "int64", "double")):
        fails(f, title, versions[0][0], f"{op} {attrs}(X, T, W)",
              {"X": (kinds[0], x), "T": (kinds[1], t), "W": (kinds[2], w)}, status, part, result)

    # What the standard calls the three inputs.
    scores, classes, weights = ("input", "target", "weight") if op[0] == "N" else ("scores", "labels", "weights")
    wrong("rank 1", "SHAPE", f"input 0 '{scores}' is [3], expected rank 2 or more", x=np.ones(3))
    wrong("other targets", "SHAPE", f"input 1 '{classes}' is [2,3], expected [2,4]", t=np.ones((2, 3)))
    wrong("targets with the classes", "SHAPE", f"input 1 '{classes}' is [2,3,4], expected [2,4]", t=np.ones((2, 3, 4)))
    wrong("other weights", "SHAPE", f"input 2 '{weights}' is [4], expected [3]", w=np.ones(4))
    wrong("a class past the end", "VALUE", "input 1 has 3 in sample 0, expected a class in [0, 2]",
          t=ints(np.full((2, 4), 3)))
    wrong("a negative class", "VALUE", "input 1 has -1 in sample 0", t=ints(np.full((2, 4), -1)))
    wrong("another one is ignored", "VALUE", "input 1 has 3", t=ints(np.full((2, 4), 3)),
          attrs="<ignore_index = -1> ")
    wrong("no such reduction", "VALUE", "'reduction'", attrs='<reduction = "max"> ')
    wrong("targets are integers", "TYPE", "float", kinds=("double", "float", "double"))
    wrong("weights of another type", "TYPE", "float", kinds=("double", "int64", "float"))


def main():
    with File("loss/nll.onnxtxt", "By tests/oracle/losses.py.") as f:
        family(f, "NegativeLogLikelihoodLoss", [(22, FLOATS), (13, IEEE), (12, IEEE)])
    with File("loss/softmax.onnxtxt", "By tests/oracle/losses.py.") as f:
        family(f, "SoftmaxCrossEntropyLoss", [(13, FLOATS), (12, IEEE)])


main()
