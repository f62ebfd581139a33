#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""torchvision_models.py OCELLUS MODULES [NAME...] - every network of torchvision, run by three.

Builds each network of torchvision (all but the quantized spellings) with seeded random weights, gives
its BatchNormalization the statistics of a photograph, exports it by PyTorch's exporter, and runs the
file in Ocellus and in ONNX Runtime (the folder MODULES holds node_modules/onnxruntime-node); PyTorch
itself has computed the outputs. Prints a line for each file: largest differences relative to the
output's range, median times of one thread, most resident memory; and writes the lines to --report as
JSON, one each. Of a detector, each of PyTorch's boxes must be among ours, with its label and score.

Where a difference from PyTorch passes 1e-4, PyTorch computes the network again in double, and the line
tells how far from that Ocellus is, and PyTorch in float: "exact OURS / THEIRS".

Exits with 1 if Ocellus refuses a file, or if it is more than 1e-4 away from all of PyTorch, ONNX Runtime
and the exact outputs, and farther from these than PyTorch in float. What the exporter cannot write is
said so and is no failure."""
import argparse
import copy
import json
import pathlib
import sys
import tempfile
import time
import warnings

import numpy as np
import onnx
import torch
import torchvision
from PIL import Image

import engines

PHOTO = pathlib.Path(__file__).parents[2] / "examples/demo/photo.jpg"
DETECTORS = ("rcnn", "retinanet", "fcos", "ssd")
SCORES = ("cls_score", "cls_logits", "mask_fcn_logits")  # layers whose outputs become scores


def photo(height, width):
    """The demonstration's photograph as float[1,3,height,width], 0 to 1."""
    image = Image.open(PHOTO).convert("RGB").resize((width, height), Image.BILINEAR)
    return torch.from_numpy(np.asarray(image, np.float32) / 255).permute(2, 0, 1)[None]


def normalised(x):
    mean, std = (torch.tensor(v).view(1, 3, 1, 1) for v in ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    return (x - mean) / std


def is_detector(name):
    return any(word in name for word in DETECTORS)


def inputs_of(name, model):
    """The inputs of the network, at the size that it demands or that its published weights were made
    for."""
    if name.startswith("raft"):
        return tuple(2 * photo(264, 328)[:, :, y:y + 256, x:x + 320] - 1 for y, x in ((0, 0), (5, 3)))
    if is_detector(name):
        small = "ssd" in name or "320" in name
        return (photo(*((300, 300) if small else (480, 640))),)
    try:
        size = torchvision.models.get_model_weights(name).DEFAULT.transforms().crop_size
    except AttributeError:
        size = [520 if "deeplab" in name or "fcn" in name or "lraspp" in name else 224]
    size = getattr(model, "image_size", size[-1])
    x = normalised(photo(size, size))
    if "18" in name and "resnet" not in name or name.startswith("mvit") or name == "s3d":  # video
        frames = 16
        return (torch.stack([torch.roll(x[0], 2 * t, 2) for t in range(frames)], 1)[None],)
    return (x,)


def mirrored(x):
    """Two for one: the input and its mirror image, so that no layer sees a single value."""
    return x + [x[0].flip(-1)] if isinstance(x, list) else torch.cat([x, x.flip(-1)])


def calibrate(model, inputs):
    """BatchNormalization gets the statistics of what reaches it; layers of scores get a spread that
    makes some pass and most fail, as trained ones do."""
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    for m in norms:
        m.momentum = None
        m.train()

    def spread(module, _, out):
        if not module.done:
            factor = 1 / max(float(out.std()), 1e-6)
            module.weight.data *= factor
            module.done = True
            return out * factor
        return out
    hooks = []
    for key, m in model.named_modules():
        if key.rsplit(".", 1)[-1] in SCORES and hasattr(m, "weight"):
            m.done = False
            hooks.append(m.register_forward_hook(spread))
    if norms or hooks:
        model(*(mirrored(x) for x in inputs))
    for h in hooks:
        h.remove()
    model.eval()


class Whole:
    """A tensor whose parts are replaced, not written into. Of x[:, :, 1:, 1:] += y the exporter makes a
    ScatterND whose indices are tables of gigabytes."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, where):
        return self.x[where].clone()

    def __setitem__(self, where, part):
        for axis in reversed([a for a, piece in enumerate(where) if piece.start == 1]):
            first = where[:axis] + (slice(1),)
            part = torch.cat([self.x[first], part], axis)
        self.x = part


add_positions = torchvision.models.video.mvit._add_rel_pos


def add_positions_to_whole(attention, *options):
    whole = Whole(attention)
    add_positions(whole, *options)
    return whole.x


def build(name):
    torch.manual_seed(0)
    options = {"weights": None}
    if is_detector(name) or any(word in name for word in ("deeplab", "fcn", "lraspp")):
        options["weights_backbone"] = None
    if name in ("googlenet", "inception_v3"):
        options["init_weights"] = True
    model = torchvision.models.get_model(name, **options).eval()
    # Without gradients PyTorch runs a transformer's attention by an operator that it cannot export.
    model.requires_grad_(name.startswith("vit"))
    stabilize(model)
    inputs = inputs_of(name, model)
    if is_detector(name):
        inputs = ([inputs[0][0]],)
    calibrate(model, inputs)
    if name.startswith("swin_v2"):
        clear_keys(model)
    return model, inputs


def stabilize(model):
    """Blocks add a small part to what they are given, as trained ones do: with the full scale of new
    ones the numbers of a network of a hundred layers grow, and every engine's rounding with them."""
    for m in model.modules():
        if isinstance(m, torchvision.models.resnet.BasicBlock):
            torch.nn.init.constant_(m.bn2.weight, 0.3)
        elif isinstance(m, torchvision.models.resnet.Bottleneck):
            torch.nn.init.constant_(m.bn3.weight, 0.3)
        elif isinstance(m, torch.nn.Linear) and not m.weight.any():  # the new head of a ViT: all outputs 0
            torch.nn.init.normal_(m.weight, std=0.05)


def clear_keys(model):
    """Swin V2 sets the bias of its keys to 0 in every run, by an operator that the exporter does not
    know: where they are 0 already, it may be left out."""
    for m in model.modules():
        if isinstance(m, torchvision.models.swin_transformer.ShiftedWindowAttentionV2):
            m.qkv.bias.data[m.qkv.bias.numel() // 3:2 * m.qkv.bias.numel() // 3] = 0


def leave_zero_out():
    for opset in range(7, 18):
        torch.onnx.register_custom_op_symbolic("aten::zero", lambda graph, x: x, opset)


def flat(outputs):
    """The tensors of a network's result, in the exporter's order."""
    if isinstance(outputs, torch.Tensor):
        return [outputs.detach().numpy()]
    values = outputs.values() if isinstance(outputs, dict) else outputs
    return [array for value in values for array in flat(value)]


def parts_of(arrays):
    """Boxes, scores, labels, and what else there is of each: a mask, points, scores of points."""
    boxes = next(a for a in arrays if a.ndim == 2 and a.shape[1] == 4)
    labels = next(a for a in arrays if a.dtype == np.int64)
    scores = next(a for a in arrays if a.ndim == 1 and a.dtype != np.int64)
    return boxes, scores, labels, [a for a in arrays if not any(a is b for b in (boxes, labels, scores))]


def boxes_differ(ours, theirs, size):
    """The largest difference of scores between their detections and ours with the same label and box
    (within a thousandth of the picture); inf if one of theirs has no such partner. The note has the
    median, over detections, of the largest difference of what else belongs to each."""
    (b0, s0, l0, more0), (b1, s1, l1, more1) = parts_of(ours), parts_of(theirs)
    worst, alone, others = 0.0, 0, []
    for i, (box, score, label) in enumerate(zip(b1, s1, l1)):
        near = np.flatnonzero((l0 == label) & (np.abs(b0 - box).max(1) <= size / 1000))
        if not near.size:
            alone += 1
            continue
        partner = near[np.abs(s0[near] - score).argmin()]
        worst = max(worst, float(abs(s0[partner] - score)))
        others += [engines.difference(x[partner], y[i]) for x, y in zip(more0, more1)]
    if alone or len(b0) != len(b1):
        return np.inf, f"{len(b0)} boxes, theirs {len(b1)}, of which {alone} without partner; scores {worst:.1e}"
    return worst, f"{len(b1)} boxes" + (f", others {np.median(others):.1e}" if others else "")


def exact_outputs(model, inputs):
    """PyTorch's, in double."""
    def double(x):
        return [v.double() for v in x] if isinstance(x, list) else x.double()
    return flat(copy.deepcopy(model).double()(*map(double, inputs)))


def compare(name, ours, theirs):
    ours, theirs = list(ours), list(theirs)
    if is_detector(name):
        return boxes_differ(ours, theirs, 640)
    if len(ours) != len(theirs):
        return np.inf, f"{len(ours)} outputs, not {len(theirs)}"
    return max(engines.difference(a, b) for a, b in zip(ours, theirs)), ""


def repair(path):
    """The exporter of torchvision 0.14 leaves out the mode of RoiAlign, whose default changed in
    version 16."""
    model = onnx.load(path)
    for node in model.graph.node:
        if node.op_type == "RoiAlign" and all(a.name != "coordinate_transformation_mode" for a in node.attribute):
            node.attribute.append(onnx.helper.make_attribute("coordinate_transformation_mode", "output_half_pixel"))
    onnx.save(model, path)


def export(model, inputs, path, opset):
    """Writes the file, and returns the tensors that a graph input each carries, by name."""
    tensors = inputs[0] if isinstance(inputs[0], list) else list(inputs)
    names = [f"image{i}" for i in range(len(tensors))]
    torch.onnx.export(model, inputs, path, opset_version=opset, input_names=names)
    if opset >= 16 and any("roi" in name for name, _ in model.named_modules()):
        repair(path)
    return {n: t.numpy() for n, t in zip(names, tensors)}


def run_engine(engine, path, feeds, runs):
    try:
        return engine(path, feeds, runs)
    except engines.Failed as error:
        return str(error)


def try_file(args, name, model, inputs, expected, opset, folder):
    line = {"name": name, "opset": opset}
    path = f"{folder}/{name}-{opset}.onnx"
    started = time.time()
    try:
        feeds = export(model, inputs, path, opset)
    except Exception as error:  # the exporter raises what it likes
        line["exporter"] = str(error).strip().splitlines()[0][:200] if str(error).strip() else repr(error)
        return line
    line["export_s"] = round(time.time() - started)
    ours = run_engine(engines.Ocellus(args.command), path, feeds, args.runs)
    theirs = run_engine(engines.OnnxRuntime(args.modules), path, feeds, args.runs)
    if isinstance(ours, str):
        line["ocellus"] = ours
    else:
        line["torch"], line["note"] = compare(name, ours.outputs.values(), expected)
        line.update(ms=ours.median(), mb=ours.megabytes)
        if line["torch"] > 1e-4:
            exact = exact_outputs(model, inputs)
            line["exact"] = compare(name, ours.outputs.values(), exact)[0]
            line["torch_exact"] = compare(name, expected, exact)[0]
    if isinstance(theirs, str):
        line["onnxruntime"] = theirs
    else:
        line.update(ort_ms=theirs.median(), ort_mb=theirs.megabytes)
        line["ort_torch"] = compare(name, theirs.outputs.values(), expected)[0]
        if not isinstance(ours, str):
            line["ort"] = compare(name, ours.outputs.values(), theirs.outputs.values())[0]
    if not args.keep:
        for file in pathlib.Path(folder).iterdir():
            file.unlink()
    return line


def told(line):
    if "exporter" in line:
        return f"the exporter cannot: {line['exporter']}"
    if "ocellus" in line:
        return f"FAILED: {line['ocellus']}"
    text = f"torch {line['torch']:.1e}  {line['ms']:.0f} ms  {line['mb']:.0f} MB"
    if "exact" in line:
        text += f"  exact {line['exact']:.1e} / {line['torch_exact']:.1e}"
    if "onnxruntime" in line:
        return f"{text}  ONNX Runtime: {line['onnxruntime']}"
    return (f"{text}  ONNX Runtime {line['ort']:.1e} (torch {line['ort_torch']:.1e})  {line['ort_ms']:.0f} ms  "
            f"{line['ort_mb']:.0f} MB  time x{line['ms'] / line['ort_ms']:.2f}  "
            f"memory x{line['mb'] / max(line['ort_mb'], 1):.2f}  {line['note']}")


def passes(line):
    if "exporter" in line or "ocellus" in line:
        return "exporter" in line
    near = min(line["torch"], line.get("ort", np.inf), line.get("exact", np.inf)) <= 1e-4
    return near or line["exact"] <= line["torch_exact"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("modules")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--opsets", default="11,17")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", help="a folder in which the files stay")
    parser.add_argument("--report", help="a file to which a line of JSON is added for each model")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    leave_zero_out()
    torchvision.models.video.mvit._add_rel_pos = add_positions_to_whole
    names = args.names or [n for n in torchvision.models.list_models() if not n.startswith("quantized")]
    failed = 0
    for name in names:
        model, inputs = build(name)
        expected = flat(model(*inputs))
        for opset in map(int, args.opsets.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                line = try_file(args, name, model, inputs, expected, opset, args.keep or folder)
            failed += not passes(line)
            print(f"{name}-{opset}  {told(line)}", flush=True)
            if args.report:
                with open(args.report, "a", encoding="utf-8") as f:
                    f.write(json.dumps(line) + "\n")
        del model
    print(f"{failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
