/* SPDX-License-Identifier: Apache-2.0
 * machine_windows.c - finds out how much memory this process may use. */
#define WIN32_LEAN_AND_MEAN
#include "base/int.h"
#include "common/machine.h"

#include <windows.h>

size_t machine_memory_share(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    if (!GlobalMemoryStatusEx(&memory))
        return (size_t)3 << 30; /* three quarters of 4 GiB */
    const DWORDLONG least = oc_min(memory.ullTotalPhys, memory.ullTotalVirtual);
    return (size_t)(least / 4 * 3);
}
