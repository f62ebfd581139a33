#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vision_heads.py - cases of the decoders of functions/vision that give classes, points, maps and text, by NumPy; interpolated scores
by PyTorch:

    python3 tests/oracle/vision_heads.py
"""
import numpy as np
import torch

from vision_case import case, vision_file
from vision_decoders import attributes
from vision_faces import drawn, place_points, softmax

F = np.float32
SCRIPT = "vision_heads.py"
SIZE, FIT = np.array([12, 16]), np.array([0.375, 0.3, 1.5, 2], F)
NEAR = {"rtol": 2e-6, "atol": 2e-6}


def classify(values, top=5, offset=0, score=-1.0, logits=True):
    v = np.asarray(values, np.float64).ravel()
    with np.errstate(invalid="ignore"):
        if logits:
            p = np.full(len(v), np.nan)
            p[~np.isnan(v)] = softmax(v[~np.isnan(v)]) if (~np.isnan(v)).any() else 0
        else:
            p = v
        chosen = [i for i in range(offset, len(v)) if p[i] > score]
    index = sorted(chosen, key=lambda i: -p[i])[:top]
    return {"scores": p[index], "labels": np.array(index, np.int64) - offset}


def class_map(values, size, resize=1):
    v = torch.tensor(np.where(np.isnan(values), F(-3.4e38), values))
    sides = [max(int(a), b) for a, b in zip(size, v.shape[2:])] if resize else v.shape[2:]
    return torch.nn.functional.interpolate(v, size=tuple(sides), mode="bilinear", align_corners=False)[0].argmax(0).numpy()


def heat_maps(maps, size, fit):
    points = []
    for plane in maps[0]:
        height, width = plane.shape
        known = np.where(np.isnan(plane), -np.inf, plane)
        y, x = divmod(int(known.argmax()), width)
        at = np.array([x, y], F)
        if 1 < x < width - 1 and 1 < y < height - 1:
            at += F(0.25) * np.sign([known[y, x + 1] - known[y, x - 1], known[y + 1, x] - known[y - 1, x]]).astype(F)
        spot = place_points(at * np.array([size[1] / width, size[0] / height]), fit)
        points.append([*spot[:2], known[y, x]])
    return np.array([points], F)


def open_see_face(maps, size, fit):
    n, height, width = len(maps[0]) // 3, *maps.shape[2:]
    points = []
    for sure, down, right in zip(maps[0, :n], maps[0, n:2 * n], maps[0, 2 * n:]):
        known = np.where(np.isnan(sure), -np.inf, sure)
        y, x = divmod(int(known.argmax()), width)
        far = np.clip(np.array([right[y, x], down[y, x]], np.float64), F(1e-7), F(0.9999999))
        at = np.array([x / (width - 1), y / (height - 1)]) + np.log(far / (1 - far)) / 16
        points.append([*place_points(at * [size[1] - 1, size[0] - 1], fit)[:2], known[y, x]])
    return np.array([points], F)


def sim_cc(simcc_x, simcc_y, size, fit):
    points = []
    for columns, rows in zip(simcc_x[0], simcc_y[0]):
        spot = place_points([columns.argmax() * size[1] / len(columns), rows.argmax() * size[0] / len(rows)], fit)
        points.append([*spot[:2], min(columns.max(), rows.max())])
    return np.array([points], F)


def landmarks(values, size, fit, step=3, relative=0, confidence=-1):
    rows = np.asarray(values, F).reshape(-1, step)
    points = place_points(rows[:, :2] * (np.array([size[1], size[0]], F) if relative else F(1)), fit)
    if confidence >= 0:
        points[:, 2] = 1 / (1 + np.exp(-rows[:, confidence].astype(np.float64)))
    return points[None]


def movenet(output, size, fit):
    points = landmarks(output[0, 0][:, [1, 0, 2]], size, fit, relative=1)
    points[0, :, 2] = output[0, 0, :, 2]
    return points


def ctc(values, blank=0, logits=False):
    steps = np.asarray(values, np.float64).reshape(-1, values.shape[-1])
    p = softmax(steps) if logits else steps
    blank %= values.shape[-1]
    scores, letters, before = [], [], -1
    for row in np.where(np.isnan(p), -np.inf, p):
        best = int(row.argmax())
        if best not in (before, blank):
            scores.append(row[best])
            letters.append(best - (best > blank))
        before = best
    return {"scores": np.array(scores, F), "letters": np.array(letters, np.int64)}


def classify_cases():
    rng = np.random.default_rng(10)
    with vision_file("classify", SCRIPT) as f:
        logits = drawn(rng, 0, 2, 1, 12)
        sure = (rng.permutation(12) + 0.5).astype(F)[None] / 72

        def tried(title, values, more=None, **settings):
            kinds = {k: v for k, v in settings.items() if k != "logits"}
            case(f, title, "Classify", {"values": values}, classify(values, **settings), attributes({**kinds, **(more or {})}), **NEAR)

        tried("logits", logits)
        tried("probabilities", sure, logits=False)
        tried("probabilities said to be logits", sure, {"softmax": 1}, top=3)
        tried("logits said to be probabilities", logits, {"softmax": 0}, top=3, logits=False)
        tried("probabilities in 8 bits", np.round(sure * 128) / 128, logits=False, top=3)
        tried("a background", logits, offset=1, top=4)
        tried("dims of 1", logits[..., None, None], top=2)
        tried("fewer classes than asked for", logits[:, :3])
        tried("one at most", sure, top=1, logits=False)
        tried("above a score", sure, score=0.125, logits=False)
        tried("none above a score", sure, score=0.5, logits=False)
        nan = logits.copy()
        nan[0, [1, int(logits.argmax())]] = np.nan
        tried("logits that are no numbers", nan, top=12)
        tried("nothing is a number", np.full((1, 3), np.nan, F))
        for title, values, wanted in (("logits in rows", logits.reshape(3, 4), softmax(logits.reshape(3, 4).astype(np.float64))),
                                      ("probabilities in rows", np.array([[0.25, 0.75], [1, 0]]), np.array([[0.25, 0.75], [1, 0]])),
                                      ("no rows", np.zeros((0, 4)), np.zeros((0, 4)))):
            case(f, title, "Probabilities", {"values": values}, {"probabilities": wanted}, **NEAR)
        # The sum of a row may differ from 1 by 0.01 and 1/512 for each class, at most by 0.5.
        wide = np.full((1, 300), 0.005)
        for title, values, kept in (("a little more than 1", [[0.5, 0.513]], True), ("more than a little more", [[0.5, 0.515]], False),
                                    ("a little less than 1", [[0.5, 0.487]], True), ("more than a little less", [[0.5, 0.485]], False),
                                    ("half as much again", wide * 0.99, True), ("more than half as much again", wide * 1.01, False)):
            values = np.array(values, F)
            wanted = values if kept else softmax(values.astype(np.float64))
            case(f, f"rows whose sum is {title}", "Probabilities", {"values": values}, {"probabilities": wanted}, **NEAR)
        rows = np.array([[0.25, 0.75], [np.nan, 0.5], [0.5, 0.5]])
        case(f, "a row with no number decides nothing", "Probabilities", {"values": rows}, {"probabilities": rows})


def map_cases():
    rng = np.random.default_rng(11)
    with vision_file("maps", SCRIPT) as f:
        values = drawn(rng, 0, 1, 1, 3, 4, 5)
        for title, given, settings in (("made larger", values, {}), ("as it is", values, {"resize": 0}),
                                       ("as large as the input", drawn(rng, 0, 1, 1, 3, *SIZE), {}),
                                       ("larger than the input", drawn(rng, 0, 1, 1, 2, 14, 18), {}),
                                       ("equal scores", np.zeros((1, 3, 2, 2), F), {"resize": 0})):
            wanted = {"classes": class_map(given, SIZE, **settings)}
            case(f, f"class map {title}", "ClassMap", {"values": given, "size": SIZE}, wanted, attributes(settings))
            case(f, f"class map {title}, classes last", "ClassMapLast", {"values": given.transpose(0, 2, 3, 1), "size": SIZE}, wanted,
                 attributes(settings))
        nan = values.copy()
        nan[0, 1, ::2] = np.nan
        case(f, "class map with what is no number", "ClassMap", {"values": nan, "size": SIZE},
             {"classes": class_map(nan, SIZE, 0)}, "resize: int = 0")
        numbers = rng.integers(0, 21, (1, 1, 3, 4))
        shallow = drawn(rng, 0.5, 0.2, 1, 1, 3, 4).clip(0, 1)
        logits = drawn(rng, 0, 2, 1, 1, 3, 4)
        for dims in ((1, 1, 3, 4), (1, 3, 4), (1, 3, 4, 1)):
            name = " x ".join(map(str, dims))
            case(f, f"numbers of classes, {name}", "ClassIndices", {"values": numbers.reshape(dims)}, {"classes": numbers[0, 0]})
            case(f, f"depth, {name}", "Depth", {"values": logits.reshape(dims)}, {"depth": logits[0, 0]})
            case(f, f"probabilities of one class, {name}", "Foreground", {"values": shallow.reshape(dims)},
                 {"classes": (shallow[0, 0] > 0.5).astype(np.int64)})
        for title, given, mask, settings in (
                ("logits", logits, logits > 0, {}),
                ("logits, another score", logits, 1 / (1 + np.exp(-logits)) > 0.75, {"score": 0.75}),
                ("logits said to be probabilities", logits, logits > 0.5, {"sigmoid": 0}),
                ("probabilities said to be logits", shallow, shallow > 0, {"sigmoid": 1})):
            case(f, f"one class, {title}", "Foreground", {"values": given}, {"classes": mask[0, 0].astype(np.int64)}, attributes(settings))
        sure = np.array([[[[0, 1, 0.25, 0.75]]]])
        case(f, "probabilities that are sure", "Foreground", {"values": sure}, {"classes": np.array([[0, 1, 0, 1]])})
        for value in (-0.125, 1.125):
            given = np.array([[[[value, 0.25]]]])
            case(f, f"{value} is a logit", "Foreground", {"values": given}, {"classes": np.array([[int(value > 0), 1]])})
        case(f, "what is no number is no class", "Foreground", {"values": np.full((1, 1, 1, 2), np.nan)},
             {"classes": np.zeros((1, 2), np.int64)})
        for title, dims in (("one row", (1, 1, 1, 4)), ("one column", (1, 1, 4, 1)), ("one row without channels", (1, 1, 4))):
            given = logits[..., 0, :].reshape(dims)
            case(f, f"depth, {title}", "Depth", {"values": given}, {"depth": given.reshape(dims[-2:])})
        flow = drawn(rng, 0, 8, 1, 2, 3, 4)
        case(f, "flow", "Flow", {"given": flow, "fit": FIT}, {"flow": flow[0] / FIT[:2, None, None]}, **NEAR)


def point_cases():
    rng = np.random.default_rng(12)
    rest = {"size": SIZE, "fit": FIT}
    with vision_file("points", SCRIPT) as f:
        maps = (rng.permutation(6 * 30) / 128).reshape(1, 6, 5, 6).astype(F)
        peaks = [(0, 0), (4, 5), (1, 3), (2, 2), (2, 4), (3, 3)]
        for plane, at in zip(maps[0], peaks):
            plane[at] = 2
        maps[0, 3, 2, 1] = maps[0, 3, 2, 3]
        case(f, "heat maps", "HeatMaps", {"maps": maps, **rest}, {"points": heat_maps(maps, SIZE, FIT)}, **NEAR)
        nan = maps.copy()
        nan[0, :4, 2:] = np.nan
        case(f, "heat maps with what is no number", "HeatMaps", {"maps": nan, **rest}, {"points": heat_maps(nan, SIZE, FIT)}, **NEAR)
        flat = np.zeros((1, 2, 5, 6), F)
        case(f, "flat heat maps", "HeatMaps", {"maps": flat, **rest}, {"points": heat_maps(flat, SIZE, FIT)}, **NEAR)
        maps = np.random.default_rng(21).permutation(6 * 30).reshape(1, 6, 5, 6).astype(F) / 180
        maps[0, 0, 3, 1] = np.nan
        case(f, "OpenSeeFace", "OpenSeeFace", {"maps": maps, **rest}, {"points": open_see_face(maps, SIZE, FIT)}, **NEAR)
        maps[0, 2:] = np.where(np.arange(6) % 2, 0, 1)
        case(f, "OpenSeeFace, distances at their ends", "OpenSeeFace", {"maps": maps, **rest},
             {"points": open_see_face(maps, SIZE, FIT)}, **NEAR)
        columns, rows = (rng.permutation(4 * n).reshape(1, 4, n) / 64 for n in (32, 24))
        case(f, "lists of columns and rows", "SimCc", {"simcc_x": columns, "simcc_y": rows, **rest},
             {"points": sim_cc(columns.astype(F), rows.astype(F), SIZE, FIT)}, **NEAR)
        columns[0, 1, 3], rows[0, 2, 5] = np.nan, np.nan
        known = [np.where(np.isnan(v), -np.inf, v).astype(F) for v in (columns, rows)]
        case(f, "lists with what is no number", "SimCc", {"simcc_x": columns, "simcc_y": rows, **rest},
             {"points": sim_cc(*known, SIZE, FIT)}, **NEAR)
        output = drawn(rng, 0.5, 0.2, 1, 1, 5, 3)
        case(f, "MoveNet", "MoveNet", {"output": output, **rest}, {"points": movenet(output, SIZE, FIT)}, **NEAR)
        for title, dims, settings in (("face mesh", (1, 1, 1, 12), {}), ("hand", (1, 15), {}), ("a list of rows", (1, 4, 3), {}),
                                      ("pose", (1, 20), {"step": 5, "confidence": 3}),
                                      ("the first number is the confidence", (1, 12), {"confidence": 0}),
                                      ("PFLD", (1, 10), {"step": 2, "relative": 1})):
            values = drawn(rng, 0.5 if settings.get("relative") else 8, 3, *dims)
            case(f, f"landmarks, {title}", "Landmarks", {"values": values, **rest}, {"points": landmarks(values, SIZE, FIT, **settings)},
                 attributes(settings), **NEAR)


def ctc_cases():
    rng = np.random.default_rng(13)
    with vision_file("ctc", SCRIPT) as f:
        text = [0, 3, 3, 0, 3, 1, 2, 2, 0, 0, 4, 4]
        logits = drawn(rng, 0, 1, 1, len(text), 5)
        logits[0, range(len(text)), text] += 8

        def tried(title, values, name="Ctc", turned=None, **settings):
            given = {k: v for k, v in settings.items() if k != "logits"}
            case(f, title, name, {"values": values if turned is None else turned}, ctc(values, **settings), attributes(given), **NEAR)

        tried("logits", logits, logits=True)
        sure = np.round(softmax(logits.astype(np.float64)) * 1024).astype(F) / 1024
        tried("probabilities", sure)
        tried("steps first", logits.transpose(1, 0, 2), logits=True)
        tried("the last class is the blank", logits, logits=True, blank=-1)
        tried("a class between is the blank", logits, logits=True, blank=3)
        tried("only blanks", logits[:, [0, 8, 9]], logits=True)
        tried("no steps", logits[:, :0], logits=True)
        tried("one step", logits[:, 1:2], logits=True)
        nan = sure.copy()
        nan[0, 4, 3] = np.nan
        nan[0, 6] = np.nan
        tried("what is no number", nan)
        tried("steps last", logits, "CtcColumns", logits.transpose(0, 2, 1), logits=True, blank=-1)
        tried("steps last, without a batch", logits, "CtcColumns", logits[0].T, logits=True, blank=-1)


if __name__ == "__main__":
    classify_cases()
    map_cases()
    point_cases()
    ctc_cases()
