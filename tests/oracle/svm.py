#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""svm.py - text cases of SVMRegressor, by its definition in plain Python.

    python3 tests/oracle/svm.py

writes tests/cases/svm_regressor."""
import math

import numpy as np

from elements import round_to
from ml import BY, NUMBERS, add, fails, of_kind
from text_case import File


def svm_file():
    with File("svm_regressor/values.onnxtxt", BY.replace("ml", "svm")) as f:
        v = np.array([[0.5, -1, 0.25], [1, 0, -0.5], [-0.25, 0.75, 0]])
        w, rho, gamma, coef0, degree = np.array([0.5, -1.5, 2]), -0.125, 0.25, 0.5, 3
        x = np.array([[1, -2, 3], [0, 1, -1]])
        kernels = {"LINEAR": lambda a, b: a @ b, "POLY": lambda a, b: (gamma * (a @ b) + coef0) ** degree,
                   "RBF": lambda a, b: math.exp(-gamma * ((a - b) @ (a - b))),
                   "SIGMOID": lambda a, b: math.tanh(gamma * (a @ b) + coef0)}
        good = dict(coefficients=list(w), kernel_params=[gamma, coef0, float(degree)], n_supports=3, rho=[rho],
                    support_vectors=list(v.ravel()))
        for name, kernel in kernels.items():
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


svm_file()
