/* SPDX-License-Identifier: Apache-2.0
 * group_query.h - what the inputs of GroupQueryAttention must be. */
#pragma once

#include "ops/attention/head_cache.h"
#include "ops/attention/heads.h"

enum {
    OC_GQ_QUERY,
    OC_GQ_KEY,
    OC_GQ_VALUE,
    OC_GQ_PAST_KEY,
    OC_GQ_PAST_VALUE,
    OC_GQ_LENGTHS,
    OC_GQ_TOTAL,
    OC_GQ_COS,
    OC_GQ_SIN,
    OC_GQ_POSITIONS,
    OC_GQ_BIAS,
    OC_GQ_SINK,
    OC_GQ_K_SCALE,
    OC_GQ_V_SCALE,
    OC_GQ_Q_NORM,
    OC_GQ_K_NORM
};
enum { OC_GQ_Y, OC_GQ_PRESENT_KEY, OC_GQ_PRESENT_VALUE, OC_GQ_SCORES };
enum { OC_GQ_QK_BEFORE_SOFTMAX = 1, OC_GQ_QK_AFTER_SOFTMAX = 2 }; /* attribute qk_output */

/* B batches, N heads of queries, S queries, L new keys. */
typedef struct oc_group_query {
    oc_heads q, k, v;
    int64_t batch, heads, kv_heads, queries, added, size;
    int64_t past;  /* rows of the past caches */
    int64_t total; /* number of keys of the longest batch */
    int64_t rows;  /* rows of a head in the present caches */
    int64_t half;  /* number of pairs of a head that are rotated */
    oc_type cache;
    bool prompt;
} oc_group_query;

oc_status oc_group_query_read(oc_call *c, oc_group_query *g);
/* The cache of keys or values. kept: past rows of each batch that are in use. */
oc_head_cache oc_group_query_cache(oc_call *c, const oc_group_query *g, bool values,
                                   const int64_t *kept);
