/* SPDX-License-Identifier: Apache-2.0
 * attributes.c - what operators ask of their call: attributes. */
#include "ops/kit/call.h"

/* Kernels that take few microseconds ask several times in a run: comparing the first letter saves
 * most calls of strcmp. */
int oc_call_attr_index(const oc_call *c, const char *name)
{
    for (int i = 0; i < c->op->sig->n_attr; i++) {
        const char *own = c->op->sig->attr[i].name;
        if (own[0] == name[0] && strcmp(own, name) == 0)
            return i;
    }
    return -1;
}

const oc_attr *oc_attr_get(const oc_call *c, const char *name)
{
    const int i = oc_call_attr_index(c, name);
    return i < 0 ? NULL : c->op->attr[i];
}

bool oc_attr_has(const oc_call *c, const char *name)
{
    return oc_attr_get(c, name) != NULL;
}

int64_t oc_attr_int(const oc_call *c, const char *name)
{
    const oc_attr *a = oc_attr_get(c, name);
    return a && a->n ? a->u.i[0] : 0;
}

float oc_attr_float(const oc_call *c, const char *name)
{
    const oc_attr *a = oc_attr_get(c, name);
    return a && a->n ? a->u.f[0] : 0;
}

oc_string oc_attr_string(const oc_call *c, const char *name)
{
    const oc_attr *a = oc_attr_get(c, name);
    return a && a->n ? a->u.s[0] : (oc_string){"", 0};
}

static bool same_text(oc_string s, const char *text)
{
    return s.size == strlen(text) && memcmp(s.data, text, s.size) == 0;
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

bool oc_same_letters(oc_string s, const char *text)
{
    size_t i = 0;
    while (i < s.size && text[i] && lower(s.data[i]) == lower(text[i]))
        i++;
    return i == s.size && !text[i];
}

bool oc_attr_is(const oc_call *c, const char *name, const char *value)
{
    return same_text(oc_attr_string(c, name), value);
}

oc_ints oc_attr_ints(const oc_call *c, const char *name)
{
    const oc_attr *a = oc_attr_get(c, name);
    return a ? (oc_ints){a->u.i, a->n} : (oc_ints){NULL, 0};
}

oc_status oc_attr_axis(oc_call *c, const char *name, int rank, int *axis)
{
    const int64_t value = oc_attr_int(c, name);
    if (oc_dims_axis(value, rank, axis))
        return OC_OK;
    return oc_fail(c, OC_VALUE, "attribute '%s' is %" PRId64 ", expected a value in [%d, %d]", name,
                   value, -rank, rank - 1);
}

typedef bool same_fn(oc_string s, const char *text);

static oc_status find_name(oc_call *c, const char *name, const char *const names[], same_fn *same,
                           int *index)
{
    const oc_string value = oc_attr_string(c, name);
    char expected[256] = "";
    size_t at = 0;
    for (int i = 0; names[i]; i++) {
        if (same(value, names[i])) {
            *index = i;
            return OC_OK;
        }
        if (at < sizeof expected)
            at += (size_t)snprintf(expected + at, sizeof expected - at, "%s'%s'", i ? ", " : "",
                                   names[i]);
    }
    return oc_fail(c, OC_VALUE, "attribute '%s' is '%.*s', expected one of %s", name,
                   (int)oc_min(value.size, 64), value.data, expected);
}

oc_status oc_attr_enum(oc_call *c, const char *name, const char *const names[], int *index)
{
    return find_name(c, name, names, same_text, index);
}

oc_status oc_attr_enum_any_case(oc_call *c, const char *name, const char *const names[], int *index)
{
    return find_name(c, name, names, oc_same_letters, index);
}

oc_value oc_attr_type(const oc_call *c, const char *name)
{
    const oc_attr *a = oc_attr_get(c, name);
    oc_value declared = {.type = OC_UNDEFINED};
    if (a)
        c->services->attr_type(a, &declared);
    return declared;
}
