#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""resize.py - writes tests/cases/resize and tests/cases/upsample from the definition.

Each axis has a matrix of weights, one row for each output, made tap by tap; positions are exact
fractions, and the matrices are applied in double. What PyTorch and Pillow can give is compared with
it on the way."""
import itertools
import math
from fractions import Fraction

import numpy as np
import torch
from PIL import Image

from text_case import File, round_to

HALF = Fraction(1, 2)
INTEGERS = {"int8": (-2**7, 2**7 - 1), "uint8": (0, 2**8 - 1), "int16": (-2**15, 2**15 - 1),
            "uint16": (0, 2**16 - 1), "int32": (-2**31, 2**31 - 1), "uint32": (0, 2**32 - 1),
            "int64": (-2**63, 2**63 - 1), "uint64": (0, 2**64 - 1)}


def position(o, n_in, n_out, scale, coordinates, roi):
    width, last = scale * n_in, n_in - 1
    if coordinates == "align_corners":
        return Fraction(o * last) / (width - 1) if n_out > 1 else Fraction(0)
    if coordinates == "tf_crop_and_resize":
        start, end = map(Fraction, roi)
        if n_out == 1:
            return (start + end) / 2 * last
        return start * last + o * (end - start) * last / (width - 1)
    if coordinates == "asymmetric":
        return o / scale
    if coordinates == "tf_half_pixel_for_nn":
        return (o + HALF) / scale
    if coordinates == "pytorch_half_pixel" and n_out == 1:
        return Fraction(0)
    shift = 0
    if coordinates == "half_pixel_symmetric":
        shift = Fraction(n_in, 2) * (1 - n_out / width)
    return shift + (o + HALF) / scale - HALF


def rounded(x, how):
    down = math.floor(x)
    if how == "floor" or x == down:
        return down
    if how == "ceil" or x - down > HALF:
        return down + 1
    return down + (how == "round_prefer_ceil" and x - down == HALF)


def weight_of(mode, d, a):
    d = abs(d)
    if mode == "linear":
        return max(1 - d, 0)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    return a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0


def row_of(x, n_in, scale, mode, nearest, a, exclude, antialias):
    row = np.zeros(n_in)
    if mode == "nearest":
        row[min(max(rounded(x, nearest), 0), n_in - 1)] = 1
        return row
    stretch = min(scale, 1) if antialias else Fraction(1)
    reach = math.ceil((2 if mode == "cubic" else 1) / stretch)
    taps = {j: float(weight_of(mode, (j - x) * stretch, Fraction(a)))
            for j in range(math.floor(x) - reach, math.floor(x) + reach + 1)}
    if exclude:
        taps = {j: w for j, w in taps.items() if 0 <= j < n_in}
    total = sum(taps.values()) if antialias or exclude else 1
    for j, w in taps.items():
        row[min(max(j, 0), n_in - 1)] += w / total
    return row


def resize(x, n_out, scales, mode="nearest", coordinates="half_pixel", nearest="round_prefer_floor",
           a=-0.75, exclude=0, antialias=0, roi=None, extrapolation=0.0):
    """n_out and scales (fractions) of all axes; roi: a pair for each axis."""
    y, outside = np.asarray(x, np.float64), np.zeros(n_out, bool)
    for axis, (n, scale) in enumerate(zip(n_out, scales)):
        n_in, matrix = x.shape[axis], []
        for o in range(n):
            at = position(o, n_in, n, scale, coordinates, roi and roi[axis])
            if coordinates == "tf_crop_and_resize" and not 0 <= at <= n_in - 1:
                index = [slice(None)] * x.ndim
                index[axis] = o
                outside[tuple(index)] = True
            matrix.append(row_of(at, n_in, scale, mode, nearest, a, exclude, antialias))
        if not (scale == 1 and coordinates != "tf_crop_and_resize"):
            y = np.moveaxis(np.tensordot(np.array(matrix).reshape(n, n_in), y, (1, axis)), 0, axis)
    return np.where(outside, extrapolation, y)


def stored(type_name, y):
    if type_name not in INTEGERS:
        return round_to(type_name, y)
    low, high = INTEGERS[type_name]
    return np.array([min(max(round(v), low), high) for v in y.ravel().tolist()],
                    object).reshape(y.shape)


def length(n, scale):
    return int(np.floor(np.float32(n) * np.float32(scale)))


def ratio(n_in, n_out, scale):
    """The exact scale that a float means."""
    exact = Fraction(n_out, n_in)
    return exact if np.float32(float(exact)) == np.float32(scale) else Fraction(float(np.float32(scale)))


def compare_torch(x, y, k):
    """PyTorch resizes the innermost axes of x, which has a batch and channels."""
    if x.ndim != 4 or x.shape[:2] != y.shape[:2] or k.get("roi") or y.size == 0:
        return
    mode, coordinates = k.get("mode", "nearest"), k.get("coordinates", "half_pixel")
    t, size, antialias = torch.from_numpy(x), y.shape[2:], k.get("antialias", 0)
    name = {"linear": "bilinear", "cubic": "bicubic"}.get(mode)
    if any(k["scales"][i] != Fraction(y.shape[i], x.shape[i]) for i in (2, 3)):
        return
    if mode == "nearest":
        if (coordinates, k.get("nearest")) == ("half_pixel", "round_prefer_ceil"):
            want = torch.nn.functional.interpolate(t, size, mode="nearest-exact")
        elif (coordinates, k.get("nearest")) == ("asymmetric", "floor"):
            want = torch.nn.functional.interpolate(t, size, mode="nearest")
        else:
            return
    elif coordinates not in ("half_pixel", "align_corners"):
        return
    elif antialias and (coordinates == "align_corners" or not k.get("exclude")):
        return
    elif mode == "cubic" and k.get("a", -0.75) != (-0.5 if antialias else -0.75):
        return
    elif not antialias and k.get("exclude") and mode == "cubic":
        return
    else:
        want = torch.nn.functional.interpolate(t, size, mode=name, antialias=bool(antialias),
                                               align_corners=coordinates == "align_corners")
    difference = np.abs(want.numpy() - y).max(initial=0)
    assert difference < 1e-6, (k, difference)
    if antialias and x.shape[:2] == (1, 1):
        kind = Image.BILINEAR if mode == "linear" else Image.BICUBIC
        picture = Image.fromarray(x[0, 0].astype(np.float32)).resize(size[::-1], kind)
        assert np.abs(np.array(picture) - y[0, 0]).max() < 1e-5, k


def attributes_of(k, opset):
    names = {"mode": "mode", "coordinates": "coordinate_transformation_mode",
             "nearest": "nearest_mode", "a": "cubic_coeff_a", "exclude": "exclude_outside",
             "antialias": "antialias", "extrapolation": "extrapolation_value",
             "policy": "keep_aspect_ratio_policy"}
    parts = [f'{names[n]} = {v!r}'.replace("'", '"') for n, v in k.items() if n in names]
    if "axes" in k:
        parts.append(f"axes = {list(k['axes'])}")
    return f"<{', '.join(parts)}> " if parts else ""


def add(f, title, x, type_name="float", opset=19, scales=None, sizes=None, roi=None, axes=None,
        policy=None, sections=("tolerance rtol 2e-6 atol 2e-6",), **k):
    """scales, sizes: of `axes`, all axes where these are None; roi: pairs likewise."""
    x = np.asarray(x)
    listed = [a % x.ndim for a in axes] if axes is not None else list(range(x.ndim))
    n_out, exact = list(x.shape), [Fraction(1)] * x.ndim
    if scales is not None:
        for a, s in zip(listed, scales):
            n_out[a] = length(x.shape[a], s)
            exact[a] = ratio(x.shape[a], n_out[a], s)
    else:
        ratios = [Fraction(s, x.shape[a]) for a, s in zip(listed, sizes)]
        if policy in ("not_larger", "not_smaller"):
            ratios = [(min if policy == "not_larger" else max)(ratios)] * len(ratios)
        for a, r, s in zip(listed, ratios, sizes):
            exact[a] = r
            n_out[a] = math.floor(r * x.shape[a] + HALF) if policy not in (None, "stretch") else s
    pairs = None
    if roi is not None:
        pairs = [(0, 1)] * x.ndim
        for a, p in zip(listed, roi):
            pairs[a] = p
    if type_name in ("bool", "string"):
        index = np.arange(x.size).reshape(x.shape)
        y = x.ravel()[resize(index, n_out, exact, **k).astype(int)]
    elif type_name.startswith("complex"):
        y = resize(x.real, n_out, exact, **k) + 1j * resize(x.imag, n_out, exact, **k)
        y = round_to(type_name, y)
    else:
        y = resize(x, n_out, exact, roi=pairs, **k)
        if type_name == "float":
            compare_torch(x.astype(np.float64), y, {**k, "scales": exact, "roi": roi})
        y = stored(type_name, y)
    inputs, names = {"X": (type_name, x)}, ["X"]
    if opset > 10:
        given = {"roi": None if roi is None else ("float", np.array(roi).T.ravel()),
                 "scales": None if scales is None else ("float", np.array(scales)),
                 "sizes": None if sizes is None else ("int64", np.array(sizes))}
        if opset == 11:  # the standard's empty tensors
            given["roi"] = given["roi"] or ("float", np.array([]))
            given["scales"] = given["scales"] or ("float", np.array([]))
        names += [n if v else '""' for n, v in given.items()]
        inputs.update({n: v for n, v in given.items() if v})
        while names[-1] == '""':
            names.pop()
    else:
        names.append("scales")
        inputs["scales"] = ("float", np.array(scales))
    k = {**k, **({"axes": axes} if axes is not None else {}), **({"policy": policy} if policy else {})}
    f.add(title, opset, f"Resize {attributes_of(k, opset)}({', '.join(names)})", inputs,
          (type_name, y), [] if type_name in INTEGERS or type_name in ("bool", "string") else sections)


def noise(seed, *dims):
    return np.random.default_rng(seed).integers(-16, 17, dims) / 4


COORDINATES = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
               "asymmetric", "tf_half_pixel_for_nn")
SIZES = {"grows": [1, 1, 7, 9], "shrinks": [1, 1, 2, 3], "one": [1, 1, 1, 1]}
SCALES = {"grows": [1, 1, 1.7, 2.0], "shrinks": [1, 1, 0.6, 0.4]}


def sums_of_neighbours():
    for mode in ("linear", "cubic"):
        with File(f"resize/{mode}.onnxtxt", "Written by tests/oracle/resize.py.") as f:
            for c, (how, sizes) in itertools.product(COORDINATES, SIZES.items()):
                add(f, f"{c}, sizes, {how}", noise(1, 1, 1, 4, 5), sizes=sizes, mode=mode,
                    coordinates=c)
            for c, (how, scales) in itertools.product(COORDINATES, SCALES.items()):
                add(f, f"{c}, scales, {how}", noise(2, 1, 1, 5, 6), scales=scales, mode=mode,
                    coordinates=c)
            for c, (how, sizes) in itertools.product(("half_pixel", "asymmetric"), SIZES.items()):
                add(f, f"{c}, outside excluded, {how}", noise(3, 1, 2, 4, 5), sizes=[1, 2] + sizes[2:],
                    mode=mode, coordinates=c, exclude=1)
            for a in (-0.5, 0.25) if mode == "cubic" else ():
                for exclude in (0, 1):
                    add(f, f"coefficient {a}, exclude_outside {exclude}", noise(4, 1, 1, 4, 4),
                        sizes=[1, 1, 9, 3], mode=mode, a=a, exclude=exclude)


def stretched_filters():
    with File("resize/antialias.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        for mode, exclude, (h, w) in itertools.product(("linear", "cubic"), (0, 1),
                                                       ((3, 4), (2, 9), (13, 3), (1, 1))):
            k = {"a": -0.5} if mode == "cubic" else {}
            add(f, f"{mode} to {h} x {w}, exclude_outside {exclude}", noise(5, 1, 1, 8, 7), opset=18,
                sizes=[1, 1, h, w], mode=mode, antialias=1, exclude=exclude, **k)
        for c in COORDINATES:
            add(f, f"cubic, {c}", noise(6, 1, 1, 9, 5), scales=[1, 1, 0.4, 0.7], mode="cubic",
                coordinates=c, antialias=1)
        add(f, "far fewer", noise(7, 1, 100), sizes=[1, 3], mode="linear", antialias=1)
        add(f, "nothing to nearest", noise(7, 1, 6), sizes=[1, 3], mode="nearest", antialias=1)


def nearest():
    with File("resize/nearest.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        for c, r, (how, sizes) in itertools.product(
                COORDINATES, ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
                SIZES.items()):
            add(f, f"{c}, {r}, {how}", noise(8, 1, 1, 4, 6), sizes=sizes, coordinates=c, nearest=r,
                sections=())
        for c, r in itertools.product(("half_pixel", "asymmetric"), ("floor", "ceil")):
            for s in (1 / 3, 4 / 3, 0.7, 2.5):
                add(f, f"{c}, {r}, scale {np.float32(s)}", noise(9, 1, 12), scales=[1, float(np.float32(s))],
                    coordinates=c, nearest=r, sections=())


def crops():
    with File("resize/crop.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        x, rois = noise(10, 1, 1, 5, 6), {
            "within": [(0, 1), (0, 1), (0.25, 0.75), (0.5, 0.875)],
            "beyond": [(0, 1), (0, 1), (-0.25, 0.75), (0.5, 1.5)],
            "reversed": [(0, 1), (0, 1), (1, 0), (0.75, 0.25)]}
        for mode, (how, roi) in itertools.product(("nearest", "linear", "cubic"), rois.items()):
            add(f, f"{mode}, {how}", x, sizes=[1, 1, 3, 4], roi=roi, mode=mode,
                coordinates="tf_crop_and_resize", extrapolation=10.5)
            add(f, f"{mode}, {how}, one output", x, sizes=[1, 1, 1, 4], roi=roi, mode=mode,
                coordinates="tf_crop_and_resize", extrapolation=10.5)
        add(f, "scales", x, scales=[1, 1, 0.6, 1.3], roi=rois["within"], mode="linear",
            coordinates="tf_crop_and_resize", opset=11)
        add(f, "the batch is cropped too", noise(11, 3, 2, 2), sizes=[4, 2, 2], opset=13,
            roi=[(0, 1.5), (0, 1), (0, 1)], mode="linear", coordinates="tf_crop_and_resize",
            extrapolation=-1.0)
        add(f, "axes", x, sizes=[4, 3], axes=[3, -2], roi=[(0.5, 0.875), (-0.5, 0.5)], mode="linear",
            coordinates="tf_crop_and_resize", extrapolation=7.0)
        for t, e in (("uint8", 300.0), ("int8", -2.5), ("float16", 0.1), ("int64", 3.5), ("double", 0.25)):
            add(f, f"outside, {t}", [[[[1, 2], [3, 4]]]], t, sizes=[1, 1, 2, 3], mode="linear",
                roi=[(0, 1), (0, 1), (0, 1), (0, 2)], coordinates="tf_crop_and_resize",
                extrapolation=e, sections=())


def lengths():
    with File("resize/lengths.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        x = noise(12, 1, 2, 4, 6)
        for policy, (h, w) in itertools.product(("stretch", "not_larger", "not_smaller"),
                                                ((6, 6), (3, 10), (2, 3), (9, 13))):
            for mode in ("nearest", "linear", "cubic"):
                add(f, f"{policy} {h} x {w}, {mode}", x, sizes=[h, w], axes=[2, 3], policy=policy,
                    mode=mode, opset=18)
        for axes in ((3, 2), (-1,), (1, 3), (0, 1, 2, 3)):
            add(f, f"axes {axes}, scales", x, scales=[1.5, 0.5, 2.0, 1.25][:len(axes)], axes=axes,
                mode="linear", opset=18)
            add(f, f"axes {axes}, sizes", x, sizes=[3, 5, 2, 7][:len(axes)], axes=axes, mode="cubic")
        add(f, "half of it rounds up", noise(13, 1, 3), sizes=[1, 3], axes=[1, 0], policy="not_larger",
            mode="linear")
        add(f, "an axis becomes empty", x, scales=[1, 1, 0.2, 1], mode="linear")
        add(f, "size 0", x, sizes=[1, 2, 0, 6], mode="cubic")
        add(f, "0.7 of 10 is 7", noise(14, 10), scales=[0.7], mode="linear")


def ranks():
    with File("resize/ranks.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        for mode in ("nearest", "linear", "cubic"):
            add(f, f"1 axis, {mode}", noise(15, 7), sizes=[12], mode=mode)
            add(f, f"3 axes of a volume, {mode}", noise(16, 1, 2, 3, 4, 3), sizes=[1, 2, 5, 2, 6],
                mode=mode)
            add(f, f"all 4 axes, {mode}", noise(17, 2, 3, 4, 3), sizes=[3, 2, 6, 5], mode=mode)
            add(f, f"channels last, {mode}", noise(18, 1, 4, 5, 3), sizes=[1, 7, 3, 3], mode=mode)
            add(f, f"many channels last, {mode}", noise(19, 1, 2, 3, 20), sizes=[1, 3, 5, 20],
                mode=mode)
            add(f, f"axes apart, {mode}", noise(20, 3, 2, 4), sizes=[5, 2, 3], mode=mode)
            add(f, f"7 axes, {mode}", noise(21, 1, 2, 1, 2, 3, 1, 2), sizes=[1, 3, 1, 2, 2, 2, 3],
                mode=mode)
        add(f, "nothing changes", noise(22, 2, 3), sizes=[2, 3], mode="cubic", sections=())
        add(f, "rows of 300", noise(23, 2, 300), scales=[2, 0.5], mode="linear")
        add(f, "70 rows", noise(24, 70, 3), scales=[1.5, 2], mode="cubic")


def types():
    reals = {"float16": 16, "bfloat16": 16, "float": 64, "double": 64}
    with File("resize/types.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        rng = np.random.default_rng(25)
        for t, mode in itertools.product((*reals, *INTEGERS), ("nearest", "linear", "cubic")):
            opset = 13 if t == "bfloat16" else 11
            low, high = (max(INTEGERS[t][0], -2**20), min(INTEGERS[t][1], 2**20)) if t in INTEGERS else (-64, 64)
            x = rng.integers(low, high + 1, (1, 2, 3, 4))
            for how, scales in (("grows", [1, 1, 2, 2]), ("shrinks", [1, 1, 1, 0.5])):
                add(f, f"{t}, {mode}, {how}", x, t, opset, scales=scales, mode=mode,
                    coordinates="half_pixel",
                    sections=() if t in ("float16", "bfloat16") else ("tolerance rtol 2e-6 atol 2e-6",))
        for t in ("int8", "uint8", "int16", "uint16", "int32", "uint32"):
            low, high = INTEGERS[t]
            add(f, f"{t} saturates", [low, low, high, high, low], t, sizes=[13], mode="cubic")
            add(f, f"{t}, ties to even", [0, 1, 2, 4, 5, 7, 8, 10], t, sizes=[4], mode="linear")
        z = noise(26, 1, 3, 3) + 1j * noise(27, 1, 3, 3)
        for t, mode in itertools.product(("complex64", "complex128"), ("nearest", "linear", "cubic")):
            add(f, f"{t}, {mode}", z, t, sizes=[1, 4, 5], mode=mode)
        add(f, "bool", rng.integers(0, 2, (2, 3)).astype(bool), "bool", sizes=[3, 5])
        add(f, "string", np.array([["a", "bc"], ["", "d"]], object), "string", sizes=[3, 5])
        for opset in (11, 13, 18, 19):
            add(f, f"version {opset}", noise(28, 2, 3), opset=opset, sizes=[3, 4], mode="linear")
            add(f, f"version {opset}, scales", noise(28, 2, 3), opset=opset, scales=[1.5, 2], mode="cubic")


def old_forms():
    """Version 10 of Resize, and Upsample: positions are o / scale."""
    x = noise(29, 1, 1, 3, 4)
    with File("resize/version_10.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        for mode, s in itertools.product(("nearest", "linear"), ((2, 3), (1.5, 2.5), (0.5, 0.75), (0.6, 2))):
            scales = [1, 1, *s]
            y_down = [resize(x, [1, 1, length(3, s[0]), length(4, s[1])],
                             [Fraction(1), Fraction(1), ratio(3, length(3, s[0]), s[0]), ratio(4, length(4, s[1]), s[1])],
                             mode, "asymmetric", r) for r in ("floor", "ceil")]
            y = y_down[s[0] < 1] if mode == "linear" or (s[0] < 1) == (s[1] < 1) else None
            if y is None:  # ceil where an axis shrinks
                rows = resize(x, [1, 1, length(3, s[0]), 4], [Fraction(1), Fraction(1), ratio(3, length(3, s[0]), s[0]), Fraction(1)],
                              mode, "asymmetric", "ceil")
                y = resize(rows, [1, 1, rows.shape[2], length(4, s[1])],
                           [Fraction(1)] * 3 + [ratio(4, length(4, s[1]), s[1])], mode, "asymmetric", "floor")
            f.add(f"{mode}, {s[0]} x {s[1]}", 10, f'Resize <mode = "{mode}"> (X, scales)',
                  {"X": ("float", x), "scales": ("float", np.array(scales))}, ("float", round_to("float", y)),
                  ["tolerance rtol 2e-6 atol 2e-6"])
    with File("upsample/versions.onnxtxt", "Written by tests/oracle/resize.py.") as f:
        for mode, s in itertools.product(("nearest", "linear"), ((2, 3), (1.5, 2.5), (1, 1.25))):
            out = [1, 1, length(3, s[0]), length(4, s[1])]
            exact = [Fraction(1), Fraction(1), ratio(3, out[2], s[0]), ratio(4, out[3], s[1])]
            for t in ("float", "double", "int32", "bool") if mode == "nearest" else ("float", "float16", "int64"):
                source = {"int32": x * 240, "int64": x * 240, "bool": x > 0}.get(t, x)
                source = source.astype(int) if t in INTEGERS else source
                y = stored(t, resize(source, out, exact, mode, "asymmetric", "floor"))
                y = y.astype(bool) if t == "bool" else y
                old = "bilinear" if mode == "linear" else mode
                tolerance = ["tolerance rtol 2e-6 atol 2e-6"] if t in ("float", "double") else []
                f.add(f"version 1, {mode}, {t}, {s[0]} x {s[1]}", 1,
                      f'Upsample <mode = "{old}", height_scale = {s[0]:.2f}, width_scale = {s[1]:.2f}> (X)',
                      {"X": (t, source)}, (t, y), tolerance)
                f.add(f"version 7, {mode}, {t}, {s[0]} x {s[1]}", 7,
                      f'Upsample <mode = "{mode}", scales = [1.0, 1.0, {s[0]:.2f}, {s[1]:.2f}]> (X)',
                      {"X": (t, source)}, (t, y), tolerance)
                f.add(f"version 9, {mode}, {t}, {s[0]} x {s[1]}", 9,
                      f'Upsample <mode = "{mode}"> (X, scales)',
                      {"X": (t, source), "scales": ("float", np.array([1, 1, *s]))}, (t, y), tolerance)


if __name__ == "__main__":
    sums_of_neighbours()
    stretched_filters()
    nearest()
    crops()
    lengths()
    ranks()
    types()
    old_forms()
