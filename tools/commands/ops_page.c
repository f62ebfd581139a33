/* SPDX-License-Identifier: Apache-2.0
 * ops_page.c - prints the table of operators: versions, types, kernel or body, tests. */
#include "commands/ops_page.h"

#include "commands/op_rows.h"
#include "files/io.h"

#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

/* The text of a file, each line of which begins with a line end; "" without a file. */
static char *read_counts(const char *path, oc_error *e)
{
    io_bytes b = {0};
    if (!path)
        return tool_format("\n");
    io_read(path, 1 << 24, &b, e);
    char *text = tool_format("\n%.*s", (int)b.size, b.data ? (const char *)b.data : "");
    io_bytes_free(&b);
    return text;
}

/* Prints the last two columns of an operator. */
static void print_counts(const char *counts, const char *name, size_t size)
{
    char *key = tool_format("\n%.*s ", (int)size, name);
    const char *line = strstr(counts, key);
    char *at;
    if (line) {
        const long cases = strtol(line + strlen(key), &at, 10);
        const long passed = strtol(at, &at, 10), tests = strtol(at, NULL, 10);
        printf(" %ld | %ld", cases, passed);
        if (passed != tests)
            printf(" of %ld", tests);
        printf(" |\n");
    } else {
        puts(" | |");
    }
    free(key);
}

/* ---- the table ---- */

/* Is this a body of the row's operator? Bodies of ONNX's domains are named without the domain. */
static bool is_body_of(const char *body, const oc_op *row)
{
    const size_t size = op_name_size(row->signature), n = strlen(body);
    if (n > size)
        return false;
    const char *name = row->signature + size - n;
    return memcmp(name, body, n) == 0 && (n == size || name[-1] == ':');
}

static bool has_body(const oc_op *row)
{
    const char *body;
    for (int i = 0, since; (body = oc_builtin_body(i, &since)) != NULL; i++)
        if (is_body_of(body, row))
            return true;
    return false;
}

static void print_types(const char *title, uint32_t types)
{
    if (types)
        printf("%s", title);
    for (int t = 1; t < OC_N_TYPES; t++)
        if (types >> t & 1)
            printf(" %s", oc_type_name((oc_type)t));
}

/* Prints the types of each variable; the ports of an operator that has none. */
static void print_sets(const oc_op *row)
{
    op_type_set set;
    const char *ports = strchr(row->signature, '('), *at = op_type_sets(row);
    if (!op_next_set(at, &set) && ports)
        printf(" %.*s", (int)strcspn(ports, "|"), ports);
    for (const char *comma = ""; op_next_set(at, &set); at = set.next, comma = ";") {
        printf("%s %s:", comma, set.variable);
        print_types("", set.tensor);
        print_types(" sequences of", set.sequence);
        print_types(" optionals of", set.optional);
        print_types(" maps to", set.map);
    }
}

static void print_kernel(int row, const char *counts)
{
    const oc_op *op = oc_builtin_op(row);
    const size_t size = op_name_size(op->signature);
    char versions[OP_VERSIONS];
    printf("| %.*s | %s |", (int)size, op->signature, op_versions_text(row, versions));
    print_sets(op);
    printf(" | kernel%s |", has_body(op) ? ", body" : "");
    print_counts(counts, op->signature, size);
}

static bool has_kernel(const char *body)
{
    const oc_op *row;
    for (int i = 0; (row = oc_builtin_op(i)) != NULL; i++)
        if (is_body_of(body, row))
            return true;
    return false;
}

/* Prints an operator that has bodies alone. The bodies of one operator follow each other. */
static void print_body(int first, const char *name, const char *counts)
{
    const char *body;
    int since;
    printf("| %s |", name);
    for (int i = first; (body = oc_builtin_body(i, &since)) && strcmp(body, name) == 0; i++)
        printf(" %d", since);
    printf(" | | body |");
    print_counts(counts, name, strlen(name));
}

static void print_table(const char *counts)
{
    int n, since;
    int *rows = op_sorted(&n);
    const char *body, *last = "";
    puts("# Operators\n\n"
         "Versions are the newest first; types are those of the newest. An operator without a\n"
         "kernel runs by its function body. Cases are the text cases of `tests/cases` that call "
         "the\n"
         "operator; tests are those of ONNX's own that call it and pass.\n\n"
         "| operator | versions | types | runs as | cases | ONNX's tests |\n"
         "|---|---|---|---|---|---|");
    for (int i = 0; i < n; i++)
        print_kernel(rows[i], counts);
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++) {
        if (strcmp(body, last) != 0 && !has_kernel(body))
            print_body(i, body, counts);
        last = body;
    }
    free(rows);
}

void ops_page_print(const char *path, oc_error *e)
{
    char *counts = read_counts(path, e);
    if (e->code == OC_OK)
        print_table(counts);
    free(counts);
}
