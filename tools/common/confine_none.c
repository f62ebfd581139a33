/* SPDX-License-Identifier: Apache-2.0
 * confine_none.c - Windows and WASI have none of what a process gives up on Linux, so nothing is
 * confined. */
#include "common/confine.h"

confine confine_begin(void)
{
    return (confine){-1};
}

void confine_allow_read(OC_UNUSED const confine *c, OC_UNUSED const char *path) {}

void confine_allow_read_beside(OC_UNUSED const confine *c, OC_UNUSED const char *path) {}

void confine_allow_write(OC_UNUSED const confine *c, OC_UNUSED const char *path) {}

confined confine_enter(OC_UNUSED confine *c, OC_UNUSED size_t memory, OC_UNUSED double seconds)
{
    return (confined){.files = false};
}
