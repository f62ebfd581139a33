/* SPDX-License-Identifier: Apache-2.0
 * ops_page.c - prints the table of operators: versions, types, kernel or body, tests. */
#include "commands/op_list.h"

#include "files/io.h"

/* ---- counts ---- */

/* Returns the text of a file, with a line end before each line; "" without a file. */
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
static void print_counts(const char *counts, const char *name)
{
    char *key = tool_format("\n%s ", name);
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

/* Is it a body of the row's operator? Bodies of ONNX's domains are named without the domain. */
static bool is_body_of(const char *body, const oc_op_info *op)
{
    return strcmp(body, op->label) == 0 || strcmp(body, op->name) == 0;
}

static bool has_body(const oc_op_info *op)
{
    const char *body;
    for (int i = 0, since; (body = oc_builtin_body(i, &since)) != NULL; i++)
        if (is_body_of(body, op))
            return true;
    return false;
}

/* Prints the types of each variable; when there are none, the operator's ports. */
static void print_sets(const oc_op_info *op)
{
    if (!op->n_variables)
        printf(" %s", op->ports);
    for (int i = 0; i < op->n_variables; i++) {
        printf("%s %s:", i ? ";" : "", op->variable[i].name);
        op_print_forms(&op->variable[i].types, true);
    }
}

static void print_kernel(int row, const char *counts)
{
    const oc_op_info *op = op_table_at(row);
    char versions[OP_VERSIONS];
    printf("| %s | %s |", op->label, op_versions_text(row, versions));
    print_sets(op);
    printf(" | kernel%s |", has_body(op) ? ", body" : "");
    print_counts(counts, op->label);
}

static bool has_kernel(const char *body)
{
    const oc_op_info *op;
    for (int i = 0; (op = op_table_at(i)) != NULL; i++)
        if (is_body_of(body, op))
            return true;
    return false;
}

/* Prints an operator that has only bodies. The bodies of one operator follow each other. */
static void print_body(int first, const char *name, const char *counts)
{
    const char *body;
    int since;
    printf("| %s |", name);
    for (int i = first; (body = oc_builtin_body(i, &since)) && strcmp(body, name) == 0; i++)
        printf(" %d", since);
    printf(" | | body |");
    print_counts(counts, name);
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
