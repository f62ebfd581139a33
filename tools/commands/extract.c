/* SPDX-License-Identifier: Apache-2.0
 * extract.c - ocellus extract: writes the part of a model between some values and others. */
#include "commands/commands.h"
#include "commands/value_names.h"
#include "files/model_file.h"
#include "session/sandbox.h"

#include <ocellus_model.h>

typedef struct extract {
    session_args session;
    const char *in, *out;
    args_list from_args, to_args;
    const char **from, **to; /* names borrowed from the model */
    oc_cut *cut;             /* one for each name in from */
    int n_from, n_to;
    bool json;
} extract;

static const char *const examples[] = {
    "ocellus extract model.onnx --to features -o backbone.onnx",
    "ocellus extract model.onnx --from features -o head.onnx",
    NULL,
};

static const args_command command = {
    .name = "extract",
    .usage = "MODEL [--from V,...] [--to V,...] -o OUT [options]",
    .about = "Writes the part of MODEL that computes the values --to from the values --from,\n"
             "which become its inputs. Values are those of the main graph; inspect --nodes\n"
             "lists them.",
    .examples = examples,
    .min = 1,
    .max = 1,
};

static args_result read_args(int argc, char **argv, extract *x)
{
    const args_option options[] = {
        ARGS_VALUE("--from", ARGS_LIST, "V,...", &x->from_args,
                   "values that the part begins with; the model's inputs"),
        ARGS_VALUE("--to", ARGS_LIST, "V,...", &x->to_args,
                   "values that the part gives; the model's outputs that depend on --from"),
        ARGS_LETTER('o', "--output", ARGS_TEXT, "OUT", &x->out,
                    ".onnx, .onnx.gz, .onnxtxt, or - for text"),
        SESSION_LOAD_ARGS(&x->session),
        {0},
    };
    return args_read_model(argc, argv, &command, options, &x->in, &x->json);
}

static void check_arguments(const extract *x, oc_error *e)
{
    if (!x->out)
        tool_fail(e, OC_ARGUMENT, "extract: -o OUT is missing");
    else
        model_check_path(x->out, e);
    if (!x->from_args.n && !x->to_args.n)
        tool_fail(e, OC_ARGUMENT, "extract: --from and --to are missing, expected one of them");
}

/* ---- what depends on what ---- */

static bool is_among(const char *name, const char *const *list, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

/* Does the value depend on one of --from? The part that gives it alone has that one as an input. */
static bool depends(const extract *x, const oc_model *m, const char *value, oc_error *e)
{
    oc_error none = {0};
    bool found = is_among(value, x->from, x->n_from);
    if (found || e->code != OC_OK)
        return found;
    oc_model *part = oc_model_extract(m, x->cut, x->n_from, &value, 1, &none);
    for (int i = 0; part && i < oc_model_n_inputs(part); i++)
        found |= is_among(oc_model_input(part, i).name, x->from, x->n_from);
    if (!part && none.code != OC_ARGUMENT) /* that error says that no node makes the value */
        tool_fail(e, none.code, "%s", none.text);
    oc_model_free(part);
    return found;
}

static void check_ends(const extract *x, const oc_model *m, oc_error *e)
{
    for (int i = 0; i < x->n_to && e->code == OC_OK; i++)
        if (!depends(x, m, x->to[i], e))
            tool_fail(e, OC_ARGUMENT, "--to %s: the value depends on no value of --from", x->to[i]);
}

/* Sets --to to those outputs of the model that depend on --from. */
static void take_outputs(extract *x, const oc_model *m, oc_error *e)
{
    for (int i = 0; i < oc_model_n_outputs(m) && e->code == OC_OK; i++) {
        const char *name = oc_model_output(m, i).name;
        if (is_among(name, x->to, x->n_to))
            continue;
        if (!is_among(name, x->from, x->n_from) && depends(x, m, name, e)) {
            x->to = tool_push(x->to, (size_t)x->n_to, sizeof *x->to);
            x->to[x->n_to++] = name;
        } else if (e->code == OC_OK) {
            tool_say("extract: output '%s' is left out, it is not computed from --from", name);
        }
    }
    if (!x->n_to)
        tool_fail(e, OC_ARGUMENT, "extract: no output of the model is computed from --from");
}

static void find_ends(extract *x, const oc_model *m, oc_error *e)
{
    value_names names;
    value_names_read(&names, m, e);
    if (e->code == OC_OK)
        value_names_take(&names, "--from", &x->from_args, &x->from, &x->n_from, e);
    if (e->code == OC_OK)
        value_names_take(&names, "--to", &x->to_args, &x->to, &x->n_to, e);
    value_names_free(&names);
    x->cut = tool_alloc((size_t)x->n_from, sizeof *x->cut);
    for (int i = 0; i < x->n_from; i++)
        x->cut[i].name = x->from[i];
    if (e->code == OC_OK && !x->n_to)
        take_outputs(x, m, e);
    else if (e->code == OC_OK && x->n_from)
        check_ends(x, m, e);
}

/* ---- what is worth knowing ---- */

static void say_unknown(const oc_port *p)
{
    if (p->type == OC_UNDEFINED)
        tool_say("extract: nothing tells the type of '%s'; other tools may refuse the file",
                 p->name);
}

static void say_ports(const extract *x, const oc_model *part)
{
    const int n = oc_model_n_inputs(part);
    const char **input = tool_alloc((size_t)n, sizeof *input);
    for (int i = 0; i < n; i++) {
        const oc_port p = oc_model_input(part, i);
        input[i] = p.name;
        say_unknown(&p);
        if (x->n_from && !p.has_default && !is_among(p.name, x->from, x->n_from))
            tool_say("extract: input '%s' stays, the part uses it beside --from", p.name);
    }
    for (int i = 0; i < x->n_from; i++)
        if (!is_among(x->from[i], input, n))
            tool_say("extract: --from %s: the part does not use this value", x->from[i]);
    for (int i = 0; i < oc_model_n_outputs(part); i++) {
        const oc_port p = oc_model_output(part, i);
        say_unknown(&p);
    }
    free(input);
}

static int extract_part(extract *x)
{
    oc_error e = {0};
    oc_model *part = NULL;
    sandbox box = sandbox_begin(&x->session);
    check_arguments(x, &e);
    sandbox_model(&box, x->in);
    sandbox_write(&box, x->out);
    sandbox_enter(&box, 0, &e);
    oc_model *m = session_open(x->in, &x->session, &e);
    if (m)
        find_ends(x, m, &e);
    if (m)
        part = oc_model_extract(m, x->cut, x->n_from, x->to, x->n_to, &e);
    if (part) {
        say_ports(x, part);
        model_write(part, x->out, &e);
    }
    const int code = model_written(m, part, x->in, x->out, x->json, &e);
    oc_model_free(part);
    oc_model_free(m);
    return code;
}

int cmd_extract(int argc, char **argv)
{
    extract x = {.out = NULL};
    int code = TOOL_OK;
    const args_result result = read_args(argc, argv, &x);
    if (result == ARGS_WRONG)
        code = TOOL_USAGE;
    if (result == ARGS_GO)
        code = extract_part(&x);
    free(x.from);
    free(x.to);
    free(x.cut);
    args_list_free(&x.from_args);
    args_list_free(&x.to_args);
    return code;
}
