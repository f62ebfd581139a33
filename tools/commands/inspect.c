/* SPDX-License-Identifier: Apache-2.0
 * inspect.c - ocellus inspect: what are a model's inputs, outputs, opsets and operators? */
#include "commands/commands.h"
#include "commands/first_versions.h"
#include "common/json.h"
#include "session/sandbox.h"
#include "session/session_args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const support_names[] = {"native", "body", "function", "unsupported"};

static int count_unsupported(const oc_model *m)
{
    oc_model_operator op;
    int n = 0;
    for (int i = 0; oc_model_operator_at(m, i, &op); i++)
        n += op.support == OC_SUPPORT_NONE;
    return n;
}

/* ---- what is wrong, or worth knowing ---- */

typedef struct finding {
    oc_status code; /* OC_OK: a remark */
    char *text;
} finding;

typedef struct findings {
    finding *item;
    int n, n_problems;
} findings;

static void take_finding(void *ctx, oc_status code, const char *text)
{
    findings *f = ctx;
    f->item = tool_grow(f->item, (size_t)f->n + 1, sizeof *f->item);
    f->item[f->n++] = (finding){code, tool_format("%s", text)};
    f->n_problems += code != OC_OK;
}

static void free_findings(findings *f)
{
    for (int i = 0; i < f->n; i++)
        free(f->item[i].text);
    free(f->item);
}

/* What ONNX knows of an operator that is not supported; "" for any other. Free with free. */
static char *first_text(const oc_model_operator *op)
{
    const bool missing = op->support == OC_SUPPORT_NONE;
    const int first = missing ? first_version(op->domain, op->name) : 0;
    if (first)
        return tool_format(", ONNX has it since %d", first);
    return tool_format(
        "%s", missing && is_domain_of_onnx(op->domain) ? ", ONNX has no such operator" : "");
}

/* ---- text ---- */

static void print_findings(const char *title, const findings *f, bool problems)
{
    bool any = false;
    for (int i = 0; i < f->n; i++) {
        if ((f->item[i].code != OC_OK) != problems)
            continue;
        if (!any)
            printf("%s:\n", title);
        any = true;
        tool_line("  %s", f->item[i].text);
    }
}

static void print_ports(const char *title, const oc_model *m, int n,
                        oc_port (*port_at)(const oc_model *, int))
{
    char text[PORT_TEXT];
    printf("%s:\n", title);
    for (int i = 0; i < n; i++) {
        const oc_port port = port_at(m, i);
        tool_line("  %-24s  %s%s", port.name, session_port_text(&port, text),
                  port.has_default ? "  has a default" : "");
    }
}

static void print_operators(const oc_model *m)
{
    oc_model_operator op;
    printf("operators:\n  %-28s %6s %6s %6s  %s\n", "name", "nodes", "opset", "since", "runs as");
    for (int i = 0; oc_model_operator_at(m, i, &op); i++) {
        char since[16] = "-";
        char *first = first_text(&op);
        char *name = tool_format("%s%s%s", op.domain, *op.domain ? "::" : "", op.name);
        if (op.since)
            snprintf(since, sizeof since, "%d", op.since);
        tool_line("  %-28s %6d %6" PRId64 " %6s  %s%s", name, op.count, op.opset, since,
                  support_names[op.support], first);
        free(name);
        free(first);
    }
}

static void print_model(const oc_model *m, const char *path, const findings *f)
{
    const oc_model_info d = oc_model_describe(m);
    tool_print("%s: graph '%s', IR version %" PRId64, path, d.graph_name, d.ir_version);
    if (*d.producer_name)
        tool_print(", made by %s%s%s", d.producer_name, *d.producer_version ? " " : "",
                   d.producer_version);
    printf("\n%d nodes, %d functions, %d initializers with %" PRId64 " parameters\nopsets:",
           d.n_nodes, d.n_functions, d.n_initializers, d.n_parameters);
    for (int i = 0; i < d.n_opsets; i++) {
        int64_t version;
        const char *domain = oc_model_opset(m, i, &version);
        tool_print(" %s-%" PRId64, *domain ? domain : "ai.onnx", version);
    }
    putchar('\n');
    print_ports("inputs", m, oc_model_n_inputs(m), oc_model_input);
    print_ports("outputs", m, oc_model_n_outputs(m), oc_model_output);
    print_operators(m);
    print_findings("problems", f, true);
    print_findings("remarks", f, false);
}

/* ---- JSON ---- */

static void json_ports(json_writer *j, const char *key, const oc_model *m, int n,
                       oc_port (*port_at)(const oc_model *, int))
{
    static const char *const kinds[] = {"tensor", "sequence", "optional"};
    json_array(j, key);
    for (int i = 0; i < n; i++) {
        const oc_port p = port_at(m, i);
        json_object(j, NULL);
        json_text(j, "name", p.name);
        json_text(j, "kind", kinds[p.kind]);
        json_text(j, "type", oc_type_name(p.type));
        if (p.rank >= 0) {
            json_array(j, "shape");
            for (int k = 0; k < p.rank; k++)
                if (p.dim[k] >= 0)
                    json_int(j, NULL, p.dim[k]);
                else
                    json_text(j, NULL, p.dim_name[k]);
            json_close(j);
        }
        json_bool(j, "has_default", p.has_default);
        json_close(j);
    }
    json_close(j);
}

static void json_operators(json_writer *j, const oc_model *m)
{
    oc_model_operator op;
    json_array(j, "operators");
    for (int i = 0; oc_model_operator_at(m, i, &op); i++) {
        json_object(j, NULL);
        json_text(j, "domain", op.domain);
        json_text(j, "name", op.name);
        json_int(j, "nodes", op.count);
        json_int(j, "opset", op.opset);
        json_int(j, "since", op.since);
        json_text(j, "runs_as", support_names[op.support]);
        const int first = op.support == OC_SUPPORT_NONE ? first_version(op.domain, op.name) : 0;
        if (first)
            json_int(j, "onnx_since", first);
        json_close(j);
    }
    json_close(j);
}

static void json_findings(json_writer *j, const findings *f)
{
    json_array(j, "problems");
    for (int i = 0; i < f->n; i++) {
        if (f->item[i].code == OC_OK)
            continue;
        json_object(j, NULL);
        json_text(j, "code", oc_status_name(f->item[i].code));
        json_text(j, "text", f->item[i].text);
        json_close(j);
    }
    json_close(j);
    json_array(j, "remarks");
    for (int i = 0; i < f->n; i++)
        if (f->item[i].code == OC_OK)
            json_text(j, NULL, f->item[i].text);
    json_close(j);
}

static void json_facts(json_writer *j, const oc_model *m, const char *path)
{
    const oc_model_info d = oc_model_describe(m);
    json_text(j, "model", path);
    json_text(j, "graph", d.graph_name);
    json_int(j, "ir_version", d.ir_version);
    json_text(j, "producer", d.producer_name);
    json_text(j, "producer_version", d.producer_version);
    json_text(j, "domain", d.domain);
    json_int(j, "model_version", d.model_version);
    json_int(j, "nodes", d.n_nodes);
    json_int(j, "functions", d.n_functions);
    json_int(j, "initializers", d.n_initializers);
    json_int(j, "parameters", d.n_parameters);
    json_object(j, "opsets");
    for (int i = 0; i < d.n_opsets; i++) {
        int64_t version;
        const char *domain = oc_model_opset(m, i, &version);
        json_int(j, *domain ? domain : "ai.onnx", version);
    }
    json_close(j);
}

static void json_model(json_writer *j, const oc_model *m, const char *path, const findings *f)
{
    json_object(j, NULL);
    json_facts(j, m, path);
    json_ports(j, "inputs", m, oc_model_n_inputs(m), oc_model_input);
    json_ports(j, "outputs", m, oc_model_n_outputs(m), oc_model_output);
    json_operators(j, m);
    json_int(j, "unsupported", count_unsupported(m));
    json_findings(j, f);
    json_close(j);
    json_end(j);
}

/* The exit code for a model: that of its missing operators, else that of the first problem. */
static int verdict(const oc_model *m, const char *path, const findings *f)
{
    const int n = count_unsupported(m);
    if (n)
        tool_say("%s: %d operator%s not supported", path, n, n == 1 ? " is" : "s are");
    if (f->n_problems)
        tool_say("%s: %d problem%s", path, f->n_problems, f->n_problems == 1 ? "" : "s");
    for (int i = 0; i < f->n && !n; i++)
        if (f->item[i].code != OC_OK)
            return tool_exit_code(f->item[i].code);
    return n ? TOOL_UNSUPPORTED : TOOL_OK;
}

static int inspect(const char *path, session_args *session, bool json)
{
    oc_error e = {0};
    findings f = {0};
    sandbox box = sandbox_begin(session);
    sandbox_model(&box, path);
    sandbox_enter(&box, 1, &e);
    oc_model *m = session_open(path, session, &e);
    if (m)
        oc_model_examine(m, take_finding, &f, &e);
    if (m && e.code == OC_OK && json) {
        json_writer j = json_begin(stdout);
        json_model(&j, m, path, &f);
    } else if (m && e.code == OC_OK) {
        print_model(m, path, &f);
    }
    const int code = e.code ? tool_report(&e, json) : verdict(m, path, &f);
    free_findings(&f);
    oc_model_free(m);
    return code;
}

int cmd_inspect(int argc, char **argv)
{
    static const args_command command = {
        .name = "inspect",
        .usage = "MODEL [options]",
        .about =
            "Tells what MODEL takes and gives, its opsets, and how each of its operators would\n"
            "run: by a native kernel, by a function body, by a function of the model itself, or\n"
            "not at all; then what else would keep it from running, and what it declares wrongly.\n"
            "The exit code is 4 if an operator is not supported, and 3 if there is a problem.",
        .min = 1,
        .max = 1,
    };
    session_args session = {0};
    const args_option options[] = {
        SESSION_LOAD_ARGS(&session),
        {0},
    };
    args_list positional;
    bool json;
    int code = TOOL_OK;
    const args_result result = args_read(argc, argv, &command, options, &positional, &json);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO)
        code = inspect(positional.item[0], &session, json);
    args_list_free(&positional);
    return code;
}
