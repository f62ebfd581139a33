/* SPDX-License-Identifier: Apache-2.0
 * limits.h - the bounds on what the command reads.
 *
 * A request beyond a bound is refused with OC_LIMIT. docs/limits.md lists the bounds. */
#pragma once

#include <stdint.h>

/* X(name, value, text): LIMIT_name is the value, and the text says what it bounds. */
#define LIMIT_MAP(X)                                                                               \
    X(STREAM, 1 << 30, "bytes of an input that is a pipe or a device")                             \
    X(MEMBERS, 65535, "members of an archive")                                                     \
    X(PIXELS, 100000000, "pixels of a picture")                                                    \
    X(SIDE, 1 << 20, "pixels of a row or a column of a picture")                                   \
    X(SCANS, 200, "scans of a JPEG")                                                               \
    X(NAMES, 1 << 17, "names of classes that an exporter has left")

/* Most bytes of one file unless an option says otherwise: 4 GiB, or all that a size can count. */
#define LIMIT_FILE ((size_t)(UINT64_C(4) << 30 < SIZE_MAX ? UINT64_C(4) << 30 : SIZE_MAX))

enum {
#define X(name, value, what) LIMIT_##name = (value),
    LIMIT_MAP(X)
#undef X
};
