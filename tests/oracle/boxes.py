#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""boxes.py - cases of NonMaxSuppression: each box is compared with all that stay, in NumPy's float:

    python3 tests/oracle/boxes.py
"""
import math

import numpy as np

from picked import case, i64, refused
from text_case import File

COMMENT = "Made by tests/oracle/boxes.py."
F = np.float32
np.seterr(all="ignore")


def edges(boxes, center):
    b = np.asarray(boxes, F)
    if center:
        half = b[:, 2:] / F(2)
        return np.concatenate([b[:, :2] - half, b[:, :2] + half], 1)
    x, y = np.sort(b[:, 1::2], 1), np.sort(b[:, 0::2], 1)
    return np.stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1]], 1)


def overlaps(b, kept):
    """The part that box b shares with each of kept, of what both cover."""
    def area(e):
        return (e[..., 2] - e[..., 0]) * (e[..., 3] - e[..., 1])

    low, high = np.maximum(b[:2], kept[:, :2]), np.minimum(b[2:], kept[:, 2:])
    shared = (high[:, 0] - low[:, 0]) * (high[:, 1] - low[:, 1])
    part = shared / (area(b) + area(kept) - shared)
    good = (high > low).all(1) & (shared > 0) & (area(b) > 0) & (area(kept) > 0)
    return np.where(good, part, F(-1))


def suppress(boxes, scores, most, overlap, least, center):
    """Rows of batch, class and box."""
    rows = []
    for n, per_class in enumerate(scores):
        e = edges(boxes[n], center)
        for number, s in enumerate(np.asarray(per_class, F)):
            chosen = [i for i in range(len(s)) if (s[i] > F(least) if least is not None else s[i] == s[i])]
            kept = []
            for i in sorted(chosen, key=lambda i, s=s: -s[i]):
                if len(kept) < most and not (overlaps(e[i], e[kept]) > F(overlap)).any():
                    kept.append(i)
            rows += [[n, number, i] for i in kept]
    return np.array(rows, np.int64).reshape(-1, 3)


def tried(f, title, boxes, scores, most=10**6, overlap=0.5, least=None, center=0, opset=11, scalar=False,
          **more):
    boxes, scores = np.asarray(boxes, F), np.asarray(scores, F)
    boxes, scores = boxes.reshape(-1, *boxes.shape[-2:]), scores.reshape(len(boxes), -1, boxes.shape[-2]) \
        if boxes.ndim == 3 else scores.reshape(1, -1, boxes.shape[-2])
    wrap = (lambda v: np.array(v)) if scalar else (lambda v: np.array([v]))
    inputs = {"B": ("float", boxes), "S": ("float", scores), "M": ("int64", wrap(most)),
              "O": ("float", wrap(overlap))}
    if least is not None:
        inputs["L"] = ("float", wrap(least))
    y = suppress(boxes, scores, max(most, 0), overlap, least, center)
    case(f, title, opset, f"NonMaxSuppression <center_point_box = {center}> ({', '.join(inputs)})", inputs,
         {"Y": ("int64", y)}, declared=False, **more)


def random_boxes(seed, n, low, high, size, center=False):
    rng = np.random.default_rng(seed)
    at, sides = rng.uniform(0, size, (n, 2)), np.exp(rng.uniform(np.log(low), np.log(high), (n, 2)))
    boxes = np.concatenate([at, sides] if center else [at - sides / 2, at + sides / 2], 1)
    return np.round(boxes * 8) / 8, rng.permutation(n)


def small():
    row = [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1],
           [0, 100, 1, 101]]
    score = [0.9, 0.75, 0.6, 0.95, 0.5, 0.3]
    with File("non_max_suppression/numpy.onnxtxt", COMMENT) as f:
        for opset in (10, 11):
            for scalar in (False, True):
                tried(f, "a row of boxes", row, score, opset=opset, scalar=scalar)
                tried(f, "scores", row, score, least=0.4, opset=opset, scalar=scalar)
        for most in (0, 1, 2, -1, 2**63 - 1, -(2**63)):
            tried(f, f"at most {most}", row, score, most)
        for overlap in (0, 0.1, 0.8, 0.82, 0.99, 1):
            tried(f, f"overlap {overlap}", row, score, overlap=overlap)
        tried(f, "other corners", [[y2, x1, y1, x2] for y1, x1, y2, x2 in row], score)
        tried(f, "corners the other way", [[y2, x2, y1, x1] for y1, x1, y2, x2 in row], score)
        tried(f, "centres", [[x + 0.5, 0.5, 1, 1] for _, x, _, _ in row], score, center=1)
        tried(f, "negative sides", [[5, 5, -2, -2], [5, 5, 2, 2], [5, 5, 2, -2]], [3, 2, 1], overlap=0,
              center=1)
        tried(f, "equal scores", [row[0]] * 3 + [row[3]] * 2, [0.5] * 5)
        tried(f, "equal scores apart", [[i * 2, 0, i * 2 + 1, 1] for i in range(6)], [1, 2, 1, 2, -0.0, 0])
        tried(f, "an overlap that is the threshold", [[0, 0, 1, 2], [0, 0, 1, 1]], [2, 1], overlap=0.5)
        tried(f, "a score that is the threshold", row, score, least=F(0.3))
        tried(f, "no score is enough", row, score, least=1)
        tried(f, "boxes that touch", [[0, 0, 1, 1], [1, 0, 2, 1], [0, 1, 1, 2]], [3, 2, 1], overlap=0)
        tried(f, "lines and points", [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [-1, -1, 1, 1]],
              [4, 3, 2, 1], overlap=0)
        nan, inf = math.nan, math.inf
        tried(f, "scores that are no numbers", row, [nan, 1, nan, inf, -inf, 0])
        tried(f, "scores that are no numbers, with a threshold", row, [nan, 1, nan, inf, -inf, 0], least=-5)
        tried(f, "boxes that are no numbers", [[nan, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, nan], [0, 0, 1, 1],
                                               [-inf, -inf, inf, inf], [0, 0, inf, 1], [3e38, 3e38, -3e38,
                                                                                        -3e38]],
              [7, 6, 5, 4, 3, 2, 1], overlap=0)
        tried(f, "two batches, three classes", [row, row[::-1]],
              [[score, score[::-1], [0.5] * 6], [score[::-1], score, [0, 1, 0, 1, 0, 1]]], 2, 0.5, 0.2)
        apart = [[0, 2 * i, 1, 2 * i + 1] for i in range(6)]
        tried(f, "two batches of other boxes", [row, apart, row], [[score], [score], [score]])
        for shape in ((1, 2, 0), (1, 0, 3), (0, 2, 3)):
            n, _, k = shape
            tried(f, f"scores {list(shape)}", np.zeros((n, k, 4)), np.zeros(shape)) if 0 not in (n, k) else \
                case(f, f"scores {list(shape)}", 11, "NonMaxSuppression (B, S, M)",
                     {"B": ("float", np.zeros((n, k, 4))), "S": ("float", np.zeros(shape)), "M": i64(5)},
                     {"Y": ("int64", np.zeros((0, 3)))})
        inputs = {"B": ("float", np.array([row])), "S": ("float", np.array([[score]]))}
        case(f, "no number of boxes means none", 11, "NonMaxSuppression (B, S)", inputs,
             {"Y": ("int64", np.zeros((0, 3)))})
        case(f, "without thresholds", 11, "NonMaxSuppression (B, S, M)", {**inputs, "M": i64(6)},
             {"Y": ("int64", suppress([row], [[score]], 6, 0, None, 0))})


def many():
    """So many boxes stay that they are sorted into cells."""
    with File("non_max_suppression/many.onnxtxt", COMMENT) as f:
        for seed, overlap in enumerate((0, 0.05, 0.3, 0.5, 0.75, 0.95, 1)):
            boxes, score = random_boxes(seed, 1300, 1, 40, 1500 if overlap < 0.5 else 300)
            tried(f, f"overlap {overlap}", boxes, score, overlap=overlap)
        boxes, score = random_boxes(10, 1200, 2, 3, 60, True)
        tried(f, "of one size", boxes, score, overlap=0.7, center=1)
        boxes, score = random_boxes(11, 1200, 0.5, 2000, 2000)
        tried(f, "of all sizes", boxes, score, overlap=0.2)
        at, score = np.arange(1200), np.arange(1200)[::-1] % 400
        boxes = np.stack([0 * at, at * 0.25, 0 * at + 1, at * 0.25 + 1], 1)
        tried(f, "a long row", boxes, score, overlap=0.5)
        tried(f, "a long row, far away", boxes + 2.0**20, score, overlap=0.6)
        # Of the last three boxes one is so small that it is in no cell.
        for order in ((0, 1, 2), (1, 0, 2)):
            apart = np.stack([0 * at, at * 2, 0 * at + 1, at * 2 + 1], 1).astype(float)
            apart[-3:] = np.array([[0, 1.5, 2.0**-90, 1.5 + 2.0**-23], [0, 1.25, 1, 1.75],
                                   [0, 1.875, 1, 1.9]])[list(order)]
            tried(f, f"a very small box, order {order}", apart, np.arange(1200)[::-1], overlap=0)
        # Areas near the least floats, and centres whose cells would have too great numbers.
        boxes[::3] *= 2.0**-58
        boxes[1::3, 1::2] += 2.0**33 * (boxes[1::3, 1:2] > 100)
        tried(f, "very small and far", boxes, score, overlap=0.4)
        tried(f, "very small and far, none overlap", boxes, score, overlap=0)


def errors():
    with File("non_max_suppression/errors.onnxtxt", COMMENT) as f:
        def wrong(title, code, message, boxes=(1, 3, 4), scores=(1, 1, 3), most=(1,), overlap=(0.5,),
                  least=(0.0,), center=0):
            refused(f, title, 11, f"NonMaxSuppression <center_point_box = {center}> (B, S, M, O, L)",
                    {"B": ("float", np.zeros(boxes)), "S": ("float", np.zeros(scores)),
                     "M": i64(*most), "O": ("float", np.array(overlap)), "L": ("float", np.array(least))},
                    code, message, kind="int64")

        wrong("boxes of five numbers", "SHAPE", "input 0 'boxes' is [1,3,5], expected [?,?,4]", (1, 3, 5))
        wrong("boxes without a batch", "SHAPE", "input 0 'boxes' is [3,4], expected [?,?,4]", (3, 4))
        wrong("scores of other boxes", "SHAPE",
              "input 1 'scores' is [1,1,4], expected [1,?,3], the batches and boxes of input 0",
              scores=(1, 1, 4))
        wrong("two numbers of boxes", "SHAPE", "input 2 has 2 elements, expected one", most=(1, 2))
        wrong("two overlaps", "SHAPE", "input 3 'iou_threshold' is [2], expected one element",
              overlap=(0.5, 0.5))
        wrong("a matrix of overlaps", "SHAPE", "input 3 'iou_threshold' is [1,1], expected rank 0 or 1",
              overlap=((0.5,),))
        wrong("two thresholds of scores", "SHAPE",
              "input 4 'score_threshold' is [2], expected one element", least=(0.5, 0.5))
        for bad, text in ((1.5, "1.5"), (-0.5, "-0.5"), (math.nan, "nan")):
            wrong(f"overlap {text}", "VALUE", f"iou_threshold is {text}, expected 0 to 1", overlap=(bad,))
        wrong("center_point_box 2", "VALUE", "attribute 'center_point_box' is 2, expected 0 or 1", center=2)


if __name__ == "__main__":
    small()
    many()
    errors()
