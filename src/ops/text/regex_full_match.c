/* SPDX-License-Identifier: Apache-2.0
 * regex_full_match.c - RegexFullMatch: does each string as a whole match the pattern? */
#include "ops/text/regex.h"

static oc_status match_shape(oc_call *c)
{
    oc_regex r;
    OC_TRY(oc_regex_read(c, oc_attr_string(c, "pattern"), &r));
    return oc_set_out(c, 0, OC_BOOL, &oc_in(c, 0)->dims);
}

static oc_status match_run(oc_call *c)
{
    const oc_value *x = oc_in(c, 0);
    const oc_string *s = x->data;
    uint8_t *y = oc_out(c, 0)->data;
    oc_regex r;
    oc_matcher *m;
    OC_TRY(oc_regex_read(c, oc_attr_string(c, "pattern"), &r));
    OC_TRY(oc_matcher_new(c, &r, &m));
    OC_CALL_LOOP (c, i, oc_value_n(x), 64)
        y[i] = oc_matcher_run(m, s[i]);
    return OC_OK;
}

/* clang-format off */
const oc_op oc_ops_regex_full_match[] = {
    {20, "RegexFullMatch <string pattern?> (T1 X) => (T2 Y) | T1: string; T2: bool",
         match_shape, match_run},
    {0}
};
