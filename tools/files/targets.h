/* SPDX-License-Identifier: Apache-2.0
 * targets.h - checks that all files that a command is about to write are different. */
#pragma once

#include "common/tool.h"

/* Starts as all zero. */
typedef struct targets {
    void *tree; /* the items of target, by place */
    struct target **item;
    int n;
} targets;

/* Adds a path, which need not exist. OC_ARGUMENT if an earlier one is the same file, by another
 * spelling or by links; devices and pipes may be written more than once. */
void targets_add(targets *t, const char *path, oc_error *e);
void targets_free(targets *t);
