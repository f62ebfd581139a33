/* SPDX-License-Identifier: Apache-2.0
 * file_bytes.h - brings the bytes of streams and files to a model: read into its memory, where
 * nobody changes them, or mapped. */
#pragma once

#include "graph/graph.h"
#include "loader/disk.h"

#include <ocellus_model.h>

/* file.c: refuses more than PTRDIFF_MAX bytes, in which this processor could tell no distances. */
oc_status oc_bytes_fit(uint64_t size, oc_error *e);

/* ---- bytes that are read (stream.c) ---- */

/* Reads to the end. The bytes live as long as the model and count against its cap. expected is
 * the number of bytes if nothing changes; 0: it is unknown, and more than OC_MAX_STREAM_GIB are
 * refused. */
oc_status oc_read_stream(oc_model *m, const oc_reader *in, size_t expected, const void **bytes,
                         size_t *size, oc_error *e);
oc_status oc_read_open_file(oc_model *m, oc_disk_file file, size_t expected, const void **bytes,
                            size_t *size, oc_error *e);

/* ---- a file mapped into memory for as long as the model lives (mapping.c) ---- */

/* Maps size bytes, 1 or more, of an open file, which the caller may close afterwards. *bytes is
 * NULL when the file cannot be mapped; errno tells why. */
oc_status oc_map_file(oc_model *m, oc_disk_file file, size_t size, const void **bytes, oc_error *e);
