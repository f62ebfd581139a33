/* SPDX-License-Identifier: Apache-2.0
 * raw.h - elements as files hold them: dense, little-endian, those of 2 and 4 bits packed. */
#ifndef OC_LOADER_RAW_H
#define OC_LOADER_RAW_H

#include "graph/graph.h"

/* Bytes that count elements take in a file. */
size_t oc_raw_size(oc_type type, int64_t count);

/* Gives the value, whose type (no string) and dims are set, the size bytes as its elements:
 * borrowed when pool is NULL and they lie as memory wants them or in_place says that they need not
 * (see oc_constant), else copied to the pool, or to the model when pool is NULL. name is the
 * tensor's, for errors. */
oc_status oc_raw_elements(oc_model *m, oc_pool *pool, bool in_place, const char *name,
                          const void *bytes, size_t size, oc_value *v, oc_error *e);

#endif
