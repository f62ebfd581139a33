/* SPDX-License-Identifier: Apache-2.0
 * attributes.c - reads attributes as a case file writes them: axis = 1, mode = "sum". */
#include "check/entry.h"

#include <ctype.h>

/* A part of a text. */
typedef struct span {
    const char *at;
    int size;
} span;

typedef struct attribute {
    span name, kind, value; /* kind is empty when it is not written */
} attribute;

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " ");
}

static bool is_text(span a, const char *text)
{
    return strlen(text) == (size_t)a.size && memcmp(a.at, text, (size_t)a.size) == 0;
}

/* Reads a name; it is empty when none begins at p. */
static const char *read_name(const char *p, span *out)
{
    out->at = p;
    while (isalnum((unsigned char)*p) || *p == '_')
        p++;
    out->size = (int)(p - out->at);
    return skip_blanks(p);
}

/* Returns the closing quote of a string, or the end of text. */
static const char *find_quote(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        p += *p == '\\' && p[1];
    return p;
}

size_t check_span_outside(const char *text, const char *characters)
{
    int depth = 0;
    const char *p = text;
    for (; *p; p++) {
        if (depth <= 0 && strchr(characters, *p) && !(*p == '>' && p > text && p[-1] == '='))
            break;
        if (*p == '"')
            p = find_quote(p);
        if (!*p)
            break;
        depth += strchr("([{", *p) ? 1 : strchr(")]}", *p) ? -1 : 0;
    }
    return (size_t)(p - text);
}

/* ---- what the operator's signature says */

/* Is a value written as this kind of attribute is? Graphs, tensors and types are not examined. */
static bool is_of_kind(span value, const char *kind)
{
    char *end, text[64];
    const char last = value.at[value.size - 1];
    snprintf(text, sizeof text, "%.*s", value.size, value.at);
    strtoll(text, &end, 10);
    const bool is_int = *end == 0;
    strtod(text, &end);
    if (strcmp(kind, "int") == 0)
        return is_int;
    if (strcmp(kind, "float") == 0)
        return *end == 0 && !is_int;
    if (strcmp(kind, "string") == 0)
        return *text == '"' && last == '"';
    if (strcmp(kind, "ints") == 0 || strcmp(kind, "floats") == 0 || strcmp(kind, "strings") == 0)
        return *text == '[' && last == ']';
    return true;
}

/* Returns "axis, epsilon" and so on; free it with free. */
static char *list_names(const oc_op_info *op)
{
    char *names = tool_format("%s", "");
    for (int i = 0; i < op->n_attributes; i++) {
        char *longer = tool_format("%s%s%s", names, i ? ", " : "", op->attribute[i].name);
        free(names);
        names = longer;
    }
    return names;
}

static void check_with_row(const check_place *place, const attribute *a, const oc_op_info *op,
                           int opset, oc_error *e)
{
    int i = 0;
    while (i < op->n_attributes && !is_text(a->name, op->attribute[i].name))
        i++;
    if (i == op->n_attributes) {
        char *names = list_names(op);
        check_fail_at(place, a->name.at, e, "'%.*s' is not an attribute of %s-%d, which has %s",
                      a->name.size, a->name.at, op->label, opset, *names ? names : "none");
        free(names);
        return;
    }
    const char *kind = op->attribute[i].kind;
    const span found = a->kind.size ? a->kind : a->value;
    if (a->kind.size ? !is_text(a->kind, kind) : !is_of_kind(a->value, kind))
        check_fail_at(place, found.at, e, "attribute '%.*s' of %s is %.*s, expected %s",
                      a->name.size, a->name.at, op->label, found.size, found.at, kind);
}

/* ---- lists */

/* Reads the attribute that begins at p. Returns where it ends: at a comma or the end of text. */
static const char *read_attribute(const check_place *place, const char *p, attribute *out,
                                  oc_error *e)
{
    *out = (attribute){0};
    p = read_name(skip_blanks(p), &out->name);
    if (!out->name.size)
        check_fail_at(place, p, e, "expected an attribute, as in: axis = 1, mode = \"sum\"");
    if (*p == ':')
        p = read_name(skip_blanks(p + 1), &out->kind);
    if (*p != '=')
        check_fail_at(place, p, e, "expected '=' and a value behind attribute '%.*s'",
                      out->name.size, out->name.at);
    else
        p = skip_blanks(p + 1);
    const size_t size = check_span_outside(p, ",");
    out->value = (span){p, (int)size};
    while (out->value.size > 0 && p[out->value.size - 1] == ' ')
        out->value.size--;
    if (out->value.size == 0)
        check_fail_at(place, p, e, "expected a value of attribute '%.*s'", out->name.size,
                      out->name.at);
    return p + size;
}

void check_attribute_list(const check_place *place, const char *text, const oc_op_info *op,
                          int opset, oc_error *e)
{
    attribute a;
    for (const char *p = text; *p && e->code == OC_OK; p += *p == ',') {
        p = read_attribute(place, p, &a, e);
        if (e->code == OC_OK && op)
            check_with_row(place, &a, op, opset, e);
        if (*p == ',' && !p[1 + strspn(p + 1, " ")])
            check_fail_at(place, p, e, "expected an attribute behind the comma");
    }
}
