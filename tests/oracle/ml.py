#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ml.py - text cases of the operators of ai.onnx.ml, by their definitions in plain Python.

    python3 tests/oracle/ml.py

writes tests/cases/array_feature_extractor, features, label_encoder, linear, one_hot_encoder,
tree_ensemble and tree_ensemble_models."""
import math

import numpy as np

from elements import ints, round_to
from text_case import File, literal, quoted

BY = "By tests/oracle/ml.py."
NUMBERS = ["float", "double", "int64", "int32"]
NEAR = "tolerance rtol 2.4e-7 atol 1e-9"


def words(shape, *values):
    return "string", np.array(values, object).reshape(shape)


def value(v):
    if isinstance(v, tuple):
        return literal(*v)
    if isinstance(v, (list, np.ndarray)):
        return f"[{', '.join(map(value, v))}]"
    if isinstance(v, str):
        return quoted(v)
    return repr(float(v)) if isinstance(v, float) else str(int(v))


def node(op, names, given):
    """Tensors among the attributes are (type, array)."""
    text = ", ".join(f"{k}{': tensor' if isinstance(v, tuple) else ''} = {value(v)}"
                     for k, v in given.items() if v is not None)
    return f"ai.onnx.ml.{op} {f'<{text}> ' if text else ''}({', '.join(names)})"


def lines_of(opset, op, given, inputs, outputs):
    ports = ", ".join(File.port(*v, n) for n, v in inputs.items())
    return [f'<ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : {opset}]>',
            f"g ({ports}) => ({', '.join(outputs)}) {{ {', '.join(o.split()[-1] for o in outputs)} = "
            f"{node(op, inputs, given)} }}"] + [f"--- {n} = {literal(*v)}" for n, v in inputs.items()]


def add(f, title, opset, op, given, inputs, outputs, near=False):
    """outputs: name -> (type, array)."""
    lines = lines_of(opset, op, given, inputs, [File.port(*v, n) for n, v in outputs.items()])
    lines += [f"--- {n} = {literal(*v)}" for n, v in outputs.items()]
    f.cases.append((title, lines + ([f"--- {NEAR}"] if near else [])))


def fails(f, title, opset, op, given, inputs, code, text, outputs=("float[n,m] Y",)):
    f.cases.append((title, lines_of(opset, op, given, inputs, list(outputs))
                    + [f"--- fails {code} {quoted(text)}"]))


def of_kind(kind, x):
    x = np.asarray(x, np.float64)
    return (kind, ints([int(v) for v in x.ravel()], x.shape) if kind.startswith("int") else x)


X = np.array([[1, -2, 3], [0, 4, -5]])


def extractor_file():
    with File("array_feature_extractor/values.onnxtxt", BY) as f:
        op = "ArrayFeatureExtractor"
        for kind in NUMBERS + ["string"]:
            x = words((2, 3), "a", "b", "", "d", "e", "f") if kind == "string" else of_kind(kind, X)
            add(f, kind, 1, op, {}, {"X": x, "I": ("int64", ints([2, 0, 2, 1], (1, 4)))},
                {"Y": (kind, x[1][:, [2, 0, 2, 1]])})
        add(f, "a vector is one row", 1, op, {}, {"X": of_kind("float", [5, 6, 7]), "I": ("int64", ints([1]))},
            {"Y": ("float", np.array([[6.0]]))})
        add(f, "rank 3", 1, op, {}, {"X": of_kind("float", np.arange(12).reshape(2, 2, 3)),
                                      "I": ("int64", ints([2, 1]))},
            {"Y": ("float", np.arange(12.0).reshape(2, 2, 3)[..., [2, 1]])})
        add(f, "no index", 1, op, {}, {"X": of_kind("float", X), "I": ("int64", ints([]))},
            {"Y": ("float", np.zeros((2, 0)))})
        add(f, "no row", 1, op, {}, {"X": of_kind("float", np.zeros((0, 3))), "I": ("int64", ints([2]))},
            {"Y": ("float", np.zeros((0, 1)))})
        for i in (3, -1, 1 << 62):
            fails(f, f"index {i}", 1, op, {}, {"X": of_kind("float", X), "I": ("int64", ints([0, i]))}, "VALUE",
                  f"input 1 has {i} at [1], expected a value in [0, 2]")
        fails(f, "a scalar", 1, op, {}, {"X": ("float", np.array(1.0)), "I": ("int64", ints([0]))}, "SHAPE",
              "expected rank 1 or more")


def features_files():
    with File("features/values.onnxtxt", BY) as f:
        for kind in NUMBERS:
            x = of_kind(kind, X)
            for threshold in (0.0, 1.0, -2.0, 0.5):
                add(f, f"Binarizer {kind} {threshold}", 1, "Binarizer", {"threshold": threshold}, {"X": x},
                    {"Y": of_kind(kind, X > threshold)})
            if kind.startswith("int"):
                given = {"imputed_value_int64s": [7, 8, 9], "replaced_value_int64": 4}
            else:
                given = {"imputed_value_floats": [7.0, 8.0, 9.0], "replaced_value_float": 4.0}
            add(f, f"Imputer {kind}", 1, "Imputer", given, {"X": x}, {"Y": of_kind(kind, np.where(X == 4, 8, X))})
            name = next(iter(given))
            add(f, f"Imputer {kind}, one value", 1, "Imputer", {**given, name: given[name][:1]}, {"X": x},
                {"Y": of_kind(kind, np.where(X == 4, 7, X))})
            y = (X - [0.5, 1, -2]) * np.array([2, 0.25, 3])
            add(f, f"Scaler {kind}", 1, "Scaler", {"offset": [0.5, 1.0, -2.0], "scale": [2.0, 0.25, 3.0]},
                {"X": x}, {"Y": ("float", y)})
            add(f, f"Scaler {kind}, one value", 1, "Scaler", {"offset": [0.5], "scale": [2.0]},
                {"X": x}, {"Y": ("float", (X - 0.5) * 2)})
            for norm, divisor in {"MAX": X.max(1), "L1": abs(X).sum(1), "L2": np.sqrt((X * X).sum(1))}.items():
                add(f, f"Normalizer {kind} {norm}", 1, "Normalizer", {"norm": norm}, {"X": x},
                    {"Y": ("float", round_to("float", X / divisor[:, None]))})
            add(f, f"FeatureVectorizer {kind}", 1, "FeatureVectorizer", {"inputdimensions": [3, 2, 4]},
                {"A": x, "B": x, "C": x},
                {"Y": ("float", np.hstack([X, X[:, :2], X, np.zeros((2, 1))]))})
        add(f, "Imputer NaN", 1, "Imputer", {"imputed_value_floats": [1.0], "replaced_value_float": math.nan},
            {"X": ("float", np.array([math.nan, 2, -0.0]))}, {"Y": ("float", np.array([1, 2, -0.0]))})
        add(f, "Imputer: a number beyond int32", 1, "Imputer",
            {"imputed_value_int64s": [9], "replaced_value_int64": 1 << 32},
            {"X": ("int32", ints([0, 1]))}, {"Y": ("int32", ints([0, 1]))})
        add(f, "Normalizer: zeros stay", 1, "Normalizer", {"norm": "L2"}, {"X": ("float", np.zeros((2, 2)))},
            {"Y": ("float", np.zeros((2, 2)))})
        add(f, "Normalizer: a vector", 1, "Normalizer", {}, {"X": ("float", np.array([1.0, 4.0]))},
            {"Y": ("float", np.array([0.25, 1.0]))})
        add(f, "FeatureVectorizer: vectors are rows", 1, "FeatureVectorizer", {},
            {"A": ("float", np.array([1.0, 2.0])), "B": ("float", np.array([[3.0]]))},
            {"Y": ("float", np.array([[1.0, 2.0, 3.0]]))})
        for op in ("Normalizer", "Scaler"):
            given = {"offset": [1.0], "scale": [1.0]} if op == "Scaler" else {}
            add(f, f"{op}: no row", 1, op, given, {"X": ("float", np.zeros((0, 3)))},
                {"Y": ("float", np.zeros((0, 3)))})
    with File("features/errors.onnxtxt", BY) as f:
        x = of_kind("float", X)
        fails(f, "Imputer: no values", 1, "Imputer", {}, {"X": x}, "VALUE", "attribute 'imputed_value_floats' has "
              "0 values, expected 1 or 3, one for each column")
        fails(f, "Imputer: two values", 1, "Imputer", {"imputed_value_floats": [1.0, 2.0]}, {"X": x}, "VALUE",
              "has 2 values, expected 1 or 3")
        fails(f, "Scaler: other lengths", 1, "Scaler", {"offset": [1.0], "scale": [1.0, 2.0, 3.0]}, {"X": x},
              "VALUE", "offset has 1 values and scale 3, expected both 1 or 3, one for each column")
        fails(f, "Normalizer: no such norm", 1, "Normalizer", {"norm": "L3"}, {"X": x}, "VALUE",
              "attribute 'norm' is 'L3', expected one of 'MAX', 'L1', 'L2'")
        fails(f, "Normalizer: rank 3", 1, "Normalizer", {}, {"X": of_kind("float", np.ones((1, 1, 1)))}, "SHAPE",
              "input 0 'X' is [1,1,1], expected rank 1 or 2", ("float[a,b,c] Y",))
        fails(f, "FeatureVectorizer: rows", 1, "FeatureVectorizer", {}, {"A": x, "B": of_kind("float", X[:1])},
              "SHAPE", "expected 2 rows as input 0")
        fails(f, "FeatureVectorizer: sizes", 1, "FeatureVectorizer", {"inputdimensions": [1]},
              {"A": x, "B": x}, "VALUE", "has 1 values, expected one for each of 2 inputs")
        fails(f, "FeatureVectorizer: a negative size", 1, "FeatureVectorizer", {"inputdimensions": [-1]},
              {"A": x}, "VALUE", "attribute 'inputdimensions' has -1 at [0]")


def encoder_file():
    with File("label_encoder/values.onnxtxt", BY) as f:
        lists = {"strings": ["p", "q", "", "q"], "int64s": [5, -1, 1 << 62, -1], "floats": [0.5, -0.0, math.nan, 0.0]}
        kinds = {"strings": "string", "int64s": "int64", "floats": "float"}
        probes = {"strings": ["q", "x", "", "p"], "int64s": [-1, 0, 1 << 62, 5],
                  "floats": [-0.0, 7.0, math.nan, 0.5]}
        results = [3, None, 2, 0]  # the last of equal keys counts
        others = {"strings": "none", "int64s": -9, "floats": 2.5}
        values = {"strings": ["v0", "v1", "v2", "v3"], "int64s": [10, 11, 12, 13], "floats": [1.5, 2.5, 3.5, 4.5]}
        arrays = lambda t, v: (kinds[t], np.array(v, object if t != "floats" else float).reshape(2, 2))
        for opset in (2, 4):
            for k in lists:
                for v in values:
                    given = {f"keys_{k}": lists[k], f"values_{v}": values[v], "default_string": "none",
                             "default_int64": -9, "default_float": 2.5}
                    y = [others[v] if i is None else values[v][i] for i in results]
                    if opset == 2 and k == "floats":  # by bits: -0 is its own key
                        y[0] = values[v][1]
                    if k == "floats" and not all(v == v for v in lists[k]):
                        given["keys_floats"] = [0.5, -0.0, 3.0, 0.0]
                    probe = [-0.0, 7.0, 3.0, 0.5] if k == "floats" else probes[k]
                    add(f, f"version {opset}, {k} to {v}", opset, "LabelEncoder", given,
                        {"X": arrays(k, probe)}, {"Y": arrays(v, y)})
        for kind, probe in (("int32", [3, 4]), ("int16", [3, 4]), ("double", [3.0, 4.0]), ("float", [3.0, 4.0])):
            t = lambda v: (kind, ints(v) if kind.startswith("int") else np.array(v, float))
            add(f, f"tensors of {kind}", 4, "LabelEncoder",
                {"keys_tensor": t([1, 3]), "values_tensor": t([7, 8]), "default_tensor": t([9])},
                {"X": t(probe)}, {"Y": t([8, 9])})
            add(f, f"tensors of {kind} without a default", 4, "LabelEncoder",
                {"keys_tensor": t([1, 3]), "values_tensor": t([7, 8])}, {"X": t(probe)},
                {"Y": t([8, -1]) if kind.startswith("int") else (kind, np.array([8, -0.0]))})
        add(f, "NaN is a key", 4, "LabelEncoder", {"keys_tensor": ("double", np.array([math.nan, 1.0])),
            "values_int64s": [1, 2]}, {"X": ("double", np.array([1.0, math.nan, 0.0]))},
            {"Y": ("int64", ints([2, 1, -1]))})
        classes = ["a", "b", "a"]
        add(f, "version 1, strings", 1, "LabelEncoder", {"classes_strings": classes, "default_int64": 9},
            {"X": words([4], "a", "b", "", "c")}, {"Y": ("int64", ints([2, 1, 9, 9]))})
        add(f, "version 1, numbers", 1, "LabelEncoder", {"classes_strings": classes},
            {"X": ("int64", ints([0, 1, 3, -1, 1 << 62]))}, {"Y": words([5], "a", "b", *["_Unused"] * 3)})
        given = {"cats_strings": ["a", "b"], "cats_int64s": [7, -3], "default_string": "no", "default_int64": 1}
        add(f, "CategoryMapper, strings", 1, "CategoryMapper", given, {"X": words([1, 3], "b", "a", "c")},
            {"Y": ("int64", ints([-3, 7, 1], (1, 3)))})
        add(f, "CategoryMapper, numbers", 1, "CategoryMapper", given, {"X": ("int64", ints([7, -3, 0]))},
            {"Y": words([3], "a", "b", "no")})
        add(f, "no element", 2, "LabelEncoder", {"keys_int64s": [1], "values_int64s": [2]},
            {"X": ("int64", ints([], (0, 2)))}, {"Y": ("int64", ints([], (0, 2)))})
        one = {"X": ("int64", ints([1]))}
        fails(f, "no keys", 2, "LabelEncoder", {"values_int64s": [1]}, one, "VALUE",
              "there are no keys, expected an attribute for them", ("int64[n] Y",))
        fails(f, "two kinds of keys", 2, "LabelEncoder", {"keys_int64s": [1], "keys_strings": ["a"],
              "values_int64s": [1]}, one, "VALUE", "keys are given twice, expected one attribute for them",
              ("int64[n] Y",))
        fails(f, "fewer values", 2, "LabelEncoder", {"keys_int64s": [1, 2], "values_int64s": [1]}, one, "VALUE",
              "2 keys and 1 values, expected as many", ("int64[n] Y",))
        fails(f, "keys of another type", 2, "LabelEncoder", {"keys_strings": ["a"], "values_int64s": [1]}, one,
              "TYPE", "the keys are of string, expected int64 as input 0", ("int64[n] Y",))
        fails(f, "a default of another type", 4, "LabelEncoder", {"keys_int64s": [1], "values_int64s": [1],
              "default_tensor": ("float", np.array([1.0]))}, one, "TYPE",
              "the default is 1 elements of float, expected one of int64", ("int64[n] Y",))
        fails(f, "two defaults", 4, "LabelEncoder", {"keys_int64s": [1], "values_int64s": [1],
              "default_tensor": ("int64", ints([1, 2]))}, one, "TYPE",
              "the default is 2 elements of int64, expected one of int64", ("int64[n] Y",))


def one_hot_file():
    with File("one_hot_encoder/values.onnxtxt", BY) as f:
        cats = [4, -1, 0]
        for kind in NUMBERS:
            x = np.array([[0, 4, 7], [-1, 4, 0]])
            y = np.array([[[v == c for c in cats] for v in row] for row in x], float)
            add(f, kind, 1, "OneHotEncoder", {"cats_int64s": cats}, {"X": of_kind(kind, x)}, {"Y": ("float", y)})
        add(f, "floats are truncated", 1, "OneHotEncoder", {"cats_int64s": cats},
            {"X": ("float", np.array([4.9, -1.5, 0.9]))}, {"Y": ("float", np.eye(3))})
        add(f, "strings", 1, "OneHotEncoder", {"cats_strings": ["a", ""]}, {"X": words([3], "", "b", "a")},
            {"Y": ("float", np.array([[0, 1], [0, 0], [1.0, 0]]))})
        fails(f, "no category", 1, "OneHotEncoder", {"cats_int64s": cats, "zeros": 0},
              {"X": ("int64", ints([4, 5]))}, "VALUE", "element 1 of input 0 is in no category")
        fails(f, "strings for numbers", 1, "OneHotEncoder", {"cats_int64s": cats}, {"X": words([1], "a")},
              "TYPE", "input 0 is of string, expected numbers as the categories")
        fails(f, "no categories", 1, "OneHotEncoder", {}, {"X": words([1], "a")}, "VALUE",
              "expected labels in attribute 'cats_int64s' or 'cats_strings', one of them")


# ---- scores

def transform(post, s):
    s = np.asarray(s, float)
    if post in ("SOFTMAX", "SOFTMAX_ZERO"):
        small = (np.abs(s) <= 1e-7) if post == "SOFTMAX_ZERO" else np.zeros(len(s), bool)
        e = np.where(small, s * math.exp(-s.max()), np.exp(s - s.max()))
        return e / e.sum() if e.sum() else np.full(len(s), 0.5)
    if post == "LOGISTIC":
        return 1 / (1 + np.exp(-s))
    if post == "PROBIT":
        def probit(p):
            x = 2 * p - 1
            log = math.log((1 - x) * (1 + x))
            v = 2 / (math.pi * 0.147) + log / 2
            return math.sqrt(2) * math.copysign(math.sqrt(math.sqrt(v * v - log / 0.147) - v), x)
        return np.array([probit(p) for p in s])
    return s


POSTS = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"]


def linear_file():
    with File("linear/values.onnxtxt", BY) as f:
        w = np.array([[0.5, -1, 0.25], [1, 0, -0.5], [0, 0, 0]])
        b = np.array([0.125, -0.5, 0.0])
        for kind in NUMBERS:
            for post in POSTS if kind == "float" else ["NONE"]:
                scores = X @ w.T + b
                y = round_to("float", np.array([transform(post, r) for r in scores]))
                add(f, f"LinearRegressor {kind} {post}", 1, "LinearRegressor",
                    {"coefficients": list(w.ravel()), "intercepts": list(b), "targets": 3, "post_transform": post},
                    {"X": of_kind(kind, X)}, {"Y": ("float", y)}, True)
                labels = np.array(["a", "b", "c"], object)[scores.argmax(1)]
                add(f, f"LinearClassifier {kind} {post}", 1, "LinearClassifier",
                    {"coefficients": list(w.ravel()), "intercepts": list(b), "post_transform": post,
                     "classlabels_strings": ["a", "b", "c"]}, {"X": of_kind(kind, X)},
                    {"Y": ("string", labels), "Z": ("float", y)}, True)
        s = X @ w[0]
        for post, pair in {"NONE": np.stack([1 - s, s], 1),
                           "LOGISTIC": np.stack([1 / (1 + np.exp(s)), 1 / (1 + np.exp(-s))], 1)}.items():
            add(f, f"LinearClassifier, one score decides, {post}", 1, "LinearClassifier",
                {"coefficients": list(w[0]), "classlabels_ints": [7, 8], "post_transform": post},
                {"X": of_kind("float", X)}, {"Y": ("int64", ints([7 + int(v > 0) for v in s])),
                                             "Z": ("float", round_to("float", pair))}, True)
        p = np.array([[0.25], [0.5], [0.9375]])
        add(f, "PROBIT", 1, "LinearRegressor", {"coefficients": [1.0], "post_transform": "PROBIT"},
            {"X": ("float", p)}, {"Y": ("float", round_to("float", transform("PROBIT", p.ravel())[:, None]))}, True)
        add(f, "a vector is one row, without intercepts", 1, "LinearRegressor", {"coefficients": list(w[0])},
            {"X": of_kind("float", X[0])}, {"Y": ("float", np.array([[X[0] @ w[0]]]))})
        x = {"X": of_kind("float", X)}
        fails(f, "coefficients", 1, "LinearRegressor", {"coefficients": [1.0, 2.0]}, x, "VALUE",
              "attribute 'coefficients' has 2 values, expected a row of 3 for each score")
        fails(f, "intercepts", 1, "LinearRegressor", {"coefficients": [1.0] * 3, "intercepts": [1.0, 2.0]}, x,
              "VALUE", "attribute 'intercepts' has 2 values, expected 1")
        fails(f, "targets", 1, "LinearRegressor", {"coefficients": [1.0], "targets": 0}, x, "VALUE",
              "attribute 'targets' is 0, expected 1 or more")
        fails(f, "post_transform", 1, "LinearRegressor", {"coefficients": [1.0] * 3, "post_transform": "TANH"}, x,
              "VALUE", "attribute 'post_transform' is 'TANH', expected one of 'NONE', 'SOFTMAX'")
        two = ("int64[n] Y", "float[n,m] Z")
        fails(f, "labels", 1, "LinearClassifier", {"coefficients": [1.0] * 6, "classlabels_ints": [1]}, x,
              "VALUE", "1 labels for 2 scores, expected as many", two)
        fails(f, "labels for one score", 1, "LinearClassifier", {"coefficients": [1.0] * 3, "classlabels_ints": [1, 2, 3]},
              x, "VALUE", "3 labels for 1 score, expected at most 2", two)
        fails(f, "a coefficient too many, without intercepts", 1, "LinearClassifier",
              {"coefficients": [1.0] * 7, "classlabels_ints": [1, 2]}, x, "VALUE",
              "attribute 'coefficients' has 7 values, expected a row of 3 for each score", two)
        fails(f, "two kinds of labels", 1, "LinearClassifier",
              {"coefficients": [1.0] * 6, "classlabels_ints": [1, 2], "classlabels_strings": ["a", "b"]}, x, "VALUE",
              "expected labels in attribute 'classlabels_ints' or 'classlabels_strings', one of them", two)


# ---- trees: node 0 of tree 0 asks x0, its children ask x1; tree 1 is one question

def ensemble_file():
    with File("tree_ensemble/values.onnxtxt", BY) as f:
        base = dict(n_targets=2, nodes_featureids=[0, 1, 1, 2], nodes_truenodeids=[1, 0, 2, 4],
                    nodes_falsenodeids=[2, 1, 3, 5], nodes_trueleafs=[0, 1, 1, 1], nodes_falseleafs=[0, 1, 1, 1],
                    leaf_targetids=[0, 1, 0, 1, 0, 1], tree_roots=[0, 3])
        weights, splits = [1.0, 2.0, 4.0, 8.0, 0.5, -0.25], [0.5, 1.0, -2.0, 0.0]
        rows = [[0, 1, 0], [0.5, 1.5, 1], [1, -2, -1], [2, 7, 0], [math.nan, 1, 2], [3, math.nan, math.nan]]
        compare = [lambda x, s: x <= s, lambda x, s: x < s, lambda x, s: x >= s, lambda x, s: x > s,
                   lambda x, s: x == s, lambda x, s: x != s, lambda x, s: x in (s, 7)]

        def leaves(row, mode, missing):
            for at in (0, 3):
                while True:
                    x = row[base["nodes_featureids"][at]]
                    yes = compare[mode](x, splits[at]) or bool(x != x and missing[at])
                    name = "true" if yes else "false"
                    at, leaf = base[f"nodes_{name}nodeids"][at], base[f"nodes_{name}leafs"][at]
                    if leaf:
                        yield base["leaf_targetids"][at], weights[at]
                        break

        def scores(row, mode, missing, aggregate):
            y = []
            for t in range(2):
                v = [w for k, w in leaves(row, mode, missing) if k == t]
                y.append(0 if not v else [sum(v) / 2, sum(v), min(v), max(v)][aggregate])
            return y

        def case(title, kind, mode, missing=None, aggregate=1, post=0):
            given = dict(base, nodes_modes=("uint8", ints([mode] * 4)), nodes_splits=(kind, np.array(splits)),
                         leaf_weights=(kind, np.array(weights)), aggregate_function=aggregate,
                         post_transform=post, nodes_missing_value_tracks_true=missing)
            if mode == 6:
                given["membership_values"] = (kind, np.array([v for s in splits for v in (s, 7, math.nan)]))
            y = np.array([transform((POSTS[:3] + ["SOFTMAX_ZERO"])[post] if post < 4 else "PROBIT",
                                    scores(r, mode, missing or [0] * 4, aggregate)) for r in rows])
            add(f, title, 5, "TreeEnsemble", given, {"X": (kind, np.array(rows, float))},
                {"Y": (kind, round_to(kind, y))}, kind != "float16" and post > 0)

        for kind in ("float", "double", "float16"):
            for mode in range(7):
                case(f"{kind}, mode {mode}", kind, mode)
        for aggregate in range(4):
            case(f"aggregate {aggregate}", "float", 0, [1, 0, 1, 1], aggregate)
        for post in range(4):
            case(f"transform {post}", "double", 2, None, 1, post)
        good = dict(base, nodes_modes=("uint8", ints([0] * 4)), nodes_splits=("float", np.array(splits)),
                    leaf_weights=("float", np.array(weights)))
        x = {"X": ("float", np.array(rows, float)[:2])}
        add(f, "no row", 5, "TreeEnsemble", good, {"X": ("float", np.zeros((0, 3)))},
            {"Y": ("float", np.zeros((0, 2)))})
        for title, change, text in (
                ("a circle", {"nodes_truenodeids": [1, 0, 2, 4], "nodes_trueleafs": [0, 0, 1, 1]},
                 "node [0] leads in a circle"),
                ("itself", {"nodes_truenodeids": [0, 0, 2, 4]}, "node [0] leads in a circle"),
                ("a child that is none", {"nodes_truenodeids": [4, 0, 2, 4]},
                 "node [0] has child 4, expected one of 4"),
                ("a negative child", {"nodes_truenodeids": [-1, 0, 2, 4]}, "node [0] has child -1"),
                ("a leaf that is none", {"nodes_falsenodeids": [2, 6, 3, 5]},
                 "node [1] has leaf 6, expected one of 6"),
                ("a root that is none", {"tree_roots": [4]}, "tree [0] has root 4, expected one of 4"),
                ("a feature that is none", {"nodes_featureids": [0, 1, 3, 2]},
                 "node [2] tests feature 3, expected one of 3"),
                ("a huge feature", {"nodes_featureids": [0, 1, 1 << 40, 2]}, "node [2] tests feature -1"),
                ("a target that is none", {"leaf_targetids": [0, 1, 2, 1, 0, 1]},
                 "a leaf votes for target 2, expected one of 2"),
                ("a list too short", {"nodes_trueleafs": [0, 1, 1]},
                 "attribute 'nodes_trueleafs' has 3 values, expected 4"),
                ("splits", {"nodes_splits": ("float", np.ones(3))}, "attribute 'nodes_splits' has 3 values"),
                ("weights", {"leaf_weights": ("float", np.ones(3))}, "attribute 'leaf_weights' has 3 values"),
                ("a mode that is none", {"nodes_modes": ("uint8", ints([0, 7, 0, 0]))},
                 "attribute 'nodes_modes' has 7 at [1], expected 0 to 6"),
                ("modes of another type", {"nodes_modes": ("int32", ints([0] * 4))},
                 "attribute 'nodes_modes' is int32 of 4 values, expected uint8 of 4"),
                ("no members", {"nodes_modes": ("uint8", ints([6, 0, 0, 0]))},
                 "membership_values has no set for node [0]"),
                ("aggregate", {"aggregate_function": 4}, "attribute 'aggregate_function' is 4, expected 0 to 3"),
                ("transform", {"post_transform": 5}, "attribute 'post_transform' is 5, expected 0 to 4"),
                ("targets", {"n_targets": 0}, "attribute 'n_targets' is 0, expected 1 or more")):
            fails(f, title, 5, "TreeEnsemble", {**good, **change}, x, "VALUE", text)


def models_file():
    with File("tree_ensemble_models/values.onnxtxt", BY) as f:
        nodes = dict(nodes_treeids=[0] * 5 + [9], nodes_nodeids=[0, 1, 2, 3, 4, 0],
                     nodes_modes=["BRANCH_LEQ", "BRANCH_GT", "LEAF", "LEAF", "LEAF", "LEAF"],
                     nodes_featureids=[0, 2, 0, 0, 0, 0], nodes_values=[0.5, -1.0, 0.0, 0.0, 0.0, 0.0],
                     nodes_truenodeids=[1, 3, 0, 0, 0, 0], nodes_falsenodeids=[2, 4, 0, 0, 0, 0])
        rows = [[0, 0, 0], [0.5, 0, -1], [2, 0, 0], [math.nan, 0, 5]]

        def leaf(row, missing):
            if row[0] <= 0.5 or (row[0] != row[0] and missing):
                return 3 if row[2] > -1 else 4
            return 2

        def votes(prefix, list_):
            return {f"{prefix}_treeids": [v[0] for v in list_], f"{prefix}_nodeids": [v[1] for v in list_],
                    f"{prefix}_ids": [v[2] for v in list_], f"{prefix}_weights": [v[3] for v in list_]}

        def scores(list_, n, missing, aggregate="SUM", base=None):
            y = []
            for row in rows:
                at = leaf(row, missing)
                found = [[w for t, i, k, w in list_ if k == target and (t, i) in ((0, at), (9, 0))]
                         for target in range(n)]
                y.append([0 if not v else {"SUM": sum, "MIN": min, "MAX": max,
                                           "AVERAGE": lambda v: sum(v) / 2}[aggregate](v) for v in found])
            return np.array(y, float) + (0 if base is None else np.array(base))

        votes_ = [(0, 2, 0, 1.0), (0, 3, 1, 2.0), (0, 4, 0, -4.0), (0, 3, 0, 0.5), (9, 0, 1, 0.25), (0, 2, 1, -8.0)]

        def tensors(given, names):
            return {**{k: v for k, v in given.items() if k not in names},
                    **{k + "_as_tensor": ("double", np.array(given[k])) for k in names}}

        for opset in (1, 3):
            for aggregate in ("SUM", "MIN", "MAX", "AVERAGE"):
                for base in (None, [1.0, -2.0]):
                    given = dict(nodes, n_targets=2, aggregate_function=aggregate, base_values=base,
                                 **votes("target", votes_))
                    add(f, f"TreeEnsembleRegressor-{opset} {aggregate} {base}", opset, "TreeEnsembleRegressor",
                        given, {"X": ("float", np.array(rows, float))},
                        {"Y": ("float", scores(votes_, 2, False, aggregate, base))})
        given = dict(nodes, n_targets=2, base_values=[1.0, -2.0], nodes_missing_value_tracks_true=[1] * 6,
                     **votes("target", votes_))
        add(f, "TreeEnsembleRegressor-3 by tensors, NaN is true", 3, "TreeEnsembleRegressor",
            tensors(given, ["nodes_values", "target_weights", "base_values"]), {"X": ("double", np.array(rows, float))},
            {"Y": ("float", scores(votes_, 2, True, "SUM", [1.0, -2.0]))})
        three = [(0, 2, 0, 1.0), (0, 2, 1, 2.0), (0, 3, 2, 3.0), (0, 4, 0, 1.0), (9, 0, 1, 0.5)]
        for opset in (1, 3):
            for post in POSTS:
                s = scores(three, 3, False)
                voted = np.array([[any(k == t and (a, i) in ((0, leaf(r, False)), (9, 0)) for a, i, k, _ in three)
                                   for t in range(3)] for r in rows])
                best = np.where(voted, s, -np.inf).argmax(1)
                add(f, f"TreeEnsembleClassifier-{opset} {post}", opset, "TreeEnsembleClassifier",
                    dict(nodes, classlabels_strings=["a", "b", "c"], post_transform=post, **votes("class", three)),
                    {"X": ("double", np.array(rows, float))},
                    {"Y": words([4], *[["a", "b", "c"][i] for i in best]),
                     "Z": ("float", round_to("float", np.array([transform(post, v) for v in s])))}, True)
        for sign, limit in ((1, 0.5), (-1, 0)):
            one = [(0, 2, 0, 0.125), (0, 3, 0, 0.75), (0, 4, 0, 0.25 * sign), (9, 0, 0, 0.125)]
            s = scores(one, 1, False)[:, 0]
            for post in ("NONE", "LOGISTIC"):
                pair = np.stack([1 - s if sign > 0 else -s, s], 1) if post == "NONE" else \
                    np.stack([1 / (1 + np.exp(s)), 1 / (1 + np.exp(-s))], 1)
                add(f, f"TreeEnsembleClassifier, one class decides at {limit}, {post}", 3, "TreeEnsembleClassifier",
                    dict(nodes, classlabels_int64s=[7, 8], post_transform=post, **votes("class", one)),
                    {"X": ("float", np.array(rows, float))},
                    {"Y": ("int64", ints([7 + int(v > limit) for v in s])), "Z": ("float", round_to("float", pair))},
                    True)
        good = dict(nodes, n_targets=2, **votes("target", votes_))
        x = {"X": ("float", np.array(rows, float))}
        for title, change, text in (
                ("a circle", {"nodes_truenodeids": [1, 0, 0, 0, 0, 0]}, "node [0] leads in a circle"),
                ("a child of no node", {"nodes_truenodeids": [1, 7, 0, 0, 0, 0]},
                 "node [1] has child 7, which is not in its tree"),
                ("a node twice", {"nodes_nodeids": [0, 1, 2, 3, 3, 0]}, "tree 0 has node 3 twice"),
                ("a mode that is none", {"nodes_modes": ["BRANCH_IN"] + ["LEAF"] * 5},
                 "attribute 'nodes_modes' has 'BRANCH_IN' at [0]"),
                ("a vote of no node", {"target_nodeids": [2, 3, 4, 3, 0, 7]},
                 "vote [5] is of node 7 in tree 0, which does not exist"),
                ("a target that is none", {"target_ids": [0, 1, 0, 0, 1, 2]},
                 "a leaf votes for target 2, expected one of 2"),
                ("a feature that is none", {"nodes_featureids": [3, 2, 0, 0, 0, 0]},
                 "node [0] tests feature 3, expected one of 3"),
                ("a list too short", {"nodes_treeids": [0] * 5}, "attribute 'nodes_treeids' has 5 values, expected 6"),
                ("base values", {"base_values": [1.0]}, "1 base values, expected 2"),
                ("no targets", {"n_targets": None}, "attribute 'n_targets' is 0, expected 1 or more"),
                ("aggregate", {"aggregate_function": "MEAN"}, "attribute 'aggregate_function' is 'MEAN'")):
            fails(f, title, 3, "TreeEnsembleRegressor", {**good, **change}, x, "VALUE", text)
        fails(f, "values twice", 3, "TreeEnsembleRegressor",
              {**good, "nodes_values_as_tensor": ("double", np.zeros(6))}, x, "VALUE",
              "attributes 'nodes_values' and 'nodes_values_as_tensor' are given, expected one")


if __name__ == "__main__":
    extractor_file()
    features_files()
    encoder_file()
    one_hot_file()
    linear_file()
    ensemble_file()
    models_file()
