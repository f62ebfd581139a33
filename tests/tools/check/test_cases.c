/* SPDX-License-Identifier: Apache-2.0
 * test_cases.c - what ocellus check makes cases of. */
#include "check/library.h"
#include "check/numbers.h"
#include "session/op_table.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The opset that a case's model imports last: of the operator's own domain. */
static int opset_of(const char *model)
{
    const char *close = strchr(model, ']'), *number = close;
    while (number > model && number[-1] != ' ')
        number--;
    return atoi(number);
}

/* The body that serves an operator under an opset. */
static int body_for(const char *op, int opset)
{
    const char *name;
    int best = 0;
    for (int i = 0, since; (name = oc_builtin_body(i, &since)); i++)
        if (strcmp(name, op) == 0 && since <= opset && since > best)
            best = since;
    return best;
}

static void free_case(check_case *c)
{
    free(c->model);
    for (int k = 0; k < c->n_in; k++)
        oc_value_free(c->in[k]);
}

static bool has_case(const check_family *family, const char *op, int since)
{
    check_maker maker = {.family = family};
    bool found = false;
    for (int i = 0; !found; i++) {
        check_case c = {.defect = -1};
        oc_error e = {0};
        if (!family->make(&maker, i, &c, &e))
            return false;
        found = !c.refused && body_for(op, opset_of(c.model)) == since;
        free_case(&c);
    }
    return true;
}

/* Has the operator a kernel under the version at which this body begins? */
static bool has_kernel(const char *op, int since)
{
    return op_table_find(op, since) != NULL;
}

START_TEST(every_body_of_an_operator_with_a_kernel_has_cases)
{
    check_library *l = check_library_new();
    const char *name;
    for (int i = 0, since; (name = oc_builtin_body(i, &since)); i++) {
        oc_error e = {0};
        if (!has_kernel(name, since))
            continue;
        const check_family *family = check_library_find(l, name, &e);
        suite_assert(family, "%s-%d has no case file: %s", name, since, e.text);
        suite_assert(has_case(family, name, since), "%s-%d has no case", name, since);
    }
    check_library_free(l);
}
END_TEST

/* A body is tried in every version of the operator that it serves. */
START_TEST(versions_are_those_of_operator_and_body)
{
    check_version v[CHECK_OPSETS] = {0};
    const int n = check_versions("Elu", v);
    ck_assert_int_ge(n, 3);
    ck_assert_int_eq(v[0].opset, 18); /* the body's */
    ck_assert_int_eq(v[1].opset, 22); /* the operator's, with bfloat16 */
    ck_assert(!(v[0].types >> OC_BF16 & 1) && v[1].types >> OC_BF16 & 1);
    ck_assert(!v[1].repeated && v[n - 1].repeated);
    ck_assert_int_eq(check_versions("Add", v), 0);
}
END_TEST

START_TEST(numbers_reach_the_limits_of_types)
{
    bool nan = false, infinite = false, minus_zero = false, least = false, greatest = false;
    for (uint64_t i = 0; i < 2000; i++) {
        const double x = check_number(OC_F16, CHECK_SPECIAL, 1, i, 1);
        nan |= isnan(x);
        infinite |= isinf(x) != 0;
        minus_zero |= x == 0 && signbit(x);
        least |= x == check_least(OC_F16);
        greatest |= x == 65504;
        ck_assert(isnan(x) || isinf(x) || fabs(x) <= 65504);
        const double wide = fabs(check_number(OC_F32, CHECK_WIDE, 1, i, 1));
        ck_assert(wide >= 0x1p-149 && wide < 0x1p128);
    }
    ck_assert(nan && infinite && minus_zero && least && greatest);
    for (uint64_t i = 0; i < 12; i++)
        ck_assert_double_eq(check_number(OC_F32, CHECK_HALVES, 1, i, 3),
                            rint(2 * check_number(OC_F32, CHECK_HALVES, 1, i, 3)) / 2);
}
END_TEST

SUITE("check", every_body_of_an_operator_with_a_kernel_has_cases,
      versions_are_those_of_operator_and_body, numbers_reach_the_limits_of_types)
