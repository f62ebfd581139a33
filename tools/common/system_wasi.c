/* SPDX-License-Identifier: Apache-2.0
 * system_wasi.c - WASI has one thread, and starts no commands. */
#include "common/system.h"

#include "base/compiler.h"

void system_lock_stream(OC_UNUSED FILE *f) {}

void system_unlock_stream(OC_UNUSED FILE *f) {}

int system_run(OC_UNUSED const char *line)
{
    return SYSTEM_NOT_RUN;
}
