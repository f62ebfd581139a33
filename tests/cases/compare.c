/* SPDX-License-Identifier: Apache-2.0
 * compare.c - is a value what a text case expects? */
#include "case.h"

#include "base/lex.h"
#include "base/quote.h"
#include "tensor/convert.h"
#include "tensor/literal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_number(const test_case *t, double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= t->atol + t->rtol * fabs(b);
}

/* Element i of tensors of one type. */
static bool same_element(const test_case *t, const oc_value *a, const oc_value *b, int64_t i)
{
    const size_t size = oc_type_size(a->type);
    const char *p = (const char *)a->data + (size_t)i * size;
    const char *q = (const char *)b->data + (size_t)i * size;
    if (a->type == OC_STRING) {
        const oc_string *s = (const void *)p, *r = (const void *)q;
        return s->size == r->size && (s->size == 0 || memcmp(s->data, r->data, s->size) == 0);
    }
    if (memcmp(p, q, size) == 0)
        return true;
    const bool complex = oc_type_in(a->type, OC_SET_COMPLEX), exact = t->atol == 0 && t->rtol == 0;
    const oc_type type = a->type == OC_C64 ? OC_F32 : a->type == OC_C128 ? OC_F64 : a->type;
    for (int k = 0; k <= complex; k++) {
        const double x = oc_element_f64(type, p, k), y = oc_element_f64(type, q, k);
        if (exact ? !(isnan(x) && isnan(y)) && (x != y || signbit(x) != signbit(y))
                  : !same_number(t, x, y))
            return false;
    }
    return !exact || complex || isnan(oc_element_f64(type, p, 0));
}

typedef struct short_text {
    char text[80];
    size_t size;
} short_text;

static bool append(void *ctx, const void *bytes, size_t size)
{
    short_text *s = ctx;
    const size_t room = sizeof s->text - 1 - s->size, n = size < room ? size : room;
    memcpy(s->text + s->size, bytes, n);
    s->size += n;
    s->text[s->size] = 0;
    return true;
}

static short_text element_text(const oc_value *v, int64_t i)
{
    char buffer[OC_ELEMENT_TEXT];
    short_text s = {"", 0};
    if (v->type == OC_STRING) {
        const oc_string *p = (const oc_string *)v->data + i;
        oc_quote(&(oc_writer){append, &s}, p->data, p->size);
    } else {
        const char *text = oc_element_text(v->type, v->data, i, buffer);
        append(&s, text, strlen(text));
    }
    return s;
}

/* path: "y", or "y[2]" for an item. */
static bool compare(const test_case *t, const char *at, const char *path, const oc_value *want,
                    const oc_value *got)
{
    char need[OC_VALUE_TEXT], have[OC_VALUE_TEXT], item[200];
    if (got->kind != want->kind || got->type != want->type || got->key != want->key ||
        !oc_dims_equal(&got->dims, &want->dims))
        return case_fail(t, at, "output %s is %s, expected %s", path, oc_value_text(got, have),
                         oc_value_text(want, need));
    for (int64_t i = 0; i < oc_value_n(want); i++) {
        if (want->kind == OC_TENSOR) {
            if (!same_element(t, got, want, i))
                return case_fail(t, at, "output %s: element %lld is %s, expected %s", path,
                                 (long long)i, element_text(got, i).text,
                                 element_text(want, i).text);
            continue;
        }
        snprintf(item, sizeof item, "%s[%lld]", path, (long long)i);
        if (!compare(t, at, item, &oc_value_items(want)[i], &oc_value_items(got)[i]))
            return false;
    }
    return true;
}

bool case_compare(const test_case *t, const case_value *want, const oc_value *got)
{
    return compare(t, want->at, want->name, &want->value, got);
}
