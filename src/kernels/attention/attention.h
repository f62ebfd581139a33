/* SPDX-License-Identifier: Apache-2.0
 * attention.h - computes softmax(scale * Q K' + bias) V, head by head.
 *
 * For each query, its elements are multiplied by scale. A score is the sum over the head's
 * elements of query * key; softcap (when not 0) makes it softcap * tanh(score / softcap); then
 * the mask is added. The weights are the softmax (normalize.h) of a row of scores, from the
 * query's first key to its last; y is the sum over the keys of weight * value. Sums of products
 * begin with 0 and run in order of memory, by fused multiply-adds.
 *
 * A key is excluded at or past the number of valid keys or the mask's end, outside the query's
 * window, and where a bool mask is false. The elements of a key and its value do not matter when
 * the key is excluded or its weight is 0. A sink is a score without a key: it takes a part of
 * the weights, so that those of the keys sum to less than 1. A query that has no keys, or whose
 * scores are all -Inf, gives zeros. When a score is NaN or Inf, each weight is NaN except where
 * the score is -Inf. */
#pragma once

#include "base/work.h"

/* What `scores` receives: the scores as summed, after softcap, or after the mask (-Inf where
 * excluded), or the weights. */
typedef enum oc_scores { OC_SCORES_RAW, OC_SCORES_CAPPED, OC_SCORES_MASKED, OC_WEIGHTS } oc_scores;

/* What a run is given: queries and keys, scores, or weights. */
typedef enum oc_given { OC_GIVEN_QUERIES, OC_GIVEN_SCORES, OC_GIVEN_WEIGHTS } oc_given;

typedef struct oc_attention {
    oc_type type; /* OC_F32 or OC_F64 */
    unsigned cpu; /* OC_CPU_ bits */
    int64_t batch, heads, queries, keys, size, v_size;
    /* divides heads; heads / kv_heads consecutive heads of queries share a head of keys */
    int64_t kv_heads;
    const void *q, *k, *v;        /* k, v: dense [batch][kv_heads][keys][size] */
    void *y;                      /* NULL: y is not computed */
    int64_t q_step[3], y_step[3]; /* elements from one batch, head or query to the next */
    const void *mask;             /* NULL: there is no mask */
    bool mask_is_bool; /* true: mask elements are bools of one byte; false: they have type `type` */
    /* elements from one batch, head, query or key to the next; 0: all of them use one */
    int64_t mask_step[4];
    int64_t mask_keys; /* keys at or past this number are excluded */
    /* Query i has position i + past. It sees the keys from `left` before that position to
     * `right` behind it; -1: no bound. When valid is given, past is valid - queries instead, or
     * past_of of each batch. */
    int64_t past, left, right;
    /* number of valid keys in each batch, at most keys; NULL: all keys are valid */
    const int64_t *valid;
    const int64_t *past_of; /* used only with valid; NULL: past is valid - queries */
    /* one more score for each head, of a key without a value; NULL: there is none */
    const void *sinks;
    double scale, softcap;
    oc_given given;
    const void *from; /* the scores or weights that are given, laid out as `scores` */
    oc_scores tell;
    void *scores; /* dense [batch][heads][queries][keys]; NULL: not wanted */
    oc_work work;
    void *scratch; /* oc_attention_scratch bytes, aligned to 64 */
} oc_attention;

double oc_attention_work(const oc_attention *g); /* estimated cost in products */
/* Returns the bytes of scratch for this number of tasks; 0 when the size overflows. */
size_t oc_attention_scratch(const oc_attention *g, int tasks);
void oc_attention_run(const oc_attention *g);
