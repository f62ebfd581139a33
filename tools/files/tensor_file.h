/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.h - reads and writes one value in the format that the file's ending tells. */
#pragma once

#include "files/image.h"
#include "files/npz.h"

typedef struct tensor_options {
    size_t cap; /* most bytes that a file may have or unpack to */
    image_options image;
    bool cast;      /* true: numbers of another type are converted to the port's */
    bool quiet;     /* true: no remarks on standard error */
    image_fit *fit; /* receives the fit of a picture; width 0 for other files. NULL: not asked */
    const image_options *scaled; /* how pictures are written; NULL: as their values suggest */
} tensor_options;

/* Does the path end with .npy, .pb, .png, .jpg or .jpeg? .npz does not count, because it holds
 * several values. */
bool tensor_is_file(const char *path);

/* Does the path end with one of these, or with .webp, .bmp or another ending that tensor_read
 * takes? */
bool tensor_can_read(const char *path);

/* Reads one value for the port. Unless options->quiet, prints on standard error how a picture
 * became a tensor, or that codes were taken as the port's type. If name is not NULL, *name
 * receives the name stored in a .pb, or NULL for other files; free it with free. Free the value
 * with oc_value_free. */
oc_value *tensor_read(const char *path, const oc_port *port, const tensor_options *options,
                      char **name, oc_error *e);

/* Converts the tensor v to the port's type if v has the type in which files store codes of the
 * port's type, or, for numbers, if options->cast. Returns any other v unchanged. Takes ownership
 * of v and returns v or a new value; returns NULL and sets *e when a code is out of range. */
oc_value *tensor_as(oc_value *v, const oc_port *port, const tensor_options *options,
                    const char *where, oc_error *e);

/* Writes v; name is stored in a .pb. OC_ARGUMENT for an unknown ending, and for a sequence or
 * optional in a file that is not .pb. */
void tensor_write(const char *path, const oc_value *v, const char *name,
                  const tensor_options *options, oc_error *e);

/* Returns a deep copy, counted in data.h, to be freed with oc_value_free; NULL for NULL and
 * after an error. */
oc_value *tensor_copy(const oc_value *tensor, oc_error *e);
