#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vision_faces.py - cases of the decoders of functions/vision that have priors or anchors, most of them for faces: loops over cells and
boxes, as the networks' repositories describe them; what overlaps is dropped by torchvision's nms:

    python3 tests/oracle/vision_faces.py
"""
import numpy as np

from vision_case import case, vision_file
from vision_decoders import attributes, suppress, to_photograph

F = np.float32
SCRIPT = "vision_faces.py"
SIZE, PHOTO, FIT = np.array([16, 24]), np.array([100, 120]), np.array([0.1875, 0.15, 0.75, 1], F)
NEAR = {"rtol": 2e-6, "atol": 2e-5}
RETINA = {"strides": [8, 16, 32], "counts": [2, 2, 2], "sides": [16.0, 32.0, 64.0, 128.0, 256.0, 512.0]}
ULTRA = {"strides": [8, 16, 32, 64], "counts": [3, 2, 2, 3],
         "sides": [10.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0]}


def anchors(size, strides=(8, 16, 32), counts=(1, 1, 1), whole=0):
    """Rows of centre x, centre y, stride, kind."""
    rows = []
    for level, (stride, count) in enumerate(zip(strides, counts)):
        height, width = (int(side) // stride if whole else -(-int(side) // stride) for side in size)
        rows += [[(x + 0.5) * stride, (y + 0.5) * stride, stride, sum(counts[:level]) + k]
                 for y in range(height) for x in range(width) for k in range(count)]
    return np.array(rows).reshape(-1, 4)


def priors(size, strides, counts, sides, clip=0, whole=0):
    rows = anchors(size, strides, counts, whole)
    side = np.array(sides)[rows[:, 3].astype(int)]
    found = np.stack([rows[:, 0] / size[1], rows[:, 1] / size[0], side / size[1], side / size[0]], 1).astype(F)
    return np.clip(found, 0, 1) if clip else found


def from_priors(loc, prior, size, centre_variance=0.1, side_variance=0.2):
    loc, prior = np.asarray(loc[0], np.float64), np.asarray(prior, np.float64)
    centre = prior[:, :2] + loc[:, :2] * centre_variance * prior[:, 2:]
    half = prior[:, 2:] * np.exp(loc[:, 2:] * side_variance) / 2
    return (np.concatenate([centre - half, centre + half], 1) * ([size[1], size[0]] * 2)).astype(F)


def place_points(points, fit):
    """Points [N,K,2] in pixels of the input as points [N,K,3] in pixels of the photograph."""
    points = (np.asarray(points, F) - fit[2:]) / fit[:2]
    return np.concatenate([points, np.ones_like(points[..., :1])], -1)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def answer(boxes, confidence, photo, fit, settings):
    index, scores, labels = suppress(boxes, confidence, **settings)
    return {"boxes": to_photograph(boxes[index], photo, fit), "scores": scores, "labels": labels}, index


def ssd(loc, conf, prior, size, photo, fit, softmax_=0, variances=(0.1, 0.2), **settings):
    boxes = from_priors(loc, prior, size, *variances)
    confidence = (softmax(conf[0].astype(np.float64)).astype(F) if softmax_ else conf[0])[:, 1:]
    return answer(boxes, confidence, photo, fit, {**settings, "multi_label": 1})[0]


def ultra_face(conf, corners, size, photo, fit, **settings):
    boxes = corners[0] * np.array([size[1], size[0]] * 2, F)
    settings = {"score": 0.7, "overlap": 0.3, **settings, "multi_label": 1}
    return answer(boxes, conf[0][:, 1:], photo, fit, settings)[0]


def ultra_face_raw(conf, loc, size, photo, fit, **settings):
    return ssd(loc, conf, priors(size, **ULTRA, clip=1), size, photo, fit, **{"score": 0.7, "overlap": 0.3, **settings})


def retina_face(loc, conf, landmarks, size, photo, fit, kind=None, softmax_=0, **settings):
    prior = priors(size, **(kind or RETINA))
    boxes = from_priors(loc, prior, size)
    confidence = (softmax(conf[0].astype(np.float64)).astype(F) if softmax_ else conf[0])[:, 1:]
    found, index = answer(boxes, confidence, photo, fit, {"score": 0.5, "overlap": 0.4, **settings})
    ways = landmarks[0][index].reshape(len(index), landmarks.shape[2] // 2, 2).astype(np.float64) * 0.1
    prior = prior[index].astype(np.float64)
    points = (prior[:, None, :2] + ways * prior[:, None, 2:]) * [size[1], size[0]]
    return {**found, "points": place_points(points, fit)}


def scrfd(scores, bbox, kps, size, photo, fit, **settings):
    """Each a list of the outputs of strides 8, 16 and 32."""
    scores, bbox, kps = (np.concatenate(v, -2).astype(np.float64) for v in (scores, bbox, kps))
    scores, bbox, kps = (v.reshape(-1, v.shape[-1]) for v in (scores, bbox, kps))
    rows = anchors(size, (8, 16, 32), (2, 2, 2))
    stride = rows[:, 2:3]
    corner = rows[:, :2] - stride / 2
    boxes = np.concatenate([corner - bbox[:, :2] * stride, corner + bbox[:, 2:] * stride], 1).astype(F)
    found, index = answer(boxes, scores.astype(F), photo, fit, {"score": 0.5, "overlap": 0.4, **settings})
    points = corner[index][:, None] + kps[index].reshape(len(index), 5, 2) * stride[index][:, None]
    return {**found, "points": place_points(points, fit)}


def yunet_priors(loc, conf, iou, size, photo, fit, **settings):
    score = np.sqrt(conf[:, 1] * np.clip(iou[:, 0], 0, 1))
    return retina_face(loc[None, :, :4], np.stack([1 - score, score], 1)[None], loc[None, :, 4:], size, photo, fit,
                       kind={**ULTRA, "whole": 1}, **{"score": 0.6, "overlap": 0.3, **settings})


def blaze_face(offsets, logits, size, photo, fit, grids=(16, 8), counts=(2, 6), **settings):
    centre, row = anchors(size, [int(size[0]) // n for n in grids], counts)[:, :2].astype(F), offsets[0]
    middle, half = centre + row[:, :2], row[:, 2:4] / 2
    score = (1 / (1 + np.exp(-logits[0].astype(np.float64)))).astype(F)
    found, index = answer(np.concatenate([middle - half, middle + half], 1), score, photo, fit,
                          {"score": 0.5, "overlap": 0.3, **settings})
    points = centre[index][:, None] + row[index][:, 4:].reshape(len(index), row.shape[1] // 2 - 2, 2)
    return {**found, "points": place_points(points, fit)}


def yunet(cls, obj, bbox, kps, size, photo, fit, **settings):
    """Each a list of the outputs of strides 8, 16 and 32."""
    rows = anchors(size)
    stride = rows[:, 2:3]
    corner = rows[:, :2] - stride / 2
    cls, obj, bbox, kps = (np.concatenate(v, 1)[0].astype(np.float64) for v in (cls, obj, bbox, kps))
    score = np.sqrt(np.clip(cls, 0, 1) * np.clip(obj, 0, 1)).astype(F)
    middle, half = corner + bbox[:, :2] * stride, np.exp(bbox[:, 2:]) * stride / 2
    found, index = answer(np.concatenate([middle - half, middle + half], 1).astype(F), score, photo, fit,
                          {"score": 0.6, "overlap": 0.3, **settings})
    points = corner[index][:, None] + kps[index].reshape(len(index), 5, 2) * stride[index][:, None]
    return {**found, "points": place_points(points, fit)}


def drawn(rng, mean, spread, *dims):
    """Normal numbers in 64ths."""
    return (np.round(rng.normal(mean, spread, dims) * 64) / 64).astype(F)


def listed(**settings):
    """Attributes as they stand in a call."""
    def literal(v):
        if isinstance(v, list):
            return f"{'floats' if isinstance(v[0], float) else 'ints'} = {v}"
        return attributes({"": v})[2:]
    return ", ".join(f"{k}: {literal(v)}" for k, v in settings.items())


def scores_of(rng, n, classes):
    """Probabilities without ties of n boxes: few are sure."""
    k = classes - 1
    sure = np.round((rng.permutation(n * k).reshape(n, k) + 0.5) / (n * k * k) * 4096) / 4096
    return np.concatenate([1 - sure.sum(1, keepdims=True), sure], 1).astype(F)[None]


def anchor_cases():
    with vision_file("anchors", SCRIPT) as f:
        for title, size, settings in (("strides 8, 16 and 32", [32, 48], {}), ("cells that reach out", [41, 30], {}),
                                      ("only whole cells", [41, 30], {"whole": 1}),
                                      ("several in a cell", [20, 32], {"strides": [8, 16], "counts": [2, 6]}),
                                      ("no cell", [7, 30], {"strides": [8], "counts": [2], "whole": 1})):
            rows = anchors(np.array(size), **settings)
            strides = np.array(settings.pop("strides", [8, 16, 32]))
            case(f, title, "Anchors", {"size": np.array(size), "strides": strides},
                 {"centres": rows[:, :2], "sides": rows[:, 2:3], "kinds": rows[:, 3].astype(np.int64)}, listed(**settings))
        case(f, "priors of RetinaFace", "Priors", {"size": SIZE}, {"priors": priors(SIZE, **RETINA)}, **NEAR)
        case(f, "priors of UltraFace", "Priors", {"size": np.array([24, 40])},
             {"priors": priors(np.array([24, 40]), **ULTRA, clip=1)}, listed(**ULTRA, clip=1), **NEAR)
        rng = np.random.default_rng(3)
        loc, prior = drawn(rng, 0, 2, 1, 9, 4), priors(SIZE, **RETINA)[::2][:9]
        case(f, "boxes from priors", "FromPriors", {"loc": loc, "priors": prior, "size": SIZE},
             {"boxes": from_priors(loc, prior, SIZE)}, **NEAR)
        case(f, "boxes from priors, other variances", "FromPriors", {"loc": loc, "priors": prior, "size": SIZE},
             {"boxes": from_priors(loc, prior, SIZE, 0.5, 0.125)}, "centre_variance: float = 0.5, side_variance: float = 0.125",
             **NEAR)
        spots = drawn(rng, 20, 20, 3, 2, 2)
        for title, n in (("points", 3), ("no points", 0)):
            sure = drawn(rng, 0.5, 0.25, n, 2, 1)
            points = place_points(spots[:n], FIT)
            points[..., 2:] = sure
            case(f, title, "PlacePoints", {"places": spots[:n], "confidence": sure, "fit": FIT}, {"points": points}, **NEAR)


def ssd_cases():
    rng = np.random.default_rng(4)
    with vision_file("ssd", SCRIPT) as f:
        prior = priors(SIZE, **RETINA)[:16]
        loc, conf = drawn(rng, 0, 1, 1, 16, 4), scores_of(rng, 16, 4)
        rest = {"size": SIZE, "photo": PHOTO, "fit": FIT}

        def tried(title, loc, conf, prior, softmax_=0, more="", **settings):
            case(f, title, "Ssd", {"loc": loc, "conf": conf, "priors": prior, **rest},
                 ssd(loc, conf, prior, SIZE, PHOTO, FIT, softmax_, **settings), attributes(settings) + more, **NEAR)

        tried("probabilities", loc, conf, prior, score=0.1)
        logits = np.round(np.log(conf) * 64) / 64 + drawn(rng, 0, 1, 1, 16, 1)
        tried("logits", loc, logits, prior, softmax_=1, score=0.1)
        tried("logits said to be probabilities", loc, logits, prior, score=0.25, more=", softmax: int = 0")
        tried("probabilities said to be logits", loc, conf, prior, softmax_=1, score=0.25, more=", softmax: int = 1")
        tried("at most three", loc, conf, prior, score=0.1, overlap=0.7, most=3)
        tried("nothing is found", loc, conf, prior, score=0.9)
        nan = conf.copy()
        nan[0, ::3] = np.nan
        tried("scores that are no numbers", loc, nan, prior, score=0.1)
        conf = scores_of(rng, 16, 2)
        corners = from_priors(loc, prior, np.array([1, 1]))[None]
        for title, settings in (("UltraFace", {}), ("UltraFace, other thresholds", {"score": 0.3, "overlap": 0.6, "most": 4}),
                                ("UltraFace, no face", {"score": 1.0})):
            case(f, title, "UltraFace", {"probabilities": conf, "corners": corners, **rest},
                 ultra_face(conf, corners, SIZE, PHOTO, FIT, **settings), attributes(settings), **NEAR)
        size = np.array([16, 24])
        n = len(priors(size, **ULTRA))
        loc, conf = drawn(rng, 0, 1, 1, n, 4), scores_of(rng, n, 2)
        case(f, "UltraFace without postprocessing", "UltraFaceRaw", {"conf": conf, "loc": loc, **rest, "size": size},
             ultra_face_raw(conf, loc, size, PHOTO, FIT), **NEAR)


def face_cases():
    rng = np.random.default_rng(5)
    rest = {"size": SIZE, "photo": PHOTO, "fit": FIT}
    with vision_file("faces", SCRIPT) as f:
        n = len(priors(SIZE, **RETINA))
        loc, marks = drawn(rng, 0, 1, 1, n, 4), drawn(rng, 0, 3, 1, n, 10)
        conf = scores_of(rng, n, 2)
        for title, settings in (("RetinaFace", {"score": 0.8}), ("RetinaFace, at most two", {"overlap": 0.2, "most": 2}),
                                ("RetinaFace, no face", {"score": 1.0})):
            case(f, title, "RetinaFace", {"loc": loc, "conf": conf, "landmarks": marks, **rest},
                 retina_face(loc, conf, marks, SIZE, PHOTO, FIT, **settings), attributes(settings), **NEAR)
        logits = np.round(np.log(conf) * 64) / 64 - 1
        case(f, "RetinaFace without a batch", "RetinaFace", {"loc": loc[0], "conf": conf[0], "landmarks": marks[0, :, :8], **rest},
             retina_face(loc, conf, marks[..., :8], SIZE, PHOTO, FIT, score=0.8), "score: float = 0.8", **NEAR)
        case(f, "RetinaFace, logits", "RetinaFace", {"loc": loc, "conf": logits, "landmarks": marks, **rest},
             retina_face(loc, logits, marks, SIZE, PHOTO, FIT, softmax_=1, score=0.8), "score: float = 0.8", **NEAR)
        size = np.array([12, 23])
        n = len(priors(size, **ULTRA, whole=1))
        loc, conf = drawn(rng, 0, 1, n, 14), scores_of(rng, n, 2)[0]
        iou = drawn(rng, 0.5, 0.5, n, 1)
        iou[conf[:, 1].argsort()[-3:]] = 1.5
        inputs = {"loc": loc, "conf": conf, "iou": iou, **rest, "size": size}
        wanted = yunet_priors(loc, conf, iou, size, PHOTO, FIT)
        case(f, "YuNet of 2021", "YuNetPriors", inputs, wanted, **NEAR)
        case(f, "YuNet of 2021, with a batch", "YuNetPriors",
             {**inputs, "loc": loc[None], "conf": conf[None], "iou": iou[None]}, wanted, **NEAR)
        parts = {k: [drawn(rng, *at, 1, cells, width) for cells in (12, 4, 2)]
                 for k, at, width in (("score", (0.5, 0.25), 1), ("bbox", (0.75, 0.25), 4), ("kps", (0, 1), 10))}
        for title, batch, settings in (("SCRFD", slice(None), {}), ("SCRFD without a batch, other thresholds", 0,
                                                                   {"score": 0.625, "overlap": 0.1, "most": 3}),
                                       ("SCRFD, no face", 0, {"score": 9.0})):
            flat = {f"{k}_{stride}": v[batch] for k, some in parts.items() for stride, v in zip((8, 16, 32), some)}
            case(f, title, "Scrfd", {**flat, **rest}, scrfd(*parts.values(), SIZE, PHOTO, FIT, **settings), attributes(settings), **NEAR)
        parts = {k: [drawn(rng, *at, 1, cells, width) for cells in (6, 2, 1)]
                 for k, at, width in (("cls", (0.5, 0.5), 1), ("obj", (0.5, 0.5), 1), ("bbox", (0.5, 0.8), 4),
                                      ("kps", (0.5, 1), 10))}
        flat = {f"{k}_{stride}": v for k, some in parts.items() for stride, v in zip((8, 16, 32), some)}
        for title, settings in (("YuNet", {}), ("YuNet, other thresholds", {"score": 0.8, "overlap": 0.1, "most": 5}),
                                ("YuNet, no face", {"score": 1.0})):
            case(f, title, "YuNet", {**flat, **rest}, yunet(**parts, size=SIZE, photo=PHOTO, fit=FIT, **settings),
                 attributes(settings), **NEAR)


def blaze_cases():
    rng = np.random.default_rng(6)
    rest = {"size": np.array([16, 16]), "photo": PHOTO, "fit": FIT}

    def made(n, points, reach):
        offsets = np.concatenate([drawn(rng, 0, reach / 8, 1, n, 2), drawn(rng, reach, reach / 4, 1, n, 2),
                                  drawn(rng, 0, reach / 2, 1, n, 2 * points)], 2)
        return offsets, (rng.permutation(n) / 8 - n / 12).astype(F).reshape(1, n, 1)

    def tried(f, title, name, offsets, logits, size, more="", kind=None, **settings):
        inputs = {"offsets": offsets, "logits": logits, **rest, "size": np.array(size)}
        case(f, title, name, inputs, blaze_face(*inputs.values(), **(kind or {}), **settings), attributes(settings) + more, **NEAR)

    with vision_file("blaze_face", SCRIPT) as f:
        small = {"grids": [2, 1], "counts": [2, 6]}
        written = ", grids: ints = [2, 1], counts: ints = [2, 6]"
        offsets, logits = made(14, 6, 6)
        tried(f, "faces", "BlazeFace", offsets, logits, [16, 16], written, small, score=0.6)
        tried(f, "at most three", "BlazeFace", offsets, logits, [16, 16], written, small, overlap=0.1, most=3, score=0.5)
        tried(f, "no face", "BlazeFace", offsets, logits, [16, 16], written, small, score=1.0)
        nan = logits.copy()
        nan[0, ::2] = np.nan
        tried(f, "scores that are no numbers", "BlazeFace", offsets, nan, [16, 16], written, small, score=0.4)
        tried(f, "an input that is twice as large", "BlazeFace", offsets * 2, logits, [32, 32], written, small, score=0.6)
        # The anchors of MediaPipe's networks: most are far from being faces, and their rows are zeros.
        for title, name, kind, size, n in (
                ("faces, short range", "BlazeFace", {}, 128, 896),
                ("faces, full range", "BlazeFaceFull", {"grids": [48], "counts": [1]}, 192, 2304),
                ("palms", "BlazePalm", {"grids": [24, 12]}, 192, 2016),
                ("persons", "BlazePose", {"grids": [28, 14, 7], "counts": [2, 2, 6]}, 224, 2254)):
            offsets, logits = np.zeros((1, n, 6), F), np.full((1, n, 1), -9, F)
            at = np.sort(rng.permutation(n)[:9])
            offsets[0, at], logits[0, at] = made(9, 1, 40)[0][0], rng.permutation(9)[:, None] / 4
            tried(f, title, name, offsets, logits, [size, size], kind=kind)
        offsets, logits = np.zeros((1, 896, 6), F), np.full((1, 896, 1), -9, F)
        offsets[0, ::300], logits[0, ::300] = made(3, 1, 40)[0][0], [[1], [2], [3]]
        inputs = {"near_logits": logits[:, :512], "far_logits": logits[:, 512:], "near_offsets": offsets[:, :512],
                  "far_offsets": offsets[:, 512:], **rest, "size": np.array([256, 256])}
        case(f, "two outputs for each grid", "BlazeFaceParts", inputs,
             blaze_face(offsets, logits, np.array([256, 256]), PHOTO, FIT), **NEAR)


if __name__ == "__main__":
    anchor_cases()
    ssd_cases()
    face_cases()
    blaze_cases()
