/* SPDX-License-Identifier: Apache-2.0
 * stream.h - reads streams and open files into the model's memory, where nobody changes them. */
#pragma once

#include "graph/graph.h"
#include "loader/disk.h"

#include <ocellus_model.h>

/* Reads to the end. The bytes live as long as the model and count against its cap. expected is
 * the number of bytes if nothing changes; 0: it is unknown, and more than OC_MAX_STREAM_GIB are
 * refused. */
oc_status oc_read_stream(oc_model *m, const oc_reader *in, size_t expected, const void **bytes,
                         size_t *size, oc_error *e);
oc_status oc_read_open_file(oc_model *m, oc_disk_file file, size_t expected, const void **bytes,
                            size_t *size, oc_error *e);
