/* SPDX-License-Identifier: Apache-2.0
 * system_calls.h - the filter of system calls. */
#ifndef TOOLS_COMMON_SYSTEM_CALLS_H
#define TOOLS_COMMON_SYSTEM_CALLS_H

#include <stdbool.h>

/* From now on every call that computing, reading and writing do not take fails with EPERM, in this
 * thread and those that it starts. Returns false where the system has no such filter. */
bool system_calls_filter(void);

#endif
