/* SPDX-License-Identifier: Apache-2.0
 * interface_picture.h - a photograph as the program gave it, from which it is decoded as often as
 * it is needed: an answer that is never drawn does not keep its pixels. */
#pragma once

#include "files/image.h"

#include <stdatomic.h>

typedef struct given {
    atomic_int users;
    io_bytes bytes;              /* of a file, or rows of samples */
    char *name;                  /* for messages and tables */
    int width, height, channels; /* of rows of samples; channels 0: bytes of a file */
    int turn;                    /* of rows of samples, as image.turn */
} given;

/* Each returns a source for one user. */
given *given_of_file(const char *path, oc_error *e);
given *given_of_bytes(const void *bytes, size_t size, oc_error *e);
given *given_of_samples(const uint8_t *samples, int height, int width, int channels, int turn,
                        oc_error *e);
given *given_share(given *s);
void given_free(given *s); /* for one user; NULL is allowed */

/* Decodes the photograph, and turns it as it is seen. Free with image_free. */
void given_read(const given *s, image *m, oc_error *e);
