#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""compare_shapes.py OCELLUS PATH... - the shapes that follow before a run, beside ONNX's own.

Of each model, a file or those below a folder, the declared shapes of outputs and inner values are
taken out, so that both must find them: ONNX by onnx.shape_inference (strict, with data
propagation), Ocellus by `ocellus inspect --shapes`. Compares rank and dims of each tensor of the
main graph that nodes make, where a dim is a number or a text of the inputs' names; names that ONNX
makes up are none. Prints a table, and a line for each value of which ONNX knows more, or another
dim. Exits with 1 if there are any that ONNX's
own faults (explanation) do not explain, and with 77 where Python has no onnx."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import onnx
    import onnx.shape_inference
except ImportError:
    print("python3-onnx is not installed: nothing is compared")
    sys.exit(77)


def explanation(model):
    """Why ONNX may be wrong about the model, or know more than holds in each run; None: it may not."""
    newest = {"": onnx.defs.onnx_opset_version(), "ai.onnx": onnx.defs.onnx_opset_version()}
    if any(o.version > newest.get(o.domain, o.version) for o in model.opset_import):
        return "its opset is newer than this ONNX, which infers by older rules"
    if {i.name for i in model.graph.input} & {i.name for i in model.graph.initializer}:
        return "ONNX takes the default of an input for its value, which a run may replace"
    return None


def models(paths):
    for path in map(pathlib.Path, paths):
        if not path.exists():
            print(f"{path} is not there: nothing is compared")
            sys.exit(77)
        yield from sorted(path.rglob("*.onnx")) if path.is_dir() else [path]


def bare(path):
    model = onnx.load(str(path), load_external_data=False)
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return model


def theirs(model):
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    found = {}
    for v in [*inferred.value_info, *inferred.output]:
        if v.type.HasField("tensor_type") and v.type.tensor_type.HasField("shape"):
            dims = v.type.tensor_type.shape.dim
            found[v.name] = [d.dim_value if d.HasField("dim_value") else
                             None if not d.dim_param or d.dim_param.startswith("unk__") else d.dim_param
                             for d in dims]
    return found


def ours(ocellus, model):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.onnx"
        onnx.save(model, str(path))
        made = subprocess.run([ocellus, "inspect", "--shapes", "--json", str(path)], capture_output=True)
    values = json.loads(made.stdout).get("values", [])
    return {v["name"]: v.get("shape") for v in values if not v["depth"]}


def compare(table, known, shape):
    """Counts one value of a model, as ONNX and Ocellus know it; returns what is wrong, or None."""
    table["values"] += 1
    table["dims ONNX knows"] += sum(d is not None for d in known or [])
    table["dims Ocellus knows"] += sum(d is not None for d in shape or [])
    if known is None:
        return None
    if shape is None:
        table["ONNX knows more"] += max(1, sum(d is not None for d in known))
        return "rank is not known"
    if len(shape) != len(known):
        table["different"] += 1
        return "rank differs"
    more = sum(t is not None and o is None for t, o in zip(known, shape))
    differ = sum(t is not None and o is not None and t != o for t, o in zip(known, shape))
    table["ONNX knows more"] += more
    table["different"] += differ
    return "differs" if differ else "ONNX knows more" if more else None


def main():
    ocellus, *paths = sys.argv[1:]
    tables = collections.defaultdict(collections.Counter)
    wrong = 0
    for path in models(paths):
        group = next((str(p) for p in map(pathlib.Path, paths) if p in path.parents), "files")
        table = tables[group]
        table["models"] += 1
        model = bare(path)
        try:
            known = theirs(model)
        except Exception:
            table["refused by ONNX"] += 1
            continue
        mine, why = ours(ocellus, model), explanation(model)
        for node in model.graph.node:
            for name in filter(None, node.output):
                shape = mine.get(name)
                counts = collections.Counter()
                fault = compare(counts, known.get(name), shape)
                if fault and why:
                    counts["explained"] = counts.pop("ONNX knows more", 0) + counts.pop("different", 0)
                table.update(counts)
                if not fault:
                    continue
                wrong += not why
                print(f"{path.parent.name}/{path.name}: {node.op_type} {name}: {fault}: "
                      f"ONNX {known[name]}, Ocellus {shape}" + (f" ({why})" if why else ""))
    columns = ("models", "refused by ONNX", "values", "dims ONNX knows", "dims Ocellus knows", "ONNX knows more",
               "different", "explained")
    print("| | " + " | ".join(columns) + " |\n|---" * 1 + "|---" * len(columns) + "|")
    for group, table in tables.items():
        print(f"| {group} | " + " | ".join(str(table[c]) for c in columns) + " |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
