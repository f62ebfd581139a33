#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vision_lists.py - cases of the decoders of functions/vision whose networks suppress themselves and give lists of objects, by NumPy:

    python3 tests/oracle/vision_lists.py
"""
import numpy as np

from vision_case import case, vision_file
from vision_decoders import attributes, to_photograph
from vision_faces import FIT, PHOTO, drawn, place_points

F = np.float32
SCRIPT = "vision_lists.py"
SIZE = np.array([20, 30])
NEAR = {"rtol": 2e-6, "atol": 2e-5}


def best(scores, score=0.25, most=300):
    """Where the greatest scores are."""
    with np.errstate(invalid="ignore"):
        chosen = [i for i in range(len(scores)) if scores[i] > F(score)]
    return np.array(sorted(chosen, key=lambda i: -scores[i])[:most], np.int64)


def listed(boxes, scores, labels, photo, fit, **settings):
    """The answer for boxes in pixels of the input, and which they are."""
    index = best(scores, **settings)
    return {"boxes": to_photograph(boxes[index].astype(F), photo, fit), "scores": scores[index],
            "labels": labels[index].astype(np.int64)}, index


def tf_ssd(boxes, classes, scores, n, size, photo, fit, offset=1, **settings):
    n = int(n[0])
    places = boxes[0][:n, [1, 0, 3, 2]] * np.array([size[1], size[0]] * 2, F)
    return listed(places, scores[0][:n], classes[0][:n] - offset, photo, fit, **settings)[0]


def mm_detection(dets, labels, photo, fit, **settings):
    kept = np.flatnonzero(labels[0] >= 0)
    found, index = listed(dets[0][kept, :4], dets[0][kept, 4], labels[0][kept], photo, fit, **settings)
    return found, kept[index]


def paste(box, mask, size, stride=4):
    """One mask on the input's grid: at each cell's centre the mask's cells around it, by their nearness."""
    left, top, right, bottom = np.asarray(box, np.float64)
    grid = np.zeros([-(-int(side) // stride) for side in size])
    for y, x in np.ndindex(*grid.shape):
        u, v = (x + 0.5) * stride, (y + 0.5) * stride
        if not (left <= u < right and top <= v < bottom):
            continue
        at = [np.clip((w - low) / (high - low) * n - 0.5, 0, n - 1)
              for w, low, high, n in ((v, top, bottom, mask.shape[0]), (u, left, right, mask.shape[1]))]
        begin = [int(a) for a in at]
        for dy in (0, 1):
            for dx in (0, 1):
                share = (1 - abs(begin[0] + dy - at[0])) * (1 - abs(begin[1] + dx - at[1]))
                if share > 0:
                    grid[y, x] += share * mask[begin[0] + dy, begin[1] + dx]
    return grid


def movenet_multi(output, size, photo, fit, **settings):
    rows, sides = output[0], np.array([size[1], size[0]], F)
    found, index = listed(rows[:, [52, 51, 54, 53]] * np.tile(sides, 2), rows[:, 55], np.zeros(len(rows)), photo, fit,
                          **settings)
    spots = rows[index][:, :51].reshape(len(index), 17, 3)
    points = place_points(spots[..., [1, 0]] * sides, fit)
    points[..., 2] = spots[..., 2]
    return {**found, "points": points}


def rows_of(rng, n):
    """Boxes in pixels of the input, and scores without ties."""
    middle, half = drawn(rng, 12, 6, n, 2), np.abs(drawn(rng, 5, 2, n, 2)) + 1
    return np.concatenate([middle - half, middle + half], 1).astype(F), (rng.permutation(n).astype(F) + F(0.5)) / F(n)


def tf_cases():
    rng = np.random.default_rng(7)
    with vision_file("tf_ssd", SCRIPT) as f:
        for title, rows, n, settings in (("all rows", 6, 6, {}), ("three of six rows", 6, 3, {"score": 0.0}),
                                         ("labels of TensorFlow Lite", 6, 5, {"offset": 0, "most": 2}),
                                         ("none", 6, 0, {}), ("no rows", 0, 0, {}), ("no score is enough", 6, 6, {"score": 1.0})):
            places = drawn(rng, 0.5, 0.4, 1, rows, 4)
            classes = (rng.permutation(rows) + 1).astype(F)[None]
            given = rows_of(rng, max(rows, 1))[1][None, :rows]
            inputs = {"places": places, "classes": classes, "given": given, "n": np.array([n], F), "size": SIZE, "photo": PHOTO,
                      "fit": FIT}
            case(f, title, "TfSsd", inputs, tf_ssd(*inputs.values(), **settings), attributes(settings), **NEAR)


def best_cases():
    scores = np.array([0.5, np.nan, 0.25, 0.75, 0.5, 0.9375, -np.inf, np.inf, 0.375], F)
    with vision_file("best", SCRIPT) as f:
        for title, given, settings in (("a list", scores, {}), ("at most three", scores, {"most": 3}),
                                       ("at most none", scores, {"most": 0}), ("no list", scores[:0], {}),
                                       ("only what is no number", scores[1:2], {}), ("none is enough", scores[:6], {"score": 0.9375}),
                                       ("all", scores, {"score": -1.0})):
            index = best(given, **settings)
            case(f, title, "Best", {"given": given}, {"index": index, "scores": given[index]}, attributes(settings))


def mm_cases():
    rng = np.random.default_rng(8)
    rest = {"photo": PHOTO, "fit": FIT}
    with vision_file("mm_detection", SCRIPT) as f:
        boxes, scores = rows_of(rng, 6)
        dets, labels = np.concatenate([boxes, scores[:, None]], 1)[None], np.array([[3, 1, 0, 3, -1, 2]])
        for title, some, settings in (("rows that fill up", dets, {}), ("at most two", dets, {"most": 2, "score": 0.0}),
                                      ("no score is enough", dets, {"score": 1.0}), ("no rows", dets[:, :0], {})):
            n = some.shape[1]
            found, _ = mm_detection(some, labels[:, :n], PHOTO, FIT, **settings)
            case(f, title, "MmDetection", {"dets": some, "classes": labels[:, :n], **rest}, found, attributes(settings), **NEAR)
        whole, crops = drawn(rng, 0.5, 0.2, 1, 6, 4, 5), drawn(rng, 0.5, 0.2, 1, 6, 4, 3)
        for title, settings in (("masks", {}), ("masks of nothing", {"score": 1.0})):
            found, index = mm_detection(dets, labels, PHOTO, FIT, **settings)
            case(f, f"{title} that cover the input", "MmDetectionMasks", {"dets": dets, "classes": labels, "given": whole, **rest},
                 {**found, "masks": whole[0][index]}, attributes(settings), **NEAR)
            masks = np.array([paste(dets[0, i, :4], crops[0, i], SIZE) for i in index]).reshape(len(index), 5, 8)
            case(f, f"{title} that cover their boxes", "MmDetectionCrops",
                 {"dets": dets, "classes": labels, "given": crops, "size": SIZE, **rest}, {**found, "masks": masks},
                 attributes(settings), **NEAR)
        inside = np.array([[0, 0, 30, 20], [-8, -6, 40, 30], [3, 5, 3, 9], [7, 2, 19, 17]], F)
        masks = drawn(rng, 0.5, 0.2, 4, 5, 4)
        for stride in (4, 3):
            wanted = np.array([paste(b, m, SIZE, stride) for b, m in zip(inside, masks)])
            case(f, f"masks on a grid with a stride of {stride}", "PasteMasks", {"given_boxes": inside, "given": masks, "size": SIZE},
                 {"masks": wanted}, attributes({"stride": stride}), **NEAR)


def paddle_cases():
    rng = np.random.default_rng(10)
    boxes, scores = rows_of(rng, 6)
    rows = np.concatenate([np.array([[3, 1, -1, 0, 3, 2]], F).T, scores[:, None], boxes], 1).astype(F)
    with vision_file("paddle_detection", SCRIPT) as f:
        for title, n, settings in (("all rows but one that fills up", 6, {"score": 0.0}), ("three rows count", 3, {}),
                                   ("at most two", 6, {"most": 2, "score": 0.0}), ("no row counts", 0, {})):
            kept = np.flatnonzero(rows[:n, 0] >= 0)
            found, _ = listed(rows[kept, 2:], rows[kept, 1], rows[kept, 0], PHOTO, FIT, **{"score": 0.5, **settings})
            case(f, title, "PaddleDetection", {"rows": rows, "count": np.array([n], np.int32), "photo": PHOTO, "fit": FIT}, found,
                 attributes(settings), **NEAR)


def torchvision_cases():
    rng = np.random.default_rng(9)
    rest = {"photo": PHOTO, "fit": FIT}
    with vision_file("torchvision", SCRIPT) as f:
        places, given = rows_of(rng, 5)
        classes = np.array([1, 17, 1, 90, 3])
        for title, n, settings in (("boxes", 5, {}), ("at most two", 5, {"most": 2}), ("no rows", 0, {}), ("one row", 1, {"score": 0.0})):
            found, index = listed(places[:n], given[:n], classes[:n], PHOTO, FIT, **settings)
            lists = {"places": places[:n], "classes": classes[:n], "given": given[:n]}
            case(f, title, "Torchvision", {**lists, **rest}, found, attributes(settings), **NEAR)
            planes = drawn(rng, 0.5, 0.2, 5, 1, 3, 4)[:n]
            case(f, f"masks, {title}", "TorchvisionMasks", {**lists, "planes": planes, **rest},
                 {**found, "masks": planes[index, 0]}, attributes(settings), **NEAR)
            spots, logits = drawn(rng, 12, 8, 5, 3, 3)[:n], drawn(rng, 0, 3, 5, 3)[:n]
            points = place_points(spots[index][..., :2], FIT)
            points[..., 2] = 1 / (1 + np.exp(-logits[index].astype(np.float64)))
            case(f, f"points, {title}", "TorchvisionPoints", {**lists, "spots": spots, "spot_scores": logits, **rest},
                 {**found, "points": points}, attributes(settings), **NEAR)
        for title, n, settings in (("persons of MoveNet", 3, {}), ("no person", 3, {"score": 1.0}), ("one at most", 3, {"most": 1})):
            output = drawn(rng, 0.5, 0.3, 1, n, 56)
            output[0, :, 55] = rows_of(rng, n)[1]
            case(f, title, "MoveNetMulti", {"output": output, "size": SIZE, **rest},
                 movenet_multi(output, SIZE, PHOTO, FIT, **settings), attributes(settings), **NEAR)


if __name__ == "__main__":
    best_cases()
    tf_cases()
    mm_cases()
    paddle_cases()
    torchvision_cases()
