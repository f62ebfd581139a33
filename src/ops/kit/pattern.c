/* SPDX-License-Identifier: Apache-2.0
 * pattern.c - checks the dims of a call's inputs against patterns (oc_node.expect). */
#include "ops/kit/pattern.h"

typedef struct sizes {
    int64_t of[26]; /* the size of each letter; -1: not known yet */
} sizes;

/* Does one axis fit the pattern at *at? Moves *at behind it. A letter without a size gets one. */
static bool axis_fits(const char **at, int64_t n, sizes *s)
{
    const char *p = *at;
    int64_t want = 0;
    *at = p + 1;
    if (*p == '?')
        return true;
    if (*p >= 'A' && *p <= 'Z') {
        int64_t *size = &s->of[*p - 'A'];
        *size = *size < 0 ? n : *size;
        return *size == n;
    }
    while (*p >= '0' && *p <= '9')
        want = 10 * want + *p++ - '0';
    *at = p;
    return n == want;
}

static int count_axes(const char *p, const char *end)
{
    int n = p < end;
    for (; p < end; p++)
        n += *p == ',';
    return n;
}

/* Do the dims fit one form, such as "[...,N]", which ends at `end`? */
static bool axes_fit(const char *form, const char *end, const oc_dims *d, sizes *s)
{
    const bool open = strncmp(form, "[...", 4) == 0;
    const char *p = form + (open ? 4 : 1);
    p += open && *p == ',';
    const int n = count_axes(p, end - 1);
    if (open ? d->rank < n : d->rank != n)
        return false;
    for (int a = d->rank - n; a < d->rank; a++, p++)
        if (!axis_fits(&p, d->n[a], s))
            return false;
    return true;
}

/* Do the dims of input i fit one of the forms at p? *known is true where the form has no "!". */
static bool forms_fit(const oc_call *c, int i, const char *p, sizes *s, bool *known)
{
    const oc_value *v = oc_in_or_null(c, i), *first = oc_in_or_null(c, 0);
    *known = true;
    if (!v || !first || *p == '_')
        return true;
    for (bool more = true; more; p++) {
        *known = *p != '!';
        p += !*known;
        const char *end = *p == '=' ? p + 1 : strchr(p, ']') + 1;
        sizes after = *s;
        if (*p == '=' ? oc_dims_equal(&v->dims, &first->dims)
                      : axes_fit(p, end, &v->dims, &after)) {
            *s = after;
            return true;
        }
        more = *end == '|';
        p = end;
    }
    *known = true;
    return false;
}

/* Writes the known sizes of the letters of a pattern, each once: ", N = 4". */
static void letters_text(const char *pattern, int size, const sizes *s, char *text, size_t room)
{
    size_t at = 0;
    text[0] = 0;
    for (int i = 0; i < size && at + 40 < room; i++) {
        const bool letter = pattern[i] >= 'A' && pattern[i] <= 'Z';
        const bool first = !memchr(pattern, pattern[i], (size_t)i);
        if (letter && first && s->of[pattern[i] - 'A'] >= 0)
            at += (size_t)snprintf(text + at, room - at, ", %c = %lld", pattern[i],
                                   (long long)s->of[pattern[i] - 'A']);
    }
}

/* Returns the number of the first input that does not fit its pattern; -1: all fit. *at becomes the
 * begin of its pattern, *s the sizes that are known there. */
static int first_misfit(const oc_call *c, const char *p, const char **at, sizes *s, bool *known)
{
    memset(s->of, -1, sizeof s->of);
    for (int i = 0; *p && *p != ';'; i++) {
        *at = p;
        if (!forms_fit(c, i, p, s, known) || !*known)
            return i;
        p += strcspn(p, " ;");
        p += *p == ' ';
    }
    return -1;
}

oc_status oc_call_check_pattern(oc_call *c)
{
    char letters[160];
    sizes s;
    if (!c->op->expect)
        return OC_OK;
    for (const char *p = c->op->expect; p; p = strchr(p, ';') ? strchr(p, ';') + 2 : NULL) {
        const char *at;
        bool known;
        const int i = first_misfit(c, p, &at, &s, &known);
        if (i < 0)
            return OC_OK;
        if (!known)
            return oc_fail(c, OC_UNSUPPORTED, "input %d '%s' has a form that is not supported", i,
                           oc_sig_port_at(c->op->sig->in, c->op->sig->n_in, i)->name);
    }
    const char *at;
    bool known;
    const int i = first_misfit(c, c->op->expect, &at, &s, &known);
    const int size = (int)strcspn(at, " ;");
    const oc_value *first = oc_in_or_null(c, 0);
    if (*at == '=' && first)
        return oc_expect_dims(c, i, &first->dims, ", as input 0");
    letters_text(at, size, &s, letters, sizeof letters);
    return oc_fail_dims(c, i, "expected %.*s%s", size, at, letters);
}

static bool skip_axes(const char **at)
{
    const char *p = *at + 1;
    const bool open = strncmp(p, "...", 3) == 0;
    p += open ? 3 : 0;
    for (bool more = open ? *p == ',' : *p != ']'; more; more = *p == ',') {
        p += *p == ',';
        const bool one = *p == '?' || (*p >= 'A' && *p <= 'Z');
        const size_t digits = one ? 0 : strspn(p, "0123456789");
        if (!one && (digits < 1 || digits > 9))
            return false;
        p += one ? 1 : digits;
    }
    *at = p + 1;
    return *p == ']';
}

static bool skip_forms(const char **at)
{
    const char *p = *at;
    *at = p + 1;
    if (*p == '_')
        return true;
    for (bool more = true; more; p += more) {
        p += *p == '!';
        if (*p == '=')
            p++;
        else if (*p != '[' || !skip_axes(&p))
            return false;
        more = *p == '|';
    }
    *at = p;
    return true;
}

bool oc_is_pattern(const char *p)
{
    while (skip_forms(&p)) {
        if (!*p)
            return true;
        p += *p == ';';
        if (*p++ != ' ')
            return false;
    }
    return false;
}
