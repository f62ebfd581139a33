/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.h - values in files, by the ending: .npy, .npz, .pb, .png, .jpg. */
#ifndef TOOLS_FILES_TENSOR_FILE_H
#define TOOLS_FILES_TENSOR_FILE_H

#include "files/image.h"
#include "files/npz.h"

typedef struct tensor_options {
    size_t cap; /* most bytes that a file may hold or unpack to */
    image_options image;
    bool cast;  /* numbers of another type are converted to the port's */
    bool quiet; /* no remarks on standard error */
} tensor_options;

/* Is the ending one of those above? .npz does not count: it holds several values. */
bool tensor_is_file(const char *path);

/* Reads one value to suit the port, and says on standard error how a picture became a tensor or
 * codes became a type that NumPy lacks. name, when not NULL, receives the name inside a .pb, NULL
 * otherwise; free it with free. Free the value with oc_value_free. */
oc_value *tensor_read(const char *path, const oc_port *port, const tensor_options *options,
                      char **name, oc_error *e);

/* Makes the value's type the port's where a file cannot hold that type, or options ask for it.
 * Takes v and returns it or its replacement; NULL and an error when codes are out of range. */
oc_value *tensor_as(oc_value *v, const oc_port *port, const tensor_options *options,
                    const char *where, oc_error *e);

void tensor_write(const char *path, const oc_value *v, const char *name,
                  const tensor_options *options, oc_error *e);

/* A deep copy; NULL is allowed. */
oc_value *tensor_copy(const oc_value *tensor, oc_error *e);

#endif
