/* SPDX-License-Identifier: Apache-2.0
 * machine_windows.c - how much memory and how many processors may this process use? */
#define WIN32_LEAN_AND_MEAN
#include "base/int.h"
#include "common/machine.h"

#include <windows.h>

size_t machine_memory_share(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    if (!GlobalMemoryStatusEx(&memory))
        return (size_t)3 << 30; /* of 4 GiB */
    const DWORDLONG least = oc_min(memory.ullTotalPhys, memory.ullTotalVirtual);
    return (size_t)(least / 4 * 3);
}

/* The mask is empty where the process has processors of several groups, of 64 each. */
int machine_processors(void)
{
    DWORD_PTR ours = 0, all = 0;
    GetProcessAffinityMask(GetCurrentProcess(), &ours, &all);
    const int n = __builtin_popcountll(ours);
    return n ? n : (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}
