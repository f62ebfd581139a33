/* SPDX-License-Identifier: Apache-2.0
 * ops.c - ocellus ops: lists the supported operators from the tables that the runtime uses. */
#include "commands/commands.h"
#include "commands/op_list.h"
#include "common/json.h"
#include "session/session_args.h"

/* Does the version belong to the operator of this name, with or without its domain? */
static bool is_named(const oc_op_info *op, const char *name)
{
    return strcmp(op->label, name) == 0 || strcmp(op->name, name) == 0;
}

static void print_detail(const oc_op_info *op)
{
    printf("%s\n  since %d\n", op->version->signature, op->version->since);
    for (int i = 0; i < op->n_variables; i++) {
        printf("  %s:", op->variable[i].name);
        op_print_forms(&op->variable[i].types, false);
        putchar('\n');
    }
}

static void print_line(int i)
{
    const oc_op_info *op = op_table_at(i);
    char versions[OP_VERSIONS], types[OP_TYPES];
    printf("%-24s %-24s %s\n", op->label, op_versions_text(i, versions), op_types_text(op, types));
}

static void json_types(json_writer *j, const oc_type_sets *sets)
{
    op_types form[OP_FORMS];
    op_forms(sets, form);
    for (int i = 0; i < OP_FORMS; i++) {
        if (!form[i].types)
            continue;
        json_array(j, form[i].key);
        for (int t = 1; t < OC_N_TYPES; t++)
            if (form[i].types >> t & 1)
                json_text(j, NULL, oc_type_name((oc_type)t));
        json_close(j);
    }
}

static void json_row(json_writer *j, const oc_op_info *op)
{
    json_object(j, NULL);
    json_text(j, "operator", op->label);
    json_int(j, "since", op->version->since);
    json_text(j, "signature", op->version->signature);
    json_object(j, "types");
    for (int i = 0; i < op->n_variables; i++) {
        json_object(j, op->variable[i].name);
        json_types(j, &op->variable[i].types);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void json_all(const char *name)
{
    const oc_op_info *op;
    const char *body;
    int since;
    json_writer j = json_begin(stdout);
    json_object(&j, NULL);
    json_array(&j, "operators");
    for (int i = 0; (op = op_table_at(i)) != NULL; i++)
        if (!name || is_named(op, name))
            json_row(&j, op);
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

static void print_bodies(const char *name)
{
    const char *body;
    int since;
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++)
        if (!name || strcmp(name, body) == 0)
            printf("%s-%d has a function body\n", body, since);
}

static void print_all(void)
{
    int n;
    int *first = op_sorted(&n);
    printf("%-24s %-24s %s\n", "operator", "versions, newest first", "types of the newest");
    for (int i = 0; i < n; i++)
        print_line(first[i]);
    free(first);
    putchar('\n');
    print_bodies(NULL);
}

static bool is_known(const char *name)
{
    const oc_op_info *op;
    const char *body;
    int since;
    for (int i = 0; (op = op_table_at(i)) != NULL; i++)
        if (is_named(op, name))
            return true;
    for (int i = 0; (body = oc_builtin_body(i, &since)) != NULL; i++)
        if (strcmp(name, body) == 0)
            return true;
    return false;
}

static void print_one(const char *name)
{
    const oc_op_info *op;
    for (int i = 0; (op = op_table_at(i)) != NULL; i++)
        if (is_named(op, name))
            print_detail(op);
    print_bodies(name);
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
    const char *counts = NULL;
    const args_option options[] = {
        ARGS_SWITCH("--markdown", &markdown, "a page with a table"),
        ARGS_VALUE("--counts", ARGS_TEXT, "FILE", &counts,
                   "with --markdown: lines 'NAME CASES PASSED TESTS' for the last columns"),
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
            char hint[NEAREST_TEXT];
            tool_fail(&e, OC_UNSUPPORTED, "operator '%s' is not supported%s", name,
                      session_near_op(name, hint));
            code = tool_report(&e, json);
        } else if (json) {
            json_all(name);
        } else if (name) {
            print_one(name);
        } else if (markdown) {
            ops_page_print(counts, &e);
            code = e.code ? tool_report(&e, json) : TOOL_OK;
        } else {
            print_all();
        }
    }
    args_list_free(&positional);
    return code;
}
