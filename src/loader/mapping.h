/* SPDX-License-Identifier: Apache-2.0
 * mapping.h - maps a model's file into memory for as long as the model lives. */
#pragma once

#include "graph/graph.h"
#include "loader/disk.h"

/* Maps size bytes, 1 or more, of an open file, which the caller may close afterwards. *bytes is
 * NULL when the file cannot be mapped; errno tells why. */
oc_status oc_map_file(oc_model *m, oc_disk_file file, size_t size, const void **bytes, oc_error *e);
