#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""models.py OCELLUS MODULES [--packages FOLDER] [--light FOLDER] [FOLDER...] - models that others made.

Runs each in Ocellus and in ONNX Runtime (MODULES holds node_modules/onnxruntime-node), with one
thread, on inputs of the kind that the model was made for: a photograph, a page of text. Prints the
largest difference relative to the output's range, the median time and the memory of both.

  --packages  a folder in which npm's packages of models lie unpacked: package names as folders
  --light     ONNX's light networks, with their outputs, which are compared as well
  FOLDER      any other .onnx files, on a photograph or made-up numbers

Where the two differ by more than 1e-4 the model runs in Ocellus in double as well, and the line tells
how far each is from that: "exact OURS / THEIRS".

Exits with 1 where the two differ by more than 1e-3 (and, in double, Ocellus is twice as far off as ONNX
Runtime: a model that chooses or counts jumps with the last bit of a value), where Ocellus takes more
than 4 times as long, or more than 1.5 times the memory (above 40 MB, which any process may take)."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

import doubled
import engines

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PHOTO, FACE, PAGE = (EXAMPLES / name for name in ("demo/photo.jpg", "detect/face.jpg", "ocr/page.png"))
MEAN, STD = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])


def picture(path, height, width, box=None):
    """float[height,width,3], 0 to 1."""
    image = Image.open(path).convert("RGB").crop(box) if box else Image.open(path).convert("RGB")
    return np.asarray(image.resize((width, height), Image.BILINEAR), np.float32) / 255


def planes(x):
    return np.ascontiguousarray(x.transpose(2, 0, 1)[None])


def line_of_text(width):
    return planes(picture(PAGE, 48, width, (36, 24, 420, 72)) * 2 - 1)


def on_photo(size):
    x = picture(PHOTO, size, size) * 255
    return np.concatenate([x, np.ones((size, size, 1), np.float32)], 2)[None]


# What the models of packages read: a pattern of the file's name, and the first input.
KNOWN = [
    (r"det_infer", lambda: planes((picture(PAGE, 320, 640) - MEAN) / STD)),
    (r"rec_infer", lambda: line_of_text(384)),
    (r"cls_infer", lambda: line_of_text(192)),
    (r"mlsd_(320|512)", lambda size: on_photo(int(size))),
    (r"face_detection_\w+_(128|256)x", lambda size: picture(FACE, int(size), int(size))[None] * 2 - 1),
    (r"(RFB|slim)-", None),  # the size is declared; the range is that of made_up
]
TYPES = {"float": np.float32, "double": np.float64, "int64": np.int64, "int32": np.int32, "uint8": np.uint8,
         "bool": np.bool_}
SIZES = {"H": 240, "W": 320, "height": 240, "width": 320}


def made_up(port, random):
    """A photograph where the input looks like one, else numbers between 0 and 1."""
    dims = [d if isinstance(d, int) else SIZES.get(d, 3 if d == "channels" else 2 if d == "num_rois" else 1)
            for d in port["shape"]]
    kind = TYPES[port["type"]]
    if len(dims) == 4 and dims[1] == 3:
        x = np.repeat(planes(picture(PHOTO, *dims[2:])), dims[0], 0)
    elif len(dims) == 4 and dims[3] == 3:
        x = np.repeat(picture(PHOTO, *dims[1:3])[None], dims[0], 0)
    elif dims[1:] == [5]:  # regions: image, then two corners
        x = np.float32([[0, 20, 30, 90, 120], [0, 100.5, 7.25, 300, 200]])[:dims[0]]
    else:
        x = random.random(dims, np.float32)
    return (x * 255 if kind == np.uint8 else x).astype(kind)


def feeds_of(command, path):
    told = json.loads(subprocess.run([command, "inspect", "--json", path], capture_output=True, text=True).stdout)
    ports = [p for p in told["inputs"] if not p["has_default"]]
    if "light_" in path.name:
        n = int(np.prod(ports[0]["shape"]))
        return {ports[0]["name"]: (np.arange(n).reshape(ports[0]["shape"]) / n).astype(np.float32)}
    random = np.random.default_rng(1)
    feeds = {p["name"]: made_up(p, random) for p in ports}
    for pattern, make in KNOWN:
        found = re.search(pattern, path.name)
        if found and make:
            feeds[ports[0]["name"]] = make(*found.groups())
    return feeds


def expected_of(path):
    """The outputs beside one of the light networks."""
    import onnx
    from onnx import numpy_helper
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.with_name(f"{path.stem}_output_0.pb").read_bytes())
    return numpy_helper.to_array(tensor)


def worst_of(a, b):
    return max((engines.difference(x, y) for x, y in zip(a.outputs.values(), b.outputs.values())), default=np.inf)


def from_exact(args, path, feeds, *results):
    """The distances of the results from those of the model in double."""
    with tempfile.TemporaryDirectory() as folder:
        doubled.double(path, f"{folder}/m.onnx")
        feeds = {k: v.astype(np.float64) if v.dtype == np.float32 else v for k, v in feeds.items()}
        exact = engines.Ocellus(args.command)(f"{folder}/m.onnx", feeds, 0)
    return [worst_of(r, exact) for r in results]


def judge(ours, theirs):
    """A line of figures, and what is wrong with them."""
    worst = worst_of(ours, theirs)
    time, memory = ours.median() / max(theirs.median(), 0.05), ours.megabytes / max(theirs.megabytes, 1)
    wrong = [word for word, bad in (("DIFFERS", worst > 1e-3), ("SLOW", time > 4),
                                    ("LARGE", memory > 1.5 and ours.megabytes > 40)) if bad]
    return (f"{worst:.1e}  {ours.median():.2f} / {theirs.median():.2f} ms x{time:.2f}  "
            f"{ours.megabytes:.0f} / {theirs.megabytes:.0f} MB x{memory:.2f}"), wrong


def try_model(args, path):
    try:
        feeds = feeds_of(args.command, path)
        ours = engines.Ocellus(args.command)(path, feeds, args.runs)
    except engines.Failed as error:
        return str(error), ["FAILED"]
    except json.JSONDecodeError:
        return "inspect cannot read it", ["FAILED"]
    try:
        theirs = engines.OnnxRuntime(args.modules)(path, feeds, args.runs)
    except engines.Failed as error:
        return f"ONNX Runtime: {error}", []
    text, wrong = judge(ours, theirs)
    if worst_of(ours, theirs) > 1e-4:
        far, theirs_far = from_exact(args, path, feeds, ours, theirs)
        text += f"  exact {far:.1e} / {theirs_far:.1e}"
        wrong = [w for w in wrong if w != "DIFFERS" or far > max(1e-3, 2 * theirs_far)]
    if "light_" in path.name:
        far = engines.difference(next(iter(ours.outputs.values())), expected_of(path))
        text += f"  {far:.1e} from ONNX's"
        wrong += ["ONNX"] if far > 1e-3 else []
    return text, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("modules")
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--light", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    roots = [r for r in (args.packages, args.light, *args.folders) if r]
    paths = sorted(p for root in roots for p in root.rglob("*.onnx"))
    bad = 0
    for path in paths:
        text, wrong = try_model(args, path)
        bad += bool(wrong)
        print(f"{path.stem}  {text}  {' '.join(wrong)}".rstrip(), flush=True)
    print(f"{len(paths)} models, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
