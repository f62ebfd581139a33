/* SPDX-License-Identifier: Apache-2.0
 * test_files.h - what the tests of the command's files share. */
#pragma once

#include "files/io.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

/* A file of tests/tools/data, whose path the build gives. */
static inline io_bytes load_data(const char *name)
{
    char path[512];
    io_bytes b;
    oc_error e = {0};
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    io_read(path, 1 << 20, &b, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return b;
}

/* Calls read over a copy that ends where it ends, so that a sanitizer sees a read past it. */
static inline void with_exact_copy(const unsigned char *bytes, size_t size,
                                   void (*read)(const unsigned char *bytes, size_t size))
{
    unsigned char *copy = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    read(copy, size);
    free(copy);
}
