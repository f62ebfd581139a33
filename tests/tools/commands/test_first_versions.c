/* SPDX-License-Identifier: Apache-2.0
 * test_first_versions.c - what ONNX's changelog tells, and that the library's rows agree. */
#include "commands/first_versions.h"
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

START_TEST(finds_whole_names)
{
    ck_assert_int_eq(first_version("", "Abs"), 1);
    ck_assert_int_eq(first_version("", "Add"), 1);
    ck_assert_int_eq(first_version("", "GridSample"), 16);
    ck_assert_int_eq(first_version("", "ImageScaler"), 1);
    ck_assert_int_eq(first_version("", "LayerNormalization"), 17);
    ck_assert_int_eq(first_version("ai.onnx.ml", "TreeEnsemble"), 5);
    ck_assert_int_eq(first_version("ai.onnx.preview.training", "Adam"), 1);
    ck_assert_int_eq(first_version("", "Ab"), 0);
    ck_assert_int_eq(first_version("", "bs"), 0);
    ck_assert_int_eq(first_version("", ""), 0);
    ck_assert_int_eq(first_version("com.me", "Abs"), 0);
    ck_assert(is_domain_of_onnx("ai.onnx.ml"));
    ck_assert(!is_domain_of_onnx("com.me"));
}
END_TEST

/* No row serves a version before the first one. */
START_TEST(every_row_is_as_new)
{
    for (int i = 0; oc_builtin_op(i); i++) {
        const oc_op *row = oc_builtin_op(i);
        char domain[64] = "", name[64];
        const char *colons = strstr(row->signature, "::");
        if (colons)
            snprintf(domain, sizeof domain, "%.*s", (int)(colons - row->signature), row->signature);
        const char *begin = colons ? colons + 2 : row->signature;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, " <("), begin);
        if (*domain && !is_domain_of_onnx(domain))
            continue; /* com.microsoft's have one version */
        const int first = first_version(domain, name);
        ck_assert_msg(first > 0 && first <= row->since, "%s-%d: the table says %d", name,
                      row->since, first);
    }
}
END_TEST

SUITE("first_versions", finds_whole_names, every_row_is_as_new)
