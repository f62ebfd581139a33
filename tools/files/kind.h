/* SPDX-License-Identifier: Apache-2.0
 * kind.h - what does a file hold, as its first bytes tell? */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum file_kind {
    KIND_UNKNOWN,
    KIND_PNG,
    KIND_JPEG,
    KIND_WEBP,
    KIND_GIF,
    KIND_BMP,
    KIND_PNM,
    KIND_NPY,
    KIND_ZIP /* an .npz is one */
} file_kind;

/* The first bytes of a file with which kind_of and kind_told know as much as with all. */
enum { KIND_HEAD = 1024 };

file_kind kind_of(const void *bytes, size_t size);
bool kind_is_picture(file_kind kind);

/* Returns what the bytes look like, for messages: "a JPEG picture", "text", "empty", "cut off",
 * "of no known format". */
const char *kind_told(const void *bytes, size_t size);
