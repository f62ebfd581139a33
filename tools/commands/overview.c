/* SPDX-License-Identifier: Apache-2.0
 * overview.c - shows a model's inputs, outputs, opsets and operators, and what is wrong with it. */
#include "commands/overview.h"

#include "commands/first_versions.h"
#include "inspect/view.h"
#include "predict/choose.h"
#include "session/session_args.h"

static int count_unsupported(const oc_model *m)
{
    oc_model_operator op;
    int n = 0;
    for (int i = 0; oc_model_operator_at(m, i, &op); i++)
        n += op.support == OC_SUPPORT_NONE;
    return n;
}

/* ---- what is wrong, or worth knowing ---- */

static void take_finding(void *ctx, oc_status code, const char *text)
{
    findings *f = ctx;
    f->item = tool_push(f->item, (size_t)f->n, sizeof *f->item);
    f->item[f->n++] = (finding){code, tool_format("%s", text)};
    f->n_problems += code != OC_OK;
}

void findings_of(const oc_model *m, findings *f, oc_error *e)
{
    oc_model_examine(m, take_finding, f, e);
}

void findings_free(findings *f)
{
    for (int i = 0; i < f->n; i++)
        free(f->item[i].text);
    free(f->item);
}

/* Returns what ONNX knows about an operator that is not supported; "" for any other. Free it
 * with free. */
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

enum { FEW_DEFAULTS = 8 };

/* Inputs with initializers are only counted when there are many: until IR version 4 every weight
 * had to be an input, and some exporters still make them inputs. */
static void print_ports(const char *title, const oc_model *m, int n, const weight_list *w,
                        oc_port (*port_at)(const oc_model *, int))
{
    char text[PORT_TEXT];
    int n_default = 0;
    printf("%s:\n", title);
    for (int i = 0; i < n; i++)
        n_default += port_at(m, i).has_default;
    const bool counted = n_default > FEW_DEFAULTS || oc_model_describe(m).ir_version < 4;
    for (int i = 0; i < n; i++) {
        const oc_port port = port_at(m, i);
        if (!weight_list_has(w, &port) || (port.has_default && !counted))
            tool_line("  %-24s  %s%s", port.name, session_port_text(&port, text),
                      port.has_default ? "  has a default" : "");
    }
    if (n_default && counted)
        printf("  and %d that initializers give values, such as weights\n", n_default);
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
                  view_support(op.support), first);
        free(name);
        free(first);
    }
}

char *overview_decoder(const oc_model *m, const char *path)
{
    char *told;
    const decoder *d = choose_for_model(m, path, &told);
    char *text = d ? tool_format("%s, by %s", d->name, told) : tool_format("%s", told);
    free(told);
    return text;
}

static void print_decoder(const oc_model *m, const char *path)
{
    char *text = overview_decoder(m, path);
    if (*text)
        tool_line("decoder: %s", text);
    free(text);
}

void overview_print(const oc_model *m, const char *path, const weight_list *w, const findings *f)
{
    char constants[32] = "";
    const oc_model_info d = oc_model_describe(m);
    tool_print("%s: graph '%s', IR version %" PRId64, path, d.graph_name, d.ir_version);
    if (*d.producer_name)
        tool_print(", made by %s%s%s", d.producer_name, *d.producer_version ? " " : "",
                   d.producer_version);
    if (w->n_constant)
        snprintf(constants, sizeof constants, " and %d Constants", w->n_constant);
    printf("\n%d nodes, %d functions, %d initializers%s with %" PRId64 " parameters\nopsets:",
           d.n_nodes, d.n_functions, d.n_initializers + w->n_lost, constants, w->n_parameters);
    for (int i = 0; i < d.n_opsets; i++) {
        int64_t version;
        const char *domain = oc_model_opset(m, i, &version);
        tool_print(" %s-%" PRId64, *domain ? domain : "ai.onnx", version);
    }
    putchar('\n');
    print_ports("inputs", m, oc_model_n_inputs(m), w, oc_model_input);
    print_ports("outputs", m, oc_model_n_outputs(m), &(weight_list){0}, oc_model_output);
    print_decoder(m, path);
    print_operators(m);
    print_findings("problems", f, true);
    print_findings("remarks", f, false);
}

/* ---- JSON ---- */

static void json_ports(json_writer *j, const char *key, const oc_model *m, int n,
                       const weight_list *w, oc_port (*port_at)(const oc_model *, int))
{
    static const char *const kinds[] = {"tensor", "sequence", "optional"};
    json_array(j, key);
    for (int i = 0; i < n; i++) {
        const oc_port p = port_at(m, i);
        if (weight_list_has(w, &p) && !p.has_default)
            continue;
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
        json_text(j, "description", p.description);
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
        json_text(j, "runs_as", view_support(op.support));
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

static void json_facts(json_writer *j, const oc_model *m, const char *path, const weight_list *w)
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
    json_int(j, "initializers", d.n_initializers + w->n_lost);
    json_int(j, "constants", w->n_constant);
    json_int(j, "lost", w->n_lost);
    json_int(j, "parameters", w->n_parameters);
    json_object(j, "opsets");
    for (int i = 0; i < d.n_opsets; i++) {
        int64_t version;
        const char *domain = oc_model_opset(m, i, &version);
        json_int(j, *domain ? domain : "ai.onnx", version);
    }
    json_close(j);
}

static void json_decoder(json_writer *j, const oc_model *m, const char *path)
{
    char *told;
    const decoder *d = choose_for_model(m, path, &told);
    json_text(j, "decoder", d ? d->name : NULL);
    json_text(j, "decoder_why", *told ? told : NULL);
    free(told);
}

void overview_json(json_writer *j, const oc_model *m, const char *path, const weight_list *w,
                   const findings *f)
{
    json_facts(j, m, path, w);
    json_ports(j, "inputs", m, oc_model_n_inputs(m), w, oc_model_input);
    json_ports(j, "outputs", m, oc_model_n_outputs(m), &(weight_list){0}, oc_model_output);
    json_decoder(j, m, path);
    json_operators(j, m);
    json_int(j, "unsupported", count_unsupported(m));
    json_findings(j, f);
}

int overview_verdict(const oc_model *m, const char *path, const findings *f)
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
