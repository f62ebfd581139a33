/* SPDX-License-Identifier: Apache-2.0
 * entry.c - reads a set of attributes or a list of inputs, from a case file or an option. */
#include "check/entry.h"

enum { MOST_DIGITS = 9 }; /* a number of this many digits fits an int */

/* What the functions below share. */
typedef struct reader {
    const check_place *place;
    oc_error *e;
} reader;

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " ");
}

oc_type check_type_named(const char *name, size_t size)
{
    for (int i = 1; i < OC_N_TYPES; i++) {
        const char *known = oc_type_name((oc_type)i);
        if (strlen(known) == size && memcmp(name, known, size) == 0)
            return (oc_type)i;
    }
    return OC_UNDEFINED;
}

const char *check_read_number(const char *p, int *out)
{
    const size_t digits = strspn(p, "0123456789");
    if (digits == 0 || digits > MOST_DIGITS)
        return NULL;
    *out = 0;
    for (size_t i = 0; i < digits; i++)
        *out = 10 * *out + (p[i] - '0');
    return p + digits;
}

/* Reads "since 21:" or "before 21:", which may be missing, and the blanks behind it. */
static char *read_scope(const reader *r, char *p, check_scope *out)
{
    *out = (check_scope){0, INT_MAX};
    p += strspn(p, " ");
    const size_t size = strcspn(p, " ");
    const bool since = size == 5 && memcmp(p, "since", size) == 0;
    const bool before = size == 6 && memcmp(p, "before", size) == 0;
    const char *number = skip_blanks(p + size);
    /* it is an attribute of that name */
    if (!(since || before) || *number == '=' || *number == ':')
        return p;
    const char *end = check_read_number(number, since ? &out->since : &out->before);
    if (!end || *end != ':') {
        check_fail_at(r->place, number, r->e, "expected an opset and a colon, as in 'since 21:'");
        return p;
    }
    return p + (skip_blanks(end + 1) - p);
}

void check_read_attributes(const check_place *place, char *text, check_attributes *out, oc_error *e)
{
    const reader r = {place, e};
    *out = (check_attributes){.place = *place};
    out->text = read_scope(&r, text, &out->scope);
    if (strcmp(out->text, "none") == 0)
        out->text = "";
    check_attribute_list(place, out->text, NULL, 0, e);
}

/* ---- inputs */

/* Reads the mark of the numbers that an input holds, "n" or "i5", and the blanks behind it. */
static const char *read_kind(const reader *r, const char *p, check_input *out)
{
    static const struct {
        char mark;
        check_kind kind;
    } marks[] = {{'n', CHECK_MODEST}, {'+', CHECK_POSITIVE}, {'p', CHECK_UNIT}, {'=', CHECK_GIVEN}};
    out->kind = CHECK_ANY;
    if (*p == 'i' && p[1] >= '0' && p[1] <= '9') {
        const char *end = check_read_number(p + 1, &out->below);
        if (!end || *end != ' ' || out->below == 0)
            check_fail_at(r->place, p, r->e,
                          "expected a bound from 1 to 999999999 and a blank, as in 'i5 int64[2]'");
        out->kind = CHECK_BELOW;
        return end ? skip_blanks(end) : p;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks && p[1] == ' '; i++)
        if (*p == marks[i].mark) {
            out->kind = marks[i].kind;
            return skip_blanks(p + 1);
        }
    return p;
}

/* Reads "T" or the name of an element type. */
static const char *read_type(const reader *r, const char *p, check_input *out)
{
    const size_t size = strcspn(p, " [;");
    out->type = check_type_named(p, size);
    if (out->type == OC_UNDEFINED && !(size == 1 && *p == 'T'))
        check_fail_at(r->place, p, r->e,
                      "'%.*s' is not an element type, expected T or a name such as float",
                      size < 100 ? (int)size : 100, p);
    return p + size;
}

/* Reads "[2,3]". */
static const char *read_dims(const reader *r, const char *p, check_input *out)
{
    const char *const begin = p;
    if (p[0] == '[' && p[1] == ']')
        return p + 2;
    do {
        int dim = 0;
        p = *p == (out->rank ? ',' : '[') ? check_read_number(p + 1, &dim) : NULL;
        if (!p || (*p != ',' && *p != ']')) {
            check_fail_at(r->place, begin, r->e,
                          "expected dimensions, as in [2,3], or [] for a scalar");
            return begin;
        }
        if (out->rank == CHECK_RANK) {
            check_fail_at(r->place, begin, r->e, "more than %d dimensions", CHECK_RANK);
            return begin;
        }
        out->dim[out->rank++] = dim;
    } while (*p == ',');
    return p + 1;
}

/* Returns how many elements "{4, 5}" holds. */
static int64_t count_elements(const char *text, const char *end)
{
    int64_t n = 0;
    for (const char *p = text + 1; p < end && *skip_blanks(p) != '}'; n++) {
        p += check_span_outside(p, ",}");
        p += *p == ',';
    }
    return n;
}

/* Reads "{4, 5}", which must have as many elements as the dimensions say. */
static const char *read_elements(const reader *r, const char *p, check_input *out)
{
    const char *close = *p == '{' ? p + 1 + check_span_outside(p + 1, "}") : p;
    if (*close != '}') {
        check_fail_at(r->place, p, r->e, "expected elements, as in {4, 5}");
        return p;
    }
    double expected = 1; /* a double, which cannot overflow */
    for (int i = 0; i < out->rank; i++)
        expected *= (double)out->dim[i];
    const int64_t found = count_elements(p, close);
    if ((double)found != expected)
        check_fail_at(r->place, p, r->e, "%" PRId64 " elements, expected %.0f", found, expected);
    out->elements = p;
    out->size = (int)(close + 1 - p);
    return close + 1;
}

static bool is_end(const char *p)
{
    return !*p || *p == ';' || strncmp(p, "->", 2) == 0;
}

/* Reads one input, and the blanks around it. */
static const char *read_input(const reader *r, const char *p, check_input *out)
{
    *out = (check_input){.kind = CHECK_MISSING};
    p = skip_blanks(p);
    if (is_end(p))
        return p;
    p = read_kind(r, p, out);
    p = read_type(r, p, out);
    if (r->e->code == OC_OK)
        p = read_dims(r, p, out);
    p = skip_blanks(p);
    if (out->kind == CHECK_GIVEN && r->e->code == OC_OK)
        p = skip_blanks(read_elements(r, p, out));
    if (!is_end(p))
        check_fail_at(r->place, p, r->e, "expected ';' and the next input, or the end");
    return p;
}

/* Cuts the attributes off "<axis = 1> T[2,3]". */
static char *read_own(const reader *r, char *p, check_inputs *out)
{
    if (*p != '<')
        return p;
    char *close = p + 1 + check_span_outside(p + 1, ">");
    if (*close != '>') {
        check_fail_at(r->place, p, r->e, "this '<' has no '>'");
        return close;
    }
    *close = 0;
    out->own = p + 1;
    check_attribute_list(r->place, out->own, NULL, 0, r->e);
    return close + 1 + strspn(close + 1, " ");
}

void check_read_inputs(const check_place *place, char *text, check_inputs *out, oc_error *e)
{
    const reader r = {place, e};
    *out = (check_inputs){.place = *place};
    const char *p = out->text = read_own(&r, read_scope(&r, text, &out->scope), out);
    do {
        p += out->n > 0;
        if (out->n == CHECK_INPUTS)
            check_fail_at(place, p, e, "more than %d inputs", CHECK_INPUTS);
        else
            p = read_input(&r, p, &out->in[out->n++]);
    } while (*p == ';' && e->code == OC_OK);
    if (e->code != OC_OK || !*p)
        return;
    const char *end = check_read_number(skip_blanks(p + 2), &out->n_out);
    if (!end || *end || out->n_out == 0)
        check_fail_at(place, p, e, "expected a number of outputs at the end, as in '-> 2'");
}
