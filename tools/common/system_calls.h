/* SPDX-License-Identifier: Apache-2.0
 * system_calls.h - filters the system calls of this process. */
#pragma once

#include <stdbool.h>

/* From now on every call that computing, reading and writing do not need fails with EPERM, in
 * this thread and those that it starts. Returns false when the system has no such filter. */
bool system_calls_filter(void);
