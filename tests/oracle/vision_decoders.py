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
PHOTO, FIT = np.array([300, 400]), np.array([0.5, 0.75, 4, 10], F)
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

        tried("borders above and at the left", boxes, PHOTO, FIT)
        tried("stretched", boxes, [480, 640], [0.25, 0.75, 0, 0])
        tried("cut out of a larger photograph", boxes, [480, 640], [1, 1, -208, -128])
        tried("no boxes", boxes[:0], PHOTO, FIT)


def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def masks(coefficients, prototypes):
    return sigmoid(np.einsum("np,phw->nhw", coefficients.astype(np.float64), prototypes.astype(np.float64)))


def points(numbers, dims, fit=FIT):
    """x and y of each point in the photograph, and its confidence."""
    p = numbers.reshape(len(numbers), numbers.shape[1] // dims, dims)
    confidence = p[:, :, 2:] if dims == 3 else np.ones((*p.shape[:2], 1), F)
    return np.concatenate([(p[:, :, :2] - fit[2:]) / fit[:2], confidence], 2)


def rotated_corners(rotated, fit=FIT):
    """Each box's corners, turned about its centre, in the photograph."""
    unit = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
    found = []
    for x, y, w, h, angle in rotated.astype(np.float64):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        found.append(((unit * [w / 2, h / 2]) @ turn + [x, y] - fit[2:]) / fit[:2])
    return np.array(found).reshape(-1, 4, 2)


def frames(placed, photo=PHOTO):
    return np.clip(np.concatenate([placed.min(1), placed.max(1)], 1), 0, [photo[1], photo[0]] * 2)


def probiou(p, q):
    """1 less the Hellinger distance of the normal distributions of two rotated boxes."""
    def normal(box):
        x, y, w, h, angle = box.astype(np.float64)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.array([x, y]), turn @ np.diag([w * w / 12, h * h / 12]) @ turn.T

    (m1, s1), (m2, s2) = normal(p), normal(q)
    mean = (s1 + s2) / 2
    bhattacharyya = (m1 - m2) @ np.linalg.inv(mean) @ (m1 - m2) / 8 + \
        np.log(np.linalg.det(mean) / np.sqrt(np.linalg.det(s1) * np.linalg.det(s2))) / 2
    return 1 - np.sqrt(max(1 - np.exp(-bhattacharyya), 0))


def suppress_rotated(rotated, confidence, score=0.25, overlap=0.45, most=300):
    best, label = confidence.max(1), confidence.argmax(1)
    rows = [i for i in np.argsort(-best, kind="stable") if best[i] > F(score)]
    kept = [i for n, i in enumerate(rows)
            if not any(label[i] == label[j] and probiou(rotated[j], rotated[i]) >= overlap for j in rows[:n])][:most]
    return kept, best[kept], label[kept].astype(np.int64)


def columns(*parts):
    """An output whose columns are places."""
    return np.concatenate(parts, 1).T[None]


def tried(f, title, function, output, outputs, settings=None, more=None, size=None):
    """A case of a decoder: its first output, others, and the photograph."""
    inputs = {"output": output, **(more or {}), **({"size": size} if size is not None else {}),
              "photo": PHOTO, "fit": FIT}
    case(f, title, function, inputs, outputs, attributes(settings or {}), **NEAR)


NEWER = {"overlap": 0.7}  # of YOLOv8 and those after it, as ultralytics predicts by default; before it was 0.45


def yolov8_cases():
    rng = np.random.default_rng(2)
    with vision_file("yolov8", SCRIPT) as f:
        def detected(title, centred, confidence, **settings):
            tried(f, title, "Yolov8", columns(centred, confidence),
                  answer(corners(centred), confidence, **{**NEWER, **settings})[0], settings)

        centred, confidence = grouped(rng, 12, 4)
        detected("four labels", centred, confidence)
        detected("several labels of a box", centred, confidence, multi_label=1, score=0.125)
        detected("other thresholds", centred, confidence, score=0.5, overlap=0.7, most=2)
        detected("one label", centred, confidence[:, 2:3])
        detected("nothing is found", centred, confidence, score=1.0)
        detected("no places", centred[:0], confidence[:0])
        confidence[::3] = np.nan
        detected("scores that are no numbers", centred, confidence)


def segment_cases():
    rng = np.random.default_rng(3)
    prototypes = np.round(rng.normal(0, 1, (1, 3, 4, 5)) * 16).astype(F) / 16
    with vision_file("yolov8_segment", SCRIPT) as f, vision_file("yolov5_segment", SCRIPT) as f5:
        for title, n, settings in (("two labels", 8, {}), ("nothing is found", 8, {"score": 1.0}), ("no places", 0, {}),
                                   ("at most one", 8, {"most": 1})):
            centred, confidence = grouped(rng, n, 2)
            coefficients = np.round(rng.normal(0, 1, (n, 3)) * 16).astype(F) / 16
            older = np.concatenate([centred, np.ones((n, 1), F), confidence, coefficients], 1)[None]
            for to, name, output, default in ((f, "Yolov8Segment", columns(centred, confidence, coefficients), NEWER),
                                              (f5, "Yolov5Segment", older, {})):
                found, index = answer(corners(centred), confidence, **{**default, **settings})
                found["masks"] = masks(coefficients[index], prototypes[0])
                tried(to, title, name, output, found, settings, {"prototypes": prototypes})


def pose_cases():
    rng = np.random.default_rng(4)
    with vision_file("yolov8_pose", SCRIPT) as f:
        for title, n, labels, dims, score in (("three numbers a point", 8, 1, 3, 0.25), ("two numbers", 8, 2, 2, 0.25),
                                              ("nothing is found", 8, 1, 3, 1.0), ("no places", 0, 1, 2, 0.25)):
            centred, confidence = grouped(rng, n, labels)
            numbers = np.round(rng.uniform(0, 200, (n, 4 * dims)) * 8).astype(F) / 8
            found, index = answer(corners(centred), confidence, score=score, **NEWER)
            found["points"] = points(numbers[index], dims)
            tried(f, title, "Yolov8Pose", columns(centred, confidence, numbers), found,
                  {"score": score, "points": 4, "dims": dims})


def rotated_cases():
    rng = np.random.default_rng(5)
    with vision_file("yolov8_rotated", SCRIPT) as f:
        for title, n, settings in (("three labels", 24, {}), ("other thresholds", 24, {"score": 0.5, "overlap": 0.2}),
                                   ("at most two", 24, {"most": 2}), ("nothing is found", 24, {"score": 1.0}),
                                   ("no places", 0, {})):
            centred, confidence = grouped(rng, n, 3)
            angle = np.round(rng.uniform(-0.8, 2.3, (n, 1)) * 64).astype(F) / 64
            rotated = np.concatenate([centred, angle], 1)
            index, scores, labels = suppress_rotated(rotated, confidence, **{**NEWER, **settings}) if n else ([], [], [])
            placed = rotated_corners(rotated[index])
            tried(f, title, "Yolov8Rotated", columns(centred, confidence, angle),
                  {"boxes": frames(placed), "scores": scores, "labels": np.array(labels, np.int64), "corners": placed},
                  settings)


def suppress_rotated_cases():
    rng = np.random.default_rng(9)
    with vision_file("suppress_rotated", SCRIPT) as f:
        centred = np.concatenate([rng.uniform(60, 100, (40, 2)), rng.uniform(10, 60, (40, 2))], 1)
        rotated = np.round(np.concatenate([centred, rng.uniform(-0.8, 2.3, (40, 1))], 1) * 64).astype(F) / 64
        confidence = (rng.permutation(40)[:, None] + F(1)) / F(40)
        for overlap in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
            index, scores, labels = suppress_rotated(rotated, confidence, 0.0, overlap)
            case(f, f"overlap {overlap}", "SuppressRotated", {"rotated": rotated, "confidence": confidence},
                 {"index": index, "scores": scores, "labels": labels}, attributes({"score": 0.0, "overlap": overlap}))
        confidence = np.concatenate([np.full((40, 1), np.nan), confidence, np.full((40, 1), 0.5)], 1).astype(F)
        index, scores, labels = suppress_rotated(rotated, np.nan_to_num(confidence), 0.5, 0.2)
        case(f, "a label without numbers, and scores that are the threshold", "SuppressRotated",
             {"rotated": rotated, "confidence": confidence}, {"index": index, "scores": scores, "labels": labels},
             attributes({"score": 0.5, "overlap": 0.2}))


def yolov5_cases():
    rng = np.random.default_rng(6)
    with vision_file("yolov5", SCRIPT) as f:
        for title, n, settings in (("three labels", 12, {}), ("several labels", 12, {"multi_label": 1, "score": 0.125}),
                                   ("nothing is found", 12, {"score": 1.0}), ("no places", 0, {})):
            centred, probability = grouped(rng, n, 3, 0.7)
            objectness = np.round(rng.uniform(0.3, 1, (n, 1)) * 64).astype(F) / 64
            output = np.concatenate([centred, objectness, probability], 1)[None]
            tried(f, title, "Yolov5", output, answer(corners(centred), probability * objectness, **settings)[0],
                  settings)


def cells(size, strides):
    """x, y and stride of every cell of the grids."""
    return np.array([[x * s, y * s, s] for s in strides for y in range(-(-size[0] // s)) for x in range(-(-size[1] // s))],
                    F).reshape(-1, 3)


def yolox_cases():
    rng = np.random.default_rng(7)
    with vision_file("yolox", SCRIPT) as f:
        for title, size, settings, strides in (("three grids", (32, 64), {}, (8, 16, 32)),
                                               ("nothing is found", (32, 32), {"score": 1.0}, (8, 16, 32)),
                                               ("other strides", (32, 64), {"most": 3}, (16, 32))):
            grid = cells(size, strides)
            raw = np.round(rng.uniform(-1, 1, (len(grid), 4)) * 64).astype(F) / 64
            _, probability = grouped(rng, len(grid), 2)
            objectness = np.round(rng.uniform(0.5, 1, (len(grid), 1)) * 64).astype(F) / 64
            centred = np.concatenate([raw[:, :2] * grid[:, 2:] + grid[:, :2], np.exp(raw[:, 2:]) * grid[:, 2:]], 1)
            found, _ = answer(corners(centred), probability * objectness, **settings)
            words = attributes(settings) + (", " if settings else "") + f"strides: ints = {list(strides)}"
            case(f, title, "Yolox", {"output": np.concatenate([raw, objectness, probability], 1)[None],
                                     "size": np.array(size), "photo": PHOTO, "fit": FIT}, found,
                 "" if title == "three grids" else words, **NEAR)


def nanodet_answer(size, strides, confidence, logits, offset, **settings):
    grid = cells(size, strides)
    probability = np.exp(logits) / np.exp(logits).sum(2, keepdims=True)
    away = (probability @ np.arange(logits.shape[2])) * grid[:, 2:]
    at = grid[:, :2] + grid[:, 2:] * offset
    boxes = np.clip(np.concatenate([at - away[:, :2], at + away[:, 2:]], 1), 0, [size[1], size[0]] * 2).astype(F)
    return answer(boxes, confidence, **{"overlap": 0.6, "multi_label": 1, **settings})[0]


def nanodet_cases():
    rng = np.random.default_rng(8)

    def outputs(n):
        _, confidence = grouped(rng, n, 2, 0.3)
        return confidence, np.round(rng.normal(0, 1, (n, 4, 3)) * 16).astype(F) / 16

    with vision_file("nanodet", SCRIPT) as f:
        for title, size, settings, offset in (("four grids, some cut", (40, 64), {}, 0),
                                              ("one label for each cell", (32, 32), {"multi_label": 0}, 0.5),
                                              ("nothing is found", (32, 32), {"score": 1.0}, 0)):
            confidence, logits = outputs(len(cells(size, (8, 16, 32, 64))))
            case(f, title, "NanoDet", {"output": np.concatenate([confidence, logits.reshape(-1, 12)], 1)[None],
                                       "size": np.array(size), "photo": PHOTO, "fit": FIT},
                 nanodet_answer(size, (8, 16, 32, 64), confidence, logits, offset, **settings),
                 attributes({**settings, "bins": 3, "offset": float(offset)}), **NEAR)
        for title, settings in (("an output for each grid", {}), ("nothing is found in three grids", {"score": 1.0})):
            size = (40, 64)
            ends = np.cumsum([len(cells(size, (stride,))) for stride in (8, 16, 32)])
            confidence, logits = outputs(ends[-1])
            parts = {f"{name}_{stride}": part[None] for name, whole in (("cls", confidence), ("dis", logits.reshape(-1, 12)))
                     for stride, part in zip((8, 16, 32), np.split(whole, ends[:-1]))}
            case(f, title, "NanoDetParts", {**parts, "size": np.array(size), "photo": PHOTO, "fit": FIT},
                 nanodet_answer(size, (8, 16, 32), confidence, logits, 0.5, **settings),
                 attributes({**settings, "bins": 3}), **NEAR)


if __name__ == "__main__":
    suppress_cases()
    placed_cases()
    yolov8_cases()
    segment_cases()
    pose_cases()
    rotated_cases()
    suppress_rotated_cases()
    yolov5_cases()
    yolox_cases()
    nanodet_cases()
