/* SPDX-License-Identifier: Apache-2.0
 * machine.h - how much memory may this process use? */
#pragma once

#include <stddef.h>

/* Returns three quarters of the memory, in bytes, of the machine, or of the control group
 * (cgroup v2 or v1) or address space that the process is limited to, whichever is least. */
size_t machine_memory_share(void);
