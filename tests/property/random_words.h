/* SPDX-License-Identifier: Apache-2.0
 * random_words.h - words for string attributes and string elements of random nodes. */
#pragma once

#include "suite.h"

#include <string.h>

enum { RANDOM_WORDS = 24 };

/* What attributes of one name may be; the last entry is for all other names. */
static const struct {
    const char *attr, *word[RANDOM_WORDS];
} random_words[] = {
    {"mode", {"constant", "reflect", "edge",     "wrap",    "DCR",   "CRD",       "linear",
              "nearest",  "cubic",   "bilinear", "bicubic", "avg",   "max",       "TF",
              "IDF",      "TFIDF",   "circular", "LEFT",    "RIGHT", "BRANCH_LEQ"}},
    {"auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"post_transform", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}},
    {"direction", {"forward", "reverse", "bidirectional", "LEFT", "RIGHT"}},
    {"reduction", {"none", "add", "mul", "max", "min", "sum", "mean"}},
    {"coordinate_transformation_mode",
     {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
      "tf_half_pixel_for_nn", "tf_crop_and_resize", "output_half_pixel"}},
    {"nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}},
    {"round_mode", {"up", "down", "nearest"}},
    {"update_rule", {"linear", "gated", "delta", "gated_delta"}},
    {"pixel_format", {"RGB", "BGR", "Grayscale"}},
    {"padding_mode", {"zeros", "border", "reflection"}},
    {"norm", {"MAX", "L1", "L2"}},
    {"kernel_type", {"LINEAR", "POLY", "RBF", "SIGMOID"}},
    {"keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}},
    {"equation",
     {"ij,jk->ik", "i,i", "ii->i", "...ij,...jk->...ik", "ij->ji", "i,j->ij", "ij,ij", "a...,a...",
      "ijk,kl", "->", ",", "i->ii", "ij->k", "i...j,j->", "...", "AB,BC", "ii,ii->"}},
    {"case_change_action", {"NONE", "LOWER", "UPPER"}},
    {"approximate", {"none", "tanh"}},
    {"activation", {"none", "silu", "swish"}},
    {"aggregate_function", {"AVERAGE", "SUM", "MIN", "MAX"}},
    {"activations",
     {"Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
      "HardSigmoid", "Elu", "Softsign", "Softplus"}},
    {"nodes_modes",
     {"LEAF", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ",
      "LEAF", "LEAF", "BRANCH_LEQ"}},
    {"pattern", {"a+", "[a-z]*", "(a|b)*c", "x{2,3}", ".", "(", "[", "a**", "\\\\", "(a*)*b"}},
    {"",
     {"", "a", "b", "ab", "\\xff\\xfe", "3", "-1.5e3", "nan", "a b", "\xc3\xa9t\xc3\xa9", "\\x00",
      "none", "constant", "SUM", "{", "1,2"}},
};

/* A word that suits attributes of this name; where any is true, one of any attribute. */
static inline const char *random_word(suite_random *r, const char *attr, bool any)
{
    const size_t last = sizeof random_words / sizeof *random_words - 1;
    size_t row = last;
    uint32_t n = 0;
    for (size_t i = 0; i < last; i++)
        row = strcmp(random_words[i].attr, attr) == 0 ? i : row;
    if (any)
        row = suite_below(r, (uint32_t)last + 1);
    while (n < RANDOM_WORDS && random_words[row].word[n])
        n++;
    return random_words[row].word[suite_below(r, n)];
}
