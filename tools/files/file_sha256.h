/* SPDX-License-Identifier: Apache-2.0
 * file_sha256.h - the size and the SHA-256 of a file. */
#pragma once

#include "common/sha256.h"
#include "common/tool.h"

typedef struct file_digest {
    uint64_t bytes;
    char sha256[SHA256_TEXT];
} file_digest;

/* Reads the file to its end; all zero after an error. */
file_digest file_sha256(const char *path, oc_error *e);
