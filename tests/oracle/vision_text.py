#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vision_text.py - cases of DbText of functions/vision and of what it stands on: regions are filled pixel by pixel, of all edges of a
hull each is tried, and means are taken over all pixels of the map that lie inside:

    python3 tests/oracle/vision_text.py
"""
import math

import numpy as np

from vision_case import case, vision_file
from vision_decoders import attributes, to_photograph
from vision_faces import FIT, PHOTO, place_points

F = np.float32
SCRIPT = "vision_text.py"
SIZE = np.array([32, 48])
NEAR = {"rtol": 2e-6, "atol": 1e-4}


def regions(plane, threshold=0.3):
    """The number of the region of each pixel, from 1 in the order of their first pixels; 0: in none."""
    number = np.zeros(plane.shape, int)
    for y, x in np.argwhere(plane > F(threshold)):
        if number[y, x]:
            continue
        n, front = number.max() + 1, [(y, x)]
        number[y, x] = n
        while front:
            v, u = front.pop()
            for b in range(max(v - 1, 0), min(v + 2, plane.shape[0])):
                for a in range(max(u - 1, 0), min(u + 2, plane.shape[1])):
                    if plane[b, a] > F(threshold) and not number[b, a]:
                        number[b, a] = n
                        front.append((b, a))
    return number


def runs(number):
    """Rows of region from 0, row, first and last column."""
    found = []
    for y, row in enumerate(number):
        for x, n in enumerate(row):
            if n and (x == 0 or not row[x - 1]):
                end = x
                while end + 1 < len(row) and row[end + 1]:
                    end += 1
                found.append([n - 1, y, x, end])
    return np.array(found, np.int64).reshape(-1, 4)


def side_of_hull(points, sign):
    """Of one point per row, from top to bottom, those of the hull; sign: 1 on its left side."""
    kept = []
    for x, y in points:
        while len(kept) > 1:
            (x0, y0), (x1, y1) = kept[-2:]
            if sign * ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) < 0:
                break
            kept.pop()
        kept.append((x, y))
    return kept


def hulls(number):
    """Rows of chain, x, y."""
    found = []
    for n in range(1, number.max() + 1):
        rows = [(y, np.flatnonzero(number[y] == n)) for y in np.flatnonzero((number == n).any(1))]
        for side, sign, end in ((0, 1, 0), (1, -1, -1)):
            found += [[2 * n - 2 + side, x, y] for x, y in side_of_hull([(int(at[end]), int(y)) for y, at in rows], sign)]
    return np.array(found, np.int64).reshape(-1, 3)


def frame(corners):
    """The rectangle of least area: direction, least and greatest along and down it, for which the upright one is first."""
    best = None
    both = [np.array(side) for side in corners]
    steps = [(1, 0)] + [tuple(b - a) for side in both for a, b in zip(side, side[1:])]
    points = np.concatenate(both)
    for dx, dy in steps:
        if abs(dx) < abs(dy):
            dx, dy = dy, -dx
        if dx < 0:
            dx, dy = -dx, -dy
        along, down = points @ [dx, dy], points @ [-dy, dx]
        area = (along.max() - along.min()) * (down.max() - down.min()) / (dx * dx + dy * dy)
        if best is None or area < best[0]:
            best = area, (dx, dy), (along.min(), along.max(), down.min(), down.max())
    return best[1:]


def frame_mean(plane, axis, limits):
    inside = [plane[y, x] for y, x in np.ndindex(*plane.shape)
              if limits[0] <= axis[0] * x + axis[1] * y <= limits[1] and limits[2] <= axis[0] * y - axis[1] * x <= limits[3]]
    return F(math.fsum(inside) / len(inside)) if inside else F(0)


def db_text(map_, size, photo, fit, threshold=0.3, score=0.6, unclip=1.5, least=3.0, most=1000):
    plane = np.where(np.isnan(map_[0, 0]), 0, map_[0, 0]).astype(F)
    chains = hulls(regions(plane, threshold))
    found = []
    for n in range(len(chains) and chains[-1, 0] // 2 + 1):
        axis, limits = frame([chains[chains[:, 0] == k, 1:] for k in (2 * n, 2 * n + 1)])
        mean = frame_mean(plane, axis, limits)
        u0, u1, v0, v1 = np.array(limits) / math.hypot(*axis)
        width, height = u1 - u0, v1 - v0
        grow = width * height * unclip / (2 * (width + height)) if width + height else math.nan
        if mean < F(score) or min(width, height) < least or not min(width, height) + 2 * grow >= least + 2:
            continue
        dx, dy = np.array(axis) / math.hypot(*axis)
        ends = (u0 - grow, v0 - grow), (u1 + grow, v0 - grow), (u1 + grow, v1 + grow), (u0 - grow, v1 + grow)
        found.append((mean, [(u * dx - v * dy, u * dy + v * dx) for u, v in ends]))
    found = sorted(found, key=lambda one: -one[0])[:most]
    corners = np.array([c for _, c in found]).reshape(-1, 4, 2) * (np.array([size[1], size[0]]) / plane.shape[::-1])
    frames = np.concatenate([corners.min(1), corners.max(1)], 1) if len(corners) else np.zeros((0, 4))
    return {"boxes": to_photograph(frames.astype(F), photo, fit), "scores": np.array([s for s, _ in found], F),
            "labels": np.zeros(len(found), np.int64), "corners": place_points(corners, fit)[..., :2]}


def page(rng, height, width, lines):
    """A map with turned lines of text: (x, y, half length, half height, degrees)."""
    y, x = np.mgrid[:height, :width]
    plane = np.round(rng.uniform(0, 0.25, (height, width)) * 64) / 64 * (rng.random((height, width)) > 0.8)
    for cx, cy, long, high, degrees in lines:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        inside = (abs((x - cx) * c + (y - cy) * s) <= long) & (abs((y - cy) * c - (x - cx) * s) <= high)
        plane[inside] = np.round(rng.uniform(0.5, 1, inside.sum()) * 64) / 64
    return plane.astype(F)


def ragged_cases():
    with vision_file("repeat", SCRIPT) as f:
        for title, counts in (("some", [2, 0, 3, 1]), ("none at the ends", [0, 0, 2, 0, 0]), ("none at all", [0, 0]), ("no list", [])):
            counts = np.array(counts, np.int64)
            case(f, title, "Repeat", {"counts": counts},
                 {"owners": np.array([k for k, n in enumerate(counts) for _ in range(n)], np.int64),
                  "places": np.array([p for n in counts for p in range(n)], np.int64)})
        a = np.arange(-7, 8)
        case(f, "divided and rounded down", "FloorDiv", {"a": a, "b": np.array(3)}, {"result": a // 3})


def region_cases():
    rng = np.random.default_rng(14)
    steps = np.array([[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
    y, x = np.mgrid[:12, :16]
    fields = {"noise": rng.integers(0, 64, (6, 9)) / 64,
              "three slants": (abs(x - y) < 2) | ((x > 12) & (2 * x + y < 36)) | ((y > 8) & (x < 7) & (3 * y - x > 26)),
              "more than half of it": rng.integers(24, 64, (7, 5)) / 64,
              "a spiral": steps, "only corners touch": np.eye(4), "both ends of rows": np.array([[1, 0, 1]] * 3),
              "everything": np.ones((3, 4)), "nothing": np.zeros((3, 4)), "one pixel": np.ones((1, 1)),
              "one row": rng.integers(0, 2, (1, 9)), "one column": rng.integers(0, 2, (9, 1)), "what is no number": np.full((2, 3), np.nan)}
    with vision_file("components", SCRIPT) as f:
        for title, plane in fields.items():
            plane = np.asarray(plane, F)
            threshold = 0.3 if title != "noise" else 0.65625
            number = regions(plane, threshold)
            rows = runs(number)
            found = dict(zip(("index", "rows", "begins", "ends"), rows.T))
            n = np.array([number.max()])
            case(f, title, "Components", {"map": plane}, {**found, "n": n}, attributes({"threshold": threshold}))
            chains = hulls(number)
            chain = dict(zip(("chain", "x", "y"), chains.T))
            case(f, f"hulls of {title}", "Hulls", {**found, "n": n}, chain)
            frames = [frame([chains[chains[:, 0] == c, 1:] for c in (2 * k, 2 * k + 1)]) for k in range(n[0])]
            case(f, f"rectangles of {title}", "Frames", {**chain, "n": n},
                 {"axes": np.array([axis for axis, _ in frames], np.int64).reshape(-1, 2),
                  "limits": np.array([limits for _, limits in frames], np.int64).reshape(-1, 4)})


def text_cases():
    rng = np.random.default_rng(15)
    rest = {"size": SIZE, "photo": PHOTO, "fit": FIT}
    with vision_file("db_text", SCRIPT) as f:
        plane = page(rng, 22, 30, [(8, 4, 6, 2, 0), (21, 11, 7, 2.1, 30), (5, 16, 3.5, 2.2, -20), (25, 2, 1, 0.5, 0)])
        steep = page(rng, 24, 22, [(4, 12, 8, 2, 83), (14, 12, 9, 2.2, -60)])
        sizes = np.zeros((20, 26), F)
        places = (1, 1, 3, 11), (1, 14, 4, 12), (6, 1, 4, 4), (6, 8, 4, 13), (12, 1, 6, 2), (12, 6, 8, 4)
        for i, (top, left, height, width) in enumerate(places):
            sizes[top:top + height, left:left + width] = 0.625 + i / 32
        square = np.zeros((7, 8), F)
        square[1:6, 2:7] = 0.75
        y, x = np.mgrid[:20, :24]
        half_way = np.where((abs(x - y - 2) <= 4) & (abs(x + y - 20) <= 10), F(0.75), F(0))
        nan = plane.copy()
        nan[3, 5:8] = np.nan
        for title, axis, limits in (("upright", (1, 0), (2, 9, 1, 5)), ("turned", (2, 1), (8, 40, -10, 12)),
                                    ("turned the other way", (3, -2), (-4, 30, 20, 61)), ("beyond the map", (1, 1), (-30, 60, -40, 50)),
                                    ("without a pixel", (2, 1), (3, 3, 2, 2))):
            case(f, f"mean in a rectangle, {title}", "FrameMeans", {"map": plane, "axes": np.array([axis]), "limits": np.array([limits])},
                 {"means": np.array([frame_mean(plane, axis, limits)])}, **NEAR)
        for title, some, settings in (("three lines and a dot", plane, {}), ("steep lines", steep, {}),
                                      ("one at most", plane, {"most": 1}), ("small ones too", plane, {"least": 0.5, "unclip": 2.0}),
                                      ("surer ones", plane, {"score": 0.7375}),
                                      ("a higher threshold", plane, {"threshold": 0.625, "score": 0.5, "least": 1.0}),
                                      ("lines of all sizes", sizes, {"unclip": 1.0}), ("a threshold that is met", square,
                                      {"unclip": 1.0, "least": 4.0, "score": 0.75}), ("half way between across and down", half_way, {}),
                                      ("no text", plane * 0, {}), ("nothing is sure", plane, {"score": 0.99}),
                                      ("what is no number", nan, {}), ("everything is text", np.ones((6, 8)), {}),
                                      ("one pixel", np.ones((1, 1)), {"least": 0.0})):
            inputs = {"map": np.asarray(some, F)[None, None], **rest}
            case(f, title, "DbText", inputs, db_text(*inputs.values(), **settings), attributes(settings), **NEAR)


if __name__ == "__main__":
    ragged_cases()
    region_cases()
    text_cases()
