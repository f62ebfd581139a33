/* SPDX-License-Identifier: Apache-2.0
 * attention.h - how is softmax(scale * Q K' + bias) V computed, head by head?
 *
 * For each query: its elements are multiplied by scale; a score is the sum over the head's elements
 * of query * key; softcap (when not 0) makes it softcap * tanh(score / softcap); the mask is added.
 * The weights are the softmax of normalize.h along a row of keys, from the query's first to its
 * last; y is the sum over the keys of weight * value. Sums of products begin with 0 and run in
 * order of memory, by fused multiply-adds.
 *
 * A key takes no part where its weight is 0 or where it is excluded. It is excluded at or past the
 * number of valid keys or the mask's end, outside the query's window, and where a bool mask is
 * false. The elements of its key and value do not matter then. A sink is no key: it has a part of
 * the weights, which sum to less than 1 then. The result of a query is zeros where it has no keys
 * or all scores are -Inf. Where a score is NaN or Inf, each weight is NaN except where the score is
 * -Inf. */
#ifndef OC_KERNELS_ATTENTION_ATTENTION_H
#define OC_KERNELS_ATTENTION_ATTENTION_H

#include "base/threads.h"
#include "base/work.h"

/* What `scores` receives: the scores as summed, after softcap, after the mask (-Inf where
 * excluded), or the weights. */
typedef enum oc_scores { OC_SCORES_RAW, OC_SCORES_CAPPED, OC_SCORES_MASKED, OC_WEIGHTS } oc_scores;

/* Where a run begins: with queries and keys, with scores, or with weights. */
typedef enum oc_given { OC_GIVEN_QUERIES, OC_GIVEN_SCORES, OC_GIVEN_WEIGHTS } oc_given;

typedef struct oc_attention {
    oc_type type; /* OC_F32 or OC_F64 */
    unsigned cpu; /* OC_CPU_ bits */
    int64_t batch, heads, queries, keys, size, v_size;
    int64_t kv_heads;             /* divides heads; consecutive heads share one */
    const void *q, *k, *v;        /* k, v: dense [batch][kv_heads][keys][size] */
    void *y;                      /* NULL: not wanted */
    int64_t q_step[3], y_step[3]; /* elements from one batch, head, query to the next */
    const void *mask;             /* NULL: none */
    bool mask_is_bool;            /* one byte each; else of `type` */
    int64_t mask_step[4];         /* for batch, head, query, key; 0: the same for all */
    int64_t mask_keys;            /* the mask's end */
    /* Query i has position i + past and sees keys from left before it to right behind it; -1: all.
     * Where valid is given, past is valid - queries instead, or past_of of each batch. */
    int64_t past, left, right;
    const int64_t *valid;   /* keys of each batch, at most keys; NULL: all */
    const int64_t *past_of; /* beside valid; NULL: valid - queries */
    const void *sinks;      /* for each head a score more, of a key without a value; NULL: none */
    double scale, softcap;
    oc_given given;
    const void *from; /* scores or weights, where these are given; as `scores` */
    oc_scores tell;
    void *scores; /* dense [batch][heads][queries][keys]; NULL: not wanted */
    oc_work work;
    void *scratch; /* oc_attention_scratch bytes, aligned to 64 */
} oc_attention;

double oc_attention_work(const oc_attention *g); /* in products */
/* 0: the size does not fit. */
size_t oc_attention_scratch(const oc_attention *g, int tasks);
void oc_attention_run(const oc_attention *g);

#endif
