/* SPDX-License-Identifier: Apache-2.0
 * npz.h - reads and writes NumPy's .npz files: named tensors in one zip archive. */
#ifndef TOOLS_FILES_NPZ_H
#define TOOLS_FILES_NPZ_H

#include "files/zip.h"

typedef struct npz_item {
    char *name; /* of the archive's member, without ".npy" */
    oc_value *value;
} npz_item;

typedef struct npz_file {
    npz_item *item;
    int n;
} npz_file;

/* Reads all members, in the order of the archive's directory. cap and where are as in zip_open.
 * Free with npz_free. */
void npz_read(npz_file *f, const void *bytes, size_t size, size_t cap, const char *where,
              oc_error *e);
void npz_free(npz_file *f);

/* The name under which a tensor that a model calls name is a member: the same, unless a program
 * that unpacks the archive could leave its folder by it, or it has control characters; then that of
 * io_safe_name. Free with free. */
char *npz_safe_name(const char *name);
/* Adds a tensor as the member NAME.npy; the name is a safe one. */
void npz_add(zip_writer *z, const char *name, const oc_value *tensor, oc_error *e);

#endif
