/* SPDX-License-Identifier: Apache-2.0
 * pattern.c - checks the dims of a call's inputs against patterns (oc_node.expect). */
#include "ops/kit/call.h"

#include <stdio.h>
#include <string.h>

typedef struct sizes {
    int64_t of[26]; /* of each letter; -1: not known yet */
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
static bool form_fits(const char *form, const char *end, const oc_dims *d, sizes *s)
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

/* What is known of the letters of a pattern: ", N = 4". */
static void letters_text(const char *pattern, int size, const sizes *s, char *text, size_t room)
{
    size_t at = 0;
    text[0] = 0;
    for (int i = 0; i < size && at + 40 < room; i++) {
        const bool letter = pattern[i] >= 'A' && pattern[i] <= 'Z';
        if (letter && s->of[pattern[i] - 'A'] >= 0)
            at += (size_t)snprintf(text + at, room - at, ", %c = %lld", pattern[i],
                                   (long long)s->of[pattern[i] - 'A']);
    }
}

oc_status oc_call_check_pattern(oc_call *c)
{
    sizes known;
    const char *p = c->expect;
    memset(known.of, -1, sizeof known.of);
    for (int i = 0; p && *p; i++) {
        const int size = (int)strcspn(p, " ");
        const oc_value *v = oc_in(c, i);
        bool fits = !v || *p == '_';
        sizes after = known;
        for (const char *form = p; !fits && form < p + size;) {
            const char *end = strchr(form, ']') + 1;
            after = known;
            fits = form_fits(form, end, &v->dims, &after);
            form = end + (*end == '|');
        }
        if (!fits) {
            char letters[160];
            letters_text(p, size, &known, letters, sizeof letters);
            return oc_fail_dims(c, i, "expected %.*s%s", size, p, letters);
        }
        known = after;
        p += size + (p[size] == ' ');
    }
    return OC_OK;
}

bool oc_is_pattern(const char *p)
{
    for (;;) {
        const char *first = p;
        p += *p == '_';
        while (*p == '[') {
            p++;
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
            if (*p++ != ']')
                return false;
            p += *p == '|' && p[1] == '[';
        }
        if (p == first)
            return false;
        if (*p != ' ')
            return !*p;
        p++;
    }
}
