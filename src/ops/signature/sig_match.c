/* SPDX-License-Identifier: Apache-2.0
 * sig_match.c - finds a node's attributes in the signature, and counts its operands. */
#include "ops/signature/sig.h"

static int find_attr(const oc_sig *sig, const char *name)
{
    for (int i = 0; i < sig->n_attr; i++)
        if (!sig->attr[i].option && strcmp(sig->attr[i].name, name) == 0)
            return i;
    return -1;
}

oc_status oc_call_bind_attrs(const oc_sig *sig, const oc_attr *attr, int n_attr, const char *where,
                             const oc_attr **bound, oc_error *e)
{
    for (int i = 0; i < sig->n_attr; i++)
        bound[i] = sig->attr[i].has_default ? &sig->attr[i].value : NULL;
    for (int i = 0; i < n_attr; i++) {
        const oc_attr *a = &attr[i];
        const int k = find_attr(sig, a->name);
        if (k < 0 && oc_attr_is_note(a->name))
            continue;
        if (k < 0)
            return oc_error_set(e, OC_MODEL, "%s: attribute '%s' is unknown to this version", where,
                                a->name);
        const oc_attr_kind expected = sig->attr[k].value.kind;
        if (a->kind != expected)
            return oc_error_set(e, OC_MODEL, "%s: attribute '%s' is of kind %s, expected %s", where,
                                a->name, oc_attr_kind_name(a->kind), oc_attr_kind_name(expected));
        bound[k] = a;
    }
    for (int i = 0; i < sig->n_attr; i++)
        if (sig->attr[i].required && !bound[i])
            return oc_error_set(e, OC_MODEL,
                                "%s: attribute '%s' is missing, expected one of kind %s", where,
                                sig->attr[i].name, oc_attr_kind_name(sig->attr[i].value.kind));
    return OC_OK;
}

static oc_status check_count(const char *side, int n, int min, const oc_sig_port *ports,
                             int n_ports, const char *where, oc_error *e)
{
    const bool open = n_ports && ports[n_ports - 1].variadic;
    if (n >= min && (open || n <= n_ports))
        return OC_OK;
    return oc_error_set(e, OC_MODEL, "%s: %d %s, expected %s%d", where, n, side,
                        n < min ? (open || min < n_ports ? "at least " : "")
                                : (min < n_ports ? "at most " : ""),
                        n < min ? min : n_ports);
}

oc_status oc_call_check_arity(const oc_sig *sig, int n_in, int n_out, const char *where,
                              oc_error *e)
{
    OC_TRY(check_count("inputs", n_in, sig->min_in, sig->in, sig->n_in, where, e));
    return check_count("outputs", n_out, sig->min_out, sig->out, sig->n_out, where, e);
}
