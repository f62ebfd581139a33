/* SPDX-License-Identifier: Apache-2.0
 * npz.h - reads and writes NumPy's .npz files: named tensors in one zip archive. */
#pragma once

#include "files/zip.h"

typedef struct npz_item {
    char *name; /* name of the archive's member, without ".npy" */
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

/* Returns the member name for a tensor that a model calls name. It is the name itself, unless it
 * has control characters or could lead a program that unpacks the archive out of its folder;
 * then it is that of io_safe_name. Free it with free. */
char *npz_safe_name(const char *name);
/* Adds a tensor as the member NAME.npy; the name must be a safe one. */
void npz_add(zip_writer *z, const char *name, const oc_value *tensor, oc_error *e);
