/* SPDX-License-Identifier: Apache-2.0
 * ops.c - ocellus ops: lists the supported operators from the tables that the runtime uses. */
#include "commands/commands.h"
#include "common/args.h"
#include "common/json.h"

#include <stdlib.h>
#include <string.h>

/* ---- a signature's parts ---- */

static size_t name_size(const char *signature)
{
    return strcspn(signature, " <(");
}

/* Does the row belong to the operator of this name, with or without its domain? */
static bool is_named(const oc_op *row, const char *name)
{
    const size_t size = name_size(row->signature), n = strlen(name);
    if (size == n && memcmp(row->signature, name, n) == 0)
        return true;
    return size > n + 2 && memcmp(row->signature + size - n, name, n) == 0 &&
           memcmp(row->signature + size - n - 2, "::", 2) == 0;
}

static bool same_operator(const oc_op *a, const oc_op *b)
{
    const size_t n = name_size(a->signature);
    return n == name_size(b->signature) && memcmp(a->signature, b->signature, n) == 0;
}

/* The part of the signature after '|', as in "T: all seq(all); U: index"; "" when there is none. */
static const char *type_sets(const oc_op *row)
{
    const char *bar = strchr(row->signature, '|');
    return bar ? bar + 1 + strspn(bar + 1, " ") : "";
}

typedef struct type_set {
    char variable[16];
    uint32_t tensor, sequence, optional; /* element types: bit t is set for oc_type t */
    const char *next;                    /* the text after the set */
} type_set;

/* Adds the types of one word, as in "all", "seq(all)" or "opt(seq(all))". */
static void add_types(type_set *set, const char *text, size_t size)
{
    char word[64];
    if (size >= sizeof word)
        return;
    memcpy(word, text, size);
    word[size] = 0;
    const bool is_sequence = strncmp(word, "seq(", 4) == 0;
    const bool is_optional = strncmp(word, "opt(", 4) == 0;
    char *inner = word + (is_sequence || is_optional ? 4 : 0);
    if (strncmp(inner, "seq(", 4) == 0)
        inner += 4;
    inner[strcspn(inner, ")")] = 0;
    uint32_t *target = is_sequence ? &set->sequence : is_optional ? &set->optional : &set->tensor;
    *target |= oc_type_set(inner);
}

/* Reads the set of one type variable; returns false at the end of text. */
static bool next_set(const char *text, type_set *set)
{
    *set = (type_set){0};
    text += strspn(text, " ;");
    const char *colon = strchr(text, ':');
    if (!colon)
        return false;
    snprintf(set->variable, sizeof set->variable, "%.*s", (int)(colon - text), text);
    for (text = colon + 1; *text && *text != ';';) {
        text += strspn(text, " ");
        const size_t size = strcspn(text, " ;");
        if (size)
            add_types(set, text, size);
        text += size;
    }
    set->next = text;
    return true;
}

/* ---- views ---- */

static void print_types(const char *title, uint32_t types)
{
    if (!types)
        return;
    printf("%s", title);
    for (int t = 1; t < OC_N_TYPES; t++)
        if (types >> t & 1)
            printf(" %s", oc_type_name((oc_type)t));
}

static void print_detail(const oc_op *row)
{
    type_set set;
    printf("%s\n  since %d\n", row->signature, row->since);
    for (const char *at = type_sets(row); next_set(at, &set); at = set.next) {
        printf("  %s:", set.variable);
        print_types("", set.tensor);
        print_types("  sequences of", set.sequence);
        print_types("  optionals of", set.optional);
        putchar('\n');
    }
}

/* The text of the last column: the type sets, or the ports when the signature has no sets. */
static const char *types_text(const oc_op *row)
{
    const char *sets = type_sets(row), *ports = strchr(row->signature, '(');
    return *sets || !ports ? sets : ports;
}

/* Prints the line of the operator whose first row is row i. */
static void print_line(int i, bool markdown)
{
    const oc_op *first = oc_builtin_op(i), *row = first;
    const char *bar = markdown ? "| " : "";
    const int size = (int)name_size(first->signature);
    char versions[120] = "";
    for (size_t at = 0; row && same_operator(first, row) && at < sizeof versions;) {
        at += (size_t)snprintf(versions + at, sizeof versions - at, "%s%d", at ? " " : "",
                               row->since);
        row = oc_builtin_op(++i);
    }
    printf("%s%-24.*s %s%-24s %s%s%s\n", bar, size, first->signature, bar, versions, bar,
           types_text(first), markdown ? " |" : "");
}

static int by_name(const void *a, const void *b)
{
    const char *x = oc_builtin_op(*(const int *)a)->signature;
    const char *y = oc_builtin_op(*(const int *)b)->signature;
    const size_t n = name_size(x), m = name_size(y);
    const int order = memcmp(x, y, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

/* Index of the first row of each operator, sorted by name; their number in *n. Free with free. */
static int *sorted_operators(int *n)
{
    int *first = NULL;
    *n = 0;
    for (int i = 0; oc_builtin_op(i); i++) {
        if (i > 0 && same_operator(oc_builtin_op(i - 1), oc_builtin_op(i)))
            continue;
        first = tool_grow(first, (size_t)*n + 1, sizeof *first);
        first[(*n)++] = i;
    }
    if (*n)
        qsort(first, (size_t)*n, sizeof *first, by_name);
    return first;
}

static void json_types(json_writer *j, const char *key, uint32_t types)
{
    if (!types)
        return;
    json_array(j, key);
    for (int t = 1; t < OC_N_TYPES; t++)
        if (types >> t & 1)
            json_text(j, NULL, oc_type_name((oc_type)t));
    json_close(j);
}

static void json_row(json_writer *j, const oc_op *row)
{
    type_set set;
    json_object(j, NULL);
    json_bytes(j, "operator", row->signature, name_size(row->signature));
    json_int(j, "since", row->since);
    json_text(j, "signature", row->signature);
    json_object(j, "types");
    for (const char *at = type_sets(row); next_set(at, &set); at = set.next) {
        json_object(j, set.variable);
        json_types(j, "tensor", set.tensor);
        json_types(j, "sequence", set.sequence);
        json_types(j, "optional", set.optional);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void json_all(const char *name)
{
    const oc_op *row;
    const char *body;
    int since;
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_array(&j, "operators");
    for (int i = 0; (row = oc_builtin_op(i)) != NULL; i++)
        if (!name || is_named(row, name))
            json_row(&j, row);
    json_close(&j);
    json_array(&j, "bodies");
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++) {
        if (name && strcmp(name, body) != 0)
            continue;
        json_object(&j, NULL);
        json_text(&j, "operator", body);
        json_int(&j, "since", since);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    json_end(&j);
}

static void print_bodies(const char *name, bool markdown)
{
    const char *body;
    int since;
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++)
        if (!name || strcmp(name, body) == 0)
            printf("%s%s-%d has a function body\n", markdown ? "- " : "", body, since);
}

static void print_all(bool markdown)
{
    if (markdown)
        puts("| operator | versions, newest first | types of the newest |\n|---|---|---|");
    else
        printf("%-24s %-24s %s\n", "operator", "versions, newest first", "types of the newest");
    int n;
    int *first = sorted_operators(&n);
    for (int i = 0; i < n; i++)
        print_line(first[i], markdown);
    free(first);
    putchar('\n');
    print_bodies(NULL, markdown);
}

static bool is_known(const char *name)
{
    const oc_op *row;
    const char *body;
    int since;
    for (int i = 0; (row = oc_builtin_op(i)) != NULL; i++)
        if (is_named(row, name))
            return true;
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++)
        if (strcmp(name, body) == 0)
            return true;
    return false;
}

static void print_one(const char *name)
{
    const oc_op *row;
    for (int i = 0; (row = oc_builtin_op(i)) != NULL; i++)
        if (is_named(row, name))
            print_detail(row);
    print_bodies(name, false);
}

int cmd_ops(int argc, char **argv)
{
    static const args_command command = {
        .name = "ops",
        .usage = "[NAME] [options]",
        .about = "Lists the operators that are supported, with versions and types; for NAME, each\n"
                 "version's signature and types. The exit code is 4 if NAME is not supported.",
        .max = 1,
    };
    bool markdown = false, json;
    const args_option options[] = {
        {.name = "--markdown", .kind = ARGS_FLAG, .out = &markdown, .help = "a Markdown table"},
        {0},
    };
    args_list positional;
    int code = TOOL_OK;
    const args_result result = args_read(argc, argv, &command, options, &positional, &json);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO) {
        const char *name = positional.n ? positional.item[0] : NULL;
        oc_error e = {0};
        if (name && !is_known(name)) {
            tool_fail(&e, OC_UNSUPPORTED, "operator '%s' is not supported", name);
            code = tool_report(&e, json);
        } else if (json) {
            json_all(name);
        } else if (name) {
            print_one(name);
        } else {
            print_all(markdown);
        }
    }
    args_list_free(&positional);
    return code;
}
