/* SPDX-License-Identifier: Apache-2.0
 * yaml_text.c - reads YAML line by line, and writes JSON. */
#include "files/yaml_text.h"

#include <ctype.h>
#include <math.h>

/* The text, cut into lines: each begins at its first byte that is no blank. */
typedef struct yaml {
    text_build *json;
    const char *where;
    char *at; /* the line to be read; NULL: there is none */
    int indent, line;
    char *next; /* the line behind it */
    oc_error *e;
} yaml;

/* ---- lines ---- */

/* Returns where a comment begins, or the end. */
static char *end_of_text(char *text)
{
    char quote = 0, *c = text;
    for (; *c && !(*c == '#' && !quote && (c == text || c[-1] == ' ')); c++)
        if (*c == quote)
            quote = 0;
        else if (!quote && (*c == '"' || *c == '\'') && (c == text || strchr(" [,", c[-1])))
            quote = *c;
    return c;
}

/* Cuts a comment, and blanks at the end. */
static void trim(char *text)
{
    char *end = end_of_text(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = 0;
}

/* Goes on to the next line that is not empty. */
static void next_line(yaml *y)
{
    do {
        y->at = y->next;
        y->line++;
        if (!y->at)
            return;
        char *end = strchr(y->at, '\n');
        y->next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        y->indent = (int)strspn(y->at, " ");
        y->at += y->indent;
        trim(y->at);
    } while (!*y->at || strcmp(y->at, "---") == 0);
}

static void refuse(const yaml *y, const char *what)
{
    tool_fail(y->e, OC_FORMAT, "%s: line %d: %s", y->where, y->line, what);
}

/* ---- values ---- */

static void put_value(yaml *y, char *text, int depth);

/* Is that a number as JSON writes it? */
static bool is_number(const char *text)
{
    char *end;
    const double x = strtod(text, &end);
    return end > text && !*end && isfinite(x) && !strpbrk(text, "xXpPnN");
}

/* Writes "[1, [2, 3]]", whose outer brackets have been seen. A comma may stand behind the last one.
 */
static void put_list(yaml *y, char *text, int depth)
{
    int open = 0, n = 0;
    char *begin = text + 1;
    text_put(y->json, "[");
    for (char *c = begin; *c; c++) {
        open += (*c == '[') - (*c == ']');
        if ((*c != ',' || open) && open >= 0)
            continue;
        const bool ended = *c == ']';
        *c = 0;
        trim(begin);
        begin += strspn(begin, " ");
        if (*begin || !ended) {
            text_put(y->json, n++ ? "," : "");
            put_value(y, begin, depth + 1);
        }
        begin = c + 1;
        if (ended)
            break;
    }
    text_put(y->json, "]");
}

/* Writes one value of a line. */
static void put_value(yaml *y, char *text, int depth)
{
    const size_t n = strlen(text);
    if (depth > YAML_DEPTH) {
        tool_fail(y->e, OC_LIMIT, "%s: line %d: more than %d values within each other", y->where,
                  y->line, YAML_DEPTH);
    } else if (*text == '[' && text[n - 1] == ']') {
        put_list(y, text, depth);
    } else if (n > 1 && (*text == '"' || *text == '\'') && text[n - 1] == *text) {
        text[n - 1] = 0;
        text_json(y->json, text + 1);
    } else if (!n || strcmp(text, "null") == 0 || strcmp(text, "~") == 0 ||
               strcmp(text, "{}") == 0) {
        text_put(y->json, "null");
    } else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        text_put(y->json, "%s", text);
    } else if (is_number(text)) {
        text_put(y->json, "%.17g", strtod(text, NULL));
    } else {
        text_json(y->json, text);
    }
}

/* ---- blocks ---- */

static bool is_item(const char *line)
{
    return line[0] == '-' && (line[1] == ' ' || !line[1]);
}

/* Returns the ':' that ends the key of a line; NULL when it has none. */
static char *end_of_key(char *line)
{
    char *c = line;
    if (*c == '"' || *c == '\'')
        for (const char quote = *c++; *c && *c != quote;)
            c++;
    while (*c && !(*c == ':' && (c[1] == ' ' || !c[1])))
        c++;
    return *c ? c : NULL;
}

static void put_block(yaml *y, int depth);

/* The lines of a list: "- value", or "- key: value" with more keys below. */
static void put_items(yaml *y, int depth)
{
    const int indent = y->indent;
    text_put(y->json, "[");
    for (int i = 0; y->at && y->indent == indent && is_item(y->at) && y->e->code == OC_OK; i++) {
        const int skip = 1 + (int)strspn(y->at + 1, " ");
        text_put(y->json, i ? "," : "");
        y->at += skip;
        y->indent += skip;
        if (!*y->at)
            next_line(y);
        if (!y->at || y->indent <= indent)
            text_put(y->json, "null");
        else
            put_block(y, depth + 1);
    }
    text_put(y->json, "]");
}

/* The lines of a map: "key: value", or "key:" with a block below, whose list may stand as far left
 * as the key. */
static void put_entries(yaml *y, int depth)
{
    const int indent = y->indent;
    text_put(y->json, "{");
    for (int i = 0; y->at && y->indent == indent && !is_item(y->at) && y->e->code == OC_OK; i++) {
        char *end = end_of_key(y->at), *value = end ? end + 1 + strspn(end + 1, " ") : NULL;
        if (!end) {
            refuse(y, "expected \"key: value\"");
            return;
        }
        *end = 0;
        const bool quoted = *y->at == '"' || *y->at == '\'';
        if (quoted)
            end[-1] = 0;
        text_put(y->json, i ? "," : "");
        text_json(y->json, y->at + quoted);
        text_put(y->json, ":");
        if (*value)
            put_value(y, value, depth + 1);
        next_line(y);
        if (*value)
            continue;
        if (y->at && (y->indent > indent || (y->indent == indent && is_item(y->at))))
            put_block(y, depth + 1);
        else
            text_put(y->json, "null");
    }
    text_put(y->json, "}");
}

/* What stands at the line and below it. */
static void put_block(yaml *y, int depth)
{
    if (depth > YAML_DEPTH)
        tool_fail(y->e, OC_LIMIT, "%s: line %d: more than %d values within each other", y->where,
                  y->line, YAML_DEPTH);
    else if (is_item(y->at))
        put_items(y, depth);
    else if (end_of_key(y->at))
        put_entries(y, depth);
    else {
        put_value(y, y->at, depth);
        next_line(y);
    }
}

void yaml_to_json(text_build *json, const void *text, size_t size, const char *where, oc_error *e)
{
    yaml y = {.json = json, .where = where, .e = e};
    if (e->code != OC_OK)
        return;
    if (memchr(text, 0, size)) {
        tool_fail(e, OC_FORMAT, "%s: it holds a zero byte", where);
        return;
    }
    text_build copy = {0}; /* whose lines end with NUL, one after the other */
    text_bytes(&copy, text, size);
    text_string(&copy);
    if (copy.failed) {
        tool_fail(e, OC_NOMEM, "%s: out of memory", where);
        return;
    }
    y.next = (char *)copy.bytes.data;
    next_line(&y);
    if (y.at)
        put_block(&y, 0);
    if (y.at && e->code == OC_OK)
        refuse(&y, "it is indented as no line above it");
    text_free(&copy);
    if (json->failed)
        tool_fail(e, OC_NOMEM, "%s: out of memory", where);
}
