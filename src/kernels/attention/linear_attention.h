/* SPDX-License-Identifier: Apache-2.0
 * linear_attention.h - passes the state of a head from token to token, in float.
 *
 * For each token, with the state S [key_size][value_size] of its head: every row of S is
 * multiplied by exp(decay) of that row, if there is a decay. If there is a beta, r is the sum
 * over rows of key * S. Every row adds its key * (value, or with beta: beta * (value - r)). Then
 * each query of the head gives y = scale * (sum over rows of query * S). Sums over rows are
 * those of matmul.h; what is added to S is rounded before. */
#pragma once

#include "base/work.h"

typedef struct oc_linear_attention {
    int64_t batch, tokens, heads, kv_heads; /* kv_heads divides heads */
    int64_t key_size, value_size;
    const float *q, *k, *v; /* dense [batch][tokens][heads or kv_heads][size] */
    const float *decay;     /* [batch][tokens][kv_heads][decay_size]; NULL: there is no decay */
    int64_t decay_size;     /* key_size, or 1 when all rows share one decay */
    const float *beta;      /* [batch][tokens][beta_heads]; NULL: there is no beta */
    int64_t beta_heads;     /* kv_heads, or 1 when all heads share one beta */
    float scale;
    /* [batch][kv_heads][key_size][value_size]; the state before the run, then after it */
    float *state;
    float *y;     /* [batch][tokens][heads][value_size] */
    unsigned cpu; /* OC_CPU_ bits */
    oc_work work;
    float *scratch; /* value_size floats for each task */
} oc_linear_attention;

double oc_linear_attention_work(const oc_linear_attention *g); /* estimated cost in products */
void oc_linear_attention_run(const oc_linear_attention *g);
