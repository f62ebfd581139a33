#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vision_queries.py - cases of the decoders in functions/vision of networks that need no suppression, or have done it: the DETR
family and exports from end to end, each by its network's description in NumPy:

    python3 tests/oracle/vision_queries.py
"""
import numpy as np

from vision_case import case, vision_file
from vision_decoders import (FIT, NEAR, PHOTO, F, answer, attributes, corners, frames, grouped, masks, points, rotated_corners,
                             sigmoid, to_photograph, tried)

SCRIPT = "vision_queries.py"
SIZE = np.array([170, 200])


def best(scores, labels, boxes, score, most=300):
    """The objects above the score, the greatest first, and which they are."""
    rows = np.array([i for i in np.argsort(-np.asarray(scores), kind="stable") if scores[i] > score][:most], int)
    return {"boxes": to_photograph(boxes[rows]), "scores": scores[rows], "labels": np.asarray(labels, np.int64)[rows]}, rows


def rounded(x, part):
    return np.round(np.asarray(x) * part).astype(F) / part


def ends(rng, n, n_labels=3, above=0.7):
    """Boxes, scores and labels as columns; the last rows are zeros."""
    centred, _ = grouped(rng, n, 1)
    scores = rounded(rng.permutation(n) / n * (rng.random(n) < above), 1024)
    labels = rng.integers(0, n_labels, n).astype(F)
    rows = np.concatenate([corners(centred), scores[:, None], labels[:, None]], 1)
    rows[n - 2:] = 0
    return rows


def end_cases():
    rng = np.random.default_rng(20)
    with vision_file("end_to_end", SCRIPT) as f:
        for title, n, settings in (("rows of objects", 9, {}), ("at most two", 9, {"most": 2, "score": 0.125}),
                                   ("nothing is found", 9, {"score": 1.0}), ("no rows", 0, {})):
            rows = ends(rng, n) if n else np.zeros((0, 6), F)
            score, most = settings.get("score", 0.25), settings.get("most", 300)
            found, at = best(rows[:, 4], rows[:, 5], rows[:, :4], score, most)
            tried(f, title, "EndToEnd", rows[None], found, settings)
            seven = np.concatenate([np.zeros((n, 1), F), rows[:, :4], rows[:, 5:], rows[:, 4:5]], 1)
            tried(f, f"{title}, YOLOv7", "Yolov7EndToEnd", seven, found, settings)
            prototypes = rounded(rng.normal(0, 1, (1, 3, 2, 4)), 16)
            coefficients = rounded(rng.normal(0, 1, (n, 3)), 16)
            tried(f, f"{title}, masks", "EndToEndSegment", np.concatenate([rows, coefficients], 1)[None],
                  {**found, "masks": masks(coefficients[at], prototypes[0])}, settings, {"prototypes": prototypes})
            for dims in (2, 3):
                numbers = rounded(rng.uniform(0, 200, (n, 2 * dims)), 8)
                tried(f, f"{title}, points of {dims} numbers", "EndToEndPose",
                      np.concatenate([rows, numbers], 1)[None], {**found, "points": points(numbers[at], dims)},
                      {**settings, "dims": dims})
            angle = rounded(rng.uniform(-1, 2, (n, 1)), 64)
            turned = np.concatenate([np.abs(rows[:, :4]), angle], 1)
            placed = rotated_corners(turned[at])
            tried(f, f"{title}, rotated", "EndToEndRotated",
                  np.concatenate([turned[:, :4], rows[:, 4:], angle], 1)[None],
                  {**found, "boxes": frames(placed), "corners": placed}, settings)
        rows = ends(rng, 5)
        rows[:, 4] = [np.nan, 0.5, np.nan, 0.75, 0.5]
        found, _ = best(rows[:, 4], rows[:, 5], rows[:, :4], 0.25)
        tried(f, "equal scores, and some that are no numbers", "EndToEnd", rows[None], found)
        found, _ = best(rows[:, 4], rows[:, 5], rows[:, :4], 0.5)
        tried(f, "scores that are the threshold", "EndToEnd", rows[None], found, {"score": 0.5})


def queries(rng, n):
    """Boxes as parts of the input, and in pixels by their corners."""
    parts = rounded(np.concatenate([rng.uniform(0.1, 0.9, (n, 2)), rng.uniform(0.05, 0.5, (n, 2))], 1), 256)
    return parts, corners(parts * np.array([200, 170, 200, 170], F))


def detr_cases():
    rng = np.random.default_rng(21)
    with vision_file("detr", SCRIPT) as f:
        for title, n, settings in (("three labels and none", 7, {}), ("at most one", 7, {"most": 1, "score": 0.25}),
                                   ("nothing is found", 7, {"score": 1.0}), ("no queries", 0, {})):
            parts, boxes = queries(rng, n)
            logits = rounded(rng.normal(0, 2, (n, 4)), 16)
            logits[:1, 2] = 6
            e = np.exp(logits.astype(np.float64))
            probability = (e / e.sum(1, keepdims=True))[:, :3]
            found, _ = best(probability.max(1), probability.argmax(1), boxes, settings.get("score", 0.5),
                            settings.get("most", 300))
            case(f, title, "Detr", {"logits": logits[None], "centred": parts[None], "size": SIZE, "photo": PHOTO, "fit": FIT},
                 found, attributes(settings), **NEAR)


def rf_detr_cases():
    rng = np.random.default_rng(22)
    with vision_file("rf_detr", SCRIPT) as f:
        for title, n, settings in (("three labels", 7, {}), ("at most two", 7, {"most": 2, "score": 0.25}),
                                   ("nothing is found", 7, {"score": 1.0}), ("no queries", 0, {})):
            parts, boxes = queries(rng, n)
            logits = rounded(rng.normal(-0.5, 2, (n, 3)), 64)
            logits[:1] = 0
            flat = sigmoid(logits).ravel()
            score = settings.get("score", 0.5)
            found, at = best(flat, np.arange(3 * n) % 3, np.repeat(boxes, 3, 0), score, settings.get("most", 300))
            inputs = {"logits": logits[None], "centred": parts[None]}
            placed = {"size": SIZE, "photo": PHOTO, "fit": FIT}
            case(f, title, "RfDetr", {**inputs, **placed}, found, attributes(settings), **NEAR)
            drawn = rounded(rng.normal(0, 2, (n, 2, 3)), 16)
            case(f, f"{title}, masks", "RfDetrSegment", {**inputs, "drawn": drawn[None], **placed},
                 {**found, "masks": sigmoid(drawn[at // 3])}, attributes(settings), **NEAR)


def rt_detr_cases():
    rng = np.random.default_rng(23)
    with vision_file("rt_detr", SCRIPT) as f:
        for title, n, settings in (("labels, boxes, scores", 7, {}), ("at most two", 7, {"most": 2, "score": 0.125}),
                                   ("nothing is found", 7, {"score": 1.0}), ("no queries", 0, {})):
            rows = ends(rng, n) if n else np.zeros((0, 6), F)
            found, _ = best(rows[:, 4], rows[:, 5], rows[:, :4], settings.get("score", 0.5), settings.get("most", 300))
            case(f, title, "RtDetr", {"marks": rows[None, :, 5].astype(np.int64), "given": rows[None, :, :4],
                                      "confidence": rows[None, :, 4], "photo": PHOTO, "fit": FIT},
                 found, attributes(settings), **NEAR)
            parts, boxes = queries(rng, n)
            scores = rounded(rng.permutation(n * 3).reshape(n, 3) / max(n * 3, 1), 1024)
            found, _ = best(scores.max(1) if n else scores[:, 0], scores.argmax(1) if n else [], boxes,
                            settings.get("score", 0.5), settings.get("most", 300))
            tried(f, f"{title}, of ultralytics", "UltralyticsDetr", np.concatenate([parts, scores], 1)[None], found,
                  settings, size=SIZE)


def given_cases():
    rng = np.random.default_rng(24)
    with vision_file("boxes_and_scores", SCRIPT) as f:
        for title, n, settings in (("in pixels", 10, {}), ("several labels", 10, {"multi_label": 1, "score": 0.125}),
                                   ("nothing is found", 10, {"score": 1.0}), ("no places", 0, {})):
            centred, confidence = grouped(rng, n, 3)
            boxes = corners(centred)
            found, _ = answer(boxes, confidence, **settings)
            placed = {"size": SIZE, "photo": PHOTO, "fit": FIT}
            case(f, title, "BoxesAndScores", {"given": boxes[None], "confidence": confidence[None], **placed}, found,
                 attributes(settings), **NEAR)
            parts = boxes / np.array([200, 170, 200, 170], F)
            case(f, f"{title}, as parts", "BoxesAndScores",
                 {"given": parts[None, :, None], "confidence": confidence[None], **placed}, found,
                 attributes({**settings, "relative": 1}), **NEAR)


def yolov3_cases():
    rng = np.random.default_rng(25)
    with vision_file("yolov3", SCRIPT) as f:
        boxes = rounded(rng.uniform(-20, 420, (6, 4)), 8)
        confidence = rounded(rng.random((2, 6)), 256)
        sides = np.array([PHOTO[0], PHOTO[1]] * 2, F)
        for title, selected, score, most in (("four objects", [[0, 0, 3], [0, 1, 5], [0, 1, 0], [0, 0, 1]], 0.125, 300),
                                             ("a score that is the threshold", [[0, 0, 3], [0, 1, 5]],
                                              float(confidence[0, 3]), 300),
                                             ("at most one", [[0, 1, 3], [0, 0, 2]], 0.0, 1), ("none", [], 0.25, 300)):
            selected = np.array(selected, np.int64).reshape(-1, 3)
            rows = sorted((-confidence[c, i], n) for n, (_, c, i) in enumerate(selected) if confidence[c, i] > score)[:most]
            kept = selected[[n for _, n in rows]]
            found = {"boxes": np.clip(boxes[kept[:, 2]], 0, sides)[:, [1, 0, 3, 2]], "scores": [-s for s, _ in rows],
                     "labels": kept[:, 1]}
            for batch in (False, True):
                case(f, title + (", tiny" if batch else ""), "Yolov3",
                     {"given": boxes[None], "confidence": confidence[None],
                      "selected": selected[None] if batch else selected, "photo": PHOTO}, found,
                     f"score: float = {score}, most: int = {most}", **NEAR)


if __name__ == "__main__":
    end_cases()
    detr_cases()
    rf_detr_cases()
    rt_detr_cases()
    given_cases()
    yolov3_cases()
