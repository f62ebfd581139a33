/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.h - reads one value in the format that the file's first bytes tell, and writes one in
 * the format that its ending tells. */
#pragma once

#include "files/image.h"
#include "files/npz.h"

typedef struct tensor_options {
    size_t cap; /* most bytes that a file may have or unpack to */
    image_options image;
    bool cast;      /* true: numbers of another type are converted to the port's */
    bool quiet;     /* true: no remarks on standard error */
    image_fit *fit; /* receives the fit of a picture; width 0 for other files. NULL: not asked */
    image *seen;    /* receives a picture as it is seen, before it is resized. NULL: not asked */
    const image_options *scaled; /* how pictures are written; NULL: as their values suggest */
} tensor_options;

/* Does the path end with .npy, .pb, .png, .jpg or .jpeg? .npz does not count, because it holds
 * several values. */
bool tensor_is_file(const char *path);

/* Does the path end with one of these, or with .webp, .gif or another ending of pictures? */
bool tensor_can_read(const char *path);

/* How a file holds values. The first bytes tell of pictures, .npy and .npz, and only the ending
 * of .pb and of text (.txt, .csv, .json). */
typedef enum tensor_form {
    TENSOR_UNKNOWN,
    TENSOR_PICTURE,
    TENSOR_NPY,
    TENSOR_NPZ,
    TENSOR_PB,
    TENSOR_TEXT
} tensor_form;

/* Reads a whole file, "-" for standard input, and finds its form. OC_FORMAT for an unknown form,
 * which is known before all of a large file is read. Free the bytes with io_bytes_free. */
tensor_form tensor_read_bytes(const char *path, const tensor_options *options, io_bytes *out,
                              oc_error *e);
/* Reads one value for the port from the bytes of a file. An .npz has one array, or one
 * of the port's name. Unless options->quiet, prints on standard error how a picture became a
 * tensor, or that codes were taken as the port's type. If name is not NULL, *name receives the
 * name stored in a .pb, or NULL for other files; free it with free. Free the value with
 * oc_value_free. */
oc_value *tensor_decode(tensor_form form, const io_bytes *b, const char *where, const oc_port *port,
                        const tensor_options *options, char **name, oc_error *e);
/* Both in one. */
oc_value *tensor_read(const char *path, const oc_port *port, const tensor_options *options,
                      char **name, oc_error *e);

/* Resizes the turned picture as options say, and makes a tensor for the port of it. Sets
 * options->fit. Unless options->quiet, says how. Free the value with oc_value_free. */
oc_value *tensor_of_picture(image *m, const oc_port *port, const tensor_options *options,
                            const char *where, oc_error *e);

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
