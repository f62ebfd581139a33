#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vision_decoders.py - cases of the decoders of the YOLO family in functions/vision, each by its network's description in NumPy;
what overlaps is dropped by torchvision's nms:

    python3 tests/oracle/vision_decoders.py
"""
import numpy as np
import torch
import torchvision

from vision_case import case, vision_file

F = np.float32
SCRIPT = "vision_decoders.py"
PHOTO, FIT = np.array([300, 400]), np.array([0.5, 0.5, 0, 10], F)  # 400 x 300 in 200 x 170, centred
NONE = {"boxes": np.zeros((0, 4)), "scores": np.zeros(0), "labels": np.zeros(0, np.int64)}
NEAR = {"rtol": 1e-6, "atol": 1e-5}


def suppress(boxes, confidence, score=0.25, overlap=0.45, most=300, multi_label=0):
    """Index, score and label of what is kept."""
    found = []
    for label in range(confidence.shape[1]):
        s = confidence[:, label]
        with np.errstate(invalid="ignore"):
            taken = s > F(score)
        if not multi_label:
            taken &= np.where(np.isnan(confidence), -np.inf, confidence).argmax(1) == label
        rows = np.flatnonzero(taken)
        rows = rows[np.argsort(-s[rows], kind="stable")]
        kept = torchvision.ops.nms(torch.tensor(boxes[rows]), torch.arange(len(rows), 0, -1, dtype=torch.float32),
                                   float(F(overlap)))
        found += [(-s[i], label, i) for i in rows[kept.numpy()]]
    found = sorted(found)[:most]
    return (np.array([i for _, _, i in found], np.int64), np.array([-s for s, _, _ in found], F),
            np.array([label for _, label, _ in found], np.int64))


def corners(centred):
    centre, half = centred[:, :2], centred[:, 2:4] / F(2)
    return np.concatenate([centre - half, centre + half], 1)


def to_photograph(boxes, photo=PHOTO, fit=FIT):
    sides = np.array([photo[1], photo[0], photo[1], photo[0]], F)
    moved = (boxes - np.tile(fit[2:], 2)) / np.tile(fit[:2], 2)
    return np.clip(moved, F(0), sides)


def answer(boxes, confidence, **settings):
    """What Suppress and ToPhotograph make of boxes in pixels of the input; and what is kept."""
    index, scores, labels = suppress(boxes, confidence, **settings)
    return {"boxes": to_photograph(boxes[index]), "scores": scores, "labels": labels}, index


def attributes(settings):
    return ", ".join(f"{k}: {'float' if isinstance(v, float) else 'int'} = {v}" for k, v in settings.items())


def grouped(rng, n, labels, above=0.4):
    """Centred boxes in eighths of pixels, in groups that overlap, and scores in 256ths, without ties."""
    centre = rng.uniform(20, 180, (max(n // 4, 1), 2))[rng.integers(0, max(n // 4, 1), n)] + rng.uniform(-8, 8, (n, 2))
    centred = np.concatenate([centre, rng.uniform(10, 60, (n, 2))], 1)
    confidence = rng.permutation(n * labels).reshape(n, labels) / (n * labels) * (rng.random((n, labels)) < above)
    return np.round(centred * 8).astype(F) / 8, np.round(confidence * 4096).astype(F) / 4096


def suppress_cases():
    rng = np.random.default_rng(1)
    with vision_file("suppress", SCRIPT) as f:
        def tried(title, boxes, confidence, **settings):
            index, scores, labels = suppress(boxes, confidence, **settings)
            case(f, title, "Suppress", {"given": boxes, "confidence": confidence},
                 {"index": index, "scores": scores, "labels": labels}, attributes(settings))

        centred, confidence = grouped(rng, 16, 3)
        boxes = corners(centred)
        tried("three labels", boxes, confidence)
        tried("several labels of a box", boxes, confidence, multi_label=1)
        tried("a higher score", boxes, confidence, score=0.75)
        tried("any score", boxes, confidence, score=0.0, multi_label=1, overlap=0.1)
        tried("at most four", boxes, confidence, most=4)
        tried("at most none", boxes, confidence, most=0)
        tried("only what is the same is dropped", boxes, confidence, overlap=1.0)
        tried("one label", boxes, confidence[:, :1])
        tried("no score is enough", boxes, confidence, score=1.0)
        tried("no boxes", boxes[:0], confidence[:0])
        tried("no boxes, several labels", boxes[:0], confidence[:0], multi_label=1)
        same = np.repeat(boxes[:1], 4, 0)
        tried("equal scores of one box", same, np.full((4, 2), 0.5, F))
        tried("equal scores of one box, several labels", same, np.full((4, 2), 0.5, F), multi_label=1)
        apart = boxes[:1] + np.arange(4, dtype=F)[:, None] * 100
        tried("equal scores apart", apart, np.array([[0.5, 0], [0, 0.5], [0.5, 0], [0, 0.5]], F))
        nan = confidence.copy()
        nan[::2, 1] = np.nan
        nan[3] = np.nan
        tried("scores that are no numbers", boxes, nan)
        tried("scores that are no numbers, several labels", boxes, nan, multi_label=1)
        half = np.array([[0, 0, 2, 2], [0, 0, 2, 1], [0, 0, 1, 1]], F)
        tried("an overlap that is the threshold", half, np.array([[0.9], [0.8], [0.7]], F), overlap=0.5)
        tried("a score that is the threshold", half, np.array([[0.5], [0.75], [0.5]], F), score=0.5, overlap=1.0)


def placed_cases():
    boxes = np.array([[20, 30, 100, 90], [-5, 0, 250, 200], [10, 5, 20, 8], [300, 300, 400, 400]], F)
    with vision_file("to_photograph", SCRIPT) as f:
        def tried(title, boxes, photo, fit):
            photo, fit = np.array(photo), np.array(fit, F)
            case(f, title, "ToPhotograph", {"given": boxes, "photo": photo, "fit": fit},
                 {"placed": to_photograph(boxes, photo, fit)})

        tried("centred, borders above and below", boxes, PHOTO, FIT)
        tried("stretched", boxes, [480, 640], [0.25, 0.75, 0, 0])
        tried("cut out of a larger photograph", boxes, [480, 640], [1, 1, -208, -128])
        tried("no boxes", boxes[:0], PHOTO, FIT)


def yolov8_cases():
    rng = np.random.default_rng(2)
    with vision_file("yolov8", SCRIPT) as f:
        def tried(title, centred, confidence, **settings):
            output = np.concatenate([centred, confidence], 1).T[None]
            case(f, title, "Yolov8", {"output": output, "photo": PHOTO, "fit": FIT},
                 answer(corners(centred), confidence, **settings)[0], attributes(settings), **NEAR)

        centred, confidence = grouped(rng, 12, 4)
        tried("four labels", centred, confidence)
        tried("several labels of a box", centred, confidence, multi_label=1, score=0.125)
        tried("other thresholds", centred, confidence, score=0.5, overlap=0.7, most=2)
        tried("one label", centred, confidence[:, 2:3])
        tried("nothing is found", centred, confidence, score=1.0)
        tried("no places", centred[:0], confidence[:0])
        confidence[::3] = np.nan
        tried("scores that are no numbers", centred, confidence)


if __name__ == "__main__":
    suppress_cases()
    placed_cases()
    yolov8_cases()
