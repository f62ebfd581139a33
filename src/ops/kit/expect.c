/* SPDX-License-Identifier: Apache-2.0
 * expect.c - checks the dims of inputs, and writes the errors for others. */
#include "ops/kit/call.h"

oc_status oc_fail_dims(oc_call *c, int i, const char *format, ...)
{
    const oc_value *v = oc_in_or_null(c, i);
    char name[80] = "", have[OC_DIMS_TEXT], text[sizeof((oc_error *)0)->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (i < c->op->sig->n_in && !c->op->sig->in[i].variadic)
        snprintf(name, sizeof name, " '%s'", c->op->sig->in[i].name);
    return oc_fail(c, OC_SHAPE, "input %d%s is %s, %s", i, name,
                   v ? oc_dims_text(&v->dims, have) : "missing", text);
}

oc_status oc_expect_dims(oc_call *c, int i, const oc_dims *want, const char *why)
{
    const oc_value *v = oc_in_or_null(c, i);
    char text[OC_DIMS_TEXT];
    if (!v)
        return OC_OK;
    bool fits = v->dims.rank == want->rank;
    for (int a = 0; fits && a < want->rank; a++)
        fits = want->n[a] < 0 || v->dims.n[a] == want->n[a];
    if (fits)
        return OC_OK;
    return oc_fail_dims(c, i, "expected %s%s", oc_dims_text(want, text), why ? why : "");
}

oc_status oc_expect_rank(oc_call *c, int i, int least, int most)
{
    const oc_value *v = oc_in_or_null(c, i);
    if (!v || (v->dims.rank >= least && v->dims.rank <= most))
        return OC_OK;
    if (least == most)
        return oc_fail_dims(c, i, "expected rank %d", least);
    if (most == OC_MAX_RANK)
        return oc_fail_dims(c, i, "expected rank %d or more", least);
    return oc_fail_dims(c, i, "expected rank %d %s %d", least, most == least + 1 ? "or" : "to",
                        most);
}

oc_status oc_expect_repeats(oc_call *c, int i, const oc_dims *to)
{
    const oc_value *v = oc_in_or_null(c, i);
    oc_dims both = *to;
    char text[OC_DIMS_TEXT];
    if (!v || (oc_dims_broadcast(&both, &v->dims) && oc_dims_equal(&both, to)))
        return OC_OK;
    return oc_fail_dims(c, i, "which does not repeat to %s", oc_dims_text(to, text));
}

oc_status oc_expect_one(oc_call *c, int i)
{
    const oc_value *v = oc_in_or_null(c, i);
    return !v || oc_value_n(v) == 1 ? OC_OK : oc_fail_dims(c, i, "expected one element");
}
