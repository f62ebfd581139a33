/* SPDX-License-Identifier: Apache-2.0
 * test_cpu.c - masks of instruction sets by name. */
#include "suite.h"
#include "base/cpu.h"

START_TEST(masks_by_name)
{
    static const struct {
        const char *name;
        unsigned bits;
        int known;
    } rows[] = {
        {NULL, ~0u, 1},
        {"", ~0u, 1},
        {"native", ~0u, 1},
        {"scalar", 0, 1},
        {"v128", OC_CPU_V128, 1},
        {"avx2", OC_CPU_V128 | OC_CPU_AVX2, 1},
        {"avx512", OC_CPU_V128 | OC_CPU_AVX2 | OC_CPU_AVX512, 1},
        {"neon", OC_CPU_NEON, 1},
        {"AVX2", 0, 0},
        {"avx", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int known = -1;
        ck_assert_uint_eq(oc_cpu_mask(rows[i].name, &known), rows[i].bits);
        ck_assert_int_eq(known, rows[i].known);
    }
}
END_TEST

START_TEST(what_is_detected_is_consistent)
{
    const unsigned bits = oc_cpu_detect();
    ck_assert_uint_eq(bits, oc_cpu_detect());
    ck_assert_int_eq((bits & OC_CPU_V128) != 0, OC_HAS_V128);
    ck_assert(!(bits & OC_CPU_NEON) || !OC_HAS_V128);
    ck_assert_int_eq(bits & OC_CPU_FAST, 0);
    ck_assert(!(bits & OC_CPU_AVX512) || (bits & OC_CPU_AVX2));
#if defined(__x86_64__)
    ck_assert_int_eq(!(bits & OC_CPU_NEON), 1);
    ck_assert_int_eq((bits & OC_CPU_AVX2) != 0,
                     __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
}
END_TEST

START_TEST(sums_of_products)
{
    static const struct {
        unsigned bits;
        const char *products;
    } rows[] = {
        {0, "exact"},
        {OC_CPU_FAST, "fast"},
        {OC_CPU_AVX2, "fused"},
        {OC_CPU_AVX2 | OC_CPU_AVX512 | OC_CPU_VNNI, "fused"},
        {OC_CPU_NEON | OC_CPU_I8MM, "fused"},
        {OC_CPU_FMA, "fused"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_str_eq(oc_cpu_products(rows[i].bits), rows[i].products);
        ck_assert_int_eq(oc_cpu_fuses(rows[i].bits), strcmp(rows[i].products, "fused") == 0);
    }
    ck_assert_uint_eq(oc_cpu_detect() & OC_CPU_FAST, 0);
    ck_assert_str_eq(oc_cpu_name(OC_CPU_FAST), "scalar");
}
END_TEST

START_TEST(names_of_sets)
{
    static const char *const names[] = {"scalar", "v128", "relaxed", "avx2", "avx512", "neon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int known;
        ck_assert_str_eq(oc_cpu_name(oc_cpu_mask(names[i], &known)), names[i]);
    }
}
END_TEST

SUITE("cpu", masks_by_name, names_of_sets, sums_of_products, what_is_detected_is_consistent)
