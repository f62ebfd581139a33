/* SPDX-License-Identifier: Apache-2.0
 * frames.h - reads and writes streams of pictures, each behind the one before, as video tools give
 * and take them.
 *
 * A stream is what `ffmpeg -f image2pipe` writes with -vcodec mjpeg, ppm, pgm, pbm, png or bmp. PNM
 * in text (P1, P2, P3) and GIF have no end of their own: such a picture has all that is left of the
 * stream. Between pictures there may be blanks, ends of lines and bytes of 0. */
#pragma once

#include "files/image.h"
#include "files/kind.h"

typedef struct frames {
    const char *name; /* what messages call the stream; borrowed */
    int64_t n;        /* the number of the last picture, from 1; 0: none yet */
    file_kind kind;   /* of the last picture */

    /* how the stream is read */
    oc_reader in;
    int file;       /* the file of `in`; -1: the caller's own reader */
    size_t cap;     /* most bytes of one picture */
    bool ended;     /* true: the reader has no more bytes */
    io_bytes bytes; /* what was read; the next picture begins at `at` */
    size_t at;
    size_t seen; /* bytes of the next picture in which its end is not */
} frames;

/* Begins a stream of the file at path, "-" for standard input. path and *f stay where they are
 * until frames_close. */
void frames_open(frames *f, const char *path, size_t cap, oc_error *e);
/* Begins a stream of what `in` reads. */
void frames_begin(frames *f, const oc_reader *in, const char *name, size_t cap);
/* Puts the bytes of the next picture in *out, in place of what is there, and returns true; false at
 * the end of the stream and after an error. It returns as soon as the picture is there, whatever
 * comes behind it. The bytes are a whole picture, but may be damaged. An error tells the picture's
 * number: OC_FORMAT when it is cut off or begins with no picture, OC_LIMIT when it has more than
 * cap bytes. Begin with *out all zero, and free it with io_bytes_free. */
bool frames_next(frames *f, io_bytes *out, oc_error *e);
void frames_close(frames *f);

/* Writes a picture of a stream so that who reads it has all of it, as JPEG, PNG or else as PGM or
 * PPM: 8-bit samples (PNG: also 16), without alpha (but in PNG). */
void frames_write(const image *m, file_kind kind, io_file *out, oc_error *e);
