/* SPDX-License-Identifier: Apache-2.0
 * cpu.c - which instruction sets does this processor have, according to the compiler's run-time
 * support? */
#include "base/cpu.h"

#include <stddef.h>
#include <string.h>

unsigned oc_cpu_detect(void)
{
    unsigned bits = 0;
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        bits |= OC_CPU_AVX2;
    if (bits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        bits |= OC_CPU_AVX512;
#elif defined(__aarch64__)
    bits |= OC_CPU_NEON; /* part of the architecture */
#endif
    return bits;
}

unsigned oc_cpu_mask(const char *name, int *known)
{
    static const struct {
        const char *name;
        unsigned bits;
    } masks[] = {
        {"native", ~0u},       {"scalar", 0},
        {"avx2", OC_CPU_AVX2}, {"avx512", OC_CPU_AVX2 | OC_CPU_AVX512},
        {"neon", OC_CPU_NEON},
    };
    *known = 1;
    if (!name || !*name)
        return ~0u;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        if (strcmp(name, masks[i].name) == 0)
            return masks[i].bits;
    *known = 0;
    return 0;
}

const char *oc_cpu_name(unsigned bits)
{
    return bits & OC_CPU_NEON     ? "neon"
           : bits & OC_CPU_AVX512 ? "avx512"
           : bits & OC_CPU_AVX2   ? "avx2"
                                  : "scalar";
}
