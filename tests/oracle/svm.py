#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""svm.py - text cases of SVMRegressor and SVMClassifier, by their definitions in plain Python.

    python3 tests/oracle/svm.py

writes tests/cases/svm_regressor and svm_classifier. The probabilities are those that solve the
least squares of all pairs exactly: the operator approaches them, and stops near."""
import math

import numpy as np

from elements import ints, round_to
from ml import BY, NEAR, NUMBERS, POSTS, add, fails, of_kind, transform
from text_case import File


GAMMA, COEF0, DEGREE = 0.25, 0.5, 3
KERNELS = {"LINEAR": lambda a, b: a @ b, "POLY": lambda a, b: (GAMMA * (a @ b) + COEF0) ** DEGREE,
           "RBF": lambda a, b: math.exp(-GAMMA * ((a - b) @ (a - b))),
           "SIGMOID": lambda a, b: math.tanh(GAMMA * (a @ b) + COEF0)}
PARAMS = [GAMMA, COEF0, float(DEGREE)]


def svm_file():
    with File("svm_regressor/values.onnxtxt", BY.replace("ml", "svm")) as f:
        v = np.array([[0.5, -1, 0.25], [1, 0, -0.5], [-0.25, 0.75, 0]])
        w, rho = np.array([0.5, -1.5, 2]), -0.125
        x = np.array([[1, -2, 3], [0, 1, -1]])
        good = dict(coefficients=list(w), kernel_params=PARAMS, n_supports=3, rho=[rho],
                    support_vectors=list(v.ravel()))
        for name, kernel in KERNELS.items():
            y = np.array([[sum(c * kernel(r, s) for c, s in zip(w, v)) + rho] for r in x])
            for kind in NUMBERS:
                add(f, f"{name} {kind}", 1, "SVMRegressor", dict(good, kernel_type=name), {"X": of_kind(kind, x)},
                    {"Y": ("float", round_to("float", y))}, True)
            add(f, f"{name}, one class", 1, "SVMRegressor", dict(good, kernel_type=name, one_class=1),
                {"X": of_kind("float", x)}, {"Y": ("float", np.where(y > 0, 1.0, -1.0))})
        add(f, "without support vectors", 1, "SVMRegressor", dict(coefficients=list(w), rho=[rho]),
            {"X": of_kind("float", x)}, {"Y": ("float", (x @ w + rho)[:, None])})
        add(f, "no row", 1, "SVMRegressor", good, {"X": ("float", np.zeros((0, 3)))}, {"Y": ("float", np.zeros((0, 1)))})
        for title, change, text in (
                ("parameters", {"kernel_params": [1.0]}, "attribute 'kernel_params' has 1 values, expected 3"),
                ("rho", {"rho": None}, "attribute 'rho' has 0 values, expected 1"),
                ("vectors", {"n_supports": 2}, "attribute 'support_vectors' has 9 values, expected 2 rows of 3"),
                ("a negative number", {"n_supports": -1}, "expected -1 rows of 3"),
                ("coefficients", {"coefficients": [1.0]}, "attribute 'coefficients' has 1 values, expected 3"),
                ("kernel", {"kernel_type": "COSINE"}, "attribute 'kernel_type' is 'COSINE', expected one of 'LINEAR'")):
            fails(f, title, 1, "SVMRegressor", {**good, **change}, {"X": of_kind("float", x)}, "VALUE", text)

# ---- SVMClassifier: vectors of classes 0, 0, 1, 2

VECTORS = np.array([[0.5, -1, 0.25], [1, 0, -0.5], [-0.25, 0.75, 0], [0.5, 1.5, -1]])
COUNTS = [2, 1, 1]
X = np.array([[1, -2, 3], [0, 1, -1], [2, 0, 0], [-1, 2, 1]])


def decisions(kernel, x, counts, vectors, w, rho):
    """Of a row: the decision of each pair of classes, and the votes."""
    first = np.concatenate([[0], np.cumsum(counts)])
    k = np.array([kernel(x, v) for v in vectors])
    found, votes, n = [], np.zeros(len(counts)), len(counts)
    for i in range(n):
        for j in range(i + 1, n):
            mine, other = slice(first[i], first[i + 1]), slice(first[j], first[j + 1])
            found.append(w[j - 1, mine] @ k[mine] + w[i, other] @ k[other] + rho[len(found)])
            votes[i if found[-1] > 0 else j] += 1
    return np.array(found), votes


def probabilities(s, a, b, n):
    """The p with sum 1 and the least sum of (r_ji p_i - r_ij p_j)^2, by Lagrange's equations."""
    form, pair = np.zeros((n, n)), 0
    for i in range(n):
        for j in range(i + 1, n):
            r = 1 / (1 + math.exp(s[pair] * a[pair] + b[pair]))
            form += np.outer(*[np.eye(n)[i] * (1 - r) - np.eye(n)[j] * r] * 2)
            pair += 1
    one = np.ones((n, 1))
    return np.linalg.solve(np.block([[form, one], [one.T, np.zeros((1, 1))]]), np.eye(n + 1)[n])[:n]


def classifier_file():
    with File("svm_classifier/values.onnxtxt", BY.replace("ml", "svm")) as f:
        op, w = "SVMClassifier", np.array([[0.5, -1.5, 2, 0.25], [1, 0.5, -0.75, -2]])
        rho, a, b = [-0.125, 0.25, 0.5], [-0.5, -0.25, -1.0], [0.125, 0.0, -0.25]
        three = dict(classlabels_strings=["a", "b", "c"], coefficients=list(w.ravel()), kernel_params=PARAMS,
                     rho=rho, support_vectors=list(VECTORS.ravel()), vectors_per_class=COUNTS)
        two = dict(classlabels_ints=[7, 9], coefficients=[0.5, -1.5, 2.0], kernel_params=PARAMS, kernel_type="RBF",
                   rho=[0.125], support_vectors=list(VECTORS[:3].ravel()), vectors_per_class=[2, 1])

        def scored(title, given, kernel, kind="float", near=NEAR):
            n, labels = len(given["vectors_per_class"]), given.get("classlabels_ints")
            v = np.reshape(given["support_vectors"], (-1, 3))
            rows = [decisions(KERNELS[kernel], x, given["vectors_per_class"], v,
                              np.reshape(given["coefficients"], (n - 1, -1)), given["rho"]) for x in X]
            z = [probabilities(s, given["prob_a"], given["prob_b"], n) if "prob_a" in given else
                 np.array([-s[0], s[0]]) if n == 2 else s for s, _ in rows]
            z = np.array([transform(given.get("post_transform", "NONE"), row) for row in z])
            best = [int(votes.argmax()) for _, votes in rows]
            y = ("int64", ints([labels[i] for i in best])) if labels else (
                "string", np.array(given["classlabels_strings"], object)[best])
            add(f, title, 1, op, given, {"X": of_kind(kind, X)}, {"Y": y, "Z": ("float", round_to("float", z))})
            f.cases[-1][1].append(f"--- {near}")

        for kernel in KERNELS:
            for kind in NUMBERS:
                scored(f"{kernel} {kind}", dict(three, kernel_type=kernel), kernel, kind)
        for post in POSTS:
            scored(f"three classes, {post}", dict(three, post_transform=post), "LINEAR")
            scored(f"two classes, {post}", dict(two, post_transform=post), "RBF")
        near = "tolerance rtol 0 atol 0.01"
        scored("probabilities of three classes", dict(three, prob_a=a, prob_b=b), "LINEAR", near=near)
        scored("probabilities of two classes", dict(two, prob_a=[-2.0], prob_b=[0.5]), "RBF", near=near)
        linear = np.array([[0.5, -1, 0.25], [1, 0, -0.5], [0, 0.25, 0]])
        z = X @ linear.T + 0.5
        add(f, "without support vectors", 1, op,
            dict(classlabels_ints=[3, 4, 5], coefficients=list(linear.ravel()), rho=[0.5]), {"X": of_kind("float", X)},
            {"Y": ("int64", ints([3 + int(i) for i in z.argmax(1)])), "Z": ("float", z)})
        add(f, "no row", 1, op, three, {"X": ("float", np.zeros((0, 3)))},
            {"Y": ("string", np.zeros(0, object)), "Z": ("float", np.zeros((0, 3)))})
        for title, change, text in (
                ("one label", {"classlabels_strings": ["a"]}, "there is 1 label, expected 2 or more"),
                ("parameters", {"kernel_params": [1.0]}, "attribute 'kernel_params' has 1 values, expected 3"),
                ("rho", {"rho": [1.0]}, "attribute 'rho' has 1 values, expected 3"),
                ("vectors", {"support_vectors": [1.0]},
                 "attribute 'support_vectors' has 1 values, expected 4 rows of 3"),
                ("a negative count", {"vectors_per_class": [2, -1, 1]},
                 "attribute 'vectors_per_class' has -1 at [1], expected a count"),
                ("counts", {"vectors_per_class": [2, 2]}, "attribute 'vectors_per_class' has 2 values, expected 3"),
                ("coefficients", {"coefficients": [1.0]}, "attribute 'coefficients' has 1 values, expected 8"),
                ("prob_b", {"prob_a": [1.0] * 3}, "attribute 'prob_b' has 0 values, expected 3")):
            fails(f, title, 1, op, {**three, **change}, {"X": of_kind("float", X)}, "VALUE", text,
                  ("string[n] Y", "float[n,m] Z"))


svm_file()
classifier_file()
