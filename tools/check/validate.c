/* SPDX-License-Identifier: Apache-2.0
 * validate.c - checks a family's lists against what the operator is. */
#include "check/validate.h"

#include "check/entry.h"
#include "session/op_table.h"

static void check_names(const check_spec *s, const char *op, int opset, oc_error *e)
{
    const oc_op_info *version = op_table_find(op, opset);
    if (!version)
        return;
    for (int i = 0; i < s->n_attributes; i++)
        if (check_scope_has(s->attributes[i].scope, opset))
            check_attribute_list(&s->attributes[i].place, s->attributes[i].text, version, opset, e);
    for (int i = 0; i < s->n_inputs; i++)
        if (check_scope_has(s->inputs[i].scope, opset) && s->inputs[i].own)
            check_attribute_list(&s->inputs[i].place, s->inputs[i].own, version, opset, e);
}

/* Is attribute set a tried with some list of inputs? Refused lists are tried only with the first
 * set. */
static bool is_tried(const check_spec *s, int a, int opset)
{
    bool first = true;
    for (int i = 0; i < a; i++)
        first = first && !check_scope_has(s->attributes[i].scope, opset);
    for (int i = 0; i < s->n_inputs; i++)
        if (check_scope_has(s->inputs[i].scope, opset) && !s->inputs[i].own &&
            (first || !s->inputs[i].refused))
            return check_scope_has(s->attributes[a].scope, opset);
    return false;
}

/* Checks that every line has a case under some opset. */
static void check_use(const check_spec *s, const check_version *v, int n, oc_error *e)
{
    for (int i = 0; i < s->n_attributes; i++) {
        int k = 0;
        while (k < n && !is_tried(s, i, v[k].opset))
            k++;
        if (k == n)
            check_fail_at(&s->attributes[i].place, s->attributes[i].text, e,
                          "no case uses these attributes");
    }
    for (int i = 0; i < s->n_inputs; i++) {
        int k = 0;
        while (k < n && !check_scope_has(s->inputs[i].scope, v[k].opset))
            k++;
        if (k == n)
            check_fail_at(&s->inputs[i].place, s->inputs[i].text, e,
                          "no case uses these inputs; the first opset is %d, the last is %d",
                          v[0].opset, v[n - 1].opset);
    }
}

void check_validate(const check_family *family, oc_error *e)
{
    const check_spec *s = &family->spec;
    check_version version[CHECK_OPSETS];
    const int n = check_family_versions(family, version);
    char *op = tool_format("%s%s%s", s->domain ? s->domain : "", s->domain ? "::" : "", family->op);
    for (int k = 0; k < n; k++)
        check_names(s, op, version[k].opset, e);
    if (n &&
        op_table_find(op, version[n - 1].opset)) /* a build without the kernel has fewer opsets */
        check_use(s, version, n, e);
    free(op);
}
