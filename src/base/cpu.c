/* SPDX-License-Identifier: Apache-2.0
 * cpu.c - which instruction sets do this processor and the operating system have?
 *
 * The processor tells by its instruction cpuid, and which registers the system saves by xgetbv
 * (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapters 14 and 15). The
 * compilers' own support for that takes 5 KB. */
#include "base/cpu.h"

#include "base/fused.h"

#include <string.h>

/* The compiler's vectors, and its numbers, fuse where it may use such an instruction
 * (kernels/simd/v128_fused.h). */
#ifdef OC_HAS_FMA
enum { COMPILER_FUSES = 1 };
#else
enum { COMPILER_FUSES = 0 };
#endif

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

enum {
    /* bits of leaf 1, register ecx */
    FMA = 1 << 12,
    XGETBV = 1 << 27,
    F16C = 1 << 29,
    /* bits of leaf 7, register ebx */
    AVX2 = 1 << 5,
    AVX512_F = 1 << 16,
    AVX512_DQ = 1 << 17,
    AVX512_BW = 1 << 30,
    /* bits of leaf 7, register ecx */
    AVX512_VNNI = 1 << 11,
    /* bits of leaf 7, subleaf 1, register eax */
    AVX_VNNI = 1 << 4,
    /* bits that xgetbv returns: the registers that the system saves */
    YMM = 0x6,
    ZMM = 0xe6
};

#define AVX512_VL (1u << 31) /* a bit of leaf 7, register ebx, that does not fit an enum */

static bool has(unsigned bits, unsigned wanted)
{
    return (bits & wanted) == wanted;
}

static unsigned saved_registers(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

unsigned oc_cpu_detect(void)
{
    unsigned a, b, c, d, extended, more, bits = OC_HAS_V128 ? OC_CPU_V128 : 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, XGETBV) ||
        !__get_cpuid_count(7, 0, &a, &extended, &more, &d))
        return bits;
    const unsigned saved = saved_registers();
    if (has(c, FMA | F16C) && has(extended, AVX2) && has(saved, YMM))
        bits |= OC_CPU_AVX2;
    if ((bits & OC_CPU_AVX2) && has(extended, AVX512_F | AVX512_DQ | AVX512_BW | AVX512_VL) &&
        has(saved, ZMM))
        bits |= OC_CPU_AVX512;
    if ((bits & OC_CPU_AVX512) && has(more, AVX512_VNNI))
        bits |= OC_CPU_VNNI;
    if ((bits & OC_CPU_AVX2) && __get_cpuid_count(7, 1, &a, &b, &c, &d) && has(a, AVX_VNNI))
        bits |= OC_CPU_AVX_VNNI;
    return bits;
}

#elif defined(__aarch64__)

#ifdef __linux__
#include <sys/auxv.h>

static bool has_i8mm(void)
{
    const unsigned long hwcap2_i8mm = 1UL << 13; /* as Linux numbers it */
    return getauxval(AT_HWCAP2) & hwcap2_i8mm;
}

#elif defined(__APPLE__)
#include <sys/sysctl.h>

static bool has_i8mm(void)
{
    int has = 0;
    size_t size = sizeof has;
    return sysctlbyname("hw.optional.arm.FEAT_I8MM", &has, &size, NULL, 0) == 0 && has;
}

#else

static bool has_i8mm(void)
{
    return false;
}

#endif

/* Every 64-bit ARM processor has NEON; I8MM is asked for. */
unsigned oc_cpu_detect(void)
{
    return OC_CPU_NEON | (has_i8mm() ? OC_CPU_I8MM : 0);
}

#elif defined(__wasm_relaxed_simd__)

#include <wasm_simd128.h>

/* An engine computes a relaxed multiply-add with one rounding or with two. The square of 1 + 2^-12
 * has a last digit that is lost where it is rounded before 1 is taken away. */
static bool fuses(void)
{
    const volatile float x = 1 + 0x1p-12F, one = -1;
    const v128_t square = wasm_f32x4_splat(x);
    const v128_t rest = wasm_f32x4_relaxed_madd(square, square, wasm_f32x4_splat(one));
    return wasm_f32x4_extract_lane(rest, 0) == 0x1p-11F + 0x1p-24F;
}

/* An engine takes the bytes of the second operand as unsigned or as signed, and may limit the sum
 * of two products to 16 bits. The greatest bytes show all of it. */
static bool multiplies_unsigned(void)
{
    const volatile int8_t weight = 127;
    const volatile uint8_t pixel = 255;
    const v128_t sum = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(
        wasm_i8x16_splat(weight), wasm_u8x16_splat(pixel), wasm_i32x4_const_splat(1));
    return wasm_i32x4_extract_lane(sum, 3) == 4 * 127 * 255 + 1;
}

unsigned oc_cpu_detect(void)
{
    return OC_CPU_V128 | (fuses() ? OC_CPU_RELAXED : 0) |
           (multiplies_unsigned() ? OC_CPU_RELAXED_DOT : 0);
}

#else

unsigned oc_cpu_detect(void)
{
    return OC_HAS_V128 ? OC_CPU_V128 : COMPILER_FUSES ? OC_CPU_FMA : 0;
}

#endif

unsigned oc_cpu_mask(const char *name, int *known)
{
    static const struct {
        const char *name;
        unsigned bits;
    } masks[] = {
        {"native", ~0u},
        {"scalar", 0},
        {"v128", OC_CPU_V128},
        {"relaxed", OC_CPU_V128 | OC_CPU_RELAXED},
        {"relaxeddot", OC_CPU_V128 | OC_CPU_RELAXED | OC_CPU_RELAXED_DOT},
        {"avx2", OC_CPU_V128 | OC_CPU_AVX2},
        {"avx512", OC_CPU_V128 | OC_CPU_AVX2 | OC_CPU_AVX512},
        {"neon", OC_CPU_NEON},
        {"avx512vnni", OC_CPU_V128 | OC_CPU_AVX2 | OC_CPU_AVX512 | OC_CPU_VNNI},
        {"i8mm", OC_CPU_NEON | OC_CPU_I8MM},
        {"avxvnni", OC_CPU_V128 | OC_CPU_AVX2 | OC_CPU_AVX_VNNI},
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
    return bits & OC_CPU_NEON      ? "neon"
           : bits & OC_CPU_AVX512  ? "avx512"
           : bits & OC_CPU_AVX2    ? "avx2"
           : bits & OC_CPU_RELAXED ? "relaxed"
           : bits & OC_CPU_V128    ? "v128"
                                   : "scalar";
}

bool oc_cpu_fuses(unsigned bits)
{
    return bits & (OC_CPU_AVX2 | OC_CPU_AVX512 | OC_CPU_NEON | OC_CPU_RELAXED | OC_CPU_FMA |
                   (COMPILER_FUSES ? OC_CPU_V128 : 0));
}

const char *oc_cpu_products(unsigned bits)
{
    return oc_cpu_fuses(bits) ? "fused" : bits & OC_CPU_FAST ? "fast" : "exact";
}
